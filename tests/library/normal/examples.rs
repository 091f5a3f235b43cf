//! Tests the RFCs' examples, and the decisions where the RFCs are ambiguous.

use urivalidate::{ErrorKind, Grammar, NormalForm, Validator};

use super::rfc3986::{Uri, recompose, remove_dot_segments, transform};
use super::{normalized, relativized, resolved, rfc2396};

/// The base of RFC 3986 section 5.4 and RFC 2396 appendix C.
const BASE: &str = "http://a/b/c/d;p?q";

/// The normal examples of RFC 3986 section 5.4.1.
const NORMAL: [(&str, &str); 23] = [
    ("g:h", "g:h"),
    ("g", "http://a/b/c/g"),
    ("./g", "http://a/b/c/g"),
    ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"),
    ("//g", "http://g"),
    ("?y", "http://a/b/c/d;p?y"),
    ("g?y", "http://a/b/c/g?y"),
    ("#s", "http://a/b/c/d;p?q#s"),
    ("g#s", "http://a/b/c/g#s"),
    ("g?y#s", "http://a/b/c/g?y#s"),
    (";x", "http://a/b/c/;x"),
    ("g;x", "http://a/b/c/g;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y#s"),
    ("", "http://a/b/c/d;p?q"),
    (".", "http://a/b/c/"),
    ("./", "http://a/b/c/"),
    ("..", "http://a/b/"),
    ("../", "http://a/b/"),
    ("../g", "http://a/b/g"),
    ("../..", "http://a/"),
    ("../../", "http://a/"),
    ("../../g", "http://a/g"),
];

