//! The fields of a header (RFC 5322 section 2.2), and the media type that they name (RFC 2045 section 5).

use std::ops::Range;

use crate::corpus::format::lines::chunk_lines::without_cr;
use crate::work::{looked_at, memchr};

/// A field of a header: its name, and its body with all line ends but the last one. Ranges are in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HeaderField {
    pub(super) name: Range<usize>,
    pub(super) body: Range<usize>,
}

/// Passes each field of the header that starts at `start` of a text, and returns the start of the body. A
/// line that belongs to no field ends the header, too.
pub(super) fn fields(text: &[u8], start: usize, mut each: impl FnMut(&HeaderField)) -> usize {
    let mut open: Option<HeaderField> = None;
    let mut at = start;
    while at < text.len() {
        let rest = &text[at..];
        let end = memchr(b'\n', rest).map_or(rest.len(), |line_end| line_end + 1);
        let line = without_cr(rest[..end].strip_suffix(b"\n").unwrap_or(&rest[..end]));
        if line.is_empty() {
            at += end;
            break;
        }
        let name = name_len(line);
        if matches!(line[0], b' ' | b'\t') {
            if let Some(field) = &mut open {
                field.body.end = at + line.len();
            }
        } else if name.is_some() || at == start && is_envelope(line) {
            if let Some(field) = open.take() {
                each(&field);
            }
            open = name.map(|len| HeaderField { name: at..at + len, body: at + len + 1..at + line.len() });
        } else {
            break;
        }
        at += end;
    }
    if let Some(field) = open {
        each(&field);
    }
    at
}

/// Returns the length of the name of a field, if the line starts a field. A URI at the start of a text is no
/// field.
pub(super) fn name_len(line: &[u8]) -> Option<usize> {
    let colon = line.iter().position(|byte| *byte == b':' || !byte.is_ascii_graphic());
    looked_at(colon.unwrap_or(line.len()));
    colon.filter(|&colon| colon > 0 && line[colon] == b':' && !line[colon..].starts_with(b"://"))
}

/// Returns true if a line separates the messages of a mailbox.
pub(super) fn is_envelope(line: &[u8]) -> bool {
    line.starts_with(b"From ") || line.starts_with(b">From ")
}

/// The content of a part, as its header describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Content {
    pub(super) kind: Kind,
    pub(super) coding: Coding,
    /// Whether line ends in the content are not those of its text.
    pub(super) lines: Lines,
    pub(super) charset: Charset,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Parts between lines with this boundary.
    Multipart {
        boundary: Vec<u8>,
        is_digest: bool,
    },
    /// Another message.
    Message,
    Html,
    Text,
    /// No text.
    Other,
}

/// The transfer encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    None,
    QuotedPrintable,
    Base64,
}

/// The charset of a text. All others contain ASCII unchanged, and their other bytes are no characters of a
/// URI in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Charset {
    Other,
    Utf16 {
        is_little: bool,
    },
    /// Windows-1252, and ISO-8859-1, which the Encoding Standard takes for the same.
    Latin1,
}

/// The line ends of a text that are to be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lines {
    Kept,
    /// A space and a line end (RFC 3676 section 4, with `DelSp=yes`).
    Flowed,
    /// A line end and white space (RFC 5545 section 3.1, RFC 6350 section 3.2).
    Folded,
}

impl Content {
    /// Returns the content of a part that says nothing about itself.
    pub(super) fn unsaid(in_digest: bool) -> Self {
        let kind = if in_digest { Kind::Message } else { Kind::Text };
        Content { kind, coding: Coding::None, lines: Lines::Kept, charset: Charset::Other }
    }

    /// Learns from a field.
    pub(super) fn note(&mut self, text: &[u8], field: &HeaderField) {
        let name = &text[field.name.clone()];
        let value = &text[field.body.clone()];
        if name.eq_ignore_ascii_case(b"content-transfer-encoding") {
            let word = value.trim_ascii().split(|&byte| byte == b';').next().unwrap_or_default().trim_ascii();
            self.coding = match () {
                () if word.eq_ignore_ascii_case(b"quoted-printable") => Coding::QuotedPrintable,
                () if word.eq_ignore_ascii_case(b"base64") => Coding::Base64,
                () => Coding::None,
            };
        } else if name.eq_ignore_ascii_case(b"content-type") {
            self.note_type(value);
        }
    }

