//! What a file is by its first bytes, for those whose name says otherwise.

use super::{Format, text};
use serde::{Deserialize, de::IgnoredAny};

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
    let text = without_mark(bytes);
    if beginning(text).is_some() {
        return begins_like(text, format);
    }
    // A glTF file may be large, and nobody gives another kind of JSON that ending.
    let json_of_another = format != Format::Gltf && text.trim_ascii_start().starts_with(b"{");
    if json_of_another { json(text, format) } else { None }
}

/// The same by the first bytes alone.
pub(super) fn begins_like(head: &[u8], format: Format) -> Option<&'static str> {
    beginning(without_mark(head)).filter(|(_, found)| *found != Some(format)).map(|(name, _)| name)
}

/// The format of a file without a name.
pub(super) fn format(bytes: &[u8]) -> Option<Format> {
    let text = without_mark(bytes);
    if let Some((_, found)) = beginning(text) {
        return found;
    }
    if text.trim_ascii_start().starts_with(b"{") {
        #[derive(Deserialize)]
        struct Fields {
            asset: Option<IgnoredAny>,
        }
        let fields = serde_json::from_slice::<Fields>(text).ok()?;
        return Some(if fields.asset.is_some() { Format::Gltf } else { Format::SphereMesh });
    }
    if text.contains(&0) {
        return None;
    }
    // Both are lists of lines; those of a graph begin with numbers, and one "#" alone parts its joints from its bones.
    let text = text::decode(text);
    let mut lines = text::lines(&text).map(|(_, line)| line).filter(|line| !line.is_empty());
    if lines.clone().any(|line| line.starts_with("v ") || line.starts_with("v\t")) {
        return Some(Format::Obj);
    }
    let numbered = |line: &str| line == "#" || line.split_whitespace().next().is_some_and(|w| w.parse::<u64>().is_ok());
    let is_graph = lines.clone().any(|line| line == "#") && lines.all(numbered);
    is_graph.then_some(Format::Tgf)
}

/// Whether a stream that begins like this may be a rig: by its first bytes where the format has some, as JSON, or as lines of
/// which one could stand in an OBJ or TGF file.
pub(super) fn may_be_rig(head: &[u8]) -> bool {
    let text = without_mark(head);
    if let Some((_, found)) = beginning(text) {
        return found.is_some();
    }
    if text.contains(&0) {
        return false;
    }
    let text = text::decode(text);
    let text = text.trim_ascii_start();
    let may_be_line = |line: &str| {
        let word = line.split_whitespace().next().unwrap_or_default();
        word.starts_with('#') || OBJ_WORDS.contains(&word) || word.parse::<u64>().is_ok()
    };
    text.starts_with('{') || text::lines(text).any(|(_, line)| may_be_line(line))
}

/// Words at the beginnings of lines of OBJ files, before their vertices.
const OBJ_WORDS: [&str; 10] = ["v", "vt", "vn", "vp", "f", "o", "g", "s", "mtllib", "usemtl"];

fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

fn beginning(text: &[u8]) -> Option<(&'static str, Option<Format>)> {
    let begins = |start: &[u8]| text.get(..start.len()).is_some_and(|b| b.eq_ignore_ascii_case(start));
    BEGINNINGS.iter().find(|(_, _, start)| begins(start)).map(|(name, found, _)| (*name, *found))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_known_by_what_it_holds() {
        for (bytes, expected) in [
            (&b"glTF\x02\0\0\0"[..], Some(Format::Gltf)),
            (b" {\"asset\": {\"version\": \"2.0\"}}", Some(Format::Gltf)),
            (b"{\"format\": \"supple-sphere-mesh\"}", Some(Format::SphereMesh)),
            (b"ply\nformat ascii 1.0\n", Some(Format::Ply)),
            (b"HIERARCHY\nROOT a\n", Some(Format::Bvh)),
            (b"# made by hand\no cube\nv 0 0 0\n", Some(Format::Obj)),
            (b"1 0 0 0\n2 0 1 0\n#\n1 2\n", Some(Format::Tgf)),
            (b"\x89PNG", None),
            (b"", None),
            (b"Dear reader", None),
            (&[0; 100], None),
        ] {
            assert_eq!(format(bytes), expected, "{}", String::from_utf8_lossy(bytes));
        }
    }
}
