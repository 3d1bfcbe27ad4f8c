//! From a rig to its limbs: the skin is parted, sampled and fitted, and what could not be is said.

use super::{Implicit, JointSettings, METHOD, rigid::Rigid};
use crate::{
    deform::{BindError, skinning::Packed},
    field::{Body, Fitted, Limb, Operator, Point, limb, samples},
    measure::Facing,
    parallel::{for_each_block, join},
    rig::{Rig, Topology, normals_of},
};
use glam::{DVec3, Vec3};
use std::sync::Arc;

/// A character as volumes, with the skin they were made from.
pub struct Volume {
    /// The limbs.
    pub body: Arc<Body>,
    /// Who is next to whom.
    pub topology: Arc<Topology>,
    /// Welded points at rest.
    pub points: Arc<Vec<Vec3>>,
    /// Their normals.
    pub normals: Arc<Vec<Vec3>>,
    /// The joint that each of them was given to.
    pub joints: Arc<Vec<u32>>,
    /// Pieces of it that do not bend.
    pub(super) rigid: Arc<Rigid>,
    /// What was found before any limb was fitted, a line each.
    pub(super) of_skin: Arc<Vec<String>>,
    /// Limbs that have no field.
    pub(super) bare: Arc<Vec<Bare>>,
    /// What had to be left out, a line each.
    pub notes: Vec<String>,
}

/// A limb whose samples carry no field.
pub(super) struct Bare {
    /// The joint that moves it.
    pub joint: usize,
    /// How many triangles it has.
    triangles: usize,
    /// How many limbs with a field come before it.
    before: usize,
}

impl Volume {
    /// The box of the skin that bends: what is measured by it does not depend on what a character carries.
    pub(super) fn flesh(&self) -> (Vec3, Vec3) {
        self.rigid.flesh(&self.topology, &self.points)
    }

    /// The limb of each joint, or of the nearest above it that has one.
    pub fn limb_of_joint(&self, rig: &Rig) -> Vec<Option<u16>> {
        let mut limb_of = vec![None; rig.skeleton.len()];
        for (i, limb) in self.body.limbs.iter().enumerate() {
            limb_of[limb.limb.joint] = Some(i as u16);
        }
        for (j, joint) in rig.skeleton.joints().iter().enumerate() {
            limb_of[j] = limb_of[j].or_else(|| joint.parent.and_then(|p| limb_of[p]));
        }
        limb_of
    }
}

