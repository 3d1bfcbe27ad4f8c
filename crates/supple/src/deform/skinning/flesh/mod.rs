//! Flesh: skin follows the joints as delta mush has it, but keeps a twist, and what a bend squeezes out of one place comes out beside
//! it. Nearer to simulated flesh than any other method of one pass; smooth in space and time.
//!
//! Ours. The moments are those of B. H. Le, J. P. Lewis, *Direct delta mush skinning and variants*, ACM Transactions on Graphics 38(4),
//! 2019, gathered over lengths in radii of the limb instead of steps along edges.
//!
//! v' = x + δ n; x = R (v - p) + (1 - k) q + k d(p); q = Σ_j M'_j(b_j p + s_j); R = the rotation nearest to Σ_j M'_j S_j + M'_j(p) s_jᵀ
//!
//! | symbol | meaning | identifier |
//! |---|---|---|
//! | p, b_j, s_j, S_j | smoothed rest point; mass, first and second moments about it of the skin that joint j moves | `Moments` |
//! | M'_j | the joint's matrix without the part of its turn about the bone by which it differs from the blend of all | `Running::start` |
//! | d, k | dual quaternions, and their share: they stand in where linear blends collapse | `STAND_IN` |
//! | column | the tetrahedra between a triangle of the skin and its feet on the bones | `columns.rs` |
//! | δ | volume that the columns round a point have lost, over their area | `Running::put_back` |
//! | n | the smoothed normal | |
//!
//! Turns about the bone are left out of the linear blend, because that is where it shrinks skin; the rotation R, which has all of
//! them, still turns it. What is spread over the skin goes by patches (`patches.rs`).
//!
//! Skin meets skin (`deform/contact`) before what is lost is measured: what two limbs press out of each other comes out beside them
//! too. It moves skin from where it was before it met, and skin meets again.
//!
//! Where it fails: sliding of skin over the bone is not followed; beside creases bent past 130 degrees joints lay skin in small folds that
//! are seen.

mod columns;
mod moments;
mod patches;
mod rows;

use super::{delta_mush::rotation, packed::Packed, rigid_parts::RigidParts};
use crate::{
    deform::{
        BindError, Bound, Deformer, Frame, SettingError, Settings, State,
        contact::{Contact, Meeting},
        points_of,
        setting::{Checked, Setting},
    },
    math::{DualQuat, smoothstep},
    measure::Facing,
    parallel::{any, for_each_block},
    pose::Motion,
    rig::{ByPoint, Rig, Topology},
};
use columns::{Columns, axis, radii};
use glam::{DMat3, DVec3, Mat3A, Quat, Vec3, Vec3A, Vec4};
use moments::Moments;
use patches::Patches;
use rows::Rows;
use serde_json::json;
use std::sync::Arc;

const METHOD: &str = "flesh";
/// Points a thread takes at a time.
const BLOCK: usize = 256;
/// Patches a thread takes at a time.
const PATCHES: usize = 16;

/// Over how many radii lost volume comes out (its deviation): flesh is pushed out of a fold to its sides. Twice as near, limbs get
/// rings beside a crease; twice as far, a calf swells at the ankle.
const OUT: f64 = 1.6;
/// Over how many radii volume that is too much goes in, and areas and normals are smoothed.
const IN: f64 = 0.7;
/// Over how many radii the radius of a limb is smoothed.
const OF_RADIUS: f64 = 1.2;
/// Over how many radii feet are smoothed: columns of a crease must turn evenly.
const OF_FEET: f64 = 0.6;
/// Farthest that a point moves to put flesh back, in radii: a crease has lost more than its sides can take.
const FARTHEST: f32 = 0.3;
/// Least area, over that at rest, by which lost volume is divided: in a crease skin has hardly any.
const LEAST_AREA: f32 = 0.25;
/// Share of dual quaternions over what the blend of rotations is short of one. Three has knees nearest to simulated flesh, ten hips; the
/// outside of both is rounder the more there is.
const STAND_IN: f32 = 4.0;
/// Lengths of the blend of rotations at which dual quaternions are not to be trusted, and from which on they are: turns that cancel
/// have no blend.
const BLENDED: [f32; 2] = [0.3, 0.6];
/// A blend of rotations or a twist shorter than this has no direction.
const NOWHERE: f32 = 1e-6;

