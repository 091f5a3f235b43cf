//! Tests that every input takes at most linear time. They count [`work`](crate::work) at n, 2n and 4n of each
//! thing that an input can repeat, for each format and each grammar, with all the parts of a scan that an
//! output needs.
//!
//! One thing grows at a time: the number of lines; the bytes of a field; or how often a line without a line
//! end repeats something that a format or a parser searches for. Twice as much may take 2.2 times the work,
//! four times as much 4.4 times. The excess allows for growth by steps: buffers, tables of names.
//! `cargo test growth -- --nocapture` prints the worst shape of each format and grammar.
//!
//! Each layout has all shapes if `URIVALIDATE_LONG_TESTS` is set, as the lane `long-tests` sets it. Otherwise
//! it has a share of them, and the next layout another, so that each shape is tried with some.
//!
//! The command writes the outputs, and has the same test (`cli/src/growth.rs`).

use std::ops::ControlFlow;

use super::{ChunkScanner, FieldSelector, Format, Guess, Layout, LayoutOptions, ProblemAt, Scanner, Wrapper};
use crate::column::Columns;
use crate::corpus::WantedLines;
use crate::grammar::Grammar;
use crate::stats::Stats;
use crate::validator::Validator;
use crate::work::{looked_at, so_far};

/// The size n in bytes.
const SIZE: usize = 4 << 10;

/// The largest allowed ratios of the work for 2n and for 4n to the work for n.
const MOST: [f64; 2] = [2.2, 4.4];

/// The same for runs of two marks. At these sizes, all brackets of Markdown still go to pulldown-cmark at once,
/// and it takes a little more than linear time for `[^[^…](](`. Only so many of them ever do.
const MOST_OF_RUNS: [f64; 2] = [2.5, 5.5];

/// Texts that a field or a line may repeat: URIs, separators, and the marks of a format, a parser or an
/// escape.
const UNITS: &[&str] = &[
    "a",
    "http://a/ ",
    "<http://a/ ",
    "[a](http://a/ 'b)",
    "](http://a/(",
    "<loc>http://a/ ",
    "&quot;http://a/&lt;",
    "<![CDATA[http://a/",
    "\"http:\\/\\/a\\\"",
    "\"mid:a@b\\",
    "\"see http:\\/\\/a b:\\n\\\"",
    "'a\\' http:\\/\\/a",
    "\\href{http://a\\_",
    "x={http://a/{",
    "url(http://a/ ",
    "“http://a|b",
    "CEF:0| a=http://a\\=b|",
    "link:a:",
    "image:++http://a[",
    "``http://a>`_",
    ".. _`a`:",
    "\"http://a/\",",
    "'http://a/b c'",
    "<a href='http://a/?b=c&amp;d=e'>",
    "see.http://a/",
    "mailto:",
    "mailto:a@b ",
    "tag:",
    "http://a[^",
    "urn:",
    "data:",
    "a:",
    "://",
    "=\"",
    "='",
    "(",
    "({[",
    "&amp;",
    "&apos;",
    "&",
    "\"",
    "\"\"",
    "\"] ",
    "\\",
    "\\\"",
    "\\u0041",
    "\\x41",
    "#41",
    "{",
    "{\"a\":",
    "[",
    "}",
    "]",
    "\"url\":1,",
    "\"url\":\"http://a/\",",
    "\"\\u0075rl\":1,",
    "\"uri\":1,",
    "\"request\":{\"uri\":1},",
    "\"request\":1,",
    "url=",
    "url=1;",
    "#url=",
    ",",
    ";",
    "\t",
    " ",
    " - ",
    "|",
    "%",
    "%41",
    "é",
    "\r",
    "CDX",
    " CDX ",
    "#Fields: cs-uri ",
    "WARC/1.0",
    "Sitemap: http://a/ ",
    "[06/Feb/2026:12:14:14.655] ",
    "20260102030405 ",
];

/// Texts around a repetition that fills a line: nothing, or a JSON object, with or without the start of an
/// index line.
const AROUND: [(&str, &str); 3] = [("", ""), ("{", "\"url\":1}"), ("com,a)/ 20260102030405 {", "\"url\":1}")];

