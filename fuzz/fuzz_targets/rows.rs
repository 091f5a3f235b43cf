//! Writes rows of components in each form, and reads them with independent readers (tsv by its rules). With
//! any chunks, every record must come back byte for byte, with the verdict and the components of the parser.

#![no_main]

use std::cell::RefCell;
use std::collections::HashMap;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::StreamReader;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use urivalidate::{Component, Validator};
use urivalidate_cli::fuzzing::Rows;
use urivalidate_fuzz::knobs::Knobs;

/// The content of a record's row.
#[derive(Debug, PartialEq)]
struct Row {
    line: u64,
    is_valid: bool,
    uri: Vec<u8>,
    /// The components in the order of [`Component::ALL`].
    parts: Vec<Option<Vec<u8>>>,
}

/// A form of rows, and its reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Form {
    Csv,
    Tsv,
    Jsonl,
    Arrow,
}

impl Form {
    const ALL: [Form; 4] = [Form::Csv, Form::Tsv, Form::Jsonl, Form::Arrow];

    fn name(self) -> &'static str {
        match self {
            Form::Csv => "csv",
            Form::Tsv => "tsv",
            Form::Jsonl => "jsonl",
            Form::Arrow => "arrow",
        }
    }

    fn read(self, rows: &[u8]) -> Vec<Row> {
        match self {
            Form::Csv => from_csv(rows),
            Form::Tsv => from_tsv(rows),
            Form::Jsonl => from_jsonl(rows),
            Form::Arrow => from_arrow(rows),
        }
    }

    /// The requested columns. An array of text cannot hold a record that is not text, which is in another
    /// column.
    fn columns(self) -> Vec<&'static str> {
        let uri: &[_] = if self == Form::Arrow { &["uri", "uri_bytes"] } else { &["uri"] };
        let parts = Component::ALL.iter().map(|part| part.name());
        ["line", "valid"].into_iter().chain(uri.iter().copied()).chain(parts).collect()
    }
}

fn from_csv(rows: &[u8]) -> Vec<Row> {
    let mut reader = csv::Reader::from_reader(rows);
    assert_eq!(reader.headers().expect("a header"), Form::Csv.columns());
    // A cell is empty for both an absent and an empty component.
    let cells = |row: csv::ByteRecord| row.iter().map(|cell| Some(cell.to_vec())).collect();
    reader.byte_records().map(|row| from_cells(cells(row.expect("a row")))).collect()
}

fn from_tsv(rows: &[u8]) -> Vec<Row> {
    let rows = rows.strip_suffix(b"\n").expect("a header at least");
    let mut lines = rows.split(|&byte| byte == b'\n');
    assert_eq!(lines.next(), Some(Form::Tsv.columns().join("\t").as_bytes()));
    let cell = |cell: &[u8]| (cell != b"\\N").then(|| unescape(cell));
    lines.map(|line| from_cells(line.split(|&byte| byte == b'\t').map(cell).collect())).collect()
}

fn unescape(cell: &[u8]) -> Vec<u8> {
    let mut bytes = cell.iter();
    let mut text = Vec::new();
    while let Some(&byte) = bytes.next() {
        text.push(match byte {
            b'\\' => match bytes.next() {
                Some(b't') => b'\t',
                Some(b'n') => b'\n',
                Some(b'r') => b'\r',
                Some(b'\\') => b'\\',
                other => panic!("{other:?} after a backslash"),
            },
            byte => byte,
        });
    }
    text
}

fn from_jsonl(rows: &[u8]) -> Vec<Row> {
    let cell = |value: &Value| match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone().into_bytes()),
        Value::Object(bytes) => {
            Some(STANDARD.decode(bytes["bytes"].as_str().expect("text")).expect("base64"))
        }
        value => Some(value.to_string().into_bytes()),
    };
    let row = |line: &[u8]| {
        let row: serde_json::Map<String, Value> = serde_json::from_slice(line).expect("an object");
        assert!(row.keys().eq(Form::Jsonl.columns()));
        from_cells(row.values().map(cell).collect())
    };
    rows.split_inclusive(|&byte| byte == b'\n').map(row).collect()
}

fn from_arrow(rows: &[u8]) -> Vec<Row> {
    let reader = StreamReader::try_new(rows, None).expect("a stream");
    reader.flat_map(|batch| from_batch(&batch.expect("a batch"))).collect()
}

fn from_batch(batch: &RecordBatch) -> Vec<Row> {
    let column = |name| batch.column_by_name(name).expect("a column that was asked for");
    let bytes = |name, row: usize| {
        let column = column(name).as_string::<i32>();
        column.is_valid(row).then(|| column.value(row).as_bytes().to_vec())
    };
    let row = |row| Row {
        line: column("line").as_primitive::<Int64Type>().value(row) as u64,
        is_valid: column("valid").as_boolean().value(row),
        uri: bytes("uri", row).unwrap_or_else(|| column("uri_bytes").as_binary::<i32>().value(row).to_vec()),
        parts: Component::ALL.iter().map(|part| bytes(part.name(), row)).collect(),
    };
    (0..batch.num_rows()).map(row).collect()
}

fn from_cells(cells: Vec<Option<Vec<u8>>>) -> Row {
    let mut cells = cells.into_iter();
    let mut cell = || String::from_utf8(cells.next().flatten().expect("a cell")).expect("a number or word");
    let (line, is_valid) = (cell().parse().expect("a number"), cell().parse().expect("a verdict"));
    let uri = cells.next().flatten().expect("each row has a record");
    Row { line, is_valid, uri, parts: cells.collect() }
}

/// The expected row of a record.
fn expected(validator: &Validator, index: usize, record: &[u8], form: Form) -> Row {
    let parsed = validator.parse(record);
    let part = |&part: &Component| {
        let range = parsed.as_ref().ok().and_then(|components| components.get(part));
        let part = range.map(|range| record[range].to_vec());
        if form == Form::Csv { Some(part.unwrap_or_default()) } else { part }
    };
    Row {
        line: index as u64 + 1,
        is_valid: parsed.is_ok(),
        uri: record.to_vec(),
        parts: Component::ALL.iter().map(part).collect(),
    }
}

thread_local! {
    /// The writers by form, grammar and size of chunks. Parsing arguments takes longer than everything else.
    static ROWS: RefCell<HashMap<(Form, &'static str, usize), Rows>> = RefCell::default();
}

fuzz_target!(|input: &[u8]| {
    let (knobs, text) = Knobs::split(input);
    let form = Form::ALL[usize::from(knobs.choice) % Form::ALL.len()];
    let grammar = knobs.validator.grammar().name();
    // The byte order mark is not part of the first record.
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let found = ROWS.with_borrow_mut(|known| {
        let new = || {
            let columns = form.columns().join(",");
            let arguments = ["--from", "lines", "--null", "-j1", "--emit", "components", "--output", "rows"];
            let choices = ["-g", grammar, "--to", form.name(), "--columns", &columns];
            Rows::new(&[&arguments[..], &choices[..]].concat(), knobs.chunk_size)
        };
        known.entry((form, grammar, knobs.chunk_size)).or_insert_with(new).of(text)
    });
    let found = found.expect("any bytes are lines");
    let records = text.split_inclusive(|&byte| byte == 0).enumerate();
    let expected: Vec<_> = records
        .map(|(index, record)| {
            expected(&knobs.validator, index, record.strip_suffix(b"\0").unwrap_or(record), form)
        })
        .collect();
    assert_eq!(form.read(&found), expected, "{form:?} by {grammar}");
});
