//! Compares the library's results for a record with the oracle's.

use urivalidate::{Component, Components, ErrorKind, Found, Grammar};

use crate::oracle::{Fault, Oracle, Parts};

/// Asserts that the library agrees with the oracle on `record` in everything.
pub(crate) fn check(oracle: &Oracle, record: &[u8]) {
    let context = || format!("{:?} as {}", record.escape_ascii().to_string(), name(oracle));
    let result = oracle.validator.parse(record);
    assert_eq!(result.is_ok(), oracle.whole.contains(record), "the verdict of {}: {result:?}", context());
    assert_eq!(result.is_ok(), oracle.validator.is_valid(record), "is_valid of {}", context());
    match result {
        Ok(components) => {
            assert_eq!(Parts::from(components), oracle.parts(record), "the components of {}", context());
            check_delimiters(&components, record, &context);
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            assert_eq!(error.found(), found(record, error.offset()), "what {} has there", context());
            let mut expected = oracle.fault(record);
            // If the oracle names no component, the library may name any.
            expected.component = expected.component.or(error.component());
            if oracle.grammar() == Grammar::RequestTarget && expected.kind != ErrorKind::InvalidPort {
                // The forms of a request target have their own structures, which the oracle does not
                // distinguish.
                (expected.kind, expected.component) = (error.kind(), error.component());
            }
            let fault = Fault { offset: error.offset(), kind: error.kind(), component: error.component() };
            assert_eq!(fault, expected, "the error of {}", context());
        }
    }
}

/// Returns the grammar's name, with its option.
pub(crate) fn name(oracle: &Oracle) -> String {
    format!("{}{}", oracle.grammar(), if oracle.validator.zone_ids() { " with zone identifiers" } else { "" })
}

/// Returns the character at `offset`, as the standard library reads UTF-8.
fn found(record: &[u8], offset: usize) -> Found {
    let Some(&byte) = record.get(offset) else { return Found::End };
    let mut start = 0;
    for chunk in record.utf8_chunks() {
        let valid = chunk.valid();
        if let Some((_, char)) = valid
            .char_indices()
            .find(|&(at, char)| (start + at..start + at + char.len_utf8()).contains(&offset))
        {
            return if char.is_ascii() { Found::Byte(byte) } else { Found::Char(char) };
        }
        start += valid.len() + chunk.invalid().len();
    }
    Found::Byte(byte)
}

/// Asserts that the components, joined as RFC 3986 section 5.3 says, are the record.
fn check_delimiters(components: &Components, record: &[u8], context: &dyn Fn() -> String) {
    let text = |component| components.get(component).map(|range| &record[range]);
    let mut whole = Vec::new();
    if let Some(scheme) = text(Component::Scheme) {
        whole.extend([scheme, b":"].concat());
    }
    if let Some(authority) = text(Component::Authority) {
        let is_request_target = components.path().is_none();
        whole.extend([if is_request_target { b"" } else { &b"//"[..] }, authority].concat());
        if let Some(host) = text(Component::Host) {
            let userinfo = text(Component::Userinfo).map(|userinfo| [userinfo, b"@"].concat());
            let port = text(Component::Port).map(|port| [b":", port].concat());
            let server = [&userinfo.unwrap_or_default()[..], host, &port.unwrap_or_default()].concat();
            // java.net.URI has no empty port.
            assert!(
                authority == server || authority == [&server[..], b":"].concat(),
                "the authority of {}",
                context()
            );
        }
    } else if components.path().is_some_and(|path| path.start == whole.len() + 2) {
        // java.net.URI has no empty authority.
        whole.extend(b"//");
    }
    if components.is_opaque() || (components.path().is_none() && record == b"*") {
        whole.extend(&record[components.scheme_specific_part()]);
    }
    whole.extend(text(Component::Path).unwrap_or_default());
    if let Some(query) = text(Component::Query) {
        whole.extend([b"?", query].concat());
    }
    if let Some(fragment) = text(Component::Fragment) {
        whole.extend([b"#", fragment].concat());
    }
    assert_eq!(
        whole.escape_ascii().to_string(),
        record.escape_ascii().to_string(),
        "the parts of {}",
        context()
    );
}
