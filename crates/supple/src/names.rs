//! What may have been meant by a name that is not there. Every message about an unknown name ends with a [`hint`].

/// The most names a message lists.
const MOST: usize = 12;

/// Longer names are compared with nothing and cut in lists: a hostile file may hold any number of any length.
const LONGEST: usize = 60;

/// The end of a message about an unknown name: the nearest of the known ones or, where none is near, what there is.
///
/// ```
/// use supple::names::hint;
///
/// assert_eq!(hint("foreram", ["upper_arm", "forearm"]), "; did you mean \"forearm\"?");
/// assert_eq!(hint("knee", ["upper_arm", "forearm"]), "; there are 2: upper_arm, forearm");
/// assert_eq!(hint("knee", []), "; there are none");
/// ```
pub fn hint<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    if let Some(near) = nearest(name, known.iter().copied()) {
        return format!("; did you mean \"{near}\"?");
    }
    match known[..] {
        [] => "; there are none".to_owned(),
        [one] => format!("; the only one is \"{one}\""),
        _ => format!("; there are {}: {}", known.len(), list(&known)),
    }
}

/// The first names, and a sign where there are more.
pub fn list(names: &[&str]) -> String {
    let short = |name: &&str| match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => (*name).to_owned(),
    };
    let mut shown: Vec<String> = names.iter().take(MOST).map(short).collect();
    if names.len() > MOST {
        shown.push("…".to_owned());
    }
    shown.join(", ")
}

/// The known name that was probably meant: the one with the fewest slips of the finger, at most one in three letters,
/// or else the shortest that holds the name. Case does not matter.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = |text: &str| text.chars().flat_map(char::to_lowercase).take(LONGEST + 1).collect::<Vec<char>>();
    let asked = letters(name);
    if asked.is_empty() || asked.len() > LONGEST {
        return None;
    }
    let most = (asked.len() / 3).max(1);
    let (mut by_slips, mut by_part) = (None, None);
    for candidate in known {
        let there = letters(candidate);
        if there.len() > LONGEST {
            continue;
        }
        // A word of one letter is one slip away from every other.
        if there.len().abs_diff(asked.len()) <= most && there.len() > 1 {
            let slips = slips(&asked, &there);
            if slips <= most && by_slips.is_none_or(|(fewest, _)| slips < fewest) {
                by_slips = Some((slips, candidate));
            }
        }
        if asked.len() >= 3 && there.windows(asked.len()).any(|part| part == asked) {
            let shorter = by_part.is_none_or(|(length, _)| there.len() < length);
            by_part = if shorter { Some((there.len(), candidate)) } else { by_part };
        }
    }
    by_slips.or(by_part).map(|(_, candidate)| candidate)
}

/// Letters left out, put in, mistaken or swapped with their neighbour (the optimal string alignment distance).
fn slips(a: &[char], b: &[char]) -> usize {
    let mut rows = [vec![0; b.len() + 1], (0..=b.len()).collect(), vec![0; b.len() + 1]];
    for i in 1..=a.len() {
        rows[2][0] = i;
        for j in 1..=b.len() {
            let mistaken = rows[1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            rows[2][j] = mistaken.min(rows[1][j] + 1).min(rows[2][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                rows[2][j] = rows[2][j].min(rows[0][j - 2] + 1);
            }
        }
        rows.rotate_left(1);
    }
    rows[1][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_finger_are_found() {
        let known = ["upper_arm", "forearm", "LeftHand", "x"];
        for (name, meant) in [
            ("foreram", Some("forearm")),
            ("fore_arm", Some("forearm")),
            ("FOREARMS", Some("forearm")),
            ("lefthnad", Some("LeftHand")),
            ("hand", Some("LeftHand")),
            ("arm", Some("forearm")),
            ("knee", None),
            ("y", None),
            ("", None),
        ] {
            assert_eq!(nearest(name, known), meant, "{name}");
        }
    }

    #[test]
    fn long_lists_and_names_are_cut() {
        let long = "ö".repeat(1000);
        let many: Vec<&str> = std::iter::repeat_n(long.as_str(), 1000).collect();
        assert!(hint("knee", many.iter().copied()).chars().count() < 1000);
        assert_eq!(nearest(&long, many), None);
    }
}
