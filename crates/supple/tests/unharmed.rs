//! What a rig has no word for goes through reading and writing: a glTF file is changed where the rig was, and nowhere
//! else. The files stay in `through` of the folder that `SUPPLE_WRITTEN` names, where `outside/check_written.py` has them
//! validated.

use supple::{
    glam::{DAffine3, DVec3, Vec3},
    pose::{Channel, Clip, Interpolation, Track},
    read::{self, Format},
    rig::{Joint, Rig, Role, Skeleton, Weights},
    weights::edit::{self, LimitOptions},
    write,
};
use supple_testkit::{data, rich};

fn read(file: &[u8]) -> Rig {
    read::bytes("rich", Format::Gltf, file.to_vec(), &read::resolve_nothing).expect("sound").rig
}

fn written(rig: &Rig) -> (Vec<u8>, Vec<String>) {
    let mut bytes = Vec::new();
    let notes = write::gltf::rig(rig, &mut bytes).expect("written");
    if let Some(kept) = std::env::var_os("SUPPLE_WRITTEN").filter(|_| rig.name == "rich") {
        let test = std::thread::current().name().unwrap_or_default().to_owned();
        let folder = std::path::Path::new(&kept).join("through");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("{test}.glb")), &bytes).unwrap();
    }
    (bytes, notes)
}

fn limited(rig: &Rig, influences: usize) -> Rig {
    let options = LimitOptions { influences, continuous: false };
    Rig { weights: Some(edit::limit(rig.weights.as_ref().unwrap(), &options).unwrap().0), ..rig.clone() }
}

/// Differences, less those that any addition makes: what is new behind what was there, and a longer buffer.
fn changed(before: &[u8], after: &[u8]) -> Vec<String> {
    let new =
        |d: &String| d.starts_with("+/accessors/") || d.starts_with("+/bufferViews/") || d == "/buffers/0/byteLength";
    let mut found = rich::differences(before, after);
    found.retain(|d| !new(d));
    found
}

#[test]
fn a_rig_that_was_not_changed_is_its_file() {
    let file = rich::glb();
    let (after, notes) = written(&read(&file));
    assert_eq!((rich::differences(&file, &after), notes), (Vec::new(), Vec::new()));
    assert!(rich::parts(&after).text.contains(rich::DIGITS), "a number was read and written again");
}

#[test]
fn changed_weights_change_the_primitives_that_have_them() {
    let file = rich::glb();
    let rig = read(&file);
    let two = limited(&rig, 2);
    let (after, notes) = written(&two);
    assert_eq!(notes, Vec::<String>::new());
    let expected = [
        "/meshes/0/primitives/0/attributes/JOINTS_0",
        "/meshes/0/primitives/0/attributes/WEIGHTS_0",
        "/meshes/1/primitives/0/attributes/JOINTS_0",
        "-/meshes/1/primitives/0/attributes/JOINTS_1",
        "/meshes/1/primitives/0/attributes/WEIGHTS_0",
        "-/meshes/1/primitives/0/attributes/WEIGHTS_1",
    ];
    assert_eq!(changed(&file, &after), expected);
    assert!(rich::parts(&after).text.contains(rich::DIGITS));
    let back = read(&after);
    assert_eq!(back, two);
    let (again, _) = written(&limited(&back, 1));
    assert_eq!(read(&again), limited(&two, 1));
}

#[test]
fn moved_joints_change_their_nodes_bind_matrices_and_keys() {
    let file = rich::glb();
    let mut rig = read(&file);
    let tail = rig.skeleton.find("tail").unwrap();
    rig.skeleton = rig.skeleton.with_joints_at([(tail, DVec3::new(0.0, 0.25, 0.5))]).unwrap();
    let (after, notes) = written(&rig);
    assert_eq!(notes, Vec::<String>::new());
    let expected = ["/nodes/5/translation/1", "/nodes/5/translation/2", "/skins/0/inverseBindMatrices"];
    assert_eq!(changed(&file, &after), expected);
    assert_eq!(read(&after), rig);
}

