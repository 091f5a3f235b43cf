//! Hints: the options to try for a file that hardly fits its format.

use urivalidate::corpus::{Format, Layout};
use urivalidate::tools::{LikelyKey, LooksLike, is_table, likely_key, looks_like};
use urivalidate::{ErrorKind, Grammar, InvalidRecord};

/// A guess from the first lines of a file.
#[derive(Clone, Debug)]
pub(crate) enum Guess {
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

impl Guess {
    /// Returns the guess about lines that were read in this layout.
    pub(crate) fn new(lines: &[u8], layout: &Layout) -> Option<Self> {
        let format = layout.format();
        if let Some(key) = likely_key(layout, lines) {
            return Some(Guess::Key(format, key));
        }
        if format != Format::Lines {
            let found = Format::detect(lines);
            if let Some(hosts) = is_table(format).then(|| Guess::of_hosts(lines)).flatten() {
                return Some(hosts);
            } else if found == format {
                return Some(Guess::Unknown);
            } else if found != Format::Lines {
                return Some(Guess::Format(found));
            }
        }
        let is_blank = lines.iter().all(u8::is_ascii_whitespace);
        looks_like(lines).map(Guess::LooksLike).or((!is_blank).then_some(Guess::Unknown))
    }
}

impl Guess {
    /// Returns the guess about a table that has host names in place of URIs.
    pub(crate) fn of_hosts(lines: &[u8]) -> Option<Self> {
        let hosts = looks_like(lines);
        hosts.filter(|hosts| matches!(hosts, LooksLike::CellsWithHosts { .. })).map(Guess::LooksLike)
    }

    /// Returns the guess about lines that fit a format, but whose records are mostly invalid under a grammar. `invalid` has these records.
    pub(crate) fn of_values(format: Format, grammar: Grammar, invalid: &[InvalidRecord]) -> Self {
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
}

/// The facts about a file from which a hint is made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hint {
    /// The guess from the first lines of the file.
    pub(crate) guess: Option<Guess>,
    /// The number of records, including lines that do not fit the format.
    pub(crate) records: u64,
    /// The number of invalid records, including lines that do not fit the format.
    pub(crate) invalid: u64,
    /// The number of records with a character beyond ASCII, and the grammar that allows it.
    beyond_ascii: u64,
    iri: Option<&'static str>,
    /// The number of lines that lack the key, and whether others have it.
    keyless: u64,
    has_key: bool,
    /// The number of records that are evidence against the format: invalid records of a list or of a table with host names; in any other
    /// format, lines that do not fit it, because an invalid field is no evidence about the format.
    pub(crate) misfits: u64,
}

impl Hint {
    /// Counts the records of a chunk: all, the invalid ones, and those that are evidence against the format. `guess` is the guess about the
    /// file, if there is one.
    pub(crate) fn count(&mut self, guess: Option<Guess>, records: u64, invalid: u64, misfits: u64) {
        self.guess = self.guess.take().or(guess);
        self.records += records;
        let has_hosts = matches!(self.guess, Some(Guess::LooksLike(LooksLike::CellsWithHosts { .. })));
        self.invalid += invalid;
        self.misfits += if has_hosts { invalid } else { misfits };
    }

    /// Counts the lines of a chunk that lack the key. `has_key` is true if other lines of the chunk have it.
    pub(crate) fn count_keys(&mut self, keyless: u64, has_key: bool) {
        self.keyless += keyless;
        self.has_key |= has_key;
    }

    /// Counts the records of a chunk that have a character beyond ASCII where `grammar` does not allow it.
    pub(crate) fn count_beyond_ascii(&mut self, records: u64, grammar: Grammar) {
        self.beyond_ascii += records;
        self.iri = match grammar {
            Grammar::Uri => Some("iri"),
            Grammar::UriReference => Some("iri-reference"),
            _ => None,
        };
    }

    /// Returns the grammar that allows characters beyond ASCII, as a sentence, if they make most of the errors.
    fn about_beyond_ascii(&self, few: u64) -> Option<String> {
        let iri =
            self.iri.filter(|_| self.beyond_ascii >= few && are_mostly(self.beyond_ascii, self.invalid))?;
        let (some, all) = (self.beyond_ascii, self.invalid);
        Some(format!("{some} of {all} errors are characters beyond ASCII; --grammar {iri} allows them"))
    }

