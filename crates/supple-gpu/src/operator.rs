//! Operators of fields on a device: the text of their functions, and one operator as they take it.

use crate::kernels::declared;
use bytemuck::{Pod, Zeroable};
use glam::Vec4;
use supple::{
    constant::Constant,
    constants, field,
    field::operator::{Kind, Opening, Operator},
};

/// Kinds of operators, as the kernels number them.
const UNION: u32 = 0;
const BLEND: u32 = 1;
const BULGE: u32 = 2;
const BLEND_BULGE: u32 = 3;

/// The constants of the text below.
pub(crate) fn operator_constants() -> Vec<Constant> {
    [constants![UNION, BLEND, BULGE, BLEND_BULGE], field::operator::constants()].concat()
}

/// The text of the operators alone: for tests that join fields with nothing round them.
#[doc(hidden)]
pub fn operator_text() -> String {
    let functions = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/kernels/implicit/operator.wgsl"));
    format!("{}\n{functions}", declared(&operator_constants()))
}

/// The kernels' `Operator`.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct KernelOperator {
    pub(crate) kind: u32,
    pub(crate) size: f32,
    pub(crate) unused: [f32; 2],
    pub(crate) blend0: Vec4,
    pub(crate) blend1: Vec4,
    pub(crate) bulge0: Vec4,
    pub(crate) bulge1: Vec4,
}

impl From<&Operator> for KernelOperator {
    fn from(operator: &Operator) -> Self {
        let Operator { kind, opening, contact, size } = *operator;
        let (kind, blend, bulge) = match kind {
            Kind::Union => (UNION, opening, contact),
            Kind::Blend => (BLEND, opening, contact),
            Kind::Bulge => (BULGE, contact, opening),
            Kind::BlendBulge => (BLEND_BULGE, opening, contact),
        };
        let halves = |opening: Opening| {
            let [a0, a1, a2, t0, t1, t2, w0, w1] = opening.into();
            [Vec4::new(a0, a1, a2, t0), Vec4::new(t1, t2, w0, w1)]
        };
        let ([blend0, blend1], [bulge0, bulge1]) = (halves(blend), halves(bulge));
        Self { kind, size, unused: [0.0; 2], blend0, blend1, bulge0, bulge1 }
    }
}
