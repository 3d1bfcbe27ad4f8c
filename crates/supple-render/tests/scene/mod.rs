//! The scene of the renderer's golden: everything that can be drawn, small.

use std::path::PathBuf;
use supple::{
    example::{self, ArmOptions},
    graph::DeformGraph,
    pose::{Motion, Pose},
};
use supple_render::{
    Anchor, Camera, Channel, ColorMap, Direction, Entries, Label, Legend, Picture, Points, Scene, View, character, cpu,
};

pub fn golden() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .find_map(|f| Some(f.join("golden")).filter(|g| g.is_dir()))
        .expect("golden/")
        .join("render.png")
}

pub fn scene() -> (Scene, View) {
    let rig = example::arm(&ArmOptions { vertices: 1500, ..ArmOptions::default() }).expect("an arm");
    let mut pose = Pose::rest(&rig);
    pose.bend(&rig, "forearm", 110.0, None).expect("a hinge");
    let motion = Motion::of(&rig, &pose);
    let mut bound = DeformGraph::single("linear").expect("a method").bind(&rig).expect("weights");
    let points = bound.evaluate(&rig.mesh.positions, &motion).to_vec();
    let (mut surface, _) = character::surface(&rig, &points);
    surface.paint = character::weight_colors(rig.weights.as_ref().expect("weights"));
    let cloud = points.iter().step_by(20).map(|p| *p + glam::Vec3::new(0.0, -1.6, 0.0)).collect();
    let scene = Scene {
        surfaces: vec![surface],
        points: vec![Points { positions: cloud, normals: None, radius: 0.08, paint: supple_render::Paint::Looks }],
        bones: vec![character::bones(&rig, &motion)],
        labels: vec![Label { text: "Arm 110°".into(), at: Anchor::Bottom, size: 8.0 }],
        legends: vec![Legend {
            title: "a".into(),
            entries: Entries::Scale { map: ColorMap::Diverging, ends: ["0".into(), "1".into(), "2".into()] },
        }],
        ..Scene::default()
    };
    let size = [96, 72];
    let camera = Camera::framing(&scene.extent(), Direction::ThreeQuarter, 96.0 / 72.0, true);
    (scene, View::new(camera, size))
}

pub fn picture() -> Picture {
    let (scene, view) = scene();
    cpu::render(&scene, &view).expect("a sound scene").picture(Channel::Color, &view)
}
