//! One side of a character given to the other.

mod joints;
mod names;

use super::{EditError, EditReport, check_joints, check_mesh, nearest::Nearest, normalize, row, row::Row, setting};
use crate::{
    parallel,
    rig::{Mesh, Rig, Skeleton, Topology, Weights},
};
use joints::Setting;
use serde::Serialize;

/// An axis of the rest space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Axis {
    /// The first coordinate.
    X,
    /// The second.
    Y,
    /// The third.
    Z,
}

impl Axis {
    fn index(self) -> usize {
        self as usize
    }
}

/// The side that is kept and given to the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// That of the joints named left.
    #[default]
    Left,
    /// That of the joints named right.
    Right,
    /// Greater coordinates.
    Positive,
    /// Lesser coordinates.
    Negative,
}

/// What is mirrored where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MirrorOptions {
    /// Across the plane square to this axis; none: the one along which joints named left and right lie apart, else x.
    pub axis: Option<Axis>,
    /// Where the plane is; none: between the joints named left and right, else in the middle of the box.
    pub place: Option<f64>,
    /// The side that is kept.
    pub from: Side,
    /// How far from the mirrored surface a vertex may lie, in diagonals of the box.
    pub distance: f64,
}

impl Default for MirrorOptions {
    fn default() -> Self {
        Self { axis: None, place: None, from: Side::Left, distance: 0.02 }
    }
}

/// How a joint found its partner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PairedBy {
    /// Left and right in the names.
    Name,
    /// It lies where the mirror shows it.
    Place,
    /// It lies on the plane and is its own partner.
    Middle,
}

/// Two joints that are each other's image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JointPair {
    /// The one with the smaller number.
    pub joint: usize,
    /// The other; the same for a joint of the middle.
    pub partner: usize,
    /// How they were found.
    pub by: PairedBy,
}

/// Vertices of one piece of the surface that found nothing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Unpaired {
    /// The piece, counted from 0 in the order of its first vertex.
    pub component: u32,
    /// How many.
    pub vertices: usize,
    /// The first of them.
    pub first: u32,
}

/// What was mirrored, and what was not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MirrorReport {
    /// The axis of the mirror.
    pub axis: Axis,
    /// Where its plane is.
    pub place: f64,
    /// Whether the side of greater coordinates was kept.
    pub kept_positive: bool,
    /// Pairs found by name.
    pub pairs_by_name: usize,
    /// Pairs found by place.
    pub pairs_by_place: usize,
    /// Joints on the plane.
    pub middle_joints: usize,
    /// Names of the joints without a partner; their weights stay theirs.
    pub unpaired_joints: Vec<String>,
    /// Vertices that took a row from the other side.
    pub mirrored: usize,
    /// Vertices on the plane, made the same on both sides.
    pub middle: usize,
    /// Vertices that should have been given a row and were left as they are.
    pub unpaired: usize,
    /// The same by pieces of the surface.
    pub unpaired_pieces: Vec<Unpaired>,
    /// What it did to the table.
    #[serde(flatten)]
    pub edit: EditReport,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Named {
    left: usize,
    right: usize,
}

/// Vertices nearer to the plane than this belong to both sides, in diagonals.
const MIDDLE: f64 = 1e-4;
const BLOCK: usize = 256;

/// The joints that [`mirror`] would pair.
pub fn pair_joints(mesh: &Mesh, skeleton: &Skeleton, options: &MirrorOptions) -> Result<Vec<JointPair>, EditError> {
    Ok(Setting::of(skeleton, mesh.bounds(), options)?.pairs())
}

/// Joints whose names differ in the side alone, as (left, right).
pub(crate) fn sides(skeleton: &Skeleton) -> impl Iterator<Item = (usize, usize)> {
    names::pairs(skeleton).into_iter().map(|n| (n.left, n.right))
}

enum Took {
    Kept,
    Mirrored,
    Middle,
    Nothing,
}

