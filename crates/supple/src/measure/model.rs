//! How a point set keeps its height over the sphere-mesh it is modelled on, and whether it finds its way back.

use super::MeasureError;
use crate::{
    graph::{BoundGraph, DeformGraph, GraphError},
    pose::{Motion, Pose},
    rig::{Joint, Rig, Skeleton, SphereMesh},
};
use glam::{DVec3, Vec3};
use serde::Serialize;

/// How much of the local radius a point may sink before it counts.
const SUNK: f64 = 0.1;

/// Figures of a moved point set over its moved model; none where a coordinate is not finite or the model has no bones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ModelFigures {
    /// Share of points more than a tenth of the local radius below their rest height over the model.
    pub sunk: Option<f64>,
    /// The largest change of height over the height at rest; only for points that lie at one height (within 1 %) outside
    /// the model, since elsewhere a height may be nought.
    pub offset: Option<f64>,
}

/// Whether a method finds its way back, over the diagonal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ReturnFigures {
    /// Moved to a pose and back to rest by one bound graph: the largest distance from the rest points.
    pub there_and_back: f64,
    /// Bound again in the pose and moved back: the same. None where the method refuses the posed rig.
    pub encoded_again: Option<f64>,
}

/// Heights over a model, at rest and moved.
///
/// # Errors
/// When there are not as many moved points as points at rest.
pub fn over_model(
    model: &SphereMesh,
    moved_model: &SphereMesh,
    rest: &[Vec3],
    posed: &[Vec3],
) -> Result<ModelFigures, MeasureError> {
    if rest.len() != posed.len() {
        return Err(MeasureError::Counts { rest: rest.len(), posed: posed.len() });
    }
    let (mut sunk, mut change) = (0usize, 0.0_f64);
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for (a, b) in rest.iter().zip(posed) {
        let heights = model.height(a.as_dvec3()).zip(moved_model.height(b.as_dvec3()));
        let Some((before, after)) = heights.filter(|(x, y)| x.height.is_finite() && y.height.is_finite()) else {
            return Ok(ModelFigures::default());
        };
        sunk += usize::from(before.height - after.height > SUNK * before.radius);
        change = change.max((after.height - before.height).abs());
        (low, high) = (low.min(before.height), high.max(before.height));
    }
    let constant = low > 0.0 && high - low <= 0.01 * high;
    let sunk = (!rest.is_empty()).then(|| sunk as f64 / rest.len() as f64);
    Ok(ModelFigures { sunk, offset: constant.then(|| change / low) })
}

/// Moves a rig to a pose and back, and binds it again there. `bound` is the graph bound to the rig.
///
/// # Errors
/// When the graph does not suit the rig.
pub fn there_and_back(
    rig: &Rig,
    graph: &DeformGraph,
    bound: &mut BoundGraph,
    pose: &Pose,
) -> Result<ReturnFigures, GraphError> {
    let rest = &rig.mesh.positions;
    let diagonal = f64::from(rig.diagonal());
    let farthest = |points: &[Vec3]| {
        let distance = |(p, r): (&Vec3, &Vec3)| p.as_dvec3().distance(r.as_dvec3());
        let worst =
            points.iter().zip(rest).map(distance).fold(0.0, |a: f64, b| if b > a || b.is_nan() { b } else { a });
        worst / diagonal
    };
    let motion = Motion::of(rig, pose);
    let moved = bound.evaluate(rest, &motion).to_vec();
    let there_and_back = farthest(bound.evaluate(rest, &Motion::of(rig, &Pose::rest(rig))));
    let encoded_again = posed_rig(rig, moved, &motion).and_then(|posed| {
        let mut bound = graph.bind(&posed).ok()?;
        let back = Pose { local: Pose::rest(rig).local, morph_weights: vec![0.0; posed.morphs.len()] };
        Some(farthest(bound.evaluate(&posed.mesh.positions, &Motion::of(&posed, &back))))
    });
    Ok(ReturnFigures { there_and_back, encoded_again })
}

/// The rig with a pose for its rest; none where a joint of the pose cannot be undone.
fn posed_rig(rig: &Rig, points: Vec<Vec3>, motion: &Motion) -> Option<Rig> {
    let joint = |(joint, place): (&Joint, &glam::DAffine3)| Joint {
        rest_from_joint: *place,
        joint_from_rest: place.inverse(),
        ..joint.clone()
    };
    let joints = rig.skeleton.joints().iter().zip(&motion.posed_from_joint).map(joint).collect();
    let mut posed = Rig { skeleton: Skeleton::new(joints).ok()?, ..rig.clone() };
    posed.sphere_mesh = rig.sphere_mesh.as_ref().and_then(|m| moved_model(m, rig, motion));
    posed.mesh.positions = points;
    posed.mesh.normals = None;
    Some(posed)
}

