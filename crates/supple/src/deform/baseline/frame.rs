//! The bones of a model and their frames in a pose, in double precision.

use glam::{DMat3, DVec3};

/// A model as the method sees it: spheres, and bones from sphere to sphere, each after the one it hangs on.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Centres at rest.
    pub centers: Vec<DVec3>,
    /// Radii at rest.
    pub radii: Vec<f64>,
    /// The spheres of each bone, the one nearer to the root first.
    pub bones: Vec<[usize; 2]>,
    /// The bone that each hangs on: it ends where this one starts, or starts there too.
    pub parents: Vec<Option<usize>>,
    /// Of each sphere, the bones that meet there and with which end.
    pub around: Vec<Vec<(usize, usize)>>,
}

/// Where the spheres and bones of a model are in a pose.
#[derive(Clone, Debug, Default)]
pub struct Placed {
    /// Centres.
    pub centers: Vec<DVec3>,
    /// Radii.
    pub radii: Vec<f64>,
    /// How much larger than at rest all is round a sphere, and the detail of the skin with it.
    pub scales: Vec<f64>,
    /// How each bone is turned from rest; the least turn that is left brings it to its spheres.
    pub turns: Vec<DMat3>,
}

/// A bone as a cone with its frame.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frame {
    /// Centre of the sphere near the root.
    pub origin: DVec3,
    /// From there to the other sphere.
    pub axis: DVec3,
    /// Square to the axis: azimuth 0. Of a posed bone, as the joint near the root leaves it when it bends and does not twist.
    pub e1: DVec3,
    /// Square to both: azimuth π/2.
    pub e2: DVec3,
    /// Distance of the centres.
    pub length: f64,
    /// Sine of the half angle of the cone, positive where it gets thinner.
    pub sine: f64,
    /// Cosine of it.
    pub cosine: f64,
    /// Radii of the spheres.
    pub radii: [f64; 2],
    /// How much larger than at rest all is there.
    pub scales: [f64; 2],
    /// Twist of the far end about the axis.
    pub twist: f64,
    /// The whole turn from rest.
    pub turn: DMat3,
}

/// Least length of a bone over the difference of its radii, and least radius over that at rest: poses may ask for less.
const LEAST: f64 = 1.001;
const THINNEST: f64 = 1e-3;

impl Model {
    /// Everything where it is at rest.
    pub fn placed(&self) -> Placed {
        Placed {
            centers: self.centers.clone(),
            radii: self.radii.clone(),
            scales: vec![1.0; self.centers.len()],
            turns: vec![DMat3::IDENTITY; self.bones.len()],
        }
    }

    /// The frames at rest.
    pub fn frames(&self) -> Vec<Frame> {
        let frame = |&[a, b]: &[usize; 2]| {
            let axis = (self.centers[b] - self.centers[a]).normalize();
            let e1 = axis.any_orthonormal_vector();
            let mut frame = Frame { axis, e1, e2: axis.cross(e1), turn: DMat3::IDENTITY, ..Frame::default() };
            frame.lay(self.centers[a], self.centers[b], [self.radii[a], self.radii[b]], [1.0; 2]);
            frame
        };
        self.bones.iter().map(frame).collect()
    }

    /// The frames in a pose, from the root. Radii that no cone has are drawn in.
    pub fn pose(&self, rest: &[Frame], placed: &mut Placed, out: &mut [Frame]) {
        for (radius, &at_rest) in placed.radii.iter_mut().zip(&self.radii) {
            *radius = if *radius > THINNEST * at_rest { *radius } else { THINNEST * at_rest };
        }
        for (index, &[a, b]) in self.bones.iter().enumerate() {
            let at_rest = &rest[index];
            let along = placed.centers[b] - placed.centers[a];
            let carried = placed.turns[index] * at_rest.axis;
            let shortest = THINNEST * at_rest.length;
            let length = along.length();
            let axis = if length > shortest { along / length } else { carried };
            let most = length.max(shortest) / LEAST;
            placed.radii[b] = placed.radii[b].max(placed.radii[a] - most).min(placed.radii[a] + most);
            let turn = swing(carried, axis) * placed.turns[index];
            let mut frame = Frame { axis, turn, ..Frame::default() };
            let before = self.parents[index].map_or(turn, |p| {
                let parent = out[p].turn;
                let own = parent.transpose() * turn;
                let swing = swing(at_rest.axis, own * at_rest.axis);
                let twisted = swing.transpose() * own * at_rest.e1;
                frame.twist = twisted.dot(at_rest.e2).atan2(twisted.dot(at_rest.e1));
                parent * swing
            });
            frame.e1 = before * at_rest.e1;
            frame.e1 = (frame.e1 - axis * frame.e1.dot(axis)).normalize();
            frame.e2 = axis.cross(frame.e1);
            let end = placed.centers[a] + axis * length.max(shortest);
            frame.lay(placed.centers[a], end, [placed.radii[a], placed.radii[b]], [placed.scales[a], placed.scales[b]]);
            out[index] = frame;
        }
    }
}

impl Frame {
    fn lay(&mut self, a: DVec3, b: DVec3, radii: [f64; 2], scales: [f64; 2]) {
        (self.origin, self.length, self.radii, self.scales) = (a, a.distance(b), radii, scales);
        self.sine = (radii[0] - radii[1]) / self.length;
        self.cosine = (1.0 - self.sine * self.sine).sqrt();
    }

    /// Length of a generator, from one circle of tangency to the other.
    pub fn generator(&self) -> f64 {
        self.length * self.cosine
    }

    /// A place or direction in the bone's frame: along the axis, e1, e2.
    pub fn local(&self, v: DVec3) -> DVec3 {
        DVec3::new(v.dot(self.axis), v.dot(self.e1), v.dot(self.e2))
    }

    /// Azimuth of a direction.
    pub fn azimuth(&self, v: DVec3) -> f64 {
        v.dot(self.e2).atan2(v.dot(self.e1))
    }

    /// Away from the sphere at an end, along the bone.
    pub fn outward(&self, end: usize) -> DVec3 {
        if end == 0 { self.axis } else { -self.axis }
    }

    /// Sine of the cone seen from an end: positive where it gets thinner away from there.
    pub fn outward_sine(&self, end: usize) -> f64 {
        if end == 0 { self.sine } else { -self.sine }
    }

    /// Signed distance of a point, and its foot on the axis.
    pub fn distance(&self, p: DVec3) -> (f64, f64) {
        let from = p - self.origin;
        let along = from.dot(self.axis);
        let off = (from - self.axis * along).length();
        let foot = (along - off * self.sine / self.cosine).clamp(0.0, self.length);
        let radius = self.radii[0] + (self.radii[1] - self.radii[0]) * foot / self.length;
        ((along - foot).hypot(off) - radius, foot)
    }
}

/// The least turn from one unit vector to another; about any axis where they are opposite.
pub(super) fn swing(from: DVec3, to: DVec3) -> DMat3 {
    let (cosine, w) = (from.dot(to), from.cross(to));
    if cosine < -1.0 + 1e-12 {
        return DMat3::from_axis_angle(from.any_orthonormal_vector(), std::f64::consts::PI);
    }
    let cross = DMat3::from_cols(DVec3::new(0.0, w.z, -w.y), DVec3::new(-w.z, 0.0, w.x), DVec3::new(w.y, -w.x, 0.0));
    DMat3::IDENTITY + cross + cross * cross * (1.0 / (1.0 + cosine))
}
