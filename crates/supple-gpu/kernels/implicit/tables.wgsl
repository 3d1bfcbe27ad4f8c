// What the kernels of implicit skinning share: their tables, and where things lie in them. Points are in the tracker's order.
// Few buffers, because a device need not bind more than eight: each holds several lists, one after the other.

struct Params {
    points: u32,
    vertices: u32,
    limbs: u32,
    // Where the maps from rest begin, in vectors of `frame`.
    carries: u32,
    sigma: f32,
    contact: f32,
    least: f32,
    farthest: f32,
    // Rings that contact is spread over.
    diffusion: u32,
    unused4: u32,
    // Pairs of limbs whose operator is not a union.
    joined: u32,
    // Where lists begin, in vectors of `frame`.
    folds: u32,
    groups: u32,
    // In words of `tables`.
    first_of: u32,
    limb_joints: u32,
    chunk_joints: u32,
    ring_starts: u32,
    ring: u32,
    phi: u32,
    // The pair that each limb makes with each; then of each pair whether it has room, and above that bit which of the joined ones
    // it is, from 1 on.
    pair_of: u32,
    pairs: u32,
    // Four words a point: index of two limbs, and in the upper half how much it doubts them.
    doubts: u32,
    // How far such limbs have turned, in vectors of `frame`.
    turned: u32,
    unused2: u32,
}

// What differs between the uses of one kernel.
struct Step {
    // The owner rule's first, second and last time.
    turn: u32,
    steps: u32,
    // Which of the two lists of places is read.
    here: u32,
    // Of spreading contact.
    round: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> step_of: Step;
@group(0) @binding(2) var<storage, read> tables: array<u32>;
// Eight vectors a point: iso, own, deficit, edge; owner, flags and length of the ring, merged limbs, radius; the first eight of
// its ring; their coordinates; where it is at rest, how far past the plane of its crease; the pair of that crease, the other limb,
// whether its own is the first, whether it has doubts. Of a shorter ring the rest is the point itself, with coordinates of zero.
@group(0) @binding(3) var<storage, read> known: array<vec4<u32>>;
// Four vectors a limb: rows of grid_from_posed, nodes along each side and the first in the atlas; three a pair: joint and sine of half
// the bend, direction of the fold and sine of half of what it is turned, across the fold; three a limb: where it carries rest; groups;
// turns of limbs that are doubted.
@group(0) @binding(4) var<storage, read> frame: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> atlas: array<vec4<f32>>;
// A chunk: how many limbs, how many pairs, limbs, pairs.
@group(0) @binding(6) var<storage, read> near: array<u32>;
// Places, places again, where the owner rule found them, how far it moved them (a number for each turn, and marks), starts.
@group(0) @binding(7) var<storage, read_write> points: array<vec4<f32>>;
// Lengths of the lists.
@group(0) @binding(8) var<storage, read_write> tallies: array<atomic<u32>>;
// Points to track, points that have walked, points near contact, their shares of smoothing twice, points that are not at
// their value at the start.
@group(0) @binding(9) var<storage, read_write> lists: array<u32>;

const NEAR: u32 = 48u;
const CHUNK_WORDS: u32 = 98u;
const PAIR_WORDS: u32 = 24u;
const NONE: u32 = 0xffffffffu;
const LEAST_BETA: f32 = 5e-3;
// How much of the way of its ring a point takes where there is no contact.
const EVEN: f32 = 0.5;
const NEAR_CONTACT: f32 = 3.0;

const COUNT_ACTIVE: u32 = 0u;
const COUNT_WALKERS: u32 = 1u;
const COUNT_NEAR: u32 = 3u;
const COUNT_UNDERWAY: u32 = 4u;

const TRACKED: u32 = 0x10000u;
const FIXED: u32 = 0x20000u;
const HELD: u32 = 0x40000u;
const RING_SHIFT: u32 = 19u;
const ROW: u32 = 8u;

// Marks of a point: deep in another limb at the start, across its crease or where the two have room; held in a crease; something near
// it moves.
const TOUCHED: u32 = 1u;
const PRESSED: u32 = 2u;
const MOVES: u32 = 4u;

fn place(list: u32, i: u32) -> vec3<f32> {
    return points[list * params.points + i].xyz;
}

fn set_place(list: u32, i: u32, at: vec3<f32>) {
    points[list * params.points + i] = vec4<f32>(at, 0.0);
}

const FROM: u32 = 2u;
// Longest walk at the very end, over the edges of the point.
const LAST_WALK: f32 = 0.15;
const WALKS: u32 = 3u;
const START: u32 = 4u;

fn walks(i: u32) -> vec4<f32> {
    return points[WALKS * params.points + i];
}

fn marks(i: u32) -> u32 {
    return u32(walks(i).w);
}

fn beta(list: u32, i: u32) -> f32 {
    return bitcast<f32>(lists[(3u + list) * params.points + i]);
}

fn ring_at(word: u32, i: u32) -> array<u32, 8> {
    let a = known[ROW * i + word];
    let b = known[ROW * i + word + 1u];
    return array<u32, 8>(a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w);
}

// A neighbour beyond the first eight.
fn neighbour(i: u32, k: u32) -> u32 {
    return tables[params.ring + tables[params.ring_starts + i] + k];
}

// What part of its correction a point keeps: the twin of Doubts::share.
fn share_of(i: u32) -> f32 {
    if known[ROW * i + 7u].w == 0u {
        return 1.0;
    }
    var share = 1.0;
    for (var k = 0u; k < 4u; k++) {
        let word = tables[params.doubts + 4u * i + k];
        if word != 0xffffu {
            let pair = word & 0xffffu;
            share *= 1.0 - f32(word >> 16u) / 65535.0 * frame[params.turned + pair / 4u][pair % 4u];
        }
    }
    return share;
}

// A point of which no share is left knows the owner rule alone.
const LEAST_SHARE: f32 = 1e-3;

// A walk goes as far as those round it: one that goes alone is an error. The twin of Tracker::keep_in_rings.
fn kept_in_ring(i: u32, at: vec3<f32>, turn: u32) -> vec3<f32> {
    let ring = ring_at(2u, i);
    let count = known[ROW * i + 1u].x >> RING_SHIFT;
    var sum = 0.0;
    for (var k = 0u; k < 8u; k++) {
        sum += select(0.0, walks(ring[k])[turn], k < count);
    }
    for (var k = 8u; k < count; k++) {
        sum += walks(neighbour(i, k))[turn];
    }
    let mean = sum / f32(max(count, 1u));
    let edge = bitcast<f32>(known[ROW * i].w);
    let share = min((mean + 0.5 * edge) / walks(i)[turn], 1.0);
    return place(FROM, i) * (1.0 - share) + at * share;
}
