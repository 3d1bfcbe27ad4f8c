// What every shader of the viewport starts with: the camera, the light, and what lies behind everything. The structs are those of
// params.rs.

struct Frame {
    clip_from_world: mat4x4<f32>,
    world_from_clip: mat4x4<f32>,
    // w is one for a camera that sees in perspective.
    eye: vec4<f32>,
    // Towards the camera; w is how high the picture is at the distance one, or everywhere.
    back: vec4<f32>,
    key: vec4<f32>,
    key_color: vec4<f32>,
    fill: vec4<f32>,
    fill_color: vec4<f32>,
    up: vec4<f32>,
    rim: vec4<f32>,
    sky_above: vec4<f32>,
    sky_below: vec4<f32>,
    background_top: vec4<f32>,
    background_bottom: vec4<f32>,
    ink: vec4<f32>,
    // Middle of the grid, and how far it reaches.
    floor: vec4<f32>,
    // Width and height in pixels, then one over them.
    size: vec4<f32>,
    // The diagonal of what is shown, the step of the grid, how far occlusion reaches, how strong it is.
    scale: vec4<f32>,
}

struct Look {
    // Plain colour; alpha is the opacity of the whole.
    color: vec4<f32>,
    wire_color: vec4<f32>,
    // Width of the wire in pixels, where colours come from, whether the inside is marked, radius of discs.
    width: f32,
    coat: u32,
    mark_inside: u32,
    radius: f32,
    // Whether the mesh has colours of its own, and whether discs have normals.
    own_colors: u32,
    disc_normals: u32,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<uniform> look: Look;

fn towards(position: vec3<f32>) -> vec3<f32> {
    return normalize(select(frame.back.xyz, frame.eye.xyz - position, frame.eye.w > 0.5));
}

// How many units of the world a pixel covers there.
fn pixel_size(position: vec3<f32>) -> f32 {
    let far = select(1.0, max(dot(frame.eye.xyz - position, frame.back.xyz), 1e-6), frame.eye.w > 0.5);
    return frame.back.w * far * frame.size.w;
}

fn wrapped(normal: vec3<f32>, direction: vec3<f32>, wrap: f32) -> f32 {
    return max((dot(normal, direction) + wrap) / (1.0 + wrap), 0.0);
}

// Soft key, fill and rim, and a sky: as supple-render lights a surface that nothing hides.
fn lit(base: vec3<f32>, normal: vec3<f32>, to_camera: vec3<f32>) -> vec3<f32> {
    let ambient = mix(frame.sky_below.xyz, frame.sky_above.xyz, dot(normal, frame.up.xyz) * 0.5 + 0.5);
    let diffuse = frame.key_color.xyz * wrapped(normal, frame.key.xyz, KEY_WRAP)
        + frame.fill_color.xyz * wrapped(normal, frame.fill.xyz, FILL_WRAP) + ambient;
    let away = 1.0 - max(dot(normal, to_camera), 0.0);
    let half_way = normalize(frame.key.xyz + to_camera);
    let shine = pow(max(dot(normal, half_way), 0.0), f32(SHINE_POWER)) * SHINE;
    return base * diffuse + frame.rim.xyz * mix(base, vec3(RIM_GREY), RIM_MIX) * away * away * away + vec3(shine);
}

// Leaves what a screen can show as it is, and bends the rest over softly.
fn tone(linear: vec3<f32>) -> vec3<f32> {
    let over = vec3(TONE_KNEE) + TONE_REST * (vec3(1.0) - exp(-(linear - vec3(TONE_KNEE)) / TONE_REST));
    return select(over, max(linear, vec3(0.0)), linear < vec3(TONE_KNEE));
}

// The corners of a triangle that covers the picture.
fn covering(index: u32) -> vec4<f32> {
    return vec4(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}
