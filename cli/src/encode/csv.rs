//! Comma-separated values, as in RFC 4180.

use super::cell::{Special, TextForm};
use crate::escape::{escaped, is_clean};

pub(crate) struct Csv;

impl TextForm for Csv {
    const ABSENT: &'static str = "";
    const EMPTY: &'static str = "\"\"";
    const LONGEST_ESCAPE: usize = 2;
    const SPECIAL: Special = Special::Comma;

    fn before(_: &str, is_first: bool) -> String {
        if is_first { String::new() } else { ",".to_owned() }
    }

    fn header(names: &[&str]) -> String {
        super::cell::header::<Self>(names, ",")
    }

    /// Writes the text. It gets quotes if it is empty or holds a delimiter, and quotes within it are doubled.
    fn text(out: &mut Vec<u8>, text: &[u8]) {
        let is_special = |byte| (byte == b',') | (byte == b'"') | (byte == b'\n') | (byte == b'\r');
        if !text.is_empty() && is_clean(text, is_special) {
            out.extend_from_slice(text);
            return;
        }
        out.push(b'"');
        escaped(out, text, |byte| byte == b'"', |out, _| out.extend_from_slice(b"\"\""));
        out.push(b'"');
    }
}
