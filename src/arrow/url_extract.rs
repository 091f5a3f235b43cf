//! `url_extract_protocol`, `_host`, `_port`, `_path`, `_query` and `_fragment`: single components under
//! Presto's names.

use std::sync::Arc;

use arrow_array::builder::Int64Builder;
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;

use super::FunctionError;
use super::places::Places;
use super::strings::each_string;
use super::text::{TextBuilder, TextLayout};
use crate::column::{ABSENT, Column};
use crate::error::Component;
use crate::part::Part;
use crate::validator::Validator;

/// Returns one component of each string of an array; NULL if the string is invalid or NULL, or lacks the
/// component. The text has the [default layout](TextLayout::of) for the array. A port is a number, which is
/// NULL if the port is empty or does not fit into 64 bits.
///
/// ```
/// use arrow_array::{Int64Array, StringArray};
/// use arrow_array::cast::AsArray;
/// use arrow_array::types::Int64Type;
/// use urivalidate::arrow::url_extract;
/// use urivalidate::{Component, Grammar, Validator};
///
/// let uris = StringArray::from(vec!["http://h:080/", "http://h:/", "http://h/"]);
/// let ports = url_extract(&Validator::new(Grammar::Uri), &uris, Component::Port)?;
/// assert_eq!(ports.as_primitive::<Int64Type>(), &Int64Array::from(vec![Some(80), None, None]));
/// # Ok::<(), urivalidate::arrow::FunctionError>(())
/// ```
///
/// # Errors
///
/// Returns an error if the array holds no strings, or the results are too long for 32-bit offsets.
pub fn url_extract(
    validator: &Validator,
    array: &dyn Array,
    component: Component,
) -> Result<ArrayRef, FunctionError> {
    let text = TextLayout::of(array.data_type());
    let part = Part::from(component);
    let columns = part.columns() | Column::Start;
    each_string(array, |strings| {
        let mut places = Places::default();
        let mut texts = TextBuilder::new(text, strings.len(), strings.buffers());
        let mut ports = Int64Builder::new();
        strings.scan(validator, columns, |block| {
            places.find(part, block.batch);
            block.null_records().for_each(|index| places.remove(index));
            if component != Component::Port {
                return texts.append(block, 0..block.batch.len(), places.all());
            }
            ports.extend(places.starts.iter().zip(&places.ends).map(|(&start, &end)| {
                let port = if start == ABSENT { &[] } else { &block.values[start as usize..end as usize] };
                port_number(port)
            }));
            Ok(())
        })?;
        if component == Component::Port { Ok(Arc::new(ports.finish())) } else { texts.finish() }
    })
}

/// Returns the type of [`url_extract`]'s results for arrays of this type.
pub fn url_extract_type(component: Component, array: &DataType) -> DataType {
    if component == Component::Port { DataType::Int64 } else { TextLayout::of(array).data_type() }
}

fn port_number(port: &[u8]) -> Option<i64> {
    std::str::from_utf8(port).ok()?.parse().ok()
}
