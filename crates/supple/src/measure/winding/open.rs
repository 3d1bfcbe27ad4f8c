use super::{
    WindingTree,
    columns::{Columns, Tally},
    holes::Holes,
};
use crate::measure::{GRIDS, cells::Cells};
use glam::DVec3;

/// Terms that a count of a soup may sum: about a second. What a soup overlaps is hardly a figure, and not worth more.
const MOST_OF_SOUP: usize = 1 << 25;

/// Terms that a count of a surface with holes may sum: some seconds. Where holes are few against triangles, cells need some
/// hundred terms each, so that the usual grid, and finer ones of thin bodies, are as fine as asked for.
const MOST_OF_HOLES: usize = 100 << 20;

/// Cells that are asked how many terms they need.
const ASKED: usize = 512;

/// A surface with holes at some points, ready to be counted.
pub(crate) struct Open<'a> {
    /// The points, and the tips of cones.
    points: Vec<DVec3>,
    triangles: &'a [[u32; 3]],
    /// None where there are more of them than triangles.
    cones: Option<Vec<[u32; 3]>>,
    tree: WindingTree,
}

impl<'a> Open<'a> {
    pub fn new(points: &[DVec3], triangles: &'a [[u32; 3]], holes: &Holes, beta: f64) -> Self {
        let mut points = points.to_vec();
        let cones = (holes.len() <= triangles.len()).then(|| holes.cones(&mut points));
        let corners = cones.as_deref().unwrap_or(triangles).iter().map(|t| t.map(|i| points[i as usize]));
        let tree = WindingTree::of_corners(corners.collect(), beta);
        Self { points, triangles, cones, tree }
    }

    /// A grid that can be counted soon: the one whose cells are given, or a coarser one.
    pub fn affordable(&self, grid: usize, cells: &Cells) -> usize {
        let total: usize = cells.count.iter().product();
        let [_, ny, nz] = cells.count;
        // Multiples of the golden ratio fill a range evenly and keep step with no grid.
        let place = |i: usize| ((i as f64 * 0.618_033_988_749_894_9).fract() * total as f64) as usize;
        let asked = ASKED.min(total);
        let terms: usize = (0..asked)
            .map(|i| place(i).min(total - 1))
            .map(|c| self.tree.terms(cells.center([c / (ny * nz), c / nz % ny, c % nz])))
            .sum();
        let most = if self.cones.is_some() { MOST_OF_HOLES } else { MOST_OF_SOUP };
        let too_many = terms as f64 / asked as f64 * total as f64 / most as f64;
        if too_many > 1.0 { ((grid as f64 / too_many.cbrt()) as usize).max(*GRIDS.start()) } else { grid }
    }

    pub fn tally(&self, cells: &Cells) -> Tally {
        match &self.cones {
            None => Tally::of_tree(cells, &self.tree),
            Some(cones) => {
                let triangles = [self.triangles, cones].concat();
                Columns::of(cells, &self.points, &triangles).tally(Some(&self.tree))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            tests::{joined, noise, sphere},
            winding_number,
        },
        *,
    };
    use glam::Vec3;

    /// Triangles that have nothing to do with each other, each as large as all of them.
    fn soup(count: u32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let mut random = noise(3);
        let mut number = || random() as f32;
        let points = (0..3 * count).map(|_| Vec3::new(number(), number(), number())).collect();
        (points, (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect())
    }

    fn open<'a>(points: &[Vec3], triangles: &'a [[u32; 3]], beta: f64) -> (Open<'a>, Cells) {
        let exact: Vec<DVec3> = points.iter().map(|p| p.as_dvec3()).collect();
        let cells = Cells::round(&exact, 12).unwrap();
        (Open::new(&exact, triangles, &Holes::of(points.len(), triangles), beta), cells)
    }

    #[test]
    fn a_soup_is_summed_by_its_triangles_and_a_surface_with_holes_by_its_cones() {
        let (points, mut triangles) = joined(sphere(Vec3::ZERO, 1.0, 2), sphere(Vec3::new(0.7, 0.2, 0.1), 0.8, 2));
        triangles.truncate(triangles.len() - 9);
        for ((points, triangles), by_cones) in [(soup(40), false), ((points, triangles), true)] {
            let (open, cells) = open(&points, &triangles, 1e9);
            assert_eq!(open.cones.is_some(), by_cones);
            let [nx, ny, nz] = cells.count;
            let all = (0..nx * ny * nz).map(|i| cells.center([i / (ny * nz), i / nz % ny, i % nz]));
            let numbers: Vec<f64> = all.map(|at| winding_number(&points, &triangles, at)).collect();
            let expected = Tally {
                overlap: numbers.iter().filter(|n| **n >= 1.5).count(),
                inverted: numbers.iter().filter(|n| **n <= -0.5).count(),
            };
            assert_eq!(open.tally(&cells), expected);
            assert!(expected.overlap + expected.inverted > 0);
        }
    }

    #[test]
    fn a_soup_gets_a_grid_that_can_be_counted_and_a_surface_with_holes_the_one_asked_for() {
        let (points, triangles) = soup(2000);
        let (open, _) = open(&points, &triangles, WindingTree::BETA);
        let cells = |grid| Cells::round(&open.points, grid).unwrap();
        let grid = open.affordable(1024, &cells(1024));
        let terms = open.tree.terms(DVec3::splat(0.5)) * cells(grid).count.iter().product::<usize>();
        assert!((8..200).contains(&grid) && terms < 2 * MOST_OF_SOUP, "{grid}: {terms}");
        let (points, mut triangles) = sphere(Vec3::ZERO, 1.0, 5);
        triangles.retain(|t| t[0] % 50 > 0);
        let (open, _) = self::open(&points, &triangles, WindingTree::BETA);
        let cells = |grid| Cells::round(&open.points, grid).unwrap();
        assert_eq!(open.affordable(96, &cells(96)), 96);
        // Finer than anybody needs, and hundreds of seconds.
        let grid = open.affordable(1024, &cells(1024));
        let terms = open.tree.terms(DVec3::splat(0.3)) * cells(grid).count.iter().product::<usize>();
        assert!((96..1024).contains(&grid) && terms < 4 * MOST_OF_HOLES && terms < 1 << 29, "{grid}: {terms}");
    }
}