/// See the module.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flesh {
    /// Radii of the limb over which motions are smoothed (a deviation).
    pub smoothing: f64,
    /// Share of the lost volume that is put back.
    pub volume: f64,
    /// Whether skin stops where it meets other skin.
    pub contact: bool,
}

impl Default for Flesh {
    fn default() -> Self {
        Self::from_settings(&Settings::new()).expect("defaults are settings")
    }
}

impl Flesh {
    /// What can be set.
    pub const SETTINGS: &[Setting] = &[
        Setting::number("smoothing", 0.9, 0.0..=3.0, "how far along the skin a bend reaches").in_unit("radii"),
        Setting::number("volume", 1.0, 0.0..=1.5, "share of the volume lost in a bend that comes out beside it"),
        Setting::flag("contact", true, "skin stops where it meets other skin"),
    ];

    /// From saved settings.
    pub fn from_settings(settings: &Settings) -> Result<Self, SettingError> {
        let read = Checked::of(METHOD, Self::SETTINGS, settings)?;
        Ok(Self { smoothing: read.number("smoothing"), volume: read.number("volume"), contact: read.flag("contact") })
    }
}

impl Deformer for Flesh {
    fn method(&self) -> &'static str {
        METHOD
    }

    fn settings(&self) -> Settings {
        Settings::from_iter([
            ("smoothing".into(), json!(self.smoothing)),
            ("volume".into(), json!(self.volume)),
            ("contact".into(), json!(self.contact)),
        ])
    }

    fn bind(&self, rig: &Rig) -> Result<Arc<dyn Bound>, BindError> {
        Packed::of(METHOD, rig)?;
        if rig.mesh.triangles.is_empty() {
            return Err(BindError::NoTriangles { method: METHOD, rig: rig.name.clone() });
        }
        Ok(Arc::new(BoundFlesh::of(rig, self)))
    }
}

/// Flesh of one rig. All lengths are over its diagonal.
pub struct BoundFlesh {
    unit: f32,
    topology: Arc<Topology>,
    /// The triangles of each point.
    facets_of: ByPoint<u32>,
    moments: Moments,
    patches: Patches,
    out: Rows,
    inward: Rows,
    points: Vec<OfPoint>,
    /// Joints and weights of each point, as of its first vertex.
    weights: Vec<(u16, f32)>,
    first_weight: Vec<u32>,
    /// Each joint after its parent.
    parents: Vec<(usize, usize)>,
    volume: f32,
    contact: Option<Contact>,
    notes: Vec<String>,
    joints: usize,
}

/// What is known of a point at rest.
#[derive(Clone, Copy)]
struct OfPoint {
    foot: Vec3A,
    axis: Vec3A,
    radius: f32,
    area: f32,
}

/// A point with its foot, as they are posed.
#[derive(Clone, Copy, Default)]
struct Column {
    at: Vec3A,
    foot: Vec3A,
    /// By how much the joints that move it enlarge it.
    grown: f32,
}

/// A triangle with the tetrahedra to its feet.
#[derive(Clone, Copy, Default)]
struct Facet {
    volume: f32,
    /// Twice its area, along its normal.
    normal: Vec3A,
}

/// What is spread over the skin: volume that is missing and volume that is too much, over the area at rest; area, over that at
/// rest; normal of what is seen.
type Lost = [f32; 6];

