use super::round;
use crate::statistics::Timings;
use anyhow::Result;
use serde_json::json;
use std::{io::Write, time::Instant};
use supple::{
    deform::implicit::{Implicit, JointSettings, Volume},
    rig::Rig,
};

/// Rows that make the volumes of implicit skinning: all of a rig, and the largest alone after one of its samples was taken
/// away, which must be quick enough for a hand on a slider.
pub struct VolumesRow {
    name: String,
    rig: Rig,
    volume: Volume,
    edited: Implicit,
    limb: u16,
    all: Option<Timings>,
    one: Option<Timings>,
}

const ALL: &str = "fit all limbs";
const ONE: &str = "refit one limb";

impl VolumesRow {
    pub fn of(name: &str, rig: &Rig, filter: &str) -> Option<Self> {
        let asked = |row: &str| format!("{name} implicit {row}").contains(filter).then(Timings::default);
        let (all, one) = (asked(ALL), asked(ONE));
        if all.is_none() && one.is_none() {
            return None;
        }
        let volume = Implicit::default().volume(rig).ok()?;
        let limbs = (0u16..).zip(&volume.body.limbs);
        let (limb, largest) = limbs.max_by_key(|(_, l)| (l.samples.len(), l.limb.triangles.len()))?;
        let own = JointSettings { remove: vec![0.into()], ..Default::default() };
        let joint = rig.skeleton.joints()[largest.limb.joint].name.clone();
        let edited = Implicit { joints: [(joint, own)].into(), ..Default::default() };
        Some(Self { name: name.to_owned(), rig: rig.clone(), volume, edited, limb, all, one })
    }

    pub fn time(&mut self) {
        let timed = |work: &mut dyn FnMut() -> bool, timings: &mut Timings| {
            let start = Instant::now();
            if std::hint::black_box(work()) {
                timings.push(start.elapsed().as_secs_f64() * 1e3);
            }
        };
        let (rig, volume, edited) = (&self.rig, &mut self.volume, &self.edited);
        if let Some(timings) = &mut self.all {
            timed(&mut || Implicit::default().volume(rig).is_ok(), timings);
        }
        if let Some(timings) = &mut self.one {
            timed(&mut || edited.refit(rig, volume, self.limb) == Ok(true), timings);
        }
    }
}

pub fn print(rows: &[VolumesRow], as_json: bool) -> Result<()> {
    let mut out = std::io::stdout().lock();
    if !as_json && !rows.is_empty() {
        writeln!(out, "{:<22}{:<17}{:<9}{:>9}{:>9}{:>9}", "rig", "volumes", "on", "limbs", "ms", "min ms")?;
    }
    for row in rows {
        let (vertices, limbs) = (row.rig.mesh.positions.len(), row.volume.body.limbs.len());
        for (job, limbs, timings) in [(ALL, limbs, &row.all), (ONE, 1, &row.one)] {
            let Some(timings) = timings else { continue };
            let (ms, min) = (timings.median(), timings.min());
            if as_json {
                let line = json!({
                    "peer": "supple", "job": job, "method": "implicit", "rig": row.name, "vertices": vertices, "on": "cpu",
                    "limbs": limbs, "threads": rayon::current_num_threads().to_string(), "ms": round(ms, 4),
                    "min_ms": round(min, 4), "runs": timings.runs(),
                });
                writeln!(out, "{line}")?;
            } else {
                let rig = format!("{} {vertices}", row.name);
                writeln!(out, "{rig:<22}{job:<17}{:<9}{limbs:>9}{ms:>9.3}{min:>9.3}", "cpu")?;
            }
        }
    }
    Ok(())
}
