use crate::{
    args::{Character, Example},
    console::Console,
    output::Output,
};
use anyhow::{Result, bail};
use std::path::Path;
use supple::{
    example::{self, ArmOptions, FigureOptions, HandOptions, StatueOptions},
    read::{Format, Inputs, Kind},
    rig::{Rig, SphereMesh},
    write,
};

pub fn run(arguments: &Example, console: &Console) -> Result<()> {
    let output = Output::file(&arguments.output, console)?;
    let rig = make(arguments)?;
    let model_path = arguments.output.with_extension("json");
    let model = rig.sphere_mesh.as_ref().map(|model| anyhow::Ok((model, Output::file(&model_path, console)?)));
    let model = model.transpose()?;
    if model.is_some() && model_path.exists() && !is_model(&model_path) {
        bail!("{}: is there already and is no sphere-mesh; the statue's model would replace it", model_path.display());
    }
    output.write(|path| write::rig(path, &rig))?;
    let counts = format!("{} vertices, {} joints", rig.mesh.positions.len(), rig.skeleton.len());
    console.say(&format!("supple: wrote {output} ({counts})"));
    if let Some((model, output)) = model {
        let text = model.to_json();
        output.write(|path| write::file(path, |out| Ok(out.write_all(text.as_bytes())?)))?;
        console.say(&format!("supple: wrote {output} ({} spheres)", model.spheres.len()));
    }
    Ok(())
}

fn is_model(path: &Path) -> bool {
    // Read by itself: it is no input, and may be replaced by another model.
    let text = Inputs::default().text(path, Kind::Rig(Format::SphereMesh));
    text.is_ok_and(|text| SphereMesh::from_json(&text).is_ok())
}

fn make(a: &Example) -> Result<Rig> {
    let only = |what: &str, who: &str| format!("--{what} is for the {who}");
    if a.bones.is_some() && !matches!(a.character, Character::Figure | Character::Hand) {
        bail!(only("bones", "figure and the hand"));
    }
    if (a.plain || a.band.is_some()) && a.character != Character::Arm {
        bail!(only(if a.plain { "plain" } else { "band" }, "arm"));
    }
    Ok(match a.character {
        Character::Arm => {
            let d = ArmOptions::default();
            let (vertices, band) = (a.vertices.unwrap_or(d.vertices), a.band.unwrap_or(d.band));
            example::arm(&ArmOptions { vertices, band, plain: a.plain })?
        }
        Character::Hand => {
            let d = HandOptions::default();
            let (vertices, bones) = (a.vertices.unwrap_or(d.vertices), a.bones.unwrap_or(d.bones));
            example::hand(&HandOptions { vertices, bones })?
        }
        Character::Figure => {
            let d = FigureOptions::default();
            let (vertices, bones) = (a.vertices.unwrap_or(d.vertices), a.bones.unwrap_or(d.bones));
            example::figure(&FigureOptions { vertices, bones })?
        }
        Character::Statue => {
            let d = StatueOptions::default();
            example::statue(&StatueOptions { points: a.vertices.unwrap_or(d.points) })?
        }
    })
}
