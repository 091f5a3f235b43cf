//! The escapes of formats for bytes that would break a line or a quoted field, and the way back.
//!
//! [`write`](Escapes::write) undoes the escapes. [`origin`](Escapes::origin) finds the byte of the line that
//! an unescaped byte comes from. Both take their steps from one function, so they agree.

use std::borrow::Cow;
use std::ops::Range;

use super::literal_escapes::{Meaning, cef, source, tex};
use super::references::{Referent, reference};
use crate::work::{looked_at, memchr, memchr2, memrchr};

/// The escapes that a field may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Escapes {
    /// No escapes: the line has the bytes as they are.
    None,
    /// The escapes of web servers. Apache: `\"`, `\\`, C's `\n \t \r \b \v \f \a`, and `\xhh`; nginx: `\xHH`
    /// alone. A backslash before any other byte stands for itself.
    Server,
    /// The escapes of JSON strings (RFC 8259 section 7).
    Json,
    /// Bytes as decimal numbers, separated by commas and possibly spaces: systemd's journal writes text that
    /// is not UTF-8 in this way.
    Numbers,
    /// Doubled quotes (RFC 4180 section 2).
    DoubledQuotes,
    /// HAProxy's `#hh`.
    Haproxy,
    /// The references of XML to characters, by number and by name: `&amp;`, `&lt;`, `&gt;`, `&quot;` and
    /// `&apos;`. Other references stand for themselves.
    Markup,
    /// The [references](super::references) of attribute values in HTML.
    Html,
    /// The escapes of Markdown: a backslash before punctuation, and the references of HTML that end with `;`.
    #[cfg_attr(not(feature = "markdown"), allow(dead_code, reason = "the parser is another feature"))]
    Markdown,
    /// The folds of a header's field (RFC 9112 section 5.2): a line end and white space stand for a space.
    Folds,
    /// The numeric escapes of N-Triples: `\uXXXX` and `\UXXXXXXXX`. Others stand for themselves.
    CodePoints,
    /// The escapes of string literals in JSON and in source code. A backslash before any other byte stands
    /// for itself.
    Literal,
    /// The escapes of TeX for bytes that have a meaning there: `\_`, `\&`, `\~{}` and others.
    Tex,
    /// The escapes of reStructuredText: a backslash before any byte.
    Rst,
    /// The escapes of values in the Common Event Format: `\=`, `\\`, `\|`, `\n`, `\r`.
    Cef,
    /// Escapes in a text with other escapes: those of a log's line in those of the program that wraps the
    /// line, or those of a text in those of the string literal that holds the text.
    Within(Outer, Inner),
}

/// The escapes of programs that wrap lines, and of string literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outer {
    Json,
    Numbers,
    Literal,
}

/// The escapes of lines that can be wrapped, and of texts in string literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inner {
    Server,
    Json,
    Haproxy,
    Literal,
    Markup,
}

impl Inner {
    /// Returns the byte that each escape starts with.
    fn special(self) -> u8 {
        match self {
            Inner::Server | Inner::Json | Inner::Literal => b'\\',
            Inner::Haproxy => b'#',
            Inner::Markup => b'&',
        }
    }

    /// Returns the escape at the start of `raw`, which starts with the special byte.
    fn step(self, raw: &[u8]) -> Option<Step> {
        match self {
            Inner::Server => server(raw),
            Inner::Json => json(raw),
            Inner::Haproxy => haproxy(raw),
            Inner::Literal => literal(raw),
            Inner::Markup => markup(raw),
        }
    }
}

/// One escape, or one byte outside of escapes.
struct Step {
    /// The number of bytes of the line.
    taken: usize,
    /// The text: the first `len` of these bytes.
    bytes: [u8; 6],
    len: usize,
}

impl Step {
    fn byte(taken: usize, byte: u8) -> Self {
        Step::text(taken, &[byte])
    }

    fn char(taken: usize, char: char) -> Self {
        Step::text(taken, char.encode_utf8(&mut [0; 4]).as_bytes())
    }

    fn text(taken: usize, text: &[u8]) -> Self {
        let mut bytes = [0; 6];
        bytes[..text.len()].copy_from_slice(text);
        Step { taken, bytes, len: text.len() }
    }
}

