use glam::{DAffine3, DMat3, DQuat, DVec3};

/// A transform in three parts, applied scale first, then rotation, then translation: what animation channels replace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trs {
    /// Where the origin goes.
    pub translation: DVec3,
    /// A unit quaternion.
    pub rotation: DQuat,
    /// Along the axes of the source.
    pub scale: DVec3,
}

impl Trs {
    /// Changes nothing.
    pub const IDENTITY: Self = Self { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE };

    /// Takes an affine transform apart. Shear is lost: [`Trs::residual`] tells how much.
    pub fn of(affine: &DAffine3) -> Self {
        let m = affine.matrix3;
        let mut scale = DVec3::new(m.x_axis.length(), m.y_axis.length(), m.z_axis.length());
        if m.determinant() < 0.0 {
            scale.x = -scale.x;
        }
        let axis = |column: DVec3, length: f64, other: DVec3| if length == 0.0 { other } else { column / length };
        let (x, y) = (axis(m.x_axis, scale.x, DVec3::X), axis(m.y_axis, scale.y, DVec3::Y));
        let z = axis(m.z_axis, scale.z, x.cross(y));
        let rotation = DQuat::from_mat3(&orthonormal(DMat3::from_cols(x, y, z)));
        Self { translation: affine.translation, rotation, scale }
    }

    /// The transform as one affine map.
    pub fn affine(&self) -> DAffine3 {
        DAffine3::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    /// Largest entry of the linear part that taking `affine` apart loses (its shear).
    pub fn residual(affine: &DAffine3) -> f64 {
        let difference = Self::of(affine).affine().matrix3 - affine.matrix3;
        difference.to_cols_array().iter().fold(0.0, |most, x| x.abs().max(most))
    }
}

/// Gram-Schmidt with a fallback for collapsed axes, so that a zero scale still has a rotation.
fn orthonormal(m: DMat3) -> DMat3 {
    let x = m.x_axis.try_normalize().unwrap_or(DVec3::X);
    let y = (m.y_axis - x * x.dot(m.y_axis)).try_normalize().unwrap_or_else(|| x.any_orthonormal_vector());
    DMat3::from_cols(x, y, x.cross(y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taking_apart_and_putting_together_is_the_identity() {
        let whole = Trs {
            translation: DVec3::new(1.0, -2.0, 3.0),
            rotation: DQuat::from_rotation_y(1.1) * DQuat::from_rotation_x(-0.4),
            scale: DVec3::new(-2.0, 0.5, 3.0),
        };
        assert!(whole.affine().abs_diff_eq(Trs::of(&whole.affine()).affine(), 1e-12));
    }

    #[test]
    fn a_zero_scale_is_finite() {
        let flat = DAffine3::from_scale(DVec3::new(0.0, 0.0, 1.0));
        assert!(Trs::of(&flat).rotation.is_finite());
        assert!(Trs::of(&flat).affine().abs_diff_eq(flat, 1e-12));
    }

    #[test]
    fn shear_is_reported() {
        let mut sheared = DAffine3::IDENTITY;
        sheared.matrix3.y_axis.x = 0.5;
        assert!(Trs::residual(&sheared) > 0.1);
        assert!(Trs::residual(&DAffine3::IDENTITY) < 1e-12);
    }
}
