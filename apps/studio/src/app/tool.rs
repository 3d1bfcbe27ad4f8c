//! What a panel does with the mouse in the first view, in place of turning bones.

use super::Words;
use crate::{
    studio::Studio,
    viewport::{Spot, pick},
};
use glam::Vec2;
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
    /// What of the skin lies there, as it is shown, where the tool [asks](Tool::asks_skin) for it.
    pub skin: Option<&'a Spot>,
}

/// Something that is done in the view.
pub trait Tool {
    /// Whether it must know what lies under the mouse before it takes what the mouse does, and how far round it, in units
    /// of the world.
    fn asks_skin(&self, phase: Phase, studio: &Studio) -> Option<f32>;

    /// Takes what the mouse does; false leaves it to the view.
    fn touch(&mut self, touch: &Touch<'_>, studio: &mut Studio, words: &mut Words) -> bool;

    /// Draws its mark where the mouse is, in every frame.
    fn mark(&self, _: &mut Studio) {}
}

impl Touch<'_> {
    /// Through the mouse.
    pub fn ray(&self) -> pick::Ray {
        pick::Ray::through(self.camera, self.size, self.at)
    }
}
