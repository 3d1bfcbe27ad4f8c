//! The rasteriser against things that can be computed by hand.

use glam::{Vec2, Vec3, Vec4};
use supple_render::{
    Buffers, Camera, Direction, Error, Geometry, Paint, Points, Projection, Scene, Shading, Surface, View, cpu,
};

/// Looks along -z from z = 10 at a square of side 2 round the origin; depth 0 is z = 9, depth 1 is z = -10.
fn square_on(pixels: u32) -> View {
    let camera = Camera {
        eye: Vec3::Z * 10.0,
        target: Vec3::ZERO,
        up: Vec3::Y,
        projection: Projection::Orthographic { height: 2.0 },
        near: 1.0,
        far: 20.0,
    };
    View { supersampling: 1, ..View::new(camera, [pixels, pixels]) }
}

fn surface(positions: &[Vec3], triangles: &[[u32; 3]]) -> Scene {
    let surface = Surface::new(positions.to_vec(), triangles.to_vec(), Shading::Flat);
    Scene { surfaces: vec![surface], ..Scene::default() }
}

/// Rings of a unit sphere, or of a part of it.
fn sphere(radius: f32, rings: u32) -> Scene {
    let mut positions = Vec::new();
    for i in 0..=rings {
        for j in 0..2 * rings {
            let (a, b) =
                (i as f32 * std::f32::consts::PI / rings as f32, j as f32 * std::f32::consts::PI / rings as f32);
            positions.push(Vec3::new(a.sin() * b.sin(), a.cos(), a.sin() * b.cos()) * radius);
        }
    }
    let at = |i: u32, j: u32| i * 2 * rings + j % (2 * rings);
    let quads = (0..rings).flat_map(|i| (0..2 * rings).map(move |j| (i, j)));
    let triangles = quads
        .flat_map(|(i, j)| [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]]);
    let normals = Shading::Smooth(positions.iter().map(|p| p.normalize()).collect());
    let surface = Surface::new(positions.clone(), triangles.collect(), normals);
    Scene { surfaces: vec![surface], ..Scene::default() }
}

#[test]
fn a_sphere_has_the_depth_and_normals_of_a_sphere() {
    let view = square_on(101);
    let buffers = cpu::render(&sphere(0.8, 200), &view).unwrap();
    let mut covered = 0;
    for y in 0..101 {
        for x in 0..101 {
            let i = y * 101 + x;
            let p = Vec2::new((x as f32 + 0.5) / 101.0 * 2.0 - 1.0, 1.0 - (y as f32 + 0.5) / 101.0 * 2.0);
            let r2 = p.length_squared();
            if buffers.id[i] != 0 {
                covered += 1;
                assert!(r2 < 0.6401);
                if r2 < 0.6 {
                    let z = (0.64 - r2).sqrt();
                    let depth = (9.0 - z) / 19.0;
                    assert!((buffers.depth[i] - depth).abs() < 2e-4, "{} is not {depth}", buffers.depth[i]);
                    let normal = p.extend(z) / 0.8;
                    assert!(buffers.normal[i].distance(normal) < 2e-3, "{} is not {normal}", buffers.normal[i]);
                    assert!(buffers.position[i].distance(p.extend(z)) < 1e-3);
                }
            } else {
                assert!(r2 > 0.638 && buffers.depth[i] == 1.0 && buffers.position[i] == Vec3::ZERO);
            }
        }
    }
    let disc = std::f32::consts::PI * 0.64 / 4.0 * 101.0 * 101.0;
    assert!((covered as f32 / disc - 1.0).abs() < 0.01, "{covered} pixels, expected {disc}");
}

