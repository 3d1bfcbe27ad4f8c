//! The composed field of a character: the largest of the limbs' own fields and of the jointed pairs, each pair joined by its own
//! operator.
//!
//! f = max over pairs k of g_k(f_i, f_j) (equation 3 of the paper). The maximum joins limbs that are not jointed, so that a hand touches
//! a thigh. Siblings are not joined with each other first: the angle between gradients would jump where two of them are equal.
//!
//! Binding makes a [`Body`]; [`Posed`] has the few numbers that a frame needs for each limb; [`Values`] are the fields of the limbs at one
//! point, from which both the composed field and the largest of *other* limbs are read.

use super::{Fitted, FourGrids, Kind, Operator, Sample, limb::End, operator::Prepared};
use crate::{constant::Constant, math::smoothstep, pose::Motion};
use glam::{Affine3A, DAffine3, DQuat, DVec3, Mat3A, Vec3A, Vec4};

/// Limbs whose supports contain one point, at most; further ones are ignored. A fist has eight.
pub const MOST: usize = 12;
/// Limbs, at most, that are continuous with a point of another limb.
pub const MERGED: usize = 4;
/// Bends below this, in degrees, have no fold: the direction of the fold would turn by noise.
const LEAST_FOLD: f64 = 20.0;
/// Sines of half the bends at which contact of jointed limbs begins and is full: 40 and 70 degrees. Before that a fold is only hollow,
/// and the few points deeper in the other limb than in their own would make a slit.
const CONTACT_BENDS: [f32; 2] = [0.342, 0.574];
/// Twists of a joint, in radians, from which on and at which it has no bisector plane: 20 and 50 degrees. Without this a limb that is
/// twisted by 90 and bent by 70 has a spike.
const TWIST_FADE: [f64; 2] = [0.35, 0.87];
/// Largest slope of a field anywhere, over the largest at its nodes.
const SLOPE_BETWEEN_NODES: f64 = 1.2;
/// Siblings that a limb is paired with at most: pairs grow with the square of the fingers.
const MOST_SIBLINGS: usize = 16;

/// The constants that kernels use too; those of operators are in their own list.
pub fn constants() -> Vec<Constant> {
    crate::constants![CONTACT_BENDS]
}

/// Two limbs that are jointed, or two siblings: children of the same limb.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The joint of the child limb; none between siblings.
    pub joint: Option<usize>,
    /// The limbs.
    pub limbs: [u16; 2],
    /// Rest position of the joint, for each limb; siblings each have their own.
    pub at: [DVec3; 2],
    /// Directions from the joint along each limb.
    pub into: [DVec3; 2],
    /// Half the bend at rest, in radians.
    pub bent: f64,
    /// The operator that joins their fields.
    pub operator: Operator,
    prepared: Prepared,
}

/// Every limb of a character.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// The limbs.
    pub limbs: Vec<Fitted>,
    /// Jointed limbs, then siblings.
    pub pairs: Vec<Pair>,
    /// For each limb: the limbs it makes a pair with, and the pair.
    neighbours: Vec<Vec<(u16, u16)>>,
}

impl Body {
    /// Joins fitted limbs. `number[i]` is the index among them of the limb that [`End::other`] calls i, if it has a field; `operator`
    /// gives the operator of a joint.
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

    /// Pairs children of one limb, whose skin is continuous round its end: contact is only on the side to which both point.
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

    /// Replaces the operator of a pair.
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

/// Half the bend between two directions from a joint, in radians.
fn bent(into: [DVec3; 2]) -> f64 {
    (0.5 * into.map(DVec3::normalize_or_zero).iter().sum::<DVec3>().length()).min(1.0).asin()
}

/// Angle by which one motion twists against another about an axis, in radians.
fn twist(parent: &DAffine3, child: &DAffine3, axis: DVec3) -> f64 {
    let turn = |by: &DAffine3| DQuat::from_mat3(&by.matrix3).normalize();
    let between = turn(parent).conjugate() * turn(child);
    2.0 * between.xyz().dot(axis.normalize_or_zero()).abs().atan2(between.w.abs())
}

impl Pair {
    /// Whether its blend rounds a place where the fields of its limbs are these.
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
    /// From gradients in nodes to gradients in posed space.
    gradient: Mat3A,
    /// Nodes per unit of posed length, at most, along each axis of the grid.
    nodes: Vec3A,
    /// Upper bound of the field's slope in posed space.
    steepest: f32,
    /// The same with the steps where parts of the field were cut off.
    sharpest: f32,
    /// The last node on a side of the grid.
    last: f32,
    /// Blocks on a side of the grid.
    blocks: f32,
}

/// A map that takes every point out of the grid.
const NOWHERE: Affine3A = Affine3A { matrix3: Mat3A::ZERO, translation: Vec3A::splat(-9.0) };

/// A pair in one pose: its joint, the direction of the fold and the bisector plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fold {
    /// Posed position of the joint.
    pub at: Vec3A,
    /// Direction of the fold, half-way between the two limbs; zero where they are nearly straight.
    pub towards: Vec3A,
    /// Normal of the bisector plane, on the side of the first limb; zero where the limbs are twisted against each other, since no plane
    /// separates their skin then.
    pub across: Vec3A,
    /// Sine of half the bend.
    pub bend: f32,
    /// Sine of half the bend beyond rest; less where it is twisted.
    pub turned: f32,
    /// Radius of the thinner limb.
    pub radius: f32,
}

