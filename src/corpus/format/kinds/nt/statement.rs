//! The terms of a statement of N-Triples or N-Quads.
//!
//! The grammar is that of [N-Quads][nq], with the triple terms, the directions of language tags and the
//! version line of RDF 1.2, and the quoted triples of RDF-star. White space may stand between any two terms.
//! A carriage return ends a statement, too.
//!
//! The parser is our own: oxttl, which is well kept, makes a string of each term, and stops at an IRI that is
//! broken.
//!
//! [nq]: https://www.w3.org/TR/n-quads/

use std::ops::Range;

use crate::corpus::format::lines::line::Malformed;
use crate::corpus::format::lines::unescape::Escapes;
use crate::work::{looked_at, memchr, memchr2, memchr3};

/// The part of a statement that an IRI is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Subject,
    Predicate,
    Object,
    Graph,
    Datatype,
}

impl Role {
    pub(super) fn name(self) -> &'static str {
        match self {
            Role::Subject => "subject",
            Role::Predicate => "predicate",
            Role::Object => "object",
            Role::Graph => "graph",
            Role::Datatype => "datatype",
        }
    }
}

/// Takes the terms of a statement, in order. Places are in the statement's line.
pub(super) trait TakeTerm {
    /// Takes an IRI. Its role is unknown after a malformed place.
    fn iri(&mut self, range: Range<usize>, escapes: Escapes, role: Option<Role>);

    /// Takes the first place of a statement that does not fit.
    fn malformed(&mut self, at: usize, reason: Malformed);
}

/// A place at which a statement does not fit.
struct Misfit {
    at: usize,
    reason: Malformed,
}

impl Misfit {
    fn at(at: usize) -> Self {
        Misfit { at, reason: Malformed::NotAStatement }
    }
}

/// Passes the terms of a line to `to`. The line has no line feed, and mostly one statement.
#[inline]
pub(super) fn statement(line: &[u8], to: &mut impl TakeTerm) {
    let mut cursor = Cursor { line, at: 0 };
    loop {
        if let Err(Misfit { at, reason }) = cursor.statement(to) {
            to.malformed(at, reason);
            cursor.at = at;
            cursor.rest(to);
        }
        // Only a carriage return is left.
        if cursor.at >= line.len() {
            return;
        }
        cursor.at += 1;
    }
}

/// The term that comes next.
#[derive(Clone, Copy)]
enum Next {
    Subject,
    Predicate,
    Object,
    /// A graph, or the end.
    Graph,
    End,
}

/// A triple around a triple that is one of its terms.
struct Outer {
    /// The part of the outer triple after the inner one.
    next: Next,
    /// Whether the inner triple is in parentheses.
    is_term: bool,
}

struct Cursor<'l> {
    line: &'l [u8],
    at: usize,
}

