//! N-Triples and N-Quads.

use super::*;

/// Line, column, role and text of each IRI, and line and column of each malformed place.
fn statements(text: &str) -> (Vec<String>, Vec<(u64, u64)>) {
    let layout = case(Format::Nt).layout;
    let mut found = Vec::new();
    let job = |chunk: &crate::corpus::Chunk<'_>| {
        let mut chunk_scanner = ChunkScanner::default();
        let scanned = chunk_scanner.scan(chunk, &Validator::new(Grammar::Iri), Columns::RECORDS).unwrap();
        let iri = |index| {
            let element = scanned.element(index).map_or("-".into(), |element| element.name);
            format!("{element} {}", String::from_utf8_lossy(scanned.record(index).unwrap()))
        };
        (0..scanned.len()).map(iri).collect::<Vec<_>>()
    };
    let sink = |iris| {
        found.extend::<Vec<_>>(iris);
        ControlFlow::<()>::Continue(())
    };
    Scanner::new().layout(layout).scan_slice(text.as_bytes(), job, sink).unwrap();
    let all = case(Format::Nt).run(text);
    let places = all.malformed.iter().zip(&all.malformed_columns);
    (found, places.map(|(line, &column)| (line.0, column)).collect())
}

#[test]
fn each_iri_has_its_place_in_the_statement() {
    for (text, iris) in [
        ("<a:s> <a:p> <a:o> .\n", &["subject a:s", "predicate a:p", "object a:o"][..]),
        ("<a:s><a:p><a:o><a:g>.\r\n", &["subject a:s", "predicate a:p", "object a:o", "graph a:g"]),
        ("\t_:a <a:p> _:b.c _:g . # <a:x>\n", &["predicate a:p"]),
        ("_:a<a:p>_:b.", &["predicate a:p"]),
        ("_:0<a:p>_:é.", &["predicate a:p"]),
        (
            r#"<a:s> <a:p> "<a:x> \" \\"^^<a:t> <a:g> ."#,
            &["subject a:s", "predicate a:p", "datatype a:t", "graph a:g"],
        ),
        (r#"<a:s> <a:p> "" ^^ <a:t> ."#, &["subject a:s", "predicate a:p", "datatype a:t"]),
        (r#"<a:s> <a:p> "\t\b\n\r\f\"\'\\\u00e9\U0001F600"@en-GB--ltr ."#, &["subject a:s", "predicate a:p"]),
        (
            r"<a:\u00E9\U0001F600> <a:\u0020> <a:\n\uD800> .",
            &["subject a:é😀", "predicate a: ", r"object a:\n\uD800"],
        ),
        ("<> <rel> <a:b c\"{<> .", &["subject ", "predicate rel", "object a:b c\"{<"]),
        (
            "<< <a:s> <a:p> <a:o> >> <a:q> <a:r> .",
            &["subject a:s", "predicate a:p", "object a:o", "predicate a:q", "object a:r"],
        ),
        (
            "<a:s> <a:p> <<( <a:t> <a:q> <<(_:b <a:r> \"\"^^<a:d>)>> )>> <a:g> .",
            &[
                "subject a:s",
                "predicate a:p",
                "subject a:t",
                "predicate a:q",
                "predicate a:r",
                "datatype a:d",
                "graph a:g",
            ],
        ),
        (
            "VERSION \"1.2\" # <a:x>\n  \n#\n<a:s> <a:p> <a:o> .",
            &["subject a:s", "predicate a:p", "object a:o"],
        ),
        // A carriage return ends a statement and a comment.
        (
            "<a:s> <a:p> _:a .\r# <a:x>\r\r<a:t> <a:p> _:a .\r<a:b\rc> <a:p> _:a .",
            &[
                "subject a:s",
                "predicate a:p",
                "subject a:t",
                "predicate a:p",
                "subject a:b\rc",
                "predicate a:p",
            ],
        ),
        ("", &[]),
    ] {
        assert_eq!(statements(text), (iris.iter().map(|&iri| iri.to_owned()).collect(), vec![]), "{text}");
    }
}

#[test]
fn what_is_no_statement_is_malformed_at_its_byte() {
    for (text, column, iris) in [
        ("<a:s> <a:p> <a:o>", 18, &["subject a:s", "predicate a:p", "object a:o"][..]),
        (
            "<a:s> <a:p> <a:o> <a:g> <a:x> .",
            25,
            &["subject a:s", "predicate a:p", "object a:o", "graph a:g", "- a:x"],
        ),
        ("<a:s> <a:p> <a:o> . <a:x>", 21, &["subject a:s", "predicate a:p", "object a:o", "- a:x"]),
        ("<a:s> <a:p .", 7, &["subject a:s"]),
        ("<a:s> _:p <a:o> .", 7, &["subject a:s", "- a:o"]),
        ("\"a\" <a:p> <a:o> .", 1, &["- a:p", "- a:o"]),
        ("<a:s> \"p\" <a:o> .", 7, &["subject a:s", "- a:o"]),
        ("ex:s <a:p> '<a:o>' .", 1, &["- a:p", "- a:o"]),
        ("@prefix a: <a:b#> . # <a:x>", 1, &["- a:b#"]),
        ("<a:s> <a:p> 1 \"<a:x>\\\"\" << <a:y> # <a:z>", 13, &["subject a:s", "predicate a:p", "- a:y"]),
        ("<a:s> <a:p> \"a <a:x> .", 13, &["subject a:s", "predicate a:p"]),
        ("<a:s> <a:p> \"a\"^<a:t> .", 16, &["subject a:s", "predicate a:p", "- a:t"]),
        ("<a:s> <a:p> \"a\"^^a:t .", 16, &["subject a:s", "predicate a:p"]),
        ("<a:s> <a:p> \"a\"@ .", 16, &["subject a:s", "predicate a:p"]),
        ("<a:s> <a:p> \"a\"@en- .", 16, &["subject a:s", "predicate a:p"]),
        ("<a:s> <a:p> \"a\"@en--ltr-x <a:g> .", 16, &["subject a:s", "predicate a:p", "- a:g"]),
        ("<a:s> <a:p> \"a\"@1 .", 16, &["subject a:s", "predicate a:p"]),
        // The literal and its type go on after an escape without a meaning.
        (r#"<a:s> <a:p> "a\q\u12"^^<a:t> ."#, 15, &["subject a:s", "predicate a:p", "datatype a:t"]),
        (r#"<a:s> <a:p> "\uD800" ."#, 14, &["subject a:s", "predicate a:p"]),
        ("_: <a:p> <a:o> .", 1, &["- a:p", "- a:o"]),
        ("_:-a <a:p> <a:o> .", 1, &["- a:p", "- a:o"]),
        ("_:. <a:p> <a:o> .", 1, &["- a:p", "- a:o"]),
        (
            "<< <a:s> <a:p> <a:o> > <a:q> <a:r> .",
            22,
            &["subject a:s", "predicate a:p", "object a:o", "- a:q", "- a:r"],
        ),
        (
            "<<( <a:s> <a:p> <a:o> >> <a:q> <a:r> .",
            23,
            &["subject a:s", "predicate a:p", "object a:o", "- a:q", "- a:r"],
        ),
        ("<a:s> << <a:p> .", 16, &["subject a:s", "predicate < <a:p"]),
        ("VERSION 1.2", 1, &[]),
        ("VERSION \"1.2\" <a:x>", 15, &["- a:x"]),
        ("http://a/", 1, &[]),
    ] {
        let found = statements(text);
        assert_eq!(found, (iris.iter().map(|&iri| iri.to_owned()).collect(), vec![(1, column)]), "{text}");
    }
    let lines = "x\ry <a:b>\r\r<a:s> <a:p> _:o .\n\nz";
    let (iris, places) = statements(lines);
    assert_eq!((iris.len(), places), (3, vec![(1, 1), (1, 3), (3, 1)]));
}

#[test]
fn statements_are_judged_by_the_grammar_of_iris() {
    let log = include_str!("../../../../corpora/logs/statements.nt");
    let found = case(Format::Nt).detected(log).run(log);
    assert_eq!((found.records.len(), found.count), (45, 18));
    assert_eq!(found.errors, [(4, 68), (5, 68), (11, 56), (13, 131), (14, 78)]);
    let places: Vec<_> = found.malformed.iter().map(|line| (line.0, line.2)).collect();
    let not = Malformed::NotAStatement;
    assert_eq!(places, [(14, not), (15, not), (16, Malformed::NoClosingQuote), (17, not)]);
    assert_eq!(found.malformed_columns, [47, 47, 47, 69]);
    let limited = Case { max_record: 64, ..case(Format::Nt) }
        .run(format!("<a:s> <a:p> <a:{}> .\n_:a <a:p> _:b .\n", "x".repeat(64)));
    assert_eq!((texts(&limited), reasons(&limited)), (vec!["a:p"], vec![(1, Malformed::TooLong)]));
}
