//! Tests a base of 100 KB with many short references: the output is gigabytes, and memory holds little of it.

use std::io::{BufRead, BufReader, Read};
use std::process::{ChildStdout, Stdio};
use std::thread;
use std::time::Duration;

use arrow_array::cast::AsArray;
use arrow_ipc::reader::StreamReader;

use crate::{Dir, process};

/// Returns the base, which consists only of a directory.
fn base() -> String {
    format!("http://h.example/{}", "a/".repeat(49_990))
}

/// Returns the references of a list, each with its target if it is valid.
fn references(count: usize) -> impl Iterator<Item = (String, Option<String>)> {
    let base = base();
    (0..count).map(move |number| match number % 70 {
        3 => (format!("x y{number}"), None),
        5 => (format!("http://o.example/{number}"), Some(format!("http://o.example/{number}"))),
        6 => (format!("../{number}"), Some(format!("{}{number}", &base[..base.len() - 2]))),
        _ => (number.to_string(), Some(format!("{base}{number}"))),
    })
}

/// Runs the command, passes its output to `read`, and returns its peak memory in bytes.
#[track_caller]
fn peak(dir: &Dir, args: &[&str], read: impl FnOnce(ChildStdout) + Send + 'static) -> u64 {
    let mut command = process();
    let mut child = command.current_dir(dir.path()).args(args).stdout(Stdio::piped()).spawn().unwrap();
    let output = child.stdout.take().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let reader = thread::spawn(move || read(output));
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let status = std::fs::read_to_string(&status).unwrap_or_default();
        let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.strip_suffix(" kB"));
        peak = kilobytes.map_or(peak, |kilobytes| kilobytes.trim().parse::<u64>().unwrap() << 10);
        thread::sleep(Duration::from_millis(2));
    }
    reader.join().unwrap();
    peak
}

/// Reads lines and compares each with the next of `lines`.
fn expect_lines(output: ChildStdout, lines: impl Iterator<Item = String>) {
    let (mut output, mut line) = (BufReader::with_capacity(1 << 18, output), Vec::new());
    for (number, expected) in lines.enumerate() {
        line.clear();
        output.read_until(b'\n', &mut line).unwrap();
        assert!(line.strip_suffix(b"\n") == Some(expected.as_bytes()), "line {number}");
    }
    assert_eq!(output.read(&mut [0]).unwrap(), 0);
}

/// Checks the output for some references in each form, and the peak memory.
fn check(dir: &Dir, input: &str, options: &[&str], count: usize, is_page: bool) {
    const MOST: u64 = 80 << 20;

    let references = move || {
        // The base of a page is one of its links.
        let own = is_page.then(|| (base(), Some(base())));
        own.into_iter().chain(references(count))
    };
    let peak = |args: &str, read: Box<dyn FnOnce(ChildStdout) + Send>| {
        let args: Vec<_> =
            [input, "-j2"].into_iter().chain(options.iter().copied()).chain(args.split(' ')).collect();
        let peak = peak(dir, &args, read);

        assert!(peak < MOST, "{count} references, {args:.40?}: {} MiB", peak >> 20);
    };
    let valid = references().filter_map(|(_, target)| target);
    peak("--emit resolved", Box::new(move |output| expect_lines(output, valid)));
    let rows = move |header: Option<&str>, row: fn(&str, Option<String>) -> String| {
        let rows = references().map(move |(reference, target)| row(&reference, target));
        header.map(str::to_owned).into_iter().chain(rows)
    };
    let csv = rows(Some("uri,resolved"), |uri, target| format!("{uri},{}", target.unwrap_or_default()));
    let args = "--emit components --columns uri,resolved --to csv";
    peak(args, Box::new(move |output| expect_lines(output, csv)));
    let json = rows(None, |uri, target| match target {
        Some(target) => format!("{{\"resolved\":\"{target}\",\"uri\":\"{uri}\"}}"),
        None => format!("{{\"resolved\":null,\"uri\":\"{uri}\"}}"),
    });
    let args = "--emit components --columns resolved,uri --to jsonl";
    peak(args, Box::new(move |output| expect_lines(output, json)));
    let args = "--emit components --columns uri,resolved,line --to arrow";
    peak(
        args,
        Box::new(move |output| {
            let mut expected = references();
            for batch in StreamReader::try_new(BufReader::with_capacity(1 << 18, output), None).unwrap() {
                let batch = batch.unwrap();
                let column = |name: &str| batch.column_by_name(name).unwrap().as_string::<i32>().clone();
                for (uri, resolved) in column("uri").iter().zip(&column("resolved")) {
                    let (reference, target) = expected.next().unwrap();
                    assert_eq!(uri, Some(&reference[..]));
                    assert!(resolved == target.as_deref(), "{reference}");
                }
            }
            assert!(expected.next().is_none());
        }),
    );
    #[cfg(feature = "parquet")]
    peak(
        "--emit components --columns uri,resolved --to parquet",
        Box::new(|mut output| {
            std::io::copy(&mut output, &mut std::io::sink()).unwrap();
        }),
    );
}

/// Returns the numbers of references. The targets together take more bytes than the allowed memory.
fn counts() -> &'static [usize] {
    let is_long = std::env::var_os("URIVALIDATE_LONG_TESTS").is_some();
    if is_long { &[1000, 2000, 4000, 20_000] } else { &[1000, 2000] }
}

#[test]
fn of_an_option_take_bounded_memory() {
    let dir = Dir::new();
    for &count in counts() {
        let list: String = references(count).map(|(reference, _)| reference + "\n").collect();
        dir.write("list", list);
        check(&dir, "list", &["--base", &base(), "--from", "lines"], count, false);
    }
}

/// Tests the lines of a page: a page has all its links in one line.
#[test]
fn of_a_page_take_bounded_memory() {
    let dir = Dir::new();
    for &count in counts() {
        let links: String =
            references(count).map(|(reference, _)| format!("<a href='{reference}'>x</a>")).collect();
        dir.write("page.html", format!("<base href='{}'>\n{links}", base()));
        let options = ["--base", "http://page.example/", "--from", "html"];
        check(&dir, "page.html", &options, count, true);
    }
}
