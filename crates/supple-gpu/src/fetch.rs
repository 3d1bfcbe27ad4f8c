use crate::{Gpu, GpuError};
use std::sync::{Arc, Mutex};
use wgpu::BufferUsages;

/// Something on its way back from the device. Nobody waits for it: a window asks once a frame whether it is there, and
/// in a browser there is no other way.
pub struct Fetch<T> {
    gpu: Gpu,
    staging: wgpu::Buffer,
    bytes: u64,
    state: Arc<Mutex<State>>,
    decode: Decode<T>,
}

type Decode<T> = Box<dyn Fn(&[u8]) -> T + Send>;

enum State {
    Asked,
    There,
    Failed(String),
    Taken,
}

impl<T> Fetch<T> {
    /// Copies the first bytes of a buffer as it is after the work sent so far; `decode` makes something of them.
    pub fn new(
        gpu: &Gpu,
        from: &wgpu::Buffer,
        bytes: u64,
        decode: impl Fn(&[u8]) -> T + Send + 'static,
    ) -> Result<Self, GpuError> {
        let copy = |encoder: &mut wgpu::CommandEncoder, staging: &wgpu::Buffer| {
            encoder.copy_buffer_to_buffer(from, 0, staging, 0, bytes);
        };
        Self::with_copy(gpu, bytes, copy, decode)
    }

    /// The same where something else than a buffer is copied, such as a texture.
    pub fn with_copy(
        gpu: &Gpu,
        bytes: u64,
        copy: impl FnOnce(&mut wgpu::CommandEncoder, &wgpu::Buffer),
        decode: impl Fn(&[u8]) -> T + Send + 'static,
    ) -> Result<Self, GpuError> {
        gpu.trouble()?;
        let staging = gpu.room("on its way back", bytes, BufferUsages::MAP_READ | BufferUsages::COPY_DST)?;
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        copy(&mut encoder, &staging);
        gpu.queue.submit([encoder.finish()]);
        let state = Arc::new(Mutex::new(State::Asked));
        let told = state.clone();
        staging.map_async(wgpu::MapMode::Read, 0..bytes, move |result| {
            *told.lock().unwrap_or_else(|e| e.into_inner()) = match result {
                Ok(()) => State::There,
                Err(error) => State::Failed(error.to_string()),
            };
        });
        Ok(Self { gpu: gpu.clone(), staging, bytes, state, decode: Box::new(decode) })
    }

    /// What was asked for, once it has come; none before, and none after it was taken. Returns at once.
    pub fn try_take(&mut self) -> Result<Option<T>, GpuError> {
        // Outside a browser nobody else tells the device to report.
        self.gpu.device.poll(wgpu::PollType::Poll).map_err(|e| GpuError::Lost(e.to_string()))?;
        self.gpu.trouble()?;
        let mut state = self.state.lock().unwrap_or_else(|e| e.into_inner());
        match &*state {
            State::Asked | State::Taken => Ok(None),
            State::Failed(why) => Err(GpuError::Lost(why.clone())),
            State::There => {
                *state = State::Taken;
                let view = self.staging.get_mapped_range(0..self.bytes).map_err(|e| GpuError::Lost(e.to_string()))?;
                let made = (self.decode)(&view);
                drop(view);
                self.staging.unmap();
                Ok(Some(made))
            }
        }
    }

    /// Makes something else of it when it comes.
    pub fn map<U>(self, then: impl Fn(T) -> U + Send + 'static) -> Fetch<U>
    where
        T: 'static,
    {
        let Self { gpu, staging, bytes, state, decode } = self;
        Fetch { gpu, staging, bytes, state, decode: Box::new(move |view| then(decode(view))) }
    }

    /// Waits until it has come. Not in a browser, where waiting keeps it from coming.
    #[cfg(not(target_family = "wasm"))]
    pub fn wait(mut self) -> Result<T, GpuError> {
        self.gpu.wait()?;
        self.try_take()?.ok_or_else(|| GpuError::Lost("it was taken already".into()))
    }
}
