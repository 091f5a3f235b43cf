//! XML: samples of sitemaps and feeds, and traps.

use super::*;

pub(super) const SITEMAP: &str = include_str!("../../../../corpora/logs/sitemap.xml");
pub(super) const FEED: &str = include_str!("../../../../corpora/logs/feed.rss");

fn urls(input: impl AsRef<[u8]>) -> Vec<String> {
    texts(&case(Format::Xml).run(input)).into_iter().map(str::to_owned).collect()
}

#[track_caller]
fn stand_at(text: &str, found: &Extracted, expected: &[(u64, &str, &str)]) {
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(texts(found), expected.iter().map(|(.., text)| *text).collect::<Vec<_>>());
    for (&(line, column, _), &(expected_line, written, _)) in found.records.iter().zip(expected) {
        assert_eq!(line, expected_line, "{written}");
        let from = &lines[line as usize - 1][column as usize - 1..];
        assert!(from.starts_with(written), "{written} at {line}:{column}: {from}");
    }
}

#[test]
fn a_sitemap() {
    let found = case(Format::Xml).detected(SITEMAP).run(SITEMAP);
    stand_at(
        SITEMAP,
        &found,
        &[
            (6, "https://www.example.com/a", "https://www.example.com/a?b=1&c=2"),
            (7, "https://www.example.com/de", "https://www.example.com/de/a b"),
            (9, "https://images", "https://images.example.com/c d.png"),
            (11, "https://v.example/?a&b]", "https://v.example/?a&b"),
            (13, "/relative", "/relative"),
            (14, "https://www.example.com/?a=1&amp;b", "https://www.example.com/?a=1&b=2"),
            (15, "</s:loc>", ""),
            (16, "</s:url>", ""),
            (17, "https://www.example.com/<!", "https://www.example.com/d&e&f"),
            (18, "https://www.example.com/[g]", "https://www.example.com/[g]"),
            (19, "http://another", "http://another.example/"),
            (20, "http://no-namespace", "http://no-namespace.example/"),
        ],
    );
    assert!(found.malformed.is_empty());
    assert_eq!(found.count, 22);
    let detected = Layout::new(Format::Xml, &LayoutOptions::default()).unwrap();
    assert_eq!(detected.grammar(), Grammar::UriReference);
    assert_eq!(detected.start(SITEMAP.as_bytes()).grammar(), Grammar::Uri);
    assert_eq!(detected.start(FEED.as_bytes()).grammar(), Grammar::UriReference);
}

#[test]
fn a_feed() {
    let found = case(Format::Xml).detected(FEED).run(FEED);
    stand_at(
        FEED,
        &found,
        &[
            (2, "https://www.example.com/", "https://www.example.com/"),
            (5, "https://www.example.com/", "https://www.example.com/"),
            (6, "/feed.rss", "/feed.rss?a=1&b=2"),
            (7, "logo 1", "logo 1.png"),
            (7, "https://www.example.com/", "https://www.example.com/"),
            (10, "https://www.example.com/1", "https://www.example.com/1?a=1&b=2"),
            (13, "https://www.example.com/1#c", "https://www.example.com/1#comments"),
            (15, "https://www.example.com/1.mp3", "https://www.example.com/1.mp3?x=%zz"),
            (16, "//t.example", "//t.example/1.png"),
            (19, "https://www.example.com/2 3", "https://www.example.com/2 3"),
            (20, "https://s.example/", "https://s.example/"),
            (21, "x y", "x y"),
            (21, "i.png", "i.png"),
            (21, "j.png", "j.png"),
            (21, "k.png", "k.png"),
        ],
    );
    assert!(found.malformed.is_empty());
}

