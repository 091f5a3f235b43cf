//! The records of a chunk of a log, side by side: the scanned values, and the way back to the lines.

use std::borrow::Cow;
use std::collections::TryReserveError;
use std::ops::Range;

use super::chunk_lines::{ChunkLines, LongLine};
use super::line::{ColumnCount, Field, Line, Malformed};
use super::message::find_in_message;
use super::rows::{OpenRow, QuotedRows};
use super::unescape::Escapes;
use crate::batch::Batch;
use crate::column::Columns;
use crate::derived::Page;
use crate::validator::{ScanError, Validator};
use crate::work::{looked_at, memchr, memchr_iter, memrchr, position};

/// The records of a chunk's lines, unescaped and one after the other, each with the line that it comes from, and the roles of the other lines.
/// Each chunk reuses the buffers of the chunk before it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields {
    /// The records, one after the other.
    values: Vec<u8>,
    /// The start of each record in the values, and the end of the last one.
    offsets: Vec<u32>,
    origins: Vec<SourceLine>,
    rewritten: Vec<Rewritten>,
    /// The white space that was trimmed off records: half-open ranges of the chunk's bytes, in order.
    cuts: Vec<Range<u32>>,
    /// The place of each record in its page, if the place is known. Empty if the input has no pages.
    places: Vec<Option<Holder>>,
    /// The pages that the records of an archive come from. Of a page: its part that has a base.
    pages: Vec<PageStart>,
    /// The URIs and the bases of these pages.
    page_texts: Vec<u8>,
    /// The records that are bases of pages.
    bases: Vec<usize>,
    /// The records made of decoded bytes.
    made: Vec<Range<usize>>,
    malformed: Vec<MalformedLine>,
    headers: Vec<HeaderLine>,
    sentinels: u64,
    lines: u64,
    /// The length in bytes of the byte order mark before the first line.
    mark: usize,
    /// The byte that ends a line.
    terminator: u8,
    /// The rows, if they may have more than one line.
    rows: Option<QuotedRows>,
    /// The records that start after the first line of their row.
    inner_lines: Vec<InnerLine>,
    /// Whether a line may hold more than one record.
    has_several_a_line: bool,
    /// If the records come from documents, and not from lines: the number of bytes of the first line that lie before the chunk.
    in_documents: Option<u64>,
}

/// The origin of a record.
#[derive(Clone, Copy, Debug)]
struct SourceLine {
    /// The number of the line in the chunk, counted from 0.
    line: u32,
    /// The start of the line, or of the row that contains it, in the chunk's bytes.
    line_start: u32,
    /// The start of the record, in the chunk's bytes.
    start: u32,
}

/// The element and the attribute of a page that hold a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Holder {
    pub(crate) element: Name,
    pub(crate) attribute: Option<Name>,
}

/// The name of an element or an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    Known(&'static str),
    /// The text of this range of the chunk. The name is that text in lower case.
    At(Range<u32>),
    /// This text. The name is that text in lower case.
    Made(Box<str>),
}

impl Holder {
    pub(crate) fn known(element: &'static str, attribute: &'static str) -> Self {
        Holder { element: Name::Known(element), attribute: Some(Name::Known(attribute)) }
    }

    /// Returns true if this is the place of a `<base href>`.
    pub(crate) fn is_base(&self) -> bool {
        matches!(self, Holder { element: Name::Known("base"), attribute: Some(Name::Known("href")) })
    }

    /// Returns the place in a page with these bytes, which are not the chunk's.
    pub(crate) fn made(self, bytes: &[u8]) -> Self {
        let made = |name| match name {
            name @ Name::At(_) => Name::Made(name.text(bytes).into()),
            name => name,
        };
        Holder { element: made(self.element), attribute: self.attribute.map(made) }
    }

