//! URIs between delimiters: quotes, angle brackets, attributes, elements, links of Markdown (RFC 3986
//! appendix C).
//!
//! A delimiter directly before a URI decides where the URI ends: the record runs to the closing delimiter, is
//! judged as a whole, and keeps all its bytes. So `<a href="https://e.org/Annual Report.pdf">` is reported as
//! broken, and `<https://e.org/x.>` keeps its dot. If the delimiter is not closed in its line, the record
//! ends with the line.

use super::counterparts::{Counterpart, Missing};
use super::openers::{LONGEST_BEFORE, QUOTES, first_char};
use super::prose::starts_with_ignoring_case;
use super::strings;
use crate::corpus::format::lines::log_format::starts_as_uri;
use crate::corpus::format::lines::unescape::{APOSTROPHES, Escapes};
use crate::work::{looked_at, memchr, memchr_iter, memchr2, memchr3, memrchr, position};

/// The text directly before a URI that decides where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Delimiter {
    /// A quote. The same quote ends the record, unless a backslash precedes it.
    Quote(u8),
    /// A quote in a string: `\"`. The same two bytes end the record.
    EscapedQuote(u8),
    /// A quote after `=` in a tag.
    Attribute(u8),
    /// A quote after `=` outside of tags, as in source code.
    Assigned(u8),
    /// The start of a string literal whose escapes are undone.
    Literal,
    /// A typographic quote, `url(` of CSS, or `:++` of AsciiDoc. The counterpart ends the record; without
    /// one, the URI is prose.
    MayLack(Counterpart),
    /// The opening brace of an argument in TeX, or of a field in BibTeX. The closing brace ends the record.
    Braces,
    /// `=` in an event in the Common Event Format. The next key ends the record.
    Cef,
    /// `=` in a tag. White space or `>` ends the record.
    UnquotedAttribute,
    /// `<`. `>` ends the record.
    Angle,
    /// The `>` of a start tag. The next tag ends the record; it must be an end tag.
    Element,
    /// The `>` of a tag with this name, which has an end tag in XML, but not in HTML. Its end tag ends the
    /// record.
    MaybeElement(&'static [u8]),
    /// An opening bracket. Its counterpart ends the record, unless white space comes first; in `[`, white
    /// space also ends it.
    Bracket(u8),
    /// The mark of a target or an image in reStructuredText. The line's end ends the record.
    Target,
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

/// A tag is recognised only if it starts at most this number of bytes before its end. A longer search for
/// each URI would take quadratic time.
const LONGEST_TAG: usize = LONGEST_BEFORE;

/// The counterpart of a bracket, and of the bracket around a wiki's link, is searched in this number of
/// bytes.
const LONGEST: usize = 512;

impl Delimiter {
    /// Returns the delimiter before the bytes of `text` from `run` on, if one precedes them. They can belong
    /// to a scheme; the scheme itself starts at `scheme`.
    pub(super) fn before(text: &[u8], run: usize, scheme: usize, is_markup: bool) -> Option<Self> {
        let before = &text[run.saturating_sub(LONGEST_TAG)..run];
        let (&last, rest) = before.split_last()?;
        match last {
            b'"' | b'\'' if without_space(rest).ends_with(b"=") => {
                Some(Self::after_equals(last, rest, is_markup))
            }
            b'"' | b'\'' if rest.ends_with(b"\\") => Some(Delimiter::EscapedQuote(last)),
            b'"' | b'`' => Some(Delimiter::Quote(last)),
            // Between letters this quote is an apostrophe.
            b'\'' if strings::opens(text, run - 1) => Some(Delimiter::Quote(last)),
            b'<' => Some(Delimiter::Angle),
            // Appendix C also allows this prefix.
            b':' if before.len() > 4 && starts_with_ignoring_case(&before[before.len() - 5..], b"<URL:") => {
                Some(Delimiter::Angle)
            }
            b':' if text[run..scheme] == *b"++" => Some(Delimiter::MayLack(Counterpart::Pluses)),
            b'{' if is_argument(rest) => Some(Delimiter::Braces),
            b'(' if is_css_url(rest) => Some(Delimiter::MayLack(Counterpart::RoundBracket)),
            0x80.. => typographic(before),
            b'>' => element(rest, is_markup),
            b'=' if is_in_tag(rest, is_markup) => Some(Delimiter::UnquotedAttribute),
            b'(' if rest.ends_with(b"]") => Some(Delimiter::Link),
            b'[' if rest.ends_with(b"<![CDATA") => Some(Delimiter::CharacterData),
            // A doubled bracket is a link or a template of a wiki, in which `|` has a meaning.
            b'(' | b'[' | b'{' => {
                (!rest.ends_with(&[last]) || last == b'(').then_some(Delimiter::Bracket(last))
            }
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

    /// Returns the delimiter before white space that does not belong to a value: HTML strips such white space
    /// from attributes, readers of XML strip it from elements.
    fn before_space(before: &[u8], is_markup: bool) -> Option<Self> {
        let (&last, rest) = before.split_last()?;
        match last {
            b'"' | b'\'' if without_space(rest).ends_with(b"=") => {
                Some(Self::after_equals(last, rest, is_markup))
            }
            b'>' => element(rest, is_markup),
            b'[' if rest.ends_with(b"<![CDATA") => Some(Delimiter::CharacterData),
            b'(' if rest.ends_with(b"]") => Some(Delimiter::Link),
            b'{' if is_argument(rest) => Some(Delimiter::Braces),
            b':' if is_target(before) => Some(Delimiter::Target),
            _ => None,
        }
    }

    /// Returns the delimiter that is a quote after `=`.
    fn after_equals(quote: u8, before: &[u8], is_markup: bool) -> Self {
        let is_long_tag =
            || is_markup && before.len() + 1 >= LONGEST_TAG && memchr2(b'<', b'>', before).is_none();
        if is_in_tag(before, is_markup) || is_long_tag() {
            Delimiter::Attribute(quote)
        } else {
            Delimiter::Assigned(quote)
        }
    }

    /// Returns true if the record starts with all bytes that can belong to its scheme.
    pub(super) fn is_before_run(self) -> bool {
        self != Delimiter::MayLack(Counterpart::Pluses)
    }

    /// Returns the end of the record, and its escapes. The search starts at `rest`, after the scheme. `None`
    /// if the text after the URI does not fit the delimiter; then it is running prose.
    pub(super) fn end(
        self,
        text: &[u8],
        rest: usize,
        is_markup: bool,
        missing: &mut Missing,
    ) -> Option<(usize, Escapes)> {
        let tail = &text[rest..];
        let (len, escapes) = match self {
            Delimiter::Quote(quote) => {
                let len = quoted_len(tail, quote, is_markup);
                let inner = if quote == b'`' { without_escaped_space(&tail[..len]) } else { &tail[..len] };
                (without_space(inner).len(), markup_escapes(&tail[..len], is_markup))
            }
            Delimiter::EscapedQuote(quote) => {
                (without_space(&tail[..len_before(tail, &[b'\\', quote])]).len(), Escapes::None)
            }
            Delimiter::Assigned(quote) => {
                let len = memchr2(quote, b'\n', tail).unwrap_or(tail.len());
                let value = without_space(&tail[..len]);
                let is_tex = memchr(b'\\', value).is_some() && are_tex(value);
                (value.len(), if is_tex { Escapes::Tex } else { Escapes::of_markup(value) })
            }
            Delimiter::Literal => (literal_len(tail), Escapes::None),
            Delimiter::MayLack(counterpart) => {
                let len = missing.find(text, rest, counterpart)?;
                let is_quote = matches!(counterpart, Counterpart::Quote(_));
                (without_space(&tail[..len]).len(), markup_escapes(&tail[..len], is_markup && is_quote))
            }
            Delimiter::Braces => {
                let len = braces_len(tail);
                (len, if memchr(b'\\', &tail[..len]).is_some() { Escapes::Tex } else { Escapes::None })
            }
            Delimiter::Cef => {
                let len = cef_len(tail);
                (len, if memchr(b'\\', &tail[..len]).is_some() { Escapes::Cef } else { Escapes::None })
            }
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
                (without_space(&tail[..len]).len(), markup_escapes(&tail[..len], is_markup))
            }
            Delimiter::Element => {
                let len = memchr2(b'<', b'\n', tail).unwrap_or(tail.len());
                // Another start tag shows that this is prose.
                if tail.get(len) == Some(&b'<') && tail.get(len + 1) != Some(&b'/') {
                    return None;
                }
                (without_space(&tail[..len]).len(), Escapes::of_markup(&tail[..len]))
            }
            Delimiter::MaybeElement(name) => {
                // Each of these records has a tag before it, which ends the search for the record before.
                let len = memchr2(b'<', b'\n', tail)?;
                let end_tag = tail[len..].strip_prefix(b"</")?;
                let is_same =
                    starts_with_ignoring_case(end_tag, name) && end_tag.get(name.len()) == Some(&b'>');
                is_same.then(|| (without_space(&tail[..len]).len(), Escapes::of_markup(&tail[..len])))?
            }
            Delimiter::Bracket(opening) => {
                let len = bracket_len(tail, opening)?;
                (len, markup_escapes(&tail[..len], is_markup))
            }
            Delimiter::Target => {
                let len = memchr(b'\n', tail).unwrap_or(tail.len());
                (without_space(&tail[..len]).len(), Escapes::None)
            }
            Delimiter::CharacterData => {
                (without_space(&tail[..len_before(tail, b"]]>")]).len(), Escapes::None)
            }
            Delimiter::Reference(closing) => {
                let len = referenced_len(tail, closing);
                (len, Escapes::of_markup(&tail[..len]))
            }
            Delimiter::Link => (link_len(tail), Escapes::None),
        };
        Some((rest + len, escapes))
    }
}

/// Returns the delimiter that is the `>` after these bytes.
fn element(before: &[u8], is_markup: bool) -> Option<Delimiter> {
    if ends_start_tag(before, is_markup) {
        return Some(Delimiter::Element);
    }
    // RSS has elements with these names.
    let names: [&[u8]; 2] = [b"link", b"source"];
    let tag = &before[memrchr(b'<', before)? + 1..];
    let is_tag = |name: &&[u8]| {
        starts_with_ignoring_case(tag, name) && tag.get(name.len()).is_none_or(u8::is_ascii_whitespace)
    };
    names.into_iter().find(is_tag).filter(|_| !tag.ends_with(b"/")).map(Delimiter::MaybeElement)
}

/// Returns true if these bytes and white space precede a target of reStructuredText: `.. _name:` or
/// `.. image::`.
fn is_target(before: &[u8]) -> bool {
    let line_end = memrchr(b'\n', before);
    if line_end.is_none() && before.len() + 1 >= LONGEST_TAG {
        return false;
    }
    let Some(mark) = before[line_end.map_or(0, |at| at + 1)..].trim_ascii_start().strip_prefix(b".. ") else {
        return false;
    };
    mark.starts_with(b"_") || mark.ends_with(b"image::") || mark.ends_with(b"figure::")
}

/// Returns the length up to the counterpart of an opening bracket, or, in a link of a wiki, up to the white
/// space before the link's text. `None` if white space or the line's end comes first.
fn bracket_len(text: &[u8], opening: u8) -> Option<usize> {
    let closing = match opening {
        b'(' => b')',
        b'[' => b']',
        _ => b'}',
    };
    let mut depth = 0_usize;
    for (at, &byte) in text.iter().take(LONGEST).enumerate() {
        if byte.is_ascii_whitespace() {
            looked_at(at);
            let near = &text[at..text.len().min(at + LONGEST)];
            let line = &near[..memchr(b'\n', near).unwrap_or(near.len())];
            let is_closed = line.trim_ascii_start().first() == Some(&closing);
            if opening == b'[' && !is_closed && memchr(closing, line).is_some() {
                // A list of several URIs has commas.
                let is_list = text[..at].ends_with(b",") && starts_as_uri(line.trim_ascii_start());
                return Some(at - usize::from(is_list));
            }
            return is_closed.then_some(at);
        }
        if byte == opening {
            depth += 1;
        } else if byte == closing {
            if depth == 0 {
                looked_at(at);
                return Some(at);
            }
            depth -= 1;
        }
    }
    looked_at(text.len().min(LONGEST));
    None
}

/// The commands of TeX whose first argument is a URI.
const COMMANDS: [&[u8]; 6] = [br"\href", br"\url", br"\nolinkurl", br"\path", br"\burl", br"\hyperimage"];

/// Returns true if a text starts with a command of TeX whose argument is a URI.
pub(super) fn is_tex_command(text: &[u8]) -> bool {
    COMMANDS.iter().any(|command| {
        text.strip_prefix(*command).is_some_and(|rest| matches!(rest.first(), Some(b'{' | b'[')))
    })
}

/// Returns true if these bytes and an opening brace start an argument of TeX with a URI, or a field of BibTeX
/// with one.
fn is_argument(before: &[u8]) -> bool {
    // Fields with sentences, which may start with a URI.
    const SENTENCES: [&[u8]; 8] =
        [b"note", b"annote", b"annotation", b"abstract", b"howpublished", b"title", b"comment", b"addendum"];

    if COMMANDS.iter().any(|command| before.ends_with(command)) {
        return true;
    }
    if let Some(options) = before.strip_suffix(b"]") {
        return memrchr(b'[', options).is_some_and(|at| options[..at].ends_with(br"\href"));
    }
    let Some(field) = without_space(before).strip_suffix(b"=") else { return false };
    let field = without_space(field);
    let is_letter = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
    let name = &field[field.len() - field.iter().rev().take_while(is_letter).count()..];
    looked_at(name.len());
    !name.is_empty() && !SENTENCES.iter().any(|field| name.eq_ignore_ascii_case(field))
}

/// Returns true if all backslashes of a value are escapes of TeX that no string literal has: BibTeX has
/// quotes, too.
pub(super) fn are_tex(value: &[u8]) -> bool {
    memchr_iter(b'\\', value).all(|at| value.get(at + 1).is_some_and(|byte| b"_&%#${}~".contains(byte)))
}

/// Returns true if these bytes and an opening bracket start `url(`.
fn is_css_url(before: &[u8]) -> bool {
    let name = before.last_chunk::<3>().is_some_and(|name| name.eq_ignore_ascii_case(b"url"));
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.$".contains(byte);
    name && !before[..before.len() - 3].last().is_some_and(is_word)
}

/// Returns the delimiter that is the typographic quote at the end of these bytes.
fn typographic(before: &[u8]) -> Option<Delimiter> {
    let last = [2, 3].iter().find_map(|&len| {
        let char = before.get(before.len().checked_sub(len)?..)?;
        first_char(char).filter(|char| char.len_utf8() == len)
    })?;
    let index = QUOTES.iter().position(|(opening, _)| *opening == last)?;
    Some(Delimiter::MayLack(Counterpart::Quote(index)))
}

/// Returns the length of a literal, or up to a line end that a URI follows: then the literal is a list.
fn literal_len(text: &[u8]) -> usize {
    let next = memchr_iter(b'\n', text).find(|&at| {
        let near = text[at + 1..text.len().min(at + 1 + LONGEST_BEFORE)].trim_ascii_start();
        starts_as_uri(near) && memchr(b':', near).is_some_and(|colon| near[colon + 1..].starts_with(b"//"))
    });
    without_space(&text[..next.unwrap_or(text.len())]).len()
}

/// Returns the length up to the closing brace, or, without one, up to the end of the line.
fn braces_len(text: &[u8]) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\n' => break,
            b'\\' if text.get(at + 1).is_some_and(|&byte| byte != b'\n') => at += 1,
            b'{' => depth += 1,
            b'}' if depth == 0 => break,
            b'}' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    looked_at(at);
    without_space(&text[..at]).len()
}

/// Returns the length of a value in the Common Event Format: up to a space, a key and `=`.
fn cef_len(text: &[u8]) -> usize {
    let mut from = 0;
    // The line's end can be far, so this search ends at the next key.
    while let Some(found) = memchr2(b'=', b'\n', &text[from..]) {
        let at = from + found;
        let key = &text[from..at];
        if text[at] == b'\n' {
            return without_space(&text[..at]).len();
        }
        let is_letter = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.-[]".contains(byte);
        let name = key.iter().rev().take_while(is_letter).count();
        looked_at(name);
        let before = &key[..key.len() - name];
        if name > 0 && before.ends_with(b" ") {
            return without_space(&text[..from + before.len()]).len();
        }
        from = at + 1;
    }
    without_space(text).len()
}

/// Returns a text without the escapes of line ends and tabs at its end.
fn without_escaped_space(text: &[u8]) -> &[u8] {
    let mut text = text;
    while let [before @ .., b'\\', b'n' | b'r' | b't'] = text {
        text = before;
    }
    looked_at(text.len());
    text
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

/// Returns the length up to the closing quote. In markup, a tag also ends it.
fn quoted_len(text: &[u8], quote: u8, is_markup: bool) -> usize {
    let (len, _) = strings::end(text, 0, quote);
    let tag = if is_markup { memchr(b'<', &text[..len]) } else { None };
    tag.unwrap_or(len)
}

/// Returns the length up to a closing character reference, or, without one, up to a tag or the end of the
/// line.
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

/// Returns the length of the destination of a link in Markdown (CommonMark section 6.3). White space breaks
/// the link, unless a title follows.
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

/// Returns true if the bytes end within a tag. Only in markup, a tag can have started in an earlier line.
fn is_in_tag(text: &[u8], is_markup: bool) -> bool {
    let line_end = if is_markup { None } else { memrchr(b'\n', text) };
    let text = &text[line_end.map_or(0, |at| at + 1)..];
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
