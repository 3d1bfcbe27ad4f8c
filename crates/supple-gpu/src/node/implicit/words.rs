//! The tracker's tables as the kernels' words: the twin of `kernels/implicit/tables.wgsl`.

use crate::operator::operator_words;
use glam::{Vec3A, Vec4};
use supple::{
    deform::implicit::{Steps, TrackerTables},
    field::{Body, Grid, Kind},
    rig::Rig,
};

/// Lengths of lists: points to track, walkers of the first two turns, points near contact, points not at their value at the
/// start.
pub const COUNTS: usize = 5;
/// A chunk: how many limbs, how many pairs, and 48 of each.
pub const CHUNK_WORDS: usize = 98;
const TRACKED: u32 = 0x1_0000;
const FIXED: u32 = 0x2_0000;
const HELD: u32 = 0x4_0000;
const RING_SHIFT: u32 = 19;
/// What fits beside the flags.
pub const LONGEST_RING: usize = 8191;

/// The tables that no frame changes, and where lists begin in them.
pub struct Words {
    pub tables: Vec<u32>,
    pub points: usize,
    pub chunks: usize,
    /// Vectors of a frame.
    pub frame: usize,
    /// Whether any operator is more than a union.
    pub joins: bool,
    vertices: u32,
    pub diffusion: u32,
    joined: u32,
    folds: u32,
    carries: u32,
    groups: u32,
    turned: u32,
    offsets: [u32; 9],
}

impl Words {
    pub fn of(tables: &TrackerTables, rig: &Rig, steps: &Steps) -> Self {
        let (body, points) = (tables.body(), tables.first_of().len());
        let (mut words, mut offsets) = (Vec::new(), Vec::new());
        let mut list = |next: &mut dyn FnMut(&mut Vec<u32>)| {
            offsets.push(words.len() as u32);
            next(&mut words);
        };
        list(&mut |w| w.extend(tables.first_of()));
        list(&mut |w| w.extend(body.limbs.iter().map(|l| l.limb.joint as u32)));
        let chunks = tables.chunk_joints().count();
        list(&mut |w| {
            let mut at = chunks as u32 + 1;
            for joints in tables.chunk_joints() {
                w.push(at);
                at += joints.len() as u32;
            }
            w.push(at);
            w.extend(tables.chunk_joints().flatten().map(|j| u32::from(*j)));
        });
        let rings = || (0..points as u32).map(|i| tables.ring(i));
        list(&mut |w| {
            let mut at = 0;
            for (ring, _) in rings() {
                w.push(at);
                at += ring.len() as u32;
            }
            w.push(at);
        });
        list(&mut |w| w.extend(rings().flat_map(|(ring, _)| ring)));
        list(&mut |w| w.extend(rings().flat_map(|(_, phi)| phi).map(|f| f.to_bits())));
        let limbs = body.limbs.len() as u16;
        list(&mut |w| {
            for a in 0..limbs {
                w.extend((0..limbs).map(|b| body.pair(a, b).map_or(u32::MAX, u32::from)));
            }
            let mut joined = 0;
            for pair in &body.pairs {
                let joins = pair.operator.kind != Kind::Union;
                joined += u32::from(joins);
                let room = u32::from(tables.have_room(pair.limbs[0], pair.limbs[1]));
                w.push(room | if joins { joined << 1 } else { 0 });
            }
        });
        let joined = body.pairs.iter().filter(|p| p.operator.kind != Kind::Union);
        list(&mut |w| {
            for pair in joined.clone() {
                w.extend(pair.limbs.map(u32::from));
                w.extend(pair.operator.widths().map(f32::to_bits));
                w.extend(operator_words(&pair.operator));
            }
        });
        list(&mut |w| w.extend((0..points).flat_map(|i| tables.doubts(i))));
        let folds = 4 * body.limbs.len();
        let carries = folds + 3 * body.pairs.len();
        let groups = carries + 3 * body.limbs.len();
        let turned = groups + rig.skeleton.len().div_ceil(4);
        let joined = joined.count();
        Self {
            offsets: offsets.try_into().expect("nine lists"),
            tables: words,
            points,
            chunks,
            frame: turned + tables.turned().len().div_ceil(4),
            joins: joined > 0,
            vertices: rig.mesh.positions.len() as u32,
            diffusion: steps.diffusion as u32,
            joined: joined as u32,
            folds: folds as u32,
            carries: carries as u32,
            groups: groups as u32,
            turned: turned as u32,
        }
    }

    /// The kernels' `Params`.
    pub fn params(&self, tables: &TrackerTables) -> [u32; 24] {
        let limbs = &tables.body().limbs;
        let [sigma, contact, least] = tables.march().map(f32::to_bits);
        let [first_of, limb_joints, chunk_joints, ring_starts, ring, phi, pair_of, pairs, doubts] = self.offsets;
        [
            self.points as u32,
            self.vertices,
            limbs.len() as u32,
            self.carries,
            sigma,
            contact,
            least,
            tables.farthest().to_bits(),
            self.diffusion,
            0,
            self.joined,
            self.folds,
            self.groups,
            first_of,
            limb_joints,
            chunk_joints,
            ring_starts,
            ring,
            phi,
            pair_of,
            pairs,
            doubts,
            self.turned,
            0,
        ]
    }
}

