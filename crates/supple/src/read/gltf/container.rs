//! From bytes to a document and its buffers.

use super::{Shared, document::Root};
use crate::read::{ReadError, Warnings};
use base64::{Engine, engine::general_purpose::STANDARD};
use std::{
    collections::{HashMap, HashSet},
    ops::Range,
    sync::Arc,
};

/// A document with the bytes its buffers stand for.
pub struct Container {
    pub root: Root,
    file: Arc<Vec<u8>>,
    json: Range<usize>,
    buffers: Vec<Bytes>,
    /// Bytes that came from elsewhere, each counted once.
    fetched: usize,
    /// Those, and the binary chunk: what vouches for vertices and triangles. Text does not.
    buffered: usize,
}

/// Nodes may share meshes, and meshes accessors, so that a skin may be larger than the buffers it comes from: by so many bytes
/// where the buffers are large, and up to so many where they are small.
const SHARED: usize = 2 << 20;
const SHARED_BY_SMALL: usize = 12 << 20;

enum Bytes {
    InFile(Range<usize>),
    /// Buffers that name the same bytes share them.
    Own(Arc<[u8]>),
}

impl Container {
    pub fn open(file: Arc<Vec<u8>>, resolve: &Shared<'_>, warnings: &mut Warnings) -> Result<Self, ReadError> {
        let (json, bin) = chunks(&file, warnings)?;
        let json = without_mark(&file, json);
        let root: Root =
            serde_json::from_slice(&file[json.clone()]).map_err(|e| ReadError::invalid("JSON", e.to_string()))?;
        if !root.asset.version.starts_with("2.") {
            let what = format!("version \"{}\" is not glTF 2.x", root.asset.version);
            return Err(ReadError::invalid("asset.version", what));
        }
        for extension in &root.extensions_required {
            if ["draco", "meshopt", "instancing"].iter().any(|word| extension.contains(word)) {
                return Err(ReadError::invalid("extensionsRequired", format!("{extension} is not supported")));
            }
        }
        let mut buffers = Vec::new();
        let mut fetched: HashMap<&str, Arc<[u8]>> = HashMap::new();
        for (i, buffer) in root.buffers.iter().enumerate() {
            let place = || format!("buffers[{i}]");
            let bytes = match &buffer.uri {
                Some(uri) => Bytes::Own(match fetched.get(uri.as_str()) {
                    Some(known) => known.clone(),
                    None => {
                        let bytes = fetch(uri, resolve).map_err(|what| ReadError::invalid(place(), what))?;
                        fetched.entry(uri.as_str()).or_insert(bytes).clone()
                    }
                }),
                None if i == 0 && bin.is_some() => Bytes::InFile(bin.clone().expect("just seen")),
                None => return Err(ReadError::invalid(place(), "has neither a uri nor the binary chunk of a GLB")),
            };
            let there = bytes.get(&file).len();
            if there < buffer.byte_length {
                let what = format!("promises {} bytes, but {there} are there", buffer.byte_length);
                return Err(ReadError::invalid(place(), what));
            }
            buffers.push(bytes);
        }
        // One name can be written in many ways.
        let fetched: HashSet<_> = fetched.values().map(|bytes| (bytes.as_ptr(), bytes.len())).collect();
        let fetched = fetched.into_iter().map(|(_, length)| length).sum();
        let buffered = fetched + bin.map_or(0, |bin| bin.len());
        Ok(Self { root, file, json, buffers, fetched, buffered })
    }

    /// The document as it is written.
    pub fn json(&self) -> &[u8] {
        &self.file[self.json.clone()]
    }

    /// The whole file.
    pub fn file(&self) -> &Arc<Vec<u8>> {
        &self.file
    }

    /// The bytes of a buffer, no more than it promises.
    pub fn buffer(&self, index: usize) -> Option<&[u8]> {
        let length = self.root.buffers.get(index)?.byte_length;
        self.buffers[index].get(&self.file).get(..length)
    }

    /// All the bytes that came with the document: no honest count exceeds it.
    pub fn size(&self) -> usize {
        self.file.len() + self.fetched
    }

    /// The most keys and elements of morph targets. Many can share one accessor, so that a small file could ask for any amount
    /// of memory; no honest file comes near this.
    pub fn most_elements(&self) -> usize {
        (self.size() * 2).max(1 << 20)
    }

    /// The most bytes that the vertices and triangles of a skin may have, at `PLAIN` for each. In memory, with all that is
    /// found out about them, they take up to forty times as much.
    pub fn most_plain(&self) -> usize {
        (self.buffered + SHARED).max(SHARED_BY_SMALL)
    }

