use crate::view::{LONGEST_SIDE, MOST_PIXELS};
use thiserror::Error;

/// Why there is no picture.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Error {
    /// Nothing, or more than a machine should be asked for.
    #[error(
        "a picture of {width} by {height} pixels: each side must be 1 to {LONGEST_SIDE}, and both together at most {MOST_PIXELS} pixels"
    )]
    Size {
        /// Asked for.
        width: u32,
        /// Asked for.
        height: u32,
    },
    /// Out of range.
    #[error("{0} samples along the side of a pixel: 1 to 4 are possible")]
    Supersampling(u32),
    /// A camera that is flat or not finite.
    #[error("the camera sees nothing: its numbers are not finite, or its angle, height or range is zero")]
    Camera,
    /// Two arrays that go together have different lengths.
    #[error("{found} {what}, expected {expected}")]
    Count {
        /// Of what.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A triangle without its vertex.
    #[error("a triangle names vertex {found}, but there are {vertices}")]
    Vertex {
        /// Named.
        found: u32,
        /// How many there are.
        vertices: usize,
    },
    /// A look without its texture.
    #[error("a look names texture {found}, but there are {textures}")]
    Texture {
        /// Named.
        found: usize,
        /// How many there are.
        textures: usize,
    },
    /// Ids are 32 bits, and 0 means none.
    #[error("{0} triangles and points are more than can be numbered")]
    TooMany(usize),
    /// What a graphics device is not asked to draw; the processor draws it.
    #[error("not drawn on graphics devices: {0}")]
    Unsupported(String),
    /// The graphics device failed, or is too small.
    #[error("{0}")]
    Device(String),
}
