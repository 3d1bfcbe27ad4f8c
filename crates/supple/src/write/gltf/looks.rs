//! How a file looks that is made anew, as far as the file that its rig came from says it: materials with all their textures and
//! extensions, as text, and further texture coordinates.

use super::{
    document::{Document, Layout},
    mesh::{Attributes, VERTICES},
    patch::{Object, Raw},
    pictures::{self, Pictures},
};
use crate::{
    read::gltf::{self, Original, fetch},
    rig::{Part, Rig, Source},
    write::Error,
};
use gltf_json::{
    accessor::{ComponentType, Type},
    mesh::Semantic,
    validation::Checked::Valid,
};
use serde_json::value::to_raw_value;

/// Kept as they are; pictures come along.
const LISTS: [&str; 3] = ["materials", "textures", "samplers"];

pub(super) struct Looks {
    source: Source,
    original: Original,
    lists: Vec<(&'static str, Vec<Raw>)>,
    images: Vec<Object>,
    extensions: Vec<String>,
}

impl Looks {
    /// None where the rig is from no glTF file, or looks otherwise than it.
    pub fn of(rig: &Rig) -> Option<Self> {
        let source = rig.source.as_ref()?;
        let original = gltf::again(source).ok()?;
        let before = &original.rig;
        let parts = |rig: &Rig| rig.parts.iter().map(|p| (p.vertices.clone(), p.material)).collect::<Vec<_>>();
        let alike = rig.materials == before.materials && parts(rig) == parts(before);
        if !alike || !pictures::same(&rig.images, &before.images) {
            return None;
        }
        let root: Object = serde_json::from_slice(original.file.json()).ok()?;
        let mut lists: Vec<(&str, Vec<Raw>)> = Vec::new();
        for name in LISTS {
            lists.push((name, root.get(name).ok()?.unwrap_or_default()));
        }
        let images: Vec<Object> = root.get("images").ok()?.unwrap_or_default();
        let named: Vec<String> = root.get("extensionsUsed").ok()?.unwrap_or_default();
        let said = |name: &String| {
            let name = format!("\"{name}\"");
            lists.iter().flat_map(|(_, list)| list).any(|text| text.get().contains(&name))
        };
        let extensions = named.into_iter().filter(said).collect();
        Some(Self { source: source.clone(), original, lists, images, extensions })
    }

    /// Puts the materials into a document, under the numbers that they have in the file.
    pub fn write(&self, document: &mut Document) -> Result<(), Error> {
        let wrong = |e: serde_json::Error| Error::Io(e.into());
        let file = &self.original.file;
        let mut written = Pictures::default();
        let mut images = Vec::new();
        for (image, text) in file.root.images.iter().zip(&self.images) {
            let neighbour;
            let bytes = match (image.buffer_view, &image.uri) {
                (Some(view), _) => file.view(view).ok(),
                (None, Some(uri)) if !uri.starts_with("data:") => {
                    neighbour = fetch(uri, &|name| self.source.neighbour(name)).ok();
                    neighbour.as_deref()
                }
                _ => None,
            };
            images.push(match bytes {
                Some(bytes) => {
                    let view = written.view(document, bytes)?;
                    pictures::inside(&mut text.clone(), image.mime_type.as_deref(), bytes, view)
                }
                None => to_raw_value(text),
            });
        }
        let images = images.into_iter().collect::<Result<_, _>>().map_err(wrong)?;
        document.texts = self.lists.clone();
        document.texts.push(("images", images));
        document.root.extensions_used = self.extensions.clone();
        Ok(())
    }

    /// Texture coordinates of a part besides the first.
    pub fn attributes(
        &self,
        document: &mut Document,
        rig: &Rig,
        part: &Part,
        attributes: &mut Attributes,
    ) -> Result<(), Error> {
        // Parts stand in the order of their vertices; those without any are not written.
        let index = rig.parts.partition_point(|p| p.vertices.end <= part.vertices.start);
        let Some(origin) = self.original.parts.get(index) else { return Ok(()) };
        let primitive = &self.original.file.root.meshes[origin.mesh].primitives[origin.primitive];
        for set in 1.. {
            let Some(&accessor) = primitive.attributes.get(&format!("TEXCOORD_{set}")) else { break };
            let Ok(array) = self.original.file.array(accessor, &["VEC2"]) else { continue };
            if array.count == part.vertices.len() {
                let layout = Layout(ComponentType::F32, Type::Vec2);
                let uvs = document.array(&array.flat(), layout, VERTICES)?;
                attributes.insert(Valid(Semantic::TexCoords(set)), uvs);
            }
        }
        Ok(())
    }
}
