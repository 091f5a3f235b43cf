//! Lines of the input, unchanged: of valid records, of invalid records, or without a record.

use std::cell::Cell;
use std::io::IoSlice;

use urivalidate::corpus::WantedLines;
use urivalidate::memory::{OutOfMemory, try_reserve};
use urivalidate::stats::Problem;
use urivalidate::{ErrorKind, Request};

use super::encoder::{Assemble, Encode, Encoded, JudgedChunk, LeftOut, Write};
use crate::output::Failure;

/// The lines to write.
pub(crate) enum LineSelection {
    Valid,
    Invalid {
        /// The kinds of errors whose lines are written; `None` writes all.
        kinds: Option<Vec<String>>,
        /// Whether lines of records with a suggestion are left out, because another output has them.
        is_mended: bool,
    },
    /// Lines that hold no record.
    Rest,
}

/// A selection of the lines. Each selection has the header lines, so that it can be read again.
pub(crate) struct Lines {
    pub(crate) selection: LineSelection,
    /// Whether valid records are written without the white space around them, which does not belong to them.
    /// The output is then valid when it is read again.
    pub(crate) is_trimmed: bool,
    /// The byte that ends a line.
    pub(crate) terminator: u8,
}

impl Encode for Lines {
    fn request(&self) -> Request {
        Request::default()
    }

    fn leaves_out(&self) -> LeftOut {
        match self.selection {
            LineSelection::Valid | LineSelection::Invalid { .. } => LeftOut::Others,
            LineSelection::Rest => LeftOut::Nothing,
        }
    }

    fn encode(&self, input: &JudgedChunk<'_>, to: &mut Encoded) -> Result<(), OutOfMemory> {
        let scanned = input.scanned;
        let other_kinds = Cell::new(0);
        to.extend_with(|bytes| {
            try_reserve(bytes, scanned.longest_copy())?;
            match &self.selection {
                LineSelection::Valid if !input.findings.has_no_denied() => {
                    let is_wanted =
                        |index, kind: Option<ErrorKind>| kind.is_none() && !input.findings.denies(index);
                    let are_trimmed = self.is_trimmed;
                    scanned.copy_lines(WantedLines::Records { is_wanted: &is_wanted, are_trimmed }, bytes);
                }
                LineSelection::Valid if self.is_trimmed => {
                    scanned.copy_lines(WantedLines::TrimmedValid, bytes);
                }
                LineSelection::Valid => scanned.copy_lines(WantedLines::Valid, bytes),
                LineSelection::Invalid { kinds, is_mended } => {
                    let has_name = |name: &str| {
                        let has =
                            kinds.as_ref().is_none_or(|kinds| kinds.iter().any(|wanted| wanted == name));
                        other_kinds.set(other_kinds.get() + u64::from(!has));
                        has
                    };
                    let has_kind = |kind: ErrorKind| has_name(kind.name());
                    let goes_elsewhere = |index, kind| *is_mended && input.suggestion(index, kind).is_some();
                    let is_wanted = |index, kind| !goes_elsewhere(index, kind) && has_kind(kind);
                    if input.findings.has_no_denied() {
                        scanned.copy_lines(WantedLines::Invalid(&is_wanted), bytes);
                    } else {
                        let is_wanted = |index, kind| match kind {
                            Some(kind) => is_wanted(index, kind),
                            None => input.findings.denies(index) && has_name(Problem::SUSPICIOUS),
                        };
                        let are_trimmed = false;
                        scanned
                            .copy_lines(WantedLines::Records { is_wanted: &is_wanted, are_trimmed }, bytes);
                    }
                }
                LineSelection::Rest => scanned.copy_lines(WantedLines::Other, bytes),
            }
            Ok::<_, OutOfMemory>(())
        })?;
        to.tally.other_kinds = other_kinds.get();
        let chunk = scanned.chunk();
        let mark = &chunk.bytes()[..chunk.bytes().len() - chunk.lines().len()];
        to.mark = if to.bytes().starts_with(mark) { mark.len() } else { 0 };
        to.starts_line = chunk.starts_line();
        Ok(())
    }

    fn assemble(&self) -> Box<dyn Assemble> {
        Box::new(Joined { terminator: self.terminator, last: None })
    }
}

/// Writes the lines of one chunk after the other. A byte order mark at the start of a file is left out after
/// lines of another file, because it would become part of a record. If the last line of a file has no
/// terminator, one is added before the lines of another file.
struct Joined {
    terminator: u8,
    /// The last byte written.
    last: Option<u8>,
}

impl Assemble for Joined {
    fn begin(&mut self, write: Write<'_>) -> Result<(), Failure> {
        write(&mut [])
    }

    fn append(&mut self, encoded: &Encoded, write: Write<'_>) -> Result<(), Failure> {
        let start = if self.last.is_some() { encoded.mark } else { 0 };
        let bytes = &encoded.bytes()[start..];
        let Some(&last) = bytes.last() else { return Ok(()) };
        if encoded.starts_line && self.last.is_some_and(|last| last != self.terminator) {
            write(&mut [IoSlice::new(&[self.terminator])])?;
        }
        self.last = Some(last);
        write(&mut [IoSlice::new(bytes)])
    }

    fn finish(&mut self, _: Write<'_>) -> Result<(), Failure> {
        Ok(())
    }
}
