//! The compression formats, recognised by their first bytes.

use std::fmt;
use std::io::{self, ErrorKind, Read};

use super::bzip2_start;
use super::decoder::{Decode, DecodeError};
use super::dictionary::Dictionary;
use crate::corpus::input::foreign::Foreign;
use crate::memory;

/// The start of an xz stream.
const XZ: &[u8] = b"\xFD7zXZ\0";

/// A format of compressed data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    Gzip,
    /// zstd, with the dictionary at its start.
    Zstd(Option<Dictionary>),
    Bzip2,
    Xz,
}

impl Compression {
    /// Returns the format of an input that starts with `head`, or None if the input is not compressed.
    ///
    /// No grammar allows a record that starts with these bytes: 1F, 18 and the last byte of bzip2's start are
    /// control characters, FD starts no UTF-8 sequence, and B5 after `(` starts none either.
    pub(crate) fn of(head: &[u8]) -> Option<Self> {
        match head {
            [0x1F, 0x8B, ..] => Some(Compression::Gzip),
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(Compression::Zstd(None)),
            // A skippable frame.
            [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Some(Compression::Zstd(Dictionary::of(head))),
            _ if head.starts_with(XZ) => Some(Compression::Xz),
            _ if bzip2_start::is_start(head) => Some(Compression::Bzip2),
            _ => None,
        }
    }

    /// Returns true if bytes after `head` could complete a magic number.
    fn is_open(head: &[u8]) -> bool {
        matches!(
            head,
            [] | [0x1F]
                | [0x28]
                | [0x28, 0xB5]
                | [0x28, 0xB5, 0x2F]
                | [0x50..=0x5F]
                | [0x50..=0x5F, 0x2A]
                | [0x50..=0x5F, 0x2A, 0x4D]
        ) || XZ.len() > head.len() && XZ.starts_with(head)
            || bzip2_start::is_open(head)
            || Dictionary::is_open(head)
    }

    /// Returns a decoder for the start of an input.
    pub(crate) fn decoder(&self) -> io::Result<Box<dyn Decode>> {
        match self {
            #[cfg(feature = "gzip")]
            Compression::Gzip => Ok(Box::<super::gzip::Gzip>::default()),
            #[cfg(feature = "__zstd")]
            Compression::Zstd(dictionary) => Ok(Box::new(super::zstd::Zstd::new(dictionary.as_ref())?)),
            #[cfg(feature = "bzip2")]
            Compression::Bzip2 => Ok(Box::<super::bzip2::Bzip2>::default()),
            #[cfg(feature = "__xz")]
            Compression::Xz => Ok(Box::<super::xz::Xz>::default()),
            #[cfg(not(all(feature = "gzip", feature = "__zstd", feature = "bzip2", feature = "__xz")))]
            _ => {
                let message = format!("{self} data, which this build cannot read: decompress it first");
                Err(io::Error::new(ErrorKind::Unsupported, message))
            }
        }
    }

    /// Checks that memory is left after a decoder has run. Decoders allocate windows, whose sizes the input
    /// names.
    pub(crate) fn check_memory(&self) -> Result<(), DecodeError> {
        match self {
            Compression::Gzip => Ok(()),
            _ => memory::check_spare().map_err(|_| DecodeError::out_of_memory()),
        }
    }

    /// Returns the last place in `bytes`, except their start, that looks like the start of a member.
    #[cfg(feature = "rayon")]
    pub(crate) fn guess_last_start(&self, bytes: &[u8]) -> Option<usize> {
        match self {
            #[cfg(feature = "gzip")]
            Compression::Gzip => last_start(bytes, super::gzip::START, super::gzip::is_plausible),
            #[cfg(feature = "__zstd")]
            Compression::Zstd(_) => last_start(bytes, super::zstd::START, super::zstd::is_plausible),
            #[cfg(feature = "bzip2")]
            Compression::Bzip2 => last_start(bytes, bzip2_start::START, bzip2_start::is_start),
            #[cfg(feature = "__xz")]
            Compression::Xz => last_start(bytes, XZ, super::xz::is_plausible),
            #[cfg(not(all(feature = "gzip", feature = "__zstd", feature = "bzip2", feature = "__xz")))]
            _ => None,
        }
    }

    /// Returns the I/O error for `fault`, which a decoder reported at byte `position`.
    pub(crate) fn error(&self, position: u64, fault: DecodeError) -> io::Error {
        let DecodeError { kind, reason, before } = fault;
        if kind == ErrorKind::OutOfMemory {
            return kind.into();
        }
        let position = position - before;
        let what = if kind == ErrorKind::Unsupported { "unsupported" } else { "corrupt" };
        io::Error::new(kind, format!("{what} {self} data at byte {position}: {reason}"))
    }

    /// Returns the error for an input that ends at byte `position`.
    pub(crate) fn truncated(&self, position: u64) -> io::Error {
        io::Error::new(ErrorKind::UnexpectedEof, format!("truncated {self} data at byte {position}"))
    }
}

/// Returns the last place of `magic` in `bytes`, except their start, at which the bytes after it are
/// plausible.
#[cfg(feature = "rayon")]
fn last_start(bytes: &[u8], magic: &[u8], is_plausible: fn(&[u8]) -> bool) -> Option<usize> {
    // The search runs forwards, since only that direction is vectorised.
    let places = crate::work::memmem::find_iter(bytes, magic);
    places.filter(|&at| at > 0 && is_plausible(&bytes[at..])).last()
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Compression::Gzip => "gzip",
            Compression::Zstd(_) => "zstd",
            Compression::Bzip2 => "bzip2",
            Compression::Xz => "xz",
        })
    }
}

