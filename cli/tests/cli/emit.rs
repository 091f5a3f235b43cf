//! Tests `--emit`, `--to`, `--only`.

use urivalidate::Grammar;

use super::{Dir, run, run_with};

const MIXED: &str = "http://example.com/\nwww.example.com/x\r\n\nhttp://h/a b\nurn:isbn:0451450523";

#[test]
fn errors_say_where_and_what_and_are_the_default() {
    let expected = "\
-:2:16: missing-scheme: no scheme: a name and \":\" must come first, found \"/\"
-:3:1: empty: the record is empty
-:4:11: space: a space must be written %20
";
    run("", MIXED).expect(1, expected, "");
    run("-", MIXED).expect(1, expected, "");
    run("--emit errors", MIXED).expect(1, expected, "");
    run("--emit errors", "urn:a\n").expect(0, "", "");
}

#[test]
fn filters_keep_lines_byte_for_byte() {
    run("--emit valid", MIXED).expect(0, "http://example.com/\nurn:isbn:0451450523", "");
    run("--emit invalid", MIXED).expect(0, "www.example.com/x\r\n\nhttp://h/a b\n", "");
    run("--emit invalid", b"\xFF\0\r\n\nurn:a\r\n".as_slice()).expect(0, b"\xFF\0\r\n\n", "");
    // A byte order mark goes with the first line, unless lines of another file come before it.
    run("--emit valid", "\u{FEFF}urn:a\n b\n").expect(0, "\u{FEFF}urn:a\n", "");
    run("--emit invalid", "\u{FEFF}urn:a\n b\n").expect(0, " b\n", "");
    run("--emit invalid", "\u{FEFF} b\nurn:a\n").expect(0, "\u{FEFF} b\n", "");
    run("--emit invalid --max-record 2", "\u{FEFF}urn:a\nb\n").expect(0, "\u{FEFF}urn:a\nb\n", "");
    let dir = Dir::new();
    dir.write("one", "\u{FEFF}urn:a\n");
    dir.write("two", "\u{FEFF}urn:b\n");
    dir.run("--emit valid one two").expect(0, "\u{FEFF}urn:a\nurn:b\n", "");
    // Trimmed bytes do not belong to the record.
    run("--emit valid --trim", "\u{FEFF}\t urn:a \r\r\n b\n").expect(0, "urn:a\n", "");
}

#[test]
fn nothing_is_nothing() {
    run("--emit none", MIXED).expect(0, "", "");
}

#[test]
fn offsets_as_json_lines() {
    let input = "\u{FEFF}http://example.com/path?x=y\nhttp://h/a b\r\nhttp://u@[::1]:80/?#";
    let expected = r#"{"file":"-","line":1,"column":4,"length":27,"valid":true,"scheme":[0,4],"authority":[7,18],"userinfo":null,"host":[7,18],"host_kind":"reg-name","port":null,"path":[18,23],"query":[24,27],"fragment":null,"error":null}
{"file":"-","line":2,"column":1,"length":12,"valid":false,"scheme":null,"authority":null,"userinfo":null,"host":null,"host_kind":null,"port":null,"path":null,"query":null,"fragment":null,"error":{"kind":"space","component":"path","offset":10}}
{"file":"-","line":3,"column":1,"length":20,"valid":true,"scheme":[0,4],"authority":[7,17],"userinfo":[7,8],"host":[9,14],"host_kind":"ipv6","port":[15,17],"path":[17,18],"query":[19,19],"fragment":[20,20],"error":null}
"#;
    run("--emit offsets --to jsonl", input).expect(0, expected, "");
}

