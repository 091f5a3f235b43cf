//! Tests failures and their outcomes.

use std::io::Read;
#[cfg(unix)]
use std::io::Write;
#[cfg(target_os = "linux")]
use std::process::Command;
use std::process::Stdio;

use super::{Dir, no_such_file, process, run};

#[test]
fn files_that_cannot_be_read_are_named_and_the_others_go_on() {
    let dir = Dir::new();
    dir.write("good", "urn:a\n");
    dir.write("bad", "x\n");
    std::fs::create_dir(dir.path().join("directory")).unwrap();
    let error = "bad:1:2: missing-scheme: no scheme: the record ends before a \":\"\n";
    let missing = format!("urivalidate: missing: {}\n", no_such_file("missing"));
    let directory = "urivalidate: directory: is a directory; --recursive scans the files in it\n";
    dir.run("missing directory good").expect(2, "", &format!("{missing}{directory}"));
    dir.run("directory bad missing").expect(2, error, &format!("{directory}{missing}"));
    dir.run("--emit valid missing good").expect(2, "urn:a\n", &missing);
    dir.run("--quiet missing good").expect(2, "", &missing);
    let stats = dir.run("--stats=json missing good");
    assert_eq!((stats.status, stats.stderr.as_str(), &stats.json()["records"]), (2, &missing[..], &1.into()));
}

#[cfg(target_os = "linux")]
#[test]
fn an_input_error_is_reported() {
    // Even a user with all permissions cannot read the memory at address 0.
    run("/proc/self/mem", "").expect(2, "", "urivalidate: /proc/self/mem: Input/output error\n");
}

#[cfg(unix)]
#[test]
fn a_file_without_permission_is_reported() {
    use std::os::unix::fs::PermissionsExt;
    let dir = Dir::new();
    let path = dir.write("secret", "urn:a\n");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    // The superuser can read it.
    match std::fs::File::open(&path) {
        Ok(_) => dir.run("secret").expect(0, "", ""),
        Err(_) => dir.run("secret").expect(2, "", "urivalidate: secret: Permission denied\n"),
    }
}

#[test]
fn any_bytes_get_a_verdict() {
    let mut bytes = Vec::new();
    let mut state = 1u32;
    for _ in 0..3_000_000 {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        bytes.push(state as u8);
    }
    let lines = bytes.split_inclusive(|&byte| byte == b'\n').count();
    for grammar in ["uri", "java", "iri-reference", "request-target"] {
        let stats = run(&format!("--stats=json -g {grammar}"), bytes.clone()).json();
        assert_eq!((&stats["records"], &stats["bytes"]), (&lines.into(), &bytes.len().into()));
        let rows = run(&format!("--emit components --to jsonl -g {grammar}"), bytes.clone());
        assert_eq!(rows.status, 0);
        assert_eq!(rows.text().lines().count(), lines);
        assert!(rows.text().lines().all(|row| serde_json::from_str::<serde_json::Value>(row).is_ok()));
    }
    run("", b"http://h/\0\n".as_slice()).expect(
        1,
        "-:1:10: control-character: control character 0x00 in the path\n",
        "",
    );
}

#[test]
fn a_line_of_100_megabytes_is_a_record_over_the_limit() {
    let dir = Dir::new();
    let line = b"http://h/".iter().copied().chain(std::iter::repeat_n(b'a', 100 << 20)).collect::<Vec<_>>();
    let whole = [b"urn:a\n", &line[..], b"\r\nurn:b\n"].concat();
    dir.write("list", &whole);
    let long = [&line[..], b"\r\n"].concat();
    for args in ["list", "--no-mmap list", "-j1 list"] {
        let error = "list:2:67108865: record-too-long: the record is longer than 67108864 bytes\n";
        dir.run(args).expect(1, error, "");
        let stats = dir.run(&format!("--stats=json {args}")).json();
        assert_eq!(
            (&stats["records"], &stats["valid"], &stats["length"]["max"]),
            (&3.into(), &2.into(), &line.len().into())
        );
        assert_eq!(stats["samples"]["record-too-long"][0]["text"].as_str().unwrap().len(), 512);
        assert!(dir.run(&format!("--emit invalid {args}")).stdout == long);
        dir.run(&format!("--emit valid {args}")).expect(0, "urn:a\nurn:b\n", "");
    }
    assert!(run("--emit invalid", whole.clone()).stdout == long);
    dir.run("--max-record 101M list").expect(0, "", "");
    run("--max-record 101M", whole).expect(0, "", "");
    let row = dir.run("--emit components --to jsonl --only invalid list").json();
    assert_eq!(
        (&row["line"], &row["length"], &row["uri"]),
        (&2.into(), &line.len().into(), &serde_json::Value::Null)
    );
}

