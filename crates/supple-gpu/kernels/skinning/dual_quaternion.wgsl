// Dual-quaternion skinning, one vertex a thread: the twin of deform/skinning/dual_quaternion.rs.
// Palette, five vectors a joint: real, dual, and the columns of R (S - 1).

struct Params {
    vertices: u32,
    wide: u32,
    scaled: u32,
    unused: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> rest: array<f32>;
@group(0) @binding(2) var<storage, read> joints: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> weights: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> palette: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> wide_rows: array<vec4<u32>>;
@group(0) @binding(6) var<storage, read> wide_entries: array<vec2<u32>>;
@group(0) @binding(7) var<storage, read_write> points: array<f32>;

struct DualQuat {
    real: vec4<f32>,
    dual: vec4<f32>,
}

fn product(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

// Adds a joint's motion, turned to the side of the heaviest joint's.
fn add(sum: DualQuat, joint: u32, w: f32, pivot: vec4<f32>, p: vec3<f32>) -> DualQuat {
    let at = joint * 5u;
    let real = palette[at];
    var dual = palette[at + 1u];
    if params.scaled != 0u {
        let stretch = mat3x3<f32>(palette[at + 2u].xyz, palette[at + 3u].xyz, palette[at + 4u].xyz);
        dual += 0.5 * product(vec4<f32>(stretch * p, 0.0), real);
    }
    let signed = select(w, -w, dot(pivot, real) < 0.0);
    return DualQuat(sum.real + signed * real, sum.dual + signed * dual);
}

fn load(vertex: u32) -> vec3<f32> {
    let at = vertex * 3u;
    return vec3<f32>(rest[at], rest[at + 1u], rest[at + 2u]);
}

fn place(vertex: u32, blend: DualQuat, p: vec3<f32>) {
    let r = blend.real;
    let d = blend.dual;
    let scale = 2.0 / dot(r, r);
    let moved = p + scale * (cross(r.xyz, cross(r.xyz, p) + r.w * p + d.xyz) + r.w * d.xyz - d.w * r.xyz);
    let at = vertex * 3u;
    points[at] = moved.x;
    points[at + 1u] = moved.y;
    points[at + 2u] = moved.z;
}

fn index(group: vec3<u32>, groups: vec3<u32>, local: u32) -> u32 {
    return (group.y * groups.x + group.x) * 64u + local;
}

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let vertex = index(group, groups, local);
    if vertex >= params.vertices {
        return;
    }
    let j = joints[vertex];
    let w = weights[vertex];
    let p = load(vertex);
    let pivot = palette[(j.x & 0xffffu) * 5u];
    var blend = DualQuat(vec4<f32>(), vec4<f32>());
    blend = add(blend, j.x & 0xffffu, w.x, pivot, p);
    // Heaviest first: the first zero ends the row.
    if w.y > 0.0 {
        blend = add(blend, j.x >> 16u, w.y, pivot, p);
        if w.z > 0.0 {
            blend = add(blend, j.y & 0xffffu, w.z, pivot, p);
            if w.w > 0.0 {
                blend = add(blend, j.y >> 16u, w.w, pivot, p);
            }
        }
    }
    place(vertex, blend, p);
}

// Vertices with more than four influences, after main has written the rest.
@compute @workgroup_size(64)
fn wide(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = index(group, groups, local);
    if i >= params.wide {
        return;
    }
    let row = wide_rows[i];
    let p = load(row.x);
    let pivot = palette[wide_entries[row.y].x * 5u];
    var blend = DualQuat(vec4<f32>(), vec4<f32>());
    for (var e = row.y; e < row.z; e++) {
        blend = add(blend, wide_entries[e].x, bitcast<f32>(wide_entries[e].y), pivot, p);
    }
    place(row.x, blend, p);
}
