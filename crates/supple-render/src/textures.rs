//! The textures of a rig, decoded: each picture once, however often it is named, and all of them within bounds.
//!
//! A file of a few kilobytes can hold a picture of gigabytes, and name it any number of times. So sizes are read before
//! anything is decoded, and three things are bounded ([`TextureLimits`]): what decoding one picture takes, the pixels of
//! all pictures together, which is time, and the bytes that are kept. What would be kept beyond that is halved, the
//! largest first, until it fits: pictures rarely show as many pixels.

use crate::{color, scene::Texture};
use image::{DynamicImage, GenericImageView, ImageDecoder, ImageFormat, ImageReader, Limits};
use std::{collections::HashMap, io::Cursor, sync::Arc};
use supple::rig::{Image, Rig};
use thiserror::Error;

/// A texture that cannot be shown; its part keeps its plain colour.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TextureError {
    /// One of them.
    #[error("texture {index} \"{name}\" cannot be decoded: {why}")]
    Picture {
        /// Index into [`Rig::images`].
        index: usize,
        /// Its name.
        name: String,
        /// Why not.
        why: String,
    },
    /// All of them.
    #[error(
        "{count} textures of {pixels} pixels together, and at most {most} are decoded: the skin is drawn without textures"
    )]
    Pixels {
        /// How many pictures.
        count: usize,
        /// What they have together.
        pixels: u64,
        /// See [`TextureLimits::pixels`].
        most: u64,
    },
}

/// What the pictures of one rig may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureLimits {
    /// Bytes that a picture may take while it is decoded.
    pub decoding: u64,
    /// Pixels of all pictures together, as they are in the file.
    pub pixels: u64,
    /// Bytes of all textures together, as they are drawn.
    pub kept: u64,
}

impl Default for TextureLimits {
    /// 8192 by 8192 pixels of four bytes, 64 pictures of 4096 by 4096, and 32 textures of 1024 by 1024.
    fn default() -> Self {
        Self { decoding: 256 << 20, pixels: 1 << 30, kept: 128 << 20 }
    }
}

/// Pictures ready to be drawn, shared by every scene they are in.
#[derive(Clone, Debug, Default)]
pub struct Textures {
    pub(crate) all: Vec<Arc<Texture>>,
    /// Of each image of the rig.
    pub(crate) of_image: Vec<Option<usize>>,
}

/// A picture that is not decoded yet, and the images of the rig that are this picture.
struct Picture<'a> {
    image: &'a Image,
    named: Vec<usize>,
    size: [u32; 2],
}

impl Textures {
    /// Those that the parts of a rig use, and what is wrong with them.
    pub fn of(rig: &Rig) -> (Self, Vec<TextureError>) {
        Self::within(rig, TextureLimits::default())
    }

    /// The same, with other limits.
    pub fn within(rig: &Rig, limits: TextureLimits) -> (Self, Vec<TextureError>) {
        let mut textures = Self { all: Vec::new(), of_image: vec![None; rig.images.len()] };
        let mut faults = Vec::new();
        let fault = |image: &Image, index: usize, why| TextureError::Picture { index, name: image.name.clone(), why };
        let mut pictures = Vec::new();
        for (image, named) in used(rig) {
            match look(image, limits.decoding) {
                Ok(size) => pictures.push(Picture { image, named, size }),
                Err(why) => faults.push(fault(image, named[0], why)),
            }
        }
        let pixels = pictures.iter().map(|p| u64::from(p.size[0]) * u64::from(p.size[1])).sum();
        if pixels > limits.pixels {
            faults.push(TextureError::Pixels { count: pictures.len(), pixels, most: limits.pixels });
            return (textures, faults);
        }
        let longest = longest_side(&pictures, limits.kept);
        for Picture { image, named, size } in pictures {
            match decode(image, limits.decoding, halvings(size, longest)) {
                Ok(texture) => {
                    named.iter().for_each(|&i| textures.of_image[i] = Some(textures.all.len()));
                    textures.all.push(Arc::new(texture));
                }
                Err(why) => faults.push(fault(image, named[0], why)),
            }
        }
        (textures, faults)
    }
}

/// The images that parts show, those of the same bytes together, in the order of the parts.
fn used(rig: &Rig) -> Vec<(&Image, Vec<usize>)> {
    let mut all: Vec<(&Image, Vec<usize>)> = Vec::new();
    let (mut seen, mut of_bytes) = (vec![false; rig.images.len()], HashMap::new());
    if rig.mesh.uvs.is_none() {
        return all;
    }
    for part in &rig.parts {
        let material = part.material.and_then(|m| rig.materials.get(m));
        let Some(index) = material.and_then(|m| m.base_color_image) else { continue };
        let Some(image) = rig.images.get(index).filter(|_| !std::mem::replace(&mut seen[index], true)) else {
            continue;
        };
        // Shared bytes are known by their place: to compare them all would take a hostile file's whole day.
        let at = *of_bytes.entry(Arc::as_ptr(&image.bytes)).or_insert(all.len());
        if at == all.len() {
            all.push((image, Vec::new()));
        }
        all[at].1.push(index);
    }
    all
}

