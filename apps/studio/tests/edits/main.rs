//! The studio's model without a window: every edit, undo, and what is written and read.

mod files;
mod kept;
mod undo;

use glam::Vec3;
use serde_json::json;
use std::{collections::BTreeMap, path::Path};
use supple::{
    deform::implicit::{JointSettings, MovedSample, SampleRef},
    field::{Opening, Operator, Point},
    fit::Template,
    graph::DeformGraph,
    pose::JointPose,
    project::{Project, WeightSource},
    rig::{Morph, Rig, Topology},
};
use supple_studio::model::{
    Backdrop, Brush, BrushMode, Change, Command, Curve, Document, Edit, ExportKind, Mark, PictureOptions, PictureSize,
    Playback, Reach, Rows, Sampled, dab,
};

use files::save;

fn arm() -> Document {
    Document::example("arm").unwrap()
}

/// What a brush on points that are here reaches.
fn dab_at(
    rig: &Rig,
    topology: &Topology,
    points: &[Vec3],
    (triangle, at): (usize, Vec3),
    joint: usize,
    brush: &Brush,
) -> Rows {
    let away = points.iter().map(|p| p.distance(at));
    let near: Vec<(u32, f32)> = (0..).zip(away).filter(|(_, away)| *away <= brush.radius).collect();
    let corners = rig.mesh.triangles[triangle].map(|v| points[v as usize].distance(at));
    dab(rig, topology, &Reach { triangle, corners, near: &near }, joint, brush)
}

fn turn(rotation: [f64; 4]) -> JointPose {
    JointPose { rotation: Some(rotation), translation: None, scale: None }
}

/// An arm in a file, with a shape that can be added.
fn with_morph(folder: &Path) -> Document {
    let mut rig = Rig::clone(arm().rig());
    let (name, default_weight) = ("flex".to_owned(), 0.0);
    rig.morphs.push(Morph { name, default_weight, vertices: vec![0, 1], deltas: vec![Vec3::X, Vec3::Y] });
    let mut bytes = Vec::new();
    supple::write::gltf::rig(&rig, &mut bytes).unwrap();
    let path = folder.join("flexing.glb");
    std::fs::write(&path, bytes).unwrap();
    Document::open(&path).unwrap()
}

fn k_of(document: &Document) -> f64 {
    match &document.project().weights.source {
        WeightSource::Flexible { k, .. } => *k,
        other => panic!("{other:?}"),
    }
}

/// One of each, in an order in which each can be done, with the character it is done to.
fn every_edit() -> Vec<(&'static str, Edit)> {
    let own = JointSettings {
        operator: Some(Operator::finger()),
        cap: Some(0.5),
        remove: vec![1.into(), SampleRef::At([2.0, 0.4, 0.1])],
        moved: vec![MovedSample { from: 2.into(), to: [2.0, 0.5, 0.0] }],
        add: vec![[2.0, 0.5, 0.0, 0.0, 1.0, 0.0]],
    };
    let turned = turn([0.0, 0.0, 0.6, 0.8]);
    let rows = BTreeMap::from([(3, vec![("forearm".to_owned(), 0.25), ("upper_arm".to_owned(), 0.75)])]);
    let edits = [
        Edit::Setting { node: None, key: "operator".into(), value: Some(json!("blend")) },
        Edit::Joint { joint: "forearm".into(), settings: Some(own.into()) },
        Edit::Graph { graph: DeformGraph::single("delta-mush").unwrap().to_file() },
        Edit::Method { name: "linear".into() },
        Edit::Clip { name: Some("bend".into()) },
        Edit::Time { seconds: 0.5 },
        Edit::Pose { joint: "forearm".into(), pose: Some(turned) },
        Edit::ClearPose,
        Edit::Weights { source: WeightSource::heat() },
        Edit::K { k: 1.25 },
        Edit::JointK { joint: "forearm".into(), k: Some(0.1) },
        Edit::Paint { stroke: 1, rows },
        Edit::ClearPaint,
        Edit::MoveJoint { joint: "forearm".into(), to: Some([1.9, 0.05, 0.0]) },
    ];
    let figure = Edit::Template { template: Some(Template::Human) };
    edits.into_iter().map(|e| ("arm", e)).chain([("figure", figure)]).collect()
}

