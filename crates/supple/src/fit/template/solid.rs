use crate::{
    measure::{
        cells::Cells,
        winding::{columns::Columns, holes::Holes},
    },
    rig::Weld,
    sets::Sets,
};
use glam::{DVec3, Vec3};

/// Places of the skin looked at in all.
const SAMPLES: usize = 40_000_000;

/// Cells inside that are looked at: a body fills some tens of thousands, a box 2 million, for which paths take half a minute.
const MOST_INSIDE: usize = 300_000;

/// How far from the box of the main piece others are beside it, over its diagonal; and what share of the area they may have.
const BESIDE: f64 = 0.05;
const SMALL: f64 = 0.02;

/// The inside of a skin as cubic cells, and how deep each lies.
pub(super) struct Solid {
    pub cells: Cells,
    /// Distance to the nearest cell outside, in the unit of the mesh; zero outside.
    pub depth: Vec<f64>,
    /// True where the skin does not close, so that the inside is a guess.
    pub guessed: bool,
}

/// The points of a mesh that are somewhere, and the triangles between them.
pub(super) struct Shape {
    pub points: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
}

impl Shape {
    pub fn of(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let weld = Weld::of(positions);
        let sound = |t: &[u32; 3]| t.iter().all(|&v| positions.get(v as usize).is_some_and(|p| p.is_finite()));
        let whole: Vec<[u32; 3]> = triangles.iter().copied().filter(sound).collect();
        let mut triangles = weld.triangles(&whole);
        let place = |v: &u32| positions[*v as usize].as_dvec3();
        let mut points: Vec<DVec3> = weld.first_of.iter().map(place).collect();
        drop_far_islands(&points, &mut triangles);
        if triangles.is_empty() {
            points.retain(|p| p.is_finite());
            return Self { points, triangles };
        }
        // Loose points of a surface say nothing about its inside.
        let mut used = vec![u32::MAX; points.len()];
        let mut kept = Vec::new();
        let mut renumbered = triangles.clone();
        for v in renumbered.iter_mut().flatten() {
            let slot = &mut used[*v as usize];
            if *slot == u32::MAX {
                *slot = kept.len() as u32;
                kept.push(points[*v as usize]);
            }
            *v = *slot;
        }
        Self { points: kept, triangles: renumbered }
    }

    pub fn moved(&self, by: impl Fn(DVec3) -> DVec3) -> Self {
        Self { points: self.points.iter().map(|&p| by(p)).collect(), triangles: self.triangles.clone() }
    }
}

/// Leaves out small pieces that lie beside the main one: the box of all, which the grid is laid in, would be much larger than the
/// body. What is large may be the body itself, in pieces.
fn drop_far_islands(points: &[DVec3], triangles: &mut Vec<[u32; 3]>) {
    let mut pieces = Sets::new(points.len());
    for &[a, b, c] in &*triangles {
        pieces.join(a as usize, b as usize);
        pieces.join(a as usize, c as usize);
    }
    let piece_of: Vec<usize> = triangles.iter().map(|t| pieces.top(t[0] as usize)).collect();
    let mut found = vec![(0.0, DVec3::INFINITY, DVec3::NEG_INFINITY); points.len()];
    for (t, &piece) in triangles.iter().zip(&piece_of) {
        let [a, b, c] = t.map(|v| points[v as usize]);
        let (area, low, high) = &mut found[piece];
        *area += (b - a).cross(c - a).length();
        *low = low.min(a).min(b).min(c);
        *high = high.max(a).max(b).max(c);
    }
    let Some(main) = found.iter().copied().max_by(|a, b| a.0.total_cmp(&b.0)) else { return };
    let room = DVec3::splat(BESIDE * main.1.distance(main.2));
    let is_far = |piece: usize| (found[piece].1.cmpgt(main.2 + room) | found[piece].2.cmplt(main.1 - room)).any();
    let (mut far, mut all) = (0.0, 0.0);
    for (piece, &(area, ..)) in found.iter().enumerate() {
        all += area;
        far += if area > 0.0 && is_far(piece) { area } else { 0.0 };
    }
    if far <= SMALL * all {
        let mut piece_of = piece_of.into_iter();
        triangles.retain(|_| !piece_of.next().is_some_and(is_far));
    }
}

impl Solid {
    /// Fills a shape with `grid` cells along its longest side, or fewer where too many were inside; none where it has no extent.
    pub fn filling(shape: &Shape, grid: usize) -> Option<Self> {
        let solid = Self::of(shape, grid)?;
        let inside = solid.inside().count();
        if inside <= MOST_INSIDE {
            return Some(solid);
        }
        Self::of(shape, (grid as f64 * (MOST_INSIDE as f64 / inside as f64).cbrt()) as usize)
    }

