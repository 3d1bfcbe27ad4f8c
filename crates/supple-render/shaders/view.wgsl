// What every pass knows of a view: the structs of gpu/params.rs.

struct View {
    clip_from_world: mat4x4<f32>,
    section: vec4<f32>,
    // w is 1 where rays go through the eye, 0 where they are parallel.
    eye: vec4<f32>,
    // Towards the camera where rays are parallel; w is the picture's height, there or at distance 1.
    back: vec4<f32>,
    // Along the line of sight; w is the near plane.
    forward: vec4<f32>,
    right: vec4<f32>,
    up: vec4<f32>,
    key: vec4<f32>,
    key_color: vec4<f32>,
    fill: vec4<f32>,
    fill_color: vec4<f32>,
    sky_direction: vec4<f32>,
    rim: vec4<f32>,
    sky_above: vec4<f32>,
    sky_below: vec4<f32>,
    background: vec4<f32>,
    size: vec2<u32>,
    scale: u32,
    // The background as it is written.
    bare: u32,
    has_section: u32,
    first_splat: u32,
    first_bone: u32,
    bones: u32,
    radius: f32,
    strength: f32,
    curvature: f32,
    diagonal: f32,
    thickness: f32,
    // One over the thickness of the average's surface.
    inverse_thickness: f32,
    // Where the linear values of the 256 bytes begin.
    decoded_at: u32,
    unused: u32,
    // Sixteen places for each of the sixteen angles, two in each entry.
    spirals: array<vec4<f32>, 128>,
}

@group(0) @binding(0) var<uniform> view: View;

// Everything behind one pixel.
struct Pixel {
    position: vec3<f32>,
    id: u32,
    normal: vec3<f32>,
    depth: f32,
    barycentric: vec2<f32>,
    // -1 where the normal leads away from the camera.
    turn: f32,
    unused: f32,
}

fn unit_or(v: vec3<f32>, otherwise: vec3<f32>) -> vec3<f32> {
    let length = length(v);
    return select(otherwise, v / length, length > 0.0);
}

fn towards(point: vec3<f32>) -> vec3<f32> {
    if view.eye.w == 0.0 {
        return view.back.xyz;
    }
    return unit_or(view.eye.xyz - point, vec3(0.0, 0.0, 1.0));
}

fn pixel_size(point: vec3<f32>) -> f32 {
    var height = view.back.w;
    if view.eye.w != 0.0 {
        height *= max(dot(view.forward.xyz, point - view.eye.xyz), view.forward.w);
    }
    return height / f32(view.size.y);
}
