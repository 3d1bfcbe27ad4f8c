//! Moments of the skin round every point, joint by joint, as delta mush has them, but gathered over lengths in radii.

use super::{patches::Patches, rows::Rows};
use crate::{
    deform::skinning::delta_mush::{
        Influence,
        moments::{Raw, TEN, about_center, ten},
    },
    parallel::for_each_block,
    rig::{Rig, Topology},
};
use glam::{DVec3, Vec3};

/// Points a thread takes at a time.
const BLOCK: usize = 1024;

/// What every point blends.
pub(super) struct Moments {
    starts: Vec<u32>,
    influences: Vec<Influence>,
    /// The smoothed rest point of each.
    centers: Vec<Vec3>,
}

/// Moments of each joint at one place.
type Place = Vec<(u16, [f64; TEN])>;

impl Moments {
    /// `rest` is about a middle of the skin, and over its size: moments are found about the origin.
    pub fn of(rig: &Rig, topology: &Topology, rest: &[DVec3], patches: &Patches, kernel: &Rows) -> Self {
        let weights = rig.weights.as_ref().expect("the rig has been asked for them");
        let own = |point: u32| {
            let ten = ten(rest[point as usize]);
            let (joints, values) = weights.row(topology.weld.first_of[point as usize] as usize);
            joints.iter().zip(values).map(move |(&j, &w)| (j, ten.map(|x| f64::from(w) * x)))
        };
        let blank = || Sum::over(rig.skeleton.len());
        let mut gathered: Vec<Place> = vec![Vec::new(); patches.len()];
        for_each_block(&mut gathered, 64, |first, block| {
            let mut sum = blank();
            for (patch, place) in (first..).zip(block) {
                patches.of_patch.row(patch).iter().for_each(|&(point, share)| sum.add(own(point), share));
                *place = sum.take();
            }
        });
        let mut spread: Vec<Place> = vec![Vec::new(); patches.len()];
        for_each_block(&mut spread, 64, |first, block| {
            let mut sum = blank();
            for (patch, place) in (first..).zip(block) {
                let row = kernel.row(patch).iter();
                row.for_each(|&(other, share)| sum.add(gathered[other as usize].iter().copied(), share));
                *place = sum.take();
            }
        });
        let mut found: Vec<(DVec3, Vec<Influence>)> = vec![Default::default(); rest.len()];
        for_each_block(&mut found, BLOCK, |first, block| {
            let (mut sum, mut raw) = (blank(), Vec::new());
            for (point, (center, influences)) in (first..).zip(block) {
                let row = patches.of_point.row(point).iter();
                row.for_each(|&(patch, share)| sum.add(spread[patch as usize].iter().copied(), share));
                raw.clear();
                let all = sum.take().into_iter();
                raw.extend(all.map(|(j, ten)| Raw { joint: j.into(), point: point as u32, weight: ten[9], ten }));
                *center = about_center(&mut raw, 0.0, rest[point], influences);
            }
        });
        let (mut starts, mut influences) = (vec![0], Vec::new());
        let mut centers = Vec::with_capacity(found.len());
        for (center, own) in found {
            influences.extend(own);
            starts.push(influences.len() as u32);
            centers.push(center.as_vec3());
        }
        Self { starts, influences, centers }
    }

    /// Moves the centres, about which moments are, from where they were found.
    pub fn shift(&mut self, by: Vec3) {
        self.centers.iter_mut().for_each(|center| *center += by);
    }

    /// The influences of a point, and its smoothed rest point.
    #[inline(always)]
    pub fn row(&self, point: usize) -> (&[Influence], Vec3) {
        (&self.influences[self.starts[point] as usize..self.starts[point + 1] as usize], self.centers[point])
    }

    /// Bytes that reading all of it moves.
    pub fn bytes(&self) -> usize {
        self.influences.len() * size_of::<Influence>() + self.centers.len() * size_of::<Vec3>()
    }
}

/// Sums moments joint by joint.
struct Sum {
    of_joint: Vec<[f64; TEN]>,
    some: Vec<u16>,
}

impl Sum {
    fn over(joints: usize) -> Self {
        Self { of_joint: vec![[0.0; TEN]; joints], some: Vec::new() }
    }

    fn add(&mut self, place: impl Iterator<Item = (u16, [f64; TEN])>, share: f32) {
        for (joint, ten) in place {
            let sum = &mut self.of_joint[usize::from(joint)];
            if sum[TEN - 1] == 0.0 {
                self.some.push(joint);
            }
            sum.iter_mut().zip(ten).for_each(|(sum, x)| *sum += f64::from(share) * x);
        }
    }

    fn take(&mut self) -> Place {
        self.some.sort_unstable();
        self.some.dedup();
        self.some.drain(..).map(|j| (j, std::mem::take(&mut self.of_joint[usize::from(j)]))).collect()
    }
}
