//! The columns of record batches and the fields of structs. This module also builds the columns of
//! components, from blocks of scanned records.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use arrow_array::types::Int8Type;
use arrow_array::{ArrayRef, BooleanArray, DictionaryArray, Int8Array, Int32Array, StringArray};
use arrow_buffer::{Buffer, NullBuffer};
use arrow_schema::{DataType, Field};

use super::FunctionError;
use super::bits::Bits;
use super::kept::{self, Kept};
use super::places::Places;
use super::strings::Block;
use super::text::{TextBuilder, TextLayout};
use crate::column::{ABSENT, Column, Columns};
use crate::components::{AuthorityKind, HostKind};
use crate::grammar::Grammar;
use crate::memory;
use crate::part::Part;
use crate::row_column::{CellType, RowColumn, RowKind};
use crate::simd::{self, PartSpans};

/// A column of a record batch, or a field of a struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ArrowColumn {
    pub(super) column: RowColumn,
    pub(super) form: PartForm,
}

/// The form of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum PartForm {
    /// The column itself: for a part of a record, its text.
    Whole,
    /// The start of a part, in bytes from the start of the record.
    Start,
    End,
}

/// The types of text and names.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub(super) text: TextLayout,
    /// Whether the column of the kinds of hosts is a dictionary.
    pub(super) dictionary: bool,
}

/// Returns the fields of `parse_uri`: `valid`, the components, and the fields that the grammar adds.
pub(super) fn component_fields(grammar: Grammar) -> Vec<ArrowColumn> {
    let mut fields = RowColumn::defaults(RowKind::Components, grammar);
    fields.retain(|column| column.is_field());
    fields.into_iter().map(ArrowColumn::whole).collect()
}

/// Returns the fields of `uri_spans`: `valid`, and the starts and ends of the components.
pub(super) fn span_fields() -> Vec<ArrowColumn> {
    // The fields are the same for each grammar, although grammars with opaque URIs have more columns.
    let mut fields = RowColumn::defaults(RowKind::Offsets, Grammar::Uri);
    fields.retain(|&column| {
        column == RowColumn::Valid || column.is_field() && ArrowColumn::whole(column).is_part()
    });
    fields.into_iter().flat_map(ArrowColumn::ends).collect()
}

impl ArrowColumn {
    /// Returns the column itself.
    pub(super) fn whole(column: RowColumn) -> Self {
        ArrowColumn { column, form: PartForm::Whole }
    }

    /// Returns the start and the end for a part of a record, and the column itself otherwise.
    pub(super) fn ends(column: RowColumn) -> Vec<Self> {
        let is_part = ArrowColumn::whole(column).is_part();
        let forms: &[PartForm] = if is_part { &[PartForm::Start, PartForm::End] } else { &[PartForm::Whole] };
        forms.iter().map(|&form| ArrowColumn { column, form }).collect()
    }

    fn is_part(self) -> bool {
        matches!(self.column.cell_type(), CellType::Part(_))
    }

    pub(super) fn name(self) -> Cow<'static, str> {
        let name = self.column.name();
        match self.form {
            PartForm::Whole => name.into(),
            PartForm::Start => format!("{name}_start").into(),
            PartForm::End => format!("{name}_end").into(),
        }
    }

    /// Returns the field of a schema.
    pub(super) fn field(self, style: Style) -> Field {
        let data_type = match (self.column.cell_type(), self.form) {
            (CellType::Part(_), PartForm::Whole) => style.text.data_type(),
            (CellType::Part(_) | CellType::Offset, _) => DataType::Int32,
            (CellType::Bool, _) => DataType::Boolean,
            (CellType::Number, _) => DataType::Int64,
            (CellType::Bytes, _) => DataType::Binary,
            (CellType::Name, _) if style.dictionary && self.column == RowColumn::HostKind => {
                DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8))
            }
            // An error is three columns, which have their own types.
            (CellType::Name | CellType::Text | CellType::Error, _) => DataType::Utf8,
        };
        let is_there =
            matches!(self.column, RowColumn::File | RowColumn::Line | RowColumn::Start | RowColumn::Length);
        Field::new(self.name(), data_type, !is_there)
    }

    /// Returns the columns of a batch that the column needs.
    pub(super) fn columns(self) -> Columns {
        match self.column {
            RowColumn::Opaque => Column::PathStart.into(),
            RowColumn::AuthorityKind => Part::Authority.columns() | Column::HostStart,
            _ => self.part().map_or(Columns::NONE, |part| part.columns() | Column::Start),
        }
    }

    /// Returns the part whose places in records the column needs.
    pub(super) fn part(self) -> Option<Part> {
        match (self.column, self.column.cell_type()) {
            (_, CellType::Part(part)) => Some(part),
            (RowColumn::HostKind, _) => Some(Part::Host),
            (RowColumn::AuthorityKind, _) => Some(Part::Authority),
            _ => None,
        }
    }
}

