//! The kinds of lines in a log.

use std::ops::Range;

use super::unescape::Escapes;
use crate::names::named_enum;

/// The roles of a line in a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// The line holds a record, in this field.
    Record(Field),
    /// The writer had no URI and put a sentinel in its place.
    Sentinel,
    /// The line is an object, or a list of pairs, that lacks the key: in a log of several kinds of events,
    /// only some have a URI.
    WithoutKey,
    /// The line describes the lines after it, or the whole file. It never holds a record.
    Header,
    /// The line does not fit the format.
    Malformed(Malformed),
    /// The line does not fit the format: it has another number of columns.
    ColumnCount(ColumnCount),
}

/// The number of columns of a line that should have another number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ColumnCount {
    /// The number of columns of the line.
    pub found: u64,
    /// The number of columns that the header names, or that other lines have.
    pub expected: u64,
}

impl Line {
    /// Returns a record without escapes.
    #[inline]
    pub(crate) fn unescaped(range: Range<usize>) -> Self {
        Line::escaped(range, Escapes::None)
    }

    #[inline]
    pub(crate) fn escaped(range: Range<usize>, escapes: Escapes) -> Self {
        Line::Record(Field { range, tail: 0..0, escapes })
    }

    /// Returns a line that has `found` columns instead of `expected`.
    #[inline]
    pub(crate) fn column_count(found: usize, expected: usize) -> Self {
        Line::ColumnCount(ColumnCount { found: found as u64, expected: expected as u64 })
    }

    /// Returns a field without escapes, in which `-` stands for a missing value.
    #[inline]
    pub(crate) fn unless_dash(line: &[u8], range: Range<usize>) -> Self {
        if line[range.clone()] == *b"-" { Line::Sentinel } else { Line::unescaped(range) }
    }
}

impl From<Malformed> for Line {
    #[inline]
    fn from(reason: Malformed) -> Self {
        Line::Malformed(reason)
    }
}

impl From<Result<Line, Malformed>> for Line {
    #[inline]
    fn from(result: Result<Line, Malformed>) -> Self {
        result.unwrap_or_else(Line::Malformed)
    }
}

/// The place of a record in its line, and the record's escapes. Ranges are half-open, in bytes of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) range: Range<usize>,
    /// The second part of the record, which follows after a `?`. Empty if the record has one part.
    pub(crate) tail: Range<usize>,
    pub(crate) escapes: Escapes,
}

impl Field {
    /// Returns true if the record stands in the line as one range without escapes.
    #[inline]
    pub(crate) fn is_unescaped(&self) -> bool {
        self.escapes == Escapes::None && self.tail.is_empty()
    }

    /// Returns true if byte n of the record is byte n of the line from the field's start on.
    #[inline]
    pub(crate) fn is_in_place(&self) -> bool {
        self.escapes == Escapes::None && (self.tail.is_empty() || self.tail.start == self.range.end + 1)
    }

    /// Appends the record to `out`.
    pub(crate) fn write(&self, line: &[u8], out: &mut Vec<u8>) {
        self.escapes.write(&line[self.range.clone()], out);
        if !self.tail.is_empty() {
            out.push(b'?');
            self.escapes.write(&line[self.tail.clone()], out);
        }
    }

    /// Returns the length of the record in bytes.
    pub(crate) fn text_len(&self, line: &[u8]) -> usize {
        let tail = if self.tail.is_empty() { 0 } else { 1 + self.escapes.text_len(&line[self.tail.clone()]) };
        self.escapes.text_len(&line[self.range.clone()]) + tail
    }

    /// Returns the byte of the line that byte `offset` of the record comes from.
    pub(crate) fn origin(&self, line: &[u8], offset: usize) -> usize {
        let head = &line[self.range.clone()];
        match offset.checked_sub(self.escapes.text_len(head) + 1) {
            Some(offset) if !self.tail.is_empty() => {
                self.tail.start + self.escapes.origin(&line[self.tail.clone()], offset)
            }
            _ => self.range.start + self.escapes.origin(head, offset),
        }
    }
}

impl ColumnCount {
    pub(crate) fn reason(self) -> Malformed {
        if self.found < self.expected { Malformed::TooFewColumns } else { Malformed::TooManyColumns }
    }
}

