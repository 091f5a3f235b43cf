//! Takes the records of a chunk and the roles of its other lines: the writer of [`Fields`].

use std::ops::Range;

use super::{Fields, HeaderLine, Rewritten, SourceLine};
use crate::batch::Batch;
use crate::corpus::format::lines::chunk_lines::{ChunkLines, LongLine};
use crate::corpus::format::lines::element::Holder;
use crate::corpus::format::lines::line::{Field, Line, Malformed, MalformedLine};
use crate::corpus::format::lines::marked_rows::{MarkedRows, TableFormat};
use crate::corpus::format::lines::message::find_in_message;
use crate::corpus::format::lines::rows::{OpenRow, QuotedRows};
use crate::corpus::format::lines::unescape::Escapes;
use crate::corpus::limits::PieceLimits;
use crate::memory::{self, OutOfMemory};
use crate::simd::WINDOW;
use crate::work::{looked_at, memchr, memchr_iter};

/// The number of first rows that may be headers. The check of a header does not read its cells to the end.
const FIRST_ROWS: u32 = 2;

/// Takes the classified lines of a chunk.
pub(crate) struct FieldSink<'a> {
    fields: &'a mut Fields,
    trim: bool,
    /// The most bytes of all records of the chunk. The records of a page can be longer than the page.
    most: usize,
    limits: PieceLimits,
    /// Takes each piece except the last one, which stays in the fields.
    take_piece: Option<&'a mut dyn FnMut(&Fields)>,
}

impl<'a> FieldSink<'a> {
    /// Returns a sink that fills `fields`. If `trim`, it trims ASCII white space off both ends of records.
    pub(crate) fn new(fields: &'a mut Fields, trim: bool) -> Self {
        FieldSink { fields, trim, most: Batch::MAX_BYTES, limits: PieceLimits::NONE, take_piece: None }
    }

    /// Returns the sink with limits of a piece. `take_piece` gets each piece except the last one, which stays
    /// in the fields.
    pub(crate) fn in_pieces(self, limits: PieceLimits, take_piece: &'a mut dyn FnMut(&Fields)) -> Self {
        FieldSink { limits, take_piece: Some(take_piece), ..self }
    }

    /// Returns the sink with another limit of the bytes of all records.
    #[cfg(test)]
    pub(crate) fn of_at_most(self, most: usize) -> Self {
        FieldSink { most, ..self }
    }

