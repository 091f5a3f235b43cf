//! `is_valid_uri`, `parse_uri`, `uri_spans`, `uri_error`, and `url_extract_*` (Presto's names).

use std::sync::Arc;

use arrow_array::{ArrayRef, StructArray, new_null_array};
use arrow_schema::{DataType, Fields};
use urivalidate::arrow::{
    ParseUri, TextLayout, uri_error, uri_error_type, uri_spans, uri_spans_type, url_extract, url_extract_type,
};
use urivalidate::{Component, Grammar, Validator};

use super::validator::validator;
use crate::failure::Failure;
use crate::scalar::{Choice, OptionType, Options, ScalarFunction, Work};

/// A function of a record and the name of a grammar.
#[derive(Clone, Copy)]
pub(crate) enum UriFunction {
    IsValid,
    Parse,
    Spans,
    Error,
    Extract(Component),
}

impl UriFunction {
    /// All functions. Presto has no name for the components that are missing here.
    pub(crate) const ALL: &'static [Self] = &[
        UriFunction::IsValid,
        UriFunction::Parse,
        UriFunction::Spans,
        UriFunction::Error,
        UriFunction::Extract(Component::Scheme),
        UriFunction::Extract(Component::Host),
        UriFunction::Extract(Component::Port),
        UriFunction::Extract(Component::Path),
        UriFunction::Extract(Component::Query),
        UriFunction::Extract(Component::Fragment),
    ];
}

impl ScalarFunction for UriFunction {
    fn name(&self) -> String {
        match self {
            UriFunction::IsValid => "is_valid_uri".to_owned(),
            UriFunction::Parse => "parse_uri".to_owned(),
            UriFunction::Spans => "uri_spans".to_owned(),
            UriFunction::Error => "uri_error".to_owned(),
            UriFunction::Extract(component) => format!("url_extract_{component}"),
        }
    }

    fn options(&self) -> Options {
        Options { required: &[], optional: &[OptionType::Text] }
    }

    fn data_type(&self) -> DataType {
        match self {
            UriFunction::IsValid => DataType::Boolean,
            UriFunction::Parse => DataType::Struct(all_fields()),
            UriFunction::Spans => uri_spans_type(),
            UriFunction::Error => uri_error_type(),
            UriFunction::Extract(component) => url_extract_type(*component, &DataType::LargeBinary),
        }
    }

    fn work(&self, options: &[Choice<'_>]) -> Result<Work, Failure> {
        let validator = validator(options.first(), Grammar::Uri)?;
        Ok(match *self {
            UriFunction::IsValid => Work::Judge(validator),
            UriFunction::Parse => {
                let (parse_uri, fields) = (parse_uri(validator), all_fields());
                Work::Map(Box::new(move |records| with_all_fields(parse_uri.parse(records[0])?, &fields)))
            }
            UriFunction::Spans => {
                Work::Map(Box::new(move |records| Ok(Arc::new(uri_spans(&validator, records[0])?))))
            }
            UriFunction::Error => {
                Work::Map(Box::new(move |records| Ok(Arc::new(uri_error(&validator, records[0])?))))
            }
            UriFunction::Extract(component) => {
                Work::Map(Box::new(move |records| Ok(url_extract(&validator, records[0], component)?)))
            }
        })
    }
}

fn parse_uri(validator: Validator) -> ParseUri {
    ParseUri::new(validator).text(TextLayout::LargeUtf8)
}

/// Returns the fields of all grammars. In the stable API, the type of a function's result cannot depend on the values of its arguments.
fn all_fields() -> Fields {
    match parse_uri(Validator::new(Grammar::Java)).data_type() {
        DataType::Struct(fields) => fields,
        _ => Fields::empty(),
    }
}

/// Adds the fields that the grammar does not have. They are all NULL.
fn with_all_fields(parsed: StructArray, fields: &Fields) -> Result<ArrayRef, Failure> {
    if parsed.num_columns() == fields.len() {
        return Ok(Arc::new(parsed));
    }
    let rows = arrow_array::Array::len(&parsed);
    let column = |field: &Arc<arrow_schema::Field>| {
        let column = parsed.column_by_name(field.name());
        column.cloned().unwrap_or_else(|| new_null_array(field.data_type(), rows))
    };
    let columns = fields.iter().map(column).collect();
    Ok(Arc::new(StructArray::try_new(fields.clone(), columns, arrow_array::Array::nulls(&parsed).cloned())?))
}
