//! Which format an input has.

use std::fmt;
use std::io::{self, ErrorKind, Read};

use super::decoder::{Decode, DecodeError};
use crate::corpus::input::foreign::Foreign;

/// A format of compressed data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    Gzip,
    Zstd,
}

impl Compression {
    /// The format of an input that starts with `head`, unless it is not compressed.
    ///
    /// No record that any grammar allows starts like this: 1F and 18 are control characters, and after `(` B5 is neither ASCII nor
    /// the start of a UTF-8 sequence.
    pub(crate) fn of(head: &[u8]) -> Option<Self> {
        match head {
            [0x1F, 0x8B, ..] => Some(Compression::Gzip),
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(Compression::Zstd),
            // A skippable frame.
            [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Some(Compression::Zstd),
            _ => None,
        }
    }

    /// Whether more bytes after `head` could settle it.
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
        )
    }

    /// A decoder at the start of an input.
    pub(crate) fn decoder(self) -> io::Result<Box<dyn Decode>> {
        match self {
            #[cfg(feature = "gzip")]
            Compression::Gzip => Ok(Box::<super::gzip::Gzip>::default()),
            #[cfg(feature = "zstd")]
            Compression::Zstd => Ok(Box::new(super::zstd::Zstd::new()?)),
            #[cfg(not(all(feature = "gzip", feature = "zstd")))]
            _ => {
                let message = format!("{self} data, which this build cannot read");
                Err(io::Error::new(ErrorKind::Unsupported, message))
            }
        }
    }

    /// The last place in `bytes`, but not its start, that looks like the start of a member.
    #[cfg(feature = "rayon")]
    pub(crate) fn guess_last_start(self, bytes: &[u8]) -> Option<usize> {
        match self {
            #[cfg(feature = "gzip")]
            Compression::Gzip => last_start(bytes, super::gzip::START, super::gzip::is_plausible),
            #[cfg(feature = "zstd")]
            Compression::Zstd => last_start(bytes, super::zstd::START, super::zstd::is_plausible),
            #[cfg(not(all(feature = "gzip", feature = "zstd")))]
            _ => None,
        }
    }

    /// The I/O error for `fault`, which a decoder met at this byte.
    pub(crate) fn error(self, position: u64, fault: DecodeError) -> io::Error {
        let DecodeError { kind, reason, before } = fault;
        let position = position - before;
        let what = if kind == ErrorKind::Unsupported { "unsupported" } else { "corrupt" };
        io::Error::new(kind, format!("{what} {self} data at byte {position}: {reason}"))
    }

    /// The error that the input ends at this byte.
    pub(crate) fn truncated(self, position: u64) -> io::Error {
        io::Error::new(ErrorKind::UnexpectedEof, format!("truncated {self} data at byte {position}"))
    }
}

/// The last place of `magic` in `bytes`, but not at its start, that is plausible with what follows.
#[cfg(feature = "rayon")]
fn last_start(bytes: &[u8], magic: &[u8], is_plausible: fn(&[u8]) -> bool) -> Option<usize> {
    // Forwards, as only that way is vectorised.
    let places = crate::work::memmem::find_iter(bytes, magic);
    places.filter(|&at| at > 0 && is_plausible(&bytes[at..])).last()
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
        })
    }
}

/// Reads as many bytes as tell what an input is, and not much more than come at once. An error may follow them.
pub(crate) fn peek(input: &mut dyn Read) -> (Vec<u8>, io::Result<()>) {
    const SIZE: usize = 64 << 10;

    let mut head = vec![0; SIZE];
    let mut len = 0;
    let mut result = Ok(());
    while Compression::is_open(&head[..len]) || Foreign::is_open(&head[..len]) {
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

    const MAGICS: [[u8; 4]; 4] =
        [[0x1F, 0x8B, 8, 0], [0x28, 0xB5, 0x2F, 0xFD], [0x50, 0x2A, 0x4D, 0x18], [0x5F, 0x2A, 0x4D, 0x18]];

    #[test]
    fn what_is_compressed_is_told_by_its_first_bytes() {
        let formats = MAGICS.map(|magic| Compression::of(&magic));
        assert_eq!(
            formats,
            [Compression::Gzip, Compression::Zstd, Compression::Zstd, Compression::Zstd].map(Some)
        );
        for text in [&b""[..], b"P", b"(\xB5/", b"PK\x03\x04", b"http://example.com/"] {
            assert_eq!(Compression::of(text), None);
        }
    }

    #[test]
    fn no_valid_record_looks_compressed() {
        for magic in MAGICS {
            for &grammar in Grammar::ALL {
                for len in 1..=4 {
                    let head = &magic[..len];
                    assert!(
                        Compression::of(head).is_none() || !is_valid(grammar, head),
                        "{head:X?} {grammar:?}"
                    );
                }
            }
        }
    }

    /// One byte at a time, and no further than necessary: who waits for an answer to a line gets it.
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
            (b"", b""),
        ] {
            assert_eq!(peek(&mut Slow(input.iter())).0, expected);
        }
    }
}
