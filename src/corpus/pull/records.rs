//! The records of several inputs, one by one.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::iter::FusedIterator;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::vec;

use super::channel::Pull;
use super::inputs::with_name;
use crate::column::Columns;
use crate::components::Components;
use crate::corpus::cut::Chunk;
use crate::corpus::engine::Scanned;
use crate::corpus::format::MalformedLine;
use crate::corpus::input::named::Input;
use crate::corpus::reading::Reading;
use crate::corpus::schedule::{FileEvent, Scanner};
use crate::error::Error;
use crate::memory::{self, OutOfMemory};
use crate::record::Record;

/// The records of several inputs, in order, and the lines that do not fit their format. [`Scanner::records`]
/// returns this.
///
/// An error of an input comes after its last record, and names the input. The records of the next input
/// follow. The iterator ends early if memory runs out, or if the system refuses threads.
///
/// The scan runs on threads of its own, and waits while its consumer has not taken the records of two chunks.
/// So memory stays bounded: the [limits](Scanner) are those of any scan. To end the scan early, drop this.
pub struct Records {
    pull: Pull<(usize, FileEvent<ChunkRecords>)>,
    names: Vec<OsString>,
    /// The next records of the current chunk.
    found: vec::IntoIter<FoundRecord>,
    has_failed: bool,
}

/// The records of a chunk.
type ChunkRecords = Result<Vec<FoundRecord>, OutOfMemory>;

/// A record of an input, or a line that does not fit the format.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundRecord {
    /// The number of the input, counted from 0.
    pub input: usize,
    /// The 1-based number of the line.
    pub line: u64,
    /// The 1-based byte of the line at which the record starts. A byte order mark counts.
    pub column: u64,
    /// The record. A record over the [limit](Scanner::max_record) may be cut to its first bytes. Empty for a
    /// line without a record.
    pub bytes: Vec<u8>,
    /// The components of the record, or what is wrong.
    pub verdict: Result<Components, NotValid>,
}

impl FoundRecord {
    /// Returns the record with its components, if it is valid.
    pub fn record(&self) -> Option<Record<&[u8]>> {
        let components = *self.verdict.as_ref().ok()?;
        Some(Record::new(&*self.bytes, components))
    }
}

/// The reason why a [`FoundRecord`] has no components.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotValid {
    /// The record is invalid.
    #[non_exhaustive]
    Invalid {
        /// The error of the record.
        error: Error,
        /// The 1-based byte of the line from which the offending byte comes.
        column: u64,
    },
    /// The line does not fit the format, so it has no record. Holds the reason.
    Malformed(String),
}

