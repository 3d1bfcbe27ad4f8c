//! Methods side by side: moves, measures, times and draws every pose by every method, and makes a page of it.

mod cards;
mod page;
mod save;
mod summary;
mod tables;
mod views;
mod words;

pub use save::{check, save};
pub use summary::print;

use crate::{
    args::Device,
    commands::measure::{Figures, Gauge, as_map, table},
    console::Console,
    device,
    drawing::{self, Drawer},
    statistics::Timings,
};
use anyhow::{Result, bail};
use glam::Vec3;
use rayon::prelude::*;
use std::time::Instant;
use supple::{
    deform::{Clock, Settings, implicit::BoundImplicit},
    graph::{DeformGraph, Method},
    measure::{self, HarmGauge, RigGauge, Start},
    pose::{Motion, Pose},
    rig::Rig,
};
use supple_gpu::{Engine, Gpu};
use supple_render::{Channel, Scene, TextureError, Textures, character};
use views::{Shot, Views};

/// Seconds of repeated runs behind the time of a frame.
const TIMED: f64 = 0.05;

/// As `supple measure` has it, lest the two disagree.
pub const GRID: usize = 96;

/// A rig and what shall be done to it.
pub struct Subject {
    pub name: String,
    pub rig: Rig,
    pub cases: Vec<Case>,
}

/// One pose, and the side from which it is best seen.
pub struct Case {
    pub title: String,
    pub pose: Pose,
    pub towards: Vec3,
}

/// Everything on the page.
pub struct Report {
    pub title: String,
    pub lead: String,
    pub methods: Vec<&'static Method>,
    pub sheets: Vec<Sheet>,
    pub computed_on: String,
    pub drawn_on: String,
    pub seconds: f64,
}

/// One pose by every method.
pub struct Sheet {
    pub character: String,
    pub title: String,
    pub vertices: usize,
    pub triangles: usize,
    pub at_rest: Vec<Picture>,
    pub entries: Vec<Entry>,
}

/// One pose by one method, or why it cannot be.
pub struct Entry {
    pub method: &'static Method,
    pub outcome: Result<Outcome, String>,
}

pub struct Outcome {
    pub pictures: Vec<Picture>,
    pub figures: Figures,
}

pub struct Picture {
    pub caption: String,
    pub png: Vec<u8>,
}

impl Sheet {
    pub fn name(&self) -> String {
        format!("{}, {}", self.character, self.title)
    }
}

/// What a comparison is called and compares.
pub struct Plan {
    pub title: String,
    pub lead: String,
    pub methods: Vec<&'static Method>,
    /// Each goes to the methods that have a setting of its name.
    pub settings: Settings,
    pub subjects: Vec<Subject>,
}

impl Plan {
    /// Does all of it.
    pub fn run(self, choice: Device, console: &Console) -> Result<Report> {
        let begin = Instant::now();
        let cases = |s: &Subject| s.cases.len();
        let work: usize = self.subjects.iter().map(|s| cases(s) * s.rig.mesh.positions.len()).sum();
        let pictures = self.subjects.iter().map(cases).sum::<usize>() * (self.methods.len() + 1);
        let work = work * self.methods.len() + pictures * 3 * drawing::work(views::SIZE, 3);
        let opened = device::open(choice, work, console);
        let gpu = opened.computing();
        let computed_on = gpu.map_or_else(|_| format!("the processor, {}", drawing::threads()), Gpu::name);
        let mut drawer = Drawer::new(opened.gpu(), console);
        let drawn_on = drawer.name();
        console.say(&format!("supple: computing on {computed_on}; drawing on {drawn_on}"));
        let bar =
            console.progress("comparing", self.subjects.iter().map(cases).sum::<usize>() * (self.methods.len() + 1));
        let mut sheets = Vec::new();
        for subject in &self.subjects {
            let mut bench = Bench::new(subject, &self.methods, &self.settings, gpu)?;
            if let Gauge::Surface(gauge) = &bench.gauge {
                bar.suspend(|| console.facing(&subject.name, gauge));
            }
            for ready in bench.engines.iter().filter_map(|e| e.1.as_ref().ok()) {
                bar.suspend(|| console.notes(&subject.name, ready.engine.binding()));
                bar.suspend(|| device::starts_anew(ready.engine.binding(), &subject.name, console));
            }
            let faults = bench.faults.iter().map(ToString::to_string);
            for line in faults.chain(bench.gauge.note()) {
                bar.suspend(|| console.warn(&format!("supple: {}: warning: {line}", subject.name)));
            }
            for case in &subject.cases {
                sheets.push(bench.sheet(case, &mut drawer, console, &|| bar.inc(1))?);
            }
            for notice in
                bench.engines.iter_mut().filter_map(|e| e.1.as_mut().ok()).flat_map(|ready| ready.engine.take_notices())
            {
                bar.suspend(|| console.say(&format!("supple: {notice}")));
            }
        }
        bar.finish_and_clear();
        let Self { title, lead, methods, .. } = self;
        Ok(Report { title, lead, methods, sheets, computed_on, drawn_on, seconds: begin.elapsed().as_secs_f64() })
    }
}

