//! The interface of a log format to the rest of the module.

use std::fmt;
use std::io;
use std::sync::Arc;

use super::chunk_lines::{ChunkLines, without_cr};
use super::cutter::{Cutter, RowCutter};
use super::fields::FieldSink;
use super::line::Line;
use super::line_fields::{LineFields, NamedFields};
use super::rows::QuotedRows;
use crate::corpus::limits::Limits;
use crate::grammar::Grammar;
use crate::memory::{self, OutOfMemory, Room};
use crate::work::{looked_at, memchr, memchr_iter, position};

/// The bytes of memory that a document may take for each of its bytes that are read at once: tags, places and
/// copies of texts.
pub(crate) const COPIES: usize = 4;

/// A format with one of its fields selected, and with the facts that earlier lines state about later ones. It
/// does not change: [`start`](Self::start) and [`follow`](Self::follow) return another one if they learn
/// more.
pub(crate) trait LogFormat: fmt::Debug + Send + Sync {
    /// Returns the default grammar for this field.
    fn grammar(&self) -> Grammar;

    /// Returns the name of the field or key, if lines or their header can lack it.
    fn wanted(&self) -> Option<String> {
        None
    }

    /// Returns the fields that a user could select instead, if the first lines lack the selected one.
    fn others(&self) -> Option<&str> {
        None
    }

    /// Returns the separator of cells, if quoted cells can hold line ends. Layouts of later chunks have the
    /// same one.
    fn row_separator(&self) -> Option<u8> {
        None
    }

    /// Returns the number of lines before a table that have not come yet.
    fn preamble(&self) -> usize {
        0
    }

    /// Returns true if the format reads each line by itself, so that lines can have wrappers.
    fn takes_lone_lines(&self) -> bool {
        false
    }

    /// Returns true if the records come from documents, and not from lines. Chunks then end where a document
    /// allows it.
    fn is_document(&self) -> bool {
        false
    }

    /// Returns true if the records can come from pages of an archive, which have bases.
    fn has_pages(&self) -> bool {
        false
    }

    /// Returns true if the input itself may name the base of its records.
    fn names_base(&self) -> bool {
        self.has_pages()
    }

    /// Returns the cutter of an input, if its chunks end in other places than at line ends. Layouts of later
    /// chunks have the same one.
    fn cutter(&self, limits: &Limits) -> Option<Box<dyn Cutter>> {
        let cutter = |separator| Box::new(RowCutter::new(separator, limits)) as Box<dyn Cutter>;
        self.row_separator().map(cutter)
    }

    /// Returns true if a chunk of lines starts with a line. Chunks do unless the format's cutter cuts lines.
    fn starts_line(&self, _chunk: &ChunkLines<'_>) -> bool {
        true
    }

    /// Returns the end of what byte `end` of the chunk cuts: of a row, a tag, or a record of an archive.
    /// Returns `end` if it cuts nothing.
    fn whole(&self, chunk: &ChunkLines<'_>, end: usize) -> usize {
        let mut ends =
            chunk.rows().into_iter().flat_map(|rows| rows.iter(chunk.bytes, chunk.mark)).map(|row| row.end);
        ends.find(|&row_end| row_end >= end).unwrap_or(end)
    }

    /// Returns the fence of the code block that the chunk continues: its byte and its length.
    fn open_fence(&self, _chunk: &ChunkLines<'_>) -> Option<(u8, usize)> {
        None
    }

    /// Returns a sentence about how the input is read, if its user should know it.
    fn remark(&self) -> Option<&'static str> {
        None
    }

    /// Returns true if [`start`](Self::start) needs the first lines of an input.
    fn needs_head(&self) -> bool {
        false
    }

    /// Returns true if these first bytes of documents contain everything that [`start`](Self::start) needs.
    fn is_clear(&self, _head: &[u8]) -> bool {
        true
    }

    /// Returns the format with the facts from these first lines of an input, if they add any.
    fn start(&self, _head: &[u8]) -> Option<Arc<dyn LogFormat>> {
        None
    }

    /// Returns the format after `chunk`, if it differs from the format before it.
    ///
    /// # Errors
    ///
    /// Returns an error if a header does not name the field.
    fn follow(&self, _chunk: &ChunkLines<'_>) -> io::Result<Option<Arc<dyn LogFormat>>> {
        Ok(None)
    }

    /// Returns the room for what [`extract`](Self::extract) holds besides the records of a chunk with these
    /// bytes: the tree of a parser, decoded content. `held` is the number of bytes that are read at once.
    fn room_for(&self, _bytes: &[u8], _held: usize) -> Result<Room, OutOfMemory> {
        memory::room_for(0)
    }

    /// Returns true if the lines have fields that rows can carry.
    fn has_fields(&self) -> bool {
        false
    }

    /// Returns true if a header names the fields, so that a name is known only after the header.
    fn has_header_names(&self) -> bool {
        false
    }

    /// Returns the names of the fields of lines after this header; without names, columns go by number.
    /// `lines` are the first of these lines.
    fn field_names(&self, _header: Option<&[u8]>, _lines: &[&[u8]]) -> Vec<String> {
        Vec::new()
    }

    /// Returns what finds these fields in the lines after this header. `None` if no line has fields.
    fn line_fields(&self, _header: Option<&[u8]>, _names: &[&str]) -> Option<Box<dyn LineFields>> {
        None
    }

    /// Returns true if the header line with this number in the chunk, counted from 0, names columns.
    fn names_columns(&self, _number: usize, _line: &[u8]) -> bool {
        false
    }

    /// Returns the last line of the chunk that names columns; an empty text if it is over the limit.
    fn last_header<'c>(&self, _chunk: &ChunkLines<'c>) -> Option<&'c [u8]> {
        None
    }

    /// Hands the lines of `chunk` to `sink`, each with its role.
    fn extract(&self, chunk: &ChunkLines<'_>, sink: &mut FieldSink<'_>);

    /// Returns the number of lines of `head`, the first lines of an input, that surely fit this format. All
    /// lines of a row count. The number can be inexact if more than `most_misfits` lines do not fit.
    fn fitting_lines(&self, head: &[u8], most_misfits: usize) -> usize;
}

