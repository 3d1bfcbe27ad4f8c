// The owner rule and the march of points: the twin of deform/implicit/owner.rs, deform/implicit/project.rs and of the stages
// of deform/implicit/track.rs that use them.
//
// A point has several threads: all of them feel the field, each some of the limbs, and the first decides where it is felt
// next. It does so once in each turn of one loop, whatever its point is doing just then, and takes the next point when it is
// done with one. Were every loop of the processor's a loop here, threads side by side would wait in each for the slowest.


const DONE: u32 = 0u;
const BEGIN: u32 = 1u;
const WALK: u32 = 2u;
const WALK_BACK: u32 = 3u;
const STAY: u32 = 4u;
const MARCH: u32 = 5u;
const STOP: u32 = 6u;
const LAND: u32 = 7u;

// The point that a thread works on.
struct Job {
    what: u32,
    i: u32,
    // Where it is, where the field is felt next, and the step between; of a walk, the place before the last step.
    at: vec3<f32>,
    next: vec3<f32>,
    way: vec3<f32>,
    // What was felt: of its own limb and another, at the last place and here, or directions of gradients.
    one: vec4<f32>,
    two: vec4<f32>,
    limb: u32,
    // Walked, at most; or ends of an interval and what they miss the value by.
    span: vec4<f32>,
    side: u32,
    turns: u32,
    iso: f32,
    own: f32,
    deficit: f32,
    longest: f32,
    radius: f32,
    owner: u32,
}

var<private> job: Job;

fn finish(at: vec3<f32>, contact: bool) {
    job.what = DONE;
    if dispatch.turn == 0u {
        set_place(0u, job.i, at);
        set_place(1u, job.i, at);
        if contact {
            set_beta(0u, job.i, 1.0);
        }
    } else {
        set_place(dispatch.here, job.i, at);
    }
}

fn next_march_step() {
    let miss = job.iso - job.one.w;
    job.way = (params.sigma * miss / dot(job.one.xyz, job.one.xyz)) * job.one.xyz;
    let length_of = length(job.way);
    if length_of > job.longest {
        job.way *= job.longest / length_of;
    }
    job.next = job.at + job.way;
}

fn begin_march(here: vec4<f32>) {
    if dispatch.turn == 2u {
        job.what = DONE;
    } else if share_of(job.i) <= LEAST_SHARE {
        finish(job.at, dispatch.round == 1u);
    } else if length(here.xyz) < params.least || abs(job.iso - here.w) < ISO_TOLERANCE || dispatch.steps == 0u {
        finish(job.at, false);
    } else {
        job.what = MARCH;
        job.turns = 0u;
        job.one = here;
        next_march_step();
    }
}

fn march(felt: vec4<f32>) {
    let here = job.one;
    let miss = job.iso - here.w;
    let now = job.iso - felt.w;
    let slope = length(felt.xyz);
    let slope2 = dot(here.xyz, here.xyz);
    if slope < params.least {
        finish(job.at, !(miss > 0.0));
    } else if dot(felt.xyz, here.xyz) / (slope * sqrt(slope2)) < params.contact {
        job.what = STOP;
        job.turns = 0u;
        job.one = vec4<f32>(here.xyz / length(here.xyz), 0.0);
        job.two = vec4<f32>(felt.xyz / slope, 0.0);
        job.span = vec4<f32>(0.0, 1.0, 0.0, 0.0);
        job.next = job.at + 0.5 * job.way;
    } else if now * miss <= 0.0 {
        job.what = LAND;
        job.turns = 0u;
        job.side = 0u;
        job.span = vec4<f32>(0.0, 1.0, miss, now);
        next_landing();
    } else if abs(now) > abs(miss) {
        finish(job.at, true);
    } else {
        job.at += job.way;
        job.one = felt;
        job.turns++;
        if abs(now) < ISO_TOLERANCE || job.turns == dispatch.steps {
            finish(job.at, false);
        } else {
            next_march_step();
        }
    }
}

// The last place of a step whose gradient is nearer to that of its start than to that of its end.
fn stop(gradient: vec3<f32>) {
    let middle = 0.5 * (job.span.x + job.span.y);
    if dot(gradient, job.one.xyz) < dot(gradient, job.two.xyz) || all(gradient == vec3<f32>()) {
        job.span.y = middle;
    } else {
        job.span.x = middle;
    }
    job.turns++;
    if job.turns == CONTACT_BISECTIONS {
        finish(job.at + job.span.x * job.way, true);
    } else {
        job.next = job.at + (0.5 * (job.span.x + job.span.y)) * job.way;
    }
}

