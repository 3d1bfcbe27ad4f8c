//! The 3D view: skins, a floor, and what the window draws over them, into textures of its own. It knows nothing of egui;
//! a window shows [`Target::view`] as it shows any picture.
//!
//! A [`Skin`] is what of a rig stays the same, a [`Shown`] what moves in one pane. Points are read where an
//! [`Engine`](supple_gpu::Engine) leaves them on the device, or sent there from the processor, and nothing waits: the same code runs in
//! a browser.
//!
//! A frame is three passes: the scene (skins, floor, what lies in it), how much of the sky is hidden round every pixel
//! of it, and what lies over it (bones, rings, marks), which knows how deep in the skin it lies.

mod draft;
mod frame;
mod layouts;
mod look;
mod overlay;
mod params;
mod picker;
mod pipelines;
mod shown;
mod skin;
mod stamp;
mod target;
mod texture;

pub mod orbit;
pub mod pick;

pub use look::{Coat, Look, Style};
pub use overlay::{Layer, Overlay};
pub use picker::{PLACES, Picked, Picker, Place, Spot};
#[doc(hidden)]
pub use pipelines::sources;
pub use shown::Shown;
pub use skin::Skin;
pub use target::Target;
pub use texture::Image;

use layouts::Layouts;
use overlay::Runs;
use params::LOOK_STRIDE;
use pipelines::{Kind, Pipelines};
use stamp::Inputs;
use std::slice;
use supple_gpu::{Gpu, GpuError, wgpu};
use supple_render::{Camera, Texture};
use wgpu::{LoadOp, Operations, RenderPass, StoreOp};

/// The passes of a frame.
const PASSES: usize = 3;

/// Everything that draws; one is enough for all panes.
pub struct Viewport {
    gpu: Gpu,
    layouts: Layouts,
    pipelines: Pipelines,
    repeated: wgpu::Sampler,
    clamped: wgpu::Sampler,
    white: wgpu::Texture,
    blank: wgpu::BindGroup,
}

/// One skin of a frame.
pub type Drawn<'a> = (&'a Skin, &'a Shown, Look);

