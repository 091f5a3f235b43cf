//! The arguments of the command line.

mod parsers;
mod tips;
mod values;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use clap::builder::ArgPredicate;
use clap::{ArgAction, Command, CommandFactory, Error, FromArgMatches, Parser};
use urivalidate::corpus::{
    FieldSelector, Format, HeaderRow, Layout, LayoutError, LayoutOptions, Pattern, Scanner,
};
use urivalidate::stats::{Hosts, Problem, Sample, Suspicion};
use urivalidate::{
    Backend, Derivation, Grammar, NormalForm, PUBLIC_SUFFIX_LIST_DATE, REGISTERED_SCHEMES_DATE, RowColumn,
};

use self::parsers::{
    ColumnNames, Emits, MAX_RECORD, backends, column_names, delimiter, format_help, formats, grammar_help,
    grammars, kinds, normal_forms, number, size, suspicions,
};
pub(crate) use self::values::{BackendChoice, Color, Document, Emit, Form, From, Header, StatsForm, Verdict};
use crate::tolerance::Tolerance;

const AFTER_HELP: &str = "\
Exit status:
  0  success; after a check (--emit errors, --quiet, --fail-fast), every record is valid
  1  a check found an invalid record, or more than --max-invalid allows were found
  2  something failed: wrong usage, or an input; others are still scanned, --output stays as it was

Examples:
  urivalidate urls.txt                          report each error with its place
  urivalidate --stats urls.txt                  count, with a sample of each error
  urivalidate --stats access.log                check the request targets of a log
  urivalidate --field referer access.log        check its referers
  urivalidate page.html                         check the links of a page
  urivalidate --from text notes.txt             check the URIs in a text
  urivalidate --emit valid < urls.txt > good    keep the valid lines
  urivalidate --suggest urls.txt                suggest repairs
  urivalidate --also java urls.txt              find what java.net.URI would reject
  urivalidate --also java --only differing urls.txt
  urivalidate --count host --top 10 urls.txt    list the most frequent hosts
  urivalidate --emit components --to jsonl urls.txt
  urivalidate --valid good --invalid bad --errors why.csv --to csv --emit none urls.txt
  urivalidate -r --stats lists/
  find . -name '*.txt' -print0 | urivalidate --files-from - --stats
  urivalidate --explain 'http://example.com/a b'";

/// Options that turn the statistics on.
const STATS_IMPLIED_BY: [&str; 4] = ["top_hosts", "distinct", "samples", "compare"];

/// Features of the command itself, and whether this build has them.
const FEATURES: [(&str, bool); 1] = [("parquet", cfg!(feature = "parquet"))];

/// The version, the features and backends of this build, and the backend that runs.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let compiled = Backend::ALL.iter().filter(|backend| backend.is_compiled());
    let names: Vec<&str> = compiled.map(|backend| backend.name()).collect();
    let features = urivalidate::FEATURES.iter().chain(&FEATURES).filter(|(_, is_compiled)| *is_compiled);
    let features: Vec<&str> = features.map(|&(name, _)| name).collect();
    format!(
        "{}\nfeatures: {}\nbackends: {}; on this machine: {}\npublic suffixes: list of {}\nregistered schemes: list of {}",
        env!("CARGO_PKG_VERSION"),
        features.join(", "),
        names.join(", "),
        Backend::best(),
        PUBLIC_SUFFIX_LIST_DATE,
        REGISTERED_SCHEMES_DATE
    )
});

/// Validates and takes apart URIs in bulk.
///
/// Every line of every FILE is a record, even a blank line or one that starts with #, and is checked against
/// a grammar. In logs, indexes and tables (see --from), the record is the field that holds the URI; each run
/// checks one field. Invalid records are reported as FILE:LINE:COLUMN: KIND: MESSAGE; COLUMN is the first
/// byte that cannot be there.
#[derive(Debug, Parser)]
#[command(name = "urivalidate", version = VERSION.as_str(), after_help = AFTER_HELP, max_term_width = 100)]
pub(crate) struct Args {
    /// Files to check, plain or compressed with gzip, zstd, bzip2 or xz. Reads standard input if FILE is "-"
    /// or missing; with --recursive, a missing FILE stands for the current directory
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Also check the files that FILE lists, one per line or each followed by NUL (find -print0); "-" is
    /// standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) files_from: Option<PathBuf>,

