//! How the skin round each vertex lies, joint by joint: mass, first and second moments of what smoothing gathers there.
//!
//! Ψ_ij = Σ_k B_ik w_kj (u_k, 1)(u_k, 1)ᵀ, B the smoothing: ten functions for each joint, smoothed all at once, where the
//! joint moves skin and as far round it as it counts.

use super::{DeltaMush, series::Series, walk::Walk};
use crate::{
    parallel::for_each_block,
    rig::{Rig, Topology, Weights},
};
use bytemuck::{Pod, Zeroable};
use glam::{DVec3, Vec3};

/// A joint with less of a vertex's neighbourhood than this has no say in it; from there to twice as much its say grows to
/// the whole, so that nothing jumps where a joint comes in. It leaves 4.7 of 21 joints a vertex on the example hand of 8,311
/// vertices, and 3.8 of 23 on the figure.
const CUT: f64 = 2e-3;
/// Roundness given to every neighbourhood, over its spread: so much as to tell directions apart where the skin is a line.
const ROUND: f64 = 1e-3;
/// Spread of a neighbourhood of one point, over the diagonal squared: any number will do, since nothing is compared to it.
const POINT: f64 = 1e-9;
/// Share of a joint's skin that may be missed: rings further away than this is felt are not looked at. Well below the cut,
/// since the bound is one of means over the surface.
const MISSED: f64 = 0.1 * CUT;
/// Points with weights of joints that are smoothed together: 1 GB, or one joint.
const TOGETHER: usize = 2 << 20;
/// Points a thread takes at a time when their joints are put together.
const BLOCK: usize = 2048;
/// Functions of each joint: xx, xy, xz, yy, yz, zz, x, y, z, 1.
pub(in crate::deform::skinning) const TEN: usize = 10;

/// What one joint moves of the skin round a vertex, about the centre, lengths over the diagonal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Influence {
    /// The joint.
    pub joint: u32,
    /// How much of the centre it carries; the shares of a vertex sum to one.
    pub share: f32,
    /// First moments.
    pub first: [f32; 3],
    /// Second moments: xx, xy, xz, yy, yz, zz.
    pub second: [f32; 6],
}

/// The influences of every vertex.
#[derive(Debug, Default)]
pub struct Moments {
    /// All influences, point by point of the welded surface.
    pub influences: Vec<Influence>,
    /// First influence and end, for each vertex.
    pub rows: Vec<[u32; 2]>,
    /// The smoothed rest point of each vertex, over the diagonal.
    pub centers: Vec<Vec3>,
    /// The diagonal.
    pub unit: f32,
}

/// Moments about the origin, and smoothed weight, of a joint at a point.
#[derive(Clone, Copy)]
pub(in crate::deform::skinning) struct Raw {
    pub joint: u32,
    pub point: u32,
    pub weight: f64,
    pub ten: [f64; TEN],
}

/// A joint, the points it moves with its weights there, and what smoothing makes of them.
struct OfJoint {
    joint: u32,
    given: Vec<(u32, f64)>,
    found: Vec<Raw>,
}

/// What was found for some points in a row.
#[derive(Default)]
struct Found {
    influences: Vec<Influence>,
    /// For each point: where its influences end, and its centre.
    points: Vec<(usize, DVec3)>,
}

