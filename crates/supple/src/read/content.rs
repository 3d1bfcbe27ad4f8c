//! What a file is by its first bytes, for those whose name says otherwise.

use super::Format;

/// How formats begin that have a beginning of their own: name, ending, first bytes. Case does not matter.
const BEGINNINGS: [(&str, Option<Format>, &[u8]); 11] = [
    ("a GLB file (.glb)", Some(Format::Gltf), b"glTF"),
    ("a binary FBX file (.fbx)", Some(Format::Fbx), b"Kaydara FBX Binary"),
    ("an FBX file as text (.fbx)", Some(Format::Fbx), b"; FBX"),
    ("a PLY file (.ply)", Some(Format::Ply), b"ply\n"),
    ("a PLY file (.ply)", Some(Format::Ply), b"ply\r"),
    ("a BVH motion (.bvh)", Some(Format::Bvh), b"HIERARCHY"),
    ("a sphere-mesh (.sm)", Some(Format::SphereMesh), b"Sphere-mesh"),
    ("a USD file, which can only be written", None, b"#usda"),
    ("a PC2 file, which can only be written", None, b"POINTCACHE2"),
    ("a ZIP archive: unpack it", None, b"PK\x03\x04"),
    ("a PNG picture", None, b"\x89PNG"),
];

/// What a file looks like that is not of the format its name says; none where nobody can tell.
pub(super) fn looks_like(bytes: &[u8], format: Format) -> Option<&'static str> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let begins = |start: &[u8]| text.get(..start.len()).is_some_and(|b| b.eq_ignore_ascii_case(start));
    let known = BEGINNINGS.iter().find(|(_, _, start)| begins(start));
    if let Some((name, found, _)) = known {
        return Some(*name).filter(|_| *found != Some(format));
    }
    // A glTF file may be large, and nobody gives another kind of JSON that ending.
    let json_of_another = format != Format::Gltf && text.trim_ascii_start().starts_with(b"{");
    if json_of_another { json(text, format) } else { None }
}

/// A JSON file by the fields it has.
fn json(text: &[u8], format: Format) -> Option<&'static str> {
    let fields: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(text).ok()?;
    let has = |name: &str| fields.contains_key(name);
    match fields.get("format").and_then(|f| f.as_str()) {
        Some("supple-project") => Some("a Supple project: use it as --project FILE"),
        Some("supple-sphere-mesh") if format != Format::SphereMesh => Some("a sphere-mesh (.json)"),
        Some(_) => None,
        None if has("asset") => Some("a glTF file (.gltf)"),
        None if has("joints") => Some("a pose file: use it as --pose FILE"),
        None if has("nodes") && has("output") => Some("a graph of methods: it belongs into a project"),
        None => None,
    }
}