/// A method bound to a rig with its errors at rest and under a rigid motion.
struct Ready {
    engine: Engine,
    errors: Figures,
    start: Option<Start>,
}

/// A rig with every method bound to it, once for all poses.
struct Bench<'a> {
    subject: &'a Subject,
    gauge: Gauge,
    of_rig: RigGauge,
    harm: Option<HarmGauge>,
    /// Each method, or why it refuses the rig.
    engines: Vec<(&'static Method, Result<Ready, String>)>,
    /// Decoded once for all pictures, and what is wrong with them.
    textures: Textures,
    faults: Vec<TextureError>,
}

impl<'a> Bench<'a> {
    fn new(
        subject: &'a Subject,
        methods: &[&'static Method],
        settings: &Settings,
        gpu: Result<&Gpu, &str>,
    ) -> Result<Self> {
        let rig = &subject.rig;
        if rig.mesh.positions.is_empty() {
            bail!("{}: the rig has no points to compare", subject.name);
        }
        let graph = |method: &'static Method| {
            let own = |key: &str| method.settings.iter().any(|s| s.name == key);
            let own = settings.iter().filter(|(key, _)| own(key)).map(|(k, v)| (k.clone(), v.clone())).collect();
            DeformGraph::single_with(method.name, &own)
        };
        let bind = |method: &'static Method| -> Result<Ready> {
            let graph = graph(method)?;
            let engine = pollster::block_on(Engine::bind(&graph, rig, gpu))?;
            let errors = as_map(&measure::errors(rig, &mut engine.binding().run()));
            let start = Start::of(rig, engine.binding());
            Ok(Ready { engine, errors, start })
        };
        // A method that refuses a rig says why in its place; the others still have something to show.
        let engines: Vec<_> = methods.iter().map(|m| (*m, bind(m).map_err(|e| format!("{e:#}")))).collect();
        if let Some(why) = engines.iter().find_map(|e| e.1.as_ref().err())
            && engines.iter().all(|e| e.1.is_err())
        {
            bail!("{}: no method can move it: {why}", subject.name);
        }
        let mut of_rig = RigGauge::new(rig)?;
        // Where one method has volumes, all are judged by them: a row must not hold two figures of one name.
        let bound = engines.iter().filter_map(|e| e.1.as_ref().ok());
        if let Some(implicit) = bound.filter_map(|ready| ready.engine.binding().last::<BoundImplicit>()).next() {
            of_rig = of_rig.with_volume(rig, implicit.volume.body.clone());
        }
        let (textures, faults) = Textures::of(rig);
        let harm = if rig.mesh.is_point_set() { None } else { HarmGauge::new(rig)? };
        Ok(Self { subject, gauge: Gauge::of(rig, GRID)?, of_rig, harm, engines, textures, faults })
    }

    fn sheet(&mut self, case: &Case, drawer: &mut Drawer, console: &Console, step: &dyn Fn()) -> Result<Sheet> {
        let rig = &self.subject.rig;
        let motion = Motion::of(rig, &case.pose);
        let mut morphed = Vec::new();
        case.pose.morphed(rig, &mut morphed);
        let mut moved = Vec::new();
        for (method, engine) in &mut self.engines {
            let outcome = match engine {
                Err(why) => Err(why.clone()),
                Ok(Ready { engine, errors, start }) => {
                    // No pose shall depend on the one before it.
                    let points = engine.evaluate(&morphed, &motion).to_vec();
                    let again = Clock::after(Clock::first(0.0), 0.0);
                    let mut timings = Timings::default();
                    timings.add(TIMED, || {
                        std::hint::black_box(engine.frame(&morphed, &motion, again));
                    });
                    let start = start.as_ref().filter(|_| self.harm.is_some()).map(|s| s.points(&morphed, &motion));
                    Ok(Moved { points, start, figures: errors.clone(), time: timings.median() })
                }
            };
            moved.push((*method, outcome));
        }
        // Only when all have been timed: measuring takes every thread there is.
        let (gauge, of_rig, harm) = (&self.gauge, &self.of_rig, &self.harm);
        moved.par_iter_mut().filter_map(|(_, m)| m.as_mut().ok()).try_for_each(|m| {
            m.figures.extend(gauge.figures(&m.points)?);
            m.figures.extend(as_map(&of_rig.figures(&motion, &m.points)?));
            if let (Some(harm), Some(start)) = (harm, &m.start) {
                m.figures.extend(as_map(&harm.figures(start, &m.points)?));
            }
            m.figures.insert(table::FRAME_TIME.to_owned(), m.time.into());
            anyhow::Ok(())
        })?;
        let all = moved.iter().filter_map(|(_, m)| m.as_ref().ok()).flat_map(|m| m.points.iter().copied());
        let views = Views::new(rig, &motion, case.towards, all);
        let mut draw = |points: &[Vec3], shots: &[Shot]| {
            let scene = character::textured_scene(rig, points, &self.textures);
            draw(&scene, shots, drawer, console)
        };
        let mut drawn = vec![draw(&rig.mesh.positions, &views.at_rest)?];
        step();
        for m in moved.iter().filter_map(|(_, m)| m.as_ref().ok()) {
            drawn.push(draw(&m.points, &views.posed)?);
            step();
        }
        // Packing is the work of a thread, picture by picture, and needs no device.
        let packed: Result<Vec<Vec<Picture>>> = drawn.into_par_iter().map(pack).collect();
        let mut packed = packed?.into_iter();
        let at_rest = packed.next().expect("the first that was drawn");
        let entries = moved.into_iter().map(|(method, outcome)| {
            let outcome = outcome.map(|Moved { figures, .. }| {
                let pictures = packed.next().expect("one for each method that has moved it");
                Outcome { pictures, figures }
            });
            Entry { method, outcome }
        });
        let entries = entries.collect();
        Ok(Sheet {
            character: self.subject.name.clone(),
            title: case.title.clone(),
            vertices: rig.mesh.positions.len(),
            triangles: rig.mesh.triangles.len(),
            at_rest,
            entries,
        })
    }
}

/// A pose by one method, before it is drawn.
struct Moved {
    points: Vec<Vec3>,
    /// Where the method began, where harm can be measured.
    start: Option<Vec<Vec3>>,
    figures: Figures,
    /// Milliseconds of a frame.
    time: f64,
}

/// A picture as it was drawn.
struct Drawn {
    caption: String,
    pixels: supple_render::Picture,
}

fn draw(scene: &Scene, shots: &[Shot], drawer: &mut Drawer, console: &Console) -> Result<Vec<Drawn>> {
    let drawn = |shot: &Shot| {
        let pixels = drawer.draw(scene, &shot.view, console)?.picture(Channel::Color, &shot.view);
        Ok(Drawn { caption: shot.caption.clone(), pixels })
    };
    shots.iter().map(drawn).collect()
}

fn pack(drawn: Vec<Drawn>) -> Result<Vec<Picture>> {
    let packed = |d: Drawn| Ok(Picture { png: d.pixels.to_png()?, caption: d.caption });
    drawn.into_par_iter().map(packed).collect()
}
