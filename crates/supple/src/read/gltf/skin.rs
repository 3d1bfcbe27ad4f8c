//! Joints with their bind pose, from nodes and inverse bind matrices.
//!
//! glTF states a bind matrix per skin and joint, Supple one rest transform per joint. Each skin's mesh lives in a space
//! of its own; `rest_from_mesh` carries it to the rest space all skins share. With M the bind matrices, a joint at
//! G_rest = rest_from_mesh · M⁻¹ moves a rest vertex rest_from_mesh · p to G · M · p, exactly as glTF says.

use super::{container::Container, hierarchy::Hierarchy};
use crate::{
    math::Trs,
    read::{ReadError, Warnings},
    rig::{Joint, Role},
};
use glam::{DAffine3, DMat4, DVec3, DVec4};
use std::collections::HashSet;

/// The joints under construction, and what each skin made of them.
pub struct Binding {
    pub joints: Vec<Joint>,
    bound: Vec<bool>,
    pub skins: Vec<BoundSkin>,
}

/// A skin's joints in the skeleton, and where its meshes are at rest.
pub struct BoundSkin {
    /// Joint number for each entry of the skin's `joints`.
    pub joints: Vec<u16>,
    pub rest_from_mesh: DAffine3,
}

impl Binding {
    pub fn of(file: &Container, hierarchy: &Hierarchy, warnings: &mut Warnings) -> Result<Self, ReadError> {
        check_count(hierarchy.nodes.len())?;
        let joints: Vec<Joint> = hierarchy.nodes.iter().map(|&n| plain_joint(file, hierarchy, n)).collect();
        let bound = vec![false; joints.len()];
        let mut binding = Self { joints, bound, skins: Vec::new() };
        for skin in 0..file.root.skins.len() {
            binding.add_skin(file, hierarchy, skin, warnings)?;
        }
        binding.place_unbound(hierarchy);
        Ok(binding)
    }

    fn add_skin(
        &mut self,
        file: &Container,
        hierarchy: &Hierarchy,
        index: usize,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        let nodes = &file.root.skins[index].joints;
        let joint_of = |&n: &usize| hierarchy.joint_of[n].expect("joints of skins are kept");
        let joints: Vec<usize> = nodes.iter().map(joint_of).collect();
        let matrices = inverse_binds(file, hierarchy, index, warnings)?;
        let shared = joints.iter().position(|&j| self.bound[j]);
        let rest_from_mesh = match shared {
            Some(k) => snapped(self.joints[joints[k]].rest_from_joint * matrices[k]),
            None => placement(hierarchy, nodes, &matrices),
        };
        let mesh_from_rest = rest_from_mesh.inverse();
        let mut numbers = Vec::with_capacity(joints.len());
        for (k, &joint) in joints.iter().enumerate() {
            let joint_from_rest = matrices[k] * mesh_from_rest;
            let number = if !self.bound[joint] {
                self.bound[joint] = true;
                joint
            } else if joint_from_rest.abs_diff_eq(self.joints[joint].joint_from_rest, tolerance(&joint_from_rest)) {
                numbers.push(joint as u16);
                continue;
            } else {
                // Two skins bind one node differently: the second gets a joint of its own that follows the first.
                let mut copy = Joint::new(self.joints[joint].name.clone(), Some(joint), DAffine3::IDENTITY);
                copy.name = format!("{} (skin {index})", copy.name);
                self.joints.push(copy);
                self.bound.push(true);
                self.joints.len() - 1
            };
            self.joints[number].role = Role::Bone;
            self.joints[number].joint_from_rest = joint_from_rest;
            self.joints[number].rest_from_joint = joint_from_rest.inverse();
            numbers.push(number as u16);
        }
        self.skins.push(BoundSkin { joints: numbers, rest_from_mesh });
        check_count(self.joints.len())
    }

    /// Nodes that no skin binds stay where the file shows them, relative to what they hang on.
    fn place_unbound(&mut self, hierarchy: &Hierarchy) {
        for joint in 0..hierarchy.nodes.len() {
            if self.bound[joint] {
                continue;
            }
            let mut local = self.joints[joint].shown_local;
            if !invertible(&local) {
                // A prop hidden by scaling it to nothing still needs a place at rest.
                let trs = Trs::of(&local);
                local = Trs { scale: DVec3::ONE, ..trs }.affine();
            }
            let parent = self.joints[joint].parent;
            let rest = parent.map_or(local, |p| self.joints[p].rest_from_joint * local);
            self.joints[joint].rest_from_joint = rest;
            self.joints[joint].joint_from_rest = rest.inverse();
        }
    }
}

/// Before anything is made for each of them.
fn check_count(joints: usize) -> Result<(), ReadError> {
    let most = usize::from(u16::MAX);
    let what = || format!("{joints} joints, but at most {most} are supported");
    if joints > most { Err(ReadError::invalid("skins", what())) } else { Ok(()) }
}

