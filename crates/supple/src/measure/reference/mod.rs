//! A moved skin against a physical reference shape of the same pose, round one joint: how far vertices are from it, and how the
//! two solids differ. `flesh_distance.py` of the shared checks defines every figure, and `check_reference.py` compares them.

mod cases;
mod npz;

pub use cases::{ReferenceCase, ReferenceCases, ReferenceError};

use super::{Facing, cells::Cells, percentile::percentile, weld::weld, winding::columns::Columns};
use crate::{parallel, rig::Topology};
use glam::{DVec3, Vec3};
use serde::Serialize;

/// Radii round the joint within which shapes are compared: contact and bulges of a bend lie in there.
const WITHIN: f64 = 2.0;
/// Side of a cell in radii: volumes are then good to a tenth of a point.
const CELL: f64 = 0.05;
/// Cells along the cube round the ball.
const ALONG: usize = 80;
/// Where the first cell lies, in cells off the even place: a lattice on the planes of a symmetric character would be undecided.
const OFF: f64 = 0.37123;

/// Figures of a moved skin against its reference. Distances are over the radius of the limb, volumes over that of the reference in
/// the ball.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ReferenceFigures {
    /// Vertices that were compared.
    pub reference_vertices: usize,
    /// Root of the mean square distance from the reference, vertex by vertex.
    pub reference_rms: Option<f64>,
    /// The distance that 5 % of the vertices exceed.
    pub reference_p95: Option<f64>,
    /// The largest.
    pub reference_max: Option<f64>,
    /// As the root of the mean square, along the normals of the reference alone: sliding along the skin does not count.
    pub reference_normal_rms: Option<f64>,
    /// The distance along the normals that 5 % of the vertices exceed, either way.
    pub reference_normal_p95: Option<f64>,
    /// The mean along the normals: above nought too fat, below shrunk or buried.
    pub reference_normal_mean: Option<f64>,
    /// Volume of the reference that the skin does not fill: withered, or gaping.
    pub missing: Option<f64>,
    /// Volume that the skin fills beside the reference: bulging.
    pub extra: Option<f64>,
    /// Volume that the skin fills again: skin through skin.
    pub overlapping: Option<f64>,
    /// The sum of the three.
    pub wrong: Option<f64>,
}

/// A reference shape, ready to be compared with any number of moved skins.
#[derive(Clone, Debug)]
pub struct ReferenceGauge {
    vertices: usize,
    radius: f64,
    /// Vertices near the joint that the reference covers, where they are there, and its normals.
    compared: Vec<(u32, DVec3, DVec3)>,
    solid: Option<Solid>,
}

/// What a reference gives about one joint.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The joint at rest.
    pub joint: DVec3,
    /// The radius of its limb.
    pub radius: f64,
    /// Where each vertex is; none for those that the reference does not cover.
    pub points: Vec<Option<DVec3>>,
    /// Its solid, where volumes can be compared.
    pub solid: Option<ReferenceSolid>,
}

/// The closed surface of a reference.
#[derive(Clone, Debug)]
pub struct ReferenceSolid {
    /// The joint in the pose.
    pub posed_joint: DVec3,
    /// The surface.
    pub points: Vec<Vec3>,
    /// Its triangles.
    pub triangles: Vec<[u32; 3]>,
    /// Half spaces outside of which nothing is compared: a point of the plane, and its normal, which points to what counts.
    pub keep: Vec<[DVec3; 2]>,
}

/// The cells of the ball that count, and what the reference fills of them.
#[derive(Clone, Debug)]
struct Solid {
    cells: Cells,
    skin: Topology,
    /// By slices of x: cell, and whether the reference fills it.
    counted: Vec<Vec<(u32, bool)>>,
    filled: usize,
}

/// Cells that differ, of one slice or of all.
#[derive(Clone, Copy, Default)]
struct Difference {
    missing: usize,
    extra: usize,
    again: usize,
}

impl ReferenceGauge {
    /// For a skin at rest. Volumes are compared where both surfaces close.
    ///
    /// # Panics
    /// When the reference does not have as many points as the skin.
    pub fn new(rest: &[Vec3], triangles: &[[u32; 3]], reference: &Reference) -> Self {
        assert_eq!(rest.len(), reference.points.len(), "the reference is of another skin");
        let normals = normals(&reference.points, triangles);
        let near = |i: usize| rest[i].as_dvec3().distance(reference.joint) <= WITHIN * reference.radius;
        let compared = (0..rest.len()).filter(|&i| near(i));
        let compared = compared.filter_map(|i| Some((i as u32, reference.points[i]?, normals[i]))).collect();
        let solid = reference.solid.as_ref().and_then(|solid| Solid::new(rest, triangles, solid, reference.radius));
        Self { vertices: rest.len(), radius: reference.radius, compared, solid }
    }

