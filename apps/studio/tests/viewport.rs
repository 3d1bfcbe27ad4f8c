//! Pictures of the viewport, judged by what must be seen in them. They are drawn by whatever driver there is.

use glam::{Vec2, Vec3, Vec4};
use supple::{
    example::{self, ArmOptions, HandOptions, StatueOptions},
    graph::DeformGraph,
    pose::{Motion, Pose},
    rig::Rig,
};
use supple_gpu::{Gpu, GpuGraph};
use supple_render::{Background, Camera, Direction, Lights, Paint, Picture, Scene, View, character, cpu};
use supple_studio::viewport::{Coat, Drawn, Image, Layer, Look, Overlay, Shown, Skin, Style, Target, Viewport};

const SIZE: [u32; 2] = [160, 120];

struct Studio {
    viewport: Viewport,
    target: Target,
    rig: Rig,
    skin: Skin,
    shown: Shown,
    camera: Camera,
}

fn viewport() -> Viewport {
    let gpu = pollster::block_on(Gpu::open()).expect("a Vulkan driver");
    Viewport::new(&gpu).expect("the shaders are sound")
}

impl Studio {
    fn of(rig: Rig) -> Self {
        let viewport = viewport();
        let target = Target::new(&viewport, SIZE).expect("it is small");
        let (skin, warnings) = Skin::new(&viewport, &rig).expect("it is small");
        assert!(warnings.is_empty(), "{warnings:?}");
        let shown = Shown::new(&viewport, &skin).expect("it is small");
        let camera = Camera::framing(&rig.mesh.positions, Direction::Front, 160.0 / 120.0, true);
        Self { viewport, target, rig, skin, shown, camera }
    }

    fn arm() -> Self {
        Self::of(example::arm(&ArmOptions { vertices: 900, ..Default::default() }).expect("an arm"))
    }

    fn draw(&mut self, look: Look, style: &Style, overlay: &Overlay) -> Picture {
        let camera = self.camera;
        picture(&self.viewport, &mut self.target, &camera, style, &[(&self.skin, &self.shown, look)], overlay)
    }

    fn pixel(&self, p: Vec3) -> [u32; 2] {
        let Vec2 { x, y } = self.camera.pixel(p, SIZE).expect("before the eye");
        [x as u32, y as u32]
    }

    /// The middle of a bone, which lies in the skin.
    fn middle(&self) -> Vec3 {
        let (bones, _) = self.rig.skeleton.bones(&self.rig.mesh.positions, self.rig.weights.as_ref());
        bones[1].head.lerp(bones[1].tail, 0.5).as_vec3()
    }
}

fn picture(
    viewport: &Viewport,
    target: &mut Target,
    camera: &Camera,
    style: &Style,
    skins: &[Drawn<'_>],
    overlay: &Overlay,
) -> Picture {
    viewport.draw(target, camera, style, skins, overlay).expect("it draws");
    target.request().expect("it is asked for").wait().expect("it comes")
}

fn bare() -> Style {
    Style { grid: false, ..Style::default() }
}

fn at(picture: &Picture, [x, y]: [u32; 2]) -> [i32; 3] {
    let [r, g, b, a] = picture.pixels[(y * picture.width + x) as usize];
    assert_eq!(a, 255, "egui would mix it with what is behind");
    [r, g, b].map(i32::from)
}

fn apart(a: [i32; 3], b: [i32; 3]) -> i32 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum()
}

fn mean(picture: &Picture) -> f64 {
    let sum: u64 = picture.pixels.iter().map(|p| p[..3].iter().map(|&c| u64::from(c)).sum::<u64>()).sum();
    sum as f64 / (picture.pixels.len() * 3) as f64
}

#[test]
fn the_arm_is_in_the_middle_and_round_it_is_background() {
    let mut studio = Studio::arm();
    let none = Overlay::default();
    for background in [Background::Light, Background::Dark] {
        let style = Style { background, ..bare() };
        let with = studio.draw(Look::SHADED, &style, &none);
        let without = picture(&studio.viewport, &mut studio.target, &studio.camera, &style, &[], &none);
        for corner in [[2, 2], [157, 2], [2, 117], [157, 117]] {
            assert_eq!(at(&with, corner), at(&without, corner));
        }
        let middle = studio.pixel(studio.middle());
        assert!(apart(at(&with, middle), at(&without, middle)) > 60);
        let is_light = mean(&without) > 128.0;
        assert_eq!(is_light, background == Background::Light);
    }
}

