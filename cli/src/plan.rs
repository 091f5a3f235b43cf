//! The plan of a run. It is made once from the arguments, before any input is read.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::error::ErrorKind;
use clap::{CommandFactory, Error};
use urivalidate::corpus::{Format, LogColumns, Reading, Scanner};
use urivalidate::stats::{Problem, Stats};
use urivalidate::{Columns, Derivation, DerivationError, NormalForm, Request, RowColumn, RowKind, Validator};

use crate::args::{Args, Emit, Form, From, Header, StatsForm, Verdict, is_hyphen};
use crate::encode::{
    CHUNK_SIZE, ColumnValues, Count, Encode, Errors, LeftOut, LineSelection, Lines, Mended, TextRows,
    ValueLines, is_of_lines, is_of_problem, is_of_valid,
};
use crate::findings::Gate;
use crate::globs::Globs;
use crate::host_filter::HostFilter;
use crate::mapping::mapping_files;
use crate::reading::{reading, with_options};
use crate::refusal::NEEDS_BASE;
use crate::report::Before;
use crate::shown::Shown;
use crate::style::Styles;
use crate::terminal::columns;
use crate::tolerance::Tolerance;

/// The plan of a run.
pub(crate) struct Plan {
    pub(crate) reading: Reading,
    pub(crate) derivation: Derivation,
    /// Whether the run resolves references and only pages can name their bases.
    pub(crate) needs_base: bool,
    /// The second validator (`--also`).
    pub(crate) other_validator: Option<Validator>,
    pub(crate) scanner: Scanner,
    /// The files that the user wants.
    pub(crate) globs: Arc<Globs>,
    /// The filter by hosts, if there is one.
    pub(crate) host_filter: Option<HostFilter>,
    /// The choices of the user about findings.
    pub(crate) gate: Gate,
    pub(crate) outputs: Vec<Planned>,
    /// The columns that the outputs and statistics make of lines.
    pub(crate) log: LogColumns,
    /// The columns that the outputs and statistics need.
    pub(crate) request: Request,
    /// The form of the statistics, if requested.
    pub(crate) statistics: Option<Statistics>,
    /// The statistics of an earlier run (`--compare`).
    pub(crate) before: Option<Before>,
    /// Whether the statistics go to standard output; otherwise they go to standard error.
    pub(crate) has_stdout_for_stats: bool,
    pub(crate) end: End,
    /// Whether the run writes notes: sentences on standard error that are no errors.
    pub(crate) has_notes: bool,
    /// Whether a note sums up the findings.
    pub(crate) sums_up: bool,
}

/// The optional counters.
pub(crate) struct Statistics {
    samples_per_kind: u64,
    has_hosts: bool,
    /// The form of normalization by which records in normal form are counted.
    normal: Option<NormalForm>,
    /// The column whose distinct values are counted.
    pub(crate) distinct: Option<ColumnValues>,
}

impl Plan {
    /// Returns the styles and the width of the stream that gets the statistics.
    pub(crate) fn screen(&self, args: &Args) -> (Styles, Option<usize>) {
        match self.has_stdout_for_stats {
            true => (Styles::new(args.color, &io::stdout()), columns(&io::stdout())),
            false => (Styles::new(args.color, &io::stderr()), columns(&io::stderr())),
        }
    }
}

impl Statistics {
    /// Returns empty statistics with these counters.
    pub(crate) fn new_stats(&self) -> Stats {
        let stats = Stats::new().with_samples(self.samples_per_kind);
        let stats = if self.has_hosts { stats.with_hosts() } else { stats };
        let stats = match self.normal {
            Some(form) => stats.with_normal(form),
            None => stats,
        };
        match self.distinct {
            Some(values) => stats.with_distinct(values.column()),
            None => stats,
        }
    }

    /// Returns what a scan must be asked for.
    fn request(&self) -> Request {
        match self.distinct {
            Some(values) => (Columns::ALL | values.columns()).into(),
            None => self.new_stats().request(),
        }
    }

    /// Returns true if the counters make values of records.
    pub(crate) fn makes_values(&self) -> bool {
        self.normal.is_some() || self.distinct.is_some()
    }

    /// Returns the memory in bytes that counting this number of records with `bytes` bytes takes, at most:
    /// counters, samples and hosts.
    pub(crate) fn memory_for(records: usize, bytes: usize) -> usize {
        /// The memory for the counters and samples of a chunk.
        const COUNTERS: usize = 1 << 20;
        /// The memory for a host of 255 bytes and its counts, in vectors that grow.
        const HOST: usize = 512;
        /// The memory for all hosts that are counted.
        const HOSTS: usize = 16 << 20;

        COUNTERS + (2 * bytes).min(records.saturating_mul(HOST)).min(HOSTS)
    }
}

