//! `normalize_uri`, `resolve_uri` and `relativize_uri`: text made from records, or the records themselves if
//! nothing changes.

use arrow_array::{Array, ArrayRef, Datum, UInt64Array, new_null_array};
use arrow_schema::ArrowError;
use arrow_select::take::take;

use super::FunctionError;
use super::made::{BlockText, Value};
use super::strings::{Block, Strings, each_row, each_string};
use super::text::{TextBuilder, TextLayout};
use crate::column::Columns;
use crate::error::Error;
use crate::memory::{self, Room};
use crate::normal::{Base, NormalizedRecords, Normalizer, Targets};
use crate::part::Part;
use crate::validator::Validator;

/// Returns the normal form of each string of an array; NULL if the string is invalid or NULL. The text has
/// the [default layout](TextLayout::of) for the array. If these are views, a string that is its own normal
/// form becomes a view of the same bytes.
///
/// ```
/// use arrow_array::StringArray;
/// use arrow_array::cast::AsArray;
/// use urivalidate::arrow::normalize_uri;
/// use urivalidate::{Grammar, NormalForm, Validator};
///
/// let uris = StringArray::from(vec!["HTTP://h/a/../%7eb", "http://h/", "no uri"]);
/// let normal = normalize_uri(&Validator::new(Grammar::Uri).normalizer(NormalForm::Syntax)?, &uris)?;
/// assert_eq!(normal.as_string::<i32>(), &StringArray::from(vec![Some("http://h/~b"), Some("http://h/"), None]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns an error if the array holds no strings, or the results are too long for 32-bit offsets.
pub fn normalize_uri(normalizer: &Normalizer, array: &dyn Array) -> Result<ArrayRef, FunctionError> {
    let text = TextLayout::of(array.data_type());
    each_string(array, |strings| {
        let (mut forms, mut values) = (NormalizedRecords::new(), BlockText::default());
        let mut column = TextBuilder::new(text, strings.len(), strings.buffers());
        strings.scan(&normalizer.validator(), Columns::RECORDS, |block| {
            values.begin(Part::Record, block);
            values.reject(block);
            normalizer.normalize_batch(block.batch, block.values, &mut forms)?;
            for (index, form) in forms.changed() {
                values.set(index, |_, made| {
                    made.extend_from_slice(form);
                    Value::Made
                })?;
            }
            values.append_to(&mut column, block)
        })?;
        column.finish()
    })
}

/// Returns the URI that each reference refers to (RFC 3986 section 5), as [`Base::resolve`] writes it; NULL
/// if the reference or its base is invalid or NULL. Pass a constant as a [`Scalar`](arrow_array::Scalar). The
/// text has the [default layout](TextLayout::of) for the references.
///
/// ```
/// use arrow_array::{Scalar, StringArray};
/// use arrow_array::cast::AsArray;
/// use urivalidate::arrow::resolve_uri;
/// use urivalidate::{Grammar, Validator};
///
/// let base = Scalar::new(StringArray::from(vec!["http://h/a/b"]));
/// let references = StringArray::from(vec!["../c", "?q", "mailto:a@b", "a b"]);
/// let resolved = resolve_uri(&Validator::new(Grammar::UriReference), &base, &references)?;
/// let expected = vec![Some("http://h/c"), Some("http://h/a/b?q"), Some("mailto:a@b"), None];
/// assert_eq!(resolved.as_string::<i32>(), &StringArray::from(expected));
/// # Ok::<(), urivalidate::arrow::FunctionError>(())
/// ```
///
/// A base has at most [`Base::MAX_LEN`] bytes (8 KiB), and a result at most two bytes more than its base and
/// its reference together. So the results of n references take at most n × 8 KiB more than the references.
///
/// # Errors
///
/// Returns an error if a constant base is invalid, an array holds no strings, the arrays have different
/// lengths, memory runs out, or the results are too long for 32-bit offsets. The results of a constant base
/// that may have more than 2 GiB are first counted, so that this error comes before their memory is taken.
pub fn resolve_uri(
    validator: &Validator,
    base: &dyn Datum,
    references: &dyn Datum,
) -> Result<ArrayRef, FunctionError> {
    if let (base, true) = base.get() {
        let references = references.get().0;
        return with_constant(validator, base, references, |base, references, text| {
            resolve_all(validator, base, references, text)
        });
    }
    with_base(validator, base, references, |base, reference, made| {
        base.resolve(reference, made).map(|resolved| resolved.is_some())
    })
}

