//! Tests that `corpora/sample.txt` shows what its README says: every host, every component, every error that
//! `uri` can report.

use std::collections::BTreeSet;
use std::ops::Range;

use urivalidate::{Component, Components, Error, ErrorKind, Grammar, HostKind, parse};

const SAMPLE: &[u8] = include_bytes!("../../corpora/sample.txt");

/// Cuts the sample at LF, and drops one CR before it. The last record has no LF and keeps all of its bytes.
fn records() -> Vec<&'static [u8]> {
    let mut records: Vec<_> = SAMPLE.split(|&byte| byte == b'\n').collect();
    let last = records.pop().expect("split yields one piece at least");
    for record in &mut records {
        *record = record.strip_suffix(b"\r").unwrap_or(record);
    }
    records.push(last);
    records
}

fn verdicts() -> impl Iterator<Item = (&'static [u8], Result<Components, Error>)> {
    records().into_iter().map(|record| (record, parse(Grammar::Uri, record)))
}

fn valid() -> impl Iterator<Item = (&'static [u8], Components)> {
    verdicts().filter_map(|(record, verdict)| Some((record, verdict.ok()?)))
}

/// Tests the 1-based line numbers that the README of the corpora states.
#[test]
fn the_lines_are_where_the_readme_says() {
    let invalid: Vec<usize> =
        verdicts().zip(1..).filter(|((_, verdict), _)| verdict.is_err()).map(|(_, line)| line).collect();
    let expected: Vec<usize> = [79].into_iter().chain(81..=155).collect();
    assert_eq!(invalid, expected);
    assert_eq!(records().len(), 157);
}

#[test]
fn the_bytes_are_as_hard_as_the_readme_says() {
    assert_eq!(SAMPLE.split(|&byte| byte == b'\n').filter(|record| record.ends_with(b"\r")).count(), 4);
    assert!(!SAMPLE.ends_with(b"\n"), "the last record must have no line end");
    assert_eq!(records()[80], b"");
    assert!(SAMPLE.contains(&0) && SAMPLE.contains(&0x7F));
    assert!(records().iter().any(|record| std::str::from_utf8(record).is_err()));
    assert!(records()[155].len() > 1000);
}

#[test]
fn every_error_kind_of_uri_occurs() {
    let seen: BTreeSet<ErrorKind> =
        verdicts().filter_map(|(_, verdict)| Some(verdict.err()?.kind())).collect();
    let not_of_uri = [
        ErrorKind::ColonInFirstSegment,
        ErrorKind::InvalidUtf8,
        ErrorKind::EmptySchemeSpecificPart,
        // This error needs a record that does not fit into a sample.
        ErrorKind::RecordTooLong,
        // This error needs an input that fails while it is read.
        ErrorKind::Truncated,
    ];
    let expected: BTreeSet<ErrorKind> =
        ErrorKind::ALL.iter().copied().filter(|kind| !not_of_uri.contains(kind)).collect();
    assert_eq!(seen, expected);
}

#[test]
fn every_component_has_errors() {
    let seen: BTreeSet<Component> =
        verdicts().filter_map(|(_, verdict)| verdict.err()?.component()).collect();
    assert_eq!(seen, Component::ALL.iter().copied().collect());
}

#[test]
fn every_host_kind_of_rfc_3986_occurs() {
    let seen: BTreeSet<Option<HostKind>> = valid().map(|(_, components)| components.host_kind()).collect();
    let kinds = [HostKind::RegName, HostKind::Ipv4, HostKind::Ipv6, HostKind::IpvFuture];
    assert_eq!(seen, kinds.into_iter().map(Some).chain([None]).collect());
}

#[test]
fn every_component_occurs_absent_empty_and_present() {
    for &component in Component::ALL {
        let seen = |is: fn(Option<Range<usize>>) -> bool| valid().any(|(_, found)| is(found.get(component)));
        assert!(seen(|range| range.is_some_and(|range| !range.is_empty())), "no {component}");
        // A URI always has a scheme, which is not empty, and a path, which may be empty.
        assert_eq!(
            seen(|range| range.is_none()),
            !matches!(component, Component::Scheme | Component::Path),
            "{component}"
        );
        assert_eq!(
            seen(|range| range.is_some_and(|range| range.is_empty())),
            component != Component::Scheme,
            "{component}"
        );
    }
}
