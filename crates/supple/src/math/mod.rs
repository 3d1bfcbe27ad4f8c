//! Small geometry that several rooms need: boxes, transforms taken apart, dual quaternions.
//!
//! Transforms are named `destination_from_source`.

mod bounds;
mod dual_quaternion;
mod polar;
mod trs;

pub use bounds::Bounds;
pub use dual_quaternion::DualQuat;
pub use polar::{RigidAndScale, rigid_and_scale};
pub use trs::Trs;
