//! Weights from another rig: taken over where the two surfaces clearly are the same, continued smoothly elsewhere.
//!
//! Abdrashitov, Raichstat, Monsen, Hill 2023, "Robust skin weights transfer via weight inpainting". Nearest points alone
//! put the weights of the chest on the inside of a sleeve; a test of distance and of normals finds such places, and the
//! weights there come from their neighbours on the same surface.

mod align;
mod inpaint;

pub use align::Carried;

use super::{
    EditError, Unpaired, check_joints, check_mesh, mirror,
    nearest::Nearest,
    row::{self, Row},
    setting, smooth,
};
use crate::{
    parallel,
    pose::{Channel, Clip},
    rig::{Joint, Rig, Role, Skeleton, Topology, Weights},
};
use align::align;
use serde::Serialize;

/// Which vertices are taken over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TransferOptions {
    /// How far from the other surface a vertex may lie, in diagonals of its box.
    pub distance: f64,
    /// How far its normal may be turned against the one there, in degrees.
    pub angle: f64,
    /// How often the weights round what was continued are smoothed.
    pub smooth: usize,
    /// Lay the source over the target first: turned, scaled and moved as a whole, then limb by limb.
    pub align: bool,
}

impl Default for TransferOptions {
    fn default() -> Self {
        Self { distance: 0.05, angle: 35.0, smooth: 10, align: false }
    }
}

/// Where weights came from.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TransferReport {
    /// Vertices of the target.
    pub vertices: usize,
    /// Taken from the nearest point of the source.
    pub matched: usize,
    /// Continued over the surface.
    pub inpainted: usize,
    /// Of pieces on which nothing matched: the nearest point, whatever it is.
    pub nearest: usize,
    /// Those pieces.
    pub nearest_pieces: Vec<Unpaired>,
    /// Vertices whose place is not finite: the first joint.
    pub lost: usize,
    /// Joints of the source that own something and have a namesake.
    pub joints_matched: usize,
    /// Those that have none, and who took their weight.
    pub joints_replaced: Vec<Replaced>,
    /// The most influences a vertex has.
    pub influences: usize,
    /// How the skeleton of the source was laid into the target; none where it was not aligned, or the target has its own.
    pub carried: Option<Carried>,
}

/// What a target gets.
#[derive(Clone, Debug, PartialEq)]
pub struct Transferred {
    /// The target's own skeleton or, where it has none, the source's: laid into the target where it was aligned.
    pub skeleton: Skeleton,
    /// Of the target's vertices, over that skeleton.
    pub weights: Weights,
    /// Clips of that skeleton.
    pub clips: Vec<Clip>,
    /// Where the weights came from.
    pub report: TransferReport,
}

/// A joint whose weight went to another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Replaced {
    /// The joint of the source.
    pub joint: String,
    /// The joint of the target.
    pub by: String,
}

const BLOCK: usize = 256;
/// The part of a row that flows to its neighbours each time, near what was continued (section 4.3 of the paper).
const FLOW: f64 = 0.2;

/// Takes the weights of `source` over to `target`, with the skeleton they belong to: the target's own, or the source's
/// where it has none.
pub fn transfer(source: &Rig, target: &Rig, options: &TransferOptions) -> Result<Transferred, EditError> {
    let unweighted = || EditError::Unweighted { name: source.name.clone() };
    let weights = source.weights.as_ref().filter(|w| !w.is_empty()).ok_or_else(unweighted)?;
    check_mesh(&source.mesh, Some(weights))?;
    check_joints(&source.skeleton, weights)?;
    check_mesh(&target.mesh, None)?;
    let TransferOptions { distance, angle, .. } = *options;
    setting("distance", distance, distance.is_finite() && distance >= 0.0, "must be finite and not negative")?;
    let steps = options.smooth as f64;
    setting("smooth", steps, options.smooth <= 10_000, "0 to 10000 steps are possible")?;
    setting("angle", angle, (0.0..=180.0).contains(&angle), "0 to 180 degrees are possible")?;

    let mut report = TransferReport { vertices: target.mesh.positions.len(), ..TransferReport::default() };
    let partner = partners(source, target, weights, &mut report)?;
    let aligned = if options.align { align(source, weights, target) } else { None };
    let skin = aligned.as_ref().map(|a| a.skin(&source.mesh, weights));
    let nearest = Nearest::of(skin.as_ref().unwrap_or(&source.mesh));
    if nearest.is_empty() {
        return Err(EditError::NoSurface { name: source.name.clone() });
    }
    let surface = target.surface();
    let topology = surface.topology();
    let found = look(&nearest, target, weights, topology, options);

    let mut matched_in = vec![false; topology.components];
    for (point, f) in found.iter().enumerate() {
        matched_in[topology.component_of[point] as usize] |= f.fits;
    }
    let rename = |row: &Row| {
        let mut named = Row::new();
        row.iter().for_each(|&(j, w)| row::add(&mut named, 1.0, &[(partner[usize::from(j)], w)]));
        named
    };
    let mut rows: Vec<Row> = found.iter().map(|f| f.row.as_ref().map(rename).unwrap_or_default()).collect();
    let settled = |p: usize| found[p].fits || !matched_in[topology.component_of[p] as usize];
    let known: Vec<bool> = (0..found.len()).map(settled).collect();
    inpaint::inpaint(&surface, &known, &mut rows)?;
    if options.smooth > 0 && known.iter().any(|k| !k) {
        let shares = smooth::Shares::of(&surface);
        let near = |p: usize| !known[p] || topology.ring(p as u32).iter().any(|&n| !known[n as usize]);
        let near: Vec<bool> = (0..known.len()).map(near).collect();
        smooth::flow(&shares, &mut rows, FLOW, options.smooth, |p| near[p]);
    }
    let table = row::table(topology.weld.welded_of.iter().map(|&p| rows[p as usize].clone()), |_| 0);

    let mut alone = Vec::new();
    for (vertex, &point) in (0u32..).zip(&topology.weld.welded_of) {
        let point = point as usize;
        if found[point].row.is_none() && known[point] {
            report.lost += 1;
        } else if !known[point] {
            report.inpainted += 1;
        } else if found[point].fits {
            report.matched += 1;
        } else {
            alone.push(vertex);
        }
    }
    report.nearest = alone.len();
    report.nearest_pieces = mirror::pieces(topology, alone);
    report.influences = table.most_influences();
    let (skeleton, clips) = if has_bones(&target.skeleton) {
        (target.skeleton.clone(), target.clips.clone())
    } else if let Some((skeleton, clips, carried)) = aligned.and_then(|a| a.carry(source)) {
        report.carried = Some(carried);
        (skeleton, clips)
    } else {
        (source.skeleton.clone(), source.clips.iter().filter_map(without_morphs).collect())
    };
    Ok(Transferred { skeleton, weights: table, clips, report })
}

