//! The window: panels round a viewport. Widgets say [`Command`]s; only the studio does anything.

mod dialog;
mod export;
mod figures;
mod film;
mod help;
mod implicit;
mod joints;
mod keys;
mod legend;
mod menu;
mod method;
mod motion;
mod next;
mod notes;
mod outside;
mod panel;
mod panes;
mod start;
mod timeline;
mod tool;
mod weights;

#[cfg(not(target_family = "wasm"))]
use crate::studio::is_whole;
use crate::{
    drive::Drive,
    model::{Command, Document, Edit, ExportKind, Side},
    studio::{Dropped, Studio, is_project, memory::Memory, record::Recorder, recovery::Recovery, task::Wake},
};
use eframe::{
    egui::{self, RichText, Ui},
    egui_wgpu::RenderState,
};
use std::path::{Path, PathBuf};
use supple_gpu::Gpu;
use web_time::Instant;

/// What widgets ask for in one frame.
#[derive(Default)]
pub struct Words {
    commands: Vec<Command>,
    dialog: Option<dialog::Purpose>,
    recover: bool,
    discard: bool,
    scroll_to_joint: bool,
}

impl Words {
    /// Asks for something.
    pub fn say(&mut self, command: Command) {
        self.commands.push(command);
    }

    /// Asks for a change of the document.
    pub fn edit(&mut self, edit: Edit) {
        self.commands.push(Command::Change { edit });
    }

    /// Asks which file to open.
    pub fn open_dialog(&mut self) {
        self.dialog = Some(dialog::Purpose::Open);
    }

    /// Asks which file's clips shall move the character.
    pub fn motion_dialog(&mut self) {
        self.dialog = Some(dialog::Purpose::Motion);
    }

    /// Asks where to save.
    pub fn save_dialog(&mut self) {
        self.dialog = Some(dialog::Purpose::Save);
    }

    /// Asks where to write something.
    pub fn export_dialog(&mut self, kind: ExportKind, ending: &'static str) {
        self.dialog = Some(dialog::Purpose::Export(kind, ending));
    }
}

/// Which panel stands on the right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tab {
    /// Method and settings.
    #[default]
    Method,
    /// Where weights come from, painting, joints before binding.
    Weights,
    /// What implicit skinning lets joints have of their own.
    Limbs,
    /// Figures.
    Figures,
}

