//! URIs between delimiters: quotes, angle brackets, attributes, elements, links of Markdown (RFC 3986 appendix C).
//!
//! A delimiter directly before a URI decides where the URI ends: the record runs to the closing delimiter, is judged as a whole, and keeps all its
//! bytes. So `<a href="https://e.org/Annual Report.pdf">` is reported as broken, and `<https://e.org/x.>` keeps its dot. If the delimiter is not
//! closed in its line, the record ends with the line.

use super::prose::starts_with_ignoring_case;
use crate::corpus::format::lines::unescape::{APOSTROPHES, Escapes};
use crate::work::{looked_at, memchr, memchr2, memchr3, memrchr, position};

/// The text directly before a URI that decides where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Delimiter {
    /// A quote. The same quote ends the record, unless a backslash precedes it.
    Quote(u8),
    /// A quote in a string: `\"`. The same two bytes end the record.
    EscapedQuote(u8),
    /// A quote after `=`.
    Attribute(u8),
    /// `=` in a tag. White space or `>` ends the record.
    UnquotedAttribute,
    /// `<`. `>` ends the record.
    Angle,
    /// The `>` of a start tag. The next tag ends the record; it must be an end tag.
    Element,
    /// `<![CDATA[`. `]]>` ends the record.
    CharacterData,
    /// A quote or `<` as a character reference. A reference to its counterpart ends the record.
    Reference(References),
    /// `](`. The closing bracket ends the record, with or without a title before the bracket.
    Link,
}

/// The spellings of a character.
type References = &'static [&'static [u8]];

/// The character references of delimiters, each with the references that close it.
const REFERENCES: [(References, References); 3] = [
    (&[b"&quot;", b"&#34;", b"&#x22;"], &[b"&quot;", b"&#34;", b"&#x22;"]),
    (&APOSTROPHES, &APOSTROPHES),
    (&[b"&lt;", b"&#60;", b"&#x3c;"], &[b"&gt;", b"&#62;", b"&#x3e;"]),
];

/// A tag is recognised only if it starts at most this number of bytes before its end. A longer search for each URI would take quadratic time.
const LONGEST_TAG: usize = 256;

impl Delimiter {
    /// Returns the delimiter before byte `start` of `text`, if one precedes it.
    pub(super) fn before(text: &[u8], start: usize, is_markup: bool) -> Option<Self> {
        let before = &text[start.saturating_sub(LONGEST_TAG)..start];
        let (&last, rest) = before.split_last()?;
        match last {
            b'"' | b'\'' if without_space(rest).ends_with(b"=") => Some(Delimiter::Attribute(last)),
            b'"' | b'\'' if rest.ends_with(b"\\") => Some(Delimiter::EscapedQuote(last)),
            b'"' | b'`' => Some(Delimiter::Quote(last)),
            // Between letters this quote is an apostrophe.
            b'\'' if !rest.last().is_some_and(u8::is_ascii_alphanumeric) => Some(Delimiter::Quote(last)),
            b'<' => Some(Delimiter::Angle),
            // Appendix C also allows this prefix.
            b':' if before.len() > 4 && starts_with_ignoring_case(&before[before.len() - 5..], b"<URL:") => {
                Some(Delimiter::Angle)
            }
            b'>' if ends_start_tag(rest, is_markup) => Some(Delimiter::Element),
            b'=' if is_in_tag(rest) => Some(Delimiter::UnquotedAttribute),
            b'(' if rest.ends_with(b"]") => Some(Delimiter::Link),
            b'[' if rest.ends_with(b"<![CDATA") => Some(Delimiter::CharacterData),
            b';' if is_markup => {
                let ends = |names: &[&[u8]]| names.iter().any(|name| ends_with_ignoring_case(before, name));
                REFERENCES
                    .iter()
                    .find(|(opening, _)| ends(opening))
                    .map(|&(_, closing)| Delimiter::Reference(closing))
            }
            b' ' | b'\t' => Self::before_space(without_space(rest), is_markup),
            _ => None,
        }
    }

    /// Returns the delimiter before white space that does not belong to a value: HTML strips such white space from attributes, readers of XML strip
    /// it from elements.
    fn before_space(before: &[u8], is_markup: bool) -> Option<Self> {
        let (&last, rest) = before.split_last()?;
        match last {
            b'"' | b'\'' if without_space(rest).ends_with(b"=") => Some(Delimiter::Attribute(last)),
            b'>' if ends_start_tag(rest, is_markup) => Some(Delimiter::Element),
            b'(' if rest.ends_with(b"]") => Some(Delimiter::Link),
            _ => None,
        }
    }

