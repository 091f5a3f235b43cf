//! The parsers of values, and the help that lists the values.

use std::ffi::OsStr;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use urivalidate::corpus::{Format, Scanner, Wrapper};
use urivalidate::stats::{Problem, Suspicion};
use urivalidate::{Backend, Component, ErrorKind, Grammar, NormalForm, RowColumn};

use super::values::{BackendChoice, Emit, From};

/// The default limit of a record, as users write it.
pub(super) const MAX_RECORD: &str = "64M";
const _: () = assert!(Scanner::DEFAULT_MAX_RECORD == 64 << 20);

pub(super) fn grammars() -> impl TypedValueParser<Value = Grammar> {
    let names =
        Grammar::ALL.iter().map(|grammar| PossibleValue::new(grammar.name()).aliases(grammar.aliases()));
    let of_name = |name: String| name.parse().expect("only names of grammars are possible values");
    PossibleValuesParser::new(names).map(of_name)
}

/// The parser of the values of `--emit`: those of a list, and columns whose names the user makes.
#[derive(Clone)]
pub(super) struct Emits;

impl TypedValueParser for Emits {
    type Value = Emit;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Emit, clap::Error> {
        let column = value.to_str().and_then(RowColumn::of_name).filter(|column| column.is_named_by_user());
        column.map_or_else(|| emits().parse_ref(command, arg, value), |column| Ok(Emit::Values(column)))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let completed = RowColumn::NAMED_BY_USER
            .iter()
            .map(|&(name, about)| PossibleValue::new(name).help(without_markup(about)));
        let listed: Vec<_> = emits().possible_values().into_iter().flatten().collect();
        Some(Box::new(listed.into_iter().chain(completed)))
    }
}

/// Returns the parser of the listed values of `--emit`. The names of columns are values, too: `uri`, each
/// component, and derived columns.
fn emits() -> impl TypedValueParser<Value = Emit> {
    let parts = Component::ALL
        .iter()
        .map(|component| (component.name(), format!("The {component} of each valid record that has one")));
    let uri = "The valid records alone; in a log, the field without its escapes".to_owned();
    let others = [RowColumn::HostKind, RowColumn::SchemeSpecificPart, RowColumn::AuthorityKind];
    let others = others.into_iter().chain(RowColumn::derived());
    let columns = [(RowColumn::Uri.name(), uri)]
        .into_iter()
        .chain(parts)
        .chain(others.map(|column| (column.name(), without_markup(column.about()))));
    let columns = columns.map(|(name, help)| PossibleValue::new(name).help(help));
    let listed = Emit::value_variants().iter().filter_map(Emit::to_possible_value);
    PossibleValuesParser::new(listed.chain(columns)).map(|name| {
        let column = || RowColumn::of_name(&name).expect("all other values are names of columns");
        Emit::from_str(&name, false).unwrap_or_else(|_| Emit::Values(column()))
    })
}

/// Returns a sentence that is written for Markdown as help.
fn without_markup(sentence: &str) -> String {
    sentence.replace('`', "").trim_end_matches('.').to_owned()
}

pub(super) fn normal_forms() -> impl TypedValueParser<Value = NormalForm> {
    PossibleValuesParser::new(NormalForm::ALL.iter().map(|form| form.name()))
        .map(|name| name.parse().expect("only names of forms are possible values"))
}

pub(super) fn kinds() -> impl TypedValueParser<Value = String> {
    let names = ErrorKind::ALL.iter().map(|kind| kind.name());
    PossibleValuesParser::new(names.chain([Problem::MALFORMED, Problem::SUSPICIOUS]))
}

/// Returns the parser of a reason why a record is suspicious. One name stands for all reasons.
pub(super) fn suspicions() -> impl TypedValueParser<Value = String> {
    let names = Suspicion::ALL.iter().map(|reason| reason.name());
    PossibleValuesParser::new([Problem::SUSPICIOUS].into_iter().chain(names))
}

pub(super) fn formats() -> impl TypedValueParser<Value = From> {
    let named = named_formats().map(|format| PossibleValue::new(format.name()).aliases(format.aliases()));
    let wrappers = Wrapper::ALL.iter().map(|wrapper| PossibleValue::new(wrapper.name()));
    let names = [PossibleValue::new("auto")].into_iter().chain(named).chain(wrappers);
    PossibleValuesParser::new(names).map(|name| {
        let wrapper = || name.parse().map_or(From::Auto, From::Wrapper);
        name.parse().map_or_else(|_| wrapper(), From::Format)
    })
}

