//! A real knee and elbow, and fists.

use super::{
    contestants, harm, implicit, moved, percent,
    sheet::{Limit, Sheet},
};
use anyhow::{Context, Result};
use glam::DVec3;
use serde_json::json;
use supple::{
    example::{self, FigureOptions, HandOptions},
    graph::DeformGraph,
    measure::{Cube, HarmGauge, SurfaceGauge, SurfaceOptions},
    pose::{Clip, Motion, Pose},
    read,
    rig::Rig,
};
use supple_testkit::data;

/// Half the longest bone that meets at a joint.
fn radius(rig: &Rig, joint: usize) -> Result<f64> {
    let (bones, _) = rig.skeleton.bones(&rig.mesh.positions, rig.weights.as_ref());
    let meet = bones.iter().filter(|b| b.joint == joint || b.tail_joint == Some(joint));
    meet.map(|b| b.length() * 0.5).max_by(f64::total_cmp).context("a bone meets there")
}

pub fn knee_and_elbow(sheet: &mut Sheet) -> Result<()> {
    let Some(folder) = data::folder("rigged") else { return Ok(()) };
    let rig = read::path(folder.join("makehuman_male_cmu.glb"))?.rig;
    sheet.heading(
        "Knee and elbow of makehuman_male_cmu",
        "Overlap in a box round the joint over the volume of the body, at most 0.020 %; largest stretch, at most 1.5 times \
         that of dual quaternions. Degrees are those beyond the rest pose, in which the elbow is already bent.",
    );
    let columns = ["joint", "bent by", "method", "overlap", "inverted", "largest stretch", "over dual quaternions"];
    sheet.columns(columns.into_iter().chain(harm::COLUMNS));
    let of_harm = HarmGauge::new(&rig)?.context("the body has limbs")?;
    let gauge = SurfaceGauge::new(&rig.mesh.positions, &rig.mesh.triangles, SurfaceOptions::default())?;
    for (name, word, bends) in
        [("LeftLeg", "knee", &[90.0, 120.0, 135.0, 150.0][..]), ("LeftForeArm", "elbow", &[60.0, 90.0])]
    {
        let joint = rig.skeleton.find(name).context("the body has that joint")?;
        let radius = radius(&rig, joint)?;
        for &degrees in bends {
            let mut pose = Pose::rest(&rig);
            pose.bend(&rig, name, degrees, None)?;
            let motion = Motion::of(&rig, &pose);
            let at_rest = Cube { center: rig.skeleton.joints()[joint].rest_position(), radius };
            let in_pose = Cube { center: motion.posed_from_joint[joint].translation, radius };
            let start = moved(&rig, &mut DeformGraph::single("dual-quaternion")?.bind(&rig)?, &pose).1;
            let mut of_dual = 1.0;
            for (method, graph) in contestants()? {
                let (_, points) = moved(&rig, &mut graph.bind(&rig)?, &pose);
                let cube = gauge.cube(&points, at_rest, in_pose)?;
                let stretch = gauge.figures(&points)?.stretch_max.context("edges have lengths")?;
                if method == "dual-quaternion" {
                    of_dual = stretch;
                }
                let ours = method.starts_with("implicit");
                let what = |figure: &str| format!("{word} bent {degrees}°, {method}: {figure}");
                let ratio = stretch / of_dual;
                let two = |v: f64| format!("{v:.2}");
                let (overlap, inverted, over) = if ours {
                    (
                        sheet.judge(&what("overlap"), cube.box_overlap, Limit::Most(2e-4), percent),
                        sheet.judge(&what("inverted"), cube.box_inverted, Limit::Most(1e-5), percent),
                        sheet.judge(&what("stretch over dual quaternions'"), Some(ratio), Limit::Most(1.5), two),
                    )
                } else {
                    let shown = |v: Option<f64>| v.map_or("-".into(), percent);
                    (
                        shown(cube.box_overlap),
                        shown(cube.box_inverted),
                        if of_dual == stretch { two(1.0) } else { "-".into() },
                    )
                };
                let harm = harm::cells(sheet, &what, ours, &of_harm.figures(&start, &points)?);
                let cells = [word.into(), format!("{degrees}°"), method.clone(), overlap, inverted, two(stretch), over];
                sheet.row(cells.into_iter().chain(harm));
            }
        }
    }
    sheet.end();
    Ok(())
}

