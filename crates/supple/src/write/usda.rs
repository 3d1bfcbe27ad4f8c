//! USD as text: the skin as a `Mesh` prim (a `Points` prim where there are no triangles), still or moving. Frames are
//! written as they come; only their boxes are kept, because the extents follow the points.

use super::{Error, Short, check};
use crate::{math::Bounds, rig::Rig};
use glam::Vec3;
use std::io::Write;

/// Writes the skin of a rig in one pose.
pub fn posed(rig: &Rig, points: &[Vec3], out: &mut dyn Write) -> Result<(), Error> {
    check::points(rig, points)?;
    header(rig, None, out)?;
    write!(out, "    point3f[] points = ")?;
    vectors(points, out)?;
    let (min, max) = padded(rig, Bounds::of(points));
    writeln!(out, "\n    float3[] extent = [({min}), ({max})]\n}}")?;
    Ok(())
}

/// Writes a moving skin frame by frame. Frame k is at time code k.
pub struct UsdaWriter<'a, W: Write> {
    rig: &'a Rig,
    out: W,
    frames: usize,
    extents: Vec<Bounds>,
}

impl<'a, W: Write> UsdaWriter<'a, W> {
    /// Writes all that does not move; `fps` time codes make a second.
    pub fn new(mut out: W, rig: &'a Rig, frames: usize, fps: f64) -> Result<Self, Error> {
        check::points(rig, &rig.mesh.positions)?;
        check::rate(fps)?;
        header(rig, Some((frames, fps)), &mut out)?;
        writeln!(out, "    point3f[] points.timeSamples = {{")?;
        Ok(Self { rig, out, frames, extents: Vec::new() })
    }

    /// Writes the next frame.
    pub fn frame(&mut self, points: &[Vec3]) -> Result<(), Error> {
        check::count("points", points.len(), self.rig.mesh.positions.len())?;
        check::finite("point", points)?;
        if self.extents.len() == self.frames {
            return Err(Error::Count { what: "frames", found: self.frames + 1, expected: self.frames });
        }
        write!(self.out, "        {}: ", self.extents.len())?;
        vectors(points, &mut self.out)?;
        writeln!(self.out, ",")?;
        self.extents.push(Bounds::of(points));
        Ok(())
    }

    /// Checks that all frames came, writes the extents and hands the output back.
    pub fn finish(mut self) -> Result<W, Error> {
        check::count("frames", self.extents.len(), self.frames)?;
        writeln!(self.out, "    }}\n    float3[] extent.timeSamples = {{")?;
        for (i, bounds) in self.extents.iter().enumerate() {
            let (min, max) = padded(self.rig, *bounds);
            writeln!(self.out, "        {i}: [({min}), ({max})],")?;
        }
        writeln!(self.out, "    }}\n}}")?;
        Ok(self.out)
    }
}

/// Everything up to the points.
fn header(rig: &Rig, time: Option<(usize, f64)>, out: &mut dyn Write) -> Result<(), Error> {
    let (mesh, name) = (&rig.mesh, identifier(&rig.name));
    writeln!(out, "#usda 1.0\n(\n    defaultPrim = \"{name}\"\n    upAxis = \"Y\"\n    metersPerUnit = 1")?;
    if let Some((frames, fps)) = time {
        writeln!(out, "    timeCodesPerSecond = {fps}\n    framesPerSecond = {fps}")?;
        writeln!(out, "    startTimeCode = 0\n    endTimeCode = {}", frames.saturating_sub(1))?;
    }
    let kind = if mesh.triangles.is_empty() { "Points" } else { "Mesh" };
    writeln!(out, ")\n\ndef {kind} \"{name}\"\n{{")?;
    if mesh.triangles.is_empty() {
        let width = Short(width(rig));
        writeln!(out, "    float[] widths = [{width}] (\n        interpolation = \"constant\"\n    )")?;
    } else {
        writeln!(out, "    uniform token subdivisionScheme = \"none\"")?;
        write!(out, "    int[] faceVertexCounts = ")?;
        list(mesh.triangles.iter().map(|_| 3), out)?;
        write!(out, "\n    int[] faceVertexIndices = ")?;
        list(mesh.triangles.as_flattened(), out)?;
        writeln!(out)?;
    }
    if let Some(uvs) = &mesh.uvs {
        write!(out, "    texCoord2f[] primvars:st = ")?;
        // USD counts from the bottom of the picture, glTF (and so a rig) from the top.
        list(uvs.iter().map(|uv| format!("({}, {})", Short(uv.x), Short(1.0 - uv.y))), out)?;
        writeln!(out, " (\n        interpolation = \"vertex\"\n    )")?;
    }
    if let Some(colors) = &mesh.colors {
        let color = |[r, g, b, _]: &[u8; 4]| {
            let [r, g, b] = [r, g, b].map(|&x| Short(f32::from(x) / 255.0));
            format!("({r}, {g}, {b})")
        };
        write!(out, "    color3f[] primvars:displayColor = ")?;
        list(colors.iter().map(color), out)?;
        writeln!(out, " (\n        interpolation = \"vertex\"\n    )")?;
    }
    Ok(())
}

