//! The renderer on a graphics device against the one on the processor. No adapter is a failure, not a skip: `./test`
//! installs a software driver.
#![cfg(feature = "gpu")]

mod compared;
#[allow(dead_code, reason = "another test wants the rest")]
mod scene;

use compared::Difference;
use glam::{Vec2, Vec3, Vec4};
use supple::{
    example::{self, ArmOptions, HandOptions},
    graph::DeformGraph,
    pose::{Motion, Pose},
    rig::{Normals, Rig},
};
use supple_gpu::Gpu;
use supple_render::{
    Background, Camera, Direction, Error, Look, Paint, Points, Scene, Shading, Surface, Texture, View, character, cpu,
    draw,
    gpu::{Renderer, sources},
};

fn gpu() -> Gpu {
    pollster::block_on(Gpu::open()).expect("a Vulkan driver is needed; on Debian: mesa-vulkan-drivers")
}

fn posed(rig: &Rig, pose: &Pose) -> (Vec<Vec3>, Motion) {
    let motion = Motion::of(rig, pose);
    let mut bound = DeformGraph::single("linear").expect("a method").bind(rig).expect("weights");
    (bound.evaluate(&rig.mesh.positions, &motion).to_vec(), motion)
}

fn arm() -> (Rig, Vec<Vec3>, Motion) {
    let rig = example::arm(&ArmOptions { vertices: 1500, ..ArmOptions::default() }).expect("an arm");
    let mut pose = Pose::rest(&rig);
    pose.bend(&rig, "forearm", 110.0, None).expect("a hinge");
    let (points, motion) = posed(&rig, &pose);
    (rig, points, motion)
}

fn hand() -> (Rig, Vec<Vec3>) {
    let rig = example::hand(&HandOptions { vertices: 3000, ..Default::default() }).expect("a hand");
    let clip = rig.clip("fist").expect("a fist");
    let (points, _) = posed(&rig, &clip.sample(&rig, f64::from(clip.duration())));
    (rig, points)
}

fn seen(scene: Scene, perspective: bool) -> (Scene, View) {
    let camera = Camera::framing(&scene.extent(), Direction::ThreeQuarter, 96.0 / 72.0, perspective);
    (scene, View::new(camera, [96, 72]))
}

fn only(surface: Surface) -> Scene {
    Scene { surfaces: vec![surface], ..Scene::default() }
}

/// A texture of squares, twice round the arm, with a look of its own on a part of it.
fn textured(mut surface: Surface, points: &[Vec3]) -> Surface {
    let squares =
        (0..64 * 32).map(|i| if (i / 64 / 4 + i % 64 / 4) % 2 == 0 { [230, 120, 40, 255] } else { [20, 90, 200, 255] });
    surface.textures = vec![Texture { width: 64, height: 32, pixels: squares.collect() }.into()];
    surface.uvs = Some(points.iter().map(|p| Vec2::new(p.x * 0.7 - 3.0, p.y + p.z)).collect());
    let half = surface.triangles.len() as u32 / 2;
    surface.looks = vec![
        Look { triangles: 0..half, color: Vec3::new(0.9, 0.8, 0.7), texture: Some(0) },
        Look { triangles: half - 200..half + 300, color: Vec3::new(0.1, 0.6, 0.2), texture: None },
    ];
    surface
}

