//! Sphere-meshes: balls joined by bones, with the skeleton they imply.
//!
//! Read: the text form (`Sphere-mesh 2`, a line of counts `spheres triangles edges`, lines `x y z r`, then lines of two
//! sphere numbers from 0), and the JSON form of [`SphereMesh`], told apart by its first character. Every sphere makes
//! a joint of its name ("sphere 3" where it has none), the edges make parents; a root has no incoming edge.
//!
//! Refused: radii that are not positive, numbers that are not finite, edges to spheres that are not there, files that
//! end before their counts.
//!
//! Mended: triangles are left out, edges that close a loop stay bones but join no joints, lines beyond the counts are
//! ignored.

use super::{
    ReadError, Warnings,
    text::{at_line, decode, lines, number, point, quoted, usable},
    tree::Tree,
};
use crate::rig::{Rig, Sphere, SphereMesh};

pub(super) fn read(bytes: &[u8], warnings: &mut Warnings) -> Result<Rig, ReadError> {
    let text = decode(bytes);
    let model = if text.trim_start().starts_with('{') {
        SphereMesh::from_json(&text).map_err(|e| ReadError::invalid("json", e.to_string()))?
    } else {
        read_text(&text, warnings)?
    };
    if model.spheres.is_empty() {
        return Err(ReadError::invalid("file", "no spheres"));
    }
    if let Some(i) = model.spheres.iter().position(|s| !s.center.to_array().into_iter().all(usable)) {
        return Err(ReadError::invalid(
            format!("sphere {i}"),
            format!("centre {} is too far", model.spheres[i].center),
        ));
    }
    let name = |(i, s): (usize, &Sphere)| if s.name.is_empty() { format!("sphere {i}") } else { s.name.clone() };
    let nodes: Vec<_> = model.spheres.iter().enumerate().map(|s| (name(s), s.1.center)).collect();
    let edges: Vec<_> = model.bones.iter().map(|bone| bone.map(|i| i as usize)).collect();
    let tree = Tree::grow(nodes.len(), &edges);
    for (list, what) in [
        (&tree.closing, "closes a loop: it joins no joints"),
        (&tree.turned, "leads to a sphere that has a parent already: its joints are joined the other way round"),
    ] {
        for &edge in list {
            let [a, b] = edges[edge];
            warnings.push(format!("bone {edge}"), format!("from sphere {a} to sphere {b} {what}"));
        }
    }
    let skeleton = tree.skeleton(&nodes).map_err(|e| ReadError::invalid("spheres", e.to_string()))?;
    Ok(Rig { skeleton, sphere_mesh: Some(model), ..Rig::default() })
}