/// Reads enough bytes to tell the kind of an input and the dictionary at its start, and few more than one
/// read returns. An error may follow them.
pub(crate) fn peek(input: &mut dyn Read) -> (Vec<u8>, io::Result<()>) {
    const SIZE: usize = 64 << 10;

    let mut head = vec![0; SIZE];
    let mut len = 0;
    let mut result = Ok(());
    while Compression::is_open(&head[..len]) || Foreign::is_open(&head[..len]) {
        if len == head.len() {
            // Only a dictionary has so many bytes.
            if let Err(error) = memory::try_reserve(&mut head, len) {
                result = Err(io::Error::new(ErrorKind::OutOfMemory, error));
                break;
            }
            head.resize(2 * len, 0);
        }
        match input.read(&mut head[len..]) {
            Ok(0) => break,
            Ok(count) => len += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => {
                result = Err(error);
                break;
            }
        }
    }
    head.truncate(len);
    (head, result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Grammar, is_valid};

    const MAGICS: [&[u8]; 8] = [
        &[0x1F, 0x8B, 8, 0],
        &[0x28, 0xB5, 0x2F, 0xFD],
        &[0x50, 0x2A, 0x4D, 0x18],
        &[0x5F, 0x2A, 0x4D, 0x18],
        b"BZh91AY&SYabcd\x07",
        b"BZh1\x17\x72\x45\x38\x50\x90",
        b"\xFD7zXZ\0",
        b"\xFD7zXZ\0\0\x04",
    ];

    #[test]
    fn what_is_compressed_is_told_by_its_first_bytes() {
        use Compression::{Bzip2, Gzip, Xz, Zstd};

        let formats = MAGICS.map(Compression::of);
        let zstd = Zstd(None);
        assert_eq!(formats, [Gzip, zstd.clone(), zstd.clone(), zstd, Bzip2, Bzip2, Xz, Xz].map(Some));
        for text in [
            &b""[..],
            b"P",
            b"(\xB5/",
            b"PK\x03\x04",
            b"BZh91AY&SYzygy\n",
            b"\xFD7zXZ",
            b"http://example.com/",
        ] {
            assert_eq!(Compression::of(text), None);
        }
    }

    #[test]
    fn no_valid_record_looks_compressed() {
        for magic in MAGICS {
            for &grammar in Grammar::ALL {
                for len in 1..=magic.len() {
                    let head = &magic[..len];
                    assert!(
                        Compression::of(head).is_none() || !is_valid(grammar, head),
                        "{head:X?} {grammar:?}"
                    );
                }
            }
        }
    }

    /// Tests that peeking reads one byte at a time and no further than necessary: a writer that waits for an
    /// answer to its line gets it.
    #[test]
    fn peeking_stops_as_soon_as_it_is_clear() {
        struct Slow<'a>(std::slice::Iter<'a, u8>);
        impl Read for Slow<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                Ok(self.0.next().map_or(0, |&byte| {
                    buffer[0] = byte;
                    1
                }))
            }
        }
        for (input, expected) in [
            (&b"a\nb"[..], &b"a"[..]),
            (b"P\nb", b"P\n"),
            (b"\x1F\x8B\x08", b"\x1F\x8B"),
            (b"\x28\xB5\x2F\xFDabc", b"\x28\xB5\x2F\xFD"),
            (b"\x28\xB5", b"\x28\xB5"),
            (b"B\nb", b"B\n"),
            (b"BZh91AY&SYabcd\nb", b"BZh91AY&SYabcd\n"),
            (b"\xFD7zXZ\0\0", b"\xFD7zXZ\0"),
            (b"", b""),
        ] {
            assert_eq!(peek(&mut Slow(input.iter())).0, expected);
        }
    }
}
