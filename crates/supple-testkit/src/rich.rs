//! A character as other programs write it: a glTF file full of things that a rig has no word for, and a comparison of two
//! files that names every difference. Nothing here goes by Supple's reader or writer.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Digits that a reader which goes through floats would not give back.
pub const DIGITS: &str = "0.1000000000000000055511151231257827";

/// Joints of the character, parents first.
pub const JOINTS: [&str; 6] = ["hips", "spine", "chest", "neck", "head", "tail"];

const RINGS: usize = 7;
const SIDES: usize = 6;

#[derive(Default)]
struct Made {
    bin: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Made {
    fn view(&mut self, bytes: &[u8], more: Value) -> usize {
        let mut view = json!({"buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len()});
        view.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.bin.extend_from_slice(bytes);
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        self.views.push(view);
        self.views.len() - 1
    }

    fn accessor(&mut self, view: usize, component: u32, kind: &str, count: usize, more: Value) -> usize {
        let mut accessor = json!({"bufferView": view, "componentType": component, "type": kind, "count": count});
        accessor.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn floats(&mut self, kind: &str, values: &[f32], target: Option<u32>) -> usize {
        let width = match kind {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let bytes: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
        let view = self.view(&bytes, target.map_or(json!({}), |t| json!({"target": t})));
        let ends = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
            (0..width).map(|c| values.iter().skip(c).step_by(width).copied().reduce(pick).unwrap()).collect()
        };
        let more =
            json!({"min": ends(f32::min), "max": ends(f32::max), "name": format!("numbers {}", self.accessors.len())});
        self.accessor(view, 5126, kind, values.len() / width, more)
    }

    fn bytes(&mut self, kind: &str, width: usize, values: &[u8], normalized: bool) -> usize {
        let view = self.view(values, json!({"target": 34962}));
        let more = if normalized { json!({"normalized": true}) } else { json!({}) };
        self.accessor(view, 5121, kind, values.len() / width, more)
    }

    fn shorts(&mut self, kind: &str, width: usize, values: &[u16], normalized: bool, target: u32) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
        let view = self.view(&bytes, json!({"target": target}));
        let more = if normalized { json!({"normalized": true}) } else { json!({}) };
        self.accessor(view, 5123, kind, values.len() / width, more)
    }
}

/// A PNG of one pixel.
fn png(shade: u8) -> Vec<u8> {
    fn crc(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0, |c: u32, b| {
            (0..8).fold(c ^ u32::from(*b), |c, _| if c & 1 == 1 { 0xedb8_8320 ^ (c >> 1) } else { c >> 1 })
        })
    }
    let raw = [0, shade];
    let adler =
        raw.iter().fold((1u32, 0u32), |(a, b), x| ((a + u32::from(*x)) % 65521, (b + a + u32::from(*x)) % 65521));
    let mut zlib = vec![0x78, 0x01, 1, 2, 0, 0xfd, 0xff];
    zlib.extend(raw);
    zlib.extend(((adler.1 << 16) | adler.0).to_be_bytes());
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, body) in [(b"IHDR", &[0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0][..]), (b"IDAT", &zlib), (b"IEND", &[])] {
        file.extend((body.len() as u32).to_be_bytes());
        let chunk: Vec<u8> = kind.iter().chain(body).copied().collect();
        file.extend(&chunk);
        file.extend(crc(&chunk).to_be_bytes());
    }
    file
}

/// Points and normals of a closed tube along y from 0 to 5, one after the other.
fn tube(radius: f32) -> (Vec<[f32; 3]>, Vec<[f32; 3]>, Vec<u16>) {
    let (mut points, mut normals, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    for ring in 0..RINGS {
        for side in 0..SIDES {
            let angle = side as f32 * std::f32::consts::TAU / SIDES as f32;
            let end = ring == 0 || ring == RINGS - 1;
            let r = if end { radius * 0.5 } else { radius };
            points.push([r * angle.cos(), 5.0 * ring as f32 / (RINGS - 1) as f32, -r * angle.sin()]);
            normals.push([angle.cos(), 0.0, -angle.sin()]);
        }
    }
    let at = |ring: usize, side: usize| (ring * SIDES + side % SIDES) as u16;
    for ring in 0..RINGS - 1 {
        for side in 0..SIDES {
            let (a, b, c, d) = (at(ring, side), at(ring, side + 1), at(ring + 1, side), at(ring + 1, side + 1));
            indices.extend([a, b, c, b, d, c]);
        }
    }
    for side in 1..SIDES - 1 {
        indices.extend([at(0, 0), at(0, side + 1), at(0, side)]);
        indices.extend([at(RINGS - 1, 0), at(RINGS - 1, side), at(RINGS - 1, side + 1)]);
    }
    (points, normals, indices)
}

/// The document and its one buffer. Nodes 0 to 5 are the joints, in the order of [`JOINTS`].
fn made() -> (Value, Vec<u8>) {
    let mut made = Made::default();
    // Something that nothing uses comes first: whoever packs buffers anew moves everything.
    let unused = made.floats("SCALAR", &[3.0, 1.0, 4.0, 1.0, 5.0], None);
    made.view(b"bytes of nobody", json!({"name": "a view that no accessor reads"}));
    let (points, normals, indices) = tube(0.5);
    let count = points.len();
    let bounds = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
        (0..3).map(|c| points.iter().map(|p| p[c]).reduce(pick).unwrap()).collect()
    };
    // Positions and normals side by side.
    let mixed: Vec<u8> =
        points.iter().zip(&normals).flat_map(|(p, n)| [*p, *n]).flatten().flat_map(f32::to_le_bytes).collect();
    let mixed = made.view(&mixed, json!({"byteStride": 24, "target": 34962, "name": "interleaved"}));
    let position = made.accessor(mixed, 5126, "VEC3", count, json!({"min": bounds(f32::min), "max": bounds(f32::max)}));
    let normal = made.accessor(mixed, 5126, "VEC3", count, json!({"byteOffset": 12}));
    let tangents: Vec<f32> = normals.iter().flat_map(|n| [n[2], 0.0, -n[0], 1.0]).collect();
    let tangent = made.floats("VEC4", &tangents, Some(34962));
    let uv0: Vec<f32> = (0..count).flat_map(|v| [(v % SIDES) as f32 / 6.0, (v / SIDES) as f32 / 7.0]).collect();
    let uv0 = made.floats("VEC2", &uv0, Some(34962));
    let uv1: Vec<u16> = (0..count as u16).flat_map(|v| [v * 900, 65535 - v * 700]).collect();
    let uv1 = made.shorts("VEC2", 2, &uv1, true, 34962);
    let color: Vec<u16> = (0..count as u16).flat_map(|v| [v * 1000, 20000, 65535 - v * 1000, 65535]).collect();
    let color = made.shorts("VEC4", 4, &color, true, 34962);
    let heat = made.floats("SCALAR", &(0..count).map(|v| v as f32 * 0.5).collect::<Vec<_>>(), Some(34962));
    let index = made.shorts("SCALAR", 1, &indices, false, 34963);
    // Four joints a vertex, as normalised bytes.
    let joint = |v: usize| (v / SIDES).min(4);
    let near = |v: usize| -> [u8; 4] { std::array::from_fn(|k| ((joint(v) + k) % JOINTS.len()) as u8) };
    let joints4 = made.bytes("VEC4", 4, &(0..count).flat_map(near).collect::<Vec<_>>(), false);
    let weights4 = made.bytes("VEC4", 4, &(0..count).flat_map(|_| [128, 64, 43, 20]).collect::<Vec<u8>>(), true);
    // One joint a vertex: nothing here is ever too many.
    let joints1: Vec<u16> = (0..count).flat_map(|v| [joint(v) as u16, 0, 0, 0]).collect();
    let joints1 = made.shorts("VEC4", 4, &joints1, false, 34962);
    let weights1 = made.floats("VEC4", &(0..count).flat_map(|_| [1.0, 0.0, 0.0, 0.0]).collect::<Vec<_>>(), Some(34962));
    // Six joints a vertex, in two sets.
    let joints6: Vec<u8> = (0..count).flat_map(|_| [0, 1, 2, 3]).collect();
    let joints6 = made.bytes("VEC4", 4, &joints6, false);
    let rest6 = made.bytes("VEC4", 4, &(0..count).flat_map(|_| [4, 5, 0, 0]).collect::<Vec<_>>(), false);
    let weights6 =
        made.floats("VEC4", &(0..count).flat_map(|_| [0.375, 0.25, 0.125, 0.125]).collect::<Vec<_>>(), Some(34962));
    let last6 =
        made.floats("VEC4", &(0..count).flat_map(|_| [0.0625, 0.0625, 0.0, 0.0]).collect::<Vec<_>>(), Some(34962));
    // A morph as a sparse accessor, another as a dense one with normals.
    let places = made.view(&[3u16, 9, 17].iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>(), json!({}));
    let moves: Vec<u8> =
        [0.0f32, 0.1, 0.0, 0.2, 0.0, 0.0, 0.0, 0.0, 0.3].iter().flat_map(|x| x.to_le_bytes()).collect();
    let moves = made.view(&moves, json!({}));
    made.accessors.push(json!({
        "componentType": 5126, "type": "VEC3", "count": count, "min": [0.0, 0.0, 0.0], "max": [0.2, 0.1, 0.3],
        "sparse": {"count": 3, "indices": {"bufferView": places, "componentType": 5123}, "values": {"bufferView": moves}},
    }));
    let sparse = made.accessors.len() - 1;
    let fat: Vec<f32> = normals.iter().flatten().map(|x| x * 0.25).collect();
    let fat = made.floats("VEC3", &fat, Some(34962));
    let flat = made.floats("VEC3", &vec![0.0; count * 3], Some(34962));
    let (coat_points, ..) = tube(0.75);
    let coat = made.floats("VEC3", &coat_points.into_iter().flatten().collect::<Vec<_>>(), Some(34962));
    let badge = made.floats("VEC3", &[0.0, 0.0, 0.6, 0.2, 0.0, 0.6, 0.0, 0.2, 0.6], Some(34962));
    let lines = made.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 5.0, 0.0], Some(34962));
    let inverse: Vec<f32> = (0..JOINTS.len())
        .flat_map(|j| {
            let y = if j == 5 { 0.5 } else { j as f32 };
            [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -y, 0.0, 1.0]
        })
        .collect();
    let bytes: Vec<u8> = inverse.iter().flat_map(|x| x.to_le_bytes()).collect();
    let inverse = made.view(&bytes, json!({}));
    let inverse = made.accessor(inverse, 5126, "MAT4", JOINTS.len(), json!({"name": "inverse binds"}));
    let times = made.floats("SCALAR", &[0.0, 0.5, 1.0], None);
    let (s, c) = (0.5f32.sin(), 0.5f32.cos());
    let turns = made.floats("VEC4", &[0.0, 0.0, 0.0, 1.0, s, 0.0, 0.0, c, 0.0, 0.0, 0.0, 1.0], None);
    let cubic: Vec<f32> = (0..9).flat_map(|k| [0.0, if k % 3 == 1 { 0.1 * k as f32 } else { 0.0 }, 0.0]).collect();
    let cubic = made.floats("VEC3", &cubic, None);
    let shapes = made.floats("SCALAR", &[0.0, 1.0, 0.5, 0.25, 1.0, 0.0], None);
    let glow = made.floats("SCALAR", &[0.4, 0.6, 0.8], None);
    let images: Vec<usize> = (0..5).map(|k| made.view(&png(k * 50), json!({"name": format!("picture {k}")}))).collect();

    let picture = |k: usize| json!({"bufferView": images[k], "mimeType": "image/png", "name": format!("picture {k}"), "extras": {"k": k}});
    let transform =
        json!({"KHR_texture_transform": {"offset": [0.25, 0.5], "rotation": 0.3, "scale": [2.0, 3.0], "texCoord": 1}});
    let body = json!({
        "name": "body", "weights": [0.25, 0.0], "extras": {"targetNames": ["smile", "fat"], "by": "somebody"},
        "extensions": {"EXT_vendor_mesh": {"lod": [1, 2, 3]}},
        "primitives": [
            {
                "attributes": {
                    "POSITION": position, "NORMAL": normal, "TANGENT": tangent, "TEXCOORD_0": uv0, "TEXCOORD_1": uv1,
                    "COLOR_0": color, "_TEMPERATURE": heat, "JOINTS_0": joints4, "WEIGHTS_0": weights4,
                },
                "indices": index, "material": 0,
                "targets": [{"POSITION": sparse}, {"POSITION": fat, "NORMAL": flat}],
                "extensions": {"KHR_materials_variants": {"mappings": [{"material": 1, "variants": [0]}, {"material": 2, "variants": [1]}]}},
                "extras": {"primitive": "first"},
            },
            {
                "attributes": {"POSITION": position, "NORMAL": normal, "JOINTS_0": joints1, "WEIGHTS_0": weights1},
                "indices": index, "material": 1, "targets": [{"POSITION": sparse}, {"POSITION": fat}], "mode": 4,
            },
        ],
    });
    let texture = |index: usize, more: Value| {
        let mut info = json!({"index": index});
        info.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        info
    };
    let root = json!({
        "asset": {"version": "2.0", "generator": "a program of somebody else", "copyright": "theirs", "extras": {"made": "by hand"}},
        "extensionsUsed": ["KHR_texture_transform", "KHR_materials_clearcoat", "KHR_materials_variants", "KHR_lights_punctual",
            "KHR_animation_pointer", "EXT_vendor_mesh", "EXT_vendor_thing"],
        "scene": 1,
        "scenes": [{"name": "an empty one"}, {"name": "the stage", "nodes": [6, 7, 8, 9, 10], "extras": {"mood": "calm"}}],
        "nodes": [
            {"name": "hips", "children": [1, 5], "extras": {"side": "middle"}},
            {"name": "spine", "children": [2], "translation": [0.0, 1.0, 0.0]},
            {"name": "chest", "children": [3, 11], "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1]},
            {"name": "neck", "children": [4], "translation": [0.0, 1.0, 0.0]},
            {"name": "head", "children": [12], "translation": [0.0, 1.0, 0.0], "extensions": {"EXT_vendor_thing": {"look": true}}},
            {"name": "tail", "translation": [0.0, 0.5, 0.0]},
            {"name": "character", "children": [0], "extras": {"id": 7}},
            {"name": "body", "mesh": 0, "skin": 0, "weights": [0.5, 0.0], "extras": {"layer": "skin"}},
            {"name": "coat", "mesh": 1, "skin": 0},
            {"name": "view", "camera": 0, "translation": [0.0, 2.0, 9.0]},
            {"name": "badge on the ground", "mesh": 2, "translation": [3.0, 0.0, 0.0]},
            {"name": "badge", "mesh": 2, "scale": [2.0, 2.0, 2.0]},
            {"name": "lamp", "translation": [0.0, 0.5, 0.0], "extensions": {"KHR_lights_punctual": {"light": 0}}},
            {"name": "in no scene", "extras": [1, 2, 3]},
        ],
        "cameras": [{"type": "perspective", "name": "lens", "perspective": {"yfov": 0.7, "znear": 0.01, "zfar": 100.0}}],
        "skins": [{"name": "the skin", "joints": [0, 1, 2, 3, 4, 5], "inverseBindMatrices": inverse, "skeleton": 0, "extras": {"keep": true}}],
        "meshes": [
            body,
            {"name": "coat", "primitives": [{
                "attributes": {"POSITION": coat, "NORMAL": normal, "TEXCOORD_0": uv0, "JOINTS_0": joints6, "WEIGHTS_0": weights6,
                    "JOINTS_1": rest6, "WEIGHTS_1": last6},
                "indices": index, "material": 1,
            }]},
            {"name": "badge", "primitives": [{"attributes": {"POSITION": badge}, "material": 2}, {"attributes": {"POSITION": lines}, "mode": 1}]},
            {"name": "shown by nobody", "primitives": [{"attributes": {"POSITION": badge}}]},
        ],
        "materials": [
            {
                "name": "skin", "doubleSided": true, "emissiveFactor": [0.5, 0.25, 0.125], "alphaMode": "MASK", "alphaCutoff": 0.3,
                "pbrMetallicRoughness": {
                    "baseColorTexture": texture(0, json!({"extensions": transform})), "metallicRoughnessTexture": texture(2, json!({})),
                    "baseColorFactor": [1.0, 0.9, 0.8, 1.0], "roughnessFactor": 0.4,
                },
                "normalTexture": texture(1, json!({"scale": 0.7})),
                "occlusionTexture": texture(3, json!({"strength": 0.6, "texCoord": 1})),
                "emissiveTexture": texture(4, json!({})),
                "extensions": {"KHR_materials_clearcoat": {"clearcoatFactor": 0.8, "clearcoatNormalTexture": texture(1, json!({"scale": 0.5}))}},
                "extras": {"grade": "A"},
            },
            {"name": "cloth", "extensions": {"EXT_vendor_thing": {"threads": 400}}},
            {"name": "metal", "pbrMetallicRoughness": {"metallicFactor": 1.0}},
            {"name": "used by nobody"},
        ],
        "textures": [
            {"source": 0, "sampler": 0}, {"source": 1, "sampler": 1}, {"source": 2}, {"source": 3, "name": "shade"}, {"source": 4},
        ],
        "samplers": [{"wrapS": 33071, "wrapT": 33648, "magFilter": 9728}, {"minFilter": 9987, "extras": {"why": "sharp"}}],
        "images": (0..5).map(picture).collect::<Vec<_>>(),
        "animations": [
            {
                "name": "walk", "extras": {"loop": true},
                "samplers": [
                    {"input": times, "output": turns}, {"input": times, "output": cubic, "interpolation": "CUBICSPLINE"},
                    {"input": times, "output": shapes},
                ],
                "channels": [
                    {"sampler": 0, "target": {"node": 1, "path": "rotation"}, "extras": {"hand": "made"}},
                    {"sampler": 1, "target": {"node": 0, "path": "translation"}},
                    {"sampler": 2, "target": {"node": 7, "path": "weights"}},
                ],
            },
            {
                "name": "look", "samplers": [{"input": times, "output": turns, "interpolation": "STEP"}],
                "channels": [{"sampler": 0, "target": {"node": 9, "path": "rotation"}}, {"sampler": 0, "target": {"node": 4, "path": "rotation"}}],
            },
            {
                "name": "glow", "samplers": [{"input": times, "output": glow}],
                "channels": [{"sampler": 0, "target": {"path": "pointer",
                    "extensions": {"KHR_animation_pointer": {"pointer": "/materials/0/pbrMetallicRoughness/roughnessFactor"}}}}],
            },
            {
                "name": "wag", "samplers": [{"input": times, "output": turns}],
                "channels": [{"sampler": 0, "target": {"node": 5, "path": "rotation"}}],
            },
        ],
        "extensions": {
            "KHR_lights_punctual": {"lights": [{"type": "point", "intensity": 40.0, "color": [1.0, 0.8, 0.6], "name": "bulb"}]},
            "KHR_materials_variants": {"variants": [{"name": "day"}, {"name": "night"}]},
            "EXT_vendor_thing": {"accessor": unused, "deep": {"list": [null, true, "text with \"quotes\" and é"]}, "digits": 0},
        },
        "extras": {"story": ["once", "upon", "a time"]},
        "accessors": made.accessors, "bufferViews": made.views,
    });
    (root, made.bin)
}