#[test]
fn what_is_a_feed_or_a_sitemap() {
    for text in [
        "<urlset>",
        "<?xml version='1.0'?>\n<!DOCTYPE rss [<!ENTITY a 'b'>]>\n<rss version=\"2.0\">",
        "\u{feff}<x:sitemapindex xmlns:x='http://www.sitemaps.org/schemas/sitemap/0.9'>",
        "<!-- a --><feed xmlns=\"http://www.w3.org/2005/Atom\"/>",
        "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns=\"http://purl.org/rss/1.0/\">",
        "<opml>",
    ] {
        assert_eq!(Format::detect(text.as_bytes()), Format::Xml, "{text}");
    }
    for text in [
        "<project>",
        "<?xml version='1.0'?>",
        "<urlset",
        "rss",
        "<feed xmlns='http://a.example/'>",
        "<!doctype html>",
    ] {
        assert_ne!(Format::detect(text.as_bytes()), Format::Xml, "{text}");
    }
}

#[test]
fn namespaces_count_by_their_uris() {
    for (text, expected) in [
        (
            "<a xmlns='http://www.w3.org/2005/Atom'><id>b</id><c xmlns='x'><id>d</id></c><id>e</id></a>",
            &["b", "e"][..],
        ),
        (
            "<a xmlns:p='http://www.w3.org/2005/Atom'><p:id>b</p:id><id>c</id><q xmlns:p='x'><p:id>d</p:id></q></a>",
            &["b"],
        ),
        ("<a xmlns:l='http://www.w3.org/1999/xlink'><b l:href='c' href='d'/></a>", &["c", "d"]),
        (
            "<a xmlns:l='http://www.w3.org/1999/xlink'><b l:href=' c\n d\r\n\te&#10;f '/></a>",
            &["c  d  e\\nf"],
        ),
        ("<a><b xml:base='c'/></a>", &["c"]),
        ("<rss><link>a</link><x:link xmlns:x='y'>b</x:link></rss>", &["a"]),
        ("<urlset><url><loc>a</loc></url></urlset>", &["a"]),
        (
            "<feed xmlns='http://www.w3.org/2005/Atom' xmlns:thr='http://purl.org/syndication/thread/1.0'>\
             <link rel='b'>a</link><link href='b'> </link><link href='c'/><link>d<![CDATA[e]]></link><link/>\
             <author><homepage>f</homepage></author><thr:in-reply-to ref='g' href='h' source='i' type='j'/></feed>",
            &["a", "b", "c", "de", "f", "g", "h", "i"],
        ),
        (
            "<rss xmlns:psc='http://podlove.org/simple-chapters' xmlns:m='http://search.yahoo.com/mrss/' \
             xmlns:i='http://www.itunes.com/DTDs/Podcast-1.0.dtd' \
             xmlns:l='http://backend.userland.com/creativeCommonsRssModule'><psc:chapter href='a' image='b'/>\
             <m:license href='c'>d</m:license><i:image url='e'/><l:license>f</l:license><license>g</license></rss>",
            &["a", "b", "c", "e", "f"],
        ),
    ] {
        assert_eq!(urls(text), expected, "{text}");
    }
}

