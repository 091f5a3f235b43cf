//! The bytes that escapes stand for.

use alloc::vec::Vec;

/// Returns the bytes that the escapes of a valid host stand for.
pub(crate) fn percent_decoded(name: &[u8]) -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let mut decoded = Vec::with_capacity(name.len());
    let mut rest = name;
    while let Some((&byte, others)) = rest.split_first() {
        let escape = match others {
            [high, low, after @ ..] if byte == b'%' => {
                digit(*high).zip(digit(*low)).map(|byte| (byte, after))
            }
            _ => None,
        };
        match escape {
            Some(((high, low), after)) => {
                decoded.push(high << 4 | low);
                rest = after;
            }
            None => {
                decoded.push(byte);
                rest = others;
            }
        }
    }
    decoded
}
