//! Rows of scanned chunks as record batches: a row for each record, or for each error.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, StringBuilder};
use arrow_array::{
    ArrayRef, BooleanArray, Int64Array, RecordBatch, RecordBatchOptions, StringArray, new_null_array,
};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use arrow_select::filter::filter_record_batch;

use super::FunctionError;
use super::bits::Bits;
use super::fields::{FieldBuilders, Shape, Style, UriField, all_fields};
use super::part::Places;
use super::strings::{Block, Origin};
use super::text::{Text, TextBuilder};
use super::verdict::ErrorBuilder;
use crate::batch::InvalidRecord;
use crate::column::{Column, Columns};
use crate::corpus::{MalformedLine, Scanned};
use crate::error::{ErrorKind, named_enum};
use crate::grammar::Grammar;

named_enum! {
    /// What rows are of.
    #[non_exhaustive]
    RowKind {
        /// Every record: its verdict, and the text of its components.
        Components = "components",
        /// Every record: its verdict, and where its components lie, in bytes from the record's first, half-open.
        Offsets = "offsets",
        /// Each invalid record, and each line that does not fit its format: what is wrong with it.
        Errors = "errors",
    }
}

/// Makes record batches of scanned chunks.
///
/// | column | type | is |
/// |---|---|---|
/// | `file` | utf8 | the file's name, with U+FFFD for what is not UTF-8 |
/// | `line` | int64 | the 1-based line |
/// | `column` | int64 | the 1-based byte of the line that the record starts at |
/// | `length` | int64 | the record's bytes; of a line that has none, the line's |
/// | `uri` | utf8 | the record, NULL if it is not UTF-8; not of offsets unless it is picked |
/// | `uri_bytes` | binary | the record, if it is not UTF-8 |
/// | `valid` and so on | as `parse_uri` | of components: see [`ParseUri`](super::ParseUri) |
/// | `valid`, `scheme_start`, `scheme_end` and so on | int32 | of offsets: of each component; `host_kind` and so on are there, too |
/// | `error_kind`, `error_component` | utf8 | NULL of valid records |
/// | `error_offset` | int32 | in bytes from the record's first; NULL of valid records |
/// | `message` | utf8 | of errors, and where it is picked |
///
/// Of a record over the scan's limit `uri` and `uri_bytes` are NULL.
#[derive(Clone, Debug)]
pub struct Rows {
    kind: RowKind,
    grammar: Grammar,
    columns: Vec<RowColumn>,
    schema: SchemaRef,
    only: Option<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowColumn {
    File,
    Line,
    /// Where the record starts in its line.
    Start,
    Length,
    Uri,
    UriBytes,
    Field(UriField),
    ErrorKind,
    ErrorComponent,
    ErrorOffset,
    Message,
}

const STYLE: Style = Style { text: Text::Utf8, dictionary: true };

/// The kind of error of a line that does not fit its format.
const MALFORMED_LINE: &str = "malformed-line";

/// The columns of an error.
const ERROR: [RowColumn; 3] = [RowColumn::ErrorKind, RowColumn::ErrorComponent, RowColumn::ErrorOffset];

impl RowColumn {
    fn field(self) -> Field {
        let (name, data_type) = match self {
            RowColumn::File => ("file", DataType::Utf8),
            RowColumn::Line => ("line", DataType::Int64),
            RowColumn::Start => ("column", DataType::Int64),
            RowColumn::Length => ("length", DataType::Int64),
            RowColumn::Uri => ("uri", DataType::Utf8),
            RowColumn::UriBytes => ("uri_bytes", DataType::Binary),
            RowColumn::Field(kind) => return kind.field(STYLE),
            RowColumn::ErrorKind => ("error_kind", DataType::Utf8),
            RowColumn::ErrorComponent => ("error_component", DataType::Utf8),
            RowColumn::ErrorOffset => ("error_offset", DataType::Int32),
            RowColumn::Message => ("message", DataType::Utf8),
        };
        let is_there =
            matches!(self, RowColumn::File | RowColumn::Line | RowColumn::Start | RowColumn::Length);
        Field::new(name, data_type, !is_there)
    }

