//! `parse_uri` with the fields of all grammars.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, StructArray};
use arrow_schema::DataType;

use crate::arrow::FunctionError;
use crate::arrow::kept;
use crate::arrow::parse_uri::ParseUri;
use crate::arrow::text::TextLayout;
use crate::grammar::Grammar;
use crate::validator::Validator;

/// Returns the function whose results have the fields of all grammars.
fn with_all_fields(text: TextLayout) -> ParseUri {
    ParseUri::new(Validator::new(Grammar::Java)).text(text)
}

/// Returns the type of [`parse_all_fields`]'s results.
pub(super) fn all_fields_type(text: TextLayout) -> DataType {
    with_all_fields(text).data_type()
}

/// Splits the strings of an array into their components. A field that the grammar lacks is NULL.
pub(super) fn parse_all_fields(validator: Validator, array: &dyn Array) -> Result<ArrayRef, FunctionError> {
    let text = TextLayout::of(array.data_type());
    let parsed = ParseUri::new(validator).text(text).parse(array)?;
    let fields = with_all_fields(text).schema();
    let columns = fields.iter().map(|field| match parsed.column_by_name(field.name()) {
        Some(column) => column.clone(),
        None => kept::nulls(field.data_type(), parsed.len()),
    });
    let (columns, nulls) = (columns.collect(), parsed.nulls().cloned());
    Ok(Arc::new(StructArray::try_new_with_length(fields, columns, nulls, parsed.len())?))
}

/// Returns the single field of [`parse_all_fields`] with this name, without making the others.
pub(super) fn parse_field(
    validator: Validator,
    array: &dyn Array,
    name: &str,
) -> Result<ArrayRef, FunctionError> {
    let text = TextLayout::of(array.data_type());
    let known = with_all_fields(text).fields(&[name])?;
    match ParseUri::new(validator).text(text).fields(&[name]) {
        Ok(parse_uri) => Ok(parse_uri.parse(array)?.column(0).clone()),
        // The grammar lacks the field.
        Err(_) => Ok(kept::nulls(known.schema()[0].data_type(), array.len())),
    }
}
