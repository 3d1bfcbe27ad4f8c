use super::object::{Object, Raw};
use crate::{
    read::gltf::Container,
    write::{
        Error,
        gltf::{
            clips,
            document::{self, Document, SCALARS},
            glb,
        },
    },
};
use gltf_json::{Index, Node, Skin, buffer::View};
use serde::Serialize;
use serde_json::{json, value::to_raw_value};
use std::{collections::BTreeMap, io::Write};

/// A document as it was, with some of its objects changed and others added behind those that are there: nothing is numbered
/// anew, but for animations behind one of which nothing is left.
pub(super) struct Patched<'a> {
    file: &'a Container,
    root: Object,
    lists: BTreeMap<&'static str, Vec<Raw>>,
    /// What is added. Its lists begin with fillers for what the file has, so that numbers are those of the whole.
    pub added: Document,
    there: There,
    /// What could not be kept, for people.
    pub notes: Vec<String>,
}

/// How many of each the file has.
struct There {
    accessors: usize,
    views: usize,
    nodes: usize,
    skins: usize,
    animations: usize,
}

impl<'a> Patched<'a> {
    pub fn of(file: &'a Container) -> Result<Self, serde_json::Error> {
        let root: Object = serde_json::from_slice(file.json())?;
        let there = There {
            accessors: file.root.accessors.len(),
            views: file.root.buffer_views.len(),
            nodes: file.root.nodes.len(),
            skins: file.root.skins.len(),
            animations: file.root.animations.len(),
        };
        let mut added = Document::behind(file.buffer(0).map_or(0, <[u8]>::len).next_multiple_of(4));
        added.root.accessors = vec![document::accessor(None, 0, SCALARS); there.accessors];
        added.root.buffer_views = vec![filler_view(); there.views];
        added.root.nodes = vec![Node::default(); there.nodes];
        added.root.skins = vec![filler_skin(); there.skins];
        added.root.animations = vec![clips::empty(""); there.animations];
        Ok(Self { file, root, lists: BTreeMap::new(), added, there, notes: Vec::new() })
    }

    /// The objects of a list, as text.
    pub fn list(&mut self, name: &'static str) -> Result<&mut Vec<Raw>, serde_json::Error> {
        if !self.lists.contains_key(name) {
            let list = self.root.get(name)?.unwrap_or_default();
            self.lists.insert(name, list);
        }
        Ok(self.lists.get_mut(name).expect("just put there"))
    }

    /// An object of a list.
    pub fn object(&mut self, list: &'static str, index: usize) -> Result<Object, serde_json::Error> {
        serde_json::from_str(self.list(list)?[index].get())
    }

    /// Changes an object of a list.
    pub fn edit(
        &mut self,
        list: &'static str,
        index: usize,
        change: impl FnOnce(&mut Object) -> Result<(), serde_json::Error>,
    ) -> Result<(), serde_json::Error> {
        let mut object = self.object(list, index)?;
        change(&mut object)?;
        self.replace(list, index, &object)
    }

    /// Puts an object in the place of one in a list.
    pub fn replace(&mut self, list: &'static str, index: usize, object: &Object) -> Result<(), serde_json::Error> {
        self.list(list)?[index] = to_raw_value(object)?;
        Ok(())
    }

    /// Hangs a node on another, which may be one of the file's.
    pub fn hang(&mut self, parent: Index<Node>, child: Index<Node>) -> Result<(), serde_json::Error> {
        if parent.value() < self.there.nodes {
            return self.edit("nodes", parent.value(), |node| node.list("children", |c| c.push(child.value() as u32)));
        }
        self.added.root.nodes[parent.value()].children.get_or_insert_default().push(child);
        Ok(())
    }

    /// Puts nodes on top of every scene that shows anything.
    pub fn show(&mut self, nodes: &[u32]) -> Result<(), serde_json::Error> {
        for scene in 0..self.list("scenes")?.len() {
            if self.object("scenes", scene)?.has("nodes") {
                self.edit("scenes", scene, |scene| scene.list("nodes", |n| n.extend(nodes)))?;
            }
        }
        Ok(())
    }

    /// Writes the GLB. The first buffer is its binary chunk, with what was added behind it; other buffers and all that is
    /// not changed stay as they are.
    pub fn write_to(mut self, out: &mut dyn Write) -> Result<Vec<String>, Error> {
        let wrong = |e: serde_json::Error| Error::Io(e.into());
        self.append().map_err(wrong)?;
        let file = self.file;
        let old = file.buffer(0).unwrap_or_default();
        let added = self.added.bin().len();
        let length = if added == 0 { old.len() } else { old.len().next_multiple_of(4) + added };
        if length > 0 {
            if self.list("buffers").map_err(wrong)?.is_empty() {
                let buffer = to_raw_value(&json!({})).map_err(wrong)?;
                self.list("buffers").map_err(wrong)?.push(buffer);
            }
            let embedded = |buffer: &mut Object| {
                buffer.remove("uri");
                buffer.set("byteLength", &length)
            };
            self.edit("buffers", 0, embedded).map_err(wrong)?;
        }
        for (name, list) in &self.lists {
            if list.is_empty() {
                self.root.remove(name);
            } else {
                self.root.set(name, list).map_err(wrong)?;
            }
        }
        let json = serde_json::to_vec(&self.root).map_err(wrong)?;
        glb::write(json, &[old, self.added.bin()], out)?;
        Ok(self.notes)
    }

    /// Puts what was added behind what was there.
    fn append(&mut self) -> Result<(), serde_json::Error> {
        let root = std::mem::take(&mut self.added.root);
        let there = &self.there;
        let accessors = texts(&root.accessors[there.accessors..])?;
        let views = texts(&root.buffer_views[there.views..])?;
        let nodes = texts(&root.nodes[there.nodes..])?;
        let skins = texts(&root.skins[there.skins..])?;
        let animations = texts(&root.animations[there.animations..])?;
        let all = [
            ("accessors", accessors),
            ("bufferViews", views),
            ("nodes", nodes),
            ("skins", skins),
            ("animations", animations),
        ];
        for (name, texts) in all.into_iter().filter(|(_, texts)| !texts.is_empty()) {
            self.list(name)?.extend(texts);
        }
        Ok(())
    }
}

fn texts<T: Serialize>(values: &[T]) -> Result<Vec<Raw>, serde_json::Error> {
    values.iter().map(to_raw_value).collect()
}

fn filler_view() -> View {
    View {
        buffer: Index::new(0),
        byte_length: 0usize.into(),
        byte_offset: None,
        byte_stride: None,
        name: None,
        target: None,
        extensions: None,
        extras: None,
    }
}

fn filler_skin() -> Skin {
    Skin { joints: Vec::new(), inverse_bind_matrices: None, skeleton: None, name: None, extensions: None, extras: None }
}
