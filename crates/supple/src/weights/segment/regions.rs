use super::Note;
use crate::rig::{Bone, Rig, Role};
use glam::DVec3;

/// The joints that own skin, as a tree. A joint without a bone of its own owns none: whatever hangs on it hangs on the
/// nearest joint above that has one.
#[derive(Debug)]
pub(crate) struct Regions {
    /// Joint of each region, ascending.
    pub joints: Vec<usize>,
    /// The region above, always a smaller number.
    pub parents: Vec<Option<usize>>,
    /// Where the joint is.
    pub heads: Vec<DVec3>,
    /// Mean direction of the region's bones; zero where they cancel.
    pub directions: Vec<DVec3>,
    /// The mean of the directions in which bones arrive at the joint and leave it; none at roots and where they cancel.
    pub bisectors: Vec<Option<DVec3>>,
    /// The bones of each region.
    pub bones: Vec<Vec<Bone>>,
    /// The regions that hang on each, ascending.
    children: Vec<Vec<usize>>,
}

impl Regions {
    pub fn of(rig: &Rig, notes: &mut Vec<Note>) -> Self {
        let joints = rig.skeleton.joints();
        // Weights of another mesh say nothing about this one.
        let weights = rig.weights.as_ref().filter(|w| w.len() == rig.mesh.positions.len());
        let weights = weights.filter(|w| w.largest_joint().is_none_or(|j| usize::from(j) < joints.len()));
        let (all, _) = rig.skeleton.bones(&rig.mesh.positions, weights);
        let mut bones = vec![Vec::new(); joints.len()];
        for bone in all {
            bones[bone.joint].push(bone);
        }
        let mut region_of = vec![None; joints.len()];
        let mut regions = Self {
            joints: vec![],
            parents: vec![],
            heads: vec![],
            directions: vec![],
            bisectors: vec![],
            bones: vec![],
            children: vec![],
        };
        for (i, joint) in joints.iter().enumerate() {
            let above = joint.parent.and_then(|p| region_of[p]);
            if bones[i].is_empty() {
                if joint.role == Role::Bone {
                    notes.push(Note::NoBone { joint: joint.name.clone() });
                }
                region_of[i] = above;
                continue;
            }
            region_of[i] = Some(regions.joints.len());
            regions.joints.push(i);
            regions.parents.push(above);
            regions.heads.push(joint.rest_position());
            let sum: DVec3 = bones[i].iter().map(|b| (b.tail - b.head).normalize_or_zero()).sum();
            let longest = bones[i].iter().max_by(|a, b| a.length().total_cmp(&b.length()));
            let mean = if sum.length() > 0.3 { sum } else { longest.map_or(DVec3::ZERO, |b| b.tail - b.head) };
            let to = mean.normalize_or_zero();
            regions.directions.push(to);
            regions.bisectors.push(above.and_then(|above| {
                let from = (joint.rest_position() - regions.heads[above]).normalize_or_zero();
                [from + to, to, from].into_iter().find_map(|d| (d.length() > 0.05).then(|| d.normalize()))
            }));
            regions.bones.push(std::mem::take(&mut bones[i]));
            regions.children.push(Vec::new());
            if let Some(above) = above {
                regions.children[above].push(regions.joints.len() - 1);
            }
        }
        regions
    }

    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Whether `region` is `top` or hangs below it.
    pub fn is_below(&self, mut region: usize, top: usize) -> bool {
        while region > top {
            match self.parents[region] {
                Some(parent) => region = parent,
                None => return false,
            }
        }
        region == top
    }

    /// Distance from a point to the nearest bone of a region.
    pub fn distance(&self, region: usize, p: DVec3) -> f64 {
        self.bones[region].iter().map(|b| b.distance(p)).fold(f64::INFINITY, f64::min)
    }

    /// The lowest region that is above both or one of them; the root where they are of different trees.
    pub fn meeting(&self, mut a: usize, b: usize) -> usize {
        while !self.is_below(b, a) {
            match self.parents[a] {
                Some(parent) => a = parent,
                None => return 0,
            }
        }
        a
    }

    /// The regions that hang on one.
    pub fn children(&self, region: usize) -> impl Iterator<Item = usize> + '_ {
        self.children[region].iter().copied()
    }

    /// Distances from a point to the nearest bone of each region from `top` on, or of any below it.
    pub fn branch_distances(&self, top: usize, p: DVec3) -> Vec<f64> {
        let mut distances: Vec<f64> = (top..self.len()).map(|r| self.distance(r, p)).collect();
        for region in (top + 1..self.len()).rev() {
            if let Some(parent) = self.parents[region].filter(|&parent| parent >= top) {
                distances[parent - top] = distances[parent - top].min(distances[region - top]);
            }
        }
        distances
    }

    /// The nearest of some regions; the first of equals.
    pub fn nearest(&self, among: &[usize], p: DVec3) -> usize {
        let mut best = (f64::INFINITY, among.first().copied().unwrap_or(0));
        for &region in among {
            let distance = self.distance(region, p);
            if distance < best.0 {
                best = (distance, region);
            }
        }
        best.1
    }
}
