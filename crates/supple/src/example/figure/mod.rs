//! A standing person in metres: y up, facing z, arms out to the sides, eight heads tall.

mod body;
mod bones;
mod clips;
mod relief;

use super::{
    ExampleError, assemble, check_count, finished,
    march::{Grid, planes},
    remesh, skin,
};
use crate::rig::Rig;

/// What figure to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FigureOptions {
    /// How many vertices.
    pub vertices: usize,
    /// How many joints. From 55 on both hands have jointed fingers; other counts cut limbs into twist segments.
    pub bones: usize,
}

impl Default for FigureOptions {
    fn default() -> Self {
        Self { vertices: 31_750, bones: bones::LEAST }
    }
}

/// A figure: hips, spine, head, arms and legs, hinges on elbows, knees and fingers; clips `walk` (loops) and `crouch`.
pub fn figure(options: &FigureOptions) -> Result<Rig, ExampleError> {
    check_count(options.vertices)?;
    let (least, most) = (bones::LEAST, bones::MOST);
    if !(least..=most).contains(&options.bones) {
        return Err(ExampleError::Bones { who: "figure", asked: options.bones, least, most });
    }
    let limbs = bones::limbs(options.bones);
    let shape = body::shape(options.vertices);
    let (low, high) = shape.bounds();
    // Fingers, toes and face are thin: the planes through them lie closer.
    let fine = if body::has_fingers(options.vertices) { 0.0042 } else { 0.009 };
    let (hand_l, hand_r) = ((0.77, 0.95, fine), (-0.95, -0.77, fine));
    let grid = Grid {
        planes: [
            planes(low.x, high.x, 0.018, &[hand_l, hand_r, (-0.2, 0.2, 0.009)]),
            planes(low.y, high.y, 0.018, &[(low.y, 0.05, 0.009), (1.41, 1.47, fine), (1.56, 1.8, 0.009)]),
            planes(low.z, high.z, 0.018, &[(-0.085, 0.115, fine), (0.1, 0.2, 0.009)]),
        ],
    };
    let surface = remesh::mesh(&shape, &grid, options.vertices, 0.6);
    let mesh = finished(surface, &shape, relief::height);
    let mut rig = assemble("figure", mesh, &limbs, skin::BAND);
    rig.clips = vec![clips::walk(&rig), clips::crouch(&rig)];
    Ok(rig)
}
