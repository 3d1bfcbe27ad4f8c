//! Colours are linear RGB until the last step. Maps and hues are lines through the Oklab space, in which equal steps
//! look equal, so that no step of a quantity looks larger than another.

use glam::Vec3;

/// From a number in 0..=1 to a colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorMap {
    /// Dark violet over teal to yellow, lighter with every step: for amounts.
    #[default]
    Amount,
    /// Blue over light grey to orange-red: for what lies on two sides of a middle.
    Diverging,
    /// Blue, deeper towards the middle, then red, darker towards the end: for fields that are 0.5 on a surface.
    Field,
}

impl ColorMap {
    /// The linear colour of `t`, which is clamped to 0..=1; what is not a number is grey.
    pub fn color(self, t: f32) -> Vec3 {
        if t.is_nan() {
            return Vec3::splat(0.18);
        }
        let t = t.clamp(0.0, 1.0);
        match self {
            Self::Amount => {
                let hue = 308.0 - 200.0 * t - 2.0 * (t * std::f32::consts::TAU).sin();
                oklch(0.30 + 0.61 * t, 0.115 + 0.055 * t, hue)
            }
            Self::Field if t < 0.5 => oklch(0.95 - 0.54 * t, 0.01 + 0.22 * t, 250.0),
            Self::Field => oklch(0.80 - 0.76 * (t - 0.5), 0.12 + 0.14 * (t - 0.5), 27.0),
            Self::Diverging => {
                let side = 2.0 * t - 1.0;
                let far = side.abs();
                oklch(0.90 - 0.38 * far.powf(1.3), 0.19 * far, if side < 0.0 { 255.0 } else { 35.0 })
            }
        }
    }
}

/// A hue of its own for each number: neighbours are far apart.
pub fn hue(index: usize) -> Vec3 {
    let turn = (index as f32 * 0.618_034).fract();
    // Neighbours in a chain differ in lightness too, for eyes that see few hues.
    // After 21 hues the golden angle comes back to within 8 degrees; another lightness tells them apart up to 42.
    let lightness = [0.72, 0.62, 0.80][(index + index / 21) % 3];
    oklch(lightness, 0.14, 40.0 + 360.0 * turn)
}

/// Linear RGB from lightness, chroma and hue in degrees (Oklab in polar form), brought into range by cutting.
pub fn oklch(lightness: f32, chroma: f32, hue: f32) -> Vec3 {
    let (sin, cos) = hue.to_radians().sin_cos();
    let (a, b) = (chroma * cos, chroma * sin);
    let l = lightness + 0.396_337_78 * a + 0.215_803_76 * b;
    let m = lightness - 0.105_561_346 * a - 0.063_854_17 * b;
    let s = lightness - 0.089_484_18 * a - 1.291_485_5 * b;
    let (l, m, s) = (l * l * l, m * m * m, s * s * s);
    Vec3::new(
        4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_94 * s,
        -1.268_438 * l + 2.609_757_4 * m - 0.341_319_38 * s,
        -0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s,
    )
    .clamp(Vec3::ZERO, Vec3::ONE)
}

/// The byte that shows a linear value (sRGB).
pub fn encode(linear: f32) -> u8 {
    let x = linear.clamp(0.0, 1.0);
    let s = if x <= 0.003_130_8 { 12.92 * x } else { 1.055 * x.powf(1.0 / 2.4) - 0.055 };
    (s * 255.0 + 0.5) as u8
}

/// The linear value of a byte (sRGB).
pub fn decode(byte: u8) -> f32 {
    let s = f32::from(byte) / 255.0;
    if s <= 0.040_45 { s / 12.92 } else { ((s + 0.055) / 1.055).powf(2.4) }
}

/// The opaque pixel of a linear colour.
pub fn pixel(linear: Vec3) -> [u8; 4] {
    [encode(linear.x), encode(linear.y), encode(linear.z), 255]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn luminance(c: Vec3) -> f32 {
        c.dot(Vec3::new(0.2126, 0.7152, 0.0722))
    }

    #[test]
    fn no_two_of_36_joints_look_the_same() {
        for (a, b) in (0..36).flat_map(|b| (0..b).map(move |a| (a, b))) {
            let [p, q] = [a, b].map(|i| pixel(hue(i)));
            let apart = p.iter().zip(q).map(|(x, y)| x.abs_diff(y)).max().unwrap_or(0);
            assert!(apart >= 16, "{a} and {b}: {p:?} and {q:?}");
        }
    }

    #[test]
    fn amounts_grow_lighter_with_every_step() {
        let steps: Vec<f32> = (0..=64).map(|i| luminance(ColorMap::Amount.color(i as f32 / 64.0))).collect();
        assert!(steps.windows(2).all(|w| w[1] > w[0]), "{steps:?}");
        assert!(steps[0] < 0.05 && steps[64] > 0.6);
    }

    #[test]
    fn the_two_sides_of_the_middle_weigh_the_same() {
        for i in 0..32 {
            let (low, high) = (i as f32 / 64.0, 1.0 - i as f32 / 64.0);
            let (low, high) = (luminance(ColorMap::Diverging.color(low)), luminance(ColorMap::Diverging.color(high)));
            assert!((low.cbrt() - high.cbrt()).abs() < 0.08, "{low} {high}");
        }
    }

    #[test]
    fn bytes_come_back() {
        assert!((0..=255).all(|b| encode(decode(b)) == b));
        assert_eq!(ColorMap::Amount.color(f32::NAN), Vec3::splat(0.18));
    }
}