impl Moments {
    pub(super) fn of(rig: &Rig, weights: &Weights, settings: &DeltaMush) -> Self {
        let surface = rig.surface();
        let topology = surface.topology();
        let unit = rig.diagonal();
        let points = topology.points();
        let middle = rig.mesh.bounds().center().as_dvec3() / f64::from(unit);
        let first_of = topology.weld.first_of.iter();
        let place = |&v: &u32| {
            let p = rig.mesh.positions[v as usize].as_dvec3();
            // One bad point must not spoil all that it is smoothed with.
            if p.is_finite() { p / f64::from(unit) - middle } else { DVec3::ZERO }
        };
        let rest: Vec<DVec3> = first_of.map(place).collect();

        let mut joints = by_joint(rig, topology, weights);
        smooth(&mut joints, &Walk::over(surface.laplacian()), &rest, settings);
        let own = |point: usize| {
            // Hundreds of joints share this point: it goes by its own weights, without smoothing.
            let (joints, values) = weights.row(topology.weld.first_of[point] as usize);
            let raw = |(&joint, &w): (&u16, &f32)| {
                let weight = f64::from(w) + 2.0 * CUT;
                Raw { joint: joint.into(), point: point as u32, weight, ten: ten(rest[point]).map(|x| weight * x) }
            };
            joints.iter().zip(values).map(raw).collect()
        };
        let places = Places::of(&joints, points);
        let mut found: Vec<Found> = (0..points.div_ceil(BLOCK)).map(|_| Found::default()).collect();
        for_each_block(&mut found, 1, |block, found| {
            let found = &mut found[0];
            let mut row = Vec::new();
            for (point, &at) in rest.iter().enumerate().skip(block * BLOCK).take(BLOCK) {
                row.clear();
                row.extend(places.of_point(point).iter().map(|&[j, i]| joints[j as usize].found[i as usize]));
                if row.is_empty() {
                    row = own(point);
                }
                let center = about_center(&mut row, settings.alpha, at, &mut found.influences);
                found.points.push((found.influences.len(), center));
            }
        });
        let mut influences = Vec::with_capacity(found.iter().map(|f| f.influences.len()).sum());
        let (mut rows, mut centers) = (Vec::with_capacity(points), Vec::with_capacity(points));
        for found in found {
            let mut start = influences.len() as u32;
            for &(end, center) in &found.points {
                let end = (influences.len() + end) as u32;
                rows.push([start, end]);
                centers.push((center + middle).as_vec3());
                start = end;
            }
            influences.extend(found.influences);
        }
        let per_vertex = &topology.weld.welded_of;
        Self {
            influences,
            rows: per_vertex.iter().map(|&p| rows[p as usize]).collect(),
            centers: per_vertex.iter().map(|&p| centers[p as usize]).collect(),
            unit,
        }
    }

    /// The influences of a vertex and its smoothed rest point.
    #[inline(always)]
    pub fn row(&self, vertex: usize) -> (&[Influence], Vec3) {
        let [first, end] = self.rows[vertex];
        (&self.influences[first as usize..end as usize], self.centers[vertex])
    }

    /// Rest position in, moved position out, the centre, and the influences.
    pub fn bytes_per_frame(&self) -> usize {
        self.rows.len() * (3 * size_of::<Vec3>() + 8) + self.influences.len() * size_of::<Influence>()
    }
}

/// Fills in the smoothed moments and weights of each joint, where it has some.
fn smooth(joints: &mut [OfJoint], walk: &Walk, rest: &[DVec3], settings: &DeltaMush) {
    let skin = Series::of(settings.lambda, settings.iterations);
    let weights = Series::of(settings.kappa, settings.iterations);
    let wanted = skin.reach(MISSED);
    let rings = (skin.terms.len().max(weights.terms.len()) - 1 + wanted) / 2;
    let mut left = joints;
    while !left.is_empty() {
        let mut points = 0;
        let fit = left.iter().take_while(|of| {
            points += of.given.len();
            points <= TOGETHER
        });
        let count = fit.count().max(1);
        let (now, later) = left.split_at_mut(count);
        left = later;
        for_each_block(now, 1, |_, of| {
            let of = &mut of[0];
            let patch = walk.patch(of.given.iter().map(|(point, _)| *point), rings);
            let given = &patch.points[..of.given.len()];
            let weight = |point: &u32| of.given[of.given.partition_point(|(p, _)| p < point)].1;
            let shares: Vec<[f64; 1]> = given.iter().map(|p| [weight(p)]).collect();
            let moments = given.iter().zip(&shares).map(|(p, [w])| ten(rest[*p as usize]).map(|x| w * x));
            let moments = patch.smoothed(&skin, &moments.collect::<Vec<_>>(), wanted);
            let shares = patch.smoothed(&weights, &shares, wanted);
            let found = patch.points.iter().zip(moments).zip(shares).filter(|((_, ten), _)| ten[9] > CUT);
            of.found = found.map(|((&point, ten), [weight])| Raw { joint: of.joint, point, weight, ten }).collect();
        });
    }
}

/// Where the joints of each point are found, joint by joint.
struct Places {
    starts: Vec<u32>,
    list: Vec<[u32; 2]>,
}

impl Places {
    fn of(joints: &[OfJoint], points: usize) -> Self {
        let mut starts = vec![0u32; points + 1];
        joints.iter().flat_map(|of| &of.found).for_each(|r| starts[r.point as usize + 1] += 1);
        (0..points).for_each(|p| starts[p + 1] += starts[p]);
        let mut next = starts.clone();
        let mut list = vec![[0u32; 2]; starts[points] as usize];
        for (j, of) in (0u32..).zip(joints) {
            for (i, r) in (0u32..).zip(&of.found) {
                let slot = &mut next[r.point as usize];
                list[*slot as usize] = [j, i];
                *slot += 1;
            }
        }
        Self { starts, list }
    }

