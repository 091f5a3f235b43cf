//! The number of records with each value of a column: the result of `sort | uniq -c | sort -rn`, in one pass.
//!
//! The counts are exact, so memory holds each distinct value until the end. It holds a base that many values
//! begin with only once. Of a record, each character that the grammar forbids counts, and beside it stands the
//! component in which it is.

use std::io::{self, ErrorKind, IoSlice, Write as _};
use std::marker::PhantomData;

use urivalidate::corpus::LogColumns;
use urivalidate::memory::{OutOfMemory, try_reserve};
use urivalidate::stats::{ValueMap, compare_values};
use urivalidate::work::memrchr;
use urivalidate::{CellType, Grammar, Request, RowColumn};

use super::cell::{TextForm, Value};
use super::column;
use super::encoder::{Assemble, Encode, Encoded, JudgedChunk, LeftOut, Made, Write};
use super::forms::with_text_form;
use super::values::{COMPONENT, ColumnValues};
use crate::args::{self, Args};
use crate::output::Failure;

/// Counts the values of a column. A record without a value there is not counted.
pub(crate) struct Count<F> {
    values: ColumnValues,
    /// The number of values to write; `None` writes all.
    top: Option<u64>,
    form: PhantomData<F>,
}

/// The number of records with each value.
type Counts = ValueMap<u64>;

impl Count<()> {
    pub(crate) fn encoder(name: &str, args: &Args, grammar: Grammar) -> Result<Box<dyn Encode>, String> {
        let values = ColumnValues::of(name, grammar)?.only(args.only).of_all_characters();
        let top = args.top;
        with_text_form!(args.to,
            F => Ok(Box::new(Count { values, top, form: PhantomData::<F> })),
            args::Form::Arrow | args::Form::Parquet | args::Form::Github | args::Form::Sarif => {
                Err("--count writes text, csv, tsv or jsonl".to_owned())
            },
        )
    }
}

impl<F: TextForm> Encode for Count<F> {
    fn request(&self) -> Request {
        self.values.columns().into()
    }

    fn log_columns(&self) -> LogColumns {
        LogColumns::among([self.values.column()])
    }

    fn column(&self) -> Option<RowColumn> {
        Some(self.values.column())
    }

    fn leaves_out(&self) -> LeftOut {
        match self.values.verdict() {
            _ if column::is_of_problem(self.values.column()) => LeftOut::Nothing,
            Some(_) => LeftOut::Others,
            None => LeftOut::Misfits,
        }
    }

    fn encode(&self, input: &JudgedChunk<'_>, to: &mut Encoded) -> Result<(), OutOfMemory> {
        input.ask_for_made()?;
        let mut counts = Counts::new();
        to.tally = self.values.each(input, |value| counts.add(value, 1, |count| *count += 1).map(drop))?;
        let bytes = counts.bytes();
        to.set_made(Made::Counts(counts), bytes);
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
        let mut names = vec!["count", self.column.name()];
        names.extend((self.column == RowColumn::Character).then_some(RowColumn::ErrorComponent.name()));
        write(&mut [IoSlice::new(F::header(&names).as_bytes())])
    }

    fn append(&mut self, encoded: &Encoded, _: Write<'_>) -> Result<(), Failure> {
        let Made::Counts(counts) = encoded.made() else { return Ok(()) };
        for (value, count) in counts.iter() {
            self.counts.add(value, *count, |total| *total += count).map_err(out_of_memory)?;
        }
        Ok(())
    }

    /// Writes the most frequent values first, and equally frequent ones in the order of their bytes.
    fn finish(&mut self, write: Write<'_>) -> Result<(), Failure> {
        /// The most bytes of a byte in a form of output: \u0000.
        const ESCAPED: usize = 6;
        /// The most bytes of a row besides the value.
        const REST: usize = 256;

        let mut counts = Vec::new();
        try_reserve(&mut counts, self.counts.len()).map_err(out_of_memory)?;
        counts.extend(self.counts.iter());
        counts.sort_unstable_by(|(one, count), (other, other_count)| {
            other_count.cmp(count).then_with(|| compare_values(*one, *other))
        });
        counts.truncate(self.top.map_or(usize::MAX, |top| top as usize));
        let mut text = Vec::new();
        let mut rows = Vec::new();
        for ([stem, rest], count) in counts {
            text.clear();
            try_reserve(&mut text, stem.len() + rest.len()).map_err(out_of_memory)?;
            text.extend_from_slice(stem);
            text.extend_from_slice(rest);
            try_reserve(&mut rows, text.len().saturating_mul(ESCAPED) + REST).map_err(out_of_memory)?;
            write!(rows, "{}{count}", F::before("count", true)).expect("a Vec takes everything");
            rows.extend_from_slice(F::before(self.column.name(), false).as_bytes());
            let (value, component) = match memrchr(COMPONENT, &text) {
                Some(at) if self.column == RowColumn::Character => (&text[..at], Some(&text[at + 1..])),
                _ => (&text[..], None),
            };
            match self.column.cell_type() {
                CellType::Number | CellType::Offset | CellType::Bool => rows.extend_from_slice(value),
                _ => F::text(&mut rows, value),
            }
            if let Some(component) = component {
                rows.extend_from_slice(F::before(RowColumn::ErrorComponent.name(), false).as_bytes());
                let component = if component.is_empty() { Value::Absent } else { Value::Text(component) };
                component.write::<F>(&mut rows);
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

/// Returns the failure of a run whose values do not fit into memory.
fn out_of_memory(_: OutOfMemory) -> Failure {
    Failure::Output(b"--count".to_vec(), io::Error::from(ErrorKind::OutOfMemory))
}
