//! JSON Lines.

use super::cell::{Special, TextForm};
use crate::json;

pub(crate) struct Jsonl;

impl TextForm for Jsonl {
    const ABSENT: &'static str = "null";
    const QUOTE: &'static str = "\"";
    const RANGE: [&'static str; 3] = ["[", ",", "]"];
    const END: &'static str = "}\n";
    const HAS_OBJECTS: bool = true;
    const LONGEST_ESCAPE: usize = 6;
    const SPECIAL: Special = Special::NonAscii;

    fn before(name: &str, is_first: bool) -> String {
        let separator = if is_first { '{' } else { ',' };
        let mut key = Vec::new();
        json::string(&mut key, name);
        format!("{separator}{}:", String::from_utf8_lossy(&key))
    }

    /// Writes a string, or an object if the bytes are not UTF-8.
    fn text(out: &mut Vec<u8>, text: &[u8]) {
        json::text(out, text);
    }
}
