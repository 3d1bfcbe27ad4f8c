//! From a place in the picture to what lies there: rays, bones, and angles on a ring. What lies there of the skin only the
//! device knows: `picker` asks it.

use glam::{Vec2, Vec3};
use std::f32::consts::TAU;
use supple_render::{Camera, Projection};

/// A half line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts.
    pub origin: Vec3,
    /// Of unit length.
    pub direction: Vec3,
}

impl Ray {
    /// Through a place in a picture of this size, in pixels from the top left corner.
    pub fn through(camera: &Camera, size: [u32; 2], pixel: Vec2) -> Self {
        let [width, height] = size.map(|s| s.max(1) as f32);
        let view = camera.view_from_world();
        let [right, up] = [0, 1].map(|i| view.row(i).truncate());
        let forward = (camera.target - camera.eye).normalize_or(Vec3::NEG_Z);
        // From the middle, in heights of the picture.
        let place = Vec2::new(pixel.x - width * 0.5, height * 0.5 - pixel.y) / height;
        match camera.projection {
            Projection::Orthographic { height } => {
                let aside = (right * place.x + up * place.y) * height;
                Self { origin: camera.eye + aside, direction: forward }
            }
            Projection::Perspective { vertical_angle } => {
                let high = 2.0 * (vertical_angle * 0.5).tan();
                let direction = forward + (right * place.x + up * place.y) * high;
                Self { origin: camera.eye, direction: direction.normalize() }
            }
        }
    }

    /// So far along it.
    pub fn at(&self, distance: f32) -> Vec3 {
        self.origin + self.direction * distance
    }

    /// How far along it a plane is met; none where it runs beside the plane or away from it.
    pub fn plane(&self, point: Vec3, normal: Vec3) -> Option<f32> {
        let along = (point - self.origin).dot(normal) / self.direction.dot(normal);
        (along.is_finite() && along > 0.0).then_some(along)
    }
}

/// Where the ray of a place meets the skin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The triangle.
    pub triangle: usize,
    /// Weights of its second and third corner there.
    pub barycentric: Vec2,
    /// The place.
    pub position: Vec3,
    /// The triangle's own normal, of unit length, outwards.
    pub normal: Vec3,
    /// From where the ray starts.
    pub distance: f32,
}

/// How far a pixel is from a segment of the world in the picture, and where along it: none behind the camera.
fn to_segment(camera: &Camera, size: [u32; 2], pixel: Vec2, ends: [Vec3; 2]) -> Option<(f32, f32)> {
    // A segment that passes behind the eye ends before it.
    let forward = (camera.target - camera.eye).normalize_or(Vec3::NEG_Z);
    let [da, db] = ends.map(|p| forward.dot(p - camera.eye) - camera.near * 0.2);
    let [mut a, mut b] = ends;
    if matches!(camera.projection, Projection::Perspective { .. }) {
        match (da > 0.0, db > 0.0) {
            (false, false) => return None,
            (false, true) => a = a.lerp(b, da / (da - db)),
            (true, false) => b = a.lerp(b, da / (da - db)),
            (true, true) => {}
        }
    }
    let (a, b) = (camera.pixel(a, size)?, camera.pixel(b, size)?);
    let along = b - a;
    let part = ((pixel - a).dot(along) / along.length_squared().max(1e-9)).clamp(0.0, 1.0);
    Some((pixel.distance(a + along * part), part))
}

/// The bone nearest to a place in the picture, at most so many pixels away: its index and how far along it the place is.
/// Of bones that are equally near on the screen, to half a pixel, the one nearer to the eye.
pub fn bone(camera: &Camera, size: [u32; 2], pixel: Vec2, bones: &[[Vec3; 2]], within: f32) -> Option<(usize, f32)> {
    let forward = (camera.target - camera.eye).normalize_or(Vec3::NEG_Z);
    let mut best: Option<(usize, f32, f32, f32)> = None;
    for (i, &ends) in bones.iter().enumerate() {
        let Some((off, part)) = to_segment(camera, size, pixel, ends).filter(|(off, _)| *off <= within) else {
            continue;
        };
        let deep = forward.dot(ends[0].lerp(ends[1], part) - camera.eye);
        let wins =
            |&(_, _, other, depth): &(usize, f32, f32, f32)| off < other - 0.5 || (off < other + 0.5 && deep < depth);
        if best.as_ref().is_none_or(wins) {
            best = Some((i, part, off, deep));
        }
    }
    best.map(|(i, part, ..)| (i, part))
}

/// The point nearest to a place in the picture, at most so many pixels away.
pub fn point(camera: &Camera, size: [u32; 2], pixel: Vec2, points: &[Vec3], within: f32) -> Option<usize> {
    let off = |p: &Vec3| camera.pixel(*p, size).map_or(f32::INFINITY, |at| at.distance(pixel));
    let near = points.iter().map(off).enumerate().filter(|(_, off)| *off <= within);
    near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(i, _)| i)
}

/// A circle round a joint that turns it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ring {
    /// The joint.
    pub center: Vec3,
    /// What it turns round, of unit length.
    pub axis: Vec3,
    /// Of the circle.
    pub radius: f32,
}

/// Where the eye sees a ring at less than this sine from its edge, places on its plane are too far apart to be dragged.
const EDGE_ON: f32 = 0.2;

impl Ring {
    /// How many pixels a place in the picture is away from the circle.
    pub fn distance(&self, camera: &Camera, size: [u32; 2], pixel: Vec2) -> f32 {
        let (x, y) = self.axis.any_orthonormal_pair();
        let place = |i: i32| {
            let (sin, cos) = (i as f32 / 64.0 * TAU).sin_cos();
            self.center + (x * cos + y * sin) * self.radius
        };
        let off = |i: i32| to_segment(camera, size, pixel, [place(i), place(i + 1)]).map_or(f32::INFINITY, |s| s.0);
        (0..64).map(off).fold(f32::INFINITY, f32::min)
    }

