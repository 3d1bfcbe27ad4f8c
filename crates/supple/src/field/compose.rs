//! All limbs of a character as one field: the largest of the limbs themselves and of the pairs that are jointed to each
//! other, each pair under its own operator.
//!
//! f = max over pairs k of g_k(f_i, f_j) (equation 3 of the paper). Limbs that are not jointed meet by that maximum, which is
//! how a hand touches a thigh. Siblings are not folded first: the angle between gradients would jump where two of them tie.
//!
//! [`Body`] is what binding makes; [`Posed`] is the few numbers a limb that a frame needs; [`Values`] are the limbs felt at one
//! point, from which both the composed field and the largest of *other* limbs are read.

use super::{Fitted, FourGrids, Kind, Operator, Sample, limb::End, operator::Prepared};
use crate::{constant::Constant, math::smoothstep, pose::Motion};
use glam::{Affine3A, DAffine3, DQuat, DVec3, Mat3A, Vec3A, Vec4};

/// Limbs that can be felt at one point; more are not looked at. A fist has eight.
pub const MOST: usize = 12;
/// Limbs that a point can be grown together with.
pub const MERGED: usize = 4;
/// Bones that make less than this angle with a straight line do not fold.
const STRAIGHT: f64 = 20.0;
/// Sines of half the bends between which skin comes to meet: 40 and 70 degrees. Before that a fold is only hollow, and the few points
/// deeper in the other limb than in their own would make a slit.
const MEETS: [f32; 2] = [0.342, 0.574];
/// Twists, in radians, between which a fold is one no longer: 20 and 50 degrees. Without this a limb that is twisted by 90
/// and bent by 70 has a spike.
const TWISTED: [f64; 2] = [0.35, 0.87];
/// Between its nodes a field is steeper than at them by no more than this.
const STEEPER: f64 = 1.2;
/// Siblings that a limb is compared with.
const MOST_SIBLINGS: usize = 16;

/// The constants that kernels use too; those of operators are in their own list.
pub fn constants() -> Vec<Constant> {
    crate::constants![MEETS]
}

/// Two limbs at a joint, or two that hang on the same third.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The joint of the limb that hangs on the other; none between siblings.
    pub joint: Option<usize>,
    /// The limbs.
    pub limbs: [u16; 2],
    /// Where the joint is at rest, as each of them carries it. Siblings each have their own.
    pub at: [DVec3; 2],
    /// From the joint along each limb.
    pub into: [DVec3; 2],
    /// Half the angle at which they are bent at rest.
    pub bent: f64,
    /// How their fields are joined.
    pub operator: Operator,
    prepared: Prepared,
}

/// Every limb of a character.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// The limbs.
    pub limbs: Vec<Fitted>,
    /// Who is jointed to whom.
    pub pairs: Vec<Pair>,
    /// For each limb: another, and the pair they make.
    neighbours: Vec<Vec<(u16, u16)>>,
}

impl Body {
    /// Joins fitted limbs. `number[i]` is where the limb with the number i in [`End::other`] stands among them, if it could
    /// be fitted; `operator` names the operator of a joint.
    pub fn new(limbs: Vec<Fitted>, number: &[Option<u16>], operator: impl Fn(usize) -> Operator) -> Self {
        let mut body = Self { neighbours: vec![Vec::new(); limbs.len()], limbs, pairs: Vec::new() };
        for child in 0..body.limbs.len() {
            let joint = body.limbs[child].limb.joint;
            let upwards = |e: &&End| number[e.other].is_some_and(|o| body.limbs[usize::from(o)].limb.joint < joint);
            let Some(own) = body.limbs[child].limb.ends.iter().find(upwards).copied() else { continue };
            let parent = number[own.other].expect("found by it");
            let back = |e: &&End| number[e.other] == Some(child as u16);
            let Some(theirs) = body.limbs[usize::from(parent)].limb.ends.iter().find(back).copied() else { continue };
            let pair = body.pairs.len() as u16;
            body.neighbours[child].push((parent, pair));
            body.neighbours[usize::from(parent)].push((child as u16, pair));
            let into = [-theirs.outward, -own.outward];
            let (limbs, at) = ([parent, child as u16], [own.at; 2]);
            let operator = operator(joint);
            body.pairs.push(Pair {
                joint: Some(joint),
                limbs,
                at,
                into,
                bent: bent(into),
                operator,
                prepared: operator.prepare(),
            });
        }
        body.pair_siblings();
        body
    }

