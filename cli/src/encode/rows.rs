//! Rows of errors, components or offsets.

use std::mem;
use std::ops::Range;

use urivalidate::corpus::{LogColumns, LogFields, ProblemAt, Reading, Repeats, Scanned};
use urivalidate::memory::{OutOfMemory, try_reserve};
use urivalidate::{Columns, InvalidRecord, Request, RowColumn, RowKind};

use super::annotations::{Annotation, Annotations};
#[cfg(feature = "arrow")]
use super::arrow::IpcStream;
#[cfg(feature = "arrow")]
use super::batches::Batches;
use super::cell::{TextForm, Value};
use super::column;
use super::copy::Copier;
use super::copy_plan::CopyPlan;
use super::encoder::{Assemble, Concatenate, Encode, Encoded, JudgedChunk, LeftOut};
use super::forms::with_text_form;
#[cfg(feature = "parquet")]
use super::parquet::ParquetFile;
use super::row::OutputRow;
use crate::args::{self, Args, Verdict};
use crate::findings::FindingAt;

/// Returns the advice on a form that this build lacks.
#[cfg(not(feature = "parquet"))]
fn lacks(form: &str, feature: &str) -> String {
    format!(
        "this build cannot write {form}; from a checkout of urivalidate, build one that can: \
         cargo install --path cli --features {feature}"
    )
}

/// Rows of the records with a verdict, or of all records, in a form of text.
pub(crate) struct TextRows<F> {
    cells: Vec<Cell>,
    log: LogColumns,
    kind: RowKind,
    verdict: Option<Verdict>,
    /// The kinds of errors to write; `None` writes all.
    kinds: Option<Vec<String>>,
    /// The plan for rows of valid records, if it can copy all cells.
    plan: Option<CopyPlan<F>>,
}

/// A column, and the constant text before its cells.
struct Cell {
    column: RowColumn,
    /// The number of the field among those of the line, if the column is one of its fields.
    field: usize,
    /// The text before the cell: a separator, or the key.
    before: String,
}

impl TextRows<()> {
    /// Returns the encoder of rows of errors, components or offsets, with the columns of these names if
    /// `names` is given.
    pub(crate) fn encoder(
        args: &Args,
        reading: &Reading,
        kind: RowKind,
        names: Option<&[String]>,
        verdict: Option<Verdict>,
    ) -> Result<Box<dyn Encode>, String> {
        let (kinds, mut columns) = (args.kind.as_deref(), column::all(kind, reading.validator().grammar()));
        columns.extend((args.suggest && kind == RowKind::Errors).then_some(RowColumn::Suggestion));
        columns.extend(RowColumn::ALSO.iter().filter(|_| verdict == Some(Verdict::Differing)));
        // Record batches have other columns, which `Batches` checks.
        if let Some(names) = names.filter(|_| !args.to.is_binary()) {
            columns = column::pick(&columns, kind, reading.validator().grammar(), names)?;
        }
        with_text_form!(args.to,
            F => Ok(Box::new(TextRows::<F>::new(kind, columns, verdict, kinds))),
            #[cfg(feature = "arrow")]
            args::Form::Arrow => Ok(Box::new(Batches::<IpcStream>::new(args, reading, kind, names, verdict)?)),
            #[cfg(not(feature = "arrow"))]
            args::Form::Arrow => Err(lacks("Arrow", "arrow")),
            #[cfg(feature = "parquet")]
            args::Form::Parquet => {
                Ok(Box::new(Batches::<ParquetFile>::new(args, reading, kind, names, verdict)?))
            },
            #[cfg(not(feature = "parquet"))]
            args::Form::Parquet => Err(lacks("Parquet", "parquet")),
            args::Form::Github => Ok(Box::new(Annotations::new(Annotation::Github, args))),
            args::Form::Sarif => Ok(Box::new(Annotations::new(Annotation::Sarif, args))),
        )
    }
}

