//! Every sound file of the shared data loads with the numbers its table states; every broken one is refused or mended
//! in a line. The data lies beside the repository, in `shared/data`, or where `SUPPLE_DATA` says.

use std::{
    path::{Path, PathBuf},
    time::Instant,
};
use supple::{
    pose::{Motion, Pose},
    read::{self, Loaded},
};

fn data() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("SUPPLE_DATA").map_or(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "SKIPPED: no data in {} (set SUPPLE_DATA)", folder.display());
    None
}

fn load(folder: &Path, name: &str) -> Loaded {
    read::path(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn warned(loaded: &Loaded) -> String {
    loaded.warnings.iter().map(|w| format!("{w}\n")).collect()
}

#[test]
fn meshes_and_points_have_the_stated_vertices() {
    let Some(folder) = data() else { return };
    for (name, vertices, triangles) in [
        ("static/makehuman_male_body.obj", 13380, 26756),
        ("static/spot.obj", 11533, 23062),
        ("static/smpl_man.obj", 6890, 13776),
        ("static/cat.obj", 7949, 15894),
        ("static/koala.obj", 49999, 99994),
        ("static/hand_closed.obj", 7993, 15982),
        ("static/hand_webxr.obj", 1159, 2314),
        ("static/statue_dechalon.ply", 6786, 13572),
        ("static/statue_hermes.ply", 9819, 19670),
        ("spring/spot_helpers_surface.obj", 837, 1628),
        ("points/dechalon_120k.ply", 120_000, 0),
        ("points/hermes_noisy_60k.ply", 60_000, 0),
        ("points/makehuman_squat_80k.ply", 80_000, 0),
        ("points/makehuman_rest_50k.ply", 50_000, 0),
        ("restricted/armadillo_43k.ply", 43243, 86482),
        ("restricted/armadillo_dense.ply", 172_966, 345_928),
        ("restricted/armadillo_points_38k.ply", 38294, 0),
        ("malformed/trimesh_negative_indices.obj", 8, 12),
    ] {
        if name.starts_with("restricted/") && !folder.join(name).exists() {
            continue;
        }
        let start = Instant::now();
        let loaded = load(&folder, name);
        let mesh = &loaded.rig.mesh;
        assert_eq!((mesh.positions.len(), mesh.triangles.len()), (vertices, triangles), "{name}");
        assert_eq!(loaded.warnings, [], "{name}: {}", warned(&loaded));
        assert!(start.elapsed().as_secs_f64() < 2.0, "{name} took {:?}", start.elapsed());
        let oriented = name.starts_with("points/") && !name.contains("noisy");
        assert!(!oriented || mesh.normals.is_some(), "{name}");
        // The closed bodies face outwards.
        assert!(!name.starts_with("static/") || mesh.volume() > 0.0, "{name}");
    }
}

#[test]
fn skeletons_have_the_stated_joints() {
    let Some(folder) = data() else { return };
    for (name, joints, roots, frames, fps) in [
        ("skeleton/makehuman_male_cmu.tgf", 31, 1, 0, 0.0),
        ("skeleton/hand_webxr.tgf", 25, 1, 0, 0.0),
        ("spring/spot_helpers.tgf", 15, 15, 0, 0.0),
        ("spheremesh/makehuman_male.sm", 31, 1, 0, 0.0),
        ("motion/cmu_02_01.bvh", 31, 1, 344, 120.0),
        ("motion/cmu_22_14.bvh", 31, 1, 708, 120.0),
        ("motion/cmu_42_01.bvh", 31, 1, 1135, 120.0),
        ("motion/cmu_49_13.bvh", 31, 1, 524, 120.0),
        ("motion/makehuman_walk1.bvh", 75, 1, 14, 24.0),
        ("malformed/bvh_ok_small.bvh", 2, 1, 4, 30.0),
        ("malformed/bvh_crlf_tabs.bvh", 2, 1, 4, 30.0),
    ] {
        let loaded = load(&folder, name);
        let rig = &loaded.rig;
        let found = rig.skeleton.joints().iter().filter(|j| j.parent.is_none()).count();
        assert_eq!((rig.skeleton.len(), found), (joints, roots), "{name}");
        assert_eq!(loaded.warnings, [], "{name}: {}", warned(&loaded));
        assert_eq!(rig.clips.len(), usize::from(frames > 0), "{name}");
        if let Some(clip) = rig.clips.first() {
            assert_eq!(clip.tracks()[0].times.len(), frames, "{name}");
            assert!((f64::from(clip.duration()) * fps - (frames - 1) as f64).abs() < 0.02 * frames as f64, "{name}");
            let middle = Motion::of(rig, &clip.sample(rig, f64::from(clip.duration()) / 2.0));
            assert!(middle.exact.iter().all(|m| m.is_finite()), "{name}");
        }
        assert_eq!(Pose::shown(rig).local, Pose::rest(rig).local, "{name}");
    }
    let spheres = load(&folder, "spheremesh/makehuman_male.sm").rig.sphere_mesh.unwrap();
    assert_eq!((spheres.spheres.len(), spheres.bones.len()), (31, 30));
}

#[test]
fn a_cmu_walk_stays_upright() {
    let Some(folder) = data() else { return };
    let rig = load(&folder, "motion/cmu_02_01.bvh").rig;
    let (head, foot) = (rig.skeleton.find("Head").unwrap(), rig.skeleton.find("LeftFoot").unwrap());
    let clip = &rig.clips[0];
    for k in 0..20 {
        let motion = Motion::of(&rig, &clip.sample(&rig, f64::from(clip.duration()) * f64::from(k) / 19.0));
        let up = motion.posed_from_joint[head].translation - motion.posed_from_joint[foot].translation;
        assert!(up.y > 0.8 * up.length(), "{up}");
    }
}

#[cfg(feature = "fbx")]
#[test]
fn the_maya_skeleton_loads_with_its_clip() {
    let Some(folder) = data() else { return };
    let loaded = load(&folder, "fbx/maya_human_ik_7400_binary.fbx");
    let rig = &loaded.rig;
    assert!(rig.skeleton.len() > 20, "{} joints", rig.skeleton.len());
    let clip = &rig.clips[0];
    assert!(clip.duration() > 0.1 && !clip.tracks().is_empty());
    let hips = rig.skeleton.joints().iter().find(|j| j.name.contains("Hips")).expect("hips");
    // Metres: a person's hips, not a hundred times as high.
    assert!((0.2..3.0).contains(&hips.rest_position().y), "{}", hips.rest_position());
    for k in 0..5 {
        let motion = Motion::of(rig, &clip.sample(rig, f64::from(clip.duration()) * f64::from(k) / 4.0));
        assert!(motion.exact.iter().all(|m| m.is_finite()));
    }
}

#[test]
fn broken_files_say_what_is_wrong() {
    let Some(folder) = data() else { return };
    for (name, expected) in [
        ("assimp_malformed.obj", "line 23: vertex \"12\" of 8"),
        ("assimp_empty.ply", "file: it is empty"),
        ("assimp_issue623.ply", "vertex 0, \"vertex_indices\": 7.941797 is not a count"),
        ("trimesh_ply_empty_header.ply", "header: there is no element \"vertex\""),
        ("ply_face_oob.ply", "face 1: vertex 9 of 4 (from 0)"),
        ("bvh_unknown_channel.bvh", "line 9: unknown channel \"Wrotation\" (2 of 3)"),
        ("tgf_bad_edge.tgf", "line 5: edge to joint \"9\", which is not in the file"),
        ("sm_negative_radius.sm", "line 3: radius -0.1 of sphere 0 is not positive or too large"),
    ] {
        let error = read::path(folder.join("malformed").join(name)).unwrap_err().to_string();
        assert_eq!(error, expected, "{name}");
    }
    for (name, expected) in [
        (
            "bvh_short_motion.bvh",
            "line 16: 4 frames are stated, 2 and 7 of 9 values are there: the whole ones are kept",
        ),
        ("bvh_no_motion.bvh", "file: there is no MOTION: the skeleton has no clip"),
    ] {
        let loaded = load(&folder, &format!("malformed/{name}"));
        assert_eq!(warned(&loaded).trim_end(), expected, "{name}");
        assert_eq!(loaded.rig.skeleton.len(), 2);
    }
}

/// Whatever is in the folder now or later: no panic, no hang, one line.
#[test]
fn every_file_is_read_or_refused_in_a_line() {
    let Some(folder) = data() else { return };
    let mut open = vec![folder];
    let mut tried = 0;
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let ending = path.extension().map(|e| e.to_string_lossy().into_owned()).unwrap_or_default();
            if path.is_dir() {
                open.push(path);
            } else if ["fbx", "obj", "ply", "bvh", "tgf", "sm", "json"].contains(&ending.as_str()) {
                let start = Instant::now();
                if let Err(error) = read::path(&path) {
                    let error = error.to_string();
                    assert!(!error.contains('\n') && error.len() < 400, "{}: {error}", path.display());
                }
                assert!(start.elapsed().as_secs_f64() < 2.0, "{}", path.display());
                tried += 1;
            }
        }
    }
    assert!(tried > 30, "only {tried} files");
}
