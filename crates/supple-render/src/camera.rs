use glam::{DVec3, Mat4, Vec2, Vec3, Vec4, camera};
use std::fmt;

/// Where the picture is taken from. The world and the view are right-handed; in the view x is right, y is up and the
/// camera looks along -z. Clip space is that of wgpu: x right, y up, z / w from 0 (near) to 1 (far).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where it stands; for an orthographic camera only the direction matters, and the near plane.
    pub eye: Vec3,
    /// What it looks at.
    pub target: Vec3,
    /// What should be up in the picture; not along the line of sight.
    pub up: Vec3,
    /// How it sees.
    pub projection: Projection,
    /// Nothing nearer is drawn.
    pub near: f32,
    /// Nothing farther is drawn.
    pub far: f32,
}

/// How a camera sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Projection {
    /// Parallel rays; the picture is so high, in units of the world.
    Orthographic {
        /// Height of the picture.
        height: f32,
    },
    /// Rays through the eye.
    Perspective {
        /// Angle between the top and the bottom of the picture, in radians.
        vertical_angle: f32,
    },
}

/// A named side to look from. Characters of glTF face +z with +y up, so their left is +x.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// From +z.
    Front,
    /// From -z.
    Back,
    /// The character's left, from +x.
    Left,
    /// The character's right, from -x.
    Right,
    /// From +y, with -z up in the picture.
    Top,
    /// From -y, with +z up in the picture.
    Bottom,
    /// From the front, a little to the left and above.
    #[default]
    ThreeQuarter,
}