impl Cursor<'_> {
    #[inline]
    fn peek(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }

    fn follows(&self, text: &[u8]) -> bool {
        self.line[self.at..].starts_with(text)
    }

    #[inline]
    fn skip_space(&mut self) {
        let start = self.at;
        while let Some(b' ' | b'\t') = self.peek() {
            self.at += 1;
        }
        looked_at(self.at - start + 1);
    }

    /// Passes a statement, up to the end of the line or a carriage return.
    #[inline]
    fn statement(&mut self, to: &mut impl TakeTerm) -> Result<(), Misfit> {
        self.skip_space();
        if matches!(self.peek(), None | Some(b'\r' | b'#')) || self.follows(b"VERSION") {
            return self.without_terms();
        }
        let mut next = Next::Subject;
        let mut outer = Vec::new();
        loop {
            self.skip_space();
            next = match (next, self.peek()) {
                (Next::Subject | Next::Object, Some(b'<')) if self.follows(b"<<") => {
                    self.at += 2;
                    let is_term = self.peek() == Some(b'(');
                    self.at += usize::from(is_term);
                    outer.push(Outer { next: after(next, &outer), is_term });
                    Next::Subject
                }
                (Next::Subject, Some(b'<')) => self.iri(Role::Subject, to).map(|()| Next::Predicate)?,
                (Next::Predicate, Some(b'<')) => self.iri(Role::Predicate, to).map(|()| Next::Object)?,
                (Next::Object, Some(b'<')) => self.iri(Role::Object, to).map(|()| after(next, &outer))?,
                (Next::Graph, Some(b'<')) => self.iri(Role::Graph, to).map(|()| Next::End)?,
                (Next::Subject | Next::Object | Next::Graph, Some(b'_')) => {
                    self.blank_node()?;
                    after(next, &outer)
                }
                (Next::Object, Some(b'"')) => self.literal(to).map(|()| after(next, &outer))?,
                (Next::Graph | Next::End, _) => match outer.pop() {
                    Some(Outer { next, is_term }) => {
                        self.expect(if is_term { b")>>" } else { b">>" })?;
                        next
                    }
                    None => {
                        self.expect(b".")?;
                        self.skip_space();
                        return self.without_terms();
                    }
                },
                _ => return Err(Misfit::at(self.at)),
            };
        }
    }

    fn expect(&mut self, text: &[u8]) -> Result<(), Misfit> {
        if !self.follows(text) {
            return Err(Misfit::at(self.at));
        }
        self.at += text.len();
        Ok(())
    }

    /// Passes what stands outside of statements: a comment, or the version of the language.
    fn without_terms(&mut self) -> Result<(), Misfit> {
        match self.peek() {
            None | Some(b'\r') => {}
            Some(b'#') => {
                let rest = &self.line[self.at..];
                self.at += memchr(b'\r', rest).unwrap_or(rest.len());
            }
            Some(b'V') => {
                let start = self.at;
                self.at += b"VERSION".len();
                self.skip_space();
                if self.peek() != Some(b'"') {
                    return Err(Misfit::at(start));
                }
                if let Some(at) = self.string()? {
                    return Err(Misfit::at(at));
                }
                self.skip_space();
                if !matches!(self.peek(), None | Some(b'\r' | b'#')) {
                    return Err(Misfit::at(self.at));
                }
                return self.without_terms();
            }
            Some(_) => return Err(Misfit::at(self.at)),
        }
        Ok(())
    }

    /// Passes an IRI, from its `<` on.
    #[inline]
    fn iri(&mut self, role: Role, to: &mut impl TakeTerm) -> Result<(), Misfit> {
        let (range, escapes) = self.angle_brackets().ok_or(Misfit::at(self.at))?;
        to.iri(range, escapes, Some(role));
        Ok(())
    }

    /// Passes a text between `<` and `>`. `None` if it does not end in this line.
    #[inline]
    fn angle_brackets(&mut self) -> Option<(Range<usize>, Escapes)> {
        let start = self.at + 1;
        let mut end = start + memchr2(b'>', b'\\', &self.line[start..])?;
        let mut escapes = Escapes::None;
        if self.line[end] == b'\\' {
            escapes = Escapes::CodePoints;
            end += memchr(b'>', &self.line[end..])?;
        }
        self.at = end + 1;
        Some((start..end, escapes))
    }

    /// Passes the label of a blank node. It does not end with a dot, which ends the statement.
    fn blank_node(&mut self) -> Result<(), Misfit> {
        let start = self.at;
        let is_in_name =
            |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.:".contains(byte) || !byte.is_ascii();
        let label = match self.line[start..] {
            [b'_', b':', ref label @ ..] if !matches!(label.first(), Some(b'-' | b'.')) => label,
            _ => return Err(Misfit::at(start)),
        };
        let label = &label[..label.iter().position(|byte| !is_in_name(byte)).unwrap_or(label.len())];
        looked_at(label.len() + 1);
        let dots = label.iter().rev().take_while(|&&byte| byte == b'.').count();
        if label.len() == dots {
            return Err(Misfit::at(start));
        }
        self.at = start + 2 + label.len() - dots;
        Ok(())
    }

    /// Passes a literal with its type or its language.
    fn literal(&mut self, to: &mut impl TakeTerm) -> Result<(), Misfit> {
        if let Some(at) = self.string()? {
            to.malformed(at, Malformed::NotAStatement);
        }
        self.skip_space();
        match self.peek() {
            Some(b'^') => {
                let start = self.at;
                self.expect(b"^^")?;
                self.skip_space();
                if self.peek() != Some(b'<') {
                    return Err(Misfit::at(start));
                }
                self.iri(Role::Datatype, to)
            }
            Some(b'@') => self.language(),
            _ => Ok(()),
        }
    }

    /// Passes a language tag, which may have a direction.
    fn language(&mut self) -> Result<(), Misfit> {
        let start = self.at;
        let rest = &self.line[start + 1..];
        let len = rest.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'-');
        let tag = &rest[..len.unwrap_or(rest.len())];
        looked_at(tag.len() + 1);
        let mut parts = tag.split(|&byte| byte == b'-');
        let is_language =
            parts.next().is_some_and(|part| !part.is_empty() && part.iter().all(u8::is_ascii_alphabetic));
        // Two hyphens precede the direction, which is the last part.
        let mut are_sound = is_language;
        while let Some(part) = parts.next() {
            let is_direction = part.is_empty()
                && parts
                    .next()
                    .is_some_and(|last| !last.is_empty() && last.iter().all(u8::is_ascii_alphabetic))
                && parts.next().is_none();
            are_sound &= !part.is_empty() || is_direction;
        }
        if !are_sound {
            return Err(Misfit::at(start));
        }
        self.at = start + 1 + tag.len();
        Ok(())
    }

    /// Passes a string, from its opening quote on. Returns the first escape without a meaning.
    fn string(&mut self) -> Result<Option<usize>, Misfit> {
        let start = self.at;
        let mut unsound = None;
        self.at += 1;
        loop {
            let rest = &self.line[self.at..];
            let found = memchr3(b'"', b'\\', b'\r', rest).filter(|&found| rest[found] != b'\r');
            let Some(found) = found else {
                return Err(Misfit { at: start, reason: Malformed::NoClosingQuote });
            };
            self.at += found + 1;
            if rest[found] == b'"' {
                return Ok(unsound);
            }
            match rest.get(found + 1) {
                Some(b't' | b'b' | b'n' | b'r' | b'f' | b'\'') => {}
                Some(b'"' | b'\\') => self.at += 1,
                _ if Escapes::CodePoints.step_len(&rest[found..]) > 1 => {}
                _ => unsound = unsound.or(Some(self.at - 1)),
            }
        }
    }

    /// Passes the rest of a statement after a malformed place, and the IRIs in it, which stand outside of
    /// strings and comments.
    #[cold]
    fn rest(&mut self, to: &mut impl TakeTerm) {
        let rest = &self.line[self.at..];
        let end = self.at + memchr(b'\r', rest).unwrap_or(rest.len());
        let mut inner = Cursor { line: &self.line[..end], at: self.at };
        self.at = end;
        while let Some(found) = memchr3(b'<', b'"', b'#', &inner.line[inner.at..]) {
            inner.at += found;
            if inner.follows(b"<<") {
                inner.at += 2;
            } else if inner.follows(b"<") {
                let Some((range, escapes)) = inner.angle_brackets() else { return };
                to.iri(range, escapes, None);
            } else if inner.follows(b"#") || inner.string().is_err() {
                return;
            }
        }
    }
}

/// Returns what follows a term.
#[inline]
fn after(term: Next, outer: &[Outer]) -> Next {
    match term {
        Next::Subject => Next::Predicate,
        Next::Predicate => Next::Object,
        Next::Object if outer.is_empty() => Next::Graph,
        Next::Object | Next::Graph | Next::End => Next::End,
    }
}
