use super::{Patch, Stop, object::Object};
use crate::{
    pose::{Channel, Clip, Track},
    write::{
        Error,
        gltf::{
            clips::{self, Channels, Times, WEIGHTS},
            morph_tracks,
        },
    },
};
use gltf_json::{Index, Node};
use serde_json::value::to_raw_value;
use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap, HashSet},
    ops::Range,
};

/// What becomes of a channel of the file.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Stays,
    Goes,
    Changes,
}

/// What may be moved.
struct Moved<'n> {
    /// Of each joint.
    nodes: &'n [Index<Node>],
    /// Those that move nothing any more.
    idle: &'n HashSet<usize>,
    /// Nodes with their morphs, ascending.
    morphs: Vec<(usize, Range<usize>)>,
}

impl<'a> Patch<'a> {
    /// Clips that are new become animations, those that changed get new samplers, and those that are gone lose their channels.
    /// What animations say of other things (cameras, what extensions point at) stays. `idle` nodes move nothing any more.
    pub fn animations(&mut self, nodes: &[Index<Node>], idle: &HashSet<usize>) -> Result<(), Stop> {
        let (rig, original) = (self.rig, self.original);
        let mut moved = Moved { nodes, idle, morphs: original.morphs_of.clone().into_iter().collect() };
        moved.morphs.sort_by_key(|(_, morphs)| morphs.start);
        let mut times = Times::new();
        let mut written = vec![false; rig.clips.len()];
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        for (i, clip) in rig.clips.iter().enumerate().rev().filter(|_| self.joints.kept) {
            by_name.entry(&clip.name).or_default().push(i);
        }
        let (mut gone, mut names) = (HashSet::new(), Vec::new());
        for (before, &animation) in original.rig.clips.iter().zip(&original.animation_of) {
            let now = by_name.get_mut(before.name.as_str()).and_then(Vec::pop);
            let now = now.map(|i| {
                written[i] = true;
                &rig.clips[i]
            });
            if self.animation(animation, before, now, &moved, &mut times)? {
                gone.insert(animation);
                names.push(format!("\"{}\"", before.name));
            }
        }
        for (clip, _) in rig.clips.iter().zip(written).filter(|(_, written)| !written) {
            let mut channels =
                Channels { document: &mut self.out.added, times: &mut times, animation: clips::empty(&clip.name) };
            clips::joints(&mut channels, clip, nodes, |_| true)?;
            weights(&mut channels, rig, &tracks(Some(clip)), &moved.morphs, |_| true)?;
            let animation = channels.animation;
            if !animation.channels.is_empty() {
                self.out.added.root.push(animation);
            }
        }
        if !gone.is_empty() {
            let mut at = 0..;
            self.out.list("animations")?.retain(|_| at.next().is_some_and(|i| !gone.contains(&i)));
            if !self.joints.kept {
                let what = if names.len() == 1 {
                    "moved the old joints alone and goes"
                } else {
                    "moved the old joints alone and go"
                };
                self.out.notes.push(format!("{} {what}", names.join(", ")));
            }
        }
        Ok(())
    }

