//! The manual page and the completions.
//!
//! The page is generated from the declarations of the command line's parser. The tables of names, the
//! synopsis, the exit statuses and the examples are laid out here, because the generator treats them as
//! prose.

use std::fmt::Write as _;
use std::io;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, CommandFactory};
use clap_complete::Shell;
use urivalidate::{Grammar, RowColumn};

use crate::args::{Args, Document};
use crate::encode::all_countable;

/// The text after the name on the page.
const ABOUT: &str = "validate and take apart URIs in bulk";

/// Returns the text of a document.
pub(crate) fn generate(document: Document) -> io::Result<Vec<u8>> {
    // Neither the page nor the completions have room for the backends.
    let mut command = Args::command().version(env!("CARGO_PKG_VERSION"));
    let shell = match document {
        Document::Man => return man(&command),
        Document::CompleteBash => Shell::Bash,
        Document::CompleteZsh => Shell::Zsh,
        Document::CompleteFish => Shell::Fish,
        Document::CompletePowershell => Shell::PowerShell,
    };
    for (option, names) in names_of_columns() {
        command = command.mut_arg(option, |option| option.value_parser(PossibleValuesParser::new(names)));
    }
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "urivalidate", &mut script);
    Ok(script)
}

/// Returns the options whose values are names of columns, with the names. Which of them go together depends
/// on other options, so the parser of the command line takes any text there.
fn names_of_columns() -> [(&'static str, Vec<&'static str>); 3] {
    let names = |columns: Vec<RowColumn>| columns.into_iter().map(RowColumn::name).collect::<Vec<_>>();
    // A grammar with opaque URIs has all columns.
    let counted = names(all_countable(Grammar::Java));
    let mut rows = RowColumn::ALL.to_vec();
    rows.retain(|column| !RowColumn::counted().contains(column));
    [("count", counted.clone()), ("distinct", counted), ("columns", names(rows))]
}

/// Returns the manual page, in roff.
fn man(command: &Command) -> io::Result<Vec<u8>> {
    let generator = clap_mangen::Man::new(command.clone());
    let mut generated = Vec::new();
    generator.render_title(&mut generated)?;
    let mut page = String::from_utf8_lossy(&generated).into_owned();
    let _ = write!(page, ".SH NAME\nurivalidate \\- {ABOUT}\n.SH SYNOPSIS\n.nh\n.ad l\n\\fBurivalidate\\fR");
    for option in command.get_arguments().filter(|option| !option.is_positional()) {
        page += &format!("\n[{}]", usage(option));
    }
    page += "\n[\\fIFILE\\fR]...\n.ad b\n.hy\n";
    let mut generated = Vec::new();
    generator.render_description_section(&mut generated)?;
    generator.render_options_section(&mut generated)?;
    page += &with_tables(&String::from_utf8_lossy(&generated));
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    for section in after.split("\n\n") {
        let Some((heading, text)) = section.split_once(":\n") else { continue };
        let _ = writeln!(page, ".SH {}", heading.to_uppercase());
        if heading == "Examples" {
            let text = text.lines().map(|line| escaped(line.trim_start())).collect::<Vec<_>>().join("\n");
            let _ = writeln!(page, ".nf\n{text}\n.fi");
        } else {
            let text: String = text.lines().map(|line| format!("{}\n", escaped(line))).collect();
            page += &with_tables(&text);
        }
    }
    Ok(page.into_bytes())
}

/// Returns an option as typed, with its value.
fn usage(option: &Arg) -> String {
    let name = match (option.get_short(), option.get_long()) {
        (Some(short), _) => format!("\\fB\\-{short}\\fR"),
        (None, long) => format!("\\fB\\-\\-{}\\fR", long.unwrap_or_default().replace('-', "\\-")),
    };
    let takes_value = option.get_action().takes_values();
    let value = option.get_value_names().filter(|_| takes_value).and_then(|names| names.first());
    let is_optional = option.get_num_args().is_some_and(|range| range.min_values() == 0);
    match value {
        None => name,
        Some(value) if is_optional => format!("{name}[=\\fI{value}\\fR]"),
        Some(value) => format!("{name} \\fI{value}\\fR"),
    }
}

/// Returns the same roff, with lists of terms in place of lines with two columns (a name and its
/// explanation).
fn with_tables(roff: &str) -> String {
    let mut out = String::new();
    let mut is_in_table = false;
    for line in roff.lines() {
        let row = line.strip_prefix("  ").and_then(|row| row.split_once("  "));
        if row.is_some() != is_in_table {
            out += if is_in_table { ".RE\n" } else { ".RS\n" };
            is_in_table = !is_in_table;
        }
        match row {
            Some((name, text)) => {
                let _ = writeln!(out, ".TP 16\n\\fB{name}\\fR\n{}", text.trim_start());
            }
            None => {
                let _ = writeln!(out, "{line}");
            }
        }
    }
    out + if is_in_table { ".RE\n" } else { "" }
}

/// Returns a text for roff: hyphens stay plain ASCII, as on a command line, and a first character that would
/// start a request is escaped.
fn escaped(text: &str) -> String {
    let escaped = text.replace('\\', "\\e").replace('-', "\\-");
    if escaped.starts_with(['.', '\'']) { format!("\\&{escaped}") } else { escaped }
}
