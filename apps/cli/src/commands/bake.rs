use crate::{
    args::{Bake, Device},
    console::Console,
    device,
    output::Output,
    posing::{self, Work},
    wording,
};
use anyhow::{Result, anyhow, bail};
use glam::Vec3;
use std::ops::Range;
use supple::{
    deform::Clock,
    pose::{Clip, ClipError, Motion, Pose},
    rig::Rig,
    write::{self, Frames},
};
use supple_gpu::Engine;

pub fn run(arguments: &Bake, choice: Device, console: &Console) -> Result<()> {
    let output = Output::file(&arguments.output, console)?;
    let Work { rig, graph, .. } = posing::work(arguments.rig.as_deref(), &arguments.how, console)?;
    if rig.mesh.positions.is_empty() {
        bail!("{}: the rig has no points to move", rig.name);
    }
    let clip = posing::clip(&rig, &arguments.clip, console)?;
    output.check()?;
    let fps = arguments.fps;
    let frames = wanted_frames(arguments, &clip, fps)?;
    let binding = graph.binding(&rig)?;
    // A shard of what remembers comes to its first frame through those before it.
    let begin = if binding.remembers() { 0 } else { frames.start };
    let moved = rig.mesh.positions.len() * (frames.end - begin);
    let opened = device::open(choice, moved, console);
    let mut baker = Baker {
        rig: &rig,
        clip: &clip,
        fps,
        engine: device::ready(binding, &rig, &opened, console),
        motion: Motion::default(),
        pose: Pose::rest(&rig),
        morphed: Vec::new(),
    };
    let bar = console.progress("baking", frames.end - begin);
    for frame in begin..frames.start {
        baker.frame(frame, begin);
        bar.inc(1);
    }
    let mut out = Frames::create(output.path(), &rig, frames.len(), fps, &clip.name)?;
    for frame in frames.clone() {
        out.frame(baker.frame(frame, begin)).map_err(|error| match error {
            // A clip may hold numbers that no file can: it is the clip that is told of, not what was to be written.
            write::Error::NotFinite { .. } => {
                anyhow!(error).context(format!("{}: clip \"{}\", frame {frame}", rig.name, clip.name))
            }
            _ => error.into(),
        })?;
        bar.inc(1);
    }
    output.write(|_| out.finish())?;
    device::report(&mut baker.engine, console);
    bar.finish_and_clear();
    let count = wording::counted(frames.len(), "frame", "frames");
    console.say(&format!("supple: wrote {output} ({count})"));
    Ok(())
}

/// Moves the rig frame by frame, reusing its memory.
struct Baker<'a> {
    rig: &'a Rig,
    clip: &'a Clip,
    fps: f64,
    engine: Engine,
    motion: Motion,
    pose: Pose,
    morphed: Vec<Vec3>,
}

impl Baker<'_> {
    /// A frame of those that are moved in order, from `begin` on.
    fn frame(&mut self, frame: usize, begin: usize) -> &[Vec3] {
        self.clip.sample_into(self.rig, frame as f64 / self.fps, &mut self.pose);
        self.motion.update(self.rig, &self.pose);
        self.pose.morphed(self.rig, &mut self.morphed);
        self.engine.frame(&self.morphed, &self.motion, Clock::frame(frame, begin, self.fps))
    }
}

/// How many frames a clip has.
pub fn frame_count(clip: &Clip, fps: f64) -> Result<usize> {
    clip.frames(fps).map_err(|error| match error {
        ClipError::Rate { fps } => anyhow!("--fps {fps}: more than 0 and at most 10000 is expected"),
        other => other.into(),
    })
}

/// The frames of the clip, less what `--frames` and `--shard` leave out.
fn wanted_frames(arguments: &Bake, clip: &Clip, fps: f64) -> Result<Range<usize>> {
    let all = frame_count(clip, fps)?;
    let mut frames = 0..all;
    if let Some(word) = &arguments.frames {
        let bad = || anyhow!("--frames {word}: expected A..B with A < B, within 0..{all}");
        let (a, b) = word.split_once("..").ok_or_else(bad)?;
        frames = a.parse().map_err(|_| bad())?..b.parse().map_err(|_| bad())?;
        if frames.start >= frames.end || frames.end > all {
            return Err(bad());
        }
    }
    if let Some(word) = &arguments.shard {
        let bad = || anyhow!("--shard {word}: expected I/N with 1 <= I <= N");
        let (i, n) = word.split_once('/').ok_or_else(bad)?;
        let (i, n): (usize, usize) = (i.parse().map_err(|_| bad())?, n.parse().map_err(|_| bad())?);
        if i == 0 || i > n || n > 1_000_000 {
            return Err(bad());
        }
        let (start, count) = (frames.start, frames.len());
        frames = start + count * (i - 1) / n..start + count * i / n;
        if frames.is_empty() {
            bail!("--shard {word}: {count} frames leave none for this share");
        }
    }
    Ok(frames)
}
