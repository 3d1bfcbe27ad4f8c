//! Skeletons laid into skins that have none.
//!
//! ```
//! use supple::{example, fit::{self, FitOptions, Template}};
//!
//! let figure = example::figure(&example::FigureOptions { vertices: 3000, bones: 23 })?;
//! let (skeleton, report) = fit::template(&figure.mesh, Template::Human, &FitOptions::default())?;
//! assert!(skeleton.find("forearm_l").is_some());
//! assert!(report.confidence > 0.7 && report.outside.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod placement;
mod template;

pub use template::{FitError, FitOptions, FitReport, Heading, Template, template};

use crate::rig::{Mesh, Rig};

/// The skinned parts alone: a sword is no part of a body.
pub fn body(rig: &Rig) -> Mesh {
    let mut mesh = rig.mesh.clone();
    if rig.parts.iter().any(|p| !p.skinned) && rig.parts.iter().any(|p| p.skinned) {
        let parts = rig.parts.iter().filter(|p| p.skinned);
        let triangles =
            parts.filter_map(|p| rig.mesh.triangles.get(p.triangles.start as usize..p.triangles.end as usize));
        mesh.triangles = triangles.flatten().copied().collect();
    }
    mesh
}