    /// The bytes of a buffer view.
    pub fn view(&self, index: usize) -> Result<&[u8], ReadError> {
        let place = || format!("bufferViews[{index}]");
        let count = self.root.buffer_views.len();
        let view = self.root.buffer_views.get(index);
        let view = view.ok_or_else(|| ReadError::invalid(place(), format!("does not exist, there are {count}")))?;
        let buffer = self.buffer(view.buffer).ok_or_else(|| {
            ReadError::invalid(place(), format!("names buffer {}, there are {}", view.buffer, self.buffers.len()))
        })?;
        let end = view.byte_offset.checked_add(view.byte_length);
        end.and_then(|end| buffer.get(view.byte_offset..end)).ok_or_else(|| {
            let (offset, length) = (view.byte_offset, view.byte_length);
            let what = format!("{length} bytes from {offset} do not fit in a buffer of {}", buffer.len());
            ReadError::invalid(place(), what)
        })
    }
}

impl Bytes {
    fn get<'a>(&'a self, file: &'a [u8]) -> &'a [u8] {
        match self {
            Self::InFile(range) => &file[range.clone()],
            Self::Own(bytes) => bytes,
        }
    }
}

/// The JSON without the mark that some editors put before text.
fn without_mark(file: &[u8], json: Range<usize>) -> Range<usize> {
    let mark = if file[json.clone()].starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    json.start + mark..json.end
}

/// Where the JSON and the binary chunk lie: the whole file for plain glTF.
fn chunks(file: &[u8], warnings: &mut Warnings) -> Result<(Range<usize>, Option<Range<usize>>), ReadError> {
    let word = |at: usize| file.get(at..at + 4).map(|b| u32::from_le_bytes(b.try_into().expect("four bytes")) as usize);
    if !file.starts_with(b"glTF") {
        let start = file.iter().take(64).position(|b| !b.is_ascii_whitespace() && !b"\xef\xbb\xbf".contains(b));
        if start.is_none_or(|i| file[i] != b'{') {
            let shown = String::from_utf8_lossy(&file[..file.len().min(4)]).escape_debug().to_string();
            let what = format!("begins with \"{shown}\", neither a GLB nor JSON");
            return Err(ReadError::invalid("header", what));
        }
        return Ok((0..file.len(), None));
    }
    let header = |what: String| ReadError::invalid("GLB header", what);
    let (Some(version), Some(length)) = (word(4), word(8)) else {
        return Err(header(format!("is cut off after {} bytes", file.len())));
    };
    if version != 2 {
        return Err(header(format!("version {version} is not 2")));
    }
    if length > file.len() {
        return Err(header(format!("promises {length} bytes, but the file has {}", file.len())));
    }
    if length < file.len() {
        warnings.push("GLB header", format!("says {length} bytes, the {} after them are ignored", file.len() - length));
    }
    let (mut at, mut json, mut bin) = (12, None, None);
    while at < length {
        let place = || format!("GLB chunk at byte {at}");
        let (Some(size), Some(kind)) = (word(at), file.get(at + 4..at + 8)) else {
            return Err(ReadError::invalid(place(), "has no complete header"));
        };
        let body = at + 8..(at + 8).saturating_add(size);
        if body.end > length {
            let what = format!("has {size} bytes, but only {} are left", length.saturating_sub(at + 8));
            return Err(ReadError::invalid(place(), what));
        }
        match (kind, json.is_some()) {
            (b"JSON", false) => json = Some(body.clone()),
            (_, false) => return Err(ReadError::invalid(place(), "is not JSON, and the first one must be")),
            (b"BIN\0", true) if bin.is_none() => bin = Some(body.clone()),
            _ => {}
        }
        at = body.end;
    }
    Ok((json.ok_or_else(|| header("is followed by no chunk".into()))?, bin))
}

/// Fetches a data URI or a neighbouring file.
pub fn fetch(uri: &str, resolve: &Shared<'_>) -> Result<Arc<[u8]>, String> {
    let Some(data) = uri.strip_prefix("data:") else {
        return resolve(&decoded(uri)).map_err(|e| format!("\"{uri}\" cannot be read: {e}"));
    };
    let (kind, body) = data.split_once(',').ok_or("is a data URI without a comma")?;
    if !kind.ends_with(";base64") {
        return Err("is a data URI that is not base64".into());
    }
    STANDARD.decode(body.trim()).map(Into::into).map_err(|e| format!("is not base64: {e}"))
}

/// Undoes percent escapes: names with spaces are written that way.
fn decoded(uri: &str) -> String {
    let mut out = Vec::with_capacity(uri.len());
    let bytes = uri.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        let hex = |k: usize| bytes.get(i + k).and_then(|b| (*b as char).to_digit(16));
        if let (b'%', Some(high), Some(low)) = (bytes[i], hex(1), hex(2)) {
            out.push((high * 16 + low) as u8);
            i += 3;
        } else {
            out.push(bytes[i]);
            i += 1;
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
