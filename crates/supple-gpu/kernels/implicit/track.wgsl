// Implicit skinning on a device: the twin of deform/implicit/track.rs. A frame is
//
//   look                a workgroup for each chunk: where its points start, which limbs are near, whether they move at all
//   sift                the points in creases; which of the others are not where they should be
//   fit                 the owner rule for every one of these, and the march of those it does not move
//   fit                 the march of those it moved, after their walks were compared with those of their rings
//   spread              contact, ring by ring; at the end, the list of points around it
//   smooth              the points around contact, step by step
//   fit, fit, smooth, fit   the same for these points again; the last smoothing makes even how far the others have moved
//   scatter             what is found, to the vertices
//
// Those that feel the field work on a list that the ones before have made, in any order; threads go through a list in strides,
// so that a short one costs little. Contact and smoothing go over all points: most have nothing to do, but a list of the
// others would have to be made ring by ring, and each step would wait for the list before it can begin. Every number is written
// from numbers that the same kernel does not write.

@group(0) @binding(10) var<storage, read_write> near_found: array<Near>;
@group(0) @binding(11) var<storage, read> posed: array<f32>;
@group(0) @binding(12) var<storage, read_write> moved: array<f32>;
@group(0) @binding(13) var<storage, read> vertices: array<Vertex>;

// The point of a vertex, and its share of the correction.
struct Vertex {
    point: u32,
    amount: f32,
}

var<workgroup> lows: array<vec3<f32>, WORKGROUP>;
var<workgroup> highs: array<vec3<f32>, WORKGROUP>;
var<workgroup> chosen: array<atomic<u32>, 2>;
var<workgroup> chunk_limbs: array<u32, MOST_NEAR>;
var<workgroup> group_low: atomic<u32>;
var<workgroup> group_high: atomic<u32>;
var<workgroup> first_slot: u32;

fn finite(p: vec3<f32>) -> bool {
    return all(abs(p) < vec3<f32>(3e38));
}

// How many threads before this one, and how many in all, have chosen; `chosen` is ready for the next time.
fn ranks(thread: u32, yes: bool) -> vec2<u32> {
    if yes {
        atomicOr(&chosen[thread / 32u], 1u << (thread % 32u));
    }
    workgroupBarrier();
    let words = vec2<u32>(atomicLoad(&chosen[0]), atomicLoad(&chosen[1]));
    workgroupBarrier();
    if thread < 2u {
        atomicStore(&chosen[thread], 0u);
    }
    workgroupBarrier();
    let counts = countOneBits(words);
    let below = countOneBits(select(words.x, words.y, thread >= 32u) & ((1u << (thread % 32u)) - 1u));
    return vec2<u32>(below + select(0u, counts.x, thread >= 32u), counts.x + counts.y);
}

fn touches(limb: u32, middle: vec3<f32>, extent: vec3<f32>) -> bool {
    let posed = posed_limb(limb);
    let x = posed.x;
    let y = posed.y;
    let z = posed.z;
    let at = vec3<f32>(dot(x.xyz, middle) + x.w, dot(y.xyz, middle) + y.w, dot(z.xyz, middle) + z.w);
    let reach = vec3<f32>(dot(abs(x.xyz), extent), dot(abs(y.xyz), extent), dot(abs(z.xyz), extent));
    return all(at + reach >= vec3<f32>()) && all(at - reach <= vec3<f32>(posed.nodes - 1u));
}

fn note_group(joint: u32) {
    let group = group_of(joint);
    atomicMin(&group_low, group);
    atomicMax(&group_high, group);
}