/// A variant that is added without being tested here does not compile.
#[allow(dead_code)]
fn all_are_listed(edit: &Edit) {
    match edit {
        Edit::Method { .. } | Edit::Setting { .. } | Edit::Joint { .. } | Edit::Graph { .. } | Edit::Pose { .. } => {}
        Edit::Morph { .. } | Edit::ClearPose | Edit::Clip { .. } | Edit::Time { .. } | Edit::Weights { .. } => {}
        Edit::K { .. } | Edit::JointK { .. } | Edit::Paint { .. } | Edit::ClearPaint => {}
        Edit::MoveJoint { .. } | Edit::Template { .. } | Edit::Motions { .. } => {}
    }
}

#[test]
fn every_edit_is_done_undone_and_redone() {
    let mut document = arm();
    let mut name = "arm";
    for (of, edit) in every_edit() {
        if of != name {
            (document, name) = (Document::example(of).unwrap(), of);
        }
        let (before, rig) = (document.project().clone(), document.rig().weights.clone());
        document.edit(&edit).unwrap_or_else(|e| panic!("{edit:?}: {e}"));
        document.history.close();
        let (after, edited) = (document.project().clone(), document.rig().weights.clone());
        assert_ne!(before, after, "{edit:?}");
        document.undo();
        assert_eq!((document.project(), &document.rig().weights), (&before, &rig), "{edit:?}");
        document.redo();
        assert_eq!((document.project(), &document.rig().weights), (&after, &edited), "{edit:?}");
    }
}

#[test]
fn every_edit_survives_saving_and_loading() {
    let folder = tempfile::tempdir().unwrap();
    for (number, (of, edit)) in every_edit().into_iter().enumerate() {
        let mut document = Document::example(of).unwrap();
        if matches!(edit, Edit::Time { .. }) {
            document.edit(&Edit::Clip { name: Some("bend".into()) }).unwrap();
        }
        document.edit(&edit).unwrap();
        let path = folder.path().join(format!("{number}.json"));
        save(&mut document, &path).unwrap();
        let loaded = Document::open(&path).unwrap_or_else(|e| panic!("{edit:?}: {e}"));
        let plain = |d: &Document| Project { rig: None, view: None, ..Project::clone(d.project()) };
        assert_eq!(plain(&loaded), plain(&document), "{edit:?}");
        assert_eq!(loaded.rig().skeleton.len(), document.rig().skeleton.len(), "{edit:?}");
    }
}

#[test]
fn morphs_are_edited_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let mut document = with_morph(folder.path());
    let weight = |d: &Document| d.pose(0.0).morph_weights[0];
    document.edit(&Edit::Morph { name: "flex".into(), weight: 0.5 }).unwrap();
    assert_eq!(weight(&document), 0.5);
    document.undo();
    assert_eq!(weight(&document), 0.0);
    document.redo();
    let path = folder.path().join("morph.json");
    save(&mut document, &path).unwrap();
    assert_eq!(weight(&Document::open(&path).unwrap()), 0.5);
    assert!(document.edit(&Edit::Morph { name: "flex".into(), weight: f32::NAN }).is_err());
}

#[test]
fn edits_are_said_in_scripts() {
    for (_, edit) in every_edit() {
        let text = serde_json::to_string(&edit).unwrap();
        assert_eq!(serde_json::from_str::<Edit>(&text).unwrap(), edit, "{text}");
    }
}

#[test]
fn a_drag_is_one_step_of_undo_and_the_next_drag_another() {
    let mut document = arm();
    document.edit(&Edit::Weights { source: WeightSource::flexible() }).unwrap();
    document.history.close();
    for k in [0.6, 0.7, 0.8] {
        document.edit(&Edit::K { k }).unwrap();
    }
    document.history.close();
    for k in [0.9, 1.0] {
        document.edit(&Edit::K { k }).unwrap();
    }
    document.undo();
    assert_eq!(k_of(&document), 0.8);
    document.undo();
    assert_eq!(k_of(&document), 0.5);
    document.redo();
    document.redo();
    assert_eq!(k_of(&document), 1.0);
    // After a step of undo nothing goes on with what was taken back.
    document.undo();
    document.edit(&Edit::K { k: 0.3 }).unwrap();
    document.undo();
    assert_eq!(k_of(&document), 0.8);
}

