use super::{Similarity, Skins, samples::Samples};
use crate::{
    math::rigid_and_scale,
    rig::{Mesh, Rig, Weights},
    solve::{Cholesky, Symmetric},
    weights::edit::nearest::Nearest,
};
use glam::{DAffine3, DMat3, DVec3};
use std::collections::BTreeMap;

/// How stiff the skin of a joint is, from step to step: as one body at first, then ever softer. It keeps its shape, and may turn: an arm
/// that is to swing far would else be matched by its nearest points, which shrink the forearm to half its length, and hand and
/// fingers with it.
const STIFFNESS: [f64; 5] = [3.0, 1.0, 0.3, 0.1, 0.03];
/// Measured on a body whose arms were raised by 40 degrees: 4 steps bring 9,400 of 13,400 vertices to their place, 16 steps 11,500,
/// 30 no more.
const STEPS: usize = 16;
/// How firmly a joint turns with its parent, over the stiffness of its shape. As firmly as that, eight joints of a body with other
/// hands came to lie outside; a tenth leaves one.
const TURNING: f64 = 0.1;
/// How firmly a joint stays on its parent.
const FIRM: f64 = 30.0;
/// What holds joints that nothing else does.
const TETHER: f64 = 1e-6;
/// Pairs farther apart than this share of the diagonal count for half.
const NEAR: f64 = 0.03;
/// Skins that face more apart than this are not the same place of a body.
const FACING: f64 = 0.3;
/// Joints beyond this are not looked at one by one.
const MOST: usize = 1000;
/// Joints of one vertex that are looked at.
const INFLUENCES: usize = 8;

/// Vertices and their shares.
type Corners = [(u32, f64); 3];

/// A place of the source as its joints move it: for each joint, its weight times the place, and its weight.
type Blend = Vec<(u32, [f64; 4])>;

/// Where each joint takes its skin, and how far apart the skins then are in the mean; none where that cannot be told.
pub(super) fn find(
    source: &Rig,
    weights: &Weights,
    skins: &Skins<'_>,
    whole: &Similarity,
) -> Option<(Vec<DAffine3>, f64)> {
    let tree = Tree::of(source, weights);
    if tree.owners.is_empty() || tree.owners.len() > MOST {
        return None;
    }
    // Everything is laid over the target as a whole first, about its centre and in units of its diagonal.
    let center = skins.of_target.center();
    let unit = |p: DVec3| (p - center) / skins.diagonal;
    let points: Vec<DVec3> = source.mesh.positions.iter().map(|p| unit(whole.point(p.as_dvec3()))).collect();
    let heads: Vec<DVec3> =
        tree.owners.iter().map(|&j| unit(whole.point(source.skeleton.joints()[j].rest_position()))).collect();
    let blend = |corners: &Corners| {
        let mut sum = BTreeMap::<u32, [f64; 4]>::new();
        for &(v, share) in corners.iter().filter(|c| c.1 > 0.0) {
            for (j, w) in heaviest(weights.row(v as usize)) {
                let by = share * f64::from(w);
                let entry = sum.entry(tree.number[usize::from(j)]).or_default();
                (0..4).for_each(|i| entry[i] += by * if i < 3 { points[v as usize][i] } else { 1.0 });
            }
        }
        sum.into_iter().collect::<Blend>()
    };
    let of_source: Vec<Blend> = skins.of_source.corners.iter().map(blend).collect();
    let mut maps = vec![DAffine3::IDENTITY; tree.owners.len()];
    for stiffness in STIFFNESS {
        for _ in 0..STEPS {
            let pairs = pairs(source, weights, skins, &maps, &tree, &points, &of_source, &blend, center);
            maps = solve(&tree, &heads, &pairs, stiffness, &maps)?;
        }
    }
    let pairs = pairs(source, weights, skins, &maps, &tree, &points, &of_source, &blend, center);
    let apart: f64 = pairs.iter().map(|p| moved(&maps, &p.0).distance(p.1)).sum();
    if !apart.is_finite() || pairs.is_empty() {
        return None;
    }
    let there = DAffine3::from_scale_rotation_translation(DVec3::splat(skins.diagonal), glam::DQuat::IDENTITY, center);
    let here = there.inverse() * whole.affine();
    let joints = (0..source.skeleton.len()).map(|j| there * maps[tree.number[j] as usize] * here).collect();
    Some((joints, apart / pairs.len() as f64 * skins.diagonal))
}

