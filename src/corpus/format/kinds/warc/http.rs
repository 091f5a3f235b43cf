//! HTTP responses in the blocks of WARC records (RFC 9112).

use std::borrow::Cow;

use super::header::{field, field_end};
use crate::corpus::format::lines::chunk_lines::without_cr;
use crate::work::{looked_at, memchr};

/// The fields of a response's head that the formats need.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HttpHead<'a> {
    /// The length of the head in bytes, with the empty line after it.
    pub(super) len: usize,
    pub(super) content_type: Option<&'a [u8]>,
    /// The codings of the content.
    content: Codings<'a>,
    /// The codings of the message, which were applied after those of the content.
    transfer: Codings<'a>,
}

/// The codings that the fields of one name list, in the order in which the server applied them. Several
/// fields count as one list (RFC 9110 section 5.3).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Codings<'a> {
    /// The first codings.
    first: [&'a [u8]; Codings::MOST],
    len: usize,
}

impl<'a> Codings<'a> {
    /// The maximal number of codings that are undone. No server applies more.
    pub(super) const MOST: usize = 4;

    fn add(&mut self, value: &'a [u8]) {
        for coding in value.split(|&byte| byte == b',').map(<[u8]>::trim_ascii) {
            if coding.is_empty() || coding.eq_ignore_ascii_case(b"identity") {
                continue;
            }
            if let Some(next) = self.first.get_mut(self.len) {
                *next = coding;
            }
            self.len += 1;
        }
    }

    /// Returns the codings, or the first ones if there are too many.
    fn known(&self) -> &[&'a [u8]] {
        &self.first[..self.len.min(Codings::MOST)]
    }
}

impl<'a> HttpHead<'a> {
    /// Reads the head of a message. If the message has no head, like in HTTP/0.9, the head is empty. The
    /// status line may be broken or lacking.
    pub(super) fn read(message: &'a [u8]) -> Self {
        let mut head = HttpHead::default();
        if !message.starts_with(b"HTTP/") && !has_fields(message) {
            return head;
        }
        loop {
            let rest = &message[head.len..];
            let line_end = field_end(rest);
            let line = without_cr(&rest[..line_end.unwrap_or(rest.len())]);
            head.len += line_end.map_or(rest.len(), |line_end| line_end + 1);
            if line.is_empty() || line_end.is_none() {
                return head;
            }
            let Some((name, value)) = field(line) else { continue };
            let (value, is) = (&line[value], |wanted: &[u8]| name.eq_ignore_ascii_case(wanted));
            if is(b"content-type") {
                head.content_type = Some(value);
            } else if is(b"content-encoding") {
                head.content.add(value);
            } else if is(b"transfer-encoding") {
                head.transfer.add(value);
            }
        }
    }

    /// Returns true if the body is in chunks. The server made them after it had applied all codings.
    pub(super) fn is_chunked(&self) -> bool {
        self.transfer.known().last().is_some_and(|coding| coding.eq_ignore_ascii_case(b"chunked"))
    }

    /// Returns true if the head names more codings than are undone.
    pub(super) fn has_too_many_codings(&self) -> bool {
        self.content.len.max(self.transfer.len) > Codings::MOST
    }

    /// Returns the codings of the body, the one applied last first, without the chunks.
    pub(super) fn codings(&self) -> impl Iterator<Item = &'a [u8]> {
        let transfer = self.transfer.known().iter().rev().skip(usize::from(self.is_chunked()));
        transfer.chain(self.content.known().iter().rev()).copied()
    }
}

/// Returns true if a message has the fields of a head, up to an empty line, after a first line of any kind.
fn has_fields(message: &[u8]) -> bool {
    /// The most bytes of such a head.
    const LONGEST: usize = 64 << 10;
    /// Fields that nearly every head has one of.
    const USUAL: [&[u8]; 5] = [b"content-type", b"content-length", b"transfer-encoding", b"date", b"server"];

    let is_name =
        |name: &[u8]| !name.is_empty() && name.iter().all(|byte| byte.is_ascii_graphic() && *byte != b'<');
    let message = &message[..message.len().min(LONGEST)];
    let (mut at, mut has_usual) = (0, false);
    while let Some(line_end) = field_end(&message[at..]) {
        let line = without_cr(&message[at..at + line_end]);
        looked_at(line.len());
        match field(line).filter(|(name, _)| is_name(name)) {
            _ if line.is_empty() => return has_usual,
            Some((name, _)) => has_usual |= USUAL.iter().any(|usual| name.eq_ignore_ascii_case(usual)),
            None if at == 0 => {}
            None => return false,
        }
        at += line_end + 1;
    }
    false
}

/// Returns the length in bytes of a block with a coding. 0 for a block without one, the maximum for a coding
/// without a limit to what it can decode to.
pub(super) fn encoded_len(block: &[u8]) -> usize {
    match HttpHead::read(block).codings().next() {
        None => 0,
        // Brotli and zstd content can be longer by any factor.
        Some(coding) if !coding.ends_with(b"gzip") && !coding.eq_ignore_ascii_case(b"deflate") => usize::MAX,
        Some(_) => block.len(),
    }
}

/// Returns the type and subtype of a media type, and its charset.
pub(super) fn media_type(value: &[u8]) -> (&[u8], Option<&[u8]>) {
    let mut parts = value.split(|&byte| byte == b';').map(<[u8]>::trim_ascii);
    let essence = parts.next().unwrap_or_default();
    let charset = parts.find_map(|part| {
        let (name, value) = part.split_at(memchr(b'=', part)?);
        let value = value[1..].trim_ascii();
        let quoted = value.strip_prefix(b"\"").and_then(|value| value.strip_suffix(b"\""));
        name.trim_ascii().eq_ignore_ascii_case(b"charset").then_some(quoted.unwrap_or(value))
    });
    (essence, charset)
}

/// Returns the content of a body in chunks (RFC 9112 section 7.1), up to the first broken chunk, and whether
/// no chunk is broken. If the body does not start with a chunk, returns the body itself.
pub(super) fn without_chunks(body: &[u8]) -> (Cow<'_, [u8]>, bool) {
    let Some((mut size, mut rest)) = chunk(body) else { return (Cow::Borrowed(body), true) };
    let mut content = Vec::with_capacity(body.len());
    while size > 0 {
        let data = &rest[..size.min(rest.len())];
        looked_at(data.len());
        content.extend_from_slice(data);
        rest = &rest[data.len()..];
        rest = rest.strip_prefix(b"\r\n").or(rest.strip_prefix(b"\n")).unwrap_or(rest);
        match chunk(rest) {
            Some(next) => (size, rest) = next,
            None => return (Cow::Owned(content), false),
        }
    }
    (Cow::Owned(content), true)
}

/// Returns the size of the chunk at the start of these bytes, and the bytes after its first line.
fn chunk(bytes: &[u8]) -> Option<(usize, &[u8])> {
    /// The maximal length of that line: an extension can follow the size.
    const LONGEST: usize = 1024;

    let line_end = memchr(b'\n', &bytes[..bytes.len().min(LONGEST)])?;
    let line = without_cr(&bytes[..line_end]);
    let digits = line.split(|&byte| byte == b';').next().unwrap_or_default().trim_ascii();
    let digits =
        str::from_utf8(digits).ok().filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    let size = u64::from_str_radix(digits, 16).ok()?;
    Some((usize::try_from(size).unwrap_or(usize::MAX), &bytes[line_end + 1..]))
}
