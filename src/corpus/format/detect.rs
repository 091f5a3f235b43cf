//! Which format an input is in, by its first lines.
//!
//! The first line that can only be of one format decides; one that tells nothing (a blank one, a comment, garbage) is passed
//! over. Where nothing tells, lines are lines.

use memchr::memchr;

use super::Format;
use super::access::Access;
use super::columns::{Cdx, Heritrix, Squid};
use super::delimited::{self, Delimited};
use super::field::{Find, Found, Malformed, Want};
use super::json::Json;
use super::{w3c, warc};
use crate::corpus::chunk::mark_len;

/// More bytes are not looked at.
const MAX_BYTES: usize = 64 << 10;

/// More lines are not looked at.
const MAX_LINES: usize = 32;

impl Format {
    /// What the first lines of an input say about its format, if they do. `lines` are whole lines, or all there is.
    ///
    /// Where they say nothing, it is worth while to ask again with more of them, up to 32 lines or 64 KiB, in which
    /// there is always an answer: [`Lines`](Format::Lines) when in doubt.
    ///
    /// ```
    /// use urivalidate::corpus::Format;
    ///
    /// let first = b"#Software: example\n";
    /// assert_eq!(Format::detect(first), None);
    /// let more = b"#Software: example\n#Fields: time cs-uri\n00:34:23 /foo/bar.html\n";
    /// assert_eq!(Format::detect(more), Some(Format::W3c));
    /// ```
    pub fn detect(lines: &[u8]) -> Option<Format> {
        let mark = mark_len(lines);
        let mut table = None;
        for (number, line) in lines[mark..].split_inclusive(|&byte| byte == b'\n').enumerate() {
            if number == MAX_LINES {
                return Some(Format::Lines);
            }
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if let Some(format) = by_line(line) {
                return Some(format);
            }
            match &table {
                None if number == 0 => table = Table::new(line),
                Some(table) if table.has_row(line) => return Some(table.format),
                _ => {}
            }
            if starts_as_uri(line) {
                return Some(Format::Lines);
            }
        }
        (lines.len() >= MAX_BYTES).then_some(Format::Lines)
    }
}

/// What a line says on its own.
fn by_line(line: &[u8]) -> Option<Format> {
    if warc::is_version(line) {
        return Some(Format::Warc);
    }
    if Cdx::is_header(line) {
        return Some(Format::Cdx);
    }
    if line.starts_with(w3c::FIELDS) || line.starts_with(b"#Version: ") {
        return Some(Format::W3c);
    }
    if line.starts_with(b"!OpenWayback-CDXJ") {
        return Some(Format::Cdxj);
    }
    let is_object = |is_index| {
        let found = Json { keys: &[], is_index }.find(line);
        found == Found::Malformed(Malformed::NoKey)
    };
    if is_object(false) {
        return Some(Format::Jsonl);
    }
    let mut words = line.split(|&byte| byte == b' ').filter(|word| !word.is_empty());
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let is_stamp = |word: &[u8]| (8..=17).contains(&word.len()) && word.iter().all(u8::is_ascii_digit);
    if is_stamp(second) && is_object(true) {
        return Some(Format::Cdxj);
    }
    let holds_uri = |found: Found| match found {
        Found::Field(field) => starts_as_uri(&line[field.range]),
        _ => false,
    };
    if (is_stamp(first) || is_date(first)) && holds_uri(Heritrix { column: Heritrix::URI }.find(line)) {
        return Some(Format::Heritrix);
    }
    if is_seconds(first) && !matches!(Squid { column: Squid::URI }.find(line), Found::Malformed(_)) {
        return Some(Format::Squid);
    }
    if is_stamp(second) && holds_uri(Cdx::without_header(Cdx::URL).find(line)) {
        return Some(Format::Cdx);
    }
    if !matches!(Access { referer: false }.find(line), Found::Malformed(_)) {
        let referer = Access { referer: true }.find(line);
        let is_common = referer == Found::Malformed(Malformed::Truncated);
        return Some(if is_common { Format::Common } else { Format::Combined });
    }
    None
}

/// A first line that may name the columns of a table.
struct Table {
    format: Format,
    separator: u8,
    count: usize,
    column: usize,
}

impl Table {
    fn new(line: &[u8]) -> Option<Self> {
        [(Format::Tsv, b'\t'), (Format::Csv, b',')].into_iter().find_map(|(format, separator)| {
            let table = Delimited { separator, want: &Want::Uri, header: delimited::Header::Pending };
            match table.header(line)? {
                delimited::Header::Seen { column, count: Some(count @ 2..) } => {
                    Some(Table { format, separator, count, column })
                }
                _ => None,
            }
        })
    }

    /// Whether a line has as many cells, and a URI where it should.
    fn has_row(&self, line: &[u8]) -> bool {
        let header = delimited::Header::Seen { column: self.column, count: Some(self.count) };
        match (Delimited { separator: self.separator, want: &Want::Uri, header }).find(line) {
            Found::Field(field) => starts_as_uri(&line[field.range]),
            _ => false,
        }
    }
}

/// Whether a text starts with a scheme and its colon.
fn starts_as_uri(text: &[u8]) -> bool {
    memchr(b':', text).is_some_and(|colon| {
        let is_scheme = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        text[0].is_ascii_alphabetic() && text[..colon].iter().all(is_scheme)
    })
}

/// A date of ISO 8601 with a time, as `2011-06-23T17:12:08.802Z`.
fn is_date(word: &[u8]) -> bool {
    let shape = b"0000-00-00T00:00:00";
    word.len() >= shape.len()
        && word.iter().zip(shape).all(|(byte, shape)| match shape {
            b'0' => byte.is_ascii_digit(),
            other => byte == other,
        })
}

/// Seconds since 1970 with milliseconds, as `1066037222.011`.
fn is_seconds(word: &[u8]) -> bool {
    let dot = word.len().checked_sub(4);
    dot.is_some_and(|dot| {
        dot > 0 && word[dot] == b'.' && word[..dot].iter().chain(&word[dot + 1..]).all(u8::is_ascii_digit)
    })
}
