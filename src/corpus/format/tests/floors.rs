//! The share of lines and of values that a format needs to be detected, for every format.

use super::*;

/// Formats that detection finds by other things than half of the lines: by a document's start, by a name, by
/// more lines, or never.
const OTHERS: [Format; 18] = [
    Format::Lines,
    Format::Wat,
    Format::Warc,
    Format::Regex,
    Format::Delimited,
    Format::Html,
    Format::Xml,
    Format::Markdown,
    Format::Text,
    Format::Json,
    Format::Har,
    Format::Robots,
    Format::Mdx,
    Format::Quarto,
    Format::Mail,
    Format::Nt,
    Format::Asciidoc,
    Format::Rst,
];

/// Returns lines of a format with these values, after its header.
fn lines_of(format: Format, values: impl Iterator<Item = &'static str>) -> (String, Vec<String>) {
    let [header, before, after] = format.example();
    (header.to_owned(), values.map(|value| format!("{before}{value}{after}")).collect())
}

/// Returns a value that the format's field holds.
fn value_of(format: Format) -> &'static str {
    let grammar = Layout::new(format, &LayoutOptions::default()).unwrap().grammar();
    if grammar == Grammar::RequestTarget { "/a" } else { "http://a.example/b" }
}

#[test]
fn half_of_the_lines_decide_for_a_format() {
    let formats = Format::ALL.iter().filter(|format| !OTHERS.contains(format));
    let mut tried = 0;
    for &format in formats {
        if Layout::new(format, &LayoutOptions::default()).is_err() {
            continue;
        }
        tried += 1;
        let of = |fits: usize, others: usize| {
            let (header, lines) = lines_of(format, std::iter::repeat_n(value_of(format), fits));
            header + &lines.concat() + &"some words of no format\n".repeat(others)
        };
        // A header fits, too. If it starts with a `#`, it is not one of the lines that have to fit.
        let [header, ..] = format.example();
        let header = header.lines().count() * if header.starts_with('#') { 2 } else { 1 };
        for fits in [4, 10, 90] {
            assert_eq!(Format::detect(of(fits, fits + header).as_bytes()), format, "{format} {fits}");
            assert_ne!(Format::detect(of(fits, fits + header + 1).as_bytes()), format, "{format} {fits}");
            // Blank lines and comments do not count.
            let spaced = of(fits, fits) + &"\n# a comment\n".repeat(fits);
            let is_in_head = spaced.lines().count() <= 200;
            assert!(!is_in_head || Format::detect(spaced.as_bytes()) == format, "{format} {fits}");
        }
    }
    assert!(tried >= 12, "{tried}");
}

#[test]
fn half_of_the_values_decide_for_a_format() {
    for &format in Format::ALL.iter().filter(|format| !OTHERS.contains(format)) {
        if Layout::new(format, &LayoutOptions::default()).is_err() {
            continue;
        }
        let of = |values: usize, words: usize| {
            let good = std::iter::repeat_n(value_of(format), values);
            let (header, lines) = lines_of(format, good.chain(std::iter::repeat_n("none", words)));
            header + &lines.concat()
        };
        assert_eq!(Format::detect(of(20, 20).as_bytes()), format, "{format}");
        let header = format.example()[0].lines().count();
        assert_ne!(Format::detect(of(20, 21 + header).as_bytes()), format, "{format}");
    }
}

#[test]
fn a_few_lines_of_another_kind_decide_nothing() {
    let words = |count: usize| "some words of no format\n".repeat(count);
    for (line, count) in [
        ("{\"url\":\"http://a.example/\"}\n", 7),
        ("com,a)/ 20260102030405 http://a.example/ text/html 200 A - - 1 2 a.gz\n", 22),
        ("a=1;url=http://a.example/\n", 199),
        ("url,n\nhttp://a.example/,1\n", 5),
        ("#Fields: cs-uri\n", 5),
    ] {
        let text = line.to_owned() + &words(count);
        assert_eq!(Format::detect(text.as_bytes()), Format::Lines, "{text}");
    }
    // Each row of a table whose header names the column counts, if half of the values look like values.
    let table = "url,n\n".to_owned() + &"www.example.com,1\n".repeat(30);
    assert_eq!(Format::detect(table.as_bytes()), Format::Csv);
}