impl Viewport {
    /// Readies the shaders.
    pub fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        gpu.trouble()?;
        let layouts = Layouts::new(&gpu.device);
        let pipelines = Pipelines::new(gpu, &layouts);
        let sampler = |address: wgpu::AddressMode| {
            gpu.device.create_sampler(&wgpu::SamplerDescriptor {
                address_mode_u: address,
                address_mode_v: address,
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                mipmap_filter: wgpu::MipmapFilterMode::Linear,
                anisotropy_clamp: if address == wgpu::AddressMode::Repeat { 4 } else { 1 },
                ..Default::default()
            })
        };
        let (repeated, clamped) = (sampler(wgpu::AddressMode::Repeat), sampler(wgpu::AddressMode::ClampToEdge));
        let one = Texture { width: 1, height: 1, pixels: vec![[255; 4]] };
        let white = texture::upload(gpu, "white", slice::from_ref(&one))?;
        let blank = texture::group(gpu, &layouts, &white, &repeated, glam::Vec3::ONE, 0.0);
        gpu.trouble()?;
        Ok(Self { gpu: gpu.clone(), layouts, pipelines, repeated, clamped, white, blank })
    }

    /// The device it draws on.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Draws a frame and sends it off; what comes later on the same queue finds it finished. Ghosts are drawn in the
    /// order given, after the skins that are not. A frame that would be the last one again is not drawn, unless it is
    /// timed: what is asked for is in the target already. Says whether it was drawn.
    pub fn draw(
        &self,
        target: &mut Target,
        camera: &Camera,
        style: &Style,
        skins: &[Drawn<'_>],
        overlay: &Overlay,
    ) -> Result<bool, GpuError> {
        self.gpu.trouble()?;
        let stage = frame::Stage::of(skins.iter().map(|s| s.0), style);
        let params = frame::params(camera, style, target.size(), &stage);
        let (items, runs) = Runs::of(overlay);
        // The first is nobody's: what is no skin has no look, and something must be bound.
        let mut looks = vec![0_u8; LOOK_STRIDE as usize];
        for (skin, shown, look) in skins {
            // Triangles of a draft may be turned over where the skin is not.
            let look = Look { mark_inside: look.mark_inside && !style.draft, ..*look };
            looks.extend(shown.look(skin, &look, style.background).placed());
        }
        let is_timed = target.clock.is_some();
        let inputs = Inputs::of(params, looks, items, &runs, skins, *style);
        if !is_timed && target.inputs.as_ref() == Some(&inputs) {
            return Ok(false);
        }
        target.inputs = None;
        target.send(self, &inputs)?;

        // Discs lie over each other like scales: between them there is nothing but noise.
        let is_occluded = style.occlusion > 0.0 && skins.iter().any(|(skin, ..)| !skin.is_point_set());
        let has_over = is_occluded || runs.has_over() || is_timed;
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        self.scene(&mut pass(&mut encoder, target, 0, has_over), target, style, skins, &runs);
        if is_occluded || is_timed {
            self.occlude(&mut encoder, target);
        }
        if has_over {
            let mut pass = pass(&mut encoder, target, 2, false);
            self.over(&mut pass, target, is_occluded, &runs);
        }
        if let Some(clock) = &target.clock {
            clock.resolve(&mut encoder);
        }
        self.gpu.queue.submit([encoder.finish()]);
        self.gpu.trouble()?;
        target.inputs = Some(inputs);
        Ok(true)
    }

    fn scene(&self, pass: &mut RenderPass<'_>, target: &Target, style: &Style, skins: &[Drawn<'_>], runs: &Runs) {
        pass.set_bind_group(0, &target.frame_group, &[0]);
        if style.sky {
            pass.set_pipeline(&self.pipelines.sky);
            pass.draw(0..3, 0..1);
        }
        let is_ghost = |drawn: &Drawn<'_>| drawn.2.opacity < 1.0;
        for (i, drawn) in skins.iter().enumerate().filter(|(_, d)| !is_ghost(d)) {
            self.skin(pass, target, style, i, drawn);
        }
        if style.grid {
            pass.set_bind_group(0, &target.frame_group, &[0]);
            pass.set_pipeline(&self.pipelines.ground);
            pass.draw(0..4, 0..1);
        }
        self.items(pass, target, runs, false);
        for (i, drawn) in skins.iter().enumerate().filter(|(_, d)| is_ghost(d) && d.2.opacity > 0.0) {
            self.skin(pass, target, style, i, drawn);
        }
    }

    fn skin(&self, pass: &mut RenderPass<'_>, target: &Target, style: &Style, which: usize, drawn: &Drawn<'_>) {
        let (skin, shown, look) = drawn;
        let is_draft = style.draft && !skin.draft_runs.is_empty();
        let layered = match is_draft {
            true => &self.pipelines.draft,
            false if skin.is_point_set() => &self.pipelines.discs,
            false => &self.pipelines.skin,
        };
        let steps = if look.opacity < 1.0 { &[&layered.depth, &layered.blended][..] } else { &[&layered.opaque] };
        pass.set_bind_group(0, &target.frame_group, &[(which as u32 + 1) * LOOK_STRIDE as u32]);
        pass.set_bind_group(1, &shown.group, &[]);
        for pipeline in steps {
            pass.set_pipeline(pipeline);
            if skin.is_point_set() {
                pass.set_bind_group(2, &skin.runs[0].1, &[]);
                pass.draw(0..3 * skin.counts[0], 0..1);
            } else if look.coat != Coat::Material && (look.coat != Coat::Colors || shown.is_painted()) {
                let triangles = if is_draft { skin.draft_runs.last().map_or(0, |r| r.end) } else { skin.counts[1] };
                pass.set_bind_group(2, &self.blank, &[]);
                pass.draw(0..3 * triangles, 0..1);
            } else {
                for (i, (run, material)) in skin.runs.iter().enumerate() {
                    let run = if is_draft { &skin.draft_runs[i] } else { run };
                    pass.set_bind_group(2, material, &[]);
                    pass.draw(3 * run.start..3 * run.end, 0..1);
                }
            }
        }
    }

    fn occlude(&self, encoder: &mut wgpu::CommandEncoder, target: &Target) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("occlusion"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &target.open,
                depth_slice: None,
                resolve_target: None,
                ops: Operations { load: LoadOp::Clear(wgpu::Color::WHITE), store: StoreOp::Store },
            })],
            timestamp_writes: target.clock.as_ref().map(|clock| clock.draws(1)),
            ..Default::default()
        });
        pass.set_bind_group(0, &target.frame_group, &[0]);
        pass.set_bind_group(3, &target.depth_group, &[]);
        pass.set_pipeline(&self.pipelines.occlude);
        pass.draw(0..3, 0..1);
    }

    fn over(&self, pass: &mut RenderPass<'_>, target: &Target, is_occluded: bool, runs: &Runs) {
        pass.set_bind_group(0, &target.frame_group, &[0]);
        pass.set_bind_group(3, &target.behind_group, &[]);
        if is_occluded {
            pass.set_pipeline(&self.pipelines.darken);
            pass.draw(0..3, 0..1);
        }
        if !runs.bones.is_empty() {
            pass.set_bind_group(1, &target.items_group, &[]);
            for pipeline in [&self.pipelines.bone_depth, &self.pipelines.bones] {
                pass.set_pipeline(pipeline);
                pass.draw(runs.bones.clone(), 0..1);
            }
        }
        self.items(pass, target, runs, true);
    }

    fn items(&self, pass: &mut RenderPass<'_>, target: &Target, runs: &Runs, is_over: bool) {
        let (which, p) = (usize::from(is_over), &self.pipelines);
        let pipeline = |kind: &'_ Kind| if is_over { kind.over.clone() } else { kind.within.clone() };
        pass.set_bind_group(0, &target.frame_group, &[0]);
        pass.set_bind_group(1, &target.items_group, &[]);
        for (image, first) in &runs.sheets[which] {
            pass.set_pipeline(&pipeline(&p.sheets));
            pass.set_bind_group(2, &image.group, &[]);
            pass.draw(*first..first + 4, 0..1);
        }
        if !runs.faces[which].is_empty() {
            pass.set_pipeline(&pipeline(&p.faces));
            pass.draw(runs.faces[which].clone(), 0..1);
        }
        for (kind, run) in [(&p.strokes, &runs.lines[which]), (&p.spots, &runs.spots[which])] {
            if !run.is_empty() {
                pass.set_pipeline(&pipeline(kind));
                pass.draw(0..4, run.clone());
            }
        }
    }
}

/// The first pass begins with nothing, the last with what the first left; whichever ends the frame averages its samples.
fn pass<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    target: &Target,
    which: usize,
    is_continued: bool,
) -> RenderPass<'a> {
    let (load, depth) = match which {
        0 => (LoadOp::Clear(wgpu::Color::TRANSPARENT), &target.depth),
        _ => (LoadOp::Load, &target.over_depth),
    };
    let store = if is_continued { StoreOp::Store } else { StoreOp::Discard };
    encoder
        .begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some(if which == 0 { "scene" } else { "over" }),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &target.samples,
                depth_slice: None,
                resolve_target: (!is_continued).then_some(&target.resolved),
                ops: Operations { load, store },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: depth,
                depth_ops: Some(Operations { load: LoadOp::Clear(1.0), store }),
                stencil_ops: None,
            }),
            timestamp_writes: target.clock.as_ref().map(|clock| clock.draws(which)),
            ..Default::default()
        })
        .forget_lifetime()
}
