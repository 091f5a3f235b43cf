//! Hints: the options to try for a file that hardly fits its format.

use urivalidate::Grammar;
use urivalidate::corpus::{Advice, Guess, LooksLike, ReadingOption, Remedy};

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
    pub(crate) keyless: u64,
    pub(crate) has_key: bool,
    /// The number of records that are evidence against the format: invalid records of a list or of a table
    /// with host names; in any other format, lines that do not fit it, because an invalid field is no
    /// evidence about the format.
    pub(crate) misfits: u64,
}

impl Hint {
    /// Counts the records of a chunk: all, the invalid ones, and those that are evidence against the format.
    /// `guess` is the guess about the file, if there is one.
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

    /// Returns the grammar that allows characters beyond ASCII, as a sentence, if they make most of the
    /// errors.
    fn about_beyond_ascii(&self, few: u64) -> Option<String> {
        let iri =
            self.iri.filter(|_| self.beyond_ascii >= few && are_mostly(self.beyond_ascii, self.invalid))?;
        let (some, all) = (self.beyond_ascii, self.invalid);
        Some(format!("{some} of {all} errors are characters beyond ASCII; --grammar {iri} allows them"))
    }

    /// Returns one sentence, if at least half of the records are invalid, or nearly every record contains
    /// another URI.
    pub(crate) fn sentence(&self, grammar: Grammar) -> Option<String> {
        /// Fewer records are no evidence.
        const FEW: u64 = 3;
        /// If the options to try are unknown, fewer records are not worth a sentence.
        const SOME: u64 = 5;
        const MANY: u64 = 10;

        // Lines without the key are no evidence if other lines have it.
        let keyless = if self.has_key { 0 } else { self.keyless };
        let records = self.records + keyless;
        if records < FEW {
            return None;
        }
        // Lines that fit their format may have invalid records.
        let is_of_values = matches!(self.guess, Some(Guess::Values(..) | Guess::NoUris(_)));
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
        let advice = |guess: &Guess| {
            if are_invalid { guess.advice(grammar) } else { guess.advice_for_several() }
        };
        match self.guess.as_ref().and_then(advice) {
            Some(Advice { looks, remedy, .. }) => {
                Some(format!("{reason}: this looks like {looks}; try {}", spelled(&remedy)))
            }
            None if !are_invalid => self.about_beyond_ascii(SOME),
            // Only an option helps with a few lines that fit their format.
            None if records
                < if matches!(self.guess, Some(Guess::Unknown | Guess::NoUris(_))) { SOME } else { MANY } =>
            {
                None
            }
            None => match self.guess {
                Some(Guess::Unknown) => Some(format!(
                    "{reason}, and no known format fits better; --regex, --delimiter or --key can say where the URIs are"
                )),
                Some(Guess::Values(format, _)) => Some(format!(
                    "{reason}: the lines fit {format}, and no known format fits better; --suggest says what may be meant"
                )),
                Some(Guess::NoUris(format)) => {
                    let (place, option) = match format {
                        _ if format.has_key_in_lines() => ("key", "--key"),
                        _ if format.is_table() => ("column", "--field"),
                        _ => ("field", "--field"),
                    };
                    Some(format!("{reason}: the {place} holds no URIs; {option} chooses another"))
                }
                Some(Guess::LooksLike(LooksLike::Uris)) => Some(format!(
                    "{reason}: the lines are URIs, and no known format fits better; --suggest says what may be meant"
                )),
                _ => None,
            },
        }
    }
}

/// Returns the options of the command that a remedy means.
pub(crate) fn spelled(remedy: &Remedy) -> String {
    let option = |(option, value): &(ReadingOption, String)| match option {
        ReadingOption::Format => format!("--from {value}"),
        ReadingOption::Field => format!("--field {}", quoted(value)),
        ReadingOption::Key => format!("--key {}", quoted(value)),
        ReadingOption::Delimiter if value == " " => "--delimiter space".to_owned(),
        ReadingOption::Delimiter => format!("--delimiter {}", quoted(value)),
        ReadingOption::Regex => format!("--regex {}", quoted(value)),
        ReadingOption::Grammar => format!("--grammar {value}"),
        ReadingOption::Trim => "--trim".to_owned(),
        _ => String::new(),
    };
    match remedy {
        Remedy::Options(options) => options.iter().map(option).collect::<Vec<_>>().join(" "),
        Remedy::Convert(encoding) => format!("iconv -f {encoding} -t UTF-8 first"),
        _ => String::new(),
    }
}

/// Returns a value, quoted so that a shell reads it as one word.
fn quoted(value: &str) -> String {
    let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte);
    let is_bare = !value.is_empty() && value.bytes().all(is_safe);
    if is_bare { value.to_owned() } else { format!("'{}'", value.replace('\'', r"'\''")) }
}

/// Returns true if `some` is at least half of `all`.
pub(crate) fn are_mostly(some: u64, all: u64) -> bool {
    some.saturating_mul(2) >= all
}
