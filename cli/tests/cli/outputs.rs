//! Tests the forms of rows, columns, and outputs to files.

use std::path::Path;

use super::{Dir, no_such_file, run};

const MIXED: &str = "http://u@h:80/a?b\nhttp://h/a, \"b\"\nurn:a\n//h?#";

#[test]
fn csv_has_a_header_and_tells_absent_from_empty() {
    let expected = "\
file,line,column,length,valid,uri,scheme,authority,userinfo,host,host_kind,port,path,query,fragment,error_kind,error_component,error_offset
-,1,1,17,true,http://u@h:80/a?b,http,u@h:80,u,h,reg-name,80,/a,b,,,,
-,2,1,15,false,\"http://h/a, \"\"b\"\"\",,,,,,,,,,space,path,11
-,3,1,5,true,urn:a,urn,,,,,,a,,,,,
-,4,1,5,true,//h?#,,h,,h,reg-name,,\"\",\"\",\"\",,,
";
    run("--emit components --to csv -g uri-reference", MIXED).expect(0, expected, "");
    // The output has a header even if it has no rows.
    run("--to csv", "").expect(
        0,
        "file,line,column,length,uri,error_kind,error_component,error_offset,error_column,message\n",
        "",
    );
    run("--to csv", "a b\n").expect(
        1,
        "file,line,column,length,uri,error_kind,error_component,error_offset,error_column,message\n\
         -,1,1,3,a b,missing-scheme,scheme,1,2,\"no scheme: a name and \"\":\"\" must come first, found a space\"\n",
        "",
    );
}

#[test]
fn csv_is_read_back_as_it_was() {
    let records: Vec<Vec<u8>> = (0..=255u8)
        .flat_map(|byte| {
            [vec![byte], vec![b'a', byte, b'"', byte], vec![b',', byte], vec![byte, b'\r', b'\n']]
        })
        .filter(|record| !record.contains(&0))
        .collect();
    let input: Vec<u8> = records.iter().flat_map(|record| record.iter().copied().chain([0])).collect();
    let run = run("--null --emit components --to csv --columns line,uri,error_kind -g uri-reference", input);
    assert_eq!(run.status, 0);
    let mut reader = csv::Reader::from_reader(&run.stdout[..]);
    assert_eq!(reader.headers().unwrap(), &["line", "uri", "error_kind"][..]);
    let rows: Vec<_> = reader.byte_records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), records.len());
    for (i, (row, record)) in rows.iter().zip(&records).enumerate() {
        assert_eq!(&row[0], (i + 1).to_string().as_bytes());
        assert_eq!(row[1].escape_ascii().to_string(), record.escape_ascii().to_string());
    }
}

#[test]
fn tsv_has_a_header_and_escapes_what_ends_cells_and_lines() {
    run(
        "--emit components --to tsv --columns line,uri,host,query -0 -g uri-reference",
        "//h?\0a\tb\\\r\nc\0",
    )
    .expect(0, "line\turi\thost\tquery\n1\t//h?\th\t\n2\ta\\tb\\\\\\r\\nc\t\\N\t\\N\n", "");
}

#[test]
fn columns_are_picked_and_ordered() {
    run("--emit offsets --columns host,line", MIXED).expect(0, "9-10\t1\n\\N\t2\n\\N\t3\n\\N\t4\n", "");
    run("--emit components --to jsonl --columns error_kind,uri,error_offset", "a b\n").expect(
        0,
        "{\"error_kind\":\"missing-scheme\",\"uri\":\"a b\",\"error_offset\":1}\n",
        "",
    );
    run("--columns line,error", "a b\n").expect(1, "1\tmissing-scheme\tscheme\t1\n", "");
    run("--emit offsets --to csv --columns uri,message,path", "urn:a\nhttp://h/ \n").expect(
        0,
        "uri,message,path\nurn:a,,4-5\nhttp://h/ ,a space at the end of the record; trimming removes it,\n",
        "",
    );
    // With all kinds, in JSON's order, the output is the same as without the option.
    for emit in ["errors", "components", "offsets"] {
        let all = run(&format!("--emit {emit} --to jsonl -g java"), "http://h/a\tb");
        let row: serde_json::Value = all.json();
        let mut keys: Vec<_> = row.as_object().unwrap().keys().map(String::as_str).collect();
        keys.sort_by_key(|key| all.text().find(&format!("\"{key}\":")));
        let picked =
            run(&format!("--emit {emit} --to jsonl -g java --columns {}", keys.join(",")), "http://h/a\tb");
        assert_eq!(picked, all);
    }
}

#[test]
fn an_unknown_column_is_a_usage_error_that_names_the_known_ones() {
    let run = run("--emit components --columns line,hots", "");
    assert_eq!((run.status, run.text()), (2, ""));
    assert!(
        run.stderr.contains("unknown column \"hots\": expected one of file, line, column,"),
        "{}",
        run.stderr
    );
    for args in [
        "--columns line,line",
        "--columns error,error_kind",
        "--columns ,",
        "--emit valid --columns line",
        "--emit components --columns opaque",
        "--stats --columns line",
    ] {
        assert_eq!(super::run(args, "").status, 2, "{args}");
    }
}