impl Implicit {
    /// Makes the volumes of a rig.
    pub fn volume(&self, rig: &Rig) -> Result<Volume, BindError> {
        Packed::of(METHOD, rig)?;
        let weights = rig.weights.as_ref().expect("packed from them");
        if rig.mesh.triangles.is_empty() {
            return Err(BindError::NoTriangles { method: METHOD, rig: rig.name.clone() });
        }
        if let Some(joint) = self.joints.keys().find(|j| rig.skeleton.find(j).is_none()) {
            let known = rig.skeleton.names().map(str::to_owned).collect();
            return Err(BindError::NoJoint { method: METHOD, joint: joint.clone(), known });
        }
        let surface = rig.surface();
        let (facing, _) = join(|| Facing::of(&rig.mesh), || surface.topology());
        let topology = facing.topology(rig);
        let points = topology.weld.gather(&rig.mesh.positions);
        let normals = normals_of(&points, &topology.triangles);
        let mut skinned: Vec<bool> = points.iter().map(|p| p.is_finite()).collect();
        for part in rig.parts.iter().filter(|p| !p.skinned) {
            for v in part.vertices.clone() {
                skinned[topology.weld.welded_of[v as usize] as usize] = false;
            }
        }
        let (joints, fallback) = limb::owners(rig, &topology, weights, self.partition);
        let rigid = Rigid::of(&topology, weights);
        rigid.leave_out(&topology, &points, &joints, &mut skinned);
        let limbs = limb::limbs(rig, &topology, &joints, &skinned);
        if limbs.len() > MOST_LIMBS {
            let (rig, limbs, most) = (rig.name.clone(), limbs.len(), MOST_LIMBS);
            return Err(BindError::TooManyLimbs { method: METHOD, rig, limbs, most });
        }
        let skin = samples::Skin { points: &points, normals: &normals, triangles: &topology.triangles };
        let mut made: Vec<Option<Result<Fitted, BindError>>> = vec![None; limbs.len()];
        for_each_block(&mut made, 1, |i, slot| slot[0] = self.fit(rig, skin, &joints, &limbs[i], None).transpose());
        let (mut number, mut kept, mut bare) = (vec![None; limbs.len()], Vec::new(), Vec::new());
        for (i, made) in made.into_iter().enumerate() {
            match made.transpose()? {
                Some(fitted) => {
                    number[i] = Some(kept.len() as u16);
                    kept.push(fitted);
                }
                None => {
                    let (joint, triangles) = (limbs[i].joint, limbs[i].triangles.len());
                    bare.push(Bare { joint, triangles, before: kept.len() });
                }
            }
        }
        let operator = |joint| self.operator_of(rig, joint);
        let body = Body::new(kept, &number, operator);
        let fallback = fallback.map(|why| format!("the skin is parted by its weights: {why}"));
        let of_skin: Vec<String> = fallback.into_iter().chain(facing.note()).collect();
        let notes = self.notes_of(rig, &body, &of_skin, &bare);
        Ok(Volume {
            body: Arc::new(body),
            topology,
            points: Arc::new(points),
            normals: Arc::new(normals),
            joints: Arc::new(joints),
            rigid: Arc::new(rigid),
            of_skin: Arc::new(of_skin),
            bare: Arc::new(bare),
            notes,
        })
    }

    /// What had to be left out, a line each: of the skin, then of the limbs in their order, then of what was set in vain.
    pub(super) fn notes_of(&self, rig: &Rig, body: &Body, of_skin: &[String], bare: &[Bare]) -> Vec<String> {
        let name = |joint: usize| &rig.skeleton.joints()[joint].name;
        let mut notes = of_skin.to_vec();
        if let Some(side) = body.limbs.first().map(|limb| limb.grid.side).filter(|side| *side < self.resolution) {
            let (limbs, asked) = (body.limbs.len(), self.resolution);
            notes.push(format!("{limbs} volumes: their grids have {side} nodes on a side instead of {asked}"));
        }
        for i in 0..=body.limbs.len() {
            notes.extend(bare.iter().filter(|b| b.before == i).map(|b| {
                let (name, triangles) = (name(b.joint), b.triangles);
                let leaves = format!("its skin stays as {} leaves it", self.start);
                format!("joint \"{name}\" has {triangles} triangles that enclose nothing: {leaves}")
            }));
            notes.extend(body.limbs.get(i).filter(|limb| limb.miss > COARSE).map(|limb| {
                let (name, miss) = (name(limb.limb.joint), 100.0 * limb.miss);
                format!("the volume of joint \"{name}\" is coarse: it misses the skin by {miss:.0} % of its radius")
            }));
        }
        notes.extend(self.idle_operators(rig, body));
        notes.extend(self.idle_samples(rig, body));
        notes
    }

    /// A line for each joint that has an operator of its own but joins nothing: the first one, or one without a volume.
    fn idle_operators(&self, rig: &Rig, body: &Body) -> Vec<String> {
        let idle = |name: &str| {
            let joint = rig.skeleton.find(name);
            !body.pairs.iter().any(|p| p.joint.is_some() && p.joint == joint)
        };
        let own = self.joints.iter().filter(|(name, own)| own.operator.is_some() && idle(name));
        own.map(|(name, _)| format!("the operator of joint \"{name}\" is not used: its limb hangs on no other"))
            .collect()
    }

