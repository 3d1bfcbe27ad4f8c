//! Hermite radial basis functions: a smooth signed distance that is zero at given points and has the given normals
//! there. It is linear in its coefficients, so that one dense solve finds it.
//!
//! Wendland 2005, chapter 16.2; Macêdo, Gois, Velho 2011; section 4.1 of the paper of the module above.
//!
//! d(x) = Σ_k λ_k l³ + 3 l β_k·δ, δ = x - v_k, l = |δ|; d(v_k) = 0, ∇d(v_k) = n_k
//!
//! | symbol | identifier |
//! |---|---|
//! | v_k | `centers` |
//! | λ_k, β_k | `terms` |
//!
//! The matrix is neither symmetric nor definite as written, hence LU with pivots, in double precision, on points moved and
//! scaled to unit size. Two samples in one place make it singular: the fit is refused.
//!
//! Where it fails: it is not a true distance. Inside a tube of radius R it is near (ρ² - R²) / 2R at a distance of ρ from the axis, so
//! that it never falls below -R/2.

use super::{Point, limb::foot};
use faer::{Mat, linalg::solvers::Solve};
use glam::{DVec3, DVec4};

/// A fitted field of signed distance, positive outside.
#[derive(Clone, Debug, PartialEq)]
pub struct Hrbf {
    middle: DVec3,
    size: f64,
    centers: Vec<DVec3>,
    /// β and λ.
    terms: Vec<DVec4>,
    /// Bones, and the distance from them beyond which the field is outside.
    sheath: Option<(Vec<(DVec3, DVec3)>, f64)>,
}

/// Width of the smooth maximum of field and sheath, over the radius of the sheath.
const SHEATH_BLEND: f64 = 0.1;
/// Centres nearer to each other than this, in a limb of unit size, are one place: the matrix is singular.
const ONE_PLACE: f64 = 1e-9;
/// Square of the distance to a centre, in a limb of unit size, below which its term and gradient are zero.
const AT_CENTER: f64 = 1e-24;
/// A solution counts if it misses the distance of a sample, in a limb of unit size, by less than the first, and its normal by less than
/// the second: a singular matrix gives numbers too.
const MISSES: [f64; 2] = [1e-3, 1e-2];

impl Hrbf {
    /// Fits the points; none where they are fewer than two, not finite, or twice in one place.
    pub fn fit(points: &[Point]) -> Option<Self> {
        let count = points.len();
        if count < 2 || !points.iter().all(|p| p.at.is_finite() && p.normal.is_finite()) {
            return None;
        }
        let middle = points.iter().map(|p| p.at).sum::<DVec3>() / count as f64;
        let size = points.iter().map(|p| (p.at - middle).abs().max_element()).fold(0.0, f64::max);
        if size <= 0.0 {
            return None;
        }
        let centers: Vec<DVec3> = points.iter().map(|p| (p.at - middle) / size).collect();
        let mut matrix = Mat::<f64>::zeros(4 * count, 4 * count);
        for (i, a) in centers.iter().enumerate() {
            for (j, b) in centers.iter().enumerate() {
                let delta = *a - *b;
                let l = delta.length();
                if i == j {
                    continue;
                }
                if l < ONE_PLACE {
                    return None;
                }
                let (row, column) = (4 * i, 4 * j);
                matrix[(row, column)] = l * l * l;
                for r in 0..3 {
                    matrix[(row, column + 1 + r)] = 3.0 * l * delta[r];
                    matrix[(row + 1 + r, column)] = 3.0 * l * delta[r];
                    for c in 0..3 {
                        let along = delta[r] * delta[c] / l;
                        matrix[(row + 1 + r, column + 1 + c)] = 3.0 * (along + if r == c { l } else { 0.0 });
                    }
                }
            }
        }
        let mut right = Mat::<f64>::zeros(4 * count, 1);
        for (i, p) in points.iter().enumerate() {
            for r in 0..3 {
                right[(4 * i + 1 + r, 0)] = p.normal[r];
            }
        }
        let solved = matrix.partial_piv_lu().solve(&right);
        let term = |i: usize| {
            let at = |r: usize| solved[(4 * i + r, 0)];
            DVec4::new(at(1), at(2), at(3), at(0))
        };
        let terms: Vec<DVec4> = (0..count).map(term).collect();
        let fitted = Self { middle, size, centers, terms, sheath: None };
        fitted.fits(points).then_some(fitted)
    }

