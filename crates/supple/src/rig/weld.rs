use super::ByPoint;
use glam::Vec3;

/// Which vertices are one point of the surface. Files split vertices along texture seams and flat-shaded edges;
/// methods that need neighbours work on the welded surface and hand the result back to every copy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weld {
    /// Welded index of each vertex.
    pub welded_of: Vec<u32>,
    /// The first vertex of each welded point.
    pub first_of: Vec<u32>,
}

impl Weld {
    /// Vertices at exactly the same place are one, whatever their texture coordinates or normals.
    pub fn of(positions: &[Vec3]) -> Self {
        #[cfg(test)]
        super::rest_surface::built::count("weld", positions.len());
        // -0.0 and 0.0 are one place; NaN is a place like any other (readers refuse it, callers may not).
        let key = |i: u32| positions[i as usize].to_array().map(|x| (x + 0.0).to_bits());
        let count = positions.len() as u32;
        let mut alike = ByPoint::of(positions.len(), || (0..count).map(|i| (bucket(key(i), count), i)));
        // By number within one place.
        alike.sort_by_key(|&i| (key(i), i));
        let mut leader = vec![0u32; positions.len()];
        for (_, list) in alike.lists() {
            for same in list.chunk_by(|&a, &b| key(a) == key(b)) {
                same.iter().for_each(|&i| leader[i as usize] = same[0]);
            }
        }
        let mut welded_of = vec![0u32; positions.len()];
        let mut first_of = Vec::new();
        for i in 0..positions.len() {
            if leader[i] as usize == i {
                welded_of[i] = first_of.len() as u32;
                first_of.push(i as u32);
            } else {
                welded_of[i] = welded_of[leader[i] as usize];
            }
        }
        Self { welded_of, first_of }
    }

    /// True when no vertex was split.
    pub fn is_trivial(&self) -> bool {
        self.welded_of.len() == self.first_of.len()
    }

    /// Triangles over welded indices; those that weld to a line or a point are left out.
    pub fn triangles(&self, triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
        let welded = triangles.iter().map(|t| t.map(|i| self.welded_of[i as usize]));
        welded.filter(|[a, b, c]| a != b && b != c && c != a).collect()
    }

    /// One value per welded point, from one per vertex.
    pub fn gather<T: Copy>(&self, per_vertex: &[T]) -> Vec<T> {
        self.first_of.iter().map(|&i| per_vertex[i as usize]).collect()
    }

    /// One value per vertex, from one per welded point.
    pub fn scatter<T: Copy>(&self, per_point: &[T], per_vertex: &mut [T]) {
        for (out, &i) in per_vertex.iter_mut().zip(&self.welded_of) {
            *out = per_point[i as usize];
        }
    }
}

/// One of so many numbers for each place, as even as places allow: sorting those that share one is quick.
fn bucket(place: [u32; 3], count: u32) -> u32 {
    let [x, y, z] = place.map(u64::from);
    let mixed = (x ^ (y << 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) ^ z;
    let mixed = mixed.wrapping_mul(0xd6e8_feb8_6659_fd93);
    (((mixed >> 32) * u64::from(count)) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_weld_and_scatter_back() {
        let p = [Vec3::X, Vec3::Y, Vec3::X, Vec3::new(-0.0, 0.0, 0.0), Vec3::ZERO];
        let weld = Weld::of(&p);
        assert_eq!(weld.welded_of, [0, 1, 0, 2, 2]);
        assert_eq!(weld.first_of, [0, 1, 3]);
        let mut back = [Vec3::NAN; 5];
        weld.scatter(&weld.gather(&p), &mut back);
        assert_eq!(back, p);
        assert_eq!(weld.triangles(&[[0, 1, 2], [0, 1, 3]]), [[0, 1, 2]]);
    }
}
