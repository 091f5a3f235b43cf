//! Rows: one a record, cell by cell, in the form asked for.

use std::ops::Range;

use urivalidate::{Component, Components, Grammar};

use crate::args::{Emit, Form};
use crate::json::{self, Object};
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
    columns: Vec<Column>,
    form: Form,
    emit: Emit,
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

/// The content of a cell.
enum Value<'a> {
    Absent,
    Bool(bool),
    Number(u64),
    Name(&'static str),
    Text(&'a [u8]),
    Range(Range<usize>),
    /// In JSON only.
    Error(Problem),
    Message(Problem),
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
        Ok(Rows { columns, form, emit })
    }

    /// Whether the rows say what is wrong.
    pub(crate) fn are_errors(&self) -> bool {
        self.emit == Emit::Errors
    }

    /// What comes before the first row.
    pub(crate) fn header(&self) -> Vec<u8> {
        let names: Vec<_> = self.columns.iter().map(|column| column.name()).collect();
        match self.form {
            Form::Text | Form::Jsonl => Vec::new(),
            Form::Csv => (names.join(",") + "\n").into_bytes(),
            Form::Tsv => (names.join("\t") + "\n").into_bytes(),
        }
    }

    /// Writes one row.
    pub(crate) fn write(&self, out: &mut Vec<u8>, row: Row<'_>) {
        let cells = self.columns.iter().map(|&column| self.value(column, &row));
        match self.form {
            Form::Text => separated(out, b'\t', cells, |out, cell| cell.write(out, b"\\N", text_cell)),
            Form::Tsv => separated(out, b'\t', cells, |out, cell| cell.write(out, b"\\N", tsv_cell)),
            Form::Csv => separated(out, b',', cells, |out, cell| cell.write(out, b"", csv_cell)),
            Form::Jsonl => {
                let mut object = Object::new(out);
                for (column, cell) in self.columns.iter().zip(cells) {
                    cell.write_json(object.key(column.name()));
                }
                object.end();
            }
        }
        out.push(b'\n');
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

impl Value<'_> {
    fn write_json(self, out: &mut Vec<u8>) {
        match self {
            Value::Absent => out.extend_from_slice(b"null"),
            Value::Bool(value) => out.extend_from_slice(if value { b"true" } else { b"false" }),
            Value::Number(value) => json::number(out, value),
            Value::Name(name) => json::string(out, name),
            Value::Text(text) => json::text(out, text),
            Value::Range(range) => {
                out.push(b'[');
                json::number(out, range.start as u64);
                out.push(b',');
                json::number(out, range.end as u64);
                out.push(b']');
            }
            Value::Error(error) => {
                let mut object = Object::new(out);
                object.string("kind", error.kind());
                match error.component() {
                    Some(component) => object.string("component", component.name()),
                    None => object.null("component"),
                }
                object.number_or_null("offset", error.offset());
                object.end();
            }
            Value::Message(error) => json::string(out, &error.to_string()),
        }
    }

    /// A cell outside of JSON; `text` writes what may have to be escaped.
    fn write(self, out: &mut Vec<u8>, absent: &[u8], text: fn(&mut Vec<u8>, &[u8])) {
        match self {
            Value::Absent => out.extend_from_slice(absent),
            Value::Error(_) => unreachable!("it has three columns here"),
            Value::Bool(value) => out.extend_from_slice(if value { b"true" } else { b"false" }),
            Value::Number(value) => json::number(out, value),
            Value::Name(name) => out.extend_from_slice(name.as_bytes()),
            Value::Text(value) => text(out, value),
            Value::Range(range) => {
                json::number(out, range.start as u64);
                out.push(b'-');
                json::number(out, range.end as u64);
            }
            Value::Message(error) => text(out, error.to_string().as_bytes()),
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

fn separated<'a>(
    out: &mut Vec<u8>,
    separator: u8,
    cells: impl Iterator<Item = Value<'a>>,
    write: impl Fn(&mut Vec<u8>, Value<'a>),
) {
    for (i, cell) in cells.enumerate() {
        if i > 0 {
            out.push(separator);
        }
        write(out, cell);
    }
}

/// Text of a cell: control bytes, tab and backslash as `\xHH`.
fn text_cell(out: &mut Vec<u8>, text: &[u8]) {
    let escape = |out: &mut Vec<u8>, byte| out.extend_from_slice(format!("\\x{byte:02X}").as_bytes());
    escaped(out, text, |byte| matches!(byte, 0..0x20 | b'\\' | 0x7F), escape);
}

/// Text of a cell as databases read it: what would end a cell or a line as `\t`, `\n` or `\r`, and a backslash twice.
fn tsv_cell(out: &mut Vec<u8>, text: &[u8]) {
    let escape = |out: &mut Vec<u8>, byte| {
        out.extend_from_slice(match byte {
            b'\t' => b"\\t",
            b'\n' => b"\\n",
            b'\r' => b"\\r",
            _ => b"\\\\",
        });
    };
    escaped(out, text, |byte| matches!(byte, b'\t' | b'\n' | b'\r' | b'\\'), escape);
}

/// Text of a cell as RFC 4180 has it: in quotes where it is empty or holds a delimiter, with its own quotes doubled.
fn csv_cell(out: &mut Vec<u8>, text: &[u8]) {
    let is_plain = |byte: &u8| !matches!(byte, b',' | b'"' | b'\n' | b'\r');
    if !text.is_empty() && text.iter().all(is_plain) {
        out.extend_from_slice(text);
        return;
    }
    out.push(b'"');
    escaped(out, text, |byte| byte == b'"', |out, _| out.extend_from_slice(b"\"\""));
    out.push(b'"');
}

/// Writes a text with another text for some of its bytes.
fn escaped(
    out: &mut Vec<u8>,
    text: &[u8],
    is_special: impl Fn(u8) -> bool,
    escape: impl Fn(&mut Vec<u8>, u8),
) {
    let mut rest = text;
    while let Some(at) = rest.iter().position(|&byte| is_special(byte)) {
        out.extend_from_slice(&rest[..at]);
        escape(out, rest[at]);
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
}
