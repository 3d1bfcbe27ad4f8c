use super::{container::Container, document};
use crate::{
    pose::{Channel, Clip, Interpolation, Track},
    read::{ReadError, Warnings},
};
use std::{collections::HashMap, ops::Range, sync::Arc};

/// Clips with the animation of each; the ones that cannot be used are left out and it is said so: a bad animation must
/// not cost the character.
pub fn clips(
    file: &Container,
    joint_of: &[Option<usize>],
    morphs_of: &HashMap<usize, Range<usize>>,
    warnings: &mut Warnings,
) -> (Vec<Clip>, Vec<usize>) {
    let (mut clips, mut animation_of) = (Vec::new(), Vec::new());
    let mut numbers = Numbers { file, known: HashMap::new(), held: 0 };
    for (i, animation) in file.root.animations.iter().enumerate() {
        match clip(&mut numbers, i, animation, joint_of, morphs_of) {
            Ok(clip) => {
                warn_of_zero_rotations(i, &clip, warnings);
                clips.push(clip);
                animation_of.push(i);
            }
            Err(ReadError::Invalid { place, what }) => warnings.push(place, format!("{what}: the clip cannot be used")),
            Err(other) => warnings.push(format!("animations[{i}]"), format!("{other}: the clip cannot be used")),
        }
    }
    (clips, animation_of)
}

/// Four zeros are no rotation; what shows them turns nothing.
fn warn_of_zero_rotations(index: usize, clip: &Clip, warnings: &mut Warnings) {
    let zeros = |t: &Track| {
        let step = if t.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        let keys = t.values.chunks_exact(4).skip(step / 2).step_by(step);
        if matches!(t.channel, Channel::Rotation(_)) { keys.filter(|q| q.iter().all(|x| *x == 0.0)).count() } else { 0 }
    };
    let count: usize = clip.tracks().iter().map(zeros).sum();
    if count > 0 {
        let keys = if count == 1 { "key is a rotation" } else { "keys are rotations" };
        let what = format!("clip \"{}\": {count} {keys} of length 0: read as no rotation", clip.name);
        warnings.push(format!("animations[{index}]"), what);
    }
}

fn clip(
    numbers: &mut Numbers<'_>,
    index: usize,
    animation: &document::Animation,
    joint_of: &[Option<usize>],
    morphs_of: &HashMap<usize, Range<usize>>,
) -> Result<Clip, ReadError> {
    let mut tracks = Vec::new();
    for (c, channel) in animation.channels.iter().enumerate() {
        let place = || format!("animations[{index}].channels[{c}]");
        let bad = |what: String| ReadError::invalid(place(), what);
        let sampler = animation.samplers.get(channel.sampler);
        let sampler = sampler.ok_or_else(|| bad(format!("sampler {} does not exist", channel.sampler)))?;
        let Some(node) = channel.target.node else { continue };
        let path = channel.target.path.as_str();
        let joint = joint_of.get(node).ok_or_else(|| bad(format!("node {node} does not exist")))?;
        let interpolation = match sampler.interpolation.as_deref() {
            None | Some("LINEAR") => Interpolation::Linear,
            Some("STEP") => Interpolation::Step,
            Some("CUBICSPLINE") => Interpolation::CubicSpline,
            Some(other) => return Err(bad(format!("interpolation \"{other}\" is unknown"))),
        };
        let kind = match path {
            "translation" | "scale" => "VEC3",
            "rotation" => "VEC4",
            _ => "SCALAR",
        };
        let times = numbers.get(sampler.input, "SCALAR")?;
        let track = |channel, values| Track { channel, interpolation, times: times.clone(), values };
        let keys = times.len() * if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        // Counted before they are read: what does not fit its keys costs nothing.
        let found = numbers.file.array(sampler.output, &[kind])?.count;
        if keys == 0 || found % keys != 0 || found == 0 || (kind != "SCALAR" && found != keys) {
            return Err(bad(format!("{found} values for {} keys", times.len())));
        }
        match (path, joint) {
            ("weights", _) => {
                let Some(morphs) = morphs_of.get(&node) else { continue };
                let output = numbers.get(sampler.output, "SCALAR")?;
                // Each takes its own part of them: channels that share an accessor share nothing here.
                numbers.count(output.len() + morphs.len()).map_err(bad)?;
                for (k, morph) in morphs.clone().enumerate() {
                    // glTF animates all weights of a mesh in one sampler.
                    let values = output.iter().skip(k).step_by(morphs.len()).copied().collect();
                    tracks.push(track(Channel::Morph(morph), values));
                }
            }
            ("translation" | "rotation" | "scale", None) => {}
            ("translation", Some(j)) => {
                tracks.push(track(Channel::Translation(*j), numbers.get(sampler.output, "VEC3")?));
            }
            ("rotation", Some(j)) => {
                tracks.push(track(Channel::Rotation(*j), numbers.get(sampler.output, "VEC4")?));
            }
            ("scale", Some(j)) => {
                tracks.push(track(Channel::Scale(*j), numbers.get(sampler.output, "VEC3")?));
            }
            (other, _) => return Err(bad(format!("target path \"{other}\" is unknown"))),
        }
    }
    let name = animation.name.clone().unwrap_or_else(|| format!("clip {index}"));
    Clip::new(name, tracks).map_err(|e| ReadError::invalid(format!("animations[{index}]"), e.to_string()))
}

/// Accessors as flat numbers, each read once however many channels share it.
struct Numbers<'a> {
    file: &'a Container,
    known: HashMap<(usize, &'static str), Arc<[f32]>>,
    /// Numbers that are held so far, copies for morphs and their tracks among them.
    held: usize,
}

impl Numbers<'_> {
    fn get(&mut self, accessor: usize, kind: &'static str) -> Result<Arc<[f32]>, ReadError> {
        if let Some(numbers) = self.known.get(&(accessor, kind)) {
            return Ok(numbers.clone());
        }
        let array = self.file.array(accessor, &[kind])?;
        // Accessors may lie over one another, so that a small file could ask for any amount of them.
        self.count(array.count * array.width)
            .map_err(|what| ReadError::invalid(format!("accessors[{accessor}]"), what))?;
        let numbers: Arc<[f32]> = array.flat().into();
        Ok(self.known.entry((accessor, kind)).or_insert(numbers).clone())
    }

    /// Refuses more numbers than the file can mean.
    fn count(&mut self, more: usize) -> Result<(), String> {
        let (held, most) = (self.held.saturating_add(more), self.file.most_elements());
        if held > most {
            return Err(format!("more keys than the {} bytes of the file can mean", self.file.size()));
        }
        self.held = held;
        Ok(())
    }
}
