//! The arrays of an `.npz` file: a zip archive in which NumPy keeps one `.npy` for each. Read: stored and deflated members, rows of
//! integers and floats of four and eight bytes, least significant byte first. Everything else is refused by name.

use std::ops::Range;

/// Bytes of the widest number that can be read.
const WIDEST: usize = 8;
/// Bytes before the numbers of a `.npy`. NumPy writes 128; more are a remark.
const HEADER: usize = 1 << 10;
/// Length of the record that ends an archive, without its comment.
const END: usize = 22;

/// Numbers in rows.
#[derive(Debug, PartialEq)]
pub struct Array {
    /// Rows.
    pub rows: usize,
    /// Numbers in a row.
    pub columns: usize,
    /// All of them, row after row.
    pub numbers: Vec<f64>,
}

/// An array of the archive by its name, of so many numbers at most: a few packed bytes could else unpack to gigabytes. What is wrong
/// is said in words.
pub fn array(archive: &[u8], name: &str, most: usize) -> Result<Array, String> {
    let member = format!("{name}.npy");
    let most = most.saturating_mul(WIDEST).saturating_add(HEADER);
    let bytes = unpacked(archive, member.as_bytes(), most).map_err(|what| format!("{member}: {what}"))?;
    npy(&bytes).map_err(|what| format!("{member}: {what}"))
}

fn unpacked(archive: &[u8], member: &[u8], most: usize) -> Result<Vec<u8>, String> {
    const BROKEN: &str = "the archive is cut off or no .npz";
    let starts = |at: &usize| archive[*at..].starts_with(b"PK\x05\x06");
    let end = archive.len().checked_sub(END).ok_or(BROKEN)?;
    let end = (0..=end).rev().take(1 << 16).find(starts).ok_or(BROKEN)?;
    let (count, mut at) = (word(archive, end + 10).ok_or(BROKEN)?, long(archive, end + 16).ok_or(BROKEN)?);
    for _ in 0..count {
        let record = archive.get(at..).filter(|r| r.starts_with(b"PK\x01\x02")).ok_or(BROKEN)?;
        let field = |at| word(record, at).ok_or(BROKEN);
        let (name, extra, comment) = (field(28)?, field(30)?, field(32)?);
        if record.get(46..46 + name) == Some(member) {
            let (packed, plain) = (long(record, 20).ok_or(BROKEN)?, long(record, 24).ok_or(BROKEN)?);
            let local = long(record, 42).and_then(|local| archive.get(local..)).ok_or(BROKEN)?;
            let start = 30 + word(local, 26).ok_or(BROKEN)? + word(local, 28).ok_or(BROKEN)?;
            let data = local.get(start..).and_then(|d| d.get(..packed)).ok_or(BROKEN)?;
            let way = field(10)?;
            let size = if way == 0 { packed } else { plain };
            if size > most {
                return Err(format!("unpacks to {size} bytes, and a rig of so many vertices needs {most} at most"));
            }
            return match way {
                0 => Ok(data.to_vec()),
                8 => miniz_oxide::inflate::decompress_to_vec_with_limit(data, plain)
                    .map_err(|_| "cannot be unpacked".into()),
                other => Err(format!("is packed in way {other}: stored and deflated can be read")),
            };
        }
        at += 46 + name + extra + comment;
    }
    Err("is not there".into())
}

fn npy(bytes: &[u8]) -> Result<Array, String> {
    const BROKEN: &str = "is cut off or no .npy";
    let version = bytes.get(6).filter(|_| bytes.starts_with(b"\x93NUMPY")).ok_or(BROKEN)?;
    let (length, start) = if *version == 1 { (word(bytes, 8), 10) } else { (long(bytes, 8), 12) };
    let end = length.and_then(|length| length.checked_add(start)).ok_or(BROKEN)?;
    let header = bytes.get(start..end).and_then(|h| std::str::from_utf8(h).ok()).ok_or(BROKEN)?;
    let value = |key: &str| header.split_once(&format!("'{key}':")).map(|(_, rest)| rest.trim_start());
    if value("fortran_order").is_none_or(|v| !v.starts_with("False")) {
        return Err("stands column by column: rows can be read".into());
    }
    let kind = value("descr").and_then(|v| v.split('\'').nth(1)).ok_or(BROKEN)?;
    let (size, number): (usize, fn(&[u8]) -> f64) = match kind {
        "<i4" => (4, |b| i32::from_le_bytes(of(b)).into()),
        "<u4" => (4, |b| u32::from_le_bytes(of(b)).into()),
        "<i8" => (8, |b| i64::from_le_bytes(of(b)) as f64),
        "<f4" => (4, |b| f32::from_le_bytes(of(b)).into()),
        "<f8" => (8, |b| f64::from_le_bytes(of(b))),
        other => return Err(format!("holds numbers of the kind \"{other}\"")),
    };
    let shape = value("shape").and_then(|v| v.strip_prefix('(')?.split_once(')')).ok_or(BROKEN)?.0;
    let shape: Vec<&str> = shape.split(',').map(str::trim).filter(|s| !s.is_empty()).collect();
    let shape: Option<Vec<usize>> = shape.iter().map(|s| s.parse().ok()).collect();
    let (rows, columns) = match shape.ok_or(BROKEN)?[..] {
        [rows] => (rows, 1),
        [rows, columns] => (rows, columns),
        _ => return Err("is no array of rows".into()),
    };
    let total = rows.checked_mul(columns).and_then(|n| n.checked_mul(size)).and_then(|n| n.checked_add(end));
    let data = total.and_then(|total| bytes.get(Range { start: end, end: total })).ok_or(BROKEN)?;
    Ok(Array { rows, columns, numbers: data.chunks_exact(size).map(number).collect() })
}