    /// Changes one animation of the file; true where nothing is left of it.
    fn animation(
        &mut self,
        animation: usize,
        before: &Clip,
        now: Option<&'a Clip>,
        moved: &Moved<'_>,
        times: &mut Times<'a>,
    ) -> Result<bool, Stop> {
        let channels = &self.original.file.root.animations[animation].channels;
        let (before, all) = (tracks(Some(before)), tracks(now));
        let targets = channels.iter().map(|c| (c.target.node, c.target.path.as_str()));
        let fates: Vec<Fate> =
            targets.clone().map(|(node, path)| self.fate(node, path, &before, &all, moved.idle)).collect();
        let place: HashMap<(Option<usize>, &str), usize> = targets.zip(0..).collect();
        let has =
            |node: usize, path: &str, fate: Fate| place.get(&(Some(node), path)).copied().filter(|&i| fates[i] == fate);
        let is_new = |track: &Track| {
            let (joint, path) = match track.channel {
                Channel::Translation(j) => (j, "translation"),
                Channel::Rotation(j) => (j, "rotation"),
                Channel::Scale(j) => (j, "scale"),
                Channel::Morph(_) => return false,
            };
            moved.nodes.get(joint).is_some_and(|n| has(n.value(), path, Fate::Stays).is_none())
        };
        let mut made = Channels { document: &mut self.out.added, times, animation: clips::empty("") };
        if let Some(now) = now.filter(|_| self.joints.kept) {
            clips::joints(&mut made, now, moved.nodes, is_new)?;
            let is_new = |node: usize| has(node, "weights", Fate::Stays).is_none();
            weights(&mut made, self.rig, &all, &moved.morphs, is_new)?;
        }
        let made = made.animation;
        if made.channels.is_empty() && fates.iter().all(|f| *f == Fate::Stays) {
            return Ok(false);
        }
        let mut object = self.out.object("animations", animation)?;
        let mut texts: Vec<Object> = object.get("channels")?.unwrap_or_default();
        let mut samplers: Vec<super::object::Raw> = object.get("samplers")?.unwrap_or_default();
        let mut kept: Vec<bool> = fates.iter().map(|f| *f != Fate::Goes).collect();
        for channel in &made.channels {
            let path = serde_json::to_value(channel.target.path)?;
            let path = path.as_str().unwrap_or_default();
            let sampler = samplers.len();
            samplers.push(to_raw_value(&made.samplers[channel.sampler.value()])?);
            match has(channel.target.node.value(), path, Fate::Changes) {
                Some(place) => texts[place].set("sampler", &sampler)?,
                None => {
                    let mut text: Object = serde_json::from_str(to_raw_value(channel)?.get())?;
                    text.set("sampler", &sampler)?;
                    texts.push(text);
                    kept.push(true);
                }
            }
        }
        let texts: Vec<Object> = texts.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(text, _)| text).collect();
        if texts.is_empty() {
            return Ok(true);
        }
        object.set("channels", &texts)?;
        object.set("samplers", &samplers)?;
        self.out.replace("animations", animation, &object)?;
        Ok(false)
    }

    fn fate(
        &self,
        node: Option<usize>,
        path: &str,
        before: &Tracks<'_>,
        now: &Tracks<'_>,
        idle: &HashSet<usize>,
    ) -> Fate {
        let Some(node) = node else { return Fate::Stays };
        if !self.joints.kept {
            // Its skin hid what moved it, and hides it no longer.
            let hidden = self.lifted.unskinned.contains(&node) && path != "weights";
            return if hidden || idle.contains(&node) { Fate::Goes } else { Fate::Stays };
        }
        let joint = self.original.hierarchy.joint_of[node].and_then(|file| Some((file, self.joints.in_rig[file]?)));
        let pairs: Vec<(Channel, Channel)> = match (path, joint, self.original.morphs_of.get(&node)) {
            ("weights", _, Some(morphs)) => morphs.clone().map(|m| (Channel::Morph(m), Channel::Morph(m))).collect(),
            ("translation", Some((file, rig)), _) => vec![(Channel::Translation(file), Channel::Translation(rig))],
            ("rotation", Some((file, rig)), _) => vec![(Channel::Rotation(file), Channel::Rotation(rig))],
            ("scale", Some((file, rig)), _) => vec![(Channel::Scale(file), Channel::Scale(rig))],
            _ => return Fate::Stays,
        };
        if pairs.iter().all(|(_, rig)| !now.contains_key(rig)) {
            return Fate::Goes;
        }
        let same = |(file, rig): &(Channel, Channel)| match (before.get(file), now.get(rig)) {
            (Some(a), Some(b)) => (a.interpolation, &a.times, &a.values) == (b.interpolation, &b.times, &b.values),
            (a, b) => a.is_none() && b.is_none(),
        };
        if pairs.iter().all(same) { Fate::Stays } else { Fate::Changes }
    }
}

/// The tracks of a clip by what they move; of several for one channel the last counts.
type Tracks<'a> = BTreeMap<Channel, &'a Track>;

fn tracks(clip: Option<&Clip>) -> Tracks<'_> {
    clip.map_or(&[][..], Clip::tracks).iter().map(|t| (t.channel, t)).collect()
}

/// The tracks of a clip for the morphs of the nodes that are `wanted`.
fn weights(
    channels: &mut Channels<'_, '_>,
    rig: &crate::rig::Rig,
    tracks: &Tracks<'_>,
    morphs: &[(usize, Range<usize>)],
    wanted: impl Fn(usize) -> bool,
) -> Result<(), Error> {
    let mut next = 0;
    // From track to track, not from node to node: there may be as many clips as nodes, and most move none of them.
    while let Some((Channel::Morph(morph), _)) = tracks.range(Channel::Morph(next)..).next() {
        let at = morphs.partition_point(|(_, own)| own.end <= *morph);
        let Some((node, own)) = morphs.get(at) else { break };
        next = own.end;
        let own_tracks = tracks.range(Channel::Morph(own.start)..Channel::Morph(own.end)).map(|(_, track)| *track);
        if !wanted(*node) {
            continue;
        }
        if let Some(merged) = morph_tracks::merged(own_tracks, rig, own.clone()) {
            let (node, times) = (Index::new(*node as u32), Cow::Owned(merged.times));
            channels.push(node, merged.interpolation, times, &merged.values, WEIGHTS)?;
        }
    }
    Ok(())
}
