//! An arm of two bones along x, straight at rest; the elbow bends towards y.

use super::{
    ExampleError, assemble, check_count,
    field::{Cone, Shape},
    march::Grid,
    motion::{Motions, ease, turned},
    relief::{Spot, bump, noise, wave},
    remesh,
    skin::{self, Limb, smoothstep},
};
use crate::rig::{Mesh, Rig};
use glam::DVec3;

const BONE: f64 = 2.0;
const RADIUS: f64 = 0.5;

/// What arm to make.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArmOptions {
    /// How many vertices.
    pub vertices: usize,
    /// A smooth capsule instead of an arm, for comparison with published figures. Its rings allow most counts; others
    /// are met within a few vertices.
    pub plain: bool,
    /// Half-width of the weight band at the elbow, in radii.
    pub band: f64,
}

impl Default for ArmOptions {
    fn default() -> Self {
        Self { vertices: 8003, plain: false, band: skin::BAND }
    }
}

/// An arm: joints `upper_arm` and `forearm`, two units each, radius about a half; clips `bend` and `twist`.
pub fn arm(options: &ArmOptions) -> Result<Rig, ExampleError> {
    check_count(options.vertices)?;
    if !(options.band.is_finite() && options.band > 0.0) {
        return Err(ExampleError::Band { band: options.band });
    }
    let elbow = DVec3::X * BONE;
    let limbs = [
        Limb::new("upper_arm", None, DVec3::ZERO, elbow, RADIUS),
        Limb::new("forearm", Some(0), elbow, elbow * 2.0, RADIUS).hinge(DVec3::Z),
    ];
    let mesh = if options.plain { capsule(options.vertices) } else { shaped(options.vertices) };
    let mut rig = assemble("arm", mesh, &limbs, options.band);
    let mut bend = Motions::over(1.0, 12);
    bend.turn(1, |t| turned(DVec3::Z, 135.0 * ease(t)));
    let mut twist = Motions::over(1.0, 12);
    twist.turn(1, |t| turned(DVec3::X, 150.0 * ease(t)));
    rig.clips = vec![bend.clip("bend"), twist.clip("twist")];
    Ok(rig)
}

/// Rings round the x axis, evenly apart along the outline, and a point at each end.
fn capsule(vertices: usize) -> Mesh {
    let (rings, sides) = rings_and_sides(vertices - 2);
    let (straight, quarter) = (2.0 * BONE, std::f64::consts::FRAC_PI_2 * RADIUS);
    let total = straight + 2.0 * quarter;
    let mut positions = Vec::with_capacity(rings * sides + 2);
    for ring in 1..=rings {
        let along = total * ring as f64 / (rings + 1) as f64;
        // Turns round the end cap; the straight part has none left.
        let (from_start, from_end) = ((quarter - along).max(0.0), (along - quarter - straight).max(0.0));
        let turns = (from_start + from_end) / (std::f64::consts::TAU * RADIUS);
        let middle = (along - quarter).clamp(0.0, straight);
        let x = middle + RADIUS * sine(turns) * if from_start > 0.0 { -1.0 } else { 1.0 };
        let radius = RADIUS * sine(0.25 - turns);
        for side in 0..sides {
            let turn = side as f64 / sides as f64;
            positions.push(DVec3::new(x, radius * sine(turn + 0.25), radius * sine(turn)).as_vec3());
        }
    }
    let (start, end) = (positions.len() as u32, positions.len() as u32 + 1);
    positions.push(DVec3::new(-RADIUS, 0.0, 0.0).as_vec3());
    positions.push(DVec3::new(straight + RADIUS, 0.0, 0.0).as_vec3());
    let at = |ring: usize, side: usize| (ring * sides + side % sides) as u32;
    let mut triangles = Vec::with_capacity(2 * positions.len());
    for side in 0..sides {
        triangles.push([start, at(0, side + 1), at(0, side)]);
        triangles.push([end, at(rings - 1, side), at(rings - 1, side + 1)]);
        for ring in 0..rings - 1 {
            let [a, b] = [at(ring, side), at(ring, side + 1)];
            let [c, d] = [at(ring + 1, side), at(ring + 1, side + 1)];
            triangles.extend([[a, b, d], [a, d, c]]);
        }
    }
    Mesh { positions, triangles, ..Mesh::default() }
}

