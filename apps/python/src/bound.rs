use crate::{array, error, pose::PyPose};
use glam::Vec3;
use numpy::{PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};
use supple::{
    deform::Clock,
    graph::{Binding, DeformGraph},
    pose::{Motion, Pose},
    rig::Rig,
};
use supple_gpu::{Choice, Engine};

/// Seconds between two calls that do not say when they are.
const STEP: f64 = 1.0 / 30.0;

/// A graph ready to move one rig. Calls from several threads wait for each other; bind once for each to run at a time.
#[pyclass(frozen, name = "Bound", module = "supple")]
pub struct PyBound {
    rig: Arc<Rig>,
    device: String,
    inner: Mutex<Mover>,
}

/// Moves a rig frame by frame, reusing its memory.
pub struct Mover {
    engine: Engine,
    motion: Motion,
    morphed: Vec<Vec3>,
    /// That of the last call; none before the first.
    last: Option<Clock>,
    notices: Vec<String>,
}

impl Mover {
    /// Binds where it shall run, and says in words where that is.
    pub fn new(graph: &DeformGraph, rig: &Rig, device: &str) -> PyResult<(Self, String)> {
        if rig.mesh.positions.is_empty() {
            return Err(error::bind(format!("the rig \"{}\" has no points to move", rig.name)));
        }
        let choice = match device {
            "cpu" => Choice::Processor,
            "auto" => Choice::Auto,
            "gpu" => Choice::Device,
            other => return Err(error::bind(error::unknown("device", other, &["cpu", "gpu", "auto"]))),
        };
        // Nobody knows how many frames there will be.
        let opened = pollster::block_on(choice.open(usize::MAX));
        let engine = pollster::block_on(Engine::bind(graph, rig, opened.computing())).map_err(error::graph_or_bind)?;
        let name = opened.gpu().filter(|_| engine.on_device()).map_or("cpu".to_owned(), |gpu| gpu.name());
        let notices = opened.notice().into_iter().collect();
        Ok((Self { engine, motion: Motion::default(), morphed: Vec::new(), last: None, notices }, name))
    }

    /// Moves one frame into the caller's memory.
    pub fn move_into(&mut self, rig: &Rig, pose: &Pose, clock: Clock, out: &mut [Vec3]) {
        self.last = Some(clock);
        self.motion.update(rig, pose);
        if pose.morph_weights.iter().all(|&w| w == 0.0) {
            self.engine.frame_into(&rig.mesh.positions, &self.motion, clock, out);
        } else {
            pose.morphed(rig, &mut self.morphed);
            self.engine.frame_into(&self.morphed, &self.motion, clock, out);
        }
    }

    /// The same, from other points than those of the rig at rest.
    fn move_from(&mut self, rest: &[Vec3], rig: &Rig, pose: &Pose, clock: Clock, out: &mut [Vec3]) {
        self.last = Some(clock);
        self.motion.update(rig, pose);
        self.engine.frame_into(rest, &self.motion, clock, out);
    }

    /// When a call is that says so, or the next one after the last. Going back in time starts anew.
    fn clock(&self, time: Option<f64>) -> Clock {
        match (self.last, time) {
            (None, time) => Clock::first(time.unwrap_or(0.0)),
            (Some(last), None) => Clock::after(last, STEP),
            (Some(last), Some(time)) if time > last.time => Clock::after(last, time - last.time),
            (Some(_), Some(time)) => Clock::first(time),
        }
    }

    /// What it runs.
    pub fn binding(&self) -> &Arc<Binding> {
        self.engine.binding()
    }

    /// How the joints moved in the last frame.
    pub fn motion(&self) -> &Motion {
        &self.motion
    }

    /// What binding had to leave out or guess, what the device said, and whether the last pose started anew.
    pub fn notes(&mut self) -> Vec<String> {
        let new = self.engine.take_notices();
        self.notices.extend(new);
        let bound = self.engine.notes().map(|(node, note)| format!("{node}: {note}"));
        let anew = self.last.filter(|clock| !clock.follows).and_then(|_| self.binding().starts_anew());
        bound.chain(self.notices.iter().cloned()).chain(anew).collect()
    }
}

impl PyBound {
    pub fn new(py: Python<'_>, graph: &DeformGraph, rig: &Arc<Rig>, device: &str) -> PyResult<Self> {
        let (mover, device) = py.detach(|| Mover::new(graph, rig, device))?;
        Ok(Self { rig: rig.clone(), device, inner: Mutex::new(mover) })
    }

