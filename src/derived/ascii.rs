//! Names of hosts in ASCII: UTS 46, without its transitional processing, as browsers look them up.

use alloc::vec::Vec;

use idna::AsciiDenyList;

/// Returns a name in ASCII, with its labels beyond ASCII in Punycode. Escapes stand for the bytes of UTF-8.
/// Returns `None` if UTS 46 forbids the name.
pub(super) fn name_in_ascii(name: &[u8]) -> Option<Vec<u8>> {
    let decoded = percent_decoded(name);
    let ascii = idna::domain_to_ascii_cow(&decoded, AsciiDenyList::URL).ok()?;
    Some(ascii.into_owned().into_bytes())
}

/// Returns the bytes that the escapes of a valid host stand for.
fn percent_decoded(name: &[u8]) -> Vec<u8> {
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
