use super::{
    glb,
    patch::{Object, Raw},
};
use crate::write::Error;
use glam::Vec3;
use gltf_json::{
    Accessor, Asset, Buffer, Extras, Index, Mesh, Node, Root, Scene, Skin,
    accessor::{ComponentType, GenericComponentType, IndexComponentType, Type, sparse},
    buffer::{Target, View},
    extras::RawValue,
    validation::Checked::Valid,
};
use serde_json::{Map, Value, json};
use std::io::Write;

/// Sizes and offsets are signed 32-bit numbers in many programs.
pub(super) const MOST_BYTES: usize = (1 << 31) - 1;

/// The JSON and the one buffer of a GLB while they are made.
pub(super) struct Document {
    pub root: Root,
    bin: Vec<u8>,
    /// Bytes of the buffer before these.
    base: usize,
    /// Lists that are written as the text they have in another file.
    pub texts: Vec<(&'static str, Vec<Raw>)>,
}

/// How the numbers of an accessor lie in memory.
#[derive(Clone, Copy)]
pub(super) struct Layout(pub ComponentType, pub Type);

pub(super) const SCALARS: Layout = Layout(ComponentType::F32, Type::Scalar);
pub(super) const VEC3S: Layout = Layout(ComponentType::F32, Type::Vec3);

/// Extras, or none where there is nothing to say.
pub(super) fn extras(map: Map<String, Value>) -> Extras {
    if map.is_empty() {
        return None;
    }
    RawValue::from_string(Value::Object(map).to_string()).ok()
}

/// Extras of ours alone.
pub(super) fn supple(map: Map<String, Value>) -> Extras {
    if map.is_empty() { None } else { extras(Map::from_iter([("supple".to_owned(), Value::Object(map))])) }
}

/// glTF allows no empty names, and nobody misses them.
pub(super) fn name(name: &str) -> Option<String> {
    if name.is_empty() { None } else { Some(name.to_owned()) }
}

impl Document {
    pub fn new() -> Self {
        let generator = Some(concat!("Supple ", env!("CARGO_PKG_VERSION")).to_owned());
        let root = Root { asset: Asset { generator, ..Asset::default() }, ..Root::default() };
        Self { root, bin: Vec::new(), base: 0, texts: Vec::new() }
    }

    /// Bytes of the buffer so far.
    pub fn length(&self) -> usize {
        self.base + self.bin.len()
    }

    /// What is added to a buffer of so many bytes: views begin behind them.
    pub fn behind(base: usize) -> Self {
        Self { base, ..Self::new() }
    }

    /// What was added to the buffer.
    pub fn bin(&self) -> &[u8] {
        &self.bin
    }

    /// Appends bytes to the buffer.
    pub fn view(&mut self, bytes: &[u8], target: Option<Target>) -> Result<Index<View>, Error> {
        let offset = self.base + self.bin.len();
        if bytes.len() > MOST_BYTES.saturating_sub(offset + 3) {
            let advice = "write usda or pc2, or fewer vertices or frames";
            return Err(Error::TooLarge { most: MOST_BYTES + 1, advice });
        }
        self.bin.extend_from_slice(bytes);
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        Ok(self.root.push(View {
            buffer: Index::new(0),
            byte_length: bytes.len().into(),
            byte_offset: Some(offset.into()),
            byte_stride: None,
            name: None,
            target: target.map(Valid),
            extensions: None,
            extras: None,
        }))
    }

    /// Appends an array. `T` is one number, or one element.
    pub fn array<T: bytemuck::NoUninit>(
        &mut self,
        values: &[T],
        layout: Layout,
        target: Option<Target>,
    ) -> Result<Index<Accessor>, Error> {
        let bytes: &[u8] = bytemuck::cast_slice(values);
        let count = bytes.len() / (layout.0.size() * layout.1.multiplicity());
        let view = self.view(bytes, target)?;
        Ok(self.root.push(accessor(Some(view), count, layout)))
    }

    /// Appends vectors with their bounds, which glTF wants of positions.
    pub fn bounded(&mut self, values: &[Vec3], target: Option<Target>) -> Result<Index<Accessor>, Error> {
        let index = self.array(values, VEC3S, target)?;
        self.bounds(index, values, false);
        Ok(index)
    }

