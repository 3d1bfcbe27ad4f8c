//! Files that are not what their names say.

mod command;

use command::{fine, folder_with_arm, refused};

#[test]
fn a_file_under_a_wrong_name_is_told_by_what_it_looks_like() {
    let folder = folder_with_arm();
    let write = |name: &str, text: &[u8]| std::fs::write(folder.path().join(name), text).expect("written");
    let arm = std::fs::read(folder.path().join("arm.glb")).expect("there");
    for (name, content, says) in [
        ("empty.glb", &b""[..], "empty.glb: file: it is empty"),
        ("empty.fbx", b"", "it is empty"),
        ("scan.glb", b"ply\nformat ascii 1.0\n", "its name says glTF, but it looks like a PLY file (.ply)"),
        ("walk.obj", b"HIERARCHY\nROOT hip\n", "its name says OBJ, but it looks like a BVH motion (.bvh)"),
        ("body.ply", &arm, "its name says PLY, but it looks like a GLB file (.glb)"),
        ("body.gltf", b"PK\x03\x04....", "looks like a ZIP archive: unpack it"),
        ("body.json", b"{\"asset\": {\"version\": \"2.0\"}}", "looks like a glTF file (.gltf)"),
        (
            "pose.json",
            b"{\"joints\": {}}",
            "its name says sphere-mesh, but it looks like a pose file: use it as --pose",
        ),
        (
            "work.json",
            b"{\"format\": \"supple-project\", \"version\": 1}",
            "a Supple project: use it as --project FILE",
        ),
    ] {
        write(name, content);
        for words in [vec!["info", name], vec!["deform", name, "-o", "x.obj"]] {
            let line = refused(folder.path(), &words);
            assert!(line.contains(says), "{words:?}: {line}");
        }
    }
    // A GLB under the name of a glTF can be read, and is.
    write("body.gltf", &arm);
    fine(folder.path(), &["info", "body.gltf"]);
}
