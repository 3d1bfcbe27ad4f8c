use crate::{rig::BoneNote, solve::SolveError};
use std::fmt;

/// Notes of one kind that are told one by one; the rest are counted.
const MOST: usize = 20;

/// What bone heat had to decide by itself. Each is one line.
#[derive(Clone, Debug, PartialEq)]
pub enum HeatNote {
    /// Two joints in one place: no bone between them.
    Bone(BoneNote),
    /// Leaf joints of files without tails.
    InferredTails {
        /// How many.
        count: usize,
        /// One of them.
        first: String,
    },
    /// No triangles at all: weights by inverse distance.
    PointSet {
        /// How many vertices.
        vertices: usize,
    },
    /// Vertices that no triangle uses: weights by inverse distance.
    Loose {
        /// How many vertices.
        vertices: usize,
        /// One of them.
        first: usize,
    },
    /// Vertices that are nowhere: weights of a neighbour, or of a bone where there is none.
    NotFinite {
        /// How many vertices.
        vertices: usize,
        /// One of them.
        first: usize,
        /// Owner of those without neighbours.
        joint: String,
    },
    /// A component with no bone inside, or none in sight: the nearest ones heat it, through walls.
    Hidden {
        /// Which component, counted by first vertices.
        component: usize,
        /// How many vertices.
        vertices: usize,
        /// One of them.
        first: usize,
        /// The joint nearest to most of it.
        joint: String,
    },
    /// A component whose system could not be solved: weights by inverse distance.
    Unsolved {
        /// Which component.
        component: usize,
        /// How many vertices.
        vertices: usize,
        /// One of them.
        first: usize,
        /// Why.
        why: SolveError,
    },
    /// Vertices where more joints than can be counted share the heat: weights by inverse distance.
    Faint {
        /// How many vertices.
        vertices: usize,
        /// One of them.
        first: usize,
    },
    /// A joint with bones that no vertex belongs to.
    Idle {
        /// Which.
        joint: String,
        /// Why.
        why: IdleReason,
    },
    /// More of the same than anybody reads.
    More {
        /// Of what.
        what: &'static str,
        /// How many notes were left out.
        notes: usize,
        /// Vertices they speak of.
        vertices: usize,
    },
}

/// Why a joint owns nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdleReason {
    /// Other bones are nearer to every vertex.
    NeverNearest,
    /// Nearest to some vertices, but hidden from all of these by the surface.
    Hidden,
    /// Its heat reached vertices, but others outweigh it everywhere.
    Outweighed,
}

impl HeatNote {
    /// What [`HeatNote::More`] calls components like those of [`HeatNote::Hidden`].
    pub const HIDDEN: &'static str = "components without a bone inside";

    /// How many vertices did not get their weights by the method alone.
    pub fn vertices(&self) -> usize {
        match self {
            Self::PointSet { vertices }
            | Self::Loose { vertices, .. }
            | Self::NotFinite { vertices, .. }
            | Self::Hidden { vertices, .. }
            | Self::Unsolved { vertices, .. }
            | Self::Faint { vertices, .. }
            | Self::More { vertices, .. } => *vertices,
            Self::Bone(_) | Self::InferredTails { .. } | Self::Idle { .. } => 0,
        }
    }
}

impl fmt::Display for HeatNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bone(note) => note.fmt(f),
            Self::InferredTails { count: 1, first } => {
                write!(f, "leaf joint \"{first}\" has no tail: a bone was inferred")
            }
            Self::InferredTails { count, first } => {
                write!(f, "{count} leaf joints have no tails: bones were inferred, the first for \"{first}\"")
            }
            Self::PointSet { vertices } => {
                write!(f, "a point set: {vertices} points without a surface get weights by distance to the bones")
            }
            Self::Loose { vertices: 1, first } => {
                write!(f, "vertex {first} is in no triangle: it gets weights by distance to the bones")
            }
            Self::Loose { vertices, first } => write!(
                f,
                "{vertices} vertices, the first is {first}, are in no triangle: they get weights by distance to the bones"
            ),
            Self::NotFinite { vertices, first, joint } => write!(
                f,
                "{vertices} vertices, the first is {first}, have positions that are not finite: they get the weights of a \
                 neighbour, or joint \"{joint}\" where there is none"
            ),
            Self::Hidden { component, vertices, first, joint } => write!(
                f,
                "component {component} ({vertices} vertices, the first is {first}) sees no bone inside: the nearest heat it \
                 through walls, mostly \"{joint}\""
            ),
            Self::Unsolved { component, vertices, first, why } => write!(
                f,
                "component {component} ({vertices} vertices, the first is {first}) gets weights by distance to the bones: \
                 {why}"
            ),
            Self::Faint { vertices, first } => write!(
                f,
                "{vertices} vertices, the first is {first}, got no heat to speak of: they get weights by distance to the bones"
            ),
            Self::Idle { joint, why } => write!(f, "joint \"{joint}\" owns no vertex: {why}"),
            Self::More { what, notes, vertices: 0 } => write!(f, "and {notes} more {what}"),
            Self::More { what, notes, vertices } => write!(f, "and {notes} more {what}, {vertices} vertices in all"),
        }
    }
}

impl fmt::Display for IdleReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NeverNearest => "other bones are nearer everywhere",
            Self::Hidden => "it is nearest to some, but they cannot see it",
            Self::Outweighed => "others outweigh it everywhere",
        })
    }
}

/// Adds notes of one kind; beyond the first few only their number and that of their vertices.
pub(super) fn add(notes: &mut Vec<HeatNote>, of_one_kind: Vec<HeatNote>, what: &'static str) {
    let left_out = of_one_kind.len().saturating_sub(MOST);
    let vertices = of_one_kind.iter().skip(MOST).map(HeatNote::vertices).sum();
    notes.extend(of_one_kind.into_iter().take(MOST));
    if left_out > 0 {
        notes.push(HeatNote::More { what, notes: left_out, vertices });
    }
}
