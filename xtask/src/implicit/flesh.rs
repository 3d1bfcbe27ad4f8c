//! The shapes that flesh takes by finite elements, where the shared references are there, beside every one-pass method.

use super::{
    contestants, moved, percent,
    sheet::{Limit, Sheet},
};
use anyhow::{Context, Result, bail};
use glam::DVec3;
use std::collections::HashMap;
use supple::{
    example::{self, ArmOptions},
    graph::{BoundGraph, DeformGraph},
    measure::{ReferenceCase, ReferenceCases, ReferenceFigures, ReferenceGauge},
    pose::Pose,
    read::{self, Inputs, Reach},
    rig::Rig,
};
use supple_testkit::data;

/// Methods of one pass that ours is held against, beside linear and dual quaternions.
const BESIDE: [&str; 3] = ["delta-mush", "rotation-center", "flesh"];
/// What a method may be above the best of one pass: references are good to a point.
const ABOVE: f64 = 0.01;
/// Poses in which ours may have at most half of what dual quaternions have wrong.
const HALVED: [&str; 4] = ["arm8003_bend120", "arm8003_bend135", "makehuman_knee120", "makehuman_knee135"];

pub fn run(sheet: &mut Sheet) -> Result<()> {
    let Some(folder) = data::folder("reference") else { return Ok(()) };
    let inputs = Inputs::default();
    // Its rigs lie beside its folder.
    let list = ReferenceCases::read(&folder.join("reference.json"), Reach::Anywhere, &inputs)?;
    sheet.heading(
        "Beside flesh",
        "Wrong volume (missing + extra + overlapping) in a ball of two radii round the joint, beside shapes of flesh by finite elements \
         with contact; they are good to about two points. The union is judged: at most a point above the lowest of the methods of one \
         pass, at most half of dual quaternions' in the deepest bends, and missing at most two points above theirs.",
    );
    let mut graphs = contestants()?;
    for (place, method) in (2..).zip(BESIDE) {
        graphs.insert(place, (method.to_owned(), DeformGraph::single(method)?));
    }
    let names: Vec<&str> = graphs.iter().map(|(name, _)| name.as_str()).collect();
    sheet.columns(["pose"].into_iter().chain(names));
    let mut rigs: HashMap<&str, (Rig, Vec<BoundGraph>)> = HashMap::new();
    for case in list.cases.iter().filter(|case| case.volume) {
        if !rigs.contains_key(case.rig_from.as_str()) {
            let rig = rig(&list, case)?;
            let bound = graphs.iter().map(|(_, graph)| graph.bind(&rig)).collect::<Result<_, _>>()?;
            rigs.insert(&case.rig_from, (rig, bound));
        }
        let (rig, bound) = rigs.get_mut(case.rig_from.as_str()).context("it was put there")?;
        let pose = pose(rig, case)?;
        let reference = list.reference(case, rig.mesh.positions.len(), &inputs)?;
        let gauge = ReferenceGauge::new(&rig.mesh.positions, &rig.mesh.triangles, &reference);
        let found: Vec<ReferenceFigures> =
            bound.iter_mut().map(|bound| gauge.figures(&moved(rig, bound, &pose).1)).collect();
        row(sheet, case, &graphs, &found);
    }
    sheet.end();
    Ok(())
}

fn row(sheet: &mut Sheet, case: &ReferenceCase, graphs: &[(String, DeformGraph)], found: &[ReferenceFigures]) {
    let of = |name: &str| graphs.iter().position(|g| g.0 == name).map(|i| found[i]).unwrap_or_default();
    let one_pass = found[..2 + BESIDE.len()].iter().filter_map(|f| f.wrong);
    let lowest = one_pass.min_by(f64::total_cmp).unwrap_or(f64::NAN);
    let dual = of("dual-quaternion");
    let mut cells = vec![case.name.clone()];
    for ((name, _), figures) in graphs.iter().zip(found) {
        let what = |figure: &str| format!("{}, {name}: {figure}", case.name);
        let mut shown = figures.wrong.map_or("-".into(), percent);
        if name == "implicit, union" {
            let half = HALVED.contains(&case.name.as_str()).then(|| dual.wrong.unwrap_or(f64::NAN) / 2.0);
            let most = half.map_or(lowest + ABOVE, |half| half.min(lowest + ABOVE));
            shown = sheet.judge(&what("wrong volume"), figures.wrong, Limit::Most(most), percent);
            let most = dual.missing.unwrap_or(f64::NAN) + 2.0 * ABOVE;
            sheet.judge(&what("missing"), figures.missing, Limit::Most(most), percent);
        }
        let parts = [figures.missing, figures.extra, figures.overlapping]
            .map(|p| p.map_or("-".into(), |p| format!("{:.0}", 100.0 * p)));
        cells.push(format!("{shown} ({})", parts.join(" + ")));
    }
    sheet.row(cells);
}

fn rig(list: &ReferenceCases, case: &ReferenceCase) -> Result<Rig> {
    match case.rig_from.split_whitespace().collect::<Vec<_>>()[..] {
        ["supple", "example", "arm", "--plain", "--vertices", vertices, ..] => {
            Ok(example::arm(&ArmOptions { vertices: vertices.parse()?, plain: true, ..ArmOptions::default() })?)
        }
        ["supple", ..] => bail!("{}: \"{}\" is not known here", case.name, case.rig_from),
        _ => Ok(read::path(list.rig(case)?)?.rig),
    }
}

/// The pose of a case: bends and twists in its words.
fn pose(rig: &Rig, case: &ReferenceCase) -> Result<Pose> {
    let mut pose = Pose::rest(rig);
    for pair in case.pose.chunks(2) {
        let [option, word] = pair else { bail!("{}: a pose of pairs of words", case.name) };
        let (joint, turn) = word.split_once('=').context("JOINT=DEGREES")?;
        let (degrees, axis) = turn.split_once('@').map_or((turn, None), |(degrees, axis)| (degrees, Some(axis)));
        let axis: Option<Vec<f64>> =
            axis.map(|a| a.split(',').map(str::parse).collect::<Result<_, _>>()).transpose()?;
        match option.as_str() {
            "--bend" => pose.bend(rig, joint, degrees.parse()?, axis.as_deref().map(DVec3::from_slice))?,
            "--twist" => pose.twist(rig, joint, degrees.parse()?)?,
            other => bail!("{}: {other} is not known here", case.name),
        }
    }
    Ok(pose)
}
