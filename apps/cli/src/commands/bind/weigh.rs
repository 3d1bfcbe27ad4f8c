//! One arm for each way to make weights; what it had to decide comes back in lines.

use crate::{
    args::bind::{Bind, Distance, Flexible, Ramp, WeightMethod},
    console::Console,
    joints,
};
use anyhow::{Result, anyhow, bail};
use supple::{
    rig::{Rig, Role, Weights},
    weights::{
        self, HeatNote, HeatOptions, NearestOptions,
        edit::{self, LimitOptions},
        flexible,
    },
};

/// How many joints a vertex may have where nothing is said.
const INFLUENCES: usize = 4;

/// Refuses or tells what makes no sense before anything slow begins.
pub fn check(arguments: &Bind, console: &Console) -> Result<()> {
    if arguments.influences == Some(0) {
        bail!("--influences 0: a vertex needs at least 1");
    }
    if arguments.flexible.is_given() && arguments.weights != WeightMethod::Flexible {
        console
            .warn("supple: warning: --k, --joint-k, --distance and --ramp have no effect without --weights flexible");
    }
    let standing = &arguments.standing;
    if arguments.template.is_none() && (standing.up.is_some() || standing.facing.is_some() || standing.grid.is_some()) {
        console.warn("supple: warning: --up, --facing and --grid have no effect without --template");
    }
    Ok(())
}

/// Weights for all vertices. Of props that stay with their joint (`keeps_props`) nothing is told.
pub fn weigh(arguments: &Bind, rig: &Rig, keeps_props: bool) -> Result<(Weights, Vec<String>)> {
    let influences = arguments.influences.unwrap_or(INFLUENCES);
    Ok(match arguments.weights {
        WeightMethod::Heat => {
            let (weights, notes) = weights::heat(&rig.mesh, &rig.skeleton, &HeatOptions { influences })?;
            let is_prop = |vertex: usize| rig.parts.iter().any(|p| !p.skinned && p.vertices.contains(&(vertex as u32)));
            let of_prop = |note: &HeatNote| matches!(note, HeatNote::Hidden { first, .. } if is_prop(*first));
            let is_hidden = |note: &&HeatNote| matches!(note, HeatNote::Hidden { .. });
            let props_alone = keeps_props && notes.iter().filter(is_hidden).all(of_prop);
            let told = |note: &&HeatNote| match note {
                HeatNote::Hidden { .. } => !(keeps_props && of_prop(note)),
                // Of those that are left out at the end nothing is known but that they come after.
                HeatNote::More { what, .. } => !(props_alone && *what == HeatNote::HIDDEN),
                _ => true,
            };
            (weights, notes.iter().filter(told).map(ToString::to_string).collect())
        }
        WeightMethod::Flexible => {
            let options = options(&arguments.flexible, rig)?;
            let (weights, notes) = flexible::weights(rig, &options)?;
            let weights = match arguments.influences {
                Some(influences) => edit::limit(&weights, &LimitOptions { influences, continuous: true })?.0,
                None => weights,
            };
            let idle = options.per_joint_k.keys().filter(|j| is_first(rig, **j)).map(|j| {
                let name = &rig.skeleton.joints()[*j].name;
                format!("--joint-k {name} has no effect: an overlap is with the joint above, and there is none")
            });
            (weights, idle.chain(notes.iter().map(ToString::to_string)).collect())
        }
        WeightMethod::Nearest => {
            let (weights, nowhere) = weights::nearest(&rig.mesh, &rig.skeleton, &NearestOptions { influences })?;
            let note = || format!("{nowhere} vertices have positions that are not finite: they get the first bone");
            (weights, (nowhere > 0).then(note).into_iter().collect())
        }
    })
}

/// Whether no bone is above a joint.
fn is_first(rig: &Rig, joint: usize) -> bool {
    let joints = rig.skeleton.joints();
    let mut above = std::iter::successors(joints[joint].parent, |&j| joints[j].parent);
    above.all(|j| joints[j].role != Role::Bone)
}

fn options(given: &Flexible, rig: &Rig) -> Result<flexible::Options> {
    let mut options = flexible::Options::default();
    if let Some(k) = given.k {
        options.k = k;
    }
    for word in &given.joint_k {
        let (joint, k) = joint_k(word, rig)?;
        if let Some(first) = options.per_joint_k.insert(joint, k) {
            bail!("--joint-k {word}: this joint has been given {first} already");
        }
    }
    options.distance = match given.distance {
        Some(Distance::Euclidean) => flexible::Distance::Euclidean,
        Some(Distance::Harmonic) => flexible::Distance::Harmonic,
        Some(Distance::Geodesic) | None => flexible::Distance::Geodesic,
    };
    options.ramp = match given.ramp {
        Some(Ramp::Linear) => flexible::Ramp::Linear,
        Some(Ramp::Cubic) | None => flexible::Ramp::Cubic,
    };
    Ok(options)
}

/// `forearm=0.2`.
fn joint_k(word: &str, rig: &Rig) -> Result<(usize, f64)> {
    let bad = || anyhow!("--joint-k {word}: expected JOINT=K, as in forearm=0.2");
    let (name, k) = word.rsplit_once('=').ok_or_else(bad)?;
    let k = k.trim().parse().map_err(|_| bad())?;
    let joint = joints::named(&rig.skeleton, &format!("--joint-k {word}"), name)?;
    Ok((joint, k))
}
