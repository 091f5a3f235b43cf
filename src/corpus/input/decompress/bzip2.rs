//! bzip2. Its program is its only specification.

use ::bzip2::{Decompress, Error, Status};

use super::decoder::{Decode, DecodeError, Decoded};

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
                    Some(b'B') => {
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

const NO_STREAM: &str = "no bzip2 stream follows the last one";

fn reason(error: Error) -> &'static str {
    match error {
        Error::DataMagic => NO_STREAM,
        _ => "the stream that starts here has invalid data or a wrong checksum",
    }
}