impl Escapes {
    /// Returns the folds of a field; none if `raw` has no line end.
    pub(crate) fn of_folds(raw: &[u8]) -> Self {
        if memchr(b'\n', raw).is_some() { Escapes::Folds } else { Escapes::None }
    }

    /// Returns the escapes of markup; none if `raw` has no escape.
    pub(crate) fn of_markup(raw: &[u8]) -> Self {
        if memchr(b'&', raw).is_some() { Escapes::Markup } else { Escapes::None }
    }

    /// Returns the escapes of attribute values in HTML; none if `raw` has no escape.
    pub(crate) fn of_html(raw: &[u8]) -> Self {
        if memchr(b'&', raw).is_some() { Escapes::Html } else { Escapes::None }
    }

    /// Returns the escapes of Markdown; none if `raw` has no escape.
    #[cfg(feature = "markdown")]
    pub(crate) fn of_markdown(raw: &[u8]) -> Self {
        if memchr2(b'&', b'\\', raw).is_some() { Escapes::Markdown } else { Escapes::None }
    }

    /// Returns the escapes of a text with the escapes `inner` inside a text with the escapes `self`. Of
    /// combinations that no format has, only the outer escapes are undone.
    pub(crate) fn around(self, inner: Escapes) -> Self {
        let outer = match self {
            Escapes::None => return inner,
            Escapes::Json => Outer::Json,
            Escapes::Numbers => Outer::Numbers,
            Escapes::Literal => Outer::Literal,
            _ => return self,
        };
        match inner {
            Escapes::Literal | Escapes::Within(Outer::Literal, _) => Escapes::Within(outer, Inner::Literal),
            Escapes::Markup => Escapes::Within(outer, Inner::Markup),
            Escapes::Server => Escapes::Within(outer, Inner::Server),
            Escapes::Json => Escapes::Within(outer, Inner::Json),
            Escapes::Haproxy => Escapes::Within(outer, Inner::Haproxy),
            _ => self,
        }
    }

    /// Returns true if a text has no escapes.
    pub(crate) fn is_none(self) -> bool {
        self == Escapes::None
    }

    /// Returns true if a text surely has none of these escapes.
    pub(crate) fn are_absent(self, raw: &[u8]) -> bool {
        match self.special() {
            Some([special, other]) => !self.are_numbers() && memchr2(special, other, raw).is_none(),
            None => self == Escapes::None,
        }
    }

    /// Appends `raw` to `out` with its escapes undone.
    pub(crate) fn write(self, raw: &[u8], out: &mut Vec<u8>) {
        looked_at(raw.len());
        if self.are_numbers() {
            return self.steps(raw, |step| out.extend_from_slice(&step.bytes[..step.len]));
        }
        let Some([special, other]) = self.special() else { return out.extend_from_slice(raw) };
        let mut rest = raw;
        while let Some(at) = memchr2(special, other, rest) {
            out.extend_from_slice(&rest[..at]);
            let step = self.step(&rest[at..]);
            out.extend_from_slice(&step.bytes[..step.len]);
            rest = &rest[at + step.taken..];
        }
        out.extend_from_slice(rest);
    }

    /// Returns the length in bytes of the text of `raw`. The text is never longer than `raw`, except that
    /// `&nGt;` and `&nLt;` of HTML stand for six bytes.
    pub(crate) fn text_len(self, raw: &[u8]) -> usize {
        if self.are_numbers() {
            let mut len = 0;
            self.steps(raw, |step| len += step.len);
            return len;
        }
        let Some([special, other]) = self.special() else { return raw.len() };
        let (mut len, mut rest) = (raw.len(), raw);
        while let Some(at) = memchr2(special, other, rest) {
            let step = self.step(&rest[at..]);
            len = len - step.taken + step.len;
            rest = &rest[at + step.taken..];
        }
        len
    }

    /// Returns the text of `raw`, unless it surely has more than `max` bytes.
    pub(crate) fn short_text(self, raw: &[u8], max: usize) -> Option<Cow<'_, [u8]>> {
        /// The maximal number of bytes of an escape per byte that it stands for.
        const LONGEST: usize = 6;

