//! Every kernel against its twin on the processor, one step from the same state. No adapter is a failure, not a skip:
//! `./test` installs a software driver.

use glam::Vec3;
use supple::{
    graph::{DeformGraph, methods},
    pose::{Motion, Pose},
    rig::{Rig, WeightsBuilder},
};
use supple_gpu::{Engine, Gpu, GpuGraph, GpuNormals, Shading, other_kernels, twins};
use supple_testkit::{golden, largest_distance, rigs};

const LIMIT: f64 = 1e-6;

fn gpu() -> Gpu {
    pollster::block_on(Gpu::open()).expect("a Vulkan driver is needed; on Debian: mesa-vulkan-drivers")
}

/// The tube with six joints' worth of influences on some vertices: more than the four that lie side by side.
fn wide_tube() -> Rig {
    let mut rig = rigs::tube();
    let mut joints = rig.skeleton.joints().to_vec();
    for i in 0..3 {
        let mut twin = joints[i].clone();
        twin.name = format!("second {i}");
        twin.parent = Some(i);
        joints.push(twin);
    }
    rig.skeleton = supple::rig::Skeleton::new(joints).expect("still parents first").show_rest();
    let old = rig.weights.take().expect("the tube has weights");
    let mut weights = WeightsBuilder::default();
    for v in 0..old.len() {
        let (j, w) = old.row(v);
        let halves = j.iter().zip(w).flat_map(|(&j, &w)| [(j, w * 0.6), (j + 3, w * 0.4)]);
        weights.push(halves.collect::<Vec<_>>());
    }
    rig.weights = Some(weights.finish(|_| 0).0);
    rig
}

fn motions(rig: &Rig) -> Vec<Motion> {
    let mut turned = rigs::tube_pose(rig);
    turned.bend(rig, "root", 200.0, Some(glam::DVec3::X)).expect("the joint exists");
    let mut list = vec![Motion::of(rig, &Pose::rest(rig)), Motion::of(rig, &rigs::tube_pose(rig))];
    list.extend([Motion::of(rig, &turned), rigs::stretched(rig)]);
    // 100 and 270 degrees: as quaternions they come out on opposite sides, so that one must be turned round.
    let mut opposed = Pose::rest(rig);
    for (joint, degrees) in [("root", 100.0), ("middle", 170.0)] {
        opposed.bend(rig, joint, degrees, Some(glam::DVec3::X)).expect("the joint exists");
    }
    list.push(Motion::of(rig, &opposed));
    // A bone that grows: its child goes away from it.
    let mut grown = rigs::tube_pose(rig);
    grown.local[1].translation *= 1.3;
    list.push(Motion::of(rig, &grown));
    list
}

/// The largest distance between processor and device over all motions, over the diagonal.
fn distance(graph: &DeformGraph, rig: &Rig, on_device: GpuGraph) -> f64 {
    distances(graph, rig, on_device)[0]
}

/// The distances of all points over all motions, over the diagonal, the largest first; what is not a number before all.
fn distances(graph: &DeformGraph, rig: &Rig, mut on_device: GpuGraph) -> Vec<f64> {
    let mut bound = graph.bind(rig).expect("it binds");
    let mut points = vec![Vec3::ZERO; rig.mesh.positions.len()];
    let mut all = Vec::new();
    for motion in motions(rig) {
        on_device.run(&motion).expect("it runs");
        on_device.read(&mut points).expect("it comes back");
        let expected = bound.evaluate(&rig.mesh.positions, &motion);
        all.extend(points.iter().zip(expected).map(|(a, b)| f64::from(a.distance(*b) / rig.diagonal())));
    }
    let key = |d: &f64| if d.is_nan() { f64::INFINITY } else { *d };
    all.sort_by(|a, b| key(b).total_cmp(&key(a)));
    all
}

#[test]
fn every_kernel_is_the_twin_of_its_method() {
    let gpu = gpu();
    for method in methods().iter().filter(|m| matches!(m.kernel, supple::graph::Kernel::Twin(_))) {
        let graph = golden::graph(method.name);
        for rig in [rigs::tube(), wide_tube()] {
            let on_device = pollster::block_on(GpuGraph::bind(&gpu, &graph.binding(&rig).expect("it binds"), &rig))
                .expect("it binds");
            let all = distances(&graph, &rig, on_device);
            // Limbs that are folded flat on each other are equal nearly everywhere: where exactly, rounding decides, and one point in
            // 200 may end elsewhere. `implicit.rs` compares every step from the same state.
            let (strays, stray, most) =
                if method.name == "implicit" { (all.len() / 200, 1e-3, 20.0 * LIMIT) } else { (0, LIMIT, LIMIT) };
            assert!(all[0] <= stray, "{}: {} of the diagonal", method.name, all[0]);
            assert!(all[strays] <= most, "{}: {} of the diagonal at {strays} others", method.name, all[strays]);
        }
    }
}

