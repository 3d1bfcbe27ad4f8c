//! Whether a picture would be the same again. Drawing is cheap on a card and dear on a processor that plays one.

use super::{
    Drawn, Style,
    overlay::Runs,
    params::{FrameParams, Item},
};
use std::{
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

/// Changes whenever what it belongs to does, and is never that of anything else. Copies change together.
#[derive(Clone, Debug)]
pub(super) struct Stamp(Arc<AtomicU64>);

static NEXT: AtomicU64 = AtomicU64::new(0);

impl Stamp {
    pub fn new() -> Self {
        Self(Arc::new(AtomicU64::new(NEXT.fetch_add(1, Ordering::Relaxed))))
    }

    /// What it belongs to is another from now on.
    pub fn renew(&self) {
        self.0.store(NEXT.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
    }

    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Everything a picture is made of: numbers as they are sent, buffers and textures by their stamps.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Inputs {
    pub frame: FrameParams,
    pub looks: Vec<u8>,
    pub items: Vec<Item>,
    ranges: [Range<u32>; 7],
    stamps: Vec<u64>,
    style: Style,
}

impl Inputs {
    pub fn of(
        frame: FrameParams,
        looks: Vec<u8>,
        items: Vec<Item>,
        runs: &Runs,
        skins: &[Drawn<'_>],
        style: Style,
    ) -> Self {
        let sheets = runs.sheets.iter().flatten().map(|(image, _)| image.stamp.get());
        let stamps = skins.iter().map(|(_, shown, _)| shown.stamp.get()).chain(sheets).collect();
        Self { frame, looks, items, ranges: runs.ranges(), stamps, style }
    }
}
