//! What the command line says.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use clap::builder::{ArgPredicate, PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgAction, Parser, ValueEnum};
use urivalidate::corpus::{
    FieldSelector, Format, HeaderRow, Layout, LayoutOptions, NoSuchField, Pattern, Scanner,
};
use urivalidate::{Backend, ErrorKind, Grammar, Hosts, Problem};

use crate::tolerance::Tolerance;

const AFTER_HELP: &str = "\
Exit status:
  0  done; after a check (--emit errors, --quiet, --fail-fast) it also means that every record is valid
  1  a check found an invalid record, or there are more of them than --max-invalid allows
  2  something failed: bad usage, a file that cannot be read; the other files are done all the same

Examples:
  urivalidate urls.txt                         say what is wrong, and where
  urivalidate --stats access.log               of a log, check what was asked for
  urivalidate --field referer access.log       ... or what it says it came from
  urivalidate --stats urls.txt                 count, and show samples of what is wrong
  urivalidate --emit valid < urls.txt > good   keep the valid lines
  urivalidate --emit components --to jsonl urls.txt
  urivalidate --top-hosts 10 urls.txt          which hosts there are most of
  urivalidate --count scheme urls.txt          how many records have each scheme
  urivalidate --valid good --invalid bad --errors why.csv --to csv --emit none urls.txt
  find . -name '*.txt' -print0 | urivalidate --files-from - --stats
  urivalidate --explain 'http://example.com/a b'";

/// The version, which backends this build has, and which one runs.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let compiled = Backend::ALL.iter().filter(|backend| backend.is_compiled());
    let names: Vec<&str> = compiled.map(|backend| backend.name()).collect();
    format!(
        "{}\nbackends: {}; on this machine: {}",
        env!("CARGO_PKG_VERSION"),
        names.join(", "),
        Backend::best()
    )
});

/// Validates and takes apart URIs in bulk.
///
/// Every line of every FILE is one record, checked against a grammar; blank lines and lines with # too. Of crawl and access
/// logs, indexes and tables (see --from) the field is checked that holds the URI. What is invalid is reported as
/// FILE:LINE:COLUMN: KIND: MESSAGE, with the column of the first byte that cannot be there.
#[derive(Debug, Parser)]
#[command(name = "urivalidate", version = VERSION.as_str(), about, long_about, after_help = AFTER_HELP, max_term_width = 100)]
#[command(args_override_self = true)]
pub(crate) struct Args {
    /// Files to check, plain or compressed by gzip or zstd; "-", or none at all, is standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Check the files that FILE names, too, one name a line or, as find -print0 writes, NUL behind each; "-" is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) files_from: Option<PathBuf>,

    /// The grammar that a record has to match [default: uri; of access logs request-target]
    #[arg(short, long, value_name = "GRAMMAR", help_heading = "What is checked")]
    #[arg(value_parser = grammars(), hide_possible_values = true, long_help = grammar_help())]
    pub(crate) grammar: Option<Grammar>,

    /// What the lines are: auto finds out by the first ones, and says so unless every line is a record
    #[arg(short, long, value_name = "FORMAT", default_value = "auto", help_heading = "What is checked")]
    #[arg(value_parser = formats(), hide_possible_values = true, long_help = format_help())]
    pub(crate) from: From,

    /// The field of a log that is checked, in place of the one that holds its URIs: a name, or the number of a column
    #[arg(long, value_name = "N|NAME", conflicts_with = "key", help_heading = "What is checked")]
    pub(crate) field: Option<String>,

    /// The key that is checked where lines are JSON objects, in place of url
    #[arg(long, value_name = "NAME", help_heading = "What is checked")]
    pub(crate) key: Option<String>,