#[test]
fn components_as_json_lines() {
    let input = b"http://h/\xC3\xA9\"\x07?\nhttp://h/\xFF\nurn:a\n";
    let expected = r#"{"file":"-","line":1,"column":1,"length":14,"valid":false,"uri":"http://h/é\"\u0007?","scheme":null,"authority":null,"userinfo":null,"host":null,"host_kind":null,"port":null,"path":null,"query":null,"fragment":null,"error":{"kind":"non-ascii","component":"path","offset":9}}
{"file":"-","line":2,"column":1,"length":10,"valid":false,"uri":{"bytes":"aHR0cDovL2gv/w=="},"scheme":null,"authority":null,"userinfo":null,"host":null,"host_kind":null,"port":null,"path":null,"query":null,"fragment":null,"error":{"kind":"non-ascii","component":"path","offset":9}}
{"file":"-","line":3,"column":1,"length":5,"valid":true,"uri":"urn:a","scheme":"urn","authority":null,"userinfo":null,"host":null,"host_kind":null,"port":null,"path":"a","query":null,"fragment":null,"error":null}
"#;
    run("--emit components --to jsonl", &input[..]).expect(0, expected, "");
}

#[test]
fn rfc2396_and_java_have_nine_components() {
    let input = "mailto:a@b#c\n//a_b/c\nhttp://h:1/";
    let expected = r#"{"file":"-","line":1,"column":1,"length":12,"valid":true,"scheme":[0,6],"authority":null,"userinfo":null,"host":null,"host_kind":null,"port":null,"path":null,"query":null,"fragment":[11,12],"scheme_specific_part":[7,10],"opaque":true,"authority_kind":null,"error":null}
{"file":"-","line":2,"column":1,"length":7,"valid":true,"scheme":null,"authority":[2,5],"userinfo":null,"host":null,"host_kind":null,"port":null,"path":[5,7],"query":null,"fragment":null,"scheme_specific_part":[0,7],"opaque":false,"authority_kind":"registry","error":null}
{"file":"-","line":3,"column":1,"length":11,"valid":true,"scheme":[0,4],"authority":[7,10],"userinfo":null,"host":[7,8],"host_kind":"hostname","port":[9,10],"path":[10,11],"query":null,"fragment":null,"scheme_specific_part":[5,11],"opaque":false,"authority_kind":"server","error":null}
"#;
    for grammar in ["rfc2396", "java"] {
        run(&format!("-g {grammar} --emit offsets --to jsonl"), input).expect(0, expected, "");
    }
}

#[test]
fn text_rows_have_a_cell_for_each_key() {
    let none = "\\N";
    run("--emit offsets", "http://h/?\nx\n").expect(
        0,
        [
            [
                "-", "1", "1", "10", "true", "0-4", "7-8", none, "7-8", "reg-name", none, "8-9", "10-10",
                none, none, none, none,
            ],
            [
                "-",
                "2",
                "1",
                "1",
                "false",
                none,
                none,
                none,
                none,
                none,
                none,
                none,
                none,
                none,
                "missing-scheme",
                "scheme",
                "1",
            ],
        ]
        .map(|row| row.join("\t") + "\n")
        .concat(),
        "",
    );
    run("--emit components", b"a:\\\t\x7F\xE9\n".as_slice()).expect(
        0,
        [
            &b"-\t1\t1\t6\tfalse\ta:\\x5C\\x09\\x7F\\xE9"[..],
            &b"\t\\N".repeat(9),
            b"\tinvalid-character\tpath\t2\n",
        ]
        .concat(),
        "",
    );
}

#[test]
fn errors_as_json_lines() {
    let expected = r#"{"file":"-","line":2,"column":3,"length":12,"uri":"http://h/a b","error":{"kind":"space","component":"path","offset":10},"error_column":13,"message":"a space must be written %20"}
"#;
    run("--to jsonl --trim", "urn:a\n  http://h/a b\nurn:b\n").expect(1, expected, "");
}

#[test]
fn only_picks_rows() {
    let lines = |args: &str| {
        let run = run(args, MIXED);
        assert_eq!(run.status, 0);
        run.text().lines().map(|line| line.split('\t').nth(1).unwrap().parse().unwrap()).collect::<Vec<u32>>()
    };
    assert_eq!(lines("--emit offsets"), [1, 2, 3, 4, 5]);
    assert_eq!(lines("--emit offsets --only valid"), [1, 5]);
    assert_eq!(lines("--emit components --only invalid"), [2, 3, 4]);
}

