//! Tests output that only a terminal gets: the progress bar, and colours.

use std::fs::File;
use std::io::Write;
use std::os::fd::OwnedFd;
use std::process::Stdio;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rustix::pty;

use super::process;

/// Opens a terminal. Returns it, and the file that a command uses as one of its streams.
pub(crate) fn open_terminal() -> (OwnedFd, File) {
    let terminal = pty::openpt(pty::OpenptFlags::RDWR | pty::OpenptFlags::NOCTTY).unwrap();
    pty::grantpt(&terminal).unwrap();
    pty::unlockpt(&terminal).unwrap();
    let name = pty::ptsname(&terminal, Vec::new()).unwrap();
    let stream = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    (terminal, stream)
}

/// Returns the text that a terminal received from a command that has ended.
pub(crate) fn read_all(terminal: OwnedFd) -> String {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = [0; 1 << 16];
        // Reading fails when the other side has been closed.
        while let Ok(count) = rustix::io::read(&terminal, &mut bytes) {
            if count == 0 || sender.send(bytes[..count].to_vec()).is_err() {
                break;
            }
        }
    });
    let begun = Instant::now();
    let mut seen = Vec::new();
    while let Ok(bytes) = receiver.recv_timeout(Duration::from_secs(3)) {
        seen.extend(bytes);
        assert!(begun.elapsed() < Duration::from_secs(30));
    }
    String::from_utf8(seen).unwrap()
}

/// Runs the command with a terminal as standard error. Its input stalls longer than the delay before the
/// progress bar. Returns the text on the terminal and the standard output.
fn on_terminal(args: &[&str]) -> (String, Vec<u8>) {
    let (terminal, stderr) = open_terminal();
    let mut child = process()
        .args(args)
        .env("TERM", "xterm")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(stderr)
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    for _ in 0..5 {
        input.write_all(b"urn:a\nbad\n").unwrap();
        std::thread::sleep(Duration::from_millis(400));
    }
    drop(input);
    let output = child.wait_with_output().unwrap();
    (read_all(terminal), output.stdout)
}

#[test]
fn it_is_shown_on_a_terminal_when_the_run_is_long_and_does_not_touch_the_output() {
    let (seen, output) = on_terminal(&["--emit", "valid"]);
    assert!(seen.contains(" B  ") && seen.contains("B/s"), "{seen:?}");
    // The command clears the line at the end.
    assert!(seen.ends_with("\x1b[2K") || seen.ends_with("\x1b[2K\r"), "{seen:?}");
    assert_eq!(output, b"urn:a\n".repeat(5));
    for args in
        [&["--from", "lines", "--emit", "valid", "--no-progress"][..], &["--quiet", "--max-invalid", "100"]]
    {
        let (seen, _) = on_terminal(args);
        assert_eq!(seen, "");
    }
}

#[test]
fn of_files_it_tells_the_share_and_the_time_that_is_left() {
    let dir = super::Dir::new();
    dir.write("list", b"http://example.com/0123456789/\n".repeat(1_000_000));
    let (terminal, stderr) = open_terminal();
    let mut child = process()
        .args(["--emit", "valid", "list"])
        .current_dir(dir.path())
        .env("TERM", "xterm")
        .stdout(Stdio::piped())
        .stderr(stderr)
        .spawn()
        .unwrap();
    // A run is as slow as the reader of its output.
    std::thread::sleep(Duration::from_millis(1500));
    let output = std::io::copy(child.stdout.as_mut().unwrap(), &mut std::io::sink()).unwrap();
    assert_eq!((child.wait().unwrap().code(), output), (Some(0), 31_000_000));
    let seen = read_all(terminal);
    assert!(seen.contains("%  ") && seen.contains(" of 31.00 MB") && seen.contains(" left"), "{seen:?}");
}

#[test]
fn it_is_not_shown_elsewhere() {
    let mut child =
        process().stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    std::thread::sleep(Duration::from_millis(1200));
    input.write_all(b"urn:a\n").unwrap();
    drop(input);
    let seen = child.wait_with_output().unwrap().stderr;
    assert_eq!(str::from_utf8(&seen), Ok("urivalidate: 0 findings in 1 record of 1 file\n"));
}

#[test]
fn colours_are_for_terminals_unless_nobody_wants_them() {
    let colored = "\x1b[35m-:1:2\x1b[0m: ";
    for (args, no_color, expected) in [
        (&[][..], "", true),
        (&[], "1", false),
        (&["--color", "always"], "1", true),
        (&["--color", "never"], "", false),
    ] {
        let (terminal, stdout) = open_terminal();
        let mut child = process()
            .args(args)
            .env("TERM", "xterm")
            .env("NO_COLOR", no_color)
            .stdin(Stdio::piped())
            .stdout(stdout)
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(b"x\n").unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(1));
        let seen = read_all(terminal);
        assert!(seen.contains("-:1:2") && seen.starts_with(colored) == expected, "{args:?}: {seen:?}");
    }
}
