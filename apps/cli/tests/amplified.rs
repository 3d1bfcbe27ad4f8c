//! Small files that mean more than their bytes can: refused by their numbers, before anything of that size is held.

mod command;

use command::{fine, folder_with_arm, refused, within};
use glam::{DAffine3, DVec3, Vec3};
use serde_json::{Value, json};
use std::{
    fs::File,
    process::{Command, Output},
};
use supple::{
    rig::{Joint, Mesh, Rig, Skeleton, WeightsBuilder},
    write,
};

/// A line of standard error that says so, and no word of memory.
fn assert_says(output: &Output, code: i32, says: &str) {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{errors}");
    assert!(errors.contains(says) && !errors.contains("memory"), "{errors}");
}

#[test]
fn elements_without_a_buffer_view_are_bounded_by_the_buffers() {
    let folder = tempfile::tempdir().expect("a folder");
    let count = 1_990_000;
    let blank = |kind: &str| json!({"componentType": 5126, "count": count, "type": kind});
    let document = json!({
        "asset": {"version": "2.0"},
        "accessors": [blank("VEC3"), blank("VEC2")],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 0, "TEXCOORD_0": 1}, "mode": 5}]}],
        "nodes": [{"mesh": 0}, {"mesh": 0}],
    });
    let mut text = document.to_string();
    // Blanks are no data, however many.
    text.push_str(&" ".repeat(2_000_000));
    std::fs::write(folder.path().join("blank.gltf"), text).expect("written");
    let output = within(512, folder.path(), &["info", "blank.gltf"]);
    assert_says(&output, 2, "blank.gltf: accessors[0]: 1990000 elements without a buffer view");
}

#[test]
fn a_mesh_shown_by_many_nodes_is_bounded_by_the_buffers() {
    let folder = tempfile::tempdir().expect("a folder");
    let count = 50_000;
    std::fs::write(folder.path().join("a.bin"), vec![0; 12 * count]).expect("written");
    let nodes = |nodes: usize| {
        json!({
            "asset": {"version": "2.0"},
            "buffers": [{"byteLength": 12 * count, "uri": "a.bin"}],
            "bufferViews": [{"buffer": 0, "byteLength": 12 * count}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": count, "type": "VEC3"}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "mode": 5}]}],
            "nodes": vec![json!({"mesh": 0}); nodes],
        })
    };
    for (name, shown) in [("few.gltf", 8), ("many.gltf", 20)] {
        std::fs::write(folder.path().join(name), nodes(shown).to_string()).expect("written");
    }
    let facts: Value = serde_json::from_str(&fine(folder.path(), &["info", "few.gltf", "--json"])).expect("JSON");
    assert_eq!(facts["vertices"], 8 * count);
    let output = within(512, folder.path(), &["info", "many.gltf"]);
    assert_says(&output, 2, "more than its 600");
}

#[test]
fn accessors_that_lie_over_one_another_are_counted_each() {
    let folder = tempfile::tempdir().expect("a folder");
    let (bytes, overlapping) = (4 << 20, 60);
    std::fs::write(folder.path().join("a.bin"), vec![0; bytes]).expect("written");
    let one = json!({"bufferView": 0, "componentType": 5126, "count": 1, "type": "SCALAR"});
    let many = |kind: &'static str, width: usize| {
        (0..overlapping).map(move |i| {
            json!({"bufferView": 0, "byteOffset": i, "componentType": 5121, "count": bytes / width - 100, "type": kind})
        })
    };
    for (name, says, accessors, sampler) in [
        ("outputs", "values for 1 keys", many("VEC4", 4).collect::<Vec<_>>(), [0, 1]),
        ("inputs", "more keys than the", many("SCALAR", 1).collect(), [1, 0]),
    ] {
        let of = |which: usize, i: usize| if which == 0 { 0 } else { i + 1 };
        let animation = |i: usize| {
            json!({
                "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}],
                "samplers": [{"input": of(sampler[0], i), "output": of(sampler[1], i)}],
            })
        };
        let mut one = one.clone();
        // A rotation where it is the output.
        if sampler[1] == 0 {
            one["type"] = json!("VEC4");
        }
        let all = [vec![one], accessors].concat();
        let document = json!({
            "asset": {"version": "2.0"},
            "buffers": [{"byteLength": bytes, "uri": "a.bin"}],
            "bufferViews": [{"buffer": 0, "byteLength": bytes}],
            "accessors": all,
            "nodes": [{}],
            "skins": [{"joints": [0]}],
            "animations": (0..overlapping).map(animation).collect::<Vec<_>>(),
        });
        let file = format!("{name}.gltf");
        std::fs::write(folder.path().join(&file), document.to_string()).expect("written");
        assert_says(&within(512, folder.path(), &["info", &file]), 0, says);
    }
}

