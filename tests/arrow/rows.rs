//! Tests rows of scanned chunks against the scan's facts about each record, and against the parser.

use std::ops::ControlFlow;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use proptest::prelude::*;
use urivalidate::arrow::{FunctionError, Only, RowConverter};
use urivalidate::corpus::{Chunk, ChunkScanner, Format, Layout, LayoutOptions, Scanned, Scanner};
use urivalidate::stats::Problem;
use urivalidate::{Columns, Component, Components, Error, ErrorKind, Grammar, RowKind, Validator};

use crate::{arrays, records};

const FILE: &[u8] = b"a/\xFF";
const FIRST_LINE: u64 = 5;

/// The cells of an error's row: kind, component, offset, column of the line, message.
type ErrorCells = (String, Option<String>, Option<i32>, Option<i64>, String);

/// A row: line, column, length, record as text or as bytes, and the error.
#[derive(Debug, PartialEq)]
struct Row {
    place: [i64; 3],
    text: Option<String>,
    bytes: Option<Vec<u8>>,
    error: Option<ErrorCells>,
}

impl Row {
    fn new(place: [u64; 3], record: Option<&[u8]>, error: Option<ErrorCells>) -> Self {
        let text = record.and_then(|record| String::from_utf8(record.to_vec()).ok());
        let bytes = record.filter(|_| text.is_none()).map(<[u8]>::to_vec);
        Row { place: place.map(|number| number as i64), text, bytes, error }
    }

    fn of_record(scanned: &Scanned<'_>, index: usize) -> Self {
        let error = scanned.error(index);
        let is_whole = error.is_none_or(|error| error.kind() != ErrorKind::RecordTooLong);
        let place = [
            FIRST_LINE + scanned.line_number(index).unwrap(),
            scanned.start_column(index).unwrap(),
            scanned.length(index).unwrap(),
        ];
        let cells = |error: Error| {
            let column = scanned.error_column(index, error.offset()).unwrap() as i64;
            let component = error.component().map(|component| component.name().to_owned());
            let offset = Some(error.offset() as i32);
            (error.kind().name().to_owned(), component, offset, Some(column), error.to_string())
        };
        Row::new(place, is_whole.then(|| scanned.record(index).unwrap()), error.map(cells))
    }
}

/// Returns the contents of a batch's rows.
fn read(batch: &RecordBatch) -> Vec<Row> {
    let column = |name: &str| batch.column_by_name(name).unwrap_or_else(|| panic!("there is {name}"));
    let number = |name, row| column(name).as_primitive::<Int64Type>().value(row);
    let text = |name, row| {
        let texts = column(name).as_string::<i32>();
        texts.is_valid(row).then(|| texts.value(row).to_owned())
    };
    let row = |row| {
        assert_eq!(text("file", row).as_deref(), Some("a/\u{FFFD}"));
        let bytes = column("uri_bytes").as_binary::<i32>();
        let offsets = column("error_offset").as_primitive::<Int32Type>();
        let columns = column("error_column").as_primitive::<Int64Type>();
        let error = text("error_kind", row).map(|kind| {
            let offset = offsets.is_valid(row).then(|| offsets.value(row));
            let column = columns.is_valid(row).then(|| columns.value(row));
            (kind, text("error_component", row), offset, column, text("message", row).unwrap())
        });
        Row {
            place: [number("line", row), number("column", row), number("length", row)],
            text: text("uri", row),
            bytes: bytes.is_valid(row).then(|| bytes.value(row).to_owned()),
            error,
        }
    };
    (0..batch.num_rows()).map(row).collect()
}

const PLACE_AND_ERROR: [&str; 9] =
    ["file", "line", "column", "length", "uri", "uri_bytes", "error", "error_column", "message"];

