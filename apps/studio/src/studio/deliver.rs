//! Work to files: projects, and moved points. A file is there whole or not at all; where there are no files, as in a
//! browser, it is handed over as a download.

use super::stage::Ready;
use crate::model::{Document, Origin};
use glam::Vec3;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};
use supple::{
    deform::Clock,
    fit,
    graph::{Binding, DeformGraph, GraphFile},
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
    let path = with_ending(path, "json");
    document.refuse_replacing(&path)?;
    let mut project = Project::clone(document.project());
    project.view = Some(view);
    for motion in project.motions.iter_mut().filter(|m| Path::new(m.as_str()).is_absolute()) {
        *motion = relative(Path::new(motion.as_str()), &path);
    }
    let mut also = String::new();
    project.rig = Some(match &document.origin {
        Origin::File(rig) => relative(rig, &path),
        Origin::Bytes(name) => name.clone(),
        Origin::Example(name) => {
            let mut bytes = Vec::new();
            write::gltf::rig(document.file(), &mut bytes).map_err(|e| e.to_string())?;
            let beside = beside(&path, name, &bytes).map_err(|e| format!("the character beside it: {e}"))?;
            also = format!(", with {beside} beside it");
            beside
        }
    });
    hand_over(&path, project.to_json().as_bytes())?;
    let words = format!("saved {}{also}", path.display());
    document.path = Some(path.clone());
    Ok(Saved { path: cfg!(not(target_family = "wasm")).then_some(path), words })
}

/// The path, with the ending put behind it where it has another or none: "arm.v2" is a name like any other.
pub fn with_ending(path: PathBuf, ending: &str) -> PathBuf {
    if path.extension().is_some_and(|e| e.eq_ignore_ascii_case(ending)) {
        return path;
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(ending);
    path.with_file_name(name)
}

/// Writes a built-in character beside a project, and gives its name. A file of that name with something else in it is
/// somebody's work: it stays, and the character gets another name.
fn beside(project: &Path, name: &str, bytes: &[u8]) -> Result<String, String> {
    let stem = project.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    for file in [format!("{name}.glb"), format!("{stem}-{name}.glb")] {
        let path = project.with_file_name(&file);
        let is_free = cfg!(target_family = "wasm") || !path.exists();
        if is_free {
            hand_over(&path, bytes)?;
            return Ok(file);
        }
        let is_long = std::fs::metadata(&path).is_ok_and(|m| m.len() == bytes.len() as u64);
        if is_long && std::fs::read(&path).is_ok_and(|there| there == bytes) {
            return Ok(file);
        }
    }
    Err(format!("{name}.glb and {stem}-{name}.glb are other files already; please save in another folder"))
}

/// Writes a rig as it is bound: skeleton, weights, materials and clips.
pub fn write_rig(rig: &Rig, path: &Path) -> Result<String, String> {
    let mut bytes = Vec::new();
    let mut notes = write::gltf::rig(rig, &mut bytes).map_err(|e| e.to_string())?;
    hand_over(path, &bytes)?;
    notes.extend(fit::placement::doubt(rig));
    let lost = if notes.is_empty() { String::new() } else { format!("; {}", notes.join("; ")) };
    Ok(format!("wrote {}{lost}", path.display()))
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
    /// The graph bound to the rig, where the window has it.
    binding: Option<Arc<Binding>>,
    pose: Pose,
    /// Through this clip, or as it stands.
    clip: Option<String>,
    whole_clip: bool,
    project: Arc<Project>,
    path: PathBuf,
}

/// Frames a second of a written clip.
pub const RATE: f64 = 30.0;

/// Why no clip can be written.
pub const NO_CLIP: &str = "this character has no clips: there is nothing that moves";

/// The clip that is written as points: the one that is chosen, or else the first.
pub fn clip_of(document: &Document) -> Option<&str> {
    let chosen = document.project().clip.as_ref().map(|c| c.name.as_str());
    chosen.or_else(|| document.rig().clips.first().map(|c| c.name.as_str()))
}

impl Points {
    /// Of a document: as it stands, or through its clip. `ready` is what the window shows of it, which need not be bound again.
    pub fn new(document: &Document, ready: Option<&Ready>, pose: Pose, path: PathBuf, whole_clip: bool) -> Self {
        let project = document.project().clone();
        let clip = clip_of(document).filter(|_| whole_clip).map(str::to_owned);
        let (rig, graph) = (document.rig().clone(), project.graph.clone());
        let binding = ready.and_then(|ready| ready.binding_of(&rig, &graph));
        Self { rig, graph, binding, pose, clip, whole_clip, project, path }
    }

    /// Writes the file.
    pub async fn write(self) -> Result<String, String> {
        let bind = || DeformGraph::from_file(&self.graph)?.binding(&self.rig);
        let binding = self.binding.clone().map_or_else(bind, Ok).map_err(|e| e.to_string())?;
        let mut bound = binding.run();
        let mut moved = |pose: &Pose, clock| {
            let mut rest = Vec::new();
            pose.morphed(&self.rig, &mut rest);
            bound.step(&rest, &Motion::of(&self.rig, pose), clock).to_vec()
        };
        let shown = self.path.display();
        let ending = self.path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        let Some(name) = &self.clip else {
            if self.whole_clip {
                return Err(NO_CLIP.to_owned());
            }
            let points = moved(&self.pose, Clock::first(0.0));
            let bytes = posed(&self.rig, &points, &ending)?;
            hand_over(&self.path, &bytes)?;
            let anew = binding.starts_anew().map_or_else(String::new, |line| format!("; {line}"));
            return Ok(format!("wrote {shown}{anew}"));
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
        let bytes = clip_bytes(
            &self.rig,
            name,
            &ending,
            count,
            poses.enumerate().map(|(frame, pose)| moved(&pose, Clock::frame(frame, 0, RATE))),
        )?;
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
