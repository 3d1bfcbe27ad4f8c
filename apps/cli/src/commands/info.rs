use super::joints;
use crate::{args::Info, console::Console, posing, wording};
use anyhow::Result;
use serde_json::{Value, json};
use std::io::Write;
use supple::{
    math::{Bounds, rounded},
    measure::{Facing, InsideOut},
    pose::Anatomy,
    rig::{BoneNote, Rig, Role},
};

pub fn run(arguments: &Info, console: &Console) -> Result<()> {
    let rig = posing::rig(&arguments.file, console)?;
    let facing = Facing::of(&rig.mesh);
    let mut facts = facts(&rig, &facing);
    let anatomy = arguments.joints.then(|| Anatomy::of(&rig));
    if let Some(anatomy) = anatomy.as_ref().filter(|_| arguments.json) {
        facts["body"] = json!(anatomy.body());
        let joints = facts["joints"].as_array_mut().into_iter().flatten();
        joints.enumerate().for_each(|(i, joint)| joint["axes"] = json!(anatomy.axes(i)));
    }
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&facts)?)?;
    } else {
        print(&mut out, &facts, &facing.parts(&rig.parts))?;
        if let Some(anatomy) = &anatomy {
            joints::print(&mut out, &rig, anatomy)?;
        }
    }
    Ok(())
}

/// What can be wrong with a surface: key, name of one, name of several, and what that is.
const FAULTS: [(&str, &str, &str, &str); 4] = [
    ("boundary_edges", "boundary edge", "boundary edges", "only one triangle there, as round a hole or an open end"),
    (
        "non_manifold_edges",
        "edge with more than two triangles",
        "edges with more than two triangles",
        "sheets of skin meet there like pages of a book",
    ),
    ("zero_area_triangles", "triangle without area", "triangles without area", "corners in one line or one point"),
    ("unused_vertices", "vertex no triangle uses", "vertices no triangle uses", "moved, but never seen"),
];

/// From here on numbers are told in four digits, however many they have.
const HUGE: f64 = 1e7;

/// The box of the points or, where there are none, of the joints.
fn bounds(rig: &Rig) -> Bounds {
    let joints = || rig.skeleton.joints().iter().map(|j| j.rest_position().as_vec3()).collect::<Vec<_>>();
    if rig.mesh.positions.is_empty() { Bounds::of(&joints()) } else { rig.mesh.bounds() }
}

fn facts(rig: &Rig, facing: &Facing) -> Value {
    let mesh = &rig.mesh;
    let surface = mesh.surface();
    let topology = surface.topology();
    let report = mesh.report();
    let bounds = bounds(rig);
    let bounds = (!mesh.positions.is_empty() || !rig.skeleton.is_empty())
        .then(|| json!({"min": bounds.min.to_array(), "max": bounds.max.to_array(), "diagonal": bounds.diagonal()}));
    let (bones, notes) = rig.skeleton.bones(&mesh.positions, rig.weights.as_ref());
    let zero_length: Vec<String> =
        notes.iter().filter(|n| matches!(n, BoneNote::ZeroLength { .. })).map(ToString::to_string).collect();
    let joints = rig.skeleton.joints().iter().map(|j| {
        json!({
            "name": j.name,
            "parent": j.parent.map(|p| rig.skeleton.joints()[p].name.clone()),
            "role": if j.role == Role::Bone { "bone" } else { "frame" },
            "rest": j.rest_position().to_array(),
        })
    });
    let clips = rig.clips.iter().map(|c| json!({"name": c.name, "seconds": c.duration(), "tracks": c.tracks().len()}));
    json!({
        "name": rig.name,
        "vertices": mesh.positions.len(),
        "welded": topology.points(),
        "triangles": mesh.triangles.len(),
        "parts": rig.parts.iter().map(|p| json!({"name": p.name, "vertices": p.vertices.len(), "triangles": p.triangles.len(), "skinned": p.skinned})).collect::<Vec<_>>(),
        "surface": {
            "closed": topology.is_closed(),
            "manifold": topology.is_manifold(),
            "oriented": topology.is_oriented(),
            "components": topology.components,
            "boundary_edges": topology.boundary_edges().count(),
            "non_manifold_edges": topology.non_manifold_edges().count(),
            "zero_area_triangles": report.zero_area + report.degenerate,
            "unused_vertices": report.unused_vertices,
            "volume": mesh.volume(),
            "inside_out": facing.parts(&rig.parts),
            "outside_known": facing.clear(),
        },
        "box": bounds,
        "joints": joints.collect::<Vec<_>>(),
        "bones": bones.len(),
        "zero_length_bones": zero_length,
        "most_influences": rig.weights.as_ref().map(|w| w.most_influences()),
        "morphs": rig.morphs.iter().map(|m| m.name.clone()).collect::<Vec<_>>(),
        "clips": clips.collect::<Vec<_>>(),
        "materials": rig.materials.len(),
        "images": rig.images.len(),
        "spheres": rig.sphere_mesh.as_ref().map(|s| s.spheres.len()),
    })
}

