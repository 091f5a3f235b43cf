//! Another way to read an input whose lines do not fit their format: what the lines look like, and the options that read them.
//!
//! Each program spells the options in its own way.

use super::format::{Format, Layout, LikelyKey, LooksLike, likely_key};
use crate::batch::InvalidRecord;
use crate::error::ErrorKind;
use crate::grammar::Grammar;

/// A guess from the first lines of an input.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Guess {
    /// Content that matches no supported format.
    LooksLike(LooksLike),
    /// Another format, although fewer lines fit it.
    Format(Format),
    /// Objects in this format. Another key of the objects has URIs or requests.
    Key(Format, LikelyKey),
    /// Lines that fit this format. Another grammar may allow the records: its name, and the name of records that only it allows.
    Values(Format, Option<(&'static str, &'static str)>),
    /// Unknown content.
    Unknown,
}

/// A way to read an input.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Advice {
    /// What the input looks like.
    pub looks: String,
    /// What helps.
    pub remedy: Remedy,
}

/// What helps to read an input.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// These options with these values.
    Options(Vec<(ReadingOption, String)>),
    /// To convert it from this encoding, as iconv takes it, to UTF-8.
    Convert(&'static str),
}

/// An option for reading an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadingOption {
    /// The format.
    Format,
    /// The field or column.
    Field,
    /// The key.
    Key,
    /// The byte between cells. It chooses the format `delimited`.
    Delimiter,
    /// The regular expression. It chooses the format `regex`.
    Regex,
    /// The grammar.
    Grammar,
    /// White space around records is stripped. The value is empty.
    Trim,
}

impl Guess {
    /// Returns the guess about lines that were read in this layout.
    pub fn new(lines: &[u8], layout: &Layout) -> Option<Self> {
        let format = layout.format();
        if let Some(key) = likely_key(layout, lines) {
            return Some(Guess::Key(format, key));
        }
        if format != Format::Lines {
            let found = Format::detect(lines);
            if let Some(hosts) = format.is_table().then(|| Guess::of_hosts(lines)).flatten() {
                return Some(hosts);
            } else if found == format {
                return Some(Guess::Unknown);
            } else if found != Format::Lines {
                return Some(Guess::Format(found));
            }
        }
        match Format::looks_like(lines) {
            Some(LooksLike::Uris) if format != Format::Lines => Some(Guess::Format(Format::Lines)),
            Some(looks_like) => Some(Guess::LooksLike(looks_like)),
            None => (!lines.iter().all(u8::is_ascii_whitespace)).then_some(Guess::Unknown),
        }
    }

    /// Returns the guess about a table that has host names in place of URIs.
    pub fn of_hosts(lines: &[u8]) -> Option<Self> {
        let hosts = Format::looks_like(lines);
        hosts.filter(|hosts| matches!(hosts, LooksLike::CellsWithHosts { .. })).map(Guess::LooksLike)
    }

    /// Returns the guess about lines that fit a format, but whose records are mostly invalid under a grammar. `invalid` has these records.
    pub fn of_values(format: Format, grammar: Grammar, invalid: &[InvalidRecord]) -> Self {
        let most = |is_such: &dyn Fn(ErrorKind) -> bool| {
            let such = invalid.iter().filter(|record| is_such(record.error.kind())).count();
            are_mostly(such as u64, invalid.len() as u64)
        };
        let lacks_scheme = |kind| matches!(kind, ErrorKind::MissingScheme | ErrorKind::InvalidScheme);
        let advice = if grammar.needs_scheme() && most(&lacks_scheme) {
            Some(("uri-reference", "references without schemes"))
        } else if matches!(grammar, Grammar::Uri | Grammar::UriReference)
            && most(&|kind| kind == ErrorKind::NonAscii)
        {
            let iri = if grammar == Grammar::Uri { "iri" } else { "iri-reference" };
            Some((iri, "URIs with characters beyond ASCII"))
        } else {
            None
        };
        Guess::Values(format, advice)
    }