#[test]
fn rows_and_errors_count_columns_of_the_line() {
    let input = "\u{FEFF}  http://h/a b \n\thttp://h/c\n";
    run("--trim", input).expect(1, "-:1:16: space: a space must be written %20\n", "");
    let run = run("--trim --emit offsets", input);
    let starts: Vec<_> = run.text().lines().map(|row| row.split('\t').nth(2).unwrap()).collect();
    assert_eq!(starts, ["6", "2"]);
}

#[test]
fn output_is_the_same_for_any_number_of_threads_and_any_way_in() {
    let mut input = String::new();
    for i in 0..60_000 {
        input += &match i % 7 {
            0 => format!("http://example.com/{i} {i}\n"),
            1 => format!("{i}\r\n"),
            2 => "\n".to_owned(),
            _ => format!("http://example.com/{}?{i}\n", "a".repeat(i % 50)),
        };
    }
    let dir = Dir::new();
    dir.write("list", &input);
    for emit in ["errors", "valid", "invalid", "components --to jsonl", "offsets"] {
        let expected = run(&format!("--emit {emit} -j1"), input.as_bytes());
        let rows = expected.stdout.iter().filter(|&&byte| byte == b'\n').count();
        assert!(rows > 10_000 && rows <= 60_000);
        assert_eq!(run(&format!("--emit {emit} -j4"), input.as_bytes()), expected, "{emit}");
        for args in ["-j1", "-j3", "-j3 --no-mmap"] {
            let mut found = dir.run(&format!("--emit {emit} {args} list"));
            let text = String::from_utf8(found.stdout).unwrap();
            let text = text.replace("\"file\":\"list\"", "\"file\":\"-\"");
            let unnamed = text.lines().map(|row| match emit {
                "errors" => row.replacen("list:", "-:", 1),
                "offsets" => row.replacen("list\t", "-\t", 1),
                _ => row.to_owned(),
            });
            let expected_lines: Vec<_> = expected.text().lines().collect();
            assert_eq!(unnamed.collect::<Vec<_>>(), expected_lines, "{emit} {args}");
            found.stdout = expected.stdout.clone();
            assert_eq!(found, expected);
        }
    }
}

#[test]
fn a_record_without_rows_of_its_own_does_not_exist() {
    for (input, records) in
        [("", 0), ("\n", 1), ("\n\n", 2), ("a", 1), ("a\n", 1), ("\u{FEFF}", 0), ("\u{FEFF}\n", 1), ("\r", 1)]
    {
        let run = run("--emit offsets", input);
        assert_eq!(run.text().lines().count(), records, "{input:?}");
    }
    run_with(["--emit", "offsets", "-g", "uri-reference"], "\n").expect(
        0,
        "-\t1\t1\t0\ttrue\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N\t0-0\t\\N\t\\N\t\\N\t\\N\t\\N\n",
        "",
    );
}

/// Tests that rows made from the columns of a whole chunk equal rows made record by record.
#[test]
fn rows_are_the_same_at_once_and_one_by_one() {
    const FORMS: &[&str] = &["text", "jsonl", "csv", "tsv"];

    let mut list = String::from("\u{FEFF}");
    let heads =
        ["", "http://", "//", "a:", "http://u@", "http://1.2.3.", "http://[::1]", "http://[v1.a]", "*", "é:"];
    let tails =
        ["", "4", "h:80", "h:", "h1/", "a_b", ":x", "/p?q#f", "/\"q\",\\", "é", "%zz", "@", "h/a\tb", "256/"];
    for head in heads {
        for tail in tails {
            list += &format!("{head}{tail}\n");
        }
    }
    let dir = Dir::new();
    dir.write("list", &list);
    dir.write("null", list.replace('\n', "\0").strip_prefix('\u{FEFF}').unwrap());
    dir.write("no-mark", list.strip_prefix('\u{FEFF}').unwrap());
    let kinds = ["components", "components --only valid", "offsets", "offsets --only invalid", "errors"];
    for (number, grammar) in Grammar::ALL.iter().enumerate() {
        for (kind, rows) in kinds.into_iter().enumerate() {
            // Each form with each grammar, and with each kind of rows.
            let one = (number + kind) % FORMS.len();
            let forms = if super::is_long() { FORMS } else { &FORMS[one..=one] };
            for form in forms {
                let args = format!("-f lines -g {grammar} --emit {rows} --to {form}");
                let at_once = dir.run(&format!("{args} list"));
                assert!(at_once.stdout.len() > 100);
                assert_eq!(dir.run(&format!("{args} --trim list")), at_once, "{args}");
                assert_eq!(dir.run(&format!("{args} --max-record 100 list")), at_once, "{args}");
                // Without the files' names, which differ.
                let args = args + " --columns line,column,length,error,uri";
                assert_eq!(
                    dir.run(&format!("{args} --null null")),
                    dir.run(&format!("{args} no-mark")),
                    "{args}"
                );
            }
        }
    }
}

