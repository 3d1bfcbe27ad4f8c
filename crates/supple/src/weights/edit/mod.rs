//! Weights that are there already, changed: [`smooth`], [`limit`], [`prune`], [`normalize`], [`mirror`], [`transfer`].
//!
//! Each takes a table and gives a new one, with a report of what it did. Rows of the result sum to one, copies of a
//! vertex along a seam that had one row before have one row after, and the number of threads does not matter.
//!
//! ```
//! use supple::{example, weights::edit::{self, LimitOptions, SmoothOptions}};
//!
//! let rig = example::hand(&example::HandOptions { vertices: 2000, ..Default::default() })?;
//! let weights = rig.weights.as_ref().unwrap();
//! let (smooth, _) = edit::smooth(&rig.mesh, weights, &SmoothOptions::default())?;
//! let (two, report) = edit::limit(&smooth, &LimitOptions { influences: 2, continuous: true })?;
//! assert_eq!(two.most_influences(), 2);
//! assert!(report.changed > 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod limit;
mod mirror;
mod nearest;
mod normalize;
mod prune;
mod row;
mod smooth;
#[cfg(test)]
mod tests;
mod transfer;

pub use limit::{LimitOptions, limit};
pub(crate) use mirror::sides;
pub use mirror::{Axis, JointPair, MirrorOptions, MirrorReport, PairedBy, Side, Unpaired, mirror, pair_joints};
pub use normalize::{NormalizeOptions, normalize};
pub use prune::{PruneOptions, prune};
pub use smooth::{SmoothOptions, smooth};
pub use transfer::{Carried, Replaced, TransferOptions, TransferReport, Transferred, transfer};

use crate::{
    rig::{Mesh, Skeleton, Weights},
    solve::SolveError,
};
use serde::Serialize;
use thiserror::Error;

/// Why weights cannot be changed as asked.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum EditError {
    /// A row belongs to a vertex.
    #[error("{rows} rows of weights and {vertices} vertices: there must be one for each")]
    Rows {
        /// Rows of the table.
        rows: usize,
        /// Vertices of the mesh.
        vertices: usize,
    },
    /// A row names a joint that is not there.
    #[error("the weights name joint {joint}, and there are {joints}")]
    Joint {
        /// The joint named.
        joint: u16,
        /// How many there are.
        joints: usize,
    },
    /// A triangle names a vertex that is not there.
    #[error("triangle {triangle} names vertex {vertex}, and there are {vertices}")]
    Triangle {
        /// The triangle.
        triangle: usize,
        /// The vertex it names.
        vertex: u32,
        /// How many there are.
        vertices: usize,
    },
    /// A setting outside its range.
    #[error("{setting} {value}: {range}")]
    Setting {
        /// Which.
        setting: &'static str,
        /// What was asked for.
        value: String,
        /// What is possible.
        range: &'static str,
    },
    /// There is nothing to mirror or to take over.
    #[error("the rig \"{name}\" has no weights")]
    Unweighted {
        /// The rig.
        name: String,
    },
    /// The rig to take weights from has no place to look for them.
    #[error("\"{name}\" has no point with finite coordinates to take weights from")]
    NoSurface {
        /// The rig.
        name: String,
    },
    /// Two skeletons without a name in common.
    #[error(
        "no joint of \"{source_name}\" (\"{source_joint}\", …) has the name of a joint of \"{target_name}\" (\"{target_joint}\", …)"
    )]
    NothingMatches {
        /// The rig with weights.
        source_name: String,
        /// One of its joints.
        source_joint: String,
        /// The rig without.
        target_name: String,
        /// One of its joints.
        target_joint: String,
    },
    /// Which side is left is told by names alone.
    #[error(
        "no two joints are paired by left and right in their names: say the side that counts with a sign, as +x or -x (or +y, -y, +z, -z)"
    )]
    NoSides,
    /// The weights between matched vertices cannot be solved for.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// What a tool did to a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct EditReport {
    /// Vertices looked at.
    pub vertices: usize,
    /// Rows that are not what they were, by more than a rounding.
    pub changed: usize,
    /// The most any single weight changed.
    pub largest_change: f64,
    /// The mean over all vertices of the weight that went from one joint to another.
    pub mean_moved: f64,
    /// Entries of the table before.
    pub entries_before: usize,
    /// And after.
    pub entries_after: usize,
    /// The most influences a vertex had.
    pub influences_before: usize,
    /// And has.
    pub influences_after: usize,
}

impl EditReport {
    /// Compares two tables of the same vertices.
    pub fn between(before: &Weights, after: &Weights) -> Self {
        let mut report = Self {
            vertices: before.len(),
            entries_before: before.entries(),
            entries_after: after.entries(),
            influences_before: before.most_influences(),
            influences_after: after.most_influences(),
            ..Self::default()
        };
        let mut moved = 0.0;
        for v in 0..before.len().min(after.len()) {
            let (largest, sum) = row::difference(before.row(v), after.row(v));
            report.changed += usize::from(largest > 1e-6);
            report.largest_change = report.largest_change.max(largest);
            moved += 0.5 * sum;
        }
        report.mean_moved = if before.is_empty() { 0.0 } else { moved / before.len() as f64 };
        report
    }
}

/// A table that belongs to a mesh whose triangles are sound.
fn check_mesh(mesh: &Mesh, weights: Option<&Weights>) -> Result<(), EditError> {
    let vertices = mesh.positions.len();
    if let Some(rows) = weights.map(Weights::len).filter(|&rows| rows != vertices) {
        return Err(EditError::Rows { rows, vertices });
    }
    for (triangle, t) in mesh.triangles.iter().enumerate() {
        if let Some(&vertex) = t.iter().find(|&&v| v as usize >= vertices) {
            return Err(EditError::Triangle { triangle, vertex, vertices });
        }
    }
    Ok(())
}

fn check_joints(skeleton: &Skeleton, weights: &Weights) -> Result<(), EditError> {
    let joints = skeleton.len();
    match weights.largest_joint().filter(|&j| usize::from(j) >= joints) {
        Some(joint) => Err(EditError::Joint { joint, joints }),
        None => Ok(()),
    }
}

fn setting(setting: &'static str, value: f64, fits: bool, range: &'static str) -> Result<(), EditError> {
    if fits { Ok(()) } else { Err(EditError::Setting { setting, value: value.to_string(), range }) }
}
