use glam::Vec3;

/// A shape added to the rest positions, by some weight, before skinning.
#[derive(Clone, Debug, PartialEq)]
pub struct Morph {
    /// For people.
    pub name: String,
    /// Weight where nothing animates it.
    pub default_weight: f32,
    /// Vertices that move, ascending.
    pub vertices: Vec<u32>,
    /// How far each of them moves at weight one.
    pub deltas: Vec<Vec3>,
}

impl Morph {
    /// Adds `weight` times the shape.
    pub fn add_to(&self, points: &mut [Vec3], weight: f32) {
        if weight != 0.0 {
            for (&v, &delta) in self.vertices.iter().zip(&self.deltas) {
                points[v as usize] += delta * weight;
            }
        }
    }
}