#[test]
fn clips_are_added_changed_and_taken_out() {
    let file = rich::glb();
    let mut rig = read(&file);
    let walk = rig.clips[0].clone();
    let turned = |t: &Track| Track { values: t.values.iter().map(|x| -x).collect(), ..t.clone() };
    let tracks =
        walk.tracks().iter().map(|t| if matches!(t.channel, Channel::Rotation(_)) { turned(t) } else { t.clone() });
    rig.clips[0] = Clip::new("walk", tracks.collect()).unwrap();
    let nod = rig.skeleton.find("head").unwrap();
    let values = vec![0.0, 0.0, 0.0, 1.0].into();
    let track =
        Track { channel: Channel::Rotation(nod), interpolation: Interpolation::Step, times: vec![0.5].into(), values };
    rig.clips.push(Clip::new("nod", vec![track]).unwrap());
    let (after, _) = written(&rig);
    let expected = ["/animations/0/channels/0/sampler", "+/animations/0/samplers/3", "+/animations/4"];
    assert_eq!(changed(&file, &after), expected);
    assert_eq!(read(&after).clips, rig.clips);
    // One that also moves a camera loses only what it did to the character.
    rig.clips.truncate(3);
    let look = rig.clips.remove(1);
    assert_eq!(look.name, "look");
    let (after, _) = written(&rig);
    let root = rich::parts(&after).root;
    let names: Vec<_> = root["animations"].as_array().unwrap().iter().map(|a| a["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["walk", "look", "glow"], "\"wag\" moved the character alone");
    assert_eq!(root["animations"][1]["channels"].as_array().unwrap().len(), 1);
}

#[test]
fn a_mesh_that_two_nodes_show_is_split_only_where_they_differ() {
    let file = rich::glb();
    let mut rig = read(&file);
    let badges: Vec<_> = rig.parts.iter().filter(|p| p.name == "badge").map(|p| p.vertices.clone()).collect();
    assert_eq!(badges.len(), 2);
    let points = &mut rig.mesh.positions;
    (badges[0].start..badges[0].end).for_each(|v| points[v as usize] += Vec3::X);
    let (after, notes) = written(&rig);
    assert_eq!(changed(&file, &after), ["+/meshes/4", "/nodes/10/mesh"]);
    assert!(notes.len() == 1 && notes[0].contains("\"badge\""), "{notes:?}");
    assert_eq!(read(&after).mesh.positions, rig.mesh.positions);
}

#[test]
fn another_skeleton_takes_the_place_of_the_old_one() {
    let file = rich::glb();
    let mut rig = read(&file);
    let joints = supple_testkit::rigs::tube().skeleton;
    let count = joints.len();
    rig.skeleton = Skeleton::new(joints.joints().to_vec()).unwrap();
    rig.weights = Some(Weights::rigid((0..rig.mesh.positions.len()).map(|v| (v % 2) as u16)));
    rig.clips.clear();
    rig.parts.iter_mut().for_each(|p| p.skinned = true);
    let (after, notes) = written(&rig);
    let back = read(&after);
    assert_eq!(
        (&back.skeleton, &back.weights, &back.mesh.triangles),
        (&rig.skeleton, &rig.weights, &rig.mesh.triangles)
    );
    let distance = supple_testkit::largest_distance(&back.mesh.positions, &rig.mesh.positions, rig.diagonal());
    assert!(distance < 1e-6, "{distance}");
    let told = [
        "\"badge\" was shown by several nodes",
        "the skeleton is another one",
        "\"wag\" moved the old joints alone and goes",
    ];
    assert!(notes.iter().zip(told).all(|(note, start)| note.starts_with(start)) && notes.len() == 3, "{notes:?}");
    let changed = changed(&file, &after);
    let expected = |d: &String| {
        let weights = d.contains("/attributes/JOINTS_") || d.contains("/attributes/WEIGHTS_");
        let old = [
            "/skins/0/",
            "-/skins/0/",
            "-/animations/3",
            "-/nodes/0/children/1",
            "/scenes/",
            "+/scenes/",
            "-/nodes/2/children/1",
            "-/nodes/2/children",
            "-/nodes/10/translation",
            "-/nodes/11/scale",
        ];
        let skin = ["+/nodes/10/skin", "+/nodes/11/skin"].contains(&d.as_str()) || d.starts_with("+/skins/");
        weights
            || skin
            || old.iter().any(|o| d.starts_with(o))
            || d.starts_with("+/nodes/1")
            || d.starts_with("+/nodes/2")
            || d.starts_with("+/meshes/4")
            || d.starts_with("/nodes/1")
    };
    assert_eq!(changed.iter().filter(|d| !expected(d)).collect::<Vec<_>>(), Vec::<&String>::new());
    let root = rich::parts(&after).root;
    assert_eq!(root["nodes"].as_array().unwrap().len(), 14 + count, "new nodes behind the old ones");
    assert_eq!(root["animations"].as_array().unwrap().len(), 3);
}

#[test]
fn what_lay_beside_the_file_goes_into_it() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in rich::gltf() {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    let rig = read::path(folder.path().join("rich.gltf")).unwrap().rig;
    let (after, notes) = written(&limited(&rig, 2));
    assert_eq!(notes, Vec::<String>::new());
    let parts = rich::parts(&after);
    assert!(parts.root["buffers"][0]["uri"].is_null() && parts.root["images"][0]["uri"].is_null());
    let image = parts.root["images"][0]["bufferView"].as_u64().unwrap() as usize;
    assert_eq!(rich::contents(&parts, "bufferViews", image).as_ref(), rich::gltf().iter().map(|f| &f.1).nth(2));
    // Everything else as in the file that has all of it inside.
    let mut rest = changed(&rich::glb(), &after);
    rest.retain(|d| {
        !d.contains("/buffers/0") && !d.contains("/images/0") && !d.starts_with("/extensions/EXT_vendor_thing/digits")
    });
    assert_eq!(rest.len(), 6, "{rest:?}");
    assert_eq!(read(&after).images, rig.images);
}

#[test]
fn a_rig_with_other_vertices_is_written_anew_and_says_so() {
    let rig = read(&rich::glb());
    let other = supple_testkit::rigs::tube();
    let (after, notes) = written(&Rig { source: rig.source.clone(), ..other.clone() });
    assert!(notes.len() == 1 && notes[0].contains("vertices and the file"), "{notes:?}");
    assert_eq!(read(&after).mesh.positions, other.mesh.positions);
}

#[test]
fn every_shared_rig_goes_through_unharmed() {
    for path in data::files("rigged", &["glb"]) {
        let file = std::fs::read(&path).unwrap();
        let rig = Rig { name: String::new(), ..read(&file) };
        let name = path.display();
        if rig.mesh.positions.len() > 100_000 {
            continue;
        }
        let (same, notes) = written(&rig);
        assert_eq!((rich::differences(&file, &same), notes), (Vec::new(), Vec::new()), "{name}");
        let two = limited(&rig, 2);
        let (after, _) = written(&two);
        let mut rest = changed(&file, &after);
        rest.retain(|d| !(d.contains("/attributes/JOINTS_") || d.contains("/attributes/WEIGHTS_")));
        assert_eq!(rest, Vec::<String>::new(), "{name}");
        let back = read(&after);
        assert_eq!((&back.weights, &back.skeleton, &back.mesh), (&two.weights, &two.skeleton, &two.mesh), "{name}");
    }
}

#[test]
fn turned_triangles_change_their_indices_alone() {
    let file = rich::glb();
    let mut rig = read(&file);
    let coat = rig.parts.iter().find(|p| p.name == "coat").unwrap().triangles.clone();
    let turn = |t: &mut [u32; 3]| t.swap(1, 2);
    rig.mesh.triangles[coat.start as usize..coat.end as usize].iter_mut().for_each(turn);
    let (after, notes) = written(&rig);
    assert_eq!((changed(&file, &after), notes), (vec!["/meshes/1/primitives/0/indices".to_owned()], Vec::new()));
    assert_eq!(read(&after).mesh, rig.mesh);
}

#[test]
fn new_joints_hang_on_the_old_ones() {
    let file = rich::glb();
    let mut rig = read(&file);
    let mut joints = rig.skeleton.joints().to_vec();
    let head = rig.skeleton.find("head").unwrap();
    let place = DAffine3::from_translation(DVec3::new(0.0, 5.0, 0.0));
    let mut crown = Joint::new("crown", Some(head), place);
    crown.shown_local = DAffine3::from_translation(DVec3::Y);
    joints.push(crown);
    rig.skeleton = Skeleton::new(joints).unwrap();
    let (after, notes) = written(&rig);
    assert_eq!(notes, Vec::<String>::new());
    let expected = ["+/nodes/14", "+/nodes/4/children/1", "+/skins/0/joints/6", "/skins/0/inverseBindMatrices"];
    let mut changed = changed(&file, &after);
    changed.sort();
    assert_eq!(changed, expected);
    // Joints are read parents first, so that the new one stands elsewhere.
    let back = read(&after).skeleton;
    let of = |s: &Skeleton| {
        let parent = |j: &Joint| j.parent.map(|p| s.joints()[p].name.clone());
        let mut all: Vec<_> = s.joints().iter().map(|j| (j.name.clone(), parent(j), j.role == Role::Bone)).collect();
        all.sort();
        all
    };
    assert_eq!(of(&back), of(&rig.skeleton));
    let crown = &back.joints()[back.find("crown").unwrap()];
    assert_eq!((crown.rest_position(), crown.shown_local), (place.translation, DAffine3::from_translation(DVec3::Y)));
}

#[test]
fn a_pose_and_a_baked_clip_keep_materials_whole() {
    let file = rich::glb();
    let (rig, before) = (read(&file), rich::parts(&file));
    let mut posed = Vec::new();
    let moved: Vec<Vec3> = rig.mesh.positions.iter().map(|p| p * 2.0).collect();
    write::gltf::posed(&rig, &moved, &mut posed).unwrap();
    let mut clip = write::gltf::Baked::new(&rig, Default::default()).unwrap();
    clip.frame(&rig.mesh.positions).unwrap();
    clip.frame(&moved).unwrap();
    let mut baked = Vec::new();
    clip.finish(&mut baked).unwrap();
    for (name, file) in [("posed_rich", posed), ("baked_rich", baked)] {
        let after = rich::parts(&file);
        for list in ["materials", "textures", "samplers"] {
            assert_eq!(after.root[list], before.root[list], "{name}: {list}");
        }
        for k in 0..5 {
            let picture = |parts: &rich::Parts| {
                let view = parts.root["images"][k]["bufferView"].as_u64().unwrap() as usize;
                (parts.root["images"][k]["extras"].clone(), rich::contents(parts, "bufferViews", view))
            };
            assert_eq!(picture(&after), picture(&before), "{name}: image {k}");
        }
        let first = &after.root["meshes"][0]["primitives"][0]["attributes"];
        assert!(first["TEXCOORD_0"].is_u64() && first["TEXCOORD_1"].is_u64() && first["COLOR_0"].is_u64(), "{first}");
        let used = after.root["extensionsUsed"].to_string();
        assert!(used.contains("KHR_materials_clearcoat") && !used.contains("KHR_lights_punctual"), "{used}");
    }
}
