//! Text made fit for a terminal.

use std::fmt;

/// Shows bytes as text: control and format characters, and what is not UTF-8, as `\xHH`.
pub(crate) struct Shown<'a>(&'a [u8]);

impl<'a> Shown<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Shown(bytes)
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            for char in chunk.valid().chars() {
                let is_plain = matches!(char, '"' | '\'' | '\\') || char.escape_debug().len() == 1;
                if is_plain {
                    write!(f, "{char}")?;
                } else {
                    escape(f, char.encode_utf8(&mut [0; 4]).as_bytes())?;
                }
            }
            escape(f, chunk.invalid())?;
        }
        Ok(())
    }
}

fn escape(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "\\x{byte:02X}"))
}
