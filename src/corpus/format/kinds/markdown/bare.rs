//! Bare links, as GitHub Flavored Markdown has them (section 6.9). They start and end as those of cmark-gfm,
//! GitHub's parser.
//!
//! | text | link |
//! |---|---|
//! | `http://a/b`, `https:`, `ftp:` | all of it, with a letter or digit as the first character of the host |
//! | `www.a.example/b` | `http://www.a.example/b` |
//! | `mailto:a@b.example`, `xmpp:a@b.example/c` | up to the end of the domain, or of the resource |
//!
//! White space or `<` ends a link. Then punctuation at its end, closing brackets `)` without opening ones,
//! and a character reference at its end are no part of it. All other bytes are: a backslash, a backtick and a
//! quote, too. A backslash escapes nothing, and a character reference stands for itself.
//!
//! GitHub has no bare links between square brackets. Here they are records, so that none is lost; there, a
//! `]` without an opening bracket ends them, too. Bare e-mail addresses cannot be broken, so they are no
//! records.

use std::ops::Range;

use crate::work::{looked_at, position};

/// The text of a block that may hold bare links, from the block's start on.
#[derive(Clone, Copy)]
pub(super) struct Content<'t> {
    /// The bytes up to the end of the block's text, or of the document. No link goes over a line end.
    pub(super) bytes: &'t [u8],
    /// Whether a square bracket is open.
    pub(super) is_in_brackets: bool,
}

impl Content<'_> {
    /// Returns the link whose scheme ends at the colon `colon`. The link starts at or after `from`.
    pub(super) fn link_at_colon(self, from: usize, colon: usize) -> Option<Range<usize>> {
        let Content { bytes, .. } = self;
        let letters = bytes[from..colon].iter().rev().take(LONGEST_SCHEME + 1);
        let start = colon - letters.take_while(|byte| byte.is_ascii_alphabetic()).count();
        let (scheme, rest) = (&bytes[start..colon], &bytes[colon + 1..]);
        if matches!(scheme, b"mailto" | b"xmpp") {
            let is_glued = bytes[from..start].last().is_some_and(u8::is_ascii_digit);
            return (!is_glued)
                .then(|| address_len(rest, scheme == b"xmpp"))?
                .map(|len| start..colon + 1 + len);
        }
        let is_hierarchical =
            [&b"http"[..], b"https", b"ftp"].iter().any(|name| scheme.eq_ignore_ascii_case(name));
        let host = rest.strip_prefix(b"//").filter(|_| is_hierarchical)?;
        (starts_host(host) && domain_len(host, false).is_some()).then(|| start..self.end(colon, colon + 3))
    }

    /// Returns the end of a link without a scheme that starts with `www.` at `at`. The text starts at `from`.
    pub(super) fn www_end(self, from: usize, at: usize) -> Option<usize> {
        let before = self.bytes[from..at].last();
        let may_start = before.is_none_or(|&byte| is_space(byte) || b"*_~(".contains(&byte));
        let link = self.bytes[at..].starts_with(b"www.").then(|| &self.bytes[at..]).filter(|_| may_start)?;
        domain_len(link, true).map(|_| self.end(at, at + 4)).filter(|&end| end > at + 4)
    }

    /// Returns the end of a link that starts at `start`. Its first bytes, up to `rest`, are known to belong
    /// to it.
    fn end(self, start: usize, rest: usize) -> usize {
        let bytes = self.bytes;
        let mut open = 0_usize;
        let ends = |byte: &u8| match byte {
            b'[' if self.is_in_brackets => {
                open += 1;
                false
            }
            b']' if self.is_in_brackets => {
                let is_unbalanced = open == 0;
                open = open.saturating_sub(1);
                is_unbalanced
            }
            byte => is_space(*byte) || *byte == b'<',
        };
        let mut end = position(&bytes[rest..], ends).map_or(bytes.len(), |len| rest + len);
        looked_at(end - start);
        let count = |bracket| bytes[start..end].iter().filter(|&&byte| byte == bracket).count();
        let (opening, mut closing) = (count(b'('), count(b')'));
        while end > start {
            match bytes[end - 1] {
                b'?' | b'!' | b'.' | b',' | b':' | b'*' | b'_' | b'~' | b'\'' | b'"' => end -= 1,
                b';' => end = start + reference(&bytes[start..end - 1]).unwrap_or(end - 1 - start),
                b')' if closing > opening => {
                    closing -= 1;
                    end -= 1;
                }
                _ => break,
            }
        }
        end
    }
}

