// Positions and normals from ids and barycentric coordinates: the twin of Buffers::resolve.

@group(0) @binding(5) var visible: texture_2d<u32>;
@group(0) @binding(6) var<storage, read_write> pixels: array<Pixel>;

@compute @workgroup_size(8, 8)
fn resolve(@builtin(global_invocation_id) at: vec3<u32>) {
    if any(at.xy >= view.size) {
        return;
    }
    let seen = textureLoad(visible, at.xy, 0);
    var pixel = Pixel(vec3(0.0), seen.x, vec3(0.0), 1.0, vec2(0.0), 1.0, 0.0);
    if seen.x != 0u {
        let triangle = triangles[seen.x - 1u];
        pixel.barycentric = bitcast<vec2<f32>>(seen.yz);
        pixel.depth = bitcast<f32>(seen.w);
        pixel.position = position_of(triangle, pixel.barycentric);
        pixel.normal = normal_of(seen.x - 1u, triangle, pixel.barycentric);
        // Seen from inside, the sky is on the other side.
        pixel.turn = select(1.0, -1.0, dot(pixel.normal, towards(pixel.position)) < 0.0);
    }
    pixels[at.y * view.size.x + at.x] = pixel;
}
