use crate::{args::Info, console::Console, posing};
use anyhow::Result;
use serde_json::{Value, json};
use std::io::Write;
use supple::rig::{BoneNote, Rig, Role, Topology};

pub fn run(arguments: &Info, console: &Console) -> Result<()> {
    let rig = posing::rig(&arguments.file, console)?;
    let facts = facts(&rig);
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&facts)?)?;
    } else {
        print(&mut out, &facts)?;
    }
    Ok(())
}

fn facts(rig: &Rig) -> Value {
    let mesh = &rig.mesh;
    let topology = Topology::of(mesh);
    let report = mesh.report();
    let bounds = mesh.bounds();
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
        },
        "box": {"min": bounds.min.to_array(), "max": bounds.max.to_array(), "diagonal": bounds.diagonal()},
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

fn print(out: &mut dyn Write, f: &Value) -> Result<()> {
    let text = |v: &Value| v.as_str().map_or_else(|| v.to_string(), str::to_owned);
    let list = |v: &Value| v.as_array().cloned().unwrap_or_default();
    writeln!(out, "{}", text(&f["name"]))?;
    let points = if f["triangles"] == 0 { "points" } else { "vertices" };
    writeln!(out, "  {:<12}{} ({} after welding), {} triangles", points, f["vertices"], f["welded"], f["triangles"])?;
    if f["triangles"] != 0 {
        let s = &f["surface"];
        let closed = if s["closed"] == true { "closed" } else { "open" };
        let manifold = if s["manifold"] == true { "manifold" } else { "not manifold" };
        writeln!(out, "  {:<12}{closed}, {manifold}, {} components", "surface", s["components"])?;
        for (key, what) in [
            ("boundary_edges", "boundary edges"),
            ("non_manifold_edges", "edges with more than two triangles"),
            ("zero_area_triangles", "triangles without area"),
            ("unused_vertices", "vertices no triangle uses"),
        ] {
            if s[key] != 0 {
                writeln!(out, "  {:<12}{} {what}", "", s[key])?;
            }
        }
    }
    let number = |v: &Value| format!("{:.4}", v.as_f64().unwrap_or(0.0));
    let corner = |v: &Value| list(v).iter().map(number).collect::<Vec<_>>().join(" ");
    let (low, high) = (corner(&f["box"]["min"]), corner(&f["box"]["max"]));
    writeln!(out, "  {:<12}{low} to {high}, diagonal {}", "box", number(&f["box"]["diagonal"]))?;
    let joints = list(&f["joints"]);
    let frames = joints.iter().filter(|j| j["role"] == "frame").count();
    writeln!(out, "  {:<12}{} ({frames} carry others or props only), {} bones", "joints", joints.len(), f["bones"])?;
    let mut line = String::new();
    for name in joints.iter().map(|j| text(&j["name"])) {
        if line.len() + name.len() > 90 {
            writeln!(out, "  {:<12}{line}", "")?;
            line.clear();
        }
        line.push_str(if line.is_empty() { "" } else { ", " });
        line.push_str(&name);
    }
    if !line.is_empty() {
        writeln!(out, "  {:<12}{line}", "")?;
    }
    for note in list(&f["zero_length_bones"]) {
        writeln!(out, "  {:<12}{}", "", text(&note))?;
    }
    if !f["most_influences"].is_null() {
        writeln!(out, "  {:<12}up to {} influences a vertex", "weights", f["most_influences"])?;
    }
    for (key, what) in [("parts", "parts"), ("morphs", "morphs")] {
        let names: Vec<String> = list(&f[key]).iter().map(|p| text(p.get("name").unwrap_or(p))).collect();
        if !names.is_empty() {
            writeln!(out, "  {:<12}{} ({})", what, names.len(), names.join(", "))?;
        }
    }
    for clip in list(&f["clips"]) {
        writeln!(out, "  {:<12}{} ({:.2} s)", "clip", text(&clip["name"]), clip["seconds"].as_f64().unwrap_or(0.0))?;
    }
    if !f["spheres"].is_null() {
        writeln!(out, "  {:<12}{} spheres", "sphere-mesh", f["spheres"])?;
    }
    Ok(())
}