fn plain_joint(file: &Container, hierarchy: &Hierarchy, node: usize) -> Joint {
    let parent = hierarchy.parent_of[node].and_then(|p| hierarchy.joint_of[p]);
    let hinge = file.root.nodes[node].extras.ours().and_then(|o| o.hinge.get()).copied();
    let name = file.root.nodes[node].name.clone().unwrap_or_else(|| format!("node {node}"));
    Joint {
        shown_local: hierarchy.local[node],
        role: Role::Frame,
        hinge: hinge.map(DVec3::from).and_then(DVec3::try_normalize),
        ..Joint::new(name, parent, DAffine3::IDENTITY)
    }
}

/// The inverse bind matrices of a skin, one per joint; those that cannot be used are replaced by the pose shown.
fn inverse_binds(
    file: &Container,
    hierarchy: &Hierarchy,
    index: usize,
    warnings: &mut Warnings,
) -> Result<Vec<DAffine3>, ReadError> {
    let skin = &file.root.skins[index];
    let Some(accessor) = skin.inverse_bind_matrices else {
        return Ok(vec![DAffine3::IDENTITY; skin.joints.len()]);
    };
    let place = || format!("skins[{index}].inverseBindMatrices");
    let array = file.array(accessor, &["MAT4"])?;
    if array.count < skin.joints.len() {
        let what = format!("{} matrices for {} joints", array.count, skin.joints.len());
        return Err(ReadError::invalid(place(), what));
    }
    let mut matrices = Vec::with_capacity(skin.joints.len());
    for (k, &node) in skin.joints.iter().enumerate() {
        let matrix = DMat4::from_cols_array(&array.numbers::<16>(k).map(f64::from));
        let affine = DAffine3::from_mat4(matrix);
        if !affine.is_finite() || !invertible(&affine) {
            warnings.push(place(), format!("matrix {k} is singular or not finite: the pose of node {node} is used"));
            let shown = hierarchy.shown[node];
            matrices.push(if invertible(&shown) { shown.inverse() } else { DAffine3::IDENTITY });
            continue;
        }
        if matrix.row(3).distance(DVec4::W) > 1e-3 {
            warnings.push(place(), format!("matrix {k} has last row {}: read as 0 0 0 1", matrix.row(3)));
        }
        matrices.push(affine);
    }
    Ok(matrices)
}

/// Where to put a skin's mesh at rest. Any choice moves the same; a good one makes the rest pose stand where the file
/// shows the character and have its size. Tried in turn: the mesh's own space, the space of the node above the
/// skeleton, and last the one that puts the root joint exactly where it is shown.
fn placement(hierarchy: &Hierarchy, nodes: &[usize], matrices: &[DAffine3]) -> DAffine3 {
    let in_skin: HashSet<usize> = nodes.iter().copied().collect();
    let top = |&k: &usize| hierarchy.parent_of[nodes[k]].is_none_or(|p| !in_skin.contains(&p));
    let Some(root) = (0..nodes.len()).find(top) else { return DAffine3::IDENTITY };
    let (shown, bind) = (hierarchy.shown[nodes[root]], matrices[root].inverse());
    if !invertible(&shown) {
        return DAffine3::IDENTITY;
    }
    let above = hierarchy.parent_of[nodes[root]].map_or(DAffine3::IDENTITY, |p| hierarchy.shown[p]);
    for candidate in [DAffine3::IDENTITY, above] {
        let (a, b) = (Trs::of(&(candidate * bind)), Trs::of(&shown));
        let size = a.scale / b.scale;
        let turned = a.rotation.angle_between(b.rotation);
        if invertible(&candidate) && (size - DVec3::ONE).abs().max_element() < 0.01 && turned < 1.0 {
            return snapped(candidate);
        }
    }
    let exact = shown * matrices[root];
    let scale = Trs::of(&exact).scale;
    let similar = (scale.abs() / scale.x.abs() - DVec3::ONE).abs().max_element() < 0.01;
    if similar && Trs::residual(&exact) < 0.01 * scale.x.abs() { snapped(exact) } else { DAffine3::IDENTITY }
}

/// Bind matrices are rounded to floats; a placement that is the identity but for that is the identity.
fn snapped(placement: DAffine3) -> DAffine3 {
    if placement.abs_diff_eq(DAffine3::IDENTITY, 1e-5) { DAffine3::IDENTITY } else { placement }
}

/// A hundred times the rounding of floats as large as the entries.
fn tolerance(m: &DAffine3) -> f64 {
    let largest = m.to_cols_array().iter().fold(1e-9, |most: f64, x| most.max(x.abs()));
    largest * 1e-5
}

fn invertible(m: &DAffine3) -> bool {
    let size = m.matrix3.to_cols_array().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    m.is_finite() && m.matrix3.determinant().abs() > 1e-9 * size.powi(3) && size > 0.0
}
