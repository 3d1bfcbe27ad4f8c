//! One engine: each node where it can run, points that cross once, and what is remembered when the device goes away.

use glam::Vec3;
use supple::{
    deform::Clock,
    example::{ArmOptions, arm},
    graph::{Checkpoint, DeformGraph},
    pose::{Motion, Pose},
    rig::Rig,
};
use supple_gpu::{Choice, Engine, Gpu, GpuGraph, Place, wgpu};
use supple_testkit::largest_distance;

fn gpu() -> Gpu {
    pollster::block_on(Gpu::open()).expect("a Vulkan driver is needed; on Debian: mesa-vulkan-drivers")
}

/// Robust tracking has no kernel: its result goes to the device, is mixed there, and what dual quaternions give there is taken on.
fn shared_out() -> DeformGraph {
    let json = r#"{"version": 1, "output": "result", "nodes": [
        {"name": "skin", "method": "implicit", "inputs": ["rest"], "settings": {"tracking": "robust"}},
        {"name": "soft", "method": "dual-quaternion", "inputs": ["rest"]},
        {"name": "result", "method": "mix", "inputs": ["soft", "skin"], "settings": {"amount": 0.75}}]}"#;
    DeformGraph::from_json(json).expect("a graph")
}

fn rig() -> Rig {
    arm(&ArmOptions { vertices: 600, plain: true, ..Default::default() }).expect("an arm")
}

/// An elbow that is bent deeper and deeper, each frame after the one before.
fn clip(rig: &Rig, frames: usize) -> Vec<(Motion, Clock)> {
    let motion = |frame: usize| {
        let mut pose = Pose::rest(rig);
        pose.bend(rig, "forearm", 95.0 + 2.0 * frame as f64, None).expect("a hinge");
        (Motion::of(rig, &pose), Clock::frame(frame, 0, 30.0))
    };
    (0..frames).map(motion).collect()
}

fn on_processor(graph: &DeformGraph, rig: &Rig, clip: &[(Motion, Clock)]) -> Vec<Vec<Vec3>> {
    let mut bound = graph.bind(rig).expect("it binds");
    clip.iter().map(|(motion, clock)| bound.step(&rig.mesh.positions, motion, *clock).to_vec()).collect()
}

fn assert_near(found: &[Vec<Vec3>], expected: &[Vec<Vec3>], rig: &Rig) {
    for (frame, (found, expected)) in found.iter().zip(expected).enumerate() {
        let off = largest_distance(found, expected, rig.diagonal());
        assert!(off <= 1e-6, "frame {frame} is off by {off} of the diagonal");
    }
}

#[test]
fn a_node_without_a_kernel_leaves_the_others_on_the_device() {
    let (gpu, rig, graph) = (gpu(), rig(), shared_out());
    let clip = clip(&rig, 4);
    let mut engine = pollster::block_on(Engine::bind(&graph, &rig, Ok(&gpu))).expect("it binds");
    let found: Vec<_> = clip.iter().map(|(m, c)| engine.frame(&rig.mesh.positions, m, *c).to_vec()).collect();
    assert_near(&found, &on_processor(&graph, &rig, &clip), &rig);
    let explained = engine.explain();
    let of = |name: &str| explained.iter().find(|e| e.node == name).expect("a node");
    assert!(matches!(&of("skin").place, Place::Processor(why) if why.contains("remembers")), "{explained:?}");
    assert!(of("skin").crosses && of("skin").remembers && of("skin").milliseconds.is_some_and(|ms| ms > 0.0));
    assert!(of("soft").place.is_device() && !of("soft").crosses, "{explained:?}");
    assert!(of("result").place.is_device() && engine.on_device());
    assert!(engine.points_on_device().is_some(), "the result stays where it is until somebody asks for it");
}

#[test]
fn what_the_processor_takes_is_brought_back_from_the_device() {
    let json = r#"{"version": 1, "output": "result", "nodes": [
        {"name": "soft", "method": "linear", "inputs": ["rest"]},
        {"name": "skin", "method": "implicit", "inputs": ["rest"], "settings": {"relaxation": 0.2}},
        {"name": "half", "method": "mix", "inputs": ["soft", "skin"], "settings": {"amount": 0.5}},
        {"name": "result", "method": "mix", "inputs": ["half", "soft"], "settings": {"amount": 0.25}}]}"#;
    let (gpu, rig, graph) = (gpu(), rig(), DeformGraph::from_json(json).expect("a graph"));
    let clip = clip(&rig, 2);
    let mut engine = pollster::block_on(Engine::bind(&graph, &rig, Ok(&gpu))).expect("it binds");
    let found: Vec<_> = clip.iter().map(|(m, c)| engine.frame(&rig.mesh.positions, m, *c).to_vec()).collect();
    assert_near(&found, &on_processor(&graph, &rig, &clip), &rig);
    assert_eq!(engine.explain().iter().filter(|e| e.crosses).count(), 1);
}

