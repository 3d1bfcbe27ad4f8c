// The base colour of a place, linear: the twin of Geometry::color and Texture::sample.

// Red is the lowest byte.
@group(0) @binding(4) var<storage, read> texels: array<u32>;

fn texel(material: u32, low: vec2<f32>, step: vec2<i32>) -> vec3<f32> {
    let size = vec2<i32>(i32(materials[material].texture_width), i32(materials[material].texture_height));
    let at = (vec2<i32>(low) + step + size) % size;
    let bytes = texels[materials[material].texture_at + u32(at.y * size.x + at.x)];
    let first = view.decoded_at;
    return vec3(
        numbers[first + (bytes & 255u)],
        numbers[first + ((bytes >> 8u) & 255u)],
        numbers[first + ((bytes >> 16u) & 255u)],
    );
}

fn two(at: u32) -> vec2<f32> {
    return vec2(numbers[at], numbers[at + 1u]);
}

fn color_of(index: u32, triangle: vec4<u32>, barycentric: vec2<f32>) -> vec3<f32> {
    let material = triangle.w;
    let color = materials[material].color;
    let at = materials[material].paint_at;
    switch materials[material].paint {
        case BY_VERTEX: {
            return blend_at(at, triangle, barycentric);
        }
        case BY_TRIANGLE: {
            return three(at + 3u * index);
        }
        case TEXTURED: {
            let uvs = materials[material].uvs_at;
            let a = two(uvs + 2u * triangle.x);
            let b = two(uvs + 2u * triangle.y);
            let c = two(uvs + 2u * triangle.z);
            let uv = a + (b - a) * barycentric.x + (c - a) * barycentric.y;
            let size = vec2(f32(materials[material].texture_width), f32(materials[material].texture_height));
            let place = (uv - floor(uv)) * size - 0.5;
            let low = floor(place);
            let part = place - low;
            let top = mix(texel(material, low, vec2(0, 0)), texel(material, low, vec2(1, 0)), part.x);
            let bottom = mix(texel(material, low, vec2(0, 1)), texel(material, low, vec2(1, 1)), part.x);
            return color * mix(top, bottom, part.y);
        }
        default: {
            return color;
        }
    }
}
