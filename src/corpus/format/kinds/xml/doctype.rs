//! The document type declaration (section 2.8 of XML 1.0): where it ends, and the entities that it declares.
//!
//! The declarations of elements, attributes and notations count only as far as their quotes and brackets, and
//! as they bind prefixes: a document need not be valid.

use super::entities::{DefaultBinding, Entities, Entity, Reference, reference};
use super::names::{first_bad, is_name_byte, is_space};
use crate::work::{looked_at, memchr, memmem};

/// The reason why a document type is not read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The bytes end in it.
    Cut,
    /// This byte cannot stand there.
    At(usize),
}

/// Parses the document type that starts at `start`, with `<!DOCTYPE`. Returns the place after it, and its
/// entities.
pub(super) fn parse(bytes: &[u8], start: usize, is_standalone: bool) -> Result<(usize, Entities), Fault> {
    let mut parser = Parser { bytes, at: start + WORD.len(), entities: Entities::default() };
    let result = parser.document_type();
    looked_at(parser.at - start);
    result?;
    let Parser { at, mut entities, .. } = parser;
    entities.may_lack_some &= !is_standalone;
    entities.finish();
    Ok((at, entities))
}

/// The text that a document type starts with.
pub(super) const WORD: &[u8; 9] = b"<!DOCTYPE";

struct Parser<'b> {
    bytes: &'b [u8],
    at: usize,
    entities: Entities,
}

impl<'b> Parser<'b> {
    fn document_type(&mut self) -> Result<(), Fault> {
        self.spaces()?;
        self.name()?;
        let has_space = self.pass_spaces();
        if self.starts_with(b"SYSTEM")? || self.starts_with(b"PUBLIC")? {
            self.require(has_space)?;
            self.external_id()?;
            self.entities.may_lack_some = true;
            self.pass_spaces();
        }
        if self.peek()? == b'[' {
            self.at += 1;
            self.subset()?;
            self.pass_spaces();
        }
        self.byte(b'>')
    }

    /// Passes the internal subset, up to its bracket.
    fn subset(&mut self) -> Result<(), Fault> {
        loop {
            self.pass_spaces();
            match self.peek()? {
                b']' => {
                    self.at += 1;
                    return Ok(());
                }
                b'%' => {
                    self.at += 1;
                    self.name()?;
                    self.byte(b';')?;
                    // The entity can declare others.
                    self.entities.may_lack_some = true;
                }
                b'<' if self.starts_with(b"<!--")? => self.comment()?,
                b'<' if self.starts_with(b"<?")? => {
                    let name = self.at + 2;
                    self.at = name;
                    self.name()?;
                    if self.bytes[name..self.at].eq_ignore_ascii_case(b"xml") {
                        return Err(Fault::At(name));
                    }
                    let has_space = is_space(self.peek()?);
                    self.require(has_space || self.starts_with(b"?>")?)?;
                    self.pass_to(b"?>")?;
                }
                b'<' if self.starts_with(b"<!ENTITY")? => self.entity()?,
                b'<' if self.starts_with(b"<!ELEMENT")? => self.other(b"<!ELEMENT")?,
                b'<' if self.starts_with(b"<!ATTLIST")? => self.other(b"<!ATTLIST")?,
                b'<' if self.starts_with(b"<!NOTATION")? => self.other(b"<!NOTATION")?,
                _ => return Err(Fault::At(self.at)),
            }
        }
    }

    fn comment(&mut self) -> Result<(), Fault> {
        self.at += 4;
        self.pass_to(b"--")?;
        self.byte(b'>')
    }

