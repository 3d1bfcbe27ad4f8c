//! What the window draws into and over the scene, given anew every frame. Colours are linear RGB with alpha.

use super::{
    Image,
    params::{BUTT, Item, LIT, THROUGH},
};
use glam::{Vec3, Vec4};
use std::{f32::consts::TAU, ops::Range};

/// Whether the skin hides it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layer {
    /// Hidden by what lies before it.
    #[default]
    Scene,
    /// Over everything.
    Over,
    /// Over everything, paler where something lies before it.
    Through,
}

/// What is drawn beside the skins. Empty lists cost nothing.
#[derive(Clone, Debug, Default)]
pub struct Overlay {
    bones: Vec<Item>,
    faces: Vec<(Layer, Item)>,
    lines: Vec<(Layer, Item)>,
    spots: Vec<(Layer, Item)>,
    sheets: Vec<(Layer, Image, [Item; 4])>,
}

/// A kind as shaders read it.
fn bits(bits: u32) -> f32 {
    bits as f32
}

fn kind(layer: Layer) -> u32 {
    if layer == Layer::Through { THROUGH } else { 0 }
}

impl Overlay {
    /// Leaves nothing, and keeps the memory.
    pub fn clear(&mut self) {
        self.bones.clear();
        self.faces.clear();
        self.lines.clear();
        self.spots.clear();
        self.sheets.clear();
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.bones.is_empty()
            && self.faces.is_empty()
            && self.lines.is_empty()
            && self.spots.is_empty()
            && self.sheets.is_empty()
    }

    /// The same for a picture with so many times the pixels along a side: lines and spots are measured in them.
    pub fn widened(mut self, by: f32) -> Self {
        self.lines.iter_mut().chain(&mut self.spots).for_each(|(_, item)| item.a.w *= by);
        self
    }

    /// A bone as two pyramids base to base, shaded, over the skin and paler inside it.
    pub fn bone(&mut self, head: Vec3, tail: Vec3, color: Vec3) {
        let along = tail - head;
        if !(head.is_finite() && tail.is_finite()) || along.length_squared() == 0.0 {
            return;
        }
        let (x, y) = along.normalize_or(Vec3::Y).any_orthonormal_pair();
        let (middle, width) = (head + along * 0.12, along.length() * 0.075);
        let sides = [x, y, -x, -y].map(|side| middle + side * width);
        for i in 0..4 {
            let (a, b) = (sides[i], sides[(i + 1) % 4]);
            for corners in [[head, b, a], [tail, a, b]] {
                let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or(Vec3::Y);
                let corner = |p: Vec3| Item {
                    a: p.extend(bits(THROUGH | LIT)),
                    b: normal.extend(0.0),
                    color: color.extend(0.95),
                };
                self.bones.extend(corners.map(corner));
            }
        }
    }

    /// A line with round ends, so many pixels wide.
    pub fn line(&mut self, ends: [Vec3; 2], color: Vec4, width: f32, layer: Layer) {
        self.stroke(ends, color, width, layer, 0);
    }

    /// A line through points, from the last to the first too where it is closed.
    pub fn strip(&mut self, points: &[Vec3], is_closed: bool, color: Vec4, width: f32, layer: Layer) {
        // Round ends would lie over each other, and show where the line is translucent.
        points.windows(2).for_each(|w| self.stroke([w[0], w[1]], color, width, layer, BUTT));
        if let ([first, _, .., last], true) = (points, is_closed) {
            self.stroke([*last, *first], color, width, layer, BUTT);
        }
    }

    /// A circle round an axis.
    pub fn ring(&mut self, center: Vec3, axis: Vec3, radius: f32, color: Vec4, width: f32, layer: Layer) {
        let (x, y) = axis.normalize_or(Vec3::Y).any_orthonormal_pair();
        let point = |i: i32| {
            let (sin, cos) = (i as f32 / 96.0 * TAU).sin_cos();
            center + (x * cos + y * sin) * radius
        };
        let points: Vec<Vec3> = (0..96).map(point).collect();
        self.strip(&points, true, color, width, layer);
    }