impl BoundFlesh {
    fn of(rig: &Rig, method: &Flesh) -> Self {
        let (surface, facing) = (rig.surface(), Facing::of(&rig.mesh));
        let topology = facing.topology(rig);
        let unit = rig.diagonal();
        let small = 1.0 / f64::from(unit);
        let place = |&v: &u32| {
            let p = rig.mesh.positions[v as usize].as_dvec3();
            // One bad point must not spoil all that it is spread to.
            if p.is_finite() { p } else { DVec3::ZERO }
        };
        let rest: Vec<DVec3> = topology.weld.first_of.iter().map(place).collect();
        let columns = Columns::of(rig, &topology, &rest);
        let radii = radii(rig, &topology, &rest, &columns);
        // A point without area still has a say: less than any other.
        let areas: Vec<f64> =
            surface.laplacian().mass.iter().zip(&radii).map(|(area, r)| area.max(1e-6 * r * r)).collect();
        let patches = Patches::of(&topology, &rest, &areas, &radii);

        let radii = spread(&patches, &patches.kernel(OF_RADIUS), |i| [radii[i]]);
        let kernel = patches.kernel(OF_FEET);
        let feet = spread(&patches, &kernel, |i| columns.feet[i].to_array());
        let axes = spread(&patches, &kernel, |i| columns.axes[i].to_cols_array());

        let middle = rig.mesh.bounds().center().as_dvec3();
        let about: Vec<DVec3> = rest.iter().map(|p| (*p - middle) * small).collect();
        let mut moments = Moments::of(rig, &topology, &about, &patches, &patches.kernel(method.smoothing));
        moments.shift((middle * small).as_vec3());
        let weights = rig.weights.as_ref().expect("it was asked for them");
        let (mut flat, mut first_weight) = (Vec::new(), vec![0]);
        for &vertex in &topology.weld.first_of {
            let (joints, values) = weights.row(vertex as usize);
            flat.extend(joints.iter().copied().zip(values.iter().copied()));
            first_weight.push(flat.len() as u32);
        }
        let points = (0..rest.len()).map(|i| {
            let foot = columns.lengths[i].map_or(rest[i], |_| DVec3::from(feet[i]));
            OfPoint {
                foot: (foot * small).as_vec3a(),
                axis: axis(&DMat3::from_cols_array(&axes[i])).as_vec3a(),
                radius: (radii[i][0] * small) as f32,
                area: (areas[i] * small * small) as f32,
            }
        });
        let facets_of = ByPoint::of(topology.points(), || {
            (0u32..).zip(&topology.triangles).flat_map(|(t, corners)| corners.map(|i| (i, t)))
        });
        let (out, inward) = (patches.kernel(OUT), patches.kernel(IN));
        let points: Vec<OfPoint> = points.collect();
        let contact = method.contact.then(|| {
            let places = rest.iter().map(|at| (*at * small).as_vec3a());
            Contact::of(&facing.solid(rig), &places.collect::<Vec<_>>())
        });
        Self {
            unit,
            facets_of,
            moments,
            patches,
            out,
            inward,
            points,
            contact,
            weights: flat,
            first_weight,
            parents: parents_first(rig),
            volume: method.volume as f32,
            notes: facing.note().into_iter().collect(),
            joints: rig.skeleton.len(),
            topology,
        }
    }

    fn weights(&self, point: usize) -> &[(u16, f32)] {
        &self.weights[self.first_weight[point] as usize..self.first_weight[point + 1] as usize]
    }
}

/// What patches gather of all points, spread by a kernel, and given back to the points.
fn spread<const N: usize>(patches: &Patches, kernel: &Rows, of: impl Fn(usize) -> [f64; N]) -> Vec<[f64; N]> {
    let blend = |rows: &Rows, i: usize, value: &dyn Fn(usize) -> [f64; N]| {
        let mut sum = [0.0; N];
        for &(other, share) in rows.row(i) {
            let value = value(other as usize);
            (0..N).for_each(|k| sum[k] += f64::from(share) * value[k]);
        }
        sum
    };
    let gathered: Vec<_> = (0..patches.len()).map(|c| blend(&patches.of_patch, c, &of)).collect();
    let spread: Vec<_> = (0..patches.len()).map(|c| blend(kernel, c, &|d| gathered[d])).collect();
    (0..patches.of_point.len()).map(|i| blend(&patches.of_point, i, &|c| spread[c])).collect()
}

/// Every joint that has a parent, with it, parents first.
fn parents_first(rig: &Rig) -> Vec<(usize, usize)> {
    let joints = rig.skeleton.joints();
    let depth = |j: usize| std::iter::successors(joints[j].parent, |p| joints[*p].parent).take(joints.len()).count();
    let mut list: Vec<_> = (0..joints.len()).filter_map(|j| Some((depth(j), j, joints[j].parent?))).collect();
    list.sort_unstable();
    list.into_iter().map(|(_, joint, parent)| (joint, parent)).collect()
}

struct Running {
    bound: Arc<BoundFlesh>,
    parts: RigidParts,
    joints: Vec<OfJoint>,
    columns: Vec<Column>,
    facets: Vec<Facet>,
    lost: Vec<Lost>,
    gathered: Vec<Lost>,
    spread: Vec<Lost>,
    /// Points of the rest that volumes were last measured of, and those volumes.
    rest: Vec<Vec3>,
    volumes: Vec<f32>,
    meeting: Option<Meeting>,
    /// Points before they meet, and when they have.
    places: Vec<Vec3A>,
    met: Vec<Vec3A>,
}

