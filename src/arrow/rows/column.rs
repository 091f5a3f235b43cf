//! The columns that rows can have.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema, SchemaRef};

use super::kind::RowKind;
use crate::arrow::fields::{PartForm, Style, UriField, all_fields};
use crate::arrow::text::TextLayout;
use crate::grammar::Grammar;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowColumn {
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
    /// The offending byte in the line.
    ErrorColumn,
    Message,
    /// An invalid record as it is valid, where there is one way to mend it.
    Suggestion,
}

pub(super) const STYLE: Style = Style { text: TextLayout::Utf8, dictionary: true };

/// The columns of an error.
pub(super) const ERROR: [RowColumn; 3] =
    [RowColumn::ErrorKind, RowColumn::ErrorComponent, RowColumn::ErrorOffset];

impl RowColumn {
    pub(super) fn field(self) -> Field {
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
            RowColumn::ErrorColumn => ("error_column", DataType::Int64),
            RowColumn::Message => ("message", DataType::Utf8),
            RowColumn::Suggestion => ("suggestion", DataType::Utf8),
        };
        let is_there =
            matches!(self, RowColumn::File | RowColumn::Line | RowColumn::Start | RowColumn::Length);
        Field::new(name, data_type, !is_there)
    }

    /// Whether a user who names this name means the column, or this one among others. `picks_bytes` says whether they name `uri_bytes`
    /// somewhere: if not, it comes with `uri`, so that no record is missing.
    pub(super) fn is_named(self, name: &str, picks_bytes: bool) -> bool {
        let part = match self {
            RowColumn::Field(UriField::Part(part, PartForm::Start | PartForm::End)) => Some(part.name()),
            RowColumn::UriBytes if !picks_bytes => Some("uri"),
            column if ERROR.contains(&column) => Some("error"),
            _ => None,
        };
        self.field().name() == name || part == Some(name)
    }
}

/// All columns of rows, in their order.
pub(super) fn all_columns(kind: RowKind, grammar: Grammar) -> Vec<RowColumn> {
    let mut columns = vec![RowColumn::File, RowColumn::Line, RowColumn::Start, RowColumn::Length];
    if kind != RowKind::Offsets {
        columns.extend([RowColumn::Uri, RowColumn::UriBytes]);
    }
    let fields = match kind {
        RowKind::Components => all_fields(grammar, |part| vec![UriField::Part(part, PartForm::Text)]),
        RowKind::Offsets => all_fields(grammar, |part| {
            vec![UriField::Part(part, PartForm::Start), UriField::Part(part, PartForm::End)]
        }),
        RowKind::Errors => Vec::new(),
    };
    columns.extend(fields.into_iter().map(RowColumn::Field));
    columns.extend(ERROR);
    if kind == RowKind::Errors {
        columns.extend([RowColumn::ErrorColumn, RowColumn::Message]);
    }
    columns
}

/// A schema of these columns.
pub(super) fn schema(columns: &[RowColumn], metadata: HashMap<String, String>) -> SchemaRef {
    let fields: Vec<_> = columns.iter().map(|column| column.field()).collect();
    Arc::new(Schema::new_with_metadata(fields, metadata))
}
