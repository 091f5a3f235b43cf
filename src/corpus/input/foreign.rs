//! Files that another program has to open first: they are named and refused, not read as garbage.
//!
//! Kinds of files that a few first bytes identify, and that no text begins with, are refused whatever the format. An archive of tar and
//! an ARC file begin with text; they are refused where the format is to be found out.

use std::fmt;
use std::io;
use std::ops::Range;

/// The kinds of inputs that are not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Foreign {
    Xz,
    Bzip2,
    Zip,
    Parquet,
    Arrow,
    Tar,
    Arc,
}

/// The first bytes of files. A kind with several levels is listed with its first one.
const MAGICS: &[(&[u8], Foreign)] = &[
    (b"\xFD7zXZ\0", Foreign::Xz),
    // A first block, or the end of an empty file.
    (b"BZh11AY&SY", Foreign::Bzip2),
    (b"BZh1\x17\x72\x45\x38\x50\x90", Foreign::Bzip2),
    (b"PK\x03\x04", Foreign::Zip),
    (b"PK\x05\x06", Foreign::Zip),
    // A struct follows whose first member is a number.
    (b"PAR1\x15", Foreign::Parquet),
    (b"ARROW1\0\0", Foreign::Arrow),
];

/// The longest of them, in bytes.
const LONGEST: usize = 10;

impl Foreign {
    /// The kind of an input that starts with `head`, by its first bytes.
    pub(crate) fn by_magic(head: &[u8]) -> Option<Self> {
        let (start, len) = start_of(head);
        let found = MAGICS.iter().find(|(magic, _)| start[..len].starts_with(magic))?.1;
        // A block of bzip2 starts like text; a checksum and numbers follow.
        let is_text =
            |bytes: &[u8]| bytes.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
        let is_sure = found != Foreign::Bzip2 || !is_text(&head[..head.len().min(4 * LONGEST)]);
        is_sure.then_some(found)
    }

    /// Whether more bytes after `head` could settle it.
    pub(crate) fn is_open(head: &[u8]) -> bool {
        let (start, len) = start_of(head);
        MAGICS.iter().any(|(magic, _)| magic.len() > len && magic.starts_with(&start[..len]))
    }

    /// An archive of tar that starts with `head`: its first 512 bytes are a header with a checksum.
    pub(crate) fn tar(head: &[u8]) -> Option<Self> {
        const CHECKSUM: Range<usize> = 148..156;

        let header = head.first_chunk::<512>()?;
        let digits = header[CHECKSUM].trim_ascii_start();
        let digits = digits.split(|byte| !byte.is_ascii_digit()).next()?;
        let stored = u32::from_str_radix(str::from_utf8(digits).ok()?, 8).ok()?;
        // It is summed up with spaces in its own place.
        let bytes = header.iter().enumerate();
        let sum =
            bytes.map(|(at, &byte)| u32::from(if CHECKSUM.contains(&at) { b' ' } else { byte })).sum::<u32>();
        (stored == sum).then_some(Foreign::Tar)
    }

    /// An ARC file that starts with `head`: its first two lines are a record's header and a version.
    pub(crate) fn arc(head: &[u8]) -> Option<Self> {
        let mut lines = head.split(|&byte| byte == b'\n');
        let (first, second) = (lines.next()?, lines.next()?);
        let is_version = matches!(second, [b'1' | b'2', b' ', ..]);
        let has_type = first.split(|&byte| byte == b' ').nth(3) == Some(b"text/plain");
        (first.starts_with(b"filedesc:") && has_type && is_version).then_some(Foreign::Arc)
    }
}

/// The first bytes, and how many there are. The level of bzip2 is the first one.
fn start_of(head: &[u8]) -> ([u8; LONGEST], usize) {
    let mut start = [0; LONGEST];
    let len = head.len().min(LONGEST);
    start[..len].copy_from_slice(&head[..len]);
    if let [b'B', b'Z', b'h', level @ b'1'..=b'9', ..] = &mut start {
        *level = b'1';
    }
    (start, len)
}

/// The kind, and the remedy.
impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, way_out) = match self {
            Foreign::Xz => ("xz data", "decompress it first, for example with xz -dc"),
            Foreign::Bzip2 => ("bzip2 data", "decompress it first, for example with bzip2 -dc"),
            Foreign::Zip => ("a zip archive", "take the files out first, for example with unzip -p"),
            Foreign::Tar => ("a tar archive", "take the files out first, for example with tar -xO"),
            Foreign::Arc => {
                ("an ARC file", "make a WARC file of it first, for example with warcio recompress")
            }
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
            (&b"\xFD7zXZ\0\0\x04"[..], Some(Foreign::Xz)),
            (b"BZh91AY&SY\x01\x02\x03\x04\0\0", Some(Foreign::Bzip2)),
            (b"BZh9\x17\x72\x45\x38\x50\x90\0\0\0\0", Some(Foreign::Bzip2)),
            (b"PK\x03\x04\x14", Some(Foreign::Zip)),
            (b"PK\x05\x06\0", Some(Foreign::Zip)),
            (b"PAR1\x15\x04", Some(Foreign::Parquet)),
            (b"ARROW1\0\0", Some(Foreign::Arrow)),
            (b"BZh91AY&SYzygy\n", None),
            (b"PAR1\n", None),
            (b"PK:x", None),
            (b"", None),
        ] {
            assert_eq!(Foreign::by_magic(head), expected, "{head:?}");
        }
        for (head, expected) in [
            (&b""[..], true),
            (b"BZh9", true),
            (b"PAR1", true),
            (b"P", true),
            (b"h", false),
            (b"PAR1\n", false),
        ] {
            assert_eq!(Foreign::is_open(head), expected, "{head:?}");
        }
        assert_eq!(MAGICS.iter().map(|(magic, _)| magic.len()).max(), Some(LONGEST));
    }

    /// Written as tar writes it, with a checksum that was summed up by hand.
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

    #[test]
    fn arc_is_known_by_two_lines() {
        let arc = b"filedesc://x.arc 0.0.0.0 20030101000000 text/plain 76\n1 0 Example\nURL IP-address";
        assert_eq!(Foreign::arc(arc), Some(Foreign::Arc));
        assert_eq!(Foreign::arc(b"filedesc://x.arc\nhttp://example.com/\n"), None);
    }
}
