use crate::{
    graph::BoundGraph,
    pose::{Motion, Pose},
    rig::Rig,
};
use glam::{DAffine3, DQuat, DVec3, Vec3};
use serde::Serialize;

/// How well a method keeps what every method must keep; both are fractions of the diagonal at rest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ErrorFigures {
    /// The farthest that the rest pose is from the rest points.
    pub rest_error: f64,
    /// Every joint is moved by one rigid motion: the farthest that a point is from the same motion of its rest.
    pub rigid_error: f64,
}

/// Moves a rig by nothing and by one rigid motion (a turn of two radians about (1, 2, -1), a shift of 0.3 diagonals
/// along every axis), each in a frame alone.
///
/// # Panics
/// When the graph is bound to another rig.
pub fn errors(rig: &Rig, bound: &mut BoundGraph) -> ErrorFigures {
    let rest = &rig.mesh.positions;
    let diagonal = f64::from(rig.diagonal());
    let turn = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, -1.0).normalize(), 2.0);
    let motion = DAffine3::from_rotation_translation(turn, DVec3::splat(diagonal * 0.3));
    // A point that is not finite is infinitely far off, not skipped.
    let off = |found: &Vec3, expected: DVec3| {
        let distance = found.as_dvec3().distance(expected);
        if distance.is_nan() { f64::INFINITY } else { distance }
    };
    let farthest = |points: &[Vec3], to: &dyn Fn(DVec3) -> DVec3| {
        let distances = points.iter().zip(rest).map(|(p, r)| off(p, to(r.as_dvec3())));
        distances.fold(0.0, f64::max) / diagonal
    };
    let rest_error = farthest(bound.evaluate(rest, &Motion::of(rig, &Pose::rest(rig))), &|p| p);
    let moved = Motion::rigid(rig, motion);
    let rigid_error = farthest(bound.evaluate(rest, &moved), &|p| motion.transform_point3(p));
    ErrorFigures { rest_error, rigid_error }
}
