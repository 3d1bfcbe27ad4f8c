use super::{HarmGauge, MeasureError, PointGauge, Pop, RigGauge, Start, SurfaceGauge, SurfaceOptions};
use crate::{
    deform::{
        Clock,
        implicit::{BoundImplicit, ContactGauge},
    },
    graph::Binding,
    pose::Motion,
    rig::Rig,
};
use glam::Vec3;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Figures by their JSON names.
pub type Figures = Map<String, Value>;

/// Where contacts stand among the figures.
pub const CONTACT: &str = "contact";

/// What suits the mesh.
pub enum Gauge {
    /// It has triangles.
    Surface(Box<SurfaceGauge>),
    /// It is a point set.
    Points(PointGauge),
}

/// Everything that can be said of a rig moved by a graph: its mesh, its limbs and, where limbs are volumes, what touches.
/// This is what `supple measure` prints.
pub struct PoseGauge {
    /// Of the mesh alone.
    pub mesh: Gauge,
    of_rig: RigGauge,
    harm: Option<Harm>,
    touch: Option<Touch>,
}

/// What harm a method does to its start.
struct Harm {
    gauge: HarmGauge,
    start: Start,
    pop: Pop,
    diagonal: f64,
}

/// A gauge of contacts, and what it has found of joints so far.
struct Touch {
    gauge: ContactGauge,
    /// The angle of full contact of joints that have touched.
    angles: BTreeMap<String, Option<f64>>,
    /// Joints that were bent beyond it.
    overbent: Vec<String>,
}

impl Gauge {
    /// For a rig at rest, with so many cells along the longest side of a grid.
    pub fn of(rig: &Rig, grid: usize) -> Result<Self, MeasureError> {
        if rig.mesh.triangles.is_empty() {
            return Ok(Self::Points(PointGauge::new(&rig.mesh.positions)?));
        }
        let options = SurfaceOptions { grid, ..SurfaceOptions::default() };
        Ok(Self::Surface(Box::new(SurfaceGauge::new(&rig.mesh.positions, &rig.mesh.triangles, options)?)))
    }

    /// What was decided about the measuring itself, in a line.
    pub fn note(&self) -> Option<String> {
        if let Self::Surface(gauge) = self { gauge.note() } else { None }
    }

    /// The figures of moved points.
    pub fn figures(&self, posed: &[Vec3]) -> Result<Figures, MeasureError> {
        Ok(match self {
            Self::Surface(gauge) => as_map(&gauge.figures(posed)?),
            Self::Points(gauge) => as_map(&gauge.figures(posed)?),
        })
    }
}

impl PoseGauge {
    /// For a rig at rest and what will move it.
    pub fn new(rig: &Rig, binding: &Binding, grid: usize) -> Result<Self, MeasureError> {
        let touch = binding.last::<BoundImplicit>().map(|bound| Touch::new(rig, &bound));
        let of_rig = RigGauge::new(rig)?;
        let of_rig = match &touch {
            Some(touch) => of_rig.with_volume(rig, touch.gauge.body().clone()),
            None => of_rig,
        };
        Ok(Self { mesh: Gauge::of(rig, grid)?, of_rig, harm: Harm::new(rig, binding)?, touch })
    }

    /// The figures of one frame, whose rest points (morphs added) were moved along a motion. Pops are told of frames that follow
    /// others.
    pub fn figures(
        &mut self,
        rig: &Rig,
        rest: &[Vec3],
        motion: &Motion,
        clock: Clock,
        points: &[Vec3],
    ) -> Result<Figures, MeasureError> {
        let mut figures = self.mesh.figures(points)?;
        figures.extend(as_map(&self.of_rig.figures(motion, points)?));
        if let Some(harm) = &mut self.harm {
            harm.add(&mut figures, rest, motion, clock, points)?;
        }
        if let Some(touch) = &mut self.touch {
            figures.insert(CONTACT.to_owned(), touch.contacts(rig, motion, points));
        }
        Ok(figures)
    }

    /// A line for each joint that was bent past its angle of full contact in a pose measured so far.
    pub fn overbent(&self) -> impl Iterator<Item = String> {
        self.touch.iter().flat_map(Touch::overbent)
    }
}

impl Harm {
    /// None for point sets, and for rigs without limbs.
    fn new(rig: &Rig, binding: &Binding) -> Result<Option<Self>, MeasureError> {
        if rig.mesh.is_point_set() {
            return Ok(None);
        }
        let (Some(gauge), Some(start)) = (HarmGauge::new(rig)?, Start::of(rig, binding)) else { return Ok(None) };
        Ok(Some(Self { gauge, start, pop: Pop::default(), diagonal: rig.diagonal().into() }))
    }

    fn add(
        &mut self,
        figures: &mut Figures,
        rest: &[Vec3],
        motion: &Motion,
        clock: Clock,
        points: &[Vec3],
    ) -> Result<(), MeasureError> {
        let start = self.start.points(rest, motion);
        figures.extend(as_map(&self.gauge.figures(&start, points)?));
        let pop = self.pop.since(&start, points, self.diagonal, clock);
        figures.extend(pop.map(|pop| ("pop".to_owned(), json!(pop))));
        Ok(())
    }
}

impl Touch {
    fn new(rig: &Rig, bound: &BoundImplicit) -> Self {
        Self { gauge: ContactGauge::of_bound(rig, bound), angles: BTreeMap::new(), overbent: Vec::new() }
    }

    fn contacts(&mut self, rig: &Rig, motion: &Motion, points: &[Vec3]) -> Value {
        let mut all = Vec::new();
        for contact in self.gauge.contacts(motion, points) {
            let mut row = json!(contact);
            if let Some(joint) = &contact.joint {
                let gauge = &self.gauge;
                // A joint that is straight at rest has no hinge, and so no angle.
                let angle = || gauge.full_contact_angle(rig, joint).ok().flatten();
                row["full_contact_angle"] = json!(*self.angles.entry(joint.clone()).or_insert_with(angle));
                if contact.is_full() && !self.overbent.contains(joint) {
                    self.overbent.push(joint.clone());
                }
            }
            all.push(row);
        }
        Value::Array(all)
    }

    fn overbent(&self) -> impl Iterator<Item = String> {
        self.overbent.iter().map(|joint| {
            let angle = self.angles.get(joint).copied().flatten();
            let angle = angle.map_or(String::new(), |a| format!(", {a:.0} degrees from the bind pose"));
            format!("joint \"{joint}\" is bent past its angle of full contact{angle}: its skin has nowhere to go")
        })
    }
}

/// Figures by their JSON names.
pub fn as_map(figures: &impl Serialize) -> Figures {
    match serde_json::to_value(figures) {
        Ok(Value::Object(map)) => map,
        _ => Figures::new(),
    }
}
