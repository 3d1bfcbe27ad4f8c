//! Left and right in the names of joints.

use super::Named;
use crate::rig::Skeleton;
use std::collections::HashMap;

/// Joints whose names differ in the side alone, each as (left, right); then those whose names also differ in a running number at
/// the end (`b_LeftArm_09`, `b_RightArm_06`), as some exporters give to every joint.
pub(super) fn pairs(skeleton: &Skeleton) -> Vec<Named> {
    let mut taken = vec![false; skeleton.len()];
    let mut pairs = Vec::new();
    for key in [|name: &str| name.len(), numbered] {
        let names: Vec<&str> = skeleton.joints().iter().map(|j| &j.name[..key(&j.name)]).collect();
        // Two joints of one name, once its number is gone, say nothing.
        let mut numbers: HashMap<&str, Option<usize>> = HashMap::new();
        for (i, name) in names.iter().enumerate() {
            numbers.entry(name).and_modify(|n| *n = None).or_insert(Some(i));
        }
        for (i, name) in names.iter().enumerate() {
            if taken[i] || numbers.get(name) != Some(&Some(i)) {
                continue;
            }
            let partner = others(name).into_iter().find_map(|(is_left, name)| {
                let j = numbers.get(name.as_str()).copied().flatten().filter(|&j| j != i && !taken[j])?;
                Some(if is_left { Named { left: i, right: j } } else { Named { left: j, right: i } })
            });
            if let Some(pair) = partner {
                (taken[pair.left], taken[pair.right]) = (true, true);
                pairs.push(pair);
            }
        }
    }
    pairs
}

/// Where the running number of a name begins, with the line before it; the end of a name that has none.
fn numbered(name: &str) -> usize {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    match stem.strip_suffix('_') {
        Some(front) if stem.len() < name.len() && !front.is_empty() => front.len(),
        _ => name.len(),
    }
}

/// Names longer than this have no side.
const LONGEST: usize = 256;

/// What the joint on the other side may be called, and whether this one would then be the left one. Only names that
/// another joint has count, so a word that is no side (`bright`, `collar`) does no harm.
fn others(name: &str) -> Vec<(bool, String)> {
    let mut found = Vec::new();
    // No convention needs more, and a name of a hostile file would be copied once for each of its letters.
    if name.len() > LONGEST {
        return found;
    }
    for (word, other, is_left) in [("left", "right", true), ("right", "left", false)] {
        let lower = name.to_ascii_lowercase();
        for (at, _) in lower.match_indices(word) {
            let as_written = cased(&name[at..at + word.len()], other);
            found.push((is_left, format!("{}{as_written}{}", &name[..at], &name[at + word.len()..])));
        }
    }
    for (at, letter) in name.char_indices() {
        let (other, is_left) = match letter {
            'l' => ('r', true),
            'L' => ('R', true),
            'r' => ('l', false),
            'R' => ('L', false),
            _ => continue,
        };
        let (before, after) = (name[..at].chars().next_back(), name[at + 1..].chars().next());
        // A word of its own, or told from its neighbours by case: hand_l, l_hand, Hand.L, LHip, lHip, HandL.
        let starts = match before {
            Some(b) if b.is_alphanumeric() => letter.is_uppercase() && !b.is_uppercase(),
            _ => true,
        };
        let ends = !after.is_some_and(char::is_alphanumeric) || after.is_some_and(char::is_uppercase);
        if starts && ends {
            found.push((is_left, format!("{}{other}{}", &name[..at], &name[at + 1..])));
        }
    }
    found
}

fn cased(like: &str, word: &str) -> String {
    let mut letters = like.chars();
    let first = letters.next().is_some_and(|c| c.is_uppercase());
    if first && letters.all(char::is_uppercase) {
        word.to_ascii_uppercase()
    } else if first {
        word[..1].to_ascii_uppercase() + &word[1..]
    } else {
        word.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::Joint;
    use glam::DAffine3;

    #[test]
    fn the_usual_conventions_pair_up() {
        let names = [
            ("hand_l", "hand_r"),
            ("l_arm", "r_arm"),
            ("Hand.L", "Hand.R"),
            ("Thumb.L.001", "Thumb.R.001"),
            ("LeftLeg", "RightLeg"),
            ("mixamorig:LeftArm", "mixamorig:RightArm"),
            ("LEFT_FOOT", "RIGHT_FOOT"),
            ("footleft", "footright"),
            ("LHipJoint", "RHipJoint"),
            ("lShin", "rShin"),
            ("EarL", "EarR"),
            ("Bip01 L Toe0", "Bip01 R Toe0"),
            ("DEF-finger-l-2", "DEF-finger-r-2"),
        ];
        for (left, right) in names {
            let joint = |name: &str| Joint::new(name, None, DAffine3::IDENTITY);
            let skeleton = Skeleton::new(vec![joint("bright"), joint(right), joint("collar"), joint(left)]).unwrap();
            assert_eq!(pairs(&skeleton), [Named { left: 3, right: 1 }], "{left}");
        }
    }

    #[test]
    fn a_running_number_does_not_part_two_sides() {
        let joint = |name: &str| Joint::new(name, None, DAffine3::IDENTITY);
        let names = ["b_LeftArm_09", "b_RightArm_06", "b_LeftEye_1", "b_RightEye_2", "b_RightEye_3", "b_Hip_01"];
        let skeleton = Skeleton::new(names.map(joint).to_vec()).unwrap();
        assert_eq!(pairs(&skeleton), [Named { left: 0, right: 1 }]);
    }

    #[test]
    fn words_that_only_hold_the_letters_are_no_sides() {
        let joint = |name: &str| Joint::new(name, None, DAffine3::IDENTITY);
        let names = ["collar", "corral", "lower", "rower", "tail", "tair", "bleft", "lé", "ré", "ル左"];
        let skeleton = Skeleton::new(names.map(joint).to_vec()).unwrap();
        assert_eq!(pairs(&skeleton), []);
    }
}
