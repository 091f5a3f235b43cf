//! The values of a column, in the form for counting.

use std::io::Write as _;

use urivalidate::tools::work::looked_at;
use urivalidate::tools::{ValueParts, resolve_in_parts};
use urivalidate::{Grammar, RowColumn};

use super::cell::Value;
use super::column;
use super::encoder::JudgedChunk;
use super::row::OutputRow;
use super::tsv::Tsv;
use crate::args::Verdict;

/// The values of a column. Equivalent values have the same bytes.
#[derive(Clone, Copy)]
pub(crate) struct Values {
    column: RowColumn,
    /// The verdict of the records whose values count; `None` counts all records.
    verdict: Option<Verdict>,
}

impl Values {
    /// Returns the values of the column of this name.
    pub(crate) fn of(name: &str, grammar: Grammar) -> Result<Self, String> {
        Ok(Values { column: column::countable(name, grammar)?, verdict: None })
    }

    /// Restricts the values to records with this verdict.
    pub(crate) fn only(self, verdict: Option<Verdict>) -> Self {
        Values { verdict, ..self }
    }

    pub(crate) fn column(self) -> RowColumn {
        self.column
    }

    /// Passes to `take` the value of each record that has one and, if the column describes errors, of each line that does not fit its format. Each
    /// value is in two parts. Many values may have the same first part; it is empty for most columns.
    ///
    /// # Errors
    ///
    /// Returns the first error of `take`.
    pub(crate) fn each<E>(
        self,
        input: &JudgedChunk<'_>,
        mut take: impl FnMut(ValueParts<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let Values { column, verdict } = self;
        let scanned = input.scanned;
        if column == RowColumn::Resolved {
            return self.each_resolved(input, take);
        }
        let mut text = Vec::new();
        let folds_case = column::ignores_case(column);
        let mut take_value = |row: &OutputRow<'_>| {
            let value: &[u8] = match row.value(column, false) {
                Value::Absent => return Ok(()),
                // Values that differ in letter case only count as one, as in all counts of hosts and schemes.
                Value::Text(value) if folds_case => {
                    text.clear();
                    text.extend(value.iter().map(u8::to_ascii_lowercase));
                    &text
                }
                Value::Text(value) => value,
                value => {
                    text.clear();
                    match value {
                        Value::Message(problem) => {
                            write!(text, "{problem}").expect("a Vec takes everything");
                        }
                        Value::Made(value) => text = value,
                        // A number or a name is written unchanged.
                        value => value.write::<Tsv>(&mut text),
                    }
                    &text
                }
            };
            looked_at(value.len() + 1);
            take([b"", value])
        };
        let row = |index| OutputRow::new(input, index, input.components(index));
        let has = |one: Verdict| verdict.is_none_or(|wanted| wanted == one);
        if verdict == Some(Verdict::Differing) {
            scanned.differing().try_for_each(|index| take_value(&row(index)))?;
        } else {
            let is_wanted = |row: &OutputRow<'_>| has(Verdict::of(row.error_kind().is_none()));
            (0..scanned.len()).map(row).filter(is_wanted).try_for_each(|row| take_value(&row))?;
        }
        if column::is_of_problem(column) && has(Verdict::Invalid) {
            let mut lines = scanned.malformed().iter();
            lines.try_for_each(|line| take_value(&OutputRow::malformed(input, line)))?;
        }
        Ok(())
    }

    /// Does the work of [`each`](Self::each) for the column `resolved`, whose values begin with their bases. Only valid records have a value.
    fn each_resolved<E>(
        self,
        input: &JudgedChunk<'_>,
        mut take: impl FnMut(ValueParts<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(deriver) = input.deriver.filter(|_| self.verdict != Some(Verdict::Invalid)) else {
            return Ok(());
        };
        let is_some = self.verdict == Some(Verdict::Differing);
        let mut differing = input.scanned.differing().peekable();
        resolve_in_parts(&deriver, input.scanned, |index, value| {
            let differs = differing.next_if_eq(&index).is_some();
            match value {
                Some(value) if differs || !is_some => take(value),
                _ => Ok(()),
            }
        })
        .expect("the scan filled all columns")
    }
}