    /// Returns the likely format of an input, and the options that read it. `are_invalid` is true if most records are invalid or most lines do not
    /// fit; otherwise, the advice is about lines with several URIs.
    pub fn advice(&self, grammar: Grammar, are_invalid: bool) -> Option<Advice> {
        let looks_like = match *self {
            Guess::Format(format) if are_invalid => {
                return said(&format!("the format {format}"), [(ReadingOption::Format, format.name())]);
            }
            Guess::Key(format, LikelyKey { ref name, ref about, .. }) if are_invalid => {
                let options = [(ReadingOption::Format, format.name()), (ReadingOption::Key, name)];
                return said(&format!("{format} in which {about}"), options);
            }
            Guess::Values(format, Some((grammar, records))) if are_invalid => {
                return said(&format!("{format} with {records}"), [(ReadingOption::Grammar, grammar)]);
            }
            Guess::Format(_) | Guess::Key(..) | Guess::Values(..) | Guess::Unknown => return None,
            Guess::LooksLike(looks_like) => looks_like,
        };
        match looks_like {
            LooksLike::Cells { delimiter, column, has_more } if are_invalid || has_more => {
                let others = if has_more { " and others" } else { "" };
                cells(delimiter, column, &format!("URIs in column {column}{others}"), None)
            }
            _ if !are_invalid => None,
            LooksLike::CellsWithPaths { delimiter, column } => {
                cells(delimiter, column, &format!("paths in column {column}"), Some(Grammar::UriReference))
            }
            LooksLike::CellsWithHosts { delimiter, column } if grammar.needs_scheme() => {
                let looks = format!("host names in column {column}, which are relative references, not URIs");
                cells(delimiter, column, &looks, Some(Grammar::UriReference))
            }
            LooksLike::Wide { encoding } => {
                Some(Advice { looks: encoding.to_owned(), remedy: Remedy::Convert(encoding) })
            }
            LooksLike::Padded => said("URIs with white space around them", [(ReadingOption::Trim, "")]),
            LooksLike::NoSchemes if grammar.needs_scheme() => {
                said("URIs without schemes", [(ReadingOption::Grammar, "uri-reference")])
            }
            LooksLike::Requests => {
                request("requests in quotes", r#""[A-Z]+ (?<uri>\S+) HTTP/"#, Some("request-target"))
            }
            LooksLike::NginxErrors => {
                request("the error log of nginx", r#"request: "\S+ (?<uri>\S+)"#, Some("request-target"))
            }
            LooksLike::ApacheErrors => request("the error log of Apache", "referer: (?<uri>.+)", None),
            LooksLike::UriErrors => request("uri-errors.log of Heritrix", r#".*" (?<uri>.+)"#, None),
            LooksLike::Iris if !matches!(grammar, Grammar::Iri | Grammar::IriReference) => {
                said("URIs with characters beyond ASCII", [(ReadingOption::Grammar, "iri")])
            }
            LooksLike::Text => said("text with URIs in it", [(ReadingOption::Format, "text")]),
            LooksLike::Spaced => {
                said("URIs with empty lines or comments between them", [(ReadingOption::Format, "text")])
            }
            _ => None,
        }
    }
}

/// Returns true if `some` is at least half of `all`.
pub(super) fn are_mostly(some: u64, all: u64) -> bool {
    some.saturating_mul(2) >= all
}

fn said<const N: usize>(looks: &str, options: [(ReadingOption, &str); N]) -> Option<Advice> {
    let options = options.map(|(option, value)| (option, value.to_owned()));
    Some(Advice { looks: looks.to_owned(), remedy: Remedy::Options(options.into()) })
}

/// Returns the advice to find the records by an expression.
fn request(looks: &str, regex: &str, grammar: Option<&'static str>) -> Option<Advice> {
    match grammar {
        None => said(looks, [(ReadingOption::Regex, regex)]),
        Some(grammar) => said(looks, [(ReadingOption::Regex, regex), (ReadingOption::Grammar, grammar)]),
    }
}

/// Returns the advice on cells between delimiters that have `what`.
fn cells(delimiter: u8, column: usize, what: &str, grammar: Option<Grammar>) -> Option<Advice> {
    let (name, option) = match delimiter {
        b',' => ("commas", (ReadingOption::Format, "csv")),
        b'\t' => ("tabs", (ReadingOption::Format, "tsv")),
        b' ' => ("spaces", (ReadingOption::Delimiter, " ")),
        b';' => ("semicolons", (ReadingOption::Delimiter, ";")),
        b'|' => ("vertical bars", (ReadingOption::Delimiter, "|")),
        _ => return None,
    };
    let looks = format!("cells between {name}, with {what}");
    let field = (ReadingOption::Field, &*column.to_string());
    match grammar {
        None => said(&looks, [option, field]),
        Some(grammar) => said(&looks, [option, field, (ReadingOption::Grammar, grammar.name())]),
    }
}
