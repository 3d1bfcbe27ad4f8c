use crate::{read::gltf::Original, rig::Rig};
use std::collections::HashMap;

/// Which joint of a rig is which of the file's.
pub(super) struct Joints {
    /// Whether the skeleton is still the file's, with joints moved or added. Otherwise it is another one, and no joint of
    /// it is one of the file's.
    pub kept: bool,
    /// Of each joint of the rig, the file's.
    pub of_file: Vec<Option<usize>>,
    /// Of each joint of the file, the rig's.
    pub in_rig: Vec<Option<usize>>,
}

impl Joints {
    /// By name. A skeleton is the file's where it has all joints of its skins, and those hang on each other as they did.
    pub fn of(rig: &Rig, original: &Original) -> Self {
        let (now, before) = (rig.skeleton.joints(), original.rig.skeleton.joints());
        let numbers: HashMap<&str, usize> = before.iter().enumerate().map(|(i, j)| (j.name.as_str(), i)).collect();
        let of_file: Vec<Option<usize>> = now.iter().map(|j| numbers.get(j.name.as_str()).copied()).collect();
        let mut in_rig = vec![None; before.len()];
        for (joint, file) in of_file.iter().enumerate() {
            if let Some(file) = file {
                in_rig[*file] = Some(joint);
            }
        }
        let hangs_as_before = |(joint, file): (usize, &Option<usize>)| {
            file.is_none_or(|file| now[joint].parent.map(|p| of_file[p]) == before[file].parent.map(Some))
        };
        let mut skinned = original.skins.iter().flat_map(|s| &s.joints).peekable();
        let all_there = match skinned.peek() {
            Some(_) => skinned.all(|&j| in_rig[usize::from(j)].is_some()),
            // Without a skin there are only the nodes that carry meshes.
            None => in_rig.iter().all(Option::is_some),
        };
        if all_there && of_file.iter().enumerate().all(hangs_as_before) {
            return Self { kept: true, of_file, in_rig };
        }
        Self { kept: false, of_file: vec![None; now.len()], in_rig: vec![None; before.len()] }
    }
}
