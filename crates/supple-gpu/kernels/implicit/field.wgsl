// The composed field at points on their way: the twin of field/compose.rs, field/grid.rs and deform/implicit/field_at.rs.
// A field at a point is a vec4, its gradient and its value.

// Whether any operator is more than a union.
override joins: bool = false;

// Threads that feel the field for one point, each some of the limbs: 1, 2, 4 or 8. With operators there are 8, since the
// fields of all limbs must lie side by side.
override lanes: u32 = 8u;

// The fields at a point: the composed one, its owner's, the strongest other one and which limb that is.
struct Felt {
    all: vec4<f32>,
    own: vec4<f32>,
    other: vec4<f32>,
    limb: u32,
}

// What the first of a point's threads asks the others for: a place, its chunk (or NONE), the point's owner.
struct Ask {
    at: vec3<f32>,
    chunk: u32,
    merged: vec4<u32>,
    owner: u32,
}

// The strongest of the limbs that one thread has felt, of all and of the others, with their places in the chunk's list.
struct Part {
    all: vec4<f32>,
    other: vec4<f32>,
    places: vec2<u32>,
    limb: u32,
}

var<workgroup> asks: array<Ask, WORKGROUP>;
var<workgroup> parts: array<Part, WORKGROUP>;
var<workgroup> owns: array<vec4<f32>, WORKGROUP>;
// Of the points of a workgroup, which are an eighth of its threads where they need this: the limbs of a chunk, to a power of two.
var<workgroup> fields: array<vec4<f32>, 512>;

// One limb at a point; nothing outside of its box.
fn limb_at(limb: u32, p: vec3<f32>) -> vec4<f32> {
    let posed = posed_limb(limb);
    let x = posed.x;
    let y = posed.y;
    let z = posed.z;
    let at = vec3<f32>(dot(x.xyz, p) + x.w, dot(y.xyz, p) + y.w, dot(z.xyz, p) + z.w);
    let last = vec3<f32>(posed.nodes - 1u);
    if !(all(at >= vec3<f32>()) && all(at <= last)) {
        return vec4<f32>();
    }
    let cell = min(floor(at), last - 1.0);
    let t = at - cell;
    let u = 1.0 - t;
    let c = vec3<u32>(cell);
    let side = posed.nodes.x;
    let first = posed.first + (c.z * posed.nodes.y + c.y) * side + c.x;
    let above = first + posed.nodes.y * side;
    let yz00 = u.y * u.z;
    let yz10 = t.y * u.z;
    let yz01 = u.y * t.z;
    let yz11 = t.y * t.z;
    let n000 = atlas[first] * (u.x * yz00);
    let n100 = atlas[first + 1u] * (t.x * yz00);
    let n010 = atlas[first + side] * (u.x * yz10);
    let n110 = atlas[first + side + 1u] * (t.x * yz10);
    let n001 = atlas[above] * (u.x * yz01);
    let n101 = atlas[above + 1u] * (t.x * yz01);
    let n011 = atlas[above + side] * (u.x * yz11);
    let n111 = atlas[above + side + 1u] * (t.x * yz11);
    let x1 = (n100 + n110) + (n101 + n111);
    let x0 = (n000 + n010) + (n001 + n011);
    let y1 = (n010 + n110) + (n011 + n111);
    let z1 = (n001 + n101) + (n011 + n111);
    let sum = x0 + x1;
    let value = sum.w + 0.5 * (dot(t, sum.xyz) - (x1.x + y1.y + z1.z));
    return vec4<f32>(x.xyz * sum.x + y.xyz * sum.y + z.xyz * sum.z, value);
}

// A thread's part of what is felt where its point asks: limbs lane, lane + lanes, ...
fn feel_some(thread: u32) {
    let slot = thread / lanes;
    let at = asks[slot].at;
    let chunk = asks[slot].chunk;
    var part = Part(vec4<f32>(), vec4<f32>(), vec2<u32>(), asks[slot].owner);
    if chunk != NONE {
        let owner = asks[slot].owner;
        let merged = asks[slot].merged;
        let count = near[chunk].limb_count;
        for (var j = thread % lanes; j < count; j += lanes) {
            let limb = near[chunk].limbs[j];
            let field = limb_at(limb, at);
            if joins {
                fields[slot * 64u + j] = field;
            }
            if field.w > part.all.w {
                part.all = field;
                part.places.x = j;
            }
            if limb == owner {
                owns[slot] = field;
            } else if field.w > part.other.w && all(merged != vec4<u32>(limb)) {
                part.other = field;
                part.places.y = j;
                part.limb = limb;
            }
        }
    }
    parts[thread] = part;
}

