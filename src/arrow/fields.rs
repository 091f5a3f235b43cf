//! The fields that say what a record is made of: each is a column that blocks of scanned records are appended to.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use arrow_array::types::Int8Type;
use arrow_array::{ArrayRef, BooleanArray, DictionaryArray, Int8Array, Int32Array, StringArray};
use arrow_buffer::{Buffer, NullBuffer};
use arrow_schema::{DataType, Field};

use super::FunctionError;
use super::bits::Bits;
use super::places::Places;
use super::strings::Block;
use super::text::{TextBuilder, TextLayout};
use crate::column::{ABSENT, Column, Columns};
use crate::components::{AuthorityKind, HostKind};
use crate::error::Component;
use crate::grammar::{Grammar, may_end_address};
use crate::part::Part;

/// What a field says of each record; all but the first say nothing of an invalid one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UriField {
    Valid,
    Part(Part, PartForm),
    HostKind,
    Opaque,
    AuthorityKind,
}

/// How a part of a record is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartForm {
    Text,
    /// In bytes from the record's first.
    Start,
    End,
}

/// How text and names are given.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub(super) text: TextLayout,
    /// Whether the kind of a host is a dictionary.
    pub(super) dictionary: bool,
}

/// The fields of `parse_uri`: `valid`, the components, and what the grammar adds.
pub(super) fn component_fields(grammar: Grammar) -> Vec<UriField> {
    let text = |part| vec![UriField::Part(part, PartForm::Text)];
    all_fields(grammar, text)
}

/// The fields of `uri_spans`: `valid`, and where the components start and end.
pub(super) fn span_fields() -> Vec<UriField> {
    let ends = |&component| {
        let part = Part::from(component);
        [UriField::Part(part, PartForm::Start), UriField::Part(part, PartForm::End)]
    };
    std::iter::once(UriField::Valid).chain(Component::ALL.iter().flat_map(ends)).collect()
}

/// `valid`, and of each part of a record what `shapes` says, with the kinds that the grammar has.
pub(super) fn all_fields(grammar: Grammar, shapes: impl Fn(Part) -> Vec<UriField>) -> Vec<UriField> {
    let mut fields = vec![UriField::Valid];
    for &component in Component::ALL {
        fields.extend(shapes(Part::from(component)));
        if component == Component::Host {
            fields.push(UriField::HostKind);
        }
    }
    // Opaque URIs and registry-based authorities.
    if grammar.has_opaque() {
        fields.extend(shapes(Part::SchemeSpecificPart));
        fields.extend([UriField::Opaque, UriField::AuthorityKind]);
    }
    fields
}

impl UriField {
    pub(super) fn name(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            UriField::Valid => "valid",
            UriField::Part(part, PartForm::Text) => part.name(),
            UriField::Part(part, PartForm::Start) => return format!("{part}_start").into(),
            UriField::Part(part, PartForm::End) => return format!("{part}_end").into(),
            UriField::HostKind => "host_kind",
            UriField::Opaque => "opaque",
            UriField::AuthorityKind => "authority_kind",
        })
    }

    /// The field of a schema.
    pub(super) fn field(self, style: Style) -> Field {
        let data_type = match self {
            UriField::Valid | UriField::Opaque => DataType::Boolean,
            UriField::Part(_, PartForm::Text) => style.text.data_type(),
            UriField::Part(..) => DataType::Int32,
            UriField::HostKind if style.dictionary => {
                DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8))
            }
            UriField::HostKind | UriField::AuthorityKind => DataType::Utf8,
        };
        Field::new(self.name(), data_type, true)
    }

    /// The columns of a batch that it is made of.
    pub(super) fn columns(self) -> Columns {
        match self {
            UriField::Valid => Columns::NONE,
            UriField::Part(part, _) => part.columns() | Column::Start,
            UriField::HostKind => Part::Host.columns(),
            UriField::Opaque => Column::PathStart.into(),
            UriField::AuthorityKind => Column::AuthorityStart | Column::HostStart | Column::PathStart,
        }
    }

    fn shape(self) -> Option<PartForm> {
        if let UriField::Part(_, shape) = self { Some(shape) } else { None }
    }

    /// The part whose place in a record it depends on.
    pub(super) fn part(self) -> Option<Part> {
        match self {
            UriField::Part(part, _) => Some(part),
            UriField::HostKind => Some(Part::Host),
            UriField::AuthorityKind => Some(Part::Authority),
            UriField::Valid | UriField::Opaque => None,
        }
    }
}

/// The dictionary of the kinds of hosts: one for all arrays, so that others see that they can put these together by their keys.
static HOST_KINDS: LazyLock<ArrayRef> =
    LazyLock::new(|| Arc::new(StringArray::from_iter_values(HostKind::ALL.iter().map(|kind| kind.name()))));

/// Some fields under way.
pub(super) struct FieldBuilders {
    builders: Vec<(UriField, Builder)>,
    places: Places,
}

