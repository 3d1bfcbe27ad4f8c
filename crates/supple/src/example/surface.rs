//! A closed triangle surface that can be cut up: half-edges in flat arrays, three per triangle.

use crate::rig::ByPoint;
use glam::DVec3;

const NONE: u32 = u32::MAX;

/// Half-edge `h` starts at `from[h]`, belongs to triangle `h / 3` and runs against `twin[h]`. Removed triangles start
/// nowhere and removed vertices have no way out, until [`Surface::compact`].
#[derive(Clone, Debug)]
pub(super) struct Surface {
    pub points: Vec<DVec3>,
    /// How long edges may be round each vertex, relative to elsewhere.
    pub grain: Vec<f64>,
    pub valence: Vec<u32>,
    from: Vec<u32>,
    twin: Vec<u32>,
    out: Vec<u32>,
    alive: usize,
}

pub(super) fn next(h: u32) -> u32 {
    if h % 3 == 2 { h - 2 } else { h + 1 }
}

fn previous(h: u32) -> u32 {
    if h.is_multiple_of(3) { h + 2 } else { h - 1 }
}

impl Surface {
    /// From triangles that are closed and oriented.
    pub fn new(points: Vec<DVec3>, triangles: &[[u32; 3]]) -> Self {
        let from: Vec<u32> = triangles.iter().flatten().copied().collect();
        let mut twin = vec![NONE; from.len()];
        let mut out = vec![NONE; points.len()];
        let mut valence = vec![0; points.len()];
        let halves = || {
            (0..from.len() as u32).map(|h| {
                let (a, b) = (from[h as usize], from[next(h) as usize]);
                (a.min(b), (a.max(b), h))
            })
        };
        let mut halves = ByPoint::of(points.len(), halves);
        halves.sort_by_key(|half| *half);
        for pair in halves.lists().flat_map(|(_, list)| list.chunks_exact(2)) {
            debug_assert_eq!(pair[0].0, pair[1].0, "the surface is closed");
            twin[pair[0].1 as usize] = pair[1].1;
            twin[pair[1].1 as usize] = pair[0].1;
        }
        for (h, &v) in from.iter().enumerate() {
            out[v as usize] = h as u32;
            valence[v as usize] += 1;
        }
        let alive = points.len();
        Self { grain: vec![1.0; alive], points, valence, from, twin, out, alive }
    }

    /// Vertices that were not removed.
    pub fn len(&self) -> usize {
        self.alive
    }

    /// Half-edges, removed ones included.
    pub fn halves(&self) -> u32 {
        self.from.len() as u32
    }

    /// True for one of the two halves of every edge that is still there.
    pub fn is_edge(&self, h: u32) -> bool {
        self.from[h as usize] != NONE && h < self.twin[h as usize]
    }

    /// Both ends of a half-edge.
    pub fn ends(&self, h: u32) -> (u32, u32) {
        (self.from[h as usize], self.from[next(h) as usize])
    }

    /// The corner across from a half-edge in its triangle.
    fn apex(&self, h: u32) -> u32 {
        self.from[previous(h) as usize]
    }

    pub fn length(&self, h: u32) -> f64 {
        let (a, b) = self.ends(h);
        self.points[a as usize].distance(self.points[b as usize])
    }

    /// Half-edges that leave a vertex, all the way round.
    pub fn fan(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.out[v as usize];
        let mut h = first;
        std::iter::from_fn(move || {
            if h == NONE {
                return None;
            }
            let this = h;
            h = self.twin[previous(h) as usize];
            if h == first {
                h = NONE;
            }
            Some(this)
        })
    }

    /// Neighbours of a vertex.
    pub fn ring(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        self.fan(v).map(|h| self.ends(h).1)
    }

    fn glue(&mut self, a: u32, b: u32) {
        self.twin[a as usize] = b;
        self.twin[b as usize] = a;
    }