fn landing() -> f32 {
    let s = job.span;
    return clamp(s.x + (s.y - s.x) * s.z / (s.z - s.w), s.x, s.y);
}

fn next_landing() {
    job.next = job.at + landing() * job.way;
}

// The place on a step where the value is the iso value: false position that halves the weight of an end that stays.
fn land(value: f32) {
    let middle = landing();
    let here = job.iso - value;
    if abs(here) < ISO_TOLERANCE {
        finish(job.next, false);
        return;
    }
    // What the start of the step misses its value by, and what its end does, differ in sign.
    if here * (job.iso - job.one.w) <= 0.0 {
        job.span = vec4<f32>(job.span.x, middle, job.span.z * select(1.0, 0.5, job.side == 1u), here);
        job.side = 1u;
    } else {
        job.span = vec4<f32>(middle, job.span.y, here, job.span.w * select(1.0, 0.5, job.side == 2u));
        job.side = 2u;
    }
    job.turns++;
    if job.turns == ISO_ROOT_STEPS {
        finish(job.at + job.span.x * job.way, false);
    } else {
        next_landing();
    }
}

fn is_inside_another(felt: Felt) -> bool {
    return felt.other.w > felt.own.w + job.deficit + DEPTH_MARGIN
        && felt.own.w >= job.own - MOST_VALUE_LOST
        && folds(job.owner, felt.limb, job.next)
        && !(joins && rounds(felt));
}

// Whether the blend of the joint between the point's limb and the other rounds the place: the twin of Pair::rounds.
fn rounds(felt: Felt) -> bool {
    let pair = pair_of(job.owner, felt.limb);
    if pair == NONE {
        return false;
    }
    let joined = room_and_joined(pair) >> 1u;
    if joined == 0u {
        return false;
    }
    var op = operator_of(params.pairs + (joined - 1u) * PAIR_WORDS);
    if op.kind == UNION || op.kind == BULGE {
        return false;
    }
    op.kind = BLEND;
    return combine(op, felt.own, felt.other).w > max(felt.own.w, felt.other.w) + LEAST_ROUNDING;
}

// Another step along the gradient of the point's owner; without one, the point goes back and stays.
fn next_walk_step() {
    let slope = length(job.one.xyz);
    if job.turns == WALK_STEPS || job.span.x >= job.span.y || slope * job.radius < LEAST_SLOPE {
        stay();
        return;
    }
    let direction = job.one.xyz / slope;
    let closing = slope - dot(job.two.xyz, direction);
    var step = job.longest;
    if closing > LEAST_CLOSING * slope {
        step = min(step, (job.two.w - job.one.w - job.deficit) / closing);
    }
    step = max(step, SHORTEST_WALK_STEP * job.longest);
    job.span.z = job.one.w + job.deficit - job.two.w;
    job.way = job.at;
    job.at += step * direction;
    job.span.x += step;
    job.turns++;
    job.next = job.at;
}

fn stay() {
    job.what = STAY;
    job.at = place(dispatch.here, job.i);
    job.next = job.at;
}

// The twin of Tracker::have_room.
fn have_room(a: u32, b: u32) -> bool {
    let pair = pair_of(a, b);
    return pair != NONE && (room_and_joined(pair) & 1u) != 0u;
}

fn begin(felt: Felt) {
    if dispatch.round == 0u && is_inside_another(felt) {
        if is_pushed(felt.limb) {
            return;
        }
        job.what = WALK;
        job.turns = 0u;
        job.one = felt.own;
        job.two = felt.other;
        job.limb = felt.limb;
        let most = WALK_PER_DEPTH * job.radius * (felt.other.w - felt.own.w - job.deficit) + WALK_SLACK * job.longest;
        job.span = vec4<f32>(0.0, min(most, LONGEST_WALK * job.radius), 0.0, 0.0);
        let deep = felt.other.w > felt.own.w + job.deficit + DEEP;
        job.side = select(0u, 1u, deep && have_room(job.owner, felt.limb));
        next_walk_step();
    } else {
        begin_march(felt.all);
    }
}

fn walk(felt: Felt) {
    job.one = felt.own;
    job.two = felt.other;
    job.limb = felt.limb;
    if felt.own.w + job.deficit >= felt.other.w {
        job.what = WALK_BACK;
        job.turns = 0u;
        job.span.w = felt.own.w + job.deficit - felt.other.w;
        next_back();
    } else {
        next_walk_step();
    }
}