    /// Returns the place with the path `raw`, for example `A@/href`. `raw` starts at `start` of the chunk.
    pub(crate) fn of_path(raw: &[u8], start: usize, escapes: Escapes) -> Self {
        let parts = |path: &[u8]| {
            let element = position(path, |&byte| matches!(byte, b'@' | b'/')).unwrap_or(path.len());
            let attribute = path[element..].starts_with(b"@/").then_some(element + 2..path.len());
            (0..element, attribute)
        };
        if escapes == Escapes::None {
            let name = |part: Range<usize>| Name::At((start + part.start) as u32..(start + part.end) as u32);
            let (element, attribute) = parts(raw);
            return Holder { element: name(element), attribute: attribute.map(name) };
        }
        let mut path = Vec::new();
        escapes.write(raw, &mut path);
        let name = |part: Range<usize>| Name::Made(String::from_utf8_lossy(&path[part]).into());
        let (element, attribute) = parts(&path);
        Holder { element: name(element), attribute: attribute.map(name) }
    }
}

impl Name {
    /// Returns the text of the name. `bytes` are those of the chunk.
    fn text(&self, bytes: &[u8]) -> Cow<'static, str> {
        match self {
            Name::Known(name) => Cow::Borrowed(name),
            Name::At(range) => {
                let name = &bytes[range.start as usize..range.end as usize];
                looked_at(name.len());
                Cow::Owned(String::from_utf8_lossy(name).to_ascii_lowercase())
            }
            Name::Made(name) => Cow::Owned(name.to_ascii_lowercase()),
        }
    }
}

/// The page of the records from `first_record` on.
#[derive(Clone, Debug)]
struct PageStart {
    first_record: usize,
    /// A range of the texts of pages. Only archives have it.
    uri: Option<Range<u32>>,
    base: Option<Range<u32>>,
}

/// The escapes of a record whose bytes differ from the text of its line.
#[derive(Clone, Debug)]
struct Rewritten {
    index: usize,
    field: Field,
    /// The number of bytes trimmed off the record's start.
    trimmed: usize,
}

/// The line of a record that starts after the first line of its row.
#[derive(Clone, Copy, Debug)]
struct InnerLine {
    index: usize,
    /// The start of the line, in the chunk's bytes.
    start: u32,
}

/// A line that describes other lines.
#[derive(Clone, Copy, Debug)]
struct HeaderLine {
    /// The start of the line, in the chunk's bytes.
    start: u32,
}

/// A line that does not fit the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MalformedLine {
    /// The 0-based number of the line in its chunk.
    pub line: u64,
    /// The line's length in bytes, without its end; 0 for a malformed place of a document.
    pub length: u64,
    /// The reason.
    pub reason: Malformed,
    /// The number of the line's columns, if it is wrong.
    pub column_count: Option<ColumnCount>,
    /// In a document, the byte of the line that cannot stand there, counted from 1. Otherwise 1: the whole line does not fit.
    pub column: u64,
}

/// The role of an input's line when lines are sorted by role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LineRole {
    /// The line holds a valid record.
    Valid,
    /// The line holds an invalid record.
    Invalid,
    /// The line describes the others, so each share needs it to be readable again: the header of a table, of an index, or of a W3C log.
    Header,
    /// The line holds no record: it does not fit its format, it has a sentinel in the record's place, or it never holds one, like the lines in the
    /// blocks of a WARC file.
    Rest,
}

impl Fields {
    /// Forgets the last chunk's fields, and makes room for those of `chunk`.
    pub(crate) fn begin(&mut self, chunk: &ChunkLines<'_>) -> Result<(), TryReserveError> {
        self.values.clear();
        self.offsets.clear();
        self.offsets.push(0);
        self.origins.clear();
        self.rewritten.clear();
        self.cuts.clear();
        self.inner_lines.clear();
        self.places.clear();
        self.pages.clear();
        self.page_texts.clear();
        self.bases.clear();
        self.made.clear();
        self.malformed.clear();
        self.headers.clear();
        (self.sentinels, self.lines, self.has_several_a_line, self.in_documents) = (0, 0, false, None);
        (self.mark, self.terminator, self.rows) = (chunk.mark, chunk.terminator, chunk.rows());
        // Only `&nGt;` and `&nLt;` of HTML stand for more bytes than they have, so this is nearly always enough.
        self.values.try_reserve_exact(chunk.bytes.len())
    }

