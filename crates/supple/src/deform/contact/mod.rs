//! Contact of skin with skin. Every point of the skin stands on a foot inside its limb, with flesh between: its column. Where a point
//! has come into other flesh, its column comes out of that flesh again somewhere on its way. There the other side of the contact lies;
//! the point goes back along its own column until it is as deep below its own skin as the other side is below its own.
//!
//! s = s* c / (u + c)
//!
//! | symbol | meaning |
//! |---|---|
//! | s | how far the point goes back |
//! | s* | how far its column runs through other flesh |
//! | c | cosine between the column and the normal of the skin where it comes out |
//! | u | cosine between the column and the normal of its own skin |
//!
//! Both sides do the same and meet where they are equally deep, whatever their shapes. Nobody asks which limbs may touch. At rest no
//! column comes out of skin on its way: one that would, because limbs touch there, ends before. So rest is rest.
//!
//! A column that comes out of its own limb, because that is thin in this pose, has not run through other flesh. A point in other flesh
//! has some of it on both sides: straight away from its foot it comes out too. Hardly any of it there is a fold of its own skin, which
//! is no contact.

mod tree;

use crate::{math::smoothstep, parallel::for_each_block, rig::Topology};
use glam::Vec3A;
pub use tree::Moved;
use tree::Tree;

/// Points a thread looks at at a time.
const BLOCK: usize = 64;
/// How long a column is, over the way to its foot: flesh may be deeper than that in another limb.
const LONGEST: f32 = 2.0;
/// Share of a column that is left where it comes out of skin at rest.
const BEFORE_SKIN: f32 = 0.9;
/// Farthest that a point goes back, over the way to its foot.
const FARTHEST: f32 = 0.9;
/// Flesh above a point, over that below it, up to which it is a fold and from which on other flesh.
const FOLD: [f32; 2] = [0.15, 0.4];
/// How far above a point it is looked for, in columns: across any body.
const ABOVE: f32 = 1e3;
/// Edges round a point, over the way to its foot, up to which its skin can follow a contact and from which on it is too coarse to.
const COARSE: [f32; 2] = [0.6, 1.2];
/// Cosines between a column and the skin's normal up to which the column runs along the skin, and from which on it stands on it: in a
/// flat web the foot is beside a point, not below it.
const STEEP: [f32; 2] = [0.25, 0.5];

/// The same in a pose, where skin that is turned over, as in the bottom of a fold, has flesh above it: it comes out of that at once.
const UPRIGHT: [f32; 2] = [0.0, 0.3];

/// The least u: what leans more does not go back all the way for it.
const LEANING: f32 = 0.4;

/// A skin at rest, ready to be looked at in any pose.
#[derive(Clone, Debug)]
pub struct Contact {
    tree: Tree,
    columns: Vec<Column>,
}

/// The column of a point at rest.
#[derive(Clone, Copy, Debug, Default)]
struct Column {
    /// Its length, over the way to its foot.
    length: f32,
    /// How far it stands on its skin, and that skin is fine enough.
    sound: f32,
}

impl Contact {
    /// Of the points of a surface at rest, and their feet.
    pub fn of(topology: &Topology, points: &[[Vec3A; 2]]) -> Self {
        let at = |i: u32| points[i as usize][0];
        let tree = Tree::of(&topology.triangles, at);
        let mut moved = tree.memory();
        tree.measure(&mut moved, at);
        let mut normals = vec![Vec3A::ZERO; points.len()];
        for triangle in &topology.triangles {
            let [a, b, c] = triangle.map(at);
            triangle.iter().for_each(|&i| normals[i as usize] += (b - a).cross(c - a));
        }
        let mut columns = vec![Column::default(); points.len()];
        for_each_block(&mut columns, BLOCK, |first, block| {
            for (i, column) in (first as u32..).zip(block) {
                let [from, foot] = points[i as usize];
                let way = foot - from;
                let skin = tree.first(&moved, from, LONGEST * way, i);
                let ring = topology.ring(i);
                let edge = ring.iter().map(|&n| at(n).distance(from)).sum::<f32>() / ring.len().max(1) as f32;
                let steep = -way.normalize_or_zero().dot(normals[i as usize].normalize_or_zero());
                let sound = (1.0 - smoothstep(COARSE, edge / way.length())) * smoothstep(STEEP, steep);
                *column = Column {
                    length: skin.map_or(LONGEST, |skin| BEFORE_SKIN * LONGEST * skin.at),
                    sound: if sound.is_finite() { sound } else { 0.0 },
                };
            }
        });
        Self { tree, columns }
    }

    /// Memory for a frame.
    pub fn memory(&self) -> Moved {
        self.tree.memory()
    }

    /// Measures a skin that has moved.
    pub fn measure(&self, moved: &mut Moved, at: impl Fn(u32) -> Vec3A + Sync + Send) {
        self.tree.measure(moved, at);
    }

