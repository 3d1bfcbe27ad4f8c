use super::{
    super::winding::tests::{joined, sphere},
    *,
};

type Skin = (Vec<Vec3>, Vec<[u32; 3]>);

fn mesh((positions, triangles): Skin) -> Mesh {
    Mesh { positions, triangles, ..Mesh::default() }
}

fn turned((points, triangles): Skin) -> Skin {
    (points, triangles.into_iter().map(|[a, b, c]| [a, c, b]).collect())
}

/// Without the triangles above a height.
fn below(height: f32, (points, mut triangles): Skin) -> Skin {
    triangles.retain(|t| t.iter().all(|&v| points[v as usize].y <= height));
    (points, triangles)
}

fn ball(x: f32, radius: f32) -> Skin {
    sphere(Vec3::X * x, radius, 3)
}

/// A sheet over the unit square, bulging by so much in the middle.
fn sheet(bulge: f32) -> Skin {
    let at = |i: u32| {
        let [x, z] = [i % 9, i / 9].map(|n| n as f32 / 8.0);
        Vec3::new(x, bulge * 16.0 * x * (1.0 - x) * z * (1.0 - z), z)
    };
    let cell = |i: u32| [[i, i + 9, i + 1], [i + 1, i + 9, i + 10]];
    let cells = (0..72).filter(|i| i % 9 != 8);
    ((0..81).map(at).collect(), cells.flat_map(cell).collect())
}

#[test]
fn closed_and_open_bodies_are_told_whichever_way_they_face() {
    let tube = below(0.5, sphere(Vec3::ZERO, 1.0, 3));
    for (name, skin) in [("ball", ball(0.0, 1.0)), ("open ball", tube), ("half ball", below(0.01, ball(0.0, 1.0)))] {
        let facing = Facing::of(&mesh(skin.clone()));
        assert_eq!((facing.sides(), facing.inside_out()), (&[Side::Outward][..], 0), "{name}");
        assert!(facing.clear() == 1.0, "{name}");
        let facing = Facing::of(&mesh(turned(skin.clone())));
        assert_eq!((facing.sides(), facing.inside_out()), (&[Side::Inward][..], skin.1.len()), "{name}");
    }
}

#[test]
fn sheets_and_pages_have_no_outside() {
    let both = |skin: Skin| {
        let back: Vec<[u32; 3]> = skin.1.iter().map(|&[a, b, c]| [c, b, a]).collect();
        (skin.0, [skin.1, back].concat())
    };
    for (name, skin) in [("flat", sheet(0.0)), ("bulging", sheet(0.1)), ("double", both(ball(0.0, 1.0)))] {
        let facing = Facing::of(&mesh(skin));
        assert!(facing.clear() == 0.0 && facing.inside_out() == 0, "{name}: {}", facing.clear());
    }
    // One side only: a strip with half a turn in it.
    let at = |i: u32| {
        let (turn, side) =
            (std::f32::consts::TAU * (i / 2) as f32 / 24.0, if i.is_multiple_of(2) { 0.4 } else { -0.4 });
        let out = Vec3::new(turn.cos(), 0.0, turn.sin());
        out + (out * (turn / 2.0).cos() + Vec3::Y * (turn / 2.0).sin()) * side
    };
    let mut strip: Vec<[u32; 3]> =
        (0..23).flat_map(|k| [[2 * k, 2 * k + 1, 2 * k + 2], [2 * k + 2, 2 * k + 1, 2 * k + 3]]).collect();
    strip.extend([[46, 47, 1], [1, 47, 0]]);
    assert_eq!(Facing::of(&mesh(((0..48).map(at).collect(), strip))).clear(), 0.0);
}

