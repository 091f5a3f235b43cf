//! The values of a row: of a record, or of a line that does not fit its format.

use std::borrow::Cow;
use std::ops::Range;

use urivalidate::corpus::{Element, LogFields, MalformedLine, Scanned};
use urivalidate::memory::OutOfMemory;
use urivalidate::stats::{Problem, Suspicion};
use urivalidate::work::looked_at;
use urivalidate::{
    CellType, Component, Components, Deriver, Error, ErrorKind, Found, Page, RowColumn, Validator,
};

use super::cell::Value;
use super::encoder::JudgedChunk;

#[derive(Clone, Copy)]
pub(crate) struct OutputRow<'a> {
    file: &'a [u8],
    /// The 1-based number of the line in the file.
    line: u64,
    /// The 1-based place in the line at which the record starts.
    column: u64,
    /// The length in bytes of the record, or of the line if it has no record.
    length: u64,
    /// The record, if all of it is in memory.
    text: Option<&'a [u8]>,
    /// The 1-based place of the offending byte in the line.
    error_column: Option<u64>,
    verdict: Result<Components, Problem>,
    /// The chunk of the record, and its index there.
    record: Option<(&'a Scanned<'a>, usize)>,
    /// The line that does not fit its format, and its chunk.
    malformed: Option<(&'a MalformedLine, &'a JudgedChunk<'a>)>,
    /// The validator of the record.
    validator: Validator,
    deriver: Option<Deriver<'a>>,
}

impl<'a> OutputRow<'a> {
    /// Returns the row of a record with this verdict.
    pub(crate) fn new(input: &JudgedChunk<'a>, index: usize, verdict: Result<Components, Error>) -> Self {
        let scanned = input.scanned;
        // A record over the limit may not be in memory as a whole.
        let is_too_long = verdict.is_err_and(|error| error.kind() == ErrorKind::RecordTooLong);
        OutputRow {
            file: input.file,
            line: input.first_line + scanned.line_number(index).unwrap_or_default(),
            column: scanned.start_column(index).unwrap_or_default(),
            length: scanned.length(index).unwrap_or_default(),
            text: scanned.record(index).filter(|_| !is_too_long),
            error_column: verdict.err().and_then(|error| scanned.error_column(index, error.offset())),
            verdict: verdict.map_err(Problem::Invalid),
            record: Some((scanned, index)),
            malformed: None,
            validator: input.validator,
            deriver: input.deriver,
        }
    }

    /// Returns the row of a valid record that is a finding.
    pub(crate) fn suspicious(input: &JudgedChunk<'a>, index: usize, reason: Suspicion) -> Self {
        let row = OutputRow::new(input, index, input.components(index));
        OutputRow { verdict: Err(Problem::Suspicious(reason)), ..row }
    }

    /// Returns the row of a line that does not fit its format.
    pub(crate) fn malformed(input: &'a JudgedChunk<'a>, line: &'a MalformedLine) -> Self {
        OutputRow {
            file: input.file,
            line: input.first_line + line.line,
            column: line.column,
            length: line.length,
            text: None,
            error_column: None,
            verdict: Err(Problem::Malformed(line.reason)),
            record: None,
            malformed: Some((line, input)),
            validator: input.validator,
            deriver: None,
        }
    }

    /// Finds the fields of the row's line.
    pub(super) fn find_fields(&self, fields: &mut LogFields<'_>) -> Result<(), OutOfMemory> {
        match (self.record, self.malformed) {
            (Some((_, index)), _) => fields.of_record(index),
            (None, Some((line, _))) => fields.of_malformed(line),
            (None, None) => Ok(()),
        }
    }