    /// Returns true if the text between these delimiters can have JSON escapes.
    pub(super) fn has_json_escapes(self) -> bool {
        self == Delimiter::Quote(b'"')
    }

    /// Returns the end of the record that starts at `start`, and its escapes. The search starts at `rest`. `None` if the text after the URI does not
    /// fit the delimiter; then it is running prose.
    pub(super) fn end(
        self,
        text: &[u8],
        start: usize,
        rest: usize,
        is_markup: bool,
    ) -> Option<(usize, Escapes)> {
        let tail = &text[rest..];
        let (len, escapes) = match self {
            Delimiter::Quote(quote) => {
                let len = quoted_len(tail, quote, is_markup);
                let raw = &text[start..rest + len];
                let is_json = quote == b'"' && memchr(b'\\', raw).is_some() && Escapes::Json.are_sound(raw);
                (len, if is_json { Escapes::Json } else { markup_escapes(raw, is_markup) })
            }
            Delimiter::EscapedQuote(quote) => (len_before(tail, &[b'\\', quote]), Escapes::None),
            Delimiter::Attribute(quote) => {
                let len = memchr2(quote, b'\n', tail).unwrap_or(tail.len());
                (without_space(&tail[..len]).len(), Escapes::of_markup(&tail[..len]))
            }
            Delimiter::UnquotedAttribute => {
                let ends = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'>';
                let len = position(tail, ends).unwrap_or(tail.len());
                (len, Escapes::of_markup(&tail[..len]))
            }
            Delimiter::Angle => {
                let len = memchr2(b'>', b'\n', tail).unwrap_or(tail.len());
                (closed_len(tail, len, b'>'), markup_escapes(&tail[..len], is_markup))
            }
            Delimiter::Element => {
                let len = memchr2(b'<', b'\n', tail).unwrap_or(tail.len());
                // Another start tag shows that this is prose.
                if tail.get(len) == Some(&b'<') && tail.get(len + 1) != Some(&b'/') {
                    return None;
                }
                (without_space(&tail[..len]).len(), Escapes::of_markup(&tail[..len]))
            }
            Delimiter::CharacterData => (len_before(tail, b"]]>"), Escapes::None),
            Delimiter::Reference(closing) => {
                let len = referenced_len(tail, closing);
                (len, Escapes::of_markup(&tail[..len]))
            }
            Delimiter::Link => (link_len(tail), Escapes::None),
        };
        Some((rest + len, escapes))
    }
}

/// Returns the escapes of markup. Outside of markup, character references are not escapes.
fn markup_escapes(raw: &[u8], is_markup: bool) -> Escapes {
    if is_markup { Escapes::of_markup(raw) } else { Escapes::None }
}

/// Returns the length up to `closing`, or, without it, up to the end of the line.
fn len_before(text: &[u8], closing: &[u8]) -> usize {
    let mut at = 0;
    loop {
        match memchr2(closing[0], b'\n', &text[at..]) {
            Some(found) if text[at + found..].starts_with(closing) => return at + found,
            Some(found) if text[at + found] != b'\n' => at += found + 1,
            Some(found) => return without_space(&text[..at + found]).len(),
            None => return without_space(text).len(),
        }
    }
}

/// Returns the length of a record that ends before byte `len`: all of these bytes if the closing delimiter follows, otherwise the bytes without the
/// white space at their end.
fn closed_len(text: &[u8], len: usize, closing: u8) -> usize {
    if text.get(len) == Some(&closing) { len } else { without_space(&text[..len]).len() }
}

/// Returns the length up to the closing quote. In markup, a tag also ends it.
fn quoted_len(text: &[u8], quote: u8, is_markup: bool) -> usize {
    let mut at = 0;
    let len = loop {
        match memchr3(quote, b'\\', b'\n', &text[at..]) {
            None => break text.len(),
            Some(found)
                if text[at + found] == b'\\'
                    && text.get(at + found + 1).is_some_and(|&byte| byte != b'\n') =>
            {
                at += found + 2;
            }
            Some(found) if text[at + found] == b'\\' => at += found + 1,
            Some(found) => break at + found,
        }
    };
    let tag = if is_markup { memchr(b'<', &text[..len]) } else { None };
    tag.unwrap_or_else(|| closed_len(text, len, quote))
}

