//! Every clip of every rig from files, frame by frame.

use super::{
    harm, implicit, percent,
    sheet::{Limit, Sheet},
};
use anyhow::Result;
use glam::{DVec3, Vec3};
use std::{cell::OnceCell, collections::HashMap};
use supple::{
    deform::Clock,
    graph::DeformGraph,
    measure::{Cube, HarmFigures, HarmGauge, MeasureError, Pop, SurfaceGauge, SurfaceOptions, WindingTree},
    pose::{Clip, Motion, Pose},
    read,
    rig::{Normals, Rig, Topology},
};
use supple_testkit::data;

const FPS: f64 = 30.0;
/// A vertex farther than this share of the diagonal from where dual quaternions leave it is flung.
const FLUNG: f32 = 0.05;
/// Clips of bodies that fold up, in which contact matters most: ours may have this share of what dual quaternions overlap.
const FOLDED: [&str; 2] = ["squats", "fold"];
const OF_DUAL: f64 = 0.1;
/// Overlap is counted in cells: below this share of the volume two figures are equal.
const CELLS: f64 = 1e-5;

/// Cells along the longest side for frames that are above in the 96 of the figures, and those still above there.
const FINER: [usize; 2] = [192, 384];

/// The gauge of the figures, and finer ones that few rigs need.
struct Gauges {
    coarse: SurfaceGauge,
    finer: [OnceCell<SurfaceGauge>; FINER.len()],
}

fn gauge(rig: &Rig, grid: usize) -> Result<SurfaceGauge, MeasureError> {
    let options = SurfaceOptions { grid, ..SurfaceOptions::default() };
    SurfaceGauge::new(&rig.mesh.positions, &rig.mesh.triangles, options)
}

impl Gauges {
    /// Whether the second of two results overlaps more than the first, where both are counted in the same cells: by how much.
    fn above(&self, rig: &Rig, a: &[Vec3], b: &[Vec3]) -> Result<Option<f64>> {
        let both = round_both(a, b);
        let above = |gauge: &SurfaceGauge| -> Result<f64> {
            let [old, new] = [gauge.cube(a, both, both)?, gauge.cube(b, both, both)?].map(|f| f.box_overlap);
            Ok(new.unwrap_or(0.0).max(0.0) - old.unwrap_or(0.0).max(0.0))
        };
        let mut by = above(&self.coarse)?;
        for (cell, grid) in self.finer.iter().zip(FINER) {
            if by <= CELLS {
                return Ok(None);
            }
            if cell.get().is_none() {
                cell.set(gauge(rig, grid)?).ok();
            }
            by = cell.get().map_or(Ok(by), above)?;
        }
        Ok(Some(by).filter(|by| *by > CELLS))
    }
}

/// What a clip showed.
#[derive(Default)]
struct Found {
    frames: usize,
    finite: bool,
    /// Largest overlap of dual quaternions and of ours.
    overlap: [f64; 2],
    /// Frames where ours is larger when each is counted in cells of its own box, and the most by which it is.
    above_by_box: usize,
    most_by_box: f64,
    /// Frames where ours is larger in the same cells, the most by which it is, and when.
    above: usize,
    most: (f64, f64),
    /// Vertices in frames: far from dual quaternions where those are in other skin, and where they are not.
    far: [usize; 2],
    /// The farthest of all, its vertex and when.
    farthest: (f32, usize, f64),
    /// The worst frame of each, and the largest pop.
    harm: HarmFigures,
    pop: Option<f64>,
}