    /// Puts a vertex on the middle of an edge.
    pub fn split(&mut self, h: u32) {
        let t = self.twin[h as usize];
        let (a, b) = self.ends(h);
        let (c, d) = (self.apex(h), self.apex(t));
        let m = self.points.len() as u32;
        self.points.push((self.points[a as usize] + self.points[b as usize]) * 0.5);
        self.grain.push((self.grain[a as usize] + self.grain[b as usize]) * 0.5);
        self.valence.push(4);
        self.valence[c as usize] += 1;
        self.valence[d as usize] += 1;
        // (a, b, c) becomes (a, m, c) and (m, b, c); (b, a, d) becomes (m, a, d) and (b, m, d).
        let (hn, tp) = (next(h), previous(t));
        let (bc, db) = (self.twin[hn as usize], self.twin[tp as usize]);
        let e = self.halves();
        self.from.extend([m, b, c, b, m, d]);
        self.twin.extend([NONE; 6]);
        self.from[hn as usize] = m;
        self.from[t as usize] = m;
        self.glue(e, e + 3);
        self.glue(e + 1, bc);
        self.glue(e + 2, hn);
        self.glue(e + 4, tp);
        self.glue(e + 5, db);
        self.out.push(hn);
        self.out[b as usize] = e + 1;
        self.out[a as usize] = h;
        self.out[d as usize] = e + 5;
        self.out[c as usize] = e + 2;
        self.alive += 1;
    }

    /// Whether an edge may go without changing what the surface is: its ends share two neighbours only.
    pub fn may_collapse(&self, h: u32) -> bool {
        let (a, b) = self.ends(h);
        let (c, d) = (self.apex(h), self.apex(self.twin[h as usize]));
        if self.valence[c as usize] <= 3 || self.valence[d as usize] <= 3 {
            return false;
        }
        self.ring(a).filter(|&v| self.ring(b).any(|w| w == v)).count() == 2
    }

    /// Draws the start of an edge into its end, which moves to `at`.
    pub fn collapse(&mut self, h: u32, at: DVec3) {
        let t = self.twin[h as usize];
        let (a, b) = self.ends(h);
        let (c, d) = (self.apex(h), self.apex(t));
        // Walks as `fan` does; the walk reads twins only, which stay as they are meanwhile.
        let mut leaving = h;
        loop {
            self.from[leaving as usize] = b;
            leaving = self.twin[previous(leaving) as usize];
            if leaving == h {
                break;
            }
        }
        let (bc, ca) = (self.twin[next(h) as usize], self.twin[previous(h) as usize]);
        let (ad, db) = (self.twin[next(t) as usize], self.twin[previous(t) as usize]);
        self.glue(bc, ca);
        self.glue(ad, db);
        for dead in [h, t] {
            let first = dead - dead % 3;
            self.from[first as usize..first as usize + 3].fill(NONE);
        }
        self.out[a as usize] = NONE;
        // ca runs a c, now b c; bc runs c b; ad runs d a, now d b; db runs b d.
        self.out[b as usize] = ca;
        self.out[c as usize] = bc;
        self.out[d as usize] = ad;
        self.valence[b as usize] = self.valence[a as usize] + self.valence[b as usize] - 4;
        self.valence[c as usize] -= 1;
        self.valence[d as usize] -= 1;
        self.points[b as usize] = at;
        self.grain[b as usize] = self.grain[b as usize].min(self.grain[a as usize]);
        self.alive -= 1;
    }

    /// The four corners round an edge: both ends, then both apices.
    pub fn diamond(&self, h: u32) -> [u32; 4] {
        let (a, b) = self.ends(h);
        [a, b, self.apex(h), self.apex(self.twin[h as usize])]
    }

    /// Whether the other diagonal of the diamond is free.
    pub fn may_flip(&self, h: u32) -> bool {
        let [a, b, c, d] = self.diamond(h);
        self.valence[a as usize] > 3 && self.valence[b as usize] > 3 && c != d && !self.ring(c).any(|v| v == d)
    }

    /// Turns an edge to join the two apices.
    pub fn flip(&mut self, h: u32) {
        let t = self.twin[h as usize];
        let [a, b, c, d] = self.diamond(h);
        let (hn, hp, tn, tp) = (next(h), previous(h), next(t), previous(t));
        let outside = [hn, hp, tn, tp].map(|x| self.twin[x as usize]);
        let [bc, ca, ad, db] = outside;
        // (a, b, c), (b, a, d) become (c, d, b), (d, c, a).
        for (x, v) in [(h, c), (hn, d), (hp, b), (t, d), (tn, c), (tp, a)] {
            self.from[x as usize] = v;
        }
        self.glue(hn, db);
        self.glue(hp, bc);
        self.glue(tn, ca);
        self.glue(tp, ad);
        self.out[a as usize] = tp;
        self.out[b as usize] = hp;
        self.out[c as usize] = h;
        self.out[d as usize] = t;
        self.valence[a as usize] -= 1;
        self.valence[b as usize] -= 1;
        self.valence[c as usize] += 1;
        self.valence[d as usize] += 1;
    }

