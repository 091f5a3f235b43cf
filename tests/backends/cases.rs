//! Records of every kind, which keep and break each rule of each grammar. None contains an LF.

/// The records.
#[rustfmt::skip]
pub(crate) const CASES: &[&[u8]] = &[
    // The empty record, and very short ones.
    b"", b"a", b"a:", b":", b"/", b"//", b"///", b"?", b"#", b"??", b"##", b"?#", b"*", b"**", b".", b"..", b"./", b"../", b" ",
    b"\t", b"\0", b"\r", b"\r\r", b"-", b"+", b"1", b"%", b"@", b"[", b"]", b"[]", b"\xFF", b"\xC3\xA9",
    // The examples of RFC 3986 section 1.1.2, and of section 3.
    b"ftp://ftp.is.co.za/rfc/rfc1808.txt", b"http://www.ietf.org/rfc/rfc2396.txt", b"ldap://[2001:db8::7]/c=GB?objectClass?one",
    b"mailto:John.Doe@example.com", b"news:comp.infosystems.www.servers.unix", b"tel:+1-816-555-1212",
    b"telnet://192.0.2.16:80/", b"urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
    b"foo://example.com:8042/over/there?name=ferret#nose", b"urn:example:animal:ferret:nose",
    // The bytes of typical lists.
    b"http://example.com", b"http://example.com/", b"https://www.example.com/a/b/c.html", b"https://example.com/search?q=a+b&r=%20#top",
    b"HTTP://EXAMPLE.COM/%7Euser/", b"https://example.com/2024/01/31/some-long-title-of-an-article-that-goes-on-and-on/index.html",
    b"http://example.com:80/", b"http://example.com:8080?x", b"http://user@example.com/", b"http://user:pw@example.com:1/x?y#z",
    b"data:text/plain;charset=UTF-8;page=21,the%20data:1234,5678", b"file:///etc/hosts", b"file:/etc/hosts", b"file://localhost/x",
    b"about:blank", b"javascript:void(0)", b"tag:example.com,2024:x", b"geo:48.2,16.4", b"magnet:?xt=urn:btih:c12fe1c06bba254a",
    b"http://example.com/x[]=1", b"http://example.com/?x[]=1", b"http://example.com/#x[]=1", b"http://example.com/a b", b"http://example.com/{id}",
    b"http://example.com/a|b", b"http://example.com/a\\b", b"http://example.com/<a>", b"http://example.com/\"a\"", b"http://example.com/`a^",
    b"www.example.com/x", b"www.example.com:80/x", b"example.com", b"://example.com/", b"http//example.com/", b"http:/example.com/",
    b"http:example.com", b"http:", b"http:/", b"http://", b"http:///", b"http:////x", b"http://?", b"http://#", b"http://?#",
    // Schemes.
    b"a:b", b"A:b", b"z9+-.:b", b"a+b:c", b"1a:b", b"+a:b", b"-a:b", b".a:b", b"a_b:c", b"a%41:c", b"a@b:c", b"a/b:c", b"a?b:c", b"a#b:c",
    b"a b:c", b"a~:c", b"a!:c", b"a*:c", b"\xC3\xA9:c", b"a\xC3\xA9:c", b"http\t:x", b"averyveryverylongschemethatgoesoverablockofsixtyfourbytesandthenabitmore:x",
    // Authorities: userinfo.
    b"a://@", b"a://@h", b"a://u@", b"a://u@h", b"a://u:@h", b"a://:p@h", b"a://u:p:q@h", b"a://u%40v@h", b"a://u@v@h", b"a://u@@h",
    b"a://u/v@h", b"a://u?v@h", b"a://u#v@h", b"a://u[@h", b"a://u;v=w&x@h", b"a://u@h:1", b"a://u%4@h", b"a://u%@h", b"a://\xC3\xA9@h", b"a://u @h",
    b"//u@h", b"//u@h:2/p", b"//@:", b"//:@", b"a://user:pass@word@host/",
    // Authorities: hosts.
    b"a://h", b"a://h.", b"a://h..", b"a://.h", b"a://h.i.j", b"a://-h", b"a://h-", b"a://h-i", b"a://h_i", b"a://h~i", b"a://h!$&'()*+,;=", b"a://%41",
    b"a://h%2Ei", b"a://h%zz", b"a://h%", b"a://h%4", b"a://h i", b"a://h\\i", b"a://h|i", b"a://\xC3\xA9.example", b"a://1", b"a://1a", b"a://a1", b"a://a.1",
    b"a://1.a", b"a://a.1a", b"a://a.-b", b"a://a-.b", b"a://a.b-", b"a://1.2.3", b"a://1.2.3.4", b"a://1.2.3.4.", b"a://1.2.3.4.5", b"a://255.255.255.255",
    b"a://256.1.1.1", b"a://01.2.3.4", b"a://001.2.3.4", b"a://0001.2.3.4", b"a://1.2.3.a", b"a://1..2.3", b"a://1.2.3.4:80/", b"a://1.2.3.4a/",
    b"//1", b"//1a", b"//h", b"//h/", b"//h?", b"//h#", b"//a_b", b"//-a", b"//a..b", b"//h+i", b"//h$i,j", b"//h;i",
    // Authorities: hosts that are names in the DNS, and hosts that hardly differ from them.
    b"http://a_b/", b"http://a..b", b"http://a.b..", b"http://.a/", b"http://-a.b/", b"http://a.-b/", b"http://a-.b?", b"http://a.b-/", b"http://a+b#c", b"http://a+.b", b"http://--/", b"http://a--b.c/",
    b"http://xn--e1afmkfd.xn--p1ai/", b"http://1a.2b/", b"http://1.a", b"ws://a.-b", b"//a.-b", b"ftp://a.b.", b"http://-.a", b"http://-", b"http://a.-.b", b"http://a.1-2.b/",
    b"http://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.b/", b"http://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.b/", b"http://a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.b/", b"http://a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.bc/",
    // Authorities: ports.
    b"a://h:", b"a://h:/", b"a://h:?", b"a://h:#", b"a://h:0", b"a://h:00080", b"a://h:65536", b"a://h:2147483647", b"a://h:2147483648", b"a://h:99999999999999999999",
    b"a://h:8o", b"a://h:80 ", b"a://h:-1", b"a://h:+1", b"a://h:%30", b"a://h:8:0", b"a://h::", b"a://h::80", b"a://:80", b"a://:", b"//h:x", b"//h:", b"//:",
    b"//h:80", b"//h:80?x", b"//h:80#x", b"a://h:\xD9\xA1",
    // Authorities: addresses in brackets.
    b"a://[::]", b"a://[::1]", b"a://[1::]", b"a://[1:2:3:4:5:6:7:8]", b"a://[1:2:3:4:5:6:7::]", b"a://[::2:3:4:5:6:7:8]", b"a://[1:2:3:4:5:6:7:8:9]", b"a://[1:2:3:4:5:6:7]",
    b"a://[::1:2:3:4:5:6:7:8]", b"a://[1::2::3]", b"a://[:1]", b"a://[1:]", b"a://[12345::]", b"a://[g::]", b"a://[::1.2.3.4]", b"a://[::256.2.3.4]", b"a://[::01.2.3.4]",
    b"a://[::0001.2.3.4]", b"a://[1:2:3:4:5:6:1.2.3.4]", b"a://[1:2:3:4:5:6:7:1.2.3.4]", b"a://[::1.2.3]", b"a://[::1.2.3.4.5]", b"a://[::1.2.3.4:5]", b"a://[::ffff:1.2.3.4]:80/x",
    b"a://[ABCD:ef01::2]", b"a://[v1.a]", b"a://[V1.a]", b"a://[vF.a:b]", b"a://[v.a]", b"a://[v1.]", b"a://[v1a]", b"a://[vg.a]", b"a://[v1.a@]", b"a://[v1.\xC3\xA9]", b"a://[]",
    b"a://[::1", b"a://::1]", b"a://[::1]x", b"a://[::1]:", b"a://[::1]:80", b"a://[::1]:x", b"a://[::1]80", b"a://u@[::1]", b"a://u@[::1]:1/", b"a://[[::1]]", b"a://[::1]/[", b"a://[::1]?]",
    b"a://[::1]@h", b"a://[fe80::1%25en0]", b"a://[fe80::1%25]", b"a://[fe80::1%25a%41]", b"a://[fe80::1%25a%4]", b"a://[fe80::1%en0]", b"a://[fe80::1%1]", b"a://[fe80::1%]", b"a://[fe80::1%25e n]",
    b"//[::1]", b"//[::1]:80/p", b"//[::1", b"[::1]:80", b"[::1]", b"[::1]:", b"[v1.a]:1",
    // Paths.
    b"a:/", b"a:/b", b"a:b/c", b"a:b//c", b"a://h//", b"a://h/b:c@d", b"a:b:c", b"a:@", b"a::", b"a:::", b"a:%41", b"a:%", b"a:%4", b"a:%4g", b"a:%g4", b"a:%%41", b"a:%41%42%43", b"a:/%", b"a:/%f",
    b"a:[", b"a:b[", b"a:]", b"a:/[", b"a:;b", b"a:;", b"a:.", b"a:..", b"a:./b", b"/a", b"/a/", b"/a:b", b"a/b", b"a/b:c", b"./a:b", b"a;b", b";a", b"a=b", b"a,b", b"a%41", b"a%", b"%41", b"%41:b",
    b"/%41", b"/a//b", b"//a//b", b"///a", b"////a", b"/\xC3\xA9", b"\xC3\xA9/", b"/a[b", b"/a b", b"/a\tb", b"/a\rb", b"/a\x7Fb", b"/a\x1Fb", b"a~b", b"a'b", b"(a)", b"!", b"$", b"&", b"'", b"=",
    // Queries and fragments.
    b"a:?", b"a:?b", b"a:b?", b"a:b?c?d", b"a:b?c/d:e@f", b"a:/b?c", b"a:/b?c#d", b"a:b#", b"a:b#c", b"a:#", b"a:#b", b"a:?#", b"a:b#c?d", b"a:b#c/d", b"a:b#c#d", b"a:b##", b"a:b?c#d#e", b"a:b#[", b"a:b?[",
    b"a:b?%41", b"a:b?%4", b"a:b?%", b"a:b#%41", b"a:b#%4", b"a:b#%", b"a:b?c d", b"a:b#c d", b"a:b?{", b"a:b#{", b"a:b?\xC3\xA9", b"a:b#\xC3\xA9", b"?a", b"?a#b", b"#a", b"#a#b", b"?a?b", b"?[]", b"#[]",
    b"/?a", b"/#a", b"/a?b#c", b"a?b", b"a#b", b"a?b:c", b"a?b#c:d", b"//?a", b"//#a", b"//h?a/b", b"//h#a/b", b"//h?a:b@c", b"//h/a?b#c", b"/a?%", b"/a#%", b"/a?b c",
    // Sequences of three bytes that start with `%` and are not escapes.
    b"http://h/%GG", b"http://h/%A", b"http://h/%0", b"http://h/%1g", b"http://h/% 1", b"http://h/%\xC3\xA9", b"http://h/%-1", b"http://h/%%%", b"http://h/%25%", b"http://h/%u00e9", b"%%", b"%4%41",
    // Characters beyond ASCII: the ends of the ranges of RFC 3987, characters that java.net.URI rejects,
    // ill-formed UTF-8.
    b"http://h/\xC2\xA0", b"http://h/\xC2\xA1", b"http://h/\xC2\x80", b"http://h/\xE1\x9A\x80", b"http://h/\xE2\x80\x80", b"http://h/\xE2\x80\xA8", b"http://h/\xE3\x80\x80", b"http://h/\xED\x9F\xBF",
    b"http://h/\xEE\x80\x80", b"http://h/?\xEE\x80\x80", b"http://h/#\xEE\x80\x80", b"http://h/\xEF\xB7\x8F", b"http://h/\xEF\xB7\x90", b"http://h/\xEF\xBF\xBD", b"http://h/\xEF\xBF\xBE", b"http://h/\xF0\x90\x80\x80",
    b"http://h/\xF0\x9F\x98\x80", b"http://h/\xF0\x9F\xBF\xBE", b"http://h/\xF3\xA0\x80\x81", b"http://h/\xF3\xA1\x80\x80", b"http://h/?\xF3\xB0\x80\x80", b"http://h/\xF4\x8F\xBF\xBD", b"http://h/?\xF4\x8F\xBF\xBE",
    b"http://h/\xC3", b"http://h/\xA9", b"http://h/\xC0\x80", b"http://h/\xE0\x80\x80", b"http://h/\xED\xA0\x80", b"http://h/\xF4\x90\x80\x80", b"http://h/\xF8\x88\x80\x80\x80", b"http://h/\xE2\x82", b"http://h/\xF0\x9F\x98",
    b"http://\xE4\xBE\x8B\xE3\x81\x88.\xE3\x83\x86\xE3\x82\xB9\xE3\x83\x88/\xE3\x83\x91\xE3\x82\xB9?\xE3\x82\xAF#\xE3\x83\x95", b"http://\xC3\xA9:80/", b"http://u\xC3\xA9@h/", b"\xC3\xA9?\xC3\xA9#\xC3\xA9", b"mailto:\xC3\xA9",
    // Opaque parts.
    b"a:b?c[", b"a:?b", b"a:;", b"a:b/c?d#e", b"a:%41b", b"a:b c", b"a:b|c", b"urn:isbn:0451450523", b"mailto:a@b.c?subject=d", b"news:x", b"x:y#", b"x:#", b"x:y#z#",
    // Request targets.
    b"/where?q=now", b"*?", b"/*", b"http://www.example.org/pub/WWW/TheProject.html", b"www.example.com:80", b"www.example.com:", b"www.example.com:x", b":80", b"h:80/", b"1.2.3.4:443", b"a%41:443", b"u@h:80", b"//h:80", b"/a?b?c", b"/a#",
];

