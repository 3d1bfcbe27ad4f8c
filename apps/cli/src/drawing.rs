//! Where pictures are drawn. Every command that draws comes through here, so that another renderer has one door.

use glam::Vec3;
use supple::rig::Rig;
use supple_render::{Buffers, Error, Scene, View, character, cpu};

/// Draws a scene.
pub fn draw(scene: &Scene, view: &View) -> Result<Buffers, Error> {
    cpu::render(scene, view)
}

/// What draws, in words for people.
pub fn device() -> String {
    format!("the processor, {}", threads())
}

/// How many threads the processor works with.
pub fn threads() -> String {
    match rayon::current_num_threads() {
        1 => "1 thread".to_owned(),
        n => format!("{n} threads"),
    }
}

/// The moved points of a rig as what they are: a surface or a point set. Textures that cannot be read are left out.
pub fn scene(rig: &Rig, points: &[Vec3]) -> Scene {
    let mut scene = Scene::default();
    if rig.mesh.is_point_set() {
        scene.points.push(character::points(rig, points));
    } else {
        scene.surfaces.push(character::surface(rig, points).0);
    }
    scene
}