/// Compares all kinds of rows of a chunk.
fn check(chunk: &Chunk<'_>, validator: &Validator) {
    let mut chunk_scanner = ChunkScanner::default();
    let scanned = chunk_scanner.scan(chunk, validator, Columns::ALL).unwrap();
    let grammar = validator.grammar();
    let convert = |rows: &RowConverter| rows.convert(FILE, FIRST_LINE, &scanned).unwrap();
    let expected: Vec<_> = (0..scanned.len()).map(|index| Row::of_record(&scanned, index)).collect();

    // Places and errors in rows of components; only some of them; and a later range.
    let rows = RowConverter::new(RowKind::Components, grammar).columns(&PLACE_AND_ERROR).unwrap();
    let batch = convert(&rows);
    assert_eq!(batch.schema(), *rows.schema());
    assert_eq!(read(&batch), expected);
    for (valid, rows) in [(true, rows.clone().only(Only::Valid)), (false, rows.only(Only::Invalid))] {
        let mut wanted = expected.iter().filter(|row| row.error.is_none() == valid);
        let found = read(&convert(&rows));
        assert!(found.iter().eq(wanted.by_ref()), "{found:?}");
    }

    // Rows of errors, including the lines that do not fit the format.
    let malformed = scanned.malformed().iter().map(|line| {
        let message = scanned.chunk().layout().message(line).to_string();
        let cells = (Problem::MALFORMED.to_owned(), None, None, None, message);
        Row::new([FIRST_LINE + line.line, 1, line.length], None, Some(cells))
    });
    let mut errors: Vec<_> =
        expected.into_iter().filter(|row| row.error.is_some()).chain(malformed).collect();
    errors.sort_by_key(|row| row.place[0]);
    let all_errors = RowConverter::new(RowKind::Errors, grammar);
    assert_eq!(all_errors.scanned_columns(), Columns::NONE);
    assert_eq!(read(&convert(&all_errors)), errors);
    let kinds = ["space", "non-ascii", Problem::MALFORMED];
    errors.retain(|row| row.error.as_ref().is_some_and(|(kind, ..)| kinds.contains(&kind.as_str())));
    assert_eq!(read(&convert(&all_errors.kinds(&kinds))), errors);

    // Texts and offsets of components.
    let texts = convert(&RowConverter::new(RowKind::Components, grammar));
    let offsets = convert(&RowConverter::new(RowKind::Offsets, grammar));
    let verdicts: Vec<_> = (0..scanned.len())
        .map(|index| {
            if scanned.batch().is_valid(index) {
                validator.parse(scanned.record(index).unwrap()).ok()
            } else {
                None
            }
        })
        .collect();
    let valid: Vec<_> = verdicts.iter().map(|verdict| Some(verdict.is_some())).collect();
    for batch in [&texts, &offsets] {
        assert_eq!(batch.column_by_name("valid").unwrap().as_boolean().iter().collect::<Vec<_>>(), valid);
        let kinds: Vec<_> = verdicts
            .iter()
            .map(|verdict| Some(verdict.as_ref()?.host_kind()?.name().as_bytes().to_vec()))
            .collect();
        assert_eq!(arrays::texts(batch.column_by_name("host_kind").unwrap()), kinds);
    }
    for &component in Component::ALL {
        let range = |verdict: &Option<Components>| verdict.as_ref()?.get(component);
        let parts: Vec<_> = (0..scanned.len())
            .map(|index| range(&verdicts[index]).map(|range| scanned.record(index).unwrap()[range].to_vec()))
            .collect();
        assert_eq!(arrays::texts(texts.column_by_name(component.name()).unwrap()), parts, "{component}");
        let of = |end: fn(std::ops::Range<usize>) -> usize| {
            verdicts.iter().map(|verdict| range(verdict).map(|range| end(range) as i32)).collect::<Vec<_>>()
        };
        for (name, expected) in [("start", of(|range| range.start)), ("end", of(|range| range.end))] {
            let name = format!("{component}_{name}");
            let found = offsets.column_by_name(&name).unwrap().as_primitive::<Int32Type>();
            assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{name}");
        }
    }
}

fn check_all(scanner: &Scanner, input: &[u8], grammar: Grammar) {
    let validator = Validator::new(grammar);
    let job = |chunk: &Chunk<'_>| check(chunk, &validator);
    let flow = scanner.scan_slice(input, job, ControlFlow::<()>::Continue).unwrap();
    assert!(flow.is_none());
}

proptest! {
    #[test]
    fn rows_agree_with_the_scan(values in records::values(), grammar in prop::sample::select(Grammar::ALL)) {
        let records: Vec<_> = values.into_iter().flatten().collect();
        let lists = || Scanner::new().chunk_size(200);
        check_all(&lists(), &records.join(&b"\n"[..]), grammar);
        check_all(&lists().trim(true).max_record(20), &records.join(&b" \r\n"[..]), grammar);
        check_all(&lists().terminator(0), &records.join(&0), grammar);
        let lines = records.iter().map(|record| [b"a\t", &record[..], b"\t-\n"].concat());
        let log: Vec<u8> = lines.chain([b"no line of a table\n".to_vec()]).collect::<Vec<_>>().concat();
        check_all(&lists().layout(Layout::new(Format::Tsv, &LayoutOptions::default()).unwrap()), &log, grammar);
    }
}

#[test]
fn long_values_are_copied_whole() {
    // Values of each length with its own way of copying, at the end of the chunk and before it.
    for len in (0..200).chain([1000]) {
        let path = "p".repeat(len);
        let input = format!("http://h/{path}?{path}#{path}\nhttp://{path}/\nurn:{path}");
        check_all(&Scanner::new(), input.as_bytes(), Grammar::Uri);
    }
}

#[test]
fn columns_have_names() {
    let rows = || RowConverter::new(RowKind::Offsets, Grammar::Uri);
    let picked = rows().columns(&["host", "error", "message"]).unwrap();
    let names: Vec<_> = picked.schema().fields().iter().map(|field| field.name().as_str()).collect();
    assert_eq!(names, ["host_start", "host_end", "error_kind", "error_component", "error_offset", "message"]);
    assert!(matches!(rows().columns(&["hots"]), Err(FunctionError::UnknownField { .. })));
    assert!(matches!(rows().columns(&["error", "error_kind"]), Err(FunctionError::RepeatedField(_))));
    let described = rows().metadata("format", "cdx");
    assert_eq!(described.schema().metadata()["format"], "cdx");
}
