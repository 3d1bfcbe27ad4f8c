//! What the names of joints say: Mixamo, Blender and Rigify, MakeHuman, Unreal, Biped, CMU, VRM, WebXR and their like.

/// Left or right, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Side {
    Left,
    Right,
}

/// What hangs on a trunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Limb {
    /// Forelegs too.
    Arm,
    Leg,
}

/// How far down its limb a joint is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// 0 girdle, 1 upper bone, 2 lower bone, 3 hand or foot, 4 toes.
    Known(u8),
    /// "Shoulder" and "hip": the girdle, or the upper bone where nothing else is.
    GirdleOrUpper,
    /// "Arm" or "leg" and no more: the row tells.
    ByOrder,
}

/// What a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Limb(Limb, Level),
    /// The digit, 0 for the thumb, where it is told. Names like "middle" mean a finger only below a hand.
    Finger {
        digit: Option<u8>,
        certain: bool,
    },
    Pelvis,
    Spine,
    Neck,
    Head,
    Jaw,
    Tail,
}

/// A name taken apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Name {
    pub side: Option<Side>,
    pub word: Option<Word>,
    /// Its words without sides and numbers, to tell copies of one name.
    pub stem: String,
    /// Which finger, where its number follows the word; else the first number in it.
    pub number: Option<u32>,
}

/// No convention needs more, and files are hostile.
const LONGEST: usize = 128;

impl Name {
    pub fn of(name: &str) -> Self {
        let last = name.rsplit([':', '|']).next().unwrap_or(name);
        // Helpers of MakeHuman's motion files, which only carry the joint of the same name.
        let helper = last.starts_with("__");
        let mut found = Self::default();
        let mut words: Vec<String> = Vec::new();
        let (mut left, mut right) = (false, false);
        let tokens = tokens(last);
        let of_biped = tokens.first().is_some_and(|t| t == "bip");
        let mut before = "";
        for token in &tokens {
            let follows = std::mem::replace(&mut before, token);
            if let Ok(number) = token.parse() {
                // Biped counts "Finger0", "Finger01", "Finger02", "Finger1": the first digit is the finger.
                let first_digit = token.chars().next().and_then(|c| c.to_digit(10)).filter(|_| of_biped);
                found.number =
                    if follows == "finger" { first_digit.or(Some(number)) } else { found.number.or(Some(number)) };
                continue;
            }
            let bare = |t: &str, side: &str| {
                let rest = t.strip_prefix(side).or_else(|| t.strip_suffix(side));
                rest.filter(|r| r.len() > 1).map(str::to_owned)
            };
            let (is_left, is_right) = (matches!(&**token, "left" | "l"), matches!(&**token, "right" | "r"));
            (left, right) = (left || is_left, right || is_right);
            if is_left || is_right {
                continue;
            }
            if let Some(rest) = bare(token, "left") {
                left = true;
                words.push(rest);
            } else if let Some(rest) = bare(token, "right") {
                right = true;
                words.push(rest);
            } else if !NOISE.contains(&&**token) {
                words.push(token.clone());
            }
        }
        found.side = match (left, right) {
            (true, false) => Some(Side::Left),
            (false, true) => Some(Side::Right),
            _ => None,
        };
        found.stem = words.concat();
        found.word = if helper { None } else { word(&words, found.side.is_some()) };
        found
    }
}

/// Words that say nothing about the body.
const NOISE: [&str; 13] =
    ["joint", "jnt", "bone", "skeleton", "def", "org", "b", "bip", "mixamorig", "rig", "char", "j", "bind"];

/// Joints that help others, and have no anatomy.
const HELPERS: [&str; 18] = [
    "twist", "roll", "ik", "fk", "pole", "target", "ctrl", "control", "slot", "handslot", "weapon", "prop", "helper",
    "anim", "attach", "socket", "mch", "armature",
];

/// Lower-case words and numbers: split where case or kind changes and at everything else.
fn tokens(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().take(LONGEST).collect();
    let mut tokens: Vec<String> = Vec::new();
    let mut current = String::new();
    for (i, &c) in letters.iter().enumerate() {
        let before = i.checked_sub(1).map(|i| letters[i]);
        let next_is_lower = letters.get(i + 1).is_some_and(|n| n.is_lowercase());
        let breaks = before.is_some_and(|b| {
            b.is_ascii_digit() != c.is_ascii_digit()
                || (b.is_lowercase() && c.is_uppercase())
                || (b.is_uppercase() && c.is_uppercase() && next_is_lower)
        });
        if breaks || !c.is_alphanumeric() {
            tokens.push(std::mem::take(&mut current));
        }
        if c.is_alphanumeric() {
            current.extend(c.to_lowercase());
        }
    }
    tokens.push(current);
    tokens.retain(|t| !t.is_empty());
    tokens
}

fn word(words: &[String], sided: bool) -> Option<Word> {
    let has = |known: &[&str]| words.iter().any(|w| known.contains(&&**w));
    if has(&HELPERS) {
        return None;
    }
    let toes = has(&["toe", "toes", "toebase", "ball"]);
    if let Some(finger) = finger(&has).filter(|_| !toes) {
        return Some(finger);
    }
    if let Some(limb) = limb(&has, toes, sided) {
        return Some(limb);
    }
    if has(&["pelvis", "hips", "hip"]) {
        Some(Word::Pelvis)
    } else if has(&["neck"]) {
        Some(Word::Neck)
    } else if has(&["head", "skull"]) {
        Some(Word::Head)
    } else if has(&["jaw"]) {
        Some(Word::Jaw)
    } else if has(&["tail"]) {
        Some(Word::Tail)
    } else if has(&["spine", "torso", "chest", "abdomen", "waist", "back", "lowerback", "upperchest"]) {
        Some(Word::Spine)
    } else {
        None
    }
}

