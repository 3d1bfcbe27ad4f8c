//! Biovision motion: a skeleton and one clip.
//!
//! Read: `HIERARCHY` with any number of `ROOT`s, joints with any set and order of position and rotation channels, and
//! `MOTION`. At rest nothing is turned and every joint sits at its parent's place plus its `OFFSET`. A joint's
//! rotation is the product of its rotation channels in the order listed (each turns about the axes left by those
//! before it). Position channels *replace* the offset, as Blender has it; a coordinate without a channel keeps the
//! offset's. An `End Site` makes no joint: tails of leaf bones are inferred as for any skeleton. Units and axes are
//! the file's own, the format states none. The clip is called "motion".
//!
//! Refused: unknown channels and keywords, a missing frame time, numbers that are not finite, braces that do not match, no joints.
//!
//! Mended: a motion that ends early keeps its whole frames, values beyond the stated frames are ignored, a
//! senseless frame time becomes 1/30 s, a joint without `OFFSET` sits on its parent, no `MOTION` means no clip.

mod motion;
mod words;

use super::{
    ReadError, Warnings,
    text::{at_line, coordinate, decode, quoted},
};
use crate::rig::{Joint, Rig, Skeleton};
use glam::{DAffine3, DVec3};
use words::Words;

/// One number of a frame: where it moves a joint to, or how it turns it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Channel {
    Position(usize),
    Rotation(usize),
}

#[derive(Debug, Default)]
struct Node {
    name: String,
    parent: Option<usize>,
    offset: Option<DVec3>,
    channels: Vec<Channel>,
    has_channels: bool,
}

pub(super) fn read(bytes: &[u8], warnings: &mut Warnings) -> Result<Rig, ReadError> {
    let text = decode(bytes);
    let mut words = Words::new(&text);
    let nodes = hierarchy(&mut words, warnings)?;
    let mut joints: Vec<Joint> = Vec::with_capacity(nodes.len());
    for node in &nodes {
        let above = node.parent.map_or(DVec3::ZERO, |p| joints[p].rest_position());
        let place = DAffine3::from_translation(above + node.offset.unwrap_or_default());
        joints.push(Joint::new(node.name.clone(), node.parent, place));
    }
    let skeleton = Skeleton::new(joints).map_err(|e| ReadError::invalid("hierarchy", e.to_string()))?.show_rest();
    let clips = motion::read(&mut words, &nodes, warnings)?.into_iter().collect();
    Ok(Rig { skeleton, clips, ..Rig::default() })
}

/// Reads up to and including the word `MOTION`. Open braces are kept in a list: a deep file cannot exhaust the stack.
fn hierarchy(words: &mut Words<'_>, warnings: &mut Warnings) -> Result<Vec<Node>, ReadError> {
    match words.next() {
        Some((_, word)) if word.eq_ignore_ascii_case("HIERARCHY") => {}
        Some((line, word)) => return Err(at_line(line, format!("expected HIERARCHY, found {}", quoted(word)))),
        None => return Err(ReadError::invalid("file", "it is empty")),
    }
    let mut nodes: Vec<Node> = Vec::new();
    // The joint of each open brace; none for an end site.
    let mut open: Vec<Option<usize>> = Vec::new();
    loop {
        let Some((line, word)) = words.next() else {
            if let Some(inner) = open.last() {
                let name = inner.map_or("End Site".into(), |n| quoted(&nodes[n].name));
                return Err(ReadError::invalid("end of file", format!("the brace of {name} is not closed")));
            }
            break;
        };
        match (word.to_ascii_uppercase().as_str(), open.last().copied()) {
            ("MOTION", None) => {
                words.back(line, word);
                break;
            }
            ("}", Some(inner)) => {
                if let Some(node) = inner.map(|n| &nodes[n])
                    && node.offset.is_none()
                {
                    let what = format!("joint {} has no OFFSET: it sits on its parent", quoted(&node.name));
                    warnings.push(format!("line {line}"), what);
                }
                open.pop();
            }
            ("ROOT", None) | ("JOINT", Some(Some(_))) => {
                let name = words.rest_of_line();
                if name.is_empty() {
                    return Err(at_line(line, format!("{word} has no name")));
                }
                if nodes.len() >= usize::from(u16::MAX) {
                    return Err(at_line(line, format!("more than {} joints", u16::MAX)));
                }
                words.brace(name)?;
                nodes.push(Node { name: name.into(), parent: open.last().copied().flatten(), ..Node::default() });
                open.push(Some(nodes.len() - 1));
            }
            ("END", Some(Some(_))) => {
                let name = words.rest_of_line();
                words.brace(if name.is_empty() { "End" } else { name })?;
                open.push(None);
            }
            ("OFFSET", Some(inner)) => {
                let offset = offset(words, line)?;
                if let Some(n) = inner {
                    nodes[n].offset = Some(offset);
                }
            }
            ("CHANNELS", Some(Some(n))) => {
                if std::mem::replace(&mut nodes[n].has_channels, true) {
                    return Err(at_line(line, format!("joint {} has CHANNELS twice", quoted(&nodes[n].name))));
                }
                nodes[n].channels = channels(words, line)?;
            }
            _ => {
                let place = match open.last() {
                    None => "outside every joint".into(),
                    Some(None) => "in an End Site".into(),
                    Some(Some(n)) => format!("in joint {}", quoted(&nodes[*n].name)),
                };
                return Err(at_line(line, format!("{} is not expected {place}", quoted(word))));
            }
        }
    }
    if nodes.is_empty() {
        return Err(ReadError::invalid("hierarchy", "no joints"));
    }
    Ok(nodes)
}

fn offset(words: &mut Words<'_>, line: usize) -> Result<DVec3, ReadError> {
    let mut offset = DVec3::ZERO;
    for axis in 0..3 {
        let (line, word) = words.next().ok_or_else(|| at_line(line, "OFFSET needs three numbers"))?;
        offset[axis] = coordinate(word).map_err(|what| at_line(line, format!("OFFSET: {what}")))?;
    }
    Ok(offset)
}

fn channels(words: &mut Words<'_>, line: usize) -> Result<Vec<Channel>, ReadError> {
    let (line, word) = words.next().ok_or_else(|| at_line(line, "CHANNELS has no count"))?;
    let bad = |_| at_line(line, format!("CHANNELS: {} is not a count", quoted(word)));
    let count: u32 = word.parse().map_err(bad)?;
    let mut list = Vec::new();
    for i in 0..count {
        let cut = || at_line(line, format!("CHANNELS {count}, but the file ends after {i}"));
        let (line, word) = words.next().ok_or_else(cut)?;
        list.push(match word.to_ascii_lowercase().as_str() {
            "xposition" => Channel::Position(0),
            "yposition" => Channel::Position(1),
            "zposition" => Channel::Position(2),
            "xrotation" => Channel::Rotation(0),
            "yrotation" => Channel::Rotation(1),
            "zrotation" => Channel::Rotation(2),
            _ => return Err(at_line(line, format!("unknown channel {} ({} of {count})", quoted(word), i + 1))),
        });
    }
    Ok(list)
}

#[cfg(test)]
mod tests;
