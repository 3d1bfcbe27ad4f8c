// Direct delta mush, one vertex a thread: the twin of deform/skinning/delta_mush.

struct Params {
    vertices: u32,
    scaled: u32,
    // The diagonal.
    unit: f32,
    // 1 - alpha.
    keep: f32,
}

// Lengths over the diagonal.
struct Joint {
    // Its matrix, row by row.
    x: vec4<f32>,
    y: vec4<f32>,
    z: vec4<f32>,
    // R (S - 1), row by row.
    stretch_x: vec4<f32>,
    stretch_y: vec4<f32>,
    stretch_z: vec4<f32>,
}

struct Influence {
    joint: u32,
    share: f32,
    // Moments about the centre; the second ones are xx, xy, xz, yy, yz, zz.
    first: array<f32, 3>,
    second: array<f32, 6>,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> rest: array<f32>;
@group(0) @binding(2) var<storage, read> rows: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> centers: array<f32>;
@group(0) @binding(4) var<storage, read> palette: array<Joint>;
@group(0) @binding(5) var<storage, read> influences: array<Influence>;
@group(0) @binding(6) var<storage, read_write> points: array<f32>;

// Turns a vector by the rotation nearest to a matrix: the twin of rotation.rs.
fn turn(m: mat3x3<f32>, v: vec3<f32>) -> vec3<f32> {
    let size = sqrt(dot(m[0], m[0]) + dot(m[1], m[1]) + dot(m[2], m[2]));
    if size < LEAST_SIZE {
        return v;
    }
    let x = m[0] / size;
    let y = m[1] / size;
    let z = m[2] / size;
    let trace = x.x + y.y + z.z;
    let xy = x.y + y.x;
    let xz = x.z + z.x;
    let yz = y.z + z.y;
    let w = vec3<f32>(y.z - z.y, z.x - x.z, x.y - y.x);
    var k = mat4x4<f32>(
        vec4<f32>(2.0 * x.x - trace + SHIFT, xy, xz, w.x),
        vec4<f32>(xy, 2.0 * y.y - trace + SHIFT, yz, w.y),
        vec4<f32>(xz, yz, 2.0 * z.z - trace + SHIFT, w.z),
        vec4<f32>(w, trace + SHIFT),
    );
    var diagonal = 4.0 * SHIFT;
    for (var i = 0u; i < MOST_SQUARINGS; i++) {
        k = k * (1.0 / diagonal);
        k = k * k;
        diagonal = k[0].x + k[1].y + k[2].z + k[3].w;
        if diagonal > ONE_LEFT {
            break;
        }
    }
    var q = k[0];
    var most = k[0].x;
    if k[1].y > most {
        q = k[1];
        most = k[1].y;
    }
    if k[2].z > most {
        q = k[2];
        most = k[2].z;
    }
    if k[3].w > most {
        q = k[3];
    }
    return v + (2.0 / dot(q, q)) * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let vertex = index(thread);
    if vertex >= params.vertices {
        return;
    }
    let place = vertex * 3u;
    let center = vec3<f32>(centers[place], centers[place + 1u], centers[place + 2u]);
    let p = vec3<f32>(rest[place], rest[place + 1u], rest[place + 2u]);
    let arm = p * (1.0 / params.unit) - center;
    var turned = mat3x3<f32>();
    var moved = vec3<f32>();
    var stretched = vec3<f32>();
    var origin = vec3<f32>();
    let row = rows[vertex];
    for (var i = row.x; i < row.y; i++) {
        let influence = influences[i];
        let joint = influence.joint;
        let share = influence.share;
        let first = influence.first;
        let m = influence.second;
        let s = vec3<f32>(first[0], first[1], first[2]);
        let second = mat3x3<f32>(
            vec3<f32>(m[0], m[1], m[2]),
            vec3<f32>(m[1], m[3], m[4]),
            vec3<f32>(m[2], m[4], m[5]),
        );
        let x = palette[joint].x;
        let y = palette[joint].y;
        let z = palette[joint].z;
        let matrix = transpose(mat3x3<f32>(x.xyz, y.xyz, z.xyz));
        let carried = matrix * center + vec3<f32>(x.w, y.w, z.w);
        if i == row.x {
            origin = carried;
        }
        let off = carried - origin;
        var rotation = matrix;
        if params.scaled != 0u {
            let stretch = transpose(mat3x3<f32>(palette[joint].stretch_x.xyz, palette[joint].stretch_y.xyz, palette[joint].stretch_z.xyz));
            rotation -= stretch;
            stretched += share * (stretch * arm);
        }
        turned += rotation * second + mat3x3<f32>(off * s.x, off * s.y, off * s.z);
        moved += params.keep * (matrix * s) + share * off;
    }
    let result = params.unit * (turn(turned, arm) + moved + origin + stretched);
    points[place] = result.x;
    points[place + 1u] = result.y;
    points[place + 2u] = result.z;
}
