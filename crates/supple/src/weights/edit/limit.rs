use super::{EditError, EditReport, row};
use crate::rig::Weights;

/// How many joints may own a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitOptions {
    /// The most a vertex keeps.
    pub influences: usize,
    /// What the first joint left out has is taken from all that stay, so that a joint fades before it goes.
    pub continuous: bool,
}

impl Default for LimitOptions {
    fn default() -> Self {
        Self { influences: 4, continuous: false }
    }
}

/// Keeps the heaviest joints of each vertex.
///
/// The plain cut jumps where the last joint kept and the first left out change places. The continuous one takes
/// w' = max(0, w - w_(n+1)) / Σ: rows that fit are as they were, and a small change of a row makes a small change of the
/// result. No rule can do so everywhere (it would draw a triangle onto its edges without tearing it): this one jumps
/// only where the n + 1 heaviest are all alike.
pub fn limit(weights: &Weights, options: &LimitOptions) -> Result<(Weights, EditReport), EditError> {
    let most = options.influences;
    if most == 0 {
        return Err(EditError::Setting { setting: "influences", value: "0".into(), range: "1 or more are possible" });
    }
    let cut = |vertex: usize| -> row::Row {
        let (joints, values) = weights.row(vertex);
        let kept = joints.iter().zip(values).take(most);
        let rest = values.get(most).map_or(0.0, |&w| f64::from(w));
        let faded = |off: f64| kept.clone().map(|(&j, &w)| (j, f64::from(w) - off)).collect();
        let mut row: row::Row = faded(if options.continuous { rest } else { 0.0 });
        if row.iter().all(|e| e.1 <= 0.0) {
            row = faded(0.0);
        }
        if joints.len() > most {
            row::settle(&mut row, 0.0);
        }
        row
    };
    let limited = row::table((0..weights.len()).map(cut), |_| 0);
    let report = EditReport::between(weights, &limited);
    Ok((limited, report))
}
