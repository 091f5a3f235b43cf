//! Fields and header rows that a user chooses, and messages about them.

use super::*;

#[test]
fn a_first_line_is_a_header_if_it_names_the_column_or_is_unlike_the_rows() {
    let broken = case(Format::Csv).run("broken url\nhttp://example.com/\n");
    assert_eq!(texts(&broken), ["broken url", "http://example.com/"]);
    let with = |name: &str, header| {
        let mut options = LayoutOptions::from(match name {
            "" => FieldSelector::Uri,
            name => FieldSelector::Field(name.to_owned()),
        });
        options.header = header;
        Layout::new(Format::Csv, &options).map(Case::new)
    };
    let table = "a,b,Link\n1,2,urn:c\n";
    assert_eq!(texts(&with("link", HeaderRow::Auto).unwrap().run(table)), ["urn:c"]);
    assert_eq!(texts(&with("3", HeaderRow::Auto).unwrap().run(table)), ["urn:c"]);
    assert_eq!(texts(&with("3", HeaderRow::No).unwrap().run(table)), ["Link", "urn:c"]);
    for rows in
        ["a,b,urn:x\n1,2,urn:c\n", "1,b,Link\n1,2,urn:c\n", "a,b,Link\n1,2,three\n", "a,b\n1,2,urn:c\n"]
    {
        assert_eq!(with("3", HeaderRow::Auto).unwrap().run(rows).headers, 0, "{rows}");
    }
    assert_eq!(texts(&with("3", HeaderRow::Yes).unwrap().run(table)), ["urn:c"]);
    assert_eq!(texts(&with("", HeaderRow::Yes).unwrap().run(table)), ["1"]);
    assert_eq!(texts(&with("", HeaderRow::No).unwrap().run("url\nurn:a\n")), ["url", "urn:a"]);
    assert!(with("link", HeaderRow::No).is_err());
    assert!(with("4", HeaderRow::Yes).unwrap().extract_with(table.as_bytes(), 9, true).is_err());
    assert_eq!(with("link", HeaderRow::Yes).unwrap().run(table).headers, 1);
}

#[test]
fn a_field_that_a_detected_format_does_not_have_fails_the_scan() {
    let scanner = Scanner::new().detect_format(FieldSelector::Field("via".to_owned()).into());
    let scan =
        |input: &str| scanner.scan_slice(input.as_bytes(), |_| (), |()| ControlFlow::<()>::Continue(()));
    assert!(scan(HERITRIX).is_ok());
    let expected = "no field via: the format squid has the field uri, and columns by number";
    assert_eq!(scan(SQUID).unwrap_err().to_string(), expected);
}

#[test]
fn fields_that_do_not_exist_are_refused() {
    for (format, name) in [
        (Format::Lines, "1"),
        (Format::Heritrix, "referer"),
        (Format::Heritrix, "0"),
        (Format::Squid, "-1"),
        (Format::Cdx, "a"),
        (Format::Common, "referer"),
        (Format::Combined, "1"),
        (Format::Jsonl, "url"),
        (Format::Warc, "target"),
        (Format::Wat, "target"),
        (Format::Csv, "0"),
    ] {
        let error =
            Layout::new(format, &FieldSelector::Field(name.to_owned()).into()).unwrap_err().to_string();
        assert!(error.contains(format.name()) && error.contains(name), "{error}");
    }
    assert!(Layout::new(Format::Csv, &FieldSelector::Key("url".to_owned()).into()).is_err());
}

#[test]
fn messages_name_what_a_line_lacks() {
    for (case, log, expected) in [
        (case(Format::Cdx), " CDX N b a\nx y urn:a\n CDX N b\nx y\n", "\"a\""),
        (field(Format::W3c, "via"), "#Fields: a via\nx y\n#Fields: a b\nx y\n", "\"via\""),
        (case(Format::W3c), "#Fields: cs-uri\nx\n#Fields: a b\nx y\n", "\"cs-uri-stem or cs-uri\""),
    ] {
        let found = case.extract_with(log.as_bytes(), 1 << 20, false).unwrap();
        let &(line, length, reason) = found.malformed.last().unwrap();
        let line = MalformedLine { line, length, reason, column_count: None, column: 1 };
        let message = case.layout.message(&line).to_string();
        assert!(message.ends_with(expected), "{message}");
    }
    for (case, log, expected) in [
        (case(Format::Pairs), "a=b\n", "no line has the key \"url\""),
        (case(Format::Jsonl), "{}\n", "no line has the key \"url\""),
        (key(Format::Caddy, "/a/b"), "{}\n", "no line has the key \"a.b\""),
    ] {
        let found = case.extract_with(log.as_bytes(), 1 << 20, false).unwrap();
        assert_eq!(found.missing_key.as_deref(), Some(expected));
    }
}
