//! Elementary functions that graphics devices compute to a few digits only. They are written out, so that processor and device compute
//! the same numbers.
//!
//! | function | from | error |
//! |---|---|---|
//! | tan(x), 0 <= x <= π/4 | S. L. Moshier, Cephes, tanf.c | 1.5e-7 |
//! | acos(x) | M. Abramowitz, I. Stegun, 4.4.46 | 6e-7 |
//!
//! Where they fail: out of their ranges.

use crate::constant::Constant;
use std::f32::consts::{FRAC_PI_2, PI};

/// Coefficients of the tangent, highest power first.
const TANGENT: [f32; 6] =
    [9.385_402e-3, 3.119_922_3e-3, 2.443_013_5e-2, 5.341_128_3e-2, 1.333_879_9e-1, 3.333_315_7e-1];
/// Coefficients of the arc cosine over sqrt(1 - x), highest power first; the last is π/2.
const ARC_COSINE: [f32; 8] = [
    -0.001_262_491_1,
    0.006_670_09,
    -0.017_088_126,
    0.030_891_88,
    -0.050_174_305,
    0.088_978_99,
    -0.214_598_8,
    FRAC_PI_2,
];

/// Those that the kernel uses too.
pub(super) fn constants() -> Vec<Constant> {
    crate::constants![PI, TANGENT, ARC_COSINE]
}

#[inline]
pub(super) fn tangent(x: f32) -> f32 {
    let z = x * x;
    let p = TANGENT[0] * z + TANGENT[1];
    let p = ((p * z + TANGENT[2]) * z + TANGENT[3]) * z;
    let p = ((p + TANGENT[4]) * z + TANGENT[5]) * z;
    p * x + x
}

/// Its error near 0 and π has no effect here, since openings are flat there.
#[inline]
pub(super) fn arc_cosine(cosine: f32) -> f32 {
    let x = cosine.abs().min(1.0);
    let a = ARC_COSINE;
    let p = ((a[0] * x + a[1]) * x + a[2]) * x + a[3];
    let p = ((p * x + a[4]) * x + a[5]) * x + a[6];
    let angle = (1.0 - x).sqrt() * (p * x + a[7]);
    if cosine < 0.0 { PI - angle } else { angle }
}