    /// Returns one sentence, if at least half of the records are invalid, or nearly every record contains another URI.
    pub(crate) fn sentence(&self, grammar: Grammar) -> Option<String> {
        /// Fewer records are no evidence.
        const FEW: u64 = 5;
        /// If the options to try are unknown, fewer records are not worth a sentence.
        const SOME: u64 = 10;

        // Lines without the key are no evidence if other lines have it.
        let keyless = if self.has_key { 0 } else { self.keyless };
        let records = self.records + keyless;
        if records < FEW {
            return None;
        }
        // Lines that fit their format may have invalid records.
        let is_of_values = matches!(self.guess, Some(Guess::Values(..)));
        let invalid = keyless + if is_of_values { self.invalid } else { self.misfits };
        let are_invalid = are_mostly(invalid, records);
        let reason = if keyless == records {
            "no line has the key"
        } else if invalid.saturating_mul(10) >= records.saturating_mul(9) {
            "nearly every record is invalid"
        } else if are_invalid {
            "at least half of the records are invalid"
        } else {
            "nearly every line holds more than one URI"
        };
        match self.guess.as_ref().and_then(|guess| advice(guess, grammar, are_invalid)) {
            Some((looks, advice)) => Some(format!("{reason}: this looks like {looks}; try {advice}")),
            None if !are_invalid => self.about_beyond_ascii(FEW),
            None if records < SOME => None,
            None => match self.guess {
                Some(Guess::Unknown) => Some(format!(
                    "{reason}, and no known format fits better; --regex, --delimiter or --key can say where the URIs are"
                )),
                Some(Guess::Values(format, _)) => Some(format!(
                    "{reason}: the lines fit {format}, and no known format fits better; --suggest says what may be meant"
                )),
                Some(Guess::LooksLike(LooksLike::Uris)) => Some(format!(
                    "{reason}: the lines are URIs, and no known format fits better; --suggest says what may be meant"
                )),
                _ => None,
            },
        }
    }
}

/// Returns true if `some` is at least half of `all`.
pub(crate) fn are_mostly(some: u64, all: u64) -> bool {
    some.saturating_mul(2) >= all
}

/// Returns the likely format of a file, and the options that read it.
fn advice(guess: &Guess, grammar: Grammar, are_invalid: bool) -> Option<(String, String)> {
    let looks_like = match *guess {
        Guess::Format(format) if are_invalid => {
            return Some((format!("the format {format}"), format!("--from {format}")));
        }
        Guess::Key(format, LikelyKey { ref name, ref about, .. }) if are_invalid => {
            return Some((
                format!("{format} in which {about}"),
                format!("--from {format} --key {}", quoted(name)),
            ));
        }
        Guess::Values(format, Some((grammar, records))) if are_invalid => {
            return Some((format!("{format} with {records}"), format!("--grammar {grammar}")));
        }
        Guess::Format(_) | Guess::Key(..) | Guess::Values(..) | Guess::Unknown => return None,
        Guess::LooksLike(looks_like) => looks_like,
    };
    let said = |looks: &str, advice: &str| Some((looks.to_owned(), advice.to_owned()));
    match looks_like {
        LooksLike::Cells { delimiter, column, has_more } if are_invalid || has_more => {
            let (name, from) = cells_between(delimiter)?;
            let others = if has_more { " and others" } else { "" };
            let looks = format!("cells between {name}, with URIs in column {column}{others}");
            Some((looks, format!("{from} --field {column}")))
        }
        _ if !are_invalid => None,
        LooksLike::CellsWithPaths { delimiter, column } => {
            let (name, from) = cells_between(delimiter)?;
            let looks = format!("cells between {name}, with paths in column {column}");
            Some((looks, format!("{from} --field {column} --grammar uri-reference")))
        }
        LooksLike::CellsWithHosts { delimiter, column } if grammar.needs_scheme() => {
            let (name, from) = cells_between(delimiter)?;
            let looks = format!(
                "cells between {name}, with host names in column {column}, which are relative references, not URIs"
            );
            Some((looks, format!("{from} --field {column} --grammar uri-reference")))
        }
        LooksLike::Wide { encoding } => said(encoding, &format!("iconv -f {encoding} -t UTF-8 first")),
        LooksLike::Padded => said("URIs with white space around them", "--trim"),
        LooksLike::NoSchemes if grammar.needs_scheme() => {
            said("URIs without schemes", "--grammar uri-reference")
        }
        LooksLike::Requests => {
            said("requests in quotes", r#"--regex '"[A-Z]+ (?<uri>\S+) HTTP/' --grammar request-target"#)
        }
        LooksLike::NginxErrors => {
            said("the error log of nginx", r#"--regex 'request: "\S+ (?<uri>\S+)' --grammar request-target"#)
        }
        LooksLike::ApacheErrors => said("the error log of Apache", r"--regex 'referer: (?<uri>.+)'"),
        LooksLike::UriErrors => said("uri-errors.log of Heritrix", r#"--regex '.*" (?<uri>.+)'"#),
        LooksLike::Iris if !matches!(grammar, Grammar::Iri | Grammar::IriReference) => {
            said("URIs with characters beyond ASCII", "--grammar iri")
        }
        LooksLike::Text => said("text with URIs in it", "--from text"),
        LooksLike::Spaced => said("URIs with empty lines or comments between them", "--from text"),
        _ => None,
    }
}

/// Returns a name, quoted so that a shell reads it as one word.
fn quoted(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte);
    if name.bytes().all(is_plain) { name.to_owned() } else { format!("'{}'", name.replace('\'', r"'\''")) }
}

/// Returns the name of a delimiter, and the option for cells between delimiters.
fn cells_between(delimiter: u8) -> Option<(&'static str, &'static str)> {
    Some(match delimiter {
        b',' => ("commas", "--from csv"),
        b'\t' => ("tabs", "--from tsv"),
        b' ' => ("spaces", "--delimiter space"),
        b';' => ("semicolons", "--delimiter ';'"),
        b'|' => ("vertical bars", "--delimiter '|'"),
        _ => return None,
    })
}