/// The text of the document, with digits that no float holds.
fn text(root: &Value) -> String {
    root.to_string().replacen("\"digits\":0", &format!("\"digits\":{DIGITS}"), 1)
}

/// The character as a GLB.
pub fn glb() -> Vec<u8> {
    let (mut root, mut bin) = made();
    // Not a multiple of four, as it may be.
    bin.extend(b"end");
    root["buffers"] = json!([{"byteLength": bin.len(), "name": "all of it", "extras": {"from": "disk"}}]);
    bin.push(0);
    let mut json = text(&root).into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend((28 + json.len() as u32 + bin.len() as u32).to_le_bytes());
    file.extend((json.len() as u32).to_le_bytes());
    file.extend(b"JSON");
    file.extend(json);
    file.extend((bin.len() as u32).to_le_bytes());
    file.extend(b"BIN\0");
    file.extend(bin);
    file
}

/// The character as a `.gltf` and the files beside it: its buffer, and its first picture.
pub fn gltf() -> Vec<(&'static str, Vec<u8>)> {
    let (mut root, bin) = made();
    root["buffers"] = json!([{"byteLength": bin.len(), "uri": "rich%20data.bin"}]);
    root["images"][0] = json!({"uri": "picture.png", "name": "picture 0"});
    let text = serde_json::to_string_pretty(&root).expect("plain values");
    vec![("rich.gltf", text.into_bytes()), ("rich data.bin", bin), ("picture.png", png(0))]
}

