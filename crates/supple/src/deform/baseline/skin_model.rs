//! The model of a rig: its sphere-mesh or, where it has none, spheres at its joints with radii taken from its skin; and which joint
//! carries which sphere and bone.

use super::frame::{Model, Placed};
use crate::{
    math::rigid_and_scale,
    pose::Motion,
    rig::{Bone, Rig, Role, SphereMesh},
};
use glam::{DMat3, DVec3};
use std::collections::HashMap;

/// A model, and the joints that move it.
#[derive(Clone, Debug, Default)]
pub struct SkinModel {
    /// Its spheres and bones.
    pub model: Model,
    /// The joint that each sphere goes with.
    pub carriers: Vec<usize>,
    /// The joint that each bone turns with.
    pub movers: Vec<usize>,
    /// Factors for the lengths of the bones.
    pub lengths: Vec<f64>,
    /// Factors for the radii of the spheres.
    pub radii: Vec<f64>,
}

/// A sphere that stands this near to a joint, over the diagonal of all joints, is carried by it.
const AT: f64 = 1e-4;
/// Points of the skin that radii are taken from, at most.
const ASKED: usize = 20_000;
/// The most that radii differ by, over the length of the bone between them: steeper cones are swallowed by their spheres.
const STEEPEST: f64 = 0.8;
/// Radius over the length of the shortest bone where no skin tells, and the least where it does.
const GUESSED: f64 = 0.2;
const LEAST: f64 = 0.02;
/// Scales nearer to 1 than this are noise of the file.
const NOISE: f64 = 1e-6;

impl SkinModel {
    /// The model of a rig, or why it has none.
    pub fn of(rig: &Rig) -> Result<Self, String> {
        if rig.skeleton.is_empty() {
            return Err("it has no joints, which move the model".into());
        }
        let found = match &rig.sphere_mesh {
            Some(spheres) => Self::of_spheres(rig, spheres)?,
            None => Self::of_skeleton(rig)?,
        };
        let (bones, spheres) = (found.model.bones.len(), found.model.centers.len());
        Ok(Self { lengths: vec![1.0; bones], radii: vec![1.0; spheres], ..found })
    }

    fn of_spheres(rig: &Rig, spheres: &SphereMesh) -> Result<Self, String> {
        let tree = spheres.tree().map_err(|e| e.to_string())?;
        let joints = rig.skeleton.joints();
        let named: HashMap<&str, usize> = joints.iter().enumerate().map(|(i, j)| (j.name.as_str(), i)).collect();
        let (bones, _) = rig.skeleton.bones(&[], None);
        let carrier = |(index, sphere): (usize, &crate::rig::Sphere)| {
            let by_name = named.get(sphere.name.as_str()).or_else(|| named.get(format!("sphere {index}").as_str()));
            by_name.copied().unwrap_or_else(|| nearest_joint(rig, &bones, sphere.center))
        };
        let carriers: Vec<usize> = spheres.spheres.iter().enumerate().map(carrier).collect();
        let model = Model {
            centers: spheres.spheres.iter().map(|s| s.center).collect(),
            radii: spheres.spheres.iter().map(|s| s.radius).collect(),
            bones: tree.bones.iter().map(|b| b.spheres).collect(),
            parents: tree.bones.iter().map(|b| b.parent).collect(),
            around: tree.around,
        };
        let movers = model.bones.iter().map(|&[a, _]| carriers[a]).collect();
        Ok(Self { model, carriers, movers, ..Self::default() })
    }

    /// Spheres at the joints and at the tails of leaves; tails follow from joints alone, so that a spear does not lengthen a hand.
    fn of_skeleton(rig: &Rig) -> Result<Self, String> {
        let joints = rig.skeleton.joints();
        let (bones, _) = rig.skeleton.bones(&[], None);
        if bones.is_empty() {
            return Err("its joints make no bones".into());
        }
        let mut is_tail = vec![false; joints.len()];
        bones.iter().filter_map(|b| b.tail_joint).for_each(|tail| is_tail[tail] = true);
        let mut found = Self::default();
        let mut sphere_of: Vec<usize> = Vec::with_capacity(joints.len());
        for (index, joint) in joints.iter().enumerate() {
            let parent = joint.parent.filter(|&p| joints[p].role == Role::Bone && joint.role == Role::Bone);
            match parent {
                // It sits on its parent.
                Some(parent) if !is_tail[index] => sphere_of.push(sphere_of[parent]),
                _ => sphere_of.push(found.add(joint.rest_position(), index)),
            }
        }
        for bone in &bones {
            let end = bone.tail_joint.map_or_else(|| found.add(bone.tail, bone.joint), |tail| sphere_of[tail]);
            let start = sphere_of[bone.joint];
            let own = found.model.bones.len();
            let around = &found.model.around[start];
            let parent = around.iter().find(|place| place.1 == 1).or_else(|| around.first()).map(|place| place.0);
            found.model.bones.push([start, end]);
            found.model.parents.push(parent);
            found.model.around[start].push((own, 0));
            found.model.around[end].push((own, 1));
            found.movers.push(bone.joint);
        }
        found.model.radii = radii(rig, &found.model, &bones);
        Ok(found)
    }

