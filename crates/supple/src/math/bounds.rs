use glam::Vec3;

/// An axis-aligned box. Every tolerance of the library is relative to one of these.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Smallest corner.
    pub min: Vec3,
    /// Largest corner.
    pub max: Vec3,
}

impl Bounds {
    /// The box of all finite points; a single point at the origin when there is none.
    pub fn of(points: &[Vec3]) -> Self {
        let mut bounds = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };
        for &p in points.iter().filter(|p| p.is_finite()) {
            bounds.min = bounds.min.min(p);
            bounds.max = bounds.max.max(p);
        }
        if bounds.min.x > bounds.max.x { Self { min: Vec3::ZERO, max: Vec3::ZERO } } else { bounds }
    }

    /// Side lengths.
    pub fn size(&self) -> Vec3 {
        self.max - self.min
    }

    /// Length of the diagonal, the unit of every tolerance.
    pub fn diagonal(&self) -> f32 {
        self.size().as_dvec3().length() as f32
    }

    /// The middle.
    pub fn center(&self) -> Vec3 {
        (self.min + self.max) * 0.5
    }
}
