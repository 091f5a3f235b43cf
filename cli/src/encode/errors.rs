//! Errors for people: `FILE:LINE:COLUMN: KIND: MESSAGE`.

use std::io::Write;
use std::ops::Range;
use urivalidate::memory::OutOfMemory;

use urivalidate::Request;
use urivalidate::corpus::ColumnCount;
use urivalidate::stats::Problem;

use super::encoder::{Encode, Encoded, JudgedChunk, LeftOut};
use super::tally::Tally;
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
        let file = format!("{}{}:", self.styles.place, Shown::new(input.file));
        let mut said = Said::default();
        let mut tally = Tally::default();
        for found in input.located(self.kinds.as_deref(), &mut tally) {
            let text = said.about(found.problem, found.column_count(), |text| {
                let Styles { place, bad, .. } = self.styles;
                let (kind, message) = (found.problem.kind(), input.message_about(&found));
                write!(text, "{place:#}: {bad}{kind}{bad:#}: {message}").expect("a Vec takes everything");
            });
            let written = text.at(&file, found.line, found.column);
            match if self.suggests { input.suggestion_for(&found) } else { None } {
                None => to.extend_from_slice(written)?,
                Some(mended) => {
                    to.extend_from_slice(&written[..written.len() - 1])?;
                    to.extend_from_slice(format!("; try {}\n", Shown::new(&mended)).as_bytes())?;
                }
            }
        }
        to.tally += tally;
        Ok(())
    }
}
