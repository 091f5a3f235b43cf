//! Rows: one a record, cell by cell, in the form asked for.

use std::ops::Range;

use urivalidate::{Component, Components, Grammar};

use crate::args::{Emit, Form};
use crate::cell::Value;
use crate::problem::Problem;

/// What a cell says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    File,
    Line,
    /// Where the record starts in its line.
    Start,
    Length,
    Valid,
    /// The record itself.
    Uri,
    Component(Component),
    HostKind,
    SchemeSpecificPart,
    Opaque,
    AuthorityKind,
    /// Kind, component and offset: one object in JSON, and three columns elsewhere.
    Error,
    ErrorKind,
    ErrorComponent,
    ErrorOffset,
    Message,
}

impl Column {
    fn name(self) -> &'static str {
        match self {
            Column::File => "file",
            Column::Line => "line",
            Column::Start => "column",
            Column::Length => "length",
            Column::Valid => "valid",
            Column::Uri => "uri",
            Column::Component(component) => component.name(),
            Column::HostKind => "host_kind",
            Column::SchemeSpecificPart => "scheme_specific_part",
            Column::Opaque => "opaque",
            Column::AuthorityKind => "authority_kind",
            Column::Error => "error",
            Column::ErrorKind => "error_kind",
            Column::ErrorComponent => "error_component",
            Column::ErrorOffset => "error_offset",
            Column::Message => "message",
        }
    }
}

/// How rows are made.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    cells: Vec<Cell>,
    form: Form,
    emit: Emit,
}

/// A column, and what a row has there whatever its record.
#[derive(Clone, Debug)]
struct Cell {
    column: Column,
    /// What comes before the cell: a separator, or the key.
    before: Vec<u8>,
    /// The same, and the cell that says that nothing is there.
    absent: Vec<u8>,
}

impl Cell {
    fn new(column: Column, form: Form, is_first: bool) -> Self {
        let before = match (form, is_first) {
            (Form::Jsonl, true) => format!("{{\"{}\":", column.name()),
            (Form::Jsonl, false) => format!(",\"{}\":", column.name()),
            (_, true) => String::new(),
            (Form::Csv, false) => ",".to_owned(),
            (Form::Text | Form::Tsv, false) => "\t".to_owned(),
        };
        let before = before.into_bytes();
        let mut absent = before.clone();
        Value::Absent.write(form, &mut absent);
        Cell { column, before, absent }
    }
}

/// What a row is made of.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    pub(crate) file: &'a [u8],
    /// 1-based.
    pub(crate) line: u64,
    /// The 1-based byte of the line that the record starts at.
    pub(crate) column: u64,
    /// Of the record, in bytes; of the line where that has none.
    pub(crate) length: u64,
    /// The record, where it is there as a whole.
    pub(crate) text: Option<&'a [u8]>,
    pub(crate) verdict: Result<Components, Problem>,
}

impl Rows {
    /// The rows of errors, components or offsets, with the columns of these names if some are given.
    pub(crate) fn new(
        emit: Emit,
        form: Form,
        grammar: Grammar,
        names: Option<&[String]>,
    ) -> Result<Self, String> {
        let mut columns = all_columns(emit, grammar);
        if let Some(names) = names {
            columns = pick(&columns, names)?;
        }
        if form != Form::Jsonl {
            let error = columns.iter().position(|&column| column == Column::Error);
            if let Some(at) = error {
                columns.splice(at..=at, ERROR);
            }
        }
        let cells = columns.iter().enumerate().map(|(i, &column)| Cell::new(column, form, i == 0)).collect();
        Ok(Rows { cells, form, emit })
    }

    /// Whether the rows say what is wrong.
    pub(crate) fn are_errors(&self) -> bool {
        self.emit == Emit::Errors
    }

    /// What comes before the first row.
    pub(crate) fn header(&self) -> Vec<u8> {
        let names: Vec<_> = self.cells.iter().map(|cell| cell.column.name()).collect();
        match self.form {
            Form::Text | Form::Jsonl => Vec::new(),
            Form::Csv => (names.join(",") + "\n").into_bytes(),
            Form::Tsv => (names.join("\t") + "\n").into_bytes(),
        }
    }

