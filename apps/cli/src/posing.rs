//! From words on the command line to a rig, a graph and a pose.

pub use crate::input::rig;
use crate::{
    args::{
        How, PoseArguments,
        turns::{Kind, Turn},
    },
    console::Console,
    input, wording,
};
use anyhow::{Context, Result, anyhow, bail};
use glam::DVec3;
use serde_json::{Map, Value};
use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    sync::Arc,
};
use supple::{
    deform::{
        Settings,
        setting::{Setting, ValueType},
    },
    graph::{self, DeformGraph},
    math::rounded,
    names,
    pose::{Anatomy, Clip, Motion, Pose, PoseFile, carry},
    project::{Project, Workshop},
    read::{self, Reach, ReadError},
    rig::Rig,
};

/// What the arguments name.
pub struct Work {
    pub rig: Rig,
    pub graph: DeformGraph,
    pub project: Option<Opened>,
}

/// A project and the file it stands in.
pub struct Opened {
    file: String,
    project: Project,
}

impl Opened {
    /// The pose it shows, where it has one.
    fn pose(&self, rig: &Rig, console: &Console) -> Result<Option<Pose>> {
        let pose = self.project.pose(rig).with_context(|| self.file.clone())?;
        if let Some((at, clip)) = self.project.clip.as_ref().and_then(|at| Some((at, rig.clip(&at.name)?))) {
            tell_beyond(clip, at.time, console);
        }
        Ok(pose)
    }
}

/// The rig and the graph that the arguments name; those of a project with all its edits.
pub fn work(file: Option<&Path>, how: &How, console: &Console) -> Result<Work> {
    let Some(project_path) = &how.project else {
        let file = file.ok_or_else(|| anyhow!("no rig is given"))?;
        let graph = DeformGraph::single_with(&how.method, &settings(&how.settings)?)?;
        return Ok(Work { rig: modelled(rig(file, console)?, how.model.as_deref(), console)?, graph, project: None });
    };
    let name = project_path.display().to_string();
    let text = input::text(project_path, read::Kind::Project, console)?;
    let project = Project::from_json(&text).with_context(|| name.clone())?;
    let graph = project.graph().with_context(|| name.clone())?;
    let file = match (file, &project.rig) {
        (Some(file), named) => {
            // Not read, but a file of the project all the same, which no output replaces.
            if let Some(rig) = named.as_ref().and_then(|rig| read::beside(project_path, rig, Reach::Anywhere).ok()) {
                console.inputs.opened_elsewhere(&rig);
            }
            PathBuf::from(file)
        }
        (None, Some(rig)) => input::of_project(project_path, "rig", rig, how.reach())?,
        (None, None) => bail!("{name}: names no rig, and none is given"),
    };
    let mut workshop = Workshop::new(Arc::new(rig(&file, console)?));
    for motion in &project.motions {
        let file = input::of_project(project_path, "motion", motion, how.reach());
        match file.and_then(|file| self::rig(&file, console)) {
            Ok(found) => workshop.add_motion(motion, &found),
            // The rig is as good without it; the notes of the workshop tell why.
            Err(error) => match error.downcast_ref::<ReadError>() {
                Some(why) => workshop.miss_motion(motion, why),
                None => return Err(error),
            },
        }
    }
    let prepared = workshop.prepare(&project).with_context(|| name.clone())?;
    console.told(&name, &prepared.notes);
    drop(workshop);
    let rig = modelled(Arc::unwrap_or_clone(prepared.rig), how.model.as_deref(), console)?;
    Ok(Work { rig, graph, project: Some(Opened { file: name, project }) })
}

/// A rig with the sphere-mesh of another file, where one is named; and with its joints, where it has none of its own.
pub fn modelled(mut rig: Rig, model: Option<&Path>, console: &Console) -> Result<Rig> {
    let Some(path) = model else { return Ok(rig) };
    let found = self::rig(path, console)?;
    let spheres = found.sphere_mesh.with_context(|| format!("--model {}: it is no sphere-mesh", path.display()))?;
    rig.sphere_mesh = Some(spheres);
    if rig.skeleton.is_empty() {
        rig.skeleton = found.skeleton;
    }
    Ok(rig)
}