    pub fn mover(&self) -> MutexGuard<'_, Mover> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Refuses the pose of another rig.
pub fn check(rig: &Rig, pose: &Pose) -> PyResult<()> {
    let (found, expected) = (pose.local.len(), rig.skeleton.len());
    if found != expected {
        return Err(error::pose(format!("the pose is of {found} joints, and the rig has {expected}")));
    }
    let (found, expected) = (pose.morph_weights.len(), rig.morphs.len());
    if found != expected {
        return Err(error::pose(format!("the pose is of {found} morphs, and the rig has {expected}")));
    }
    Ok(())
}

/// The caller's array, or a new one.
fn output<'py>(
    py: Python<'py>,
    vertices: usize,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let Some(out) = out else { return Ok(PyArray2::zeros(py, [vertices, 3], false)) };
    let wrong = |found: String| {
        error::rig(format!("out: an array of shape ({vertices}, 3) and type float32 is expected, found {found}"))
    };
    let Ok(array) = out.cast::<PyArray2<f32>>() else {
        let part = |name| out.getattr(name).map(|x| x.to_string()).unwrap_or_default();
        return Err(wrong(format!("{} of shape {} and type {}", out.get_type(), part("shape"), part("dtype"))));
    };
    if array.shape() != [vertices, 3] {
        return Err(wrong(format!("shape {:?}", array.shape())));
    }
    if !array.is_c_contiguous() {
        return Err(wrong("one that is not contiguous, row after row".into()));
    }
    Ok(array.clone())
}

#[pymethods]
impl PyBound {
    /// The moved points of a pose: (vertices, 3) float32.
    ///
    /// out: an array that the points are written to, straight from the method; without one, a new array.
    /// rest: points to start from instead of the rig's, where shapes were added to them elsewhere.
    /// time: seconds, for methods that remember: a later call goes on from the one before, an earlier one starts anew. Without it each call
    /// is a thirtieth of a second after the last.
    #[pyo3(signature = (pose, out=None, *, rest=None, time=None))]
    pub fn deform<'py>(
        &self,
        py: Python<'py>,
        pose: &PyPose,
        out: Option<&Bound<'py, PyAny>>,
        rest: Option<&Bound<'py, PyAny>>,
        time: Option<f64>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        if let Some(time) = time.filter(|time| !time.is_finite()) {
            return Err(error::pose(format!("time: {time} is not a number of seconds")));
        }
        check(&self.rig, &pose.inner)?;
        let rest = rest.map(|r| array::points(r, "rest")).transpose()?;
        let (found, expected) = (rest.as_ref().map(Vec::len), self.rig.mesh.positions.len());
        if let Some(found) = found.filter(|&f| f != expected) {
            return Err(error::rig(format!("rest: {found} points, and the rig has {expected}")));
        }
        let array = output(py, self.rig.mesh.positions.len(), out)?;
        let guard = array.try_readwrite();
        let mut guard = guard.map_err(|_| error::rig("out: this array is read-only, or in use elsewhere"))?;
        let points: &mut [Vec3] = bytemuck::cast_slice_mut(guard.as_slice_mut()?);
        py.detach(|| {
            let mut mover = self.mover();
            let clock = mover.clock(time);
            match &rest {
                Some(rest) => mover.move_from(rest, &self.rig, &pose.inner, clock, points),
                None => mover.move_into(&self.rig, &pose.inner, clock, points),
            }
        });
        drop(guard);
        Ok(array)
    }

    /// Forgets earlier frames, for methods that remember any.
    fn reset(&self, py: Python<'_>) {
        py.detach(|| self.mover().last = None);
    }

    /// Where it runs: "cpu", or the name of the graphics card.
    #[getter]
    fn device(&self) -> &str {
        &self.device
    }

    /// Whether a frame depends on the frames before it.
    #[getter]
    fn remembers(&self, py: Python<'_>) -> bool {
        py.detach(|| self.mover().binding().remembers())
    }

    /// What binding had to leave out or guess, and whether the last pose of a method that remembers started anew: a line each.
    #[getter]
    fn notes(&self, py: Python<'_>) -> Vec<String> {
        py.detach(|| self.mover().notes())
    }

    /// For the bench alone: seconds of each of so many calls of the library, with no Python between.
    fn _time(&self, py: Python<'_>, pose: &PyPose, calls: usize) -> PyResult<Vec<f64>> {
        check(&self.rig, &pose.inner)?;
        Ok(py.detach(|| {
            let mut mover = self.mover();
            let motion = Motion::of(&self.rig, &pose.inner);
            let one = |_| {
                let start = Instant::now();
                std::hint::black_box(mover.engine.evaluate(&self.rig.mesh.positions, &motion));
                start.elapsed().as_secs_f64()
            };
            (0..calls).map(one).collect()
        }))
    }

    fn __repr__(&self) -> String {
        format!("<supple.Bound of \"{}\" on {}>", self.rig.name, self.device)
    }
}
