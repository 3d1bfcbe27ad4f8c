//! The real rigs of the shared data: they load as the manifest says, keep their rest pose, and survive being written.

use supple::{
    graph::{DeformGraph, methods},
    pose::{Clip, Motion, Pose, carry},
    read::{self, Format},
    rig::{Rig, Role},
    write,
};
use supple_testkit::{data, largest_distance};

/// Vertices as stored, joints per skin summed over distinct nodes, clips: from the manifest.
const EXPECTED: &[(&str, usize, usize)] = &[
    ("CesiumMan", 3273, 1),
    ("Fox", 1728, 3),
    ("RiggedFigure", 370, 1),
    ("RiggedSimple", 160, 1),
    ("SimpleSkin", 10, 1),
    ("RobotExpressive", 7214, 14),
    ("kaykit_Knight", 7024, 76),
    ("m2m_human", 8722, 1),
    ("m2m_fox", 1250, 14),
    ("m2m_horse", 2146, 14),
    ("m2m_dragon", 2905, 5),
    ("quaternius_Trex", 3496, 6),
    ("quaternius_Frog", 9840, 4),
    ("babylon_Alien", 13429, 1),
    ("makehuman_male_cmu", 13380, 4),
    ("makehuman_male_dense", 214_050, 2),
    ("hand_webxr_fist", 1360, 1),
    ("hand_webxr_flat", 1360, 0),
];

fn rigs() -> impl Iterator<Item = Rig> {
    data::files("rigged", &["glb"])
        .into_iter()
        .map(|f| read::path(&f).unwrap_or_else(|e| panic!("{}: {e}", f.display())).rig)
}

#[test]
fn every_rig_has_what_the_manifest_says() {
    for rig in rigs() {
        let (_, vertices, clips) =
            EXPECTED.iter().find(|e| e.0 == rig.name).unwrap_or_else(|| panic!("{} is new", rig.name));
        assert_eq!((rig.mesh.positions.len(), rig.clips.len()), (*vertices, *clips), "{}", rig.name);
    }
}

#[test]
fn the_rest_pose_of_every_rig_is_its_mesh() {
    for rig in rigs() {
        let motion = Motion::of(&rig, &Pose::rest(&rig));
        for method in methods().iter().filter(|m| m.stands_alone) {
            let mut bound = DeformGraph::single(method.name).unwrap().bind(&rig).unwrap();
            let error =
                largest_distance(bound.evaluate(&rig.mesh.positions, &motion), &rig.mesh.positions, rig.diagonal());
            assert!(error <= 1e-5, "{} by {}: {error}", rig.name, method.name);
        }
    }
}

#[test]
fn every_rig_survives_being_written() {
    for mut rig in rigs().filter(|r| r.mesh.positions.len() < 100_000) {
        // Without the file that it came from, into which it would go back as it was.
        rig.source = None;
        let mut bytes = Vec::new();
        write::gltf::rig(&rig, &mut bytes).unwrap_or_else(|e| panic!("{}: {e}", rig.name));
        let back = read::bytes(&rig.name, Format::Gltf, bytes, &read::resolve_nothing).unwrap();
        assert!(back.warnings.is_empty(), "{}: {:?}", rig.name, back.warnings);
        same(&rig, &back.rig);
    }
}

/// Everything equal, but for what floats in a file must lose.
fn same(a: &Rig, b: &Rig) {
    let name = &a.name;
    assert_eq!(a.mesh, b.mesh, "{name}: mesh");
    assert_eq!(a.parts, b.parts, "{name}: parts");
    assert_eq!(a.weights, b.weights, "{name}: weights");
    assert_eq!(a.materials, b.materials, "{name}: materials");
    assert_eq!(a.images, b.images, "{name}: images");
    assert_eq!(a.morphs, b.morphs, "{name}: morphs");
    assert_eq!(a.clips.len(), b.clips.len(), "{name}: clips");
    let size = f64::from(a.diagonal());
    for (x, y) in a.skeleton.joints().iter().zip(b.skeleton.joints()) {
        assert_eq!((&x.name, x.parent, x.role), (&y.name, y.parent, y.role), "{name}");
    }
    assert_eq!(a.skeleton.len(), b.skeleton.len());
    for (clip_a, clip_b) in a.clips.iter().zip(&b.clips) {
        assert_eq!(clip_a.name, clip_b.name);
        for k in 0..3 {
            let seconds = f64::from(clip_a.duration()) * f64::from(k) / 2.0;
            let move_rig = |rig: &Rig, pose: Pose| {
                let mut rest = Vec::new();
                pose.morphed(rig, &mut rest);
                let mut bound = DeformGraph::single("linear").unwrap().bind(rig).unwrap();
                bound.evaluate(&rest, &Motion::of(rig, &pose)).to_vec()
            };
            let (p, q) = (move_rig(a, clip_a.sample(a, seconds)), move_rig(b, clip_b.sample(b, seconds)));
            let error = largest_distance(&p, &q, size as f32);
            assert!(error <= 1e-5, "{name}: clip {} moves differently by {error}", clip_a.name);
        }
    }
}

#[test]
fn a_rig_that_is_given_its_own_motion_goes_the_same_way() {
    // What this robot shows is not its bind pose, frames above its joints scale them a hundred times, and its feet hang on no
    // leg: they are shifted by themselves.
    for rig in rigs().filter(|r| r.name == "RobotExpressive") {
        for name in ["Dance", "Walking"] {
            let clips = vec![rig.clip(name).expect("it has one").clone()];
            let carried = carry(&Rig { clips, ..rig.clone() }, &rig).expect("its own names").clip;
            let own = rig.clip(name).expect("it has one");
            for k in 0..=10 {
                let seconds = 0.1 * f64::from(k) * f64::from(own.duration());
                let places = |clip: &Clip| Motion::of(&rig, &clip.sample(&rig, seconds)).posed_from_joint;
                for (j, (a, b)) in places(own).iter().zip(places(&carried)).enumerate() {
                    let apart = a.translation.distance(b.translation);
                    let joint = &rig.skeleton.joints()[j];
                    assert!(
                        joint.role == Role::Frame || apart < 0.02 * f64::from(rig.diagonal()),
                        "{name} at {seconds}: {} is {apart} away",
                        joint.name
                    );
                }
            }
        }
    }
}