#[test]
fn the_same_is_drawn_twice_in_the_same_bytes() {
    let mut studio = Studio::arm();
    let mut overlay = Overlay::default();
    overlay.bone(Vec3::ZERO, Vec3::X, Vec3::X);
    overlay.ring(Vec3::ZERO, Vec3::Y, 0.5, Vec4::ONE, 2.0, Layer::Through);
    let look = Look::SHADED.with_wire();
    let first = studio.draw(look, &Style::default(), &overlay);
    // Into another target: the first would not be drawn again.
    studio.target = Target::new(&studio.viewport, SIZE).expect("it is small");
    let second = studio.draw(look, &Style::default(), &overlay);
    assert!(first == second);
}

#[test]
fn only_what_has_changed_is_drawn_again() {
    let Studio { viewport, mut target, skin, mut shown, mut camera, .. } = Studio::arm();
    let image = Image::new(&viewport, [1, 1], &[[255, 0, 0, 255]]).expect("it is small");
    let mut overlay = Overlay::default();
    overlay.sheet(&image, [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X + Vec3::Y], 1.0, Layer::Over);
    let mut style = Style::default();
    let mut look = Look::COLORS;
    let mut is_drawn = |camera: &Camera, style: &Style, shown: &Shown, look: Look, overlay: &Overlay| {
        let drawn = |target: &mut Target| {
            viewport.draw(target, camera, style, &[(&skin, shown, look)], overlay).expect("it draws")
        };
        let first = drawn(&mut target);
        assert!(!drawn(&mut target), "what has just been drawn is drawn again");
        first
    };
    assert!(is_drawn(&camera, &style, &shown, look, &overlay));
    camera.eye += Vec3::X * 0.1;
    assert!(is_drawn(&camera, &style, &shown, look, &overlay), "another camera");
    style.background = Background::Dark;
    assert!(is_drawn(&camera, &style, &shown, look, &overlay), "another background");
    style.grid = false;
    assert!(is_drawn(&camera, &style, &shown, look, &overlay), "no grid");
    style.draft = true;
    assert!(is_drawn(&camera, &style, &shown, look, &overlay), "a draft");
    look.wire = Some(1.0);
    assert!(is_drawn(&camera, &style, &shown, look, &overlay), "another look");
    shown.moved().expect("it runs");
    assert!(is_drawn(&camera, &style, &shown, look, &overlay), "other points");
    shown.paint(&Paint::Uniform(Vec3::X));
    assert!(is_drawn(&camera, &style, &shown, look, &overlay), "other colours");
    shown.paint_vertices(3, &[Vec3::Y]);
    assert!(is_drawn(&camera, &style, &shown, look, &overlay), "another stroke of a brush");
    image.set(&viewport, &[[0, 255, 0, 255]]);
    assert!(is_drawn(&camera, &style, &shown, look, &overlay), "another picture in the scene");
    overlay.line([Vec3::ZERO, Vec3::X], Vec4::ONE, 1.0, Layer::Scene);
    assert!(is_drawn(&camera, &style, &shown, look, &overlay), "another line");
}

#[test]
fn a_draft_looks_like_the_skin() {
    let mut studio =
        Studio::of(example::hand(&HandOptions { vertices: 12_000, ..Default::default() }).expect("a hand"));
    let none = Overlay::default();
    let style = Style { occlusion: 0.0, ..bare() };
    let full = studio.draw(Look::SHADED, &style, &none);
    let draft = studio.draw(Look::SHADED, &Style { draft: true, ..style }, &none);
    assert!(full != draft, "there is no draft");
    let far = full
        .pixels
        .iter()
        .zip(&draft.pixels)
        .filter(|(a, b)| a[..3].iter().zip(&b[..3]).any(|(a, b)| a.abs_diff(*b) > 60));
    let share = far.count() as f64 / full.pixels.len() as f64;
    assert!(share < 0.02, "{share} of the pixels differ much");
}

