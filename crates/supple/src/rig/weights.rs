/// Who owns a vertex: sparse rows of (joint, weight), any number per vertex. By construction every weight is finite and
/// not negative, every row sums to one, and the joints of a row are distinct, heaviest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    starts: Vec<u32>,
    joints: Vec<u16>,
    values: Vec<f32>,
}

/// What had to be mended while building a table, and the first vertex where it was seen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WeightRepairs {
    /// Rows that held NaN or infinity.
    pub not_finite: Option<(usize, usize)>,
    /// Rows that held a negative weight.
    pub negative: Option<(usize, usize)>,
    /// Rows that were more than 1 % away from summing to one.
    pub not_normalised: Option<(usize, usize)>,
    /// Rows with no weight at all, which got the fallback joint.
    pub bare: Option<(usize, usize)>,
}

impl WeightRepairs {
    /// One clause per kind of repair: how many vertices, and which was the first.
    pub fn clauses(&self) -> Vec<String> {
        let kinds = [
            (self.not_finite, "weights that are not finite (read as zero)"),
            (self.negative, "negative weights (read as zero)"),
            (self.not_normalised, "weights that do not sum to one (normalised)"),
            (self.bare, "no weights (given to the nearest bone)"),
        ];
        let clause = |(seen, what): (Option<(usize, usize)>, &str)| {
            seen.map(|(count, first)| match count {
                1 => format!("vertex {first} has {what}"),
                _ => format!("{count} vertices have {what}, the first is vertex {first}"),
            })
        };
        kinds.into_iter().filter_map(clause).collect()
    }
}

/// Builds a [`Weights`] row by row.
#[derive(Debug, Default)]
pub struct WeightsBuilder {
    starts: Vec<u32>,
    joints: Vec<u16>,
    values: Vec<f32>,
    bare: Vec<u32>,
    row: Vec<(u16, f32)>,
    repairs: WeightRepairs,
}

fn note(seen: &mut Option<(usize, usize)>, vertex: usize) {
    *seen = Some(seen.map_or((1, vertex), |(count, first)| (count + 1, first)));
}

impl WeightsBuilder {
    /// Room for so many vertices with so many influences; a hint, however large.
    pub fn with_capacity(vertices: usize, influences: usize) -> Self {
        let mut starts = Vec::with_capacity(vertices + 1);
        starts.push(0);
        let entries = vertices.saturating_mul(influences.min(8));
        Self { starts, joints: Vec::with_capacity(entries), values: Vec::with_capacity(entries), ..Self::default() }
    }

    /// Adds the next vertex. Repeated joints are summed, zeros dropped, bad numbers read as zero; the row is normalised.
    pub fn push(&mut self, row: impl IntoIterator<Item = (u16, f32)>) {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        let vertex = self.starts.len() - 1;
        self.row.clear();
        let (mut bad, mut negative) = (false, false);
        for (joint, weight) in row {
            bad |= !weight.is_finite();
            negative |= weight < 0.0;
            if !(weight.is_finite() && weight > 0.0) {
                continue;
            }
            match self.row.iter_mut().find(|(j, _)| *j == joint) {
                Some((_, sum)) => *sum += weight,
                None => self.row.push((joint, weight)),
            }
        }
        let sum: f64 = self.row.iter().map(|&(_, w)| f64::from(w)).sum();
        if bad {
            note(&mut self.repairs.not_finite, vertex);
        } else if negative {
            note(&mut self.repairs.negative, vertex);
        }
        if sum > 0.0 && sum.is_finite() {
            if (sum - 1.0).abs() > 0.01 && !bad && !negative {
                note(&mut self.repairs.not_normalised, vertex);
            }
            // Rounding alone is no reason to touch a row: what was normalised once stays as it is, bit for bit.
            let sum = if (sum - 1.0).abs() <= 5e-7 { 1.0 } else { sum };
            self.row.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            for &(joint, weight) in &self.row {
                let weight = (f64::from(weight) / sum) as f32;
                if weight > 0.0 {
                    self.joints.push(joint);
                    self.values.push(weight);
                }
            }
        } else {
            note(&mut self.repairs.bare, vertex);
            self.bare.push(vertex as u32);
            self.joints.push(0);
            self.values.push(1.0);
        }
        self.starts.push(self.joints.len() as u32);
    }

