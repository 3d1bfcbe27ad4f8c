//! What an OBJ file names: its materials, and the pictures that they name. None of it is read as part of the rig, and all of it
//! is work that no result may take the place of.

use super::{Identity, Inputs, beside, beside::Reach};
use crate::read::{ReadError, text};
use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

/// Names that are looked at of one file: more are no list that a program wrote.
const MOST: usize = 256;
/// Bytes that are read of a file of materials.
const MOST_BYTES: u64 = 1 << 20;
/// Beginnings of lines that name pictures, in small letters.
const PICTURES: [&str; 6] = ["map_", "bump", "disp", "decal", "refl", "norm"];

impl Inputs {
    /// Remembers the files of materials that an OBJ file names, and their pictures.
    pub(super) fn remember_materials(&self, path: &Path, obj: &[u8]) {
        for materials in named(path, obj, |word| word == "mtllib") {
            self.opened_elsewhere(&materials);
            let mut bytes = Vec::new();
            let is_file = std::fs::metadata(&materials).is_ok_and(|found| found.is_file());
            let read = |file: File| file.take(MOST_BYTES).read_to_end(&mut bytes);
            if is_file && File::open(&materials).and_then(read).is_ok() {
                let is_picture = |word: &str| PICTURES.iter().any(|p| word.to_ascii_lowercase().starts_with(p));
                named(&materials, &bytes, is_picture).iter().for_each(|picture| self.opened_elsewhere(picture));
            }
        }
    }
}

/// The files that are there of those which lines with such first words name. A name may have blanks, and options or other names
/// may stand before it: every way to read the line counts.
fn named(file: &Path, bytes: &[u8], is_key: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let text = text::decode(bytes);
    let mut found = Vec::new();
    for (_, line) in text::lines(&text) {
        let Some((key, rest)) = line.split_once(|c: char| c.is_ascii_whitespace()) else { continue };
        if !is_key(key) {
            continue;
        }
        let rest = rest.trim();
        for name in std::iter::once(rest).chain(rest.split_ascii_whitespace()).take(MOST) {
            match beside(file, &name.replace('\\', "/"), Reach::Folder) {
                Ok(path) | Err(ReadError::Outside { real: Some(path), .. }) if Identity::of(&path).is_some() => {
                    found.push(path);
                }
                _ => {}
            }
        }
        if found.len() >= MOST {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::Limits;
    use std::fs;

    #[test]
    fn materials_and_pictures_that_an_obj_names_are_inputs() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("model")).unwrap();
        fs::create_dir(at("model/maps")).unwrap();
        fs::write(at("model/m.obj"), "mtllib my own.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
        let materials =
            "newmtl a\n\tmap_Kd -s 1 1 1 skin.png\nmap_Bump maps\\bumps.png\nmap_Ks ../out.png\nmap_Kd ../none.png\n";
        fs::write(at("model/my own.mtl"), materials).unwrap();
        for name in ["model/skin.png", "model/maps/bumps.png", "out.png", "model/free.png"] {
            fs::write(at(name), "a picture").unwrap();
        }
        let inputs = Inputs::new(Limits::default());
        inputs.rig(at("model/m.obj")).unwrap();
        for name in ["model/my own.mtl", "model/skin.png", "model/maps/bumps.png", "out.png"] {
            assert!(inputs.refuse_replacing(&at(name)).is_err(), "{name}");
        }
        assert!(inputs.refuse_replacing(&at("model/free.png")).is_ok());
        assert!(inputs.refuse_replacing(&at("none.png")).is_ok());
    }
}
