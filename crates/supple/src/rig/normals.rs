//! Normals of moved points, anew every frame. Each output is gathered from the faces round one point, listed once in
//! flat arrays, so that nothing is allocated per frame, threads do not meet, and a kernel can do the same.
//!
//! n_f = (b - a) × (c - a), the face's normal, as long as twice its area
//!
//! smooth vertex: n = Σ n_f over all faces f round the point
//!
//! creased corner of face f: n = Σ n_g over the faces g round the point with n_f · n_g >= cos(angle) |n_f| |n_g|

use super::Mesh;
use crate::parallel::for_each_block;
use glam::{Vec3, Vec4};

/// Faces that meet at more than this many degrees are shaded apart. A fold that closes on itself turns by more than
/// this over one edge; skin that only bends does so over several.
pub const CREASE_DEGREES: f32 = 60.0;

/// How many faces or points a thread takes at a time.
const BLOCK: usize = 4096;

/// Computes normals of one mesh, whatever its points do.
#[derive(Clone, Debug)]
pub struct Normals {
    triangles: Vec<[u32; 3]>,
    /// Welded point of each vertex: copies along texture seams share their faces.
    welded_of: Vec<u32>,
    /// The faces round welded point p are `faces[starts[p]..starts[p + 1]]`, ascending.
    starts: Vec<u32>,
    faces: Vec<u32>,
    /// One over the size of the mesh at rest: products of tiny edges must not vanish in single precision.
    scale: f32,
    face_normals: Vec<Vec3>,
    vertex_normals: Vec<Vec3>,
    point_normals: Vec<Vec4>,
    corner_normals: Vec<[Vec3; 3]>,
}

/// What [`Normals`] gathers along, for a twin on another device.
#[derive(Clone, Copy, Debug)]
pub struct NormalTables<'a> {
    /// Three vertices each.
    pub triangles: &'a [[u32; 3]],
    /// Welded point of each vertex.
    pub welded_of: &'a [u32],
    /// The faces round point p are `faces[starts[p]..starts[p + 1]]`.
    pub starts: &'a [u32],
    /// Faces round each point, ascending.
    pub faces: &'a [u32],
    /// Edges are multiplied by this before they are crossed.
    pub scale: f32,
}