impl Tab {
    /// All, with their titles.
    pub const ALL: [(Self, &'static str); 4] =
        [(Self::Method, "Method"), (Self::Weights, "Weights"), (Self::Limbs, "Limbs"), (Self::Figures, "Figures")];
}

/// See the module.
pub struct App {
    /// What it shows.
    pub studio: Studio,
    joints: joints::Joints,
    method: method::MethodPanel,
    weights: weights::WeightsPanel,
    limbs: implicit::LimbsPanel,
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
            limbs: implicit::LimbsPanel::default(),
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

    fn panels(&mut self, ui: &mut Ui, words: &mut Words) {
        if self.opened != self.studio.opened {
            self.opened = self.studio.opened;
            self.weights.forget(self.studio.view, words);
            (self.joints, self.method, self.limbs) = Default::default();
        }
        egui::Panel::top("menu").show(ui, |ui| menu::show(ui, &self.studio, &mut self.help, words));
        egui::Panel::bottom("status").show(ui, |ui| self.status(ui, words));
        if self.studio.document.is_none() {
            self.load_pictures(ui.ctx());
            egui::CentralPanel::default().show(ui, |ui| start::show(ui, &self.studio, &self.pictures, words));
            return;
        }
        egui::Panel::bottom("timeline").show(ui, |ui| {
            ui.add_space(4.0);
            timeline::show(ui, &mut self.studio, words);
            ui.add_space(4.0);
        });
        panel::show(ui, Side::Left, false, &mut self.studio, words, |ui, studio, words| {
            self.joints.show(ui, studio, words);
        });
        self.studio.figures.on = false;
        // Panels say in every frame what they add to the scene; what they no longer say is gone.
        self.studio.extras = Default::default();
        self.right(ui, words);
        self.weights.leave_unless(self.tab == Tab::Weights, self.studio.view, words);
        egui::CentralPanel::no_frame().show(ui, |ui| {
            let tool: Option<&mut (dyn tool::Tool + 'static)> = match self.tab {
                Tab::Weights => Some(&mut self.weights),
                Tab::Limbs => Some(&mut self.limbs),
                Tab::Method | Tab::Figures => None,
            };
            self.panes.listen(ui, &mut self.studio, tool, words);
            self.obey(std::mem::take(words));
            self.studio.present();
            self.panes.show(ui, &mut self.studio, words);
        });
    }

    fn right(&mut self, ui: &mut Ui, words: &mut Words) {
        let lacks = self.studio.document.as_ref().and_then(next::lacks);
        let (tab, method, weights, limbs) = (&mut self.tab, &mut self.method, &mut self.weights, &mut self.limbs);
        panel::show(ui, Side::Right, lacks.is_some(), &mut self.studio, words, |ui, studio, words| {
            if let Some(lacks) = lacks {
                egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| next::show(ui, studio, lacks, words));
                return;
            }
            ui.scope(|ui| {
                // Beside the arrow that folds the panel.
                ui.set_max_width(ui.available_width() - 20.0);
                ui.horizontal_wrapped(|ui| {
                    for (of, title) in Tab::ALL {
                        ui.selectable_value(tab, of, title);
                    }
                });
            });
            ui.separator();
            egui::ScrollArea::both().auto_shrink(false).show(ui, |ui| match tab {
                Tab::Method => method.show(ui, studio, words),
                Tab::Weights => weights.show(ui, studio, words),
                Tab::Limbs => limbs.show(ui, studio, words),
                Tab::Figures => figures::show(ui, studio),
            });
        });
    }

    fn status(&self, ui: &mut Ui, words: &mut Words) {
        ui.horizontal(|ui| {
            let studio = &self.studio;
            if let Some(title) = studio.opening() {
                ui.spinner();
                ui.label(format!("opening {title}…"));
            }
            if let Some(what) = studio.preparing() {
                ui.spinner();
                ui.label(format!("{what}…"));
            }
            if let Some((name, _)) = &studio.exporting {
                ui.spinner();
                ui.label(format!("writing {name}…"));
            }
            if let Some(recorder) = &studio.recorder {
                ui.add(egui::ProgressBar::new(recorder.progress()).desired_width(160.0).text(recorder.words()));
                if ui.small_button("Cancel").on_hover_text("stop here; nothing of it is kept").clicked() {
                    words.say(Command::StopExport);
                }
            }
            if let Some(document) = &studio.document {
                let rig = document.rig();
                let counts = format!("{} vertices, {} joints", rig.mesh.positions.len(), rig.skeleton.len());
                ui.label(RichText::new(counts).weak());
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if studio.document.is_some() {
                    ui.label(RichText::new(self.panes.words()).weak());
                }
                ui.label(RichText::new(studio.gpu.name()).weak());
            });
        });
    }

    /// Lines that fade, bottom left over the view; errors stay longer and can be put away.
    fn toasts(&mut self, ctx: &egui::Context) {
        if self.studio.notices.is_empty() {
            return;
        }
        let anchor = egui::Align2::LEFT_BOTTOM;
        let area =
            egui::Area::new(egui::Id::unique("notices")).anchor(anchor, [12.0, -70.0]).order(egui::Order::Foreground);
        let mut gone = None;
        area.show(ctx, |ui| {
            ui.set_max_width(560.0);
            let from = self.studio.notices.len().saturating_sub(6);
            for (at, notice) in self.studio.notices.iter().enumerate().skip(from) {
                egui::Frame::popup(ui.style()).show(ui, |ui| {
                    ui.horizontal(|ui| {
                        let color =
                            if notice.is_error { ui.visuals().error_fg_color } else { ui.visuals().text_color() };
                        ui.add(egui::Label::new(RichText::new(&notice.text).color(color)).wrap());
                        if ui.small_button("x").clicked() {
                            gone = Some(at);
                        }
                    });
                });
            }
        });
        if let Some(at) = gone {
            self.studio.notices.remove(at);
        }
    }

