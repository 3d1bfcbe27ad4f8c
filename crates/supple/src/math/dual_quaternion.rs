use glam::{DQuat, DVec3, Quat, Vec3, Vec4};

/// A rigid motion as a unit dual quaternion: `real` turns, `dual` holds half the translation times `real`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DualQuat {
    /// Rotation, (x, y, z, w).
    pub real: Vec4,
    /// Translation part, (x, y, z, w).
    pub dual: Vec4,
}

impl DualQuat {
    /// The motion `p -> rotation * p + translation`.
    pub fn of(rotation: DQuat, translation: DVec3) -> Self {
        let t = DQuat::from_xyzw(translation.x, translation.y, translation.z, 0.0);
        let dual = t * rotation * 0.5;
        Self { real: rotation.as_quat().into(), dual: dual.as_quat().into() }
    }

    /// Moves a point by a blended motion of any length but zero: every term is quadratic, so that dividing by the
    /// squared length once stands for normalising.
    #[inline(always)]
    pub fn transform_point(&self, p: Vec3) -> Vec3 {
        let (r, d) = (self.real, self.dual);
        let (rv, dv) = (r.truncate(), d.truncate());
        let scale = 2.0 / r.dot(r);
        p + scale * (rv.cross(rv.cross(p) + r.w * p + dv) + r.w * dv - d.w * rv)
    }

    /// The rotation alone.
    pub fn rotation(&self) -> Quat {
        Quat::from_vec4(self.real).normalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_motion_moves_points_as_its_parts_do() {
        let (r, t) = (DQuat::from_rotation_y(0.7) * DQuat::from_rotation_x(1.9), DVec3::new(3.0, -1.0, 0.5));
        let p = Vec3::new(0.2, 0.4, -0.9);
        let expected = (r * p.as_dvec3() + t).as_vec3();
        assert!(DualQuat::of(r, t).transform_point(p).abs_diff_eq(expected, 1e-5));
    }
}
