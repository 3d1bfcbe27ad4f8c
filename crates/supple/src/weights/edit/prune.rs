use super::{EditError, EditReport, row, setting};
use crate::rig::Weights;

/// What is too little to keep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PruneOptions {
    /// Weights below this go; at least the heaviest of each vertex stays.
    pub below: f64,
}

impl Default for PruneOptions {
    fn default() -> Self {
        Self { below: 0.01 }
    }
}

/// Drops small weights, which cost time and hold distant joints to the skin.
pub fn prune(weights: &Weights, options: &PruneOptions) -> Result<(Weights, EditReport), EditError> {
    let below = options.below;
    setting("below", below, (0.0..=1.0).contains(&below), "0 to 1 are possible")?;
    let keep = |vertex: usize| -> row::Row {
        let (joints, values) = weights.row(vertex);
        let large = |(at, (_, w)): &(usize, (&u16, &f32))| *at == 0 || f64::from(**w) >= below;
        let kept = joints.iter().zip(values).enumerate().filter(large).map(|(_, (&j, &w))| (j, f64::from(w)));
        let mut row: row::Row = kept.collect();
        if row.len() < joints.len() {
            row::settle(&mut row, 0.0);
        }
        row
    };
    let pruned = row::table((0..weights.len()).map(keep), |_| 0);
    let report = EditReport::between(weights, &pruned);
    Ok((pruned, report))
}
