//! Tables whose rows have more than one line, beside another reader of csv.

use super::*;
use crate::work::so_far;

/// The rows that another reader finds in a table of commas: the line of each, counted from 1, and its first
/// cell.
fn other_reader(table: &[u8]) -> Vec<(u64, String)> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .terminator(csv::Terminator::Any(b'\n'))
        .from_reader(table);
    let mut rows = Vec::new();
    let mut row = csv::ByteRecord::new();
    while reader.read_byte_record(&mut row).unwrap() {
        // It starts a row at the empty lines before it.
        let position = row.position().unwrap();
        let before = &table[position.byte() as usize..];
        let empty = before.iter().take_while(|&&byte| byte == b'\n').count();
        rows.push((position.line() + empty as u64, row[0].escape_ascii().to_string()));
    }
    rows
}

/// The first column of a table without a header.
fn first_column() -> Case {
    let mut options = LayoutOptions::from(FieldSelector::Field("1".to_owned()));
    options.header = HeaderRow::No;
    Case::new(Layout::new(Format::Csv, &options).unwrap())
}

/// Asserts that these are the rows that the other reader finds, which skips empty ones.
#[track_caller]
fn agrees(found: &Extracted, table: &[u8]) {
    let mut rows: Vec<_> = found.records.iter().map(|(line, _, text)| (*line, Some(text.as_str()))).collect();
    let (empty, malformed): (Vec<_>, Vec<_>) =
        reasons(found).into_iter().partition(|(_, reason)| *reason == Malformed::Empty);
    rows.extend(malformed.into_iter().map(|(line, _)| (line, None)));
    rows.sort();
    let mut others = other_reader(table);
    others.retain(|(line, text)| text != "\\r" || !empty.contains(&(*line, Malformed::Empty)));
    // A blank cell is a sentinel, unless it is the only one of its row.
    let is_blank = |text: &str| text.replace("\\r", "").trim().is_empty();
    others.retain(|(line, text)| !is_blank(text) || rows.iter().any(|(row, _)| row == line));
    assert_eq!(rows.len(), others.len(), "{rows:?} {others:?}");
    for ((line, text), (other_line, other_text)) in rows.into_iter().zip(&others) {
        assert_eq!(line, *other_line);
        // It takes a CR before a line end for a part of the cell.
        let is_same =
            |text: &str| other_text.strip_prefix(text).is_some_and(|rest| ["", "\\r"].contains(&rest));
        assert!(text.is_none_or(is_same), "{line}: {text:?} {other_text:?}");
    }
}

#[test]
fn rows_have_any_number_of_lines() {
    let table = "id,note,url\r\n\
                 1,\"a\r\nb, \"\"c\"\"\n\",http://example.com/1\r\n\
                 2,plain,\"http://example.com/ 2\"\r\n\
                 \"3\n\",\"\n\n\",\"http://example.com/3\n4\"\n\
                 \n\
                 5,a \"quote\n\
                 6,\"a\" quote\n\
                 7,x,\"\n";
    let found = case(Format::Csv).detected(table).run(table);
    let records = [
        (4, 3, "http://example.com/1"),
        (5, 10, "http://example.com/ 2"),
        (9, 4, "http://example.com/3\\n4"),
    ];
    assert_eq!(found.records, records.map(|(line, column, text)| (line, column, text.to_owned())));
    // The offending byte is in the record's own line.
    assert_eq!(found.errors, [(5, 29), (9, 24)]);
    use Malformed::*;
    assert_eq!(reasons(&found), [(11, Empty), (12, TooFewColumns), (13, TextAfterQuote), (14, OpenCell)]);
    assert_eq!((found.headers, found.count), (1, 14));
    // Rows are copied whole.
    assert_eq!(found.valid, table.split_inclusive('\n').take(4).collect::<String>().into_bytes());
    let header = "id,note,url\r\n";
    let invalid: String = table.split_inclusive('\n').skip(4).take(6).collect();
    assert_eq!(found.invalid, (header.to_owned() + &invalid).into_bytes());
    let rest: String = table.split_inclusive('\n').skip(10).collect();
    assert_eq!(found.rest, (header.to_owned() + &rest).into_bytes());
    // Tab-separated values have no such cells.
    let tabs = case(Format::Tsv).run("url\tnote\nhttp://a/\t\"a\nb\"\n");
    assert_eq!(reasons(&tabs), [(3, TooFewColumns)]);
}

#[test]
fn white_space_around_a_cell_may_be_line_ends() {
    let trimming = Case { trim: true, ..case(Format::Csv) };
    let found = trimming.run("url,n\n\"\n \n http://a/ b\n\",1\n");
    assert_eq!(found.records, [(4, 2, "http://a/ b".to_owned())]);
    assert_eq!(found.errors, [(4, 11)]);
    let found = trimming.run("url,n\n\"\n http://a/\n\",1\n");
    assert_eq!(found.trimmed, b"url,n\n\"http://a/\",1\n");
}

