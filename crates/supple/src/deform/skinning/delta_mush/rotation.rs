//! The rotation nearest to a matrix, in single precision and the same in a kernel.
//!
//! The unit quaternion q of the rotation R that maximises tr(Rᵀ M) is the eigenvector of the largest eigenvalue of a
//! symmetric 4 x 4 matrix K made of M (Davenport; Horn 1987). It is a proper rotation whatever M is, also where the skin
//! round a vertex is flat and M has no third direction. K plus a multiple of the identity has no negative eigenvalue, and
//! squaring it again and again leaves q qᵀ: a few products of matrices, no branches but the end.

use crate::constant::Constant;
use glam::{Mat3A, Mat4, Vec3A, Vec4};

/// Squarings at the most. Each doubles the number of digits: 14 tell apart eigenvalues that differ by a thousandth, and
/// moments are kept that far from a line (see `moments.rs`).
const MOST_SQUARINGS: usize = 14;
/// A matrix of a size (Frobenius) below this is zero: dividing by less would leave the numbers that graphics devices know.
const LEAST_SIZE: f32 = 1e-30;
/// No eigenvalue is below minus the sum of the singular values, and that is at most √3 for a matrix of size one.
const SHIFT: f32 = 1.732_050_8;
/// The sum of the squared eigenvalues, whose sum is one: from here on only one of them is left.
const ONE_LEFT: f32 = 1.0 - 1e-7;

/// Those that the kernel uses too.
pub(super) fn constants() -> Vec<Constant> {
    crate::constants![MOST_SQUARINGS, LEAST_SIZE, SHIFT, ONE_LEFT]
}

/// Turns a vector by the rotation nearest to `m`; leaves it where `m` is zero.
#[inline(always)]
pub(crate) fn turn(m: &Mat3A, v: Vec3A) -> Vec3A {
    let (x, y, z) = (m.x_axis, m.y_axis, m.z_axis);
    let size = (x.dot(x) + y.dot(y) + z.dot(z)).sqrt();
    if size < LEAST_SIZE {
        return v;
    }
    let (x, y, z) = (x / size, y / size, z / size);
    let trace = x.x + y.y + z.z;
    let (xy, xz, yz) = (x.y + y.x, x.z + z.x, y.z + z.y);
    let (wx, wy, wz) = (y.z - z.y, z.x - x.z, x.y - y.x);
    let mut k = Mat4::from_cols(
        Vec4::new(2.0 * x.x - trace + SHIFT, xy, xz, wx),
        Vec4::new(xy, 2.0 * y.y - trace + SHIFT, yz, wy),
        Vec4::new(xz, yz, 2.0 * z.z - trace + SHIFT, wz),
        Vec4::new(wx, wy, wz, trace + SHIFT),
    );
    let mut diagonal = 4.0 * SHIFT;
    for _ in 0..MOST_SQUARINGS {
        k *= 1.0 / diagonal;
        k = k * k;
        diagonal = k.x_axis.x + k.y_axis.y + k.z_axis.z + k.w_axis.w;
        if diagonal > ONE_LEFT {
            break;
        }
    }
    // The column of q qᵀ with the largest diagonal has lost the fewest digits.
    let (mut q, mut most) = (k.x_axis, k.x_axis.x);
    for (column, diagonal) in [(k.y_axis, k.y_axis.y), (k.z_axis, k.z_axis.z), (k.w_axis, k.w_axis.w)] {
        if diagonal > most {
            (q, most) = (column, diagonal);
        }
    }
    let axis = Vec3A::from_vec4(q);
    v + (2.0 / q.dot(q)) * axis.cross(axis.cross(v) + q.w * v)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Mat3, Quat};

    /// Symmetric matrices as skin has them: round, flat, long, and long and flat.
    const SPREADS: [[f32; 3]; 4] = [[1.0, 0.8, 0.6], [1.0, 0.9, 1e-3], [1.0, 0.02, 0.01], [1.0, 0.01, 2e-3]];

    #[test]
    fn a_turned_symmetric_matrix_gives_its_rotation() {
        for spread in SPREADS {
            for i in 0..40 {
                let angle = i as f32 * 0.31;
                let axis = glam::Vec3::new((i as f32).sin(), (i as f32 * 1.7).cos(), 0.3).normalize();
                let (r, frame) = (Mat3::from_axis_angle(axis, angle), Mat3::from_quat(Quat::from_rotation_y(i as f32)));
                let s = frame * Mat3::from_diagonal(spread.into()) * frame.transpose();
                let v = Vec3A::new(0.3, -0.8, 0.5);
                let found = turn(&(r * s * 1e-4).into(), v);
                let error = found.distance(Mat3A::from(r) * v);
                // Digits go where two spreads differ little from nothing.
                assert!(error < 4e-6 / (spread[1] + spread[2]), "{spread:?} turned by {angle}: {error}");
            }
        }
    }

    #[test]
    fn a_mirror_gives_a_rotation() {
        let found = turn(&Mat3A::from_diagonal(glam::Vec3::new(-1.0, 0.9, 0.3)), Vec3A::new(1.0, 2.0, 3.0));
        assert!((found.length() - 14f32.sqrt()).abs() < 1e-5);
    }

    #[test]
    fn nothing_turns_nothing() {
        assert_eq!(turn(&Mat3A::ZERO, Vec3A::X), Vec3A::X);
    }
}