#[test]
fn neighbours_share_no_pixel_and_leave_none() {
    // A diagonal through pixel centres, and corners on pixel centres: where rounding would show.
    let c =
        [Vec3::new(-1.0, -1.0, 0.0), Vec3::new(1.0, -1.0, 0.0), Vec3::new(1.0, 1.0, 0.0), Vec3::new(-1.0, 1.0, 0.0)];
    for pixels in [4, 7, 32] {
        let one = |t: [u32; 3]| cpu::render(&surface(&c, &[t]), &square_on(pixels)).unwrap().id;
        let (lower, upper) = (one([0, 1, 2]), one([0, 2, 3]));
        assert!(lower.iter().zip(&upper).all(|(a, b)| a + b == 1), "of {pixels} pixels");
        let both = cpu::render(&surface(&c, &[[0, 1, 2], [0, 2, 3]]), &square_on(pixels)).unwrap().id;
        assert!(both.iter().zip(&lower).all(|(id, lower)| *id == if *lower == 1 { 1 } else { 2 }));
    }
}

#[test]
fn the_nearer_triangle_wins_and_among_equals_the_first() {
    let z = |z: f32| [Vec3::new(-3.0, -3.0, z), Vec3::new(3.0, -3.0, z), Vec3::new(0.0, 5.0, z)];
    let scene = surface(&[z(0.0), z(1.0), z(-1.0), z(1.0)].concat(), &[[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]);
    let buffers = cpu::render(&scene, &square_on(8)).unwrap();
    assert!(buffers.id.iter().all(|id| *id == 2));
    assert!(buffers.depth.iter().all(|d| (d - 8.0 / 19.0).abs() < 1e-6));
}

/// The place each pixel shows must lie on its triangle, project to the pixel's centre, and have the pixel's depth.
fn consistent(buffers: &Buffers, scene: &Scene, view: &View) -> usize {
    let geometry = Geometry::of(scene, view).unwrap();
    let clip = view.camera.clip_from_world(view.aspect());
    let mut seen = 0;
    for (i, &id) in buffers.id.iter().enumerate().filter(|(_, id)| **id != 0) {
        let weights = buffers.weights(i);
        assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-6 && weights.iter().all(|w| *w > -1e-6), "{weights:?}");
        let corners = geometry.corners(id - 1);
        let place: Vec3 = corners.iter().zip(weights).map(|(c, w)| *c * w).sum();
        assert!(place.distance(buffers.position[i]) < 1e-4 * (1.0 + place.length()));
        let centre = Vec2::new((i as u32 % buffers.width) as f32 + 0.5, (i as u32 / buffers.width) as f32 + 0.5);
        let pixel = view.camera.pixel(place, view.size).expect("before the camera");
        assert!(pixel.distance(centre) < 0.02, "{pixel} is not {centre}");
        assert!((clip.project_point3(place).z - buffers.depth[i]).abs() < 1e-4);
        seen += 1;
    }
    seen
}

#[test]
fn barycentric_coordinates_lead_back_to_the_pixel() {
    let scene = sphere(1.0, 9);
    for perspective in [false, true] {
        let camera = Camera::framing(&scene.extent(), Direction::ThreeQuarter, 1.5, perspective);
        let view = View::new(camera, [90, 60]);
        assert!(consistent(&cpu::render(&scene, &view).unwrap(), &scene, &view) > 1500);
    }
}

#[test]
fn a_floor_that_passes_under_the_camera_is_cut_at_the_near_plane() {
    let far = 100.0;
    let floor = [
        Vec3::new(-far, -1.0, far),
        Vec3::new(far, -1.0, far),
        Vec3::new(far, -1.0, -far),
        Vec3::new(-far, -1.0, -far),
    ];
    let scene = surface(&floor, &[[0, 1, 2], [0, 2, 3]]);
    let projection = Projection::Perspective { vertical_angle: 1.0 };
    let camera = Camera { eye: Vec3::ZERO, target: Vec3::NEG_Z, up: Vec3::Y, projection, near: 0.1, far: 1000.0 };
    let view = View::new(camera, [60, 60]);
    let buffers = cpu::render(&scene, &view).unwrap();
    assert!(consistent(&buffers, &scene, &view) > 1700);
    assert!(buffers.id[..60 * 29].iter().all(|id| *id == 0) && buffers.id[60 * 32..].iter().all(|id| *id != 0));
}

