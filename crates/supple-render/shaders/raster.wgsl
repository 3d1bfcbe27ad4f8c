// Triangles to ids, barycentric coordinates and depth: the twin of cpu/raster.rs. The device decides coverage; the rest
// comes from the corners themselves, since what it interpolates is less exact than a picture that is compared allows.

struct Corner {
    @builtin(position) clip: vec4<f32>,
    @location(0) @interpolate(flat, either) index: u32,
}

struct Seen {
    // Id, barycentric coordinates and depth, the last three as bits.
    @location(0) words: vec4<u32>,
    @builtin(frag_depth) depth: f32,
}

fn clip_of(vertex: u32) -> vec4<f32> {
    return view.clip_from_world * vec4(three(3u * vertex), 1.0);
}

@vertex
fn corner(@builtin(vertex_index) number: u32) -> Corner {
    let index = number / 3u;
    return Corner(clip_of(triangles[index][number % 3u]), index);
}

fn cut(vertex: u32) -> f32 {
    return dot(view.section.xyz, three(3u * vertex)) + view.section.w;
}

fn side(a: vec2<f32>, b: vec2<f32>) -> f32 {
    return a.x * b.y - a.y * b.x;
}

@fragment
fn seen(piece: Corner) -> Seen {
    let triangle = triangles[piece.index];
    let a = clip_of(triangle.x);
    let b = clip_of(triangle.y);
    let c = clip_of(triangle.z);
    let size = vec2<f32>(view.size * view.scale);
    let place = vec2(piece.clip.x / size.x * 2.0 - 1.0, 1.0 - piece.clip.y / size.y * 2.0);
    // Round the pixel first: differences of near numbers are exact, those of their products are not.
    let pa = a.xy - place * a.w;
    let pb = b.xy - place * b.w;
    let pc = c.xy - place * c.w;
    let weights = vec3(side(pb, pc), side(pc, pa), side(pa, pb));
    let sum = weights.x + weights.y + weights.z;
    if sum == 0.0 {
        discard;
    }
    let part = weights / sum;
    let depth = dot(part, vec3(a.z, b.z, c.z)) / dot(part, vec3(a.w, b.w, c.w));
    let inside = clamp(part.yz, vec2(0.0), vec2(1.0));
    let barycentric = inside / max(inside.x + inside.y, 1.0);
    if piece.index >= view.first_splat && piece.index < view.first_bone {
        // Where the weights lie in the disc; the corners are those of geometry::DISC.
        let across = -DISC_HALF_SIDE + 2.0 * DISC_HALF_SIDE * barycentric.x + DISC_HALF_SIDE * barycentric.y;
        let disc = vec2(across, -1.0 + 3.0 * barycentric.y);
        if dot(disc, disc) > 1.0 {
            discard;
        }
    }
    if view.has_section != 0u && piece.index < view.first_bone {
        let beyond = vec3(cut(triangle.x), cut(triangle.y), cut(triangle.z));
        if beyond.x + dot(beyond.yz - beyond.xx, barycentric) > 0.0 {
            discard;
        }
    }
    if !(depth >= 0.0) {
        discard;
    }
    return Seen(vec4(piece.index + 1u, bitcast<vec2<u32>>(barycentric), bitcast<u32>(depth)), depth);
}
