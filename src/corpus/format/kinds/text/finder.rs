//! Goes through a text and finds its URIs.
//!
//! The search stops at colons, which make candidates, and at backslashes. A backslash in a [string
//! literal](super::strings) makes the whole literal a text of its own: its escapes are undone, and its URIs
//! are found with their places in the original. Such a text can hold literals, too.

use std::ops::Range;

use super::counterparts::Missing;
use super::delimiter::{self, Delimiter};
use super::openers::LONGEST_BEFORE;
use super::places::Places;
use super::strings::{self, Strings};
use super::{prose, schemes};
use crate::corpus::format::lines::unescape::Escapes;
use crate::work::{memchr, memchr_iter, memmem, memrchr, position};

/// A URI in a text: its place and its escapes.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::corpus::format::kinds) struct TextUri {
    pub(in crate::corpus::format::kinds) start: usize,
    pub(in crate::corpus::format::kinds) end: usize,
    pub(in crate::corpus::format::kinds) escapes: Escapes,
}

/// The kind of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::corpus::format::kinds) struct Syntax {
    /// Whether the text is XML or HTML.
    pub(super) is_markup: bool,
    /// Whether the text is AsciiDoc.
    pub(super) has_macros: bool,
    /// Whether the text is the content of a string literal.
    is_string: bool,
}

impl Syntax {
    pub(in crate::corpus::format::kinds) const ASCIIDOC: Self =
        Syntax { is_markup: false, has_macros: true, is_string: false };

    /// Returns the kind of a text that starts with these bytes.
    pub(super) fn of(head: &[u8]) -> Self {
        let start = head.trim_ascii_start();
        // The title of a document in AsciiDoc.
        Syntax { is_markup: start.starts_with(b"<"), has_macros: start.starts_with(b"= "), is_string: false }
    }
}

/// The most string literals inside of each other.
const MOST_LEVELS: u8 = 2;

/// The longest scheme with escapes of TeX, in bytes.
const LONGEST_SCHEME: usize = 64;

/// Finds the URIs of a text, in order. All calls get the same text.
#[derive(Debug)]
pub(in crate::corpus::format::kinds) struct Finder {
    syntax: Syntax,
    /// The number of literals around the text.
    level: u8,
    /// The next URI starts at this byte or after it.
    from: usize,
    /// The search goes on at this byte.
    at: usize,
    colons: Places,
    backslashes: Places,
    strings: Strings,
    missing: Missing,
    /// Whether the text is a string literal that starts with a URI. If its other lines start with URIs, too,
    /// it is a list.
    may_be_list: bool,
    /// The start of the line of byte `seen`.
    line: usize,
    seen: usize,
    inner: Option<Box<Literal>>,
}

/// A candidate.
enum Found {
    Uri(TextUri),
    /// The candidate is in a string literal with this content.
    Literal(Range<usize>),
    /// The candidate is in this piece of a string literal whose quotes are elsewhere.
    Piece(Range<usize>),
    Nothing,
}

impl Finder {
    pub(in crate::corpus::format::kinds) fn new(syntax: Syntax) -> Self {
        Finder::starting_at(0, syntax, 0)
    }

    /// Returns a finder that goes on at byte `at` of a text that is in `level` literals.
    fn starting_at(at: usize, syntax: Syntax, level: u8) -> Self {
        Finder {
            syntax,
            level,
            from: at,
            at,
            colons: Places::of(b':'),
            backslashes: Places::of(b'\\'),
            strings: Strings::default(),
            missing: Missing::default(),
            may_be_list: false,
            line: 0,
            seen: 0,
            inner: None,
        }
    }

