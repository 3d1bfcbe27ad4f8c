//! What is seen: framing, views and their legends.

use crate::{example, say, select, settle, turn, view, window, window_of};
use eframe::egui;
use egui_kittest::{Harness, kittest::Queryable};
use glam::{DQuat, Vec2, Vec3};
use supple_studio::{
    app::App,
    model::{Command, SkinView},
    studio::memory::Memory,
};

/// The skin as it is shown, in the picture: its lowest and highest corner.
fn seen(window: &mut Harness<'_, App>, of: impl Fn(usize) -> bool) -> [Vec2; 2] {
    for _ in 0..200 {
        if let Some(ready) = window.state_mut().studio.drawn.stages[0].ready() {
            ready.host_wanted = true;
            if ready.host().is_some_and(|(frame, _)| frame == ready.frame) {
                break;
            }
        }
        window.step();
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let view = view(window);
    let studio = &window.state().studio;
    let (_, points) = studio.drawn.stages[0].bound().and_then(|b| b.host()).expect("moved points");
    let (camera, size) = (studio.sight.orbit.camera(), [view.width() as u32, view.height() as u32]);
    let own = points.iter().enumerate().filter(|(v, _)| of(*v)).map(|(_, p)| *p);
    let places = own.map(|p: Vec3| camera.pixel(p, size).expect("before the eye"));
    places.fold([Vec2::INFINITY, Vec2::NEG_INFINITY], |[low, high], p| [low.min(p), high.max(p)])
}

fn is_inside(window: &Harness<'_, App>, [low, high]: [Vec2; 2]) -> bool {
    let view = view(window);
    low.min_element() >= 0.0 && high.x <= view.width() && high.y <= view.height()
}

#[test]
fn at_first_the_whole_character_is_seen() {
    for size in [[1000.0, 640.0], [700.0, 900.0]] {
        let mut window = window_of(size, Memory::default());
        for name in ["arm", "hand", "figure", "statue"] {
            example(&mut window, name);
            let box_of = seen(&mut window, |_| true);
            assert!(is_inside(&window, box_of), "{name} in {size:?}: {box_of:?} in {}", view(&window));
        }
    }
}

#[test]
fn f_looks_at_a_joint_where_it_is_in_the_pose() {
    let mut window = window();
    example(&mut window, "arm");
    let rest = window.state().studio.open.document.as_ref().unwrap().rig().skeleton.rest_trs(0).rotation;
    turn(&mut window, "upper_arm", rest * DQuat::from_rotation_y(std::f64::consts::PI));
    select(&mut window, "forearm");
    window.key_press(egui::Key::F);
    settle(&mut window);
    let weights = window.state().studio.open.document.as_ref().unwrap().rig().weights.clone().unwrap();
    let box_of = seen(&mut window, |v| weights.dominant(v) == 1);
    assert!(is_inside(&window, box_of), "{box_of:?} in {}", view(&window));
    let wide = (box_of[1] - box_of[0]).max_element();
    assert!(wide > 0.5 * view(&window).height(), "{wide} points is hardly looking at it");
}

#[test]
fn the_view_of_stretch_is_grey_at_rest_and_not_in_a_pose() {
    let mut window = window();
    example(&mut window, "arm");
    say(&mut window, Command::Bones { shown: false });
    say(&mut window, Command::Show { view: SkinView::Stretch });
    let colored = |window: &mut Harness<'_, App>| {
        // Its colours follow the moved points by some frames.
        (0..20).for_each(|_| window.step());
        settle(window);
        let view = view(window);
        let picture = window.render().expect("a picture");
        let skin = image::imageops::crop_imm(
            &picture,
            view.min.x as u32,
            view.min.y as u32 + 40,
            view.width() as u32,
            view.height() as u32 - 120,
        );
        let spread = |p: &image::Rgba<u8>| p.0[..3].iter().max().unwrap() - p.0[..3].iter().min().unwrap();
        skin.to_image().pixels().filter(|p| spread(p) > 60).count()
    };
    let at_rest = colored(&mut window);
    let rest = window.state().studio.open.document.as_ref().unwrap().rig().skeleton.rest_trs(1).rotation;
    turn(&mut window, "forearm", rest * DQuat::from_rotation_z(1.8));
    let bent = colored(&mut window);
    assert!(at_rest == 0 && bent > 500, "{at_rest} and {bent} pixels of colour");
}

#[test]
fn every_view_with_a_scale_has_its_legend() {
    let mut window = window();
    example(&mut window, "arm");
    for (view, words) in [
        (SkinView::Shaded, &[][..]),
        (SkinView::Wire, &[]),
        (SkinView::SharedWeights, &["one joint", "two alike", "three or more"]),
        (SkinView::Stretch, &["half as long", "as at rest", "twice as long"]),
        (SkinView::Contact, &["contact pressure", "none", "0.25 and more"]),
    ] {
        say(&mut window, Command::Show { view });
        for word in words {
            assert!(window.query_by_label(word).is_some(), "{view:?} has no \"{word}\"");
        }
        assert_eq!(window.state().studio.legend().is_some(), !words.is_empty(), "{view:?}");
    }
    say(&mut window, Command::Show { view: SkinView::Weights });
    select(&mut window, "forearm");
    for word in ["weight of forearm", "0", "0.5", "1"] {
        assert!(window.query_all_by_label(word).next().is_some(), "{word}");
    }
}

#[test]
fn shared_weights_are_not_called_as_the_figure_is() {
    let of = |word: &str| serde_json::from_str::<SkinView>(&format!("\"{word}\"")).unwrap();
    assert_eq!(of("shared-weights"), SkinView::SharedWeights);
    // Scripts of before say it so.
    assert_eq!(of("overlaps"), SkinView::SharedWeights);
    let mut window = window();
    example(&mut window, "arm");
    say(&mut window, Command::Show { view: SkinView::SharedWeights });
    assert!(window.query_all_by_value("Shared weights").next().is_some());
    assert!(window.query_by_label("shared weights").is_some(), "in its legend");
    assert!(window.query_all_by_label_contains("verlaps").next().is_none());
}
