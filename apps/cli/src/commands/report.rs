//! Plain `supple`: every method on the built-in characters.

use crate::{console::Console, statistics::Timings};
use anyhow::Result;
use glam::{DAffine3, DQuat, DVec3, Vec3};
use std::io::Write;
use supple::{
    example::{self, ArmOptions, FigureOptions, HandOptions},
    graph::{BoundGraph, DeformGraph, methods},
    pose::{Motion, Pose},
    rig::Rig,
};

pub fn run(console: &Console) -> Result<()> {
    console.say("supple: making the built-in characters");
    let arm = example::arm(&ArmOptions::default())?;
    let hand = example::hand(&HandOptions::default())?;
    let figure = example::figure(&FigureOptions::default())?;
    let mut bend = Pose::rest(&arm);
    bend.bend(&arm, "forearm", 135.0, None)?;
    let mut twist = Pose::rest(&arm);
    twist.twist(&arm, "forearm", 180.0)?;
    let end = |rig: &Rig, clip: &str| -> Option<Pose> {
        let clip = rig.clip(clip)?;
        Some(clip.sample(rig, f64::from(clip.duration())))
    };
    let poses = [
        (&arm, "arm", "elbow bent 135°", Some(bend)),
        (&arm, "arm", "forearm twisted 180°", Some(twist)),
        (&hand, "hand", "fist", end(&hand, "fist")),
        (&figure, "figure", "crouch", end(&figure, "crouch")),
    ];
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{:<10}{:<23}{:<18}{:>10}{:>12}{:>12}{:>10}{:>10}",
        "character", "pose", "method", "vertices", "rest error", "rigid error", "volume", "ms"
    )?;
    for (rig, name, pose_name, pose) in &poses {
        let Some(pose) = pose else { continue };
        for method in methods().iter().filter(|m| m.stands_alone) {
            let mut bound = DeformGraph::single(method.name)?.bind(rig)?;
            let (rest_error, rigid_error) = errors(rig, &mut bound);
            let motion = Motion::of(rig, pose);
            let mut timings = Timings::default();
            timings.add(0.05, || {
                std::hint::black_box(bound.evaluate(&rig.mesh.positions, &motion));
            });
            let mut moved = rig.mesh.clone();
            moved.positions.copy_from_slice(bound.evaluate(&rig.mesh.positions, &motion));
            let volume = (moved.volume() / rig.mesh.volume() - 1.0) * 100.0;
            writeln!(
                out,
                "{name:<10}{pose_name:<23}{:<18}{:>10}{rest_error:>12.1e}{rigid_error:>12.1e}{volume:>+9.1}%{:>10.3}",
                method.name,
                rig.mesh.positions.len(),
                timings.median()
            )?;
        }
    }
    writeln!(out, "\nrest and rigid errors are fractions of the diagonal; volume is the change of the signed volume")?;
    writeln!(
        out,
        "next: `supple example hand -o hand.glb`, `supple deform hand.glb --clip fist --time 1 -o fist.obj`"
    )?;
    Ok(())
}

/// How far the rest pose is from the rest positions, and a rigid motion of all joints from the same motion of all
/// points; over the diagonal.
fn errors(rig: &Rig, bound: &mut BoundGraph) -> (f64, f64) {
    let rest = &rig.mesh.positions;
    let diagonal = f64::from(rig.diagonal());
    let turn = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, -1.0).normalize(), 2.0);
    let motion = DAffine3::from_rotation_translation(turn, DVec3::splat(diagonal * 0.3));
    let farthest = |points: &[Vec3], to: &dyn Fn(DVec3) -> DVec3| {
        let distance = |(p, r): (&Vec3, &Vec3)| p.as_dvec3().distance(to(r.as_dvec3()));
        points.iter().zip(rest).map(distance).fold(0.0, f64::max) / diagonal
    };
    let at_rest = farthest(bound.evaluate(rest, &Motion::of(rig, &Pose::rest(rig))), &|p| p);
    let moved = Motion::uniform(rig.skeleton.len(), motion);
    let rigid = farthest(bound.evaluate(rest, &moved), &|p| motion.transform_point3(p));
    (at_rest, rigid)
}