/// Tests that the kinds in rows, which come from columns, are those that the parser finds.
#[test]
fn kinds_in_rows_are_those_of_the_parser() {
    let heads = [
        "",
        "http://",
        "//",
        "a:",
        "a:/",
        "http://u@",
        "http://1.2.3.",
        "http://[::1]",
        "http://[v1.a]",
        "*",
    ];
    let tails = ["", "4", "h:80", "h:", "h1/", "a_b", ":x", "/p?q#f", "é", "@", "256/", "?q", "#f", "h/[]"];
    let of_each = heads.iter().flat_map(|head| tails.iter().map(move |tail| format!("{head}{tail}")));
    let of_each: Vec<_> = of_each.collect();
    // Groups of mixed kinds, and groups of one kind.
    let alike = of_each.iter().flat_map(|record| vec![record.clone(); 130]);
    let records: Vec<_> = of_each.iter().cloned().chain(alike).collect();
    let dir = Dir::new();
    dir.write("list", records.join("\n"));
    for &grammar in Grammar::ALL {
        let columns = if grammar.has_opaque() { ",opaque,authority_kind" } else { "" };
        let mut expected = format!("line,host_kind{columns}\n");
        let mut registries = 0;
        for (record, line) in records.iter().zip(1..) {
            let Ok(parsed) = urivalidate::parse(grammar, record.as_bytes()) else { continue };
            let host_kind = parsed.host_kind().map_or("", |kind| kind.name());
            expected += &format!("{line},{host_kind}");
            if grammar.has_opaque() {
                let authority_kind = parsed.authority_kind().map_or("", |kind| kind.name());
                expected += &format!(",{},{authority_kind}", parsed.is_opaque());
                registries += usize::from(authority_kind == "registry");
            }
            expected.push('\n');
        }
        assert_eq!(registries > 0, grammar.has_opaque());
        let args = format!("-f lines -g {grammar} --emit components --only valid --to csv");
        assert_eq!(dir.run(&format!("{args} --columns line,host_kind{columns} list")).text(), expected);
    }
}

/// Tests that lines about one problem have their own numbers, of any length.
#[test]
fn errors_of_one_kind_have_their_own_places() {
    let text = |record: &str| {
        let run = run("--emit errors -f lines", format!("{record}\n"));
        assert!(run.text().starts_with("-:1:") && run.text().len() > 20);
        run.text().splitn(4, ':').nth(3).unwrap().to_owned()
    };
    let texts = [text("a:b c"), text("a:b<"), text("a:b\tc"), text("a:b%"), text("a:b{"), text("a:b|")];
    let (mut list, mut expected) = (String::new(), String::new());
    for line in 1..=12_000 {
        // Each problem comes after itself, and after each other one.
        let problem = line / 3 % (1 + line / 7 % texts.len());
        let column = 3 + line * line % 120;
        let (fault, rest) = [(" ", "c"), ("<", ""), ("\t", "c"), ("%", ""), ("{", ""), ("|", "")][problem];
        list += &format!("a:{}{fault}{rest}\n", "b".repeat(column - 3));
        let column = column + usize::from(fault == "%");
        expected += &format!("-:{line}:{column}:{}", texts[problem]);
    }
    run("--emit errors -f lines", list).expect(1, &expected, "");
}

