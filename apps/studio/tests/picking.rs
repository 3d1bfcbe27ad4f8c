//! What lies under places in the picture, asked of the device, against a loop over all triangles on points that were
//! fetched.

use glam::{Vec2, Vec3};
use supple::{
    example::{self, HandOptions},
    graph::DeformGraph,
    pose::Motion,
    rig::Rig,
};
use supple_gpu::{Gpu, GpuGraph};
use supple_render::{Camera, Direction};
use supple_studio::viewport::{Picked, Picker, Place, Shown, Skin, Spot, Viewport, pick::Ray};

const SIZE: [u32; 2] = [320, 240];

/// The first triangle that a ray meets, from either side, and how far along.
fn first_met(ray: &Ray, points: &[Vec3], triangles: &[[u32; 3]]) -> Option<(usize, f32)> {
    let along = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| points[v as usize]);
        let (ab, ac, from) = (b - a, c - a, ray.origin - a);
        let across = ray.direction.cross(ac);
        let volume = ab.dot(across);
        let (v, w) = (from.dot(across) / volume, ray.direction.dot(from.cross(ab)) / volume);
        let along = ac.dot(from.cross(ab)) / volume;
        (v >= 0.0 && w >= 0.0 && v + w <= 1.0 && along > 0.0).then_some(along)
    };
    let met = triangles.iter().enumerate().filter_map(|(i, t)| along(t).map(|along| (i, along)));
    met.min_by(|a, b| a.1.total_cmp(&b.1))
}

/// A skin, moved by a method on the device: its points are nowhere else.
struct Moved {
    rig: Rig,
    graph: GpuGraph,
    shown: Shown,
    skin: Skin,
    picker: Picker,
    camera: Camera,
}

impl Moved {
    fn new(rig: Rig, method: &str, perspective: bool) -> Self {
        let gpu = pollster::block_on(Gpu::open()).expect("a Vulkan driver");
        let viewport = Viewport::new(&gpu).expect("the shaders are sound");
        let graph = DeformGraph::single(method).expect("it is registered");
        let graph = pollster::block_on(GpuGraph::bind(&gpu, &graph.binding(&rig).expect("it binds"), &rig))
            .expect("it has a kernel");
        let (skin, _) = Skin::new(&viewport, &rig).expect("it is small");
        let shown = Shown::of_buffer(&viewport, &skin, graph.points()).expect("it is small");
        let picker = Picker::new(&gpu).expect("the shader is sound");
        let camera = Camera::framing(&rig.mesh.positions, Direction::ThreeQuarter, 320.0 / 240.0, perspective);
        Self { rig, graph, shown, skin, picker, camera }
    }

    fn ask(&mut self, places: &[Place]) -> Picked {
        let fetch = self.picker.ask(&self.skin, &self.shown, &self.camera, SIZE, places).expect("it is asked");
        fetch.wait().expect("it comes")
    }

    fn bend(&mut self, part: f64) -> Vec<Vec3> {
        let clip = &self.rig.clips[0];
        let pose = clip.sample(&self.rig, f64::from(clip.duration()) * part);
        self.graph.run(&Motion::of(&self.rig, &pose)).expect("it runs");
        let mut points = vec![Vec3::ZERO; self.rig.mesh.positions.len()];
        self.graph.read(&mut points).expect("it comes");
        points
    }
}

fn small_hand() -> Rig {
    example::hand(&HandOptions { vertices: 6000, ..Default::default() }).expect("it is made")
}

/// Places all over the picture, none in the middle of a pixel.
fn places() -> impl Iterator<Item = Vec2> {
    let turn = |i: f32, by: f32| (i * by).fract();
    (0..600).map(|i| i as f32 + 0.5).map(move |i| Vec2::new(turn(i, 0.618_034) * 320.0, turn(i, 0.754_878) * 240.0))
}

