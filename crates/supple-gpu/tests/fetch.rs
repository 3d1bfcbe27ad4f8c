//! What comes back without anyone waiting, and devices that somebody else opened.

use glam::Vec3;
use std::time::{Duration, Instant};
use supple::{graph::DeformGraph, pose::Motion};
use supple_gpu::{Fetch, Gpu, GpuError, GpuGraph, wgpu};
use supple_testkit::rigs;

/// As a window does: looks once a frame.
fn taken<T>(mut fetch: Fetch<T>) -> T {
    let asked = Instant::now();
    while asked.elapsed() < Duration::from_secs(60) {
        if let Some(made) = fetch.try_take().expect("the device is there") {
            assert!(fetch.try_take().expect("the device is there").is_none(), "it can be taken once");
            return made;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("it never came");
}

#[test]
fn points_and_times_come_back_without_waiting() {
    let gpu = pollster::block_on(Gpu::open()).expect("a Vulkan driver");
    let rig = rigs::tube();
    let graph = DeformGraph::single("linear").expect("registered");
    let mut device =
        pollster::block_on(GpuGraph::bind(&gpu, &graph.binding(&rig).expect("it binds"), &rig)).expect("it binds");
    let poses = [Motion::of(&rig, &supple::pose::Pose::rest(&rig)), Motion::of(&rig, &rigs::tube_pose(&rig))];
    // Both are under way at once, and each is that of its own frame.
    let fetches: Vec<Fetch<Vec<Vec3>>> = poses
        .iter()
        .map(|motion| {
            device.run(motion).expect("it runs");
            device.request_points().expect("it is asked for")
        })
        .collect();
    let mut last = vec![Vec3::ZERO; rig.mesh.positions.len()];
    device.read(&mut last).expect("it is read");
    let times = device.request_times().expect("it is asked for");
    assert_eq!(times.is_some(), gpu.has_timestamps());
    if let Some(times) = times {
        let times = taken(times);
        assert!(times.len() == 1 && times[0].node == "linear" && times[0].milliseconds >= 0.0, "{times:?}");
    }
    let [first, second]: [Vec<Vec3>; 2] = fetches.into_iter().map(taken).collect::<Vec<_>>().try_into().expect("two");
    assert_eq!(second, last);
    assert_ne!(first, second);
}

#[test]
fn a_device_that_somebody_else_opened_runs_graphs_and_a_small_one_is_refused() {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let adapter = pollster::block_on(instance.request_adapter(&Default::default())).expect("a Vulkan driver");
    let open = |descriptor: wgpu::DeviceDescriptor<'_>| {
        pollster::block_on(adapter.request_device(&descriptor)).expect("it opens")
    };
    let (device, queue) = open(Gpu::descriptor(&adapter));
    let gpu = Gpu::share(device, queue, adapter.get_info()).expect("it has what kernels need");
    let graph = DeformGraph::single("linear").expect("registered");
    let rig = rigs::tube();
    let mut bound =
        pollster::block_on(GpuGraph::bind(&gpu, &graph.binding(&rig).expect("it binds"), &rig)).expect("it binds");
    bound.run(&Motion::of(&rig, &rigs::tube_pose(&rig))).expect("it runs");

    let required_limits = wgpu::Limits { max_storage_buffers_per_shader_stage: 4, ..Default::default() };
    let (device, queue) = open(wgpu::DeviceDescriptor { required_limits, ..Default::default() });
    let refused = Gpu::share(device, queue, adapter.get_info());
    assert!(matches!(refused, Err(GpuError::Limits { .. })), "{refused:?}");
}