    fn entity(&mut self) -> Result<(), Fault> {
        self.at += b"<!ENTITY".len();
        self.spaces()?;
        let is_parameter = self.peek()? == b'%';
        if is_parameter {
            self.at += 1;
            self.spaces()?;
        }
        let name = self.name()?;
        self.spaces()?;
        let entity = match self.peek()? {
            b'"' | b'\'' => {
                let value = self.literal()?;
                let bad = |at: usize| {
                    !matches!(reference(&self.bytes[at..value.end], None, true), Reference::Whole(..))
                };
                let mut ampersands = value.clone().filter(|&at| self.bytes[at] == b'&');
                if let Some(at) = ampersands.find(|&at| bad(at)) {
                    return Err(Fault::At(at));
                }
                Entity::Internal(self.bytes[value].into())
            }
            _ => {
                self.external_id()?;
                let has_space = self.pass_spaces();
                if self.starts_with(b"NDATA")? {
                    self.require(has_space && !is_parameter)?;
                    self.at += b"NDATA".len();
                    self.spaces()?;
                    self.name()?;
                }
                Entity::External
            }
        };
        self.pass_spaces();
        self.byte(b'>')?;
        if !is_parameter {
            self.entities.declare(name, entity);
        }
        Ok(())
    }

    /// Passes another declaration, which starts with this word.
    fn other(&mut self, word: &[u8]) -> Result<(), Fault> {
        self.at += word.len();
        self.spaces()?;
        self.name()?;
        let mut depth = 0_usize;
        // The prefix of a namespace whose URI may follow.
        let mut prefix: Option<&[u8]> = None;
        loop {
            match self.peek()? {
                b'>' => {
                    self.require(depth == 0)?;
                    self.at += 1;
                    return Ok(());
                }
                b'"' | b'\'' => {
                    let uri = self.literal()?;
                    if let Some(prefix) = prefix.take() {
                        let (prefix, uri) = (prefix.into(), self.bytes[uri].into());
                        self.entities.bindings.push(DefaultBinding { prefix, uri });
                    }
                }
                b'<' | b'[' | b']' | b'&' => return Err(Fault::At(self.at)),
                b'(' => {
                    depth += 1;
                    self.at += 1;
                }
                b')' => {
                    depth = depth.checked_sub(1).ok_or(Fault::At(self.at))?;
                    self.at += 1;
                }
                byte if is_name_byte(byte) => {
                    let rest = &self.bytes[self.at..];
                    let len = rest.iter().position(|&byte| !is_name_byte(byte)).ok_or(Fault::Cut)?;
                    match rest[..len].strip_prefix(b"xmlns") {
                        Some(b"") => prefix = Some(b""),
                        Some([b':', of_name @ ..]) => prefix = Some(of_name),
                        _ => {}
                    }
                    self.at += len;
                }
                _ => self.at += 1,
            }
        }
    }

    /// Passes `SYSTEM` and one literal, or `PUBLIC` and two.
    fn external_id(&mut self) -> Result<(), Fault> {
        let is_public = self.starts_with(b"PUBLIC")?;
        if !is_public && !self.starts_with(b"SYSTEM")? {
            return Err(Fault::At(self.at));
        }
        self.at += b"PUBLIC".len();
        self.spaces()?;
        self.literal()?;
        if is_public {
            self.spaces()?;
            self.literal()?;
        }
        Ok(())
    }

    /// Passes a literal, and returns the range between its quotes.
    fn literal(&mut self) -> Result<std::ops::Range<usize>, Fault> {
        let quote = self.peek()?;
        self.require(b"'\"".contains(&quote))?;
        let start = self.at + 1;
        let len = memchr(quote, &self.bytes[start..]).ok_or(Fault::Cut)?;
        self.at = start + len + 1;
        Ok(start..start + len)
    }