    /// Scan the files in directories whose names or first bytes tell their format, in the order of their
    /// names. As ripgrep does, it leaves out hidden files and those that .gitignore and .ignore name; links
    /// are not followed, binary files are skipped
    #[arg(short, long)]
    pub(crate) recursive: bool,

    /// With --recursive, also scan files that .gitignore, .ignore and their like leave out
    #[arg(long, requires = "recursive")]
    pub(crate) no_ignore: bool,

    /// With --recursive, also scan files and directories whose names start with a dot
    #[arg(long, requires = "recursive")]
    pub(crate) hidden: bool,

    /// Of directories and of --files-from, scan only files that match the glob, as in .gitignore: *.md is a
    /// name in any directory, docs/*.md a path, docs a directory with all in it. Can be repeated
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,

    /// Leave out the files and directories that match the glob. Can be repeated
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,

    /// The grammar that records must match [default: uri; for access logs request-target]
    #[arg(short, long, value_name = "GRAMMAR", help_heading = "What is checked")]
    #[arg(value_parser = grammars(), hide_possible_values = true, long_help = grammar_help())]
    pub(crate) grammar: Option<Grammar>,

    /// The format of the lines. auto detects it from the first lines, and a note names it unless it is lines
    #[arg(short, long, value_name = "FORMAT", default_value = "auto", help_heading = "What is checked")]
    #[arg(value_parser = formats(), hide_possible_values = true, long_help = format_help())]
    pub(crate) from: From,

    /// Check this field of a log instead of its usual one: a name, or the number of a column
    #[arg(long, value_name = "N|NAME", conflicts_with = "key", help_heading = "What is checked")]
    pub(crate) field: Option<String>,

    /// Check this key of JSON objects instead of url
    #[arg(long, value_name = "NAME", help_heading = "What is checked")]
    pub(crate) key: Option<String>,

