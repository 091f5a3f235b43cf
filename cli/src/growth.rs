//! Tests that each output takes linear time. They [count](urivalidate::work) the command's work for n, 2n and
//! 4n, like `src/corpus/growth.rs`, which counts the work of scans and explains the method.
//!
//! `--count` is missing here: it sorts its values at the end, which takes n log n comparisons.

use std::io::{self, IoSlice};
use std::ops::ControlFlow;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use urivalidate::Grammar;
use urivalidate::corpus::Format;
use urivalidate::stats::{ReadAs, Stats};
use urivalidate::work::{looked_at, so_far};

use crate::args::{Args, Form};
use crate::chunk_job::ChunkJob;
use crate::encode::Assemble;
use crate::explain::Explained;
use crate::output::Failure;
use crate::plan::{self, Plan, Statistics};
use crate::report::{Files, Report, RunFacts};
use crate::style::Styles;

/// The number of bytes for n.
const SIZE: usize = 4 << 10;

/// The largest ratios of the work for 2n and for 4n to the work for n. The room for rows doubles and is
/// filled with zeros, so the work grows in steps.
const MOST: [f64; 2] = [2.5, 5.0];

/// The outputs, for any input, except for [rows](ROWS).
const OUTPUTS: [&str; 27] = [
    "",
    "--suggest",
    "--kind space",
    "--emit components --grammar java --to jsonl",
    "--emit components --columns file,line,uri,host --to csv",
    "--emit host",
    "--emit valid",
    "--emit valid --trim",
    "--emit invalid",
    "--emit invalid --kind space",
    "--emit mended",
    "--emit mended --invalid i",
    "--emit rest",
    "--valid v --invalid i --errors e --rest r",
    "--count host --to jsonl",
    "--count uri",
    "--count message",
    "--count error_kind",
    "--count path_extension",
    "--stats",
    "--stats=full --samples 50 --top-hosts 5",
    "--stats=json --also java",
    "--also java --only differing --to csv",
    "--stats --report page.html --top-hosts 5",
    "--quiet",
    "--fail-fast",
    "--null",
];

/// The outputs that are rows: each is tried in every form.
const ROWS: [&str; 3] = ["--emit errors --suggest", "--emit components", "--emit offsets"];

/// The formats: a list, logs with escapes, and a text that may hold many records a line.
const FORMATS: [(&str, &str, &str); 5] = [
    ("lines", "", "\n"),
    ("jsonl", "{\"url\":\"", "\"}\n"),
    ("combined", "192.0.2.1 - f [10/Oct/2026:13:55:36 -0700] \"GET ", " HTTP/1.0\" 200 2326 \"-\" \"-\"\n"),
    ("csv", "", ",1\n"),
    ("text", "see ", ".\n"),
];

/// The parts that are repeated: valid and invalid records, and bytes that outputs escape.
const UNITS: [&str; 18] = [
    "a",
    "http://a.example/b?c#d",
    "http://a.example/b ",
    "http://a.example:x/ ",
    "http://a/{b}c\u{e9} ",
    "http://[::1]:80/.a.b/c.d;e ",
    "\"http://a/\",",
    "\"",
    "\"\"",
    "\\",
    "\\u0041",
    ",",
    "\t",
    " ",
    "%",
    "\u{e9}",
    "\u{202e}",
    "\u{1}",
];