    /// The figures of a moved skin.
    ///
    /// # Panics
    /// When it is of another number of vertices.
    pub fn figures(&self, posed: &[Vec3]) -> ReferenceFigures {
        assert_eq!(posed.len(), self.vertices, "the reference is of another skin");
        let mut figures = ReferenceFigures { reference_vertices: self.compared.len(), ..ReferenceFigures::default() };
        if !posed.iter().all(|p| p.is_finite()) || self.compared.is_empty() {
            return figures;
        }
        let off: Vec<(f64, f64)> = self
            .compared
            .iter()
            .map(|&(i, there, normal)| {
                let d = (posed[i as usize].as_dvec3() - there) / self.radius;
                (d.length(), d.dot(normal))
            })
            .collect();
        let count = off.len() as f64;
        let rms = |of: fn(&(f64, f64)) -> f64| Some((off.iter().map(|d| of(d).powi(2)).sum::<f64>() / count).sqrt());
        let sorted = |of: fn(&(f64, f64)) -> f64| {
            let mut list: Vec<f64> = off.iter().map(of).collect();
            list.sort_unstable_by(f64::total_cmp);
            list
        };
        let far = sorted(|d| d.0);
        figures.reference_rms = rms(|d| d.0);
        figures.reference_p95 = percentile(&far, 95.0);
        figures.reference_max = far.last().copied();
        figures.reference_normal_rms = rms(|d| d.1);
        figures.reference_normal_p95 = percentile(&sorted(|d| d.1.abs()), 95.0);
        figures.reference_normal_mean = Some(off.iter().map(|d| d.1).sum::<f64>() / count);
        if let Some(solid) = &self.solid {
            let Difference { missing, extra, again } = solid.difference(posed);
            let share = |cells: usize| Some(cells as f64 / solid.filled as f64);
            figures.missing = share(missing);
            figures.extra = share(extra);
            figures.overlapping = share(again);
            figures.wrong = share(missing + extra + again);
        }
        figures
    }
}

impl Solid {
    /// None where a surface is open, or the reference fills no cell.
    fn new(rest: &[Vec3], triangles: &[[u32; 3]], reference: &ReferenceSolid, radius: f64) -> Option<Self> {
        let skin = closed(rest, triangles)?;
        let shape = closed(&reference.points, &reference.triangles)?;
        let center = reference.posed_joint;
        let step = CELL * radius;
        let low = center + (OFF - 0.5 - WITHIN / CELL) * step;
        let cells = Cells { low, step, count: [ALONG; 3] };
        let counts = |at: DVec3| {
            at.distance(center) <= WITHIN * radius && reference.keep.iter().all(|[p, n]| (at - *p).dot(*n) > 0.0)
        };
        let points = shape.weld.gather(&exact(&reference.points));
        let columns = Columns::of(&cells, &points, &shape.triangles);
        let mut counted = vec![Vec::new(); ALONG];
        parallel::for_each_block(&mut counted, 1, |x, out| {
            let mut numbers = vec![0; ALONG * ALONG];
            columns.slice(x, &mut numbers);
            let inside = numbers.iter().zip(0u32..).filter(|(_, i)| counts(cells.center(place(x, *i))));
            out[0] = inside.map(|(&number, i)| (i, number > 0)).collect();
        });
        let filled = counted.iter().flatten().filter(|(_, filled)| *filled).count();
        (filled > 0).then_some(Self { cells, skin, counted, filled })
    }

    fn difference(&self, posed: &[Vec3]) -> Difference {
        let points = self.skin.weld.gather(&exact(posed));
        let columns = Columns::of(&self.cells, &points, &self.skin.triangles);
        let mut slices = vec![Difference::default(); ALONG];
        parallel::for_each_block(&mut slices, 1, |x, out| {
            let mut numbers = vec![0; ALONG * ALONG];
            columns.slice(x, &mut numbers);
            for &(i, filled) in &self.counted[x] {
                let number = numbers[i as usize];
                out[0].missing += usize::from(filled && number <= 0);
                out[0].extra += usize::from(!filled && number > 0);
                out[0].again += (number - 1).max(0) as usize;
            }
        });
        slices.iter().fold(Difference::default(), |a, b| Difference {
            missing: a.missing + b.missing,
            extra: a.extra + b.extra,
            again: a.again + b.again,
        })
    }
}

fn place(x: usize, i: u32) -> [usize; 3] {
    [x, i as usize / ALONG, i as usize % ALONG]
}

/// The welded surface, facing outwards; none where it is open.
fn closed(points: &[Vec3], triangles: &[[u32; 3]]) -> Option<Topology> {
    let weld = weld(points);
    let mut triangles = weld.triangles(triangles);
    Facing::welded(&weld.gather(&exact(points)), &triangles).turn_triangles(&mut triangles);
    Some(Topology::welded(weld, triangles)).filter(Topology::is_closed)
}

fn exact(points: &[Vec3]) -> Vec<DVec3> {
    points.iter().map(|p| p.as_dvec3()).collect()
}

