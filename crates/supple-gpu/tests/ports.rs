//! What flows between nodes besides points: a node that gives a number for each vertex, wired and misplaced.

use std::sync::{Arc, Once};
use supple::{
    deform::{BindError, Bound, Deformer, Frame, Kind, Port, SettingError, Settings, Space, State, setting::Checked},
    example::{ArmOptions, arm},
    graph::{DeformGraph, Kernel, Method, register},
    pose::{Motion, Pose},
    rig::Rig,
};
use supple_gpu::{Engine, Gpu};
use supple_testkit::largest_distance;

/// How far along the arm a vertex lies in this frame, from 0 to 1.
#[derive(Debug)]
struct Along;

const ALONG: Method = Method {
    name: "along",
    summary: "how far along the first axis each vertex lies",
    paper: "none: it is in the tests alone",
    settings: &[],
    stands_alone: false,
    kernel: Kernel::None("a test has no kernel"),
    make: |settings: &Settings| -> Result<Box<dyn Deformer>, SettingError> {
        Checked::of("along", &[], settings).map(|_| Box::new(Along) as Box<dyn Deformer>)
    },
};

/// Gives three points, whatever the rig.
#[derive(Debug)]
struct Few;

const FEW: Method = Method {
    name: "few",
    summary: "three points",
    make: |settings: &Settings| -> Result<Box<dyn Deformer>, SettingError> {
        Checked::of("few", &[], settings).map(|_| Box::new(Few) as Box<dyn Deformer>)
    },
    ..ALONG
};

impl Deformer for Few {
    fn method(&self) -> &'static str {
        "few"
    }

    fn settings(&self) -> Settings {
        Settings::new()
    }

    fn bind(&self, _: &Rig) -> Result<Arc<dyn Bound>, BindError> {
        Ok(Arc::new(BoundFew))
    }
}

struct BoundFew;

impl Bound for BoundFew {
    fn state(self: Arc<Self>) -> Box<dyn State> {
        Box::new(Running)
    }

    fn rows(&self, _: usize) -> usize {
        3
    }

    fn bytes_per_frame(&self) -> usize {
        0
    }
}

impl Deformer for Along {
    fn method(&self) -> &'static str {
        "along"
    }

    fn settings(&self) -> Settings {
        Settings::new()
    }

    fn inputs(&self) -> &'static [Port] {
        const POSED: [Port; 1] = [Port::new("points", Kind::Points(Space::Posed))];
        &POSED
    }

    fn output(&self) -> Kind {
        Kind::Numbers
    }

    fn bind(&self, _: &Rig) -> Result<Arc<dyn Bound>, BindError> {
        Ok(Arc::new(BoundAlong))
    }
}

struct BoundAlong;

impl Bound for BoundAlong {
    fn state(self: Arc<Self>) -> Box<dyn State> {
        Box::new(Running)
    }

    fn bytes_per_frame(&self) -> usize {
        0
    }
}

struct Running;

impl State for Running {
    fn run(&mut self, frame: &Frame<'_>, out: &mut [f32]) {
        for (out, point) in out.iter_mut().zip(frame.inputs[0].points()) {
            *out = (0.5 + point.x).clamp(0.0, 1.0);
        }
    }
}

fn graph(nodes: &str, output: &str) -> Result<DeformGraph, String> {
    static ADDED: Once = Once::new();
    ADDED.call_once(|| register(&[ALONG, FEW]).expect("nobody has looked at the registry"));
    let json = format!(r#"{{"version": 1, "output": "{output}", "nodes": [{nodes}]}}"#);
    DeformGraph::from_json(&json).map_err(|e| e.to_string())
}

const BOTH: &str = r#"
    {"name": "soft", "method": "linear", "inputs": ["rest"]},
    {"name": "firm", "method": "dual-quaternion", "inputs": ["rest"]},
    {"name": "share", "method": "along", "inputs": ["soft"]}"#;

#[test]
fn a_mix_takes_its_amount_from_a_node_of_numbers() {
    let rig = arm(&ArmOptions { vertices: 600, ..Default::default() }).expect("an arm");
    let mut pose = Pose::rest(&rig);
    pose.twist(&rig, "forearm", 120.0).expect("a joint");
    let motion = Motion::of(&rig, &pose);
    let mixed =
        graph(&format!(r#"{BOTH}, {{"name": "both", "method": "mix", "inputs": ["soft", "firm", "share"]}}"#), "both");
    let mixed = mixed.expect("it is wired right");
    let of = |method: &str| {
        let mut bound = DeformGraph::single(method).expect("registered").bind(&rig).expect("it binds");
        bound.evaluate(&rig.mesh.positions, &motion).to_vec()
    };
    let (soft, firm) = (of("linear"), of("dual-quaternion"));
    let expected: Vec<_> = soft
        .iter()
        .zip(&firm)
        .map(|(a, b)| {
            let share = (0.5 + a.x).clamp(0.0, 1.0);
            *a * (1.0 - share) + *b * share
        })
        .collect();
    let mut bound = mixed.bind(&rig).expect("it binds");
    assert_eq!(bound.evaluate(&rig.mesh.positions, &motion), expected);
    assert_ne!(soft, expected);
    // On a device the points of one node come back, and the numbers made of them go there.
    let gpu = pollster::block_on(Gpu::open()).expect("a Vulkan driver is needed; on Debian: mesa-vulkan-drivers");
    let mut engine = pollster::block_on(Engine::bind(&mixed, &rig, Ok(&gpu))).expect("it binds");
    let off = largest_distance(engine.evaluate(&rig.mesh.positions, &motion), &expected, rig.diagonal());
    assert!(off <= 1e-6, "off by {off} of the diagonal");
    let crossing: Vec<_> = engine.explain().into_iter().filter(|e| e.crosses).map(|e| e.node).collect();
    assert_eq!(crossing, ["soft", "share"]);
}

#[test]
fn wrong_wiring_is_refused_in_the_words_of_the_ports() {
    let mix = |inputs: &str, output: &str| {
        let nodes = format!(r#"{BOTH}, {{"name": "both", "method": "mix", "inputs": {inputs}}}"#);
        graph(&nodes, output).expect_err("it is wired wrong")
    };
    assert_eq!(
        mix(r#"["soft", "firm", "firm"]"#, "both"),
        "node \"both\" (mix): \"amount\" takes numbers, one for each vertex, but \"firm\" gives posed points"
    );
    assert_eq!(
        mix(r#"["soft", "share"]"#, "both"),
        "node \"both\" (mix): \"second\" takes points, but \"share\" gives numbers, one for each vertex"
    );
    assert_eq!(
        mix(r#"["soft"]"#, "both"),
        "node \"both\" (mix) has 1 inputs, expected 2 to 3: \"first\", \"second\", \"amount\" (optional)"
    );
    assert_eq!(
        mix(r#"["soft", "firm"]"#, "share"),
        "the output \"share\" gives numbers, one for each vertex: the result of a graph is points"
    );
}

#[test]
fn points_and_numbers_are_one_for_each_vertex() {
    let rig = arm(&ArmOptions { vertices: 600, ..Default::default() }).expect("an arm");
    let graph = graph(r#"{"name": "some", "method": "few", "inputs": ["rest"]}"#, "some").expect("it is wired right");
    let refused = graph.binding(&rig).err().expect("three points are not enough").to_string();
    let vertices = rig.mesh.positions.len();
    assert_eq!(refused, format!("node \"some\" (few) gives posed points, but 3 of them for {vertices} vertices"));
}
