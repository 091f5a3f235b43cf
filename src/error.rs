//! The error of a record, and its place.
//!
//! Only the [grammars](crate::grammar) make an [`Error`], so every backend reports the same one. An error is small and
//! `Copy`, and holds no text: its [`Display`](fmt::Display) form is made on demand.
//!
//! Failures of the machine (files, memory) are `std::io::Error`s.

use alloc::format;
use alloc::string::String;
use core::fmt;

use crate::names::named_enum;

/// The reason why a record does not match its grammar: its first error, and the error's place.
///
/// ```
/// use urivalidate::{ErrorKind, Grammar, parse};
///
/// let error = parse(Grammar::Uri, b"http://example.com/a b").unwrap_err();
/// assert_eq!((error.kind(), error.offset()), (ErrorKind::Space, 20));
/// assert_eq!(error.to_string(), "a space must be written %20");
/// ```
///
/// The error consists of two words, which stay in registers on their way from a parser into a batch. Separate
/// fields would be stored one by one and then moved together. The processor waits for that: up to a third of
/// the time that an invalid record of one byte takes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Error {
    /// The offset and, in the upper half, [the byte or character at the offset](Found::to_bits).
    place: u64,
    /// The kind, the component and the detail, one byte each from the lowest byte on.
    rule: u32,
}

/// Details that only the message needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    None,
    /// The rest of the record is white space.
    TrailingSpace,
    /// The host before the error is in brackets.
    AfterBrackets,
    /// The authority has no `]`.
    NoClosingBracket,
    /// The brackets hold an IPv4 address.
    Ipv4InBrackets,
    /// The error follows an IPv6 address in brackets. The grammar supports zone identifiers there as an
    /// option, or not at all.
    ZoneId,
    /// The grammar allows brackets in queries and fragments.
    BracketsInQueries,
    /// The grammar is `java`, which allows most characters beyond ASCII, and brackets in queries and
    /// fragments.
    Java,
    /// The record is a request target.
    RequestTarget,
}

impl Detail {
    /// All details, in their order.
    const ALL: [Detail; 9] = [
        Detail::None,
        Detail::TrailingSpace,
        Detail::AfterBrackets,
        Detail::NoClosingBracket,
        Detail::Ipv4InBrackets,
        Detail::ZoneId,
        Detail::BracketsInQueries,
        Detail::Java,
        Detail::RequestTarget,
    ];
}

/// The byte or character at an error's offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Found {
    /// The record's end: something is missing there.
    End,
    /// A byte that is ASCII, or not part of well-formed UTF-8.
    Byte(u8),
    /// A character beyond ASCII. The offset may lie inside it.
    Char(char),
}

impl Error {
    /// Returns an error at `offset` of `record`.
    #[cold]
    pub(crate) fn at(record: &[u8], offset: usize, kind: ErrorKind, component: Option<Component>) -> Self {
        /// The number that stands for no component.
        const NONE: u32 = 0xFF;

        debug_assert!(offset <= record.len());
        let component = component.map_or(NONE, |component| component as u32);
        let place = u64::from(Found::at(record, offset).to_bits()) << 32 | offset as u64;
        Error { place, rule: component << 8 | kind as u32 }
    }

    /// Adds a detail for the message, unless the error has one.
    #[inline]
    pub(crate) fn with_detail(self, detail: Detail) -> Self {
        let rule = if self.detail() == Detail::None { self.rule | (detail as u32) << 16 } else { self.rule };
        Error { rule, ..self }
    }

    fn detail(&self) -> Detail {
        Detail::ALL[self.rule.to_le_bytes()[2] as usize]
    }

    /// Returns the length in bytes of the longest prefix of the record with which some valid record starts.
    ///
    /// This is the offset of the first byte that cannot be there, or the end of the record if something is
    /// missing. Within an escape or a UTF-8 character, the offset can lie after the first byte. Three kinds
    /// differ: [`ErrorKind::InvalidPort`] has the offset of the port's first non-digit (by `java` also of the
    /// digit that makes it too large), [`ErrorKind::RecordTooLong`] has the limit, and
    /// [`ErrorKind::Truncated`] the end of the bytes that were read.
    pub fn offset(&self) -> usize {
        self.place as u32 as usize
    }

