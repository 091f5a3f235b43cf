//! Parameters of queries: pairs of a name and a value between `&`, as HTML forms and most servers write them.
//! RFC 3986 gives a query no inner structure.

use alloc::vec::Vec;

use crate::work::{looked_at, memchr};

/// The parameters of a query, in order.
#[derive(Clone)]
pub(crate) struct Parameters<'q> {
    rest: Option<&'q [u8]>,
}

/// A parameter, as it stands in the query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parameter<'q> {
    /// The bytes before the first `=`.
    pub(crate) name: &'q [u8],
    /// The bytes after the first `=`; empty if there is none.
    pub(crate) value: &'q [u8],
}

/// Returns the parameters of a query. Nothing between two `&` is no parameter.
pub(crate) fn parameters(query: &[u8]) -> Parameters<'_> {
    Parameters { rest: Some(query) }
}

impl<'q> Iterator for Parameters<'q> {
    type Item = Parameter<'q>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self.rest?;
            let parameter = match memchr(b'&', rest) {
                Some(end) => {
                    self.rest = Some(&rest[end + 1..]);
                    &rest[..end]
                }
                None => {
                    self.rest = None;
                    rest
                }
            };
            if parameter.is_empty() {
                continue;
            }
            return Some(match memchr(b'=', parameter) {
                Some(at) => Parameter { name: &parameter[..at], value: &parameter[at + 1..] },
                None => Parameter { name: parameter, value: b"" },
            });
        }
    }
}

/// Decodes names and values of parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Decoding {
    /// Whether `+` is a space, as in HTML forms.
    pub(crate) plus_as_space: bool,
}

impl Decoding {
    /// Appends the decoded text (RFC 3986 section 2.1). Escapes that are no UTF-8 stay as they are, so the
    /// result of UTF-8 is UTF-8. Appends nothing and returns false if nothing changes.
    pub(crate) fn decode(self, text: &[u8], to: &mut Vec<u8>) -> bool {
        looked_at(text.len());
        if !text.iter().any(|&byte| byte == b'%' || self.plus_as_space && byte == b'+') {
            return false;
        }
        let mut rest = text;
        let mut run = Vec::new();
        while let Some((&byte, after)) = rest.split_first() {
            run.clear();
            let mut escapes = rest;
            while let Some((decoded, after)) = escape(escapes) {
                run.push(decoded);
                escapes = after;
            }
            if run.is_empty() {
                to.push(if self.plus_as_space && byte == b'+' { b' ' } else { byte });
                rest = after;
                continue;
            }
            let mut at = 0;
            for chunk in run.utf8_chunks() {
                to.extend_from_slice(chunk.valid().as_bytes());
                at += chunk.valid().len();
                let end = at + chunk.invalid().len();
                to.extend_from_slice(&rest[3 * at..3 * end]);
                at = end;
            }
            rest = escapes;
        }
        true
    }

    /// Returns true if the text is this name when it is decoded. `decoded` is memory that is reused.
    pub(crate) fn is(self, text: &[u8], name: &[u8], decoded: &mut Vec<u8>) -> bool {
        decoded.clear();
        if self.decode(text, decoded) { decoded == name } else { text == name }
    }
}

/// Returns the byte of the escape at the start of a text, and the text after it.
fn escape(text: &[u8]) -> Option<(u8, &[u8])> {
    let (&[b'%', high, low], rest) = text.split_first_chunk()? else { return None };
    let digit = |digit: u8| char::from(digit).to_digit(16);
    Some(((digit(high)? << 4 | digit(low)?) as u8, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_between_ampersands() {
        let all = |query: &'static str| {
            let text = |bytes: &'static [u8]| str::from_utf8(bytes).unwrap();
            parameters(query.as_bytes()).map(|p| (text(p.name), text(p.value))).collect::<Vec<_>>()
        };
        assert_eq!(all("a=1&b&c=&d=x=y"), [("a", "1"), ("b", ""), ("c", ""), ("d", "x=y")]);
        assert_eq!(all("&&a=1&&=v&"), [("a", "1"), ("", "v")]);
        assert_eq!(all(""), []);
        assert_eq!(all("a;b=1"), [("a;b", "1")]);
    }

    #[test]
    fn escapes_are_decoded_if_they_are_utf_8() {
        let decoded = |text: &str, plus_as_space| {
            let mut to = Vec::new();
            let changed = Decoding { plus_as_space }.decode(text.as_bytes(), &mut to);
            changed.then(|| String::from_utf8(to).unwrap())
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(decoded("plain+", false), None);
        assert_eq!(decoded("a+b", true), some("a b"));
        assert_eq!(decoded("a+b%2B%20c", false), some("a+b+ c"));
        assert_eq!(decoded("a+b%2b", true), some("a b+"));
        assert_eq!(decoded("%c3%A9\u{e9}%26%3D%00", false), some("\u{e9}\u{e9}&=\0"));
        assert_eq!(decoded("%ff%41%C3x%c3%c3%a9%e2%82", false), some("%ffA%C3x%c3\u{e9}%e2%82"));
        // Valid records have no such escapes.
        assert_eq!(decoded("%4%%41%zz%", false), some("%4%A%zz%"));
    }
}
