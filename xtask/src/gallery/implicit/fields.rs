//! What fields look like.

use super::{
    graph, joined, stacked,
    window::{TITLE, Window},
};
use crate::gallery::{
    panels::{Panel, draw, grid},
    pictures::{arm, bent, beside, title},
};
use anyhow::Result;
use glam::{Vec2, Vec3, Vec3A};
use serde_json::json;
use supple::{
    deform::{
        Settings,
        implicit::{Implicit, Volume},
    },
    field::compose::Posed,
    pose::Motion,
    rig::Rig,
};
use supple_render::Picture;

const SKIN: Vec3 = Vec3::new(1.0, 1.0, 1.0);

fn volume(rig: &Rig, settings: &[(&str, serde_json::Value)]) -> Result<Volume> {
    let settings: Settings = settings.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    Ok(Implicit::from_settings(&settings)?.volume(rig)?)
}

/// Two volumes closed too early, as they should be, and too late; and the skin that follows them.
pub fn caps() -> Result<Picture> {
    let rig = arm(true)?;
    let pose = bent(&rig, 90.0)?;
    let motion = Motion::of(&rig, &pose);
    let window = Window::of_arm([1.75, 0.15], 2.2, [290, 250]);
    let mut rows = [Vec::new(), Vec::new()];
    for (cap, words) in [(0.5, "cap 0.5: too near"), (1.0, "cap 1"), (1.5, "cap 1.5: too far")] {
        let mut section = window.field(&volume(&rig, &[("cap", json!(cap))])?.body, &motion);
        let panel = Panel::new(&rig, &graph(&[("cap", json!(cap))])?, &pose)?;
        window.outline(&mut section, &panel, SKIN);
        title(&mut section, words);
        let mut skin = draw(&panel, &window.view())?;
        title(&mut skin, "");
        rows[0].push(section);
        rows[1].push(skin);
    }
    Ok(stacked(&[beside(&rows[0]), beside(&rows[1])]))
}

/// A plain blend, one that looks at the angle, and the skin of the second; from straight to folded.
pub fn operators() -> Result<Picture> {
    let rig = arm(true)?;
    let everywhere = json!({"kind": "blend", "theta": [0, 45, 90, 0, 0, 0, 1, 1]});
    let mut pictures = Vec::new();
    for degrees in [0.0, 45.0, 90.0, 120.0] {
        let pose = bent(&rig, degrees)?;
        let motion = Motion::of(&rig, &pose);
        let window = Window::of_arm([1.9, 0.25], 2.1, [232, 172]);
        let plain = window.field(&volume(&rig, &[("operator", everywhere.clone())])?.body, &motion);
        let ours = window.field(&volume(&rig, &[("operator", json!("blend"))])?.body, &motion);
        let skin = draw(&joined(&rig, "blend", &pose)?, &window.view())?;
        let words = [format!("{degrees}°, always blended"), "blended by the angle".to_owned(), "its skin".to_owned()];
        for (mut picture, words) in [plain, ours, skin].into_iter().zip(words) {
            title(&mut picture, &words);
            pictures.push(picture);
        }
    }
    Ok(grid(3, &pictures))
}

/// Arrows along the gradients of two limbs: on the inside of a bend they differ by it, on the outside they do not.
pub fn gradients() -> Result<Picture> {
    let rig = arm(true)?;
    let pose = bent(&rig, 45.0)?;
    let motion = Motion::of(&rig, &pose);
    let window = Window::of_arm([2.05, 0.2], 2.3, [420, 340]);
    let mut pictures = Vec::new();
    for (operator, words) in [("union", "union, and the gradients of both limbs"), ("blend", "blend")] {
        let body = volume(&rig, &[("operator", json!(operator))])?.body;
        let mut picture = window.field(&body, &motion);
        window.outline(&mut picture, &joined(&rig, operator, &pose)?, SKIN);
        if operator == "union" {
            let mut posed = Posed::of(&body);
            posed.update(&body, &motion);
            for y in (TITLE + 24..picture.height).step_by(27) {
                for x in (24..picture.width).step_by(27) {
                    let from = Vec2::new(x as f32, y as f32);
                    for (limb, color) in [(0, Vec3::new(0.0, 0.02, 0.25)), (1, Vec3::new(0.95, 0.75, 0.0))] {
                        let Some(felt) = posed.limb(&body, limb, Vec3A::from(window.world(from))) else { continue };
                        // Where a limb is hardly felt its direction says little.
                        if felt.value > 0.2 && felt.value < 0.85 {
                            let along = Vec3::from(felt.gradient).normalize() * 0.12;
                            let tip = window.pixel(window.world(from) + along);
                            arrow(&mut picture, from, tip, color);
                        }
                    }
                }
            }
        }
        title(&mut picture, words);
        pictures.push(picture);
    }
    Ok(beside(&pictures))
}

fn arrow(picture: &mut Picture, from: Vec2, to: Vec2, color: Vec3) {
    picture.line(from, to, 1.6, color);
    let back = (from - to).normalize_or_zero() * 5.0;
    for side in [back.rotate(Vec2::from_angle(0.5)), back.rotate(Vec2::from_angle(-0.5))] {
        picture.line(to, to + side, 1.4, color);
    }
}
