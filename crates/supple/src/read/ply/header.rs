use super::super::{
    ReadError,
    text::{at_line, quoted},
};

/// What the rows are and where they begin.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element>,
    /// Bytes up to the first row.
    pub(super) length: usize,
    /// Lines up to the first row.
    pub(super) lines: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Encoding {
    Ascii,
    Little,
    Big,
}

#[derive(Debug)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) rows: u64,
    pub(super) properties: Vec<Property>,
}

#[derive(Debug)]
pub(super) struct Property {
    pub(super) name: String,
    pub(super) kind: Kind,
}

/// One number, or a count and that many numbers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Scalar(Scalar),
    List(Scalar, Scalar),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "char" | "int8" => Self::I8,
            "uchar" | "uint8" => Self::U8,
            "short" | "int16" => Self::I16,
            "ushort" | "uint16" => Self::U16,
            "int" | "int32" => Self::I32,
            "uint" | "uint32" => Self::U32,
            "float" | "float32" => Self::F32,
            "double" | "float64" => Self::F64,
            _ => return None,
        })
    }

    /// Bytes in a binary file.
    pub(super) fn size(self) -> u64 {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

impl Kind {
    /// The type of the number, or of those in the list.
    pub(super) fn value(self) -> Scalar {
        match self {
            Self::Scalar(kind) | Self::List(_, kind) => kind,
        }
    }

    /// The type that every row holds at least once.
    pub(super) fn least(self) -> Scalar {
        match self {
            Self::Scalar(kind) | Self::List(kind, _) => kind,
        }
    }
}

impl Element {
    /// The property that lists the corners of a face.
    pub(super) fn vertex_list(&self) -> Option<usize> {
        let wanted = |name: &str| name == "vertex_indices" || name == "vertex_index";
        self.properties.iter().position(|p| wanted(&p.name) && matches!(p.kind, Kind::List(..)))
    }
}

impl Header {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, ReadError> {
        let mut lines = Lines { bytes, at: 0, number: 0 };
        let first = lines.next().unwrap_or_default();
        if first != "ply" {
            let what = if bytes.is_empty() {
                "it is empty".into()
            } else {
                format!("expected \"ply\", found {}", quoted(&first))
            };
            return Err(at_line(1, what));
        }
        let (mut encoding, mut elements) = (None, Vec::<Element>::new());
        loop {
            let Some(line) = lines.next() else {
                return Err(at_line(lines.number, "the file ends before \"end_header\""));
            };
            let at = lines.number;
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            match words[..] {
                ["end_header"] => break,
                [] | ["comment" | "obj_info", ..] => {}
                ["format", name, ..] => {
                    encoding = Some(match name {
                        "ascii" => Encoding::Ascii,
                        "binary_little_endian" => Encoding::Little,
                        "binary_big_endian" => Encoding::Big,
                        _ => return Err(at_line(at, format!("unknown format {}", quoted(name)))),
                    });
                }
                ["element", name, rows] => {
                    let bad = |_| at_line(at, format!("element {}: {} is not a count", quoted(name), quoted(rows)));
                    elements.push(Element {
                        name: name.into(),
                        rows: rows.parse().map_err(bad)?,
                        properties: Vec::new(),
                    });
                }
                ["property", ref rest @ ..] => {
                    let scalar = |kind: &str| {
                        Scalar::of(kind).ok_or_else(|| at_line(at, format!("unknown property type {}", quoted(kind))))
                    };
                    let (kind, name) = match *rest {
                        ["list", count, value, name] => (Kind::List(scalar(count)?, scalar(value)?), name),
                        [kind, name] => (Kind::Scalar(scalar(kind)?), name),
                        _ => return Err(at_line(at, format!("{} is not a property", quoted(&line)))),
                    };
                    let Some(element) = elements.last_mut() else {
                        return Err(at_line(at, "a property before any element"));
                    };
                    element.properties.push(Property { name: name.into(), kind });
                }
                _ => return Err(at_line(at, format!("{} is not a line of a header", quoted(&line)))),
            }
        }
        let missing = || ReadError::invalid("header", "there is no line \"format\"");
        Ok(Self { encoding: encoding.ok_or_else(missing)?, elements, length: lines.at, lines: lines.number })
    }
}

/// Lines of bytes: what follows the header need not be text.
struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
    number: usize,
}

impl Lines<'_> {
    fn next(&mut self) -> Option<String> {
        let left = self.bytes.get(self.at..).filter(|left| !left.is_empty())?;
        let end = left.iter().position(|&b| b == b'\n' || b == b'\r').unwrap_or(left.len());
        // A lone \r ends lines too. Rows that begin with the byte of \n behind a lone \r are not worth telling apart.
        let ending = if left[end..].starts_with(b"\r\n") { 2 } else { usize::from(end < left.len()) };
        self.at += end + ending;
        self.number += 1;
        Some(String::from_utf8_lossy(&left[..end]).trim().trim_start_matches('\u{feff}').to_owned())
    }
}
