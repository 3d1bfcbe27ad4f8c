//! The view as pictures: one, or a clip frame by frame. Each frame is moved, drawn and fetched as the window's own are,
//! so what is written is what was seen; the window goes on between them. When each is drawn is for
//! `picture` to say.

use super::{
    deliver::{self, RATE},
    frames::{self, Pending},
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
use supple::deform::Clock;
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
    part: Part,
    next: usize,
    /// Frames of the clip before the film's first, for methods that remember.
    before: usize,
    /// How many of them are behind.
    passed: usize,
    fetching: Option<Fetch<Picture>>,
    gif: Option<(GifEncoder<Shared>, Shared)>,
    /// Numbered frames, until all of them are there.
    pending: Option<Pending>,
}

/// What of a clip a film shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// The moment of the first frame.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// Frames a second.
    pub rate: f64,
    /// How many frames.
    pub frames: usize,
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
        let part = match kind {
            ExportKind::Picture => Part { from: now, to: now, rate: rate_of(kind, options.rate)?, frames: 1 },
            _ => part(kind, document.duration(), &options)?,
        };
        // A film may take long: what it may not replace is known before it begins.
        let pending = match kind {
            ExportKind::Frames => {
                frames::refuse(&path, part.frames, document)?;
                Some(Pending::new(&path)?)
            }
            _ => {
                document.refuse_replacing(&path)?;
                None
            }
        };
        let target = Target::new(viewport, size).map_err(|e| e.to_string())?;
        let gif = (kind == ExportKind::Gif).then(|| {
            let bytes = Shared::default();
            let mut encoder = GifEncoder::new_with_speed(bytes.clone(), 10);
            let _ = encoder.set_repeat(Repeat::Infinite);
            (encoder, bytes)
        });
        let bones = BoneList::default();
        // As many as there are from the beginning of the clip on; seconds that were typed are rounded.
        let before = if kind == ExportKind::Picture { 0 } else { (part.from * part.rate + 1e-4) as usize };
        Ok(Self { kind, path, options, target, bones, part, next: 0, before, passed: 0, fetching: None, gif, pending })
    }

    /// Several pictures, of a clip.
    pub fn is_film(&self) -> bool {
        self.kind != ExportKind::Picture
    }

    /// When the frame is that is to be drawn, or run through. Only the first of all follows none.
    pub fn clock(&self) -> Clock {
        let Part { from, rate, .. } = self.part;
        let frame = self.passed + self.next;
        let time = from + (frame as f64 - self.before as f64) / rate;
        Clock { time: time.max(0.0), ..Clock::frame(frame, 0, rate) }
    }

    /// Passes a frame before the film's first, once the skin was moved to it; all of them where nothing is remembered. False where
    /// there is none: then this frame is drawn.
    pub fn pass(&mut self, remembers: bool) -> bool {
        let is_before = self.passed < self.before;
        if !remembers && is_before {
            (self.before, self.passed) = (0, 0);
        } else if is_before {
            self.passed += 1;
        }
        is_before
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
        if self.next < self.part.frames {
            return Ok(None);
        }
        if let Some((encoder, bytes)) = self.gif.take() {
            // The last byte of a GIF is written when its encoder goes.
            drop(encoder);
            deliver::hand_over(&self.path, &bytes.0.lock().unwrap_or_else(|e| e.into_inner()))?;
        }
        if let Some(pending) = self.pending.take() {
            pending.finish()?;
        }
        Ok(Some(self.report()))
    }

    fn report(&self) -> String {
        let Self { path, part: Part { frames, rate, .. }, options, kind, .. } = self;
        let ffmpeg = || ffmpeg(path, Some(*frames), *rate, self.target.size(), options);
        let rate = short(*rate);
        match kind {
            ExportKind::Picture => format!("wrote {}", path.display()),
            ExportKind::Frames => {
                let (first, last) = (frames::path(path, 0), frames::path(path, frames - 1));
                let (first, to) = (first.display(), last.file_name().unwrap_or_default().to_string_lossy());
                let ffmpeg = ffmpeg();
                format!("wrote {first} to {to} ({frames} frames, {rate} a second). A film of them: {ffmpeg}")
            }
            _ => format!("wrote {} ({frames} frames, {rate} a second)", path.display()),
        }
    }

    /// Takes back what was written of a film that is not whole, and says so.
    pub fn discard(self) -> String {
        let frames = self.part.frames;
        match self.pending.as_ref().map_or(0, Pending::count) {
            // They were being given their names, and what came of that is said already.
            _ if self.kind == ExportKind::Frames && self.pending.is_none() => String::new(),
            0 => "; nothing was written".to_owned(),
            1 => format!("; the frame that was written, of {frames}, is removed again"),
            gone => format!("; the {gone} frames that were written, of {frames}, are removed again"),
        }
    }

    fn keep(&mut self, picture: &Picture) -> Result<(), String> {
        if let Some((gif, _)) = &mut self.gif {
            let bytes = picture.pixels.as_flattened().to_vec();
            let image = RgbaImage::from_raw(picture.width, picture.height, bytes).ok_or("a picture without pixels")?;
            let delay = Delay::from_numer_denom_ms((1000.0 / self.part.rate).round() as u32, 1);
            return gif.encode_frame(Frame::from_parts(image, 0, 0, delay)).map_err(|e| e.to_string());
        }
        let png = match self.options.background {
            Backdrop::Transparent => transparent_png(picture)?,
            _ => picture.to_png().map_err(|e| e.to_string())?,
        };
        match &mut self.pending {
            Some(pending) => pending.keep(&png),
            None => deliver::hand_over(&self.path, &png),
        }
    }

    /// How much is done, from 0 to 1.
    pub fn progress(&self) -> f32 {
        self.next as f32 / self.part.frames as f32
    }

    /// For the bar.
    pub fn words(&self) -> String {
        match self.part.frames {
            1 => "drawing".to_owned(),
            _ if self.passed < self.before => format!("frame {} of {} before the film", self.passed + 1, self.before),
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

/// The frames of a film of a clip that is so long.
pub fn part(kind: ExportKind, duration: f64, options: &PictureOptions) -> Result<Part, String> {
    let rate = rate_of(kind, options.rate)?;
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
    Ok(Part { from, to, rate, frames })
}

/// The line that makes a film of numbered frames: in a file that everything plays, or in one that can be transparent.
pub fn ffmpeg(path: &Path, frames: Option<usize>, rate: f64, size: [u32; 2], options: &PictureOptions) -> String {
    let (codec, ending) = match options.background {
        Backdrop::Transparent => ("libvpx-vp9 -pix_fmt yuva420p", "webm"),
        _ => ("libx264 -pix_fmt yuv420p", "mp4"),
    };
    // A whole path begins neither like an option nor like the name of a protocol.
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let name = path.with_file_name(frames::stem(&path)).display().to_string();
    // A percent sign is the beginning of a number to it, wherever it stands.
    let from = quoted(&format!("{}-%04d.png", name.replace('%', "%%")));
    let to = quoted(&format!("{name}.{ending}"));
    // An older film of the same name may be longer.
    let count = frames.map_or_else(String::new, |n| format!(" -frames:v {n}"));
    let even = if size.iter().any(|s| s % 2 == 1) { " -vf \"crop=trunc(iw/2)*2:trunc(ih/2)*2\"" } else { "" };
    format!("ffmpeg -framerate {} -i {from}{count}{even} -c:v {codec} {to}", short(rate))
}

/// One word of a command line, whatever is in it.
fn quoted(word: &str) -> String {
    if cfg!(windows) { format!("\"{word}\"") } else { format!("'{}'", word.replace('\'', r"'\''")) }
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
