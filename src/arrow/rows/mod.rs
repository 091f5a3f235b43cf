//! Rows of scanned chunks as record batches: a row for each record, or for each error.
//!
//! # Where the time goes
//!
//! Each batch costs about 15 µs, independent of its rows. Most of this is allocating and freeing memory, so
//! columns share memory if they can: columns with one value ([`kept`]), file names ([`repeated`]), and hosts
//! that are the same as the authorities. Compared to batches of chunks of 256 KiB, those of 512 KiB take 4%
//! less time, those of 128 KiB 10 to 20% more and those of 64 KiB 40 to 50% more, although their columns stay
//! in the L2 cache.
//!
//! For rows of offsets, the scan takes 30% of the time and mapping the file a quarter. The columns take 5%;
//! they took 13% with a pass for each of several steps. The command estimates the lines of a mapped chunk by
//! a sample: counting them took 8 to 9%, most of it waiting for bytes. Asking the schema for a field that it
//! lacks took 3%, because the error has a text that lists all fields. Finding out that hosts are names took
//! 3% when it read the last byte of each host again; now kernels mark the hosts that may be addresses. Arrow
//! checks the keys of a dictionary, which took 2%; if all hosts are of one kind, a checked column is shared.
//! The constant columns, such as the start in the line, took about 2%.

mod also;
mod chunk_rows;
mod column;
mod lines;
mod malformed;
mod problems;
mod repeated;
mod source;
mod stream;
mod uris;

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, BooleanArray, RecordBatch, RecordBatchOptions, new_null_array};
use arrow_schema::{DataType, SchemaRef};
use arrow_select::filter::filter_record_batch;

use self::column::{STYLE, all_columns, default_columns, is_named, schema};
use self::lines::{LineColumns, LineOf};
use self::malformed::Order;
use self::problems::Problems;
use self::repeated::RepeatedText;
use self::source::RowSource;
pub use self::stream::{RowEvent, RowStream};
use super::FunctionError;
use super::bits::Bits;
use super::fields::{ArrowColumn, FieldBuilders};
use super::strings::{Block, BlockValues};
use crate::column::{Columns, ColumnsMissing};
#[cfg(doc)]
use crate::corpus::Scanner;
use crate::corpus::{Chunk, Layout, LogColumns, ProblemAt, Repeats, Scanned};
use crate::derived::{Derivation, Deriver};
use crate::grammar::Grammar;
use crate::memory;
use crate::row_column::{RowColumn, RowKind};
use crate::stats::Problem;
use crate::validator::Validator;

/// Makes record batches of scanned chunks.
///
/// [`RowColumn`] lists the columns: [the defaults](RowColumn::defaults), and [others](RowColumn::others) that
/// can be picked. Text and names are `utf8` (`host_kind` is a dictionary), numbers are `int64`, offsets
/// `int32`. Rows of offsets have two columns for each part of a record, `host_start` and `host_end` for the
/// host.
///
/// `uri` and `uri_bytes` are NULL for a record over the scan's limit. Fields of lines (`log.NAME`) that are
/// not UTF-8 have U+FFFD in the place of their other bytes.
#[derive(Clone, Debug)]
pub struct RowConverter {
    kind: RowKind,
    grammar: Grammar,
    columns: Vec<ArrowColumn>,
    schema: SchemaRef,
    /// The columns that are made of lines.
    log: LogColumns,
    /// The records that get rows; `None` for all records.
    only: Option<Only>,
    /// The kinds of errors that get rows; `None` for all kinds.
    kinds: Option<Vec<String>>,
    derivation: Derivation,
    files: RepeatedText,
    formats: RepeatedText,
    /// True if lines that do not fit their format have rows among those of records.
    has_malformed: bool,
}

/// The records whose rows a [`RowConverter`] makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Only {
    /// Valid records.
    Valid,
    /// Invalid records.
    Invalid,
    /// Records on which the two grammars of chunks [with two verdicts](Scanned::with_other) differ.
    Differing,
}