/// A GLB taken apart.
pub struct Parts {
    /// The document.
    pub root: Value,
    /// Its text.
    pub text: String,
    /// The binary chunk.
    pub bin: Vec<u8>,
}

/// Takes a GLB apart, going by its lengths alone.
pub fn parts(file: &[u8]) -> Parts {
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((&file[..4], word(4), word(8)), (&b"glTF"[..], 2, file.len()));
    let end = 20 + word(12);
    let text = String::from_utf8(file[20..end].to_vec()).expect("text");
    let bin = if end < file.len() { file[end + 8..].to_vec() } else { Vec::new() };
    assert!(end == file.len() || word(end) == bin.len());
    Parts { root: serde_json::from_str(&text).expect("JSON"), text, bin }
}

/// Every place where two files differ, as a JSON pointer: `+` before what the second has besides, `-` before what it lacks. The
/// bytes of accessors, views and images of the first count too, under their own names.
pub fn differences(before: &[u8], after: &[u8]) -> Vec<String> {
    let (before, after) = (parts(before), parts(after));
    let mut found = Vec::new();
    walk(&before.root, &after.root, String::new(), &mut found);
    for list in ["accessors", "bufferViews"] {
        for i in 0..before.root[list].as_array().map_or(0, Vec::len) {
            if contents(&before, list, i) != contents(&after, list, i) {
                found.push(format!("/{list}/{i}: other bytes"));
            }
        }
    }
    found
}