/// A joint's motion in a frame, lengths over the diagonal.
#[derive(Clone, Copy)]
struct OfJoint {
    matrix: Mat3A,
    translation: Vec3A,
    motion: DualQuat,
    /// Determinant: by how much it enlarges.
    grown: f32,
}

impl Running {
    fn of(bound: Arc<BoundFlesh>) -> Self {
        let (points, patches) = (bound.points.len(), bound.patches.len());
        Self {
            parts: RigidParts::with_capacity(bound.joints),
            joints: Vec::with_capacity(bound.joints),
            columns: vec![Column::default(); points],
            facets: vec![Facet::default(); bound.topology.triangles.len()],
            lost: vec![Lost::default(); points],
            gathered: vec![Lost::default(); patches],
            spread: vec![Lost::default(); patches],
            rest: vec![Vec3::NAN; points],
            volumes: vec![0.0; points],
            meeting: bound.contact.as_ref().map(Contact::memory),
            places: vec![Vec3A::ZERO; points],
            met: vec![Vec3A::ZERO; points],
            bound,
        }
    }

    /// The motions of the joints, and whether any of them scales.
    fn update(&mut self, motion: &Motion) -> bool {
        let small = 1.0 / self.bound.unit;
        let scaled = self.parts.update(motion);
        self.joints.clear();
        self.joints.extend(motion.exact.iter().zip(&self.parts.motions).map(|(m, part)| OfJoint {
            matrix: m.matrix3.as_mat3().into(),
            translation: (m.translation / f64::from(self.bound.unit)).as_vec3a(),
            motion: DualQuat { real: part.real, dual: part.dual * small },
            grown: m.matrix3.determinant().abs() as f32,
        }));
        // A rotation and its negative are the same: along the tree, so that no vertex has to choose.
        for &(joint, parent) in &self.bound.parents {
            if self.joints[joint].motion.real.dot(self.joints[parent].motion.real) < 0.0 {
                let motion = &mut self.joints[joint].motion;
                *motion = DualQuat { real: -motion.real, dual: -motion.dual };
            }
        }
        scaled
    }

    /// Measures what columns hold at rest, where that has changed since.
    fn measure_rest(&mut self, rest: &[Vec3]) {
        let bound = &*self.bound;
        let first_of = &bound.topology.weld.first_of;
        // Not by equality of what is no number.
        let same = |a: Vec3, b: Vec3| a == b || !b.is_finite() && !a.is_finite();
        let changed = |i: usize| !same(self.rest[i], rest[first_of[i] as usize]) || self.rest[i].is_nan();
        if !any(first_of.len(), changed) {
            return;
        }
        let small = 1.0 / bound.unit;
        for ((at, column), (&v, of)) in
            self.rest.iter_mut().zip(&mut self.columns).zip(first_of.iter().zip(&bound.points))
        {
            *at = rest[v as usize];
            *column = Column { at: Vec3A::from(*at) * small, foot: of.foot, grown: 1.0 };
        }
        self.measure_facets();
        let (facets_of, facets) = (&self.bound.facets_of, &self.facets);
        for_each_block(&mut self.volumes, BLOCK, |first, block| {
            for (i, volume) in (first as u32..).zip(block) {
                *volume = facets_of.at(i).iter().map(|&t| facets[t as usize].volume).sum();
            }
        });
    }

    fn start<const SCALED: bool>(&mut self, rest: &[Vec3]) {
        let (bound, joints, stretches) = (&*self.bound, &self.joints, &self.parts.stretches);
        let small = 1.0 / bound.unit;
        for_each_block(&mut self.columns, BLOCK, |first, block| {
            for (i, column) in (first..).zip(block) {
                let at = Vec3A::from(rest[bound.topology.weld.first_of[i] as usize]) * small;
                let (mut foot, mut grown) = (Vec3A::ZERO, 0.0);
                for &(joint, w) in bound.weights(i) {
                    let joint = &joints[usize::from(joint)];
                    foot += w * (joint.matrix * bound.points[i].foot + joint.translation);
                    grown += w * joint.grown;
                }
                let at = bound.started::<SCALED>(joints, stretches, i, at);
                *column = Column { at, foot, grown };
            }
        });
    }