/// The abnormal examples of RFC 3986 section 5.4.2.
const ABNORMAL: [(&str, &str); 19] = [
    ("../../../g", "http://a/g"),
    ("../../../../g", "http://a/g"),
    ("/./g", "http://a/g"),
    ("/../g", "http://a/g"),
    ("g.", "http://a/b/c/g."),
    (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."),
    ("..g", "http://a/b/c/..g"),
    ("./../g", "http://a/b/g"),
    ("./g/.", "http://a/b/c/g/"),
    ("g/./h", "http://a/b/c/g/h"),
    ("g/../h", "http://a/b/c/h"),
    ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
    ("g;x=1/../y", "http://a/b/c/y"),
    ("g?y/./x", "http://a/b/c/g?y/./x"),
    ("g?y/../x", "http://a/b/c/g?y/../x"),
    ("g#s/./x", "http://a/b/c/g#s/./x"),
    ("g#s/../x", "http://a/b/c/g#s/../x"),
    ("http:g", "http:g"),
];

/// The examples that RFC 2396 appendix C resolves differently.
const RFC2396: [(&str, &str); 6] = [
    ("?y", "http://a/b/c/?y"),
    ("../../../g", "http://a/../g"),
    ("../../../../g", "http://a/../../g"),
    ("/./g", "http://a/./g"),
    ("/../g", "http://a/../g"),
    // Appendix C.1 calls this the current document.
    ("", "http://a/b/c/d;p?q"),
];

#[test]
fn rfc3986_section_5_4() {
    for (reference, expected) in NORMAL.into_iter().chain(ABNORMAL) {
        for grammar in [Grammar::UriReference, Grammar::IriReference] {
            assert_eq!(resolved(grammar, BASE, reference), expected, "{reference}");
        }
        let by_rfc = transform(&Uri::parse(BASE), &Uri::parse(reference));
        assert_eq!(recompose(&by_rfc), expected, "{reference} by the RFC's algorithm");
    }
}

#[test]
fn rfc2396_appendix_c() {
    for (reference, expected) in NORMAL.into_iter().chain(ABNORMAL) {
        let differs = RFC2396.iter().find(|(other, _)| *other == reference);
        let expected = differs.map_or(expected, |(_, expected)| expected);
        assert_eq!(resolved(Grammar::Rfc2396, BASE, reference), expected, "{reference}");
        let by_rfc = rfc2396::resolve(&Uri::parse(BASE), &Uri::parse(reference));
        assert_eq!(recompose(&by_rfc), expected, "{reference} by the RFC's algorithm");
    }
}

#[test]
fn rfc3986_section_5_2_4() {
    for (path, expected) in [("/a/b/c/./../../g", "/a/g"), ("mid/content=5/../6", "mid/6")] {
        assert_eq!(remove_dot_segments(path), expected);
        assert_eq!(
            normalized(Grammar::Uri, NormalForm::Syntax, &format!("x:{path}")),
            format!("x:{expected}")
        );
    }
}

#[track_caller]
fn check(grammar: Grammar, form: NormalForm, examples: &[(&str, &str)]) {
    for &(record, expected) in examples {
        assert_eq!(normalized(grammar, form, record), expected, "{record}");
    }
}

#[test]
fn rfc3986_section_6_2_2() {
    check(
        Grammar::Uri,
        NormalForm::Syntax,
        &[
            ("example://a/b/c/%7Bfoo%7D", "example://a/b/c/%7Bfoo%7D"),
            ("eXAMPLE://a/./b/../b/%63/%7bfoo%7d", "example://a/b/c/%7Bfoo%7D"),
            ("HTTP://www.EXAMPLE.com/", "http://www.example.com/"),
            ("http://h/%3a%3A", "http://h/%3A%3A"),
            ("http://h/%41%5A%61%7a%30%39%2D%2e%5f%7E", "http://h/AZaz09-._~"),
        ],
    );
}

#[test]
fn rfc3986_section_6_2_3() {
    let same =
        ["http://example.com", "http://example.com/", "http://example.com:/", "http://example.com:80/"];
    for record in same {
        check(Grammar::Uri, NormalForm::Scheme, &[(record, "http://example.com/")]);
        check(Grammar::UriReference, NormalForm::Syntax, &[(record, record)]);
    }
    check(
        Grammar::UriReference,
        NormalForm::Scheme,
        &[
            ("https://h:443?q", "https://h/?q"),
            ("HTTPS://h:80", "https://h:80/"),
            ("ws://h:80#f", "ws://h/#f"),
            ("wss://h:443", "wss://h/"),
            ("ftp://u@h:21", "ftp://u@h/"),
            ("http://h:0080", "http://h/"),
            ("http://h:0081", "http://h:0081/"),
            ("http://h:8", "http://h:8/"),
            ("http://h:00", "http://h:00/"),
            ("http://[::1]:80", "http://[::1]/"),
            ("http://:80", "http:///"),
            ("http:", "http:"),
            ("http:?q", "http:?q"),
            ("x://h:80", "x://h:80"),
            ("//h:80", "//h:80"),
            // Section 3.2.3: an empty port goes, of every scheme and without one.
            ("x://h:", "x://h"),
            ("X://u@H:/a", "x://u@h/a"),
            ("x://[::1]:?q", "x://[::1]?q"),
            ("x://:#f", "x://#f"),
            ("x://://a", "x:////a"),
            ("x://u:@h", "x://u:@h"),
            ("//h:", "//h"),
            ("//h:/a:", "//h/a:"),
        ],
    );
    check(
        Grammar::Rfc2396,
        NormalForm::Scheme,
        &[
            ("HTTP://H:80", "http://h/"),
            ("http://a_b:80", "http://a_b:80/"),
            ("x://h:", "x://h"),
            ("x://a_b:", "x://a_b:"),
        ],
    );
    check(
        Grammar::RequestTarget,
        NormalForm::Scheme,
        &[
            ("HTTP://H:80", "http://h/"),
            ("H:80", "h:80"),
            ("x://H:/", "x://h/"),
            ("*", "*"),
            ("/%7e/../a", "/a"),
        ],
    );
}

/// Tests that a normal form is parsed into the same components.
#[test]
fn paths_that_need_a_guard() {
    check(
        Grammar::UriReference,
        NormalForm::Syntax,
        &[
            ("x:/a/..//b", "x:/.//b"),
            ("x:/..//b", "x:/.//b"),
            ("x:..///b", "x:/.//b"),
            ("x:/.//b", "x:/.//b"),
            ("x:.//b", "x:/b"),
            ("x:a/..//b", "x:/.//b"),
            ("/a/..//b", "/.//b"),
            ("//h/..//b", "//h//b"),
            ("a/../b:c", "./b:c"),
            ("./b:c", "./b:c"),
            ("./b/c:d", "b/c:d"),
            ("x:./b:c", "x:b:c"),
            ("a/..", "./"),
            (".", "./"),
            ("./", "./"),
            ("a/..//b", ".//b"),
            (".///b", ".///b"),
            ("./?q", "./?q"),
            ("", ""),
            ("?%7e", "?~"),
        ],
    );
    for (base, reference, expected) in [
        ("x:/a", "/.//b", "x:/.//b"),
        ("x:/a/b", "..//c", "x:/.//c"),
        ("x://h/a/b", "..//c", "x://h//c"),
        ("x:a", ".//c", "x:/c"),
        ("x:", "c", "x:c"),
        ("x:", "/c", "x:/c"),
        ("http://h", "g", "http://h/g"),
        ("http://h?q#f", "", "http://h?q"),
    ] {
        assert_eq!(resolved(Grammar::UriReference, base, reference), expected, "{base} {reference}");
    }
    assert_eq!(resolved(Grammar::Rfc2396, "http://h", "g"), "http://h/g");
    assert_eq!(resolved(Grammar::Rfc2396, "x:/a/b", "..//g"), "x:/.//g");
}

/// Tests that `..` stays in references without scheme and authority, and everywhere by RFC 2396.
#[test]
fn dots_that_lead_out() {
    check(
        Grammar::UriReference,
        NormalForm::Syntax,
        &[
            ("../a", "../a"),
            ("a/../../b", "../b"),
            ("..", ".."),
            ("../", "../"),
            ("%2e%2E/a", "../a"),
            ("/../a", "/../a"),
            ("/..", "/.."),
            ("x:../a", "x:a"),
            ("x:/../a", "x:/a"),
            ("//h/../a", "//h/a"),
        ],
    );
    check(
        Grammar::Rfc2396,
        NormalForm::Syntax,
        &[("x:/../a", "x:/../a"), ("//h/a/../../b", "//h/../b"), ("x:a/../b", "x:a/../b"), ("..", "..")],
    );
    check(
        Grammar::RequestTarget,
        NormalForm::Syntax,
        &[("/../a", "/a"), ("/a/..//b", "//b"), ("//a/./b", "//a/b")],
    );
}

#[test]
fn hosts() {
    check(
        Grammar::Uri,
        NormalForm::Syntax,
        &[
            ("x://%41%62%2f%2F", "x://ab%2F%2F"),
            ("x://U%41:P@H:080", "x://UA:P@h:080"),
            ("x://[FE80::A:0:00]", "x://[fe80::a:0:00]"),
            ("x://[V1.X:Y]", "x://[v1.x:y]"),
            ("x://1%2E2.3.4", "x://1.2.3.4"),
        ],
    );
    let zoned = Validator::new(Grammar::Uri).with_zone_ids().unwrap().normalizer(NormalForm::Syntax).unwrap();
    let mut to = Vec::new();
    let normal = zoned.normalize(b"x://[FE80::1%25EN%41%2f]", &mut to).unwrap();
    assert_eq!(normal, Some(&b"x://[fe80::1%25ena%2F]"[..]));
}

#[test]
fn rfc2396_has_its_own_unreserved_characters() {
    check(
        Grammar::Rfc2396,
        NormalForm::Syntax,
        &[
            ("HTTP://H/%21%27%28%29%2a%7e%2b", "http://h/!'()*~%2B"),
            ("mailto:%41%2f", "mailto:A%2F"),
            ("x:/?%2a#%2a", "x:/?*#*"),
            // A registry-based authority stays one, and is case-sensitive.
            ("//A_%42%5f", "//A_B_"),
            ("//%41", "//%41"),
            ("//A%2eB%3a", "//A.B%3A"),
            ("//a%2e1%7E", "//a.1~"),
        ],
    );
    check(Grammar::Uri, NormalForm::Syntax, &[("x:%21%2a", "x:%21%2A")]);
}

/// Tests the rules of RFC 3987 section 5.3.2.3.
#[test]
fn iris() {
    check(
        Grammar::IriReference,
        NormalForm::Syntax,
        &[
            ("http://example.org/r%C3%A9sum%c3%a9", "http://example.org/résumé"),
            ("HTTP://%C3%89É.ORG/", "http://ÉÉ.org/"),
            // Escapes that are ill-formed, incomplete, not a ucschar, or private, and all of them together.
            ("/%c3%28%A9%c3", "/%C3%28%A9%C3"),
            ("/%C3/%A9", "/%C3/%A9"),
            ("/%ef%bf%bf%EE%80%80", "/%EF%BF%BF%EE%80%80"),
            ("?%EE%80%80", "?%EE%80%80"),
            ("/%f0%9f%98%80%F0%9F%98", "/😀%F0%9F%98"),
            ("/%ed%a0%80", "/%ED%A0%80"),
            ("/%e2%80%8e%7e", "/\u{200E}~"),
        ],
    );
    check(Grammar::UriReference, NormalForm::Syntax, &[("/%c3%a9", "/%C3%A9")]);
}

/// Tests the rules of RFC 3987 section 3.1.
#[test]
fn iris_to_uris() {
    let to_uri = |grammar, record: &str| {
        let mut to = b"before".to_vec();
        let uri = Validator::new(grammar).to_uri(record.as_bytes(), &mut to).unwrap();
        let uri = uri.map(|uri| str::from_utf8(uri).unwrap().to_owned());
        assert_eq!(to, ["before", uri.as_deref().unwrap_or_default()].concat().as_bytes());
        uri
    };
    for (iri, uri) in [
        ("http://www.example.org/red%09rosé#red", "http://www.example.org/red%09ros%C3%A9#red"),
        ("http://example.com/𐌀𐌁", "http://example.com/%F0%90%8C%80%F0%90%8C%81"),
        ("http://résumé.example.org", "http://r%C3%A9sum%C3%A9.example.org"),
    ] {
        assert_eq!(to_uri(Grammar::Iri, iri).as_deref(), Some(uri));
        assert!(Validator::new(Grammar::Uri).is_valid(uri.as_bytes()));
    }
    assert_eq!(to_uri(Grammar::Iri, "http://h/%c3%a9"), None);
    let mut to = Vec::new();
    assert!(Validator::new(Grammar::Iri).to_uri("/é".as_bytes(), &mut to).is_err() && to.is_empty());
}

/// Tests the rules of RFC 9112 section 3.3.
#[test]
fn request_targets() {
    for (base, target, expected) in [
        ("http://h:8080/a?b#c", "/x/../y?q", "http://h:8080/x/../y?q"),
        ("http://h", "//x", "http://h//x"),
        ("x:/a", "//b", "x:/.//b"),
        ("http://h", "http://i/../x", "http://i/../x"),
        ("http://h", "*", "invalid"),
        ("http://h", "i:443", "invalid"),
    ] {
        assert_eq!(resolved(Grammar::RequestTarget, base, target), expected, "{target}");
    }
    let base = Validator::new(Grammar::RequestTarget).base(b"http://h").unwrap();
    for without in ["*", "h:80", "example.com:443", "[::1]:80"] {
        let error = base.resolve(without.as_bytes(), &mut Vec::new()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MissingScheme, "{without}");
    }
}

#[test]
fn ways_back() {
    let base = "http://a/b/c/d;p?q";
    for (uri, expected) in [
        ("http://a/b/c/g", "g"),
        ("http://a/b/c/g:h", "./g:h"),
        ("http://a/b/c/", "./"),
        ("http://a/b/c//g", ".//g"),
        ("http://a/b/c/d;p?q", ""),
        ("http://a/b/c/d;p?q#f", "#f"),
        ("http://a/b/c/d;p?y", "?y"),
        ("http://a/b/c/d;p", "d;p"),
        ("http://a/b/g?y#s", "../g?y#s"),
        ("http://a/g", "/g"),
        ("http://a//g", "../..//g"),
        ("http://a", "//a"),
        ("http://g/b", "//g/b"),
        ("http:/b", "http:/b"),
        ("HTTP://a/b/c/g", "HTTP://a/b/c/g"),
        ("http://a/b/../c", "http://a/b/../c"),
        ("ftp://a/b/c", "ftp://a/b/c"),
    ] {
        assert_eq!(relativized(Grammar::UriReference, base, uri), expected);
    }
    for (base, uri, expected) in [
        ("x:a/b", "x:a/c", "c"),
        ("x:a/b", "x:c", "x:c"),
        ("x:a/b", "x:/c", "/c"),
        ("x:/a", "x:c", "x:c"),
        ("x:?q", "x:", "x:"),
        ("http://h/a/../b/c", "http://h/b/d", "/b/d"),
        ("http://h/./c", "http://h//d", "//h//d"),
        ("http://h", "http://h/a", "/a"),
    ] {
        assert_eq!(relativized(Grammar::UriReference, base, uri), expected, "{base} {uri}");
    }
    // By RFC 2396, `?y` would refer to the directory.
    assert_eq!(relativized(Grammar::Rfc2396, base, "http://a/b/c/d;p?y"), "d;p?y");
    assert_eq!(relativized(Grammar::Rfc2396, "mailto:a", "mailto:a#b"), "#b");
    assert_eq!(relativized(Grammar::Rfc2396, "mailto:a", "mailto:b"), "mailto:b");
    assert_eq!(relativized(Grammar::RequestTarget, "http://h/x", "http://h/a/b?q"), "/a/b?q");
    assert_eq!(relativized(Grammar::UriReference, base, "/b"), "invalid");
}

#[test]
fn bases_have_a_scheme() {
    for (grammar, base, is_base) in [
        (Grammar::UriReference, "http://h", true),
        (Grammar::UriReference, "/a", false),
        (Grammar::RelativeRef, "http://h", true),
        (Grammar::RequestTarget, "/a", false),
        (Grammar::Rfc2396, "/a", false),
        (Grammar::Rfc2396, "mailto:a", true),
        (Grammar::Java, "/a", true),
        (Grammar::UriReference, "http://h/é", false),
        (Grammar::IriReference, "http://h/é", true),
    ] {
        let result = Validator::new(grammar).base(base.as_bytes());
        assert_eq!(result.is_ok(), is_base, "{grammar} {base}");
    }
    let zoned = Validator::new(Grammar::UriReference).with_zone_ids().unwrap();
    assert!(zoned.base(b"http://[fe80::1%25en0]").is_ok());
    // Against an opaque base, only URIs and a reference to the base itself can be resolved.
    for (reference, expected) in [("", "mailto:a"), ("#b", "mailto:a#b"), ("c:d", "c:d"), ("c", "invalid")] {
        assert_eq!(resolved(Grammar::Rfc2396, "mailto:a#z", reference), expected);
    }
}

#[test]
fn java_has_one_form() {
    let error = Validator::new(Grammar::Java).normalizer(NormalForm::Scheme).unwrap_err();
    assert_eq!(error.to_string(), "grammar java does not support the form scheme; use syntax");
    assert_eq!(normalized(Grammar::Java, NormalForm::Syntax, "HTTP://A/%7e"), "HTTP://A/%7e");
}
