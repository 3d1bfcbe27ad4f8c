use super::{
    Viewport,
    params::{FrameParams, LOOK_STRIDE, LookParams},
    pipelines::{BYTES, COLOR, DEPTH, OPEN, SAMPLES},
    stamp::Inputs,
};
use std::slice;
use supple_gpu::{Clock, Fetch, Gpu, GpuError, wgpu};
use supple_render::Picture;
use wgpu::{BufferUsages, TextureFormat, TextureUsages, TextureView};

/// What a pane is drawn into, and the memory its frames need.
pub struct Target {
    gpu: Gpu,
    size: [u32; 2],
    color: wgpu::Texture,
    bytes: TextureView,
    pub(super) resolved: TextureView,
    pub(super) samples: TextureView,
    pub(super) depth: TextureView,
    pub(super) over_depth: TextureView,
    pub(super) open: TextureView,
    pub(super) depth_group: wgpu::BindGroup,
    pub(super) behind_group: wgpu::BindGroup,
    pub(super) frame: wgpu::Buffer,
    pub(super) looks: wgpu::Buffer,
    pub(super) items: wgpu::Buffer,
    pub(super) frame_group: wgpu::BindGroup,
    pub(super) items_group: wgpu::BindGroup,
    pub(super) clock: Option<Clock>,
    /// What the picture in it was made of.
    pub(super) inputs: Option<Inputs>,
}

