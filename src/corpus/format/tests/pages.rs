//! HTML pages: samples, traps, and the same as a tokenizer that conforms to the standard.

use super::*;

pub(super) const SITE: &str = include_str!("../../../../corpora/logs/site.html");

fn page(input: &str) -> Vec<String> {
    texts(&case(Format::Html).run(input)).into_iter().map(str::to_owned).collect()
}

#[test]
fn a_page() {
    let found = case(Format::Html).detected(SITE).run(SITE);
    let expected = [
        (4, "/app.manifest", "/app.manifest"),
        (4, "http://a.example/p", "http://a.example/p"),
        (4, "http://b.example/p", "http://b.example/p"),
        (6, "https://www.example.com/docs/", "https://www.example.com/docs/"),
        (7, "/next page", "/next page"),
        (8, "/l?a=1&amp;b=2", "/l?a=1&b=2"),
        (8, "/s.png", "/s.png"),
        (8, "/b%zz.png", "/b%zz.png"),
        (10, "/s.js?a=1&copy=2", "/s.js?a=1&copy=2"),
        (11, "/b.png", "/b.png"),
        (11, "x y.png", "x y.png"),
        (12, "/un.quoted/", "/un.quoted/"),
        (12, "", ""),
        (12, "#top", "#top"),
        (12, "/p?1", "/p?1"),
        (13, "/p?2", "/p?2"),
        (13, "http://[bad", "http://[bad"),
        (15, "https://www.example.com/Annual Report.pdf", "https://www.example.com/Annual Report.pdf"),
        (16, "mailto:a@example.com", "mailto:a@example.com"),
        (16, "javascript:alert(&quot;x&quot;)", "javascript:alert(\\\"x\\\")"),
        (17, "data:image/gif;base64,R0lGODlhAQABAAAAACw=", "data:image/gif;base64,R0lGODlhAQABAAAAACw="),
        (17, "/a,b.png", "/a,b.png"),
        (17, "/c.png", "/c.png"),
        (17, "d.png", "d.png"),
        (17, "&#x2F;d&eacute;", "/d\\xc3\\xa9"),
        (18, "?q={x}", "?q={x}"),
        (18, "//h.example:80a/", "//h.example:80a/"),
        (18, "urn:isbn:0451450523", "urn:isbn:0451450523"),
        (19, "/o%2", "/o%2"),
        (19, "p.jpg", "p.jpg"),
        (19, "v.mp4", "v.mp4"),
        (20, "i.svg#a", "i.svg#a"),
        (20, "s", "s"),
        (21, "c.png", "c.png"),
        (21, "https://schema.example/A", "https://schema.example/A"),
        (21, "https://schema.example/B", "https://schema.example/B"),
        (22, "a&#32;b", "a b"),
        (23, "//t.example/pixel?x=1&y=2", "//t.example/pixel?x=1&y=2"),
    ];
    let lines: Vec<_> = SITE.lines().collect();
    let from = |line: u64, column: u64| &lines[line as usize - 1][column as usize - 1..];
    assert_eq!(found.records.len(), expected.len(), "{:?}", texts(&found));
    for (&(line, column, ref record), (expected_line, written, text)) in found.records.iter().zip(expected) {
        assert_eq!((line, record.as_str()), (expected_line, text));
        assert!(from(line, column).starts_with(written), "{written} at {line}:{column}");
    }
    let errors = [
        (7, " page'"),
        (8, "zz.png"),
        (11, " y.png"),
        (13, "\">y"),
        (15, " Report"),
        (16, "&quot;x"),
        (18, "{x}"),
        (18, "a/></"),
        (19, "\">"),
        (22, "&#32;b"),
    ];
    assert_eq!(found.errors.len(), errors.len(), "{:?}", found.errors);
    for (&(line, column), (expected_line, written)) in found.errors.iter().zip(errors) {
        assert_eq!(line, expected_line);
        assert!(from(line, column).starts_with(written), "{written} at {line}:{column}");
    }
    assert_eq!((found.count, found.malformed.clone()), (24, vec![(24, 0, Malformed::UnendedTag)]));
    assert_eq!(found.malformed_columns, [1]);
}