@compute @workgroup_size(WORKGROUP)
fn look(thread: Thread) {
    let i = index(thread);
    let chunk = i / CHUNK;
    let first = chunk * CHUNK;
    let t = thread.local;
    let here = i < params.points;
    var start = vec3<f32>();
    if here {
        let v = 3u * tables[params.first_of + i];
        start = vec3<f32>(posed[v], posed[v + 1u], posed[v + 2u]);
    }
    var begin = start;
    if here && has_crease(i) {
        begin = begins(i, start);
    }
    let counts = here && finite(begin);
    lows[t] = select(vec3<f32>(3e38), begin, counts);
    highs[t] = select(vec3<f32>(-3e38), begin, counts);
    if t == 0u {
        atomicStore(&group_low, NONE);
        atomicStore(&group_high, 0u);
    }
    workgroupBarrier();
    for (var half = 32u; half > 0u; half /= 2u) {
        if t < half {
            lows[t] = min(lows[t], lows[t + half]);
            highs[t] = max(highs[t], highs[t + half]);
        }
        workgroupBarrier();
    }
    var radius = 0.0;
    if first < params.points {
        radius = known[first].radius;
    }
    let middle = 0.5 * (lows[0] + highs[0]);
    let extent = 0.5 * (highs[0] - lows[0]) + vec3<f32>(CHUNK_MARGIN * radius);
    var limbs = 0u;
    for (var base = 0u; base < params.limbs; base += WORKGROUP) {
        let limb = base + t;
        let near_by = first < params.points && limb < params.limbs && touches(limb, middle, extent);
        let rank = ranks(t, near_by);
        if near_by && limbs + rank.x < MOST_NEAR {
            chunk_limbs[limbs + rank.x] = limb;
            near_found[chunk].limbs[limbs + rank.x] = limb;
            note_group(tables[params.limb_joints + limb]);
        }
        limbs = min(limbs + rank.y, MOST_NEAR);
    }
    workgroupBarrier();
    var pairs = 0u;
    for (var base = 0u; base < params.joined; base += WORKGROUP) {
        // The places of its two limbs in the chunk's list.
        var sides = vec2<u32>(NONE);
        if base + t < params.joined {
            let pair = params.pairs + (base + t) * PAIR_WORDS;
            for (var k = 0u; k < limbs; k++) {
                sides.x = select(sides.x, k, chunk_limbs[k] == tables[pair + PAIR_LIMBS]);
                sides.y = select(sides.y, k, chunk_limbs[k] == tables[pair + PAIR_LIMBS + 1u]);
            }
        }
        let both = all(sides != vec2<u32>(NONE));
        let rank = ranks(t, both);
        if both && pairs + rank.x < MOST_NEAR {
            near_found[chunk].pairs[pairs + rank.x] = ((base + t) << 12u) | (sides.x << 6u) | sides.y;
        }
        pairs = min(pairs + rank.y, MOST_NEAR);
    }
    if first < params.points {
        if t == 0u {
            near_found[chunk].limb_count = limbs;
            near_found[chunk].pair_count = pairs;
        }
        let end = tables[params.chunk_joints + chunk + 1u];
        for (var k = tables[params.chunk_joints + chunk] + t; k < end; k += WORKGROUP) {
            note_group(tables[params.chunk_joints + k]);
        }
    }
    workgroupBarrier();
    let still = atomicLoad(&group_low) >= atomicLoad(&group_high);
    let tracks = here && !still && has_flag(i, TRACKED);
    let rank = ranks(t, tracks);
    if t == 0u && rank.y > 0u {
        first_slot = atomicAdd(&tallies[COUNT_ACTIVE], rank.y);
    }
    workgroupBarrier();
    if tracks {
        set_listed(ACTIVE, first_slot + rank.x, i);
    }
    if here {
        begin = select(start, begin, tracks);
        set_place(0u, i, begin);
        set_place(1u, i, begin);
        set_place(START, i, start);
        points[WALKS * params.points + i] = vec4<f32>(0.0, 0.0, 0.0, f32(select(0u, MOVES, tracks)));
        set_beta(0u, i, 0.0);
    }
}

@compute @workgroup_size(WORKGROUP)
fn spread(thread: Thread) {
    let i = index(thread);
    let t = thread.local;
    let round = dispatch.round;
    var share = 0.0;
    if i < params.points && round == 0u {
        share = beta(0u, i);
    } else if i < params.points {
        let ring = known[i].ring;
        let count = ring_length(i);
        var sum = 0.0;
        for (var n = 0u; n < 8u; n++) {
            sum += select(0.0, beta((round - 1u) % 2u, ring[n]), n < count);
        }
        for (var n = 8u; n < count; n++) {
            sum += beta((round - 1u) % 2u, neighbour(i, n));
        }
        share = select(0.0, sum / f32(count), count > 0u);
        set_beta(round % 2u, i, share);
    }
    if round < params.diffusion {
        return;
    }
    let near_by = share > LEAST_BETA;
    let rank = ranks(t, near_by);
    if t == 0u && rank.y > 0u {
        first_slot = atomicAdd(&tallies[COUNT_AROUND_CONTACT], rank.y);
    }
    workgroupBarrier();
    if near_by {
        set_listed(AROUND_CONTACT, first_slot + rank.x, i);
    }
}

