use super::{Symmetric, dissection};
use crate::parallel;
use faer::{
    Conj, MatMut, Par, Side,
    dyn_stack::{MemBuffer, MemStack},
    perm::PermRef,
    sparse::{
        SparseColMatRef, SymbolicSparseColMatRef,
        linalg::cholesky::{LltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky},
    },
};
use glam::Vec3;
use thiserror::Error;

/// Columns solved together: the factor is read once for all of them.
const TOGETHER: usize = 8;

/// Entries of the factor for each unknown, at the most, where the unknowns lie on a surface. A body of 214,050 points has 87, and
/// they grow with the logarithm of the number of points; of triangles that join any points with any others each joins all.
const MOST_EACH_ON_SURFACE: usize = 256;
/// The same for systems that are no surfaces: those of second derivatives join neighbours of neighbours too.
const MOST_EACH: usize = 1024;
/// So many entries, 32 MB, are never too many.
const MOST_OF_SMALL: usize = 1 << 22;

/// Why a system cannot be solved.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SolveError {
    /// Some direction has no stiffness at all, or a number is not finite.
    #[error("the system of {size} unknowns is not positive definite: a part of it is tied to nothing")]
    NotPositive {
        /// Unknowns.
        size: usize,
    },
    /// Elimination joins far more unknowns than it does on a surface.
    #[error(
        "the factor of {size} unknowns has {entries} entries, more than {most}: it joins everything with everything"
    )]
    Filled {
        /// Unknowns.
        size: usize,
        /// Entries of the factor.
        entries: usize,
        /// Entries that it may have.
        most: usize,
    },
    /// The factor does not fit.
    #[error("the factor of {size} unknowns does not fit into memory")]
    TooLarge {
        /// Unknowns.
        size: usize,
    },
}

/// A = L Lᵀ: factored once, solved for many right-hand sides. The order of elimination depends on the pattern alone, so
/// a matrix with the same pattern can be factored again without looking for it.
pub struct Cholesky {
    symbolic: SymbolicCholesky<u32>,
    values: Vec<f64>,
}

impl Cholesky {
    /// Factors a matrix.
    pub fn of(matrix: &Symmetric) -> Result<Self, SolveError> {
        Self::ordered(matrix, SymmetricOrdering::Amd, MOST_EACH)
    }

    /// Factors a matrix whose unknowns lie on a surface, and whose entries join near ones: where they lie tells an order of
    /// elimination faster than the pattern does. The factor is somewhat larger, which few solves do not notice.
    pub fn on_surface(matrix: &Symmetric, places: &[Vec3]) -> Result<Self, SolveError> {
        let order = dissection::order(matrix, places);
        let mut inverse = vec![0; order.len()];
        (0u32..).zip(&order).for_each(|(new, &old)| inverse[old as usize] = new);
        let order = PermRef::new_checked(&order, &inverse, inverse.len());
        Self::ordered(matrix, SymmetricOrdering::Custom(order), MOST_EACH_ON_SURFACE)
    }

    /// With `each` entries for each unknown at the most.
    fn ordered(matrix: &Symmetric, order: SymmetricOrdering<'_, u32>, each: usize) -> Result<Self, SolveError> {
        let (starts, rows, _) = matrix.parts();
        let size = matrix.len();
        let pattern = SymbolicSparseColMatRef::new_checked(size, size, starts, None, rows);
        let symbolic = factorize_symbolic_cholesky(pattern, Side::Lower, order, Default::default())
            .map_err(|_| SolveError::TooLarge { size })?;
        // The pattern tells before anything of that size is taken.
        let (entries, most) = (symbolic.len_val(), MOST_OF_SMALL.max(size.saturating_mul(each)));
        if entries > most {
            return Err(SolveError::Filled { size, entries, most });
        }
        let mut factor = Self { symbolic, values: Vec::new() };
        factor.refactor(matrix)?;
        Ok(factor)
    }

