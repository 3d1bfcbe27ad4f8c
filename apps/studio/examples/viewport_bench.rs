//! How many frames a second the viewport makes of a hand that closes, with implicit skinning on the same card: skin,
//! normals, floor, occlusion, bones and a ring, at 1920 by 1080. Needs nothing but a Vulkan driver:
//! `cargo run --release -p supple-studio --example viewport_bench -- [vertices] [frames]`.

#![expect(clippy::print_stdout, reason = "it is there to be read")]

use glam::{Vec3, Vec4};
use std::time::Instant;
use supple::{
    example::{HandOptions, hand},
    graph::DeformGraph,
    pose::Motion,
};
use supple_gpu::{Gpu, GpuGraph};
use supple_render::{Camera, Direction, character, color};
use supple_studio::viewport::{Layer, Look, Overlay, Shown, Skin, Style, Target, Viewport};

const SIZE: [u32; 2] = [1920, 1080];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut numbers = std::env::args().skip(1).map(|n| n.parse::<usize>());
    let vertices = numbers.next().transpose()?.unwrap_or(31_750);
    let frames = numbers.next().transpose()?.unwrap_or(300);
    let gpu = pollster::block_on(Gpu::open())?;
    println!("adapter: {}", gpu.name());
    let rig = hand(&HandOptions { vertices, ..Default::default() })?;
    println!(
        "hand: {} vertices, {} triangles, {} joints",
        rig.mesh.positions.len(),
        rig.mesh.triangles.len(),
        rig.skeleton.len()
    );
    let graph = DeformGraph::single("implicit")?;
    let mut device = pollster::block_on(GpuGraph::bind(&gpu, &graph.binding(&rig).expect("it binds"), &rig))?;
    let viewport = Viewport::new(&gpu)?;
    let (skin, _) = Skin::new(&viewport, &rig)?;
    let shown = Shown::of_buffer(&viewport, &skin, device.points())?;
    let mut target = Target::new(&viewport, SIZE)?;
    let aspect = SIZE[0] as f32 / SIZE[1] as f32;
    let camera = Camera::framing(&rig.mesh.positions, Direction::ThreeQuarter, aspect, true);
    let clip = &rig.clips[0];

    let mut overlay = Overlay::default();
    let mut frame = |i: usize, device: &mut GpuGraph, target: &mut Target| -> Result<(), Box<dyn std::error::Error>> {
        // To and fro, the ends left out: there joints rest.
        let part = 0.5 - 0.45 * (i as f64 / frames as f64 * 2.0 * std::f64::consts::TAU).cos();
        let motion = Motion::of(&rig, &clip.sample(&rig, f64::from(clip.duration()) * part));
        device.run(&motion)?;
        shown.moved()?;
        overlay.clear();
        let bones = character::bones(&rig, &motion);
        for (j, [head, tail]) in bones.segments.iter().enumerate() {
            overlay.bone(*head, *tail, color::hue(j));
        }
        let yellow = Vec4::new(1.0, 0.75, 0.1, 1.0);
        overlay.ring(bones.segments[5][0], Vec3::X, rig.diagonal() * 0.1, yellow, 2.5, Layer::Through);
        viewport.draw(target, &camera, &Style::default(), &[(&skin, &shown, Look::SHADED)], &overlay)?;
        gpu.wait()?;
        Ok(())
    };
    // A card that lay idle needs a while until its clocks are up.
    let waking = Instant::now();
    let mut warm = 0;
    while warm < 20 || (waking.elapsed().as_millis() < 500 && !gpu.is_software()) {
        frame(warm, &mut device, &mut target)?;
        warm += 1;
    }
    let mut whole = Vec::with_capacity(frames);
    for i in 0..frames {
        let start = Instant::now();
        frame(i, &mut device, &mut target)?;
        whole.push(start.elapsed().as_secs_f64() * 1e3);
    }
    let (median, most) = quantiles(&mut whole);
    println!("whole frames, sent and waited for one by one: median {median:.3} ms, 95 % {most:.3} ms");
    println!("  {:.0} frames a second at the median, {:.0} at 95 %", 1e3 / median, 1e3 / most);
    if !gpu.has_timestamps() {
        println!("the device has no clock");
        return Ok(());
    }
    target.set_timed(true)?;
    let names = ["skinning", "normals", "scene", "occlusion", "overlay", "sum"];
    let mut columns: [Vec<f64>; 6] = Default::default();
    for i in 0..frames {
        frame(i, &mut device, &mut target)?;
        let skinning = device.times()?.unwrap_or_default().iter().map(|t| t.milliseconds).sum();
        let normals = shown.normals_time()?.unwrap_or(0.0);
        let passes = target.request_times()?.ok_or("no clock")?.wait()?;
        let mut row = vec![skinning, normals];
        row.extend(&passes);
        row.push(row.iter().sum());
        columns.iter_mut().zip(row).for_each(|(column, time)| column.push(time));
    }
    for (name, column) in names.iter().zip(&mut columns) {
        let (median, most) = quantiles(column);
        println!("by the device's clock, {name}: median {median:.3} ms, 95 % {most:.3} ms");
    }
    Ok(())
}

fn quantiles(times: &mut [f64]) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], times[(times.len() * 95 / 100).min(times.len() - 1)])
}
