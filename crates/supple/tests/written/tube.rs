//! A small rig with one of everything that can be written.

use supple::{
    glam::{DAffine3, DQuat, DVec3, Vec2, Vec3},
    pose::{Channel, Clip, Interpolation, Track},
    rig::{AlphaMode, Image, Joint, Material, Mesh, Morph, Part, Rig, Role, Skeleton, Weights, WeightsBuilder},
};

const AROUND: u32 = 12;
const RINGS: u32 = 9;
const JOINTS: usize = 6;

/// A one-pixel PNG.
const PIXEL: &[u8] = &[
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8,
    6, 0, 0, 0, 0x1f, 0x15, 0xc4, 0x89, 0, 0, 0, 0x0d, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0xf8, 0xcf, 0xc0,
    0xf0, 0x1f, 0, 5, 0, 1, 0xff, 0x56, 0xc7, 0x2f, 0x0d, 0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
];

/// A tube along x in two parts, and a prop of two triangles; six joints under a frame, the first of which holds the
/// prop; up to six influences; two morphs; materials, a texture, colours.
pub fn tube() -> Rig {
    let mut mesh = Mesh { uvs: Some(Vec::new()), colors: Some(Vec::new()), ..Mesh::default() };
    let mut parts = Vec::new();
    for half in 0..2 {
        let (first_vertex, first_triangle) = (mesh.positions.len() as u32, mesh.triangles.len() as u32);
        for ring in 0..RINGS {
            let x = (half * (RINGS - 1) + ring) as f32 / (RINGS - 1) as f32 * 2.0;
            for i in 0..AROUND {
                let (sin, cos) = (i as f32 / AROUND as f32 * std::f32::consts::TAU).sin_cos();
                mesh.positions.push(Vec3::new(x, 0.3 * cos, 0.3 * sin));
                mesh.uvs.as_mut().unwrap().push(Vec2::new(x / 4.0, i as f32 / AROUND as f32));
                mesh.colors.as_mut().unwrap().push([(x * 60.0) as u8, (i * 20) as u8, 128, 255]);
            }
        }
        for ring in 0..RINGS - 1 {
            for i in 0..AROUND {
                let [a, b] = [i, (i + 1) % AROUND].map(|i| first_vertex + ring * AROUND + i);
                mesh.triangles.extend([[a, b, b + AROUND], [a, b + AROUND, a + AROUND]]);
            }
        }
        parts.push(Part {
            name: if half == 0 { "tube" } else { "sleeve" }.to_owned(),
            vertices: first_vertex..mesh.positions.len() as u32,
            triangles: first_triangle..mesh.triangles.len() as u32,
            material: Some(half as usize),
            skinned: true,
        });
    }
    let (v, t) = (mesh.positions.len() as u32, mesh.triangles.len() as u32);
    for (y, z) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
        mesh.positions.push(Vec3::new(-0.5, y, z));
        mesh.uvs.as_mut().unwrap().push(Vec2::new(y, z));
        mesh.colors.as_mut().unwrap().push([255; 4]);
    }
    mesh.triangles.extend([[v, v + 1, v + 2], [v, v + 2, v + 3]]);
    parts.push(Part { name: "prop".into(), vertices: v..v + 4, triangles: t..t + 2, material: None, skinned: false });
    let weights = weights(&mesh, v as usize);
    let morphs = morphs(&mesh, v);
    let images = vec![Image { name: "pixel".into(), mime: "image/png".into(), bytes: PIXEL.into() }];
    let (skeleton, weights) = (skeleton(), Some(weights));
    let materials = materials();
    Rig { name: "tube".into(), mesh, parts, skeleton, weights, morphs, materials, images, ..Rig::default() }
}

fn materials() -> Vec<Material> {
    let plain = Material { name: "plain".into(), base_color: [0.8, 0.4, 0.2, 1.0], ..Material::default() };
    let textured = Material {
        name: "textured".into(),
        base_color_image: Some(0),
        emissive: [0.1, 0.0, 0.0],
        alpha_mode: AlphaMode::Mask(0.25),
        double_sided: true,
        ..Material::default()
    };
    vec![plain, textured]
}

fn skeleton() -> Skeleton {
    let turn = DQuat::from_rotation_z(-std::f64::consts::FRAC_PI_2);
    // Turned and moved, but not scaled: Blender's bones have no scale at rest, and would blend it wrongly.
    let placed = DAffine3::from_rotation_translation(DQuat::from_rotation_y(0.3), DVec3::new(0.0, -0.5, 0.0));
    let mut joints = vec![Joint::new("scene", None, placed)];
    joints[0].role = Role::Frame;
    for i in 1..JOINTS {
        let at = DVec3::new((i - 1) as f64, 0.0, 0.0);
        joints.push(Joint::new(format!("bone {i}"), Some(i - 1), DAffine3::from_rotation_translation(turn, at)));
    }
    let skeleton = Skeleton::new(joints).unwrap().show_rest();
    // Shown bent, so that bind pose and shown pose differ.
    let mut joints = skeleton.joints().to_vec();
    for joint in &mut joints[2..] {
        joint.shown_local *= DAffine3::from_rotation_x(0.4);
        joint.shown_local.translation *= 1.1;
    }
    joints[2].hinge = Some(DVec3::Z);
    Skeleton::new(joints).unwrap()
}