    /// Returns the rule that the record breaks.
    pub fn kind(&self) -> ErrorKind {
        ErrorKind::ALL[self.rule.to_le_bytes()[0] as usize]
    }

    /// Returns the component in which the offset lies, if any.
    pub fn component(&self) -> Option<Component> {
        Component::ALL.get(self.rule.to_le_bytes()[1] as usize).copied()
    }

    /// Returns the byte or character at the offset.
    pub fn found(&self) -> Found {
        Found::from_bits((self.place >> 32) as u32)
    }

    /// Returns the character that the grammar forbids in its component: the one at the offset, and `%` if two
    /// hexadecimal digits do not follow it. Returns `None` for an error that no single character makes, such as
    /// a missing scheme or a broken port.
    ///
    /// ```
    /// use urivalidate::{Found, Grammar, parse};
    ///
    /// let character = |record: &str| parse(Grammar::Uri, record).unwrap_err().character();
    /// assert_eq!(character("http://h/{x}"), Some(Found::Byte(b'{')));
    /// assert_eq!(character("http://h/é"), Some(Found::Char('é')));
    /// assert_eq!(character("http://h/50%"), Some(Found::Byte(b'%')));
    /// assert_eq!(character("h"), None);
    /// ```
    pub fn character(&self) -> Option<Found> {
        use ErrorKind::{
            BracketOutsideHost, ControlCharacter, InvalidCharacter, InvalidPercentEncoding, InvalidUtf8,
            NonAscii, SecondFragment, Space,
        };

        let found = match self.kind() {
            InvalidPercentEncoding => Found::Byte(b'%'),
            BracketOutsideHost | ControlCharacter | InvalidCharacter | InvalidUtf8 | NonAscii
            | SecondFragment | Space => self.found(),
            _ => Found::End,
        };
        Some(found).filter(|&found| found != Found::End)
    }

    /// Returns true if both errors have the same kind and message. A message depends on the offset only if
    /// the offset is 0 or the limit.
    pub fn has_message_of(&self, other: &Error) -> bool {
        let is_same = self.rule == other.rule && self.place >> 32 == other.place >> 32;
        let (one, two) = (self.offset(), other.offset());
        is_same && (one == two || one != 0 && two != 0 && self.kind() != ErrorKind::RecordTooLong)
    }

    /// Returns true if the error is a zone identifier, which a validator [with zone
    /// identifiers](crate::Validator::with_zone_ids) may allow.
    pub fn is_zone_id(&self) -> bool {
        self.detail() == Detail::ZoneId
    }

    /// Returns the error of a record of more than `limit` bytes, of which `record` holds at least the first
    /// `limit` bytes.
    pub fn record_too_long(record: &[u8], limit: usize) -> Self {
        let limit = limit.min(record.len()).min(u32::MAX as usize);
        Error::at(record, limit, ErrorKind::RecordTooLong, None)
    }

    /// Returns the error of a record whose end could not be read.
    #[cfg(feature = "corpus")]
    pub(crate) fn truncated(record: &[u8]) -> Self {
        Error::at(record, record.len(), ErrorKind::Truncated, None)
    }
}

impl Found {
    /// Returns the character, or `0xHH` for a byte that is none. The text is empty at the end.
    pub fn to_text(self) -> String {
        match self {
            Found::End => String::new(),
            Found::Byte(byte) if byte.is_ascii() => char::from(byte).into(),
            Found::Byte(byte) => format!("0x{byte:02X}"),
            Found::Char(char) => char.into(),
        }
    }

    /// Marks a byte: no character has such a number. All bits are set for the end.
    const BYTE: u32 = 1 << 31;

