//! The kernels' texts. What kernels share is written once and goes before each kernel's own lines.

/// The whole text of a kernel: what every kernel starts with, then these files of `kernels`, in order.
macro_rules! kernel {
    ($($file:literal),+) => {
        concat!(
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/kernels/index.wgsl"))
            $(, "\n", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/kernels/", $file)))+
        )
    };
}
pub(crate) use kernel;

/// Copies memory, to see how fast that goes.
pub(crate) const COPY: &str = kernel!("copy.wgsl");
/// Normals of moved points.
pub(crate) const NORMALS: &str = kernel!("normals.wgsl");

/// The kernels that belong to no method, by file: for tests that look at every kernel.
#[doc(hidden)]
pub fn other_kernels() -> [(&'static str, &'static str); 2] {
    [("copy.wgsl", COPY), ("normals.wgsl", NORMALS)]
}
