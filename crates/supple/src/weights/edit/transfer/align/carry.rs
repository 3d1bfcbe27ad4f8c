use super::Aligned;
use crate::{
    pose::{Channel, Clip, Interpolation, Track},
    rig::{Joint, Rig, Role, Skeleton},
};
use glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use serde::Serialize;

/// How a skeleton was brought along.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Carried {
    /// How often as large it is as a whole.
    pub scale: f64,
    /// How far it was turned as a whole, in degrees.
    pub turned: f64,
    /// The shortest and the longest that a bone became, over its length scaled as a whole.
    pub bones: [f64; 2],
    /// Mean distance of the two skins when they lie over each other, over the diagonal.
    pub distance: f64,
    /// Clips whose translations were scaled.
    pub clips: usize,
}

impl Aligned {
    /// The skeleton and the clips of the source, laid into the target.
    ///
    /// Joints go where the skin round them goes. Their axes turn with the body, and with the bone where they have one: so
    /// hinges stay what they were, and rotations of clips, which are kept, point limbs where they pointed before.
    /// Translations of clips are scaled.
    pub fn carry(&self, source: &Rig) -> Option<(Skeleton, Vec<Clip>, Carried)> {
        let from = &source.skeleton;
        let places: Vec<DVec3> = (0..from.len()).map(|j| self.place(from, j)).collect();
        let mut swings: Vec<DQuat> = Vec::with_capacity(from.len());
        for j in 0..from.len() {
            let swing = self.swing(from, &places, j);
            let above = || from.joints()[j].parent.map_or(DQuat::IDENTITY, |p| swings[p]);
            swings.push(swing.unwrap_or_else(above));
        }
        let joint = |(j, old): (usize, &Joint)| {
            let axes = DMat3::from_quat(swings[j] * self.turn) * old.rest_from_joint.matrix3;
            let rest = DAffine3 { matrix3: axes, translation: places[j] };
            Joint { rest_from_joint: rest, joint_from_rest: rest.inverse(), ..old.clone() }
        };
        let joints: Vec<Joint> = from.joints().iter().enumerate().map(joint).collect();
        let placed = Skeleton::new(joints.clone()).ok()?;
        // What is shown keeps its difference from rest.
        let shown = |(j, joint): (usize, Joint)| {
            let mut change = from.rest_local(j).inverse() * from.joints()[j].shown_local;
            change.translation *= self.scale;
            Joint { shown_local: placed.rest_local(j) * change, ..joint }
        };
        let to = Skeleton::new(joints.into_iter().enumerate().map(shown).collect()).ok()?;
        let clips: Vec<Clip> = source.clips.iter().filter_map(|c| self.clip(c, from, &to)).collect();
        let travels = |c: &&Clip| c.tracks().iter().any(|t| matches!(t.channel, Channel::Translation(_)));
        let scaled = clips.iter().filter(travels).count();
        let length = |j: usize, s: &Skeleton| {
            let joint = &s.joints()[j];
            let bone = joint.role == Role::Bone && joint.parent.is_some_and(|p| s.joints()[p].role == Role::Bone);
            joint.parent.filter(|_| bone).map(|p| s.joints()[p].rest_position().distance(joint.rest_position()))
        };
        let ratio =
            |j: usize| length(j, &to).zip(length(j, from).filter(|l| *l > 0.0)).map(|(a, b)| a / b / self.scale);
        let ratios = (0..from.len()).filter_map(ratio).filter(|r| r.is_finite());
        let bones = ratios.fold([f64::INFINITY, 0.0], |[low, high], r| [low.min(r), high.max(r)]);
        let report = Carried {
            scale: self.scale,
            turned: self.turn.to_scaled_axis().length().to_degrees(),
            bones: if bones[0] <= bones[1] { bones } else { [1.0, 1.0] },
            distance: self.distance,
            clips: scaled,
        };
        Some((to, clips, report))
    }

    /// Between where its own skin and its parent's take it: the two agree but for rounding where they hang together.
    fn place(&self, skeleton: &Skeleton, joint: usize) -> DVec3 {
        let at = skeleton.joints()[joint].rest_position();
        let own = self.target_from_source[joint].transform_point3(at);
        let above = skeleton.joints()[joint].parent.map(|p| self.target_from_source[p].transform_point3(at));
        above.map_or(own, |above| 0.5 * (own + above))
    }

    /// How the one bone of a joint turns besides the body; none where it has none or several.
    fn swing(&self, from: &Skeleton, places: &[DVec3], joint: usize) -> Option<DQuat> {
        let bone = |j: usize| from.joints()[j].role == Role::Bone;
        let mut children = from.children(joint).filter(|&c| bone(c) && bone(joint));
        let (child, None) = (children.next()?, children.next()) else { return Some(DQuat::IDENTITY) };
        let old = from.joints()[child].rest_position() - from.joints()[joint].rest_position();
        let new = places[child] - places[joint];
        Some(DQuat::from_rotation_arc((self.turn * old).try_normalize()?, new.try_normalize()?))
    }

    /// A clip without its morphs, which are those of another mesh.
    fn clip(&self, clip: &Clip, from: &Skeleton, to: &Skeleton) -> Option<Clip> {
        let track = |track: &Track| -> Option<Track> {
            let spline = track.interpolation == Interpolation::CubicSpline;
            let is_place = |i: usize| !spline || i % 3 == 1;
            let root = |j: usize| from.joints()[j].parent.is_none();
            let values: Vec<f32> = match track.channel {
                Channel::Morph(_) => return None,
                Channel::Translation(j) => {
                    let (old, new) = (from.rest_local(j).translation, to.rest_local(j).translation);
                    let turn = if root(j) { self.turn } else { DQuat::IDENTITY };
                    let value = |(i, v): (usize, &[f32])| {
                        let v = Vec3::from_slice(v).as_dvec3();
                        let moved =
                            if is_place(i) { new + turn * (v - old) * self.scale } else { turn * v * self.scale };
                        moved.as_vec3().to_array()
                    };
                    track.values.chunks_exact(3).enumerate().flat_map(value).collect()
                }
                Channel::Rotation(j) if root(j) => {
                    let value = |v: &[f32]| {
                        let v = DQuat::from_array([v[0], v[1], v[2], v[3]].map(f64::from));
                        (self.turn * v).to_array().map(|x| x as f32)
                    };
                    track.values.chunks_exact(4).flat_map(value).collect()
                }
                _ => track.values.to_vec(),
            };
            Some(Track { values: values.into(), ..track.clone() })
        };
        Clip::new(clip.name.clone(), clip.tracks().iter().filter_map(track).collect()).ok()
    }
}
