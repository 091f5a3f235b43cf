//! The types of results.

use arrow_schema::DataType;

use super::all_fields::all_fields_type;
use crate::arrow::text::TextLayout;
use crate::arrow::{
    uri_error_type, uri_spans_type, url_extract_query_names_type, url_parameters_all_type,
    url_parameters_type,
};

/// The type of a function's results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ResultType {
    /// Booleans.
    Boolean,
    /// 64-bit integers.
    Integer,
    /// Text, in the [default layout](TextLayout::of) for the last column of the arguments.
    Text,
    /// Structs of the verdict and the components, with the fields of all grammars: in SQL, a function has one
    /// type. A field that the grammar lacks is NULL.
    Components,
    /// Structs of the verdict and the places of the components.
    Spans,
    /// Structs that describe errors.
    Error,
    /// Lists of texts.
    Texts,
    /// Maps from texts to texts.
    Map,
    /// Maps from texts to lists of texts.
    MapOfLists,
    /// The type of the field that an argument names.
    Field,
}

impl ResultType {
    /// Returns the type of the results for arrays of this type, and `None` if it depends on an argument.
    pub fn data_type(self, array: &DataType) -> Option<DataType> {
        let text = TextLayout::of(array);
        match self {
            ResultType::Boolean => Some(DataType::Boolean),
            ResultType::Integer => Some(DataType::Int64),
            ResultType::Text => Some(text.data_type()),
            ResultType::Components => Some(all_fields_type(text)),
            ResultType::Spans => Some(uri_spans_type()),
            ResultType::Error => Some(uri_error_type()),
            ResultType::Texts => Some(url_extract_query_names_type(array)),
            ResultType::Map => Some(url_parameters_type(array)),
            ResultType::MapOfLists => Some(url_parameters_all_type(array)),
            ResultType::Field => None,
        }
    }

    /// Returns the type as documentation names it.
    pub fn description(self) -> &'static str {
        match self {
            ResultType::Boolean => "boolean",
            ResultType::Integer => "64-bit integer",
            ResultType::Text => "text",
            ResultType::Components | ResultType::Spans | ResultType::Error => "struct",
            ResultType::Texts => "list of texts",
            ResultType::Map => "map of texts",
            ResultType::MapOfLists => "map of lists",
            ResultType::Field => "type of the field",
        }
    }
}
