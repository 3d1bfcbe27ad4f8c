use crate::json;
use glam::DVec3;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Spheres joined by bones: each bone is the hull of its two spheres. Model of a body for point sets.
///
/// JSON form: `{"format": "supple-sphere-mesh", "version": 1, "spheres": [{"name", "center", "radius"}],
/// "bones": [[a, b]]}`; the schema is `docs/schema/sphere-mesh.json`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SphereMesh {
    /// The spheres.
    pub spheres: Vec<Sphere>,
    /// Pairs of spheres, parent first where there is a parent.
    pub bones: Vec<[u32; 2]>,
}

/// One ball of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sphere {
    /// For people; may be empty.
    #[serde(default)]
    pub name: String,
    /// Centre.
    pub center: DVec3,
    /// Radius, more than zero.
    pub radius: f64,
}

/// Where a point is over a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Height {
    /// Distance to the surface of the nearest bone, negative inside.
    pub height: f64,
    /// That bone.
    pub bone: usize,
    /// Its radius there.
    pub radius: f64,
}

/// Why numbers do not make a sphere-mesh.
#[derive(Debug, Error)]
pub enum SphereMeshError {
    /// Not the JSON form.
    #[error("not a sphere-mesh: {}", json::plain(.0))]
    Json(#[from] serde_json::Error),
    /// Another kind of JSON file.
    #[error("format is \"{0}\", expected \"supple-sphere-mesh\"")]
    Format(String),
    /// Made by a newer program, or by none.
    #[error("version {0} is not one this program understands (1)")]
    Version(u32),
    /// Radii must be finite and positive, centres finite.
    #[error("sphere {index} has radius {radius} at {center}: radii must be positive and finite")]
    BadSphere {
        /// Which.
        index: usize,
        /// Its radius.
        radius: f64,
        /// Its centre.
        center: DVec3,
    },
    /// A bone names a sphere that is not there.
    #[error("bone {index} joins spheres {a} and {b}, but there are {spheres}")]
    BadBone {
        /// Which.
        index: usize,
        /// First end.
        a: u32,
        /// Second end.
        b: u32,
        /// How many spheres there are.
        spheres: usize,
    },
    /// Methods go from bone to bone.
    #[error("the sphere-mesh has no bones")]
    NoBones,
    /// A bone without a direction.
    #[error("bone {index} from sphere {a} to sphere {b} has no length")]
    NoLength {
        /// Which.
        index: usize,
        /// First end.
        a: u32,
        /// Second end.
        b: u32,
    },
    /// A bone whose spheres have no cone in common.
    #[error("bone {index}: sphere {inner} lies inside sphere {outer}")]
    Inside {
        /// Which.
        index: usize,
        /// The smaller sphere.
        inner: u32,
        /// The larger one.
        outer: u32,
    },
    /// Bones that lead back to where they start.
    #[error("bone {index} from sphere {a} to sphere {b} closes a cycle: bones must make a tree")]
    Cycle {
        /// Which.
        index: usize,
        /// First end.
        a: u32,
        /// Second end.
        b: u32,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    format: String,
    version: u32,
    spheres: Vec<Sphere>,
    bones: Vec<[u32; 2]>,
}

impl SphereMesh {
    /// Checks the numbers.
    pub fn new(spheres: Vec<Sphere>, bones: Vec<[u32; 2]>) -> Result<Self, SphereMeshError> {
        for (index, s) in spheres.iter().enumerate() {
            if !(s.center.is_finite() && s.radius.is_finite() && s.radius > 0.0) {
                return Err(SphereMeshError::BadSphere { index, radius: s.radius, center: s.center });
            }
        }
        for (index, &[a, b]) in bones.iter().enumerate() {
            let count = spheres.len();
            if a == b || a as usize >= count || b as usize >= count {
                return Err(SphereMeshError::BadBone { index, a, b, spheres: count });
            }
        }
        Ok(Self { spheres, bones })
    }

    /// Reads the JSON form.
    pub fn from_json(text: &str) -> Result<Self, SphereMeshError> {
        let document: Document = serde_json::from_str(text)?;
        if document.format != "supple-sphere-mesh" {
            return Err(SphereMeshError::Format(document.format));
        }
        if document.version != 1 {
            return Err(SphereMeshError::Version(document.version));
        }
        Self::new(document.spheres, document.bones)
    }

    /// Writes the JSON form.
    pub fn to_json(&self) -> String {
        let document = Document {
            format: "supple-sphere-mesh".into(),
            version: 1,
            spheres: self.spheres.clone(),
            bones: self.bones.clone(),
        };
        serde_json::to_string_pretty(&document).expect("plain data")
    }

    /// Height of a point over the model: the signed distance to the nearest bone. None without bones.
    ///
    /// With u the unit axis, h and ρ the place along and off it, sin β = (r₁ - r₂) / l: the foot is at
    /// s = clamp(h - ρ tan β, 0, l), and the height |p - C(s)| - r(s).
    pub fn height(&self, p: DVec3) -> Option<Height> {
        let over = |(bone, &[a, b]): (usize, &[u32; 2])| {
            let (a, b) = (&self.spheres[a as usize], &self.spheres[b as usize]);
            let length = a.center.distance(b.center);
            let sine = (a.radius - b.radius) / length;
            let s = if length > 0.0 && sine.abs() < 1.0 {
                let axis = (b.center - a.center) / length;
                let along = (p - a.center).dot(axis);
                let off = (p - a.center - axis * along).length();
                (along - off * sine / (1.0 - sine * sine).sqrt()).clamp(0.0, length) / length
            } else {
                // One sphere holds the other: only the larger is seen.
                f64::from(u8::from(b.radius > a.radius))
            };
            let radius = a.radius + (b.radius - a.radius) * s;
            Height { height: p.distance(a.center.lerp(b.center, s)) - radius, bone, radius }
        };
        self.bones.iter().enumerate().map(over).min_by(|a, b| a.height.total_cmp(&b.height))
    }

    /// Bones one of whose spheres lies inside the other: they have no cone, and methods refuse them.
    pub fn swallowed(&self) -> impl Iterator<Item = usize> + '_ {
        self.bones.iter().enumerate().filter_map(|(i, &[a, b])| {
            let (a, b) = (&self.spheres[a as usize], &self.spheres[b as usize]);
            ((a.radius - b.radius).abs() >= a.center.distance(b.center)).then_some(i)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ball(x: f64, radius: f64) -> Sphere {
        Sphere { name: String::new(), center: DVec3::X * x, radius }
    }

    #[test]
    fn json_there_and_back() {
        let model = SphereMesh::new(vec![ball(0.0, 1.0), ball(3.0, 0.5)], vec![[0, 1]]).unwrap();
        assert_eq!(SphereMesh::from_json(&model.to_json()).unwrap(), model);
    }

    #[test]
    fn bad_numbers_are_named() {
        assert!(SphereMesh::new(vec![ball(0.0, -0.1)], vec![]).unwrap_err().to_string().contains("sphere 0"));
        assert!(SphereMesh::new(vec![ball(0.0, 0.1)], vec![[0, 4]]).unwrap_err().to_string().contains("bone 0"));
        assert!(SphereMesh::from_json("{}").is_err());
    }

    #[test]
    fn heights_are_distances_to_the_hull_of_the_spheres() {
        let model = SphereMesh::new(vec![ball(0.0, 1.0), ball(3.0, 0.5)], vec![[0, 1]]).unwrap();
        let at = |x: f64, y: f64| model.height(DVec3::new(x, y, 0.0)).unwrap().height;
        assert!((at(-3.0, 0.0) - 2.0).abs() < 1e-12);
        assert!((at(5.0, 0.0) - 1.5).abs() < 1e-12);
        // Against the nearest of many spheres along the bone, which is what the hull is made of.
        for (x, y) in [(1.5, 2.0), (0.4, 1.1), (2.7, 0.2), (3.2, 0.9)] {
            let sphere = |i: u32| {
                let s = f64::from(i) / 1e5;
                DVec3::new(x, y, 0.0).distance(DVec3::X * (3.0 * s)) - (1.0 - 0.5 * s)
            };
            let nearest = (0..=100_000).map(sphere).fold(f64::INFINITY, f64::min);
            assert!((at(x, y) - nearest).abs() < 1e-6, "{x} {y}: {} and {nearest}", at(x, y));
        }
    }

    #[test]
    fn swallowed_bones_are_found() {
        let model = SphereMesh::new(vec![ball(0.0, 1.0), ball(0.4, 0.1)], vec![[0, 1]]).unwrap();
        assert_eq!(model.swallowed().collect::<Vec<_>>(), [0]);
    }
}
