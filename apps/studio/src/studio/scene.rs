//! What is drawn: colours of the skin by the view that is chosen, bones, rings, and what panels add.

use super::{Studio, scale, stage::Moment};
use crate::{
    model::SkinView,
    viewport::{Layer, Look, Overlay, Style},
};
use glam::{Vec3, Vec4};
use std::sync::Arc;
use supple::{
    pose::{Motion, Pose},
    rig::{Bone, Rig},
};
use supple_render::{Background, Paint, character, color};

/// What panels add to the scene, and take back by not adding it again.
#[derive(Default)]
pub struct Extras {
    /// Drawn over the skin of the first pane.
    pub overlay: Overlay,
    /// A colour for each joint's bone, where a panel has something to say about them.
    pub joint_colors: Option<Vec<Vec3>>,
    /// Show the rest pose: joints are being moved.
    pub at_rest: bool,
    /// No ring: another tool is in hand.
    pub no_ring: bool,
    /// How much of what lies behind the skin it hides, where a panel shows something inside it.
    pub opacity: Option<f32>,
    /// The key that removes things is a panel's.
    pub takes_delete: bool,
}

/// What the colours on the device were made of: view, joint, rig, and the frame where the colours follow the pose.
#[derive(Default)]
pub struct ColoredBy {
    of: [Option<Colors>; 4],
}

/// View, joint, rig and frame.
type Colors = (SkinView, Option<usize>, Arc<Rig>, u64);

/// Bones at rest, with the joint each belongs to. Finding them takes the whole skin, so they are kept.
#[derive(Default)]
pub struct BoneList {
    of: Option<Arc<Rig>>,
    bones: Vec<Bone>,
}

impl BoneList {
    /// Of a rig.
    pub fn update(&mut self, rig: &Arc<Rig>) -> &[Bone] {
        if !self.of.as_ref().is_some_and(|of| Arc::ptr_eq(of, rig)) {
            self.bones = rig.skeleton.bones(&rig.mesh.positions, rig.weights.as_ref()).0;
            self.of = Some(rig.clone());
        }
        &self.bones
    }

    /// Joint, head and tail of each in a pose.
    pub fn posed<'a>(&'a self, motion: &'a Motion) -> impl Iterator<Item = (usize, Vec3, Vec3)> + 'a {
        self.bones.iter().filter(|b| b.joint < motion.exact.len()).map(|b| {
            let place = |p| motion.exact[b.joint].transform_point3(p).as_vec3();
            (b.joint, place(b.head), place(b.tail))
        })
    }
}

/// Linear colours of bones.
const BONE: Vec3 = Vec3::new(0.55, 0.57, 0.62);
const CHOSEN: Vec3 = Vec3::new(1.0, 0.42, 0.06);
/// Linear colours of the rings about x, y and z.
pub const AXES: [Vec3; 3] = [Vec3::new(0.85, 0.12, 0.12), Vec3::new(0.22, 0.62, 0.1), Vec3::new(0.12, 0.3, 0.9)];

/// How large rings are on the screen, in points from the middle, however near the joint is.
const RING: f32 = 62.0;

/// Rings round the selected joint: centre, axes and radius in the world.
#[derive(Clone, Copy, Debug)]
pub struct Rings {
    /// The joint.
    pub joint: usize,
    /// Where it is.
    pub center: Vec3,
    /// Its own axes in the pose.
    pub axes: [Vec3; 3],
    /// Of the rings.
    pub radius: f32,
}

impl Studio {
    /// The motion that is shown: that of the first pane, or of the pose alone where nothing is bound.
    pub fn motion(&self) -> Option<Motion> {
        let document = self.open.document.as_ref()?;
        Some(Motion::of(document.rig(), &self.pose()?))
    }

    /// The pose that is shown.
    pub fn pose(&self) -> Option<Pose> {
        self.pose_of(self.open.document.as_ref()?.rig())
    }

    /// The same of a rig that was prepared before: joints that were moved since have other places in their parents.
    pub fn pose_of(&self, rig: &Rig) -> Option<Pose> {
        let document = self.open.document.as_ref()?;
        // Skin that nothing moves is at rest, and bones do not leave it.
        let moment = self.moment();
        Some(match moment {
            _ if self.drawn.stages[0].is_bare() => Pose::rest(rig),
            Moment::Shown(_) if self.drawn.extras.at_rest => Pose::rest(rig),
            _ => document.pose_of(rig, moment.time()),
        })
    }

    /// The moment that is shown: that of a film while one is written.
    pub fn moment(&self) -> Moment {
        match &self.work.recorder {
            Some(recorder) if recorder.is_film() => Moment::Filmed(recorder.clock()),
            _ => Moment::Shown(self.open.playback.time),
        }
    }

    /// The rings of the selected joint.
    pub fn rings(&self, motion: &Motion) -> Option<Rings> {
        let rig = self.open.document.as_ref()?.rig();
        let joint = self.open.selected.filter(|&j| j < rig.skeleton.len())?;
        let rest = rig.skeleton.joints()[joint].rest_from_joint;
        let posed = motion.exact[joint] * rest;
        let turn = supple::math::rigid_and_scale(&posed).rotation;
        let axes = [glam::DVec3::X, glam::DVec3::Y, glam::DVec3::Z].map(|a| (turn * a).as_vec3());
        let center = posed.translation.as_vec3();
        // In a small pane they would be all there is.
        let points = RING.min(0.22 * self.sight.pane[0].min(self.sight.pane[1]));
        let radius = self.sight.orbit.camera().pixel_size(center, self.sight.pane[1].max(1.0) as u32) * points;
        Some(Rings { joint, center, axes, radius })
    }

