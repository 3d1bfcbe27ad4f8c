//! Implicit skinning on the device against the processor: every step from the same state, then whole frames.

use glam::{Affine3A, DAffine3, DVec3, Vec3};
use std::collections::BTreeSet;
use supple::{
    deform::{
        Settings,
        implicit::{Implicit, StepSeen},
    },
    example::{ArmOptions, FigureOptions, HandOptions, arm, figure, hand},
    graph::DeformGraph,
    pose::{Motion, Pose},
    rig::Rig,
};
use supple_gpu::{Engine, Gpu, GpuGraph, ImplicitStages, StageState};
use supple_testkit::largest_distance;

fn gpu() -> Gpu {
    pollster::block_on(Gpu::open()).expect("a Vulkan driver is needed; on Debian: mesa-vulkan-drivers")
}

fn method(settings: &str) -> Implicit {
    let settings: Settings = serde_json::from_str(settings).expect("JSON");
    Implicit::from_settings(&settings).expect("settings of the method")
}

fn bent_arm(vertices: usize, degrees: f64) -> (Rig, Motion) {
    let rig = arm(&ArmOptions { vertices, ..ArmOptions::default() }).expect("it can be made");
    let mut pose = Pose::rest(&rig);
    pose.bend(&rig, "forearm", degrees, None).expect("the joint exists");
    let motion = Motion::of(&rig, &pose);
    (rig, motion)
}

/// Bent by 150 degrees; limbs that are twisted against each other have no crease.
fn twisted_arm(vertices: usize) -> (Rig, Motion) {
    let rig = arm(&ArmOptions { vertices, ..ArmOptions::default() }).expect("it can be made");
    let mut pose = Pose::rest(&rig);
    pose.twist(&rig, "forearm", 90.0).expect("the joint exists");
    pose.bend(&rig, "forearm", 150.0, None).expect("the joint exists");
    let motion = Motion::of(&rig, &pose);
    (rig, motion)
}

fn fist(vertices: usize) -> (Rig, Motion) {
    closing_fist(vertices, 0.5)
}

/// At a part of the clip.
fn closing_fist(vertices: usize, part: f64) -> (Rig, Motion) {
    let rig = hand(&HandOptions { vertices, ..Default::default() }).expect("it can be made");
    let clip = &rig.clips[0];
    let motion = Motion::of(&rig, &clip.sample(&rig, part * f64::from(clip.duration())));
    (rig, motion)
}

/// Half of its joints are of the kind that is doubted.
fn crouch(vertices: usize) -> (Rig, Motion) {
    let rig = figure(&FigureOptions { vertices, ..Default::default() }).expect("it can be made");
    let clip = rig.clip("crouch").expect("it has one");
    let motion = Motion::of(&rig, &clip.sample(&rig, 0.5 * f64::from(clip.duration())));
    (rig, motion)
}

/// How one step differs, from the same state.
#[derive(Clone, Debug)]
struct Difference {
    step: &'static str,
    /// Points in all.
    of: usize,
    /// Points that differ by more than 1e-6 of the diagonal, and the largest difference.
    points: usize,
    worst: f32,
    /// The largest difference among the others.
    smooth: f32,
    /// Shares of smoothing, or contact, that differ.
    shares: usize,
    /// Marks that differ.
    marks: usize,
    /// Whether the same points are around contact.
    lists_agree: bool,
}

const LIMIT: f32 = 1e-6;

fn apart(distance: f32, limit: f32) -> bool {
    distance > limit || distance.is_nan()
}

/// The processor's points as the device holds them.
fn state(step: &StepSeen, walks: &[[f32; 3]]) -> StageState {
    let spread = !matches!(step.name, "start" | "leave" | "fit");
    StageState {
        at: step.points.iter().map(|p| p.at.into()).collect(),
        from: step.points.iter().map(|p| p.from.into()).collect(),
        walks: walks.to_vec(),
        marks: step
            .points
            .iter()
            .map(|p| u32::from(p.touched) + 2 * u32::from(p.pressed) + 4 * u32::from(p.moves))
            .collect(),
        beta: step.points.iter().map(|p| if spread { p.beta } else { f32::from(u8::from(p.contact)) }).collect(),
        around_contact: step.smoothed.clone(),
    }
}

