//! Markdown: a sample, traps, and the same destinations as the parser's.

use proptest::collection::vec;
use proptest::sample::select;
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag};

use super::*;

pub(super) const GUIDE: &str = include_str!("../../../../corpora/logs/guide.md");

fn links(input: &str) -> Vec<String> {
    texts(&case(Format::Markdown).run(input)).into_iter().map(str::to_owned).collect()
}

#[test]
fn a_guide() {
    let found = case(Format::Markdown).run(GUIDE);
    let expected = [
        (4, "https://www.example.com/a", "https://www.example.com/a"),
        (6, "/b%20c", "/b%20c"),
        (6, "e f.html", "e f.html"),
        (6, "h_(i)", "h_(i).html"),
        (6, "k\\*l", "k*l.png"),
        (6, ")", ""),
        (6, "?a=1&amp;b", "?a=1&b=2\\xc2\\xa9"),
        (7, "q r.html", "q r.html"),
        (7, "t u.png", "t u.png"),
        (7, "http://[bad", "http://[bad"),
        (7, "https://w.example/x y", "https://w.example/x y"),
        (8, "https://www.example.com/z.", "https://www.example.com/z."),
        (8, "mailto:a@", "mailto:a@example.com"),
        (8, "b@example.com", "mailto:b@example.com"),
        (8, "https://c.example/", "https://c.example/d_e_(f)"),
        (8, "www.g.example", "http://www.g.example/h%zz"),
        (9, "http://i.example/", "http://i.example/"),
        (9, "http://j.example/", "http://j.example/"),
        (11, "r.png", "r.png"),
        (11, "s.html", "s.html"),
        (13, "https://u.example/v", "https://u.example/v"),
        (14, "w x.png", "w x.png"),
        (15, "again.html", "again.html"),
        (25, "html.html", "html.html?a=1&b=2"),
        (25, "f.html", "f.html"),
        (27, "h.html", "h.html"),
        (28, "i j.png", "i j.png"),
        (30, "l.html", "l.html"),
        (32, "o\\|p.html", "o|p.html"),
        (34, "q.png", "q.png"),
        (35, "r%.html", "r%.html"),
        (40, "https://t.example/u", "https://t.example/u"),
        (40, "w x.html", "w x.html"),
    ];
    let lines: Vec<_> = GUIDE.lines().collect();
    assert_eq!(texts(&found), expected.map(|(_, _, text)| text));
    for (&(line, column, _), (expected_line, written, _)) in found.records.iter().zip(expected) {
        assert_eq!(line, expected_line, "{written}");
        let from = &lines[line as usize - 1][column as usize - 1..];
        assert!(from.starts_with(written), "{written} at {line}:{column}");
    }
    assert_eq!(found.count, 40);
    assert!(found.malformed.is_empty());
}

/// Texts with bare links, each with the links that cmark-gfm finds. `scripts/check-links bare` compares them
/// with cmark-gfm again.
const BARE: &str = include_str!("../../../../corpora/markdown/bare.jsonl");

#[test]
fn bare_links_are_those_of_github() {
    let probes: Vec<serde_json::Value> =
        BARE.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(probes.len() > 40);
    for probe in probes {
        let text = probe["text"].as_str().unwrap();
        let expected: Vec<_> =
            probe["links"].as_array().unwrap().iter().map(|link| link.as_str().unwrap()).collect();
        let expected: Vec<_> =
            expected.iter().map(|link| link.as_bytes().escape_ascii().to_string()).collect();
        assert_eq!(links(text), expected, "{text}");
    }
}

#[test]
fn bare_links_in_brackets_are_records_nonetheless() {
    for (text, expected) in [
        ("[see https://e.example/a|b] c", &["https://e.example/a|b"][..]),
        ("[https://e.example/a] [https://e.example/[b]]", &["https://e.example/a", "https://e.example/[b]"]),
        ("[a `b` https://e.example/c`d`e", &["https://e.example/c"]),
        (
            "[a] https://e.example/b]c\n\n[d\n\nhttps://e.example/e]f",
            &["https://e.example/b]c", "https://e.example/e]f"],
        ),
    ] {
        assert_eq!(links(text), expected, "{text}");
    }
}

