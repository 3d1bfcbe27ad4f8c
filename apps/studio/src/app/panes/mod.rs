//! The views: one, two or four, all from the same place. Dragging turns the view, a bone or a ring.

mod hand;

use super::{Words, legend, method, next, tool::Tool};
use crate::{
    model::Command,
    studio::{Studio, scene::BoneList},
    viewport::{Look, Style, Target},
};
use eframe::{
    egui::{self, Rect, RichText, Sense, Ui, pos2, vec2},
    egui_wgpu::RenderState,
    wgpu,
};
use glam::Vec3;
use hand::{Hand, Pane};
use supple::{graph::methods, pose::Motion};
use web_time::Instant;

/// A pane on the device.
struct Canvas {
    target: Target,
    texture: egui::TextureId,
}

/// What is posed in the views.
pub struct Scene<'a> {
    pub motion: &'a Motion,
    pub bones: &'a BoneList,
}

/// See the module.
pub struct Panes {
    render: RenderState,
    canvases: Vec<Canvas>,
    /// The bones of the rig that is shown.
    pub bones: BoneList,
    hand: Hand,
    /// Where the first view is.
    pub first: Option<Rect>,
    pace: Pace,
}

/// Keeps the window quick: where drawing takes long, it draws less.
struct Pace {
    /// Every pixel is drawn, however long it takes.
    sharp: bool,
    /// Nothing moves: there is time for every pixel.
    still: bool,
    scale: f32,
    drawn: Option<Instant>,
    slow: u32,
    quick: u32,
    milliseconds: f64,
}

/// A frame that takes longer makes input feel late.
const SLOW: f64 = 45.0;
/// A frame that takes less leaves room for more pixels.
const QUICK: f64 = 18.0;
/// Seconds without a touch after which a coarse view is drawn once more, sharp.
const REST: f32 = 0.4;
/// Least share of the pixels along a side.
const COARSEST: f32 = 0.3;

/// How near, in points, the mouse must be to a bone or a ring to take it.
const REACH: f32 = 9.0;

impl Panes {
    pub fn new(render: RenderState) -> Self {
        // A software driver is known to be slow before the first frame: answers come first, the sharp picture after them.
        let is_software = render.adapter.get_info().device_type == wgpu::DeviceType::Cpu;
        let scale = if is_software { COARSEST } else { 1.0 };
        let pace = Pace { sharp: false, still: false, scale, drawn: None, slow: 0, quick: 0, milliseconds: 0.0 };
        let (bones, hand) = Default::default();
        Self { render, canvases: Vec::new(), bones, hand, first: None, pace }
    }

    /// Draws every pixel from now on, however long it takes: for pictures that are compared.
    pub fn stay_sharp(&mut self) {
        (self.pace.sharp, self.pace.scale) = (true, 1.0);
    }

    /// For the status line: how quick it is, and what was given up for that.
    pub fn words(&self) -> String {
        let share = (self.pace.scale() * 100.0).round();
        let less = if self.pace.is_coarse() {
            format!(", drawn at {share} % and more coarsely to keep up")
        } else {
            String::new()
        };
        format!("{:.0} ms a frame{less}", self.pace.milliseconds)
    }