    /// Drops what was removed; order is kept.
    pub fn compact(&self) -> Self {
        let mut place = vec![NONE; self.points.len()];
        let (mut points, mut grain) = (Vec::with_capacity(self.alive), Vec::with_capacity(self.alive));
        for v in (0..self.points.len()).filter(|&v| self.out[v] != NONE) {
            place[v] = points.len() as u32;
            points.push(self.points[v]);
            grain.push(self.grain[v]);
        }
        let kept = self.from.chunks_exact(3).filter(|t| t[0] != NONE);
        let triangles: Vec<[u32; 3]> = kept.map(|t| [t[0], t[1], t[2]].map(|v| place[v as usize])).collect();
        Self { grain, ..Self::new(points, &triangles) }
    }

    /// The triangles of a compact surface.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        self.from.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect()
    }

    /// Cuts every triangle of a compact surface into four: V becomes 4 V - 6 on a ball.
    pub fn quartered(&self) -> Self {
        let mut points = self.points.clone();
        let mut grain = self.grain.clone();
        let mut valence = self.valence.clone();
        let mut middle = vec![NONE; self.from.len()];
        for h in (0..self.halves()).filter(|&h| self.is_edge(h)) {
            let (a, b) = self.ends(h);
            middle[h as usize] = points.len() as u32;
            middle[self.twin[h as usize] as usize] = points.len() as u32;
            points.push((points[a as usize] + points[b as usize]) * 0.5);
            grain.push((grain[a as usize] + grain[b as usize]) * 0.5);
            valence.push(6);
        }
        let mut from = Vec::with_capacity(self.from.len() * 4);
        let mut twin = Vec::with_capacity(self.from.len() * 4);
        let mut out = vec![NONE; points.len()];
        for t in 0..self.halves() / 3 {
            let corner = |i: u32| 3 * (4 * t + i);
            let m = [0, 1, 2].map(|i| middle[(3 * t + i) as usize]);
            for i in 0..3u32 {
                let (h, back) = (3 * t + i, (i + 2) % 3);
                // Half an edge: the far half lies in the corner of the neighbour that holds the same end.
                let (other, inner) = (self.twin[h as usize], self.twin[(3 * t + back) as usize]);
                let far = |g: u32, k: u32| 3 * (4 * (g / 3) + (g % 3 + k) % 3);
                out[self.from[h as usize] as usize] = corner(i);
                out[m[i as usize] as usize] = corner(i) + 1;
                from.extend([self.from[h as usize], m[i as usize], m[back as usize]]);
                twin.extend([far(other, 1) + 2, corner(3) + back, far(inner, 0)]);
            }
            from.extend(m);
            twin.extend([corner(1) + 1, corner(2) + 1, corner(0) + 1]);
        }
        let alive = points.len();
        Self { points, grain, valence, from, twin, out, alive }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn octahedron() -> Surface {
        let points = DVec3::AXES.into_iter().flat_map(|a| [a, -a]).collect();
        let faces = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
        Surface::new(points, &faces)
    }

    fn assert_sound(s: &Surface) {
        let mut halves = 0;
        for h in (0..s.halves()).filter(|&h| s.from[h as usize] != NONE) {
            assert_eq!(s.twin[s.twin[h as usize] as usize], h);
            assert_eq!(s.ends(s.twin[h as usize]), (s.ends(h).1, s.ends(h).0));
            halves += 1;
        }
        for v in (0..s.points.len() as u32).filter(|&v| s.out[v as usize] != NONE) {
            assert!(s.fan(v).all(|h| s.ends(h).0 == v));
            assert_eq!(s.fan(v).count(), s.valence[v as usize] as usize);
        }
        assert_eq!(s.len() + halves / 3, halves / 2 + 2, "Euler");
    }

    #[test]
    fn every_cut_keeps_the_surface_sound() {
        let mut s = octahedron().quartered();
        assert_eq!(s.len(), 4 * 6 - 6);
        assert_sound(&s);
        for h in [0, 7, 20, 33] {
            s.split(h);
            assert_sound(&s);
        }
        for h in 0..s.halves() {
            if s.is_edge(h) && s.may_flip(h) && h % 3 == 1 {
                s.flip(h);
                assert_sound(&s);
            }
        }
        for h in 0..s.halves() {
            if s.is_edge(h) && s.len() > 8 && s.may_collapse(h) {
                s.collapse(h, DVec3::ZERO);
                assert_sound(&s);
            }
        }
        let small = s.compact();
        assert_eq!(small.len(), s.len());
        assert_sound(&small);
        assert_sound(&small.quartered().quartered());
    }
}