#[test]
fn what_is_picked_on_the_device_is_what_a_ray_meets_there_under_any_method() {
    for (method, perspective) in
        [("linear", true), ("dual-quaternion", false), ("delta-mush", true), ("implicit", true)]
    {
        let mut moved = Moved::new(small_hand(), method, perspective);
        for part in [0.0, 0.45] {
            let points = moved.bend(part);
            let (mut met, mut missed, mut other) = (0, 0, 0);
            for chunk in places().collect::<Vec<_>>().chunks(50) {
                let asked: Vec<Place> = chunk.iter().map(|&at| Place { at, radius: 0.0 }).collect();
                let spots = moved.ask(&asked).spots;
                assert_eq!(spots.len(), chunk.len());
                for (&at, spot) in chunk.iter().zip(spots) {
                    let ray = Ray::through(&moved.camera, SIZE, at);
                    let expected = first_met(&ray, &points, &moved.rig.mesh.triangles);
                    let Some((triangle, along)) = expected else {
                        missed += 1;
                        // A sliver at the rim may be seen where no ray meets it.
                        other += usize::from(spot.is_some());
                        continue;
                    };
                    met += 1;
                    let Some(Spot { hit, corners, .. }) = spot else {
                        other += 1;
                        continue;
                    };
                    // Where two triangles meet, either is right.
                    let same = hit.triangle == triangle || (hit.distance - along).abs() < 1e-4 * moved.rig.diagonal();
                    other += usize::from(!same);
                    // Of triangles much smaller than a pixel it may be the one beside it.
                    let seen = moved.camera.pixel(hit.position, SIZE).expect("before the eye");
                    assert!(seen.distance(at) < 0.5, "{method}: {seen} for {at}");
                    if same {
                        let off = hit.position.distance(ray.at(hit.distance));
                        assert!(off < 1e-4 * moved.rig.diagonal(), "{method} at {at}: {off}");
                        let [a, b, c] = corners;
                        let place = a + (b - a) * hit.barycentric.x + (c - a) * hit.barycentric.y;
                        assert!(place.distance(hit.position) < 1e-5 * moved.rig.diagonal(), "{method} at {at}");
                        let own = moved.rig.mesh.triangles[hit.triangle].map(|v| points[v as usize]);
                        assert_eq!(corners, own, "{method} at {at}");
                    }
                }
            }
            assert!(met > 50 && missed > 50, "{method}: {met} met, {missed} missed");
            assert!(other * 50 <= met, "{method} at {part}: {other} of {met} are others");
        }
    }
}

#[test]
fn vertices_round_a_place_are_all_of_them_and_no_others() {
    let mut moved = Moved::new(small_hand(), "linear", true);
    let points = moved.bend(0.45);
    let middle = moved.camera.pixel(points[100], SIZE).expect("before the eye");
    let diagonal = moved.rig.diagonal();
    let radii = [0.0, 0.01, 0.05, 5.0].map(|r| r * diagonal);
    let asked = radii.map(|radius| Place { at: middle, radius });
    // At first there is no room for so many.
    let few = moved.ask(&[asked[3]; 4]);
    assert!(few.gathered == 4 * points.len() && few.gathered > few.room, "{} of {}", few.gathered, few.room);
    moved.picker.make_room(few.gathered).expect("it is small");
    let whole = moved.ask(&asked);
    assert!(whole.gathered <= whole.room);
    for (spot, radius) in whole.spots.iter().zip(radii) {
        let spot = spot.as_ref().expect("there is skin");
        let away = |v: &usize| points[*v].distance(spot.hit.position);
        let sure = (0..points.len()).filter(|v| radius > 0.0 && away(v) < radius * 0.9999).map(|v| v as u32);
        let told: Vec<u32> = spot.near.iter().map(|near| near.0).collect();
        assert!(told.is_sorted() && sure.clone().all(|v| told.binary_search(&v).is_ok()), "{radius}");
        for &(vertex, told) in &spot.near {
            let away = away(&(vertex as usize));
            assert!((told - away).abs() < 1e-5 * diagonal && away <= radius * 1.0001, "{vertex}: {told} for {away}");
        }
    }
    assert!(whole.spots[0].as_ref().is_some_and(|spot| spot.near.is_empty()));
    assert!(whole.spots[2].as_ref().is_some_and(|spot| spot.near.len() > 20));
}

#[test]
fn triangles_that_are_not_finite_are_met_by_nobody() {
    let rig = small_hand();
    let gpu = pollster::block_on(Gpu::open()).expect("a Vulkan driver");
    let viewport = Viewport::new(&gpu).expect("the shaders are sound");
    let (skin, _) = Skin::new(&viewport, &rig).expect("it is small");
    let mut shown = Shown::new(&viewport, &skin).expect("it is small");
    let mut picker = Picker::new(&gpu).expect("the shader is sound");
    let camera = Camera::framing(&rig.mesh.positions, Direction::Front, 320.0 / 240.0, true);
    let at = camera.pixel(rig.mesh.positions[100], SIZE).expect("before the eye");
    let ask = |picker: &mut Picker, shown: &Shown| {
        let asked = picker.ask(&skin, shown, &camera, SIZE, &[Place { at, radius: 0.1 }]).expect("it is asked");
        asked.wait().expect("it comes").spots.remove(0)
    };
    assert!(ask(&mut picker, &shown).is_some());
    shown.set_points(&vec![Vec3::NAN; rig.mesh.positions.len()]).expect("they are sent");
    assert_eq!(ask(&mut picker, &shown), None);
}
