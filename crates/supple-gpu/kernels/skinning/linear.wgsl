// Linear blend skinning, one vertex a thread: the twin of deform/skinning/linear.rs.
// v' = sum_j w_j M_j v, with M_j as three rows.

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

struct Rows {
    x: vec4<f32>,
    y: vec4<f32>,
    z: vec4<f32>,
}

fn add(sum: Rows, joint: u32, w: f32) -> Rows {
    let at = joint * 3u;
    return Rows(sum.x + w * palette[at], sum.y + w * palette[at + 1u], sum.z + w * palette[at + 2u]);
}

fn place(vertex: u32, blend: Rows) {
    let at = vertex * 3u;
    let p = vec4<f32>(rest[at], rest[at + 1u], rest[at + 2u], 1.0);
    points[at] = dot(blend.x, p);
    points[at + 1u] = dot(blend.y, p);
    points[at + 2u] = dot(blend.z, p);
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
    var blend = Rows(vec4<f32>(), vec4<f32>(), vec4<f32>());
    blend = add(blend, j.x & 0xffffu, w.x);
    // Heaviest first: the first zero ends the row.
    if w.y > 0.0 {
        blend = add(blend, j.x >> 16u, w.y);
        if w.z > 0.0 {
            blend = add(blend, j.y & 0xffffu, w.z);
            if w.w > 0.0 {
                blend = add(blend, j.y >> 16u, w.w);
            }
        }
    }
    place(vertex, blend);
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
    var blend = Rows(vec4<f32>(), vec4<f32>(), vec4<f32>());
    for (var e = row.y; e < row.z; e++) {
        blend = add(blend, wide_entries[e].x, bitcast<f32>(wide_entries[e].y));
    }
    place(row.x, blend);
}