    /// How far a point goes back, over the way to its foot. The normal of its skin is asked for where it matters.
    #[inline]
    pub fn back(&self, moved: &Moved, point: u32, [from, foot]: [Vec3A; 2], normal: impl Fn() -> Vec3A) -> f32 {
        let Column { length, sound } = self.columns[point as usize];
        let way = foot - from;
        let first = |ray: Vec3A| self.tree.first(moved, from, ray, point);
        if sound == 0.0 {
            return 0.0;
        }
        let Some(below) = first(length * way).filter(|hit| hit.cosine > 0.0) else { return 0.0 };
        let upright = -way.normalize_or_zero().dot(normal().normalize_or_zero());
        let Some(above) = first(-ABOVE * way).filter(|hit| upright > 0.0 && hit.cosine > 0.0) else { return 0.0 };
        let deep = length * below.at;
        let is_other = smoothstep(FOLD, ABOVE * above.at / deep) * smoothstep(UPRIGHT, upright);
        sound * is_other * (deep * below.cosine / (upright.max(LEANING) + below.cosine)).min(FARTHEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A box of many triangles round the origin, and its points.
    fn box_of(middle: Vec3A, half: Vec3A, first: u32) -> (Vec<Vec3A>, Vec<[u32; 3]>) {
        const SIDE: u32 = 9;
        let (mut points, mut triangles) = (Vec::new(), Vec::new());
        for axis in 0..3 {
            for sign in [-1.0f32, 1.0] {
                let start = first + points.len() as u32;
                for k in 0..SIDE * SIDE {
                    let [u, v] = [k % SIDE, k / SIDE].map(|x| 2.0 * x as f32 / (SIDE - 1) as f32 - 1.0);
                    let mut place = [0.0; 3];
                    place[axis] = sign;
                    place[(axis + 1) % 3] = u * sign;
                    place[(axis + 2) % 3] = v;
                    points.push(middle + half * Vec3A::from(place));
                }
                for k in (0..SIDE * SIDE).filter(|k| k % SIDE < SIDE - 1 && k / SIDE < SIDE - 1) {
                    let [a, b, c, d] = [0, 1, SIDE + 1, SIDE].map(|step| start + k + step);
                    triangles.extend([[a, b, c], [a, c, d]]);
                }
            }
        }
        (points, triangles)
    }

    /// Two blocks a hand apart at rest, each standing on its own middle plane.
    fn blocks() -> (Topology, Vec<[Vec3A; 2]>, usize) {
        let half = Vec3A::new(1.0, 1.0, 1.0);
        let (mut points, mut triangles) = box_of(Vec3A::ZERO, half, 0);
        let count = points.len();
        let (more, others) = box_of(Vec3A::new(0.0, 0.0, 3.0), half, count as u32);
        points.extend(more);
        triangles.extend(others);
        let mesh = crate::rig::Mesh {
            positions: points.iter().map(|p| (*p).into()).collect(),
            triangles,
            ..crate::rig::Mesh::default()
        };
        let topology = Topology::of(&mesh);
        let at = |v: &u32| points[*v as usize];
        let middle = |p: Vec3A| Vec3A::new(0.3 * p.x, 0.3 * p.y, if p.z > 1.5 { 3.0 } else { 0.0 });
        let places: Vec<_> = topology.weld.first_of.iter().map(|v| [at(v), middle(at(v))]).collect();
        let of_first = topology.weld.first_of.iter().filter(|&&v| (v as usize) < count).count();
        (topology, places, of_first)
    }

    fn backs(contact: &Contact, topology: &Topology, places: &[[Vec3A; 2]]) -> Vec<f32> {
        let at = |i: u32| places[i as usize][0];
        let mut moved = contact.memory();
        contact.measure(&mut moved, at);
        let mut normals = vec![Vec3A::ZERO; places.len()];
        for triangle in &topology.triangles {
            let [a, b, c] = triangle.map(at);
            triangle.iter().for_each(|&i| normals[i as usize] += (b - a).cross(c - a));
        }
        places.iter().zip(0..).map(|(&place, i)| contact.back(&moved, i, place, || normals[i as usize])).collect()
    }

    #[test]
    fn two_blocks_pressed_into_each_other_meet_in_the_middle() {
        let (topology, mut places, of_first) = blocks();
        let contact = Contact::of(&topology, &places);
        assert!(backs(&contact, &topology, &places).iter().all(|back| *back == 0.0), "they do not touch at rest");
        let by = Vec3A::new(0.1, 0.07, -1.4);
        for place in &mut places[of_first..] {
            *place = place.map(|p| p + by);
        }
        // The upper side of one is at 1, the lower side of the other at 0.6.
        let back = backs(&contact, &topology, &places);
        let mut met = 0;
        for ([from, foot], back) in places.iter().zip(&back) {
            let to = *from + *back * (*foot - *from);
            let inside = from.x > -0.7 && from.x < 0.8 && from.y > -0.7 && from.y < 0.8;
            if inside && from.z > 0.59 && from.z < 1.01 {
                met += 1;
                assert!((to.z - 0.8).abs() < 0.02, "{from} goes to {to}");
            } else if *back > 0.0 {
                assert!(from.z > 0.55 && from.z < 1.05, "{from} touches nothing");
            }
        }
        assert!(met > 60, "{met} points have met");
    }

    #[test]
    fn a_block_squeezed_until_its_sides_nearly_touch_has_no_contact() {
        let (topology, mut places, of_first) = blocks();
        let contact = Contact::of(&topology, &places);
        for [at, _] in &mut places[..of_first] {
            // All feet stay where they were, and one side comes through the middle.
            at.z = at.z.min(-0.3);
        }
        let back = backs(&contact, &topology, &places);
        assert!(back.iter().all(|back| *back == 0.0), "flesh of its own is no other's");
    }
}
