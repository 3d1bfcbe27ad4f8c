use super::sample::Sample;
use crate::parallel;
use glam::DVec3;

/// A surface in pieces, and how their triangles are wound.
pub(super) struct Pieces {
    /// Corners of each triangle, none that are not finite: those of a triangle without area are all alike.
    pub corners: Vec<[DVec3; 3]>,
    /// The piece of each triangle; none for those without area.
    pub piece_of: Vec<Option<u32>>,
    /// Whether a triangle is wound against the first one of its piece.
    pub against: Vec<bool>,
    /// Triangles of each piece.
    pub members: Vec<Vec<u32>>,
    /// Area of each piece, doubled.
    pub areas: Vec<f64>,
}

/// Two triangles that share an edge with no third, and whether they run along it in the same direction.
struct Link {
    triangles: [u32; 2],
    same: bool,
}

impl Pieces {
    pub fn of(points: &[DVec3], triangles: &[[u32; 3]]) -> Self {
        let place = |v: u32| points.get(v as usize).copied().filter(|p| p.is_finite());
        let corners = |t: &[u32; 3]| Some([place(t[0])?, place(t[1])?, place(t[2])?]).filter(|t| doubled(*t) > 0.0);
        let corners: Vec<Option<[DVec3; 3]>> = triangles.iter().map(corners).collect();
        let links = links(triangles, |t| corners[t].is_some());
        let (mut piece_of, mut against) = walk(&links, &corners, |_| true);
        // A piece whose neighbours cannot all be made to agree has one side only. Where a fault of a few triangles makes
        // it so, most of it still is as it is wound: it falls apart along the edges where neighbours disagree.
        let spoilt = |l: &&Link| {
            let [a, b] = l.triangles.map(|t| t as usize);
            (against[a] != against[b]) != l.same
        };
        let mut is_spoilt = vec![false; triangles.len()];
        links
            .iter()
            .filter(spoilt)
            .for_each(|l| is_spoilt[piece_of[l.triangles[0] as usize].unwrap_or(0) as usize] = true);
        if is_spoilt.contains(&true) {
            let before = piece_of.clone();
            let sound = |t: u32| !before[t as usize].is_some_and(|p| is_spoilt[p as usize]);
            (piece_of, against) = walk(&links, &corners, |l| !l.same || sound(l.triangles[0]));
        }
        let count = piece_of.iter().flatten().max().map_or(0, |last| *last as usize + 1);
        let (mut members, mut areas) = (vec![Vec::new(); count], vec![0.0; count]);
        let nothing = [DVec3::ZERO; 3];
        let corners: Vec<[DVec3; 3]> = corners.into_iter().map(|t| t.unwrap_or(nothing)).collect();
        for (t, piece) in piece_of.iter().enumerate() {
            if let Some(piece) = piece {
                members[*piece as usize].push(t as u32);
                areas[*piece as usize] += doubled(corners[t]);
            }
        }
        Self { corners, piece_of, against, members, areas }
    }

    /// Whether all triangles of a piece are wound alike.
    pub fn is_uniform(&self, piece: usize) -> bool {
        !self.members[piece].iter().any(|&t| self.against[t as usize])
    }

    /// The largest pieces, at most so many.
    pub fn largest(&self, most: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.members.len()).collect();
        order.sort_by(|&a, &b| self.areas[b].total_cmp(&self.areas[a]).then(a.cmp(&b)));
        order.truncate(most);
        order
    }

    /// Middles of triangles, so many for each piece, evenly by area.
    pub fn samples(&self, piece: usize, count: usize) -> Vec<Sample> {
        let members = &self.members[piece];
        let step = self.areas[piece] / count as f64;
        let (mut samples, mut passed) = (Vec::with_capacity(count), 0.0);
        for &t in members {
            passed += doubled(self.corners[t as usize]);
            while samples.len() < count && passed > step * (samples.len() as f64 + 0.5) {
                samples.push(Sample::of(self.corners[t as usize]));
            }
        }
        samples
    }
}

/// Twice the area.
fn doubled([a, b, c]: [DVec3; 3]) -> f64 {
    let area = (b - a).cross(c - a).length();
    if area.is_finite() { area } else { 0.0 }
}

fn links(triangles: &[[u32; 3]], counts: impl Fn(usize) -> bool) -> Vec<Link> {
    let mut halves = Vec::with_capacity(triangles.len() * 3);
    for (t, &[a, b, c]) in triangles.iter().enumerate().filter(|(t, _)| counts(*t)) {
        for [a, b] in [[a, b], [b, c], [c, a]] {
            halves.push((a.min(b), a.max(b), t as u32, a < b));
        }
    }
    parallel::sort_by(&mut halves, Ord::cmp);
    let pair = |run: &[(u32, u32, u32, bool)]| {
        let &[x, y] = run else { return None };
        Some(Link { triangles: [x.2, y.2], same: x.3 == y.3 })
    };
    halves.chunk_by(|x, y| (x.0, x.1) == (y.0, y.1)).filter_map(pair).collect()
}

/// The piece of each triangle, going over the links that count, and how it is wound against the first of the piece.
fn walk(
    links: &[Link],
    corners: &[Option<[DVec3; 3]>],
    counts: impl Fn(&Link) -> bool,
) -> (Vec<Option<u32>>, Vec<bool>) {
    let mut starts = vec![0u32; corners.len() + 1];
    let counted = || links.iter().filter(|l| counts(l));
    counted().flat_map(|l| l.triangles).for_each(|t| starts[t as usize + 1] += 1);
    for t in 0..corners.len() {
        starts[t + 1] += starts[t];
    }
    let mut next = starts.clone();
    let mut others = vec![(0u32, false); starts[corners.len()] as usize];
    for link in counted() {
        let [a, b] = link.triangles;
        for (from, to) in [(a, b), (b, a)] {
            others[next[from as usize] as usize] = (to, link.same);
            next[from as usize] += 1;
        }
    }
    let (mut piece_of, mut against) = (vec![None; corners.len()], vec![false; corners.len()]);
    let (mut pieces, mut stack) = (0u32, Vec::new());
    for seed in 0..corners.len() {
        if corners[seed].is_none() || piece_of[seed].is_some() {
            continue;
        }
        piece_of[seed] = Some(pieces);
        stack.push(seed);
        while let Some(t) = stack.pop() {
            for &(other, same) in &others[starts[t] as usize..starts[t + 1] as usize] {
                let other = other as usize;
                if piece_of[other].is_none() {
                    piece_of[other] = Some(pieces);
                    against[other] = against[t] != same;
                    stack.push(other);
                }
            }
        }
        pieces += 1;
    }
    (piece_of, against)
}
