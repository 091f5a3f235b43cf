//! Cells for people and line tools, separated by tabs.

use std::io::Write;

use super::cell::{Special, TextForm};
use crate::escape::is_clean;
use crate::shown::Shown;

pub(crate) struct TextCells;

impl TextForm for TextCells {
    const ABSENT: &'static str = "\\N";
    const LONGEST_ESCAPE: usize = 4;
    const SPECIAL: Special = Special::NonAscii;

    fn before(_: &str, is_first: bool) -> String {
        if is_first { String::new() } else { "\t".to_owned() }
    }

    /// Writes the text, with backslashes and the bytes that [`Shown`] escapes as `\xHH`.
    fn text(out: &mut Vec<u8>, text: &[u8]) {
        if is_clean(text, |byte| (byte < 0x20) | (byte == b'\\') | (byte >= 0x7F)) {
            out.extend_from_slice(text);
            return;
        }
        for (i, part) in text.split(|&byte| byte == b'\\').enumerate() {
            let backslash = if i == 0 { "" } else { "\\x5C" };
            write!(out, "{backslash}{}", Shown::new(part)).expect("a Vec takes everything");
        }
    }
}
