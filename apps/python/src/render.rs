use crate::{array, error, pose::PyPose, rig::PyRig};
use glam::{Vec3, Vec4};
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use std::path::PathBuf;
use supple::pose::Motion;
use supple_render::{
    Anchor, Background, Camera, Channel, Direction, Entries, Label, Legend, Paint, Picture, View, character, cpu,
};

/// What colours the skin, or which buffer is shown.
const SHOWN: [(&str, Channel); 5] = [
    ("shaded", Channel::Color),
    ("weights", Channel::Color),
    ("normals", Channel::Normal),
    ("depth", Channel::Depth),
    ("ids", Channel::Id),
];

/// A picture of a rig: (height, width, 4) uint8, and a PNG where a path is given.
///
/// points: where its skin is, as deform gives it; at rest without.
/// view: "front", "back", "left", "right", "top", "bottom" or "three-quarter".
/// show: "shaded", "weights", "normals", "depth" or "ids".
/// bones: the pose whose bones are drawn over it.
/// section: (x, y, z, w): points p with x p.x + y p.y + z p.z + w > 0 are cut away.
#[pyfunction]
#[pyo3(signature = (
    rig, points=None, path=None, *, size=(800, 600), view="three-quarter", show="shaded", bones=None, wire=false,
    plain=false, section=None, label=None, background="light", orthographic=false, samples=3
))]
#[allow(clippy::too_many_arguments)]
pub fn render<'py>(
    py: Python<'py>,
    rig: &PyRig,
    points: Option<&Bound<'py, PyAny>>,
    path: Option<PathBuf>,
    size: (u32, u32),
    view: &str,
    show: &str,
    bones: Option<&PyPose>,
    wire: bool,
    plain: bool,
    section: Option<[f32; 4]>,
    label: Option<String>,
    background: &str,
    orthographic: bool,
    samples: u32,
) -> PyResult<Bound<'py, PyArray3<u8>>> {
    let named = |what: &str, name: &str, known: &[&str]| error::rendering(error::unknown(what, name, known));
    let find = |(name, channel): &(&str, Channel)| (*name == show).then_some(*channel);
    let channel = SHOWN.iter().find_map(find).ok_or_else(|| named("thing to show", show, &SHOWN.map(|s| s.0)))?;
    let direction = Direction::ALL.iter().find(|(name, _)| *name == view).map(|(_, d)| *d);
    let direction = direction.ok_or_else(|| named("view", view, &Direction::ALL.map(|d| d.0)))?;
    let background = match background {
        "light" => Background::Light,
        "dark" => Background::Dark,
        other => return Err(named("background", other, &["light", "dark"])),
    };
    let rig = &rig.inner;
    let points = points.map_or_else(|| Ok(rig.mesh.positions.clone()), |p| array::points(p, "points"))?;
    let (found, expected) = (points.len(), rig.mesh.positions.len());
    if found != expected {
        return Err(error::rendering(format!("{found} points, and the rig has {expected}")));
    }
    let weights = rig.weights.as_ref();
    if show == "weights" && weights.is_none() {
        return Err(error::rendering(format!("the rig \"{}\" has no weights to show", rig.name)));
    }
    if let Some(pose) = bones {
        crate::bound::check(rig, &pose.inner)?;
    }
    let size = [size.0, size.1];
    let picture = py.detach(|| -> PyResult<Picture> {
        let mut scene = character::scene(rig, &points);
        for surface in &mut scene.surfaces {
            surface.wire = wire.then_some(1.0);
            if plain {
                (surface.looks, surface.paint) = (Vec::new(), Paint::Looks);
            }
        }
        if let Some(weights) = weights.filter(|_| show == "weights") {
            let paint = character::weight_colors(weights);
            scene.surfaces.iter_mut().for_each(|s| s.paint = paint.clone());
            scene.points.iter_mut().for_each(|p| p.paint = paint.clone());
            let entries = Entries::Names(character::weight_names(rig, weights));
            scene.legends.push(Legend { title: "weights".into(), entries });
        }
        if let Some(pose) = bones {
            scene.bones.push(character::bones(rig, &Motion::of(rig, &pose.inner)));
        }
        let extent: Vec<Vec3> = scene.extent();
        if extent.is_empty() {
            return Err(error::rendering(format!("the rig \"{}\" has nothing to draw", rig.name)));
        }
        if let Some(text) = label {
            let height = (size[1] as f32 / 30.0).clamp(9.0, 40.0);
            scene.labels.push(Label { text, at: Anchor::Top, size: height });
        }
        let aspect = size[0].max(1) as f32 / size[1].max(1) as f32;
        // Legends have a margin of their own, so that they cover nothing.
        let margin = scene.legends.iter().map(|l| l.width(size) / size[0].max(1) as f32).fold(0.0, f32::max);
        let camera = Camera::framing(&extent, direction, aspect * (1.0 - margin), !orthographic);
        let mut view = View::new(camera.beside(margin, aspect), size);
        view.supersampling = samples;
        view.section = section.map(Vec4::from);
        view.background = background;
        Ok(cpu::render(&scene, &view).map_err(error::rendering)?.picture(channel, &view))
    })?;
    if let Some(path) = path {
        py.detach(|| picture.write(path)).map_err(error::writing)?;
    }
    let bytes: Vec<u8> = bytemuck::cast_slice(&picture.pixels).to_vec();
    PyArray1::from_vec(py, bytes).reshape([picture.height as usize, picture.width as usize, 4])
}
