//! Lines that another program has wrapped.

use super::*;
use crate::corpus::Wrapper;

/// A scan that finds out the wrapper and, inside of it, the format.
fn found_out(log: &str, format: Format) -> Extracted {
    case(format).detected(log).run(log)
}

macro_rules! sample {
    ($name:literal) => {
        include_str!(concat!("../../../../corpora/logs/", $name))
    };
}

/// The first byte of each record, where it stands in the log.
#[track_caller]
fn assert_places(log: &str, found: &Extracted) {
    let lines: Vec<&str> = log.lines().collect();
    for (line, column, record) in &found.records {
        let text = &lines[*line as usize - 1].as_bytes()[*column as usize - 1..];
        assert!(text.starts_with(&record.as_bytes()[..1]), "{line}:{column}: {record}");
        assert!(lines[*line as usize - 1].as_bytes()[*column as usize - 2] == b'"' || text[0] == b'/');
    }
}

#[test]
fn each_sample_is_found_out_and_read() {
    use Malformed::{NoKey, NoStart, NotAnObject, NotWrapped, PartOfLine};

    for (log, format, records, misfits) in [
        (
            sample!("syslog.log"),
            Format::Caddy,
            &["/a?b=c", "/b&c", "/d e", "/f", "/g\\xc3\\xa9", "/i"][..],
            &[(6, NoKey), (7, NotAnObject), (8, NotWrapped)][..],
        ),
        (
            sample!("cri.log"),
            Format::Envoy,
            &["/a", "/a?b={c}", "/b%20c", "/b%20c", "/b%20c", "/a"],
            &[(5, NoStart), (6, NoStart), (7, PartOfLine), (8, NoStart)],
        ),
        (
            sample!("docker.jsonl"),
            Format::Caddy,
            &["/a?b=1&c=2", "/<x>", "/d\\\"e\\\\f", "/\\xc3\\xa9", "/z"],
            &[(3, NotAnObject), (5, PartOfLine), (6, NotAnObject), (7, NotWrapped)],
        ),
        (
            sample!("journal.jsonl"),
            Format::Haproxy,
            &["/a", "/a\\\"b?c#d", "/\\xc3\\xa9\\\"x", "/b\\\\c", "/d"],
            &[(4, NoStart), (5, NotWrapped)],
        ),
        (
            sample!("kubectl.log"),
            Format::Envoy,
            &["/a", "/a?b={c}", "/b%20c", "/a"],
            &[(4, NoStart), (6, NotWrapped)],
        ),
        (
            sample!("compose.log"),
            Format::Envoy,
            &["/a", "/a?b={c}", "/b%20c", "/a"],
            &[(3, Malformed::Empty), (6, NoStart), (7, NotWrapped)],
        ),
        (sample!("timestamps.log"), Format::Caddy, &["/a", "/b c", "/d"], &[(3, NotAnObject)]),
    ] {
        let found = found_out(log, format);
        assert_eq!(texts(&found), records);
        assert_eq!(reasons(&found), misfits);
        assert_places(log, &found);
    }
}

/// An error is reported at the byte of the log that it comes from, whatever is escaped before it.
#[test]
fn columns_count_in_the_whole_line() {
    let object = r#"{\"level\":\"info\",\"request\":{\"uri\":\"/\\u0026\\\\\\u00e9\"}}"#;
    let log = format!("{{\"log\":\"{object}\\n\",\"stream\":\"stdout\"}}\n").repeat(2);
    let found = found_out(&log, Format::Caddy);
    assert_eq!(texts(&found), ["/&\\\\\\xc3\\xa9"; 2]);
    // The backslash, which two pairs of them spell.
    let column = log.find(r"\\\\\\u00e9").unwrap() as u64 + 1;
    assert_eq!(found.errors, [(1, column), (2, column)]);
}

#[test]
fn a_wrapper_must_explain_more_than_the_line_does() {
    // The common log format takes any text before the time.
    let access =
        "Nov 23 01:02:03 h nginx: 192.0.2.1 - - [23/Nov/2026:01:02:03 +0000] \"GET /a HTTP/1.1\" 200 1\n";
    assert_eq!(texts(&found_out(access, Format::Common)), ["/a"]);
    // The one key with access log lines is taken.
    let docker = r#"{"log":"192.0.2.1 - - [23/Nov/2026:01:02:03 +0000] \"GET /a HTTP/1.1\" 200 1\n","stream":"stdout"}"#;
    assert_eq!(Format::detect(docker.as_bytes()), Format::Jsonl);
    // A list with times before the URIs is no log.
    let list = "2026-11-23T01:02:03Z http://a/\n2026-11-23T01:02:04Z http://b/\n";
    assert_ne!(Format::detect(list.as_bytes()), Format::Caddy);
    // Messages of any kind.
    let messages = "Nov 23 01:02:03 h systemd[1]: Started http://a/ for b.\n".repeat(20);
    assert_eq!(Format::detect(messages.as_bytes()), Format::Lines);
}

/// With the wrapper given, the format inside is found out, and messages of any kind are texts.
#[test]
fn a_wrapper_that_is_given() {
    let records = |wrapper: Wrapper, log: &str| {
        let options = LayoutOptions { wrapper: Some(wrapper), ..LayoutOptions::default() };
        let formats = std::sync::Mutex::new(Vec::new());
        let scanner = Scanner::new().detect_format(options);
        let job = |chunk: &crate::corpus::Chunk<'_>| {
            formats.lock().unwrap().push((chunk.layout().format(), chunk.layout().wrapper()));
        };
        scanner.scan_reader(log.as_bytes(), job, |()| ControlFlow::<()>::Continue(())).unwrap();
        formats.into_inner().unwrap()
    };
    let access =
        "Nov 23 01:02:03 h nginx: 192.0.2.1 - - [23/Nov/2026:01:02:03 +0000] \"GET /a HTTP/1.1\" 200 1\n";
    assert_eq!(records(Wrapper::Syslog, access), [(Format::Common, Some(Wrapper::Syslog))]);
    let message = "Nov 23 01:02:03 h systemd[1]: Started http://a/ for b.\n";
    assert_eq!(records(Wrapper::Syslog, message), [(Format::Text, None)]);
}
