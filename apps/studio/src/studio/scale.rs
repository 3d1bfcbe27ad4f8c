//! The scales of the views that colour skin by a quantity: from a number to a colour, and the legend that says so. One
//! place for both, so that a legend cannot lie.

use super::Studio;
use crate::model::SkinView;
use glam::Vec3;
use supple_render::{ColorMap, scene::CLAY};

/// A scale from its low to its high end.
pub struct Legend {
    /// What is shown.
    pub title: String,
    /// Words from the low end to the high one, evenly apart.
    pub marks: &'static [&'static str],
    /// The linear colour at a share of the way.
    pub color: fn(f32) -> Vec3,
}

/// A pressure of this and more is the high end: what the middle of a clenched fist has.
const HARD: f32 = 0.25;

/// Of a vertex that is spread over so many joints.
pub fn shared(joints: f32) -> Vec3 {
    ColorMap::Amount.color(0.5 * (joints - 1.0))
}

/// Of edges that are so many times as long as at rest: grey where they are as long, half and twice at the ends.
pub fn stretch(times: f32) -> Vec3 {
    ColorMap::Diverging.color(0.5 + 0.5 * times.max(1e-6).log2().clamp(-1.0, 1.0))
}

/// Clay where nothing touches, red where it does, brighter the harder.
pub fn pressure(pressure: f32) -> Vec3 {
    if pressure <= 0.0 {
        return CLAY;
    }
    let share = (pressure / HARD).clamp(0.0, 1.0);
    Vec3::new(0.55, 0.04, 0.03).lerp(Vec3::new(1.0, 0.55, 0.05), share)
}

impl Studio {
    /// The legend of the view that is shown; none where colours are no quantity.
    pub fn legend(&self) -> Option<Legend> {
        let document = self.open.document.as_ref()?;
        let rig = document.rig();
        let name = self.open.selected.and_then(|j| rig.skeleton.joints().get(j)).map(|j| &j.name);
        let legend = |title: &str, marks, color| Legend { title: title.to_owned(), marks, color };
        Some(match self.sight.view {
            SkinView::Weights if rig.weights.is_some() => Legend {
                title: format!("weight of {}", name?),
                marks: &["0", "0.5", "1"],
                color: |share| ColorMap::Amount.color(share),
            },
            SkinView::SharedWeights if rig.weights.is_some() => {
                let marks = &["one joint", "two alike", "three or more"];
                legend("shared weights", marks, |share| shared(1.0 + 2.0 * share))
            }
            SkinView::Stretch if !rig.mesh.triangles.is_empty() => {
                let marks = &["half as long", "as at rest", "twice as long"];
                legend("edges of the skin", marks, |share| stretch((2.0 * share - 1.0).exp2()))
            }
            SkinView::Contact => legend("contact pressure", &["none", "0", "0.25 and more"], |share| {
                pressure((share - 0.5) * 2.0 * HARD)
            }),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skin_that_is_as_long_as_at_rest_is_grey_and_a_little_more_is_hardly_anything_else() {
        for times in [1.0, 0.999, 1.001, 0.98, 1.02] {
            let [r, g, b] = stretch(times).to_array().map(supple_render::color::encode);
            let spread = r.max(g).max(b) - r.min(g).min(b);
            assert!(spread < 12, "{times}: {r} {g} {b}");
        }
        assert_ne!(stretch(0.5), stretch(2.0));
    }
}
