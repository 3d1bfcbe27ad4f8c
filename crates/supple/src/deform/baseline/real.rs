//! The one set of formulas in both precisions: double where points are encoded and where the formulas are tested, single in the loop
//! over the points of a frame.

use std::{
    fmt::Debug,
    ops::{Add, Div, Mul, Neg, Sub},
};

/// Single or double precision.
pub trait Real:
    Copy
    + Debug
    + Default
    + PartialOrd
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + 'static
{
    /// Rounded to this precision.
    fn of(x: f64) -> Self;
    /// Square root.
    fn root(self) -> Self;
    /// Exponential.
    fn exponential(self) -> Self;
    /// Sine and cosine.
    fn sine_cosine(self) -> (Self, Self);
    /// The angle of the point (`across`, `self`), from -π to π.
    fn angle(self, across: Self) -> Self;

    /// The larger; the other one where this is no number.
    fn most(self, other: Self) -> Self {
        if self > other { self } else { other }
    }

    /// The smaller; the other one where this is no number.
    fn least(self, other: Self) -> Self {
        if self < other { self } else { other }
    }

    /// The angle whose cosine this is.
    fn arc_cosine(self) -> Self {
        let one = Self::of(1.0);
        ((one - self * self).most(Self::default())).root().angle(self)
    }
}

impl Real for f64 {
    fn of(x: f64) -> Self {
        x
    }

    fn root(self) -> Self {
        self.sqrt()
    }

    fn exponential(self) -> Self {
        self.exp()
    }

    fn sine_cosine(self) -> (Self, Self) {
        self.sin_cos()
    }

    fn angle(self, across: Self) -> Self {
        self.atan2(across)
    }
}

impl Real for f32 {
    #[inline(always)]
    fn of(x: f64) -> Self {
        x as Self
    }

    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn exponential(self) -> Self {
        self.exp()
    }

    /// To 1e-7 for angles of a few turns, inline and without branches: a point takes up to a dozen of these.
    #[inline(always)]
    fn sine_cosine(self) -> (Self, Self) {
        // Adding 1.5 · 2²³ rounds to whole numbers, which are then the last bits.
        const ROUND: f32 = 12_582_912.0;
        let shifted = self * std::f32::consts::FRAC_2_PI + ROUND;
        let (quarters, quarter) = (shifted - ROUND, shifted.to_bits());
        // π/2 in two parts, the first of few digits: its product is exact.
        let x = (self - quarters * 1.570_312_5) - quarters * 4.838_268e-4;
        let square = x * x;
        let sine = x + x * square * (-1.666_665_5e-1 + square * (8.332_161e-3 - square * 1.951_529_6e-4));
        let cosine = 1.0 - 0.5 * square
            + square * square * (4.166_664_6e-2 + square * (-1.388_731_6e-3 + square * 2.443_315_7e-5));
        let odd = (quarter & 1).wrapping_neg();
        let differing = (sine.to_bits() ^ cosine.to_bits()) & odd;
        let sine_bits = sine.to_bits() ^ differing ^ ((quarter & 2) << 30);
        let cosine_bits = cosine.to_bits() ^ differing ^ ((quarter.wrapping_add(1) & 2) << 30);
        (Self::from_bits(sine_bits), Self::from_bits(cosine_bits))
    }

    /// To 4e-7.
    #[inline(always)]
    fn angle(self, across: Self) -> Self {
        let (y, x) = (self.abs(), across.abs());
        let (low, high) = (x.min(y), x.max(y));
        if high == 0.0 {
            return 0.0;
        }
        // Above π/8 the angle is π/4 and that of (low - high) over (low + high).
        let steep = low > 0.414_213_57 * high;
        let t = if steep { (low - high) / (low + high) } else { low / high };
        let square = t * t;
        let series = ((8.053_744_5e-2 * square - 1.387_768_6e-1) * square + 1.997_771_1e-1) * square - 3.333_295e-1;
        let mut angle = t + t * square * series;
        if steep {
            angle += std::f32::consts::FRAC_PI_4;
        }
        if y > x {
            angle = std::f32::consts::FRAC_PI_2 - angle;
        }
        if across < 0.0 {
            angle = std::f32::consts::PI - angle;
        }
        if self < 0.0 { -angle } else { angle }
    }
}

/// An angle, by its sine and cosine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Turn<F> {
    /// Its sine.
    pub sine: F,
    /// Its cosine.
    pub cosine: F,
}

