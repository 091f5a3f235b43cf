//! Decoding on the workers, ahead of the scan.
//!
//! The compressed stream is cut into pieces, which are decoded in order, each with the decoder that the piece before
//! left. A task takes one piece after the other, and hands out their content in parts: so it decodes the next part while others scan the last one.
//! It does not go through the reader from piece to piece, which would wake the reader, and the reader a worker: one large member takes 4 to 6%
//! less time so. Its decoder then works for 97% of the time, which no number of threads can shorten. Parts of half the size gain nothing.
//!
//! To keep more than one worker busy, a piece is cut where a member seems to start, and decoded at once by a decoder of its own. It
//! only seems so: the bytes that announce a member can be anywhere in compressed data. But whether it was right is known when the
//! piece before has been decoded: it ends right after a member, or it does not. In the latter case the output from the wrong start
//! is thrown away. So guesses change the time, by no more than a factor of two, and never the output. As guesses are verified, the
//! sizes that BGZF and others write into their headers would add nothing.
//!
//! Workers do not wait for anything. A task ends when [`AHEAD`] parts wait for the reader, and a guess when it has made as much; the rest of
//! the piece is for the next task. So memory is bounded whatever the ratio of compression.

use std::any::Any;
use std::collections::VecDeque;
use std::io;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use rayon::ThreadPool;

use super::compression::Compression;
use super::decoder::{Decode, DecodeError};
use crate::corpus::input::byte_stream::{ByteStream, ReaderStream};

/// The compressed bytes of a piece, at most.
const PIECE: usize = 256 << 10;

/// The decompressed bytes of a part, at most.
const PART: usize = 1 << 20;

/// The parts that wait for the reader, at most.
const AHEAD: usize = 4;

/// The decompressed bytes that there is room for at first.
const FIRST_ROOM: usize = 256 << 10;

/// The decompressed bytes of a stream, decoded by a pool of threads.
pub(crate) struct ParallelDecoder<'r, 'p> {
    stream: ReaderStream<'r>,
    format: Compression,
    pool: &'p ThreadPool,
    /// The task that decodes the next bytes, if any does.
    current: Option<Task>,
    /// The decoder after all bytes read so far, while there is no such task.
    decoder: Option<Box<dyn Decode>>,
    /// The pieces after those of the current task, in order.
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
    /// Parts of the output that have been taken from tasks, in order.
    parts: VecDeque<Part>,
    /// The part that is being read, and the position of the reader in it.
    part: Part,
    read: usize,
    spare_buffers: Arc<Mutex<Vec<Vec<u8>>>>,
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

/// A part of the output: a buffer whose first `len` bytes are filled. The others will be overwritten.
#[derive(Default)]
struct Part {
    buffer: Vec<u8>,
    len: usize,
}

/// The state that a task and the reader share.
type Task = Arc<Shared>;

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// There is a part, or the task has ended.
    has_changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The next pieces of the task.
    pieces: VecDeque<Compressed>,
    /// Parts that the reader has not taken.
    parts: VecDeque<Part>,
    end: Option<Result<End, Panic>>,
    /// Whether nobody wants more.
    is_stopped: bool,
}

type Panic = Box<dyn Any + Send>;

/// The end of a task.
struct End {
    decoder: Box<dyn Decode>,
    /// The last piece, and whether there is no more of it.
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

    /// Decodes a piece, and those that the reader adds, until there is none, or enough parts wait.
    fn decode(
        &self,
        mut decoder: Box<dyn Decode>,
        mut piece: Compressed,
        spare: &Mutex<Vec<Vec<u8>>>,
    ) -> End {
        loop {
            let buffer = lock(spare).pop().unwrap_or_default();
            let (part, fault) = decode(&mut *decoder, &mut piece, buffer);
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

/// Decodes until the piece has no more, or the part is full.
fn decode(decoder: &mut dyn Decode, piece: &mut Compressed, buffer: Vec<u8>) -> (Part, Option<DecodeError>) {
    let mut part = Part { buffer, len: 0 };
    loop {
        if part.len == part.buffer.len() {
            let len = (2 * part.len).clamp(FIRST_ROOM, PART);
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
            parts: VecDeque::new(),
            part: Part::default(),
            read: 0,
            spare_buffers: Arc::default(),
        })
    }

    /// Lets a worker decode `piece`.
    fn start(&self, decoder: Box<dyn Decode>, piece: Compressed) -> Task {
        let task = Task::default();
        let (shared, spare) = (Arc::clone(&task), Arc::clone(&self.spare_buffers));
        self.pool.spawn(move || {
            // A panic that is left to the pool ends the process.
            let end = catch_unwind(AssertUnwindSafe(|| shared.decode(decoder, piece, &spare)));
            shared.lock().end = Some(end);
            shared.has_changed.notify_one();
        });
        task
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

    /// Puts the next bytes into `part`, or returns that the stream has ended.
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
        // Without a part there is no buffer to use again.
        if !used.buffer.is_empty() {
            lock(&self.spare_buffers).push(used.buffer);
        }
        self.read = 0;
        Ok(true)
    }

    /// Takes what the current task has made, and waits for it if there is nothing else. Goes on with the next task if that has ended and few
    /// parts are left, so that it decodes while these are scanned.
    fn take_parts(&mut self) {
        /// The pieces that a task knows beside its own, at most.
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

    /// Starts the task after one that has ended, unless it has been started rightly.
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

    /// The piece of a wrong guess.
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