/// Runs the command on one thread with these arguments and records, without opening files.
fn run(plan: &Plan, args: &Args, records: &[u8]) {
    let job = ChunkJob::new(plan);
    let mut assemblers: Vec<Box<dyn Assemble>> =
        plan.outputs.iter().map(|output| output.encoder.assemble()).collect();
    let mut write = |slices: &mut [IoSlice<'_>]| -> Result<(), Failure> {
        slices.iter().for_each(|bytes| looked_at(bytes.len()));
        Ok(())
    };
    let is_written = |written: Result<(), Failure>| assert!(written.is_ok(), "nothing refuses it");
    assemblers.iter_mut().for_each(|assembler| is_written(assembler.begin(&mut write)));
    let mut total = plan.statistics.as_ref().map(Statistics::new_stats);
    let mut read_as = ReadAs::new(Format::Lines, Grammar::Uri);
    let scan = plan.scanner.scan_slice(
        records,
        |chunk| job.run(b"list", chunk),
        |mut output| {
            let append = |number: usize, encoded: &_| assemblers[number].append(encoded, &mut write);
            is_written(job.append(b"list", &mut output, append));
            assert_eq!(output.refusal, None);
            total.iter_mut().zip(&output.stats).for_each(|(total, stats)| total.append(stats));
            read_as = ReadAs::new(output.format, output.grammar);
            job.recycle(output);
            ControlFlow::<()>::Continue(())
        },
    );
    // In some shapes no line has the key.
    assert!(scan.is_ok_and(|stopped| stopped.is_none()) || plan.reading.format() != Some(Format::Lines));
    assemblers.iter_mut().for_each(|assembler| is_written(assembler.finish(&mut write)));
    if let Some(stats) = &total {
        report(args, stats, read_as, &mut |bytes| write(&mut [IoSlice::new(bytes)]));
    }
}

/// Writes all forms of statistics.
fn report(args: &Args, stats: &Stats, read_as: ReadAs, write: &mut dyn FnMut(&[u8]) -> Result<(), Failure>) {
    let report = Report {
        skipped: None,
        stats,
        names: &[b"list"],
        unreadable: &[],
        elapsed: Duration::ZERO,
        read_as,
        backend: args.backend(),
        threads: 1,
        samples: args.samples,
        top_hosts: args.top_hosts.map(|n| n as usize),
    };
    let (mut files, facts) = (Files::new(true), RunFacts::of_process(None));
    for full in [false, true] {
        let screen = report.screen(&files, &facts, full, Styles::new(args.color, &io::stdout()), Some(60));
        assert!(write(&screen).is_ok());
    }
    assert!(write(&report.page(&files, &facts)).is_ok());
    assert!(report.write_json(&mut files, &facts, |text| write(text)).is_ok());
}

/// Returns the work of n, 2n and 4n.
fn work(shape: &dyn Fn(usize) -> String, run: &dyn Fn(&[u8])) -> [f64; 3] {
    [1, 2, 4].map(|times| {
        let input = shape(times);
        let before = so_far();
        run(input.as_bytes());
        (so_far() - before) as f64
    })
}

/// The worst of many shapes.
struct Worst {
    ratios: [f64; 2],
    name: String,
}

impl Worst {
    fn new() -> Self {
        Worst { ratios: [0.0; 2], name: String::new() }
    }

    fn note(&mut self, [once, twice, four_times]: [f64; 3], name: impl Fn() -> String) {
        assert!(once > 0.0, "nothing is counted for {}", name());
        if four_times / once > self.ratios[1] {
            self.name = name();
        }
        self.ratios = [self.ratios[0].max(twice / once), self.ratios[1].max(four_times / once)];
    }

    /// Prints a row of the table, and says whether the growth is linear.
    fn is_linear(&self, what: &str) -> bool {
        let [twice, four_times] = self.ratios;
        println!("{what:<75} {twice:>5.2} {four_times:>5.2}   {}", self.name.escape_debug());
        twice <= MOST[0] && four_times <= MOST[1]
    }
}

fn repeated(unit: &str, times: usize) -> String {
    unit.repeat((SIZE / unit.len()).max(1) * times)
}

