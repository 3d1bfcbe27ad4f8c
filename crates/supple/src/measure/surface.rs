use super::{
    Facing, GRIDS, MeasureError,
    cells::Cells,
    percentile::percentile,
    weld::weld,
    winding::{
        WindingTree,
        columns::{Columns, Tally},
        holes::Holes,
        open::Open,
    },
};
use crate::rig::{Topology, Weld};
use glam::{DVec3, Vec3};
use serde::{Serialize, Serializer};
use std::fmt;

/// Less of the area than this with an outside, and the inside is anybody's guess.
pub(super) const JUDGED: f64 = 0.5;

/// How surfaces are measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceOptions {
    /// Cells along the longest side of the box.
    pub grid: usize,
    /// See [`WindingTree`]; only surfaces with holes meet it.
    pub beta: f64,
}

impl Default for SurfaceOptions {
    fn default() -> Self {
        Self { grid: 96, beta: WindingTree::BETA }
    }
}

/// A cube in which overlap is looked for besides, mostly round a joint: finer cells for the same grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cube {
    /// Its middle.
    pub center: DVec3,
    /// Half its side.
    pub radius: f64,
}

/// Why nothing can be said of the volume of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unjudged {
    /// Most of it is open, flat or wound both ways.
    NoOutside {
        /// Share of the area that has an outside.
        clear: f64,
    },
    /// What it encloses adds up to nothing.
    NoVolume,
}

impl fmt::Display for Unjudged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoOutside { clear: 0.0 } => {
                write!(f, "the surface has no outside: it is open, flat or wound both ways")
            }
            Self::NoOutside { clear } => {
                let share = 100.0 * clear;
                write!(f, "only {share:.0} % of the surface has an outside: the rest is open, flat or wound both ways")
            }
            Self::NoVolume => write!(f, "the surface encloses no volume"),
        }
    }
}

impl Serialize for Unjudged {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// Figures of a moved surface against the surface at rest. A figure that cannot be had is none: all of them where a
/// coordinate is not finite, those of volumes where the surface at rest has no inside, the stretches where every edge has
/// no length. Pieces that are inside out at rest are measured as if they were turned, see [`Facing`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SurfaceFigures {
    /// Volume of the cells whose winding number is 1.5 or more, over the volume at rest; less the same at rest.
    pub overlap: Option<f64>,
    /// The same for winding numbers of -0.5 and less.
    pub inverted: Option<f64>,
    /// Signed volume over signed volume at rest, less one, less the overlap (where it is positive), which a signed
    /// volume counts twice.
    pub volume_drift: Option<f64>,
    /// Why none of these three can be had.
    #[serde(rename = "cannot_be_judged", skip_serializing_if = "Option::is_none")]
    pub unjudged: Option<Unjudged>,
    /// Length over length at rest that 1 % of the edges do not reach.
    pub stretch_p1: Option<f64>,
    /// And that 1 % of the edges exceed.
    pub stretch_p99: Option<f64>,
    /// The largest.
    pub stretch_max: Option<f64>,
    /// The farthest that a vertex goes, over the diagonal at rest.
    pub largest_move: Option<f64>,
    /// Whether every coordinate is a finite number.
    pub finite: bool,
    /// Vertices as stored.
    pub vertices: usize,
    /// Vertices after welding.
    pub welded: usize,
}

/// Overlap within a cube, over the rest volume of the whole surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct CubeFigures {
    /// As [`SurfaceFigures::overlap`].
    pub box_overlap: Option<f64>,
    /// As [`SurfaceFigures::inverted`].
    pub box_inverted: Option<f64>,
}

/// A surface at rest, ready to be compared with any number of moved ones.
#[derive(Clone, Debug)]
pub struct SurfaceGauge {
    options: SurfaceOptions,
    topology: Topology,
    rest: Vec<DVec3>,
    finite: bool,
    facing: Facing,
    holes: Holes,
    vertices: usize,
    diagonal: f64,
    volume: f64,
    lengths: Vec<f64>,
    overlap: f64,
    inverted: f64,
    grid: usize,
}