    /// Judges all records at once. The batch's rules for an index also apply to the methods below.
    ///
    /// # Errors
    ///
    /// Returns an error if the records have more than [`Batch::MAX_BYTES`] bytes. A [`FieldSink`] never takes that many.
    pub(crate) fn scan(
        &self,
        validator: &Validator,
        columns: Columns,
        batch: &mut Batch,
    ) -> Result<(), ScanError> {
        validator.scan_ranges(&self.offsets, &self.values, None, columns, batch).map(drop)
    }

    /// Keeps the first `records` records and the first `malformed` malformed lines.
    pub(crate) fn truncate(&mut self, records: usize, malformed: usize) {
        self.origins.truncate(records);
        self.offsets.truncate(records + 1);
        self.malformed.truncate(malformed);
    }

    /// Returns the scanned values: the records, one after the other.
    pub(crate) fn values(&self) -> &[u8] {
        &self.values
    }

    /// Returns the number of records.
    fn len(&self) -> usize {
        self.origins.len()
    }

    /// Returns the number of lines in the chunk, with and without records.
    pub(crate) fn lines(&self) -> u64 {
        self.lines
    }

    /// Returns true if a line may hold more than one record.
    pub(crate) fn has_several_a_line(&self) -> bool {
        self.has_several_a_line
    }

    /// Returns true if the records come from documents, and not from lines.
    pub(crate) fn are_in_documents(&self) -> bool {
        self.in_documents.is_some()
    }

    /// Returns the number of lines with a sentinel: the text in the field's place if the writer has no URI.
    pub(crate) fn sentinels(&self) -> u64 {
        self.sentinels
    }

    /// Returns the lines that do not fit the format, in order.
    pub(crate) fn malformed(&self) -> &[MalformedLine] {
        &self.malformed
    }

    /// Returns the number of header lines, which describe the others.
    pub(crate) fn headers(&self) -> u64 {
        self.headers.len() as u64
    }

    /// Returns the record with this index, counted from 0.
    ///
    /// # Panics
    ///
    /// Panics if the record does not exist.
    pub(crate) fn record(&self, index: usize) -> &[u8] {
        &self.values[self.offsets[index] as usize..self.offsets[index + 1] as usize]
    }

    /// Returns the element and the attribute that hold a record, if the input has pages. `bytes` are those of the chunk.
    pub(crate) fn place(
        &self,
        bytes: &[u8],
        index: usize,
    ) -> Option<(Cow<'static, str>, Option<Cow<'static, str>>)> {
        let Holder { element, attribute } = self.places.get(index)?.as_ref()?;
        Some((element.text(bytes), attribute.as_ref().map(|attribute| attribute.text(bytes))))
    }