impl RowConverter {
    /// Returns a converter to rows with the default columns, of every record or error. `grammar` must be the
    /// grammar that judges the records, or one with the same columns.
    pub fn new(kind: RowKind, grammar: Grammar) -> Self {
        let columns = default_columns(kind, grammar);
        RowConverter {
            kind,
            grammar,
            schema: schema(&columns, Default::default()),
            columns,
            log: LogColumns::default(),
            only: None,
            kinds: None,
            derivation: Derivation::default(),
            files: RepeatedText::default(),
            formats: RepeatedText::default(),
            has_malformed: false,
        }
    }

    /// Selects the columns of these names, in this order. In rows of offsets, the name of a component selects
    /// its two columns; `error` selects three columns; and `uri` also selects `uri_bytes`, unless `names` has
    /// `uri_bytes`, too.
    ///
    /// # Errors
    ///
    /// Returns an error if no column has one of these names, or a column is named twice.
    pub fn columns(mut self, names: &[impl AsRef<str>]) -> Result<Self, FunctionError> {
        let all = all_columns(self.kind, self.grammar);
        self.columns.clear();
        let picks_bytes = names.iter().any(|name| name.as_ref() == "uri_bytes");
        let mut picked = HashSet::new();
        for name in names.iter().map(AsRef::as_ref) {
            let mut named: Vec<_> =
                all.iter().copied().filter(|&column| is_named(column, name, picks_bytes)).collect();
            if named.is_empty() {
                let made = RowColumn::of_name(name)
                    .filter(|column| column.is_named_by_user() && column.is_in(self.kind, self.grammar));
                named.extend(made.map(ArrowColumn::whole));
            }
            if let Some(elsewhere) = RowColumn::elsewhere(name, self.kind, self.grammar)
                && named.is_empty()
            {
                return Err(FunctionError::ColumnElsewhere { name: name.to_owned(), elsewhere });
            }
            if named.is_empty() && name == RowColumn::LOG_FIELDS {
                return Err(FunctionError::NoFields(format!(
                    "the column {name}: name the fields one by one"
                )));
            }
            if named.is_empty() {
                let known = all.iter().map(|column| column.name().into_owned()).collect();
                return Err(FunctionError::UnknownField { name: name.to_owned(), known });
            }
            if !named.iter().all(|&column| picked.insert(column)) {
                return Err(FunctionError::RepeatedField(name.to_owned()));
            }
            self.columns.extend(named);
        }
        self.log = LogColumns::among(self.columns.iter().map(|column| column.column));
        self.schema = schema(&self.columns, self.schema.metadata.clone());
        self.has_malformed |= self.has(&[RowColumn::Malformed]);
        Ok(self)
    }

    /// Gives lines that do not fit their format rows, too. The column [`Malformed`](RowColumn::Malformed)
    /// does so by itself.
    #[must_use]
    pub fn with_malformed(self, has_malformed: bool) -> Self {
        RowConverter { has_malformed, ..self }
    }

    /// Returns true if lines that do not fit their format have rows.
    pub fn has_malformed(&self) -> bool {
        self.has_malformed || self.kind == RowKind::Errors
    }

    /// Adds the column `suggestion`, unless it is selected already: the repaired record, if [only one repair
    /// is likely](crate::Validator::suggest).
    #[must_use]
    pub fn suggest(self) -> Self {
        self.add(&[RowColumn::Suggestion])
    }

    /// Adds the [columns of a second grammar](RowColumn::ALSO) that are not selected already. Only
    /// [compared](Scanned::with_other) chunks have values for them.
    #[must_use]
    pub fn also(self) -> Self {
        self.add(&RowColumn::ALSO)
    }

