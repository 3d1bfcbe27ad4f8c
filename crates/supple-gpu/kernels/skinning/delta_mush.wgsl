// Direct delta mush, one vertex a thread: the twin of deform/skinning/delta_mush.
// Palette, six vectors a joint, lengths over the diagonal: three rows of its matrix, three rows of R (S - 1).
// Influences, eleven words each: joint, share, first moments, second moments (xx, xy, xz, yy, yz, zz).

struct Params {
    vertices: u32,
    scaled: u32,
    // The diagonal.
    unit: f32,
    // 1 - alpha.
    keep: f32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> rest: array<f32>;
@group(0) @binding(2) var<storage, read> rows: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> centers: array<f32>;
@group(0) @binding(4) var<storage, read> palette: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> influences: array<u32>;
@group(0) @binding(6) var<storage, read_write> points: array<f32>;

fn word(at: u32) -> f32 {
    return bitcast<f32>(influences[at]);
}

// Turns a vector by the rotation nearest to a matrix: the twin of rotation.rs.
fn turn(m: mat3x3<f32>, v: vec3<f32>) -> vec3<f32> {
    let size = sqrt(dot(m[0], m[0]) + dot(m[1], m[1]) + dot(m[2], m[2]));
    if size < 1e-30 {
        return v;
    }
    let x = m[0] / size;
    let y = m[1] / size;
    let z = m[2] / size;
    let trace = x.x + y.y + z.z;
    let shift = 1.7320508;
    let xy = x.y + y.x;
    let xz = x.z + z.x;
    let yz = y.z + z.y;
    let w = vec3<f32>(y.z - z.y, z.x - x.z, x.y - y.x);
    var k = mat4x4<f32>(
        vec4<f32>(2.0 * x.x - trace + shift, xy, xz, w.x),
        vec4<f32>(xy, 2.0 * y.y - trace + shift, yz, w.y),
        vec4<f32>(xz, yz, 2.0 * z.z - trace + shift, w.z),
        vec4<f32>(w, trace + shift),
    );
    var diagonal = 4.0 * shift;
    for (var i = 0u; i < 14u; i++) {
        k = k * (1.0 / diagonal);
        k = k * k;
        diagonal = k[0].x + k[1].y + k[2].z + k[3].w;
        if diagonal > 1.0 - 1e-7 {
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

@compute @workgroup_size(64)
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
        let at = i * 11u;
        let joint = influences[at] * 6u;
        let share = word(at + 1u);
        let s = vec3<f32>(word(at + 2u), word(at + 3u), word(at + 4u));
        let second = mat3x3<f32>(
            vec3<f32>(word(at + 5u), word(at + 6u), word(at + 7u)),
            vec3<f32>(word(at + 6u), word(at + 8u), word(at + 9u)),
            vec3<f32>(word(at + 7u), word(at + 9u), word(at + 10u)),
        );
        let x = palette[joint];
        let y = palette[joint + 1u];
        let z = palette[joint + 2u];
        let matrix = transpose(mat3x3<f32>(x.xyz, y.xyz, z.xyz));
        let carried = matrix * center + vec3<f32>(x.w, y.w, z.w);
        if i == row.x {
            origin = carried;
        }
        let off = carried - origin;
        var rotation = matrix;
        if params.scaled != 0u {
            let stretch = transpose(mat3x3<f32>(palette[joint + 3u].xyz, palette[joint + 4u].xyz, palette[joint + 5u].xyz));
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
