//! Which way a body stands.

use super::{FitOptions, Heading, Template, solid::Solid};
use glam::DVec3;

/// The body's own axes, each one of the file's: x to its left, y up, z ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frame {
    pub left: DVec3,
    pub up: DVec3,
    pub ahead: DVec3,
    /// How clear the guess was, 0 to 1.
    pub sure: f64,
}

impl Frame {
    pub fn body_from_file(&self, p: DVec3) -> DVec3 {
        DVec3::new(self.left.dot(p), self.up.dot(p), self.ahead.dot(p))
    }

    pub fn file_from_body(&self, p: DVec3) -> DVec3 {
        self.left * p.x + self.up * p.y + self.ahead * p.z
    }

    /// A body is the same left and right, stands on feet that lie beside its middle, and looks where its toes or its head
    /// point.
    pub fn guess(solid: &Solid, template: Template, options: &FitOptions) -> Self {
        let body = Body::of(solid);
        let free = |axis: usize| {
            let taken = |h: Option<Heading>| h.is_some_and(|h| h.axis() == axis);
            !taken(options.up) && !taken(options.facing)
        };
        let symmetry = [0, 1, 2].map(|axis| if free(axis) { body.symmetry(axis) } else { -1.0 });
        let lateral = (0..3).max_by(|&a, &b| symmetry[a].total_cmp(&symmetry[b])).expect("three axes");
        let mut sorted = symmetry;
        sorted.sort_by(f64::total_cmp);
        let mut sure = if sorted[1] < 0.0 { 1.0 } else { ((sorted[2] - sorted[1]) / 0.15).clamp(0.3, 1.0) };

        let (up, clear) = options.up.map_or_else(|| body.up(lateral, template, options), |h| (h.vector(), 1.0));
        sure *= clear;
        let (ahead, clear) = match options.facing {
            Some(heading) => (heading.vector(), 1.0),
            None => body.ahead(lateral, up, template),
        };
        sure *= clear;
        Self { left: up.cross(ahead), up, ahead, sure }
    }
}

fn unit(axis: usize, sign: f64) -> DVec3 {
    DVec3::AXES[axis] * sign
}

struct Body {
    points: Vec<DVec3>,
    low: DVec3,
    high: DVec3,
    /// Mean place.
    middle: DVec3,
    step: f64,
}

impl Body {
    fn of(solid: &Solid) -> Self {
        let points: Vec<DVec3> = solid.inside().map(|i| solid.center(i)).collect();
        let low = points.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let high = points.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        let middle = points.iter().sum::<DVec3>() / points.len().max(1) as f64;
        Self { points, low, high, middle, step: solid.cells.step }
    }

    /// How much of the body lies on its own mirror image.
    fn symmetry(&self, axis: usize) -> f64 {
        let key = |p: DVec3| ((p - self.low) / self.step).round().to_array().map(|x| x as i32);
        let cells: std::collections::HashSet<[i32; 3]> = self.points.iter().map(|&p| key(p)).collect();
        let at = ((self.middle[axis] - self.low[axis]) / self.step * 2.0).round() as i32;
        let overlap = |double: i32| {
            let image = |mut k: [i32; 3]| {
                k[axis] = double - k[axis];
                k
            };
            let both = self.points.iter().filter(|&&p| cells.contains(&image(key(p)))).count();
            both as f64 / self.points.len().max(1) as f64
        };
        (at - 2..=at + 2).map(overlap).fold(0.0, f64::max)
    }

