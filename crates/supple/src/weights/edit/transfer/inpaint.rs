//! Weights between vertices that have them: the smoothest continuation over the surface.

use super::super::row::Row;
use crate::{
    rig::RestSurface,
    solve::{Cholesky, Laplacian, SolveError, Symmetric},
};

/// Joints solved for together; more would cost memory and win nothing.
const TOGETHER: usize = 16;
/// How strongly a point is drawn to where it would otherwise be, against the stiffness round it: enough to tie down what
/// hangs on nothing, too little to see.
const TETHER: f64 = 1e-8;
/// Continuations swing round zero far from their origin; what is below this is not meant.
const LEAST: f64 = 2e-3;

/// Changes the rows of the points that are not `known`; they hold a first guess.
///
/// Minimises Σ wᵀ Q w, Q = L + L M⁻¹ L, over each joint's weights with the known ones held (Abdrashitov et al. 2023,
/// eq. 1), then cuts below zero and normalises. M is measured in the whole area, so that scale does not matter.
pub(super) fn inpaint(surface: &RestSurface<'_>, known: &[bool], rows: &mut [Row]) -> Result<(), SolveError> {
    let topology = surface.topology();
    let unknown: Vec<u32> = (0..topology.points() as u32).filter(|&p| !known[p as usize]).collect();
    if unknown.is_empty() {
        return Ok(());
    }
    let mut number = vec![u32::MAX; topology.points()];
    (0u32..).zip(&unknown).for_each(|(n, &p)| number[p as usize] = n);
    let energy = Energy::of(surface.laplacian());
    let (mut diagonal, mut off, mut held) = (vec![0.0; unknown.len()], Vec::new(), Vec::new());
    for (n, &point) in (0u32..).zip(&unknown) {
        for (other, value) in energy.row(point as usize) {
            match number[other as usize] {
                u32::MAX => held.push((n, other, value)),
                m if m == n => diagonal[n as usize] = value,
                m if m > n => off.push(([n, m], value)),
                _ => {}
            }
        }
    }
    let largest = diagonal.iter().copied().fold(0.0, f64::max);
    let tether: Vec<f64> = diagonal.iter().map(|d| TETHER * if *d > 0.0 { *d } else { largest.max(1.0) }).collect();
    let factor = Cholesky::of(&Symmetric::new(&diagonal, off).plus_diagonal(&tether))?;

    let mut joints: Vec<u16> = rows.iter().flatten().map(|e| e.0).collect();
    joints.sort_unstable();
    joints.dedup();
    let weight = |row: &Row, joint: u16| row.binary_search_by_key(&joint, |e| e.0).map_or(0.0, |at| row[at].1);
    let mut solved = vec![Row::new(); unknown.len()];
    for some in joints.chunks(TOGETHER) {
        let mut columns = Vec::with_capacity(some.len() * unknown.len());
        for &joint in some {
            let first = columns.len();
            let guess = |(n, &p): (usize, &u32)| tether[n] * weight(&rows[p as usize], joint);
            columns.extend(unknown.iter().enumerate().map(guess));
            for &(n, other, value) in &held {
                columns[first + n as usize] -= value * weight(&rows[other as usize], joint);
            }
        }
        factor.solve(&mut columns);
        for (&joint, column) in some.iter().zip(columns.chunks(unknown.len())) {
            for (row, &w) in solved.iter_mut().zip(column) {
                if w > LEAST {
                    row.push((joint, w));
                }
            }
        }
    }
    for (&point, mut row) in unknown.iter().zip(solved) {
        super::super::row::settle(&mut row, 0.0);
        if !row.is_empty() {
            rows[point as usize] = row;
        }
    }
    Ok(())
}

/// Q, row by row.
struct Energy {
    stiffness: Vec<Vec<(u32, f64)>>,
    lightness: Vec<f64>,
}

impl Energy {
    fn of(laplacian: &Laplacian) -> Self {
        let points = laplacian.mass.len();
        let mut stiffness = vec![Vec::new(); points];
        for column in 0..points {
            let (rows, values) = laplacian.stiffness.column(column);
            for (&row, &value) in rows.iter().zip(values).filter(|(_, v)| v.is_finite()) {
                stiffness[column].push((row, value));
                if row as usize != column {
                    stiffness[row as usize].push((column as u32, value));
                }
            }
        }
        let sound = |m: &&f64| m.is_finite() && **m > 0.0;
        let whole: f64 = laplacian.mass.iter().filter(sound).sum();
        // A point of slivers has next to no mass, and would outweigh all others.
        let floor = 1e-3 * whole / points as f64;
        let heavy = |m: &f64| if sound(&m) { m.max(floor) } else { floor };
        let lightness = laplacian.mass.iter().map(|m| if whole > 0.0 { whole / heavy(m) } else { 1.0 }).collect();
        Self { stiffness, lightness }
    }

    /// The entries of a row, ascending.
    fn row(&self, point: usize) -> Vec<(u32, f64)> {
        let mut entries = self.stiffness[point].clone();
        for &(middle, value) in &self.stiffness[point] {
            let value = value * self.lightness[middle as usize];
            entries.extend(self.stiffness[middle as usize].iter().map(|&(other, v)| (other, value * v)));
        }
        entries.sort_by_key(|e| e.0);
        let mut sums: Vec<(u32, f64)> = Vec::with_capacity(entries.len());
        for (other, value) in entries {
            match sums.last_mut().filter(|l| l.0 == other) {
                Some(last) => last.1 += value,
                None => sums.push((other, value)),
            }
        }
        sums
    }
}