fn scenes() -> Vec<(&'static str, Scene, View)> {
    let (rig, points, motion) = arm();
    let (skin, _) = character::surface(&rig, &points);
    let weights = character::weight_colors(rig.weights.as_ref().expect("weights"));
    let (hand, fist) = hand();
    let (fist, _) = character::surface(&hand, &fist);
    let mut list = Vec::new();
    let mut add = |name: &'static str, scene: Scene, change: &dyn Fn(&mut View)| {
        let (scene, mut view) = seen(scene, name != "parallel rays");
        change(&mut view);
        list.push((name, scene, view));
    };
    add("arm", only(skin.clone()), &|_| {});
    add("parallel rays", only(skin.clone()), &|v| v.supersampling = 1);
    add("fist", only(fist.clone()), &|v| v.background = Background::Dark);
    add("wire", only(Surface { wire: Some(1.0), ..skin.clone() }), &|_| {});
    add("weights", only(Surface { paint: weights, ..skin.clone() }), &|v| v.supersampling = 2);
    add("section", only(fist.clone()), &|v| v.section = Some(Vec4::new(0.0, 0.0, 1.0, -0.01)));
    add("texture", only(textured(skin.clone(), &points)), &|_| {});
    let faces = (0..skin.triangles.len()).map(supple_render::color::hue).collect();
    let flat = Surface { normals: Shading::Flat, paint: Paint::Faces(faces), ..skin.clone() };
    add("flat", only(flat), &|_| {});
    let smooth = Shading::Smooth(Normals::of(&rig.mesh).smooth(&points).to_vec());
    let plain = Paint::Uniform(Vec3::new(0.2, 0.5, 0.3));
    add("smooth", only(Surface { normals: smooth, paint: plain, ..skin.clone() }), &|_| {});
    let bones = vec![character::bones(&rig, &motion)];
    add("bones", Scene { bones: bones.clone(), ..only(skin.clone()) }, &|_| {});
    add("bare bones", Scene { bones, ..Scene::default() }, &|_| {});
    let colors = Paint::Vertices((0..rig.mesh.positions.len()).map(supple_render::color::hue).collect());
    let cloud = Points { paint: colors, ..character::points(&rig, &rig.mesh.positions) };
    let shifted = points.iter().step_by(20).map(|p| *p + Vec3::new(0.0, -1.6, 0.0)).collect();
    let plain = Points { positions: shifted, normals: None, radius: 0.08, paint: Paint::Looks };
    add("points", Scene { points: vec![cloud, plain.clone()], ..Scene::default() }, &|_| {});
    // One arm lies exactly in another: of two at the same depth the first is seen.
    let mut hand = fist;
    hand.positions.iter_mut().for_each(|p| *p = *p * 8.0 + Vec3::new(0.0, 1.5, 0.5));
    let mixed =
        Scene { surfaces: vec![skin.clone(), textured(skin, &points), hand], points: vec![plain], ..Scene::default() };
    add("many", mixed, &|_| {});
    let (golden, view) = scene::scene();
    list.push(("golden", golden, view));
    list
}

#[test]
fn both_renderers_draw_the_same() {
    let renderer = Renderer::new(&gpu()).expect("shaders compile");
    let mut faults = Vec::new();
    for (name, scene, view) in scenes() {
        let expected = cpu::render(&scene, &view).expect("a sound scene");
        let found = renderer.render(&scene, &view).unwrap_or_else(|e| panic!("{name}: {e}"));
        let difference = Difference::of(&expected, &found, &view);
        faults.extend(difference.faults().iter().map(|f| format!("{name}: {f}; {difference:?}")));
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// The comparison must see each of these, or it would not see a fault that nobody planted.
#[test]
fn broken_shaders_are_rejected() {
    let breaks = [
        ("swapped weights", "raster", "clamp(part.yz", "clamp(part.zy", "position"),
        (
            "depth that grows towards the camera",
            "raster",
            "bitcast<u32>(depth)), depth)",
            "bitcast<u32>(depth)), 1.0 - depth)",
            "ids",
        ),
        ("discs left as triangles", "raster", "> 1.0 {\n            discard", "> 9.0 {\n            discard", "ids"),
        ("section ignored", "raster", "view.has_section != 0u", "view.has_section == 7u", "ids"),
        ("normals of another corner", "resolve", "three(corner + 3u)", "three(corner + 6u)", "normal off"),
        (
            "normals turned round",
            "resolve",
            "return normalize(smooth_normal)",
            "return -normalize(smooth_normal)",
            "normal",
        ),
        ("half of the occlusion", "occlusion", "occluded / ALL_HIDDEN", "occluded / 2.0 / ALL_HIDDEN", "light"),
        ("another light", "shade", "view.key.xyz, KEY_WRAP", "view.fill.xyz, KEY_WRAP", "color"),
        ("no inside", "shade", "base = select", "let unused_base = select", "color off"),
        ("a texture upside down", "shade", "u32(at.y * size.x", "u32((size.y - 1 - at.y) * size.x", "color off"),
        ("wire too wide", "shade", "wire * f32(view.scale)", "3.0 * wire * f32(view.scale)", "color off"),
        ("bones too faint", "shade", "BONE_DEEP + BONE_SHALLOW", "0.05 + BONE_SHALLOW", "color off"),
    ];
    let gpu = gpu();
    let scenes = scenes();
    for (name, module, from, to, expected) in breaks {
        let broken = sources().map(|(m, source)| {
            let changed = if m == module { source.replace(from, to) } else { source.clone() };
            assert_eq!(m == module, changed != source, "{name}: the shader no longer has {from:?}");
            (m, changed)
        });
        let renderer = Renderer::with_sources(&gpu, broken).unwrap_or_else(|e| panic!("{name}: {e}"));
        let seen = scenes.iter().any(|(_, scene, view)| {
            let cpu = cpu::render(scene, view).expect("a sound scene");
            let found = renderer.render(scene, view).expect("it draws");
            Difference::of(&cpu, &found, view).faults().iter().any(|f| f.starts_with(expected))
        });
        assert!(seen, "{name}: not noticed");
    }
}

#[test]
fn shaders_are_valid() {
    for (name, source) in sources() {
        let module = naga::front::wgsl::parse_str(&source);
        let module = module.unwrap_or_else(|e| panic!("{name}: {}", e.emit_to_string(&source)));
        let mut validator = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), Default::default());
        validator.validate(&module).unwrap_or_else(|e| panic!("{name}: {e:?}"));
    }
}