    /// Returns the next URI.
    pub(in crate::corpus::format::kinds) fn next(&mut self, text: &[u8]) -> Option<TextUri> {
        loop {
            if let Some(inner) = &mut self.inner {
                if let Some(found) = inner.next(text) {
                    self.from = found.end;
                    return Some(found);
                }
                let end = inner.raw.end;
                self.inner = None;
                self.pass(end);
            }
            let colon = self.colons.next(text, self.at);
            let backslash = self.backslashes.next(text, self.at);
            if backslash < colon {
                self.at = backslash + 1;
                if delimiter::is_tex_command(&text[backslash..]) {
                    // A quote in its argument opens no literal.
                } else if let Some(literal) = self.literal(text, backslash) {
                    if is_tex_scheme(text, &literal, backslash) {
                        // Its URI is found at the colon.
                    } else if has_colon(&text[literal.clone()]) {
                        self.enter(text, literal, true);
                    } else {
                        self.at = literal.end;
                    }
                }
                continue;
            }
            if colon == text.len() {
                return None;
            }
            self.at = colon + 1;
            match self.uri_at(text, colon, backslash) {
                Found::Uri(found) => {
                    self.pass(found.end);
                    return Some(found);
                }
                Found::Literal(literal) => self.enter(text, literal, true),
                Found::Piece(piece) => self.enter(text, piece, false),
                Found::Nothing => self.from = self.from.max(colon + 1),
            }
        }
    }

    /// Goes on at byte `end`. The search never reads a byte twice.
    fn pass(&mut self, end: usize) {
        self.from = self.from.max(end);
        self.at = self.at.max(end);
    }

    /// Returns the content of the literal around byte `place`.
    fn literal(&mut self, text: &[u8], place: usize) -> Option<Range<usize>> {
        if self.level == MOST_LEVELS {
            return None;
        }
        self.strings.around(text, place).filter(|literal| literal.end > self.from)
    }

    /// Goes on with the URIs of a literal, or of a piece of one.
    fn enter(&mut self, text: &[u8], literal: Range<usize>, is_string: bool) {
        let mut content = Vec::new();
        Escapes::Literal.write(&text[literal.clone()], &mut content);
        let from = self.from.max(literal.start);
        let passed = Escapes::Literal.text_len(&text[literal.start..from]);
        let is_markup = content.trim_ascii_start().starts_with(b"<");
        let syntax = Syntax { is_markup, has_macros: false, is_string };
        let finder = Finder::starting_at(passed, syntax, self.level + 1);
        let raw_at = literal.start;
        self.inner = Some(Box::new(Literal { raw: literal, text: content, finder, raw_at, text_at: 0 }));
    }

    /// Returns the URI whose scheme ends with the colon at `colon`, if this colon ends one. `backslash` is
    /// the first one after the colon.
    fn uri_at(&mut self, text: &[u8], colon: usize, backslash: usize) -> Found {
        let from = self.from;
        let after = &text[colon + 1..];
        let slashes = if after.starts_with(b"//") { 2 } else { 0 };
        let escaped = if after.first() == Some(&b'\\') { escaped_slashes(after) } else { None };
        let Some(&last) = text[from..colon].last() else { return Found::Nothing };
        let is_opaque = slashes == 0 && escaped.is_none();
        if !last.is_ascii_alphanumeric() || (is_opaque && !schemes::may_end_opaque(last)) {
            return Found::Nothing;
        }
        // In a literal, a word before a colon can start a list.
        if is_opaque && !self.syntax.is_string && !schemes::may_end_with_opaque(&text[from..colon]) {
            return Found::Nothing;
        }
        let Some(schemes::Start { run, scheme }) = schemes::start(&text[from..colon]) else {
            return Found::Nothing;
        };
        let (run, scheme) = (from + run, from + scheme);
        let Syntax { is_markup, has_macros, is_string } = self.syntax;
        let starts_line = run == 0 || self.may_be_list && text[..run].ends_with(b"\n");
        let delimiter = if is_string && starts_line {
            self.may_be_list = true;
            Some(Delimiter::Literal)
        } else {
            Delimiter::before(text, run, scheme, is_markup)
        };
        let start = if delimiter.is_some_and(Delimiter::is_before_run) { run } else { scheme };
        if escaped.is_some() {
            return self.escaped_uri(text, start, delimiter);
        }
        let shape = match is_opaque.then(|| schemes::shape(&text[scheme..colon])) {
            Some(None) => return Found::Nothing,
            Some(shape) => shape,
            None => None,
        };
        let rest = colon + 1 + slashes;
        // The marks of a URI without `//` are near its colon. A longer search after each of many words would
        // take quadratic time.
        let near = &text[rest..text.len().min(rest + schemes::NEAR)];
        if shape.is_some_and(|shape| !shape(near)) {
            return Found::Nothing;
        }
        let is_value = || delimiter.is_none() && text[..run].ends_with(b"=");
        let (start, delimiter) = if is_value() && self.is_cef(text, run) {
            (run, Some(Delimiter::Cef))
        } else if let Some((start, delimiter)) = argument_start(text, run).filter(|(start, _)| *start >= from)
        {
            (start, Some(delimiter))
        } else {
            (start, delimiter)
        };
        let (end, escapes) = delimiter
            .and_then(|delimiter| delimiter.end(text, rest, is_markup, &mut self.missing))
            .unwrap_or_else(|| prose::word_end(text, start, rest, is_markup, has_macros));
        let is_argument = matches!(delimiter, Some(Delimiter::Braces | Delimiter::Assigned(_)));
        let escapes = if is_argument && start < run { Escapes::Tex } else { escapes };
        if backslash <= end && backslash < text.len() && escapes != Escapes::Tex && escapes != Escapes::Cef {
            if let Some(literal) = self.literal_of(text, start, delimiter) {
                return Found::Literal(literal);
            }
            if delimiter.is_none() && self.is_cef(text, start) {
                return Found::Uri(TextUri { start, end, escapes: Escapes::Cef });
            }
            // An escape before the URI shows that the text is a piece of a literal.
            if start > run && text[..run].ends_with(b"\\") && self.level < MOST_LEVELS {
                return Found::Piece(start..sure_end(text, start));
            }
        }
        if end <= rest || shape.is_some_and(|shape| !shape(&text[rest..end])) {
            return Found::Nothing;
        }
        Found::Uri(TextUri { start, end, escapes })
    }