#[test]
fn polygons_that_name_the_same_corners_again_and_again_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).expect("written");
    let (rounds, points) = (500_000, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf");
    write("fan.obj", (points.to_owned() + &" 1 2 3".repeat(rounds)).as_bytes());
    assert_says(&within(512, folder.path(), &["info", "fan.obj"]), 2, "fan.obj: line 4: more than ");
    let header = "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\n\
                  property float z\nelement face 1\nproperty list uint uchar vertex_indices\nend_header\n";
    let corners = [0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].map(f32::to_le_bytes);
    let count = (3 * rounds as u32).to_le_bytes();
    write("fan.ply", &[header.as_bytes(), corners.as_flattened(), &count, &[0, 1, 2].repeat(rounds)].concat());
    assert_says(
        &within(512, folder.path(), &["info", "fan.ply"]),
        2,
        "fan.ply: face 0, \"vertex_indices\": more than ",
    );
}

#[test]
fn a_skeleton_of_thousands_of_joints_is_listed_soon_and_says_what_was_not_tried() {
    let folder = tempfile::tempdir().expect("a folder");
    let joints = |count: usize| {
        let points = (0..count).map(|i| format!("{i} {} {} {}\n", i % 17, i % 19, i)).collect::<String>();
        points + "#\n" + &(1..count).map(|i| format!("{} {i}\n", i - 1)).collect::<String>()
    };
    for (name, count, tried) in [("small.tgf", 40, true), ("large.tgf", 5000, false)] {
        std::fs::write(folder.path().join(name), joints(count)).expect("written");
        let list = fine(folder.path(), &["info", name, "--joints"]);
        assert_eq!(!list.contains("too many to try which hinge keeps limbs apart"), tried, "{name}");
        assert!(list.lines().count() > count, "{name}");
    }
}

#[test]
fn notes_beside_the_words_of_gltf_are_no_burden() {
    let folder = tempfile::tempdir().expect("a folder");
    for list in ["\"extras\":[", "\"extras\":{\"supple\":[", "\"extras\":{\"targetNames\":["] {
        let ends = if list.contains('{') { "0]}" } else { "0]" };
        let noughts = "0,".repeat(20_000_000);
        let text = format!("{{\"asset\":{{\"version\":\"2.0\"}},\"nodes\":[{{{list}{noughts}{ends}}}]}}");
        std::fs::write(folder.path().join("noted.gltf"), text).expect("written");
        assert_says(&within(512, folder.path(), &["info", "noted.gltf"]), 0, "holds neither points nor joints");
    }
}

/// A deflate stream of so many zeros, about: one, and copies of the 258 before.
fn deflated_zeros(count: usize) -> Vec<u8> {
    let copy = [1u8, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0];
    // The last block, with the usual codes; a zero; the copies; and the end.
    let first = [1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0];
    let bits: Vec<u8> = first.into_iter().chain(copy.repeat(count / 258)).chain([0; 7]).collect();
    bits.chunks(8).map(|byte| byte.iter().rev().fold(0, |sum, bit| sum << 1 | bit)).collect()
}

/// An `.npz` of one array that is all zeros, so many bytes.
fn npz_of_zeros(array: &str, count: usize) -> Vec<u8> {
    let (name, data) = (format!("{array}.npy"), deflated_zeros(count));
    let word = |n: usize| (n as u32).to_le_bytes();
    let sizes = [word(data.len()), word(count), (name.len() as u32).to_le_bytes()].concat();
    let local = [b"PK\x03\x04\x14\0\0\0\x08\0", &[0; 8][..], &sizes, name.as_bytes(), &data].concat();
    let entry = [b"PK\x01\x02\x14\0\x14\0\0\0\x08\0", &[0; 8][..], &sizes, &[0; 14], name.as_bytes()].concat();
    let end = [&b"PK\x05\x06\0\0\0\0\x01\0\x01\0"[..], &word(entry.len()), &word(local.len()), &[0; 2]].concat();
    [local, entry, end].concat()
}

#[test]
fn the_arrays_of_a_reference_are_bounded_by_the_vertices_of_its_rig() {
    let folder = folder_with_arm();
    std::fs::write(folder.path().join("huge.npz"), npz_of_zeros("index", 900 << 20)).expect("written");
    let case = json!({
        "name": "huge", "file": "huge.npz", "rig_from": "supple example arm --vertices 700 -o arm.glb", "pose": ["--rest"],
        "joint": [0, 0, 0], "radius": 1,
    });
    std::fs::write(folder.path().join("list.json"), json!({"cases": [case]}).to_string()).expect("written");
    let output = within(512, folder.path(), &["measure", "--reference", "list.json", "--device", "cpu"]);
    let most = 8 * 700 + 1024;
    let says = "case \"huge\": huge.npz: index.npy: unpacks to 943718400 bytes, and a rig of so many vertices needs ";
    assert_says(&output, 2, &format!("{says}{most} at most"));
}

