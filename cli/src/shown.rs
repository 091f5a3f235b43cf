//! Text that is safe to print to a terminal.

use std::fmt;

use urivalidate::work::looked_at;

/// Shows bytes as text. Controls, invisible characters, characters that move their neighbours (bidirectional
/// controls, zero-width characters, U+2028 and U+2029), and bytes that are not UTF-8 are written as `\xHH`,
/// byte by byte.
pub(crate) struct Shown<'a>(&'a [u8]);

impl<'a> Shown<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Shown(bytes)
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A mapped file can change, so the text is a copy.
        let bytes = self.0.to_vec();
        looked_at(bytes.len());
        for chunk in bytes.utf8_chunks() {
            for char in chunk.valid().chars() {
                if is_harmless(char) {
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

/// Returns true if a character is visible at its place, or belongs to the character before it, like an
/// accent.
pub(crate) fn is_harmless(char: char) -> bool {
    match char {
        ' '..='~' => true,
        // Fillers, joiners and variation selectors have the categories of letters and marks, but are
        // invisible.
        '\u{34F}'
        | '\u{115F}'..='\u{1160}'
        | '\u{17B4}'..='\u{17B5}'
        | '\u{180B}'..='\u{180F}'
        | '\u{3164}' => false,
        '\u{FE00}'..='\u{FE0F}' | '\u{FFA0}' | '\u{E0000}'..='\u{E0FFF}' => false,
        _ => {
            let mut text = [b'a'; 5];
            let end = 1 + char.encode_utf8(&mut text[1..]).len();
            // Marks after a letter are shown.
            str::from_utf8(&text[..end]).is_ok_and(|text| text.escape_debug().count() == 2)
        }
    }
}