    /// The same with so many cells, whatever they hold.
    pub fn of(shape: &Shape, grid: usize) -> Option<Self> {
        let cells = Cells::round(&shape.points, grid)?;
        let [nx, ny, nz] = cells.count;
        let mut filled = vec![false; nx * ny * nz];
        let mut points = shape.points.clone();
        let cones = Holes::of(points.len(), &shape.triangles).cones(&mut points);
        let triangles = [&shape.triangles[..], &cones].concat();
        let columns = Columns::of(&cells, &points, &triangles);
        let mut slice = vec![0i32; ny * nz];
        for x in 0..nx {
            columns.slice(x, &mut slice);
            for (cell, &number) in filled[x * ny * nz..].iter_mut().zip(&slice) {
                *cell = number != 0;
            }
        }
        let mut solid = Self { cells, depth: Vec::new(), guessed: false };
        let skin = solid.skin(shape);
        let inside = filled.iter().filter(|f| **f).count();
        let thin = skin.iter().filter(|s| **s).count();
        // Sheets and point sets hold next to nothing: what cannot be reached from outside past a thickened skin is inside.
        if 4 * inside < thin {
            filled = solid.enclosed(&skin);
            solid.guessed = true;
        }
        solid.joined(&mut filled, &skin);
        solid.depth = solid.depths(&filled);
        solid.depth.iter().any(|d| *d > 0.0).then_some(solid)
    }

    pub fn index(&self, [x, y, z]: [usize; 3]) -> usize {
        let [_, ny, nz] = self.cells.count;
        (x * ny + y) * nz + z
    }

    pub fn place(&self, index: usize) -> [usize; 3] {
        let [_, ny, nz] = self.cells.count;
        [index / (ny * nz), index / nz % ny, index % nz]
    }

    pub fn center(&self, index: usize) -> DVec3 {
        self.cells.center(self.place(index))
    }

    /// The cell that holds a point; none outside the box.
    pub fn at(&self, p: DVec3) -> Option<usize> {
        let at = ((p - self.cells.low) / self.cells.step).floor();
        let fits = (0..3).all(|a| at[a] >= 0.0 && at[a] < self.cells.count[a] as f64);
        fits.then(|| self.index([at.x as usize, at.y as usize, at.z as usize]))
    }

    pub fn depth_at(&self, p: DVec3) -> f64 {
        self.at(p).map_or(0.0, |i| self.depth[i])
    }

