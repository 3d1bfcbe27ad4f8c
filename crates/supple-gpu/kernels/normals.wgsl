// Normals of moved points, gathered from the faces round each point: the twin of rig/normals.rs.

struct Params {
    vertices: u32,
    triangles: u32,
    scale: f32,
    // Cosine of the crease angle times its own magnitude: squares keep their sign.
    least: f32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> points: array<f32>;
@group(0) @binding(2) var<storage, read> triangles: array<u32>;
@group(0) @binding(3) var<storage, read> welded_of: array<u32>;
@group(0) @binding(4) var<storage, read> starts: array<u32>;
@group(0) @binding(5) var<storage, read> faces: array<u32>;
@group(0) @binding(6) var<storage, read_write> face_normals: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> normals: array<f32>;

fn point(vertex: u32) -> vec3<f32> {
    let at = vertex * 3u;
    return vec3<f32>(points[at], points[at + 1u], points[at + 2u]);
}

// Unit length, or `otherwise` where there is no direction.
fn unit_or(v: vec3<f32>, otherwise: vec3<f32>) -> vec3<f32> {
    let reciprocal = 1.0 / length(v);
    if reciprocal > 0.0 && reciprocal < 3.0e38 {
        return v * reciprocal;
    }
    return otherwise;
}

fn write(at: u32, n: vec3<f32>) {
    normals[at * 3u] = n.x;
    normals[at * 3u + 1u] = n.y;
    normals[at * 3u + 2u] = n.z;
}

@compute @workgroup_size(WORKGROUP)
fn face(thread: Thread) {
    let t = index(thread);
    if t >= params.triangles {
        return;
    }
    let a = point(triangles[t * 3u]);
    let b = point(triangles[t * 3u + 1u]);
    let c = point(triangles[t * 3u + 2u]);
    face_normals[t] = vec4<f32>(cross((b - a) * params.scale, (c - a) * params.scale), 0.0);
}

@compute @workgroup_size(WORKGROUP)
fn smooth_vertex(thread: Thread) {
    let vertex = index(thread);
    if vertex >= params.vertices {
        return;
    }
    let p = welded_of[vertex];
    var sum = vec3<f32>();
    for (var i = starts[p]; i < starts[p + 1u]; i++) {
        sum += face_normals[faces[i]].xyz;
    }
    write(vertex, unit_or(sum, vec3<f32>()));
}

@compute @workgroup_size(WORKGROUP)
fn creased_corner(thread: Thread) {
    let corner = index(thread);
    if corner >= params.triangles * 3u {
        return;
    }
    let unit = unit_or(face_normals[corner / 3u].xyz, vec3<f32>());
    let p = welded_of[triangles[corner]];
    var near = vec3<f32>();
    var all = vec3<f32>();
    for (var i = starts[p]; i < starts[p + 1u]; i++) {
        let other = face_normals[faces[i]].xyz;
        all += other;
        let along = dot(unit, other);
        if along * abs(along) >= params.least * dot(other, other) {
            near += other;
        }
    }
    let is_flat = dot(unit, unit) == 0.0;
    write(corner, unit_or(select(near, all, is_flat), unit));
}
