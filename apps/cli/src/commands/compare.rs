use crate::{
    args::{Compare, Device, PoseArguments},
    comparison::{self, Case, Plan, Subject},
    console::Console,
    output, posing,
};
use anyhow::{Result, anyhow, bail};
use supple::{
    deform::Settings,
    graph::{self, DeformGraph, Method},
    names,
};
use supple_render::Direction;

pub fn run(arguments: &Compare, choice: Device, console: &Console) -> Result<()> {
    let methods = chosen(&arguments.methods)?;
    let settings = settings(&arguments.settings, &methods)?;
    let rig = posing::modelled(posing::rig(&arguments.rig, console)?, arguments.model.as_deref(), console)?;
    let pose = posing::pose(&rig, &arguments.pose, None, console)?;
    let direction = Direction::ALL.iter().find(|(name, _)| *name == arguments.view);
    let (towards, _) = direction.map_or(Direction::ThreeQuarter, |(_, d)| *d).axes();
    comparison::check(&arguments.output, console)?;
    let name = arguments.rig.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    let case = Case { title: words(&arguments.pose), pose, towards };
    let lead = "Every method moves the same rig to the same pose: seen as a whole, near the joint that turns most, and cut \
                open there. Below are the figures of supple measure.";
    let plan = Plan {
        title: format!("{name}: {}", case.title),
        lead: lead.to_owned(),
        methods,
        settings,
        subjects: vec![Subject { name, rig, cases: vec![case] }],
    };
    let report = plan.run(choice, console)?;
    // Only now: what fails before leaves no empty folder.
    output::make_folder(&arguments.output)?;
    let page = comparison::save(&report, &arguments.output, console)?;
    Ok(comparison::print(&report, &page)?)
}

/// The methods by name, in the order given; every one that stands alone where none is named.
fn chosen(names: &[String]) -> Result<Vec<&'static Method>> {
    if names.is_empty() {
        return Ok(graph::methods().iter().filter(|m| m.stands_alone).collect());
    }
    let mut chosen: Vec<&Method> = Vec::new();
    for name in names.iter().map(|n| n.trim()) {
        let method = graph::method(name).ok_or_else(|| {
            let known = graph::methods().iter().filter(|m| m.stands_alone).map(|m| m.name);
            anyhow!("--methods: there is no method \"{name}\"{}", names::hint(name, known))
        })?;
        if !method.stands_alone {
            bail!("--methods: \"{name}\" does not stand alone: it joins the results of others");
        }
        if chosen.iter().all(|m| m.name != method.name) {
            chosen.push(method);
        }
    }
    Ok(chosen)
}

/// The settings, each of which at least one of the methods must have, with a value that all who have it accept.
fn settings(pairs: &[String], methods: &[&'static Method]) -> Result<Settings> {
    let settings = posing::settings(pairs)?;
    for (key, value) in settings.iter() {
        let with: Vec<&&Method> = methods.iter().filter(|m| m.settings.iter().any(|s| s.name == key)).collect();
        if with.is_empty() {
            let known = methods.iter().flat_map(|m| m.settings).map(|s| s.name);
            bail!("--set {key}: none of the methods has this setting{}", names::hint(key, known));
        }
        for method in with {
            let one = Settings::from_iter([(key.clone(), value.clone())]);
            DeformGraph::single_with(method.name, &one)?;
        }
    }
    Ok(settings)
}

/// The pose in the words in which it was asked for.
fn words(pose: &PoseArguments) -> String {
    if pose.rest {
        return "bind pose".to_owned();
    }
    if let Some(clip) = &pose.clip {
        return format!("clip {clip} at {} s", pose.time);
    }
    if let Some(path) = &pose.pose {
        return format!("pose {}", path.file_name().unwrap_or(path.as_os_str()).to_string_lossy());
    }
    let turns: Vec<String> = pose.turns.0.iter().map(|t| format!("{} {}", t.option, t.word)).collect();
    if turns.is_empty() { "as the file shows it".to_owned() } else { turns.join(", ") }
}
