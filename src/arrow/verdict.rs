//! `is_valid_uri` and `uri_error`: the verdicts and errors of strings.

use std::sync::Arc;

use arrow_array::builder::{ArrayBuilder, Int32Builder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BooleanArray, StructArray};
use arrow_schema::{DataType, Field, Fields};

use super::FunctionError;
use super::bits::Bits;
use super::strings::{Strings, each_string};
use crate::column::Columns;
use crate::error::Error;
use crate::memory;
use crate::validator::Validator;

/// Returns whether each string of an array is valid; NULL for NULL.
///
/// The array may be of any type of strings or binary values, or a dictionary of them.
///
/// ```
/// use arrow_array::{BooleanArray, StringArray};
/// use urivalidate::arrow::is_valid_uri;
/// use urivalidate::{Grammar, Validator};
///
/// let uris = StringArray::from(vec![Some("http://h/"), Some("http://h/a b"), None]);
/// let valid = is_valid_uri(&Validator::new(Grammar::Uri), &uris)?;
/// assert_eq!(valid, BooleanArray::from(vec![Some(true), Some(false), None]));
/// # Ok::<(), urivalidate::arrow::FunctionError>(())
/// ```
///
/// # Errors
///
/// Returns an error if the array holds no strings.
pub fn is_valid_uri(validator: &Validator, array: &dyn Array) -> Result<BooleanArray, FunctionError> {
    let valid = each_string(array, |strings| {
        let mut bits = Bits::default();
        strings.scan(validator, Columns::NONE, |block| {
            bits.extend_words(block.batch.validity(), block.batch.len());
            Ok(())
        })?;
        Ok(Arc::new(BooleanArray::new(bits.finish(), strings.nulls.cloned())))
    })?;
    Ok(valid.as_boolean().clone())
}

/// Returns the error of each string of an array: a struct of `kind`, `component` and `message`, which are
/// strings, and `offset`, a 32-bit byte offset in the string. NULL for a valid string, and for NULL.
///
/// ```
/// use arrow_array::StringArray;
/// use arrow_array::cast::AsArray;
/// use arrow_array::types::Int32Type;
/// use urivalidate::arrow::uri_error;
/// use urivalidate::{Grammar, Validator};
///
/// let uris = StringArray::from(vec!["http://h/", "http://h/a b"]);
/// let errors = uri_error(&Validator::new(Grammar::Uri), &uris)?;
/// assert_eq!(errors.column_by_name("kind").unwrap().as_string::<i32>().value(1), "space");
/// assert_eq!(errors.column_by_name("offset").unwrap().as_primitive::<Int32Type>().value(1), 10);
/// # Ok::<(), urivalidate::arrow::FunctionError>(())
/// ```
///
/// # Errors
///
/// Returns an error if the array holds no strings.
pub fn uri_error(validator: &Validator, array: &dyn Array) -> Result<StructArray, FunctionError> {
    let errors = each_string(array, |strings| Ok(Arc::new(errors(validator, strings)?)))?;
    Ok(errors.as_struct().clone())
}

/// Returns the type of [`uri_error`]'s results.
pub fn uri_error_type() -> DataType {
    DataType::Struct(error_fields())
}

fn error_fields() -> Fields {
    let text = |name| Field::new(name, DataType::Utf8, true);
    [text("kind"), text("component"), Field::new("offset", DataType::Int32, true), text("message")]
        .into_iter()
        .collect()
}

fn errors(validator: &Validator, strings: &Strings<'_>) -> Result<StructArray, FunctionError> {
    let mut builder = ErrorBuilder::default();
    memory::room_for(strings.len().saturating_mul(ErrorBuilder::ROW))?;
    strings.scan(validator, Columns::NONE, |block| {
        builder.ask()?;
        for invalid in block.batch.invalid() {
            let row = block.first + invalid.index as usize;
            if strings.nulls.is_none_or(|nulls| nulls.is_valid(row)) {
                builder.append_nulls(row);
                builder.append(&invalid.error);
            }
        }
        Ok(())
    })?;
    builder.append_nulls(strings.len());
    let columns = builder.finish();
    // Every error has a kind, so the nulls of this column are those of the struct.
    let nulls = columns[0].nulls().cloned();
    Ok(StructArray::try_new(error_fields(), columns.into(), nulls)?)
}

/// Builders of the columns of errors.
#[derive(Default)]
pub(super) struct ErrorBuilder {
    kind: StringBuilder,
    component: StringBuilder,
    offset: Int32Builder,
    message: StringBuilder,
    lacks_messages: bool,
}

impl ErrorBuilder {
    /// The bytes of a row without texts.
    const ROW: usize = 4 * size_of::<i32>();

    /// The most bytes of the messages of a block.
    const BLOCK: usize = 4 << 20;

    /// Returns builders with room for `rows` rows. Without `has_messages`, all messages are NULL.
    #[cfg(feature = "corpus")]
    pub(super) fn new(rows: usize, has_messages: bool) -> Self {
        let text = || StringBuilder::with_capacity(rows, 0);
        ErrorBuilder {
            kind: text(),
            component: text(),
            offset: Int32Builder::with_capacity(rows),
            message: text(),
            lacks_messages: !has_messages,
        }
    }

    /// Asks for the memory of another block. The builders double their memory without asking.
    fn ask(&self) -> Result<(), FunctionError> {
        let texts = [&self.kind, &self.component, &self.message].map(|text| text.values_slice().len());
        if i32::try_from(texts[2] + Self::BLOCK).is_err() {
            return Err(FunctionError::TooLong(DataType::Utf8));
        }
        memory::room_for(2 * (texts.iter().sum::<usize>() + self.offset.len() * Self::ROW))?;
        Ok(())
    }

    /// Appends nulls until there are `rows` rows.
    pub(super) fn append_nulls(&mut self, rows: usize) {
        let count = rows - self.kind.len();
        self.kind.append_nulls(count);
        self.component.append_nulls(count);
        self.offset.append_nulls(count);
        self.message.append_nulls(count);
    }

    pub(super) fn append(&mut self, error: &Error) {
        self.kind.append_value(error.kind().name());
        self.component.append_option(error.component().map(|component| component.name()));
        self.offset.append_value(error.offset() as i32);
        self.message.append_option((!self.lacks_messages).then(|| error.to_string()));
    }

    /// Appends an error of a line without a record. It has no component and no offset.
    #[cfg(feature = "corpus")]
    pub(super) fn append_other(&mut self, kind: &str, message: &str) {
        self.kind.append_value(kind);
        self.component.append_null();
        self.offset.append_null();
        self.message.append_value(message);
    }

    /// Returns the columns kind, component, offset and message.
    pub(super) fn finish(mut self) -> [ArrayRef; 4] {
        [
            Arc::new(self.kind.finish()),
            Arc::new(self.component.finish()),
            Arc::new(self.offset.finish()),
            Arc::new(self.message.finish()),
        ]
    }
}
