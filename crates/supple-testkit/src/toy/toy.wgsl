// Pushes points again and again: the twin of toy/mod.rs.

struct Params {
    vertices: u32,
    drift: f32,
    rise: f32,
    wind: f32,
    step: f32,
    time: f32,
}

// The frames that were moved one after the other, and the steps between them.
struct Followed {
    frames: u32,
    seconds: f32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> rest: array<f32>;
@group(0) @binding(2) var<storage, read> pushes: array<vec4<f32>>;
// This is remembered.
@group(0) @binding(3) var<storage, read_write> followed: Followed;
// Workgroups in three dimensions that the vertices below need. A dispatch that takes its size from here must not bind it.
@group(0) @binding(4) var<storage, read_write> workgroups: array<atomic<u32>, 3>;
// Vertices that are pushed at all, and how many they are.
@group(0) @binding(5) var<storage, read_write> pushed: array<u32>;
@group(0) @binding(6) var<storage, read_write> points: array<f32>;
@group(0) @binding(7) var<storage, read_write> count: atomic<u32>;

// With this frame. The first has nothing to follow, whatever its step.
fn seconds() -> f32 {
    return followed.seconds + select(0.0, params.step, followed.frames > 0u);
}

@compute @workgroup_size(WORKGROUP)
fn find(thread: Thread) {
    let v = index(thread);
    if v >= params.vertices {
        return;
    }
    points[3u * v] = rest[3u * v];
    points[3u * v + 1u] = rest[3u * v + 1u] + params.drift * f32(followed.frames) + params.rise * seconds();
    points[3u * v + 2u] = rest[3u * v + 2u] + params.wind * params.time;
    if any(pushes[v].xyz != vec3(0.0)) {
        let place = atomicAdd(&count, 1u);
        pushed[place] = v;
        atomicMax(&workgroups[0], place / WORKGROUP + 1u);
    }
}

// Once for each push.
@compute @workgroup_size(WORKGROUP)
fn push(thread: Thread) {
    let place = index(thread);
    if place >= atomicLoad(&count) {
        return;
    }
    let v = pushed[place];
    for (var axis = 0u; axis < 3u; axis++) {
        points[3u * v + axis] += pushes[v][axis];
    }
}

@compute @workgroup_size(WORKGROUP)
fn remember(thread: Thread) {
    if index(thread) == 0u {
        followed = Followed(followed.frames + 1u, seconds());
    }
}
