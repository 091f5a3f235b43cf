//! bzip2. Its program is its only specification.

use ::bzip2::{Decompress, Error, Status};

use super::bzip2_start::START;
use super::decoder::{Decode, DecodeError, Decoded};
use crate::memory;
use crate::work::looked_at;

/// The state of the decoder.
#[derive(Default)]
pub(crate) struct Bzip2 {
    /// None between two streams.
    stream: Option<Decompress>,
    window: Window,
    /// Whether the last stream was a short one.
    was_short: bool,
    /// The error that follows the bytes in the window.
    fault: Option<Fault>,
}

/// An error in a stream.
///
/// The library reads up to four bytes ahead if it has them. So the byte at which it stops depends on the
/// pieces of the input, and the error names the start of the stream instead.
#[derive(Clone, Copy)]
struct Fault {
    reason: &'static str,
    /// The number of bytes of the stream that were consumed.
    consumed: u64,
}

/// The bytes that have been decoded and not yet requested.
///
/// A call of the library that meets an error in a block loses the bytes of this block that it has written. So
/// the calls fill windows at fixed places of the content, independent of how many bytes are requested, and an
/// archive always has the same content before its error.
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
                        // The library asks for the memory of blocks, but not for its state.
                        if memory::ask_for(2 * STATE).is_err() {
                            done.fault = Some(DecodeError::out_of_memory());
                            break;
                        }
                        (self.window.filled, self.window.taken) = (0, 0);
                        let short = if self.was_short { self.decode_short(rest) } else { None };
                        match short {
                            Some(consumed) => done.consumed += consumed,
                            None => self.stream = Some(new_stream(rest.get(START.len()))),
                        }
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
                Ok(Status::StreamEnd) => {
                    self.was_short =
                        stream.total_in() < SHORT as u64 && stream.total_out() < Window::LEN as u64;
                    self.stream = None;
                }
                Ok(Status::MemNeeded) => {
                    done.fault = Some(DecodeError::out_of_memory());
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

impl Bzip2 {
    /// Decodes a short stream at the start of `rest` into the empty window, and returns its length. Returns
    /// `None` for any other stream.
    ///
    /// The library clears memory for the block size, which is 3.6 MB for most streams. An archive can have a
    /// stream for every 40 bytes, so a stream that follows a short one is tried with the smallest block size.
    /// A stream that is valid by this size has the same content by any other.
    fn decode_short(&mut self, rest: &[u8]) -> Option<usize> {
        let (size, stream) = rest[..rest.len().min(SHORT)].strip_prefix(START)?.split_first()?;
        if !matches!(size, b'1'..=b'9') {
            return None;
        }
        let mut decoder = new_stream(Some(&b'1'));
        decoder.decompress(&[START, b"1"].concat(), &mut []).ok()?;
        let room = self.window.room();
        let end = decoder.decompress(stream, room).ok()?;
        if end != Status::StreamEnd {
            return None;
        }
        self.window.filled = decoder.total_out() as usize;
        Some(decoder.total_in() as usize)
    }
}

/// The length of short streams, and of the bytes that are tried as one.
const SHORT: usize = 4 << 10;

/// Returns the state for a stream, which grows with the block size: a digit.
fn new_stream(size: Option<&u8>) -> Decompress {
    let hundreds_of_kilobytes = size.map_or(0, |size| size.saturating_sub(b'0').min(9));
    looked_at(STATE + usize::from(hundreds_of_kilobytes) * BLOCK);
    Decompress::new(false)
}

/// The bytes that the library clears for each stream, and for each 100 kB of the block size. An archive of
/// empty streams has one for every 14 bytes, so they do not get there.
const STATE: usize = 64 << 10;
const BLOCK: usize = 400_000;

/// Returns true if a whole stream without content is next.
fn is_empty_stream(rest: &[u8]) -> bool {
    let end = rest.get(..EMPTY_STREAM_LEN).and_then(|stream| stream.strip_prefix(START)?.split_first());
    end.is_some_and(|(size, end)| matches!(size, b'1'..=b'9') && end == EMPTY_STREAM_END)
}

/// The end of a stream without content, after its block size: the magic number of the end, and the checksum
/// of no block.
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
            assert!(so_far() - before <= pieces * (STATE + 9 * BLOCK) as u64);
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

    /// Tests that short streams take little memory each, whatever their block size, and that longer ones
    /// among them lose nothing.
    #[test]
    fn short_streams_take_time_for_the_smallest_block() {
        use std::io::Write;

        let packed = |content: &[u8]| {
            let mut writer = ::bzip2::write::BzEncoder::new(Vec::new(), ::bzip2::Compression::best());
            writer.write_all(content).unwrap();
            writer.finish().unwrap()
        };
        let decoded = |streams: &[u8], piece: usize| {
            let (mut decoder, mut content) = (Bzip2::default(), Vec::new());
            for mut piece in streams.chunks(piece) {
                let mut output = [0; 1000];
                loop {
                    let decoded = decoder.decode(piece, &mut output);
                    content.extend_from_slice(&output[..decoded.written]);
                    piece = &piece[decoded.consumed..];
                    if let Some(fault) = decoded.fault {
                        return (content, Some(fault.before));
                    }
                    if decoded.written < output.len() {
                        break;
                    }
                }
            }
            assert!(decoder.may_end());
            (content, None)
        };
        const STREAMS: usize = 500;
        let short = packed(b"http://h/\n");
        let before = so_far();
        assert_eq!(decoded(&short.repeat(STREAMS), usize::MAX), (b"http://h/\n".repeat(STREAMS), None));
        assert!(so_far() - before <= (STREAMS * (STATE + BLOCK) + 9 * BLOCK) as u64);

        // Contents of a window, of more, of more than the smallest block, of a few bytes that do not
        // compress, and nothing.
        let mut noise = 1u32;
        let mut noise = |len: usize| -> Vec<u8> {
            let mut next = || {
                noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (noise >> 24) as u8
            };
            (0..len).map(|_| next()).collect()
        };
        let zeros = |len| vec![0; len];
        let contents = [
            zeros(10),
            zeros(Window::LEN - 1),
            zeros(Window::LEN),
            zeros(Window::LEN + 1),
            zeros(3_000_000),
            noise(10),
            noise(SHORT),
            noise(150_000),
            Vec::new(),
        ];
        let small = packed(b"a");
        let streams: Vec<u8> =
            contents.iter().flat_map(|content| [&*small, &packed(content)].concat()).collect();
        let content: Vec<u8> = contents.iter().flat_map(|content| [b"a", &**content].concat()).collect();
        for piece in [usize::MAX, 40_000, 4096, 100, 7] {
            let (found, fault) = decoded(&streams, piece);
            assert!(found == content && fault.is_none(), "pieces of {piece}");
        }
        // A wrong checksum loses its stream, and names it.
        let mut damaged = packed(b"http://b/\n");
        let last = damaged.len() - 3;
        damaged[last] ^= 0x10;
        for piece in [usize::MAX, 7] {
            let (found, fault) = decoded(&[&*short, &*short, &*damaged, &*short].concat(), piece);
            let (alone, of_one) = decoded(&damaged, piece);
            assert_eq!(found, [&b"http://h/\nhttp://h/\n"[..], &alone].concat());
            assert!(fault.is_some() && of_one.is_some());
        }
    }
}
