//! Arrays of numbers in buffers. Nothing is read before it is known to lie inside its view.

use super::container::Container;
use crate::read::{PLAIN, ReadError};
use std::borrow::Cow;

/// A checked array: `count` elements of `width` components.
pub struct Array<'a> {
    data: Cow<'a, [u8]>,
    stride: usize,
    component: Component,
    normalized: bool,
    pub count: usize,
    pub width: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn of(code: u32) -> Option<Self> {
        Some(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }
}

fn width_of(kind: &str) -> Option<usize> {
    Some(match kind {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" | "MAT2" => 4,
        "MAT3" => 9,
        "MAT4" => 16,
        _ => return None,
    })
}

const KINDS: &[&str] = &["SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"];

impl Container {
    /// Checks every view and accessor, used or not: a file that lies in one place is not trusted in another.
    pub fn check(&self) -> Result<(), ReadError> {
        for view in 0..self.root.buffer_views.len() {
            self.view(view)?;
        }
        for accessor in 0..self.root.accessors.len() {
            self.array(accessor, KINDS)?;
        }
        Ok(())
    }

    /// An accessor whose elements have one of `kinds`.
    pub fn array(&self, index: usize, kinds: &[&str]) -> Result<Array<'_>, ReadError> {
        let place = || format!("accessors[{index}]");
        let bad = |what: String| ReadError::invalid(place(), what);
        let there = self.root.accessors.len();
        let accessor =
            self.root.accessors.get(index).ok_or_else(|| bad(format!("does not exist, there are {there}")))?;
        let component = Component::of(accessor.component_type);
        let component =
            component.ok_or_else(|| bad(format!("component type {} is unknown", accessor.component_type)))?;
        let width = width_of(&accessor.kind).filter(|_| kinds.contains(&accessor.kind.as_str()));
        let width = width.ok_or_else(|| bad(format!("type {} is not {}", accessor.kind, kinds.join(" or "))))?;
        let (count, element) = (accessor.count, width * component.size());
        let (mut data, stride) = match accessor.buffer_view {
            Some(view) => {
                let bytes = self.view(view)?;
                let stride = self.root.buffer_views[view].byte_stride.unwrap_or(element);
                let fits = || -> Option<&[u8]> {
                    let rest = bytes.get(accessor.byte_offset..)?;
                    let needed = count.checked_sub(1)?.checked_mul(stride)?.checked_add(element)?;
                    rest.get(..needed)
                };
                if count > 0 && (stride < element || fits().is_none()) {
                    let (length, offset) = (bytes.len(), accessor.byte_offset);
                    return Err(bad(format!(
                        "{count} elements of {element} bytes, {stride} apart from {offset}, do not fit in a view of {length}"
                    )));
                }
                (Cow::Borrowed(fits().unwrap_or_default()), stride)
            }
            // Zeros, unless a sparse part says otherwise: no byte of the file vouches for the count, and no skin is larger.
            None if count > self.most_plain() / PLAIN => {
                return Err(bad(format!("{count} elements without a buffer view, in a file of {} bytes", self.size())));
            }
            None => (Cow::Owned(vec![0u8; count * element]), element),
        };
        if let Some(sparse) = &accessor.sparse {
            if sparse.count > count {
                return Err(bad(format!("sparse.count {} exceeds count {count}", sparse.count)));
            }
            let indices = self.sparse_indices(index, sparse.count)?;
            let values = self.view(sparse.values.buffer_view)?;
            let values =
                values.get(sparse.values.byte_offset..).and_then(|v| v.get(..sparse.count.checked_mul(element)?));
            let values =
                values.ok_or_else(|| bad(format!("{} sparse values do not fit in their view", sparse.count)))?;
            let dense = data.to_mut();
            for (i, value) in indices.into_iter().zip(values.chunks_exact(element)) {
                if i >= count {
                    return Err(bad(format!("sparse index {i} exceeds count {count}")));
                }
                dense[i * stride..i * stride + element].copy_from_slice(value);
            }
        }
        Ok(Array { data, stride, component, normalized: accessor.normalized, count, width })
    }

    fn sparse_indices(&self, index: usize, count: usize) -> Result<Vec<usize>, ReadError> {
        let bad = |what: String| ReadError::invalid(format!("accessors[{index}].sparse.indices"), what);
        let indices = &self.root.accessors[index].sparse.as_ref().expect("the caller has one").indices;
        let component = Component::of(indices.component_type)
            .filter(|c| matches!(c, Component::U8 | Component::U16 | Component::U32))
            .ok_or_else(|| bad(format!("component type {} is not unsigned", indices.component_type)))?;
        let bytes = self.view(indices.buffer_view)?;
        let bytes = bytes.get(indices.byte_offset..).and_then(|b| b.get(..count.checked_mul(component.size())?));
        let bytes = bytes.ok_or_else(|| bad(format!("{count} indices do not fit in their view")))?;
        let data = Cow::Borrowed(bytes);
        let array = Array { data, stride: component.size(), component, normalized: false, count, width: 1 };
        Ok((0..count).map(|i| array.integer(i, 0) as usize).collect())
    }
}

impl Array<'_> {
    #[inline]
    fn at(&self, element: usize, component: usize) -> &[u8] {
        let size = self.component.size();
        let start = element * self.stride + component * size;
        &self.data[start..start + size]
    }

    /// A component as a number; integers marked as normalised are brought to 0..=1 or -1..=1.
    #[inline]
    pub fn number(&self, element: usize, component: usize) -> f32 {
        let b = self.at(element, component);
        let (value, most) = match self.component {
            Component::F32 => return f32::from_le_bytes([b[0], b[1], b[2], b[3]]),
            Component::I8 => (f32::from(b[0] as i8), 127.0),
            Component::U8 => (f32::from(b[0]), 255.0),
            Component::I16 => (f32::from(i16::from_le_bytes([b[0], b[1]])), 32767.0),
            Component::U16 => (f32::from(u16::from_le_bytes([b[0], b[1]])), 65535.0),
            Component::U32 => (u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as f32, u32::MAX as f32),
        };
        if self.normalized { (value / most).max(-1.0) } else { value }
    }

    /// Refuses components that are no whole numbers from zero on, which is what names things.
    pub fn check_unsigned(&self, place: impl FnOnce() -> String) -> Result<(), ReadError> {
        let found = match self.component {
            Component::U8 | Component::U16 | Component::U32 => return Ok(()),
            Component::I8 => "5120 (BYTE)",
            Component::I16 => "5122 (SHORT)",
            Component::F32 => "5126 (FLOAT)",
        };
        let what = format!("component type {found} is not unsigned: 5121, 5123 or 5125 is expected");
        Err(ReadError::invalid(place(), what))
    }

    /// An unsigned component, see [`Array::check_unsigned`]; others read as the largest, which no index is.
    #[inline]
    pub fn integer(&self, element: usize, component: usize) -> u32 {
        let b = self.at(element, component);
        match self.component {
            Component::U8 => u32::from(b[0]),
            Component::U16 => u32::from(u16::from_le_bytes([b[0], b[1]])),
            Component::U32 => u32::from_le_bytes([b[0], b[1], b[2], b[3]]),
            _ => u32::MAX,
        }
    }

    /// A whole element.
    #[inline]
    pub fn numbers<const N: usize>(&self, element: usize) -> [f32; N] {
        std::array::from_fn(|c| self.number(element, c))
    }

    /// All components of all elements, in order.
    pub fn flat(&self) -> Vec<f32> {
        (0..self.count).flat_map(|i| (0..self.width).map(move |c| self.number(i, c))).collect()
    }
}
