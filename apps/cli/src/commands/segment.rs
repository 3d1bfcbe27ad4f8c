use super::bind::exclude;
use crate::{args::Segment, console::Console, output::Output, posing, wording};
use anyhow::{Result, bail};
use serde_json::{Value, json};
use std::io::Write;
use supple::{rig::Rig, weights::segment::Segmentation, write};
use supple_render::color;

pub fn run(arguments: &Segment, console: &Console) -> Result<()> {
    let output = Output::file(&arguments.output, console)?;
    let ending = output.ending();
    if !matches!(ending.as_str(), "glb" | "ply") {
        bail!("cannot write \".{ending}\": glb and ply can be written here");
    }
    let mut rig = posing::rig(&arguments.rig, console)?;
    output.check()?;
    // The regions that `bind` would use.
    rig.skeleton = exclude::without_bones(&rig.skeleton, &exclude::unweighted(&rig, &rig.name, console));
    let parts = Segmentation::of(&rig)?;
    console.guesses(&rig.name, &parts.notes);
    let rows = rows(&rig, &parts);
    paint(&mut rig, &parts);
    output.write(|path| write::posed(path, &rig, &rig.mesh.positions))?;

    let mut out = std::io::stdout().lock();
    if arguments.json {
        let notes: Vec<String> = parts.notes.iter().map(ToString::to_string).collect();
        let all = json!({"rig": rig.name, "regions": rows, "boundaries": boundaries(&rig, &parts), "notes": notes});
        writeln!(out, "{}", serde_json::to_string_pretty(&all)?)?;
    } else {
        print(&mut out, &rows)?;
    }
    let regions = rows.iter().filter(|r| r["faces"] != 0).count();
    console.say(&format!("supple: wrote {output} ({regions} regions)"));
    Ok(())
}

/// A row for each joint that owns triangles or should: its name, its triangles, and the length of its curve.
fn rows(rig: &Rig, parts: &Segmentation) -> Vec<Value> {
    let joints = rig.skeleton.joints();
    let mut faces = vec![0usize; joints.len()];
    parts.faces.iter().for_each(|&j| faces[usize::from(j)] += 1);
    let curve = |joint: usize| parts.boundaries.iter().find(|b| b.hangs && b.child == joint);
    let row = |(joint, &faces): (usize, &usize)| {
        let curve = curve(joint);
        json!({
            "bone": joints[joint].name,
            "faces": faces,
            "parent": curve.map(|b| joints[b.parent].name.clone()),
            "boundary_length": curve.map(|b| b.length),
        })
    };
    let owns = |(joint, faces): &(usize, &usize)| **faces > 0 || joints[*joint].role == supple::rig::Role::Bone;
    faces.iter().enumerate().filter(owns).map(row).collect()
}

fn boundaries(rig: &Rig, parts: &Segmentation) -> Vec<Value> {
    let name = |joint: usize| rig.skeleton.joints()[joint].name.as_str();
    let boundary = |b: &supple::weights::segment::Boundary| json!({"parent": name(b.parent), "child": name(b.child), "hangs": b.hangs, "length": b.length, "border": b.border});
    parts.boundaries.iter().map(boundary).collect()
}

/// One colour for each bone, in place of what the skin wore.
fn paint(rig: &mut Rig, parts: &Segmentation) {
    let byte = |x: f32| (x * 255.0).round() as u8;
    let color = |&joint: &u16| {
        let c = color::hue(joint.into());
        [byte(c.x), byte(c.y), byte(c.z), 255]
    };
    rig.mesh.colors = Some(parts.vertices.iter().map(color).collect());
    rig.materials.clear();
    rig.images.clear();
    rig.parts.iter_mut().for_each(|p| p.material = None);
}

fn print(out: &mut dyn Write, rows: &[Value]) -> Result<()> {
    let name = |row: &Value| wording::name(row["bone"].as_str().unwrap_or_default());
    let width = rows.iter().map(|r| name(r).chars().count()).max().unwrap_or(0).max(4) + 2;
    writeln!(out, "{:<width$}{:>9}{:>17}", "bone", "faces", "boundary length")?;
    for row in rows {
        let length = row["boundary_length"].as_f64().map_or_else(|| "-".to_owned(), |l| format!("{l:.4}"));
        writeln!(out, "{:<width$}{:>9}{length:>17}", name(row), row["faces"].to_string())?;
    }
    Ok(())
}
