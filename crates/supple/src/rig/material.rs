use std::sync::Arc;

/// How a part looks, as far as glTF's core materials say it.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// For people.
    pub name: String,
    /// Linear RGBA, multiplies the texture.
    pub base_color: [f32; 4],
    /// Index into [`Rig::images`](super::Rig::images).
    pub base_color_image: Option<usize>,
    /// 0 to 1.
    pub metallic: f32,
    /// 0 to 1.
    pub roughness: f32,
    /// Linear RGB light of its own.
    pub emissive: [f32; 3],
    /// What alpha means.
    pub alpha_mode: AlphaMode,
    /// Back faces are drawn too.
    pub double_sided: bool,
}

/// What the alpha of a base colour means.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AlphaMode {
    /// Nothing.
    #[default]
    Opaque,
    /// Drawn where alpha is at least this.
    Mask(f32),
    /// Mixed with what lies behind.
    Blend,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: String::new(),
            base_color: [1.0; 4],
            base_color_image: None,
            metallic: 0.0,
            roughness: 0.8,
            emissive: [0.0; 3],
            alpha_mode: AlphaMode::Opaque,
            double_sided: false,
        }
    }
}

/// A texture file, not decoded.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// For people.
    pub name: String,
    /// `image/png` or `image/jpeg`.
    pub mime: String,
    /// The file. Images of the same bytes may share them.
    pub bytes: Arc<[u8]>,
}