    /// Writes one row.
    pub(crate) fn write(&self, out: &mut Vec<u8>, row: &Row<'_>) {
        for cell in &self.cells {
            match self.value(cell.column, row) {
                Value::Absent => out.extend_from_slice(&cell.absent),
                value => {
                    out.extend_from_slice(&cell.before);
                    value.write(self.form, out);
                }
            }
        }
        out.extend_from_slice(if self.form == Form::Jsonl { b"}\n" } else { b"\n" });
    }

    /// No less than the bytes of the row.
    pub(crate) fn room(&self, row: &Row<'_>) -> usize {
        let cells = self.cells.iter();
        cells.map(|cell| cell.absent.len() + self.value(cell.column, row).room(self.form)).sum::<usize>() + 2
    }

    fn value<'a>(&self, column: Column, row: &Row<'a>) -> Value<'a> {
        let (components, error) = (row.verdict.as_ref().ok(), row.verdict.err());
        let part = |range: Option<Range<usize>>| match (range, row.text) {
            (None, _) => Value::Absent,
            (Some(range), _) if self.emit == Emit::Offsets => Value::Range(range),
            (Some(range), text) => text.map_or(Value::Absent, |text| Value::Text(&text[range])),
        };
        let name = |name: Option<&'static str>| name.map_or(Value::Absent, Value::Name);
        match column {
            Column::File => Value::Text(row.file),
            Column::Line => Value::Number(row.line),
            Column::Start => Value::Number(row.column),
            Column::Length => Value::Number(row.length),
            Column::Valid => Value::Bool(components.is_some()),
            Column::Uri => row.text.map_or(Value::Absent, Value::Text),
            Column::Component(component) => part(components.and_then(|c| c.get(component))),
            Column::HostKind => name(components.and_then(|c| c.host_kind()).map(|kind| kind.name())),
            Column::SchemeSpecificPart => part(components.map(|c| c.scheme_specific_part())),
            Column::Opaque => components.map_or(Value::Absent, |c| Value::Bool(c.is_opaque())),
            Column::AuthorityKind => {
                name(components.and_then(|c| c.authority_kind()).map(|kind| kind.name()))
            }
            Column::Error => error.map_or(Value::Absent, Value::Error),
            Column::ErrorKind => name(error.map(Problem::kind)),
            Column::ErrorComponent => {
                name(error.and_then(Problem::component).map(|component| component.name()))
            }
            Column::ErrorOffset => error.and_then(Problem::offset).map_or(Value::Absent, Value::Number),
            Column::Message => error.map_or(Value::Absent, Value::Message),
        }
    }
}

/// The columns of an error outside of JSON.
const ERROR: [Column; 3] = [Column::ErrorKind, Column::ErrorComponent, Column::ErrorOffset];

/// All columns, in their order.
fn all_columns(emit: Emit, grammar: Grammar) -> Vec<Column> {
    let mut columns = vec![Column::File, Column::Line, Column::Start, Column::Length];
    if emit == Emit::Errors {
        columns.extend([Column::Uri, Column::Error, Column::Message]);
        return columns;
    }
    columns.push(Column::Valid);
    if emit == Emit::Components {
        columns.push(Column::Uri);
    }
    for &component in Component::ALL {
        columns.push(Column::Component(component));
        if component == Component::Host {
            columns.push(Column::HostKind);
        }
    }
    if matches!(grammar, Grammar::Rfc2396 | Grammar::Java) {
        columns.extend([Column::SchemeSpecificPart, Column::Opaque, Column::AuthorityKind]);
    }
    columns.push(Column::Error);
    columns
}

/// The columns of these names. Those of an error may be picked one by one, and what is wrong told of any record.
fn pick(all: &[Column], names: &[String]) -> Result<Vec<Column>, String> {
    let mut there_are = all.to_vec();
    there_are.extend(ERROR);
    there_are.extend([Column::Uri, Column::Message].iter().filter(|column| !all.contains(column)));
    let mut columns = Vec::new();
    for name in names {
        let Some(&column) = there_are.iter().find(|column| column.name() == name) else {
            let known: Vec<_> = there_are.iter().map(|column| column.name()).collect();
            return Err(format!("there is no column {name:?}; there are {}", known.join(", ")));
        };
        let is_part_of_another = ERROR.contains(&column) && columns.contains(&Column::Error)
            || column == Column::Error && ERROR.iter().any(|part| columns.contains(part));
        if columns.contains(&column) || is_part_of_another {
            return Err(format!("the column {name:?} would be there twice"));
        }
        columns.push(column);
    }
    Ok(columns)
}
