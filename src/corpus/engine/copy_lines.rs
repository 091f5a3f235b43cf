//! The lines of a chunk, copied as they came: those of valid records, of invalid ones, or those without a record.
//!
//! Valid lines between two invalid ones are one copy. All of it takes 7% of the time of a list of URLs, so to write such runs from the
//! input itself, uncopied, would gain less than that.

use super::scanned::{RecordSource, Scanned};
use crate::corpus::format::{Fields, LineRole};
use crate::error::ErrorKind;

/// Lines of a chunk. In the order of their lines, those of valid records, of all invalid ones and the others are all lines.
#[derive(Clone, Copy)]
pub enum WantedLines<'a> {
    /// The lines of valid records, as they came.
    Valid,
    /// The lines of valid records, without the white space that a [scanner that trims](crate::corpus::Scanner::trim) left out of
    /// records, and in lists without a byte order mark: read again, they are valid.
    TrimmedValid,
    /// The lines of invalid records that this accepts, by the record's index and the kind of its error.
    ///
    /// A record over the limit may have many parts. This is called for each of them, even if the batch has no record yet: with the
    /// index 0 and the kind [`RecordTooLong`](ErrorKind::RecordTooLong).
    Invalid(&'a dyn Fn(usize, ErrorKind) -> bool),
    /// The lines without a record.
    Other,
}

/// Whether white space around records is copied with their lines.
#[derive(Clone, Copy)]
enum WhiteSpace {
    Kept,
    Trimmed,
}

impl<'a> Scanned<'a> {
    /// See [`copy_lines`](crate::tools::copy_lines).
    pub(crate) fn copy_lines(&self, wanted: WantedLines<'_>, to: &mut Vec<u8>) {
        let start = to.len();
        match wanted {
            WantedLines::Valid => self.append_valid(to),
            WantedLines::TrimmedValid => self.append_trimmed_valid(to),
            WantedLines::Invalid(is_wanted) => self.append_invalid(to, is_wanted),
            WantedLines::Other => {
                if let RecordSource::Fields(fields) = self.records {
                    self.append_in_role(fields, LineRole::Rest, self.roles(), to, WhiteSpace::Kept);
                }
            }
        }
        if start == 0 || start == to.len() || !self.chunk.starts_line() {
            return;
        }
        let mark = if to[start..].starts_with(self.mark()) { self.mark().len() } else { 0 };
        let terminator = self.chunk.limits.terminator;
        let missing = (to[start - 1] != terminator).then_some(terminator);
        if mark > 0 || missing.is_some() {
            to.splice(start..start + mark, missing);
        }
    }

    /// The byte order mark, which belongs to the first line.
    fn mark(&self) -> &'a [u8] {
        &self.chunk.bytes()[..self.chunk.cut.mark]
    }

    fn append_valid(&self, to: &mut Vec<u8>) {
        match self.records {
            RecordSource::Lines => {
                // Those between two invalid ones at once.
                let lines = self.chunk.lines();
                let mut at = 0;
                if self.batch.invalid().first().is_none_or(|record| record.index > 0) {
                    to.extend_from_slice(self.mark());
                }
                for record in self.batch.invalid() {
                    to.extend_from_slice(lines.get(at..record.start as usize).unwrap_or_default());
                    at = self.line_end(record.end as usize);
                }
                to.extend_from_slice(&lines[at..]);
            }
            RecordSource::Part => {}
            RecordSource::Gathered(gathered) => {
                if self.is_empty() {
                    to.extend_from_slice(self.mark());
                }
                for index in (0..self.len()).filter(|&index| self.batch.is_valid(index)) {
                    if index == 0 {
                        to.extend_from_slice(self.mark());
                    }
                    to.extend_from_slice(gathered.line(self.chunk, index));
                }
            }
            RecordSource::Fields(fields) => {
                self.append_in_role(fields, LineRole::Valid, self.roles(), to, WhiteSpace::Kept)
            }
        }
    }

    /// The roles of the lines of records.
    fn roles(&self) -> impl Fn(usize) -> LineRole {
        let batch = self.batch;
        |index| if batch.is_valid(index) { LineRole::Valid } else { LineRole::Invalid }
    }

    fn append_trimmed_valid(&self, to: &mut Vec<u8>) {
        match self.records {
            RecordSource::Gathered(gathered) => {
                for index in (0..self.len()).filter(|&index| self.batch.is_valid(index)) {
                    to.extend_from_slice(gathered.record(self.chunk, index));
                    // The last line may have none.
                    let line = gathered.line(self.chunk, index);
                    to.extend(line.last().filter(|&&end| end == self.chunk.limits.terminator));
                }
            }
            RecordSource::Fields(fields) => {
                self.append_in_role(fields, LineRole::Valid, self.roles(), to, WhiteSpace::Trimmed)
            }
            RecordSource::Lines | RecordSource::Part => self.append_valid(to),
        }
    }

    fn append_in_role(
        &self,
        fields: &Fields,
        wanted: LineRole,
        role_of: impl Fn(usize) -> LineRole,
        to: &mut Vec<u8>,
        white_space: WhiteSpace,
    ) {
        if fields.has_several_a_line() {
            for index in 0..self.len() {
                if role_of(index) == wanted {
                    to.extend_from_slice(fields.record(index));
                    to.push(b'\n');
                }
            }
            return;
        }
        let bytes = self.chunk.bytes();
        fields.share_out(bytes, role_of, |role, lines| match white_space {
            WhiteSpace::Trimmed if role == wanted => fields.copy_trimmed(bytes, lines, to),
            _ if role == wanted || role == LineRole::Header => to.extend_from_slice(&bytes[lines]),
            _ => {}
        });
    }

    fn append_invalid(&self, to: &mut Vec<u8>, is_wanted: &dyn Fn(usize, ErrorKind) -> bool) {
        match self.records {
            RecordSource::Fields(fields) => {
                // The lines of the others go nowhere, as those of valid records.
                let is_left_out =
                    |index| self.error(index).is_none_or(|error| !is_wanted(index, error.kind()));
                let role_of = |index| {
                    if self.batch.is_valid(index) || is_left_out(index) {
                        LineRole::Valid
                    } else {
                        LineRole::Invalid
                    }
                };
                self.append_in_role(fields, LineRole::Invalid, role_of, to, WhiteSpace::Kept)
            }
            RecordSource::Part if is_wanted(0, ErrorKind::RecordTooLong) => {
                to.extend_from_slice(self.chunk.bytes());
            }
            RecordSource::Part => {}
            _ => self.batch.invalid().iter().for_each(|record| {
                if !is_wanted(record.index as usize, record.error.kind()) {
                    return;
                }
                if record.index == 0 {
                    to.extend_from_slice(self.mark());
                }
                to.extend_from_slice(self.line(record.index as usize).unwrap_or_default());
            }),
        }
    }
}
