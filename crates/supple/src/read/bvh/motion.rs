use super::{
    super::{
        ReadError, Warnings,
        text::{at_line, number, quoted, usable},
    },
    Channel, Node,
    words::Words,
};
use crate::pose::{self, Clip, Interpolation, Track};
use glam::{DQuat, DVec3};

/// The keys of one joint while they are read.
#[derive(Default)]
struct Keys {
    rotations: Vec<f32>,
    before: DQuat,
    positions: Vec<f32>,
}

pub(super) fn read(words: &mut Words<'_>, nodes: &[Node], warnings: &mut Warnings) -> Result<Option<Clip>, ReadError> {
    let Some((at, _)) = words.next() else {
        warnings.push("file", "there is no MOTION: the skeleton has no clip");
        return Ok(None);
    };
    let (stated, seconds) = header(words, at, warnings)?;
    let width: usize = nodes.iter().map(|n| n.channels.len()).sum();
    if width == 0 {
        warnings.push(format!("line {at}"), "no joint has channels: the motion is left out");
        return Ok(None);
    }
    let mut keys: Vec<Keys> = nodes.iter().map(|_| Keys { before: DQuat::IDENTITY, ..Keys::default() }).collect();
    let mut frame = Vec::with_capacity(width);
    // The count is not trusted: frames are as many as there are values for.
    let mut frames = 0u64;
    while frames < stated {
        frame.clear();
        while frame.len() < width {
            let Some((line, word)) = words.next() else { break };
            let value = number(word).and_then(|v| if usable(v) { Ok(v) } else { Err(format!("{v} is too large")) });
            let place = |what| at_line(line, format!("frame {frames}, value {}: {what}", frame.len()));
            frame.push(value.map_err(place)?);
        }
        if frame.len() < width {
            break;
        }
        let mut values = frame.as_slice();
        for (node, keys) in nodes.iter().zip(&mut keys) {
            let (own, others) = values.split_at(node.channels.len());
            keys.push(node, own);
            values = others;
        }
        frames += 1;
    }
    if frames < stated {
        let what = match frame.len() {
            0 => format!("{stated} frames are stated, {frames} are there"),
            part => format!("{stated} frames are stated, {frames} and {part} of {width} values are there"),
        };
        warnings.push(format!("line {at}"), format!("{what}: the whole ones are kept"));
    } else if let Some((line, word)) = words.next() {
        let what = format!("values from {} on lie beyond the {stated} frames stated: ignored", quoted(word));
        warnings.push(format!("line {line}"), what);
    }
    if frames == 0 {
        warnings.push(format!("line {at}"), "the motion has no frames: the skeleton has no clip");
        return Ok(None);
    }
    let times: std::sync::Arc<[f32]> = (0..frames).map(|k| (k as f64 * seconds) as f32).collect();
    let mut tracks = Vec::new();
    for (joint, keys) in keys.into_iter().enumerate() {
        for (channel, values) in
            [(pose::Channel::Translation(joint), keys.positions), (pose::Channel::Rotation(joint), keys.rotations)]
        {
            if !values.is_empty() {
                let interpolation = Interpolation::Linear;
                tracks.push(Track { channel, interpolation, times: times.clone(), values: values.into() });
            }
        }
    }
    Clip::new("motion", tracks).map(Some).map_err(|e| ReadError::invalid("motion", e.to_string()))
}

/// The stated number of frames and the seconds from one to the next.
fn header(words: &mut Words<'_>, at: usize, warnings: &mut Warnings) -> Result<(u64, f64), ReadError> {
    let mut field = |name: &[&str]| {
        let (mut line, mut value) = (at, None);
        for (i, expected) in name.iter().enumerate() {
            let missing = || ReadError::invalid("end of file", format!("\"{}\" is missing in MOTION", name.join(" ")));
            let (number, word) = words.next().ok_or_else(missing)?;
            line = number;
            // The value may touch the colon.
            let (key, rest) = word.split_once(':').unwrap_or((word, ""));
            if !key.eq_ignore_ascii_case(expected) {
                return Err(at_line(line, format!("expected \"{}:\", found {}", name.join(" "), quoted(word))));
            }
            value = Some(rest).filter(|r| i + 1 == name.len() && !r.is_empty());
        }
        let missing = || at_line(line, format!("\"{}\" has no value", name.join(" ")));
        let value = value.map(|v| (line, v)).or_else(|| words.next()).ok_or_else(missing)?;
        Ok(value)
    };
    let (line, word) = field(&["Frames"])?;
    let stated = number(word).ok().filter(|v| *v >= 0.0 && v.fract() == 0.0);
    let stated = stated.ok_or_else(|| at_line(line, format!("Frames: {} is not a count", quoted(word))))?;
    let (line, word) = field(&["Frame", "Time"])?;
    let seconds = number(word).ok().filter(|s| (1e-5..=1e4).contains(s)).unwrap_or_else(|| {
        let what = format!("Frame Time {} is not a usable number of seconds: 1/30 is used", quoted(word));
        warnings.push(format!("line {line}"), what);
        1.0 / 30.0
    });
    Ok((stated as u64, seconds))
}

impl Keys {
    fn push(&mut self, node: &Node, values: &[f64]) {
        let (mut turn, mut turns) = (DQuat::IDENTITY, false);
        let (mut place, mut moves) = (node.offset.unwrap_or(DVec3::ZERO), false);
        for (channel, &value) in node.channels.iter().zip(values) {
            match *channel {
                Channel::Position(axis) => {
                    place[axis] = value;
                    moves = true;
                }
                Channel::Rotation(axis) => {
                    turn *= DQuat::from_axis_angle(DVec3::AXES[axis], value.to_radians());
                    turns = true;
                }
            }
        }
        if turns {
            // A quaternion and its opposite are one rotation; jumping between them would break blending of keys.
            let turn = turn.normalize();
            self.before = if turn.dot(self.before) < 0.0 { -turn } else { turn };
            self.rotations.extend(self.before.to_array().map(|x| x as f32));
        }
        if moves {
            self.positions.extend(place.to_array().map(|x| x as f32));
        }
    }
}
