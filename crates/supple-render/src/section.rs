//! Where a section cuts the skin: white lines, so that folds of the skin inside the skin can be told apart.

use crate::{Picture, Scene, Surface, View};
use glam::{Vec3, Vec4};

/// In pixels.
const WIDTH: f32 = 1.6;

pub(crate) fn draw(scene: &Scene, view: &View, picture: &mut Picture) {
    let Some(plane) = view.section else { return };
    // What lies before the plane is cut away, so nothing hides the lines from that side, and everything from the other.
    if height(plane, view.camera.eye) <= 0.0 {
        return;
    }
    for surface in &scene.surfaces {
        for ends in lines(surface, plane) {
            if let [Some(a), Some(b)] = ends.map(|p| view.camera.pixel(p, view.size)) {
                picture.line(a, b, WIDTH, Vec3::ONE);
            }
        }
    }
}

/// The segments in which a plane cuts a surface, in the order of its triangles.
pub fn lines(surface: &Surface, plane: Vec4) -> impl Iterator<Item = [Vec3; 2]> + '_ {
    surface.triangles.iter().filter_map(move |t| cut(t.map(|i| surface.positions[i as usize]), plane))
}

fn height(plane: Vec4, p: Vec3) -> f32 {
    plane.truncate().dot(p) + plane.w
}

/// The segment in which a plane cuts a triangle.
fn cut(corners: [Vec3; 3], plane: Vec4) -> Option<[Vec3; 2]> {
    let heights = corners.map(|p| height(plane, p));
    if heights.iter().any(|h| !h.is_finite()) {
        return None;
    }
    let crossing = |i: usize| {
        let (j, h, k) = ((i + 1) % 3, heights[i], heights[(i + 1) % 3]);
        ((h > 0.0) != (k > 0.0)).then(|| corners[i].lerp(corners[j], h / (h - k)))
    };
    let mut ends = (0..3).filter_map(crossing);
    Some([ends.next()?, ends.next()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_cuts_a_triangle_in_a_segment_that_lies_in_it() {
        let corners = [Vec3::ZERO, Vec3::new(2.0, 0.0, 1.0), Vec3::new(0.0, 2.0, 3.0)];
        let ends = cut(corners, Vec4::new(0.0, 0.0, 1.0, -0.5)).unwrap();
        assert!(ends.iter().all(|p| (p.z - 0.5).abs() < 1e-6));
        assert!(ends[0].distance(Vec3::new(1.0, 0.0, 0.5)) < 1e-6);
        assert_eq!(cut(corners, Vec4::new(0.0, 0.0, 1.0, -9.0)), None);
        assert_eq!(cut([Vec3::NAN; 3], Vec4::new(0.0, 0.0, 1.0, 0.0)), None);
    }
}
