use super::{
    super::{ReadError, text::quoted},
    header::{Element, Scalar},
};

/// Where rows come from. Every type fits a double exactly. Errors say what is wrong; the caller knows in which row.
pub(super) trait Source {
    /// The next number.
    fn scalar(&mut self, kind: Scalar) -> Result<f64, String>;
    /// Steps over numbers of one type.
    fn skip(&mut self, count: u64, kind: Scalar) -> Result<(), String>;
    /// Fewest bytes a number of this type takes.
    fn least(&self, kind: Scalar) -> u64;
    /// Bytes not read yet.
    fn left(&self) -> u64;

    /// The number of rows, where what is left of the file can hold them.
    fn believe(&self, element: &Element) -> Result<usize, ReadError> {
        let row: u64 = element.properties.iter().map(|p| self.least(p.kind.least())).sum();
        let needed = element.rows.saturating_mul(row.max(1));
        // The last row of a text need not be followed by anything.
        if needed > self.left().saturating_add(1) {
            let what = format!("{} rows need {needed} bytes at least, {} are left", element.rows, self.left());
            return Err(ReadError::invalid(format!("element {}", quoted(&element.name)), what));
        }
        Ok(element.rows as usize)
    }
}

/// Numbers as bytes, the big end first or last.
pub(super) struct Binary<'a, const BIG: bool> {
    bytes: &'a [u8],
    length: usize,
    before: usize,
}

impl<'a, const BIG: bool> Binary<'a, BIG> {
    /// Rows that follow so many bytes of header.
    pub(super) fn new(bytes: &'a [u8], before: usize) -> Self {
        Self { bytes, length: bytes.len(), before }
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let (head, tail) = self.bytes.split_first_chunk::<N>().ok_or_else(|| self.ends())?;
        self.bytes = tail;
        let mut bytes = *head;
        if BIG {
            bytes.reverse();
        }
        Ok(bytes)
    }

    #[cold]
    fn ends(&self) -> String {
        format!("the file ends at byte {}", self.before + self.length)
    }
}

impl<const BIG: bool> Source for Binary<'_, BIG> {
    #[inline]
    fn scalar(&mut self, kind: Scalar) -> Result<f64, String> {
        Ok(match kind {
            Scalar::I8 => f64::from(i8::from_le_bytes(self.take()?)),
            Scalar::U8 => f64::from(u8::from_le_bytes(self.take()?)),
            Scalar::I16 => f64::from(i16::from_le_bytes(self.take()?)),
            Scalar::U16 => f64::from(u16::from_le_bytes(self.take()?)),
            Scalar::I32 => f64::from(i32::from_le_bytes(self.take()?)),
            Scalar::U32 => f64::from(u32::from_le_bytes(self.take()?)),
            Scalar::F32 => f64::from(f32::from_le_bytes(self.take()?)),
            Scalar::F64 => f64::from_le_bytes(self.take()?),
        })
    }

    fn skip(&mut self, count: u64, kind: Scalar) -> Result<(), String> {
        let bytes = usize::try_from(count.saturating_mul(kind.size())).ok();
        self.bytes = bytes.and_then(|n| self.bytes.get(n..)).ok_or_else(|| self.ends())?;
        Ok(())
    }

    fn least(&self, kind: Scalar) -> u64 {
        kind.size()
    }

    fn left(&self) -> u64 {
        self.bytes.len() as u64
    }
}

/// Numbers as words. Line ends are blanks like any other, as some programs break long rows.
pub(super) struct Ascii<'a> {
    bytes: &'a [u8],
    line: usize,
}

impl<'a> Ascii<'a> {
    /// Rows that begin at this line.
    pub(super) fn new(bytes: &'a [u8], line: usize) -> Self {
        Self { bytes, line }
    }

    fn word(&mut self) -> Result<&'a [u8], String> {
        let start = self.bytes.iter().position(|b| !b.is_ascii_whitespace());
        let start = start.ok_or_else(|| format!("the file ends after line {}", self.line))?;
        self.line += self.bytes[..start].iter().filter(|&&b| b == b'\n').count();
        let left = &self.bytes[start..];
        let end = left.iter().position(u8::is_ascii_whitespace).unwrap_or(left.len());
        self.bytes = &left[end..];
        Ok(&left[..end])
    }
}

impl Source for Ascii<'_> {
    fn scalar(&mut self, _: Scalar) -> Result<f64, String> {
        let word = self.word()?;
        let number = std::str::from_utf8(word).ok().and_then(|w| w.parse().ok());
        let text = || quoted(&String::from_utf8_lossy(word));
        number.ok_or_else(|| format!("{} is not a number (line {})", text(), self.line))
    }

    fn skip(&mut self, count: u64, _: Scalar) -> Result<(), String> {
        for _ in 0..count {
            self.word()?;
        }
        Ok(())
    }

    fn least(&self, _: Scalar) -> u64 {
        2
    }

    fn left(&self) -> u64 {
        self.bytes.len() as u64
    }
}
