//! Tests the library against the RFCs' algorithms, and the properties of every result: with the generated
//! records of the other property tests, with texts made of critical pieces, and with all short ones.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use urivalidate::{Grammar, NormalForm, Validator};

use super::rfc3986::{
    Uri, authority, default_port, is_unreserved, normal_port, normal_text, recompose, remove_dot_segments,
    transform,
};
use super::{normalized, relativized, resolved, rfc2396, rfc3987};
use crate::properties::original;

/// Pieces in which dots, slashes, colons, case and escapes interact.
const PIECES: &[&str] = &[
    "a",
    "B",
    "x:",
    "HTTP:",
    "http://h",
    "//",
    "//H:80",
    "//u@h:",
    ":",
    "/",
    "/.",
    "/..",
    "..",
    ".",
    "./",
    "../",
    "?",
    "?q",
    "#",
    "#f",
    "%2e",
    "%2E%2e",
    "%41",
    "%7e",
    "%2f",
    "%3a",
    "%c3%a9",
    "%C3",
    "\u{e9}",
    "%21",
    ";",
    "@",
    "_",
    "%5f",
    "%ef%bf%bd",
    "%f0%9f%98%80",
    "%a9",
    "http://H:080",
    "wss://h:443/",
    "ftp://:",
];

const GRAMMARS: [Grammar; 8] = [
    Grammar::Uri,
    Grammar::UriReference,
    Grammar::AbsoluteUri,
    Grammar::RelativeRef,
    Grammar::Rfc2396,
    Grammar::Iri,
    Grammar::IriReference,
    Grammar::RequestTarget,
];

fn record() -> impl Strategy<Value = String> {
    let pieces = || vec(select(PIECES), 0..10).prop_map(|pieces| pieces.concat());
    let others = original().prop_filter_map("UTF-8", |record| String::from_utf8(record).ok());
    prop_oneof![2 => pieces(), 2 => pieces().prop_map(|rest| format!("x:/{rest}")), 1 => others]
}

/// Asserts that a result parses as `expected`. Only a path that cannot stand alone may have a guard before
/// it.
#[track_caller]
fn assert_reads_as(result: &str, expected: &Uri, context: &str) {
    let written = recompose(expected);
    let read = Uri::parse(&written);
    // Appendix B never finds an empty scheme, but no path without a scheme begins with a colon (section 4.2).
    let is_bare = expected.scheme.is_none() && expected.authority.is_none();
    if read == *expected && !(is_bare && expected.path.starts_with(':')) {
        assert_eq!(result, written, "{context}");
        return;
    }
    let found = Uri::parse(result);
    let guards = ["/.", "./", "/"];
    let guard = guards.iter().find(|guard| found.path == format!("{guard}{}", expected.path));
    assert!(guard.is_some(), "{context}: {result} for {expected:?}");
    assert_eq!(Uri { path: expected.path.clone(), ..found }, *expected, "{context}");
}

fn is_valid(grammar: Grammar, record: &str) -> bool {
    Validator::new(grammar).is_valid(record.as_bytes())
}

/// Returns the components of the normal form: by RFC 3986 sections 6.2.2 and 6.2.3, RFC 3987 section 5.3.2
/// or, with the rules that the documentation states, RFC 2396.
fn normal_components(grammar: Grammar, form: NormalForm, record: &str) -> Uri {
    let uri = Uri::parse(record);
    let normal = |text: &str, lower| match grammar {
        Grammar::Iri | Grammar::IriReference => rfc3987::normal_text(text, lower),
        Grammar::Rfc2396 => normal_text(text, rfc2396::is_unreserved, lower),
        _ => normal_text(text, is_unreserved, lower),
    };
    let text = |text: &str| normal(text, false);
    let path = text(&uri.path);
    let is_alone = uri.scheme.is_none() && uri.authority.is_none() && grammar != Grammar::RequestTarget;
    let scheme = uri.scheme.map(|scheme| scheme.to_ascii_lowercase());
    let schemes = scheme.as_deref().filter(|_| form == NormalForm::Scheme).unwrap_or_default();
    let mut path = match grammar {
        _ if is_alone => relative(&path),
        Grammar::Rfc2396 => rfc2396::without_dots(&path),
        _ => remove_dot_segments(&path),
    };
    if path.is_empty() && uri.authority.is_some() && default_port(schemes).is_some() {
        path.push('/');
    }
    Uri {
        authority: uri.authority.map(|whole| {
            let (userinfo, host, port) = authority(&whole);
            let port = if form == NormalForm::Scheme { normal_port(schemes, port) } else { port };
            format!("{}{}{}", text(userinfo), normal(host, true), port)
        }),
        scheme,
        path,
        query: uri.query.as_deref().map(text),
        fragment: uri.fragment.as_deref().map(text),
    }
}

