//! The error of an invalid record, computed from its parts and its longest viable prefix.

use std::ops::Range;

use urivalidate::{Component, ErrorKind, Grammar};

use super::Oracle;
use super::parts::Cut;

/// An error of a record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fault {
    pub(crate) offset: usize,
    pub(crate) kind: ErrorKind,
    /// None if the oracle does not determine the component.
    pub(crate) component: Option<Component>,
}

impl Oracle {
    /// Returns the error of an invalid record. Faults of the structure come first, from left to right, then
    /// the byte after the longest viable prefix.
    ///
    /// For a request-target, whose forms have their own structures, the oracle does not determine the kind of
    /// the fault.
    pub(crate) fn fault(&self, record: &[u8]) -> Fault {
        let offset = self.whole.viable_prefix(record);
        let cut = Cut::new(record);
        if let Some(fault) = self.structure(record, offset, &cut) {
            return fault;
        }
        let kind = self.byte(record, offset);
        let lies_in = |range: &Range<usize>| (range.start..=range.end).contains(&offset);
        let component = if kind == ErrorKind::InvalidCharacter && record[offset] == b'#' {
            Some(Component::Fragment)
        } else if cut.authority.as_ref().is_some_and(lies_in) {
            None
        } else if self.is_rfc2396() && cut.scheme.is_some() && record[cut.path.start] != b'/' {
            // An opaque part is not a path.
            cut.fragment.as_ref().is_some_and(lies_in).then_some(Component::Fragment)
        } else {
            let places = [
                (Component::Path, Some(cut.path)),
                (Component::Query, cut.query),
                (Component::Fragment, cut.fragment),
            ];
            places
                .into_iter()
                .find(|(_, range)| range.as_ref().is_some_and(lies_in))
                .map(|(component, _)| component)
        };
        Fault { offset, kind, component }
    }

    fn structure(&self, record: &[u8], offset: usize, cut: &Cut) -> Option<Fault> {
        let fault = |kind, component| Some(Fault { offset, kind, component });
        if record.is_empty() {
            return fault(ErrorKind::Empty, None);
        }

        let colon = record.iter().position(|byte| b":/?#".contains(byte)).filter(|&at| record[at] == b':');
        let needs_scheme = matches!(self.grammar(), Grammar::Uri | Grammar::AbsoluteUri | Grammar::Iri);
        match colon {
            None if needs_scheme => return fault(ErrorKind::MissingScheme, Some(Component::Scheme)),
            // The bytes decide: the colon itself cannot be there.
            Some(_) if self.grammar() == Grammar::RelativeRef => return None,
            Some(at) if !self.rules.scheme.contains(&record[..at]) => {
                return fault(ErrorKind::InvalidScheme, Some(Component::Scheme));
            }
            Some(at) if self.is_rfc2396() && matches!(&record[at + 1..], [] | [b'#', ..]) => {
                return fault(ErrorKind::EmptySchemeSpecificPart, None);
            }
            _ => {}
        }

        let authority = cut.authority.clone()?;
        if self.grammar() == Grammar::RequestTarget && cut.scheme.is_none() {
            // The text after the `//` of an origin-form is not an authority.
            return None;
        }
        if self.grammar() == Grammar::Java && authority.start == record.len() {
            return fault(ErrorKind::InvalidAuthority, None);
        }
        let text = &record[authority.clone()];
        let host = match text.iter().position(|&byte| byte == b'@') {
            Some(at) if text[0] != b'[' => {
                if !self.rules.userinfo.contains(&text[..at]) {
                    return None;
                }
                at + 1
            }
            _ => 0,
        };
        let port = if text.get(host) == Some(&b'[') {
            let close = text[host..].iter().position(|&byte| byte == b']').map(|length| host + length);
            let Some(close) = close.filter(|&close| self.rules.is_ip_literal(&text[host..=close])) else {
                return fault(ErrorKind::InvalidIpLiteral, Some(Component::Host));
            };
            match text.get(close + 1)? {
                b':' => close + 2,
                _ => return fault(ErrorKind::InvalidAuthority, None),
            }
        } else {
            let colon = host + text[host..].iter().position(|&byte| byte == b':')?;
            // By RFC 2396, such an authority is a reg_name.
            if self.is_rfc2396() || !self.rules.reg_name.contains(&text[host..colon]) {
                return None;
            }
            colon + 1
        };
        let valid = self.rules.port.viable_prefix(&text[port..]);
        (port + valid < text.len()).then(|| Fault {
            // Only this error may lie elsewhere than at the end of the longest viable prefix: `h:8a` can be
            // userinfo.
            offset: authority.start + port + valid,
            kind: ErrorKind::InvalidPort,
            component: Some(Component::Port),
        })
    }

    /// Returns the kind of the error for the byte at `offset`.
    fn byte(&self, record: &[u8], offset: usize) -> ErrorKind {
        let (viable, rest) = record.split_at(offset);
        if matches!(viable, [.., b'%'])
            || matches!(viable, [.., b'%', _] if !rest.first().is_some_and(u8::is_ascii_hexdigit))
        {
            return ErrorKind::InvalidPercentEncoding;
        }

        let start = match std::str::from_utf8(viable) {
            Ok(_) => offset,
            Err(error) => error.valid_up_to(),
        };
        let is_character =
            record[start..].utf8_chunks().next().is_some_and(|chunk| !chunk.valid().is_empty());
        let takes_utf8 = matches!(self.grammar(), Grammar::Iri | Grammar::IriReference | Grammar::Java);
        if takes_utf8 && !is_character {
            return ErrorKind::InvalidUtf8;
        }

        let Some(byte) = rest.first() else {
            assert_eq!(self.grammar(), Grammar::RequestTarget, "{:?} ends too early", record.escape_ascii());
            return ErrorKind::MissingScheme;
        };
        match byte {
            b' ' => ErrorKind::Space,
            0x00..=0x1F | 0x7F => ErrorKind::ControlCharacter,
            0x80.. if matches!(self.grammar(), Grammar::Iri | Grammar::IriReference) => {
                ErrorKind::InvalidCharacter
            }
            0x80.. => ErrorKind::NonAscii,
            b'[' | b']' => ErrorKind::BracketOutsideHost,
            b'@' => ErrorKind::InvalidAuthority,
            // Any other colon follows a port, and belongs to the structure.
            b':' => ErrorKind::ColonInFirstSegment,
            b'#' if viable.contains(&b'#') => ErrorKind::SecondFragment,
            _ => ErrorKind::InvalidCharacter,
        }
    }
}
