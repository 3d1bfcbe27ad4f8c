//! `--show field`: a plane through the volumes of the limbs.

use crate::{
    args::{Backdrop, Render, Show},
    console::Console,
    drawing::Drawer,
    joints,
};
use anyhow::{Result, anyhow};
use glam::{DVec3, Vec3};
use supple::{
    deform::implicit::Implicit,
    field::{Bend, Body, compose::Posed},
    graph::DeformGraph,
    pose::Motion,
    rig::Rig,
};
use supple_render::{
    Anchor, Background, Camera, Channel, ColorMap, Entries, FieldSection, Label, Legend, Picture, Projection, Scene,
    View, annotate, character,
};

/// Half the height of a picture round a joint, over the longer of its two bones.
const AROUND: f64 = 0.62;
/// How much of the field hides the skin behind it.
const OVER: f32 = 0.7;

/// A rig in a pose, to be cut.
pub struct Cut<'a> {
    pub rig: &'a Rig,
    pub graph: &'a DeformGraph,
    pub points: &'a [Vec3],
    pub motion: &'a Motion,
    pub size: [u32; 2],
    pub samples: u32,
}

impl Cut<'_> {
    pub fn picture(
        &self,
        mut scene: Scene,
        arguments: &Render,
        drawer: &mut Drawer,
        console: &Console,
    ) -> Result<Picture> {
        // A method without volumes is shown in those that implicit skinning would have.
        let implicit = Implicit::in_graph(self.graph).unwrap_or_default();
        let volume = implicit.volume(self.rig)?;
        let mut posed = Posed::of(&volume.body);
        posed.update(&volume.body, self.motion);
        let elbow = self.elbow(&volume.body, arguments.joint.as_deref())?;
        let asked = arguments.plane.as_deref().map(asked).transpose()?.unwrap_or_default();
        let normal = asked.normal.unwrap_or_else(|| elbow.as_ref().map_or(DVec3::Z, Bend::normal));
        let middle = middle(self.points);
        let through = asked.point.or(elbow.as_ref().map(|e| e.at)).unwrap_or(middle) + normal * asked.offset;
        let plane = normal.extend(-normal.dot(through)).as_vec4();
        let above = |p: &&Vec3| plane.dot(p.extend(1.0)) > 0.0;
        if matches!(self.points.iter().filter(above).count(), n if n == 0 || n == self.points.len()) {
            console
                .warn("supple: warning: the plane meets no skin: --plane moves it, through another joint with --joint");
        }
        let entries = Entries::Scale { map: ColorMap::Field, ends: ["0", "0.5", "1"].map(str::to_owned) };
        let legend = Legend { title: "field".into(), entries };
        let around = elbow.filter(|_| asked.point.is_none());
        let mut view = View::new(self.camera(normal, through, around.as_ref(), &legend), self.size);
        view.supersampling = self.samples;
        view.background = match arguments.background {
            Backdrop::Light => Background::Light,
            Backdrop::Dark => Background::Dark,
        };
        let behind = arguments.show.contains(&Show::Shaded) || arguments.show.contains(&Show::Wire);
        let mut picture = if behind {
            let view = View { section: Some(plane), ..view };
            drawer.draw(&scene, &view, console)?.picture(Channel::Color, &view)
        } else {
            view.check()?;
            Picture::new(self.size[0], self.size[1], view.background.color())
        };
        let section = FieldSection { body: &volume.body, posed: &posed, plane };
        section.paint(&view, &mut picture, if behind { OVER } else { 1.0 });
        scene.surfaces.iter().for_each(|s| section.skin(s, &view, &mut picture));
        section.bones(&character::bones(self.rig, self.motion), &view, &mut picture);
        scene.legends.push(legend);
        if let Some(text) = &arguments.label {
            let height = (self.size[1] as f32 / 30.0).clamp(9.0, 40.0);
            scene.labels.push(Label { text: text.clone(), at: Anchor::Top, size: height });
        }
        annotate::words(&scene, &view, &mut picture);
        Ok(picture)
    }

    /// The joint of that name; without one, the joint between two limbs that has turned most.
    fn elbow(&self, body: &Body, name: Option<&str>) -> Result<Option<Bend>> {
        let Some(name) = name else { return Ok(body.bend(None, self.motion)) };
        let joint = joints::named(&self.rig.skeleton, "--joint", name)?;
        let found = body.bend(Some(joint), self.motion);
        found.map(Some).ok_or_else(|| anyhow!("--joint: there are no two volumes at joint \"{name}\" to cut"))
    }

    /// Square to the plane: round a joint, or all of the skin.
    fn camera(&self, normal: DVec3, through: DVec3, around: Option<&Bend>, legend: &Legend) -> Camera {
        let towards = normal.as_vec3();
        let up = if towards.y.abs() > 0.99 { Vec3::NEG_Z } else { Vec3::Y };
        let aspect = self.size[0] as f32 / self.size[1].max(1) as f32;
        let margin = legend.width(self.size) / self.size[0].max(1) as f32;
        let camera = match around {
            None => {
                let camera = Camera::framing_from(self.points, towards, up, aspect * (1.0 - margin), false);
                // The plane may lie before all of the skin.
                Camera {
                    near: 1e-3 * camera.far,
                    far: camera.far * 4.0,
                    eye: camera.eye + towards * camera.far,
                    ..camera
                }
            }
            Some(elbow) => {
                let radius = AROUND * elbow.length;
                let middle = through + (elbow.along[0] + elbow.along[1]) * 0.35 * radius;
                let target = middle.as_vec3();
                let depth = 4.0 * self.rig.diagonal();
                let height = (2.0 * radius) as f32;
                let projection = Projection::Orthographic { height };
                Camera { eye: target + towards * 0.5 * depth, target, up, projection, near: 1e-3 * depth, far: depth }
            }
        };
        camera.beside(margin, aspect)
    }
}

