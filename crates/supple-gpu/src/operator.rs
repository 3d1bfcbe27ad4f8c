//! Operators of fields on a device: the text of their functions, and one operator as they take it.

use supple::field::operator::{Kind, Operator};

/// Goes before the text of a kernel that joins fields.
#[doc(hidden)]
pub const OPERATOR: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/kernels/implicit/operator.wgsl"));

/// The words of the kernels' `struct Operator`.
#[doc(hidden)]
pub fn operator_words(operator: &Operator) -> [u32; 20] {
    let (kind, blend, bulge) = match operator.kind {
        Kind::Union => (0, operator.opening, operator.contact),
        Kind::Blend => (1, operator.opening, operator.contact),
        Kind::Bulge => (2, operator.contact, operator.opening),
        Kind::BlendBulge => (3, operator.opening, operator.contact),
    };
    let mut words = [0; 20];
    words[0] = kind;
    words[1] = operator.size.to_bits();
    words[4..12].copy_from_slice(&<[f32; 8]>::from(blend).map(f32::to_bits));
    words[12..20].copy_from_slice(&<[f32; 8]>::from(bulge).map(f32::to_bits));
    words
}
