//! The headers of records. In a WARC file, a header is a version, and lines of names and values.

use std::ops::Range;

use crate::corpus::format::lines::chunk_lines::without_cr;
use crate::work::memchr;

const VERSION: &[u8] = b"WARC/";

/// Returns true if a line starts a record.
pub(super) fn is_version(line: &[u8]) -> bool {
    line.starts_with(VERSION) && line.get(VERSION.len()).is_some_and(u8::is_ascii_digit)
}

/// Returns the line end of the field at the start of these bytes. Lines that start with white space belong to
/// the field before them.
pub(super) fn field_end(bytes: &[u8]) -> Option<usize> {
    let mut end = memchr(b'\n', bytes)?;
    let is_empty = without_cr(&bytes[..end]).is_empty();
    while !is_empty && matches!(bytes.get(end + 1), Some(b' ' | b'\t')) {
        end += 1 + memchr(b'\n', &bytes[end + 1..])?;
    }
    Some(end)
}

/// The fields of a record's header that the formats need. Names match in any letter case; the last field of a
/// name counts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RecordHeader<'a> {
    /// The length of the header in bytes, with the empty line after it.
    pub(crate) len: usize,
    /// The length of the block in bytes, if the header states it.
    pub(super) content_length: Option<u64>,
    /// The kind of the record, for example `response` or `metadata`.
    pub(crate) kind: &'a [u8],
    pub(crate) content_type: &'a [u8],
    pub(crate) target: &'a [u8],
    /// The place of the target in the header, if the header states one.
    pub(super) target_at: Option<usize>,
    /// Whether the header is one of an ARC file. Its type is then the type of the document, whatever the
    /// protocol was.
    pub(super) is_arc: bool,
}

/// The reason why a header ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeaderEnd {
    /// An empty line follows the fields.
    EmptyLine,
    /// A version follows them: the header of the next record.
    Version,
    /// The bytes end first.
    OfBytes,
}

impl<'a> RecordHeader<'a> {
    /// Reads the header at the start of these bytes: the facts in its whole lines.
    pub(super) fn read(bytes: &'a [u8]) -> (Self, HeaderEnd) {
        let mut header = RecordHeader::default();
        loop {
            let rest = &bytes[header.len..];
            if header.len > 0 && is_version(rest) {
                return (header, HeaderEnd::Version);
            }
            let Some(line_end) = field_end(rest) else { return (header, HeaderEnd::OfBytes) };
            let start = header.len;
            header.len += line_end + 1;
            let line = without_cr(&rest[..line_end]);
            if line.is_empty() {
                return (header, HeaderEnd::EmptyLine);
            }
            let Some((name, value)) = field(line) else { continue };
            let is = |wanted: &[u8]| name.eq_ignore_ascii_case(wanted);
            if is(b"content-length") {
                header.content_length = number(&line[value]);
            } else if is(b"warc-type") {
                header.kind = &line[value];
            } else if is(b"content-type") {
                header.content_type = &line[value];
            } else if is(b"warc-target-uri") {
                let target = without_brackets(line, value);
                header.target_at = Some(start + target.start);
                header.target = &line[target];
            }
        }
    }
}

/// Returns the name in a header line, and the range of the value.
pub(super) fn field(line: &[u8]) -> Option<(&[u8], Range<usize>)> {
    let colon = memchr(b':', line)?;
    let value = line[colon + 1..].trim_ascii_end();
    let end = colon + 1 + value.len();
    Some((&line[..colon], end - value.trim_ascii_start().len()..end))
}

pub(super) fn number(digits: &[u8]) -> Option<u64> {
    let digit = |byte: &u8| byte.is_ascii_digit().then(|| u64::from(byte - b'0'));
    let add = |number: u64, byte| number.checked_mul(10)?.checked_add(digit(byte)?);
    if digits.is_empty() { None } else { digits.iter().try_fold(0, add) }
}

pub(super) fn without_brackets(line: &[u8], value: Range<usize>) -> Range<usize> {
    match &line[value.clone()] {
        [b'<', .., b'>'] => value.start + 1..value.end - 1,
        _ => value,
    }
}
