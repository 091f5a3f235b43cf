//! The position in a document, and the events on the way through a chunk.

use std::ops::Range;

use super::scalar::Scalar;
use super::table::TableState;
use super::wanted::{Progress, Wanted};
use crate::corpus::format::lines::chunk_lines::ChunkLines;
use crate::corpus::format::lines::line::Malformed;
use crate::corpus::format::lines::unescape::Escapes;
use crate::work::{looked_at, memchr3, memmem, memrchr};

/// The maximal depth of objects and arrays.
pub(super) const MAX_DEPTH: usize = 1024;

/// The facts about the next byte of the input that follow from the bytes so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Position {
    /// The open objects and arrays.
    open: Vec<Container>,
    expected: Expected,
    /// The path to the next value, or to the current value.
    value: Progress,
    token: Token,
    table: TableState,
    /// The number of bytes of the line before this position.
    pub(super) column: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Container {
    is_object: bool,
    /// The path to its members or elements, without their keys.
    progress: Progress,
    /// Whether it still lacks a key that it must have.
    lacks_key: bool,
}

/// The tokens that may come next, apart from white space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    /// A document, or the end of the input.
    Document,
    Value,
    /// A value, or the end of the array.
    FirstElement,
    Key,
    /// A key, or the end of the object.
    FirstKey,
    Colon,
    /// A comma, or the end of the object or array.
    Comma,
}

/// The token that the position is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    None,
    Scalar(Scalar),
    /// A string that starts in an earlier chunk. `length` is the number of its bytes in earlier chunks.
    LongString {
        length: u64,
        is_escaped: bool,
    },
    /// The text after a place that is not JSON. If the broken document was an object, a line that starts with
    /// `{` may be the next document.
    Lost {
        was_object: bool,
    },
}

/// An event in a document.
pub(super) enum DocumentEvent {
    /// A record in these bytes of the chunk.
    String(Range<usize>, Escapes),
    /// `null` in the place of a record.
    Null,
    /// An object that lacks the key, or another value in the place of such an object.
    WithoutKey,
    Malformed(Malformed),
}

impl Position {
    pub(super) fn start(wanted: &Wanted) -> Self {
        Position {
            open: Vec::new(),
            expected: Expected::Document,
            value: wanted.at_start(),
            token: Token::None,
            table: TableState::None,
            column: 0,
        }
    }

    /// Goes through the bytes of a chunk that starts at this position. `each` gets the byte of each event,
    /// counted in the chunk, and the event.
    pub(super) fn walk(
        &mut self,
        wanted: &Wanted,
        chunk: &ChunkLines<'_>,
        each: &mut impl FnMut(usize, DocumentEvent),
    ) {
        let bytes = chunk.bytes;
        let mut walk =
            ObjectWalk { position: self, wanted, bytes, max_record: chunk.max_record, at: chunk.mark, each };
        while let Some(&byte) = bytes.get(walk.at) {
            match walk.position.token {
                Token::None => walk.pass_byte(byte),
                Token::Scalar(scalar) => walk.pass_scalar(scalar),
                Token::LongString { length, is_escaped } => walk.pass_string(length, is_escaped),
                Token::Lost { was_object } => walk.pass_lost(was_object),
            }
        }
        if chunk.is_last {
            walk.end();
        }
        self.column = match memrchr(b'\n', bytes) {
            Some(line_end) => (bytes.len() - line_end - 1) as u64,
            None => self.column + bytes.len() as u64,
        };
    }

    /// Returns true if an object or array is open.
    pub(super) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Returns true if all bytes so far are JSON.
    pub(super) fn is_sound(&self) -> bool {
        !matches!(self.token, Token::Lost { .. })
    }
}

struct ObjectWalk<'w, F> {
    position: &'w mut Position,
    wanted: &'w Wanted,
    bytes: &'w [u8],
    max_record: usize,
    at: usize,
    each: &'w mut F,
}