    fn fits(&self, points: &[Point]) -> bool {
        points.iter().all(|p| {
            let (d, gradient) = self.distance(p.at);
            (d / self.size).abs() < MISSES[0] && gradient.distance(p.normal) < MISSES[1]
        })
    }

    /// The same field, outside everywhere farther from these bones than a radius: far from its few points nothing bounds a field.
    pub fn with_sheath(mut self, bones: Vec<(DVec3, DVec3)>, radius: f64) -> Self {
        self.sheath = Some((bones, radius));
        self
    }

    /// The smooth maximum of the field and the distance to the sheath, with its gradient.
    fn sheathed(&self, at: DVec3, (d, gradient): (f64, DVec3)) -> (f64, DVec3) {
        let Some((bones, radius)) = &self.sheath else { return (d, gradient) };
        let Some(away) = foot(bones, at).map(|f| at - f) else { return (d, gradient) };
        let (beyond, width) = (away.length() - radius, SHEATH_BLEND * radius);
        let share = (0.5 + 0.5 * (beyond - d) / width).clamp(0.0, 1.0);
        let value = d + share * (beyond - d) + width * share * (1.0 - share);
        (value, gradient.lerp(away.normalize_or_zero(), share))
    }

    /// Signed distance and its gradient.
    pub fn distance(&self, at: DVec3) -> (f64, DVec3) {
        let x = (at - self.middle) / self.size;
        let (mut d, mut gradient) = (0.0, DVec3::ZERO);
        for (center, term) in self.centers.iter().zip(&self.terms) {
            let delta = x - *center;
            let l2 = delta.length_squared();
            if l2 < AT_CENTER {
                continue;
            }
            let l = l2.sqrt();
            let (beta, lambda) = (term.truncate(), term.w);
            let along = beta.dot(delta);
            d += l * (lambda * l2 + 3.0 * along);
            gradient += 3.0 * ((lambda * l + along / l) * delta + l * beta);
        }
        self.sheathed(at, (d * self.size, gradient))
    }

    /// The same at four places at once, by the widest instructions of the processor, with the same bits on all of them.
    pub fn four_distances(&self, at: [DVec3; 4]) -> [(f64, DVec3); 4] {
        let place = at.map(|at| (at - self.middle) / self.size);
        let found = pulp::Arch::new().dispatch(Sums { field: self, place });
        [0, 1, 2, 3]
            .map(|k| self.sheathed(at[k], (found[0][k] * self.size, DVec3::new(found[1][k], found[2][k], found[3][k]))))
    }
}

/// Sums and their gradients at four places, component by component.
struct Sums<'a> {
    field: &'a Hrbf,
    place: [DVec3; 4],
}

