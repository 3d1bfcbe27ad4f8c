use crate::characters::{arm, figure, hand, modelled_in, noisy, with_moved_joints};
use supple::{
    pose::Pose,
    rig::{Mesh, Rig, Role},
    weights::segment::{Error, Note, Segmentation},
};
use supple_testkit::{data, rigs};

fn parts(rig: &Rig) -> Segmentation {
    Segmentation::of(rig).unwrap_or_else(|e| panic!("{}: {e}", rig.name))
}

/// The share of faces that have the same label.
fn agreement(a: &Segmentation, b: &Segmentation) -> f64 {
    let same = a.faces.iter().zip(&b.faces).filter(|(a, b)| a == b).count();
    same as f64 / a.faces.len() as f64
}

fn at_clip(rig: &Rig, clip: &str, time: f64) -> Rig {
    let pose = rig.clip(clip).unwrap().sample(rig, time);
    modelled_in(rig, &pose)
}

#[test]
fn an_arm_is_cut_at_the_elbow() {
    let rig = arm();
    let parts = parts(&rig);
    assert!(parts.notes.is_empty(), "{:?}", parts.notes);
    for (v, p) in rig.mesh.positions.iter().enumerate() {
        if (p.x - 2.0).abs() > 0.2 {
            assert_eq!(parts.vertices[v], u16::from(p.x > 2.0));
        }
    }
    let [elbow] = &parts.boundaries[..] else { panic!("one boundary") };
    assert_eq!((elbow.parent, elbow.child, elbow.hangs), (0, 1, true));
    assert!((elbow.length - elbow.border).abs() < 0.05 * elbow.length, "{} {}", elbow.length, elbow.border);
    assert!((2.0..3.0).contains(&elbow.length), "{}", elbow.length);
}

#[test]
fn every_joint_of_a_hand_and_a_figure_owns_skin() {
    for rig in [hand(), figure()] {
        let parts = parts(&rig);
        assert_eq!(parts.faces.len(), rig.mesh.triangles.len());
        for joint in 0..rig.skeleton.len() {
            let faces = parts.faces.iter().filter(|&&j| usize::from(j) == joint).count();
            assert!(faces > 20, "{} owns {faces} faces", rig.skeleton.joints()[joint].name);
        }
    }
}

/// Prints all figures before it fails on the worst.
fn assert_kept(what: &str, kept: &[(String, f64)], least: f64) {
    kept.iter().for_each(|(case, same)| println!("{what}: {case}: {:.2} %", 100.0 * same));
    for (case, same) in kept {
        assert!(*same >= least, "{what}: {case}: {same}");
    }
}

#[test]
fn noise_leaves_the_labels() {
    let mut kept = Vec::new();
    for rig in [arm(), hand(), figure()] {
        let clean = parts(&rig);
        for seed in 1..4 {
            kept.push((format!("{} {seed}", rig.name), agreement(&clean, &parts(&noisy(&rig, seed)))));
        }
    }
    assert_kept("noise", &kept, 0.95);
}

#[test]
fn a_moved_joint_leaves_the_labels() {
    let mut kept = Vec::new();
    for rig in [arm(), hand(), figure()] {
        let clean = parts(&rig);
        for joint in 0..rig.skeleton.len() {
            let moved = with_moved_joints(&rig, 7 + joint as u64, |j| j == joint);
            kept.push((rig.skeleton.joints()[joint].name.clone(), agreement(&clean, &parts(&moved))));
        }
        // All at once move every border by a twentieth of a region on average. Measured: arm 97.3, hand 93.6, figure
        // 96.4. The planes of the rest pose, only moved with their joints, and the nearest bones in the palm keep 93.3 %
        // of the hand, the mean of five draws; so 95 % is not to be asked for here.
        let all = agreement(&clean, &parts(&with_moved_joints(&rig, 1, |_| true)));
        println!("all joints of the {} at once: {:.2} %", rig.name, 100.0 * all);
        assert!(all > 0.92, "{}: {all}", rig.name);
    }
    assert_kept("moved joint", &kept, 0.95);
}

/// Measured: arm 99.7 and 99.2, fist 98.1, 97.4 and 97.1, crouch 96.1, walk 98.7 %.
#[test]
fn another_pose_leaves_the_labels() {
    let (arm, hand, figure) = (arm(), hand(), figure());
    let bent = |degrees: f64| {
        let mut pose = Pose::rest(&arm);
        pose.bend(&arm, "forearm", degrees, None).unwrap();
        modelled_in(&arm, &pose)
    };
    let posed = [
        ("arm at 90 degrees", &arm, bent(90.0)),
        ("arm at 120 degrees", &arm, bent(120.0)),
        ("a fist begun", &hand, at_clip(&hand, "fist", 0.4)),
        ("a fist nearly closed", &hand, at_clip(&hand, "fist", 0.7)),
        ("fist", &hand, at_clip(&hand, "fist", 1.0)),
        ("walk", &figure, at_clip(&figure, "walk", 0.3)),
        ("crouch", &figure, at_clip(&figure, "crouch", 1.0)),
    ];
    let kept = posed.iter().map(|(name, rest, posed)| ((*name).to_owned(), agreement(&parts(rest), &parts(posed))));
    assert_kept("pose", &kept.collect::<Vec<_>>(), 0.95);
}

