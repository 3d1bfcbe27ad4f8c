//! Where pictures are drawn. Every command that draws comes through here.

use crate::console::Console;
use supple_gpu::Gpu;
use supple_render::{Buffers, Error, Scene, View, gpu::Renderer};

/// What a sample of a picture costs the processor, in moved vertices. Measured on two cores: 60 nanoseconds for a sample
/// of a fist at 1200 by 900 pixels. A vertex is taken for 3.
const SAMPLE: usize = 20;

/// The work of a picture, in moved vertices.
pub fn work(size: [u32; 2], samples: u32) -> usize {
    let all = size.iter().fold(samples.saturating_pow(2) as usize, |n, &side| n.saturating_mul(side as usize));
    all.saturating_mul(SAMPLE)
}

/// Draws on the device while it can, and on the processor from then on.
pub struct Drawer {
    renderer: Option<Renderer>,
}

impl Drawer {
    /// Draws on `gpu` where one is given and has what it takes.
    pub fn new(gpu: Option<&Gpu>, console: &Console) -> Self {
        let failed = |e| console.say(&format!("supple: {e}; drawn by the processor"));
        Self { renderer: gpu.and_then(|gpu| Renderer::new(gpu).map_err(failed).ok()) }
    }

    /// Draws a scene.
    pub fn draw(&mut self, scene: &Scene, view: &View, console: &Console) -> Result<Buffers, Error> {
        let (buffers, notice) = supple_render::draw(scene, view, self.renderer.as_ref())?;
        if let Some(notice) = notice {
            console.say(&format!("supple: {notice}"));
            self.renderer = None;
        }
        Ok(buffers)
    }

    /// What draws, in words for people.
    pub fn name(&self) -> String {
        self.renderer.as_ref().map_or_else(|| "the processor".to_owned(), |r| r.gpu().name())
    }
}

/// How many threads the processor works with.
pub fn threads() -> String {
    match rayon::current_num_threads() {
        1 => "1 thread".to_owned(),
        n => format!("{n} threads"),
    }
}