/// Returns the length up to a closing character reference, or, without one, up to a tag or the end of the line.
fn referenced_len(text: &[u8], closing: &[&[u8]]) -> usize {
    let mut at = 0;
    loop {
        match memchr3(b'&', b'<', b'\n', &text[at..]) {
            Some(found) if text[at + found] == b'&' => {
                at += found;
                if closing.iter().any(|reference| starts_with_ignoring_case(&text[at..], reference)) {
                    return at;
                }
                at += 1;
            }
            Some(found) => return without_space(&text[..at + found]).len(),
            None => return without_space(text).len(),
        }
    }
}

/// Returns the length of the destination of a link in Markdown (CommonMark section 6.3). White space breaks the link, unless a title follows.
pub(in crate::corpus::format::kinds) fn link_len(text: &[u8]) -> usize {
    let mut depth = 0_usize;
    let mut is_broken = false;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\n' => break,
            b'\\' => at += usize::from(text.get(at + 1).is_some_and(|&byte| byte != b'\n')),
            b'(' => depth += 1,
            b')' if depth == 0 => break,
            b')' => depth -= 1,
            b' ' | b'\t' if !is_broken => {
                if is_title(&text[at..]) {
                    looked_at(at);
                    return at;
                }
                is_broken = true;
            }
            _ => {}
        }
        at += 1;
    }
    looked_at(at);
    let all = without_space(&text[..at]);
    match all.split_last() {
        Some((quote @ (b'"' | b'\''), before)) if is_broken => {
            let title = memrchr(*quote, before).filter(|&at| before[..at].ends_with(b" "));
            title.map_or(all.len(), |at| without_space(&all[..at]).len())
        }
        _ => all.len(),
    }
}

/// Returns true if white space follows, and then the end of a link, with or without a title before it.
fn is_title(text: &[u8]) -> bool {
    let rest = text.trim_ascii_start();
    looked_at(text.len() - rest.len() + 1);
    let closing = match rest.first() {
        Some(b')') => return true,
        Some(b'(') => b')',
        Some(&quote @ (b'"' | b'\'')) => quote,
        _ => return false,
    };
    let end = memchr2(closing, b'\n', &rest[1..]).filter(|&end| rest[1 + end] == closing);
    end.is_some_and(|end| rest[end + 2..].trim_ascii_start().starts_with(b")"))
}

/// Returns true if these bytes and a `>` end a start tag that has an end tag.
fn ends_start_tag(text: &[u8], is_markup: bool) -> bool {
    if text.ends_with(b"/") || text.ends_with(b"-") {
        return false;
    }
    match memrchr(b'<', text) {
        Some(at) => {
            let tag = &text[at + 1..];
            let is_void = VOID.iter().any(|name| {
                starts_with_ignoring_case(tag, name)
                    && !tag.get(name.len()).is_some_and(u8::is_ascii_alphanumeric)
            });
            tag.first().is_some_and(u8::is_ascii_alphabetic) && !is_void
        }
        // The start tag is longer than the search.
        None => is_markup && text.len() + 1 >= LONGEST_TAG,
    }
}

/// The elements without an end tag (the HTML standard, 13.1.2).
const VOID: [&[u8]; 13] = [
    b"area", b"base", b"br", b"col", b"embed", b"hr", b"img", b"input", b"link", b"meta", b"source",
    b"track", b"wbr",
];

/// Returns true if the bytes end within a tag.
fn is_in_tag(text: &[u8]) -> bool {
    memrchr(b'<', text).is_some_and(|at| {
        let tag = &text[at + 1..];
        tag.first().is_some_and(u8::is_ascii_alphabetic) && memchr(b'>', tag).is_none()
    })
}

/// Returns a text without the white space at its end.
fn without_space(text: &[u8]) -> &[u8] {
    let rest = text.trim_ascii_end();
    looked_at(text.len() - rest.len());
    rest
}

fn ends_with_ignoring_case(text: &[u8], end: &[u8]) -> bool {
    text.len().checked_sub(end.len()).is_some_and(|at| text[at..].eq_ignore_ascii_case(end))
}