/// Gives the weights of one side to the other: each vertex there takes the row of the nearest point of the surface to its
/// own mirror image, each joint of it changed for its partner. Props, which follow one joint as a whole, stay as they are.
pub fn mirror(rig: &Rig, options: &MirrorOptions) -> Result<(Weights, MirrorReport), EditError> {
    let Rig { mesh, skeleton, .. } = rig;
    let weights = rig.weights.as_ref().ok_or_else(|| EditError::Unweighted { name: rig.name.clone() })?;
    check_mesh(mesh, Some(weights))?;
    check_joints(skeleton, weights)?;
    let MirrorOptions { distance, place, .. } = *options;
    setting("distance", distance, distance.is_finite() && distance >= 0.0, "must be finite and not negative")?;
    setting("at", place.unwrap_or(0.0), place.is_none_or(f64::is_finite), "must be finite")?;
    let set = Setting::of(skeleton, mesh.bounds(), options)?;
    let diagonal = f64::from(mesh.bounds().diagonal());
    let surface = mesh.surface();
    let topology = surface.topology();
    let weld = &topology.weld;
    let old = normalize::per_point(weld, weights);
    let (skin, prop) = without_props(rig);
    let nearest = Nearest::of(&skin);
    let image = |row: &Row| {
        let partner = |j: u16| set.partner[usize::from(j)].map_or(j, |p| p.0 as u16);
        let mut image = Row::new();
        row.iter().for_each(|&(j, w)| row::add(&mut image, 1.0, &[(partner(j), w)]));
        image
    };
    let mirrored = |point: usize| -> (Took, Row) {
        let vertex = weld.first_of[point] as usize;
        let p = mesh.positions[vertex].as_dvec3();
        let side = set.kept * (p[set.axis.index()] - set.place);
        if prop[vertex] || side > MIDDLE * diagonal || side.is_nan() {
            return (Took::Kept, old[point].clone());
        }
        if side >= -MIDDLE * diagonal {
            let other = image(&old[point]);
            return (Took::Middle, row::blend([(0.5, &old[point]), (0.5, &other)]));
        }
        let fits = |found: &super::nearest::Found| {
            // On a thin wall the nearest point may lie on its other face; a hair away it is the vertex's own image.
            let facing = nearest.facing(found, set.mirrored_direction(nearest.normals[vertex]));
            found.distance <= distance * diagonal
                && (found.distance <= MIDDLE * diagonal || facing.is_none_or(|cos| cos > 0.0))
        };
        match nearest.at(set.mirrored(p)).filter(fits) {
            Some(found) => (Took::Mirrored, image(&found.row(weights))),
            None => (Took::Nothing, old[point].clone()),
        }
    };
    let mut results: Vec<(Took, Row)> = (0..topology.points()).map(|_| (Took::Kept, Row::new())).collect();
    parallel::for_each_block(&mut results, BLOCK, |first, block| {
        for (point, out) in (first..).zip(block) {
            *out = mirrored(point);
        }
    });
    let table = row::table(weld.welded_of.iter().map(|&p| results[p as usize].1.clone()), |_| 0);
    let report = report(&set, skeleton, topology, &results, EditReport::between(weights, &table));
    Ok((table, report))
}

/// The skin alone, and which vertices belong to props.
fn without_props(rig: &Rig) -> (Mesh, Vec<bool>) {
    let mut prop = vec![false; rig.mesh.positions.len()];
    for part in rig.parts.iter().filter(|p| !p.skinned) {
        let range = part.vertices.start as usize..part.vertices.end as usize;
        prop.get_mut(range).unwrap_or_default().fill(true);
    }
    let mut skin = Mesh { positions: rig.mesh.positions.clone(), ..Mesh::default() };
    skin.triangles = rig.mesh.triangles.iter().copied().filter(|t| !prop[t[0] as usize]).collect();
    (skin, prop)
}

fn report(
    set: &Setting,
    skeleton: &Skeleton,
    topology: &Topology,
    results: &[(Took, Row)],
    edit: EditReport,
) -> MirrorReport {
    let pairs = set.pairs();
    let count = |by: PairedBy| pairs.iter().filter(|p| p.by == by).count();
    let alone = skeleton.joints().iter().zip(&set.partner).filter(|(_, p)| p.is_none());
    let mut report = MirrorReport {
        axis: set.axis,
        place: set.place,
        kept_positive: set.kept > 0.0,
        pairs_by_name: count(PairedBy::Name),
        pairs_by_place: count(PairedBy::Place),
        middle_joints: count(PairedBy::Middle),
        unpaired_joints: alone.map(|(j, _)| j.name.clone()).collect(),
        mirrored: 0,
        middle: 0,
        unpaired: 0,
        unpaired_pieces: Vec::new(),
        edit,
    };
    let mut lost = Vec::new();
    for (vertex, &point) in (0u32..).zip(&topology.weld.welded_of) {
        match results[point as usize].0 {
            Took::Kept => {}
            Took::Mirrored => report.mirrored += 1,
            Took::Middle => report.middle += 1,
            Took::Nothing => lost.push(vertex),
        }
    }
    report.unpaired = lost.len();
    report.unpaired_pieces = pieces(topology, lost);
    report
}

/// Vertices by the piece of the surface they belong to.
pub(super) fn pieces(topology: &Topology, vertices: impl IntoIterator<Item = u32>) -> Vec<Unpaired> {
    let mut pieces = std::collections::BTreeMap::new();
    for vertex in vertices {
        let component = topology.component_of[topology.weld.welded_of[vertex as usize] as usize];
        pieces.entry(component).or_insert(Unpaired { component, vertices: 0, first: vertex }).vertices += 1;
    }
    pieces.into_values().collect()
}
