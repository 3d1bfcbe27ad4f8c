use crate::{color, font};
use glam::{Vec2, Vec3};
use image::{ExtendedColorType, ImageEncoder, codecs::png};
use std::{io, path::Path};
use supple::write;

/// A finished picture: sRGB with alpha, rows from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Row after row.
    pub pixels: Vec<[u8; 4]>,
}

impl Picture {
    /// All of one linear colour.
    pub fn new(width: u32, height: u32, color: Vec3) -> Self {
        Self { width, height, pixels: vec![color::pixel(color); width as usize * height as usize] }
    }

    /// Lays another picture over this one, its top left corner at (x, y); what does not fit is left out.
    pub fn place(&mut self, other: &Self, x: u32, y: u32) {
        let columns = other.width.min(self.width.saturating_sub(x)) as usize;
        for row in 0..other.height.min(self.height.saturating_sub(y)) {
            let (to, from) = (((y + row) * self.width + x) as usize, (row * other.width) as usize);
            self.pixels[to..to + columns].copy_from_slice(&other.pixels[from..from + columns]);
        }
    }

    /// Writes a text whose letters are `size` pixels high, its line starting at `at` (the left end of the foot line).
    pub fn text(&mut self, text: &str, at: Vec2, size: f32, color: Vec3) {
        let (strokes, _) = font::strokes(text);
        let unit = size / font::ASCENT;
        let origin = at - Vec2::new(0.0, (font::ASCENT - 1.0) * unit);
        for [a, b] in strokes {
            self.line(origin + a * unit, origin + b * unit, (unit * 0.95).max(1.1), color);
        }
    }

    /// The width of a text in pixels.
    pub fn text_width(text: &str, size: f32) -> f32 {
        font::strokes(text).1 * size / font::ASCENT
    }

    /// Draws a line with round ends.
    pub fn line(&mut self, a: Vec2, b: Vec2, width: f32, color: Vec3) {
        let (low, high) = (a.min(b) - width, a.max(b) + width);
        let clamp = |v: f32, most: u32| v.clamp(0.0, most as f32) as u32;
        let along = b - a;
        for y in clamp(low.y, self.height)..clamp(high.y + 1.0, self.height) {
            for x in clamp(low.x, self.width)..clamp(high.x + 1.0, self.width) {
                let p = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                let part = ((p - a).dot(along) / along.length_squared().max(1e-9)).clamp(0.0, 1.0);
                let covered = (width * 0.5 + 0.5 - p.distance(a + along * part)).clamp(0.0, 1.0);
                if covered > 0.0 {
                    self.blend(x, y, color, covered);
                }
            }
        }
    }

    /// Draws a disc; `share` 1 hides what was there.
    pub fn disc(&mut self, at: Vec2, radius: f32, color: Vec3, share: f32) {
        let (low, high) = (at - radius - 1.0, at + radius + 1.0);
        let clamp = |v: f32, most: u32| v.clamp(0.0, most as f32) as u32;
        for y in clamp(low.y, self.height)..clamp(high.y + 1.0, self.height) {
            for x in clamp(low.x, self.width)..clamp(high.x + 1.0, self.width) {
                let p = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                let covered = (radius + 0.5 - p.distance(at)).clamp(0.0, 1.0);
                if covered > 0.0 {
                    self.blend(x, y, color, covered * share);
                }
            }
        }
    }

    /// Fills a box of pixels.
    pub fn fill(&mut self, x: [u32; 2], y: [u32; 2], color: Vec3) {
        for row in y[0]..y[1].min(self.height) {
            for column in x[0]..x[1].min(self.width) {
                self.pixels[(row * self.width + column) as usize] = color::pixel(color);
            }
        }
    }

    fn blend(&mut self, x: u32, y: u32, color: Vec3, covered: f32) {
        let pixel = &mut self.pixels[(y * self.width + x) as usize];
        let below = Vec3::new(color::decode(pixel[0]), color::decode(pixel[1]), color::decode(pixel[2]));
        *pixel = color::pixel(below.lerp(color, covered));
    }

    /// Writes a PNG under a temporary name that is renamed at the end.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), write::Error> {
        let path = path.as_ref();
        write::refuse_folder(path)?;
        if !path.extension().is_some_and(|e| e.eq_ignore_ascii_case("png")) {
            let ending =
                path.extension().map_or("a name with no ending".to_owned(), |e| format!("\".{}\"", e.display()));
            return Err(write::Error::UnknownEnding { ending, known: "png" });
        }
        write::file(path, |out| Ok(out.write_all(&self.to_png()?)?))
    }

    /// The bytes of a PNG; without alpha, because nothing here is transparent.
    pub fn to_png(&self) -> io::Result<Vec<u8>> {
        let bytes: Vec<u8> = self.pixels.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
        let mut out = Vec::new();
        let encoder =
            png::PngEncoder::new_with_quality(&mut out, png::CompressionType::Best, png::FilterType::Adaptive);
        let written = encoder.write_image(&bytes, self.width, self.height, ExtendedColorType::Rgb8);
        written.map_err(io::Error::other)?;
        Ok(out)
    }
}
