//! Tab-separated values in the form that databases read.

use super::cell::{Special, TextForm};
use crate::escape::escaped;

pub(crate) struct Tsv;

impl TextForm for Tsv {
    const ABSENT: &'static str = "\\N";
    const LONGEST_ESCAPE: usize = 2;
    const SPECIAL: Special = Special::Nothing;

    fn before(_: &str, is_first: bool) -> String {
        if is_first { String::new() } else { "\t".to_owned() }
    }

    fn header(names: &[&str]) -> String {
        super::cell::header::<Self>(names, "\t")
    }

    /// Writes the text. Bytes that would end a cell or a line become `\t`, `\n` or `\r`, and a backslash is
    /// doubled.
    fn text(out: &mut Vec<u8>, text: &[u8]) {
        let escape = |out: &mut Vec<u8>, byte| {
            out.extend_from_slice(match byte {
                b'\t' => b"\\t",
                b'\n' => b"\\n",
                b'\r' => b"\\r",
                _ => b"\\\\",
            });
        };
        let is_special = |byte| (byte == b'\t') | (byte == b'\n') | (byte == b'\r') | (byte == b'\\');
        escaped(out, text, is_special, escape);
    }
}