    /// Finishes the table; vertices without any weight belong to the joint that `fallback` names for them.
    pub fn finish(mut self, mut fallback: impl FnMut(usize) -> u16) -> (Weights, WeightRepairs) {
        for &vertex in &self.bare {
            self.joints[self.starts[vertex as usize] as usize] = fallback(vertex as usize);
        }
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        self.joints.shrink_to_fit();
        self.values.shrink_to_fit();
        (Weights { starts: self.starts, joints: self.joints, values: self.values }, self.repairs)
    }
}

impl Weights {
    /// Every vertex belongs wholly to one joint.
    pub fn rigid(joint_of: impl IntoIterator<Item = u16>) -> Self {
        let joints: Vec<u16> = joint_of.into_iter().collect();
        let (starts, values) = ((0..=joints.len() as u32).collect(), vec![1.0; joints.len()]);
        Self { starts, joints, values }
    }

    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// True without vertices.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Total number of entries.
    pub fn entries(&self) -> usize {
        self.joints.len()
    }

    /// The joints and weights of a vertex, heaviest first.
    pub fn row(&self, vertex: usize) -> (&[u16], &[f32]) {
        let range = self.starts[vertex] as usize..self.starts[vertex + 1] as usize;
        (&self.joints[range.clone()], &self.values[range])
    }

    /// The whole table as it lies: where each row starts (and the last ends), joints, weights.
    pub fn arrays(&self) -> (&[u32], &[u16], &[f32]) {
        (&self.starts, &self.joints, &self.values)
    }

    /// The joint that owns most of a vertex.
    pub fn dominant(&self, vertex: usize) -> usize {
        usize::from(self.joints[self.starts[vertex] as usize])
    }

    /// The most influences any vertex has.
    pub fn most_influences(&self) -> usize {
        self.starts.windows(2).map(|w| (w[1] - w[0]) as usize).max().unwrap_or(0)
    }

    /// The largest joint number used.
    pub fn largest_joint(&self) -> Option<u16> {
        self.joints.iter().copied().max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn repairs_are_counted() {
        let mut builder = WeightsBuilder::default();
        builder.push([(0, 0.5), (0, 0.5)]);
        builder.push([(1, f32::NAN), (2, 0.5)]);
        builder.push([(1, -1.0), (2, 1.0)]);
        builder.push([(1, 3.0)]);
        builder.push([]);
        let (weights, repairs) = builder.finish(|_| 7);
        assert_eq!(weights.row(0), (&[0][..], &[1.0][..]));
        assert_eq!(weights.row(4), (&[7][..], &[1.0][..]));
        assert_eq!(repairs.not_finite, Some((1, 1)));
        assert_eq!(repairs.negative, Some((1, 2)));
        assert_eq!(repairs.not_normalised, Some((1, 3)));
        assert_eq!(repairs.bare, Some((1, 4)));
        assert_eq!(repairs.clauses().len(), 4);
    }

    proptest! {
        #[test]
        fn rows_always_sum_to_one(rows in prop::collection::vec(prop::collection::vec((0u16..9, prop::num::f32::ANY), 0..12), 1..20)) {
            let mut builder = WeightsBuilder::default();
            for row in &rows {
                builder.push(row.iter().copied());
            }
            let (weights, _) = builder.finish(|_| 0);
            prop_assert_eq!(weights.len(), rows.len());
            for v in 0..weights.len() {
                let (joints, values) = weights.row(v);
                prop_assert!((values.iter().map(|&w| f64::from(w)).sum::<f64>() - 1.0).abs() < 1e-6);
                prop_assert!(values.iter().all(|w| w.is_finite() && *w > 0.0));
                prop_assert!(values.windows(2).all(|w| w[0] >= w[1]));
                let distinct: std::collections::HashSet<_> = joints.iter().collect();
                prop_assert_eq!(distinct.len(), joints.len());
            }
        }
    }
}