/// The dictionary of the kinds of hosts. All arrays share it, so that other programs can concatenate them by
/// their keys.
static HOST_KINDS: LazyLock<ArrayRef> =
    LazyLock::new(|| Arc::new(StringArray::from_iter_values(HostKind::ALL.iter().map(|kind| kind.name()))));

/// The bytes of a row in a column that has no text of the record.
const ROW: usize = size_of::<i32>();

/// Builders of fields.
pub(super) struct FieldBuilders {
    builders: Vec<(ArrowColumn, Builder)>,
    /// The places of the parts whose starts or ends are columns.
    spans: Vec<Spans>,
    /// The places of a part in a block. The memory is reused.
    places: Places,
    /// The expected number of rows; `len` is the number so far.
    rows: usize,
    len: usize,
}

enum Builder {
    Bools {
        present: Option<Bits>,
        values: Bits,
    },
    Text(TextBuilder),
    /// The starts or the ends of the spans with this index.
    Offsets(usize),
    Names {
        present: Bits,
        keys: Vec<i8>,
        names: Vec<&'static str>,
        dictionary: bool,
    },
    /// The same column as the one with this index.
    Same(usize),
}

/// The places of a part in all rows: two columns, and one bitmap for both.
struct Spans {
    part: Part,
    present: Bits,
    /// The starts and ends. Empty as long as all blocks surely lack the part.
    spans: PartSpans,
}

