//! `url_encode`, `url_decode` and `url_extract_parameter` of Presto: the coding of HTML forms,
//! `application/x-www-form-urlencoded`.

use std::ops::Range;

use arrow_array::{Array, ArrayRef};

use super::FunctionError;
use super::derived::each_record;
use super::java_text;
use super::made::{BlockText, Value};
use super::strings::{each_row, each_string};
use super::text::{TextBuilder, TextLayout};
use crate::column::Column;
use crate::part::Part;
use crate::validator::Validator;
use crate::work::memchr;

/// Encodes each string of an array as a form sends it: ASCII letters and digits, `*`, `-`, `.` and `_` are
/// unchanged, a space becomes `+`, and each other byte `%` and two hexadecimal digits. The result for NULL is
/// NULL. The text has the [default layout](TextLayout::of) for the array.
///
/// ```
/// use arrow_array::StringArray;
/// use arrow_array::cast::AsArray;
/// use urivalidate::arrow::url_encode;
///
/// let encoded = url_encode(&StringArray::from(vec!["a b&c=\u{e9}", "plain"]))?;
/// assert_eq!(encoded.as_string::<i32>(), &StringArray::from(vec!["a+b%26c%3D%C3%A9", "plain"]));
/// # Ok::<(), urivalidate::arrow::FunctionError>(())
/// ```
///
/// # Errors
///
/// Returns an error if the array holds no strings, or the results are too long for 32-bit offsets.
pub fn url_encode(array: &dyn Array) -> Result<ArrayRef, FunctionError> {
    let text = TextLayout::of(array.data_type());
    each_string(array, |strings| {
        each_record(strings, text, |_, string, made| {
            if string.iter().all(|&byte| is_kept(byte)) {
                return Value::Part;
            }
            for &byte in string {
                match byte {
                    b' ' => made.push(b'+'),
                    _ if is_kept(byte) => made.push(byte),
                    _ => made.extend([b'%', HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]),
                }
            }
            Value::Made
        })
    })
}

/// Decodes each string of an array, as encoded by [`url_encode`]: `+` is a space, and `%` with two
/// hexadecimal digits a byte; U+FFFD replaces ill-formed UTF-8. The result for NULL is NULL. The text has the
/// [default layout](TextLayout::of) for the array.
///
/// ```
/// use arrow_array::StringArray;
/// use arrow_array::cast::AsArray;
/// use urivalidate::arrow::url_decode;
///
/// let decoded = url_decode(&StringArray::from(vec!["a+b%26c%3D%C3%A9", "plain"]))?;
/// assert_eq!(decoded.as_string::<i32>(), &StringArray::from(vec!["a b&c=\u{e9}", "plain"]));
/// # Ok::<(), urivalidate::arrow::FunctionError>(())
/// ```
///
/// # Errors
///
/// Returns an error for the first string that has a `%` without two hexadecimal digits after it, and the
/// errors of [`url_encode`].
pub fn url_decode(array: &dyn Array) -> Result<ArrayRef, FunctionError> {
    let text = TextLayout::of(array.data_type());
    // A value of a dictionary that no key refers to may be invalid.
    each_row(array, |strings| {
        let mut invalid = None;
        let decoded = each_record(strings, text, |row, string, made| match decode(string, made) {
            Ok(value) => value,
            Err(InvalidEscape) => {
                invalid.get_or_insert_with(|| (row, java_text::decode(string).into_owned()));
                Value::Null
            }
        })?;
        match invalid {
            None => Ok(decoded),
            Some((row, text)) => Err(FunctionError::InvalidEscape { row, text }),
        }
    })
}