enum Builder {
    Bools { present: Option<Bits>, values: Bits },
    Text(TextBuilder),
    Offsets { present: Bits, values: Vec<i32> },
    Names { present: Bits, keys: Vec<i8>, names: Vec<&'static str>, dictionary: bool },
}

impl FieldBuilders {
    /// Builders of `rows` rows that come from these data buffers, if they come from views.
    pub(super) fn new(kinds: &[UriField], style: Style, rows: usize, buffers: &[Buffer]) -> Self {
        let names = |names: Vec<&'static str>, dictionary| Builder::Names {
            present: Bits::default(),
            keys: Vec::with_capacity(rows),
            names,
            dictionary,
        };
        let builder = |&kind: &UriField| {
            let builder = match kind {
                UriField::Valid => Builder::Bools { present: None, values: Bits::default() },
                UriField::Opaque => {
                    Builder::Bools { present: Some(Bits::default()), values: Bits::default() }
                }
                UriField::Part(_, PartForm::Text) => {
                    Builder::Text(TextBuilder::new(style.text, rows, buffers))
                }
                UriField::Part(..) => {
                    Builder::Offsets { present: Bits::default(), values: Vec::with_capacity(rows) }
                }
                UriField::HostKind => {
                    names(HostKind::ALL.iter().map(|kind| kind.name()).collect(), style.dictionary)
                }
                UriField::AuthorityKind => {
                    names(AuthorityKind::ALL.iter().map(|kind| kind.name()).collect(), false)
                }
            };
            (kind, builder)
        };
        FieldBuilders { builders: kinds.iter().map(builder).collect(), places: Places::default() }
    }

    /// Appends a row for each record of a block.
    pub(super) fn append(&mut self, block: &Block<'_>) -> Result<(), FunctionError> {
        let FieldBuilders { builders, places } = self;
        let mut found = None;
        for (kind, builder) in builders {
            if let Some(part) = kind.part()
                && found != Some(part)
            {
                places.find(part, block.batch);
                block.null_records().for_each(|index| places.remove(index));
                found = Some(part);
            }
            builder.append(*kind, block, places)?;
        }
        Ok(())
    }

    /// The columns. Rows that are `nulls` are neither valid nor invalid.
    pub(super) fn finish(self, nulls: Option<&NullBuffer>) -> Result<Vec<ArrayRef>, FunctionError> {
        self.builders.into_iter().map(|(_, builder)| builder.finish(nulls)).collect()
    }
}

impl Builder {
    fn append(&mut self, kind: UriField, block: &Block<'_>, places: &Places) -> Result<(), FunctionError> {
        let batch = block.batch;
        match self {
            Builder::Bools { present: None, values } => values.extend_words(batch.validity(), batch.len()),
            Builder::Bools { present: Some(present), values } => {
                present.extend_words(batch.validity(), batch.len());
                values.extend(batch.filled(Column::PathStart), |&start| start == ABSENT);
            }
            Builder::Text(text) => text.append(block, places)?,
            Builder::Offsets { present, values } => {
                present.extend(&places.starts, |&start| start != ABSENT);
                let ends = if kind.shape() == Some(PartForm::Start) { &places.starts } else { &places.ends };
                let ends = ends.iter().zip(batch.filled(Column::Start));
                let offset =
                    |(&end, &start): (&u32, &u32)| if end == ABSENT { 0 } else { (end - start) as i32 };
                values.extend(ends.map(offset));
            }
            Builder::Names { present, keys, .. } => {
                present.extend(&places.starts, |&start| start != ABSENT);
                match kind {
                    UriField::HostKind => append_host_kinds(block, places, keys),
                    _ => append_authority_kinds(block, keys),
                }
            }
        }
        Ok(())
    }

    fn finish(self, nulls: Option<&NullBuffer>) -> Result<ArrayRef, FunctionError> {
        Ok(match self {
            Builder::Bools { present, values } => {
                let present = present.and_then(Bits::finish_nulls);
                let present = NullBuffer::union(present.as_ref(), nulls);
                Arc::new(BooleanArray::new(values.finish(), present))
            }
            Builder::Text(text) => text.finish()?,
            Builder::Offsets { present, values } => {
                Arc::new(Int32Array::new(values.into(), present.finish_nulls()))
            }
            // Of these only hosts have any.
            Builder::Names { present, keys, dictionary: true, .. } => {
                let keys = Int8Array::new(keys.into(), present.finish_nulls());
                Arc::new(DictionaryArray::<Int8Type>::try_new(keys, HOST_KINDS.clone())?)
            }
            Builder::Names { present, keys, names, dictionary: false } => {
                let present = present.finish();
                let names = keys.iter().zip(&present).map(|(&key, here)| here.then(|| names[key as usize]));
                Arc::new(names.collect::<StringArray>())
            }
        })
    }
}

/// Appends the numbers of the kinds of all hosts. Most are told by their last byte.
fn append_host_kinds(block: &Block<'_>, places: &Places, keys: &mut Vec<i8>) {
    let (rules, values) = (block.batch.rules, block.values);
    let plain = rules.grammar().plain_host_kind() as i8;
    keys.extend(places.starts.iter().zip(&places.ends).map(|(&start, &end)| {
        // What is absent has no last byte.
        let last = values.get((end as usize).wrapping_sub(1)).copied().unwrap_or_default();
        if may_end_address(last) {
            rules.host_kind(&values[start as usize..end as usize]) as i8
        } else {
            plain
        }
    }));
}

/// Appends the numbers of the kinds of all authorities.
fn append_authority_kinds(block: &Block<'_>, keys: &mut Vec<i8>) {
    let column = |column| block.batch.filled(column).iter();
    let columns =
        column(Column::HostStart).zip(column(Column::AuthorityStart).zip(column(Column::PathStart)));
    keys.extend(columns.map(|(&host_start, (authority_start, path_start))| {
        let is_server = host_start != ABSENT || authority_start == path_start;
        (if is_server { AuthorityKind::Server } else { AuthorityKind::Registry }) as i8
    }));
}