/// An output.
pub(crate) struct Planned {
    /// The option that requests the output.
    pub(crate) option: &'static str,
    /// The option that says what is in the output, with its value.
    pub(crate) about: String,
    /// The file, or `None` for standard output.
    pub(crate) file: Option<PathBuf>,
    /// The option that writes the same rows to a file as they come.
    pub(crate) keeping: Option<&'static str>,
    /// Whether a regular file is put in its place only when it is complete.
    pub(crate) is_put_in_place: bool,
    pub(crate) encoder: Box<dyn Encode>,
}

/// The condition for an early stop of a run.
#[derive(Clone, Copy)]
pub(crate) enum End {
    Never,
    /// Stops as soon as the exit status is known, because it is the only result.
    Decided(Tolerance),
    /// Stops after the first invalid record.
    FirstInvalid,
}

impl Plan {
    /// Makes the plan. Fails if the arguments contradict each other in a way that the parser of the command
    /// line does not check.
    pub(crate) fn new(args: &Args) -> Result<Self, Error> {
        check(args).map_err(conflict)?;
        let gate = Gate::new(args).map_err(conflict)?;
        let globs = Arc::new(Globs::new(&args.include, &args.exclude).map_err(conflict)?);
        let reading = reading(args).map_err(conflict)?;
        let outputs = outputs(args, &reading).map_err(conflict)?;
        let reading = with_options(reading, args)?;
        let validator = reading.validator();
        let derivation = args.derivation();
        check_derivation(args, &derivation, &reading).map_err(conflict)?;
        let distinct = args.distinct.as_ref().map(|name| ColumnValues::of(name, validator.grammar()));
        let distinct = distinct.transpose().map_err(conflict)?;
        let counts_normal =
            matches!(args.stats, Some(StatsForm::Full | StatsForm::Json)) || args.report.is_some();
        let statistics = args.counts().then(|| Statistics {
            samples_per_kind: args.samples_per_kind(),
            has_hosts: args.top_hosts.is_some(),
            normal: counts_normal.then_some(args.normalize),
            distinct,
        });
        let before = args.compare.as_deref().map(|file| {
            Before::read(file).map_err(|reason| {
                conflict(format!("--compare {}: {reason}", Shown::new(file.as_os_str().as_encoded_bytes())))
            })
        });
        let before = before.transpose()?;
        let host_filter = HostFilter::new(args).map_err(bad_list)?;
        let counted = statistics.as_ref().map_or(Request::default(), Statistics::request);
        let encoders = || outputs.iter().map(|output| &output.encoder);
        let end = match (args.quiet, args.fail_fast) {
            (true, _) => End::Decided(args.max_invalid.unwrap_or(Tolerance::Records(0))),
            (false, true) => End::FirstInvalid,
            (false, false) => End::Never,
        };
        let log = encoders().fold(LogColumns::default(), |all, encoder| all.and(&encoder.log_columns()));
        let log = distinct.map_or(log.clone(), |values| log.and(&LogColumns::among([values.column()])));
        let scanner = reading
            .scanner()
            .threads(args.threads as usize)
            .chunk_size(encoders().map(|encoder| encoder.chunk_size()).min().unwrap_or(CHUNK_SIZE))
            .chunk_lines(encoders().map(|encoder| encoder.chunk_lines()).min().unwrap_or(usize::MAX))
            .max_record(args.max_record)
            .terminator(args.terminator())
            // The rows of a list are its lines.
            .number_lines(encoders().any(|encoder| encoder.needs_line_numbers()) || log.has_rows())
            .number_rows(log.has_rows())
            .keep_headers(log.fields() > 0)
            // A chunk that has more lines after all is encoded in parts.
            .estimate_lines();
        let scanner = if args.no_mmap { scanner } else { mapping_files(scanner) };
        let request =
            encoders().fold(counted | gate.request(), |request, encoder| request | encoder.request());
        let request = if host_filter.is_some() { HostFilter::request(request) } else { request };
        Ok(Plan {
            reading,
            derivation,
            needs_base: needs_base(args),
            other_validator: args.also.map(|grammar| validator.with_grammar(grammar)),
            scanner,
            globs,
            request,
            host_filter,
            gate,
            log,
            outputs,
            statistics,
            before,
            has_stdout_for_stats: args.output().is_some()
                || args.emit() == Emit::None && args.count.is_none(),
            end,
            has_notes: !args.quiet && !args.no_notes,
            sums_up: !args.quiet && !args.no_notes && args.emit() == Emit::Errors,
        })
    }

