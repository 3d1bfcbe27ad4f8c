use super::{MeasureError, PointGauge, weld::weld};
use crate::{
    deform::Clock,
    graph::{BoundGraph, DeformGraph, GraphError},
    pose::{self, Motion, Pose, PoseError},
    rig::{Rig, Topology},
};
use glam::{DVec3, Vec3};
use serde::Serialize;
use thiserror::Error;

/// Frames a second, for methods that ask for the time: a bend by thirty degrees in a second.
const FPS: f64 = 30.0;

/// How evenly skin follows a joint that is bent by one degree a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct FlickerFigures {
    /// The farthest that a vertex goes in one frame, over the same for dual quaternions.
    pub flicker: Option<f64>,
    /// The largest second difference of a vertex, x(k+1) - 2 x(k) + x(k-1), in mean edges at rest; for point sets in
    /// mean spacings.
    pub flicker_second: Option<f64>,
}

/// Why flicker cannot be measured.
#[derive(Debug, Error)]
pub enum FlickerError {
    /// The joint cannot be bent.
    #[error(transparent)]
    Pose(#[from] PoseError),
    /// Dual quaternions, with which the method is compared, do not fit the rig.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The rig cannot be measured.
    #[error(transparent)]
    Measure(#[from] MeasureError),
    /// One degree a frame, at least two steps, at most a few turns.
    #[error("flicker over {degrees} degrees: 2 to 720 are possible, either way")]
    Degrees {
        /// What was asked for.
        degrees: f64,
    },
}

/// Bends a joint from the bind pose to so many degrees, one degree a frame, about the axis (in the parent's frame; the
/// joint's own hinge without one), one frame after the other.
///
/// # Panics
/// When the graph is bound to another rig.
pub fn flicker(
    rig: &Rig,
    bound: &mut BoundGraph,
    joint: &str,
    degrees: f64,
    axis: Option<DVec3>,
) -> Result<FlickerFigures, FlickerError> {
    if !(2.0..=720.0).contains(&degrees.abs()) {
        return Err(FlickerError::Degrees { degrees });
    }
    let steps = degrees.abs().floor() as usize;
    let joint = pose::joint(rig, joint)?;
    let axis = pose::hinge(rig, joint, axis)?;
    let motions = (0..=steps).map(|k| {
        let mut pose = Pose::rest(rig);
        pose.turn(joint, axis, k as f64 * degrees.signum());
        Motion::of(rig, &pose)
    });
    let motions: Vec<Motion> = motions.collect();
    let mut reference = DeformGraph::single("dual-quaternion")?.bind(rig)?;
    let found = unevenness(&rig.mesh.positions, bound, &motions);
    let smooth = unevenness(&rig.mesh.positions, &mut reference, &motions);
    let unit = unit(rig)?;
    let finite = found.0.is_finite() && found.1.is_finite();
    Ok(FlickerFigures {
        flicker: (finite && smooth.0 > 0.0).then(|| found.0 / smooth.0),
        flicker_second: unit.filter(|_| finite).map(|unit| found.1 / unit),
    })
}

/// The largest first and second difference over time; infinite where a point is not finite.
fn unevenness(rest: &[Vec3], bound: &mut BoundGraph, motions: &[Motion]) -> (f64, f64) {
    let (mut before, mut last): (Vec<Vec3>, Vec<Vec3>) = (Vec::new(), Vec::new());
    let (mut first, mut second) = (0.0f64, 0.0f64);
    let larger = |a: f64, b: f64| if b.is_nan() { f64::INFINITY } else { a.max(b) };
    for (k, motion) in motions.iter().enumerate() {
        let now = bound.step(rest, motion, Clock::frame(k, 0, FPS));
        for (i, p) in now.iter().enumerate() {
            let p = p.as_dvec3();
            if let Some(l) = last.get(i).map(|p| p.as_dvec3()) {
                first = larger(first, p.distance(l));
                if let Some(b) = before.get(i).map(|p| p.as_dvec3()) {
                    second = larger(second, (p - l * 2.0 + b).length());
                }
            }
        }
        std::mem::swap(&mut before, &mut last);
        last.clear();
        last.extend_from_slice(now);
    }
    (first, second)
}

fn unit(rig: &Rig) -> Result<Option<f64>, MeasureError> {
    let points = &rig.mesh.positions;
    if rig.mesh.triangles.is_empty() {
        return Ok(PointGauge::new(points)?.mean_spacing());
    }
    super::surface::check_triangles(points.len(), &rig.mesh.triangles)?;
    let weld = weld(points);
    let triangles = weld.triangles(&rig.mesh.triangles);
    let topology = Topology::welded(weld, triangles);
    let at = |i: u32| points[topology.weld.first_of[i as usize] as usize].as_dvec3();
    let sum: f64 = topology.edges.iter().map(|&[a, b]| at(a).distance(at(b))).sum();
    Ok((sum > 0.0).then(|| sum / topology.edges.len() as f64))
}
