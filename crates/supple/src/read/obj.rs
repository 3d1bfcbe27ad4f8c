//! Wavefront OBJ: points, triangles, and what each vertex states without contradiction.
//!
//! Read: `v` (with colours, as many programs write them), `vt`, `vn`, `f`. Vertices keep the file's number and order,
//! used or not. Polygons are cut into fans. Texture coordinates and normals are kept only where every vertex has one
//! and the same at all its corners; texture coordinates are turned to glTF's, whose v runs downwards. Colours are
//! taken as they stand: the format does not say what space they are in. Groups, materials, lines, points and curves
//! are not read.
//!
//! Refused: vertex numbers of faces that are zero or out of range, coordinates that are not finite, no vertices, more
//! triangles than a file of its size can mean.
//!
//! Mended: faces with fewer than three corners are left out; texture coordinates or normals that faces number wrongly
//! are dropped.
//!
//! Why not tobj: it splits and reorders the vertices by object, and its errors carry no line.

use super::{
    ReadError, Warnings, check_triangles,
    text::{at_line, coordinate, decode, lines, number, point, quoted, unit_normals},
};
use crate::rig::{Mesh, Rig};
use glam::{Vec2, Vec3};
use std::borrow::Cow;

pub(super) fn read(bytes: &[u8], warnings: &mut Warnings) -> Result<Rig, ReadError> {
    let text = decode(bytes);
    // Counted first, because faces may stand before their vertices: so the first wrong line is the one named.
    let is_vertex = |line: &str| line.strip_prefix('v').is_some_and(|rest| rest.starts_with([' ', '\t']));
    let stated = lines(&text).filter(|(_, line)| is_vertex(line)).count();
    let mut file = File { bytes: bytes.len(), stated, ..File::default() };
    // A line that ends in a backslash goes on in the next.
    let mut joined: Option<(usize, String)> = None;
    for (at, line) in lines(&text) {
        let (start, begun) = joined.take().map_or((at, None), |(start, begun)| (start, Some(begun)));
        let (part, goes_on) = line.strip_suffix('\\').map_or((line, false), |part| (part, true));
        let line = begun.map_or(Cow::Borrowed(part), |mut begun| {
            begun.push(' ');
            begun.push_str(part);
            Cow::Owned(begun)
        });
        if goes_on {
            joined = Some((start, line.into_owned()));
        } else {
            file.line(start, &line, warnings)?;
        }
    }
    if let Some((start, line)) = joined {
        file.line(start, &line, warnings)?;
    }
    Ok(Rig::of_mesh("", file.mesh(warnings)?))
}

#[derive(Default)]
struct File {
    /// How large the file is.
    bytes: usize,
    /// Lines of the file that look like vertices.
    stated: usize,
    positions: Vec<Vec3>,
    colors: Vec<[f32; 3]>,
    any_color: bool,
    uvs: Vec<Vec2>,
    normals: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    corners: Vec<u32>,
    /// The largest vertex number of the faces and its line, to be sure of it at the end.
    largest: Option<(u32, usize)>,
    uv_of: PerVertex,
    normal_of: PerVertex,
}

/// Which texture coordinate or normal each vertex has.
#[derive(Default)]
struct PerVertex {
    of: Vec<u32>,
    given: bool,
    ambiguous: bool,
    /// The largest number seen, and its line.
    largest: Option<(u32, usize)>,
    /// The first line with a number that cannot be any.
    wrong: Option<usize>,
}

const NONE: u32 = u32::MAX;