#[test]
fn wire_darkens_edges_and_a_grid_the_floor() {
    let mut studio = Studio::arm();
    let none = Overlay::default();
    let plain = studio.draw(Look::PLAIN, &bare(), &none);
    let wire = studio.draw(Look::PLAIN.with_wire(), &bare(), &none);
    let darker = plain.pixels.iter().zip(&wire.pixels).filter(|(p, w)| w[1] + 12 < p[1]).count();
    let lighter = plain.pixels.iter().zip(&wire.pixels).filter(|(p, w)| w[1] > p[1] + 12).count();
    assert!(darker > 300 && lighter == 0, "{darker} darker, {lighter} lighter");
    studio.camera = Camera::framing(&studio.rig.mesh.positions, Direction::ThreeQuarter, 160.0 / 120.0, true);
    let without = studio.draw(Look::PLAIN, &bare(), &none);
    let with = studio.draw(Look::PLAIN, &Style::default(), &none);
    assert!(mean(&with) < mean(&without) - 0.1, "{} and {}", mean(&with), mean(&without));
}

#[test]
fn bones_are_seen_before_the_skin_and_paler_inside_it() {
    let mut studio = Studio::arm();
    let red = Vec3::new(0.9, 0.02, 0.02);
    let none = studio.draw(Look::PLAIN, &bare(), &Overlay::default());
    let inside = studio.middle();
    let before = inside + studio.camera.towards(inside) * studio.rig.diagonal() * 0.5;
    let redness = |studio: &mut Studio, p: Vec3| {
        let half = Vec3::new(0.0, 0.3, 0.0);
        let half = if studio.rig.diagonal() > 0.0 { half * studio.rig.diagonal() * 0.2 } else { half };
        let mut overlay = Overlay::default();
        overlay.bone(p - half, p + half, red);
        let picture = studio.draw(Look::PLAIN, &bare(), &overlay);
        // At a fifth of its length a bone is wide.
        let pixel = studio.pixel(p - half * 0.6);
        let [r, g, _] = at(&picture, pixel);
        let [r0, g0, _] = at(&none, pixel);
        (r - g) - (r0 - g0)
    };
    let (near, deep) = (redness(&mut studio, before), redness(&mut studio, inside));
    assert!(near > 60, "{near}");
    assert!(deep > 20 && deep < near, "{deep} inside, {near} before");
}

type Drawing<'a> = dyn Fn(&mut Overlay, Layer) + 'a;

#[test]
fn the_layers_of_lines_marks_and_sheets_are_kept() {
    let mut studio = Studio::arm();
    let inside = studio.middle();
    let none = studio.draw(Look::PLAIN, &bare(), &Overlay::default());
    let aside = Vec3::X * studio.rig.diagonal() * 0.03;
    let up = Vec3::Y * studio.rig.diagonal() * 0.03;
    let image = Image::new(&studio.viewport, [1, 1], &[[0, 255, 0, 255]]).expect("it is small");
    let green = Vec4::new(0.0, 1.0, 0.0, 1.0);
    let kinds: [&Drawing<'_>; 4] = [
        &|o, layer| o.line([inside - aside, inside + aside], green, 5.0, layer),
        &|o, layer| o.spot(inside, green, 4.0, layer),
        &|o, layer| o.face([inside - aside - up, inside + aside - up, inside + up], green, layer),
        &|o, layer| {
            let corners = [inside - aside + up, inside + aside + up, inside - aside - up, inside + aside - up];
            o.sheet(&image, corners, 1.0, layer);
        },
    ];
    for (i, kind) in kinds.iter().enumerate() {
        let green_in = |studio: &mut Studio, layer: Layer| {
            let mut overlay = Overlay::default();
            kind(&mut overlay, layer);
            let picture = studio.draw(Look::PLAIN, &bare(), &overlay);
            apart(at(&picture, studio.pixel(inside)), at(&none, studio.pixel(inside)))
        };
        let [scene, through, over] =
            [Layer::Scene, Layer::Through, Layer::Over].map(|layer| green_in(&mut studio, layer));
        assert!(scene < 6, "kind {i} is hidden by the skin: {scene}");
        assert!(through > 30 && over > through + 30, "kind {i}: {through} through, {over} over");
    }
}

