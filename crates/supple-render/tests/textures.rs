//! Pictures in files: decoded once, and within bounds.

use glam::{Vec2, Vec3};
use image::{ExtendedColorType, ImageEncoder, codecs::png::PngEncoder};
use std::sync::Arc;
use supple::{
    read,
    rig::{Image, Material, Mesh, Part, Rig},
};
use supple_render::{TextureError, TextureLimits, Textures, character};

fn png(width: u32, height: u32, grey: impl Fn(u32, u32) -> u8) -> Arc<[u8]> {
    let pixels: Vec<u8> = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| grey(x, y)).collect();
    let mut bytes = Vec::new();
    let written = PngEncoder::new(&mut bytes).write_image(&pixels, width, height, ExtendedColorType::L8);
    written.expect("a PNG");
    bytes.into()
}

/// A triangle for each picture.
fn rig(pictures: Vec<Arc<[u8]>>) -> Rig {
    let mut mesh = Mesh { positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y], ..Mesh::default() };
    mesh.triangles = vec![[0, 1, 2]; pictures.len()];
    mesh.uvs = Some(vec![Vec2::ZERO, Vec2::X, Vec2::Y]);
    let mut rig = Rig::of_mesh("pictures", mesh);
    let whole = rig.parts.remove(0);
    for (i, bytes) in pictures.into_iter().enumerate() {
        rig.images.push(Image { name: format!("picture {i}"), mime: "image/png".into(), bytes });
        rig.materials.push(Material { base_color_image: Some(i), ..Material::default() });
        rig.parts.push(Part { material: Some(i), triangles: i as u32..i as u32 + 1, ..whole.clone() });
    }
    rig
}

fn sizes(textures: &[Arc<supple_render::Texture>]) -> Vec<[u32; 2]> {
    textures.iter().map(|t| [t.width, t.height]).collect()
}

#[test]
fn a_picture_is_decoded_once_however_often_it_is_named() {
    let (one, other) = (png(8, 4, |x, _| x as u8), png(2, 2, |_, y| y as u8));
    let rig = rig(vec![one.clone(), other, one.clone(), one]);
    let (surface, faults) = character::surface(&rig, &rig.mesh.positions);
    assert!(faults.is_empty(), "{faults:?}");
    assert_eq!(sizes(&surface.textures), [[8, 4], [2, 2]]);
    assert_eq!(surface.looks.iter().map(|l| l.texture).collect::<Vec<_>>(), [Some(0), Some(1), Some(0), Some(0)]);
}

#[test]
fn images_of_one_buffer_view_or_of_one_file_share_their_bytes() {
    let picture = png(3, 3, |x, y| (x * y) as u8);
    let image = |source: &str| format!("{{{source},\"mimeType\":\"image/png\"}}");
    let views: Vec<String> = (0..50).map(|_| image("\"bufferView\":0")).collect();
    let files: Vec<String> = (0..50).map(|_| image("\"uri\":\"skin.png\"")).collect();
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":{0},"uri":"all.bin"}}],"bufferViews":[{{"buffer":0,"byteLength":{0}}}],"images":[{1},{2}]}}"#,
        picture.len(),
        views.join(","),
        files.join(",")
    );
    let reads = std::cell::Cell::new(0);
    let resolve = |name: &str| {
        reads.set(reads.get() + usize::from(name == "skin.png"));
        Ok(picture.to_vec())
    };
    let loaded = read::bytes("shared", read::Format::Gltf, json.into_bytes(), &resolve).expect("it reads");
    let images = &loaded.rig.images;
    assert_eq!(images.len(), 100);
    assert!(images[..50].iter().all(|i| Arc::ptr_eq(&i.bytes, &images[0].bytes)));
    assert!(images[50..].iter().all(|i| Arc::ptr_eq(&i.bytes, &images[50].bytes)));
    assert_eq!(reads.get(), 1);
}

#[test]
fn textures_that_are_too_large_together_are_halved_the_largest_first() {
    // Bright and dark columns: what they give together is light, not bytes.
    let columns = |x: u32, _| if x.is_multiple_of(2) { 255 } else { 0 };
    let rig = rig(vec![png(64, 32, columns), png(16, 16, columns), png(8, 8, columns)]);
    let within = |kept| Textures::within(&rig, TextureLimits { kept, ..TextureLimits::default() });
    let drawn = |kept| {
        let (textures, faults) = within(kept);
        assert!(faults.is_empty(), "{faults:?}");
        character::textured(&rig, &rig.mesh.positions, &textures).textures
    };
    let all = 4 * (64 * 32 + 16 * 16 + 8 * 8);
    assert_eq!(sizes(&drawn(all)), [[64, 32], [16, 16], [8, 8]]);
    assert_eq!(sizes(&drawn(all - 1)), [[32, 16], [16, 16], [8, 8]]);
    assert_eq!(sizes(&drawn(4 * 200)), [[8, 4], [8, 8], [8, 8]]);
    assert_eq!(sizes(&drawn(0)), [[1, 1], [1, 1], [1, 1]]);
    assert!(drawn(all - 1)[0].pixels.iter().all(|p| p[0].abs_diff(188) <= 1 && p[3] == 255));
}

#[test]
fn too_many_pixels_are_said_in_one_line_and_the_skin_has_no_texture() {
    let rig = rig((0..20).map(|i| png(16, 16, |_, _| i)).collect());
    let (textures, faults) = Textures::within(&rig, TextureLimits { pixels: 5119, ..TextureLimits::default() });
    assert_eq!(faults, [TextureError::Pixels { count: 20, pixels: 5120, most: 5119 }]);
    assert!(faults[0].to_string().starts_with("20 textures of 5120 pixels together"), "{}", faults[0]);
    let surface = character::textured(&rig, &rig.mesh.positions, &textures);
    assert!(surface.textures.is_empty() && surface.looks.iter().all(|l| l.texture.is_none()));
    let (textures, faults) = Textures::within(&rig, TextureLimits { pixels: 5120, ..TextureLimits::default() });
    assert!(
        faults.is_empty() && sizes(&character::textured(&rig, &rig.mesh.positions, &textures).textures).len() == 20
    );
}

#[test]
fn a_picture_that_promises_more_than_may_be_decoded_is_refused_by_its_header() {
    // The size stands at bytes 16 to 24, and after it a checksum of the header; nothing that large is in the file.
    let mut huge = png(4, 4, |_, _| 0).to_vec();
    huge[16..24].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
    let checksum = crc(&huge[12..29]).to_be_bytes();
    huge[29..33].copy_from_slice(&checksum);
    let rig = rig(vec![huge.into(), png(4, 4, |_, _| 7)]);
    let (surface, faults) = character::surface(&rig, &rig.mesh.positions);
    let expected = "texture 0 \"picture 0\" cannot be decoded: 60000 by 60000 pixels take 3434 MB to decode, and at most 256 \
                    are taken";
    assert_eq!(faults.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
    assert_eq!(surface.looks.iter().map(|l| l.texture).collect::<Vec<_>>(), [None, Some(0)]);
}

/// The checksum of a PNG's chunk.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 })
    })
}

#[test]
fn a_strip_is_reduced_along_its_length_alone() {
    let reduced = supple_render::textures::reduced;
    // By more than its height: what it is thin in is not looked at again and again.
    let strip = reduced([1 << 20, 1], 1 << 17, |x, _| [if x < 1 << 19 { 255 } else { 0 }; 4]);
    assert_eq!([strip.width, strip.height], [8, 1]);
    assert_eq!((strip.pixels[3], strip.pixels[4]), ([255; 4], [0; 4]));
}
