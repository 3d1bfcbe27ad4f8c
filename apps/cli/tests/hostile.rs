//! Files that ask for more than they are worth: bounded memory, one clear line.

mod command;

use command::{folder_with_arm, refused, said, within};
use image::{ExtendedColorType, ImageEncoder, codecs::png::PngEncoder};
use serde_json::{Value, json};
use std::path::Path;
use supple::pose::{Channel, Clip, Interpolation, Track};

/// A document and its binary chunk as a GLB.
fn glb(document: &Value, mut bin: Vec<u8>) -> Vec<u8> {
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    bin.resize(bin.len().next_multiple_of(4), 0);
    let word = |n: usize| (n as u32).to_le_bytes();
    let chunk = |kind: &[u8], body: &[u8]| [&word(body.len()), kind, body].concat();
    let chunks = [chunk(b"JSON", &text), chunk(b"BIN\0", &bin)].concat();
    [&b"glTF"[..], &word(2), &word(12 + chunks.len()), &chunks].concat()
}

/// The document and the binary chunk of a GLB.
fn parts(glb: &[u8]) -> (Value, Vec<u8>) {
    let word = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().expect("four bytes")) as usize;
    let bin = 20 + word(12);
    (serde_json::from_slice(&glb[20..bin]).expect("JSON"), glb[bin + 8..bin + 8 + word(bin)].to_vec())
}