    /// How much the lowest part of the body, going by `up`, lies beside its middle: all of it for a person; for an animal
    /// four times the least of its four corners, since ears and hind legs have two.
    fn beside(&self, lateral: usize, up: DVec3, template: Template) -> f64 {
        let heights = |p: DVec3| p.dot(up);
        let (a, b) = (heights(self.low), heights(self.high));
        let (bottom, tall) = (a.min(b), (a - b).abs());
        let wide = (self.high - self.low)[lateral];
        let vertical = up.abs().max_position();
        let along = (0..3).find(|&a| a != lateral && a != vertical).unwrap_or(2);
        let half = 0.5 * (self.low + self.high)[along];
        let (mut all, mut corners) = (0usize, [0usize; 4]);
        for &p in self.points.iter().filter(|&&p| heights(p) < bottom + 0.15 * tall) {
            all += 1;
            let out = p[lateral] - self.middle[lateral];
            if out.abs() >= 0.05 * wide.min(tall) + 0.5 * self.step {
                corners[usize::from(out > 0.0) + 2 * usize::from(p[along] > half)] += 1;
            }
        }
        let found = match template {
            Template::Quadruped => 4 * corners.into_iter().min().unwrap_or(0),
            _ => corners.iter().sum(),
        };
        found as f64 / all.max(1) as f64
    }

    fn up(&self, lateral: usize, template: Template, options: &FitOptions) -> (DVec3, f64) {
        let size = self.high - self.low;
        let mut axes: Vec<usize> =
            (0..3).filter(|&a| a != lateral && options.facing.is_none_or(|f| f.axis() != a)).collect();
        if template == Template::Human && axes.len() == 2 {
            // Nobody is as deep as tall.
            axes.sort_by(|&a, &b| size[b].total_cmp(&size[a]));
            axes.truncate(1);
        }
        let mut found: Vec<(f64, DVec3)> = Vec::new();
        for axis in axes {
            for sign in [1.0, -1.0] {
                let up = unit(axis, sign);
                found.push((self.beside(lateral, up, template), up));
            }
        }
        // Stable: where nothing tells them apart, upwards is towards greater coordinates.
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        let clear = if found.len() > 1 { ((found[0].0 - found[1].0) / 0.2).clamp(0.4, 1.0) } else { 1.0 };
        found.first().map_or((DVec3::Y, 0.3), |f| (f.1, clear))
    }

    fn ahead(&self, lateral: usize, up: DVec3, template: Template) -> (DVec3, f64) {
        let vertical = up.abs().max_position();
        let axis = (0..3).find(|&a| a != vertical && a != lateral).unwrap_or(2);
        let height = |p: DVec3| p.dot(up);
        let bottom = height(self.low).min(height(self.high));
        let tall = (height(self.high) - height(self.low)).abs().max(f64::MIN_POSITIVE);
        let share = |p: DVec3| (height(p) - bottom) / tall;
        let size = (self.high - self.low)[axis];
        if template == Template::Human {
            let mean = |from: f64, to: f64| {
                let slab = self.points.iter().filter(|&&p| (from..to).contains(&share(p)));
                let (sum, count) = slab.fold((0.0, 0.0), |(s, n), p| (s + p[axis], n + 1.0));
                if count > 0.0 { sum / count } else { 0.0 }
            };
            let toes = mean(0.0, 0.035) - mean(0.06, 0.13);
            let clear = (toes.abs() / (0.012 * tall)).clamp(0.4, 1.0);
            return (unit(axis, if toes < 0.0 { -1.0 } else { 1.0 }), clear);
        }
        // What reaches beyond the feet: the head high up, the tail lower and thinner.
        let feet = self.points.iter().filter(|&&p| share(p) < 0.12).map(|p| p[axis]);
        let (back, front) = feet.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), z| (a.min(z), b.max(z)));
        let moment = |beyond: &dyn Fn(f64) -> f64| -> f64 {
            let over = self.points.iter().map(|p| (beyond(p[axis]).max(0.0) / size, share(*p)));
            over.filter(|o| o.0 > 0.0 && o.1 > 0.3).map(|(o, h)| (0.02 + o) * (h - 0.3).powi(2)).sum()
        };
        let (plus, minus) = (moment(&|z| z - front), moment(&|z| back - z));
        let clear = ((plus - minus).abs() / (plus + minus).max(1e-30) / 0.3).clamp(0.4, 1.0);
        (unit(axis, if minus > plus { -1.0 } else { 1.0 }), clear)
    }
}
