//! Bodies as signed distances: rounded cones, optionally flattened, joined by smooth unions.
//!
//! Only additions, products, quotients and square roots: these round alike everywhere, and remeshing would grow the
//! last digit of a platform's own sine into another mesh.

use glam::DVec3;

/// What the field says about a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    /// Signed distance, negative inside; exact to first order near the surface.
    pub value: f64,
    /// Outward direction, close to unit length.
    pub gradient: DVec3,
    /// How long edges may be here, relative to elsewhere.
    pub grain: f64,
}

/// The hull of two balls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cone {
    a: DVec3,
    b: DVec3,
    radius_a: f64,
    radius_b: f64,
    /// Axis about `a` along which the solid is thinner, and by which factor.
    squash: Option<(DVec3, f64)>,
    blend: f64,
    carve: bool,
    grain: f64,
}

impl Cone {
    pub fn new(a: impl Into<DVec3>, radius_a: f64, b: impl Into<DVec3>, radius_b: f64) -> Self {
        let grain = radius_a.min(radius_b);
        Self { a: a.into(), b: b.into(), radius_a, radius_b, squash: None, blend: 0.3 * grain, carve: false, grain }
    }

    pub fn ball(at: impl Into<DVec3>, radius: f64) -> Self {
        let at = at.into();
        Self::new(at, radius, at, radius)
    }

    /// Thinner (or, above one, thicker) by a factor along an axis.
    pub fn squash(mut self, axis: impl Into<DVec3>, factor: f64) -> Self {
        self.squash = axis.into().try_normalize().map(|axis| (axis, factor));
        self.grain *= factor.min(1.0);
        self
    }

    /// Width of the fillet towards what was added before.
    pub fn blend(mut self, width: f64) -> Self {
        self.blend = width;
        self
    }

    /// Takes the solid away instead of adding it.
    pub fn carve(mut self) -> Self {
        self.carve = true;
        self
    }

    pub fn grain(mut self, grain: f64) -> Self {
        self.grain = grain;
        self
    }

    /// Whether edges must be shorter than `grain` to show it.
    pub fn is_finer_than(&self, grain: f64) -> bool {
        self.grain < grain
    }

    /// The same on the other side of the plane x = 0.
    pub fn mirrored(mut self) -> Self {
        let flip = DVec3::new(-1.0, 1.0, 1.0);
        self.a *= flip;
        self.b *= flip;
        self.squash = self.squash.map(|(axis, factor)| (axis * flip, factor));
        self
    }

    /// Room the solid takes round the segment a b.
    fn reach(&self) -> f64 {
        self.radius_a.max(self.radius_b) * self.squash.map_or(1.0, |(_, factor)| factor.max(1.0))
    }
}

/// A cone with everything worked out that does not depend on the point.
#[derive(Clone, Copy, Debug)]
struct Ready {
    /// A ball round the solid.
    center: DVec3,
    bound: f64,
    a: DVec3,
    axis: DVec3,
    length: f64,
    inverse_length: f64,
    radius_a: f64,
    widening: f64,
    tilt: f64,
    stretch: DVec3,
    squash_axis: DVec3,
    squashed: bool,
    blend: f64,
    carve: bool,
    grain: f64,
}

impl Ready {
    fn of(cone: &Cone) -> Self {
        let (squash_axis, gain) = cone.squash.map_or((DVec3::X, 0.0), |(axis, f)| (axis, 1.0 / f - 1.0));
        let stretch = squash_axis * gain;
        let ab = cone.b - cone.a;
        let ab = ab + stretch * squash_axis.dot(ab);
        let length = ab.length();
        let sine = if length > 0.0 { (cone.radius_b - cone.radius_a) / length } else { 0.0 };
        // One ball inside the other has no cone: the larger one alone is meant.
        let sine = sine.clamp(-0.999, 0.999);
        Self {
            center: (cone.a + cone.b) * 0.5,
            bound: 0.5 * cone.a.distance(cone.b) + cone.reach(),
            a: cone.a,
            axis: if length > 0.0 { ab / length } else { DVec3::X },
            length,
            inverse_length: if length > 0.0 { length.recip() } else { 0.0 },
            radius_a: cone.radius_a,
            widening: cone.radius_b - cone.radius_a,
            tilt: sine / (1.0 - sine * sine).sqrt(),
            stretch,
            squash_axis,
            squashed: cone.squash.is_some(),
            blend: cone.blend,
            carve: cone.carve,
            grain: cone.grain,
        }
    }

    /// Whether the solid is so far away that joining it to a body at distance `value` changes nothing.
    #[inline]
    fn is_idle(&self, p: DVec3, value: f64) -> bool {
        let reach = self.bound + self.blend + if self.carve { -value } else { value };
        reach < f64::INFINITY && (reach <= 0.0 || p.distance_squared(self.center) >= reach * reach)
    }

    #[inline]
    fn distance(&self, p: DVec3) -> (f64, DVec3) {
        let mut q = p - self.a;
        if self.squashed {
            q += self.stretch * self.squash_axis.dot(q);
        }
        let along = q.dot(self.axis);
        let across = (q - self.axis * along).length();
        // The ball of the family that is nearest: where d/dt (|q - c(t)| - r(t)) vanishes.
        let t = ((along + across * self.tilt) * self.inverse_length).clamp(0.0, 1.0);
        let out = q - self.axis * (t * self.length);
        let far = out.length();
        let value = far - (self.radius_a + t * self.widening);
        let gradient = if far > 0.0 { out / far } else { DVec3::Y };
        if !self.squashed {
            return (value, gradient);
        }
        let gradient = gradient + self.stretch * self.squash_axis.dot(gradient);
        let steep = gradient.length();
        (value / steep, gradient / steep)
    }
}

