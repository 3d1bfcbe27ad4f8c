// What lies under places in the picture. The skin is drawn round them as ids and barycentric coordinates, the nearest
// layer by depth; then the ray of each place is met with the triangles that are seen there; then the vertices round what
// it met are gathered.

struct View {
    // Of the part of the picture that is drawn.
    clip_from_world: mat4x4<f32>,
    places: u32,
    vertices: u32,
    // For so many gathered vertices.
    room: u32,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> points: array<f32>;
@group(0) @binding(2) var<storage, read> triangles: array<u32>;

struct Place {
    origin: vec3<f32>,
    // How far round what it meets vertices are gathered, in units of the world.
    radius: f32,
    direction: vec3<f32>,
    texel: vec2<i32>,
}

// What lies under a place.
struct Found {
    position: vec3<f32>,
    // 0 where nothing is, and then the rest means nothing.
    id: u32,
    // The corners of the triangle, and the weights of the second and the third.
    a: vec3<f32>,
    distance: f32,
    b: vec3<f32>,
    weight_b: f32,
    c: vec3<f32>,
    weight_c: f32,
}

// A vertex round what lies under a place, and how far from it.
struct Entry {
    place: u32,
    vertex: u32,
    distance: f32,
}

struct Gathered {
    // There may be more than there is room for.
    count: atomic<u32>,
    entries: array<Entry>,
}

@group(1) @binding(0) var ids: texture_2d<u32>;
@group(1) @binding(1) var barycentrics: texture_2d<f32>;
@group(1) @binding(2) var<storage, read> places: array<Place>;
@group(1) @binding(3) var<storage, read_write> found: array<Found>;
@group(1) @binding(4) var<storage, read_write> gathered: Gathered;

fn point(vertex: u32) -> vec3<f32> {
    return vec3(points[vertex * 3u], points[vertex * 3u + 1u], points[vertex * 3u + 2u]);
}

fn is_finite(p: vec3<f32>) -> bool {
    return all(abs(p) < vec3(3.0e38));
}

struct Corner {
    @builtin(position) clip: vec4<f32>,
    @location(0) @interpolate(flat) id: u32,
    @location(1) barycentric: vec2<f32>,
}

@vertex
fn corner(@builtin(vertex_index) index: u32) -> Corner {
    let first = index - index % 3u;
    let a = point(triangles[first]);
    let b = point(triangles[first + 1u]);
    let c = point(triangles[first + 2u]);
    let which = index % 3u;
    var out: Corner;
    // Triangles have ids from 1 on: 0 is where nothing is.
    out.id = index / 3u + 1u;
    out.barycentric = vec2(f32(which == 1u), f32(which == 2u));
    out.clip = vec4(2.0, 2.0, 2.0, 1.0);
    if is_finite(a) && is_finite(b) && is_finite(c) {
        out.clip = view.clip_from_world * vec4(select(select(c, b, which == 1u), a, which == 0u), 1.0);
    }
    return out;
}

struct Seen {
    @location(0) id: u32,
    @location(1) barycentric: vec2<f32>,
}

@fragment
fn seen(in: Corner) -> Seen {
    return Seen(in.id, in.barycentric);
}

// Where a ray meets a triangle, from either side: the weights of its second and third corner, and how far along; not
// along at all where it does not.
fn meets(place: Place, id: u32) -> vec3<f32> {
    let first = (id - 1u) * 3u;
    let a = point(triangles[first]);
    let ab = point(triangles[first + 1u]) - a;
    let ac = point(triangles[first + 2u]) - a;
    let across = cross(place.direction, ac);
    let volume = dot(ab, across);
    let from_a = place.origin - a;
    let q = cross(from_a, ab);
    let v = dot(from_a, across) / volume;
    let w = dot(place.direction, q) / volume;
    let along = dot(ac, q) / volume;
    if v >= 0.0 && w >= 0.0 && v + w <= 1.0 && along > 0.0 {
        return vec3(v, w, along);
    }
    return vec3(0.0, 0.0, -1.0);
}

@compute @workgroup_size(64)
fn meet(@builtin(global_invocation_id) at: vec3<u32>) {
    if at.x >= view.places {
        return;
    }
    let place = places[at.x];
    var id = 0u;
    var hit = vec3(0.0, 0.0, 3.0e38);
    // A texel has room for one triangle, and the place lies somewhere in it: what the ray meets may be seen beside it.
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let other = textureLoad(ids, place.texel + vec2(x, y), 0).x;
            if other != 0u {
                let met = meets(place, other);
                if met.z > 0.0 && met.z < hit.z {
                    id = other;
                    hit = met;
                }
            }
        }
    }
    let middle = textureLoad(ids, place.texel, 0).x;
    if id == 0u && middle != 0u {
        // Slivers are seen where no ray meets them.
        id = middle;
        hit = vec3(textureLoad(barycentrics, place.texel, 0).xy, 0.0);
    }
    if id == 0u {
        found[at.x].id = 0u;
        return;
    }
    let first = (id - 1u) * 3u;
    let a = point(triangles[first]);
    let b = point(triangles[first + 1u]);
    let c = point(triangles[first + 2u]);
    let position = a + (b - a) * hit.x + (c - a) * hit.y;
    found[at.x] = Found(position, id, a, distance(position, place.origin), b, hit.x, c, hit.y);
}

@compute @workgroup_size(64)
fn gather(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let vertex = (group.y * groups.x + group.x) * 64u + local;
    if vertex >= view.vertices {
        return;
    }
    let here = point(vertex);
    for (var i = 0u; i < view.places; i++) {
        let radius = places[i].radius;
        if found[i].id == 0u || radius <= 0.0 {
            continue;
        }
        let away = distance(here, found[i].position);
        if away <= radius {
            let entry = atomicAdd(&gathered.count, 1u);
            if entry < view.room {
                gathered.entries[entry] = Entry(i, vertex, away);
            }
        }
    }
}
