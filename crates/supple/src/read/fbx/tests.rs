use super::*;
use crate::{
    pose::{Motion, Pose},
    rig::Role,
};
use glam::{DVec3, Vec3};

const ARM: &str = include_str!("arm.fbx");

fn load(text: &str) -> Result<(Rig, Vec<String>), String> {
    let mut warnings = Warnings::default();
    let rig = read(text.as_bytes(), &mut warnings).map_err(|e| e.to_string())?;
    Ok((rig, warnings.into_vec().iter().map(ToString::to_string).collect()))
}

#[test]
fn axes_and_units_become_y_up_and_metres() {
    let (rig, warned) = load(ARM).unwrap();
    assert!(rig.mesh.positions[2].abs_diff_eq(Vec3::new(0.5, 2.0, 0.0), 1e-6), "{:?}", rig.mesh.positions);
    assert_eq!(rig.mesh.triangles.len(), 2);
    let lower = rig.skeleton.find("lower").unwrap();
    assert!(rig.skeleton.joints()[lower].rest_position().abs_diff_eq(DVec3::Y, 1e-9));
    assert!(warned.iter().all(|w| w.starts_with("weights")), "{warned:?}");
}

#[test]
fn joints_weights_and_bind_agree() {
    let (rig, warned) = load(ARM).unwrap();
    let joints = rig.skeleton.joints();
    let names: Vec<_> = joints.iter().map(|j| (j.name.as_str(), j.role)).collect();
    assert_eq!(names, [("upper", Role::Bone), ("lower", Role::Bone)]);
    let weights = rig.weights.as_ref().unwrap();
    assert_eq!(weights.row(0), (&[0][..], &[1.0][..]));
    assert_eq!(weights.row(1), (&[0, 1][..], &[0.5, 0.5][..]));
    // Vertex 3 has no weights and lies nearer to the lower bone.
    assert_eq!(weights.row(3), (&[1][..], &[1.0][..]));
    assert!(warned.iter().any(|w| w.contains("vertex 3 has no weights")), "{warned:?}");
    for exact in Motion::of(&rig, &Pose::shown(&rig)).exact {
        assert!(exact.abs_diff_eq(glam::DAffine3::IDENTITY, 1e-9), "{exact}");
    }
}

#[test]
fn stacks_become_clips_and_shapes_morphs() {
    let (rig, _) = load(ARM).unwrap();
    let clip = rig.clip("bend").unwrap();
    assert!((clip.duration() - 1.0).abs() < 1e-3);
    let motion = Motion::of(&rig, &clip.sample(&rig, 1.0));
    // The tip, one metre above the lower joint, swings about x: in z-up terms from z to -y, here from y to z.
    let tip = motion.exact[1].transform_point3(DVec3::new(0.0, 2.0, 0.0));
    assert!(tip.abs_diff_eq(DVec3::new(0.0, 1.0, 1.0), 1e-5), "{tip}");
    let morph = &rig.morphs[0];
    assert_eq!((morph.name.as_str(), &morph.vertices[..], morph.default_weight), ("bulge", &[2][..], 0.25));
    assert!(morph.deltas[0].abs_diff_eq(Vec3::new(0.1, 0.0, 0.0), 1e-6));
}

#[test]
fn what_is_wrong_is_one_line() {
    for (text, expected) in [
        (String::new(), "file: "),
        ("v 0 0 0\nf 1 1 1\n".into(), "file: "),
        (ARM.replace("0,1,2,-4", "0,1,9,-4"), "file: "),
        (ARM.replace("50,0,0,50,0,200", "50,0,0,nan,0,200"), "mesh \"strip\": vertex 2 is at"),
        (ARM.replace("a: 0,0,0,50", "a: 0,0,1e300,50"), "mesh \"strip\": vertex 0 is at"),
    ] {
        let error = load(&text).unwrap_err();
        assert!(error.starts_with(expected) && !error.contains('\n'), "{error}");
    }
}

#[test]
fn a_bind_without_inverse_is_replaced() {
    let flat = "TransformLink: *16 {\n\t\t\ta: 1,0,0,0,0,1,0,0,0,0,0,0,0,0,100,1";
    let text = ARM.replace("TransformLink: *16 {\n\t\t\ta: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,100,1", flat);
    assert_ne!(text, ARM);
    let (rig, warned) = load(&text).unwrap();
    assert!(rig.skeleton.joints()[1].rest_position().abs_diff_eq(DVec3::Y, 1e-9));
    assert!(warned.iter().any(|w| w.contains("has no inverse")), "{warned:?}");
}

#[test]
fn a_file_without_bones_is_a_bare_mesh() {
    let text = ARM.split("\tModel: 201").next().unwrap().to_owned()
        + "}\nConnections: {\n\tC: \"OO\",200,0\n\tC: \"OO\",100,200\n}\n";
    let (rig, _) = load(&text).unwrap();
    assert_eq!((rig.mesh.positions.len(), rig.skeleton.len(), rig.weights), (4, 0, None));
}