impl Normals {
    /// Lists the faces round every point.
    pub fn of(mesh: &Mesh) -> Self {
        let surface = mesh.surface();
        let weld = surface.weld();
        let mut starts = vec![0u32; weld.first_of.len() + 1];
        let welded = |i: u32| weld.welded_of[i as usize] as usize;
        for &i in mesh.triangles.as_flattened() {
            starts[welded(i) + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = starts.clone();
        let mut faces = vec![0u32; mesh.triangles.len() * 3];
        for (face, t) in mesh.triangles.iter().enumerate() {
            for &i in t {
                let slot = &mut next[welded(i)];
                faces[*slot as usize] = face as u32;
                *slot += 1;
            }
        }
        let diagonal = mesh.bounds().diagonal();
        Self {
            triangles: mesh.triangles.clone(),
            welded_of: weld.welded_of.clone(),
            starts,
            faces,
            // As large as a mesh of ordinary size and density, so that products neither vanish nor overflow.
            scale: if diagonal > 0.0 && diagonal.is_finite() { 1e3 / diagonal } else { 1.0 },
            face_normals: vec![Vec3::ZERO; mesh.triangles.len()],
            vertex_normals: Vec::new(),
            point_normals: Vec::new(),
            corner_normals: Vec::new(),
        }
    }

    /// Bytes that creased normals must move at the least: points and lists in, face normals out and in, normals out.
    pub fn bytes_per_frame(&self) -> usize {
        let triangles = self.triangles.len() * (12 + 2 * size_of::<Vec3>() + size_of::<[Vec3; 3]>());
        self.welded_of.len() * (size_of::<Vec3>() + 8) + self.faces.len() * 4 + triangles
    }

    /// The lists a kernel gathers along.
    pub fn tables(&self) -> NormalTables<'_> {
        let Self { triangles, welded_of, starts, faces, scale, .. } = self;
        NormalTables { triangles, welded_of, starts, faces, scale: *scale }
    }

    /// Smooth normals, one per vertex, of unit length; zero where there is no surface.
    ///
    /// # Panics
    /// When there are not as many points as the mesh has vertices.
    pub fn smooth(&mut self, points: &[Vec3]) -> &[Vec3] {
        self.update_faces(points);
        self.vertex_normals.resize(points.len(), Vec3::ZERO);
        let (welded_of, starts, faces, face_normals) = (&self.welded_of, &self.starts, &self.faces, &self.face_normals);
        for_each_block(&mut self.vertex_normals, BLOCK, |first, out| {
            for (n, &point) in out.iter_mut().zip(&welded_of[first..]) {
                let round = starts[point as usize] as usize..starts[point as usize + 1] as usize;
                let sum = faces[round].iter().fold(Vec3::ZERO, |sum, &f| sum + face_normals[f as usize]);
                *n = sum.normalize_or_zero();
            }
        });
        &self.vertex_normals
    }

    /// Normals of each triangle's three corners, of unit length: faces at more than `degrees` to the corner's own are
    /// left out of its average. A face without area takes the average of all.
    ///
    /// # Panics
    /// When there are not as many points as the mesh has vertices.
    pub fn creased(&mut self, points: &[Vec3], degrees: f32) -> &[[Vec3; 3]] {
        self.update_faces(points);
        self.update_points(degrees);
        let least = degrees.to_radians().cos();
        self.corner_normals.resize(self.triangles.len(), [Vec3::ZERO; 3]);
        let this = (&self.triangles, &self.welded_of, &self.point_normals, &self.face_normals);
        let (triangles, welded_of, point_normals, face_normals) = this;
        let (starts, faces) = (&self.starts, &self.faces);
        for_each_block(&mut self.corner_normals, BLOCK, |first, out| {
            for (at, corners) in out.iter_mut().enumerate() {
                for (n, &vertex) in corners.iter_mut().zip(&triangles[first + at]) {
                    let point = welded_of[vertex as usize] as usize;
                    let all = point_normals[point];
                    *n = all.truncate();
                    let own = face_normals[first + at];
                    if all.w == 0.0 && own != Vec3::ZERO {
                        let own = own.normalize_or_zero();
                        let round = &faces[starts[point] as usize..starts[point + 1] as usize];
                        let others = round.iter().map(|&f| face_normals[f as usize]);
                        *n = others.filter(|&o| within(own, o, least)).sum::<Vec3>().normalize_or(own);
                    }
                }
            }
        });
        &self.corner_normals
    }

    /// Smooth normals of the welded points, and in w whether all faces round the point are within the angle of each
    /// other. Then all its corners share that normal, which spares nearly every corner the walk round its point. Faces
    /// within half the angle of their average are within the angle of each other.
    fn update_points(&mut self, degrees: f32) {
        let half = (degrees.clamp(0.0, 180.0) * 0.5).to_radians().cos();
        self.point_normals.resize(self.starts.len() - 1, Vec4::ZERO);
        let (starts, faces, face_normals) = (&self.starts, &self.faces, &self.face_normals);
        for_each_block(&mut self.point_normals, BLOCK, |first, out| {
            for (at, n) in out.iter_mut().enumerate() {
                let round = &faces[starts[first + at] as usize..starts[first + at + 1] as usize];
                let sum = round.iter().fold(Vec3::ZERO, |sum, &f| sum + face_normals[f as usize]);
                let mean = sum.normalize_or_zero();
                let smooth = round.iter().all(|&f| within(mean, face_normals[f as usize], half));
                *n = mean.extend(if smooth { 1.0 } else { 0.0 });
            }
        });
    }

    fn update_faces(&mut self, points: &[Vec3]) {
        assert_eq!(points.len(), self.welded_of.len(), "these normals are of another mesh");
        let (triangles, scale) = (&self.triangles, self.scale);
        for_each_block(&mut self.face_normals, BLOCK, |first, out| {
            for (n, t) in out.iter_mut().zip(&triangles[first..]) {
                let [a, b, c] = t.map(|i| points[i as usize]);
                *n = ((b - a) * scale).cross((c - a) * scale);
            }
        });
    }
}

/// Whether the angle between a unit vector and another has at least this cosine; squares spare a root for every pair.
fn within(unit: Vec3, other: Vec3, least: f32) -> bool {
    let along = unit.dot(other);
    along * along.abs() >= least * least.abs() * other.length_squared()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ridge along z whose two sides each fall by `slope` degrees.
    fn roof(slope: f32) -> Mesh {
        let (s, c) = slope.to_radians().sin_cos();
        let positions =
            vec![Vec3::new(0.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 1.0), Vec3::new(c, -s, 0.5), Vec3::new(-c, -s, 0.5)];
        Mesh { positions, triangles: vec![[0, 1, 2], [1, 0, 3]], ..Mesh::default() }
    }

    #[test]
    fn faces_beyond_the_angle_are_shaded_apart() {
        for (slope, apart) in [(20.0, false), (29.0, false), (31.0, true), (60.0, true)] {
            let mesh = roof(slope);
            let mut normals = Normals::of(&mesh);
            let corners = normals.creased(&mesh.positions, CREASE_DEGREES)[0];
            assert_eq!(!corners[0].abs_diff_eq(Vec3::Y, 1e-6), apart, "{slope}: {corners:?}");
            assert!(normals.smooth(&mesh.positions)[0].abs_diff_eq(Vec3::Y, 1e-6));
        }
    }

    #[test]
    fn smooth_normals_are_those_of_the_mesh() {
        let rig = crate::example::arm(&crate::example::ArmOptions { vertices: 700, ..Default::default() }).unwrap();
        let mut normals = Normals::of(&rig.mesh);
        let expected = rig.mesh.computed_normals();
        for scale in [1e-9_f32, 1.0, 1e9] {
            let mut mesh = rig.mesh.clone();
            mesh.positions.iter_mut().for_each(|p| *p *= scale);
            let mut normals = Normals::of(&mesh);
            for (n, e) in normals.smooth(&mesh.positions).iter().zip(&expected) {
                assert!(n.abs_diff_eq(*e, 1e-4), "at scale {scale}: {n}, expected {e}");
            }
        }
        // With no angle left out the corners are the smooth normals.
        let corners = normals.creased(&rig.mesh.positions, 180.0).to_vec();
        for (corner, t) in corners.iter().zip(&rig.mesh.triangles) {
            assert!((0..3).all(|i| corner[i].abs_diff_eq(expected[t[i] as usize], 1e-4)));
        }
    }

    #[test]
    fn the_short_way_gives_what_the_long_way_gives() {
        let mut rig = crate::example::arm(&crate::example::ArmOptions { vertices: 700, ..Default::default() }).unwrap();
        // Enough disorder that points with and without creases are many.
        for (i, p) in rig.mesh.positions.iter_mut().enumerate() {
            *p += Vec3::new((i % 7) as f32, (i % 5) as f32, (i % 3) as f32) * 0.012;
        }
        let (points, degrees) = (&rig.mesh.positions, 50.0_f32);
        let mut normals = Normals::of(&rig.mesh);
        let short = normals.creased(points, degrees).to_vec();
        let creased = normals.face_normals.clone();
        let mut kept = 0;
        for (face, corners) in short.iter().enumerate() {
            for (corner, &vertex) in corners.iter().zip(&rig.mesh.triangles[face]) {
                let own = creased[face].normalize();
                let round = rig.mesh.triangles.iter().zip(&creased).filter(|(t, _)| t.contains(&vertex));
                let (near, far): (Vec<_>, Vec<_>) =
                    round.partition(|(_, n)| own.dot(n.normalize()) >= degrees.to_radians().cos());
                kept += usize::from(far.is_empty());
                let expected = near.iter().map(|(_, n)| **n).sum::<Vec3>().normalize();
                assert!(corner.abs_diff_eq(expected, 1e-4), "face {face}: {corner}, expected {expected}");
            }
        }
        assert!(kept > 100 && kept + 100 < 3 * short.len(), "{kept} corners of {} are smooth", 3 * short.len());
    }

    #[test]
    fn a_face_without_area_takes_its_neighbours_normals() {
        let mut mesh = roof(0.0);
        mesh.triangles.push([0, 1, 1]);
        let mut normals = Normals::of(&mesh);
        assert_eq!(normals.creased(&mesh.positions, CREASE_DEGREES)[2], [Vec3::Y; 3]);
        let collapsed = vec![Vec3::ONE; 4];
        assert!(normals.creased(&collapsed, CREASE_DEGREES).as_flattened().iter().all(|n| *n == Vec3::ZERO));
    }
}