    /// A line for each edit of a sample that is not there any more, or of a joint that has no volume.
    fn idle_samples(&self, rig: &Rig, body: &Body) -> Vec<String> {
        let mut lines = Vec::new();
        for (name, own) in self.joints.iter().filter(|(_, own)| own.edits_samples()) {
            let joint = rig.skeleton.find(name);
            let Some(limb) = body.limbs.iter().find(|l| Some(l.limb.joint) == joint) else {
                lines.push(format!("the samples and caps of joint \"{name}\" are not used: it has no volume"));
                continue;
            };
            let samples = limb.unedited(&self.sampling).unwrap_or_default();
            lines.extend(own.fates(&samples).1.into_iter().map(|line| format!("joint \"{name}\": {line}")));
        }
        lines
    }

    /// Fits one limb anew, with what these settings say of its samples, and joins it by their operators; the others are not
    /// looked at. False where its samples no longer carry a field: it then stays as it was.
    ///
    /// What is known of the skin at rest changes with it, so that a bound method has to be bound again to follow.
    ///
    /// ```
    /// use supple::{deform::implicit::{Implicit, JointSettings}, example, field::Operator};
    ///
    /// let rig = example::arm(&Default::default())?;
    /// let mut implicit = Implicit::default();
    /// let mut volume = implicit.volume(&rig)?;
    /// let own = JointSettings { operator: Some(Operator::bulge()), remove: vec![3.into()], ..Default::default() };
    /// implicit.joints.insert("forearm".into(), own);
    /// let limb = volume.limb_of_joint(&rig)[1].expect("the forearm has a limb");
    /// assert!(implicit.refit(&rig, &mut volume, limb)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// When there is no such limb, or the volume is of another rig.
    pub fn refit(&self, rig: &Rig, volume: &mut Volume, limb: u16) -> Result<bool, BindError> {
        let skin =
            samples::Skin { points: &volume.points, normals: &volume.normals, triangles: &volume.topology.triangles };
        let before = &volume.body.limbs[usize::from(limb)];
        let fitted = self.fit(rig, skin, &volume.joints, &before.limb, before.unedited(&self.sampling))?;
        for pair in 0..volume.body.pairs.len() {
            let Some(joint) = volume.body.pairs[pair].joint else { continue };
            if volume.body.pairs[pair].limbs.contains(&limb) {
                Arc::make_mut(&mut volume.body).set_operator(pair, self.operator_of(rig, joint));
            }
        }
        let fits = fitted.is_some();
        if let Some(fitted) = fitted {
            Arc::make_mut(&mut volume.body).limbs[usize::from(limb)] = fitted;
        }
        Ok(fits)
    }

    pub(super) fn operator_of(&self, rig: &Rig, joint: usize) -> Operator {
        let own = self.joints.get(&rig.skeleton.joints()[joint].name);
        own.and_then(|j| j.operator).unwrap_or(self.operator)
    }

    /// The field of one limb, with what its joint says of its samples; none where they do not carry one. `unedited` are those
    /// samples where they are known already, `joints` those that the points of the skin were given to.
    pub(super) fn fit(
        &self,
        rig: &Rig,
        skin: samples::Skin<'_>,
        joints: &[u32],
        limb: &Limb,
        unedited: Option<Vec<Point>>,
    ) -> Result<Option<Fitted>, BindError> {
        let is_own = |v: u32| joints[v as usize] == limb.joint as u32;
        let drawn_in = |fitted: Fitted| fitted.drawn_in(skin, is_own).unwrap_or(fitted);
        let name = &rig.skeleton.joints()[limb.joint].name;
        let side = affordable(self.resolution, limb.of);
        let Some(own) = self.joints.get(name).filter(|own| own.edits_samples()) else {
            return Ok(Fitted::of(skin, limb.clone(), &self.sampling, side).map(drawn_in));
        };
        let unedited = unedited.unwrap_or_else(|| Fitted::samples_of(skin, limb, &self.sampling));
        let on_skin = own.edited(&unedited);
        own.check_places(name, limb, f64::from(rig.diagonal()))?;
        let caps = samples::caps(limb, self.sampling.cap * own.cap.unwrap_or(1.0));
        let unedited = (unedited, self.sampling);
        Ok(Fitted::through(skin, limb.clone(), unedited, on_skin, caps, side).map(drawn_in))
    }
}