    /// Takes what the mouse does in the views. Asked before anything is drawn, so that it is seen in the same frame.
    pub fn listen(&mut self, ui: &Ui, studio: &mut Studio, mut tool: Option<&mut (dyn Tool + 'static)>) {
        let places = places(ui, studio);
        let size = places[0].size();
        self.first = Some(places[0]);
        studio.sight.aspect = (size.x / size.y.max(1.0)).max(0.05);
        (studio.sight.pane, studio.sight.density) = (size.into(), ui.ctx().pixels_per_point());
        let touched =
            ui.input(|i| !i.events.is_empty() || i.pointer.any_down() || i.pointer.time_since_last_movement() < REST);
        self.pace.still = !touched && !studio.is_busy();
        if !self.pace.still && self.pace.scale < 1.0 {
            ui.ctx().request_repaint_after(std::time::Duration::from_secs_f32(REST + 0.05));
        }
        studio.sight.scale = self.pace.scale() * ui.ctx().pixels_per_point();
        let Some(motion) = studio.motion() else { return };
        if let Some(document) = &studio.open.document {
            self.bones.update(document.rig());
        }
        self.hand.begin(studio);
        let scene = Scene { motion: &motion, bones: &self.bones };
        self.hand.catch_up(tool.as_deref_mut(), &scene, studio);
        for (pane, rect) in places.into_iter().enumerate() {
            let response = ui.interact(rect, ui.scope_id().with(("pane", pane)), Sense::click_and_drag());
            let is_first = pane == 0;
            let tool = tool.as_deref_mut().filter(|_| is_first);
            self.hand.hear(ui, &Pane { response: &response, rect, is_first }, &scene, tool, studio);
        }
        if let Some(tool) = tool {
            tool.mark(studio);
        }
    }

    /// Draws the views.
    pub fn show(&mut self, ui: &mut Ui, studio: &mut Studio, words: &mut Words) {
        let all = ui.available_rect_before_wrap();
        let Some(motion) = studio.motion() else { return };
        studio.paint();
        self.pace.tick(studio.is_busy());
        let places = places(ui, studio);
        let mut canvases = std::mem::take(&mut self.canvases);
        for (pane, rect) in places.iter().enumerate() {
            let canvas = match self.canvas(&mut canvases, pane, *rect, ui.ctx().pixels_per_point(), studio) {
                Ok(canvas) => canvas,
                Err(error) => {
                    studio.complain(error);
                    break;
                }
            };
            if let Err(error) = self.draw(canvas, pane, studio, &motion) {
                studio.complain(error);
                break;
            }
            let uv = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            ui.painter().image(canvas.texture, *rect, uv, egui::Color32::WHITE);
            title(ui, *rect, pane, places.len(), studio, words);
            if let Some(legend) = studio.legend().filter(|_| pane == 0) {
                legend::show(ui, *rect, &legend);
            }
        }
        self.canvases = canvases;
        ui.allocate_rect(all, Sense::hover());
    }

    fn canvas<'a>(
        &self,
        canvases: &'a mut Vec<Canvas>,
        pane: usize,
        rect: Rect,
        density: f32,
        studio: &Studio,
    ) -> Result<&'a mut Canvas, String> {
        let pixels = |points: f32| ((points * density * self.pace.scale()).round() as u32).clamp(1, 8192);
        let size = [pixels(rect.width()), pixels(rect.height())];
        let filter = wgpu::FilterMode::Linear;
        let mut renderer = self.render.renderer.write();
        if canvases.len() <= pane {
            let target = Target::new(&studio.device.viewport, size).map_err(|e| e.to_string())?;
            let texture = renderer.register_native_texture(&self.render.device, target.view(), filter);
            canvases.push(Canvas { target, texture });
        }
        let canvas = &mut canvases[pane];
        if canvas.target.resize(&studio.device.viewport, size).map_err(|e| e.to_string())? {
            let view = canvas.target.view();
            renderer.update_egui_texture_from_wgpu_texture(&self.render.device, view, filter, canvas.texture);
        }
        Ok(canvas)
    }

    fn draw(&self, canvas: &mut Canvas, pane: usize, studio: &Studio, motion: &Motion) -> Result<(), String> {
        let mut style = studio.style();
        if self.pace.is_coarse() {
            (style.occlusion, style.draft) = (0.0, true);
        }
        draw(&mut canvas.target, pane, studio, &self.bones, motion, self.hand.hot, &style)
    }
}

/// Draws one pane.
fn draw(
    target: &mut Target,
    pane: usize,
    studio: &Studio,
    bones: &BoneList,
    motion: &Motion,
    hot: Option<usize>,
    style: &Style,
) -> Result<(), String> {
    let overlay = studio.overlay(bones, motion, hot, pane == 0);
    let mut skins = Vec::new();
    if let Some((_, skin)) = &studio.drawn.skin {
        if let Some(ready) = studio.drawn.stages[pane].bound() {
            skins.push((skin, &ready.shown, studio.look()));
        } else if let Some(bare) = studio.drawn.bare.as_ref().filter(|_| pane == 0) {
            skins.push((skin, bare, Look::PLAIN));
        }
        if let Some(other) = studio.drawn.stages[1].bound().filter(|_| pane == 0 && studio.sight.overlay) {
            let ghost =
                Look { coat: crate::viewport::Coat::Plain(Vec3::new(0.1, 0.45, 0.9)), ..Look::SHADED }.ghost(0.45);
            skins.push((skin, &other.shown, ghost));
        }
    }
    let camera = studio.sight.orbit.camera();
    studio.device.viewport.draw(target, &camera, style, &skins, &overlay).map(drop).map_err(|e| e.to_string())
}