/// Eight vectors a point.
pub fn known(tables: &TrackerTables) -> Vec<[u32; 32]> {
    let pairs = &tables.body().pairs;
    let row = |i: usize| {
        let p = tables.point(i);
        let (ring, phi) = tables.ring(i as u32);
        let flag = |yes: bool, bit: u32| if yes { bit } else { 0 };
        let flags = flag(p.tracked, TRACKED)
            | flag(p.border || ring.is_empty(), FIXED)
            | flag(phi.iter().any(|w| *w != 0.0), HELD);
        let [a, b, c, d] = p.merged.map(u32::from);
        let mut row = [0; 32];
        row[..4].copy_from_slice(&[p.iso, p.own, p.deficit, p.edge].map(f32::to_bits));
        row[4] = u32::from(p.owner) | flags | (ring.len() as u32) << RING_SHIFT;
        row[5..8].copy_from_slice(&[a | b << 16, c | d << 16, p.radius.to_bits()]);
        for k in 0..8 {
            row[8 + k] = ring.get(k).copied().unwrap_or(i as u32);
            row[16 + k] = phi.get(k).map_or(0, |w| w.to_bits());
        }
        row[24..28].copy_from_slice(&[p.rest.x, p.rest.y, p.rest.z, p.past].map(f32::to_bits));
        row[28] = u32::MAX;
        row[31] = u32::from(tables.doubts(i)[0] != u32::from(u16::MAX));
        if let Some(pair) = p.pair {
            let [parent, child] = pairs[usize::from(pair)].limbs;
            let first = parent == p.owner;
            row[28..31].copy_from_slice(&[pair, if first { child } else { parent }, u16::from(first)].map(u32::from));
        }
        row
    };
    (0..tables.first_of().len()).map(row).collect()
}

/// The part of a limb's grid outside of which every node is nothing.
pub struct Crop {
    low: [usize; 3],
    count: [u32; 3],
    /// Where its nodes begin in the atlas.
    first: u32,
}

/// The nodes of all limbs, cropped: what is outside is nothing, and a smaller box spares looking at it.
pub fn atlas(body: &Body) -> (Vec<Vec4>, Vec<Crop>) {
    let (mut nodes, mut crops) = (Vec::new(), Vec::new());
    for Grid { side, nodes: all, .. } in body.limbs.iter().map(|l| &*l.grid) {
        let index = |n: usize| [n % side, n / side % side, n / side / side];
        let (mut low, mut high) = ([0; 3], [1; 3]);
        let felt: Vec<[usize; 3]> = (0..all.len()).filter(|&n| all[n] != Vec4::ZERO).map(index).collect();
        for k in 0..3 {
            let of = || felt.iter().map(|i| i[k]);
            low[k] = of().min().unwrap_or(0).saturating_sub(1);
            high[k] = (of().max().unwrap_or(0) + 1).min(side - 1);
        }
        let first = nodes.len() as u32;
        for z in low[2]..=high[2] {
            for y in low[1]..=high[1] {
                let row = (z * side + y) * side;
                nodes.extend(&all[row + low[0]..=row + high[0]]);
            }
        }
        crops.push(Crop { low, count: std::array::from_fn(|k| (high[k] - low[k] + 1) as u32), first });
    }
    (nodes, crops)
}

/// Limbs, folds, what limbs carry, groups and turns of the pose that the tables were given last.
pub fn frame(tables: &TrackerTables, crops: &[Crop], out: &mut Vec<Vec4>) {
    out.clear();
    for (limb, Crop { low, count: [x, y, z], first }) in crops.iter().enumerate() {
        let rows = tables.limb_rows(limb);
        // Of a limb that is nowhere the rows are such that no point is inside, wherever the box begins.
        out.extend((0..3).map(|k| rows[k] - Vec4::W * low[k] as f32));
        out.push(Vec4::from_array([*x, *y, *z, *first].map(f32::from_bits)));
    }
    for pair in 0..tables.body().pairs.len() {
        let fold = tables.fold(pair);
        let numbers = [(fold.at, fold.bend), (fold.towards, fold.turned), (fold.across, fold.radius)];
        out.extend(numbers.map(|(v, w): (Vec3A, f32)| v.extend(w)));
    }
    for limb in 0..crops.len() {
        out.extend(tables.carry_rows(limb));
    }
    for four in tables.groups().chunks(4) {
        out.push(Vec4::from_array(std::array::from_fn(|k| four.get(k).map_or(0.0, |g| f32::from(*g)))));
    }
    for four in tables.turned().chunks(4) {
        out.push(Vec4::from_array(std::array::from_fn(|k| four.get(k).copied().unwrap_or(0.0))));
    }
}
