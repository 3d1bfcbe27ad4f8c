use super::{
    Shared,
    container::{Container, fetch},
    document,
};
use crate::{
    read::Warnings,
    rig::{AlphaMode, Image, Material},
};
use std::{
    collections::hash_map::{Entry, HashMap},
    sync::Arc,
};

/// Materials and the images they use. A missing picture costs its texture, not the character.
pub fn materials(file: &Container, resolve: &Shared<'_>, warnings: &mut Warnings) -> (Vec<Material>, Vec<Image>) {
    let mut images = Vec::new();
    let mut pictures = Pictures::of(file);
    let mut number = vec![None; file.root.images.len()];
    for (i, image) in file.root.images.iter().enumerate() {
        match pictures.load(image, resolve) {
            Ok(image) => {
                number[i] = Some(images.len());
                images.push(image);
            }
            Err(what) => warnings.push(format!("images[{i}]"), format!("{what}: the texture cannot be used")),
        }
    }
    let image_of = |info: &document::TextureInfo| {
        let source = file.root.textures.get(info.index)?.source?;
        *number.get(source)?
    };
    let material = |(i, m): (usize, &document::Material)| {
        let pbr = m.pbr_metallic_roughness.as_ref();
        Material {
            name: m.name.clone().unwrap_or_else(|| format!("material {i}")),
            base_color: pbr.and_then(|p| p.base_color_factor).unwrap_or([1.0; 4]),
            base_color_image: pbr.and_then(|p| p.base_color_texture.as_ref()).and_then(image_of),
            metallic: pbr.and_then(|p| p.metallic_factor).unwrap_or(1.0),
            roughness: pbr.and_then(|p| p.roughness_factor).unwrap_or(1.0),
            emissive: m.emissive_factor.unwrap_or_default(),
            alpha_mode: match m.alpha_mode.as_deref() {
                Some("MASK") => AlphaMode::Mask(m.alpha_cutoff.unwrap_or(0.5)),
                Some("BLEND") => AlphaMode::Blend,
                _ => AlphaMode::Opaque,
            },
            double_sided: m.double_sided,
        }
    };
    (file.root.materials.iter().enumerate().map(material).collect(), images)
}

/// What a picture is, by its first bytes.
pub(crate) fn picture_kind(bytes: &[u8]) -> Option<&'static str> {
    Some(match bytes {
        [0x89, b'P', b'N', b'G', ..] => "image/png",
        [0xff, 0xd8, 0xff, ..] => "image/jpeg",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
        [0xab, b'K', b'T', b'X', ..] => "image/ktx2",
        _ => return None,
    })
}

/// Bytes that the pictures of a document may take where it is smaller itself.
const MOST_BYTES: usize = 256 << 20;

/// Pictures as they are loaded: each once, however often it is named. A document of a few bytes for each image could else
/// ask for any amount of memory; so could views that overlap, whose pictures are bounded together.
struct Pictures<'a> {
    file: &'a Container,
    of_view: HashMap<(*const u8, usize), Arc<[u8]>>,
    of_uri: HashMap<&'a str, Arc<[u8]>>,
    left: usize,
}

impl<'a> Pictures<'a> {
    fn of(file: &'a Container) -> Self {
        Self { file, of_view: HashMap::new(), of_uri: HashMap::new(), left: file.size().max(MOST_BYTES) }
    }

    fn load(&mut self, image: &'a document::Image, resolve: &Shared<'_>) -> Result<Image, String> {
        let bytes = self.bytes(image, resolve)?;
        // The bytes know better than the label, as far as a rig has a word for them.
        let told = picture_kind(&bytes).filter(|kind| ["image/png", "image/jpeg"].contains(kind));
        let mime = told.map(str::to_owned).or_else(|| image.mime_type.clone());
        let mime = mime.ok_or("is neither PNG nor JPEG")?;
        Ok(Image { name: image.name.clone().unwrap_or_default(), mime, bytes })
    }

    fn bytes(&mut self, image: &'a document::Image, resolve: &Shared<'_>) -> Result<Arc<[u8]>, String> {
        let left = &mut self.left;
        let mut take = |length: usize| {
            let what = || format!("has {length} bytes, and the images before it have used up what images may take");
            *left = left.checked_sub(length).ok_or_else(what)?;
            Ok::<(), String>(())
        };
        match (image.buffer_view, &image.uri) {
            (Some(view), _) => {
                let bytes = self.file.view(view).map_err(|e| e.to_string())?;
                Ok(match self.of_view.entry((bytes.as_ptr(), bytes.len())) {
                    Entry::Occupied(known) => known.get().clone(),
                    Entry::Vacant(new) => {
                        take(bytes.len())?;
                        new.insert(bytes.into()).clone()
                    }
                })
            }
            (None, Some(uri)) => Ok(match self.of_uri.entry(uri) {
                Entry::Occupied(known) => known.get().clone(),
                Entry::Vacant(new) => {
                    let bytes = fetch(uri, resolve)?;
                    take(bytes.len())?;
                    new.insert(bytes).clone()
                }
            }),
            (None, None) => Err("has neither a buffer view nor a uri".into()),
        }
    }
}
