//! Elementary functions that graphics devices have right to a few digits only. Written out, so that both sides compute the
//! same numbers.
//!
//! | function | from | error |
//! |---|---|---|
//! | tan(x), 0 <= x <= π/4 | S. L. Moshier, Cephes, tanf.c | 1.5e-7 |
//! | acos(x) | M. Abramowitz, I. Stegun, 4.4.46 | 6e-7 |
//!
//! Where they fail: out of their ranges.

use std::f32::consts::{FRAC_PI_2, PI};

#[inline]
pub(super) fn tangent(x: f32) -> f32 {
    let z = x * x;
    let p = 9.385_402e-3 * z + 3.119_922_3e-3;
    let p = ((p * z + 2.443_013_5e-2) * z + 5.341_128_3e-2) * z;
    let p = ((p + 1.333_879_9e-1) * z + 3.333_315_7e-1) * z;
    p * x + x
}

/// What is lost near 0 and π does not matter here, since openings are flat there.
#[inline]
pub(super) fn arc_cosine(cosine: f32) -> f32 {
    let x = cosine.abs().min(1.0);
    let p = ((-0.001_262_491_1 * x + 0.006_670_09) * x - 0.017_088_126) * x + 0.030_891_88;
    let p = ((p * x - 0.050_174_305) * x + 0.088_978_99) * x - 0.214_598_8;
    let angle = (1.0 - x).sqrt() * (p * x + FRAC_PI_2);
    if cosine < 0.0 { PI - angle } else { angle }
}