/// A tube of so many joints in a row, two rings of skin for each.
fn chain(joints: usize) -> Rig {
    const AROUND: usize = 6;
    let place = |i: usize| DAffine3::from_translation(DVec3::X * (i.min(1) as f64));
    let joint = |i: usize| Joint::new(format!("joint {i}"), i.checked_sub(1), place(i));
    let ring = |r: usize| {
        (0..AROUND).map(move |k| {
            let turn = std::f32::consts::TAU * k as f32 / AROUND as f32;
            Vec3::new(0.5 * r as f32 + 0.25, 0.4 * turn.cos(), 0.4 * turn.sin())
        })
    };
    let rings = 2 * joints;
    let corner = |r: usize, k: usize| (AROUND * r + k % AROUND) as u32;
    let quads = (1..rings).flat_map(|r| (0..AROUND).map(move |k| (r, k)));
    let triangles = quads.flat_map(|(r, k)| {
        let [a, b, c, d] = [corner(r - 1, k), corner(r, k), corner(r, k + 1), corner(r - 1, k + 1)];
        [[a, c, b], [a, d, c]]
    });
    let mut weights = WeightsBuilder::default();
    (0..rings * AROUND).for_each(|v| weights.push([((v / AROUND / 2) as u16, 1.0)]));
    Rig {
        mesh: Mesh {
            positions: (0..rings).flat_map(ring).collect(),
            triangles: triangles.collect(),
            ..Mesh::default()
        },
        skeleton: Skeleton::new((0..joints).map(joint).collect()).expect("a chain"),
        weights: Some(weights.finish(|_| 0).0),
        ..Rig::default()
    }
}

#[test]
fn the_volumes_of_a_thousand_joints_share_a_bounded_memory_and_say_so() {
    let folder = tempfile::tempdir().expect("a folder");
    write::rig(folder.path().join("chain.glb"), &chain(1000)).expect("written");
    // Threads take address space that they do not use.
    let words =
        ["deform", "chain.glb", "-m", "implicit", "--rest", "--device", "cpu", "--threads", "2", "-o", "moved.ply"];
    let output = within(512, folder.path(), &words);
    assert_says(&output, 0, "999 volumes: their grids have 22 nodes on a side instead of 32");
}

#[test]
fn more_limbs_than_volumes_are_made_of_are_refused_by_their_number() {
    let folder = tempfile::tempdir().expect("a folder");
    write::rig(folder.path().join("chain.glb"), &chain(5000)).expect("written");
    let words = ["deform", "chain.glb", "-m", "implicit", "--rest", "--device", "cpu", "-o", "moved.ply"];
    let output = within(512, folder.path(), &words);
    assert_says(&output, 2, "limbs, and 4096 are the most");
}

#[test]
fn huge_coordinates_are_told_in_few_digits() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("far.obj"), "v -1e17 0 0\nv 1e17 2 0\nv 0 123.456789 0\nf 1 2 3\n")
        .expect("written");
    let list = fine(folder.path(), &["info", "far.obj"]);
    assert!(list.contains("-1e17 0.0000 0.0000 to 1e17 123.4568 0.0000, diagonal 2e17"), "{list}");
}

#[test]
fn the_picture_that_the_materials_of_an_obj_name_is_not_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write("m.obj", "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n");
    write("m.mtl", "newmtl a\nmap_Kd skin.png\n");
    write("skin.png", "somebody's work");
    let line = refused(folder.path(), &["render", "m.obj", "-o", "skin.png"]);
    assert!(line.contains("skin.png"), "{line}");
    assert_eq!(std::fs::read_to_string(folder.path().join("skin.png")).expect("there"), "somebody's work");
}

#[cfg(unix)]
#[test]
fn an_endless_stream_of_nothing_is_refused_by_its_first_bytes() {
    let mut command = Command::new("bash");
    let script = "ulimit -v 600000; exec \"$0\" \"$@\"";
    command.args(["-c", script, env!("CARGO_BIN_EXE_supple"), "deform", "-", "-o", "out.obj"]);
    let output = command.stdin(File::open("/dev/zero").expect("a device")).output().expect("bash runs");
    assert_says(&output, 2, "standard input: nobody can tell what it is");
}
