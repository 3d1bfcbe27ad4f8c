//! The first bytes of a file against its size, before the rest is read.

use crate::read::{Format, ReadError, content, ply};

/// So much is looked at.
pub(super) const LENGTH: u64 = 1 << 16;

/// Refuses a file that its head already contradicts: of another format, with lengths that the file does not have, or, where
/// text is expected, none.
pub(super) fn check(format: Format, head: &[u8], size: u64) -> Result<(), ReadError> {
    if let Some(kind) = content::begins_like(head, format) {
        return Err(ReadError::another_format(format, kind));
    }
    match format {
        Format::Gltf if head.starts_with(b"glTF") => binary_gltf(head, size),
        Format::Ply if head.starts_with(b"ply") => ply::check_head(head, size),
        Format::Fbx if head.starts_with(b"Kaydara FBX Binary") => Ok(()),
        _ => match head.iter().position(|&b| b == 0) {
            Some(at) => Err(ReadError::invalid(format!("byte {at}"), format!("is 0, and {format} is text here"))),
            None => Ok(()),
        },
    }
}

fn binary_gltf(head: &[u8], size: u64) -> Result<(), ReadError> {
    let word =
        |at: usize| head.get(at..at + 4).map(|b| u64::from(u32::from_le_bytes(b.try_into().expect("four bytes"))));
    let length = word(8).unwrap_or_default();
    if length > size {
        let what = format!("promises {length} bytes, but the file has {size}");
        return Err(ReadError::invalid("GLB header", what));
    }
    let chunk = word(12).unwrap_or_default();
    if 20 + chunk > length {
        let what = format!("has {chunk} bytes, but only {} are left", length.saturating_sub(20));
        return Err(ReadError::invalid("GLB chunk at byte 12", what));
    }
    // The first chunk is text, which some fill up to words with zeros: a hole in a file is not read to its end.
    let end = 20 + chunk;
    match (20u64..end).zip(head.iter().skip(20)).find(|(_, byte)| **byte == 0) {
        Some((at, _)) if end - at > 3 => {
            Err(ReadError::invalid(format!("byte {at}"), "is 0, and the JSON of a GLB is text"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glb(length: u32, chunk: u32) -> Vec<u8> {
        let words = [length, chunk].map(u32::to_le_bytes);
        [b"glTF\x02\0\0\0", &words[0][..], &words[1], b"JSON{}"].concat()
    }

    #[test]
    fn lengths_that_the_file_does_not_have_are_refused_by_the_head_alone() {
        assert!(check(Format::Gltf, &glb(100_000, 90_000), 100_000).is_ok());
        let error = check(Format::Gltf, &glb(200_000, 10), 100_000).unwrap_err().to_string();
        assert_eq!(error, "GLB header: promises 200000 bytes, but the file has 100000");
        let error = check(Format::Gltf, &glb(100_000, u32::MAX), 100_000).unwrap_err().to_string();
        assert!(error.contains("only 99980 are left"), "{error}");
        let hole = [&glb(100_000, 90_000)[..], &[0; 100]].concat();
        let error = check(Format::Gltf, &hole, 100_000).unwrap_err().to_string();
        assert_eq!(error, "byte 22: is 0, and the JSON of a GLB is text");
        let ply = b"ply\nformat binary_little_endian 1.0\nelement vertex 90000\nproperty float x\nend_header\n";
        let error = check(Format::Ply, ply, 100_000).unwrap_err().to_string();
        assert!(error.contains("360000 bytes"), "{error}");
        assert!(check(Format::Ply, ply, 400_000).is_ok());
    }

    #[test]
    fn nothing_but_zeros_is_of_no_format() {
        for format in Format::ALL {
            assert!(check(format, &[0; 100], 1 << 30).is_err(), "{format}");
        }
    }
}
