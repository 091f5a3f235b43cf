//! `url_extract_query_names`, `url_parameters` and `url_parameters_all`: all parameters of a query, as lists
//! and maps.
//!
//! Names and values are decoded as [`url_decode`](super::url_decode) does it. The names of a query are sorted
//! to find equal ones: a query may have as many names as bytes.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, GenericStringArray, ListArray, MapArray, OffsetSizeTrait, StructArray};
use arrow_buffer::{Buffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field, FieldRef, Fields};

use super::FunctionError;
use super::bits::Bits;
use super::made::Value;
use super::places::Places;
use super::strings::each_string;
use super::text::TextLayout;
use super::url_coding::decode;
use crate::column::{ABSENT, Column};
use crate::memory::try_reserve;
use crate::part::Part;
use crate::query::parameters;
use crate::validator::Validator;

/// Returns the names of the parameters in the query of each string of an array, decoded as by
/// [`url_decode`](super::url_decode), in their order: a list of texts, which has a name as often as the query
/// has it. NULL if the string is invalid or NULL, or has no query.
///
/// ```
/// use arrow_array::StringArray;
/// use arrow_array::cast::AsArray;
/// use urivalidate::arrow::url_extract_query_names;
/// use urivalidate::{Grammar, Validator};
///
/// let uris = StringArray::from(vec!["http://h/?b=1&a+c&b=2"]);
/// let names = url_extract_query_names(&Validator::new(Grammar::Uri), &uris)?;
/// let names = names.as_list::<i32>().value(0);
/// assert_eq!(names.as_string::<i32>(), &StringArray::from(vec!["b", "a c", "b"]));
/// # Ok::<(), urivalidate::arrow::FunctionError>(())
/// ```
///
/// # Errors
///
/// Returns an error if the array holds no strings, memory runs out, or the results are too long for 32-bit
/// offsets.
pub fn url_extract_query_names(validator: &Validator, array: &dyn Array) -> Result<ArrayRef, FunctionError> {
    let is_large = is_large(array.data_type());
    of_queries(validator, array, |queries| {
        let (mut names, mut lists) = (Texts::default(), Ends::default());
        let nulls = queries(&mut |query| {
            for parameter in query.into_iter().flat_map(parameters) {
                names.push(parameter.name)?;
            }
            lists.push(names.len())
        })?;
        let names = names.finish(is_large)?;
        Ok(Arc::new(ListArray::try_new(
            item(names.data_type()),
            lists.finish()?,
            names,
            nulls.finish_nulls(),
        )?))
    })
}

/// Returns the type of [`url_extract_query_names`]' results for arrays of this type.
pub fn url_extract_query_names_type(array: &DataType) -> DataType {
    DataType::List(item(&text_type(is_large(array))))
}

/// Returns the parameters in the query of each string of an array, decoded as by
/// [`url_decode`](super::url_decode): a map from each name to the value of its first parameter, which is `''`
/// if the parameter has no `=`. NULL if the string is invalid or NULL, or has no query.
///
/// ```
/// use arrow_array::StringArray;
/// use arrow_array::cast::AsArray;
/// use urivalidate::arrow::url_parameters;
/// use urivalidate::{Grammar, Validator};
///
/// let uris = StringArray::from(vec!["http://h/?b=1&a&b=2"]);
/// let entries = url_parameters(&Validator::new(Grammar::Uri), &uris)?.as_map().value(0);
/// assert_eq!(entries.column(0).as_string::<i32>(), &StringArray::from(vec!["b", "a"]));
/// assert_eq!(entries.column(1).as_string::<i32>(), &StringArray::from(vec!["1", ""]));
/// # Ok::<(), urivalidate::arrow::FunctionError>(())
/// ```
///
/// # Errors
///
/// Returns the same errors as [`url_extract_query_names`].
pub fn url_parameters(validator: &Validator, array: &dyn Array) -> Result<ArrayRef, FunctionError> {
    let is_large = is_large(array.data_type());
    of_queries(validator, array, |queries| {
        let (mut keys, mut values, mut maps) = (Texts::default(), Texts::default(), Ends::default());
        let mut groups = Groups::default();
        let nulls = queries(&mut |query| {
            groups.each(query.unwrap_or_default(), |name, all| {
                keys.push_decoded(name)?;
                values.push(all.next().unwrap_or_default())
            })?;
            maps.push(keys.len())
        })?;
        map(keys.finish(is_large)?, values.finish(is_large)?, maps, nulls)
    })
}

/// Returns the type of [`url_parameters`]' results for arrays of this type.
pub fn url_parameters_type(array: &DataType) -> DataType {
    let text = text_type(is_large(array));
    DataType::Map(entries(&text, &text), false)
}