        if self == Escapes::None {
            return Some(Cow::Borrowed(raw));
        }
        (raw.len() <= LONGEST * max).then(|| {
            let mut text = Vec::new();
            self.write(raw, &mut text);
            Cow::Owned(text)
        })
    }

    /// Returns the byte of `raw` that byte `offset` of its text comes from. For an escape, this is its first
    /// byte.
    pub(crate) fn origin(self, raw: &[u8], offset: usize) -> usize {
        if self == Escapes::None {
            return offset;
        }
        let (mut at, mut written) = (0, 0);
        while at < raw.len() {
            let step = self.step(&raw[at..]);
            if offset < written + step.len {
                break;
            }
            written += step.len;
            at += step.taken;
        }
        looked_at(at);
        at
    }

    /// Returns true if all escapes of `raw` have a meaning.
    pub(crate) fn are_sound(self, raw: &[u8]) -> bool {
        if !matches!(self, Escapes::Json | Escapes::Within(Outer::Json, Inner::Json)) {
            return true;
        }
        let mut rest = raw;
        while let Some(at) = memchr(b'\\', rest) {
            match json(&rest[at..]) {
                Some(step) => rest = &rest[at + step.taken..],
                None => return false,
            }
        }
        true
    }

    /// Returns the range of `raw` without white space at both ends. Escaped white space counts as white
    /// space.
    #[inline]
    pub(crate) fn trimmed(self, raw: &[u8]) -> Range<usize> {
        match raw {
            // Most texts have no white space.
            [b'!'..=b'~', .., b'!'..=b'~'] if self == Escapes::None => 0..raw.len(),
            _ => self.without_spaces(raw),
        }
    }

    fn without_spaces(self, raw: &[u8]) -> Range<usize> {
        if self == Escapes::None {
            let end = raw.len() - raw.iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
            let start = raw[..end].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            looked_at(start + raw.len() - end);
            return start..end;
        }
        if matches!(self, Escapes::Html | Escapes::Markup) {
            return self.trimmed_references(raw);
        }
        let (mut range, mut at) = (0..0, 0);
        while at < raw.len() {
            let (taken, ascii) = self.ascii_step(&raw[at..]);
            if !ascii.is_some_and(|byte| byte.is_ascii_whitespace()) {
                let start = if range.is_empty() { at } else { range.start };
                range = start..at + taken;
            }
            at += taken;
        }
        looked_at(at);
        range
    }

    /// [`trimmed`](Self::trimmed) for escapes that are references. Each has one `&`, its first byte, so a
    /// search from the end finds them.
    fn trimmed_references(self, raw: &[u8]) -> Range<usize> {
        let is_space = |ascii: Option<u8>| ascii.is_some_and(|byte| byte.is_ascii_whitespace());
        let (mut start, mut end) = (0, raw.len());
        loop {
            let Some(rest) = raw.get(start..).filter(|rest| !rest.is_empty()) else { return 0..0 };
            let (taken, ascii) = self.ascii_step(rest);
            if !is_space(ascii) {
                looked_at(start + taken);
                break;
            }
            start += taken;
        }
        loop {
            end -= raw[start..end].len() - raw[start..end].trim_ascii_end().len();
            let Some(last) = memrchr(b'&', &raw[start..end]) else { return start..end };
            let (taken, ascii) = self.ascii_step(&raw[start + last..end]);
            if !is_space(ascii) || start + last + taken < end {
                return start..end;
            }
            end = start + last;
        }
    }

    /// Returns true if these escapes write every byte as a number.
    fn are_numbers(self) -> bool {
        matches!(self, Escapes::Numbers | Escapes::Within(Outer::Numbers, _))
    }

    /// Calls `each` with each step of `raw`.
    fn steps(self, raw: &[u8], mut each: impl FnMut(&Step)) {
        let mut rest = raw;
        while !rest.is_empty() {
            let step = self.step(rest);
            each(&step);
            rest = &rest[step.taken..];
        }
    }

    /// Returns the one or two bytes that escapes start with. `None` for numbers, which start with any digit.
    fn special(self) -> Option<[u8; 2]> {
        match self {
            Escapes::None | Escapes::Numbers | Escapes::Within(Outer::Numbers, _) => None,
            Escapes::Server
            | Escapes::Json
            | Escapes::CodePoints
            | Escapes::Literal
            | Escapes::Cef
            | Escapes::Rst => Some([b'\\'; 2]),
            Escapes::Tex => Some(*b"\\{"),
            Escapes::Within(Outer::Json | Outer::Literal, inner) => Some([b'\\', inner.special()]),
            Escapes::DoubledQuotes => Some([b'"'; 2]),
            Escapes::Folds => Some(*b"\r\n"),
            Escapes::Haproxy => Some([b'#'; 2]),
            Escapes::Markup | Escapes::Html => Some([b'&'; 2]),
            Escapes::Markdown => Some(*b"\\&"),
        }
    }

    /// Returns the length in bytes of the first escape of `raw`, or 1 if `raw` starts with another byte.
    /// `raw` is not empty.
    pub(crate) fn step_len(self, raw: &[u8]) -> usize {
        self.step(raw).taken
    }

    /// Returns the length as in [`step_len`](Self::step_len), and the byte of the step's text if the text is
    /// one ASCII byte.
    pub(crate) fn ascii_step(self, raw: &[u8]) -> (usize, Option<u8>) {
        let step = self.step(raw);
        (step.taken, Some(step.bytes[0]).filter(|byte| step.len == 1 && byte.is_ascii()))
    }

    fn step(self, raw: &[u8]) -> Step {
        let escape = match self {
            Escapes::Numbers => number(raw),
            Escapes::Within(Outer::Numbers, inner) => in_text(raw, number, inner).or_else(|| number(raw)),
            _ if self.special().is_none_or(|special| !special.contains(&raw[0])) => None,
            Escapes::None => None,
            Escapes::Server => server(raw),
            Escapes::Json => json(raw),
            Escapes::Within(Outer::Json, inner) => in_json(raw, inner),
            Escapes::Literal => literal(raw),
            Escapes::Tex => tex(raw).map(|(taken, byte)| Step::byte(taken, byte)),
            Escapes::Rst => raw.get(1).map(|&byte| Step::byte(2, byte)),
            Escapes::Cef => cef(raw).map(|(taken, byte)| Step::byte(taken, byte)),
            Escapes::Within(Outer::Literal, inner) => in_literal(raw, inner),
            Escapes::DoubledQuotes => raw.starts_with(b"\"\"").then(|| Step::byte(2, b'"')),
            Escapes::Haproxy => haproxy(raw),
            Escapes::Markup => markup(raw),
            Escapes::Html => html(raw),
            Escapes::Markdown => markdown(raw),
            Escapes::CodePoints => code_point(raw),
            Escapes::Folds => fold(raw),
        };
        escape.unwrap_or(Step::byte(1, raw[0]))
    }
}