    /// Appends seconds, with the bounds glTF wants of them.
    pub fn times(&mut self, times: &[f32]) -> Result<Index<Accessor>, Error> {
        let index = self.array(times, SCALARS, None)?;
        let accessor = &mut self.root.accessors[index.value()];
        accessor.min = times.first().map(|t| json!([t]));
        accessor.max = times.last().map(|t| json!([t]));
        Ok(index)
    }

    /// Appends vectors that are zero but for a few: `vertices` ascend, and there is at least one.
    pub fn sparse(&mut self, count: usize, vertices: &[u32], values: &[Vec3]) -> Result<Index<Accessor>, Error> {
        let short = count <= 1 << 16;
        let indices = if short {
            let vertices: Vec<u16> = vertices.iter().map(|&v| v as u16).collect();
            self.view(bytemuck::cast_slice(&vertices), None)?
        } else {
            self.view(bytemuck::cast_slice(vertices), None)?
        };
        let type_ = if short { ComponentType::U16 } else { ComponentType::U32 };
        let deltas = self.view(bytemuck::cast_slice(values), None)?;
        let mut accessor = accessor(None, count, VEC3S);
        accessor.sparse = Some(sparse::Sparse {
            count: vertices.len().into(),
            indices: sparse::Indices {
                buffer_view: indices,
                byte_offset: 0usize.into(),
                component_type: Valid(IndexComponentType(type_)),
                extensions: None,
                extras: None,
            },
            values: sparse::Values { buffer_view: deltas, byte_offset: 0usize.into(), extensions: None, extras: None },
            extensions: None,
            extras: None,
        });
        let index = self.root.push(accessor);
        self.bounds(index, values, vertices.len() < count);
        Ok(index)
    }

    fn bounds(&mut self, index: Index<Accessor>, values: &[Vec3], and_zero: bool) {
        let zero = and_zero.then_some(&Vec3::ZERO);
        let all = || values.iter().chain(zero);
        let accessor = &mut self.root.accessors[index.value()];
        accessor.min = Some(json!(all().copied().reduce(Vec3::min).unwrap_or_default().to_array()));
        accessor.max = Some(json!(all().copied().reduce(Vec3::max).unwrap_or_default().to_array()));
    }

    pub fn mesh_node(&mut self, title: &str, mesh: Mesh, skin: Option<Index<Skin>>) -> Index<Node> {
        let mesh = Some(self.root.push(mesh));
        self.root.push(Node { name: name(title), mesh, skin, ..Node::default() })
    }

    /// Writes the GLB; the nodes are those on top.
    pub fn write_to(mut self, nodes: impl IntoIterator<Item = Index<Node>>, out: &mut dyn Write) -> Result<(), Error> {
        let nodes: Vec<_> = nodes.into_iter().collect();
        // A scene without nodes is valid, but gltf-json itself cannot read one.
        if !nodes.is_empty() {
            self.root.scene = Some(self.root.push(Scene { name: None, nodes, extensions: None, extras: None }));
        }
        if !self.bin.is_empty() {
            let byte_length = self.bin.len().into();
            self.root.push(Buffer { byte_length, name: None, uri: None, extensions: None, extras: None });
        }
        let mut json = self.root.to_vec().map_err(std::io::Error::from)?;
        if !self.texts.is_empty() {
            let mut root: Object = serde_json::from_slice(&json).map_err(std::io::Error::from)?;
            for (name, list) in self.texts.iter().filter(|(_, list)| !list.is_empty()) {
                root.set(name, list).map_err(std::io::Error::from)?;
            }
            json = serde_json::to_vec(&root).map_err(std::io::Error::from)?;
        }
        glb::write(json, &[&self.bin], out)
    }
}

pub(super) fn accessor(buffer_view: Option<Index<View>>, count: usize, Layout(component, type_): Layout) -> Accessor {
    Accessor {
        buffer_view,
        byte_offset: None,
        count: count.into(),
        component_type: Valid(GenericComponentType(component)),
        type_: Valid(type_),
        min: None,
        max: None,
        name: None,
        normalized: false,
        sparse: None,
        extensions: None,
        extras: None,
    }
}
