//! Computes the records of a list by the simplest possible code.

use urivalidate::ErrorKind;
use urivalidate::corpus::{Scanned, WantedLines};

use crate::knobs::Knobs;

/// A record, and the result of a scan for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    pub column: u64,
    pub length: u64,
    /// The bytes of the record, or `None` for a record over the limit.
    pub bytes: Option<Vec<u8>>,
    /// The kind and the offset of the error, or `None` for a valid record. The offset is `None` for a record
    /// that is too long or truncated.
    pub error: Option<(ErrorKind, Option<usize>)>,
}

/// The results of a scan for a list.
#[derive(Debug, Default, PartialEq)]
pub struct List {
    pub records: Vec<Seen>,
    /// The lines of valid records.
    pub valid: Vec<u8>,
    /// The lines of invalid records.
    pub invalid: Vec<u8>,
}

impl List {
    /// The results of a scan for a chunk. The scan must have requested the places of the records.
    pub fn of(scanned: &Scanned<'_>) -> Self {
        let mut list = List::default();
        for index in 0..scanned.len() {
            let error = scanned.error(index).map(|error| match error.kind() {
                kind @ (ErrorKind::RecordTooLong | ErrorKind::Truncated) => (kind, None),
                kind => (kind, Some(error.offset())),
            });
            let is_whole = error != Some((ErrorKind::RecordTooLong, None));
            list.records.push(Seen {
                column: scanned.start_column(index).unwrap(),
                length: scanned.length(index).unwrap(),
                bytes: is_whole.then(|| scanned.record(index).unwrap().to_vec()),
                error,
            });
        }
        scanned.copy_lines(WantedLines::Valid, &mut list.valid);
        scanned.copy_lines(WantedLines::Invalid(&|_, _| true), &mut list.invalid);
        let mut trimmed = Vec::new();
        scanned.copy_lines(WantedLines::TrimmedValid, &mut trimmed);
        assert!(trimmed.len() <= list.valid.len());
        let mut others = Vec::new();
        scanned.copy_lines(WantedLines::Other, &mut others);
        assert!(others.is_empty(), "each line of a list has a record");
        list
    }

    /// Appends the results for the bytes that follow.
    pub fn extend(&mut self, other: List) {
        self.records.extend(other.records);
        self.valid.extend(other.valid);
        self.invalid.extend(other.invalid);
    }

    /// The expected results for an input that is not compressed. If it `is_cut_off`, an error ends the input.
    pub fn expected(input: &[u8], knobs: &Knobs, is_cut_off: bool) -> Self {
        let text = input.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(input);
        let mut mark = input.len() - text.len();
        let mut list = List::default();
        for line in text.split_inclusive(|&byte| byte == knobs.terminator) {
            let record = match line.strip_suffix(&[knobs.terminator]) {
                Some(line) if knobs.terminator == b'\n' => line.strip_suffix(b"\r").unwrap_or(line),
                Some(line) => line,
                None => line,
            };
            let is_too_long = record.len() > knobs.max_record;
            let is_truncated = is_cut_off && !line.ends_with(&[knobs.terminator]);
            let trimmed = if knobs.trim && !is_too_long { record.trim_ascii() } else { record };
            let start = if trimmed.is_empty() {
                record.trim_ascii_end().len()
            } else {
                record.len() - record.trim_ascii_start().len()
            };
            let error = match knobs.validator.parse(trimmed) {
                _ if is_too_long => Some((ErrorKind::RecordTooLong, None)),
                _ if is_truncated => Some((ErrorKind::Truncated, None)),
                parsed => parsed.err().map(|error| (error.kind(), Some(error.offset()))),
            };
            list.records.push(Seen {
                column: (mark + if knobs.trim && !is_too_long { start } else { 0 }) as u64 + 1,
                length: trimmed.len() as u64,
                bytes: (!is_too_long).then(|| trimmed.to_vec()),
                error,
            });
            // The byte order mark belongs to the first line.
            let share = if error.is_none() { &mut list.valid } else { &mut list.invalid };
            share.extend_from_slice(&input[..mark]);
            share.extend_from_slice(line);
            mark = 0;
        }
        list.valid.extend_from_slice(&input[..mark]);
        list
    }
}