impl File {
    fn line(&mut self, at: usize, line: &str, warnings: &mut Warnings) -> Result<(), ReadError> {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("v") => {
                let vertex = self.positions.len() + 1;
                self.positions.push(point(at, || format!("vertex {vertex}"), &mut words)?.as_vec3());
                self.color(at, words, warnings);
            }
            Some("vt") => {
                let mut part = || words.next().and_then(|w| coordinate(w).ok()).map_or(0.0, |x| x as f32);
                self.uvs.push(Vec2::new(part(), 1.0 - part()));
            }
            Some("vn") => {
                let mut part = || words.next().and_then(|w| number(w).ok()).map_or(f32::NAN, |x| x as f32);
                self.normals.push(Vec3::new(part(), part(), part()));
            }
            Some("f" | "fo") => self.face(at, words, warnings)?,
            _ => {}
        }
        Ok(())
    }

    fn color<'a>(&mut self, at: usize, words: impl Iterator<Item = &'a str>, warnings: &mut Warnings) {
        let mut rest = [1.0; 4];
        let mut count = 0;
        for (word, value) in words.zip(&mut rest) {
            match number(word) {
                Ok(number) => *value = number as f32,
                Err(what) => {
                    warnings.push(format!("line {at}"), format!("colour of a vertex: {what}: read as white"));
                    count = 0;
                    break;
                }
            }
            count += 1;
        }
        // One number alone is a weight of rational curves, which skins have no use for.
        let color = if count >= 3 { [rest[0], rest[1], rest[2]] } else { [1.0; 3] };
        self.any_color |= count >= 3;
        if self.any_color {
            self.colors.resize(self.positions.len() - 1, [1.0; 3]);
            self.colors.push(color);
        }
    }

    fn face<'a>(
        &mut self,
        at: usize,
        words: impl Iterator<Item = &'a str>,
        warnings: &mut Warnings,
    ) -> Result<(), ReadError> {
        self.corners.clear();
        for word in words {
            let mut numbers = word.split('/');
            let vertex = numbers.next().unwrap_or_default();
            let count = self.positions.len();
            let index = index(vertex, count)
                .and_then(|i| if (i as usize) < self.stated { Ok(i) } else { Err(Wrong::OutOfRange) });
            let index = index.map_err(|what| {
                let what = match what {
                    Wrong::NotANumber => format!("corner {} is not a vertex number", quoted(word)),
                    Wrong::Zero => format!("vertex 0 in corner {}: numbers begin at 1", quoted(word)),
                    Wrong::OutOfRange => format!("vertex {} of {}", quoted(vertex), self.stated),
                };
                at_line(at, what)
            })?;
            if self.largest.is_none_or(|(most, _)| index > most) {
                self.largest = Some((index, at));
            }
            self.uv_of.note(at, index, numbers.next(), count, self.uvs.len());
            self.normal_of.note(at, index, numbers.next(), count, self.normals.len());
            self.corners.push(index);
        }
        if self.corners.len() < 3 {
            let what = format!("a face needs three corners and has {}: left out", self.corners.len());
            warnings.push(format!("line {at}"), what);
        }
        let triangles = self.triangles.len() + self.corners.len().saturating_sub(2);
        check_triangles(triangles, self.bytes).map_err(|what| at_line(at, what))?;
        for pair in self.corners.get(1..).unwrap_or_default().windows(2) {
            self.triangles.push([self.corners[0], pair[0], pair[1]]);
        }
        Ok(())
    }

    fn mesh(mut self, warnings: &mut Warnings) -> Result<Mesh, ReadError> {
        let count = self.positions.len();
        if count == 0 {
            return Err(ReadError::invalid("file", "no vertices: expected lines \"v x y z\""));
        }
        if let Some((index, line)) = self.largest.filter(|&(index, _)| index as usize >= count) {
            return Err(at_line(line, format!("vertex {} of {count}", u64::from(index) + 1)));
        }
        let uvs = self.uv_of.finish("vt", &self.uvs, count, warnings);
        let normals = self.normal_of.finish("vn", &self.normals, count, warnings);
        // Colours go from 0 to 1, but some programs write bytes.
        let most = self.colors.iter().flatten().fold(0.0, |a: f32, &b| a.max(b));
        let scale = if most > 1.0 { 1.0 } else { 255.0 };
        let byte = |x: f32| (x * scale).round() as u8;
        if self.any_color {
            self.colors.resize(count, [if most > 1.0 { 255.0 } else { 1.0 }; 3]);
        }
        let colors =
            self.any_color.then(|| self.colors.iter().map(|&[r, g, b]| [byte(r), byte(g), byte(b), 255]).collect());
        let normals = normals.map(|n| unit_normals(n, warnings));
        Ok(Mesh { positions: self.positions, triangles: self.triangles, normals, uvs, colors, ..Mesh::default() })
    }
}

enum Wrong {
    NotANumber,
    Zero,
    OutOfRange,
}

/// From 0, of a number that counts from 1, or backwards from the last one read.
fn index(word: &str, count: usize) -> Result<u32, Wrong> {
    match word.parse::<i64>() {
        Ok(0) => Err(Wrong::Zero),
        Ok(n @ 1..) => u32::try_from(n - 1).ok().filter(|&i| i != NONE).ok_or(Wrong::OutOfRange),
        Ok(n) => count.checked_sub(n.unsigned_abs() as usize).map(|i| i as u32).ok_or(Wrong::OutOfRange),
        Err(_) => Err(Wrong::NotANumber),
    }
}

impl PerVertex {
    fn note(&mut self, at: usize, vertex: u32, word: Option<&str>, vertices: usize, values: usize) {
        let Some(word) = word.filter(|w| !w.is_empty()) else { return };
        self.given = true;
        let Ok(value) = index(word, values) else {
            self.wrong.get_or_insert(at);
            return;
        };
        if self.largest.is_none_or(|(most, _)| value > most) {
            self.largest = Some((value, at));
        }
        if self.ambiguous {
            return;
        }
        // A face before its vertices is rare, and the number cannot be believed yet: not worth a table.
        if vertex as usize >= vertices {
            self.ambiguous = true;
            return;
        }
        if self.of.len() < vertices {
            self.of.resize(vertices, NONE);
        }
        let known = &mut self.of[vertex as usize];
        self.ambiguous = *known != NONE && *known != value;
        *known = value;
    }