/// `key=value` pairs; values are JSON where they can be, words otherwise. `joints.NAME.FIELD=value` sets one field of one
/// joint.
pub fn settings(pairs: &[String]) -> Result<Settings> {
    let mut settings = Settings::new();
    for pair in pairs {
        let (key, word) = match pair.strip_prefix(OF_JOINTS) {
            // Joint names may hold `=`; fields and their values may not be told apart by the first one then.
            Some(rest) => split_field(rest).map(|(field, word)| (&pair[..OF_JOINTS.len() + field], word)),
            None => pair.split_once('='),
        }
        .ok_or_else(|| anyhow!("--set {pair}: expected {}", if is_field(pair) { FIELD_FORM } else { "KEY=VALUE" }))?;
        let value = match serde_json::from_str(word) {
            Ok(value) => value,
            // A word is a word, but what begins like a list or an object was meant to be one.
            Err(error) if word.trim_start().starts_with(['{', '[']) => {
                bail!("--set {}: not JSON: {}", key.trim(), error)
            }
            Err(_) => Value::String(word.to_owned()),
        };
        match key.strip_prefix(OF_JOINTS) {
            Some(of) => set_field(&mut settings, of, value).with_context(|| format!("--set {pair}"))?,
            None => settings.insert(key.trim().to_owned(), value),
        }
    }
    Ok(settings)
}

const OF_JOINTS: &str = "joints.";
const FIELD_FORM: &str = "joints.NAME.FIELD=VALUE, as in joints.forearm.operator=bulge";

fn is_field(pair: &str) -> bool {
    pair.starts_with(OF_JOINTS)
}

/// Where the name and the field of `NAME.FIELD=VALUE` end, and the value.
fn split_field(rest: &str) -> Option<(usize, &str)> {
    let of_joints = || graph::methods().iter().flat_map(|m| m.settings).flat_map(fields_of_joint);
    let fields = of_joints().chain(of_joints().flat_map(Setting::fields)).map(|f| format!(".{}=", f.name));
    let known = fields.filter_map(|f| rest.find(&f).map(|at| at + f.len() - 1)).min();
    let end = known.or_else(|| rest.find('='))?;
    rest[..end].contains('.').then(|| (end, &rest[end + 1..]))
}

/// The fields that a setting has for each joint.
fn fields_of_joint(setting: &Setting) -> &'static [Setting] {
    if matches!(setting.value_type, ValueType::ByJoint(_)) { setting.fields() } else { &[] }
}

/// Whether a field belongs into the operator of a joint, and not beside it.
fn is_of_operator(field: &str) -> bool {
    let of_joints = graph::methods().iter().flat_map(|m| m.settings).flat_map(fields_of_joint);
    of_joints.filter(|f| f.name == "operator").flat_map(Setting::fields).any(|f| f.name == field)
}

/// Puts `NAME.FIELD` into the settings of the joints. What belongs to an operator goes into it: a bulge, unless it is said.
fn set_field(settings: &mut Settings, of: &str, value: Value) -> Result<()> {
    let mut joints = settings.take("joints").unwrap_or_else(object);
    set_field_of(&mut joints, of, value)?;
    settings.insert("joints".to_owned(), joints);
    Ok(())
}

fn set_field_of(joints: &mut Value, of: &str, value: Value) -> Result<()> {
    let (name, field) = of.rsplit_once('.').ok_or_else(|| anyhow!("expected {FIELD_FORM}"))?;
    let wrong = || anyhow!("\"joints\" was set to something that is not an object");
    let joints = joints.as_object_mut().ok_or_else(wrong)?;
    let joint = joints.entry(name).or_insert_with(object).as_object_mut().ok_or_else(wrong)?;
    if !is_of_operator(field) {
        // An operator that is named after its numbers keeps them.
        match (field, joint.get_mut(field), &value) {
            ("operator", Some(Value::Object(known)), Value::String(_)) => drop(known.insert("kind".into(), value)),
            _ => drop(joint.insert(field.to_owned(), value)),
        }
        return Ok(());
    }
    let operator = joint.entry("operator").or_insert_with(|| Value::String("bulge".into()));
    if let Value::String(kind) = operator {
        *operator = Value::Object(Map::from_iter([("kind".to_owned(), Value::String(std::mem::take(kind)))]));
    }
    operator.as_object_mut().ok_or_else(wrong)?.insert(field.to_owned(), value);
    Ok(())
}