impl FieldBuilders {
    /// Returns builders of `rows` rows. If the strings are views, `buffers` are their data buffers.
    pub(super) fn new(columns: &[ArrowColumn], style: Style, rows: usize, buffers: &[Buffer]) -> Self {
        let names = |names: Vec<&'static str>, dictionary| Builder::Names {
            present: Bits::default(),
            keys: Vec::new(),
            names,
            dictionary,
        };
        let mut spans: Vec<Spans> = Vec::new();
        let mut builder = |&column: &ArrowColumn| {
            let builder = match (column.column, column.form) {
                (RowColumn::Valid, _) => Builder::Bools { present: None, values: Bits::default() },
                (RowColumn::Opaque, _) => {
                    Builder::Bools { present: Some(Bits::default()), values: Bits::default() }
                }
                (RowColumn::HostKind, _) => {
                    names(HostKind::ALL.iter().map(|kind| kind.name()).collect(), style.dictionary)
                }
                (RowColumn::AuthorityKind, _) => {
                    names(AuthorityKind::ALL.iter().map(|kind| kind.name()).collect(), false)
                }
                (_, PartForm::Whole) => Builder::Text(TextBuilder::new(style.text, rows, buffers)),
                _ => {
                    let part = column.part().expect("only parts have a start and an end");
                    let known = spans.iter().position(|spans| spans.part == part);
                    Builder::Offsets(known.unwrap_or_else(|| {
                        spans.push(Spans { part, present: Bits::default(), spans: PartSpans::default() });
                        spans.len() - 1
                    }))
                }
            };
            (column, builder)
        };
        let builders = columns.iter().map(&mut builder).collect();
        FieldBuilders { builders, spans, places: Places::default(), rows, len: 0 }
    }

    /// Appends a row for each record of a block.
    pub(super) fn append(&mut self, block: &Block<'_>) -> Result<(), FunctionError> {
        let FieldBuilders { builders, spans, places, rows, len } = self;
        if *len == 0 {
            // Texts ask for their own memory. Of the other columns, names and offsets are the largest.
            let others = builders.iter().filter(|(_, builder)| !matches!(builder, Builder::Text(_)));
            memory::room_for(others.count().saturating_mul(rows.saturating_mul(ROW)))?;
            for (_, builder) in builders.iter_mut() {
                if let Builder::Names { keys, .. } = builder {
                    memory::try_reserve_exact(keys, *rows)?;
                }
            }
        }
        for index in 0..builders.len() {
            let (before, rest) = builders.split_at_mut(index);
            let (column, builder) = &mut rest[0];
            // In most blocks no record has userinfo or a port. Then the column of hosts is the column of
            // authorities.
            if column.column == RowColumn::Host && block.batch.len() == *rows {
                let is_authority =
                    |other: &ArrowColumn| other.column == RowColumn::Authority && other.form == column.form;
                let authority = before.iter().position(|(other, _)| is_authority(other));
                if let Some(same) = authority.filter(|_| block.batch.hosts_are_authorities()) {
                    *builder = Builder::Same(same);
                    continue;
                }
            }
            match builder {
                // The first of the two columns of these spans has appended the block.
                Builder::Offsets(index) if spans[*index].present.len() > *len => {}
                Builder::Offsets(index) => spans[*index].append(block, *rows),
                builder => builder.append(*column, block, places)?,
            }
        }
        *len += block.batch.len();
        Ok(())
    }

    /// Returns the columns. Rows that are null in `nulls` have the verdict NULL.
    pub(super) fn finish(self, nulls: Option<&NullBuffer>) -> Result<Vec<ArrayRef>, FunctionError> {
        let spans: Vec<_> = self.spans.into_iter().map(Spans::finish).collect();
        let mut columns: Vec<ArrayRef> = Vec::with_capacity(self.builders.len());
        for (column, builder) in self.builders {
            columns.push(match builder {
                Builder::Same(index) => columns[index].clone(),
                Builder::Offsets(index) => {
                    let [starts, ends] = &spans[index];
                    if column.form == PartForm::Start { starts.clone() } else { ends.clone() }
                }
                builder => builder.finish(nulls)?,
            });
        }
        Ok(columns)
    }
}

impl Spans {
    /// Appends a block; `rows` is the number of rows of all blocks.
    fn append(&mut self, block: &Block<'_>, rows: usize) {
        let Spans { part, present, spans } = self;
        let (batch, first) = (block.batch, present.len());
        if spans.ends.is_empty() && batch.surely_lacks(*part) {
            present.extend_absent(batch.len());
            return;
        }
        let starts = if PartSpans::has_starts(*part) { Some(&mut spans.starts) } else { None };
        for column in [starts, Some(&mut spans.ends)].into_iter().flatten() {
            column.reserve_exact(rows.saturating_sub(column.len()));
            column.resize(first, 0);
        }
        present.extend_with(batch.len(), |words| {
            simd::append_spans(batch.backend, *part, &batch.offsets, batch.len(), spans, words);
        });
        for index in block.null_records().map(|index| first + index) {
            present.clear(index);
            for column in [&mut spans.starts, &mut spans.ends] {
                if let Some(offset) = column.get_mut(index) {
                    *offset = 0;
                }
            }
        }
    }

    /// Returns the columns of starts and ends.
    fn finish(self) -> [ArrayRef; 2] {
        let Spans { present, spans, .. } = self;
        if present.are_none() {
            let nulls = kept::nulls(&DataType::Int32, present.len());
            return [nulls.clone(), nulls];
        }
        let rows = present.len();
        let nulls = present.finish_nulls();
        let column = |offsets: Vec<i32>| -> ArrayRef {
            if offsets.is_empty() {
                kept::zeros(rows, nulls.clone())
            } else {
                Arc::new(Int32Array::new(offsets.into(), nulls.clone()))
            }
        };
        [spans.starts, spans.ends].map(column)
    }
}