/// The grid of so many vertices whose cells are nearest to square; 127 by 63 for 8,001, as in the published figures.
fn rings_and_sides(vertices: usize) -> (usize, usize) {
    let ideal = (vertices as f64 / 2.0).sqrt();
    let sides = (0.75 * ideal) as usize..=(1.35 * ideal) as usize;
    let grids = sides.map(|sides| ((vertices as f64 / sides as f64).round() as usize, sides));
    let off = |&(rings, sides): &(usize, usize)| {
        let square = (sides as f64 - ideal).abs();
        ((rings * sides).abs_diff(vertices), (1024.0 * square) as usize)
    };
    grids.min_by_key(off).expect("at least one number of sides")
}

/// Sine of so many turns, the same on every platform.
fn sine(turns: f64) -> f64 {
    let t = turns - turns.round();
    // Reflected into a quarter turn either way, where eight terms are exact.
    let t = if t.abs() > 0.25 { t.signum() * 0.5 - t } else { t };
    let x = t * std::f64::consts::TAU;
    let (mut term, mut sum) = (x, x);
    for k in 1..11 {
        term *= -x * x / ((2 * k) * (2 * k + 1)) as f64;
        sum += term;
    }
    sum
}

fn shaped(vertices: usize) -> Mesh {
    let shape = anatomy();
    let surface = remesh::mesh(&shape, &Grid::even(&shape, 0.085), vertices, 0.4);
    super::finished(surface, &shape, skin_relief)
}

/// Palm towards y, thumb towards z.
fn anatomy() -> Shape {
    let mut shape = Shape::new(0.4);
    let y = DVec3::Y;
    shape.add(
        0.1,
        &[
            // Upper arm: bone and triceps below, biceps above, deltoid at the shoulder.
            Cone::new([0.02, 0.0, 0.0], 0.43, [1.8, -0.02, 0.0], 0.33),
            Cone::new([-0.05, 0.04, -0.1], 0.46, [0.5, 0.0, -0.12], 0.32).blend(0.15),
            Cone::new([0.45, 0.1, 0.04], 0.3, [1.0, 0.22, 0.04], 0.3).blend(0.1),
            Cone::new([1.0, 0.22, 0.04], 0.3, [1.5, 0.15, 0.03], 0.22).blend(0.1),
            Cone::new([0.4, -0.16, -0.08], 0.3, [1.3, -0.2, -0.02], 0.21).blend(0.14),
            // Elbow: the tip of the ulna below, the outer condyle beside it.
            Cone::new([1.8, -0.04, 0.0], 0.33, [2.1, -0.02, 0.0], 0.33).blend(0.2),
            Cone::new([1.9, -0.3, 0.0], 0.13, [2.15, -0.3, 0.0], 0.1).blend(0.16),
            Cone::ball([1.95, -0.05, -0.28], 0.13).blend(0.15),
            Cone::ball([1.95, -0.05, 0.28], 0.13).blend(0.15),
            // Forearm: two bellies that taper to a flat wrist.
            Cone::new([2.2, 0.05, 0.18], 0.29, [3.0, 0.05, 0.13], 0.19).blend(0.12),
            Cone::new([2.25, 0.03, -0.2], 0.26, [2.95, 0.02, -0.13], 0.18).blend(0.12),
            Cone::new([2.1, -0.02, 0.0], 0.36, [3.6, 0.0, 0.0], 0.23).squash(y, 0.9).blend(0.2),
            Cone::new([3.5, 0.0, -0.08], 0.2, [3.82, 0.0, -0.07], 0.18).blend(0.15),
            Cone::new([3.5, 0.0, 0.08], 0.2, [3.85, 0.0, 0.08], 0.18).blend(0.15),
            Cone::ball([3.62, -0.12, -0.18], 0.09).blend(0.1),
        ],
    );
    shape.add(0.15, &fist());
    shape
}