/// The joints that own skin, and the nearest such joint above each.
struct Tree {
    owners: Vec<usize>,
    above: Vec<Option<u32>>,
    /// Of every joint: the owner it is or hangs on.
    number: Vec<u32>,
}

impl Tree {
    fn of(source: &Rig, weights: &Weights) -> Self {
        let joints = source.skeleton.joints();
        let mut owns = vec![false; joints.len()];
        (0..weights.len()).for_each(|v| weights.row(v).0.iter().for_each(|&j| owns[usize::from(j)] = true));
        let owners: Vec<usize> = (0..joints.len()).filter(|&j| owns[j]).collect();
        let mut nearest: Vec<Option<u32>> = vec![None; joints.len()];
        let mut above = Vec::with_capacity(owners.len());
        for j in 0..joints.len() {
            let upper = joints[j].parent.and_then(|p| nearest[p]);
            nearest[j] = upper;
            if owns[j] {
                // Several roots are held together by the first of them.
                above.push(upper.or((!above.is_empty()).then_some(0)));
                nearest[j] = Some(above.len() as u32 - 1);
            }
        }
        Self { owners, above, number: nearest.into_iter().map(|n| n.unwrap_or(0)).collect() }
    }
}

fn moved(maps: &[DAffine3], blend: &Blend) -> DVec3 {
    let each = |(j, [x, y, z, w]): &(u32, [f64; 4])| {
        let map = &maps[*j as usize];
        map.matrix3 * DVec3::new(*x, *y, *z) + map.translation * *w
    };
    blend.iter().map(each).sum()
}

type Pair = (Blend, DVec3, f64);

#[expect(clippy::too_many_arguments, reason = "one step of find, which has them all at hand")]
fn pairs(
    source: &Rig,
    weights: &Weights,
    skins: &Skins<'_>,
    maps: &[DAffine3],
    tree: &Tree,
    points: &[DVec3],
    of_source: &[Blend],
    blend: &dyn Fn(&Corners) -> Blend,
    center: DVec3,
) -> Vec<Pair> {
    let place = |(v, p): (usize, &DVec3)| {
        let (joints, shares) = weights.row(v);
        let each = joints.iter().zip(shares);
        let at = each.map(|(&j, &w)| maps[tree.number[usize::from(j)] as usize].transform_point3(*p) * f64::from(w));
        (at.sum::<DVec3>() * skins.diagonal + center).as_vec3()
    };
    let skin = Mesh {
        positions: points.iter().enumerate().map(place).collect(),
        triangles: skins.outward.clone(),
        normals: source.mesh.normals.clone(),
        ..Mesh::default()
    };
    let unit = |p: DVec3| (p - center) / skins.diagonal;
    let trust = |apart: f64| (1.0 + (apart / NEAR).powi(2)).recip();
    let faces = |cos: Option<f64>| cos.is_none_or(|cos| cos > FACING);
    let mut pairs = Vec::new();
    let nearest = Nearest::outward(&skin);
    let normals = carried(&skins.of_source, &skin);
    for (i, blend) in of_source.iter().enumerate() {
        let at = moved(maps, blend);
        let Some(found) = skins.target.at(at * skins.diagonal + center) else { continue };
        if faces(skins.target.facing(&found, normals[i])) {
            pairs.push((blend.clone(), unit(found.place), trust(unit(found.place).distance(at))));
        }
    }
    for (p, normal) in skins.of_target.points.iter().zip(&skins.of_target.normals) {
        let Some(found) = nearest.at(*p) else { continue };
        if faces(nearest.facing(&found, *normal)) {
            pairs.push((blend(&found.corners), unit(*p), trust(unit(found.place).distance(unit(*p)))));
        }
    }
    pairs
}

/// Normals of samples on a moved skin, on the side they were on.
fn carried(samples: &Samples, skin: &Mesh) -> Vec<DVec3> {
    let normal = |corners: &[(u32, f64); 3], rest: &DVec3| {
        if skin.triangles.is_empty() {
            return *rest;
        }
        let [a, b, c] = corners.map(|(v, _)| skin.positions[v as usize].as_dvec3());
        (b - a).cross(c - a).normalize_or_zero()
    };
    samples.corners.iter().zip(&samples.normals).map(|(c, n)| normal(c, n)).collect()
}

