//! The numbers of light and tone. The processor uses them as they stand here; the shaders, and those of the studio's viewport, have
//! them declared before their text. Where no other reason is given they were chosen by eye, on skin in bends.

#[cfg(feature = "gpu")]
use supple::{constant::Constant, constants};

/// How far the key light reaches past the terminator, as a cosine: skin is soft. More washes folds out.
pub(crate) const KEY_WRAP: f32 = 0.15;
/// The same of the fill light, which stands for a wide source.
pub(crate) const FILL_WRAP: f32 = 0.3;
/// Brightness of the highlight in its middle: enough to show which way skin turns, too little to hide its colour.
pub(crate) const SHINE: f32 = 0.09;
/// Exponent of the highlight: half of it is left 13 degrees from its middle. light.wgsl multiplies it out.
pub(crate) const SHINE_POWER: u32 = 28;
const _: () = assert!(SHINE_POWER == 8 + 8 + 8 + 4, "as light.wgsl has it");
/// The rim light has the colour of the surface, mixed by this share with [`RIM_GREY`]: dark skin needs an outline too.
pub(crate) const RIM_MIX: f32 = 0.3;
/// See [`RIM_MIX`]; linear.
pub(crate) const RIM_GREY: f32 = 0.5;

/// Linear brightness up to which colours are shown as they are.
pub(crate) const TONE_KNEE: f32 = 0.7;
/// What is left for all brighter ones, up to white.
pub(crate) const TONE_REST: f32 = 1.0 - TONE_KNEE;

/// Share of direct light that the root of the visible sky scales; occlusion mostly dims the sky, but a deep fold is dark under any
/// light.
pub(crate) const DIRECT_BY_SKY: f32 = 0.55;
/// The share that it does not scale.
pub(crate) const DIRECT_LEAST: f32 = 1.0 - DIRECT_BY_SKY;
/// Visible sky below which direct light falls to half in proportion, so that the bottom of a fold is black.
pub(crate) const DEEP_FOLD: f32 = 0.25;

/// How much valleys are darkened per curvature, and ridges lightened: a crease is a line, a ridge is only a shape.
pub(crate) const VALLEY: f32 = 1.3;
/// See [`VALLEY`].
pub(crate) const RIDGE: f32 = 0.6;
/// Least factor of a valley: black lines would look like gaps.
pub(crate) const RIDGE_LEAST: f32 = 0.15;
/// Largest factor that a ridge has on the highlight, which is near white already.
pub(crate) const RIDGE_MOST_SHINE: f32 = 1.2;

/// Opacity of a bone that no skin covers.
pub(crate) const BONE_BARE: f32 = 0.95;
/// Opacity of a bone deep in the skin, and what is added to it right below the skin.
pub(crate) const BONE_DEEP: f32 = 0.45;
/// See [`BONE_DEEP`].
pub(crate) const BONE_SHALLOW: f32 = 0.35;
/// Depth in the skin, over the diagonal, at which what shows through has faded to 1 / e of the way.
pub const FADING_DEPTH: f32 = 0.04;

/// Skin seen from inside, linear: it must be seen at once where a surface is turned inside out or passes through itself.
pub const INSIDE: [f32; 3] = [0.85, 0.05, 0.03];
/// The same where a section shows the inside on purpose.
pub(crate) const OPENED: [f32; 3] = [0.16, 0.30, 0.50];
/// Colour of lines along edges, linear.
pub(crate) const WIRE: f32 = 0.012;
/// Opacity of these lines.
pub(crate) const WIRE_OPACITY: f32 = 0.8;

/// Weight of a pixel of another surface where light is looked up between pixels: it counts only where there is no other.
pub(crate) const STRANGER: f32 = 1e-6;

/// Those of light on a surface that nothing hides, as the studio's viewport has it too.
#[cfg(feature = "gpu")]
pub fn surface_constants() -> Vec<Constant> {
    constants![KEY_WRAP, FILL_WRAP, SHINE, SHINE_POWER, RIM_MIX, RIM_GREY, TONE_KNEE, TONE_REST]
}

/// All of them.
#[cfg(feature = "gpu")]
pub(crate) fn constants() -> Vec<Constant> {
    let folds = constants![DIRECT_BY_SKY, DIRECT_LEAST, DEEP_FOLD, VALLEY, RIDGE, RIDGE_LEAST, RIDGE_MOST_SHINE];
    let over =
        constants![BONE_BARE, BONE_DEEP, BONE_SHALLOW, FADING_DEPTH, INSIDE, OPENED, WIRE, WIRE_OPACITY, STRANGER];
    [surface_constants(), folds, over].concat()
}