// False position on the last step of a walk, which halves the weight of an end that stays; the far end is the result.
fn next_back() {
    if job.turns == WALK_ROOT_STEPS || job.span.w < WALK_TOLERANCE {
        arrive();
    } else {
        job.next = mix(job.way, job.at, clamp(job.span.z / (job.span.z - job.span.w), BRACKET[0], BRACKET[1]));
    }
}

fn walk_back(felt: Felt) {
    let difference = felt.own.w + job.deficit - felt.other.w;
    if difference >= 0.0 {
        job.at = job.next;
        job.one = felt.own;
        job.span.w = difference;
        job.span.z *= 0.5;
        // Past the end of the other's support there is no other: the contact is with the last one.
        if felt.limb != job.owner {
            job.two = felt.other;
            job.limb = felt.limb;
        }
    } else {
        job.way = job.next;
        job.span.z = difference;
        job.span.w *= 0.5;
    }
    job.turns++;
    next_back();
}

// The end of a walk, if it is a contact.
fn arrive() {
    let lengths = length(job.one.xyz) * length(job.two.xyz);
    let cosine = dot(job.one.xyz, job.two.xyz) / max(lengths, LEAST_LENGTHS);
    if !(cosine <= SAME_SURFACE && folds(job.owner, job.limb, job.at)) {
        stay();
        return;
    }
    job.what = DONE;
    let start = place(dispatch.here, job.i);
    job.at = mix(start, job.at, pressure(job.owner, job.limb));
    note_walk(job.i, start, job.at);
    if dispatch.turn == 0u && job.side == 1u {
        set_marks(job.i, MOVES | TOUCHED);
    }
    set_place(dispatch.here, job.i, job.at);
    // No point marches after the last turn.
    if dispatch.turn < 2u {
        set_listed(WALKERS, atomicAdd(&tallies[COUNT_WALKERS + dispatch.turn], 1u), job.i);
    }
}

// Takes a point from the list, where it is one that is to move.
fn take(k: u32, slot: u32) {
    if dispatch.round == 1u {
        job.i = listed(WALKERS, k);
        job.at = kept_in_ring(job.i, place(dispatch.here, job.i), dispatch.turn);
    } else if dispatch.turn == 0u {
        job.i = listed(UNDERWAY, k);
        job.at = place(dispatch.here, job.i);
    } else {
        job.i = listed(AROUND_CONTACT, k);
        if !has_flag(job.i, TRACKED) {
            return;
        }
        job.at = place(dispatch.here, job.i);
        if dispatch.round == 0u && (marks(job.i) & PRESSED) != 0u && is_held(job.i, job.at) {
            return;
        }
    }
    job.iso = known[job.i].iso;
    job.own = known[job.i].own;
    job.deficit = known[job.i].deficit;
    job.radius = known[job.i].radius;
    job.longest = min(known[job.i].edge, LONGEST_STEP * job.radius);
    job.owner = owner_of(job.i);
    job.next = job.at;
    job.what = BEGIN;
    let ask = &asks[slot];
    let merged = known[job.i].merged;
    (*ask).chunk = job.i / CHUNK;
    (*ask).owner = job.owner;
    (*ask).merged = vec4<u32>(merged[0] & LOW_HALF, merged[0] >> 16u, merged[1] & LOW_HALF, merged[1] >> 16u);
}

// Whether a point stays in contact in its crease in a later turn, and moves it there.
fn is_held(i: u32, at: vec3<f32>) -> bool {
    let crease = crease_of(i);
    let met = pushed_inside(crease, at, stronger_by(crease, at), INWARD_STEPS);
    if met.yes {
        note_walk(i, at, met.at);
        set_place(dispatch.here, i, met.at);
    }
    return met.yes;
}

// Whether a point that another limb reaches on its own side of their crease goes in the direction of the crease, and moves it there: the
// twin of Tracker::pushed.
fn is_pushed(limb: u32) -> bool {
    let i = job.i;
    if !has_crease(i) {
        return false;
    }
    let crease = crease_of(i);
    if limb != crease.other || !has_bisector(crease) {
        return false;
    }
    let here = stronger_by(crease, job.at);
    let met = pushed_inside(crease, job.at, here, PUSH_STEPS);
    if !met.yes {
        return false;
    }
    var mark = marks(i) | PRESSED;
    if dispatch.turn == 0u && here < -DEEP {
        mark |= TOUCHED;
    }
    note_walk(i, job.at, met.at);
    set_marks(i, mark);
    finish(met.at, true);
    return true;
}

