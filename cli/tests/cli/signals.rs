//! Tests signals in the middle of a run: finished output stays, no row is cut in half, no unfinished file
//! remains, and the status names the signal.

use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::time::Duration;

use crate::Dir;

const SIGNALS: [(&str, i32); 2] = [("-INT", 130), ("-TERM", 143)];

/// Returns the command with the signals' default actions: the caller of the tests may ignore some, and a
/// signal that is ignored at the start stays ignored.
fn process() -> std::process::Command {
    let mut command = std::process::Command::new("env");
    command.arg("--default-signal").arg(crate::process().get_program());
    command
}

fn send(signal: &str, child: &Child) {
    let kill = std::process::Command::new("kill").arg(signal).arg(child.id().to_string()).status();
    assert!(kill.unwrap().success());
}

/// Tests a command that waits for input.
#[test]
fn a_run_that_waits_for_input_has_written_what_came() {
    for (signal, status) in SIGNALS {
        let dir = Dir::new();
        let mut child = process()
            .args(["--emit", "offsets", "--to", "csv", "--errors", "errors", "-j2"])
            .current_dir(dir.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut output = child.stdout.take().unwrap();
        input.write_all(b"urn:x:1\nno uri\n").unwrap();
        let mut found = Vec::new();
        while found.iter().filter(|&&byte| byte == b'\n').count() < 3 {
            let mut byte = [0];
            output.read_exact(&mut byte).unwrap();
            found.push(byte[0]);
        }
        let errors = || std::fs::read_to_string(dir.path().join("errors")).unwrap();
        while !errors().contains("missing-scheme") {
            std::thread::sleep(Duration::from_millis(1));
        }
        send(signal, &child);
        output.read_to_end(&mut found).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(status));
        let rows = String::from_utf8(found).unwrap();
        assert_eq!((rows.lines().count(), rows.ends_with('\n')), (3, true), "{rows}");
        assert!(errors().ends_with('\n'));
    }
}

/// Tests signals at any moment of runs with endless output to a slow reader and to a file. With
/// `URIVALIDATE_LONG_TESTS`, as in the lane `long-tests`, it tries four times as many moments.
#[test]
fn no_row_is_cut_in_half() {
    let row = "http://example.com/0123456789012345678901234567890123456789";
    let step = if super::is_long() { 1 } else { 4 };
    for number in (0..40).step_by(step) {
        let (signal, status) = SIGNALS[number / step % 2];
        let dir = Dir::new();
        let mut child = process()
            .args(["--emit", "valid", "--valid", "copy", "-j2"])
            .current_dir(dir.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let feed = std::thread::spawn(move || {
            let lines = format!("{row}\n").repeat(1000);
            while input.write_all(lines.as_bytes()).is_ok() {}
        });
        let mut output = child.stdout.take().unwrap();
        let mut found = vec![0; 100_000];
        output.read_exact(&mut found).unwrap();
        std::thread::sleep(Duration::from_micros(number as u64 * 300));
        send(signal, &child);
        output.read_to_end(&mut found).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(status));
        feed.join().unwrap();
        for text in [found, std::fs::read(dir.path().join("copy")).unwrap()] {
            // The signal may come before the file has any content.
            assert!(text.is_empty() || text.ends_with(b"\n"), "{} bytes", text.len());
            assert!(
                text.split_inclusive(|&byte| byte == b'\n').all(|line| line == format!("{row}\n").as_bytes())
            );
        }
    }
}

