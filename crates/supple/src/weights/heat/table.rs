use super::{HeatNote, body::Body, component::Components, diffuse::Share, note};
use crate::{
    rig::{Mesh, Skeleton, Topology, Weights, WeightsBuilder},
    solve::SolveError,
    weights::{limit::push_limited, nearest::shares},
};
use std::collections::HashMap;

/// Makes rows for all vertices out of what is known of the points.
pub(super) struct Table<'a> {
    pub topology: &'a Topology,
    pub body: &'a Body,
    pub components: &'a Components,
    pub influences: usize,
}

/// Where the weights of a point come from.
#[derive(Clone, Copy, PartialEq)]
enum Origin {
    Heat,
    Loose,
    Unsolved,
}

/// Vertices that fell back, and the first of them.
#[derive(Default)]
struct Fallen {
    vertices: usize,
    first: usize,
}

impl Fallen {
    fn add(&mut self, vertex: usize) {
        if self.vertices == 0 {
            self.first = vertex;
        }
        self.vertices += 1;
    }
}

impl Table<'_> {
    /// `mesh` is the mesh as it was given, `solved` holds what each component came to.
    pub fn weights(
        &self,
        solved: &[Result<Vec<Share>, SolveError>],
        mesh: &Mesh,
        skeleton: &Skeleton,
        notes: &mut Vec<HeatNote>,
    ) -> Weights {
        let origins = self.origins(solved, notes);
        let (starts, sorted) = self.by_point(solved);
        let stand_ins = stand_ins(mesh);
        let first_joint = self.body.bones[0].joint;
        let (mut loose, mut faint, mut nowhere) = (Fallen::default(), Fallen::default(), Fallen::default());
        let mut table = WeightsBuilder::with_capacity(mesh.positions.len(), self.influences);
        let mut row = Vec::new();
        for vertex in 0..mesh.positions.len() {
            let mut standing = vertex;
            if !mesh.positions[vertex].is_finite() {
                nowhere.add(vertex);
                let Some(&neighbour) = stand_ins.get(&vertex) else {
                    table.push([(first_joint as u16, 1.0)]);
                    continue;
                };
                standing = neighbour;
            }
            let point = self.topology.weld.welded_of[standing] as usize;
            if origins[point] == Origin::Heat {
                row.clear();
                let range = starts[point] as usize..starts[point + 1] as usize;
                row.extend(sorted[range].iter().map(|&(joint, w)| (joint, f64::from(w))));
                if push_limited(&mut row, self.influences, &mut table) {
                    continue;
                }
            }
            if standing == vertex {
                match origins[point] {
                    Origin::Heat => faint.add(vertex),
                    Origin::Loose => loose.add(vertex),
                    Origin::Unsolved => {}
                }
            }
            row = shares(&self.body.bones, self.body.mesh.positions[standing].as_dvec3());
            if !push_limited(&mut row, self.influences, &mut table) {
                table.push([(first_joint as u16, 1.0)]);
            }
        }
        match loose {
            Fallen { vertices: 0, .. } => {}
            Fallen { vertices, .. } if mesh.triangles.is_empty() => notes.push(HeatNote::PointSet { vertices }),
            Fallen { vertices, first } => notes.push(HeatNote::Loose { vertices, first }),
        }
        if let Fallen { vertices: vertices @ 1.., first } = nowhere {
            let joint = skeleton.joints()[first_joint].name.clone();
            notes.push(HeatNote::NotFinite { vertices, first, joint });
        }
        if let Fallen { vertices: vertices @ 1.., first } = faint {
            notes.push(HeatNote::Faint { vertices, first });
        }
        table.finish(|_| first_joint as u16).0
    }

    fn origins(&self, solved: &[Result<Vec<Share>, SolveError>], notes: &mut Vec<HeatNote>) -> Vec<Origin> {
        let mut origins = vec![Origin::Loose; self.topology.points()];
        let mut unsolved = Vec::new();
        for (i, outcome) in solved.iter().enumerate() {
            let origin = match outcome {
                Ok(_) => Origin::Heat,
                Err(why) => {
                    let (component, (vertices, first)) =
                        (self.components.labels[i] as usize, self.components.vertices(i));
                    unsolved.push(HeatNote::Unsolved { component, vertices, first, why: why.clone() });
                    Origin::Unsolved
                }
            };
            self.components.of(i).iter().for_each(|&p| origins[p as usize] = origin);
        }
        note::add(notes, unsolved, "components that could not be solved");
        origins
    }

    /// The shares of all components in rows, one for each point.
    fn by_point(&self, solved: &[Result<Vec<Share>, SolveError>]) -> (Vec<u32>, Vec<(u16, f32)>) {
        let all = || solved.iter().flatten().flatten();
        let mut starts = vec![0u32; self.topology.points() + 1];
        all().for_each(|s| starts[s.point as usize + 1] += 1);
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = starts.clone();
        let mut sorted = vec![(0, 0.0); starts.last().map_or(0, |&n| n as usize)];
        for s in all() {
            let place = &mut next[s.point as usize];
            sorted[*place as usize] = (s.joint, s.weight);
            *place += 1;
        }
        (starts, sorted)
    }
}

/// For vertices that are nowhere, one that shares a triangle with them and is somewhere.
fn stand_ins(mesh: &Mesh) -> HashMap<usize, usize> {
    let mut stand_ins = HashMap::new();
    if mesh.positions.iter().all(|p| p.is_finite()) {
        return stand_ins;
    }
    for triangle in &mesh.triangles {
        let corners = triangle.map(|i| i as usize);
        let Some(&sound) = corners.iter().find(|&&i| mesh.positions[i].is_finite()) else { continue };
        for corner in corners.into_iter().filter(|&i| !mesh.positions[i].is_finite()) {
            stand_ins.entry(corner).or_insert(sound);
        }
    }
    stand_ins
}
