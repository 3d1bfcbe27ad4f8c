//! What the mouse does in the views: it turns the view, a ring or a bone, or does what a panel's tool makes of it.
//!
//! What a tool makes of it can hang on what lies under the mouse, which only the device knows and tells some frames later.
//! Whatever the mouse does meanwhile waits in the order in which it was done, so that of the fastest stroke nothing is
//! lost, and so that a press beside the skin still turns the view.

use super::{
    super::{
        Words,
        tool::{Phase, Tool, Touch},
    },
    REACH, Scene,
};
use crate::{
    model::{Command, Edit},
    studio::{Studio, picking::Ticket, scene::Rings},
    viewport::{
        Place, Spot,
        pick::{self, Ring},
    },
};
use eframe::egui::{Event, PointerButton, Pos2, Rect, Response, Ui};
use glam::{DQuat, DVec3, Vec2, Vec3};
use std::collections::VecDeque;
use supple::{
    math::Trs,
    pose::{JointPose, Motion},
};
use supple_render::Camera;

/// What a drag does.
#[derive(Clone, Copy, Debug)]
enum Drag {
    Orbit,
    Pan,
    /// A ring: which axis, where the mouse was.
    Ring(usize, Vec2),
    /// A bone: the joint, and where the mouse was.
    Bone(usize, Vec2),
    /// What a panel's tool makes of it.
    Tool,
}

/// Something that the mouse did.
#[derive(Clone, Copy, Debug)]
struct Deed {
    phase: Phase,
    at: Vec2,
    /// Since the deed before.
    moved: Vec2,
    size: [u32; 2],
    camera: Camera,
    alt: bool,
    /// With the second or third button, or with Shift: it is about the view.
    pans: bool,
    /// Tools live in the first view.
    in_first: bool,
    /// The ring that was lit up.
    hot: Option<usize>,
}

/// See the module.
#[derive(Default)]
pub struct Hand {
    drag: Option<Drag>,
    /// The ring that is lit up.
    pub hot: Option<usize>,
    /// What it did, and the ticket of what it must know first.
    waiting: VecDeque<(Deed, Option<Ticket>)>,
    /// Where it was over which skin when that was asked last.
    hovered: Option<(Vec2, Camera, u64)>,
    /// The document all this is about.
    opened: u64,
}

/// Where the mouse is asked about: a view in the window.
pub struct Pane<'a> {
    pub response: &'a Response,
    pub rect: Rect,
    pub is_first: bool,
}

impl Hand {
    /// Before the views are asked: a ring is lit up by what is under the mouse in this frame, or by nothing.
    pub fn begin(&mut self, studio: &mut Studio) {
        if self.opened != studio.open.opened {
            *self = Self { opened: studio.open.opened, ..Self::default() };
        }
        if self.is_free() {
            self.hot = None;
        }
    }

    /// Nothing is dragged.
    fn is_free(&self) -> bool {
        self.drag.is_none() && !self.waiting.iter().any(|(deed, _)| deed.phase == Phase::Press)
    }