    /// Light or dark.
    pub fn style(&self) -> Style {
        let background = if self.sight.dark { Background::Dark } else { Background::Light };
        Style { background, ..Style::default() }
    }

    /// How a pane's skin looks.
    pub fn look(&self) -> Look {
        let look = match self.sight.view {
            SkinView::Shaded => Look::SHADED,
            SkinView::Wire => Look::SHADED.with_wire(),
            _ => Look::COLORS,
        };
        self.drawn.extras.opacity.map_or(look, |opacity| look.ghost(opacity))
    }

    /// Sends the colours of a view where they have changed.
    pub fn paint(&mut self) {
        let (view, selected) = (self.sight.view, self.open.selected);
        let touching = self.work.figures.pressures();
        for (pane, stage) in self.drawn.stages.iter_mut().enumerate() {
            let Some(ready) = stage.ready() else { continue };
            let follows = matches!(view, SkinView::Stretch | SkinView::Contact);
            if follows {
                ready.host_wanted = true;
            }
            let frame = match view {
                SkinView::Stretch => ready.host().map_or(0, |(frame, _)| frame),
                SkinView::Contact => touching.as_ref().map_or(0, |(frame, _)| *frame),
                _ => 0,
            };
            // Weights are seen as they are painted, before anything is bound to them.
            let newest = self.open.document.as_ref().map(|d| d.rig());
            let newest = newest.filter(|rig| rig.mesh.positions.len() == ready.rig.mesh.positions.len());
            let of_weights = matches!(view, SkinView::Weights | SkinView::SharedWeights);
            let rig = newest.filter(|_| of_weights).unwrap_or(&ready.rig).clone();
            let known = self.drawn.colored.of[pane].as_ref().is_some_and(|(v, joint, of, at)| {
                (*v, *joint, *at) == (view, selected, frame) && Arc::ptr_eq(of, &rig) && ready.is_painted
            });
            if known {
                continue;
            }
            self.drawn.colored.of[pane] = Some((view, selected, rig.clone(), frame));
            ready.is_painted = true;
            let paint = match (view, &rig.weights) {
                (SkinView::Weights, Some(weights)) => match selected {
                    Some(joint) => character::joint_weight(weights, joint),
                    None => character::weight_colors(weights),
                },
                (SkinView::SharedWeights, Some(weights)) => {
                    Paint::Vertices(character::shared(weights).into_iter().map(scale::shared).collect())
                }
                (SkinView::Stretch, _) => match ready.host() {
                    Some((_, points)) if !rig.mesh.triangles.is_empty() => {
                        Paint::Vertices(character::stretch(&rig, &points).into_iter().map(scale::stretch).collect())
                    }
                    _ => Paint::Looks,
                },
                (SkinView::Contact, _) => match &touching {
                    Some((_, pressures)) if pane == 0 && pressures.len() == rig.mesh.positions.len() => {
                        Paint::Vertices(pressures.iter().map(|&p| scale::pressure(p)).collect())
                    }
                    _ => Paint::Uniform(supple_render::scene::CLAY),
                },
                _ => Paint::Looks,
            };
            ready.shown.paint(&paint);
        }
    }

    /// Bones and rings of a pane.
    pub fn overlay(&self, bones: &BoneList, motion: &Motion, hot: Option<usize>, first: bool) -> Overlay {
        let mut overlay = if first { self.drawn.extras.overlay.clone() } else { Overlay::default() };
        let Some(rings) = self.rings(motion).filter(|_| first && !self.drawn.extras.no_ring) else {
            self.draw_bones(&mut overlay, bones, motion);
            return overlay;
        };
        self.draw_bones(&mut overlay, bones, motion);
        for (i, axis) in rings.axes.into_iter().enumerate() {
            let (color, width) = if hot == Some(i) { (Vec3::new(1.0, 0.8, 0.1), 4.5) } else { (AXES[i], 2.5) };
            overlay.ring(
                rings.center,
                axis,
                rings.radius,
                color.extend(0.95),
                width * self.sight.scale,
                Layer::Through,
            );
        }
        overlay.spot(rings.center, CHOSEN.extend(1.0), 9.0 * self.sight.scale, Layer::Over);
        overlay
    }

    fn draw_bones(&self, overlay: &mut Overlay, bones: &BoneList, motion: &Motion) {
        if !self.sight.bones {
            return;
        }
        for (joint, head, tail) in bones.posed(motion) {
            let own = self.drawn.extras.joint_colors.as_ref().and_then(|c| c.get(joint)).copied();
            let color = if self.open.selected == Some(joint) { CHOSEN } else { own.unwrap_or(BONE) };
            overlay.bone(head, tail, color);
        }
    }
}

/// A colour as overlays take them.
pub fn opaque(color: Vec3) -> Vec4 {
    color.extend(1.0)
}

/// A hue of the joints' colours.
pub fn hue(joint: usize) -> Vec3 {
    color::hue(joint)
}
