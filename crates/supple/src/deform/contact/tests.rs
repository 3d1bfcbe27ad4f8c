use super::*;
use crate::rig::{Mesh, Topology};

/// Points along the side of a box.
const SIDE: u32 = 13;

/// A box of many triangles.
fn box_of(mesh: &mut Mesh, middle: Vec3A, half: Vec3A) {
    for (axis, sign) in (0..3).flat_map(|axis| [(axis, -1.0f32), (axis, 1.0)]) {
        let start = mesh.positions.len() as u32;
        for k in 0..SIDE * SIDE {
            let [u, v] = [k % SIDE, k / SIDE].map(|x| 2.0 * x as f32 / (SIDE - 1) as f32 - 1.0);
            let mut place = [0.0; 3];
            place[axis] = sign;
            place[(axis + 1) % 3] = u * sign;
            place[(axis + 2) % 3] = v;
            mesh.positions.push((middle + half * Vec3A::from(place)).into());
        }
        for k in (0..SIDE * SIDE).filter(|k| k % SIDE < SIDE - 1 && k / SIDE < SIDE - 1) {
            let [a, b, c, d] = [0, 1, SIDE + 1, SIDE].map(|step| start + k + step);
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
}

/// Two boxes, and the points of the first.
fn boxes(apart: Vec3A) -> (Topology, Vec<Vec3A>, usize) {
    let mut mesh = Mesh::default();
    box_of(&mut mesh, Vec3A::ZERO, Vec3A::ONE);
    let count = mesh.positions.len();
    box_of(&mut mesh, apart, Vec3A::new(0.6, 0.7, 1.0));
    let topology = Topology::of(&mesh);
    let firsts = &topology.weld.first_of;
    let places = firsts.iter().map(|&v| mesh.positions[v as usize].into()).collect();
    let of_first = firsts.iter().filter(|&&v| (v as usize) < count).count();
    (topology, places, of_first)
}

/// Where the points of a pose are when they have met, and which are hidden.
fn met(contact: &Contact, posed: &[Vec3A]) -> (Vec<Vec3A>, Vec<bool>) {
    let (mut meeting, mut points) = (contact.memory(), posed.to_vec());
    contact.meet(&mut meeting, &mut points);
    contact.lay(&mut meeting, &mut points);
    (points, (0..posed.len()).map(|i| meeting.is_hidden(i)).collect())
}

#[test]
fn boxes_pressed_into_each_other_share_a_membrane_and_what_is_seen_stays() {
    let (topology, rest, of_first) = boxes(Vec3A::new(0.07, 0.05, 3.0));
    let contact = Contact::of(&topology.triangles, &rest);
    let (same, hidden) = met(&contact, &rest);
    assert!(same == rest && !hidden.contains(&true), "they do not touch at rest");
    // The lower side of the second is at 0.6 then, and its sides go through the upper side of the first, which is at 1.
    let mut posed = rest.clone();
    posed[of_first..].iter_mut().for_each(|p| p.z -= 1.4);
    let (points, hidden) = met(&contact, &posed);
    let mut count = [0; 2];
    for (i, (at, from)) in points.iter().zip(&posed).enumerate() {
        // The line of contact is round the second box, on the upper side of the first: it spans a flat membrane.
        let is_inside = if i < of_first {
            from.z > 0.99 && (from.x - 0.07).abs() < 0.6 && (from.y - 0.05).abs() < 0.7
        } else {
            from.z < 1.0
        };
        assert_eq!(hidden[i], is_inside, "{from}");
        if is_inside {
            count[usize::from(i < of_first)] += 1;
            assert!((at.z - 1.0).abs() < 5e-3, "{from} goes to {at}");
            assert!((at.x - 0.07).abs() < 0.601 && (at.y - 0.05).abs() < 0.701, "{from} goes to {at}");
        } else {
            assert_eq!(at, from);
        }
    }
    assert!(count.iter().all(|count| *count > 50), "{count:?}");
}

#[test]
fn a_point_that_comes_to_the_line_of_contact_does_not_jump() {
    let (topology, rest, of_first) = boxes(Vec3A::new(0.07, 0.05, 3.0));
    let contact = Contact::of(&topology.triangles, &rest);
    let mut before: Option<Vec<Vec3A>> = None;
    for step in 0..40 {
        let mut posed = rest.clone();
        // The box stands on its corner, which comes in first.
        let turn = glam::Quat::from_rotation_x(0.7) * glam::Quat::from_rotation_y(0.5);
        for p in &mut posed[of_first..] {
            *p = turn * (*p - Vec3A::new(0.07, 0.05, 3.0)) + Vec3A::new(0.07, 0.05, 2.5 - 0.01 * step as f32);
        }
        let (points, _) = met(&contact, &posed);
        if let Some(before) = &before {
            let farthest = points.iter().zip(before).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
            assert!(farthest < 0.05, "step {step}: {farthest}");
        }
        before = Some(points);
    }
}

#[test]
fn shells_that_lie_in_each_other_at_rest_are_left_alone() {
    let (topology, rest, of_first) = boxes(Vec3A::new(0.07, 0.05, 1.6));
    let contact = Contact::of(&topology.triangles, &rest);
    let (same, _) = met(&contact, &rest);
    assert!(same == rest);
    // Farther out is no more contact than there was.
    let mut posed = rest.clone();
    posed[of_first..].iter_mut().for_each(|p| p.z += 0.2);
    assert!(met(&contact, &posed).0 == posed);
}

#[test]
fn a_sheet_through_a_box_hides_nothing() {
    let (topology, mut rest, of_first) = boxes(Vec3A::new(0.07, 0.05, 3.0));
    rest.truncate(of_first);
    let mut triangles: Vec<_> =
        topology.triangles.iter().copied().filter(|t| t.iter().all(|&i| (i as usize) < of_first)).collect();
    let [a, b, c] = [Vec3A::new(-9.0, -9.0, 5.0), Vec3A::new(9.0, -9.0, 5.0), Vec3A::new(0.0, 9.0, 5.0)];
    rest.extend([a, b, c]);
    let sheet = [0, 1, 2].map(|k| (of_first + k) as u32);
    let solid = Contact::of(&triangles, &rest);
    triangles.push(sheet);
    let mut posed = rest.clone();
    posed[of_first..].iter_mut().for_each(|p| p.z = 0.03);
    assert!(met(&solid, &posed).0 == posed);
    assert!(met(&Contact::of(&triangles, &rest), &posed).0 != posed, "what has flesh is for the caller to tell");
}
