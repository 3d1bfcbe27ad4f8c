//! What undo costs where everything is painted.

use crate::arm;
use serde_json::{Map, Value, json};
use std::{collections::BTreeMap, sync::Arc};
use supple::project::Project;
use supple_studio::model::{Document, Edit, History, Rows};

const STEPS: u32 = 100;
const VERTICES: u32 = 200_000;
const STROKES: u64 = 100;
/// Vertices of a dab; each lies half over the one before, as dabs of a brush do.
const DAB: u32 = 1000;
const DABS: u32 = 5;

/// A row of four joints that no other dab has.
fn row(document: &Document, number: u64) -> Vec<(String, f32)> {
    let joints = &document.rig().skeleton.joints()[..4];
    let share = |i: usize| (1.0 + i as f32 + number as f32 / 7.0).fract() + 0.1;
    joints.iter().enumerate().map(|(i, joint)| (joint.name.clone(), share(i))).collect()
}

fn one(name: &str, value: Value) -> Map<String, Value> {
    Map::from_iter([(name.to_owned(), value)])
}

fn paint(document: &Document, stroke: u64, vertices: impl Iterator<Item = u32>) -> Edit {
    let rows: Rows = vertices.map(|v| (v, row(document, stroke * 1000 + u64::from(v) % 1000))).collect();
    Edit::Paint { stroke, rows }
}

#[test]
fn a_hundred_strokes_on_200_000_vertices_cost_less_than_50_megabytes() {
    let hand = Document::example("hand").unwrap();
    // Along the numbers of the vertices, and in a mesh that numbers them in no order at all.
    let scattered = |i: u32| (u64::from(i % VERTICES) * 48_271 % 199_999) as u32;
    let orders: [fn(u32) -> u32; 2] = [|i| i % VERTICES, scattered];
    for (which, order) in orders.into_iter().enumerate() {
        let mut history = History::default();
        let mut project = hand.project().clone();
        let change = |history: &mut History, project: &mut Arc<Project>, edit: &Edit| {
            let next = Arc::new(edit.apply(project, hand.rig()).unwrap());
            history.note(edit, std::mem::replace(project, next));
        };
        change(&mut history, &mut project, &paint(&hand, 0, 0..VERTICES));
        history.close();
        let mut known: Vec<Arc<Project>> = Vec::new();
        for stroke in 1..=STROKES {
            known.push(project.clone());
            for dab in 0..DABS {
                let first = stroke as u32 * 19_927 + dab * DAB / 2;
                let vertices = (first..first + DAB).map(order);
                change(&mut history, &mut project, &paint(&hand, stroke, vertices));
            }
            history.close();
        }
        let bytes = history.bytes();
        assert!(bytes > 1_000_000, "order {which}: nobody counts {bytes} bytes");
        assert!(bytes < 50_000_000, "order {which}: {} MB", bytes / 1_000_000);
        // And every step leads back.
        for before in known.iter().rev() {
            project = history.undo(project).unwrap();
            assert!(project == *before);
        }
        assert_eq!(project.weights.painted.rows.len() as u32, VERTICES);
        let rows: BTreeMap<u32, &[(u16, f32)]> = project.weights.painted.rows.rows().collect();
        let Edit::Paint { rows: first, .. } = paint(&hand, 0, 0..VERTICES) else { unreachable!() };
        let same = |(v, row): (&u32, &Vec<(String, f32)>)| row.iter().map(|r| r.1).eq(rows[v].iter().map(|r| r.1));
        assert!(first.iter().all(same));
    }
}

#[test]
fn a_hundred_steps_beside_an_amount_of_200_000_vertices_cost_less_than_50_megabytes() {
    let mut document = arm();
    let amount: Vec<f64> = (0..VERTICES).map(|v| f64::from(v % 256) / 256.0).collect();
    let set = |key: &str, value: Value| Edit::Setting { node: None, key: key.into(), value: Some(value) };
    document.edit(&set("amount", json!(amount))).unwrap();
    let mut known: Vec<Arc<Project>> = Vec::new();
    for step in 0..STEPS {
        known.push(document.project().clone());
        document.history.close();
        let edit = match step % 4 {
            0 => set("sigma", json!(f64::from(step + STEPS) / f64::from(2 * STEPS))),
            1 => Edit::Joint { joint: "forearm".into(), settings: Some(one("cap", json!(f64::from(step) / 100.0))) },
            // There and back, which leaves the amount with the settings of a method that is not in use.
            2 => Edit::Method { name: "linear".into() },
            _ => Edit::Method { name: "implicit".into() },
        };
        document.edit(&edit).unwrap();
    }
    let bytes = document.history.bytes();
    assert!(bytes > VERTICES as usize * 8, "nobody counts {bytes} bytes");
    assert!(bytes < 50_000_000, "{} MB", bytes / 1_000_000);
    for before in known.iter().rev() {
        document.undo();
        assert!(*document.project() == *before);
    }
    assert_eq!(document.project().graph.nodes[0].settings["amount"], json!(amount));
    // What sets it is not kept beside it.
    document.history.close();
    for step in 0..3 {
        document.edit(&set("amount", json!(vec![f64::from(step) / 2.0; VERTICES as usize]))).unwrap();
        document.history.close();
    }
    document.edit(&set("amount", json!(1.0))).unwrap();
    let of_one = bytes;
    assert!(document.history.bytes() <= 4 * of_one, "{} MB", document.history.bytes() / 1_000_000);
}

#[test]
fn steps_share_what_they_do_not_change() {
    let mut document = arm();
    let row = |share: f32| vec![("forearm".to_owned(), share), ("upper_arm".to_owned(), 1.0 - share)];
    let rows = (0..1000).map(|vertex| (vertex, row(0.5))).collect();
    document.edit(&Edit::Paint { stroke: 1, rows }).unwrap();
    document.history.close();
    assert_eq!(document.history.bytes(), 0, "the project before the first stroke is not painted");
    let mut bytes = 0;
    for (i, k) in (1..20).map(f64::from).enumerate() {
        document.edit(&Edit::Time { seconds: k }).unwrap();
        document.edit(&Edit::Clip { name: Some("bend".into()) }).unwrap();
        document.edit(&Edit::Time { seconds: k }).unwrap();
        if i > 0 {
            assert_eq!(document.history.bytes(), bytes, "edits of something else");
        }
        bytes = document.history.bytes();
    }
    assert!(bytes > 10_000, "{bytes}");
}
