//! Pictures side by side.

use super::{Picture, Sheet, page::escape};
use base64::{Engine, engine::general_purpose::STANDARD};
use std::fmt::{self, Write};

/// The rest pose and every method, a card each.
pub fn write(out: &mut String, sheet: &Sheet) -> fmt::Result {
    writeln!(out, "<div class=\"cards\" tabindex=\"0\" role=\"group\" aria-label=\"pictures\">")?;
    card(out, sheet, "at rest", "rest", Ok(&sheet.at_rest))?;
    for entry in &sheet.entries {
        let pictures = entry.outcome.as_ref().map(|o| o.pictures.as_slice()).map_err(String::as_str);
        card(out, sheet, entry.method.name, "method", pictures)?;
    }
    writeln!(out, "</div>")
}

fn card(out: &mut String, sheet: &Sheet, name: &str, class: &str, pictures: Result<&[Picture], &str>) -> fmt::Result {
    writeln!(out, "<article class=\"card {class}\">\n<h3>{}</h3>", escape(name))?;
    match pictures {
        Err(why) => writeln!(out, "<p class=\"refused\">Cannot move this character: {}</p>", escape(why))?,
        Ok(pictures) => {
            for picture in pictures {
                let alt = escape(&format!("{}, {name}: {}", sheet.name(), picture.caption));
                let [width, height] = super::views::SIZE;
                write!(out, "<figure><img alt=\"{alt}\" width=\"{width}\" height=\"{height}\" src=\"")?;
                write!(out, "data:image/png;base64,{}\">", STANDARD.encode(&picture.png))?;
                writeln!(out, "<figcaption>{}</figcaption></figure>", escape(&picture.caption))?;
            }
        }
    }
    writeln!(out, "</article>")
}