    fn add(mut self, columns: &[RowColumn]) -> Self {
        let missing = columns.iter().filter(|&&column| !self.has(&[column]));
        let missing: Vec<_> = missing.map(|&column| ArrowColumn::whole(column)).collect();
        self.columns.extend(missing);
        self.schema = schema(&self.columns, self.schema.metadata.clone());
        self
    }

    /// Sets how the values of [derived columns](RowColumn::derived) are made.
    #[must_use]
    pub fn derivation(mut self, derivation: Derivation) -> Self {
        self.derivation = derivation;
        self
    }

    /// Restricts rows of components or offsets to some records.
    #[must_use]
    pub fn only(mut self, only: Only) -> Self {
        self.only = Some(only);
        self
    }

    /// Restricts errors to the kinds with these names. [`Problem::MALFORMED`] is the kind of lines that do
    /// not fit their format.
    #[must_use]
    pub fn kinds(mut self, names: &[impl AsRef<str>]) -> Self {
        self.kinds = Some(names.iter().map(|name| name.as_ref().to_owned()).collect());
        self
    }

    /// Adds an entry to the schema's metadata.
    #[must_use]
    pub fn metadata(mut self, key: &str, value: &str) -> Self {
        let mut metadata = self.schema.metadata.clone();
        metadata.insert(key.to_owned(), value.to_owned());
        self.schema = schema(&self.columns, metadata);
        self
    }

    /// Returns the schema of the record batches.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Fails if no row of an input in this layout can have a value in a column of targets.
    fn check_base(&self, layout: &Layout) -> Result<(), FunctionError> {
        let resolves = self.columns.iter().any(|column| column.column.is_of_target());
        if resolves && !self.derivation.has_base() && !layout.may_name_base() {
            return Err(FunctionError::NoBase);
        }
        Ok(())
    }

    /// Fails if the chunk begins an input whose format lacks fields that the rows have, or if it begins the
    /// first input and its header does not name them. Later inputs may have other headers: their rows lack what these do not name.
    fn check_fields(&self, chunk: &Chunk<'_>, is_first_input: bool) -> Result<(), FunctionError> {
        if chunk.base() > 0 {
            return Ok(());
        }
        let lacking = || if is_first_input { chunk.fields_not_in_header(&self.log) } else { None };
        self.log.refuse(chunk).or_else(lacking).map_or(Ok(()), |about| Err(FunctionError::NoFields(about)))
    }

    /// Returns the columns that a scan must fill.
    pub fn scanned_columns(&self) -> Columns {
        if self.kind == RowKind::Errors {
            return Columns::NONE;
        }
        let columns = self.columns.iter().map(|column| match column.column {
            derived if derived.is_derived() => Deriver::columns(derived),
            _ => column.columns(),
        });
        columns.fold(Columns::RECORDS, |all, columns| all | columns)
    }

    /// Returns the columns of the rows that repeat texts of any length: too many rows of them at once need
    /// too much memory.
    pub fn repeats(&self) -> Repeats {
        Repeats::among(self.columns.iter().map(|column| column.column))
    }

    /// Returns true if a row needs the number of its line.
    pub fn needs_line_numbers(&self) -> bool {
        // The rows of a list are its lines.
        self.has(&[RowColumn::Line]) || self.log.has_rows()
    }

    /// Returns the columns that are made of lines: a scanner must [number rows](Scanner::number_rows) and
    /// [keep headers](Scanner::keep_headers) for them.
    pub fn log_columns(&self) -> &LogColumns {
        &self.log
    }

