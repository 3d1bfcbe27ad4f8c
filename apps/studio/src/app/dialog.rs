//! A window that asks for a file. Our own, because the system's is not there everywhere (none under a bare X server, none
//! in a container), and because this one can be tested. A browser has a picker of its own and hands over bytes.

use super::{export, film, menu::EXPORTS};
use crate::{
    model::{Backdrop, Command, ExportKind, PictureOptions, PictureSize},
    studio::{Studio, deliver, frames, record},
};
use eframe::egui::{self, RichText};
use std::path::{Path, PathBuf};

/// What the file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To be read.
    Open,
    /// Clips of it shall move the character.
    Motion,
    /// The rig of a project, which is not where the project says.
    Rig,
    /// A project to be written.
    Save,
    /// Something else to be written, with this ending.
    Export(ExportKind, &'static str),
}

/// See the module.
pub struct Dialog {
    purpose: Purpose,
    folder: PathBuf,
    name: String,
    /// The name it began with.
    first_name: String,
    typed_folder: String,
    listed: Result<Vec<(String, bool)>, String>,
    /// Files that are there already, and that the person was asked about.
    asked: Vec<PathBuf>,
    focused: bool,
    /// Why it could not be written the last time.
    fault: Option<String>,
    picture: PictureOptions,
    /// The project whose rig is asked for, and where that was.
    project: Option<(PathBuf, PathBuf)>,
}

/// Endings that can be opened.
const READABLE: [&str; 9] = ["glb", "gltf", "fbx", "obj", "ply", "bvh", "tgf", "sm", "json"];

/// Endings of files that may hold clips.
const MOVING: [&str; 4] = ["bvh", "fbx", "glb", "gltf"];

impl Dialog {
    pub fn new(purpose: Purpose, studio: &Studio) -> Self {
        let here = || std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        let recent = studio.kept.memory.recent.first().and_then(|p| p.parent()).map(Path::to_owned);
        let folder = studio.folder().map(Path::to_owned).filter(|f| f.is_dir()).or(recent.filter(|f| f.is_dir()));
        let folder = folder.unwrap_or_else(here);
        let stem = studio.open.document.as_ref().map_or("supple", |d| d.name.as_str());
        let name = match purpose {
            Purpose::Open | Purpose::Motion | Purpose::Rig => String::new(),
            Purpose::Save => format!("{stem}.json"),
            Purpose::Export(_, ending) => format!("{stem}.{ending}"),
        };
        let mut dialog = Self {
            purpose,
            typed_folder: String::new(),
            folder: PathBuf::new(),
            first_name: name.clone(),
            name,
            listed: Ok(Vec::new()),
            asked: Vec::new(),
            focused: false,
            fault: None,
            // A part of another clip is no part of this one.
            picture: PictureOptions { from: None, to: None, ..studio.kept.picture.clone() },
            project: None,
        };
        dialog.enter(std::path::absolute(&folder).unwrap_or(folder));
        dialog
    }

    /// Asks where the rig of a project is, beginning beside the project.
    pub fn find(project: PathBuf, rig: &Path, studio: &Studio) -> Self {
        let mut dialog = Self::new(Purpose::Rig, studio);
        let beside = std::path::absolute(&project).unwrap_or_else(|_| project.clone());
        if let Some(folder) = beside.parent().filter(|f| f.is_dir()) {
            dialog.enter(folder.to_owned());
        }
        // What is called alike beside the project is most likely it.
        let name = rig.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        let lies_here = matches!(&dialog.listed, Ok(files) if files.iter().any(|(known, _)| *known == name));
        dialog.name = if lies_here { name } else { String::new() };
        dialog.project = Some((project, rig.to_owned()));
        dialog
    }

    fn enter(&mut self, folder: PathBuf) {
        self.typed_folder = folder.display().to_string();
        self.listed = list(&folder, self.purpose);
        self.folder = folder;
        self.asked.clear();
    }

    /// Asks again, and says why.
    pub fn fail(&mut self, fault: String) {
        (self.fault, self.focused) = (Some(fault), false);
        self.enter(self.folder.clone());
    }

    fn reads(&self) -> bool {
        matches!(self.purpose, Purpose::Open | Purpose::Motion | Purpose::Rig)
    }

    fn is_picture(&self) -> bool {
        matches!(self.purpose, Purpose::Export(ExportKind::Picture | ExportKind::Gif | ExportKind::Frames, _))
    }

