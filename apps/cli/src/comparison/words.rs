//! What the figures mean, for people who have not read the book.

/// A row of the tables.
pub struct Word {
    pub key: &'static str,
    pub name: &'static str,
    /// One line, beside the figure.
    pub short: &'static str,
    /// In full, at the end of the page.
    pub full: &'static str,
}

const fn word(key: &'static str, name: &'static str, short: &'static str, full: &'static str) -> Word {
    Word { key, name, short, full }
}

/// In the order in which they are shown; a row is shown where some method has the figure.
pub static WORDS: &[Word] = &[
    word(
        "overlap",
        "overlap",
        "skin inside other skin, less is better",
        "The volume where the skin encloses itself twice or more, over the volume at rest, less what was so at rest \
         already. Real skin touches and folds; it does not pass through itself.",
    ),
    word(
        "inverted",
        "inverted",
        "volume turned inside out, less is better",
        "The volume that the skin encloses inside out, over the volume at rest.",
    ),
    word(
        "volume_drift",
        "volume drift",
        "volume gained or lost, near 0 is better",
        "The enclosed volume over that at rest, less one; what overlaps is counted once.",
    ),
    word(
        "collapse",
        "collapse",
        "thinnest place over its thickness at rest, near 1 is better",
        "The smallest, over the vertices, of the distance to the bone that a vertex lies along, over the same distance at \
         rest. 0 is a limb pinched to a point, 1 is a limb that kept its thickness.",
    ),
    word(
        "bulge",
        "bulge",
        "thickest place over its thickness at rest, near 1 is better",
        "The largest, over the vertices, of the distance to the skeleton over the same distance at rest. 1.5 is skin half \
         as far out again as it was.",
    ),
    word(
        "stretch_p1",
        "stretch p1",
        "shortest 1 % of edges, near 1 is better",
        "Length over length at rest that one edge in a hundred does not reach. 0.1 is skin squeezed to a tenth.",
    ),
    word(
        "stretch_p99",
        "stretch p99",
        "longest 1 % of edges, near 1 is better",
        "Length over length at rest that one edge in a hundred exceeds. 2 is skin drawn out to twice its length.",
    ),
    word(
        "stretch_max",
        "stretch max",
        "longest edge of all, near 1 is better",
        "The largest length over length at rest of any edge.",
    ),
    word(
        "flipped",
        "flipped",
        "triangles that face inwards, less is better",
        "The share of triangles that face against the way in which the joint that owns them would turn them. Where a \
         method with volumes is compared, against every limb that is the surface there, less the same at rest.",
    ),
    word(
        "detail",
        "detail lost",
        "change of small shapes away from joints, less is better",
        "How much veins, wrinkles and other small shapes change away from the joints, where nothing should change them, \
         over their size at rest.",
    ),
    word(
        "withering",
        "withering",
        "thinnest section over that of the start, 0.9 at least is sound",
        "The area of a section across a limb that touches nothing, over what the method's start, or rest, has there: the \
         smallest of all sections. A limb that withers cannot overlap, and yet looks wrong. The start of most methods is taken to be \
         dual quaternions.",
    ),
    word(
        "gape",
        "gape",
        "skin across a gap that was none, 0 is sound",
        "The area of skin that looks across a gap, of up to half a radius, to other skin which it touched or overlapped in the start; \
         over the square of the radius.",
    ),
    word(
        "tear",
        "tear",
        "stretch beside creases over that of the start, 1.5 at most is sound",
        "Where skin touches other skin: the largest length over length at rest of an edge within half a radius, over the largest \
         that the start has there.",
    ),
    word(
        "coverage",
        "coverage",
        "spacing of the points, near 1 is better",
        "Point sets: the 95th percentile of the distance to the nearest other point, over the same at rest.",
    ),
    word(
        "growth",
        "growth",
        "neighbours drawn apart, near 1 is better",
        "Point sets: the distance of neighbours over that at rest which one pair in a thousand exceeds.",
    ),
    word(
        "crack",
        "crack",
        "neighbours torn apart, less is better",
        "Point sets: the share of neighbours that are more than three times as far apart as at rest.",
    ),
    word(
        "rest_error",
        "rest error",
        "rest pose off its points, 1e-5 at most is sound",
        "The farthest that the rest pose is from the rest points, over the diagonal of the character.",
    ),
    word(
        "rigid_error",
        "rigid error",
        "rigid motion not followed, 1e-5 at most is sound",
        "All joints are moved by one rigid motion: the farthest that a point is from the same motion of its rest, over \
         the diagonal of the character.",
    ),
    word(
        "frame_ms",
        "time of a frame",
        "milliseconds on this machine, less is better",
        "The median time in which all points of the pose are moved, over about a twentieth of a second and at least three \
         runs. Reading, preparing, drawing and measuring are not in it.",
    ),
];
