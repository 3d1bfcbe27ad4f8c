// The skin, pulled from the buffers that deform it: no copy lies between a kernel and the picture.

@group(1) @binding(0) var<storage, read> points: array<f32>;
@group(1) @binding(1) var<storage, read> normals: array<f32>;
@group(1) @binding(2) var<storage, read> colors: array<f32>;
@group(1) @binding(3) var<storage, read> triangles: array<u32>;
@group(1) @binding(4) var<storage, read> uvs: array<f32>;
@group(1) @binding(5) var<storage, read> own_colors: array<f32>;
// The corner whose looks a drawn one has, and the vertex where it is.
@group(1) @binding(6) var<storage, read> draft: array<vec2<u32>>;

struct Material {
    color: vec4<f32>,
    // Texels with less alpha are not there.
    cutoff: f32,
}

@group(2) @binding(0) var<uniform> material: Material;
@group(2) @binding(1) var texture: texture_2d<f32>;
@group(2) @binding(2) var repeated: sampler;

const INSIDE_COLOR = vec3(INSIDE[0], INSIDE[1], INSIDE[2]);

struct Corner {
    // The same bits in both passes of a translucent skin.
    @invariant @builtin(position) clip: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) color: vec3<f32>,
    @location(3) uv: vec2<f32>,
    @location(4) barycentric: vec3<f32>,
}

fn point(vertex: u32) -> vec3<f32> {
    return vec3(points[vertex * 3u], points[vertex * 3u + 1u], points[vertex * 3u + 2u]);
}

fn is_finite(p: vec3<f32>) -> bool {
    return all(abs(p) < vec3(3.0e38));
}

fn base_color(vertex: u32, face: u32) -> vec3<f32> {
    if look.coat == PLAIN {
        return look.color.xyz;
    }
    if look.coat == MATERIAL {
        if look.own_colors == 0u {
            return vec3(1.0);
        }
        return vec3(own_colors[vertex * 3u], own_colors[vertex * 3u + 1u], own_colors[vertex * 3u + 2u]);
    }
    let at = 3u * select(face, vertex, look.coat == VERTICES);
    return vec3(colors[at], colors[at + 1u], colors[at + 2u]);
}

// A ghost lies a hair's breadth deeper: where two results are the same the solid one is seen, and only what differs
// is laid over it.
fn placed(world: vec3<f32>) -> vec3<f32> {
    return world - towards(world) * select(0.0, frame.scale.x * 0.0025, look.color.w < 1.0);
}

// A corner of the skin with its looks, as corner number `which` of the triangle a, b, c.
fn looks(index: u32, which: u32, a: vec3<f32>, b: vec3<f32>, c: vec3<f32>) -> Corner {
    var out: Corner;
    if !(is_finite(a) && is_finite(b) && is_finite(c)) {
        out.clip = vec4(2.0, 2.0, 2.0, 1.0);
        return out;
    }
    let vertex = triangles[index];
    out.world = select(select(c, b, which == 1u), a, which == 0u);
    out.clip = frame.clip_from_world * vec4(placed(out.world), 1.0);
    let own = vec3(normals[index * 3u], normals[index * 3u + 1u], normals[index * 3u + 2u]);
    out.normal = select(cross(b - a, c - a), own, dot(own, own) > 1e-12);
    out.color = base_color(vertex, index / 3u);
    out.uv = vec2(uvs[vertex * 2u], uvs[vertex * 2u + 1u]);
    out.barycentric = vec3<f32>(vec3(which) == vec3(0u, 1u, 2u));
    return out;
}

@vertex
fn corner(@builtin(vertex_index) index: u32) -> Corner {
    let first = index - index % 3u;
    let a = point(triangles[first]);
    let b = point(triangles[first + 1u]);
    let c = point(triangles[first + 2u]);
    return looks(index, index % 3u, a, b, c);
}

