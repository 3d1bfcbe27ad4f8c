//! Stanford PLY: points with normals and colours, and triangles; binary unless text is asked for.

use super::{Error, Short, check, shading};
use crate::rig::Rig;
use glam::Vec3;
use std::io::Write;

/// What a PLY file holds and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Text instead of little-endian binary.
    pub ascii: bool,
    /// Write normals, where there are any; on by default.
    pub normals: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { ascii: false, normals: true }
    }
}

/// Writes the skin of a rig with its points moved. Colours are written as the rig has them.
pub fn posed(rig: &Rig, points: &[Vec3], options: Options, out: &mut dyn Write) -> Result<(), Error> {
    check::points(rig, points)?;
    let normals = if options.normals { shading::normals(rig, points) } else { None };
    let (triangles, colors) = (&rig.mesh.triangles, &rig.mesh.colors);
    writeln!(out, "ply\nformat {} 1.0", if options.ascii { "ascii" } else { "binary_little_endian" })?;
    writeln!(out, "element vertex {}\nproperty float x\nproperty float y\nproperty float z", points.len())?;
    if normals.is_some() {
        writeln!(out, "property float nx\nproperty float ny\nproperty float nz")?;
    }
    if colors.is_some() {
        writeln!(out, "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha")?;
    }
    if !triangles.is_empty() {
        writeln!(out, "element face {}\nproperty list uchar int vertex_indices", triangles.len())?;
    }
    writeln!(out, "end_header")?;
    if options.ascii {
        for (i, p) in points.iter().enumerate() {
            write!(out, "{} {} {}", Short(p.x), Short(p.y), Short(p.z))?;
            if let Some(n) = normals.as_ref().map(|n| n[i]) {
                write!(out, " {} {} {}", Short(n.x), Short(n.y), Short(n.z))?;
            }
            if let Some([r, g, b, a]) = colors.as_ref().map(|c| c[i]) {
                write!(out, " {r} {g} {b} {a}")?;
            }
            writeln!(out)?;
        }
        for [a, b, c] in triangles {
            writeln!(out, "3 {a} {b} {c}")?;
        }
        return Ok(());
    }
    let mut row = Vec::with_capacity(28);
    for (i, p) in points.iter().enumerate() {
        row.clear();
        row.extend_from_slice(bytemuck::bytes_of(p));
        if let Some(normals) = &normals {
            row.extend_from_slice(bytemuck::bytes_of(&normals[i]));
        }
        if let Some(colors) = colors {
            row.extend_from_slice(&colors[i]);
        }
        out.write_all(&row)?;
    }
    for triangle in triangles {
        row.clear();
        row.push(3);
        row.extend_from_slice(bytemuck::bytes_of(triangle));
        out.write_all(&row)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::Mesh;
    use proptest::prelude::*;

    fn bytes(rig: &Rig, options: Options) -> (String, Vec<u8>) {
        let mut bytes = Vec::new();
        posed(rig, &rig.mesh.positions, options, &mut bytes).unwrap();
        let end = bytes.windows(11).position(|w| w == b"end_header\n").unwrap() + 11;
        let body = bytes.split_off(end);
        (String::from_utf8(bytes).unwrap(), body)
    }

    fn triangle() -> Rig {
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
        let colors = Some(vec![[1, 2, 3, 4]; 3]);
        Rig::of_mesh("t", Mesh { positions, triangles: vec![[0, 1, 2]], colors, ..Mesh::default() })
    }

    #[test]
    fn the_header_describes_the_bytes() {
        let (header, body) = bytes(&triangle(), Options::default());
        assert!(header.contains("binary_little_endian") && header.contains("element vertex 3"));
        assert!(header.contains("property float nx") && header.contains("property uchar alpha"));
        assert!(header.contains("element face 1\nproperty list uchar int vertex_indices"));
        assert_eq!(body.len(), 3 * (12 + 12 + 4) + 13);
        assert_eq!(body[3 * 28..], [3, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]);
    }

    #[test]
    fn text_says_the_same() {
        let (header, body) = bytes(&triangle(), Options { ascii: true, normals: false });
        assert!(header.contains("format ascii 1.0") && !header.contains("nx"));
        assert_eq!(String::from_utf8(body).unwrap(), "0 0 0 1 2 3 4\n1 0 0 1 2 3 4\n0 1 0 1 2 3 4\n3 0 1 2\n");
    }

    proptest! {
        #[test]
        fn any_finite_points_survive(numbers in prop::collection::vec(prop::num::f32::NORMAL | prop::num::f32::ZERO | prop::num::f32::SUBNORMAL, 3..90)) {
            let positions: Vec<Vec3> = numbers.chunks_exact(3).map(Vec3::from_slice).collect();
            let rig = Rig::of_mesh("p", Mesh { positions, ..Mesh::default() });
            let expected: Vec<u32> = rig.mesh.positions.iter().flat_map(|p| p.to_array().map(f32::to_bits)).collect();
            let (_, body) = bytes(&rig, Options::default());
            let read: Vec<u32> = body.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect();
            prop_assert_eq!(&read, &expected);
            let (_, body) = bytes(&rig, Options { ascii: true, ..Options::default() });
            let text = String::from_utf8(body).unwrap();
            let read: Vec<u32> = text.split_whitespace().map(|x| x.parse::<f32>().unwrap().to_bits()).collect();
            prop_assert_eq!(&read, &expected);
        }
    }
}
