use super::{Stop, patched::Patched};
use crate::{
    read::gltf::{Container, fetch},
    rig::Source,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use std::io;

/// Takes what lies in other files into this one, since a GLB travels alone. The first buffer becomes the binary chunk by
/// itself; other buffers are written as text where they stand, and images as bytes.
pub(super) fn embed(out: &mut Patched<'_>, file: &Container, source: &Source) -> Result<(), Stop> {
    let elsewhere = |uri: &Option<String>| uri.as_ref().is_some_and(|uri| !uri.starts_with("data:"));
    for (i, _) in file.root.buffers.iter().enumerate().skip(1).filter(|(_, b)| elsewhere(&b.uri)) {
        let text = STANDARD.encode(file.buffer(i).unwrap_or_default());
        out.edit("buffers", i, |b| b.set("uri", &format!("data:application/octet-stream;base64,{text}")))?;
    }
    let known = |name: &str| source.neighbours.get(name).cloned().ok_or_else(|| io::ErrorKind::NotFound.into());
    for (i, image) in file.root.images.iter().enumerate().filter(|(_, image)| elsewhere(&image.uri)) {
        let uri = image.uri.as_deref().unwrap_or_default();
        let Ok(bytes) = fetch(uri, &known) else {
            out.notes.push(format!("images[{i}] \"{uri}\" is not taken along: it is looked for beside the file"));
            continue;
        };
        let mime = image.mime_type.clone().unwrap_or_else(|| kind(&bytes).to_owned());
        let view = out.added.view(&bytes, None)?;
        out.edit("images", i, |object| {
            object.remove("uri");
            object.set("mimeType", &mime)?;
            object.set("bufferView", &view)
        })?;
    }
    Ok(())
}

/// What a picture is, by its first bytes.
pub(in crate::write::gltf) fn kind(bytes: &[u8]) -> &'static str {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => "image/png",
        [b'R', b'I', b'F', b'F', ..] => "image/webp",
        [0xab, b'K', b'T', b'X', ..] => "image/ktx2",
        _ => "image/jpeg",
    }
}
