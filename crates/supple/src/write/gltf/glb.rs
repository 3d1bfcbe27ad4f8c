use crate::write::Error;
use std::io::Write;

/// Writes a GLB: the document, and the pieces of its binary chunk. Each is filled up to whole words.
pub(super) fn write(mut json: Vec<u8>, bin: &[&[u8]], out: &mut dyn Write) -> Result<(), Error> {
    json.resize(json.len().next_multiple_of(4), b' ');
    let chunk: usize = bin.iter().map(|piece| piece.len().next_multiple_of(4)).sum();
    let total = 12 + 8 + json.len() + if chunk > 0 { 8 + chunk } else { 0 };
    if total > u32::MAX as usize {
        return Err(Error::TooLarge { most: u32::MAX as usize, advice: "a GLB cannot say its length" });
    }
    out.write_all(b"glTF\x02\0\0\0")?;
    out.write_all(&(total as u32).to_le_bytes())?;
    out.write_all(&(json.len() as u32).to_le_bytes())?;
    out.write_all(b"JSON")?;
    out.write_all(&json)?;
    if chunk > 0 {
        out.write_all(&(chunk as u32).to_le_bytes())?;
        out.write_all(b"BIN\0")?;
        for piece in bin {
            out.write_all(piece)?;
            out.write_all(&[0; 3][..piece.len().next_multiple_of(4) - piece.len()])?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_filled_up_and_lengths_that_fit_no_word_are_refused() {
        let mut file = Vec::new();
        write(b"{}".to_vec(), &[&[1, 2, 3], &[4]], &mut file).unwrap();
        assert_eq!(file, b"glTF\x02\0\0\0\x28\0\0\0\x04\0\0\0JSON{}  \x08\0\0\0BIN\0\x01\x02\x03\0\x04\0\0\0");
        let mib = vec![0; 1 << 20];
        let mut nothing = Vec::new();
        let error = write(b"{}".to_vec(), &vec![&mib[..]; 4096], &mut nothing).unwrap_err();
        assert!(matches!(error, Error::TooLarge { .. }) && nothing.is_empty(), "{error}");
    }
}
