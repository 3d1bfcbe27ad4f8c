//! What would be lost, and the question before it is.

use super::{App, Words};
use crate::{
    model::{Command, Document},
    studio::record::Recorder,
};
use eframe::egui;

/// What a person answers when work would be lost.
#[derive(Clone, Copy)]
enum Answer {
    Save,
    GoOn,
    Stay,
}

/// What waits for that answer.
pub(super) enum Then {
    Quit,
    Do(Command),
    /// Files that were dropped, and that can be read.
    Take(Vec<(String, Document)>),
}

impl App {
    pub(super) fn would_lose(&self) -> bool {
        self.studio.open.document.as_ref().is_some_and(Document::is_changed)
    }

    pub(super) fn go_on(&mut self, then: Then) {
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

    /// Asks before work is lost.
    pub(super) fn before_closing(&mut self, ctx: &egui::Context, words: &mut Words) {
        let asked = ctx.input(|i| i.viewport().close_requested());
        let films = self.studio.work.recorder.as_ref().is_some_and(Recorder::is_film);
        if asked && (self.would_lose() || films) && !self.studio.quitting && self.studio.device.gpu.trouble().is_ok() {
            ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.asking = Some(Then::Quit);
        }
        let Some(then) = self.asking.take() else { return };
        // The film has come to its end meanwhile.
        if !self.would_lose() && !films {
            return self.go_on(then);
        }
        let has_path = self.studio.open.document.as_ref().is_some_and(|d| d.path.is_some());
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

    /// Without its device a window shows nothing any more, and egui panics where it tries to: the work is kept and the
    /// window goes. What comes after that is for [`crate::desktop`] and for the page to say.
    pub(super) fn leave_if_lost(&mut self, ctx: &egui::Context) {
        let Err(error) = self.studio.device_works() else {
            return self
                .studio
                .kept
                .recovery
                .note(self.studio.open.document.as_ref(), self.studio.sight.orbit.view_point());
        };
        self.studio.lost(&error);
        ctx.graphics_mut(|shapes| *shapes = Default::default());
        ctx.send_viewport_cmd(egui::ViewportCommand::Close);
        #[cfg(target_family = "wasm")]
        crate::web::tell_fault(&format!("{error}. Your work is kept: load the page again to take it up."));
    }
}