    fn add(&mut self, center: DVec3, carrier: usize) -> usize {
        self.model.centers.push(center);
        self.model.around.push(Vec::new());
        self.carriers.push(carrier);
        self.carriers.len() - 1
    }

    /// Where a motion brings the spheres and bones, with the lengths and radii asked for.
    pub fn place(&self, motion: &Motion, placed: &mut Placed) {
        for (sphere, &joint) in self.carriers.iter().enumerate() {
            let map = &motion.exact[joint];
            let scale = map.matrix3.determinant().abs().cbrt();
            let scale = if (scale - 1.0).abs() < NOISE { 1.0 } else { scale };
            placed.centers[sphere] = map.transform_point3(self.model.centers[sphere]);
            placed.scales[sphere] = scale;
            placed.radii[sphere] = self.model.radii[sphere] * scale * self.radii[sphere];
        }
        for (turn, &joint) in placed.turns.iter_mut().zip(&self.movers) {
            *turn = DMat3::from_quat(rigid_and_scale(&motion.exact[joint]).rotation);
        }
        if self.lengths.iter().all(|&factor| factor == 1.0) {
            return;
        }
        // Backwards, so that what hangs on a bone still stands where it was when that bone is drawn out: then all of it is shifted.
        for bone in (0..self.lengths.len()).rev() {
            let [a, b] = self.model.bones[bone];
            let shift = (placed.centers[b] - placed.centers[a]) * (self.lengths[bone] - 1.0);
            self.shift(b, bone, shift, placed);
        }
    }

    /// Shifts a sphere and all that hang on it.
    fn shift(&self, sphere: usize, through: usize, shift: DVec3, placed: &mut Placed) {
        placed.centers[sphere] += shift;
        for &(bone, end) in &self.model.around[sphere] {
            if bone > through && end == 0 {
                self.shift(self.model.bones[bone][1], bone, shift, placed);
            }
        }
    }
}

/// The joint that stands at a place, or that of the nearest bone.
fn nearest_joint(rig: &Rig, bones: &[Bone], p: DVec3) -> usize {
    let joints = rig.skeleton.joints();
    let far = |i: &usize| joints[*i].rest_position().distance(p);
    let nearest = (0..joints.len()).min_by(|a, b| far(a).total_cmp(&far(b))).expect("there are joints");
    let reach = joints.iter().map(|j| j.rest_position().distance(joints[0].rest_position())).fold(0.0, f64::max);
    if far(&nearest) <= AT * reach {
        return nearest;
    }
    let bone = bones.iter().min_by(|a, b| a.distance(p).total_cmp(&b.distance(p)));
    bone.map_or(nearest, |b| b.joint)
}

/// Of each sphere, the median distance from the bones there of the skin beside them.
fn radii(rig: &Rig, model: &Model, bones: &[Bone]) -> Vec<f64> {
    let mut samples: Vec<Vec<f64>> = vec![Vec::new(); model.centers.len()];
    let points = &rig.mesh.positions;
    for p in points.iter().step_by(points.len().div_ceil(ASKED).max(1)) {
        let p = p.as_dvec3();
        let near = (0..bones.len()).min_by(|&a, &b| bones[a].distance(p).total_cmp(&bones[b].distance(p)));
        let Some(bone) = near else { continue };
        let at = bones[bone].parameter(p);
        // What lies beyond an end says nothing of the bone's thickness.
        if at > 0.0 && at < 1.0 {
            samples[model.bones[bone][usize::from(at > 0.5)]].push(bones[bone].distance(p));
        }
    }
    let mut shortest = vec![f64::INFINITY; model.centers.len()];
    for (bone, spheres) in bones.iter().zip(&model.bones) {
        spheres.iter().for_each(|&s| shortest[s] = shortest[s].min(bone.length()));
    }
    let radius = |(samples, &shortest): (&mut Vec<f64>, &f64)| {
        samples.sort_unstable_by(f64::total_cmp);
        let median = samples.get(samples.len() / 2).copied().unwrap_or(GUESSED * shortest);
        // Joints without a bone of their own have none.
        if shortest.is_finite() { median.max(LEAST * shortest) } else { 1.0 }
    };
    let mut radii: Vec<f64> = samples.iter_mut().zip(&shortest).map(radius).collect();
    // The larger of two is lowered; then from the root, whatever is left.
    for _ in 0..8 {
        for (bone, &[a, b]) in bones.iter().zip(&model.bones) {
            let most = STEEPEST * bone.length();
            radii[a] = radii[a].min(radii[b] + most);
            radii[b] = radii[b].min(radii[a] + most);
        }
    }
    for (bone, &[a, b]) in bones.iter().zip(&model.bones) {
        let most = STEEPEST * bone.length();
        radii[b] = radii[b].max(radii[a] - most).min(radii[a] + most);
    }
    radii
}