impl pulp::WithSimd for Sums<'_> {
    type Output = [[f64; 4]; 4];

    /// Plain loops, which the compiler turns into the chosen instructions where this is inlined.
    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> Self::Output {
        let place = self.place;
        let [x, y, z] = [place.map(|p| p.x), place.map(|p| p.y), place.map(|p| p.z)];
        let (mut d, mut gx, mut gy, mut gz) = ([0.0; 4], [0.0; 4], [0.0; 4], [0.0; 4]);
        for (center, term) in self.field.centers.iter().zip(&self.field.terms) {
            for k in 0..4 {
                let (dx, dy, dz) = (x[k] - center.x, y[k] - center.y, z[k] - center.z);
                let l2 = dx * dx + dy * dy + dz * dz;
                let l = l2.sqrt();
                let along = term.x * dx + term.y * dy + term.z * dz;
                let ratio = term.w * l + if l2 < AT_CENTER { 0.0 } else { along / l };
                d[k] += l * (term.w * l2 + 3.0 * along);
                gx[k] += 3.0 * (ratio * dx + l * term.x);
                gy[k] += 3.0 * (ratio * dy + l * term.y);
                gz[k] += 3.0 * (ratio * dz + l * term.z);
            }
        }
        [d, gx, gy, gz]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ball(count: usize, radius: f64) -> Vec<Point> {
        let turn = std::f64::consts::PI * (3.0 - 5f64.sqrt());
        let point = |i: usize| {
            let y = 1.0 - 2.0 * (i as f64 + 0.5) / count as f64;
            let r = (1.0 - y * y).sqrt();
            let n = DVec3::new(r * (turn * i as f64).cos(), y, r * (turn * i as f64).sin());
            Point { at: DVec3::new(3.0, -1.0, 0.5) + radius * n, normal: n }
        };
        (0..count).map(point).collect()
    }

    #[test]
    fn a_ball_is_zero_on_its_skin_negative_inside_and_has_its_normals() {
        for radius in [1e-3, 1.0, 1e3] {
            let points = ball(40, radius);
            let field = Hrbf::fit(&points).unwrap();
            for p in ball(333, radius) {
                let (d, gradient) = field.distance(p.at);
                assert!(d.abs() < 0.01 * radius, "{d}");
                assert!(gradient.distance(p.normal) < 0.05);
            }
            let middle = field.distance(DVec3::new(3.0, -1.0, 0.5)).0;
            assert!(middle < -0.3 * radius, "{middle}");
        }
    }

    #[test]
    fn the_gradient_is_the_derivative() {
        let field = Hrbf::fit(&ball(20, 1.0)).unwrap();
        let at = DVec3::new(3.3, -0.4, 0.9);
        let (_, gradient) = field.distance(at);
        for axis in DVec3::AXES {
            let h = 1e-5;
            let slope = (field.distance(at + h * axis).0 - field.distance(at - h * axis).0) / (2.0 * h);
            assert!((slope - gradient.dot(axis)).abs() < 1e-8);
        }
    }

    #[test]
    fn four_places_at_once_are_what_they_are_one_by_one() {
        let points = ball(20, 2.0);
        let field = Hrbf::fit(&points).unwrap();
        let at = [points[3].at, points[7].at + 0.3, DVec3::ZERO, DVec3::new(3.0, -1.0, 0.5)];
        for (found, at) in field.four_distances(at).into_iter().zip(at) {
            let (d, gradient) = field.distance(at);
            assert!((found.0 - d).abs() < 1e-12 && found.1.distance(gradient) < 1e-12, "{at}");
        }
    }

    #[test]
    fn samples_in_one_place_and_bad_numbers_are_refused() {
        let mut points = ball(10, 1.0);
        points.push(points[3]);
        assert!(Hrbf::fit(&points).is_none());
        points.pop();
        points[2].at.x = f64::NAN;
        assert!(Hrbf::fit(&points).is_none());
        assert!(Hrbf::fit(&points[..1]).is_none());
    }

    #[test]
    fn a_sheath_holds_a_field_in_and_keeps_its_gradient() {
        // A patch that faces one way closes nowhere.
        let place = |i: usize| DVec3::new((i % 5) as f64 * 0.25 - 0.5, 0.0, (i / 5) as f64 * 0.25 - 0.5);
        let patch: Vec<Point> = (0..25).map(|i| Point { at: place(i), normal: DVec3::Y }).collect();
        let bone = (DVec3::new(-0.5, -0.5, 0.0), DVec3::new(0.5, -0.5, 0.0));
        let (open, held) = (Hrbf::fit(&patch).unwrap(), Hrbf::fit(&patch).unwrap().with_sheath(vec![bone], 1.0));
        let below = DVec3::new(0.0, -3.0, 0.0);
        assert!(open.distance(below).0 < -1.0, "it closed by itself");
        assert!(held.distance(below).0 > 1.0);
        for p in &patch {
            assert!(held.distance(p.at).0.abs() < 1e-6, "on its points it is as it was");
        }
        // All the way through where the one takes over from the other.
        for k in 0..40 {
            let at = DVec3::new(0.1, 0.5 - 0.07 * f64::from(k), 0.2);
            let (_, gradient) = held.distance(at);
            for (axis, expected) in [(DVec3::X, gradient.x), (DVec3::Y, gradient.y), (DVec3::Z, gradient.z)] {
                let h = 1e-6;
                let slope = (held.distance(at + h * axis).0 - held.distance(at - h * axis).0) / (2.0 * h);
                assert!((slope - expected).abs() < 1e-4, "at {at}: {slope} and {expected}");
            }
            let four = held.four_distances([at; 4])[3];
            assert!((four.0 - held.distance(at).0).abs() < 1e-9 && four.1.distance(gradient) < 1e-9);
        }
    }
}
