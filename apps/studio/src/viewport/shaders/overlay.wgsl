// What the window draws into and over the scene: bones, lines, marks, planes.

struct Item {
    a: vec4<f32>,
    b: vec4<f32>,
    color: vec4<f32>,
}

@group(1) @binding(0) var<storage, read> items: array<Item>;
@group(2) @binding(1) var picture: texture_2d<f32>;
@group(2) @binding(2) var smooth_sampler: sampler;
@group(3) @binding(0) var depth: texture_depth_multisampled_2d;

// What lies on the skin must not sink into it.
fn lifted(position: vec3<f32>) -> vec3<f32> {
    return position + towards(position) * frame.scale.x * 0.0015;
}

fn pixel_of(clip: vec4<f32>) -> vec2<f32> {
    return vec2(clip.x / clip.w + 1.0, 1.0 - clip.y / clip.w) * 0.5 * frame.size.xy;
}

// How strongly something shows through what lies before it: paler the deeper it lies.
fn through(at: vec4<f32>, kind: u32, deepest: f32) -> f32 {
    if (kind & THROUGH) == 0u {
        return 1.0;
    }
    let before = textureLoad(depth, vec2<i32>(at.xy), 0);
    if before >= at.z {
        return 1.0;
    }
    let ndc = vec2(at.x * frame.size.z * 2.0 - 1.0, 1.0 - at.y * frame.size.w * 2.0);
    let skin = frame.world_from_clip * vec4(ndc, before, 1.0);
    let own = frame.world_from_clip * vec4(ndc, at.z, 1.0);
    let deep = distance(skin.xyz / skin.w, own.xyz / own.w) / frame.scale.x;
    return deepest + (0.85 - deepest) * exp(-deep / FADING_DEPTH);
}

struct Face {
    @invariant @builtin(position) clip: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) color: vec4<f32>,
    @location(3) @interpolate(flat) kind: u32,
}

@vertex
fn face_corner(@builtin(vertex_index) index: u32) -> Face {
    let item = items[index];
    return Face(
        frame.clip_from_world * vec4(item.a.xyz, 1.0), item.a.xyz, item.b.xyz, item.color, u32(item.a.w),
    );
}

fn face_color(in: Face) -> vec4<f32> {
    if (in.kind & LIT) == 0u {
        return in.color;
    }
    let to_camera = towards(in.world);
    return vec4(tone(lit(in.color.xyz, normalize(in.normal), to_camera)), in.color.w);
}

@fragment
fn face(in: Face) -> @location(0) vec4<f32> {
    return face_color(in);
}

@fragment
fn face_over(in: Face) -> @location(0) vec4<f32> {
    return face_color(in) * vec4(1.0, 1.0, 1.0, through(in.clip, in.kind, select(0.3, 0.6, (in.kind & LIT) != 0u)));
}

struct Stroke {
    @builtin(position) clip: vec4<f32>,
    @location(0) @interpolate(flat) ends: vec4<f32>,
    @location(1) @interpolate(flat) width: f32,
    @location(2) @interpolate(flat) color: vec4<f32>,
    @location(3) @interpolate(flat) kind: u32,
}

fn stroke_corner(index: u32, item: Item, lift: bool) -> Stroke {
    let from_world = select(item.a.xyz, lifted(item.a.xyz), lift);
    let to_world = select(item.b.xyz, lifted(item.b.xyz), lift);
    var a = frame.clip_from_world * vec4(from_world, 1.0);
    var b = frame.clip_from_world * vec4(to_world, 1.0);
    let least = frame.scale.x * 1e-4;
    if frame.eye.w > 0.5 {
        // A line that passes behind the eye ends before it.
        if a.w < least && b.w < least {
            return Stroke(vec4(2.0, 2.0, 2.0, 1.0), vec4(0.0), 0.0, vec4(0.0), 0u);
        }
        if a.w < least {
            a = mix(a, b, (least - a.w) / (b.w - a.w));
        } else if b.w < least {
            b = mix(b, a, (least - b.w) / (a.w - b.w));
        }
    }
    let from_pixel = pixel_of(a);
    let to_pixel = pixel_of(b);
    let between = to_pixel - from_pixel;
    let long = length(between);
    let along = select(vec2(1.0, 0.0), between / long, long > 1e-4);
    let aside = vec2(-along.y, along.x);
    let half = item.a.w * 0.5 + 1.0;
    let is_end = (index & 1u) == 1u;
    let side = select(-1.0, 1.0, (index & 2u) == 2u);
    let clip = select(a, b, is_end);
    let out = (aside * side + along * select(-1.0, 1.0, is_end)) * half;
    let shift = vec2(out.x, -out.y) * 2.0 * frame.size.zw * clip.w;
    let ends = vec4(from_pixel, to_pixel);
    return Stroke(clip + vec4(shift, 0.0, 0.0), ends, item.a.w, item.color, u32(item.b.w));
}