fn list(items: impl IntoIterator<Item = impl std::fmt::Display>, out: &mut dyn Write) -> Result<(), Error> {
    let mut before = "[";
    for item in items {
        write!(out, "{before}{item}")?;
        before = ", ";
    }
    Ok(write!(out, "{}]", if before == "[" { "[" } else { "" })?)
}

fn vectors(points: &[Vec3], out: &mut dyn Write) -> Result<(), Error> {
    let mut before = "[";
    for p in points {
        write!(out, "{before}({}, {}, {})", Short(p.x), Short(p.y), Short(p.z))?;
        before = ", ";
    }
    Ok(write!(out, "{}]", if before == "[" { "[" } else { "" })?)
}

/// Points are drawn as small balls; USD's own default is a width of one metre.
fn width(rig: &Rig) -> f32 {
    (rig.diagonal() * 0.004).min(f32::MAX)
}

/// The corners of an extent, which must hold the balls too.
fn padded(rig: &Rig, bounds: Bounds) -> (String, String) {
    let pad = if rig.mesh.triangles.is_empty() { 0.5 * width(rig) } else { 0.0 };
    // Twice the largest float is infinite, and still has to be written as a number.
    let text = |v: Vec3| {
        let v = v.clamp(Vec3::MIN, Vec3::MAX);
        format!("{}, {}, {}", Short(v.x), Short(v.y), Short(v.z))
    };
    (text(bounds.min - pad), text(bounds.max + pad))
}

/// A name of letters, digits and underscores that does not start with a digit, as USD wants them.
fn identifier(name: &str) -> String {
    let mut id: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if id.is_empty() {
        id.push_str("mesh");
    } else if id.starts_with(|c: char| c.is_ascii_digit()) {
        id.insert(0, '_');
    }
    id
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::Mesh;

    fn rig(triangles: Vec<[u32; 3]>) -> Rig {
        Rig::of_mesh("7 lives", Mesh { positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y], triangles, ..Mesh::default() })
    }

    #[test]
    fn a_moving_mesh_has_samples_and_extents_for_every_frame() {
        let rig = rig(vec![[0, 1, 2]]);
        let mut writer = UsdaWriter::new(Vec::new(), &rig, 2, 24.0).unwrap();
        for i in 0..2 {
            let moved: Vec<Vec3> = rig.mesh.positions.iter().map(|p| p + i as f32).collect();
            writer.frame(&moved).unwrap();
        }
        assert!(matches!(writer.frame(&rig.mesh.positions), Err(Error::Count { found: 3, .. })));
        let text = String::from_utf8(writer.finish().unwrap()).unwrap();
        for line in [
            "#usda 1.0",
            "def Mesh \"_7_lives\"",
            "    defaultPrim = \"_7_lives\"",
            "    endTimeCode = 1",
            "    timeCodesPerSecond = 24",
            "    int[] faceVertexIndices = [0, 1, 2]",
            "        1: [(1, 1, 1), (2, 1, 1), (1, 2, 1)],",
            "        1: [(1, 1, 1), (2, 2, 1)],",
        ] {
            assert!(text.lines().any(|l| l == line), "{line:?} is not in\n{text}");
        }
    }

    #[test]
    fn a_point_set_becomes_points() {
        let rig = rig(Vec::new());
        let mut bytes = Vec::new();
        posed(&rig, &rig.mesh.positions, &mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.contains("def Points") && text.contains("widths = ["), "{text}");
    }

    #[test]
    fn a_wrong_rate_or_a_missing_frame_is_refused() {
        let rig = rig(Vec::new());
        assert!(matches!(UsdaWriter::new(Vec::new(), &rig, 2, 0.0), Err(Error::Rate(_))));
        assert!(UsdaWriter::new(Vec::new(), &rig, 2, 24.0).unwrap().finish().is_err());
    }
}