/// Returns the value of the first parameter of this name in the query of each string of an array, decoded as
/// by [`url_decode`]: `''` if the parameter has no `=`, NULL if the string is invalid or NULL, or its query
/// lacks the parameter. The name is compared with the query before decoding. The text has the [default
/// layout](TextLayout::of) for the array.
///
/// ```
/// use arrow_array::StringArray;
/// use arrow_array::cast::AsArray;
/// use urivalidate::arrow::url_extract_parameter;
/// use urivalidate::{Grammar, Validator};
///
/// let uris = StringArray::from(vec!["http://h/?a=1&b=x%26y+z", "http://h/?b", "http://h/?c=b"]);
/// let values = url_extract_parameter(&Validator::new(Grammar::Uri), &uris, "b")?;
/// assert_eq!(values.as_string::<i32>(), &StringArray::from(vec![Some("x&y z"), Some(""), None]));
/// # Ok::<(), urivalidate::arrow::FunctionError>(())
/// ```
///
/// # Errors
///
/// Returns an error if the array holds no strings, or the results are too long for 32-bit offsets.
pub fn url_extract_parameter(
    validator: &Validator,
    array: &dyn Array,
    name: &str,
) -> Result<ArrayRef, FunctionError> {
    let text = TextLayout::of(array.data_type());
    each_string(array, |strings| {
        let mut values = BlockText::default();
        let mut column = TextBuilder::new(text, strings.len(), strings.buffers());
        strings.scan(validator, Part::Query.columns() | Column::Start, |block| {
            values.begin(Part::Query, block);
            for index in 0..block.batch.len() {
                values.set(index, |place, made| {
                    let query = &block.values[place.clone()];
                    let Some(found) = parameter(query, name.as_bytes()) else { return Value::Null };
                    *place = place.start + found.start..place.start + found.end;
                    // A valid URI has valid escapes in its query.
                    decode(&query[found], made).unwrap_or(Value::Part)
                })?;
            }
            values.append_to(&mut column, block)
        })?;
        column.finish()
    })
}

const HEX: &[u8; 16] = b"0123456789ABCDEF";

fn is_kept(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'*' | b'-' | b'.' | b'_')
}

/// The error for a `%` without two hexadecimal digits after it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct InvalidEscape;

/// Appends the decoded string, unless decoding changes nothing.
pub(super) fn decode(string: &[u8], made: &mut Vec<u8>) -> Result<Value, InvalidEscape> {
    if !string.iter().any(|&byte| matches!(byte, b'%' | b'+')) {
        return Ok(Value::Part);
    }
    let start = made.len();
    let mut rest = string.iter();
    while let Some(&byte) = rest.next() {
        made.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut digit = || char::from(*rest.next()?).to_digit(16);
                let (high, low) = digit().zip(digit()).ok_or(InvalidEscape)?;
                (high << 4 | low) as u8
            }
            _ => byte,
        });
    }
    if std::str::from_utf8(&made[start..]).is_err() {
        let text = java_text::decode(&made[start..]).into_owned();
        made.truncate(start);
        made.extend_from_slice(text.as_bytes());
    }
    Ok(Value::Made)
}

/// Returns the place of the value of the first parameter of this name in a query.
fn parameter(query: &[u8], name: &[u8]) -> Option<Range<usize>> {
    let mut start = 0;
    loop {
        let end = memchr(b'&', &query[start..]).map_or(query.len(), |at| start + at);
        match query[start..end].strip_prefix(name) {
            Some([]) => return Some(end..end),
            Some([b'=', ..]) => return Some(start + name.len() + 1..end),
            // The name of a parameter cannot contain "=".
            _ if end == query.len() => return None,
            _ => start = end + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_parameter_of_the_name() {
        let value = |query: &'static str, name: &str| {
            parameter(query.as_bytes(), name.as_bytes()).map(|range| &query[range])
        };
        let query = "k1=v1&k2=v2&k3&k4&k1=v3&=e&k=a=b";
        for (name, expected) in [
            ("k1", Some("v1")),
            ("k2", Some("v2")),
            ("k3", Some("")),
            ("k4", Some("")),
            ("k5", None),
            ("k", Some("a=b")),
            ("", Some("e")),
        ] {
            assert_eq!(value(query, name), expected, "{name:?}");
        }
        assert_eq!(value("", ""), Some(""));
        assert_eq!(value("", "a"), None);
        assert_eq!(value("a&&b", ""), Some(""));
        assert_eq!(value("b=1&a=1=2", "a"), Some("1=2"));
    }

    #[test]
    fn escapes_are_two_digits() {
        let decoded = |string: &str| {
            let mut made = b"before".to_vec();
            let value = decode(string.as_bytes(), &mut made)?;
            Ok((value, String::from_utf8(made).unwrap()))
        };
        let made = |text: &str| Ok((Value::Made, format!("before{text}")));
        assert_eq!(decoded("plain"), Ok((Value::Part, "before".to_owned())));
        assert_eq!(decoded("%41%7a+%2B"), made("Az +"));
        assert_eq!(decoded("%c3%A9%C3x%ff"), made("\u{e9}\u{fffd}x\u{fffd}"));
        for string in ["%", "%4", "a%4g", "%+1", "%%41"] {
            assert_eq!(decoded(string), Err(InvalidEscape), "{string}");
        }
    }
}
