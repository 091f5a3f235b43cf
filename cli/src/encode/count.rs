//! The number of records with each value of a column: the result of `sort | uniq -c | sort -rn`, in one pass.
//!
//! The counts are exact, so memory holds each distinct value until the end.

use std::collections::{HashMap, TryReserveError};
use std::io::{IoSlice, Write as _};
use std::marker::PhantomData;

use urivalidate::tools::Repeats;
use urivalidate::tools::work::looked_at;
use urivalidate::{CellType, Columns, Grammar, RowColumn};

use super::cell::TextForm;
use super::column;
use super::encoder::{Assemble, Encode, Encoded, JudgedChunk, LeftOut, Write};
use super::forms::with_text_form;
use super::values::Values;
use crate::args::{self, Args};
use crate::output::Failure;

/// Counts the values of a column. A record without a value there is not counted.
pub(crate) struct Count<F> {
    values: Values,
    /// The number of values to write; `None` writes all.
    top: Option<u64>,
    form: PhantomData<F>,
}

/// The number of records with each value.
type Counts = HashMap<Vec<u8>, u64>;

impl Count<()> {
    pub(crate) fn encoder(name: &str, args: &Args, grammar: Grammar) -> Result<Box<dyn Encode>, String> {
        let values = Values::of(name, grammar)?.only(args.only);
        let top = args.top;
        with_text_form!(args.to,
            F => Ok(Box::new(Count { values, top, form: PhantomData::<F> })),
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

    fn repeats(&self) -> Repeats {
        Repeats::among([self.values.column()])
    }

    fn leaves_out(&self) -> LeftOut {
        if column::is_of_problem(self.values.column()) { LeftOut::Nothing } else { LeftOut::Others }
    }

    fn encode(&self, input: &JudgedChunk<'_>, to: &mut Encoded) -> Result<(), TryReserveError> {
        let mut counts = Counts::new();
        self.values.each(input, |value| match counts.get_mut(value) {
            Some(count) => *count += 1,
            None => drop(counts.insert(value.to_vec(), 1)),
        });
        let bytes = counts.keys().map(|value| value.capacity() + size_of::<(Vec<u8>, u64)>()).sum();
        to.set_value(counts, bytes);
        Ok(())
    }

    fn assemble(&self) -> Box<dyn Assemble> {
        Box::new(Total::<F> {
            column: self.values.column(),
            top: self.top,
            counts: Counts::new(),
            form: PhantomData,
        })
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
        write(&mut [IoSlice::new(F::header(&["count", self.column.name()]).as_bytes())])
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

    /// Writes the most frequent values first, and equally frequent ones in the order of their bytes.
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
            match self.column.cell_type() {
                CellType::Number | CellType::Offset | CellType::Bool => rows.extend_from_slice(value),
                _ => F::text(&mut rows, value),
            }
            rows.extend_from_slice(F::END.as_bytes());
            if rows.len() >= 64 << 10 {
                write(&mut [IoSlice::new(&rows)])?;
                rows.clear();
            }
        }
        write(&mut [IoSlice::new(&rows)])
    }
}
