// Implicit skinning on a device: the twin of deform/implicit/track.rs. A frame is
//
//   look                a workgroup for each chunk: where its points start, which limbs are near, whether they move at all
//   sift                the points in creases; which of the others are not where they should be
//   fit                 the owner rule for every one of these, and the march of those it does not move
//   fit                 the march of those it moved, after their walks were compared with those of their rings
//   spread              contact, ring by ring; at the end, the list of points near it
//   smooth              the points near contact, step by step
//   fit, fit, smooth, fit   the same for these points again; the last smoothing makes even how far the others have moved
//   scatter             what is found, to the vertices
//
// Those that feel the field work on a list that the ones before have made, in any order; threads go through a list in strides,
// so that a short one costs little. Contact and smoothing go over all points: most have nothing to do, but a list of the
// others would have to be made ring by ring, and each step would wait for the list before it can begin. Every number is written
// from numbers that the same kernel does not write.

@group(0) @binding(10) var<storage, read_write> near_found: array<u32>;
@group(0) @binding(11) var<storage, read> posed: array<f32>;
@group(0) @binding(12) var<storage, read_write> moved: array<f32>;
// The point of each vertex, and its share of the correction.
@group(0) @binding(13) var<storage, read> vertices: array<vec2<u32>>;

var<workgroup> lows: array<vec3<f32>, 64>;
var<workgroup> highs: array<vec3<f32>, 64>;
var<workgroup> chosen: array<atomic<u32>, 2>;
var<workgroup> chunk_limbs: array<u32, 48>;
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
    let x = frame[4u * limb];
    let y = frame[4u * limb + 1u];
    let z = frame[4u * limb + 2u];
    let at = vec3<f32>(dot(x.xyz, middle) + x.w, dot(y.xyz, middle) + y.w, dot(z.xyz, middle) + z.w);
    let reach = vec3<f32>(dot(abs(x.xyz), extent), dot(abs(y.xyz), extent), dot(abs(z.xyz), extent));
    return all(at + reach >= vec3<f32>()) && all(at - reach <= vec3<f32>(bitcast<vec3<u32>>(frame[4u * limb + 3u].xyz) - 1u));
}

fn note_group(joint: u32) {
    let group = u32(frame[params.groups + joint / 4u][joint % 4u]);
    atomicMin(&group_low, group);
    atomicMax(&group_high, group);
}

@compute @workgroup_size(64)
fn look(thread: Thread) {
    let i = index(thread);
    let chunk = i / 64u;
    let first = chunk * 64u;
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
        radius = bitcast<f32>(known[ROW * first + 1u].w);
    }
    let middle = 0.5 * (lows[0] + highs[0]);
    let extent = 0.5 * (highs[0] - lows[0]) + vec3<f32>(0.6 * radius);
    let words = chunk * CHUNK_WORDS;
    var limbs = 0u;
    for (var base = 0u; base < params.limbs; base += 64u) {
        let limb = base + t;
        let near_by = first < params.points && limb < params.limbs && touches(limb, middle, extent);
        let rank = ranks(t, near_by);
        if near_by && limbs + rank.x < NEAR {
            chunk_limbs[limbs + rank.x] = limb;
            near_found[words + 2u + limbs + rank.x] = limb;
            note_group(tables[params.limb_joints + limb]);
        }
        limbs = min(limbs + rank.y, NEAR);
    }
    workgroupBarrier();
    var pairs = 0u;
    for (var base = 0u; base < params.joined; base += 64u) {
        // The places of its two limbs in the chunk's list.
        var sides = vec2<u32>(NONE);
        if base + t < params.joined {
            let pair = params.pairs + (base + t) * PAIR_WORDS;
            for (var k = 0u; k < limbs; k++) {
                sides.x = select(sides.x, k, chunk_limbs[k] == tables[pair]);
                sides.y = select(sides.y, k, chunk_limbs[k] == tables[pair + 1u]);
            }
        }
        let both = all(sides != vec2<u32>(NONE));
        let rank = ranks(t, both);
        if both && pairs + rank.x < NEAR {
            near_found[words + 2u + NEAR + pairs + rank.x] = ((base + t) << 12u) | (sides.x << 6u) | sides.y;
        }
        pairs = min(pairs + rank.y, NEAR);
    }
    if first < params.points {
        if t == 0u {
            near_found[words] = limbs;
            near_found[words + 1u] = pairs;
        }
        let end = tables[params.chunk_joints + chunk + 1u];
        for (var k = tables[params.chunk_joints + chunk] + t; k < end; k += 64u) {
            note_group(tables[params.chunk_joints + k]);
        }
    }
    workgroupBarrier();
    let still = atomicLoad(&group_low) >= atomicLoad(&group_high);
    let tracks = here && !still && (known[ROW * i + 1u].x & TRACKED) != 0u;
    let rank = ranks(t, tracks);
    if t == 0u && rank.y > 0u {
        first_slot = atomicAdd(&tallies[COUNT_ACTIVE], rank.y);
    }
    workgroupBarrier();
    if tracks {
        lists[first_slot + rank.x] = i;
    }
    if here {
        begin = select(start, begin, tracks);
        set_place(0u, i, begin);
        set_place(1u, i, begin);
        set_place(START, i, start);
        points[WALKS * params.points + i] = vec4<f32>(0.0, 0.0, 0.0, f32(select(0u, MOVES, tracks)));
        lists[3u * params.points + i] = 0u;
    }
}

