//! What is written is what the formats ask for. The files go to a temporary folder, or stay in the folder that
//! `SUPPLE_WRITTEN` names, where `outside/check_written.py` opens them with other programs.

mod tube;

use gltf_json::{Root, validation::Validate};
use std::path::{Path, PathBuf};
use supple::{
    glam::{DAffine3, DQuat, Vec3},
    graph::DeformGraph,
    pose::{Motion, Pose},
    rig::Rig,
    write,
};

struct Folder(PathBuf, #[allow(dead_code, reason = "removes the folder when dropped")] Option<tempfile::TempDir>);

fn folder() -> Folder {
    match std::env::var_os("SUPPLE_WRITTEN") {
        Some(kept) => {
            std::fs::create_dir_all(&kept).unwrap();
            Folder(kept.into(), None)
        }
        None => {
            let temporary = tempfile::tempdir().unwrap();
            Folder(temporary.path().to_owned(), Some(temporary))
        }
    }
}

/// The JSON and the buffer of a GLB, after checking its lengths and what gltf-json can check.
fn glb(path: &Path) -> (Root, Vec<u8>) {
    let bytes = std::fs::read(path).unwrap();
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((&bytes[..4], word(4), word(8)), (&b"glTF"[..], 2, bytes.len()));
    let json_end = 20 + word(12);
    let root: Root = gltf_json::deserialize::from_slice(&bytes[20..json_end]).unwrap();
    let mut problems = Vec::new();
    root.validate(&root, gltf_json::Path::new, &mut |path, error| problems.push(format!("{}: {error:?}", path())));
    assert_eq!(problems, Vec::<String>::new());
    let bin = bytes.get(json_end + 8..).unwrap_or_default().to_vec();
    assert_eq!(root.buffers.iter().map(|b| b.byte_length.0 as usize).sum::<usize>(), bin.len());
    assert!(root.buffer_views.iter().all(|v| v.byte_offset.unwrap().0.is_multiple_of(4)));
    (root, bin)
}

fn skinned(rig: &Rig, pose: &Pose) -> Vec<Vec3> {
    let mut morphed = Vec::new();
    pose.morphed(rig, &mut morphed);
    let mut bound = DeformGraph::single("linear").unwrap().bind(rig).unwrap();
    bound.evaluate(&morphed, &Motion::of(rig, pose)).to_vec()
}

#[test]
fn rigs_are_written_whole() {
    let folder = folder();
    let mut animated = tube::tube();
    animated.name = "animated".into();
    animated.clips = tube::clips();
    for rig in [tube::tube(), animated, tube::two_roots(), tube::sheared(), tube::points(), tube::bare()] {
        let path = folder.0.join(format!("{}.glb", rig.name.replace(' ', "_")));
        write::rig(&path, &rig).unwrap();
        if rig.clips.is_empty() && rig.name != "sheared" {
            let shown = skinned(&rig, &Pose::shown(&rig));
            write::posed(path.with_extension("shown.ply"), &rig, &shown).unwrap();
        } else if !rig.clips.is_empty() && rig.weights.is_some() {
            let mut frames = write::Frames::create(path.with_extension("pc2"), &rig, 13, 24.0, "").unwrap();
            for k in 0..13 {
                frames.frame(&skinned(&rig, &rig.clips[0].sample(&rig, f64::from(k) / 24.0))).unwrap();
            }
            frames.finish().unwrap();
        }
        let (root, _) = glb(&path);
        assert_eq!(root.skins[0].joints.len(), rig.skeleton.len());
        for (node, joint) in root.nodes.iter().zip(rig.skeleton.joints()) {
            assert_eq!(node.name.as_ref(), Some(&joint.name));
        }
        assert_eq!(root.animations.len(), rig.clips.len());
        let vertices: u64 = root.meshes.iter().flat_map(|m| &m.primitives).map(|p| count(&root, p)).sum();
        assert_eq!(vertices as usize, rig.mesh.positions.len());
        assert_eq!(root.images.len(), rig.images.len());
    }
}

fn count(root: &Root, primitive: &gltf_json::mesh::Primitive) -> u64 {
    use gltf_json::{mesh::Semantic, validation::Checked::Valid};
    root.accessors[primitive.attributes[&Valid(Semantic::Positions)].value()].count.0
}

#[test]
fn nodes_stand_where_the_joints_are_shown() {
    let folder = folder();
    for rig in [tube::tube(), tube::sheared()] {
        let path = folder.0.join(format!("nodes_{}.glb", rig.name));
        write::rig(&path, &rig).unwrap();
        let (root, _) = glb(&path);
        let mut world = vec![DAffine3::IDENTITY; root.nodes.len()];
        let mut waiting: Vec<_> = root.scenes[0].nodes.iter().map(|n| (n.value(), DAffine3::IDENTITY)).collect();
        while let Some((index, parent)) = waiting.pop() {
            let node = &root.nodes[index];
            let rotation = node.rotation.unwrap_or_default().0.map(f64::from);
            let translation = Vec3::from(node.translation.unwrap_or_default()).as_dvec3();
            let scale = Vec3::from(node.scale.unwrap_or([1.0; 3])).as_dvec3();
            let rotation = DQuat::from_array(rotation);
            world[index] = parent * DAffine3::from_scale_rotation_translation(scale, rotation, translation);
            waiting.extend(node.children.iter().flatten().map(|c| (c.value(), world[index])));
        }
        let motion = Motion::of(&rig, &Pose::shown(&rig));
        for (joint, expected) in motion.posed_from_joint.iter().enumerate() {
            assert!(world[joint].abs_diff_eq(*expected, 1e-5), "{joint}: {} is not {expected}", world[joint]);
        }
    }
}

#[test]
fn extras_keep_what_gltf_has_no_word_for() {
    let folder = folder();
    let path = folder.0.join("extras.glb");
    write::rig(&path, &tube::sheared()).unwrap();
    let (root, _) = glb(&path);
    let extras = |e: &gltf_json::Extras| e.as_ref().map(|e| e.get().to_owned()).unwrap_or_default();
    assert_eq!(extras(&root.nodes[0].extras), r#"{"supple":{"role":"frame"}}"#);
    assert_eq!(extras(&root.nodes[2].extras), r#"{"supple":{"hinge":[0.0,0.0,1.0]}}"#);
    let wrappers = root.nodes.iter().filter(|n| extras(&n.extras).contains("wrapper")).count();
    assert_eq!(wrappers, 2, "one for the two roots, one for the shear");
    let mesh = &root.meshes[0];
    assert_eq!(extras(&mesh.extras), r#"{"supple":{"normals":"computed"},"targetNames":["fat","knob"]}"#);
    assert_eq!(extras(&mesh.primitives[2].extras), r#"{"supple":{"name":"prop","skinned":false}}"#);
}

#[test]
fn equal_times_are_stored_once() {
    let folder = folder();
    let path = folder.0.join("times.glb");
    write::rig(&path, &Rig { clips: tube::clips(), ..tube::tube() }).unwrap();
    let (root, _) = glb(&path);
    let inputs = root.animations.iter().flat_map(|a| &a.samplers).map(|s| s.input.value());
    assert_eq!(inputs.collect::<std::collections::HashSet<_>>().len(), 2);
}

#[test]
fn a_pose_and_a_clip_are_written_in_every_format() {
    let folder = folder();
    let rig = tube::tube();
    let shown = skinned(&rig, &Pose::shown(&rig));
    for ending in ["glb", "obj", "ply", "usda"] {
        write::posed(folder.0.join(format!("posed.{ending}")), &rig, &shown).unwrap();
        write::rig(folder.0.join(format!("rest.{ending}")), &rig).unwrap();
    }
    write::posed(folder.0.join("posed.shown.ply"), &rig, &shown).unwrap();
    let clip = &tube::clips()[0];
    for (name, rig) in [("baked", rig), ("baked_points", tube::points())] {
        let rig = Rig { clips: vec![clip.clone()], ..rig };
        for ending in ["glb", "usda", "pc2"] {
            let path = folder.0.join(format!("{name}.{ending}"));
            let mut frames = write::Frames::create(path, &rig, 14, 24.0, "linear").unwrap();
            for k in 0..14 {
                frames.frame(&skinned(&rig, &clip.sample(&rig, f64::from(k) / 24.0))).unwrap();
            }
            frames.finish().unwrap();
        }
        // Frame 13 is past the end and equals frame 12: it costs no target.
        let (root, _) = glb(&folder.0.join(format!("{name}.glb")));
        assert_eq!(root.meshes[0].primitives[0].targets.as_ref().unwrap().len(), 12);
        assert_eq!(root.accessors[root.animations[0].samplers[0].output.value()].count.0, 12 * 14);
    }
}

#[test]
fn an_empty_rig_is_a_valid_file() {
    let folder = folder();
    let path = folder.0.join("nothing.glb");
    write::rig(&path, &Rig::default()).unwrap();
    assert!(glb(&path).1.is_empty());
}

#[test]
fn parts_that_do_not_cover_the_mesh_are_refused() {
    let mut rig = tube::tube();
    rig.parts[1].vertices.start += 1;
    let error = write::gltf::rig(&rig, &mut Vec::new()).unwrap_err().to_string();
    assert!(error.starts_with("part 1 \"sleeve\" has vertices 109..216"), "{error}");
    rig.parts[1].vertices.start -= 1;
    rig.mesh.triangles[0][0] = 200;
    let error = write::gltf::rig(&rig, &mut Vec::new()).unwrap_err().to_string();
    assert_eq!(error, "part 0 \"tube\" has a triangle of vertex 200, outside its vertices 0..108");
    rig = tube::tube();
    rig.skeleton = supple::rig::Skeleton::new(rig.skeleton.joints()[..2].to_vec()).unwrap();
    let error = write::gltf::rig(&rig, &mut Vec::new()).unwrap_err().to_string();
    assert_eq!(error, "weights name joint 5, but there are 2 joints");
}

#[test]
fn a_clip_with_frames_missing_leaves_no_file() {
    let folder = folder();
    let rig = tube::tube();
    for ending in ["glb", "usda", "pc2"] {
        let path = folder.0.join(format!("missing.{ending}"));
        let mut frames = write::Frames::create(&path, &rig, 2, 24.0, "").unwrap();
        frames.frame(&rig.mesh.positions).unwrap();
        assert_eq!(frames.finish().unwrap_err().to_string(), "1 frames, expected 2");
        assert!(!path.exists());
    }
    let names = std::fs::read_dir(&folder.0).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    assert_eq!(names.filter(|n| n.starts_with(".missing")).count(), 0);
}
