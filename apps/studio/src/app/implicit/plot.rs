//! The curve of an operator, with handles: how far it is open (θ) at an angle between limbs (α).

use crate::model::Curve;
use eframe::egui::{Align2, Color32, CursorIcon, FontId, Pos2, Rect, Response, Sense, Stroke, Ui, pos2, vec2};

/// What the plot remembers while a handle is dragged.
#[derive(Default)]
pub struct ThetaPlot {
    held: Option<usize>,
}

/// What was done.
pub struct Plotted {
    /// The curve after it, where a handle was dragged.
    pub curve: Option<Curve>,
    /// A drag has ended.
    pub settled: bool,
}

/// How near the mouse must be to a handle, in points.
const REACH: f32 = 18.0;
const HEIGHT: f32 = 150.0;

impl ThetaPlot {
    /// Draws the curve and takes drags; `now` is the angle the joint is at, in degrees.
    pub fn show(&mut self, ui: &mut Ui, curve: &Curve, now: Option<f64>) -> Plotted {
        let width = ui.available_width().clamp(160.0, 420.0);
        let (response, painter) = ui.allocate_painter(vec2(width, HEIGHT), Sense::click_and_drag());
        let inner = Rect::from_min_max(response.rect.min + vec2(26.0, 8.0), response.rect.max - vec2(8.0, 18.0));
        let place = |[alpha, theta]: [f64; 2]| {
            let (x, y) = (alpha as f32 / 180.0, theta as f32 / 45.0);
            pos2(inner.min.x + x * inner.width(), inner.max.y - y * inner.height())
        };
        let visuals = ui.visuals();
        let (weak, text) = (visuals.weak_text_color(), visuals.text_color());
        painter.rect_filled(inner, 2.0, visuals.extreme_bg_color);
        let thin = Stroke::new(1.0, weak.gamma_multiply(0.35));
        let font = FontId::proportional(10.0);
        for alpha in [0, 45, 90, 135, 180] {
            let [low, high] = [0.0, 45.0].map(|theta| place([f64::from(alpha), theta]));
            painter.line_segment([low, high], thin);
            let align = if alpha == 180 { Align2::RIGHT_TOP } else { Align2::CENTER_TOP };
            let shift = if alpha == 180 { 7.0 } else { 0.0 };
            painter.text(low + vec2(shift, 5.0), align, format!("{alpha}°"), font.clone(), weak);
        }
        for theta in [0, 15, 30, 45] {
            let [low, high] = [0.0, 180.0].map(|alpha| place([alpha, f64::from(theta)]));
            painter.line_segment([low, high], thin);
            painter.text(low - vec2(4.0, 0.0), Align2::RIGHT_CENTER, theta.to_string(), font.clone(), weak);
        }
        painter.text(place([178.0, 43.0]), Align2::RIGHT_TOP, "sharp", font.clone(), weak);
        painter.text(place([178.0, 2.0]), Align2::RIGHT_BOTTOM, "open", font, weak);
        let line: Vec<Pos2> = (0..=180).map(|a| place([f64::from(a), curve.theta(f64::from(a))])).collect();
        painter.line(line, Stroke::new(2.0, text));
        if let Some(alpha) = now {
            let mark = Color32::from_rgb(255, 140, 30);
            let [low, high] = [0.0, 45.0].map(|theta| place([alpha, theta]));
            painter.line_segment([low, high], Stroke::new(1.5, mark.gamma_multiply(0.7)));
            painter.circle_filled(place([alpha, curve.theta(alpha)]), 4.5, mark);
        }
        let handles = curve.handles.map(place);
        let near = response.hover_pos().and_then(|at| nearest(&handles, at));
        for (i, at) in handles.into_iter().enumerate() {
            let hot = self.held == Some(i) || (self.held.is_none() && near == Some(i));
            let color = Color32::from_rgb(70, 150, 245);
            painter.circle(at, if hot { 7.5 } else { 5.5 }, color, Stroke::new(1.5, Color32::WHITE));
        }
        let value = |at: Pos2| {
            let (x, y) = ((at.x - inner.min.x) / inner.width(), (inner.max.y - at.y) / inner.height());
            [f64::from(x) * 180.0, f64::from(y) * 45.0]
        };
        self.dragged(ui, &response, &handles, curve, value)
    }

    fn dragged(
        &mut self,
        ui: &Ui,
        response: &Response,
        handles: &[Pos2; 3],
        curve: &Curve,
        value: impl Fn(Pos2) -> [f64; 2],
    ) -> Plotted {
        if response.drag_started() {
            let origin = ui.input(|i| i.pointer.press_origin());
            self.held = origin.or(response.interact_pointer_pos()).and_then(|at| nearest(handles, at));
        }
        let mut plotted = Plotted { curve: None, settled: false };
        if let (Some(handle), Some(at)) = (self.held, response.interact_pointer_pos()) {
            ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
            let next = curve.with_handle(handle, value(at));
            plotted.curve = (next != *curve).then_some(next);
        }
        if response.drag_stopped() {
            plotted.settled = self.held.take().is_some();
        }
        plotted
    }
}

fn nearest(handles: &[Pos2; 3], at: Pos2) -> Option<usize> {
    let near = handles.iter().map(|h| h.distance(at)).enumerate().filter(|(_, d)| *d < REACH);
    near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(i, _)| i)
}