    /// Factors a matrix with the same pattern.
    pub fn refactor(&mut self, matrix: &Symmetric) -> Result<(), SolveError> {
        let (starts, rows, values) = matrix.parts();
        let size = matrix.len();
        assert_eq!(size, self.symbolic.nrows(), "another matrix than the one whose pattern is known");
        let full = SparseColMatRef::new(SymbolicSparseColMatRef::new_checked(size, size, starts, None, rows), values);
        self.values.clear();
        let too_large = SolveError::TooLarge { size };
        self.values.try_reserve_exact(self.symbolic.len_val()).map_err(|_| too_large.clone())?;
        self.values.resize(self.symbolic.len_val(), 0.0);
        let scratch = self.symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default());
        let mut memory = MemBuffer::try_new(scratch).map_err(|_| too_large)?;
        self.symbolic
            .factorize_numeric_llt::<f64>(
                &mut self.values,
                full,
                Side::Lower,
                Default::default(),
                Par::Seq,
                MemStack::new(&mut memory),
                Default::default(),
            )
            .map_err(|_| SolveError::NotPositive { size })?;
        // A NaN passes every comparison of the factorisation unseen.
        if self.values.iter().any(|v| !v.is_finite()) {
            return Err(SolveError::NotPositive { size });
        }
        Ok(())
    }

    /// Number of unknowns.
    pub fn size(&self) -> usize {
        self.symbolic.nrows()
    }

    /// Solves in place for any number of right-hand sides, one after another in `columns`.
    pub fn solve(&self, columns: &mut [f64]) {
        let size = self.size();
        if size == 0 {
            return;
        }
        assert_eq!(columns.len() % size, 0, "whole right-hand sides");
        let factor = LltRef::new(&self.symbolic, &self.values);
        parallel::for_each_block(columns, size * TOGETHER, |_, block| {
            let count = block.len() / size;
            let mut memory = MemBuffer::new(self.symbolic.solve_in_place_scratch::<f64>(count, Par::Seq));
            let block = MatMut::from_column_major_slice_mut(block, size, count);
            factor.solve_in_place_with_conj(Conj::No, block, Par::Seq, MemStack::new(&mut memory));
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(ends: f64) -> Symmetric {
        let mut diagonal = vec![2.0; 50];
        (diagonal[0], diagonal[49]) = (1.0 + ends, 1.0 + ends);
        Symmetric::new(&diagonal, (0..49).map(|i| ([i, i + 1], -1.0)).collect())
    }

    #[test]
    fn many_right_hand_sides_are_solved() {
        let matrix = chain(1.0);
        let truth: Vec<f64> = (0..50 * 19).map(|i| (i as f64 * 0.7).sin()).collect();
        let mut columns: Vec<f64> = truth.chunks(50).flat_map(|x| matrix.times(x)).collect();
        let factor = Cholesky::of(&matrix).unwrap();
        factor.solve(&mut columns);
        for (x, truth) in columns.iter().zip(&truth) {
            assert!((x - truth).abs() < 1e-10);
        }
    }

    #[test]
    fn a_system_tied_to_nothing_is_refused() {
        let loose = Symmetric::new(&[1.0, 1.0, 0.0], vec![([0, 1], -1.0)]);
        assert_eq!(Cholesky::of(&loose).err(), Some(SolveError::NotPositive { size: 3 }));
        let bad = Symmetric::new(&[1.0, f64::NAN], vec![([0, 1], 0.1)]);
        assert_eq!(Cholesky::of(&bad).err(), Some(SolveError::NotPositive { size: 2 }));
    }

    #[test]
    fn factoring_again_takes_the_new_values() {
        let mut factor = Cholesky::of(&chain(1.0)).unwrap();
        factor.refactor(&chain(2.0)).unwrap();
        let mut x = chain(2.0).times(&[3.0; 50]);
        factor.solve(&mut x);
        assert!(x.iter().all(|x| (x - 3.0).abs() < 1e-10));
    }

    #[test]
    fn a_factor_that_would_be_all_but_dense_is_refused_by_its_pattern() {
        // A ring of which each point is joined with two far ones.
        let size = 20_000u32;
        let far = |i: u32, k: u32| (i.wrapping_mul(2_654_435_761).wrapping_add(k.wrapping_mul(40_503)) >> 7) % size;
        let edges = (0..size).flat_map(|i| [(i + 1) % size, far(i, 1), far(i, 2)].map(|j| ([i, j], -0.1)));
        let soup = Symmetric::new(&vec![9.0; size as usize], edges.filter(|([i, j], _)| i != j).collect());
        let error = Cholesky::of(&soup).err().expect("refused");
        assert!(matches!(error, SolveError::Filled { entries, most, .. } if most < entries), "{error}");
        assert!(error.to_string().starts_with("the factor of 20000 unknowns has "), "{error}");
    }

    #[test]
    fn nothing_to_solve_is_solved() {
        Cholesky::of(&Symmetric::new(&[], Vec::new())).unwrap().solve(&mut []);
    }
}
