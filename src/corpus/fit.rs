//! Counts the lines that do not fit the format of their input, for callers whose rows leave these lines out.

use super::advice::{Advice, Guess, are_mostly};
use super::engine::Scanned;
use super::format::Format;
use crate::grammar::Grammar;

/// How well the lines of an input fit its format.
///
/// ```
/// use std::ops::ControlFlow;
/// use urivalidate::Columns;
/// use urivalidate::corpus::{Chunk, Fit, Reading, ReadingOptions};
///
/// let reading = Reading::new(ReadingOptions { format: "jsonl", ..ReadingOptions::default() })?;
/// let of_chunk = |chunk: &Chunk<'_>| {
///     let mut fit = Fit::default();
///     let grammar = reading.validator_of(chunk).grammar();
///     let flow = reading.scan_pieces(chunk, Columns::NONE, |scanned| {
///         fit.append(Fit::new(scanned, grammar));
///         ControlFlow::<()>::Continue(())
///     });
///     flow.map(|_| fit)
/// };
/// let mut fit = Fit::default();
/// reading.scanner().scan_slice(b"http://h/\n", of_chunk, |next| {
///     fit.append(next.unwrap());
///     ControlFlow::<()>::Continue(())
/// })?;
/// let misfits = fit.misfits().unwrap();
/// assert!(misfits.are_all && misfits.sentence.starts_with("no line fits the format jsonl; line 1: "));
/// assert_eq!(misfits.advice.unwrap().looks, "the format lines");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Fit {
    /// The number of lines so far.
    lines: u64,
    /// The number of records, and of lines whose writer had no URI.
    fitting: u64,
    malformed: u64,
    first: Option<Misfit>,
    advice: Option<Advice>,
    has_key: bool,
}

/// The first line that does not fit.
#[derive(Clone, Debug)]
struct Misfit {
    format: Format,
    /// The 1-based number of the line.
    line: u64,
    message: String,
}

/// The lines that do not fit.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Misfits {
    /// True if no line fits.
    pub are_all: bool,
    /// One clause: the number of the lines, and the first line with the reason.
    pub sentence: String,
    /// Another way to read the input, if most of the lines do not fit.
    pub advice: Option<Advice>,
}

impl Fit {
    /// Returns the counts of a chunk, whose records match this grammar.
    pub fn new(scanned: &Scanned<'_>, grammar: Grammar) -> Self {
        let (chunk, malformed) = (scanned.chunk(), scanned.malformed());
        let first = malformed.first().map(|line| Misfit {
            format: chunk.layout().format(),
            line: line.line + 1,
            message: chunk.layout().message(line),
        });
        let records = (scanned.len() + scanned.dropped()) as u64;
        let (malformed, fitting) = (malformed.len() as u64, records + scanned.sentinels());
        let is_start = chunk.base() == 0 && malformed > 0 && are_mostly(malformed, malformed + fitting);
        let guess = if is_start { Guess::new(chunk.bytes(), chunk.layout()) } else { None };
        let tried = |guess: Guess| guess.tried(chunk.bytes(), chunk.layout(), grammar);
        let advice = guess.map(tried).and_then(|guess| guess.advice(grammar));
        let has_key = fitting > 0 && chunk.layout().format().has_key_in_lines();
        Fit { lines: scanned.lines(), fitting, malformed, first, advice, has_key }
    }

    /// Adds the counts of the next chunk of the input.
    pub fn append(&mut self, next: Fit) {
        if self.first.is_none() {
            self.first = next.first.map(|first| Misfit { line: self.lines + first.line, ..first });
        }
        self.lines += next.lines;
        self.fitting += next.fitting;
        self.malformed += next.malformed;
        self.has_key |= next.has_key;
        self.advice = self.advice.take().or(next.advice);
    }

    /// Returns true if the lines have a key that others may lack.
    pub fn has_key(&self) -> bool {
        self.has_key
    }

    /// Returns the lines that do not fit, if there are any.
    pub fn misfits(&self) -> Option<Misfits> {
        let Misfit { format, line, message } = self.first.as_ref()?;
        let are_all = self.fitting == 0;
        let count = self.malformed;
        let sentence = if are_all {
            format!("no line fits the format {format}; line {line}: {message}")
        } else if count == 1 {
            format!("1 line does not fit the format {format} and is left out; line {line}: {message}")
        } else {
            format!(
                "{count} lines do not fit the format {format} and are left out; first, line {line}: {message}"
            )
        };
        let advice = self.advice.clone().filter(|_| are_mostly(count, count + self.fitting));
        Some(Misfits { are_all, sentence, advice })
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::column::Columns;
    use crate::corpus::reading::{Reading, ReadingOptions};
    use crate::corpus::remedy::{ReadingOption, Remedy};

    fn fit(format: &str, input: &str) -> Fit {
        let reading = Reading::new(ReadingOptions { format, ..ReadingOptions::default() }).unwrap();
        let mut fit = Fit::default();
        reading
            .scanner()
            .chunk_size(100)
            .scan_slice(
                input.as_bytes(),
                |chunk| {
                    let grammar = reading.validator_of(chunk).grammar();
                    let mut fit = Fit::default();
                    let flow = reading.scan_pieces(chunk, Columns::NONE, |scanned| {
                        fit.append(Fit::new(scanned, grammar));
                        ControlFlow::<()>::Continue(())
                    });
                    assert!(flow.unwrap().is_continue());
                    fit
                },
                |next| {
                    fit.append(next);
                    ControlFlow::<()>::Continue(())
                },
            )
            .unwrap();
        fit
    }

    #[test]
    fn lines_that_fit_are_no_misfits() {
        for (format, input) in [
            ("lines", "no uri\n"),
            ("jsonl", ""),
            ("common", "192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] \"-\" 408 0\n"),
            ("html", "<p>no link</p>"),
        ] {
            assert!(fit(format, input).misfits().is_none(), "{format}");
        }
    }

    #[test]
    fn lines_are_numbered_over_chunks() {
        let input = format!("{}garbage\n{{\"url\":\"a:b\"}}\nmore\n", "{\"url\":\"a:b\"}\n".repeat(40));
        let Misfits { are_all, sentence, advice } = fit("jsonl", &input).misfits().unwrap();
        assert!(!are_all && advice.is_none());
        let expected = "2 lines do not fit the format jsonl and are left out; first, line 41: ";
        assert!(sentence.starts_with(expected), "{sentence}");
        let one = fit("jsonl", "{\"url\":\"a:b\"}\nmore").misfits().unwrap().sentence;
        assert!(one.starts_with("1 line does not fit the format jsonl and is left out; line 2: "), "{one}");
    }

    #[test]
    fn nothing_that_fits_comes_with_advice() {
        let Misfits { are_all, sentence, advice } =
            fit("combined", &"http://h/\n".repeat(9)).misfits().unwrap();
        assert!(are_all);
        assert!(sentence.starts_with("no line fits the format combined; line 1: "), "{sentence}");
        let Remedy::Options(options) = advice.unwrap().remedy else { panic!("there are options") };
        assert_eq!(options, [(ReadingOption::Format, "lines".to_owned())]);
    }
}
