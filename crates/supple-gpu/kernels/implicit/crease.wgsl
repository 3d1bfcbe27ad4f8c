// Creases of jointed limbs: the twin of deform/implicit/crease.rs.


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

// The new place of a point, if it has one.
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

// The start of a point whose blended motion leads to `start`.
fn begins(i: u32, start: vec3<f32>) -> vec3<f32> {
    let crease = crease_of(i);
    if crease.fold.turned <= CREASE_BENDS[0] || all(crease.fold.towards == vec3<f32>()) {
        return start;
    }
    let own = carried(crease.owner, known[i].rest);
    let height = dot(own - crease.fold.at, crease.fold.towards);
    let share = smoothstep(CREASE_BENDS[0], CREASE_BENDS[1], crease.fold.turned) * smoothstep(0.0, START_HEIGHT * crease.radius, height);
    return start * (1.0 - share) + own * share;
}

// By how much the owner of a point is stronger than the other limb; close to the joint, where it lies from the bisector plane.
fn stronger_by(crease: Crease, at: vec3<f32>) -> f32 {
    let way = at - crease.fold.at;
    let thin = crease.fold.radius;
    let share = smoothstep(BISECTOR_HEIGHTS[0] * thin, BISECTOR_HEIGHTS[1] * thin, dot(way, crease.fold.towards));
    let plane = SKIN_SLOPE * (dot(way, crease.across) - crease.past) / thin;
    if share <= 0.0 {
        return plane;
    }
    let fields = limb_at(crease.owner, at).w + crease.deficit - limb_at(crease.other, at).w;
    return mix(plane, fields, share);
}

// Signed distance of a point past the bisector plane, on the side of the fold; zero where it is not past it.
fn past_plane(crease: Crease, at: vec3<f32>) -> f32 {
    let way = at - crease.fold.at;
    let folds = any(crease.fold.towards != vec3<f32>()) && dot(way, crease.fold.towards) > 0.0;
    let past = dot(way, crease.across) - crease.past;
    return select(0.0, past, folds && past < -BISECTOR_MARGIN * crease.radius);
}

fn contact(crease: Crease, at: vec3<f32>) -> Met {
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
    for (var k = 1u; k <= MEDIAL_PROBES; k++) {
        let next = mix(plane, at, f32(k) / f32(MEDIAL_PROBES));
        let value = stronger_by(crease, next);
        if value < 0.0 {
            return equal_between(crease, vec4<f32>(next, value), last);
        }
        last = vec4<f32>(next, value);
    }
    return Met(at, false);
}

// Where a point goes whose owner is stronger by `here`: nowhere if it is, else inward.
fn pushed_inside(crease: Crease, at: vec3<f32>, here: f32, steps: u32) -> Met {
    if here >= 0.0 {
        return Met(at, true);
    }
    return inward(crease, at, here, steps);
}

// Whether the fold has a bisector plane: the twin of crease::has_bisector.
fn has_bisector(crease: Crease) -> bool {
    return crease.fold.turned > CREASE_BENDS[0] && any(crease.fold.towards != vec3<f32>()) && any(crease.across != vec3<f32>());
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
    for (var k = 0u; k < CREASE_ROOT_STEPS && left >= CREASE_TOLERANCE; k++) {
        let middle = mix(before, at, clamp(low / (low - high), BRACKET[0], BRACKET[1]));
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
