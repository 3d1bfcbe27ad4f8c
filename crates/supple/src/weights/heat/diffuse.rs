use super::source::Source;
use crate::solve::{Cholesky, Laplacian, SolveError, Symmetric};
use glam::Vec3;

/// The least conductance of an edge: right angles have none, and a point held by none would be tied to nothing.
const CONDUCTANCE: f64 = 1e-6;
/// The least mass of a point, over the mean: points of triangles without area still take heat.
const MASS: f64 = 1e-6;
/// Columns solved and thinned out at a time, so that memory does not grow with the number of bones.
const TOGETHER: usize = 32;
/// Weights below this never become an influence, unless all are.
const TRACE: f64 = 1e-3;

/// A weight found by diffusion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Share {
    pub point: u32,
    pub joint: u16,
    pub weight: f32,
}

/// Lets the heat of the sources spread over one component: (L + M H) w_j = M H p_j for every joint j among them.
///
/// `local` numbers the points of the component; `sources` are those of its points, and there is at least one.
pub(super) fn diffuse(
    laplacian: &Laplacian,
    place: impl Fn(u32) -> Vec3,
    mean_mass: f64,
    points: &[u32],
    local: &[u32],
    sources: &[Source],
) -> Result<Vec<Share>, SolveError> {
    let size = points.len();
    let mass = |point: u32| laplacian.mass[point as usize].max(MASS * mean_mass);
    let mut diagonal = vec![0.0; size];
    let mut off = Vec::with_capacity(3 * size);
    for (i, &point) in (0u32..).zip(points) {
        let (rows, values) = laplacian.stiffness.column(point as usize);
        for (&row, &value) in rows[1..].iter().zip(&values[1..]) {
            let (j, conductance) = (local[row as usize], (-value).max(CONDUCTANCE));
            diagonal[i as usize] += conductance;
            diagonal[j as usize] += conductance;
            off.push(([i, j], -conductance));
        }
    }
    for s in sources {
        diagonal[local[s.point as usize] as usize] += mass(s.point) * s.heat;
    }
    let places: Vec<Vec3> = points.iter().map(|&p| place(p)).collect();
    let matrix = Symmetric::new(&diagonal, off);
    let factor = Cholesky::on_surface(&matrix, &places)?;

    let mut by_joint = sources.to_vec();
    by_joint.sort_by_key(|s| s.joint);
    let joints: Vec<&[Source]> = by_joint.chunk_by(|a, b| a.joint == b.joint).collect();
    let mut shares = Vec::new();
    let mut columns = vec![0.0; size * TOGETHER.min(joints.len())];
    for batch in joints.chunks(TOGETHER) {
        let columns = &mut columns[..size * batch.len()];
        columns.fill(0.0);
        for (sources, column) in batch.iter().zip(columns.chunks_mut(size)) {
            for s in *sources {
                column[local[s.point as usize] as usize] += mass(s.point) * s.heat;
            }
        }
        factor.solve(columns);
        for (sources, column) in batch.iter().zip(columns.chunks(size)) {
            for (&point, &weight) in points.iter().zip(column) {
                if weight > TRACE {
                    shares.push(Share { point, joint: sources[0].joint, weight: weight as f32 });
                }
            }
        }
    }
    Ok(shares)
}
