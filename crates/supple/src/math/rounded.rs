/// A number as people read it: four digits, and no more zeros than it has.
///
/// ```
/// use supple::math::rounded;
///
/// assert_eq!([2.0, 1.299_999_952_316_284_2, -0.000_123_456, 123_456.0].map(rounded), ["2", "1.3", "-0.0001235", "123456"]);
/// assert_eq!([1e30, -2.5e-12, f64::NAN].map(rounded), ["1e30", "-2.5e-12", "NaN"]);
/// ```
pub fn rounded(number: f64) -> String {
    let digits = if number == 0.0 { 0.0 } else { number.abs().log10().floor() };
    if !digits.is_finite() {
        return format!("{number}");
    }
    let nearest: f64 = format!("{number:.3e}").parse().unwrap_or(number);
    match digits {
        -4.0..=3.0 => format!("{nearest}"),
        4.0..=9.0 => format!("{number:.0}"),
        _ => format!("{nearest:e}"),
    }
}