    /// Returns the rows of a chunk. The scan must have filled the [columns](Self::scanned_columns) that they
    /// need. `first_line` is the 1-based number of the chunk's first line.
    ///
    /// # Errors
    ///
    /// Returns an error if the scan did not fill these columns, the chunk is too long for offsets of 32 bits,
    /// or memory runs out.
    pub fn convert(
        &self,
        file: &[u8],
        first_line: u64,
        scanned: &Scanned<'_>,
    ) -> Result<RecordBatch, FunctionError> {
        /// The number of copies of each byte: in the record, in its components, and two temporary ones.
        const COPIES: usize = 4;
        /// The most bytes of a row in a column without text: an offset, and a temporary value.
        const CELL: usize = 32;
        /// The bytes of an error with its message and its suggestion, in builders that grow.
        const ERROR: usize = 512;

        ColumnsMissing::check(scanned.batch().columns(), self.scanned_columns())?;
        // Arrow does not ask for its memory.
        let cells = scanned.len().saturating_mul(self.columns.len().saturating_mul(CELL));
        let made = self.columns.iter().filter(|column| column.column.is_derived()).count();
        let copies = scanned.values().len().saturating_mul(COPIES * (1 + made));
        let problems = scanned.batch().invalid().len() + scanned.malformed().len();
        let errors =
            if self.kind == RowKind::Errors || self.has(&RowColumn::ERROR_PARTS) { ERROR } else { CELL };
        let errors = problems.saturating_mul(errors);
        let _room = memory::room_for(copies.saturating_add(cells).saturating_add(errors))?;
        let file = String::from_utf8_lossy(file);
        let chunk = RowSource { file: &file, first_line, scanned };
        if self.kind == RowKind::Errors {
            return self.errors(&chunk);
        }
        let rows = self.records(&chunk)?;
        let order = (self.has_malformed && !scanned.malformed().is_empty()).then(|| Order::of(scanned));
        let rows = match &order {
            Some(order) => {
                let columns = order.merge(&rows, &self.malformed(&chunk)?);
                self.batch(columns, order.rows())?
            }
            None => rows,
        };
        let wanted = match self.only {
            Some(Only::Differing) => {
                let mut differs = vec![false; scanned.len()];
                scanned.differing().for_each(|index| differs[index] = true);
                BooleanArray::from(differs)
            }
            Some(only) => {
                let mut is_valid = Bits::default();
                is_valid.extend_words(scanned.batch().validity(), scanned.len());
                let is_valid = is_valid.finish();
                BooleanArray::new(if only == Only::Valid { is_valid } else { !&is_valid }, None)
            }
            None => return Ok(rows),
        };
        let wanted = match &order {
            Some(order) => order.wanted(&wanted, self.only == Some(Only::Invalid)),
            None => wanted,
        };
        Ok(filter_record_batch(&rows, &wanted)?)
    }