fn read_text(text: &str, warnings: &mut Warnings) -> Result<SphereMesh, ReadError> {
    let mut lines = lines(text).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let (at, first) = lines.next().ok_or_else(|| ReadError::invalid("file", "it is empty"))?;
    let mut words = first.split_whitespace();
    if !words.next().is_some_and(|word| word.eq_ignore_ascii_case("sphere-mesh")) {
        return Err(at_line(at, format!("expected \"Sphere-mesh 2\", found {}", quoted(first))));
    }
    match words.next() {
        Some("2") => {}
        other => {
            let found = other.map_or("no version".into(), |v| format!("version {}", quoted(v)));
            warnings.push(format!("line {at}"), format!("{found}: read as version 2"));
        }
    }
    let (at, counts) = lines.next().ok_or_else(|| at_line(at, "the line of counts is missing after it"))?;
    let mut words = counts.split_whitespace();
    let mut count = |what: &str| {
        let word = words.next().ok_or_else(|| at_line(at, format!("the number of {what} is missing")))?;
        word.parse::<u32>().map_err(|_| at_line(at, format!("number of {what}: {} is not a count", quoted(word))))
    };
    let (spheres, triangles, edges) = (count("spheres")?, count("triangles")?, count("edges")?);

    if spheres > u32::from(u16::MAX) {
        return Err(at_line(at, format!("{spheres} spheres, but at most {} can be joints", u16::MAX)));
    }
    let mut list = Vec::new();
    for i in 0..spheres {
        let cut = || at_line(at, format!("{spheres} spheres, but the file ends after {i}"));
        let (at, line) = lines.next().ok_or_else(cut)?;
        let mut words = line.split_whitespace();
        let center = point(at, || format!("sphere {i}"), &mut words)?;
        let word = words.next().ok_or_else(|| at_line(at, format!("sphere {i} has no radius")))?;
        let radius = number(word).map_err(|what| at_line(at, format!("radius of sphere {i}: {what}")))?;
        if radius <= 0.0 || !usable(radius) {
            return Err(at_line(at, format!("radius {radius} of sphere {i} is not positive or too large")));
        }
        list.push(Sphere { name: String::new(), center, radius });
    }
    let mut bones = Vec::new();
    let mut skipped = 0u64;
    for (at, line) in lines {
        // Programs differ in which of the two lists comes first; the number of entries tells.
        if line.split_whitespace().count() == 3 && skipped < u64::from(triangles) {
            skipped += 1;
            continue;
        }
        if bones.len() as u64 >= u64::from(edges) {
            warnings.push(format!("line {at}"), format!("more lines than the {edges} edges stated: ignored"));
            break;
        }
        let mut words = line.split_whitespace();
        let mut end = || {
            let word = words.next().ok_or_else(|| at_line(at, "an edge needs two sphere numbers"))?;
            let index = word.parse::<u32>().ok().filter(|&i| i < spheres);
            index.ok_or_else(|| at_line(at, format!("edge to sphere {}, but there are {spheres}", quoted(word))))
        };
        let bone = [end()?, end()?];
        if bone[0] == bone[1] {
            return Err(at_line(at, format!("sphere {} is joined to itself", bone[0])));
        }
        bones.push(bone);
    }
    if (bones.len() as u64) < u64::from(edges) {
        return Err(at_line(at, format!("{edges} edges, but the file ends after {}", bones.len())));
    }
    if triangles > 0 {
        warnings.push(format!("line {at}"), format!("{triangles} triangles are left out: only bones are used"));
    }
    SphereMesh::new(list, bones).map_err(|e| ReadError::invalid("file", e.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: &str) -> Result<(Rig, Vec<String>), String> {
        let mut warnings = Warnings::default();
        let rig = read(text.as_bytes(), &mut warnings).map_err(|e| e.to_string())?;
        Ok((rig, warnings.into_vec().iter().map(ToString::to_string).collect()))
    }

    #[test]
    fn spheres_become_joints_and_edges_parents() {
        let (rig, warned) = load("Sphere-mesh 2\r\n2 0 1\r\n0 0 0 .1\r\n0 1 0 .2\r\n1 0\r\n").unwrap();
        let model = rig.sphere_mesh.unwrap();
        assert_eq!((model.spheres[1].radius, &model.bones[..]), (0.2, &[[1, 0]][..]));
        let joints = rig.skeleton.joints();
        assert_eq!((joints[0].name.as_str(), joints[1].parent), ("sphere 1", Some(0)));
        assert!(warned.is_empty());
    }

    #[test]
    fn the_json_form_reads_the_same() {
        let (rig, _) = load("Sphere-mesh 2\n2 0 1\n0 0 0 .1\n0 1 0 .2\n1 0\n").unwrap();
        let (again, _) = load(&rig.sphere_mesh.as_ref().unwrap().to_json()).unwrap();
        assert_eq!(again, rig);
    }

    #[test]
    fn triangles_and_loops_are_left_out_with_a_word() {
        let text = "Sphere-mesh 2\n3 1 3\n0 0 0 .1\n0 1 0 .2\n1 0 0 .1\n0 1 2\n0 1\n1 2\n2 0\n";
        let (rig, warned) = load(text).unwrap();
        assert_eq!((rig.skeleton.len(), rig.sphere_mesh.unwrap().bones.len(), warned.len()), (3, 3, 2));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, expected) in [
            ("", "it is empty"),
            ("OFF\n", "line 1: expected \"Sphere-mesh 2\""),
            ("Sphere-mesh 2\n4000000000 0 0\n", "line 2: 4000000000 spheres, but at most 65535"),
            ("Sphere-mesh 2\n4000 0 0\n", "line 2: 4000 spheres, but the file ends after 0"),
            ("Sphere-mesh 2\n2 0 1\n0 0 0 -0.1\n", "line 3: radius -0.1 of sphere 0 is not positive"),
            ("Sphere-mesh 2\n1 0 1\n0 0 0 1\n0 7\n", "line 4: edge to sphere \"7\", but there are 1"),
            ("Sphere-mesh 2\n1 0 1\n0 0 0 1\n", "line 2: 1 edges, but the file ends after 0"),
            ("Sphere-mesh 2\n1 0 0\ninf 0 0 1\n", "line 3: x of sphere 0: \"inf\" is not finite"),
            ("{\"format\": 3}", "json: not a sphere-mesh"),
            ("Sphere-mesh 2\n0 0 0\n", "no spheres"),
        ] {
            let error = load(text).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