#[test]
fn many_empty_lines_are_many_empty_records() {
    let input = vec![b'\n'; 1_000_000];
    let stats = run("--stats=json", input.clone()).json();
    assert_eq!((&stats["empty"], &stats["errors"]["empty"]), (&1_000_000.into(), &1_000_000.into()));
    assert_eq!(run("", input).text().lines().count(), 1_000_000);
}

/// Returns the peak memory of the command, in bytes, while it read the output of `write`. Not under an
/// emulator, since this would be the emulator's memory.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub(super) fn peak_memory(args: &[&str], write: impl FnOnce(&mut dyn Write) + Send + 'static) -> u64 {
    let mut child = process().args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = child.stdout.take().unwrap();
    let reader = std::thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()).unwrap());
    let writer = std::thread::spawn(move || {
        write(&mut input);
        input
    });
    // The command now waits for more input, so its status can be read.
    let input = writer.join().unwrap();
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kilobytes: u64 = peak.trim().strip_suffix(" kB").unwrap().parse().unwrap();
    drop(input);
    reader.join().unwrap();
    child.wait().unwrap();
    kilobytes << 10
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn memory_is_bounded_whatever_the_input() {
    let pour = |block: &'static [u8], times: usize| {
        move |input: &mut dyn Write| (0..times).for_each(|_| input.write_all(block).unwrap())
    };
    static EMPTY: [u8; 1 << 16] = [b'\n'; 1 << 16];
    static LONG: [u8; 1 << 16] = [b'a'; 1 << 16];
    for (args, block, times, limit) in [
        (&["--stats", "-j2"][..], &EMPTY, 300, 64 << 20),
        (&["-j2"], &EMPTY, 100, 64 << 20),
        // The rows of some chunks wait to be written, a quarter of a gigabyte in all.
        (&["--emit", "components", "--to", "jsonl", "-j2"], &EMPTY, 20, 96 << 20),
        // A row of an empty record takes a hundred times the bytes of its line, and every thread makes some
        // rows.
        (&["--emit", "components", "--to", "arrow", "-j2"], &EMPTY, 300, 128 << 20),
        (&["--emit", "components", "--to", "arrow", "-j16"], &EMPTY, 300, 512 << 20),
        // A record is held as a whole up to the limit, and in small parts beyond it.
        (&["--emit", "invalid", "-j2"], &LONG, 3000, 128 << 20),
        (&["--emit", "invalid", "--max-record", "1M", "-j2"], &LONG, 3000, 64 << 20),
    ] {
        let peak = peak_memory(args, pour(block, times));
        assert!(peak < limit, "{args:?}: {} MiB", peak >> 20);
    }
}

/// Tests that only a few of many records just below the limit are held at a time.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn memory_is_bounded_whatever_the_number_of_long_records() {
    let record = [b"http://h/".as_slice(), "\u{e4}".repeat(12 << 20).as_bytes(), b"\n"].concat();
    let dir = Dir::new();
    let path = dir.write("list", record.repeat(8));
    let args = ["--emit", "valid", "-g", "iri", "-j2"];
    let peak = peak_memory(&args, {
        let record = record.clone();
        move |input| (0..8).for_each(|_| input.write_all(&record).unwrap())
    });
    assert!(peak < 128 << 20, "read: {} MiB", peak >> 20);
    // The pipe has no room for all of standard input, so the writer finishes only after the scan of the file.
    let args = [&args[..], &[path.to_str().unwrap(), "-"]].concat();
    let peak = peak_memory(&args, |input| input.write_all(&vec![b'\n'; 4 << 20]).unwrap());
    // Pages of the file count, too: all pages of unfinished chunks, nearly 200 MiB.
    assert!(peak < 160 << 20, "mapped: {} MiB", peak >> 20);
}

