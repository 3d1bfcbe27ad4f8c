//! The files that may be asked for.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

/// A folder with a page in it.
pub struct Folder {
    /// Without links in it, so that a file's own links show.
    real: PathBuf,
}

/// A file that is served: open, with the size it had then.
pub struct Served {
    pub file: File,
    pub size: u64,
    pub kind: &'static str,
}

impl Folder {
    /// None where there is no page that could be served.
    pub fn new(path: &Path) -> Option<Self> {
        let folder = Self { real: fs::canonicalize(path).ok()? };
        folder.find("/").is_some().then_some(folder)
    }

    /// None where there is no such file; an error where it is there and cannot be opened.
    pub fn open(&self, path: &str) -> io::Result<Option<Served>> {
        let Some(path) = self.find(path) else { return Ok(None) };
        match File::open(&path) {
            Ok(file) => Ok(Some(Served { size: file.metadata()?.len(), file, kind: kind(&path) })),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The regular file that is asked for, if no part of its path leads elsewhere: no dots, no links.
    fn find(&self, path: &str) -> Option<PathBuf> {
        let path = path.split(['?', '#']).next()?.strip_prefix('/')?;
        let mut file = self.real.clone();
        for part in if path.is_empty() { "index.html" } else { path }.split('/') {
            let plain = part.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b));
            if !plain || part.is_empty() || part.starts_with('.') {
                return None;
            }
            file.push(part);
        }
        (fs::canonicalize(&file).is_ok_and(|real| real == file) && file.is_file()).then_some(file)
    }
}

/// Whether an error says that there are too many open files, or too little memory for one more: what others give back may
/// be enough.
pub fn lacks_room(error: &io::Error) -> bool {
    // EMFILE and ENFILE of every Unix, and ERROR_TOO_MANY_OPEN_FILES; the standard library has no name for them.
    let too_many: &[i32] = if cfg!(windows) { &[4] } else { &[23, 24] };
    error.kind() == io::ErrorKind::OutOfMemory || error.raw_os_error().is_some_and(|number| too_many.contains(&number))
}

fn kind(file: &Path) -> &'static str {
    match file.extension().and_then(|e| e.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript",
        Some("wasm") => "application/wasm",
        Some("css") => "text/css",
        Some("png") => "image/png",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_into_the_folder_only() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("index.html"), "page").unwrap();
        fs::write(folder.path().join(".secret"), "no").unwrap();
        fs::create_dir(folder.path().join("deep")).unwrap();
        fs::write(folder.path().join("deep/a_file-1.js"), "code").unwrap();
        let served = Folder::new(folder.path()).unwrap();
        let at = |path: &str| served.open(path).unwrap().is_some();
        assert!(at("/") && at("/index.html") && at("/index.html?x=1") && at("/deep/a_file-1.js"));
        for outside in
            ["", "/../Cargo.toml", "/.secret", "/%2e%2e/x", "//etc/passwd", "/missing", "index.html", "/deep", "/deep/"]
        {
            assert!(!at(outside), "{outside}");
        }
        assert!(Folder::new(&folder.path().join("deep")).is_none(), "it holds no page");
    }

    #[cfg(unix)]
    #[test]
    fn links_and_what_is_no_file_are_not_served() {
        use std::os::unix::{fs::symlink, net::UnixListener};
        let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(folder.path().join("index.html"), "page").unwrap();
        fs::write(elsewhere.path().join("secret.txt"), "no").unwrap();
        symlink(elsewhere.path().join("secret.txt"), folder.path().join("link.txt")).unwrap();
        symlink(elsewhere.path(), folder.path().join("away")).unwrap();
        symlink("index.html", folder.path().join("again.html")).unwrap();
        symlink("/dev/zero", folder.path().join("zero.png")).unwrap();
        let _socket = UnixListener::bind(folder.path().join("socket")).unwrap();
        let made = std::process::Command::new("mkfifo").arg(folder.path().join("pipe.js")).status();
        assert!(made.unwrap().success());
        // A folder that is itself named by a link is the one that was meant.
        let named = elsewhere.path().join("dist");
        symlink(folder.path(), &named).unwrap();
        for name in [folder.path(), &named] {
            let served = Folder::new(name).unwrap();
            assert!(served.open("/").unwrap().is_some());
            for path in ["/link.txt", "/away/secret.txt", "/again.html", "/zero.png", "/socket", "/pipe.js"] {
                assert!(served.open(path).unwrap().is_none(), "{path}");
            }
        }
    }
}
