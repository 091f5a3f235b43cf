//! Tests rows as record batches, and files that are put in place when they are complete.

use std::fs;
#[cfg(unix)]
use std::io::Write;
use std::path::Path;
#[cfg(unix)]
use std::process::Stdio;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_ipc::reader::StreamReader;

use crate::{Dir, process, run};

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn read_stream(stream: &[u8]) -> Vec<RecordBatch> {
    let reader = StreamReader::try_new(stream, None).unwrap();
    let metadata = reader.schema().metadata().clone();
    assert_eq!(metadata["version"], env!("CARGO_PKG_VERSION"));
    assert!(metadata.contains_key("format") && metadata.contains_key("grammar"));
    reader.map(Result::unwrap).collect()
}

/// Returns true if the rows of all these batches are the same, whatever the batches.
fn have_same_rows(one: &[RecordBatch], other: &[RecordBatch]) -> bool {
    let mut others = other.iter();
    let mut rest = others.next().map(|batch| batch.slice(0, batch.num_rows()));
    for batch in one {
        let mut first = 0;
        while first < batch.num_rows() {
            let Some(left) = rest.take() else { return false };
            let rows = left.num_rows().min(batch.num_rows() - first);
            if left.slice(0, rows) != batch.slice(first, rows) {
                return false;
            }
            first += rows;
            rest = match left.num_rows() - rows {
                0 => others.next().cloned(),
                more => Some(left.slice(rows, more)),
            };
        }
    }
    rest.is_none()
}

/// Tests chunks that have many more lines than a sample of them suggests: the lines of a mapped file are not
/// counted before.
#[test]
fn a_chunk_with_more_lines_than_its_sample_suggests_has_all_rows() {
    /// The sample is the start of each quarter of a chunk: of 128 KiB for text, of 256 KiB for record
    /// batches.
    const QUARTER: usize = 32 << 10;

    let dir = Dir::new();
    let long = format!("http://h/{}?q\n", "a".repeat(200)).repeat(40);
    let part = [long.as_str(), &"a:\n".repeat((QUARTER - long.len()) / 3)].concat();
    dir.write("list", format!("{part:\n<QUARTER$}").repeat(24) + "b a\n");
    let rows = |args: &str| read_stream(&dir.run(&format!("list {args} --to arrow")).stdout);
    let count = |batches: &[RecordBatch]| batches.iter().map(RecordBatch::num_rows).sum::<usize>();
    for emit in ["--emit components", "--emit offsets --only valid"] {
        let read = rows(&format!("{emit} --no-mmap"));
        assert!(count(&read) > 150_000, "{}", count(&read));
        for threads in ["--threads 1", "--threads 2"] {
            let mapped = rows(&format!("{emit} {threads}"));
            assert!(have_same_rows(&mapped, &read));
            assert!(!have_same_rows(&mapped[1..], &read));
            // A batch has at most this number of rows, however many the chunk has.
            let most = mapped.iter().map(RecordBatch::num_rows).max().unwrap();
            assert!((20_000..=32 << 10).contains(&most), "{most}");
            for form in ["csv", "text", "jsonl"] {
                let [mapped, read] =
                    ["", "--no-mmap"].map(|how| dir.run(&format!("list {emit} {threads} --to {form} {how}")));
                assert!(mapped.stdout == read.stdout, "{emit} {threads} {form}");
                assert_eq!(mapped.status, read.status);
            }
        }
    }
}

#[test]
fn suggestions_are_a_column() {
    let list = "http://h/a b\nhttp://h/\nhttp://[/\nhttp://h/a\\b\n";
    let column = |args: &str| {
        let batch = read_stream(&run(&format!("{args} --to arrow"), list).stdout).remove(0);
        let text = batch.column_by_name("suggestion").unwrap().as_string::<i32>().clone();
        (batch.num_columns(), text.iter().map(|text| text.map(str::to_owned)).collect::<Vec<_>>())
    };
    let [first, last] = ["http://h/a%20b", "http://h/a/b"].map(|text| Some(text.to_owned()));
    assert_eq!(column("--suggest"), (12, vec![first.clone(), None, last.clone()]));
    assert_eq!(column("--columns line,suggestion"), (2, vec![first.clone(), None, last.clone()]));
    assert_eq!(
        column("--emit components --columns valid,suggestion"),
        (2, vec![first.clone(), None, None, last.clone()])
    );
    let malformed = run("--from jsonl --suggest --to arrow", "[\n{\"url\":\"http://h/a b\"}\n");
    let batch = read_stream(&malformed.stdout).remove(0);
    assert_eq!(batch.column(11).as_string::<i32>().iter().collect::<Vec<_>>(), [None, first.as_deref()]);
}

