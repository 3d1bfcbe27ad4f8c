//! One browser's connection: a request, its answer, and the end. A browser that wants another file comes again.

use super::{
    folder::{Folder, Served, lacks_room},
    request::{self, Refusal, Request},
};
use mio::net::TcpStream;
use std::{
    fs::File,
    io::{self, ErrorKind, Read, Take, Write},
    net::Shutdown,
    time::{Duration, Instant},
};

/// For the whole of an answer: some 20 MB through a slow tunnel at the most.
const TO_ANSWER: Duration = Duration::from_secs(120);
/// For the last bytes to arrive.
const TO_LEAVE: Duration = Duration::from_secs(2);
/// What is read at once, and what a connection keeps at the most.
const CHUNK: usize = 64 << 10;
/// What comes after a request is thrown away, and after so many bytes so is the connection.
const MOST_LEFT: usize = 1 << 20;

pub struct Connection {
    /// When it has to be done with what it is at.
    pub until: Instant,
    stream: TcpStream,
    came: Instant,
    moved: u64,
    stage: Stage,
}

enum Stage {
    /// What has come of the request.
    Asking(Vec<u8>),
    Answering(Answer),
    /// All is sent, and the other side has yet to say that it arrived: closing at once, with something of theirs
    /// unread, would take it back. With how much came meanwhile.
    Leaving(usize),
}

struct Answer {
    /// Bytes to send, and how many of them are sent.
    ready: Vec<u8>,
    sent: usize,
    rest: Option<Take<File>>,
}

/// What is to be done about a connection.
#[derive(Debug, PartialEq)]
pub enum Next {
    /// Wait until it can go on.
    Wait,
    /// It is over.
    Close,
    /// There is no descriptor left to open the file with.
    MakeRoom,
}

impl Connection {
    /// With a time for the whole of its request, however that drips in.
    pub fn new(stream: TcpStream, now: Instant, to_ask: Duration) -> Self {
        Self { until: now + to_ask, stream, came: now, moved: 0, stage: Stage::Asking(Vec::new()) }
    }

    /// Bytes a second since it came: what tells a browser from somebody who only holds a place.
    pub fn pace(&self, now: Instant) -> f64 {
        (self.moved + 1) as f64 / (now - self.came).as_secs_f64().max(1e-6)
    }

    /// Goes as far as it can without waiting.
    pub fn go_on(&mut self, folder: &Folder) -> Next {
        match self.step(folder) {
            Ok(next) => next,
            Err(error) if error.kind() == ErrorKind::WouldBlock => Next::Wait,
            Err(_) => Next::Close,
        }
    }

    fn step(&mut self, folder: &Folder) -> io::Result<Next> {
        let mut chunk = [0; CHUNK];
        loop {
            match &mut self.stage {
                Stage::Asking(asked) => match request::parse(asked) {
                    None => match read(&mut self.stream, &mut chunk[..4 << 10])? {
                        0 => return Ok(Next::Close),
                        count => {
                            self.moved += count as u64;
                            asked.extend_from_slice(&chunk[..count]);
                        }
                    },
                    Some(Err(refusal)) => self.answer(refuse(refusal, true)),
                    Some(Ok(request)) => match answer_with(folder.open(&request.path), &request) {
                        Some(answer) => self.answer(answer),
                        None => return Ok(Next::MakeRoom),
                    },
                },
                Stage::Answering(answer) => {
                    if answer.sent == answer.ready.len() && !answer.refill()? {
                        self.stream.shutdown(Shutdown::Write)?;
                        self.until = Instant::now() + TO_LEAVE;
                        self.stage = Stage::Leaving(0);
                        continue;
                    }
                    let count = write(&mut self.stream, &answer.ready[answer.sent..])?;
                    answer.sent += count;
                    self.moved += count as u64;
                }
                Stage::Leaving(left) => match read(&mut self.stream, &mut chunk)? {
                    0 => return Ok(Next::Close),
                    count if *left + count > MOST_LEFT => return Ok(Next::Close),
                    count => *left += count,
                },
            }
        }
    }

    /// Says that it cannot be served now.
    pub fn turn_away(&mut self) {
        self.answer(refuse(("503 Service Unavailable", "no descriptor is free"), true));
    }

    fn answer(&mut self, answer: Answer) {
        self.until = Instant::now() + TO_ANSWER;
        self.stage = Stage::Answering(answer);
    }
}

impl Answer {
    fn new(status: &str, kind: &str, length: u64) -> Self {
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nCache-Control: no-cache\r\n\
             X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"
        );
        Self { ready: head.into_bytes(), sent: 0, rest: None }
    }

    /// The next piece of the file; false at its end.
    fn refill(&mut self) -> io::Result<bool> {
        let Some(rest) = &mut self.rest else { return Ok(false) };
        self.ready.resize(CHUNK, 0);
        let count = rest.read(&mut self.ready)?;
        self.ready.truncate(count);
        self.sent = 0;
        if count == 0 && rest.limit() > 0 {
            return Err(io::Error::other("the file became shorter"));
        }
        Ok(count > 0)
    }
}

/// None where the file could be opened if somebody else gave up theirs. Nobody has to go for any other fault.
fn answer_with(opened: io::Result<Option<Served>>, request: &Request) -> Option<Answer> {
    let refusal = match opened {
        Ok(Some(served)) => return Some(give(served, request)),
        Err(error) if lacks_room(&error) => return None,
        Ok(None) => ("404 Not Found", "no such file"),
        Err(_) => ("500 Internal Server Error", "the file cannot be read"),
    };
    Some(refuse(refusal, request.with_body))
}

fn give(served: Served, request: &Request) -> Answer {
    let mut answer = Answer::new("200 OK", served.kind, served.size);
    answer.rest = request.with_body.then(|| served.file.take(served.size));
    answer
}

fn refuse((status, why): Refusal, with_body: bool) -> Answer {
    let mut answer = Answer::new(status, "text/plain", why.len() as u64);
    if with_body {
        answer.ready.extend_from_slice(why.as_bytes());
    }
    answer
}

/// Reads what is there, whatever signal comes in between.
fn read(from: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    loop {
        match from.read(bytes) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

fn write(to: &mut impl Write, bytes: &[u8]) -> io::Result<usize> {
    loop {
        match to.write(bytes) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_who_lacks_descriptors_or_memory_sends_others_away() {
        let request = Request { path: "/".into(), with_body: true };
        let fails_with = |number: i32| answer_with(Err(io::Error::from_raw_os_error(number)), &request);
        // ENOMEM, ENFILE, EMFILE.
        for number in [12, 23, 24] {
            assert!(fails_with(number).is_none(), "{number}");
        }
        // EIO, ENXIO, ENODEV, ELOOP of Linux and of others.
        for number in [5, 6, 19, 40, 62] {
            let answer = fails_with(number).unwrap_or_else(|| panic!("{number}"));
            assert!(answer.ready.starts_with(b"HTTP/1.1 500 ") && answer.rest.is_none(), "{number}");
        }
        assert!(answer_with(Ok(None), &request).is_some_and(|a| a.ready.starts_with(b"HTTP/1.1 404 ")));
    }
}
