//! Rigs that no reader would let through, and sizes that nobody meant: an error or finite weights, soon.

use glam::{DAffine3, DVec3, Vec3};
use supple::{
    rig::{Joint, Mesh, Rig, Skeleton, Weights},
    weights::{
        self, HeatOptions, NearestOptions,
        edit::{
            self, LimitOptions, MirrorOptions, NormalizeOptions, PruneOptions, SmoothOptions, TransferOptions,
            Transferred,
        },
        flexible::{self, Distance, Options},
        segment::Segmentation,
    },
};
use supple_testkit::rigs;

fn hostile() -> Vec<Rig> {
    let changed = |name: &str, change: &dyn Fn(&mut Rig)| {
        let mut rig = Rig { name: name.into(), ..rigs::tube() };
        change(&mut rig);
        rig
    };
    let hub = |rig: &mut Rig| {
        let first = rig.mesh.positions.len() as u32;
        let count = 4000;
        rig.mesh.positions.push(Vec3::new(1.5, 0.0, 0.0));
        rig.mesh.positions.extend((0..count).map(|i| {
            let angle = std::f32::consts::TAU * i as f32 / count as f32;
            Vec3::new(1.5, angle.cos(), angle.sin())
        }));
        let rim = |i: u32| first + 1 + i % count;
        rig.mesh.triangles.extend((0..count).map(|i| [first, rim(i), rim(i + 1)]));
        rig.weights = Some(Weights::rigid(vec![0; rig.mesh.positions.len()]));
    };
    let many = |rig: &mut Rig| {
        let joint = |i: usize| {
            let place = DVec3::new(3.0 * i as f64 / 1000.0, 0.0, 0.0);
            Joint::new(format!("joint {i}"), i.checked_sub(1), DAffine3::from_translation(place))
        };
        rig.skeleton = Skeleton::new((0..1000).map(joint).collect()).expect("a chain").show_rest();
    };
    let fan = |rig: &mut Rig| {
        let joint = |i: usize| {
            let (sin, cos) = (i as f64).sin_cos();
            Joint::new(
                format!("joint {i}"),
                (i > 0).then_some(0),
                DAffine3::from_translation(DVec3::new(1.0, cos, sin)),
            )
        };
        rig.skeleton = Skeleton::new((0..1000).map(joint).collect()).expect("a fan").show_rest();
    };
    vec![
        changed("NaN", &|rig| rig.mesh.positions[7].y = f32::NAN),
        changed("all NaN", &|rig| rig.mesh.positions.fill(Vec3::NAN)),
        changed("infinity", &|rig| rig.mesh.positions[9].x = f32::INFINITY),
        changed("one far vertex", &|rig| rig.mesh.positions[3] = Vec3::splat(1e30)),
        changed("all far", &|rig| rig.mesh.positions.iter_mut().for_each(|p| *p *= 1e30)),
        changed("largest numbers", &|rig| rig.mesh.positions.iter_mut().for_each(|p| *p *= 1e38)),
        changed("smallest numbers", &|rig| rig.mesh.positions.iter_mut().for_each(|p| *p *= 1e-38)),
        changed("no mesh", &|rig| (rig.mesh, rig.weights) = (Mesh::default(), None)),
        changed("triangle of nothing", &|rig| rig.mesh.triangles[3][1] = 9999),
        changed("triangle of the last number", &|rig| rig.mesh.triangles[3][1] = u32::MAX),
        changed("hub of 4000 triangles", &hub),
        changed("chain of 1000 joints", &many),
        changed("1000 joints on one", &fan),
        changed("no joints", &|rig| rig.skeleton = Skeleton::default()),
    ]
}

fn assert_sound(what: &str, rig: &Rig, weights: &Weights) {
    assert_eq!(weights.len(), rig.mesh.positions.len(), "{what}: {}", rig.name);
    for vertex in 0..weights.len() {
        let sum: f32 = weights.row(vertex).1.iter().sum();
        assert!((sum - 1.0).abs() < 1e-5, "{what}: {}: vertex {vertex} has {sum}", rig.name);
    }
}

#[test]
fn hostile_rigs_get_finite_weights_or_an_error() {
    for rig in hostile() {
        let begin = std::time::Instant::now();
        if let Ok((weights, _)) = weights::heat(&rig.mesh, &rig.skeleton, &HeatOptions::default()) {
            assert_sound("heat", &rig, &weights);
        }
        let heat = begin.elapsed().as_secs_f64();
        if let Ok((weights, _)) = weights::nearest(&rig.mesh, &rig.skeleton, &NearestOptions::default()) {
            assert_sound("nearest", &rig, &weights);
        }
        let _ = Segmentation::of(&rig);
        println!("{}: segmentation by {:.2} s", rig.name, begin.elapsed().as_secs_f64());
        // What differs between distances does not depend on how many joints there are; the time of this test does.
        let all = [Distance::Geodesic, Distance::Euclidean, Distance::Harmonic];
        for &distance in &all[..if rig.skeleton.len() > 100 { 1 } else { 3 }] {
            if let Ok((weights, _)) = flexible::weights(&rig, &Options { distance, ..Options::default() }) {
                assert_sound("flexible", &rig, &weights);
            }
        }
        println!("{}: heat {heat:.2} s, all {:.2} s", rig.name, begin.elapsed().as_secs_f64());
    }
}

#[test]
fn hostile_rigs_are_edited_or_refused() {
    for rig in hostile() {
        if let Some(old) = &rig.weights {
            let edited = [
                edit::smooth(&rig.mesh, old, &SmoothOptions::default()),
                edit::limit(old, &LimitOptions { influences: 2, continuous: true }),
                edit::normalize(&rig.mesh, old, &NormalizeOptions::default()),
                edit::prune(old, &PruneOptions::default()),
            ];
            edited.into_iter().flatten().for_each(|(weights, _)| assert_sound("edit", &rig, &weights));
        }
        if let Ok((weights, _)) = edit::mirror(&rig, &MirrorOptions::default()) {
            assert_sound("mirror", &rig, &weights);
        }
        for (from, to) in [(&rig, &rigs::tube()), (&rigs::tube(), &rig)] {
            if let Ok(Transferred { weights, .. }) = edit::transfer(from, to, &TransferOptions::default()) {
                assert_sound("transfer", to, &weights);
            }
        }
    }
}

#[test]
fn many_islands_are_counted() {
    let mut rig = Rig { weights: None, ..rigs::tube() };
    for i in 0..50u32 {
        let first = rig.mesh.positions.len() as u32;
        let corner = Vec3::new(2.5, 2.0 + i as f32, 0.0);
        rig.mesh.positions.extend([corner, corner + Vec3::X * 0.1, corner + Vec3::Z * 0.1]);
        rig.mesh.triangles.push([first, first + 1, first + 2]);
    }
    let notes: Vec<String> = Segmentation::of(&rig).unwrap().notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes.iter().filter(|n| n.starts_with("the separate piece")).count(), 20);
    let more = "and 30 more separate pieces that follow their nearest bones, 90 points in all";
    assert!(notes.iter().any(|n| n == more), "{notes:?}");
}