    /// What was decided: commands, or none of them where nothing shall be done.
    pub fn show(&mut self, ctx: &egui::Context, studio: &mut Studio) -> Option<Vec<Command>> {
        let in_browser = cfg!(target_family = "wasm");
        if in_browser && !matches!(self.purpose, Purpose::Export(..)) {
            return Some(self.in_browser(studio));
        }
        let title = match self.purpose {
            Purpose::Open => "Open a rig, a mesh or a project".to_owned(),
            Purpose::Motion => "Move this character by the clips of a file".to_owned(),
            Purpose::Rig => format!("Where is {}?", self.project.as_ref().map_or_else(String::new, |p| name_of(&p.1))),
            Purpose::Save => "Save the project".to_owned(),
            Purpose::Export(kind, ending) => {
                let known = EXPORTS.iter().find(|(_, k, e)| (*k, *e) == (kind, ending));
                known.map_or_else(|| "Export".to_owned(), |(title, ..)| format!("Export: {title}"))
            }
        };
        let mut done = None;
        // A click beside it is a slip, not an answer: only Escape and the buttons close it.
        egui::Modal::new(egui::Id::unique("file")).show(ctx, |ui| {
            ui.set_width(560.0);
            ui.heading(title);
            if let Some((project, rig)) = &self.project {
                ui.label(format!("The project {} names it, and it is not at {}.", name_of(project), rig.display()));
            }
            if !in_browser {
                self.folders(ui);
            }
            let picked = !in_browser && self.files(ui);
            ui.horizontal(|ui| {
                ui.label("File");
                let field = egui::TextEdit::singleline(&mut self.name).desired_width(440.0);
                let field = ui.add(field);
                if !self.focused {
                    self.focused = true;
                    field.request_focus();
                }
                if field.changed() {
                    self.asked.clear();
                }
                let entered = field.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
                if (entered || picked) && !self.name.trim().is_empty() {
                    done = self.decide(studio);
                }
            });
            if self.is_picture() {
                self.options(ui, studio);
            }
            if let (Purpose::Export(kind, _), false) = (self.purpose, self.name.trim().is_empty()) {
                for line in export::words(kind, &self.path(), &self.picture, studio) {
                    ui.add(egui::Label::new(RichText::new(line).weak()).wrap());
                }
            }
            if let Some(fault) = &self.fault {
                ui.colored_label(ui.visuals().error_fg_color, fault);
            }
            if let Some(words) = self.question() {
                ui.colored_label(ui.visuals().warn_fg_color, words);
            }
            ui.horizontal(|ui| {
                let word = if self.reads() { "Open" } else { "Write" };
                if ui.add_enabled(!self.name.trim().is_empty(), egui::Button::new(word)).clicked() {
                    done = self.decide(studio);
                }
                if ui.button("Cancel").clicked() {
                    done = Some(Vec::new());
                }
            });
        });
        if done.is_none() && ctx.input(|i| i.key_pressed(egui::Key::Escape)) {
            done = Some(Vec::new());
        }
        done
    }

    /// How pictures are drawn.
    fn options(&mut self, ui: &mut egui::Ui, studio: &mut Studio) {
        let Purpose::Export(kind, _) = self.purpose else { return };
        let path = self.path();
        let picture = &mut self.picture;
        egui::Grid::new("picture").num_columns(2).show(ui, |ui| {
            ui.label("Size");
            ui.horizontal(|ui| {
                let mut chosen = picture.size.of(kind);
                for (size, title) in PictureSize::ALL {
                    if ui.selectable_value(&mut chosen, size, title).clicked() {
                        picture.size = size;
                    }
                }
            });
            ui.end_row();
            // Of a GIF a pixel is there or not, which frays every edge.
            ui.label("Background");
            ui.horizontal(|ui| {
                for (backdrop, title) in Backdrop::ALL {
                    if kind != ExportKind::Gif || backdrop != Backdrop::Transparent {
                        ui.selectable_value(&mut picture.background, backdrop, title);
                    }
                }
            });
            ui.end_row();
        });
        if kind != ExportKind::Picture {
            film::show(ui, kind, picture, studio, &path);
        }
        if studio.sight.layout.panes() > 1 {
            ui.weak("the first view alone is written");
        }
        if kind == ExportKind::Picture && !studio.drawn.extras.overlay.is_empty() {
            ui.checkbox(&mut picture.marks, "with the section, samples and marks that are shown");
        }
        studio.kept.picture = picture.clone();
    }

    fn folders(&mut self, ui: &mut egui::Ui) {
        ui.horizontal(|ui| {
            if ui.button("Up").on_hover_text("the folder above").clicked()
                && let Some(above) = self.folder.parent().map(Path::to_owned)
            {
                self.enter(above);
            }
            let home = std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE")).map(PathBuf::from);
            if let Some(home) = home
                && ui.button("Home").clicked()
            {
                self.enter(home);
            }
            let field = egui::TextEdit::singleline(&mut self.typed_folder).desired_width(430.0);
            if ui.add(field).lost_focus() && Path::new(&self.typed_folder) != self.folder {
                let typed = PathBuf::from(self.typed_folder.trim());
                if typed.is_dir() {
                    self.enter(typed);
                } else if typed.is_file() && self.reads() {
                    self.name = typed.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
                    self.enter(typed.parent().map_or_else(PathBuf::new, Path::to_owned));
                } else {
                    self.listed = Err(format!("{} is not a folder", typed.display()));
                }
            }
        });
    }

