/// From 0 at one limit to 1 at the other, level at both; the limits may be given either way round.
#[inline(always)]
pub fn smoothstep([from, to]: [f32; 2], x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
