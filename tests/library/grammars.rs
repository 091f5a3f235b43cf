//! Tests the examples of the RFCs and of the Javadoc, and the decisions where the texts are ambiguous:
//! verdicts and components.
//!
//! Library and oracle both judge each example, so the examples also test the oracle.

use urivalidate::{AuthorityKind, Components, Grammar, HostKind, Validator};

use crate::oracle::{Oracle, Parts};

/// A record, and its parts in the form that [`describe`] returns.
type Example = (&'static str, &'static str);

/// The result of [`describe`] for an invalid record.
const INVALID: &str = "invalid";

fn check(grammar: Grammar, examples: &[Example]) {
    check_by(Validator::new(grammar), examples);
}

fn check_by(validator: Validator, examples: &[Example]) {
    for &(record, expected) in examples {
        let grammar = validator.grammar();
        let parsed = validator.parse(record.as_bytes()).ok().map(Parts::from);
        assert_eq!(describe(parsed, record), expected, "{record:?} as {grammar}");
        let oracle = Oracle::of(validator);
        let parts = oracle.whole.contains(record.as_bytes()).then(|| oracle.parts(record.as_bytes()));
        assert_eq!(describe(parts, record), expected, "{record:?} as {grammar}, by the oracle");
    }
}

/// Checks examples that RFC 2396 and java.net.URI read alike.
fn check_both(examples: &[Example]) {
    check(Grammar::Rfc2396, examples);
    check(Grammar::Java, examples);
}