#[test]
fn what_the_device_cannot_draw_the_processor_does() {
    let renderer = Renderer::new(&gpu()).expect("shaders compile");
    let (rig, points, _) = arm();
    let (mut surface, _) = character::surface(&rig, &points);
    surface.paint = Paint::Uniform(Vec3::NAN);
    let (scene, view) = seen(only(surface), true);
    assert_eq!(renderer.render(&scene, &view), Err(Error::Unsupported("colours that are not finite".into())));
    let (buffers, notice) = draw(&scene, &view, Some(&renderer)).expect("the processor draws it");
    assert_eq!(buffers, cpu::render(&scene, &view).unwrap());
    let notice = notice.expect("a notice");
    assert_eq!(notice, "not drawn on graphics devices: colours that are not finite; drawn by the processor");
    let huge = View { size: [8192, 8], supersampling: 4, ..view };
    // Some cards hold textures of 32,768 pixels: there nothing is too large for them.
    let fits = renderer.gpu().device.limits().max_texture_dimension_2d >= 8192 * 4;
    assert_eq!(matches!(renderer.render(&Scene::default(), &huge), Err(Error::Device(_))), !fits);
    assert!(matches!(renderer.render(&scene, &View { supersampling: 9, ..view }), Err(Error::Supersampling(9))));
}

#[test]
fn without_a_device_nothing_is_said() {
    let (scene, view) = scene::scene();
    let (buffers, notice) = draw(&scene, &view, None).unwrap();
    assert_eq!((buffers, notice), (cpu::render(&scene, &view).unwrap(), None));
}

#[test]
fn triangles_that_are_not_finite_are_left_out_and_keep_their_number() {
    let renderer = Renderer::new(&gpu()).expect("shaders compile");
    let (rig, points, _) = arm();
    let (mut surface, _) = character::surface(&rig, &points);
    surface.normals = Shading::Flat;
    for (i, bad) in [f32::NAN, f32::INFINITY, 1e38].into_iter().enumerate() {
        surface.positions[200 * i + 100].y = bad;
    }
    let (_, view) = seen(only(Surface::new(points, Vec::new(), Shading::Flat)), true);
    let scene = only(surface);
    let (cpu, gpu) = (cpu::render(&scene, &view).unwrap(), renderer.render(&scene, &view).unwrap());
    let other = cpu.id.iter().zip(&gpu.id).filter(|(a, b)| a != b).count();
    assert!(other * 200 <= cpu.id.len(), "{other} pixels differ");
}

#[test]
fn nothing_is_drawn_as_nothing() {
    let renderer = Renderer::new(&gpu()).expect("shaders compile");
    let (_, view) = scene::scene();
    let scene = Scene::default();
    assert_eq!(renderer.render(&scene, &view), cpu::render(&scene, &view));
}
