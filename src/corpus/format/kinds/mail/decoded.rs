//! A text that its message spells with other bytes, and the way back to these.

use std::ops::Range;

use super::header::{Charset, Coding, Content, Lines};
use crate::work::{looked_at, memchr, memchr2};

/// A decoded text. Its bytes come from those of the chunk, in order.
#[derive(Debug, Default)]
pub(super) struct Decoded {
    pub(super) bytes: Vec<u8>,
    /// The places at which the text does not go on with the next bytes of the chunk.
    runs: Vec<Run>,
}

/// Bytes of a text that come from neighbouring bytes of the chunk.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// The place of the first byte in the text, and in the chunk.
    text: u32,
    chunk: u32,
    scale: Scale,
}

/// The bytes of the chunk for each byte of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    One,
    /// Four for three.
    Base64,
    /// The run as a whole comes from one place.
    None,
}

impl Run {
    fn origin(self, at: usize) -> usize {
        let offset = at - self.text as usize;
        self.chunk as usize
            + match self.scale {
                Scale::One => offset,
                Scale::Base64 => offset / 3 * 4,
                Scale::None => 0,
            }
    }
}

impl Decoded {
    /// Decodes the content in this range of the chunk. `None` if its bytes are those of the text.
    pub(super) fn of(chunk: &[u8], range: Range<usize>, content: &Content) -> Option<Self> {
        let decoded = match content.coding {
            Coding::None => None,
            Coding::QuotedPrintable => Some(quoted_printable(chunk, range.clone())),
            Coding::Base64 => Some(base64(chunk, range.clone())),
        };
        let raw = decoded.as_ref().map_or(&chunk[range.clone()], |decoded| &decoded.bytes);
        let is_recoded = match content.charset {
            Charset::Other => false,
            Charset::Utf16 { .. } => true,
            Charset::Latin1 => !raw.is_ascii(),
        };
        looked_at(raw.len());
        if !is_recoded && content.lines == Lines::Kept {
            return decoded;
        }
        let mut whole = decoded.unwrap_or_else(|| {
            let mut whole = Decoded::default();
            whole.push(&chunk[range.clone()], range.start);
            whole
        });
        if let Charset::Utf16 { is_little } = content.charset {
            let mut text = Decoded::default();
            text.push_made(&utf16(&whole.bytes, is_little), range.start);
            whole = text;
        } else if is_recoded {
            whole = whole.of_latin1();
        }
        Some(if content.lines == Lines::Kept { whole } else { whole.joined(content.lines) })
    }

    /// Appends bytes that stand at this place of the chunk.
    pub(super) fn push(&mut self, bytes: &[u8], place: usize) {
        self.begin(place, Scale::One);
        self.bytes.extend_from_slice(bytes);
    }

    /// Appends a byte that stands for more bytes, the first of which is at this place of the chunk.
    pub(super) fn push_byte(&mut self, byte: u8, place: usize) {
        self.begin(place, Scale::One);
        self.bytes.push(byte);
    }

    /// Appends bytes that stand for those from this place of the chunk on.
    pub(super) fn push_made(&mut self, bytes: &[u8], place: usize) {
        self.begin(place, Scale::None);
        self.bytes.extend_from_slice(bytes);
    }

    /// Begins a run unless the last one goes on.
    fn begin(&mut self, place: usize, scale: Scale) {
        let text = self.bytes.len();
        let goes_on = |run: &Run| run.scale == scale && scale != Scale::None && run.origin(text) == place;
        if !self.runs.last().is_some_and(goes_on) {
            self.runs.push(Run { text: text as u32, chunk: place as u32, scale });
        }
    }

    /// Returns the place in the chunk of this byte of the text.
    pub(super) fn origin(&self, at: usize) -> usize {
        let after = self.runs.partition_point(|run| run.text as usize <= at);
        after.checked_sub(1).map_or(0, |run| self.runs[run].origin(at))
    }