#[test]
fn a_broken_kernel_is_rejected() {
    let gpu = gpu();
    for (method, right, wrong) in [
        ("linear", "j.x >> 16u, w.y", "j.x >> 16u, w.y * 1.0001"),
        ("linear", "e < row.end", "e + 1u < row.end"),
        ("dual-quaternion", "select(w, -w,", "select(w, w * 0.999,"),
        ("dual-quaternion", "0.5 * product", "0.5001 * product"),
        ("stretch-twist", "half.y * cross", "0.9999 * half.y * cross"),
        ("stretch-twist", "e * bone.shift", "e * 1.0001 * bone.shift"),
        ("stretch-twist", "params.vertices * 4u + e", "params.vertices * 4u"),
        ("rotation-center", "select(w, -w,", "select(w, w * 0.999,"),
        ("rotation-center", "(2.0 / dot(q, q))", "(2.0001 / dot(q, q))"),
        ("rotation-center", "stretch * sum.arm", "stretch * sum.arm * 1.001"),
        ("delta-mush", "i < row.y", "i + 1u < row.y"),
        ("delta-mush", "off * s.y", "off * s.y * 1.001"),
        ("delta-mush", "i < MOST_SQUARINGS", "i < 2u"),
        ("delta-mush", "share * (stretch * arm)", "share * (stretch * arm) * 1.001"),
        ("mix", "b[i] * t", "b[i] * t * 1.0001"),
    ] {
        let (graph, rig) = (golden::graph(method), wide_tube());
        let broken = |twin: &supple_gpu::Twin| {
            if twin.method != method {
                return twin.source.to_owned();
            }
            assert!(twin.source.contains(right), "{method} no longer says \"{right}\"");
            twin.source.replace(right, wrong)
        };
        let on_device =
            pollster::block_on(GpuGraph::bind_with(&gpu, &graph.binding(&rig).expect("it binds"), &rig, broken))
                .expect("it binds");
        let d = distance(&graph, &rig, on_device);
        assert!(d > LIMIT || d.is_nan(), "{method} with \"{wrong}\" passes at {d}");
    }
}

#[test]
fn a_lost_device_leaves_the_work_to_the_processor() {
    let (gpu, rig) = (gpu(), rigs::tube());
    let graph = DeformGraph::single("dual-quaternion").expect("registered");
    let mut engine = pollster::block_on(Engine::bind(&graph, &rig, Ok(&gpu))).expect("it binds");
    let motion = Motion::of(&rig, &rigs::tube_pose(&rig));
    let before = engine.evaluate(&rig.mesh.positions, &motion).to_vec();
    assert!(engine.on_device() && engine.take_notices().is_empty());
    gpu.device.destroy();
    let after = engine.evaluate(&rig.mesh.positions, &motion).to_vec();
    assert!(!engine.on_device());
    let notices = engine.take_notices();
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert!(!notices[0].contains('\n') && notices[0].contains("going on with the processor"));
    assert!(largest_distance(&after, &before, rig.diagonal()) <= LIMIT);
    let again = pollster::block_on(Engine::bind(&graph, &rig, Ok(&gpu))).expect("the processor binds");
    assert!(!again.on_device());
}

#[test]
fn a_device_with_too_little_room_leaves_the_work_to_the_processor() {
    use supple_gpu::wgpu;
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let adapter = pollster::block_on(instance.request_adapter(&Default::default())).expect("a Vulkan driver");
    let limits = wgpu::Limits { max_storage_buffer_binding_size: 1024, ..adapter.limits() };
    let gpu = pollster::block_on(Gpu::with_limits(&adapter, limits)).expect("it opens");
    let rig = rigs::tube();
    let graph = DeformGraph::single("linear").expect("registered");
    let mut engine = pollster::block_on(Engine::bind(&graph, &rig, Ok(&gpu))).expect("the processor binds");
    assert!(!engine.on_device());
    let notices = engine.take_notices();
    assert!(notices.len() == 1 && notices[0].contains("the device allows 1024"), "{notices:?}");
    let motion = Motion::of(&rig, &rigs::tube_pose(&rig));
    let expected = graph.bind(&rig).expect("it binds").evaluate(&rig.mesh.positions, &motion).to_vec();
    assert_eq!(engine.evaluate(&rig.mesh.positions, &motion), expected);
}

