// How much of the sky each pixel sees, and whether it lies on a ridge or in a valley: the twin of cpu/occlusion.rs.

@group(0) @binding(6) var<storage, read> pixels: array<Pixel>;
@group(0) @binding(7) var<storage, read> raw: array<vec2<f32>>;
@group(0) @binding(8) var<storage, read_write> light: array<vec2<f32>>;

fn facing(at: u32) -> vec3<f32> {
    return pixels[at].normal * pixels[at].turn;
}

fn sky(x: u32, y: u32) -> f32 {
    let at = y * view.size.x + x;
    let p = pixels[at].position;
    let n = facing(at);
    let spiral = (y % 4u * 4u + x % 4u) * (PLACES / 2u);
    let pixel = pixel_size(p);
    let size = vec2<f32>(view.size);
    var sky = 1.0;
    for (var ring = 0; ring < 2; ring++) {
        let radius = select(view.radius * SMALL_RADIUS, view.radius, ring == 0);
        let reach = min(radius / pixel, size.y * FARTHEST_PLACE);
        if reach < LEAST_RADIUS {
            continue;
        }
        var occluded = 0.0;
        for (var i = 0u; i < PLACES; i++) {
            let pair = view.spirals[spiral + i / 2u];
            let place = select(pair.zw, pair.xy, i % 2u == 0u);
            let there = vec2(f32(x), f32(y)) + 0.5 + reach * place;
            if any(there < vec2(0.0)) || any(there >= size) {
                continue;
            }
            let q = u32(there.y) * view.size.x + u32(there.x);
            if pixels[q].id == 0u || q == at {
                continue;
            }
            let v = pixels[q].position - p;
            let d2 = dot(v, v);
            let near = 1.0 - d2 / (radius * radius);
            if near > 0.0 && d2 > 0.0 {
                occluded += max(dot(n, v) / sqrt(d2) - HORIZON, 0.0) * near;
            }
        }
        sky *= max(1.0 - view.strength * occluded / ALL_HIDDEN, 0.0);
    }
    return sky;
}

// The normal at a place beside p in xyz; w is 0 where that is not the same surface.
fn beside(at: vec2<i32>, p: vec3<f32>, reach: f32) -> vec4<f32> {
    if any(at < vec2(0)) || any(at >= vec2<i32>(view.size)) {
        return vec4(0.0);
    }
    let q = u32(at.y) * view.size.x + u32(at.x);
    let same = pixels[q].id != 0u && distance(pixels[q].position, p) < reach;
    return select(vec4(0.0), vec4(facing(q), 1.0), same);
}

// How normals part or meet over a few pixels, in view space.
fn curvature(x: u32, y: u32) -> f32 {
    let step = max(i32(view.size.y / HEIGHT_PER_STEP), 1);
    let p = pixels[y * view.size.x + x].position;
    let reach = pixel_size(p) * f32(step) * SAME_SURFACE;
    let at = vec2<i32>(i32(x), i32(y));
    let right = beside(at + vec2(step, 0), p, reach);
    let left = beside(at - vec2(step, 0), p, reach);
    let above = beside(at - vec2(0, step), p, reach);
    let below = beside(at + vec2(0, step), p, reach);
    let across = select(0.0, dot(right.xyz - left.xyz, view.right.xyz), right.w * left.w != 0.0);
    let along = select(0.0, dot(above.xyz - below.xyz, view.up.xyz), above.w * below.w != 0.0);
    return clamp(across + along, -1.0, 1.0);
}

@compute @workgroup_size(8, 8)
fn occlude(@builtin(global_invocation_id) at: vec3<u32>) {
    if any(at.xy >= view.size) {
        return;
    }
    let p = at.y * view.size.x + at.x;
    var out = vec2(1.0, 0.0);
    if pixels[p].id != 0u {
        out = vec2(sky(at.x, at.y), curvature(at.x, at.y));
    }
    light[p] = out;
}

@compute @workgroup_size(8, 8)
fn average(@builtin(global_invocation_id) at: vec3<u32>) {
    if any(at.xy >= view.size) {
        return;
    }
    let own = at.y * view.size.x + at.x;
    if pixels[own].id == 0u {
        light[own] = vec2(1.0, 0.0);
        return;
    }
    let p = pixels[own].position;
    let n = facing(own);
    let first = max(at.xy, vec2(2u)) - 2u;
    let end = min(at.xy + 2u, view.size);
    var sum = vec2(0.0);
    var total = 0.0;
    for (var y = first.y; y < end.y; y++) {
        for (var x = first.x; x < end.x; x++) {
            let q = y * view.size.x + x;
            if pixels[q].id != 0u {
                let off = abs(dot(pixels[q].position - p, n)) * view.inverse_thickness;
                let weight = max(1.0 - off, 0.0) * max(dot(facing(q), n), 0.0);
                sum += raw[q] * weight;
                total += weight;
            }
        }
    }
    if total > 0.0 {
        light[own] = sum / total;
    } else {
        light[own] = raw[own];
    }
}
