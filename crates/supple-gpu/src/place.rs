//! Where each node of a graph runs.

use crate::{GpuError, Twin, twins};
use supple::graph::{Binding, Kernel, Source};

/// Where a node runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// On the device.
    Device,
    /// On the processor, for this reason.
    Processor(String),
}

impl Place {
    /// On the device.
    pub fn is_device(&self) -> bool {
        *self == Self::Device
    }
}

/// The kernel of a method, or why it has none.
pub(crate) fn twin(method: &'static str) -> Result<&'static Twin, GpuError> {
    twins().iter().find(|t| t.method == method).ok_or_else(|| {
        let reason = supple::graph::method(method).map_or("it is not registered", |m| match m.kernel {
            Kernel::None(reason) => reason,
            Kernel::Twin(_) => "this build does not hold it",
        });
        GpuError::NoKernel { method: method.into(), reason: reason.into() }
    })
}

/// In a browser nothing comes back from the device while one waits: there whatever a node on the processor takes must come from the
/// processor too. Elsewhere what it takes is brought back.
pub(crate) fn settle(binding: &Binding, places: &mut [Place], can_wait: bool) {
    if can_wait {
        return;
    }
    for (i, node) in binding.nodes().iter().enumerate().rev() {
        if places[i].is_device() {
            continue;
        }
        for source in &node.inputs {
            if let Source::Node(n) = source
                && places[*n].is_device()
            {
                places[*n] = Place::Processor(format!("\"{}\", which takes what it gives, runs there", node.name));
            }
        }
    }
}