pub fn run(sheet: &mut Sheet) -> Result<()> {
    sheet.heading(
        "Clips of rigs from files",
        "At 30 frames a second, union. For closed rigs: the largest overlap of a clip with dual quaternions and with implicit \
         skinning, and in how many frames ours is larger, by how much of the volume at most. Overlap is counted in cells of \
         which 96 make the longest side, and a cell is 0.007 % of a fox: its nose, which overlaps at rest, has four to seven of \
         them, as the cells fall. So two results are compared in the same cells, those of the box round both, and where ours has \
         more of them again in cells of half the side, and once more of a quarter. Squats and folds may have a tenth of what dual quaternions have. Beside it stands in how many frames ours is larger \
         where each is counted in the cells of its own box. Far: vertices (counted in each frame) more than 5 % of the diagonal \
         from where dual quaternions leave them; in contact where dual quaternions put them or skin within two edges into other \
         skin, and free elsewhere, of which there should be none.",
    );
    sheet.columns([
        "rig",
        "clip",
        "frames",
        "dual quaternions",
        "implicit",
        "above",
        "above, each in its own cells",
        "far, in contact",
        "far, free",
        "farthest",
        "withering",
        "gape",
        "tear",
        "pop",
    ]);
    for file in data::files("rigged", &["glb"]) {
        let rig = read::path(&file)?.rig;
        let topology = Topology::of(&rig.mesh);
        let closed = topology.is_closed();
        let gauges = Gauges { coarse: gauge(&rig, SurfaceOptions::default().grid)?, finer: Default::default() };
        let of_harm = HarmGauge::new(&rig)?;
        let mut shown = 0;
        let mut calm = 0;
        for clip in &rig.clips {
            let found = watch(&rig, &topology, clip, closed.then_some(&gauges), of_harm.as_ref())?;
            let quiet =
                found.above_by_box == 0 && found.far == [0, 0] && found.overlap == [0.0, 0.0] && found.is_harmless();
            // A knight of 76 clips says little in 76 rows.
            if quiet && found.finite {
                calm += 1;
                continue;
            }
            shown += 1;
            row(sheet, &rig, clip, closed, &found);
        }
        if calm > 0 {
            let other = if shown > 0 { "other " } else { "" };
            let clips = if calm == 1 { "clip" } else { "clips" };
            let what = if closed { "without overlap, no vertex far" } else { "open; no vertex far" };
            let mut cells = vec![rig.name.clone(), format!("{calm} {other}{clips}"), what.into()];
            cells.resize(14, String::new());
            sheet.row(cells);
        }
    }
    sheet.end();
    Ok(())
}

fn row(sheet: &mut Sheet, rig: &Rig, clip: &Clip, closed: bool, found: &Found) {
    let what = |figure: &str| format!("{}, clip {}: {figure}", rig.name, clip.name);
    let overlap = |i: usize| if closed { percent(found.overlap[i]) } else { "-".into() };
    let mut of_ours = overlap(1);
    if closed && FOLDED.iter().any(|folded| clip.name.contains(folded)) {
        let most = Limit::Most(OF_DUAL * found.overlap[0]);
        of_ours = sheet.judge(&what("overlap"), Some(found.overlap[1]), most, percent);
    }
    let (mut above, mut by_box) = ("-".into(), "-".into());
    if closed {
        let (amount, time) = found.most;
        let at = if amount > 0.0 { format!(" at {time:.2} s") } else { String::new() };
        let by =
            |frames: f64, most: f64| if frames > 0.0 { format!("{frames}, {}", percent(most)) } else { "0".into() };
        above = by(found.above as f64, amount) + &at;
        by_box = by(found.above_by_box as f64, found.most_by_box);
    }
    let far =
        sheet.judge(&what("vertices far and free"), Some(found.far[1] as f64), Limit::Most(0.0), |v| v.to_string());
    let finite = if found.finite { 1.0 } else { 0.0 };
    let frames = sheet.judge(&what("finite"), Some(finite), Limit::Least(1.0), |_| found.frames.to_string());
    let name = if clip.name.is_empty() { "-".into() } else { clip.name.replace('|', "/") };
    let (far_by, vertex, time) = found.farthest;
    let owner = rig.weights.as_ref().map_or("", |w| &rig.skeleton.joints()[w.dominant(vertex)].name);
    let farthest = format!("{:.1} %, {owner}, {time:.2} s", 100.0 * far_by);
    let cells =
        [rig.name.clone(), name, frames, overlap(0), of_ours, above, by_box, found.far[0].to_string(), far, farthest];
    let harm = harm::cells(sheet, &what, true, &found.harm);
    let pop = match found.pop {
        Some(_) => sheet.judge(&what("pop"), found.pop, Limit::Most(harm::POP), percent),
        None => "-".into(),
    };
    sheet.row(cells.into_iter().chain(harm).chain([pop]));
}

impl Found {
    /// No limit of harm is missed.
    fn is_harmless(&self) -> bool {
        let HarmFigures { withering, gape, tear } = self.harm;
        withering.is_none_or(|w| w >= harm::WITHERING)
            && gape.is_none_or(|g| g <= harm::GAPE)
            && tear.is_none_or(|t| t <= harm::TEAR)
            && self.pop.is_none_or(|p| p <= harm::POP)
    }

