//! Tests the sources of the input.

#[cfg(unix)]
use std::process::{Child, Stdio};

use super::{Dir, run};

#[test]
fn files_are_scanned_in_the_order_given() {
    let dir = Dir::new();
    dir.write("b", "bad b\n");
    dir.write("a", "urn:a\n\nbad a");
    let run = dir.run("b a b");
    let places: Vec<_> = run.text().lines().map(|line| line.split(": ").next().unwrap()).collect();
    assert_eq!(places, ["b:1:4", "a:2:1", "a:3:4", "b:1:4"]);
}

#[test]
fn standard_input_is_one_of_them() {
    let dir = Dir::new();
    dir.write("a", "a\n");
    let mut command = super::command();
    command.current_dir(dir.path()).args(["a", "-", "a"]).write_stdin("b\n");
    let run = super::finish(&mut command);
    let places: Vec<_> = run.text().lines().map(|line| line.split(": ").next().unwrap()).collect();
    assert_eq!(places, ["a:1:2", "-:1:2", "a:1:2"]);
}

#[test]
fn an_empty_file_is_fine() {
    let dir = Dir::new();
    dir.write("empty", "");
    dir.run("empty").expect(0, "", "");
    dir.run("empty empty -q").expect(0, "", "");
    run("", "").expect(0, "", "");
}