fn differences(
    gpu: &Gpu,
    method: &Implicit,
    rig: &Rig,
    motion: &Motion,
    change: impl Fn(&str) -> String,
) -> Vec<Difference> {
    let mut device = ImplicitStages::new(gpu, method, rig, change).expect("it binds");
    let mut tables = method.tables(rig).expect("it binds");
    device.start(motion);
    let steps = tables.trace(&device.posed().expect("it comes back"), motion);
    let diagonal = rig.diagonal();
    let mut walks = vec![[0.0; 3]; tables.first_of().len()];
    let mut found = Vec::new();
    for (k, step) in steps.iter().enumerate() {
        if k > 1 {
            device.write(&state(&steps[k - 1], &walks));
        }
        device.run(step.name);
        let here = device.read(step.name).expect("it comes back");
        let expected = state(step, &walks);
        let off: Vec<f32> = if step.name == "end" {
            let moved = device.moved().expect("it comes back");
            let posed = device.posed().expect("it comes back");
            let at = |v: usize| {
                let place = tables.place_of()[v] as usize;
                posed[v].lerp(expected.at[place], tables.share(place))
            };
            (0..moved.len()).map(|v| moved[v].distance(at(v)) / diagonal).collect()
        } else {
            here.at.iter().zip(&expected.at).map(|(a, b)| a.distance(*b) / diagonal).collect()
        };
        let far = |d: &&f32| apart(**d, LIMIT);
        let set = |list: &[u32]| list.iter().copied().collect::<BTreeSet<u32>>();
        found.push(Difference {
            step: step.name,
            of: off.len(),
            points: off.iter().filter(far).count(),
            worst: off.iter().fold(0.0, |worst, d| if *d <= worst { worst } else { *d }),
            smooth: off.iter().filter(|d| !far(d)).fold(0.0, |a, b| a.max(*b)),
            shares: here.beta.iter().zip(&expected.beta).filter(|(a, b)| apart((*a - *b).abs(), 1e-6)).count(),
            marks: here.marks.iter().zip(&expected.marks).filter(|(a, b)| a != b).count(),
            lists_agree: here.around_contact.len() == expected.around_contact.len()
                && set(&here.around_contact) == set(&expected.around_contact),
        });
        let turn = match step.name {
            "leave" => 0,
            "leave again" => 1,
            "last leave" => 2,
            _ => continue,
        };
        walks.iter_mut().zip(&step.points).for_each(|(w, p)| w[turn] = p.walk);
    }
    found
}

const OPERATORS: [&str; 4] = ["union", "blend", "bulge", "blend-bulge"];

fn with_operator(operator: &str) -> Implicit {
    method(&format!("{{\"operator\": \"{operator}\"}}"))
}

/// Steps that decide nothing: means and halves of what the step before has left.
fn is_smooth(step: &str) -> bool {
    matches!(step, "start" | "contact" | "smooth" | "smooth again" | "end")
}

/// Whether every step agrees: to the limit where it decides nothing, and where a point may fall to the other side of a contact,
/// for all but one point in two hundred.
fn agrees(found: &[Difference]) -> bool {
    found.iter().all(|d| {
        let few = if is_smooth(d.step) { 0 } else { d.of / 200 };
        d.points <= few && d.shares <= few && d.marks <= few && d.lists_agree && (d.points == 0 || d.worst < 0.01)
    })
}

