// Dual-quaternion skinning, one vertex a thread: the twin of deform/skinning/dual_quaternion.rs.

struct Joint {
    real: vec4<f32>,
    dual: vec4<f32>,
    // R (S - 1).
    stretch: mat3x3<f32>,
}

struct Blend {
    real: vec4<f32>,
    dual: vec4<f32>,
    // The heaviest joint's rotation: the side the others are turned to.
    pivot: vec4<f32>,
    p: vec3<f32>,
}

fn product(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

fn begin(vertex: u32, heaviest: u32) -> Blend {
    return Blend(vec4<f32>(), vec4<f32>(), palette[heaviest].real, load(vertex));
}

fn add(sum: Blend, joint: u32, w: f32, at: u32) -> Blend {
    let real = palette[joint].real;
    var dual = palette[joint].dual;
    if params.scaled != 0u {
        dual += 0.5 * product(vec4<f32>(palette[joint].stretch * sum.p, 0.0), real);
    }
    let signed = select(w, -w, dot(sum.pivot, real) < 0.0);
    return Blend(sum.real + signed * real, sum.dual + signed * dual, sum.pivot, sum.p);
}

fn place(vertex: u32, blend: Blend) {
    let r = blend.real;
    let d = blend.dual;
    let p = blend.p;
    let scale = 2.0 / dot(r, r);
    store(vertex, p + scale * (cross(r.xyz, cross(r.xyz, p) + r.w * p + d.xyz) + r.w * d.xyz - d.w * r.xyz));
}