/// A format that reads one line after the other. All formats do, except those whose records are not lines.
pub(crate) trait LineFormat: Clone + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// Whether lines can describe the lines after them.
    const IS_STATEFUL: bool = false;

    /// Whether lines fit only if one of them holds a record. Without a record, lines that fit can be of
    /// another log of the same program.
    const NEEDS_RECORD: bool = false;

    /// Whether the first lines of an input describe all lines.
    const NEEDS_HEAD: bool = Self::IS_STATEFUL;

    /// Classifies the next line, without its line end. Remembers lines that describe the lines after them.
    fn find(&mut self, line: &[u8]) -> Line;

    /// Passes a line over the limit. `head` is some of its first bytes.
    fn skip(&mut self, _head: &[u8]) {}

    fn grammar(&self) -> Grammar {
        Grammar::Uri
    }

    /// See [`LogFormat::wanted`].
    fn wanted(&self) -> Option<String> {
        None
    }

    /// See [`LogFormat::others`].
    fn others(&self) -> Option<&str> {
        None
    }

    /// See [`LogFormat::row_separator`].
    fn row_separator(&self) -> Option<u8> {
        None
    }

    /// See [`LogFormat::preamble`].
    fn preamble(&self) -> usize {
        0
    }

    /// Learns from the first lines of an input. They come once more, as lines.
    fn start(&mut self, _head: &[u8]) {}

    /// Learns from the lines of a chunk.
    fn follow(&mut self, _chunk: &ChunkLines<'_>) -> io::Result<()> {
        Ok(())
    }

    /// See [`LogFormat::extract`].
    fn take_lines(&self, chunk: &ChunkLines<'_>, sink: &mut FieldSink<'_>) {
        sink.take_lines(chunk, &mut self.clone(), Self::find, Self::skip);
    }

    /// Returns the fields, if all lines have the same ones.
    fn named_fields(&self) -> Option<&'static NamedFields> {
        None
    }

    /// See [`LogFormat::has_fields`].
    fn has_fields(&self) -> bool {
        self.named_fields().is_some()
    }

    /// See [`LogFormat::has_header_names`].
    fn has_header_names(&self) -> bool {
        false
    }

    /// See [`LogFormat::field_names`].
    fn field_names(&self, _header: Option<&[u8]>, _lines: &[&[u8]]) -> Vec<String> {
        self.named_fields().map(NamedFields::all).unwrap_or_default()
    }

    /// See [`LogFormat::line_fields`].
    fn line_fields(&self, _header: Option<&[u8]>, names: &[&str]) -> Option<Box<dyn LineFields>> {
        self.named_fields().map(|fields| fields.choose(names))
    }

    /// See [`LogFormat::names_columns`].
    fn names_columns(&self, _number: usize, _line: &[u8]) -> bool {
        false
    }

    /// See [`LogFormat::last_header`].
    fn last_header<'c>(&self, _chunk: &ChunkLines<'c>) -> Option<&'c [u8]> {
        None
    }

    /// Returns true if the field can hold `text`, which has its escapes.
    fn may_hold(&self, text: &[u8]) -> bool {
        looks_like_value(text)
    }

    /// Returns true if a line is surely in this format. The caller tries the format with its usual field, and
    /// tables also with the field that the user selected.
    fn fits(&mut self, line: &[u8]) -> bool;
}

impl<F: LineFormat> LogFormat for F {
    fn grammar(&self) -> Grammar {
        LineFormat::grammar(self)
    }

    fn wanted(&self) -> Option<String> {
        LineFormat::wanted(self)
    }

    fn others(&self) -> Option<&str> {
        LineFormat::others(self)
    }

    fn row_separator(&self) -> Option<u8> {
        LineFormat::row_separator(self)
    }

    fn preamble(&self) -> usize {
        LineFormat::preamble(self)
    }

    fn takes_lone_lines(&self) -> bool {
        !F::IS_STATEFUL
    }