#[test]
fn what_is_no_xml_is_malformed() {
    for (text, line, column, reason, expected) in [
        ("<rss><link>a</link>\n<link>b</url></rss>", 2, 8, Malformed::NotXml, &["a", "b"][..]),
        ("<rss>\n<link>a</link>", 2, 15, Malformed::Unended, &["a"]),
        ("<rss><link>a</link><link>b", 1, 27, Malformed::Unended, &["a"]),
        ("<rss><link>a</link><link", 1, 20, Malformed::Unended, &["a"]),
        ("<rss><link>a</link><!-- b", 1, 26, Malformed::Unended, &["a"]),
        ("<rss><link>a</link><b c></b></rss>", 1, 24, Malformed::NotXml, &["a"]),
        ("<rss><link>a</link></rss>x<link>b</link>", 1, 26, Malformed::NotXml, &["a"]),
        ("text <rss>", 1, 1, Malformed::NotXml, &[]),
        ("<rss><link>a</link><!x></rss>", 1, 20, Malformed::NotXml, &["a"]),
        ("</rss>", 1, 1, Malformed::NotXml, &[]),
    ] {
        let found = case(Format::Xml).run(text);
        assert_eq!(texts(&found), expected, "{text}");
        assert_eq!(
            (found.malformed, found.malformed_columns),
            (vec![(line, 0, reason)], vec![column]),
            "{text}"
        );
    }
    // The URL is one nevertheless.
    for text in [
        "<rss><link>/?a&b</link></rss>",
        "<rss><source url='/?a&b'/></rss>",
        "<rss><link>/?a&#0;b</link></rss>",
        "<rss><link>/?a&#xFFFE;b</link></rss>",
        "<rss><link>/?a&b<![CDATA[&]]></link></rss>",
    ] {
        let found = case(Format::Xml).run(text);
        assert_eq!(found.records.len(), 1, "{text}");
        assert_eq!(found.malformed, [(1, 0, Malformed::BadReference)], "{text}");
    }
    assert_eq!(case(Format::Xml).run("<rss><link>/?a&b</link></rss>").malformed_columns, [15]);
    let deep = format!("<rss><link>a</link>{}", "<b>".repeat(1024));
    assert_eq!(case(Format::Xml).run(&deep).malformed, [(1, 0, Malformed::TooDeep)]);
    let many: String = (0..1025).map(|n| format!(" xmlns:a{n}='http://www.w3.org/2005/Atom'")).collect();
    assert_eq!(case(Format::Xml).run(format!("<rss{many}/>")).malformed, [(1, 0, Malformed::TooDeep)]);
}

#[test]
fn other_charsets_have_the_same_places() {
    let text = b"<?xml version='1.0' encoding='windows-1252'?><rss><title>\xE9\x93</title><link>http://a.example/\xE9</link></rss>";
    let found = case(Format::Xml).run(text);
    assert_eq!(found.records, [(1, 74, "http://a.example/\\xe9".to_owned())]);
}

#[test]
fn what_is_over_the_limit_is_passed_over() {
    let long = "x".repeat(80_000);
    let text = format!(
        "<rss><link>a</link><!-- {long} --><link>b</link><t><![CDATA[{long}]]></t><?p {long}?><link>c</link><t>{long}</t>\n\
         <link>{long}</link><link>d</link></rss>"
    );
    let case = Case { max_record: 10, ..case(Format::Xml) };
    for size in [100, 1 << 14, 1 << 20] {
        for is_read in [false, true] {
            let found = case.extract_with(text.as_bytes(), size, is_read).unwrap();
            assert_eq!(texts(&found), ["a", "b", "c", "d"], "{size}");
            assert_eq!(found.malformed, [(2, 0, Malformed::TooLong)], "{size}");
        }
    }
    let tag = format!("<rss><link>a</link><b c='{long}'/><link>d</link></rss>");
    for size in [100, 1 << 14] {
        let found = case.extract_with(tag.as_bytes(), size, true).unwrap();
        assert_eq!(texts(&found), ["a"], "{size}");
        assert_eq!(found.malformed, [(1, 0, Malformed::TooLong)], "{size}");
    }
}

#[test]
fn namespaces_count_by_host_and_path() {
    for uri in [
        "http://www.sitemaps.org/schemas/sitemap/0.9",
        "https://www.sitemaps.org/schemas/sitemap/0.9",
        "http://www.sitemaps.org/schemas/sitemap/0.9/",
        "http://sitemaps.org/schemas/sitemap/0.9",
        "HTTP://WWW.Sitemaps.org/schemas/sitemap/0.9",
        " http://www.sitemaps.org/schemas/sitemap/0.9 ",
        "http://www.google.com/schemas/sitemap/0.84",
        "http://www.google.com/schemas/sitemap/0.9",
        "&#104;ttp://www.sitemaps.org/schemas/sitemap/0.9",
    ] {
        let text = format!("<urlset xmlns='{uri}'><url><loc>a b</loc></url></urlset>");
        assert_eq!(urls(&text), ["a b"], "{uri}");
        assert_eq!(Format::detect(text.as_bytes()), Format::Xml, "{uri}");
    }
    let other = "<urlset xmlns='http://a.example/sitemaps.org/schemas/sitemap/0.9'><loc>a b</loc></urlset>";
    assert_eq!(urls(other), Vec::<String>::new());
    let extensions = "<urlset xmlns:i='https://www.google.com/schemas/sitemap-image/1.1' \
                      xmlns:h='https://www.w3.org/1999/xhtml/'><i:loc>a</i:loc><h:link href='b'/></urlset>";
    assert_eq!(urls(extensions), ["a", "b"]);
}