    /// Returns the kind of the error, if there is one.
    pub(crate) fn error_kind(&self) -> Option<&'static str> {
        self.verdict.err().map(Problem::kind)
    }

    /// Returns the characters that the grammar forbids in an invalid record, and their components.
    pub(super) fn forbidden_characters(&self) -> Vec<(Found, Option<Component>)> {
        self.text.map_or(Vec::new(), |text| self.validator.forbidden_characters(text))
    }

    /// Passes to `take` the decoded names of the parameters in the query of a valid record, each name once.
    pub(super) fn query_names<E>(&self, take: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let query = self.verdict.as_ref().ok().and_then(Components::query);
        match (query.zip(self.text), self.deriver) {
            (Some((query, text)), Some(deriver)) => deriver.query_names(&text[query], take),
            _ => Ok(()),
        }
    }

    /// Returns the element of a page that holds the record.
    fn element(&self) -> Option<Element> {
        self.record.and_then(|(scanned, index)| scanned.element(index))
    }

    /// Returns the page that the record comes from, if the input has pages.
    fn page(&self) -> Option<Page<'a>> {
        self.record.and_then(|(scanned, index)| scanned.page(index))
    }

    /// Returns the verdict by the second grammar.
    fn also(&self) -> Option<Result<(), Error>> {
        self.record.and_then(|(scanned, index)| scanned.other_verdict(index))
    }

    fn also_error(&self) -> Option<Error> {
        self.also()?.err()
    }

    /// Returns the value of a cell. Components are ranges if `are_ranges`, otherwise texts.
    pub(crate) fn value(&self, column: RowColumn, are_ranges: bool) -> Value<'a> {
        let (components, error) = (self.verdict.as_ref().ok(), self.verdict.err());
        let text_or_range = |range: Option<Range<usize>>| match (range, self.text) {
            (None, _) => Value::Absent,
            (Some(range), _) if are_ranges => Value::Range(range),
            (Some(range), text) => text.map_or(Value::Absent, |text| Value::Text(&text[range])),
        };
        let name = |name: Option<&'static str>| name.map_or(Value::Absent, Value::Name);
        let made = |name: Option<Cow<'static, str>>| match name {
            Some(Cow::Borrowed(name)) => Value::Name(name),
            Some(Cow::Owned(name)) => Value::Made(name.into_bytes()),
            None => Value::Absent,
        };
        match column {
            RowColumn::File => Value::Text(self.file),
            RowColumn::Line => Value::Number(self.line),
            RowColumn::Start => Value::Number(self.column),
            RowColumn::Length => Value::Number(self.length),
            RowColumn::Valid => Value::Bool(components.is_some()),
            RowColumn::Uri => self.text.map_or(Value::Absent, Value::Text),
            RowColumn::HostKind => name(components.and_then(|c| c.host_kind()).map(|kind| kind.name())),
            RowColumn::Opaque => components.map_or(Value::Absent, |c| Value::Bool(c.is_opaque())),
            RowColumn::AuthorityKind => {
                name(components.and_then(|c| c.authority_kind()).map(|kind| kind.name()))
            }
            RowColumn::Error => error.map_or(Value::Absent, Value::Error),
            RowColumn::ErrorKind => name(error.map(Problem::kind)),
            RowColumn::ErrorComponent => {
                name(error.and_then(Problem::component).map(|component| component.name()))
            }
            RowColumn::ErrorOffset => error.and_then(Problem::offset).map_or(Value::Absent, Value::Number),
            RowColumn::ErrorColumn => self.error_column.map_or(Value::Absent, Value::Number),
            RowColumn::Character => {
                let character = error.and_then(Problem::character);
                character.map_or(Value::Absent, |character| Value::Made(character.to_text().into_bytes()))
            }
            RowColumn::PathExtension => {
                let path = components.and_then(|c| c.path()).zip(self.text).map(|(range, text)| &text[range]);
                path.and_then(extension).map_or(Value::Absent, Value::Text)
            }
            RowColumn::Suggestion => {
                let is_whole = error.is_some_and(|error| error.kind() != ErrorKind::Truncated.name());
                let text = self.text.filter(|_| is_whole);
                text.and_then(|text| self.validator.suggest(text)).map_or(Value::Absent, Value::Made)
            }
            RowColumn::Reason => name(match self.verdict {
                Err(Problem::Suspicious(reason)) => Some(reason.name()),
                _ => self.malformed.map(|(line, _)| line.reason.name()),
            }),
            RowColumn::Format => {
                let scanned = self.record.map(|(scanned, _)| scanned);
                let scanned = scanned.or_else(|| self.malformed.map(|(_, input)| input.scanned));
                name(scanned.map(|scanned| scanned.chunk().layout().format().name()))
            }
            RowColumn::Malformed => Value::Bool(self.malformed.is_some()),
            RowColumn::Page => {
                let page = self.deriver.as_ref().and_then(|deriver| deriver.page_uri(self.page()));
                page.map_or(Value::Absent, |page| Value::Made(page.to_vec()))
            }
            RowColumn::Base => {
                let base = self.deriver.as_ref().and_then(|deriver| deriver.base(self.page()));
                base.map_or(Value::Absent, |base| Value::Made(base.into_owned()))
            }
            RowColumn::Element => made(self.element().map(|element| element.name)),
            RowColumn::Attribute => made(self.element().and_then(|element| element.attribute)),
            RowColumn::AlsoValid => self.also().map_or(Value::Absent, |verdict| Value::Bool(verdict.is_ok())),
            RowColumn::AlsoErrorKind => name(self.also_error().map(|error| error.kind().name())),
            RowColumn::AlsoErrorOffset => {
                self.also_error().map_or(Value::Absent, |error| Value::Number(error.offset() as u64))
            }
            RowColumn::Message => match self.malformed {
                Some((line, input)) => Value::Made(input.message(line).into_bytes()),
                None => error.map_or(Value::Absent, Value::Message),
            },
            derived if derived.is_derived() => {
                let record = components.and(self.text);
                match record.and_then(|record| self.deriver?.value(derived, record, self.page())) {
                    None => Value::Absent,
                    Some(Cow::Borrowed(text)) => Value::Text(text),
                    Some(Cow::Owned(text)) => Value::Made(text),
                }
            }
            column => match column.cell_type() {
                CellType::Part(part) => text_or_range(components.and_then(|c| c.part(part))),
                _ => Value::Absent,
            },
        }
    }
}

/// Returns the text after the last dot of the last segment, if the segment has a byte before the dot.
/// Parameters after a `;` do not count (RFC 3986 section 3.3).
fn extension(path: &[u8]) -> Option<&[u8]> {
    looked_at(path.len());
    let segment = path.rsplit(|&byte| byte == b'/').next()?;
    let segment = segment.split(|&byte| byte == b';').next()?;
    let dot = segment.iter().rposition(|&byte| byte == b'.').filter(|&dot| dot > 0)?;
    Some(&segment[dot + 1..])
}