    fn needs_head(&self) -> bool {
        // Some formats learn only from lines as they come. Their `start` does nothing.
        F::NEEDS_HEAD
    }

    fn start(&self, head: &[u8]) -> Option<Arc<dyn LogFormat>> {
        let mut started = self.clone();
        LineFormat::start(&mut started, head);
        (started != *self).then(|| Arc::new(started) as Arc<dyn LogFormat>)
    }

    fn follow(&self, chunk: &ChunkLines<'_>) -> io::Result<Option<Arc<dyn LogFormat>>> {
        if !F::IS_STATEFUL {
            return Ok(None);
        }
        let mut next = self.clone();
        LineFormat::follow(&mut next, chunk)?;
        Ok((next != *self).then(|| Arc::new(next) as Arc<dyn LogFormat>))
    }

    fn has_fields(&self) -> bool {
        LineFormat::has_fields(self)
    }

    fn has_header_names(&self) -> bool {
        LineFormat::has_header_names(self)
    }

    fn field_names(&self, header: Option<&[u8]>, lines: &[&[u8]]) -> Vec<String> {
        LineFormat::field_names(self, header, lines)
    }

    fn line_fields(&self, header: Option<&[u8]>, names: &[&str]) -> Option<Box<dyn LineFields>> {
        LineFormat::line_fields(self, header, names)
    }

    fn names_columns(&self, number: usize, line: &[u8]) -> bool {
        LineFormat::names_columns(self, number, line)
    }

    fn last_header<'c>(&self, chunk: &ChunkLines<'c>) -> Option<&'c [u8]> {
        LineFormat::last_header(self, chunk)
    }

    fn extract(&self, chunk: &ChunkLines<'_>, sink: &mut FieldSink<'_>) {
        self.take_lines(chunk, sink);
    }

    fn fitting_lines(&self, head: &[u8], most_misfits: usize) -> usize {
        let mut format = self.clone();
        LineFormat::start(&mut format, head);
        let (mut fits, mut misfits) = (0, 0);
        let (mut records, mut values) = (0, 0);
        for (line, count) in rows(head, LineFormat::row_separator(&format)) {
            // A header is no record, so it has to be found before it has been passed.
            let found = F::IS_STATEFUL.then(|| LineFormat::find(&mut format.clone(), line));
            if format.fits(line) {
                fits += count;
                if let Line::Record(field) = found.unwrap_or_else(|| format.find(line)) {
                    records += 1;
                    values += usize::from(format.may_hold(&line[field.range]));
                }
            } else {
                misfits += count;
                if misfits > most_misfits {
                    break;
                }
            }
        }
        // Lines of this shape with something else in the field belong to another format.
        let is_other = values * 2 < records || F::NEEDS_RECORD && records == 0;
        if is_other { 0 } else { fits }
    }
}

/// Returns true if a field can be a value of a log: a URI, a reference, a request target, or a host alone. It
/// may have escapes.
pub(crate) fn looks_like_value(text: &[u8]) -> bool {
    looked_at(text.len());
    let text = text.trim_ascii();
    let is_name = || text.iter().any(|byte| b".:/".contains(byte)) && !text.contains(&b' ');
    starts_as_uri(text) || matches!(text.first(), Some(b'/' | b'\\' | b'*')) || is_name()
}

/// Returns the lines of a text, without their ends.
pub(crate) fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    std::iter::from_fn(move || {
        // Detection reads the same lines for each format, so it depends on this search.
        let end = memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
        let (line, after) = rest.split_at(end);
        rest = after;
        (end > 0).then(|| without_cr(line.strip_suffix(b"\n").unwrap_or(line)))
    })
}

/// Returns the rows of a text, without their ends, and the number of lines of each. Without a separator each
/// line is a row.
pub(crate) fn rows(text: &[u8], separator: Option<u8>) -> impl Iterator<Item = (&[u8], usize)> {
    let rows = separator.map(|separator| QuotedRows::new(separator, b'\n', usize::MAX).iter(text, 0));
    let lines = rows.is_none().then(|| lines(text).map(|line| (line, 1)));
    let rows = rows.into_iter().flatten().map(|row| {
        let row = &text[row];
        let inner = row.strip_suffix(b"\n").unwrap_or(row);
        (without_cr(inner), 1 + memchr_iter(b'\n', inner).count())
    });
    rows.chain(lines.into_iter().flatten())
}

/// Returns true if a text starts with a scheme and its colon.
pub(crate) fn starts_as_uri(text: &[u8]) -> bool {
    let is_scheme = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let scheme = position(text, |byte| !is_scheme(&byte)).unwrap_or(text.len());
    text.first().is_some_and(u8::is_ascii_alphabetic) && text.get(scheme) == Some(&b':')
}

/// Returns true if the line holds a record that starts with a scheme and its colon.
pub(crate) fn holds_uri(line: &[u8], found: &Line) -> bool {
    matches!(found, Line::Record(field) if starts_as_uri(&line[field.range.clone()]))
}

/// Returns the error of an input whose header lacks the field.
pub(crate) fn not_in_header(missing: impl fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the header has no {missing}"))
}