#[test]
fn cases_are_of_every_kind() {
    use urivalidate::{AuthorityKind, Component, Components, ErrorKind, Grammar, HostKind, parse};

    for &grammar in Grammar::ALL {
        let parsed = || CASES.iter().map(|case| parse(grammar, case));
        let valid = parsed().filter(Result::is_ok).count();
        assert!((30..CASES.len() - 30).contains(&valid), "{valid} are valid as {grammar}");
        for &component in Component::ALL {
            let has = |components: Components| components.get(component).is_some();
            let expected = match grammar {
                Grammar::AbsoluteUri | Grammar::RequestTarget => component != Component::Fragment,
                Grammar::RelativeRef => component != Component::Scheme,
                _ => true,
            };
            assert_eq!(parsed().flatten().any(has), expected, "{component} in {grammar}");
        }
    }
    let all = || Grammar::ALL.iter().flat_map(|&grammar| CASES.iter().map(move |case| parse(grammar, case)));
    for &kind in ErrorKind::ALL {
        // The parsers do not make the other kinds.
        let expected = !matches!(kind, ErrorKind::RecordTooLong | ErrorKind::Truncated);
        assert_eq!(all().filter_map(Result::err).any(|error| error.kind() == kind), expected, "{kind}");
    }
    for &kind in HostKind::ALL {
        assert!(all().flatten().any(|components| components.host_kind() == Some(kind)), "{kind}");
    }
    for &kind in AuthorityKind::ALL {
        assert!(all().flatten().any(|components| components.authority_kind() == Some(kind)), "{kind}");
    }
}