@vertex
fn draft_corner(@builtin(vertex_index) index: u32) -> Corner {
    let first = index - index % 3u;
    let a = point(draft[first].y);
    let b = point(draft[first + 1u].y);
    let c = point(draft[first + 2u].y);
    return looks(draft[index].x, index % 3u, a, b, c);
}

fn unit(v: vec3<f32>, otherwise: vec3<f32>) -> vec3<f32> {
    let l = length(v);
    return select(otherwise, v / l, l > 1e-20);
}

@fragment
fn skin(in: Corner, @builtin(front_facing) is_front: bool) -> @location(0) vec4<f32> {
    let to_camera = towards(in.world);
    // Derivatives and lookups want every fragment, so they come before anything is left out.
    let texel = textureSample(texture, repeated, in.uv);
    let wide = max(fwidth(in.barycentric), vec3(1e-6));
    var base = in.color;
    if look.coat == MATERIAL {
        if texel.w < material.cutoff {
            discard;
        }
        base *= material.color.xyz * texel.xyz;
    }
    var normal = unit(in.normal, to_camera);
    if !is_front {
        normal = -normal;
        if look.mark_inside != 0u {
            base = INSIDE_COLOR;
        }
    }
    var color = tone(lit(base, normal, to_camera));
    if look.width > 0.0 {
        // Half of a line lies on each side of an edge. Where triangles are as small as the lines, lines would be all.
        let near = in.barycentric / wide;
        let cover = clamp(look.width * 0.5 + 0.5 - min(near.x, min(near.y, near.z)), 0.0, 1.0);
        let dense = smoothstep(0.55, 0.08, max(wide.x, max(wide.y, wide.z)));
        color = mix(color, look.wire_color.xyz, look.wire_color.w * cover * mix(0.25, 1.0, dense));
    }
    return vec4(color, look.color.w);
}

struct Disc {
    @invariant @builtin(position) clip: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) color: vec3<f32>,
    @location(3) place: vec2<f32>,
}

@vertex
fn disc_corner(@builtin(vertex_index) index: u32) -> Disc {
    let vertex = index / 3u;
    let which = index % 3u;
    var out: Disc;
    let middle = point(vertex);
    if !is_finite(middle) {
        out.clip = vec4(2.0, 2.0, 2.0, 1.0);
        return out;
    }
    // The triangle round the unit disc.
    var round = array(vec2(-DISC_HALF_SIDE, -1.0), vec2(DISC_HALF_SIDE, -1.0), vec2(0.0, 2.0));
    out.place = round[which];
    out.normal = towards(middle);
    if look.disc_normals != 0u {
        out.normal = unit(vec3(normals[vertex * 3u], normals[vertex * 3u + 1u], normals[vertex * 3u + 2u]), out.normal);
    }
    let aside = select(vec3(0.0, 1.0, 0.0), vec3(1.0, 0.0, 0.0), abs(out.normal.y) > 0.9);
    let x = normalize(cross(aside, out.normal));
    let y = cross(out.normal, x);
    out.world = middle + (x * out.place.x + y * out.place.y) * look.radius;
    out.clip = frame.clip_from_world * vec4(placed(out.world), 1.0);
    if look.disc_normals == 0u {
        // Without normals discs are lit as beads are: all alike, and still something round.
        out.normal += (x * out.place.x + y * out.place.y) * 0.7;
    }
    out.color = base_color(vertex, vertex);
    return out;
}

@fragment
fn disc(in: Disc) -> @location(0) vec4<f32> {
    if dot(in.place, in.place) > 1.0 {
        discard;
    }
    let to_camera = towards(in.world);
    var normal = unit(in.normal, to_camera);
    normal *= select(-1.0, 1.0, dot(normal, to_camera) >= 0.0);
    var base = in.color;
    if look.coat == MATERIAL {
        base *= material.color.xyz;
    }
    return vec4(tone(lit(base, normal, to_camera)), look.color.w);
}
