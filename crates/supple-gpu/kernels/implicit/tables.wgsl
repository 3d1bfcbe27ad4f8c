// What the kernels of implicit skinning share: their tables, and where things lie in them. Points are in the tracker's order.
// Few buffers, because a device need not bind more than eight: each holds several lists, one after the other.

struct Params {
    points: u32,
    vertices: u32,
    limbs: u32,
    // Pairs of limbs whose operator is not a union.
    joined: u32,
    // Of the march: share of a Newton step, cosine of the contact angle, and the length below which a gradient is none.
    sigma: f32,
    contact: f32,
    least: f32,
    // How far a point may go that was not deep in another limb.
    farthest: f32,
    // Rings that contact is spread over.
    diffusion: u32,
    // Where lists begin in `frame`, in vectors: folds of pairs, maps of limbs from rest, groups of joints, turns of limbs that are
    // doubted.
    folds: u32,
    carries: u32,
    groups: u32,
    turned: u32,
    // Where lists begin in `tables`, in words: the vertex of each point, the joint of each limb, the joints of each chunk, where
    // each one-ring begins in the two lists after it, the points of the one-rings, their coordinates.
    first_of: u32,
    limb_joints: u32,
    chunk_joints: u32,
    ring_starts: u32,
    ring: u32,
    phi: u32,
    // The pair that each limb makes with each; then of each pair whether it has room, and above that bit which of the joined ones
    // it is, from 1 on.
    pair_of: u32,
    // Joined pairs.
    pairs: u32,
    // MOST_DOUBTS words a point: index of two limbs, and in the upper half the strength of the doubt.
    doubts: u32,
}

// What differs between the dispatches of one kernel.
struct Dispatch {
    // The owner rule's first, second and last time.
    turn: u32,
    // Steps of the march at most.
    steps: u32,
    // Which of the two lists of places is read.
    here: u32,
    // Of spreading contact; or whether those that have walked are fitted, or places made even.
    round: u32,
}

// What is known of a point at rest.
struct Known {
    // Its value in the composed field, that of its owner, and its penetration depth.
    iso: f32,
    own: f32,
    deficit: f32,
    // Mean length of its edges.
    edge: f32,
    // Its limb, its flags, and above RING_SHIFT the length of its one-ring.
    packed: u32,
    // Limbs that its skin is continuous with, two in a word.
    merged: array<u32, 2>,
    // Of its limb.
    radius: f32,
    // The first eight of its one-ring and their coordinates. Of a shorter ring the rest is the point itself, with coordinates of
    // zero.
    ring: array<u32, 8>,
    phi: array<f32, 8>,
    rest: vec3<f32>,
    // Signed distance past the bisector plane of its crease.
    past: f32,
    // The pair in whose crease it can lie, or NONE; the other limb of that pair; whether its own is the first.
    pair: u32,
    other: u32,
    is_first: u32,
    is_doubted: u32,
}

