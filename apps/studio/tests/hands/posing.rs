//! Angles that are typed, and rings.

use crate::{button, example, mouse, said, select, settle, turn, view, window};
use eframe::egui::{self, accesskit::Role};
use egui_kittest::{
    Harness,
    kittest::{NodeT, Queryable},
};
use glam::{DQuat, Vec2};
use supple::{math::Trs, pose::Motion};
use supple_render::Camera;
use supple_studio::{app::App, viewport::pick::Ring};

fn angles(window: &Harness<'_, App>) -> Vec<f64> {
    let of = |n: egui_kittest::Node<'_>| n.accesskit_node().numeric_value().unwrap_or(f64::NAN);
    let shown = window.query_all_by_role(Role::SpinButton).filter(|n| n.rect().left() < 200.0).map(of);
    shown.take(3).collect()
}

fn type_angle(window: &mut Harness<'_, App>, axis: usize, text: &str) {
    let fields: Vec<_> = window.query_all_by_role(Role::SpinButton).filter(|n| n.rect().left() < 200.0).collect();
    fields[axis].click();
    (0..3).for_each(|_| window.step());
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    window.event(egui::Event::Text(text.to_owned()));
    window.step();
    window.key_press(egui::Key::Enter);
    (0..3).for_each(|_| window.step());
    settle(window);
}

fn local(window: &Harness<'_, App>, joint: usize) -> DQuat {
    let document = window.state().studio.open.document.as_ref().unwrap();
    Trs::of(&document.pose(0.0).local[joint]).rotation
}

#[test]
fn angles_stay_as_they_were_typed() {
    let mut window = window();
    example(&mut window, "arm");
    select(&mut window, "forearm");
    type_angle(&mut window, 0, "200");
    assert_eq!(angles(&window), [200.0, 0.0, 0.0]);
    for (axis, text) in [(0, "90"), (1, "90"), (2, "90")] {
        type_angle(&mut window, axis, text);
    }
    assert_eq!(angles(&window), [90.0, 90.0, 90.0]);
    // And are those of the joint, also after another one was looked at.
    let [x, y, z] = [90.0_f64.to_radians(); 3];
    let wanted = DQuat::from_euler(glam::EulerRot::XYZ, x, y, z);
    let rest = window.state().studio.open.document.as_ref().unwrap().rig().skeleton.rest_trs(1).rotation;
    assert!((rest * wanted).dot(local(&window, 1)).abs() > 1.0 - 1e-9);
    select(&mut window, "upper_arm");
    select(&mut window, "forearm");
    assert_eq!(angles(&window), [90.0, 90.0, 90.0]);
    // What the hand does after that is what is shown.
    turn(&mut window, "forearm", rest * DQuat::from_rotation_z(0.5));
    let shown = angles(&window);
    assert!((shown[2] - 28.6).abs() < 0.06 && shown[0].abs() < 0.06, "{shown:?}: {}", said(&window));
}

struct Seen {
    rings: [Ring; 3],
    camera: Camera,
    size: [u32; 2],
}

fn rings(window: &Harness<'_, App>) -> Seen {
    let studio = &window.state().studio;
    let document = studio.open.document.as_ref().unwrap();
    let motion = Motion::of(document.rig(), &document.pose(0.0));
    let rings = studio.rings(&motion).expect("a joint is selected");
    let view = view(window);
    Seen {
        rings: rings.axes.map(|axis| Ring { center: rings.center, axis, radius: rings.radius }),
        camera: studio.sight.orbit.camera(),
        size: [view.width() as u32, view.height() as u32],
    }
}

impl Seen {
    /// Places on a ring in the picture.
    fn places(&self, which: usize) -> Vec<Vec2> {
        let ring = self.rings[which];
        let (x, y) = ring.axis.any_orthonormal_pair();
        let at = |i: usize| {
            let (sin, cos) = (i as f32 / 720.0 * std::f32::consts::TAU).sin_cos();
            self.camera.pixel(ring.center + (x * cos + y * sin) * ring.radius, self.size)
        };
        (0..720).filter_map(at).collect()
    }

    fn distance(&self, which: usize, at: Vec2) -> f32 {
        self.rings[which].distance(&self.camera, self.size, at)
    }
}