impl Target {
    /// A picture of this size, in pixels; sides of zero are taken as one.
    pub fn new(viewport: &Viewport, size: [u32; 2]) -> Result<Self, GpuError> {
        let gpu = &viewport.gpu;
        let size = size.map(|s| s.max(1));
        let most = gpu.device.limits().max_texture_dimension_2d;
        if let Some(long) = size.into_iter().find(|&s| s > most) {
            let what = format!("a picture of {} by {} pixels", size[0], size[1]);
            return Err(GpuError::TooLarge { what, bytes: u64::from(long) * 4, most: u64::from(most) * 4 });
        }
        let texture = |label: &str, format: TextureFormat, sample_count: u32, usage: TextureUsages| {
            gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: TextureUsages::RENDER_ATTACHMENT | usage,
                view_formats: if format == COLOR && sample_count == 1 { &[BYTES] } else { &[] },
            })
        };
        let view = |t: &wgpu::Texture| t.create_view(&Default::default());
        let read = TextureUsages::TEXTURE_BINDING;
        let color = texture("picture", COLOR, 1, read | TextureUsages::COPY_SRC);
        let depth = view(&texture("depth", DEPTH, SAMPLES, read));
        let open = view(&texture("open sky", OPEN, 1, read));
        let seen = wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&depth) };
        let sky = wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::TextureView(&open) };
        let depth_group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("depth"),
            layout: &viewport.layouts.depth,
            entries: slice::from_ref(&seen),
        });
        let behind_group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("behind"),
            layout: &viewport.layouts.behind,
            entries: &[seen, sky],
        });
        let uniform = BufferUsages::UNIFORM | BufferUsages::COPY_DST;
        let frame = gpu.room("frame", size_of::<FrameParams>() as u64, uniform)?;
        let looks = gpu.room("looks", 4 * LOOK_STRIDE, uniform)?;
        let items = gpu.room("overlay", 64 * 48, BufferUsages::STORAGE | BufferUsages::COPY_DST)?;
        Ok(Self {
            bytes: color.create_view(&wgpu::TextureViewDescriptor { format: Some(BYTES), ..Default::default() }),
            resolved: view(&color),
            samples: view(&texture("samples", COLOR, SAMPLES, TextureUsages::empty())),
            over_depth: view(&texture("depth of the overlay", DEPTH, SAMPLES, TextureUsages::empty())),
            frame_group: frame_group(viewport, &frame, &looks),
            items_group: items_group(viewport, &items),
            gpu: gpu.clone(),
            size,
            color,
            depth,
            open,
            depth_group,
            behind_group,
            frame,
            looks,
            items,
            clock: None,
            inputs: None,
        })
    }

    /// Another size; nothing where it is the same. The [view](Self::view) is another one afterwards, which is what true
    /// says.
    pub fn resize(&mut self, viewport: &Viewport, size: [u32; 2]) -> Result<bool, GpuError> {
        if size.map(|s| s.max(1)) == self.size {
            return Ok(false);
        }
        let timed = self.clock.is_some();
        *self = Self::new(viewport, size)?;
        self.set_timed(timed)?;
        Ok(true)
    }

    /// Width and height in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// The picture as egui takes textures: bytes of sRGB that are not decoded when sampled, opaque everywhere.
    pub fn view(&self) -> &TextureView {
        &self.bytes
    }

    /// Whether the passes are timed on the device, where it has a clock.
    pub fn set_timed(&mut self, timed: bool) -> Result<(), GpuError> {
        self.clock = if timed { Clock::new(&self.gpu, super::PASSES)? } else { None };
        Ok(())
    }

    /// Milliseconds of the scene, the occlusion and the overlay of the last frame, without waiting for them; none where
    /// nobody asked for times or the device has no clock.
    pub fn request_times(&self) -> Result<Option<Fetch<Vec<f64>>>, GpuError> {
        self.clock.as_ref().map(|clock| clock.request(&self.gpu)).transpose()
    }

    /// Asks for the picture, without waiting for it.
    pub fn request(&self) -> Result<Fetch<Picture>, GpuError> {
        let [width, height] = self.size;
        // Rows of what is copied start at multiples of 256 bytes.
        let stride = (width * 4).next_multiple_of(256);
        let copy = |encoder: &mut wgpu::CommandEncoder, staging: &wgpu::Buffer| {
            let layout =
                wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(stride), rows_per_image: Some(height) };
            let to = wgpu::TexelCopyBufferInfo { buffer: staging, layout };
            encoder.copy_texture_to_buffer(self.color.as_image_copy(), to, self.color.size());
        };
        let decode = move |view: &[u8]| {
            let rows = view.chunks_exact(stride as usize).map(|row| &row[..width as usize * 4]);
            let pixels = rows.flat_map(|row| row.as_chunks::<4>().0.iter().copied()).collect();
            Picture { width, height, pixels }
        };
        Fetch::with_copy(&self.gpu, u64::from(stride) * u64::from(height), copy, decode)
    }

    /// Sends what this frame needs, in larger buffers where the old ones are too small.
    pub(super) fn send(&mut self, viewport: &Viewport, inputs: &Inputs) -> Result<(), GpuError> {
        let Inputs { frame, looks, items, .. } = inputs;
        let room = |label: &str, bytes: u64, usage: BufferUsages| {
            self.gpu.room(label, bytes.next_power_of_two(), usage | BufferUsages::COPY_DST)
        };
        if looks.len() as u64 > self.looks.size() {
            self.looks = room("looks", looks.len() as u64, BufferUsages::UNIFORM)?;
            self.frame_group = frame_group(viewport, &self.frame, &self.looks);
        }
        if size_of_val(&items[..]) as u64 > self.items.size() {
            self.items = room("overlay", size_of_val(&items[..]) as u64, BufferUsages::STORAGE)?;
            self.items_group = items_group(viewport, &self.items);
        }
        self.gpu.queue.write_buffer(&self.frame, 0, bytemuck::bytes_of(frame));
        self.gpu.queue.write_buffer(&self.looks, 0, looks);
        self.gpu.queue.write_buffer(&self.items, 0, bytemuck::cast_slice(items));
        Ok(())
    }
}

fn frame_group(viewport: &Viewport, frame: &wgpu::Buffer, looks: &wgpu::Buffer) -> wgpu::BindGroup {
    let look =
        wgpu::BufferBinding { buffer: looks, offset: 0, size: wgpu::BufferSize::new(size_of::<LookParams>() as u64) };
    viewport.gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("frame"),
        layout: &viewport.layouts.frame,
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: frame.as_entire_binding() },
            wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Buffer(look) },
        ],
    })
}

fn items_group(viewport: &Viewport, items: &wgpu::Buffer) -> wgpu::BindGroup {
    viewport.gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("overlay"),
        layout: &viewport.layouts.items,
        entries: &[wgpu::BindGroupEntry { binding: 0, resource: items.as_entire_binding() }],
    })
}