/// Tests empty lines and header names after a long line: the output for empty lines is many times longer than
/// the lines, and so is the stored form of a header's names.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn what_stands_beside_a_long_line_takes_no_more_memory_than_elsewhere() {
    let dir = Dir::new();
    let lines = [vec![b'a'; 9 << 20], vec![b'\n'; 3 << 20]].concat();
    let cells = [vec![b','; 8 << 20], b"\n".to_vec()].concat();
    let fields = [b"#Fields:".to_vec(), b" a".repeat(4 << 20), b"\n".to_vec()].concat();
    for (args, input) in [
        (&["-j1"][..], &lines),
        (&["--emit", "offsets", "-j2"], &lines),
        (&["--stats", "-j2"], &cells),
        (&["--stats", "--from", "csv", "-j2"], &cells),
        (&["--stats", "--from", "w3c", "-j2"], &fields),
    ] {
        let path = dir.write("list", input);
        let args = [args, &["--max-record", "8M", "--no-mmap", path.to_str().unwrap(), "-"]].concat();
        let peak = peak_memory(&args, |input| input.write_all(&vec![b'\n'; 1 << 20]).unwrap());
        assert!(peak < 96 << 20, "{args:?}: {} MiB", peak >> 20);
    }
}

/// Tests a mapping, whose pages count as memory, too.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn a_mapped_file_takes_no_memory_to_speak_of() {
    let dir = Dir::new();
    let path = dir.write("list", b"http://example.com/0123456789/\n".repeat(6_000_000));
    // The input is larger than a pipe, so all of it can be written only once the file has been scanned.
    let args = ["--emit", "none", "-j2", path.to_str().unwrap(), "-"];
    let peak = peak_memory(&args, |input| input.write_all(&vec![b'\n'; 4 << 20]).unwrap());
    assert!(peak < 64 << 20, "{} MiB", peak >> 20);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let dir = Dir::new();
    dir.write("list", "x\nurn:a\nurn:b\n".repeat(100_000));
    for args in [
        &["--emit", "valid"][..],
        &[],
        &["--stats"],
        &["--emit", "offsets", "-j1"],
        &["--explain", "urn:a"],
        &["--generate", "man"],
        &["--help"],
        &["--version"],
    ] {
        let mut command = process();
        command.args(args).current_dir(dir.path()).stdout(std::fs::File::create("/dev/full").unwrap());
        if !matches!(args.first(), Some(&("--explain" | "--generate"))) {
            command.arg("list");
        }
        let output = command.output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            (output.status.code(), &error[..]),
            (Some(2), "urivalidate: standard output: No space left on device\n")
        );
    }
}

