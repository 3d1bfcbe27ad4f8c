use crate::rig::Rig;
use glam::{DVec3, Vec3};

/// Which vertices share a normal. Files split vertices along texture seams, where the surface stays smooth, and along
/// hard edges, where it does not: copies at one place share a normal when they shared one at rest.
pub(super) struct Shading<'a> {
    triangles: &'a [[u32; 3]],
    /// The first of the vertices that share a normal with each.
    leader: Vec<u32>,
}

impl<'a> Shading<'a> {
    pub(super) fn of(rig: &'a Rig) -> Self {
        let mesh = &rig.mesh;
        // -0.0 + 0.0 is 0.0: both zeros are one place.
        let bits = |v: Vec3| v.to_array().map(|x| (x + 0.0).to_bits());
        let normal = |i: usize| mesh.normals.as_ref().map_or([0; 3], |n| bits((n[i] * 512.0).round()));
        let key = |&i: &u32| (bits(mesh.positions[i as usize]), normal(i as usize), i);
        let mut order: Vec<u32> = (0..mesh.positions.len() as u32).collect();
        order.sort_unstable_by_key(key);
        let mut leader = vec![0; order.len()];
        let mut first = 0;
        for (at, i) in order.iter().enumerate() {
            let same = |before: &u32| (key(before).0, key(before).1) == (key(i).0, key(i).1);
            if !(at > 0 && same(&order[at - 1])) {
                first = *i;
            }
            leader[*i as usize] = first;
        }
        Self { triangles: &mesh.triangles, leader }
    }

    /// Area-weighted normals of moved points. Every one has unit length: where there is no surface it points up.
    pub(super) fn normals(&self, points: &[Vec3]) -> Vec<Vec3> {
        let mut sum = vec![DVec3::ZERO; points.len()];
        for t in self.triangles {
            let [a, b, c] = t.map(|i| points[i as usize].as_dvec3());
            let normal = (b - a).cross(c - a);
            for &i in t {
                sum[self.leader[i as usize] as usize] += normal;
            }
        }
        self.leader.iter().map(|&i| sum[i as usize].try_normalize().unwrap_or(DVec3::Y).as_vec3()).collect()
    }
}

/// Normals for a static surface: the file's own where the points are where they were, else computed; none for points
/// without triangles.
pub(super) fn normals(rig: &Rig, points: &[Vec3]) -> Option<Vec<Vec3>> {
    match &rig.mesh.normals {
        Some(normals) if points == rig.mesh.positions => Some(normals.iter().map(|&n| unit(n)).collect()),
        _ if rig.mesh.triangles.is_empty() => None,
        _ => Some(Shading::of(rig).normals(points)),
    }
}

/// Leaves what is near enough to unit length as it is, bit for bit.
fn unit(normal: Vec3) -> Vec3 {
    if (normal.length_squared() - 1.0).abs() < 1e-3 {
        return normal;
    }
    normal.as_dvec3().try_normalize().unwrap_or(DVec3::Y).as_vec3()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::Mesh;

    /// A roof of two triangles whose ridge vertices are split.
    fn roof(normals: Option<Vec<Vec3>>) -> Rig {
        let p = |x: f32, y: f32, z: f32| Vec3::new(x, y, z);
        let positions = vec![
            p(-1.0, 0.0, 0.0),
            p(0.0, 1.0, 1.0),
            p(0.0, 1.0, -1.0),
            p(0.0, 1.0, 1.0),
            p(1.0, 0.0, 0.0),
            p(0.0, 1.0, -1.0),
        ];
        Rig::of_mesh("roof", Mesh { positions, triangles: vec![[0, 1, 2], [3, 4, 5]], normals, ..Mesh::default() })
    }

    #[test]
    fn a_seam_stays_smooth_and_a_hard_edge_hard() {
        let seam = roof(None);
        let normals = Shading::of(&seam).normals(&seam.mesh.positions);
        assert!(normals[1].abs_diff_eq(Vec3::Y, 1e-6) && normals[3] == normals[1], "{normals:?}");
        let (left, right) = (Vec3::new(-1.0, 1.0, 0.0).normalize(), Vec3::new(1.0, 1.0, 0.0).normalize());
        let hard = roof(Some(vec![left, left, left, right, right, right]));
        let normals = Shading::of(&hard).normals(&hard.mesh.positions);
        assert!(normals[1].abs_diff_eq(left, 1e-6) && normals[3].abs_diff_eq(right, 1e-6), "{normals:?}");
    }

    #[test]
    fn every_normal_has_unit_length() {
        let mut rig = roof(None);
        rig.mesh.triangles.pop();
        for scale in [0.0, 1e-30, 1.0, 1e30] {
            let points: Vec<Vec3> = rig.mesh.positions.iter().map(|&p| p * scale).collect();
            assert!(Shading::of(&rig).normals(&points).iter().all(|n| (n.length() - 1.0).abs() < 1e-5));
        }
        rig.mesh.normals = Some(vec![Vec3::ZERO, Vec3::NAN, Vec3::X * 3.0, Vec3::X, Vec3::Y, Vec3::Z]);
        assert!(normals(&rig, &rig.mesh.positions).unwrap().iter().all(|n| (n.length() - 1.0).abs() < 1e-5));
    }
}