#[test]
fn what_is_a_page() {
    for text in [
        "<!DOCTYPE html>\n<p>",
        "<!doctype HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\">",
        "\u{feff} \n<html>",
        "<HTML lang=en>\n",
        "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<META HTTP-EQUIV=\"Content-Type\" CONTENT=\"text/html; charset=UTF-8\">\n<DL><p>\n",
        "<?xml version='1.0'?><!-- a > b -->\n<!DOCTYPE html>",
    ] {
        assert_eq!(Format::detect(text.as_bytes()), Format::Html, "{text}");
    }
    for text in
        ["<p>a</p>", "<htmlx>", "<!-- <html>", "<http://a.example/> <html>", "<?xml version='1.0'?><project>"]
    {
        assert_eq!(Format::detect(text.as_bytes()), Format::Lines, "{text}");
    }
    // On one line, however long it is.
    let long = format!("<html><a href=\"{}\">", "a/".repeat(100_000));
    assert_eq!(Format::detect(long.as_bytes()), Format::Html);
}

#[test]
fn text_is_no_markup() {
    for (text, urls) in [
        ("<!-- <a href=a> --><a href=b>", &["b"][..]),
        ("<!--><a href=a>", &["a"]),
        ("<!---><a href=a>", &["a"]),
        ("<!-- --!><a href=a><!-- - --><a href=b>", &["a", "b"]),
        ("<!----!><a href=a>", &["a"]),
        ("<!-- ----><a href=a>", &["a"]),
        ("<!-- <!--><a href=a>", &["a"]),
        ("<! <a href=a>--><a href=b>", &["b"]),
        ("<!a title='>' href=x><a href=b>", &["b"]),
        ("<? <a href=a>?><a href=b>", &["b"]),
        ("</ <a href=a><a href=b>", &["b"]),
        ("</><a href=a>", &["a"]),
        ("< a href=a><3 href=b><a href=c>", &["c"]),
        ("<<a href=a>", &["a"]),
        ("<title><a href=a></titles></TITLE ><a href=b>", &["b"]),
        ("<textarea></textarea/><a href=a>", &["a"]),
        ("<script><!--</script><a href=a>", &["a"]),
        ("<script><!--<script></script><a href=a></script><a href=b>", &["b"]),
        ("<script><!--<script>--></script><a href=a>", &["a"]),
        ("<script><!--<scripts></script><a href=a>", &["a"]),
        ("<script><!--><script></script><a href=a>", &["a"]),
        ("<script></script title='>'><a href=a>", &["a"]),
        ("<style><!--</style><a href=a>", &["a"]),
        ("<iframe src=a><a href=b></iframe><a href=c>", &["a", "c"]),
        ("<plaintext><a href=a></plaintext><a href=b>", &[]),
        ("<![CDATA[<a href=a>]]><a href=b>", &["b"]),
        ("<svg><![CDATA[<a href=a>]]></svg><a href=b>", &["b"]),
        ("<svg><script href=a /><a href=b></svg><script src=c /><a href=d>", &["b", "c"]),
        ("<noscript><a href=a></noscript>", &["a"]),
        ("<!-- <a href=a>", &[]),
        ("<!-", &[]),
        ("<", &[]),
        ("</a", &[]),
    ] {
        assert_eq!(page(text), urls, "{text}");
    }
}

/// Pages with SVG and MathML, each with the links that html5lib finds. `scripts/check-links foreign` compares
/// them with html5lib again.
const FOREIGN: &str = include_str!("../../../../corpora/pages/foreign.jsonl");