    fn stroke(&mut self, [a, b]: [Vec3; 2], color: Vec4, width: f32, layer: Layer, ends: u32) {
        if a.is_finite() && b.is_finite() {
            self.lines.push((layer, Item { a: a.extend(width), b: b.extend(bits(kind(layer) | ends)), color }));
        }
    }

    /// A disc that faces the camera, so many pixels wide.
    pub fn spot(&mut self, at: Vec3, color: Vec4, size: f32, layer: Layer) {
        if at.is_finite() {
            self.spots.push((layer, Item { a: at.extend(size), b: Vec3::ZERO.extend(bits(kind(layer))), color }));
        }
    }

    /// A triangle of one colour, unshaded, seen from both sides.
    pub fn face(&mut self, corners: [Vec3; 3], color: Vec4, layer: Layer) {
        if corners.iter().all(|c| c.is_finite()) {
            let corner = |p: Vec3| Item { a: p.extend(bits(kind(layer))), b: Vec4::ZERO, color };
            self.faces.extend(corners.map(|p| (layer, corner(p))));
        }
    }

    /// A picture on a quadrangle; corners are those of the picture: top left, top right, bottom left, bottom right.
    pub fn sheet(&mut self, image: &Image, corners: [Vec3; 4], opacity: f32, layer: Layer) {
        let corner = |i: usize| {
            let place = Vec4::new((i & 1) as f32, (i >> 1) as f32, opacity, 0.0);
            Item { a: corners[i].extend(bits(kind(layer))), b: place, color: Vec4::ONE }
        };
        if corners.iter().all(|c| c.is_finite()) {
            self.sheets.push((layer, image.clone(), [0, 1, 2, 3].map(corner)));
        }
    }
}

/// Where in the list of items each kind lies.
#[derive(Clone, Debug, Default)]
pub(super) struct Runs {
    pub bones: Range<u32>,
    pub faces: [Range<u32>; 2],
    pub lines: [Range<u32>; 2],
    pub spots: [Range<u32>; 2],
    pub sheets: [Vec<(Image, u32)>; 2],
}

impl Runs {
    /// One list of everything, in the scene and over it.
    pub fn of(overlay: &Overlay) -> (Vec<Item>, Self) {
        let mut items = overlay.bones.clone();
        let mut runs = Self { bones: 0..items.len() as u32, ..Self::default() };
        for (which, is_over) in [false, true].into_iter().enumerate() {
            let belongs = |layer: &Layer| (*layer != Layer::Scene) == is_over;
            for (list, run) in [
                (&overlay.faces, &mut runs.faces[which]),
                (&overlay.lines, &mut runs.lines[which]),
                (&overlay.spots, &mut runs.spots[which]),
            ] {
                let first = items.len() as u32;
                items.extend(list.iter().filter(|i| belongs(&i.0)).map(|i| i.1));
                *run = first..items.len() as u32;
            }
            for (_, image, corners) in overlay.sheets.iter().filter(|s| belongs(&s.0)) {
                runs.sheets[which].push((image.clone(), items.len() as u32));
                items.extend(corners);
            }
        }
        (items, runs)
    }

    /// All of them but the sheets, which are known by their pictures.
    pub fn ranges(&self) -> [Range<u32>; 7] {
        let [faces, lines, spots] = [&self.faces, &self.lines, &self.spots];
        [&self.bones, &faces[0], &faces[1], &lines[0], &lines[1], &spots[0], &spots[1]].map(Range::clone)
    }

    /// Whether anything lies over the scene.
    pub fn has_over(&self) -> bool {
        let any = |run: &Range<u32>| !run.is_empty();
        any(&self.bones)
            || any(&self.faces[1])
            || any(&self.lines[1])
            || any(&self.spots[1])
            || !self.sheets[1].is_empty()
    }
}