#[test]
fn faults_are_reported_and_the_rest_is_read() {
    use Malformed::{
        BadReference, ForbiddenCharacter, IllFormed, LateDeclaration, RepeatedAttribute, UndeclaredPrefix,
    };

    for (fault, column, reason) in [
        ("&nbsp;", 6, BadReference),
        ("<b c='a & b'/>", 14, BadReference),
        ("<x:b/>", 7, UndeclaredPrefix),
        ("<b x:c=''/>", 9, UndeclaredPrefix),
        ("<b c='1' d='2' c='3'/>", 21, RepeatedAttribute),
        ("<b c='1'd='2'/>", 14, IllFormed),
        ("<b xmlns:x='u' xmlns:y='u' x:c='' y:c=''/>", 40, RepeatedAttribute),
        ("<b xmlns:x=''/>", 9, IllFormed),
        ("<x:y:z xmlns:x='u'/>", 7, IllFormed),
        ("<x:- xmlns:x='u'/>", 7, IllFormed),
        ("<b xmlns:-='u'/>", 9, IllFormed),
        ("a ]]> b", 8, IllFormed),
        ("<!-- a - b ---- c -->", 17, IllFormed),
        ("<?xml version='1.0'?>", 6, LateDeclaration),
        ("<!DOCTYPE a>", 6, LateDeclaration),
        ("\u{1}", 6, ForbiddenCharacter),
        ("<!-- \u{FFFE} -->", 11, ForbiddenCharacter),
        ("<b c='\u{B}'/>", 12, ForbiddenCharacter),
    ] {
        let found = case(Format::Xml).run(format!("<rss>{fault}<link>a b</link></rss>"));
        assert_eq!(found.malformed, [(1, 0, reason)], "{fault}");
        assert_eq!(found.malformed_columns, [column], "{fault}");
        assert_eq!(texts(&found), ["a b"], "{fault}");
    }
    let found = case(Format::Xml).run(b"<rss>\xE9<link>a</link></rss>");
    assert_eq!((found.malformed, found.malformed_columns), (vec![(1, 0, ForbiddenCharacter)], vec![6]));
    let found = case(Format::Xml).run(" <?xml version='1.0'?><rss><link>a</link></rss>");
    assert_eq!((found.malformed, found.malformed_columns), (vec![(1, 0, LateDeclaration)], vec![2]));
    // A prefix that is not declared stands for what it usually does.
    let found = case(Format::Xml).run("<urlset><image:loc>a b</image:loc></urlset>");
    assert_eq!(texts(&found), ["a b"]);
    assert_eq!(found.malformed, [(1, 0, UndeclaredPrefix)]);
    // Several faults in a tag and its text come in their order.
    let found = case(Format::Xml).run("<rss><link\nx:a='&b;' x:a=''>\n&c;<!-- -- -->&d;\n</link>\u{1}</rss>");
    let reasons: Vec<_> = found.malformed.iter().map(|&(line, _, reason)| (line, reason)).collect();
    assert_eq!(
        reasons,
        [
            (2, UndeclaredPrefix),
            (2, BadReference),
            (2, RepeatedAttribute),
            (2, UndeclaredPrefix),
            (3, BadReference),
            (3, IllFormed),
            (3, BadReference),
            (4, ForbiddenCharacter),
        ]
    );
}

/// The verdicts of libxml2 2.14 about documents, written as `escape_ascii` writes them.
const VERDICTS: &str = include_str!("xml_verdicts.txt");

