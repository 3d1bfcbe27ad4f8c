//! The kernels' texts. What kernels share is written once and goes before each kernel's own lines: first the constants that the
//! processor uses too, declared from the lists that Rust holds, then what every kernel starts with.

use crate::buffer::WORKGROUP;
use std::fmt::Write;
use supple::{
    constant::{Constant, Value},
    constants,
};

/// These files of `kernels`, in order.
macro_rules! kernel {
    ($($file:literal),+) => {
        concat!($("\n", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/kernels/", $file))),+)
    };
}
pub(crate) use kernel;

/// The whole text of a kernel: its constants, what every kernel starts with, then its files.
pub(crate) fn text(own: Vec<Constant>, files: &str) -> String {
    let all = [constants![WORKGROUP], own].concat();
    let index = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/kernels/index.wgsl"));
    format!("{}\n{index}{files}", declared(&all))
}

/// Constants as WGSL declares them, to stand before the text of a shader. A number is written with the fewest digits that give its
/// bits back.
pub fn declared(constants: &[Constant]) -> String {
    let mut text = String::from("// Constants that the processor uses too.\n\n");
    for Constant { name, value } in constants {
        let (of, value) = match value {
            Value::F32(number) => ("f32".into(), f32_text(*number)),
            Value::U32(word) => ("u32".into(), u32_text(*word)),
            Value::F32s(list) => array("f32", list.iter().map(|n| f32_text(*n))),
            Value::U32s(list) => array("u32", list.iter().map(|w| u32_text(*w))),
        };
        writeln!(text, "const {name}: {of} = {value};").expect("text takes text");
    }
    text
}

fn f32_text(number: f32) -> String {
    format!("{number:e}f")
}

fn u32_text(word: u32) -> String {
    format!("{word}u")
}

fn array(of: &str, values: impl ExactSizeIterator<Item = String>) -> (String, String) {
    let of = format!("array<{of}, {}>", values.len());
    let value = format!("{of}({})", values.collect::<Vec<_>>().join(", "));
    (of, value)
}

/// Copies memory, to see how fast that goes.
pub(crate) fn copy() -> String {
    text(Vec::new(), kernel!("copy.wgsl"))
}

/// Normals of moved points.
pub(crate) fn normals() -> String {
    text(Vec::new(), kernel!("normals.wgsl"))
}

/// The kernels that belong to no method, by file: for tests that look at every kernel.
#[doc(hidden)]
pub fn other_kernels() -> [(&'static str, String); 2] {
    [("copy.wgsl", copy()), ("normals.wgsl", normals())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use naga::{Expression, Literal};

    fn literal(module: &naga::Module, at: naga::Handle<Expression>) -> Vec<u32> {
        match &module.global_expressions[at] {
            Expression::Literal(Literal::F32(number)) => vec![number.to_bits()],
            Expression::Literal(Literal::U32(word)) => vec![*word],
            Expression::Compose { components, .. } => components.iter().flat_map(|c| literal(module, *c)).collect(),
            other => panic!("{other:?} is no number"),
        }
    }

    #[test]
    fn every_constant_reaches_wgsl_with_its_bits() {
        let numbers = [f32::MIN_POSITIVE, -1e-30, 0.1, 1.0 - f32::EPSILON, std::f32::consts::PI, 0.0, 3.4e38, -16.0];
        let mut list = constants![WORKGROUP];
        list.push(Constant::new("ALL", numbers));
        list.push(Constant::new("COUNTS", [0, 7]));
        list.extend(
            numbers.iter().zip(["A", "B", "C", "D", "E", "F", "G", "H"]).map(|(n, name)| Constant::new(name, *n)),
        );
        for constants in [list, crate::twins().iter().flat_map(|t| t.constants.clone()).collect::<Vec<_>>()] {
            let mut seen = std::collections::HashSet::new();
            let constants: Vec<Constant> = constants.into_iter().filter(|c| seen.insert(c.name)).collect();
            let module = naga::front::wgsl::parse_str(&declared(&constants)).expect("it is sound");
            assert_eq!(module.constants.len(), constants.len());
            for Constant { name, value } in &constants {
                let (_, found) = module.constants.iter().find(|(_, c)| c.name.as_deref() == Some(name)).expect(name);
                let expected = match value {
                    Value::F32(number) => vec![number.to_bits()],
                    Value::U32(word) => vec![*word],
                    Value::F32s(list) => list.iter().map(|n| n.to_bits()).collect(),
                    Value::U32s(list) => list.clone(),
                };
                assert_eq!(literal(&module, found.init), expected, "{name}");
            }
        }
    }

    #[test]
    fn a_kernel_uses_every_constant_that_it_is_given() {
        for twin in crate::twins() {
            let module = naga::front::wgsl::parse_str(&twin.source).expect("it is sound");
            for Constant { name, .. } in &twin.constants {
                let word = |c: char| c.is_alphanumeric() || c == '_';
                let uses = twin.source.split(|c| !word(c)).filter(|w| w == name).count();
                assert!(uses > 1, "{} never uses {name}", twin.file);
                assert!(module.constants.iter().any(|(_, c)| c.name.as_deref() == Some(name)));
            }
        }
    }
}
