//! Streams one after the other, with the decoder of either library.

use crate::corpus::input::decompress::decoder::{Decode, DecodeError, Decoded};

/// A multiple of this number of zeros may follow a stream (section 2.2).
const PADDING: u8 = 4;

/// Decodes one stream after the other.
pub(crate) trait DecodeStream: Default + Send {
    /// Starts another stream.
    fn start(&mut self) -> Result<(), DecodeError>;

    /// Decodes until `output` is full, all of `input` is consumed, or the stream has ended. Returns the
    /// progress, and true at the end of the stream.
    fn decode(&mut self, input: &[u8], output: &mut [u8]) -> (Decoded, bool);
}

/// Decodes streams and the zeros between them.
#[derive(Default)]
pub(crate) struct Streams<D> {
    decoder: D,
    place: Place,
}

enum Place {
    /// Between two streams, after this number of zeros, modulo [`PADDING`].
    Between(u8),
    Stream,
}

impl Default for Place {
    fn default() -> Self {
        Place::Between(0)
    }
}

/// Returns true if these bytes, which start with the magic number, look like a stream that may be decoded in
/// parallel with others: the first block has no filter except LZMA2, and a dictionary of at most 8 MiB, the
/// default level's size (sections 2.1.1, 3.1 and 5.3.1).
#[cfg(feature = "rayon")]
pub(crate) fn is_plausible(start: &[u8]) -> bool {
    const MAGIC: usize = 6;
    const STREAM_HEADER: usize = 12;
    const LZMA2: u8 = 0x21;
    const LARGEST: u8 = 22;

    let Some([_, flags, fields @ ..]) = start.get(STREAM_HEADER..) else { return false };
    // The compressed and the uncompressed size, if the flags announce them, in groups of seven bits.
    let sizes = (flags >> 6 & 1) + (flags >> 7);
    let mut fields = fields.iter();
    for _ in 0..sizes {
        if fields.by_ref().take(9).all(|&byte| byte & 0x80 != 0) {
            return false;
        }
    }
    let is_simple = start[MAGIC] == 0 && flags & 0x3F == 0;
    is_simple && matches!(fields.as_slice(), &[LZMA2, 1, dictionary, ..] if dictionary <= LARGEST)
}

impl<D: DecodeStream> Decode for Streams<D> {
    fn decode(&mut self, input: &[u8], output: &mut [u8]) -> Decoded {
        let mut done = Decoded::default();
        while done.written < output.len() && done.fault.is_none() {
            let rest = &input[done.consumed..];
            match (&mut self.place, rest.first()) {
                (Place::Between(_), None) => break,
                (Place::Between(zeros), Some(0)) => {
                    *zeros = (*zeros + 1) % PADDING;
                    done.consumed += 1;
                }
                (Place::Between(0), Some(0xFD)) => match self.decoder.start() {
                    Ok(()) => self.place = Place::Stream,
                    Err(fault) => done.fault = Some(fault),
                },
                (Place::Between(_), Some(_)) => {
                    done.fault = Some(DecodeError::invalid(
                        "neither an xz stream nor zeros in fours follow the last one",
                    ));
                }
                (Place::Stream, _) => {
                    let (decoded, has_ended) = self.decoder.decode(rest, &mut output[done.written..]);
                    let is_stuck = decoded.consumed == 0 && decoded.written == 0;
                    done.consumed += decoded.consumed;
                    done.written += decoded.written;
                    done.fault = decoded.fault;
                    if has_ended {
                        self.place = Place::Between(0);
                    } else if is_stuck {
                        break;
                    }
                }
            }
        }
        done
    }

    #[cfg(feature = "rayon")]
    fn is_between_members(&self) -> bool {
        self.may_end()
    }

    fn may_end(&self) -> bool {
        matches!(self.place, Place::Between(0))
    }
}

pub(super) fn no_stream() -> DecodeError {
    DecodeError::invalid("no xz stream follows the last one")
}

pub(super) fn corrupt() -> DecodeError {
    DecodeError::invalid("invalid data, or its checksum is wrong")
}

pub(super) fn dictionary_too_large() -> DecodeError {
    DecodeError::unsupported("a dictionary of more than 128 MiB")
}

pub(super) fn unknown_filter() -> DecodeError {
    DecodeError::unsupported("an unknown filter or option")
}

pub(super) fn unknown_checksum() -> DecodeError {
    DecodeError::unsupported("an unknown kind of checksum")
}
