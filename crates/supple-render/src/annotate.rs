//! Words on pictures. They are drawn into the finished pixels, whoever made those.

use crate::{Picture, Scene, View, color::ColorMap, font, section};
use glam::{Vec2, Vec3};

/// A line of text.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// ASCII and the degree sign; accents are left out, and anything else becomes a box.
    pub text: String,
    /// Where it stands.
    pub at: Anchor,
    /// Height of the letters in pixels; less where the line would be wider than the picture.
    pub size: f32,
}

/// Where a label stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Anchor {
    /// Centred at the top of the picture.
    Top,
    /// Centred at the bottom.
    Bottom,
    /// Centred at a place of the picture, as parts of its width and height from the top left corner, with a line from
    /// there to a place in the world.
    Callout {
        /// The middle of the text.
        text: [f32; 2],
        /// What it is about.
        target: Vec3,
    },
}

/// A line through the world, drawn over everything.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Its corners.
    pub points: Vec<Vec3>,
    /// In pixels.
    pub width: f32,
    /// In dashes of so many pixels; 0 is unbroken.
    pub dash: f32,
    /// Linear RGB; none is the colour of words.
    pub color: Option<Vec3>,
}

/// What the colours of a quantity mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Legend {
    /// What is measured.
    pub title: String,
    /// Its colours.
    pub entries: Entries,
}

/// The colours of a legend.
#[derive(Clone, Debug, PartialEq)]
pub enum Entries {
    /// A bar.
    Scale {
        /// From number to colour.
        map: ColorMap,
        /// Words at the low end, the middle and the high end.
        ends: [String; 3],
    },
    /// A name for each colour.
    Names(Vec<(String, Vec3)>),
}

/// The most names a legend lists.
const MOST_NAMES: usize = 24;

/// The most of a picture's width that a legend takes; longer words are cut.
const WIDEST: f32 = 0.45;

impl Label {
    /// Letters of the text that can only be drawn as boxes.
    pub fn unknown_letters(&self) -> String {
        self.text.chars().filter(|&letter| !font::knows(letter)).collect()
    }
}

impl Legend {
    /// Pixels from the left side of a picture of this width and height that the legend takes.
    pub fn width(&self, [width, height]: [u32; 2]) -> f32 {
        let size = letter_size(height);
        let words: Vec<&str> = match &self.entries {
            Entries::Scale { ends, .. } => ends.iter().map(String::as_str).collect(),
            Entries::Names(names) => names.iter().take(MOST_NAMES).map(|(name, _)| name.as_str()).collect(),
        };
        let widest = words.iter().map(|word| Picture::text_width(word, size * 0.9)).fold(0.0, f32::max);
        let title = Picture::text_width(&self.title, size) + size * 1.2;
        (widest + size * 3.0).max(title).min(WIDEST * width as f32)
    }
}

fn letter_size(height: u32) -> f32 {
    (height as f32 / 48.0).clamp(9.0, 22.0)
}

/// A word cut to fit into so many pixels.
fn fitting(word: &str, size: f32, width: f32) -> String {
    if Picture::text_width(word, size) <= width {
        return word.to_owned();
    }
    // A letter is four dots wide on average; no word of a hostile file is measured more often than it can be seen.
    let mut kept: Vec<char> = word.chars().take((width / size * 4.0) as usize + 1).collect();
    while kept.pop().is_some() {
        let cut = format!("{}..", kept.iter().collect::<String>());
        if Picture::text_width(&cut, size) <= width {
            return cut;
        }
    }
    String::new()
}

/// Draws the paths, labels and legends of a scene over a finished picture of the view's size.
pub fn words(scene: &Scene, view: &View, picture: &mut Picture) {
    let scene = Scene { surfaces: Vec::new(), ..scene.clone() };
    draw(&scene, view, &mut picture.pixels);
}

pub(crate) fn draw(scene: &Scene, view: &View, pixels: &mut Vec<[u8; 4]>) {
    if scene.labels.is_empty() && scene.legends.is_empty() && scene.paths.is_empty() && view.section.is_none() {
        return;
    }
    let [width, height] = view.size;
    let mut picture = Picture { width, height, pixels: std::mem::take(pixels) };
    let ink = view.background.ink();
    section::draw(scene, view, &mut picture);
    for path in &scene.paths {
        draw_path(path, view, &mut picture, path.color.unwrap_or(ink));
    }
    for label in &scene.labels {
        draw_label(label, view, &mut picture, ink);
    }
    let mut top = 0.05 * height as f32;
    for legend in &scene.legends {
        top = draw_legend(legend, &mut picture, top, ink);
    }
    *pixels = picture.pixels;
}