fn html(raw: &[u8]) -> Option<Step> {
    let (taken, referent) = reference(raw)?;
    Some(match referent {
        Referent::Text(text) => Step::text(taken, text.as_bytes()),
        Referent::Char(char) => Step::char(taken, char),
    })
}

fn markdown(raw: &[u8]) -> Option<Step> {
    if raw[0] == b'\\' {
        return raw.get(1).filter(|byte| byte.is_ascii_punctuation()).map(|&byte| Step::byte(2, byte));
    }
    html(raw).filter(|step| raw[step.taken - 1] == b';')
}

/// The references for an apostrophe in XML and HTML.
pub(crate) const APOSTROPHES: [&[u8]; 3] = [b"&apos;", b"&#39;", b"&#x27;"];

/// The characters with names in XML. `&AMP;` is from HTML.
const NAMED: [(&[u8], u8); 6] = [
    (b"&amp;", b'&'),
    (b"&AMP;", b'&'),
    (b"&lt;", b'<'),
    (b"&gt;", b'>'),
    (b"&quot;", b'"'),
    (b"&apos;", b'\''),
];

fn markup(raw: &[u8]) -> Option<Step> {
    if raw.get(1) != Some(&b'#') {
        let (name, byte) = NAMED.iter().find(|(name, _)| raw.starts_with(name))?;
        return Some(Step::byte(name.len(), *byte));
    }
    let (start, radix) = if matches!(raw.get(2), Some(b'x' | b'X')) { (3, 16) } else { (2, 10) };
    // A character's number has at most 7 digits.
    let len = raw[start..].iter().take(8).position(|&byte| byte == b';')?;
    let digits = &raw[start..start + len];
    let number = digits
        .iter()
        .try_fold(0, |number, &digit| Some(number * radix + char::from(digit).to_digit(radix)?))?;
    // A reference cannot stand for other characters (XML 1.0 sections 2.2 and 4.1).
    let is_character =
        |char: &char| *char >= ' ' && !matches!(char, '\u{FFFE}' | '\u{FFFF}') || "\t\n\r".contains(*char);
    let char = char::from_u32(number).filter(|_| len > 0).filter(is_character)?;
    Some(Step::char(start + len + 1, char))
}