/// Where the views are: one, two side by side, or four.
fn places(ui: &Ui, studio: &Studio) -> Vec<Rect> {
    let all = ui.available_rect_before_wrap();
    let [columns, rows] = studio.sight.layout.grid();
    let size = vec2(all.width() / columns as f32, all.height() / rows as f32);
    let corner = |pane: usize| all.min + vec2((pane % columns) as f32 * size.x, (pane / columns) as f32 * size.y);
    let count = columns * rows;
    let gap = if count > 1 { 1.0 } else { 0.0 };
    (0..count).map(|pane| Rect::from_min_size(corner(pane), size).shrink(gap)).collect()
}

/// Which method a pane shows; those beside the first can be chosen there.
fn title(ui: &mut Ui, rect: Rect, pane: usize, count: usize, studio: &Studio, words: &mut Words) {
    let stage = &studio.drawn.stages[pane];
    let place = Rect::from_min_size(rect.min + vec2(8.0, 6.0), vec2(rect.width() - 16.0, 26.0));
    let mut ui = ui.new_child(egui::UiBuilder::new().max_rect(place).id_salt(("title", pane)));
    ui.horizontal(|ui| {
        if pane == 0 {
            if count > 1 || studio.sight.overlay {
                let name = studio.open.document.as_ref().map_or("", |d| d.project().graph.output.as_str());
                ui.label(RichText::new(method::title(name)).strong());
            }
            if studio.sight.overlay {
                ui.label("with, in blue,");
                choice(ui, 1, studio, words);
            }
        } else {
            choice(ui, pane, studio, words);
        }
        if stage.is_binding() {
            ui.spinner();
        }
        // Where something is missing, the panel beside says what to do about it.
        let lacks = studio.open.document.as_ref().and_then(next::lacks);
        if let Some(error) = stage.error.as_ref().filter(|_| lacks.is_none()) {
            ui.colored_label(ui.visuals().error_fg_color, error);
        }
    });
}

/// Which method a pane beside the first shows.
fn choice(ui: &mut Ui, pane: usize, studio: &Studio, words: &mut Words) {
    let current = studio.sight.beside.of(pane);
    egui::ComboBox::from_id_salt(("beside", pane)).selected_text(method::title(current)).show_ui(ui, |ui| {
        for known in methods().iter().filter(|m| m.stands_alone) {
            if ui.selectable_label(known.name == current, method::title(known.name)).clicked() {
                words.say(Command::PaneMethod { pane, method: known.name.to_owned() });
            }
        }
    });
}

impl Pace {
    /// Share of the pixels along a side.
    fn scale(&self) -> f32 {
        if self.still { 1.0 } else { self.scale }
    }

    /// Drawn with fewer pixels, and without what takes long to draw.
    fn is_coarse(&self) -> bool {
        self.scale() < 0.99
    }

    /// Looks at how long the last frame took, where frames follow one another.
    fn tick(&mut self, busy: bool) {
        let now = Instant::now();
        let passed = self.drawn.replace(now).map(|last| (now - last).as_secs_f64() * 1e3);
        let Some(passed) = passed.filter(|p| *p < 1000.0) else { return };
        // A frame that came because somebody moved the mouse says nothing about how long drawing takes.
        if !busy && passed > 200.0 {
            return;
        }
        self.milliseconds += (passed - self.milliseconds) * 0.2;
        self.slow = if passed > SLOW { self.slow + 1 } else { 0 };
        self.quick = if passed < QUICK { self.quick + 1 } else { 0 };
        if self.sharp {
            return;
        }
        if self.slow > 3 {
            self.scale = (self.scale * 0.8).max(COARSEST);
            self.slow = 0;
        } else if self.quick > 90 && self.scale < 1.0 {
            self.scale = (self.scale * 1.15).min(1.0);
            self.quick = 0;
        }
    }
}
