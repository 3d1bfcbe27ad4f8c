//! Methods that carry each vertex by a blend of its joints' motions, in one pass and without looking at neighbours.

pub(crate) mod delta_mush;
mod dual_quaternion;
mod flesh;
mod gaussian;
mod linear;
mod packed;
mod rigid_parts;
mod rotation_center;
mod signs;
mod stretch_twist;

pub use delta_mush::{BoundDeltaMush, DeltaMush, Influence, Moments};
pub use dual_quaternion::{BoundDualQuaternion, DualQuaternion};
pub use flesh::{BoundFlesh, Flesh};
pub use gaussian::{Blends, Gaussian, weights as gaussian_weights};
pub use linear::{BoundLinear, Linear};
pub use packed::{Packed, RUN};
pub use rigid_parts::RigidParts;
pub use rotation_center::{BoundRotationCenter, RotationCenter};
pub use stretch_twist::{BoneMotion, BoneMotions, BoundStretchTwist, Ends, StretchTwist};

/// Vertices a thread takes at a time: large enough to hide the hand-over, small enough to share out 8,000 vertices.
pub(crate) const BLOCK: usize = 2048;
