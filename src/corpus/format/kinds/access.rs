//! Access logs in the common and the combined log format, written by Apache, nginx and many others.

use std::ops::Range;

use crate::corpus::format::lines::line::{Line, Malformed};
use crate::corpus::format::lines::log_format::LineFormat;
use crate::corpus::format::lines::unescape::Escapes;
use crate::grammar::Grammar;
use crate::work::{memchr, memchr_iter, memchr2, memrchr, position};

/// `host ident user [time] "method target version" status bytes`, and in the combined format
/// `"referer" "agent"` after it.
///
/// The format does not read the text before the time, where some servers write the site, or the text after
/// the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Access {
    /// Whether the record is the referer, and not the target.
    pub(crate) referer: bool,
    /// Whether the lines have a referer.
    pub(crate) is_combined: bool,
}

impl LineFormat for Access {
    #[inline]
    fn find(&mut self, line: &[u8]) -> Line {
        self.field(line).into()
    }

    fn grammar(&self) -> Grammar {
        if self.referer { Grammar::Uri } else { Grammar::RequestTarget }
    }

    fn fits(&mut self, line: &[u8]) -> bool {
        // A line of Envoy starts with the time.
        let has_target = !line.starts_with(b"[") && self.field(line).is_ok();
        let referer = Access { referer: true, ..*self }.field(line);
        has_target && self.is_combined == (referer != Err(Malformed::Truncated))
    }
}

impl Access {
    #[inline]
    fn field(self, line: &[u8]) -> Result<Line, Malformed> {
        if line.is_empty() {
            return Err(Malformed::Empty);
        }
        // A user's name can contain quotes.
        let open = memchr_iter(b'"', line).find(|&quote| line[..quote].ends_with(b"] "));
        let (request, mut escapes) = quoted(line, open.ok_or(Malformed::NoRequest)? + 1)?;
        let rest = &line[request.end + 1..];
        match rest {
            [b' ', b'-', b' ', ..] => {}
            [b' ', a, b, c, ..] if [a, b, c].iter().all(|byte| byte.is_ascii_digit()) => {}
            _ => return Err(Malformed::NoStatus),
        }
        let range = if self.referer {
            let open = memchr(b'"', rest).ok_or(Malformed::Truncated)?;
            let referer;
            (referer, escapes) = quoted(line, request.end + 1 + open + 1)?;
            referer
        } else if line[request.clone()] == *b"-" {
            request
        } else {
            target(line, request)?
        };
        if line[range.clone()] == *b"-" {
            return Ok(Line::Sentinel);
        }
        // All escapes of the request can be outside of the target.
        if escapes != Escapes::None && memchr(b'\\', &line[range.clone()]).is_none() {
            escapes = Escapes::None;
        }
        Ok(Line::escaped(range, escapes))
    }
}

/// The fields of logs with a request and a referer.
pub(crate) const TARGET_AND_REFERER: [&str; 2] = ["target", "referer"];

/// Returns the text from `start` to the next quote that is not escaped.
#[inline]
pub(crate) fn quoted(line: &[u8], start: usize) -> Result<(Range<usize>, Escapes), Malformed> {
    let mut at = start;
    let mut escapes = Escapes::None;
    loop {
        at += memchr2(b'"', b'\\', line.get(at..).unwrap_or_default()).ok_or(Malformed::NoClosingQuote)?;
        if line[at] == b'"' {
            return Ok((start..at, escapes));
        }
        escapes = Escapes::Server;
        at += 2;
    }
}

/// Returns the target of the request: the text between the method and the version. The oldest requests have
/// no version.
#[inline]
pub(crate) fn target(line: &[u8], request: Range<usize>) -> Result<Range<usize>, Malformed> {
    let text = &line[request.clone()];
    // Methods are so short that a search would not pay.
    let method = position(text, |&byte| !IS_TOKEN[usize::from(byte)]).unwrap_or(text.len());
    if method == 0 || text.get(method) != Some(&b' ') {
        return Err(Malformed::NoTarget);
    }
    let end = match text {
        [.., b' ', b'H', b'T', b'T', b'P', b'/', b'0'..=b'9', b'.', b'0'..=b'9'] => text.len() - 9,
        _ => match memrchr(b' ', text) {
            Some(space) if text[space + 1..].starts_with(b"HTTP/") => space,
            _ => text.len(),
        },
    };
    if end <= method + 1 {
        return Err(Malformed::NoTarget);
    }
    Ok(request.start + method + 1..request.start + end)
}

/// Whether a byte can belong to a method: `tchar` of RFC 9110 section 5.6.2.
const IS_TOKEN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = matches!(
            byte as u8,
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'!' | b'#'..=b'\'' | b'*' | b'+' | b'-' | b'.' | b'^'..=b'`' | b'|' | b'~'
        );
        byte += 1;
    }
    table
};