    /// Returns true if notes name the detected formats.
    pub(crate) fn names_formats(&self) -> bool {
        self.reading.format().is_none() && self.has_notes
    }

    /// Returns true if a line that does not fit its format leaves no trace in the results.
    pub(crate) fn leaves_out_misfits(&self) -> bool {
        let mut encoders = self.outputs.iter().map(|output| &output.encoder);
        let is_whole_run = matches!(self.end, End::Never);
        is_whole_run
            && self.statistics.is_none()
            && !self.outputs.is_empty()
            && encoders.all(|encoder| encoder.leaves_out() != LeftOut::Nothing)
    }

    /// Returns true if an output seems to have a row for everything, but leaves out lines that do not fit
    /// their format.
    pub(crate) fn seems_whole(&self) -> bool {
        self.outputs.iter().any(|output| output.encoder.leaves_out() == LeftOut::Misfits)
    }

    /// Returns true if notes name the likely formats of files. There are no such notes if an option declares
    /// that the files are lists or texts.
    pub(crate) fn hints(&self) -> bool {
        self.has_notes && !matches!(self.reading.format(), Some(Format::Lines | Format::Text))
    }
}

/// Returns the validator for a single record that is not in a file. Fails if its derived columns cannot be
/// made.
pub(crate) fn lone_validator(args: &Args) -> Result<Validator, Error> {
    if !matches!(args.to, Form::Text | Form::Jsonl) {
        return Err(conflict("--explain writes text or jsonl".to_owned()));
    }
    let reading = with_options(reading(args).map_err(conflict)?, args)?;
    check_derivation(args, &args.derivation(), &reading).map_err(conflict)?;
    Ok(reading.validator())
}

/// Returns the error of a list of hosts.
fn bad_list(message: String) -> Error {
    Args::command().error(ErrorKind::ValueValidation, message)
}

/// Returns the usage error with this message.
pub(crate) fn conflict(message: String) -> Error {
    Args::command().error(ErrorKind::ArgumentConflict, message)
}

/// Returns true if the run resolves references and only pages can name their bases.
fn needs_base(args: &Args) -> bool {
    args.base.is_none() && RowColumn::ALL.iter().any(|&column| column.is_of_target() && args.has(column))
}

/// Fails if derived columns cannot be made with these arguments.
fn check_derivation(args: &Args, derivation: &Derivation, reading: &Reading) -> Result<(), String> {
    let validator = reading.validator();
    derivation.deriver(validator).map_err(|error| match error {
        DerivationError::Unsupported(error) => format!("--normalize: {error}"),
        error => format!("--base: {error}"),
    })?;
    match &args.base {
        // The grammar java allows a relative base, but results from a relative base cannot be compared.
        Some(base) if validator.parse(base.as_bytes()).is_ok_and(|base| base.scheme().is_none()) => {
            Err("--base: a base needs a scheme".to_owned())
        }
        // If the format is detected later, the base is checked later, too.
        None if needs_base(args) && reading.layout().is_some_and(|layout| !layout.may_name_base()) => {
            Err(NEEDS_BASE.to_owned())
        }
        _ => Ok(()),
    }
}

