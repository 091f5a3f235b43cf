//! `suggest_uri` and `to_uri`: URIs made from records that are none.

use arrow_array::{Array, ArrayRef};

use super::FunctionError;
use super::derived::each_record;
use super::made::{BlockText, Value};
use super::strings::each_string;
use super::text::{TextBuilder, TextLayout};
use crate::column::Columns;
use crate::part::Part;
use crate::validator::Validator;

/// Returns each invalid string of an array, repaired, if only one repair is likely: see
/// [`Validator::suggest`]. NULL if the string is valid or NULL, or has no such repair. The text has the
/// [default layout](TextLayout::of) for the array.
///
/// ```
/// use arrow_array::StringArray;
/// use arrow_array::cast::AsArray;
/// use urivalidate::arrow::suggest_uri;
/// use urivalidate::{Grammar, Validator};
///
/// let uris = StringArray::from(vec!["http://h/a b", "http://h/", "h"]);
/// let suggested = suggest_uri(&Validator::new(Grammar::Uri), &uris)?;
/// assert_eq!(suggested.as_string::<i32>(), &StringArray::from(vec![Some("http://h/a%20b"), None, None]));
/// # Ok::<(), urivalidate::arrow::FunctionError>(())
/// ```
///
/// # Errors
///
/// Returns an error if the array holds no strings, or the results are too long for 32-bit offsets.
pub fn suggest_uri(validator: &Validator, array: &dyn Array) -> Result<ArrayRef, FunctionError> {
    let text = TextLayout::of(array.data_type());
    each_string(array, |strings| {
        let mut values = BlockText::default();
        let mut column = TextBuilder::new(text, strings.len(), strings.buffers());
        strings.scan(validator, Columns::RECORDS, |block| {
            values.begin(Part::Record, block);
            for index in 0..block.batch.len() {
                values.set(index, |place, made| {
                    let is_valid = block.batch.is_valid(index);
                    let suggestion =
                        if is_valid { None } else { validator.suggest(&block.values[place.clone()]) };
                    match suggestion {
                        Some(suggestion) => {
                            made.extend_from_slice(&suggestion);
                            Value::Made
                        }
                        None => Value::Null,
                    }
                })?;
            }
            values.append_to(&mut column, block)
        })?;
        column.finish()
    })
}

/// Returns the URI of each IRI of an array: see [`Validator::to_uri`]. NULL if the string is invalid or NULL.
/// The text has the [default layout](TextLayout::of) for the array.
///
/// ```
/// use arrow_array::StringArray;
/// use arrow_array::cast::AsArray;
/// use urivalidate::arrow::to_uri;
/// use urivalidate::{Grammar, Validator};
///
/// let uris = to_uri(&Validator::new(Grammar::Iri), &StringArray::from(vec!["http://h/\u{e9}", "a b"]))?;
/// assert_eq!(uris.as_string::<i32>(), &StringArray::from(vec![Some("http://h/%C3%A9"), None]));
/// # Ok::<(), urivalidate::arrow::FunctionError>(())
/// ```
///
/// # Errors
///
/// Returns the same errors as [`suggest_uri`].
pub fn to_uri(validator: &Validator, array: &dyn Array) -> Result<ArrayRef, FunctionError> {
    let text = TextLayout::of(array.data_type());
    each_string(array, |strings| {
        each_record(strings, text, |_, record, made| match validator.to_uri(record, made) {
            Ok(Some(_)) => Value::Made,
            Ok(None) => Value::Part,
            Err(_) => Value::Null,
        })
    })
}
