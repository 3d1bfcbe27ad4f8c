//! A folder of static files on the loopback interface, and nothing else: no other address, no other folder.

use crate::console::Console;
use anyhow::{Context, Result, bail};
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{Ipv4Addr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    time::Duration,
};

/// A request line and its headers are no longer than this.
const LONGEST: u64 = 16 << 10;

pub fn run(dist: Option<&Path>, port: u16, open: bool, console: &Console) -> Result<()> {
    let folder = find(dist)?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).with_context(|| format!("port {port}"))?;
    let address = format!("http://{}/", listener.local_addr()?);
    console.say(&format!("supple: the studio is at {address} (Ctrl+C ends it)"));
    if open && let Err(error) = open_browser(&address) {
        console.say(&format!("supple: no browser could be opened ({error}); go to {address}"));
    }
    for stream in listener.incoming() {
        // A page asks for few files at a time; one that goes away in the middle is no concern of the others.
        let folder = folder.clone();
        std::thread::spawn(move || stream.map(|stream| answer(stream, &folder)));
    }
    Ok(())
}

/// The folder given, or the one that `cargo xtask web` builds.
fn find(dist: Option<&Path>) -> Result<PathBuf> {
    let is_built = |folder: &Path| folder.join("index.html").is_file();
    if let Some(folder) = dist {
        if !is_built(folder) {
            bail!("{}: holds no index.html; build it with: cargo xtask web", folder.display());
        }
        return Ok(folder.to_owned());
    }
    let beside = std::env::current_exe().ok().and_then(|p| Some(p.parent()?.join("dist")));
    let known = [Some(PathBuf::from("dist")), beside];
    let found = known.into_iter().flatten().find(|f| is_built(f));
    found.context("there is no dist folder here; build it with: cargo xtask web (or name one with --dist)")
}

fn answer(mut stream: TcpStream, folder: &Path) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    let mut reader = BufReader::new(Read::by_ref(&mut stream).take(LONGEST));
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut header = String::new();
    while reader.read_line(&mut header)? > 2 {
        header.clear();
    }
    let mut words = line.split_whitespace();
    let (verb, path) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    if !matches!(verb, "GET" | "HEAD") {
        return reply(&mut stream, "405 Method Not Allowed", "text/plain", b"only GET", true);
    }
    match inside(folder, path).and_then(|file| Some((std::fs::read(&file).ok()?, kind(&file)))) {
        Some((bytes, kind)) => reply(&mut stream, "200 OK", kind, &bytes, verb == "GET"),
        None => reply(&mut stream, "404 Not Found", "text/plain", b"no such file", verb == "GET"),
    }
}

/// The file that is asked for, if its path leads nowhere else.
fn inside(folder: &Path, path: &str) -> Option<PathBuf> {
    let path = path.split(['?', '#']).next()?.strip_prefix('/')?;
    let path = if path.is_empty() { "index.html" } else { path };
    let plain = path.split('/').all(|part| {
        !part.is_empty()
            && !part.starts_with('.')
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
    });
    plain.then(|| folder.join(path)).filter(|file| file.is_file())
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

fn reply(stream: &mut TcpStream, status: &str, kind: &str, body: &[u8], with_body: bool) -> std::io::Result<()> {
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nCache-Control: no-cache\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"
    )?;
    if with_body {
        stream.write_all(body)?;
    }
    stream.flush()
}

fn open_browser(address: &str) -> std::io::Result<()> {
    let program = match std::env::consts::OS {
        "windows" => "explorer",
        "macos" => "open",
        _ => "xdg-open",
    };
    std::process::Command::new(program).arg(address).spawn().map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_into_the_folder_only() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("index.html"), "page").unwrap();
        std::fs::write(folder.path().join(".secret"), "no").unwrap();
        let at = |path: &str| inside(folder.path(), path).is_some();
        assert!(at("/") && at("/index.html") && at("/index.html?x=1"));
        for outside in ["", "/../Cargo.toml", "/.secret", "/%2e%2e/x", "//etc/passwd", "/missing", "index.html"] {
            assert!(!at(outside), "{outside}");
        }
    }

    #[test]
    fn a_file_is_served_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("index.html"), "page").unwrap();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let served = std::thread::spawn(move || {
            for stream in listener.incoming().take(2) {
                answer(stream.unwrap(), folder.path()).unwrap();
            }
        });
        let ask = |request: &str| {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(request.as_bytes()).unwrap();
            let mut text = String::new();
            stream.read_to_string(&mut text).unwrap();
            text
        };
        let page = ask("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        assert!(page.starts_with("HTTP/1.1 200") && page.ends_with("page") && page.contains("text/html"), "{page}");
        assert!(ask("POST / HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 405"));
        served.join().unwrap();
    }
}