#[test]
fn strokes_of_one_number_are_one_step() {
    let mut document = arm();
    let row = |share: f32| vec![("forearm".to_owned(), share), ("upper_arm".to_owned(), 1.0 - share)];
    let paint = |stroke, vertex, share| Edit::Paint { stroke, rows: BTreeMap::from([(vertex, row(share))]) };
    for (stroke, vertex) in [(1, 0), (1, 1), (2, 2)] {
        document.edit(&paint(stroke, vertex, 0.5)).unwrap();
    }
    let painted = |d: &Document| d.project().weights.painted.rows.len();
    assert_eq!(painted(&document), 3);
    document.undo();
    assert_eq!(painted(&document), 2);
    document.undo();
    assert_eq!(painted(&document), 0);
}

#[test]
fn what_is_refused_leaves_everything_as_it_was() {
    let mut document = arm();
    let (project, rig) = (document.project().clone(), document.rig().clone());
    let joint = |name: &str| Edit::Joint { joint: name.into(), settings: Some(JointSettings::default().into()) };
    let row = |name: &str, w: f32| Edit::Paint { stroke: 1, rows: BTreeMap::from([(0, vec![(name.into(), w)])]) };
    let cases = [
        (Edit::Method { name: "magic".into() }, "magic"),
        (Edit::Setting { node: None, key: "sigma".into(), value: Some(json!(-3)) }, "sigma"),
        (Edit::Setting { node: Some("nobody".into()), key: "sigma".into(), value: None }, "nobody"),
        (joint("forarm"), "forearm"),
        (Edit::Clip { name: Some("dance".into()) }, "dance"),
        (Edit::Time { seconds: f64::NAN }, "time"),
        (Edit::K { k: -1.0 }, "K is -1"),
        (Edit::K { k: f64::INFINITY }, "K is inf"),
        (Edit::JointK { joint: "forarm".into(), k: Some(1.0) }, "forearm"),
        (row("forarm", 1.0), "forearm"),
        (row("forearm", -1.0), "vertex 0"),
        (row("forearm", f32::NAN), "painted weight"),
        (Edit::Paint { stroke: 1, rows: BTreeMap::from([(4_000_000, vec![("forearm".into(), 1.0)])]) }, "4000000"),
        (Edit::MoveJoint { joint: "forearm".into(), to: Some([f64::NAN, 0.0, 0.0]) }, "place"),
        (Edit::Template { template: Some(Template::Hand) }, ""),
        (Edit::Morph { name: "smile".into(), weight: 1.0 }, "smile"),
        (Edit::Pose { joint: "forearm".into(), pose: Some(turn([f64::NAN; 4])) }, "forearm"),
    ];
    for (edit, said) in cases {
        let error = document.edit(&edit).expect_err(&format!("{edit:?}")).to_string();
        assert!(error.contains(said) && !error.contains('\n'), "{edit:?}: {error}");
        assert_eq!(document.project(), &project, "{edit:?}");
        assert!(std::sync::Arc::ptr_eq(document.rig(), &rig), "{edit:?}");
        assert_eq!(document.history.undo_words(), None, "{edit:?}");
    }
    let mut linear = arm();
    linear.edit(&Edit::Method { name: "linear".into() }).unwrap();
    assert!(linear.edit(&joint("forearm")).unwrap_err().to_string().contains("implicit"));
}

#[test]
fn what_takes_long_can_be_prepared_elsewhere() {
    let mut document = arm();
    let plan = |d: &Document, edit: &Edit| d.plan(Change::Edit(edit.clone())).unwrap().unwrap();
    let flexible = Edit::Weights { source: WeightSource::flexible() };
    assert!(!plan(&document, &flexible).is_quick());
    let first = plan(&document, &flexible);
    let (first, prepared) = std::thread::spawn(move || {
        let prepared = first.prepare();
        (first, prepared)
    })
    .join()
    .unwrap();
    document.carry_out(first, prepared.unwrap());
    assert_eq!(document.history.undo_words().as_deref(), Some("weights"));
    // Distances are known now: a slider can be dragged, and undone.
    assert!(plan(&document, &Edit::K { k: 0.9 }).is_quick());
    assert!(document.plan(Change::Undo).unwrap().unwrap().is_quick());
    assert!(document.plan(Change::Redo).unwrap().is_none());
    assert!(plan(&document, &Edit::Method { name: "linear".into() }).is_quick());
    assert!(!plan(&document, &Edit::MoveJoint { joint: "forearm".into(), to: Some([1.9, 0.1, 0.0]) }).is_quick());
}

