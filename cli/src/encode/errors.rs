//! Errors for people: `FILE:LINE:COLUMN: KIND: MESSAGE`.
//!
//! Workers do not know the numbers of lines in the file, which would cost a look at all bytes of a list that may have no
//! error at all. So they leave gaps.

use std::collections::TryReserveError;
use std::io::Write;

use urivalidate::Columns;

use super::{Encode, Encoded, Gap, Input};
use crate::problem::Problem;
use crate::shown::Shown;
use crate::style::Styles;

/// How errors are written.
pub(crate) struct Errors {
    pub(crate) styles: Styles,
    /// Those that are written, if not all are.
    pub(crate) kinds: Option<Vec<String>>,
}

/// What is wrong with a line.
struct ErrorLocation {
    /// 0-based in the chunk.
    line: u64,
    /// The offending byte, 1-based in the line.
    column: u64,
    problem: Problem,
}

impl Encode for Errors {
    fn columns(&self) -> Columns {
        Columns::NONE
    }

    fn needs_line_numbers(&self) -> bool {
        false
    }

    fn chunk_size(&self) -> usize {
        64 << 10
    }

    fn encode(&self, input: &Input<'_>, to: &mut Encoded) -> Result<(), TryReserveError> {
        let (scanned, file) = (input.scanned, Shown::new(input.file).to_string());
        let mut malformed = scanned.malformed().iter().peekable();
        let malformed_location = |line: &urivalidate::corpus::MalformedLine| ErrorLocation {
            line: line.line,
            column: 1,
            problem: Problem::Malformed(line.reason),
        };
        for record in scanned.batch().invalid() {
            let index = record.index as usize;
            let line = scanned.line_number(index);
            while let Some(before) = malformed.next_if(|malformed| malformed.line < line) {
                self.write(&file, &malformed_location(before), to);
            }
            let column = scanned.error_column(index, record.error.offset());
            self.write(&file, &ErrorLocation { line, column, problem: Problem::Invalid(record.error) }, to);
        }
        malformed.for_each(|line| self.write(&file, &malformed_location(line), to));
        Ok(())
    }
}

impl Errors {
    fn write(&self, file: &str, at: &ErrorLocation, to: &mut Encoded) {
        let Styles { place, bad, .. } = self.styles;
        let &ErrorLocation { line, column, problem } = at;
        if self.kinds.as_ref().is_some_and(|kinds| !kinds.iter().any(|kind| kind == problem.kind())) {
            return;
        }
        let gap = to.extend_with(|bytes| {
            write!(bytes, "{place}{file}:").expect("a Vec takes everything");
            let gap = bytes.len();
            writeln!(bytes, ":{column}{place:#}: {bad}{}{bad:#}: {problem}", problem.kind())
                .expect("a Vec takes everything");
            gap
        });
        to.gaps.push(Gap { at: gap, line });
    }
}