impl Fold {
    /// The share of the contact, from 0 where the joint is bent too little for contact to 1.
    #[inline(always)]
    pub fn pressure(&self) -> f32 {
        smoothstep(CONTACT_BENDS, self.bend)
    }

    /// Whether a place is on the inner side of the joint, and the joint bent far enough for contact.
    #[inline(always)]
    pub fn holds(&self, at: Vec3A) -> bool {
        self.bend > CONTACT_BENDS[0] && (at - self.at).dot(self.towards) > 0.0
    }
}

impl Posed {
    /// Takes the memory.
    pub fn of(body: &Body) -> Self {
        let (limbs, folds) = (Vec::with_capacity(body.limbs.len()), Vec::with_capacity(body.pairs.len()));
        Self { limbs, folds }
    }

    /// Takes the limbs to a motion. A limb whose joint is scaled to zero has no field.
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
            let steepest = (SLOPE_BETWEEN_NODES * limb.steepest * squash) as f32;
            let sharpest = (SLOPE_BETWEEN_NODES * limb.sharpest.max(limb.steepest) * squash) as f32;
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
            let straight = (TWIST_FADE[1] - twist) / (TWIST_FADE[1] - TWIST_FADE[0]);
            // A joint that is scaled to zero has no twist: the angle is not a number, and the pair has no bisector plane.
            let straight = if straight > 0.0 { straight.min(1.0) } else { 0.0 };
            let turned = straight * (bend.asin() - pair.bent).max(0.0).sin();
            let across = if straight > 0.0 { across } else { DVec3::ZERO };
            let least = 2.0 * (0.5 * LEAST_FOLD).to_radians().sin();
            let towards = if towards.length() > least { towards.normalize() } else { DVec3::ZERO };
            let at = 0.5 * (parent.transform_point3(pair.at[0]) + child.transform_point3(pair.at[1]));
            let at = at.as_vec3a();
            let (towards, across) = (towards.as_vec3a(), across.as_vec3a());
            let [a, b] = pair.limbs.map(|l| body.limbs[usize::from(l)].radius);
            let (bend, turned, radius) = (bend as f32, turned as f32, a.min(b) as f32);
            self.folds.push(Fold { at, towards, across, bend, turned, radius });
        }
    }

    /// The fold of a pair.
    #[inline(always)]
    pub fn fold(&self, pair: u16) -> &Fold {
        &self.folds[usize::from(pair)]
    }

    /// The map from a posed place to the nodes of a limb's grid, row by row.
    pub fn rows(&self, limb: usize) -> [Vec4; 3] {
        let (rows, t) = (&self.limbs[limb].gradient, self.limbs[limb].grid_from_posed.translation);
        [rows.x_axis.extend(t.x), rows.y_axis.extend(t.y), rows.z_axis.extend(t.z)]
    }

    /// The map by which a limb moves its rest positions, row by row.
    pub fn carry_rows(&self, limb: usize) -> [Vec4; 3] {
        let by = &self.limbs[limb].posed_from_rest;
        let (rows, t) = (by.matrix3.transpose(), by.translation);
        [rows.x_axis.extend(t.x), rows.y_axis.extend(t.y), rows.z_axis.extend(t.z)]
    }

    /// Whether a box of this middle and half-size meets the grid of a limb.
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

    /// The field of one limb at a point; none outside of its grid.
    #[inline(always)]
    pub fn limb(&self, body: &Body, limb: u16, at: Vec3A) -> Option<Sample> {
        let posed = &self.limbs[usize::from(limb)];
        let found = body.limbs[usize::from(limb)].grid.look_up(posed.grid_from_posed.transform_point3a(at))?;
        Some(Sample { value: found.value, gradient: posed.gradient * found.gradient })
    }

    /// The fields of the limbs of a list at a point.
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

    /// The posed position to which a limb moves a rest position.
    #[inline(always)]
    pub fn carried(&self, limb: u16, rest: Vec3A) -> Vec3A {
        self.limbs[usize::from(limb)].posed_from_rest.transform_point3a(rest)
    }

    /// Upper bound of the slope of a limb's field.
    #[inline(always)]
    pub fn steepest(&self, limb: u16) -> f32 {
        self.limbs[usize::from(limb)].steepest
    }

    /// The same with the steps where parts of the field were cut off.
    #[inline(always)]
    pub fn sharpest(&self, limb: u16) -> f32 {
        self.limbs[usize::from(limb)].sharpest
    }
}

fn to_f32(a: &DAffine3) -> Affine3A {
    Affine3A::from_mat3_translation(a.matrix3.as_mat3(), a.translation.as_vec3())
}

/// The fields of the limbs at one point.
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
    /// Removes all limbs.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds a limb, unless there are [`MOST`].
    #[inline(always)]
    pub fn push(&mut self, limb: u16, sample: Sample) {
        if self.count < MOST {
            self.limbs[self.count] = limb;
            self.samples[self.count] = sample;
            self.count += 1;
        }
    }

    /// The composed field. `pairs` are those near the point whose operator is not a union.
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

    /// The field of one limb.
    #[inline(always)]
    pub fn own(&self, limb: u16) -> Sample {
        let own = self.limbs[..self.count].iter().position(|l| *l == limb);
        own.map_or(Sample::NOTHING, |i| self.samples[i])
    }

    /// The largest field of other limbs, and which limb has it: without one limb and those that are continuous with the point.
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

    /// The limbs of some whose fields have at least this value; the largest where there are too many.
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

    /// The largest field of some limbs, and which limb has it.
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
