//! The rows of computed weights: what is slow once, and what must be quick every time a slider moves.

use super::round;
use crate::{args::Bench, console::Console, statistics::Timings};
use anyhow::Result;
use serde_json::json;
use std::io::Write;
use supple::{
    rig::Rig,
    weights::flexible::{Distance, FlexibleDistances, Options},
};

/// Times the rows that the filter names and prints them; says whether there were any. Without a filter there are none:
/// they take seconds where the frames of the others take milliseconds.
pub fn run(arguments: &Bench, rigs: &[(String, Rig)], console: &Console) -> Result<bool> {
    let mut any = false;
    for (name, rig) in rigs.iter().filter(|(_, r)| !r.mesh.triangles.is_empty()) {
        for distance in [Distance::Euclidean, Distance::Geodesic, Distance::Harmonic] {
            let kind = format!("{distance:?}").to_lowercase();
            let asked = |row: &str| {
                !arguments.filter.is_empty() && format!("{name} weights {row} {kind}").contains(&arguments.filter)
            };
            let (slow, quick) = (asked("flexible-distances"), asked("flexible-k"));
            if !(slow || quick) {
                continue;
            }
            let bar = console.progress("timing", 2);
            let mut timings = Timings::default();
            if slow {
                timings.add(arguments.seconds, || {
                    std::hint::black_box(FlexibleDistances::of(rig, distance).is_ok());
                });
            }
            bar.inc(1);
            let known = FlexibleDistances::of(rig, distance)?;
            let borders = known.segmentation.boundaries.len();
            let mut out = std::io::stdout().lock();
            if slow {
                print(&mut out, arguments.json, (name, rig, borders), &format!("flexible-distances {kind}"), &timings)?;
            }
            if quick {
                let (mut timings, mut step) = (Timings::default(), 0);
                timings.add(arguments.seconds, || {
                    // Another K each time: nothing can be kept from the last one.
                    step += 1;
                    let options = Options { k: 0.1 + 0.07 * f64::from(step % 20), ..Options::default() };
                    std::hint::black_box(known.weights(&options).is_ok());
                });
                print(&mut out, arguments.json, (name, rig, borders), &format!("flexible-k {kind}"), &timings)?;
            }
            bar.finish_and_clear();
            any = true;
        }
    }
    Ok(any)
}

fn print(
    out: &mut dyn Write,
    as_json: bool,
    (name, rig, borders): (&str, &Rig, usize),
    job: &str,
    timings: &Timings,
) -> Result<()> {
    let (ms, min, vertices) = (timings.median(), timings.min(), rig.mesh.positions.len());
    if as_json {
        let line = json!({
            "peer": "supple", "job": job, "rig": name, "vertices": vertices, "borders": borders, "on": "cpu",
            "threads": rayon::current_num_threads().to_string(), "ms": round(ms, 4), "min_ms": round(min, 4),
            "runs": timings.runs(),
        });
        writeln!(out, "{line}")?;
    } else {
        let rig = format!("{name} {vertices}");
        writeln!(out, "{rig:<22}{job:<30}{ms:>9.3} ms{min:>9.3} ms at best, {borders} borders")?;
    }
    Ok(())
}
