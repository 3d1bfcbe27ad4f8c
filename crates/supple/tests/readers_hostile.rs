//! glTF files of a few bytes that ask for much, and values that name nothing. Also for those that write them again.

use std::cell::Cell;
use supple::{
    glam::{DAffine3, DVec3},
    read::{self, Format, Loaded},
    rig::{Joint, Rig, Skeleton, Weights, WeightsBuilder},
    write,
};

fn load(json: &str, buffer: &[u8]) -> Result<Loaded, String> {
    let resolve = |_: &str| Ok(buffer.to_vec());
    read::bytes("hostile", Format::Gltf, json.as_bytes().to_vec(), &resolve).map_err(|e| e.to_string())
}

fn document(parts: &str) -> String {
    format!(r#"{{"asset":{{"version":"2.0"}},{parts}}}"#)
}

fn many(count: usize, entry: &str) -> String {
    vec![entry; count].join(",")
}

#[test]
fn lists_of_a_million_entries_are_refused_before_they_are_read() {
    for list in ["nodes", "meshes", "materials", "images", "skins", "animations", "textures"] {
        let error = load(&document(&format!(r#""{list}":[{}]"#, many(1_000_000, "{}"))), &[]).unwrap_err();
        assert!(error.starts_with("JSON: a list of more than 262144 entries at line 1"), "{list}: {error}");
    }
}

#[test]
fn more_joints_than_can_be_numbered_are_refused_with_their_number() {
    let joints: Vec<String> = (0..100_000).map(|i| i.to_string()).collect();
    let joints = joints.join(",");
    let parts = format!(r#""nodes":[{}],"skins":[{{"joints":[{joints}]}}]"#, many(100_000, "{}"));
    let error = load(&document(&parts), &[]).unwrap_err();
    assert_eq!(error, "skins: 100000 joints, but at most 65535 are supported");
}

#[test]
fn nodes_that_share_a_mesh_do_not_multiply_its_morphs_and_primitives() {
    let nodes = many(20_000, r#"{"mesh":0}"#);
    let targets = format!(
        r#""nodes":[{nodes}],"meshes":[{{"primitives":[{{"attributes":{{}},"targets":[{}]}}]}}]"#,
        many(1000, "{}")
    );
    let error = load(&document(&targets), &[]).unwrap_err();
    assert_eq!(error, "nodes[262]: more than 262144 morph targets");
    let empty = r#"{"attributes":{"POSITION":0}}"#;
    let accessor = r#"{"componentType":5126,"count":0,"type":"VEC3"}"#;
    let primitives =
        format!(r#""nodes":[{nodes}],"accessors":[{accessor}],"meshes":[{{"primitives":[{}]}}]"#, many(1000, empty));
    let error = load(&document(&primitives), &[]).unwrap_err();
    assert_eq!(error, "meshes[0].primitives[144]: more than 262144 primitives are shown");
}

#[test]
fn a_file_beside_it_is_read_once_however_many_buffers_name_it() {
    let buffer = r#"{"byteLength":4,"uri":"a.bin"}"#;
    let json = document(&format!(r#""buffers":[{}]"#, many(1000, buffer)));
    let read = Cell::new(0);
    let resolve = |_: &str| {
        read.set(read.get() + 1);
        Ok(vec![0; 4])
    };
    let loaded = read::bytes("hostile", Format::Gltf, json.into_bytes(), &resolve);
    assert!(loaded.is_ok(), "{:?}", loaded.err());
    assert_eq!(read.get(), 1);
}

/// A triangle in a skin of one joint, with its weights and joints in `kind`.
fn triangle(kind: u32, size: usize, more: &str) -> (String, Vec<u8>) {
    let mut bytes: Vec<u8> =
        [0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    (0..3).for_each(|_| bytes.extend([1.0f32, 0.0, 0.0, 0.0].iter().flat_map(|x| x.to_le_bytes())));
    bytes.resize(bytes.len() + 12 * size, 0);
    let view = |at: usize, length: usize| format!(r#"{{"buffer":0,"byteOffset":{at},"byteLength":{length}}}"#);
    let views = [view(0, 36), view(36, 48), view(84, 12 * size)].join(",");
    let accessor = |view: usize, kind: u32, of: &str| {
        format!(r#"{{"bufferView":{view},"componentType":{kind},"count":3,"type":"{of}"}}"#)
    };
    let accessors = [accessor(0, 5126, "VEC3"), accessor(1, 5126, "VEC4"), accessor(2, kind, "VEC4")].join(",");
    let attributes = r#"{"POSITION":0,"WEIGHTS_0":1,"JOINTS_0":2}"#;
    let parts = format!(
        r#""buffers":[{{"byteLength":{},"uri":"a.bin"}}],"bufferViews":[{views}],"accessors":[{accessors}],
        "meshes":[{{"primitives":[{{"attributes":{attributes}}}]}}],"skins":[{{"joints":[1]}}],{more}"#,
        bytes.len()
    );
    (document(&parts), bytes)
}

const NODES: &str = r#""nodes":[{"mesh":0,"skin":0},{"name":"bone"}]"#;

#[test]
fn joints_of_a_wrong_component_type_say_so() {
    for (kind, size, word) in [(5126, 4, "5126 (FLOAT)"), (5120, 1, "5120 (BYTE)"), (5122, 2, "5122 (SHORT)")] {
        let (json, bytes) = triangle(kind, size, NODES);
        let expected = format!(
            "meshes[0].primitives[0].JOINTS_0: component type {word} is not unsigned: 5121, 5123 or 5125 is expected"
        );
        assert_eq!(load(&json, &bytes).unwrap_err(), expected);
    }
    let (json, bytes) = triangle(5121, 1, NODES);
    assert!(load(&json, &bytes).expect("bytes are right").warnings.is_empty());
}

#[test]
fn rotations_of_no_length_are_warned_of_and_other_lengths_are_rounded() {
    let nodes = r#""nodes":[{"mesh":0,"skin":0,"rotation":[0,0,0,0]},{"rotation":[0.3,0.3,0.3,0.3]}]"#;
    let (json, bytes) = triangle(5121, 1, nodes);
    let warnings: Vec<String> = load(&json, &bytes).expect("mended").warnings.iter().map(ToString::to_string).collect();
    let expected =
        ["nodes[0]: rotation has length 0: read as no rotation", "nodes[1]: rotation has length 0.6: normalised"];
    assert_eq!(warnings, expected);
}

#[test]
fn keys_that_are_rotations_of_no_length_are_warned_of_by_clip() {
    // The weights of the triangle, read as rotations, and two numbers of its positions as times.
    let clip = r#""animations":[{"name":"walk","channels":[{"sampler":0,"target":{"node":1,"path":"rotation"}}],"samplers":[{"input":3,"output":4}]}],"#;
    let (json, bytes) = triangle(5121, 1, &format!("{clip}{NODES}"));
    // Times 0 and 1; both rotations are (0, 0, 0, 1).
    let times = r#"{"bufferView":0,"byteOffset":8,"componentType":5126,"count":2,"type":"SCALAR"}"#;
    let turns = r#"{"bufferView":1,"byteOffset":4,"componentType":5126,"count":2,"type":"VEC4"}"#;
    let json = json.replace(
        r#"],
        "meshes""#,
        &format!(
            r#",{times},{turns}],
        "meshes""#
        ),
    );
    let loaded = load(&json, &bytes).expect("mended");
    assert_eq!(loaded.rig.clips.len(), 1, "{:?}", loaded.warnings);
    let said: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
    assert!(said.is_empty(), "turns are (0, 0, 0, 1): {said:?}");
    let turns = turns
        .replace("5126,\"count\":2", "5121,\"count\":2")
        .replace(r#""bufferView":1,"byteOffset":4"#, r#""bufferView":2,"byteOffset":0"#);
    let json = json.replace(r#"{"bufferView":1,"byteOffset":4,"componentType":5126,"count":2,"type":"VEC4"}"#, &turns);
    let said: Vec<String> = load(&json, &bytes).expect("mended").warnings.iter().map(ToString::to_string).collect();
    assert_eq!(said, ["animations[0]: clip \"walk\": 2 keys are rotations of length 0: read as no rotation"]);
}

fn written(rig: &Rig) -> (Vec<u8>, Vec<String>) {
    let mut file = Vec::new();
    let notes = write::gltf::rig(rig, &mut file).expect("written");
    (file, notes)
}

// The next ones take a moment. Where work grows with the product of two counts they take half an hour, and the limit for a
// test (`.config/nextest.toml`) ends them.

#[test]
fn a_picture_is_compared_once_however_many_images_name_it() {
    let mut picture = b"\x89PNG".to_vec();
    picture.resize(64 << 20, 7);
    let parts = format!(
        r#""buffers":[{{"byteLength":{0},"uri":"a.bin"}}],"bufferViews":[{{"buffer":0,"byteLength":{0}}}],"images":[{1}]"#,
        picture.len(),
        many(250_000, r#"{"bufferView":0}"#)
    );
    let rig = load(&document(&parts), &picture).expect("sound").rig;
    assert_eq!(rig.images.len(), 250_000);
    let (file, notes) = written(&rig);
    assert!(notes.is_empty(), "{notes:?}");
    assert!(file.len() < 2 * picture.len());
}

#[test]
fn buffers_that_share_a_file_are_refused_where_their_texts_fit_no_glb() {
    let buffers = many(60, r#"{"byteLength":67108864,"uri":"a.bin"}"#);
    let rig = load(&document(&format!(r#""buffers":[{buffers}]"#)), &vec![0; 64 << 20]).expect("sound").rig;
    let error = write::gltf::rig(&rig, &mut Vec::new()).unwrap_err().to_string();
    assert!(error.contains("give it one buffer"), "{error}");
}

/// A mesh of one triangle, shown by as many nodes in places of their own. Accessor 1 is a time, and 2 a place.
fn shown(nodes: usize, of_primitive: &str, of_mesh: &str, more: &str) -> (String, Vec<u8>) {
    let bytes: Vec<u8> =
        [0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    let nodes: Vec<String> = (0..nodes).map(|i| format!(r#"{{"mesh":0,"translation":[{i},0,0]}}"#)).collect();
    let accessor = |count: usize, kind: &str| {
        format!(r#"{{"bufferView":0,"componentType":5126,"count":{count},"type":"{kind}"}}"#)
    };
    let accessors = [accessor(3, "VEC3"), accessor(1, "SCALAR"), accessor(1, "VEC3")].join(",");
    let parts = format!(
        r#""buffers":[{{"byteLength":36,"uri":"a.bin"}}],"bufferViews":[{{"buffer":0,"byteLength":36}}],
        "accessors":[{accessors}],"nodes":[{}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}{of_primitive}}}]{of_mesh}}}]{more}"#,
        nodes.join(",")
    );
    (document(&parts), bytes)
}

#[test]
fn clips_that_move_no_morph_do_not_look_at_all_nodes_that_have_some() {
    let clip =
        r#"{"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}],"samplers":[{"input":1,"output":2}]}"#;
    let clips = format!(r#","animations":[{}]"#, many(200_000, clip));
    let (json, bytes) = shown(60_000, r#","targets":[{"POSITION":0}]"#, "", &clips);
    let rig = load(&json, &bytes).expect("sound").rig;
    assert_eq!((rig.clips.len(), rig.morphs.len()), (200_000, 60_000));
    let (_, notes) = written(&rig);
    assert!(notes.is_empty(), "{notes:?}");
}

/// Joints in a row, and every triangle of a file bound to one of them, or to a few in its own way.
fn bound(file: (String, Vec<u8>), joints: usize, alike: bool) -> Rig {
    let rig = load(&file.0, &file.1).expect("sound").rig;
    let place = |i: usize| DAffine3::from_translation(DVec3::new(i as f64, 0.0, 0.0));
    let row = (0..joints).map(|i| Joint::new(format!("joint {i}"), i.checked_sub(1), place(i)));
    let skeleton = Skeleton::new(row.collect()).expect("a row");
    let mut weights = WeightsBuilder::default();
    for vertex in 0..rig.mesh.positions.len() {
        let triangle = vertex / 3;
        let share = if alike { 1.0 } else { 1.0 / (2.0 + triangle as f32) };
        weights.push([((triangle % joints) as u16, share), (((triangle + 1) % joints) as u16, 1.0 - share)]);
    }
    let weights: Weights = weights.finish(|_| 0).0;
    let parts = rig.parts.iter().cloned().map(|part| supple::rig::Part { skinned: true, ..part }).collect();
    Rig { skeleton, weights: Some(weights), parts, clips: Vec::new(), ..rig }
}

#[test]
fn a_mesh_of_many_places_is_not_bound_to_all_joints_in_each() {
    let rig = bound(shown(20_000, "", "", ""), 100, true);
    let (file, notes) = written(&rig);
    assert!(file.len() < 20 << 20, "{} bytes", file.len());
    assert!(notes.is_empty(), "{notes:?}");
    let back = read::bytes("bound", Format::Gltf, file, &read::resolve_nothing).expect("sound").rig;
    assert_eq!((&back.weights, &back.mesh.positions), (&rig.weights, &rig.mesh.positions));
    assert_eq!(back.skeleton.names().collect::<Vec<_>>(), rig.skeleton.names().collect::<Vec<_>>());
}

#[test]
fn a_mesh_of_many_places_and_long_extras_is_written_anew() {
    let extras = format!(r#","name":"leaf","extras":"{}""#, "long ".repeat(20_000));
    let rig = bound(shown(1000, "", &extras, ""), 3, false);
    let (file, notes) = written(&rig);
    assert!(file.len() < 20 << 20, "{} bytes", file.len());
    let told = "\"leaf\" is shown by several nodes, which differ now, and is too long to be there 1000 times";
    assert!(notes.len() == 1 && notes[0].ends_with(told), "{notes:?}");
}
