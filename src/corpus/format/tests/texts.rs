//! URIs in any text.

use super::*;

#[test]
fn texts_have_several_uris_a_line() {
    let page = include_str!("../../../../corpora/logs/page.html");
    let found = case(Format::Text).run(page);
    let expected = [
        (2, 17, "http://www.example.com/?a=1&b=2"),
        (2, 64, "http://www.example.com/b_(c)"),
        (3, 10, "mailto:a@example.com"),
        (4, 10, "http://www.example.com/{d}"),
        (4, 44, "urn:isbn:0451450523"),
    ];
    let expected: Vec<_> = expected.map(|(line, column, text)| (line, column, text.to_owned())).into();
    assert_eq!((&found.records, found.count), (&expected, 4));
    assert_eq!(found.errors, [(4, 33)]);
    let valid =
        expected.iter().filter(|(_, _, text)| !text.contains('{')).map(|(_, _, text)| format!("{text}\n"));
    assert_eq!(found.valid, valid.collect::<String>().into_bytes());
    assert_eq!((&found.invalid[..], &found.rest[..]), (&b"http://www.example.com/{d}\n"[..], &b""[..]));
    let notes = include_str!("../../../../corpora/logs/notes.md");
    let found = case(Format::Text).run(notes);
    let names =
        ["one", "two", "{three}", "4", "5", "six"].map(|name| format!("http://www.example.com/{name}"));
    assert_eq!(texts(&found), names);
    assert_eq!(found.records[4].0, 4);
    // A line over the limit is passed over, and so is a part of it.
    let long = format!("urn:ex:b\n{}http://a.example/\nurn:ex:d", "x".repeat(100));
    let found = Case { max_record: 64, ..case(Format::Text) }.run(&long);
    assert_eq!(
        (texts(&found), reasons(&found)),
        (vec!["urn:ex:b", "urn:ex:d"], vec![(2, Malformed::TooLong)])
    );
}