/// The skin of an armpit hangs on the arm's weights: a hard case for volumes.
pub fn shoulder(sheet: &mut Sheet) -> Result<()> {
    let rig = example::figure(&FigureOptions { vertices: 30_000, ..FigureOptions::default() })?;
    sheet.heading(
        "Shoulder of the figure",
        "An arm raised and lowered about the z axis; union. Largest stretch, at most 1.5 times that of dual quaternions, as for \
         the knee.",
    );
    let columns = ["turned by", "parted by", "overlap", "largest stretch", "over dual quaternions"];
    sheet.columns(columns.into_iter().chain(harm::COLUMNS));
    let of_harm = HarmGauge::new(&rig)?.context("the figure has limbs")?;
    let gauge = SurfaceGauge::new(&rig.mesh.positions, &rig.mesh.triangles, SurfaceOptions::default())?;
    for degrees in [-75.0, 45.0, 75.0] {
        let mut pose = Pose::rest(&rig);
        pose.bend(&rig, "upper_arm_l", degrees, Some(DVec3::Z))?;
        let start = moved(&rig, &mut DeformGraph::single("dual-quaternion")?.bind(&rig)?, &pose).1;
        let of_dual = gauge.figures(&start)?.stretch_max.context("edges have lengths")?;
        for partition in ["weights", "segments", "nearest"] {
            let mut bound = implicit(&[("partition", json!(partition))])?.bind(&rig)?;
            let points = moved(&rig, &mut bound, &pose).1;
            let figures = gauge.figures(&points)?;
            let stretch = figures.stretch_max.context("edges have lengths")?;
            let what = |figure: &str| format!("arm of the figure turned {degrees}°, parted by {partition}: {figure}");
            let two = |v: f64| format!("{v:.2}");
            let over =
                sheet.judge(&what("stretch over dual quaternions'"), Some(stretch / of_dual), Limit::Most(1.5), two);
            let overlap = figures.overlap.map_or("-".into(), percent);
            let harm = harm::cells(sheet, &what, true, &of_harm.figures(&start, &points)?);
            let cells = [format!("{degrees}°"), partition.to_owned(), overlap, two(stretch), over];
            sheet.row(cells.into_iter().chain(harm));
        }
    }
    sheet.end();
    Ok(())
}

pub fn fists(sheet: &mut Sheet) -> Result<()> {
    sheet.heading("Fists", "The clip `fist` where dual quaternions overlap most: at most a hundredth of that is left.");
    let columns = ["hand", "vertices", "method", "overlap", "over dual quaternions", "inverted", "largest stretch"];
    sheet.columns(columns.into_iter().chain(harm::COLUMNS));
    let mut hands = vec![example::hand(&HandOptions { vertices: 12_000, ..Default::default() })?];
    hands.push(example::hand(&HandOptions { vertices: 31_750, ..Default::default() })?);
    if let Some(folder) = data::folder("rigged") {
        hands.push(read::path(folder.join("hand_webxr_fist.glb"))?.rig);
    }
    for rig in hands {
        let clip = rig.clip("fist").context("the hand makes a fist")?;
        let gauge = SurfaceGauge::new(&rig.mesh.positions, &rig.mesh.triangles, SurfaceOptions::default())?;
        let pose = closed(&rig, clip, &gauge)?;
        let of_harm = HarmGauge::new(&rig)?.context("the hand has limbs")?;
        let start = moved(&rig, &mut DeformGraph::single("dual-quaternion")?.bind(&rig)?, &pose).1;
        let mut of_dual = f64::NAN;
        for (method, graph) in contestants()? {
            let (_, points) = moved(&rig, &mut graph.bind(&rig)?, &pose);
            let figures = gauge.figures(&points)?;
            let overlap = figures.overlap.context("the hand has a volume")?;
            if method == "dual-quaternion" {
                of_dual = overlap;
            }
            let vertices = rig.mesh.positions.len();
            let show = |v: f64| format!("{v:.4}");
            let ours = method.starts_with("implicit");
            let what = |figure: &str| format!("fist of {} of {vertices} vertices, {method}: {figure}", rig.name);
            let over = if ours {
                sheet.judge(&what("overlap over dual quaternions'"), Some(overlap / of_dual), Limit::Most(0.01), show)
            } else {
                "-".into()
            };
            let inverted = figures.inverted.map_or("-".into(), percent);
            let stretch = figures.stretch_max.map_or("-".into(), |v| format!("{v:.2}"));
            let harm = harm::cells(sheet, &what, ours, &of_harm.figures(&start, &points)?);
            let (name, count) = (rig.name.clone(), vertices.to_string());
            let cells = [name, count, method.clone(), percent(overlap), over, inverted, stretch];
            sheet.row(cells.into_iter().chain(harm));
        }
    }
    sheet.end();
    Ok(())
}

/// The pose of a clip in which dual quaternions overlap most.
fn closed(rig: &Rig, clip: &Clip, gauge: &SurfaceGauge) -> Result<Pose> {
    let mut dual = DeformGraph::single("dual-quaternion")?.bind(rig)?;
    let mut most = (f64::NEG_INFINITY, Pose::rest(rig));
    for eighth in 1..=8 {
        let pose = clip.sample(rig, f64::from(clip.duration()) * f64::from(eighth) / 8.0);
        let overlap = gauge.figures(&moved(rig, &mut dual, &pose).1)?.overlap.context("the hand has a volume")?;
        if overlap > most.0 {
            most = (overlap, pose);
        }
    }
    Ok(most.1)
}