fn draw_path(path: &Path, view: &View, picture: &mut Picture, ink: Vec3) {
    let corners: Vec<Vec2> = path.points.iter().filter_map(|&p| view.camera.pixel(p, view.size)).collect();
    let mut gone = 0.0;
    for ends in corners.windows(2) {
        let (a, along) = (ends[0], ends[1] - ends[0]);
        let length = along.length();
        // A step for each pixel at most: a path may leave the picture, but not take for ever.
        let steps = length.clamp(1.0, 16384.0) as u32;
        for i in 0..steps {
            let (from, to) = (i as f32 / steps as f32, (i + 1) as f32 / steps as f32);
            let drawn = path.dash <= 0.0 || ((gone + from * length) / path.dash) % 2.0 < 1.0;
            if drawn {
                picture.line(a + along * from, a + along * to, path.width, ink);
            }
        }
        gone += length;
    }
}

fn draw_label(label: &Label, view: &View, picture: &mut Picture, ink: Vec3) {
    let [width, height] = view.size.map(|s| s as f32);
    let fitting = 0.88 * width / Picture::text_width(&label.text, 1.0).max(1.0);
    let size = label.size.min(fitting);
    let half = Picture::text_width(&label.text, size) * 0.5;
    let middle = match label.at {
        Anchor::Top => Vec2::new(width * 0.5, size * 1.9),
        Anchor::Bottom => Vec2::new(width * 0.5, height - size * 0.9),
        Anchor::Callout { text, .. } => Vec2::new(text[0] * width, text[1] * height),
    };
    // Beside the edge a callout moves inwards as a whole, rather than being cut.
    let margin = half + size * 0.6;
    let middle = Vec2::new(middle.x.clamp(margin.min(width * 0.5), (width - margin).max(width * 0.5)), middle.y);
    let middle = Vec2::new(middle.x, middle.y.min(height - size * 0.4).max(size * 1.4));
    if let Anchor::Callout { target, .. } = label.at
        && let Some(end) = view.camera.pixel(target, view.size)
    {
        // The line starts at the edge of the text that is nearer.
        let foot = middle - Vec2::new(0.0, size * 0.5);
        let away = end - foot;
        let reach = (half + size * 0.5) / away.x.abs().max(1e-3);
        let rise = size * 1.1 / away.y.abs().max(1e-3);
        let start = foot + away * reach.min(rise).min(1.0);
        let thick = (size * 0.13).max(1.4);
        picture.line(start, end, thick, ink);
        let back = (start - end).normalize_or_zero() * size * 0.6;
        for turn in [0.45_f32, -0.45] {
            picture.line(end, end + Vec2::from_angle(turn).rotate(back), thick, ink);
        }
    }
    picture.text(&label.text, middle - Vec2::new(half, 0.0), size, ink);
}

/// Draws at the left side from `top` on, and returns where it ends.
fn draw_legend(legend: &Legend, picture: &mut Picture, top: f32, ink: Vec3) -> f32 {
    let size = letter_size(picture.height);
    let left = size * 1.2;
    picture.text(&legend.title, Vec2::new(left, top + size), size, ink);
    let mut y = top + size * 2.0;
    let room = WIDEST * picture.width as f32 - size * 3.0;
    let swatch = |picture: &mut Picture, y: f32, high: f32, color: Vec3| {
        let x = [left as u32, (left + size * 1.2) as u32];
        picture.fill(x, [y as u32, (y + high).ceil() as u32], color);
    };
    match &legend.entries {
        Entries::Scale { map, ends } => {
            let high = size * 9.0;
            for row in 0..high as u32 {
                swatch(picture, y + row as f32, 1.0, map.color(1.0 - row as f32 / high));
            }
            for (i, word) in ends.iter().enumerate() {
                let foot = y + high * (1.0 - i as f32 * 0.5) + size * (0.5 - 0.5 * (1.0 - i as f32));
                picture.text(word, Vec2::new(left + size * 1.8, foot.max(y + size)), size * 0.9, ink);
            }
            y += high;
        }
        Entries::Names(names) => {
            // Where the picture is too low for all names, the last line is kept for their number.
            let lines = ((picture.height as f32 - y) / (size * 1.5)).max(1.0) as usize;
            let shown = if names.len() <= lines.min(MOST_NAMES) { names.len() } else { MOST_NAMES.min(lines - 1) };
            for (name, color) in names.iter().take(shown) {
                swatch(picture, y, size, *color);
                let name = fitting(name, size * 0.9, room);
                picture.text(&name, Vec2::new(left + size * 1.8, y + size * 0.95), size * 0.9, ink);
                y += size * 1.5;
            }
            if names.len() > shown {
                let more = format!("and {} more", names.len() - shown);
                picture.text(&more, Vec2::new(left, y + size * 0.95), size * 0.9, ink);
                y += size * 1.5;
            }
        }
    }
    y + size
}
