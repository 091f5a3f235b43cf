//! Names of hosts in ASCII: UTS 46, without its transitional processing, as browsers look them up.

use alloc::vec::Vec;

use idna::AsciiDenyList;

use super::decoded::percent_decoded;

/// Returns a name in ASCII, with its labels beyond ASCII in Punycode. Escapes stand for the bytes of UTF-8.
/// Returns `None` if UTS 46 forbids the name.
pub(crate) fn name_in_ascii(name: &[u8]) -> Option<Vec<u8>> {
    let decoded = percent_decoded(name);
    let ascii = idna::domain_to_ascii_cow(&decoded, AsciiDenyList::URL).ok()?;
    Some(ascii.into_owned().into_bytes())
}

/// Returns a name in ASCII as [`name_in_ascii`] does, but label by label: those that UTS 46 forbids stay as
/// they are, in lower case. The name has no escapes.
pub(crate) fn labels_in_ascii(name: &[u8]) -> Vec<u8> {
    let mut ascii = Vec::with_capacity(name.len());
    for (index, label) in name.split(|&byte| byte == b'.').enumerate() {
        if index > 0 {
            ascii.push(b'.');
        }
        match idna::domain_to_ascii_cow(label, AsciiDenyList::URL) {
            Ok(label) => ascii.extend_from_slice(label.as_bytes()),
            Err(_) => ascii.extend(label.iter().map(u8::to_ascii_lowercase)),
        }
    }
    ascii
}