    /// Numbers of all cells inside.
    pub fn inside(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.depth.len()).filter(|&i| self.depth[i] > 0.0)
    }

    /// The cells round one, and how far their middles lie, in cells.
    pub fn around(&self, index: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let at = self.place(index).map(|i| i as isize);
        (0..27).filter(|&k| k != 13).filter_map(move |k| {
            let step = [k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1];
            let to = [0, 1, 2].map(|a| at[a] + step[a]);
            let fits = (0..3).all(|a| to[a] >= 0 && to[a] < self.cells.count[a] as isize);
            let length = (step.iter().map(|s| s * s).sum::<isize>() as f64).sqrt();
            fits.then(|| (self.index(to.map(|i| i as usize)), length))
        })
    }

    /// Cells that the skin passes through.
    fn skin(&self, shape: &Shape) -> Vec<bool> {
        let mut skin = vec![false; self.cells.count.iter().product()];
        let mut mark = |p: DVec3| {
            if let Some(i) = self.at(p) {
                skin[i] = true;
            }
        };
        shape.points.iter().for_each(|&p| mark(p));
        // A file of many triangles as large as the box must not take for ever: they are looked at more coarsely.
        let most = ((SAMPLES / shape.triangles.len().max(1)) as f64).sqrt().max(4.0) as usize;
        for t in &shape.triangles {
            let [a, b, c] = t.map(|v| shape.points[v as usize]);
            let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
            let steps = ((2.0 * longest / self.cells.step).ceil() as usize).clamp(1, most);
            for i in 0..=steps {
                for j in 0..=steps - i {
                    let (u, v) = (i as f64 / steps as f64, j as f64 / steps as f64);
                    mark(a + (b - a) * u + (c - a) * v);
                }
            }
        }
        skin
    }

    fn enclosed(&self, skin: &[bool]) -> Vec<bool> {
        let mut wall = skin.to_vec();
        for _ in 0..2 {
            wall = self.grown(&wall);
        }
        let mut outside = vec![false; wall.len()];
        let [nx, ny, nz] = self.cells.count;
        let rim = |[x, y, z]: [usize; 3]| x == 0 || y == 0 || z == 0 || x + 1 == nx || y + 1 == ny || z + 1 == nz;
        let mut stack: Vec<usize> = (0..wall.len()).filter(|&i| rim(self.place(i)) && !wall[i]).collect();
        stack.iter().for_each(|&i| outside[i] = true);
        while let Some(i) = stack.pop() {
            for (j, _) in self.around(i).filter(|n| n.1 == 1.0) {
                if !wall[j] && !outside[j] {
                    outside[j] = true;
                    stack.push(j);
                }
            }
        }
        // The thickening is taken off again.
        let shell = self.grown(&self.grown(&outside));
        (0..wall.len()).map(|i| !outside[i] && (!shell[i] || skin[i])).collect()
    }

    fn grown(&self, cells: &[bool]) -> Vec<bool> {
        let mut grown = cells.to_vec();
        for i in (0..cells.len()).filter(|&i| cells[i]) {
            self.around(i).for_each(|(j, _)| grown[j] = true);
        }
        grown
    }

    /// Leaves one piece: gaps between shells are bridged by their skin and by growing, the rest is dropped.
    fn joined(&mut self, filled: &mut Vec<bool>, skin: &[bool]) {
        for attempt in 0..4 {
            let (largest, share) = self.largest(filled);
            if share > 0.95 || attempt == 3 {
                *filled = largest;
                return;
            }
            if attempt == 0 {
                filled.iter_mut().zip(skin).for_each(|(f, s)| *f |= *s);
            } else {
                *filled = self.grown(filled);
            }
        }
    }

    fn largest(&self, filled: &[bool]) -> (Vec<bool>, f64) {
        let mut label = vec![0u32; filled.len()];
        let mut sizes = vec![0usize];
        for seed in 0..filled.len() {
            if !filled[seed] || label[seed] != 0 {
                continue;
            }
            let this = sizes.len() as u32;
            sizes.push(0);
            label[seed] = this;
            let mut stack = vec![seed];
            while let Some(i) = stack.pop() {
                sizes[this as usize] += 1;
                for (j, _) in self.around(i) {
                    if filled[j] && label[j] == 0 {
                        label[j] = this;
                        stack.push(j);
                    }
                }
            }
        }
        let best = (1..sizes.len()).max_by_key(|&i| (sizes[i], usize::MAX - i)).unwrap_or(0);
        let all: usize = sizes.iter().sum();
        let kept = label.iter().map(|&l| l != 0 && l as usize == best).collect();
        (kept, sizes[best] as f64 / all.max(1) as f64)
    }

    /// Distances to what is not filled, exact between middles of cells (Felzenszwalb, Huttenlocher 2012).
    fn depths(&self, filled: &[bool]) -> Vec<f64> {
        let far = 1e12;
        let mut squared: Vec<f64> = filled.iter().map(|f| if *f { far } else { 0.0 }).collect();
        let count = self.cells.count;
        let strides = [count[1] * count[2], count[2], 1];
        for axis in 0..3 {
            let (length, stride) = (count[axis], strides[axis]);
            let mut line = vec![0.0; length];
            for start in (0..squared.len()).filter(|&i| self.place(i)[axis] == 0) {
                for (k, value) in line.iter_mut().enumerate() {
                    *value = squared[start + k * stride];
                }
                let lowered = lower_envelope(&line);
                for (k, value) in lowered.into_iter().enumerate() {
                    squared[start + k * stride] = value;
                }
            }
        }
        squared.iter().map(|s| s.sqrt().min(1e5) * self.cells.step).collect()
    }
}

/// min over j of f(j) + (i - j)², for every i; what lies beyond the ends is outside.
fn lower_envelope(f: &[f64]) -> Vec<f64> {
    let n = f.len() as isize;
    let value = |j: isize| if j < 0 || j >= n { 0.0 } else { f[j as usize] };
    let mut hull: Vec<(isize, f64)> = vec![(-1, f64::NEG_INFINITY)];
    for j in 0..=n {
        loop {
            let &(k, from) = hull.last().expect("the first stays");
            let (a, b) = (j as f64, k as f64);
            let meet = ((value(j) + a * a) - (value(k) + b * b)) / (2.0 * (a - b));
            if meet <= from && hull.len() > 1 {
                hull.pop();
            } else {
                hull.push((j, meet));
                break;
            }
        }
    }
    let mut at = 0;
    (0..n)
        .map(|i| {
            while at + 1 < hull.len() && hull[at + 1].1 <= i as f64 {
                at += 1;
            }
            let j = hull[at].0;
            value(j) + ((i - j) * (i - j)) as f64
        })
        .collect()
}
