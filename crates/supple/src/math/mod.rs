//! Small geometry that several rooms need: boxes, transforms taken apart, dual quaternions, sines.
//!
//! Transforms are named `destination_from_source`.

mod angle_of;
mod bounds;
mod dual_quaternion;
mod polar;
mod principal;
pub(crate) mod quarter_turn;
mod rounded;
mod smoothstep;
mod trs;

pub(crate) use angle_of::angle_of;
pub use bounds::Bounds;
pub use dual_quaternion::DualQuat;
pub use polar::{RigidAndScale, rigid_and_scale};
pub(crate) use principal::principal;
pub use quarter_turn::quarter_turn;
pub use rounded::rounded;
pub(crate) use smoothstep::smoothstep;
pub use trs::Trs;