fn server(raw: &[u8]) -> Option<Step> {
    let byte = match *raw.get(1)? {
        quoted @ (b'"' | b'\\') => quoted,
        b'n' => b'\n',
        b't' => b'\t',
        b'r' => b'\r',
        b'b' => 0x08,
        b'v' => 0x0B,
        b'f' => 0x0C,
        b'a' => 0x07,
        b'x' => return Some(Step::byte(4, hex(raw.get(2..4)?)? as u8)),
        _ => return None,
    };
    Some(Step::byte(2, byte))
}

fn haproxy(raw: &[u8]) -> Option<Step> {
    raw.get(1..3).and_then(hex).map(|byte| Step::byte(3, byte as u8))
}

/// Returns an escape whose characters are written like those of a JSON string.
fn in_json(raw: &[u8], inner: Inner) -> Option<Step> {
    in_text(raw, |raw| Some(Escapes::Json.step(raw)), inner).or_else(|| json(raw).filter(|_| raw[0] == b'\\'))
}

/// Returns an escape whose characters are written like those of a string literal.
fn in_literal(raw: &[u8], inner: Inner) -> Option<Step> {
    in_text(raw, |raw| Some(Escapes::Literal.step(raw)), inner)
        .or_else(|| literal(raw).filter(|_| raw[0] == b'\\'))
}

/// Returns an escape whose characters are written as `outer` reads them.
fn in_text(raw: &[u8], outer: impl Fn(&[u8]) -> Option<Step>, inner: Inner) -> Option<Step> {
    /// The longest escape, in bytes: a surrogate pair of JSON.
    const LONGEST: usize = 12;

    let (mut text, mut ends, mut len, mut at) = ([0; LONGEST], [0; LONGEST], 0, 0);
    while len < LONGEST && at < raw.len() {
        let Some(step) = outer(&raw[at..]).filter(|step| step.len == 1) else { break };
        at += step.taken;
        (text[len], ends[len]) = (step.bytes[0], at);
        len += 1;
        if text[0] != inner.special() {
            return None;
        }
    }
    let step = inner.step(&text[..len])?;
    Some(Step { taken: ends[step.taken - 1], ..step })
}