    /// Limbs that hang on the same one and are so near that their skin is one: they meet only on the side they both point to.
    fn pair_siblings(&mut self) {
        let jointed = self.pairs.clone();
        for (i, a) in jointed.iter().enumerate() {
            let alike = jointed[i + 1..].iter().filter(|b| b.limbs[0] == a.limbs[0]);
            for b in alike.take(MOST_SIBLINGS) {
                let Ok(pair) = u16::try_from(self.pairs.len()) else { return };
                let limbs = [a.limbs[1], b.limbs[1]];
                let (at, into) = ([a.at[1], b.at[1]], [a.into[1], b.into[1]]);
                self.neighbours[usize::from(limbs[0])].push((limbs[1], pair));
                self.neighbours[usize::from(limbs[1])].push((limbs[0], pair));
                let (operator, prepared) = (Operator::UNION, Operator::UNION.prepare());
                self.pairs.push(Pair { joint: None, limbs, at, into, bent: bent(into), operator, prepared });
            }
        }
    }

    /// Gives a pair another operator.
    pub fn set_operator(&mut self, pair: usize, operator: Operator) {
        self.pairs[pair].operator = operator;
        self.pairs[pair].prepared = operator.prepare();
    }

    /// The pair that two limbs make.
    pub fn pair(&self, a: u16, b: u16) -> Option<u16> {
        self.neighbours[usize::from(a)].iter().find(|n| n.0 == b).map(|n| n.1)
    }

    /// Bytes of all fields.
    pub fn bytes(&self) -> usize {
        self.limbs.iter().map(|l| l.grid.bytes()).sum()
    }
}

/// Half the angle by which two limbs are bent.
fn bent(into: [DVec3; 2]) -> f64 {
    (0.5 * into.map(DVec3::normalize_or_zero).iter().sum::<DVec3>().length()).min(1.0).asin()
}

/// By how much one motion twists against another about an axis.
fn twist(parent: &DAffine3, child: &DAffine3, axis: DVec3) -> f64 {
    let turn = |by: &DAffine3| DQuat::from_mat3(&by.matrix3).normalize();
    let between = turn(parent).conjugate() * turn(child);
    2.0 * between.xyz().dot(axis.normalize_or_zero()).abs().atan2(between.w.abs())
}

impl Pair {
    /// Whether its blend rounds a place where its limbs are felt as these.
    #[inline(always)]
    pub fn rounds(&self, [a, b]: [Sample; 2]) -> bool {
        self.prepared.rounds(a, b)
    }
}

/// A body in one pose. Refilled each frame without allocating.
#[derive(Clone, Debug, Default)]
pub struct Posed {
    limbs: Vec<PosedLimb>,
    folds: Vec<Fold>,
}

#[derive(Clone, Copy, Debug)]
struct PosedLimb {
    posed_from_rest: Affine3A,
    grid_from_posed: Affine3A,
    /// Takes gradients in nodes to gradients in space.
    gradient: Mat3A,
    /// Nodes that a unit of length spans at most, along each axis of the grid.
    nodes: Vec3A,
    /// The most that the field can change over a unit of length.
    steepest: f32,
    /// The same where parts of it are cut off.
    sharpest: f32,
    /// The last node on a side of the grid.
    last: f32,
    /// Blocks on a side of the grid.
    blocks: f32,
}

/// A grid that holds no point.
const NOWHERE: Affine3A = Affine3A { matrix3: Mat3A::ZERO, translation: Vec3A::splat(-9.0) };