/// The joints of a vertex that count: the equations grow with the square of their number.
fn heaviest((joints, weights): (&[u16], &[f32])) -> Vec<(u16, f32)> {
    let mut row: Vec<(u16, f32)> = joints.iter().copied().zip(weights.iter().copied()).collect();
    if row.len() > INFLUENCES {
        row.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let all: f32 = row.iter().map(|r| r.1).sum();
        row.truncate(INFLUENCES);
        let some: f32 = row.iter().map(|r| r.1).sum();
        row.iter_mut().for_each(|r| r.1 *= all / some.max(f32::MIN_POSITIVE));
    }
    row
}

/// The maps that bring the pairs together, joints hanging together and as rigid as they can be; `before` tells how they turn (Sorkine,
/// Alexa 2007, "As-rigid-as-possible surface modeling").
fn solve(tree: &Tree, heads: &[DVec3], pairs: &[Pair], stiffness: f64, before: &[DAffine3]) -> Option<Vec<DAffine3>> {
    let size = 4 * tree.owners.len();
    let mut normal = Normal { diagonal: vec![0.0; size], off: BTreeMap::new(), right: vec![0.0; 3 * size], size };
    let share = 1.0 / pairs.len().max(1) as f64;
    for (blend, to, trust) in pairs {
        let row: Vec<(u32, f64)> =
            blend.iter().flat_map(|(j, b)| (0..4).map(move |i| (4 * j + i as u32, b[i]))).collect();
        normal.add(&row, *to, share * trust);
    }
    let each = 1.0 / tree.owners.len() as f64;
    for (j, above) in (0u32..).zip(&tree.above) {
        let Some(p) = above else { continue };
        let head = heads[j as usize];
        let at = |i: usize| if i < 3 { head[i] } else { 1.0 };
        let row: Vec<(u32, f64)> =
            (0..4).flat_map(|i| [(4 * j + i as u32, at(i)), (4 * p + i as u32, -at(i))]).collect();
        normal.add(&row, DVec3::ZERO, FIRM * each);
        for i in 0..3 {
            normal.add(&[(4 * j + i, 1.0), (4 * p + i, -1.0)], DVec3::ZERO, 0.01 * TURNING * stiffness * each);
        }
    }
    let scale = common_scale(before);
    for (j, before) in (0u32..).zip(before) {
        let rigid = DMat3::from_quat(rigid_and_scale(before).rotation) * scale;
        for i in 0..3 {
            normal.add(&[(4 * j + i, 1.0)], rigid.col(i as usize), 0.01 * stiffness * each);
        }
    }
    for unknown in 0..size as u32 {
        let rest = DAffine3::IDENTITY;
        let to = if unknown % 4 < 3 { rest.matrix3.col(unknown as usize % 4) } else { rest.translation };
        normal.add(&[(unknown, 1.0)], to, TETHER);
    }
    let Normal { diagonal, off, mut right, .. } = normal;
    let factor = Cholesky::of(&Symmetric::new(&diagonal, off.into_iter().collect())).ok()?;
    factor.solve(&mut right);
    let column = |unknown: usize| DVec3::new(right[unknown], right[size + unknown], right[2 * size + unknown]);
    let map = |j: usize| DAffine3 {
        matrix3: DMat3::from_cols(column(4 * j), column(4 * j + 1), column(4 * j + 2)),
        translation: column(4 * j + 3),
    };
    let maps: Vec<DAffine3> = (0..tree.owners.len()).map(map).collect();
    maps.iter().all(|m| m.is_finite()).then_some(maps)
}

/// How often as large most joints make their skin: arms in another pose spoil the scale of the whole.
fn common_scale(maps: &[DAffine3]) -> f64 {
    let mut scales: Vec<f64> = maps.iter().map(|m| m.matrix3.determinant().abs().cbrt()).collect();
    scales.sort_by(f64::total_cmp);
    scales[scales.len() / 2]
}

/// Normal equations; x, y and z of the maps share one matrix.
struct Normal {
    diagonal: Vec<f64>,
    off: BTreeMap<[u32; 2], f64>,
    right: Vec<f64>,
    size: usize,
}

impl Normal {
    fn add(&mut self, row: &[(u32, f64)], to: DVec3, weight: f64) {
        for (i, &(a, x)) in row.iter().enumerate() {
            self.diagonal[a as usize] += weight * x * x;
            for &(b, y) in &row[i + 1..] {
                *self.off.entry([a.min(b), a.max(b)]).or_default() += weight * x * y;
            }
            for axis in 0..3 {
                self.right[axis * self.size + a as usize] += weight * x * to[axis];
            }
        }
    }
}
