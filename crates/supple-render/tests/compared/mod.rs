//! How far the buffers of two renderers are apart, and how far they may be.

use supple_render::{Buffers, View};

/// Of two sets of buffers. Everything but `ids` and the picture is over pixels that show the same triangle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Difference {
    /// Part of all pixels that show another triangle.
    pub ids: f64,
    /// The largest, of z / w.
    pub depth: f32,
    /// The largest, in pixels on the screen: weights of a sliver say little, places on it do.
    pub position: f32,
    /// Mean of the larger of the two weights' differences.
    pub barycentric: f64,
    /// Part of the pixels whose weights are more than 0.01 apart.
    pub barycentric_off: f64,
    /// Mean distance between normals.
    pub normal: f64,
    /// Part of the pixels whose normals are more than 0.02 apart.
    pub normal_off: f64,
    /// Mean of light and curvature.
    pub light: f64,
    /// Mean over all channels of all pixels, in 255ths.
    pub color: f64,
    /// Part of all pixels with a channel more than 8/255 off.
    pub color_off: f64,
}

impl Difference {
    pub fn of(one: &Buffers, other: &Buffers, view: &View) -> Self {
        let n = one.id.len();
        assert_eq!((one.width, one.height, n), (other.width, other.height, other.id.len()));
        let mut d = Self::default();
        let mut same = 0.0;
        for i in 0..n {
            let apart = |a: u8, b: u8| f64::from(a.abs_diff(b));
            let channels = [0, 1, 2].map(|c| apart(one.color[i][c], other.color[i][c]));
            d.color += channels.iter().sum::<f64>() / 3.0 / n as f64;
            d.color_off += f64::from(channels.iter().any(|&c| c > 8.0)) / n as f64;
            if one.id[i] != other.id[i] {
                d.ids += 1.0 / n as f64;
                continue;
            }
            assert_eq!(one.color[i][3], other.color[i][3]);
            if one.id[i] == 0 {
                let nothing = |b: &Buffers| (b.depth[i], b.position[i], b.normal[i], b.barycentric[i], b.light[i]);
                assert_eq!(nothing(one), nothing(other));
                continue;
            }
            same += 1.0;
            let pixel = view.camera.pixel_size(one.position[i], one.height);
            d.depth = d.depth.max((one.depth[i] - other.depth[i]).abs());
            d.position = d.position.max(one.position[i].distance(other.position[i]) / pixel);
            let barycentric = (one.barycentric[i] - other.barycentric[i]).abs().max_element();
            d.barycentric += f64::from(barycentric);
            d.barycentric_off += f64::from(barycentric > 0.01);
            let normal = one.normal[i].distance(other.normal[i]);
            d.normal += f64::from(normal);
            d.normal_off += f64::from(normal > 0.02);
            d.light += f64::from((one.light[i] - other.light[i]).abs().max_element());
            // A difference that is not a number would be lost in the largest.
            assert!(other.position[i].is_finite() && other.normal[i].is_finite() && other.depth[i].is_finite());
        }
        for sum in [&mut d.barycentric, &mut d.barycentric_off, &mut d.normal, &mut d.normal_off, &mut d.light] {
            *sum /= f64::max(same, 1.0);
        }
        d
    }

    /// What is beyond the limits. On a software driver one pixel in 7,000 shows another triangle, depth is 1.4e-6 off,
    /// places are 8e-5 pixels off, and no colour by more than one step; cards may round edges otherwise.
    pub fn faults(&self) -> Vec<String> {
        let limits = [
            ("ids", self.ids, 0.005),
            ("depth", self.depth.into(), 2e-5),
            ("position", self.position.into(), 0.01),
            ("barycentric", self.barycentric, 1e-4),
            ("barycentric off", self.barycentric_off, 0.005),
            ("normal", self.normal, 1e-4),
            ("normal off", self.normal_off, 0.005),
            ("light", self.light, 1e-3),
            ("color", self.color, 1.0),
            ("color off", self.color_off, 0.005),
        ];
        limits
            .iter()
            .filter(|(_, is, most)| is.is_nan() || is > most)
            .map(|(what, is, most)| format!("{what}: {is} > {most}"))
            .collect()
    }
}