/// A joint in one pose, and the direction its skin folds towards: zero where it is nearly straight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fold {
    /// The joint.
    pub at: Vec3A,
    /// Half-way between the two limbs.
    pub towards: Vec3A,
    /// Across the plane that halves the bend, to the side of the first limb; zero where they are twisted against each other, as
    /// skin between them then is in no order on either side of a plane.
    pub across: Vec3A,
    /// Sine of half the bend.
    pub bend: f32,
    /// Sine of half of what it is bent beyond rest; less where it is twisted.
    pub turned: f32,
    /// Radius of the thinner limb.
    pub radius: f32,
}

impl Fold {
    /// From 0 where it is bent too little for skin to meet to 1.
    #[inline(always)]
    pub fn pressure(&self) -> f32 {
        smoothstep(MEETS, self.bend)
    }

    /// On the side where the limbs come together, if they do.
    #[inline(always)]
    pub fn holds(&self, at: Vec3A) -> bool {
        self.bend > MEETS[0] && (at - self.at).dot(self.towards) > 0.0
    }
}

impl Posed {
    /// Takes the memory.
    pub fn of(body: &Body) -> Self {
        let (limbs, folds) = (Vec::with_capacity(body.limbs.len()), Vec::with_capacity(body.pairs.len()));
        Self { limbs, folds }
    }

    /// Where the limbs are now. A limb whose joint is squashed flat is nowhere.
    pub fn update(&mut self, body: &Body, motion: &Motion) {
        self.limbs.clear();
        self.folds.clear();
        for limb in &body.limbs {
            let posed_from_rest = &motion.exact[limb.limb.joint];
            let inverse = posed_from_rest.inverse();
            let grid_from_posed = limb.grid.grid_from_rest * inverse;
            let grid_from_posed = if grid_from_posed.is_finite() { to_f32(&grid_from_posed) } else { NOWHERE };
            let gradient = grid_from_posed.matrix3.transpose();
            let nodes = Vec3A::new(gradient.x_axis.length(), gradient.y_axis.length(), gradient.z_axis.length());
            let m = inverse.matrix3;
            let squash = m.x_axis.length().max(m.y_axis.length()).max(m.z_axis.length());
            let steepest = (STEEPER * limb.steepest * squash) as f32;
            let sharpest = (STEEPER * limb.sharpest.max(limb.steepest) * squash) as f32;
            let (last, blocks) = ((limb.grid.side - 1) as f32, limb.grid.blocks() as f32);
            let posed_from_rest = to_f32(posed_from_rest);
            let posed =
                PosedLimb { posed_from_rest, grid_from_posed, gradient, nodes, steepest, sharpest, last, blocks };
            self.limbs.push(posed);
        }
        for pair in &body.pairs {
            let [parent, child] = pair.limbs.map(|l| &motion.exact[body.limbs[usize::from(l)].limb.joint]);
            let along = |by: &DAffine3, d: DVec3| by.transform_vector3(d).normalize_or_zero();
            let towards = along(parent, pair.into[0]) + along(child, pair.into[1]);
            let across = (along(parent, pair.into[0]) - along(child, pair.into[1])).normalize_or_zero();
            let bend = (0.5 * towards.length()).min(1.0);
            let twist = twist(parent, child, pair.into[1]);
            let straight = (TWISTED[1] - twist) / (TWISTED[1] - TWISTED[0]);
            // A joint that is squashed flat has no twist: not a number, and so no fold.
            let straight = if straight > 0.0 { straight.min(1.0) } else { 0.0 };
            let turned = straight * (bend.asin() - pair.bent).max(0.0).sin();
            let across = if straight > 0.0 { across } else { DVec3::ZERO };
            let least = 2.0 * (0.5 * STRAIGHT).to_radians().sin();
            let towards = if towards.length() > least { towards.normalize() } else { DVec3::ZERO };
            let at = 0.5 * (parent.transform_point3(pair.at[0]) + child.transform_point3(pair.at[1]));
            let at = at.as_vec3a();
            let (towards, across) = (towards.as_vec3a(), across.as_vec3a());
            let [a, b] = pair.limbs.map(|l| body.limbs[usize::from(l)].radius);
            let (bend, turned, radius) = (bend as f32, turned as f32, a.min(b) as f32);
            self.folds.push(Fold { at, towards, across, bend, turned, radius });
        }
    }