    fn add_harm(&mut self, found: HarmFigures, pop: Option<f64>) {
        let worse = |old: Option<f64>, new: Option<f64>, of: fn(f64, f64) -> f64| match (old, new) {
            (Some(old), Some(new)) => Some(of(old, new)),
            (old, new) => old.or(new),
        };
        self.harm = HarmFigures {
            withering: worse(self.harm.withering, found.withering, f64::min),
            gape: worse(self.harm.gape, found.gape, f64::max),
            tear: worse(self.harm.tear, found.tear, f64::max),
        };
        self.pop = worse(self.pop, pop, f64::max);
    }
}

fn watch(
    rig: &Rig,
    topology: &Topology,
    clip: &Clip,
    gauges: Option<&Gauges>,
    of_harm: Option<&HarmGauge>,
) -> Result<Found> {
    let mut pop = Pop::default();
    let mut dual = DeformGraph::single("dual-quaternion")?.bind(rig)?;
    let mut ours = implicit(&[])?.bind(rig)?;
    let mut found = Found { finite: true, ..Found::default() };
    let (mut motion, mut rest) = (Motion::of(rig, &Pose::rest(rig)), Vec::new());
    let diagonal = rig.diagonal();
    found.frames = (f64::from(clip.duration()) * FPS).floor() as usize + 1;
    for frame in 0..found.frames {
        let time = frame as f64 / FPS;
        let pose = clip.sample(rig, time);
        motion.update(rig, &pose);
        pose.morphed(rig, &mut rest);
        let (a, b) = (dual.evaluate(&rest, &motion), ours.evaluate(&rest, &motion));
        found.finite &= b.iter().all(|p| p.is_finite());
        if let Some(gauge) = of_harm {
            let pop = pop.since(a, b, diagonal.into(), Clock::frame(frame, 0, FPS));
            found.add_harm(gauge.figures(a, b)?, pop);
        }
        let far: Vec<usize> = (0..a.len()).filter(|&i| a[i].distance(b[i]) > FLUNG * diagonal).collect();
        for (i, (a, b)) in a.iter().zip(b).enumerate() {
            if a.distance(*b) / diagonal > found.farthest.0 {
                found.farthest = (a.distance(*b) / diagonal, i, time);
            }
        }
        if !far.is_empty() {
            let held = in_contact(rig, topology, a, &far);
            found.far[0] += held;
            found.far[1] += far.len() - held;
        }
        let Some(gauges) = gauges else { continue };
        let [old, new] =
            [gauges.coarse.figures(a)?, gauges.coarse.figures(b)?].map(|f| f.overlap.unwrap_or(0.0).max(0.0));
        found.overlap = [found.overlap[0].max(old), found.overlap[1].max(new)];
        if new > old + CELLS {
            found.above_by_box += 1;
            found.most_by_box = found.most_by_box.max(new - old);
        }
        if let Some(by) = gauges.above(rig, a, b)? {
            found.above += 1;
            if by > found.most.0 {
                found.most = (by, time);
            }
        }
    }
    Ok(found)
}

/// The cube of both results, grown as the figures grow a box.
fn round_both(a: &[Vec3], b: &[Vec3]) -> Cube {
    let points = || a.iter().chain(b).map(|p| p.as_dvec3());
    let low = points().fold(DVec3::INFINITY, DVec3::min);
    let high = points().fold(DVec3::NEG_INFINITY, DVec3::max);
    Cube { center: (low + high) / 2.0, radius: (high - low).max_element() * 0.51 }
}

/// How many of these vertices lie in other skin or within two rings of such: a hair above them there is skin round them
/// still.
fn in_contact(rig: &Rig, topology: &Topology, points: &[Vec3], vertices: &[usize]) -> usize {
    let tree = WindingTree::of(points, &rig.mesh.triangles, WindingTree::BETA);
    let mut normals = Normals::of(&rig.mesh);
    let normals = normals.smooth(points);
    let mut known = HashMap::new();
    let mut inside = |welded: u32| {
        *known.entry(welded).or_insert_with(|| {
            let i = topology.weld.first_of[welded as usize] as usize;
            tree.at((points[i] + normals[i] * rig.diagonal() * 1e-3).as_dvec3()) >= 0.5
        })
    };
    let near = |vertex: usize| {
        let here = topology.weld.welded_of[vertex];
        let ring = topology.ring(here).iter().copied();
        let mut all: Vec<u32> =
            ring.clone().flat_map(|n| topology.ring(n)).copied().chain(ring).chain([here]).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    vertices.iter().filter(|&&v| near(v).into_iter().any(&mut inside)).count()
}
