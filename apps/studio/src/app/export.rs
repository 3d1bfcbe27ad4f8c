//! What an export will write, in words, before it is written.

use crate::{
    model::{ExportKind, PictureOptions},
    studio::Studio,
};
use std::path::Path;

/// What is written, and where.
pub fn words(kind: ExportKind, path: &Path, picture: &PictureOptions, studio: &Studio) -> Vec<String> {
    let Some(document) = &studio.document else { return Vec::new() };
    let rig = document.rig();
    let vertices = rig.mesh.positions.len();
    let clip = document.project().clip.as_ref().map(|c| c.name.as_str());
    let shown = clip.or_else(|| rig.clips.first().map(|c| c.name.as_str())).unwrap_or("");
    let seconds = rig.clip(shown).map_or(0.0, |c| c.duration());
    let pixels = || {
        let [width, height] = picture.size.pixels(studio.pane.map(|side| (side * studio.density).round() as u32));
        format!("{width} x {height} pixels")
    };
    let what = match kind {
        ExportKind::Picture => format!("the first view as it is now, {}", pixels()),
        ExportKind::Pose => match clip {
            Some(clip) => format!(
                "the moved mesh at {:.2} s of \"{clip}\", {vertices} vertices, without a skeleton",
                studio.playback.time
            ),
            None => format!("the moved mesh as it stands, {vertices} vertices, without a skeleton"),
        },
        ExportKind::Rig => format!(
            "the character at rest as edited: {vertices} vertices, {} joints, its weights, {} clips",
            rig.skeleton.len(),
            rig.clips.len()
        ),
        ExportKind::Clip => {
            format!("the moved mesh through \"{shown}\" ({seconds:.1} s): {vertices} vertices in every frame")
        }
        ExportKind::Gif => format!("the first view through \"{shown}\" ({seconds:.1} s)"),
        ExportKind::Frames => {
            format!("the first view through \"{shown}\" ({seconds:.1} s), a numbered file for each frame, {}", pixels())
        }
    };
    let place = match kind {
        _ if cfg!(target_family = "wasm") => format!("as a download: {}", name(path)),
        ExportKind::Frames => format!("into {}, as {}", folder(path), numbered(path)),
        _ => format!("to {}", path.display()),
    };
    vec![format!("Writes {what}"), place]
}

fn name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned())
}

fn folder(path: &Path) -> String {
    path.parent().map_or_else(String::new, |f| f.display().to_string())
}

fn numbered(path: &Path) -> String {
    let stem = path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    format!("{stem}-0000.png and on")
}