impl<F: Real> Turn<F> {
    /// By an angle.
    #[inline(always)]
    pub fn of(angle: F) -> Self {
        let (sine, cosine) = angle.sine_cosine();
        Self { sine, cosine }
    }

    /// Its angle, from -π to π.
    #[inline(always)]
    pub fn angle(self) -> F {
        self.sine.angle(self.cosine)
    }

    /// And then another.
    #[inline(always)]
    pub(super) fn then(self, other: Self) -> Self {
        Self {
            sine: self.sine * other.cosine + self.cosine * other.sine,
            cosine: self.cosine * other.cosine - self.sine * other.sine,
        }
    }

    /// What is left after another.
    #[inline(always)]
    pub(super) fn less(self, other: Self) -> Self {
        self.then(other.signed(F::of(-1.0)))
    }

    /// The other way where `sign` is -1.
    #[inline(always)]
    pub(super) fn signed(self, sign: F) -> Self {
        Self { sine: self.sine * sign, cosine: self.cosine }
    }
}

impl Turn<f64> {
    /// In another precision.
    pub(super) fn cast<F: Real>(&self) -> Turn<F> {
        Turn { sine: F::of(self.sine), cosine: F::of(self.cosine) }
    }
}

/// A direction or place.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vector<F>(pub [F; 3]);

impl<F: Real> Vector<F> {
    /// Rounded to this precision.
    pub fn of(v: glam::DVec3) -> Self {
        Self(v.to_array().map(F::of))
    }

    #[inline(always)]
    pub(super) fn dot(self, other: Self) -> F {
        self.0[0] * other.0[0] + self.0[1] * other.0[1] + self.0[2] * other.0[2]
    }

    #[inline(always)]
    pub(super) fn length(self) -> F {
        self.dot(self).root()
    }
}

impl<F: Real> Add for Vector<F> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }
}

impl<F: Real> Sub for Vector<F> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] - other.0[i]))
    }
}

impl<F: Real> Mul<F> for Vector<F> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, by: F) -> Self {
        Self(self.0.map(|x| x * by))
    }
}

/// A direction and a number, under the product ⟨(v, p), (w, q)⟩ = v·w - p q: the apex of a cone, and the plane of its circle of
/// tangency with a sphere, are both one of these.
#[derive(Clone, Copy, Debug, Default)]
pub struct Four<F> {
    /// The direction.
    pub v: Vector<F>,
    /// The number.
    pub w: F,
}

impl<F: Real> Four<F> {
    /// A unit normal of a joint's sphere, as a null vector.
    #[inline(always)]
    pub fn normal(v: Vector<F>) -> Self {
        Self { v, w: F::of(1.0) }
    }

    /// ⟨self, other⟩.
    #[inline(always)]
    pub fn product(self, other: Self) -> F {
        self.v.dot(other.v) - self.w * other.w
    }

    /// Divided by its number: a unit normal again.
    #[inline(always)]
    pub fn to_normal(self) -> Vector<F> {
        self.v * (F::of(1.0) / self.w)
    }

    /// The tangent, at normal `n`, of the plane through `n` that this stands for.
    #[inline(always)]
    pub fn tangent(self, n: Vector<F>) -> Vector<F> {
        self.v - n * self.w
    }

    #[inline(always)]
    pub(super) fn plus(self, other: Self) -> Self {
        Self { v: self.v + other.v, w: self.w + other.w }
    }

    #[inline(always)]
    pub(super) fn times(self, by: F) -> Self {
        Self { v: self.v * by, w: self.w * by }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_precision_is_as_good_as_it_says() {
        for i in -40_000..40_000 {
            let x = i as f32 * 4e-4;
            let ((sine, cosine), exact) = (x.sine_cosine(), f64::from(x).sin_cos());
            let off = (f64::from(sine) - exact.0).abs().max((f64::from(cosine) - exact.1).abs());
            assert!(off < 1.5e-7 + 4e-8 * f64::from(x.abs()), "{x}: {off}");
            let exact = exact.0.atan2(exact.1);
            let (y, x) = (exact.sin() as f32, exact.cos() as f32);
            let off = (f64::from(y.angle(x)) - f64::from(y).atan2(f64::from(x))).abs();
            assert!(off < 4e-7, "{x} {y}: {off}");
        }
        assert_eq!((0.0f32.angle(0.0), 0.0f32.angle(1.0), 0.0f32.angle(-1.0)), (0.0, 0.0, std::f32::consts::PI));
    }
}
