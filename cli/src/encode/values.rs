//! The values of a column, in the form for counting.

use std::io::Write as _;

use urivalidate::corpus::{LogColumns, LogFields};
use urivalidate::stats::ValueParts;
use urivalidate::work::looked_at;
use urivalidate::{Columns, Component, Deriver, Found, Grammar, RowColumn};

use super::cell::Value;
use super::column;
use super::encoder::JudgedChunk;
use super::row::OutputRow;
use super::tally::Tally;
use super::tsv::Tsv;
use crate::args::Verdict;

/// The byte between a character and the component in which it is.
pub(super) const COMPONENT: u8 = 0;

/// Returns the value for a character that is forbidden in this component.
fn in_component(character: Found, component: Option<Component>) -> Vec<u8> {
    let mut value = character.to_text().into_bytes();
    value.push(COMPONENT);
    value.extend_from_slice(component.map_or("", Component::name).as_bytes());
    value
}

/// The values of a column. Equivalent values have the same bytes.
#[derive(Clone, Copy)]
pub(crate) struct ColumnValues {
    column: RowColumn,
    /// The verdict of the records whose values count; `None` counts all records.
    verdict: Option<Verdict>,
    /// Whether `character` has a value for each character that the grammar forbids in a record, with the
    /// component after [`COMPONENT`], instead of the first character.
    is_of_all: bool,
}

impl ColumnValues {
    /// Returns the values of a column for valid records.
    pub(crate) fn of_valid(column: RowColumn) -> Self {
        ColumnValues { column, verdict: Some(Verdict::Valid), is_of_all: false }
    }

    /// Returns the values of the column of this name.
    pub(crate) fn of(name: &str, grammar: Grammar) -> Result<Self, String> {
        Ok(ColumnValues { column: column::countable(name, grammar)?, verdict: None, is_of_all: false })
    }

    /// Restricts the values to records with this verdict.
    pub(crate) fn only(self, verdict: Option<Verdict>) -> Self {
        ColumnValues { verdict, ..self }
    }

    /// Makes values of all characters that the grammar forbids in a record, if the column is `character`.
    pub(super) fn of_all_characters(self) -> Self {
        ColumnValues { is_of_all: self.column == RowColumn::Character, ..self }
    }

    pub(crate) fn column(self) -> RowColumn {
        self.column
    }

    /// Returns the columns that a scan must fill.
    pub(crate) fn columns(self) -> Columns {
        if self.column.is_derived() { Deriver::columns(self.column) } else { Columns::ALL }
    }

    pub(super) fn verdict(self) -> Option<Verdict> {
        self.verdict
    }

    /// Passes to `take` the value of each record that has one and, if the column describes errors, of each
    /// line that does not fit its format. Each value is in two parts. Many values may have the same first
    /// part; it is empty for most columns. Returns the numbers of records with and without a value.
    ///
    /// # Errors
    ///
    /// Returns the first error of `take`.
    pub(crate) fn each<E>(
        self,
        input: &JudgedChunk<'_>,
        mut take: impl FnMut(ValueParts<'_>) -> Result<(), E>,
    ) -> Result<Tally, E> {
        let ColumnValues { column, verdict, is_of_all } = self;
        let scanned = input.scanned;
        if column.is_derived() {
            return self.each_derived(input, take);
        }
        let mut text = Vec::new();
        let folds_case = column::ignores_case(column);
        let mut tally = Tally::default();
        let is_of_valid = column::is_of_valid(column);
        // In these columns only records that have a problem are expected to have a value.
        let is_partial = column::is_of_lines(column) || RowColumn::ALSO.contains(&column);
        let is_of_problem = column::is_of_problem(column);
        let log = LogColumns::among([column]);
        let mut fields = (!log.is_empty()).then(|| LogFields::new(scanned, &log));
        let mut take_value = |row: &OutputRow<'_>| {
            if let Some(fields) = &mut fields {
                // The caller has asked for the memory.
                let found = row.find_fields(fields).ok().and_then(|()| fields.text(0));
                match found {
                    Some(value) => {
                        looked_at(value.len() + 1);
                        tally.written += 1;
                        take([b"", value])?;
                    }
                    None => tally.absent += 1,
                }
                return Ok(());
            }
            if column == RowColumn::QueryName {
                let mut has_names = false;
                row.query_names(|name| {
                    has_names = true;
                    looked_at(name.len() + 1);
                    take([b"", name])
                })?;
                match row.error_kind() {
                    Some(_) => tally.invalid += 1,
                    None if has_names => tally.written += 1,
                    None => tally.absent += 1,
                }
                return Ok(());
            }
            let value: &[u8] = match row.value(column, false) {
                Value::Absent => {
                    match row.error_kind() {
                        Some(_) if is_of_valid => tally.invalid += 1,
                        None if is_of_problem => {}
                        _ if is_partial => {}
                        _ => tally.absent += 1,
                    }
                    return Ok(());
                }
                // Values that differ in letter case only count as one, as in all counts of hosts and schemes.
                Value::Text(value) if folds_case => {
                    text.clear();
                    text.extend(value.iter().map(u8::to_ascii_lowercase));
                    &text
                }
                Value::Text(value) => value,
                Value::Made(_) if is_of_all => {
                    tally.written += 1;
                    return row.forbidden_characters().into_iter().try_for_each(|(character, component)| {
                        let value = in_component(character, component);
                        looked_at(value.len() + 1);
                        take([b"", &value])
                    });
                }
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
            tally.written += 1;
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
        if is_of_problem && has(Verdict::Invalid) {
            let mut lines = scanned.malformed().iter();
            lines.try_for_each(|line| take_value(&OutputRow::malformed(input, line)))?;
        }
        Ok(tally)
    }

    /// Does the work of [`each`](Self::each) for a derived column, whose values are made for all records at
    /// once. Values of `resolved` begin with their bases.
    fn each_derived<E>(
        self,
        input: &JudgedChunk<'_>,
        mut take: impl FnMut(ValueParts<'_>) -> Result<(), E>,
    ) -> Result<Tally, E> {
        let mut tally = Tally::default();
        let Some(deriver) = input.deriver.filter(|_| self.verdict != Some(Verdict::Invalid)) else {
            return Ok(tally);
        };
        let (scanned, batch) = (input.scanned, input.scanned.batch());
        let mut differing = scanned.differing().peekable();
        let take_value = |index: usize, value: Option<ValueParts<'_>>| {
            let is_valid = value.is_some() || batch.is_valid(index);
            let is_wanted = match self.verdict {
                None => true,
                Some(Verdict::Differing) => differing.next_if_eq(&index).is_some(),
                Some(verdict) => verdict == Verdict::of(is_valid),
            };
            match value {
                _ if !is_wanted => {}
                Some(value) => {
                    looked_at(value[1].len() + 1);
                    tally.written += 1;
                    return take(value);
                }
                None if is_valid => tally.absent += 1,
                None => tally.invalid += 1,
            }
            Ok(())
        };
        let made = if self.column == RowColumn::Resolved {
            deriver.resolve_in_parts(batch, scanned.values(), |index| scanned.page(index), take_value)
        } else {
            let mut take_value = take_value;
            let take_whole =
                |index, value: Option<&[u8]>| take_value(index, value.map(|value| [&b""[..], value]));
            deriver.derive_batch(
                self.column,
                batch,
                scanned.values(),
                |index| scanned.page(index),
                take_whole,
            )
        };
        made.expect("the scan filled these columns")?;
        Ok(tally)
    }
}
