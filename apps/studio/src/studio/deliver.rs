//! Work to files: projects, and moved points. A file is there whole or not at all; where there are no files, as in a
//! browser, it is handed over as a download.

use crate::model::{Document, Origin};
use glam::Vec3;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};
use supple::{
    graph::{DeformGraph, GraphFile},
    pose::{Motion, Pose},
    project::{Project, ViewPoint},
    rig::Rig,
    write,
};

/// Where a project went.
pub struct Saved {
    /// The file, where there is one.
    pub path: Option<PathBuf>,
    /// For the person.
    pub words: String,
}

/// Saves a project; a rig that is in no file is written beside it.
pub fn save(document: &mut Document, path: Option<PathBuf>, view: ViewPoint) -> Result<Saved, String> {
    let path = path.or_else(|| document.path.clone());
    let path = path.unwrap_or_else(|| PathBuf::from(format!("{}.json", document.name)));
    let path = if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json")) {
        path
    } else {
        path.with_extension("json")
    };
    let mut project = Project::clone(document.project());
    project.view = Some(view);
    let mut also = String::new();
    project.rig = Some(match &document.origin {
        Origin::File(rig) => relative(rig, &path),
        Origin::Bytes(name) => name.clone(),
        Origin::Example(name) => {
            let rig = path.with_file_name(format!("{name}.glb"));
            let mut bytes = Vec::new();
            write::gltf::rig(document.file(), &mut bytes).map_err(|e| e.to_string())?;
            hand_over(&rig, &bytes)?;
            also = format!(", with {name}.glb beside it");
            format!("{name}.glb")
        }
    });
    hand_over(&path, project.to_json().as_bytes())?;
    let words = format!("saved {}{also}", path.display());
    document.path = Some(path.clone());
    Ok(Saved { path: cfg!(not(target_family = "wasm")).then_some(path), words })
}

/// The rig as seen from the folder of the project: projects are moved together with their rigs.
fn relative(rig: &Path, project: &Path) -> String {
    let absolute = |p: &Path| std::path::absolute(p).unwrap_or_else(|_| p.to_owned());
    let (rig, project) = (absolute(rig), absolute(project));
    let folder = project.parent().unwrap_or(Path::new(""));
    let shared = rig.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    if shared <= 1 {
        return rig.display().to_string();
    }
    let up = folder.components().skip(shared).map(|_| std::path::Component::ParentDir);
    let down = rig.components().skip(shared);
    let path: PathBuf = up.chain(down).collect();
    // Forward slashes are read everywhere.
    path.display().to_string().replace('\\', "/")
}

/// Writes bytes whole or not at all.
#[cfg(not(target_family = "wasm"))]
pub fn hand_over(path: &Path, bytes: &[u8]) -> Result<(), String> {
    write::file(path, |out| Ok(out.write_all(bytes)?)).map_err(|e| e.to_string())
}

/// Gives bytes to the browser as a download.
#[cfg(target_family = "wasm")]
pub fn hand_over(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let name = path.file_name().map_or_else(|| "supple".to_owned(), |n| n.to_string_lossy().into_owned());
    crate::web::download(&name, bytes)
}

/// Moved points on their way to a file, with all they need: made on the window's side, written on another.
pub struct Points {
    rig: Arc<Rig>,
    graph: GraphFile,
    pose: Pose,
    clip: Option<String>,
    project: Arc<Project>,
    path: PathBuf,
}

/// Frames a second of a written clip.
pub const RATE: f64 = 30.0;

impl Points {
    /// Of a document: as it stands, or through its clip.
    pub fn new(document: &Document, pose: Pose, path: PathBuf, whole_clip: bool) -> Self {
        let project = document.project().clone();
        let clip = project.clip.as_ref().filter(|_| whole_clip).map(|c| c.name.clone());
        let clip = clip.or_else(|| document.rig().clips.first().filter(|_| whole_clip).map(|c| c.name.clone()));
        Self { rig: document.rig().clone(), graph: project.graph.clone(), pose, clip, project, path }
    }

    /// Writes the file.
    pub async fn write(self) -> Result<String, String> {
        let graph = DeformGraph::from_file(&self.graph).map_err(|e| e.to_string())?;
        let mut bound = graph.bind(&self.rig).map_err(|e| e.to_string())?;
        let mut moved = |pose: &Pose| {
            let mut rest = Vec::new();
            pose.morphed(&self.rig, &mut rest);
            bound.evaluate(&rest, &Motion::of(&self.rig, pose)).to_vec()
        };
        let shown = self.path.display();
        let ending = self.path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        let Some(name) = &self.clip else {
            if ending == "pc2" {
                return Err("a pc2 file holds a whole clip, and this character has none".to_owned());
            }
            let points = moved(&self.pose);
            let bytes = posed(&self.rig, &points, &ending)?;
            hand_over(&self.path, &bytes)?;
            return Ok(format!("wrote {shown}"));
        };
        let clip = self.rig.clip(name).ok_or_else(|| format!("no clip is called \"{name}\""))?;
        let count = clip.frames(RATE).map_err(|e| e.to_string())?;
        let poses = (0..count).map(|frame| {
            let mut pose = clip.sample(&self.rig, frame as f64 / RATE);
            if let Some(by_hand) = &self.project.pose {
                let _ = by_hand.apply(&self.rig, &mut pose);
            }
            pose
        });
        let bytes = clip_bytes(&self.rig, name, &ending, count, poses.map(|pose| moved(&pose)))?;
        hand_over(&self.path, &bytes)?;
        Ok(format!("wrote {shown} ({count} frames at {RATE} a second)"))
    }
}

fn posed(rig: &Rig, points: &[Vec3], ending: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let written = match ending {
        "glb" => write::gltf::posed(rig, points, &mut bytes),
        "obj" => write::obj::posed(rig, points, Default::default(), &mut bytes),
        "ply" => write::ply::posed(rig, points, Default::default(), &mut bytes),
        "usda" => write::usda::posed(rig, points, &mut bytes),
        other => return Err(format!("unknown format \".{other}\": glb, obj, ply and usda can be written")),
    };
    written.map_err(|e| e.to_string())?;
    Ok(bytes)
}

fn clip_bytes(
    rig: &Rig,
    name: &str,
    ending: &str,
    count: usize,
    mut frames: impl Iterator<Item = Vec<Vec3>>,
) -> Result<Vec<u8>, String> {
    let wrong = |e: write::Error| e.to_string();
    match ending {
        "glb" => {
            let options = write::gltf::BakedOptions { name: name.to_owned(), fps: RATE, ..Default::default() };
            let mut baked = write::gltf::Baked::new(rig, options).map_err(wrong)?;
            frames.try_for_each(|points| baked.frame(&points)).map_err(wrong)?;
            let mut bytes = Vec::new();
            baked.finish(&mut bytes).map_err(wrong)?;
            Ok(bytes)
        }
        "pc2" => {
            let mut writer = write::pc2::Pc2Writer::new(Vec::new(), rig.mesh.positions.len(), count).map_err(wrong)?;
            frames.try_for_each(|points| writer.frame(&points)).map_err(wrong)?;
            writer.finish().map_err(wrong)
        }
        "usda" => {
            let mut writer = write::usda::UsdaWriter::new(Vec::new(), rig, count, RATE).map_err(wrong)?;
            frames.try_for_each(|points| writer.frame(&points)).map_err(wrong)?;
            writer.finish().map_err(wrong)
        }
        other => Err(format!("unknown format \".{other}\": glb, usda and pc2 can hold a clip")),
    }
}