/// Returns true if appendix B splits a valid record as its grammar does: no opaque part, no authority of a
/// registry, and no path of a request target that looks like an authority.
fn has_components(grammar: Grammar, record: &str) -> bool {
    let components = Validator::new(grammar).parse(record.as_bytes()).unwrap();
    let is_registry = components.authority().is_some() && components.host().is_none();
    let is_target = grammar == Grammar::RequestTarget && components.scheme().is_none();
    !components.is_opaque()
        && !is_registry
        && (!is_target || record.starts_with('/') && !record.starts_with("//"))
}

/// Returns the path of a reference that is not resolved: `..` stays if it leads out of the path, and a
/// non-empty path does not become empty.
fn relative(path: &str) -> String {
    match rfc2396::without_dots(path) {
        normal if normal.is_empty() && !path.is_empty() => "./".to_owned(),
        normal if normal.starts_with('/') && !path.starts_with('/') => format!("./{normal}"),
        normal => normal,
    }
}

#[track_caller]
fn check_normal_form(grammar: Grammar, record: &str) {
    if !is_valid(grammar, record) {
        return;
    }
    let context = format!("{record:?} as {grammar}");
    for &form in NormalForm::ALL {
        let normal = normalized(grammar, form, record);
        assert!(is_valid(grammar, &normal), "{normal:?} of {context}");
        assert_eq!(normalized(grammar, form, &normal), normal, "again, of {context}");
        if has_components(grammar, record) {
            let expected = normal_components(grammar, form, record);
            if grammar == Grammar::RequestTarget && expected.scheme.is_none() {
                // A path of two slashes needs no guard there.
                assert_eq!(normal, recompose(&expected), "{context}");
                continue;
            }
            assert_reads_as(&normal, &expected, &format!("{context}, {form:?}"));
        }
    }
}