#[test]
fn a_reader_that_goes_away_ends_the_run_quietly() {
    let dir = Dir::new();
    dir.write("bad", "x\n".repeat(1_000_000));
    dir.write("good", "urn:a\n".repeat(1_000_000));
    for (args, status) in [
        (&["bad"][..], 1),
        (&["--emit", "valid", "good"], 0),
        (&["--emit", "components", "bad", "good"], 0),
        (&["missing", "bad"], 2),
    ] {
        let mut child = process()
            .args(args)
            .current_dir(dir.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = child.stdout.take().unwrap();
        output.read_exact(&mut [0; 10]).unwrap();
        drop(output);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(status), "{args:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        let missing = format!("urivalidate: missing: {}\n", no_such_file("missing"));
        let expected = if status == 2 { &missing[..] } else { "" };
        assert_eq!(error, expected);
    }
}

/// Tests a file that is truncated in the middle of the scan: the command cannot get ahead of the reader of
/// its output.
#[cfg(unix)]
#[test]
fn a_file_that_shrinks_while_it_is_scanned_is_reported_and_read_to_its_end() {
    let dir = Dir::new();
    let content = b"http://example.com/0123456789/\n".repeat(2_000_000);
    // The rows are the records again, each with a line end.
    let rows = &["--emit", "components", "--columns", "uri"];
    let valid = &["--emit", "valid"];
    for (emit, args) in [
        (&valid[..], &["-j1"][..]),
        (valid, &["-j2"]),
        (valid, &["-j2", "--no-mmap"]),
        (rows, &["-j1"]),
        (rows, &["-j2"]),
    ] {
        let path = dir.write("list", &content);
        let mut child = process()
            .args(emit)
            .arg("list")
            .args(args)
            .current_dir(dir.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = child.stdout.take().unwrap();
        let mut found = vec![0; 1000];
        output.read_exact(&mut found).unwrap();
        let whole = 31 * 1_000_000;
        let new_len = whole + 25;
        std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(new_len as u64).unwrap();
        output.read_to_end(&mut found).unwrap();
        let output = child.wait_with_output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            (output.status.code(), &error[..]),
            (Some(2), "urivalidate: list: truncated while it was read\n"),
            "{args:?}"
        );
        // The truncated record has a row, but is not valid.
        let expected = if emit == rows { new_len } else { whole };
        if emit == rows {
            assert_eq!(found.pop(), Some(b'\n'));
        }
        assert!(found == content[..expected], "{emit:?} {args:?}: {} bytes", found.len());
    }
}

/// Tests a file that is truncated while the workers scan it: the bytes turn to zeros between two reads.
#[cfg(unix)]
#[test]
fn a_file_that_shrinks_under_the_workers_hands_is_reported() {
    let dir = Dir::new();
    let content =
        [&b"http://example.com/0123456789/\n".repeat(9)[..], b"http://example.com/ 123456789/\n"].concat();
    let content = content.repeat(200_000);
    for round in 0..40 {
        let args = ["--emit none", "--stats", "--emit invalid", "--emit valid"][round % 4];
        let path = dir.write("list", &content);
        let child = process()
            .args(args.split(' '))
            .args(["-j2", "list"])
            .current_dir(dir.path())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(3 + round as u64 / 2));
        std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(1000).unwrap();
        let output = child.wait_with_output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        let shrank = (Some(2), "urivalidate: list: truncated while it was read\n");
        // The truncation may have come too late, or after the last byte.
        let late = [(Some(0), ""), (Some(2), "urivalidate: list: changed while it was read\n")];
        let found = (output.status.code(), &error[..]);
        assert!(found == shrank || late.contains(&found), "{args}: {found:?}");
    }
}

/// Tests text made from bytes that differ at each read.
#[cfg(target_os = "linux")]
#[test]
fn a_list_that_is_changed_all_the_time_is_reported_whatever_the_output() {
    use std::os::unix::fs::FileExt;
    use std::sync::atomic::{AtomicBool, Ordering};

    let dir = Dir::new();
    // The records are long enough to change while one is shown, and the characters of one cross the borders
    // of the other's characters.
    let records = [("abc", '\u{20AC}'), ("\u{E4}b", '\u{1F600}')];
    let line = |(start, char): (&str, char)| {
        format!("http://example.com/{start}{}\n", char.to_string().repeat(10_000))
    };
    let lists = records.map(|record| line(record).repeat(30));
    let outputs = [
        "--grammar iri --emit components --to text",
        "--grammar iri --emit components --to jsonl",
        "--emit errors --to jsonl --suggest",
        "--samples 100 --stats=full",
        "--from text",
        "--regex (?<uri>[a-z]+:.*[a-z]+.*)",
    ];
    let mut reported = 0;
    for round in 0..24 {
        let path = dir.write("list", &lists[0]);
        let is_done = AtomicBool::new(false);
        let output = std::thread::scope(|scope| {
            scope.spawn(|| {
                let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
                let size = 4096 << (round % 4);
                for at in (0..lists[0].len() - size).step_by(size).cycle() {
                    for _ in 0..4 {
                        for list in &lists {
                            file.write_all_at(&list.as_bytes()[at..at + size], at as u64).unwrap();
                        }
                    }
                    if is_done.load(Ordering::Acquire) {
                        break;
                    }
                }
            });
            let args = outputs[round % outputs.len()].split(' ');
            let output = process().args(args).args(["-j2", "list"]).current_dir(dir.path()).output();
            is_done.store(true, Ordering::Release);
            output.unwrap()
        });
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0..=2)), "{:?}: {error}", output.status);
        reported += usize::from(error.contains("urivalidate: list: changed while it was read\n"));
    }
    // The writer may have to wait for a processor until a run ends, but not in each run.
    assert!(reported > 0);
}

