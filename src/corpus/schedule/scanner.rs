//! The path of an input to the sink.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::mem;
use std::ops::ControlFlow;
#[cfg(feature = "rayon")]
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::pool;
#[cfg(feature = "rayon")]
use super::threads::Threads;
#[cfg(feature = "rayon")]
use crate::corpus::cut::borders::{BorderSource, UnreadChunk, UnreadSource};
use crate::corpus::cut::chunk::{Chunk, count_lines};
use crate::corpus::cut::follow::{FormatState, FormatTracker};
use crate::corpus::cut::head::{Choice, ReadAhead};
use crate::corpus::cut::mapped::MappedSource;
use crate::corpus::cut::read::ReadSource;
use crate::corpus::cut::slice::SliceSource;
use crate::corpus::cut::{Source, Weight};
use crate::corpus::format::{Format, Layout, LayoutOptions};
use crate::corpus::input::byte_stream::{ByteStream, ReaderStream};
#[cfg(feature = "rayon")]
use crate::corpus::input::decompress::ParallelDecoder;
use crate::corpus::input::decompress::{Compression, InTurn, peek};
use crate::corpus::input::foreign::Foreign;
use crate::corpus::input::map::Mapping;
use crate::corpus::input::named::{Content, Input, open};
use crate::corpus::input::patient::Patient;
use crate::corpus::input::wacz::Wacz;
use crate::corpus::input::watch::FileWatch;
use crate::corpus::limits::Limits;

/// Scans inputs chunk by chunk, on a given number of threads, and hands the results over in input order.
///
/// A scan takes a job and a sink. The job runs on the workers and makes a result of each chunk. The sink gets
/// the results on the calling thread, one after the other. It may stop the scan with a value, which the scan
/// then returns; this is not an error. (A sink that never stops must name the type of that value:
/// `ControlFlow::<()>::Continue(())`.) When the sink stops, or when a file shrinks, the results of some jobs
/// never reach the sink. So a job should do nothing except make its result.
///
/// A chunk is in flight until the sink has its result. With n threads, at most 4n + 24 chunks are in flight
/// (4n + 6 while the sink is running). No chunk is added while the chunks in flight hold (2n + 2) × 4 MiB or
/// more, or (2n + 2) chunk sizes if that is more. A chunk counts with its own bytes, or with the bytes of its
/// result if those are more and the job [reports](Chunk::report_result_bytes) them. So for any input a scan
/// needs at most that much memory, the longest record, and one result per thread.
///
/// One scanner can scan any number of inputs. It starts its threads once, when it first needs them.
#[derive(Debug)]
pub struct Scanner {
    limits: Limits,
    choice: Choice,
    map_files: bool,
    fill_chunks: bool,
    #[cfg(feature = "rayon")]
    threads: Threads,
}

/// The maximum size in bytes of a chunk that holds more than one record. A chunk of a document can have twice
/// this size, or twice the size of a record, which still leaves its offsets within 32 bits.
const LARGEST_CHUNK: usize = 1 << 30;

/// The position after the whole lines that have been scanned.
struct ResumePoint {
    position: u64,
    state: FormatState,
}

impl ResumePoint {
    fn of(followed: &FormatTracker<SliceSource<'_>>) -> Self {
        ResumePoint { position: followed.source.position as u64, state: followed.state.clone() }
    }
}

impl Scanner {
    /// The default size of a chunk, in bytes.
    pub const DEFAULT_CHUNK_SIZE: usize = 1 << 20;

    /// The default limit of a record, in bytes.
    pub const DEFAULT_MAX_RECORD: usize = 64 << 20;

    /// The largest limit of a record, in bytes.
    pub const MAX_RECORD: usize = 1 << 30;

    /// The maximum number of threads of a scan.
    #[cfg(feature = "rayon")]
    pub const MAX_THREADS: usize = 1024;

    /// Returns a scanner that uses only the calling thread, reads files, and does not number lines.
    pub fn new() -> Self {
        Scanner {
            limits: Limits {
                chunk_size: Self::DEFAULT_CHUNK_SIZE,
                chunk_lines: usize::MAX,
                estimates_lines: false,
                max_record: Self::DEFAULT_MAX_RECORD,
                terminator: b'\n',
                trim: false,
                number_lines: false,
                number_rows: false,
                keep_headers: false,
            },
            choice: Choice::Given(Layout::lines()),
            map_files: false,
            fill_chunks: false,
            #[cfg(feature = "rayon")]
            threads: Threads::new(1, Self::MAX_THREADS),
        }
    }

