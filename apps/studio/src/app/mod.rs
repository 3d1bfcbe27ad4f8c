//! The window: panels round a viewport. Widgets say [`Command`]s; only the studio does anything.

mod closing;
mod dialog;
mod dropped;
mod export;
mod figures;
mod film;
mod help;
mod implicit;
mod joints;
mod keys;
mod layout;
mod legend;
mod menu;
mod method;
mod motion;
mod next;
mod notes;
mod outside;
mod own;
mod panel;
mod panes;
mod start;
mod status;
mod timeline;
mod tool;
mod weights;
mod words;

pub use layout::Tab;
pub use words::Words;

use crate::{
    drive::Drive,
    model::Command,
    studio::{Studio, memory::Memory, recovery::Recovery, task::Wake},
};
use closing::Then;
use eframe::{
    egui::{self, Ui},
    egui_wgpu::RenderState,
};
use std::path::PathBuf;
use supple_gpu::Gpu;
use web_time::Instant;

/// See the module.
pub struct App {
    /// What it shows.
    pub studio: Studio,
    joints: joints::Joints,
    method: method::MethodPanel,
    weights: weights::WeightsPanel,
    own: own::OwnPanels,
    panes: panes::Panes,
    dialog: Option<dialog::Dialog>,
    help: bool,
    /// Which panel stands on the right.
    pub tab: Tab,
    /// The dialog that something is being written from: it comes back where that fails.
    writing: Option<dialog::Dialog>,
    asking: Option<Then>,
    /// A dropped file that could be a motion, or a character.
    motion: Option<motion::Question>,
    after_saving: Option<Then>,
    title: String,
    pictures: Vec<egui::TextureHandle>,
    /// A script that is followed.
    pub drive: Option<Drive>,
    last: Option<Instant>,
    themed: Option<bool>,
    last_selected: Option<usize>,
    /// Which document the panels belong to.
    opened: u64,
    /// A window that is larger than its screen shall be made smaller.
    pub fits_screen: bool,
}

impl App {
    /// Around the device that the window opened.
    pub fn new(
        ctx: &egui::Context,
        render: &RenderState,
        memory: Memory,
        recovery: Recovery,
        first: Option<PathBuf>,
        drive: Option<Drive>,
    ) -> Result<Self, String> {
        let info = render.adapter.get_info();
        let gpu = Gpu::share(render.device.clone(), render.queue.clone(), info);
        let gpu = gpu.map_err(|e| e.to_string())?;
        let wake = {
            let ctx = ctx.clone();
            Wake::new(move || ctx.request_repaint())
        };
        let mut studio = Studio::new(gpu, wake, memory, recovery).map_err(|e| e.to_string())?;
        if let Some(path) = first {
            studio.execute(Command::Open { path });
        }
        let mut panes = panes::Panes::new(render.clone());
        // What a script does must not hang on how busy the machine is.
        if drive.is_some() {
            panes.stay_sharp();
        }
        Ok(Self {
            studio,
            joints: joints::Joints::default(),
            method: method::MethodPanel::default(),
            weights: weights::WeightsPanel::default(),
            own: own::OwnPanels::default(),
            panes,
            dialog: None,
            writing: None,
            help: false,
            tab: Tab::default(),
            asking: None,
            motion: None,
            after_saving: None,
            title: String::new(),
            pictures: Vec::new(),
            drive,
            last: None,
            themed: None,
            last_selected: None,
            opened: 0,
            fits_screen: false,
        })
    }

    /// Makes a window smaller that does not fit its screen, with what the system puts round it, as soon as that is known.
    fn fit_screen(&mut self, ctx: &egui::Context) {
        let known = ctx.input(|i| Some((i.viewport().inner_rect?.size(), i.viewport().monitor_size?)));
        let Some((size, screen)) = known.filter(|_| self.fits_screen) else { return };
        self.fits_screen = false;
        let fitting = crate::studio::memory::fitting(size.into(), screen.into());
        if fitting != <[f32; 2]>::from(size) {
            ctx.send_viewport_cmd(egui::ViewportCommand::InnerSize(fitting.into()));
        }
    }

    /// Whether the window has been drawn and nothing that was asked for is still to be done.
    pub fn is_settled(&self) -> bool {
        self.last.is_some() && self.studio.is_settled() && self.drive.as_ref().is_none_or(Drive::is_done)
    }

    /// Where the first view is in the window, once it was drawn.
    pub fn view(&self) -> Option<egui::Rect> {
        self.panes.first
    }

    /// Draws every pixel of the views, however long it takes: for pictures that are compared or kept.
    pub fn stay_sharp(&mut self) {
        self.panes.stay_sharp();
    }

    fn obey(&mut self, words: Words) {
        if words.recover {
            match self.studio.kept.recovery.recover() {
                Some(Ok(document)) => self.studio.take(document),
                Some(Err(error)) => self.studio.complain(format!("it cannot be taken up yet: {error}")),
                None => {}
            }
        }
        if words.discard {
            self.studio.kept.recovery.discard();
        }
        if let Some(purpose) = words.dialog {
            self.dialog = Some(dialog::Dialog::new(purpose, &self.studio));
        }
        for command in words.commands {
            let replaces = matches!(
                command,
                Command::Open { .. } | Command::OpenWith { .. } | Command::Example { .. } | Command::Close
            );
            if replaces && self.would_lose() {
                self.asking = Some(Then::Do(command));
            } else {
                self.studio.execute(command);
            }
        }
        if let Some(files) = self.studio.arrivals.arrived.take() {
            // Read first: for what is no file of ours nobody need be asked.
            let read = self.studio.read_files(files);
            self.receive(read);
        }
        if let Some(read) = self.studio.arrivals.dropped.take() {
            self.receive(read);
        }
        if let Some((project, rig)) = self.studio.arrivals.moved.take() {
            self.dialog = Some(dialog::Dialog::find(project, &rig, &self.studio));
        }
        // What could not be saved is still here, and so is the person who wanted it saved.
        if let Some(then) = self.after_saving.take().filter(|_| !self.would_lose()) {
            self.go_on(then);
        }
    }

