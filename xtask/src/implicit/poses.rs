//! The poses that are always reported on, by linear, dual quaternions and every operator.

use super::{
    OPERATORS,
    arm::{bent, plain},
    contestants, harm, implicit, moved, percent,
    sheet::{Limit, Sheet},
};
use anyhow::{Context, Result};
use serde_json::json;
use supple::{
    deform::implicit::Implicit,
    example::{self, ArmOptions, FigureOptions, HandOptions},
    measure::{self, HarmGauge, RigGauge, SurfaceFigures, SurfaceGauge, SurfaceOptions},
    pose::Pose,
    rig::Rig,
};

/// A pose with the limits of it that go beyond what holds everywhere.
struct Case {
    title: String,
    pose: Pose,
    /// Whether it is of the smooth arm or of a character: inverted, the largest stretch and volume drift are judged.
    smooth: bool,
    overlap: Option<f64>,
    flipped: Option<f64>,
    stretch: bool,
    collapse: bool,
    bulge: bool,
    detail: bool,
}

fn cases(rig: &Rig) -> Result<Vec<Case>> {
    let mut list = Vec::new();
    let free = |title: String, pose| Case {
        title,
        pose,
        smooth: true,
        overlap: None,
        flipped: None,
        stretch: false,
        collapse: false,
        bulge: false,
        detail: true,
    };
    for degrees in [30.0, 60.0, 90.0, 120.0, 135.0, 150.0] {
        let deep = degrees > 140.0;
        list.push(Case {
            overlap: Some(if deep { 1e-3 } else { 1e-4 }),
            flipped: Some(if deep { 5e-3 } else { 1e-3 }),
            stretch: !deep,
            bulge: !deep,
            ..free(format!("bent {degrees}°"), bent(rig, degrees)?)
        });
    }
    for degrees in [90.0, 180.0] {
        let mut pose = Pose::rest(rig);
        pose.twist(rig, "forearm", degrees)?;
        list.push(Case { collapse: true, ..free(format!("twisted {degrees}°"), pose) });
    }
    let mut both = Pose::rest(rig);
    both.twist(rig, "forearm", 90.0)?;
    both.bend(rig, "forearm", 90.0, None)?;
    list.push(Case { overlap: Some(1e-4), ..free("twisted 90° and bent 90°".into(), both) });
    Ok(list)
}

pub fn run(sheet: &mut Sheet) -> Result<()> {
    sheet.heading(
        "Side by side",
        "Limits are those of the implicit rows: inverted 0; overlap 0.010 % to 135 degrees and 0.100 % at 150; bulge 1.04 for \
         union; collapse at least 0.90 in twists; stretch from 0.30 to 2.50 and at most 5.00 up to 135; flipped 0.10 % up to \
         135 and 0.50 % at 150, volume drift within 2 points of that of dual quaternions; \
         detail 5 %; and in every pose withering at least 0.90, gape none (0.005), tear at most 1.50, against dual quaternions. Of the arm with relief overlap and detail alone are judged: it folds at rest, and it is not round.",
    );
    for vertices in [8_003, 31_752] {
        let rig = plain(vertices, 0.8)?;
        for case in cases(&rig)? {
            table(sheet, &format!("arm of {} vertices, {}", rig.mesh.positions.len(), case.title), &rig, &case)?;
        }
    }
    for vertices in [8_003, 31_752] {
        // With its muscles and the crook of its elbow. The crook is a fold at rest, so that some triangles turn over in the crease; a
        // muscle that is pressed bulges; and limbs that are not round and twisted against each other are as thin as the thinner.
        let rig = example::arm(&ArmOptions { vertices, ..ArmOptions::default() })?;
        for case in cases(&rig)? {
            let case = Case { smooth: false, flipped: None, stretch: false, collapse: false, bulge: false, ..case };
            let title = format!("arm with relief of {} vertices, {}", rig.mesh.positions.len(), case.title);
            table(sheet, &title, &rig, &case)?;
        }
    }
    let hand = example::hand(&HandOptions { vertices: 12_000, ..Default::default() })?;
    let figure = example::figure(&FigureOptions { vertices: 30_000, ..FigureOptions::default() })?;
    for (rig, clip) in [(hand, "fist"), (figure, "crouch")] {
        let clip = rig.clip(clip).context("the character has that clip")?;
        let case = Case {
            title: clip.name.clone(),
            pose: clip.sample(&rig, f64::from(clip.duration())),
            smooth: true,
            overlap: None,
            flipped: None,
            stretch: false,
            collapse: false,
            bulge: false,
            detail: false,
        };
        table(sheet, &format!("{} of {} vertices, {}", rig.name, rig.mesh.positions.len(), case.title), &rig, &case)?;
    }
    Ok(())
}