fn object() -> Value {
    Value::Object(Map::new())
}

/// A clip of the rig, or a motion file carried over to it.
pub fn clip(rig: &Rig, name: &str, console: &Console) -> Result<Clip> {
    if let Some(clip) = rig.clip(name) {
        if let Some(doubt) = clip.doubt(rig) {
            console.warn(&format!("supple: {}: warning: clip \"{}\": {doubt}", rig.name, clip.name));
        }
        return Ok(clip.clone());
    }
    let path = Path::new(name);
    let is_motion = |e: &OsStr| MOTION_ENDINGS.iter().any(|known| e.eq_ignore_ascii_case(known));
    if path.extension().is_some_and(is_motion) {
        return motion(rig, path, None, console);
    }
    Err(no_clip(rig, name)).with_context(|| rig.name.clone())
}

/// Files that may hold a motion.
const MOTION_ENDINGS: [&str; 4] = ["bvh", "glb", "gltf", "fbx"];

/// Why a rig does not have a clip.
fn no_clip(rig: &Rig, name: &str) -> anyhow::Error {
    let known = || rig.clips.iter().map(|c| c.name.as_str());
    match rig.clips.len() {
        0 => anyhow!("the rig has no clips, so none is called \"{name}\""),
        n if name.parse::<i64>().is_ok() => {
            let numbered: Vec<String> = known().enumerate().map(|(i, clip)| format!("{i} {clip}")).collect();
            let numbered: Vec<&str> = numbered.iter().map(String::as_str).collect();
            anyhow!("no clip has the number {name}; they are numbered from 0 to {}: {}", n - 1, names::list(&numbered))
        }
        _ => anyhow!("no clip is called \"{name}\"{}", names::hint(name, known())),
    }
}

/// A clip of a motion file carried over to a rig: the one that is named, or the first.
pub fn motion(rig: &Rig, path: &Path, take: Option<&str>, console: &Console) -> Result<Clip> {
    let file = path.display();
    let mut motion = self::rig(path, console)?;
    if let Some(take) = take {
        let clip = motion.clip(take).cloned().ok_or_else(|| no_clip(&motion, take).context(file.to_string()))?;
        motion.clips = vec![clip];
    }
    if let [first, _, ..] = motion.clips.as_slice() {
        let count = motion.clips.len();
        console.say(&format!("supple: {file}: holds {count} clips; the first, \"{}\", is taken", first.name));
    }
    let carried = carry(&motion, rig).with_context(|| path.display().to_string())?;
    let (matched, missed) = (carried.matched, carried.unmatched.len());
    let counts = format!("{} matched by name, {missed} had no partner", wording::counted(matched, "joint", "joints"));
    if matched < missed {
        console.warn(&format!("supple: {}: warning: only {counts}", path.display()));
    } else {
        console.say(&format!("supple: {}: {counts}", path.display()));
    }
    if carried.morphs > 0 {
        let morphs = wording::counted(carried.morphs, "morph is", "morphs are");
        console.warn(&format!("supple: {}: warning: {morphs} moved there, and not carried over", path.display()));
    }
    Ok(carried.clip)
}

fn tell_beyond(clip: &Clip, time: f64, console: &Console) {
    let end = f64::from(clip.duration());
    if !(0.0..=end).contains(&time) {
        let which = if time < 0.0 { "first" } else { "last" };
        let (end, time) = (rounded(end), rounded(time));
        console.say(&format!("supple: \"{}\" goes from 0 to {end} s: at {time} s it is its {which} pose", clip.name));
    }
}