    /// Takes what the mouse does in a view.
    pub fn hear(
        &mut self,
        ui: &Ui,
        pane: &Pane<'_>,
        scene: &Scene<'_>,
        mut tool: Option<&mut (dyn Tool + 'static)>,
        studio: &mut Studio,
    ) {
        let (rect, response) = (pane.rect, pane.response);
        let size = [rect.width().max(1.0) as u32, rect.height().max(1.0) as u32];
        let local = |p: Pos2| Vec2::new(p.x - rect.min.x, p.y - rect.min.y);
        let camera = studio.sight.orbit.camera();
        let hover = response.hover_pos().map(local);
        // From the press on a ring is held, though nobody knows yet whether the mouse will click or drag.
        let pressed =
            ui.input(|i| i.pointer.press_origin()).filter(|_| response.is_pointer_button_down_on()).map(local);
        if let (Some(at), true, true) = (pressed.or(hover), pane.is_first, self.is_free()) {
            let rings = studio.rings(scene.motion).filter(|_| !studio.drawn.extras.no_ring);
            self.hot = rings.and_then(|r| hot(&r, &camera, size, at));
        }
        let (alt, shift) = ui.input(|i| (i.modifiers.alt, i.modifiers.shift));
        let other_button = response.dragged_by(PointerButton::Secondary) || response.dragged_by(PointerButton::Middle);
        let deed = Deed {
            phase: Phase::Hover,
            at: Vec2::ZERO,
            moved: Vec2::ZERO,
            size,
            camera,
            alt,
            pans: shift || other_button,
            in_first: pane.is_first,
            hot: self.hot,
        };
        if self.is_free() {
            let (phase, at) = hover.map_or((Phase::Leave, Vec2::ZERO), |at| (Phase::Hover, at));
            self.note(Deed { phase, at, ..deed }, &mut tool, scene, studio);
        }
        if let Some(at) = hover {
            let scroll = ui.input(|i| i.smooth_scroll_delta.y);
            let pinch = ui.input(|i| i.zoom_delta());
            if scroll != 0.0 || pinch != 1.0 {
                studio.sight.orbit.zoom((-scroll * 0.003).exp() / pinch, at, size);
            }
        }
        let now = response.interact_pointer_pos().map(local);
        let start = ui.input(|i| i.pointer.press_origin()).map(local).or(now).unwrap_or_default();
        let path = Path::of(ui, local);
        if response.drag_started() {
            self.note(Deed { phase: Phase::Press, at: start, ..deed }, &mut tool, scene, studio);
        } else if let Some(from) = path.pressed.filter(|_| path.released && pane.is_first && is_stroke(ui, response)) {
            // Pressed, drawn and let go within one frame: where frames take long, so are strokes.
            self.note(Deed { phase: Phase::Press, at: from, ..deed }, &mut tool, scene, studio);
            self.draw(&path, from, deed, &mut tool, scene, studio);
            self.note(Deed { phase: Phase::Release, at: from, ..deed }, &mut tool, scene, studio);
        }
        if let (true, Some(at)) = (response.clicked(), now) {
            let phase = if response.double_clicked() { Phase::DoubleClick } else { Phase::Click };
            self.note(Deed { phase, at, ..deed }, &mut tool, scene, studio);
        }
        if let (true, Some(at)) = (response.dragged(), now) {
            let delta = response.drag_delta();
            let moved = Vec2::new(delta.x, delta.y);
            if self.is_strokes() {
                self.draw(&path, at - moved, deed, &mut tool, scene, studio);
            } else {
                self.note(Deed { phase: Phase::Drag, at, moved, ..deed }, &mut tool, scene, studio);
            }
        }
        if response.drag_stopped() {
            if self.is_strokes() {
                // Up to where it was let go.
                let from = path.places.first().copied().unwrap_or_default();
                self.draw(&path, from, deed, &mut tool, scene, studio);
            }
            self.note(Deed { phase: Phase::Release, at: now.unwrap_or_default(), ..deed }, &mut tool, scene, studio);
        }
    }

    /// Every move counts: a tool has the drag, or may have it.
    fn is_strokes(&self) -> bool {
        matches!(self.drag, Some(Drag::Tool)) || self.waiting.iter().any(|(deed, _)| deed.phase == Phase::Press)
    }

    /// Every place that the mouse passed in this frame.
    fn draw(
        &mut self,
        path: &Path,
        from: Vec2,
        deed: Deed,
        tool: &mut Option<&mut (dyn Tool + 'static)>,
        scene: &Scene<'_>,
        studio: &mut Studio,
    ) {
        let mut last = from;
        for &at in &path.places {
            self.note(Deed { phase: Phase::Drag, at, moved: at - last, ..deed }, tool, scene, studio);
            last = at;
        }
    }

    /// Does it at once, or once it is known what it hangs on.
    fn note(
        &mut self,
        deed: Deed,
        tool: &mut Option<&mut (dyn Tool + 'static)>,
        scene: &Scene<'_>,
        studio: &mut Studio,
    ) {
        let asks = tool.as_deref().filter(|_| deed.in_first).and_then(|tool| tool.asks_skin(deed.phase, studio));
        let asks = asks.filter(|_| match deed.phase {
            Phase::Press => !deed.pans,
            Phase::Drag => self.is_strokes(),
            _ => true,
        });
        if deed.in_first && matches!(deed.phase, Phase::Hover | Phase::Leave) {
            let frame = studio.drawn.stages[0].bound().map_or(0, |ready| ready.frame);
            let over = asks.map(|_| (deed.at, deed.camera, frame));
            // Where the mouse rests over a skin that rests, the answer is known.
            if asks.is_some() && std::mem::replace(&mut self.hovered, over) == over {
                return;
            }
            self.hovered = over;
        }
        if asks.is_none() && self.waiting.is_empty() {
            return self.act(&deed, None, tool, scene, studio);
        }
        let ticket = asks.map(|radius| studio.work.picking.ask(&deed.camera, deed.size, Place { at: deed.at, radius }));
        self.waiting.push_back((deed, ticket));
    }

    /// Does what waited, as far as it is known what it hangs on.
    pub fn catch_up(&mut self, mut tool: Option<&mut (dyn Tool + 'static)>, scene: &Scene<'_>, studio: &mut Studio) {
        while let Some((deed, ticket)) = self.waiting.front().copied() {
            let spot = match ticket.map(|ticket| studio.work.picking.answer(ticket)) {
                None => None,
                Some(None) => return,
                Some(Some(spot)) => spot,
            };
            self.waiting.pop_front();
            self.act(&deed, spot.as_ref(), &mut tool, scene, studio);
        }
    }

    fn act(
        &mut self,
        deed: &Deed,
        skin: Option<&Spot>,
        tool: &mut Option<&mut (dyn Tool + 'static)>,
        scene: &Scene<'_>,
        studio: &mut Studio,
    ) {
        let Deed { phase, at, moved, size, alt, .. } = *deed;
        let (camera, motion) = (&deed.camera, scene.motion);
        let mut words = Words::default();
        let mut touch = |studio: &mut Studio, words: &mut Words| {
            let touch = Touch { phase, at, size, alt, camera, motion, skin };
            tool.as_deref_mut().filter(|_| deed.in_first).is_some_and(|tool| tool.touch(&touch, studio, words))
        };
        match phase {
            Phase::Hover | Phase::Leave => drop(touch(studio, &mut words)),
            Phase::Press => {
                let taken = !deed.pans && touch(studio, &mut words);
                self.drag = Some(if taken { Drag::Tool } else { grasp(deed, scene, studio) });
            }
            // A ring that is pressed and not dragged was meant all the same.
            Phase::Click | Phase::DoubleClick => {
                if !touch(studio, &mut words) && deed.hot.is_none() {
                    let joint = bone_at(deed, scene).filter(|_| studio.sight.bones);
                    let skeleton = studio.open.document.as_ref().map(|d| &d.rig().skeleton);
                    let name = joint.zip(skeleton).map(|(joint, s)| s.joints()[joint].name.clone());
                    // With a tool in hand, a click beside everything is a miss, and loses nothing.
                    if name.is_some() || !studio.drawn.extras.no_ring {
                        words.say(Command::Select { joint: name });
                    }
                }
            }
            Phase::Drag => match self.drag {
                Some(Drag::Tool) => drop(touch(studio, &mut words)),
                Some(Drag::Orbit) => studio.sight.orbit.orbit(moved, size),
                Some(Drag::Pan) => studio.sight.orbit.pan(moved, size),
                Some(Drag::Ring(axis, last)) => {
                    if let Some(rings) = studio.rings(motion) {
                        let ring = Ring { center: rings.center, axis: rings.axes[axis], radius: rings.radius };
                        turn(studio, rings.joint, ring.axis, ring.angle(camera, size, last, at), motion, &mut words);
                    }
                    self.drag = Some(Drag::Ring(axis, at));
                }
                Some(Drag::Bone(joint, last)) => {
                    let center = motion.exact[joint].transform_point3(rest_place(studio, joint)).as_vec3();
                    let axis = camera.towards(center);
                    let ring = Ring { center, axis, radius: 1.0 };
                    turn(studio, joint, axis, ring.angle(camera, size, last, at), motion, &mut words);
                    self.drag = Some(Drag::Bone(joint, at));
                }
                None => {}
            },
            Phase::Release => {
                if matches!(self.drag.take(), Some(Drag::Tool)) {
                    touch(studio, &mut words);
                }
                words.say(Command::Settle);
            }
        }
        // At once: what the next deed does hangs on what this one has changed.
        words.commands.into_iter().for_each(|command| studio.execute(command));
    }
}

/// Where the mouse went within a frame.
struct Path {
    /// Where the first button was pressed in it.
    pressed: Option<Vec2>,
    /// And that it was let go.
    released: bool,
    /// Every place it passed while the button was down.
    places: Vec<Vec2>,
}

impl Path {
    fn of(ui: &Ui, local: impl Fn(Pos2) -> Vec2) -> Self {
        let mut path = Self { pressed: None, released: false, places: Vec::new() };
        ui.input(|i| {
            for event in &i.events {
                match event {
                    Event::PointerMoved(at) if !path.released => path.places.push(local(*at)),
                    Event::PointerButton { pos, button: PointerButton::Primary, pressed: true, .. } => {
                        path = Self { pressed: Some(local(*pos)), released: false, places: Vec::new() };
                    }
                    Event::PointerButton { button: PointerButton::Primary, pressed: false, .. } => path.released = true,
                    _ => {}
                }
            }
        });
        path
    }
}

/// It was pressed in the view and let go elsewhere, and the window knows of neither a click nor a drag.
fn is_stroke(ui: &Ui, response: &Response) -> bool {
    let known = response.clicked() || response.dragged() || response.drag_stopped();
    !known && response.contains_pointer() && !ui.input(|i| i.pointer.any_click())
}

/// What a drag does that no tool has taken.
fn grasp(deed: &Deed, scene: &Scene<'_>, studio: &mut Studio) -> Drag {
    if deed.pans {
        return Drag::Pan;
    }
    if let Some(axis) = deed.hot {
        return Drag::Ring(axis, deed.at);
    }
    match bone_at(deed, scene).filter(|_| studio.sight.bones && !studio.drawn.extras.no_ring) {
        Some(joint) => {
            studio.open.selected = Some(joint);
            Drag::Bone(joint, deed.at)
        }
        None => Drag::Orbit,
    }
}

fn bone_at(deed: &Deed, scene: &Scene<'_>) -> Option<usize> {
    let bones: Vec<(usize, Vec3, Vec3)> = scene.bones.posed(scene.motion).collect();
    let segments: Vec<[Vec3; 2]> = bones.iter().map(|&(_, head, tail)| [head, tail]).collect();
    pick::bone(&deed.camera, deed.size, deed.at, &segments, REACH).map(|(i, _)| bones[i].0)
}

fn rest_place(studio: &Studio, joint: usize) -> DVec3 {
    studio.open.document.as_ref().map_or(DVec3::ZERO, |d| d.rig().skeleton.joints()[joint].rest_position())
}

/// The ring under the mouse.
fn hot(rings: &Rings, camera: &Camera, size: [u32; 2], at: Vec2) -> Option<usize> {
    let distance = |axis: usize| {
        Ring { center: rings.center, axis: rings.axes[axis], radius: rings.radius }.distance(camera, size, at)
    };
    (0..3).map(|i| (i, distance(i))).filter(|(_, d)| *d < REACH).min_by(|a, b| a.1.total_cmp(&b.1)).map(|(i, _)| i)
}

/// Turns a joint about an axis of the world, by hand.
fn turn(studio: &Studio, joint: usize, axis: Vec3, angle: f32, motion: &Motion, words: &mut Words) {
    let Some(document) = &studio.open.document else { return };
    if angle == 0.0 || !angle.is_finite() {
        return;
    }
    let rig = document.rig();
    let Some(pose) = studio.pose() else { return };
    // Into the parent's frame, where local rotations live.
    let parent = rig.skeleton.joints()[joint].parent;
    let of_parent = parent.map_or(DQuat::IDENTITY, |p| {
        supple::math::rigid_and_scale(&(motion.exact[p] * rig.skeleton.joints()[p].rest_from_joint)).rotation
    });
    let axis = of_parent.inverse() * axis.as_dvec3();
    let Some(axis) = axis.try_normalize() else { return };
    let local = Trs::of(&pose.local[joint]);
    let rotation = (DQuat::from_axis_angle(axis, f64::from(angle)) * local.rotation).normalize();
    let pose = Some(JointPose { rotation: Some(rotation.to_array()), translation: None, scale: None });
    words.edit(Edit::Pose { joint: rig.skeleton.joints()[joint].name.clone(), pose });
}