impl<F: TextForm> TextRows<F> {
    fn new(
        kind: RowKind,
        mut columns: Vec<RowColumn>,
        verdict: Option<Verdict>,
        kinds: Option<&[String]>,
    ) -> Self {
        let kinds = kinds.map(<[String]>::to_vec);
        let error = columns.iter().position(|&column| column == RowColumn::Error);
        if let Some(at) = error.filter(|_| !F::HAS_OBJECTS) {
            columns.splice(at..=at, RowColumn::ERROR_PARTS);
        }
        let plan = CopyPlan::new(&columns, kind == RowKind::Offsets);
        let mut fields = 0;
        let cell = |(i, &column): (usize, &RowColumn)| {
            let field = fields;
            fields += usize::from(column.log_field().is_some());
            Cell { column, field, before: F::before(column.name(), i == 0) }
        };
        let cells = columns.iter().enumerate().map(cell).collect();
        TextRows { cells, log: LogColumns::among(columns.iter().copied()), kind, verdict, kinds, plan }
    }

    /// Writes one row of any record or line.
    fn write(&self, out: &mut Vec<u8>, row: &OutputRow<'_>, fields: Option<&LogFields<'_>>) {
        for cell in &self.cells {
            out.extend_from_slice(cell.before.as_bytes());
            self.value(cell, row, fields).write::<F>(out);
        }
        out.extend_from_slice(F::END.as_bytes());
    }

    /// Returns an upper bound of the bytes of the row.
    fn room(&self, row: &OutputRow<'_>, fields: Option<&LogFields<'_>>) -> usize {
        let value = |cell: &Cell| cell.before.len() + self.value(cell, row, fields).room::<F>();
        self.cells.iter().map(value).sum::<usize>() + F::END.len()
    }

    fn value<'v>(&self, cell: &Cell, row: &OutputRow<'v>, fields: Option<&'v LogFields<'_>>) -> Value<'v> {
        match fields {
            Some(fields) if column::is_of_line(cell.column) => {
                Value::of_line(fields, cell.column, cell.field)
            }
            _ => row.value(cell.column, self.kind == RowKind::Offsets),
        }
    }

    /// Returns what finds the columns of the lines of a chunk, if rows have such columns.
    fn fields<'a>(&'a self, scanned: &Scanned<'a>) -> Option<LogFields<'a>> {
        (!self.log.is_empty()).then(|| LogFields::new(scanned, &self.log))
    }

    /// Appends one row to the output of a chunk.
    fn append(
        &self,
        row: &OutputRow<'_>,
        is_long: bool,
        fields: &mut Option<LogFields<'_>>,
        to: &mut Encoded,
    ) -> Result<(), OutOfMemory> {
        let is_wanted = |kinds: &Vec<String>| {
            row.error_kind().is_none_or(|kind| kinds.iter().any(|wanted| wanted == kind))
        };
        if !self.kinds.as_ref().is_none_or(is_wanted) {
            to.tally.other_kinds += 1;
            return Ok(());
        }
        if let Some(fields) = fields {
            row.find_fields(fields)?;
        }
        let fields = fields.as_ref();
        if is_long {
            return to.extend_with(|bytes| {
                try_reserve(bytes, self.room(row, fields))?;
                self.write(bytes, row, fields);
                Ok(())
            });
        }
        let mut bytes = mem::take(&mut to.row);
        bytes.clear();
        self.write(&mut bytes, row, fields);
        to.extend_from_slice(&bytes)?;
        to.row = bytes;
        Ok(())
    }

    fn has_valid(&self) -> bool {
        self.verdict != Some(Verdict::Invalid)
    }

    fn has_invalid(&self) -> bool {
        self.verdict != Some(Verdict::Valid)
    }

    /// Returns true if lines that do not fit their format have rows.
    fn has_malformed(&self) -> bool {
        self.kind == RowKind::Errors || self.cells.iter().any(|cell| cell.column == RowColumn::Malformed)
    }

    /// Appends the rows of adjacent records. `invalid` starts with the first invalid one of them, and then
    /// with the first one after them.
    fn append_records(
        &self,
        input: &JudgedChunk<'_>,
        mut copier: Option<&mut Copier<'_, F>>,
        records: Range<usize>,
        invalid: &mut &[InvalidRecord],
        fields: &mut Option<LogFields<'_>>,
        to: &mut Encoded,
    ) -> Result<(), OutOfMemory> {
        let is_long = input.scanned.chunk().is_long();
        let mut next = records.start;
        while let Some((record, rest)) =
            invalid.split_first().filter(|(at, _)| records.contains(&(at.index as usize)))
        {
            let index = record.index as usize;
            if self.has_valid() {
                self.append_valid(input, copier.as_deref_mut(), next..index, fields, to)?;
                next = index + 1;
            }
            if self.has_invalid() {
                self.append(&OutputRow::new(input, index, Err(record.error)), is_long, fields, to)?;
            }
            *invalid = rest;
        }
        if self.has_valid() {
            self.append_valid(input, copier, next..records.end, fields, to)?;
        }
        Ok(())
    }

    /// Appends the rows of adjacent valid records.
    fn append_valid(
        &self,
        input: &JudgedChunk<'_>,
        copier: Option<&mut Copier<'_, F>>,
        mut records: Range<usize>,
        fields: &mut Option<LogFields<'_>>,
        to: &mut Encoded,
    ) -> Result<(), OutOfMemory> {
        let mut copier = copier;
        let is_long = input.scanned.chunk().is_long();
        while !records.is_empty() {
            if let Some(copier) = &mut copier {
                records.start = copier.append(records.clone(), to)?;
            }
            // The copier stops at a record with bytes to escape.
            if let Some(index) = records.next() {
                let row = OutputRow::new(input, index, input.components(index));
                self.append(&row, is_long, fields, to)?;
            }
        }
        Ok(())
    }
}