    /// Returns the page that a record comes from, if the input is an archive or the page has a base.
    pub(crate) fn page(&self, index: usize) -> Option<Page<'_>> {
        let after = self.pages.partition_point(|page| page.first_record <= index);
        let PageStart { uri, base, .. } = &self.pages[after.checked_sub(1)?];
        let text = |range: &Range<u32>| &self.page_texts[range.start as usize..range.end as usize];
        let is_base = self.bases.binary_search(&index).is_ok();
        Some(Page { uri: uri.as_ref().map(text), base: base.as_ref().filter(|_| !is_base).map(text) })
    }

    fn add_page_text(&mut self, text: &[u8]) -> Range<u32> {
        let start = self.page_texts.len() as u32;
        self.page_texts.extend_from_slice(text);
        looked_at(text.len());
        start..self.page_texts.len() as u32
    }

    /// Returns true if a record is made of decoded bytes. They have no place in the chunk.
    fn is_made(&self, index: usize) -> bool {
        let run = self.made.partition_point(|run| run.end <= index);
        self.made.get(run).is_some_and(|run| run.start <= index)
    }

    /// Returns the 0-based number of a record's line in its chunk.
    pub(crate) fn line_number(&self, index: usize) -> u64 {
        self.origins[index].line.into()
    }

    /// Returns the line or row of a record as read, with its end. `bytes` are those of the chunk that the records come from.
    pub(crate) fn line<'c>(&self, bytes: &'c [u8], index: usize) -> &'c [u8] {
        &bytes[self.line_range(bytes, self.origins[index].line_start)]
    }

    /// Returns the range of the line or row that starts at `start`, with its end.
    fn line_range(&self, bytes: &[u8], start: u32) -> Range<usize> {
        let start = start as usize;
        let end = match self.rows {
            Some(rows) => rows.end(bytes, &mut OpenRow::new(start)),
            None => memchr(self.terminator, &bytes[start..]).map(|length| start + length + 1),
        };
        start..end.unwrap_or(bytes.len())
    }

    /// Returns the byte of its line at which a record starts, counted from 1.
    pub(crate) fn start_column(&self, index: usize) -> u64 {
        let origin = self.origins[index];
        self.column_of(index, (origin.start - origin.line_start) as usize)
    }

    /// Returns the byte of the line that byte `offset` of a record comes from, counted from 1. `bytes` are those of the chunk that the records come
    /// from.
    pub(crate) fn column(&self, bytes: &[u8], index: usize, offset: usize) -> u64 {
        let origin = self.origins[index];
        if self.is_made(index) {
            return self.start_column(index);
        }
        let in_line = match self.rewritten.binary_search_by_key(&index, |rewritten| rewritten.index) {
            Ok(at) => {
                let Rewritten { field, trimmed, .. } = &self.rewritten[at];
                field.origin(&bytes[origin.line_start as usize..], offset + trimmed)
            }
            Err(_) => (origin.start - origin.line_start) as usize + offset,
        };
        self.column_of(index, in_line)
    }

    /// Returns the byte of a record's line, counted from 1. `in_line` counts from the start of the line or row.
    fn column_of(&self, index: usize, in_line: usize) -> u64 {
        let line_start = self.origins[index].line_start as usize;
        match self.inner_lines.binary_search_by_key(&index, |inner| inner.index) {
            Ok(at) => (line_start + in_line - self.inner_lines[at].start as usize) as u64 + 1,
            Err(_) => self.column_in_line(line_start, in_line),
        }
    }

    /// Returns true if a record's line or row is the last one of the chunk. `bytes` are those of the chunk.
    pub(crate) fn is_in_last_line(&self, bytes: &[u8], index: usize) -> bool {
        self.line_range(bytes, self.origins[index].line_start).end == bytes.len()
    }

    /// Returns the byte of a line, counted from 1. The line starts at `line_start` of the chunk, or before the chunk.
    fn column_in_line(&self, line_start: usize, in_line: usize) -> u64 {
        let before =
            if line_start == self.mark { self.mark as u64 + self.in_documents.unwrap_or(0) } else { 0 };
        before + in_line as u64 + 1
    }

    /// Appends this range of the chunk's `bytes`, without the white space trimmed off records.
    pub(crate) fn copy_trimmed(&self, bytes: &[u8], range: Range<usize>, to: &mut Vec<u8>) {
        let mut at = range.start;
        let first = self.cuts.partition_point(|cut| (cut.start as usize) < range.start);
        // If the file changes meanwhile, the ranges can be wrong. Nothing made of these bytes is delivered then.
        let mut copy = |range| to.extend_from_slice(bytes.get(range).unwrap_or_default());
        for cut in self.cuts[first..].iter().take_while(|cut| (cut.start as usize) < range.end) {
            copy(at..cut.start as usize);
            at = cut.end as usize;
        }
        copy(at..range.end);
    }

    /// Corrects the line of the last record if that record is in the row that starts at `row_start`.
    fn find_line(&mut self, chunk: &ChunkLines<'_>, row_start: usize) {
        let Some(origin) = self.origins.last_mut().filter(|origin| origin.line_start as usize == row_start)
        else {
            return;
        };
        let before = &chunk.bytes[row_start..origin.start as usize];
        if let Some(line_end) = memrchr(chunk.terminator, before) {
            origin.line += memchr_iter(chunk.terminator, before).count() as u32;
            let index = self.origins.len() - 1;
            self.inner_lines.push(InnerLine { index, start: (row_start + line_end + 1) as u32 });
        }
    }

    /// Assigns a role to each line of the chunk. `bytes` are those of the chunk. Calls `each` in order with the bytes of each role, line ends
    /// included; together they are all bytes of the chunk. `role_of` takes the index of a record.
    ///
    /// A line has one role: that of its first record.
    pub(crate) fn share_out(
        &self,
        bytes: &[u8],
        role_of: impl Fn(usize) -> LineRole,
        mut each: impl FnMut(LineRole, Range<usize>),
    ) {
        let mut runs = Runs { from: 0, to: 0, role: LineRole::Rest };
        let mut records =
            (0..self.len()).map(|index| (self.origins[index].line_start, Some(index))).peekable();
        let mut headers = self.headers.iter().map(|header| (header.start, None)).peekable();
        while let Some((start, record)) = {
            let is_header_next = match (records.peek(), headers.peek()) {
                (Some((record, _)), Some((header, _))) => header < record,
                (_, header) => header.is_some(),
            };
            if is_header_next { headers.next() } else { records.next() }
        } {
            if (start as usize) < runs.to {
                continue;
            }
            let line = self.line_range(bytes, start);
            // The byte order mark goes with the first line.
            let is_first = line.start == self.mark && runs.to == 0;
            if !is_first {
                runs.extend(line.start, LineRole::Rest, &mut each);
            }
            let role = record.map_or(LineRole::Header, &role_of);
            runs.extend(line.end, role, &mut each);
        }
        runs.extend(bytes.len(), LineRole::Rest, &mut each);
        runs.end(&mut each);
    }
}

