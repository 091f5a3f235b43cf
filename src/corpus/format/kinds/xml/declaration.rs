//! The XML declaration (section 2.8 of XML 1.0).

use super::names::is_space;
use crate::work::{looked_at, memmem};

/// The facts that a declaration states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Declaration<'b> {
    pub(super) charset: Option<&'b [u8]>,
    pub(super) is_standalone: bool,
    /// The first byte that cannot stand in a declaration.
    pub(super) fault: Option<usize>,
    /// The number of bytes.
    pub(super) len: usize,
}

/// Returns true if the text starts like a declaration: with `<?xml` and white space.
pub(super) fn starts(text: &[u8]) -> bool {
    text.starts_with(b"<?xml") && text.get(5).is_some_and(|&byte| is_space(byte))
}

impl<'b> Declaration<'b> {
    /// Parses the declaration at the start of the text, which [starts](starts) with one. Returns `None` if
    /// the declaration does not end.
    pub(super) fn parse(text: &'b [u8]) -> Option<Self> {
        let end = memmem::find(text, b"?>")?;
        let mut declaration = Declaration { len: end + 2, ..Declaration::default() };
        let mut parser = Parser { text: &text[..end], at: 5 };
        declaration.fault = declaration.read(&mut parser).err();
        looked_at(end);
        Some(declaration)
    }

    /// Reads the attributes. The error is the place of the fault.
    fn read(&mut self, parser: &mut Parser<'b>) -> Result<(), usize> {
        let (at, version) = parser.attribute(b"version")?.ok_or(parser.at)?;
        let is_version = version
            .strip_prefix(b"1.")
            .is_some_and(|minor| !minor.is_empty() && minor.iter().all(u8::is_ascii_digit));
        if !is_version {
            return Err(at);
        }
        if let Some((at, charset)) = parser.attribute(b"encoding")? {
            let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
            if !charset.first().is_some_and(u8::is_ascii_alphabetic) || !charset.iter().all(is_name) {
                return Err(at);
            }
            self.charset = Some(charset);
        }
        if let Some((at, standalone)) = parser.attribute(b"standalone")? {
            if !matches!(standalone, b"yes" | b"no") {
                return Err(at);
            }
            self.is_standalone = standalone == b"yes";
        }
        parser.pass_spaces();
        if parser.at == parser.text.len() { Ok(()) } else { Err(parser.at) }
    }

    /// Returns true if bytes beyond ASCII are not UTF-8.
    pub(super) fn has_other_charset(&self) -> bool {
        self.charset.is_some_and(|charset| {
            ![&b"utf-8"[..], b"utf8"].iter().any(|utf8| charset.eq_ignore_ascii_case(utf8))
        })
    }
}

struct Parser<'b> {
    text: &'b [u8],
    at: usize,
}

impl<'b> Parser<'b> {
    /// Returns whether there was white space.
    fn pass_spaces(&mut self) -> bool {
        let start = self.at;
        while self.text.get(self.at).is_some_and(|&byte| is_space(byte)) {
            self.at += 1;
        }
        self.at > start
    }

    /// Returns the place and the value of the next attribute, if it has this name. The error is the place of
    /// a fault.
    fn attribute(&mut self, name: &[u8]) -> Result<Option<(usize, &'b [u8])>, usize> {
        let before = self.at;
        let has_space = self.pass_spaces();
        if !self.text[self.at..].starts_with(name) {
            self.at = before;
            return Ok(None);
        }
        if !has_space {
            return Err(self.at);
        }
        self.at += name.len();
        self.pass_spaces();
        if self.text.get(self.at) != Some(&b'=') {
            return Err(self.at);
        }
        self.at += 1;
        self.pass_spaces();
        let quote = *self.text.get(self.at).filter(|byte| b"'\"".contains(byte)).ok_or(self.at)?;
        let start = self.at + 1;
        let len = self.text[start..].iter().position(|&byte| byte == quote).ok_or(self.at)?;
        self.at = start + len + 1;
        Ok(Some((start, &self.text[start..start + len])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_have_a_fixed_order() {
        for (text, fault) in [
            ("<?xml version='1.0'?>", None),
            ("<?xml  version = \"1.1\" encoding='x-y_z.1' standalone='no'  ?>", None),
            ("<?xml version='1.0' standalone='yes'?>", None),
            ("<?xml encoding='UTF-8'?>", Some(5)),
            ("<?xml version='2.0'?>", Some(15)),
            ("<?xml version='1.'?>", Some(15)),
            ("<?xml version=1.0?>", Some(14)),
            ("<?xml version '1.0'?>", Some(14)),
            ("<?xml version='1.0?>", Some(14)),
            ("<?xml version='1.0'encoding='UTF-8'?>", Some(19)),
            ("<?xml version='1.0' encoding='x y'?>", Some(30)),
            ("<?xml version='1.0' encoding=''?>", Some(30)),
            ("<?xml version='1.0' standalone='maybe'?>", Some(32)),
            ("<?xml version='1.0' standalone='no' encoding='UTF-8'?>", Some(36)),
            ("<?xml version='1.0' x='y'?>", Some(20)),
        ] {
            let declaration = Declaration::parse(text.as_bytes()).unwrap();
            assert_eq!((declaration.fault, declaration.len), (fault, text.len()), "{text}");
        }
        assert_eq!(Declaration::parse(b"<?xml version='1.0'"), None);
        let of = |charset: &str| {
            let text = format!("<?xml version='1.0' encoding='{charset}'?>");
            Declaration::parse(text.as_bytes()).unwrap().has_other_charset()
        };
        assert!(of("windows-1252") && !of("utf-8") && !of("UTF8"));
    }
}