/// Reads the size of a picture, and refuses one that would take too much memory.
fn look(image: &Image, most: u64) -> Result<[u32; 2], String> {
    let reader = reader(image, most)?;
    let coefficients = reader.format() == Some(ImageFormat::Jpeg) && keeps_coefficients(&image.bytes);
    let decoder = reader.into_decoder().map_err(plain)?;
    let (width, height) = decoder.dimensions();
    let bytes = decoder.total_bytes().saturating_mul(if coefficients { 3 } else { 1 });
    if bytes > most {
        let (needed, most) = (bytes.div_ceil(1 << 20), most >> 20);
        return Err(format!("{width} by {height} pixels take {needed} MB to decode, and at most {most} are taken"));
    }
    Ok([width, height])
}

fn reader(image: &Image, most: u64) -> Result<ImageReader<Cursor<&[u8]>>, String> {
    let mut reader =
        ImageReader::new(Cursor::new(&image.bytes[..])).with_guessed_format().map_err(|e| e.to_string())?;
    let mut limits = Limits::default();
    limits.max_alloc = Some(most);
    reader.limits(limits);
    Ok(reader)
}

fn plain(error: image::ImageError) -> String {
    error.to_string().replace('\n', " ")
}

fn decode(image: &Image, most: u64, halvings: u32) -> Result<Texture, String> {
    let decoded: DynamicImage = reader(image, most)?.decode().map_err(plain)?;
    let (width, height) = decoded.dimensions();
    if halvings > 0 {
        return Ok(reduced([width, height], 1 << halvings, |x, y| decoded.get_pixel(x, y).0));
    }
    Ok(Texture { width, height, pixels: decoded.into_rgba8().pixels().map(|p| p.0).collect() })
}

/// The side to which pictures are halved for all of them to fit.
fn longest_side(pictures: &[Picture<'_>], kept: u64) -> u32 {
    let mut longest = u32::MAX;
    let together = |longest: u32| {
        let side = |side: u32, halvings: u32| u64::from((side >> halvings).max(1));
        let bytes = |p: &Picture<'_>| {
            let halvings = halvings(p.size, longest);
            4 * side(p.size[0], halvings) * side(p.size[1], halvings)
        };
        pictures.iter().map(bytes).sum::<u64>()
    };
    while longest > 1 && together(longest) > kept {
        longest /= 2;
    }
    longest
}

fn halvings(size: [u32; 2], longest: u32) -> u32 {
    let side = size[0].max(size[1]);
    (0..32).find(|&n| side >> n <= longest).unwrap_or(31)
}

/// Whether a JPEG is put together from several scans. Its coefficients, two bytes each, then wait for the last one: a decoder
/// takes three times what the picture takes. What is not understood is taken for such a one.
fn keeps_coefficients(bytes: &[u8]) -> bool {
    let (mut at, mut components) = (2, None);
    while let Some(&[0xff, marker, high, low, first]) = bytes.get(at..at + 5) {
        match marker {
            0xff => {
                at += 1;
                continue;
            }
            0xc0 | 0xc1 => components = bytes.get(at + 9).copied(),
            0xda => return components != Some(first),
            _ => {}
        }
        at += 2 + usize::from(u16::from_be_bytes([high, low]));
    }
    true
}

/// A smaller copy: `by` times `by` pixels become one. Light is averaged, not bytes.
pub fn reduced([width, height]: [u32; 2], by: u32, pixel: impl Fn(u32, u32) -> [u8; 4]) -> Texture {
    let decoded: [f32; 256] = std::array::from_fn(|b| color::decode(b as u8));
    // A power for every pixel would take seconds for large textures; a table as fine as this gives the same bytes to one.
    let encoded: Vec<u8> = (0..=4095).map(|i| color::encode((i as f32 / 4095.0).powi(2))).collect();
    let smaller = |side: u32| (side / by).max(1);
    // A strip may be narrower than what becomes one pixel.
    let [across, down] = [width, height].map(|side| by.min(side));
    let count = u64::from(across) * u64::from(down);
    let share = 1.0 / count as f32;
    let mut pixels = Vec::with_capacity(smaller(width) as usize * smaller(height) as usize);
    for y in 0..smaller(height) {
        for x in 0..smaller(width) {
            let (mut light, mut alpha) = ([0.0_f32; 3], 0_u64);
            for (dx, dy) in (0..down).flat_map(|dy| (0..across).map(move |dx| (dx, dy))) {
                let pixel = pixel((x * by + dx).min(width - 1), (y * by + dy).min(height - 1));
                (0..3).for_each(|i| light[i] += decoded[pixel[i] as usize] * share);
                alpha += u64::from(pixel[3]);
            }
            let [r, g, b] = light.map(|l| encoded[(l.sqrt() * 4095.0 + 0.5) as usize]);
            pixels.push([r, g, b, ((alpha + count / 2) / count) as u8]);
        }
    }
    Texture { width: smaller(width), height: smaller(height), pixels }
}
