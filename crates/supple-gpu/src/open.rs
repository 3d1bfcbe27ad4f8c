//! Decides whether a device is worth opening, and worth computing on. No other place does.

use crate::{Gpu, GpuError};

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

impl Choice {
    /// The device for so many vertices over all frames; none where the processor does as well. An error where a device was asked for
    /// and there is none.
    pub async fn open(self, vertices: usize) -> Result<Option<Gpu>, GpuError> {
        if self == Self::Processor || (self == Self::Auto && vertices < WORTH_IT) {
            return Ok(None);
        }
        match Gpu::open().await {
            Ok(gpu) => Ok(Some(gpu)),
            Err(error) if self == Self::Device => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// Whether skin is moved on a device that is open: a software driver runs on the processor, more slowly than the processor's code.
    pub fn computes_on(self, gpu: &Gpu) -> bool {
        match self {
            Self::Auto => !gpu.is_software(),
            Self::Processor => false,
            Self::Device => true,
        }
    }
}
