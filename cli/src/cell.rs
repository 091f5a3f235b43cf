//! Cells of rows: what they say, and how each form writes it.

use std::io::Write;
use std::ops::Range;

use crate::args::Form;
use crate::escape::{escaped, is_clean};
use crate::json::{self, Object, number};
use crate::problem::Problem;
use crate::shown::Shown;

/// The content of a cell.
pub(crate) enum Value<'a> {
    Absent,
    Bool(bool),
    Number(u64),
    Name(&'static str),
    Text(&'a [u8]),
    Range(Range<usize>),
    /// In JSON only; elsewhere it has three columns.
    Error(Problem),
    Message(Problem),
}

impl Value<'_> {
    #[inline]
    pub(crate) fn write(self, form: Form, out: &mut Vec<u8>) {
        match self {
            Value::Absent => out.extend_from_slice(match form {
                Form::Jsonl => b"null",
                Form::Text | Form::Tsv => b"\\N",
                Form::Csv => b"",
            }),
            Value::Bool(value) => out.extend_from_slice(if value { b"true" } else { b"false" }),
            Value::Number(value) => number(out, value),
            Value::Name(name) if form == Form::Jsonl => json::plain(out, name.as_bytes()),
            Value::Name(name) => out.extend_from_slice(name.as_bytes()),
            Value::Text(value) => text(form, out, value),
            Value::Range(range) => {
                let json = form == Form::Jsonl;
                if json {
                    out.push(b'[');
                }
                number(out, range.start as u64);
                out.push(if json { b',' } else { b'-' });
                number(out, range.end as u64);
                if json {
                    out.push(b']');
                }
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
            Value::Message(error) => text(form, out, error.to_string().as_bytes()),
        }
    }

    /// No less than the bytes that [`write`](Self::write) writes.
    pub(crate) fn room(&self, form: Form) -> usize {
        match self {
            Value::Text(text) => {
                let is_plain =
                    is_clean(text, |byte| (byte < 0x20) | (byte == b'"') | (byte == b'\\') | (byte >= 0x7F));
                // Of all bytes as escapes, and of what stands around them.
                let escape = match form {
                    _ if is_plain => 1,
                    Form::Text => 4,
                    Form::Jsonl => 6,
                    Form::Csv | Form::Tsv => 2,
                };
                16 + text.len() * escape
            }
            // None of the others is long, not even a message.
            _ => 256,
        }
    }
}

#[inline]
fn text(form: Form, out: &mut Vec<u8>, text: &[u8]) {
    match form {
        Form::Text => text_cell(out, text),
        Form::Jsonl => json::text(out, text),
        Form::Csv => csv_cell(out, text),
        Form::Tsv => tsv_cell(out, text),
    }
}

/// Backslash, and what [`Shown`] escapes, as `\xHH`.
fn text_cell(out: &mut Vec<u8>, text: &[u8]) {
    if is_clean(text, |byte| (byte < 0x20) | (byte == b'\\') | (byte >= 0x7F)) {
        out.extend_from_slice(text);
        return;
    }
    for (i, part) in text.split(|&byte| byte == b'\\').enumerate() {
        let backslash = if i == 0 { "" } else { "\\x5C" };
        write!(out, "{backslash}{}", Shown::new(part)).expect("a Vec takes everything");
    }
}

/// As databases read it: what would end a cell or a line as `\t`, `\n` or `\r`, and a backslash twice.
fn tsv_cell(out: &mut Vec<u8>, text: &[u8]) {
    let escape = |out: &mut Vec<u8>, byte| {
        out.extend_from_slice(match byte {
            b'\t' => b"\\t",
            b'\n' => b"\\n",
            b'\r' => b"\\r",
            _ => b"\\\\",
        });
    };
    escaped(out, text, |byte| (byte == b'\t') | (byte == b'\n') | (byte == b'\r') | (byte == b'\\'), escape);
}

/// As RFC 4180 has it: in quotes where it is empty or holds a delimiter, with its own quotes doubled.
fn csv_cell(out: &mut Vec<u8>, text: &[u8]) {
    if !text.is_empty()
        && is_clean(text, |byte| (byte == b',') | (byte == b'"') | (byte == b'\n') | (byte == b'\r'))
    {
        out.extend_from_slice(text);
        return;
    }
    out.push(b'"');
    escaped(out, text, |byte| byte == b'"', |out, _| out.extend_from_slice(b"\"\""));
    out.push(b'"');
}