/// Tests that a run waits for a write that cannot finish, and that a second signal ends it.
#[test]
fn a_second_signal_ends_a_run_that_cannot_write() {
    let mut child =
        process().args(["--emit", "valid"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let feed = std::thread::spawn(move || while input.write_all(b"urn:x:0123456789\n").is_ok() {});
    // The pipe soon is full, since nobody reads.
    std::thread::sleep(Duration::from_millis(300));
    send("-INT", &child);
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(child.try_wait().unwrap(), None);
    send("-INT", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    feed.join().unwrap();
}

/// Starts a run that puts a file in place, and waits until it has written something to the temporary file.
#[cfg(target_os = "linux")]
fn unfinished(dir: &Dir, before: &str) -> (Child, std::process::ChildStdin) {
    let script = format!("{before} exec \"$0\" \"$@\"");
    let mut child = std::process::Command::new("env")
        .args(["--default-signal", "bash", "-c", &script])
        .arg(crate::process().get_program())
        .args(["--emit", "valid", "--output", "place"])
        .current_dir(dir.path())
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let input = child.stdin.take().unwrap();
    let begin = std::time::Instant::now();
    while std::fs::read_dir(dir.path()).unwrap().count() == 0 {
        assert!(begin.elapsed() < Duration::from_secs(60), "nothing was written");
        std::thread::sleep(Duration::from_millis(1));
    }
    (child, input)
}

#[cfg(target_os = "linux")]
#[test]
fn no_signal_leaves_an_unfinished_file() {
    for (signal, number) in [
        ("-HUP", 1),
        ("-INT", 2),
        ("-QUIT", 3),
        ("-USR1", 10),
        ("-USR2", 12),
        ("-ALRM", 14),
        ("-TERM", 15),
        ("-XCPU", 24),
    ] {
        let dir = Dir::new();
        let (mut child, input) = unfinished(&dir, "");
        send(signal, &child);
        assert_eq!(child.wait().unwrap().code(), Some(128 + number), "{signal}");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "{signal}");
        drop(input);
    }
}

/// Tests signals that are ignored at the start, as with `nohup` and background jobs.
#[cfg(target_os = "linux")]
#[test]
fn signals_that_were_ignored_at_the_start_stay_ignored() {
    for (signal, ignored) in
        [("-HUP", "trap '' HUP;"), ("-INT", "trap '' INT;"), ("-QUIT", "trap '' INT QUIT;")]
    {
        let dir = Dir::new();
        let (mut child, mut input) = unfinished(&dir, ignored);
        send(signal, &child);
        std::thread::sleep(Duration::from_millis(50));
        input.write_all(b"urn:x:1\n").unwrap();
        drop(input);
        assert_eq!(child.wait().unwrap().code(), Some(0), "{signal}");
        assert_eq!(std::fs::read_to_string(dir.path().join("place")).unwrap(), "urn:x:1\n");
    }
}

/// Tests a write that fails: it is reported like a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_of_file_sizes_is_an_error() {
    let dir = Dir::new();
    let (mut child, mut input) = unfinished(&dir, "ulimit -f 4;");
    let feed =
        std::thread::spawn(move || while input.write_all(&b"urn:x:0123456789\n".repeat(1000)).is_ok() {});
    let mut message = String::new();
    child.stderr.take().unwrap().read_to_string(&mut message).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(2), "{message}");
    assert!(message.contains("place: File too large"), "{message}");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    feed.join().unwrap();
}

/// Tests statistics of a run that waits for input when the signal comes.
#[test]
fn statistics_are_of_what_was_read() {
    let sentence = "urivalidate: --stats: interrupted: the statistics are of what was read until then";
    for (signal, status) in SIGNALS {
        for (form, is_json) in [("--stats", false), ("--stats=json", true)] {
            let dir = Dir::new();
            dir.write("first", "http://a/\nhttp://b/ c\n");
            let mut child = process()
                .args([form, "-j2", "--valid", "valid", "--invalid", "invalid", "first", "-"])
                .current_dir(dir.path())
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let mut input = child.stdin.take().unwrap();
            input.write_all(b"urn:x:1\nno uri\nurn:x:2\n").unwrap();
            let valid = || std::fs::read_to_string(dir.path().join("valid")).unwrap_or_default();
            while !valid().contains("urn:x:2") {
                std::thread::sleep(Duration::from_millis(1));
            }
            send(signal, &child);
            let (mut out, mut err) = (String::new(), String::new());
            child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
            child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
            assert_eq!(child.wait().unwrap().code(), Some(status), "{err}");
            assert!(err.contains(&format!("{sentence}, of 2 of 2 files\n")), "{err}");
            if is_json {
                let stats: serde_json::Value = serde_json::from_str(&out).unwrap();
                assert_eq!((&stats["records"], &stats["valid"]), (&5.into(), &3.into()), "{out}");
                assert_eq!(stats["interrupted"], true);
                assert_eq!(stats["files"][1]["errors"]["missing-scheme"], 1);
                assert_eq!(stats["files"].as_array().unwrap().len(), 2);
            } else {
                assert!(out.starts_with("5 URIs in 5 lines: 60.00% valid, 2 invalid."), "{out}");
            }
            drop(input);
        }
    }
}

/// Tests that the statistics go where they would have gone, and that a run without them prints none.
#[test]
fn statistics_of_an_ended_run_go_where_they_belong() {
    for (args, is_stderr) in [(&["--stats", "--emit", "valid"][..], true), (&["--report", "page"], false)] {
        let dir = Dir::new();
        let mut child = process()
            .args(args)
            .args(["--invalid", "invalid"])
            .current_dir(dir.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(b"urn:x:1\nno uri\n").unwrap();
        while !std::fs::read_to_string(dir.path().join("invalid")).is_ok_and(|text| text.contains("no uri")) {
            std::thread::sleep(Duration::from_millis(1));
        }
        send("-INT", &child);
        let (mut out, mut err) = (String::new(), String::new());
        child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert_eq!(out, if is_stderr { "urn:x:1\n" } else { "" });
        assert_eq!(err.contains("2 URIs in 2 lines: 50.00% valid, 1 invalid."), is_stderr, "{err}");
        assert_eq!(err.contains("interrupted"), is_stderr, "{err}");
        assert!(!dir.path().join("page").exists());
        drop(input);
    }
}
