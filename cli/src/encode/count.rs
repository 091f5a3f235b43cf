//! The number of records with each value of a column: what `sort | uniq -c | sort -rn` makes of it, in one
//! pass.
//!
//! The counts are exact, and so each different value is kept until the end.

use std::collections::{HashMap, TryReserveError};
use std::io::Write as _;
use std::marker::PhantomData;

use urivalidate::tools::work::looked_at;
use urivalidate::{Columns, Grammar, RowColumn};

use super::cell::{TextForm, Value};
use super::column;
use super::encoder::{Assemble, Encode, Encoded, JudgedChunk, Write};
use super::forms::with_text_form;
use super::row::OutputRow;
use super::tsv::Tsv;
use crate::args::{self, Args, Verdict};
use crate::output::Failure;

/// Counts the values of a column. A record without the column counts nothing.
pub(crate) struct Count<F> {
    column: RowColumn,
    /// The records that count; `None` counts all.
    verdict: Option<Verdict>,
    /// The number of values to write; `None` writes all.
    top: Option<u64>,
    form: PhantomData<F>,
}

/// The number of records with each value.
type Counts = HashMap<Vec<u8>, u64>;

impl Count<()> {
    pub(crate) fn encoder(name: &str, args: &Args, grammar: Grammar) -> Result<Box<dyn Encode>, String> {
        let column = column::countable(name, grammar)?;
        let (verdict, top) = (args.only, args.top);
        with_text_form!(args.to,
            F => Ok(Box::new(Count { column, verdict, top, form: PhantomData::<F> })),
            args::Form::Arrow | args::Form::Parquet => {
                Err("--count writes text, csv, tsv or jsonl".to_owned())
            },
        )
    }
}

impl<F: TextForm> Encode for Count<F> {
    fn columns(&self) -> Columns {
        Columns::ALL
    }

    fn encode(&self, input: &JudgedChunk<'_>, to: &mut Encoded) -> Result<(), TryReserveError> {
        let scanned = input.scanned;
        let mut counts = Counts::new();
        let mut text = Vec::new();
        let folds_case = column::ignores_case(self.column);
        let mut count = |row: &OutputRow<'_>| {
            let value: &[u8] = match row.value(self.column, false) {
                Value::Absent => return,
                // The same whatever their case, as everywhere where hosts and schemes are counted.
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
                        // A number or a name, unchanged.
                        value => value.write::<Tsv>(&mut text),
                    }
                    &text
                }
            };
            looked_at(value.len() + 1);
            match counts.get_mut(value) {
                Some(count) => *count += 1,
                None => drop(counts.insert(value.to_vec(), 1)),
            }
        };
        let row = |index| OutputRow::new(input, index, input.components(index));
        let has = |verdict: Verdict| self.verdict.is_none_or(|wanted| wanted == verdict);
        if self.verdict == Some(Verdict::Differing) {
            scanned.differing().for_each(|index| count(&row(index)));
        } else {
            let is_wanted = |row: &OutputRow<'_>| has(Verdict::of(row.error_kind().is_none()));
            (0..scanned.len()).map(row).filter(is_wanted).for_each(|row| count(&row));
        }
        if column::is_of_problem(self.column) && has(Verdict::Invalid) {
            scanned.malformed().iter().for_each(|line| count(&OutputRow::malformed(input, line)));
        }
        let bytes = counts.keys().map(|value| value.capacity() + size_of::<(Vec<u8>, u64)>()).sum();
        to.set_value(counts, bytes);
        Ok(())
    }

    fn assemble(&self) -> Box<dyn Assemble> {
        Box::new(Total::<F> { column: self.column, top: self.top, counts: Counts::new(), form: PhantomData })
    }
}

/// The counts of all chunks so far.
struct Total<F> {
    column: RowColumn,
    top: Option<u64>,
    counts: Counts,
    form: PhantomData<F>,
}

impl<F: TextForm> Assemble for Total<F> {
    fn begin(&mut self, write: Write<'_>) -> Result<(), Failure> {
        write(F::header(&["count", self.column.name()]).as_bytes())
    }

    fn append(&mut self, encoded: &Encoded, _: Write<'_>) -> Result<(), Failure> {
        let counts = encoded.value::<Counts>();
        for (value, count) in counts.into_iter().flatten() {
            looked_at(value.len() + 1);
            match self.counts.get_mut(value) {
                Some(total) => *total += count,
                None => drop(self.counts.insert(value.clone(), *count)),
            }
        }
        Ok(())
    }

    /// The most frequent ones first, and among equally frequent ones by their bytes.
    fn finish(&mut self, write: Write<'_>) -> Result<(), Failure> {
        let mut counts: Vec<_> = self.counts.drain().collect();
        counts.sort_unstable_by(|(one, count), (other, other_count)| {
            other_count.cmp(count).then(one.cmp(other))
        });
        counts.truncate(self.top.map_or(usize::MAX, |top| top as usize));
        let mut rows = Vec::new();
        for (value, count) in &counts {
            write!(rows, "{}{count}", F::before("count", true)).expect("a Vec takes everything");
            rows.extend_from_slice(F::before(self.column.name(), false).as_bytes());
            F::text(&mut rows, value);
            rows.extend_from_slice(F::END.as_bytes());
            if rows.len() >= 64 << 10 {
                write(&rows)?;
                rows.clear();
            }
        }
        write(&rows)
    }
}
