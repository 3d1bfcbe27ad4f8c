use super::{
    document::{self, Document},
    pictures::Pictures,
};
use crate::{
    read::gltf::picture_kind,
    rig::{AlphaMode, Rig},
    write::Error,
};
use gltf_json::{
    Image, Index, Material, Texture,
    image::MimeType,
    material::{
        AlphaCutoff, AlphaMode as Mode, EmissiveFactor, PbrBaseColorFactor, PbrMetallicRoughness, StrengthFactor,
    },
    texture::{Info, MagFilter, MinFilter, Sampler},
    validation::Checked::Valid,
};

/// The materials of a rig, with their images inside the file.
pub(super) fn write(document: &mut Document, rig: &Rig) -> Result<Vec<Index<Material>>, Error> {
    let textures = textures(document, rig)?;
    let mut written = Vec::with_capacity(rig.materials.len());
    for material in &rig.materials {
        let texture = material.base_color_image.and_then(|i| textures.get(i).copied().flatten());
        let info = |index| Info { index, tex_coord: 0, extensions: None, extras: None };
        let (alpha_mode, alpha_cutoff) = match material.alpha_mode {
            AlphaMode::Opaque => (Mode::Opaque, None),
            AlphaMode::Mask(cutoff) => (Mode::Mask, Some(AlphaCutoff(unit(cutoff)))),
            AlphaMode::Blend => (Mode::Blend, None),
        };
        written.push(document.root.push(Material {
            name: document::name(&material.name),
            pbr_metallic_roughness: PbrMetallicRoughness {
                base_color_factor: PbrBaseColorFactor(material.base_color.map(unit)),
                base_color_texture: texture.map(info),
                metallic_factor: StrengthFactor(unit(material.metallic)),
                roughness_factor: StrengthFactor(unit(material.roughness)),
                ..PbrMetallicRoughness::default()
            },
            emissive_factor: EmissiveFactor(material.emissive.map(unit)),
            alpha_mode: Valid(alpha_mode),
            alpha_cutoff,
            double_sided: material.double_sided,
            ..Material::default()
        }));
    }
    Ok(written)
}

/// glTF takes nothing outside of 0 to 1, and no NaN.
fn unit(x: f32) -> f32 {
    if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0) }
}

/// One texture per image that glTF knows; none without texture coordinates to look them up by.
fn textures(document: &mut Document, rig: &Rig) -> Result<Vec<Option<Index<Texture>>>, Error> {
    let mut textures = vec![None; rig.images.len()];
    if rig.mesh.uvs.is_none() {
        return Ok(textures);
    }
    let (mut sampler, mut pictures) = (None, Pictures::default());
    for (image, texture) in rig.images.iter().zip(&mut textures) {
        // The bytes know better than the label.
        let Some(mime @ ("image/png" | "image/jpeg")) = picture_kind(&image.bytes) else { continue };
        let buffer_view = Some(pictures.view(document, &image.bytes)?);
        let source = document.root.push(Image {
            buffer_view,
            mime_type: Some(MimeType(mime.to_owned())),
            name: document::name(&image.name),
            uri: None,
            extensions: None,
            extras: None,
        });
        let sampler = *sampler.get_or_insert_with(|| {
            document.root.push(Sampler {
                mag_filter: Some(Valid(MagFilter::Linear)),
                min_filter: Some(Valid(MinFilter::LinearMipmapLinear)),
                ..Sampler::default()
            })
        });
        let sampler = Some(sampler);
        *texture = Some(document.root.push(Texture { name: None, sampler, source, extensions: None, extras: None }));
    }
    Ok(textures)
}