#[test]
fn a_device_that_is_lost_in_the_middle_of_a_clip_loses_no_memory() {
    let (rig, graph) = (rig(), shared_out());
    // Beyond the first checkpoint, and well before the second.
    let clip = clip(&rig, 24);
    let expected = on_processor(&graph, &rig, &clip);
    let gpu = gpu();
    let mut engine = pollster::block_on(Engine::bind(&graph, &rig, Ok(&gpu))).expect("it binds");
    let mut found = Vec::new();
    for (frame, (motion, clock)) in clip.iter().enumerate() {
        if frame == 20 {
            gpu.device.destroy();
        }
        found.push(engine.frame(&rig.mesh.positions, motion, *clock).to_vec());
        assert_eq!(engine.on_device(), frame < 20, "frame {frame}");
    }
    assert_near(&found, &expected, &rig);
    assert_eq!(found[20..], expected[20..], "from there on the processor has all of it");
    assert!(engine.take_notices().iter().any(|line| line.contains("going on with the processor")));
    let forgetful = graph.bind(&rig).expect("it binds").evaluate(&rig.mesh.positions, &clip[20].0).to_vec();
    assert_ne!(found[20], forgetful, "the test means nothing where it does not matter what was before");
}

#[test]
fn reset_reaches_whoever_runs() {
    let (rig, graph) = (rig(), shared_out());
    let (gpu, clip) = (gpu(), clip(&rig, 8));
    let mut engine = pollster::block_on(Engine::bind(&graph, &rig, Ok(&gpu))).expect("it binds");
    let next = |clock: Clock| Clock::after(clock, 0.0);
    let anew = engine.frame(&rig.mesh.positions, &clip[7].0, Clock::first(0.0)).to_vec();
    for (motion, clock) in &clip {
        engine.frame(&rig.mesh.positions, motion, *clock);
    }
    let followed = engine.frame(&rig.mesh.positions, &clip[7].0, next(clip[7].1)).to_vec();
    engine.reset();
    let after = engine.frame(&rig.mesh.positions, &clip[7].0, next(clip[7].1)).to_vec();
    assert_eq!(after, anew);
    assert_ne!(followed, anew);
}

#[test]
fn an_engine_goes_on_from_the_checkpoint_of_another() {
    let (rig, graph) = (rig(), shared_out());
    let (gpu, clip) = (gpu(), clip(&rig, 8));
    let expected = on_processor(&graph, &rig, &clip);
    let mut first = pollster::block_on(Engine::bind(&graph, &rig, Ok(&gpu))).expect("it binds");
    for (motion, clock) in &clip[..6] {
        first.step(&rig.mesh.positions, motion, *clock);
    }
    let checkpoint: Checkpoint = first.checkpoint().expect("the device is there");
    let mut other = pollster::block_on(Engine::of(first.binding().clone(), &rig, Err("none is asked for")));
    other.recall(&checkpoint);
    for k in 6..8 {
        assert_eq!(other.frame(&rig.mesh.positions, &clip[k].0, clip[k].1), &expected[k][..]);
    }
}

fn reasons(engine: &Engine) -> Vec<String> {
    let reason = |place: &Place| if let Place::Processor(why) = place { why.clone() } else { "device".into() };
    engine.places().iter().map(reason).collect()
}

#[test]
fn a_node_on_the_processor_says_why() {
    let (rig, graph) = (rig(), shared_out());
    let bind = |gpu| pollster::block_on(Engine::bind(&graph, &rig, gpu)).expect("it binds");
    let asked = pollster::block_on(Choice::Processor.open(usize::MAX));
    assert_eq!(reasons(&bind(asked.computing())), ["the processor was asked for"; 3]);
    let little = pollster::block_on(Choice::Auto.open(1000));
    assert_eq!(reasons(&bind(little.computing())), ["so few points are moved before a device is open"; 3]);
    let gpu = gpu();
    if gpu.is_software() {
        let why = "the device is a software driver, which the processor outruns";
        assert_eq!(reasons(&bind(Choice::Auto.computing(&gpu))), [why; 3]);
    }
    let mut engine = bind(Ok(&gpu));
    let skin = engine.binding().node_names().position(|name| name == "skin").expect("a node");
    gpu.device.destroy();
    engine.evaluate(&rig.mesh.positions, &clip(&rig, 1)[0].0);
    for (node, why) in reasons(&engine).iter().enumerate() {
        let wanted = if node == skin { "robust tracking remembers" } else { "the device was lost: " };
        assert!(why.starts_with(wanted), "{why}");
    }
}

