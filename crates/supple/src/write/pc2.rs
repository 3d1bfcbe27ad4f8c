//! PointCache2: the points of every frame and nothing else, written as they come. It goes with the mesh it was baked
//! from (Blender: the Mesh Cache modifier).

use super::{Error, check};
use glam::Vec3;
use std::io::Write;

/// Writes a PointCache2 file frame by frame.
#[derive(Debug)]
pub struct Pc2Writer<W: Write> {
    out: W,
    points: usize,
    frames: usize,
    written: usize,
}

impl<W: Write> Pc2Writer<W> {
    /// Writes the header for so many points and frames; the first is frame 0, one sample each.
    pub fn new(mut out: W, points: usize, frames: usize) -> Result<Self, Error> {
        let stated = |what, count: usize| {
            i32::try_from(count).map_err(|_| Error::Count { what, found: count, expected: i32::MAX as usize })
        };
        out.write_all(b"POINTCACHE2\0")?;
        out.write_all(&1i32.to_le_bytes())?;
        out.write_all(&stated("points", points)?.to_le_bytes())?;
        out.write_all(&0f32.to_le_bytes())?;
        out.write_all(&1f32.to_le_bytes())?;
        out.write_all(&stated("frames", frames)?.to_le_bytes())?;
        Ok(Self { out, points, frames, written: 0 })
    }

    /// Writes the next frame.
    pub fn frame(&mut self, points: &[Vec3]) -> Result<(), Error> {
        check::count("points", points.len(), self.points)?;
        check::finite("point", points)?;
        self.written += 1;
        if self.written > self.frames {
            return Err(Error::Count { what: "frames", found: self.written, expected: self.frames });
        }
        Ok(self.out.write_all(bytemuck::cast_slice(points))?)
    }

    /// Checks that all frames came, and hands the output back.
    pub fn finish(self) -> Result<W, Error> {
        check::count("frames", self.written, self.frames)?;
        Ok(self.out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_and_frames_are_where_readers_look() {
        let mut writer = Pc2Writer::new(Vec::new(), 2, 3).unwrap();
        for i in 0..3 {
            writer.frame(&[Vec3::splat(i as f32), Vec3::X]).unwrap();
        }
        assert!(matches!(writer.frame(&[Vec3::ZERO; 2]), Err(Error::Count { what: "frames", found: 4, .. })));
        let mut writer = Pc2Writer::new(Vec::new(), 2, 1).unwrap();
        assert!(writer.frame(&[Vec3::ZERO]).is_err());
        writer.frame(&[Vec3::splat(4.0), Vec3::X]).unwrap();
        let bytes = writer.finish().unwrap();
        assert_eq!(bytes.len(), 32 + 24);
        assert_eq!(&bytes[..12], b"POINTCACHE2\0");
        let int = |at: usize| i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        let float = |at: usize| f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!((int(12), int(16), float(20), float(24), int(28)), (1, 2, 0.0, 1.0, 1));
        assert_eq!((float(32), float(44)), (4.0, 1.0));
    }

    #[test]
    fn a_missing_frame_is_noticed() {
        let writer = Pc2Writer::new(Vec::new(), 1, 2).unwrap();
        assert_eq!(writer.finish().unwrap_err().to_string(), "0 frames, expected 2");
    }
}
