use super::document::{self, Document, Layout};
use crate::{
    math::{Trs, rigid_and_scale},
    rig::{Joint, Rig, Role},
    write::Error,
};
use glam::{DAffine3, DMat3, DMat4, DQuat};
use gltf_json::{
    Accessor, Index, Node, Skin,
    accessor::{ComponentType, Type},
    scene::UnitQuaternion,
};
use serde_json::{Map, json};

/// The skin, and the node everything hangs on.
#[derive(Default)]
pub(super) struct Written {
    pub skin: Option<Index<Skin>>,
    pub root: Option<Index<Node>>,
}

/// Joint i becomes node i; wrappers come after them.
pub(super) fn write(document: &mut Document, rig: &Rig) -> Result<Written, Error> {
    let joints = rig.skeleton.joints();
    if joints.is_empty() {
        return Ok(Written::default());
    }
    let mut nodes = vec![None; joints.len()];
    let mut roots = Vec::new();
    for (joint, top) in add(document, rig, &mut nodes)? {
        match joints[joint].parent {
            Some(parent) => document.root.nodes[parent].children.get_or_insert_default().push(top),
            None => roots.push(top),
        }
    }
    let root = common_root(document, roots);
    let inverse = inverse_binds(document, rig, 0..joints.len(), DAffine3::IDENTITY)?;
    let skin = document.root.push(Skin {
        joints: (0..joints.len() as u32).map(Index::new).collect(),
        inverse_bind_matrices: Some(inverse),
        skeleton: None,
        name: document::name(&rig.name),
        extensions: None,
        extras: None,
    });
    Ok(Written { skin: Some(skin), root: Some(root) })
}

/// The node that holds several roots together.
pub(super) fn common_root(document: &mut Document, roots: Vec<Index<Node>>) -> Index<Node> {
    match roots.as_slice() {
        [only] => *only,
        _ => document.root.push(Node { children: Some(roots), ..wrapper("skeleton".to_owned()) }),
    }
}

/// The bind matrices of some joints for a mesh that is put into the rest space by `rest_from_mesh`.
pub(super) fn inverse_binds(
    document: &mut Document,
    rig: &Rig,
    joints: impl IntoIterator<Item = usize>,
    rest_from_mesh: DAffine3,
) -> Result<Index<Accessor>, Error> {
    let all = rig.skeleton.joints();
    let mut matrices = Vec::new();
    for joint in joints {
        let matrix = DMat4::from(all[joint].joint_from_rest * rest_from_mesh).as_mat4().to_cols_array();
        if matrix.iter().any(|x| !x.is_finite()) {
            return Err(Error::Joint { joint, name: all[joint].name.clone() });
        }
        matrices.push(matrix);
    }
    document.array(&matrices, Layout(ComponentType::F32, Type::Mat4), None)
}

/// Nodes for the joints that have none yet; wrappers come after them. Gives the node on top of each new one, which is to
/// be hung on its parent.
pub(super) fn add(
    document: &mut Document,
    rig: &Rig,
    nodes: &mut [Option<Index<Node>>],
) -> Result<Vec<(usize, Index<Node>)>, Error> {
    let joints = rig.skeleton.joints();
    let mut animated = vec![false; joints.len()];
    for track in rig.clips.iter().flat_map(|c| c.tracks()) {
        if let Some(animated) = track.channel.joint().and_then(|j| animated.get_mut(j)) {
            *animated = true;
        }
    }
    let (mut wrapped, mut tops) = (Vec::new(), Vec::new());
    for (i, joint) in joints.iter().enumerate() {
        if nodes[i].is_some() {
            continue;
        }
        let too_large = || Error::Joint { joint: i, name: joint.name.clone() };
        let mut node = Node { name: document::name(&joint.name), extras: extras(joint), ..Node::default() };
        // Channels replace the parts of a transform, so where there are channels the shear is lost in any case.
        match split(&joint.shown_local).filter(|_| !animated[i]) {
            None => place(&mut node, &Trs::of(&joint.shown_local)).ok_or_else(too_large)?,
            Some((outer, inner)) => {
                let mut wrapper = wrapper(format!("{} shear", joint.name));
                place(&mut wrapper, &outer).ok_or_else(too_large)?;
                place(&mut node, &inner).ok_or_else(too_large)?;
                wrapped.push((tops.len(), wrapper));
            }
        }
        let node = document.root.push(node);
        nodes[i] = Some(node);
        tops.push((i, node));
    }
    for (at, mut wrapper) in wrapped {
        wrapper.children = Some(vec![tops[at].1]);
        tops[at].1 = document.root.push(wrapper);
    }
    Ok(tops)
}

