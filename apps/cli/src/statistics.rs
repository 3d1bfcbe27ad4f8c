//! Medians of repeated timings, and how fast memory is.

use std::time::Instant;

/// Timings of one row, in milliseconds.
#[derive(Clone, Debug, Default)]
pub struct Timings(Vec<f64>);

impl Timings {
    /// Runs and times `work` until about `seconds` have gone by, at least three times.
    pub fn add(&mut self, seconds: f64, mut work: impl FnMut()) {
        let begin = Instant::now();
        let mut runs = 0;
        while runs < 3 || begin.elapsed().as_secs_f64() < seconds {
            let start = Instant::now();
            work();
            self.0.push(start.elapsed().as_secs_f64() * 1e3);
            runs += 1;
        }
    }

    /// Adds one timing taken elsewhere, in milliseconds.
    pub fn push(&mut self, milliseconds: f64) {
        self.0.push(milliseconds);
    }

    pub fn runs(&self) -> usize {
        self.0.len()
    }

    pub fn median(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
    }

    pub fn min(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// Bytes a second that this machine reads and writes when it does nothing else, on the threads in use: the best of
/// several sweeps of `to[i] = from[i]` over `bytes` of memory in all, as much as the work under test touches.
pub fn bandwidth(bytes: usize) -> f64 {
    use rayon::prelude::*;
    let words = (bytes / 16).max(1024);
    let from: Vec<u64> = (0..words as u64).collect();
    let mut to = vec![0u64; words];
    let mut best = f64::INFINITY;
    for _ in 0..40 {
        let start = Instant::now();
        to.par_chunks_mut(16 * 1024).zip(from.par_chunks(16 * 1024)).for_each(|(to, from)| to.copy_from_slice(from));
        best = best.min(start.elapsed().as_secs_f64());
        std::hint::black_box(&mut to);
    }
    (words * 16) as f64 / best
}
