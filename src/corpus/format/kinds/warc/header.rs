//! The headers of records: in a WARC file a version, and lines of names and values.

use std::ops::Range;

use crate::corpus::format::lines::chunk_lines::without_cr;
use crate::work::memchr;

const VERSION: &[u8] = b"WARC/";

/// Whether this is how a record starts.
pub(super) fn is_version(line: &[u8]) -> bool {
    line.starts_with(VERSION) && line.get(VERSION.len()).is_some_and(u8::is_ascii_digit)
}

/// The header of a record, as far as it matters. Names are compared without regard to case; the last field of a name counts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Header<'a> {
    /// Its bytes, with the empty line after it.
    pub(crate) len: usize,
    /// The bytes of the block, if a number says so.
    pub(super) content_length: Option<u64>,
    /// The kind of the record: `response`, `metadata`.
    pub(crate) kind: &'a [u8],
    pub(crate) content_type: &'a [u8],
    pub(crate) target: &'a [u8],
    /// Whether it is one of an ARC file: then the type is that of the document, whatever protocol it came by.
    pub(super) is_arc: bool,
}

impl<'a> Header<'a> {
    /// The header that these bytes start with, if it ends in them.
    pub(super) fn read(bytes: &'a [u8]) -> Option<Self> {
        let mut header = Header::default();
        loop {
            let rest = &bytes[header.len..];
            let line_end = memchr(b'\n', rest)?;
            header.len += line_end + 1;
            let line = without_cr(&rest[..line_end]);
            if line.is_empty() {
                return Some(header);
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
                header.target = &line[without_brackets(line, value)];
            }
        }
    }
}

/// The name of a header line, and where its value is.
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