/// Tests that each form names the reason why a line does not fit its format, and that the names can be
/// counted.
#[test]
fn reasons_are_a_column() {
    let log = "{\"url\":1}\n{\"url\":\"http://h/a b\"}\n[\n";
    let rows =
        "line,error_kind,reason\n1,malformed-line,not-a-string\n2,space,\n3,malformed-line,not-an-object\n";
    run("--from jsonl --to csv --columns line,error_kind,reason", log).expect(1, rows, "");
    let batch = read_stream(&run("--from jsonl --columns reason --to arrow", log).stdout).remove(0);
    let reasons: Vec<_> = batch.column(0).as_string::<i32>().iter().collect();
    assert_eq!(reasons, [Some("not-a-string"), None, Some("not-an-object")]);
    let counts = run("--from jsonl --count reason", log).text().to_owned();
    assert!(counts.contains("not-a-string") && counts.contains("not-an-object"), "{counts}");
    // Rows of records have no such column.
    assert_eq!(run("--emit components --columns reason", log).status, 2);
}

/// Tests the column `uri_bytes` for all kinds of data, and all places of the column `uri`.
#[test]
fn what_is_not_utf_8_comes_with_the_uri() {
    let fields = |args: &str, list: &[u8]| {
        let batch = read_stream(&run(&format!("--emit {args} --to arrow"), list).stdout).remove(0);
        let names: Vec<_> = batch.schema().fields().iter().map(|field| field.name().clone()).collect();
        let bytes = batch.column_by_name("uri_bytes").unwrap().as_binary::<i32>();
        (names.join(","), bytes.iter().map(|bytes| bytes.map(<[u8]>::to_vec)).collect::<Vec<_>>())
    };
    let broken = b"http://h/\xFF".to_vec();
    for emit in ["components", "offsets", "errors"] {
        let of = |columns: &str, list: &[u8]| fields(&format!("{emit} --columns {columns}"), list);
        assert_eq!(of("line,uri", &broken), ("line,uri,uri_bytes".to_owned(), vec![Some(broken.clone())]));
        assert_eq!(of("uri,line", b"h "), ("uri,uri_bytes,line".to_owned(), vec![None]));
        assert_eq!(of("uri_bytes,line,uri", b"h "), ("uri_bytes,line,uri".to_owned(), vec![None]));
        assert_eq!(of("uri_bytes", &broken), ("uri_bytes".to_owned(), vec![Some(broken.clone())]));
        assert_eq!(run(&format!("--emit {emit} --to arrow --columns uri,uri"), "h ").status, 2);
    }
}

#[test]
fn an_arrow_stream_has_the_rows_of_all_files() {
    let dir = Dir::new();
    let mut list = String::new();
    for i in 0..30_000 {
        list += &if i % 3 == 0 { format!("no uri {i}\n") } else { format!("http://h{i}/\n") };
    }
    fs::write(dir.path().join("a"), &list).unwrap();
    fs::write(dir.path().join("b"), "urn:x\nhttp://h/").unwrap();
    for threads in ["-j1", "-j3"] {
        let mut process = process();
        process.args(["--emit", "components", "--to", "arrow", "--grammar", "uri", threads, "a", "b"]);
        let done = process.current_dir(dir.path()).output().unwrap();
        assert_eq!((done.status.code(), &done.stderr[..]), (Some(0), &b""[..]));
        let mut rows = Vec::new();
        let batches = read_stream(&done.stdout);
        for batch in &batches {
            let text = |name: &str| batch.column_by_name(name).unwrap().as_string::<i32>();
            let lines = batch.column_by_name("line").unwrap().as_primitive::<Int64Type>();
            let hosts = text("host").iter().zip(text("file"));
            rows.extend(
                hosts
                    .zip(lines.values())
                    .map(|((host, file), line)| (file.unwrap().to_owned(), *line, host.map(str::to_owned))),
            );
        }
        assert_eq!(rows.len(), 30_002);
        for (i, (file, line, host)) in rows[..30_000].iter().enumerate() {
            let expected = (i % 3 != 0).then(|| format!("h{i}"));
            assert_eq!((file.as_str(), *line, host), ("a", i as i64 + 1, &expected));
        }
        assert_eq!(rows[30_000], ("b".to_owned(), 1, None));
        assert_eq!(rows[30_001], ("b".to_owned(), 2, Some("h".to_owned())));
    }
}

#[test]
fn a_stream_without_rows_has_a_schema() {
    let run = run("--to arrow --columns line,error", "http://h/\n");
    assert_eq!((run.status, read_stream(&run.stdout).len()), (0, 0));
    let schema = StreamReader::try_new(&run.stdout[..], None).unwrap().schema();
    let names: Vec<_> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    assert_eq!(names, ["line", "error_kind", "error_component", "error_offset"]);
}

