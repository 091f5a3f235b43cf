//! The columns of record batches of rows.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::{Schema, SchemaRef};

use crate::arrow::fields::{ArrowColumn, PartForm, Style};
use crate::arrow::text::TextLayout;
use crate::grammar::Grammar;
use crate::row_column::{CellType, RowColumn, RowKind};

pub(super) const STYLE: Style = Style { text: TextLayout::Utf8, dictionary: true };

/// Returns the default columns of rows, in order.
pub(super) fn default_columns(kind: RowKind, grammar: Grammar) -> Vec<ArrowColumn> {
    in_batches(kind, RowColumn::defaults(kind, grammar))
}

/// Returns all columns that can be picked: the default columns, in order, and then the others.
pub(super) fn all_columns(kind: RowKind, grammar: Grammar) -> Vec<ArrowColumn> {
    let mut columns = default_columns(kind, grammar);
    columns.extend(in_batches(kind, RowColumn::others(kind, grammar)));
    columns
}

fn in_batches(kind: RowKind, columns: Vec<RowColumn>) -> Vec<ArrowColumn> {
    let columns = columns.into_iter().filter(|column| column.cell_type() != CellType::Error);
    if kind == RowKind::Offsets {
        columns.flat_map(ArrowColumn::ends).collect()
    } else {
        columns.map(ArrowColumn::whole).collect()
    }
}

/// Returns true if the column is among the columns that `name` selects. `picks_bytes` is true if the user
/// also names `uri_bytes`; otherwise `uri` selects it, too, so that no record is missing.
pub(super) fn is_named(column: ArrowColumn, name: &str, picks_bytes: bool) -> bool {
    let whole = match column.column {
        _ if column.form != PartForm::Whole => Some(column.column),
        RowColumn::UriBytes if !picks_bytes => Some(RowColumn::Uri),
        part if RowColumn::ERROR_PARTS.contains(&part) => Some(RowColumn::Error),
        _ => None,
    };
    column.name() == name || whole.is_some_and(|whole| whole.name() == name)
}

/// Returns a schema of these columns.
pub(super) fn schema(columns: &[ArrowColumn], metadata: HashMap<String, String>) -> SchemaRef {
    let fields: Vec<_> = columns.iter().map(|column| column.field(STYLE)).collect();
    Arc::new(Schema::new_with_metadata(fields, metadata))
}