fn wrapper(name: String) -> Node {
    let extras = document::supple(Map::from_iter([("role".to_owned(), json!("wrapper"))]));
    Node { name: Some(name), extras, ..Node::default() }
}

fn extras(joint: &Joint) -> gltf_json::Extras {
    let mut map = Map::new();
    if joint.role == Role::Frame {
        map.insert("role".into(), json!("frame"));
    }
    if let Some(axis) = joint.hinge {
        map.insert("hinge".into(), json!(axis.to_array()));
    }
    document::supple(map)
}

/// Gives a node its transform; none where it does not fit into floats.
fn place(node: &mut Node, trs: &Trs) -> Option<()> {
    let (translation, scale) = (trs.translation.as_vec3(), trs.scale.as_vec3());
    let rotation = trs.rotation.normalize().as_quat();
    if !(translation.is_finite() && scale.is_finite() && rotation.is_finite()) {
        return None;
    }
    node.translation = (translation != glam::Vec3::ZERO).then_some(translation.to_array());
    node.rotation = (rotation != glam::Quat::IDENTITY).then_some(UnitQuaternion(rotation.to_array()));
    node.scale = (scale != glam::Vec3::ONE).then_some(scale.to_array());
    Some(())
}

/// A sheared transform as two that have none, since a glTF node cannot: with the symmetric part of `M = R S` taken
/// apart as `S = V L V⁻¹`, the outer node is `R V L` and the inner one `V⁻¹`. None where one node is enough.
fn split(affine: &DAffine3) -> Option<(Trs, Trs)> {
    let size = affine.matrix3.to_cols_array().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    if Trs::residual(affine) <= 1e-6 * size {
        return None;
    }
    let polar = rigid_and_scale(affine);
    let (axes, scale) = eigen(polar.scale);
    let rotation = polar.rotation * axes;
    let outer = Trs { translation: affine.translation, rotation, scale };
    Some((outer, Trs { rotation: axes.inverse(), ..Trs::IDENTITY }))
}

/// Axes and values of a symmetric matrix, by Jacobi's rotations.
fn eigen(mut m: DMat3) -> (DQuat, glam::DVec3) {
    let mut axes = DMat3::IDENTITY;
    for _ in 0..12 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let (a, b, off) = (m.col(p)[p], m.col(q)[q], m.col(q)[p]);
            let angle = 0.5 * (2.0 * off).atan2(b - a);
            let (sin, cos) = angle.sin_cos();
            let mut turn = DMat3::IDENTITY;
            turn.col_mut(p)[p] = cos;
            turn.col_mut(q)[q] = cos;
            turn.col_mut(q)[p] = sin;
            turn.col_mut(p)[q] = -sin;
            m = turn.transpose() * m * turn;
            axes *= turn;
        }
    }
    (DQuat::from_mat3(&axes).normalize(), glam::DVec3::new(m.x_axis.x, m.y_axis.y, m.z_axis.z))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    #[test]
    fn a_sheared_transform_is_two_without_shear() {
        for mirror in [1.0, -1.0] {
            let turned = DAffine3::from_scale_rotation_translation(
                DVec3::new(mirror, 2.0, 0.3),
                DQuat::from_rotation_x(0.4) * DQuat::from_rotation_z(1.0),
                DVec3::new(1.0, 2.0, 3.0),
            );
            let sheared = DAffine3::from_scale(DVec3::new(1.0, 3.0, 0.5)) * turned;
            let (outer, inner) = split(&sheared).unwrap();
            assert!((outer.affine() * inner.affine()).abs_diff_eq(sheared, 1e-9));
            assert!(split(&turned).is_none());
        }
    }
}