#[test]
fn points_are_discs_numbered_after_the_triangles() {
    let mut scene =
        surface(&[Vec3::new(-3.0, -3.0, -1.0), Vec3::new(3.0, -3.0, -1.0), Vec3::new(0.0, 5.0, -1.0)], &[[0, 1, 2]]);
    let points = |normals| Points { positions: vec![Vec3::ZERO], normals, radius: 0.5, paint: Paint::Looks };
    for (normals, across) in [(None, 1.0), (Some(vec![Vec3::new(0.0, 0.866, 0.5)]), 0.5)] {
        scene.points = vec![points(normals)];
        let buffers = cpu::render(&scene, &square_on(200)).unwrap();
        let seen = buffers.id.iter().filter(|id| **id == 2).count() as f32;
        let expected = std::f32::consts::PI * 0.25 * across / 4.0 * 40_000.0;
        assert!((seen / expected - 1.0).abs() < 0.02, "{seen} pixels, expected {expected}");
        assert!(buffers.id.iter().all(|id| *id == 1 || *id == 2));
    }
}

#[test]
fn the_inside_is_red_and_a_section_opens_it() {
    let mut scene = sphere(0.8, 40);
    scene.surfaces[0].paint = Paint::Uniform(Vec3::splat(0.4));
    let middle = |scene: &Scene, view: &View| {
        let buffers = cpu::render(scene, view).unwrap();
        (buffers.color[32 * 64 + 32], buffers.position[32 * 64 + 32].z)
    };
    let view = square_on(64);
    let ([r, g, b, a], z) = middle(&scene, &view);
    assert!(r.abs_diff(g) < 30 && g.abs_diff(b) < 30 && a == 255 && z > 0.0);
    let (_, z) = middle(&scene, &View { section: Some(Vec4::new(0.0, 0.0, 1.0, 0.0)), ..view });
    assert!(z < -0.7);
    scene.surfaces[0].triangles.iter_mut().for_each(|t| t.swap(1, 2));
    let ([r, g, b, _], _) = middle(&scene, &view);
    assert!(r > 2 * g && r > 2 * b, "{r} {g} {b}");
}

#[test]
fn awkward_triangles_draw_nothing_and_harm_nothing() {
    let nan = Vec3::new(f32::NAN, 0.0, 0.0);
    let points = [Vec3::ZERO, Vec3::X, Vec3::Y, nan, Vec3::splat(1e30), Vec3::splat(-1e30), Vec3::X * f32::INFINITY];
    let triangles = [[0, 0, 1], [0, 0, 0], [0, 1, 3], [0, 4, 5], [6, 1, 2], [0, 1, 2]];
    for perspective in [false, true] {
        let camera = Camera::framing(&points[..3], Direction::Front, 1.0, perspective);
        let buffers = cpu::render(&surface(&points, &triangles), &View::new(camera, [40, 40])).unwrap();
        assert!(buffers.id.contains(&6) && buffers.id.iter().all(|id| [0, 4, 6].contains(id)));
        assert!(buffers.normal.iter().all(|n| n.is_finite()) && buffers.light.iter().all(|l| l.is_finite()));
    }
}

#[test]
fn a_scene_that_does_not_fit_together_is_refused() {
    let view = square_on(4);
    let mut scene = surface(&[Vec3::ZERO], &[[0, 0, 7]]);
    assert_eq!(cpu::render(&scene, &view).unwrap_err(), Error::Vertex { found: 7, vertices: 1 });
    scene.surfaces[0].triangles = vec![[0, 0, 0]];
    scene.surfaces[0].normals = Shading::Smooth(vec![Vec3::Z; 2]);
    assert_eq!(cpu::render(&scene, &view).unwrap_err().to_string(), "2 normals, expected 1");
    scene.surfaces[0].normals = Shading::Flat;
    scene.surfaces[0].paint = Paint::Faces(Vec::new());
    assert_eq!(cpu::render(&scene, &view).unwrap_err().to_string(), "0 face colours, expected 1");
    let flat = View { camera: Camera { far: 1.0, ..view.camera }, ..view };
    assert_eq!(cpu::render(&Scene::default(), &flat).unwrap_err(), Error::Camera);
}
