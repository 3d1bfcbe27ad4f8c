//! The view as pictures: one, or a clip frame by frame. Each frame is moved, drawn and fetched as the window's own are,
//! so what is written is what was seen; the window goes on between them. When each is drawn is for
//! `picture` to say.

use super::{
    deliver::{self, RATE},
    scene::BoneList,
};
use crate::{
    model::{Backdrop, Document, ExportKind, PictureOptions},
    viewport::{Target, Viewport},
};
use image::{
    Delay, Frame, RgbaImage,
    codecs::gif::{GifEncoder, Repeat},
};
use std::{
    path::{Path, PathBuf},
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
    pub(super) bones: BoneList,
    frames: usize,
    rate: f64,
    first: f64,
    next: usize,
    fetching: Option<Fetch<Picture>>,
    gif: Option<(GifEncoder<Shared>, Shared)>,
    /// Files that are there now, to be taken back where the rest does not come.
    written: Vec<PathBuf>,
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

/// Frames a second of a GIF where nothing else is said.
const GIF_RATE: f64 = 25.0;
/// More than anybody draws: ten minutes at 60 a second.
const MOST_FRAMES: usize = 36_000;

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
        let size = options.size.of(kind).pixels(pane);
        // A colour of a GIF is there or not, which frays every edge; and marks are those of the moment that is shown.
        if is_gif && options.background == Backdrop::Transparent {
            options.background = Backdrop::Plain;
        }
        options.marks &= kind == ExportKind::Picture;
        let rate = rate_of(kind, options.rate)?;
        let (frames, first) = match kind {
            ExportKind::Picture => (1, now),
            _ => range(document.duration(), rate, &options)?,
        };
        let target = Target::new(viewport, size).map_err(|e| e.to_string())?;
        let gif = (kind == ExportKind::Gif).then(|| {
            let bytes = Shared::default();
            let mut encoder = GifEncoder::new_with_speed(bytes.clone(), 10);
            let _ = encoder.set_repeat(Repeat::Infinite);
            (encoder, bytes)
        });
        let (bones, written) = (BoneList::default(), Vec::new());
        Ok(Self { kind, path, options, target, bones, frames, rate, first, next: 0, fetching: None, gif, written })
    }

    /// Several pictures, of a clip.
    pub fn is_film(&self) -> bool {
        self.kind != ExportKind::Picture
    }

    /// The moment of the frame that is to be drawn.
    pub fn time(&self) -> f64 {
        self.first + self.next as f64 / self.rate
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
        Ok(Some(self.report()))
    }

    fn report(&self) -> String {
        let Self { path, frames, rate, options, kind, .. } = self;
        let rate = short(*rate);
        match kind {
            ExportKind::Picture => format!("wrote {}", path.display()),
            ExportKind::Frames => {
                let (first, last) = (frame_path(path, 0), frame_path(path, frames - 1));
                let to = last.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let ffmpeg = ffmpeg(path, Some(*frames), self.rate, self.target.size(), options);
                format!(
                    "wrote {} to {to} ({frames} frames, {rate} a second). A film of them: {ffmpeg}",
                    first.display()
                )
            }
            _ => format!("wrote {} ({frames} frames, {rate} a second)", path.display()),
        }
    }

    /// Takes back what was written of a film that is not whole, and says so.
    pub fn discard(self) -> String {
        let gone = self.written.iter().filter(|path| std::fs::remove_file(path).is_ok()).count();
        match gone {
            0 => "; nothing was written".to_owned(),
            1 => format!("; the frame that was written, of {}, is removed again", self.frames),
            _ => format!("; the {gone} frames that were written, of {}, are removed again", self.frames),
        }
    }

    fn keep(&mut self, picture: &Picture) -> Result<(), String> {
        if let Some((gif, _)) = &mut self.gif {
            let bytes = picture.pixels.as_flattened().to_vec();
            let image = RgbaImage::from_raw(picture.width, picture.height, bytes).ok_or("a picture without pixels")?;
            let delay = Delay::from_numer_denom_ms((1000.0 / self.rate).round() as u32, 1);
            return gif.encode_frame(Frame::from_parts(image, 0, 0, delay)).map_err(|e| e.to_string());
        }
        let png = match self.options.background {
            Backdrop::Transparent => transparent_png(picture)?,
            _ => picture.to_png().map_err(|e| e.to_string())?,
        };
        if self.kind != ExportKind::Frames {
            return deliver::hand_over(&self.path, &png);
        }
        let path = frame_path(&self.path, self.next);
        deliver::hand_over(&path, &png)?;
        self.written.push(path);
        Ok(())
    }

    /// How much is done, from 0 to 1.
    pub fn progress(&self) -> f32 {
        self.next as f32 / self.frames as f32
    }

    /// For the bar.
    pub fn words(&self) -> String {
        match self.frames {
            1 => "drawing".to_owned(),
            frames => format!("frame {} of {frames}", self.next + 1),
        }
    }
}