@vertex
fn stroke_in(@builtin(vertex_index) index: u32, @builtin(instance_index) which: u32) -> Stroke {
    return stroke_corner(index, items[which], true);
}

@vertex
fn stroke_on(@builtin(vertex_index) index: u32, @builtin(instance_index) which: u32) -> Stroke {
    return stroke_corner(index, items[which], false);
}

fn stroke_color(in: Stroke) -> vec4<f32> {
    let place = in.clip.xy - in.ends.xy;
    let along = in.ends.zw - in.ends.xy;
    let part = dot(place, along) / max(dot(along, along), 1e-6);
    if (in.kind & BUTT) != 0u && (part < 0.0 || part >= 1.0) {
        return vec4(0.0);
    }
    let off = distance(place, along * clamp(part, 0.0, 1.0));
    let cover = clamp(in.width * 0.5 + 0.5 - off, 0.0, 1.0) * min(in.width, 1.0);
    return in.color * vec4(1.0, 1.0, 1.0, cover);
}

@fragment
fn stroke(in: Stroke) -> @location(0) vec4<f32> {
    return stroke_color(in);
}

@fragment
fn stroke_over(in: Stroke) -> @location(0) vec4<f32> {
    return stroke_color(in) * vec4(1.0, 1.0, 1.0, through(in.clip, in.kind, 0.22));
}

struct Spot {
    @builtin(position) clip: vec4<f32>,
    @location(0) place: vec2<f32>,
    @location(1) @interpolate(flat) size: f32,
    @location(2) @interpolate(flat) color: vec4<f32>,
    @location(3) @interpolate(flat) kind: u32,
}

fn spot_corner(index: u32, item: Item, lift: bool) -> Spot {
    let clip = frame.clip_from_world * vec4(select(item.a.xyz, lifted(item.a.xyz), lift), 1.0);
    let corner = vec2(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0;
    let place = corner * (item.a.w * 0.5 + 1.0);
    let shift = place * vec2(2.0, -2.0) * frame.size.zw * clip.w;
    return Spot(clip + vec4(shift, 0.0, 0.0), place, item.a.w, item.color, u32(item.b.w));
}

@vertex
fn spot_in(@builtin(vertex_index) index: u32, @builtin(instance_index) which: u32) -> Spot {
    return spot_corner(index, items[which], true);
}

@vertex
fn spot_on(@builtin(vertex_index) index: u32, @builtin(instance_index) which: u32) -> Spot {
    return spot_corner(index, items[which], false);
}

fn spot_color(in: Spot) -> vec4<f32> {
    let off = length(in.place);
    let cover = clamp(in.size * 0.5 + 0.5 - off, 0.0, 1.0);
    // A dark rim tells a mark from skin of the same colour; small marks have no room for one.
    let rim = clamp(off - in.size * 0.5 + 1.9, 0.0, 1.0) * smoothstep(4.0, 6.0, in.size) * 0.75;
    return vec4(mix(in.color.xyz, in.color.xyz * 0.12, rim), in.color.w * cover);
}

@fragment
fn spot(in: Spot) -> @location(0) vec4<f32> {
    return spot_color(in);
}

@fragment
fn spot_over(in: Spot) -> @location(0) vec4<f32> {
    return spot_color(in) * vec4(1.0, 1.0, 1.0, through(in.clip, in.kind, 0.3));
}

struct Sheet {
    @builtin(position) clip: vec4<f32>,
    @location(0) uv: vec2<f32>,
    @location(1) @interpolate(flat) opacity: f32,
    @location(2) @interpolate(flat) kind: u32,
}

@vertex
fn sheet_corner(@builtin(vertex_index) index: u32) -> Sheet {
    let item = items[index];
    return Sheet(frame.clip_from_world * vec4(item.a.xyz, 1.0), item.b.xy, item.b.z, u32(item.a.w));
}

@fragment
fn sheet(in: Sheet) -> @location(0) vec4<f32> {
    return textureSample(picture, smooth_sampler, in.uv) * vec4(1.0, 1.0, 1.0, in.opacity);
}

@fragment
fn sheet_over(in: Sheet) -> @location(0) vec4<f32> {
    let texel = textureSample(picture, smooth_sampler, in.uv);
    return texel * vec4(1.0, 1.0, 1.0, in.opacity * through(in.clip, in.kind, 0.3));
}
