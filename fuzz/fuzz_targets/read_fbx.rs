#![no_main]
#![doc = "Whatever the bytes: no panic, no hang, no large allocation."]

use libfuzzer_sys::fuzz_target;
use supple::read::{self, Format};

fuzz_target!(|data: &[u8]| {
    let _ = read::bytes("fuzz", Format::Fbx, data.to_vec(), &read::resolve_nothing);
});
