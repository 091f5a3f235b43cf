//! The fields of the lines of a chunk beside the records, and the numbers of the rows.
//!
//! Both are found when a row is made. A scan does nothing for them, except that it counts rows if they are
//! numbered.

use std::collections::HashSet;
use std::ops::Range;

use super::line_walk::LineWalk;
use super::scanned::{RecordSource, Scanned};
use crate::corpus::cut::chunk::Chunk;
use crate::corpus::format::{ChunkLines, Format, LineFields, MOST_NAMES, MalformedLine, Place};
use crate::memory::{self, OutOfMemory};
use crate::row_column::RowColumn;

/// The columns of rows that a scan makes of lines, and not of records: [`RowColumn::Log`] and
/// [`RowColumn::Row`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogColumns {
    /// The names of the fields.
    names: Vec<&'static str>,
    has_rows: bool,
}

impl LogColumns {
    /// Picks these columns from those of a row.
    pub fn among(columns: impl IntoIterator<Item = RowColumn>) -> Self {
        let mut picked = LogColumns::default();
        for column in columns {
            picked.has_rows |= column == RowColumn::Row;
            picked.names.extend(column.log_field());
        }
        picked
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        !self.has_rows && self.names.is_empty()
    }

    /// Returns the number of fields.
    pub fn fields(&self) -> usize {
        self.names.len()
    }

    /// Returns true if rows are numbered.
    pub fn has_rows(&self) -> bool {
        self.has_rows
    }

    /// Returns the columns of both.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        self.has_rows |= other.has_rows;
        let known: HashSet<_> = self.names.iter().copied().collect();
        self.names.extend(other.names.iter().filter(|name| !known.contains(*name)));
        self
    }

    /// Returns the reason why a chunk cannot have these fields: its format has none, or not these.
    pub fn refuse(&self, chunk: &Chunk<'_>) -> Option<String> {
        let layout = chunk.layout();
        let format = layout.format();
        if self.names.is_empty() {
            return None;
        }
        if !layout.has_fields() {
            return Some(format!("the column log.{}: the format {format} has no fields", self.names[0]));
        }
        let name = *layout.unknown_fields(&self.names).first()?;
        let known = layout.field_names(None, &[]);
        let known = if known.is_empty() { "no such field".to_owned() } else { known.join(", ") };
        Some(format!("the column log.{name}: the format {format} has {known}"))
    }
}

/// The fields of the line of one record after the other, and the number of its row.
///
/// ```
/// use std::ops::ControlFlow;
/// use urivalidate::corpus::{ChunkScanner, Format, Layout, LayoutOptions, LogColumns, LogFields, Scanner};
/// use urivalidate::{Columns, RowColumn, Validator};
///
/// let table = b"id,url\n7,http://example.com/\n";
/// let layout = Layout::new(Format::Csv, &LayoutOptions::default())?;
/// let validator = Validator::new(layout.grammar());
/// let columns = LogColumns::among(["log.id", "row"].into_iter().filter_map(RowColumn::of_name));
/// let job = |chunk: &urivalidate::corpus::Chunk<'_>| {
///     let mut chunk_scanner = ChunkScanner::default();
///     let scanned = chunk_scanner.scan(chunk, &validator, Columns::NONE).unwrap();
///     let mut fields = LogFields::new(&scanned, &columns);
///     fields.of_record(0).unwrap();
///     (fields.text(0).map(<[u8]>::to_vec), fields.row())
/// };
/// let mut found = Vec::new();
/// let scanner = Scanner::new().layout(layout.clone()).keep_headers(true).number_rows(true);
/// scanner.scan_slice(table, job, |row| {
///     found.push(row);
///     ControlFlow::<()>::Continue(())
/// })?;
/// assert_eq!(found, [(Some(b"7".to_vec()), Some(1))]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LogFields<'a> {
    scanned: Scanned<'a>,
    names: &'a [&'static str],
    has_rows: bool,
    /// The lines of the chunk, if its records are fields of lines.
    walk: Option<LineWalk<'a>>,
    /// The start of the header that names the columns, if that header is in the chunk.
    header: Option<usize>,
    /// Finds the fields in the lines after that header.
    fields: Option<Box<dyn LineFields>>,
    /// The places of the fields in the line that was cut last, or in its message without the wrapper.
    places: Vec<Option<Place>>,
    /// The line, and the texts that are not in it unchanged.
    line: &'a [u8],
    made: Vec<u8>,
    texts: Vec<Text>,
    row: Option<u64>,
}

/// The text of a field.
#[derive(Clone, Debug)]
enum Text {
    Absent,
    InLine(Range<usize>),
    Made(Range<usize>),
}

