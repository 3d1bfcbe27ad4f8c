use glam::{DAffine3, DMat3, DQuat, DVec3};

/// A linear map as rotation times the rest: `linear = rotation * scale`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidAndScale {
    /// Proper rotation.
    pub rotation: DQuat,
    /// What is left (symmetric up to a mirror); exactly the identity when the map is a rotation.
    pub scale: DMat3,
}

/// Splits the linear part of a transform by polar decomposition (Newton's iteration, quadratic convergence).
/// A mirror goes into `scale`; a singular map gives the rotation of what survives.
pub fn rigid_and_scale(affine: &DAffine3) -> RigidAndScale {
    let m = affine.matrix3;
    // Rigid joints are the common case and must stay exact: scale is then the identity, bit for bit.
    let gram = m.transpose() * m;
    if m.determinant() > 0.0 && gram.abs_diff_eq(DMat3::IDENTITY, 1e-7) {
        return RigidAndScale { rotation: DQuat::from_mat3(&m).normalize(), scale: DMat3::IDENTITY };
    }
    let mirrored = m.determinant() < 0.0;
    let mut q = if mirrored { -m } else { m };
    for _ in 0..60 {
        let det = q.determinant();
        let size = q.x_axis.length().max(q.y_axis.length()).max(q.z_axis.length());
        if size == 0.0 || det.abs() < 1e-12 * size.powi(3) {
            q = completed(m);
            break;
        }
        let next = (q + q.inverse().transpose()) * 0.5;
        let done = next.abs_diff_eq(q, 1e-14);
        q = next;
        if done {
            break;
        }
    }
    let rotation = DQuat::from_mat3(&q).normalize();
    let scale = DMat3::from_quat(rotation.inverse()) * m;
    RigidAndScale { rotation, scale }
}

/// A rotation that agrees with what is left of a collapsed map.
fn completed(m: DMat3) -> DMat3 {
    let x = m.x_axis.try_normalize();
    let y = m.y_axis.try_normalize();
    let z = m.z_axis.try_normalize();
    let (a, b) = match (x, y, z) {
        (Some(x), Some(y), _) => (x, y),
        (Some(x), None, Some(z)) => (x, z.cross(x)),
        (None, Some(y), Some(z)) => (y.cross(z), y),
        (Some(x), None, None) => (x, x.any_orthonormal_vector()),
        (None, Some(y), None) => (y.any_orthonormal_vector(), y),
        (None, None, Some(z)) => {
            let x = z.any_orthonormal_vector();
            (x, z.cross(x))
        }
        (None, None, None) => (DVec3::X, DVec3::Y),
    };
    let a = a.try_normalize().unwrap_or(DVec3::X);
    let b = (b - a * a.dot(b)).try_normalize().unwrap_or_else(|| a.any_orthonormal_vector());
    DMat3::from_cols(a, b, a.cross(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotation_and_symmetric_scale_come_back() {
        let r = DQuat::from_rotation_z(2.0) * DQuat::from_rotation_x(0.3);
        let s = DMat3::from_diagonal(DVec3::new(0.5, 2.0, 3.0));
        let split = rigid_and_scale(&DAffine3::from_mat3(DMat3::from_quat(r) * s));
        assert!(split.rotation.dot(r).abs() > 1.0 - 1e-12);
        assert!(split.scale.abs_diff_eq(s, 1e-10));
    }

    #[test]
    fn a_mirror_stays_out_of_the_rotation() {
        let split = rigid_and_scale(&DAffine3::from_scale(DVec3::new(-1.0, 1.0, 1.0)));
        assert!((DMat3::from_quat(split.rotation).determinant() - 1.0).abs() < 1e-12);
        assert!((split.scale.determinant() + 1.0).abs() < 1e-12);
    }

    #[test]
    fn collapsed_maps_are_finite() {
        for scale in [DVec3::ZERO, DVec3::new(1.0, 0.0, 0.0), DVec3::new(0.0, 2.0, 1.0), DVec3::new(1e-30, 1.0, 1.0)] {
            let split = rigid_and_scale(&DAffine3::from_scale(scale));
            assert!(split.rotation.is_finite() && split.scale.is_finite(), "{scale}");
        }
    }
}
