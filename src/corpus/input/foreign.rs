//! Files that another program has to open first. They are rejected with an error that names them, and not
//! read as garbage.
//!
//! Some kinds of files start with a few bytes that identify them and that start no text. They are rejected in
//! every format. A tar archive starts with text. It is rejected only if the format is to be detected.

use std::fmt;
use std::io;
use std::ops::Range;

/// The kinds of inputs that are rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Foreign {
    Zip,
    Parquet,
    Arrow,
    Tar,
    /// Text in units of two or four bytes: the name of its encoding, as iconv takes it.
    Wide(&'static str),
}

/// The first bytes of files.
const MAGICS: &[(&[u8], Foreign)] = &[
    (b"PK\x03\x04", Foreign::Zip),
    (b"PK\x05\x06", Foreign::Zip),
    // A struct follows, whose first member is a number.
    (b"PAR1\x15", Foreign::Parquet),
    (b"ARROW1\0\0", Foreign::Arrow),
    // Byte order marks.
    (b"\xFF\xFE\0\0", Foreign::Wide("UTF-32")),
    (b"\0\0\xFE\xFF", Foreign::Wide("UTF-32")),
    (b"\xFF\xFE", Foreign::Wide("UTF-16")),
    (b"\xFE\xFF", Foreign::Wide("UTF-16")),
];

impl Foreign {
    /// Returns the kind of an input that starts with `head`, by its magic number.
    pub(crate) fn by_magic(head: &[u8]) -> Option<Self> {
        MAGICS.iter().find(|(magic, _)| head.starts_with(magic)).map(|&(_, kind)| kind)
    }

    /// Returns true if bytes after `head` could complete a magic number.
    pub(crate) fn is_open(head: &[u8]) -> bool {
        MAGICS.iter().any(|(magic, _)| magic.len() > head.len() && magic.starts_with(head))
    }

    /// Returns the kind of a document that starts with `head`. In UTF-16 without a byte order mark, every
    /// other byte is NUL; in UTF-32, three bytes of four.
    pub(crate) fn document(head: &[u8]) -> Option<Self> {
        Self::by_magic(head).or_else(|| unmarked(head).map(Foreign::Wide))
    }

    /// Recognises a tar archive that starts with `head`: its first 512 bytes are a header with a checksum.
    pub(crate) fn tar(head: &[u8]) -> Option<Self> {
        const CHECKSUM: Range<usize> = 148..156;

        let header = head.first_chunk::<512>()?;
        let digits = header[CHECKSUM].trim_ascii_start();
        let digits = digits.split(|byte| !byte.is_ascii_digit()).next()?;
        let stored = u32::from_str_radix(str::from_utf8(digits).ok()?, 8).ok()?;
        // The checksum counts its own field as spaces.
        let bytes = header.iter().enumerate();
        let sum =
            bytes.map(|(at, &byte)| u32::from(if CHECKSUM.contains(&at) { b' ' } else { byte })).sum::<u32>();
        (stored == sum).then_some(Foreign::Tar)
    }
}

/// Returns the encoding of a text that has no byte order mark, by the places of the NULs at its start.
/// Without a mark, programs differ in the byte order that they assume, so the name includes the order.
fn unmarked(bytes: &[u8]) -> Option<&'static str> {
    /// The maximum number of bytes to check.
    const LEN: usize = 64;

    let start = &bytes[..bytes.len().min(LEN)];
    if start.len() < 8 {
        return None;
    }
    let are_nul = [0, 1, 2, 3].map(|place| start.iter().skip(place).step_by(4).all(|&byte| byte == 0));
    match are_nul {
        [true, true, true, true] => None,
        [true, true, true, false] => Some("UTF-32BE"),
        [false, true, true, true] => Some("UTF-32LE"),
        [true, _, true, _] => Some("UTF-16BE"),
        [_, true, _, true] => Some("UTF-16LE"),
        _ => None,
    }
}

