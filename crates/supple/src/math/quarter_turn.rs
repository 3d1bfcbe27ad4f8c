use crate::constant::Constant;

/// Coefficients of the sine and of the cosine by rising powers. The signs of the last powers are in the formula.
const SINE: [f32; 5] = [-1.666_666_6e-1, 8.333_333e-3, -1.984_127e-4, 2.755_732e-6, 2.505_21e-8];
const COSINE: [f32; 6] = [-0.5, 4.166_666_6e-2, -1.388_888_9e-3, 2.480_158_7e-5, -2.755_732e-7, 2.087_676e-9];

/// Those that kernels use too.
pub fn constants() -> Vec<Constant> {
    crate::constants![SINE, COSINE]
}

/// Sine and cosine of an angle of at most a quarter turn either way, to the last digits of single precision. Drivers may
/// be off by a thousandth in theirs; the same sums in a kernel give what the processor has.
#[inline(always)]
pub fn quarter_turn(x: f32) -> (f32, f32) {
    let y = x * x;
    let (s, c) = (SINE, COSINE);
    let sine = x * (1.0 + y * (s[0] + y * (s[1] + y * (s[2] + y * (s[3] - y * s[4])))));
    let cosine = 1.0 + y * (c[0] + y * (c[1] + y * (c[2] + y * (c[3] + y * (c[4] + y * c[5])))));
    (sine, cosine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_agrees_with_the_standard_library() {
        for i in -1000..=1000 {
            let x = i as f32 * std::f32::consts::FRAC_PI_2 / 1000.0;
            let (sine, cosine) = quarter_turn(x);
            assert!((sine - x.sin()).abs() < 3e-7 && (cosine - x.cos()).abs() < 3e-7, "{x}: {sine} {cosine}");
        }
    }
}