    /// Scans on this number of threads, at most [`MAX_THREADS`](Self::MAX_THREADS). 0 stands for the number
    /// of cores. With one thread, the calling thread does everything. With more, the calling thread also cuts
    /// chunks and runs the sink.
    #[cfg(feature = "rayon")]
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Scanner { threads: Threads::new(threads, Self::MAX_THREADS), ..self }
    }

    /// Returns the number of threads that scan, including the calling thread.
    #[cfg(feature = "rayon")]
    pub fn thread_count(&self) -> usize {
        self.threads.count()
    }

    /// Makes chunks of about this many bytes, at most 2^30. A longer line makes a longer chunk.
    #[must_use]
    pub fn chunk_size(mut self, bytes: usize) -> Self {
        self.limits.chunk_size = bytes.clamp(1, LARGEST_CHUNK);
        self
    }

    /// Makes chunks of at most this many lines, at least 1. This bounds the results of chunks with very short
    /// lines, if a result depends on the number of records rather than on their bytes.
    #[must_use]
    pub fn chunk_lines(mut self, lines: usize) -> Self {
        self.limits.chunk_lines = lines.max(1);
        self
    }

    /// Returns the most lines of a chunk.
    #[cfg(feature = "arrow")]
    pub(crate) fn most_lines(&self) -> usize {
        self.limits.chunk_lines
    }

    /// Makes chunks of at most this many lines, or of fewer if that was chosen.
    #[must_use]
    pub(crate) fn at_most_lines(self, lines: usize) -> Self {
        let lines = lines.min(self.limits.chunk_lines);
        self.chunk_lines(lines)
    }

    /// Lets chunks of a list have more lines than [`chunk_lines`](Self::chunk_lines) if a sample of the chunk
    /// has few: the caller handles them. This saves the time for counting.
    #[must_use]
    pub fn estimate_lines(mut self) -> Self {
        self.limits.estimates_lines = true;
        self
    }

    /// Reports a record of more bytes as too long: at most [`MAX_RECORD`](Self::MAX_RECORD). The scan does
    /// not hold such a record as a whole, so this limit bounds its memory.
    #[must_use]
    pub fn max_record(mut self, bytes: usize) -> Self {
        self.limits.max_record = bytes.min(Self::MAX_RECORD);
        self
    }

    /// Ends records at another byte than LF, such as NUL. LF and CR are then bytes like others.
    #[must_use]
    pub fn terminator(mut self, terminator: u8) -> Self {
        self.limits.terminator = terminator;
        self
    }

    /// Removes ASCII white space (including CR) at both ends of records before they are judged. A record over
    /// the limit stays unchanged.
    #[must_use]
    pub fn trim(mut self, trim: bool) -> Self {
        self.limits.trim = trim;
        self
    }

    /// Makes [`Chunk::first_line`] available. If only the sink needs line numbers, the sink can count
    /// instead: [`Scanned::lines`](crate::corpus::Scanned::lines) of each chunk.
    #[must_use]
    pub fn number_lines(mut self, number: bool) -> Self {
        self.limits.number_lines = number;
        self
    }

    /// Makes [`LogFields::row`](crate::corpus::LogFields::row) available.
    #[must_use]
    pub fn number_rows(mut self, number: bool) -> Self {
        self.limits.number_rows = number;
        self
    }

    /// Keeps the headers that name columns, for [`LogFields`](crate::corpus::LogFields).
    #[must_use]
    pub fn keep_headers(mut self, keep: bool) -> Self {
        self.limits.keep_headers = keep;
        self
    }

    /// Reads the lines of inputs in this format. [`ChunkScanner`](crate::corpus::ChunkScanner) finds the
    /// layout's field in the chunks.
    ///
    /// If the format has header lines, the calling thread scans for them.
    #[must_use]
    pub fn layout(mut self, layout: Layout) -> Self {
        self.choice = Choice::Given(layout);
        self
    }

    /// Detects the format of each input by its [first lines](Format::detect), and reads it with these
    /// options. If the lines do not decide, the [extension](Format::by_name) of an [input's
    /// name](Self::scan_input) does.
    ///
    /// If lines come slowly, those that have come decide as soon as they settle the format. The first URI
    /// settles it. [`scan_file`](Self::scan_file) and [`scan_stream`](Self::scan_stream) wait for others
    /// first, until none come for half a second, and for a second at most. So a program that writes lines
    /// piece by piece, but without long pauses, gets the format that a file of these lines has.
    /// [`scan_reader`](Self::scan_reader) does not wait.
    #[must_use]
    pub fn detect_format(mut self, options: LayoutOptions) -> Self {
        self.choice = Choice::Detected(options, None);
        self
    }

    /// Maps regular files instead of reading them. The [module](crate::corpus) states the gain.
    ///
    /// On Unix, the first mapping installs a handler for SIGBUS for the rest of the process: without it, a
    /// file that shrinks would end the process. The handler passes on every signal that does not come from a
    /// mapping of this module.
    ///
    /// # Safety
    ///
    /// A mapping shows other processes' changes to the file as they happen. So while a job runs, the bytes of
    /// [`Chunk`] and all bytes that [`ChunkScanner`](crate::corpus::ChunkScanner) and
    /// [`Scanned`](crate::corpus::Scanned) lend from it may change, which a Rust slice must not do. For the
    /// time of each scan, the caller promises one of these two conditions:
    ///
    /// * nobody changes the files, or
    /// * jobs do not rely on any byte to stay the same: a job makes no `&str` of these bytes, keeps no
    ///   reference to them, bases no decision that matters for memory safety on two reads of them, and copies
    ///   the bytes that it returns. The scans of this library comply with this, and the scanner discards the
    ///   results of a chunk that changed.
    ///
    /// The second promise is how programs that map files work in practice. The language gives no guarantee
    /// for it.
    #[cfg(feature = "mmap")]
    #[must_use]
    #[expect(unsafe_code, reason = "other processes can change a mapped file")]
    pub unsafe fn map_files(self, map: bool) -> Self {
        Scanner { map_files: map, ..self }
    }

    /// Waits until a chunk is full or the input ends, even if lines come slowly. Then the chunks, and the
    /// format detected by the first lines, do not depend on the time at which bytes come. Without this
    /// option, lines are scanned as they come.
    #[must_use]
    pub fn fill_chunks(self, fill: bool) -> Self {
        Scanner { fill_chunks: fill, ..self }
    }

    /// Scans an input: a file as [`scan_file`](Self::scan_file) does, anything else as
    /// [`scan_reader`](Self::scan_reader) or [`scan_stream`](Self::scan_stream) does. The name can decide the
    /// format.
    ///
    /// # Errors
    ///
    /// Returns the errors of the other method.
    pub fn scan_input<T: Send, B>(
        &self,
        input: Input<'_>,
        job: impl Fn(&Chunk<'_>) -> T + Sync,
        sink: impl FnMut(T) -> ControlFlow<B>,
    ) -> io::Result<Option<B>> {
        let choice = self.choice.named(input.name());
        match input.content {
            Content::Path => self.scan_file_as(&choice, open(&input.name)?, job, sink),
            Content::File(file) => self.scan_file_as(&choice, file, job, sink),
            Content::Reader(reader) => self.scan_reader_as(&choice, reader, job, sink),
            Content::Stream(stream) => self.scan_stream_as(&choice, stream, job, sink),
        }
    }

    /// Scans a file from its first byte, or from its current position if it is a stream (a FIFO, a terminal).
    /// If it is [compressed](crate::corpus#compressed), its content is scanned.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or decompressed, or
    /// ([`UnexpectedEof`](io::ErrorKind::UnexpectedEof)) if another process made it shorter meanwhile. The
    /// bytes before that place have been scanned.
    pub fn scan_file<T: Send, B>(
        &self,
        file: File,
        job: impl Fn(&Chunk<'_>) -> T + Sync,
        sink: impl FnMut(T) -> ControlFlow<B>,
    ) -> io::Result<Option<B>> {
        self.scan_file_as(&self.choice, file, job, sink)
    }

    /// Scans a file as [`scan_file`](Self::scan_file) does, with this choice of the layout.
    fn scan_file_as<T: Send, B>(
        &self,
        choice: &Choice,
        file: File,
        job: impl Fn(&Chunk<'_>) -> T + Sync,
        mut sink: impl FnMut(T) -> ControlFlow<B>,
    ) -> io::Result<Option<B>> {
        // On Windows, a device has no metadata.
        if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
            return self.scan_stream_as(choice, file, job, sink);
        }
        let watch = FileWatch::new(&file)?;
        watch.seek(0)?;
        // Reading meets the same error again.
        let (head, _) = peek(&mut &file);
        if let Some(wacz) = Wacz::of(&head, &watch)? {
            let flow = self.scan_archives(choice, wacz.reader(&watch), &job, &mut sink)?;
            if flow.is_none() {
                watch.finish(watch.len())?;
            }
            return Ok(flow);
        }
        refuse_foreign(&head)?;
        let compression = Compression::of(&head);
        watch.seek(0)?;
        let (flow, end) = match compression {
            None => self.scan_uncompressed(choice, &watch, &job, &mut sink)?,
            Some(compression) => {
                let mut input = &watch;
                let stream = ReaderStream::at_hand(&mut input);
                let flow = self.decompress(choice, stream, compression, watch.len(), &job, &mut sink)?;
                (flow, (&file).stream_position()?)
            }
        };
        if flow.is_continue() {
            watch.finish(end)?;
        }
        Ok(flow.break_value())
    }

    /// Scans the archives in a file of archives.
    fn scan_archives<T: Send, B>(
        &self,
        choice: &Choice,
        mut archives: impl Read + Send,
        job: &(impl Fn(&Chunk<'_>) -> T + Sync),
        sink: &mut impl FnMut(T) -> ControlFlow<B>,
    ) -> io::Result<Option<B>> {
        let (head, result) = peek(&mut archives);
        let compression = Compression::of(&head);
        let mut whole = head.chain(Ended(result)).chain(archives);
        self.scan_bytes(choice, ReaderStream::at_hand(&mut whole), compression, job, sink)
    }

    /// Scans a stream to its end. If it is [compressed](crate::corpus#compressed), its content is scanned.
    ///
    /// # Errors
    ///
    /// Returns an error of the stream, or an error if it cannot be decompressed. The bytes before it have
    /// been scanned.
    pub fn scan_reader<T: Send, B>(
        &self,
        input: impl Read + Send,
        job: impl Fn(&Chunk<'_>) -> T + Sync,
        sink: impl FnMut(T) -> ControlFlow<B>,
    ) -> io::Result<Option<B>> {
        self.scan_reader_as(&self.choice, input, job, sink)
    }

    /// Scans a stream as [`scan_reader`](Self::scan_reader) does, with this choice of the layout.
    fn scan_reader_as<T: Send, B>(
        &self,
        choice: &Choice,
        mut input: impl Read + Send,
        job: impl Fn(&Chunk<'_>) -> T + Sync,
        mut sink: impl FnMut(T) -> ControlFlow<B>,
    ) -> io::Result<Option<B>> {
        let (head, result) = peek(&mut input);
        refuse_foreign(&head)?;
        let compression = Compression::of(&head);
        let mut whole = head.chain(Ended(result)).chain(input);
        let stream =
            if self.fill_chunks { ReaderStream::at_hand(&mut whole) } else { ReaderStream::new(&mut whole) };
        self.scan_bytes(choice, stream, compression, &job, &mut sink)
    }

    /// Scans a stream as [`scan_reader`](Self::scan_reader) does, but waits for a limited time for the first
    /// lines that decide its [format](Self::detect_format). Meanwhile a thread reads the stream. If the sink
    /// stops the scan, this thread may still wait for the bytes of one read.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`scan_reader`](Self::scan_reader).
    pub fn scan_stream<T: Send, B>(
        &self,
        input: impl Read + Send + 'static,
        job: impl Fn(&Chunk<'_>) -> T + Sync,
        sink: impl FnMut(T) -> ControlFlow<B>,
    ) -> io::Result<Option<B>> {
        self.scan_stream_as(&self.choice, input, job, sink)
    }

    /// Scans a stream as [`scan_stream`](Self::scan_stream) does, with this choice of the layout.
    fn scan_stream_as<T: Send, B>(
        &self,
        choice: &Choice,
        mut input: impl Read + Send + 'static,
        job: impl Fn(&Chunk<'_>) -> T + Sync,
        mut sink: impl FnMut(T) -> ControlFlow<B>,
    ) -> io::Result<Option<B>> {
        let (head, result) = peek(&mut input);
        refuse_foreign(&head)?;
        let compression = Compression::of(&head);
        let mut whole = Patient::new(io::Cursor::new(head).chain(Ended(result)).chain(input));
        let stream = if self.fill_chunks {
            ReaderStream::at_hand(&mut whole)
        } else {
            ReaderStream::patient(&mut whole)
        };
        self.scan_bytes(choice, stream, compression, &job, &mut sink)
    }

    /// Scans a stream from its first byte.
    fn scan_bytes<T: Send, B>(
        &self,
        choice: &Choice,
        stream: ReaderStream<'_>,
        compression: Option<Compression>,
        job: &(impl Fn(&Chunk<'_>) -> T + Sync),
        sink: &mut impl FnMut(T) -> ControlFlow<B>,
    ) -> io::Result<Option<B>> {
        let flow = match compression {
            None => self.read(choice, stream, None, job, sink)?.0,
            Some(compression) => self.decompress(choice, stream, compression, u64::MAX, job, sink)?,
        };
        Ok(flow.break_value())
    }

    /// Scans records in memory. Compressed bytes are not decompressed.
    ///
    /// # Errors
    ///
    /// Returns an error if the system refuses threads or memory.
    pub fn scan_slice<T: Send, B>(
        &self,
        input: &[u8],
        job: impl Fn(&Chunk<'_>) -> T + Sync,
        mut sink: impl FnMut(T) -> ControlFlow<B>,
    ) -> io::Result<Option<B>> {
        let layout = self.choice.layout_of(input, &self.limits)?;
        let state = FormatState::start(layout, &self.limits);
        if !state.layout.is_cut_at_lines(&self.limits) {
            let start = ResumePoint { position: 0, state };
            let (flow, _) =
                self.read(&self.choice, ReaderStream::at_hand(&mut &*input), Some(start), &job, &mut sink)?;
            return Ok(flow.break_value());
        }
        let mut source = FormatTracker::new(SliceSource::new(input, self.limits), self.limits, state);
        let flow = self.run(&mut source, &job, &mut sink)?;
        if flow.is_continue() && source.is_finished() {
            source.state.layout.check_keys()?;
        }
        if flow.is_break() || source.is_finished() {
            return Ok(flow.break_value());
        }
        let resume = ResumePoint::of(&source);
        let rest = &mut &input[resume.position as usize..];
        let (flow, _) =
            self.read(&self.choice, ReaderStream::at_hand(rest), Some(resume), &job, &mut sink)?;
        Ok(flow.break_value())
    }

    /// Scans an uncompressed file from its start, and returns the position where it ends.
    fn scan_uncompressed<T: Send, B>(
        &self,
        choice: &Choice,
        mut file: &FileWatch<'_>,
        job: &(impl Fn(&Chunk<'_>) -> T + Sync),
        sink: &mut impl FnMut(T) -> ControlFlow<B>,
    ) -> io::Result<(ControlFlow<B>, u64)> {
        let mut resume = None;
        // A file of one chunk is read as fast.
        if (self.map_files || self.reads_side_by_side()) && file.len() > self.limits.chunk_size as u64 {
            let layout = ReadAhead::new(ReaderStream::at_hand(&mut file)).layout(choice, &self.limits)?;
            let mut start = self.start(layout);
            // Formats examine bytes more than once, so the bytes must not change.
            let is_list = start.state.layout.format() == Format::Lines;
            if is_list && self.map_files {
                match self.scan_mapped(file, start, job, sink)? {
                    (ControlFlow::Continue(()), to) => start = to,
                    (flow, to) => return Ok((flow, to.position)),
                }
            }
            #[cfg(feature = "rayon")]
            if is_list && self.reads_side_by_side() {
                match self.scan_side_by_side(file, start, job, sink)? {
                    (ControlFlow::Continue(()), to) => start = to,
                    (flow, to) => return Ok((flow, to.position)),
                }
            }
            file.seek(start.position)?;
            resume = Some(start);
        }
        self.read(choice, ReaderStream::at_hand(&mut file), resume, job, sink)
    }

    /// Scans the whole lines of a file in a mapping, as far as possible, and returns where reading has to
    /// continue.
    fn scan_mapped<T: Send, B>(
        &self,
        file: &FileWatch<'_>,
        start: ResumePoint,
        job: &(impl Fn(&Chunk<'_>) -> T + Sync),
        sink: &mut impl FnMut(T) -> ControlFlow<B>,
    ) -> io::Result<(ControlFlow<B>, ResumePoint)> {
        let Some(mapping) = usize::try_from(file.len()).ok().and_then(|len| Mapping::new(file.file(), len))
        else {
            return Ok((ControlFlow::Continue(()), start));
        };
        let lines = SliceSource::new(mapping.bytes(), self.limits);
        let lines = FormatTracker::new(lines, self.limits, start.state);
        let mut source = MappedSource { lines, mapping: &mapping };
        let failure = Mutex::new(None);
        let job = |chunk: &Chunk<'_>| {
            // Done here and not where chunks are cut: the other threads would wait for it.
            mapping.populate(chunk.base() as usize);
            let changes = file.changes();
            let end = chunk.base() as usize + chunk.bytes().len();
            let value = job(chunk);
            if file.look() == changes && !mapping.is_damaged() {
                return (end, value);
            }
            // The results, and the number of lines, may be those of bytes that never existed together.
            chunk.retract_lines();
            let (bytes, result) = file.read_again(chunk.base(), chunk.bytes().len());
            if let Err(error) = result {
                *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            }
            let again = chunk.with_bytes(bytes);
            let value = job(&again);
            chunk.report_result_bytes(again.result_bytes());
            again.tell_lines(|| count_lines(again.limits.terminator, again.bytes()));
            (end, value)
        };
        let flow = self.run(&mut source, &job, &mut |(end, value)| {
            mapping.release(end);
            sink(value)
        })?;
        match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok((flow, ResumePoint::of(&source.lines))),
        }
    }

    /// Returns true if the workers read their own chunks of a file. If a chunk may have too many lines, it
    /// has to be examined as a whole before it is cut off: then one thread reads.
    fn reads_side_by_side(&self) -> bool {
        #[cfg(feature = "rayon")]
        return self.has_helpers() && self.limits.chunk_lines >= self.limits.chunk_size;
        #[cfg(not(feature = "rayon"))]
        false
    }

    /// Scans the whole lines of a file that the workers read, as far as possible, and returns where reading
    /// in order has to continue: for example at the first chunk that could not be read.
    #[cfg(feature = "rayon")]
    fn scan_side_by_side<T: Send, B>(
        &self,
        file: &FileWatch<'_>,
        start: ResumePoint,
        job: &(impl Fn(&Chunk<'_>) -> T + Sync),
        sink: &mut impl FnMut(T) -> ControlFlow<B>,
    ) -> io::Result<(ControlFlow<B>, ResumePoint)> {
        let ResumePoint { mut position, state } = start;
        let is_broken = AtomicBool::new(false);
        let borders = BorderSource::new(file, self.limits, position, &is_broken);
        let mut source = UnreadSource(FormatTracker::new(borders, self.limits, state));
        let job = |unread: &UnreadChunk<'_>| {
            let (chunk, is_whole) = unread.read(file);
            if !is_whole {
                is_broken.store(true, Ordering::Relaxed);
                return Err(chunk.first_line());
            }
            let value = job(&chunk);
            chunk.tell_lines(|| count_lines(chunk.limits.terminator, chunk.bytes()));
            Ok((chunk.bytes().len() as u64, value))
        };
        // The number of the first line of the first chunk that could not be read; `Some(None)` if lines are
        // not numbered.
        let mut broken_at = None;
        let flow = self.share_out(&mut source, &job, &mut |result| match result {
            Ok((len, value)) if broken_at.is_none() => {
                position += len;
                sink(value)
            }
            Ok(_) => ControlFlow::Continue(()),
            Err(first_line) => {
                broken_at.get_or_insert(first_line);
                ControlFlow::Continue(())
            }
        })?;
        let state = source.0.state;
        let state = match broken_at {
            Some(first_line) => state.renumber(first_line),
            None => state,
        };
        Ok((flow, ResumePoint { position, state }))
    }

    /// Scans the rest of `input`, and returns the position in the whole input where it ends.
    fn read<T: Send, B>(
        &self,
        choice: &Choice,
        input: impl ByteStream,
        from: Option<ResumePoint>,
        job: &(impl Fn(&Chunk<'_>) -> T + Sync),
        sink: &mut impl FnMut(T) -> ControlFlow<B>,
    ) -> io::Result<(ControlFlow<B>, u64)> {
        let mut input = ReadAhead::new(input);
        let from = match from {
            Some(from) => from,
            None => self.start(input.layout(choice, &self.limits)?),
        };
        let source = ReadSource::new(&mut input, self.limits, from.position, &from.state.layout);
        let mut source = FormatTracker::new(source, self.limits, from.state);
        let flow = self.run(&mut source, job, sink)?;
        if flow.is_continue() {
            source.state.layout.check_keys()?;
        }
        Ok((flow, source.source.position()))
    }

    /// Returns the state at the start of an input with this layout.
    fn start(&self, layout: Layout) -> ResumePoint {
        ResumePoint { position: 0, state: FormatState::start(layout, &self.limits) }
    }

    /// Scans the content of a compressed stream of at most `len` bytes.
    fn decompress<T: Send, B>(
        &self,
        choice: &Choice,
        stream: ReaderStream<'_>,
        compression: Compression,
        #[cfg_attr(not(feature = "rayon"), expect(unused, reason = "there is one way only"))] len: u64,
        job: &(impl Fn(&Chunk<'_>) -> T + Sync),
        sink: &mut impl FnMut(T) -> ControlFlow<B>,
    ) -> io::Result<ControlFlow<B>> {
        #[cfg(feature = "rayon")]
        if self.threads.count() > 1 && len > ParallelDecoder::WORTHWHILE {
            let input = ParallelDecoder::new(stream, compression, self.threads.decoding()?)?;
            return Ok(self.read(choice, input, None, job, sink)?.0);
        }
        Ok(self.read(choice, InTurn::new(stream, compression)?, None, job, sink)?.0)
    }

    /// Scans the chunks that a source cuts.
    fn run<'a, T: Send, B>(
        &'a self,
        source: &mut (impl Source<'a, Item = Chunk<'a>> + Send),
        job: &(impl Fn(&Chunk<'_>) -> T + Sync),
        deliver: &mut impl FnMut(T) -> ControlFlow<B>,
    ) -> io::Result<ControlFlow<B>> {
        let job = |chunk: &Chunk<'a>| {
            let value = job(chunk);
            // Counts the lines here, unless a scan has counted them.
            chunk.tell_lines(|| count_lines(chunk.limits.terminator, chunk.bytes()));
            value
        };
        self.share_out(source, &job, deliver)
    }

    /// Runs jobs on all threads of the scanner.
    pub(crate) fn share_out<'a, S: Source<'a, Item: Weight> + Send, T: Send, B>(
        &'a self,
        source: &mut S,
        job: &(impl Fn(&S::Item) -> T + Sync),
        deliver: &mut impl FnMut(T) -> ControlFlow<B>,
    ) -> io::Result<ControlFlow<B>> {
        #[cfg(feature = "rayon")]
        if let Some(helpers) = self.threads.helpers() {
            let most = in_flight(self.limits, self.threads.count());
            return pool::on_threads(|| self.threads.scanning(), helpers, most, source, job, deliver);
        }
        pool::in_turn(source, job, deliver)
    }
}

/// A reader that returns the error that ended a stream, once.
struct Ended(io::Result<()>);

impl Read for Ended {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        mem::replace(&mut self.0, Ok(())).map(|()| 0)
    }
}

fn refuse_foreign(head: &[u8]) -> io::Result<()> {
    Foreign::by_magic(head).map_or(Ok(()), |foreign| Err(foreign.into()))
}

#[cfg(feature = "rayon")]
impl Scanner {
    /// Returns true if threads other than the calling one scan.
    pub(crate) fn has_helpers(&self) -> bool {
        self.threads.helpers().is_some()
    }

    /// Returns a scanner with the same options and one thread, for small files.
    pub(crate) fn on_one_thread(&self) -> Scanner {
        Scanner {
            limits: self.limits,
            choice: self.choice.clone(),
            map_files: false,
            fill_chunks: self.fill_chunks,
            threads: Threads::new(1, Self::MAX_THREADS),
        }
    }

    /// Returns the chunk size in bytes.
    pub(crate) fn chunk_bytes(&self) -> usize {
        self.limits.chunk_size
    }
}

/// Returns the limits on chunks in flight with this number of threads.
#[cfg(feature = "rayon")]
fn in_flight(limits: Limits, threads: usize) -> pool::Most {
    /// The average number of bytes per chunk in flight: longer records reduce the number of chunks.
    const SHARE: usize = 4 << 20;

    let shares = 2 * threads + 2;
    pool::Most {
        chunks: 4 * threads + 24,
        chunks_while_delivering: 4 * threads + 6,
        bytes: shares.saturating_mul(limits.chunk_size.max(SHARE)),
    }
}

impl Default for Scanner {
    fn default() -> Self {
        Scanner::new()
    }
}