#[test]
fn every_step_is_the_twin_of_the_processors() {
    let gpu = gpu();
    // And one that few joints have, which then have other numbers among the joined than among all.
    let few = r#"{"joints": {"index_intermediate": {"operator": "blend"}, "ring_proximal": {"operator": "blend"}}}"#;
    let methods = OPERATORS.map(|o| (o, with_operator(o)));
    for (operator, method) in methods.into_iter().chain([("blend at few joints", method(few))]) {
        for (rig, motion) in [bent_arm(700, 130.0), fist(1000), crouch(1200)] {
            if !method.joints.keys().all(|j| rig.skeleton.find(j).is_some()) {
                continue;
            }
            let found = differences(&gpu, &method, &rig, &motion, str::to_owned);
            assert_eq!(found.len(), 10, "the pose should touch: {found:?}");
            assert!(agrees(&found), "{operator} on {}: {found:#?}", rig.name);
            let exact = found.iter().map(|d| d.smooth).fold(0.0, f32::max);
            assert!(exact <= LIMIT, "{operator} on {}: {exact}", rig.name);
        }
    }
}

/// Distances of whole frames over the diagonal, largest first.
fn frame(gpu: &Gpu, method: &Implicit, rig: &Rig, motion: &Motion) -> Vec<f32> {
    let graph = graph(method);
    let mut bound = graph.bind(rig).expect("it binds");
    let mut on_device =
        pollster::block_on(GpuGraph::bind(gpu, &graph.binding(rig).expect("it binds"), rig)).expect("it binds");
    on_device.run(motion).expect("it runs");
    let mut points = vec![Vec3::ZERO; rig.mesh.positions.len()];
    on_device.read(&mut points).expect("it comes back");
    let expected = bound.evaluate(&rig.mesh.positions, motion);
    let mut off: Vec<f32> = points.iter().zip(expected).map(|(a, b)| a.distance(*b) / rig.diagonal()).collect();
    off.sort_by(|a, b| b.total_cmp(a));
    off
}

fn graph(method: &Implicit) -> DeformGraph {
    DeformGraph::single_with("implicit", &method.to_settings()).expect("settings of the method")
}

#[test]
fn whole_frames_agree() {
    let gpu = gpu();
    for operator in ["union", "blend-bulge"] {
        for (rig, motion) in [bent_arm(1500, 90.0), bent_arm(700, 135.0), fist(1000), crouch(1200)] {
            let off = frame(&gpu, &with_operator(operator), &rig, &motion);
            // Where a point falls to the other side of a contact, its ring follows it a little.
            assert!(off[off.len() / 200] <= 1e-5 && off[0] < 0.01, "{operator} on {}: {:?}", rig.name, &off[..12]);
        }
    }
}

#[test]
fn rest_stays_exactly() {
    let (gpu, (rig, _)) = (gpu(), fist(1000));
    let mut on_device =
        pollster::block_on(GpuGraph::bind(&gpu, &graph(&method("{}")).binding(&rig).expect("it binds"), &rig))
            .expect("it binds");
    let mut start = DeformGraph::single("dual-quaternion").expect("registered").bind(&rig).expect("it binds");
    for motion in
        [Motion::of(&rig, &Pose::rest(&rig)), Motion::uniform(rig.skeleton.len(), DAffine3::from_rotation_z(1.0))]
    {
        on_device.run(&motion).expect("it runs");
        let mut points = vec![Vec3::ZERO; rig.mesh.positions.len()];
        on_device.read(&mut points).expect("it comes back");
        let off = largest_distance(&points, start.evaluate(&rig.mesh.positions, &motion), rig.diagonal());
        assert!(off <= 2e-7, "moved by {off} where nothing touches");
    }
}