    fn load_pictures(&mut self, ctx: &egui::Context) {
        if !self.pictures.is_empty() {
            return;
        }
        for (name, png) in crate::pictures::CHARACTERS {
            let Ok(picture) = image::load_from_memory(png) else { continue };
            let picture = picture.to_rgba8();
            let size = [picture.width() as usize, picture.height() as usize];
            let pixels = egui::ColorImage::from_rgba_unmultiplied(size, &picture);
            self.pictures.push(ctx.load_texture(*name, pixels, egui::TextureOptions::LINEAR));
        }
    }

    /// Files dropped on the window: what belongs to a rig is found by it, and a project comes after its rig.
    fn dropped(&mut self, ctx: &egui::Context, words: &mut Words) {
        let files = ctx.input(|i| i.raw.dropped_files.clone());
        #[cfg(not(target_family = "wasm"))]
        {
            let all: Vec<PathBuf> = files.iter().map(|f| f.path().to_owned()).collect();
            let project = all.iter().rfind(|path| is_project(path)).or_else(|| all.iter().rfind(|path| is_whole(path)));
            if let Some(path) = project.or(all.first()) {
                words.say(Command::Drop { path: path.clone() });
            }
        }
        #[cfg(target_family = "wasm")]
        let _ = words;
        #[cfg(target_family = "wasm")]
        crate::web::take(&mut self.studio, files.iter().filter_map(|f| f.web_file().cloned()).collect());
        let hovering = ctx.input(|i| !i.raw.hovered_files.is_empty());
        if hovering {
            let painter = ctx.layer_painter(egui::LayerId::new(egui::Order::Foreground, egui::Id::unique("drop")));
            let rect = ctx.content_rect();
            painter.rect_filled(rect, 0.0, egui::Color32::from_black_alpha(160));
            let font = egui::FontId::proportional(28.0);
            let moves = self.studio.document.is_some();
            let text = if moves { "drop to open, or to animate with a motion" } else { "drop to open" };
            painter.text(rect.center(), egui::Align2::CENTER_CENTER, text, font, egui::Color32::WHITE);
        }
    }