/// Quadratic smooth minimum: equal to the smaller one where they differ by more than `width`.
#[inline]
fn join(a: Sample, b: Sample, width: f64) -> Sample {
    let (low, high) = if a.value <= b.value { (a, b) } else { (b, a) };
    let gap = high.value - low.value;
    if gap >= width {
        return low;
    }
    let h = (width - gap) / width;
    let (u, v) = (1.0 - 0.5 * h, 0.5 * h);
    Sample {
        value: low.value - 0.25 * h * h * width,
        gradient: low.gradient * u + high.gradient * v,
        grain: low.grain * u + high.grain * v,
    }
}

#[derive(Clone, Debug)]
struct Group {
    cones: Vec<Ready>,
    center: DVec3,
    radius: f64,
    blend: f64,
}

/// A body: groups of cones. Cones blend within their group, then groups with each other; a group far away costs one
/// comparison.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    groups: Vec<Group>,
    bounds: Option<(DVec3, DVec3)>,
    /// The radius from which on edges grow no longer.
    unit: f64,
}

impl Shape {
    /// Nothing yet; parts thicker than `unit` get edges as long as parts of that thickness.
    pub fn new(unit: f64) -> Self {
        Self { groups: Vec::new(), bounds: None, unit }
    }

    /// Adds a group that blends with the earlier ones over `blend`.
    pub fn add(&mut self, blend: f64, cones: &[Cone]) {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for cone in cones.iter().filter(|c| !c.carve) {
            let reach = DVec3::splat(cone.reach() + cone.blend);
            low = low.min(cone.a.min(cone.b) - reach);
            high = high.max(cone.a.max(cone.b) + reach);
        }
        let all = self.bounds.unwrap_or((low, high));
        self.bounds = Some((all.0.min(low), all.1.max(high)));
        let center = (low + high) * 0.5;
        let ends = |c: &Cone| c.a.distance(center).max(c.b.distance(center)) + c.reach() + c.blend;
        let radius = cones.iter().filter(|c| !c.carve).map(ends).fold(0.0, f64::max);
        self.groups.push(Group { cones: cones.iter().map(Ready::of).collect(), center, radius, blend });
    }

    /// A box that holds the body.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        self.bounds.unwrap_or((DVec3::ZERO, DVec3::ZERO))
    }

    pub fn sample(&self, p: DVec3) -> Sample {
        let mut all = Sample { value: f64::INFINITY, gradient: DVec3::Y, grain: 1.0 };
        for group in &self.groups {
            let reach = all.value + group.blend + group.radius;
            if reach < f64::INFINITY && (reach <= 0.0 || p.distance_squared(group.center) >= reach * reach) {
                continue;
            }
            let mut one = Sample { value: f64::INFINITY, gradient: DVec3::Y, grain: 1.0 };
            for cone in &group.cones {
                if cone.is_idle(p, one.value) {
                    continue;
                }
                let (value, gradient) = cone.distance(p);
                if cone.carve {
                    let hole = Sample { value, gradient, grain: one.grain };
                    let body = Sample { value: -one.value, gradient: -one.gradient, grain: one.grain };
                    let cut = join(body, hole, cone.blend);
                    one = Sample { value: -cut.value, gradient: -cut.gradient, grain: one.grain };
                } else {
                    one = join(one, Sample { value, gradient, grain: cone.grain }, cone.blend);
                }
            }
            all = join(all, one, group.blend);
        }
        all.grain = (all.grain / self.unit).min(1.0);
        all
    }

    /// The nearest point of the surface, by a few Newton steps none of which is longer than `step`.
    pub fn project(&self, mut p: DVec3, step: f64) -> (DVec3, Sample) {
        let mut s = self.sample(p);
        for _ in 0..4 {
            if s.value.abs() < 1e-4 * step {
                break;
            }
            let slope = s.gradient.length_squared().max(0.25);
            p -= s.gradient * (s.value / slope).clamp(-step, step);
            s = self.sample(p);
        }
        (p, s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_to_a_cone_are_exact() {
        let mut shape = Shape::new(1.0);
        shape.add(0.0, &[Cone::new([0.0, 0.0, 0.0], 1.0, [4.0, 0.0, 0.0], 1.0)]);
        assert!((shape.sample(DVec3::new(2.0, 3.0, 0.0)).value - 2.0).abs() < 1e-12);
        assert!((shape.sample(DVec3::new(-3.0, 0.0, 0.0)).value - 2.0).abs() < 1e-12);
    }

    #[test]
    fn gradients_agree_with_differences() {
        let mut shape = Shape::new(1.0);
        let flat = Cone::new([0.0, 1.0, 0.0], 0.8, [2.0, 1.0, 0.3], 0.5).squash([0.0, 0.2, 1.0], 0.6).blend(0.4);
        shape.add(0.3, &[Cone::new([0.0; 3], 1.0, [2.0, 0.0, 0.0], 0.4), flat]);
        for p in [DVec3::new(1.0, 0.9, 0.7), DVec3::new(0.2, 0.6, 0.9), DVec3::new(-0.5, 1.2, 0.4)] {
            let (p, s) = shape.project(p, 0.5);
            for axis in DVec3::AXES {
                let slope = (shape.sample(p + axis * 1e-5).value - shape.sample(p - axis * 1e-5).value) / 2e-5;
                assert!((slope - s.gradient.dot(axis)).abs() < 1e-2, "{p} {slope} {}", s.gradient);
            }
        }
    }
}
