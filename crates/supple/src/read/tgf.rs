//! Trivial graph format: a skeleton as points and (parent, child) edges.
//!
//! Read: lines `id x y z [name]`, a line `#`, lines `parent child [...]`; ids are labels, whatever they look like. A
//! second `#` ends the edges. Joints keep the order of the file where parents come first in it; there are no
//! rotations, and no mesh.
//!
//! Refused: ids given twice, edges to ids that are not there, edges that close a loop, numbers that are not finite.
//!
//! Mended: an edge to a joint that has a parent already is turned round; an edge given twice is read once.

use super::{
    ReadError, Warnings,
    text::{at_line, decode, lines, point, quoted},
    tree::Tree,
};
use crate::rig::Rig;
use std::collections::{HashMap, HashSet};

pub(super) fn read(bytes: &[u8], warnings: &mut Warnings) -> Result<Rig, ReadError> {
    let text = decode(bytes);
    let mut lines = lines(&text).filter(|(_, line)| !line.is_empty());
    let (mut nodes, mut node_of) = (Vec::new(), HashMap::new());
    for (number, line) in lines.by_ref() {
        if line.starts_with('#') {
            // Remarks may stand before the first joint; after it the mark ends the joints.
            if nodes.is_empty() && line.len() > 1 {
                continue;
            }
            break;
        }
        if nodes.len() >= usize::from(u16::MAX) {
            return Err(at_line(number, format!("more than {} joints", u16::MAX)));
        }
        let mut tokens = line.split_whitespace();
        let id = tokens.next().unwrap_or_default();
        let position = point(number, || format!("joint {}", quoted(id)), &mut tokens)?;
        let name = tokens.collect::<Vec<_>>().join(" ");
        if let Some((before, _)) = node_of.insert(id, (number, nodes.len())) {
            return Err(at_line(number, format!("joint {} is in line {before} already", quoted(id))));
        }
        nodes.push((if name.is_empty() { id.to_owned() } else { name }, position));
    }
    if nodes.is_empty() {
        return Err(ReadError::invalid("file", "no joints: expected lines \"id x y z\""));
    }
    let (mut edges, mut edge_lines, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    for (number, line) in lines {
        if line == "#" {
            break;
        } else if line.starts_with('#') {
            continue;
        }
        let mut tokens = line.split_whitespace();
        let mut end = |which: &str| {
            let id = tokens.next().ok_or_else(|| at_line(number, format!("the {which} of the edge is missing")))?;
            let node = node_of.get(id).map(|&(_, node)| node);
            node.ok_or_else(|| at_line(number, format!("edge to joint {}, which is not in the file", quoted(id))))
        };
        let (a, b) = (end("parent")?, end("child")?);
        if a == b {
            return Err(at_line(number, format!("joint {} is joined to itself", quoted(&nodes[a].0))));
        }
        if !seen.insert((a.min(b), a.max(b))) {
            warnings.push(format!("line {number}"), format!("edge {} is given twice: read once", quoted(line)));
            continue;
        }
        if edges.len() >= nodes.len() {
            return Err(at_line(number, format!("more edges than the {} joints can have in a tree", nodes.len())));
        }
        edges.push([a, b]);
        edge_lines.push(number);
    }
    let tree = Tree::grow(nodes.len(), &edges);
    let between = |edge: usize| {
        let [a, b] = edges[edge];
        (edge_lines[edge], quoted(&nodes[a].0), quoted(&nodes[b].0))
    };
    if let Some(&edge) = tree.closing.first() {
        let (line, a, b) = between(edge);
        return Err(at_line(line, format!("the edge from {a} to {b} closes a loop: a skeleton is a tree")));
    }
    for &edge in &tree.turned {
        let (line, a, b) = between(edge);
        warnings.push(format!("line {line}"), format!("{b} has a parent already: the edge from {a} is turned round"));
    }
    let skeleton = tree.skeleton(&nodes).map_err(|e| ReadError::invalid("joints", e.to_string()))?;
    Ok(Rig { skeleton, ..Rig::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn load(text: &str) -> Result<(Rig, usize), String> {
        let mut warnings = Warnings::default();
        let rig = read(text.as_bytes(), &mut warnings).map_err(|e| e.to_string())?;
        Ok((rig, warnings.into_vec().len()))
    }

    #[test]
    fn names_ids_and_order_come_through() {
        let (rig, _) = load("# a hand\r\nb 0 1 0 lower arm\r\na\t0 0 0\r\n#\r\na b 1 0 0\r\n#\r\nb a\r\n").unwrap();
        let joints = rig.skeleton.joints();
        assert_eq!((joints[0].name.as_str(), joints[1].name.as_str()), ("a", "lower arm"));
        assert_eq!((joints[1].parent, joints[1].rest_position()), (Some(0), DVec3::Y));
        assert_eq!(rig.skeleton.rest_local(1), joints[1].shown_local);
    }

    #[test]
    fn joints_without_edges_are_roots() {
        let (rig, _) = load("0 0 0 0\n1 1 1 1\n#").unwrap();
        assert!(rig.skeleton.joints().iter().all(|j| j.parent.is_none()));
    }

    #[test]
    fn a_second_parent_turns_the_edge() {
        let (rig, warned) = load("0 0 0 0\n1 1 1 1\n2 2 2 2\n#\n0 1\n2 1\n1 0\n").unwrap();
        assert_eq!(rig.skeleton.joints()[2].parent, Some(1));
        assert_eq!(warned, 2);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, expected) in [
            ("", "no joints"),
            ("1 0 0\n", "line 1: z of joint \"1\" is missing"),
            ("1 0 nan 0\n", "line 1: y of joint \"1\": \"nan\" is not finite"),
            ("1 0 0 0\n1 0 0 0\n", "line 2: joint \"1\" is in line 1 already"),
            ("1 0 0 0\n2 0 1 0\n#\n1 2\n2 9\n", "line 5: edge to joint \"9\", which is not in the file"),
            ("1 0 0 0\n#\n1\n", "line 3: the child of the edge is missing"),
            ("1 0 0 0\n#\n1 1\n", "line 3: joint \"1\" is joined to itself"),
            ("1 0 0 0\n2 0 0 0\n3 0 0 0\n#\n1 2\n2 3\n3 1\n", "line 7: the edge from \"3\" to \"1\" closes a loop"),
        ] {
            let error = load(text).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
