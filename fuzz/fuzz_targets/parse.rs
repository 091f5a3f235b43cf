//! Tests properties of every record: components follow each other, and errors have the offsets that they
//! state.

#![no_main]

use libfuzzer_sys::fuzz_target;
use urivalidate::{Component, Components, Error, ErrorKind, Grammar, HostKind, Validator};

fuzz_target!(|record: &[u8]| {
    for &grammar in Grammar::ALL {
        let validator = Validator::new(grammar);
        for validator in [Ok(validator), validator.with_zone_ids()].into_iter().flatten() {
            let result = validator.parse(record);
            assert_eq!(validator.is_valid(record), result.is_ok(), "{validator:?}");
            match &result {
                Ok(components) => check_components(components, record, grammar),
                Err(error) => check_error(error, record),
            }
            // The error of a prefix has the same offset as that of the record, or the prefix is too short to
            // reach it. Errors of ports are the exception, because the following text can undo them:
            // `//a:1b@` has none.
            let is_port = |error: &Error| error.kind() == ErrorKind::InvalidPort;
            let viable = match &result {
                Ok(_) => record.len(),
                Err(error) if is_port(error) => continue,
                Err(error) => error.offset(),
            };
            for end in (0..record.len()).rev().take(100) {
                match validator.parse(&record[..end]) {
                    Ok(_) => assert!(end <= viable, "{validator:?}, of {end} bytes"),
                    Err(error) if is_port(&error) => {}
                    Err(error) => {
                        assert_eq!(
                            error.offset(),
                            viable.min(end),
                            "{validator:?}, of {end} bytes: {error:?}"
                        );
                    }
                }
            }
        }
    }
});

/// Asserts that the components are in order, and between their delimiters.
fn check_components(components: &Components, record: &[u8], grammar: Grammar) {
    let get = |component| components.get(component);
    let is_at = |delimiter: &[u8], end: usize| record[..end].ends_with(delimiter);
    let mut end = 0;
    if let Some(scheme) = get(Component::Scheme) {
        assert_eq!((scheme.start, record[scheme.end]), (0, b':'));
        assert!(record[0].is_ascii_alphabetic());
        end = scheme.end + 1;
    }
    assert_eq!(components.scheme_specific_part().start, end);
    if let Some(authority) = get(Component::Authority) {
        let delimiter: &[u8] = if components.path().is_some() { b"//" } else { b"" };
        assert_eq!(authority.start, end + delimiter.len());
        assert!(is_at(delimiter, authority.start));
        end = authority.end;
        let mut inner = authority.start;
        if let Some(userinfo) = get(Component::Userinfo) {
            assert_eq!((userinfo.start, record[userinfo.end]), (inner, b'@'));
            inner = userinfo.end + 1;
        }
        if let Some(host) = get(Component::Host) {
            assert_eq!(host.start, inner);
            inner = host.end;
            let bracketed = record[host.clone()].starts_with(b"[") && record[host].ends_with(b"]");
            let literal = matches!(components.host_kind(), Some(HostKind::Ipv6 | HostKind::IpvFuture));
            assert_eq!(literal, bracketed);
        } else {
            assert!(get(Component::Userinfo).is_none() && get(Component::Port).is_none());
        }
        if let Some(port) = get(Component::Port) {
            assert_eq!((record[inner], port.start), (b':', inner + 1));
            assert!(record[port.clone()].iter().all(u8::is_ascii_digit));
            inner = port.end;
        }
        // An authority without a host is a registry. java.net.URI has no empty port.
        let rest = &record[inner..end];
        assert!(rest.is_empty() || components.host().is_none() || (grammar == Grammar::Java && rest == b":"));
    } else {
        assert!(get(Component::Host).is_none());
    }
    assert_eq!(components.host().is_some(), components.host_kind().is_some());
    assert!(components.address().is_none_or(|address| match components.host_kind() {
        Some(HostKind::Ipv4) => address.is_ipv4(),
        Some(HostKind::Ipv6) => address.is_ipv6(),
        _ => false,
    }));
    if let Some(path) = get(Component::Path) {
        // java.net.URI has no empty authority.
        let skipped = &record[end..path.start];
        assert!(skipped.is_empty() || (grammar == Grammar::Java && skipped == b"//"));
        end = path.end;
    } else if components.is_opaque() || record == b"*" {
        end = components.scheme_specific_part().end;
    }
    if let Some(query) = get(Component::Query) {
        assert_eq!((record[end], query.start), (b'?', end + 1));
        end = query.end;
    }
    assert_eq!(components.scheme_specific_part().end, end);
    if let Some(fragment) = get(Component::Fragment) {
        assert_eq!((record[end], fragment.start), (b'#', end + 1));
        end = fragment.end;
    }
    assert_eq!(end, record.len());
}

fn check_error(error: &Error, record: &[u8]) {
    assert!(error.offset() <= record.len() && !error.to_string().is_empty());
    assert_ne!(error.kind(), ErrorKind::RecordTooLong);
}
