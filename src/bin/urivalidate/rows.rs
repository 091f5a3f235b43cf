//! Rows: one a record, cell by cell, in the form asked for.

use std::ops::Range;

use urivalidate::corpus::Record;
use urivalidate::{Component, Components, Error, Grammar};

use crate::args::{Emit, Form};
use crate::json::{self, Object};

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
    Error,
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
            Column::Message => "message",
        }
    }
}

/// How rows are made.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    columns: Vec<Column>,
    form: Form,
    /// Whether components are given by where they lie, not by their text.
    as_offsets: bool,
}

/// What a row is made of.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    pub(crate) file: &'a [u8],
    /// 1-based.
    pub(crate) line: u64,
    pub(crate) record: &'a Record<'a>,
    pub(crate) verdict: &'a Result<Components, Error>,
}

/// The content of a cell.
enum Value<'a> {
    Absent,
    Bool(bool),
    Number(u64),
    Name(&'static str),
    Text(&'a [u8]),
    Range(Range<usize>),
    Error(Option<Error>),
    Message(Error),
}

impl Rows {
    /// The rows of errors, components or offsets.
    pub(crate) fn new(emit: Emit, form: Form, grammar: Grammar) -> Self {
        let mut columns = vec![Column::File, Column::Line, Column::Start, Column::Length];
        if emit == Emit::Errors {
            columns.extend([Column::Uri, Column::Error, Column::Message]);
            return Rows { columns, form, as_offsets: false };
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
        Rows { columns, form, as_offsets: emit == Emit::Offsets }
    }

    /// Writes one row.
    pub(crate) fn write(&self, out: &mut Vec<u8>, row: Row<'_>) {
        match self.form {
            Form::Text => {
                for (i, &column) in self.columns.iter().enumerate() {
                    if i > 0 {
                        out.push(b'\t');
                    }
                    self.value(column, row).write_text(out);
                }
            }
            Form::Jsonl => {
                let mut object = Object::new(out);
                for &column in &self.columns {
                    self.value(column, row).write_json(object.key(column.name()));
                }
                object.end();
            }
        }
        out.push(b'\n');
    }

    fn value<'a>(&self, column: Column, Row { file, line, record, verdict }: Row<'a>) -> Value<'a> {
        let components = verdict.as_ref().ok();
        let part = |range: Option<Range<usize>>| match range {
            None => Value::Absent,
            Some(range) if self.as_offsets => Value::Range(range),
            Some(range) => Value::Text(&record.bytes[range]),
        };
        let name = |name: Option<&'static str>| name.map_or(Value::Absent, Value::Name);
        match column {
            Column::File => Value::Text(file),
            Column::Line => Value::Number(line),
            Column::Start => Value::Number(record.column),
            Column::Length => Value::Number(record.length),
            Column::Valid => Value::Bool(verdict.is_ok()),
            // It may not be here as a whole.
            Column::Uri if record.is_too_long() => Value::Absent,
            Column::Uri => Value::Text(record.bytes),
            Column::Component(component) => part(components.and_then(|c| c.get(component))),
            Column::HostKind => name(components.and_then(|c| c.host_kind()).map(|kind| kind.name())),
            Column::SchemeSpecificPart => part(components.map(|c| c.scheme_specific_part())),
            Column::Opaque => components.map_or(Value::Absent, |c| Value::Bool(c.is_opaque())),
            Column::AuthorityKind => {
                name(components.and_then(|c| c.authority_kind()).map(|kind| kind.name()))
            }
            Column::Error => Value::Error(verdict.as_ref().err().copied()),
            Column::Message => verdict.as_ref().err().map_or(Value::Absent, |error| Value::Message(*error)),
        }
    }
}

impl Value<'_> {
    fn write_json(self, out: &mut Vec<u8>) {
        match self {
            Value::Absent | Value::Error(None) => out.extend_from_slice(b"null"),
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
            Value::Error(Some(error)) => {
                let mut object = Object::new(out);
                object.string("kind", error.kind().name());
                match error.component() {
                    Some(component) => object.string("component", component.name()),
                    None => object.null("component"),
                }
                object.number("offset", error.offset() as u64);
                object.end();
            }
            Value::Message(error) => json::string(out, &error.to_string()),
        }
    }

    /// A cell, of an error three: kind, component and offset.
    fn write_text(self, out: &mut Vec<u8>) {
        const ABSENT: &[u8] = b"\\N";
        match self {
            Value::Absent => out.extend_from_slice(ABSENT),
            Value::Bool(value) => out.extend_from_slice(if value { b"true" } else { b"false" }),
            Value::Number(value) => json::number(out, value),
            Value::Name(name) => out.extend_from_slice(name.as_bytes()),
            Value::Text(text) => escape(out, text),
            Value::Range(range) => {
                json::number(out, range.start as u64);
                out.push(b'-');
                json::number(out, range.end as u64);
            }
            Value::Error(None) => out.extend_from_slice(b"\\N\t\\N\t\\N"),
            Value::Error(Some(error)) => {
                out.extend_from_slice(error.kind().name().as_bytes());
                out.push(b'\t');
                out.extend_from_slice(
                    error.component().map_or(ABSENT, |component| component.name().as_bytes()),
                );
                out.push(b'\t');
                json::number(out, error.offset() as u64);
            }
            Value::Message(error) => out.extend_from_slice(error.to_string().as_bytes()),
        }
    }
}

/// Text of a cell: control bytes, tab and backslash as `\xHH`.
fn escape(out: &mut Vec<u8>, text: &[u8]) {
    let must_be_escaped = |byte: &u8| matches!(byte, 0..0x20 | b'\\' | 0x7F);
    let mut rest = text;
    while let Some(at) = rest.iter().position(must_be_escaped) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(format!("\\x{:02X}", rest[at]).as_bytes());
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
}