#[test]
fn a_ghost_lets_what_is_behind_it_shine_through() {
    let mut studio = Studio::arm();
    let none = Overlay::default();
    let pixel = studio.pixel(studio.middle());
    let look = Look { coat: Coat::Plain(Vec3::new(0.9, 0.1, 0.1)), ..Look::SHADED };
    let style = Style { occlusion: 0.0, ..bare() };
    let [full, half, empty] =
        [look, look.ghost(0.5), look.ghost(0.0)].map(|l| at(&studio.draw(l, &style, &none), pixel));
    // Light is mixed, not bytes.
    let light = |b: i32| f64::from(supple_render::color::decode(b as u8));
    for i in 0..3 {
        let mixed = (light(full[i]) + light(empty[i])) * 0.5;
        assert!((light(half[i]) - mixed).abs() < 0.02, "{full:?} {half:?} {empty:?}");
    }
}

#[test]
fn painted_colours_are_shown_by_vertex_and_by_face() {
    let mut studio = Studio::arm();
    let none = Overlay::default();
    let pixel = studio.pixel(studio.middle());
    let blue = Vec3::new(0.02, 0.05, 0.9);
    let counts = [studio.rig.mesh.positions.len(), studio.rig.mesh.triangles.len()];
    for paint in [Paint::Vertices(vec![blue; counts[0]]), Paint::Faces(vec![blue; counts[1]]), Paint::Uniform(blue)] {
        studio.shown.paint(&paint);
        let [r, _, b] = at(&studio.draw(Look::COLORS, &bare(), &none), pixel);
        assert!(b > r + 80, "{r} {b}");
    }
    studio.shown.paint_vertices(0, &vec![Vec3::new(0.9, 0.05, 0.02); counts[0]]);
    let [r, _, b] = at(&studio.draw(Look::COLORS, &bare(), &none), pixel);
    assert!(r > b + 80, "{r} {b}");
    studio.shown.paint(&Paint::Looks);
    let material = studio.draw(Look::SHADED, &bare(), &none);
    assert!(studio.draw(Look::COLORS, &bare(), &none) == material);
}

#[test]
fn skin_turned_inside_out_is_red_unless_asked_not_to_be() {
    let mut rig = example::arm(&ArmOptions { vertices: 900, ..Default::default() }).expect("an arm");
    rig.mesh.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    let mut studio = Studio::of(rig);
    let pixel = studio.pixel(studio.middle());
    let [r, g, _] = at(&studio.draw(Look::PLAIN, &bare(), &Overlay::default()), pixel);
    assert!(r > g + 60, "{r} {g}");
    let look = Look { mark_inside: false, ..Look::PLAIN };
    let [r, g, _] = at(&studio.draw(look, &bare(), &Overlay::default()), pixel);
    assert!(r < g + 30, "{r} {g}");
}

#[test]
fn point_sets_are_discs() {
    let rig = example::statue(&StatueOptions { points: 1500 }).expect("a statue");
    let mut studio = Studio::of(rig);
    let none = Overlay::default();
    let empty = picture(&studio.viewport, &mut studio.target, &studio.camera, &bare(), &[], &none);
    let seen = |p: &Picture| p.pixels.iter().zip(&empty.pixels).filter(|(a, b)| a != b).count();
    let rest = studio.draw(Look::SHADED, &bare(), &none);
    assert!(seen(&rest) > 1500, "{}", seen(&rest));
    let ghost = studio.draw(Look::SHADED.ghost(0.4), &bare(), &none);
    assert!(seen(&ghost) > 1500);
    let moved: Vec<Vec3> = studio.rig.mesh.positions.iter().map(|p| *p + Vec3::splat(1e6)).collect();
    studio.shown.set_points(&moved).expect("as many as before");
    assert!(seen(&studio.draw(Look::SHADED, &bare(), &none)) == 0);
}

