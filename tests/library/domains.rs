//! Public suffixes and domains of hosts.
//!
//! `test_psl.txt` has the list's own cases (publicsuffix.org, in the public domain).

use urivalidate::{DomainFinder, Domains};

/// Returns the four parts as text, `-` for an absent one, or None if the host has no domains.
fn parts(host: &str) -> Option<[&str; 4]> {
    let domains = Domains::of(host.as_bytes())?;
    Some([
        &host[domains.suffix],
        domains.domain.map_or("-", |domain| &host[domain]),
        &host[domains.private_suffix],
        domains.private_domain.map_or("-", |domain| &host[domain]),
    ])
}

#[test]
fn domains_are_those_of_the_lists_own_cases() {
    let cases = include_str!("test_psl.txt").lines().filter_map(|line| {
        let arguments = line.strip_prefix("checkPublicSuffix(")?.strip_suffix(");")?;
        arguments.split_once(", ").map(|(host, domain)| (host.trim_matches('\''), domain.trim_matches('\'')))
    });
    let cases: Vec<_> = cases.filter(|&(host, _)| host != "null").collect();
    assert!(cases.len() > 70);
    for (host, expected) in cases {
        let domain = parts(host).map_or("-", |[.., domain]| domain).to_lowercase();
        assert_eq!(if domain == "-" { "null" } else { &domain }, expected, "{host}");
    }
}

#[test]
fn sections_differ() {
    assert_eq!(parts("a.b.github.io"), Some(["io", "github.io", "github.io", "b.github.io"]));
    assert_eq!(parts("github.io"), Some(["io", "github.io", "github.io", "-"]));
    assert_eq!(parts("www.example.co.uk"), Some(["co.uk", "example.co.uk", "co.uk", "example.co.uk"]));
    // Two private rules, one a subdomain of the other.
    assert_eq!(
        parts("x.s3.amazonaws.com"),
        Some(["com", "amazonaws.com", "s3.amazonaws.com", "x.s3.amazonaws.com"])
    );
}

#[test]
fn hosts_are_found_as_they_are_written() {
    assert_eq!(parts("WWW.Example.CO.UK."), Some(["CO.UK", "Example.CO.UK", "CO.UK", "Example.CO.UK"]));
    assert_eq!(parts("a.ПРИМЕР.РФ"), Some(["РФ", "ПРИМЕР.РФ", "РФ", "ПРИМЕР.РФ"]));
    assert_eq!(parts("a.xn--p1ai"), Some(["xn--p1ai", "a.xn--p1ai", "xn--p1ai", "a.xn--p1ai"]));
    assert_eq!(parts("com"), Some(["com", "-", "com", "-"]));
    assert_eq!(parts("localhost"), Some(["localhost", "-", "localhost", "-"]));
    assert_eq!(parts("*.ck"), Some(["*.ck", "-", "*.ck", "-"]));
    let bytes = Domains::of(b"\xFF.com").expect("a name");
    assert_eq!((bytes.suffix, bytes.domain), (2..5, Some(0..5)));
}

#[test]
fn addresses_and_empty_labels_have_none() {
    for host in
        ["", ".", "..", ".com", "a..com", "a.com..", "127.0.0.1", "127.0.0.1.", "[::1]", "[v1.a]", "1", "a.1"]
    {
        assert_eq!(parts(host), None, "{host}");
    }
}

#[test]
fn a_finder_finds_what_is_found_without_it() {
    let mut finder = DomainFinder::default();
    for host in ["", "a.com", "a.com", "b.com", "[::1]", "[::1]", "a.com", ""] {
        assert_eq!(finder.find(host.as_bytes()), Domains::of(host.as_bytes()).as_ref(), "{host}");
    }
}