    /// Whether the first line of a table is a header; auto: it is one if it names the checked column, url or
    /// uri
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "What is checked")]
    pub(crate) header: Header,

    /// Check the match of a regular expression in each line: the group named uri, else the first group, else
    /// the whole match
    #[arg(long, value_name = "PATTERN", conflicts_with_all = ["from", "field", "key", "delimiter", "null"])]
    #[arg(help_heading = "What is checked")]
    pub(crate) regex: Option<Pattern>,

    /// Split lines at this byte, or at tab or space, and check the column that --field selects; cells may be
    /// in quotes
    #[arg(long, value_name = "C", value_parser = delimiter, requires = "field", conflicts_with_all = ["from", "key", "null"])]
    #[arg(help_heading = "What is checked")]
    pub(crate) delimiter: Option<u8>,

    /// Accept zone identifiers in IPv6 addresses, as in http://[fe80::1%25en0]/ (RFC 6874, which RFC 9844 made
    /// obsolete; RFC 3986 grammars only)
    #[arg(long, help_heading = "What is checked")]
    pub(crate) zone_ids: bool,

    /// Strip white space from both ends of each record first
    #[arg(long, help_heading = "What is checked")]
    pub(crate) trim: bool,

    /// Treat longer records as invalid; a number of bytes, or a number with K, M or G, at most 1G
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = MAX_RECORD, help_heading = "What is checked")]
    pub(crate) max_record: usize,

    /// Records end with NUL instead of a line end: LF and CR are part of the record, and LINE counts records
    #[arg(short = '0', long, help_heading = "What is checked")]
    pub(crate) null: bool,

    /// What goes to standard output [default: errors; none with --stats]
    #[arg(long, value_name = "WHAT", help_heading = "What comes out", value_parser = Emits)]
    pub(crate) emit: Option<Emit>,

    /// The form of the rows of errors, components and offsets; --explain writes text or jsonl
    #[arg(long, value_name = "FORM", default_value = "text", help_heading = "What comes out")]
    pub(crate) to: Form,

    /// The same as --to jsonl
    #[arg(long, conflicts_with = "to", help_heading = "What comes out")]
    pub(crate) json: bool,

    /// Write the output of --emit or --count to FILE. FILE is replaced when the output is complete; a run
    /// that fails, even for one of several inputs, leaves it as it was
    #[arg(short, long, value_name = "FILE", help_heading = "What comes out")]
    pub(crate) output: Option<PathBuf>,

    /// Pick and order the columns of the rows, for example file,line,host; an unknown name lists the known
    /// ones. query.NAME is the value of the parameter NAME. Names with commas are quoted as in csv
    #[arg(long, value_name = "NAMES", value_parser = column_names, help_heading = "What comes out")]
    pub(crate) columns: Option<ColumnNames>,

    /// Write only the rows of valid or of invalid records, or of those on which the grammar of --also
    /// differs; for --emit components, --emit offsets and --count
    #[arg(long, value_name = "VERDICT", help_heading = "What comes out")]
    pub(crate) only: Option<Verdict>,

    /// Keep only the records whose hosts are in the list FILE: one name a line, .example.com for it and all
    /// below; or a hosts file, or ||example.com^ of an adblock list. Records without a host are dropped. Can
    /// be repeated
    #[arg(long, value_name = "FILE", help_heading = "What comes out")]
    pub(crate) hosts: Vec<PathBuf>,

    /// Drop the records whose hosts are in the list FILE. Can be repeated
    #[arg(long, value_name = "FILE", help_heading = "What comes out")]
    pub(crate) not_hosts: Vec<PathBuf>,

    /// Write only errors and invalid records of these kinds, for example space,non-ascii; an unknown kind
    /// lists the known ones
    #[arg(long, value_name = "KINDS", value_delimiter = ',', action = ArgAction::Set, help_heading = "What comes out")]
    #[arg(value_parser = kinds(), hide_possible_values = true)]
    pub(crate) kind: Option<Vec<String>>,

    /// Suggest a repair of each invalid record if only one is likely: the column suggestion, which is valid
    /// by the same grammar
    #[arg(long, help_heading = "What comes out")]
    pub(crate) suggest: bool,

    /// The normal form in the column normalized; scheme also drops empty ports and the default ports of http,
    /// https, ws, wss and ftp, and writes their empty paths as /
    #[arg(long, value_name = "FORM", value_parser = normal_forms(), default_value = "syntax", help_heading = "What comes out")]
    pub(crate) normalize: NormalForm,

    /// Resolve records against this URI in the column resolved; the default grammar becomes uri-reference
    #[arg(long, value_name = "URI", allow_hyphen_values = true, help_heading = "What comes out")]
    pub(crate) base: Option<String>,

    /// Read + as a space in the names and values of parameters (query.NAME, query_name), as in HTML forms
    #[arg(long, help_heading = "What comes out")]
    pub(crate) plus_as_space: bool,

    /// Count the values of a column (host, scheme, port, error_kind, query_name, path_extension and others),
    /// most frequent first
    #[arg(long, value_name = "COLUMN", conflicts_with_all = ["emit", "quiet"], help_heading = "What comes out")]
    pub(crate) count: Option<String>,

    /// Print only the N most frequent values of --count
    #[arg(long, value_name = "N", requires = "count", value_parser = number(1, u64::MAX), help_heading = "What comes out")]
    pub(crate) top: Option<u64>,

    /// Also write the valid records to FILE, byte for byte; with "-" it is the same as --emit valid
    #[arg(long, value_name = "FILE", help_heading = "What comes out")]
    pub(crate) valid: Option<PathBuf>,

    /// Also write the invalid records to FILE
    #[arg(long, value_name = "FILE", help_heading = "What comes out")]
    pub(crate) invalid: Option<PathBuf>,

    /// Also write the lines without a record to FILE, and those of records that --hosts and --not-hosts drop;
    /// the valid lines, the invalid lines and these are the whole log
    #[arg(long, value_name = "FILE", help_heading = "What comes out")]
    pub(crate) rest: Option<PathBuf>,

    /// Also write the errors to FILE, in the form that --to names
    #[arg(long, value_name = "FILE", help_heading = "What comes out")]
    pub(crate) errors: Option<PathBuf>,

    /// Print statistics at the end: errors with samples; =full has all counts, =json is one JSON object
    ///
    /// docs/statistics.md describes the keys of the object, and docs/statistics.schema.json is its JSON
    /// Schema.
    #[arg(long, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "table")]
    #[arg(default_value_ifs(STATS_IMPLIED_BY.map(|option| (option, ArgPredicate::IsPresent, "table"))))]
    #[arg(help_heading = "What comes out")]
    pub(crate) stats: Option<StatsForm>,

    /// Add to the statistics the N hosts with the most records, and the N with the most invalid records
    #[arg(long, value_name = "N", help_heading = "What comes out")]
    #[arg(value_parser = number(1, Hosts::KEPT as u64))]
    pub(crate) top_hosts: Option<u64>,

    /// Add to the statistics the number of different values of a column (host, normalized, domain and
    /// others), exact or marked as an estimate; implies --stats
    #[arg(long, value_name = "COLUMN", help_heading = "What comes out")]
    pub(crate) distinct: Option<String>,

    /// Compare the statistics with those that --stats=json printed to FILE before: the share of valid records,
    /// the kinds of errors and, with --top-hosts, new hosts. The exit status is 1 if the share fell or a kind
    /// is new; implies --stats
    #[arg(long, value_name = "FILE", help_heading = "What comes out")]
    pub(crate) compare: Option<PathBuf>,

    /// Show N samples of each kind of error in the statistics
    #[arg(long, value_name = "N", help_heading = "What comes out")]
    #[arg(value_parser = number(1, 1000))]
    pub(crate) samples: Option<u64>,

    /// Judge each record by a second grammar, too. The statistics compare the two, and --only differing shows
    /// all records on which they differ
    #[arg(long, value_name = "GRAMMAR", value_parser = grammars(), hide_possible_values = true, help_heading = "What comes out")]
    pub(crate) also: Option<Grammar>,

    /// Write the statistics to FILE as one self-contained HTML page; rows come only with --emit
    #[arg(long, value_name = "FILE", help_heading = "What comes out")]
    pub(crate) report: Option<PathBuf>,

    /// Print nothing, stop at the first invalid record, and answer with the exit status
    #[arg(short, long, conflicts_with_all = ["emit", "stats", "top_hosts", "distinct", "samples", "also", "report", "valid", "invalid", "rest", "errors"], help_heading = "What comes out")]
    pub(crate) quiet: bool,

    /// Report the first invalid record, and stop
    #[arg(long, help_heading = "What comes out")]
    pub(crate) fail_fast: bool,

    /// Tolerate N invalid records, or P% of all; exit with status 1 only if there are more
    #[arg(long, value_name = "N|P%", value_parser = Tolerance::parse, conflicts_with = "fail_fast")]
    #[arg(help_heading = "What comes out")]
    pub(crate) max_invalid: Option<Tolerance>,

    /// Ignore invalid and suspicious records that match the regular expression: they are counted, but are no
    /// findings. Can be repeated
    #[arg(long, value_name = "REGEX", help_heading = "What is a finding")]
    pub(crate) ignore: Vec<String>,

    /// Ignore records that match an expression of FILE, which has one a line; lines that start with # are
    /// comments
    #[arg(long, value_name = "FILE", help_heading = "What is a finding")]
    pub(crate) ignore_file: Option<PathBuf>,

    /// Ignore blank lines of lists, and lines that start with #
    #[arg(long, help_heading = "What is a finding")]
    pub(crate) comments: bool,

    /// Report suspicious records as errors, and count them as invalid: all of them, or those of these
    /// reasons, for example host-not-dns,userinfo; an unknown reason lists the known ones
    #[arg(long, value_name = "REASONS", value_delimiter = ',', action = ArgAction::Set, help_heading = "What is a finding")]
    #[arg(value_parser = suspicions(), hide_possible_values = true)]
    pub(crate) deny: Option<Vec<String>>,

    /// Do not report the findings that FILE lists; only new ones fail the run
    #[arg(long, value_name = "FILE", help_heading = "What is a finding")]
    pub(crate) baseline: Option<PathBuf>,

    /// Write all findings to FILE, for --baseline, and end with status 0
    #[arg(long, value_name = "FILE", conflicts_with_all = ["baseline", "quiet", "fail_fast"], help_heading = "What is a finding")]
    pub(crate) write_baseline: Option<PathBuf>,

    /// Take one URI apart and show its normal form step by step, or show its error; no files are read
    #[arg(long, value_name = "URI", allow_hyphen_values = true, help_heading = "What comes out")]
    pub(crate) explain: Option<std::ffi::OsString>,

    /// Whether to colour the output; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "What comes out")]
    pub(crate) color: Color,

    /// The number of threads; 0 = one thread per core
    #[arg(
        short = 'j',
        long,
        alias = "jobs",
        value_name = "N",
        default_value_t = 0,
        help_heading = "How it runs"
    )]
    #[arg(value_parser = number(0, Scanner::MAX_THREADS as u64))]
    pub(crate) threads: u64,

    /// The instruction set: auto is the fastest of this machine, --version lists all
    #[arg(long, value_name = "NAME", default_value = "auto", help_heading = "How it runs")]
    #[arg(value_parser = backends(), hide_possible_values = true)]
    pub(crate) backend: BackendChoice,

    /// Read files instead of mapping them into memory
    #[arg(long, help_heading = "How it runs")]
    pub(crate) no_mmap: bool,

    /// Show no progress, which otherwise appears on a terminal after a second
    #[arg(long, help_heading = "How it runs")]
    pub(crate) no_progress: bool,

    /// Write no notes to standard error, such as the detected format or the number of records left out;
    /// errors are still written
    #[arg(long, help_heading = "How it runs")]
    pub(crate) no_notes: bool,

    /// Print the manual page, or a shell's completions; no files are read
    #[arg(long, value_name = "WHAT", exclusive = true, help_heading = "How it runs")]
    pub(crate) generate: Option<Document>,
}

