use crate::solve::Laplacian;

/// No number yet.
const NONE: u32 = u32::MAX;
/// Among the first points, and not numbered yet.
const WAITING: u32 = NONE - 1;

/// The walk W = 1 - D⁻¹ L, D = diag L: how much of a point's mean each neighbour has. Rows sum to one.
pub(super) struct Walk {
    starts: Vec<u32>,
    to: Vec<u32>,
    share: Vec<f64>,
}

/// Some points and what lies round them, numbered ring by ring, with the walk between them.
pub(super) struct Patch {
    /// The points, ring by ring.
    pub points: Vec<u32>,
    /// How many points lie within each number of rings.
    ends: Vec<usize>,
    /// The walk over numbers of the patch, twice: that is how it is used.
    pub twice: Walk,
}

impl Walk {
    /// Over a surface.
    pub fn over(laplacian: &Laplacian) -> Self {
        let stiffness = &laplacian.stiffness;
        let size = stiffness.len();
        let joined = || {
            (0..size).flat_map(|column| {
                let (rows, values) = stiffness.column(column);
                // A weight of zero joins nothing.
                let off = rows[1..].iter().zip(&values[1..]).filter(|(_, v)| **v < 0.0);
                off.map(move |(&row, &value)| (column as u32, row, -value))
            })
        };
        let diagonal = stiffness.diagonal();
        let alone = |point: usize| diagonal[point] <= 0.0;
        let mut starts = vec![0u32; size + 1];
        for (a, b, _) in joined() {
            starts[a as usize + 1] += 1;
            starts[b as usize + 1] += 1;
        }
        for point in 0..size {
            // A point without neighbours has nothing to be smoothed with, and keeps what it has.
            starts[point + 1] += starts[point] + u32::from(alone(point));
        }
        let mut next = starts.clone();
        let mut walk = Self { to: vec![0; starts[size] as usize], share: vec![0.0; starts[size] as usize], starts };
        let mut join = |from: u32, to: u32, share: f64| {
            let slot = &mut next[from as usize];
            (walk.to[*slot as usize], walk.share[*slot as usize]) = (to, share);
            *slot += 1;
        };
        for (a, b, weight) in joined() {
            join(a, b, weight / diagonal[a as usize]);
            join(b, a, weight / diagonal[b as usize]);
        }
        (0..size).filter(|&p| alone(p)).for_each(|p| join(p as u32, p as u32, 1.0));
        walk
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The neighbours of a point and how much of its mean each has.
    #[inline(always)]
    pub fn row(&self, point: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        let range = self.starts[point] as usize..self.starts[point + 1] as usize;
        self.to[range.clone()].iter().copied().zip(self.share[range].iter().copied())
    }

    /// The points `first` and so many rings round them.
    pub fn patch(&self, first: impl Iterator<Item = u32> + Clone, rings: usize) -> Patch {
        let mut number = vec![NONE; self.len()];
        let mut points = Vec::new();
        first.clone().for_each(|point| number[point as usize] = WAITING);
        let mut done = 0;
        for point in first {
            take(&mut number, &mut points, point, WAITING);
            // Neighbours next to one another: they are read together, over and over.
            while done < points.len() {
                self.row(points[done] as usize).for_each(|(to, _)| take(&mut number, &mut points, to, WAITING));
                done += 1;
            }
        }
        let mut ends = vec![points.len()];
        let mut ring = 0..points.len();
        while ends.len() <= rings && !ring.is_empty() {
            for i in ring.clone() {
                self.row(points[i] as usize).for_each(|(to, _)| take(&mut number, &mut points, to, NONE));
            }
            ring = ring.end..points.len();
            ends.push(points.len());
        }
        let mut twice = Self { starts: Vec::with_capacity(points.len() + 1), to: Vec::new(), share: Vec::new() };
        twice.starts.push(0);
        for &point in &points {
            for (to, share) in self.row(point as usize).filter(|(to, _)| number[*to as usize] != NONE) {
                twice.to.push(number[to as usize]);
                twice.share.push(2.0 * share);
            }
            twice.starts.push(twice.to.len() as u32);
        }
        Patch { points, ends, twice }
    }
}

impl Patch {
    /// How many points lie within so many rings.
    pub fn within(&self, rings: usize) -> usize {
        self.ends[rings.min(self.ends.len() - 1)]
    }
}

/// Gives a point the next number where it stands as it should.
fn take(number: &mut [u32], points: &mut Vec<u32>, point: u32, state: u32) {
    if number[point as usize] == state {
        number[point as usize] = points.len() as u32;
        points.push(point);
    }
}