    /// Whether a user who names this name means the column, or this one among others.
    fn is_named(self, name: &str) -> bool {
        let part = match self {
            RowColumn::Field(UriField::Part(part, Shape::Start | Shape::End)) => Some(part.names()[0]),
            column if ERROR.contains(&column) => Some("error"),
            _ => None,
        };
        self.field().name() == name || part == Some(name)
    }
}

/// All columns of rows, in their order.
fn all_columns(kind: RowKind, grammar: Grammar) -> Vec<RowColumn> {
    let mut columns = vec![RowColumn::File, RowColumn::Line, RowColumn::Start, RowColumn::Length];
    if kind != RowKind::Offsets {
        columns.extend([RowColumn::Uri, RowColumn::UriBytes]);
    }
    let fields = match kind {
        RowKind::Components => all_fields(grammar, |part| vec![UriField::Part(part, Shape::Text)]),
        RowKind::Offsets => all_fields(grammar, |part| {
            vec![UriField::Part(part, Shape::Start), UriField::Part(part, Shape::End)]
        }),
        RowKind::Errors => Vec::new(),
    };
    columns.extend(fields.into_iter().map(RowColumn::Field));
    columns.extend(ERROR);
    if kind == RowKind::Errors {
        columns.push(RowColumn::Message);
    }
    columns
}

impl Rows {
    /// Rows with all columns, of every record or error. `grammar` is the one that records are judged by; grammars with the
    /// same columns may take its place.
    pub fn new(kind: RowKind, grammar: Grammar) -> Self {
        let columns = all_columns(kind, grammar);
        Rows { kind, grammar, schema: schema(&columns, HashMap::new()), columns, only: None }
    }

    /// Only the columns of these names, in this order. A component of offsets names two, `error` its three.
    ///
    /// # Errors
    ///
    /// If there is no such column, or it is named twice.
    pub fn columns(mut self, names: &[impl AsRef<str>]) -> Result<Self, FunctionError> {
        let mut all = all_columns(self.kind, self.grammar);
        for more in [RowColumn::Uri, RowColumn::UriBytes, RowColumn::Message] {
            if !all.contains(&more) {
                all.push(more);
            }
        }
        self.columns.clear();
        for name in names.iter().map(AsRef::as_ref) {
            let named: Vec<_> = all.iter().copied().filter(|column| column.is_named(name)).collect();
            if named.is_empty() {
                let known = all.iter().map(|column| column.field().name().clone()).collect();
                return Err(FunctionError::UnknownField { name: name.to_owned(), known });
            }
            if named.iter().any(|column| self.columns.contains(column)) {
                return Err(FunctionError::RepeatedField(name.to_owned()));
            }
            self.columns.extend(named);
        }
        self.schema = schema(&self.columns, self.schema.metadata.clone());
        Ok(self)
    }

    /// Only rows of valid, or only of invalid records. Those of errors are invalid anyway.
    #[must_use]
    pub fn only(mut self, valid: bool) -> Self {
        self.only = Some(valid);
        self
    }

    /// Has the schema say so, of the run.
    #[must_use]
    pub fn metadata(mut self, key: &str, value: &str) -> Self {
        let mut metadata = self.schema.metadata.clone();
        metadata.insert(key.to_owned(), value.to_owned());
        self.schema = schema(&self.columns, metadata);
        self
    }

    /// The schema of the record batches.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The columns that chunks have to be scanned for.
    pub fn scanned_columns(&self) -> Columns {
        if self.kind == RowKind::Errors {
            return Columns::NONE;
        }
        self.columns.iter().fold(Columns::RECORDS, |columns, column| match column {
            RowColumn::Field(kind) => columns | kind.columns(),
            _ => columns,
        })
    }

    /// Whether a row needs the number of its line.
    pub fn needs_line_numbers(&self) -> bool {
        self.columns.contains(&RowColumn::Line)
    }

    /// The rows of a chunk that was scanned for the [columns](Self::scanned_columns) they need. `first_line` is the 1-based
    /// number of the chunk's first line.
    ///
    /// # Errors
    ///
    /// If the chunk is too long for offsets of 32 bits.
    pub fn convert(
        &self,
        file: &[u8],
        first_line: u64,
        scanned: &Scanned<'_>,
    ) -> Result<RecordBatch, FunctionError> {
        let file = String::from_utf8_lossy(file);
        let chunk = Judged { file: &file, first_line, scanned };
        if self.kind == RowKind::Errors {
            return self.errors(&chunk);
        }
        let rows = self.records(&chunk)?;
        let Some(valid) = self.only else { return Ok(rows) };
        let mut is_valid = Bits::default();
        is_valid.extend_words(scanned.batch().validity(), scanned.len());
        let is_valid = is_valid.finish();
        let wanted = BooleanArray::new(if valid { is_valid } else { !&is_valid }, None);
        Ok(filter_record_batch(&rows, &wanted)?)
    }