#[test]
fn a_quote_that_never_closes_ends_at_the_limit() {
    let rows = "2,http://example.com/\n".repeat(10);
    let table = format!("n,url\n1,\"http://example.com/\n{rows}");
    let case = Case { max_record: 100, ..field(Format::Csv, "url") };
    let found = case.run(&table);
    // The row takes the lines that fit.
    assert_eq!(found.malformed, [(2, 88, Malformed::OpenCell)]);
    assert_eq!(found.records.len(), 7);
    assert_eq!(found.records[0], (6, 3, "http://example.com/".to_owned()));
    assert_eq!(found.count, 12);
    let whole = Case { max_record: 1 << 20, ..case }.run(&table);
    assert_eq!((whole.records.len(), reasons(&whole)), (0, vec![(2, Malformed::OpenCell)]));
    // A line over the limit ends where it does, in quotes or not.
    let long = format!("n,url\n1,\"{}\n2,\"http://example.com/\"\n", "x".repeat(200));
    let found = Case { max_record: 100, ..field(Format::Csv, "url") }.run(long);
    assert_eq!(
        (texts(&found), reasons(&found)),
        (vec!["http://example.com/"], vec![(2, Malformed::TooLong)])
    );
}

/// A table. One row in ten has a cell of more than one line.
fn generated(rows: usize) -> String {
    let mut table = String::new();
    for row in 0..rows {
        let note = match row % 10 {
            3 => "\"two\nlines, \"\"and\"\" more\r\n\"",
            5 => "\"one, quoted\"",
            _ => "plain",
        };
        let end = if row % 7 == 0 { "\r\n" } else { "\n" };
        table += &format!("http://example.com/{row},{note},{row}{end}");
    }
    table
}