/// Merges neighbouring ranges of one role.
struct Runs {
    from: usize,
    to: usize,
    role: LineRole,
}

impl Runs {
    /// Gives this role to the bytes from the end of the last range up to `to`.
    fn extend(&mut self, to: usize, role: LineRole, each: &mut impl FnMut(LineRole, Range<usize>)) {
        if to == self.to {
            return;
        }
        if role != self.role {
            self.end(each);
            (self.from, self.role) = (self.to, role);
        }
        self.to = to;
    }

    fn end(&self, each: &mut impl FnMut(LineRole, Range<usize>)) {
        if self.from < self.to {
            each(self.role, self.from..self.to);
        }
    }
}

/// Takes the classified lines of a chunk.
pub(crate) struct FieldSink<'a> {
    fields: &'a mut Fields,
    trim: bool,
    /// The most bytes of all records of the chunk. The records of a page can be longer than the page.
    most: usize,
}

impl<'a> FieldSink<'a> {
    /// Returns a sink that fills `fields`. If `trim`, it trims ASCII white space off both ends of records.
    pub(crate) fn new(fields: &'a mut Fields, trim: bool) -> Self {
        FieldSink { fields, trim, most: Batch::MAX_BYTES }
    }

    /// Returns the sink with another limit of the bytes of all records.
    #[cfg(test)]
    pub(crate) fn of_at_most(self, most: usize) -> Self {
        FieldSink { most, ..self }
    }

    /// Takes each line of `chunk` as `find` classifies it. `skip` gets the first bytes of each line over the limit.
    #[inline]
    pub(crate) fn take_lines<F>(
        &mut self,
        chunk: &ChunkLines<'_>,
        format: &mut F,
        find: impl Fn(&mut F, &[u8]) -> Line,
        skip: impl Fn(&mut F, &[u8]),
    ) {
        if let Some(LongLine { head, length }) = chunk.long_line {
            skip(format, head);
            return self.take_long(length);
        }
        let mut buffer = Vec::new();
        let mut judge = |line: &[u8]| {
            if line.len() <= chunk.max_record {
                match chunk.unwrap {
                    None => find(format, line),
                    Some(unwrap) => find_in_message(unwrap, line, &mut buffer, |text| find(format, text)),
                }
            } else {
                skip(format, line);
                Line::Malformed(Malformed::TooLong)
            }
        };
        let mut number = 0;
        match chunk.rows() {
            Some(rows) => number = self.take_rows(chunk, rows, judge),
            None => {
                for (start, line) in chunk.iter() {
                    self.take(judge(line), line, start, number);
                    number += 1;
                }
            }
        }
        self.fields.lines = number.into();
    }