#[test]
fn painted_rows_sum_to_one_and_stay_in_proportion() {
    let document = Document::example("hand").unwrap();
    let rig = document.rig();
    let (topology, points) = (Topology::of(&rig.mesh), &rig.mesh.positions);
    let joint = rig.skeleton.find("index_proximal").unwrap();
    let weights = rig.weights.as_ref().unwrap();
    let triangle = rig.mesh.triangles.iter().position(|t| {
        let (joints, values) = weights.row(t[0] as usize);
        joints.iter().zip(values).any(|(j, w)| usize::from(*j) == joint && (0.2..0.8).contains(w))
    });
    let triangle = triangle.unwrap();
    let at = points[rig.mesh.triangles[triangle][0] as usize];
    let radius = 0.05 * rig.diagonal();
    for mode in [BrushMode::Add, BrushMode::Take, BrushMode::Smooth] {
        let rows = dab_at(rig, &topology, points, (triangle, at), joint, &Brush { radius, strength: 0.5, mode });
        assert!(!rows.is_empty(), "{mode:?}");
        for (&vertex, row) in &rows {
            let sum: f32 = row.iter().map(|(_, w)| w).sum();
            assert!((sum - 1.0).abs() < 1e-5 && row.iter().all(|(_, w)| *w > 0.0), "{mode:?} {vertex} {row:?}");
            assert!(points[vertex as usize].distance(at) <= radius * 1.5);
            let share = |name: &str| row.iter().find(|(n, _)| n == name).map_or(0.0, |(_, w)| *w);
            let (joints, values) = weights.row(vertex as usize);
            let was = joints.iter().position(|j| usize::from(*j) == joint).map_or(0.0, |i| values[i]);
            match mode {
                BrushMode::Add => assert!(share("index_proximal") >= was),
                BrushMode::Take => assert!(share("index_proximal") <= was),
                BrushMode::Smooth => {}
            }
            // Two others keep their ratio.
            let others: Vec<(usize, f32)> = (0..joints.len())
                .filter(|&i| usize::from(joints[i]) != joint && values[i] > 0.05)
                .map(|i| (usize::from(joints[i]), values[i]))
                .collect();
            if let [(a, x), (b, y), ..] = others[..] {
                let [p, q] = [a, b].map(|j| share(&rig.skeleton.joints()[j].name));
                assert!(q == 0.0 || (p / q - x / y).abs() < 1e-3 * x / y, "{row:?}");
            }
        }
        let mut painted = Document::example("hand").unwrap();
        painted.edit(&Edit::Paint { stroke: 1, rows }).unwrap();
        let weights = painted.rig().weights.as_ref().unwrap();
        for v in 0..weights.len() {
            assert!((weights.row(v).1.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        }
    }
}

#[test]
fn skin_that_one_joint_owns_goes_to_its_parent() {
    let document = arm();
    let rig = document.rig();
    let joint = rig.skeleton.find("forearm").unwrap();
    let weights = rig.weights.as_ref().unwrap();
    let owned = |t: &[u32; 3]| t.iter().all(|&v| weights.row(v as usize) == (&[joint as u16][..], &[1.0][..]));
    let triangle = rig.mesh.triangles.iter().position(owned).unwrap();
    let at = rig.mesh.positions[rig.mesh.triangles[triangle][0] as usize];
    let brush = Brush { radius: 1e-3 * rig.diagonal(), strength: 0.5, mode: BrushMode::Take };
    let rows = dab_at(rig, &Topology::of(&rig.mesh), &rig.mesh.positions, (triangle, at), joint, &brush);
    let parent = rig.skeleton.joints()[joint].parent.map(|p| rig.skeleton.joints()[p].name.clone()).unwrap();
    let row = &rows[&rig.mesh.triangles[triangle][0]];
    assert!(row.iter().any(|(name, w)| *name == parent && (w - 0.5).abs() < 1e-5), "{row:?}");
}

#[test]
fn a_brush_smaller_than_the_triangles_paints_the_nearest_corner() {
    let document = arm();
    let rig = document.rig();
    let joint = rig.skeleton.find("forearm").unwrap();
    let topology = Topology::of(&rig.mesh);
    let weights = rig.weights.as_ref().unwrap();
    let shared = |v: u32| (0.2..0.8).contains(&weights.row(v as usize).1[0]);
    let triangle = rig.mesh.triangles.iter().position(|t| t.iter().all(|&v| shared(v))).unwrap();
    let corners = rig.mesh.triangles[triangle];
    let [a, b, c] = corners.map(|v| rig.mesh.positions[v as usize]);
    // Nearer to the first corner than to the others, and far from all of them for so small a brush.
    let (at, radius) = (a * 0.5 + b * 0.25 + c * 0.25, 1e-4 * rig.diagonal());
    for mode in [BrushMode::Add, BrushMode::Take] {
        let brush = Brush { radius, strength: 0.5, mode };
        let rows = dab_at(rig, &topology, &rig.mesh.positions, (triangle, at), joint, &brush);
        let welded = |v: u32| topology.weld.welded_of[v as usize];
        assert!(!rows.is_empty() && rows.keys().all(|&v| welded(v) == welded(corners[0])), "{mode:?} {rows:?}");
    }
}

#[test]
fn how_pictures_are_written_is_said_in_scripts() {
    let plain = r#"{"do":"export","kind":"picture","path":"a.png"}"#;
    let command: Command = serde_json::from_str(plain).unwrap();
    assert_eq!(serde_json::to_string(&command).unwrap(), plain, "what is left out is as it always was");
    let all = r#"{"do":"export","kind":"picture","path":"a.png","picture":{"size":"3840x2160","background":"transparent","marks":true}}"#;
    let command: Command = serde_json::from_str(all).unwrap();
    let (size, background) = (PictureSize::Uhd, Backdrop::Transparent);
    let picture = PictureOptions { size, background, marks: true, ..Default::default() };
    assert_eq!(command, Command::Export { kind: ExportKind::Picture, path: "a.png".into(), picture });
    assert_eq!(PictureSize::AsShown.pixels([0, 500]), [1, 500]);
    let wrong = all.replace("3840x2160", "7x7");
    assert!(serde_json::from_str::<Command>(&wrong).unwrap_err().to_string().contains("as-shown"));
}

#[test]
fn a_brush_does_not_reach_the_other_side() {
    let document = arm();
    let rig = document.rig();
    let joint = rig.skeleton.find("forearm").unwrap();
    let topology = Topology::of(&rig.mesh);
    // Points folded flat onto their mirror images: near in space, far along the skin.
    let flat: Vec<Vec3> = rig.mesh.positions.iter().map(|p| Vec3::new(p.x, p.y, p.z * 1e-4)).collect();
    let start = rig.mesh.triangles.iter().position(|t| t.iter().all(|&v| rig.mesh.positions[v as usize].z > 0.1));
    let triangle = start.unwrap();
    let at = flat[rig.mesh.triangles[triangle][0] as usize];
    let radius = 0.3 * (rig.mesh.bounds().max.y - rig.mesh.bounds().min.y);
    let brush = Brush { radius: radius * 0.2, strength: 1.0, mode: BrushMode::Take };
    let rows = dab_at(rig, &topology, &flat, (triangle, at), joint, &brush);
    assert!(rows.keys().all(|&v| rig.mesh.positions[v as usize].z > -0.02 * rig.diagonal()));
}

#[test]
fn handles_are_the_eight_numbers_and_back() {
    for opening in [Opening::ELBOW, Opening::BULGE, Opening::FINGER, Opening::CONTACT] {
        let curve = Curve::of(opening);
        assert_eq!(curve.opening(), Some(opening), "{curve:?}");
    }
    let elbow = Curve::of(Opening::ELBOW);
    assert_eq!(elbow.handles, [[0.0, 30.0], [60.0, 18.0], [90.0, 45.0]]);
    assert_eq!(elbow.slopes, [0.3, 1.0]);
    let dragged = elbow.with_handle(1, [50.04, 10.0]).with_slope(0, 0.5);
    let written = serde_json::to_value(dragged.put_into(&Operator::blend(), false)).unwrap();
    assert_eq!(written, json!({"kind": "blend", "theta": [0.0, 50.0, 90.0, 30.0, 10.0, 45.0, 0.5, 1.0]}));
    let read: Operator = serde_json::from_value(written).unwrap();
    assert_eq!(Curve::of(read.opening), dragged);
    let contact = dragged.put_into(&Operator::blend_bulge(), true);
    assert_eq!((contact.opening, Curve::of(contact.contact)), (Opening::ELBOW, dragged));
}

#[test]
fn handles_stay_in_order_and_in_range() {
    let elbow = Curve::of(Opening::ELBOW);
    for handle in 0..4 {
        for x in [-1e9, -1.0, 0.0, 44.97, 90.0, 180.0, 1e9, f64::NAN] {
            for y in [-5.0, 0.0, 22.0, 45.0, 99.0, f64::INFINITY] {
                let curve = elbow.with_handle(handle, [x, y]);
                assert!(curve.opening().is_some(), "handle {handle} to {x}, {y}: {curve:?}");
            }
        }
    }
    assert_eq!(elbow.with_handle(1, [170.0, 24.0]).handles[1], [89.0, 24.0]);
    for slope in [-1.0, 0.0, 1e9, f64::NAN] {
        assert!(elbow.with_slope(1, slope).opening().is_some());
    }
}

#[test]
fn samples_are_saved_by_their_places() {
    let point = |x: f64| Point { at: glam::DVec3::new(x, 0.0, 0.0), normal: glam::DVec3::Y };
    let at = |x: f64| SampleRef::At([x, 0.0, 0.0]);
    let plain: Vec<Point> = (0..5).map(|i| point(f64::from(i))).collect();
    // One that a file of before has by its number.
    let settings = JointSettings { remove: vec![0.into()], ..Default::default() };
    let settings = Mark::Own(1).removed(&settings, &plain);
    let settings = Mark::Own(3).moved(&settings, &plain, point(8.0));
    let settings = Mark::Own(3).moved(&settings, &plain, point(9.0));
    let (settings, added) = Mark::added(&settings, &plain, point(7.0));
    assert_eq!((settings.remove.clone(), added), (vec![at(0.0), at(1.0)], Mark::Added(0)));
    assert_eq!(settings.moved, [MovedSample { from: at(3.0), to: [9.0, 0.0, 0.0] }]);
    let all = Sampled::all(&plain, &settings);
    let seen: Vec<(Mark, f64, bool)> = all.iter().map(|s| (s.mark, s.point.at.x, s.is_moved)).collect();
    let own = |n, x| (Mark::Own(n), x, false);
    assert_eq!(seen, [own(2, 2.0), (Mark::Own(3), 9.0, true), own(4, 4.0), (Mark::Added(0), 7.0, false)]);
    // Painting parts the skin elsewhere: other samples, in another order, near the same places.
    let other: Vec<Point> = [4.2, 2.9, 1.8, 1.1, 0.1].map(point).to_vec();
    let seen: Vec<f64> = Sampled::all(&other, &settings).iter().map(|s| s.point.at.x).collect();
    assert_eq!(seen, [4.2, 9.0, 1.8, 7.0]);
    let settings = Mark::Own(1).removed(&settings, &other);
    assert_eq!((settings.remove.len(), settings.moved.len()), (3, 0));
    let settings = Mark::Added(0).moved(&settings, &plain, point(6.5));
    assert_eq!(settings.add, [[6.5, 0.0, 0.0, 0.0, 1.0, 0.0]]);
    assert_eq!(Mark::Added(0).removed(&settings, &plain).add, [[0.0; 6]; 0]);
}

#[test]
fn a_clip_stops_at_its_end_or_goes_round() {
    let mut clock = Playback { playing: true, ..Playback::default() };
    clock.advance(2.5, 2.0);
    assert!((clock.time - 0.5).abs() < 1e-12 && clock.playing);
    clock.looped = false;
    clock.advance(5.0, 2.0);
    assert_eq!((clock.time, clock.playing), (2.0, false));
    clock.advance(1.0, 2.0);
    assert_eq!(clock.time, 2.0);
    let mut back = Playback { playing: true, speed: -1.0, looped: false, time: 0.5 };
    back.advance(1.0, 2.0);
    assert_eq!((back.time, back.playing), (0.0, false));
    let mut still = Playback { playing: true, ..Playback::default() };
    still.advance(1.0, 0.0);
    assert_eq!((still.time, still.playing), (0.0, false));
    let mut odd = Playback { playing: true, ..Playback::default() };
    odd.advance(f64::NAN, 2.0);
    assert_eq!(odd.time, 0.0);
}
