// Light on a surface: the twin of cpu/shade.rs.

fn wrapped(normal: vec3<f32>, direction: vec3<f32>, wrap: f32) -> f32 {
    return max((dot(normal, direction) + wrap) / (1.0 + wrap), 0.0);
}

fn lit(base: vec3<f32>, normal: vec3<f32>, to_camera: vec3<f32>, light: vec2<f32>) -> vec3<f32> {
    let sky = light.x;
    let direct = (sqrt(sky) * 0.55 + 0.45) * (min(sky, 0.25) * 2.0 + 0.5);
    let ambient = mix(view.sky_below.xyz, view.sky_above.xyz, dot(normal, view.sky_direction.xyz) * 0.5 + 0.5) * sky;
    let lights = view.key_color.xyz * wrapped(normal, view.key.xyz, 0.15)
        + view.fill_color.xyz * wrapped(normal, view.fill.xyz, 0.3);
    let diffuse = lights * direct + ambient;
    let away = 1.0 - max(dot(normal, to_camera), 0.0);
    let edge = away * away * away;
    let half_way = unit_or(view.key.xyz + to_camera, vec3(0.0));
    // The 28th power by products: that of a library may be off by more than a shade.
    let s = max(dot(normal, half_way), 0.0);
    let s4 = s * s * s * s;
    let s8 = s4 * s4;
    let shine = s8 * s8 * s8 * s4 * 0.09 * direct;
    let bent = light.y * select(0.6, 1.3, light.y < 0.0);
    let ridge = max(1.0 + view.curvature * bent, 0.15);
    return base * diffuse * ridge
        + view.rim.xyz * mix(base, vec3(0.5), 0.3) * edge * sky
        + vec3(shine * min(ridge, 1.2));
}

fn bend(x: f32) -> f32 {
    if x < 0.7 {
        return max(x, 0.0);
    }
    return 0.7 + 0.3 * (1.0 - exp(-(x - 0.7) / 0.3));
}

fn tone(linear: vec3<f32>) -> vec3<f32> {
    return vec3(bend(linear.x), bend(linear.y), bend(linear.z));
}

// How strongly a bone covers the skin before it: paler the deeper it lies.
fn bone_opacity(bone: vec3<f32>, skin: vec3<f32>) -> f32 {
    let deep = dot(skin - bone, towards(bone)) / view.diagonal;
    if deep <= 0.0 {
        return 0.95;
    }
    return 0.45 + 0.35 * exp(-deep / 0.04);
}

fn encoded(linear: f32) -> u32 {
    let x = clamp(linear, 0.0, 1.0);
    var s = 12.92 * x;
    if x > 0.0031308 {
        s = 1.055 * pow(x, 1.0 / 2.4) - 0.055;
    }
    return u32(s * 255.0 + 0.5);
}