fn print(out: &mut dyn Write, f: &Value, inside_out: &[InsideOut]) -> Result<()> {
    let name = |v: &Value| v.as_str().map_or_else(|| v.to_string(), wording::name);
    let list = |v: &Value| v.as_array().cloned().unwrap_or_default();
    let counted = |v: &Value, one: &str, many: &str| wording::counted(v.as_u64().unwrap_or(0) as usize, one, many);
    writeln!(out, "{}", name(&f["name"]))?;
    let points = if f["triangles"] == 0 { "points" } else { "vertices" };
    let triangles = counted(&f["triangles"], "triangle", "triangles");
    writeln!(out, "  {:<12}{} ({} after welding), {triangles}", points, f["vertices"], f["welded"])?;
    if f["triangles"] != 0 {
        let s = &f["surface"];
        let closed = if s["closed"] == true { "closed" } else { "open" };
        let manifold = if s["manifold"] == true { "manifold" } else { "not manifold" };
        let components = counted(&s["components"], "component", "components");
        writeln!(out, "  {:<12}{closed}, {manifold}, {components}", "surface")?;
        for (key, one, many, meaning) in FAULTS {
            if s[key] != 0 {
                writeln!(out, "  {:<12}{}: {meaning}", "", counted(&s[key], one, many))?;
            }
        }
        if let Some(parts) = wording::inside_out(inside_out) {
            writeln!(out, "  {:<12}inside out: {parts}: --flip turns it", "")?;
        }
        let unknown = 100.0 * (1.0 - s["outside_known"].as_f64().unwrap_or(1.0));
        if unknown >= 0.05 {
            writeln!(out, "  {:<12}{unknown:.1} % of the area has no outside: open, flat or wound both ways", "")?;
        }
    }
    if !f["box"].is_null() {
        let number = |v: &Value| match v.as_f64().unwrap_or(0.0) {
            huge if huge.abs() >= HUGE => rounded(huge),
            x => format!("{x:.4}"),
        };
        let corner = |v: &Value| list(v).iter().map(number).collect::<Vec<_>>().join(" ");
        let (low, high) = (corner(&f["box"]["min"]), corner(&f["box"]["max"]));
        let of = if f["vertices"] == 0 { " (of the joints)" } else { "" };
        writeln!(out, "  {:<12}{low} to {high}, diagonal {}{of}", "box", number(&f["box"]["diagonal"]))?;
    }
    let joints = list(&f["joints"]);
    let frames = match joints.iter().filter(|j| j["role"] == "frame").count() {
        0 => String::new(),
        1 => " (1 only carries others or props)".to_owned(),
        n => format!(" ({n} only carry others or props)"),
    };
    writeln!(out, "  {:<12}{}{frames}, {}", "joints", joints.len(), counted(&f["bones"], "bone", "bones"))?;
    let mut line = String::new();
    for name in joints.iter().map(|j| name(&j["name"])) {
        if line.len() + name.len() > 90 && !line.is_empty() {
            writeln!(out, "  {:<12}{line},", "")?;
            line.clear();
        }
        line.push_str(if line.is_empty() { "" } else { ", " });
        line.push_str(&name);
    }
    if !line.is_empty() {
        writeln!(out, "  {:<12}{line}", "")?;
    }
    for note in list(&f["zero_length_bones"]) {
        writeln!(out, "  {:<12}{}", "", wording::line(note.as_str().unwrap_or_default()))?;
    }
    if !f["most_influences"].is_null() {
        let most = counted(&f["most_influences"], "influence", "influences");
        writeln!(out, "  {:<12}up to {most} a vertex", "weights")?;
    }
    for key in ["parts", "morphs"] {
        let names: Vec<String> = list(&f[key]).iter().map(|p| name(p.get("name").unwrap_or(p))).collect();
        if !names.is_empty() {
            writeln!(out, "  {key:<12}{} ({})", names.len(), names.join(", "))?;
        }
    }
    for (i, clip) in list(&f["clips"]).iter().enumerate() {
        let seconds = clip["seconds"].as_f64().unwrap_or(0.0);
        writeln!(out, "  {:<12}{} ({seconds:.2} s)", format!("clip {i}"), name(&clip["name"]))?;
    }
    if !f["spheres"].is_null() {
        writeln!(out, "  {:<12}{}", "sphere-mesh", counted(&f["spheres"], "sphere", "spheres"))?;
    }
    Ok(())
}
