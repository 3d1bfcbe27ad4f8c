//! From a rig and its moved points to things that can be drawn.

use crate::{
    color,
    scene::{Bones, CLAY, Look, Paint, Points, Scene, Shading, Surface},
    textures::{TextureError, Textures},
};
use glam::Vec3;
use supple::{
    math::Bounds,
    pose::Motion,
    rig::{CREASE_DEGREES, Normals, Rig, Weights},
    weights::segment::Segmentation,
};

/// The moved points of a rig as what they are: a surface or a point set. Textures that cannot be read are left out.
pub fn scene(rig: &Rig, points: &[Vec3]) -> Scene {
    textured_scene(rig, points, &Textures::of(rig).0)
}

/// The same with textures that are decoded already.
pub fn textured_scene(rig: &Rig, points: &[Vec3], textures: &Textures) -> Scene {
    let mut scene = Scene::default();
    if rig.mesh.is_point_set() {
        scene.points.push(self::points(rig, points));
    } else {
        scene.surfaces.push(textured(rig, points, textures));
    }
    scene
}

/// The skin of a rig at moved points, with the rig's materials, and what is wrong with its textures.
pub fn surface(rig: &Rig, points: &[Vec3]) -> (Surface, Vec<TextureError>) {
    let (textures, faults) = Textures::of(rig);
    (textured(rig, points, &textures), faults)
}

/// The skin of a rig at moved points, with the rig's materials and the textures that [`Textures::of`] gave for it.
pub fn textured(rig: &Rig, points: &[Vec3], textures: &Textures) -> Surface {
    let mesh = &rig.mesh;
    let corners = Normals::of(mesh).creased(points, CREASE_DEGREES).to_vec();
    let mut surface = Surface::new(points.to_vec(), mesh.triangles.clone(), Shading::Creased(corners));
    surface.uvs = mesh.uvs.clone();
    surface.textures = textures.all.clone();
    for part in &rig.parts {
        let material = part.material.and_then(|m| rig.materials.get(m));
        let color = material.map_or(CLAY, |m| Vec3::new(m.base_color[0], m.base_color[1], m.base_color[2]));
        let image = material.and_then(|m| m.base_color_image);
        let texture = image.and_then(|i| textures.of_image.get(i).copied().flatten());
        surface.looks.push(Look { triangles: part.triangles.clone(), color, texture });
    }
    if let Some(colors) = mesh.colors.as_ref().filter(|_| surface.textures.is_empty()) {
        surface.paint = Paint::Vertices(colors.iter().map(linear).collect());
    }
    surface
}

fn linear(&[r, g, b, _]: &[u8; 4]) -> Vec3 {
    Vec3::new(f32::from(r), f32::from(g), f32::from(b)) / 255.0
}

/// A point set at moved points.
pub fn points(rig: &Rig, points: &[Vec3]) -> Points {
    // Discs as wide as one and a half times the spacing of points spread evenly over the box's sides.
    let size = Bounds::of(points).size();
    let area = 2.0 * (size.x * size.y + size.y * size.z + size.z * size.x);
    let radius = 0.75 * (0.5 * area / points.len().max(1) as f32).sqrt();
    let radius = if radius > 0.0 { radius } else { 0.01 * rig.diagonal() };
    // Stored normals belong to the rest; turned points would be lit wrongly.
    let normals = rig.mesh.normals.clone().filter(|_| points == rig.mesh.positions);
    let paint = rig.mesh.colors.as_ref().map_or(Paint::Looks, |c| Paint::Vertices(c.iter().map(linear).collect()));
    Points { positions: points.to_vec(), normals, radius, paint }
}

/// The bones of a rig, moved.
pub fn bones(rig: &Rig, motion: &Motion) -> Bones {
    let (bones, _) = rig.skeleton.bones(&rig.mesh.positions, rig.weights.as_ref());
    let posed = |b: &supple::rig::Bone| {
        let place = |p| motion.exact[b.joint].transform_point3(p).as_vec3();
        [place(b.head), place(b.tail)]
    };
    Bones { segments: bones.iter().map(posed).collect(), colors: Vec::new() }
}

/// One hue for each joint, blended by weight.
pub fn weight_colors(weights: &Weights) -> Paint {
    let row = |v| {
        let (joints, values) = weights.row(v);
        joints.iter().zip(values).map(|(&j, &w)| color::hue(j.into()) * w).sum()
    };
    Paint::Vertices((0..weights.len()).map(row).collect())
}

/// How much of each vertex one joint owns, as [`ColorMap::Amount`](color::ColorMap::Amount).
pub fn joint_weight(weights: &Weights, joint: usize) -> Paint {
    let share = |v| {
        let (joints, values) = weights.row(v);
        let own = joints.iter().position(|&j| usize::from(j) == joint).map_or(0.0, |k| values[k]);
        color::ColorMap::Amount.color(own)
    };
    Paint::Vertices((0..weights.len()).map(share).collect())
}

/// The joints that own most of some vertex, with their colours, in order.
pub fn weight_names(rig: &Rig, weights: &Weights) -> Vec<(String, Vec3)> {
    let mut owns = vec![false; rig.skeleton.len()];
    (0..weights.len()).for_each(|v| owns[weights.dominant(v)] = true);
    let joints = rig.skeleton.joints().iter().enumerate().filter(|(j, _)| owns[*j]);
    joints.map(|(j, joint)| (joint.name.clone(), color::hue(j))).collect()
}

/// One hue for each joint, triangle by triangle.
pub fn segment_colors(parts: &Segmentation) -> Paint {
    Paint::Faces(parts.faces.iter().map(|&j| color::hue(j.into())).collect())
}

/// For each vertex over how many joints it is spread: 1 where one owns it, 2 where two own a half each.
pub fn shared(weights: &Weights) -> Vec<f32> {
    let spread = |v| 1.0 / weights.row(v).1.iter().map(|w| w * w).sum::<f32>();
    (0..weights.len()).map(spread).collect()
}

/// For each vertex how much the edges round it have grown: the mean of posed length over rest length, 1 where there
/// are none.
pub fn stretch(rig: &Rig, points: &[Vec3]) -> Vec<f32> {
    let surface = rig.surface();
    let topology = surface.topology();
    let (mut sum, mut count) = (vec![0.0_f64; topology.points()], vec![0u32; topology.points()]);
    for &[a, b] in &topology.edges {
        let [i, j] = [a, b].map(|p| topology.weld.first_of[p as usize] as usize);
        let rest = rig.mesh.positions[i].as_dvec3().distance(rig.mesh.positions[j].as_dvec3());
        if rest > 0.0 {
            let ratio = points[i].as_dvec3().distance(points[j].as_dvec3()) / rest;
            for p in [a, b] {
                sum[p as usize] += ratio;
                count[p as usize] += 1;
            }
        }
    }
    let mean = |(s, &n): (&f64, &u32)| if n == 0 { 1.0 } else { (s / f64::from(n)) as f32 };
    let per_point: Vec<f32> = sum.iter().zip(&count).map(mean).collect();
    topology.weld.welded_of.iter().map(|&p| per_point[p as usize]).collect()
}