/// Marks that open, close or escape something. A search of a counterpart can start at each mark of one run and
/// pass all of the other.
const MARKS: &[&str] = &[
    "[", "]", "](", "]:", "[^", "(", ")", "<", ">", "{", "}", "\"", "'", "`", "` ", "\\", "&", "|", " ", "*",
    "_", "<!--", "<a ", "=", "\n", "\n> ", "\n- ", "\n    ", "- ", "> ", "://", "</a>", ",",
];

/// Repeats `unit` to `times` × n bytes.
fn repeated(unit: &str, times: usize) -> String {
    unit.repeat((SIZE / unit.len()).max(1) * times)
}

/// The worst of many shapes: the ratios of the work at 2n and at 4n to the work at n.
struct Worst {
    ratios: [f64; 2],
    /// The largest allowed ratios.
    most: [f64; 2],
    names: [String; 2],
    shapes: usize,
    /// One of so many shapes is tried.
    step: usize,
    /// The number of layouts so far.
    layouts: usize,
}

impl Worst {
    /// Each layout tries one in `step` shapes, or all of them if `URIVALIDATE_LONG_TESTS` is set.
    fn new(step: usize) -> Self {
        let step = if std::env::var_os("URIVALIDATE_LONG_TESTS").is_some() { 1 } else { step };
        Worst { ratios: [0.0; 2], most: MOST, names: Default::default(), shapes: 0, step, layouts: 0 }
    }

    /// Returns the share of `all` that the next layout tries.
    fn share<T: Copy>(&mut self, all: &'static [T]) -> impl Iterator<Item = T> + use<T> {
        let first = self.layouts % self.step;
        self.layouts += 1;
        all.iter().copied().skip(first).step_by(self.step)
    }

    /// Counts the work on this shape, whose argument is the multiple of n.
    fn grow(&mut self, name: &dyn Fn() -> String, shape: &dyn Fn(usize) -> Vec<u8>, run: &dyn Fn(&[u8])) {
        let [once, twice, four_times] = [1, 2, 4].map(|times| {
            let input = shape(times);
            let before = so_far();
            run(&input);
            (so_far() - before) as f64
        });
        assert!(once > 0.0, "nothing is counted for {}", name());
        self.shapes += 1;
        for (at, ratio) in [twice / once, four_times / once].into_iter().enumerate() {
            if ratio > self.ratios[at] {
                (self.ratios[at], self.names[at]) = (ratio, name());
            }
        }
    }

    /// Prints a row of the table, and returns whether the growth is linear.
    fn report(&self, what: &str) -> bool {
        let [twice, four_times] = self.ratios;
        println!(
            "{what:<15} {:>6} {twice:>8.2} {four_times:>8.2}   {}",
            self.shapes,
            self.names[1].escape_debug()
        );
        let is_linear = twice <= self.most[0] && four_times <= self.most[1];
        if !is_linear {
            println!("{:<15} more than linear: {} at 2n", "", self.names[0].escape_debug());
        }
        is_linear
    }
}

fn print_head(what: &str) {
    println!("\n{what:<15} {:>6} {:>8} {:>8}   worst", "shapes", "2n", "4n");
}

