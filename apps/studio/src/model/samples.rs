//! The samples of a limb as its settings have them: those it comes with, less what was removed, where they were moved to,
//! and what was added. Numbers are those without edits, and count for as long as the skin is parted as it is; what is
//! saved are places.

use glam::DVec3;
use supple::{
    deform::implicit::{Fate, JointSettings, MovedSample, SampleRef},
    field::Point,
};

/// Which sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// One that the limb comes with, by its number.
    Own(usize),
    /// One of those added.
    Added(usize),
}

/// A sample at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampled {
    /// Which.
    pub mark: Mark,
    /// Where, and which way is out.
    pub point: Point,
    /// It lies elsewhere than it came.
    pub is_moved: bool,
}

impl Sampled {
    /// All that are there with these settings.
    pub fn all(plain: &[Point], settings: &JointSettings) -> Vec<Self> {
        let (fates, _) = settings.fates(plain);
        let own = plain.iter().zip(fates).enumerate().filter_map(|(number, (p, fate))| {
            let (at, is_moved) = match fate {
                Fate::Removed(_) => return None,
                Fate::Stays => (p.at, false),
                Fate::Moved(i) => (DVec3::from(settings.moved[i].to), true),
            };
            Some(Self { mark: Mark::Own(number), point: Point { at, normal: p.normal }, is_moved })
        });
        let added = settings.add.iter().enumerate().map(|(i, a)| {
            let normal = DVec3::new(a[3], a[4], a[5]).normalize_or_zero();
            let point = Point { at: DVec3::new(a[0], a[1], a[2]), normal };
            Self { mark: Mark::Added(i), point, is_moved: false }
        });
        own.chain(added).collect()
    }
}

impl Mark {
    /// Settings in which this sample is not there any more. `plain` are those that the limb comes with.
    pub fn removed(self, settings: &JointSettings, plain: &[Point]) -> JointSettings {
        let mut settings = settings.clone().at_places(plain);
        match self {
            Self::Own(number) => {
                let Some(sample) = plain.get(number) else { return settings };
                if let Fate::Moved(i) = settings.fates(plain).0[number] {
                    settings.moved.remove(i);
                }
                settings.remove.push(SampleRef::At(sample.at.to_array()));
            }
            Self::Added(i) if i < settings.add.len() => drop(settings.add.remove(i)),
            Self::Added(_) => {}
        }
        settings
    }

    /// Settings in which it lies elsewhere. One that was added is turned outwards there too.
    pub fn moved(self, settings: &JointSettings, plain: &[Point], to: Point) -> JointSettings {
        let mut settings = settings.clone().at_places(plain);
        match self {
            Self::Own(number) => {
                let Some(sample) = plain.get(number) else { return settings };
                let moved = MovedSample { from: SampleRef::At(sample.at.to_array()), to: to.at.to_array() };
                match settings.fates(plain).0[number] {
                    Fate::Moved(i) => settings.moved[i] = moved,
                    Fate::Stays | Fate::Removed(_) => settings.moved.push(moved),
                }
            }
            Self::Added(i) => {
                if let Some(added) = settings.add.get_mut(i) {
                    *added = six(to);
                }
            }
        }
        settings
    }

    /// Settings with one more, and which it is.
    pub fn added(settings: &JointSettings, plain: &[Point], at: Point) -> (JointSettings, Self) {
        let mut settings = settings.clone().at_places(plain);
        settings.add.push(six(at));
        let last = settings.add.len() - 1;
        (settings, Self::Added(last))
    }
}

fn six(point: Point) -> [f64; 6] {
    let ([x, y, z], [a, b, c]) = (point.at.to_array(), point.normal.to_array());
    [x, y, z, a, b, c]
}