    /// Adds each row, classified by `judge`, and returns the number of lines of all rows.
    fn take_rows(
        &mut self,
        chunk: &ChunkLines<'_>,
        rows: QuotedRows,
        mut judge: impl FnMut(&[u8]) -> Line,
    ) -> u32 {
        /// The number of first rows that may be headers. The check of a header does not read its cells to the end.
        const EXACT: u32 = 2;

        let (mut start, mut number) = (chunk.mark, 0);
        while start < chunk.bytes.len() {
            let rest = &chunk.bytes[start..];
            let line_end = memchr(chunk.terminator, rest).map_or(rest.len(), |end| end + 1);
            let line = chunk.without_end(&rest[..line_end]);
            // A row is nearly always a line. If it is not, the last cell of that line is open, unless an earlier cell is malformed.
            let is_exact = number < EXACT || line.len() > chunk.max_record;
            let found = (!is_exact).then(|| judge(line));
            let may_go_on =
                |found: &Line| matches!(found, Line::Malformed(Malformed::OpenCell | Malformed::BehindQuote));
            match found.filter(|found| !may_go_on(found)) {
                Some(found) => {
                    self.take(found, line, start, number);
                    (start, number) = (start + line_end, number + 1);
                }
                None => {
                    let end = rows.end(chunk.bytes, &mut OpenRow::new(start)).unwrap_or(chunk.bytes.len());
                    let row = chunk.without_end(&chunk.bytes[start..end]);
                    self.take(judge(row), row, start, number);
                    self.fields.find_line(chunk, start);
                    let inner = memchr_iter(chunk.terminator, &chunk.bytes[start..end - 1]).count() as u32;
                    (start, number) = (end, number + 1 + inner);
                }
            }
        }
        number
    }

    /// Takes a part of a line over the limit. Only the last part has a length.
    pub(crate) fn take_long(&mut self, length: Option<u64>) {
        if let Some(length) = length {
            self.fields.lines = 1;
            self.fields.malformed.push(MalformedLine {
                line: 0,
                length,
                reason: Malformed::TooLong,
                column_count: None,
                column: 1,
            });
        }
    }

    /// Takes a line that does not fit. `length` is its length in bytes.
    pub(crate) fn take_malformed(&mut self, line: u64, length: u64, reason: Malformed) {
        self.fields.malformed.push(MalformedLine { line, length, reason, column_count: None, column: 1 });
    }

    /// Takes a place at which a document is malformed, in the line that starts at `line_start` of the chunk.
    pub(crate) fn take_malformed_place(
        &mut self,
        reason: Malformed,
        at: usize,
        line_start: usize,
        line: u64,
    ) {
        let column = self.fields.column_in_line(line_start, at - line_start);
        self.fields.malformed.push(MalformedLine { line, length: 0, reason, column_count: None, column });
    }

    /// Sets that the records come from documents. `before` is the number of bytes of the first line before the chunk.
    pub(crate) fn set_documents(&mut self, before: u64) {
        (self.fields.has_several_a_line, self.fields.in_documents) = (true, Some(before));
    }

    /// Sets that lines may hold more than one record.
    pub(crate) fn set_several_a_line(&mut self) {
        self.fields.has_several_a_line = true;
    }

    /// Sets the number of lines of the chunk.
    pub(crate) fn set_lines(&mut self, lines: u64) {
        self.fields.lines = lines;
    }