    /// Returns the text of Windows-1252 in UTF-8.
    fn of_latin1(self) -> Self {
        let mut text = Decoded::default();
        let mut at = 0;
        while at < self.bytes.len() {
            let len =
                self.bytes[at..].iter().position(|byte| !byte.is_ascii()).unwrap_or(self.bytes.len() - at);
            text.push_from(&self, at..at + len);
            at += len;
            if let Some(byte) = self.bytes.get(at) {
                text.push_made(latin1(*byte).encode_utf8(&mut [0; 4]).as_bytes(), self.origin(at));
                at += 1;
            }
        }
        text
    }

    /// Returns the text without the line ends of this kind.
    fn joined(self, lines: Lines) -> Self {
        let mut joined = Decoded::default();
        let mut from = 0;
        let mut line_start = 0;
        let mut at = 0;
        while let Some(found) = memchr(b'\n', &self.bytes[at..]) {
            let line_end = at + found;
            at = line_end + 1;
            let text_end = line_end - usize::from(self.bytes[..line_end].ends_with(b"\r"));
            let (line, rest) = (&self.bytes[line_start..text_end], &self.bytes[at..]);
            line_start = at;
            let cut = match lines {
                Lines::Kept => None,
                // A signature starts after a line of two hyphens and a space.
                Lines::Flowed if line.ends_with(b" ") && line != b"-- " && !is_quoted(line) => {
                    Some(text_end - 1..at + usize::from(rest.starts_with(b" ")))
                }
                Lines::Folded if matches!(rest, [b' ' | b'\t', ..]) => Some(text_end..at + 1),
                Lines::Flowed | Lines::Folded => None,
            };
            if let Some(cut) = cut.filter(|cut| cut.start >= from) {
                joined.push_from(&self, from..cut.start);
                from = cut.end;
            }
        }
        joined.push_from(&self, from..self.bytes.len());
        joined
    }

    /// Appends a range of another text.
    fn push_from(&mut self, other: &Decoded, range: Range<usize>) {
        let mut at = range.start;
        let mut next = other.runs.partition_point(|run| run.text as usize <= at);
        while at < range.end {
            let run = other.runs[next - 1];
            let end = other.runs.get(next).map_or(range.end, |run| range.end.min(run.text as usize));
            // A place within four characters of base64 is that of the first one.
            self.begin(run.origin(at), run.scale);
            self.bytes.extend_from_slice(&other.bytes[at..end]);
            (at, next) = (end, next + 1);
        }
        looked_at(range.len());
    }
}

/// Returns true if a line of flowed text is a quotation, whose marks stand before each of its lines.
fn is_quoted(line: &[u8]) -> bool {
    line.starts_with(b">")
}

/// Undoes quoted-printable (RFC 2045 section 6.7). An escape without a meaning stands for itself.
fn quoted_printable(chunk: &[u8], range: Range<usize>) -> Decoded {
    let mut decoded = Decoded::default();
    let text = &chunk[..range.end];
    let mut at = range.start;
    while let Some(found) = memchr(b'=', &text[at..]) {
        decoded.push(&text[at..at + found], at);
        at += found;
        let rest = &text[at + 1..];
        if let Some(byte) = hex(rest) {
            decoded.push_byte(byte, at);
            at += 3;
        } else if let Some(len) = soft_end(rest) {
            at += 1 + len;
        } else {
            decoded.push(b"=", at);
            at += 1;
        }
    }
    decoded.push(&text[at..], at);
    looked_at(range.len());
    decoded
}

/// Returns the byte that two hexadecimal digits stand for.
pub(super) fn hex(text: &[u8]) -> Option<u8> {
    let digit = |at: usize| char::from(*text.get(at)?).to_digit(16);
    Some((digit(0)? << 4 | digit(1)?) as u8)
}