/// Returns the parameters like [`url_parameters`], with the values of all parameters of a name: a map from
/// each name to a list of values, in their order.
///
/// ```
/// use arrow_array::StringArray;
/// use arrow_array::cast::AsArray;
/// use urivalidate::arrow::url_parameters_all;
/// use urivalidate::{Grammar, Validator};
///
/// let uris = StringArray::from(vec!["http://h/?b=1&a&b=2"]);
/// let entries = url_parameters_all(&Validator::new(Grammar::Uri), &uris)?.as_map().value(0);
/// let values = entries.column(1).as_list::<i32>().value(0);
/// assert_eq!(values.as_string::<i32>(), &StringArray::from(vec!["1", "2"]));
/// # Ok::<(), urivalidate::arrow::FunctionError>(())
/// ```
///
/// # Errors
///
/// Returns the same errors as [`url_extract_query_names`].
pub fn url_parameters_all(validator: &Validator, array: &dyn Array) -> Result<ArrayRef, FunctionError> {
    let is_large = is_large(array.data_type());
    of_queries(validator, array, |queries| {
        let (mut keys, mut values) = (Texts::default(), Texts::default());
        let (mut lists, mut maps) = (Ends::default(), Ends::default());
        let mut groups = Groups::default();
        let nulls = queries(&mut |query| {
            groups.each(query.unwrap_or_default(), |name, all| {
                keys.push_decoded(name)?;
                for value in all {
                    values.push(value)?;
                }
                lists.push(values.len())
            })?;
            maps.push(keys.len())
        })?;
        let values = values.finish(is_large)?;
        let lists = ListArray::try_new(item(values.data_type()), lists.finish()?, values, None)?;
        map(keys.finish(is_large)?, Arc::new(lists), maps, nulls)
    })
}

/// Returns the type of [`url_parameters_all`]' results for arrays of this type.
pub fn url_parameters_all_type(array: &DataType) -> DataType {
    let text = text_type(is_large(array));
    DataType::Map(entries(&text, &DataType::List(item(&text))), false)
}

/// Passes a query or its absence, and stops at the first error.
type TakeQuery<'t> = &'t mut dyn FnMut(Option<&[u8]>) -> Result<(), FunctionError>;

