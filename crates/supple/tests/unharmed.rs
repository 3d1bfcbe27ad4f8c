//! What a rig has no word for goes through reading and writing: a glTF file is changed where the rig was, and nowhere
//! else. The files stay in `through` of the folder that `SUPPLE_WRITTEN` names, where `outside/check_written.py` has them
//! validated.

use serde_json::{Value, json};
use supple::{
    glam::{DAffine3, DVec3, Vec3},
    pose::{Channel, Clip, Interpolation, Track},
    read::{self, Format},
    rig::{Joint, Rig, Role, Skeleton, Weights, WeightsBuilder},
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

/// The file with something else in its document.
fn edited(change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let rich::Parts { mut root, bin, .. } = rich::parts(&rich::glb());
    change(&mut root);
    let mut json = root.to_string().into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let word = |x: usize| (x as u32).to_le_bytes();
    let header = [&b"glTF\x02\0\0\0"[..], &word(28 + json.len() + bin.len())].concat();
    [&header[..], &word(json.len()), b"JSON", &json, &word(bin.len()), b"BIN\0", &bin].concat()
}

/// Points, triangles and morphs are those of another rig, but for rounding.
fn assert_same_shape(back: &Rig, rig: &Rig) {
    assert_eq!(back.mesh.triangles, rig.mesh.triangles);
    let far = |a: &[Vec3], b: &[Vec3]| supple_testkit::largest_distance(a, b, rig.diagonal());
    let distance = far(&back.mesh.positions, &rig.mesh.positions);
    assert!(distance < 1e-6, "{distance}");
    assert_eq!(back.morphs.len(), rig.morphs.len());
    for (a, b) in back.morphs.iter().zip(&rig.morphs) {
        assert_eq!((&a.name, &a.vertices), (&b.name, &b.vertices));
        assert!(far(&a.deltas, &b.deltas) < 1e-6, "{}", a.name);
    }
}

/// The rig with a skeleton of its own and nothing bound to it.
fn unbound(rig: &Rig) -> Rig {
    Rig { skeleton: supple_testkit::rigs::tube().skeleton, weights: None, clips: Vec::new(), ..rig.clone() }
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
    let told = ["the skeleton is another one", "\"wag\" moved the old joints alone and goes"];
    assert!(notes.iter().zip(told).all(|(note, start)| note.starts_with(start)) && notes.len() == 2, "{notes:?}");
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

#[test]
fn a_prop_that_half_follows_itself_keeps_its_place() {
    // Under another name, since the validator warns of a skin on a node that hangs on another.
    let mut rig = Rig { name: "badge".into(), ..read(&rich::glb()) };
    let (chest, badge) = (rig.skeleton.find("chest").unwrap(), rig.skeleton.find("badge").unwrap());
    let own = rig.parts.last().unwrap().vertices.clone();
    let (before, mut weights) = (rig.weights.as_ref().unwrap(), WeightsBuilder::default());
    for v in 0..rig.mesh.positions.len() {
        if own.contains(&(v as u32)) {
            weights.push([(chest as u16, 0.5), (badge as u16, 0.5)]);
        } else {
            let (joints, shares) = before.row(v);
            weights.push(joints.iter().copied().zip(shares.iter().copied()));
        }
    }
    rig.weights = Some(weights.finish(|_| 0).0);
    rig.parts.last_mut().unwrap().skinned = true;
    let (after, _) = written(&rig);
    let back = read(&after);
    assert_same_shape(&back, &rig);
    let place = |rig: &Rig| rig.skeleton.joints()[rig.skeleton.find("badge").unwrap()].clone();
    assert_eq!(place(&back).shown_local, place(&rig).shown_local, "the skin has a joint there");
    assert!(rich::parts(&after).root["nodes"][11]["skin"].is_u64());
    // One that no vertex follows any more stands in the bind matrices alone.
    let chest_alone = |v: u32| if own.contains(&v) { chest as u16 } else { 0 };
    rig.weights = Some(Weights::rigid((0..rig.mesh.positions.len() as u32).map(chest_alone)));
    let (after, _) = written(&rig);
    assert!(rich::parts(&after).root["nodes"][11]["scale"].is_null());
    assert_same_shape(&read(&after), &rig);
}

#[test]
fn a_mesh_that_loses_its_skin_stays_where_the_skin_put_it() {
    // Skins do not look at where their nodes stand, and the world does. One node has a child, and cannot be moved from it.
    let file = edited(|root| {
        root["nodes"][7]["translation"] = json!([0.0, 0.0, 4.0]);
        root["nodes"][7]["scale"] = json!([2.0, -2.0, 2.0]);
        root["nodes"][7]["children"] = json!([13]);
        root["nodes"][8]["translation"] = json!([1.0, 2.0, 3.0]);
        root["nodes"][5]["children"] = json!([8]);
        root["scenes"][1]["nodes"] = json!([6, 7, 9, 10]);
        let channel = json!({"sampler": 1, "target": {"node": 8, "path": "translation"}});
        root["animations"][0]["channels"].as_array_mut().unwrap().push(channel);
    });
    let rig = unbound(&read(&file));
    let (after, _) = written(&rig);
    let back = read(&after);
    assert_same_shape(&back, &rig);
    let root = rich::parts(&after).root;
    assert!([7, 8].iter().all(|&n: &usize| root["nodes"][n]["skin"].is_null() && root["nodes"][n]["mesh"].is_u64()));
    assert_eq!(root["nodes"][7]["scale"], json!([2.0, -2.0, 2.0]), "its child stays where it was");
    let attributes = |root: &Value| root["meshes"][1]["primitives"][0]["attributes"].clone();
    let (now, mut before) = (attributes(&root), attributes(&rich::parts(&file).root));
    before.as_object_mut().unwrap().retain(|name, _| !name.starts_with("JOINTS_") && !name.starts_with("WEIGHTS_"));
    assert_eq!(now, before, "the node was put elsewhere, not the vertices");
    assert!(root["scenes"][1]["nodes"].as_array().unwrap().contains(&json!(8)), "it hung on a joint that is gone");
    let channels = root["animations"][0]["channels"].as_array().unwrap();
    assert!(!channels.iter().any(|c| c["target"]["node"] == 8), "what the skin hid is to stay hidden: {channels:?}");
}

#[test]
fn a_rig_without_joints_leaves_the_skins_alone() {
    let file = rich::glb();
    let rig = Rig { skeleton: Skeleton::default(), ..unbound(&read(&file)) };
    let (after, _) = written(&rig);
    assert_same_shape(&read(&after), &rig);
    assert_eq!(rich::parts(&after).root["skins"], rich::parts(&file).root["skins"]);
    let nodes = |file: &[u8]| rich::parts(file).root["nodes"].as_array().unwrap()[..6].to_vec();
    let children = |file: &[u8]| nodes(file).iter().map(|node| node["children"].clone()).collect::<Vec<_>>();
    assert_eq!(children(&after)[..2], children(&file)[..2], "joints of a skin have a common root");
}

#[test]
fn a_skin_that_gets_a_joint_above_its_skeleton_no_longer_names_that() {
    let mut rig = read(&rich::glb());
    let spine = rig.skeleton.find("spine").unwrap() as u16;
    let before = rig.weights.clone();
    let coat = rig.parts.iter().find(|p| p.name == "coat").unwrap().vertices.clone();
    let bind = |rig: &mut Rig, joint: u16| {
        let (before, mut weights) = (before.as_ref().unwrap(), WeightsBuilder::default());
        for v in 0..rig.mesh.positions.len() {
            let (joints, shares) = before.row(v);
            match coat.contains(&(v as u32)) {
                true => weights.push([(joint, 1.0)]),
                false => weights.push(joints.iter().copied().zip(shares.iter().copied())),
            }
        }
        rig.weights = Some(weights.finish(|_| 0).0);
        rich::parts(&written(rig).0).root["skins"][0].clone()
    };
    assert_eq!(bind(&mut rig, spine)["skeleton"], 0);
    let above = rig.skeleton.find("character").unwrap() as u16;
    let skin = bind(&mut rig, above);
    assert!(skin["skeleton"].is_null() && skin["joints"].as_array().unwrap().contains(&json!(6)), "{skin}");
}

#[test]
fn triangles_of_a_mirrored_node_are_turned_as_they_are_in_the_rig() {
    let file = edited(|root| root["nodes"][11]["scale"] = json!([-1.0, 1.0, 1.0]));
    let mut rig = read(&file);
    let badge = rig.parts.last().unwrap().triangles.clone();
    rig.mesh.triangles[badge.start as usize..].iter_mut().for_each(|t| t.swap(1, 2));
    let (after, _) = written(&rig);
    assert_eq!(read(&after).mesh, rig.mesh);
}

#[test]
fn what_follows_a_mirrored_node_and_then_a_skin_is_turned_with_its_morphs() {
    // A primitive without joints stands by the node, and by the skin once it is bound.
    let file = edited(|root| {
        root["nodes"][8]["scale"] = json!([-2.0, 2.0, 2.0]);
        let targets = root["meshes"][0]["primitives"][0]["targets"].clone();
        let primitives = root["meshes"][1]["primitives"].as_array_mut().unwrap();
        primitives[0]["targets"] = targets;
        let mut bare = primitives[0].clone();
        ["JOINTS_0", "JOINTS_1", "WEIGHTS_0", "WEIGHTS_1"].iter().for_each(|name| {
            bare["attributes"].as_object_mut().unwrap().remove(*name);
        });
        primitives.push(bare);
    });
    // Under another name, since the validator warns of a skin on a node that stands elsewhere.
    let mut rig = Rig { name: "mirrored".into(), ..read(&file) };
    rig.weights = Some(Weights::rigid(vec![0; rig.mesh.positions.len()]));
    rig.parts.iter_mut().for_each(|p| p.skinned = true);
    let (after, _) = written(&rig);
    assert_same_shape(&read(&after), &rig);
    let normals = |rig: &Rig| rig.mesh.normals.clone().unwrap();
    assert!(supple_testkit::largest_distance(&normals(&read(&after)), &normals(&rig), 1.0) < 1e-6);
}

#[test]
fn a_changed_primitive_loses_the_copy_of_its_old_shape() {
    const DRACO: &str = "KHR_draco_mesh_compression";
    let file = edited(|root| {
        root["extensionsUsed"].as_array_mut().unwrap().push(json!(DRACO));
        for primitive in root["meshes"][0]["primitives"].as_array_mut().unwrap() {
            primitive["extensions"][DRACO] = json!({"bufferView": 1, "attributes": {"POSITION": 0}});
        }
    });
    let (after, notes) = written(&limited(&read(&file), 2));
    let told = "\"body\" had its old shape compressed besides (Draco), which goes";
    assert_eq!(notes, [told]);
    let root = rich::parts(&after).root;
    let extensions = |k: usize| root["meshes"][0]["primitives"][k]["extensions"].as_object().unwrap().clone();
    assert_eq!(extensions(0).keys().collect::<Vec<_>>(), ["KHR_materials_variants"]);
    assert!(extensions(1).contains_key(DRACO), "it was not changed");
}

#[test]
fn a_mesh_that_is_there_more_often_is_told_of_once() {
    let file = edited(|root| {
        root["nodes"][13]["mesh"] = json!(2);
        for name in ["NORMAL", "TANGENT"] {
            let of_body = root["meshes"][0]["primitives"][0]["attributes"][name].as_u64().unwrap() as usize;
            let accessors = root["accessors"].as_array_mut().unwrap();
            let first = json!({"bufferView": accessors[of_body]["bufferView"], "componentType": 5126, "count": 3,
                "type": accessors[of_body]["type"], "byteOffset": accessors[of_body]["byteOffset"].as_u64().unwrap_or(0)});
            let view = first["bufferView"].as_u64().unwrap() as usize;
            accessors.push(first);
            let number = accessors.len() - 1;
            root["meshes"][2]["primitives"][0]["attributes"][name] = json!(number);
            // A view that two accessors use has to say it.
            root["bufferViews"][view]["byteStride"] = json!(if name == "NORMAL" { 24 } else { 16 });
        }
    });
    let mut rig = read(&file);
    for (k, part) in rig.parts.iter().filter(|p| p.name == "badge").enumerate() {
        rig.mesh.positions[part.vertices.start as usize] += Vec3::X * (k + 1) as f32;
    }
    let (after, notes) = written(&rig);
    let told = [
        "the tangents of \"badge\" are those of its old shape",
        "\"badge\" was shown by several nodes, which differ now: it is there 3 times",
    ];
    assert_eq!(notes, told);
    assert_eq!(read(&after).mesh, rig.mesh);
}

#[test]
fn pictures_that_images_share_are_written_once() {
    let file = edited(|root| {
        let first = root["images"][0]["bufferView"].clone();
        root["images"].as_array_mut().unwrap().iter_mut().for_each(|image| image["bufferView"] = first.clone());
    });
    let rig = read(&file);
    let mut posed = Vec::new();
    write::gltf::posed(&rig, &rig.mesh.positions, &mut posed).unwrap();
    // The same pictures as files beside it, which come into it.
    let mut beside = rich::gltf();
    let mut root: Value = serde_json::from_slice(&beside[0].1).unwrap();
    root["images"].as_array_mut().unwrap().iter_mut().for_each(|image| *image = json!({"uri": "picture.png"}));
    beside[0].1 = root.to_string().into_bytes();
    let resolve = |name: &str| Ok(beside.iter().find(|(n, _)| *n == name).unwrap().1.clone());
    let rig = read::bytes("beside", Format::Gltf, beside[0].1.clone(), &resolve).unwrap().rig;
    let (embedded, notes) = written(&rig);
    assert_eq!(notes, Vec::<String>::new());
    for (name, file) in [("posed", posed), ("embedded", embedded)] {
        let parts = rich::parts(&file);
        let images = parts.root["images"].as_array().unwrap();
        let view = &images[0]["bufferView"];
        assert!(images.len() == 5 && images.iter().all(|image| image["bufferView"] == *view), "{name}: {images:?}");
        let bytes = rich::contents(&parts, "bufferViews", view.as_u64().unwrap() as usize);
        assert_eq!(bytes.as_ref(), beside.iter().map(|f| &f.1).nth(2), "{name}");
    }
}
