use super::*;

fn load(bytes: &[u8]) -> Result<(Rig, Vec<String>), String> {
    let mut warnings = Warnings::default();
    let rig = read(bytes, &mut warnings).map_err(|e| e.to_string())?;
    Ok((rig, warnings.into_vec().iter().map(ToString::to_string).collect()))
}

const QUAD: &str = "ply
format ascii 1.0
comment a quad
element vertex 4
property float x
property double y
property int z
property float quality
property float nx
property float ny
property float nz
property uchar red
property uchar green
property uchar blue
element edge 1
property int vertex1
property int vertex2
element face 2
property uchar flags
property list uchar int vertex_indices
property list uchar float texcoord
end_header
0 0 0 .5 0 0 1 255 0 0
1 0 0 .5 0 0 1 0 255 0
1 1 0 .5 0 0 2 0 0 255
0 1 0 .5 0 0 nan 9 9 9
0 1
7 4 0 1 2 3 2 .5 .5
7 2 0 1 0
";

#[test]
fn vertices_faces_and_what_nobody_asked_for() {
    for text in [QUAD.to_owned(), QUAD.replace('\n', "\r\n"), QUAD.replace('\n', "\r")] {
        let (rig, warned) = load(text.as_bytes()).unwrap();
        assert_eq!(rig.mesh.positions[2], Vec3::new(1.0, 1.0, 0.0));
        assert_eq!(rig.mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(rig.mesh.normals.unwrap(), [Vec3::Z, Vec3::Z, Vec3::Z, Vec3::ZERO]);
        assert_eq!(rig.mesh.colors.unwrap()[1], [0, 255, 0, 255]);
        // The normal, the edges, the short face.
        assert_eq!(warned.len(), 3, "{warned:?}");
    }
}

/// The same small mesh with every type and byte order.
fn binary(big: bool) -> Vec<u8> {
    let mut bytes = format!(
        "ply\nformat binary_{}_endian 1.0\nelement face 1\nproperty list ushort uint8 vertex_index\nelement vertex 3\n\
         property short x\nproperty double y\nproperty float z\nproperty list uint double extra\nproperty float red\n\
         property float green\nproperty float blue\nproperty uint16 alpha\nproperty char c\nend_header\n",
        if big { "big" } else { "little" }
    )
    .into_bytes();
    let mut put = |mut value: Vec<u8>| {
        if big {
            value.reverse();
        }
        bytes.extend(value);
    };
    put(3u16.to_le_bytes().into());
    for i in [0u8, 1, 2] {
        put(vec![i]);
    }
    for i in 0..3i16 {
        put((i - 1).to_le_bytes().into());
        put((f64::from(i) * 0.5).to_le_bytes().into());
        put((-1.25f32).to_le_bytes().into());
        put(1u32.to_le_bytes().into());
        put(7.0f64.to_le_bytes().into());
        for _ in 0..3 {
            put(1.0f32.to_le_bytes().into());
        }
        put(u16::MAX.to_le_bytes().into());
        put(vec![0]);
    }
    bytes
}

#[test]
fn both_byte_orders_read_the_same() {
    let (little, _) = load(&binary(false)).unwrap();
    assert_eq!(load(&binary(true)).unwrap().0, little);
    assert_eq!(little.mesh.positions[0], Vec3::new(-1.0, 0.0, -1.25));
    assert_eq!(little.mesh.triangles, [[0, 1, 2]]);
    assert_eq!(little.mesh.colors.unwrap()[0], [255; 4]);
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    for bytes in [binary(false), QUAD.trim_end().as_bytes().to_vec()] {
        // The last word of a text may be cut short and still be one.
        for end in 0..bytes.len() - 1 {
            assert!(load(&bytes[..end]).is_err(), "{end}");
        }
    }
}

#[test]
fn without_faces_it_is_a_point_set() {
    let header = "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n";
    let (rig, _) = load(format!("{header}end_header\n1 2 3").as_bytes()).unwrap();
    assert!(rig.mesh.is_point_set());
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    for (from, to, expected) in [
        ("ply\n", "plx\n", "line 1: expected \"ply\", found \"plx\""),
        ("format ascii", "format utf8", "line 2: unknown format \"utf8\""),
        ("format ascii 1.0\n", "", "header: there is no line \"format\""),
        ("element vertex 4", "element vertex -4", "line 4: element \"vertex\": \"-4\" is not a count"),
        ("element vertex 4", "element vertex 4000000000", "element \"vertex\": 4000000000 rows need"),
        ("element vertex 4", "element vortex 4", "there is no element \"vertex\""),
        ("property float x", "property real x", "line 5: unknown property type \"real\""),
        ("property float x", "property float w", "element \"vertex\": there is no property \"x\""),
        ("1 1 0 .5", "inf 1 0 .5", "vertex 2, \"x\": inf is not finite"),
        ("1 1 0 .5", "one 1 0 .5", "vertex 2, \"x\": \"one\" is not a number (line 25)"),
        ("7 4 0 1 2 3", "7 4 0 1 2 9", "face 0: vertex 9 of 4 (from 0)"),
        ("7 4 0 1 2 3", "7 4 0 1 2 -1", "face 0, \"vertex_indices\": -1 is not a vertex index"),
        ("7 4 0 1 2 3", "7 4.5 0 1 2 3", "face 0, \"vertex_indices\": 4.5 is not a count"),
        ("7 2 0 1 0", "7 4000000000 0 1 0", "face 1, \"vertex_indices\": the file ends after line 29"),
    ] {
        let error = load(QUAD.replacen(from, to, 1).as_bytes()).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
    assert_eq!(load(b"").unwrap_err(), "line 1: it is empty");
    assert!(load(b"ply\nformat ascii 1.0\nend_header\n").unwrap_err().contains("no element \"vertex\""));
}

#[test]
fn a_huge_count_of_nothing_takes_no_time() {
    let text = "ply\nformat ascii 1.0\nelement nothing 18446744073709551615\nelement vertex 0\nproperty float x\n\
                property float y\nproperty float z\nend_header\n";
    assert!(load(text.as_bytes()).unwrap_err().contains("no vertices"));
}