/// Nodes that only carry a mesh, as every file of some formats has them, are no skeleton.
fn has_bones(skeleton: &Skeleton) -> bool {
    skeleton.joints().iter().any(|j| j.role == Role::Bone)
}

/// The clip without tracks for morphs, which are those of another mesh.
fn without_morphs(clip: &Clip) -> Option<Clip> {
    let tracks = clip.tracks().iter().filter(|t| !matches!(t.channel, Channel::Morph(_))).cloned().collect();
    Clip::new(clip.name.clone(), tracks).ok()
}

#[derive(Clone, Default)]
struct Match {
    fits: bool,
    row: Option<Row>,
}

fn look(
    nearest: &Nearest<'_>,
    target: &Rig,
    weights: &Weights,
    topology: &Topology,
    options: &TransferOptions,
) -> Vec<Match> {
    let reach = options.distance * nearest.diagonal();
    let least = options.angle.to_radians().cos();
    let normals = super::nearest::normals(&target.mesh);
    let mut found = vec![Match::default(); topology.points()];
    parallel::for_each_block(&mut found, BLOCK, |first, block| {
        for (point, out) in (first..).zip(block) {
            let vertex = topology.weld.first_of[point] as usize;
            let p = target.mesh.positions[vertex].as_dvec3();
            let Some(near) = nearest.at(p) else { continue };
            let turned = nearest.facing(&near, normals[vertex]).is_some_and(|cos| cos < least);
            *out = Match { fits: near.distance <= reach && !turned, row: Some(near.row(weights)) };
        }
    });
    found
}

/// The joint of the target that each joint of the source stands for.
fn partners(source: &Rig, target: &Rig, weights: &Weights, report: &mut TransferReport) -> Result<Vec<u16>, EditError> {
    let (from, to) = (&source.skeleton, &target.skeleton);
    let mut owns = vec![false; from.len()];
    (0..weights.len()).for_each(|v| weights.row(v).0.iter().for_each(|&j| owns[usize::from(j)] = true));
    if !has_bones(to) {
        report.joints_matched = owns.iter().filter(|o| **o).count();
        return Ok((0..from.len() as u16).collect());
    }
    // Frames that carry a whole scene are called the same in many files, and own nothing.
    let bone = |j: &Joint| j.role == Role::Bone;
    let namesake = |j: &Joint| namesake(to, &j.name).filter(|&k| bone(j) && bone(&to.joints()[k]));
    let namesake: Vec<Option<usize>> = from.joints().iter().map(namesake).collect();
    let first = |s: &Skeleton| s.joints().first().map_or(String::new(), |j| j.name.clone());
    let at = |j: usize| from.joints()[j].rest_position();
    let mut partner = Vec::with_capacity(from.len());
    for j in 0..from.len() {
        let above = std::iter::successors(Some(j), |&j| from.joints()[j].parent).find_map(|j| namesake[j]);
        let closest = || {
            let named = (0..from.len()).filter(|&k| namesake[k].is_some());
            named.min_by(|&a, &b| at(a).distance(at(j)).total_cmp(&at(b).distance(at(j)))).and_then(|k| namesake[k])
        };
        let Some(found) = above.or_else(closest) else {
            return Err(EditError::NothingMatches {
                source_name: source.name.clone(),
                source_joint: first(from),
                target_name: target.name.clone(),
                target_joint: first(to),
            });
        };
        if owns[j] && namesake[j].is_some() {
            report.joints_matched += 1;
        } else if owns[j] {
            let names = (from.joints()[j].name.clone(), to.joints()[found].name.clone());
            report.joints_replaced.push(Replaced { joint: names.0, by: names.1 });
        }
        partner.push(found as u16);
    }
    Ok(partner)
}

/// By name; else by what follows the name of a scene or character, as in `mixamorig:LeftArm`.
fn namesake(skeleton: &Skeleton, name: &str) -> Option<usize> {
    fn bare(name: &str) -> &str {
        name.rsplit([':', '|']).next().unwrap_or(name)
    }
    skeleton.find_forgiving(name).or_else(|| {
        skeleton.joints().iter().position(|j| bare(&j.name).eq_ignore_ascii_case(bare(name)) && !bare(name).is_empty())
    })
}
