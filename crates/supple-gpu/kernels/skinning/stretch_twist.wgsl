// Stretchable and twistable bones, one vertex a thread: the twin of deform/skinning/stretch_twist.
// Palette, six vectors a joint: three rows of its matrix; head and twist there; axis and twist at the tail; shift of the
// tail and whether any of it differs from nothing.

@group(0) @binding(8) var<storage, read> ends: array<f32>;

struct Blend {
    x: vec4<f32>,
    y: vec4<f32>,
    z: vec4<f32>,
    p: vec3<f32>,
    correction: vec3<f32>,
}

fn begin(vertex: u32, heaviest: u32) -> Blend {
    return Blend(vec4<f32>(), vec4<f32>(), vec4<f32>(), load(vertex), vec3<f32>());
}

// Sine and cosine of at most a quarter turn: those of drivers may be off by a thousandth.
fn quarter_turn(x: f32) -> vec2<f32> {
    let y = x * x;
    let s = x * (1.0 + y * (-1.6666666e-1 + y * (8.333333e-3 + y * (-1.984127e-4 + y * (2.755732e-6 - y * 2.50521e-8)))));
    let c = 1.0 + y * (-0.5 + y * (4.1666666e-2 + y * (-1.3888889e-3 + y * (2.4801587e-5 + y * (-2.755732e-7 + y * 2.087676e-9)))));
    return vec2<f32>(s, c);
}

fn add(sum: Blend, joint: u32, w: f32, at: u32) -> Blend {
    let row = joint * 6u;
    let x = palette[row];
    let y = palette[row + 1u];
    let z = palette[row + 2u];
    var correction = sum.correction;
    let shift = palette[row + 5u];
    if shift.w != 0.0 {
        let head = palette[row + 3u];
        let axis = palette[row + 4u];
        let e = ends[at];
        let half = quarter_turn(0.5 * (head.w + e * (axis.w - head.w)));
        let arm = sum.p - head.xyz;
        let across = arm - axis.xyz * dot(axis.xyz, arm);
        let turned = 2.0 * half.x * (half.y * cross(axis.xyz, arm) - half.x * across);
        correction += w * (vec3<f32>(dot(x.xyz, turned), dot(y.xyz, turned), dot(z.xyz, turned)) + e * shift.xyz);
    }
    return Blend(sum.x + w * x, sum.y + w * y, sum.z + w * z, sum.p, correction);
}

fn place(vertex: u32, blend: Blend) {
    let p = vec4<f32>(blend.p, 1.0);
    store(vertex, vec3<f32>(dot(blend.x, p), dot(blend.y, p), dot(blend.z, p)) + blend.correction);
}
