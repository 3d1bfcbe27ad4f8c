use super::solid::Solid;
use glam::DVec3;

/// Places of a bone that are looked at.
const LOOKS: usize = 16;

/// Joints being placed, in body coordinates.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    pub joints: Vec<Placed>,
    pub notes: Vec<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub name: String,
    pub parent: Option<usize>,
    pub at: DVec3,
    /// False where nothing of the skin says where it is.
    pub seen: bool,
    pub hinge: Option<DVec3>,
}

impl Draft {
    pub fn add(&mut self, name: &str, parent: Option<&str>, at: DVec3, seen: bool) {
        let parent = parent.and_then(|p| self.find(p));
        self.joints.push(Placed { name: name.into(), parent, at, seen, hinge: None });
    }

    pub fn find(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|j| j.name == name)
    }

    pub fn position(&self, name: &str) -> Option<DVec3> {
        self.find(name).map(|i| self.joints[i].at)
    }

    pub fn hinge(&mut self, name: &str, axis: DVec3) {
        if let Some(i) = self.find(name) {
            self.joints[i].hinge = Some(axis);
        }
    }

    /// Draws pairs of joints that are nearly each other's mirror image together, so that an even body gets an even
    /// skeleton; what was seen on one side alone is taken over by the other.
    pub fn even(&mut self, middle: f64) {
        let image = |p: DVec3| DVec3::new(2.0 * middle - p.x, p.y, p.z);
        let size = {
            let low = self.joints.iter().map(|j| j.at).fold(DVec3::INFINITY, DVec3::min);
            let high = self.joints.iter().map(|j| j.at).fold(DVec3::NEG_INFINITY, DVec3::max);
            low.distance(high)
        };
        for i in 0..self.joints.len() {
            let Some(stem) = self.joints[i].name.strip_suffix("_l").map(str::to_owned) else { continue };
            let Some(j) = self.find(&format!("{stem}_r")) else { continue };
            let (left, right) = (self.joints[i].clone(), self.joints[j].clone());
            match (left.seen, right.seen) {
                (true, false) => self.joints[j].at = image(left.at),
                (false, true) => self.joints[i].at = image(right.at),
                _ if left.at.distance(image(right.at)) < 0.04 * size => {
                    let mean = 0.5 * (left.at + image(right.at));
                    (self.joints[i].at, self.joints[j].at) = (mean, image(mean));
                }
                _ => {}
            }
        }
    }

    /// The names of bones of which more than half lies outside, and what share of all bones does, by their lengths.
    pub fn in_air(&self, solid: &Solid) -> (Vec<String>, f64) {
        let (mut names, mut air, mut all) = (Vec::new(), 0.0, 0.0);
        for joint in &self.joints {
            let Some(parent) = joint.parent.map(|p| self.joints[p].at) else { continue };
            let places = (1..LOOKS).map(|k| parent.lerp(joint.at, k as f64 / LOOKS as f64));
            let share = places.filter(|&p| solid.depth_at(p) <= 0.0).count() as f64 / (LOOKS - 1) as f64;
            let length = parent.distance(joint.at);
            (air, all) = (air + share * length, all + length);
            if share > 0.5 {
                names.push(joint.name.clone());
            }
        }
        (names, if all > 0.0 { air / all } else { 0.0 })
    }

    /// Moves joints that lie outside, or in the skin itself, to the nearest place inside that is as deep as its
    /// surroundings let it; names those it cannot.
    pub fn pushed_inside(&mut self, solid: &Solid) -> Vec<String> {
        let mut outside = Vec::new();
        let cells: Vec<usize> = solid.inside().filter(|&i| solid.depth[i] > 1.2 * solid.cells.step).collect();
        for joint in &mut self.joints {
            if solid.depth_at(joint.at) > 1.2 * solid.cells.step {
                continue;
            }
            let near = cells.iter().copied().map(|i| (solid.center(i), i)).min_by(|a, b| {
                a.0.distance_squared(joint.at).total_cmp(&b.0.distance_squared(joint.at)).then(a.1.cmp(&b.1))
            });
            match near {
                Some((p, _)) => joint.at = p,
                None if solid.depth_at(joint.at) <= 0.0 => outside.push(joint.name.clone()),
                None => {}
            }
        }
        outside
    }
}