    /// Whether the first line of a table is a header: auto if it names the column that is checked, or url or uri
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "What is checked")]
    pub(crate) header: Header,

    /// Check what a regular expression matches in a line: its group named uri, or its first group, or all of it
    #[arg(long, value_name = "PATTERN", conflicts_with_all = ["from", "field", "key", "delimiter", "null"])]
    #[arg(help_heading = "What is checked")]
    pub(crate) regex: Option<Pattern>,

    /// Check a field of lines that are cut by this byte, quotes around fields or not
    #[arg(long, value_name = "C", value_parser = delimiter, requires = "field", conflicts_with_all = ["from", "key", "null"])]
    #[arg(help_heading = "What is checked")]
    pub(crate) delimiter: Option<u8>,

    /// Accept zone identifiers in IPv6 addresses, as http://[fe80::1%25en0]/ (RFC 6874; RFC 3986 grammars only)
    #[arg(long, help_heading = "What is checked")]
    pub(crate) zone_ids: bool,

    /// Drop white space at both ends of each record first
    #[arg(long, help_heading = "What is checked")]
    pub(crate) trim: bool,

    /// Call longer records invalid: bytes, or with K, M or G
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "64M", help_heading = "What is checked")]
    pub(crate) max_record: usize,

    /// Records end with NUL, not with a line end: LF and CR are bytes of the record, and LINE counts records
    #[arg(short = '0', long, help_heading = "What is checked")]
    pub(crate) null: bool,

    /// What goes to standard output [default: errors; none with --stats]
    #[arg(long, value_name = "WHAT", help_heading = "What comes out")]
    pub(crate) emit: Option<Emit>,

    /// The form of the rows of errors, components and offsets
    #[arg(long, value_name = "FORM", default_value = "text", help_heading = "What comes out")]
    pub(crate) to: Form,

    /// Pick and order the columns of the rows, as file,line,host; a wrong name shows which there are
    #[arg(long, value_name = "NAMES", value_delimiter = ',', action = ArgAction::Set, help_heading = "What comes out")]
    pub(crate) columns: Option<Vec<String>>,

    /// Of components and offsets, emit the rows of valid or of invalid records only
    #[arg(long, value_name = "VERDICT", help_heading = "What comes out")]
    pub(crate) only: Option<Verdict>,

    /// Of errors, report only those of these kinds, as space,non-ascii
    #[arg(long, value_name = "KINDS", value_delimiter = ',', action = ArgAction::Set, help_heading = "What comes out")]
    #[arg(value_parser = kinds(), hide_possible_values = true)]
    pub(crate) kind: Option<Vec<String>>,

    /// Count the different values of a column, as host, scheme, port, error_kind or path_extension, most frequent first
    #[arg(long, value_name = "COLUMN", conflicts_with_all = ["emit", "quiet"], help_heading = "What comes out")]
    pub(crate) count: Option<String>,

    /// Of the values that --count counts, print the N most frequent ones
    #[arg(long, value_name = "N", requires = "count", help_heading = "What comes out")]
    pub(crate) top: Option<usize>,

    /// Also write the valid records to FILE, byte for byte; "-" is standard output, and stands for --emit valid
    #[arg(long, value_name = "FILE", help_heading = "What comes out")]
    pub(crate) valid: Option<PathBuf>,

    /// Also write the invalid records to FILE
    #[arg(long, value_name = "FILE", help_heading = "What comes out")]
    pub(crate) invalid: Option<PathBuf>,

    /// Of a log, also write the lines that hold no record to FILE; with the valid and the invalid ones they are all there are
    #[arg(long, value_name = "FILE", help_heading = "What comes out")]
    pub(crate) rest: Option<PathBuf>,

    /// Also write the errors to FILE, in the form that --to names
    #[arg(long, value_name = "FILE", help_heading = "What comes out")]
    pub(crate) errors: Option<PathBuf>,

    /// End with statistics: what is wrong, with samples; =full for all that is counted, =json for one JSON object
    #[arg(long, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "table")]
    #[arg(default_value_if("top_hosts", ArgPredicate::IsPresent, "table"), help_heading = "What comes out")]
    pub(crate) stats: Option<StatsForm>,

    /// Statistics with the N hosts with most records, and the N with most invalid ones
    #[arg(long, value_name = "N", help_heading = "What comes out")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=Hosts::KEPT as u64))]
    pub(crate) top_hosts: Option<u64>,

    /// Write statistics to FILE, as a page of HTML that needs nothing else; rows go along with it only if they are asked for
    #[arg(long, value_name = "FILE", help_heading = "What comes out")]
    pub(crate) report: Option<PathBuf>,

    /// Print nothing, stop at the first invalid record, and tell by the exit status
    #[arg(short, long, conflicts_with_all = ["emit", "stats", "top_hosts", "report", "valid", "invalid", "rest", "errors"], help_heading = "What comes out")]
    pub(crate) quiet: bool,

    /// Stop after the first invalid record, having reported it
    #[arg(long, help_heading = "What comes out")]
    pub(crate) fail_fast: bool,

    /// Tolerate N invalid records, or P% of all, in any mode: exit with 1 only if there are more
    #[arg(long, value_name = "N|P%", value_parser = Tolerance::parse, conflicts_with = "fail_fast")]
    #[arg(help_heading = "What comes out")]
    pub(crate) max_invalid: Option<Tolerance>,

    /// Take one URI apart, or show what is wrong with it, and read no files
    #[arg(long, value_name = "URI", help_heading = "What comes out")]
    #[arg(conflicts_with_all = [
        "files", "files_from", "from", "field", "key", "header", "regex", "delimiter", "null", "emit", "to", "columns", "only", "kind", "count", "valid", "invalid", "rest", "errors", "stats", "report", "quiet", "fail_fast",
        "max_invalid", "threads", "backend", "no_mmap", "no_progress",
    ], allow_hyphen_values = true)]
    pub(crate) explain: Option<std::ffi::OsString>,

    /// Colour the output: auto is on a terminal, and when NO_COLOR is not set
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "What comes out")]
    pub(crate) color: Color,

    /// Scan on this many threads; 0 is one a core
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, help_heading = "How it runs")]
    #[arg(value_parser = clap::value_parser!(u16).range(..=Scanner::MAX_THREADS as i64))]
    pub(crate) threads: u16,

    /// The instructions to scan with: auto, which is the fastest of this machine, or one of those that --version names
    #[arg(long, value_name = "NAME", default_value = "auto", help_heading = "How it runs")]
    #[arg(value_parser = backends(), hide_possible_values = true)]
    pub(crate) backend: BackendChoice,

    /// Read files instead of mapping them into memory
    #[arg(long, help_heading = "How it runs")]
    pub(crate) no_mmap: bool,

    /// Show no progress; it is shown on a terminal only, when the run takes longer than a second
    #[arg(long, help_heading = "How it runs")]
    pub(crate) no_progress: bool,

    /// Print the manual page, or what makes a shell complete the command line, and read no files
    #[arg(long, value_name = "WHAT", exclusive = true, help_heading = "How it runs")]
    pub(crate) generate: Option<Document>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emit {
    /// For each invalid record where and what is wrong
    Errors,
    /// Valid records, byte for byte
    Valid,
    /// Invalid records, byte for byte
    Invalid,
    /// Of a log the lines that hold no record, byte for byte
    Rest,
    /// For each record its verdict and the texts of its components
    Components,
    /// For each record its verdict and where its components lie
    Offsets,
    /// Nothing
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// For people and line tools; components and offsets are separated by tabs
    Text,
    /// JSON Lines
    Jsonl,
    /// Comma-separated, with a header: an absent component is an empty cell, an empty one is ""
    Csv,
    /// Tab-separated, with a header: an absent component is \N; a tab, LF, CR or backslash is \t, \n, \r or \\
    Tsv,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Verdict {
    Valid,
    Invalid,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatsForm {
    /// What is wrong, most of it first, with a sample of each
    Table,
    /// That, and all else that is counted
    Full,
    /// One JSON object
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BackendChoice {
    Auto,
    Named(Backend),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Header {
    Auto,
    Yes,
    No,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum From {
    Auto,
    Format(Format),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Document {
    /// The manual page, in roff
    Man,
    CompleteBash,
    CompleteZsh,
    CompleteFish,
    CompletePowershell,
}

impl Args {
    /// Takes the format that an option asks for which only one has.
    pub(crate) fn settle(mut self) -> Self {
        if self.regex.is_some() {
            self.from = From::Format(Format::Regex);
        } else if self.delimiter.is_some() {
            self.from = From::Format(Format::Delimited);
        }
        self
    }

    /// The layout of all files, unless it is to be found out for each.
    pub(crate) fn layout(&self) -> Option<Result<Layout, NoSuchField>> {
        match self.from {
            // The line ends of a log are those of a text.
            From::Auto if self.null => Some(Layout::with(Format::Lines, &self.layout_options())),
            From::Auto => None,
            From::Format(format) => Some(Layout::with(format, &self.layout_options())),
        }
    }

    /// The field of a log that is checked.
    pub(crate) fn layout_options(&self) -> LayoutOptions {
        let mut options = LayoutOptions::from(match (&self.field, &self.key) {
            (Some(field), _) => FieldSelector::Field(field.clone()),
            (None, Some(key)) => FieldSelector::Key(key.clone()),
            (None, None) => FieldSelector::Uri,
        });
        options.header = match self.header {
            Header::Auto => HeaderRow::Auto,
            Header::Yes => HeaderRow::Yes,
            Header::No => HeaderRow::No,
        };
        options.delimiter = self.delimiter;
        options.pattern = self.regex.clone();
        options
    }

    /// The grammar that is asked for, or the one of the format that is; where the format is to be found out, that of
    /// lists.
    pub(crate) fn grammar(&self) -> Grammar {
        let of_layout = || Some(self.layout()?.ok()?.grammar());
        self.grammar.or_else(of_layout).unwrap_or(Grammar::Uri)
    }

    /// The number of threads that scan.
    pub(crate) fn threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads.into(),
        }
    }

    /// The backend that scans.
    pub(crate) fn backend(&self) -> Backend {
        match self.backend {
            BackendChoice::Auto => Backend::best(),
            BackendChoice::Named(backend) => backend,
        }
    }

    /// Whether statistics are asked for, in whatever form.
    pub(crate) fn counts(&self) -> bool {
        self.stats.is_some() || self.report.is_some()
    }

    /// What goes to standard output.
    pub(crate) fn emit(&self) -> Emit {
        let is_stdout = |file: &Option<PathBuf>| file.as_deref().is_some_and(is_hyphen);
        match self.emit {
            Some(emit) => emit,
            None if is_stdout(&self.valid) => Emit::Valid,
            None if is_stdout(&self.invalid) => Emit::Invalid,
            None if is_stdout(&self.rest) => Emit::Rest,
            None if is_stdout(&self.errors) => Emit::Errors,
            None if self.counts() || self.quiet || self.count.is_some() => Emit::None,
            None => Emit::Errors,
        }
    }
}

/// Whether this is the name of a standard stream.
pub(crate) fn is_hyphen(file: &Path) -> bool {
    file == Path::new("-")
}

fn grammars() -> impl TypedValueParser<Value = Grammar> {
    // What people call them by their documents.
    let alias = |grammar| match grammar {
        Grammar::Uri => Some("rfc3986"),
        Grammar::Iri => Some("rfc3987"),
        _ => None,
    };
    let names =
        Grammar::ALL.iter().map(move |&grammar| PossibleValue::new(grammar.name()).aliases(alias(grammar)));
    PossibleValuesParser::new(names).map(move |name| {
        let is_called = |grammar: &&Grammar| grammar.name() == name || alias(**grammar) == Some(&name);
        *Grammar::ALL.iter().find(is_called).expect("only names of grammars are possible values")
    })
}

fn kinds() -> impl TypedValueParser<Value = String> {
    let names = ErrorKind::ALL.iter().map(|kind| kind.name());
    PossibleValuesParser::new(names.chain([Problem::MALFORMED]))
}

fn formats() -> impl TypedValueParser<Value = From> {
    let names = ["auto"].into_iter().chain(named_formats().map(Format::name));
    PossibleValuesParser::new(names).map(|name| {
        let format = Format::ALL.iter().find(|format| format.name() == name);
        format.map_or(From::Auto, |&format| From::Format(format))
    })
}

/// One byte, or \t, or its name.
fn delimiter(text: &str) -> Result<u8, String> {
    match text {
        r"\t" | "tab" => Ok(b'\t'),
        "space" => Ok(b' '),
        _ => match *text.as_bytes() {
            [byte] if !b"\"\r\n".contains(&byte) => Ok(byte),
            _ => Err("it is one byte, or tab or space; not a quote or a line end".to_owned()),
        },
    }
}

/// The formats that can be asked for by their names alone.
fn named_formats() -> impl Iterator<Item = Format> {
    Format::ALL.iter().copied().filter(|format| !matches!(format, Format::Regex | Format::Delimited))
}

fn format_help() -> String {
    let mut help = String::from(
        "What the lines are. Escapes are undone first, what stands where a URI should is counted apart, and a line that does \
        not fit is reported as malformed-line:",
    );
    help += "\n  auto       by the first lines of each file, lines when in doubt";
    for format in named_formats() {
        help += &format!("\n  {:<10} {}", format.name(), format.about());
    }
    help
}

fn backends() -> impl TypedValueParser<Value = BackendChoice> {
    let names = ["auto"].into_iter().chain(Backend::ALL.iter().map(|backend| backend.name()));
    PossibleValuesParser::new(names).map(|name| {
        let backend = Backend::ALL.iter().find(|backend| backend.name() == name);
        backend.map_or(BackendChoice::Auto, |&backend| BackendChoice::Named(backend))
    })
}

fn grammar_help() -> String {
    let mut help = String::from("The grammar that a record has to match:");
    for &grammar in Grammar::ALL {
        help += &format!("\n  {:<15} {}", grammar.name(), grammar.summary());
    }
    help
}

/// Bytes, or with a suffix multiples of 1024: `100`, `64K`, `64M`, `1G`.
fn size(text: &str) -> Result<usize, String> {
    let (digits, unit) = match text.as_bytes().last().map(u8::to_ascii_uppercase) {
        Some(b'K') => (&text[..text.len() - 1], 10),
        Some(b'M') => (&text[..text.len() - 1], 20),
        Some(b'G') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let size = digits.parse::<u64>().ok().and_then(|size| size.checked_mul(1 << unit));
    match size.and_then(|size| usize::try_from(size).ok()) {
        Some(size) if size > 0 => Ok(size),
        _ => Err(format!(
            "expected bytes from 1 on, as 100, 64K, 64M or 1G; the default is {}M",
            Scanner::MAX_RECORD >> 20
        )),
    }
}
