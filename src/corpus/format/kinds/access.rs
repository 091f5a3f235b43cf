//! Access logs in the common and the combined log format, written by Apache, nginx and many others.

use std::net::IpAddr;
use std::ops::Range;

use crate::corpus::format::lines::line::{Line, Malformed};
use crate::corpus::format::lines::line_fields::{NamedFields, Taken};
use crate::corpus::format::lines::log_format::LineFormat;
use crate::corpus::format::lines::unescape::Escapes;
use crate::corpus::format::lines::words::Tokens;
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

    fn named_fields(&self) -> Option<&'static NamedFields> {
        Some(if self.is_combined { &COMBINED } else { &COMMON })
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
        if !has_status(rest) {
            return Err(Malformed::NoStatus);
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

/// The fields of the common format, by the names that Apache's manual uses. `site` is the host that some
/// servers write before the client, `rest` is the text after the last field.
static COMMON: NamedFields = NamedFields {
    names: &["site", "client", "ident", "user", "time", "request", "status", "bytes", "rest"],
    parts: &["method", "target", "version"],
    cut: |line, taken| cut(line, taken, &[], [9, 10, 11]),
};

static COMBINED: NamedFields = NamedFields {
    names: &[
        "site", "client", "ident", "user", "time", "request", "status", "bytes", "referer", "agent", "rest",
    ],
    parts: &["method", "target", "version"],
    cut: |line, taken| cut(line, taken, &[8, 9], [11, 12, 13]),
};

/// Finds the fields of a line. `more` are the positions of the fields between the bytes and the rest, `parts`
/// those of the parts of the request.
fn cut(line: &[u8], taken: &mut Taken<'_>, more: &[usize], parts: [usize; 3]) {
    const SITE: usize = 0;
    const CLIENT: usize = 1;
    const IDENT: usize = 2;
    const USER: usize = 3;
    const TIME: usize = 4;
    const REQUEST: usize = 5;
    const STATUS: usize = 6;
    const BYTES: usize = 7;

    let Some(open) = memchr_iter(b'"', line).find(|&quote| line[..quote].ends_with(b"] ")) else { return };
    let Some(bracket) = memrchr(b'[', &line[..open]) else { return };
    taken.set_unless_dash(TIME, line, bracket + 1..open - 2);
    let mut words = Tokens { line: line[..bracket].trim_ascii_end(), at: 0 };
    let mut client = words.next();
    let is_address = |word: &Range<usize>| {
        str::from_utf8(&line[word.clone()]).is_ok_and(|word| word.parse::<IpAddr>().is_ok())
    };
    let mut after_client = Tokens { line: words.line, at: words.at };
    // An identity is no address.
    if let Some(second) = after_client.next().filter(is_address)
        && let Some(site) = client.clone().filter(|first| !is_address(first))
    {
        taken.set_unless_dash(SITE, line, site);
        (client, words) = (Some(second), after_client);
    }
    if let Some(client) = client {
        taken.set_unless_dash(CLIENT, line, client);
    }
    if let Some(ident) = words.next() {
        taken.set_unless_dash(IDENT, line, ident);
    }
    // A user's name can contain spaces.
    let user = words.line.get(words.at..).map_or(0, |user| user.len() - user.trim_ascii_start().len());
    let user = words.at + user..words.line.len();
    if !user.is_empty() && line[user.clone()] != *b"-" {
        let escapes =
            if memchr(b'\\', &line[user.clone()]).is_some() { Escapes::Server } else { Escapes::None };
        taken.set(USER, user, escapes);
    }
    let Ok((request, escapes)) = quoted(line, open + 1) else { return };
    if !has_status(&line[request.end + 1..]) {
        return;
    }
    let end = request.end + 1;
    set_request(line, request, escapes, taken, REQUEST, parts);
    let mut words = LogWords { line, at: end };
    for position in [STATUS, BYTES].iter().chain(more) {
        let Some((word, escapes)) = words.next() else { return };
        if line[word.clone()] != *b"-" {
            taken.set(*position, word, escapes);
        }
    }
    taken.set_rest(BYTES + more.len() + 1, line, words.at);
}

/// Takes a request with these escapes, and its parts: the method, the target and the version.
pub(super) fn set_request(
    line: &[u8],
    request: Range<usize>,
    escapes: Escapes,
    taken: &mut Taken<'_>,
    position: usize,
    [method, target_at, version]: [usize; 3],
) {
    if line[request.clone()] == *b"-" {
        return;
    }
    let of = |range: &Range<usize>| {
        let has_escapes = escapes != Escapes::None && !escapes.are_absent(&line[range.clone()]);
        if has_escapes { escapes } else { Escapes::None }
    };
    if let Ok(range) = target(line, request.clone()) {
        let method_range = request.start..range.start - 1;
        let version_start = request.end.min(range.end + 1);
        taken.set(method, method_range, Escapes::None);
        if version_start < request.end {
            taken.set(version, version_start..request.end, Escapes::None);
        }
        if line[range.clone()] != *b"-" {
            let escapes = of(&range);
            taken.set(target_at, range, escapes);
        }
    }
    taken.set(position, request, escapes);
}

/// Returns true if the text after a request starts with a status.
fn has_status(rest: &[u8]) -> bool {
    match rest {
        [b' ', b'-', b' ', ..] => true,
        [b' ', a, b, c, ..] => [a, b, c].iter().all(|byte| byte.is_ascii_digit()),
        _ => false,
    }
}

/// The texts between spaces in a log. A text in quotes is what they enclose, with its escapes, and a text in
/// brackets is what these enclose.
pub(super) struct LogWords<'a> {
    pub(super) line: &'a [u8],
    pub(super) at: usize,
}

impl Iterator for LogWords<'_> {
    type Item = (Range<usize>, Escapes);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.line.get(self.at..)?;
        let start = self.at + rest.len() - rest.trim_ascii_start().len();
        match *self.line.get(start)? {
            b'"' => {
                let Ok((range, escapes)) = quoted(self.line, start + 1) else {
                    self.at = self.line.len();
                    return None;
                };
                self.at = range.end + 1;
                Some((range, escapes))
            }
            b'[' if let Some(length) = memchr(b']', &self.line[start..]) => {
                self.at = start + length + 1;
                Some((start + 1..start + length, Escapes::None))
            }
            _ => {
                let rest = &self.line[start..];
                self.at = start + memchr(b' ', rest).unwrap_or(rest.len());
                Some((start..self.at, Escapes::None))
            }
        }
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
