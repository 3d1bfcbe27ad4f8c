//! Small pictures of the built-in characters for the first page, made by `cargo xtask studio-cards`.

/// Name and PNG, in the order of the page.
pub const CHARACTERS: &[(&str, &[u8])] = &[
    ("arm", include_bytes!("../pictures/arm.png")),
    ("hand", include_bytes!("../pictures/hand.png")),
    ("figure", include_bytes!("../pictures/figure.png")),
    ("statue", include_bytes!("../pictures/statue.png")),
];