fn middle(points: &[Vec3]) -> DVec3 {
    let finite = || points.iter().filter(|p| p.is_finite()).copied();
    let (low, high) = (finite().reduce(Vec3::min), finite().reduce(Vec3::max));
    low.zip(high).map_or(DVec3::ZERO, |(l, h)| 0.5 * (l.as_dvec3() + h.as_dvec3()))
}

/// What `--plane` says.
#[derive(Debug, Default, PartialEq)]
struct Asked {
    /// None is the plane of the bend.
    normal: Option<DVec3>,
    offset: f64,
    point: Option<DVec3>,
}

/// `NORMAL[=OFFSET][@POINT]`.
fn asked(word: &str) -> Result<Asked> {
    let bad =
        || anyhow!("--plane {word}: expected bend, x, y, z or NX,NY,NZ, then =OFFSET and @X,Y,Z, as in z=0.2@0,1,0");
    let three = |text: &str| {
        let numbers: Vec<f64> = text.split(',').map(|x| x.trim().parse().ok()).collect::<Option<_>>()?;
        let [x, y, z] = numbers[..] else { return None };
        Some(DVec3::new(x, y, z)).filter(|v| v.is_finite())
    };
    let (rest, point) = match word.split_once('@') {
        Some((rest, point)) => (rest, Some(three(point).ok_or_else(bad)?)),
        None => (word, None),
    };
    let (normal, offset) = rest.split_once('=').unwrap_or((rest, "0"));
    let offset: f64 = offset.trim().parse().ok().filter(|o: &f64| o.is_finite()).ok_or_else(bad)?;
    let normal = match normal.trim() {
        "bend" => None,
        "x" => Some(DVec3::X),
        "y" => Some(DVec3::Y),
        "z" => Some(DVec3::Z),
        other => Some(three(other).and_then(DVec3::try_normalize).ok_or_else(bad)?),
    };
    Ok(Asked { normal, offset, point })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_is_read_from_words() {
        let plane = |word: &str| asked(word).unwrap();
        assert_eq!(plane("bend"), Asked::default());
        assert_eq!(plane("z=-0.5"), Asked { normal: Some(DVec3::Z), offset: -0.5, point: None });
        let skew = plane("0,3,4=1@1,2,3");
        assert!(skew.normal.unwrap().abs_diff_eq(DVec3::new(0.0, 0.6, 0.8), 1e-12));
        assert_eq!(skew.point, Some(DVec3::new(1.0, 2.0, 3.0)));
        for word in ["w", "x=", "x=y", "0,0,0", "1,2", "x@1,2", "x=inf"] {
            assert!(asked(word).unwrap_err().to_string().contains("expected bend"), "{word}");
        }
    }
}