    /// Something lies over the window that has to be answered or closed first: keys are for that alone.
    fn is_asking(&self) -> bool {
        let asks = self.asking.is_some() || self.motion.is_some() || self.studio.arrivals.outside.is_some();
        asks || self.help || self.dialog.is_some()
    }

    /// Brings the dialog back, with the name that was typed, where something could not be written.
    fn ask_again(&mut self) {
        let Some(fault) = self.studio.said.unwritten.take() else {
            if self.studio.is_settled() {
                self.writing = None;
            }
            return;
        };
        if let (Some(mut dialog), None) = (self.writing.take(), &self.dialog) {
            // Said once, and where it lies over no button.
            self.studio.said.notices.retain(|n| n.text != fault);
            dialog.fail(fault);
            self.dialog = Some(dialog);
        }
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, _: &mut eframe::Frame) {
        let ctx = ui.ctx().clone();
        let now = Instant::now();
        let passed = self.last.replace(now).map_or(0.0, |last| (now - last).as_secs_f64());
        let mut words = Words::default();
        if let Some(drive) = &mut self.drive {
            drive.tick(&mut self.studio, &ctx);
            if let Some(name) = drive.tab.take() {
                self.tab = Tab::all().find(|(_, title)| *title == name).map_or(self.tab, |(tab, _)| tab);
            }
        }
        self.fit_screen(&ctx);
        self.dropped(&ctx, &mut words);
        if !self.is_asking() {
            keys::listen(&ctx, &mut self.studio, &mut self.help, &mut words);
        } else if ctx.input(|i| i.key_pressed(egui::Key::Escape)) {
            (self.help, self.dialog) = (false, None);
        }
        // What a key asks for is done before anything is drawn: where a frame takes long, an answer that comes in the
        // next one comes late.
        self.obey(std::mem::take(&mut words));
        if self.themed != Some(self.studio.sight.dark) {
            self.themed = Some(self.studio.sight.dark);
            ctx.set_theme(if self.studio.sight.dark { egui::Theme::Dark } else { egui::Theme::Light });
            ui.reset_style();
        }
        // A frame that took long, as while a window is dragged, is not made up for.
        self.studio.tick(passed.min(0.25));
        words.scroll_to_joint = self.last_selected != self.studio.open.selected;
        self.last_selected = self.studio.open.selected;
        self.panels(ui, &mut words);
        if let Some(dialog) = &mut self.dialog
            && let Some(done) = dialog.show(&ctx, &mut self.studio)
        {
            self.writing = self.dialog.take().filter(|_| !done.is_empty());
            words.commands.extend(done);
        }
        help::show(&ctx, &mut self.help);
        self.toasts(&ctx);
        self.ask_motion(&ctx);
        self.before_closing(&ctx, &mut words);
        outside::ask(&ctx, &mut self.studio);
        self.obey(words);
        self.ask_again();
        if let Some(trouble) = self.studio.kept.recovery.trouble.take() {
            self.studio.complain(trouble);
        }
        if self.studio.quitting && self.studio.is_settled() {
            ctx.send_viewport_cmd(egui::ViewportCommand::Close);
        }
        if self.studio.is_busy() || self.drive.as_ref().is_some_and(|d| !d.is_done()) {
            ctx.request_repaint();
        } else if !self.studio.said.notices.is_empty() {
            ctx.request_repaint_after(std::time::Duration::from_millis(500));
        }
        if let Some(wait) = self.studio.open.document.as_ref().and_then(|d| self.studio.kept.recovery.due_in(d)) {
            ctx.request_repaint_after(wait);
        }
        let title = match &self.studio.open.document {
            None => "Supple".to_owned(),
            Some(d) => format!("{}{} – Supple", d.name, if d.is_changed() { " *" } else { "" }),
        };
        // Every word to the window makes it draw again: said without need, it would never rest.
        if title != self.title {
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.title = title;
        }
        let (size, place) = ctx.input(|i| {
            let v = i.viewport();
            (v.inner_rect.map(|r| r.size()), v.outer_rect.map(|r| r.min))
        });
        if let Some(size) = size {
            self.studio.kept.memory.placed([size.x, size.y], place.map(|p| [p.x, p.y]));
        }
        self.leave_if_lost(&ctx);
    }

    fn on_exit(&mut self) {
        // What there is of a film goes with it, however the window is taken down after this.
        self.studio.work.recorder = None;
        self.studio.kept.memory.save();
        self.studio.kept.recovery.note(None, self.studio.sight.orbit.view_point());
        if !self.would_lose() && self.studio.device.gpu.trouble().is_ok() {
            self.studio.kept.recovery.done();
        }
    }

    #[cfg(target_arch = "wasm32")]
    fn as_any_mut(&mut self) -> Option<&mut dyn std::any::Any> {
        Some(&mut *self)
    }
}