/// Rigs whose cuts disagree in places: arms beside a chest, a body that no curve encloses.
#[test]
fn rigs_from_files_keep_their_labels_in_other_poses() {
    let mut kept = Vec::new();
    for (file, least) in [("CesiumMan", 0.95), ("RiggedFigure", 0.95), ("quaternius_Trex", 0.9)] {
        let Some(path) = data::files("rigged", &["glb"]).into_iter().find(|p| p.file_stem() == Some(file.as_ref()))
        else {
            continue;
        };
        let rest = supple::read::path(&path).unwrap().rig;
        let labels = parts(&rest);
        for time in [0.25, 0.6] {
            let clip = &rest.clips[0];
            let posed = modelled_in(&rest, &clip.sample(&rest, time * f64::from(clip.duration())));
            let same = agreement(&labels, &parts(&posed));
            kept.push((format!("{file} at {time} of its clip"), same));
            assert!(same >= least, "{file} at {time}: {same}");
        }
    }
    assert_kept("pose of a file", &kept, 0.9);
}

#[test]
fn labels_are_the_same_for_any_number_of_threads() {
    let rig = hand();
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let four = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    assert_eq!(alone.install(|| parts(&rig)), four.install(|| parts(&rig)));
}

#[test]
fn awkward_rigs_are_cut_or_refused_by_name() {
    for rig in rigs::nasty() {
        match Segmentation::of(&rig) {
            Ok(parts) => {
                assert_eq!(parts.faces.len(), rig.mesh.triangles.len(), "{}", rig.name);
                assert_eq!(parts.vertices.len(), rig.mesh.positions.len(), "{}", rig.name);
                assert!(parts.boundaries.iter().all(|b| b.length.is_finite() && b.length > 0.0), "{}", rig.name);
            }
            Err(e) => assert!(matches!(e, Error::NoTriangles { .. }), "{}: {e}", rig.name),
        }
    }
}

#[test]
fn spoilt_meshes_are_refused_by_place() {
    let mut rig = rigs::tube();
    rig.mesh.positions[7].y = f32::NAN;
    assert_eq!(Segmentation::of(&rig), Err(Error::NotFinite { rig: "tube".into(), vertex: 7 }));
    let mut rig = rigs::tube();
    rig.mesh.triangles[3][1] = 9999;
    assert!(matches!(Segmentation::of(&rig), Err(Error::NoSuchVertex { triangle: 3, vertex: 9999, .. })));
    let bare = Rig::of_mesh("bare", rigs::tube().mesh);
    assert_eq!(Segmentation::of(&bare), Err(Error::NoBones { rig: "bare".into() }));
}

#[test]
fn an_island_follows_its_nearest_bone_and_is_reported() {
    let mut rig = Rig { weights: None, ..rigs::tube() };
    let clean = parts(&rig);
    let first = rig.mesh.positions.len() as u32;
    let corners = [[2.5, 1.0, 0.0], [2.6, 1.0, 0.0], [2.5, 1.1, 0.0]];
    rig.mesh.positions.extend(corners.map(glam::Vec3::from));
    rig.mesh.triangles.push([first, first + 1, first + 2]);
    let parts = parts(&rig);
    assert_eq!(parts.faces.last(), Some(&2));
    assert_eq!(parts.faces[..clean.faces.len()], clean.faces);
    let island = Note::Island { vertex: first as usize, points: 3, joints: vec!["end".into()] };
    assert_eq!(parts.notes, [island]);
}

#[test]
fn a_hole_in_the_curve_is_bridged_and_reported() {
    let mut rig = rigs::tube();
    let clean = parts(&rig);
    let open: Vec<[u32; 3]> = rig.mesh.triangles.clone();
    let middle = |t: &[u32; 3]| t.iter().map(|&v| rig.mesh.positions[v as usize]).sum::<glam::Vec3>() / 3.0;
    // A window over the joint at x = 1, a fifth of the way round.
    let kept: Vec<bool> = open.iter().map(|t| !((middle(t).x - 1.0).abs() < 0.2 && middle(t).y > 0.2)).collect();
    rig.mesh.triangles = open.iter().zip(&kept).filter(|(_, k)| **k).map(|(t, _)| *t).collect();
    let holed = parts(&rig);
    let before: Vec<u16> = clean.faces.iter().zip(&kept).filter(|(_, k)| **k).map(|(j, _)| *j).collect();
    let same = before.iter().zip(&holed.faces).filter(|(a, b)| a == b).count();
    assert!(same as f64 >= 0.97 * before.len() as f64, "{same} of {}", before.len());
    assert!(holed.notes.iter().any(|n| matches!(n, Note::OpenCurve { joint, .. } if joint == "middle")));
    let length = |p: &Segmentation| p.boundaries.iter().find(|b| b.child == 1).unwrap().length;
    assert!((length(&holed) / length(&clean) - 1.0).abs() < 0.15);
}