    /// Returns a row for each record.
    fn records(&self, chunk: &RowSource<'_>) -> Result<RecordBatch, FunctionError> {
        let (scanned, batch) = (chunk.scanned, chunk.scanned.batch());
        let rows = scanned.len();
        let fields: Vec<_> = self.columns.iter().copied().filter(|column| column.column.is_field()).collect();
        let block =
            Block { first: 0, batch, values: scanned.values(), origin: BlockValues::Elsewhere, nulls: None };
        let mut fields = FieldBuilders::new(&fields, STYLE, rows, &[]);
        fields.append(&block)?;
        let mut fields = fields.finish(None)?.into_iter();
        let [uri, uri_bytes] = if self.has(&[RowColumn::Uri, RowColumn::UriBytes]) {
            uris::of_all(scanned, &block)?.map(Some)
        } else {
            [None, None]
        };
        // Builders allocate memory even without rows, so unused columns have none.
        let also = self.has(&RowColumn::ALSO).then(|| also::columns(scanned, (0..rows).map(Some)));
        let also = |index: usize| Ok(also.as_ref().expect("made above")[index].clone());
        let has_errors = self.has(&RowColumn::ERROR_PARTS) || self.has(&[RowColumn::Message]);
        let errors = has_errors.then(|| chunk.errors(self.has(&[RowColumn::Message])));
        let error = |index: usize| Ok(errors.as_ref().expect("made above")[index].clone());
        let mut lines = self.of_lines(scanned, (0..rows).map(LineOf::Record))?;
        let columns = self.columns.iter().map(|column| match column.column {
            RowColumn::Log(_) => Ok(lines.as_mut().expect("made above").next_field()),
            RowColumn::Row => Ok(lines.as_ref().expect("made above").rows()),
            RowColumn::File => self.files.column(chunk.file, rows),
            RowColumn::Line => Ok(chunk.line_numbers()),
            RowColumn::Start => Ok(chunk.start_columns()),
            RowColumn::Length => Ok(chunk.lengths()),
            RowColumn::Uri => Ok(uri.clone().expect("made above")),
            RowColumn::UriBytes => Ok(uri_bytes.clone().expect("made above")),
            RowColumn::ErrorKind => error(0),
            RowColumn::ErrorComponent => error(1),
            RowColumn::ErrorOffset => error(2),
            RowColumn::ErrorColumn => Ok(chunk.error_columns()),
            RowColumn::Message => error(3),
            RowColumn::Character => Ok(chunk.characters()),
            RowColumn::Suggestion => Ok(chunk.suggestions()),
            derived if derived.is_derived() => self.derived(derived, scanned),
            RowColumn::Page | RowColumn::Base => self.of_pages(column.column, scanned, (0..rows).map(Some)),
            RowColumn::Element => Ok(chunk.elements()),
            RowColumn::Attribute => Ok(chunk.attributes()),
            RowColumn::AlsoValid => also(0),
            RowColumn::AlsoErrorKind => also(1),
            RowColumn::AlsoErrorOffset => also(2),
            RowColumn::Format => self.formats.column(chunk.format(), rows),
            RowColumn::Malformed => Ok(Arc::new(BooleanArray::from(vec![false; rows])) as ArrayRef),
            _ => Ok(fields.next().expect("a column was made of each field")),
        });
        let columns = columns.collect::<Result<Vec<_>, FunctionError>>()?;
        self.batch(columns, rows)
    }

    /// Returns the values of a derived column.
    fn derived(&self, column: RowColumn, scanned: &Scanned<'_>) -> Result<ArrayRef, FunctionError> {
        let batch = scanned.batch();
        let mut texts = Texts::default();
        match self.derivation.deriver(Validator::of(batch)) {
            Ok(deriver) => {
                let page_of = |index| scanned.page(index);
                deriver
                    .derive_batch(column, batch, scanned.values(), page_of, |_, value| texts.push(value))??;
            }
            Err(_) => (0..batch.len()).try_for_each(|_| texts.push(None))?,
        }
        Ok(texts.finish())
    }

