//! Tables after titles, dates, comments and blank lines.

use super::*;

/// Lines before a table, and whether they are only comments and blank lines.
const PREAMBLES: [(&str, bool); 9] = [
    ("# a\n# b\n", true),
    (
        "# ----------\n# Pages and screens\n# Account: x\n# ----------\n#\n# All Users\n# Start date: 20261101\n",
        true,
    ),
    ("\n\n", true),
    ("# a report, its pages; and | their views\n\n", true),
    ("Pages\n", false),
    ("Pages,,\n", false),
    ("Performance on Search\nDates: 1 to 28 November\n\n", false),
    ("\"Report, 2026\"\nSite: www.example.com\n\n", false),
    ("A report\nof \"my\" pages\nwith views\n", false),
];

/// Tables with the first column of their URIs, and whether they have a header.
const TABLES: [(&str, bool); 8] = [
    ("url,views,users\nhttp://a.example/p1,1,5\nhttp://a.example/p2,2,5\nhttp://a.example/p3,3,5\n", true),
    (
        "Top pages,Views,Users\nhttp://a.example/p1,1,5\nhttp://a.example/p2,2,5\nhttp://a.example/p3,3,5\n",
        true,
    ),
    ("id,Page\n1,\"http://a.example/p1\"\n2,\"http://a.example/p2\"\n3,http://a.example/p3\n", true),
    ("# id,url,x\n1,http://a.example/p1,a\n2,http://a.example/p2,\"b\n c\"\n3,http://a.example/p3,d\n", true),
    ("Page\tViews\nhttp://a.example/p1\t1\nhttp://a.example/p2\t2\nhttp://a.example/p3\t3\n", true),
    ("id;Page;Title\n1;http://a.example/p1;x\n2;http://a.example/p2;y\n3;http://a.example/p3;z\n", true),
    ("Page|Views\nhttp://a.example/p1|1\nhttp://a.example/p2|2\nhttp://a.example/p3|3\n", true),
    ("http://a.example/p1,1,5\nhttp://a.example/p2,2,5\nhttp://a.example/p3,3,5\n", false),
];

/// A case with the table that is detected in a text.
#[track_caller]
fn detected(text: &str) -> Case {
    let found = detect(text.as_bytes(), &LayoutOptions::default(), None);
    let found = found.filter(|found| found.format.is_table()).unwrap_or_else(|| panic!("no table: {text}"));
    Case::new(Layout::new(found.format, &found.options).unwrap())
}

#[test]
fn a_table_may_have_lines_before_it() {
    for (preamble, are_comments) in PREAMBLES {
        let lines = preamble.lines().count() as u64;
        for (table, has_header) in TABLES {
            if !has_header && !are_comments {
                continue;
            }
            let text = format!("{preamble}{table}");
            let case = detected(&text);
            let found = case.run(&text);
            assert_eq!(
                texts(&found),
                ["http://a.example/p1", "http://a.example/p2", "http://a.example/p3"],
                "{text}"
            );
            assert_eq!((reasons(&found), found.sentinels), (vec![], 0), "{text}");
            assert_eq!(found.headers, lines + u64::from(has_header), "{text}");
            assert_eq!(found.records[0].0, lines + 1 + u64::from(has_header), "{text}");
            // Each share is the same table, and so is a table whose last line has no end.
            assert_eq!(found.valid, text.as_bytes());
            assert_eq!(texts(&case.run(text.trim_end())), texts(&found));
        }
    }
}

#[test]
fn a_given_format_has_the_same_preamble() {
    let rows = "id,page,home\n1,http://p/a,http://h/a\n2,http://p/b,http://h/b\n";
    let preamble = "Pages and homes\n\n";
    for text in [rows.to_owned(), format!("{preamble}{rows}")] {
        let homes = field(Format::Csv, "3").run(&text);
        assert_eq!((texts(&homes), reasons(&homes)), (vec!["http://h/a", "http://h/b"], vec![]), "{text}");
        assert_eq!(texts(&field(Format::Csv, "home").run(&text)), texts(&homes), "{text}");
    }
    let commented =
        "###\n# from here on\n#\n# id,added,url,more\n1,2,http://a/ b,http://m/\n2,3,http://b/,http://m/\n";
    let found = field(Format::Csv, "url").run(commented);
    assert_eq!((texts(&found), found.headers), (vec!["http://a/ b", "http://b/"], 4));
    assert_eq!(found.invalid, commented.split_inclusive('\n').take(5).collect::<String>().into_bytes());
    // The first name can have the mark itself.
    assert_eq!(texts(&field(Format::Csv, "#id").run("#id,x\nhttp://a/,1\n")), ["http://a/"]);
    // The separator has a line of its own.
    let named = "sep=;\nA title\n\nid;url\n1;http://a/\n2;http://b/\n";
    let found = case(Format::Csv).run(named);
    assert_eq!((texts(&found), found.headers), (vec!["http://a/", "http://b/"], 4));
    let layout = Layout::new(Format::Csv, &LayoutOptions::default()).unwrap();
    assert_eq!(layout.start(named.as_bytes()).preamble(), 3);
}

#[test]
fn lines_that_may_be_records_are_no_preamble() {
    let rows = "url,n\nhttp://a/,1\nhttp://b/,2\nhttp://c/,3\n";
    for before in ["http://x/\n", "x,1\n", "\"a\nb\"\n", "http://x/\nhttp://y/\n\n"] {
        let text = format!("{before}{rows}");
        let layout = Layout::new(Format::Csv, &LayoutOptions::default()).unwrap();
        assert_eq!(layout.start(text.as_bytes()).preamble(), 0, "{text}");
        let found = case(Format::Csv).run(&text);
        assert_eq!(found.headers, 0, "{text}");
    }
    // Without a header, only comments and blank lines come before a table.
    let text = "A title\n".to_owned() + &"http://a/,1\n".repeat(12);
    assert_eq!(detected(&text).run(&text).malformed.len() + texts(&detected(&text).run(&text)).len(), 13);
    // Prose is longer than a table in it.
    let text = "some prose\n".repeat(11) + "id,url\n1,http://a/\n2,http://b/\n";
    assert!(detect(text.as_bytes(), &LayoutOptions::default(), None).is_none());
}

/// A header that a row without a URI follows stays the header, and the row is read.
#[test]
fn rows_without_a_uri_are_no_header() {
    let text = "Title\nPage,Views\n(not set),7\n".to_owned() + &"http://a/,1\n".repeat(9);
    let found = detected(&text).run(&text);
    assert_eq!((texts(&found).len(), texts(&found)[0]), (10, "(not set)"));
    assert_eq!((found.headers, found.errors), (2, vec![(3, 1)]));
    // Dates before the header have as many cells.
    let text =
        "From,Nov 1 2026\nTo: 2026-11-01, 2026-11-28\n\nPage,Views\nhttp://a/,1\nhttp://b/,2\nhttp://c/,3\n";
    let found = detected(text).run(text);
    assert_eq!((texts(&found), found.headers), (vec!["http://a/", "http://b/", "http://c/"], 4));
}
