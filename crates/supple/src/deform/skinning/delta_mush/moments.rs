//! How the skin round each vertex lies, joint by joint: mass, first and second moments of what smoothing gathers there.
//!
//! Ψ_ij = Σ_k B_ik w_kj (u_k, 1)(u_k, 1)ᵀ, B the smoothing: ten functions for each joint, smoothed all at once.

use super::{DeltaMush, smoothing::Smoothing};
use crate::{
    rig::{Rig, Topology, Weights},
    solve::{Laplacian, SolveError},
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
/// Joints smoothed together: enough for every thread, few enough for memory. Their functions are solved eight at a time, so
/// that any multiple of four gives the same bits.
const TOGETHER: [usize; 2] = [4, 16];
/// Bytes that functions smoothed together may take, where that many joints are not too few.
const COLUMNS: usize = 64 << 20;
/// Functions of each joint: xx, xy, xz, yy, yz, zz, x, y, z, 1.
const TEN: usize = 10;

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
#[derive(Clone, Copy, Default)]
struct Raw {
    joint: u32,
    point: u32,
    weight: f64,
    ten: [f64; TEN],
}

impl Moments {
    pub(super) fn of(rig: &Rig, weights: &Weights, settings: &DeltaMush) -> Result<Self, SolveError> {
        let topology = Topology::of(&rig.mesh);
        let laplacian = Laplacian::delaunay(&topology, &rig.mesh.positions);
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

        let by_joint = by_joint(rig, &topology, weights);
        let used: Vec<u32> = (0..by_joint.len() as u32).filter(|&j| !by_joint[j as usize].is_empty()).collect();
        // One after the other: two factors of a large mesh would not fit.
        let smoothing = Smoothing::new(&laplacian, settings.lambda, settings.iterations)?;
        let mut raw = masses(&smoothing, &rest, &by_joint, &used);
        drop(smoothing);
        let smoothing = Smoothing::new(&laplacian, settings.kappa, settings.iterations)?;
        let mut columns = Vec::new();
        for (joints, raw) in used.chunks(TOGETHER[1]).zip(raw.chunks_mut(TOGETHER[1])) {
            columns.clear();
            columns.resize(joints.len() * points, 0.0);
            for (column, &joint) in columns.chunks_mut(points).zip(joints) {
                by_joint[joint as usize].iter().for_each(|&(point, w)| column[point as usize] = w);
            }
            smoothing.smooth(&mut columns);
            for (column, raw) in columns.chunks(points).zip(raw) {
                raw.iter_mut().for_each(|r| r.weight = column[r.point as usize]);
            }
        }
        let own = |point: usize| {
            // Hundreds of joints share this point: it goes by its own weights, without smoothing.
            let (joints, values) = weights.row(topology.weld.first_of[point] as usize);
            let raw = |(&joint, &w): (&u16, &f32)| {
                let weight = f64::from(w) + 2.0 * CUT;
                Raw { joint: joint.into(), point: point as u32, weight, ten: ten(rest[point]).map(|x| weight * x) }
            };
            joints.iter().zip(values).map(raw).collect()
        };
        let mut made = Self { unit, ..Self::default() };
        let (mut rows, mut centers) = (Vec::with_capacity(points), Vec::with_capacity(points));
        by_point(&raw, points, |point, row| {
            if row.is_empty() {
                *row = own(point);
            }
            let start = made.influences.len() as u32;
            let center = about_center(row, settings.alpha, rest[point], &mut made.influences);
            rows.push([start, made.influences.len() as u32]);
            centers.push((center + middle).as_vec3());
        });
        made.rows = topology.weld.welded_of.iter().map(|&p| rows[p as usize]).collect();
        made.centers = topology.weld.welded_of.iter().map(|&p| centers[p as usize]).collect();
        Ok(made)
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

/// The smoothed moments of each joint, where it has some.
fn masses(smoothing: &Smoothing, rest: &[DVec3], by_joint: &[Vec<(u32, f64)>], used: &[u32]) -> Vec<Vec<Raw>> {
    let points = rest.len();
    let together = COLUMNS / (TEN * points * size_of::<f64>()).max(1) / TOGETHER[0] * TOGETHER[0];
    let mut columns = Vec::new();
    let mut raw = Vec::with_capacity(used.len());
    for joints in used.chunks(together.clamp(TOGETHER[0], TOGETHER[1])) {
        columns.clear();
        columns.resize(joints.len() * TEN * points, 0.0);
        for (columns, &joint) in columns.chunks_mut(TEN * points).zip(joints) {
            for &(point, w) in &by_joint[joint as usize] {
                for (k, value) in ten(rest[point as usize]).into_iter().enumerate() {
                    columns[k * points + point as usize] = w * value;
                }
            }
        }
        smoothing.smooth(&mut columns);
        for (columns, &joint) in columns.chunks(TEN * points).zip(joints) {
            let there = || (0..points).filter(|&p| columns[9 * points + p] > CUT);
            let mut own = Vec::with_capacity(there().count());
            own.extend(there().map(|point| {
                let ten = std::array::from_fn(|k| columns[k * points + point]);
                Raw { joint, point: point as u32, weight: 0.0, ten }
            }));
            raw.push(own);
        }
    }
    raw
}

/// Calls `each` with what the joints have at every point, joint by joint.
fn by_point(raw: &[Vec<Raw>], points: usize, mut each: impl FnMut(usize, &mut Vec<Raw>)) {
    let mut starts = vec![0u32; points + 1];
    raw.iter().flatten().for_each(|r| starts[r.point as usize + 1] += 1);
    (0..points).for_each(|p| starts[p + 1] += starts[p]);
    let mut next = starts.clone();
    let mut places = vec![[0u32; 2]; starts[points] as usize];
    for (j, own) in (0u32..).zip(raw) {
        for (i, r) in (0u32..).zip(own) {
            let slot = &mut next[r.point as usize];
            places[*slot as usize] = [j, i];
            *slot += 1;
        }
    }
    let mut row = Vec::new();
    for point in 0..points {
        row.clear();
        let own = &places[starts[point] as usize..starts[point + 1] as usize];
        row.extend(own.iter().map(|&[j, i]| raw[j as usize][i as usize]));
        each(point, &mut row);
    }
}

fn ten(p: DVec3) -> [f64; TEN] {
    [p.x * p.x, p.x * p.y, p.x * p.z, p.y * p.y, p.y * p.z, p.z * p.z, p.x, p.y, p.z, 1.0]
}

/// Points and weights of each joint. Where vertices of one point have weights of their own, the point has their mean.
fn by_joint(rig: &Rig, topology: &Topology, weights: &Weights) -> Vec<Vec<(u32, f64)>> {
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
    by_joint
}

/// Cuts joints that hardly matter, moves the moments of the others to their common centre, and gives that.
fn about_center(raw: &mut Vec<Raw>, alpha: f64, rest: DVec3, out: &mut Vec<Influence>) -> DVec3 {
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
