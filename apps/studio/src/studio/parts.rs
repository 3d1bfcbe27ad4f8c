//! What a [`Studio`](super::Studio) is made of: a part for each thing it has to do with.

use super::{
    Beside, LiveFigures, Notice,
    change::Changing,
    files::{Files, Opening, Outside},
    framing::Framed,
    memory::Memory,
    picking::Picking,
    record::Recorder,
    recovery::Recovery,
    scene::{ColoredBy, Extras},
    stage::Stage,
    task::{Task, Wake},
};
use crate::{
    model::{Document, Layout, PictureOptions, Playback, SkinView},
    viewport::{Shown, Skin, Viewport, orbit::Orbit},
};
use std::{path::PathBuf, sync::Arc};
use supple::rig::Rig;
use supple_gpu::{Choice, Gpu};

/// What it draws and computes with.
pub struct Device {
    /// The device.
    pub gpu: Gpu,
    /// Draws on it.
    pub viewport: Viewport,
    /// Skin is moved by the device even where that is the processor in disguise, which the processor itself outruns.
    pub insist: bool,
}

impl Device {
    /// The device where skin is moved on it, or why the processor moves it.
    pub fn computing(&self) -> Result<&Gpu, &'static str> {
        if self.insist { Choice::Device } else { Choice::Auto }.computing(&self.gpu)
    }
}

/// What is open.
#[derive(Default)]
pub struct Open {
    /// The rig and its project.
    pub document: Option<Document>,
    /// The clock.
    pub playback: Playback,
    /// The selected joint.
    pub selected: Option<usize>,
    /// Counts the documents that were opened: what belongs to one is put away with it.
    pub opened: u64,
}

/// How it is looked at.
pub struct Sight {
    /// How skin is drawn.
    pub view: SkinView,
    /// Bones are drawn.
    pub bones: bool,
    /// How many panes.
    pub layout: Layout,
    /// Methods of the panes beside the first.
    pub beside: Beside,
    /// The second result is drawn over the first.
    pub overlay: bool,
    /// Dark colours.
    pub dark: bool,
    /// Where it is looked at from; all panes share it.
    pub orbit: Orbit,
    /// Somebody has looked at what is open, or the studio has for them.
    pub(super) looked: bool,
    pub(super) framed: Option<Framed>,
    /// Width over height of a pane; 0 before there is one.
    pub aspect: f32,
    /// Width and height of the first pane, in points.
    pub pane: [f32; 2],
    /// Pixels of the screen for each point.
    pub density: f32,
    /// Pixels of a pane for each point of the window: what marks are measured in. Less where drawing must keep up.
    pub scale: f32,
}

/// What is drawn.
#[derive(Default)]
pub struct Drawn {
    /// One for each pane.
    pub stages: [Stage; 4],
    /// The skin on the device, and the rig it is of.
    pub skin: Option<(Arc<Rig>, Skin)>,
    /// The skin at rest, where nothing can be bound: a mesh without a skeleton shall be seen while it gets one.
    pub bare: Option<Shown>,
    /// What the skin's colours were made of, to make them again only when that changes.
    pub colored: ColoredBy,
    /// What else is drawn over the skin: set by panels each frame.
    pub extras: Extras,
    /// Why the skin of the first pane could not be moved last.
    pub(super) unmoved: Option<String>,
}

/// What goes on beside the window.
pub struct Work {
    /// Wakes the window.
    pub wake: Wake,
    pub(super) changing: Changing,
    /// What is measured live.
    pub figures: LiveFigures,
    /// What lies under the mouse.
    pub picking: Picking,
    /// A clip being drawn to files.
    pub recorder: Option<Recorder>,
    /// Points being written.
    pub exporting: Option<(String, Task<Result<String, String>>)>,
}

/// What was said.
#[derive(Default)]
pub struct Said {
    /// Lately.
    pub notices: Vec<Notice>,
    /// What could not be written last, and why.
    pub unwritten: Option<String>,
}

/// Files on their way in.
#[derive(Default)]
pub struct Arrivals {
    pub(super) opening: Option<Opening>,
    /// A project that reaches out of its folder, and that the person is asked about.
    pub outside: Option<Outside>,
    pub(super) arriving: Option<(String, Task<Files>)>,
    /// Files that a browser has handed over: to be opened once it is sure that no work is lost by it.
    pub arrived: Option<Vec<(String, Vec<u8>)>>,
    /// Files that were dropped, read, and wait for what shall be done with them.
    pub dropped: Option<Vec<(String, Document)>>,
    /// A project whose rig is not where it says: the project, and where it looked.
    pub moved: Option<(PathBuf, PathBuf)>,
}

/// What is kept for another time.
pub struct Kept {
    /// Recent files and the like.
    pub memory: Memory,
    /// What a crash left behind.
    pub recovery: Recovery,
    /// How pictures were asked for last.
    pub picture: PictureOptions,
}

impl Sight {
    pub(super) fn new(dark: bool) -> Self {
        Self {
            view: SkinView::default(),
            bones: true,
            layout: Layout::default(),
            beside: Beside::default(),
            overlay: false,
            dark,
            orbit: Orbit::default(),
            looked: false,
            framed: None,
            aspect: 0.0,
            pane: [0.0; 2],
            density: 1.0,
            scale: 1.0,
        }
    }
}

impl Work {
    pub(super) fn new(wake: Wake) -> Self {
        let (changing, figures, picking) = Default::default();
        Self { wake, changing, figures, picking, recorder: None, exporting: None }
    }
}
