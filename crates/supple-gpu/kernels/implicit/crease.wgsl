// Creases of jointed limbs: the twin of deform/implicit/crease.rs.

const TURNED: array<f32, 2> = array<f32, 2>(0.4, 0.7071068);
const HEIGHT: f32 = 0.5;
const ON_PLANE: array<f32, 2> = array<f32, 2>(0.0, 0.65);
const STEEP: f32 = 1.875;
const LOOKS: u32 = 4u;
const INWARD_STEPS: u32 = 6u;
const PUSH_STEPS: u32 = 2u;
const INWARD_STEP: f32 = 0.2;
const LANDING: u32 = 8u;
const EQUAL: f32 = 2e-4;
const LEAST_PAST: f32 = 1e-4;

// A fold as the limb of one of its points sees it.
struct Crease {
    fold: Fold,
    // From the bisector plane into the limb.
    across: vec3<f32>,
    // From the axis of the limb towards the fold.
    outward: vec3<f32>,
    owner: u32,
    other: u32,
    // Of the point: see Known.
    past: f32,
    deficit: f32,
    radius: f32,
}

// Where a point is put, if it is.
struct Met {
    at: vec3<f32>,
    yes: bool,
}

fn has_crease(i: u32) -> bool {
    return known[i].pair != NONE;
}

fn crease_of(i: u32) -> Crease {
    let fold = fold_of(known[i].pair);
    let across = fold.across * select(-1.0, 1.0, known[i].is_first == 1u);
    let cosine = sqrt(max(1.0 - fold.bend * fold.bend, 0.0));
    let outward = cosine * fold.towards - fold.bend * across;
    let other = known[i].other;
    return Crease(fold, across, outward, owner_of(i), other, known[i].past, known[i].deficit, known[i].radius);
}

// Where a point begins that blended motions put to `start`.
fn begins(i: u32, start: vec3<f32>) -> vec3<f32> {
    let crease = crease_of(i);
    if crease.fold.turned <= TURNED[0] || all(crease.fold.towards == vec3<f32>()) {
        return start;
    }
    let own = carried(crease.owner, known[i].rest);
    let height = dot(own - crease.fold.at, crease.fold.towards);
    let share = smoothstep(TURNED[0], TURNED[1], crease.fold.turned) * smoothstep(0.0, HEIGHT * crease.radius, height);
    return start * (1.0 - share) + own * share;
}

// How much stronger the limb of a point is than the other; by the joint the two meet in the plane that halves the bend.
fn stronger_by(crease: Crease, at: vec3<f32>) -> f32 {
    let way = at - crease.fold.at;
    let thin = crease.fold.radius;
    let share = smoothstep(ON_PLANE[0] * thin, ON_PLANE[1] * thin, dot(way, crease.fold.towards));
    let plane = STEEP * (dot(way, crease.across) - crease.past) / thin;
    if share <= 0.0 {
        return plane;
    }
    let fields = limb_at(crease.owner, at).w + crease.deficit - limb_at(crease.other, at).w;
    return mix(plane, fields, share);
}

// How far a point is past the plane that halves the bend, on the side of the fold; zero where it is not.
fn past_plane(crease: Crease, at: vec3<f32>) -> f32 {
    let way = at - crease.fold.at;
    let folds = any(crease.fold.towards != vec3<f32>()) && dot(way, crease.fold.towards) > 0.0;
    let past = dot(way, crease.across) - crease.past;
    return select(0.0, past, folds && past < -LEAST_PAST * crease.radius);
}

fn meet(crease: Crease, at: vec3<f32>) -> Met {
    let past = past_plane(crease, at);
    if past >= 0.0 {
        return Met(at, false);
    }
    let plane = at + past / crease.fold.bend * crease.outward;
    let there = stronger_by(crease, plane);
    if there < 0.0 {
        return inward(crease, plane, there, INWARD_STEPS);
    }
    var last = vec4<f32>(plane, there);
    for (var k = 1u; k <= LOOKS; k++) {
        let next = mix(plane, at, f32(k) / f32(LOOKS));
        let value = stronger_by(crease, next);
        if value < 0.0 {
            return equal_between(crease, vec4<f32>(next, value), last);
        }
        last = vec4<f32>(next, value);
    }
    return Met(at, false);
}

// Where a point is held whose limb is stronger by `here`.
fn hold(crease: Crease, at: vec3<f32>, here: f32, steps: u32) -> Met {
    if here >= 0.0 {
        return Met(at, true);
    }
    return inward(crease, at, here, steps);
}

// Whether a plane parts the two limbs: the twin of crease::parted.
fn parted(crease: Crease) -> bool {
    return crease.fold.turned > TURNED[0] && any(crease.fold.towards != vec3<f32>()) && any(crease.across != vec3<f32>());
}

fn inward(crease: Crease, start: vec3<f32>, value: f32, steps: u32) -> Met {
    var last = vec4<f32>(start, value);
    for (var k = 0u; k < steps; k++) {
        let next = last.xyz - INWARD_STEP * crease.radius * crease.outward;
        let here = stronger_by(crease, next);
        if here >= 0.0 {
            return equal_between(crease, last, vec4<f32>(next, here));
        }
        last = vec4<f32>(next, here);
    }
    return Met(start, false);
}

// Between a place where the own limb is weaker and one where it is not, each with by how much it is stronger.
fn equal_between(crease: Crease, weaker: vec4<f32>, stronger: vec4<f32>) -> Met {
    var before = weaker.xyz;
    var low = weaker.w;
    var at = stronger.xyz;
    var high = stronger.w;
    var left = high;
    for (var k = 0u; k < LANDING && left >= EQUAL; k++) {
        let middle = mix(before, at, clamp(low / (low - high), 0.05, 0.95));
        let value = stronger_by(crease, middle);
        if value >= 0.0 {
            at = middle;
            high = value;
            left = value;
            low *= 0.5;
        } else {
            before = middle;
            low = value;
            high *= 0.5;
        }
    }
    return Met(at, true);
}