/// Returns the length of a line end, with the white space before it. A text may end in the place of a line
/// end.
fn soft_end(text: &[u8]) -> Option<usize> {
    let space = text.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\r')).unwrap_or(text.len());
    looked_at(space);
    match text.get(space) {
        None => Some(space),
        Some(b'\n') => Some(space + 1),
        Some(_) => None,
    }
}

/// Undoes base64 (RFC 2045 section 6.8). Bytes that are no digits are skipped.
fn base64(chunk: &[u8], range: Range<usize>) -> Decoded {
    let mut decoded = Decoded::default();
    let (mut bits, mut digits, mut first) = (0_u32, 0, range.start);
    let mut flush = |bits: u32, digits: usize, first: usize| {
        if digits > 1 {
            decoded.begin(first, Scale::Base64);
            let bytes = (bits << (6 * (4 - digits))).to_be_bytes();
            decoded.bytes.extend_from_slice(&bytes[1..digits]);
        }
    };
    for (at, byte) in range.clone().zip(&chunk[range.clone()]) {
        let Some(digit) = base64_digit(*byte) else {
            if *byte == b'=' {
                flush(bits, digits, first);
                (bits, digits) = (0, 0);
            }
            continue;
        };
        if digits == 0 {
            first = at;
        }
        (bits, digits) = (bits << 6 | u32::from(digit), digits + 1);
        if digits == 4 {
            flush(bits, digits, first);
            (bits, digits) = (0, 0);
        }
    }
    flush(bits, digits, first);
    looked_at(range.len());
    decoded
}

fn base64_digit(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

/// Returns the bytes that base64 stands for.
pub(super) fn from_base64(text: &[u8]) -> Vec<u8> {
    base64(text, 0..text.len()).bytes
}

/// Returns a text of UTF-16 in UTF-8. A byte order mark decides the order.
fn utf16(raw: &[u8], is_little: bool) -> Vec<u8> {
    let (raw, is_little) = match raw {
        [0xFF, 0xFE, raw @ ..] => (raw, true),
        [0xFE, 0xFF, raw @ ..] => (raw, false),
        raw => (raw, is_little),
    };
    let units = raw.as_chunks::<2>().0.iter();
    let units =
        units.map(|&unit| if is_little { u16::from_le_bytes(unit) } else { u16::from_be_bytes(unit) });
    let chars = char::decode_utf16(units).map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER));
    looked_at(raw.len());
    chars.collect::<String>().into_bytes()
}

/// Returns the character of a byte in Windows-1252. Bytes without one stand for control characters.
fn latin1(byte: u8) -> char {
    const FIRST: u8 = 0x80;
    const CHARS: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}',
        '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
    ];

    let index = usize::from(byte.wrapping_sub(FIRST));
    CHARS.get(index).copied().unwrap_or(char::from(byte))
}

/// Returns the body of a field in one line, with its encoded words (RFC 2047) decoded. If `ignores_folds`,
/// the line ends between `<` and `>` and the white space after them do not belong to the text: addresses of
/// lists are written so (RFC 2369 section 2).
pub(super) fn field_body(chunk: &[u8], body: Range<usize>, ignores_folds: bool) -> Decoded {
    let text = &chunk[..body.end];
    let mut decoded = Decoded::default();
    let mut words = Words { text, end: body.start };
    let (mut at, mut in_brackets) = (body.start, false);
    // The first byte that is not in the text yet.
    let mut from = at;
    while let Some(found) = memchr2(b'\n', b'=', &text[at..]) {
        let place = at + found;
        if text[place] == b'=' {
            let Some(word) = words.at(place).filter(|_| may_precede_word(&text[from..place], &decoded))
            else {
                at = place + 1;
                continue;
            };
            decoded.push(&text[from..place], from);
            in_brackets = are_open(&text[from..place], in_brackets);
            let mut end = word.push(text, place, &mut decoded);
            // White space between two encoded words does not belong to the text.
            loop {
                let next = end + space_len(&text[end..]);
                let Some(word) = words.at(next).filter(|_| next > end) else { break };
                end = word.push(text, next, &mut decoded);
            }
            (at, from) = (end, end);
            continue;
        }
        let line_end = place - usize::from(text[from..place].ends_with(b"\r"));
        decoded.push(&text[from..line_end], from);
        in_brackets = are_open(&text[from..line_end], in_brackets);
        at = place + 1;
        if in_brackets && ignores_folds {
            at += space_len(&text[at..]);
        }
        from = at;
    }
    decoded.push(&text[from..], from);
    looked_at(body.len());
    decoded
}