#[test]
fn files_are_written_in_the_same_pass() {
    let dir = Dir::new();
    let mut input = String::new();
    for i in 0..50_000 {
        input += &match i % 5 {
            0 => format!("http://example.com/{i} {i}\r\n"),
            1 => "\n".to_owned(),
            _ => format!("http://example.com/{i}\n"),
        };
    }
    dir.write("list", &input);
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    let expected =
        ["valid", "invalid", "errors"].map(|emit| dir.run(&format!("--emit {emit} list")).text().to_owned());
    for args in ["-j1", "-j4", "-j2 --trim", "-j2 --emit components", "-j2 --no-mmap --stats --emit none"] {
        let run = dir.run(&format!("--valid v --invalid i --errors e {args} list"));
        assert_eq!([read("v"), read("i"), read("e")], expected, "{args}");
        if args == "-j1" {
            assert_eq!((run.status, run.text()), (1, &expected[2][..]));
        } else if args.contains("components") {
            assert_eq!((run.status, run.text().lines().count()), (0, 50_000));
        }
    }
    // The form of rows applies to all outputs with rows, the columns first to standard output.
    dir.run("--emit none --errors e --to csv --columns line,error_kind list");
    assert_eq!(read("e").lines().count(), 20_001);
    assert!(read("e").starts_with("line,error_kind\n1,space\n2,empty\n6,space\n"));
    dir.run("--emit offsets --errors e --to jsonl --columns line list");
    assert!(read("e").starts_with("{\"file\":\"list\",\"line\":1,\"column\":1,"));
    // The old content of a file is removed, even if the output is empty.
    dir.write("good", "urn:a\n");
    dir.run("--emit none --errors e --invalid i good").expect(0, "", "");
    assert_eq!((read("e"), read("i")), (String::new(), String::new()));
}

#[test]
fn a_hyphen_is_standard_output() {
    for what in ["valid", "invalid", "errors"] {
        assert_eq!(run(&format!("--{what} -"), MIXED), run(&format!("--emit {what}"), MIXED));
    }
    let dir = Dir::new();
    dir.write("list", MIXED);
    let run = dir.run("--valid - --errors e --stats=json list");
    assert_eq!((run.status, run.text()), (0, "http://u@h:80/a?b\nurn:a\n"));
    assert!(run.stderr.contains("\"records\":4,"), "statistics make way");
    assert_eq!(std::fs::read_to_string(dir.path().join("e")).unwrap().lines().count(), 2);
}

#[test]
fn two_outputs_to_one_place_and_outputs_over_inputs_are_usage_errors() {
    let dir = Dir::new();
    dir.write("list", "urn:a\n");
    dir.write("out", "kept");
    dir.write("names", "list\n");
    std::fs::hard_link(dir.path().join("out"), dir.path().join("same")).unwrap();
    for args in [
        "--valid new --invalid new list",
        "--valid - --errors - list",
        "--emit valid --invalid - list",
        "--emit errors --errors - list",
        "--valid out --errors same list",
        "--valid list list",
        "--emit none --errors ./list list",
        "--valid list --files-from names",
        "--quiet --valid new list",
    ] {
        let run = dir.run(args);
        assert_eq!((run.status, run.text()), (2, ""), "{args}");
        assert!(run.stderr.starts_with("error: "), "{args}: {}", run.stderr);
    }
    assert_eq!(std::fs::read(dir.path().join("list")).unwrap(), b"urn:a\n");
    assert_eq!(std::fs::read(dir.path().join("out")).unwrap(), b"kept");
    assert!(!Path::new(&dir.path().join("new")).exists());
    // A device may be named several times.
    #[cfg(unix)]
    dir.run("--valid /dev/null --emit none list").expect(0, "", "");
}

#[test]
fn a_file_that_cannot_be_written_ends_the_run_before_it_begins() {
    let dir = Dir::new();
    dir.write("list", "x\n");
    dir.run("--valid no/such/file list").expect(
        2,
        "",
        &format!("urivalidate: no/such/file: {}\n", no_such_file("no/such/file")),
    );
}

/// Tests that two names of one file are recognised once the file exists, in any spelling.
#[cfg(unix)]
#[test]
fn outputs_that_are_one_file_are_refused_before_anything_is_written() {
    let dir = Dir::new();
    dir.write("list", "urn:a\nbad\n");
    std::fs::create_dir(dir.path().join("d")).unwrap();
    std::os::unix::fs::symlink("target", dir.path().join("link")).unwrap();
    std::os::unix::fs::symlink("d/../target", dir.path().join("other")).unwrap();
    for args in [
        "--valid o --invalid ./o list",
        "--valid d/../o --errors o list",
        "--valid link --invalid target list",
        "--valid link --invalid other list",
        "--invalid new --emit none new",
        "--valid target link",
    ] {
        let run = dir.run(args);
        assert_eq!((run.status, run.text()), (2, ""), "{args}");
        assert!(run.stderr.starts_with("error: "), "{args}: {}", run.stderr);
        // Files that were created to find this out are removed, but the links stay.
        let mut left: Vec<_> =
            std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["d", "link", "list", "other"], "{args}");
    }
}

