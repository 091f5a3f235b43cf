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
        ("<a xmlns:l='http://www.w3.org/1999/xlink'><b l:href='c' href='d'/></a>", &["c"]),
        (
            "<a xmlns:l='http://www.w3.org/1999/xlink'><b l:href=' c\n d\r\n\te&#10;f '/></a>",
            &["c  d  e\\nf"],
        ),
        ("<a><b xml:base='c'/></a>", &["c"]),
        ("<rss><link>a</link><x:link xmlns:x='y'>b</x:link></rss>", &["a"]),
        ("<urlset><url><loc>a</loc></url></urlset>", &["a"]),
    ] {
        assert_eq!(urls(text), expected, "{text}");
    }
}

#[test]
fn what_is_no_xml_is_malformed() {
    for (text, line, column, reason, expected) in [
        ("<rss><link>a</link>\n<link>b</url></rss>", 2, 8, Malformed::NotXml, &["a"][..]),
        ("<rss>\n<link>a</link>", 2, 15, Malformed::Unended, &["a"]),
        ("<rss><link>a</link><link>b", 1, 27, Malformed::Unended, &["a"]),
        ("<rss><link>a</link><link", 1, 20, Malformed::Unended, &["a"]),
        ("<rss><link>a</link><!-- b", 1, 20, Malformed::Unended, &["a"]),
        ("<rss><link>a</link><b c></b></rss>", 1, 20, Malformed::NotXml, &["a"]),
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
    // Readers of XML stop there; the URL is one nevertheless.
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
    let long = "x".repeat(200_000);
    let text = format!(
        "<rss><link>a</link><!-- {long} --><link>b</link><t><![CDATA[{long}]]></t><?p {long}?><link>c</link><t>{long}</t>\n\
         <link>{long}</link><link>d</link></rss>"
    );
    let case = Case { max_record: 10, ..case(Format::Xml) };
    for size in [1, 100, 1 << 14, 1 << 20] {
        for is_read in [false, true] {
            let found = case.extract_with(text.as_bytes(), size, is_read).unwrap();
            assert_eq!(texts(&found), ["a", "b", "c", "d"], "{size}");
            assert_eq!(found.malformed, [(2, 0, Malformed::TooLong)], "{size}");
        }
    }
    let tag = format!("<rss><link>a</link><b c='{long}'/><link>d</link></rss>");
    for size in [1, 100, 1 << 14] {
        let found = case.extract_with(tag.as_bytes(), size, true).unwrap();
        assert_eq!(texts(&found), ["a"], "{size}");
        assert_eq!(found.malformed, [(1, 0, Malformed::TooLong)], "{size}");
    }
}
