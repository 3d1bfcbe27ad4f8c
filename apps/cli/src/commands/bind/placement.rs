//! Whether a skeleton stands where the mesh is.

use crate::console::Console;
use std::path::Path;
use supple::{fit::placement, rig::Rig};

/// Warns where a rig is to be written whose skeleton lies outside its skin.
pub fn doubt_written(rig: &Rig, file: &Path, console: &Console) {
    if let Some(what) = placement::doubt(rig) {
        console.warn(&format!("supple: {}: warning: {what}", file.display()));
    }
}

/// Warns where the skeleton cannot be that of the mesh as it stands.
pub fn doubt(rig: &Rig, skeleton: &Path, fitted: bool, console: &Console) {
    let size = placement::size_doubt(rig).filter(|_| !fitted);
    let size = size.map(|what| format!("{what}; --fit brings its box onto the mesh's"));
    if let Some(what) = size.or_else(|| placement::outside(rig)) {
        console.warn(&format!("supple: {}: warning: {what}", skeleton.display()));
    }
}