@compute @workgroup_size(WORKGROUP)
fn smooth_once(thread: Thread) {
    let i = index(thread);
    if i >= params.points {
        return;
    }
    let share = beta(params.diffusion % 2u, i);
    // Where there is no contact the last rounds make even how far points have moved: the twin of Tracked::evens.
    let evens = select(0.0, EVENING * max(1.0 - EVENING_FALLOFF * share, 0.0), dispatch.round == 1u && marks(i) == MOVES);
    if share <= LEAST_BETA && evens <= 0.0 {
        return;
    }
    var at = place(dispatch.here, i);
    let count = ring_length(i);
    let ring = known[i].ring;
    let phi = known[i].phi;
    if has_flag(i, FIXED) {
        set_place(1u - dispatch.here, i, at);
        return;
    }
    var way = vec3<f32>();
    if evens > 0.0 || !has_flag(i, HAS_COORDINATES) {
        for (var n = 0u; n < 8u; n++) {
            way += select(vec3<f32>(), place(dispatch.here, ring[n]) - place(START, ring[n]), n < count);
        }
        for (var n = 8u; n < count; n++) {
            let other = neighbour(i, n);
            way += place(dispatch.here, other) - place(START, other);
        }
    }
    let along = place(START, i) + way / f32(max(count, 1u));
    if share > LEAST_BETA {
        // Without coordinates the mean of a ring is anywhere: the mean of how far it has moved is not.
        var middle = along;
        if has_flag(i, HAS_COORDINATES) {
            middle = vec3<f32>();
            for (var n = 0u; n < 8u; n++) {
                middle += phi[n] * place(dispatch.here, ring[n]);
            }
            for (var n = 8u; n < count; n++) {
                let word = tables[params.ring_starts + i] + n;
                middle += bitcast<f32>(tables[params.phi + word]) * place(dispatch.here, tables[params.ring + word]);
            }
        }
        at = at * (1.0 - share) + middle * share;
    }
    if evens > 0.0 {
        at = at * (1.0 - evens) + along * evens;
    }
    set_place(1u - dispatch.here, i, at);
}

fn is_beside_touched(i: u32) -> bool {
    var found = marks(i);
    let ring = known[i].ring;
    let count = ring_length(i);
    for (var k = 0u; k < min(count, 8u); k++) {
        found |= marks(ring[k]);
    }
    for (var k = 8u; k < count; k++) {
        found |= marks(neighbour(i, k));
    }
    return (found & TOUCHED) != 0u;
}

@compute @workgroup_size(WORKGROUP)
fn scatter(thread: Thread) {
    let v = index(thread);
    if v >= params.vertices {
        return;
    }
    let i = vertices[v].point;
    let share = vertices[v].amount * max(share_of(i), min(KEPT_PER_BETA * beta(params.diffusion % 2u, i), 1.0));
    var at = place(dispatch.here, i);
    let start = place(START, i);
    // The last walks are short ones: the twin of Tracker::shorten_last_walks.
    let walk = walks(i).z;
    let longest = LONGEST_LAST_WALK * known[i].edge;
    if walk > longest {
        at = mix(place(FROM, i), at, longest / walk);
    }
    let way = at - start;
    let farthest = params.farthest;
    // A point that was not deep in another limb at the start, or of thin limbs, has no reason to go far, unless it lies beside
    // one that has.
    if dot(way, way) > farthest * farthest && !is_beside_touched(i) {
        at = start + farthest * (way / sqrt(dot(way, way)));
    }
    var p = vec3<f32>(posed[3u * v], posed[3u * v + 1u], posed[3u * v + 2u]);
    // A point that was not moved keeps its vertices apart where they were, along seams of the weights.
    if any(at != start) {
        p = p * (1.0 - share) + at * share;
    }
    moved[3u * v] = p.x;
    moved[3u * v + 1u] = p.y;
    moved[3u * v + 2u] = p.z;
}
