use crate::{math::DualQuat, rig::Weights};

/// Which joints meet on some vertex. A motion and its negative are the same; if signs can be chosen so that all that
/// meet agree, no vertex needs to look at them.
pub(crate) struct Signs {
    /// Joint and an earlier one it meets, so that each component of the meeting graph is spanned.
    spanning: Vec<[u16; 2]>,
    /// Every heaviest joint with each of its companions.
    meetings: Vec<[u16; 2]>,
}

impl Signs {
    pub fn of(weights: &Weights, joints: usize) -> Self {
        let mut meetings = Vec::new();
        for v in 0..weights.len() {
            let row = weights.row(v).0;
            meetings.extend(row[1..].iter().map(|&j| [row[0], j]));
            // A hostile table must not make this larger than the table itself.
            if meetings.len() > 1 << 20 {
                meetings.sort_unstable();
                meetings.dedup();
            }
        }
        meetings.sort_unstable();
        meetings.dedup();
        let mut next_to = vec![Vec::new(); joints];
        for &[a, b] in &meetings {
            next_to[usize::from(a)].push(b);
            next_to[usize::from(b)].push(a);
        }
        let mut reached = vec![false; joints];
        let (mut spanning, mut queue) = (Vec::new(), Vec::new());
        for seed in 0..joints {
            if std::mem::replace(&mut reached[seed], true) {
                continue;
            }
            queue.push(seed as u16);
            while let Some(joint) = queue.pop() {
                for &other in &next_to[usize::from(joint)] {
                    if !std::mem::replace(&mut reached[usize::from(other)], true) {
                        spanning.push([joint, other]);
                        queue.push(other);
                    }
                }
            }
        }
        Self { spanning, meetings }
    }

    /// Turns the motions to agree where they meet; false where that cannot be done for all.
    pub fn align(&self, motions: &mut [DualQuat]) -> bool {
        let dot =
            |motions: &[DualQuat], [a, b]: [u16; 2]| motions[usize::from(a)].real.dot(motions[usize::from(b)].real);
        for &[a, b] in &self.spanning {
            if dot(motions, [a, b]) < 0.0 {
                let motion = &mut motions[usize::from(b)];
                *motion = DualQuat { real: -motion.real, dual: -motion.dual };
            }
        }
        self.meetings.iter().all(|&pair| dot(motions, pair) >= 0.0)
    }
}
