// A scene as one list of triangles, its bones after the rest: the twin of geometry.rs.

struct Material {
    color: vec3<f32>,
    // Width of the lines along edges, in pixels; NO_WIRE for none.
    wire: f32,
    // Flat, PER_VERTEX or PER_CORNER.
    normals: u32,
    normals_at: u32,
    // The colour above, one BY_VERTEX or BY_TRIANGLE, or TEXTURED: the colour above times a texture.
    paint: u32,
    paint_at: u32,
    uvs_at: u32,
    texture_at: u32,
    texture_width: u32,
    texture_height: u32,
    unused: vec4<u32>,
}

// Three indices and the material.
@group(0) @binding(1) var<storage, read> triangles: array<vec4<u32>>;
// Positions, then whatever materials refer to. Offsets are such that global indices can be used.
@group(0) @binding(2) var<storage, read> numbers: array<f32>;
@group(0) @binding(3) var<storage, read> materials: array<Material>;

fn three(at: u32) -> vec3<f32> {
    return vec3(numbers[at], numbers[at + 1u], numbers[at + 2u]);
}

// a (1 - u - v) + b u + c v, in a form that gives `a` back exactly where all three are equal.
fn blend(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>, barycentric: vec2<f32>) -> vec3<f32> {
    return a + (b - a) * barycentric.x + (c - a) * barycentric.y;
}

// From a list with an entry for each vertex.
fn blend_at(list: u32, triangle: vec4<u32>, barycentric: vec2<f32>) -> vec3<f32> {
    let at = vec3(list) + 3u * triangle.xyz;
    return blend(three(at.x), three(at.y), three(at.z), barycentric);
}

fn position_of(triangle: vec4<u32>, barycentric: vec2<f32>) -> vec3<f32> {
    return blend_at(0u, triangle, barycentric);
}

// The normal times some length: tiny triangles are brought to size first, so that products do not come to zero.
fn flat_of(triangle: vec4<u32>) -> vec3<f32> {
    let a = three(3u * triangle.x);
    let b = three(3u * triangle.y) - a;
    let c = three(3u * triangle.z) - a;
    let most = max(abs(b), abs(c));
    let size = max(max(most.x, most.y), most.z);
    if size == 0.0 {
        return vec3(0.0);
    }
    return cross(b / size, c / size);
}

// The shading normal, of unit length, on the outer side.
fn normal_of(index: u32, triangle: vec4<u32>, barycentric: vec2<f32>) -> vec3<f32> {
    let kind = materials[triangle.w].normals;
    let at = materials[triangle.w].normals_at;
    var smooth_normal = vec3(0.0);
    if kind == PER_VERTEX {
        smooth_normal = blend_at(at, triangle, barycentric);
    } else if kind == PER_CORNER {
        let corner = at + 9u * index;
        smooth_normal = blend(three(corner), three(corner + 3u), three(corner + 6u), barycentric);
    }
    // Stored normals of some files are zero.
    if dot(smooth_normal, smooth_normal) > 1e-12 {
        return normalize(smooth_normal);
    }
    return unit_or(flat_of(triangle), vec3(0.0));
}
