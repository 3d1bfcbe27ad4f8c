//! The curve of an operator as a hand holds it: three points and two slopes, in degrees. The other way round it is the
//! eight numbers of an [`Opening`].

use supple::field::{Opening, Operator};

/// α and θ of three handles, and how the curve rises between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// α from 0 to 180 and θ from 0 to 45, in degrees; α rises from handle to handle.
    pub handles: [[f64; 2]; 3],
    /// w0 and w1, above 0.
    pub slopes: [f64; 2],
}

/// Handles do not come nearer to each other than this, in degrees.
const APART: f64 = 1.0;
/// Nobody drags more finely, and files stay short.
const STEP: f64 = 0.1;

impl Curve {
    /// Of an opening.
    pub fn of(opening: Opening) -> Self {
        let values = <[f32; 8]>::from(opening);
        let degrees = |i: usize| {
            let exact = f64::from(values[i]).to_degrees();
            // What was written as a round number shall be seen as one.
            let short = (exact * 1e4).round() / 1e4;
            if short.to_radians() as f32 == values[i] { short } else { exact }
        };
        let slope = |i: usize| values[i].to_string().parse().unwrap_or(f64::from(values[i]));
        Self { handles: [0, 1, 2].map(|i| [degrees(i), degrees(i + 3)]), slopes: [slope(6), slope(7)] }
    }

    /// The eight numbers again; none where they are not those of a curve.
    pub fn opening(&self) -> Option<Opening> {
        let [a, b, c] = self.handles;
        let angles = [a[0], b[0], c[0], a[1], b[1], c[1]].map(|d| d.to_radians() as f32);
        let [w0, w1] = self.slopes.map(|w| w as f32);
        let [a0, a1, a2, t0, t1, t2] = angles;
        Opening::new([a0, a1, a2, t0, t1, t2, w0, w1]).ok()
    }

    /// With one handle as near to a place as the others let it.
    pub fn with_handle(mut self, handle: usize, to: [f64; 2]) -> Self {
        if handle > 2 || !to.iter().all(|x| x.is_finite()) {
            return self;
        }
        let low = if handle == 0 { 0.0 } else { self.handles[handle - 1][0] + APART };
        let high = if handle == 2 { 180.0 } else { self.handles[handle + 1][0] - APART };
        let round = |x: f64| (x / STEP).round() * STEP;
        // Handles that came closer from a file stay as they are.
        let alpha = if low <= high { round(to[0]).clamp(low, high) } else { self.handles[handle][0] };
        let tidy = |x: f64| (x * 1e4).round() / 1e4;
        self.handles[handle] = [tidy(alpha), tidy(round(to[1]).clamp(0.0, 45.0))];
        self
    }

    /// With one slope.
    pub fn with_slope(mut self, which: usize, to: f64) -> Self {
        if let Some(slope) = self.slopes.get_mut(which).filter(|_| to.is_finite()) {
            *slope = (to.clamp(*Opening::SLOPES.start(), *Opening::SLOPES.end()) * 1e4).round() / 1e4;
        }
        self
    }

    /// θ at an angle, both in degrees.
    pub fn theta(&self, alpha: f64) -> f64 {
        let theta = self.opening().map_or(std::f32::consts::FRAC_PI_4, |o| o.theta(alpha.to_radians() as f32));
        f64::from(theta).to_degrees()
    }

    /// An operator with this curve: the one of its contact, or of its opening.
    pub fn put_into(&self, operator: &Operator, contact: bool) -> Operator {
        let Some(opening) = self.opening() else { return *operator };
        if contact { Operator { contact: opening, ..*operator } } else { Operator { opening, ..*operator } }
    }
}
