//! What a panel does with the mouse in the first view, in place of turning bones.

use super::Words;
use crate::{studio::Studio, viewport::pick};
use glam::{Vec2, Vec3};
use std::sync::Arc;
use supple::pose::Motion;
use supple_render::Camera;

/// What the mouse does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It is over the view.
    Hover,
    /// It is elsewhere.
    Leave,
    /// A drag begins here.
    Press,
    /// It goes on.
    Drag,
    /// It ends.
    Release,
    /// Pressed and let go in one place.
    Click,
    /// Twice.
    DoubleClick,
}

/// The mouse in the view.
pub struct Touch<'a> {
    pub phase: Phase,
    /// In points from the top left corner.
    pub at: Vec2,
    /// Of the view, in points.
    pub size: [u32; 2],
    pub alt: bool,
    pub camera: &'a Camera,
    pub motion: &'a Motion,
}

/// Something that is done in the view.
pub trait Tool {
    /// Takes what the mouse does; false leaves it to the view.
    fn touch(&mut self, touch: &Touch<'_>, studio: &mut Studio, words: &mut Words) -> bool;
}

impl Touch<'_> {
    /// Through the mouse.
    pub fn ray(&self) -> pick::Ray {
        pick::Ray::through(self.camera, self.size, self.at)
    }

    /// Where it meets the skin as it is shown.
    pub fn skin(&self, studio: &Studio) -> Option<(pick::Hit, Arc<Vec<Vec3>>)> {
        let ready = studio.stages[0].bound()?;
        let (_, points) = ready.host()?;
        let hit = pick::triangle(&self.ray(), &points, &ready.rig.mesh.triangles)?;
        Some((hit, points))
    }
}
