//! Small sound files, spoilt at random: whatever comes of it, no reader panics, and refusals are one line.

use proptest::prelude::*;
use supple::read::{self, Format};

const OBJ: &[u8] = b"# quad\no a\nv 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 1 1 0 0 0 1\nv 0 1 0 1 1 1\nvt 0 0\nvt 1 0\nvt 1 1\n\
    vt 0 1\nvn 0 0 1\nf 1/1/1 2/2/1 3/3/1 4/4/1\nf -4//-1 -3//-1 \\\n-2//-1\nl 1 2\n";
const PLY: &[u8] = b"ply\nformat ascii 1.0\ncomment c\nelement vertex 3\nproperty float x\nproperty float y\n\
    property float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\nelement face 1\n\
    property list uchar int vertex_indices\nend_header\n0 0 0 1 2 3\n1 0 0 1 2 3\n0 1 0 1 2 3\n3 0 1 2\n";
const BVH: &[u8] = b"HIERARCHY\nROOT hip\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation \
    Xrotation Yrotation\n JOINT knee\n {\n  OFFSET 0 -1 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n  End Site\n  {\
    \n   OFFSET 0 -1 0\n  }\n }\n}\nMOTION\nFrames: 2\nFrame Time: 0.03\n0 1 0 0 0 0 0 0 0\n0 1 0 0 0 0 0 20 0\n";
const TGF: &[u8] = b"1 0 0 0 hip\n2 0 1 0 knee\n3 0 2 0 foot\n#\n1 2\n2 3\n";
const SM: &[u8] = b"Sphere-mesh 2\n3 1 2\n0 0 0 .1\n0 1 0 .2\n0 2 0 .1\n0 1 2\n0 1\n1 2\n";
const JSON: &[u8] = br#"{"format": "supple-sphere-mesh", "version": 1, "spheres": [{"name": "a", "center": [0, 0, 0],
    "radius": 1}, {"center": [3, 0, 0], "radius": 0.5}], "bones": [[0, 1]]}"#;
const FBX: &[u8] = include_bytes!("../src/read/fbx/arm.fbx");

/// The same mesh as bytes, the other way round.
fn binary_ply() -> Vec<u8> {
    let mut bytes = b"ply\nformat binary_big_endian 1.0\nelement vertex 3\nproperty float x\nproperty double y\n\
        property short z\nelement face 1\nproperty list uint ushort vertex_index\nend_header\n"
        .to_vec();
    for i in 0..3u8 {
        bytes.extend(f32::from(i).to_be_bytes());
        bytes.extend(f64::from(i * i).to_be_bytes());
        bytes.extend(i16::from(i).to_be_bytes());
    }
    bytes.extend([0, 0, 0, 3, 0, 0, 0, 1, 0, 2]);
    bytes
}

/// A rig of the test kit as a GLB.
fn glb() -> Vec<u8> {
    let mut bytes = Vec::new();
    supple::write::gltf::rig(&supple_testkit::rigs::tube(), &mut bytes).expect("a sound rig");
    bytes
}

fn samples() -> Vec<(Format, Vec<u8>)> {
    let mut list: Vec<(Format, Vec<u8>)> = [
        (Format::Obj, OBJ),
        (Format::Ply, PLY),
        (Format::Bvh, BVH),
        (Format::Tgf, TGF),
        (Format::SphereMesh, SM),
        (Format::SphereMesh, JSON),
    ]
    .map(|(format, bytes)| (format, bytes.to_vec()))
    .into();
    list.push((Format::Ply, binary_ply()));
    list.push((Format::Gltf, glb()));
    if cfg!(feature = "fbx") {
        list.push((Format::Fbx, FBX.to_vec()));
    }
    list
}

/// Pieces that readers must not trust.
const SPOIL: [&[u8]; 16] = [
    b"-1",
    b"0",
    b"4294967295",
    b"99999999999999999999",
    b"1e999",
    b"nan",
    b"-inf",
    b" ",
    b"\n",
    b"\0",
    b"\xff\xfe",
    b"{",
    b"}",
    b"/",
    b"#",
    b"\"",
];

#[test]
fn the_samples_are_sound() {
    for (format, bytes) in samples() {
        read::bytes("sample", format, bytes, &read::resolve_nothing).unwrap_or_else(|e| panic!("{format:?}: {e}"));
    }
}

#[test]
fn a_file_cut_anywhere_is_read_or_refused() {
    for (format, bytes) in samples() {
        for end in 0..bytes.len() {
            let _ = read::bytes("cut", format, bytes[..end].to_vec(), &read::resolve_nothing);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn a_spoilt_file_is_read_or_refused(
        which in 0usize..8,
        cuts in prop::collection::vec(
            (any::<prop::sample::Index>(), 0usize..6, 0usize..SPOIL.len() + 1, any::<u8>()),
            1..6,
        ),
    ) {
        let samples = samples();
        let (format, mut bytes) = samples[which % samples.len()].clone();
        for (at, length, piece, byte) in cuts {
            let at = at.index(bytes.len() + 1);
            let end = (at + length).min(bytes.len());
            let piece = SPOIL.get(piece).map_or(vec![byte], |p| p.to_vec());
            bytes.splice(at..end, piece);
        }
        match read::bytes("spoilt", format, bytes, &read::resolve_nothing) {
            Err(error) => prop_assert!(!error.to_string().contains('\n'), "{}", error),
            Ok(loaded) => {
                let rig = loaded.rig;
                prop_assert!(rig.mesh.positions.iter().all(|p| p.is_finite()));
                let count = rig.mesh.positions.len();
                prop_assert!(rig.mesh.triangles.iter().flatten().all(|&i| (i as usize) < count));
                prop_assert!(rig.mesh.normals.is_none_or(|n| n.len() == count && n.iter().all(|v| v.is_finite())));
                prop_assert!(rig.mesh.uvs.is_none_or(|n| n.len() == count && n.iter().all(|v| v.is_finite())));
                prop_assert!(rig.mesh.colors.is_none_or(|n| n.len() == count));
                prop_assert!(rig.weights.is_none_or(|w| w.len() == count));
            }
        }
    }
}
