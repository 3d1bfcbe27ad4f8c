use glam::Vec3;
use supple_render::{Background, Lights, scene::CLAY};

/// How one skin is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Where its colours come from.
    pub coat: Coat,
    /// Lines along the edges, so many pixels wide.
    pub wire: Option<f32>,
    /// Less than one for a ghost: only its nearest layer is seen, and what lies behind it shines through.
    pub opacity: f32,
    /// Skin seen from inside is red, so that what is turned inside out is seen at once.
    pub mark_inside: bool,
}

/// Where the colours of a skin come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Coat {
    /// The rig's own materials, textures and vertex colours.
    Material,
    /// One linear colour for all.
    Plain(Vec3),
    /// What [`Shown::paint`](super::Shown::paint) was given last; the material where it was given nothing.
    Colors,
}

impl Look {
    /// As the rig's materials say.
    pub const SHADED: Self = Self { coat: Coat::Material, wire: None, opacity: 1.0, mark_inside: true };
    /// Clay.
    pub const PLAIN: Self = Self { coat: Coat::Plain(CLAY), ..Self::SHADED };
    /// As painted.
    pub const COLORS: Self = Self { coat: Coat::Colors, ..Self::SHADED };

    /// The same with lines along the edges.
    pub fn with_wire(self) -> Self {
        Self { wire: Some(1.1), ..self }
    }

    /// The same, translucent.
    pub fn ghost(self, opacity: f32) -> Self {
        Self { opacity, mark_inside: false, ..self }
    }
}

impl Default for Look {
    fn default() -> Self {
        Self::SHADED
    }
}

/// What is round the skins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// What lies behind everything; a gradient.
    pub background: Background,
    /// It is drawn; without, the picture is transparent there, and its colours are multiplied by what covers them.
    pub sky: bool,
    /// A grid on the floor.
    pub grid: bool,
    /// How high the floor lies; none is the lowest point of the skins at rest.
    pub floor: Option<f32>,
    /// How dark folds and contacts are; 0 is not at all.
    pub occlusion: f32,
    /// Where light comes from.
    pub lights: Lights,
    /// Large skins are drawn with fewer triangles, to keep up where drawing takes long.
    pub draft: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            background: Background::default(),
            sky: true,
            grid: true,
            floor: None,
            occlusion: 5.0,
            lights: Lights::default(),
            draft: false,
        }
    }
}
