//! What touches in implicit skinning, and which way is out.

use glam::Vec3;
use supple::{
    deform::{
        Bound, Deformer, Frame,
        implicit::{ContactGauge, Implicit},
    },
    example::{self, ArmOptions},
    measure::RigGauge,
    pose::{Motion, Pose},
    rig::Rig,
};

fn arm() -> Rig {
    example::arm(&ArmOptions { vertices: 2000, plain: true, ..Default::default() }).expect("an arm")
}

fn bent(rig: &Rig, degrees: f64) -> Motion {
    let mut pose = Pose::rest(rig);
    pose.bend(rig, "forearm", degrees, None).expect("a hinge");
    Motion::of(rig, &pose)
}

fn moved(implicit: &Implicit, rig: &Rig, motion: &Motion) -> Vec<Vec3> {
    let mut bound: Box<dyn Bound> = implicit.bind(rig).expect("it binds");
    let mut out = rig.mesh.positions.clone();
    bound.deform(&Frame { motion, inputs: &[&rig.mesh.positions] }, &mut out);
    out
}

#[test]
fn pressure_and_area_grow_with_the_bend() {
    let rig = arm();
    let implicit = Implicit::default();
    let gauge = ContactGauge::new(&implicit, &rig).expect("volumes");
    let contacts = |degrees: f64| {
        let motion = bent(&rig, degrees);
        gauge.contacts(&motion, &moved(&implicit, &rig, &motion))
    };
    assert_eq!(contacts(0.0), []);
    assert_eq!(contacts(20.0), []);
    let mut before = (0.0, 0.0, 0.0);
    for degrees in [90.0, 110.0, 130.0] {
        let [contact] = &contacts(degrees)[..] else { panic!("one contact at {degrees}") };
        assert_eq!(contact.joint.as_deref(), Some("forearm"));
        let reach = contact.reach.expect("jointed");
        assert!(contact.mean_pressure > 0.0 && contact.mean_pressure <= contact.largest_pressure);
        assert!(contact.largest_pressure > before.0 && contact.area > before.1 && reach > before.2, "{contact:?}");
        assert!(!contact.is_full());
        before = (contact.largest_pressure, contact.area, reach);
    }
    // The skins of two tubes of radius r meet at r / tan((180 - bend) / 2) from the joint: 0.5 / tan 25 over a bone of 2.
    assert!((before.2 - 0.536).abs() < 0.05, "{}", before.2);
}

#[test]
fn thinner_limbs_bend_farther_until_they_touch_all_along() {
    let angle = |thickness: f32| {
        let mut rig = arm();
        rig.mesh.positions.iter_mut().for_each(|p| (p.y, p.z) = (p.y * thickness, p.z * thickness));
        let gauge = ContactGauge::new(&Implicit::default(), &rig).expect("volumes");
        gauge.full_contact_angle(&rig, "forearm").expect("a hinge").expect("an angle")
    };
    let (thick, usual, thin) = (angle(1.6), angle(1.0), angle(0.5));
    assert!(thick < usual && usual < thin, "{thick} {usual} {thin}");
    // 0.9 of a bone of 2 is where tubes of radius 0.5 meet at 180 - 2 atan(0.5 / 1.8).
    assert!((usual - 149.0).abs() < 2.0, "{usual}");
    let rig = arm();
    let gauge = ContactGauge::new(&Implicit::default(), &rig).expect("volumes");
    assert_eq!(gauge.full_contact_angle(&rig, "upper_arm"), Ok(None));
    assert!(gauge.full_contact_angle(&rig, "forerm").is_err());
}

#[test]
fn flipped_is_judged_by_fields_and_rest_is_taken_off() {
    let rig = example::arm(&ArmOptions { vertices: 8003, plain: true, ..Default::default() }).expect("an arm");
    let implicit = Implicit::default();
    let body = implicit.volume(&rig).expect("volumes").body;
    let gauge = RigGauge::new(&rig).expect("a gauge").with_volume(&rig, body);
    let motion = bent(&rig, 135.0);
    let flipped = |points: &[Vec3], motion: &Motion| gauge.figures(motion, points).expect("figures").flipped;
    assert_eq!(flipped(&rig.mesh.positions, &bent(&rig, 0.0)), Some(0.0));
    let found = flipped(&moved(&implicit, &rig, &motion), &motion).expect("a figure");
    assert!(found < 1e-3, "{found}");
    // A skin turned inside out is flipped all over, less the little that fields doubt at rest.
    let inside_out: Vec<Vec3> = rig.mesh.positions.iter().map(|p| Vec3::new(p.x, p.y, -p.z)).collect();
    assert!(flipped(&inside_out, &bent(&rig, 0.0)).is_some_and(|f| f > 0.95));
}