#[test]
fn one_of_several_pieces_is_found() {
    let shoe = below(0.3, ball(0.2, 0.4));
    let pair = |a: Skin, b: Skin| Facing::of(&mesh(joined(a, b)));
    let facing = pair(ball(0.0, 1.0), turned(ball(3.0, 0.5)));
    assert_eq!(facing.sides(), [Side::Outward, Side::Inward]);
    let part =
        |name: &str, triangles| Part { name: name.into(), vertices: 0..0, triangles, material: None, skinned: true };
    let told = facing.parts(&[part("body", 0..512), part("shoe", 512..1024)]);
    assert_eq!(told, [InsideOut { part: "shoe".into(), inside_out: 512, triangles: 512 }]);
    // Half in, half out of another one.
    let facing = pair(ball(0.0, 1.0), turned(shoe.clone().into_shifted(0.8)));
    assert_eq!(facing.sides(), [Side::Outward, Side::Inward]);
    // Grown together with it: its triangles are turned against their neighbours.
    let (points, mut triangles) = ball(0.0, 1.0);
    let is_low = |t: &[u32; 3]| t.iter().all(|&v| points[v as usize].y < -0.4);
    let low = triangles.iter().filter(|t| is_low(t)).count();
    triangles.iter_mut().filter(|t| is_low(t)).for_each(|t| t.swap(0, 1));
    assert_eq!(Facing::of(&mesh((points, triangles))).inside_out(), low);
}

trait Shifted {
    fn into_shifted(self, x: f32) -> Self;
}

impl Shifted for Skin {
    fn into_shifted(mut self, x: f32) -> Self {
        self.0.iter_mut().for_each(|p| p.x += x);
        self
    }
}

#[test]
fn hollows_and_eyes_inside_a_body_are_left_alone() {
    let body = || ball(0.0, 1.0);
    let inside = |skin: Skin| Facing::of(&mesh(joined(body(), skin)));
    assert_eq!(inside(ball(0.2, 0.3)).sides(), [Side::Outward, Side::Outward]);
    let hollow = inside(turned(ball(0.2, 0.3)));
    assert_eq!((hollow.sides(), hollow.inside_out()), (&[Side::Outward, Side::Hollow][..], 0));
    // Mirrored as a whole: both are turned, the hollow too.
    let mirrored = Facing::of(&mesh(turned(joined(body(), turned(ball(0.2, 0.3))))));
    assert_eq!(mirrored.inside_out(), 1024);
    let mut back = mesh(turned(joined(body(), turned(ball(0.2, 0.3)))));
    mirrored.turn(&mut back);
    assert!((back.volume() - (mesh(body()).volume() - mesh(ball(0.2, 0.3)).volume())).abs() < 1e-6);
}

#[test]
fn patches_tell_together_what_none_tells_alone() {
    // Eight octants, drawn apart by a hair: no edge is shared.
    let (points, triangles) = ball(0.0, 1.0);
    let (mut apart, mut patches) = (Vec::new(), Vec::new());
    for t in &triangles {
        let corners = t.map(|v| points[v as usize]);
        let octant: Vec3 = (corners[0] + corners[1] + corners[2]).signum();
        let first = apart.len() as u32;
        apart.extend(corners.map(|p| p + octant * 0.002));
        patches.push([first, first + 1, first + 2]);
    }
    let facing = Facing::of(&mesh((apart.clone(), patches.clone())));
    assert_eq!((facing.sides().len(), facing.inside_out()), (8, 0));
    assert!(facing.clear() == 1.0, "{:?}", facing.sides());
    let facing = Facing::of(&mesh(turned((apart, patches))));
    assert_eq!(facing.inside_out(), 512, "{:?}", facing.sides());
}

#[test]
fn normals_are_turned_along_unless_they_pointed_outwards_already() {
    let outside = mesh(ball(0.0, 1.0));
    let normals = outside.computed_normals();
    for stored in [normals.clone(), normals.iter().map(|n| -*n).collect()] {
        let mut mesh = Mesh { normals: Some(stored), ..mesh(turned(ball(0.0, 1.0))) };
        let facing = Facing::of(&mesh);
        facing.turn(&mut mesh);
        assert!((mesh.volume() - outside.volume()).abs() < 1e-6);
        assert_eq!(mesh.normals.as_ref(), Some(&normals));
    }
}

#[test]
fn nonsense_faces_nowhere() {
    assert_eq!(Facing::of(&Mesh::default()), Facing::default());
    let mut nonsense = mesh(ball(0.0, 1.0));
    nonsense.positions[3] = Vec3::NAN;
    nonsense.triangles.extend([[0, 0, 1], [9999, 1, 2]]);
    let facing = Facing::of(&nonsense);
    assert_eq!(facing.inside_out(), 0);
    assert_eq!(facing.piece_of(512), None);
    let mut collapsed = mesh(ball(0.0, 1.0));
    collapsed.positions.fill(Vec3::ONE);
    assert_eq!(Facing::of(&collapsed).clear(), 0.0);
}
