//! A statue as scanners see it: oriented points without triangles, round a model of spheres and bones.

use super::{
    ExampleError, assemble, check_count,
    field::{Cone, Shape},
    finished,
    march::Grid,
    relief::{Spot, bump, noise, wave},
    remesh,
    skin::{self, Limb, smoothstep},
};
use crate::rig::{Rig, Sphere, SphereMesh};
use glam::DVec3;

/// What statue to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatueOptions {
    /// How many points.
    pub points: usize,
}

impl Default for StatueOptions {
    fn default() -> Self {
        Self { points: 520_000 }
    }
}

/// Name, parent, centre, radius. The weight rests on the left leg, the right arm is raised.
const SPHERES: [(&str, usize, [f64; 3], f64); 22] = [
    ("pelvis", 0, [0.02, 0.955, 0.0], 0.122),
    ("waist", 0, [0.012, 1.1, 0.012], 0.105),
    ("chest", 1, [0.0, 1.3, 0.0], 0.13),
    ("neck", 2, [-0.005, 1.475, -0.01], 0.06),
    ("chin", 3, [0.0, 1.575, 0.008], 0.054),
    ("head", 4, [0.01, 1.69, 0.012], 0.098),
    ("hip_l", 0, [0.1, 0.93, 0.0], 0.095),
    ("knee_l", 6, [0.11, 0.5, 0.012], 0.062),
    ("ankle_l", 7, [0.1, 0.09, -0.03], 0.04),
    ("toe_l", 8, [0.125, 0.032, 0.13], 0.031),
    ("hip_r", 0, [-0.07, 0.925, 0.005], 0.095),
    ("knee_r", 10, [-0.13, 0.525, 0.1], 0.062),
    ("ankle_r", 11, [-0.15, 0.1, 0.01], 0.04),
    ("toe_r", 12, [-0.2, 0.034, 0.16], 0.031),
    ("shoulder_l", 2, [0.175, 1.435, -0.01], 0.064),
    ("elbow_l", 14, [0.3, 1.185, -0.06], 0.045),
    ("wrist_l", 15, [0.33, 0.985, 0.08], 0.031),
    ("hand_l", 16, [0.325, 0.895, 0.125], 0.036),
    ("shoulder_r", 2, [-0.18, 1.44, 0.0], 0.064),
    ("elbow_r", 18, [-0.41, 1.4, 0.13], 0.045),
    ("wrist_r", 19, [-0.44, 1.64, 0.18], 0.031),
    ("hand_r", 20, [-0.435, 1.74, 0.19], 0.038),
];

/// A standing figure in a short tunic: oriented points spread evenly, its sphere-mesh, and joints at the spheres.
pub fn statue(options: &StatueOptions) -> Result<Rig, ExampleError> {
    check_count(options.points)?;
    let shape = shape();
    let surface = remesh::mesh(&shape, &Grid::even(&shape, 0.014), options.points, 1.0);
    let mut mesh = finished(surface, &shape, height);
    mesh.normals = Some(mesh.computed_normals());
    mesh.triangles.clear();
    let mut rig = assemble("statue", mesh, &limbs(), skin::BAND);
    rig.materials[0].name = "marble".into();
    rig.materials[0].base_color = [0.75, 0.73, 0.68, 1.0];
    rig.sphere_mesh = Some(model());
    Ok(rig)
}

fn model() -> SphereMesh {
    let sphere = |&(name, _, center, radius): &(&str, usize, [f64; 3], f64)| Sphere {
        name: name.into(),
        center: center.into(),
        radius,
    };
    let bones = (1..SPHERES.len()).map(|i| [SPHERES[i].1 as u32, i as u32]).collect();
    SphereMesh::new(SPHERES.iter().map(sphere).collect(), bones).expect("the table is sound")
}

/// A bone moves with the sphere it starts from; the last sphere of a chain owns nothing.
fn limbs() -> Vec<Limb> {
    let limb = |(i, &(name, parent, center, radius)): (usize, &(&str, usize, [f64; 3], f64))| {
        let child = (1..SPHERES.len()).find(|&c| SPHERES[c].1 == i);
        let head = DVec3::from(center);
        let before = head - DVec3::from(SPHERES[parent].2);
        let tail = child.map_or(head + before.normalize_or(DVec3::Y) * radius, |c| SPHERES[c].2.into());
        let mut limb = Limb::new(name, (i > 0).then_some(parent), head, tail, radius).share(-0.02);
        limb.owns = child.is_some();
        limb
    };
    SPHERES.iter().enumerate().map(limb).collect()
}

fn bone(child: usize) -> Cone {
    let (_, parent, center, radius) = SPHERES[child];
    Cone::new(SPHERES[parent].2, SPHERES[parent].3, center, radius).blend(0.03)
}

