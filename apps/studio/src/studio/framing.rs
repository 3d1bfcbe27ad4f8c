//! Where the skin is looked at from, as long as nobody has looked from elsewhere.

use super::{Studio, stage};
use crate::viewport::orbit::Orbit;
use glam::Vec3;
use supple::project::ViewPoint;

/// What was looked at last, to be looked at again when a pane is wider or narrower.
pub(super) struct Framed {
    points: Vec<Vec3>,
    aspect: f32,
    orbit: Orbit,
}

/// A pane that changes its shape by less is still framed well.
const NOTICEABLE: f32 = 0.02;

impl Studio {
    /// Stands where a project was last looked at from.
    pub(super) fn look_as(&mut self, view: &ViewPoint) {
        let reach = self.document.as_ref().map_or(1.0, |d| d.rig().diagonal() * 0.5);
        if let Some(orbit) = Orbit::from_view_point(view, reach) {
            (self.orbit, self.looked, self.framed) = (orbit, true, None);
        }
    }

    /// Looks at the selected joint's surroundings, or at everything.
    pub fn frame(&mut self) {
        let Some(document) = &self.document else { return };
        let rig = document.rig();
        let joints: Vec<_> = rig.skeleton.joints().iter().map(|j| j.rest_position().as_vec3()).collect();
        let all: Vec<_> = if rig.mesh.positions.is_empty() { joints.clone() } else { rig.mesh.positions.clone() };
        let points = match (self.selected, &rig.weights) {
            (Some(joint), Some(weights)) if self.looked => {
                let own: Vec<_> = (0..all.len()).filter(|&v| weights.dominant(v) == joint).map(|v| all[v]).collect();
                if own.len() > 2 { own } else { all }
            }
            _ => all,
        };
        // As it stands, where that is known; at first with room for what will be moved.
        let posed = self.stages[0].bound().and_then(stage::Ready::host).map(|(_, points)| points);
        let points = match posed.filter(|p| self.looked && self.selected.is_none() && p.len() == points.len()) {
            Some(posed) => posed.to_vec(),
            None => roomy(&points),
        };
        self.looked = true;
        self.look_at(points);
    }

    fn look_at(&mut self, points: Vec<Vec3>) {
        let aspect = if self.aspect > 0.0 { self.aspect } else { 1.0 };
        self.orbit.frame(&points, aspect);
        self.framed = Some(Framed { points, aspect, orbit: self.orbit });
    }

    /// Frames what is new, and again what was framed in a pane of another shape, unless somebody has moved the camera since.
    pub(super) fn keep_framed(&mut self) {
        // Before the first pane is laid out nobody knows how wide it is.
        if self.aspect <= 0.0 {
            return;
        }
        if !self.looked {
            return self.frame();
        }
        let aspect = self.aspect;
        let (orbit, is_other) = (self.orbit, |was: f32| (was / aspect - 1.0).abs() > NOTICEABLE);
        if let Some(framed) = self.framed.take_if(|f| f.orbit == orbit && is_other(f.aspect)) {
            self.look_at(framed.points);
        }
    }
}

/// Ends of a cross as wide as the points, and somewhat more: limbs will be lifted out of the box they rest in.
fn roomy(points: &[Vec3]) -> Vec<Vec3> {
    let bounds = supple::math::Bounds::of(points);
    let (center, radius) = (bounds.center(), bounds.diagonal() * 0.42);
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    axes.iter().flat_map(|axis| [center + *axis * radius, center - *axis * radius]).collect()
}
