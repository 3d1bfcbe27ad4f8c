use super::{
    document::Document,
    patch::{Object, Raw},
};
use crate::{read::gltf::picture_kind, rig::Image, write::Error};
use gltf_json::{Index, buffer::View};
use serde_json::value::to_raw_value;
use std::{
    collections::{HashMap, HashSet, hash_map::Entry},
    sync::Arc,
};

/// Pictures as they are written: each once, however many images show it.
#[derive(Default)]
pub(super) struct Pictures(HashMap<*const [u8], Index<View>>);

impl Pictures {
    /// The view of a picture. Its bytes stay where they are as long as this lives.
    pub fn view(&mut self, document: &mut Document, bytes: &[u8]) -> Result<Index<View>, Error> {
        Ok(match self.0.entry(bytes) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => *new.insert(document.view(bytes, None)?),
        })
    }
}

/// The text of an image, with its picture in a view. What nothing is said of and nobody knows is called a JPEG, since one of
/// the two has to be said.
pub(super) fn inside(
    text: &mut Object,
    said: Option<&str>,
    bytes: &[u8],
    view: Index<View>,
) -> serde_json::Result<Raw> {
    text.remove("uri");
    text.set("mimeType", &said.or_else(|| picture_kind(bytes)).unwrap_or("image/jpeg"))?;
    text.set("bufferView", &view)?;
    to_raw_value(text)
}

/// Whether two lists of images are equal. Each pair of pictures is compared once: a file may name one of 50 MB by a hundred
/// thousand images.
pub(super) fn same(a: &[Image], b: &[Image]) -> bool {
    let mut known = HashSet::new();
    let mut same = |(a, b): (&Image, &Image)| {
        (&a.name, &a.mime) == (&b.name, &b.mime)
            && (!known.insert((Arc::as_ptr(&a.bytes), Arc::as_ptr(&b.bytes))) || a.bytes == b.bytes)
    };
    a.len() == b.len() && a.iter().zip(b).all(&mut same)
}
