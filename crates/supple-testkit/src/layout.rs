//! Structs that the processor fills and shaders read: every member lies where WGSL has it.

use std::collections::{BTreeMap, HashSet};
use supple_gpu::wgpu::naga::{Module, StructMember, TypeInner, front::wgsl};

/// Members by name, with offset and size in bytes; and the size of all.
#[derive(Debug, PartialEq)]
pub struct Layout {
    /// Offset and size of each member.
    pub members: BTreeMap<String, [usize; 2]>,
    /// Size of the struct.
    pub size: usize,
}

/// The size of a member, which [`layout!`](crate::layout!) reads from its type.
#[doc(hidden)]
pub fn size_of_member<T, M>(_: impl Fn(&T) -> &M) -> usize {
    size_of::<M>()
}

/// The [`Layout`](crate::layout::Layout) of a struct on the processor, of which every member is named.
#[macro_export]
macro_rules! layout {
    ($of:ty: $($member:ident),+ $(,)?) => {
        $crate::layout::Layout {
            members: ::std::collections::BTreeMap::from([$((
                stringify!($member).to_owned(),
                [
                    ::std::mem::offset_of!($of, $member),
                    $crate::layout::size_of_member(|all: &$of| &all.$member),
                ],
            )),+]),
            size: size_of::<$of>(),
        }
    };
}

impl Layout {
    /// Without members that only fill gaps, which WGSL need not have; they are called `unused`, or begin so.
    fn named(&self) -> (Vec<(&str, [usize; 2])>, usize) {
        let members = self.members.iter().map(|(name, at)| (name.as_str(), *at));
        (members.filter(|(name, _)| !name.starts_with("unused")).collect(), self.size)
    }
}

/// The layout of a struct of a shader.
///
/// # Panics
/// When the shader has no such struct, or is not sound.
pub fn in_shader(text: &str, name: &str) -> Layout {
    layout_of(&parsed(text), name)
}

/// Compares structs with those that a shader has under these names, and asks that nothing which the processor fills be left out.
/// `devices_own` names structs that the device alone fills and reads.
///
/// # Panics
/// When a member lies elsewhere, a struct is compared with nothing, or the shader is not sound.
pub fn assert_same(shader: &str, text: &str, structs: &[(&str, Layout)], devices_own: &[&str]) {
    let module = parsed(text);
    for (name, expected) in structs {
        assert_eq!(layout_of(&module, name).named(), expected.named(), "{name} of {shader}");
    }
    let compared: HashSet<&str> = structs.iter().map(|(name, _)| *name).collect();
    for (_, variable) in module.global_variables.iter().filter(|(_, v)| v.binding.is_some()) {
        let of = match module.types[variable.ty].inner {
            TypeInner::Array { base, .. } => &module.types[base],
            _ => &module.types[variable.ty],
        };
        let name = of.name.as_deref().unwrap_or_default();
        let is_ours = matches!(of.inner, TypeInner::Struct { .. }) && !devices_own.contains(&name);
        assert!(!is_ours || compared.contains(name), "{shader}: {name} is compared with nothing");
    }
}

fn parsed(text: &str) -> Module {
    wgsl::parse_str(text).expect("it is sound")
}

fn layout_of(module: &Module, name: &str) -> Layout {
    let (_, found) = module.types.iter().find(|(_, t)| t.name.as_deref() == Some(name)).expect(name);
    let TypeInner::Struct { members, span } = &found.inner else { panic!("{name} is no struct") };
    let size = |of| module.types[of].inner.size(module.to_ctx()) as usize;
    let member = |m: &StructMember| (m.name.clone().expect("a name"), [m.offset as usize, size(m.ty)]);
    Layout { members: members.iter().map(member).collect(), size: *span as usize }
}
