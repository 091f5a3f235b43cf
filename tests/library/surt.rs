//! Tests SURT keys: for each text of `surt.tsv`, the key of PyPI's `surt` 0.3.1. `scripts/conformance` tests
//! many more texts.

use urivalidate::surt;

/// Returns the texts and their keys, or None where Python threw. `\x` and two digits stand for a byte.
fn vectors() -> impl Iterator<Item = (Vec<u8>, Option<Vec<u8>>)> {
    include_str!("surt.tsv").lines().map(|line| {
        let (text, key) = line.split_once('\t').expect("two columns");
        (unescaped(text), (key != "-throws").then(|| unescaped(key)))
    })
}

fn unescaped(text: &str) -> Vec<u8> {
    let mut parts = text.split("\\x");
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).expect("two hexadecimal digits"));
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    bytes
}

#[test]
fn keys_are_those_of_python() {
    let mut wrong = Vec::new();
    for (text, expected) in vectors() {
        // Bytes in the buffer stay, even if no key is appended.
        let mut to = b"before".to_vec();
        let key = surt(&text, &mut to).map(<[u8]>::to_vec);
        assert_eq!(to, [&b"before"[..], key.as_deref().unwrap_or_default()].concat());
        if key != expected {
            wrong.push((text.escape_ascii().to_string(), key.map(|key| key.escape_ascii().to_string())));
        }
    }
    assert_eq!(wrong, []);
}

#[test]
fn a_key_is_made_in_linear_time() {
    // Each of these texts would take minutes in quadratic time.
    let many = 1 << 20;
    let long = |before: &str, unit: &str, after: &str| [before, &unit.repeat(many), after].concat();
    let hostile = [
        long("http://a/%", "25", "41"),
        long("http://a/", "%25", ""),
        long("http://a", ".", "b/"),
        long("http://", "a.", "b/"),
        long("http://", "é", "/"),
        long("http://", "é.", "/"),
        long("http://a", "/..", ""),
        long("http://a", "/a", &"/..".repeat(many)),
        long("http://a/", "(012345678901234567890123)/", "?.aspx"),
        long("http://a/", "(012345678901234567890123)/", ".aspx"),
        long("http://a/", "(a(012345678901234567890123)", ".aspx"),
        long("http://a/x.aspx", "/(012345678901234567890123)/%3f.aspx", ""),
        long("http://a/?", "cfid=", "&cftoken=1"),
        long("http://a/?", "cfid=1&", ""),
        long("http://a/?", "sid=", ""),
        long("http://a/?", "&", "b&a"),
        long("", "http://", "a"),
        long("", "/", "a"),
        long("http://a", ":", ""),
    ];
    for text in &hostile {
        assert!(surt(text.as_bytes(), &mut Vec::new()).is_some());
    }
}