    fn note_type(&mut self, value: &[u8]) {
        looked_at(value.len());
        let mut parts = Parameters(value);
        let essence = parts.next().unwrap_or_default().trim_ascii().to_ascii_lowercase();
        let mut boundary = None;
        let (mut is_flowed, mut is_joined) = (false, false);
        for part in parts {
            let Some(equals) = part.iter().position(|&byte| byte == b'=') else { continue };
            let (name, value) = (part[..equals].trim_ascii(), unquoted(part[equals + 1..].trim_ascii()));
            let (is, says) = (
                |wanted: &[u8]| name.eq_ignore_ascii_case(wanted),
                |text: &[u8]| value.eq_ignore_ascii_case(text),
            );
            match () {
                () if is(b"boundary") => boundary = Some(value.trim_ascii_end().to_vec()),
                () if is(b"format") => is_flowed = says(b"flowed"),
                () if is(b"delsp") => is_joined = says(b"yes"),
                () if is(b"charset") => {
                    self.charset = match &*value.to_ascii_lowercase() {
                        b"utf-16le" => Charset::Utf16 { is_little: true },
                        b"utf-16" | b"utf-16be" => Charset::Utf16 { is_little: false },
                        b"iso-8859-1" | b"latin1" | b"windows-1252" => Charset::Latin1,
                        _ => Charset::Other,
                    };
                }
                () => {}
            }
        }
        let boundary = boundary.filter(|boundary| !boundary.is_empty());
        self.kind = match (&*essence, boundary) {
            (kind, Some(boundary)) if kind.starts_with(b"multipart/") => {
                Kind::Multipart { boundary, is_digest: kind == b"multipart/digest" }
            }
            (b"message/rfc822" | b"message/global" | b"message/news", _) => Kind::Message,
            (b"text/html" | b"application/xhtml+xml", _) => Kind::Html,
            // A type that is not one counts as plain text (RFC 2045 section 5.2), and so do parts without a
            // boundary between them.
            (kind, _) => {
                let is_type = kind.contains(&b'/');
                let starts = |start: &[u8]| kind.starts_with(start);
                let is_text = !is_type || starts(b"text/") || starts(b"message/") || starts(b"multipart/");
                if is_text { Kind::Text } else { Kind::Other }
            }
        };
        self.lines = match &*essence {
            b"text/calendar" | b"text/vcard" | b"text/x-vcard" | b"text/directory" => Lines::Folded,
            _ if is_flowed && is_joined => Lines::Flowed,
            _ => Lines::Kept,
        };
    }
}

/// The texts between the semicolons of a value. A semicolon in quotes separates nothing.
struct Parameters<'v>(&'v [u8]);

impl<'v> Iterator for Parameters<'v> {
    type Item = &'v [u8];

    fn next(&mut self) -> Option<&'v [u8]> {
        if self.0.is_empty() {
            return None;
        }
        let (mut in_quotes, mut is_escaped) = (false, false);
        let end = self.0.iter().position(|&byte| {
            let ends = byte == b';' && !in_quotes;
            in_quotes ^= byte == b'"' && !is_escaped;
            is_escaped = byte == b'\\' && in_quotes && !is_escaped;
            ends
        });
        let (part, rest) = self.0.split_at(end.unwrap_or(self.0.len()));
        self.0 = rest.get(1..).unwrap_or_default();
        Some(part)
    }
}

/// Returns a value without its quotes, comments after it, and the backslashes of quoted strings.
fn unquoted(value: &[u8]) -> Vec<u8> {
    let Some(quoted) = value.strip_prefix(b"\"") else {
        let end = value.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'(');
        return value[..end.unwrap_or(value.len())].to_vec();
    };
    let (mut text, mut is_escaped) = (Vec::new(), false);
    for &byte in quoted {
        match byte {
            b'"' if !is_escaped => break,
            b'\\' if !is_escaped => is_escaped = true,
            // Only the line ends of a folded value.
            b'\r' | b'\n' => {}
            _ => {
                text.push(byte);
                is_escaped = false;
            }
        }
    }
    text
}