impl Args {
    /// Parses the arguments of the process.
    pub(crate) fn parse_process() -> Result<Self, Error> {
        let matches = Self::parser().try_get_matches();
        let matches = matches.map_err(|error| tips::with_own_tip(error, Self::command().render_usage()))?;
        Self::from_arg_matches(&matches).map(Self::settle)
    }

    /// Returns the parser of the command line. An option given again replaces its value, as after the alias
    /// of a shell, unless it requests an output: that output would be lost without a word. `--explain`
    /// excludes each option that it would ignore.
    fn parser() -> Command {
        /// The options that `--explain` uses. The last one excludes all others by itself. (A message about a
        /// group of clap names all members of the group, also those that are not on the command line.)
        const EXPLAIN: [&str; 12] = [
            "explain",
            "grammar",
            "zone_ids",
            "trim",
            "max_record",
            "to",
            "json",
            "suggest",
            "normalize",
            "base",
            "color",
            "generate",
        ];

        /// The options whose values add up.
        const REPEATABLE: [&str; 5] = ["include", "exclude", "ignore", "hosts", "not_hosts"];

        Self::command().mut_args(|option| {
            let id = option.get_id().clone();
            let option =
                if EXPLAIN.contains(&id.as_str()) { option } else { option.conflicts_with("explain") };
            let is_output = tips::FILE_OUTPUTS.iter().chain(&["emit", "count"]).any(|&output| output == id);
            let is_repeatable = REPEATABLE.iter().any(|&repeatable| repeatable == id);
            if is_output || is_repeatable || option.is_positional() {
                option
            } else {
                option.overrides_with(id)
            }
        })
    }

