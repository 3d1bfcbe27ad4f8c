use super::round;
use crate::statistics::Timings;
use anyhow::Result;
use serde_json::json;
use std::{io::Write, time::Instant};
use supple::{
    rig::{Mesh, Rig, Skeleton},
    weights::{HeatOptions, heat},
};

/// A row that makes weights instead of using them; once a round, since it takes as long as hundreds of frames.
pub struct HeatRow {
    rig: String,
    mesh: Mesh,
    skeleton: Skeleton,
    timings: Timings,
}

impl HeatRow {
    pub fn of(name: &str, rig: &Rig, filter: &str) -> Option<Self> {
        let wanted = format!("{name} heat").contains(filter) && !rig.mesh.triangles.is_empty();
        wanted.then(|| Self {
            rig: name.to_owned(),
            mesh: rig.mesh.clone(),
            skeleton: rig.skeleton.clone(),
            timings: Timings::default(),
        })
    }

    pub fn time(&mut self) {
        let start = Instant::now();
        if std::hint::black_box(heat(&self.mesh, &self.skeleton, &HeatOptions::default())).is_ok() {
            self.timings.push(start.elapsed().as_secs_f64() * 1e3);
        }
    }
}

pub fn print(rows: &[HeatRow], as_json: bool) -> Result<()> {
    let mut out = std::io::stdout().lock();
    if !as_json && !rows.is_empty() {
        writeln!(out, "{:<22}{:<17}{:<9}{:>9}{:>9}", "rig", "weights", "on", "ms", "min ms")?;
    }
    for row in rows {
        let (vertices, ms, min) = (row.mesh.positions.len(), row.timings.median(), row.timings.min());
        if as_json {
            let line = json!({
                "peer": "supple", "job": "bone_heat_auto_weights", "method": "heat", "rig": row.rig, "vertices": vertices,
                "on": "cpu", "threads": rayon::current_num_threads().to_string(), "ms": round(ms, 4),
                "min_ms": round(min, 4), "runs": row.timings.runs(),
            });
            writeln!(out, "{line}")?;
        } else {
            writeln!(out, "{:<22}{:<17}{:<9}{ms:>9.3}{min:>9.3}", format!("{} {vertices}", row.rig), "heat", "cpu")?;
        }
    }
    Ok(())
}
