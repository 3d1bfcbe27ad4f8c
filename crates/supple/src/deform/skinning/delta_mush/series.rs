//! What several steps of implicit smoothing do at once, as a short sum of Chebyshev polynomials of the walk that goes from each
//! point to a neighbour: s steps are (1 + λ (1 - W))^-s, and the eigenvalues of W lie from -1 to 1 whatever the mesh.

use std::f64::consts::PI;

/// Largest error of the sum, where the function it stands for is one at most. Every joint's moments come of the same sum, which
/// keeps constants, so that this is an error of how far smoothing reaches: far below what single precision keeps of moments.
const ERROR: f64 = 1e-9;

/// (1 + λ (1 - z))^-s = Σ c_k T_k(z).
pub(super) struct Series {
    /// c_k; they sum to one, so that constants are kept.
    pub terms: Vec<f64>,
}

impl Series {
    /// `strength` is λ and `steps` are s.
    pub fn of(strength: f64, steps: u32) -> Self {
        let mut nodes = 64;
        let mut terms = transformed(strength, steps, nodes);
        while !is_close(&terms) {
            nodes *= 2;
            terms = transformed(strength, steps, nodes);
        }
        terms.truncate(shortest(&terms, ERROR));
        let sum: f64 = terms.iter().sum();
        terms.iter_mut().for_each(|c| *c /= sum);
        Self { terms }
    }

    /// How many rings away less than `share` of anything is felt.
    pub fn reach(&self, share: f64) -> usize {
        shortest(&self.terms, share)
    }
}

/// Chebyshev coefficients by interpolation at the roots of the polynomial of degree `nodes`.
fn transformed(strength: f64, steps: u32, nodes: usize) -> Vec<f64> {
    let cosines: Vec<f64> = (0..4 * nodes).map(|i| (PI * i as f64 / (2 * nodes) as f64).cos()).collect();
    let power = |j: usize| (1.0 + strength * (1.0 - cosines[2 * j + 1])).powi(-(steps as i32));
    let values: Vec<f64> = (0..nodes).map(power).collect();
    let term = |k: usize| {
        let sum: f64 = (0..nodes).map(|j| values[j] * cosines[k * (2 * j + 1) % (4 * nodes)]).sum();
        sum * if k == 0 { 1.0 } else { 2.0 } / nodes as f64
    };
    (0..nodes).map(term).collect()
}

/// Whether the nodes were close enough: the later half of the terms counts for nothing, so that what the nodes cannot tell apart
/// is smaller still, and the peak between the last node and 1 was not overlooked.
fn is_close(terms: &[f64]) -> bool {
    let later: f64 = terms[terms.len() / 2..].iter().map(|c| c.abs()).sum();
    let peak: f64 = terms.iter().sum();
    later + (peak - 1.0).abs() < ERROR / 10.0
}

/// The fewest terms, and one at least, without whose rest less than `error` is lost.
fn shortest(terms: &[f64], error: f64) -> usize {
    let mut rest = 0.0;
    let kept = terms.iter().rposition(|c| {
        rest += c.abs();
        rest > error
    });
    kept.map_or(1, |last| last + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_the_function_over_the_whole_range_whatever_the_settings() {
        for (strength, steps) in [(0.0, 6), (8.0, 0), (8.0, 6), (1.0, 6), (1000.0, 1), (30.0, 20), (1000.0, 100)] {
            let series = Series::of(strength, steps);
            for i in 0..=1000 {
                let angle = PI * f64::from(i) / 1000.0;
                let sum: f64 = (0..).zip(&series.terms).map(|(k, c)| c * (f64::from(k) * angle).cos()).sum();
                let truth = (1.0 + strength * (1.0 - angle.cos())).powi(-(steps as i32));
                assert!((sum - truth).abs() < 3.0 * ERROR, "{strength}, {steps} at {angle}: {sum}, {truth}");
            }
        }
        assert_eq!(Series::of(8.0, 0).terms, [1.0]);
    }
}