    /// Returns the literal that holds the URI that starts at `start`, if its backslashes are escapes.
    fn literal_of(
        &mut self,
        text: &[u8],
        start: usize,
        delimiter: Option<Delimiter>,
    ) -> Option<Range<usize>> {
        if self.level == MOST_LEVELS {
            return None;
        }
        if let Some(Delimiter::Quote(quote @ (b'"' | b'\'')) | Delimiter::Assigned(quote)) = delimiter {
            return Some(start..strings::end(text, start, quote).0);
        }
        // In HTML, a backslash in an attribute is no escape.
        self.literal(text, start).filter(|literal| {
            let is_value = || text[literal.start..start].iter().all(u8::is_ascii_whitespace);
            !(matches!(delimiter, Some(Delimiter::Attribute(_))) && is_value())
        })
    }

    /// Returns the literal of a URI whose slashes have backslashes before them. Outside of literals, this is
    /// the word, unless it has other backslashes: then it is a regular expression.
    fn escaped_uri(&mut self, text: &[u8], start: usize, delimiter: Option<Delimiter>) -> Found {
        if self.level == MOST_LEVELS {
            return Found::Nothing;
        }
        if let Some(literal) = self.literal_of(text, start, delimiter) {
            return Found::Literal(literal);
        }
        let piece = start..sure_end(text, start);
        let mut content = Vec::new();
        Escapes::Literal.write(&text[piece.clone()], &mut content);
        if memchr(b'\\', &content).is_some() {
            self.pass(piece.end);
            return Found::Nothing;
        }
        Found::Piece(piece)
    }

    /// Returns true if the line of byte `place` is an event in the Common Event Format.
    fn is_cef(&mut self, text: &[u8], place: usize) -> bool {
        if let Some(line_end) = memrchr(b'\n', &text[self.seen..place]) {
            self.line = self.seen + line_end + 1;
        }
        self.seen = place;
        // The prefixes of syslog are shorter.
        let head = &text[self.line..place.min(self.line + LONGEST_BEFORE)];
        memmem::find(head, b"CEF:").is_some_and(|at| matches!(head[at + 4..], [b'0'..=b'9', b'|', ..]))
    }
}