/// Calls `make` with a function that passes the query of each string, `None` for a string without one. It
/// returns the rows with a query.
fn of_queries(
    validator: &Validator,
    array: &dyn Array,
    make: impl Fn(&dyn Fn(TakeQuery<'_>) -> Result<Bits, FunctionError>) -> Result<ArrayRef, FunctionError>,
) -> Result<ArrayRef, FunctionError> {
    each_string(array, |strings| {
        make(&|take| {
            let (mut places, mut present) = (Places::default(), Bits::default());
            strings.scan(validator, Part::Query.columns() | Column::Start, |block| {
                places.find(Part::Query, block.batch);
                block.null_records().for_each(|index| places.remove(index));
                present.extend(&places.starts, |&start| start != ABSENT);
                places.starts.iter().zip(&places.ends).try_for_each(|(&start, &end)| {
                    take((start != ABSENT).then(|| &block.values[start as usize..end as usize]))
                })
            })?;
            Ok(present)
        })
    })
}

/// The parameters of a query, by name. The memory is reused for the next query.
#[derive(Default)]
struct Groups {
    /// The decoded names, one after the other.
    names: Vec<u8>,
    /// The indexes of all parameters, sorted by their names, and by their order within a name.
    sorted: Vec<u32>,
    /// The place in `sorted` of each parameter that is the first of its name, and `ABSENT` for the others.
    first: Vec<u32>,
}

impl Groups {
    /// Passes each name in the order of its first parameter, with the values of all its parameters as they
    /// stand in the query.
    fn each(
        &mut self,
        query: &[u8],
        mut take: impl FnMut(&[u8], &mut dyn Iterator<Item = &[u8]>) -> Result<(), FunctionError>,
    ) -> Result<(), FunctionError> {
        let Groups { names, sorted, first } = self;
        names.clear();
        sorted.clear();
        first.clear();
        let count = parameters(query).count();
        // The places of the decoded names, and the values as they stand in the query.
        let mut all = Vec::new();
        // U+FFFD has three bytes.
        try_reserve(names, 3 * query.len())?;
        try_reserve(&mut all, count)?;
        try_reserve(sorted, count)?;
        try_reserve(first, count)?;
        for parameter in parameters(query) {
            let start = names.len();
            push_decoded(parameter.name, names);
            all.push((start..names.len(), parameter.value));
        }
        sorted.extend(0..count as u32);
        let name_of = |index: u32| &names[all[index as usize].0.clone()];
        sorted.sort_unstable_by(|&one, &other| name_of(one).cmp(name_of(other)).then(one.cmp(&other)));
        first.resize(count, ABSENT);
        for (at, &index) in sorted.iter().enumerate() {
            if at == 0 || name_of(sorted[at - 1]) != name_of(index) {
                first[index as usize] = at as u32;
            }
        }
        for (index, &at) in (0..).zip(&*first).filter(|&(_, &at)| at != ABSENT) {
            let name = name_of(index);
            let same = sorted[at as usize..].iter().take_while(|&&other| name_of(other) == name);
            take(name, &mut same.map(|&other| all[other as usize].1))?;
        }
        Ok(())
    }
}

/// Appends the decoded text.
fn push_decoded(text: &[u8], to: &mut Vec<u8>) {
    let start = to.len();
    // A valid URI has valid escapes in its query.
    if decode(text, to).unwrap_or(Value::Part) == Value::Part {
        to.truncate(start);
        to.extend_from_slice(text);
    }
}

/// Texts, one after the other.
#[derive(Default)]
struct Texts {
    bytes: Vec<u8>,
    ends: Vec<i64>,
}

impl Texts {
    fn len(&self) -> usize {
        self.ends.len()
    }

    /// Appends the decoded text.
    fn push(&mut self, text: &[u8]) -> Result<(), FunctionError> {
        // U+FFFD has three bytes.
        try_reserve(&mut self.bytes, 3 * text.len())?;
        push_decoded(text, &mut self.bytes);
        self.end()
    }

    fn push_decoded(&mut self, text: &[u8]) -> Result<(), FunctionError> {
        try_reserve(&mut self.bytes, text.len())?;
        self.bytes.extend_from_slice(text);
        self.end()
    }

    fn end(&mut self) -> Result<(), FunctionError> {
        try_reserve(&mut self.ends, 1)?;
        self.ends.push(self.bytes.len() as i64);
        Ok(())
    }

    /// Returns the texts, with offsets of 64 bits if `is_large` is true.
    fn finish(self, is_large: bool) -> Result<ArrayRef, FunctionError> {
        if is_large { self.with_offsets::<i64>() } else { self.with_offsets::<i32>() }
    }

    fn with_offsets<O: OffsetSizeTrait>(self) -> Result<ArrayRef, FunctionError> {
        let too_long = || FunctionError::TooLong(GenericStringArray::<O>::DATA_TYPE);
        if O::from_usize(self.bytes.len()).is_none() {
            return Err(too_long());
        }
        let mut offsets = Vec::new();
        try_reserve(&mut offsets, self.ends.len() + 1)?;
        offsets.push(O::usize_as(0));
        offsets.extend(self.ends.iter().map(|&end| O::usize_as(end as usize)));
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        Ok(Arc::new(GenericStringArray::<O>::try_new(offsets, Buffer::from_vec(self.bytes), None)?))
    }
}

/// The ends of lists or maps.
#[derive(Default)]
struct Ends(Vec<i32>);

impl Ends {
    fn push(&mut self, end: usize) -> Result<(), FunctionError> {
        let end = i32::try_from(end).map_err(|_| FunctionError::TooLong(DataType::Utf8))?;
        try_reserve(&mut self.0, 2)?;
        if self.0.is_empty() {
            self.0.push(0);
        }
        self.0.push(end);
        Ok(())
    }

    fn finish(mut self) -> Result<OffsetBuffer<i32>, FunctionError> {
        if self.0.is_empty() {
            self.0.push(0);
        }
        Ok(OffsetBuffer::new(ScalarBuffer::from(self.0)))
    }
}

fn map(keys: ArrayRef, values: ArrayRef, maps: Ends, nulls: Bits) -> Result<ArrayRef, FunctionError> {
    let field = entries(keys.data_type(), values.data_type());
    let DataType::Struct(fields) = field.data_type().clone() else { unreachable!("entries are structs") };
    let rows = keys.len();
    let pairs = StructArray::try_new_with_length(fields, vec![keys, values], None, rows)?;
    Ok(Arc::new(MapArray::try_new(field, maps.finish()?, pairs, nulls.finish_nulls(), false)?))
}

fn is_large(array: &DataType) -> bool {
    TextLayout::of(array) == TextLayout::LargeUtf8
}

fn text_type(is_large: bool) -> DataType {
    if is_large { DataType::LargeUtf8 } else { DataType::Utf8 }
}

/// Returns the field of the items of a list.
fn item(data_type: &DataType) -> FieldRef {
    Arc::new(Field::new_list_field(data_type.clone(), true))
}

/// Returns the field of the entries of a map.
fn entries(keys: &DataType, values: &DataType) -> FieldRef {
    let fields =
        Fields::from(vec![Field::new("key", keys.clone(), false), Field::new("value", values.clone(), true)]);
    Arc::new(Field::new("entries", DataType::Struct(fields), false))
}
