use super::{regions::Regions, search::Cut, surface::Surface};
use std::collections::BTreeMap;

/// The way round a limb over what is skin of it, where the rest of the way runs through its siblings: a square has two of
/// its four sides in common with them, a flat limb fewer.
const SHARED: f64 = 1.5;

/// A place on an edge of the welded mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// The two welded points of the edge.
    pub edge: [u32; 2],
    /// From the first of them (0) to the second (1).
    pub t: f64,
}

/// Where two regions meet.
#[derive(Clone, Debug, PartialEq)]
pub struct Boundary {
    /// Joint of the region nearer to the root; of two siblings, the earlier one.
    pub parent: usize,
    /// Joint of the other region.
    pub child: usize,
    /// Whether the child's region hangs on the parent's; false where siblings meet.
    pub hangs: bool,
    /// Length of the closed curve that parts them, the measure of how thick the limb is there. Where siblings share one
    /// curve, as fingers do in a palm, one and a half times the part that the child has of it. Where siblings meet, the
    /// shorter of the lengths by which the two hang on their parents.
    pub length: f64,
    /// Length of the border the two regions really have.
    pub border: f64,
    /// The border: pieces inside one triangle each, from edge to edge.
    pub segments: Vec<[CurvePoint; 2]>,
    /// The triangle of each piece, over welded points.
    pub triangles: Vec<[u32; 3]>,
}

/// The borders between all regions that meet, by parent and child.
pub(crate) fn boundaries(surface: &Surface, regions: &Regions, cuts: &[Option<Cut>], owner: &[u32]) -> Vec<Boundary> {
    let mut found = BTreeMap::<(u32, u32), Boundary>::new();
    for (corners, sides) in surface.triangles.iter().zip(&surface.sides) {
        let owners = corners.map(|c| owner[c as usize]);
        let mut ends: Vec<((u32, u32), CurvePoint)> = Vec::with_capacity(3);
        for k in 0..3 {
            let (a, b) = (owners[k], owners[(k + 1) % 3]);
            if a != b {
                let pair = (a.min(b), a.max(b));
                ends.push((pair, crossing(surface, regions, cuts, sides[k], owner)));
            }
        }
        // With two owners both ends are of one pair. With three, the pairs meet somewhere inside: each border gets the
        // way from its edge to the next one's.
        for (k, &(pair, point)) in ends.iter().enumerate() {
            let other = ends[(k + 1) % ends.len()];
            if ends.len() == 2 && k == 1 {
                break;
            }
            let boundary = found.entry(pair).or_insert_with(|| empty(regions, pair));
            let [p, q] = [point, other.1].map(|c| surface.point(c.edge[0]).lerp(surface.point(c.edge[1]), c.t));
            let length = p.distance(q) * if ends.len() == 3 { 0.5 } else { 1.0 };
            boundary.border += length;
            boundary.segments.push([point, other.1]);
            boundary.triangles.push(*corners);
        }
    }
    // Of a curve that siblings share each one has its own part, as thick as its own limb.
    let hanging = |region: u32| -> Option<f64> {
        let cut = cuts[region as usize].as_ref()?.length;
        let above = regions.parents[region as usize]? as u32;
        let border = found.get(&(above, region)).map_or(cut, |b| b.border);
        Some(cut.min(SHARED * border))
    };
    let lengths: Vec<f64> = found
        .iter()
        .map(|(&(a, b), boundary)| {
            let shorter = || hanging(a).into_iter().chain(hanging(b)).reduce(f64::min);
            let own = if boundary.hangs { hanging(b) } else { shorter() };
            own.unwrap_or(boundary.border)
        })
        .collect();
    for (boundary, length) in found.values_mut().zip(lengths) {
        boundary.length = length;
    }
    found.into_values().collect()
}

fn empty(regions: &Regions, (a, b): (u32, u32)) -> Boundary {
    let (a, b) = (a as usize, b as usize);
    Boundary {
        parent: regions.joints[a],
        child: regions.joints[b],
        hangs: regions.parents[b] == Some(a),
        length: 0.0,
        border: 0.0,
        segments: Vec::new(),
        triangles: Vec::new(),
    }
}

/// Where the border crosses an edge: on the plane of the cut, else where the two bones are equally far.
fn crossing(surface: &Surface, regions: &Regions, cuts: &[Option<Cut>], side: u32, owner: &[u32]) -> CurvePoint {
    let edge = surface.topology.edges[side as usize];
    let [a, b] = edge.map(|p| owner[p as usize] as usize);
    let planned = |region: usize| {
        let cut = cuts[region].as_ref()?;
        cut.crossings.binary_search_by_key(&side, |(edge, _)| *edge).ok().map(|i| cut.crossings[i].1)
    };
    let t = planned(a.max(b)).or_else(|| planned(a.min(b))).unwrap_or_else(|| {
        let nearer =
            |p: u32| regions.distance(b, surface.smooth_point(p)) - regions.distance(a, surface.smooth_point(p));
        let (from, to) = (nearer(edge[0]), nearer(edge[1]));
        let t = from / (from - to);
        if t.is_finite() { t.clamp(0.02, 0.98) } else { 0.5 }
    });
    CurvePoint { edge, t }
}
