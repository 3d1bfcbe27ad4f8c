//! `supple studio --web` and clients that mean no good: a browser is served all the same, and its own folder is all that it
//! gets. All of it on this machine.
#![cfg(unix)]

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

/// The server as a user starts it, ended with the test.
struct Served {
    program: Child,
    address: SocketAddr,
    _folder: tempfile::TempDir,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

const PAGE: &str = "<title>the page</title>";
/// More than what fits between two programs, so that who does not read it is waited for.
const LARGE: u64 = 24 << 20;

/// Serves a page, a large file and what must not be served, under a limit of the shell's.
fn serve(limit: &str) -> Served {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("index.html"), PAGE).unwrap();
    std::fs::File::create(at("studio.wasm")).unwrap().set_len(LARGE).unwrap();
    std::os::unix::fs::symlink("/etc/hostname", at("link.html")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", at("zero.png")).unwrap();
    assert!(Command::new("mkfifo").arg(at("pipe.js")).status().unwrap().success());
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{limit}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_supple")]);
    command.args(["studio", "--web", "--no-open", "--dist"]).arg(folder.path());
    let mut program = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(program.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
    let address = address.and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{line}"));
    Served { program, address, _folder: folder }
}

impl Served {
    fn ask(&self, request: &[u8]) -> std::io::Result<Vec<u8>> {
        let mut stream = TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        stream.write_all(request)?;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn get(&self, path: &str) -> Vec<u8> {
        self.ask(format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.address).as_bytes()).unwrap()
    }

    /// The first three digits of what comes back.
    fn status(&self, request: &[u8]) -> String {
        let bytes = self.ask(request).unwrap();
        String::from_utf8_lossy(bytes.get(9..12).unwrap_or_default()).into_owned()
    }

    fn assert_page(&self) {
        let text = String::from_utf8(self.get("/")).unwrap();
        assert!(text.starts_with("HTTP/1.1 200 OK\r\n") && text.ends_with(PAGE), "{text}");
    }

    /// The process that serves, where that can be told: the one that was started watches over it.
    fn worker(&self) -> Option<u32> {
        let listed = std::fs::read_to_string(format!("/proc/{0}/task/{0}/children", self.program.id())).ok()?;
        listed.split_whitespace().next()?.parse().ok()
    }

    /// A number of its `/proc/PID/status`.
    fn of_process(&self, field: &str) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.worker()?)).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix(field))?;
        line.trim_start_matches(':').split_whitespace().next()?.parse().ok()
    }
}

