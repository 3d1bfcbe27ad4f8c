//! A method with a kernel that no program has: it iterates on the device, over as many workgroups as it finds there, and remembers.

use glam::Vec3;
use serde_json::{Value, json};
use supple::{
    deform::{Clock, Settings},
    graph::{DeformGraph, RegisterError},
    pose::{Motion, Pose},
    rig::Rig,
};
use supple_gpu::{Engine, Gpu, GpuGraph, register};
use supple_testkit::{largest_distance, rigs, toy};

const LIMIT: f64 = 1e-6;

fn gpu() -> Gpu {
    pollster::block_on(Gpu::open()).expect("a Vulkan driver is needed; on Debian: mesa-vulkan-drivers")
}

/// A third of the points is pushed three times, each frame is a little higher than the one it follows, by itself and by the seconds
/// between them, and its time carries it along.
fn graph(rig: &Rig) -> DeformGraph {
    toy::add();
    let amount: Vec<f32> = (0..rig.mesh.positions.len()).map(|v| if v % 3 == 0 { 0.5 } else { 0.0 }).collect();
    let settings: [(&str, Value); 6] = [
        ("push", json!(0.3)),
        ("times", json!(3)),
        ("drift", json!(0.125)),
        ("rise", json!(1.5)),
        ("wind", json!(3)),
        ("amount", json!(amount)),
    ];
    let settings = Settings::from_iter(settings.map(|(name, value)| (name.to_owned(), value)));
    DeformGraph::single_with(toy::NAME, &settings).expect("a toy")
}

fn motion(rig: &Rig) -> Motion {
    Motion::of(rig, &Pose::rest(rig))
}

/// The frames of a clip that begins anew after a while, by the clock.
fn clocks() -> Vec<Clock> {
    (0..5).chain(0..21).map(|frame| Clock::frame(frame, 0, 30.0)).collect()
}

fn on_processor(graph: &DeformGraph, rig: &Rig) -> Vec<Vec<Vec3>> {
    let (mut bound, motion) = (graph.bind(rig).expect("it binds"), motion(rig));
    clocks().into_iter().map(|clock| bound.step(&rig.mesh.positions, &motion, clock).to_vec()).collect()
}

fn engine(graph: &DeformGraph, rig: &Rig, gpu: &Gpu) -> Engine {
    pollster::block_on(Engine::bind(graph, rig, Ok(gpu))).expect("it binds")
}

#[test]
fn what_an_added_kernel_remembers_is_what_its_twin_does() {
    let (gpu, rig) = (gpu(), rigs::tube());
    let graph = graph(&rig);
    let (expected, motion) = (on_processor(&graph, &rig), motion(&rig));
    let mut engine = engine(&graph, &rig, &gpu);
    for (frame, (clock, expected)) in clocks().into_iter().zip(&expected).enumerate() {
        let off = largest_distance(engine.frame(&rig.mesh.positions, &motion, clock), expected, rig.diagonal());
        assert!(off <= LIMIT, "frame {frame} is off by {off} of the diagonal");
    }
    let moved = |frame: usize, v: usize| expected[frame][v] - rig.mesh.positions[v];
    // Three thirtieths of a second.
    assert!((moved(3, 0) - Vec3::new(0.45, 0.375 + 0.15, 0.3)).length() < 1e-5, "{}", moved(3, 0));
    assert!((moved(3, 1) - Vec3::new(0.0, 0.375 + 0.15, 0.3)).length() < 1e-5, "{}", moved(3, 1));
    let explained = engine.explain();
    assert!(explained[0].place.is_device() && explained[0].remembers, "{explained:?}");
    engine.reset();
    let after = Clock::after(Clock::first(-0.1), 0.1);
    assert!(largest_distance(engine.frame(&rig.mesh.positions, &motion, after), &expected[0], rig.diagonal()) <= LIMIT);
}

#[test]
fn processor_and_device_go_on_from_each_others_checkpoints() {
    let (gpu, rig) = (gpu(), rigs::tube());
    let graph = graph(&rig);
    let (expected, motion, clocks) = (on_processor(&graph, &rig), motion(&rig), clocks());
    let points = &rig.mesh.positions;
    let mut first = engine(&graph, &rig, &gpu);
    clocks[..3].iter().for_each(|clock| first.step(points, &motion, *clock));
    let checkpoint = first.checkpoint().expect("the device is there");
    let mut second = pollster::block_on(Engine::of(first.binding().clone(), &rig, Err("none is asked for")));
    second.recall(&checkpoint);
    assert!(largest_distance(second.frame(points, &motion, clocks[3]), &expected[3], rig.diagonal()) <= LIMIT);
    let checkpoint = second.checkpoint().expect("no device is asked");
    let mut third = engine(&graph, &rig, &gpu);
    third.recall(&checkpoint);
    assert!(largest_distance(third.frame(points, &motion, clocks[4]), &expected[4], rig.diagonal()) <= LIMIT);
}

#[test]
fn a_device_that_is_lost_with_all_it_remembers_is_made_up_for() {
    let rig = rigs::tube();
    let graph = graph(&rig);
    let (expected, motion) = (on_processor(&graph, &rig), motion(&rig));
    // The clip begins anew at frame 5; frame 21, 16 frames later, takes a checkpoint, which a lost device does not give.
    for lost in [3, 20, 21, 22, 24] {
        let gpu = gpu();
        let mut engine = engine(&graph, &rig, &gpu);
        for (frame, (clock, expected)) in clocks().into_iter().zip(&expected).enumerate() {
            if frame == lost {
                gpu.device.destroy();
            }
            let off = largest_distance(engine.frame(&rig.mesh.positions, &motion, clock), expected, rig.diagonal());
            assert!(off <= LIMIT, "lost at {lost}: frame {frame} is off by {off} of the diagonal");
            assert_eq!(engine.on_device(), frame < lost, "lost at {lost}: frame {frame}");
        }
    }
}

#[test]
fn a_broken_kernel_of_an_added_method_is_rejected() {
    let (gpu, rig) = (gpu(), rigs::tube());
    let graph = graph(&rig);
    let expected = &on_processor(&graph, &rig)[0];
    for (right, wrong) in [
        ("place / WORKGROUP + 1u", "place / WORKGROUP"),
        ("place >= atomicLoad(&count)", "place + 1u >= atomicLoad(&count)"),
        ("+= pushes[v][axis]", "+= 1.0001 * pushes[v][axis]"),
        ("f32(followed.frames)", "f32(followed.frames + 1u)"),
    ] {
        let broken = |twin: &supple_gpu::Twin| {
            assert!(twin.source.contains(right), "the kernel no longer says \"{right}\"");
            twin.source.replace(right, wrong)
        };
        let binding = graph.binding(&rig).expect("it binds");
        let mut on_device = pollster::block_on(GpuGraph::bind_with(&gpu, &binding, &rig, broken)).expect("it binds");
        on_device.run(&motion(&rig)).expect("it runs");
        let mut points = vec![Vec3::ZERO; expected.len()];
        on_device.read(&mut points).expect("it comes back");
        let off = largest_distance(&points, expected, rig.diagonal());
        assert!(off > LIMIT, "\"{wrong}\" passes at {off}");
    }
}

#[test]
fn kernels_are_added_once_and_under_names_of_their_own() {
    toy::add();
    let linear = supple_gpu::twins().iter().find(|t| t.method == "linear").expect("it is there").clone();
    assert_eq!(register(vec![linear]), Err(RegisterError::Taken("linear")));
    assert_eq!(register(Vec::new()), Err(RegisterError::TooLate));
}