/// Tests that the handler that survives a shrinking file passes on other signals.
#[cfg(target_os = "linux")]
#[test]
fn a_bus_error_from_elsewhere_still_ends_the_run() {
    use std::os::unix::process::ExitStatusExt;

    const SIGBUS: i32 = 7;
    let dir = Dir::new();
    dir.write("list", b"http://example.com/\n".repeat(200_000));
    let mut child = process()
        .args(["--emit", "valid", "list"])
        .current_dir(dir.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Once there is output, the file is mapped, and the pipe is too small for all output.
    child.stdout.as_mut().unwrap().read_exact(&mut [0; 1000]).unwrap();
    let id = child.id().to_string();
    // The standard library's handler runs next. It uses one signal to restore the default action.
    let status = loop {
        assert!(Command::new("kill").args(["-BUS", &id]).status().unwrap().success());
        std::thread::sleep(std::time::Duration::from_millis(50));
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
    };
    assert_eq!(status.signal(), Some(SIGBUS));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_under_any_output_is_an_error_that_names_it() {
    let dir = Dir::new();
    dir.write("list", "x\nurn:a\n".repeat(100_000));
    for option in ["--valid", "--invalid", "--errors"] {
        for args in ["", "--emit none", "--emit components -j1"] {
            let run = dir.run(&format!("{option} /dev/full {args} list"));
            assert_eq!(
                (run.status, &run.stderr[..]),
                (2, "urivalidate: /dev/full: No space left on device\n")
            );
        }
    }
    dir.run("--emit none --errors /dev/full --to csv /dev/null").expect(
        2,
        "",
        "urivalidate: /dev/full: No space left on device\n",
    );
}

/// Tests that files get all of their output even if the reader of standard output has gone.
#[test]
fn a_reader_that_goes_away_does_not_cut_off_files() {
    let dir = Dir::new();
    dir.write("list", "x\nurn:a\nurn:b\n".repeat(500_000));
    let mut child = process()
        .args(["--emit", "components", "--valid", "good", "--invalid", "bad", "list"])
        .current_dir(dir.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = child.stdout.take().unwrap();
    output.read_exact(&mut [0; 10]).unwrap();
    drop(output);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), vec![]));
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    assert!(read("good") == "urn:a\nurn:b\n".repeat(500_000) && read("bad") == "x\n".repeat(500_000));
}

#[cfg(unix)]
#[test]
fn one_unreadable_file_among_many_is_named_and_the_others_are_counted() {
    let dir = Dir::new();
    let mut names = Vec::new();
    for i in 0..200 {
        names.push(format!("file{i}"));
        if i == 77 {
            std::fs::create_dir(dir.path().join("file77")).unwrap();
        } else {
            dir.write(&format!("file{i}"), "urn:a\nb\n");
        }
    }
    dir.write("names", names.join("\n"));
    let run = dir.run("--stats=json --files-from names");
    assert_eq!(
        (run.status, &run.stderr[..]),
        (2, "urivalidate: file77: is a directory; --recursive scans the files in it\n")
    );
    let stats = run.json();
    assert_eq!((&stats["records"], &stats["files"].as_array().unwrap().len()), (&398.into(), &200));
}

/// Tests a file that grows while the command waits for its reader: the appended bytes are scanned, too.
#[cfg(unix)]
#[test]
fn a_growing_file_is_scanned_to_its_end() {
    let dir = Dir::new();
    // More than the unfinished chunks hold while the command waits for its reader.
    let content = b"http://example.com/0123456789/\n".repeat(1_000_000);
    for args in [&["-j1"][..], &["-j2"], &["-j2", "--no-mmap"]] {
        let path = dir.write("list", &content[..content.len() - 1]);
        let mut child = process()
            .args(["--emit", "valid", "list"])
            .args(args)
            .current_dir(dir.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = child.stdout.take().unwrap();
        let mut found = vec![0; 1000];
        output.read_exact(&mut found).unwrap();
        let mut file = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"more\nhttp://example.com/appended").unwrap();
        output.read_to_end(&mut found).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr), (Some(0), vec![]), "{args:?}");
        let expected = [&content[..content.len() - 1], b"more\nhttp://example.com/appended"].concat();
        assert!(found == expected, "{args:?}: {} bytes", found.len());
    }
}