    fn to_bits(self) -> u32 {
        match self {
            Found::End => u32::MAX,
            Found::Byte(byte) => Self::BYTE | u32::from(byte),
            Found::Char(char) => char.into(),
        }
    }

    fn from_bits(bits: u32) -> Self {
        match bits {
            u32::MAX => Found::End,
            _ => char::from_u32(bits).map_or(Found::Byte(bits as u8), Found::Char),
        }
    }

    /// Returns the byte at `offset`, or the whole character to which it belongs.
    fn at(record: &[u8], offset: usize) -> Self {
        let Some(&byte) = record.get(offset) else { return Found::End };
        if byte.is_ascii() {
            return Found::Byte(byte);
        }
        // A character has at most four bytes, so it starts at most three before the offset.
        let may_lead = |&start: &usize| matches!(record[start], 0xC2..=0xF4);
        for start in (offset.saturating_sub(3)..=offset).rev().filter(may_lead) {
            // Copies the bytes: in a mapped file, they may change between two reads.
            let mut head = [0; 4];
            let len = head.len().min(record.len() - start);
            head[..len].copy_from_slice(&record[start..start + len]);
            let text = head[..len].utf8_chunks().next().map_or("", |chunk| chunk.valid());
            if let Some(char) = text.chars().next()
                && start + char.len_utf8() > offset
            {
                return Found::Char(char);
            }
        }
        Found::Byte(byte)
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Found::End => f.write_str("the end"),
            Found::Byte(b' ') => f.write_str("a space"),
            // In quotes of the other kind.
            Found::Byte(b'"') => f.write_str("'\"'"),
            Found::Byte(byte @ 0x21..=0x7E) => write!(f, "\"{}\"", byte as char),
            Found::Byte(byte) => write!(f, "byte 0x{byte:02X}"),
            // A control or format character would garble the terminal or be invisible.
            Found::Char(char) if char.is_control() || char.escape_debug().len() > 1 => {
                write!(f, "U+{:04X}", char as u32)
            }
            Found::Char(char) => write!(f, "\"{char}\" (U+{:04X})", char as u32),
        }
    }
}