    fn name(&mut self) -> Result<&'b [u8], Fault> {
        let rest = &self.bytes[self.at..];
        let len = rest.iter().position(|&byte| !is_name_byte(byte)).ok_or(Fault::Cut)?;
        let name = &rest[..len];
        if let Some(bad) = first_bad(name, true) {
            return Err(Fault::At(self.at + bad));
        }
        self.at += len;
        Ok(name)
    }

    /// Passes the bytes up to this text, and the text.
    fn pass_to(&mut self, text: &[u8]) -> Result<(), Fault> {
        let found = memmem::find(&self.bytes[self.at..], text).ok_or(Fault::Cut)?;
        self.at += found + text.len();
        Ok(())
    }

    fn pass_spaces(&mut self) -> bool {
        let start = self.at;
        while self.bytes.get(self.at).is_some_and(|&byte| is_space(byte)) {
            self.at += 1;
        }
        self.at > start
    }

    /// Passes white space, of which there must be some.
    fn spaces(&mut self) -> Result<(), Fault> {
        self.peek()?;
        let has_space = self.pass_spaces();
        self.require(has_space)
    }

    fn require(&self, is_there: bool) -> Result<(), Fault> {
        if is_there { Ok(()) } else { Err(Fault::At(self.at)) }
    }

    fn byte(&mut self, byte: u8) -> Result<(), Fault> {
        let found = self.peek()?;
        self.require(found == byte)?;
        self.at += 1;
        Ok(())
    }

    fn peek(&self) -> Result<u8, Fault> {
        self.bytes.get(self.at).copied().ok_or(Fault::Cut)
    }

    /// Returns whether a word follows.
    fn starts_with(&self, word: &[u8]) -> Result<bool, Fault> {
        let rest = &self.bytes[self.at..];
        let len = rest.len().min(word.len());
        match rest[..len] == word[..len] {
            true if len < word.len() => Err(Fault::Cut),
            is_start => Ok(is_start),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn document_types_end_after_their_subset() {
        for text in [
            "<!DOCTYPE a>",
            "<!DOCTYPE a >",
            "<!DOCTYPE a SYSTEM 'b>'>",
            "<!DOCTYPE a PUBLIC \"b\" 'c' [ ] >",
            "<!DOCTYPE a [<!ENTITY b 'c>]'> %d; <!-- ]> --> <?e ]> ?>]>",
            "<!DOCTYPE a [<!ENTITY % b SYSTEM 'c'><!ENTITY d PUBLIC 'e' 'f' NDATA g >]>",
            "<!DOCTYPE a [<!ELEMENT b (c,(d|e)*)><!ATTLIST b c CDATA '>]'><!NOTATION d PUBLIC 'e'>]>",
        ] {
            let whole = [text, "<a/>"].concat();
            assert_eq!(parse(whole.as_bytes(), 0, false).map(|(at, _)| at), Ok(text.len()), "{text}");
            for cut in WORD.len()..text.len() {
                assert_eq!(
                    parse(&text.as_bytes()[..cut], 0, false).map(drop),
                    Err(Fault::Cut),
                    "{text}: {cut}"
                );
            }
        }
        for (text, at) in [
            ("<!DOCTYPEa>", 9),
            ("<!DOCTYPE >", 10),
            ("<!DOCTYPE 1>", 10),
            ("<!DOCTYPE a b>", 12),
            ("<!DOCTYPE a SYSTEM>", 18),
            ("<!DOCTYPE a SYSTEM b>", 19),
            ("<!DOCTYPE a PUBLIC 'b'>", 22),
            ("<!DOCTYPE a [ x ]>", 14),
            ("<!DOCTYPE a [<![INCLUDE[]]>]>", 13),
            ("<!DOCTYPE a [<!ENTITY b>]>", 23),
            ("<!DOCTYPE a [<!ENTITY b '&c'>]>", 25),
            ("<!DOCTYPE a [<!ENTITY % b SYSTEM 'c' NDATA d>]>", 37),
            ("<!DOCTYPE a [<!ELEMENT b (c>]>", 27),
            ("<!DOCTYPE a [<?xml c?>]>", 15),
            ("<!DOCTYPE a [<!-- b--c -->]>", 21),
        ] {
            assert_eq!(parse(text.as_bytes(), 0, false).map(drop), Err(Fault::At(at)), "{text}");
        }
    }
}
