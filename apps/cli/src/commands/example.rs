use crate::{
    args::{Character, Example},
    console::Console,
    output::Output,
};
use anyhow::{Result, bail};
use supple::{
    example::{self, ArmOptions, FigureOptions, HandOptions, StatueOptions},
    rig::Rig,
    write,
};

pub fn run(arguments: &Example, console: &Console) -> Result<()> {
    let output = Output::file(&arguments.output, console)?;
    let rig = make(arguments)?;
    let model_path = arguments.output.with_extension("json");
    let model = rig.sphere_mesh.as_ref().map(|model| anyhow::Ok((model, Output::file(&model_path, console)?)));
    let model = model.transpose()?;
    // Nobody named it, so that nothing is replaced but the same model.
    if let Some((model, _)) = &model
        && std::fs::read(&model_path).is_ok_and(|there| there != model.to_json().as_bytes())
    {
        bail!("{}: is there already; the statue's model would replace it", model_path.display());
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

pub fn make(a: &Example) -> Result<Rig> {
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
