//! The pictures of the README and the book. They are made by code, so that they show what the code does today.

mod implicit;
mod one_pass;
mod panels;
mod pictures;
mod weights;

use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use supple_render::Picture;

/// The most bytes of a committed picture.
const MOST_BYTES: u64 = 150_000;

type Draw = fn() -> Result<Picture>;

/// Every picture by name.
const PICTURES: &[(&str, Draw)] = &[
    ("hero", pictures::hero),
    ("linear", pictures::linear),
    ("linear-collapse", pictures::linear_collapse),
    ("linear-candy-wrapper", pictures::linear_candy_wrapper),
    ("linear-lost-detail", pictures::linear_lost_detail),
    ("twist-and-bend", pictures::twist_and_bend),
    ("dual-quaternion", pictures::dual_quaternion),
    ("dual-quaternion-bulge", pictures::dual_quaternion_bulge),
    ("stretch-twist", one_pass::stretch_twist),
    ("stretch-twist-bend", one_pass::stretch_twist_bend),
    ("rotation-center", one_pass::rotation_center),
    ("rotation-center-overlap", one_pass::rotation_center_overlap),
    ("delta-mush", one_pass::delta_mush),
    ("delta-mush-density", one_pass::delta_mush_density),
    ("flesh", one_pass::flesh),
    ("comparison", one_pass::comparison),
    ("implicit", implicit::overview),
    ("implicit-finger", implicit::finger),
    ("implicit-caps", implicit::caps),
    ("implicit-operators", implicit::operators),
    ("implicit-gradients", implicit::gradients),
    ("implicit-knee", implicit::knee_section),
    ("implicit-contact", implicit::contact),
    ("implicit-superposed", implicit::superposed),
    ("implicit-blend", implicit::blend),
    ("implicit-twist", implicit::twist),
    ("implicit-starts", implicit::starts),
    ("implicit-failures", implicit::failures),
    ("mix", pictures::mix),
    ("mix-jump", pictures::mix_jump),
    ("heat", pictures::heat),
    ("shows", pictures::shows),
    ("section", pictures::section),
    ("superposed", pictures::superposed),
    ("rigged", pictures::rigged),
    ("weights-smooth", weights::smooth),
    ("template", weights::template),
    ("segments", weights::segments),
    ("flexible", weights::flexible),
];

/// Draws the pictures whose name contains `only`.
pub fn run(only: &str) -> Result<()> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/src/pictures");
    std::fs::create_dir_all(&folder)?;
    let mut large = Vec::new();
    for (name, draw) in PICTURES.iter().filter(|(name, _)| name.contains(only)) {
        let path = folder.join(format!("{name}.png"));
        draw().with_context(|| name.to_string())?.write(&path)?;
        let bytes = path.metadata()?.len();
        println!("docs/src/pictures/{name}.png ({bytes} bytes)");
        if bytes > MOST_BYTES {
            large.push(*name);
        }
    }
    if !large.is_empty() {
        bail!("at most {MOST_BYTES} bytes are committed; too large: {}", large.join(", "));
    }
    Ok(())
}