    /// How a joint folds.
    #[inline(always)]
    pub fn fold(&self, pair: u16) -> &Fold {
        &self.folds[usize::from(pair)]
    }

    /// The map from a posed place to the nodes of a limb's grid, row by row.
    pub fn rows(&self, limb: usize) -> [Vec4; 3] {
        let (rows, t) = (&self.limbs[limb].gradient, self.limbs[limb].grid_from_posed.translation);
        [rows.x_axis.extend(t.x), rows.y_axis.extend(t.y), rows.z_axis.extend(t.z)]
    }

    /// The map from a place at rest to where a limb carries it, row by row.
    pub fn carry_rows(&self, limb: usize) -> [Vec4; 3] {
        let by = &self.limbs[limb].posed_from_rest;
        let (rows, t) = (by.matrix3.transpose(), by.translation);
        [rows.x_axis.extend(t.x), rows.y_axis.extend(t.y), rows.z_axis.extend(t.z)]
    }

    /// Whether a box round a middle can feel a limb.
    pub fn touches(&self, limb: usize, middle: Vec3A, half: Vec3A) -> bool {
        let posed = &self.limbs[limb];
        let at = posed.grid_from_posed.transform_point3a(middle);
        let m = posed.grid_from_posed.matrix3;
        let reach = m.x_axis.abs() * half.x + m.y_axis.abs() * half.y + m.z_axis.abs() * half.z;
        (at + reach).cmpge(Vec3A::ZERO).all() && (at - reach).cmple(Vec3A::splat(posed.last)).all()
    }

    /// Up to four limbs side by side.
    pub fn four(&self, limbs: &[u16]) -> FourGrids {
        let mut four = FourGrids::NOWHERE;
        for (lane, &limb) in limbs.iter().enumerate() {
            let posed = &self.limbs[usize::from(limb)];
            let by = &posed.grid_from_posed;
            for axis in 0..3 {
                four.rows[axis][0][lane] = by.matrix3.x_axis[axis];
                four.rows[axis][1][lane] = by.matrix3.y_axis[axis];
                four.rows[axis][2][lane] = by.matrix3.z_axis[axis];
                four.rows[axis][3][lane] = by.translation[axis];
                four.nodes[axis][lane] = posed.nodes[axis];
            }
            four.last[lane] = posed.last;
            four.blocks[lane] = posed.blocks;
        }
        four
    }

    /// One limb at a point.
    #[inline(always)]
    pub fn limb(&self, body: &Body, limb: u16, at: Vec3A) -> Option<Sample> {
        let posed = &self.limbs[usize::from(limb)];
        let found = body.limbs[usize::from(limb)].grid.look_up(posed.grid_from_posed.transform_point3a(at))?;
        Some(Sample { value: found.value, gradient: posed.gradient * found.gradient })
    }

    /// Every limb of a list at a point.
    pub fn feel(&self, body: &Body, near: &[u16], at: Vec3A, values: &mut Values) {
        values.count = 0;
        for &limb in near {
            if let Some(sample) = self.limb(body, limb, at).filter(|s| s.value > 0.0) {
                values.push(limb, sample);
                if values.count == MOST {
                    break;
                }
            }
        }
    }

    /// Where a limb carries a place at rest.
    #[inline(always)]
    pub fn carried(&self, limb: u16, rest: Vec3A) -> Vec3A {
        self.limbs[usize::from(limb)].posed_from_rest.transform_point3a(rest)
    }

    /// The most that the field of a limb can change over a unit of length.
    #[inline(always)]
    pub fn steepest(&self, limb: u16) -> f32 {
        self.limbs[usize::from(limb)].steepest
    }