impl<F: FnMut(usize, DocumentEvent)> ObjectWalk<'_, F> {
    fn malformed(&mut self, at: usize, reason: Malformed) {
        (self.each)(at, DocumentEvent::Malformed(reason));
    }

    /// Takes an object that lacks the key, or another value in its place.
    fn lacks_key(&mut self, at: usize) {
        (self.each)(at, DocumentEvent::WithoutKey);
    }

    /// Gives up the document because of an error at this byte.
    fn lose(&mut self, at: usize, reason: Malformed) {
        self.malformed(at, reason);
        let first = self.position.open.first();
        let was_object = first.is_none_or(|container| container.is_object);
        *self.position = Position {
            token: Token::Lost { was_object },
            column: self.position.column,
            ..Position::start(self.wanted)
        };
    }

    /// Passes a byte outside of tokens.
    #[inline]
    fn pass_byte(&mut self, byte: u8) {
        looked_at(1);
        let at = self.at;
        let expected = self.position.expected;
        match (expected, byte) {
            (_, b' ' | b'\t' | b'\r' | b'\n') => {}
            // In a text sequence, this byte marks the start of each document (RFC 7464).
            (Expected::Document, 0x1E) => {}
            (Expected::Colon, b':') => self.position.expected = Expected::Value,
            (Expected::Comma, b',') => self.pass_comma(),
            (Expected::Comma | Expected::FirstKey, b'}') if self.is_in_object() => self.close(),
            (Expected::Comma | Expected::FirstElement, b']') if !self.is_in_object() => self.close(),
            (Expected::Key | Expected::FirstKey, b'"') => {
                self.at += 1;
                return self.pass_string(0, false);
            }
            (Expected::Document | Expected::Value | Expected::FirstElement, _) => {
                return self.begin_value(byte);
            }
            // This byte may be the first byte of the next document.
            _ => return self.lose(at, Malformed::NotJson),
        }
        self.at += 1;
    }

    fn is_in_object(&self) -> bool {
        self.position.open.last().is_some_and(|container| container.is_object)
    }

    fn pass_comma(&mut self) {
        let Some(container) = self.position.open.last() else { return };
        if container.is_object {
            self.position.expected = Expected::Key;
        } else {
            (self.position.expected, self.position.value) = (Expected::Value, container.progress);
            self.position.table.pass_comma(self.position.open.len());
        }
    }

    fn begin_value(&mut self, byte: u8) {
        let at = self.at;
        if byte == b'"' {
            self.at += 1;
            return self.pass_string(0, false);
        }
        if matches!(byte, b'{' | b'[') {
            self.at += 1;
            return self.open(byte == b'{');
        }
        let Some(scalar) = Scalar::start(byte) else { return self.lose(at, Malformed::NotJson) };
        self.at += 1;
        self.position.token = Token::Scalar(scalar);
        let value = self.position.value;
        if self.is_wanted() {
            self.forgive_lack();
            (self.each)(
                at,
                if byte == b'n' {
                    DocumentEvent::Null
                } else {
                    DocumentEvent::Malformed(Malformed::NotAString)
                },
            );
        } else if value.is_on_the_way() && !self.wanted.is_anywhere && !self.position.table.is_open() {
            self.lacks_key(at);
        }
    }

    /// Returns true if a string would be a record at this position.
    fn is_wanted(&self) -> bool {
        match self.position.table.is_column(self.position.open.len()) {
            Some(is_column) => is_column,
            None => self.wanted.is_record(self.position.value),
        }
    }

    /// Notes that the open objects have their key.
    fn forgive_lack(&mut self) {
        if self.wanted.is_anywhere {
            // Only a document, or an element of one, can lack the key.
            self.position.open.iter_mut().take(2).for_each(|container| container.lacks_key = false);
        }
    }

    fn open(&mut self, is_object: bool) {
        let Position { open, value, expected, table, .. } = &mut *self.position;
        let (depth, is_first) = (open.len(), *expected == Expected::FirstElement);
        if depth == MAX_DEPTH {
            return self.lose(self.at - 1, Malformed::TooDeep);
        }
        let mut progress = *value;
        let mut lacks_key = false;
        let is_string_wanted = match table.is_column(depth) {
            Some(is_column) => is_column,
            None => is_object && !self.wanted.is_anywhere && self.wanted.is_record(*value),
        };
        if is_object {
            table.open_object(depth);
            progress = self.wanted.in_object(*value);
            let is_whole = depth == 0 || depth == 1 && !open[0].is_object;
            lacks_key = if self.wanted.is_anywhere { is_whole } else { progress.is_on_the_way() };
        } else {
            table.open_array(depth, is_first && !open[0].is_object);
        }
        open.push(Container { is_object, progress, lacks_key });
        (*expected, *value) =
            if is_object { (Expected::FirstKey, *value) } else { (Expected::FirstElement, progress) };
        if is_string_wanted {
            self.malformed(self.at - 1, Malformed::NotAString);
        }
    }

    /// Closes an object or array at its bracket.
    fn close(&mut self) {
        let Some(container) = self.position.open.pop() else { return };
        let depth = self.position.open.len();
        let is_empty = matches!(self.position.expected, Expected::FirstElement | Expected::FirstKey);
        if container.lacks_key {
            self.lacks_key(self.at);
        }
        let lack = if container.is_object { None } else { self.position.table.close(depth, is_empty) };
        if let Some(reason) = lack {
            if reason == Malformed::NotInHeader {
                return self.lose(self.at, reason);
            }
            self.malformed(self.at, reason);
        }
        self.end_value();
    }

    /// Goes on after a value.
    fn end_value(&mut self) {
        let position = &mut *self.position;
        position.token = Token::None;
        position.expected = Expected::Comma;
        if position.open.is_empty() {
            position.expected = Expected::Document;
            position.value = self.wanted.at_start();
            position.table = TableState::None;
        }
    }

    fn pass_scalar(&mut self, mut scalar: Scalar) {
        let start = self.at;
        while let Some(&byte) = self.bytes.get(self.at) {
            match scalar.next(byte) {
                Some(next) => scalar = next,
                // Only white space, a quote or a structural character may follow a scalar.
                None if scalar.is_whole() && b" \t\r\n\"[]{},:".contains(&byte) => {
                    looked_at(self.at - start);
                    return self.end_value();
                }
                None => return self.lose(self.at, Malformed::NotJson),
            }
            self.at += 1;
        }
        looked_at(self.at - start);
        self.position.token = Token::Scalar(scalar);
    }

    /// Passes the rest of a string. `before` is the number of the string's bytes in earlier chunks.
    fn pass_string(&mut self, before: u64, mut is_escaped: bool) {
        let start = self.at;
        let mut has_escapes = false;
        loop {
            let escaped = self.bytes.get(self.at).filter(|_| is_escaped);
            if escaped.is_some() {
                (is_escaped, has_escapes) = (false, true);
            }
            // No escape holds a line end.
            self.at += usize::from(escaped.is_some_and(|&byte| byte != b'\n'));
            let rest = &self.bytes[self.at..];
            let Some(found) = memchr3(b'"', b'\\', b'\n', rest) else {
                self.at = self.bytes.len();
                let length = before + (self.at - start) as u64;
                self.position.token = Token::LongString { length, is_escaped };
                return;
            };
            self.at += found + 1;
            match rest[found] {
                b'"' => break,
                b'\\' => is_escaped = true,
                _ => {
                    self.at -= 1;
                    return self.lose(self.at, Malformed::NoClosingQuote);
                }
            }
        }
        let string = start..self.at - 1;
        let is_here = before == 0 && string.len() <= self.max_record;
        let escapes = if has_escapes { Escapes::Json } else { Escapes::None };
        if matches!(self.position.expected, Expected::Key | Expected::FirstKey) {
            self.end_key(is_here.then_some(string), escapes);
        } else {
            self.end_string(is_here.then_some(string), escapes);
        }
    }

    /// Goes on after a key. A key over the limit is never a selected one.
    fn end_key(&mut self, name: Option<Range<usize>>, escapes: Escapes) {
        let position = &mut *self.position;
        (position.token, position.expected, position.value) =
            (Token::None, Expected::Colon, Progress::NOTHING);
        let (Some(name), Some(container)) = (name, position.open.last_mut()) else { return };
        if container.progress.is_on_the_way() {
            position.value = self.wanted.after_key(container.progress, &self.bytes[name], escapes);
            // If the key can be at any depth, the object also needs a record: see `met`.
            if position.value.is_on_the_way() && !self.wanted.is_anywhere {
                container.lacks_key = false;
            }
        }
    }

    /// Goes on after a string that is a value. `string` is `None` if the string is over the limit.
    fn end_string(&mut self, string: Option<Range<usize>>, escapes: Escapes) {
        let depth = self.position.open.len();
        if let (Some(name), true) = (&string, self.position.table.is_header(depth)) {
            let rank = self.wanted.rank_of_column(&self.bytes[name.clone()], escapes);
            self.position.table.name_column(rank);
        } else if self.is_wanted() {
            self.forgive_lack();
            match string {
                None => self.malformed(self.at - 1, Malformed::TooLong),
                Some(string) if !escapes.are_sound(&self.bytes[string.clone()]) => {
                    self.malformed(string.start, Malformed::BadEscape);
                }
                Some(string) => (self.each)(string.start, DocumentEvent::String(string, escapes)),
            }
        } else if self.position.value.is_on_the_way()
            && !self.wanted.is_anywhere
            && !self.position.table.is_open()
        {
            self.lacks_key(self.at - 1);
        }
        self.end_value();
    }

    /// Searches the next document after a broken one.
    fn pass_lost(&mut self, was_object: bool) {
        let rest = &self.bytes[self.at..];
        let starts_line = match self.at.checked_sub(1) {
            Some(before) => self.bytes[before] == b'\n',
            None => self.position.column == 0,
        };
        let next = if !was_object {
            None
        } else if starts_line && rest.starts_with(b"{") {
            Some(self.at)
        } else {
            memmem::find(rest, b"\n{").map(|before| self.at + before + 1)
        };
        match next {
            Some(next) => (self.at, self.position.token) = (next, Token::None),
            None => self.at = self.bytes.len(),
        }
    }

    /// Handles the end of the input.
    fn end(&mut self) {
        if let Token::Scalar(scalar) = self.position.token
            && scalar.is_whole()
        {
            self.end_value();
        }
        let is_between = self.position.token == Token::None && self.position.expected == Expected::Document;
        if !is_between && self.position.is_sound() {
            self.malformed(self.bytes.len(), Malformed::Unended);
        }
    }
}
