//! Views of bytes as views of strings, by Arrow's C data interface, in which they are the same memory.
//!
//! Whether each value is UTF-8 takes Arrow longer to tell than the values took to find. Nearly all of them are ASCII, which is told
//! in a fifth of that time.
#![expect(unsafe_code, reason = "the interface takes arrays at their word")]

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::{Array, BinaryViewArray, StringViewArray};
use arrow_schema::{ArrowError, DataType};

/// The same values as strings.
///
/// # Errors
///
/// If one of them is not UTF-8.
pub(super) fn strings_of(array: BinaryViewArray) -> Result<StringViewArray, ArrowError> {
    // Nulls, too: the values that they stand for are looked at by nobody, and yet have to be UTF-8.
    if !array.bytes_iter().all(|value| is_ascii(value) || str::from_utf8(value).is_ok()) {
        return array.to_string_view();
    }
    let schema = FFI_ArrowSchema::try_from(&DataType::Utf8View)?;
    let exported = FFI_ArrowArray::new(&array.into_data());
    // SAFETY: what was exported from an array of binary views is an array of string views, too: the layouts are the same, and all
    // values are UTF-8. Nobody else has it.
    let strings = unsafe { from_ffi(exported, &schema) }?;
    Ok(strings.into())
}

/// Whether all bytes are ASCII, for values of a few words.
fn is_ascii(value: &[u8]) -> bool {
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);

    let (words, rest) = value.as_chunks::<8>();
    let of_words = words.iter().fold(0, |all, word| all | u64::from_ne_bytes(*word));
    let of_rest = match value.last_chunk::<8>() {
        Some(last) => u64::from_ne_bytes(*last),
        None => rest.iter().fold(0, |all, &byte| all | u64::from(byte)),
    };
    (of_words | of_rest) & HIGH == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_what_the_bytes_are() {
        let ascii = ["", "a", "twelve bytes", "thirteen bytes", "some more bytes than a view holds"];
        for length in 0..40 {
            for at in 0..length {
                let mut value = vec![b'a'; length];
                assert!(is_ascii(&value));
                value[at] = 0x80;
                assert!(!is_ascii(&value), "{length} bytes, {at}");
                let array = BinaryViewArray::from_iter(
                    ascii.map(|text| Some(text.as_bytes())).into_iter().chain([Some(&value[..])]),
                );
                assert!(strings_of(array).is_err());
            }
        }
        for more in [None, Some("\u{e4}"), Some("b\u{fc}cher und mehr als eine Ansicht h\u{e4}lt")] {
            let values: Vec<_> = ascii.map(Some).into_iter().chain([None, more]).collect();
            let bytes = values.iter().map(|value| value.map(str::as_bytes));
            let strings = strings_of(bytes.collect::<BinaryViewArray>()).unwrap();
            assert_eq!(strings, StringViewArray::from(values));
            strings.to_data().validate_full().unwrap();
        }
        assert!(strings_of(BinaryViewArray::from_iter([None::<&[u8]>; 0])).unwrap().is_empty());
    }
}