    /// Takes each line of `chunk`, which is no table, as `find` classifies it. `skip` gets the first bytes of
    /// each line over the limit.
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
        for (start, line) in chunk.iter() {
            self.take(judge(line), line, start, number);
            number += 1;
        }
        self.fields.lines = number.into();
    }

    /// Takes each line of `chunk`, which has no part of a line over the limit. `find_at` gets the start of a line in
    /// the chunk, and returns the line's record and its end if it finds both at once. `find` classifies the other lines.
    #[inline]
    pub(crate) fn take_lines_at<F>(
        &mut self,
        chunk: &ChunkLines<'_>,
        format: &mut F,
        mut find_at: impl FnMut(&mut F, usize) -> Option<(Range<usize>, usize)>,
        find: impl Fn(&mut F, &[u8]) -> Line,
    ) {
        let bytes = chunk.bytes;
        let (mut start, mut number) = (chunk.mark, 0);
        while start < bytes.len() {
            match find_at(format, start) {
                Some((record, end)) if end - start <= chunk.max_record => {
                    let line = &bytes[start..end];
                    let within = record.start - start..record.end - start;
                    self.take(Line::unescaped(within), line, start, number);
                    start = end + 1 + usize::from(bytes[end] == b'\r');
                }
                _ => {
                    let end =
                        memchr(chunk.terminator, &bytes[start..]).map_or(bytes.len(), |end| start + end + 1);
                    let line = chunk.without_end(&bytes[start..end]);
                    let found = match line.len() <= chunk.max_record {
                        true => find(format, line),
                        false => Line::Malformed(Malformed::TooLong),
                    };
                    self.take(found, line, start, number);
                    start = end;
                }
            }
            number += 1;
        }
        self.fields.lines = number.into();
    }

    /// Takes each row of a table. The [marked](crate::corpus::format::lines::marked_rows) ones take half of the
    /// time.
    pub(crate) fn take_table<T: TableFormat>(&mut self, chunk: &ChunkLines<'_>, table: &mut T) {
        if let Some(LongLine { head, length }) = chunk.long_line {
            table.skip_row(head);
            return self.take_long(length);
        }
        let rows = chunk.rows();
        let (mut start, mut number) = (chunk.mark, 0);
        let mut marked_rows = None;
        while start < chunk.bytes.len() {
            if number >= FIRST_ROWS && marked_rows.is_none() {
                marked_rows = Some(table.marked_rows(chunk));
            }
            if let Some(Some(rows)) = &mut marked_rows
                && rows.find(start) > 0
            {
                (start, number) = self.take_marked(chunk, table, rows, start, number);
                continue;
            }
            let judge = |line: &[u8]| {
                if line.len() <= chunk.max_record {
                    return table.find_row(line);
                }
                table.skip_row(line);
                Line::Malformed(Malformed::TooLong)
            };
            let (end, lines) = self.take_row(chunk, rows, start, number, judge);
            (start, number) = (end, number + lines);
        }
        self.fields.lines = number.into();
    }

    /// Takes the marked rows of a window, from `start` on. Returns the end of the last row, and the number of the
    /// next line.
    fn take_marked<T: TableFormat>(
        &mut self,
        chunk: &ChunkLines<'_>,
        table: &T,
        rows: &MarkedRows<'_>,
        mut start: usize,
        mut number: u32,
    ) -> (usize, u32) {
        let has_room = self.takes_unchanged(WINDOW) && self.reserve(WINDOW);
        for row in rows.iter() {
            match &row.cell {
                Some(cell) if has_room && table.is_record(chunk.bytes, &row) => {
                    append(&mut self.fields.values, chunk.bytes, cell.clone());
                    self.end_record(start, cell.start, number);
                }
                _ => {
                    let line = chunk.without_end(&chunk.bytes[start..=row.end]);
                    self.take(table.find_marked(line, start, &row), line, start, number);
                }
            }
            (start, number) = (row.end + 1, number + 1);
        }
        (start, number)
    }

    /// Adds the row at `start`, classified by `judge`. Returns its end, with its line end, and the number of
    /// its lines. Without `rows`, a row is a line.
    fn take_row(
        &mut self,
        chunk: &ChunkLines<'_>,
        rows: Option<QuotedRows>,
        start: usize,
        number: u32,
        mut judge: impl FnMut(&[u8]) -> Line,
    ) -> (usize, u32) {
        let rest = &chunk.bytes[start..];
        let line_end = memchr(chunk.terminator, rest).map_or(rest.len(), |end| end + 1);
        let line = chunk.without_end(&rest[..line_end]);
        // A row is nearly always a line. If it is not, the last cell of that line is open, unless an earlier
        // cell is malformed.
        let is_exact = rows.is_some() && (number < FIRST_ROWS || line.len() > chunk.max_record);
        let found = (!is_exact).then(|| judge(line));
        let may_go_on =
            |found: &Line| matches!(found, Line::Malformed(Malformed::OpenCell | Malformed::TextAfterQuote));
        match (found, rows) {
            (Some(found), rows) if rows.is_none() || !may_go_on(&found) => {
                self.take(found, line, start, number);
                (start + line_end, 1)
            }
            (_, rows) => {
                let end = rows.and_then(|rows| rows.end(chunk.bytes, &mut OpenRow::new(start)));
                let end = end.unwrap_or(chunk.bytes.len());
                let row = chunk.without_end(&chunk.bytes[start..end]);
                self.take(judge(row), row, start, number);
                self.fields.find_line(chunk, start);
                let inner = memchr_iter(chunk.terminator, &chunk.bytes[start..end - 1]).count() as u32;
                (end, 1 + inner)
            }
        }
    }

    /// Takes a part of a line over the limit. Only the last part has a length.
    pub(crate) fn take_long(&mut self, length: Option<u64>) {
        if let Some(length) = length {
            self.fields.lines = 1;
            self.keep_malformed(MalformedLine {
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
        self.keep_malformed(MalformedLine { line, length, reason, column_count: None, column: 1 });
    }

    fn keep_malformed(&mut self, line: MalformedLine) {
        memory::keep(&mut self.fields.malformed, line, &mut self.fields.lack);
    }

    /// Takes a malformed place of an input whose chunks can end within lines, in the line that starts at
    /// `line_start` of the chunk.
    pub(crate) fn take_malformed_place(
        &mut self,
        reason: Malformed,
        at: usize,
        line_start: usize,
        line: u64,
    ) {
        let column = self.fields.column_in_line(line_start, at - line_start);
        self.keep_malformed(MalformedLine { line, length: 0, reason, column_count: None, column });
    }

    /// Returns true if the records are a whole piece, so that [`begin_piece`](Self::begin_piece) hands them
    /// out.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.fields.fill(self.limits)
    }

    /// Hands out the records if they are a whole piece. A format in which a line can hold several records
    /// calls this before each record and each malformed place.
    #[inline]
    pub(crate) fn begin_piece(&mut self) {
        if self.is_full() {
            self.hand_out();
        }
    }

    #[cold]
    fn hand_out(&mut self) {
        if let Some(take_piece) = &mut self.take_piece {
            // Without memory, the records are incomplete.
            if self.fields.lack.is_none() {
                take_piece(self.fields);
            }
            self.fields.begin_piece();
        }
    }

    /// Sets that the records come from documents.
    pub(crate) fn set_documents(&mut self) {
        (self.fields.has_several_a_line, self.fields.in_documents) = (true, true);
    }

    /// Sets the number of bytes of the first line that lie before the chunk.
    pub(crate) fn set_bytes_before(&mut self, before: u64) {
        self.fields.bytes_before = before;
    }

    /// Sets that lines may hold more than one record.
    pub(crate) fn set_several_a_line(&mut self) {
        self.fields.has_several_a_line = true;
    }

    /// Sets the number of lines of the chunk.
    pub(crate) fn set_lines(&mut self, lines: u64) {
        self.fields.lines = lines;
    }

    /// Notes a lack of memory, which is an error of the chunk.
    pub(crate) fn note_lack(&mut self, lack: Option<OutOfMemory>) {
        self.fields.lack = self.fields.lack.or(lack);
    }

    /// Reserves memory for `len` more bytes of records. If memory runs out, notes the error and returns
    /// false.
    #[inline]
    fn reserve(&mut self, len: usize) -> bool {
        let result = memory::try_reserve(&mut self.fields.values, len);
        result.map_err(|error| self.fields.lack = Some(error)).is_ok()
    }

    /// Returns true if the records of the chunk may have `len` more bytes.
    #[inline]
    fn has_room(&self, len: usize) -> bool {
        len <= self.most - self.fields.values.len()
    }

    /// Takes the line with this number, which starts at `start` of the chunk. If the records of the chunk
    /// would become too long for offsets of 32 bits, takes a malformed line instead.
    #[inline]
    pub(crate) fn take(&mut self, found: Line, line: &[u8], start: usize, number: u32) {
        match found {
            Line::Record(field) if field.is_unescaped() && self.takes_unchanged(field.range.len()) => {
                let at = start + field.range.start;
                self.take_unchanged(&line[field.range], start, at, number);
            }
            found => self.take_other(found, line, start, number),
        }
    }

    /// Returns true if there is room for a record of this length, and records are not trimmed.
    #[inline]
    pub(crate) fn takes_unchanged(&self, len: usize) -> bool {
        !self.trim && self.has_room(len)
    }

    /// Takes a record that stands in the chunk from `start` on.
    #[inline]
    fn take_unchanged(&mut self, value: &[u8], line_start: usize, start: usize, number: u32) {
        if self.reserve(value.len()) {
            self.fields.values.extend_from_slice(value);
            self.end_record(line_start, start, number);
        }
    }

    /// Takes a record of a page, as [`take`](Self::take) does. `place` is the element and the attribute that
    /// hold it. Returns false if there is no room for it.
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
        self.keep_place(place, before)
    }

    /// Takes a record that stands in the chunk from `start` on, if it [can](Self::takes_unchanged) be taken
    /// unchanged. Returns false if there is no memory for it.
    #[inline]
    pub(crate) fn take_unchanged_at(
        &mut self,
        place: Option<Holder>,
        value: &[u8],
        line_start: usize,
        start: usize,
        number: u32,
    ) -> bool {
        let before = self.fields.origins.len();
        self.take_unchanged(value, line_start, start, number);
        self.keep_place(place, before)
    }

    /// Keeps the place of the last record, unless there are no more than `before`. Returns whether there are.
    #[inline]
    fn keep_place(&mut self, place: Option<Holder>, before: usize) -> bool {
        let is_taken = self.fields.origins.len() > before;
        if is_taken {
            memory::keep(&mut self.fields.places, place, &mut self.fields.lack);
        }
        is_taken
    }

    /// Takes a record of decoded bytes, which are not in the chunk. The record counts as one at `start` of
    /// the chunk, in the line that starts at `line_start`. Returns false, and takes nothing, if the records
    /// of the chunk would become too long, or if memory runs out.
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
        if !self.has_room(most) || !self.reserve(most) {
            return false;
        }
        let fields = &mut *self.fields;
        escapes.write(raw, &mut fields.values);
        let index = fields.origins.len();
        match fields.made.last_mut() {
            Some(run) if run.end == index => run.end += 1,
            _ => memory::keep(&mut fields.made, index..index + 1, &mut fields.lack),
        }
        memory::keep(&mut fields.places, Some(place), &mut fields.lack);
        self.end_record(line_start, start, number);
        true
    }

    /// Sets the page that the next records come from. An empty URI is unknown.
    pub(crate) fn begin_page(&mut self, uri: &[u8]) {
        self.fields.pages.begin(self.fields.origins.len(), uri);
    }

    /// Returns true if the page that the next records come from has a base so far.
    pub(crate) fn page_has_base(&self) -> bool {
        self.fields.pages.has_base()
    }

    /// Sets the base of the page that the next records come from. The record of the base follows.
    pub(crate) fn set_page_base(&mut self, base: &[u8]) {
        self.fields.pages.set_base(base);
    }

    /// Sets the base of the page that the records come from.
    pub(crate) fn begin_based(&mut self, base: &[u8]) {
        self.fields.pages.begin_based(self.fields.origins.len(), base);
    }

    /// Sets the base of the next records, or that they have none.
    #[cfg(feature = "xml")]
    pub(crate) fn set_base(&mut self, base: Option<&[u8]>) {
        let first_record = self.fields.origins.len();
        match base {
            Some(base) => self.fields.pages.begin_based(first_record, base),
            None => self.fields.pages.end(first_record),
        }
    }

    /// Marks the last record as a base that no other base in the document precedes.
    #[cfg(feature = "xml")]
    pub(crate) fn last_needs_no_base(&mut self) {
        // Without memory, the record may be missing.
        if let Some(index) = self.fields.origins.len().checked_sub(1) {
            self.fields.pages.add_first_base(index);
        }
    }

    /// Marks the last record as a `<base href>`.
    pub(crate) fn last_is_base(&mut self) {
        // Without memory, the record may be missing.
        let Some(index) = self.fields.origins.len().checked_sub(1) else { return };
        let Fields { pages, values, offsets, .. } = &mut *self.fields;
        pages.add_base(index, &values[offsets[index] as usize..offsets[index + 1] as usize]);
    }

    /// Takes a line of one of the rarer roles.
    #[inline(never)]
    fn take_other(&mut self, found: Line, line: &[u8], start: usize, number: u32) {
        let fields = &mut *self.fields;
        let mut field = match found {
            Line::Header => {
                return memory::keep(
                    &mut fields.headers,
                    HeaderLine { start: start as u32 },
                    &mut fields.lack,
                );
            }
            Line::Sentinel => {
                fields.sentinels += 1;
                return;
            }
            Line::WithoutKey => {
                fields.without_key += 1;
                return;
            }
            Line::Malformed(reason) => return self.take_malformed(number.into(), line.len() as u64, reason),
            Line::ColumnCount(count) => {
                return self.keep_malformed(MalformedLine {
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
        // Unescaping never makes a text longer than twice its length. The exact length is found only if that
        // does not fit.
        let most = (field.range.len() + field.tail.len() + 1).saturating_mul(2);
        let free = self.fields.values.capacity() - self.fields.values.len();
        if most > free && !self.reserve(field.text_len(line)) {
            return;
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

    /// Returns true if the records of the chunk may have the bytes of this field, too. A field is only read
    /// if it is so long that its escapes matter.
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
        let Fields { values, offsets, origins, lack, .. } = &mut *self.fields;
        looked_at(values.len() + 1 - offsets.last().map_or(0, |&end| end as usize));
        memory::keep(offsets, values.len() as u32, lack);
        if lack.is_none() {
            memory::keep(
                origins,
                SourceLine { line, line_start: line_start as u32, start: start as u32 },
                lack,
            );
        }
    }

    /// Writes a field whose record differs from the text of its line. The returned field starts where the
    /// record starts.
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
        let rewritten = Rewritten { index, field, trimmed };
        memory::keep(&mut self.fields.rewritten, rewritten, &mut self.fields.lack);
        shown
    }

    /// Stores the bytes that were trimmed off a record. `range` counts from `line_start`, the start of the
    /// line.
    fn cut(&mut self, line_start: usize, range: Range<usize>) {
        if !range.is_empty() {
            let cut = (line_start + range.start) as u32..(line_start + range.end) as u32;
            memory::keep(&mut self.fields.cuts, cut, &mut self.fields.lack);
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

/// Appends this part of `bytes`.
#[inline]
fn append(values: &mut Vec<u8>, bytes: &[u8], part: Range<usize>) {
    /// The bytes that are copied for a shorter part, too: a copy of a fixed size needs no function call.
    const BLOCK: usize = 128;

    let end = values.len() + part.len();
    match bytes[part.start..].first_chunk::<BLOCK>() {
        Some(block) if part.len() <= BLOCK && values.capacity() - values.len() >= BLOCK => {
            values.extend_from_slice(block);
            values.truncate(end);
        }
        _ => values.extend_from_slice(&bytes[part]),
    }
}