#[test]
fn rows_of_many_lines_are_the_same_on_all_threads() {
    let table = generated(2_000);
    let expected = first_column().run(&table);
    assert_eq!(expected.records.len(), 2_000);
    agrees(&expected, table.as_bytes());
    for threads in 1..=16 {
        for (chunk_size, is_read) in [(100, true), (1_000, true), (10_000, true), (1_000, false)] {
            let case = Case { threads, ..first_column() };
            let found = case.extract_with(table.as_bytes(), chunk_size, is_read).unwrap();
            assert_eq!(found, expected, "{threads} threads, chunks of {chunk_size}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(2_000)))]

    /// Whatever is done to a table, another reader finds the same rows.
    #[test]
    fn damaged_tables_have_the_rows_that_another_reader_finds(
        edits in prop::collection::vec(
            (any::<Index>(), 0..3_u8, prop::sample::select(b"\",\n\r a;".as_slice())), 0..30),
        chunk_size in 1..200_usize,
        max_record in 10..400_usize,
        threads in 1..4_usize,
    ) {
        let mut table = generated(30).into_bytes();
        for (at, what, byte) in edits {
            let at = at.index(table.len());
            match what {
                0 => table.insert(at, byte),
                1 => drop(table.remove(at)),
                _ => table[at] = byte,
            }
        }
        let case = Case { threads, ..first_column() };
        let found = case.extract_with(&table, chunk_size, true).unwrap();
        agrees(&found, &table);
        prop_assert_eq!(case.extract_with(&table, 1 << 20, false).unwrap(), found);
        // With a limit it finds other rows, but the same ones however the table is cut.
        let limited = Case { max_record, ..case };
        let expected = limited.extract_with(&table, 1 << 20, false).unwrap();
        prop_assert_eq!(limited.extract_with(&table, chunk_size, true).unwrap(), expected);
    }
}

/// In a chunk of one row, no row is found by masks.
#[test]
fn rows_that_masks_find_are_those_that_a_reader_of_single_rows_finds() {
    let units = [
        "http://example.com/a",
        "b",
        ",",
        ",",
        "\t",
        "\n",
        "\n",
        "\r\n",
        "\"c, d\"",
        ",\"http://h/\"\"\",",
        "\"",
        "\"\"",
        "\\N",
        " ",
        "\n,,http://h/,,\n",
    ];
    let mut seed = 1_u64;
    let mut records = 0;
    for round in 0..cases(1_500) as usize {
        let mut table = String::from("a,b,c\n");
        while table.len() < 37 * round % 6_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let unit = units[(seed >> 33) as usize % units.len()];
            let is_rare = unit == "\"" && round % 3 > 0;
            table += if is_rare { "e" } else { unit };
        }
        for (format, column) in [(Format::Csv, "1"), (Format::Csv, "3"), (Format::Tsv, "2")] {
            let mut options = LayoutOptions::from(FieldSelector::Field(column.to_owned()));
            options.header = HeaderRow::No;
            let case = Case::new(Layout::new(format, &options).unwrap());
            for max_record in [case.max_record, 300, 20] {
                let case = Case { layout: case.layout.clone(), max_record, ..case };
                let [expected, found] =
                    [1, 1 << 20].map(|size| case.extract_with(table.as_bytes(), size, true).unwrap());
                assert_eq!(found, expected, "{format} {column} {table:?}");
                records += found.records.len();
            }
        }
    }
    assert!(records > 1_000, "{records}");
}

#[test]
fn masks_that_find_few_rows_are_given_up() {
    let work = |rows: &str| {
        let table = "a,b\n".to_owned() + &rows.repeat(80_000 / rows.len());
        let start = so_far();
        first_column().extract_with(table.as_bytes(), 1 << 20, true).unwrap();
        so_far() - start
    };
    let irregular = work("a:\",\n");
    for rows in ["a:,\na:\",\n", "a:,\n\"\"x,\n\"\"x,\n", "a:,\n\"b\n\",\n"] {
        let mixed = work(rows);
        assert!(mixed < 2 * irregular, "{rows:?}: {mixed} {irregular}");
    }
}

#[test]
fn the_first_line_may_name_the_separator() {
    let rows =
        "id;url;\"a; b\"\r\n1;http://example.com/a;\"x\r\ny\"\r\n\"2; 3\";http://example.com/b c;z\r\n";
    for (mark, name) in [("", "sep=;\r\n"), ("\u{FEFF}", "SEP=;\n")] {
        let table = format!("{mark}{name}{rows}");
        let found = case(Format::Csv).detected(&table).run(&table);
        let records = [(3, 3, "http://example.com/a"), (5, 8, "http://example.com/b c")];
        assert_eq!(found.records, records.map(|(line, column, text)| (line, column, text.to_owned())));
        assert_eq!((found.headers, found.malformed.len(), found.count), (2, 0, 5));
        // Each share is a table of the same kind.
        let shares = [found.valid, found.invalid, found.rest];
        assert!(shares.iter().all(|share| share.starts_with((mark.to_owned() + name + "id;url").as_bytes())));
        for format in [Format::Tsv, Format::Csv] {
            assert_eq!(case(format).run(&table).records.len(), 2, "{format}");
        }
    }
    // The name alone is a table without rows. Names of no byte or of more are rows, as are names further on.
    let alone = case(Format::Csv).run("sep=;\n");
    assert_eq!((alone.headers, alone.records.len(), alone.malformed.len()), (1, 0, 0));
    for table in ["sep=\nhttp://a/\n", "sep=;;\nhttp://a/\n", "http://a/\nsep=;\n", "sep=\"\nhttp://a/\n"] {
        assert_eq!(case(Format::Csv).run(table).records.len(), 2, "{table:?}");
    }
    // A limit that it is over.
    let limited = Case { max_record: 4, ..case(Format::Csv) };
    assert_eq!(reasons(&limited.run("sep=;\na:b;\n"))[0], (1, Malformed::TooLong));
    // No column has a name that the header lacks.
    let lacking = field(Format::Csv, "link").extract_with(b"sep=;\nid;url\n", 100, false);
    assert_eq!(lacking.unwrap_err().to_string(), "the header has no column link; it has id, url");
}

#[test]
fn quotes_count_whatever_the_separator() {
    for (format, separator) in [(Format::Csv, ','), (Format::Delimited, ';'), (Format::Delimited, '|')] {
        let mut options = LayoutOptions::from(FieldSelector::Field("3".to_owned()));
        options.delimiter = Some(separator as u8);
        let rows = "1;\"a; b\";http://x/;d\r\n2;\"a\r\nb\";\"http://x/;\"\"\";d\r\n";
        let found =
            Case::new(Layout::new(format, &options).unwrap()).run(rows.replace(';', &separator.to_string()));
        let texts = texts(&found);
        assert_eq!(texts[0], "http://x/", "{separator}");
        assert_eq!(texts[1], format!("http://x/{separator}\\\""), "{separator}");
        assert_eq!(found.records[1].0, 3);
    }
}

#[test]
fn cells_of_any_white_space_are_blank() {
    let rows = "1,\r,x\n2,\"\n\",x\n3,\u{C} ,x\n4,,x\n5,http://h/,x\n";
    let mut options = LayoutOptions::from(FieldSelector::Field("2".to_owned()));
    options.header = HeaderRow::No;
    let found = Case::new(Layout::new(Format::Csv, &options).unwrap()).run(rows);
    assert_eq!((texts(&found), found.sentinels), (vec!["http://h/"], 4));
}

#[test]
fn cr_before_the_end_of_a_field_stays() {
    let found = case(Format::Csv).run("url,x\n\"urn:a\",\r\nx,urn:b\r\r\n".replace("url,x", "x,url"));
    assert_eq!((texts(&found), found.sentinels), (vec![r"urn:b\r"], 1));
    assert_eq!(found.errors, [(3, 8)]);
}
