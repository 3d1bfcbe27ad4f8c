//! A camera that turns round a point and keeps its head up. Pure arithmetic: the window says how far the mouse went.

use super::pick;
use glam::{Vec2, Vec3};
use std::f32::consts::{FRAC_PI_2, PI, TAU};
use supple::{math::Bounds, project::ViewPoint};
use supple_render::{Camera, Direction, FRAMING_ANGLE, Projection};

/// Where a pane is looked at from; y is up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orbit {
    /// What it turns round.
    pub pivot: Vec3,
    /// From the pivot to the eye. For parallel rays it says how much is seen: as much as in perspective.
    pub distance: f32,
    /// Round the vertical, in radians; at zero it looks along -z.
    pub yaw: f32,
    /// Above the horizon, in radians, from straight below to straight above.
    pub pitch: f32,
    /// Rays through the eye, or parallel ones.
    pub perspective: bool,
    /// Half of the diagonal of what there is to see, round the pivot: nothing of it is cut off.
    pub reach: f32,
}

/// Turns in a drag over the height of a pane.
const TURN: f32 = PI;

impl Default for Orbit {
    fn default() -> Self {
        Self::framing(&[Vec3::ZERO, Vec3::ONE], Direction::ThreeQuarter, 1.5)
    }
}

impl Orbit {
    /// Sees all points from a side, as large as the picture (width over height) allows.
    pub fn framing(points: &[Vec3], direction: Direction, aspect: f32) -> Self {
        let (towards, up) = direction.axes();
        let (yaw, pitch) = angles(towards, up);
        let mut orbit = Self { pivot: Vec3::ZERO, distance: 1.0, yaw, pitch, perspective: true, reach: 1.0 };
        orbit.frame(points, aspect);
        orbit
    }

    /// Goes where all points are seen, from the side it looks from now.
    pub fn frame(&mut self, points: &[Vec3], aspect: f32) {
        let [_, up, back] = self.axes();
        let camera = Camera::framing_from(points, back, up, aspect, self.perspective);
        self.distance = match camera.projection {
            Projection::Orthographic { height } => height / (2.0 * (FRAMING_ANGLE * 0.5).tan()),
            Projection::Perspective { .. } => camera.eye.distance(camera.target),
        };
        self.pivot = camera.target;
        self.reach = (Bounds::of(points).diagonal() * 0.5).max(self.distance * 1e-3);
    }

    /// Looks from a named side; what it turns round and how near it is stay.
    pub fn look_from(&mut self, direction: Direction) {
        let (towards, up) = direction.axes();
        (self.yaw, self.pitch) = angles(towards, up);
    }

    /// Right, up and back (towards the eye) of the picture, of unit length.
    pub fn axes(&self) -> [Vec3; 3] {
        let ((sin_yaw, cos_yaw), (sin, cos)) = (self.yaw.sin_cos(), self.pitch.sin_cos());
        // From the angles, not from a cross product with up: straight from above there is none.
        let right = Vec3::new(cos_yaw, 0.0, -sin_yaw);
        let back = Vec3::new(sin_yaw * cos, sin, cos_yaw * cos);
        [right, back.cross(right), back]
    }

    /// A drag of so many pixels in a pane of this size turns it: what is under the mouse follows.
    pub fn orbit(&mut self, drag: Vec2, size: [u32; 2]) {
        let scale = TURN / size[1].max(1) as f32;
        self.yaw = (self.yaw - drag.x * scale).rem_euclid(TAU);
        self.pitch = (self.pitch + drag.y * scale).clamp(-FRAC_PI_2, FRAC_PI_2);
    }

    /// A drag of so many pixels moves it aside: what is at the pivot stays under the mouse.
    pub fn pan(&mut self, drag: Vec2, size: [u32; 2]) {
        let [right, up, _] = self.axes();
        let pixel = self.height() / size[1].max(1) as f32;
        self.pivot += (up * drag.y - right * drag.x) * pixel;
    }

    /// Goes nearer by a factor below one, farther above one: what is under the cursor, as deep as the pivot, stays there.
    pub fn zoom(&mut self, factor: f32, cursor: Vec2, size: [u32; 2]) {
        let (least, most) = (self.reach * 1e-3, self.reach * 1e3);
        let distance = (self.distance * factor).clamp(least.min(self.distance), most.max(self.distance));
        let factor = distance / self.distance;
        if !factor.is_finite() {
            return;
        }
        let [right, up, _] = self.axes();
        let off = (cursor - Vec2::new(size[0] as f32, size[1] as f32) * 0.5) * (self.height() / size[1].max(1) as f32);
        self.pivot += (right * off.x - up * off.y) * (1.0 - factor);
        self.distance = distance;
    }

