//! A window without a screen, for tests that look at it and for tests that use it.

use eframe::egui_wgpu::WgpuSetup;
use egui_kittest::Harness;
use std::{sync::Arc, time::Duration};
use supple_gpu::Gpu;
use supple_studio::{
    app::App,
    model::Command,
    studio::{memory::Memory, recovery::Recovery},
};

/// As large as most tests have it.
pub const SIZE: [f32; 2] = [1000.0, 640.0];

pub fn window<'a>() -> Harness<'a, App> {
    window_of(SIZE, Memory::default())
}

pub fn window_of<'a>(size: [f32; 2], memory: Memory) -> Harness<'a, App> {
    let mut setup = egui_kittest::wgpu::default_wgpu_setup();
    if let WgpuSetup::CreateNew(new) = &mut setup {
        new.device_descriptor = Arc::new(Gpu::descriptor);
    }
    Harness::builder().with_size(size).wgpu_setup(setup).with_step_dt(1.0 / 30.0).build_eframe(|cc| {
        let render = cc.wgpu_render_state.as_ref().expect("a device, software drivers included");
        let mut app = App::new(&cc.egui_ctx, render, memory, Recovery::default(), None, None).unwrap();
        // A busy machine would draw fewer pixels.
        app.stay_sharp();
        app
    })
}

/// Lets frames pass until everything that was asked for is there.
pub fn settle(window: &mut Harness<'_, App>) {
    let mut calm = 0;
    for _ in 0..4000 {
        window.step();
        let studio = &window.state().studio;
        calm = if studio.is_settled() && !studio.work.figures.is_busy() { calm + 1 } else { 0 };
        if calm > 4 {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("the studio never came to rest");
}

pub fn say(window: &mut Harness<'_, App>, command: Command) {
    window.state_mut().studio.execute(command);
    settle(window);
}