/// Resolves all references against one base.
fn resolve_all(
    validator: &Validator,
    base: &Base<'_>,
    references: &Strings<'_>,
    text: TextLayout,
) -> Result<ArrayRef, FunctionError> {
    let most = references.bytes().saturating_add(references.len().saturating_mul(base.len() + 2));
    if i32::try_from(most).is_err() {
        count(validator, base, references, text)?;
    }
    let (mut targets, mut values) = (Targets::new(), BlockText::default());
    let mut column = TextBuilder::new(text, references.len(), references.buffers());
    references.scan(validator, Base::COLUMNS, |block| {
        let _room = room_for_targets(block)?;
        values.begin(Part::Record, block);
        let records = block.batch.len();
        let mut first = 0;
        while first < records {
            let next = base.resolve_some(block.batch, block.values, first..records, &mut targets)?;
            for index in first..next {
                values.reserve(targets.get(index - first).map_or(0, <[u8]>::len))?;
                values.set(index, |_, made| match targets.get(index - first) {
                    None => Value::Null,
                    Some(_) if targets.is_unchanged(index - first) => Value::Part,
                    Some(target) => {
                        made.extend_from_slice(target);
                        Value::Made
                    }
                })?;
            }
            first = next;
        }
        values.append_to(&mut column, block)
    })?;
    column.finish()
}

/// Returns the room in which the references of a block are resolved.
fn room_for_targets(block: &Block<'_>) -> Result<Room, FunctionError> {
    Ok(memory::room_for(block.values.len().saturating_mul(2).saturating_add(Base::ROOM))?)
}

/// Counts the bytes of all targets. Returns an error if the column cannot hold them, or if the system has no
/// memory for them.
fn count(
    validator: &Validator,
    base: &Base<'_>,
    references: &Strings<'_>,
    text: TextLayout,
) -> Result<(), FunctionError> {
    let (mut targets, mut bytes) = (Targets::new(), 0_usize);
    references.scan(validator, Base::COLUMNS, |block| {
        let _room = room_for_targets(block)?;
        let mut first = 0;
        while first < block.batch.len() {
            first = base.resolve_some(block.batch, block.values, first..block.batch.len(), &mut targets)?;
            bytes += targets.iter().flatten().map(<[u8]>::len).sum::<usize>();
        }
        Ok(())
    })?;
    if text == TextLayout::Utf8 && i32::try_from(bytes).is_err() {
        return Err(FunctionError::TooLong(text.data_type()));
    }
    memory::room_for(bytes)?;
    Ok(())
}

/// Returns a reference to each URI from its base, as [`Base::relativize`] writes it; NULL if the URI or its
/// base is invalid or NULL. Pass a constant as a [`Scalar`](arrow_array::Scalar). The text has the [default
/// layout](TextLayout::of) for the URIs.
///
/// ```
/// use arrow_array::{Scalar, StringArray};
/// use arrow_array::cast::AsArray;
/// use urivalidate::arrow::relativize_uri;
/// use urivalidate::{Grammar, Validator};
///
/// let base = Scalar::new(StringArray::from(vec!["http://h/a/b"]));
/// let uris = StringArray::from(vec!["http://h/a/c", "http://i/"]);
/// let relative = relativize_uri(&Validator::new(Grammar::UriReference), &base, &uris)?;
/// assert_eq!(relative.as_string::<i32>(), &StringArray::from(vec!["c", "//i/"]));
/// # Ok::<(), urivalidate::arrow::FunctionError>(())
/// ```
///
/// # Errors
///
/// Returns the same errors as [`resolve_uri`].
pub fn relativize_uri(
    validator: &Validator,
    base: &dyn Datum,
    uris: &dyn Datum,
) -> Result<ArrayRef, FunctionError> {
    with_base(validator, base, uris, |base, uri, made| {
        base.relativize(uri, made).map(|relative| relative.is_some())
    })
}

