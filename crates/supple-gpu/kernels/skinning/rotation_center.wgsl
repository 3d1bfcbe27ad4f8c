// Optimised centres of rotation, one vertex a thread: the twin of deform/skinning/rotation_center.
// Palette, seven vectors a joint: three rows of its matrix, its rotation, and the columns of R (S - 1).

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
    return Blend(none, none, none, none, palette[heaviest * 7u + 3u], arm, vec3<f32>());
}

fn add(sum: Blend, joint: u32, w: f32, at: u32) -> Blend {
    let row = joint * 7u;
    var blend = sum;
    blend.x += w * palette[row];
    blend.y += w * palette[row + 1u];
    blend.z += w * palette[row + 2u];
    let q = palette[row + 3u];
    blend.rotation += select(w, -w, dot(sum.pivot, q) < 0.0) * q;
    if params.scaled != 0u {
        let stretch = mat3x3<f32>(palette[row + 4u].xyz, palette[row + 5u].xyz, palette[row + 6u].xyz);
        blend.stretched += w * (stretch * sum.arm);
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