/// Scans `input` with everything that outputs request.
fn scan(scanner: &Scanner, input: impl std::io::Read + Send) {
    let job = |chunk: &super::Chunk<'_>| {
        let mut chunk_scanner = ChunkScanner::default();
        let mut stats = Stats::new().with_hosts();
        let validator = chunk.layout().validator(Validator::new(Grammar::Uri));
        let scanned = chunk_scanner.scan(chunk, &validator, Columns::ALL).unwrap();
        stats.count(&scanned).unwrap();
        for problem in scanned.problems() {
            match problem {
                ProblemAt::Record(record) => {
                    let index = record.index as usize;
                    scanned.error_column(index, record.error.offset()).unwrap();
                    validator.suggest(scanned.record(index).unwrap());
                }
                ProblemAt::Line(line) => drop(chunk.layout().message(line).to_string()),
            }
        }
        for index in 0..scanned.len() {
            scanned.start_column(index).unwrap();
            scanned.line_number(index).unwrap();
            looked_at(scanned.record(index).unwrap().len());
        }
        let mut copy = Vec::new();
        scanned.copy_lines(WantedLines::Valid, &mut copy);
        scanned.copy_lines(WantedLines::TrimmedValid, &mut copy);
        scanned.copy_lines(WantedLines::Invalid(&|_, _| true), &mut copy);
        scanned.copy_lines(WantedLines::Other, &mut copy);
        looked_at(copy.len());
        stats
    };
    let mut total = Stats::new();
    // A header may lack the column: then the scan ends there.
    let _ = scanner.scan_reader(input, job, |stats| {
        total.append(&stats);
        ControlFlow::<()>::Continue(())
    });
}

/// Adds all shapes of a format to `worst`. The scanner has the layout of the format or detects it.
fn shapes_of(scanner: &Scanner, [head, before, after]: [&str; 3], worst: &mut Worst) {
    let run = |input: &[u8]| scan(scanner, input);
    for unit in worst.share(UNITS) {
        let in_field = |times| [head, before, &repeated(unit, times), after].concat().into_bytes();
        worst.grow(&|| format!("a field of {unit}"), &in_field, &run);
        let line = [before, unit, after].concat();
        let lines = |times| (head.to_owned() + &repeated(&line, times)).into_bytes();
        worst.grow(&|| format!("lines with {unit}"), &lines, &run);
        for (open, close) in AROUND {
            let alone = |times| [head, open, &repeated(unit, times), close].concat().into_bytes();
            worst.grow(&|| format!("a line of {open}{unit}…{close}"), &alone, &run);
        }
    }
}

/// Returns a scanner that reads as if from a file. A short read of a pipe counts as a slow one, after which
/// the reader examines the same bytes again: small inputs would take different work from large ones.
fn scanner() -> Scanner {
    Scanner::new().fill_chunks(true)
}

fn layout(format: Format) -> Layout {
    let mut options = LayoutOptions::from(FieldSelector::Uri);
    options.delimiter = Some(b';');
    #[cfg(feature = "regex")]
    {
        options.pattern = Some(r"to=(?<uri>\S+)".parse().unwrap());
    }
    Layout::new(format, &options).unwrap()
}

/// Returns true if the library is built with this format.
fn is_built(format: Format) -> bool {
    let of_features = [
        (Format::Regex, cfg!(feature = "regex")),
        (Format::Markdown, cfg!(feature = "markdown")),
        (Format::Mdx, cfg!(feature = "markdown")),
        (Format::Quarto, cfg!(feature = "markdown")),
        (Format::Xml, cfg!(feature = "xml")),
    ];
    of_features.iter().all(|&(of, is_built)| of != format || is_built)
}

#[test]
fn formats_take_linear_time() {
    let mut are_linear = true;
    print_head("format");
    for format in Format::ALL.iter().copied().filter(|&format| is_built(format)) {
        let mut worst = Worst::new(2);
        let given = scanner().layout(layout(format));
        shapes_of(&given, format.example(), &mut worst);
        // Lines over the limit are cut into parts.
        let limited = scanner().layout(layout(format)).max_record(100).chunk_size(200);
        shapes_of(&limited, format.example(), &mut worst);
        are_linear &= worst.report(format.name());
    }
    assert!(are_linear, "some shapes take more than linear time");
}

#[test]
fn runs_of_two_marks_take_linear_time() {
    let mut are_linear = true;
    print_head("format");
    for format in Format::ALL.iter().copied().filter(|&format| is_built(format)) {
        let mut worst = Worst { most: MOST_OF_RUNS, ..Worst::new(32) };
        let scanner = scanner().layout(layout(format));
        let [head, before, after] = format.example();
        for first in MARKS {
            for second in worst.share(MARKS) {
                let text = |times| repeated(first, times) + "a" + &repeated(second, times);
                let name = |around: &str| format!("{around}: {first}, then {second}");
                let alone = |times| (head.to_owned() + &text(times)).into_bytes();
                worst.grow(&|| name("alone"), &alone, &|input| scan(&scanner, input));
                let in_field = |times| [head, before, &text(times), after].concat().into_bytes();
                worst.grow(&|| name("in a field"), &in_field, &|input| scan(&scanner, input));
            }
        }
        are_linear &= worst.report(format.name());
    }
    assert!(are_linear, "some shapes take more than linear time");
}

