//! The samples of a limb as its settings have them: those it comes with, less what was removed, where they were moved to,
//! and what was added. Numbers are those without edits, as everywhere.

use glam::DVec3;
use supple::{deform::implicit::JointSettings, field::Point};

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
}

impl Sampled {
    /// All that are there with these settings.
    pub fn all(plain: &[Point], settings: &JointSettings) -> Vec<Self> {
        let own =
            plain.iter().enumerate().filter(|(number, _)| !settings.remove.contains(number)).map(|(number, p)| {
                let at = settings.moved.get(&number).map_or(p.at, |to| DVec3::from(*to));
                Self { mark: Mark::Own(number), point: Point { at, normal: p.normal } }
            });
        let added = settings.add.iter().enumerate().map(|(i, a)| {
            let normal = DVec3::new(a[3], a[4], a[5]).normalize_or_zero();
            Self { mark: Mark::Added(i), point: Point { at: DVec3::new(a[0], a[1], a[2]), normal } }
        });
        own.chain(added).collect()
    }
}

impl Mark {
    /// Settings in which this sample is not there any more.
    pub fn removed(self, mut settings: JointSettings) -> JointSettings {
        match self {
            Self::Own(number) => {
                settings.moved.remove(&number);
                if !settings.remove.contains(&number) {
                    settings.remove.push(number);
                    settings.remove.sort_unstable();
                }
            }
            Self::Added(i) if i < settings.add.len() => drop(settings.add.remove(i)),
            Self::Added(_) => {}
        }
        settings
    }

    /// Settings in which it lies elsewhere. One that was added is turned outwards there too.
    pub fn moved(self, mut settings: JointSettings, to: Point) -> JointSettings {
        match self {
            Self::Own(number) => drop(settings.moved.insert(number, to.at.to_array())),
            Self::Added(i) => {
                if let Some(added) = settings.add.get_mut(i) {
                    *added = six(to);
                }
            }
        }
        settings
    }

    /// Settings with one more, and which it is.
    pub fn added(mut settings: JointSettings, at: Point) -> (JointSettings, Self) {
        settings.add.push(six(at));
        let last = settings.add.len() - 1;
        (settings, Self::Added(last))
    }
}

fn six(point: Point) -> [f64; 6] {
    let ([x, y, z], [a, b, c]) = (point.at.to_array(), point.normal.to_array());
    [x, y, z, a, b, c]
}
