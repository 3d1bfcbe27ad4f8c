//! The head of a request, as far as a folder of files needs it.

/// The head of a request is no longer than this.
pub const LONGEST: usize = 16 << 10;

/// What is asked for.
#[derive(Debug, PartialEq)]
pub struct Request {
    pub path: String,
    /// False where only the head of the answer is wanted.
    pub with_body: bool,
}

/// Why nothing is given: the status, and a word for whoever looks.
pub type Refusal = (&'static str, &'static str);

const MALFORMED: Refusal = ("400 Bad Request", "this is no request");

/// None until the head is whole. What comes after it is not looked at: no request that is answered has a body.
pub fn parse(bytes: &[u8]) -> Option<Result<Request, Refusal>> {
    match bytes.windows(4).position(|end| end == b"\r\n\r\n") {
        Some(end) if end <= LONGEST => Some(head(&bytes[..end])),
        None if bytes.len() <= LONGEST => None,
        _ => Some(Err(("431 Request Header Fields Too Large", "the request is too long"))),
    }
}

fn head(bytes: &[u8]) -> Result<Request, Refusal> {
    let mut lines = std::str::from_utf8(bytes).map_err(|_| MALFORMED)?.split("\r\n");
    let first: Vec<&str> = lines.next().unwrap_or("").split(' ').collect();
    let &[verb, path, version] = &first[..] else { return Err(MALFORMED) };
    let fields: Option<Vec<(&str, &str)>> = lines.map(|line| line.split_once(':')).collect();
    let fields = fields.filter(|_| version.starts_with("HTTP/1.")).ok_or(MALFORMED)?;
    let hosts: Vec<&str> = fields.iter().filter(|f| f.0.eq_ignore_ascii_case("host")).map(|f| f.1.trim()).collect();
    let &[host] = &hosts[..] else { return Err(MALFORMED) };
    if !is_this_machine(host) {
        return Err(("421 Misdirected Request", "only localhost is served"));
    }
    if !matches!(verb, "GET" | "HEAD") {
        return Err(("405 Method Not Allowed\r\nAllow: GET, HEAD", "only GET and HEAD"));
    }
    Ok(Request { path: path.to_owned(), with_body: verb == "GET" })
}

/// A page of somebody else's can have its own name lead to this machine and ask for our files as its own; the name stays
/// theirs. The port may be another, where it is forwarded.
fn is_this_machine(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    ["localhost", "127.0.0.1", "[::1]"].iter().any(|ours| name.eq_ignore_ascii_case(ours))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(bytes: &[u8]) -> Option<&'static str> {
        parse(bytes).map(|found| found.map_or_else(|refusal| &refusal.0[..3], |_| "200"))
    }

    #[test]
    fn requests_are_read_when_they_are_whole() {
        let whole = b"HEAD /a.js?b HTTP/1.1\r\nAccept: */*\r\nhOsT:  LOCALHOST:80 \r\n\r\n";
        for length in 0..whole.len() {
            assert_eq!(parse(&whole[..length]), None, "{length}");
        }
        let expected = Request { path: "/a.js?b".into(), with_body: false };
        assert_eq!(parse(whole), Some(Ok(expected)));
        assert_eq!(status(&[&whole[..], b"\0\xffGET / HTTP/1.1\r\n\r\n"].concat()), Some("200"), "the rest is let be");
    }

    #[test]
    fn only_this_machine_is_answered_for() {
        let of = |host: &str| status(format!("GET / HTTP/1.1\r\n{host}\r\n\r\n").as_bytes());
        for ours in ["localhost", "localhost:8080", "127.0.0.1:1", "[::1]", "[::1]:9", "LocalHost"] {
            assert_eq!(of(&format!("Host: {ours}")), Some("200"), "{ours}");
        }
        for theirs in
            ["", "example.com", "localhost.example.com", "127.0.0.1.example.com:80", "localhost:80:80x", "[::2]"]
        {
            assert_eq!(of(&format!("Host: {theirs}")), Some("421"), "{theirs}");
        }
        assert_eq!(of("Accept: */*"), Some("400"), "no host");
        assert_eq!(of("Host: localhost\r\nHost: example.com"), Some("400"), "two hosts");
    }

    #[test]
    fn what_is_no_request_is_refused() {
        let with_host = |line: &str| status(format!("{line}\r\nHost: localhost\r\n\r\n").as_bytes());
        for line in
            ["", "GET", "GET /", "GET  / HTTP/1.1", "GET / HTTP/2", "GET / x HTTP/1.1", "GET / HTTP/1.1\r\nnothing"]
        {
            assert_eq!(with_host(line), Some("400"), "{line:?}");
        }
        assert_eq!(status(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: \xff\r\n\r\n"), Some("400"));
        for verb in ["POST", "PUT", "get", "OPTIONS"] {
            assert_eq!(with_host(&format!("{verb} / HTTP/1.1")), Some("405"), "{verb}");
        }
        assert_eq!(status(&vec![b'a'; LONGEST]), None);
        assert_eq!(status(&vec![b'a'; LONGEST + 1]), Some("431"));
    }
}
