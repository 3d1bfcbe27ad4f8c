// The picture: several samples for each pixel, shaded, averaged and written as sRGB. The twin of cpu/mod.rs.

@group(0) @binding(5) var visible: texture_2d<u32>;
@group(0) @binding(6) var<storage, read> pixels: array<Pixel>;
@group(0) @binding(7) var<storage, read> light: array<vec2<f32>>;
@group(0) @binding(8) var<storage, read_write> picture: array<u32>;
@group(0) @binding(9) var visible_bones: texture_2d<u32>;

const INSIDE_COLOR = vec3(INSIDE[0], INSIDE[1], INSIDE[2]);
const OPENED_COLOR = vec3(OPENED[0], OPENED[1], OPENED[2]);

// The light between pixel centres, from those of the four round a place that lie on the same surface.
fn light_between(at: vec2<f32>, position: vec3<f32>, normal: vec3<f32>) -> vec2<f32> {
    let low = floor(at - 0.5);
    let part = at - 0.5 - low;
    var sum = vec2(0.0);
    var total = 0.0;
    for (var i = 0; i < 4; i++) {
        let step = vec2(i % 2, i / 2);
        let place = clamp(vec2<i32>(low) + step, vec2(0), vec2<i32>(view.size) - 1);
        let q = u32(place.y) * view.size.x + u32(place.x);
        if pixels[q].id == 0u {
            continue;
        }
        let near = select(part.x, 1.0 - part.x, step.x == 0) * select(part.y, 1.0 - part.y, step.y == 0);
        var same = 0.0;
        if view.thickness > 0.0 {
            same = max(1.0 - abs(dot(pixels[q].position - position, normal)) / view.thickness, 0.0);
        }
        let weight = near * same + STRANGER;
        sum += light[q] * weight;
        total += weight;
    }
    return select(vec2(1.0, 0.0), sum / total, total > 0.0);
}

// How much of a line along the edges of a triangle covers a place; half of the line lies on each side.
fn on_edge(triangle: vec4<u32>, place: vec2<f32>, width: f32) -> f32 {
    let half_size = vec2<f32>(view.size * view.scale) * 0.5;
    var corners: array<vec2<f32>, 3>;
    for (var i = 0; i < 3; i++) {
        let clip = view.clip_from_world * vec4(three(3u * triangle[i]), 1.0);
        if clip.w <= 0.0 {
            return 0.0;
        }
        corners[i] = vec2(1.0 + clip.x / clip.w, 1.0 - clip.y / clip.w) * half_size;
    }
    var nearest = 1e30;
    for (var i = 0; i < 3; i++) {
        let a = corners[i];
        let along = corners[(i + 1) % 3] - a;
        let part = clamp(dot(place - a, along) / max(dot(along, along), 1e-12), 0.0, 1.0);
        nearest = min(nearest, distance(place, a + along * part));
    }
    return clamp(width * 0.5 + 0.5 - nearest, 0.0, 1.0);
}

fn surface(index: u32, barycentric: vec2<f32>, place: vec2<f32>) -> vec3<f32> {
    let triangle = triangles[index];
    let position = position_of(triangle, barycentric);
    var normal = normal_of(index, triangle, barycentric);
    let sky = light_between(place / f32(view.scale), position, normal);
    let to_camera = towards(position);
    var base = color_of(index, triangle, barycentric);
    if dot(flat_of(triangle), to_camera) < 0.0 {
        normal = -normal;
        // Splats have no inside.
        if index < view.first_splat {
            base = select(INSIDE_COLOR, OPENED_COLOR, view.has_section != 0u);
        }
    }
    let color = lit(base, normal, to_camera, sky);
    let wire = materials[triangle.w].wire;
    if wire == NO_WIRE {
        return color;
    }
    return mix(color, vec3(WIRE), WIRE_OPACITY * on_edge(triangle, place, wire * f32(view.scale)));
}

@compute @workgroup_size(8, 8)
fn shade(@builtin(global_invocation_id) at: vec3<u32>) {
    if any(at.xy >= view.size) {
        return;
    }
    var sum = vec3(0.0);
    var empty = true;
    for (var sample = 0u; sample < view.scale * view.scale; sample++) {
        let own = at.xy * view.scale + vec2(sample % view.scale, sample / view.scale);
        let place = vec2<f32>(own) + 0.5;
        var color = view.background.xyz;
        let skin = textureLoad(visible, own, 0);
        if skin.x != 0u {
            empty = false;
            color = tone(surface(skin.x - 1u, bitcast<vec2<f32>>(skin.yz), place));
        }
        if view.bones != 0u {
            let seen = textureLoad(visible_bones, own, 0);
            if seen.x != 0u {
                empty = false;
                let bone = triangles[seen.x - 1u];
                let barycentric = bitcast<vec2<f32>>(seen.yz);
                let position = position_of(bone, barycentric);
                let normal = normal_of(seen.x - 1u, bone, barycentric);
                let base = color_of(seen.x - 1u, bone, barycentric);
                var opacity = BONE_BARE;
                if skin.x != 0u {
                    opacity = bone_opacity(position, position_of(triangles[skin.x - 1u], bitcast<vec2<f32>>(skin.yz)));
                }
                color = mix(color, tone(lit(base, normal, towards(position), vec2(1.0, 0.0))), opacity);
            }
        }
        sum += color;
    }
    var out = view.bare;
    if !empty {
        let mean = sum / f32(view.scale * view.scale);
        out = encoded(mean.x) | (encoded(mean.y) << 8u) | (encoded(mean.z) << 16u) | (255u << 24u);
    }
    picture[at.y * view.size.x + at.x] = out;
}