fn of<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.try_into().expect("as many bytes as the kind has")
}

fn word(bytes: &[u8], at: usize) -> Option<usize> {
    Some(u16::from_le_bytes(of(bytes.get(at..at + 2)?)).into())
}

fn long(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(of(bytes.get(at..at + 4)?))).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An archive of one member, stored or deflated.
    fn archive(name: &str, plain: &[u8], deflated: bool) -> Vec<u8> {
        let data = if deflated { miniz_oxide::deflate::compress_to_vec(plain, 6) } else { plain.to_vec() };
        let way = if deflated { 8u16 } else { 0 };
        let sizes = [(data.len() as u32).to_le_bytes(), (plain.len() as u32).to_le_bytes()].concat();
        let name_length = (name.len() as u16).to_le_bytes();
        let mut file =
            [b"PK\x03\x04\x14\0\0\0".as_slice(), &way.to_le_bytes(), &[0; 8], &sizes, &name_length, &[0; 2]].concat();
        file.extend(name.bytes().chain(data));
        let directory = file.len() as u32;
        file.extend(
            [b"PK\x01\x02\x14\0\x14\0\0\0".as_slice(), &way.to_le_bytes(), &[0; 8], &sizes, &name_length, &[0; 16]]
                .concat(),
        );
        file.extend(name.bytes());
        let length = file.len() as u32 - directory;
        file.extend(
            [b"PK\x05\x06\0\0\0\0\x01\0\x01\0".as_slice(), &length.to_le_bytes(), &directory.to_le_bytes(), &[0; 2]]
                .concat(),
        );
        file
    }

    fn rows() -> Vec<u8> {
        let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n";
        let mut bytes = b"\x93NUMPY\x01\0".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.bytes());
        (0..6).for_each(|i| bytes.extend((i as f32 / 2.0).to_le_bytes()));
        bytes
    }

    #[test]
    fn stored_and_deflated_rows_are_read() {
        for deflated in [false, true] {
            let wanted = Array { rows: 2, columns: 3, numbers: vec![0.0, 0.5, 1.0, 1.5, 2.0, 2.5] };
            assert_eq!(array(&archive("points.npy", &rows(), deflated), "points", 6), Ok(wanted));
        }
        assert_eq!(array(&archive("points.npy", &rows(), true), "index", 6).unwrap_err(), "index.npy: is not there");
    }

    #[test]
    fn an_array_of_more_numbers_than_the_rig_can_have_is_not_unpacked() {
        let long = [rows(), vec![0; 2000]].concat();
        for deflated in [false, true] {
            let refused = array(&archive("points.npy", &long, deflated), "points", 6).unwrap_err();
            let (size, most) = (long.len(), 6 * WIDEST + HEADER);
            assert!(refused.starts_with(&format!("points.npy: unpacks to {size} bytes, and ")), "{refused}");
            assert!(refused.ends_with(&format!("needs {most} at most")), "{refused}");
        }
    }

    #[test]
    fn whatever_is_cut_off_or_changed_is_refused_or_read_and_never_trips_it() {
        for whole in [archive("points.npy", &rows(), false), archive("points.npy", &rows(), true)] {
            for length in 0..whole.len() {
                assert!(array(&whole[..length], "points", 6).is_err());
            }
            for at in 0..whole.len() {
                for value in [0, 1, 0x7f, 0xff] {
                    let mut other = whole.clone();
                    other[at] = value;
                    let _ = array(&other, "points", 6);
                }
            }
        }
    }
}
