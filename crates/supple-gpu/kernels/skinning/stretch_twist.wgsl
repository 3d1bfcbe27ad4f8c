// Stretchable and twistable bones, one vertex a thread: the twin of deform/skinning/stretch_twist.

struct Joint {
    // Its matrix, row by row.
    x: vec4<f32>,
    y: vec4<f32>,
    z: vec4<f32>,
    // Of its bone at rest.
    head: vec3<f32>,
    head_twist: f32,
    axis: vec3<f32>,
    tail_twist: f32,
    // From where the joint would carry the tail to where the tail is.
    shift: vec3<f32>,
    // Whether the bone twists or stretches.
    is_active: f32,
}

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
    let s = x * (1.0 + y * (SINE[0] + y * (SINE[1] + y * (SINE[2] + y * (SINE[3] - y * SINE[4])))));
    let c = 1.0 + y * (COSINE[0] + y * (COSINE[1] + y * (COSINE[2] + y * (COSINE[3] + y * (COSINE[4] + y * COSINE[5])))));
    return vec2<f32>(s, c);
}

fn add(sum: Blend, joint: u32, w: f32, at: u32) -> Blend {
    let x = palette[joint].x;
    let y = palette[joint].y;
    let z = palette[joint].z;
    var correction = sum.correction;
    if palette[joint].is_active != 0.0 {
        let bone = palette[joint];
        let e = ends[at];
        let half = quarter_turn(0.5 * (bone.head_twist + e * (bone.tail_twist - bone.head_twist)));
        let arm = sum.p - bone.head;
        let across = arm - bone.axis * dot(bone.axis, arm);
        let turned = 2.0 * half.x * (half.y * cross(bone.axis, arm) - half.x * across);
        correction += w * (vec3<f32>(dot(x.xyz, turned), dot(y.xyz, turned), dot(z.xyz, turned)) + e * bone.shift);
    }
    return Blend(sum.x + w * x, sum.y + w * y, sum.z + w * z, sum.p, correction);
}

fn place(vertex: u32, blend: Blend) {
    let p = vec4<f32>(blend.p, 1.0);
    store(vertex, vec3<f32>(dot(blend.x, p), dot(blend.y, p), dot(blend.z, p)) + blend.correction);
}