/// A triangle for each of fifty images, which are all one picture of 5000 by 5000 pixels.
fn fifty_pictures() -> Vec<u8> {
    const SIDE: u32 = 5000;
    let mut picture = Vec::new();
    let grey = vec![128; (SIDE * SIDE) as usize];
    PngEncoder::new(&mut picture).write_image(&grey, SIDE, SIDE, ExtendedColorType::L8).expect("a PNG");
    let numbers = [0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0];
    let mut bin: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
    let of_picture = json!({"buffer": 0, "byteOffset": bin.len(), "byteLength": picture.len()});
    bin.extend(&picture);
    let fifty = |entry: &dyn Fn(usize) -> Value| (0..50).map(entry).collect::<Vec<Value>>();
    let accessor = |offset: usize, kind: &str| json!({"bufferView": 0, "byteOffset": offset, "componentType": 5126, "count": 3, "type": kind});
    let document = json!({
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": bin.len()}],
        "bufferViews": [{"buffer": 0, "byteLength": 60}, of_picture],
        "accessors": [accessor(0, "VEC3"), accessor(36, "VEC2")],
        "images": fifty(&|_| json!({"bufferView": 1, "mimeType": "image/png"})),
        "textures": fifty(&|i| json!({"source": i})),
        "materials": fifty(&|i| json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": i}}})),
        "meshes": [{"primitives": fifty(&|i| json!({"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "material": i}))}],
        "nodes": [{"mesh": 0}],
    });
    glb(&document, bin)
}

#[test]
fn one_huge_picture_under_fifty_names_is_drawn_in_bounded_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("fifty.glb"), fifty_pictures()).expect("written");
    for words in [
        &["render", "fifty.glb", "--size", "64x48", "--samples", "1", "--device", "cpu", "-o", "out.png"][..],
        &["compare", "fifty.glb", "--methods", "linear", "--device", "cpu", "-o", "page"],
    ] {
        let output = within(768, folder.path(), words);
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn a_million_joints_are_refused_in_bounded_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let nodes = vec![json!({}); 1_000_000];
    let joints: Vec<usize> = (0..nodes.len()).collect();
    let document = json!({"asset": {"version": "2.0"}, "nodes": nodes, "skins": [{"joints": joints}]});
    std::fs::write(folder.path().join("million.gltf"), document.to_string()).expect("written");
    let output = within(512, folder.path(), &["info", "million.gltf"]);
    let line = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{line}");
    assert!(line.contains("million.gltf: JSON: a list of more than 262144 entries"), "{line}");
    assert_eq!(line.trim_end().lines().count(), 1, "{line}");
}

/// Loose triangles, each its own three vertices.
fn loose(triangles: impl Iterator<Item = [[f32; 3]; 3]>) -> String {
    let (mut points, mut faces) = (String::new(), String::new());
    for (t, corners) in triangles.enumerate() {
        corners.iter().for_each(|[x, y, z]| points.push_str(&format!("v {x} {y} {z}\n")));
        faces.push_str(&format!("f {} {} {}\n", 3 * t + 1, 3 * t + 2, 3 * t + 3));
    }
    points + &faces
}

#[test]
fn a_skin_of_loose_triangles_is_measured_on_a_coarser_grid_and_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    // A ball, each of its triangles drawn in towards its middle, so that none touches another.
    let (rings, around) = (24, 48);
    let at = |i: usize, k: usize| {
        let (polar, turn) =
            (std::f32::consts::PI * i as f32 / rings as f32, std::f32::consts::TAU * k as f32 / around as f32);
        [polar.sin() * turn.cos(), polar.sin() * turn.sin(), polar.cos()]
    };
    let drawn_in = |t: [[f32; 3]; 3]| {
        let middle = |axis: usize| (t[0][axis] + t[1][axis] + t[2][axis]) / 3.0;
        t.map(|p| std::array::from_fn(|axis| 0.95 * p[axis] + 0.05 * middle(axis)))
    };
    let cells = (1..rings - 1).flat_map(|i| (0..around).map(move |k| (i, k)));
    let halves = cells.flat_map(|(i, k)| {
        let [a, b, c, d] = [at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)];
        [drawn_in([a, b, c]), drawn_in([a, c, d])]
    });
    std::fs::write(folder.path().join("ball.obj"), loose(halves)).expect("written");
    let line = said(folder.path(), &["measure", "ball.obj", "ball.obj", "--grid", "1024"]);
    assert!(line.contains("ball.obj: warning: 6336 open edges: overlap is counted in "), "{line}");
    assert!(line.trim_end().ends_with(" cells a side instead of 1024"), "{line}");
}

#[test]
fn a_soup_is_not_judged_and_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let number = |i: usize| ((i as f32 * 12.9898).sin() * 43_758.547) % 1.0;
    let corner = |i: usize| [number(3 * i), number(3 * i + 1), number(3 * i + 2)];
    let soup = loose((0..2000).map(|t| [corner(3 * t), corner(3 * t + 1), corner(3 * t + 2)]));
    std::fs::write(folder.path().join("soup.obj"), soup).expect("written");
    let output = within(2048, folder.path(), &["measure", "soup.obj", "soup.obj", "--grid", "1024", "--json"]);
    let line = String::from_utf8_lossy(&output.stderr);
    assert_eq!(line.trim_end().lines().count(), 1, "{line}");
    assert!(line.contains("soup.obj: warning: overlap and volume cannot be judged: "), "{line}");
    let figures: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(figures["overlap"].is_null() && figures["cannot_be_judged"].is_string(), "{figures}");
}

/// Writes `arm.glb` anew with the first number of every rotation key of its first clip replaced.
fn with_keys(folder: &Path, name: &str, number: f32) {
    let (document, mut bin) = parts(&std::fs::read(folder.join("arm.glb")).expect("there"));
    for sampler in document["animations"][0]["samplers"].as_array().expect("samplers") {
        let accessor = &document["accessors"][sampler["output"].as_u64().expect("an index") as usize];
        let view = &document["bufferViews"][accessor["bufferView"].as_u64().expect("a view") as usize];
        let at = view["byteOffset"].as_u64().unwrap_or(0) + accessor["byteOffset"].as_u64().unwrap_or(0);
        bin[at as usize..at as usize + 4].copy_from_slice(&number.to_le_bytes());
    }
    std::fs::write(folder.join(name), glb(&document, bin)).expect("written");
}

#[test]
fn a_clip_of_values_that_are_no_numbers_is_named_with_its_file() {
    let folder = folder_with_arm();
    with_keys(folder.path(), "bad.glb", f32::NAN);
    let line = said(folder.path(), &["info", "bad.glb"]);
    assert!(line.contains("bad.glb: warning: animations[0]: clip \"bend\", track 0: value 0 is not finite"), "{line}");
    assert!(line.trim_end().ends_with("the clip cannot be used"), "{line}");
    let line = refused_after_warnings(folder.path(), &["bake", "bad.glb", "--clip", "bend", "-o", "out.glb"]);
    assert!(line.contains("bad: no clip is called \"bend\""), "{line}");
}

#[test]
fn a_clip_that_takes_the_skin_out_of_sight_is_told_of_and_measured_in_few_digits() {
    let folder = folder_with_arm();
    let mut arm = supple::read::path(folder.path().join("arm.glb")).expect("readable").rig;
    let track = Track {
        channel: Channel::Translation(0),
        interpolation: Interpolation::Linear,
        times: [0.0, 1.0].into(),
        values: [0.0, 0.0, 0.0, 1e30, 0.0, 0.0].into(),
    };
    arm.clips = vec![Clip::new("far", vec![track]).expect("a clip")];
    supple::write::rig(folder.path().join("far.glb"), &arm).expect("written");
    let words = ["measure", "far.glb", "--clip", "far", "--time", "1", "--method", "linear"];
    let output = command::supple(folder.path(), &words);
    let [text, errors] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("text"));
    assert!(
        errors.contains("clip \"far\": joint \"upper_arm\" is moved by 1e30, more than a million times"),
        "{errors}"
    );
    let longest = text.lines().map(str::len).max();
    assert!(longest.is_some_and(|l| l <= 40), "{text}");
}

/// The last line of a refusal.
fn refused_after_warnings(folder: &Path, words: &[&str]) -> String {
    let output = command::supple(folder, words);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{words:?}: {errors}");
    errors.trim_end().lines().last().unwrap_or_default().to_owned()
}

#[test]
fn a_skeleton_without_size_is_not_fitted() {
    let folder = folder_with_arm();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write("one.tgf", "1 0 0 0\n#\n");
    write("three.tgf", "1 5 5 5\n2 5 5 5\n3 5 5 5\n#\n1 2\n2 3\n");
    // So small that the length guessed for a lone joint is not lost beside it.
    write("small.obj", "v 0 0 0\nv 0.01 0 0\nv 0 0.01 0\nf 1 2 3\n");
    write("spot.obj", "v 1 1 1\nv 1 1 1\nv 1 1 1\nf 1 2 3\n");
    write("two.tgf", "1 0 0 0\n2 1 0 0\n#\n1 2\n");
    for (mesh, skeleton, says) in [
        (
            "small.obj",
            "one.tgf",
            "one.tgf: --fit: the skeleton is one joint: without a size it cannot be fitted to a mesh",
        ),
        ("arm.glb", "three.tgf", "three.tgf: --fit: the skeleton has all its joints in one place: without a size"),
        ("spot.obj", "two.tgf", "two.tgf: --fit: all vertices of the mesh lie in one place"),
    ] {
        let line =
            refused_after_warnings(folder.path(), &["bind", mesh, "--skeleton", skeleton, "--fit", "-o", "out.glb"]);
        assert!(line.contains(says), "{line}");
    }
    let _ = refused(folder.path(), &["bind", "small.obj", "--skeleton", "one.tgf", "--fit", "-o", "out.glb"]);
}

#[test]
fn the_end_of_a_clip_is_told_in_few_digits() {
    let folder = folder_with_arm();
    let line = said(folder.path(), &["deform", "arm.glb", "--clip", "bend", "--time", "77.123456789", "-o", "o.obj"]);
    assert!(line.contains(" s: at 77.12 s it is its last pose"), "{line}");
}