#[test]
fn documents_are_well_formed_for_libxml2_and_for_this_library() {
    let (mut accepted, mut refused) = (0, 0);
    for line in VERDICTS.lines() {
        let (verdict, text) = line.split_once(' ').unwrap();
        let text = html_oracle::unescaped(text);
        let found = case(Format::Xml).run(&text);
        assert_eq!(found.malformed.is_empty(), verdict == "accepts", "{line}: {:?}", found.malformed);
        *if verdict == "accepts" { &mut accepted } else { &mut refused } += 1;
    }
    assert!(accepted > 100 && refused > 100);
}

#[test]
fn declared_entities_are_undone() {
    let with = |entities: &str, rest: &str| format!("<!DOCTYPE rss [{entities}]><rss>{rest}</rss>");
    let rdf = "<!DOCTYPE rdf:RDF [<!ENTITY rdf 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'><!ENTITY e 'http://e.example/'>]>\n\
               <rdf:RDF xmlns:rdf='&rdf;'><x rdf:about='&e;a b'/><x rdf:resource=' &e;&amp;c'/></rdf:RDF>";
    stand_at(
        rdf,
        &case(Format::Xml).run(rdf),
        &[(2, "&e;a b", "http://e.example/a b"), (2, "&e;&amp;c", "http://e.example/&c")],
    );
    for (entities, url, reason) in [
        ("<!ENTITY e SYSTEM 'f'>", "&e;a", Malformed::UnreadEntity),
        ("<!ENTITY e '<b/>'>", "a<![CDATA[b]]>&e;", Malformed::UnreadEntity),
        ("<!ENTITY e '&e;'>", "&e;", Malformed::BadReference),
        ("<!ENTITY d 'a'>", "&e;", Malformed::BadReference),
    ] {
        let found = case(Format::Xml).run(with(entities, &format!("<link>{url}</link>")));
        assert_eq!(reasons(&found), [(1, reason)], "{entities} {url}");
    }
    let long = format!("<!ENTITY e '{}'>", "x".repeat(300));
    assert_eq!(
        reasons(&case(Format::Xml).run(with(&long, "<link>&e;</link>"))),
        [(1, Malformed::UnreadEntity)]
    );
    // Declarations elsewhere may have any entity.
    let found = case(Format::Xml).run("<!DOCTYPE rss SYSTEM 'a'><rss>&nbsp;<link>a</link></rss>");
    assert_eq!((texts(&found), reasons(&found)), (vec!["a"], vec![]));
    let found = case(Format::Xml).run("<!DOCTYPE a [<!ATTLIST a xmlns:p CDATA #FIXED 'u'>]><a><p:b/></a>");
    assert!(found.malformed.is_empty());
}

#[test]
fn unknown_vocabularies_are_read_by_the_attributes_of_links() {
    let text = "<project xmlns='http://a.example/' xmlns:s='http://www.w3.org/2001/XMLSchema-instance' \
                s:schemaLocation='\n http://b.example/\n c d'><url>e</url><x href='f' src='g' s:noNamespaceSchemaLocation='h'/></project>";
    assert_eq!(urls(text), ["http://b.example/", "c", "d", "f", "g", "h"]);
    // Elements without a namespace are not those of feeds.
    assert_eq!(urls("<a><link>b c</link><comments>d e</comments></a>"), Vec::<String>::new());
    // In a feed, other attributes are no links.
    assert_eq!(urls("<rss><link href='a'/><x href='b' src='c'/></rss>"), ["a"]);
}

#[test]
fn elements_that_lack_their_url() {
    let index = "<sitemapindex><sitemap><loc>a</loc></sitemap><sitemap>\n b c\n</sitemap><sitemap> </sitemap></sitemapindex>";
    assert_eq!(urls(index), ["a", "b c"]);
    let set =
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url>a b<loc>c</loc></url></urlset>";
    assert_eq!(urls(set), ["a b", "c"]);
    assert_eq!(urls("<feed><link href='a|b'/><link></link></feed>"), ["a|b", ""]);
}