    /// Returns true if the records of the chunk may have `len` more bytes.
    #[inline]
    fn has_room(&self, len: usize) -> bool {
        len <= self.most - self.fields.values.len()
    }

    /// Takes the line with this number, which starts at `start` of the chunk. If the records of the chunk would become too long for offsets of 32
    /// bits, takes a malformed line instead.
    #[inline]
    pub(crate) fn take(&mut self, found: Line, line: &[u8], start: usize, number: u32) {
        match found {
            Line::Record(field) if field.is_plain() && !self.trim && self.has_room(field.range.len()) => {
                self.fields.values.extend_from_slice(&line[field.range.clone()]);
                self.end_record(start, start + field.range.start, number);
            }
            found => self.take_other(found, line, start, number),
        }
    }

    /// Takes a record of a page, as [`take`](Self::take) does. `place` is the element and the attribute that hold it. Returns false if there is no
    /// room for it.
    #[inline]
    pub(crate) fn take_at(
        &mut self,
        place: Option<Holder>,
        found: Line,
        line: &[u8],
        start: usize,
        number: u32,
    ) -> bool {
        let before = self.fields.origins.len();
        self.take(found, line, start, number);
        let is_taken = self.fields.origins.len() > before;
        if is_taken {
            self.fields.places.push(place);
        }
        is_taken
    }

    /// Takes a record of decoded bytes, which are not in the chunk. The record counts as one at `start` of the chunk, in the line that starts
    /// at `line_start`. Returns false, and takes nothing, if the records of the chunk would become too long, or if memory runs out.
    #[must_use]
    pub(crate) fn take_made(
        &mut self,
        place: Holder,
        raw: &[u8],
        escapes: Escapes,
        (line_start, start): (usize, usize),
        number: u32,
    ) -> bool {
        // Unescaping never makes a text longer than twice its length.
        let most = raw.len().saturating_mul(2);
        if !self.has_room(most) || self.fields.values.try_reserve(most).is_err() {
            return false;
        }
        let fields = &mut *self.fields;
        escapes.write(raw, &mut fields.values);
        let index = fields.origins.len();
        match fields.made.last_mut() {
            Some(run) if run.end == index => run.end += 1,
            _ => fields.made.push(index..index + 1),
        }
        fields.places.push(Some(place));
        self.end_record(line_start, start, number);
        true
    }

    /// Sets the page that the next records come from. An empty URI is unknown.
    pub(crate) fn begin_page(&mut self, uri: &[u8]) {
        let first_record = self.fields.origins.len();
        let uri = (!uri.is_empty()).then(|| self.fields.add_page_text(uri));
        self.fields.pages.push(PageStart { first_record, uri, base: None });
    }

    /// Sets the base of the page that the records come from.
    pub(crate) fn begin_based(&mut self, base: &[u8]) {
        let first_record = self.fields.origins.len();
        let base = Some(self.fields.add_page_text(base));
        self.fields.pages.push(PageStart { first_record, uri: None, base });
    }

    /// Marks the last record as a `<base href>`. The first one of a page is the base of the page's other records; in an archive also of the records
    /// before it. Each `<base href>` itself is relative to the page.
    pub(crate) fn last_is_base(&mut self) {
        let fields = &mut *self.fields;
        let index = fields.origins.len() - 1;
        fields.bases.push(index);
        if fields.pages.last().is_some_and(|page| page.base.is_some()) {
            return;
        }
        let base = fields.record(index).to_vec();
        let base = Some(fields.add_page_text(&base));
        match fields.pages.last_mut() {
            Some(page) => page.base = base,
            None => fields.pages.push(PageStart { first_record: index, uri: None, base }),
        }
    }