impl core::error::Error for Error {}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("offset", &self.offset())
            .field("found", &self.found())
            .field("kind", &self.kind())
            .field("component", &self.component())
            .field("detail", &self.detail())
            .finish()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, found, component, detail) = (self.kind(), self.found(), self.component(), self.detail());
        let is_at_start = self.offset() == 0;
        let place = |f: &mut fmt::Formatter<'_>| match component {
            Some(component) => write!(f, " in the {component}"),
            None => Ok(()),
        };
        let leading_space = |f: &mut fmt::Formatter<'_>| {
            f.write_str("a space at the start of the record; trimming removes it")
        };
        match kind {
            ErrorKind::Empty => f.write_str("the record is empty"),
            ErrorKind::MissingScheme => match found {
                Found::End => f.write_str("no scheme: the record ends before a \":\""),
                Found::Byte(b' ') if is_at_start => leading_space(f),
                _ => write!(f, "no scheme: a name and \":\" must come first, found {found}"),
            },
            ErrorKind::InvalidScheme => match found {
                Found::Byte(b' ') if is_at_start => leading_space(f),
                Found::Byte(b':') if is_at_start => f.write_str("no scheme comes before this \":\""),
                Found::Byte(b':') => f.write_str("the text before \":\" is not a scheme"),
                _ if is_at_start => write!(f, "{found} cannot start a scheme"),
                _ => write!(f, "{found} cannot be in a scheme"),
            },
            ErrorKind::Space => match (component, detail) {
                (_, Detail::TrailingSpace) => {
                    f.write_str("a space at the end of the record; trimming removes it")
                }
                _ if is_at_start => leading_space(f),
                (Some(Component::Host | Component::Authority), _) => {
                    f.write_str("a space cannot be in a host")
                }
                _ => f.write_str("a space must be written %20"),
            },
            ErrorKind::ControlCharacter => {
                match found {
                    Found::Byte(byte) => write!(f, "control character 0x{byte:02X}")?,
                    _ => write!(f, "control character {found}")?,
                }
                place(f)
            }
            ErrorKind::NonAscii => {
                write!(f, "{found}")?;
                place(f)?;
                f.write_str(match detail {
                    Detail::Java => " is a space or a control character and must be percent-encoded",
                    _ if component == Some(Component::Host) => {
                        " is not ASCII: a host beyond ASCII is written in Punycode (xn--...)"
                    }
                    _ => " is not ASCII and must be percent-encoded",
                })
            }
            ErrorKind::InvalidCharacter => match (found, component) {
                (Found::Byte(b'#'), Some(Component::Fragment)) => f.write_str(match detail {
                    Detail::RequestTarget => "\"#\": a request target has no fragment",
                    _ => "\"#\": an absolute URI has no fragment",
                }),
                _ => {
                    write!(f, "{found} is not allowed")?;
                    place(f)
                }
            },
            ErrorKind::InvalidPercentEncoding => {
                write!(f, "\"%\" must be followed by two hexadecimal digits, found {found}")
            }
            ErrorKind::BracketOutsideHost => {
                write!(f, "{found}")?;
                place(f)?;
                f.write_str(match detail {
                    Detail::BracketsInQueries | Detail::Java => {
                        ": brackets may only enclose an IPv6 address as host, or be in a query or a fragment"
                    }
                    _ => ": brackets may only enclose an IP address as host",
                })
            }
            ErrorKind::InvalidIpLiteral => match detail {
                Detail::NoClosingBracket => write!(f, "unclosed IP literal: missing \"]\", found {found}"),
                Detail::Ipv4InBrackets => f.write_str("an IPv4 address must not be in brackets"),
                Detail::ZoneId => f.write_str("a zone identifier, which this validator does not allow"),
                _ => write!(f, "no IP address in the brackets: {found} cannot be here"),
            },
            ErrorKind::InvalidPort => match found {
                Found::Byte(b'0'..=b'9') => f.write_str("the port is larger than 2147483647"),
                _ => write!(f, "a port is made of digits, found {found}"),
            },
            ErrorKind::SecondFragment => {
                f.write_str("a second \"#\": within a fragment it must be written %23")
            }
            ErrorKind::ColonInFirstSegment => {
                f.write_str("\":\" in the first segment of a relative reference")
            }
            ErrorKind::InvalidAuthority => match found {
                Found::End => f.write_str("the authority after \"//\" is missing"),
                Found::Byte(b'@') if detail != Detail::AfterBrackets => {
                    f.write_str("a second \"@\" in the authority")
                }
                _ => write!(f, "{found} cannot follow the host"),
            },
            ErrorKind::InvalidUtf8 => write!(f, "ill-formed UTF-8: {found} cannot be here"),
            ErrorKind::EmptySchemeSpecificPart => f.write_str("nothing follows the scheme's \":\""),
            ErrorKind::RecordTooLong => {
                let (limit, s) = (self.offset(), if self.offset() == 1 { "" } else { "s" });
                write!(f, "the record is longer than {limit} byte{s}")
            }
            ErrorKind::Truncated => f.write_str("the input broke off before the end of the record"),
        }
    }
}

