//! Pictures of the methods that move the skin in one pass, beyond linear and dual quaternions.

use super::{
    panels::{Look, Panel, grid},
    pictures::{ELBOW, arm, bent, elbow, title, twisted},
};
use crate::figures;
use anyhow::Result;
use glam::Vec3;
use supple::{
    deform::Settings,
    example::{self, ArmOptions},
    graph::DeformGraph,
    pose::Pose,
    rig::{Rig, Weights},
};
use supple_render::Picture;

pub fn stretch_twist() -> Result<Picture> {
    let rig = arm(true)?;
    let pose = twisted(&rig, 150.0)?;
    let rest = Panel::of(&rig, "linear", &Pose::rest(&rig))?.striped(&rig).label("rest");
    let linear = Panel::of(&rig, "linear", &pose)?.striped(&rig).label("linear, twisted 150°");
    let own = Panel::of(&rig, "stretch-twist", &pose)?.striped(&rig).label("stretch-twist, twisted 150°");
    Look::new(Vec3::new(0.0, 0.25, 1.0), 330, 160).draw(3, &[rest, linear, own])
}

pub fn stretch_twist_bend() -> Result<Picture> {
    elbow("stretch-twist", "collapsed", ELBOW + Vec3::new(0.277, -0.115, 0.0))
}

pub fn rotation_center() -> Result<Picture> {
    let rig = arm(false)?;
    let (bent, twisted) = (bent(&rig, 90.0)?, twisted(&rig, 150.0)?);
    let panel =
        |method: &str, pose: &Pose, what: &str| -> Result<Panel> { Ok(Panel::of(&rig, method, pose)?.label(what)) };
    let bends = [
        panel("linear", &bent, "linear, elbow bent 90°")?,
        panel("dual-quaternion", &bent, "dual-quaternion")?,
        panel("rotation-center", &bent, "rotation-center")?,
    ];
    let twists = [
        panel("linear", &twisted, "linear, twisted 150°")?,
        panel("dual-quaternion", &twisted, "dual-quaternion")?,
        panel("rotation-center", &twisted, "rotation-center")?,
    ];
    let (bends, twists) =
        (Look::new(Vec3::Z, 300, 250).draw(3, &bends)?, Look::new(Vec3::Z, 300, 150).draw(3, &twists)?);
    let paper = supple_render::Background::Light.color();
    let mut all = Picture::new(bends.width, bends.height + twists.height, paper);
    all.place(&bends, 0, 0);
    all.place(&twists, 0, bends.height);
    Ok(all)
}

pub fn rotation_center_overlap() -> Result<Picture> {
    elbow("rotation-center", "no bulge", ELBOW + Vec3::new(0.46, -0.19, 0.0))
}

/// The arm with weights of nought and one.
fn crude(rig: &Rig) -> Rig {
    let mut crude = rig.clone();
    crude.weights = rig.weights.as_ref().map(|w| Weights::rigid((0..w.len()).map(|v| w.dominant(v) as u16)));
    crude
}

pub fn delta_mush() -> Result<Picture> {
    let rig = arm(false)?;
    let crude = crude(&rig);
    let pose = bent(&rig, 90.0)?;
    let rest = Panel::of(&rig, "linear", &Pose::rest(&rig))?.label("rest");
    let linear = Panel::of(&crude, "linear", &pose)?.label("linear, one joint a vertex");
    let own = Panel::of(&crude, "delta-mush", &pose)?.label("delta-mush, one joint a vertex");
    Look::new(Vec3::Z, 300, 270).draw(3, &[rest, linear, own])
}

pub fn delta_mush_density() -> Result<Picture> {
    let mut panels = Vec::new();
    for (vertices, lambda, what) in
        [(3_000, 8.0, "3,000 vertices"), (48_000, 8.0, "48,000 vertices"), (48_000, 128.0, "48,000, lambda 128")]
    {
        let rig = example::arm(&ArmOptions { plain: true, vertices, ..ArmOptions::default() })?;
        let settings = Settings::from_iter([("lambda".to_owned(), lambda.into())]);
        let crude = crude(&rig);
        let graph = DeformGraph::single_with("delta-mush", &settings)?;
        panels.push(Panel::new(&crude, &graph, &bent(&rig, 90.0)?)?.label(what));
    }
    Look::new(Vec3::Z, 300, 270).draw(3, &panels)
}

pub fn flesh() -> Result<Picture> {
    let rig = arm(false)?;
    let pose = bent(&rig, 90.0)?;
    let methods = ["linear", "dual-quaternion", "flesh"];
    let panel = |method: &str| Ok(Panel::of(&rig, method, &pose)?.label(method));
    let panels = methods.into_iter().map(panel).collect::<Result<Vec<_>>>()?;
    Look::new(Vec3::Z, 300, 270).draw(3, &panels)
}

pub fn comparison() -> Result<Picture> {
    let sides =
        [Vec3::new(0.15, 0.1, 1.0), Vec3::new(0.0, 0.2, 1.0), Vec3::new(0.55, 0.3, 0.78), Vec3::new(0.75, 0.18, 0.64)];
    let heights = [142, 104, 180, 190];
    let mut all: Option<Picture> = None;
    for ((case, towards), height) in figures::cases()?.iter().zip(sides).zip(heights) {
        let panel = |method: &&str| Panel::of(&case.rig, method, &case.pose);
        let panels = figures::METHODS.iter().map(panel).collect::<Result<Vec<_>>>()?;
        let points: Vec<Vec3> = panels.iter().flat_map(|p| p.points.iter().copied()).collect();
        let view = Look::new(towards, 168, height).view(&points);
        let mut row = panels.iter().map(|p| super::panels::draw(p, &view)).collect::<Result<Vec<_>>>()?;
        for (picture, method) in row.iter_mut().zip(figures::METHODS) {
            title(picture, if all.is_none() { method } else { "" });
        }
        let row = grid(figures::METHODS.len() as u32, &row);
        let before = all.as_ref().map_or(0, |p| p.height);
        let mut next = Picture::new(row.width, before + row.height, supple_render::Background::Light.color());
        if let Some(all) = &all {
            next.place(all, 0, 0);
        }
        next.place(&row, 0, before);
        all = Some(next);
    }
    all.ok_or_else(|| anyhow::anyhow!("there are cases"))
}
