//! Where the skin is looked at from, as long as nobody has looked from elsewhere.

use super::Studio;
use crate::viewport::orbit::Orbit;
use glam::Vec3;
use supple::{math::Bounds, pose::Motion, project::ViewPoint, rig::Rig};

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
        let reach = self.open.document.as_ref().map_or(1.0, |d| d.rig().diagonal() * 0.5);
        if let Some(orbit) = Orbit::from_view_point(view, reach) {
            (self.sight.orbit, self.sight.looked, self.sight.framed) = (orbit, true, None);
        }
    }

    /// Looks at the selected joint's surroundings, or at everything, as it stands in this moment.
    pub fn frame(&mut self) {
        let Some(motion) = self.motion() else { return };
        let Some(document) = &self.open.document else { return };
        let rig = document.rig();
        let mut points = match self.open.selected.filter(|_| self.sight.looked) {
            Some(joint) => around(rig, &motion, joint),
            None => standing(rig, &motion),
        };
        if !self.sight.looked {
            points.extend(room(&points));
        }
        self.sight.looked = true;
        self.look_at(points);
    }

    fn look_at(&mut self, points: Vec<Vec3>) {
        let aspect = if self.sight.aspect > 0.0 { self.sight.aspect } else { 1.0 };
        self.sight.orbit.frame(&points, aspect);
        self.sight.framed = Some(Framed { points, aspect, orbit: self.sight.orbit });
    }

    /// Frames what is new, and again what was framed in a pane of another shape, unless somebody has moved the camera since.
    pub(super) fn keep_framed(&mut self) {
        // Before the first pane is laid out nobody knows how wide it is.
        if self.sight.aspect <= 0.0 {
            return;
        }
        if !self.sight.looked {
            return self.frame();
        }
        let aspect = self.sight.aspect;
        let (orbit, is_other) = (self.sight.orbit, |was: f32| (was / aspect - 1.0).abs() > NOTICEABLE);
        if let Some(framed) = self.sight.framed.take_if(|f| f.orbit == orbit && is_other(f.aspect)) {
            self.look_at(framed.points);
        }
    }
}

/// Where everything is, each point carried by the joint that owns most of it: near enough to be looked at, and known
/// before a method has moved the skin.
fn standing(rig: &Rig, motion: &Motion) -> Vec<Vec3> {
    let joints = (0..rig.skeleton.len()).map(|joint| place_of(rig, motion, joint));
    match &rig.weights {
        _ if rig.mesh.positions.is_empty() => joints.collect(),
        None => rig.mesh.positions.clone(),
        Some(weights) => (0..rig.mesh.positions.len()).map(|v| carried(rig, motion, v, weights.dominant(v))).collect(),
    }
}

/// Where the skin of a joint is; where it has none, where the joint and its children are.
fn around(rig: &Rig, motion: &Motion, joint: usize) -> Vec<Vec3> {
    let owns = |v: &usize| rig.weights.as_ref().is_some_and(|w| w.dominant(*v) == joint);
    let own: Vec<_> = (0..rig.mesh.positions.len()).filter(owns).map(|v| carried(rig, motion, v, joint)).collect();
    if own.len() > 2 {
        return own;
    }
    let near = rig.skeleton.children(joint).chain(rig.skeleton.joints()[joint].parent).chain([joint]);
    let near: Vec<_> = near.map(|j| place_of(rig, motion, j)).collect();
    if Bounds::of(&near).diagonal() > 0.0 { near } else { standing(rig, motion) }
}

fn carried(rig: &Rig, motion: &Motion, vertex: usize, joint: usize) -> Vec3 {
    let rest = rig.mesh.positions[vertex];
    motion.exact.get(joint).map_or(rest, |by| by.transform_point3(rest.as_dvec3()).as_vec3())
}

fn place_of(rig: &Rig, motion: &Motion, joint: usize) -> Vec3 {
    motion.exact[joint].transform_point3(rig.skeleton.joints()[joint].rest_position()).as_vec3()
}

/// Ends of a cross about as wide as the points: limbs will be lifted out of the box they rest in.
fn room(points: &[Vec3]) -> Vec<Vec3> {
    let bounds = Bounds::of(points);
    let (center, radius) = (bounds.center(), bounds.diagonal() * 0.42);
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    axes.iter().flat_map(|axis| [center + *axis * radius, center - *axis * radius]).collect()
}
