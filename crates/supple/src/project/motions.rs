//! Clips of other files on the rig of a project, by the names of joints.

use crate::{
    pose::{Clip, RetargetError, carry},
    rig::Rig,
};
use std::path::Path;

/// What a motion is without what it looks like: skeleton and clips.
pub(super) fn bare(motion: &Rig) -> Rig {
    Rig { name: motion.name.clone(), skeleton: motion.skeleton.clone(), clips: motion.clips.clone(), ..Rig::default() }
}

/// All clips of a motion, for another rig.
pub(super) fn carried(motion: &Rig, target: &Rig) -> Result<Vec<Clip>, RetargetError> {
    if motion.clips.is_empty() {
        return Err(RetargetError::NoMotion);
    }
    let of = Rig { clips: Vec::new(), ..bare(motion) };
    let one = |clip: &Clip| carry(&Rig { clips: vec![clip.clone()], ..of.clone() }, target).map(|r| r.clip);
    motion.clips.iter().map(one).collect()
}

/// What the clips of a motion are called on a rig with these clips: a single one as its file, several by their own names,
/// and with the file's where that is taken.
pub fn clip_names(taken: &[Clip], motion: &Rig, file: &str) -> Vec<String> {
    let stem = Path::new(file).file_stem().map_or_else(|| file.to_owned(), |s| s.to_string_lossy().into_owned());
    let mut taken: Vec<String> = taken.iter().map(|c| c.name.clone()).collect();
    let mut names = Vec::with_capacity(motion.clips.len());
    for clip in &motion.clips {
        let own = if motion.clips.len() == 1 || clip.name.is_empty() { stem.clone() } else { clip.name.clone() };
        let with_file = if own == stem { own.clone() } else { format!("{own} of {stem}") };
        let numbered = (2..).map(|number| format!("{with_file} {number}"));
        let mut wishes = [own, with_file.clone()].into_iter().chain(numbered);
        let name = wishes.find(|wish| !taken.contains(wish)).unwrap_or(with_file);
        taken.push(name.clone());
        names.push(name);
    }
    names
}
