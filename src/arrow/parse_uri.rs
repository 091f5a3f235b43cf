//! `parse_uri` and `uri_spans`: the components of the strings of an array.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, StructArray};
use arrow_schema::{DataType, Fields};

use super::FunctionError;
use super::fields::{ArrowColumn, FieldBuilders, Style, component_fields, span_fields};
use super::strings::{Strings, each_string};
use super::text::TextLayout;
use crate::column::Columns;
use crate::validator::Validator;

/// Splits the strings of arrays into their components: a struct of `valid`, `scheme`, `authority`,
/// `userinfo`, `host`, `host_kind`, `port`, `path`, `query` and `fragment`, and with the grammars `rfc2396`
/// and `java` also `scheme_specific_part`, `opaque` and `authority_kind`.
///
/// `valid` and `opaque` are boolean, all other fields text. An absent component is NULL, an empty component
/// `''`. For an invalid string, `valid` is false and all other fields are NULL. The result for NULL is NULL.
///
/// ```
/// use arrow_array::StringArray;
/// use arrow_array::cast::AsArray;
/// use urivalidate::arrow::ParseUri;
/// use urivalidate::{Grammar, Validator};
///
/// let uris = StringArray::from(vec!["http://example.com/a?b", "mailto:a@b"]);
/// let parsed = ParseUri::new(Validator::new(Grammar::Uri)).fields(&["host", "path"])?.parse(&uris)?;
/// let hosts = parsed.column(0).as_string::<i32>();
/// assert_eq!(hosts, &StringArray::from(vec![Some("example.com"), None]));
/// # Ok::<(), urivalidate::arrow::FunctionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ParseUri {
    validator: Validator,
    columns: Vec<ArrowColumn>,
    style: Style,
}

impl ParseUri {
    /// Returns a parser with all fields and copied text.
    pub fn new(validator: Validator) -> Self {
        let style = Style { text: TextLayout::Utf8, dictionary: true };
        ParseUri { validator, columns: component_fields(validator.grammar()), style }
    }

    /// Selects the fields of these names, in this order.
    ///
    /// # Errors
    ///
    /// Returns an error if no field has one of these names, or a field is named twice.
    pub fn fields(mut self, names: &[impl AsRef<str>]) -> Result<Self, FunctionError> {
        let all = component_fields(self.validator.grammar());
        self.columns.clear();
        for name in names.iter().map(AsRef::as_ref) {
            let kind = named(&all, name)?;
            if self.columns.contains(&kind) {
                return Err(FunctionError::RepeatedField(name.to_owned()));
            }
            self.columns.push(kind);
        }
        Ok(self)
    }

    /// Sets the layout of the text in the results.
    #[must_use]
    pub fn text(mut self, text: TextLayout) -> Self {
        self.style.text = text;
        self
    }

    /// Sets whether `host_kind` is a dictionary, which is the default, or plain strings.
    #[must_use]
    pub fn dictionary(mut self, dictionary: bool) -> Self {
        self.style.dictionary = dictionary;
        self
    }

    /// Returns the type of the results.
    pub fn data_type(&self) -> DataType {
        DataType::Struct(self.schema())
    }

    /// Returns the fields of the results.
    pub(super) fn schema(&self) -> Fields {
        schema(&self.columns, self.style)
    }

    /// Splits the strings of an array into their components.
    ///
    /// The array may be of any type of strings or binary values, or a dictionary of them.
    ///
    /// # Errors
    ///
    /// Returns an error if the array holds no strings, or the results are too long for 32-bit offsets.
    pub fn parse(&self, array: &dyn Array) -> Result<StructArray, FunctionError> {
        make(&self.validator, array, &self.columns, self.style)
    }
}

/// Returns the places of each string's components: a struct of `valid`, and of `scheme_start`, `scheme_end`,
/// and so on for each [`Component`](crate::Component). Starts and ends are 32-bit byte offsets in the string,
/// and the range excludes the end; both are NULL if the component is absent.
///
/// # Errors
///
/// Returns an error if the array holds no strings.
pub fn uri_spans(validator: &Validator, array: &dyn Array) -> Result<StructArray, FunctionError> {
    make(validator, array, &span_fields(), NO_TEXT)
}

/// Returns the single field of [`uri_spans`] with this name.
///
/// # Errors
///
/// Returns an error if no field has this name, or the array holds no strings.
pub fn uri_spans_field(
    validator: &Validator,
    array: &dyn Array,
    name: &str,
) -> Result<ArrayRef, FunctionError> {
    let kind = named(&span_fields(), name)?;
    Ok(make(validator, array, &[kind], NO_TEXT)?.column(0).clone())
}

/// Returns the type of [`uri_spans`]'s results.
pub fn uri_spans_type() -> DataType {
    DataType::Struct(schema(&span_fields(), NO_TEXT))
}

const NO_TEXT: Style = Style { text: TextLayout::Utf8, dictionary: false };

/// Returns the field of this name.
fn named(all: &[ArrowColumn], name: &str) -> Result<ArrowColumn, FunctionError> {
    match all.iter().find(|kind| kind.name() == name) {
        Some(kind) => Ok(*kind),
        None => {
            let known = all.iter().map(|kind| kind.name().into_owned()).collect();
            Err(FunctionError::UnknownField { name: name.to_owned(), known })
        }
    }
}

fn schema(columns: &[ArrowColumn], style: Style) -> Fields {
    columns.iter().map(|kind| kind.field(style)).collect()
}

fn make(
    validator: &Validator,
    array: &dyn Array,
    fields: &[ArrowColumn],
    style: Style,
) -> Result<StructArray, FunctionError> {
    let columns = fields.iter().fold(Columns::NONE, |columns, kind| columns | kind.columns());
    let parse = |strings: &Strings<'_>| -> Result<StructArray, FunctionError> {
        let mut builders = FieldBuilders::new(fields, style, strings.len(), strings.buffers());
        strings.scan(validator, columns, |block| builders.append(block))?;
        let arrays = builders.finish(strings.nulls)?;
        let nulls = strings.nulls.cloned();
        let fields = schema(fields, style);
        Ok(StructArray::try_new_with_length(fields, arrays, nulls, strings.len())?)
    };
    let parsed = each_string(array, |strings| Ok(Arc::new(parse(strings)?)))?;
    Ok(parsed.as_struct().clone())
}