impl Builder {
    /// Appends a block to a column that does not depend on others.
    fn append(
        &mut self,
        column: ArrowColumn,
        block: &Block<'_>,
        places: &mut Places,
    ) -> Result<(), FunctionError> {
        let batch = block.batch;
        match (self, column.part()) {
            (Builder::Bools { present: None, values }, _) => {
                values.extend_words(batch.validity(), batch.len())
            }
            (Builder::Bools { present: Some(present), values }, _) => {
                present.extend_words(batch.validity(), batch.len());
                values.extend(batch.filled(Column::PathStart), |&start| start == ABSENT);
            }
            (Builder::Text(text), Some(part)) if batch.surely_lacks(part) => {
                text.append_absent(batch.len())?
            }
            (Builder::Text(text), Some(part)) => {
                places.find(part, batch);
                block.null_records().for_each(|index| places.remove(index));
                text.append(block, 0..batch.len(), places.all())?;
            }
            (Builder::Names { present, keys, .. }, Some(Part::Host)) => {
                let first = present.len();
                present.extend_present(batch.backend, batch.filled(Column::HostStart));
                append_host_kinds(block, keys);
                block.null_records().for_each(|index| present.clear(first + index));
            }
            (Builder::Names { present, keys, .. }, _) => {
                let first = present.len();
                present.extend_present(batch.backend, batch.filled(Column::AuthorityStart));
                append_authority_kinds(block, keys);
                block.null_records().for_each(|index| present.clear(first + index));
            }
            _ => unreachable!("text is that of a part, and others are not appended to"),
        }
        Ok(())
    }

    /// Returns a column that does not depend on others.
    fn finish(self, nulls: Option<&NullBuffer>) -> Result<ArrayRef, FunctionError> {
        Ok(match self {
            Builder::Bools { present, values } => {
                let present = present.and_then(Bits::finish_nulls);
                let present = NullBuffer::union(present.as_ref(), nulls);
                Arc::new(BooleanArray::new(values.finish(), present))
            }
            Builder::Text(text) => text.finish()?,
            // Only the kinds of hosts are a dictionary.
            Builder::Names { present, keys, dictionary: true, .. } => {
                host_kinds(keys, present.finish_nulls())?
            }
            Builder::Names { present, keys, names, dictionary: false } => {
                let present = present.finish();
                let names = keys.iter().zip(&present).map(|(&key, here)| here.then(|| names[key as usize]));
                Arc::new(names.collect::<StringArray>())
            }
            Builder::Offsets(_) | Builder::Same(_) => unreachable!("they are made of others"),
        })
    }
}

/// Returns the column of the kinds of hosts with these numbers.
fn host_kinds(keys: Vec<i8>, nulls: Option<NullBuffer>) -> Result<ArrayRef, FunctionError> {
    static KEPT: [Kept; HostKind::ALL.len()] = [const { Kept::new() }; HostKind::ALL.len()];

    let column = |keys: Vec<i8>, nulls| {
        DictionaryArray::<Int8Type>::try_new(Int8Array::new(keys.into(), nulls), HOST_KINDS.clone())
    };
    match keys.first() {
        // Usually all hosts are names. Arrow checks each key, which takes longer than finding that out.
        Some(&kind) if nulls.is_none() && keys.iter().fold(true, |all, &key| all & (key == kind)) => {
            let of_kind = |rows| column(vec![kind; rows], None).expect("the dictionary has all kinds");
            Ok(KEPT[kind as usize].column(keys.len(), |rows| Arc::new(of_kind(rows))))
        }
        _ => Ok(Arc::new(column(keys, nulls)?)),
    }
}

/// Appends the numbers of the kinds of all hosts.
fn append_host_kinds(block: &Block<'_>, keys: &mut Vec<i8>) {
    let (batch, first) = (block.batch, keys.len());
    let name = batch.rules.grammar().default_host_kind() as i8;
    keys.resize(first + batch.len(), name);
    for (index, kind) in batch.addresses(block.values, 0..batch.len()) {
        keys[first + index] = kind as i8;
    }
}

/// Appends the numbers of the kinds of all authorities.
fn append_authority_kinds(block: &Block<'_>, keys: &mut Vec<i8>) {
    let column = |column| block.batch.filled(column).iter();
    let columns =
        column(Column::HostStart).zip(column(Column::AuthorityStart).zip(column(Column::PathStart)));
    keys.extend(columns.map(|(&host_start, (&authority_start, &path_start))| {
        AuthorityKind::of(host_start, authority_start, path_start) as i8
    }));
}