    /// Settles the choices that several options make together: the format that an option implies, and the
    /// form of rows.
    pub(crate) fn settle(mut self) -> Self {
        if self.regex.is_some() {
            self.from = From::Format(Format::Regex);
        } else if self.delimiter.is_some() {
            self.from = From::Format(Format::Delimited);
        }
        if self.json {
            self.to = Form::Jsonl;
        }
        // If the output has rows or counts of the comparison, statistics of the comparison are not printed by
        // default.
        let is_shown =
            self.only == Some(Verdict::Differing) || RowColumn::ALSO.iter().any(|&column| self.has(column));
        if self.also.is_some() && !is_shown {
            self.stats = self.stats.or(Some(StatsForm::Table));
        }
        self
    }

    /// Returns the layout of all files, unless it is to be detected for each.
    pub(crate) fn layout(&self) -> Option<Result<Layout, LayoutError>> {
        match self.from {
            // NUL ends the records of lists only; a log has the line ends of a text.
            From::Auto if self.null => Some(Layout::new(Format::Lines, &self.layout_options())),
            From::Auto | From::Wrapper(_) => None,
            From::Format(format) => Some(Layout::new(format, &self.layout_options())),
        }
    }

    /// Returns the options of the layout: the field, the header, the delimiter, the wrapper and the pattern.
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
        options.wrapper = match self.from {
            From::Wrapper(wrapper) => Some(wrapper),
            From::Auto | From::Format(_) => None,
        };
        options.pattern = self.regex.clone();
        options
    }

    /// Returns the derivation of derived columns.
    pub(crate) fn derivation(&self) -> Derivation {
        let derivation = Derivation::default().form(self.normalize).plus_as_space(self.plus_as_space);
        match &self.base {
            Some(base) => derivation.base(base.as_bytes()),
            None => derivation,
        }
    }

    /// Returns true if an output has the column.
    pub(crate) fn has(&self, column: RowColumn) -> bool {
        let is_named = |name: &String| name == column.name();
        self.emit == Some(Emit::Values(column))
            || self.count.iter().chain(&self.distinct).any(is_named)
            || self.columns.iter().flat_map(|names| &names.0).any(is_named)
    }

    /// Returns true if an output has decoded names or values of parameters.
    pub(crate) fn decodes_parameters(&self) -> bool {
        let named = self.count.iter().chain(&self.distinct);
        let named = named.chain(self.columns.iter().flat_map(|names| &names.0));
        let emitted = match self.emit {
            Some(Emit::Values(column)) => Some(column),
            _ => None,
        };
        let mut columns = named.filter_map(|name| RowColumn::of_name(name)).chain(emitted);
        columns.any(|column| column == RowColumn::QueryName || column.parameter().is_some())
    }

    /// Returns the reasons for which a suspicious record is a finding.
    pub(crate) fn denied(&self) -> Vec<Suspicion> {
        let names = self.deny.as_deref().unwrap_or_default();
        let is_denied = |reason: &Suspicion| {
            names.iter().any(|name| name == reason.name() || name == Problem::SUSPICIOUS)
        };
        Suspicion::ALL.iter().copied().filter(is_denied).collect()
    }

    /// Returns true if an option says which problems are findings.
    pub(crate) fn chooses_findings(&self) -> bool {
        !self.ignore.is_empty()
            || self.ignore_file.is_some()
            || self.comments
            || self.deny.is_some()
            || self.baseline.is_some()
            || self.write_baseline.is_some()
    }

    /// Returns true if records are kept or dropped by their hosts.
    pub(crate) fn filters_hosts(&self) -> bool {
        !self.hosts.is_empty() || !self.not_hosts.is_empty()
    }

    /// Returns the byte that ends a record.
    pub(crate) fn terminator(&self) -> u8 {
        if self.null { 0 } else { b'\n' }
    }

    /// Returns the backend that scans.
    pub(crate) fn backend(&self) -> Backend {
        match self.backend {
            BackendChoice::Auto => Backend::best(),
            BackendChoice::Named(backend) => backend,
        }
    }

    /// Returns the file that takes the place of standard output.
    pub(crate) fn output(&self) -> Option<&Path> {
        self.output.as_deref().filter(|file| !is_hyphen(file))
    }

    /// Returns the options that name a file to write, each with its file.
    pub(crate) fn file_outputs(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let outputs = [
            ("--output", &self.output),
            ("--valid", &self.valid),
            ("--invalid", &self.invalid),
            ("--rest", &self.rest),
            ("--errors", &self.errors),
            ("--report", &self.report),
            ("--write-baseline", &self.write_baseline),
        ];
        let named = outputs.into_iter().filter_map(|(option, file)| Some((option, file.as_deref()?)));
        named.filter(|(_, file)| !is_hyphen(file))
    }

    /// Returns true if the arguments name an input, even if it is standard input.
    pub(crate) fn names_input(&self) -> bool {
        !self.files.is_empty() || self.files_from.is_some() || self.recursive
    }

    /// Returns true if any option asks for statistics, in any form.
    pub(crate) fn counts(&self) -> bool {
        self.stats.is_some() || self.report.is_some()
    }

    /// Returns the number of samples of each kind of error in the statistics.
    pub(crate) fn samples_per_kind(&self) -> u64 {
        self.samples.unwrap_or(Sample::PER_KIND)
    }

    /// Returns the output to standard output.
    pub(crate) fn emit(&self) -> Emit {
        let is_stdout = |file: &Option<PathBuf>| file.as_deref().is_some_and(is_hyphen);
        match self.emit.filter(|&emit| emit != Emit::None) {
            Some(emit) => emit,
            None if is_stdout(&self.valid) => Emit::Valid,
            None if is_stdout(&self.invalid) => Emit::Invalid,
            None if is_stdout(&self.rest) => Emit::Rest,
            None if is_stdout(&self.errors) => Emit::Errors,
            None if self.emit.is_none() && self.count.is_none() && self.only == Some(Verdict::Differing) => {
                Emit::Components
            }
            None if self.emit.is_none() && self.write_baseline.is_some() => Emit::None,
            None if self.emit.is_some() || self.counts() || self.quiet || self.count.is_some() => Emit::None,
            None => Emit::Errors,
        }
    }
}

/// Returns true if this is the name of a standard stream.
pub(crate) fn is_hyphen(file: &Path) -> bool {
    file == Path::new("-")
}