    /// How high the picture is at the pivot.
    pub fn height(&self) -> f32 {
        2.0 * (FRAMING_ANGLE * 0.5).tan() * self.distance
    }

    /// The camera of the renderer.
    pub fn camera(&self) -> Camera {
        let [_, up, back] = self.axes();
        let reach = self.reach.max(self.distance * 1e-3);
        let (away, projection) = match self.perspective {
            true => (self.distance, Projection::Perspective { vertical_angle: FRAMING_ANGLE }),
            // Parallel rays start anywhere: far enough away that nothing lies behind them.
            false => (self.distance + 6.0 * reach, Projection::Orthographic { height: self.height() }),
        };
        Camera {
            eye: self.pivot + back * away,
            target: self.pivot,
            up,
            projection,
            near: (away - 6.0 * reach).max(away * 0.02),
            far: away + 6.0 * reach,
        }
    }

    /// The ray through a pixel of a pane.
    pub fn ray(&self, cursor: Vec2, size: [u32; 2]) -> pick::Ray {
        pick::Ray::through(&self.camera(), size, cursor)
    }

    /// As a camera sees that somebody else placed; its roll is left out, and `reach` is that of what there is to see.
    pub fn from_camera(camera: &Camera, reach: f32) -> Self {
        let back = camera.eye - camera.target;
        let (yaw, pitch) = angles(back.normalize_or(Vec3::Z), camera.up);
        let (perspective, distance) = match camera.projection {
            Projection::Perspective { vertical_angle } => {
                // Another angle sees the same at the pivot from another distance.
                (true, back.length() * (vertical_angle * 0.5).tan() / (FRAMING_ANGLE * 0.5).tan())
            }
            Projection::Orthographic { height } => (false, height / (2.0 * (FRAMING_ANGLE * 0.5).tan())),
        };
        Self { pivot: camera.target, distance: distance.max(f32::MIN_POSITIVE), yaw, pitch, perspective, reach }
    }

    /// What a project keeps of it.
    pub fn view_point(&self) -> ViewPoint {
        let [_, up, back] = self.axes();
        let eye = self.pivot + back * self.distance;
        ViewPoint { eye: eye.to_array(), target: self.pivot.to_array(), up: up.to_array() }
    }

    /// As a project kept it; none where that is no view (not finite, or the eye on what it looks at).
    pub fn from_view_point(view: &ViewPoint, reach: f32) -> Option<Self> {
        let [eye, target, up] = [view.eye, view.target, view.up].map(Vec3::from);
        let away = eye.distance(target);
        if !(up.is_finite() && away.is_finite() && away > 0.0) {
            return None;
        }
        let (yaw, pitch) = angles((eye - target) / away, up);
        Some(Self { pivot: target, distance: away, yaw, pitch, perspective: true, reach })
    }

    /// Part of the way to another view, the shorter way round, for views that glide.
    pub fn towards(&self, other: &Self, part: f32) -> Self {
        let mix = |a: f32, b: f32| a + (b - a) * part;
        let turn = (other.yaw - self.yaw + PI).rem_euclid(TAU) - PI;
        Self {
            pivot: self.pivot.lerp(other.pivot, part),
            // Equal steps of nearness look equal.
            distance: self.distance * (other.distance / self.distance).powf(part),
            yaw: (self.yaw + turn * part).rem_euclid(TAU),
            pitch: mix(self.pitch, other.pitch),
            perspective: if part < 1.0 { self.perspective } else { other.perspective },
            reach: other.reach,
        }
    }
}

