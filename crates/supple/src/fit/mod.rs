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

mod template;

pub use template::{FitError, FitOptions, FitReport, Heading, Template, template};