/// Four curled fingers over a block, a thumb across them.
fn fist() -> Vec<Cone> {
    let mut cones = vec![Cone::new([3.95, -0.02, -0.13], 0.25, [4.3, -0.06, -0.17], 0.24).blend(0.1)];
    cones.push(Cone::new([3.95, -0.02, 0.13], 0.25, [4.3, -0.06, 0.19], 0.25).blend(0.1));
    cones.push(Cone::new([4.3, 0.12, -0.2], 0.2, [4.3, 0.12, 0.22], 0.2).blend(0.1).grain(0.14));
    // Fills the hollow of the hand: what is left between fingertips and palm would be too narrow to mesh.
    cones.push(Cone::new([4.12, 0.2, -0.26], 0.16, [4.12, 0.2, 0.2], 0.17).blend(0.12).grain(0.14));
    for k in 0..4 {
        let z = 0.34 - 0.21 * f64::from(k);
        let far = 4.5 - 0.02 * f64::from(k * k);
        // Knuckle to first joint, then back under to the palm.
        cones.push(Cone::new([far - 0.08, -0.16, z], 0.13, [far + 0.02, 0.2, z], 0.125).blend(0.025));
        cones.push(Cone::new([far + 0.02, 0.2, z], 0.125, [far - 0.26, 0.33, z], 0.11).blend(0.06));
    }
    cones.push(Cone::new([3.9, 0.12, 0.3], 0.17, [4.2, 0.35, 0.42], 0.13).blend(0.1));
    cones.push(Cone::new([4.2, 0.35, 0.42], 0.13, [4.46, 0.42, 0.2], 0.11).blend(0.03));
    cones
}

/// Veins, folds at elbow and wrist, and the grain of the skin.
fn skin_relief(spot: &Spot) -> f64 {
    let p = spot.at;
    let mut height = 0.0;
    let above = smoothstep(-0.3, 0.5, spot.normal.y);
    // Veins wander along the inside of the arm and fork below the elbow.
    for (z0, sway, phase, from, to) in
        [(0.12, 0.1, 0.1, 0.5, 3.7), (-0.14, 0.07, 0.55, 1.6, 3.6), (0.02, 0.05, 0.3, 2.2, 3.8)]
    {
        let z = z0 + sway * wave(p.x * 0.55 + phase) + 0.03 * wave(p.x * 1.7 + phase);
        let ends = smoothstep(from, from + 0.3, p.x) * (1.0 - smoothstep(to - 0.3, to, p.x));
        height += 0.032 * above * ends * bump((p.z - z) / 0.085) * spot.shows(0.17);
    }
    // Folds: across the inside of the elbow, at the tip of it, round the wrist.
    let below = 1.0 - smoothstep(-0.6, 0.1, spot.normal.y);
    for x in [1.84, 1.98, 2.12] {
        let bent = p.x - x - 0.12 * p.z * p.z;
        height -= 0.03 * above * bump(bent / 0.07) * spot.shows(0.15);
        height -= 0.017 * below * bump((p.x - x + 0.3 * p.z * p.z) / 0.065) * spot.shows(0.14);
    }
    for x in [3.72, 3.82] {
        height -= 0.014 * smoothstep(0.1, 0.6, spot.normal.y) * bump((p.x - x) / 0.05) * spot.shows(0.12);
    }
    // Muscle strands run along the limb; pores do not.
    let along = DVec3::new(1.3, 6.0, 6.0);
    let away_from_hand = 1.0 - smoothstep(3.5, 3.9, p.x);
    height += 0.016 * away_from_hand * noise(p * along) * spot.shows(0.25);
    height + 0.006 * noise(p * 12.0) * spot.shows(0.13)
}
