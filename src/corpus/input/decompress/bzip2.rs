//! bzip2. Its program is its only specification.

use ::bzip2::{Decompress, Error, Status};

use super::bzip2_start::START;
use super::decoder::{Decode, DecodeError, Decoded};
use crate::work::looked_at;

/// The state of the decoder.
#[derive(Default)]
pub(crate) struct Bzip2 {
    /// None between two streams.
    stream: Option<Decompress>,
    window: Window,
    /// The error that follows the bytes in the window.
    fault: Option<Fault>,
}

/// An error in a stream.
///
/// The library reads up to four bytes ahead if it has them. So the byte at which it stops depends on the pieces of the input, and the error names
/// the start of the stream instead.
#[derive(Clone, Copy)]
struct Fault {
    reason: &'static str,
    /// The number of bytes of the stream that were consumed.
    consumed: u64,
}

/// The bytes that have been decoded and not yet requested.
///
/// A call of the library that meets an error in a block loses the bytes of this block that it has written. So the calls fill windows at fixed
/// places of the content, independent of how many bytes are requested, and an archive always has the same content before its error.
#[derive(Default)]
struct Window {
    buffer: Vec<u8>,
    filled: usize,
    taken: usize,
}

impl Window {
    const LEN: usize = 64 << 10;

    /// Moves bytes to `output`, and returns their number.
    fn take(&mut self, output: &mut [u8]) -> usize {
        let rest = &self.buffer[self.taken..self.filled];
        let len = rest.len().min(output.len());
        output[..len].copy_from_slice(&rest[..len]);
        self.taken += len;
        len
    }

    /// Returns the room for more bytes, after all bytes have been taken.
    fn room(&mut self) -> &mut [u8] {
        self.buffer.resize(Window::LEN, 0);
        if self.filled == Window::LEN {
            (self.filled, self.taken) = (0, 0);
        }
        &mut self.buffer[self.filled..]
    }
}

impl Decode for Bzip2 {
    fn decode(&mut self, input: &[u8], output: &mut [u8]) -> Decoded {
        let mut done = Decoded::default();
        while done.written < output.len() {
            done.written += self.window.take(&mut output[done.written..]);
            if done.written == output.len() {
                break;
            }
            if let Some(Fault { reason, consumed }) = self.fault {
                done.fault = Some(DecodeError { before: consumed, ..DecodeError::invalid(reason) });
                break;
            }
            let rest = &input[done.consumed..];
            let Some(stream) = &mut self.stream else {
                match rest.first() {
                    None => break,
                    Some(_) if is_empty_stream(rest) => done.consumed += EMPTY_STREAM_LEN,
                    Some(b'B') => {
                        looked_at(STATE);
                        self.stream = Some(Decompress::new(false));
                        (self.window.filled, self.window.taken) = (0, 0);
                    }
                    Some(_) => self.fault = Some(Fault { reason: NO_STREAM, consumed: 0 }),
                }
                continue;
            };
            let (consumed, written) = (stream.total_in(), stream.total_out());
            let result = stream.decompress(rest, self.window.room());
            let consumed = (stream.total_in() - consumed) as usize;
            let written = (stream.total_out() - written) as usize;
            done.consumed += consumed;
            self.window.filled += written;
            match result {
                Ok(Status::StreamEnd) => self.stream = None,
                Ok(Status::MemNeeded) => {
                    done.fault = Some(DecodeError::unsupported("not enough memory"));
                    break;
                }
                Ok(_) if consumed == 0 && written == 0 => break,
                Ok(_) => {}
                Err(error) => self.fault = Some(Fault { reason: reason(error), consumed: stream.total_in() }),
            }
        }
        done
    }

    #[cfg(feature = "rayon")]
    fn is_between_members(&self) -> bool {
        self.stream.is_none()
    }

    fn may_end(&self) -> bool {
        self.stream.is_none()
    }
}

/// The bytes that the library clears for each stream. An archive of empty streams has one for every 14 bytes, so they do not get there.
const STATE: usize = 64 << 10;

/// Returns true if a whole stream without content is next.
fn is_empty_stream(rest: &[u8]) -> bool {
    let end = rest.get(..EMPTY_STREAM_LEN).and_then(|stream| stream.strip_prefix(START)?.split_first());
    end.is_some_and(|(size, end)| matches!(size, b'1'..=b'9') && end == EMPTY_STREAM_END)
}

/// The end of a stream without content, after its block size: the magic number of the end, and the checksum of no block.
const EMPTY_STREAM_END: &[u8] = b"\x17\x72\x45\x38\x50\x90\0\0\0\0";
const EMPTY_STREAM_LEN: usize = START.len() + 1 + EMPTY_STREAM_END.len();

const NO_STREAM: &str = "no bzip2 stream follows the last one";

fn reason(error: Error) -> &'static str {
    match error {
        Error::DataMagic => NO_STREAM,
        _ => "the stream that starts here has invalid data or a wrong checksum",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::so_far;

    /// Tests that streams without content do not cost the memory of a stream each, in any pieces.
    #[test]
    fn empty_streams_take_time_for_their_bytes() {
        const STREAMS: usize = 10_000;

        let one = [START, b"9", EMPTY_STREAM_END].concat();
        let streams = one.repeat(STREAMS);
        for piece in [streams.len(), 4096] {
            let before = so_far();
            let mut decoder = Bzip2::default();
            for piece in streams.chunks(piece) {
                let decoded = decoder.decode(piece, &mut [0; 64]);
                assert_eq!((decoded.consumed, decoded.written), (piece.len(), 0));
                assert!(decoded.fault.is_none());
            }
            assert!(decoder.may_end());
            // Of each piece, only the stream at its border goes through the library.
            let pieces = (streams.len() / piece) as u64;
            assert!(so_far() - before <= pieces * STATE as u64);
        }
        let [mut damaged, mut cut] = [one.clone(), one];
        damaged[13] = 1;
        cut.pop();
        for (bytes, may_end) in [(damaged, true), (cut, false)] {
            let mut decoder = Bzip2::default();
            let decoded = decoder.decode(&bytes, &mut [0; 64]);
            assert!(decoded.fault.is_some() || decoder.may_end() == may_end);
        }
    }
}