fn weights(mesh: &Mesh, prop: usize) -> Weights {
    let mut builder = WeightsBuilder::default();
    for (v, p) in mesh.positions.iter().enumerate() {
        if v >= prop {
            builder.push([(0, 1.0)]);
        } else {
            builder.push((0..JOINTS as u16).map(|j| (j, (-1.5 * (f32::from(j) - 0.5 - p.x).powi(2)).exp())));
        }
    }
    builder.finish(|_| 0).0
}

fn morphs(mesh: &Mesh, tube: u32) -> Vec<Morph> {
    let bulge = |v: &u32| mesh.positions[*v as usize] * Vec3::new(0.0, 0.5, 0.5);
    let all: Vec<u32> = (0..tube).collect();
    let few: Vec<u32> = (30..40).collect();
    let morph = |name: &str, default_weight, vertices: Vec<u32>| {
        let deltas = vertices.iter().map(bulge).collect();
        Morph { name: name.into(), default_weight, vertices, deltas }
    };
    vec![morph("fat", 0.5, all), morph("knob", 0.0, few)]
}

/// One clip per interpolation, and one whose morphs have keys at different times.
pub fn clips() -> Vec<Clip> {
    let mut clips = Vec::new();
    let times: Vec<f32> = (0..=12).map(|k| k as f32 / 24.0).collect();
    let shared: std::sync::Arc<[f32]> = times.clone().into();
    let turn = |t: f32| DQuat::from_rotation_x(f64::from(t) * 2.0).as_quat().to_array();
    let slide = |t: f32| [t, 0.5, 0.0];
    for (name, interpolation) in
        [("linear", Interpolation::Linear), ("step", Interpolation::Step), ("cubic", Interpolation::CubicSpline)]
    {
        let cubic = interpolation == Interpolation::CubicSpline;
        let rows = |value: &dyn Fn(f32) -> Vec<f32>| -> Vec<f32> {
            let row = |&t: &f32| {
                let v = value(t);
                let zero = vec![0.0; if cubic { v.len() } else { 0 }];
                [zero.clone(), v, zero].concat()
            };
            times.iter().flat_map(row).collect()
        };
        let track =
            |channel, values: Vec<f32>| Track { channel, interpolation, times: shared.clone(), values: values.into() };
        let tracks = vec![
            track(Channel::Rotation(3), rows(&|t| turn(t).to_vec())),
            track(Channel::Translation(2), rows(&|t| slide(t).to_vec())),
            track(Channel::Scale(4), rows(&|t| vec![1.0 + t; 3])),
            track(Channel::Morph(0), rows(&|t| vec![t])),
        ];
        clips.push(Clip::new(name, tracks).unwrap());
    }
    let morph = |morph, interpolation, times: &[f32], values: &[f32]| Track {
        channel: Channel::Morph(morph),
        interpolation,
        times: times.into(),
        values: values.into(),
    };
    let mixed = vec![
        morph(0, Interpolation::Step, &[0.0, 0.25, 0.5], &[0.0, 1.0, 0.0]),
        morph(1, Interpolation::Linear, &[0.1, 0.4], &[0.0, 1.0]),
    ];
    clips.push(Clip::new("mixed", mixed).unwrap());
    clips
}

/// The tube with a second root joint.
pub fn two_roots() -> Rig {
    let mut rig = tube();
    let mut joints = rig.skeleton.joints().to_vec();
    joints[1].parent = None;
    joints[1].shown_local = joints[1].rest_from_joint;
    rig.skeleton = Skeleton::new(joints).unwrap();
    rig.name = "two roots".into();
    rig
}

/// The same with a joint whose shown transform is sheared, which Blender's bones cannot follow.
pub fn sheared() -> Rig {
    let mut rig = two_roots();
    let mut joints = rig.skeleton.joints().to_vec();
    let squash = DAffine3::from_scale(DVec3::new(1.0, 1.3, 0.8));
    joints[3].shown_local = joints[3].shown_local * squash * DAffine3::from_rotation_x(0.5);
    rig.skeleton = Skeleton::new(joints).unwrap();
    rig.name = "sheared".into();
    rig
}

/// Its points alone.
pub fn points() -> Rig {
    let tube = tube();
    let mesh = Mesh { positions: tube.mesh.positions, colors: tube.mesh.colors, ..Mesh::default() };
    Rig { skeleton: tube.skeleton, weights: tube.weights, ..Rig::of_mesh("points", mesh) }
}

/// Its skeleton alone, with the clips that move it.
pub fn bare() -> Rig {
    let clips = clips().into_iter().filter(|c| c.name != "mixed").collect();
    Rig { name: "bare".into(), skeleton: skeleton(), clips, ..Rig::default() }
}