    /// By which angle a drag between two places in the picture turns the joint, in radians, positive as the right hand
    /// turns round the axis. Ask from move to move and add: within one call it is at most half a turn.
    pub fn angle(&self, camera: &Camera, size: [u32; 2], from: Vec2, to: Vec2) -> f32 {
        let towards = camera.towards(self.center);
        if self.axis.dot(towards).abs() > EDGE_ON {
            let on_plane = |pixel: Vec2| {
                let ray = Ray::through(camera, size, pixel);
                ray.plane(self.center, self.axis).map(|along| ray.at(along) - self.center)
            };
            if let (Some(a), Some(b)) = (on_plane(from), on_plane(to)) {
                return self.axis.dot(a.cross(b)).atan2(a.dot(b));
            }
        }
        // Seen from the edge the circle is a line: its near side moves along it.
        let along = self.axis.cross(towards).normalize_or_zero() * self.radius;
        let near = self.center + (towards - self.axis * self.axis.dot(towards)).normalize_or_zero() * self.radius;
        let ends = [near, near + along].map(|p| camera.pixel(p, size));
        let [Some(a), Some(b)] = ends else { return 0.0 };
        let step = b - a;
        (to - from).dot(step) / step.length_squared().max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::FRAC_PI_2;
    use supple_render::Direction;

    const SIZE: [u32; 2] = [320, 240];

    fn cameras() -> impl Iterator<Item = Camera> {
        let points = [Vec3::splat(-1.0), Vec3::ONE];
        Direction::ALL
            .into_iter()
            .flat_map(move |(_, d)| [true, false].map(|p| Camera::framing(&points, d, 320.0 / 240.0, p)))
    }

    #[test]
    fn a_ray_through_the_pixel_of_a_point_meets_it() {
        for camera in cameras() {
            for p in [Vec3::ZERO, Vec3::new(0.4, -0.7, 0.2), Vec3::new(-0.9, 0.8, -0.6)] {
                let ray = Ray::through(&camera, SIZE, camera.pixel(p, SIZE).expect("before the eye"));
                let off = ray.at((p - ray.origin).dot(ray.direction)).distance(p);
                assert!(off < 1e-3, "{off}");
            }
        }
    }

    #[test]
    fn the_nearest_bone_is_picked_and_of_two_in_line_the_one_before() {
        let camera = Camera::framing(&[Vec3::splat(-1.0), Vec3::ONE], Direction::Front, 320.0 / 240.0, true);
        let bones = [
            [Vec3::new(-0.5, 0.0, -0.5), Vec3::new(0.5, 0.0, -0.5)],
            [Vec3::new(0.0, -0.5, 0.5), Vec3::new(0.0, 0.5, 0.5)],
            [Vec3::new(0.7, 0.7, 0.0), Vec3::new(0.9, 0.9, 0.0)],
        ];
        let at = |p: Vec3| camera.pixel(p, SIZE).expect("before the eye");
        let pick = |pixel: Vec2| bone(&camera, SIZE, pixel, &bones, 8.0).map(|b| b.0);
        assert_eq!(pick(at(Vec3::new(0.0, 0.0, 0.5))), Some(1));
        assert_eq!(pick(at(Vec3::new(0.4, 0.0, -0.5)) + Vec2::new(0.0, 5.0)), Some(0));
        assert_eq!(pick(at(Vec3::new(0.8, 0.8, 0.0))), Some(2));
        assert_eq!(pick(Vec2::new(2.0, 2.0)), None);
    }

    #[test]
    fn dragging_along_a_ring_turns_by_what_was_passed() {
        for camera in cameras() {
            for axis in [Vec3::X, Vec3::Y, Vec3::new(0.3, -0.5, 0.8).normalize()] {
                let ring = Ring { center: Vec3::new(0.1, 0.2, -0.1), axis, radius: 0.5 };
                if axis.dot(camera.towards(ring.center)).abs() < 0.3 {
                    continue;
                }
                let (x, y) = axis.any_orthonormal_pair();
                let place = |a: f32| ring.center + (x * a.cos() + axis.cross(x) * a.sin()) * 0.5;
                assert!(x.cross(y).dot(axis) > 0.0);
                let [a, b] = [0.4, 0.4 + 1.1].map(|a| camera.pixel(place(a), SIZE).expect("before the eye"));
                assert!((ring.angle(&camera, SIZE, a, b) - 1.1).abs() < 0.01);
                assert!(ring.distance(&camera, SIZE, a) < 0.5);
            }
        }
    }

    #[test]
    fn a_ring_seen_from_its_edge_turns_along_its_line() {
        let camera = Camera::framing(&[Vec3::splat(-1.0), Vec3::ONE], Direction::Front, 320.0 / 240.0, false);
        let ring = Ring { center: Vec3::ZERO, axis: Vec3::Y, radius: 0.5 };
        let middle = camera.pixel(Vec3::ZERO, SIZE).expect("before the eye");
        let right = camera.pixel(Vec3::X * 0.5, SIZE).expect("before the eye");
        let angle = ring.angle(&camera, SIZE, middle, right);
        // Round +y, what is in front goes to the right.
        assert!(angle > 0.5 && angle < FRAC_PI_2, "{angle}");
        assert!(ring.angle(&camera, SIZE, middle, middle + Vec2::Y * 30.0).abs() < 0.01);
    }
}
