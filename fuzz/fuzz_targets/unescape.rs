//! Tests escapes. Any text, escaped like the writers of a format, must come back unchanged, and the reader
//! must find each byte at the place where it was written.

#![no_main]

use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use urivalidate::corpus::{ChunkScanner, FieldSelector, Format, HeaderRow, Layout, LayoutOptions, Scanner};
use urivalidate::{Columns, Grammar, Validator};

/// A line under construction, and the place in the line where each byte of the text begins.
#[derive(Default)]
struct Line {
    bytes: Vec<u8>,
    origins: Vec<usize>,
}

impl Line {
    fn put_as_is(&mut self, text: &[u8]) {
        self.origins.extend((0..text.len()).map(|at| self.bytes.len() + at));
        self.bytes.extend_from_slice(text);
    }

    /// Appends an escape that stands for this number of bytes.
    fn put_escape(&mut self, escape: &str, stands_for: usize) {
        self.origins.resize(self.origins.len() + stands_for, self.bytes.len());
        self.bytes.extend_from_slice(escape.as_bytes());
    }
}

/// A format, and a function that writes a field like the format's writers.
struct Writer {
    format: Format,
    field: FieldSelector,
    before: &'static str,
    after: &'static str,
    escape: fn(&[u8], &mut Line),
}

/// Escapes like Apache, or only with hexadecimal digits like nginx. A space would end the target in some
/// formats.
fn server(text: &[u8], line: &mut Line) {
    for &byte in text {
        match byte {
            b'"' | b'\\' if text.len().is_multiple_of(2) => {
                line.put_escape(&format!("\\{}", char::from(byte)), 1);
            }
            b'\n' if text.len().is_multiple_of(2) => line.put_escape("\\n", 1),
            0x0B if text.len().is_multiple_of(2) => line.put_escape("\\v", 1),
            b'!' | b'#'..=b'[' | b']'..=b'~' => line.put_as_is(&[byte]),
            0x80..=0xBF => line.put_as_is(&[byte]),
            _ if text.len().is_multiple_of(3) => line.put_escape(&format!("\\x{byte:02x}"), 1),
            _ => line.put_escape(&format!("\\x{byte:02X}"), 1),
        }
    }
}

fn haproxy(text: &[u8], line: &mut Line) {
    for &byte in text {
        match byte {
            b'!' | b'$'..=b'~' => line.put_as_is(&[byte]),
            _ => line.put_escape(&format!("#{byte:02X}"), 1),
        }
    }
}

/// Writes some characters unchanged, and some as their number. Bytes that are not UTF-8 become U+FFFD.
fn json(text: &[u8], line: &mut Line) {
    for char in String::from_utf8_lossy(text).chars() {
        let mut buffer = [0; 4];
        let utf8 = char.encode_utf8(&mut buffer).as_bytes();
        let short = match char {
            '"' => Some("\\\""),
            '\\' => Some("\\\\"),
            '/' if text.len().is_multiple_of(2) => Some("\\/"),
            '\u{8}' => Some("\\b"),
            '\u{C}' => Some("\\f"),
            '\n' => Some("\\n"),
            '\r' => Some("\\r"),
            '\t' => Some("\\t"),
            _ => None,
        };
        let by_number = char.is_control() || u32::from(char) % 8 == text.len() as u32 % 8;
        match short {
            Some(escape) => line.put_escape(escape, 1),
            None if by_number => {
                let units = char
                    .encode_utf16(&mut [0; 2])
                    .iter()
                    .map(|unit| format!("\\u{unit:04x}"))
                    .collect::<String>();
                line.put_escape(&units, utf8.len());
            }
            None => line.put_as_is(utf8),
        }
    }
}

/// Writes a cell in quotes. The cell cannot continue in another line.
fn quotes(text: &[u8], line: &mut Line) {
    for &byte in text {
        match byte {
            b'"' => line.put_escape("\"\"", 1),
            b'\n' => line.put_as_is(b" "),
            _ => line.put_as_is(&[byte]),
        }
    }
}

/// Writes a cell in quotes without tabs: in a table with tabs, a tab also separates cells in quotes.
fn quotes_without_tabs(text: &[u8], line: &mut Line) {
    let text: Vec<u8> = text.iter().map(|&byte| if byte == b'\t' { b' ' } else { byte }).collect();
    quotes(&text, line);
}

