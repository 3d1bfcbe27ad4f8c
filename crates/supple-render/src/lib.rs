//! Points to pictures.
//!
//! A [`Scene`] says what is drawn, a [`View`] from where and in what light; [`cpu::render`] gives [`Buffers`]: the shaded
//! picture and, behind every pixel, which triangle it shows, where on it, how deep, and its normal. `gpu::Renderer` gives
//! the same on a graphics device, and `draw` takes whichever there is.
//!
//! # What every renderer keeps to
//!
//! | | |
//! |---|---|
//! | world, view | right-handed; in the view x is right, y up, and the camera looks along -z |
//! | clip space | that of wgpu: y up, z / w from 0 (near) to 1 (far) |
//! | pixels | rows from the top; pixel (x, y) is seen through (x + 0.5, y + 0.5) |
//! | coverage | corners rounded to 1/256 of a pixel, top-left rule, no culling |
//! | depth | z / w; cleared to 1; nearer wins, at equal depth the smaller id |
//! | ids | triangle i of [`Geometry`] has id i + 1: surfaces in order, then a triangle for each point; 0 is nothing |
//! | barycentric | weights of the second and the third corner on the triangle itself, not on the screen |
//! | front | counter-clockwise towards the camera; back faces are drawn in red |
//! | colours | linear RGB; written as sRGB after averaging the samples |
//!
//! # The shortest program
//!
//! ```
//! use supple::example;
//! use supple_render::{Camera, Channel, Direction, Scene, View, character, cpu};
//!
//! let rig = example::arm(&example::ArmOptions { vertices: 700, ..Default::default() })?;
//! let (surface, _) = character::surface(&rig, &rig.mesh.positions);
//! let scene = Scene { surfaces: vec![surface], ..Scene::default() };
//! let size = [120, 90];
//! let camera = Camera::framing(&scene.extent(), Direction::ThreeQuarter, 120.0 / 90.0, true);
//! let view = View::new(camera, size);
//! let buffers = cpu::render(&scene, &view)?;
//! let png = buffers.picture(Channel::Color, &view).to_png()?;
//! assert!(png.len() > 100);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod annotate;
mod buffers;
mod camera;
pub mod character;
pub mod color;
pub mod cpu;
mod error;
pub mod field;
mod font;
pub mod geometry;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod light;
mod parallel;
mod picture;
pub mod scene;
pub mod section;
pub mod textures;
pub mod view;

pub use annotate::{Anchor, Entries, Label, Legend, Path};
pub use buffers::{Buffers, Channel};
pub use camera::{Camera, Direction, FRAMING_ANGLE, Projection};
pub use color::ColorMap;
pub use error::Error;
pub use field::FieldSection;
pub use geometry::Geometry;
#[cfg(feature = "gpu")]
pub use gpu::draw;
pub use picture::Picture;
pub use scene::{Bones, Look, Paint, Points, Scene, Shading, Surface, Texture};
pub use textures::{TextureError, TextureLimits, Textures};
pub use view::{Background, Lights, Occlusion, View};