impl Direction {
    /// All of them, with their names.
    pub const ALL: [(&'static str, Self); 7] = [
        ("front", Self::Front),
        ("back", Self::Back),
        ("left", Self::Left),
        ("right", Self::Right),
        ("top", Self::Top),
        ("bottom", Self::Bottom),
        ("three-quarter", Self::ThreeQuarter),
    ];

    /// From the thing towards the camera, of unit length, and what is up in the picture.
    pub fn axes(self) -> (Vec3, Vec3) {
        match self {
            Self::Front => (Vec3::Z, Vec3::Y),
            Self::Back => (Vec3::NEG_Z, Vec3::Y),
            Self::Left => (Vec3::X, Vec3::Y),
            Self::Right => (Vec3::NEG_X, Vec3::Y),
            Self::Top => (Vec3::Y, Vec3::NEG_Z),
            Self::Bottom => (Vec3::NEG_Y, Vec3::Z),
            Self::ThreeQuarter => (Vec3::new(0.5, 0.36, 0.788).normalize(), Vec3::Y),
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::ALL.iter().find(|(_, d)| d == self).map_or("", |(name, _)| name);
        f.write_str(name)
    }
}

/// The angle that framed perspective pictures have: narrow, as from a few steps away, so that shapes can be compared.
pub const FRAMING_ANGLE: f32 = 0.4;

/// The part of the picture's width and height that stays free round a framed thing, on each side.
const MARGIN: f32 = 0.06;

impl Camera {
    /// Sees all points, as large as the picture (width over height) allows, from a side.
    pub fn framing(points: &[Vec3], direction: Direction, aspect: f32, perspective: bool) -> Self {
        let (towards, up) = direction.axes();
        Self::framing_from(points, towards, up, aspect, perspective)
    }

    /// Like [`Camera::framing`], from any side: `towards` leads from the points to the camera.
    pub fn framing_from(points: &[Vec3], towards: Vec3, up: Vec3, aspect: f32, perspective: bool) -> Self {
        let back = towards.normalize_or(Vec3::Z);
        let right = up.cross(back).normalize_or(back.any_orthonormal_vector());
        let up = back.cross(right);
        let tangent =
            if perspective { f64::from(FRAMING_ANGLE * 0.5).tan() * f64::from(1.0 - 2.0 * MARGIN) } else { 0.0 };
        let (wide, high) = (tangent * f64::from(aspect), tangent);
        let (mut low, mut most) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        // How far the four sides of a frustum, or of a box where the tangents are zero, must be moved out.
        let mut sides = [f64::NEG_INFINITY; 4];
        for p in points.iter().filter(|p| p.is_finite()) {
            let p = DVec3::new(right.dot(*p).into(), up.dot(*p).into(), back.dot(*p).into());
            low = low.min(p);
            most = most.max(p);
            let reach = [p.x + p.z * wide, p.z * wide - p.x, p.y + p.z * high, p.z * high - p.y];
            sides = std::array::from_fn(|i| sides[i].max(reach[i]));
        }
        if low.x > most.x {
            (low, most, sides) = (DVec3::ZERO, DVec3::ZERO, [0.0; 4]);
        }
        let size = (most - low).length();
        let size = if size > 0.0 { size } else { 1.0 };
        let (x, y) = ((sides[0] - sides[1]) * 0.5, (sides[2] - sides[3]) * 0.5);
        let (half_wide, half_high) = ((sides[0] + sides[1]) * 0.5, (sides[2] + sides[3]) * 0.5);
        let world = |x: f64, y: f64, z: f64| right * x as f32 + up * y as f32 + back * z as f32;
        let (z, projection) = if perspective {
            let z = (half_wide / wide).max(half_high / high).max(most.z + size * 0.05);
            (z, Projection::Perspective { vertical_angle: FRAMING_ANGLE })
        } else {
            let height =
                2.0 * (half_wide / f64::from(aspect)).max(half_high).max(size * 1e-3) / f64::from(1.0 - 2.0 * MARGIN);
            (most.z + size, Projection::Orthographic { height: height as f32 })
        };
        let (near, far) = (z - most.z - size * 0.02, z - low.z + size * 0.02);
        Self {
            eye: world(x, y, z),
            target: world(x, y, (low.z + most.z) * 0.5),
            up,
            projection,
            near: near.max(size * 0.01) as f32,
            far: far as f32,
        }
    }

    /// The same view moved aside in a wider picture: what filled a picture that is narrower by `margin`, a part of the
    /// width from 0 to less than 1, now leaves that margin free on the left. `aspect` is that of the wider picture.
    pub fn beside(mut self, margin: f32, aspect: f32) -> Self {
        let right = self.view_from_world().row(0).truncate();
        let aside = right * (self.pixel_size(self.target, 1) * aspect * margin * 0.5);
        self.eye -= aside;
        self.target -= aside;
        self
    }

    /// The same view from farther away where it would not see all of these points, so that none is cut off and the camera does not
    /// stand inside of what it looks at. What it looks at stays as large.
    pub fn reaching(mut self, points: &[Vec3]) -> Self {
        let forward = (self.target - self.eye).normalize_or(Vec3::NEG_Z);
        let depths = points.iter().filter(|p| p.is_finite()).map(|p| forward.dot(*p - self.eye));
        let (nearest, farthest) = depths.fold((self.near, self.far), |(n, f), d| (n.min(d), f.max(d)));
        let slack = 0.02 * (farthest - nearest);
        self.far = farthest + slack;
        if nearest >= self.near {
            return self;
        }
        let (distance, back) = (self.eye.distance(self.target), self.near + slack - nearest);
        self.eye -= forward * back;
        self.far += back;
        if let Projection::Perspective { vertical_angle } = &mut self.projection {
            *vertical_angle = 2.0 * ((0.5 * *vertical_angle).tan() * distance / (distance + back)).atan();
        }
        self
    }

    /// Turns world points to view points.
    pub fn view_from_world(&self) -> Mat4 {
        let back = (self.eye - self.target).normalize_or(Vec3::Z);
        let up = if self.up.cross(back).length_squared() > 1e-12 { self.up } else { back.any_orthonormal_vector() };
        camera::rh::view::look_at_mat4(self.eye, self.eye - back, up)
    }

    /// Turns world points to clip points, for a picture of this width over height.
    pub fn clip_from_world(&self, aspect: f32) -> Mat4 {
        let clip_from_view = match self.projection {
            Projection::Orthographic { height } => {
                let (x, y) = (height * aspect * 0.5, height * 0.5);
                camera::rh::proj::directx::orthographic(-x, x, -y, y, self.near, self.far)
            }
            Projection::Perspective { vertical_angle } => {
                camera::rh::proj::directx::perspective(vertical_angle, aspect, self.near, self.far)
            }
        };
        clip_from_view * self.view_from_world()
    }

    /// From a point towards the camera, of unit length.
    pub fn towards(&self, point: Vec3) -> Vec3 {
        match self.projection {
            Projection::Orthographic { .. } => self.eye - self.target,
            Projection::Perspective { .. } => self.eye - point,
        }
        .normalize_or(Vec3::Z)
    }

    /// How many units of the world a pixel covers at a point, in a picture of so many rows.
    pub fn pixel_size(&self, point: Vec3, rows: u32) -> f32 {
        let height = match self.projection {
            Projection::Orthographic { height } => height,
            Projection::Perspective { vertical_angle } => {
                let forward = (self.target - self.eye).normalize_or(Vec3::NEG_Z);
                2.0 * (vertical_angle * 0.5).tan() * forward.dot(point - self.eye).max(self.near)
            }
        };
        height / rows as f32
    }

    /// Where a point falls in the picture: x to the right and y downwards from the top left corner, in pixels. None
    /// for a point behind the camera.
    pub fn pixel(&self, point: Vec3, size: [u32; 2]) -> Option<Vec2> {
        let [width, height] = size.map(|s| s as f32);
        let clip: Vec4 = self.clip_from_world(width / height) * point.extend(1.0);
        (clip.w > 0.0).then(|| Vec2::new((clip.x / clip.w + 1.0) * 0.5 * width, (1.0 - clip.y / clip.w) * 0.5 * height))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn framed_points_are_in_the_picture_and_fill_it() {
        let points: Vec<Vec3> =
            (0..64).map(|i| Vec3::new((i % 4) as f32, ((i / 4) % 4) as f32 * 3.0, (i / 16) as f32)).collect();
        for (name, direction) in Direction::ALL {
            for perspective in [false, true] {
                let camera = Camera::framing(&points, direction, 1.5, perspective);
                let clip = camera.clip_from_world(1.5);
                let mut most = 0.0_f32;
                for p in &points {
                    let ndc = clip.project_point3(*p);
                    most = most.max(ndc.x.abs()).max(ndc.y.abs());
                    assert!(ndc.z > 0.0 && ndc.z < 1.0, "{name}: {ndc}");
                }
                assert!(most > 0.86 && most < 0.9, "{name} {perspective}: reaches {most}");
            }
        }
    }

    #[test]
    fn a_margin_on_the_left_stays_free() {
        let points = [Vec3::new(-2.0, -1.0, -0.3), Vec3::new(2.0, 1.0, 0.3)];
        for (margin, perspective) in [(0.3, false), (0.3, true), (0.6, true)] {
            let camera = Camera::framing(&points, Direction::Front, 1.5 * (1.0 - margin), perspective);
            let camera = camera.beside(margin, 1.5);
            for p in points {
                let x = camera.pixel(p, [150, 100]).unwrap().x / 150.0;
                assert!(x > margin && x < 1.0, "{margin} {perspective}: {x}");
            }
        }
    }

    #[test]
    fn a_close_view_cuts_nothing_off() {
        let near: Vec<Vec3> = Vec3::AXES.into_iter().flat_map(|a| [a, -a]).collect();
        let all = [Vec3::new(0.0, 0.0, -60.0), Vec3::new(0.0, 0.0, 40.0), Vec3::NAN];
        for perspective in [false, true] {
            let camera = Camera::framing(&near, Direction::Front, 1.5, perspective);
            let cut = |camera: &Camera| {
                let depth = |p: &&Vec3| camera.clip_from_world(1.5).project_point3(**p).z;
                all[..2].iter().filter(|p| !(0.0..=1.0).contains(&depth(p))).count()
            };
            let reaching = camera.reaching(&all);
            assert_eq!((cut(&camera), cut(&reaching)), (2, 0), "{perspective}");
            for p in near.iter().filter(|p| p.z == 0.0) {
                let [before, after] = [camera, reaching].map(|c| c.pixel(*p, [150, 100]).unwrap());
                assert!(before.abs_diff_eq(after, 1e-3), "{perspective}: {before} {after}");
            }
        }
    }

    #[test]
    fn nothing_to_frame_still_gives_a_camera() {
        for perspective in [false, true] {
            for points in [&[][..], &[Vec3::ONE][..], &[Vec3::NAN][..]] {
                let camera = Camera::framing(points, Direction::Top, 1.0, perspective);
                assert!(camera.clip_from_world(1.0).is_finite() && camera.near > 0.0 && camera.far > camera.near);
            }
        }
    }

    #[test]
    fn left_is_the_characters_left() {
        let camera = Camera::framing(&[Vec3::ZERO, Vec3::ONE], Direction::Front, 1.0, false);
        let size = [100, 100];
        assert!(camera.pixel(Vec3::X, size).unwrap().x > camera.pixel(Vec3::ZERO, size).unwrap().x);
        assert!(camera.pixel(Vec3::Y, size).unwrap().y < camera.pixel(Vec3::ZERO, size).unwrap().y);
        assert_eq!(Direction::Left.axes().0, Vec3::X);
    }
}