/// The text that the writer wrote. Some writers cannot write every byte.
fn written(writer: &Writer, text: &[u8]) -> Vec<u8> {
    let is = |escape: fn(&[u8], &mut Line)| std::ptr::fn_addr_eq(writer.escape, escape);
    if is(json) {
        return String::from_utf8_lossy(text).into_owned().into_bytes();
    }
    let lost: &[u8] = match () {
        () if is(quotes) => b"\n",
        () if is(quotes_without_tabs) => b"\n\t",
        () => b"",
    };
    text.iter().map(|byte| if lost.contains(byte) { b' ' } else { *byte }).collect()
}

fn writers() -> [Writer; 13] {
    let writer =
        |format, before, after, escape| Writer { format, field: FieldSelector::Uri, before, after, escape };
    [
        writer(
            Format::Common,
            r#"192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] "GET "#,
            r#" HTTP/1.1" 200 0"#,
            server,
        ),
        writer(
            Format::Combined,
            r#"192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] "GET "#,
            r#" HTTP/1.1" 200 0 "-" "-""#,
            server,
        ),
        Writer {
            field: FieldSelector::Field("referer".to_owned()),
            ..writer(
                Format::Combined,
                r#"192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] "GET /\" HTTP/1.1" 200 0 ""#,
                r#"" "-""#,
                server,
            )
        },
        writer(Format::Envoy, r#"[2026-04-15T20:17:00.310Z] "POST "#, r#" HTTP/2" 204 - 154 0 226"#, server),
        writer(
            Format::Elb,
            r#"http 2026-07-02T22:23:00.186641Z app/x/50dc6c495c0c9188 192.0.2.131:2817 198.51.100.1:80 0.000 0.001 0.000 200 200 34 366 "GET "#,
            r#" HTTP/1.1" "curl/7.46.0" - -"#,
            server,
        ),
        writer(
            Format::Haproxy,
            r#"192.0.2.2:33317 [06/Feb/2026:12:14:14.655] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 "GET "#,
            r#" HTTP/1.1""#,
            haproxy,
        ),
        writer(Format::Jsonl, r#"{"a":{"url":"\""},"url":""#, r#"","b":[]}"#, json),
        writer(Format::Caddy, r#"{"level":"info","request":{"uri":""#, r#""}}"#, json),
        writer(Format::Cdxj, r#"com,example)/ 20260101000000 {"url": ""#, r#""}"#, json),
        writer(Format::Csv, "\"", "\",x", quotes),
        writer(Format::Delimited, "\"", "\"|x", quotes),
        writer(Format::Tsv, "\"", "\"\tx", quotes_without_tabs),
        Writer {
            field: FieldSelector::Field("2".to_owned()),
            ..writer(Format::Csv, "\"\"\"\",\"", "\"", quotes)
        },
    ]
}

fuzz_target!(|input: &[u8]| {
    let Some((&choice, text)) = input.split_first() else { return };
    let mut writers = writers();
    let number = usize::from(choice) % writers.len();
    let writer = &mut writers[number];
    let text = written(writer, text);
    // These texts mean that a line has no URI. The empty text is no target of a request, and a blank cell is
    // empty.
    let is_table = matches!(writer.format, Format::Csv | Format::Tsv | Format::Delimited);
    if matches!(&text[..], b"" | b"-" | b"\\N") || is_table && text.trim_ascii().is_empty() {
        return;
    }
    let mut line = Line::default();
    line.bytes.extend_from_slice(writer.before.as_bytes());
    (writer.escape)(&text, &mut line);
    line.origins.push(line.bytes.len());
    line.bytes.extend_from_slice(writer.after.as_bytes());
    line.bytes.push(b'\n');

    let mut options = LayoutOptions::from(writer.field.clone());
    options.header = HeaderRow::No;
    options.delimiter = Some(b'|');
    let layout = Layout::new(writer.format, &options).expect("the format has the field");
    let mut found = Vec::new();
    Scanner::new()
        .layout(layout)
        .scan_slice(
            &line.bytes,
            |chunk| {
                let mut chunk_scanner = ChunkScanner::default();
                let validator = Validator::new(Grammar::Uri);
                let scanned = chunk_scanner.scan(chunk, &validator, Columns::ALL).expect("memory");
                assert_eq!(scanned.len(), 1, "{:?}: {}", writer.format, line.bytes.escape_ascii());
                let record = scanned.record(0).unwrap().to_vec();
                let column = |offset| scanned.error_column(0, offset).unwrap() as usize - 1;
                let columns = (0..=record.len()).map(column);
                (record, columns.collect::<Vec<_>>())
            },
            |record| {
                found.push(record);
                ControlFlow::<()>::Continue(())
            },
        )
        .expect("memory");
    assert_eq!(found, [(text, line.origins)], "{:?}: {}", writer.format, line.bytes.escape_ascii());
});