/// Returns the usage error for options that contradict each other.
pub(crate) fn check(args: &Args) -> Result<(), String> {
    let emit = args.emit();
    let has_globs = !args.include.is_empty() || !args.exclude.is_empty();
    if has_globs && !args.recursive && args.files_from.is_none() {
        return Err("--include and --exclude need --recursive or --files-from".to_owned());
    }
    for (option, file) in [
        ("--ignore-file", &args.ignore_file),
        ("--baseline", &args.baseline),
        ("--write-baseline", &args.write_baseline),
        ("--hosts", &args.hosts.iter().find(|list| is_hyphen(list)).cloned()),
        ("--not-hosts", &args.not_hosts.iter().find(|list| is_hyphen(list)).cloned()),
    ] {
        if file.as_deref().is_some_and(is_hyphen) {
            return Err(format!("{option} needs the name of a file"));
        }
    }
    if args.only.is_some() && !matches!(emit, Emit::Components | Emit::Offsets) && args.count.is_none() {
        return Err("--only needs --emit components, --emit offsets or --count".to_owned());
    }
    let counted = args.count.as_deref().and_then(RowColumn::of_name);
    if let Some(column) = counted {
        // Such a run would count nothing.
        if args.only == Some(Verdict::Invalid) && is_of_valid(column) {
            let name = column.name();
            return Err(format!(
                "invalid records have no {name}: --count {name} with --only invalid counts nothing"
            ));
        }
        if args.only == Some(Verdict::Valid) && is_of_problem(column) {
            let name = column.name();
            return Err(format!(
                "valid records have no {name}: --count {name} with --only valid counts nothing"
            ));
        }
    }
    let has_rest = emit == Emit::Rest || args.rest.is_some();
    let is_list = args.null || matches!(args.from, From::Format(Format::Lines));
    if is_list && has_rest && !args.filters_hosts() {
        return Err(
            "each line of a list is a record: --rest and --emit rest need a log, --hosts or --not-hosts"
                .to_owned(),
        );
    }
    if is_list && let Some(column) = counted.filter(|&column| is_of_lines(column)) {
        return Err(format!("each line of a list is a record: --count {} needs a log", column.name()));
    }
    let writes_invalid = emit == Emit::Invalid || args.invalid.is_some();
    let has_only_malformed = |kinds: &Vec<String>| kinds.iter().all(|kind| kind == Problem::MALFORMED);
    if writes_invalid && args.kind.as_ref().is_some_and(has_only_malformed) {
        let kind = Problem::MALFORMED;
        return Err(format!("a line of the kind {kind} has no record: --emit rest and --rest write it"));
    }
    if args.also.is_none() && args.only == Some(Verdict::Differing) {
        return Err("--only differing needs --also, the grammar to compare with".to_owned());
    }
    if let Some(column) = RowColumn::ALSO.iter().find(|&&column| args.also.is_none() && args.has(column)) {
        return Err(format!("the column {} needs --also", column.name()));
    }
    if args.compare.is_some() && (args.quiet || args.fail_fast) {
        let option = if args.quiet { "--quiet" } else { "--fail-fast" };
        return Err(format!("--compare needs the whole input, and {option} ends the run early"));
    }
    if args.plus_as_space && !args.decodes_parameters() {
        return Err("--plus-as-space needs a column query.NAME, or a count of query_name".to_owned());
    }
    let has_rows = args.errors.is_some() || emit.rows().is_some();
    let has_invalid = matches!(emit, Emit::Errors | Emit::Invalid);
    if args.kind.is_some() && !has_invalid && args.errors.is_none() && args.invalid.is_none() {
        return Err("--kind needs --emit errors, --emit invalid, --errors or --invalid".to_owned());
    }
    if args.kind.is_some() && args.fail_fast {
        return Err(
            "--fail-fast stops at the first invalid record of any kind, and --kind could hide that record"
                .to_owned(),
        );
    }
    if args.suggest && emit != Emit::Errors && args.errors.is_none() && args.explain.is_none() {
        return Err("--suggest needs --emit errors, --errors or --explain".to_owned());
    }
    if args.to != Form::Text && !has_rows && args.count.is_none() {
        return Err("--to needs rows: --emit errors, components, offsets, --errors or --count".to_owned());
    }
    let other_rows = emit.rows().is_some_and(|kind| kind != RowKind::Errors) || args.count.is_some();
    if args.to.is_of_errors() && (other_rows || args.columns.is_some()) {
        return Err(
            "--to github and --to sarif are for --emit errors and --errors, without --columns".to_owned()
        );
    }
    if args.columns.is_some() && !has_rows {
        return Err("--columns needs --emit errors, --emit components, --emit offsets or --errors".to_owned());
    }
    if args.output.is_some() && emit == Emit::None && args.count.is_none() {
        return Err("nothing to write: --output needs --emit or --count".to_owned());
    }
    if args.to.is_binary() && (emit == Emit::Errors || args.errors.is_some()) && args.chooses_findings() {
        return Err("--to arrow and --to parquet have the errors of all records: they exclude --ignore, --ignore-file, \
             --comments, --deny and the baselines"
            .to_owned());
    }
    let has_stdout = emit.rows().is_some() && args.output().is_none();
    if args.to.is_binary() && has_stdout && io::stdout().is_terminal() {
        return Err(
            "--to arrow and --to parquet are not for a terminal; use --output FILE or a pipe".to_owned()
        );
    }
    let has_header = match args.from {
        From::Auto => true,
        From::Wrapper(_) => false,
        From::Format(format) => format.is_table(),
    };
    if args.header != Header::Auto && !has_header {
        return Err("--header needs a table: --from csv, --from tsv or --delimiter".to_owned());
    }
    let is_lines = matches!(args.from, From::Auto | From::Format(Format::Lines));
    if args.null && !is_lines {
        return Err("--null is for lists: the lines of a log do not end with NUL".to_owned());
    }
    Ok(())
}

