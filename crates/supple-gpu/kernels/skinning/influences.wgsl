// What kernels of one blend for each vertex share: their tables, and the walk over a vertex's influences. Its text goes
// before each of theirs, which says what the palette knows of a `Joint`, what a `Blend` is, how it begins, what an influence adds,
// and where it takes the vertex:
//
//   fn begin(vertex: u32, heaviest: u32) -> Blend
//   fn add(sum: Blend, joint: u32, w: f32, at: u32) -> Blend       at: the influence's place in tables of influences
//   fn place(vertex: u32, blend: Blend)
//
// Tables of influences hold four for each vertex, then those of the vertices that have more.

struct Params {
    vertices: u32,
    // Vertices with more than four influences.
    wide: u32,
    // Whether any joint scales.
    scaled: u32,
    unused: u32,
}

// A vertex with more than four influences: where they begin and end among the wide ones.
struct WideRow {
    vertex: u32,
    begin: u32,
    end: u32,
}

struct WideInfluence {
    joint: u32,
    weight: f32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> rest: array<f32>;
@group(0) @binding(2) var<storage, read> joints: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> weights: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> palette: array<Joint>;
@group(0) @binding(5) var<storage, read> wide_rows: array<WideRow>;
@group(0) @binding(6) var<storage, read> wide_influences: array<WideInfluence>;
@group(0) @binding(7) var<storage, read_write> points: array<f32>;

fn load(vertex: u32) -> vec3<f32> {
    let at = vertex * 3u;
    return vec3<f32>(rest[at], rest[at + 1u], rest[at + 2u]);
}

fn store(vertex: u32, p: vec3<f32>) {
    let at = vertex * 3u;
    points[at] = p.x;
    points[at + 1u] = p.y;
    points[at + 2u] = p.z;
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let vertex = index(thread);
    if vertex >= params.vertices {
        return;
    }
    let j = joints[vertex];
    let w = weights[vertex];
    let at = vertex * 4u;
    var blend = begin(vertex, j.x & 0xffffu);
    blend = add(blend, j.x & 0xffffu, w.x, at);
    // Heaviest first: the first zero ends the row.
    if w.y > 0.0 {
        blend = add(blend, j.x >> 16u, w.y, at + 1u);
        if w.z > 0.0 {
            blend = add(blend, j.y & 0xffffu, w.z, at + 2u);
            if w.w > 0.0 {
                blend = add(blend, j.y >> 16u, w.w, at + 3u);
            }
        }
    }
    place(vertex, blend);
}

// Vertices with more than four influences, after main has written the rest.
@compute @workgroup_size(WORKGROUP)
fn wide(thread: Thread) {
    let i = index(thread);
    if i >= params.wide {
        return;
    }
    let row = wide_rows[i];
    var blend = begin(row.vertex, wide_influences[row.begin].joint);
    for (var e = row.begin; e < row.end; e++) {
        let influence = wide_influences[e];
        blend = add(blend, influence.joint, influence.weight, params.vertices * 4u + e);
    }
    place(row.vertex, blend);
}
