//! Stanford PLY: points with normals and colours, and triangles where there are faces.
//!
//! Read: ASCII and binary of either byte order; of the element `vertex` the properties x y z, nx ny nz and red green
//! blue alpha (`diffuse_red` and so on too), of any scalar type; of the element `face` the list `vertex_indices` or
//! `vertex_index` with counts and indices of any type. Polygons are cut into fans. Other elements and properties are
//! stepped over. Colours are taken as they stand: the format does not say what space they are in.
//!
//! Refused: a header that is not one, rows that end early, coordinates that are not finite (the vertex is named), face
//! indices out of range (the face is named), no vertices, more triangles than a file of its size can mean.
//!
//! Mended: faces with fewer than three corners are left out, normals that are not finite become none.
//!
//! Why not serde-ply: its rows are structs fixed at compile time, while here types, names and lists vary by file, and
//! its errors do not say which row of which element is wrong.

mod header;
mod source;

use super::{
    ReadError, Warnings, check_triangles,
    text::{quoted, unit_normals, usable},
};
use crate::rig::{Mesh, Rig};
use glam::Vec3;
use header::{Element, Encoding, Header, Kind, Scalar};
use source::{Ascii, Binary, Source};

pub(super) fn read(bytes: &[u8], warnings: &mut Warnings) -> Result<Rig, ReadError> {
    let header = Header::read(bytes)?;
    let body = &bytes[header.length..];
    let mesh = match header.encoding {
        Encoding::Ascii => rows(&header, bytes.len(), Ascii::new(body, header.lines + 1), warnings),
        Encoding::Little => rows(&header, bytes.len(), Binary::<false>::new(body, header.length), warnings),
        Encoding::Big => rows(&header, bytes.len(), Binary::<true>::new(body, header.length), warnings),
    }?;
    Ok(Rig::of_mesh("", mesh))
}

/// Refuses a binary file that is shorter than its header says, by that header alone. One that is longer than the bytes given
/// is left to [`read`].
pub(super) fn check_head(head: &[u8], size: u64) -> Result<(), ReadError> {
    let Ok(header) = Header::read(head) else { return Ok(()) };
    if header.encoding == Encoding::Ascii {
        return Ok(());
    }
    let row = |e: &Element| e.properties.iter().map(|p| p.kind.least().size()).sum::<u64>();
    let rows = header.elements.iter().map(|e| e.rows.saturating_mul(row(e))).fold(0, u64::saturating_add);
    let left = size.saturating_sub(header.length as u64);
    if rows > left {
        return Err(ReadError::invalid("header", format!("promises at least {rows} bytes of rows, but {left} follow")));
    }
    Ok(())
}

/// `bytes` are those of the whole file.
fn rows(header: &Header, bytes: usize, mut source: impl Source, warnings: &mut Warnings) -> Result<Mesh, ReadError> {
    let (mut mesh, mut faces) = (None, Faces::default());
    for element in &header.elements {
        match element.name.as_str() {
            "vertex" if mesh.is_none() => mesh = Some(vertices(element, &mut source, warnings)?),
            "face" if element.vertex_list().is_some() => faces.read(element, &mut source, bytes, warnings)?,
            _ => {
                skip(element, &mut source)?;
                if element.rows > 0 {
                    warnings.push(format!("element {}", quoted(&element.name)), "not used: stepped over");
                }
            }
        }
    }
    let mut mesh = mesh.ok_or_else(|| ReadError::invalid("header", "there is no element \"vertex\""))?;
    let count = mesh.positions.len();
    if count == 0 {
        return Err(ReadError::invalid("element \"vertex\"", "no vertices"));
    }
    if let Some((index, face)) = faces.largest.filter(|&(index, _)| index as usize >= count) {
        return Err(ReadError::invalid(format!("face {face}"), format!("vertex {index} of {count} (from 0)")));
    }
    mesh.triangles = faces.triangles;
    Ok(mesh)
}

/// Steps over rows nobody asked for. Rows without lists all have one length; rows with lists hold at least a byte
/// each, so that no stated number of rows takes longer than the file does.
fn skip(element: &Element, source: &mut impl Source) -> Result<(), ReadError> {
    if element.properties.is_empty() {
        return Ok(());
    }
    for row in 0..element.rows {
        for property in &element.properties {
            let place = |what| place(element, row, &property.name, what);
            let count = match property.kind {
                Kind::Scalar(_) => 1,
                Kind::List(count, _) => count_of(source.scalar(count).map_err(place)?).map_err(place)?,
            };
            source.skip(count, property.kind.value()).map_err(place)?;
        }
    }
    Ok(())
}

fn place(element: &Element, row: u64, property: &str, what: String) -> ReadError {
    ReadError::invalid(format!("{} {row}, {}", element.name, quoted(property)), what)
}

fn count_of(value: f64) -> Result<u64, String> {
    if value >= 0.0 && value.fract() == 0.0 && value <= f64::from(u32::MAX) {
        Ok(value as u64)
    } else {
        Err(format!("{value} is not a count"))
    }
}

