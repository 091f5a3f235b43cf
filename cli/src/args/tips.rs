//! Tips for options that do not exist.

use clap::Error;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Options that name a file to write.
pub(super) const FILE_OUTPUTS: [&str; 6] = ["output", "valid", "invalid", "rest", "errors", "report"];

/// Options that people try, as other commands have them, and what helps.
const TRIED: &[(&[&str], &str)] = &[
    (
        &["--url", "--uri"],
        "'--explain URI' checks one URI; '--field NAME' and '--key NAME' name the field that holds the URIs",
    ),
    (
        &["--column", "--col"],
        "'--field N' checks this column of a table; '--columns NAMES' picks the columns of the output",
    ),
    (
        &["--verbose", "-v"],
        "each error is written without an option; '--stats' counts them, and '--suggest' adds repairs",
    ),
    (&["--separator", "--sep", "--delim", "-d"], "'--delimiter C' sets the character between cells"),
    (&["--format"], "'--from FORMAT' names the format of the input; '--to FORM' the form of the output"),
    (&["--input-format"], "'--from FORMAT' names the format of the input"),
    (&["--output-format"], "'--to FORM' names the form of the output"),
    (&["--csv", "--tsv", "--jsonl"], "'--from FORMAT' reads a format; '--to FORM' writes one"),
    (
        &["--skip-header", "--no-header", "--has-header", "--headers"],
        "'--header yes' says that the first line of a table names its columns, '--header no' that it does not",
    ),
    (&["--input", "--file", "-i"], "name the files to read without an option"),
    (&["--fix", "--repair"], "'--emit mended' writes repaired records; '--suggest' shows the repairs"),
    (&["--summary", "--statistics"], "'--stats' counts the records and shows samples of the errors"),
    (&["--silent"], "'--quiet' answers with the exit status alone"),
];

/// Returns the error with a tip from the table, if it is about an option that does not exist. No tip names an
/// option that writes a file: its value may be the file that the user wants to read. `usage` is the usage of
/// the command.
pub(super) fn with_own_tip(mut error: Error, usage: StyledStr) -> Error {
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let text = |error: &Error, kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let Some(tried) = text(&error, ContextKind::InvalidArg) else { return error };
    let similar = text(&error, ContextKind::SuggestedArg).unwrap_or_default();
    let writes_file = FILE_OUTPUTS.iter().any(|output| similar.strip_prefix("--") == Some(output));
    let tip = TRIED.iter().find(|(names, _)| names.contains(&tried.as_str())).map(|(_, tip)| *tip);
    if tip.is_some() || writes_file {
        error.remove(ContextKind::SuggestedArg);
        // The usage names the similar option, too, unless it is replaced.
        error.insert(ContextKind::Usage, ContextValue::StyledStr(usage));
    }
    if let Some(tip) = tip {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip)]));
    }
    error
}