// Limbs and joined pairs that can be felt near a chunk. A pair is its number among the joined ones, and the places of its two limbs
// in the list of limbs, in six bits each.
struct Near {
    limb_count: u32,
    pair_count: u32,
    limbs: array<u32, MOST_NEAR>,
    pairs: array<u32, MOST_NEAR>,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> dispatch: Dispatch;
@group(0) @binding(2) var<storage, read> tables: array<u32>;
@group(0) @binding(3) var<storage, read> known: array<Known>;
// Posed limbs; then the lists that `params` names.
@group(0) @binding(4) var<storage, read> frame: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> atlas: array<vec4<f32>>;
// One a chunk.
@group(0) @binding(6) var<storage, read> near: array<Near>;
// Lists of vectors, one a point: places twice, then FROM, WALKS and START.
@group(0) @binding(7) var<storage, read_write> points: array<vec4<f32>>;
// Lengths of the lists of points.
@group(0) @binding(8) var<storage, read_write> tallies: array<atomic<u32>>;
// Lists of points, and shares of smoothing twice.
@group(0) @binding(9) var<storage, read_write> lists: array<u32>;

const NONE: u32 = 0xffffffffu;
// Of a word that holds two limbs, a limb with flags above it, or a pair with a strength above it.
const LOW_HALF: u32 = 0xffffu;


// A limb in a pose: from a place to the nodes of its grid, row by row; its nodes along each side, and the first in the atlas.
struct PosedLimb {
    x: vec4<f32>,
    y: vec4<f32>,
    z: vec4<f32>,
    nodes: vec3<u32>,
    first: u32,
}

fn posed_limb(limb: u32) -> PosedLimb {
    let at = LIMB_VECTORS * limb;
    let grid = bitcast<vec4<u32>>(frame[at + 3u]);
    return PosedLimb(frame[at], frame[at + 1u], frame[at + 2u], grid.xyz, grid.w);
}

// A pair of limbs in a pose, as compose::Fold has it.
struct Fold {
    at: vec3<f32>,
    // Sine of half the bend.
    bend: f32,
    towards: vec3<f32>,
    // Sine of half of what it is bent beyond rest.
    turned: f32,
    across: vec3<f32>,
    // Of the thinner limb.
    radius: f32,
}

fn fold_of(pair: u32) -> Fold {
    let at = params.folds + FOLD_VECTORS * pair;
    let joint = frame[at];
    let towards = frame[at + 1u];
    let across = frame[at + 2u];
    return Fold(joint.xyz, joint.w, towards.xyz, towards.w, across.xyz, across.w);
}

// Where a limb carries a place at rest.
fn carried(limb: u32, at_rest: vec3<f32>) -> vec3<f32> {
    let rest = vec4<f32>(at_rest, 1.0);
    let rows = params.carries + CARRY_VECTORS * limb;
    return vec3<f32>(dot(frame[rows], rest), dot(frame[rows + 1u], rest), dot(frame[rows + 2u], rest));
}

fn group_of(joint: u32) -> u32 {
    return u32(frame[params.groups + joint / 4u][joint % 4u]);
}

fn place(list: u32, i: u32) -> vec3<f32> {
    return points[list * params.points + i].xyz;
}

fn set_place(list: u32, i: u32, at: vec3<f32>) {
    points[list * params.points + i] = vec4<f32>(at, 0.0);
}

// How far the owner rule has moved a point in each of its turns, and the point's marks.
fn walks(i: u32) -> vec4<f32> {
    return points[WALKS * params.points + i];
}

// Notes that the owner rule moves a point.
fn note_walk(i: u32, from_here: vec3<f32>, at: vec3<f32>) {
    points[WALKS * params.points + i][dispatch.turn] = length(at - from_here);
    set_place(FROM, i, from_here);
}

fn marks(i: u32) -> u32 {
    return u32(walks(i).w);
}

fn set_marks(i: u32, all: u32) {
    points[WALKS * params.points + i].w = f32(all);
}

// A list's k-th point.
fn listed(list: u32, k: u32) -> u32 {
    return lists[list * params.points + k];
}

fn set_listed(list: u32, k: u32, i: u32) {
    lists[list * params.points + k] = i;
}

fn beta(list: u32, i: u32) -> f32 {
    return bitcast<f32>(lists[(BETAS + list) * params.points + i]);
}

fn set_beta(list: u32, i: u32, share: f32) {
    lists[(BETAS + list) * params.points + i] = bitcast<u32>(share);
}

fn owner_of(i: u32) -> u32 {
    return known[i].packed & LOW_HALF;
}

fn ring_length(i: u32) -> u32 {
    return known[i].packed >> RING_SHIFT;
}

fn has_flag(i: u32, bit: u32) -> bool {
    return (known[i].packed & bit) != 0u;
}

// A neighbour beyond the first eight.
fn neighbour(i: u32, k: u32) -> u32 {
    return tables[params.ring + tables[params.ring_starts + i] + k];
}

// The pair that two limbs make, or NONE.
fn pair_of(a: u32, b: u32) -> u32 {
    return tables[params.pair_of + a * params.limbs + b];
}

// Whether a pair has room, and above that bit which of the joined ones it is.
fn room_and_joined(pair: u32) -> u32 {
    return tables[params.pair_of + params.limbs * params.limbs + pair];
}

// The share of its correction that a point keeps: the twin of Doubts::share.
fn share_of(i: u32) -> f32 {
    if known[i].is_doubted == 0u {
        return 1.0;
    }
    var share = 1.0;
    for (var k = 0u; k < MOST_DOUBTS; k++) {
        let word = tables[params.doubts + MOST_DOUBTS * i + k];
        let pair = word & LOW_HALF;
        if word != LOW_HALF {
            share *= 1.0 - f32(word >> 16u) / 65535.0 * frame[params.turned + pair / 4u][pair % 4u];
        }
    }
    return share;
}

// A walk limited by those of its one-ring: the twin of Tracker::keep_in_rings.
fn kept_in_ring(i: u32, at: vec3<f32>, turn: u32) -> vec3<f32> {
    let ring = known[i].ring;
    let count = ring_length(i);
    var sum = 0.0;
    for (var k = 0u; k < 8u; k++) {
        sum += select(0.0, walks(ring[k])[turn], k < count);
    }
    for (var k = 8u; k < count; k++) {
        sum += walks(neighbour(i, k))[turn];
    }
    let mean = sum / f32(max(count, 1u));
    let share = min((mean + RING_SLACK * known[i].edge) / walks(i)[turn], 1.0);
    return place(FROM, i) * (1.0 - share) + at * share;
}