#[test]
fn raw_text_in_svg_and_mathml_is_markup() {
    let probes: Vec<serde_json::Value> =
        FOREIGN.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(probes.len() > 40);
    for probe in probes {
        let text = probe["text"].as_str().unwrap();
        let links: Vec<_> =
            probe["links"].as_array().unwrap().iter().map(|link| link.as_str().unwrap()).collect();
        assert_eq!(page(text), links, "{text}");
    }
    // In html5lib 1.1, these end tags do not end SVG yet.
    for text in ["<svg><g></p><title><a href=a></title>", "<svg></br><title><a href=a></title>"] {
        assert!(page(text).is_empty(), "{text}");
    }
}

#[test]
fn elements_of_svg_can_nest_deeply() {
    let deep =
        format!("{}<title><a href=a>{}<title><a href=b></title>", "<svg>".repeat(100), "</svg>".repeat(100));
    assert_eq!(page(&deep), ["a"]);
}

#[test]
fn images_that_browsers_drop_are_malformed() {
    let found = case(Format::Html).run(
        "<img srcset='a.png foo, b.png 2x'>\n<img srcset='Annual Report.png 2x'>\n<link imagesrcset='c.png 1x 2x, d.png'>\n<img srcset='e.png -1x'><source srcset='f|g.png 0w'>",
    );
    assert_eq!(texts(&found), ["b.png", "Annual Report.png", "d.png"]);
    assert_eq!(found.errors, [(2, 20)]);
    let bad = [1, 3, 4, 4].map(|line| (line, 0, Malformed::InvalidSrcset));
    assert_eq!((found.malformed, found.malformed_columns), (bad.to_vec(), vec![20, 29, 20, 49]));
}

#[test]
fn attributes_are_read_as_the_standard_reads_them() {
    for (text, urls) in [
        ("<a/href=a>", &["a"][..]),
        ("<a\nhref\n=\n'a'>", &["a"]),
        ("<a x=y/href=a><a x='y'href=b>", &["b"]),
        ("<a href=a/>", &["a/"]),
        ("<a href=a\"b'c=d`e<f>", &["a\\\"b\\'c=d`e<f"]),
        ("<a =href=a><a = href=b>", &["b"]),
        ("<a \"href=a><a x\"href=b>", &[]),
        ("<a href=a href=b HREF=c>", &["a"]),
        ("<a hReF=a>", &["a"]),
        ("<a href=><a href = >", &["", ""]),
        ("<a href='' href>", &[""]),
        ("<a href=&#x61;&amp;b&copy=c&copy>", &["a&b&copy=c\\xc2\\xa9"]),
        ("<b href=a><img href=b src=c><p style='x:url(d)' background=e>", &["c", "d"]),
        ("<meta content='0;url=a' http-equiv=refresh><meta content='0;url=b' http-equiv=x>", &["a"]),
        ("<meta http-equiv=x http-equiv=refresh content='0;url=a'>", &[]),
        ("<any-thing xlink:href=a itemid=b>", &["a", "b"]),
    ] {
        assert_eq!(page(text), urls, "{text}");
    }
}