// Whether a point has contact in its crease in the first turn, and moves it there.
fn is_pressed(i: u32, at: vec3<f32>) -> bool {
    let crease = crease_of(i);
    if past_plane(crease, at) >= 0.0 {
        return false;
    }
    let met = contact(crease, at);
    if met.yes {
        let deep = stronger_by(crease, at) < -DEEP;
        points[WALKS * params.points + i].x = length(met.at - at);
        set_marks(i, MOVES | PRESSED | select(0u, TOUCHED, deep));
        set_place(FROM, i, at);
        set_place(0u, i, met.at);
        set_place(1u, i, met.at);
        set_beta(0u, i, 1.0);
    }
    return met.yes;
}

// Moves points into their creases, and drops those of the others in the first turn that are at their value already or outside of every
// support: one evaluation is enough for these, and they are most. `fit` would not move them.
@compute @workgroup_size(WORKGROUP)
fn sift(thread: Thread) {
    let k = index(thread);
    let t = thread.local;
    if t == 0u {
        atomicStore(&found_here, 0u);
    }
    workgroupBarrier();
    var i = 0u;
    var goes_on = false;
    let is_listed = k < atomicLoad(&tallies[COUNT_ACTIVE]);
    if is_listed {
        i = listed(ACTIVE, k);
    }
    let at = place(0u, i);
    if is_listed && !(has_crease(i) && is_pressed(i, at)) {
        let chunk = i / CHUNK;
        let owner = owner_of(i);
        let count = near[chunk].limb_count;
        // A pair of limbs, or another limb that is stronger: that is for `fit`.
        goes_on = near[chunk].pair_count > 0u;
        var own = vec4<f32>();
        var best = vec4<f32>();
        for (var j = 0u; j < count && !goes_on; j++) {
            let limb = near[chunk].limbs[j];
            let field = limb_at(limb, at);
            if limb == owner {
                own = field;
            }
            if field.w > best.w {
                best = field;
            }
        }
        let rests = length(best.xyz) < params.least || abs(known[i].iso - best.w) < ISO_TOLERANCE;
        goes_on = goes_on || (!rests && share_of(i) > LEAST_SHARE) || best.w > max(own.w, 0.0) + known[i].deficit + DEPTH_MARGIN;
    }
    var slot = 0u;
    if goes_on {
        slot = atomicAdd(&found_here, 1u);
    }
    workgroupBarrier();
    if t == 0u {
        sift_slot = atomicAdd(&tallies[COUNT_UNDERWAY], atomicLoad(&found_here));
    }
    workgroupBarrier();
    if goes_on {
        set_listed(UNDERWAY, sift_slot + slot, i);
    }
}

var<workgroup> found_here: atomic<u32>;
var<workgroup> sift_slot: u32;
var<workgroup> idle: atomic<u32>;
var<workgroup> all_idle: u32;

// The first time in a turn over points to track, or over those around contact; the second time (round 1) over those that have
// walked in it.
@compute @workgroup_size(WORKGROUP)
fn fit(thread: Thread) {
    let t = thread.local;
    let slot = t / lanes;
    let first = t % lanes == 0u;
    let slots = WORKGROUP / lanes;
    let all_slots = thread.groups.x * thread.groups.y * slots;
    var k = (thread.group.y * thread.groups.x + thread.group.x) * slots + slot;
    var count = 0u;
    if dispatch.round == 1u {
        count = atomicLoad(&tallies[COUNT_WALKERS + dispatch.turn]);
    } else if dispatch.turn == 0u {
        count = atomicLoad(&tallies[COUNT_UNDERWAY]);
    } else {
        count = atomicLoad(&tallies[COUNT_AROUND_CONTACT]);
    }
    job.what = DONE;
    var works = first;
    loop {
        if works {
            while job.what == DONE && k < count {
                take(k, slot);
                k += all_slots;
            }
            if job.what == DONE {
                works = false;
                asks[slot].chunk = NONE;
                atomicAdd(&idle, 1u);
            }
            asks[slot].at = job.next;
            owns[slot] = vec4<f32>();
        }
        workgroupBarrier();
        if t == 0u {
            all_idle = select(0u, 1u, atomicLoad(&idle) == slots);
        }
        if workgroupUniformLoad(&all_idle) == 1u {
            break;
        }
        feel_some(t);
        workgroupBarrier();
        if joins {
            join_some(t);
            workgroupBarrier();
        }
        if works {
            let felt = felt_by_all(t);
            switch job.what {
                case BEGIN: { begin(felt); }
                case WALK: { walk(felt); }
                case WALK_BACK: { walk_back(felt); }
                case STAY: { begin_march(felt.all); }
                case MARCH: { march(felt.all); }
                case STOP: { stop(felt.all.xyz); }
                default: { land(felt.all.w); }
            }
        }
    }
}