/// Yaw and pitch of a direction towards the eye; straight from above, up says where the top of the picture is.
fn angles(back: Vec3, up: Vec3) -> (f32, f32) {
    let flat = Vec2::new(back.x, back.z).length();
    let pitch = back.y.atan2(flat);
    if flat > 1e-4 {
        return (back.x.atan2(back.z).rem_euclid(TAU), pitch);
    }
    let right = up.cross(back);
    let yaw = if right.length_squared() > 1e-8 { (-right.z).atan2(right.x).rem_euclid(TAU) } else { 0.0 };
    (yaw, pitch)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: [u32; 2] = [300, 200];

    fn corners() -> [Vec3; 2] {
        [Vec3::new(-1.0, 0.0, -0.4), Vec3::new(1.0, 3.0, 0.5)]
    }

    fn all() -> impl Iterator<Item = (Direction, bool, Orbit)> {
        Direction::ALL.into_iter().flat_map(|(_, direction)| {
            [true, false].map(|perspective| {
                let mut orbit = Orbit { perspective, ..Orbit::framing(&corners(), direction, 1.5) };
                orbit.frame(&corners(), 1.5);
                (direction, perspective, orbit)
            })
        })
    }

    #[test]
    fn framed_points_are_seen_from_every_side() {
        for (direction, _, orbit) in all() {
            let camera = orbit.camera();
            assert!(camera.towards(orbit.pivot).dot(direction.axes().0) > 0.9999, "{direction}");
            assert!(camera.up.dot(direction.axes().1) > 0.9, "{direction}: up is {}", camera.up);
            for p in corners() {
                let ndc = camera.clip_from_world(1.5).project_point3(p);
                assert!(ndc.abs().max_element() < 1.0 && ndc.z > 0.0, "{direction}: {ndc}");
            }
        }
    }

    #[test]
    fn what_is_under_the_cursor_stays_there_when_zooming_and_panning() {
        for (direction, perspective, mut orbit) in all() {
            let cursor = Vec2::new(220.0, 40.0);
            let [_, _, back] = orbit.axes();
            let ray = orbit.ray(cursor, SIZE);
            let p = ray.at((orbit.pivot - ray.origin).dot(back) / ray.direction.dot(back));
            orbit.zoom(0.7, cursor, SIZE);
            let seen = orbit.camera().pixel(p, SIZE).expect("before the eye");
            assert!(seen.distance(cursor) < 0.05, "{direction} {perspective}: {seen}");
            orbit.pan(Vec2::new(-30.0, 12.0), SIZE);
            let seen = orbit.camera().pixel(p, SIZE).expect("before the eye");
            assert!(seen.distance(cursor + Vec2::new(-30.0, 12.0)) < 0.05, "{direction} {perspective}: {seen}");
        }
    }

    #[test]
    fn turning_never_tips_over() {
        let mut orbit = Orbit::default();
        for i in 0..200 {
            orbit.orbit(Vec2::new(17.0, if i < 100 { 40.0 } else { -40.0 }), SIZE);
            let [right, up, back] = orbit.axes();
            assert!(right.y.abs() < 1e-6 && up.y >= -1e-6, "{up}");
            assert!((right.cross(up) - back).length() < 1e-5);
        }
        assert!((orbit.pitch + FRAC_PI_2).abs() < 1e-6);
    }

    #[test]
    fn a_view_comes_back_from_a_camera_and_from_a_project() {
        for (direction, _, orbit) in all() {
            let back = Orbit::from_camera(&orbit.camera(), orbit.reach);
            let again = Orbit::from_view_point(&orbit.view_point(), orbit.reach).expect("a view");
            for other in [back, again] {
                let [a, b] = [orbit, other].map(|o| o.axes());
                assert!((0..3).all(|i| a[i].distance(b[i]) < 1e-3), "{direction}: {a:?} and {b:?}");
                assert!((other.distance / orbit.distance - 1.0).abs() < 1e-3, "{direction}");
            }
        }
        let nowhere = ViewPoint { eye: [1.0; 3], target: [1.0; 3], up: [0.0, 1.0, 0.0] };
        assert_eq!(Orbit::from_view_point(&nowhere, 1.0), None);
    }

    #[test]
    fn gliding_takes_the_shorter_way_and_arrives() {
        let from = Orbit { yaw: 0.2, ..Orbit::default() };
        let to = Orbit { yaw: TAU - 0.2, distance: from.distance * 4.0, ..from };
        let half = from.towards(&to, 0.5);
        assert!(half.yaw < 1e-5 || half.yaw > TAU - 1e-5, "{}", half.yaw);
        assert!((half.distance / from.distance - 2.0).abs() < 1e-4);
        assert!((from.towards(&to, 1.0).yaw - to.yaw).abs() < 1e-5);
    }
}
