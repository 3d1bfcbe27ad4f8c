//! Clips of other files on the rig of a project, by the names of joints.

use crate::{
    pose::{Clip, RetargetError, carry_all},
    rig::Rig,
};
use std::{
    collections::{HashMap, HashSet},
    path::Path,
};

/// What a motion is without what it looks like: skeleton and clips.
pub(super) fn bare(motion: &Rig) -> Rig {
    Rig { name: motion.name.clone(), skeleton: motion.skeleton.clone(), clips: motion.clips.clone(), ..Rig::default() }
}

/// All clips of a motion, for another rig.
pub(super) fn carried(motion: &Rig, target: &Rig) -> Result<Vec<Clip>, RetargetError> {
    Ok(carry_all(motion, target)?.into_iter().map(|r| r.clip).collect())
}

/// What the clips of a motion are called on a rig with these clips: a single one as its file, several by their own names,
/// and with the file's where that is taken.
pub fn clip_names(taken: &[Clip], motion: &Rig, file: &str) -> Vec<String> {
    let stem = Path::new(file).file_stem().map_or_else(|| file.to_owned(), |s| s.to_string_lossy().into_owned());
    let mut taken: HashSet<String> = taken.iter().map(|c| c.name.clone()).collect();
    // From which number on names are free: a file may give one name to thousands of clips.
    let mut next: HashMap<String, usize> = HashMap::new();
    let mut names = Vec::with_capacity(motion.clips.len());
    for clip in &motion.clips {
        let own = if motion.clips.len() == 1 || clip.name.is_empty() { stem.clone() } else { clip.name.clone() };
        let with_file = if own == stem { own.clone() } else { format!("{own} of {stem}") };
        let number = next.entry(with_file.clone()).or_insert(1);
        let mut numbered = || {
            *number += 1;
            format!("{with_file} {number}")
        };
        let mut name = if taken.contains(&own) { with_file.clone() } else { own };
        while !taken.insert(name.clone()) {
            name = numbered();
        }
        names.push(name);
    }
    names
}