#[test]
fn finding_a_format_takes_linear_time() {
    print_head("format");
    let mut worst = Worst::new(4);
    for format in Format::ALL {
        let detecting = scanner().detect_format(LayoutOptions::default());
        shapes_of(&detecting, format.example(), &mut worst);
    }
    let is_linear = worst.report("auto");
    let mut worst = Worst::new(1);
    for unit in worst.share(UNITS) {
        let line = |times| repeated(unit, times).into_bytes();
        worst.grow(&|| format!("a line of {unit}"), &line, &|input| {
            Format::looks_like(input);
        });
    }
    let are_linear = worst.report("looks like") & is_linear;
    assert!(are_linear, "some shapes take more than linear time");
}

#[test]
fn wrapped_lines_take_linear_time() {
    print_head("format");
    let mut worst = Worst::new(7);
    let [_, before, after] = Format::Envoy.example();
    for &wrapper in Wrapper::ALL {
        let options = LayoutOptions { wrapper: Some(wrapper), ..LayoutOptions::default() };
        let wrapped = scanner().detect_format(options);
        for prefix in WRAPPED {
            let (before, after) = (prefix.to_owned() + before, after.replace('\n', "\\n\"}\n"));
            shapes_of(&wrapped, ["", prefix, "\n"], &mut worst);
            shapes_of(&wrapped, ["", &before, &after], &mut worst);
        }
    }
    assert!(worst.report("wrapped"), "some shapes take more than linear time");
}

#[test]
fn trimming_takes_linear_time() {
    print_head("format");
    let mut worst = Worst::new(2);
    let trimming = scanner().trim(true);
    shapes_of(&trimming, ["", " ", "\t\n"], &mut worst);
    for &format in &Format::ALL[..10] {
        let [head, before, after] = format.example();
        let spaced = (before.to_owned() + " ", " ".to_owned() + after);
        let trimming = scanner().layout(layout(format)).trim(true);
        shapes_of(&trimming, [head, &spaced.0, &spaced.1], &mut worst);
    }
    assert!(worst.report("trimmed"), "some shapes take more than linear time");
}

/// Tests the search for the header of a table, in which any line can name a column.
#[test]
fn heads_of_tables_take_linear_time() {
    print_head("rows");
    let mut worst = Worst::new(1);
    let table = scanner().layout(layout(Format::Csv));
    const LINES: [&str; 9] =
        ["#url,b", "url,b", "x", "", "#", "1,2", "http://a/,b", "a,,", "\"url\",\"b\n\""];
    let mut grow = |lines: [&str; 3]| {
        let rows = |times| {
            let part = |line: &str| repeated(&(line.to_owned() + "\n"), times);
            lines.map(part).concat().into_bytes()
        };
        worst.grow(&|| lines.join(" / "), &rows, &|input| scan(&table, input));
    };
    for first in LINES {
        for second in LINES {
            grow([first, second, "1,2"]);
            grow([first, second, "url,b"]);
        }
    }
    assert!(worst.report("heads"), "some heads take more than linear time");
}

/// Tests the trial of advice on the lines of an input.
#[test]
fn trials_of_advice_take_linear_time() {
    print_head("lines");
    let mut worst = Worst::new(2);
    for format in [Format::Lines, Format::Csv, Format::Jsonl, Format::Text] {
        let layout = layout(format);
        let advice = |input: &[u8]| {
            let guess = Guess::new(input, &layout);
            guess.map(|guess| guess.tried(input, &layout, layout.grammar()));
        };
        for unit in worst.share(UNITS) {
            let lines = |times| repeated(&[unit, ",b c\n"].concat(), times).into_bytes();
            worst.grow(&|| format!("{format}: lines with {unit}"), &lines, &advice);
            let line = |times| repeated(unit, times).into_bytes();
            worst.grow(&|| format!("{format}: a line of {unit}"), &line, &advice);
        }
    }
    assert!(worst.report("trials"), "some trials take more than linear time");
}

