//! Tests of the ends of URIs in texts: the syntax around a URI decides. A broken URI is never cut to a valid
//! shorter one.

use super::*;

/// Tests that these texts have these records. A `!` precedes invalid ones. Each record starts at the next
/// `http` of the text.
#[track_caller]
fn assert_found(rows: &[(&str, &[&str])]) {
    let validator = Validator::new(Grammar::Uri);
    for &(text, expected) in rows {
        let found = case(Format::Text).run(text);
        let mark = |record: &str| if validator.is_valid(record.as_bytes()) { "" } else { "!" };
        let marked: Vec<_> =
            texts(&found).into_iter().map(|record| format!("{}{record}", mark(record))).collect();
        assert_eq!(marked, expected, "{text}");
        let mut from = 0;
        for &(line, column, _) in &found.records {
            from += text[from..].find("http").unwrap();
            let (before, after) = (&text[..from], text[..from].rfind('\n').map_or(0, |end| end + 1));
            let place = (before.matches('\n').count() as u64 + 1, (from - after) as u64 + 1);
            assert_eq!((line, column), place, "{text}");
            from += 4;
        }
    }
}

#[test]
fn in_prose_a_word_is_the_record() {
    assert_found(&[
        ("see https://e.org/a|b.", &["!https://e.org/a|b"]),
        (r"see https://e.org/a\b, then", &[r"!https://e.org/a\\b"]),
        ("GET https://e.org/c|d HTTP/1.1", &["!https://e.org/c|d"]),
        ("https://e.org/a`b {c}", &["!https://e.org/a`b"]),
        ("https://e.org/a-``b https://e.org/c-``d", &["!https://e.org/a-``b", "!https://e.org/c-``d"]),
        // A quote in a URI opens no string, so the backslash after it is no escape.
        (
            r#"<https://e.org/~"a>, <https://e.org/b\nc>"#,
            &[r#"!https://e.org/~\"a"#, r"!https://e.org/b\\nc"],
        ),
        ("https://e.org/a}b https://e.org/c]d", &["!https://e.org/a}b", "!https://e.org/c]d"]),
        // A closing bracket that nothing opens is a byte of a URI.
        ("https://e.org/a)b|c https://e.org/d)e", &["!https://e.org/a)b|c", "https://e.org/d)e"]),
        (
            "https://e.org/a\u{2013}b https://e.org/c\u{2013}",
            &[r"!https://e.org/a\xe2\x80\x93b", "https://e.org/c"],
        ),
        // Nothing but punctuation follows.
        (
            r"https://e.org/a| https://e.org/b\. https://e.org/c`)",
            &["https://e.org/a", "https://e.org/b", "https://e.org/c"],
        ),
        (r"curl https://e.org/a \", &["https://e.org/a"]),
        (r"curl https://e.org/a\?b\=c", &[r"!https://e.org/a\\?b\\=c"]),
        (r"regex ^https://e\.org/b$", &[r"!https://e\\.org/b$"]),
        ("https://e.org/a<br>b https://e.org/c\"d", &["https://e.org/a", "https://e.org/c"]),
    ]);
}

#[test]
fn a_counterpart_ends_a_record() {
    assert_found(&[
        ("(see https://e.org/a|b)", &["!https://e.org/a|b"]),
        ("(see https://e.org/a)b [https://e.org/c]d", &["https://e.org/a", "https://e.org/c"]),
        ("`curl https://e.org/a`s", &["https://e.org/a"]),
        ("| https://e.org/a|b | x |", &["https://e.org/a"]),
        ("|x|https://e.org/a|y|", &["https://e.org/a"]),
        ("x | https://e.org/a|y", &["https://e.org/a"]),
        ("https://e.org/a|label", &["!https://e.org/a|label"]),
        (
            "{{cite|url=https://e.org/a|title=x}} {{x|url = https://e.org/b}}c",
            &["https://e.org/a", "https://e.org/b"],
        ),
        (
            "[https://e.org/a text] [[https://e.org/b|label]] [https://e.org/c|x]",
            &["https://e.org/a", "https://e.org/b", "!https://e.org/c|x"],
        ),
        ("(https://e.org/a text) {https://e.org/b text}", &["https://e.org/a", "https://e.org/b"]),
        ("“https://e.org/a b” «https://e.org/c|d»e", &["!https://e.org/a b", "!https://e.org/c|d"]),
        ("“see https://e.org/a”b", &["https://e.org/a"]),
    ]);
}

#[test]
fn white_space_at_the_end_is_no_part_of_a_record() {
    assert_found(&[
        (
            r#""https://e.org/a\n" "https://e.org/b\r\n" "https://e.org/c\t", "https://e.org/d ""#,
            &["https://e.org/a", "https://e.org/b", "https://e.org/c", "https://e.org/d"],
        ),
        (
            "'https://e.org/a ' <https://e.org/b > (https://e.org/c )",
            &["https://e.org/a", "https://e.org/b", "https://e.org/c"],
        ),
        (
            r"print('https://e.org/a\n') b'https://e.org/b\n' `https://e.org/c\n`",
            &["https://e.org/a", "https://e.org/b", "https://e.org/c"],
        ),
        (
            r"print('see https://e.org/a.\n') x(`see https://e.org/b\n`)",
            &["https://e.org/a", "https://e.org/b"],
        ),
        (r#""https://e.org/8.\n" "https://e.org/10\\n""#, &["https://e.org/8.", r"!https://e.org/10\\n"]),
        (r#"u = "https://e.org/a\n""#, &["https://e.org/a"]),
        (r#"printf("\x1b[1msee https://e.org/a\x1b[0m\n")"#, &["https://e.org/a"]),
    ]);
}

#[test]
fn a_string_literal_is_one_container() {
    assert_found(&[
        (r#"{"m":"see https:\/\/e.org\/a|b"}"#, &["!https://e.org/a|b"]),
        (r#"{"m":"see https://e.org/?a=1\u0026b=2 now"}"#, &["https://e.org/?a=1&b=2"]),
        (r#"{"m":"https://e.org/?a=1\u0026b=2"}"#, &["https://e.org/?a=1&b=2"]),
        (
            r#"{"m":"<a href=\"https:\/\/e.org\/a b\">x<\/a> https:\/\/e.org\/c"}"#,
            &["!https://e.org/a b", "https://e.org/c"],
        ),
        (r#"{"m":"<a href=\"https:\/\/e.org\/?a=1&amp;b\">"}"#, &["https://e.org/?a=1&b"]),
        (r#"{"m":"line\nhttps:\/\/e.org\/a\nhttps:\/\/e.org\/b"}"#, &["https://e.org/a", "https://e.org/b"]),
        (
            r#"{"m":"https:\u002f\u002fe.org\u002fa"} {"m":"https\u003a\/\/e.org"}"#,
            &["https://e.org/a", "https://e.org"],
        ),
        (r#"{"m":"{\"n\":\"see https:\\\/\\\/e.org\\\/a|b\"}"}"#, &["!https://e.org/a|b"]),
        (
            r#"{"m":"see https://e.org/1, https:\/\/e.org\/2 and https://e.org/3"}"#,
            &["https://e.org/1", "https://e.org/2", "https://e.org/3"],
        ),
        (
            r"var x = 'https:\/\/e.org\/a'; f('see https:\/\/e.org\/b c')",
            &["https://e.org/a", "https://e.org/b"],
        ),
        (r#"{"html":"<img src='https:\/\/e.org\/a b.png'>"}"#, &["!https://e.org/a b.png"]),
        (
            r#""https://e.org/a\nhttps://e.org/b\n" "https://e.org/a\nb" "https://e.org/c\nhttps://e.org/d e""#,
            &[
                "https://e.org/a",
                "https://e.org/b",
                r"!https://e.org/a\nb",
                "https://e.org/c",
                "!https://e.org/d e",
            ],
        ),
        // Pieces of strings, and regular expressions.
        (r"log: url=https:\/\/e.org\/a\/b, s/^https:\/\/e\.org//", &["https://e.org/a/b"]),
        (r"5\u0022 https://e.org/a \u003chttps://e.org/b\u003e", &["https://e.org/a", "https://e.org/b"]),
        // In HTML, a backslash is no escape.
        (r#"<a href="https://e.org/a\/b">"#, &[r"!https://e.org/a\\/b"]),
        (r#"<script>u = "https:\/\/e.org\/a";</script>"#, &["https://e.org/a"]),
    ]);
}

#[test]
fn braces_of_tex_and_values_of_cef_delimit() {
    assert_found(&[
        (
            r"\href{https://e.org/a b}{t} \url{https://e.org/c|d}",
            &["!https://e.org/a b", "!https://e.org/c|d"],
        ),
        (
            r"\href{https://e.org/c\_d\%20e\#f}{t} \href[x]{https://e.org/?x\&y}",
            &["https://e.org/c_d%20e#f", "https://e.org/?x&y"],
        ),
        (
            r"\href{https://e.org/g\~{}h}{t} \url{https://e.org/a\textasciitilde b{\_}c}",
            &["https://e.org/g~h", "https://e.org/a~b_c"],
        ),
        (
            r"  url = {https://e.org/a\_b c}, howpublished = {\url{https://e.org/d\&e}},",
            &["!https://e.org/a_b c", "https://e.org/d&e"],
        ),
        (r"  note = {https://e.org/a, accessed 2026},", &["https://e.org/a"]),
        (r"\footnote{https://e.org/a and more} {https://e.org/b c}", &["https://e.org/a", "https://e.org/b"]),
        (
            r"CEF:0|V|P|1|1|W|3|src=192.0.2.1 request=https://e.org/a?x\=1&y\=2 requestMethod=GET",
            &["https://e.org/a?x=1&y=2"],
        ),
        (r"<1>h CEF:0|V|P|1|1|W|3|request=https://e.org/a b|c cs1=x", &["!https://e.org/a b|c"]),
        (
            r"CEF:0|V|P|1|1|W|3|msg=see https://e.org/a?b\=c, x request=https://e.org/d",
            &["https://e.org/a?b=c", "https://e.org/d"],
        ),
        (r"msg=https://e.org/a?b\=c act=x", &[r"!https://e.org/a?b\\=c"]),
        (
            "src: url(https://e.org/a b.png) curl(https://e.org/c d)",
            &["!https://e.org/a b.png", "https://e.org/c"],
        ),
    ]);
}

#[test]
fn a_scheme_in_bibtex_may_have_escapes() {
    for value in [r"{h\_ttp://e.org/a\_b}", r#""h\_ttp://e.org/a\_b""#, r#"" h\_ttp://e.org/a\_b ""#] {
        let text = format!("  url = {value},\n");
        assert_eq!(texts(&case(Format::Text).run(&text)), ["h_ttp://e.org/a_b"], "{text}");
    }
}

#[test]
fn texts_of_asciidoc_and_rst() {
    assert_found(&[
        (
            "https://e.org[] https://e.org/a[a text] https://e.org/b[text].",
            &["https://e.org", "https://e.org/a", "https://e.org/b"],
        ),
        (
            "https://e.org/b[1] https://e.org/?c[] https://e.org/d[e]/f https://e[f].org https://u@[::1]/",
            &[
                "!https://e.org/b[1]",
                "!https://e.org/?c[]",
                "!https://e.org/d[e]/f",
                "!https://e[f].org",
                "https://u@[::1]/",
            ],
        ),
        (
            "https://e.org/a_[b_[c]] https://e.org/d[e](f) https://e.org/g[]()h",
            &["!https://e.org/a_[b_[c]]", "!https://e.org/d[e](f)", "!https://e.org/g[]()h"],
        ),
        ("https://e.org/?a=b[c] link:https://e.org/?d[e]", &["https://e.org/?a=b", "https://e.org/?d"]),
        (
            "= Title\n\nhttps://e.org/a[text^,role=x] image::https://e.org/b.png[c]",
            &["https://e.org/a", "https://e.org/b.png"],
        ),
        ("link:++https://e.org/a b++[c]", &["!https://e.org/a b"]),
        ("`text <https://e.org/a b>`_ .. _x: https://e.org/c", &["!https://e.org/a b", "https://e.org/c"]),
    ]);
}

#[test]
fn documents_of_asciidoc_and_rst_have_links() {
    for (format, document, lines) in [
        (
            Format::Asciidoc,
            include_str!("../../../../corpora/logs/guide.adoc"),
            &[1, 2, 3, 5, 5, 5, 5, 6, 6, 6, 7, 7, 8, 8, 8, 10, 19][..],
        ),
        (
            Format::Rst,
            include_str!("../../../../corpora/logs/guide.rst"),
            &[4, 4, 4, 5, 5, 5, 7, 8, 10, 11, 13, 14, 25],
        ),
    ] {
        let found = case(format).detected(document).run(document);
        assert_eq!(found.records.iter().map(|(line, ..)| *line).collect::<Vec<_>>(), lines, "{format}");
    }
}

/// No limit but that of the line ends a search for a counterpart.
#[test]
fn long_uris_are_taken_whole() {
    let long = format!("https://e.org/{}", "a".repeat(10_000));
    for (format, before, after) in [
        (Format::Text, "<link>", "&amp;b</link>"),
        (Format::Text, "“", " b”"),
        (Format::Text, "url(", " b)"),
        (Format::Text, "link:++", " b++[c]"),
        (Format::Text, "see ", " (b)"),
        (Format::Asciidoc, "link:", "[b]"),
        (Format::Asciidoc, "see link:++", " b++[c]"),
        (Format::Rst, ".. _a: ", " b"),
        (Format::Rst, "`a <", ">`_"),
    ] {
        let text = format!("{before}{long}{after}");
        let found = case(format).run(&text);
        let end = match after {
            "&amp;b</link>" => "&b",
            " (b)" | "[b]" | ">`_" => "",
            _ => " b",
        };
        assert_eq!(texts(&found), [format!("{long}{end}")], "{before}");
    }
}