#[test]
fn outputs_take_linear_time() {
    // One run of an output tries a share of the units, and the next one another.
    let step = if std::env::var_os("URIVALIDATE_LONG_TESTS").is_some() { 1 } else { 4 };
    let mut first = 0;
    let mut are_linear = true;
    println!("\n{:<75} {:>5} {:>5}   worst", "output", "2n", "4n");
    // A Parquet file is made by a library.
    let forms = Form::value_variants().iter().filter(|&&form| form != Form::Parquet);
    let names = forms.map(|form| form.to_possible_value().expect("all are shown").get_name().to_owned());
    let rows = names.flat_map(|form| ROWS.map(|rows| format!("{rows} --to {form}")));
    // Annotations are only for errors.
    let rows =
        rows.filter(|row| !(row.contains("github") || row.contains("sarif")) || row.contains("errors"));
    for output in OUTPUTS.map(str::to_owned).into_iter().chain(rows) {
        let mut worst = Worst::new();
        for (format, before, after) in FORMATS {
            let from = ["urivalidate", "--threads", "1", "--from", format];
            // NUL ends records of lists only, and each line of a list is a record.
            if output == "--null" && format != "lines" || output.contains("rest") && format == "lines" {
                continue;
            }
            let args = Args::try_parse_from(from.into_iter().chain(output.split_whitespace()));
            let args = args.expect("good arguments").settle();
            let plan = Plan::new(&args).expect("arguments that go together");
            let run = |input: &[u8]| run(&plan, &args, input);
            first = (first + 1) % step;
            for unit in UNITS.into_iter().skip(first).step_by(step) {
                let line = format!("{before}{unit}{after}");
                let lines = |times| repeated(&line, times);
                worst.note(work(&lines, &run), || format!("{format}, lines with {unit}"));
                let field = |times| [before, &repeated(unit, times), after].concat();
                worst.note(work(&field, &run), || format!("{format}, a field of {unit}"));
                let unended = |times| [before, &repeated(unit, times)].concat();
                worst.note(work(&unended, &run), || format!("{format}, no line end, {unit}"));
            }
        }
        are_linear &= worst.is_linear(&output);
    }
    let mut worst = Worst::new();
    let args = Args::try_parse_from(["urivalidate", "--suggest", "--explain", "a:"])
        .expect("good arguments")
        .settle();
    let validator = plan::lone_validator(&args).expect("arguments that go together");
    for (start, unit) in
        ["", "http://a/", "http://a/?"].into_iter().flat_map(|start| UNITS.map(|unit| (start, unit)))
    {
        let run = |uri: &[u8]| looked_at(Explained::new(&args, validator, uri).drawn(&args).len());
        let uri = |times| start.to_owned() + &repeated(unit, times);
        worst.note(work(&uri, &run), || format!("{start}{unit}"));
    }
    are_linear &= worst.is_linear("--explain");
    assert!(are_linear, "some outputs take more than linear time");
}

/// The options for references and their bases.
const RESOLVED: [&str; 6] = [
    "--count resolved",
    "--distinct resolved",
    "--emit resolved",
    "--emit components --columns uri,resolved,base,page --to csv",
    "--emit components --columns uri,resolved,base,page --to jsonl",
    "--emit components --columns uri,resolved,base,page --to arrow",
];

/// Returns a page with this base that has these links.
fn page(base: &str, links: &str) -> String {
    format!("<base href='{base}'>\n{links}")
}

/// Returns an archive with a page of this URI.
fn archive(uri: &str, page: &str) -> String {
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>{page}");
    let header = format!("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {uri}");
    format!("{header}\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n", block.len())
}

