//! Skin goes back to where it meets other skin, round by round. What lies against other skin is hidden, and is drawn smooth there: in
//! the bottom of a crease joints lay it in folds, which contact alone cannot open.

use super::{BoundFlesh, Column, patches::Patches};
use crate::{
    deform::contact::{Contact, Moved},
    math::smoothstep,
    parallel::{Chooser, for_each_block},
    rig::Topology,
};
use glam::Vec3A;

/// Points or patches a thread takes at a time.
const BLOCK: usize = 64;
/// Rounds of going back and drawing smooth: skin that has gone back finds the other side moved in the next.
const ROUNDS: usize = 3;
/// How often ways back are made even with those beside them: the facets of the other side would show as notches.
const EVENED: usize = 2;
/// Radii by which skin has moved where it is looked at again.
const MOVED: f32 = 0.02;
/// Radii of other flesh above skin at which it begins to be hidden, and at which it wholly is.
const HIDDEN: [f32; 2] = [0.0, 0.4];
/// Shares of skin round a point that are hidden, at which it begins to be drawn smooth, and at which it wholly is: not at the lips of a
/// crease, which are seen.
const SMOOTHED: [f32; 2] = [0.1, 0.4];

/// Memory of a frame.
pub(super) struct Meeting {
    /// How far each point has been hidden in this frame.
    pub hidden: Vec<f32>,
    moved: Moved,
    /// How far each point goes back in this round, over the way to its foot.
    back: Vec<f32>,
    /// How far it is hidden in this round.
    hidden_now: Vec<f32>,
    /// Points that are looked at in this round, and what was found of each.
    looked_at: Vec<u32>,
    found: Vec<f32>,
    places: Vec<Vec3A>,
    /// Where points were when they last had met.
    met: Vec<Vec3A>,
    chooser: Chooser,
    /// Whether a patch has points that go back.
    is_touched: Vec<bool>,
    /// The mean place of each patch's points, and how far they are hidden.
    middles: Vec<[f32; 4]>,
}

impl Meeting {
    pub fn of(contact: &Contact, points: usize, patches: usize) -> Self {
        Self {
            hidden: vec![0.0; points],
            moved: contact.memory(),
            back: vec![0.0; points],
            hidden_now: vec![0.0; points],
            looked_at: Vec::with_capacity(points),
            found: vec![0.0; points],
            places: vec![Vec3A::ZERO; points],
            met: vec![Vec3A::ZERO; points],
            chooser: Chooser::from(points),
            is_touched: vec![false; patches],
            middles: vec![[0.0; 4]; patches],
        }
    }

    /// Takes the skin of columns that have come into other flesh back.
    pub fn meet(&mut self, contact: &Contact, bound: &BoundFlesh, columns: &mut [Column]) {
        self.hidden.fill(0.0);
        self.looked_at.clear();
        self.looked_at.extend(0..columns.len() as u32);
        self.go(contact, bound, columns);
        self.met.iter_mut().zip(&*columns).for_each(|(met, column)| *met = column.at);
    }

    /// The same where skin has moved since, round what has moved or touched.
    pub fn meet_again(&mut self, contact: &Contact, bound: &BoundFlesh, columns: &mut [Column]) {
        let (hidden, met) = (&self.hidden, &self.met);
        let has_moved = |i: usize| columns[i].at.distance(met[i]) > MOVED * bound.points[i].radius;
        choose(&mut self.looked_at, &mut self.is_touched, &mut self.chooser, &bound.patches, |i| {
            hidden[i] > 0.0 || has_moved(i)
        });
        self.go(contact, bound, columns);
    }

    fn go(&mut self, contact: &Contact, bound: &BoundFlesh, columns: &mut [Column]) {
        for round in 0..=ROUNDS {
            self.look(contact, bound, columns);
            if self.found[..self.looked_at.len()].iter().all(|back| *back == 0.0) {
                return;
            }
            self.even_out(&bound.topology);
            for &i in &self.looked_at {
                let (i, column) = (i as usize, &mut columns[i as usize]);
                let by = self.back[i] * (column.foot - column.at);
                column.at += by;
                self.hidden_now[i] = smoothstep(HIDDEN, by.length() / bound.points[i].radius);
                self.hidden[i] = self.hidden[i].max(self.hidden_now[i]);
            }
            if round < ROUNDS {
                let back = &self.back;
                choose(&mut self.looked_at, &mut self.is_touched, &mut self.chooser, &bound.patches, |i| back[i] > 0.0);
                self.smooth(&bound.patches, columns);
            }
        }
    }