impl<F: TextForm> Encode for TextRows<F> {
    fn request(&self) -> Request {
        let columns = match self.verdict {
            Some(Verdict::Invalid) => Columns::NONE,
            _ => self.plan.as_ref().map_or(Columns::ALL, CopyPlan::columns),
        };
        columns.into()
    }

    fn needs_line_numbers(&self) -> bool {
        self.cells.iter().any(|cell| cell.column == RowColumn::Line)
    }

    fn log_columns(&self) -> LogColumns {
        self.log.clone()
    }

    fn chunk_size(&self) -> usize {
        128 << 10
    }

    fn chunk_lines(&self) -> usize {
        /// The most bytes that the rows of a chunk of empty records have.
        const MOST: usize = 4 << 20;

        let row: usize = self.cells.iter().map(|cell| cell.before.len() + 8).sum();
        (MOST / row.max(1)).max(1)
    }

    fn repeats(&self) -> Repeats {
        Repeats::among(self.cells.iter().map(|cell| cell.column))
    }

    fn leaves_out(&self) -> LeftOut {
        LeftOut::by_rows(self.has_malformed(), self.verdict)
    }

    fn encode(&self, input: &JudgedChunk<'_>, to: &mut Encoded) -> Result<(), OutOfMemory> {
        let scanned = input.scanned;
        let is_long = scanned.chunk().is_long();
        if self.cells.iter().any(|cell| cell.column.is_derived() || column::is_of_line(cell.column)) {
            input.ask_for_made()?;
        }
        let fields = &mut self.fields(scanned);
        if self.kind == RowKind::Errors {
            return input.findings.among(scanned).try_for_each(|finding| {
                let row = match finding {
                    FindingAt::Problem(ProblemAt::Record(record)) => {
                        OutputRow::new(input, record.index as usize, Err(record.error))
                    }
                    FindingAt::Problem(ProblemAt::Line(line)) => OutputRow::malformed(input, line),
                    FindingAt::Suspicious(index, reason) => OutputRow::suspicious(input, index, reason),
                };
                self.append(&row, is_long, fields, to)
            });
        }
        if self.verdict == Some(Verdict::Differing) {
            return scanned.differing().try_for_each(|index| {
                self.append(&OutputRow::new(input, index, input.components(index)), is_long, fields, to)
            });
        }
        let plan = self.plan.as_ref().filter(|_| self.has_valid() && !is_long);
        let mut copier = plan.map(|plan| plan.copier(input));
        let mut invalid = scanned.batch().invalid();
        let mut next = 0;
        let malformed = if self.has_malformed() && self.has_invalid() { scanned.malformed() } else { &[] };
        for line in malformed {
            let end = scanned.records_before(line);
            self.append_records(input, copier.as_mut(), next..end, &mut invalid, fields, to)?;
            self.append(&OutputRow::malformed(input, line), is_long, fields, to)?;
            next = end;
        }
        self.append_records(input, copier.as_mut(), next..scanned.len(), &mut invalid, fields, to)
    }

    fn assemble(&self) -> Box<dyn Assemble> {
        let names: Vec<_> = self.cells.iter().map(|cell| cell.column.name()).collect();
        Box::new(Concatenate { header: F::header(&names).into_bytes() })
    }
}
