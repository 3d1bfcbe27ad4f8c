use super::{
    AtomicFile, Error, ending,
    gltf::{Baked, BakedOptions},
    pc2::Pc2Writer,
    usda::UsdaWriter,
};
use crate::rig::Rig;
use glam::Vec3;
use std::path::{Path, PathBuf};

/// Moved points over time into a file, the format by its ending: `.usda` and `.pc2` are written as the frames come,
/// `.glb` is held in memory until the end. The file appears when [`Frames::finish`] has seen every frame.
pub struct Frames<'a> {
    writer: Writer<'a>,
    path: PathBuf,
}

enum Writer<'a> {
    Glb { baked: Box<Baked<'a>>, out: AtomicFile, frames: usize, written: usize },
    Pc2(Pc2Writer<AtomicFile>),
    Usda(UsdaWriter<'a, AtomicFile>),
}

impl<'a> Frames<'a> {
    /// Starts a file of so many frames. `name` is the clip's, for the formats that keep one.
    pub fn create(path: impl AsRef<Path>, rig: &'a Rig, frames: usize, fps: f64, name: &str) -> Result<Self, Error> {
        let path = path.as_ref();
        let writer = Writer::create(path, rig, frames, fps, name).map_err(|e| e.about(path))?;
        Ok(Self { writer, path: path.to_owned() })
    }

    /// Adds the next frame.
    pub fn frame(&mut self, points: &[Vec3]) -> Result<(), Error> {
        let added = match &mut self.writer {
            Writer::Glb { baked, written, .. } => {
                *written += 1;
                baked.frame(points)
            }
            Writer::Pc2(writer) => writer.frame(points),
            Writer::Usda(writer) => writer.frame(points),
        };
        added.map_err(|e| e.about(&self.path))
    }

    /// Checks that all frames came, and gives the file its name.
    pub fn finish(self) -> Result<(), Error> {
        self.writer.finish().map_err(|e| e.about(&self.path))
    }
}

impl<'a> Writer<'a> {
    fn create(path: &Path, rig: &'a Rig, frames: usize, fps: f64, name: &str) -> Result<Self, Error> {
        Ok(match ending(path)?.as_str() {
            "glb" => {
                let options = BakedOptions { name: name.to_owned(), fps, ..BakedOptions::default() };
                let baked = Box::new(Baked::new(rig, options)?.expecting(frames));
                Self::Glb { baked, out: AtomicFile::create(path)?, frames, written: 0 }
            }
            "pc2" => Self::Pc2(Pc2Writer::new(AtomicFile::create(path)?, rig.mesh.positions.len(), frames)?),
            "usda" => Self::Usda(UsdaWriter::new(AtomicFile::create(path)?, rig, frames, fps)?),
            other => return Err(Error::unknown_ending(other, "glb, usda and pc2")),
        })
    }

    fn finish(self) -> Result<(), Error> {
        match self {
            Self::Glb { baked, mut out, frames, written } => {
                super::check::count("frames", written, frames)?;
                baked.finish(&mut out)?;
                out.finish()
            }
            Self::Pc2(writer) => writer.finish()?.finish(),
            Self::Usda(writer) => writer.finish()?.finish(),
        }
    }
}
