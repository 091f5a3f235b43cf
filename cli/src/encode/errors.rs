//! Errors for people: `FILE:LINE:COLUMN: KIND: MESSAGE`.

use std::io::Write;
use std::ops::Range;
use urivalidate::memory::OutOfMemory;

use urivalidate::Request;
use urivalidate::corpus::{ColumnCount, ProblemAt};
use urivalidate::stats::Problem;

use super::encoder::{Encode, Encoded, JudgedChunk, LeftOut};
use crate::advice::advice;
use crate::findings::FindingAt;
use crate::shown::Shown;
use crate::style::Styles;

/// The form of errors.
pub(crate) struct Errors {
    pub(crate) styles: Styles,
    /// The kinds of errors to write; `None` writes all.
    pub(crate) kinds: Option<Vec<String>>,
    /// Whether errors come with suggestions.
    pub(crate) suggests: bool,
}

/// The error in a line.
struct ErrorLocation {
    /// The 1-based number of the line in the file.
    line: u64,
    /// The 1-based place of the offending byte in the line.
    column: u64,
    problem: Problem,
    /// The number of columns, if the line has too few or too many.
    column_count: Option<ColumnCount>,
    /// The suggestion for the record, if suggestions are written and it has one.
    suggestion: Option<Vec<u8>>,
}

/// Texts about the last problems. Errors close to each other usually have one of a few texts, and making a
/// text takes longer than judging a record.
#[derive(Default)]
struct Said {
    texts: [Text; 4],
    /// The index of the text that the next new one replaces.
    oldest: usize,
}

/// The text about a problem, and the last line with it.
#[derive(Default)]
struct Text {
    about: Option<(Problem, Option<ColumnCount>)>,
    /// The text. It does not depend on the place of the problem.
    text: Vec<u8>,
    /// The last line with this text, up to its LF. The next one usually differs from it in a few digits only:
    /// copying it at once takes a fifth less time than copying its parts.
    written: Vec<u8>,
    /// The digits of the two numbers in `written`.
    line: Range<usize>,
    column: Range<usize>,
}

impl Text {
    /// Returns the line about the problem at this place. Lines with the same text have the same `file`.
    fn at(&mut self, file: &str, line: u64, column: u64) -> &[u8] {
        let (mut line_digits, mut column_digits) = (itoa::Buffer::new(), itoa::Buffer::new());
        let line = line_digits.format(line).as_bytes();
        let column = column_digits.format(column).as_bytes();
        if (line.len(), column.len()) == (self.line.len(), self.column.len()) {
            self.written[self.line.clone()].copy_from_slice(line);
            self.written[self.column.clone()].copy_from_slice(column);
        } else {
            self.written.clear();
            self.written.extend_from_slice(file.as_bytes());
            self.line = self.written.len()..self.written.len() + line.len();
            self.written.extend_from_slice(line);
            self.written.push(b':');
            self.column = self.written.len()..self.written.len() + column.len();
            self.written.extend_from_slice(column);
            self.written.extend_from_slice(&self.text);
            self.written.push(b'\n');
        }
        &self.written
    }
}

impl Said {
    /// Returns the text about a problem. `make` writes it, unless the text is already there.
    fn about(
        &mut self,
        problem: Problem,
        column_count: Option<ColumnCount>,
        make: impl FnOnce(&mut Vec<u8>),
    ) -> &mut Text {
        let is_same = |said: &Text| match (said.about, problem) {
            (Some((Problem::Invalid(one), _)), Problem::Invalid(other)) => one.has_message_of(&other),
            (said, _) => said == Some((problem, column_count)),
        };
        let at = self.texts.iter().position(is_same).unwrap_or_else(|| {
            let at = self.oldest;
            self.oldest = (at + 1) % self.texts.len();
            let replaced = &mut self.texts[at];
            replaced.about = Some((problem, column_count));
            replaced.text.clear();
            make(&mut replaced.text);
            (replaced.line, replaced.column) = (0..0, 0..0);
            at
        });
        &mut self.texts[at]
    }
}

impl Encode for Errors {
    fn request(&self) -> Request {
        Request::default()
    }

    fn needs_line_numbers(&self) -> bool {
        true
    }

    fn chunk_size(&self) -> usize {
        64 << 10
    }

    fn chunk_lines(&self) -> usize {
        // A message takes about 100 bytes plus the file's name.
        16 << 10
    }

    fn leaves_out(&self) -> LeftOut {
        LeftOut::Nothing
    }

    fn encode(&self, input: &JudgedChunk<'_>, to: &mut Encoded) -> Result<(), OutOfMemory> {
        let scanned = input.scanned;
        let file = format!("{}{}:", self.styles.place, Shown::new(input.file));
        let mut said = Said::default();
        for finding in input.findings.among(scanned) {
            match finding {
                FindingAt::Problem(ProblemAt::Line(line)) => {
                    let at = ErrorLocation {
                        line: input.first_line + line.line,
                        column: line.column,
                        problem: Problem::Malformed(line.reason),
                        column_count: line.column_count,
                        suggestion: None,
                    };
                    self.write(&file, &at, || input.message(line), &mut said, to)?;
                }
                FindingAt::Suspicious(index, reason) => {
                    let at = ErrorLocation {
                        line: input.first_line + scanned.line_number(index).unwrap_or_default(),
                        column: scanned.start_column(index).unwrap_or_default(),
                        problem: Problem::Suspicious(reason),
                        column_count: None,
                        suggestion: None,
                    };
                    self.write(&file, &at, || Problem::Suspicious(reason).to_string(), &mut said, to)?;
                }
                FindingAt::Problem(ProblemAt::Record(record)) => {
                    let (index, error) = (record.index as usize, record.error);
                    let at = ErrorLocation {
                        line: input.first_line + scanned.line_number(index).unwrap_or_default(),
                        column: scanned.error_column(index, error.offset()).unwrap_or_default(),
                        problem: Problem::Invalid(error),
                        column_count: None,
                        suggestion: if self.suggests { input.suggestion(index, error.kind()) } else { None },
                    };
                    let message = || format!("{error}{}", advice(Problem::Invalid(error)));
                    self.write(&file, &at, message, &mut said, to)?;
                }
            }
        }
        Ok(())
    }
}

impl Errors {
    /// Writes an error, whose line starts with `file`.
    fn write(
        &self,
        file: &str,
        at: &ErrorLocation,
        message: impl FnOnce() -> String,
        said: &mut Said,
        to: &mut Encoded,
    ) -> Result<(), OutOfMemory> {
        let &ErrorLocation { line, column, problem, column_count, ref suggestion } = at;
        if self.kinds.as_ref().is_some_and(|kinds| !kinds.iter().any(|kind| kind == problem.kind())) {
            to.tally.other_kinds += 1;
            return Ok(());
        }
        let text = said.about(problem, column_count, |text| {
            let Styles { place, bad, .. } = self.styles;
            write!(text, "{place:#}: {bad}{}{bad:#}: {}", problem.kind(), message())
                .expect("a Vec takes everything");
        });
        let written = text.at(file, line, column);
        match suggestion {
            None => to.extend_from_slice(written),
            Some(mended) => {
                to.extend_from_slice(&written[..written.len() - 1])?;
                to.extend_from_slice(format!("; try {}\n", Shown::new(mended)).as_bytes())
            }
        }
    }
}
