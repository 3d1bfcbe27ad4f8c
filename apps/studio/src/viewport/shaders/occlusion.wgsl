// Folds and contacts are darker than open skin. A first pass asks round every pixel how much of the sky is hidden, from
// depth alone; a second smooths that and multiplies the picture by it.

@group(3) @binding(0) var depth: texture_depth_multisampled_2d;
@group(3) @binding(1) var occlusion: texture_2d<f32>;

const SAMPLES = 14u;

@vertex
fn screen_corner(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return covering(index);
}

fn depth_at(pixel: vec2<i32>) -> f32 {
    return textureLoad(depth, clamp(pixel, vec2(0), vec2<i32>(frame.size.xy) - 1), 0);
}

fn world_at(pixel: vec2<i32>, z: f32) -> vec3<f32> {
    let place = (vec2<f32>(pixel) + 0.5) * frame.size.zw;
    let world = frame.world_from_clip * vec4(place.x * 2.0 - 1.0, 1.0 - place.y * 2.0, z, 1.0);
    return world.xyz / world.w;
}

// The shorter of the steps to both sides: the other may lead over an edge.
fn slope(pixel: vec2<i32>, here: vec3<f32>, step: vec2<i32>) -> vec3<f32> {
    let ahead = world_at(pixel + step, depth_at(pixel + step)) - here;
    let behind = here - world_at(pixel - step, depth_at(pixel - step));
    return select(behind, ahead, dot(ahead, ahead) < dot(behind, behind));
}

@fragment
fn occlude(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = vec2<i32>(at.xy);
    let z = depth_at(pixel);
    if z >= 1.0 {
        return vec4(1.0, 1e4, 0.0, 0.0);
    }
    let here = world_at(pixel, z);
    let to_camera = towards(here);
    var normal = cross(slope(pixel, here, vec2(1, 0)), slope(pixel, here, vec2(0, -1)));
    normal = select(to_camera, normalize(normal), dot(normal, normal) > 0.0);
    normal *= select(-1.0, 1.0, dot(normal, to_camera) >= 0.0);
    let reach = frame.scale.z;
    let reach_in_pixels = min(reach / pixel_size(here), 0.25 * frame.size.y);
    // Sixteen turns in a block of four by four, which the second pass averages.
    let cell = vec2<u32>(pixel) & vec2(3u);
    let turn = f32((cell.x * 5u + cell.y * 11u) & 15u) / 16.0;
    var hidden = 0.0;
    for (var i = 0u; i < SAMPLES; i++) {
        let part = (f32(i) + 0.5 + 0.9 * (turn - 0.5)) / f32(SAMPLES);
        let angle = 6.2831853 * (f32(i) * 0.618034 + turn);
        let away = max(reach_in_pixels * part * part, 1.5 + f32(i) * 0.3);
        let other = pixel + vec2<i32>(round(vec2(cos(angle), sin(angle)) * away));
        let there = depth_at(other);
        let step = world_at(other, there) - here;
        let long = length(step);
        let near = clamp(1.0 - long / reach, 0.0, 1.0);
        // Depth is flat over a pixel, so that a smooth slope looks like small steps: those hide nothing.
        hidden += max(dot(step, normal) / max(long, 1e-12) - 0.14, 0.0) * near * select(1.0, 0.0, there >= 1.0);
    }
    let open = clamp(1.0 - frame.scale.w * hidden / f32(SAMPLES), 0.0, 1.0);
    return vec4(open, distance(here, frame.eye.xyz) / frame.scale.x, 0.0, 0.0);
}

@fragment
fn darken(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = vec2<i32>(at.xy);
    let here = textureLoad(occlusion, pixel, 0);
    if here.y > 1e3 {
        return vec4(1.0);
    }
    var sum = 0.0;
    var total = 0.0;
    for (var y = -2; y < 2; y++) {
        for (var x = -2; x < 2; x++) {
            let other = textureLoad(occlusion, clamp(pixel + vec2(x, y), vec2(0), vec2<i32>(frame.size.xy) - 1), 0);
            let weight = max(1.0 - abs(other.y - here.y) * 40.0, 0.0) + 1e-4;
            sum += other.x * weight;
            total += weight;
        }
    }
    let open = sum / total;
    // Light that comes back from skin is red: what is hidden turns warm before it turns black.
    return vec4(pow(vec3(open), vec3(0.85, 1.05, 1.1)), 1.0);
}
