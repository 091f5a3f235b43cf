//! The values of options.

use clap::ValueEnum;
use urivalidate::corpus::{Format, Wrapper};
use urivalidate::{Backend, RowColumn, RowKind};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emit {
    /// The place and the error of each invalid record
    Errors,
    /// The valid records, byte for byte
    Valid,
    /// The invalid records, byte for byte
    Invalid,
    /// The valid records, and the invalid ones as --suggest repairs them; a note counts those without a
    /// repair, which --invalid keeps
    Mended,
    /// The lines of a log without a record, byte for byte
    Rest,
    /// The verdict and the texts of the components, for each record
    Components,
    /// The verdict and the byte ranges of the components, for each record
    Offsets,
    /// Nothing
    None,
    /// The value of a column for each valid record that has one
    #[value(skip)]
    Values(RowColumn),
}

impl Emit {
    /// Returns the value as the user writes it.
    pub(crate) fn name(self) -> String {
        match self {
            Emit::Values(column) => column.name().to_owned(),
            emit => emit.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned()),
        }
    }

    /// Returns the kind of the rows, if it has rows.
    pub(crate) fn rows(self) -> Option<RowKind> {
        match self {
            Emit::Errors => Some(RowKind::Errors),
            Emit::Components => Some(RowKind::Components),
            Emit::Offsets => Some(RowKind::Offsets),
            Emit::Valid | Emit::Invalid | Emit::Mended | Emit::Rest | Emit::Values(_) | Emit::None => None,
        }
    }
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
    /// An Arrow IPC stream, one for all files, if the command was built with the feature arrow
    Arrow,
    /// A Parquet file, if the command was built with the feature parquet
    Parquet,
    /// Errors as annotations of GitHub, a workflow command each
    Github,
    /// Errors as one log in SARIF 2.1.0
    Sarif,
}

impl Form {
    /// Returns true if the form is one of errors only.
    pub(crate) fn is_of_errors(self) -> bool {
        matches!(self, Form::Github | Form::Sarif)
    }

    /// Returns true if the form is binary, so that a terminal cannot show it.
    pub(crate) fn is_binary(self) -> bool {
        matches!(self, Form::Arrow | Form::Parquet)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Verdict {
    /// Valid by the grammar
    Valid,
    /// Invalid by the grammar
    Invalid,
    /// Valid by only one of the two grammars; adds the columns also_valid, also_error_kind and
    /// also_error_offset
    Differing,
}

impl Verdict {
    pub(crate) fn of(is_valid: bool) -> Self {
        if is_valid { Verdict::Valid } else { Verdict::Invalid }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatsForm {
    /// The errors, most frequent first, with a sample of each
    Table,
    /// All counts
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
    /// A wrapper of lines; the format inside is detected.
    Wrapper(Wrapper),
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