/// Names the kind and the remedy.
impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, way_out) = match self {
            Foreign::Wide(encoding) => {
                return write!(
                    f,
                    "text in {encoding}, which cannot be read here: convert it first, for example with iconv -f {encoding} -t UTF-8"
                );
            }
            Foreign::Zip => ("a zip archive", "take the files out first, for example with unzip -p"),
            Foreign::Tar => ("a tar archive", "take the files out first, for example with tar -xO"),
            Foreign::Parquet => (
                "a Parquet file",
                "write the column of URIs as lines first, for example with duckdb -list -noheader",
            ),
            Foreign::Arrow => ("an Arrow file", "write the column of URIs as lines first"),
        };
        write!(f, "{what}, which cannot be read here: {way_out}")
    }
}

impl From<Foreign> for io::Error {
    fn from(foreign: Foreign) -> Self {
        io::Error::new(io::ErrorKind::Unsupported, foreign.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_start() {
        for (head, expected) in [
            (&b"PK\x03\x04\x14"[..], Some(Foreign::Zip)),
            (b"PK\x05\x06\0", Some(Foreign::Zip)),
            (b"PAR1\x15\x04", Some(Foreign::Parquet)),
            (b"ARROW1\0\0", Some(Foreign::Arrow)),
            (b"\xFF\xFEh\0", Some(Foreign::Wide("UTF-16"))),
            (b"\xFE\xFF\0h", Some(Foreign::Wide("UTF-16"))),
            (b"\xFF\xFE\0\0h\0\0\0", Some(Foreign::Wide("UTF-32"))),
            (b"\0\0\xFE\xFF\0\0\0h", Some(Foreign::Wide("UTF-32"))),
            (b"<\0h\0t\0m\0", None),
            (b"PAR1\n", None),
            (b"PK:x", None),
            (b"\xEF\xBB\xBFh", None),
            (b"", None),
        ] {
            assert_eq!(Foreign::by_magic(head), expected, "{head:?}");
        }
        for (head, expected) in [
            (&b"<\0h\0t\0m\0"[..], Some(Foreign::Wide("UTF-16LE"))),
            (b"\0<\0h\0t\0m", Some(Foreign::Wide("UTF-16BE"))),
            (b"\0<\0h\0t\0m\0", Some(Foreign::Wide("UTF-16BE"))),
            (b"<\0\0\0h\0\0\0", Some(Foreign::Wide("UTF-32LE"))),
            (b"\0\0\0<\0\0\0h\0", Some(Foreign::Wide("UTF-32BE"))),
            (b"<\0h\0\0\0\0\0a\0b\0", Some(Foreign::Wide("UTF-16LE"))),
            (b"<\0\0\0ht\0\0", None),
            (b"<\0h\0t\0", None),
            (b"\0\0\0\0\0\0\0\0", None),
            (b"<html>\0\0", None),
            (b"PAR1\x15", Some(Foreign::Parquet)),
        ] {
            assert_eq!(Foreign::document(head), expected, "{head:?}");
        }
        for (head, expected) in
            [(&b""[..], true), (b"PAR1", true), (b"\xFF\xFE", true), (b"h", false), (b"\xFF\xFEh", false)]
        {
            assert_eq!(Foreign::is_open(head), expected, "{head:?}");
        }
    }

    /// Tests a header as tar writes it, with a checksum calculated by hand.
    #[test]
    fn tar_is_known_by_its_checksum() {
        let mut header = [0; 512];
        header[..5].copy_from_slice(b"a.txt");
        header[100..108].copy_from_slice(b"0000644\0");
        header[124..136].copy_from_slice(b"00000000012\0");
        header[257..263].copy_from_slice(b"ustar\0");
        let name = 97 + 46 + 116 + 120 + 116;
        let numbers = 7 * 48 + 6 + 4 + 4 + 11 * 48 + 1 + 2;
        let magic = 117 + 115 + 116 + 97 + 114;
        let sum: u32 = name + numbers + magic + 8 * 32;
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        assert_eq!(Foreign::tar(&header), Some(Foreign::Tar));
        header[0] = b'b';
        assert_eq!(Foreign::tar(&header), None);
        assert_eq!(Foreign::tar(&[0; 512]), None);
        assert_eq!(Foreign::tar(b"http://example.com/"), None);
    }
}
