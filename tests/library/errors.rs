//! Tests the errors of invalid records: the kind, the component and the place, for every kind and every
//! grammar that has it.

use urivalidate::{Component, ErrorKind, Found, Grammar, Validator};

use crate::oracle::Oracle;

use Component::*;
use ErrorKind::*;

/// A record, and its error: the kind, the component, the offset.
type Example = (&'static str, ErrorKind, Option<Component>, usize);

fn check(grammars: &[Grammar], examples: &[Example]) {
    for &grammar in grammars {
        for &(record, kind, component, offset) in examples {
            check_one(Validator::new(grammar), record.as_bytes(), kind, component, offset);
        }
    }
}

fn check_one(
    validator: Validator,
    record: &[u8],
    kind: ErrorKind,
    component: Option<Component>,
    offset: usize,
) {
    let context = format!("{:?} as {}", record.escape_ascii().to_string(), validator.grammar());
    let error = validator.parse(record).expect_err(&context);
    assert_eq!((error.kind(), error.component(), error.offset()), (kind, component, offset), "{context}");
    // The offset of an invalid port does not depend on the longest viable prefix.
    if kind != InvalidPort {
        assert_eq!(Oracle::of(validator).whole.viable_prefix(record), offset, "{context}, by the oracle");
    }
}

/// All grammars of RFC 3986 and 3987 that have schemes and fragments.
const GENERIC: &[Grammar] = &[Grammar::Uri, Grammar::UriReference, Grammar::Iri, Grammar::IriReference];
/// Grammars that also match records without a scheme.
const REFERENCES: &[Grammar] =
    &[Grammar::UriReference, Grammar::IriReference, Grammar::Rfc2396, Grammar::Java];
const NEED_SCHEME: &[Grammar] = &[Grammar::Uri, Grammar::AbsoluteUri, Grammar::Iri];
const RFC2396: &[Grammar] = &[Grammar::Rfc2396, Grammar::Java];

/// All grammars except request-target, whose records have another structure.
fn all() -> Vec<Grammar> {
    Grammar::ALL.iter().copied().filter(|&grammar| grammar != Grammar::RequestTarget).collect()
}

#[test]
fn empty() {
    check(NEED_SCHEME, &[("", Empty, None, 0)]);
    check(&[Grammar::RequestTarget], &[("", Empty, None, 0)]);
}

#[test]
fn missing_scheme() {
    check(
        NEED_SCHEME,
        &[
            ("www.a.com/x", MissingScheme, Some(Scheme), 9),
            ("a", MissingScheme, Some(Scheme), 1),
            ("a b", MissingScheme, Some(Scheme), 1),
            ("/a:b", MissingScheme, Some(Scheme), 0),
            ("?a:b", MissingScheme, Some(Scheme), 0),
            ("#a:b", MissingScheme, Some(Scheme), 0),
            ("//h/", MissingScheme, Some(Scheme), 0),
            ("1a", MissingScheme, Some(Scheme), 0),
            ("\u{e9}", MissingScheme, Some(Scheme), 0),
        ],
    );
}

#[test]
fn invalid_scheme() {
    check(
        NEED_SCHEME,
        &[
            (":", InvalidScheme, Some(Scheme), 0),
            ("1http://h/", InvalidScheme, Some(Scheme), 0),
            ("a_b:c", InvalidScheme, Some(Scheme), 1),
            ("a b:c", InvalidScheme, Some(Scheme), 1),
            (" http://h/", InvalidScheme, Some(Scheme), 0),
            ("[::1]:80", InvalidScheme, Some(Scheme), 0),
        ],
    );
    // A text that is not a scheme could be a segment, up to the colon.
    check(
        REFERENCES,
        &[
            (":", InvalidScheme, Some(Scheme), 0),
            ("1http://h/", InvalidScheme, Some(Scheme), 5),
            ("a_b:c", InvalidScheme, Some(Scheme), 3),
            ("a b:c", InvalidScheme, Some(Scheme), 1),
            ("[::1]:80", InvalidScheme, Some(Scheme), 0),
        ],
    );
}

#[test]
fn colon_in_first_segment() {
    check(
        &[Grammar::RelativeRef],
        &[
            ("a:b", ColonInFirstSegment, Some(Path), 1),
            (":", ColonInFirstSegment, Some(Path), 0),
            ("http://h/", ColonInFirstSegment, Some(Path), 4),
            ("1@:/", ColonInFirstSegment, Some(Path), 2),
            ("a b:c", Space, Some(Path), 1),
            ("%4:c", InvalidPercentEncoding, Some(Path), 2),
        ],
    );
}

#[test]
fn by_the_byte() {
    check(
        GENERIC,
        &[
            ("http://h/a b", Space, Some(Path), 10),
            ("http://h/?a b", Space, Some(Query), 11),
            ("http://h/#a b", Space, Some(Fragment), 11),
            ("http://h /", Space, Some(Host), 8),
            ("http://u v@h/", Space, Some(Userinfo), 8),
            ("http://u@h /", Space, Some(Host), 10),
            ("a: ", Space, Some(Path), 2),
            ("http://h/\t", ControlCharacter, Some(Path), 9),
            ("http://h/\0", ControlCharacter, Some(Path), 9),
            ("http://h/\r", ControlCharacter, Some(Path), 9),
            ("http://h/?\x7F", ControlCharacter, Some(Query), 10),
            ("http://h\n", ControlCharacter, Some(Host), 8),
            ("http://h/{id}", InvalidCharacter, Some(Path), 9),
            ("http://h/?a|b", InvalidCharacter, Some(Query), 11),
            ("http://h/#`", InvalidCharacter, Some(Fragment), 10),
            ("http://a\\b/", InvalidCharacter, Some(Host), 8),
            ("http://\"u\"@h/", InvalidCharacter, Some(Userinfo), 7),
            ("http://h/a[1]", BracketOutsideHost, Some(Path), 10),
            ("http://h/?x[]=1", BracketOutsideHost, Some(Query), 11),
            ("http://h/#]", BracketOutsideHost, Some(Fragment), 10),
            ("http://a[b]/", BracketOutsideHost, Some(Host), 8),
            ("http://a[b]@h/", BracketOutsideHost, Some(Userinfo), 8),
            ("http://h]/", BracketOutsideHost, Some(Host), 8),
            ("a:[b]", BracketOutsideHost, Some(Path), 2),
            ("http://h/#a#b", SecondFragment, Some(Fragment), 11),
            ("a:##", SecondFragment, Some(Fragment), 3),
        ],
    );
    check(
        RFC2396,
        &[
            ("http://h/a b", Space, Some(Path), 10),
            ("http://h b/", Space, Some(Authority), 8),
            ("http://h/?\x7F", ControlCharacter, Some(Query), 10),
            ("http://h/{id}", InvalidCharacter, Some(Path), 9),
            ("http://h/a[1]", BracketOutsideHost, Some(Path), 10),
            ("http://a[b]/", BracketOutsideHost, Some(Authority), 8),
            ("//u@v@[::1]", BracketOutsideHost, Some(Authority), 6),
            ("a:b c", Space, None, 3),
            ("a:b{", InvalidCharacter, None, 3),
            ("a:b#c#d", SecondFragment, Some(Fragment), 5),
        ],
    );
    check(&[Grammar::Rfc2396], &[("a:[b]", BracketOutsideHost, None, 2)]);
}

#[test]
fn non_ascii() {
    check(
        &[Grammar::Uri, Grammar::UriReference, Grammar::AbsoluteUri, Grammar::Rfc2396],
        &[("http://h/é", NonAscii, Some(Path), 9), ("http://h/?é", NonAscii, Some(Query), 10)],
    );
    check(&[Grammar::Uri], &[("http://é/", NonAscii, Some(Host), 7)]);
    check_one(Validator::new(Grammar::Uri), b"http://h/\xFF", NonAscii, Some(Path), 9);
    // java.net.URI does not allow these characters: the first is a space, the second a control character.
    check(&[Grammar::Java], &[("/\u{3000}", NonAscii, Some(Path), 3), ("/\u{9F}", NonAscii, Some(Path), 2)]);
    check(&[Grammar::RequestTarget], &[("/é", NonAscii, Some(Path), 1)]);
}

#[test]
fn characters_that_no_iri_has() {
    check(
        &[Grammar::Iri, Grammar::IriReference],
        &[
            // The offset lies inside the character, at the byte where it differs from the allowed characters.
            ("http://h/\u{FFFE}", InvalidCharacter, Some(Path), 11),
            ("http://h/\u{FDD0}", InvalidCharacter, Some(Path), 11),
            ("http://h/\u{1FFFE}", InvalidCharacter, Some(Path), 12),
            ("http://h/\u{E0001}", InvalidCharacter, Some(Path), 10),
            ("http://h/\u{E000}", InvalidCharacter, Some(Path), 9),
            ("http://h/#\u{E000}", InvalidCharacter, Some(Fragment), 10),
            ("http://h/\u{80}", InvalidCharacter, Some(Path), 10),
        ],
    );
    let error = urivalidate::parse(Grammar::Iri, "http://h/\u{FFFE}".as_bytes()).unwrap_err();
    assert_eq!(error.found(), Found::Char('\u{FFFE}'));
}

#[test]
fn invalid_utf8() {
    for grammar in [Grammar::Iri, Grammar::IriReference, Grammar::Java] {
        let path: &[(&[u8], usize)] = &[
            (b"http://h/\xFF", 9),
            (b"http://h/\x80", 9),
            (b"http://h/\xC0\x80", 9),
            (b"http://h/\xC3", 10),
            (b"http://h/\xC3x", 10),
            (b"http://h/\xC3 ", 10),
            (b"http://h/\xE2\x82", 11),
            (b"http://h/\xED\xA0\x80", 10),
            (b"http://h/\xF5\x80\x80\x80", 9),
        ];
        for &(record, offset) in path {
            check_one(Validator::new(grammar), record, InvalidUtf8, Some(Path), offset);
        }
        check_one(Validator::new(grammar), b"http://h/?\xFF", InvalidUtf8, Some(Query), 10);
        check_one(Validator::new(grammar), b"http://h/?\xF4\x90\x80\x80", InvalidUtf8, Some(Query), 11);
        check_one(Validator::new(grammar), b"http://h/#\xFF", InvalidUtf8, Some(Fragment), 10);
    }
}

#[test]
fn invalid_percent_encoding() {
    check(
        GENERIC,
        &[
            ("http://h/100%", InvalidPercentEncoding, Some(Path), 13),
            ("http://a/%zz", InvalidPercentEncoding, Some(Path), 10),
            ("http://a/%4", InvalidPercentEncoding, Some(Path), 11),
            ("http://a/%4 ", InvalidPercentEncoding, Some(Path), 11),
            ("http://a/% ", InvalidPercentEncoding, Some(Path), 10),
            ("http://a/%[", InvalidPercentEncoding, Some(Path), 10),
            ("http://a/%é", InvalidPercentEncoding, Some(Path), 10),
            ("http://a/%?q", InvalidPercentEncoding, Some(Path), 10),
            ("http://a/?%#f", InvalidPercentEncoding, Some(Query), 11),
            ("http://a/#%#", InvalidPercentEncoding, Some(Fragment), 11),
            ("http://h%/", InvalidPercentEncoding, Some(Host), 9),
            ("http://u%@h/", InvalidPercentEncoding, Some(Userinfo), 9),
            ("http://h%4:8o/", InvalidPercentEncoding, Some(Host), 10),
        ],
    );
    check(
        RFC2396,
        &[
            ("http://a/%zz", InvalidPercentEncoding, Some(Path), 10),
            ("http://h%/", InvalidPercentEncoding, Some(Authority), 9),
            ("a:b%", InvalidPercentEncoding, None, 4),
        ],
    );
    check(&[Grammar::RequestTarget], &[("/%", InvalidPercentEncoding, Some(Path), 2)]);
}

#[test]
fn invalid_ip_literal() {
    let examples: &[Example] = &[
        ("http://[1::2::3]/", InvalidIpLiteral, Some(Host), 13),
        ("http://[::1", InvalidIpLiteral, Some(Host), 11),
        ("http://[::1/", InvalidIpLiteral, Some(Host), 11),
        ("http://[]/", InvalidIpLiteral, Some(Host), 8),
        ("http://[example.com]/", InvalidIpLiteral, Some(Host), 9),
        ("http://[1.2.3.4]/", InvalidIpLiteral, Some(Host), 9),
        ("http://[12345::]/", InvalidIpLiteral, Some(Host), 12),
        ("http://[::1.2.3.256]/", InvalidIpLiteral, Some(Host), 18),
        ("http://[1:2:3:4:5:6:7:8:9]/", InvalidIpLiteral, Some(Host), 23),
        ("http://[1:2:3:4:5:6:7]/", InvalidIpLiteral, Some(Host), 21),
        ("http://[::1 ]/", InvalidIpLiteral, Some(Host), 11),
        ("http://u@[::g]/", InvalidIpLiteral, Some(Host), 12),
        ("http://[::%41]/", InvalidIpLiteral, Some(Host), 10),
        ("http://[é]/", InvalidIpLiteral, Some(Host), 8),
    ];
    check(GENERIC, examples);
    check(&[Grammar::AbsoluteUri, Grammar::Rfc2396], examples);
    check(GENERIC, &[("http://[v1.]/", InvalidIpLiteral, Some(Host), 11)]);
    check(GENERIC, &[("http://[fe80::1%25en0]/", InvalidIpLiteral, Some(Host), 15)]);
    check(&[Grammar::Rfc2396], &[("http://[v1.x]/", InvalidIpLiteral, Some(Host), 8)]);
    check(
        &[Grammar::Java],
        &[
            ("http://[1::2::3]/", InvalidIpLiteral, Some(Host), 13),
            ("http://[fe80::1%]/", InvalidIpLiteral, Some(Host), 16),
            ("http://[fe80::1%a-b]/", InvalidIpLiteral, Some(Host), 17),
            // Up to the dot, this could be a group of hexadecimal digits.
            ("http://[::0256.1.1.1]/", InvalidIpLiteral, Some(Host), 14),
        ],
    );
    let zoned = Validator::new(Grammar::Uri).with_zone_ids().unwrap();
    check_one(zoned, b"http://[fe80::1%en0]/", InvalidIpLiteral, Some(Host), 16);
    check_one(zoned, b"http://[fe80::1%25]/", InvalidIpLiteral, Some(Host), 18);
    check_one(zoned, b"http://[fe80::1%25a%4]/", InvalidIpLiteral, Some(Host), 21);
}

#[test]
fn invalid_port() {
    check(
        GENERIC,
        &[
            ("http://h:8o/", InvalidPort, Some(Port), 10),
            // This could still become userinfo, but no "@" follows.
            ("http://h:8a b/", InvalidPort, Some(Port), 10),
            ("http://h:x", InvalidPort, Some(Port), 9),
            ("http://h: /", InvalidPort, Some(Port), 9),
            ("http://h:8:9/", InvalidPort, Some(Port), 10),
            ("http://h:[::1]/", InvalidPort, Some(Port), 9),
            ("http://h:%38/", InvalidPort, Some(Port), 9),
            ("http://h:é/", InvalidPort, Some(Port), 9),
            ("http://u@h:8o/", InvalidPort, Some(Port), 12),
            ("http://[::1]:8o/", InvalidPort, Some(Port), 14),
            ("http://[::1]:8@x/", InvalidPort, Some(Port), 14),
            ("http://1.2.3.4:-1/", InvalidPort, Some(Port), 15),
            // With an "@", the text before it is userinfo.
            ("http://h:8a b@x/", Space, Some(Userinfo), 11),
            ("http://h:8a@x/ ", Space, Some(Path), 14),
        ],
    );
    check(&[Grammar::RelativeRef], &[("//h:8o", InvalidPort, Some(Port), 5)]);
    check(
        RFC2396,
        &[("http://[::1]:8o/", InvalidPort, Some(Port), 14), ("//u@[::1]:x", InvalidPort, Some(Port), 10)],
    );
    check(
        &[Grammar::Java],
        &[
            ("//[::1]:2147483648", InvalidPort, Some(Port), 17),
            ("//[::1]:99999999999/", InvalidPort, Some(Port), 17),
            ("//[::1]:00000000000002147483650", InvalidPort, Some(Port), 30),
            ("//[::1]:99999999999x", InvalidPort, Some(Port), 17),
        ],
    );
    check(&[Grammar::RequestTarget], &[("http://h:8o/", InvalidPort, Some(Port), 10)]);
}

#[test]
fn invalid_authority() {
    check(
        GENERIC,
        &[
            ("http://a@b@c/", InvalidAuthority, Some(Authority), 10),
            ("http://@@", InvalidAuthority, Some(Authority), 8),
            ("http://[::1]x/", InvalidAuthority, Some(Authority), 12),
            ("http://[::1]@h/", InvalidAuthority, Some(Authority), 12),
            ("http://[::1] ", InvalidAuthority, Some(Authority), 12),
            ("http://u@[::1][/", InvalidAuthority, Some(Authority), 14),
        ],
    );
    check(RFC2396, &[("//[::1]x", InvalidAuthority, Some(Authority), 7)]);
    check(
        &[Grammar::Java],
        &[("//", InvalidAuthority, Some(Authority), 2), ("file://", InvalidAuthority, Some(Authority), 7)],
    );
    check(&[Grammar::RequestTarget], &[("[::1]x", InvalidAuthority, Some(Authority), 5)]);
}

#[test]
fn empty_scheme_specific_part() {
    check(
        RFC2396,
        &[("mailto:", EmptySchemeSpecificPart, None, 7), ("a:#f", EmptySchemeSpecificPart, None, 2)],
    );
}

#[test]
fn fragment_of_an_absolute_uri() {
    check(
        &[Grammar::AbsoluteUri],
        &[
            ("http://h/#f", InvalidCharacter, Some(Fragment), 9),
            ("http://h/?q#", InvalidCharacter, Some(Fragment), 11),
            ("a:#b#c", InvalidCharacter, Some(Fragment), 2),
            ("a:# %", InvalidCharacter, Some(Fragment), 2),
            ("a:%#", InvalidPercentEncoding, Some(Path), 3),
        ],
    );
    check(&[Grammar::RequestTarget], &[("/a#f", InvalidCharacter, Some(Fragment), 2)]);
}

#[test]
fn request_target() {
    check(
        &[Grammar::RequestTarget],
        &[
            ("/a b", Space, Some(Path), 2),
            ("/a?b c", Space, Some(Query), 4),
            ("/a[1]", BracketOutsideHost, Some(Path), 2),
            ("http://h/a b", Space, Some(Path), 10),
            ("index.html", MissingScheme, Some(Scheme), 10),
            ("?q", MissingScheme, Some(Scheme), 0),
            ("[::1]:8x", InvalidPort, Some(Port), 7),
            ("[::g]:80", InvalidIpLiteral, Some(Host), 3),
            ("1h:", InvalidPort, Some(Port), 3),
            ("[::1]", InvalidPort, Some(Port), 5),
            // As a URI, the record matches equally far, and the error is more specific.
            ("h:4 ", Space, Some(Path), 3),
        ],
    );
}

#[test]
fn record_too_long() {
    let error = urivalidate::Error::record_too_long(b"http://h/", 4);
    assert_eq!((error.kind(), error.component(), error.offset()), (RecordTooLong, None, 4));
    assert_eq!(error.found(), Found::Byte(b':'));
    assert_eq!(urivalidate::Error::record_too_long(b"ab", 4).offset(), 2);
}

#[test]
fn what_stands_there() {
    let found = |grammar, record: &[u8]| urivalidate::parse(grammar, record).unwrap_err().found();
    assert_eq!(found(Grammar::Uri, b"a:%"), Found::End);
    assert_eq!(found(Grammar::Uri, b"a:b c"), Found::Byte(b' '));
    assert_eq!(found(Grammar::Uri, "a:é".as_bytes()), Found::Char('é'));
    assert_eq!(found(Grammar::Uri, b"a:\xE9"), Found::Byte(0xE9));
    // Well-formed UTF-8 as a whole, although the offset lies inside.
    assert_eq!(found(Grammar::Iri, "a:\u{1FFFF}".as_bytes()), Found::Char('\u{1FFFF}'));
    assert_eq!(found(Grammar::Iri, b"a:\xF0\x9F"), Found::End);
    assert_eq!(found(Grammar::Iri, b"a:\xE2\x82\xFF"), Found::Byte(0xFF));
}

#[test]
fn messages() {
    for (grammar, record, message) in [
        (Grammar::Uri, &b""[..], "the record is empty"),
        (Grammar::Uri, b"a", "no scheme: the record ends before a \":\""),
        (Grammar::Uri, b"www.a.com/x", "no scheme: a name and \":\" must come first, found \"/\""),
        (Grammar::UriReference, b"1a:b", "the text before \":\" is not a scheme"),
        (Grammar::Uri, b"://h", "no scheme comes before this \":\""),
        (Grammar::Uri, b"1a:b", "\"1\" cannot start a scheme"),
        // White space at either end is probably unintended, so the message suggests no escape.
        (Grammar::Uri, b" a:b", "a space at the start of the record; trimming removes it"),
        (Grammar::Uri, b" a", "a space at the start of the record; trimming removes it"),
        (Grammar::UriReference, b" a", "a space at the start of the record; trimming removes it"),
        (Grammar::Rfc2396, b" ", "a space at the end of the record; trimming removes it"),
        (Grammar::Uri, b"a:b \t ", "a space at the end of the record; trimming removes it"),
        (Grammar::Iri, b"a://h ", "a space at the end of the record; trimming removes it"),
        (Grammar::Uri, b"a://h i/", "a space cannot be in a host"),
        (Grammar::Rfc2396, b"a://h i/", "a space cannot be in a host"),
        (Grammar::Uri, b"a://u v@h/", "a space must be written %20"),
        (Grammar::Uri, b"a_b:c", "\"_\" cannot be in a scheme"),
        (Grammar::Uri, b"a:b c", "a space must be written %20"),
        (Grammar::Uri, b"a:\t", "control character 0x09 in the path"),
        (
            Grammar::Uri,
            "a:é".as_bytes(),
            "\"é\" (U+00E9) in the path is not ASCII and must be percent-encoded",
        ),
        (Grammar::Uri, b"a:\xFF", "byte 0xFF in the path is not ASCII and must be percent-encoded"),
        (Grammar::Uri, b"a:{", "\"{\" is not allowed in the path"),
        (Grammar::AbsoluteUri, b"a:#", "\"#\": an absolute URI has no fragment"),
        (Grammar::RequestTarget, b"[::1]@h", "\"@\" cannot follow the host"),
        (Grammar::RequestTarget, b"/a#", "\"#\": a request target has no fragment"),
        (Grammar::RequestTarget, b"http://h/#", "\"#\": a request target has no fragment"),
        (Grammar::Uri, b"a:%4", "\"%\" must be followed by two hexadecimal digits, found the end"),
        (Grammar::Uri, b"a:[", "\"[\" in the path: brackets may only enclose an IP address as host"),
        (
            Grammar::Rfc2396,
            b"a:/[",
            "\"[\" in the path: brackets may only enclose an IPv6 address as host, or be in a query or a fragment",
        ),
        (
            Grammar::Java,
            b"a:/]",
            "\"]\" in the path: brackets may only enclose an IPv6 address as host, or be in a query or a fragment",
        ),
        (
            Grammar::Java,
            "a:/\u{3000}".as_bytes(),
            "U+3000 in the path is a space or a control character and must be percent-encoded",
        ),
        (Grammar::Uri, b"a://[::g]", "no IP address in the brackets: \"g\" cannot be here"),
        (Grammar::Uri, b"a://[::1/x", "unclosed IP literal: missing \"]\", found \"/\""),
        (Grammar::Java, b"a://[1:2", "unclosed IP literal: missing \"]\", found the end"),
        (Grammar::Uri, b"a://[1.2.3.4]/", "an IPv4 address must not be in brackets"),
        (Grammar::Uri, b"a://[fe80::1%25en0]/", "a zone identifier, which this validator does not allow"),
        (Grammar::Uri, b"a://[fe80:%25en0]/", "no IP address in the brackets: \"%\" cannot be here"),
        (Grammar::Uri, b"a://[::1]@h", "\"@\" cannot follow the host"),
        (Grammar::Rfc2396, b"a://[::1]@h", "\"@\" cannot follow the host"),
        (Grammar::Uri, b"a://h:x", "a port is made of digits, found \"x\""),
        (Grammar::Java, b"a://[::1]:2147483648", "the port is larger than 2147483647"),
        (Grammar::Uri, b"a:##", "a second \"#\": within a fragment it must be written %23"),
        (Grammar::RelativeRef, b"a:", "\":\" in the first segment of a relative reference"),
        (Grammar::Java, b"//", "the authority after \"//\" is missing"),
        (Grammar::Uri, b"a://b@c@d", "a second \"@\" in the authority"),
        (Grammar::Uri, b"a://[::1]x", "\"x\" cannot follow the host"),
        (Grammar::Iri, b"a:\xFF", "ill-formed UTF-8: byte 0xFF cannot be here"),
        (Grammar::Java, b"a:", "nothing follows the scheme's \":\""),
        // Invisible characters are named.
        (Grammar::Iri, "a:\u{FFFE}".as_bytes(), "U+FFFE is not allowed in the path"),
    ] {
        assert_eq!(urivalidate::parse(grammar, record).unwrap_err().to_string(), message);
    }
    assert_eq!(
        urivalidate::Error::record_too_long(b"abc", 2).to_string(),
        "the record is longer than 2 bytes"
    );
}

#[test]
fn every_kind_has_a_name_of_its_own() {
    let mut names: Vec<_> = ErrorKind::ALL.iter().map(|kind| kind.name()).collect();
    assert_eq!(names.len(), 18);
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 18);
    assert_eq!(InvalidPercentEncoding.to_string(), "invalid-percent-encoding");
}

#[test]
fn no_grammar_takes_what_no_grammar_has() {
    for grammar in all() {
        for record in
            [" ", "a b", "/\0", "/\"", "/<", "/>", "/\\", "/^", "/`", "/{", "/|", "/}", "/\x7F", "/%", "#a#"]
        {
            assert!(!urivalidate::is_valid(grammar, record.as_bytes()), "{record:?} as {grammar}");
        }
    }
}