#[test]
fn settings_reach_the_device() {
    let gpu = gpu();
    let (rig, motion) = bent_arm(700, 120.0);
    for settings in [
        r#"{"start": "linear", "amount": 0.5}"#,
        r#"{"rounds": 0}"#,
        r#"{"rounds": 3, "diffusion": 0, "smoothing": 2}"#,
        r#"{"diffusion": 1, "smoothing": 0, "last_smoothing": 1}"#,
        r#"{"diffusion": 9, "smoothing": 4, "sigma": 0.4, "contact_angle": 50.0, "resolution": 20}"#,
        r#"{"joints": {"forearm": {"operator": {"kind": "bulge", "size": 0.3}}}}"#,
    ] {
        let off = frame(&gpu, &method(settings), &rig, &motion);
        assert!(off[off.len() / 200] <= 1e-5 && off[0] < 0.01, "{settings}: {:?}", &off[..12]);
    }
    let relaxed = graph(&method(r#"{"relaxation": 0.5}"#));
    let engine =
        pollster::block_on(Engine::bind(&relaxed, &rig, Ok(&gpu))).map(|mut e| (e.on_device(), e.take_notices()));
    let (on_device, notices) = engine.expect("the processor binds");
    assert!(!on_device && notices[0].contains("relaxation"), "{notices:?}");
}

#[test]
fn morphs_change_the_values_on_the_device() {
    let (gpu, (rig, motion)) = (gpu(), bent_arm(700, 100.0));
    let graph = graph(&method("{}"));
    let mut engine = pollster::block_on(Engine::bind(&graph, &rig, Ok(&gpu))).expect("it binds");
    let swollen: Vec<Vec3> = rig.mesh.positions.iter().map(|p| *p * Vec3::new(1.0, 1.03, 1.03)).collect();
    let expected = graph.bind(&rig).expect("it binds").evaluate(&swollen, &motion).to_vec();
    let found = engine.evaluate(&swollen, &motion).to_vec();
    assert!(engine.on_device());
    let far = found.iter().zip(&expected).filter(|(a, b)| apart(a.distance(**b), 1e-5 * rig.diagonal())).count();
    assert!(far <= rig.mesh.positions.len() / 200, "{far} points differ");
}

#[test]
fn a_joint_that_is_flat_or_not_finite_leaves_finite_points() {
    let (gpu, (rig, motion)) = (gpu(), bent_arm(700, 100.0));
    let mut on_device =
        pollster::block_on(GpuGraph::bind(&gpu, &graph(&method("{}")).binding(&rig).expect("it binds"), &rig))
            .expect("it binds");
    let mut points = vec![Vec3::ZERO; rig.mesh.positions.len()];
    let mut flat = motion.clone();
    flat.exact[1] *= DAffine3::from_scale(DVec3::new(1.0, 0.0, 1.0));
    flat.posed_from_rest[1] *= Affine3A::from_scale(Vec3::new(1.0, 0.0, 1.0));
    on_device.run(&flat).expect("it runs");
    on_device.read(&mut points).expect("it comes back");
    assert!(points.iter().all(|p| p.is_finite()));
    let mut lost = motion.clone();
    lost.exact[1].translation.x = f64::NAN;
    lost.posed_from_rest[1].translation.x = f32::NAN;
    on_device.run(&lost).expect("it runs");
    // And the frame after it is as if it had never been.
    on_device.run(&motion).expect("it runs");
    on_device.read(&mut points).expect("it comes back");
    let mut bound = graph(&method("{}")).bind(&rig).expect("it binds");
    let expected = bound.evaluate(&rig.mesh.positions, &motion);
    let far = points.iter().zip(expected).filter(|(a, b)| apart(a.distance(**b), 1e-5 * rig.diagonal())).count();
    assert!(far <= points.len() / 200, "{far} points differ");
}

#[test]
fn broken_kernels_are_rejected() {
    let gpu = gpu();
    let (small, large, deep) = (bent_arm(700, 130.0), fist(700), twisted_arm(1500));
    let doubted = crouch(700);
    let united = closing_fist(1500, 0.45);
    let (method, union) = (with_operator("blend-bulge"), with_operator("union"));
    let unbroken = differences(&gpu, &method, &deep.0, &deep.1, str::to_owned);
    assert!(agrees(&unbroken), "{unbroken:#?}");
    let mut unseen = Vec::new();
    for (right, wrong) in BREAKS {
        // An arm has two limbs, and all that it touches it is jointed to: it does so in a crease.
        let pose = if ["reach", "WALK", "[turn]", "LEAST_ROUNDING", "closing"].iter().any(|w| right.contains(w)) {
            &large
        } else {
            &small
        };
        // Nor does skin go far there, nor does it doubt anything.
        let pose = if right.contains("(pair) & 1u") { &deep } else { pose };
        let (rig, motion) = if right.contains("share_of") || right.contains("65535") { &doubted } else { pose };
        let change = |text: &str| {
            assert!(text.contains(right), "the text no longer says \"{right}\"");
            text.replace(right, wrong)
        };
        // A blend rounds most folds that are not creases.
        let unites = right.contains("CONTACT_BENDS");
        let (rig, motion) = if unites { (&united.0, &united.1) } else { (rig, motion) };
        let found = differences(&gpu, if unites { &union } else { &method }, rig, motion, change);
        if agrees(&found) {
            unseen.push(wrong);
        }
    }
    assert!(unseen.is_empty(), "these pass: {unseen:#?}");
}

/// What each part says, and a wrong way to say it.
const BREAKS: [(&str, &str); 29] = [
    // A limb's field.
    ("0.5 * (dot(t, sum.xyz)", "0.45 * (dot(t, sum.xyz)"),
    ("job.deficit) / closing", "job.deficit) / (0.5 * closing)"),
    // Which limbs are near.
    ("all(at - reach <=", "all(at + reach <="),
    // Creases.
    ("mix(plane, fields, share)", "mix(fields, plane, share)"),
    ("SKIN_SLOPE * (dot", "0.25 * (dot"),
    // Pairs.
    ("(sides.x << 6u) | sides.y", "(sides.x << 6u) | sides.x"),
    // The march.
    ("dot(here.xyz, here.xyz);\n    if slope", "1.1 * dot(here.xyz, here.xyz);\n    if slope"),
    ("job.turns == ISO_ROOT_STEPS", "job.turns == 1u"),
    ("job.turns == CONTACT_BISECTIONS", "job.turns == 3u"),
    // The owner rule.
    ("job.turns == WALK_ROOT_STEPS || job.span.w < WALK_TOLERANCE", "true"),
    ("fold.towards) > 0.0;\n}", "fold.towards) < 0.0;\n}"),
    ("felt.other.w) + LEAST_ROUNDING", "felt.other.w) + 1.0"),
    (
        "smoothstep(CONTACT_BENDS[0], CONTACT_BENDS[1], fold",
        "0.5 * smoothstep(CONTACT_BENDS[0], CONTACT_BENDS[1], fold",
    ),
    ("RING_SLACK * known[i].edge) / walks(i)[turn]", "0.1 * known[i].edge) / walks(i)[turn]"),
    // Creases.
    ("CREASE_BENDS[1], crease.fold.turned) *", "CREASE_BENDS[1], crease.fold.turned) * 0.9 *"),
    ("crease.fold.bend * crease.outward", "crease.fold.bend * crease.fold.towards"),
    ("k < CREASE_ROOT_STEPS && left", "k < 1u && left"),
    ("mix(plane, at, f32(k)", "mix(plane, at, 0.5 * f32(k)"),
    ("pushed_inside(crease, job.at, here, PUSH_STEPS)", "Met(job.at, false)"),
    ("marks(job.i) & PRESSED) != 0u", "marks(job.i) & PRESSED) == 9u"),
    // How far points may go.
    ("joined(pair) & 1u) != 0u", "joined(pair) & 1u) == 0u"),
    ("LONGEST_LAST_WALK * known", "9.0 * LONGEST_LAST_WALK * known"),
    // Doubts.
    ("f32(word >> 16u) / 65535.0", "0.9 * f32(word >> 16u) / 65535.0"),
    ("share_of(job.i) <= LEAST_SHARE", "share_of(job.i) < 0.0"),
    ("max(share_of(i), min(KEPT_PER_BETA", "max(share_of(i), min(1.0"),
    // Contact and smoothing.
    ("sum / f32(count), count > 0u", "sum / f32(count + 1u), count > 0u"),
    ("share > LEAST_BETA", "share > 0.5"),
    ("at = at * (1.0 - share) + middle * share;", "at = at * (1.0 - share) + middle * 0.99 * share;"),
    ("at = at * (1.0 - evens) + along * evens;", "at = at * (1.0 - evens) + along * 0.99 * evens;"),
];
