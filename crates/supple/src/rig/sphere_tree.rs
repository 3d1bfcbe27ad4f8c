use super::{Sphere, SphereMesh, SphereMeshError};

/// The bones of a sphere-mesh, root first: what methods that go from joint to joint need of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SphereTree {
    /// Each after the one that it hangs on.
    pub bones: Vec<TreeBone>,
    /// Of each sphere, the bones that meet there, and with which end: 0 near the root.
    pub around: Vec<Vec<(usize, usize)>>,
}

/// A bone of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeBone {
    /// Its spheres, the one nearer to the root first.
    pub spheres: [usize; 2],
    /// The bone that it hangs on: that which ends where it starts or, at the root, the first that starts there too.
    pub parent: Option<usize>,
    /// Its place in [`SphereMesh::bones`].
    pub bone: usize,
}

impl SphereMesh {
    /// The bones as a tree, or what is wrong with the model: bones without length, spheres inside their neighbours, cycles.
    ///
    /// The root of each piece is a sphere that no bone leads to; where every sphere is led to, the first.
    pub fn tree(&self) -> Result<SphereTree, SphereMeshError> {
        Self::new(self.spheres.clone(), self.bones.clone())?;
        if self.bones.is_empty() {
            return Err(SphereMeshError::NoBones);
        }
        for (index, &[a, b]) in self.bones.iter().enumerate() {
            let (one, other) = (&self.spheres[a as usize], &self.spheres[b as usize]);
            let length = one.center.distance(other.center);
            if length <= SHORTEST * one.radius.max(other.radius) {
                return Err(SphereMeshError::NoLength { index, a, b });
            }
            if (one.radius - other.radius).abs() >= length {
                let (inner, outer) = if one.radius < other.radius { (a, b) } else { (b, a) };
                return Err(SphereMeshError::Inside { index, inner, outer });
            }
        }
        let mut at: Vec<Vec<usize>> = vec![Vec::new(); self.spheres.len()];
        let mut is_led_to = vec![false; self.spheres.len()];
        for (index, &[a, b]) in self.bones.iter().enumerate() {
            at[a as usize].push(index);
            at[b as usize].push(index);
            is_led_to[b as usize] = true;
        }
        let mut tree = SphereTree { bones: Vec::new(), around: vec![Vec::new(); self.spheres.len()] };
        let mut used = vec![false; self.bones.len()];
        let mut reached = vec![false; self.spheres.len()];
        let roots = (0..self.spheres.len()).filter(|&s| !is_led_to[s]).chain(0..self.spheres.len());
        for root in roots {
            if !std::mem::replace(&mut reached[root], true) {
                let mut waiting = std::collections::VecDeque::from([(root, None)]);
                while let Some((sphere, parent)) = waiting.pop_front() {
                    let mut parent: Option<usize> = parent;
                    for &index in &at[sphere] {
                        if std::mem::replace(&mut used[index], true) {
                            continue;
                        }
                        let [a, b] = self.bones[index];
                        let other = if a as usize == sphere { b } else { a } as usize;
                        if std::mem::replace(&mut reached[other], true) {
                            return Err(SphereMeshError::Cycle { index, a, b });
                        }
                        let own = tree.bones.len();
                        tree.bones.push(TreeBone { spheres: [sphere, other], parent, bone: index });
                        tree.around[sphere].push((own, 0));
                        tree.around[other].push((own, 1));
                        waiting.push_back((other, Some(own)));
                        parent = parent.or(Some(own));
                    }
                }
            }
        }
        Ok(tree)
    }
}

/// Bones shorter than this share of their larger sphere have no direction.
const SHORTEST: f64 = 1e-9;

impl SphereTree {
    /// Runs of bones from sphere to sphere through spheres where just two meet.
    pub fn chains(&self) -> Vec<Vec<usize>> {
        let mut chains: Vec<Vec<usize>> = Vec::new();
        let mut chain_of = vec![0; self.bones.len()];
        for (index, bone) in self.bones.iter().enumerate() {
            let before = bone
                .parent
                .filter(|&p| self.around[bone.spheres[0]].len() == 2 && self.bones[p].spheres[1] == bone.spheres[0]);
            chain_of[index] = before.map_or(chains.len(), |p| chain_of[p]);
            match before {
                Some(_) => chains[chain_of[index]].push(index),
                None => chains.push(vec![index]),
            }
        }
        chains
    }

    /// Spheres where three bones or more meet.
    pub fn junctions(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.around.len()).filter(|&s| self.around[s].len() > 2)
    }
}

impl Sphere {
    /// Without a name.
    pub fn new(center: glam::DVec3, radius: f64) -> Self {
        Self { name: String::new(), center, radius }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn model(spheres: &[(f64, f64, f64)], bones: &[[u32; 2]]) -> SphereMesh {
        let spheres = spheres.iter().map(|&(x, y, radius)| Sphere::new(DVec3::new(x, y, 0.0), radius)).collect();
        SphereMesh { spheres, bones: bones.to_vec() }
    }

    const Y: [(f64, f64, f64); 5] =
        [(0.0, 0.0, 0.1), (1.0, 0.0, 0.1), (2.0, 0.0, 0.1), (3.0, 1.0, 0.1), (3.0, -1.0, 0.1)];

    #[test]
    fn bones_come_after_those_they_hang_on_whatever_their_order() {
        let tree = model(&Y, &[[2, 4], [3, 2], [1, 2], [0, 1]]).tree().unwrap();
        // Both 0 and 3 are led to by none; 0 is first.
        assert_eq!(tree.bones.iter().map(|b| b.spheres).collect::<Vec<_>>(), [[0, 1], [1, 2], [2, 4], [2, 3]]);
        assert_eq!(tree.bones.iter().map(|b| b.parent).collect::<Vec<_>>(), [None, Some(0), Some(1), Some(1)]);
        assert_eq!(tree.chains(), [vec![0, 1], vec![2], vec![3]]);
        assert_eq!(tree.junctions().collect::<Vec<_>>(), [2]);
        assert_eq!(tree.around[2], [(1, 1), (2, 0), (3, 0)]);
    }

    #[test]
    fn wrong_models_are_refused_by_name() {
        let two = |a, b| model(&[a, b], &[[0, 1]]).tree().unwrap_err().to_string();
        for (error, says) in [
            (two((0.0, 0.0, 1.0), (0.5, 0.0, 0.25)), "bone 0: sphere 1 lies inside sphere 0"),
            (two((0.0, 0.0, 1.0), (0.0, 0.0, 1.0)), "bone 0 from sphere 0 to sphere 1 has no length"),
            (two((0.0, 0.0, -1.0), (1.0, 0.0, 1.0)), "sphere 0 has radius -1"),
            (two((0.0, 0.0, 0.1), (1.0, 0.0, f64::NAN)), "sphere 1 has radius NaN"),
            (model(&Y, &[]).tree().unwrap_err().to_string(), "no bones"),
            (model(&Y, &[[0, 1], [1, 2], [2, 3], [3, 0]]).tree().unwrap_err().to_string(), "closes a cycle"),
            (model(&Y, &[[0, 1], [1, 0]]).tree().unwrap_err().to_string(), "closes a cycle"),
        ] {
            assert!(error.contains(says) && !error.contains('\n'), "{error}");
        }
    }
}
