use std::fmt;

/// What a segmentation had to guess, one line each.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// Every child of the joint sits on it: there is no bone that could own skin.
    NoBone {
        /// The joint.
        joint: String,
    },
    /// The joint lies outside the skin, or between curves: the nearest curve was cut.
    Outside {
        /// The joint.
        joint: String,
        /// How far from the curve it lies.
        distance: f64,
    },
    /// The curve ends at a hole, and its length was completed.
    OpenCurve {
        /// The joint.
        joint: String,
        /// How much of the way round the joint is skin.
        share: f64,
    },
    /// No plane through the joint meets skin near it: parent and child were parted by the nearer bone.
    NotCut {
        /// The joint.
        joint: String,
        /// The joint its region hangs on.
        parent: String,
    },
    /// Pieces of skin that the curves of several joints claim were shared out by the nearest branch of bones.
    Shared {
        /// The joint above all of them.
        top: String,
        /// Whom they were given to.
        joints: Vec<String>,
        /// How many welded points.
        points: usize,
    },
    /// A separate piece of the mesh that no curve crosses follows its nearest bone.
    Island {
        /// The first vertex of the piece, in the order of the file.
        vertex: usize,
        /// How many welded points.
        points: usize,
        /// Whom it was given to; several where it lies along several bones.
        joints: Vec<String>,
    },
    /// More separate pieces than anybody reads.
    MoreIslands {
        /// How many pieces were left out.
        pieces: usize,
        /// How many welded points they have.
        points: usize,
    },
    /// Vertices that no triangle uses follow their nearest bone.
    LooseVertices {
        /// How many.
        count: usize,
        /// The first.
        vertex: usize,
    },
    /// The joint owns no triangle.
    Empty {
        /// The joint.
        joint: String,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |joints: &[String]| joints.iter().map(|j| format!("\"{j}\"")).collect::<Vec<_>>().join(", ");
        match self {
            Self::NoBone { joint } => {
                write!(f, "joint \"{joint}\" has no bone, as its children sit on it: it owns no skin")
            }
            Self::Outside { joint, distance } => {
                write!(f, "joint \"{joint}\" is not enclosed by skin: the nearest curve was cut, {distance:.4} away")
            }
            Self::OpenCurve { joint, share } => {
                let percent = share * 100.0;
                write!(f, "the curve round joint \"{joint}\" meets a hole: {percent:.0} % of the way round is skin")
            }
            Self::NotCut { joint, parent } => write!(
                f,
                "no plane through joint \"{joint}\" cuts the skin round it: parted from \"{parent}\" by the nearer bone"
            ),
            Self::Shared { top, joints, points } => write!(
                f,
                "{points} points at joint \"{top}\" that several curves claim were shared out by the nearest bone: {}",
                list(joints)
            ),
            Self::Island { vertex, points, joints } => write!(
                f,
                "the separate piece of {points} points at vertex {vertex} is crossed by no curve and follows its nearest \
                 bone: {}",
                list(joints)
            ),
            Self::MoreIslands { pieces, points } => {
                write!(f, "and {pieces} more separate pieces that follow their nearest bones, {points} points in all")
            }
            Self::LooseVertices { count, vertex } => {
                let (vertices, follow, its) =
                    if *count == 1 { ("vertex", "follows", "its") } else { ("vertices", "follow", "their") };
                write!(
                    f,
                    "{count} {vertices} that no triangle uses {follow} {its} nearest bone, the first is vertex {vertex}"
                )
            }
            Self::Empty { joint } => write!(f, "joint \"{joint}\" owns no triangle"),
        }
    }
}
