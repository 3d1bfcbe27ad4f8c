//! Decides whether a device is worth opening, and worth computing on. The command, Python and the studio all ask here.

use crate::{Gpu, engine::fallen_back};

/// Opening a device takes a tenth of a second and more: below so many vertices, over all frames, the processor is done before that.
const WORTH_IT: usize = 50_000_000;

/// The choice of a user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The device where it is worth it.
    #[default]
    Auto,
    /// The processor.
    Processor,
    /// The device, whatever it is.
    Device,
}

/// What a choice came to.
pub struct Opened {
    choice: Choice,
    /// The device, or why none is open.
    gpu: Result<Gpu, String>,
}

impl Choice {
    /// Opens the device for so many vertices over all frames, unless the processor does as well.
    pub async fn open(self, vertices: usize) -> Opened {
        let gpu = match self {
            Self::Processor => Err("the processor was asked for".to_owned()),
            Self::Auto if vertices < WORTH_IT => Err("so few points are moved before a device is open".to_owned()),
            _ => Gpu::open().await.map_err(|error| error.to_string()),
        };
        // Let go where it is of no use: a driver alone takes some hundred megabytes.
        let gpu = gpu.and_then(|gpu| match self.computing(&gpu).map(drop) {
            Ok(()) => Ok(gpu),
            Err(why) => Err(why.to_owned()),
        });
        Opened { choice: self, gpu }
    }

    /// A device that is open, where it is used, or why it is not: a software driver runs on the processor, more slowly than the
    /// processor's code, and draws more slowly too (22 s for a page of pictures, the processor 5).
    pub fn computing(self, gpu: &Gpu) -> Result<&Gpu, &'static str> {
        match self {
            Self::Auto if gpu.is_software() => Err("the device is a software driver, which the processor outruns"),
            Self::Processor => Err("the processor was asked for"),
            _ => Ok(gpu),
        }
    }
}

impl Opened {
    /// The device that is open.
    pub fn gpu(&self) -> Option<&Gpu> {
        self.gpu.as_ref().ok()
    }

    /// The device that skin is moved on, or why the processor moves it.
    pub fn computing(&self) -> Result<&Gpu, &str> {
        self.gpu.as_ref().map_err(String::as_str).and_then(|gpu| self.choice.computing(gpu))
    }

    /// A line to show a person who asked for a device where there is none.
    pub fn notice(&self) -> Option<String> {
        self.gpu.as_ref().err().filter(|_| self.choice == Choice::Device).map(fallen_back)
    }
}
