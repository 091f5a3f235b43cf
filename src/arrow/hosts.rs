//! `uri_host_reversed` and `uri_host_ascii`: texts made of hosts.

use arrow_array::{Array, ArrayRef};

use super::FunctionError;
use super::made::{BlockText, Value};
use super::strings::each_string;
use super::text::{TextBuilder, TextLayout};
use crate::column::Column;
use crate::derived::{HostColumn, HostValues};
use crate::part::Part;
use crate::row_column::RowColumn;
use crate::validator::Validator;

/// Returns the labels of the host of each string, in its normal form and in reverse order; NULL if the string
/// is invalid or NULL, or its host is no name. The text has the [default layout](TextLayout::of) for the
/// array.
///
/// ```
/// use arrow_array::StringArray;
/// use arrow_array::cast::AsArray;
/// use urivalidate::arrow::uri_host_reversed;
/// use urivalidate::{Grammar, Validator};
///
/// let uris = StringArray::from(vec!["http://www.Example.com/", "http://192.0.2.1/"]);
/// let hosts = uri_host_reversed(&Validator::new(Grammar::Uri), &uris)?;
/// assert_eq!(hosts.as_string::<i32>(), &StringArray::from(vec![Some("com.example.www"), None]));
/// # Ok::<(), urivalidate::arrow::FunctionError>(())
/// ```
///
/// # Errors
///
/// Returns an error if the array holds no strings, or the results are too long for 32-bit offsets.
pub fn uri_host_reversed(validator: &Validator, array: &dyn Array) -> Result<ArrayRef, FunctionError> {
    made_of_hosts(validator, array, RowColumn::HostReversed)
}

/// Returns the host of each string in ASCII: a name beyond ASCII in Punycode, by UTS 46 without transitional
/// processing, as browsers look it up; NULL if the string is invalid or NULL, has no host, or UTS 46 forbids
/// the name. The text has the [default layout](TextLayout::of) for the array.
///
/// ```
/// use arrow_array::StringArray;
/// use arrow_array::cast::AsArray;
/// use urivalidate::arrow::uri_host_ascii;
/// use urivalidate::{Grammar, Validator};
///
/// let uris = StringArray::from(vec!["http://B\u{fc}cher.example/", "http://[::1]/"]);
/// let hosts = uri_host_ascii(&Validator::new(Grammar::Iri), &uris)?;
/// assert_eq!(hosts.as_string::<i32>(), &StringArray::from(vec!["xn--bcher-kva.example", "[::1]"]));
/// # Ok::<(), urivalidate::arrow::FunctionError>(())
/// ```
///
/// # Errors
///
/// Returns the same errors as [`uri_host_reversed`].
#[cfg(feature = "domains")]
pub fn uri_host_ascii(validator: &Validator, array: &dyn Array) -> Result<ArrayRef, FunctionError> {
    made_of_hosts(validator, array, RowColumn::HostAscii)
}

fn made_of_hosts(
    validator: &Validator,
    array: &dyn Array,
    column: RowColumn,
) -> Result<ArrayRef, FunctionError> {
    let text = TextLayout::of(array.data_type());
    let column = HostColumn::of(column).expect("callers pass columns of hosts");
    each_string(array, |strings| {
        let (mut hosts, mut values) = (HostValues::new(column, validator.rules()), BlockText::default());
        let mut builder = TextBuilder::new(text, strings.len(), strings.buffers());
        strings.scan(validator, Part::Host.columns() | Column::Start, |block| {
            values.begin(Part::Host, block);
            for index in 0..block.batch.len() {
                values.set(index, |place, made| match hosts.find(&block.values[place.clone()]) {
                    None => Value::Null,
                    Some(host) if *host == block.values[place.clone()] => Value::Part,
                    Some(host) => {
                        made.extend_from_slice(host);
                        Value::Made
                    }
                })?;
            }
            values.append_to(&mut builder, block)
        })?;
        builder.finish()
    })
}