impl<'a> LogFields<'a> {
    /// Returns the fields of no record yet.
    pub fn new(scanned: &Scanned<'a>, columns: &'a LogColumns) -> Self {
        let chunk = scanned.chunk();
        let walk = match scanned.records {
            RecordSource::Fields(fields) if !columns.is_empty() => LineWalk::new(chunk, fields),
            _ => None,
        };
        let mut fields = LogFields {
            scanned: *scanned,
            names: &columns.names,
            has_rows: columns.has_rows,
            walk,
            header: None,
            fields: None,
            places: vec![None; columns.names.len()],
            line: &[],
            made: Vec::new(),
            texts: vec![Text::Absent; columns.names.len()],
            row: None,
        };
        if !fields.names.is_empty() && fields.walk.is_some() {
            fields.fields = chunk.layout().line_fields(chunk.layout().header(), fields.names);
        }
        fields
    }

    /// Finds the fields of the line of a record. Records and lines should come in order: a step back starts
    /// again at the first line of the chunk.
    ///
    /// # Errors
    ///
    /// Returns an error if memory for the line is lacking.
    pub fn of_record(&mut self, index: usize) -> Result<(), OutOfMemory> {
        match (self.scanned.records, self.scanned.chunk().layout().format()) {
            (RecordSource::Fields(fields), _) => {
                let start = fields.line_start(self.scanned.number(index));
                self.go(|walk| walk.go_to_start(start))
            }
            (_, Format::Lines) if self.has_rows => {
                // Each line of a list is a row, whether it is blank or not.
                let first = self.scanned.chunk().first_line();
                self.row = first.zip(self.scanned.line_number(index)).map(|(first, line)| first + line);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Finds the fields of a line that does not fit the format.
    ///
    /// # Errors
    ///
    /// Returns an error if memory for the line is lacking.
    pub fn of_malformed(&mut self, line: &MalformedLine) -> Result<(), OutOfMemory> {
        if self.has_rows && self.scanned.chunk().is_part() {
            self.row = self.scanned.chunk().first_row();
        }
        self.go(|walk| walk.go_to_line(line.line))
    }

    /// Returns the text of the field with this index among the columns. `None` if the line has no such field,
    /// or a text that stands for a missing one.
    pub fn text(&self, index: usize) -> Option<&[u8]> {
        match self.texts.get(index)? {
            Text::Absent => None,
            Text::InLine(range) => self.line.get(range.clone()),
            Text::Made(range) => self.made.get(range.clone()),
        }
    }

    /// Returns the 1-based number of the row: of the row of a table, or of the line of a log, where headers
    /// and blank lines do not count. `None` if the line is blank, the records are not in rows, or the scanner
    /// does not [number rows](crate::corpus::Scanner::number_rows).
    pub fn row(&self) -> Option<u64> {
        self.row
    }

    fn go(&mut self, to: impl Fn(&mut LineWalk<'a>) -> bool) -> Result<(), OutOfMemory> {
        self.places.fill(None);
        self.texts.fill(Text::Absent);
        self.made.clear();
        let Some(walk) = &mut self.walk else { return Ok(()) };
        let chunk = self.scanned.chunk();
        if !to(walk) {
            // The record comes before the last one.
            let RecordSource::Fields(fields) = self.scanned.records else { return Ok(()) };
            let Some(again) = LineWalk::new(chunk, fields) else { return Ok(()) };
            *walk = again;
            if !to(walk) {
                self.row = None;
                return Ok(());
            }
        }
        let line = walk.line();
        if self.has_rows {
            let first = chunk.first_row().filter(|_| !line.is_empty());
            self.row = first.map(|first| first + walk.rows_before());
        }
        if self.names.is_empty() {
            return Ok(());
        }
        let header = walk.header();
        if header.map(|(start, _)| start) != self.header {
            self.header = header.map(|(start, _)| start);
            let header = header.map(|(_, line)| line).or(chunk.layout().header());
            self.fields = chunk.layout().line_fields(header, self.names);
        }
        let (Some(fields), false) = (&mut self.fields, line.len() > walk.lines().max_record) else {
            return Ok(());
        };
        self.line = line;
        match walk.lines().unwrap.and_then(|unwrap| unwrap(line)) {
            None => {
                fields.cut(line, &mut self.places);
                self.keep(line, true)
            }
            Some(message) => {
                let mut room = Vec::new();
                memory::try_reserve(&mut room, line.len())?;
                let text = message.text(line, &mut room);
                fields.cut(text, &mut self.places);
                self.keep(text, false)
            }
        }
    }

    /// Keeps the texts of the places in `text`, with their escapes undone. `is_line` is true if it is the
    /// line itself, whose texts need no copies.
    fn keep(&mut self, text: &[u8], is_line: bool) -> Result<(), OutOfMemory> {
        for (kept, place) in self.texts.iter_mut().zip(&self.places) {
            let Some(Place { range, escapes }) = place else { continue };
            if is_line && escapes.is_none() {
                *kept = Text::InLine(range.clone());
                continue;
            }
            let (raw, start) = (&text[range.clone()], self.made.len());
            memory::try_reserve(&mut self.made, escapes.text_len(raw))?;
            escapes.write(raw, &mut self.made);
            *kept = Text::Made(start..self.made.len());
        }
        Ok(())
    }
}

impl Chunk<'_> {
    /// The most lines whose keys are [names of fields](Self::field_names).
    pub const LINES_WITH_KEYS: usize = 200;

    /// Returns the names of the fields of the chunk's lines, in order: those of the header before or in the
    /// chunk, or those of the keys in its first lines. `None` if the lines have no fields.
    ///
    /// # Errors
    ///
    /// Returns a sentence if the lines have too many fields to list them.
    pub fn field_names(&self) -> Result<Option<Vec<String>>, String> {
        let layout = self.layout();
        if !layout.has_fields() {
            return Ok(None);
        }
        let lines = layout.lines_of(&self.format_lines());
        let headers = self.headers(&lines);
        let first = lines.iter().map(|(_, line)| line).filter(|line| !line.is_empty());
        let first: Vec<_> = first.take(Self::LINES_WITH_KEYS).collect();
        let mut messages = Vec::new();
        if let Some(unwrap) = lines.unwrap {
            for line in &first {
                let mut text = Vec::new();
                messages.push(match unwrap(line) {
                    Some(message) => message.text(line, &mut text).to_vec(),
                    None => line.to_vec(),
                });
            }
        }
        let messages: Vec<_> = messages.iter().map(Vec::as_slice).collect();
        let first = if lines.unwrap.is_some() { &messages } else { &first };
        let mut names = match headers.split_first() {
            None => layout.field_names(layout.header(), first),
            Some((header, _)) => layout.field_names(Some(header), first),
        };
        // Logs that have been joined have several headers.
        let mut known: HashSet<_> = names.iter().cloned().collect();
        for header in headers.iter().skip(1) {
            if names.len() <= MOST_NAMES {
                let others = layout.field_names(Some(header), first).into_iter();
                names.extend(others.filter(|name| known.insert(name.clone())));
            }
        }
        if names.len() > MOST_NAMES {
            return Err(format!("more than {MOST_NAMES} fields: name those that you need"));
        }
        Ok(Some(names))
    }

    /// Returns the lines of the chunk that name columns.
    fn headers<'c>(&self, lines: &ChunkLines<'c>) -> Vec<&'c [u8]> {
        /// The most headers that are read.
        const MOST: usize = 100;

        let layout = self.layout();
        let is_header =
            |line: &&[u8]| layout.names_columns(usize::MAX, line) && line.len() <= lines.max_record;
        let mut headers: Vec<_> = lines.iter().map(|(_, line)| line).filter(is_header).take(MOST).collect();
        if headers.is_empty() {
            headers.extend(layout.last_header_of(lines));
        }
        headers
    }

    /// Returns a sentence that names those of these fields which no header in the chunk names, and the fields
    /// that there are. `None` if all are named, or the format has no headers.
    pub fn fields_not_in_header(&self, columns: &LogColumns) -> Option<String> {
        /// The most names in the sentence.
        const MOST: usize = 30;

        let layout = self.layout();
        if columns.names.is_empty() || !layout.has_fields() {
            return None;
        }
        let lines = layout.lines_of(&self.format_lines());
        let headers = self.headers(&lines);
        let mut missing: Vec<usize> = Vec::new();
        for (number, header) in headers.iter().enumerate() {
            let fields = layout.line_fields(Some(header), &columns.names);
            let lacks = fields.map_or(Vec::new(), |fields| fields.missing().to_vec());
            match number {
                0 => missing = lacks,
                _ => missing.retain(|index| lacks.binary_search(index).is_ok()),
            }
        }
        if headers.is_empty() && layout.has_header_names() {
            let fields = layout.line_fields(layout.header(), &columns.names);
            missing = fields.map_or(Vec::new(), |fields| fields.missing().to_vec());
        }
        if missing.is_empty() {
            return None;
        }
        let name = |&index: &usize| format!("log.{}", columns.names[index]);
        let missing: Vec<_> = missing.iter().take(MOST).map(name).collect();
        let first = lines.iter().map(|(_, line)| line).find(|line| !line.is_empty());
        let mut known = layout.field_names(headers.first().copied(), first.as_slice());
        let more = if known.len() > MOST { ", …" } else { "" };
        known.truncate(MOST);
        let lacks =
            if headers.is_empty() { "no header names a column for" } else { "the header has no column for" };
        Some(format!("{lacks} {}; there are {}{more}", missing.join(", "), known.join(", ")))
    }
}
