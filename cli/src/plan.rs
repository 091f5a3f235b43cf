//! What the arguments ask for: made of them once, before anything is read.

use std::io;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{CommandFactory, Error};
use urivalidate::corpus::{Format, Scanner};
use urivalidate::{Columns, Grammar, Validator};

use crate::args::{Args, Emit, Form, From, Verdict, is_hyphen};
use crate::encode::{Count, Encode, Errors, Lines, Rows, Share};
use crate::style::Styles;
use crate::tolerance::Tolerance;

/// What is to be done. One for the whole run.
pub(crate) struct Plan<'a> {
    pub(crate) args: &'a Args,
    validator: Validator,
    /// Judges the targets of requests, in logs that have been found out to be such.
    target_validator: Validator,
    pub(crate) scanner: Scanner,
    pub(crate) outputs: Vec<Planned>,
    /// The columns that the outputs and statistics need.
    pub(crate) columns: Columns,
    pub(crate) end: End,
}

/// An output.
pub(crate) struct Planned {
    /// The option that asks for it.
    pub(crate) option: &'static str,
    /// Standard output if there is none.
    pub(crate) file: Option<PathBuf>,
    pub(crate) encoder: Box<dyn Encode>,
}

/// When there is no need to go on.
#[derive(Clone, Copy)]
pub(crate) enum End {
    Never,
    /// When the exit status is known, which is all there is to know.
    Decided(Tolerance),
    /// Behind the first invalid record.
    FirstInvalid,
}

impl<'a> Plan<'a> {
    /// Fails if the arguments do not go together, where the parser of the command line cannot tell.
    pub(crate) fn new(args: &'a Args) -> Result<Self, Error> {
        let conflict = |message: String| Args::command().error(ErrorKind::ArgumentConflict, message);
        check(args).map_err(conflict)?;
        let outputs = outputs(args).map_err(conflict)?;
        let validator = validator(args)?;
        let is_found_out = args.from == From::Auto && args.grammar.is_none();
        let target_validator = if is_found_out {
            let targets = Validator::new(Grammar::RequestTarget);
            targets.with_backend(validator.backend()).expect("it is there for the other validator")
        } else {
            validator
        };
        // Statistics are counted by all columns.
        let counted = if args.counts() { Columns::ALL } else { Columns::NONE };
        let encoders = || outputs.iter().map(|output| &output.encoder);
        let scanner = Scanner::new()
            .threads(args.threads())
            .chunk_size(encoders().map(|encoder| encoder.chunk_size()).min().unwrap_or(256 << 10))
            .max_record(args.max_record)
            .terminator(if args.null { 0 } else { b'\n' })
            .trim(args.trim)
            .number_lines(encoders().any(|encoder| encoder.needs_line_numbers()))
            .map_files(!args.no_mmap);
        let scanner = match args.layout() {
            Some(layout) => scanner.layout(layout.map_err(|error| conflict(error.to_string()))?),
            None => scanner.detect_format(args.layout_options()),
        };
        Ok(Plan {
            args,
            validator,
            target_validator,
            scanner,
            columns: encoders().fold(counted, |columns, encoder| columns | encoder.columns()),
            outputs,
            end: match (args.quiet, args.fail_fast) {
                (true, _) => End::Decided(args.max_invalid.unwrap_or(Tolerance::Records(0))),
                (false, true) => End::FirstInvalid,
                (false, false) => End::Never,
            },
        })
    }

    /// What judges records whose own grammar is this one.
    pub(crate) fn validator(&self, grammar: Grammar) -> &Validator {
        match grammar {
            Grammar::RequestTarget => &self.target_validator,
            _ => &self.validator,
        }
    }

    /// Whether statistics go to standard output, and else to standard error.
    pub(crate) fn has_stdout_for_stats(&self) -> bool {
        self.args.emit() == Emit::None && self.args.count.is_none()
    }
}

/// What judges records, by the grammar that is asked for or that of the format.
pub(crate) fn validator(args: &Args) -> Result<Validator, Error> {
    let mut validator = Validator::new(args.grammar());
    if args.zone_ids {
        let zoned = validator.with_zone_ids();
        validator = zoned.map_err(|error| Args::command().error(ErrorKind::ArgumentConflict, error))?;
    }
    let forced = validator.with_backend(args.backend());
    forced.map_err(|error| Args::command().error(ErrorKind::InvalidValue, error))
}

/// Says what does not go together.
fn check(args: &Args) -> Result<(), String> {
    let emit = args.emit();
    if args.only.is_some() && !matches!(emit, Emit::Components | Emit::Offsets) {
        return Err("--only picks rows of --emit components and --emit offsets".to_owned());
    }
    let has_rows =
        args.errors.is_some() || !matches!(emit, Emit::Valid | Emit::Invalid | Emit::Rest | Emit::None);
    if args.kind.is_some() && emit != Emit::Errors && args.errors.is_none() {
        return Err("--kind picks rows of --emit errors and --errors".to_owned());
    }
    if args.to != Form::Text && !has_rows && args.count.is_none() {
        return Err("--to is the form of the rows of --emit errors, components and offsets, and of --errors"
            .to_owned());
    }
    if args.columns.is_some() && !has_rows {
        return Err(
            "--columns are those of the rows of --emit errors, components and offsets, and of --errors"
                .to_owned(),
        );
    }
    let is_lines = matches!(args.from, From::Auto | From::Format(Format::Lines));
    if args.null && !is_lines {
        return Err("--null is for lists: the lines of logs end with line ends".to_owned());
    }
    Ok(())
}

/// What is written, and where: to standard output first.
fn outputs(args: &Args) -> Result<Vec<Planned>, String> {
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
        return Err(format!("{one} and {other} go to the same place"));
    }
    let first = match &args.count {
        Some(column) => {
            let encoder = Count::encoder(column, args.top, args.to, args.grammar());
            Some(encoder.map(|encoder| Planned { option: "--count", file: None, encoder }))
        }
        None if args.emit() == Emit::None => None,
        None => Some(planned(args, option.unwrap_or("--emit"), args.emit(), None)),
    };
    first
        .into_iter()
        .chain(files.into_iter().map(|(option, emit, file)| planned(args, option, emit, Some(file))))
        .collect()
}

fn planned(args: &Args, option: &'static str, emit: Emit, file: Option<&Path>) -> Result<Planned, String> {
    // The columns are of what goes to standard output, if that has any.
    let has_rows = matches!(args.emit(), Emit::Errors | Emit::Components | Emit::Offsets);
    let columns = args.columns.as_deref().filter(|_| file.is_none() || !has_rows);
    let encoder: Box<dyn Encode> = match emit {
        Emit::Valid => Box::new(Lines { share: Share::Valid, is_trimmed: args.trim }),
        Emit::Invalid => Box::new(Lines { share: Share::Invalid, is_trimmed: false }),
        Emit::Rest => Box::new(Lines { share: Share::Rest, is_trimmed: false }),
        Emit::Errors if args.to == Form::Text && columns.is_none() => {
            // The colours are those of standard output.
            let styles = file.map_or_else(|| Styles::new(args.color, &io::stdout()), |_| Styles::default());
            Box::new(Errors { styles, kinds: args.kind.clone() })
        }
        _ => {
            let verdict = if emit == Emit::Errors { Some(Verdict::Invalid) } else { args.only };
            Rows::encoder(emit, args.to, args.grammar(), columns, verdict, args.kind.as_deref())?
        }
    };
    Ok(Planned { option, file: file.map(Path::to_owned), encoder })
}