#[test]
fn an_output_takes_its_place_when_it_is_complete() {
    let dir = Dir::new();
    let output = dir.path().join("out");
    let emit = |input: &[&str]| {
        let mut process = process();
        process.args(["--emit", "valid", "--output", "out"]).args(input).current_dir(dir.path());
        process.output().unwrap()
    };
    fs::write(dir.path().join("list"), "urn:x\nno uri\n").unwrap();
    let done = emit(&["list"]);
    assert_eq!((done.status.code(), &done.stdout[..]), (Some(0), &b""[..]));
    assert_eq!(fs::read(&output).unwrap(), b"urn:x\n");
    assert_eq!(names(dir.path()), ["list", "out"]);

    // A run that fails, even in part, changes nothing, and says so.
    fs::write(&output, "old").unwrap();
    let done = emit(&["list", "missing"]);
    assert_eq!(done.status.code(), Some(2));
    let stderr = String::from_utf8(done.stderr).unwrap();
    let expected = "urivalidate: out: stays as it was, because the run failed; --valid FILE, or a shell's >, keeps the rows that could be read\n";
    assert!(stderr.ends_with(expected), "{stderr}");
    assert_eq!(fs::read(&output).unwrap(), b"old");
    let done = emit(&["out"]);
    assert_eq!(done.status.code(), Some(2));
    let stderr = String::from_utf8(done.stderr).unwrap();
    assert!(stderr.contains("--output would overwrite out, which is an input"), "{stderr}");
    assert_eq!(fs::read(&output).unwrap(), b"old");
    assert_eq!(names(dir.path()), ["list", "out"]);
}

#[cfg(unix)]
#[test]
fn an_output_is_as_the_file_that_it_replaces() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let dir = Dir::new();
    let path = |name: &str| dir.path().join(name);
    fs::create_dir(path("folder")).unwrap();
    fs::write(path("folder/file"), "old").unwrap();
    fs::set_permissions(path("folder/file"), PermissionsExt::from_mode(0o604)).unwrap();
    symlink("folder/file", path("link")).unwrap();
    let emit = |to: &str| {
        let mut process = process();
        process.args(["--emit", "valid", "--output", to]).current_dir(dir.path());
        let mut child = process.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(b"urn:x\n").unwrap();
        let done = child.wait_with_output().unwrap();
        assert_eq!(done.status.code(), Some(0));
        done.stdout
    };
    emit("link");
    assert_eq!(fs::read(path("folder/file")).unwrap(), b"urn:x\n");
    assert_eq!(fs::metadata(path("folder/file")).unwrap().permissions().mode() & 0o777, 0o604);
    assert!(fs::symlink_metadata(path("link")).unwrap().is_symlink());
    assert_eq!(names(&path("folder")), ["file"]);
    // The file has the mode of any new file.
    emit("new");
    fs::write(path("other"), "").unwrap();
    let mode = |name| fs::metadata(path(name)).unwrap().permissions().mode();
    assert_eq!(mode("new"), mode("other"));
    // A target that is not a regular file is written directly.
    assert_eq!(emit("/dev/stdout"), b"urn:x\n");
    assert_eq!(emit("-"), b"urn:x\n");
}

#[cfg(unix)]
#[test]
fn a_signal_leaves_no_output() {
    let dir = Dir::new();
    let interrupt = |args: &str, files: usize| {
        let mut process = process();
        process.args(args.split(' ')).current_dir(dir.path());
        let mut child = process.stdin(Stdio::piped()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(b"urn:x:1\n").unwrap();
        while names(dir.path()).len() == files {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let kill = std::process::Command::new("kill").arg("-TERM").arg(child.id().to_string()).status();
        assert!(kill.unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(143), "{args}");
    };
    for args in ["--emit components --to arrow --output out", "--report page.html"] {
        interrupt(args, 0);
        assert_eq!(names(dir.path()), [""; 0], "{args}");
    }
    fs::write(dir.path().join("page.html"), "old").unwrap();
    interrupt("--report page.html", 1);
    assert_eq!(names(dir.path()), ["page.html"]);
    assert_eq!(fs::read(dir.path().join("page.html")).unwrap(), b"old");
}

#[test]
fn what_does_not_go_together_is_said() {
    for (args, said) in [
        ("--stats --output x", "nothing to write: --output needs --emit or --count"),
        ("--quiet --output x", "nothing to write: --output needs --emit or --count"),
        ("--count host --to arrow", "--count writes text, csv, tsv or jsonl"),
        (
            "--emit valid --to arrow",
            "--to needs rows: --emit errors, components, offsets, --errors or --count",
        ),
        ("--emit offsets --to arrow --columns hots", "unknown field \"hots\": expected one of file, line,"),
    ] {
        let run = run(args, "");
        assert_eq!(run.status, 2, "{args}");
        assert!(run.stderr.contains(said), "{args}: {}", run.stderr);
    }
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_command_without_parquet_says_how_to_get_it() {
    let run = run("--emit components --to parquet", "");
    assert_eq!((run.status, run.text()), (2, ""));
    assert!(run.stderr.contains("from a checkout"), "{}", run.stderr);
    assert!(run.stderr.contains("cargo install --path cli --features parquet"), "{}", run.stderr);
}

#[cfg(feature = "parquet")]
#[test]
fn a_parquet_file_is_whole() {
    let run = run("--emit components --to parquet", "urn:x\n");
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.starts_with(b"PAR1") && run.stdout.ends_with(b"PAR1"));
}
