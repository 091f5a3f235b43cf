//! Tests streams of record batches against their inputs.

use std::io;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use urivalidate::RowKind;
use urivalidate::arrow::{RowConverter, RowEvent, RowStream};
use urivalidate::corpus::{Input, MissingKey, Reading, ReadingOptions};

const ROWS: usize = 10;

fn input(name: &str, bytes: &str) -> Input<'static> {
    Input::reader(name, io::Cursor::new(bytes.as_bytes().to_vec()))
}

fn stream(options: ReadingOptions<'_>, columns: &[&str], inputs: Vec<Input<'static>>) -> RowStream {
    let reading = Reading::new(options).unwrap();
    let rows =
        RowConverter::new(RowKind::Components, reading.validator().grammar()).columns(columns).unwrap();
    let scanner = reading.batch_scanner(ROWS);
    #[cfg(feature = "rayon")]
    let scanner = scanner.threads(2);
    RowStream::new(scanner, reading, rows, inputs).unwrap()
}

fn auto() -> ReadingOptions<'static> {
    ReadingOptions::default()
}

#[test]
fn batches_come_in_the_order_of_inputs_and_lines() {
    let list = |name: &str| (0..95).map(|number| format!("http://{name}/{number}\n")).collect::<String>();
    let inputs = vec![input("a", &list("a")), input("none", ""), input("b", &list("b"))];
    let mut rows = Vec::new();
    let stream = stream(auto(), &["file", "line", "path"], inputs);
    assert_eq!(stream.schema().fields().len(), 3);
    for batch in stream {
        let batch = batch.unwrap();
        assert!((1..=ROWS).contains(&batch.num_rows()), "{} rows", batch.num_rows());
        let (files, paths) = (batch.column(0).as_string::<i32>(), batch.column(2).as_string::<i32>());
        let lines = batch.column(1).as_primitive::<Int64Type>();
        rows.extend(
            (0..batch.num_rows())
                .map(|row| format!("{} {} {}", files.value(row), lines.value(row), paths.value(row))),
        );
    }
    let expected =
        ["a", "b"].map(|name| (0..95).map(move |number| format!("{name} {} /{number}", number + 1)));
    assert_eq!(rows, expected.into_iter().flatten().collect::<Vec<_>>());
}

#[test]
fn events_say_how_an_input_is_read_and_what_the_rows_leave_out() {
    let log = "{\"url\":\"http://h/\"}\ngarbage\n".repeat(6);
    let inputs = vec![input("log", &log), input("none", ""), Input::path("no-such-file")];
    let mut stream = stream(auto(), &["valid"], inputs);
    let mut events = Vec::new();
    while let Some(event) = stream.next_event() {
        events.push(match event.unwrap() {
            (input, RowEvent::Begin(read_as)) => format!("{input} {} {}", read_as.format, read_as.grammar),
            (input, RowEvent::Rows(rows)) => format!("{input} {} rows", rows.num_rows()),
            (input, RowEvent::End { status, fit, .. }) => {
                let left_out = fit.misfits().map_or("nothing", |misfits| {
                    assert!(!misfits.are_all);
                    "lines"
                });
                format!("{input} {}, {left_out} left out", if status.is_ok() { "ends" } else { "fails" })
            }
            (_, other) => panic!("{other:?}"),
        });
    }
    let rows = events.iter().filter_map(|event| event.strip_prefix("0 ")?.strip_suffix(" rows"));
    assert_eq!(rows.map(|rows| rows.parse::<usize>().unwrap()).sum::<usize>(), 6);
    events.retain(|event| !event.ends_with(" rows"));
    assert_eq!(
        events,
        [
            "0 jsonl uri",
            "0 ends, lines left out",
            "1 lines uri",
            "1 ends, nothing left out",
            "2 fails, nothing left out"
        ]
    );
}

#[test]
fn an_input_of_which_no_line_fits_is_an_error() {
    let options = ReadingOptions { format: "jsonl", ..auto() };
    let inputs = || vec![input("list", "http://h/\n"), input("log", "{\"url\":\"http://h/\"}\n")];
    let items: Vec<_> = stream(options, &["valid"], inputs()).collect();
    let error = items[0].as_ref().unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    assert!(error.to_string().starts_with("list: no line fits the format jsonl; line 1: "), "{error}");
    assert_eq!(items[1].as_ref().unwrap().num_rows(), 1);
    assert_eq!(items.len(), 2);
    // Not if the lines have rows.
    assert!(stream(options, &["malformed"], inputs()).all(|batch| batch.unwrap().num_rows() == 1));
}

#[test]
fn a_missing_key_and_a_missing_base_are_told_apart() {
    let options = ReadingOptions { format: "jsonl", key: Some("url"), ..auto() };
    let mut keyless = stream(options, &["valid"], vec![input("log", "{\"a\":1}\n")]);
    let end = loop {
        match keyless.next_event().unwrap().unwrap() {
            (_, RowEvent::End { status, fit, .. }) => break (status, fit),
            _ => continue,
        }
    };
    assert!(end.0.unwrap_err().get_ref().is_some_and(|inner| inner.is::<MissingKey>()));
    assert!(!end.1.has_key());
    assert!(keyless.next().is_none());

    let inputs = vec![input("list", "http://h/\n"), input("next", "http://h/\n")];
    let mut baseless = stream(auto(), &["resolved"], inputs);
    let error = baseless.next_event().unwrap().unwrap_err();
    assert!(error.to_string().contains("base"), "{error}");
    assert!(baseless.next_event().is_none(), "the error ends the stream");
}

#[test]
fn rows_carry_the_fields_of_tables() {
    let first = input("a", "id,url\n1,http://a/\n,http://b/\n\n3,no\n");
    let other = input("b", "n,url\n1,http://c/\n");
    let mut rows = Vec::new();
    for batch in stream(auto(), &["log.id", "row"], vec![first, other]) {
        let batch = batch.unwrap();
        let (ids, numbers) =
            (batch.column(0).as_string::<i32>(), batch.column(1).as_primitive::<Int64Type>());
        rows.extend(ids.iter().zip(numbers).map(|(id, row)| (id.map(str::to_owned), row)));
    }
    let id = |id: &str| Some(id.to_owned());
    assert_eq!(rows, [(id("1"), Some(1)), (None, Some(2)), (id("3"), Some(3)), (None, Some(1))]);
    for (name, bytes, sentence) in [
        ("log.name", "id,url\n1,http://a/\n", "the header has no column for log.name; there are id, url"),
        ("log.name", "http://a/\n", "the column log.name: the format lines has no fields"),
    ] {
        let error = stream(auto(), &[name], vec![input("a", bytes)]).next().unwrap().unwrap_err();
        assert!(error.to_string().contains(sentence), "{error}");
    }
    let all =
        RowConverter::new(RowKind::Components, urivalidate::Grammar::Uri).columns(&["log.*"]).unwrap_err();
    assert_eq!(all.to_string(), "the column log.*: name the fields one by one");
}