/// Tests that the output does not depend on how records are judged: one by one if a chunk exceeds the limit
/// on records, otherwise all at once.
#[test]
fn whether_records_are_judged_at_once_must_not_show() {
    let sample = include_bytes!("../../../corpora/sample.txt");
    let limit = sample.len() / 3;
    let lines: Vec<_> = sample.split(|&byte| byte == b'\n').collect();
    assert!(lines.iter().all(|line| line.len() + 10 < limit));
    let spaces = lines.join(&b" \r\n\t\x0C "[..]);
    // The sample also contains NULs, and some records get line feeds.
    let nulls =
        lines.join(&0).iter().map(|&byte| if byte == b'%' { b'\n' } else { byte }).collect::<Vec<_>>();
    let dir = Dir::new();
    dir.write("lines", sample);
    dir.write("spaces", [b"\xEF\xBB\xBF ", &spaces[..]].concat());
    dir.write("nulls", [b"\xEF\xBB\xBF", &nulls[..]].concat());
    for separated in ["lines", "--trim spaces", "--null nulls", "--null --trim nulls"] {
        for grammar in ["uri", "java", "iri-reference", "request-target"] {
            for output in [
                "",
                "--fail-fast",
                "--emit valid",
                "--emit invalid",
                "--emit components --to jsonl",
                "--emit offsets --only valid",
                "--to csv",
                "--emit components --only invalid",
                "--stats=json --top-hosts 5",
            ] {
                let args = format!("-g {grammar} {output} {separated}");
                let [mut at_once, mut one_by_one] =
                    [dir.run(&args), dir.run(&format!("--max-record {limit} {args}"))];
                for run in [&mut at_once, &mut one_by_one] {
                    if output.starts_with("--stats") {
                        let mut stats = run.json();
                        let figures = stats.as_object_mut().unwrap();
                        assert!(figures.remove("elapsed_seconds").is_some());
                        assert!(figures.remove("bytes_per_second").is_some());
                        assert!(figures.remove("date").is_some() && figures.remove("command").is_some());
                        run.stdout = stats.to_string().into_bytes();
                    }
                }
                assert!(!at_once.stdout.is_empty(), "{args}");
                assert_eq!(at_once, one_by_one, "{args}");
            }
        }
    }
}

#[test]
fn components_come_one_a_line_of_records_that_have_them() {
    let list =
        "http://a.example:80/x?q#f\nurn:isbn:0451\nhttp://h/a b\nhttp://b.example/?\nhttp://u@c.example:";
    for (part, expected) in [
        ("uri", "http://a.example:80/x?q#f\nurn:isbn:0451\nhttp://b.example/?\nhttp://u@c.example:\n"),
        ("scheme", "http\nurn\nhttp\nhttp\n"),
        ("authority", "a.example:80\nb.example\nu@c.example:\n"),
        ("userinfo", "u\n"),
        ("host", "a.example\nb.example\nc.example\n"),
        // An empty component has a line, too.
        ("port", "80\n\n"),
        ("path", "/x\nisbn:0451\n/\n\n"),
        ("query", "q\n\n"),
        ("fragment", "f\n"),
    ] {
        for threads in ["-j1", "-j2"] {
            run(&format!("--emit {part} --no-notes {threads}"), list).expect(0, expected, "");
        }
        let null = run(&format!("--emit {part} -0"), list.replace('\n', "\0"));
        assert_eq!(null.text(), expected.replace('\n', "\0"), "{part}");
    }
    let list = "http://a_b/\nHTTP://[::1]/x\nbad uri\nmailto:c@d\nhttp://1.2.3.4\n";
    for threads in ["-j1", "-j2"] {
        run(&format!("--emit host_kind --no-notes {threads}"), list).expect(0, "reg-name\nipv6\nipv4\n", "");
        let java = |column| run(&format!("-g java --emit {column} --no-notes {threads}"), list);
        java("scheme_specific_part").expect(0, "//a_b/\n//[::1]/x\nc@d\n//1.2.3.4\n", "");
        java("authority_kind").expect(0, "registry\nserver\nserver\n", "");
    }
    assert_eq!(run("--emit scheme_specific_part", list).status, 2);
    // For a log, the field without its escapes; for several files, one after the other.
    let log = run("--emit query --from combined", &include_bytes!("../../../corpora/logs/combined.log")[..]);
    assert_eq!(log.status, 0);
    let dir = super::Dir::new();
    dir.write("one", "http://a/1");
    dir.write("two", b"\xEF\xBB\xBFhttp://b/2");
    dir.run("--emit host one two").expect(0, "a\nb\n", "");
    dir.run("--emit uri one two -o out").expect(0, "", "");
    assert_eq!(std::fs::read_to_string(dir.path().join("out")).unwrap(), "http://a/1\nhttp://b/2\n");
    let json = run("--emit uri", "{\"url\":\"http:\\/\\/a\\/\"}\n{\"url\":\"http://b/\"}\n");
    assert_eq!(json.text(), "http://a/\nhttp://b/\n");
    for args in [
        "--emit host --to csv",
        "--emit host --columns uri",
        "--emit host --only valid",
        "--emit host --kind space",
        "--emit hosts",
    ] {
        assert_eq!(run(args, list).status, 2, "{args}");
    }
}

