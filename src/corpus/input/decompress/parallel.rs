//! Decoding on the workers, ahead of the scan.
//!
//! The compressed stream is cut into pieces, which are decoded in order, each with the decoder that the piece before
//! left. So one piece is decoded while another one's content is scanned.
//!
//! To keep more than one worker busy, a piece is cut where a member seems to start, and decoded at once by a decoder of its own. It
//! only seems so: the bytes that announce a member can be anywhere in compressed data. But whether it was right is known when the
//! piece before has been decoded: it ends right after a member, or it does not. In the latter case the output from the wrong start
//! is thrown away. So guesses change the time, by no more than a factor of two, and never the output. As guesses are verified, the
//! sizes that BGZF and others write into their headers would add nothing.
//!
//! Workers do not wait for anything. A task stops when it has made [`OUTPUT`] bytes of a piece, and the rest of the piece waits until
//! a reader needs it: so memory is bounded whatever the ratio of compression.

use std::collections::VecDeque;
use std::io;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use rayon::ThreadPool;

use super::compression::Compression;
use super::decoder::{Decode, DecodeError};
use crate::corpus::input::byte_stream::{ByteStream, ReaderStream};

/// The compressed bytes of a piece, at most.
const PIECE: usize = 256 << 10;

/// The decompressed bytes that a task makes, at most.
const OUTPUT: usize = 4 << 20;

/// The decompressed bytes that there is room for at first.
const FIRST_OUTPUT: usize = 512 << 10;

/// The decompressed bytes of a stream, decoded by a pool of threads.
pub(crate) struct ParallelDecoder<'r, 'p> {
    stream: ReaderStream<'r>,
    format: Compression,
    pool: &'p ThreadPool,
    /// The task that decodes the next bytes.
    current: Option<Task>,
    /// The decoder after all bytes read so far, while there is no such task.
    decoder: Option<Box<dyn Decode>>,
    /// The pieces after the current task, in order.
    pieces: VecDeque<Piece>,
    /// Decoders between members, to be used again.
    spare: Vec<Box<dyn Decode>>,
    /// Bytes of the stream that are in no piece yet.
    rest: Vec<u8>,
    /// Whether a member seems to start with `rest`.
    is_start: bool,
    /// The position of `rest` in the stream.
    position: u64,
    at_end: bool,
    /// The error that ended the stream.
    error: Option<io::Error>,
    /// The output of a task, and the position of the reader in it.
    output: Output,
    read: usize,
    spare_outputs: Vec<Vec<u8>>,
}

enum Piece {
    /// To be decoded when the one before has been.
    Waiting(Compressed),
    /// Being decoded as if a member started there.
    Guess(Task),
}

/// Bytes of the stream.
struct Compressed {
    bytes: Vec<u8>,
    /// The number of consumed bytes.
    consumed: usize,
    /// Their position in the stream.
    position: u64,
}

/// A buffer whose first `len` bytes are filled; the others will be overwritten.
#[derive(Default)]
struct Output {
    buffer: Vec<u8>,
    len: usize,
}

/// The place for the result of a task, or for its panic.
type Task = Receiver<thread::Result<Done>>;

/// The result of a task.
struct Done {
    decoder: Box<dyn Decode>,
    piece: Compressed,
    output: Output,
    fault: Option<DecodeError>,
}

/// Decodes until the piece has no more, or has made enough.
fn decode(mut decoder: Box<dyn Decode>, mut piece: Compressed, buffer: Vec<u8>) -> Done {
    let mut output = Output { buffer, len: 0 };
    loop {
        if output.len == output.buffer.len() {
            let len = (2 * output.len).clamp(FIRST_OUTPUT, OUTPUT);
            output.buffer.resize(len, 0);
        }
        let decoded = decoder.decode(&piece.bytes[piece.consumed..], &mut output.buffer[output.len..]);
        piece.consumed += decoded.consumed;
        output.len += decoded.written;
        let has_more = output.len == output.buffer.len();
        if decoded.fault.is_some() || !has_more || output.len == OUTPUT {
            return Done { decoder, piece, output, fault: decoded.fault };
        }
    }
}

impl<'r, 'p> ParallelDecoder<'r, 'p> {
    /// A stream of fewer bytes is decoded as fast in turn.
    pub(crate) const WORTHWHILE: u64 = PIECE as u64 / 4;

    pub(crate) fn new(
        stream: ReaderStream<'r>,
        format: Compression,
        pool: &'p ThreadPool,
    ) -> io::Result<Self> {
        Ok(ParallelDecoder {
            stream,
            format,
            pool,
            current: None,
            decoder: Some(format.decoder()?),
            pieces: VecDeque::new(),
            spare: Vec::new(),
            rest: Vec::new(),
            is_start: false,
            position: 0,
            at_end: false,
            error: None,
            output: Output::default(),
            read: 0,
            spare_outputs: Vec::new(),
        })
    }

    /// Lets a worker decode `piece`.
    fn start(&mut self, decoder: Box<dyn Decode>, piece: Compressed) -> Task {
        let buffer = self.spare_outputs.pop().unwrap_or_default();
        let (sender, receiver) = mpsc::sync_channel(1);
        self.pool.spawn(move || {
            // A panic that is left to the pool ends the process.
            let done = catch_unwind(AssertUnwindSafe(|| decode(decoder, piece, buffer)));
            // Nobody receives it when the scan has been stopped.
            let _ = sender.send(done);
        });
        receiver
    }

