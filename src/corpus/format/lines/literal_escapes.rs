//! Escapes of source code, of TeX and of CEF: what one of them stands for.
//!
//! [`Escapes`](super::unescape::Escapes) undoes them.

/// The text that an escape stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Byte(u8),
    Char(char),
}

/// Returns the escape of a string literal at the start of `raw`, which starts with a backslash: its length in
/// bytes and its meaning. These are the escapes of C, Python, JavaScript, Rust and others that JSON does not
/// have.
pub(super) fn source(raw: &[u8]) -> Option<(usize, Meaning)> {
    let byte = match *raw.get(1)? {
        quote @ (b'\'' | b'`') => quote,
        b'a' => 0x07,
        b'v' => 0x0B,
        b'e' => 0x1B,
        b'x' => return Some((4, Meaning::Byte(number(raw.get(2..4)?, 16)? as u8))),
        b'0'..=b'7' => {
            let digits = raw[1..].iter().take(3).take_while(|digit| matches!(digit, b'0'..=b'7')).count();
            let number = number(&raw[1..1 + digits], 8)?;
            return Some((1 + digits, Meaning::Byte(u8::try_from(number).ok()?)));
        }
        b'u' if raw.get(2) == Some(&b'{') => {
            // A code point has at most six digits.
            let digits = raw[3..].iter().take(7).position(|&byte| byte == b'}').filter(|&len| len > 0)?;
            let char = char::from_u32(number(&raw[3..3 + digits], 16)?)?;
            return Some((4 + digits, Meaning::Char(char)));
        }
        b'U' => return Some((10, Meaning::Char(char::from_u32(number(raw.get(2..10)?, 16)?)?))),
        _ => return None,
    };
    Some((2, Meaning::Byte(byte)))
}

/// The commands of TeX for a character that has a meaning in TeX.
const COMMANDS: [(&[u8], u8); 4] = [
    (br"\textasciitilde", b'~'),
    (br"\textasciicircum", b'^'),
    (br"\textunderscore", b'_'),
    (br"\slash", b'/'),
];

/// Returns the escape of TeX at the start of `raw`, which starts with a backslash or an opening brace: its
/// length in bytes and its byte. An accent over nothing is a way to write a tilde: `\~{}`.
pub(super) fn tex(raw: &[u8]) -> Option<(usize, u8)> {
    if raw[0] == b'{' {
        // An escape in braces of its own, as programs that export BibTeX write it.
        let (len, byte) = tex(raw.get(1..).filter(|rest| rest.starts_with(b"\\"))?)?;
        return (raw.get(1 + len) == Some(&b'}')).then_some((len + 2, byte));
    }
    let with_braces = |len: usize| len + if raw[len..].starts_with(b"{}") { 2 } else { 0 };
    match *raw.get(1)? {
        byte @ (b'_' | b'&' | b'%' | b'#' | b'$' | b'{' | b'}') => Some((2, byte)),
        byte @ (b'~' | b'^') => Some((with_braces(2), byte)),
        _ => {
            let (name, byte) = COMMANDS.iter().find(|(name, _)| raw.starts_with(name))?;
            match raw.get(name.len()) {
                // White space after the name of a command is no text.
                Some(b' ') => Some((name.len() + 1, *byte)),
                Some(letter) if letter.is_ascii_alphabetic() => None,
                _ => Some((with_braces(name.len()), *byte)),
            }
        }
    }
}

/// Returns the escape of an extension of CEF at the start of `raw`, which starts with a backslash: its length
/// in bytes and its byte.
pub(super) fn cef(raw: &[u8]) -> Option<(usize, u8)> {
    let byte = match *raw.get(1)? {
        escaped @ (b'=' | b'\\' | b'|') => escaped,
        b'n' => b'\n',
        b'r' => b'\r',
        _ => return None,
    };
    Some((2, byte))
}

fn number(digits: &[u8], radix: u32) -> Option<u32> {
    let value = |digit: &u8| char::from(*digit).to_digit(radix);
    digits.iter().try_fold(0, |number: u32, digit| Some(number.checked_mul(radix)? + value(digit)?))
}