/// Cells that were counted.
struct Count {
    tally: Tally,
    /// The volume of one.
    cell: f64,
    grid: usize,
}

impl SurfaceGauge {
    /// Welds the surface and measures it at rest.
    pub fn new(rest: &[Vec3], triangles: &[[u32; 3]], options: SurfaceOptions) -> Result<Self, MeasureError> {
        if triangles.is_empty() {
            return Err(MeasureError::NoTriangles { points: rest.len() });
        }
        if !GRIDS.contains(&options.grid) {
            return Err(MeasureError::Grid { asked: options.grid });
        }
        check_triangles(rest.len(), triangles)?;
        let weld = weld(rest);
        let points = gathered(&weld, rest);
        let mut welded = weld.triangles(triangles);
        let facing = Facing::welded(&points, &welded);
        facing.turn_triangles(&mut welded);
        let holes = Holes::of(weld.first_of.len(), &welded);
        let topology = Topology::welded(weld, welded);
        let low = points.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let high = points.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        let mut gauge = Self {
            options,
            rest: points,
            finite: rest.iter().all(|p| p.is_finite()),
            facing,
            holes,
            vertices: rest.len(),
            diagonal: low.distance(high),
            volume: 0.0,
            lengths: Vec::new(),
            overlap: 0.0,
            inverted: 0.0,
            grid: options.grid,
            topology,
        };
        if gauge.finite {
            gauge.volume = gauge.signed_volume(&gauge.rest);
            gauge.lengths = gauge.edge_lengths(&gauge.rest);
        }
        if gauge.finite && gauge.unjudged().is_none() {
            let found = gauge.count(&gauge.rest, |grid| Cells::round(&gauge.rest, grid));
            gauge.overlap = found.tally.overlap as f64 * found.cell;
            gauge.inverted = found.tally.inverted as f64 * found.cell;
            gauge.grid = found.grid;
        }
        Ok(gauge)
    }

    /// Which way the pieces of the surface face, as they were given.
    pub fn facing(&self) -> &Facing {
        &self.facing
    }

    /// Why nothing can be said of volumes; none where it can.
    pub fn unjudged(&self) -> Option<Unjudged> {
        let clear = self.facing.clear();
        if clear < JUDGED {
            return Some(Unjudged::NoOutside { clear });
        }
        (self.volume == 0.0).then_some(Unjudged::NoVolume)
    }

    /// What was decided about the grid, in a line: a surface of many open edges is looked at in fewer cells than asked for,
    /// because each of them has to look at every edge.
    pub fn note(&self) -> Option<String> {
        let (edges, grid, asked) = (self.holes.len(), self.grid, self.options.grid);
        let line = || format!("{edges} open edges: overlap is counted in {grid} cells a side instead of {asked}");
        (grid < asked).then(line)
    }

    /// The figures of a moved surface.
    pub fn figures(&self, posed: &[Vec3]) -> Result<SurfaceFigures, MeasureError> {
        let mut figures =
            SurfaceFigures { vertices: self.vertices, welded: self.rest.len(), ..SurfaceFigures::default() };
        let Some(points) = self.points(posed)? else { return Ok(figures) };
        figures.finite = true;
        figures.unjudged = self.unjudged();
        if figures.unjudged.is_none() {
            let Count { tally, cell, .. } = self.count(&points, |grid| Cells::round(&points, grid));
            let overlap = (tally.overlap as f64 * cell - self.overlap) / self.volume.abs();
            figures.overlap = Some(overlap);
            figures.inverted = Some((tally.inverted as f64 * cell - self.inverted) / self.volume.abs());
            figures.volume_drift = Some(self.signed_volume(&points) / self.volume - 1.0 - overlap.max(0.0));
        }
        let lengths = self.edge_lengths(&points);
        let pairs = lengths.iter().zip(&self.lengths).filter(|(_, rest)| **rest > 0.0);
        let mut stretches: Vec<f64> = pairs.map(|(l, rest)| l / rest).collect();
        stretches.sort_unstable_by(f64::total_cmp);
        figures.stretch_p1 = percentile(&stretches, 1.0);
        figures.stretch_p99 = percentile(&stretches, 99.0);
        figures.stretch_max = stretches.last().copied();
        let farthest = points.iter().zip(&self.rest).map(|(p, r)| p.distance(*r)).fold(0.0, f64::max);
        figures.largest_move = (self.diagonal > 0.0).then(|| farthest / self.diagonal);
        Ok(figures)
    }