/// Declares the reasons, each with its name and its message.
macro_rules! reasons {
    ($($(#[$doc:meta])* $reason:ident = $name:literal: $message:literal,)*) => {
        named_enum! {
            /// The reason why a line does not fit its format. Later versions may add reasons; a name keeps
            /// its meaning.
            #[non_exhaustive]
            Malformed { $($(#[$doc])* $reason = $name,)* }
        }

        impl Malformed {
            /// Returns a sentence for people. [`Layout::message`](crate::corpus::Layout::message) tells more
            /// about a line, for example the name of a missing column.
            pub const fn message(self) -> &'static str {
                match self { $(Malformed::$reason => $message,)* }
            }
        }
    };
}

reasons! {
    /// The line is empty.
    Empty = "empty": "the line is empty",
    /// The line is longer than a record may be.
    TooLong = "too-long": "the line is longer than a record may be",
    /// The line ends before the field.
    Truncated = "truncated": "the line ends before the field",
    /// A line of a crawl log does not start with a time, a status and a size.
    NoStatusAndSize = "no-status-and-size": "the line does not start with a time, a status and a size",
    /// A line of a Squid log does not start with a time, a duration, a client and a result.
    NoResult = "no-result": "the line does not start with a time, a duration, a client and a result",
    /// The text after the URI does not fit the format.
    Shifted = "shifted": "what follows the URI does not belong there; a space in a URI shifts the columns",
    /// The line has fewer columns than its header names. In an index without a header: not 7, 9 or 11.
    TooFewColumns = "too-few-columns": "too few columns",
    /// The line has more columns than its header names. In an index without a header: more than 11.
    TooManyColumns = "too-many-columns": "too many columns",
    /// No header line before the line names the columns.
    NoHeader = "no-header": "no #Fields line comes before it",
    /// The header line before the line does not name the field.
    NotInHeader = "not-in-header": "the header line before it does not name the field",
    /// The header line that names the columns is longer than a record may be.
    HeaderTooLong = "header-too-long": "the header line is longer than a record may be",
    /// The line does not start like the lines of its format.
    NoStart = "no-start": "the line does not start like a line of this format",
    /// The pattern does not match, or its match lacks the group of the record.
    NoMatch = "no-match": "the pattern does not match",
    /// A line of an access log has no quoted request after a time in brackets.
    NoRequest = "no-request": "no quoted request after a time in brackets",
    /// A quoted text does not end.
    NoClosingQuote = "no-closing-quote": "a quote is not closed",
    /// No status follows the request's quote.
    NoStatus = "no-status": "no status after the request: the quotes in it are not escaped",
    /// The request is not a method, a space and a target.
    NoTarget = "no-target": "the request line has no method and target",
    /// The line is not a JSON object, or has no object in the place where the format has one.
    NotAnObject = "not-an-object": "not a JSON object",
    /// The key's value is not a JSON string.
    NotAString = "not-a-string": "the value is not a JSON string",
    /// A JSON string has an escape without a meaning, for example one half of a surrogate pair.
    BadEscape = "bad-escape": "the JSON string has an invalid escape",
    /// From this place on, the text is not JSON.
    NotJson = "not-json": "not JSON from here on: what follows in the document is not read",
    /// From this place on, the text is not XML.
    NotXml = "not-xml": "not XML from here on: what follows in the document is not read",
    /// A reference in an XML document stands for no character.
    BadReference = "bad-reference": "not a reference of XML: a bare & is written &amp;",
    /// A document has something that XML forbids at this place.
    IllFormed = "ill-formed": "XML does not allow this here",
    /// No attribute binds the prefix to a namespace.
    UndeclaredPrefix = "undeclared-prefix": "no xmlns attribute declares the prefix of this name",
    /// A tag has an attribute twice.
    RepeatedAttribute = "repeated-attribute": "the tag has this attribute twice",
    /// XML does not have this character, or the bytes are not UTF-8 although no other charset is declared.
    ForbiddenCharacter = "forbidden-character": "not a character of XML, or not UTF-8",
    /// An XML declaration or a document type is not at the start of a document.
    LateDeclaration = "late-declaration": "only the start of a document may have this declaration",
    /// A URL has an entity that is not read: it is declared elsewhere, long, or has markup.
    UnreadEntity = "unread-entity": "the URL has an entity that is declared elsewhere, long, or has markup, and is not read",
    /// A line of N-Triples or N-Quads is not a statement.
    NotAStatement = "not-a-statement": "not a statement of N-Triples or N-Quads: this cannot stand here",
    /// The objects, arrays or elements of a document are nested deeper than the limit.
    TooDeep = "too-deep":
        "more than 1024 objects, arrays or elements inside of each other: what follows in the document is not read",
    /// A JSON or XML document does not end.
    Unended = "unended": "the document does not end",
    /// The line lacks the wrapper that the other lines have.
    NotWrapped = "not-wrapped": "the line lacks the prefix or the object that the other lines have",
    /// The line is a part of a message, and this part lacks the field.
    PartOfLine = "part-of-line": "part of a line that was cut: the parts are not put together",
    /// A page ends in a tag.
    UnendedTag = "unended-tag": "the page ends in this tag, whose attributes count for nothing",
    /// Browsers drop a candidate of a `srcset` because of its descriptors.
    InvalidSrcset = "invalid-srcset": "browsers drop this image: after its URL, they know only 100w (possibly with 50h) or 2x",
    /// A quoted cell does not end, or not within the limit.
    OpenCell = "open-cell": "a quoted cell does not end",
    /// Text follows a cell's closing quote.
    TextAfterQuote = "text-after-quote": "text after the closing quote of a cell",
    /// No record starts here: a WARC record starts with its version, an ARC record with its URL.
    NoVersion = "no-version": "a record should start here, with WARC/ and its version or as in ARC files",
    /// The header of a WARC record does not state the length of its block, so the start of the next record
    /// has to be guessed. Or the version of the next record follows before the empty line that ends a header.
    NoContentLength = "no-content-length": "the WARC header has no valid Content-Length or no end",
    /// The body of a page does not decode as its header says, or not to its end.
    NotDecoded = "not-decoded": "the body of the page does not decode as its head says",
    /// The file ends in a WARC or ARC record, so later records may be in its block.
    CutOff = "cut-off": "the file ends in this record, or the length of the record is wrong",
}

/// A line that does not fit the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MalformedLine {
    /// The 0-based number of the line in its chunk.
    pub line: u64,
    /// The line's length in bytes, without its end; 0 for a malformed place of a document or an archive.
    pub length: u64,
    /// The reason.
    pub reason: Malformed,
    /// The number of the line's columns, if it is wrong.
    pub column_count: Option<ColumnCount>,
    /// In a document, the byte of the line that cannot stand there, counted from 1. Otherwise 1: the whole
    /// line does not fit.
    pub column: u64,
}