/// Tests columns of numbers in each order, over many groups of rows: a cell must not keep what the cell in
/// its place had in the group before.
#[test]
fn columns_of_numbers_are_right_in_each_order() {
    let dir = Dir::new();
    let list: String =
        (1..=300).map(|number| format!("http://h/{}\n", "x".repeat(number * 7 % 120))).collect();
    dir.write("list", &list);
    let names = ["line", "column", "length"];
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let columns = order.map(|place| names[place]).join(",");
        let rows: String = list.lines().enumerate().fold(String::new(), |rows, (index, line)| {
            let values = [index + 1, 1, line.len()];
            rows + &order.map(|place| values[place].to_string()).join(",") + "\n"
        });
        for emit in ["components", "offsets"] {
            let args = format!("list --emit {emit} --columns {columns} --to csv");
            assert_eq!(dir.run(&args).stdout, format!("{columns}\n{rows}").into_bytes(), "{args}");
        }
    }
}

/// Tests the characters that a grammar forbids, each with the component in which it is.
#[test]
fn forbidden_characters_are_counted() {
    let list =
        "http://h/{a}\nhttp://h/?{\nhttp://h/{\nhttp://h/%zz\nhttp://h/#a#\nurn:\u{e9}\n//h\n".as_bytes();
    let list = [list, b"http://h/\xFF\nhttp://h:p/\n"].concat();
    let counts =
        "2\t{\tpath\n1\t#\tfragment\n1\t%\tpath\n1\t0xFF\tpath\n1\t{\tquery\n1\t}\tpath\n1\té\tpath\n";
    let found = run("--count character --no-notes", list.clone());
    assert_eq!(found.text(), counts);
    let json = run("--count character --to jsonl --top 1 --no-notes", list.clone());
    assert_eq!(json.text(), "{\"count\":2,\"character\":\"{\",\"error_component\":\"path\"}\n");
    let csv = run("--count character --to csv --top 1 --no-notes", list.clone());
    assert_eq!(csv.text(), "count,character,error_component\n2,{,path\n");
    let rows = run("--emit errors --columns line,character --to csv --no-notes", list.clone());
    assert_eq!(rows.text(), "line,character\n1,{\n2,{\n3,{\n4,%\n5,#\n6,é\n7,\n8,0xFF\n9,\n");
    let rows =
        run("--emit components --columns valid,character --to jsonl --no-notes", "urn:a\nurn:{\n//h\n");
    let expected = "{\"valid\":true,\"character\":null}\n{\"valid\":false,\"character\":\"{\"}\n{\"valid\":false,\"character\":null}\n";
    assert_eq!(rows.text(), expected);
    assert_eq!(run("--count character --only valid", "").status, 2);
    let distinct = run("--stats=json --distinct character --no-notes", list).json();
    assert_eq!(distinct["distinct"]["count"], 5, "{distinct}");
}