@compute @workgroup_size(64)
fn spread(thread: Thread) {
    let i = index(thread);
    let t = thread.local;
    let round = step_of.round;
    var share = 0.0;
    if i < params.points && round == 0u {
        share = beta(0u, i);
    } else if i < params.points {
        let ring = ring_at(2u, i);
        let count = known[ROW * i + 1u].x >> RING_SHIFT;
        var sum = 0.0;
        for (var n = 0u; n < 8u; n++) {
            sum += select(0.0, beta((round - 1u) % 2u, ring[n]), n < count);
        }
        for (var n = 8u; n < count; n++) {
            sum += beta((round - 1u) % 2u, neighbour(i, n));
        }
        share = select(0.0, sum / f32(count), count > 0u);
        lists[(3u + round % 2u) * params.points + i] = bitcast<u32>(share);
    }
    if round < params.diffusion {
        return;
    }
    let near_by = share > LEAST_BETA;
    let rank = ranks(t, near_by);
    if t == 0u && rank.y > 0u {
        first_slot = atomicAdd(&tallies[COUNT_NEAR], rank.y);
    }
    workgroupBarrier();
    if near_by {
        lists[2u * params.points + first_slot + rank.x] = i;
    }
}

@compute @workgroup_size(64)
fn smooth_once(thread: Thread) {
    let i = index(thread);
    if i >= params.points {
        return;
    }
    let share = beta(params.diffusion % 2u, i);
    // Where there is no contact the last rounds make even how far points have moved: the twin of Tracked::evens.
    let evens = select(0.0, EVEN * max(1.0 - NEAR_CONTACT * share, 0.0), step_of.round == 1u && marks(i) == MOVES);
    if share <= LEAST_BETA && evens <= 0.0 {
        return;
    }
    var at = place(step_of.here, i);
    let flags = known[ROW * i + 1u].x;
    let count = flags >> RING_SHIFT;
    let ring = ring_at(2u, i);
    let phi = ring_at(4u, i);
    if (flags & FIXED) != 0u {
        set_place(1u - step_of.here, i, at);
        return;
    }
    var way = vec3<f32>();
    if evens > 0.0 || (flags & HELD) == 0u {
        for (var n = 0u; n < 8u; n++) {
            way += select(vec3<f32>(), place(step_of.here, ring[n]) - place(START, ring[n]), n < count);
        }
        for (var n = 8u; n < count; n++) {
            let other = neighbour(i, n);
            way += place(step_of.here, other) - place(START, other);
        }
    }
    let along = place(START, i) + way / f32(max(count, 1u));
    if share > LEAST_BETA {
        // Without coordinates the mean of a ring is anywhere: the mean of how far it has moved is not.
        var middle = along;
        if (flags & HELD) != 0u {
            middle = vec3<f32>();
            for (var n = 0u; n < 8u; n++) {
                middle += bitcast<f32>(phi[n]) * place(step_of.here, ring[n]);
            }
            for (var n = 8u; n < count; n++) {
                let word = tables[params.ring_starts + i] + n;
                middle += bitcast<f32>(tables[params.phi + word]) * place(step_of.here, tables[params.ring + word]);
            }
        }
        at = at * (1.0 - share) + middle * share;
    }
    if evens > 0.0 {
        at = at * (1.0 - evens) + along * evens;
    }
    set_place(1u - step_of.here, i, at);
}

fn is_beside_touched(i: u32) -> bool {
    var found = marks(i);
    let ring = ring_at(2u, i);
    let count = known[ROW * i + 1u].x >> RING_SHIFT;
    for (var k = 0u; k < min(count, 8u); k++) {
        found |= marks(ring[k]);
    }
    for (var k = 8u; k < count; k++) {
        found |= marks(neighbour(i, k));
    }
    return (found & TOUCHED) != 0u;
}

@compute @workgroup_size(64)
fn scatter(thread: Thread) {
    let v = index(thread);
    if v >= params.vertices {
        return;
    }
    let i = vertices[v].x;
    let share = bitcast<f32>(vertices[v].y) * max(share_of(i), min(2.0 * beta(params.diffusion % 2u, i), 1.0));
    var at = place(step_of.here, i);
    let start = place(START, i);
    // The last walks are short ones: the twin of Tracker::shorten_last_walks.
    let walk = walks(i).z;
    let longest = LAST_WALK * bitcast<f32>(known[ROW * i].w);
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
