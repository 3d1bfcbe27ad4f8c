/// Sine and cosine of an angle of at most a quarter turn either way, to the last digits of single precision. Drivers may
/// be off by a thousandth in theirs; the same sums in a kernel give what the processor has.
#[inline(always)]
pub fn quarter_turn(x: f32) -> (f32, f32) {
    let y = x * x;
    let sine = x
        * (1.0
            + y * (-1.666_666_6e-1 + y * (8.333_333e-3 + y * (-1.984_127e-4 + y * (2.755_732e-6 - y * 2.505_21e-8)))));
    let cosine = 1.0
        + y * (-0.5
            + y * (4.166_666_6e-2
                + y * (-1.388_888_9e-3 + y * (2.480_158_7e-5 + y * (-2.755_732e-7 + y * 2.087_676e-9)))));
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