/// Starts of wrapped lines.
const WRAPPED: [&str; 9] = [
    "Nov 23 01:02:03 h a: ",
    "<1>1 - - - - - - ",
    "<1>1 - - - - - [a b=\"",
    "2026-11-23T01:02:03Z stdout P ",
    "[pod/a/b] ",
    "a-1 b ",
    "a-1  | ",
    "{\"stream\":\"\",\"log\":\"",
    "{\"__REALTIME_TIMESTAMP\":\"\",\"MESSAGE\":\"",
];

/// Tests links in one page and in many, decoded or not.
#[test]
fn links_in_the_pages_of_archives_take_linear_time() {
    print_head("format");
    let mut worst = Worst::new(1);
    let links = Layout::new(Format::Warc, &FieldSelector::Field("links".to_owned()).into()).unwrap();
    let given = scanner().layout(links.clone());
    let limited = scanner().layout(links).max_record(200).chunk_size(300);
    let response = |header: &str, length: usize, body: &str| {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{header}\r\n");
        let length = head.len() + length;
        format!("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: {length}\r\n\r\n{head}{body}")
    };
    for scanner in [&given, &limited] {
        // One page, in which the file may end.
        for (header, before, after) in [
            ("", "<a href=\"", "\">"),
            ("Transfer-Encoding: chunked\r\n", "1\r\n<\r\n", ""),
            ("Content-Encoding: gzip\r\n", "<!doctype html>", "<base href=x>"),
        ] {
            shapes_of(scanner, [&response(header, 60_000_000, ""), before, after], &mut worst);
        }
        for header in ["", "Content-Encoding: deflate\r\n"] {
            let record = response(header, 12, "<a href=abc>") + "\r\n\r\n";
            let records = |times| repeated(&record, times).into_bytes();
            worst.grow(&|| format!("pages with {header}"), &records, &|input| scan(scanner, input));
        }
        // An ARC file, and a file that stops being one after its first record.
        let first = "filedesc://x 0 20260102030405 text/plain 0\n\n";
        for unit in [
            "http://a/ 0 20260102030405 text/html 12\n<a href=abc>\n",
            "junk 0 20260102030405 \n",
            "junk\n",
            "0 20260102030405 ",
        ] {
            let file = |times| format!("{first}{}", repeated(unit, times)).into_bytes();
            worst.grow(&|| format!("ARC with {unit:?}"), &file, &|input| scan(scanner, input));
        }
    }
    assert!(worst.report("links"), "some shapes take more than linear time");
}

/// Tests headers of archives that have no end, no length or no block, and blocks that end in the middle of a
/// line.
#[test]
fn headers_of_archives_take_linear_time() {
    print_head("field");
    for (name, options) in
        [("targets", LayoutOptions::default()), ("links", FieldSelector::Field("links".to_owned()).into())]
    {
        let mut worst = Worst::new(1);
        let given = || scanner().layout(Layout::new(Format::Warc, &options).unwrap());
        for scanner in [given(), given().max_record(200).chunk_size(300)] {
            for unit in [
                "WARC/1.0\n",
                "WARC/1.0\nWARC-Target-URI: http://a/\n",
                "WARC/1.0\nWARC-Target-URI: http://a/\n\n",
                "WARC/1.0\nWARC-Target-URI: http://a/\nContent-Length: 0\n\n",
                "WARC/1.0\nContent-Length: 3\n\nabcWARC/1.0\n",
                "WARC-Target-URI: http://a/\n b\n",
                "\nWARC/x",
                "\n",
            ] {
                for first in ["", "WARC/1.0\n", "WARC/1.0\nContent-Length: 999999999\n\n"] {
                    let file = |times| format!("{first}{}", repeated(unit, times)).into_bytes();
                    worst.grow(&|| format!("{first:?} and {unit:?}"), &file, &|input| scan(&scanner, input));
                }
            }
        }
        assert!(worst.report(name), "some shapes take more than linear time");
    }
}

