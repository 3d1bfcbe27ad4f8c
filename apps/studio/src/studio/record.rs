//! The view as pictures: one, or a clip frame by frame. Each frame is moved, drawn and fetched as the window's own are,
//! so what is written is what was seen; the window goes on between them.

use super::deliver::{self, RATE};
use crate::{
    model::{Backdrop, Document, ExportKind, PictureOptions},
    viewport::{Target, Viewport},
};
use image::{
    Delay, Frame, RgbaImage,
    codecs::gif::{GifEncoder, Repeat},
};
use std::{
    path::PathBuf,
    sync::{Arc, Mutex},
};
use supple_gpu::Fetch;
use supple_render::{Picture, color};

/// See the module.
pub struct Recorder {
    kind: ExportKind,
    path: PathBuf,
    /// How it is drawn.
    pub options: PictureOptions,
    /// Where it is drawn.
    pub target: Target,
    frames: usize,
    rate: f64,
    first: f64,
    next: usize,
    fetching: Option<Fetch<Picture>>,
    gif: Option<(GifEncoder<Shared>, Shared)>,
}

/// Bytes that an encoder writes and somebody else takes.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(|e| e.into_inner()).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Width and height of a frame of a GIF, which has 256 colours and no compression to speak of.
pub const GIF: [u32; 2] = [640, 480];
/// Frames a second of a GIF: players round delays to hundredths, and 25 is exact.
const GIF_RATE: f64 = 25.0;

impl Recorder {
    /// Starts. A single picture is of the moment that is shown, and may be as large as the pane.
    pub fn new(
        viewport: &Viewport,
        kind: ExportKind,
        path: PathBuf,
        mut options: PictureOptions,
        pane: [u32; 2],
        document: &Document,
        now: f64,
    ) -> Result<Self, String> {
        let is_gif = kind == ExportKind::Gif;
        let (rate, size) = if is_gif { (GIF_RATE, GIF) } else { (RATE, options.size.pixels(pane)) };
        // A colour of a GIF is there or not, which frays every edge; and marks are those of the moment that is shown.
        if is_gif && options.background == Backdrop::Transparent {
            options.background = Backdrop::Plain;
        }
        options.marks &= kind == ExportKind::Picture;
        let duration = document.duration();
        let (frames, first) = match kind {
            ExportKind::Picture => (1, now),
            _ if duration <= 0.0 => return Err("choose a clip first: there is nothing that moves".to_owned()),
            _ => (((duration * rate) as usize).max(1), 0.0),
        };
        if frames > 36_000 {
            return Err(format!("the clip has {frames} frames: more than anybody draws, check the file"));
        }
        let target = Target::new(viewport, size).map_err(|e| e.to_string())?;
        let gif = (kind == ExportKind::Gif).then(|| {
            let bytes = Shared::default();
            let mut encoder = GifEncoder::new_with_speed(bytes.clone(), 10);
            let _ = encoder.set_repeat(Repeat::Infinite);
            (encoder, bytes)
        });
        Ok(Self { kind, path, options, target, frames, rate, first, next: 0, fetching: None, gif })
    }

    /// The moment of the frame that is to be drawn.
    pub fn time(&self) -> f64 {
        if self.kind == ExportKind::Picture { self.first } else { self.next as f64 / self.rate }
    }

    /// Whether the next frame may be drawn: the last is fetched.
    pub fn wants_frame(&self) -> bool {
        self.fetching.is_none()
    }

    /// The frame has been drawn into the target.
    pub fn drawn(&mut self) -> Result<(), String> {
        self.fetching = Some(self.target.request().map_err(|e| e.to_string())?);
        Ok(())
    }

    /// Takes what has come back. A line for the person when all is written.
    pub fn receive(&mut self) -> Result<Option<String>, String> {
        let Some(fetch) = &mut self.fetching else { return Ok(None) };
        let Some(picture) = fetch.try_take().map_err(|e| e.to_string())? else { return Ok(None) };
        self.fetching = None;
        self.keep(&picture)?;
        self.next += 1;
        if self.next < self.frames {
            return Ok(None);
        }
        if let Some((encoder, bytes)) = self.gif.take() {
            // The last byte of a GIF is written when its encoder goes.
            drop(encoder);
            deliver::hand_over(&self.path, &bytes.0.lock().unwrap_or_else(|e| e.into_inner()))?;
        }
        let count = if self.frames == 1 { String::new() } else { format!(" ({} frames)", self.frames) };
        Ok(Some(format!("wrote {}{count}", self.path.display())))
    }

    fn keep(&mut self, picture: &Picture) -> Result<(), String> {
        if let Some((gif, _)) = &mut self.gif {
            let bytes = picture.pixels.as_flattened().to_vec();
            let image = RgbaImage::from_raw(picture.width, picture.height, bytes).ok_or("a picture without pixels")?;
            let delay = Delay::from_numer_denom_ms(1000, self.rate as u32);
            return gif.encode_frame(Frame::from_parts(image, 0, 0, delay)).map_err(|e| e.to_string());
        }
        let png = match self.options.background {
            Backdrop::Transparent => transparent_png(picture)?,
            _ => picture.to_png().map_err(|e| e.to_string())?,
        };
        let path = if self.kind == ExportKind::Frames {
            let stem = self.path.file_stem().map_or_else(|| "frame".into(), |s| s.to_string_lossy().into_owned());
            self.path.with_file_name(format!("{stem}-{:04}.png", self.next))
        } else {
            self.path.clone()
        };
        deliver::hand_over(&path, &png)
    }

    /// How much is done, from 0 to 1.
    pub fn progress(&self) -> f32 {
        self.next as f32 / self.frames as f32
    }

    /// For the bar.
    pub fn words(&self) -> String {
        format!("{} of {}", self.next, self.frames)
    }
}

/// What was drawn over nothing is darker the less of it there is: divided by that, it can be laid over anything.
fn transparent_png(picture: &Picture) -> Result<Vec<u8>, String> {
    let straight = |&[r, g, b, a]: &[u8; 4]| {
        let share = f32::from(a.max(1)) / 255.0;
        let [r, g, b] = [r, g, b].map(|byte| color::encode((color::decode(byte) / share).min(1.0)));
        [r, g, b, a]
    };
    let bytes: Vec<u8> = picture.pixels.iter().flat_map(straight).collect();
    let image = RgbaImage::from_raw(picture.width, picture.height, bytes).ok_or("a picture without pixels")?;
    let mut png = std::io::Cursor::new(Vec::new());
    image.write_to(&mut png, image::ImageFormat::Png).map_err(|e| e.to_string())?;
    Ok(png.into_inner())
}
