//! What a driver reports while frames are running: out of memory, or anything else.

use supple::{graph::DeformGraph, pose::Motion};
use supple_gpu::{Engine, Gpu, wgpu};
use supple_testkit::{largest_distance, rigs};

#[test]
fn an_error_between_two_frames_leaves_the_work_to_the_processor() {
    let gpu = pollster::block_on(Gpu::open()).expect("a Vulkan driver");
    let rig = rigs::tube();
    let graph = DeformGraph::single("linear").expect("registered");
    let mut engine = pollster::block_on(Engine::bind(&graph, &rig, Ok(&gpu))).expect("it binds");
    let motion = Motion::of(&rig, &rigs::tube_pose(&rig));
    let before = engine.evaluate(&rig.mesh.positions, &motion).to_vec();
    assert!(engine.on_device());
    // Running out of memory and every other fault reach Supple by one way, the handler of errors that nobody caught. A
    // buffer larger than the device allows is the one that every driver reports alike.
    let size = gpu.device.limits().max_buffer_size.saturating_mul(2) & !3;
    let usage = wgpu::BufferUsages::STORAGE;
    let _refused =
        gpu.device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false });
    let after = engine.evaluate(&rig.mesh.positions, &motion).to_vec();
    let notices = engine.take_notices();
    assert!(!engine.on_device() && notices.len() == 1, "{notices:?}");
    assert!(!notices[0].contains('\n') && notices[0].contains("going on with the processor"), "{notices:?}");
    assert!(largest_distance(&after, &before, rig.diagonal()) <= 1e-6);
}