/// Frames a second. Those of a GIF are told apart by hundredths of a second, of which players take two at the least.
pub fn rate_of(kind: ExportKind, asked: Option<f64>) -> Result<f64, String> {
    let rate = asked.unwrap_or(if kind == ExportKind::Gif { GIF_RATE } else { RATE });
    if !(1.0..=240.0).contains(&rate) {
        return Err(format!("{rate} frames a second: it must be a number from 1 to 240"));
    }
    let hundredths = (100.0 / rate).round().max(2.0);
    Ok(if kind == ExportKind::Gif { 100.0 / hundredths } else { rate })
}

/// How many frames a film has, and when the first is.
fn range(duration: f64, rate: f64, options: &PictureOptions) -> Result<(usize, f64), String> {
    if duration <= 0.0 {
        return Err("choose a clip first: there is nothing that moves".to_owned());
    }
    let (from, to) = (options.from.unwrap_or(0.0), options.to.unwrap_or(duration));
    if !(0.0 <= from && from < to && to <= duration + 1e-6) {
        let (from, to, duration) = (short(from), short(to), short(duration));
        return Err(format!("from {from} to {to} seconds is no part of a clip that is {duration} long"));
    }
    // Seconds that were typed are rounded: a frame must not be lost by it.
    let frames = (((to - from) * rate + 1e-4) as usize).max(1);
    if frames > MOST_FRAMES {
        return Err(format!("the clip has {frames} frames: more than anybody draws, check the file"));
    }
    Ok((frames, from))
}

/// The file of one frame.
pub fn frame_path(path: &Path, frame: usize) -> PathBuf {
    path.with_file_name(format!("{}-{frame:04}.png", stem(path)))
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(|| "frame".into(), |s| s.to_string_lossy().into_owned())
}

/// The line that makes a film of numbered frames: in a file that everything plays, or in one that can be transparent.
pub fn ffmpeg(path: &Path, frames: Option<usize>, rate: f64, size: [u32; 2], options: &PictureOptions) -> String {
    let (codec, ending) = match options.background {
        Backdrop::Transparent => ("libvpx-vp9 -pix_fmt yuva420p", "webm"),
        _ => ("libx264 -pix_fmt yuv420p", "mp4"),
    };
    let quoted = |name: String| format!("\"{}\"", path.with_file_name(name).display());
    // A percent sign is the beginning of a number to it.
    let from = quoted(format!("{}-%04d.png", stem(path).replace('%', "%%")));
    let to = quoted(format!("{}.{ending}", stem(path)));
    // An older film of the same name may be longer.
    let count = frames.map_or_else(String::new, |n| format!(" -frames:v {n}"));
    let even = if size.iter().any(|s| s % 2 == 1) { " -vf \"crop=trunc(iw/2)*2:trunc(ih/2)*2\"" } else { "" };
    format!("ffmpeg -framerate {} -i {from}{count}{even} -c:v {codec} {to}", short(rate))
}

/// A number with no more digits than it needs.
fn short(number: f64) -> String {
    format!("{}", (number * 1000.0).round() / 1000.0)
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