    /// A row for each record.
    fn records(&self, chunk: &Judged<'_>) -> Result<RecordBatch, FunctionError> {
        let (scanned, batch) = (chunk.scanned, chunk.scanned.batch());
        let rows = scanned.len();
        let fields = self.columns.iter().filter_map(|column| match column {
            RowColumn::Field(kind) => Some(*kind),
            _ => None,
        });
        let kinds: Vec<_> = fields.collect();
        let block =
            Block { first: 0, batch, values: scanned.values(), origin: Origin::Elsewhere, nulls: None };
        let mut fields = FieldBuilders::new(&kinds, STYLE, rows, &[]);
        fields.append(&block)?;
        let mut fields = fields.finish(None)?.into_iter();
        let [uri, uri_bytes] = if self.has(&[RowColumn::Uri, RowColumn::UriBytes]) {
            chunk.uris(&block)?.map(Some)
        } else {
            [None, None]
        };
        let errors = if self.has(&ERROR) || self.has(&[RowColumn::Message]) {
            chunk.errors().finish()
        } else {
            Vec::new()
        };
        let columns = self.columns.iter().map(|column| match column {
            RowColumn::File => repeated(chunk.file, rows),
            RowColumn::Line => Ok(numbers(rows, |index| chunk.first_line + scanned.line_number(index))),
            RowColumn::Start => Ok(numbers(rows, |index| scanned.start_column(index))),
            RowColumn::Length => Ok(numbers(rows, |index| scanned.length(index))),
            RowColumn::Uri => Ok(uri.clone().expect("made above")),
            RowColumn::UriBytes => Ok(uri_bytes.clone().expect("made above")),
            RowColumn::Field(_) => Ok(fields.next().expect("a column was made of each field")),
            RowColumn::ErrorKind => Ok(errors[0].clone()),
            RowColumn::ErrorComponent => Ok(errors[1].clone()),
            RowColumn::ErrorOffset => Ok(errors[2].clone()),
            RowColumn::Message => Ok(errors[3].clone()),
        });
        let columns = columns.collect::<Result<Vec<_>, FunctionError>>()?;
        self.batch(columns, rows)
    }

    /// A row for each invalid record and each line that does not fit its format, in the order of lines.
    fn errors(&self, chunk: &Judged<'_>) -> Result<RecordBatch, FunctionError> {
        let (scanned, first_line) = (chunk.scanned, chunk.first_line);
        let mut malformed = scanned.malformed().iter().peekable();
        let mut rows = ErrorRows::default();
        for record in scanned.batch().invalid() {
            let index = record.index as usize;
            let line = scanned.line_number(index);
            while let Some(malformed) = malformed.next_if(|malformed| malformed.line < line) {
                rows.append_malformed(first_line, malformed);
            }
            let is_whole = record.error.kind() != ErrorKind::RecordTooLong;
            rows.append_place(first_line + line, scanned.start_column(index), scanned.length(index));
            rows.append_uri(is_whole.then(|| scanned.record(index)));
            rows.errors.append(&record.error);
        }
        malformed.for_each(|malformed| rows.append_malformed(first_line, malformed));
        let count = rows.lines.len();
        let file = repeated(chunk.file, count)?;
        let ErrorRows { lines, starts, lengths, mut texts, mut bytes, errors } = rows;
        let (texts, bytes, errors) = (texts.finish(), bytes.finish(), errors.finish());
        let columns = self.columns.iter().map(|column| -> ArrayRef {
            match column {
                RowColumn::File => file.clone(),
                RowColumn::Line => Arc::new(Int64Array::from(lines.clone())),
                RowColumn::Start => Arc::new(Int64Array::from(starts.clone())),
                RowColumn::Length => Arc::new(Int64Array::from(lengths.clone())),
                RowColumn::Uri => Arc::new(texts.clone()),
                RowColumn::UriBytes => Arc::new(bytes.clone()),
                RowColumn::Field(_) => unreachable!("errors have no components"),
                RowColumn::ErrorKind => errors[0].clone(),
                RowColumn::ErrorComponent => errors[1].clone(),
                RowColumn::ErrorOffset => errors[2].clone(),
                RowColumn::Message => errors[3].clone(),
            }
        });
        self.batch(columns.collect(), count)
    }

    fn has(&self, columns: &[RowColumn]) -> bool {
        self.columns.iter().any(|column| columns.contains(column))
    }