/// Tests that each output reports earlier lines while the writer of the FIFO pauses.
#[cfg(unix)]
#[test]
fn a_fifo_that_stalls_holds_no_results_back() {
    use std::time::{Duration, Instant};

    let dir = Dir::new();
    let fifo = dir.fifo("fifo");
    let mut child = process()
        .args(["--emit", "offsets", "--valid", "good", "-j2", "fifo"])
        .current_dir(dir.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut writer = std::fs::OpenOptions::new().write(true).open(&fifo).unwrap();
    writer.write_all(b"urn:a\nbad\nurn:half").unwrap();
    let mut rows = vec![0; 40];
    child.stdout.as_mut().unwrap().read_exact(&mut rows).unwrap();
    assert!(rows.starts_with(b"fifo\t1\t1\t5\ttrue\t"));
    let begun = Instant::now();
    while std::fs::read(dir.path().join("good")).unwrap() != b"urn:a\n" {
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(5));
    }
    writer.write_all(b"-done\n").unwrap();
    drop(writer);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(std::fs::read(dir.path().join("good")).unwrap(), b"urn:a\nurn:half-done\n");
}

/// Not under an emulator, which needs memory itself.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn little_memory_is_enough_or_an_error() {
    let dir = Dir::new();
    dir.write("list", b"http://example.com/0123456789/\n".repeat(2_000_000));
    dir.write("long", vec![b'a'; 60 << 20]);
    let run = |kilobytes: u32, args: &str| {
        let program = process().get_program().display().to_string();
        // Without this, the memory that the allocator reserves for a second thread might count, too.
        let script = format!("ulimit -v {kilobytes}; MALLOC_ARENA_MAX=1 exec {program} {args}");
        let output = Command::new("sh").args(["-c", &script]).current_dir(dir.path()).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), output.stdout.len(), error)
    };
    // The memory is smaller than the file, so the file is read.
    assert_eq!(run(50_000, "-j1 --no-notes list"), (Some(0), 0, String::new()));
    assert_eq!(run(50_000, "-j1 --emit valid list"), (Some(0), 62_000_000, String::new()));
    // A record within the limit for which memory is lacking.
    let (status, _, error) = run(50_000, "-j1 --emit none long");
    assert_eq!((status, &error[..]), (Some(2), "urivalidate: long: out of memory\n"));
    // Memory suffices for this record, but not for its output. The other records are processed.
    dir.write("long", [b"urn:a\nhttp://h/", &[b'a'; 60 << 20][..], b"\n"].concat());
    dir.write("last", "urn:b\n");
    for (args, length) in [("--emit valid", 12), ("--emit components --to jsonl --columns uri", 32)] {
        let found = run(100_000, &format!("-j1 {args} long last"));
        assert_eq!(found, (Some(2), length, "urivalidate: long: out of memory\n".to_owned()));
    }
    // The same limits for the fields of a log: their values, and the extra bytes of an escaped LF.
    let target = "a".repeat(60 << 20);
    let common = |target: &str| {
        format!("192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] \"GET {target} HTTP/1.1\" 200 0\n")
    };
    dir.write("log", [common("/a"), common(&target), common("/b")].concat());
    dir.write("escaped", [common("/a"), common(&format!("\\n{target}")), common("/b")].concat());
    dir.write("next", common("/c"));
    for (kilobytes, log) in [(100_000, "log"), (160_000, "escaped")] {
        let found = run(kilobytes, &format!("-j1 --from common --emit valid {log} next"));
        let length = common("/a").len() + common("/c").len();
        assert_eq!(found, (Some(2), length, format!("urivalidate: {log}: out of memory\n")));
    }
    // Nothing else made from the record is large.
    for args in ["--stats", "--emit errors --to csv", "--emit offsets", "--top-hosts 1 --stats --emit errors"]
    {
        let (status, _, error) = run(100_000, &format!("-j1 {args} long"));
        assert!((status, error.contains("memory")) == (Some(0), false), "{args}: {error}");
    }
}

