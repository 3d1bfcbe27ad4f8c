use super::Edit;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Everything a person can do, as data. A script says it as JSON: `{"do": "open", "path": "arm.glb"}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// Opens a rig, a mesh or a project.
    Open {
        /// The file.
        path: PathBuf,
    },
    /// Opens a project with a rig that is no longer where it says.
    OpenWith {
        /// The project.
        project: PathBuf,
        /// Its rig.
        rig: PathBuf,
    },
    /// Takes a file as one that is dropped: a motion moves the character that is open, anything else is opened.
    Drop {
        /// The file.
        path: PathBuf,
    },
    /// Moves the character by the clips of a file, by the names of joints.
    Motion {
        /// The file.
        path: PathBuf,
    },
    /// Opens a built-in character.
    Example {
        /// arm, hand, figure or statue.
        name: String,
    },
    /// Closes the document and shows the start page.
    Close,
    /// Changes the document.
    Change {
        /// How.
        edit: Edit,
    },
    /// Takes the last edit back.
    Undo,
    /// Brings it again.
    Redo,
    /// Ends a drag, so that the next edit is a step of its own.
    Settle,
    /// Selects a joint, or none.
    Select {
        /// By name.
        joint: Option<String>,
    },
    /// Starts or stops the clip.
    Play {
        /// Runs.
        playing: bool,
    },
    /// How fast, and whether round and round.
    Pace {
        /// Times real time.
        speed: f64,
        /// From the end to the start again.
        looped: bool,
    },
    /// How the skin is drawn.
    Show {
        /// Shaded, wire, weights or a quantity.
        view: SkinView,
    },
    /// Whether bones are drawn.
    Bones {
        /// They are.
        shown: bool,
    },
    /// Folds a panel away, or unfolds it.
    Fold {
        /// Which.
        side: Side,
        /// Away.
        folded: bool,
    },
    /// How many panes.
    Panes {
        /// One, two or four.
        layout: Layout,
    },
    /// The method of a pane beside the first, or none for the document's own.
    PaneMethod {
        /// From 1 on.
        pane: usize,
        /// A name of the registry.
        method: String,
    },
    /// Draws the second pane's result over the first's.
    Overlay {
        /// It does.
        shown: bool,
    },
    /// Looks at all of the skin, or at the selected joint.
    Frame,
    /// Saves the project; with a path, there.
    Save {
        /// Where.
        path: Option<PathBuf>,
    },
    /// Writes pictures or moved points.
    Export {
        /// What.
        kind: ExportKind,
        /// Where.
        path: PathBuf,
        /// How, where it is pictures.
        #[serde(default, skip_serializing_if = "PictureOptions::is_default")]
        picture: PictureOptions,
    },
    /// Stops the pictures that are being written; nothing of them is kept.
    StopExport,
    /// Light or dark.
    Dark {
        /// Dark.
        on: bool,
    },
    /// Ends the program, once everything said before is done.
    Quit,
}

/// How skin is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SkinView {
    /// With its materials.
    #[default]
    Shaded,
    /// With its edges.
    Wire,
    /// One hue for each joint, or the weight of the selected one.
    Weights,
    /// Where several joints share the skin; "overlaps" in scripts of before.
    #[serde(alias = "overlaps")]
    SharedWeights,
    /// How much the edges have grown.
    Stretch,
    /// Where limbs touch.
    Contact,
}

impl SkinView {
    /// All, with words for people.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Shaded, "Shaded"),
        (Self::Wire, "Wire"),
        (Self::Weights, "Weights"),
        (Self::SharedWeights, "Shared weights"),
        (Self::Stretch, "Stretch"),
        (Self::Contact, "Contact"),
    ];
}

/// Where a panel stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The joints.
    Left,
    /// Method, weights, limbs and figures.
    Right,
}

impl Side {
    /// Both, with words for people.
    pub const ALL: [(Self, &'static str); 2] =
        [(Self::Left, "Joints on the left"), (Self::Right, "Panel on the right")];
}

/// How many panes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// The document alone.
    #[default]
    One,
    /// Two methods side by side.
    Two,
    /// Four.
    Four,
}

impl Layout {
    /// How many.
    pub fn panes(self) -> usize {
        let [columns, rows] = self.grid();
        columns * rows
    }

    /// How many beside each other, and below.
    pub fn grid(self) -> [usize; 2] {
        match self {
            Self::One => [1, 1],
            Self::Two => [2, 1],
            Self::Four => [2, 2],
        }
    }
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExportKind {
    /// The view as a PNG.
    Picture,
    /// The moved skin as it stands: glb, obj, ply or usda by the ending.
    Pose,
    /// The rig with its skeleton, weights and clips, as edited, in its rest pose: a glb.
    Rig,
    /// The whole clip: glb, usda or pc2 by the ending.
    Clip,
    /// The clip as a GIF.
    Gif,
    /// The clip as numbered PNG files beside the name.
    Frames,
}

/// How pictures are written.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct PictureOptions {
    /// How large.
    pub size: PictureSize,
    /// What lies behind the character.
    pub background: Backdrop,
    /// The section, samples and marks that are shown, and the skin as it is drawn with them; on a single picture.
    pub marks: bool,
    /// Frames a second of a film; none: 30, and 25 of a GIF.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// The moment of a film's first frame, in seconds of the clip; none: its start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<f64>,
    /// The moment at which a film ends; none: the end of the clip.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<f64>,
}

impl PictureOptions {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// Width and height of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PictureSize {
    /// 1920 by 1080; of a GIF, which has 256 colours and no compression to speak of, 640 by 480.
    #[default]
    #[serde(rename = "usual")]
    Usual,
    /// 640 by 480.
    #[serde(rename = "640x480")]
    Vga,
    /// 1280 by 720.
    #[serde(rename = "1280x720")]
    Hd720,
    /// 1920 by 1080.
    #[serde(rename = "1920x1080")]
    Hd,
    /// 3840 by 2160.
    #[serde(rename = "3840x2160")]
    Uhd,
    /// As many pixels as the first pane has.
    #[serde(rename = "as-shown")]
    AsShown,
}

impl PictureSize {
    /// All that have a size of their own, with words for people.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::Vga, "640 x 480"),
        (Self::Hd720, "1280 x 720"),
        (Self::Hd, "1920 x 1080"),
        (Self::Uhd, "3840 x 2160"),
        (Self::AsShown, "as shown"),
    ];

    /// The usual one of a kind by its own name.
    pub fn of(self, kind: ExportKind) -> Self {
        match (self, kind) {
            (Self::Usual, ExportKind::Gif) => Self::Vga,
            (Self::Usual, _) => Self::Hd,
            (size, _) => size,
        }
    }

    /// In pixels, where a pane is so large.
    pub fn pixels(self, shown: [u32; 2]) -> [u32; 2] {
        match self {
            Self::Vga => [640, 480],
            Self::Hd720 => [1280, 720],
            Self::Usual | Self::Hd => [1920, 1080],
            Self::Uhd => [3840, 2160],
            Self::AsShown => shown.map(|side| side.max(1)),
        }
    }
}

/// What lies behind the character in a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Backdrop {
    /// The floor and what is behind it, as in the window.
    #[default]
    Scene,
    /// One colour, light or dark as the window is, without a floor.
    Plain,
    /// Nothing: the picture is transparent there.
    Transparent,
}

impl Backdrop {
    /// All, with words for people.
    pub const ALL: [(Self, &'static str); 3] =
        [(Self::Scene, "as shown"), (Self::Plain, "plain"), (Self::Transparent, "transparent")];
}