named_enum! {
    /// The rule that a record breaks. Later versions may add kinds; a name keeps its meaning. The examples
    /// are invalid as `uri` unless they say otherwise.
    #[non_exhaustive]
    ErrorKind {
        /// The record is empty, and the grammar requires something.
        Empty = "empty",
        /// No `:` comes before the first of `/?#`: `www.example.com/x`.
        MissingScheme = "missing-scheme",
        /// The text before the first `:` is not a scheme: `1http://h/`.
        InvalidScheme = "invalid-scheme",
        /// A space: `http://h/a b`.
        Space = "space",
        /// A byte below 0x20, or 0x7F: a tab in a path.
        ControlCharacter = "control-character",
        /// A character beyond ASCII, in a grammar without such characters: `http://h/é`.
        NonAscii = "non-ascii",
        /// A character that the grammar allows nowhere, or not in this component: `http://h/{id}`.
        InvalidCharacter = "invalid-character",
        /// `%` without two hexadecimal digits: `http://h/100%`.
        InvalidPercentEncoding = "invalid-percent-encoding",
        /// `[` or `]` that does not enclose a host: `http://h/?x[]=1`.
        BracketOutsideHost = "bracket-outside-host",
        /// The brackets hold no IP address: `http://[1::2::3]/`.
        InvalidIpLiteral = "invalid-ip-literal",
        /// The port has a byte that is not a digit: `http://h:8o/`.
        InvalidPort = "invalid-port",
        /// A second `#`: `http://h/#a#b`.
        SecondFragment = "second-fragment",
        /// A relative reference with a colon in its first segment: `a:b`, as `relative-ref`.
        ColonInFirstSegment = "colon-in-first-segment",
        /// The authority has a second `@`, continues after `]`, or is missing although `java` requires one:
        /// `http://a@b@c/`.
        InvalidAuthority = "invalid-authority",
        /// Ill-formed UTF-8, by `iri`, `iri-reference` and `java`.
        InvalidUtf8 = "invalid-utf8",
        /// Nothing follows the scheme's colon, by `rfc2396` and `java`: `mailto:`.
        EmptySchemeSpecificPart = "empty-scheme-specific-part",
        /// The record has more bytes than the limit of the run, or than 2^32 - 2.
        RecordTooLong = "record-too-long",
        /// An error ended the input before the end of the line was read, so the record may be incomplete:
        /// `http://h/a` at the end of a truncated archive.
        Truncated = "truncated",
    }
}

named_enum! {
    /// The components of a URI (RFC 3986 section 3), with the parts of its authority (3.2).
    #[non_exhaustive]
    Component {
        /// Section 3.1.
        Scheme = "scheme",
        /// Section 3.2.
        Authority = "authority",
        /// Section 3.2.1.
        Userinfo = "userinfo",
        /// Section 3.2.2.
        Host = "host",
        /// Section 3.2.3.
        Port = "port",
        /// Section 3.3.
        Path = "path",
        /// Section 3.4.
        Query = "query",
        /// Section 3.5.
        Fragment = "fragment",
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use alloc::vec::Vec;

    use super::*;
    use crate::grammar::Grammar;
    use crate::validator::Validator;

    #[test]
    fn errors_with_one_message_are_those_whose_texts_are_equal() {
        let records: [&[u8]; 26] = [
            b"",
            b" a:b",
            b"a b",
            b"http://h/a b",
            b"http://h/abc d",
            b"http://h/a?b c",
            b"http://a b/",
            b"http://h/a ",
            b"http://h/a\tb",
            b"http://h/\x01",
            b"http://h/\xC3\xA9",
            b"http://h/a\xC3\xA9",
            b"http://h/\xFF",
            b"1a:",
            b":a",
            b"a/b:c",
            b"a^b",
            b"http://h/%zz",
            b"http://h/a%2",
            b"http://h/[",
            b"http://[::1",
            b"http://[::g]/",
            b"http://[1.2.3.4]/",
            b"http://h:8x/",
            b"a:#b#c",
            b"http://u@v@h/",
        ];
        let mut errors: Vec<_> = Grammar::ALL
            .iter()
            .flat_map(|&grammar| {
                records.iter().filter_map(move |record| Validator::new(grammar).parse(record).err())
            })
            .collect();
        errors.extend([1, 3, 7].map(|limit| Error::record_too_long(b"http://h/", limit)));
        let mut others = 0;
        for one in &errors {
            for other in &errors {
                let are_equal = (one.kind(), one.to_string()) == (other.kind(), other.to_string());
                // Those that differ in their place alone are found.
                assert!(are_equal || !one.has_message_of(other), "{one} {other}");
                others += usize::from(one.offset() != other.offset() && one.has_message_of(other));
            }
        }
        assert!(others > 0);
    }
}