    /// Returns the columns of these lines, if rows have such columns.
    fn of_lines<'a>(
        &self,
        scanned: &Scanned<'_>,
        lines: impl Iterator<Item = LineOf<'a>>,
    ) -> Result<Option<LineColumns>, FunctionError> {
        if self.log.is_empty() { Ok(None) } else { LineColumns::new(scanned, &self.log, lines).map(Some) }
    }

    /// Returns the pages of these records, or their bases.
    fn of_pages(
        &self,
        column: RowColumn,
        scanned: &Scanned<'_>,
        records: impl Iterator<Item = Option<usize>>,
    ) -> Result<ArrayRef, FunctionError> {
        let deriver = self.derivation.deriver(Validator::of(scanned.batch())).ok();
        let values = records.map(|index| {
            let (deriver, page) = (deriver.as_ref()?, scanned.page(index?));
            if column == RowColumn::Page {
                deriver.page_uri(page).map(Cow::Borrowed)
            } else {
                deriver.base(page)
            }
        });
        texts(values)
    }

    /// Returns a row for each invalid record and each line that does not fit its format, in the order of
    /// lines.
    fn errors(&self, chunk: &RowSource<'_>) -> Result<RecordBatch, FunctionError> {
        let is_wanted = |problem: &ProblemAt<'_>| {
            let kind = match problem {
                ProblemAt::Record(record) => record.error.kind().name(),
                ProblemAt::Line(_) => Problem::MALFORMED,
            };
            self.kinds.as_ref().is_none_or(|kinds| kinds.iter().any(|wanted| wanted == kind))
        };
        self.problems(Problems::new(chunk, chunk.scanned.problems().filter(is_wanted).collect()))
    }

    /// Returns a row for each line that does not fit its format.
    fn malformed(&self, chunk: &RowSource<'_>) -> Result<RecordBatch, FunctionError> {
        let lines = chunk.scanned.malformed().iter();
        self.problems(Problems::new(chunk, lines.map(ProblemAt::Line).collect()))
    }

    /// Returns the rows of problems. Columns that only records have are NULL.
    fn problems(&self, problems: Problems<'_>) -> Result<RecordBatch, FunctionError> {
        let (chunk, rows) = (problems.chunk(), problems.len());
        let [uri, uri_bytes] = problems.uris()?;
        let [kind, component, offset, message] = problems.errors();
        let [also_valid, also_kind, also_offset] = also::columns(chunk.scanned, problems.records());
        let mut lines = self.of_lines(chunk.scanned, problems.lines())?;
        let columns =
            self.columns.iter().zip(self.schema.fields()).map(|(column, field)| match column.column {
                RowColumn::Log(_) => Ok(lines.as_mut().expect("made above").next_field()),
                RowColumn::Row => Ok(lines.as_ref().expect("made above").rows()),
                RowColumn::File => self.files.column(chunk.file, rows),
                RowColumn::Format => self.formats.column(chunk.format(), rows),
                RowColumn::Uri => Ok(uri.clone()),
                RowColumn::UriBytes => Ok(uri_bytes.clone()),
                RowColumn::ErrorKind => Ok(kind.clone()),
                RowColumn::ErrorComponent => Ok(component.clone()),
                RowColumn::ErrorOffset => Ok(offset.clone()),
                RowColumn::Message => Ok(message.clone()),
                RowColumn::AlsoValid => Ok(also_valid.clone()),
                RowColumn::AlsoErrorKind => Ok(also_kind.clone()),
                RowColumn::AlsoErrorOffset => Ok(also_offset.clone()),
                page @ (RowColumn::Page | RowColumn::Base) => {
                    self.of_pages(page, chunk.scanned, problems.records())
                }
                column => {
                    Ok(problems.column(column).unwrap_or_else(|| new_null_array(field.data_type(), rows)))
                }
            });
        self.batch(columns.collect::<Result<_, FunctionError>>()?, rows)
    }

    fn has(&self, columns: &[RowColumn]) -> bool {
        self.columns.iter().any(|column| columns.contains(&column.column))
    }

    fn batch(&self, columns: Vec<ArrayRef>, rows: usize) -> Result<RecordBatch, FunctionError> {
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        Ok(RecordBatch::try_new_with_options(self.schema.clone(), columns, &options)?)
    }
}

/// Returns a column of these values as text. Values derived from a valid record are always UTF-8.
fn texts<'v>(values: impl Iterator<Item = Option<Cow<'v, [u8]>>>) -> Result<ArrayRef, FunctionError> {
    let mut texts = Texts::default();
    for value in values {
        texts.push(value.as_deref())?;
    }
    Ok(texts.finish())
}

/// A column of texts.
#[derive(Default)]
struct Texts {
    texts: StringBuilder,
    bytes: usize,
}

impl Texts {
    fn push(&mut self, value: Option<&[u8]>) -> Result<(), FunctionError> {
        let value = value.and_then(|value| str::from_utf8(value).ok());
        self.bytes += value.map_or(0, str::len);
        if i32::try_from(self.bytes).is_err() {
            return Err(FunctionError::TooLong(DataType::Utf8));
        }
        self.texts.append_option(value);
        Ok(())
    }

    fn finish(mut self) -> ArrayRef {
        Arc::new(self.texts.finish())
    }
}
