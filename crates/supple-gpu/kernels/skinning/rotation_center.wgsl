// Optimised centres of rotation, one vertex a thread: the twin of deform/skinning/rotation_center.

struct Joint {
    // Its matrix, row by row.
    x: vec4<f32>,
    y: vec4<f32>,
    z: vec4<f32>,
    rotation: vec4<f32>,
    // R (S - 1).
    stretch: mat3x3<f32>,
}

@group(0) @binding(8) var<storage, read> centers: array<f32>;

struct Blend {
    x: vec4<f32>,
    y: vec4<f32>,
    z: vec4<f32>,
    rotation: vec4<f32>,
    // The heaviest joint's rotation: the side the others are turned to.
    pivot: vec4<f32>,
    arm: vec3<f32>,
    stretched: vec3<f32>,
}

fn center(vertex: u32) -> vec3<f32> {
    let at = vertex * 3u;
    return vec3<f32>(centers[at], centers[at + 1u], centers[at + 2u]);
}

fn begin(vertex: u32, heaviest: u32) -> Blend {
    let none = vec4<f32>();
    let arm = load(vertex) - center(vertex);
    return Blend(none, none, none, none, palette[heaviest].rotation, arm, vec3<f32>());
}

fn add(sum: Blend, joint: u32, w: f32, at: u32) -> Blend {
    var blend = sum;
    blend.x += w * palette[joint].x;
    blend.y += w * palette[joint].y;
    blend.z += w * palette[joint].z;
    let q = palette[joint].rotation;
    blend.rotation += select(w, -w, dot(sum.pivot, q) < 0.0) * q;
    if params.scaled != 0u {
        blend.stretched += w * (palette[joint].stretch * sum.arm);
    }
    return blend;
}

fn place(vertex: u32, blend: Blend) {
    let c = vec4<f32>(center(vertex), 1.0);
    let q = blend.rotation;
    let moved = vec3<f32>(dot(blend.x, c), dot(blend.y, c), dot(blend.z, c));
    let turned = blend.arm + (2.0 / dot(q, q)) * cross(q.xyz, cross(q.xyz, blend.arm) + q.w * blend.arm);
    store(vertex, moved + turned + blend.stretched);
}
