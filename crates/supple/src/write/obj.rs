//! Wavefront OBJ: text that every program reads. Vertices in order, one group per part; no materials, no colours.

use super::{Error, Short, check, shading};
use crate::rig::Rig;
use glam::Vec3;
use std::io::Write;

/// What an OBJ file holds besides positions and triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Write `vn` lines; on by default.
    pub normals: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { normals: true }
    }
}

/// Writes the skin of a rig with its points moved.
pub fn posed(rig: &Rig, points: &[Vec3], options: Options, out: &mut dyn Write) -> Result<(), Error> {
    check::points(rig, points)?;
    let mesh = &rig.mesh;
    writeln!(out, "o {}", line(&rig.name))?;
    for p in points {
        writeln!(out, "v {} {} {}", Short(p.x), Short(p.y), Short(p.z))?;
    }
    // Faces name them; without faces they would belong to nothing.
    let faces = !mesh.triangles.is_empty();
    let uvs = mesh.uvs.as_ref().filter(|_| faces);
    for uv in uvs.into_iter().flatten() {
        // OBJ counts from the bottom of the picture, glTF (and so a rig) from the top.
        writeln!(out, "vt {} {}", Short(uv.x), Short(1.0 - uv.y))?;
    }
    let normals = if options.normals && faces { shading::normals(rig, points) } else { None };
    for n in normals.iter().flatten() {
        writeln!(out, "vn {} {} {}", Short(n.x), Short(n.y), Short(n.z))?;
    }
    let mut parts = rig.parts.iter().peekable();
    for (i, triangle) in mesh.triangles.iter().enumerate() {
        while let Some(part) = parts.next_if(|p| p.triangles.start as usize <= i) {
            writeln!(out, "g {}", line(&part.name))?;
        }
        let [a, b, c] = triangle.map(|v| v + 1);
        match (uvs.is_some(), normals.is_some()) {
            (false, false) => writeln!(out, "f {a} {b} {c}")?,
            (true, false) => writeln!(out, "f {a}/{a} {b}/{b} {c}/{c}")?,
            (false, true) => writeln!(out, "f {a}//{a} {b}//{b} {c}//{c}")?,
            (true, true) => writeln!(out, "f {a}/{a}/{a} {b}/{b}/{b} {c}/{c}/{c}")?,
        }
    }
    Ok(())
}

/// A name that stays on its line.
fn line(name: &str) -> String {
    let name: String = name.chars().map(|c| if c.is_control() { '_' } else { c }).collect();
    if name.trim().is_empty() { "mesh".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::Mesh;
    use glam::Vec2;
    use proptest::prelude::*;

    fn write(rig: &Rig, options: Options) -> String {
        let mut bytes = Vec::new();
        posed(rig, &rig.mesh.positions, options, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn faces_name_what_was_written() {
        let mesh = Mesh {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            triangles: vec![[0, 1, 2]],
            uvs: Some(vec![Vec2::new(0.25, 0.0); 3]),
            ..Mesh::default()
        };
        let rig = Rig::of_mesh("a\nb", mesh);
        let text = write(&rig, Options::default());
        let expected = "o a_b\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0.25 1\nvt 0.25 1\nvt 0.25 1\n\
                        vn 0 0 1\nvn 0 0 1\nvn 0 0 1\ng a_b\nf 1/1/1 2/2/2 3/3/3\n";
        assert_eq!(text, expected);
        assert!(write(&rig, Options { normals: false }).ends_with("f 1/1 2/2 3/3\n"));
    }

    #[test]
    fn a_point_that_is_not_finite_is_refused() {
        let rig = Rig::of_mesh("p", Mesh { positions: vec![Vec3::ZERO; 2], ..Mesh::default() });
        let error = posed(&rig, &[Vec3::ZERO, Vec3::NAN], Options::default(), &mut Vec::new()).unwrap_err();
        assert!(matches!(error, Error::NotFinite { index: 1, .. }), "{error}");
        let error = posed(&rig, &[Vec3::ZERO], Options::default(), &mut Vec::new()).unwrap_err();
        assert_eq!(error.to_string(), "1 points, expected 2");
    }

    proptest! {
        #[test]
        fn any_finite_points_survive(numbers in prop::collection::vec(prop::num::f32::NORMAL | prop::num::f32::ZERO | prop::num::f32::SUBNORMAL, 3..90)) {
            let positions: Vec<Vec3> = numbers.chunks_exact(3).map(Vec3::from_slice).collect();
            let rig = Rig::of_mesh("p", Mesh { positions, ..Mesh::default() });
            let text = write(&rig, Options::default());
            let read = text.lines().filter_map(|l| l.strip_prefix("v ")).flat_map(|l| l.split(' ').map(|x| x.parse::<f32>().unwrap().to_bits()));
            let expected = rig.mesh.positions.iter().flat_map(|p| p.to_array().map(f32::to_bits));
            prop_assert!(read.eq(expected));
        }
    }
}