fn fold(raw: &[u8]) -> Option<Step> {
    let line_end = if raw.starts_with(b"\r\n") { 2 } else { usize::from(raw[0] == b'\n') };
    let space = raw[line_end..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    (line_end > 0 && space > 0).then(|| Step::byte(line_end + space, b' '))
}

/// `\uXXXX` or `\UXXXXXXXX`. A surrogate is no character.
fn code_point(raw: &[u8]) -> Option<Step> {
    let len = match raw.get(1)? {
        b'u' => 6,
        b'U' => 10,
        _ => return None,
    };
    let char = char::from_u32(hex(raw.get(2..len)?)?)?;
    Some(Step::char(len, char))
}

/// Returns a decimal number up to 255, and the bytes that separate it from the next one.
fn number(raw: &[u8]) -> Option<Step> {
    let digits = raw.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = str::from_utf8(&raw[..digits]).ok()?.parse().ok()?;
    let separator = raw[digits..].iter().take_while(|byte| b", \t".contains(byte)).count();
    Some(Step::byte(digits + separator, number))
}

fn literal(raw: &[u8]) -> Option<Step> {
    json(raw).or_else(|| {
        let (taken, meaning) = source(raw)?;
        Some(match meaning {
            Meaning::Byte(byte) => Step::byte(taken, byte),
            Meaning::Char(char) => Step::char(taken, char),
        })
    })
}

fn json(raw: &[u8]) -> Option<Step> {
    let byte = match *raw.get(1)? {
        quoted @ (b'"' | b'\\' | b'/') => quoted,
        b'b' => 0x08,
        b'f' => 0x0C,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'u' => return json_code_point(raw),
        _ => return None,
    };
    Some(Step::byte(2, byte))
}

/// `\uhhhh`, or two of these that are a surrogate pair. A single surrogate has no meaning.
fn json_code_point(raw: &[u8]) -> Option<Step> {
    let unit = hex(raw.get(2..6)?)?;
    if let Some(char) = char::from_u32(unit) {
        return Some(Step::char(6, char));
    }
    let low = hex(raw.get(6..12)?.strip_prefix(b"\\u")?)?;
    let pair = [unit as u16, low as u16];
    let char = char::decode_utf16(pair).next()?.ok()?;
    Some(Step::char(12, char))
}

fn hex(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |value, &digit| Some(value << 4 | char::from(digit).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unescaped(escapes: Escapes, raw: &str) -> Vec<u8> {
        let mut out = Vec::new();
        escapes.write(raw.as_bytes(), &mut out);
        out
    }

    #[test]
    fn servers_escape_as_apache_and_as_nginx_do() {
        for (raw, bytes) in [
            (r#"/a\"b\\c"#, b"/a\"b\\c".as_slice()),
            (r"\x22\xe4\xF6\x00", b"\x22\xE4\xF6\x00"),
            (r"\n\t\r\b\v\f\a", b"\n\t\r\x08\x0B\x0C\x07"),
            // No server has this escape. Its meaning is unknown, and a URI never contains a backslash.
            (r"\x2\xg0\q\", br"\x2\xg0\q\"),
            (r"\\x41", br"\x41"),
            ("", b""),
        ] {
            assert_eq!(unescaped(Escapes::Server, raw), bytes, "{raw}");
        }
    }

    #[test]
    fn json_strings_are_unescaped_to_the_last_surrogate() {
        for (raw, text) in [
            (r#"http:\/\/h\/?a\u0026b\"\\"#, "http://h/?a&b\"\\"),
            (r"\u00e9\u00E9\u20ac", "éé€"),
            (r"\ud83d\ude00\uD83D\uDE00x", "😀😀x"),
            (r"\b\f\n\r\t", "\u{8}\u{c}\n\r\t"),
            (r"\\u0041", r"\u0041"),
        ] {
            assert!(Escapes::Json.are_sound(raw.as_bytes()), "{raw}");
            assert_eq!(unescaped(Escapes::Json, raw), text.as_bytes(), "{raw}");
        }
        for raw in [
            r"\x41",
            r"\u12",
            r"\u12g4",
            r"\ud83d",
            r"\ude00",
            r"\ud83d\u0041",
            r"\ud83dx\ude00",
            r"\ude00\ud83d",
            r"\u+123",
            r"\",
        ] {
            assert!(!Escapes::Json.are_sound(raw.as_bytes()), "{raw}");
        }
    }

    #[test]
    fn json_agrees_with_a_json_library() {
        for raw in
            [r"\ud800\udc00\udbff\udfff", r"\u0000\u007f\u0080\u07ff\u0800\uffff\ud7ff\ue000", "é\\u00e9€"]
        {
            let text: String = serde_json::from_str(&format!("\"{raw}\"")).unwrap();
            assert_eq!(unescaped(Escapes::Json, raw), text.as_bytes(), "{raw}");
        }
    }

    #[test]
    fn numeric_escapes_are_characters() {
        for (raw, text) in [
            (r"caf\u00E9\u00e9", "caféé"),
            (r"\U0001F600\U00000041", "😀A"),
            (r"a\u0020b", "a b"),
            // Not a character, too few digits, and escapes of other formats.
            (r"\uD83D\uDE00\U00110000\UFFFFFFFF", r"\uD83D\uDE00\U00110000\UFFFFFFFF"),
            (r"\u00e\U0001F60", r"\u00e\U0001F60"),
            (r"\n\\\+123\u+123\", r"\n\\\+123\u+123\"),
        ] {
            assert_eq!(unescaped(Escapes::CodePoints, raw), text.as_bytes(), "{raw}");
            assert_eq!(Escapes::CodePoints.text_len(raw.as_bytes()), text.len(), "{raw}");
        }
    }

    #[test]
    fn quotes_are_doubled() {
        assert_eq!(unescaped(Escapes::DoubledQuotes, r#"a""b"""""#), br#"a"b"""#);
    }

    #[test]
    fn numbers_are_bytes() {
        assert_eq!(unescaped(Escapes::Numbers, "71,69, 84 ,255"), b"GET\xFF");
        assert_eq!(unescaped(Escapes::Numbers.around(Escapes::Server), "97,92,120,50,48,98"), b"a b");
        assert_eq!(
            unescaped(Escapes::Numbers.around(Escapes::Json), "92, 117, 48, 48, 101, 57"),
            "é".as_bytes()
        );
        assert_eq!(unescaped(Escapes::Numbers.around(Escapes::Haproxy), "35,50,50,35"), b"\"#");
        assert_eq!(Escapes::Numbers.text_len(b"71,69"), 2);
    }

    #[test]
    fn white_space_at_both_ends_is_trimmed_also_where_it_is_escaped() {
        for (raw, text) in [
            (" a&amp;b\t", "a&amp;b"),
            ("&#32;&Tab; &#9 a&#32;b&#32 \n&NewLine;", "a&#32;b"),
            ("a&#32;&amp;", "a&#32;&amp;"),
            ("&amp; &#32x", "&amp; &#32x"),
            ("&#160; &Tab", "&#160; &Tab"),
            ("&", "&"),
            ("&#32;", ""),
            (" &#x20; ", ""),
            ("", ""),
        ] {
            assert_eq!(&raw[Escapes::Html.trimmed(raw.as_bytes())], text, "{raw}");
        }
        // The definition of trimming: step by step.
        let pieces = ["&#32;", "&#32", "&Tab;", "&amp;", "&amp", "&", " ", "\n", "a", ";", "#", "&#x9;"];
        for number in 0..pieces.len().pow(4) {
            let raw: String =
                (0..4).map(|digit| pieces[number / pieces.len().pow(digit) % pieces.len()]).collect();
            for escapes in [Escapes::Html, Escapes::Markup] {
                let (mut range, mut at) = (0..0, 0);
                escapes.steps(raw.as_bytes(), |step| {
                    if step.len != 1 || !step.bytes[0].is_ascii_whitespace() {
                        range = if range.is_empty() { at } else { range.start }..at + step.taken;
                    }
                    at += step.taken;
                });
                assert_eq!(raw[escapes.trimmed(raw.as_bytes())], raw[range], "{raw}");
            }
        }
    }

    #[test]
    fn every_byte_comes_from_somewhere() {
        for (escapes, raw, origins) in [
            (Escapes::Server, r"a\x20b\n", [0, 1, 5, 6, 8].as_slice()),
            (Escapes::Json, r"a\u00e9\/b", &[0, 1, 1, 7, 9, 10]),
            (Escapes::Json, r"\ud83d\ude00b", &[0, 0, 0, 0, 12, 13]),
            (Escapes::DoubledQuotes, r#"a""b"#, &[0, 1, 3, 4]),
            (Escapes::CodePoints, r"a\u00e9\U0001F600b", &[0, 1, 1, 7, 7, 7, 7, 17, 18]),
            (
                Escapes::Html,
                "a&amp;b&copy=&nGt;c",
                &[0, 1, 6, 7, 8, 9, 10, 11, 12, 13, 13, 13, 13, 13, 13, 18, 19],
            ),
            (Escapes::Numbers, "71,6, 255", &[0, 3, 6, 9]),
            (Escapes::Within(Outer::Numbers, Inner::Server), "97,92,120,50,48,98", &[0, 3, 16, 18]),
            (Escapes::None, r"a\x", &[0, 1, 2, 3]),
        ] {
            let found: Vec<_> =
                (0..origins.len()).map(|offset| escapes.origin(raw.as_bytes(), offset)).collect();
            assert_eq!(found, origins, "{raw}");
            assert_eq!(unescaped(escapes, raw).len() + 1, origins.len(), "{raw}");
            assert_eq!(escapes.text_len(raw.as_bytes()) + 1, origins.len(), "{raw}");
        }
    }
}