/// Of a body with one face of 67 gone, half of the joints owned nothing.
#[test]
fn small_holes_leave_the_labels() {
    for rig in [figure(), hand()] {
        let whole = parts(&rig);
        let is_kept = |i: usize| !i.is_multiple_of(67);
        let mut holed = rig.clone();
        let mut i = 0..;
        holed.mesh.triangles.retain(|_| i.next().is_some_and(is_kept));
        let found = parts(&holed);
        assert_eq!((found.faces.len(), found.vertices.len()), (holed.mesh.triangles.len(), rig.mesh.positions.len()));
        let faces: Vec<u16> = (0..whole.faces.len()).filter(|&i| is_kept(i)).map(|i| whole.faces[i]).collect();
        let kept = agreement(&Segmentation { faces, ..whole }, &found);
        assert_kept("holes", &[(rig.name.clone(), kept)], 0.97);
    }
}

#[test]
fn duplicate_faces_change_nothing() {
    let mut rig = rigs::tube();
    let clean = parts(&rig);
    let count = rig.mesh.triangles.len();
    rig.mesh.triangles.extend_from_within(..);
    let doubled = parts(&rig);
    assert_eq!(doubled.faces[..count], clean.faces);
    assert_eq!(doubled.boundaries, clean.boundaries);
}

#[test]
fn an_inner_shell_is_cut_with_the_skin() {
    let mut rig = Rig { weights: None, ..rigs::tube() };
    let clean = parts(&rig);
    let inner = rigs::tube().mesh;
    let count = rig.mesh.positions.len() as u32;
    rig.mesh.positions.extend(inner.positions.iter().map(|p| glam::Vec3::new(p.x, 0.7 * p.y, 0.7 * p.z)));
    rig.mesh.triangles.extend(inner.triangles.iter().map(|t| [t[0] + count, t[2] + count, t[1] + count]));
    let parts = parts(&rig);
    let inner = &parts.faces[clean.faces.len()..];
    let same = clean.faces.iter().zip(inner).filter(|(a, b)| a == b).count();
    assert!(same as f64 > 0.97 * inner.len() as f64, "{same} of {}", inner.len());
}

#[test]
fn real_rigs_are_cut() {
    let some = [
        "CesiumMan",
        "Fox",
        "RiggedFigure",
        "RiggedSimple",
        "RobotExpressive",
        "hand_webxr_flat",
        "m2m_human",
        "quaternius_Trex",
    ];
    for file in data::files("rigged", &["glb"]) {
        if !some.contains(&file.file_stem().unwrap_or_default().to_string_lossy().as_ref()) {
            continue;
        }
        let rig = supple::read::path(&file).unwrap().rig;
        let parts = parts(&rig);
        for &joint in &parts.faces {
            assert_eq!(rig.skeleton.joints()[usize::from(joint)].role, Role::Bone, "{}", file.display());
        }
        let weights = rig.weights.as_ref().unwrap();
        let owned = |v: usize| usize::from(parts.vertices[v]) == weights.dominant(v);
        let same = (0..weights.len()).filter(|&v| owned(v)).count() as f64 / weights.len() as f64;
        println!("{}: {:.1} % of the vertices with the painter's joint", file.display(), 100.0 * same);
        parts.notes.iter().for_each(|n| println!("    {n}"));
        // Painters and planes agree on bodies; a robot of rigid islands is another matter.
        let least = match file.file_stem().and_then(|s| s.to_str()) {
            Some("CesiumMan") => 0.85,
            Some("m2m_human") => 0.75,
            // No curve goes round its body, and one bad cut once gave half of the head to the root.
            Some("quaternius_Trex") => 0.9,
            _ => 0.0,
        };
        assert!(same >= least, "{}: {same}", file.display());
    }
}

#[test]
fn loose_vertices_are_counted() {
    let mut rig = rigs::tube();
    rig.mesh = Mesh { positions: [rig.mesh.positions, vec![glam::Vec3::splat(0.1)]].concat(), ..rig.mesh };
    rig.weights = None;
    let note = Note::LooseVertices { count: 1, vertex: rig.mesh.positions.len() - 1 };
    assert_eq!(parts(&rig).notes, [note]);
}