/// Lines of tables whose quotes stay open from some line on.
const ROWS: &[&str] =
    &["\"\n", "\"\"\n", "\"\"\"\n", ",\"\n", "x\",\",\n", "x\",\",\"\"\n", "\n", "\",\"\r\n", "\"a\nb\",\n"];

/// An input that is read in pieces.
struct Pieces<'a> {
    input: &'a [u8],
    /// The size of a piece in bytes.
    size: usize,
}

impl std::io::Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let most = buffer.len().min(self.size);
        self.input.read(&mut buffer[..most])
    }
}

#[test]
fn rows_of_many_lines_take_linear_time() {
    let mut worst = Worst::new(2);
    print_head("rows");
    for format in [Format::Csv, Format::Delimited] {
        for (chunk_size, size) in [(200, 7), (200, 200), (1 << 20, 7), (1 << 20, 1000)] {
            // A limit may cut rows again and again, once, or never.
            for limit in ["100", "a third", "none"] {
                let max_record = |len| match limit {
                    "100" => 100,
                    "a third" => len / 3,
                    _ => Scanner::DEFAULT_MAX_RECORD,
                };
                let run = |input: &[u8]| {
                    let scanner = Scanner::new().max_record(max_record(input.len())).chunk_size(chunk_size);
                    scan(&scanner.layout(layout(format)), Pieces { input, size });
                };
                for unit in worst.share(ROWS) {
                    for start in ["", "\""] {
                        let name = || format!("{start}{unit} by {size}, limit {limit}");
                        let rows = |times| [start, &repeated(unit, times)].concat().into_bytes();
                        worst.grow(&name, &rows, &run);
                    }
                }
            }
        }
    }
    assert!(worst.report("tables"), "some shapes take more than linear time");
}

/// The places in a record where something may be repeated.
const STARTS: [&str; 14] = [
    "",
    "a",
    "a:",
    "//",
    "//[",
    "//[v1.",
    "//h:",
    "//u:p",
    "http://",
    "http://[::1%25",
    "h:/",
    "h:?",
    "h:#",
    "http://h:1/%41?",
];

/// The repeated parts.
const PARTS: [&str; 32] = [
    "a",
    "A.",
    "1",
    "0",
    "1.",
    "a.",
    "a-",
    ":",
    "::",
    "1:",
    "a:",
    "@",
    "a@",
    "[",
    "]",
    "%",
    "%41",
    "%zz",
    "/",
    "//",
    "?",
    "#",
    " ",
    "\t",
    "\\",
    "é",
    "\u{E000}",
    "\u{10FFFF}",
    "\u{85}",
    "^",
    "-",
    "+",
];

#[test]
fn grammars_take_linear_time() {
    let mut are_linear = true;
    print_head("grammar");
    for &grammar in Grammar::ALL {
        let mut worst = Worst::new(1);
        let validator = Validator::new(grammar);
        let run = |input: &[u8]| {
            let mut batch = crate::Batch::new();
            validator.scan(input, Columns::ALL, &mut batch).unwrap();
            validator.scan_ranges(&[0, input.len() as i32], input, None, Columns::ALL, &mut batch).unwrap();
            let _ = validator.parse(input);
            validator.suggest(input);
        };
        for (start, part) in STARTS.into_iter().flat_map(|start| PARTS.map(|part| (start, part))) {
            let record = |times| (start.to_owned() + &repeated(part, times)).into_bytes();
            worst.grow(&|| format!("a record of {start}{part}"), &record, &run);
            let line = format!("{start}{part}\n");
            let lines = |times| repeated(&line, times).into_bytes();
            worst.grow(&|| format!("records of {start}{part}"), &lines, &run);
        }
        are_linear &= worst.report(grammar.name());
    }
    assert!(are_linear, "some records take more than linear time");
}