#[test]
fn tags_and_urls_over_the_limit_are_malformed() {
    let limited = |input: &str| {
        let case = Case { max_record: 10, ..case(Format::Html) };
        let found = case.run(input);
        let malformed: Vec<_> = found
            .malformed
            .iter()
            .zip(&found.malformed_columns)
            .map(|(&(line, _, reason), &column)| (line, column, reason))
            .collect();
        (texts(&found).into_iter().map(str::to_owned).collect::<Vec<_>>(), malformed)
    };
    assert_eq!(
        limited("<a href=1234567890>\n<a href=12345678901 ping='12345678901 2'>"),
        (
            vec!["1234567890".to_owned(), "2".to_owned()],
            vec![(2, 9, Malformed::TooLong), (2, 27, Malformed::TooLong)]
        )
    );
    let long = "x".repeat(70_000);
    for (tag, urls) in [
        (format!("<a href=a title='{long}>'>"), vec!["b"]),
        (format!("<a href=a title={long} ><p>"), vec!["b"]),
        (format!("<a{long} href=a>"), vec!["b"]),
        // The element that it begins is text nevertheless.
        (format!("<style title='{long}'><a href=a></style>"), vec!["b"]),
        (format!("<script title='{long}'>'<a href=a>'</script>"), vec!["b"]),
    ] {
        let page = format!("\n <p></p>{tag}\n<a href=b>");
        let case = Case { max_record: 10, ..case(Format::Html) };
        let expected = case.extract_with(page.as_bytes(), 1 << 20, false).unwrap();
        assert_eq!((texts(&expected), expected.malformed.clone()), (urls, vec![(2, 0, Malformed::TooLong)]));
        assert_eq!(expected.malformed_columns, [9]);
        for chunk_size in [100, 4_000, 65_536] {
            assert_eq!(case.extract_with(page.as_bytes(), chunk_size, true).unwrap(), expected);
        }
    }
    let ended = format!("</p title='{long}'><a href=b>");
    let case = Case { max_record: 10, ..case(Format::Html) };
    let found = case.extract_with(ended.as_bytes(), 100, true).unwrap();
    assert_eq!((texts(&found), found.malformed.len()), (vec!["b"], 0));
}

#[test]
fn pages_name_their_charset() {
    use crate::corpus::format::kinds::html::charset;

    for (page, expected) in [
        ("<meta charset=utf-8>", Some("utf-8")),
        ("<title><meta charset=a></title><META name=x content='y'><meta ChArSeT=' b '>", Some("b")),
        ("<meta http-equiv=content-type content='text/html; charset=\"ISO-2022-JP\"'>", Some("ISO-2022-JP")),
        ("<meta content='text/html;CHARSET=x;y'><meta charset=z>", Some("x")),
        ("<meta charset=a charset=b>", Some("a")),
        ("<a charset=a><!-- <meta charset=b> -->", None),
        ("<meta content='charset='>", None),
        ("", None),
    ] {
        assert_eq!(charset::named(page.as_bytes()), expected.map(str::as_bytes), "{page}");
    }
    let far = format!("{}<meta charset=a>", " ".repeat(1_020));
    assert_eq!(charset::named(far.as_bytes()), None);
}

/// The first one counts from there on, in later chunks too.
#[test]
fn the_base_of_a_page_counts_from_there_on() {
    use crate::Page;

    let page = format!(
        "<a href=a><base href='{}'><base href=' /b&amp;'>\n<a href=c><base href=/d><p>{}</p><a href=e>",
        "x".repeat(101),
        "y".repeat(1_000)
    );
    let layout = Case { max_record: 100, ..case(Format::Html) }.layout;
    let validator = Validator::new(layout.grammar());
    for chunk_size in [1, 10, 100, 1 << 20] {
        let mut found = Vec::new();
        let job = |chunk: &crate::corpus::Chunk<'_>| {
            let mut chunk_scanner = ChunkScanner::default();
            let scanned = chunk_scanner.scan(chunk, &validator, Columns::ALL).unwrap();
            let base = |index| {
                let page: Option<Page<'_>> = scanned.page(index);
                assert!(page.is_none_or(|page| page.uri.is_none()));
                let base = page.and_then(|page| page.base).map(|base| base.escape_ascii().to_string());
                (scanned.record(index).unwrap().escape_ascii().to_string(), base)
            };
            (0..scanned.len()).map(base).collect::<Vec<_>>()
        };
        let scanner = Scanner::new().chunk_size(chunk_size).max_record(100).layout(layout.clone());
        let sink = |bases: Vec<_>| {
            found.extend(bases);
            ControlFlow::<()>::Continue(())
        };
        scanner.scan_slice(page.as_bytes(), job, sink).unwrap();
        let found: Vec<_> = found.iter().map(|(url, base)| (url.as_str(), base.as_deref())).collect();
        let based = Some("/b&");
        assert_eq!(
            found,
            [("a", None), ("/b&", None), ("c", based), ("/d", None), ("e", based)],
            "{chunk_size}"
        );
    }
}