#[test]
fn a_method_without_a_kernel_says_so_with_or_without_a_device() {
    let json = r#"{"version": 1, "output": "skin", "nodes": [
        {"name": "skin", "method": "implicit", "inputs": ["rest"], "settings": {"relaxation": 0.2}}]}"#;
    let (gpu, rig, graph) = (gpu(), rig(), DeformGraph::from_json(json).expect("a graph"));
    let mut engine = pollster::block_on(Engine::bind(&graph, &rig, Ok(&gpu))).expect("it binds");
    assert!(!engine.on_device() && reasons(&engine)[0].starts_with("with relaxation"), "{:?}", reasons(&engine));
    assert_eq!(engine.take_notices().len(), 1);
}

/// Two ways that a mix joins, of which delta mush needs larger tables.
fn two_sizes() -> DeformGraph {
    let json = r#"{"version": 1, "output": "result", "nodes": [
        {"name": "small", "method": "linear", "inputs": ["rest"]},
        {"name": "large", "method": "delta-mush", "inputs": ["rest"]},
        {"name": "result", "method": "mix", "inputs": ["small", "large"], "settings": {"amount": 0.5}}]}"#;
    DeformGraph::from_json(json).expect("a graph")
}

#[test]
fn a_node_that_does_not_fit_leaves_the_others_on_the_device() {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let adapter = pollster::block_on(instance.request_adapter(&Default::default())).expect("a Vulkan driver");
    let (rig, graph) = (rig(), two_sizes());
    // What linear blend skinning needs: four weights for each vertex.
    let limits =
        wgpu::Limits { max_storage_buffer_binding_size: rig.mesh.positions.len() as u64 * 16, ..adapter.limits() };
    let gpu = pollster::block_on(Gpu::with_limits(&adapter, limits)).expect("it opens");
    let mut engine = pollster::block_on(Engine::bind(&graph, &rig, Ok(&gpu))).expect("it binds");
    let clip = clip(&rig, 2);
    let found: Vec<_> = clip.iter().map(|(m, c)| engine.frame(&rig.mesh.positions, m, *c).to_vec()).collect();
    assert_near(&found, &on_processor(&graph, &rig, &clip), &rig);
    let reasons = reasons(&engine);
    assert!(
        reasons[0] == "device" && reasons[1].contains("the device allows") && reasons[2] == "device",
        "{reasons:?}"
    );
    let notices = engine.take_notices();
    assert!(notices.len() == 1 && notices[0].starts_with("\"large\": "), "{notices:?}");
}

#[test]
fn a_kernel_that_the_driver_refuses_leaves_the_others_on_the_device() {
    let (gpu, rig, graph) = (gpu(), rig(), two_sizes());
    let binding = graph.binding(&rig).expect("it binds");
    let broken =
        |twin: &supple_gpu::Twin| if twin.method == "delta-mush" { "no WGSL".into() } else { twin.source.clone() };
    let on_device = pollster::block_on(GpuGraph::bind_with(&gpu, &binding, &rig, broken)).expect("two are there");
    assert_eq!([0, 1, 2].map(|node| on_device.runs(node)), [true, false, true]);
    let whole = pollster::block_on(GpuGraph::bind(&gpu, &binding, &rig)).expect("all are there");
    assert!(whole.is_whole(), "what was refused is not kept");
}

#[test]
fn a_device_without_a_clock_hides_no_time_of_the_processor() {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let adapter = pollster::block_on(instance.request_adapter(&Default::default())).expect("a Vulkan driver");
    let without = wgpu::DeviceDescriptor { required_features: wgpu::Features::empty(), ..Gpu::descriptor(&adapter) };
    let (device, queue) = pollster::block_on(adapter.request_device(&without)).expect("it opens");
    let gpu = Gpu::share(device, queue, adapter.get_info()).expect("it has what kernels need");
    let (rig, graph) = (rig(), shared_out());
    let mut engine = pollster::block_on(Engine::bind(&graph, &rig, Ok(&gpu))).expect("it binds");
    engine.step(&rig.mesh.positions, &clip(&rig, 1)[0].0, Clock::first(0.0));
    let timed: Vec<_> = engine.explain().into_iter().filter(|e| e.milliseconds.is_some()).map(|e| e.node).collect();
    assert_eq!(timed, ["skin"]);
}

#[test]
fn a_graph_with_other_numbers_compiles_nothing_again() {
    let (gpu, rig) = (gpu(), rig());
    let graph = |settings: &str| {
        let node = format!(r#"{{"name": "skin", "method": "implicit", "inputs": ["rest"], "settings": {settings}}}"#);
        DeformGraph::from_json(&format!(r#"{{"version": 1, "output": "skin", "nodes": [{node}]}}"#)).expect("a graph")
    };
    let bind = |settings| {
        let engine = pollster::block_on(Engine::bind(&graph(settings), &rig, Ok(&gpu))).expect("it binds");
        assert!(engine.on_device());
        gpu.compilations()
    };
    let first = bind("{}");
    assert!(first > 0);
    assert_eq!(bind(r#"{"sigma": 0.4, "resolution": 20}"#), first);
}
