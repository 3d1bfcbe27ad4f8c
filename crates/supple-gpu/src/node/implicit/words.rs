//! The tracker's tables as the kernels' words: the twin of `kernels/implicit/tables.wgsl`.

use super::rows::{CARRY_VECTORS, FOLD_VECTORS, Known, LIMB_VECTORS, PAIR_WORDS, Pair, Params};
use crate::{buffer::WORKGROUP, operator::operator_constants};
use glam::Vec4;
use supple::{
    constant::Constant,
    constants,
    deform::implicit::{CHUNK, Implicit, MOST_NEAR, Steps, TrackerTables},
    field::{Body, Grid, Kind},
    rig::Rig,
};

// A workgroup finds the limbs near a chunk.
const _: () = assert!(CHUNK == WORKGROUP);
/// Bytes of the kernels' `Near`.
pub const NEAR_BYTES: usize = (2 + 2 * MOST_NEAR) * 4;

// Lists of points. Shares of smoothing are kept twice, since spreading reads the neighbours' and writes others.
const ACTIVE: usize = 0;
pub const WALKERS: usize = 1;
pub const AROUND_CONTACT: usize = 2;
pub const BETAS: usize = 3;
const UNDERWAY: usize = 5;
/// How many lists there are.
pub const LISTS: usize = 6;

// Lists of vectors, after the places, which are kept twice as well.
pub const FROM: usize = 2;
pub const WALKS: usize = 3;
const START: usize = 4;
/// How many there are.
pub const VECTOR_LISTS: usize = 5;

// Lengths of lists: points to track, walkers of the first two turns, points around contact, points not at their value at the start.
const COUNT_ACTIVE: usize = 0;
pub const COUNT_WALKERS: usize = 1;
pub const COUNT_AROUND_CONTACT: usize = 3;
const COUNT_UNDERWAY: usize = 4;
/// How many there are.
pub const COUNTS: usize = 5;

// Flags of a point at rest: felt by a field at all; on a border or alone; with coordinates in its one-ring.
const TRACKED: u32 = 0x1_0000;
const FIXED: u32 = 0x2_0000;
const HAS_COORDINATES: u32 = 0x4_0000;
const RING_SHIFT: u32 = 19;
/// What fits beside the flags.
pub const LONGEST_RING: usize = 8191;

/// Mark of a point that was deep in another limb at the start, across its crease or where the two have room.
pub const TOUCHED: u32 = 1;
/// Mark of a point that is held in a crease.
pub const PRESSED: u32 = 2;
/// Mark of a point near which something moves.
pub const MOVES: u32 = 4;

/// The constants of the kernels of implicit skinning.
pub fn constants() -> Vec<Constant> {
    let lists = constants![ACTIVE, WALKERS, AROUND_CONTACT, BETAS, UNDERWAY, FROM, WALKS, START];
    let counts = constants![COUNT_ACTIVE, COUNT_WALKERS, COUNT_AROUND_CONTACT, COUNT_UNDERWAY];
    let bits = constants![TRACKED, FIXED, HAS_COORDINATES, RING_SHIFT, TOUCHED, PRESSED, MOVES];
    let rows = super::rows::constants();
    [operator_constants(), Implicit::constants(), rows, lists, counts, bits].concat()
}

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
                let (limbs, widths) = (pair.limbs.map(u32::from), pair.operator.widths());
                let row = Pair { limbs, widths, operator: (&pair.operator).into() };
                let words: [u32; PAIR_WORDS] = bytemuck::cast(row);
                w.extend(words);
            }
        });
        list(&mut |w| w.extend((0..points).flat_map(|i| tables.doubts(i))));
        let folds = LIMB_VECTORS * body.limbs.len();
        let carries = folds + FOLD_VECTORS * body.pairs.len();
        let groups = carries + CARRY_VECTORS * body.limbs.len();
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

    /// The parameters of a frame.
    pub fn params(&self, tables: &TrackerTables) -> Params {
        let [sigma, contact, least] = tables.march();
        let [first_of, limb_joints, chunk_joints, ring_starts, ring, phi, pair_of, pairs, doubts] = self.offsets;
        Params {
            points: self.points as u32,
            vertices: self.vertices,
            limbs: tables.body().limbs.len() as u32,
            joined: self.joined,
            sigma,
            contact,
            least,
            farthest: tables.farthest(),
            diffusion: self.diffusion,
            folds: self.folds,
            carries: self.carries,
            groups: self.groups,
            turned: self.turned,
            first_of,
            limb_joints,
            chunk_joints,
            ring_starts,
            ring,
            phi,
            pair_of,
            pairs,
            doubts,
        }
    }
}

/// What is known of each point at rest.
pub fn known(tables: &TrackerTables) -> Vec<Known> {
    let pairs = &tables.body().pairs;
    let row = |i: usize| {
        let p = tables.point(i);
        let (ring, phi) = tables.ring(i as u32);
        let flag = |yes: bool, bit: u32| if yes { bit } else { 0 };
        let flags = flag(p.tracked, TRACKED)
            | flag(p.border || ring.is_empty(), FIXED)
            | flag(phi.iter().any(|w| *w != 0.0), HAS_COORDINATES);
        let [a, b, c, d] = p.merged.map(u32::from);
        let crease = p.pair.map(|pair| {
            let [parent, child] = pairs[usize::from(pair)].limbs;
            let first = parent == p.owner;
            [pair, if first { child } else { parent }, u16::from(first)].map(u32::from)
        });
        let [pair, other, is_first] = crease.unwrap_or([u32::MAX, 0, 0]);
        Known {
            iso: p.iso,
            own: p.own,
            deficit: p.deficit,
            edge: p.edge,
            packed: u32::from(p.owner) | flags | (ring.len() as u32) << RING_SHIFT,
            merged: [a | b << 16, c | d << 16],
            radius: p.radius,
            ring: std::array::from_fn(|k| ring.get(k).copied().unwrap_or(i as u32)),
            phi: std::array::from_fn(|k| phi.get(k).copied().unwrap_or(0.0)),
            rest: p.rest.into(),
            past: p.past,
            pair,
            other,
            is_first,
            is_doubted: u32::from(tables.doubts(i)[0] != u32::from(u16::MAX)),
        }
    };
    (0..tables.first_of().len()).map(row).collect()
}

/// The part of a limb's grid outside of which every node is nothing.
pub struct Crop {
    pub low: [usize; 3],
    pub count: [u32; 3],
    /// Where its nodes begin in the atlas.
    pub first: u32,
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
