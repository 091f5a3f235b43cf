//! Decodes on the workers, ahead of the scan.
//!
//! The compressed stream is cut into pieces, which are decoded in order, each with the decoder that the piece
//! before left. A task decodes several pieces in turn, and hands out their content in parts: it decodes the
//! next part while other threads scan the last one. It does not return to the reader after each piece: that
//! would wake the reader, and the reader would wake a worker. This saves 4 to 6% of the time of one large
//! member. The decoder then works for 97% of the time, which more threads cannot shorten. Parts of half the
//! size gain nothing.
//!
//! To keep more than one worker busy, the stream is also cut where a member seems to start, and that piece is
//! decoded at once by a separate decoder. The cut is a guess: the bytes that announce a member can occur
//! anywhere in compressed data. The guess is checked when the piece before has been decoded: it was right if
//! that piece ends right after a member. If it was wrong, the output from the wrong start is discarded. So
//! guesses change the time, by at most a factor of two, and never the output. Since guesses are verified, the
//! sizes that BGZF and other formats write into their headers would add nothing.
//!
//! Workers wait for nothing. A task ends when [`AHEAD`] parts wait for the reader, and a guess ends when it
//! has made that many parts. The rest of the piece is left to the next task. So memory is bounded for any
//! compression ratio.

use std::any::Any;
use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rayon::ThreadPool;

use super::compression::Compression;
use super::decoder::{Decode, DecodeError};
use crate::corpus::input::byte_stream::{ByteStream, ReaderStream};
use crate::memory;

/// The maximum number of compressed bytes of a piece.
const PIECE: usize = 256 << 10;

/// The maximum number of decompressed bytes of a part.
const PART: usize = 1 << 20;

/// The maximum number of parts that wait for the reader.
const AHEAD: usize = 4;

/// The number of decompressed bytes for which a part has room at first.
const FIRST_ROOM: usize = 256 << 10;

/// The decompressed bytes of a stream, decoded by a pool of threads.
pub(crate) struct ParallelDecoder<'r, 'p> {
    stream: ReaderStream<'r>,
    format: Compression,
    pool: &'p ThreadPool,
    /// The task that decodes the next bytes, if one runs.
    current: Option<Task>,
    /// The decoder after all bytes read so far, while no task has it.
    decoder: Option<Box<dyn Decode>>,
    /// The pieces after those of the current task, in order.
    pieces: VecDeque<Piece>,
    /// Decoders between members, to reuse.
    spare: Vec<Box<dyn Decode>>,
    /// The bytes of the stream that belong to no piece yet.
    rest: Vec<u8>,
    /// True if a member seems to start with `rest`.
    is_start: bool,
    /// The position of `rest` in the stream.
    position: u64,
    at_end: bool,
    /// The error that ended the stream.
    error: Option<io::Error>,
    /// The parts of the output that have been taken from tasks, in order.
    parts: VecDeque<OutputPart>,
    /// The part that is being read, and the reader's position in it.
    part: OutputPart,
    read: usize,
    spare_buffers: Arc<Mutex<Vec<Vec<u8>>>>,
}

enum Piece {
    /// A piece to decode after the piece before it.
    Waiting(Compressed),
    /// A piece that is being decoded as if a member started there.
    Guess(Task),
}

/// Bytes of the stream.
struct Compressed {
    bytes: Vec<u8>,
    /// The number of consumed bytes.
    consumed: usize,
    /// The position of `bytes` in the stream.
    position: u64,
}

/// A part of the output: a buffer whose first `len` bytes are filled. The decoder overwrites the others.
#[derive(Default)]
struct OutputPart {
    buffer: Vec<u8>,
    len: usize,
}

/// The state that a task and the reader share.
type Task = Arc<Shared>;

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// Notified when a part is ready, or the task has ended.
    has_changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The next pieces of the task.
    pieces: VecDeque<Compressed>,
    /// The parts that the reader has not taken.
    parts: VecDeque<OutputPart>,
    end: Option<Result<End, Panic>>,
    /// True if the output is no longer needed.
    is_stopped: bool,
}