    /// The same where parts of it are cut off.
    #[inline(always)]
    pub fn sharpest(&self, limb: u16) -> f32 {
        self.limbs[usize::from(limb)].sharpest
    }
}

fn to_f32(a: &DAffine3) -> Affine3A {
    Affine3A::from_mat3_translation(a.matrix3.as_mat3(), a.translation.as_vec3())
}

/// The limbs felt at one point.
#[derive(Clone, Copy, Debug)]
pub struct Values {
    count: usize,
    limbs: [u16; MOST],
    samples: [Sample; MOST],
}

impl Default for Values {
    fn default() -> Self {
        Self { count: 0, limbs: [0; MOST], samples: [Sample::NOTHING; MOST] }
    }
}

impl Values {
    /// Forgets all.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds a limb, if there is room.
    #[inline(always)]
    pub fn push(&mut self, limb: u16, sample: Sample) {
        if self.count < MOST {
            self.limbs[self.count] = limb;
            self.samples[self.count] = sample;
            self.count += 1;
        }
    }

    /// The composed field. `pairs` are those near by whose operator is not a union.
    #[inline(always)]
    pub fn composed(&self, body: &Body, pairs: &[u16]) -> Sample {
        let mut best = Sample::NOTHING;
        for sample in &self.samples[..self.count] {
            if sample.value > best.value {
                best = *sample;
            }
        }
        for &pair in pairs {
            let pair = &body.pairs[usize::from(pair)];
            let find = |limb: u16| self.limbs[..self.count].iter().position(|l| *l == limb);
            if let (Some(a), Some(b)) = (find(pair.limbs[0]), find(pair.limbs[1])) {
                let joined = pair.prepared.combine(self.samples[a], self.samples[b]);
                if joined.value > best.value {
                    best = joined;
                }
            }
        }
        best
    }

    /// One limb.
    #[inline(always)]
    pub fn own(&self, limb: u16) -> Sample {
        let own = self.limbs[..self.count].iter().position(|l| *l == limb);
        own.map_or(Sample::NOTHING, |i| self.samples[i])
    }

    /// The strongest limb but one and those it is grown together with, and which it is.
    #[inline(always)]
    pub fn other(&self, limb: u16, merged: &[u16; MERGED]) -> (Sample, u16) {
        let mut best = (Sample::NOTHING, limb);
        for (sample, &of) in self.samples[..self.count].iter().zip(&self.limbs) {
            if of != limb && sample.value > best.0.value && !merged.contains(&of) {
                best = (*sample, of);
            }
        }
        best
    }

    /// Limbs besides one that are felt with at least this value; the strongest where there are too many.
    pub fn merged(&self, least: f32, among: impl Fn(u16) -> bool) -> [u16; MERGED] {
        let mut found = [u16::MAX; MERGED];
        let mut values = [0.0; MERGED];
        for (sample, &of) in self.samples[..self.count].iter().zip(&self.limbs).filter(|(_, l)| among(**l)) {
            let weakest = (0..MERGED).min_by(|a, b| f32::total_cmp(&values[*a], &values[*b])).unwrap_or(0);
            if sample.value >= least && sample.value > values[weakest] {
                (values[weakest], found[weakest]) = (sample.value, of);
            }
        }
        found
    }

    /// The strongest of some limbs, if any of them is felt.
    pub fn strongest_of(&self, among: impl Fn(u16) -> bool) -> Option<(u16, Sample)> {
        let felt = self.limbs.iter().copied().zip(self.samples).take(self.count).filter(|(l, _)| among(*l));
        felt.reduce(|best, next| if next.1.value > best.1.value { next } else { best })
    }
}

/// Pairs among a list of limbs whose operator is not a union.
pub fn joined<'a>(body: &'a Body, near: &'a [u16]) -> impl Iterator<Item = u16> + 'a {
    let near_pair = |p: &Pair| p.operator.kind != Kind::Union && p.limbs.iter().all(|l| near.contains(l));
    (0u16..).zip(&body.pairs).filter(move |(_, p)| near_pair(p)).map(|(i, _)| i)
}
