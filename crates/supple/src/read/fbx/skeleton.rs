use super::{super::text::quoted, ReadError, Warnings, affine};
use crate::rig::{Joint, Role};
use glam::DAffine3;

/// The nodes that became joints.
pub(super) struct Joints {
    pub(super) list: Vec<Joint>,
    /// Joint of each node, by its `typed_id`.
    of_node: Vec<Option<u16>>,
}

impl Joints {
    /// Bones, what skins name, and in a file that has any also the nodes of props; with all they hang on.
    pub(super) fn of(scene: &ufbx::Scene, warnings: &mut Warnings) -> Result<Self, ReadError> {
        let count = scene.nodes.len();
        let (mut wanted, mut bone) = (vec![false; count], vec![false; count]);
        let mut bind: Vec<Option<DAffine3>> = vec![None; count];
        for node in scene.nodes.iter().filter(|n| n.bone.is_some()) {
            bone[node.element.typed_id as usize] = true;
        }
        for cluster in scene.skin_deformers.iter().flat_map(|skin| skin.clusters.iter()) {
            if let Some(node) = &cluster.bone_node {
                let id = node.element.typed_id as usize;
                bone[id] = true;
                bind[id].get_or_insert_with(|| affine(&cluster.bind_to_world));
            }
        }
        if !bone.contains(&true) {
            return Ok(Self { list: Vec::new(), of_node: vec![None; count] });
        }
        // A mesh that hangs on bones by its skin needs no joint of its own.
        let is_prop = |node: &ufbx::Node| node.mesh.as_deref().is_some_and(|mesh| skin(mesh).is_none());
        for node in scene.nodes.iter().filter(|n| bone[n.element.typed_id as usize] || is_prop(n)) {
            let mut above: Option<&ufbx::Node> = Some(node);
            while let Some(node) = above {
                // The scene's own root stands for nothing where it does nothing.
                let idle = node.is_root && affine(&node.node_to_parent) == DAffine3::IDENTITY;
                if idle || std::mem::replace(&mut wanted[node.element.typed_id as usize], true) {
                    break;
                }
                above = node.parent.as_deref();
            }
        }
        let mut joints = Self { list: Vec::new(), of_node: vec![None; count] };
        let mut open: Vec<&ufbx::Node> = vec![&scene.root_node];
        while let Some(node) = open.pop() {
            let id = node.element.typed_id as usize;
            open.extend(node.children.iter().rev().map(|child| &**child));
            if !wanted[id] {
                continue;
            }
            if joints.list.len() >= usize::from(u16::MAX) {
                return Err(ReadError::invalid("nodes", format!("more than {} joints", u16::MAX)));
            }
            let parent = node.parent.as_deref().and_then(|p| joints.find(p)).map(usize::from);
            joints.of_node[id] = Some(joints.list.len() as u16);
            let joint = joint(node, parent.map(|p| (p, &joints.list[p])), bind[id], bone[id], warnings)?;
            joints.list.push(joint);
        }
        Ok(joints)
    }

    /// The joint of a node.
    pub(super) fn find(&self, node: &ufbx::Node) -> Option<u16> {
        self.of_id(node.element.typed_id)
    }

    /// The joint of a node by its `typed_id`.
    pub(super) fn of_id(&self, id: u32) -> Option<u16> {
        self.of_node.get(id as usize).copied().flatten()
    }
}

fn joint(
    node: &ufbx::Node,
    parent: Option<(usize, &Joint)>,
    bind: Option<DAffine3>,
    is_bone: bool,
    warnings: &mut Warnings,
) -> Result<Joint, ReadError> {
    let place = || format!("node {}", quoted(&node.element.name));
    let shown_local = affine(&node.node_to_parent);
    if !shown_local.is_finite() {
        return Err(ReadError::invalid(place(), "its transform is not finite"));
    }
    let above = parent.map_or(DAffine3::IDENTITY, |(_, joint)| joint.rest_from_joint);
    let shown = above * shown_local;
    let mut rest = bind.unwrap_or(shown);
    if !invertible(&rest) {
        let mended = if bind.is_some() && invertible(&shown) {
            shown
        } else {
            above * DAffine3::from_translation(shown_local.translation)
        };
        warnings.push(place(), "its bind transform has no inverse: another is used");
        rest = mended;
    }
    Ok(Joint {
        shown_local,
        role: if is_bone { Role::Bone } else { Role::Frame },
        ..Joint::new(&*node.element.name, parent.map(|(index, _)| index), rest)
    })
}

fn invertible(m: &DAffine3) -> bool {
    let size = m.matrix3.to_cols_array().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    m.is_finite() && m.matrix3.determinant().abs() > 1e-12 * size.powi(3) && m.inverse().is_finite()
}

/// The skin that moves a mesh: the first that names a bone.
pub(super) fn skin(mesh: &ufbx::Mesh) -> Option<&ufbx::SkinDeformer> {
    mesh.skin_deformers.iter().map(|s| &**s).find(|s| s.clusters.iter().any(|c| c.bone_node.is_some()))
}
