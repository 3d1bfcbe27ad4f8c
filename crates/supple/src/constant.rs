//! Constants that a method shares with its kernel. Rust holds their values; `supple-gpu` declares them in WGSL from the lists that
//! the modules give, so that the two cannot differ.

/// A constant under the name that both languages give it.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: Value,
}

/// What a kernel can hold as a constant.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    F32(f32),
    /// A count, a mark or an index.
    U32(u32),
    /// An array of numbers.
    F32s(Vec<f32>),
    /// An array of counts.
    U32s(Vec<u32>),
}

impl Constant {
    /// Names a value; [`constants!`](crate::constants) takes the name from the constant itself.
    pub fn new(name: &'static str, value: impl Into<Value>) -> Self {
        Self { name, value: value.into() }
    }
}

impl From<f32> for Value {
    fn from(value: f32) -> Self {
        Self::F32(value)
    }
}

impl From<u32> for Value {
    fn from(value: u32) -> Self {
        Self::U32(value)
    }
}

impl From<usize> for Value {
    fn from(value: usize) -> Self {
        Self::U32(word(value))
    }
}

impl<const N: usize> From<[f32; N]> for Value {
    fn from(values: [f32; N]) -> Self {
        Self::F32s(values.to_vec())
    }
}

impl<const N: usize> From<[usize; N]> for Value {
    fn from(values: [usize; N]) -> Self {
        Self::U32s(values.map(word).to_vec())
    }
}

fn word(value: usize) -> u32 {
    u32::try_from(value).expect("a constant of a kernel is a word")
}

/// A list of [`Constant`]s, each under the name that it has in Rust.
#[macro_export]
macro_rules! constants {
    ($($name:ident),* $(,)?) => {
        vec![$($crate::constant::Constant::new(stringify!($name), $name)),*]
    };
}
