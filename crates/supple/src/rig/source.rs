use std::{collections::BTreeMap, fmt, io, sync::Arc};

/// The file a rig was read from, as bytes. Edits of the rig leave it alone; the writer of the same format puts into it
/// what differs, so that everything else goes through unharmed, whether a rig has a word for it or not.
///
/// Cheap to clone. Rigs are equal whatever files they came from, so any two of these are equal too.
#[derive(Clone)]
pub struct Source {
    pub(crate) file: Arc<Vec<u8>>,
    /// Files that it names, by their names. Buffers and images share the bytes.
    pub(crate) neighbours: Arc<BTreeMap<String, Arc<[u8]>>>,
}

impl Source {
    /// The bytes of a file that it names, as they were when it was read.
    pub(crate) fn neighbour(&self, name: &str) -> io::Result<Arc<[u8]>> {
        self.neighbours.get(name).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl PartialEq for Source {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Source({} bytes, {} neighbours)", self.file.len(), self.neighbours.len())
    }
}