    fn finish<T: Copy>(&self, key: &str, values: &[T], vertices: usize, warnings: &mut Warnings) -> Option<Vec<T>> {
        let beyond = self.largest.filter(|&(largest, _)| largest as usize >= values.len()).map(|(_, line)| line);
        if let Some(line) = self.wrong.or(beyond) {
            let what = format!("a corner numbers a {key} that is not one of the {}: all are dropped", values.len());
            warnings.push(format!("line {line}"), what);
            return None;
        }
        if !self.given || self.ambiguous || self.of.len() < vertices {
            return None;
        }
        self.of.iter().map(|&i| values.get(i as usize).copied()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: &str) -> Result<(Rig, Vec<String>), String> {
        let mut warnings = Warnings::default();
        let rig = read(text.as_bytes(), &mut warnings).map_err(|e| e.to_string())?;
        Ok((rig, warnings.into_vec().iter().map(ToString::to_string).collect()))
    }

    const QUAD: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 9 9 9\n";

    #[test]
    fn polygons_become_fans_and_unused_vertices_stay() {
        let (rig, warned) = load(&format!("# quad\r\n\u{9}{QUAD}usemtl x\ns off\nf 1 2 3 4 # back\nl 1 2\n")).unwrap();
        assert_eq!(rig.mesh.positions.len(), 5);
        assert_eq!(rig.mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!((rig.parts.len(), rig.parts[0].triangles.clone(), warned.len()), (1, 0..2, 0));
    }

    #[test]
    fn negative_numbers_count_back_and_lines_go_on() {
        let (rig, _) = load(&format!("{QUAD}f -5 -4 \\\n-3\n")).unwrap();
        assert_eq!(rig.mesh.triangles, [[0, 1, 2]]);
    }

    #[test]
    fn faces_may_stand_before_their_vertices() {
        let (rig, _) = load(&format!("f 1//1 2//1 3//1\n{QUAD}vn 0 0 1\n")).unwrap();
        assert_eq!(rig.mesh.triangles, [[0, 1, 2]]);
    }

    #[test]
    fn attributes_are_kept_where_they_are_one_per_vertex() {
        let triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nvn 0 0 2\n";
        let (rig, _) = load(&format!("{triangle}f 1/1/1 2/2/1 3/3/1\n")).unwrap();
        assert_eq!(rig.mesh.uvs.unwrap()[2], Vec2::new(0.0, 0.0));
        assert_eq!(rig.mesh.normals.unwrap(), [Vec3::Z; 3]);
        let (rig, warned) = load(&format!("{triangle}f 1/1 2/2 3/3\nf 1/2 3/3 2/2\n")).unwrap();
        assert!(rig.mesh.uvs.is_none() && rig.mesh.normals.is_none() && warned.is_empty());
        let (rig, warned) = load(&format!("{triangle}f 1/1/1 2/2/1 3/9/1\n")).unwrap();
        assert!(rig.mesh.uvs.is_none() && rig.mesh.normals.is_some());
        assert!(warned[0].contains("line 8: a corner numbers a vt"), "{warned:?}");
    }

    #[test]
    fn colours_are_read_in_either_range() {
        for line in ["v 0 0 0 1 0 0.2\n", "v 0 0 0 255 0 51\n"] {
            let (rig, _) = load(line).unwrap();
            assert_eq!(rig.mesh.colors.unwrap(), [[255, 0, 51, 255]]);
        }
        let (rig, _) = load("v 0 0 0 1.0\n").unwrap();
        assert!(rig.mesh.colors.is_none());
    }

    #[test]
    fn short_faces_are_left_out_with_a_word() {
        let (rig, warned) = load(&format!("{QUAD}f 1 2\nf\nf 1 2 3\n")).unwrap();
        assert_eq!((rig.mesh.triangles.len(), warned.len()), (1, 2));
        assert!(warned[0].starts_with("line 6"));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (tail, expected) in [
            ("f 1 2 12\n", "line 6: vertex \"12\" of 5"),
            ("f 1 2 0\n", "line 6: vertex 0 in corner \"0\""),
            ("f 1 2 -6\n", "line 6: vertex \"-6\" of 5"),
            ("f 1 2 -9223372036854775808\n", "line 6: vertex"),
            ("f 1 2 99999999999\n", "line 6: vertex \"99999999999\" of 5"),
            ("f 1 2 x\n", "line 6: corner \"x\" is not a vertex number"),
            ("v 0 inf 0\n", "line 6: y of vertex 6: \"inf\" is not finite"),
            ("v 0 0\n", "line 6: z of vertex 6 is missing"),
        ] {
            let error = load(&format!("{QUAD}{tail}")).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
        assert!(load("hello\n").unwrap_err().contains("no vertices"));
    }
}
