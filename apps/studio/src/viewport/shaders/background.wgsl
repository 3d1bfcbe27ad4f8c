// What lies behind and below the character: a gradient, and a grid on the floor.

@vertex
fn sky_corner(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return covering(index);
}

@fragment
fn sky(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let place = at.xy * frame.size.zw;
    let color = mix(frame.background_top.xyz, frame.background_bottom.xyz, smoothstep(0.0, 1.0, place.y));
    // A gradient of few shades shows bands; noise of less than a shade hides them. Steps of sRGB grow with the value.
    let noise = fract(52.9829189 * fract(dot(floor(at.xy), vec2(0.06711056, 0.00583715)))) - 0.5;
    return vec4(color * (1.0 + noise * 0.009) + vec3(noise * 0.0003), 1.0);
}

struct Ground {
    @builtin(position) clip: vec4<f32>,
    @location(0) place: vec2<f32>,
}

@vertex
fn ground_corner(@builtin(vertex_index) index: u32) -> Ground {
    let corner = vec2(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0;
    // Relative to the middle, so that far from the origin no digits are lost.
    let place = corner * frame.floor.w;
    let world = frame.floor.xyz + vec3(place.x, 0.0, place.y);
    return Ground(frame.clip_from_world * vec4(world, 1.0), place);
}

// How much of a line, a pixel and a bit wide, covers a place; coordinates count lines. What is finer than pixels fades.
fn lines(at: vec2<f32>, wide: vec2<f32>) -> f32 {
    let near = abs(fract(at - 0.5) - 0.5) / wide;
    let cover = clamp(vec2(1.1) - near, vec2(0.0), vec2(1.0)) * smoothstep(vec2(0.45), vec2(0.12), wide);
    return max(cover.x, cover.y);
}

@fragment
fn ground(in: Ground) -> @location(0) vec4<f32> {
    let step = frame.scale.y;
    // The lines stand still in the world: those through the origin are lines of the grid.
    let offset = frame.floor.xz / step;
    let at = offset - floor(offset / 10.0) * 10.0 + in.place / step;
    let wide = max(fwidth(in.place / step), vec2(1e-6));
    let minor = lines(at, wide);
    let major = lines(at / 10.0, wide / 10.0);
    let cover = max(minor * 0.34, major * 0.8);
    let far = length(in.place) / frame.floor.w;
    let fade = 1.0 - smoothstep(0.25, 1.0, far);
    return vec4(frame.ink.xyz, frame.ink.w * cover * fade);
}