/// Returns the start of an argument of TeX whose scheme has an escape: `cache\_object`. The bytes after the
/// last escape that can belong to a scheme start at `run`.
fn argument_start(text: &[u8], run: usize) -> Option<(usize, Delimiter)> {
    if text[run] != b'_' || !text[..run].ends_with(b"\\") {
        return None;
    }
    let before = &text[run.saturating_sub(LONGEST_SCHEME)..run];
    let start = run - before.iter().rev().take_while(|byte| is_in_tex_scheme(byte)).count();
    let delimiter = Delimiter::before(text, start, start, false)?;
    matches!(delimiter, Delimiter::Braces | Delimiter::Assigned(b'"')).then_some((start, delimiter))
}

/// Returns true if a literal is a value of BibTeX, and its backslash at `backslash` is in the scheme of its
/// URI.
fn is_tex_scheme(text: &[u8], literal: &Range<usize>, backslash: usize) -> bool {
    let near = &text[literal.start.max(backslash.saturating_sub(LONGEST_SCHEME))..backslash];
    let start = backslash - near.iter().rev().take_while(|byte| is_in_tex_scheme(byte)).count();
    Delimiter::before(text, start, start, false) == Some(Delimiter::Assigned(b'"'))
        && delimiter::are_tex(&text[start..literal.end])
}

/// Returns true if a byte can be in a scheme, or be the backslash of an escape in one.
fn is_in_tex_scheme(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+-._\\".contains(byte)
}

/// Returns the sure end of a URI in prose.
fn sure_end(text: &[u8], start: usize) -> usize {
    let ends = |byte: &u8| *byte <= b' ' || matches!(byte, 0x7F | b'<' | b'>' | b'"');
    position(&text[start..], ends).map_or(text.len(), |len| start + len)
}

/// Returns the length in bytes of two slashes, if a backslash precedes one or both.
fn escaped_slashes(text: &[u8]) -> Option<usize> {
    let (first, slash) = Escapes::Literal.ascii_step(text);
    let rest = text.get(first..).filter(|rest| slash == Some(b'/') && !rest.is_empty())?;
    let (second, slash) = Escapes::Literal.ascii_step(rest);
    (slash == Some(b'/')).then_some(first + second)
}

/// Returns true if a literal has a colon, perhaps as an escape.
fn has_colon(literal: &[u8]) -> bool {
    let is_colon = |at: usize| Escapes::Literal.ascii_step(&literal[at..]).1 == Some(b':');
    memchr(b':', literal).is_some() || memchr_iter(b'\\', literal).any(is_colon)
}

/// A string literal, whose escapes are undone.
#[derive(Debug)]
struct Literal {
    /// The content in the text around it.
    raw: Range<usize>,
    text: Vec<u8>,
    finder: Finder,
    /// A byte of the text around it, and the byte of the content that comes from it. Places only grow.
    raw_at: usize,
    text_at: usize,
}

impl Literal {
    /// Returns the next URI, with its place and its escapes in the text around the literal.
    fn next(&mut self, outer: &[u8]) -> Option<TextUri> {
        let found = self.finder.next(&self.text)?;
        let start = self.origin(outer, found.start);
        let end = self.origin(outer, found.end);
        let has_escapes = memchr(b'\\', &outer[start..end]).is_some();
        let escapes = if has_escapes { Escapes::Literal.around(found.escapes) } else { found.escapes };
        Some(TextUri { start, end, escapes })
    }

    /// Returns the byte of the text around the literal from which byte `at` of the content comes.
    fn origin(&mut self, outer: &[u8], at: usize) -> usize {
        while self.text_at < at && self.raw_at < self.raw.end {
            let rest = &outer[self.raw_at..self.raw.end];
            let near = &rest[..rest.len().min(at - self.text_at)];
            let verbatim = memchr(b'\\', near).unwrap_or(near.len());
            self.raw_at += verbatim;
            self.text_at += verbatim;
            if verbatim < near.len() {
                let escape = &rest[verbatim..];
                let taken = Escapes::Literal.step_len(escape);
                self.raw_at += taken;
                self.text_at += Escapes::Literal.text_len(&escape[..taken]);
            }
        }
        self.raw_at
    }
}
