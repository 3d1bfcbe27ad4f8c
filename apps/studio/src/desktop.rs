//! A window of the desktop.

use crate::{
    app::App,
    drive::Drive,
    resume::{Resumed, Watch},
    studio::{
        memory::{Memory, Store, settings_folder},
        recovery::Recovery,
    },
};
use eframe::{egui, egui_wgpu};
use std::{path::PathBuf, sync::Arc};
use supple::read::{Inputs, Kind, Limits};
use supple_gpu::Gpu;

/// How the studio is started.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What to open first.
    pub file: Option<PathBuf>,
    /// A script to follow.
    pub script: Option<PathBuf>,
    /// Width and height of the window, in place of the last.
    pub size: Option<[f32; 2]>,
    /// Skin is moved by the device even where that is a software driver.
    pub insist: bool,
}

/// Opens the window and stays until it is closed. Where the graphics device is lost, the program is started again.
pub fn run(options: Options) -> Result<(), String> {
    let resumed = Resumed::from_environment();
    let mut drive = match &options.script {
        None => None,
        Some(path) => {
            let name = path.display();
            let inputs = Inputs::new(Limits::from_environment().map_err(|e| e.to_string())?);
            let text = inputs.text(path, Kind::Script).map_err(|e| format!("{name}: {e}"))?;
            Some(Drive::parse(&text).map_err(|e| format!("{name}: {e}"))?)
        }
    };
    if let (Some(drive), Some(resumed)) = (&mut drive, &resumed) {
        drive.skip(resumed.steps);
    }
    let begun = drive.as_ref().map(|d| d.begun.clone()).unwrap_or_default();
    let folder = settings_folder();
    let memory = folder.as_ref().map_or_else(Memory::default, |f| Memory::load(Store::File(f.join("studio.json"))));
    let recovery =
        folder.as_ref().map_or_else(Recovery::default, |f| Recovery::new(Store::File(f.join("unsaved.json"))));
    let mut viewport = egui::ViewportBuilder::default()
        .with_title("Supple")
        .with_app_id("supple")
        .with_inner_size(options.size.unwrap_or(memory.window))
        .with_min_inner_size([480.0, 320.0])
        .with_drag_and_drop(true);
    if let (Some([x, y]), None) = (memory.place, options.size) {
        viewport = viewport.with_position([x, y]);
    }
    let mut setup = egui_wgpu::WgpuSetupCreateNew::without_display_handle();
    setup.power_preference = eframe::wgpu::PowerPreference::HighPerformance;
    setup.device_descriptor = Arc::new(Gpu::descriptor);
    let native = eframe::NativeOptions {
        viewport,
        renderer: eframe::Renderer::Wgpu,
        // The views are bytes already when egui gets them, and the rest is flat: it would cost a lot and show nothing.
        dithering: false,
        wgpu_options: egui_wgpu::WgpuConfiguration { wgpu_setup: setup.into(), ..Default::default() },
        ..Default::default()
    };
    let file = options.file.clone().filter(|_| resumed.is_none());
    let why = resumed.as_ref().map(|r| r.why.clone());
    let watch = Watch::new(resumed, begun);
    let watched = watch.clone();
    let create: eframe::AppCreator<'_> = Box::new(move |cc| {
        let render = cc.wgpu_render_state.as_ref().ok_or("no graphics device")?;
        let mut app = App::new(&cc.egui_ctx, render, memory, recovery, file, drive)?;
        app.studio.device.insist = options.insist;
        app.fits_screen = options.size.is_none();
        if let Some(why) = why {
            app.studio.resume(&why);
        }
        watched.over(app.studio.device.gpu.clone(), app.studio.kept.recovery.latest());
        Ok(Box::new(app))
    });
    watch.catch_panics();
    let ended = eframe::run_native("supple", native, create);
    if let Some(went_on) = watch.go_on_if_lost() {
        return went_on;
    }
    ended.map_err(|error| {
        let hint = "the studio needs a display and a graphics driver; \
            without one, install mesa-vulkan-drivers (software) or use the other commands";
        format!("the window cannot be opened: {error}; {hint}")
    })
}