    fn measure_facets(&mut self) {
        let (triangles, columns) = (&self.bound.topology.triangles, &self.columns);
        for_each_block(&mut self.facets, BLOCK, |first, block| {
            for (t, facet) in triangles[first..].iter().zip(block) {
                let [a, b, c] = t.map(|i| columns[i as usize]);
                let normal = (b.at - a.at).cross(c.at - a.at);
                let from = |v: Vec3A| v - a.foot;
                let [q, r] = [b.foot, c.foot].map(from);
                let [x, y, z] = [a.at, b.at, c.at].map(from);
                // A prism of three tetrahedra, a third to each corner.
                let volume = q.dot(r.cross(z)) + q.dot(z.cross(y)) + y.dot(z.cross(x));
                *facet = Facet { volume: volume / 18.0, normal };
            }
        });
    }

    /// Takes what is hidden in other flesh to where skin meets skin; places keep where it was.
    fn meet(&mut self) {
        self.places.iter_mut().zip(&self.columns).for_each(|(place, column)| *place = column.at);
        let (Some(contact), Some(meeting)) = (&self.bound.contact, &mut self.meeting) else { return };
        self.met.copy_from_slice(&self.places);
        contact.meet(meeting, &mut self.met);
        self.columns.iter_mut().zip(&self.met).for_each(|(column, met)| column.at = *met);
    }

    /// Lays skin that has met on the other side.
    fn lay(&mut self) {
        let (Some(contact), Some(meeting)) = (&self.bound.contact, &mut self.meeting) else { return };
        contact.lay(meeting, &mut self.met);
        self.columns.iter_mut().zip(&self.met).for_each(|(column, met)| column.at = *met);
    }

    /// Moves skin from where it was before it met along the normals of what is seen, by what the columns round it have lost.
    fn put_back(&mut self) {
        self.measure_facets();
        let (bound, facets, columns, volumes) = (&*self.bound, &self.facets, &self.columns, &self.volumes);
        let hidden = |i: usize| self.meeting.as_ref().map_or(0.0, |meeting| f32::from(meeting.is_hidden(i)));
        for_each_block(&mut self.lost, BLOCK, |first, block| {
            for (i, lost) in (first..).zip(block) {
                let (mut volume, mut area, mut normal) = (0.0, 0.0, Vec3A::ZERO);
                for &t in bound.facets_of.at(i as u32) {
                    let facet = &facets[t as usize];
                    volume += facet.volume;
                    area += facet.normal.length() / 6.0;
                    normal += facet.normal;
                }
                let over = 1.0 / bound.points[i].area;
                let by = (volumes[i] * columns[i].grown - volume) * over;
                let [x, y, z] = ((1.0 - hidden(i)) * normal.normalize_or_zero()).to_array();
                let found = [by.max(0.0), by.min(0.0), area * over, x, y, z];
                *lost = if found.iter().all(|x| x.is_finite()) { found } else { Lost::default() };
            }
        });
        let lost = &self.lost;
        for_each_block(&mut self.gathered, PATCHES, |first, block| {
            for (patch, gathered) in (first..).zip(block) {
                *gathered = bound.patches.of_patch.blend(patch, |i| lost[i as usize]);
            }
        });
        let gathered = &self.gathered;
        for_each_block(&mut self.spread, PATCHES, |first, block| {
            for (patch, spread) in (first..).zip(block) {
                let [out] = bound.out.blend(patch, |p| [gathered[p as usize][0]]);
                let [inward, area] = bound.inward.blend(patch, |p| [gathered[p as usize][1], gathered[p as usize][2]]);
                let [.., x, y, z] = gathered[patch];
                *spread = [out, inward, area, x, y, z];
            }
        });
        let (spread, places) = (&self.spread, &self.places);
        for_each_block(&mut self.columns, BLOCK, |first, block| {
            for (i, column) in (first..).zip(block) {
                let [out, inward, area, x, y, z] = bound.patches.of_point.blend(i, |p| spread[p as usize]);
                let most = FARTHEST * bound.points[i].radius;
                let by = (bound.volume * (out + inward) / area.max(LEAST_AREA)).clamp(-most, most);
                // Where little is seen the normals round a point are short, and it moves the less.
                column.at = places[i] + by * Vec3A::new(x, y, z);
            }
        });
    }
}