#[test]
fn other_morphs_reach_the_device() {
    let (gpu, rig) = (gpu(), rigs::tube());
    let graph = DeformGraph::single("linear").expect("registered");
    let mut engine = pollster::block_on(Engine::bind(&graph, &rig, Ok(&gpu))).expect("it binds");
    let moved: Vec<Vec3> = rig.mesh.positions.iter().map(|p| *p * 1.1).collect();
    let motion = Motion::of(&rig, &rigs::tube_pose(&rig));
    let expected = graph.bind(&rig).expect("it binds").evaluate(&moved, &motion).to_vec();
    assert!(largest_distance(engine.evaluate(&moved, &motion), &expected, rig.diagonal()) <= LIMIT);
}

#[test]
fn every_kernel_is_sound_wgsl_and_registered() {
    for (file, source) in twins().iter().map(|t| (t.file, t.source.clone())).chain(other_kernels()) {
        let module = naga::front::wgsl::parse_str(&source);
        let module = module.unwrap_or_else(|e| panic!("{file}: {}", e.emit_to_string(&source)));
        let mut validator = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), Default::default());
        validator.validate(&module).unwrap_or_else(|e| panic!("{file}: {e:?}"));
    }
    for twin in twins() {
        let method = supple::graph::method(twin.method).expect("a registered method");
        assert_eq!(method.kernel, supple::graph::Kernel::Twin(twin.file));
    }
    let promised = methods().iter().filter(|m| matches!(m.kernel, supple::graph::Kernel::Twin(_))).count();
    assert_eq!(promised, twins().len());
}

#[test]
fn a_node_is_timed_where_the_device_has_a_clock() {
    let (gpu, rig) = (gpu(), rigs::tube());
    let graph = golden::graph("mix");
    let mut on_device =
        pollster::block_on(GpuGraph::bind(&gpu, &graph.binding(&rig).expect("it binds"), &rig)).expect("it binds");
    on_device.run(&Motion::of(&rig, &rigs::tube_pose(&rig))).expect("it runs");
    let times = on_device.times().expect("it comes back");
    assert_eq!(times.is_some(), gpu.has_timestamps());
    if let Some(times) = times {
        assert_eq!(times.len(), 3);
        assert!(times.iter().all(|t| t.milliseconds.is_finite() && t.milliseconds < 1e4));
    }
}

fn normals_kernel() -> String {
    other_kernels().into_iter().find(|(file, _)| *file == "normals.wgsl").expect("it is there").1
}

/// The largest distance between the normals of processor and device, of the tube posed on the device.
fn normals_distance(source: &str) -> f64 {
    let (gpu, mut rig) = (gpu(), rigs::tube());
    // Triangles without area have a rule of their own.
    rig.mesh.triangles.extend([[5, 5, 6], [7, 8, 7]]);
    let graph = DeformGraph::single("linear").expect("registered");
    let mut on_device =
        pollster::block_on(GpuGraph::bind(&gpu, &graph.binding(&rig).expect("it binds"), &rig)).expect("it binds");
    on_device.run(&Motion::of(&rig, &rigs::tube_pose(&rig))).expect("it runs");
    let mut points = vec![Vec3::ZERO; rig.mesh.positions.len()];
    on_device.read(&mut points).expect("it comes back");
    let mut twin = supple::rig::Normals::of(&rig.mesh);
    let on_device = GpuNormals::with_source(&gpu, &twin, on_device.points(), source).expect("it binds");
    let mut worst = 0.0;
    for shading in [Shading::Smooth, Shading::Creased(60.0), Shading::Creased(20.0), Shading::Creased(120.0)] {
        on_device.run(shading).expect("it runs");
        let found = on_device.read(shading).expect("it comes back");
        let expected = match shading {
            Shading::Smooth => twin.smooth(&points).to_vec(),
            Shading::Creased(degrees) => twin.creased(&points, degrees).as_flattened().to_vec(),
        };
        let d = largest_distance(&found, &expected, 1.0);
        worst = if d > worst || d.is_nan() { d } else { worst };
    }
    worst
}

#[test]
fn normals_are_the_twin_of_the_processors() {
    let d = normals_distance(&normals_kernel());
    assert!(d <= LIMIT, "normals differ by {d}");
}

#[test]
fn broken_normals_are_rejected() {
    for (right, wrong) in [
        ("i < starts[p + 1u]", "i + 1u < starts[p + 1u]"),
        ("params.least * dot", "1.01 * params.least * dot"),
        ("select(near, all, is_flat)", "near"),
    ] {
        assert!(normals_kernel().contains(right), "the kernel no longer says \"{right}\"");
        let d = normals_distance(&normals_kernel().replace(right, wrong));
        assert!(d > LIMIT || d.is_nan(), "\"{wrong}\" passes at {d}");
    }
}