    fn of_point(&self, point: usize) -> &[[u32; 2]] {
        &self.list[self.starts[point] as usize..self.starts[point + 1] as usize]
    }
}

pub(in crate::deform::skinning) fn ten(p: DVec3) -> [f64; TEN] {
    [p.x * p.x, p.x * p.y, p.x * p.z, p.y * p.y, p.y * p.z, p.z * p.z, p.x, p.y, p.z, 1.0]
}

/// The joints that move something. Where vertices of one point have weights of their own, the point has their mean.
fn by_joint(rig: &Rig, topology: &Topology, weights: &Weights) -> Vec<OfJoint> {
    let mut copies = vec![0u32; topology.points()];
    for &point in &topology.weld.welded_of {
        copies[point as usize] += 1;
    }
    let mut by_joint = vec![Vec::<(u32, f64)>::new(); rig.skeleton.len()];
    for (v, &point) in topology.weld.welded_of.iter().enumerate() {
        let (joints, values) = weights.row(v);
        for (&joint, &w) in joints.iter().zip(values) {
            by_joint[usize::from(joint)].push((point, f64::from(w) / f64::from(copies[point as usize])));
        }
    }
    for list in &mut by_joint {
        list.sort_by_key(|(point, _)| *point);
        list.dedup_by(|later, first| {
            let same = later.0 == first.0;
            first.1 += if same { later.1 } else { 0.0 };
            same
        });
    }
    let moving = (0u32..).zip(by_joint).filter(|(_, given)| !given.is_empty());
    moving.map(|(joint, given)| OfJoint { joint, given, found: Vec::new() }).collect()
}

/// Cuts joints that hardly matter, moves the moments of the others to their common centre, and gives that.
pub(in crate::deform::skinning) fn about_center(
    raw: &mut Vec<Raw>,
    alpha: f64,
    rest: DVec3,
    out: &mut Vec<Influence>,
) -> DVec3 {
    for r in raw.iter_mut() {
        let grown = ((r.ten[9] - CUT) / CUT).clamp(0.0, 1.0);
        let kept = grown * grown * (3.0 - 2.0 * grown);
        r.ten.iter_mut().for_each(|x| *x *= kept);
        r.weight *= kept;
    }
    raw.retain(|r| r.ten[9] > 0.0);
    let mass: f64 = raw.iter().map(|r| r.ten[9]).sum();
    let weight: f64 = raw.iter().map(|r| r.weight).sum();
    let center = raw.iter().map(|r| DVec3::new(r.ten[6], r.ten[7], r.ten[8])).sum::<DVec3>() / mass;
    let center = if center.is_finite() { center } else { rest };
    let spread: f64 = raw.iter().map(|r| r.ten[0] + r.ten[3] + r.ten[5]).sum::<f64>() / mass - center.length_squared();
    let round = ROUND * spread.max(0.0) + POINT;
    // Heaviest first: sums are then taken about a point that most of the vertex follows.
    raw.sort_by(|a, b| b.ten[9].total_cmp(&a.ten[9]).then(a.joint.cmp(&b.joint)));
    for r in raw.iter() {
        let t = r.ten.map(|x| x / mass);
        let b = t[9];
        let first = DVec3::new(t[6], t[7], t[8]) - b * center;
        // Σ w (u - c)(u - c)ᵀ = Σ w u uᵀ - s cᵀ - c sᵀ - b c cᵀ, s = Σ w (u - c).
        let about = |k: usize, i: usize, j: usize| {
            t[k] - first[i] * center[j] - center[i] * first[j] - b * center[i] * center[j]
        };
        let diagonal = |k: usize, i: usize| about(k, i, i) + b * round;
        let second = [diagonal(0, 0), about(1, 0, 1), about(2, 0, 2), diagonal(3, 1), about(4, 1, 2), diagonal(5, 2)];
        let smooth = if weight > 0.0 { r.weight / weight } else { b };
        out.push(Influence {
            joint: r.joint,
            share: ((1.0 - alpha) * b + alpha * smooth) as f32,
            first: first.as_vec3().to_array(),
            second: second.map(|x| x as f32),
        });
    }
    center
}
