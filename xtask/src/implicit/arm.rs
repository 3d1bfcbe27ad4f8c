//! The plain arm: overlap over sizes, weight bands, sampling seeds and operators; and flicker.

use super::{
    OPERATORS, implicit, moved, percent,
    sheet::{Limit, Sheet},
};
use anyhow::Result;
use serde_json::json;
use supple::{
    example::{self, ArmOptions},
    measure::{self, SurfaceGauge, SurfaceOptions},
    pose::Pose,
    rig::Rig,
};

/// Bends with the overlap that may be left in them.
const BENDS: [(f64, f64); 2] = [(135.0, 1e-4), (150.0, 1e-3)];
const SEEDS: u64 = 5;

pub fn plain(vertices: usize, band: f64) -> Result<Rig> {
    Ok(example::arm(&ArmOptions { vertices, plain: true, band })?)
}

pub fn bent(rig: &Rig, degrees: f64) -> Result<Pose> {
    let mut pose = Pose::rest(rig);
    pose.bend(rig, "forearm", degrees, None)?;
    Ok(pose)
}

pub fn sweep(sheet: &mut Sheet) -> Result<()> {
    sheet.heading(
        "Overlap of a bent arm",
        "Plain arm; the worst of five choices of samples (`seed` 0 to 4). At most 0.010 % at 135 degrees and 0.100 % at 150. \
         Bands are half-widths of the weights in radii.",
    );
    sheet.columns(["vertices", "band", "operator", "at 135°", "at 150°", "inverted at 150°"]);
    for vertices in [8_003, 31_752] {
        for band in [0.4, 0.8, 1.4] {
            let rig = plain(vertices, band)?;
            let gauge = SurfaceGauge::new(&rig.mesh.positions, &rig.mesh.triangles, SurfaceOptions::default())?;
            for operator in OPERATORS {
                let mut worst = [(0, 0.0f64); 2];
                let mut inverted = 0.0f64;
                for seed in 0..SEEDS {
                    let graph = implicit(&[("operator", json!(operator)), ("seed", json!(seed))])?;
                    let mut bound = graph.bind(&rig)?;
                    for ((degrees, _), worst) in BENDS.iter().zip(&mut worst) {
                        let (_, points) = moved(&rig, &mut bound, &bent(&rig, *degrees)?);
                        let figures = gauge.figures(&points)?;
                        let overlap = figures.overlap.unwrap_or(f64::INFINITY);
                        if overlap > worst.1 {
                            *worst = (seed, overlap);
                        }
                        inverted = inverted.max(figures.inverted.unwrap_or(f64::INFINITY));
                    }
                }
                let mut cells = vec![vertices.to_string(), band.to_string(), operator.to_owned()];
                for ((degrees, most), (seed, overlap)) in BENDS.iter().zip(worst) {
                    let what = format!("arm of {vertices}, band {band}, {operator}, {degrees}°, seed {seed}: overlap");
                    cells.push(sheet.judge(&what, Some(overlap), Limit::Most(*most), percent));
                }
                let what = format!("arm of {vertices}, band {band}, {operator}: inverted");
                cells.push(sheet.judge(&what, Some(inverted), Limit::Most(1e-5), percent));
                sheet.row(cells);
            }
        }
    }
    sheet.end();
    Ok(())
}

pub fn flicker(sheet: &mut Sheet) -> Result<()> {
    sheet.heading(
        "Flicker",
        "Plain arm bent from 0 to 150 degrees, one degree a frame: the farthest step of a vertex over the same for dual \
         quaternions (at most 2), and the largest second difference in mean edges (at most 2).",
    );
    sheet.columns(["vertices", "operator", "flicker", "second difference"]);
    for vertices in [8_003, 31_752] {
        let rig = plain(vertices, 0.8)?;
        for operator in OPERATORS {
            let mut bound = implicit(&[("operator", json!(operator))])?.bind(&rig)?;
            let figures = measure::flicker(&rig, &mut bound, "forearm", 150.0, None)?;
            let name = format!("arm of {vertices}, {operator}: flicker");
            let two = |v: f64| format!("{v:.2}");
            let first = sheet.judge(&name, figures.flicker, Limit::Most(2.0), two);
            let second = sheet.judge(&format!("{name}, second"), figures.flicker_second, Limit::Most(2.0), two);
            sheet.row([vertices.to_string(), operator.to_owned(), first, second]);
        }
    }
    sheet.end();
    Ok(())
}
