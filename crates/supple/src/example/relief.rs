//! Small shapes that are drawn on the skin: creases, ridges, grain. Each fades where the mesh is too coarse to carry
//! it, so that nothing aliases.

use super::{field::Shape, skin::smoothstep, surface::Surface};
use crate::parallel::for_each_block;
use glam::DVec3;

/// A bump of height one at zero that ends at one, smoothly.
pub(super) fn bump(x: f64) -> f64 {
    let y = 1.0 - x * x;
    if y > 0.0 { y * y } else { 0.0 }
}

/// A wave of period one and height one, from a polynomial: platforms differ in the last digit of their sines.
pub(super) fn wave(x: f64) -> f64 {
    let t = x - x.floor() - 0.5;
    let parabola = 16.0 * t * (0.5 - t.abs());
    -(0.775 * parabola + 0.225 * parabola * parabola.abs())
}

/// Smooth noise between -1 and 1 with cells of size one.
pub(super) fn noise(p: DVec3) -> f64 {
    let cell = p.floor();
    let t = p - cell;
    let s = t * t * (DVec3::splat(3.0) - 2.0 * t);
    let base = [cell.x as i64, cell.y as i64, cell.z as i64];
    let mut sum = 0.0;
    for corner in 0..8 {
        let on = [corner & 1, corner >> 1 & 1, corner >> 2];
        let mut weight = 1.0;
        let mut hash = 0x9e37_79b9_7f4a_7c15u64;
        for k in 0..3 {
            weight *= if on[k] == 1 { s[k] } else { 1.0 - s[k] };
            hash = (hash ^ (base[k] + on[k] as i64) as u64).wrapping_mul(0xff51_afd7_ed55_8ccd);
            hash ^= hash >> 32;
        }
        sum += weight * ((hash >> 11) as f64 / (1u64 << 52) as f64 - 1.0);
    }
    sum
}

/// A place on the skin about to be moved along its normal.
pub(super) struct Spot {
    pub at: DVec3,
    pub normal: DVec3,
    /// Mean length of the edges there.
    pub edge: f64,
}

impl Spot {
    /// How much of a feature of this width the mesh can show.
    pub fn shows(&self, width: f64) -> f64 {
        1.0 - smoothstep(0.3 * width, 0.65 * width, self.edge)
    }
}

/// Moves every vertex along the normal of the field by what `height` says.
pub(super) fn raise(surface: &mut Surface, shape: &Shape, height: impl Fn(&Spot) -> f64 + Sync + Send) {
    let mut moved = vec![DVec3::ZERO; surface.points.len()];
    let s = &*surface;
    for_each_block(&mut moved, 1024, |first, block| {
        for (v, out) in (first as u32..).zip(block) {
            let at = s.points[v as usize];
            let normal = shape.sample(at).gradient.normalize_or(DVec3::Y);
            let lengths: f64 = s.fan(v).map(|h| s.length(h)).sum();
            let edge = lengths / f64::from(s.valence[v as usize].max(1));
            *out = at + normal * height(&Spot { at, normal, edge });
        }
    });
    surface.points = moved;
}