/// Returns for each record the text that `make` appends for it and its base, or the record itself if `make`
/// returns false.
fn with_base(
    validator: &Validator,
    base: &dyn Datum,
    records: &dyn Datum,
    make: impl Fn(&Base<'_>, &[u8], &mut Vec<u8>) -> Result<bool, Error>,
) -> Result<ArrayRef, FunctionError> {
    let ((bases, is_constant), (records, is_one)) = (base.get(), records.get());
    let text = TextLayout::of(records.data_type());
    let of_record = |base: Option<&Base<'_>>, record: &[u8], made: &mut Vec<u8>| match base {
        None => Value::Null,
        Some(base) => match make(base, record, made) {
            Ok(true) => Value::Made,
            Ok(false) => Value::Part,
            Err(_) => Value::Null,
        },
    };
    if is_constant {
        return with_constant(validator, bases, records, |base, records, text| {
            each_record(records, text, |_, record, made| of_record(Some(base), record, made))
        });
    }
    let repeated =
        if is_one { Some(take(records, &UInt64Array::from(vec![0; bases.len()]), None)?) } else { None };
    let records = repeated.as_deref().unwrap_or(records);
    if records.len() != bases.len() {
        let lengths = format!("{} bases for {} records", bases.len(), records.len());
        return Err(ArrowError::InvalidArgumentError(lengths).into());
    }
    each_row(bases, |bases| {
        each_row(records, |records| {
            // A run of equal bases is parsed once.
            let mut last: (&[u8], Option<Base<'_>>) = (b"", validator.base(b"").ok());
            each_record(records, text, |row, record, made| {
                let Some(uri) = bases.get(row) else { return Value::Null };
                if uri != last.0 {
                    last = (uri, validator.base(uri).ok());
                }
                of_record(last.1.as_ref(), record, made)
            })
        })
    })
}

/// Returns the results of `function` for all records and one base; NULL if the base is NULL. An invalid base
/// is an error.
fn with_constant(
    validator: &Validator,
    base: &dyn Array,
    records: &dyn Array,
    function: impl Fn(&Base<'_>, &Strings<'_>, TextLayout) -> Result<ArrayRef, FunctionError>,
) -> Result<ArrayRef, FunctionError> {
    let text = TextLayout::of(records.data_type());
    each_row(base, |base| {
        let Some(uri) = base.get(0) else { return Ok(new_null_array(&text.data_type(), records.len())) };
        let base = validator.base(uri).map_err(|error| FunctionError::InvalidBase {
            base: String::from_utf8_lossy(uri).into_owned(),
            error,
        })?;
        each_string(records, |records| function(&base, records, text))
    })
}

/// Returns the values that `make` makes of the strings, in order. `make` gets the row, the string and a
/// buffer for a new text.
pub(super) fn each_record(
    strings: &Strings<'_>,
    text: TextLayout,
    mut make: impl FnMut(usize, &[u8], &mut Vec<u8>) -> Value,
) -> Result<ArrayRef, FunctionError> {
    let mut values = BlockText::default();
    let mut column = TextBuilder::new(text, strings.len(), strings.buffers());
    strings.blocks(|block| {
        values.begin(Part::Record, block);
        for index in 0..block.batch.len() {
            values.set(index, |part, made| make(block.first + index, &block.values[part.clone()], made))?;
        }
        values.append_to(&mut column, block)
    })?;
    column.finish()
}
