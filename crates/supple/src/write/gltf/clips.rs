use super::{
    document::{self, Document, Layout, SCALARS, VEC3S},
    morph_tracks,
};
use crate::{
    pose::{Channel as Moves, Clip, Interpolation, Track},
    rig::Rig,
    write::Error,
};
use glam::Vec4;
use gltf_json::{
    Accessor, Animation, Index, Node,
    accessor::{ComponentType, Type},
    animation::{Channel, Interpolation as Written, Property, Sampler, Target},
    validation::Checked::Valid,
};
use std::{borrow::Cow, collections::HashMap};

/// Times already written, by their bytes: most tracks of a clip share theirs.
pub(super) type Times<'a> = HashMap<Cow<'a, [u8]>, Index<Accessor>>;

/// All clips as animations.
pub(super) fn write(document: &mut Document, rig: &Rig, mesh: Option<Index<Node>>) -> Result<(), Error> {
    let nodes: Vec<Index<Node>> = (0..rig.skeleton.len() as u32).map(Index::new).collect();
    let mut times = Times::new();
    for clip in &rig.clips {
        let mut channels = Channels { document, times: &mut times, animation: empty(&clip.name) };
        joints(&mut channels, clip, &nodes, |_| true)?;
        if let Some(mesh) = mesh
            && let Some(merged) = morph_tracks::merged(clip.tracks(), rig, 0..rig.morphs.len())
        {
            channels.push(mesh, merged.interpolation, Cow::Owned(merged.times), &merged.values, WEIGHTS)?;
        }
        let animation = channels.animation;
        if !animation.channels.is_empty() {
            document.root.push(animation);
        }
    }
    Ok(())
}

pub(super) const WEIGHTS: (Property, Layout) = (Property::MorphTargetWeights, SCALARS);

pub(super) fn empty(name: &str) -> Animation {
    Animation { name: document::name(name), channels: Vec::new(), samplers: Vec::new(), extensions: None, extras: None }
}

/// The tracks of a clip for joints, as far as they are `wanted`.
pub(super) fn joints<'a>(
    channels: &mut Channels<'_, 'a>,
    clip: &'a Clip,
    nodes: &[Index<Node>],
    wanted: impl Fn(&Track) -> bool,
) -> Result<(), Error> {
    let tracks = clip.tracks();
    for (i, track) in tracks.iter().enumerate() {
        let what = match track.channel {
            Moves::Translation(_) => (Property::Translation, VEC3S),
            Moves::Rotation(_) => (Property::Rotation, Layout(ComponentType::F32, Type::Vec4)),
            Moves::Scale(_) => (Property::Scale, VEC3S),
            Moves::Morph(_) => break,
        };
        let node = track.channel.joint().and_then(|j| nodes.get(j));
        // Of several tracks for one channel the last counts, and glTF takes only one.
        let again = tracks.get(i + 1).is_some_and(|next| next.channel == track.channel);
        let Some(&node) = node.filter(|_| !again && wanted(track)) else { continue };
        let (interpolation, values) = keys(track);
        let times = Cow::Borrowed(&track.times[..]);
        channels.push(node, interpolation, times, &values, what)?;
    }
    Ok(())
}

/// The values of a track as glTF takes them: rotations of unit length, no spline through a single key.
fn keys(track: &Track) -> (Interpolation, Cow<'_, [f32]>) {
    let width = track.channel.width();
    let cubic = track.interpolation == Interpolation::CubicSpline;
    let mut values = Cow::Borrowed(&track.values[..]);
    if width == 4 {
        let value = |(i, v): &(usize, &[f32])| (!cubic || i % 3 == 1).then(|| Vec4::from_slice(v));
        let unit = |v: Vec4| (v.length_squared() - 1.0).abs() < 1e-3;
        if track.values.chunks_exact(4).enumerate().filter_map(|c| value(&c)).any(|v| !unit(v)) {
            for (i, v) in values.to_mut().chunks_exact_mut(4).enumerate() {
                if let Some(q) = value(&(i, v)) {
                    v.copy_from_slice(&q.as_dvec4().try_normalize().unwrap_or(glam::DVec4::W).as_vec4().to_array());
                }
            }
        }
    }
    if cubic && track.times.len() == 1 {
        return (Interpolation::Step, Cow::Owned(values[width..2 * width].to_vec()));
    }
    (track.interpolation, values)
}

/// An animation while its channels are added.
pub(super) struct Channels<'d, 'a> {
    pub document: &'d mut Document,
    pub times: &'d mut Times<'a>,
    pub animation: Animation,
}

impl<'a> Channels<'_, 'a> {
    pub fn push(
        &mut self,
        node: Index<Node>,
        interpolation: Interpolation,
        times: Cow<'a, [f32]>,
        values: &[f32],
        (property, layout): (Property, Layout),
    ) -> Result<(), Error> {
        let key = match &times {
            Cow::Borrowed(times) => Cow::Borrowed(bytemuck::cast_slice(times)),
            Cow::Owned(times) => Cow::Owned(bytemuck::cast_slice(times).to_vec()),
        };
        let input = match self.times.get(&key) {
            Some(index) => *index,
            None => {
                let index = self.document.times(&times)?;
                self.times.insert(key, index);
                index
            }
        };
        let output = self.document.array(values, layout, None)?;
        let interpolation = Valid(match interpolation {
            Interpolation::Step => Written::Step,
            Interpolation::Linear => Written::Linear,
            Interpolation::CubicSpline => Written::CubicSpline,
        });
        let sampler = Sampler { input, interpolation, output, extensions: None, extras: None };
        let sampler = Index::push(&mut self.animation.samplers, sampler);
        let target = Target { node, path: Valid(property), extensions: None, extras: None };
        self.animation.channels.push(Channel { sampler, target, extensions: None, extras: None });
        Ok(())
    }
}