#[test]
fn autolinks_have_references_and_no_escapes() {
    for (text, expected) in [
        (
            "<http://a.example/?b&amp;c> <http://a.example/&amp;amp;&copy=1>",
            &["http://a.example/?b&c", "http://a.example/&amp;&copy=1"][..],
        ),
        (
            "<http://a.example/\\*b> <http://a.example/&#38;\\&amp;>",
            &["http://a.example/\\\\*b", "http://a.example/&\\\\&"],
        ),
        ("<ab:c&#32;d>", &["ab:c d"]),
    ] {
        assert_eq!(links(text), expected, "{text}");
    }
}

#[test]
fn broken_links_have_code_in_their_text() {
    for (text, expected) in [
        ("[`a`](b c.html) [d `e` f](g h.html)", &["b c.html", "g h.html"][..]),
        ("[a](https://e.example/b `c` d) e", &["https://e.example/b `c` d"]),
        ("[`a`] b](c d)", &[]),
    ] {
        assert_eq!(links(text), expected, "{text}");
    }
}

#[test]
fn broken_links_go_on_over_the_end_of_a_link_around_them() {
    for (text, expected) in [
        ("[[](s:]()o", ["s:]()o", ""]),
        ("![[](s:]()o", ["s:]()o", ""]),
        ("[[](s:](http://a.example/)", ["s:](http://a.example/)", "http://a.example/"]),
        ("[[](s:](http://a.example/)o p", ["s:](http://a.example/)o p", "http://a.example/"]),
    ] {
        assert_eq!(links(text), expected, "{text}");
    }
}

#[test]
fn nothing_in_code_is_a_link() {
    for text in [
        "`[a](b)` ``http://a.example/``",
        "    [a](b)\n    http://a.example/\n",
        "```\n[a](b)\n\n[c]: d\n```\n",
        "~~~\n<a href=b>\n",
        "- a\n\n      [b](c)\n",
        "---\na: http://b.example/\n---\n",
        "+++\na = \"http://b.example/\"\n+++\n",
        "\\[a](b)",
        "\\[a](b d)",
        "- \\[a](b d)",
        "<!-- [a](b) http://a.example/ -->",
        "[a] [b][c] ![d]",
        "[http://a.example/ b](c)",
    ] {
        assert!(links(text).iter().all(|link| link == "c"), "{text}: {:?}", links(text));
    }
}

#[test]
fn links_have_places() {
    for (text, expected) in [
        ("> [a](\n> b)", &["b"][..]),
        ("> [a](<b\\\n> c>)", &[]),
        ("* [a](b 'c\n  d') [e](f)", &["b", "f"]),
        ("[a]:\n  b\n  'c\n d'\n", &["b"]),
        ("> [a]: <b c>\n>\n> x\n", &["b c"]),
        ("- [a]: b\nc [d](e)\n- [f]: g\n  [h]: i\nj", &["b", "e", "g", "i"]),
        ("[```\n- [<]:> \n[", &[">"]),
        ("[a]: b\n[a]: c\n[A]:   d 'e'\n\n[a]\n", &["b", "c", "d"]),
        ("[a][b]\n\n[b]: c\n", &["c"]),
        ("![a ![b](c) [d](e)](f)", &["c", "e", "f"]),
        ("[a ![b](c d)](e)", &["c d", "e"]),
        ("<a\nhref='b c'>", &["b c"]),
        ("> <a\n> href='b'> <x>\n> <img src=c>", &["b", "c"]),
        ("> <div>\n> <a\n> href=b>\n", &["b"]),
        ("# [a](b) http://c.example/ #\n", &["b", "http://c.example/"]),
        ("[a](b)\r\n[c](d\r\n'e')\r\n", &["b", "d"]),
        ("\u{feff}[a](b)", &["b"]),
        (
            "é [é](é \"ü\") http://é.example/ http://e.example/é",
            &["\\xc3\\xa9", "http://\\xc3\\xa9.example/", "http://e.example/\\xc3\\xa9"],
        ),
        ("[a](b \\'c d)", &["b \\'c d"]),
        ("~~http://a.example/~~ **http://b.example/c**", &["http://a.example/", "http://b.example/c"]),
        ("- [ ] [a](b)\n- [x] http://c.example/\n", &["b", "http://c.example/"]),
        ("[a](b)[c](d e)`f`[g](h i)", &["b", "d e", "h i"]),
        ("", &[]),
    ] {
        assert_eq!(links(text), expected, "{text}");
    }
    // Bytes that are no UTF-8.
    let found = case(Format::Markdown).run(b"\xE9 [\xE9](a\xE9b) <http://c.example/\xFF>");
    assert_eq!(texts(&found), ["a\\xe9b", "http://c.example/\\xff"]);
}