/// Returns the outputs, with the output to standard output first.
fn outputs(args: &Args, reading: &Reading) -> Result<Vec<Planned>, String> {
    let files = [
        ("--valid", Emit::Valid, &args.valid),
        ("--invalid", Emit::Invalid, &args.invalid),
        ("--rest", Emit::Rest, &args.rest),
        ("--errors", Emit::Errors, &args.errors),
    ];
    let files = files.into_iter().filter_map(|(option, emit, file)| Some((option, emit, file.as_deref()?)));
    let (stdout, files): (Vec<_>, Vec<_>) = files.partition(|(.., file)| is_hyphen(file));
    let emitted = args.emit.filter(|&emit| emit != Emit::None).map(|_| "--emit");
    let counted = args.count.as_ref().map(|_| "--count");
    let mut options = emitted.into_iter().chain(counted).chain(stdout.iter().map(|(option, ..)| *option));
    let option = options.next();
    if let (Some(one), Some(other)) = (option, options.next()) {
        return Err(format!("{one} and {other} both write to standard output"));
    }
    let first = match &args.count {
        Some(column) => {
            let encoder = Count::encoder(column, args, reading.validator().grammar());
            let about = format!("--count {column}");
            Some(encoder.map(|encoder| to_output(args, "--count", about, encoder)))
        }
        None if args.emit() == Emit::None => None,
        None => {
            let encoder = encoder(args, reading, args.emit(), None);
            let about = format!("--emit {}", args.emit().name());
            Some(encoder.map(|encoder| to_output(args, option.unwrap_or("--emit"), about, encoder)))
        }
    };
    first
        .into_iter()
        .chain(files.into_iter().map(|(option, emit, file)| {
            let encoder = encoder(args, reading, emit, Some(file))?;
            Ok(Planned {
                option,
                about: option.to_owned(),
                keeping: None,
                file: Some(file.to_owned()),
                is_put_in_place: false,
                encoder,
            })
        }))
        .collect()
}

/// Returns the output to standard output, or to the file that replaces it.
fn to_output(args: &Args, option: &'static str, about: String, encoder: Box<dyn Encode>) -> Planned {
    let file = args.output().map(Path::to_owned);
    let keeping = match args.emit() {
        _ if args.count.is_some() => None,
        Emit::Valid => Some("--valid"),
        Emit::Invalid => Some("--invalid"),
        Emit::Rest => Some("--rest"),
        Emit::Errors => Some("--errors"),
        _ => None,
    };
    let option = if file.is_some() { "--output" } else { option };
    Planned { option, about, keeping, is_put_in_place: file.is_some(), file, encoder }
}

/// Returns the encoder for `file`, or for the main output if `file` is `None`.
fn encoder(
    args: &Args,
    reading: &Reading,
    emit: Emit,
    file: Option<&Path>,
) -> Result<Box<dyn Encode>, String> {
    // `--columns` selects the columns of standard output, if it has rows.
    let has_rows = args.emit().rows().is_some();
    let columns = args.columns.as_ref().filter(|_| file.is_none() || !has_rows);
    let columns = columns.map(|names| &names.0[..]);
    let terminator = args.terminator();
    Ok(match emit {
        Emit::Valid => Box::new(Lines { selection: LineSelection::Valid, is_trimmed: args.trim, terminator }),
        Emit::Invalid => {
            let is_mended = args.emit() == Emit::Mended;
            let selection = LineSelection::Invalid { kinds: args.kind.clone(), is_mended };
            Box::new(Lines { selection, is_trimmed: false, terminator })
        }
        Emit::Mended => Box::new(Mended { terminator }),
        Emit::Values(column) => Box::new(ValueLines::new(column, reading.validator().grammar(), terminator)?),
        Emit::Rest => Box::new(Lines { selection: LineSelection::Rest, is_trimmed: false, terminator }),
        Emit::Errors if args.to == Form::Text && columns.is_none() => {
            // Only standard output has colours.
            let is_stdout = file.is_none() && args.output().is_none();
            let styles = if is_stdout { Styles::new(args.color, &io::stdout()) } else { Styles::default() };
            Box::new(Errors { styles, kinds: args.kind.clone(), suggests: args.suggest })
        }
        _ => {
            let kind = emit.rows().expect("all else has an encoder above, or none");
            let verdict = if kind == RowKind::Errors { Some(Verdict::Invalid) } else { args.only };
            TextRows::encoder(args, reading, kind, columns, verdict)?
        }
    })
}