    fn obey(&mut self, words: Words) {
        if words.recover {
            match self.studio.recovery.recover() {
                Some(Ok(document)) => self.studio.take(document),
                Some(Err(error)) => self.studio.complain(format!("it cannot be taken up yet: {error}")),
                None => {}
            }
        }
        if words.discard {
            self.studio.recovery.discard();
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
        if let Some(files) = self.studio.arrived.take() {
            // Read first: for what is no file of ours nobody need be asked.
            let read = self.studio.read_files(files);
            self.receive(read);
        }
        if let Some(read) = self.studio.dropped.take() {
            self.receive(read);
        }
        if let Some((project, rig)) = self.studio.moved.take() {
            self.dialog = Some(dialog::Dialog::find(project, &rig, &self.studio));
        }
        // What could not be saved is still here, and so is the person who wanted it saved.
        if let Some(then) = self.after_saving.take().filter(|_| !self.would_lose()) {
            self.go_on(then);
        }
    }

    /// Files that were dropped: a motion moves what is open, anything else is opened in its place.
    fn receive(&mut self, mut read: Vec<(String, Document)>) {
        // Dropped together they are a character with its project.
        if let [(name, file)] = &read[..]
            && !is_project(Path::new(name))
        {
            let meaning = self.studio.meaning(file);
            match meaning {
                Dropped::Document => {}
                Dropped::Motion => return self.studio.animate(name, file),
                Dropped::Both | Dropped::Stranger(_) => {
                    let (name, file) = read.remove(0);
                    self.motion = Some(motion::Question { name, file, meaning });
                    return;
                }
            }
        }
        if self.would_lose() && !read.is_empty() {
            self.asking = Some(Then::Take(read));
        } else {
            self.studio.take_files(read);
        }
    }

    /// Asks what a dropped file shall do, where it could do either.
    fn ask_motion(&mut self, ctx: &egui::Context) {
        let Some(question) = &self.motion else { return };
        let Some(answer) = question.ask(ctx, self.studio.document.as_ref()) else { return };
        let Some(motion::Question { name, file, .. }) = self.motion.take() else { return };
        match answer {
            motion::Answer::Move => self.studio.animate(&name, &file),
            motion::Answer::Open if self.would_lose() => self.asking = Some(Then::Take(vec![(name, file)])),
            motion::Answer::Open => self.studio.take_files(vec![(name, file)]),
            motion::Answer::Neither => {}
        }
    }

    /// Something lies over the window that has to be answered or closed first: keys are for that alone.
    fn is_asking(&self) -> bool {
        let asks = self.asking.is_some() || self.motion.is_some() || self.studio.outside.is_some();
        asks || self.help || self.dialog.is_some()
    }

    fn would_lose(&self) -> bool {
        self.studio.document.as_ref().is_some_and(Document::is_changed)
    }

    fn go_on(&mut self, then: Then) {
        let command = match then {
            Then::Quit => Command::Quit,
            Then::Do(command) => command,
            // Not closed first: a project that comes alone is laid over the rig that is open.
            Then::Take(read) => return self.studio.take_files(read),
        };
        // What is open stays until the next is there: it may turn out to be no file of ours.
        if matches!(command, Command::Quit) {
            self.studio.execute(Command::Close);
        }
        self.studio.execute(command);
    }

    /// Brings the dialog back, with the name that was typed, where something could not be written.
    fn ask_again(&mut self) {
        let Some(fault) = self.studio.unwritten.take() else {
            if self.studio.is_settled() {
                self.writing = None;
            }
            return;
        };
        if let (Some(mut dialog), None) = (self.writing.take(), &self.dialog) {
            // Said once, and where it lies over no button.
            self.studio.notices.retain(|n| n.text != fault);
            dialog.fail(fault);
            self.dialog = Some(dialog);
        }
    }

    /// Without its device a window shows nothing any more, and egui panics where it tries to: the work is kept and the
    /// window goes. What comes after that is for [`crate::desktop`] and for the page to say.
    fn leave_if_lost(&mut self, ctx: &egui::Context) {
        let Err(error) = self.studio.device_works() else {
            return self.studio.recovery.note(self.studio.document.as_ref(), self.studio.orbit.view_point());
        };
        self.studio.lost(&error);
        ctx.graphics_mut(|shapes| *shapes = Default::default());
        ctx.send_viewport_cmd(egui::ViewportCommand::Close);
        #[cfg(target_family = "wasm")]
        crate::web::tell_fault(&format!("{error}. Your work is kept: load the page again to take it up."));
    }

    /// Asks before work is lost.
    fn before_closing(&mut self, ctx: &egui::Context, words: &mut Words) {
        let asked = ctx.input(|i| i.viewport().close_requested());
        let films = self.studio.recorder.as_ref().is_some_and(Recorder::is_film);
        if asked && (self.would_lose() || films) && !self.studio.quitting && self.studio.gpu.trouble().is_ok() {
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.asking = Some(Then::Quit);
        }
        let Some(then) = self.asking.take() else { return };
        // The film has come to its end meanwhile.
        if !self.would_lose() && !films {
            return self.go_on(then);
        }
        let has_path = self.studio.document.as_ref().is_some_and(|d| d.path.is_some());
        let mut answer = None;
        let unsaved = self.would_lose();
        let answers = match unsaved {
            true => &[("Save", Answer::Save), ("Go on without saving", Answer::GoOn), ("Stay", Answer::Stay)][..],
            false => &[("Go on without the film", Answer::GoOn), ("Stay", Answer::Stay)],
        };
        let response = egui::Modal::new(egui::Id::unique("closing")).show(ctx, |ui| {
            ui.heading(if unsaved { "Save first?" } else { "Stop the film?" });
            if unsaved {
                ui.label("The project has changes that are in no file yet.");
            }
            if films {
                ui.label("A film is being written. It ends here, and nothing of it is kept.");
            }
            ui.add_space(8.0);
            ui.horizontal(|ui| {
                for (title, what) in answers {
                    if ui.button(*title).clicked() {
                        answer = Some(*what);
                    }
                }
            });
        });
        match answer {
            None if response.should_close() => {}
            None => self.asking = Some(then),
            Some(Answer::Stay) => {}
            Some(Answer::GoOn) => self.go_on(then),
            // A browser has no paths: saving there is a download.
            Some(Answer::Save) if has_path || cfg!(target_family = "wasm") => {
                words.say(Command::Save { path: None });
                self.after_saving = Some(then);
            }
            // Where to is asked first; what was wanted can be said again after that.
            Some(Answer::Save) => words.save_dialog(),
        }
    }
}

/// What a person answers when work would be lost.
#[derive(Clone, Copy)]
enum Answer {
    Save,
    GoOn,
    Stay,
}

/// What waits for that answer.
enum Then {
    Quit,
    Do(Command),
    /// Files that were dropped, and that can be read.
    Take(Vec<(String, Document)>),
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
                self.tab = Tab::ALL.into_iter().find(|(_, title)| *title == name).map_or(self.tab, |(tab, _)| tab);
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
        if self.themed != Some(self.studio.dark) {
            self.themed = Some(self.studio.dark);
            ctx.set_theme(if self.studio.dark { egui::Theme::Dark } else { egui::Theme::Light });
            ui.reset_style();
        }
        // A frame that took long, as while a window is dragged, is not made up for.
        self.studio.tick(passed.min(0.25));
        words.scroll_to_joint = self.last_selected != self.studio.selected;
        self.last_selected = self.studio.selected;
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
        if let Some(trouble) = self.studio.recovery.trouble.take() {
            self.studio.complain(trouble);
        }
        if self.studio.quitting && self.studio.is_settled() {
            ctx.send_viewport_cmd(egui::ViewportCommand::Close);
        }
        if self.studio.is_busy() || self.drive.as_ref().is_some_and(|d| !d.is_done()) {
            ctx.request_repaint();
        } else if !self.studio.notices.is_empty() {
            ctx.request_repaint_after(std::time::Duration::from_millis(500));
        }
        if let Some(wait) = self.studio.document.as_ref().and_then(|d| self.studio.recovery.due_in(d)) {
            ctx.request_repaint_after(wait);
        }
        let title = match &self.studio.document {
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
            self.studio.memory.placed([size.x, size.y], place.map(|p| [p.x, p.y]));
        }
        self.leave_if_lost(&ctx);
    }

    fn on_exit(&mut self) {
        // What there is of a film goes with it, however the window is taken down after this.
        self.studio.recorder = None;
        self.studio.memory.save();
        self.studio.recovery.note(None, self.studio.orbit.view_point());
        if !self.would_lose() && self.studio.gpu.trouble().is_ok() {
            self.studio.recovery.done();
        }
    }

    #[cfg(target_arch = "wasm32")]
    fn as_any_mut(&mut self) -> Option<&mut dyn std::any::Any> {
        Some(&mut *self)
    }
}
