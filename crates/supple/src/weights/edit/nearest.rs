use super::row::{self, Row};
use crate::{
    measure::{Facing, neighbours::Neighbours},
    rig::{Mesh, RestSurface, Weights},
};
use glam::{DVec3, Vec3};

/// The nearest place with weights: on the triangles, or among the points where there are none.
pub(super) struct Nearest<'a> {
    mesh: &'a Mesh,
    /// One per vertex, the same for all copies along a seam; zero where unknown.
    pub normals: Vec<DVec3>,
    search: Search<'a>,
}

enum Search<'a> {
    Surface(RestSurface<'a>),
    Points(Neighbours, Vec<u32>),
    Nothing,
}

/// What was found.
pub(super) struct Found {
    /// Vertices and their shares.
    pub corners: [(u32, f64); 3],
    pub place: DVec3,
    pub distance: f64,
}

impl<'a> Nearest<'a> {
    pub fn of(mesh: &'a Mesh) -> Self {
        Self::with(mesh, normals(mesh))
    }

    /// Of a mesh that is known to face outwards.
    pub fn outward(mesh: &'a Mesh) -> Self {
        Self::with(mesh, smooth_normals(mesh, &mesh.triangles))
    }

    fn with(mesh: &'a Mesh, normals: Vec<DVec3>) -> Self {
        let surface = mesh.surface();
        if surface.tree().nearest(Vec3::ZERO).is_some() {
            return Self { mesh, normals, search: Search::Surface(surface) };
        }
        let finite = |(i, p): (u32, &Vec3)| p.is_finite().then(|| (i, p.as_dvec3()));
        let (numbers, points): (Vec<u32>, Vec<DVec3>) = (0..).zip(&mesh.positions).filter_map(finite).unzip();
        let search = if points.is_empty() { Search::Nothing } else { Search::Points(Neighbours::of(&points), numbers) };
        Self { mesh, normals, search }
    }

    /// Diagonal of the box; never zero.
    pub fn diagonal(&self) -> f64 {
        let diagonal = f64::from(self.mesh.bounds().diagonal());
        if diagonal > 0.0 { diagonal } else { 1.0 }
    }

    pub fn is_empty(&self) -> bool {
        matches!(self.search, Search::Nothing)
    }

    pub fn at(&self, place: DVec3) -> Option<Found> {
        if !place.as_vec3().is_finite() {
            return None;
        }
        match &self.search {
            Search::Surface(surface) => {
                let near = surface.tree().nearest(place.as_vec3())?;
                let [a, b, c] = self.mesh.triangles[near.triangle as usize];
                let [x, y, z] = near.shares.as_dvec3().to_array();
                let foot = near.point.as_dvec3();
                Some(Found { corners: [(a, x), (b, y), (c, z)], place: foot, distance: foot.distance(place) })
            }
            Search::Points(tree, numbers) => {
                let mut found = Vec::with_capacity(1);
                tree.nearest(place, u32::MAX, 1, &mut found);
                let &(squared, at) = found.first()?;
                let vertex = numbers[at as usize];
                let foot = self.mesh.positions[vertex as usize].as_dvec3();
                let corners = [(vertex, 1.0), (0, 0.0), (0, 0.0)];
                Some(Found { corners, place: foot, distance: squared.sqrt() })
            }
            Search::Nothing => None,
        }
    }

    /// The cosine between a normal and the one at a place; none where either is unknown.
    pub fn facing(&self, found: &Found, normal: DVec3) -> Option<f64> {
        let there: DVec3 = found.corners.iter().map(|&(v, share)| self.normals[v as usize] * share).sum();
        Some(there.try_normalize()?.dot(normal.try_normalize()?))
    }
}

impl Found {
    /// The weights there.
    pub fn row(&self, weights: &Weights) -> Row {
        let mut sum = Row::new();
        for (vertex, share) in self.corners.into_iter().filter(|c| c.1 > 0.0) {
            row::add(&mut sum, share, &row::of(weights, vertex as usize));
        }
        row::settle(&mut sum, 0.0);
        sum
    }
}

/// Outward normals of the welded surface for every vertex; those of the file on a point set.
pub(super) fn normals(mesh: &Mesh) -> Vec<DVec3> {
    smooth_normals(mesh, &Facing::of(mesh).outward(mesh))
}

fn smooth_normals(mesh: &Mesh, triangles: &[[u32; 3]]) -> Vec<DVec3> {
    if triangles.is_empty() {
        let own = mesh.normals.as_ref().filter(|n| n.len() == mesh.positions.len());
        return own.map_or(vec![DVec3::ZERO; mesh.positions.len()], |n| n.iter().map(|n| n.as_dvec3()).collect());
    }
    let surface = mesh.surface();
    let weld = surface.weld();
    let mut sums = vec![DVec3::ZERO; weld.first_of.len()];
    for t in triangles {
        let [a, b, c] = t.map(|v| mesh.positions[v as usize].as_dvec3());
        let normal = (b - a).cross(c - a);
        if normal.is_finite() {
            t.iter().for_each(|&v| sums[weld.welded_of[v as usize] as usize] += normal);
        }
    }
    weld.welded_of.iter().map(|&p| sums[p as usize].normalize_or_zero()).collect()
}
