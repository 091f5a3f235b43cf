//! The headers of records in ARC files of version 1 and 2, as the [Internet Archive describes them][arc].
//! Each header is a line, followed by the block.
//!
//! ```text
//! URL IP-address Archive-date Content-type Archive-length
//! URL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length
//! ```
//!
//! The first record describes the file; its URL has the scheme `filedesc`. A URL can contain spaces, so it
//! ends at the first address with a date after it.
//!
//! [arc]: https://archive.org/web/researcher/ArcFileFormat.php

use std::ops::Range;

use super::header::{RecordHeader, number};
use crate::corpus::format::lines::chunk_lines::without_cr;
use crate::work::{looked_at, memchr, memrchr};

/// The header of a record. Ranges are in its line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ArcHeader {
    pub(super) url: Range<usize>,
    pub(super) content_type: Range<usize>,
    /// The length of the block, in bytes.
    pub(super) length: u64,
    /// Whether the record describes the file.
    pub(super) describes_file: bool,
}

impl ArcHeader {
    /// Reads a line as a header. `None` if it is not a header.
    pub(super) fn read(line: &[u8]) -> Option<Self> {
        let last = memrchr(b' ', line)?;
        let length = number(&line[last + 1..])?;
        // The word before the word that ends at the next space.
        let mut address = 0..0;
        let mut start = 0;
        loop {
            let end = start + memchr(b' ', &line[start..last])?;
            if address.start > 0 && is_date(&line[start..end]) && is_address(&line[address.clone()]) {
                let url = 0..address.start - 1;
                let rest = &line[end + 1..last];
                let content_type = end + 1..end + 1 + memchr(b' ', rest).unwrap_or(rest.len());
                let describes_file = line.starts_with(b"filedesc:");
                let is_url = memchr(b':', &line[url.clone()]).is_some();
                return is_url.then_some(ArcHeader { url, content_type, length, describes_file });
            }
            address = start..end;
            start = end + 1;
        }
    }

    /// Reads the first line of these bytes as a header. `None` if the line is not whole.
    pub(super) fn first(bytes: &[u8]) -> Option<Self> {
        let line_end = memchr(b'\n', bytes)?;
        ArcHeader::read(without_cr(&bytes[..line_end]))
    }

    /// Reads the header of the record at the start of these bytes. At the end of the file (`may_end`), it can
    /// lack its line end.
    pub(super) fn record(bytes: &[u8], may_end: bool) -> Option<RecordHeader<'_>> {
        let line_end = memchr(b'\n', bytes).or(may_end.then_some(bytes.len()))?;
        let line = &bytes[..line_end];
        let ArcHeader { url, content_type, length, describes_file } = ArcHeader::read(without_cr(line))?;
        Some(RecordHeader {
            len: bytes.len().min(line_end + 1),
            content_length: Some(length),
            kind: if describes_file { b"warcinfo" } else { b"response" },
            content_type: &line[content_type],
            target_at: (!describes_file).then_some(url.start),
            target: &line[url],
            is_arc: true,
        })
    }

    /// Returns true if `head` is the start of an ARC file.
    pub(super) fn starts_file(head: &[u8]) -> bool {
        head.starts_with(b"filedesc:") && ArcHeader::first(head).is_some()
    }
}

/// Returns true if a word is the time of a capture, from year to second.
fn is_date(word: &[u8]) -> bool {
    looked_at(word.len());
    word.len() == 14 && word.iter().all(u8::is_ascii_digit)
}

/// Returns true if a word is the address of a host, or the sign for an unknown address.
fn is_address(word: &[u8]) -> bool {
    looked_at(word.len());
    let is_part = |byte: &u8| byte.is_ascii_hexdigit() || b".:".contains(byte);
    let has_mark = || word.iter().any(|byte| b".:".contains(byte));
    word == b"-" || word == b"0" || word.iter().all(is_part) && has_mark()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<(&str, &str, u64, bool)> {
        let ArcHeader { url, content_type, length, describes_file } = ArcHeader::read(line.as_bytes())?;
        Some((&line[url], &line[content_type], length, describes_file))
    }

    #[test]
    fn headers_are_lines() {
        for (line, expected) in [
            (
                "filedesc://x.arc 0 19960923142103 text/plain 76",
                Some(("filedesc://x.arc", "text/plain", 76, true)),
            ),
            (
                "http://www.dryswamp.edu:80/index.html 127.10.100.2 19961104142103 text/html 202",
                Some(("http://www.dryswamp.edu:80/index.html", "text/html", 202, false)),
            ),
            (
                "http://a/ ::1 19961104142103 text/html 200 fac069150613fe55599cc7fa88aa089d - 209 x.arc 202",
                Some(("http://a/", "text/html", 202, false)),
            ),
            (
                "http://a/b c 20260101 d 192.0.2.1 20260101000000 no-type 0",
                Some(("http://a/b c 20260101 d", "no-type", 0, false)),
            ),
            ("dns:a.example - 20260101000000 text/dns 50", Some(("dns:a.example", "text/dns", 50, false))),
            ("http://a/ 192.0.2.1 20260101000000 text/html x", None),
            ("http://a/ 192.0.2.1 20260101000000 12", None),
            ("http://a/ b.example.org 20260101000000 text/html 12", None),
            ("a 192.0.2.1 20260101000000 text/html 12", None),
            ("192.0.2.1 20260101000000 text/html 12", None),
            ("WARC/1.0", None),
            ("", None),
        ] {
            assert_eq!(read(line), expected, "{line}");
        }
    }
}