type Panic = Box<dyn Any + Send>;

/// The end of a task.
struct End {
    decoder: Box<dyn Decode>,
    /// The last piece, and whether all of it is decoded.
    piece: Compressed,
    is_whole: bool,
    fault: Option<DecodeError>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        self.has_changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Decodes a piece, and the pieces that the reader adds, until none is left or enough parts wait.
    fn decode(
        &self,
        format: &Compression,
        mut decoder: Box<dyn Decode>,
        mut piece: Compressed,
        spare: &Mutex<Vec<Vec<u8>>>,
    ) -> End {
        loop {
            let buffer = lock(spare).pop().unwrap_or_default();
            let (part, fault) = decode(&mut *decoder, &mut piece, buffer);
            let fault = fault.or_else(|| format.check_memory().err());
            let is_whole = part.len < PART;
            let mut state = self.lock();
            state.parts.push_back(part);
            self.has_changed.notify_one();
            let ends = fault.is_some() || state.is_stopped || state.parts.len() >= AHEAD;
            match if ends || !is_whole { None } else { state.pieces.pop_front() } {
                Some(next) => piece = next,
                None if !ends && !is_whole => {}
                None => return End { decoder, piece, is_whole, fault },
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Decodes until the piece has no more content, or the part is full.
fn decode(
    decoder: &mut dyn Decode,
    piece: &mut Compressed,
    buffer: Vec<u8>,
) -> (OutputPart, Option<DecodeError>) {
    let mut part = OutputPart { buffer, len: 0 };
    loop {
        if part.len == part.buffer.len() {
            let len = (2 * part.len).clamp(FIRST_ROOM, PART);
            if memory::try_reserve_exact(&mut part.buffer, len - part.len).is_err() {
                return (part, Some(DecodeError::out_of_memory()));
            }
            part.buffer.resize(len, 0);
        }
        let decoded = decoder.decode(&piece.bytes[piece.consumed..], &mut part.buffer[part.len..]);
        piece.consumed += decoded.consumed;
        part.len += decoded.written;
        let has_more = part.len == part.buffer.len();
        if decoded.fault.is_some() || !has_more || part.len == PART {
            return (part, decoded.fault);
        }
    }
}

impl<'r, 'p> ParallelDecoder<'r, 'p> {
    /// The smallest size of a stream, in bytes, for which parallel decoding is faster than decoding in turn.
    pub(crate) const WORTHWHILE: u64 = PIECE as u64 / 4;

    pub(crate) fn new(
        stream: ReaderStream<'r>,
        format: Compression,
        pool: &'p ThreadPool,
    ) -> io::Result<Self> {
        Ok(ParallelDecoder {
            stream,
            pool,
            current: None,
            decoder: Some(format.decoder()?),
            format,
            pieces: VecDeque::new(),
            spare: Vec::new(),
            rest: Vec::new(),
            is_start: false,
            position: 0,
            at_end: false,
            error: None,
            parts: VecDeque::new(),
            part: OutputPart::default(),
            read: 0,
            spare_buffers: Arc::default(),
        })
    }

    /// Lets a worker decode `piece`.
    fn start(&self, decoder: Box<dyn Decode>, piece: Compressed) -> Task {
        let task = Task::default();
        let format = self.format.clone();
        let (shared, spare) = (Arc::clone(&task), Arc::clone(&self.spare_buffers));
        self.pool.spawn(move || {
            // A panic left to the pool would end the process.
            let end = catch_unwind(AssertUnwindSafe(|| shared.decode(&format, decoder, piece, &spare)));
            shared.lock().end = Some(end);
            shared.has_changed.notify_one();
        });
        task
    }

    /// Reads pieces while there is room for them. Does not wait for a slow stream while a task has work.
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

    /// Reads a piece, and returns with it whether a member seems to start there.
    fn read_piece(&mut self) -> Option<(Compressed, bool)> {
        if self.at_end && self.rest.is_empty() {
            return None;
        }
        let mut bytes = mem::take(&mut self.rest);
        let mut len = bytes.len();
        if memory::try_reserve_exact(&mut bytes, PIECE - len).is_err() {
            (self.error, self.at_end) = (Some(ErrorKind::OutOfMemory.into()), true);
            return None;
        }
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

    /// Puts the next bytes into `part`. Returns false if the stream has ended.
    fn advance(&mut self) -> io::Result<bool> {
        self.read_ahead()?;
        if self.current.is_some() {
            self.take_parts();
        } else if self.parts.is_empty() {
            return match self.error.take() {
                Some(error) => Err(error),
                None if self.decoder.as_ref().is_none_or(|decoder| decoder.may_end()) => Ok(false),
                None => Err(self.format.truncated(self.position)),
            };
        }
        let used = mem::replace(&mut self.part, self.parts.pop_front().unwrap_or_default());
        // An empty part has no buffer to reuse.
        if !used.buffer.is_empty() {
            lock(&self.spare_buffers).push(used.buffer);
        }
        self.read = 0;
        Ok(true)
    }

    /// Takes the parts that the current task has made, and waits for one if no other part is left. If the
    /// task has ended and few parts are left, starts the next task, so that it decodes while these parts are
    /// scanned.
    fn take_parts(&mut self) {
        /// The maximum number of pieces that a task has in addition to the current one.
        const KNOWN: usize = 2;

        let Some(task) = &self.current else { return };
        let mut state = task.lock();
        while state.pieces.len() < KNOWN && matches!(self.pieces.front(), Some(Piece::Waiting(_))) {
            if let Some(Piece::Waiting(piece)) = self.pieces.pop_front() {
                state.pieces.push_back(piece);
            }
        }
        if self.parts.is_empty() {
            while state.parts.is_empty() && state.end.is_none() {
                state = task.wait(state);
            }
            self.parts.append(&mut state.parts);
        }
        if self.parts.len() <= AHEAD / 2
            && let Some(end) = state.end.take()
        {
            self.parts.append(&mut state.parts);
            for piece in state.pieces.drain(..).rev() {
                self.pieces.push_front(Piece::Waiting(piece));
            }
            drop(state);
            self.go_on(end.unwrap_or_else(|panic| resume_unwind(panic)));
        }
    }

    /// Starts the task after one that has ended, unless a correct guess has already started it.
    fn go_on(&mut self, end: End) {
        let End { decoder, piece, is_whole, fault } = end;
        self.current = None;
        if let Some(fault) = fault {
            self.error = Some(self.format.error(piece.position + piece.consumed as u64, fault));
            self.pieces.clear();
            self.rest.clear();
            self.at_end = true;
            return;
        }
        if !is_whole {
            self.current = Some(self.start(decoder, piece));
            return;
        }
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
                let piece = self.take_back(&task);
                Some(self.start(decoder, Compressed { consumed: 0, ..piece }))
            }
        };
    }

    /// Returns the piece of a wrong guess.
    fn take_back(&self, task: &Task) -> Compressed {
        let mut state = task.lock();
        state.is_stopped = true;
        let end = loop {
            match state.end.take() {
                Some(end) => break end,
                None => state = task.wait(state),
            }
        };
        lock(&self.spare_buffers).extend(state.parts.drain(..).map(|part| part.buffer));
        end.unwrap_or_else(|panic| resume_unwind(panic)).piece
    }
}

impl ByteStream for ParallelDecoder<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> (usize, io::Result<()>) {
        let mut len = 0;
        loop {
            let part = &self.part.buffer[self.read..self.part.len];
            let count = part.len().min(buffer.len() - len);
            buffer[len..len + count].copy_from_slice(&part[..count]);
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
        self.read == self.part.len && self.parts.is_empty() && self.current.is_none() && self.stream.is_slow()
    }

    fn wait(&mut self, time: Duration) -> bool {
        !self.is_slow() || self.stream.wait(time)
    }
}

#[cfg(all(test, feature = "gzip"))]
mod tests {
    use super::*;
    use crate::corpus::input::decompress::decoder::Decoded;

    /// A decoder that panics.
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

    /// Tests that the panic does not end the process or leave the reader waiting.
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
