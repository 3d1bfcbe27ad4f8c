//! Structs that the processor fills and kernels read: every member lies where WGSL has it.

use crate::{
    node::{delta_mush, implicit::rows, skinning},
    normals,
    operator::KernelOperator,
    other_kernels, twins,
};
use supple_testkit::{layout, layout::Layout};

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

fn kernels() -> Vec<(&'static str, String)> {
    twins().iter().map(|t| (t.file, t.source.clone())).chain(other_kernels()).collect()
}

#[test]
fn every_struct_of_a_kernel_lies_where_the_kernel_reads_it() {
    for (file, text) in kernels() {
        // The device alone fills and reads what is near.
        layout::assert_same(file, &text, &layouts(file), &["Near"]);
    }
}

#[test]
fn the_room_for_what_is_near_is_as_large_as_its_struct() {
    let (_, text) = kernels().into_iter().find(|(file, _)| *file == "implicit/track.wgsl").expect("it is there");
    assert_eq!(layout::in_shader(&text, "Near").size, crate::node::implicit::NEAR_BYTES);
}