// A thread's part of the pairs of limbs, after all limbs are felt.
fn join_some(thread: u32) {
    let slot = thread / lanes;
    let chunk = asks[slot].chunk;
    if chunk == NONE {
        return;
    }
    let count = near[chunk].pair_count;
    for (var k = thread % lanes; k < count; k += lanes) {
        let word = near[chunk].pairs[k];
        let a = fields[slot * 64u + ((word >> 6u) & 63u)];
        let b = fields[slot * 64u + (word & 63u)];
        let pair = params.pairs + (word >> 12u) * PAIR_WORDS;
        if min(a.w, b.w) > 0.0 && can_join(pair, a.w, b.w) {
            let joined = combine(operator_of(pair), a, b);
            if joined.w > parts[thread].all.w {
                parts[thread].all = joined;
                // Beyond every limb: of equals the limb is taken.
                parts[thread].places.x = MOST_NEAR + k;
            }
        }
    }
}

// What a point's threads have felt together. Of equals the first in the chunk's list is taken, as if one thread had felt all.
fn felt_by_all(thread: u32) -> Felt {
    let own = owns[thread / lanes];
    var sum = parts[thread];
    for (var l = 1u; l < lanes; l++) {
        let part = parts[thread + l];
        if part.all.w > sum.all.w || (part.all.w == sum.all.w && part.all.w > 0.0 && part.places.x < sum.places.x) {
            sum.all = part.all;
            sum.places.x = part.places.x;
        }
        if part.other.w > sum.other.w || (part.other.w == sum.other.w && part.other.w > 0.0 && part.places.y < sum.places.y) {
            sum.other = part.other;
            sum.places.y = part.places.y;
            sum.limb = part.limb;
        }
    }
    return Felt(sum.all, select(vec4<f32>(), own, own.w > 0.0), sum.other, sum.limb);
}

// Most pairs of values are in no fan at any angle, and need no angle.
fn can_join(pair: u32, a: f32, b: f32) -> bool {
    let low = min(a, b);
    let high = max(a, b);
    let blend = bitcast<f32>(tables[pair + PAIR_WIDTHS]);
    let bulge = bitcast<f32>(tables[pair + PAIR_WIDTHS + 1u]);
    return fan_holds(low, high, blend, BLEND_DEPTH[0], BLEND_DEPTH[1])
        || fan_holds(low, high, bulge, BULGE_DEPTH[0], BULGE_DEPTH[1]);
}

fn operator_numbers(at: u32) -> vec4<f32> {
    return bitcast<vec4<f32>>(vec4<u32>(tables[at], tables[at + 1u], tables[at + 2u], tables[at + 3u]));
}

// The operator of a joined pair, word by word as `Operator` lies in memory.
fn operator_of(pair: u32) -> Operator {
    let at = pair + PAIR_OPERATOR;
    return Operator(
        tables[at],
        bitcast<f32>(tables[at + 1u]),
        vec2<f32>(),
        operator_numbers(at + 4u),
        operator_numbers(at + 8u),
        operator_numbers(at + 12u),
        operator_numbers(at + 16u),
    );
}

// Whether a point's owner and another limb can have contact at a place: always, unless they are jointed, and then on the inner side
// of the joint alone.
fn folds(owner: u32, limb: u32, at: vec3<f32>) -> bool {
    let pair = pair_of(owner, limb);
    if pair == NONE {
        return true;
    }
    let fold = fold_of(pair);
    return fold.bend > CONTACT_BENDS[0] && dot(at - fold.at, fold.towards) > 0.0;
}

// The share of the contact between two limbs: the twin of FieldAt::pressure.
fn pressure(owner: u32, limb: u32) -> f32 {
    let pair = pair_of(owner, limb);
    if pair == NONE {
        return 1.0;
    }
    return smoothstep(CONTACT_BENDS[0], CONTACT_BENDS[1], fold_of(pair).bend);
}