#[test]
fn the_ring_that_lights_up_at_the_press_is_the_ring_that_turns() {
    let mut window = window();
    example(&mut window, "arm");
    select(&mut window, "forearm");
    let seen = rings(&window);
    // From a place on one ring to one on another, so near that the first move of a drag passes over.
    let pairs = (0..3).flat_map(|a| (0..3).filter(move |&b| b != a).map(move |b| (a, b)));
    let crossing = pairs.flat_map(|(a, b)| {
        let (from, to) = (seen.places(a), seen.places(b));
        let near = |p: Vec2, to: Vec<Vec2>| to.into_iter().find(|q| (8.0..16.0).contains(&p.distance(*q)));
        from.into_iter().filter_map(move |p| near(p, to.clone()).map(|q| (a, b, p, q)))
    });
    let clear = |&(a, b, p, q): &(usize, usize, Vec2, Vec2)| {
        let other = 3 - a - b;
        seen.distance(b, p) > 5.0
            && seen.distance(other, p) > 5.0
            && seen.distance(a, q) > 5.0
            && seen.distance(other, q) > 5.0
    };
    let (axis, _, from, to) = crossing.into_iter().find(clear).expect("rings cross somewhere");
    let before = local(&window, 1);
    mouse(&mut window, from, egui::Event::PointerMoved);
    mouse(&mut window, from, |at| button(at, true));
    mouse(&mut window, to, egui::Event::PointerMoved);
    let on = to + (to - from) * 2.0;
    mouse(&mut window, on, egui::Event::PointerMoved);
    mouse(&mut window, on, |at| button(at, false));
    settle(&mut window);
    let by = before.inverse() * local(&window, 1);
    let (about, angle) = by.to_axis_angle();
    assert!(angle.abs() > 1e-3, "nothing was turned");
    let along = about.to_array()[axis].abs();
    assert!(along > 0.999, "ring {axis} was pressed, and it turned about {about}");
}

#[test]
fn rings_are_as_large_on_the_screen_however_near_the_joint_is() {
    let mut window = window();
    example(&mut window, "figure");
    select(&mut window, "forearm_l");
    let wide = |seen: &Seen| {
        let middle = seen.camera.pixel(seen.rings[0].center, seen.size).unwrap();
        let farthest = (0..3).flat_map(|i| seen.places(i)).map(|p| p.distance(middle));
        farthest.fold(0.0_f32, f32::max)
    };
    let far = wide(&rings(&window));
    let view = view(&window);
    for factor in [0.25, 12.0] {
        let orbit = &mut window.state_mut().studio.sight.orbit;
        orbit.zoom(factor, Vec2::new(view.width(), view.height()) * 0.5, [view.width() as u32, view.height() as u32]);
        window.step();
        let other = wide(&rings(&window));
        assert!((other / far - 1.0).abs() < 0.12, "{far} and {other} points");
    }
    assert!((40.0..120.0).contains(&far), "{far}");
}

#[test]
fn a_highlight_goes_when_the_pointer_goes() {
    let mut window = window();
    example(&mut window, "arm");
    select(&mut window, "forearm");
    // The window of the test draws the mouse, so that it is compared where that is elsewhere.
    window.event(egui::Event::PointerGone);
    settle(&mut window);
    let at = rings(&window).places(0)[100];
    let view = view(&window);
    let look = |window: &mut Harness<'_, App>| {
        window.step();
        let picture = window.render().expect("a picture");
        let part = [view.min.x as u32, view.min.y as u32, view.width() as u32, view.height() as u32];
        image::imageops::crop_imm(&picture, part[0], part[1], part[2], part[3]).to_image()
    };
    let differ =
        |a: &image::RgbaImage, b: &image::RgbaImage| a.pixels().zip(b.pixels()).filter(|(p, q)| p != q).count();
    let plain = look(&mut window);
    mouse(&mut window, at, egui::Event::PointerMoved);
    settle(&mut window);
    let lit = look(&mut window);
    assert!(differ(&plain, &lit) > 500, "it lights up, beside the mouse itself");
    // Straight out of the view, onto a panel.
    window.event(egui::Event::PointerMoved(egui::pos2(view.min.x - 60.0, view.min.y + 200.0)));
    settle(&mut window);
    let after = look(&mut window);
    assert_eq!(differ(&plain, &after), 0, "over a panel");
    mouse(&mut window, at, egui::Event::PointerMoved);
    window.event(egui::Event::PointerGone);
    settle(&mut window);
    assert_eq!(differ(&plain, &look(&mut window)), 0, "outside of the window");
}