#[test]
fn names_are_shown_as_they_are() {
    let dir = Dir::new();
    dir.write("a b\u{e9}", "x\n");
    let mut command = super::command();
    command.current_dir(dir.path()).arg("a b\u{e9}");
    let message = ":1:2: missing-scheme: no scheme: the record ends before a \":\"\n";
    super::finish(&mut command).expect(1, format!("a b\u{e9}{message}"), "");
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_text_are_escaped_in_json() {
    use std::os::unix::ffi::OsStrExt;
    let dir = Dir::new();
    let name = std::ffi::OsStr::from_bytes(b"\xFF\t");
    std::fs::write(dir.path().join(name), "urn:a\n").unwrap();
    let row = |form: &str| {
        let mut command = super::command();
        command.current_dir(dir.path()).args(["--emit", "offsets", "--to", form]).arg(name);
        super::finish(&mut command)
    };
    assert_eq!(row("jsonl").json()["file"], serde_json::json!({"bytes": "/wk="}));
    assert!(row("text").stdout.starts_with(b"\\xFF\\x09\t1\t1\t5\ttrue\t"));
}

/// Tests names with a line end, which would forge a line, with ESC, which would reach the terminal, and with
/// an override, which would reverse the text.
#[cfg(target_os = "linux")]
#[test]
fn names_and_components_are_escaped_wherever_people_read_them() {
    use std::os::unix::ffi::OsStrExt;

    let dir = Dir::new();
    let hostile = "a\n\u{1B}[2J\u{7F}\u{9B}\u{202E}\u{200B}\u{2028}\u{2066}\u{FEFF}é\u{301}\\";
    let raw = [hostile.as_bytes(), b"\x9B"].concat();
    let name = std::ffi::OsStr::from_bytes(&raw);
    let shown = "a\\x0A\\x1B[2J\\x7F\\xC2\\x9B\\xE2\\x80\\xAE\\xE2\\x80\\x8B\\xE2\\x80\\xA8\\xE2\\x81\\xA6\\xEF\\xBB\\xBFé\u{301}\\\\x9B";
    let run = |args: &str, input: &[u8]| {
        std::fs::write(dir.path().join(name), input).unwrap();
        let mut command = super::command();
        command.current_dir(dir.path()).args(args.split_whitespace()).arg(name);
        super::finish(&mut command)
    };
    let message = ":1:2: missing-scheme: no scheme: the record ends before a \":\"\n";
    run("", b"x\n").expect(1, format!("{shown}{message}"), "");
    assert!(run("--stats", b"x\n").text().contains(&format!("{shown}:1")));
    run("missing/", b"").expect(2, "", "urivalidate: missing/: No such file or directory\n");
    let missing = [b"missing", &raw[..]].concat();
    let mut command = super::command();
    command.current_dir(dir.path()).arg(std::ffi::OsStr::from_bytes(&missing));
    super::finish(&mut command).expect(
        2,
        "",
        &format!("urivalidate: missing{shown}: No such file or directory\n"),
    );
    // A note names the guessed format of the file.
    let log = b"192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] \"GET /a HTTP/1.1\" 200 0\n".repeat(3);
    assert_eq!(
        run("", &log).stderr,
        format!(
            "urivalidate: {shown}: read as common (3 of 3 lines fit), grammar request-target; --from and --grammar choose others\n"
        )
    );
    // In rows a backslash is escaped, too.
    let cell = shown.replace("é\u{301}\\\\x9B", "é\u{301}\\x5C\\x9B");
    let row = run("--emit components -g iri --columns file,uri,host", b"http://h/\xE2\x80\xAE\n");
    row.expect(0, format!("{cell}\thttp://h/\\xE2\\x80\\xAE\th\n"), "");
    run("--emit components -g java --columns path", "http://h/é\u{94D}\u{FEFF}\n".as_bytes()).expect(
        0,
        "/é\u{94D}\\xEF\\xBB\\xBF\n",
        "",
    );
    run("--columns uri", b"a\x9B\xC2\x9B\n").expect(1, "a\\x9B\\xC2\\x9B\n", "");
    // The message names an option that would overwrite the file.
    let refused = run("--valid", b"urn:a\n");
    assert_eq!(refused.status, 0, "it is the output, and standard input is empty");
    let mut command = super::command();
    command.current_dir(dir.path()).arg("--valid").arg(name).arg(name);
    let refused = super::finish(&mut command);
    assert!(
        refused.stderr.contains(&format!("--valid would overwrite {shown}, which is an input")),
        "{}",
        refused.stderr
    );
    // Machine-readable forms are exact.
    let exact = run("--emit components --to tsv -g java --columns uri", "http://h/\u{202E}\n".as_bytes());
    exact.expect(0, "uri\nhttp://h/\u{202E}\n", "");
}

#[cfg(unix)]
#[test]
fn a_fifo_is_read() {
    let dir = Dir::new();
    let fifo = dir.fifo("fifo");
    let content = "urn:a\n".repeat(300_000) + "bad";
    let writer = std::thread::spawn({
        let fifo = fifo.clone();
        move || std::fs::write(fifo, content).unwrap()
    });
    let run = dir.run("fifo");
    writer.join().unwrap();
    assert!(run.text().starts_with("fifo:300001:4: missing-scheme"), "{}", run.text());
}

#[cfg(unix)]
#[test]
fn dev_stdin_is_read() {
    run("/dev/stdin --emit valid", "urn:a\nb\n").expect(0, "urn:a\n", "");
}

#[cfg(unix)]
#[test]
fn standard_input_goes_on_where_it_stands() {
    use std::io::{Seek, SeekFrom};
    let dir = Dir::new();
    let path = dir.write("list", "not read\nurn:a\n");
    let mut file = std::fs::File::open(path).unwrap();
    file.seek(SeekFrom::Start(9)).unwrap();
    let output = super::process().arg("--no-notes").stdin(file).output().unwrap();
    assert_eq!((output.status.code(), output.stdout, output.stderr), (Some(0), vec![], vec![]));
}

/// Tests that users who type records see each verdict at once.
#[cfg(unix)]
#[test]
fn a_slow_writer_gets_answers_in_between() {
    let mut child = super::process()
        .args(["--emit", "valid", "-j2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let output = child.stdout.take().unwrap();
    answers_in_between(child, output);
}

/// Tests that the first URI of a list settles its format, for any output.
#[cfg(unix)]
#[test]
fn a_slow_list_of_uris_gets_answers_in_between() {
    use std::io::{BufRead, BufReader, Write};
    for (args, line, expected) in [
        ("--emit valid -j1", "http://a.example/", "http://a.example/"),
        ("--emit host -j1", "http://a.example/", "a.example"),
        ("--emit host -j2", "https://a.example/x?q=1,2&r", "a.example"),
        ("--emit components --columns scheme", "http://a.example/", "http"),
    ] {
        let mut process = super::process();
        process.args(args.split(' ')).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = process.spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        for _ in 0..3 {
            writeln!(input, "{line}").unwrap();
            let mut answer = String::new();
            output.read_line(&mut answer).unwrap();
            assert_eq!(answer, format!("{expected}\n"), "{args}");
        }
        drop(input);
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
}

/// Tests lines that match no format: they are a list as soon as three of them look like one.
#[cfg(unix)]
#[test]
fn a_slow_list_of_hosts_gets_answers_after_three_lines() {
    use std::io::{BufRead, BufReader, Write};
    for line in ["www.a.example", "http://a.example/ b", " http://a.example/"] {
        let mut process = super::process();
        process.args(["--emit", "invalid"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = process.spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        for lines in [3, 1] {
            input.write_all(format!("{line}\n").repeat(lines).as_bytes()).unwrap();
            for _ in 0..lines {
                let mut answer = String::new();
                output.read_line(&mut answer).unwrap();
                assert_eq!(answer, format!("{line}\n"));
            }
        }
        drop(input);
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
}

/// Writes pieces to a process with short pauses between them, and returns its output and its status.
#[cfg(unix)]
fn in_pieces<'p>(args: &str, pieces: impl Iterator<Item = &'p [u8]>) -> (Option<i32>, Vec<u8>, Vec<u8>) {
    use std::io::Write;
    let mut process = super::process();
    process.args(args.split(' ').filter(|arg| !arg.is_empty()));
    process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = process.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    for piece in pieces {
        input.write_all(piece).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    drop(input);
    let output = child.wait_with_output().unwrap();
    (output.status.code(), output.stdout, output.stderr)
}

/// Tests that the format does not depend on the pieces in which a pipe's first lines come.
#[cfg(unix)]
#[test]
fn a_format_is_the_same_in_whatever_pieces_its_lines_come() {
    let log = include_bytes!("../../../corpora/logs/nginx-docker.jsonl");
    let table = b"http://a/\t200\nhttp://b/\t200\nhttp://c/\t200\nhttp://d/ e\t200\n";
    let gzip = |bytes: &[u8]| {
        use std::io::Write;
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    for (input, format) in [(&table[..], "read as tsv"), (log, "read as docker")] {
        for args in ["", "-j1 --emit valid", "-j2 --emit errors --to csv"] {
            let whole = in_pieces(args, std::iter::once(input));
            assert!(
                String::from_utf8_lossy(&whole.2).contains(format),
                "{}",
                String::from_utf8_lossy(&whole.2)
            );
            let first_line = input.iter().position(|&byte| byte == b'\n').unwrap() + 1;
            for first in [first_line, first_line + 3] {
                let (one, two) = input.split_at(first);
                assert!(in_pieces(args, [one, two].into_iter()) == whole, "{args} {first}");
            }
            assert!(in_pieces(args, input.split_inclusive(|&byte| byte == b'\n')) == whole, "{args}");
            // The members of an archive.
            let members: Vec<_> = input.split_inclusive(|&byte| byte == b'\n').map(gzip).collect();
            assert!(in_pieces(args, members.iter().map(Vec::as_slice)) == whole, "{args}, compressed");
        }
    }
}

/// Tests that a list whose lines keep coming gets answers before it has all lines that could decide its
/// format, and so does one that stops in a line.
#[cfg(unix)]
#[test]
fn a_live_list_does_not_wait_for_all_first_lines() {
    use std::io::{BufRead, BufReader, Write};
    use std::sync::atomic::{AtomicBool, Ordering};
    let start = || {
        let mut process = super::process();
        process.args(["--emit", "host"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = process.spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        (child.stdin.take().unwrap(), output, child)
    };
    let (mut input, mut output, mut child) = start();
    let is_answered = AtomicBool::new(false);
    let mut answer = String::new();
    let written = std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut lines = 0;
            while !is_answered.load(Ordering::Relaxed) && lines < 199 {
                writeln!(input, "http://a.example/").unwrap();
                lines += 1;
                std::thread::sleep(std::time::Duration::from_millis(100));
            }
            lines
        });
        output.read_line(&mut answer).unwrap();
        is_answered.store(true, Ordering::Relaxed);
        writer.join().unwrap()
    });
    assert_eq!(answer, "a.example\n");
    assert!(written < 199, "the answer came after {written} lines");
    drop((input, output));
    child.wait().unwrap();

    let (mut input, mut output, mut child) = start();
    for piece in ["http://a.example/\n", "http://b"] {
        input.write_all(piece.as_bytes()).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    for (expected, piece) in [("a.example\n", ".example/\n"), ("b.example\n", "")] {
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        assert_eq!(answer, expected);
        input.write_all(piece.as_bytes()).unwrap();
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// Tests that a run that ends early does not wait for the bytes that it has begun to wait for.
#[cfg(unix)]
#[test]
fn the_first_invalid_record_ends_a_run_whose_input_stays_open() {
    use std::io::Write;
    let mut process = super::process();
    process.args(["--fail-fast", "--emit", "invalid"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = process.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"http://a/\nhttp://a/ b\n").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    drop(input);
}

/// Tests a FIFO as output, which is not a regular file that could be put in place when complete.
#[cfg(unix)]
#[test]
fn a_fifo_gets_answers_in_between() {
    let dir = Dir::new();
    let fifo = dir.fifo("fifo");
    let mut process = super::process();
    process.args(["--emit", "valid", "-j2", "--output"]).arg(&fifo).stdin(Stdio::piped());
    let child = process.spawn().unwrap();
    answers_in_between(child, std::fs::File::open(&fifo).unwrap());
    assert!(std::os::unix::fs::FileTypeExt::is_fifo(&std::fs::metadata(&fifo).unwrap().file_type()));
}

/// Writes lines to a process one after the other, and waits until each comes back.
#[cfg(unix)]
#[track_caller]
fn answers_in_between(mut child: Child, output: impl std::io::Read) {
    use std::io::{BufRead, BufReader, Write};
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(output);
    for i in 0..5 {
        let line = format!("urn:{i}\n");
        input.write_all(line.as_bytes()).unwrap();
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        assert_eq!(answer, line);
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