    /// Reads pieces as long as there is room for them, and no need to wait while there is something to do.
    fn read_ahead(&mut self) -> io::Result<()> {
        let room = self.pool.current_num_threads() + 1;
        while self.pieces.len() < room && (self.current.is_none() || !self.stream.is_slow()) {
            let Some((piece, is_start)) = self.read_piece() else { break };
            if let Some(decoder) = self.decoder.take() {
                self.current = Some(self.start(decoder, piece));
            } else if is_start {
                let spare = self.spare.pop();
                let decoder = spare.map_or_else(|| self.format.decoder(), Ok)?;
                let guess = self.start(decoder, piece);
                self.pieces.push_back(Piece::Guess(guess));
            } else {
                self.pieces.push_back(Piece::Waiting(piece));
            }
        }
        Ok(())
    }

    /// Reads a piece, and says whether a member seems to start with it.
    fn read_piece(&mut self) -> Option<(Compressed, bool)> {
        if self.at_end && self.rest.is_empty() {
            return None;
        }
        let mut bytes = mem::take(&mut self.rest);
        let mut len = bytes.len();
        bytes.resize(PIECE, 0);
        while len < PIECE && !self.at_end {
            let (count, result) = self.stream.read(&mut bytes[len..]);
            len += count;
            self.error = result.err();
            self.at_end = count == 0 || self.error.is_some();
            if self.stream.is_slow() {
                break;
            }
        }
        bytes.truncate(len);
        let is_start = mem::take(&mut self.is_start);
        if len == PIECE
            && let Some(start) = self.format.guess_last_start(&bytes)
        {
            self.rest = bytes.split_off(start);
            self.is_start = true;
        }
        let position = self.position;
        self.position += bytes.len() as u64;
        (!bytes.is_empty()).then_some((Compressed { bytes, consumed: 0, position }, is_start))
    }

    /// Puts the next bytes into `output`, or returns that the stream has ended.
    fn advance(&mut self) -> io::Result<bool> {
        self.read_ahead()?;
        let Some(task) = self.current.take() else {
            return match self.error.take() {
                Some(error) => Err(error),
                None if self.decoder.as_ref().is_none_or(|decoder| decoder.may_end()) => Ok(false),
                None => Err(self.format.truncated(self.position)),
            };
        };
        let Done { decoder, piece, output, fault } = receive(task);
        let used = mem::replace(&mut self.output, output);
        self.spare_outputs.push(used.buffer);
        self.read = 0;
        if let Some(fault) = fault {
            self.error = Some(self.format.error(piece.position + piece.consumed as u64, fault));
            self.pieces.clear();
            self.rest.clear();
            self.at_end = true;
        } else if self.output.len == OUTPUT {
            self.current = Some(self.start(decoder, piece));
        } else {
            self.go_on(decoder);
        }
        Ok(true)
    }

    /// Starts the piece after one that left `decoder`, unless it has been started rightly.
    fn go_on(&mut self, decoder: Box<dyn Decode>) {
        self.current = match self.pieces.pop_front() {
            None => {
                self.decoder = Some(decoder);
                None
            }
            Some(Piece::Waiting(piece)) => Some(self.start(decoder, piece)),
            Some(Piece::Guess(task)) if decoder.is_between_members() => {
                self.spare.push(decoder);
                Some(task)
            }
            Some(Piece::Guess(task)) => {
                let Done { piece, output, .. } = receive(task);
                self.spare_outputs.push(output.buffer);
                Some(self.start(decoder, Compressed { consumed: 0, ..piece }))
            }
        };
    }
}

/// The result of a task. If it panicked, so does this thread.
fn receive(task: Task) -> Done {
    let done = task.recv().expect("a task sends what it has done");
    done.unwrap_or_else(|panic| resume_unwind(panic))
}

impl ByteStream for ParallelDecoder<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> (usize, io::Result<()>) {
        let mut len = 0;
        loop {
            let output = &self.output.buffer[self.read..self.output.len];
            let count = output.len().min(buffer.len() - len);
            buffer[len..len + count].copy_from_slice(&output[..count]);
            self.read += count;
            len += count;
            if len == buffer.len() || (len > 0 && self.is_slow()) {
                return (len, Ok(()));
            }
            match self.advance() {
                Ok(true) => {}
                Ok(false) => return (len, Ok(())),
                Err(error) => return (len, Err(error)),
            }
        }
    }

    fn is_slow(&self) -> bool {
        self.read == self.output.len && self.current.is_none() && self.stream.is_slow()
    }
}

#[cfg(all(test, feature = "gzip"))]
mod tests {
    use super::*;
    use crate::corpus::input::decompress::decoder::Decoded;

    /// A decoder with a mistake in it.
    struct Mistaken;

    impl Decode for Mistaken {
        fn decode(&mut self, _: &[u8], _: &mut [u8]) -> Decoded {
            panic!("a mistake");
        }

        fn is_between_members(&self) -> bool {
            false
        }

        fn may_end(&self) -> bool {
            false
        }
    }

    /// It neither ends the process nor leaves the reader waiting.
    #[test]
    fn a_panic_of_a_decoder_reaches_the_reader() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let mut bytes = &b"\x1F\x8Babc"[..];
        let mut ahead =
            ParallelDecoder::new(ReaderStream::at_hand(&mut bytes), Compression::Gzip, &pool).unwrap();
        ahead.decoder = Some(Box::new(Mistaken));
        let panic = catch_unwind(AssertUnwindSafe(|| ahead.read(&mut [0; 8]))).unwrap_err();
        assert_eq!(panic.downcast_ref(), Some(&"a mistake"));
    }
}
