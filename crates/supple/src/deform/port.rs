//! What flows between the nodes of a graph: points of the skin, numbers, handles and the like. All of it is rows of floats, so that
//! it crosses between the processor and a device as it is.

use super::Space;
use glam::Vec3;
use std::fmt;

/// What a port takes or gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The points of the skin: one row for each vertex.
    Points(Space),
    /// One number for each vertex.
    Numbers,
    /// Affine maps, each three rows of four.
    Handles,
    /// Points of curves.
    Curves,
    /// Spheres: centre and radius.
    Spheres,
    /// One weight for each influence of the rig's weights.
    Weights,
}

impl Kind {
    /// Floats in a row.
    pub fn width(self) -> usize {
        match self {
            Self::Points(_) | Self::Curves => 3,
            Self::Numbers | Self::Weights => 1,
            Self::Handles => 12,
            Self::Spheres => 4,
        }
    }

    /// Whether there is one row for each vertex.
    pub fn is_per_vertex(self) -> bool {
        matches!(self, Self::Points(_) | Self::Numbers)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Points(Space::Rest) => "rest points",
            Self::Points(Space::Posed) => "posed points",
            Self::Points(Space::Same) => "points",
            Self::Numbers => "numbers, one for each vertex",
            Self::Handles => "handles",
            Self::Curves => "curves",
            Self::Spheres => "spheres",
            Self::Weights => "weights",
        })
    }
}

/// An input of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    /// What the method calls it.
    pub name: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// Whether the method does without. Such ports come last.
    pub is_optional: bool,
}

impl Port {
    /// A port that must be wired.
    pub const fn new(name: &'static str, kind: Kind) -> Self {
        Self { name, kind, is_optional: false }
    }

    /// A port that may be left out.
    pub const fn optional(name: &'static str, kind: Kind) -> Self {
        Self { name, kind, is_optional: true }
    }
}

/// What came in at one port in one frame.
#[derive(Clone, Copy, Debug, Default)]
pub struct Values<'a> {
    /// Row after row.
    pub floats: &'a [f32],
}

impl<'a> Values<'a> {
    /// Points.
    pub fn of(points: &'a [Vec3]) -> Self {
        Self { floats: bytemuck::cast_slice(points) }
    }

    /// As points of the skin or of curves.
    pub fn points(self) -> &'a [Vec3] {
        bytemuck::cast_slice(self.floats)
    }

    /// As rows of so many floats: 12 for handles, 4 for spheres.
    pub fn rows<const WIDTH: usize>(self) -> &'a [[f32; WIDTH]] {
        self.floats.as_chunks().0
    }
}

/// The memory that a node of points writes to, as points.
pub fn points_of(out: &mut [f32]) -> &mut [Vec3] {
    bytemuck::cast_slice_mut(out)
}