/// Checks examples that RFC 2396 and java.net.URI read differently: the record, RFC 2396's reading,
/// java.net.URI's reading.
fn check_each(examples: &[(&'static str, &'static str, &'static str)]) {
    for &(record, rfc2396, java) in examples {
        check(Grammar::Rfc2396, &[(record, rfc2396)]);
        check(Grammar::Java, &[(record, java)]);
    }
}

/// Returns the components of the record, as `name:text`. The kind and the address of a host follow it.
///
/// An authority that RFC 2396 reads as registry-based is called `registry`, the scheme-specific part of an
/// opaque URI `opaque`.
fn describe(parts: Option<Parts>, record: &str) -> String {
    let Some(parts) = parts else { return INVALID.to_owned() };
    let is_registry = parts.authority_kind == Some(AuthorityKind::Registry);
    let components = [
        ("scheme", parts.scheme),
        ("opaque", parts.is_opaque.then_some(parts.scheme_specific_part)),
        (if is_registry { "registry" } else { "authority" }, parts.authority),
        ("userinfo", parts.server.userinfo),
        ("host", parts.server.host),
        ("port", parts.server.port),
        ("path", parts.path),
        ("query", parts.query),
        ("fragment", parts.fragment),
    ];
    let present = components.into_iter().filter_map(|(name, range)| {
        let text = &record[range?];
        let mut shown = format!("{name}:{text}");
        if name == "host" {
            shown += &format!("({}", parts.server.host_kind.unwrap());
            shown += &parts.server.address.map_or(String::new(), |address| format!(" {address}"));
            shown += ")";
        }
        Some(shown)
    });
    present.collect::<Vec<_>>().join(" ")
}

#[test]
fn rfc3986_section_1_1_2() {
    let examples = [
        (
            "ftp://ftp.is.co.za/rfc/rfc1808.txt",
            "scheme:ftp authority:ftp.is.co.za host:ftp.is.co.za(reg-name) path:/rfc/rfc1808.txt",
        ),
        (
            "http://www.ietf.org/rfc/rfc2396.txt",
            "scheme:http authority:www.ietf.org host:www.ietf.org(reg-name) path:/rfc/rfc2396.txt",
        ),
        (
            "ldap://[2001:db8::7]/c=GB?objectClass?one",
            "scheme:ldap authority:[2001:db8::7] host:[2001:db8::7](ipv6 2001:db8::7) path:/c=GB query:objectClass?one",
        ),
        ("mailto:John.Doe@example.com", "scheme:mailto path:John.Doe@example.com"),
        ("news:comp.infosystems.www.servers.unix", "scheme:news path:comp.infosystems.www.servers.unix"),
        ("tel:+1-816-555-1212", "scheme:tel path:+1-816-555-1212"),
        (
            "telnet://192.0.2.16:80/",
            "scheme:telnet authority:192.0.2.16:80 host:192.0.2.16(ipv4 192.0.2.16) port:80 path:/",
        ),
        (
            "urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
            "scheme:urn path:oasis:names:specification:docbook:dtd:xml:4.1.2",
        ),
    ];
    for grammar in
        [Grammar::Uri, Grammar::UriReference, Grammar::AbsoluteUri, Grammar::Iri, Grammar::IriReference]
    {
        check(grammar, &examples);
    }
    for (record, _) in examples {
        check(Grammar::RelativeRef, &[(record, INVALID)]);
    }
}

#[test]
fn rfc3986_section_3() {
    let examples = [
        (
            "foo://example.com:8042/over/there?name=ferret#nose",
            "scheme:foo authority:example.com:8042 host:example.com(reg-name) port:8042 path:/over/there \
             query:name=ferret fragment:nose",
        ),
        ("urn:example:animal:ferret:nose", "scheme:urn path:example:animal:ferret:nose"),
        // Section 3.3.
        ("mailto:fred@example.com", "scheme:mailto path:fred@example.com"),
        (
            "foo://info.example.com?fred",
            "scheme:foo authority:info.example.com host:info.example.com(reg-name) path: query:fred",
        ),
        // Section 7.6.
        (
            "ftp://cnn.example.com&story=breaking_news@10.0.0.1/top_story.htm",
            "scheme:ftp authority:cnn.example.com&story=breaking_news@10.0.0.1 \
             userinfo:cnn.example.com&story=breaking_news host:10.0.0.1(ipv4 10.0.0.1) path:/top_story.htm",
        ),
    ];
    for grammar in [Grammar::Uri, Grammar::UriReference, Grammar::Iri, Grammar::IriReference] {
        check(grammar, &examples);
    }
    check(Grammar::AbsoluteUri, &[(examples[0].0, INVALID)]);
    check(Grammar::AbsoluteUri, &examples[1..]);
}

#[test]
fn rfc3986_section_3_2_authorities() {
    check(
        Grammar::RelativeRef,
        &[
            ("//", "authority: host:(reg-name) path:"),
            ("///", "authority: host:(reg-name) path:/"),
            ("//@", "authority:@ userinfo: host:(reg-name) path:"),
            ("//:", "authority:: host:(reg-name) port: path:"),
            ("//:@:", "authority::@: userinfo:: host:(reg-name) port: path:"),
            ("//u:p:w@h:8", "authority:u:p:w@h:8 userinfo:u:p:w host:h(reg-name) port:8 path:"),
            ("//h:", "authority:h: host:h(reg-name) port: path:"),
            (
                "//h:00099999999999999999999",
                "authority:h:00099999999999999999999 host:h(reg-name) port:00099999999999999999999 path:",
            ),
            ("//a!$&'()*+,;=b", "authority:a!$&'()*+,;=b host:a!$&'()*+,;=b(reg-name) path:"),
            ("//%41.%2f", "authority:%41.%2f host:%41.%2f(reg-name) path:"),
            ("//u@v@h", INVALID),
            ("//h:8a", INVALID),
            ("//h:8:9", INVALID),
            ("//[u]@h", INVALID),
            ("//u@[::1]", "authority:u@[::1] userinfo:u host:[::1](ipv6 ::1) path:"),
            ("//a[::1]", INVALID),
            ("//[::1]a", INVALID),
            ("//[::1]@h", INVALID),
        ],
    );
}

#[test]
fn rfc3986_section_3_2_2_hosts() {
    let check_host = |host: &str, expected: &str| {
        let record = format!("//{host}");
        let described = match expected {
            INVALID => INVALID.to_owned(),
            kind => format!("authority:{host} host:{host}({kind}) path:"),
        };
        for grammar in [Grammar::UriReference, Grammar::RelativeRef, Grammar::IriReference] {
            let oracle = Oracle::of(Validator::new(grammar));
            let parsed = oracle.validator.parse(record.as_bytes()).ok().map(Parts::from);
            assert_eq!(describe(parsed, &record), described, "{record:?} as {grammar}");
            assert_eq!(
                oracle.whole.contains(record.as_bytes()),
                expected != INVALID,
                "{record:?}, by the oracle"
            );
        }
    };
    for (host, expected) in [
        // The first of IP-literal, IPv4address and reg-name that matches.
        ("192.0.2.16", "ipv4 192.0.2.16"),
        ("0.0.0.0", "ipv4 0.0.0.0"),
        ("255.255.255.255", "ipv4 255.255.255.255"),
        ("1.2.3.256", "reg-name"),
        ("1.2.3.04", "reg-name"),
        ("01.2.3.4", "reg-name"),
        ("1.2.3", "reg-name"),
        ("1.2.3.4.", "reg-name"),
        ("1.2.3.4.5", "reg-name"),
        // The examples of RFC 4291 section 2.2, and addresses with one group more or less.
        ("[ABCD:EF01:2345:6789:ABCD:EF01:2345:6789]", "ipv6 abcd:ef01:2345:6789:abcd:ef01:2345:6789"),
        ("[2001:DB8:0:0:8:800:200C:417A]", "ipv6 2001:db8::8:800:200c:417a"),
        ("[2001:DB8::8:800:200C:417A]", "ipv6 2001:db8::8:800:200c:417a"),
        ("[FF01::101]", "ipv6 ff01::101"),
        ("[::1]", "ipv6 ::1"),
        ("[::]", "ipv6 ::"),
        ("[0:0:0:0:0:0:13.1.68.3]", "ipv6 ::d01:4403"),
        ("[::FFFF:129.144.52.38]", "ipv6 ::ffff:129.144.52.38"),
        ("[1:2:3:4:5:6:7:8:9]", INVALID),
        ("[1:2:3:4:5:6:7]", INVALID),
        ("[1:2:3:4:5:6:7::]", "ipv6 1:2:3:4:5:6:7:0"),
        ("[::2:3:4:5:6:7:8]", "ipv6 0:2:3:4:5:6:7:8"),
        ("[1::]", "ipv6 1::"),
        ("[1:2:3:4:5:6:7:8::]", INVALID),
        ("[1:2:3:4::5:6:7:8]", INVALID),
        ("[1::2::3]", INVALID),
        ("[:::]", INVALID),
        ("[1:]", INVALID),
        ("[:1]", INVALID),
        ("[12345::]", INVALID),
        ("[::g]", INVALID),
        ("[::1.2.3]", INVALID),
        ("[::1.2.3.256]", INVALID),
        ("[::1.2.3.04]", INVALID),
        ("[::1.2.3.4:5]", INVALID),
        ("[1:2:3:4:5:6:7:1.2.3.4]", INVALID),
        ("[1.2.3.4]", INVALID),
        ("[]", INVALID),
        ("[fe80::1%25en0]", INVALID),
        ("[v1.x]", "ipvfuture"),
        // A literal in ABNF ignores case.
        ("[VF0.a:b!~]", "ipvfuture"),
        ("[v.x]", INVALID),
        ("[vg.x]", INVALID),
        ("[v1.]", INVALID),
        ("[v1.%41]", INVALID),
        ("[v1x]", INVALID),
    ] {
        check_host(host, expected);
    }
}

/// The examples of RFC 3986 sections 5.4.1 and 5.4.2 that all grammars read alike. RFC 2396 appendix C has
/// the same.
const REFERENCES: [Example; 38] = [
    ("g", "path:g"),
    ("./g", "path:./g"),
    ("g/", "path:g/"),
    ("/g", "path:/g"),
    ("?y", "path: query:y"),
    ("g?y", "path:g query:y"),
    ("#s", "path: fragment:s"),
    ("g#s", "path:g fragment:s"),
    ("g?y#s", "path:g query:y fragment:s"),
    (";x", "path:;x"),
    ("g;x", "path:g;x"),
    ("g;x?y#s", "path:g;x query:y fragment:s"),
    ("", "path:"),
    (".", "path:."),
    ("./", "path:./"),
    ("..", "path:.."),
    ("../", "path:../"),
    ("../g", "path:../g"),
    ("../..", "path:../.."),
    ("../../", "path:../../"),
    ("../../g", "path:../../g"),
    ("../../../g", "path:../../../g"),
    ("../../../../g", "path:../../../../g"),
    ("/./g", "path:/./g"),
    ("/../g", "path:/../g"),
    ("g.", "path:g."),
    (".g", "path:.g"),
    ("g..", "path:g.."),
    ("..g", "path:..g"),
    ("./../g", "path:./../g"),
    ("./g/.", "path:./g/."),
    ("g/./h", "path:g/./h"),
    ("g/../h", "path:g/../h"),
    ("g;x=1/./y", "path:g;x=1/./y"),
    ("g;x=1/../y", "path:g;x=1/../y"),
    ("g?y/./x", "path:g query:y/./x"),
    ("g?y/../x", "path:g query:y/../x"),
    ("g#s/../x", "path:g fragment:s/../x"),
];

#[test]
fn rfc3986_section_5_4() {
    for grammar in [Grammar::UriReference, Grammar::IriReference] {
        check(grammar, &REFERENCES);
        check(
            grammar,
            &[
                ("g:h", "scheme:g path:h"),
                ("http:g", "scheme:http path:g"),
                ("//g", "authority:g host:g(reg-name) path:"),
                ("http://a/b/c/d;p?q", "scheme:http authority:a host:a(reg-name) path:/b/c/d;p query:q"),
            ],
        );
    }
    check(Grammar::RelativeRef, &REFERENCES);
    // Section 4.2.
    check(Grammar::RelativeRef, &[("this:that", INVALID), ("./this:that", "path:./this:that")]);
    for (record, _) in REFERENCES {
        check(Grammar::Uri, &[(record, INVALID)]);
    }
}

#[test]
fn rfc2396_appendix_c() {
    check_both(&REFERENCES);
    check_both(&[
        ("g:h", "scheme:g opaque:h"),
        ("http:g", "scheme:http opaque:g"),
        ("//g", "authority:g host:g(hostname) path:"),
        ("http://a/b/c/d;p?q", "scheme:http authority:a host:a(hostname) path:/b/c/d;p query:q"),
    ]);
}

#[test]
fn rfc2396_section_1_3() {
    check_both(&[
        (
            "ftp://ftp.is.co.za/rfc/rfc1808.txt",
            "scheme:ftp authority:ftp.is.co.za host:ftp.is.co.za(hostname) path:/rfc/rfc1808.txt",
        ),
        (
            "gopher://spinaltap.micro.umn.edu/00/Weather/California/Los%20Angeles",
            "scheme:gopher authority:spinaltap.micro.umn.edu host:spinaltap.micro.umn.edu(hostname) \
             path:/00/Weather/California/Los%20Angeles",
        ),
        (
            "http://www.math.uio.no/faq/compression-faq/part1.html",
            "scheme:http authority:www.math.uio.no host:www.math.uio.no(hostname) path:/faq/compression-faq/part1.html",
        ),
        ("mailto:mduerst@ifi.unizh.ch", "scheme:mailto opaque:mduerst@ifi.unizh.ch"),
        ("news:comp.infosystems.www.servers.unix", "scheme:news opaque:comp.infosystems.www.servers.unix"),
        (
            "telnet://melvyl.ucop.edu/",
            "scheme:telnet authority:melvyl.ucop.edu host:melvyl.ucop.edu(hostname) path:/",
        ),
    ]);
}

#[test]
fn rfc2732_section_2() {
    check_both(&[
        (
            "http://[FEDC:BA98:7654:3210:FEDC:BA98:7654:3210]:80/index.html",
            "scheme:http authority:[FEDC:BA98:7654:3210:FEDC:BA98:7654:3210]:80 \
             host:[FEDC:BA98:7654:3210:FEDC:BA98:7654:3210](ipv6 fedc:ba98:7654:3210:fedc:ba98:7654:3210) port:80 \
             path:/index.html",
        ),
        (
            "http://[1080:0:0:0:8:800:200C:417A]/index.html",
            "scheme:http authority:[1080:0:0:0:8:800:200C:417A] \
             host:[1080:0:0:0:8:800:200C:417A](ipv6 1080::8:800:200c:417a) path:/index.html",
        ),
        (
            "http://[3ffe:2a00:100:7031::1]",
            "scheme:http authority:[3ffe:2a00:100:7031::1] host:[3ffe:2a00:100:7031::1](ipv6 3ffe:2a00:100:7031::1) path:",
        ),
        (
            "http://[1080::8:800:200C:417A]/foo",
            "scheme:http authority:[1080::8:800:200C:417A] host:[1080::8:800:200C:417A](ipv6 1080::8:800:200c:417a) \
             path:/foo",
        ),
        (
            "http://[::192.9.5.5]/ipng",
            "scheme:http authority:[::192.9.5.5] host:[::192.9.5.5](ipv6 ::c009:505) path:/ipng",
        ),
        (
            "http://[::FFFF:129.144.52.38]:80/index.html",
            "scheme:http authority:[::FFFF:129.144.52.38]:80 host:[::FFFF:129.144.52.38](ipv6 ::ffff:129.144.52.38) port:80 \
             path:/index.html",
        ),
        (
            "http://[2010:836B:4179::836B:4179]",
            "scheme:http authority:[2010:836B:4179::836B:4179] \
             host:[2010:836B:4179::836B:4179](ipv6 2010:836b:4179::836b:4179) path:",
        ),
    ]);
}

#[test]
fn rfc2396_registries() {
    check_both(&[
        ("//a_b/c", "registry:a_b path:/c"),
        ("//h:x", "registry:h:x path:"),
        ("//u@v@h", "registry:u@v@h path:"),
        ("//u@", "registry:u@ path:"),
        ("//:80", "registry::80 path:"),
        ("//-a", "registry:-a path:"),
        ("//a-", "registry:a- path:"),
        ("//%41", "registry:%41 path:"),
        ("//1.2.3", "registry:1.2.3 path:"),
        ("//a.1", "registry:a.1 path:"),
        ("//1.2.3.a", "authority:1.2.3.a host:1.2.3.a(hostname) path:"),
        ("//h.", "authority:h. host:h.(hostname) path:"),
        ("//h..", "registry:h.. path:"),
        ("//1.2.3.4.", "registry:1.2.3.4. path:"),
        ("//1.2.3.4", "authority:1.2.3.4 host:1.2.3.4(ipv4 1.2.3.4) path:"),
        (
            "//u:p;%20@h.example:8/",
            "authority:u:p;%20@h.example:8 userinfo:u:p;%20 host:h.example(hostname) port:8 path:/",
        ),
        ("//@h", "authority:@h userinfo: host:h(hostname) path:"),
        ("//u@v@[::1]", INVALID),
        ("//u@[::1]:8", "authority:u@[::1]:8 userinfo:u host:[::1](ipv6 ::1) port:8 path:"),
        ("//[::1]x", INVALID),
        ("//[::1]:x", INVALID),
        ("//[v1.x]", INVALID),
    ]);
}

#[test]
fn rfc2396_opaque_or_hierarchical() {
    check_both(&[
        ("a:b/c?d#e", "scheme:a opaque:b/c?d fragment:e"),
        ("a:?b", "scheme:a opaque:?b"),
        ("a:b[]", "scheme:a opaque:b[]"),
        ("a:/b", "scheme:a path:/b"),
        ("a:/b;c=1;d/e", "scheme:a path:/b;c=1;d/e"),
        ("a:", INVALID),
        ("a:#b", INVALID),
        ("/a[]", INVALID),
        ("?[]#[]", "path: query:[] fragment:[]"),
        ("a,b:c", INVALID),
        ("a/b:c", "path:a/b:c"),
        ("/~a", "path:/~a"),
        ("/a|b", INVALID),
    ]);
}

#[test]
fn query_alone() {
    check_both(&[("?y", "path: query:y"), ("?", "path: query:"), ("?y#s", "path: query:y fragment:s")]);
}

#[test]
fn empty_reference() {
    check_both(&[("", "path:"), ("#f", "path: fragment:f"), ("#", "path: fragment:")]);
}

#[test]
fn empty_authority() {
    check_each(&[
        ("file:///x", "scheme:file authority: path:/x", "scheme:file path:/x"),
        ("//?q", "authority: path: query:q", "path: query:q"),
        ("//#f", "authority: path: fragment:f", "path: fragment:f"),
        ("////", "authority: path://", "path://"),
    ]);
}

#[test]
fn nothing_after_an_empty_authority() {
    check_each(&[("//", "authority: path:", INVALID), ("a://", "scheme:a authority: path:", INVALID)]);
}

#[test]
fn octet_over_255() {
    check_each(&[
        ("//256.1.1.1", "authority:256.1.1.1 host:256.1.1.1(ipv4) path:", "registry:256.1.1.1 path:"),
        (
            "//1.1.1.999:8",
            "authority:1.1.1.999:8 host:1.1.1.999(ipv4) port:8 path:",
            "registry:1.1.1.999:8 path:",
        ),
    ]);
}

#[test]
fn single_label_that_starts_with_a_digit() {
    check_each(&[
        ("//1", "registry:1 path:", "authority:1 host:1(hostname) path:"),
        ("//1a.:8", "registry:1a.:8 path:", "authority:1a.:8 host:1a.(hostname) port:8 path:"),
    ]);
}

#[test]
fn octet_of_four_digits() {
    check_each(&[
        (
            "//0001.2.3.4",
            "registry:0001.2.3.4 path:",
            "authority:0001.2.3.4 host:0001.2.3.4(ipv4 1.2.3.4) path:",
        ),
        (
            "//1.2.3.00000255",
            "registry:1.2.3.00000255 path:",
            "authority:1.2.3.00000255 host:1.2.3.00000255(ipv4 1.2.3.255) path:",
        ),
        ("//1.2.3.0256", "registry:1.2.3.0256 path:", "registry:1.2.3.0256 path:"),
    ]);
    check_both(&[("//001.02.3.4", "authority:001.02.3.4 host:001.02.3.4(ipv4 1.2.3.4) path:")]);
}

#[test]
fn port_over_the_largest_int() {
    check_both(&[
        ("//h:2147483647", "authority:h:2147483647 host:h(hostname) port:2147483647 path:"),
        ("//h:00002147483647", "authority:h:00002147483647 host:h(hostname) port:00002147483647 path:"),
    ]);
    check_each(&[
        (
            "//h:2147483648",
            "authority:h:2147483648 host:h(hostname) port:2147483648 path:",
            "registry:h:2147483648 path:",
        ),
        (
            "//[::1]:2147483648",
            "authority:[::1]:2147483648 host:[::1](ipv6 ::1) port:2147483648 path:",
            INVALID,
        ),
    ]);
}

#[test]
fn octet_with_leading_zeros_in_brackets() {
    check_both(&[("//[::01.002.3.4]", "authority:[::01.002.3.4] host:[::01.002.3.4](ipv6 ::102:304) path:")]);
}

#[test]
fn octet_over_255_in_brackets() {
    check_both(&[("//[::256.1.1.1]", INVALID), ("//[::1.1.1.999]", INVALID)]);
}

#[test]
fn empty_port() {
    check_each(&[
        ("//h:", "authority:h: host:h(hostname) port: path:", "authority:h: host:h(hostname) path:"),
        (
            "//[::1]:/",
            "authority:[::1]: host:[::1](ipv6 ::1) port: path:/",
            "authority:[::1]: host:[::1](ipv6 ::1) path:/",
        ),
    ]);
}

#[test]
fn scope_of_an_ipv6_address() {
    check_each(&[
        ("//[fe80::1%en0]", INVALID, "authority:[fe80::1%en0] host:[fe80::1%en0](ipv6 fe80::1) path:"),
        (
            "//[fe80::1%25e_n.0]",
            INVALID,
            "authority:[fe80::1%25e_n.0] host:[fe80::1%25e_n.0](ipv6 fe80::1) path:",
        ),
    ]);
    check_both(&[("//[fe80::1%]", INVALID), ("//[fe80::1%a-b]", INVALID), ("//[fe80::1%25%41]", INVALID)]);
}

#[test]
fn opaque_part_that_starts_with_a_bracket() {
    check_each(&[("a:[b]", INVALID, "scheme:a opaque:[b]"), ("a:]", INVALID, "scheme:a opaque:]")]);
}

#[test]
fn octet_of_four_digits_in_brackets() {
    check_each(&[(
        "//[::0001.2.3.0255]",
        INVALID,
        "authority:[::0001.2.3.0255] host:[::0001.2.3.0255](ipv6 ::102:3ff) path:",
    )]);
    check_both(&[("//[::0256.1.1.1]", INVALID)]);
}

#[test]
fn two_colons_for_one_group() {
    check_both(&[
        (
            "//[1:2:3:4:5:6:7::]",
            "authority:[1:2:3:4:5:6:7::] host:[1:2:3:4:5:6:7::](ipv6 1:2:3:4:5:6:7:0) path:",
        ),
        (
            "//[1:2:3::5:1.2.3.4]",
            "authority:[1:2:3::5:1.2.3.4] host:[1:2:3::5:1.2.3.4](ipv6 1:2:3::5:102:304) path:",
        ),
        ("//[1:2:3:4:5:6:7:8::]", INVALID),
    ]);
}

#[test]
fn java_javadoc() {
    check(
        Grammar::Java,
        &[
            ("mailto:java-net@www.example.com", "scheme:mailto opaque:java-net@www.example.com"),
            ("news:comp.lang.java", "scheme:news opaque:comp.lang.java"),
            ("urn:isbn:096139210x", "scheme:urn opaque:isbn:096139210x"),
            (
                "http://example.com/languages/java/",
                "scheme:http authority:example.com host:example.com(hostname) path:/languages/java/",
            ),
            ("sample/a/index.html#28", "path:sample/a/index.html fragment:28"),
            ("../../demo/b/index.html", "path:../../demo/b/index.html"),
            ("file:///~/calendar", "scheme:file path:/~/calendar"),
        ],
    );
}

#[test]
fn java_other_characters() {
    check(
        Grammar::Java,
        &[
            ("//é", "registry:é path:"),
            ("//é@h", "authority:é@h userinfo:é host:h(hostname) path:"),
            ("http://h/é?é#é", "scheme:http authority:h host:h(hostname) path:/é query:é fragment:é"),
            ("a:é", "scheme:a opaque:é"),
            ("é", "path:é"),
            ("é:", INVALID),
            ("//[::1%é]", INVALID),
            ("/\u{A0}", INVALID),
            ("/\u{2028}", INVALID),
            ("/\u{3000}", INVALID),
            ("/\u{FFFE}\u{E000}", "path:/\u{FFFE}\u{E000}"),
        ],
    );
    check(Grammar::Rfc2396, &[("//é", INVALID), ("/é", INVALID)]);
}

#[test]
fn rfc3987_section_3() {
    let examples = [
        (
            "http://résumé.example.org",
            "scheme:http authority:résumé.example.org host:résumé.example.org(reg-name) path:",
        ),
        (
            "http://www.example.org/red%09rosé#red",
            "scheme:http authority:www.example.org host:www.example.org(reg-name) path:/red%09rosé fragment:red",
        ),
        (
            "http://www.example.org/\u{10300}\u{10301}\u{10302}",
            "scheme:http authority:www.example.org host:www.example.org(reg-name) path:/\u{10300}\u{10301}\u{10302}",
        ),
        (
            "http://納豆.example.org/%E2%80%AE",
            "scheme:http authority:納豆.example.org host:納豆.example.org(reg-name) path:/%E2%80%AE",
        ),
    ];
    for grammar in [Grammar::Iri, Grammar::IriReference] {
        check(grammar, &examples);
    }
    for (record, _) in examples {
        check(Grammar::Uri, &[(record, INVALID)]);
    }
    // Section 3.2: these are URIs, and so IRIs.
    for grammar in [Grammar::Uri, Grammar::Iri] {
        check(
            grammar,
            &[
                (
                    "http://www.example.org/D%C3%BCrst",
                    "scheme:http authority:www.example.org host:www.example.org(reg-name) path:/D%C3%BCrst",
                ),
                (
                    "http://www.example.org/D%FCrst",
                    "scheme:http authority:www.example.org host:www.example.org(reg-name) path:/D%FCrst",
                ),
                (
                    "http://xn--99zt52a.example.org/%e2%80%ae",
                    "scheme:http authority:xn--99zt52a.example.org host:xn--99zt52a.example.org(reg-name) \
                     path:/%e2%80%ae",
                ),
            ],
        );
    }
}

#[test]
fn rfc3987_repertoire() {
    check(
        Grammar::IriReference,
        &[
            ("//é:ü@ñ/ß?ö#å", "authority:é:ü@ñ userinfo:é:ü host:ñ(reg-name) path:/ß query:ö fragment:å"),
            ("é:x", INVALID),
            ("./é:x", "path:./é:x"),
            // iprivate is allowed only in the query.
            ("?\u{E000}\u{F8FF}\u{F0000}\u{10FFFD}", "path: query:\u{E000}\u{F8FF}\u{F0000}\u{10FFFD}"),
            ("/\u{E000}", INVALID),
            ("#\u{E000}", INVALID),
            // Non-characters, and the characters between U+FFEF and U+10000, are allowed nowhere.
            ("?\u{FDD0}", INVALID),
            ("?\u{FFFE}", INVALID),
            ("?\u{FFF0}", INVALID),
            ("?\u{1FFFF}", INVALID),
            ("?\u{E0001}", INVALID),
            ("?\u{9F}", INVALID),
            ("?\u{A0}", "path: query:\u{A0}"),
            // Ports and IP literals remain ASCII.
            ("//h:٣", INVALID),
            ("//[v1.é]", INVALID),
        ],
    );
}

#[test]
fn rfc6874_zone_identifiers() {
    let records = [
        ("//[fe80::a%25en1]", "authority:[fe80::a%25en1] host:[fe80::a%25en1](ipv6 fe80::a) path:"),
        (
            "//u@[fe80::a%25%41~_]:8",
            "authority:u@[fe80::a%25%41~_]:8 userinfo:u host:[fe80::a%25%41~_](ipv6 fe80::a) port:8 path:",
        ),
        ("//[::1.2.3.4%25a]", "authority:[::1.2.3.4%25a] host:[::1.2.3.4%25a](ipv6 ::102:304) path:"),
    ];
    let invalid = [
        "//[fe80::a%en1]",
        "//[fe80::a%25]",
        "//[fe80::a%25a:b]",
        "//[fe80::a%25a%4]",
        "//[v1.a%25b]",
        "//[%25en1]",
        "//h%2",
    ];
    let zoned = |grammar| Validator::new(grammar).with_zone_ids().unwrap();
    check_by(zoned(Grammar::RelativeRef), &records);
    check_by(zoned(Grammar::RelativeRef), &invalid.map(|record| (record, INVALID)));
    check(Grammar::RelativeRef, &records.map(|(record, _)| (record, INVALID)));
    for grammar in [Grammar::Uri, Grammar::UriReference, Grammar::AbsoluteUri] {
        check_by(
            zoned(grammar),
            &[(
                "http://[fe80::a%25en1]/",
                "scheme:http authority:[fe80::a%25en1] host:[fe80::a%25en1](ipv6 fe80::a) path:/",
            )],
        );
    }
    for &grammar in Grammar::ALL {
        let knows = matches!(
            grammar,
            Grammar::Uri | Grammar::UriReference | Grammar::AbsoluteUri | Grammar::RelativeRef
        );
        assert_eq!(Validator::new(grammar).with_zone_ids().is_ok(), knows, "{grammar}");
    }
}

#[test]
fn rfc9112_section_3_2() {
    check(
        Grammar::RequestTarget,
        &[
            // 3.2.1, origin-form.
            ("/where?q=now", "path:/where query:q=now"),
            ("/", "path:/"),
            ("//h:x/a", "path://h:x/a"),
            ("/a?", "path:/a query:"),
            ("/a#f", INVALID),
            ("?q", INVALID),
            ("", INVALID),
            // 3.2.2, absolute-form.
            (
                "http://www.example.org/pub/WWW/TheProject.html",
                "scheme:http authority:www.example.org host:www.example.org(reg-name) path:/pub/WWW/TheProject.html",
            ),
            ("http://h/#f", INVALID),
            ("a:", "scheme:a path:"),
            ("a:b", "scheme:a path:b"),
            // 3.2.3, authority-form.
            ("www.example.com:80", "authority:www.example.com:80 host:www.example.com(reg-name) port:80"),
            ("192.0.2.1:443", "authority:192.0.2.1:443 host:192.0.2.1(ipv4 192.0.2.1) port:443"),
            ("[::1]:443", "authority:[::1]:443 host:[::1](ipv6 ::1) port:443"),
            ("[v1.x]:1", "authority:[v1.x]:1 host:[v1.x](ipvfuture) port:1"),
            ("%41:1", "authority:%41:1 host:%41(reg-name) port:1"),
            ("u@h:1", INVALID),
            (":80", INVALID),
            ("1h:", INVALID),
            ("[::1]", INVALID),
            ("[::1]:", INVALID),
            ("h", INVALID),
            // 3.2.4, asterisk-form.
            ("*", ""),
            ("**", INVALID),
            (
                "http://www.example.org:8001",
                "scheme:http authority:www.example.org:8001 host:www.example.org(reg-name) port:8001 path:",
            ),
        ],
    );
}

#[test]
fn absent_is_not_empty() {
    let parse = |record: &str| urivalidate::parse(Grammar::UriReference, record.as_bytes()).unwrap();
    let absent = parse("");
    assert_eq!((absent.scheme(), absent.authority(), absent.host()), (None, None, None));
    assert_eq!(
        (absent.userinfo(), absent.port(), absent.query(), absent.fragment()),
        (None, None, None, None)
    );
    assert_eq!((absent.path(), absent.host_kind(), absent.authority_kind()), (Some(0..0), None, None));
    let empty: Components = parse("a://@:?#");
    assert_eq!((empty.scheme(), empty.authority(), empty.host()), (Some(0..1), Some(4..6), Some(5..5)));
    assert_eq!((empty.userinfo(), empty.port()), (Some(4..4), Some(6..6)));
    assert_eq!((empty.path(), empty.query(), empty.fragment()), (Some(6..6), Some(7..7), Some(8..8)));
    assert_eq!(
        (empty.host_kind(), empty.authority_kind()),
        (Some(HostKind::RegName), Some(AuthorityKind::Server))
    );
}

#[test]
fn components_by_name_are_those_of_the_accessors() {
    use urivalidate::Component::*;
    let components = urivalidate::parse(Grammar::Uri, b"a://b@c:1/d?e#f").unwrap();
    for (component, range) in [
        (Scheme, components.scheme()),
        (Authority, components.authority()),
        (Userinfo, components.userinfo()),
        (Host, components.host()),
        (Port, components.port()),
        (Path, components.path()),
        (Query, components.query()),
        (Fragment, components.fragment()),
    ] {
        assert!(range.is_some());
        assert_eq!(components.get(component), range, "{component}");
    }
}
