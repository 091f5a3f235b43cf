//! `uri_surt`, `uri_suffix` and `uri_domain`: keys to sort and count records by.

#[cfg(feature = "domains")]
use std::ops::Range;

use arrow_array::{Array, ArrayRef};

use super::FunctionError;
#[cfg(feature = "surt")]
use super::derived::each_record;
#[cfg(feature = "domains")]
use super::made::BlockText;
use super::made::Value;
use super::strings::each_string;
#[cfg(feature = "domains")]
use super::text::TextBuilder;
use super::text::TextLayout;
#[cfg(feature = "domains")]
use crate::domains::{Domains, HostPart, HostParts};
#[cfg(feature = "surt")]
use crate::surt::SurtMaker;
#[cfg(feature = "domains")]
use crate::{column::Column, part::Part, validator::Validator};

/// Returns the key that each string of an array has in the indexes of web archives, as
/// [`surt`](crate::surt()) makes it, whether the string is a URI or other text; NULL if the string has no key
/// or is NULL. The text has the [default layout](TextLayout::of) for the array.
///
/// ```
/// use arrow_array::StringArray;
/// use arrow_array::cast::AsArray;
/// use urivalidate::arrow::uri_surt;
///
/// let keys = uri_surt(&StringArray::from(vec!["http://www.Example.com/b?y&x", "http://h:99999/"]))?;
/// assert_eq!(keys.as_string::<i32>(), &StringArray::from(vec![Some("com,example)/b?x&y"), None]));
/// # Ok::<(), urivalidate::arrow::FunctionError>(())
/// ```
///
/// # Errors
///
/// Returns an error if the array holds no strings, or the results are too long for 32-bit offsets.
#[cfg(feature = "surt")]
pub fn uri_surt(array: &dyn Array) -> Result<ArrayRef, FunctionError> {
    let text = TextLayout::of(array.data_type());
    each_string(array, |strings| {
        let mut surts = SurtMaker::default();
        each_record(strings, text, |_, record, made| match surts.surt(record, made) {
            Some(_) => Value::Made,
            None => Value::Null,
        })
    })
}

/// Returns the public suffix of the host of each string of an array, in lower case: by the ICANN section of
/// the Public Suffix List or, if `private` is true, by both sections. NULL if the string is invalid or NULL,
/// has no host, or has an IP address as its host. The text has the [default layout](TextLayout::of) for the
/// array.
///
/// ```
/// use arrow_array::StringArray;
/// use arrow_array::cast::AsArray;
/// use urivalidate::arrow::uri_suffix;
/// use urivalidate::{Grammar, Validator};
///
/// let uris = StringArray::from(vec!["http://a.github.io/", "http://www.bbc.CO.UK/", "http://[::1]/"]);
/// let suffixes = uri_suffix(&Validator::new(Grammar::Uri), &uris, false)?;
/// assert_eq!(suffixes.as_string::<i32>(), &StringArray::from(vec![Some("io"), Some("co.uk"), None]));
/// # Ok::<(), urivalidate::arrow::FunctionError>(())
/// ```
///
/// # Errors
///
/// Returns an error if the array holds no strings, or the results are too long for 32-bit offsets.
#[cfg(feature = "domains")]
pub fn uri_suffix(
    validator: &Validator,
    array: &dyn Array,
    private: bool,
) -> Result<ArrayRef, FunctionError> {
    of_hosts(validator, array, |domains| {
        Some(if private { domains.private_suffix.clone() } else { domains.suffix.clone() })
    })
}

/// Returns the registrable domain of each string: the [suffix](uri_suffix) of its host and one label more, in
/// lower case. NULL if the suffix is NULL or the host is a suffix itself.
///
/// ```
/// use arrow_array::StringArray;
/// use arrow_array::cast::AsArray;
/// use urivalidate::arrow::uri_domain;
/// use urivalidate::{Grammar, Validator};
///
/// let uris = StringArray::from(vec!["http://a.b.github.io/", "http://co.uk/"]);
/// let validator = Validator::new(Grammar::Uri);
/// let domains = uri_domain(&validator, &uris, false)?;
/// assert_eq!(domains.as_string::<i32>(), &StringArray::from(vec![Some("github.io"), None]));
/// let domains = uri_domain(&validator, &uris, true)?;
/// assert_eq!(domains.as_string::<i32>(), &StringArray::from(vec![Some("b.github.io"), None]));
/// # Ok::<(), urivalidate::arrow::FunctionError>(())
/// ```
///
/// # Errors
///
/// Returns the same errors as [`uri_suffix`].
#[cfg(feature = "domains")]
pub fn uri_domain(
    validator: &Validator,
    array: &dyn Array,
    private: bool,
) -> Result<ArrayRef, FunctionError> {
    of_hosts(
        validator,
        array,
        |domains| {
            if private { domains.private_domain.clone() } else { domains.domain.clone() }
        },
    )
}

/// Returns a part of each host, in lower case.
#[cfg(feature = "domains")]
fn of_hosts(
    validator: &Validator,
    array: &dyn Array,
    part: impl Fn(&Domains) -> Option<Range<usize>>,
) -> Result<ArrayRef, FunctionError> {
    let text = TextLayout::of(array.data_type());
    each_string(array, |strings| {
        let (mut parts, mut values) = (HostParts::new(validator.grammar()), BlockText::default());
        let mut column = TextBuilder::new(text, strings.len(), strings.buffers());
        strings.scan(validator, Part::Host.columns() | Column::Start, |block| {
            values.begin(Part::Host, block);
            for index in 0..block.batch.len() {
                values.set(index, |place, made| match parts.find(&block.values[place.clone()], &part) {
                    Some(HostPart::Within(found)) => {
                        *place = place.start + found.start..place.start + found.end;
                        Value::Part
                    }
                    Some(HostPart::Made(found)) => {
                        made.extend_from_slice(&found);
                        Value::Made
                    }
                    None => Value::Null,
                })?;
            }
            values.append_to(&mut column, block)
        })?;
        column.finish()
    })
}
