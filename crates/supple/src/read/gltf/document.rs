//! The parts of a glTF document that Supple reads. `gltf-json` serves for writing; for reading it is too strict in
//! some places (animation channels without a node, accessors without a view are both valid) and too lax in others
//! (it cuts indices down to 32 bits), and its errors do not carry the offending value.

use gltf_json::extras::RawValue;
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error, SeqAccess, Visitor},
};
use std::{collections::BTreeMap, fmt, marker::PhantomData};

/// The most nodes, images and so on that a document may have. An empty one takes three bytes of a file and a hundred times
/// as much memory.
const MOST: usize = 1 << 18;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Root {
    pub asset: Asset,
    pub extensions_required: Vec<String>,
    pub accessors: Vec<Accessor>,
    #[serde(deserialize_with = "few")]
    pub animations: Vec<Animation>,
    pub buffers: Vec<Buffer>,
    pub buffer_views: Vec<BufferView>,
    #[serde(deserialize_with = "few")]
    pub images: Vec<Image>,
    #[serde(deserialize_with = "few")]
    pub materials: Vec<Material>,
    #[serde(deserialize_with = "few")]
    pub meshes: Vec<Mesh>,
    #[serde(deserialize_with = "few")]
    pub nodes: Vec<Node>,
    #[serde(deserialize_with = "few")]
    pub skins: Vec<Skin>,
    #[serde(deserialize_with = "few")]
    pub textures: Vec<Texture>,
}

/// A list of at most [`MOST`] entries; the first one too many ends the reading.
fn few<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    struct Few<T>(PhantomData<T>);
    impl<'de, T: Deserialize<'de>> Visitor<'de> for Few<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
            let mut few = Vec::new();
            while let Some(entry) = list.next_element()? {
                if few.len() == MOST {
                    return Err(A::Error::custom(format!("a list of more than {MOST} entries")));
                }
                few.push(entry);
            }
            Ok(few)
        }
    }
    deserializer.deserialize_seq(Few(PhantomData))
}

/// What may be anything: where it is not what is looked for, there is none of it. Its text is held, never its tree: a list
/// of noughts would take sixteen times as much memory as its text does.
#[derive(Debug)]
pub struct Lenient<T>(Option<T>);

impl<T> Default for Lenient<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Lenient<T> {
    pub fn get(&self) -> Option<&T> {
        self.0.as_ref()
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Lenient<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer)?;
        Ok(Self(serde_json::from_str(text.get()).ok()))
    }
}

/// What stands beside the words of glTF: names of morph targets, as many programs write them, and what Supple says.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Extras {
    target_names: Lenient<Names>,
    supple: Lenient<Ours>,
}

#[derive(Debug, Deserialize)]
struct Names(#[serde(deserialize_with = "few")] Vec<Lenient<String>>);

/// See `write/gltf/mod.rs`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Ours {
    role: Lenient<String>,
    pub hinge: Lenient<[f64; 3]>,
    name: Lenient<String>,
    normals: Lenient<String>,
    pub skinned: Lenient<bool>,
}

impl Lenient<Extras> {
    /// What Supple wrote there.
    pub fn ours(&self) -> Option<&Ours> {
        self.get()?.supple.get()
    }

    pub fn role(&self) -> Option<&str> {
        Some(self.ours()?.role.get()?)
    }

    pub fn name(&self) -> Option<&str> {
        Some(self.ours()?.name.get()?)
    }

    pub fn normals(&self) -> Option<&str> {
        Some(self.ours()?.normals.get()?)
    }

    pub fn target_name(&self, target: usize) -> Option<&str> {
        Some(self.get()?.target_names.get()?.0.get(target)?.get()?)
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Asset {
    pub version: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Accessor {
    pub buffer_view: Option<usize>,
    #[serde(default)]
    pub byte_offset: usize,
    pub component_type: u32,
    #[serde(default)]
    pub normalized: bool,
    pub count: usize,
    #[serde(rename = "type")]
    pub kind: String,
    pub sparse: Option<Sparse>,
}

#[derive(Debug, Deserialize)]
pub struct Sparse {
    pub count: usize,
    pub indices: SparseIndices,
    pub values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SparseIndices {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: usize,
    pub component_type: u32,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SparseValues {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: usize,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Buffer {
    pub byte_length: usize,
    pub uri: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BufferView {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: usize,
    pub byte_length: usize,
    pub byte_stride: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Animation {
    pub name: Option<String>,
    pub channels: Vec<Channel>,
    pub samplers: Vec<Sampler>,
}

#[derive(Debug, Deserialize)]
pub struct Channel {
    pub sampler: usize,
    pub target: Target,
}

#[derive(Debug, Deserialize)]
pub struct Target {
    pub node: Option<usize>,
    pub path: String,
}

#[derive(Debug, Deserialize)]
pub struct Sampler {
    pub input: usize,
    pub output: usize,
    pub interpolation: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Image {
    pub name: Option<String>,
    pub uri: Option<String>,
    pub mime_type: Option<String>,
    pub buffer_view: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Texture {
    pub source: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Material {
    pub name: Option<String>,
    pub pbr_metallic_roughness: Option<Pbr>,
    pub emissive_factor: Option<[f32; 3]>,
    pub alpha_mode: Option<String>,
    pub alpha_cutoff: Option<f32>,
    pub double_sided: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Pbr {
    pub base_color_factor: Option<[f32; 4]>,
    pub base_color_texture: Option<TextureInfo>,
    pub metallic_factor: Option<f32>,
    pub roughness_factor: Option<f32>,
}

#[derive(Debug, Deserialize)]
pub struct TextureInfo {
    pub index: usize,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Mesh {
    pub name: Option<String>,
    #[serde(deserialize_with = "few")]
    pub primitives: Vec<Primitive>,
    pub weights: Option<Vec<f32>>,
    pub extras: Lenient<Extras>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Primitive {
    pub attributes: BTreeMap<String, usize>,
    pub indices: Option<usize>,
    pub material: Option<usize>,
    pub mode: Option<u32>,
    #[serde(deserialize_with = "few")]
    pub targets: Vec<BTreeMap<String, usize>>,
    pub extras: Lenient<Extras>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Node {
    pub name: Option<String>,
    pub children: Vec<usize>,
    pub matrix: Option<[f64; 16]>,
    pub translation: Option<[f64; 3]>,
    pub rotation: Option<[f64; 4]>,
    pub scale: Option<[f64; 3]>,
    pub mesh: Option<usize>,
    pub skin: Option<usize>,
    pub weights: Option<Vec<f32>>,
    pub extras: Lenient<Extras>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Skin {
    pub joints: Vec<usize>,
    pub inverse_bind_matrices: Option<usize>,
}
