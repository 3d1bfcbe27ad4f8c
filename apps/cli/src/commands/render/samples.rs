//! `--show samples`: the points that the volumes of the limbs were fitted through.

use crate::joints;
use anyhow::{Result, anyhow};
use glam::{Vec2, Vec3};
use supple::{deform::implicit::Implicit, field::Point, graph::DeformGraph, pose::Motion, rig::Rig};
use supple_render::{Buffers, Entries, Legend, Picture, View, color};

const CAP: Vec3 = Vec3::new(0.75, 0.03, 0.03);
/// Dots that lie behind the skin are this much paler.
const HIDDEN: f32 = 0.3;

/// A sample in the pose.
struct Dot {
    at: Vec3,
    color: Vec3,
    number: Option<usize>,
}

/// All that are shown.
pub struct Dots {
    dots: Vec<Dot>,
    /// What lies deeper than this below the skin is hidden by it.
    depth: f32,
}

impl Dots {
    /// Those of every limb, or those of one, numbered as its settings number them.
    pub fn of(rig: &Rig, graph: &DeformGraph, motion: &Motion, joint: Option<&str>) -> Result<(Self, Legend)> {
        let skeleton = &rig.skeleton;
        let wanted = joint.map(|name| joints::named(skeleton, "--joint", name)).transpose()?;
        let volume = Implicit::in_graph(graph).unwrap_or_default().volume(rig)?;
        let (mut dots, mut names) = (Vec::new(), Vec::new());
        for limb in volume.body.limbs.iter().filter(|l| wanted.is_none_or(|j| l.limb.joint == j)) {
            let own = limb.limb.joint;
            let place = |p: &Point| motion.exact[own].transform_point3(p.at).as_vec3();
            let hue = color::hue(own);
            names.push((skeleton.joints()[own].name.clone(), hue));
            let on_skin = limb.samples.iter().enumerate();
            dots.extend(on_skin.map(|(i, p)| Dot { at: place(p), color: hue, number: wanted.map(|_| i) }));
            dots.extend(limb.caps.iter().map(|p| Dot { at: place(p), color: CAP, number: None }));
        }
        if let (Some(name), true) = (joint, dots.is_empty()) {
            return Err(anyhow!("--show samples: joint \"{name}\" has no volume"));
        }
        names.push(("caps".to_owned(), CAP));
        let legend = Legend { title: "samples".into(), entries: Entries::Names(names) };
        Ok((Self { dots, depth: 0.01 * rig.diagonal() }, legend))
    }

    /// Where they are.
    pub fn places(&self) -> Vec<Vec3> {
        self.dots.iter().map(|dot| dot.at).collect()
    }

    pub fn draw(&self, buffers: &Buffers, view: &View, picture: &mut Picture) {
        let radius = (view.size[1] as f32 / 180.0).clamp(2.0, 6.0);
        let ink = view.background.ink();
        for dot in &self.dots {
            let Some(at) = view.camera.pixel(dot.at, view.size) else { continue };
            let hidden = self.is_hidden(buffers, view, dot.at, at);
            // Caps always lie inside.
            let share = if hidden && dot.color != CAP { HIDDEN } else { 1.0 };
            picture.disc(at, radius + 1.2, Vec3::splat(0.01), share);
            picture.disc(at, radius, dot.color, share);
            if let Some(number) = dot.number.filter(|_| !hidden) {
                let foot = at + Vec2::new(radius + 2.0, -radius);
                picture.text(&number.to_string(), foot, (2.6 * radius).max(9.0), ink);
            }
        }
    }

    fn is_hidden(&self, buffers: &Buffers, view: &View, at: Vec3, pixel: Vec2) -> bool {
        let inside = pixel.cmpge(Vec2::ZERO).all() && pixel.x < buffers.width as f32 && pixel.y < buffers.height as f32;
        let index = pixel.y.max(0.0) as usize * buffers.width as usize + pixel.x.max(0.0) as usize;
        if !inside || buffers.id[index] == 0 {
            return false;
        }
        let towards = view.camera.towards(at);
        (buffers.position[index] - at).dot(towards) > self.depth
    }
}