/// Nodes of the grids of all limbs together, 16 bytes each: those of some 360 limbs as finely as is usual, or of five as finely as
/// can be.
const MOST_NODES: usize = 3 << 22;
/// What a limb takes besides its grid, in nodes: 25 kB of samples and of what is known of its skin, measured on a chain of 10,000.
const NODES_OF_A_LIMB: usize = 1600;
/// Limbs at the most. Characters have some hundred; the grids of thousands are too coarse to be of any use, and binding them takes
/// minutes.
const MOST_LIMBS: usize = 1 << 12;
/// A grid of fewer nodes on a side shows no limb. So many for each of as many limbs as may be are within the bound.
const COARSEST: usize = 6;

/// Nodes on a side of a limb's grid: as many as asked for, or fewer where so many limbs would take too much memory.
fn affordable(asked: usize, limbs: usize) -> usize {
    let nodes = MOST_NODES.saturating_sub(limbs * NODES_OF_A_LIMB);
    if limbs * asked.pow(3) <= nodes {
        return asked;
    }
    // The root of a cube may come out just below.
    let root = ((nodes / limbs) as f64).cbrt() as usize;
    let side = if limbs * (root + 1).pow(3) <= nodes { root + 1 } else { root };
    side.clamp(COARSEST.min(asked), asked)
}

/// Fields that miss the skin by more than this share of their radius are worth a word.
const COARSE: f64 = 0.25;

impl JointSettings {
    /// Whether both say the same of the samples and caps of their limb.
    pub(super) fn shapes_like(&self, other: &Self) -> bool {
        let Self { operator: _, cap, remove, moved, add } = self;
        (cap, remove, moved, add) == (&other.cap, &other.remove, &other.moved, &other.add)
    }

    fn edits_samples(&self) -> bool {
        let Self { operator: _, cap, remove, moved, add } = self;
        cap.is_some() || !(remove.is_empty() && moved.is_empty() && add.is_empty())
    }

    /// Samples farther from their limb than the rig is long were given in other units.
    fn check_places(&self, joint: &str, limb: &Limb, diagonal: f64) -> Result<(), BindError> {
        let moved = self.moved.iter().map(|m| (format!("sample {} is moved", m.from), DVec3::from(m.to)));
        let added = self.add.iter().enumerate();
        let added = added.map(|(i, a)| (format!("added sample {i} is put"), DVec3::new(a[0], a[1], a[2])));
        let away = moved.chain(added).map(|(what, at)| (what, limb.foot(at).distance(at)));
        match away.into_iter().find(|(_, distance)| *distance > diagonal) {
            Some((what, distance)) => {
                Err(BindError::FarSample { method: METHOD, joint: joint.to_owned(), what, distance, diagonal })
            }
            None => Ok(()),
        }
    }
}

impl Volume {
    /// The operator at the joint of each limb, by the joint's name.
    pub fn operators<'a>(&'a self, rig: &'a Rig) -> impl Iterator<Item = (&'a str, Operator)> {
        let joints = rig.skeleton.joints();
        self.body.pairs.iter().filter_map(|p| p.joint.map(|j| (joints[j].name.as_str(), p.operator)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_are_as_fine_as_asked_for_until_their_limbs_share_the_memory() {
        for (asked, limbs) in [(32, 1), (32, 360), (128, 5), (56, 64), (11, MOST_LIMBS)] {
            assert_eq!(affordable(asked, limbs), asked, "{limbs} limbs");
        }
        for (asked, limbs) in [(128, 6), (128, 64), (32, 370), (32, 2000), (128, MOST_LIMBS), (12, MOST_LIMBS)] {
            let side = affordable(asked, limbs);
            let all = limbs * (side.pow(3) + NODES_OF_A_LIMB);
            assert!((COARSEST..asked).contains(&side) && all <= MOST_NODES, "{limbs} limbs: {side}");
        }
    }
}