/// A model whose spheres move with the joints that sit in their centres; none where a sphere has no joint.
pub fn moved_model(model: &SphereMesh, rig: &Rig, motion: &Motion) -> Option<SphereMesh> {
    let near = 1e-4 * f64::from(rig.diagonal());
    let joint_at = |center: DVec3| {
        let distance = |j: &usize| rig.skeleton.joints()[*j].rest_position().distance(center);
        (0..rig.skeleton.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).filter(|j| distance(j) <= near)
    };
    let mut moved = model.clone();
    for sphere in &mut moved.spheres {
        sphere.center = motion.posed_from_joint[joint_at(sphere.center)?].translation;
    }
    Some(moved)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{example, rig::Sphere};

    fn statue() -> Rig {
        example::statue(&example::StatueOptions { points: 3000 }).expect("a statue")
    }

    #[test]
    fn at_rest_nothing_sinks_and_everything_returns() {
        let rig = statue();
        let model = rig.sphere_mesh.clone().expect("its model");
        let rest = Motion::of(&rig, &Pose::rest(&rig));
        let moved = moved_model(&model, &rig, &rest).expect("every sphere has its joint");
        let figures = over_model(&model, &moved, &rig.mesh.positions, &rig.mesh.positions).expect("same points");
        assert_eq!(figures.sunk, Some(0.0));
        assert_eq!(figures.offset, None, "a statue has relief");
    }

    #[test]
    fn a_constant_offset_has_an_offset_figure() {
        let ball = |x: f64| Sphere { name: String::new(), center: DVec3::X * x, radius: 1.0 };
        let model = SphereMesh::new(vec![ball(0.0), ball(3.0)], vec![[0, 1]]).expect("a bone");
        let rest = [Vec3::new(1.0, 1.5, 0.0), Vec3::new(2.0, 0.0, -1.5), Vec3::new(-1.5, 0.0, 0.0)];
        let raised = rest.map(|p| p + p * Vec3::new(0.0, 0.1, 0.0));
        let offset = |posed: &[Vec3]| over_model(&model, &model, &rest, posed).expect("same points").offset;
        assert!(offset(&rest).is_some_and(|o| o < 1e-6));
        assert!(offset(&raised).is_some_and(|o| (o - 0.3).abs() < 1e-5), "{:?}", offset(&raised));
    }

    #[test]
    fn linear_skinning_sinks_in_a_bend_and_does_not_return_when_bound_again() {
        let rig = statue();
        let mut pose = Pose::rest(&rig);
        pose.bend(&rig, "elbow_l", 90.0, Some(DVec3::X)).expect("the joint exists");
        let graph = DeformGraph::single("linear").expect("registered");
        let motion = Motion::of(&rig, &pose);
        let posed = graph.bind(&rig).expect("it binds").evaluate(&rig.mesh.positions, &motion).to_vec();
        let model = rig.sphere_mesh.clone().expect("its model");
        let moved = moved_model(&model, &rig, &motion).expect("every sphere has its joint");
        let figures = over_model(&model, &moved, &rig.mesh.positions, &posed).expect("same points");
        assert!(figures.sunk.is_some_and(|s| s > 0.0), "{figures:?}");
        let back = there_and_back(&rig, &graph, &mut graph.bind(&rig).expect("it binds"), &pose).expect("it binds");
        assert!(back.there_and_back < 1e-6, "{back:?}");
        assert!(back.encoded_again.is_some_and(|e| e > 1e-4), "{back:?}");
    }

    #[test]
    fn a_rigid_turn_is_undone_exactly_even_when_bound_again() {
        let rig = statue();
        let mut pose = Pose::rest(&rig);
        pose.local[0] *= glam::DAffine3::from_rotation_z(1.0);
        let linear = DeformGraph::single("linear").expect("registered");
        let mut bound = linear.bind(&rig).expect("it binds");
        let back = there_and_back(&rig, &linear, &mut bound, &pose).expect("it binds");
        assert!(back.encoded_again.is_some_and(|e| e < 1e-6), "{back:?}");
    }
}
