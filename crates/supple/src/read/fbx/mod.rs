use super::{ReadError, Warnings};
use crate::rig::Rig;

pub(super) fn read(_bytes: &[u8], _warnings: &mut Warnings) -> Result<Rig, ReadError> {
    Err(ReadError::invalid("file", "FBX is not read yet"))
}
