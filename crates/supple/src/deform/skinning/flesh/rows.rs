/// A sparse matrix by rows: which other things each thing takes, and how much of each.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    starts: Vec<u32>,
    items: Vec<(u32, f32)>,
}

impl Rows {
    /// From what each row takes. A row's shares are made to sum to one; a row of nothing stays one.
    pub fn of(lists: &[Vec<(u32, f64)>]) -> Self {
        let mut rows = Self { starts: Vec::with_capacity(lists.len() + 1), items: Vec::new() };
        rows.items.reserve_exact(lists.iter().map(Vec::len).sum());
        rows.starts.push(0);
        for list in lists {
            let sum: f64 = list.iter().map(|(_, share)| share).sum();
            rows.items.extend(list.iter().map(|&(i, share)| (i, (share / sum) as f32)));
            rows.starts.push(rows.items.len() as u32);
        }
        rows
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// What a row takes.
    #[inline(always)]
    pub fn row(&self, i: usize) -> &[(u32, f32)] {
        &self.items[self.starts[i] as usize..self.starts[i + 1] as usize]
    }

    /// What a row makes of values.
    #[inline(always)]
    pub fn blend<const N: usize>(&self, i: usize, value: impl Fn(u32) -> [f32; N]) -> [f32; N] {
        let mut sum = [0.0; N];
        for &(other, share) in self.row(i) {
            let value = value(other);
            for k in 0..N {
                sum[k] += share * value[k];
            }
        }
        sum
    }

    /// Bytes that reading all of it moves.
    pub fn bytes(&self) -> usize {
        self.items.len() * size_of::<(u32, f32)>()
    }
}