    fn look(&mut self, contact: &Contact, bound: &BoundFlesh, columns: &[Column]) {
        let at = |i: u32| columns[i as usize].at;
        contact.measure(&mut self.moved, at);
        let (moved, looked_at) = (&self.moved, &self.looked_at);
        for_each_block(&mut self.found[..looked_at.len()], BLOCK, |first, block| {
            for (&i, back) in looked_at[first..].iter().zip(block) {
                let normal = || {
                    let facets = bound.facets_of.at(i).iter().map(|&t| bound.topology.triangles[t as usize].map(at));
                    facets.map(|[a, b, c]| (b - a).cross(c - a)).sum()
                };
                *back = contact.back(moved, i, [at(i), columns[i as usize].foot], normal);
            }
        });
    }

    /// Makes ways back even along the skin that goes back.
    fn even_out(&mut self, topology: &Topology) {
        let (looked_at, back) = (&self.looked_at, &mut self.back);
        back.fill(0.0);
        for pass in 0..=EVENED {
            looked_at.iter().zip(&self.found).for_each(|(&i, found)| back[i as usize] = *found);
            if pass == EVENED {
                return;
            }
            let back = &*back;
            for_each_block(&mut self.found[..looked_at.len()], BLOCK, |first, block| {
                for (&i, found) in looked_at[first..].iter().zip(block).filter(|(_, found)| **found > 0.0) {
                    let beside = topology.ring(i).iter().map(|&n| back[n as usize]).filter(|b| *b > 0.0);
                    let (sum, count) = beside.fold((0.0, 0.0), |(sum, count), b| (sum + b, count + 1.0f32));
                    *found = 0.5 * (*found + if count > 0.0 { sum / count } else { *found });
                }
            });
        }
    }

    fn smooth(&mut self, patches: &Patches, columns: &mut [Column]) {
        let (before, back, hidden) = (&*columns, &self.back, &self.hidden_now);
        let is_touched = &self.is_touched;
        for_each_block(&mut self.middles, BLOCK, |first, block| {
            for (patch, middle) in (first..).zip(block).filter(|(patch, _)| is_touched[*patch]) {
                *middle = patches.of_patch.blend(patch, |i| {
                    let [x, y, z] = before[i as usize].at.to_array();
                    // What was not looked at in this round has not been hidden in it.
                    [x, y, z, if back[i as usize] > 0.0 { hidden[i as usize] } else { 0.0 }]
                });
            }
        });
        let (looked_at, middles) = (&self.looked_at, &self.middles);
        for_each_block(&mut self.places[..looked_at.len()], BLOCK, |first, block| {
            for (&i, to) in looked_at[first..].iter().zip(block) {
                let at = before[i as usize].at;
                // A patch that is not touched leaves a point where it is.
                let [x, y, z, hidden] = patches.of_point.blend(i as usize, |p| {
                    if is_touched[p as usize] { middles[p as usize] } else { [at.x, at.y, at.z, 0.0] }
                });
                *to = at.lerp(Vec3A::new(x, y, z), smoothstep(SMOOTHED, hidden));
            }
        });
        looked_at.iter().zip(&self.places).for_each(|(&i, to)| columns[i as usize].at = *to);
    }
}

/// Looks next at the points of patches that have some of which this is true.
fn choose(
    looked_at: &mut Vec<u32>,
    is_touched: &mut [bool],
    chooser: &mut Chooser,
    patches: &Patches,
    is: impl Fn(usize) -> bool + Sync + Send,
) {
    for_each_block(is_touched, BLOCK, |first, block| {
        for (patch, is_touched) in (first..).zip(block) {
            *is_touched = patches.of_patch.row(patch).iter().any(|(i, _)| is(*i as usize));
        }
    });
    let chosen = |i: usize| patches.of_point.row(i).iter().any(|(p, _)| is_touched[*p as usize]);
    chooser.fill(looked_at, patches.of_point.len(), |i| chosen(i).then_some(i as u32));
}
