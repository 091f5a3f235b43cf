//! xz, by the [file format](https://tukaani.org/xz/xz-file-format.txt) of its authors.

use liblzma::stream::{Action, Error, Status, Stream, TELL_UNSUPPORTED_CHECK};

use super::decoder::{Decode, DecodeError, Decoded};

/// The maximum memory of a decoder in bytes: a dictionary of 128 MiB, and its other memory. Level 9 has a
/// dictionary of 64 MiB.
const MOST_MEMORY: u64 = 160 << 20;

/// A multiple of this number of zeros may follow a stream (section 2.2).
const PADDING: u8 = 4;

pub(crate) enum Xz {
    /// Between two streams, after this number of zeros, modulo [`PADDING`].
    Between(u8),
    Stream(Box<Stream>),
}

impl Default for Xz {
    fn default() -> Self {
        Xz::Between(0)
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

impl Decode for Xz {
    fn decode(&mut self, input: &[u8], output: &mut [u8]) -> Decoded {
        let mut done = Decoded::default();
        while done.written < output.len() && done.fault.is_none() {
            let rest = &input[done.consumed..];
            match (&mut *self, rest.first()) {
                (Xz::Between(_), None) => break,
                (Xz::Between(zeros), Some(0)) => {
                    *zeros = (*zeros + 1) % PADDING;
                    done.consumed += 1;
                }
                (Xz::Between(0), Some(0xFD)) => match stream() {
                    Ok(stream) => *self = Xz::Stream(Box::new(stream)),
                    Err(error) => done.fault = Some(fault(error)),
                },
                (Xz::Between(_), Some(_)) => {
                    done.fault = Some(DecodeError::invalid(
                        "neither an xz stream nor zeros in fours follow the last one",
                    ));
                }
                (Xz::Stream(stream), _) => {
                    let (consumed, written) = (stream.total_in(), stream.total_out());
                    let result = stream.process(rest, &mut output[done.written..], Action::Run);
                    let consumed = (stream.total_in() - consumed) as usize;
                    let written = (stream.total_out() - written) as usize;
                    done.consumed += consumed;
                    done.written += written;
                    match result {
                        Ok(Status::StreamEnd) => *self = Xz::Between(0),
                        Ok(_) if consumed == 0 && written == 0 => break,
                        Ok(_) => {}
                        Err(error) => done.fault = Some(fault(error)),
                    }
                }
            }
        }
        done
    }

    #[cfg(feature = "rayon")]
    fn is_between_members(&self) -> bool {
        matches!(self, Xz::Between(0))
    }

    fn may_end(&self) -> bool {
        matches!(self, Xz::Between(0))
    }
}

/// Returns a decoder for one stream.
fn stream() -> Result<Stream, Error> {
    Stream::new_stream_decoder(MOST_MEMORY, TELL_UNSUPPORTED_CHECK)
}

fn fault(error: Error) -> DecodeError {
    match error {
        Error::MemLimit => DecodeError::unsupported("a dictionary of more than 128 MiB"),
        Error::Mem => DecodeError::unsupported("not enough memory"),
        Error::Options => DecodeError::unsupported("an unknown filter or option"),
        Error::UnsupportedCheck => DecodeError::unsupported("an unknown kind of checksum"),
        Error::Format => DecodeError::invalid("no xz stream follows the last one"),
        Error::Data | Error::Program | Error::NoCheck => {
            DecodeError::invalid("invalid data, or its checksum is wrong")
        }
    }
}
