/// A sparse symmetric matrix: its lower triangle by columns, each column with its diagonal first and then its rows
/// ascending.
#[derive(Clone, Debug, PartialEq)]
pub struct Symmetric {
    starts: Vec<u32>,
    rows: Vec<u32>,
    values: Vec<f64>,
}

impl Symmetric {
    /// From a diagonal and entries off it. An entry counts for both sides; repeated ones are summed; an entry that names
    /// one index twice is left out, because an edge from a point to itself joins nothing.
    pub fn new(diagonal: &[f64], mut off: Vec<([u32; 2], f64)>) -> Self {
        for ([a, b], _) in &mut off {
            if a > b {
                std::mem::swap(a, b);
            }
        }
        off.retain(|([a, b], _)| a != b);
        // Stable: repeated entries are summed in the order they were given, on every machine.
        if !off.is_sorted_by_key(|(pair, _)| *pair) {
            off.sort_by_key(|(pair, _)| *pair);
        }
        let mut matrix = Self {
            starts: Vec::with_capacity(diagonal.len() + 1),
            rows: Vec::with_capacity(diagonal.len() + off.len()),
            values: Vec::with_capacity(diagonal.len() + off.len()),
        };
        let mut off = off.into_iter().peekable();
        for (column, &value) in (0u32..).zip(diagonal) {
            matrix.starts.push(matrix.rows.len() as u32);
            matrix.rows.push(column);
            matrix.values.push(value);
            while let Some(([_, row], value)) = off.next_if(|([a, _], _)| *a == column) {
                if *matrix.rows.last().expect("the diagonal is there") == row {
                    *matrix.values.last_mut().expect("as long as rows") += value;
                } else {
                    matrix.rows.push(row);
                    matrix.values.push(value);
                }
            }
        }
        matrix.starts.push(matrix.rows.len() as u32);
        matrix
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// True without rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The diagonal.
    pub fn diagonal(&self) -> Vec<f64> {
        self.starts[..self.len()].iter().map(|&s| self.values[s as usize]).collect()
    }

    /// The same matrix with something added to its diagonal.
    pub fn plus_diagonal(&self, added: &[f64]) -> Self {
        let mut sum = self.clone();
        for (&start, &value) in self.starts.iter().zip(added) {
            sum.values[start as usize] += value;
        }
        sum
    }

    /// Every entry times a number.
    pub fn scaled(&self, factor: f64) -> Self {
        Self { values: self.values.iter().map(|v| v * factor).collect(), ..self.clone() }
    }

    /// The rows and values of a column below its diagonal, which comes first.
    pub fn column(&self, column: usize) -> (&[u32], &[f64]) {
        let range = self.starts[column] as usize..self.starts[column + 1] as usize;
        (&self.rows[range.clone()], &self.values[range])
    }

    /// The product with a vector.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        let mut y = vec![0.0; self.len()];
        for column in 0..self.len() {
            let (rows, values) = self.column(column);
            y[column] += values[0] * x[column];
            for (&row, &value) in rows[1..].iter().zip(&values[1..]) {
                y[row as usize] += value * x[column];
                y[column] += value * x[row as usize];
            }
        }
        y
    }

    pub(super) fn parts(&self) -> (&[u32], &[u32], &[f64]) {
        (&self.starts, &self.rows, &self.values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_of_an_entry_count_and_repeats_are_summed() {
        let matrix = Symmetric::new(&[2.0, 3.0, 4.0], vec![([2, 0], 1.0), ([0, 2], 0.5), ([1, 1], 9.0)]);
        assert_eq!(matrix.times(&[1.0, 10.0, 100.0]), [152.0, 30.0, 401.5]);
        assert_eq!(matrix.diagonal(), [2.0, 3.0, 4.0]);
        assert_eq!(matrix.plus_diagonal(&[1.0; 3]).scaled(2.0).times(&[1.0, 0.0, 0.0]), [6.0, 0.0, 3.0]);
    }
}
