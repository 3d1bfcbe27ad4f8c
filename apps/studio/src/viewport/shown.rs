use super::{
    Coat, Look, Skin, Viewport,
    params::{FACES, LookParams, MATERIAL, PLAIN, VERTICES},
    stamp::Stamp,
};
use glam::{Vec3, Vec4};
use supple::rig::CREASE_DEGREES;
use supple_gpu::{Gpu, GpuError, GpuNormals, Shading, wgpu};
use supple_render::{Background, Paint};
use wgpu::BufferUsages;

/// What of a skin moves, for one pane: its points, their normals, its colours.
pub struct Shown {
    gpu: Gpu,
    points: wgpu::Buffer,
    is_own: bool,
    normals: Option<GpuNormals>,
    colors: wgpu::Buffer,
    pub(super) group: wgpu::BindGroup,
    painted: Option<Painted>,
    /// Stored normals of points hold only where the points are those of the file.
    at_rest: bool,
    counts: [u32; 2],
    pub(super) stamp: Stamp,
}

#[derive(Clone, Copy, PartialEq)]
enum Painted {
    Vertices,
    Faces,
}

const CREASED: Shading = Shading::Creased(CREASE_DEGREES);

impl Shown {
    /// Points that live in a buffer of somebody else, three floats a vertex, such as that of
    /// [`Engine::points_on_device`](supple_gpu::Engine::points_on_device). Call [`Shown::moved`] when it was filled anew.
    pub fn of_buffer(viewport: &Viewport, skin: &Skin, points: &wgpu::Buffer) -> Result<Self, GpuError> {
        Self::make(viewport, skin, points.clone(), false)
    }

    /// Points that are sent from here with [`Shown::set_points`]; those at rest until then.
    pub fn new(viewport: &Viewport, skin: &Skin) -> Result<Self, GpuError> {
        let points = viewport.gpu.storage("points", &skin.rest)?;
        let mut shown = Self::make(viewport, skin, points, true)?;
        shown.at_rest = true;
        Ok(shown)
    }

    fn make(viewport: &Viewport, skin: &Skin, points: wgpu::Buffer, is_own: bool) -> Result<Self, GpuError> {
        let gpu = &viewport.gpu;
        let most = u64::from(skin.counts[0].max(skin.counts[1]));
        let colors = gpu.room("colours", most * 12, BufferUsages::STORAGE | BufferUsages::COPY_DST)?;
        let normals = match skin.is_point_set() {
            true => None,
            false => Some(GpuNormals::new(gpu, &skin.normals, &points)?),
        };
        let used = normals.as_ref().map_or(&skin.disc_normals, |n| n.normals(CREASED));
        let buffers = [&points, used, &colors, &skin.triangles, &skin.uvs, &skin.own_colors, &skin.draft];
        let mut entries = Vec::new();
        for (i, buffer) in buffers.into_iter().enumerate() {
            entries.push(wgpu::BindGroupEntry { binding: i as u32, resource: buffer.as_entire_binding() });
        }
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("shown"),
            layout: &viewport.layouts.mesh,
            entries: &entries,
        });
        let gpu = gpu.clone();
        let (painted, at_rest, counts, stamp) = (None, false, skin.counts, Stamp::new());
        let shown = Self { gpu, points, is_own, normals, colors, group, painted, at_rest, counts, stamp };
        shown.moved()?;
        Ok(shown)
    }

    /// Sends points, one for each vertex of the skin.
    ///
    /// # Panics
    /// When there are not as many as the skin has, or when the points are somebody else's.
    pub fn set_points(&mut self, points: &[Vec3]) -> Result<(), GpuError> {
        assert_eq!(points.len(), self.counts[0] as usize, "the points are those of another skin");
        assert!(self.is_own, "these points are filled by a graph");
        self.gpu.queue.write_buffer(&self.points, 0, bytemuck::cast_slice(points));
        self.at_rest = false;
        self.moved()
    }

    /// Computes the normals of the points as they are on the device after the work sent so far.
    pub fn moved(&self) -> Result<(), GpuError> {
        self.stamp.renew();
        self.normals.as_ref().map_or(Ok(()), |normals| normals.run(CREASED))
    }

    /// Milliseconds that the last normals took by the device's clock, where it has one. Waits.
    pub fn normals_time(&self) -> Result<Option<f64>, GpuError> {
        self.normals.as_ref().map_or(Ok(None), GpuNormals::time)
    }

    /// The colours that [`Coat::Colors`] shows.
    ///
    /// # Panics
    /// When there are not as many as the skin has vertices or triangles.
    pub fn paint(&mut self, paint: &Paint) {
        let [vertices, triangles] = self.counts.map(|c| c as usize);
        let filled;
        let (painted, colors) = match paint {
            Paint::Looks => (None, &[][..]),
            Paint::Uniform(color) => {
                filled = vec![*color; vertices];
                (Some(Painted::Vertices), &filled[..])
            }
            Paint::Vertices(colors) => {
                assert_eq!(colors.len(), vertices, "a colour for each vertex");
                (Some(Painted::Vertices), &colors[..])
            }
            Paint::Faces(colors) => {
                assert_eq!(colors.len(), if triangles == 0 { vertices } else { triangles }, "a colour for each face");
                (Some(Painted::Faces), &colors[..])
            }
        };
        self.painted = painted;
        self.stamp.renew();
        self.gpu.queue.write_buffer(&self.colors, 0, bytemuck::cast_slice(colors));
    }

    /// Other colours for a run of vertices, for brushes that change few.
    ///
    /// # Panics
    /// When the run does not lie within the skin, or when faces were painted.
    pub fn paint_vertices(&mut self, first: usize, colors: &[Vec3]) {
        assert!(first + colors.len() <= self.counts[0] as usize, "the run is longer than the skin");
        assert!(self.painted == Some(Painted::Vertices), "the whole is painted by vertices first");
        self.stamp.renew();
        self.gpu.queue.write_buffer(&self.colors, first as u64 * 12, bytemuck::cast_slice(colors));
    }

    pub(super) fn points(&self) -> &wgpu::Buffer {
        &self.points
    }

    pub(super) fn is_painted(&self) -> bool {
        self.painted.is_some()
    }

    /// The uniform of a look.
    pub(super) fn look(&self, skin: &Skin, look: &Look, background: Background) -> LookParams {
        let (coat, color) = match (look.coat, self.painted) {
            (Coat::Material, _) | (Coat::Colors, None) => (MATERIAL, Vec3::ONE),
            (Coat::Plain(color), _) => (PLAIN, color),
            (Coat::Colors, Some(Painted::Vertices)) => (VERTICES, Vec3::ONE),
            (Coat::Colors, Some(Painted::Faces)) => (FACES, Vec3::ONE),
        };
        let wire_color = match background {
            Background::Light => Vec4::new(0.012, 0.012, 0.014, 0.75),
            Background::Dark => Vec4::new(0.005, 0.005, 0.006, 0.85),
        };
        LookParams {
            color: color.extend(look.opacity.clamp(0.0, 1.0)),
            wire_color,
            width: look.wire.unwrap_or(0.0).max(0.0),
            coat,
            mark_inside: look.mark_inside.into(),
            radius: skin.radius,
            own_colors: skin.has_colors.into(),
            disc_normals: (skin.has_disc_normals && self.at_rest).into(),
            unused: [0; 2],
        }
    }
}
