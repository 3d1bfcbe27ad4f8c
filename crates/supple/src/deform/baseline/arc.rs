use super::real::{Real, Vector};

/// An arc of a circle on the unit sphere, by normal and tangent at both ends.
#[derive(Clone, Copy, Debug)]
pub struct Arc<F> {
    start: Vector<F>,
    end: Vector<F>,
    tangents: [Vector<F>; 2],
    /// Angle that the tangent turns by.
    turn: F,
    /// Its length.
    pub length: F,
}

impl<F: Real> Arc<F> {
    /// From `start`, which it leaves along the first tangent, to `end`.
    #[inline(always)]
    pub fn new(start: Vector<F>, end: Vector<F>, tangents: [Vector<F>; 2]) -> Self {
        let one = F::of(1.0);
        let sine = ((tangents[1] - tangents[0]).length() * F::of(0.5)).least(one);
        let half = sine.angle((one - sine * sine).root());
        let chord = (end - start).length();
        let length =
            if half > F::of(1e-4) { chord * half / sine } else { chord * (one + half * half * F::of(1.0 / 6.0)) };
        Self { start, end, tangents, turn: half + half, length }
    }

    /// The point at a share of its length.
    #[inline(always)]
    pub fn at(&self, share: F) -> Vector<F> {
        if self.turn < F::of(1e-5) {
            return self.start + (self.end - self.start) * share;
        }
        let one = F::of(1.0);
        let (whole_sine, whole_cosine) = self.turn.sine_cosine();
        let (sine, cosine) = (share * self.turn * F::of(0.5)).sine_cosine();
        let side = (self.tangents[1] - self.tangents[0] * whole_cosine) * (one / whole_sine);
        self.start + (self.tangents[0] * cosine + side * sine) * (F::of(2.0) * sine * self.length / self.turn)
    }
}
