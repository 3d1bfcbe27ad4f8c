use glam::DMat3;

/// Eigenvectors of a symmetric matrix, the one of the largest eigenvalue first (Jacobi's rotations).
pub(crate) fn principal(mut m: DMat3) -> DMat3 {
    let mut axes = DMat3::IDENTITY;
    for turn in 0..60 {
        let (i, j) = [(0, 1), (0, 2), (1, 2)][turn % 3];
        let off = m.col(j)[i];
        if off == 0.0 {
            continue;
        }
        let (sin, cos) = (0.5 * (2.0 * off).atan2(m.col(j)[j] - m.col(i)[i])).sin_cos();
        let mut rotation = DMat3::IDENTITY;
        rotation.col_mut(i)[i] = cos;
        rotation.col_mut(j)[j] = cos;
        rotation.col_mut(i)[j] = -sin;
        rotation.col_mut(j)[i] = sin;
        m = rotation.transpose() * m * rotation;
        axes *= rotation;
    }
    let mut order = [0, 1, 2];
    order.sort_by(|&a, &b| m.col(b)[b].total_cmp(&m.col(a)[a]));
    let [first, second, _] = order.map(|i| axes.col(i).normalize_or_zero());
    DMat3::from_cols(first, second, first.cross(second))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DQuat, DVec3};

    #[test]
    fn axes_are_those_along_which_a_body_was_stretched() {
        let turn = DMat3::from_quat(DQuat::from_euler(glam::EulerRot::XYZ, 0.4, -1.1, 2.0));
        let found = principal(turn * DMat3::from_diagonal(DVec3::new(1.0, 9.0, 4.0)) * turn.transpose());
        for (axis, expected) in [(found.x_axis, turn.y_axis), (found.y_axis, turn.z_axis), (found.z_axis, turn.x_axis)]
        {
            assert!((axis.dot(expected).abs() - 1.0).abs() < 1e-12, "{axis} and {expected}");
        }
        assert!((found.determinant() - 1.0).abs() < 1e-12);
    }
}