impl fmt::Display for NotValid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotValid::Invalid { error, .. } => error.fmt(f),
            NotValid::Malformed(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for NotValid {}

impl Scanner {
    /// Scans inputs in order on threads of its own, and returns their records to pull. `reading` judges them;
    /// this scanner should be [one of its scanners](Reading::scanner). [Paths](Input::path) are opened in
    /// their turn.
    ///
    /// A filter of a file:
    ///
    /// ```no_run
    /// use std::io::{self, Write};
    /// use urivalidate::corpus::{Input, Reading, ReadingOptions};
    ///
    /// let reading = Reading::new(ReadingOptions::default())?;
    /// for found in reading.scanner().records(reading, [Input::path("crawl.log.gz")])? {
    ///     let found = found?;
    ///     if found.record().is_some_and(|record| record.host() == Some(b"example.com")) {
    ///         io::stdout().write_all(&[&found.bytes[..], b"\n"].concat())?;
    ///     }
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the system refuses the thread.
    pub fn records(
        self,
        reading: impl Into<Arc<Reading>>,
        inputs: impl IntoIterator<Item = Input<'static>>,
    ) -> io::Result<Records> {
        let inputs: Vec<_> = inputs.into_iter().collect();
        let names = inputs.iter().map(|input| input.name().as_os_str().to_owned()).collect();
        let reading = reading.into();
        let job = move |input: usize, chunk: &Chunk<'_>| of_chunk(&reading, input, chunk);
        let pull = self.number_lines(true).at_most_lines(MOST_LINES).pull(inputs, job)?;
        Ok(Records { pull, names, found: Vec::new().into_iter(), has_failed: false })
    }
}

/// The most lines of a chunk. An empty record takes one byte of the input, and as much memory as any.
const MOST_LINES: usize = 16 << 10;

/// The bytes of memory for a record in addition to its own: its place and verdict, and the room around its
/// allocation.
const RECORD: usize = size_of::<FoundRecord>() + 32;

/// Returns the records of a chunk.
fn of_chunk(reading: &Reading, input: usize, chunk: &Chunk<'_>) -> ChunkRecords {
    let (mut found, mut bytes) = (Vec::new(), 0);
    let flow =
        reading.scan_pieces(chunk, Columns::ALL, |scanned| match append(&mut found, input, scanned) {
            Ok(more) => {
                bytes += more;
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(error),
        })?;
    chunk.report_result_bytes(bytes);
    flow.break_value().map_or(Ok(found), Err)
}

/// Appends the records of a piece of a chunk, and the lines that do not fit, in the order of their places.
/// Returns the bytes of their memory.
fn append(found: &mut Vec<FoundRecord>, input: usize, scanned: &Scanned<'_>) -> Result<usize, OutOfMemory> {
    let count = scanned.len() + scanned.malformed().len();
    let bytes = count.saturating_mul(RECORD).saturating_add(scanned.values().len());
    let _room = memory::room_for(bytes)?;
    memory::try_reserve(found, count)?;
    let first_line = scanned.chunk().first_line().unwrap_or(1);
    let mut malformed =
        scanned.malformed().iter().map(|line| (scanned.records_before(line), line)).peekable();
    let of_line = |line: &MalformedLine| FoundRecord {
        input,
        line: first_line + line.line,
        column: line.column,
        bytes: Vec::new(),
        verdict: Err(NotValid::Malformed(scanned.chunk().layout().message(line))),
    };
    for index in 0..scanned.len() {
        while let Some((_, line)) = malformed.next_if(|&(before, _)| before <= index) {
            found.push(of_line(line));
        }
        let verdict = match scanned.verdict(index).expect("the scan filled all columns") {
            Ok(components) => Ok(components),
            Err(error) => {
                let column = scanned.error_column(index, error.offset()).unwrap_or(1);
                Err(NotValid::Invalid { error, column })
            }
        };
        found.push(FoundRecord {
            input,
            line: first_line + scanned.line_number(index).unwrap_or_default(),
            column: scanned.start_column(index).unwrap_or(1),
            bytes: scanned.record(index).unwrap_or_default().to_vec(),
            verdict,
        });
    }
    found.extend(malformed.map(|(_, line)| of_line(line)));
    Ok(bytes)
}

impl Iterator for Records {
    type Item = io::Result<FoundRecord>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(found) = self.found.next() {
                return Some(Ok(found));
            }
            if self.has_failed {
                return None;
            }
            let failure = match self.pull.next()? {
                Ok((_, FileEvent::Result(Ok(found)))) => {
                    self.found = found.into_iter();
                    continue;
                }
                Ok((input, FileEvent::End { status: Err(error), .. })) => {
                    return Some(Err(with_name(&self.names[input], &error)));
                }
                Ok((_, FileEvent::Begin | FileEvent::End { .. })) => continue,
                Ok((input, FileEvent::Result(Err(error)))) => {
                    with_name(&self.names[input], &io::Error::new(io::ErrorKind::OutOfMemory, error))
                }
                Err(error) => error,
            };
            self.has_failed = true;
            return Some(Err(failure));
        }
    }
}

impl FusedIterator for Records {}

impl fmt::Debug for Records {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Records").field("inputs", &self.names.len()).finish_non_exhaustive()
    }
}