#[test]
fn broken_textures_and_points_that_are_nowhere_are_survived() {
    let mut rig = example::arm(&ArmOptions { vertices: 900, ..Default::default() }).expect("an arm");
    rig.mesh.uvs = Some(vec![Vec2::ZERO; rig.mesh.positions.len()]);
    rig.images = vec![supple::rig::Image { name: "skin".into(), mime: "image/png".into(), bytes: [1, 2, 3].into() }];
    rig.materials[0].base_color_image = Some(0);
    let viewport = viewport();
    let (skin, warnings) = Skin::new(&viewport, &rig).expect("a texture is no reason to fail");
    assert!(warnings.len() == 1 && warnings[0].contains("skin") && !warnings[0].contains('\n'), "{warnings:?}");
    let mut shown = Shown::new(&viewport, &skin).expect("it is small");
    let mut points = rig.mesh.positions.clone();
    points.iter_mut().step_by(7).for_each(|p| *p = Vec3::NAN);
    shown.set_points(&points).expect("as many as before");
    let mut target = Target::new(&viewport, SIZE).expect("it is small");
    let camera = Camera::framing(&rig.mesh.positions, Direction::Front, 160.0 / 120.0, false);
    let drawn = [(&skin, &shown, Look::SHADED)];
    picture(&viewport, &mut target, &camera, &Style::default(), &drawn, &Overlay::default());
    assert!(target.resize(&viewport, [33, 0]).expect("it is small") && target.size() == [33, 1]);
    picture(&viewport, &mut target, &camera, &Style::default(), &drawn, &Overlay::default());
    assert!(Target::new(&viewport, [1 << 20, 4]).is_err());
}

#[test]
fn a_hand_drawn_from_the_buffer_that_moves_it_has_the_outline_of_the_other_renderer() {
    let rig = example::hand(&HandOptions { vertices: 3000, ..Default::default() }).expect("a hand");
    let viewport = viewport();
    let graph = DeformGraph::single("linear").expect("registered");
    let mut device = pollster::block_on(GpuGraph::bind(viewport.gpu(), &graph.binding(&rig).expect("it binds"), &rig))
        .expect("it binds");
    let (skin, _) = Skin::new(&viewport, &rig).expect("it is small");
    let shown = Shown::of_buffer(&viewport, &skin, device.points()).expect("it is small");
    let mut target = Target::new(&viewport, [320, 240]).expect("it is small");
    for pose in [Pose::rest(&rig), rig.clips[0].sample(&rig, 0.5)] {
        let motion = Motion::of(&rig, &pose);
        device.run(&motion).expect("it runs");
        shown.moved().expect("it runs");
        let points = graph.bind(&rig).expect("it binds").evaluate(&rig.mesh.positions, &motion).to_vec();
        let camera = Camera::framing(&points, Direction::ThreeQuarter, 160.0 / 120.0, true);
        let drawn = [(&skin, &shown, Look { coat: Coat::Plain(Vec3::X), ..Look::SHADED })];
        // The same light everywhere, so that brightness says how much of a pixel is covered.
        let dark = [Vec3::Z, Vec3::ZERO];
        let lights = Lights { key: dark, fill: dark, rim: Vec3::ZERO, sky: [Vec3::ONE; 2] };
        let style = Style { background: Background::Dark, lights, occlusion: 0.0, ..bare() };
        let seen = picture(&viewport, &mut target, &camera, &style, &drawn, &Overlay::default());
        let full = seen.pixels.iter().map(|p| p[0]).max().unwrap_or(0);
        let half = supple_render::color::decode(full) * 0.5;
        let scene = Scene { surfaces: vec![character::surface(&rig, &points).0], ..Scene::default() };
        let buffers = cpu::render(&scene, &View::new(camera, target.size())).expect("a sound scene");
        let (mut both, mut either) = (0, 0);
        for (pixel, id) in seen.pixels.iter().zip(&buffers.id) {
            let (here, there) = (supple_render::color::decode(pixel[0]) > half, *id != 0);
            both += usize::from(here && there);
            either += usize::from(here || there);
        }
        let overlap = both as f64 / either as f64;
        assert!(either > 10_000 && overlap > 0.98, "{both} of {either}: {overlap}");
    }
}