    /// True where a file was chosen by two clicks.
    fn files(&mut self, ui: &mut egui::Ui) -> bool {
        let (mut enter, mut picked) = (None, false);
        egui::ScrollArea::vertical().max_height(300.0).min_scrolled_height(300.0).auto_shrink(false).show(ui, |ui| {
            match &self.listed {
                Err(error) => drop(ui.colored_label(ui.visuals().error_fg_color, error)),
                Ok(entries) if entries.is_empty() => drop(ui.weak(match self.purpose {
                    Purpose::Open | Purpose::Rig => "nothing here that can be opened",
                    Purpose::Motion => "nothing here that may hold a motion",
                    Purpose::Save | Purpose::Export(..) => "no file of this kind here yet",
                })),
                Ok(entries) => {
                    for (name, is_folder) in entries {
                        let text = if *is_folder { RichText::new(format!("{name}/")) } else { RichText::new(name) };
                        let response = ui.selectable_label(!is_folder && *name == self.name, text);
                        if response.clicked() {
                            if *is_folder { enter = Some(self.folder.join(name)) } else { self.name = name.clone() }
                        }
                        picked |= response.double_clicked() && !is_folder;
                    }
                }
            }
        });
        if let Some(folder) = enter {
            self.enter(folder);
        }
        picked
    }

    /// The file that is meant, with its ending.
    fn path(&self) -> PathBuf {
        let path = self.folder.join(self.name.trim());
        match self.purpose {
            Purpose::Save => deliver::with_ending(path, "json"),
            Purpose::Export(_, ending) if path.extension().is_none() => deliver::with_ending(path, ending),
            _ => path,
        }
    }

    /// Those of the files that will be written that are there already.
    fn there(&self, studio: &Studio) -> Vec<PathBuf> {
        let path = self.path();
        let Purpose::Export(kind @ ExportKind::Frames, _) = self.purpose else {
            return if path.exists() { vec![path] } else { Vec::new() };
        };
        let duration = studio.open.document.as_ref().map_or(0.0, |d| d.duration());
        // One that is refused writes none.
        record::part(kind, duration, &self.picture)
            .map_or_else(|_| Vec::new(), |part| frames::there(&path, part.frames))
    }

    /// What is asked about them.
    fn question(&self) -> Option<String> {
        match &self.asked[..] {
            [] => None,
            [one] => Some(format!("{} is there already: press again to replace it", name_of(one))),
            [first, .., last] => {
                let (count, first, last) = (self.asked.len(), name_of(first), name_of(last));
                Some(format!("{count} files are there already, {first} to {last}: press again to replace them"))
            }
        }
    }

    fn decide(&mut self, studio: &Studio) -> Option<Vec<Command>> {
        self.fault = None;
        let path = self.folder.join(self.name.trim());
        if path.is_dir() {
            self.name = self.first_name.clone();
            self.enter(path);
            return None;
        }
        match self.purpose {
            Purpose::Open => return Some(vec![Command::Open { path }]),
            Purpose::Motion => return Some(vec![Command::Motion { path }]),
            Purpose::Rig => {
                let (project, _) = self.project.clone()?;
                return Some(vec![Command::OpenWith { project, rig: path }]);
            }
            Purpose::Save | Purpose::Export(..) => {}
        }
        let path = self.path();
        // Asked of the files that will be written, with their endings, and again where there are others by now. The field
        // has the next Enter too.
        let there = self.there(studio);
        if there != self.asked {
            (self.asked, self.focused) = (there, false);
            if !self.asked.is_empty() {
                return None;
            }
        }
        Some(vec![match self.purpose {
            Purpose::Export(kind, _) => Command::Export { kind, path, picture: self.picture.clone() },
            _ => Command::Save { path: Some(path) },
        }])
    }

    /// A browser asks for itself where something is opened, and puts downloads where it puts them.
    fn in_browser(&mut self, studio: &mut Studio) -> Vec<Command> {
        match self.purpose {
            Purpose::Open | Purpose::Motion | Purpose::Rig => {
                #[cfg(target_family = "wasm")]
                crate::web::pick(studio);
                #[cfg(not(target_family = "wasm"))]
                let _ = studio;
                Vec::new()
            }
            Purpose::Save => vec![Command::Save { path: None }],
            Purpose::Export(kind, _) => {
                vec![Command::Export { kind, path: PathBuf::from(&self.name), picture: self.picture.clone() }]
            }
        }
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned())
}

/// Folders first, then files that can be opened; hidden ones left out.
fn list(folder: &Path, purpose: Purpose) -> Result<Vec<(String, bool)>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut found: Vec<(String, bool)> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_folder = entry.path().is_dir();
            let ending = Path::new(&name).extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
            let fits = match purpose {
                Purpose::Open => ending.is_some_and(|e| READABLE.contains(&e.as_str())),
                Purpose::Rig => ending.is_some_and(|e| e != "json" && READABLE.contains(&e.as_str())),
                Purpose::Motion => ending.is_some_and(|e| MOVING.contains(&e.as_str())),
                Purpose::Save => ending.is_some_and(|e| e == "json"),
                Purpose::Export(_, wanted) => ending.is_some_and(|e| e == wanted),
            };
            (!name.starts_with('.') && (is_folder || fits)).then_some((name, is_folder))
        })
        .collect();
    found.sort_by_key(|(name, is_folder)| (!is_folder, name.to_lowercase()));
    Ok(found)
}
