//! Lines that another program has wrapped.

use super::*;
use crate::corpus::Wrapper;

/// A scan that detects the wrapper and, inside of it, the format.
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
        // The number of a slash.
        if text.starts_with(b"47, ") {
            continue;
        }
        assert!(text.starts_with(&record.as_bytes()[..1]), "{line}:{column}: {record}");
        assert!(lines[*line as usize - 1].as_bytes()[*column as usize - 2] == b'"' || text[0] == b'/');
    }
}

#[test]
fn each_sample_is_found_out_and_read() {
    use Malformed::{NoRequest, NoStart, NoTarget, NotAnObject, NotWrapped, PartOfLine};

    const NGINX: [&str; 5] = ["/a?b=c", "/b\\\"c", "/d/%20e", "/x[]=1", "/h?i=j"];

    for (log, format, records, misfits) in [
        (
            sample!("syslog.log"),
            Format::Caddy,
            &["/a?b=c", "/b&c", "/d e", "/f", "/g\\xc3\\xa9", "/i"][..],
            &[(7, NotAnObject), (8, NotWrapped)][..],
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
            &["/a", "/a\\\"b?c#d", "/f g?h=i", "/\\xc3\\xa9\\\"x", "/b\\\\c", "/d"],
            &[(4, NoStart)],
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
        (sample!("nginx-syslog.log"), Format::Combined, &NGINX, &[(4, NoTarget), (7, NoRequest)]),
        (
            sample!("nginx-cri.log"),
            Format::Combined,
            &NGINX,
            &[(4, NoTarget), (7, NoRequest), (8, PartOfLine), (9, NoRequest), (10, NotWrapped)],
        ),
        (
            sample!("nginx-docker.jsonl"),
            Format::Combined,
            &NGINX,
            &[(4, NoTarget), (7, NoRequest), (8, PartOfLine), (9, NoRequest)],
        ),
        (sample!("stern.log"), Format::Combined, &NGINX, &[(1, NotWrapped), (5, NoTarget), (8, NoRequest)]),
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

/// Some formats take any text before their fields, and a key of an object may hold their lines: the wrapper
/// still says more about the line.
#[test]
fn a_wrapper_is_found_out_where_formats_fit_without() {
    const COMMON: &str = r#"192.0.2.1 - - [23/Nov/2026:01:02:03 +0000] "GET /a HTTP/1.1" 200 1"#;
    const ENVOY: &str =
        r#"[2026-11-23T01:02:03.310Z] "GET /a HTTP/2" 200 - 0 154 3 2 "-" "curl/8.0" "c" "h" "h:80""#;

    for (wrapper, before, after) in [
        (Wrapper::Syslog, "Nov 23 01:02:03 h nginx: ", "\n"),
        (Wrapper::Syslog, "<134>1 2026-11-23T01:02:03Z h nginx 71 - - ", "\n"),
        (Wrapper::Cri, "2026-11-23T01:02:03.123456789Z stdout F ", "\n"),
        (Wrapper::Docker, r#"{"log":""#, "\\n\",\"stream\":\"stdout\"}\n"),
        (Wrapper::Journald, r#"{"__REALTIME_TIMESTAMP":"1","MESSAGE":""#, "\"}\n"),
        (Wrapper::Kubernetes, "[pod/web-5d9c/nginx] ", "\n"),
        (Wrapper::Kubernetes, "web-5d9c nginx ", "\n"),
        (Wrapper::Compose, "web-1  | ", "\n"),
        (Wrapper::Compose, "web-1  | 2026-11-23T01:02:03.1Z ", "\n"),
        (Wrapper::Timestamps, "2026-11-23T01:02:03.1Z ", "\n"),
    ] {
        let combined = format!(r#"{COMMON} "http://h/" "curl""#);
        // Its first key ends like the tag of syslog.
        let object = r#"{"level": "info", "url": "http://h/a"}"#;
        for (line, format) in [
            (COMMON, Format::Common),
            (&combined, Format::Combined),
            (ENVOY, Format::Envoy),
            (object, Format::Jsonl),
        ] {
            let is_string = before.starts_with('{');
            let line = if is_string { line.replace('"', "\\\"") } else { line.to_owned() };
            let found = detect(
                format!("{before}{line}{after}").repeat(3).as_bytes(),
                &LayoutOptions::default(),
                None,
            );
            let found = found.map(|found| (found.wrapper, found.format));
            assert_eq!(found, Some((Some(wrapper), format)), "{before}{line}");
        }
    }
}

/// One line that only a laxer format takes does not hide the others' wrapper and format.
#[test]
fn the_closest_wrapper_is_found_out() {
    const PREFIX: &str = "2026-11-23T01:02:03.1Z stdout F ";
    let envoy = r#"[2026-11-23T01:02:03.310Z] "GET /a HTTP/2" 200 - 0 154 3 2 "-" "curl/8.0" "c" "h" "h:80""#;
    let common = r#"192.0.2.1 - - [23/Nov/2026:01:02:03 +0000] "GET /b HTTP/1.1" 200 1"#;
    let log = format!("{}{PREFIX}{common}\n", format!("{PREFIX}{envoy}\n").repeat(3));
    let found = detect(log.as_bytes(), &LayoutOptions::default(), None).unwrap();
    assert_eq!((found.wrapper, found.format), (Some(Wrapper::Cri), Format::Envoy));
    // A key that the wrapping objects lack is a key of the messages.
    let log = r#"{"log":"{\"request\":\"GET /a HTTP/1.1\"}\n","stream":"stdout"}"#;
    for (key, wrapper) in [("request", Some(Wrapper::Docker)), ("stream", None)] {
        let found = detect(log.as_bytes(), &FieldSelector::Key(key.to_owned()).into(), None).unwrap();
        assert_eq!((found.wrapper, found.format), (wrapper, Format::Jsonl), "{key}");
    }
}

#[test]
fn a_wrapper_must_explain_no_less_than_the_line_does() {
    // A list with times before the URIs is no log.
    let list = "2026-11-23T01:02:03Z http://a/\n2026-11-23T01:02:04Z http://b/\n";
    assert_ne!(Format::detect(list.as_bytes()), Format::Caddy);
    // Messages of any kind.
    let messages = "Nov 23 01:02:03 h systemd[1]: Started http://a/ for b.\n".repeat(20);
    assert_eq!(Format::detect(messages.as_bytes()), Format::Lines);
}

/// With the wrapper given, the format inside is detected, and messages of any kind are texts.
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