#[test]
fn html_that_does_not_end_is_malformed() {
    let found = case(Format::Markdown).run("<div\nclass=a\n\n[b](c)\n");
    assert_eq!(found.malformed, [(1, 0, Malformed::UnendedTag)]);
    assert_eq!(texts(&found), ["c"]);
}

#[test]
fn a_block_over_the_limit_is_passed_over() {
    let long = format!("[a](b)\n\n{}\n\n    c\n\n[d](e)\n\n- [f](g)\n", "[x](y) ".repeat(20_000));
    let case = Case { max_record: 10, ..case(Format::Markdown) };
    for size in [1, 100, 1 << 14, 1 << 20] {
        for is_read in [false, true] {
            let found = case.extract_with(long.as_bytes(), size, is_read).unwrap();
            assert_eq!(texts(&found), ["b", "e", "g"], "{size}");
            assert_eq!(found.malformed, [(3, 0, Malformed::TooLong)], "{size}");
            assert_eq!(found.records.iter().map(|record| record.0).collect::<Vec<_>>(), [1, 7, 9]);
        }
    }
    let found = case.run("[a](0123456789a) [b](0123456789)");
    assert_eq!(texts(&found), ["0123456789"]);
    assert_eq!(found.malformed, [(1, 0, Malformed::TooLong)]);
}

/// The destinations of links by the parser, but for those that a definition has.
fn of_parser(text: &str) -> Vec<String> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM;
    let parser = Parser::new_ext(text, options);
    let mut all: Vec<_> =
        parser.reference_definitions().iter().map(|(_, definition)| definition.dest.to_string()).collect();
    for event in parser {
        if let Event::Start(Tag::Link { link_type, dest_url, .. } | Tag::Image { link_type, dest_url, .. }) =
            event
        {
            match link_type {
                LinkType::Inline => all.push(dest_url.to_string()),
                // The parser keeps references in autolinks.
                LinkType::Autolink if dest_url.contains('&') => {}
                LinkType::Autolink => all.push(dest_url.to_string()),
                LinkType::Email => all.push(format!("mailto:{dest_url}")),
                _ => {}
            }
        }
    }
    all
}

/// Pieces of blocks and links, and bytes that end them.
const PIECES: [&str; 57] = [
    "[",
    "](",
    ")",
    "]",
    "![",
    "<",
    ">",
    "(",
    "]:",
    "]: ",
    "a",
    "b c",
    "/d.html",
    "http://e.example/",
    "www.f.example",
    "\\",
    "\\)",
    "&amp;",
    "&copy",
    "&#32;",
    "\"",
    "'",
    " \"t\")",
    "`",
    "``",
    "```\n",
    "~~~\n",
    "\n",
    "\n\n",
    "\n    ",
    "\n  ",
    "\n> ",
    "> ",
    "- ",
    "1. ",
    "# ",
    "---\n",
    "***\n",
    "| ",
    " |\n|---|\n",
    "*",
    "_",
    "~~",
    "<a href=\"",
    "\">",
    "</a>",
    "<!--",
    "-->",
    "<div>\n",
    "<img src=g>",
    "é",
    "\t",
    "[^1]",
    "[^1]: ",
    "mailto:h@i",
    "](s:",
    "\r\n",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(3_000)))]

    /// Each destination that the parser finds is a record, whatever the text is, and wherever it is cut.
    #[test]
    fn links_are_those_of_the_parser(pieces in vec(select(&PIECES[..]), 0..30), chunk_size in 1..60_usize) {
        let text = pieces.concat();
        let case = case(Format::Markdown);
        let found = case.extract_with(text.as_bytes(), 1 << 20, false).unwrap();
        let mut records: Vec<_> = texts(&found).into_iter().map(str::to_owned).collect();
        for destination in of_parser(text.strip_prefix('\u{feff}').unwrap_or(&text)) {
            let written = destination.as_bytes().escape_ascii().to_string();
            let at = records.iter().position(|record| *record == written);
            // Metadata is no text. The parser knows no bare links, so it finds links and code that start in
            // them.
            let is_in_bare = records.iter().any(|record| record.contains(['[', '`']));
            let may_lack = text.starts_with("---") || is_in_bare;
            prop_assert!(at.is_some() || may_lack, "{written:?} in {text:?}: {records:?}");
            at.map(|at| records.swap_remove(at));
        }
        prop_assert_eq!(&case.extract_with(text.as_bytes(), chunk_size, true).unwrap(), &found);
    }
}
