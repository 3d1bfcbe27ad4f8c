//! Structs that the processor fills and kernels read: every member lies where WGSL has it.

use crate::{
    node::{delta_mush, implicit::rows, skinning},
    normals,
    operator::KernelOperator,
    other_kernels, twins,
};
use naga::{Module, TypeInner};
use std::{
    collections::{BTreeMap, HashSet},
    mem::offset_of,
};

/// Members by name, with offset and size in bytes; and the size of all.
#[derive(Debug, PartialEq)]
struct Layout {
    members: BTreeMap<String, [usize; 2]>,
    size: usize,
}

fn size_of_member<T, M>(_: impl Fn(&T) -> &M) -> usize {
    size_of::<M>()
}

macro_rules! layout {
    ($of:ty: $($member:ident),+) => {
        Layout {
            members: BTreeMap::from([$((
                stringify!($member).to_owned(),
                [offset_of!($of, $member), size_of_member(|all: &$of| &all.$member)],
            )),+]),
            size: size_of::<$of>(),
        }
    };
}

/// The layouts of a kernel's structs on the processor, under their names in WGSL.
fn layouts(file: &str) -> Vec<(&'static str, Layout)> {
    let mut shared = vec![
        ("Params", layout!(skinning::Params: vertices, wide, scaled, unused)),
        ("WideRow", layout!(skinning::WideRow: vertex, begin, end)),
        ("WideInfluence", layout!(skinning::WideInfluence: joint, weight)),
    ];
    let joint = match file {
        "skinning/linear.wgsl" => layout!(skinning::LinearJoint: x, y, z),
        "skinning/dual_quaternion.wgsl" => layout!(skinning::DualQuaternionJoint: real, dual, stretch),
        "skinning/stretch_twist.wgsl" => layout!(
            skinning::StretchTwistJoint: x, y, z, head, head_twist, axis, tail_twist, shift, is_active
        ),
        "skinning/rotation_center.wgsl" => layout!(skinning::RotationCenterJoint: x, y, z, rotation, stretch),
        "skinning/delta_mush.wgsl" => {
            return vec![
                ("Params", layout!(delta_mush::Params: vertices, scaled, unit, keep)),
                ("Joint", layout!(delta_mush::Joint: x, y, z, stretch_x, stretch_y, stretch_z)),
                ("Influence", layout!(supple::deform::skinning::Influence: joint, share, first, second)),
            ];
        }
        "implicit/track.wgsl" => return implicit(),
        "normals.wgsl" => return vec![("Params", layout!(normals::Params: vertices, triangles, scale, least))],
        _ => return Vec::new(),
    };
    shared.push(("Joint", joint));
    shared
}

fn implicit() -> Vec<(&'static str, Layout)> {
    let params = layout!(
        rows::Params: points, vertices, limbs, joined, sigma, contact, least, farthest, diffusion, folds, carries, groups,
        turned, first_of, limb_joints, chunk_joints, ring_starts, ring, phi, pair_of, pairs, doubts
    );
    let known = layout!(
        rows::Known: iso, own, deficit, edge, packed, merged, radius, ring, phi, rest, past, pair, other, is_first,
        is_doubted
    );
    vec![
        ("Params", params),
        ("Known", known),
        ("Dispatch", layout!(rows::Dispatch: turn, steps, here, round)),
        ("Vertex", layout!(rows::Vertex: point, amount)),
        ("PosedLimb", layout!(rows::PosedLimb: x, y, z, nodes, first)),
        ("Fold", layout!(rows::Fold: at, bend, towards, turned, across, radius)),
        ("Operator", layout!(KernelOperator: kind, size, unused, blend0, blend1, bulge0, bulge1)),
    ]
}

fn kernels() -> Vec<(&'static str, Module)> {
    let all = twins().iter().map(|t| (t.file, t.source.clone())).chain(other_kernels());
    all.map(|(file, text)| (file, naga::front::wgsl::parse_str(&text).expect("it is sound"))).collect()
}

fn layout_of(module: &Module, name: &str) -> Layout {
    let (_, found) = module.types.iter().find(|(_, t)| t.name.as_deref() == Some(name)).expect(name);
    let TypeInner::Struct { members, span } = &found.inner else { panic!("{name} is no struct") };
    let size = |of| module.types[of].inner.size(module.to_ctx()) as usize;
    let member = |m: &naga::StructMember| (m.name.clone().expect("a name"), [m.offset as usize, size(m.ty)]);
    Layout { members: members.iter().map(member).collect(), size: *span as usize }
}

#[test]
fn every_member_of_a_struct_lies_where_its_kernel_reads_it() {
    for (file, module) in kernels() {
        for (name, expected) in layouts(file) {
            assert_eq!(layout_of(&module, name), expected, "{name} of {file}");
        }
    }
}

#[test]
fn no_kernel_reads_a_struct_that_is_not_compared() {
    for (file, module) in kernels() {
        let compared: HashSet<&str> = layouts(file).into_iter().map(|(name, _)| name).collect();
        for (_, variable) in module.global_variables.iter().filter(|(_, v)| v.binding.is_some()) {
            let of = match module.types[variable.ty].inner {
                TypeInner::Array { base, .. } => &module.types[base],
                _ => &module.types[variable.ty],
            };
            let name = of.name.as_deref().unwrap_or_default();
            // The device alone fills and reads what is near.
            let is_ours = matches!(of.inner, TypeInner::Struct { .. }) && name != "Near";
            assert!(!is_ours || compared.contains(name), "{file}: {name} is compared with nothing");
        }
    }
}

#[test]
fn the_room_for_what_is_near_is_as_large_as_its_struct() {
    let (_, module) = kernels().into_iter().find(|(file, _)| *file == "implicit/track.wgsl").expect("it is there");
    assert_eq!(layout_of(&module, "Near").size, crate::node::implicit::NEAR_BYTES);
}