/// Tests bases and references that grow at once, up to bases that are too long.
#[test]
fn bases_and_references_that_grow_together_take_linear_time() {
    /// The number of bytes of the base, and of the references, for n.
    const SIZE: usize = 16 << 10;

    let uri = |times: usize, end: &str| format!("http://h.example/{}{end}", "a/".repeat(times * SIZE / 2));
    let links = |times: usize| (0..times * SIZE / 16).map(|n| format!("<a href='{n}'>")).collect::<String>();
    let shapes: [(&str, &dyn Fn(usize) -> String); 5] = [
        ("html", &|times| page(&uri(times, ""), &links(times))),
        ("html", &|times| page(&uri(times, "#f"), &links(times))),
        ("html", &|times| page(&format!("http://h.example/#{}", "f".repeat(times * SIZE)), &links(times))),
        ("warc --field links", &|times| archive(&uri(times, ""), &links(times))),
        ("warc --field links", &|times| archive("http://h/", &page(&uri(times, ""), &links(times)))),
    ];
    let mut are_linear = true;
    for output in RESOLVED {
        let mut worst = Worst::new();
        for (number, (format, shape)) in shapes.iter().enumerate() {
            let from = format!("urivalidate --threads 1 --base http://h/ --from {format} {output}");
            let args = Args::try_parse_from(from.split_whitespace()).expect("good arguments").settle();
            let plan = Plan::new(&args).expect("arguments that go together");
            worst.note(work(shape, &|input| run(&plan, &args, input)), || format!("shape {number}"));
        }
        are_linear &= worst.is_linear(output);
    }
    assert!(are_linear, "some outputs take more than linear time");
}

/// The options for the fields of lines.
const FIELDS: [&str; 4] = [
    "--emit components --columns log.1,log.7,log.c3,row,malformed --to csv",
    "--emit errors --columns log.1,log.7,log.c3,row --to jsonl",
    "--emit components --columns log.1,log.7,log.c3,row,malformed --to arrow",
    "--emit log.c3",
];

/// Tests lines with many fields, and many lines, headers and malformed lines.
#[test]
fn fields_take_linear_time() {
    let numbers = |times: usize| (0..times * SIZE / 8).map(|n| format!("c{n}")).collect::<Vec<_>>();
    let row = |times: usize| format!("{}\n", numbers(times).join(","));
    let rows = |times: usize, row: &str| row.repeat(times * SIZE / 8);
    let object = |times: usize| {
        let members: Vec<_> = numbers(times).iter().map(|key| format!("\"{key}\":[1,{{\"a\":2}}]")).collect();
        format!("{{\"url\":\"a:\",{}}}\n", members.join(","))
    };
    let shapes: [(&str, &dyn Fn(usize) -> String); 12] = [
        ("csv --header yes", &|times| row(times) + &row(times)),
        ("csv --header yes --field 1", &|times| "c0,c3\n".to_owned() + &rows(times, "a b,\"\n\"\n")),
        ("csv --header yes --field 1", &|times| "c0,c3\n".to_owned() + &rows(times, "a b\nc:,d\n")),
        ("csv --header yes --field 1", &|times| "c0,c3\n".to_owned() + &rows(times, "\n")),
        ("jsonl", &object),
        ("jsonl", &|times| format!("{{\"url\":\"a:\",{}\"c3\":1}}\n", rows(times, "\"c3\":[],"))),
        ("jsonl", &|times| format!("{{\"url\":\"a:\",\"c3\":{}1{}}}\n", rows(times, "["), rows(times, "]"))),
        ("w3c", &|times| rows(times, "#Fields: cs-uri c3\n/a b\n/a\n")),
        ("w3c", &|times| "#Fields: cs-uri c3\n".to_owned() + &rows(times, "#x\n/a b\n")),
        ("w3c", &|times| format!("#Fields: cs-uri {0}\n/a {0}\n", row(times).trim_end().replace(',', " "))),
        ("zeek", &|times| rows(times, "#fields\turi\tc3\n/a\tb\n/b\n")),
        ("pairs", &|times| rows(times, "c3=1;c4=2;") + "url=a:\n"),
    ];
    let mut are_linear = true;
    for output in FIELDS {
        let mut worst = Worst::new();
        for (number, (format, shape)) in shapes.iter().enumerate() {
            let from = format!("urivalidate --threads 1 --from {format} {output}");
            let args = Args::try_parse_from(from.split_whitespace()).expect("good arguments").settle();
            let plan = Plan::new(&args).expect("arguments that go together");
            worst.note(work(shape, &|input| run(&plan, &args, input)), || format!("shape {number}"));
        }
        are_linear &= worst.is_linear(output);
    }
    assert!(are_linear, "some outputs take more than linear time");
}