#[cfg(unix)]
#[test]
fn an_output_that_is_a_standard_stream_or_the_list_of_files_is_refused() {
    let dir = Dir::new();
    let lines = "urn:a\nbad\n";
    dir.write("list", lines);
    dir.write("names", "list\n");
    let open = |name: &str| {
        std::fs::OpenOptions::new().append(true).create(true).open(dir.path().join(name)).unwrap()
    };
    let run = |args: &str, stdout: Option<&str>, stderr: Option<&str>| {
        let mut command = super::process();
        command.args(args.split(' ')).current_dir(dir.path());
        stdout.map(|name| command.stdout(open(name)));
        stderr.map(|name| command.stderr(open(name)));
        command.output().unwrap().status.code()
    };
    for args in [
        "--stats --valid out list",
        "--emit none --stats --errors ./out list",
        "--emit components --valid out list",
        "--stats out",
    ] {
        assert_eq!(run(args, Some("out"), None), Some(2), "{args}");
        assert_eq!(std::fs::read(dir.path().join("out")).unwrap(), b"", "{args}");
    }
    assert_eq!(run("--emit none --valid out list", None, Some("out")), Some(2));
    assert_eq!(run("--stats --valid names --files-from names", None, None), Some(2));
    assert_eq!(std::fs::read(dir.path().join("names")).unwrap(), b"list\n");
    // Both streams may be one file, since the caller arranged it.
    assert_eq!(run("--emit components --stats list", Some("both"), Some("both")), Some(0));
    // Here a standard stream is also the input.
    assert_eq!(run("--emit valid list", Some("list"), None), Some(2));
    assert_eq!(run("--stats list", Some("list"), None), Some(2));
    assert_eq!(std::fs::read_to_string(dir.path().join("list")).unwrap(), lines);
}

#[test]
fn outputs_keep_what_is_in_them_until_an_input_has_opened() {
    let dir = Dir::new();
    dir.write("list", "urn:a\nbad\n");
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    std::fs::create_dir(dir.path().join("directory")).unwrap();
    for args in ["missing", "directory missing", "--files-from missing"] {
        dir.write("v", "kept");
        let run = dir.run(&format!("--emit none --valid v --errors e --to csv {args}"));
        assert_eq!((run.status, run.text()), (2, ""), "{args}");
        // A new file has only its header.
        assert!(read("e").starts_with("file,line,") && read("e").lines().count() == 1, "{args}");
        assert_eq!(read("v"), "kept", "{args}");
        std::fs::remove_file(dir.path().join("e")).unwrap();
    }
    assert_eq!(dir.run("--emit none --valid v missing list").status, 2);
    assert_eq!(read("v"), "urn:a\n");
    // The content of a longer file is removed.
    dir.write("v", "urn:b\n".repeat(100));
    dir.run("--emit none --valid v list").expect(0, "", "");
    assert_eq!(read("v"), "urn:a\n");
}

/// Tests that rows of records after many of their kind, which are written by other steps, equal rows among
/// all kinds.
#[test]
fn rows_do_not_depend_on_the_records_around_them() {
    let kinds = [
        "http://h/p",
        "http://u@h:80/p?q#f",
        "//h",
        "/a?b",
        "mailto:x",
        "http://h/p#f",
        "http://h?q",
        "",
        "a b",
        "http://h/,",
        "\u{e9}",
        "//u@h:1",
        "#f",
        "http://[::1]/x",
    ];
    let count = 150;
    let in_runs: Vec<&str> = kinds.iter().flat_map(|&kind| std::iter::repeat_n(kind, count)).collect();
    let mixed: Vec<&str> = (0..count).flat_map(|_| kinds).collect();
    for form in ["text", "csv", "tsv", "jsonl"] {
        for emit in ["components", "offsets"] {
            for columns in ["", "--columns column,uri,port,query", "--columns fragment,host_kind,scheme"] {
                let rows = |records: &[&str]| -> Vec<String> {
                    let input = records.join("\n") + "\n";
                    let run = run(&format!("-g iri-reference --emit {emit} --to {form} {columns}"), input);
                    let rows = String::from_utf8(run.stdout).unwrap();
                    let headers = usize::from(matches!(form, "csv" | "tsv"));
                    // The line number is the second cell.
                    let without_line = |row: &str| match row.match_indices([',', '\t']).nth(1) {
                        Some((at, _)) if columns.is_empty() => row[at..].to_owned(),
                        _ => row.to_owned(),
                    };
                    rows.lines().skip(headers).map(without_line).collect()
                };
                let (in_runs, mixed) = (rows(&in_runs), rows(&mixed));
                assert_eq!(
                    (in_runs.len(), mixed.len()),
                    (kinds.len() * count, kinds.len() * count),
                    "{form} {columns}"
                );
                for (i, row) in in_runs.iter().enumerate() {
                    assert_eq!(*row, mixed[i / count], "{emit} {form} {columns}");
                    assert_eq!(*row, mixed[i % count * kinds.len() + i / count], "{emit} {form} {columns}");
                }
            }
        }
    }
}