/// Normals of the triangles that are wholly covered, by their areas, at every vertex.
fn normals(points: &[Option<DVec3>], triangles: &[[u32; 3]]) -> Vec<DVec3> {
    let mut normals = vec![DVec3::ZERO; points.len()];
    for t in triangles {
        let [Some(a), Some(b), Some(c)] = t.map(|i| points[i as usize]) else { continue };
        let normal = (b - a).cross(c - a);
        t.iter().for_each(|&i| normals[i as usize] += normal);
    }
    normals.iter_mut().for_each(|n| *n = n.normalize_or_zero());
    normals
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::winding::tests::sphere;

    fn ball(radius: f32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        sphere(Vec3::ZERO, radius, 4)
    }

    fn gauge() -> (ReferenceGauge, Vec<Vec3>) {
        let (points, triangles) = ball(1.0);
        let reference = Reference {
            joint: DVec3::ZERO,
            radius: 0.8,
            points: points.iter().map(|p| Some(p.as_dvec3())).collect(),
            solid: Some(ReferenceSolid {
                posed_joint: DVec3::ZERO,
                points: points.clone(),
                triangles: triangles.clone(),
                keep: vec![[DVec3::ZERO, DVec3::X]],
            }),
        };
        (ReferenceGauge::new(&points, &triangles, &reference), points)
    }

    #[test]
    fn a_skin_like_its_reference_has_nothing_wrong() {
        let (gauge, points) = gauge();
        let figures = gauge.figures(&points);
        assert_eq!(figures.reference_vertices, points.len());
        assert_eq!((figures.reference_max, figures.wrong), (Some(0.0), Some(0.0)));
    }

    #[test]
    fn a_ball_of_another_size_is_off_by_its_volume_and_radius() {
        let (gauge, points) = gauge();
        let grown: Vec<Vec3> = points.iter().map(|p| *p * 1.1).collect();
        let figures = gauge.figures(&grown);
        let near = |found: Option<f64>, wanted: f64, by: f64| {
            let found = found.expect("a figure");
            assert!((found - wanted).abs() < by, "{found} and {wanted}");
        };
        near(figures.reference_rms, 0.125, 1e-6);
        near(figures.reference_normal_mean, 0.125, 1e-3);
        near(figures.extra, 1.1f64.powi(3) - 1.0, 0.01);
        assert_eq!((figures.missing, figures.overlapping), (Some(0.0), Some(0.0)));
        let shrunk: Vec<Vec3> = points.iter().map(|p| *p * 0.9).collect();
        near(gauge.figures(&shrunk).missing, 1.0 - 0.9f64.powi(3), 0.01);
        near(gauge.figures(&shrunk).reference_normal_mean, -0.125, 1e-3);
    }

    #[test]
    fn what_is_filled_twice_overlaps_and_what_is_not_kept_does_not_count() {
        let (points, mut triangles) = ball(1.0);
        let both: Vec<Vec3> = points.iter().chain(&points).copied().collect();
        let count = points.len() as u32;
        triangles.extend(triangles.clone().iter().map(|t| t.map(|i| i + count)));
        let apart: Vec<Vec3> =
            both.iter().enumerate().map(|(i, p)| if i < points.len() { *p } else { *p + Vec3::Y * 9.0 }).collect();
        let solid = |keep| ReferenceSolid {
            posed_joint: DVec3::ZERO,
            points: points.clone(),
            triangles: triangles[..triangles.len() / 2].to_vec(),
            keep,
        };
        let reference = |keep| Reference {
            joint: DVec3::ZERO,
            radius: 0.8,
            points: apart.iter().map(|p| Some(p.as_dvec3())).collect(),
            solid: Some(solid(keep)),
        };
        // The second ball has been moved into the first, but for a half of its width.
        let moved: Vec<Vec3> =
            apart.iter().map(|p| if p.y > 5.0 { *p - Vec3::Y * 9.0 + Vec3::X } else { *p }).collect();
        let figures = |keep| ReferenceGauge::new(&apart, &triangles, &reference(keep)).figures(&moved);
        let lens = 5.0 / 16.0;
        let all = figures(Vec::new());
        assert!((all.overlapping.unwrap() - lens).abs() < 0.01, "{all:?}");
        let left = figures(vec![[DVec3::ZERO, DVec3::NEG_X]]);
        assert!(left.overlapping.unwrap() < 0.01 && left.extra.unwrap() < 0.01, "{left:?}");
    }

    #[test]
    fn an_open_skin_has_distances_alone_and_points_that_are_no_numbers_nothing() {
        let (points, mut triangles) = ball(1.0);
        triangles.pop();
        let (gauge, _) = gauge();
        let reference = Reference {
            joint: DVec3::ZERO,
            radius: 1.0,
            points: points.iter().map(|p| Some(p.as_dvec3())).collect(),
            solid: None,
        };
        let open = ReferenceGauge::new(&points, &triangles, &reference).figures(&points);
        assert_eq!((open.reference_rms, open.wrong), (Some(0.0), None));
        let nowhere = vec![Vec3::NAN; points.len()];
        assert_eq!(gauge.figures(&nowhere).reference_rms, None);
    }
}
