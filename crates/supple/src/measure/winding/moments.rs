use glam::{DMat3, DVec3};
use std::f64::consts::PI;

/// What a cluster of triangles looks like from afar: the Taylor expansion of its winding number about its middle, to
/// second order (Barill et al. 2018, equation 10).
///
/// With d = x - center, n the normal and M = ∫ d dᵀ dA of a triangle, and r = center - point:
///
/// | order | moment | term, over 4π |
/// |---|---|---|
/// | 0 | N = Σ ∫ n dA | N·r / r³ |
/// | 1 | T = Σ ∫ d nᵀ dA | tr T / r³ - 3 rᵀ T r / r⁵ |
/// | 2 | Q = Σ M ⊗ n | ½ (-3 L·r / r⁵ + 15 Q(r, r, r) / r⁷), L = 2 Σ M n + Σ tr M n |
///
/// Only the symmetric part of T and of Q meets the terms, so only that is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Moments {
    pub center: DVec3,
    normal: DVec3,
    /// xx, yy, zz and 2 xy, 2 yz, 2 zx.
    square: [DVec3; 2],
    linear: DVec3,
    /// Coefficients of xxx, yyy, zzz; x²y, y²z, z²x; x²z, y²x, z²y; xyz.
    cube: [DVec3; 3],
    xyz: f64,
}

impl Moments {
    pub fn of(triangles: &[[DVec3; 3]]) -> Self {
        let (mut area_sum, mut weighted, mut plain) = (0.0, DVec3::ZERO, DVec3::ZERO);
        for [a, b, c] in triangles {
            let area = (*b - *a).cross(*c - *a).length();
            let middle = (*a + *b + *c) / 3.0;
            area_sum += area;
            weighted += middle * area;
            plain += middle;
        }
        let center = if area_sum > 0.0 { weighted / area_sum } else { plain / triangles.len().max(1) as f64 };
        let mut m = Self { center, ..Self::default() };
        for corners in triangles {
            m.add(corners.map(|p| p - center));
        }
        m
    }

    fn add(&mut self, [a, b, c]: [DVec3; 3]) {
        let n = (b - a).cross(c - a) * 0.5;
        let d = (a + b + c) / 3.0;
        self.normal += n;
        self.square[0] += d * n;
        self.square[1] += DVec3::new(d.x * n.y + d.y * n.x, d.y * n.z + d.z * n.y, d.z * n.x + d.x * n.z);
        // The midpoints of the edges integrate squares exactly.
        let outer = |v: DVec3| DMat3::from_cols(v * v.x, v * v.y, v * v.z);
        let m = (outer((a + b) * 0.5) + outer((b + c) * 0.5) + outer((c + a) * 0.5)) * (1.0 / 3.0);
        let (xx, yy, zz) = (m.x_axis.x, m.y_axis.y, m.z_axis.z);
        let (xy, yz, zx) = (m.x_axis.y, m.y_axis.z, m.z_axis.x);
        self.linear += m * n * 2.0 + n * (xx + yy + zz);
        self.cube[0] += DVec3::new(xx, yy, zz) * n;
        self.cube[1] += DVec3::new(xx * n.y + 2.0 * xy * n.x, yy * n.z + 2.0 * yz * n.y, zz * n.x + 2.0 * zx * n.z);
        self.cube[2] += DVec3::new(xx * n.z + 2.0 * zx * n.x, yy * n.x + 2.0 * xy * n.y, zz * n.y + 2.0 * yz * n.z);
        self.xyz += 2.0 * (xy * n.z + yz * n.x + zx * n.y);
    }

    /// The winding number at a point that is far from the cluster, `r` from it to the center.
    pub fn winding(&self, r: DVec3) -> f64 {
        let s = 1.0 / r.length_squared();
        let s3 = s * s.sqrt();
        let squares = r * r;
        let first = self.square[0].element_sum()
            - 3.0 * s * (self.square[0].dot(squares) + self.square[1].dot(r * DVec3::new(r.y, r.z, r.x)));
        let cubic = self.cube[0].dot(squares * r)
            + self.cube[1].dot(squares * DVec3::new(r.y, r.z, r.x))
            + self.cube[2].dot(squares * DVec3::new(r.z, r.x, r.y))
            + self.xyz * r.x * r.y * r.z;
        let second = s * (15.0 * s * cubic - 3.0 * self.linear.dot(r));
        s3 * (self.normal.dot(r) + first + 0.5 * second) / (4.0 * PI)
    }
}

#[cfg(test)]
mod tests {
    use super::{super::half_solid_angle, *};

    #[test]
    fn the_error_falls_with_the_fifth_power_of_the_distance() {
        let triangles = [
            [DVec3::X, DVec3::new(0.3, 1.0, 0.2), DVec3::new(0.1, -0.2, 0.8)],
            [DVec3::new(-0.5, 0.4, 0.1), DVec3::new(0.3, -0.6, 0.2), DVec3::new(0.1, 0.2, -0.7)],
        ];
        let moments = Moments::of(&triangles);
        let error = |distance: f64| {
            let at = DVec3::new(0.48, -0.6, 0.64) * distance;
            let exact = triangles.iter().map(|t| half_solid_angle(*t, at)).sum::<f64>() / (2.0 * PI);
            (moments.winding(moments.center - at) - exact).abs()
        };
        // r⁻² for the number itself, three orders more for what is left out.
        let ratio = error(10.0) / error(20.0);
        assert!((ratio.log2() - 5.0).abs() < 0.4, "{ratio}");
        assert!(error(10.0) < 1e-6);
    }
}