/// Where the numbers of a vertex go: position, normal, colour.
const NAMES: [(&str, usize); 14] = [
    ("x", 0),
    ("y", 1),
    ("z", 2),
    ("nx", 3),
    ("ny", 4),
    ("nz", 5),
    ("red", 6),
    ("green", 7),
    ("blue", 8),
    ("alpha", 9),
    ("diffuse_red", 6),
    ("diffuse_green", 7),
    ("diffuse_blue", 8),
    ("diffuse_alpha", 9),
];

fn vertices(element: &Element, source: &mut impl Source, warnings: &mut Warnings) -> Result<Mesh, ReadError> {
    let slot = |name: &str| NAMES.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, slot)| *slot);
    let slots: Vec<Option<usize>> = element
        .properties
        .iter()
        .map(|p| if matches!(p.kind, Kind::Scalar(_)) { slot(&p.name) } else { None })
        .collect();
    let has = |wanted: usize| slots.contains(&Some(wanted));
    for (axis, name) in ["x", "y", "z"].iter().enumerate() {
        if !has(axis) {
            return Err(ReadError::invalid("element \"vertex\"", format!("there is no property \"{name}\"")));
        }
    }
    let count = source.believe(element)?;
    let mut mesh = Mesh { positions: Vec::with_capacity(count), ..Mesh::default() };
    let mut normals = (has(3) && has(4) && has(5)).then(|| Vec::with_capacity(count));
    let mut colors = (has(6) && has(7) && has(8)).then(|| Vec::with_capacity(count));
    let mut values = [0.0; 10];
    for row in 0..element.rows {
        values[9] = 255.0;
        for (property, slot) in element.properties.iter().zip(&slots) {
            let place = |what| place(element, row, &property.name, what);
            match (property.kind, slot) {
                (Kind::Scalar(kind), Some(slot)) => {
                    let value = source.scalar(kind).map_err(place)?;
                    values[*slot] = if *slot >= 6 { color(value, kind) } else { value };
                }
                (Kind::Scalar(kind), None) => source.skip(1, kind).map_err(place)?,
                (Kind::List(count, kind), _) => {
                    let count = count_of(source.scalar(count).map_err(place)?).map_err(place)?;
                    source.skip(count, kind).map_err(place)?;
                }
            }
        }
        if let Some(axis) = (0..3).find(|&i| !usable(values[i])) {
            let what = format!("{} is not finite or too large for a coordinate", values[axis]);
            return Err(place(element, row, ["x", "y", "z"][axis], what));
        }
        mesh.positions.push(Vec3::new(values[0] as f32, values[1] as f32, values[2] as f32));
        if let Some(normals) = &mut normals {
            normals.push(Vec3::new(values[3] as f32, values[4] as f32, values[5] as f32));
        }
        if let Some(colors) = &mut colors {
            colors.push([6, 7, 8, 9].map(|i| values[i].round() as u8));
        }
    }
    mesh.normals = normals.map(|n| unit_normals(n, warnings));
    mesh.colors = colors;
    Ok(mesh)
}

/// A colour as 0 to 255: floats go to 1, bytes to 255, shorts to 65535.
fn color(value: f64, kind: Scalar) -> f64 {
    match kind {
        Scalar::F32 | Scalar::F64 => value * 255.0,
        Scalar::U16 | Scalar::I16 => value / 257.0,
        _ => value,
    }
}

#[derive(Default)]
struct Faces {
    triangles: Vec<[u32; 3]>,
    /// The largest index and its face. Faces may stand before vertices, so it is judged at the end.
    largest: Option<(u32, u64)>,
}

impl Faces {
    fn read(
        &mut self,
        element: &Element,
        source: &mut impl Source,
        bytes: usize,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        let list = element.vertex_list();
        // A triangle takes four bytes at least; faces without corners may be many and make none.
        self.triangles.reserve(source.believe(element)?.min(source.left() as usize / 4));
        let mut corners = Vec::new();
        let mut short = None;
        for row in 0..element.rows {
            for (i, property) in element.properties.iter().enumerate() {
                let place = |what| place(element, row, &property.name, what);
                let count = match property.kind {
                    Kind::Scalar(_) => 1,
                    Kind::List(count, _) => count_of(source.scalar(count).map_err(place)?).map_err(place)?,
                };
                if Some(i) != list {
                    source.skip(count, property.kind.value()).map_err(place)?;
                    continue;
                }
                corners.clear();
                for _ in 0..count {
                    let value = source.scalar(property.kind.value()).map_err(place)?;
                    let index = value as u32;
                    if f64::from(index) != value {
                        return Err(place(format!("{value} is not a vertex index")));
                    }
                    if self.largest.is_none_or(|(most, _)| index > most) {
                        self.largest = Some((index, row));
                    }
                    corners.push(index);
                }
                if corners.len() < 3 {
                    short = Some(short.map_or((1, row), |(count, first)| (count + 1, first)));
                }
                let triangles = self.triangles.len() + corners.len().saturating_sub(2);
                check_triangles(triangles, bytes).map_err(place)?;
                for pair in corners.get(1..).unwrap_or_default().windows(2) {
                    self.triangles.push([corners[0], pair[0], pair[1]]);
                }
            }
        }
        if let Some((count, first)) = short {
            let what = format!("{count} faces have fewer than three corners: left out, the first is face {first}");
            warnings.push("element \"face\"", what);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
