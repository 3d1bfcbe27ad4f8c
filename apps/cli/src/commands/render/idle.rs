//! Options that do nothing to this picture: a person who gave them expects to see something, and should be told.

use super::asks_for_pose;
use crate::args::{Render, Show};
use glam::Vec4;
use supple::rig::Rig;
use supple_render::Scene;

/// One line for each.
pub fn options(arguments: &Render, rig: &Rig, scene: &Scene, section: Option<Vec4>) -> Vec<String> {
    let mut idle = Vec::new();
    let shows = |what| arguments.show.contains(&what);
    let raw = [Show::Normals, Show::Depth, Show::Ids].into_iter().any(shows);
    let mut note = |idles: bool, what: &str, why: &str| {
        if idles {
            idle.push(format!("{what} has no effect: {why}"));
        }
    };
    let buffer = "raw buffers have one sample for each pixel, and nothing over them";
    note(raw && arguments.samples.is_some(), "--samples", buffer);
    note(raw && arguments.label.is_some(), "--label", buffer);
    let owned = [Show::Weights, Show::Segments, Show::SharedWeights].into_iter().any(shows);
    let colored = owned || arguments.quantity.is_some();
    note(arguments.plain && (raw || colored), "--plain", "materials and textures are not shown here anyway");
    note(shows(Show::Wire) && scene.surfaces.is_empty(), "--show wire", "there are no triangles");
    let field = shows(Show::Field);
    let asks = [Show::Weights, Show::Field, Show::Samples].into_iter().any(shows);
    note(arguments.joint.is_some() && !asks, "--joint", "only --show weights, field and samples look at it");
    note(arguments.plane.is_some() && !field, "--plane", "only --show field looks at it");
    note(field && arguments.section.is_some(), "--section", "--show field is cut by its own plane");
    note(field && arguments.quantity.is_some(), "--quantity", "--show field has colours of its own");
    note(field && arguments.close.is_some(), "--close", "--show field is drawn round its joint, which --joint names");
    note(field && arguments.view != "three-quarter", "--view", "--show field is seen square to its plane");
    let boneless = scene.bones.iter().all(|b| b.segments.is_empty());
    note(shows(Show::Bones) && boneless, "--show bones", "there are no bones");
    let how = &arguments.how;
    let chosen = how.method != "linear" || !how.settings.is_empty() || how.project.is_some();
    let lies = rig.weights.is_none() && !asks_for_pose(arguments);
    note(chosen && lies, "the method", "a file without weights is drawn as it lies");
    if let Some(plane) = section {
        idle.extend(missed(scene, plane).map(|what| format!("--section {what}")));
    }
    if let Some(label) = scene.labels.first().map(|l| l.unknown_letters()).filter(|l| !l.is_empty()) {
        idle.push(format!("--label: \"{label}\" can only be drawn as boxes"));
    }
    idle
}

/// What is wrong with a section that leaves everything or nothing.
fn missed(scene: &Scene, plane: Vec4) -> Option<&'static str> {
    let surfaces = scene.surfaces.iter().flat_map(|s| &s.positions);
    let mut points = surfaces.chain(scene.points.iter().flat_map(|p| &p.positions)).peekable();
    if points.peek().is_none() {
        return Some("has no effect: there is no skin to cut");
    }
    let (mut kept, mut cut) = (false, false);
    points.for_each(|p| if plane.dot(p.extend(1.0)) > 0.0 { cut = true } else { kept = true });
    match (kept, cut) {
        (true, false) => Some("has no effect: all of the skin is on the side that is kept"),
        (false, _) => Some("cuts all of the skin away: a minus before the axis keeps the other side"),
        _ => None,
    }
}