impl BoundFlesh {
    #[inline(always)]
    fn started<const SCALED: bool>(&self, joints: &[OfJoint], stretches: &[Mat3A], point: usize, at: Vec3A) -> Vec3A {
        let (row, center) = self.moments.row(point);
        let (center, OfPoint { foot, axis, .. }) = (Vec3A::from(center), self.points[point]);
        let arm = at - center;
        let mut blend = DualQuat { real: Vec4::ZERO, dual: Vec4::ZERO };
        for influence in row {
            let motion = &joints[influence.joint as usize].motion;
            blend.real += influence.share * motion.real;
            blend.dual += influence.share * motion.dual;
        }
        let length = blend.real.length();
        let back = (length > NOWHERE).then(|| Quat::from_vec4(blend.real / length).conjugate());
        let mut turned = Mat3A::ZERO;
        let (mut moved, mut stretched) = (Vec3A::ZERO, Vec3A::ZERO);
        let mut origin = None;
        for influence in row {
            let joint = &joints[influence.joint as usize];
            let own = Quat::from_vec4(joint.motion.real);
            let untwist = back.map_or(Quat::IDENTITY, |back| twist(back * own, axis).conjugate());
            let untwist = Mat3A::from_quat(untwist);
            let matrix = joint.matrix * untwist;
            let to = joint.matrix * foot + matrix * (center - foot) + joint.translation;
            // The first moments sum to zero, so that any point may be taken off: one near by loses no digits.
            let from = to - *origin.get_or_insert(to);
            let [xx, xy, xz, yy, yz, zz] = influence.second;
            let s = Vec3A::from(influence.first);
            let mut rotation = matrix;
            if SCALED {
                let stretch = stretches[influence.joint as usize] * untwist;
                rotation -= stretch;
                stretched += influence.share * (stretch * arm);
            }
            turned.x_axis += rotation * Vec3A::new(xx, xy, xz) + from * s.x;
            turned.y_axis += rotation * Vec3A::new(xy, yy, yz) + from * s.y;
            turned.z_axis += rotation * Vec3A::new(xz, yz, zz) + from * s.z;
            moved += matrix * s + influence.share * from;
        }
        let linear = moved + origin.unwrap_or(Vec3A::ZERO);
        let share = (STAND_IN * (1.0 - length)).clamp(0.0, 1.0) * smoothstep(BLENDED, length);
        let carried =
            if share > 0.0 { linear.lerp(blend.transform_point(center.into()).into(), share) } else { linear };
        rotation::turn(&turned, arm) + carried + stretched
    }
}

/// The part of a rotation that turns about an axis.
#[inline(always)]
fn twist(rotation: Quat, axis: Vec3A) -> Quat {
    let along = axis.dot(Vec3A::new(rotation.x, rotation.y, rotation.z));
    let about = (along * axis).extend(rotation.w);
    let length = about.length();
    if length > NOWHERE { Quat::from_vec4(about / length) } else { Quat::IDENTITY }
}

impl Bound for BoundFlesh {
    fn state(self: Arc<Self>) -> Box<dyn State> {
        Box::new(Running::of(self))
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn bytes_per_frame(&self) -> usize {
        let rows = [&self.patches.of_point, &self.patches.of_patch, &self.out, &self.inward];
        let points = self.points.len() * (size_of::<OfPoint>() + 2 * size_of::<Vec3>() + 3 * size_of::<Column>());
        let lists = self.topology.triangles.len() * (12 + 2 * size_of::<Facet>()) + self.weights.len() * 8;
        points + lists + self.moments.bytes() + rows.map(Rows::bytes).iter().sum::<usize>()
    }
}

impl State for Running {
    fn run(&mut self, frame: &Frame<'_>, out: &mut [f32]) {
        let (rest, out) = (frame.inputs[0].points(), points_of(out));
        let puts_back = self.bound.volume > 0.0;
        if puts_back {
            self.measure_rest(rest);
        }
        if self.update(frame.motion) {
            self.start::<true>(rest);
        } else {
            self.start::<false>(rest);
        }
        if puts_back {
            self.meet();
            self.put_back();
        }
        self.meet();
        self.lay();
        let (columns, bound) = (&self.columns, &*self.bound);
        for_each_block(out, super::BLOCK, |first, block| {
            for (out, &point) in block.iter_mut().zip(&bound.topology.weld.welded_of[first..]) {
                *out = (bound.unit * columns[point as usize].at).into();
            }
        });
    }
}
