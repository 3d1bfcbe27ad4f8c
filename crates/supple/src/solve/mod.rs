//! Sparse symmetric systems: one table, one Cholesky factorisation, and the Laplacians of a surface.
//!
//! ```
//! use supple::{example, rig::Topology, solve::{Cholesky, Laplacian}};
//!
//! let rig = example::arm(&example::ArmOptions { vertices: 800, ..Default::default() })?;
//! let topology = Topology::of(&rig.mesh);
//! let laplacian = Laplacian::delaunay(&topology, &rig.mesh.positions);
//! let matrix = laplacian.stiffness.plus_diagonal(&laplacian.mass);
//! let mut x = laplacian.mass.clone();
//! Cholesky::of(&matrix)?.solve(&mut x);
//! assert!(x.iter().all(|x| (x - 1.0).abs() < 1e-9)); // L 1 = 0, so (L + M) 1 = M 1
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cholesky;
mod delaunay;
mod dissection;
mod laplacian;
mod symmetric;

pub use cholesky::{Cholesky, SolveError};
pub use laplacian::Laplacian;
pub use symmetric::Symmetric;
