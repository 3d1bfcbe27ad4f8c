// Light on a surface: the twin of cpu/shade.rs.

fn wrapped(normal: vec3<f32>, direction: vec3<f32>, wrap: f32) -> f32 {
    return max((dot(normal, direction) + wrap) / (1.0 + wrap), 0.0);
}

fn lit(base: vec3<f32>, normal: vec3<f32>, to_camera: vec3<f32>, light: vec2<f32>) -> vec3<f32> {
    let sky = light.x;
    let direct = (sqrt(sky) * DIRECT_BY_SKY + DIRECT_LEAST) * (min(sky, DEEP_FOLD) * (0.5 / DEEP_FOLD) + 0.5);
    let ambient = mix(view.sky_below.xyz, view.sky_above.xyz, dot(normal, view.sky_direction.xyz) * 0.5 + 0.5) * sky;
    let lights = view.key_color.xyz * wrapped(normal, view.key.xyz, KEY_WRAP)
        + view.fill_color.xyz * wrapped(normal, view.fill.xyz, FILL_WRAP);
    let diffuse = lights * direct + ambient;
    let away = 1.0 - max(dot(normal, to_camera), 0.0);
    let edge = away * away * away;
    let half_way = unit_or(view.key.xyz + to_camera, vec3(0.0));
    // SHINE_POWER by products: a power from a library may be off by more than a shade.
    let s = max(dot(normal, half_way), 0.0);
    let s4 = s * s * s * s;
    let s8 = s4 * s4;
    let shine = s8 * s8 * s8 * s4 * SHINE * direct;
    let bent = light.y * select(RIDGE, VALLEY, light.y < 0.0);
    let ridge = max(1.0 + view.curvature * bent, RIDGE_LEAST);
    return base * diffuse * ridge
        + view.rim.xyz * mix(base, vec3(RIM_GREY), RIM_MIX) * edge * sky
        + vec3(shine * min(ridge, RIDGE_MOST_SHINE));
}

fn bend(x: f32) -> f32 {
    if x < TONE_KNEE {
        return max(x, 0.0);
    }
    return TONE_KNEE + TONE_REST * (1.0 - exp(-(x - TONE_KNEE) / TONE_REST));
}

fn tone(linear: vec3<f32>) -> vec3<f32> {
    return vec3(bend(linear.x), bend(linear.y), bend(linear.z));
}

// How strongly a bone covers the skin before it: paler the deeper it lies.
fn bone_opacity(bone: vec3<f32>, skin: vec3<f32>) -> f32 {
    let deep = dot(skin - bone, towards(bone)) / view.diagonal;
    if deep <= 0.0 {
        return BONE_BARE;
    }
    return BONE_DEEP + BONE_SHALLOW * exp(-deep / FADING_DEPTH);
}

fn encoded(linear: f32) -> u32 {
    let x = clamp(linear, 0.0, 1.0);
    var s = 12.92 * x;
    if x > 0.0031308 {
        s = 1.055 * pow(x, 1.0 / 2.4) - 0.055;
    }
    return u32(s * 255.0 + 0.5);
}
