use crate::compiled::Compiled;
use std::sync::{Arc, Mutex};
use thiserror::Error;

/// An open device.
#[derive(Clone, Debug)]
pub struct Gpu {
    /// Makes buffers and pipelines.
    pub device: wgpu::Device,
    /// Takes work.
    pub queue: wgpu::Queue,
    info: wgpu::AdapterInfo,
    trouble: Arc<Mutex<Option<String>>>,
    pub(crate) compiled: Compiled,
}

/// Why the device cannot do something. Never a reason to stop: the CPU gives the same result.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum GpuError {
    /// No driver, or none that suits.
    #[error("no graphics device: {0}")]
    NoDevice(String),
    /// The adapter cannot do what the kernels need.
    #[error("{adapter}: {what}")]
    Limits {
        /// Its name.
        adapter: String,
        /// What it lacks.
        what: String,
    },
    /// Too little memory on the device, or a buffer larger than it allows.
    #[error("{what} needs {bytes} bytes, the device allows {most}")]
    TooLarge {
        /// Which buffer.
        what: String,
        /// Its size.
        bytes: u64,
        /// The largest allowed.
        most: u64,
    },
    /// The device went away or reported an error.
    #[error("the device was lost: {0}")]
    Lost(String),
    /// The driver does not take a kernel, or has no memory left for what it needs.
    #[error("the device refuses it: {0}")]
    Refused(String),
    /// The method has no kernel.
    #[error("{method} has no kernel: {reason}")]
    NoKernel {
        /// The method.
        method: String,
        /// Why.
        reason: String,
    },
    /// The graph does not fit the rig; the CPU would say the same.
    #[error("{0}")]
    Bind(String),
}

impl GpuError {
    /// Why a node runs on the processor: it names itself.
    pub(crate) fn reason(&self) -> String {
        if let Self::NoKernel { reason, .. } = self { reason.clone() } else { self.to_string() }
    }
}

impl Gpu {
    /// Opens the best device there is. Software drivers count: they are slow, and right.
    pub async fn open() -> Result<Self, GpuError> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            ..Default::default()
        };
        let adapter = instance.request_adapter(&options).await;
        let adapter = adapter.map_err(|e| GpuError::NoDevice(one_line(&e.to_string())))?;
        Self::from_adapter(&adapter).await
    }

    /// Opens the device of an adapter.
    pub async fn from_adapter(adapter: &wgpu::Adapter) -> Result<Self, GpuError> {
        Self::with_limits(adapter, adapter.limits()).await
    }

    /// The same with less than the adapter has: for tests that must see a small device refused.
    #[doc(hidden)]
    pub async fn with_limits(adapter: &wgpu::Adapter, limits: wgpu::Limits) -> Result<Self, GpuError> {
        let info = adapter.get_info();
        can_compute(&info.name, &adapter.get_downlevel_capabilities())?;
        check(&info.name, &limits)?;
        let descriptor = wgpu::DeviceDescriptor { required_limits: limits, ..Self::descriptor(adapter) };
        let opened = adapter.request_device(&descriptor).await;
        let (device, queue) = opened.map_err(|e| GpuError::NoDevice(one_line(&e.to_string())))?;
        Self::share(device, queue, info)
    }

    /// What to ask of an adapter, for those who open the device themselves and then [share](Self::share) it.
    pub fn descriptor(adapter: &wgpu::Adapter) -> wgpu::DeviceDescriptor<'static> {
        wgpu::DeviceDescriptor {
            label: Some("supple"),
            required_features: adapter.features() & wgpu::Features::TIMESTAMP_QUERY,
            // All the adapter has: dense meshes need larger buffers than the defaults allow.
            required_limits: adapter.limits(),
            ..Default::default()
        }
    }

    /// Around a device that somebody else opened, such as a window. Faults that nobody catches are noted here from now
    /// on, whoever causes them; [`Gpu::trouble`] tells them.
    pub fn share(device: wgpu::Device, queue: wgpu::Queue, info: wgpu::AdapterInfo) -> Result<Self, GpuError> {
        check(&info.name, &device.limits())?;
        let trouble = Arc::new(Mutex::new(None));
        let note = {
            let trouble = trouble.clone();
            move |what: String| {
                trouble.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert(one_line(&what));
            }
        };
        let lost = note.clone();
        device.set_device_lost_callback(move |reason, message| lost(format!("{reason:?} {message}")));
        // Without a handler wgpu panics, which no error of a driver is worth.
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| note(error.to_string())));
        Ok(Self { device, queue, info, trouble, compiled: Compiled::default() })
    }

    /// Name and driver, for people.
    pub fn name(&self) -> String {
        let kind = match self.info.device_type {
            wgpu::DeviceType::Cpu => ", a software driver",
            wgpu::DeviceType::IntegratedGpu => ", integrated",
            _ => "",
        };
        // Browsers keep the names of devices to themselves.
        if self.info.name.is_empty() {
            return format!("{:?}{kind}", self.info.backend).replace("BrowserWebGpu", "WebGPU");
        }
        format!("{} ({:?}{kind})", self.info.name, self.info.backend)
    }

    /// True where the device is a processor in disguise.
    pub fn is_software(&self) -> bool {
        self.info.device_type == wgpu::DeviceType::Cpu
    }

    /// Whether passes can be timed on the device.
    pub fn has_timestamps(&self) -> bool {
        self.device.features().contains(wgpu::Features::TIMESTAMP_QUERY)
    }

    /// Waits for the work sent so far.
    pub fn wait(&self) -> Result<(), GpuError> {
        let waited = self.device.poll(wgpu::PollType::wait_indefinitely());
        waited.map_err(|e| GpuError::Lost(e.to_string()))?;
        self.trouble()
    }

    /// The first thing that went wrong, if anything did.
    pub fn trouble(&self) -> Result<(), GpuError> {
        match self.trouble.lock().unwrap_or_else(|e| e.into_inner()).as_ref() {
            Some(what) => Err(GpuError::Lost(what.clone())),
            None => Ok(()),
        }
    }
}

fn can_compute(name: &str, down: &wgpu::DownlevelCapabilities) -> Result<(), GpuError> {
    if down.flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS) {
        return Ok(());
    }
    Err(GpuError::Limits { adapter: name.into(), what: "it cannot run compute kernels".into() })
}

/// A device without compute has workgroups of no threads, so that a shared one is judged by its limits alone.
fn check(name: &str, limits: &wgpu::Limits) -> Result<(), GpuError> {
    let lacks = |what: String| Err(GpuError::Limits { adapter: name.into(), what });
    if limits.max_storage_buffers_per_shader_stage < 8 {
        return lacks(format!(
            "it binds {} storage buffers, 8 are needed",
            limits.max_storage_buffers_per_shader_stage
        ));
    }
    if limits.max_compute_invocations_per_workgroup < 64 {
        return lacks(format!(
            "its workgroups hold {} threads, 64 are needed",
            limits.max_compute_invocations_per_workgroup
        ));
    }
    Ok(())
}

pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_adapter_without_the_needed_limits_is_named() {
        assert!(can_compute("card", &wgpu::DownlevelCapabilities::default()).is_ok());
        let few = wgpu::Limits { max_storage_buffers_per_shader_stage: 4, ..Default::default() };
        let error = check("old card", &few).unwrap_err().to_string();
        assert_eq!(error, "old card: it binds 4 storage buffers, 8 are needed");
        assert!(check("card", &wgpu::Limits::default()).is_ok());
    }
}
