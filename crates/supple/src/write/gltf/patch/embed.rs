use super::{Stop, patched::Patched};
use crate::{
    read::gltf::{Container, fetch},
    rig::Source,
    write::{
        Error,
        gltf::pictures::{self, Pictures},
    },
};
use base64::{Engine, engine::general_purpose::STANDARD};

/// Takes what lies in other files into this one, since a GLB travels alone. The first buffer becomes the binary chunk by
/// itself; other buffers are written as text where they stand, and images as bytes.
pub(super) fn embed(out: &mut Patched<'_>, file: &Container, source: &Source) -> Result<(), Stop> {
    let elsewhere = |uri: &Option<String>| uri.as_ref().is_some_and(|uri| !uri.starts_with("data:"));
    let bytes = |i: usize| file.buffer(i).unwrap_or_default();
    let buffers = || (1..file.root.buffers.len()).filter(|&i| elsewhere(&file.root.buffers[i].uri));
    // Many may name one file: known before any of it is written.
    let text = buffers().fold(0, |sum: usize, i| sum.saturating_add(bytes(i).len().div_ceil(3) * 4));
    if text > u32::MAX as usize {
        let advice = "the buffers beside the file become text: give it one buffer";
        return Err(Error::TooLarge { most: u32::MAX as usize, advice }.into());
    }
    for i in buffers() {
        let text = STANDARD.encode(bytes(i));
        out.edit("buffers", i, |b| b.set("uri", &format!("data:application/octet-stream;base64,{text}")))?;
    }
    let mut written = Pictures::default();
    for (i, image) in file.root.images.iter().enumerate().filter(|(_, image)| elsewhere(&image.uri)) {
        let uri = image.uri.as_deref().unwrap_or_default();
        let Ok(bytes) = fetch(uri, &|name| source.neighbour(name)) else {
            out.notes.push(format!("images[{i}] \"{uri}\" is not taken along: it is looked for beside the file"));
            continue;
        };
        let view = written.view(&mut out.added, &bytes)?;
        let mut object = out.object("images", i)?;
        out.list("images")?[i] = pictures::inside(&mut object, image.mime_type.as_deref(), &bytes, view)?;
    }
    Ok(())
}
