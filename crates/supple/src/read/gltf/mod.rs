use super::{ReadError, Resolve, Warnings};
use crate::rig::Rig;

pub(super) fn read(_bytes: Vec<u8>, _resolve: &Resolve<'_>, _warnings: &mut Warnings) -> Result<Rig, ReadError> {
    Ok(Rig::default())
}
