//! Another way to read an input whose lines do not fit their format: what the lines look like, and the
//! options that read them.
//!
//! Advice is [tried](Guess::tried) on the first lines of the input before anybody sees it.

use super::format::{Format, Layout, LikelyKey, LooksLike, likely_key};
use super::remedy::{ReadingOption, Remedy};
use super::trial::{Trial, helps};
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
    /// Lines that fit this format. Another grammar may allow the records: its name, and the name of records
    /// that only it allows.
    Values(Format, Option<(&'static str, &'static str)>),
    /// Lines that fit this format, but hold no URIs in the field.
    NoUris(Format),
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
            } else if found == format || layout.evidence().is_some_and(|evidence| !evidence.is_by_name) {
                // The first lines have decided already. The chunk can hold fewer of them.
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

    /// Returns the guess if its advice helps to read an input that starts with `input` and was read in this
    /// layout. If it does not help, the guess is that nothing better is known.
    #[must_use]
    pub fn tried(self, input: &[u8], layout: &Layout, grammar: Grammar) -> Self {
        let has_more = matches!(self, Guess::LooksLike(LooksLike::Cells { has_more: true, .. }));
        let is_helpful = |Advice { remedy, .. }: Advice| helps(&remedy, input, layout, grammar, has_more);
        let advice = self.advice(grammar);
        if advice.is_some_and(is_helpful) {
            return self;
        }
        let has_no_uris =
            || Trial::new(input, layout, grammar, false).is_some_and(|trial| trial.has_no_values());
        match self {
            Guess::Values(format, _) if has_no_uris() => Guess::NoUris(format),
            Guess::Values(format, _) => Guess::Values(format, None),
            Guess::LooksLike(LooksLike::Uris) => self,
            _ => Guess::Unknown,
        }
    }

    /// Returns the guess about a table that has host names in place of URIs.
    pub fn of_hosts(lines: &[u8]) -> Option<Self> {
        let hosts = Format::looks_like(lines);
        hosts.filter(|hosts| matches!(hosts, LooksLike::CellsWithHosts { .. })).map(Guess::LooksLike)
    }

    /// Returns the guess about lines that fit a format, but whose records are mostly invalid under a grammar.
    /// `invalid` has these records.
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

    /// Returns the option that reads all URIs of an input whose records are valid, if its lines have several.
    pub fn advice_for_several(&self) -> Option<Advice> {
        match *self {
            Guess::LooksLike(LooksLike::Cells { delimiter, column, has_more: true }) => {
                several_cells(delimiter, column)
            }
            _ => None,
        }
    }

    /// Returns the likely format of an input, and the options that read it. Most records of the input are
    /// invalid, or most of its lines do not fit.
    pub fn advice(&self, grammar: Grammar) -> Option<Advice> {
        let looks_like = match *self {
            Guess::Format(format) => {
                return said(&format!("the format {format}"), [(ReadingOption::Format, format.name())]);
            }
            Guess::Key(format, LikelyKey { ref name, ref about, .. }) => {
                let options = [(ReadingOption::Format, format.name()), (ReadingOption::Key, name)];
                return said(&format!("{format} in which {about}"), options);
            }
            Guess::Values(format, Some((grammar, records))) => {
                return said(&format!("{format} with {records}"), [(ReadingOption::Grammar, grammar)]);
            }
            Guess::Values(..) | Guess::NoUris(_) | Guess::Unknown => return None,
            Guess::LooksLike(looks_like) => looks_like,
        };
        match looks_like {
            LooksLike::Cells { delimiter, column, has_more: true } => several_cells(delimiter, column),
            LooksLike::Cells { delimiter, column, has_more: false } => {
                cells(delimiter, column, &format!("URIs in column {column}"), None)
            }
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
            LooksLike::Uwsgi => request(
                "the log of uWSGI",
                r"\} \[[^\]]*\] \S+ (?<uri>.+) => generated \d",
                Some("request-target"),
            ),
            LooksLike::NginxProxyManager => request(
                "the access log of Nginx Proxy Manager",
                r#"^\[[^\]]*\] \S+ \S+ \S+ - \S+ \S+ \S+ "(?<uri>[^"]*)" \[Client "#,
                Some("request-target"),
            ),
            LooksLike::Logfmt { key, has_paths } => {
                // A value ends at its quote, or before the next key.
                let regex = format!(r#"(?:^| ){key}="?(?<uri>[^"]*?)(?:"| +[A-Za-z_.]+=|$)"#);
                request("logfmt", &regex, has_paths.then_some("request-target"))
            }
            LooksLike::Playlist => request("a playlist (M3U)", r"^(?<uri>[^#\s].*)", Some("uri-reference")),
            LooksLike::TimeMap => {
                said("links in angle brackets, as in a TimeMap", [(ReadingOption::Format, "text")])
            }
            LooksLike::Html => said("HTML without its start", [(ReadingOption::Format, "html")]),
            LooksLike::Markdown => said("Markdown", [(ReadingOption::Format, "markdown")]),
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

/// Returns the advice on a table with URIs in several columns.
fn several_cells(delimiter: u8, column: usize) -> Option<Advice> {
    cells(delimiter, column, &format!("URIs in column {column} and others"), None)
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
