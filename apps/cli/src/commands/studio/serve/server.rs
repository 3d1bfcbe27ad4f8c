//! All connections on one thread. There is a place for so many; where all are taken, the slowest goes, so that a browser
//! is served however many clients do nothing but hold theirs.

use super::{
    connection::{Connection, Next},
    folder::Folder,
};
use mio::{Events, Interest, Poll, Token, net::TcpListener};
use std::{
    collections::HashMap,
    io::{self, ErrorKind},
    time::{Duration, Instant},
};

/// A browser opens six at once. Each may hold a file as well, and some systems give 256 descriptors.
const MOST: usize = 64;
/// Until a descriptor may have become free.
const PAUSE: Duration = Duration::from_millis(200);
/// For a request.
const TO_ASK: Duration = Duration::from_secs(10);
const LISTENER: Token = Token(0);

pub struct Server {
    poll: Poll,
    listener: TcpListener,
    /// Somebody may be waiting to be let in, and when to look.
    knocked: Option<Instant>,
    folder: Folder,
    connections: HashMap<Token, Connection>,
    last: usize,
    to_ask: Duration,
}

impl Server {
    pub fn new(listener: std::net::TcpListener, folder: Folder) -> io::Result<Self> {
        listener.set_nonblocking(true)?;
        let mut listener = TcpListener::from_std(listener);
        let poll = Poll::new()?;
        poll.registry().register(&mut listener, LISTENER, Interest::READABLE)?;
        Ok(Self {
            poll,
            listener,
            knocked: None,
            folder,
            connections: HashMap::new(),
            last: LISTENER.0,
            to_ask: TO_ASK,
        })
    }

    /// Until the program ends.
    pub fn run(&mut self) -> io::Result<()> {
        let mut events = Events::with_capacity(2 * MOST);
        loop {
            let now = Instant::now();
            let first = self.connections.values().map(|c| c.until).chain(self.knocked).min();
            match self.poll.poll(&mut events, first.map(|at| at.saturating_duration_since(now))) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                done => done?,
            }
            for event in &events {
                match event.token() {
                    LISTENER => self.knocked = Some(now),
                    token => self.go_on(token),
                }
            }
            let now = Instant::now();
            self.connections.retain(|_, connection| connection.until > now);
            if self.knocked.is_some_and(|at| at <= now) {
                self.let_in(now);
            }
        }
    }

    /// Takes up those who wait, though not endlessly: those who are in go on in between.
    fn let_in(&mut self, now: Instant) {
        for _ in 0..MOST {
            let mut stream = match self.listener.accept() {
                Ok((stream, _)) => stream,
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock => return self.knocked = None,
                    // Gone again before it was taken up.
                    ErrorKind::Interrupted | ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset => continue,
                    // Out of descriptors or memory: somebody has to go, and where nobody is in, time has to pass.
                    _ if self.make_room(now, None) => continue,
                    _ => return self.knocked = Some(now + PAUSE),
                },
            };
            if self.connections.len() >= MOST {
                self.make_room(now, None);
            }
            self.last += 1;
            let token = Token(self.last);
            if self.poll.registry().register(&mut stream, token, Interest::READABLE | Interest::WRITABLE).is_ok() {
                self.connections.insert(token, Connection::new(stream, now, self.to_ask));
                self.go_on(token);
            }
        }
        self.knocked = Some(now);
    }

    fn go_on(&mut self, token: Token) {
        loop {
            // It may have had to make room for another meanwhile.
            let Some(connection) = self.connections.get_mut(&token) else { return };
            match connection.go_on(&self.folder) {
                Next::Wait => return,
                Next::Close => drop(self.connections.remove(&token)),
                Next::MakeRoom => {
                    if !self.make_room(Instant::now(), Some(token))
                        && let Some(connection) = self.connections.get_mut(&token)
                    {
                        connection.turn_away();
                    }
                }
            }
        }
    }

    /// Sends the slowest away, other than one that is being served; false where there is none.
    fn make_room(&mut self, now: Instant, other_than: Option<Token>) -> bool {
        let others = self.connections.iter().filter(|(token, _)| Some(**token) != other_than);
        let slowest = others.min_by(|a, b| a.1.pace(now).total_cmp(&b.1.pace(now))).map(|(token, _)| *token);
        slowest.is_some_and(|token| self.connections.remove(&token).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        io::{Read, Write},
        net::{Ipv4Addr, SocketAddr, TcpStream},
    };

    fn serve(to_ask: Duration) -> (tempfile::TempDir, SocketAddr) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("index.html"), "page").unwrap();
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let mut server = Server::new(listener, Folder::new(folder.path()).unwrap()).unwrap();
        server.to_ask = to_ask;
        std::thread::spawn(move || server.run());
        (folder, address)
    }

    #[test]
    fn a_request_that_drips_is_not_waited_for() {
        let (_folder, address) = serve(Duration::from_millis(300));
        let mut stream = TcpStream::connect(address).unwrap();
        // Each byte comes well in time, and the head would never end.
        let drip = |stream: &mut TcpStream| {
            std::thread::sleep(Duration::from_millis(20));
            stream.write_all(b"x")
        };
        assert!((0..1000).any(|_| drip(&mut stream).is_err()), "it was waited for");
    }

    #[test]
    fn what_follows_a_request_does_not_take_its_answer_back() {
        let (_folder, address) = serve(TO_ASK);
        for garbage in [b"GET / HTTP/1.1\r\n\r\n".repeat(1000), vec![0xff; 300_000]] {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(&[&b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"[..], &garbage].concat()).unwrap();
            let mut text = String::new();
            stream.read_to_string(&mut text).unwrap();
            assert!(text.starts_with("HTTP/1.1 200 OK") && text.ends_with("\r\n\r\npage"), "{text}");
            assert_eq!(text.matches("HTTP/1.1").count(), 1, "one request for a connection");
        }
    }
}
