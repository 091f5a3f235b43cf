//! Tests the longest base with many short references: the output is gigabytes, and memory holds little of it.
//! A longer base is none.

use std::io::{BufRead, BufReader, Read};
use std::process::{ChildStdout, Stdio};
use std::thread;
use std::time::Duration;

use arrow_array::cast::AsArray;
use arrow_ipc::reader::StreamReader;

use crate::{Dir, process};

/// The most bytes of a base.
const MOST: usize = 8 << 10;

/// Returns the longest base, which consists only of a directory.
fn base() -> String {
    let base = format!("http://hh.example/{}", "a/".repeat(4087));
    assert_eq!(base.len(), MOST);
    base
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
    // Memory holds the base of all values once.
    let mut counts: Vec<_> = references().filter_map(|(_, target)| target).collect();
    counts.sort_unstable();
    let counts = counts.chunk_by(|one, next| one == next).map(|values| (values.len(), values[0].clone()));
    let mut counts: Vec<_> = counts.collect();
    counts.sort_by_key(|&(count, _)| std::cmp::Reverse(count));
    let distinct = counts.len();
    let lines = counts.into_iter().map(|(count, value)| format!("{count}\t{value}"));
    peak("--count resolved", Box::new(move |output| expect_lines(output, lines)));
    peak(
        "--distinct resolved --stats=json",
        Box::new(move |output| {
            let report: serde_json::Value = serde_json::from_reader(output).unwrap();
            let found = &report["distinct"];
            let is_near = found["count"].as_u64().unwrap().abs_diff(distinct as u64) < distinct as u64 / 30;
            assert!(is_near && found["column"] == "resolved", "{found}");
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
    if super::is_long() { &[12_000, 24_000, 48_000, 240_000] } else { &[12_000, 24_000] }
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

#[test]
fn longer_ones_are_errors_or_give_no_values() {
    let dir = Dir::new();
    dir.write("list", "x\n");
    let long = base() + "/";
    let run = dir.run(&format!("list --from lines --emit resolved --base {long}"));
    assert!(run.stderr.contains("longer than 8192 bytes"), "{}", run.stderr);
    assert_eq!((run.status, run.text()), (2, ""));
    // A fragment does not count.
    let target = base() + "x\n";
    dir.run(&format!("list --from lines --emit resolved --base {}#f", base())).expect(0, target, "");

    dir.write("page.html", format!("<base href='{long}'>\n<a href='x'>\n<a href='http://o/'>"));
    let rows = "--emit components --columns uri,resolved,base --to csv";
    let expected = format!("uri,resolved,base\n{long},{long},http://page.example/\nx,,\nhttp://o/,,\n");
    dir.run(&format!("page.html --from html --base http://page.example/ {rows}")).expect(0, expected, "");
    // Without another base, the run says so.
    let run = dir.run("page.html --from html --emit resolved");
    let reason = "page.html: the column resolved: the <base href> is longer than 8192 bytes\n";
    assert!(run.stderr.contains(reason), "{}", run.stderr);
    assert_eq!(run.status, 2);
}