    /// Overlap within a cube that goes along with a joint: where it is at rest, and where it is in the pose.
    pub fn cube(&self, posed: &[Vec3], at_rest: Cube, in_pose: Cube) -> Result<CubeFigures, MeasureError> {
        let points = self.points(posed)?.filter(|_| self.unjudged().is_none());
        let cells = |cube: Cube, grid| Cells::cube(cube.center, cube.radius, grid);
        for cube in [at_rest, in_pose] {
            cells(cube, self.options.grid).ok_or(MeasureError::Cube { radius: cube.radius })?;
        }
        let Some(points) = points else { return Ok(CubeFigures::default()) };
        let before = self.count(&self.rest, |grid| cells(at_rest, grid));
        let after = self.count(&points, |grid| cells(in_pose, grid));
        let change = |of: fn(&Tally) -> usize| {
            let volume = of(&after.tally) as f64 * after.cell - of(&before.tally) as f64 * before.cell;
            Some(volume / self.volume.abs())
        };
        Ok(CubeFigures { box_overlap: change(|t| t.overlap), box_inverted: change(|t| t.inverted) })
    }

    /// The welded points; none where rest or pose is not finite.
    fn points(&self, posed: &[Vec3]) -> Result<Option<Vec<DVec3>>, MeasureError> {
        if posed.len() != self.vertices {
            return Err(MeasureError::Counts { rest: self.vertices, posed: posed.len() });
        }
        let finite = self.finite && posed.iter().all(|p| p.is_finite());
        Ok(finite.then(|| gathered(&self.topology.weld, posed)))
    }

    /// Counts the cells of the grid that was asked for, or of a coarser one where that would take too long.
    fn count(&self, points: &[DVec3], over: impl Fn(usize) -> Option<Cells>) -> Count {
        let mut grid = self.options.grid;
        let Some(mut cells) = over(grid) else { return Count { tally: Tally::default(), cell: 0.0, grid } };
        let tally = if self.holes.len() == 0 {
            Columns::of(&cells, points, &self.topology.triangles).tally(None)
        } else {
            let open = Open::new(points, &self.topology.triangles, &self.holes, self.options.beta);
            grid = open.affordable(grid, &cells);
            cells = over(grid).unwrap_or(cells);
            open.tally(&cells)
        };
        Count { tally, cell: cells.volume(), grid }
    }

    fn signed_volume(&self, points: &[DVec3]) -> f64 {
        let at = |i: u32| points[i as usize];
        self.topology.triangles.iter().map(|&[a, b, c]| at(a).dot(at(b).cross(at(c)))).sum::<f64>() / 6.0
    }

    fn edge_lengths(&self, points: &[DVec3]) -> Vec<f64> {
        self.topology.edges.iter().map(|&[a, b]| points[a as usize].distance(points[b as usize])).collect()
    }
}

fn gathered(weld: &Weld, per_vertex: &[Vec3]) -> Vec<DVec3> {
    weld.first_of.iter().map(|&i| per_vertex[i as usize].as_dvec3()).collect()
}

/// Every corner is a vertex.
pub(super) fn check_triangles(vertices: usize, triangles: &[[u32; 3]]) -> Result<(), MeasureError> {
    for (triangle, t) in triangles.iter().enumerate() {
        if let Some(&vertex) = t.iter().find(|&&v| v as usize >= vertices) {
            return Err(MeasureError::Triangle { triangle, vertex, vertices });
        }
    }
    Ok(())
}