/// The length of the longest scheme of a bare link.
const LONGEST_SCHEME: usize = 6;

/// Returns true if a byte is white space for cmark.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Returns the start of the name of a character reference, with its `&`, at the end of a text.
fn reference(text: &[u8]) -> Option<usize> {
    let letters = text.iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
    looked_at(letters);
    let start = text.len() - letters;
    (letters > 0 && text[..start].ends_with(b"&")).then(|| start - 1)
}

/// Returns true if the first character of a text can start a host: neither punctuation nor white space.
fn starts_host(text: &[u8]) -> bool {
    let mut chunks = text[..text.len().min(4)].utf8_chunks();
    let Some(char) = chunks.next().and_then(|chunk| chunk.valid().chars().next()) else { return false };
    !(char.is_ascii_punctuation() || char.is_whitespace() || is_wide_punctuation(char))
}

/// Returns true if a character is punctuation of the blocks with the marks that people write around links.
fn is_wide_punctuation(char: char) -> bool {
    let is_cjk = matches!(char, '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301F}')
        || matches!(char, '\u{FF01}'..='\u{FF0F}' | '\u{FF1A}'..='\u{FF20}' | '\u{FF3B}'..='\u{FF3F}' | '\u{FF5B}'..='\u{FF65}');
    let is_general = matches!(char, '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205E}')
        && !matches!(char, '\u{2044}' | '\u{2052}');
    is_cjk
        || is_general
        || matches!(char, '\u{A1}' | '\u{A7}' | '\u{AB}' | '\u{B6}' | '\u{B7}' | '\u{BB}' | '\u{BF}')
}

/// Returns the length of a domain at the start of a text. `None` if it is no domain of a link: one of its
/// last two segments has an underscore, or it `needs_dot` and has none.
fn domain_len(text: &[u8], needs_dot: bool) -> Option<usize> {
    let (mut at, mut dots, mut before_dot, mut after_dot) = (1, 0, 0, 0);
    // The last byte of the text is not looked at.
    while at + 1 < text.len() {
        if text[at] == b'\\' && at + 2 < text.len() {
            at += 1;
        }
        match text[at] {
            b'_' => after_dot += 1,
            b'.' => (before_dot, after_dot, dots) = (after_dot, 0, dots + 1),
            b'-' => {}
            byte if is_space(byte) || byte.is_ascii_punctuation() || !byte.is_ascii() => break,
            _ => {}
        }
        at += 1;
    }
    looked_at(at);
    /// A domain of more segments counts in any case, so that the time for many of them stays linear.
    const MOST_DOTS: usize = 10;
    let has_underscore = before_dot > 0 || after_dot > 0;
    (!(has_underscore && dots <= MOST_DOTS) && (dots > 0 || !needs_dot)).then_some(at)
}

/// Returns the length of an e-mail address at the start of a text, or of an XMPP address with its resource.
fn address_len(text: &[u8], is_xmpp: bool) -> Option<usize> {
    let is_local = |byte: u8| byte.is_ascii_alphanumeric() || b".+-_".contains(&byte);
    let at = position(text, |&byte| !is_local(byte)).filter(|&at| text[at] == b'@')?;
    let (mut end, mut dots) = (at + 1, 0);
    while let Some(&byte) = text.get(end) {
        match byte {
            // The address starts after the first `@`, so it has no scheme.
            b'@' => return None,
            b'.' if text.get(end + 1).is_some_and(u8::is_ascii_alphanumeric) => dots += 1,
            b'-' | b'_' => {}
            b'/' if is_xmpp => {}
            byte if byte.is_ascii_alphanumeric() => {}
            _ => break,
        }
        end += 1;
    }
    looked_at(end);
    // A mark of emphasis can follow.
    while text[..end].ends_with(b"_") {
        end -= 1;
    }
    (dots > 0 && text[end - 1].is_ascii_alphabetic()).then_some(end)
}