/// Tests inputs from which the library, or a parser that it uses, makes many times their bytes, under limits
/// that step from little more than a start takes. Not under an emulator, which needs memory itself.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn a_lack_of_memory_never_ends_the_process() {
    use super::bounds::{gzip, page};

    let dir = Dir::new();
    dir.write("empty", vec![b'\n'; 2 << 20]);
    dir.write("brackets", vec![b'['; 300 << 10]);
    dir.write("links", b"[a](b) ".repeat(40 << 10));
    dir.write("cell", [b"url\n\"", &vec![b'\n'; 2 << 20][..], b"\"\n"].concat());
    let tag = format!("<a ping='{}'>", "| a ".repeat(8 << 20));
    dir.write("tag", page("gzip", &gzip(tag.as_bytes())));
    let program = process().get_program().display().to_string();
    let mut refused = 0;
    for args in [
        "tag --from warc --field links --emit none",
        "empty --from lines --stats",
        "empty --from lines --count uri",
        "empty --from lines --emit errors --to csv --suggest --output out",
        "brackets --from markdown --stats",
        "links --from markdown --emit components --to arrow --output out",
        "cell --from csv --count uri",
    ] {
        for megabytes in [24, 32, 48, 64, 96, 128] {
            let script = format!("ulimit -v {}; exec {program} -j2 --no-progress {args}", megabytes << 10);
            let output = Command::new("sh").args(["-c", &script]).current_dir(dir.path()).output().unwrap();
            let (status, error) = (output.status.code(), String::from_utf8_lossy(&output.stderr));
            assert!(matches!(status, Some(0..=2)), "{args}, {megabytes} MiB: {status:?}, {error}");
            if status == Some(2) {
                refused += 1;
                assert!(error.contains("memory") || error.contains("cannot start"), "{args}: {error}");
                assert!(!dir.path().join("out").exists(), "{args}");
            }
            let _ = std::fs::remove_file(dir.path().join("out"));
        }
    }
    assert!(refused > 6);
}

#[test]
fn ten_million_empty_lines_are_as_many_empty_records() {
    let dir = Dir::new();
    dir.write("list", vec![b'\n'; 10_000_000]);
    for args in ["list", "--no-mmap list", "-g uri-reference list"] {
        let stats = dir.run(&format!("--stats=json {args}")).json();
        assert_eq!((&stats["records"], &stats["empty"]), (&10_000_000.into(), &10_000_000.into()));
    }
    assert_eq!(dir.run("--emit invalid list").stdout.len(), 10_000_000);
}

/// Tests closed streams in a shell, since only a shell can close a stream.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn a_closed_stream_is_an_error_that_names_it() {
    let dir = Dir::new();
    dir.write("list", "urn:a\n");
    let run = |script: &str| {
        let script = script.replace("urivalidate", &process().get_program().display().to_string());
        let output = Command::new("sh").args(["-c", &script]).current_dir(dir.path()).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap(), error)
    };
    let error = |message: &str| (Some(2), String::new(), format!("urivalidate: {message}\n"));
    for args in ["", "-q", "--stats=json -- /dev/stdin", "--emit valid"] {
        let (status, _, message) = run(&format!("urivalidate {args} <&-"));
        let name = if args.contains("/dev/stdin") { "/dev/stdin" } else { "-" };
        assert_eq!((status, message), (Some(2), format!("urivalidate: {name}: closed\n")), "{args}");
    }
    assert_eq!(run("urivalidate --files-from - <&-"), error("-: closed"));
    assert_eq!(run("urivalidate 0>f"), error("-: not open for reading"));
    assert_eq!(run("urivalidate --files-from - 0>f"), error("-: not open for reading"));
    for args in [
        "--emit valid list",
        "list",
        "--stats list",
        "--explain urn:a",
        "--generate man",
        "--help",
        "--version",
    ] {
        assert_eq!(run(&format!("urivalidate {args} >&-")), error("standard output: closed"), "{args}");
        assert_eq!(
            run(&format!("urivalidate {args} 1</dev/null")),
            error("standard output: not open for writing"),
            "{args}"
        );
    }
    assert_eq!(run("urivalidate --emit none --valid /dev/stdout list >&-"), error("/dev/stdout: closed"));
    // Unused streams may be closed, and the null device counts as open.
    let fine = (Some(0), String::new(), String::new());
    assert_eq!(run("urivalidate --no-notes list <&-"), fine);
    assert_eq!(run("urivalidate -q list >&-"), fine);
    assert_eq!(run("urivalidate --emit none --valid v list >&-"), fine);
    assert_eq!(run("urivalidate --no-notes </dev/null >/dev/null"), fine);
    assert_eq!(run("urivalidate --no-notes <>/dev/null 1<>/dev/null"), fine);
    assert_eq!(run("urivalidate list 2>&-"), fine);
}