fn walk(a: &Value, b: &Value, at: String, found: &mut Vec<String>) {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => objects(a, b, &at, found),
        (Value::Array(a), Value::Array(b)) => {
            for (i, (a, b)) in a.iter().zip(b).enumerate() {
                walk(a, b, format!("{at}/{i}"), found);
            }
            found.extend((b.len()..a.len()).map(|i| format!("-{at}/{i}")));
            found.extend((a.len()..b.len()).map(|i| format!("+{at}/{i}")));
        }
        _ if a == b => {}
        _ => found.push(at),
    }
}

fn objects(a: &Map<String, Value>, b: &Map<String, Value>, at: &str, found: &mut Vec<String>) {
    for (key, value) in a {
        match b.get(key) {
            Some(other) => walk(value, other, format!("{at}/{key}"), found),
            None => found.push(format!("-{at}/{key}")),
        }
    }
    found.extend(b.keys().filter(|k| !a.contains_key(*k)).map(|key| format!("+{at}/{key}")));
}

/// The bytes of a view, or of the elements of an accessor; none where they are not there.
pub fn contents(file: &Parts, list: &str, index: usize) -> Option<Vec<u8>> {
    let number = |v: &Value, key: &str| v[key].as_u64().unwrap_or(0) as usize;
    if list == "bufferViews" {
        let view = &file.root["bufferViews"][index];
        let start = number(view, "byteOffset");
        return file.bin.get(start..start + number(view, "byteLength")).map(<[u8]>::to_vec);
    }
    let accessor = &file.root["accessors"][index];
    let sizes = BTreeMap::from([(5120, 1), (5121, 1), (5122, 2), (5123, 2), (5125, 4), (5126, 4)]);
    let widths = BTreeMap::from([("SCALAR", 1), ("VEC2", 2), ("VEC3", 3), ("VEC4", 4), ("MAT4", 16)]);
    let element = sizes[&accessor["componentType"].as_u64()?] * widths[accessor["type"].as_str()?];
    let Some(view) = accessor["bufferView"].as_u64() else { return Some(Vec::new()) };
    let bytes = contents(file, "bufferViews", view as usize)?;
    let stride = number(&file.root["bufferViews"][view as usize], "byteStride").max(element);
    let first = number(accessor, "byteOffset");
    let elements = (0..number(accessor, "count")).map(|i| bytes.get(first + i * stride..first + i * stride + element));
    elements.collect::<Option<Vec<_>>>().map(|all| all.concat())
}
