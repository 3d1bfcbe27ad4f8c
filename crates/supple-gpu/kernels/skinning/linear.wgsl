// Linear blend skinning, one vertex a thread: the twin of deform/skinning/linear.rs.
// v' = sum_j w_j M_j v

// M_j, row by row.
struct Joint {
    x: vec4<f32>,
    y: vec4<f32>,
    z: vec4<f32>,
}

struct Blend {
    x: vec4<f32>,
    y: vec4<f32>,
    z: vec4<f32>,
}

fn begin(vertex: u32, heaviest: u32) -> Blend {
    return Blend(vec4<f32>(), vec4<f32>(), vec4<f32>());
}

fn add(sum: Blend, joint: u32, w: f32, at: u32) -> Blend {
    return Blend(sum.x + w * palette[joint].x, sum.y + w * palette[joint].y, sum.z + w * palette[joint].z);
}

fn place(vertex: u32, blend: Blend) {
    let p = vec4<f32>(load(vertex), 1.0);
    store(vertex, vec3<f32>(dot(blend.x, p), dot(blend.y, p), dot(blend.z, p)));
}