fn table(sheet: &mut Sheet, title: &str, rig: &Rig, case: &Case) -> Result<()> {
    let surface = SurfaceGauge::new(&rig.mesh.positions, &rig.mesh.triangles, SurfaceOptions::default())?;
    let of_rig = RigGauge::new(rig)?.with_volume(rig, Implicit::default().volume(rig)?.body);
    sheet.text += &format!("**{title}**\n\n");
    sheet.columns([
        "method",
        "overlap",
        "inverted",
        "volume drift",
        "collapse",
        "bulge",
        "stretch p1",
        "p99",
        "largest",
        "flipped",
        "detail",
        "withering",
        "gape",
        "tear",
    ]);
    let gauge = HarmGauge::new(rig)?.context("the character has limbs")?;
    let start = moved(rig, &mut contestants()?[1].1.bind(rig)?, &case.pose).1;
    let mut of_dual = SurfaceFigures::default();
    for (name, graph) in contestants()? {
        let (motion, points) = moved(rig, &mut graph.bind(rig)?, &case.pose);
        let (s, r) = (surface.figures(&points)?, of_rig.figures(&motion, &points)?);
        if name == "dual-quaternion" {
            of_dual = s;
        }
        let ours = name.starts_with("implicit");
        let drifted = s.volume_drift.zip(of_dual.volume_drift).map(|(a, b)| (a - b).abs());
        let what = |figure: &str| format!("{title}, {name}: {figure}");
        let mut cell = |figure: &str, value: Option<f64>, limit: Option<Limit>, show: fn(f64) -> String| match limit {
            Some(limit) if ours => sheet.judge(&what(figure), value, limit, show),
            _ => value.map_or("-".into(), show),
        };
        let most = |limit: Option<f64>| limit.map(Limit::Most);
        let when = |asked: bool, limit: Limit| asked.then_some(limit);
        let drift = s.volume_drift.map_or("-".into(), percent);
        if ours && case.smooth {
            cell("volume drift beside dual quaternions'", drifted, Some(Limit::Most(0.02)), percent);
        }
        let cells = [
            name.clone(),
            cell("overlap", s.overlap, most(case.overlap), percent),
            cell("inverted", s.inverted, when(case.smooth, Limit::Most(1e-5)), percent),
            drift,
            cell("collapse", r.collapse, when(case.collapse, Limit::Least(0.9)), two),
            cell("bulge", r.bulge, when(case.bulge && name == "implicit, union", Limit::Most(1.04)), two_more),
            cell("stretch p1", s.stretch_p1, when(case.stretch, Limit::Least(0.3)), two),
            cell("stretch p99", s.stretch_p99, when(case.stretch, Limit::Most(2.5)), two),
            cell(
                "largest stretch",
                s.stretch_max,
                when(case.stretch || (case.smooth && case.overlap.is_some()), Limit::Most(5.0)),
                two,
            ),
            cell("flipped", r.flipped, most(case.flipped), percent),
            cell("detail", r.detail, when(case.detail, Limit::Most(0.05)), percent),
        ];
        let harm = harm::cells(sheet, &what, ours, &gauge.figures(&start, &points)?);
        sheet.row(cells.into_iter().chain(harm));
    }
    sheet.end();
    Ok(())
}

fn two(v: f64) -> String {
    format!("{v:.2}")
}

fn two_more(v: f64) -> String {
    format!("{v:.3}")
}

pub fn errors(sheet: &mut Sheet) -> Result<()> {
    sheet.heading("Rest and rigid motions", "Farthest miss over the diagonal, at most 1.0e-5.");
    sheet.columns(["character", "operator", "rest error", "rigid error"]);
    let arm = plain(8_003, 0.8)?;
    let hand = example::hand(&HandOptions { vertices: 12_000, ..Default::default() })?;
    let figure = example::figure(&FigureOptions { vertices: 30_000, ..FigureOptions::default() })?;
    for rig in [arm, hand, figure] {
        for operator in OPERATORS {
            let found = measure::errors(&rig, &mut implicit(&[("operator", json!(operator))])?.bind(&rig)?);
            let show = |v: f64| format!("{v:.1e}");
            let what = |figure: &str| format!("{}, {operator}: {figure}", rig.name);
            let rest = sheet.judge(&what("rest error"), Some(found.rest_error), Limit::Most(1e-5), show);
            let rigid = sheet.judge(&what("rigid error"), Some(found.rigid_error), Limit::Most(1e-5), show);
            sheet.row([rig.name.clone(), operator.to_owned(), rest, rigid]);
        }
    }
    sheet.end();
    Ok(())
}