mod oracle {
    //! The URLs of documents, against those that quick-xml finds.

    use proptest::collection::vec;
    use proptest::sample::select;
    use quick_xml::events::Event;
    use quick_xml::{Reader, XmlVersion};

    use super::*;

    /// The URLs by the oracle, up to the first place where it does not go on.
    fn oracle(text: &str) -> Option<Vec<String>> {
        let mut reader = Reader::from_str(text);
        let mut urls = Vec::new();
        // The text of an open `link`.
        let mut link: Option<String> = None;
        loop {
            match reader.read_event().ok()? {
                Event::Start(tag) | Event::Empty(tag) if tag.name().as_ref() == "x" => {
                    for attribute in tag.attributes() {
                        let attribute = attribute.ok()?;
                        if attribute.key.as_ref() == "xml:base" {
                            let value = attribute.normalized_value(XmlVersion::Implicit1_0).ok()?;
                            urls.push(value.trim_ascii().to_owned());
                        }
                    }
                    link = None;
                }
                Event::Empty(tag) => {
                    urls.extend((tag.name().as_ref() == "link").then(String::new));
                    link = None;
                }
                Event::Start(tag) => {
                    link = (tag.name().as_ref() == "link").then(String::new);
                }
                Event::End(_) => urls.extend(link.take().map(|text| text.trim_ascii().to_owned())),
                Event::Text(text) => {
                    if let Some(link) = &mut link {
                        link.push_str(&text);
                    }
                }
                Event::CData(text) => {
                    if let Some(link) = &mut link {
                        link.push_str(&text);
                    }
                }
                Event::GeneralRef(reference) => {
                    let char = match reference.as_ref() {
                        "amp" => '&',
                        "lt" => '<',
                        _ => reference.resolve_char_ref().ok()??,
                    };
                    if let Some(link) = &mut link {
                        link.push(char);
                    }
                }
                Event::Eof => return Some(urls),
                _ => {}
            }
        }
    }

    /// Pieces of documents. Some are whole, so that most documents are well-formed.
    const PIECES: [&str; 26] = [
        "<link>",
        "</link>",
        "<link >a b</link\n>",
        "<link>a&amp;b</link>",
        "<link> <![CDATA[c&d]]> </link>",
        "<link>e<!-- - > --><?p ?>f</link>",
        "<link>&#x20;g&#65;</link>",
        "<x xml:base=' h\n i'/>",
        "<x a='>' xml:base=\"j'&lt;\" b='/>'/>",
        "<x/>",
        "<y>",
        "</y>",
        "<y a='b'>",
        "<!-- <link>no</link> -->",
        "<![CDATA[<link>no</link>]]>",
        "<?p <link>no</link>?>",
        "text",
        "]]",
        "\n",
        "&amp;",
        "\u{e9}",
        "<link/>",
        "\t",
        "'",
        "\"",
        ">",
    ];

    proptest! {
        #![proptest_config(ProptestConfig { cases: cases(8_000), failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn documents_have_the_urls_that_another_parser_finds(
            // Some documents are longer than a window of marks.
            before in prop_oneof![Just(0), 1_950..2_050_usize],
            pieces in vec(select(&PIECES[..]), 1..14),
            chunk_size in 1..100_usize,
        ) {
            let text = format!("<rss>{}{}</rss>", "x".repeat(before), pieces.concat());
            let case = case(Format::Xml);
            let found = case.extract_with(text.as_bytes(), 1 << 20, false).unwrap();
            prop_assert_eq!(&case.extract_with(text.as_bytes(), chunk_size, true).unwrap(), &found, "{:?}", text);
            // After a fault, the parsers differ.
            if found.malformed.is_empty() {
                let written: Vec<String> =
                    found.records.iter().map(|(.., url)| String::from_utf8(html_oracle::unescaped(url)).unwrap()).collect();
                prop_assert_eq!(Some(written), oracle(&text), "{:?}", text);
            }
        }
    }
}
