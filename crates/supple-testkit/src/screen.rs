//! A virtual screen, for windows where nobody looks.

use std::{
    io::BufRead,
    process::{Child, Command, Stdio},
};

/// Goes with whoever opened it.
pub struct Screen {
    server: Child,
    /// What `DISPLAY` is set to.
    pub name: String,
}

impl Screen {
    /// None where there is no Xvfb.
    pub fn open() -> Option<Self> {
        // Which number is free is for the server to say.
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut line = String::new();
        std::io::BufReader::new(server.stdout.take()?).read_line(&mut line).ok()?;
        let number: u32 = line.trim().parse().ok()?;
        Some(Self { server, name: format!(":{number}") })
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
