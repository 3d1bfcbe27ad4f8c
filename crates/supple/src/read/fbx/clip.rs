use super::{super::text::quoted, Warnings, line, memory, skeleton::Joints};
use crate::pose::{Channel, Clip, Interpolation, Track};
use std::collections::HashMap;

/// Keys that all clips of a file may have together: half an hour of a hundred joints and more.
const MOST_KEYS: usize = 16 << 20;

/// Baking looks at the whole scene each time.
const MOST_CLIPS: usize = 1000;

/// The animation stacks, each baked to keys of the joints and morphs.
pub(super) fn clips(
    scene: &ufbx::Scene,
    joints: &Joints,
    morphs_of_channel: &HashMap<u32, Vec<usize>>,
    file: usize,
    warnings: &mut Warnings,
) -> Vec<Clip> {
    let mut clips = Vec::new();
    let mut left = MOST_KEYS;
    if scene.anim_stacks.len() > MOST_CLIPS {
        warnings.push("animations", format!("{} of them: the first {MOST_CLIPS} are read", scene.anim_stacks.len()));
    }
    for (i, stack) in scene.anim_stacks.iter().take(MOST_CLIPS).enumerate() {
        let given = &*stack.element.name;
        let name = if given.is_empty() { format!("clip {i}") } else { given.to_owned() };
        let place = format!("animation {}", quoted(&name));
        let options = ufbx::BakeOpts {
            temp_allocator: memory(file),
            result_allocator: memory(file),
            trim_start_time: true,
            resample_rate: 30.0,
            ..Default::default()
        };
        let baked = match ufbx::bake_anim(scene, &stack.anim, options) {
            Ok(baked) => baked,
            Err(error) => {
                warnings.push(place, format!("it cannot be baked: {}", line(&error.description)));
                continue;
            }
        };
        let mut tracks = Tracks { list: Vec::new(), left: &mut left, dropped: 0 };
        for node in &baked.nodes {
            let Some(joint) = joints.of_id(node.typed_id).map(usize::from) else { continue };
            let vector = |k: &ufbx::BakedVec3| (k.time, [k.value.x, k.value.y, k.value.z]);
            tracks.add(Channel::Translation(joint), node.translation_keys.iter().map(vector));
            let turn = |k: &ufbx::BakedQuat| (k.time, [k.value.x, k.value.y, k.value.z, k.value.w]);
            tracks.add(Channel::Rotation(joint), node.rotation_keys.iter().map(turn));
            tracks.add(Channel::Scale(joint), node.scale_keys.iter().map(vector));
        }
        for element in &baked.elements {
            let morphs = morphs_of_channel.get(&element.element_id).map_or(&[][..], Vec::as_slice);
            for prop in element.props.iter().filter(|p| &*p.name == "DeformPercent") {
                for &morph in morphs {
                    let keys = prop.keys.iter().map(|k| (k.time, [k.value.x / 100.0]));
                    tracks.add(Channel::Morph(morph), keys);
                }
            }
        }
        if tracks.dropped > 0 {
            let what = format!("{} tracks are left out: keys that are not finite, or too many of them", tracks.dropped);
            warnings.push(&*place, what);
        }
        if tracks.list.is_empty() {
            warnings.push(place, "it moves no joint and no morph: left out");
            continue;
        }
        match Clip::new(name, tracks.list) {
            Ok(clip) => clips.push(clip),
            Err(error) => warnings.push(place, format!("left out: {error}")),
        }
    }
    clips
}

struct Tracks<'a> {
    list: Vec<Track>,
    left: &'a mut usize,
    dropped: usize,
}

impl Tracks<'_> {
    fn add<const N: usize>(&mut self, channel: Channel, keys: impl ExactSizeIterator<Item = (f64, [f64; N])>) {
        if keys.len() == 0 {
            return;
        }
        if keys.len() > *self.left {
            self.dropped += 1;
            return;
        }
        let mut times: Vec<f32> = Vec::with_capacity(keys.len());
        let mut values: Vec<f32> = Vec::with_capacity(keys.len() * N);
        for (time, value) in keys {
            let mut value = value.map(|x| x as f32);
            let time = (time as f32).max(0.0);
            if !(time.is_finite() && value.iter().all(|x| x.is_finite())) {
                self.dropped += 1;
                return;
            }
            // Steps are baked as two keys a moment apart, which single precision may not tell apart: the later holds.
            if times.last().is_some_and(|&last| time <= last) {
                times.pop();
                values.truncate(values.len() - N);
                if times.last().is_some_and(|&last| time <= last) {
                    continue;
                }
            }
            if N == 4 && !values.is_empty() {
                let before = &values[values.len() - N..];
                if before.iter().zip(&value).map(|(a, b)| a * b).sum::<f32>() < 0.0 {
                    value = value.map(|x| -x);
                }
            }
            times.push(time);
            values.extend(value);
        }
        if times.is_empty() {
            return;
        }
        *self.left -= times.len();
        let interpolation = Interpolation::Linear;
        self.list.push(Track { channel, interpolation, times: times.into(), values: values.into() });
    }
}