    /// Takes a line of one of the rarer roles.
    #[inline(never)]
    fn take_other(&mut self, found: Line, line: &[u8], start: usize, number: u32) {
        let fields = &mut *self.fields;
        let mut field = match found {
            Line::Header => return fields.headers.push(HeaderLine { start: start as u32 }),
            Line::Sentinel => {
                fields.sentinels += 1;
                return;
            }
            Line::Malformed(reason) => return self.take_malformed(number.into(), line.len() as u64, reason),
            Line::ColumnCount(count) => {
                return fields.malformed.push(MalformedLine {
                    line: number.into(),
                    length: line.len() as u64,
                    reason: count.reason(),
                    column_count: Some(count),
                    column: 1,
                });
            }
            Line::Record(field) => field,
        };
        if !self.has_room_for(&field, line) {
            return self.take_too_long(&field, line, start, number);
        }
        if field.is_in_place() {
            if self.trim {
                let [head, tail] = trim(line, &mut field);
                self.cut(start, head);
                self.cut(start, tail);
            }
            field.write(line, &mut self.fields.values);
        } else {
            field = self.take_rewritten(field, line, start);
        }
        self.end_record(start, start + field.range.start, number);
    }

    /// Returns true if the records of the chunk may have the bytes of this field, too. A field is only read if it is so long that its escapes
    /// matter.
    fn has_room_for(&self, field: &Field, line: &[u8]) -> bool {
        let raw = field.range.len() + field.tail.len() + 1;
        self.has_room(raw.saturating_mul(2)) || self.has_room(field.text_len(line))
    }

    /// Takes a field for which the records of the chunk have no room.
    #[cold]
    fn take_too_long(&mut self, field: &Field, line: &[u8], start: usize, number: u32) {
        if self.fields.are_in_documents() {
            let at = start + field.range.start;
            self.take_malformed_place(Malformed::TooLong, at, start, number.into());
        } else {
            self.take_malformed(number.into(), line.len() as u64, Malformed::TooLong);
        }
    }

    /// Ends the record whose value was added last, and stores where it and its line start in the chunk.
    #[inline]
    fn end_record(&mut self, line_start: usize, start: usize, line: u32) {
        let Fields { values, offsets, origins, .. } = &mut *self.fields;
        looked_at(values.len() + 1 - offsets.last().map_or(0, |&end| end as usize));
        origins.push(SourceLine { line, line_start: line_start as u32, start: start as u32 });
        offsets.push(values.len() as u32);
    }

    /// Writes a field whose record differs from the text of its line. The returned field starts where the record starts.
    fn take_rewritten(&mut self, field: Field, line: &[u8], line_start: usize) -> Field {
        let fields = &mut *self.fields;
        let index = fields.origins.len();
        let from = fields.values.len();
        field.write(line, &mut fields.values);
        let mut trimmed = 0;
        if self.trim {
            let record = fields.values[from..].trim_ascii_end();
            let end = from + record.len();
            trimmed = record.len() - record.trim_ascii_start().len();
            fields.values.truncate(end);
            fields.values.drain(from..from + trimmed);
            let last = if field.tail.is_empty() { field.range.end } else { field.tail.end };
            self.cut(line_start, field.range.start..field.origin(line, trimmed));
            self.cut(line_start, field.origin(line, end - from)..last);
        }
        let start = field.origin(line, trimmed);
        let range = start..field.range.end.max(start);
        let shown = Field { range, ..field.clone() };
        self.fields.rewritten.push(Rewritten { index, field, trimmed });
        shown
    }

    /// Stores the bytes that were trimmed off a record. `range` counts from `line_start`, the start of the line.
    fn cut(&mut self, line_start: usize, range: Range<usize>) {
        if !range.is_empty() {
            self.fields.cuts.push((line_start + range.start) as u32..(line_start + range.end) as u32);
        }
    }
}

/// Removes white space from both ends of a field that needs no unescaping, and returns the removed ranges.
fn trim(line: &[u8], field: &mut Field) -> [Range<usize>; 2] {
    let part = if field.tail.is_empty() { &mut field.range } else { &mut field.tail };
    let end = part.end;
    part.end -= line[part.clone()].len() - line[part.clone()].trim_ascii_end().len();
    let tail = part.end..end;
    let start = field.range.start;
    field.range.start = field.range.end - line[field.range.clone()].trim_ascii_start().len();
    [start..field.range.start, tail]
}