/// Returns the parser of a whole number from `least` to `most`.
pub(super) fn number(
    least: u64,
    most: u64,
) -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync + 'static {
    move |text| match text.parse() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ if most == u64::MAX => Err(format!("expected a whole number from {least} on")),
        _ => Err(format!("expected a whole number from {least} to {most}")),
    }
}

/// The names of columns, in the order of the user.
#[derive(Clone, Debug)]
pub(crate) struct ColumnNames(pub(crate) Vec<String>);

/// Parses names with commas between them. A name with a comma is quoted as in csv.
pub(super) fn column_names(text: &str) -> Result<ColumnNames, String> {
    let mut names = Vec::new();
    let mut rest = text;
    loop {
        let mut name = String::new();
        let end = match rest.strip_prefix('"') {
            None => rest.find(',').unwrap_or(rest.len()),
            Some(quoted) => {
                rest = quoted;
                loop {
                    let end = rest.find('"').ok_or("a name has a quote at its start and none at its end")?;
                    name += &rest[..end];
                    rest = &rest[end + 1..];
                    if !rest.starts_with('"') {
                        break;
                    }
                    name.push('"');
                    rest = &rest[1..];
                }
                0
            }
        };
        name += &rest[..end];
        names.push(name);
        rest = match rest[end..].chars().next() {
            None => return Ok(ColumnNames(names)),
            Some(',') => &rest[end + 1..],
            Some(_) => return Err("a quoted name ends at its quote".to_owned()),
        };
    }
}

/// Parses a byte, `\t`, or the name `tab` or `space`.
pub(super) fn delimiter(text: &str) -> Result<u8, String> {
    match text {
        r"\t" | "tab" => Ok(b'\t'),
        "space" => Ok(b' '),
        _ => match *text.as_bytes() {
            [byte] if !b"\"\r\n".contains(&byte) => Ok(byte),
            _ => Err("expected one byte, tab or space; a quote or a line end is not allowed".to_owned()),
        },
    }
}

/// Returns the formats that a name alone can choose.
pub(super) fn named_formats() -> impl Iterator<Item = Format> {
    Format::ALL.iter().copied().filter(|format| !matches!(format, Format::Regex | Format::Delimited))
}

pub(super) fn format_help() -> String {
    let mut help = String::from(
        "The format of the lines, and what --field or --key can name. Escapes are undone before a record is checked. A placeholder \
        for a missing URI is counted as a sentinel, and a line that does not fit is reported as malformed-line:",
    );
    help += "\n  auto       detected from the first lines of each file; lines if in doubt";
    for format in named_formats() {
        help += &format!("\n  {:<10} {}", format.name(), format.about());
        if !format.aliases().is_empty() {
            help += &format!(" (also: {})", format.aliases().join(", "));
        }
    }
    help += "\nOr the wrapper that another program has put around each line; the format inside is detected:";
    for &wrapper in Wrapper::ALL {
        help += &format!("\n  {:<11} {}", wrapper.name(), wrapper.about());
    }
    help
}

pub(super) fn backends() -> impl TypedValueParser<Value = BackendChoice> {
    let names = ["auto"].into_iter().chain(Backend::ALL.iter().map(|backend| backend.name()));
    PossibleValuesParser::new(names).map(|name| {
        let backend = Backend::ALL.iter().find(|backend| backend.name() == name);
        backend.map_or(BackendChoice::Auto, |&backend| BackendChoice::Named(backend))
    })
}

pub(super) fn grammar_help() -> String {
    let mut help = String::from("The grammar that records must match:");
    for &grammar in Grammar::ALL {
        help += &format!("\n  {:<15} {}", grammar.name(), grammar.about());
    }
    help
}

/// Parses a number of bytes; a suffix multiplies by powers of 1024: `100`, `64K`, `64M`, `1G`.
pub(super) fn size(text: &str) -> Result<usize, String> {
    let (digits, unit) = match text.as_bytes().last().map(u8::to_ascii_uppercase) {
        Some(b'K') => (&text[..text.len() - 1], 10),
        Some(b'M') => (&text[..text.len() - 1], 20),
        Some(b'G') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let size = digits.parse::<u64>().ok().and_then(|size| size.checked_mul(1 << unit));
    match size.and_then(|size| usize::try_from(size).ok()) {
        Some(size) if (1..=Scanner::MAX_RECORD).contains(&size) => Ok(size),
        _ => Err(format!(
            "expected a number of bytes from 1 to {}G, such as 100, 64K or 64M; the default is {MAX_RECORD}",
            Scanner::MAX_RECORD >> 30
        )),
    }
}