    fn batch(&self, columns: Vec<ArrayRef>, rows: usize) -> Result<RecordBatch, FunctionError> {
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        Ok(RecordBatch::try_new_with_options(self.schema.clone(), columns, &options)?)
    }
}

/// A chunk, and what it does not know of itself.
struct Judged<'a> {
    file: &'a str,
    first_line: u64,
    scanned: &'a Scanned<'a>,
}

impl Judged<'_> {
    /// The columns `uri` and `uri_bytes`.
    fn uris(&self, block: &Block<'_>) -> Result<[ArrayRef; 2], FunctionError> {
        let (scanned, batch) = (self.scanned, block.batch);
        let rows = scanned.len();
        let is_odd = |record: &&InvalidRecord| {
            let is_elsewhere = || {
                let range = record.start as usize..record.end as usize;
                let here = block.values.get(range).unwrap_or_default();
                scanned.record(record.index as usize) != here
            };
            record.error.kind() == ErrorKind::RecordTooLong || is_elsewhere()
        };
        let is_plain = std::str::from_utf8(block.values).is_ok()
            && !batch.invalid().iter().any(|record| is_odd(&record));
        if is_plain {
            let mut texts = TextBuilder::new(Text::Utf8, rows, &[]);
            let places = Places {
                starts: batch.column(Column::Start).to_vec(),
                ends: batch.column(Column::End).to_vec(),
            };
            texts.append(block, &places)?;
            return Ok([texts.finish()?, new_null_array(&DataType::Binary, rows)]);
        }
        let mut texts = StringBuilder::with_capacity(rows, block.values.len());
        let mut bytes = BinaryBuilder::new();
        let mut invalid = batch.invalid().iter().peekable();
        for index in 0..rows {
            let error = invalid.next_if(|record| record.index as usize == index).map(|record| record.error);
            let record = scanned.record(index);
            let text = std::str::from_utf8(record);
            let is_whole = error.is_none_or(|error| error.kind() != ErrorKind::RecordTooLong);
            texts.append_option(text.ok().filter(|_| is_whole));
            bytes.append_option((is_whole && text.is_err()).then_some(record));
        }
        Ok([Arc::new(texts.finish()), Arc::new(bytes.finish())])
    }

    /// What is wrong with each record.
    fn errors(&self) -> ErrorBuilder {
        let mut errors = ErrorBuilder::default();
        for invalid in self.scanned.batch().invalid() {
            errors.append_nulls(invalid.index as usize);
            errors.append(&invalid.error);
        }
        errors.append_nulls(self.scanned.len());
        errors
    }
}

/// Rows of errors under way.
#[derive(Default)]
struct ErrorRows {
    lines: Vec<i64>,
    starts: Vec<i64>,
    lengths: Vec<i64>,
    texts: StringBuilder,
    bytes: BinaryBuilder,
    errors: ErrorBuilder,
}

impl ErrorRows {
    fn append_place(&mut self, line: u64, start: u64, length: u64) {
        self.lines.push(line as i64);
        self.starts.push(start as i64);
        self.lengths.push(length as i64);
    }

    fn append_uri(&mut self, record: Option<&[u8]>) {
        let text = record.map(std::str::from_utf8);
        self.texts.append_option(text.and_then(Result::ok));
        self.bytes.append_option(record.filter(|_| text.is_some_and(|text| text.is_err())));
    }

    fn append_malformed(&mut self, first_line: u64, line: &MalformedLine) {
        self.append_place(first_line + line.line, 1, line.length);
        self.append_uri(None);
        self.errors.append_other(MALFORMED_LINE, &line.reason.to_string());
    }
}

fn schema(columns: &[RowColumn], metadata: HashMap<String, String>) -> SchemaRef {
    let fields: Vec<_> = columns.iter().map(|column| column.field()).collect();
    Arc::new(Schema::new_with_metadata(fields, metadata))
}

/// The same text in each of so many rows.
fn repeated(text: &str, rows: usize) -> Result<ArrayRef, FunctionError> {
    let bytes = text.len() * rows;
    if i32::try_from(bytes).is_err() {
        return Err(FunctionError::TooLong(DataType::Utf8));
    }
    let offsets = OffsetBuffer::from_repeated_length(text.len(), rows);
    Ok(Arc::new(StringArray::try_new(offsets, text.repeat(rows).into_bytes().into(), None)?))
}

/// A number for each row.
fn numbers(rows: usize, number: impl Fn(usize) -> u64) -> ArrayRef {
    Arc::new(Int64Array::from_iter_values((0..rows).map(|index| number(index) as i64)))
}