/// Returns true if an angle bracket is open after this text.
fn are_open(text: &[u8], were_open: bool) -> bool {
    let last = text.iter().rposition(|byte| matches!(byte, b'<' | b'>'));
    looked_at(text.len() - last.unwrap_or(0));
    last.map_or(were_open, |at| text[at] == b'<')
}

/// Returns true if an encoded word may follow this text, which follows `decoded`.
fn may_precede_word(text: &[u8], decoded: &Decoded) -> bool {
    let last = text.last().or(decoded.bytes.last());
    last.is_none_or(|last| last.is_ascii_whitespace() || b"<(\",:;".contains(last))
}

/// Returns the length of the white space at the start of a text, with line ends.
fn space_len(text: &[u8]) -> usize {
    let len =
        text.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n')).unwrap_or(text.len());
    looked_at(len + 1);
    len
}

/// Finds encoded words.
struct Words<'t> {
    text: &'t [u8],
    /// The place of the next `?=`, if it is known: no `?=` is between the last search and this place.
    end: usize,
}

/// An encoded word: `=?charset?encoding?content?=`.
struct Word {
    content: Range<usize>,
    is_base64: bool,
}

impl Words<'_> {
    /// Returns the encoded word at this place.
    fn at(&mut self, place: usize) -> Option<Word> {
        /// The most bytes of the name of a charset, with a language.
        const NAME: usize = 64;
        /// The most bytes of the content: those of a line (RFC 5322 section 2.1.1).
        const CONTENT: usize = 998;

        let name = self.text[place..].strip_prefix(b"=?")?;
        let name_len = name[..name.len().min(NAME)].iter().position(|&byte| byte == b'?')?;
        looked_at(name_len);
        let (encoding, content) = match name[name_len..] {
            [b'?', encoding, b'?', ..] => (encoding.to_ascii_lowercase(), place + 2 + name_len + 3),
            _ => return None,
        };
        if name_len == 0 || !matches!(encoding, b'b' | b'q') {
            return None;
        }
        if self.end < content {
            let found = crate::work::memmem::find(&self.text[content..], b"?=");
            self.end = content + found.unwrap_or(self.text.len() - content);
        }
        let is_ended = self.text[self.end..].starts_with(b"?=") && self.end - content <= CONTENT;
        let content = content..self.end;
        let is_whole = is_ended && memchr(b'\n', &self.text[content.clone()]).is_none();
        is_whole.then_some(Word { content, is_base64: encoding == b'b' })
    }
}

impl Word {
    /// Appends the text of a word, which starts at `place` of the chunk. Returns the end of the word.
    fn push(self, text: &[u8], place: usize, to: &mut Decoded) -> usize {
        let end = self.content.end + 2;
        if self.is_base64 {
            to.push_made(&from_base64(&text[self.content]), place);
            return end;
        }
        let mut at = self.content.start;
        while at < self.content.end {
            match text[at] {
                b'_' => to.push_byte(b' ', at),
                b'=' if at + 2 < self.content.end && hex(&text[at + 1..]).is_some() => {
                    to.push_byte(hex(&text[at + 1..]).unwrap_or_default(), at);
                    at += 2;
                }
                byte => to.push_byte(byte, at),
            }
            at += 1;
        }
        looked_at(self.content.len());
        end
    }
}
