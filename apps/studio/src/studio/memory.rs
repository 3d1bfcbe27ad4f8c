//! What the studio remembers from one day to the next: recent files, colours, the window. A file that cannot be read is
//! as good as none; losing it loses nothing.

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// See the module.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Memory {
    /// Latest first.
    pub recent: Vec<PathBuf>,
    /// Dark colours.
    pub dark: bool,
    /// Width and height of the window.
    pub window: [f32; 2],
    /// Where it stood.
    pub place: Option<[f32; 2]>,
    /// Widths of the panels on the left and on the right.
    pub widths: [f32; 2],
    /// Which of them are folded away.
    pub folded: [bool; 2],
    #[serde(skip)]
    store: Option<Store>,
    #[serde(skip)]
    changed: bool,
}

/// Where a text is kept.
#[derive(Clone, Debug, PartialEq)]
pub enum Store {
    /// In a file.
    File(PathBuf),
    /// In the browser, under a name.
    Browser(&'static str),
}

impl Default for Memory {
    fn default() -> Self {
        let (recent, place, store) = (Vec::new(), None, None);
        let (widths, folded) = ([220.0, 310.0], [false; 2]);
        Self { recent, dark: true, window: [1280.0, 800.0], place, widths, folded, store, changed: false }
    }
}

/// So many files are remembered.
const MOST: usize = 12;

impl Memory {
    /// As it was left.
    pub fn load(store: Store) -> Self {
        let mut memory: Self = store.read().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        memory.window = memory.window.map(|side| if side.is_finite() { side.clamp(320.0, 16384.0) } else { 800.0 });
        let sane = |width: f32| if width.is_finite() { width.clamp(100.0, 2000.0) } else { 250.0 };
        memory.widths = memory.widths.map(sane);
        memory.store = Some(store);
        memory
    }

    /// Notes a file as the latest.
    pub fn opened(&mut self, path: &Path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        self.recent.retain(|known| *known != path);
        self.recent.insert(0, path);
        self.recent.truncate(MOST);
        self.save();
    }

    /// Notes where the window is.
    pub fn placed(&mut self, window: [f32; 2], place: Option<[f32; 2]>) {
        if (self.window, self.place) != (window, place) {
            (self.window, self.place, self.changed) = (window, place, true);
        }
    }

    /// Writes it down, where that can be. It is not worth a word to anybody if it cannot.
    pub fn save(&mut self) {
        self.changed = false;
        if let (Some(store), Ok(text)) = (&self.store, serde_json::to_string_pretty(self)) {
            let _ = store.write(&text);
        }
    }
}

/// The size of a window that fits a screen, with a title bar and a bar of the system round it.
pub fn fitting(window: [f32; 2], screen: [f32; 2]) -> [f32; 2] {
    let [width, height] = window;
    // A screen that is not known, as it is on some systems, says nothing.
    if screen.iter().any(|side| !side.is_finite() || *side < 200.0) {
        return window;
    }
    [width.min(screen[0] * 0.98).floor(), height.min(screen[1] * 0.9).floor()]
}

/// The folder of settings of this person, by the customs of the system.
#[cfg(not(target_family = "wasm"))]
pub fn settings_folder() -> Option<PathBuf> {
    let of = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let base = if cfg!(target_os = "windows") {
        of("APPDATA")
    } else if cfg!(target_os = "macos") {
        of("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        of("XDG_CONFIG_HOME").or_else(|| of("HOME").map(|home| home.join(".config")))
    };
    base.map(|base| base.join("supple"))
}

impl Store {
    /// What is kept there.
    pub fn read(&self) -> Option<String> {
        match self {
            Self::File(path) => std::fs::read_to_string(path).ok(),
            Self::Browser(name) => browser::read(name),
        }
    }

    /// Keeps a text there, whole or not at all.
    pub fn write(&self, text: &str) -> Result<(), String> {
        match self {
            Self::File(path) => {
                if let Some(folder) = path.parent() {
                    std::fs::create_dir_all(folder).map_err(|e| e.to_string())?;
                }
                supple::write::file(path, |out| Ok(out.write_all(text.as_bytes())?)).map_err(|e| e.to_string())
            }
            Self::Browser(name) => browser::write(name, text),
        }
    }

    /// Keeps nothing there any more.
    pub fn clear(&self) {
        match self {
            Self::File(path) => drop(std::fs::remove_file(path)),
            Self::Browser(name) => browser::clear(name),
        }
    }
}

#[cfg(target_family = "wasm")]
mod browser {
    fn storage() -> Option<web_sys::Storage> {
        web_sys::window()?.local_storage().ok().flatten()
    }

    pub fn read(name: &str) -> Option<String> {
        storage()?.get_item(name).ok().flatten()
    }

    pub fn write(name: &str, text: &str) -> Result<(), String> {
        let storage = storage().ok_or("the browser keeps nothing for this page")?;
        storage.set_item(name, text).map_err(|_| "the browser's storage is full".to_owned())
    }

    pub fn clear(name: &str) {
        if let Some(storage) = storage() {
            let _ = storage.remove_item(name);
        }
    }
}

#[cfg(not(target_family = "wasm"))]
mod browser {
    pub fn read(_: &str) -> Option<String> {
        None
    }

    pub fn write(_: &str, _: &str) -> Result<(), String> {
        Err("there is no browser".to_owned())
    }

    pub fn clear(_: &str) {}
}