#[track_caller]
fn check_resolution(base: &str, reference: &str) {
    let context = format!("{reference:?} against {base:?}");
    for grammar in [Grammar::UriReference, Grammar::IriReference, Grammar::Rfc2396] {
        let validator = Validator::new(grammar);
        let Ok(parsed) = validator.base(base.as_bytes()) else { continue };
        if !validator.is_valid(reference.as_bytes()) {
            continue;
        }
        let result = resolved(grammar, base, reference);
        let (b, r) = (Uri::parse(base), Uri::parse(reference));
        if grammar != Grammar::Rfc2396 {
            assert_reads_as(&result, &transform(&b, &r), &context);
        } else if result != "invalid" && validator.parse(base.as_bytes()).is_ok_and(|base| !base.is_opaque())
        {
            assert_reads_as(&result, &rfc2396::resolve(&b, &r), &context);
        }
        let is_invalid = result == "invalid";
        assert!(is_invalid || validator.is_valid(result.as_bytes()), "{result:?} of {context}");
        // Relativizes any URI to its normal form.
        let uri = normalized(grammar, NormalForm::Syntax, if is_invalid { base } else { &result });
        let mut to = Vec::new();
        let way = parsed.relativize(uri.as_bytes(), &mut to).unwrap().unwrap_or(uri.as_bytes());
        let way = str::from_utf8(way).unwrap().to_owned();
        assert!(way.len() <= uri.len() || way.starts_with('.'), "{way} to {uri}");
        assert_eq!(resolved(grammar, base, &way), uri, "{way:?} from {base:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::cases(40_000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn normal_forms(record in record()) {
        for grammar in GRAMMARS {
            check_normal_form(grammar, &record);
        }
    }

    #[test]
    fn resolution(base in record(), reference in record()) {
        check_resolution(&base, &reference);
        check_resolution(&reference, &base);
    }

    /// Tests that the base does not matter for references with a scheme.
    #[test]
    fn references_with_a_scheme(reference in record()) {
        if is_valid(Grammar::Uri, &reference) {
            let uri = Uri::parse(&reference);
            let expected = Uri { path: remove_dot_segments(&uri.path), ..uri };
            for base in ["http://h/a/b?c", "x:", "x:y/z"] {
                assert_reads_as(&resolved(Grammar::UriReference, base, &reference), &expected, &reference);
            }
        }
    }

    #[test]
    fn request_targets_come_back(base in record(), target in record()) {
        let validator = Validator::new(Grammar::RequestTarget);
        if let Ok(parsed) = validator.base(base.as_bytes()) {
            let uri = resolved(Grammar::RequestTarget, &base, &target);
            let mut to = Vec::new();
            if uri != "invalid" && parsed.relativize(uri.as_bytes(), &mut to).is_ok() {
                assert_eq!(resolved(Grammar::RequestTarget, &base, &relativized(Grammar::RequestTarget, &base, &uri)), uri);
            }
        }
    }
}

/// Returns all strings that join up to `len` of these units.
fn all_short(units: &[&str], len: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..len {
        last = last.iter().flat_map(|start| units.iter().map(move |unit| format!("{start}{unit}"))).collect();
        all.extend_from_slice(&last);
    }
    all
}

#[test]
fn all_short_records() {
    for record in all_short(&["a", ":", "/", ".", "?", "%2e"], 7) {
        for grammar in [Grammar::UriReference, Grammar::Rfc2396, Grammar::RequestTarget] {
            check_normal_form(grammar, &record);
        }
    }
}

#[test]
fn all_short_references() {
    let references = all_short(&["a", "/", ".", ":", "?"], 5);
    for base in [
        "x:",
        "x:a",
        "x:a/b/c",
        "x:/",
        "x:/a/b",
        "x://h",
        "x://h/a//b/",
        "x://h/a/../b",
        "x://h?q",
        "x:/.//a",
    ] {
        for reference in &references {
            check_resolution(base, reference);
            check_resolution(base, &format!("x:{reference}"));
        }
    }
}

/// Tests that records of slightly more than a million bytes, made of these units, take linear time.
#[test]
fn long_hostile_records() {
    for unit in ["../", "./", "a/../", "a/", "%2e%2e/", "%41", "/", ".", "a/a/../../"] {
        let path = unit.repeat((1 << 20) / unit.len());
        for record in [format!("x:/{path}"), format!("x:{path}"), path] {
            for grammar in [Grammar::UriReference, Grammar::Rfc2396] {
                if is_valid(grammar, &record) {
                    let normal = normalized(grammar, NormalForm::Syntax, &record);
                    assert!(normal.len() <= record.len() + 2);
                    resolved(grammar, "http://h/a", &record);
                }
            }
        }
    }
}

/// Tests each pair of a CSV file with the columns `base,reference`. The reference may contain commas.
/// `URIVALIDATE_PAIRS` names the file.
#[test]
#[ignore = "needs a file of pairs"]
fn pairs_of_a_file() {
    let file = std::env::var_os("URIVALIDATE_PAIRS").expect("the name of a file of pairs");
    let text = std::fs::read_to_string(file).unwrap();
    let mut count = 0;
    for line in text.lines().skip(1) {
        let (base, reference) = line.split_once(',').expect("a base and a reference");
        check_resolution(base, reference.trim_matches('"'));
        GRAMMARS.iter().for_each(|&grammar| check_normal_form(grammar, base));
        count += 1;
    }
    println!("{count} pairs");
}