fn shape() -> Shape {
    let mut shape = Shape::new(0.03);
    let mut trunk: Vec<Cone> = [1, 2, 3, 6, 10, 14, 18].map(bone).to_vec();
    trunk.push(Cone::new([-0.05, 1.37, 0.055], 0.075, [0.05, 1.37, 0.055], 0.075).blend(0.05));
    // Slopes from the neck to the shoulders.
    for shoulder in [14, 18] {
        let (neck, end) = (DVec3::from(SPHERES[3].2), DVec3::from(SPHERES[shoulder].2));
        trunk.push(Cone::new(neck, 0.055, neck.lerp(end, 0.75), 0.05).blend(0.05));
    }
    shape.add(0.03, &trunk);
    for limb in [[7, 8, 9], [11, 12, 13], [15, 16, 17], [19, 20, 21]] {
        shape.add(0.03, &limb.map(bone));
    }
    let turned = |x: f64, y: f64, z: f64| DVec3::from(SPHERES[5].2) + DVec3::new(x, y, z);
    let mut head = vec![bone(4), bone(5), Cone::new(turned(0.0, -0.03, 0.03), 0.065, turned(0.0, -0.085, 0.06), 0.03)];
    head.push(Cone::new(turned(0.0, 0.012, 0.094), 0.009, turned(0.0, -0.03, 0.112), 0.013).blend(0.012));
    head.push(Cone::new(turned(-0.014, -0.058, 0.085), 0.009, turned(0.014, -0.058, 0.085), 0.009).blend(0.01));
    for x in [-0.032, 0.032] {
        head.push(Cone::ball(turned(x, -0.002, 0.112), 0.019).blend(0.014).carve());
        head.push(Cone::ball(turned(x, -0.004, 0.08), 0.016).blend(0.004));
    }
    // A knot of hair at the back.
    head.push(Cone::ball(turned(0.0, 0.03, -0.105), 0.045).blend(0.02));
    shape.add(0.02, &head);
    shape
}

/// Cloth, belt, curls, straps and the marks of the chisel.
fn height(spot: &Spot) -> f64 {
    let p = spot.at;
    let mut height = 0.0006 * noise(p * 160.0) * spot.shows(0.008);
    let trunk = 1.0 - smoothstep(0.19, 0.23, p.x.abs());
    // The tunic hangs from the shoulders to above the knees; its hem stands off the legs.
    let hem = 0.66 + 0.02 * wave(p.x * 9.0 + p.z * 4.0);
    let neckline = 1.44 - 0.35 * p.x.abs() - 0.25 * p.z.max(0.0);
    let cloth = trunk * smoothstep(hem, hem + 0.012, p.y) * (1.0 - smoothstep(neckline - 0.012, neckline, p.y));
    let flare = 1.0 - smoothstep(0.66, 1.1, p.y);
    let sway = 0.5 * noise(p * DVec3::new(6.0, 2.5, 6.0));
    let folds = wave(p.x * 26.0 + p.z * 11.0 + sway) + 0.5 * wave(p.x * 47.0 - p.z * 23.0 + 2.0 * sway);
    let slack = smoothstep(0.0, 0.12, (p.y - 1.1).abs());
    height += cloth * (0.011 + 0.01 * flare + (0.0035 + 0.006 * flare) * slack * folds) * spot.shows(0.03);
    // A belt of two cords.
    for y in [1.075, 1.1] {
        height += trunk * 0.012 * bump((p.y - y) / 0.013) * spot.shows(0.02);
    }
    // Curls, but not on the face.
    let face = smoothstep(0.045, 0.07, p.z) * (1.0 - smoothstep(1.735, 1.755, p.y));
    let hair = smoothstep(1.62, 1.66, p.y) * (1.0 - face) * (1.0 - smoothstep(0.14, 0.2, (p.x - 0.01).abs()));
    let curl = noise(p * 55.0 + DVec3::splat(3.0 * noise(p * 24.0)));
    height += hair * (0.006 + 0.008 * (1.0 - curl * curl) + 0.004 * wave(p.y * 60.0 + curl)) * spot.shows(0.016);
    // Straps of the sandals up the shins, and muscle under bare skin.
    let shin = (1.0 - smoothstep(0.4, 0.42, p.y)) * smoothstep(0.09, 0.11, p.y);
    let strap =
        bump((wave(p.y * 11.0 + p.x * 4.0) - 0.4) / 0.3) + bump((wave(p.y * 11.0 - p.x * 4.0 + 0.3) - 0.4) / 0.3);
    height += shin * 0.004 * strap.min(1.0) * spot.shows(0.012);
    let bare = (1.0 - cloth) * (1.0 - hair);
    height + bare * 0.0025 * noise(p * DVec3::new(24.0, 9.0, 24.0)) * spot.shows(0.04)
}