fn finger(has: &dyn Fn(&[&str]) -> bool) -> Option<Word> {
    let digits: [&[&str]; 5] = [&["thumb"], &["index"], &["middle", "mid"], &["ring"], &["pinky", "little", "pinkie"]];
    let digit = (0u8..).zip(digits).find(|(_, names)| has(names)).map(|(d, _)| d);
    let told = has(&[
        "finger",
        "fingers",
        "fingerbase",
        "phalanx",
        "phalange",
        "metacarpal",
        "proximal",
        "intermediate",
        "distal",
    ]);
    // "Middle" and "ring" are words of other things too.
    let certain = told || digit == Some(0);
    (certain || digit.is_some()).then_some(Word::Finger { digit, certain })
}

fn limb(has: &dyn Fn(&[&str]) -> bool, toes: bool, sided: bool) -> Option<Word> {
    let (upper, lower) = (has(&["upper", "up"]), has(&["lower", "low", "lo"]));
    let (arm, leg) = (has(&["arm"]), has(&["leg"]));
    let front = has(&["front"]) || (has(&["fore"]) && !arm) || has(&["foreleg", "forelimb"]);
    let of_arm = |level| Some(Word::Limb(Limb::Arm, level));
    let of_leg = |level| Some(Word::Limb(if front { Limb::Arm } else { Limb::Leg }, level));
    use Level::{ByOrder, GirdleOrUpper, Known};
    if has(&["clavicle", "collar", "scapula"]) {
        of_arm(Known(0))
    } else if has(&["humerus", "upperarm", "uparm", "bicep"]) || (arm && upper) {
        of_arm(Known(1))
    } else if has(&["forearm", "lowerarm", "lowarm", "loarm", "elbow", "ulna"]) || (arm && (lower || has(&["fore"]))) {
        of_arm(Known(2))
    } else if has(&["hand", "wrist", "palm"]) {
        of_arm(Known(3))
    } else if toes {
        of_leg(Known(4))
    } else if has(&["foot", "ankle", "hock", "paw", "hoof"]) {
        of_leg(Known(3))
    } else if has(&["shin", "calf", "knee", "tibia", "lowerleg", "lowleg", "loleg", "stifle"]) || (leg && lower) {
        of_leg(Known(2))
    } else if has(&["thigh", "femur", "upleg", "upperleg"]) || (leg && upper) {
        of_leg(Known(1))
    } else if has(&["shoulder"]) {
        of_arm(GirdleOrUpper)
    } else if sided && has(&["hip", "hips", "pelvis"]) {
        of_leg(GirdleOrUpper)
    } else if arm {
        of_arm(ByOrder)
    } else if leg || has(&["foreleg", "forelimb"]) {
        of_leg(ByOrder)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_conventions_are_understood() {
        use Level::{ByOrder, GirdleOrUpper, Known};
        let arm = |level| Some(Word::Limb(Limb::Arm, level));
        let leg = |level| Some(Word::Limb(Limb::Leg, level));
        let finger = |digit, certain| Some(Word::Finger { digit, certain });
        let (left, right) = (Some(Side::Left), Some(Side::Right));
        let names = [
            ("mixamorig:LeftForeArm", left, arm(Known(2))),
            ("mixamorig:LeftUpLeg", left, leg(Known(1))),
            ("LeftLeg", left, leg(ByOrder)),
            ("LHipJoint", left, leg(GirdleOrUpper)),
            ("Hips", None, Some(Word::Pelvis)),
            ("RightToeBase", right, leg(Known(4))),
            ("DEF-upper_arm.L.001", left, arm(Known(1))),
            ("lowerarm_r", right, arm(Known(2))),
            ("LoArm_L", left, arm(Known(2))),
            ("__LoArm_L", left, None),
            ("leftUpperArm", left, arm(Known(1))),
            ("leftforearm", left, arm(Known(2))),
            ("lShin", left, leg(Known(2))),
            ("Bip01 R Calf", right, leg(Known(2))),
            ("Skeleton_arm_joint_L__3_", left, arm(ByOrder)),
            ("left_knee", left, leg(Known(2))),
            ("b_LeftFoot01_017", left, leg(Known(3))),
            ("Front_Leg_Lower_L", left, arm(Known(2))),
            ("front_toes_tip_l", left, arm(Known(4))),
            ("FrontUpLeg.R", right, arm(Known(1))),
            ("LeftHandIndex1", left, finger(Some(1), false)),
            ("LThumb", left, finger(Some(0), true)),
            ("LeftFingerBase", left, finger(None, true)),
            ("index-finger-phalanx-proximal", None, finger(Some(1), true)),
            ("upperarm_twist_01_l", left, None),
            ("LeftForeArmRoll", left, None),
            ("elbowIK.l", left, None),
            ("LowerBack", None, Some(Word::Spine)),
            ("Armature", None, None),
            ("Whip", None, None),
        ];
        for (text, side, word) in names {
            let name = Name::of(text);
            assert_eq!((name.side, name.word), (side, word), "{text}");
        }
    }

    #[test]
    fn numbered_fingers_are_known_by_their_number() {
        let number = |name: &str| Name::of(name).number;
        for (name, finger) in
            [("Bip01 L Finger0", 0), ("Bip01 L Finger01", 0), ("Bip001 R Finger4", 4), ("Bip01 L Finger42", 4)]
        {
            assert_eq!(number(name), Some(finger), "{name}");
        }
        assert_eq!([number("finger2-3.L"), number("Finger_05_R"), number("spine_03")], [Some(2), Some(5), Some(3)]);
    }
}
