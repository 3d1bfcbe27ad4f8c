//! What an export will write, in words, before it is written.

use crate::{
    model::{ExportKind, PictureOptions},
    studio::{Studio, deliver, frames, record},
};
use std::path::Path;

/// What is written, and where; nothing of a film that is refused, of which its settings say why.
pub fn words(kind: ExportKind, path: &Path, picture: &PictureOptions, studio: &Studio) -> Vec<String> {
    let Some(document) = &studio.open.document else { return Vec::new() };
    let rig = document.rig();
    let vertices = rig.mesh.positions.len();
    let clip = document.project().clip.as_ref().map(|c| c.name.as_str());
    let pixels = || {
        let shown = studio.sight.pane.map(|side| (side * studio.sight.density).round() as u32);
        let [width, height] = picture.size.of(kind).pixels(shown);
        format!("{width} x {height} pixels")
    };
    let film = || {
        let part = record::part(kind, document.duration(), picture).ok()?;
        let (seconds, frames) = (part.to - part.from, part.frames);
        Some(format!("the first view through \"{}\" ({seconds:.1} s, {frames} frames), {}", clip?, pixels()))
    };
    let what = match kind {
        ExportKind::Picture => format!("the first view as it is now, {}", pixels()),
        ExportKind::Pose => match clip {
            Some(clip) => format!(
                "the moved mesh at {:.2} s of \"{clip}\", {vertices} vertices, without a skeleton",
                studio.open.playback.time
            ),
            None => format!("the moved mesh as it stands, {vertices} vertices, without a skeleton"),
        },
        ExportKind::Rig => format!(
            "the character at rest as edited: {vertices} vertices, {} joints, its weights, {} clips",
            rig.skeleton.len(),
            rig.clips.len()
        ),
        ExportKind::Clip => {
            let Some(name) = deliver::clip_of(document) else { return vec![deliver::NO_CLIP.to_owned()] };
            let seconds = rig.clip(name).map_or(0.0, |c| c.duration());
            format!("the moved mesh through \"{name}\" ({seconds:.1} s): {vertices} vertices in every frame")
        }
        ExportKind::Gif | ExportKind::Frames => {
            let Some(film) = film() else { return Vec::new() };
            if kind == ExportKind::Gif { film } else { format!("{film}, a numbered file for each frame") }
        }
    };
    let place = match kind {
        _ if cfg!(target_family = "wasm") => format!("as a download: {}", name(path)),
        ExportKind::Frames => format!("into {}, as {} and on", folder(path), name(&frames::path(path, 0))),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{Command, Document, Edit},
        studio::{memory::Memory, recovery::Recovery, task::Wake},
    };

    #[test]
    fn what_is_said_is_what_is_done() {
        let gpu = pollster::block_on(supple_gpu::Gpu::open()).expect("a device, software drivers included");
        let studio = Studio::new(gpu, Wake::nobody(), Memory::default(), Recovery::default());
        let mut studio = studio.expect("the shaders are sound");
        studio.take(Document::example("arm").unwrap());
        let (path, all) = (Path::new("in/film.v2.png"), PictureOptions::default());
        let said = |studio: &Studio, kind, picture: &PictureOptions| words(kind, path, picture, studio).join("; ");
        // Without a choice points are those of the first clip, and a film is refused.
        assert!(said(&studio, ExportKind::Clip, &all).contains("through \"bend\""));
        for kind in [ExportKind::Gif, ExportKind::Frames] {
            assert!(said(&studio, kind, &all).is_empty() && record::part(kind, 0.0, &all).is_err());
        }
        studio.execute(Command::Change { edit: Edit::Clip { name: Some("bend".into()) } });
        let part = PictureOptions { from: Some(0.25), to: Some(0.75), rate: Some(20.0), ..Default::default() };
        let film = said(&studio, ExportKind::Frames, &part);
        assert!(film.contains("through \"bend\" (0.5 s, 10 frames), 1920 x 1080 pixels"), "{film}");
        assert!(film.contains("into in, as film.v2-0000.png and on"), "{film}");
        assert!(said(&studio, ExportKind::Gif, &part).contains("(0.5 s, 10 frames), 640 x 480 pixels"));
    }
}