#[test]
fn the_folder_is_served_and_nothing_else() {
    let served = serve(":");
    served.assert_page();
    let wasm = served.get("/studio.wasm");
    assert!(wasm.len() as u64 > LARGE && wasm.ends_with(&[0; 1000]));
    assert!(String::from_utf8_lossy(&wasm[..300]).contains("application/wasm"));
    let head =
        String::from_utf8(served.ask(b"HEAD /studio.wasm HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap()).unwrap();
    assert!(head.contains(&format!("Content-Length: {LARGE}\r\n")) && head.ends_with("\r\n\r\n"), "{head}");
    for path in ["/link.html", "/zero.png", "/pipe.js", "/missing", "/../Cargo.toml", "/%2e%2e/x", "//etc/passwd"] {
        let text = String::from_utf8(served.get(path)).unwrap();
        assert!(text.starts_with("HTTP/1.1 404 "), "{path}: {text}");
    }
    let with = |line: &str, host: &str| served.status(format!("{line}\r\nHost: {host}\r\n\r\n").as_bytes());
    assert_eq!(with("GET / HTTP/1.1", "rebound.example:80"), "421");
    assert_eq!(served.status(b"GET / HTTP/1.1\r\n\r\n"), "400");
    assert_eq!(with("POST / HTTP/1.1", "localhost"), "405");
    assert_eq!(with("GET / HTTP/1.1", &"x".repeat(60_000)), "431");
    assert_eq!(with("\0\u{1}garbage", "localhost"), "400");
    served.assert_page();
}

/// Clients that drip a request without end, and others that ask for the large file and do not read it. Whoever is sent away
/// comes again.
#[test]
fn slow_clients_do_not_wear_it_out() {
    let long = std::env::var_os("SUPPLE_LONG").is_some();
    let (clients, seconds) = if long { (1000, 60) } else { (300, 3) };
    let served = serve(":");
    let connect = |index: usize| -> std::io::Result<TcpStream> {
        let mut stream = TcpStream::connect(served.address)?;
        let large = "GET /studio.wasm HTTP/1.1\r\nHost: localhost\r\n\r\n";
        stream.write_all(if index.is_multiple_of(3) { large } else { "GET / HTTP/1.1\r\nX: " }.as_bytes())?;
        Ok(stream)
    };
    let mut slow: Vec<Option<TcpStream>> = (0..clients).map(|index| connect(index).ok()).collect();
    let start = Instant::now();
    let (mut rounds, mut largest) = (0, 0);
    while start.elapsed() < Duration::from_secs(seconds) || rounds < 3 {
        for (index, place) in slow.iter_mut().enumerate() {
            let alive = place.as_mut().is_some_and(|stream| index % 3 == 0 || stream.write_all(b"x").is_ok());
            if !alive {
                *place = connect(index).ok();
            }
        }
        served.assert_page();
        assert!(served.get("/studio.wasm").len() as u64 > LARGE);
        rounds += 1;
        let memory = served.of_process("VmHWM");
        assert!(memory.is_some_and(|kb| kb > 0) || cfg!(not(target_os = "linux")), "the memory it takes is not known");
        largest = largest.max(memory.unwrap_or(0));
        assert!(served.of_process("Threads").is_none_or(|count| count < 16), "{:?}", served.of_process("Threads"));
        std::thread::sleep(Duration::from_millis(50));
    }
    eprintln!("{clients} slow clients, {rounds} rounds of a good one, {largest} kB at the most");
    assert!(largest < 100_000, "{largest} kB");
}

/// So few descriptors that slow clients take them all: they go, and a browser is served.
#[test]
fn out_of_descriptors_the_slowest_go() {
    let served = serve("ulimit -n 20");
    let connect = || {
        let mut stream = TcpStream::connect(served.address).unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\nX: ").unwrap();
        stream
    };
    let mut slow: Vec<TcpStream> = (0..60).map(|_| connect()).collect();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                slow.iter_mut().for_each(|stream| drop(stream.write_all(b"x")));
                std::thread::sleep(Duration::from_millis(200));
            }
        });
        let served = std::panic::catch_unwind(|| {
            for _ in 0..20 {
                served.assert_page();
                assert!(served.get("/studio.wasm").len() as u64 > LARGE);
            }
        });
        done.store(true, Ordering::Relaxed);
        assert!(served.is_ok());
    });
}

/// So few descriptors that nobody can be let in: it waits for better times without spinning, and then lets them in.
#[cfg(target_os = "linux")]
#[test]
fn where_nobody_can_be_let_in_it_waits() {
    let served = serve(":");
    let process = served.worker().unwrap();
    let allow = |descriptors: usize| {
        let limit = format!("--nofile={descriptors}:");
        Command::new("prlimit").args(["--pid", &process.to_string(), &limit]).status().is_ok_and(|s| s.success())
    };
    let is_open = |descriptor: &usize| std::fs::symlink_metadata(format!("/proc/{process}/fd/{descriptor}")).is_ok();
    let next = (0..).find(|descriptor| !is_open(descriptor)).unwrap();
    assert!(allow(next), "prlimit, of util-linux, is needed");
    let waiting = [0; 3].map(|_| {
        let mut stream = TcpStream::connect(served.address).unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        stream
    });
    let used = || {
        // User and system time, in hundredths of a second, after the name in brackets.
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    };
    let before = used();
    std::thread::sleep(Duration::from_secs(2));
    let spun = used() - before;
    assert!(spun < 20, "{spun} hundredths of two seconds");
    assert!(allow(1000));
    for mut stream in waiting {
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        assert!(text.ends_with(PAGE), "{text}");
    }
}