/// The pose that the arguments name; where they name none, that of the project, or the one the file shows.
pub fn pose(rig: &Rig, arguments: &PoseArguments, project: Option<&Opened>, console: &Console) -> Result<Pose> {
    if arguments.rest {
        return Ok(Pose::rest(rig));
    }
    if let Some(name) = &arguments.clip {
        if !arguments.time.is_finite() {
            bail!("--time {} is not a number", arguments.time);
        }
        let clip = clip(rig, name, console)?;
        tell_beyond(&clip, arguments.time, console);
        let pose = clip.sample(rig, arguments.time);
        if !Motion::of(rig, &pose).posed_from_rest.iter().all(|m| m.is_finite()) {
            let at = rounded(arguments.time);
            bail!("{}: clip \"{}\" has values at {at} s that are too large to be a place", rig.name, clip.name);
        }
        return Ok(pose);
    }
    if let Some(path) = &arguments.pose {
        let name = path.display().to_string();
        let text = input::text(path, read::Kind::Pose, console)?;
        let file = PoseFile::from_json(&text).with_context(|| name.clone())?;
        return file.pose(rig).with_context(|| name);
    }
    if arguments.turns.0.is_empty() {
        let shown = project.map(|p| p.pose(rig, console)).transpose()?.flatten();
        return Ok(shown.unwrap_or_else(|| Pose::shown(rig)));
    }
    turned(rig, &arguments.turns.0, console)
}

/// The bind pose with joints turned. What speaks against a turn is said, once for each joint.
fn turned(rig: &Rig, turns: &[Turn], console: &Console) -> Result<Pose> {
    let mut pose = Pose::rest(rig);
    // By joint, the sum of all turns of one kind that follow its own axes: of two halves neither alone is too much.
    let mut sums: Vec<(Kind, usize, f64)> = Vec::new();
    for Turn { option, kind, word } in turns {
        let (joint, degrees, axis) = turn(word, *kind == Kind::Bend).with_context(|| format!("--{option} {word}"))?;
        match kind {
            Kind::Bend => pose.bend(rig, joint, degrees, axis)?,
            Kind::Twist => pose.twist(rig, joint, degrees)?,
            Kind::Swing(swing) => pose.swing(rig, joint, *swing, degrees)?,
        }
        if let (None, Some(joint)) = (axis, rig.skeleton.find_forgiving(joint)) {
            match sums.iter_mut().find(|s| (s.0, s.1) == (*kind, joint)) {
                Some(sum) => sum.2 += degrees,
                None => sums.push((*kind, joint, degrees)),
            }
        }
    }
    tell_doubts(rig, &sums, console);
    Ok(pose)
}

/// What speaks against turning joints so, by so many degrees.
pub fn tell_doubts(rig: &Rig, turns: &[(Kind, usize, f64)], console: &Console) {
    if turns.is_empty() {
        return;
    }
    let anatomy = Anatomy::of(rig);
    let doubts = |&(kind, joint, degrees): &(Kind, usize, f64)| match kind {
        Kind::Bend => anatomy.doubts(joint, degrees),
        Kind::Twist => anatomy.twist_doubt(joint, degrees).into_iter().collect(),
        Kind::Swing(swing) => anatomy.swing_doubts(joint, swing, degrees),
    };
    for doubt in turns.iter().flat_map(doubts) {
        console.warn(&format!("supple: warning: {doubt}"));
    }
}

/// `JOINT=DEG` or `JOINT=DEG@x,y,z`. Joint names may hold `=`, so the last one counts.
pub fn turn(word: &str, with_axis: bool) -> Result<(&str, f64, Option<DVec3>)> {
    let expected = if with_axis { "expected JOINT=DEG or JOINT=DEG@x,y,z" } else { "expected JOINT=DEG" };
    let (joint, value) = word.rsplit_once('=').ok_or_else(|| anyhow!(expected))?;
    let (degrees, axis) = match value.split_once('@') {
        Some((degrees, axis)) if with_axis => (degrees, Some(axis)),
        Some(_) => bail!(expected),
        None => (value, None),
    };
    let degrees: f64 = degrees.trim().parse().map_err(|_| anyhow!("\"{degrees}\" is not an angle; {expected}"))?;
    let axis = match axis.map(|a| a.split(',').map(|x| x.trim().parse::<f64>()).collect::<Result<Vec<_>, _>>()) {
        None => None,
        Some(Ok(v)) if v.len() == 3 => Some(DVec3::new(v[0], v[1], v[2])),
        Some(_) => bail!("the axis is not three numbers; {expected}"),
    };
    Ok((joint, degrees, axis))
}
