use super::morph::default_weight;
use crate::{
    pose::{Channel, Interpolation, Track},
    rig::Rig,
};
use std::ops::Range;

/// The weights of the morphs of a mesh over time, as glTF animates them: every key holds every morph.
pub(super) struct Merged {
    pub interpolation: Interpolation,
    pub times: Vec<f32>,
    pub values: Vec<f32>,
}

/// Of the tracks of a clip those for some morphs, as one. Where their times or interpolations differ they are cut at the keys of
/// all of them, which is exact: a piece of a line is a line, a piece of a cubic is a cubic, and a step is two keys as close
/// as floats can be.
pub(super) fn merged<'a>(all: impl IntoIterator<Item = &'a Track>, rig: &Rig, morphs: Range<usize>) -> Option<Merged> {
    let mut tracks: Vec<Option<&Track>> = vec![None; morphs.len()];
    for track in all {
        if let Channel::Morph(morph) = track.channel
            && let Some(slot) = morph.checked_sub(morphs.start).and_then(|m| tracks.get_mut(m))
        {
            *slot = Some(track);
        }
    }
    let mut present = tracks.iter().flatten();
    let first = present.next()?;
    let alike = present.all(|t| t.interpolation == first.interpolation);
    let has = |interpolation| tracks.iter().flatten().any(|t| t.interpolation == interpolation);
    let mut times: Vec<f32> = tracks.iter().flatten().flat_map(|t| t.times.iter().copied()).collect();
    let mut interpolation = if alike {
        first.interpolation
    } else {
        // Steps among lines: a key just before each.
        for track in tracks.iter().flatten().filter(|t| t.interpolation == Interpolation::Step) {
            times.extend(track.times.iter().skip(1).map(|t| t.next_down()));
        }
        if has(Interpolation::CubicSpline) { Interpolation::CubicSpline } else { Interpolation::Linear }
    };
    times.sort_by(f32::total_cmp);
    times.dedup();
    if times.len() == 1 && interpolation == Interpolation::CubicSpline {
        interpolation = Interpolation::Step;
    }
    let cubic = interpolation == Interpolation::CubicSpline;
    let mut values = Vec::with_capacity(times.len() * tracks.len() * if cubic { 3 } else { 1 });
    for &time in &times {
        let value = |(i, track): (usize, &Option<&Track>)| match track {
            Some(track) => track.value(f64::from(time))[0] as f32,
            None => default_weight(&rig.morphs[morphs.start + i]),
        };
        let slope = |track: &Option<&Track>, after| track.map_or(0.0, |t| slope(t, time, after));
        if cubic {
            values.extend(tracks.iter().map(|t| slope(t, false)));
        }
        values.extend(tracks.iter().enumerate().map(value));
        if cubic {
            values.extend(tracks.iter().map(|t| slope(t, true)));
        }
    }
    Some(Merged { interpolation, times, values })
}

/// How fast a track changes just after or just before a time.
fn slope(track: &Track, time: f32, after: bool) -> f32 {
    let times = &track.times;
    let key = times.partition_point(|&t| if after { t <= time } else { t < time });
    if key == 0 || key == times.len() {
        // It holds still there; but a file's own tangents at its ends are kept, though nothing uses them.
        let own = times.iter().position(|&t| t == time).filter(|_| track.interpolation == Interpolation::CubicSpline);
        return own.map_or(0.0, |key| track.values[key * 3 + if after { 2 } else { 0 }]);
    }
    let (t0, t1) = (f64::from(times[key - 1]), f64::from(times[key]));
    let (dt, u) = (t1 - t0, (f64::from(time) - t0) / (t1 - t0));
    let at = |i: usize| f64::from(track.values[i]);
    let slope = match track.interpolation {
        Interpolation::Step => 0.0,
        Interpolation::Linear => (at(key) - at(key - 1)) / dt,
        Interpolation::CubicSpline => {
            let (a, out_a, in_b, b) = (at(key * 3 - 2), at(key * 3 - 1), at(key * 3), at(key * 3 + 1));
            let u2 = u * u;
            6.0 * (u2 - u) / dt * (a - b) + (3.0 * u2 - 4.0 * u + 1.0) * out_a + (3.0 * u2 - 2.0 * u) * in_b
        }
    };
    slope as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{pose::Clip, rig::Morph};
    use std::sync::Arc;

    fn track(morph: usize, interpolation: Interpolation, times: &[f32], values: &[f32]) -> Track {
        Track { channel: Channel::Morph(morph), interpolation, times: Arc::from(times), values: Arc::from(values) }
    }

    fn rig(morphs: usize) -> Rig {
        let morph = Morph { name: "m".into(), default_weight: 0.25, vertices: vec![], deltas: vec![] };
        Rig { morphs: vec![morph; morphs], ..Rig::default() }
    }

    /// The merged keys, taken apart again.
    fn apart(merged: &Merged, morphs: usize) -> Vec<Track> {
        let per_key = if merged.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        assert_eq!(merged.values.len(), merged.times.len() * morphs * per_key);
        let values = |m: usize| merged.values.iter().skip(m).step_by(morphs).copied().collect::<Vec<_>>();
        (0..morphs).map(|m| track(m, merged.interpolation, &merged.times, &values(m))).collect()
    }

    #[test]
    fn tracks_of_every_kind_merge_exactly() {
        let (step, linear, cubic) = (Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline);
        let a = track(0, step, &[0.0, 0.5, 1.5], &[0.0, 1.0, 0.5]);
        let b = track(1, linear, &[0.25, 1.0, 2.0], &[0.0, 1.0, -1.0]);
        let c = track(2, cubic, &[0.1, 0.9, 1.9], &[0.0, 0.2, 1.0, -1.0, 0.8, 2.0, 0.5, 0.1, 0.0]);
        for tracks in [vec![a.clone(), b.clone(), c.clone()], vec![a.clone(), b.clone()], vec![b, c], vec![a]] {
            let clip = Clip::new("c", tracks.clone()).unwrap();
            let merged = merged(clip.tracks(), &rig(4), 0..4).unwrap();
            assert!(merged.times.windows(2).all(|w| w[0] < w[1]));
            let apart = apart(&merged, 4);
            for original in &tracks {
                let Channel::Morph(m) = original.channel else { unreachable!() };
                for i in 0..211 {
                    let seconds = f64::from(i) * 0.01 + 0.003;
                    let (x, y) = (original.value(seconds)[0], apart[m].value(seconds)[0]);
                    assert!((x - y).abs() < 2e-6, "morph {m} at {seconds}: {x} became {y}");
                }
            }
            assert_eq!(apart[3].value(0.7)[0], 0.25);
        }
    }

    #[test]
    fn equal_keys_are_kept_as_they_are() {
        let cubic = Interpolation::CubicSpline;
        let values = [0.5, 0.0, 1.0, 2.0, 1.0, 3.0];
        let clip = Clip::new("c", vec![track(0, cubic, &[0.0, 1.0], &values)]).unwrap();
        assert_eq!(merged(clip.tracks(), &rig(1), 0..1).unwrap().values, values);
    }
}
