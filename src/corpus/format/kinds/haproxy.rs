//! HAProxy's HTTP log: the prefix of syslog, client, `[time]`, frontend, server, times, status, and more, and
//! the request, which is the only quoted text. Bytes that are not printable, `"` and `#` are written as
//! `#hh`.

use std::sync::Arc;

use super::access::{set_request, target};
use crate::corpus::format::lines::entry::{Entry, FieldChoice};
use crate::corpus::format::lines::line::{Line, Malformed};
use crate::corpus::format::lines::line_fields::NamedFields;
use crate::corpus::format::lines::log_format::LineFormat;
use crate::corpus::format::lines::unescape::Escapes;
use crate::corpus::format::lines::words::{Tokens, has_shape};
use crate::grammar::Grammar;
use crate::work::{memchr, memchr_iter, memrchr};

pub(crate) const ENTRY: Entry = Entry {
    about: "HTTP log of HAProxy",
    sentinels: "<BADREQ>",
    fields: FieldChoice::Named(&["target"], |_| Arc::new(Haproxy)),
    #[cfg(test)]
    example: ["", "h [06/Feb/2026:12:14:14.655] f s 1 200 2 - - ---- 0 0 \"GET ", " HTTP/1.1\"\n"],
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Haproxy;

/// The fields, in the order of the manual. `prefix` is the text before the client, `headers` has the captured
/// headers, in braces.
static FIELDS: NamedFields = NamedFields {
    names: &[
        "prefix",
        "client",
        "time",
        "frontend",
        "backend",
        "timers",
        "status",
        "bytes",
        "request_cookie",
        "response_cookie",
        "state",
        "connections",
        "queues",
        "headers",
        "request",
        "rest",
    ],
    parts: &["method", "target", "version"],
    cut: |line, taken| {
        const PREFIX: usize = 0;
        const CLIENT: usize = 1;
        const TIME: usize = 2;
        const FRONTEND: usize = 3;
        const HEADERS: usize = 13;
        const REQUEST: usize = 14;
        const REST: usize = 15;
        const PARTS: [usize; 3] = [16, 17, 18];

        let Some(bracket) = memchr_iter(b'[', line).find(|&at| is_time(line, at)) else { return };
        let before = line[..bracket].trim_ascii_end();
        let client = memrchr(b' ', before).map_or(0, |space| space + 1);
        taken.set_rest(PREFIX, &line[..client], 0);
        taken.set_unless_dash(CLIENT, line, client..before.len());
        taken.set(TIME, bracket + 1..bracket + 25, Escapes::None);
        let open = memchr(b'"', line);
        let head = &line[..open.unwrap_or(line.len())];
        // A quote may also come before the time.
        let mut words = Tokens { line: head, at: head.len().min(bracket + 26) };
        for position in FRONTEND..HEADERS {
            let Some(word) = words.next() else { break };
            taken.set_unless_dash(position, line, word);
        }
        let escapes = |text: &[u8]| {
            if memchr(b'#', text).is_some() { Escapes::Haproxy } else { Escapes::None }
        };
        if let Some(headers) = head.get(words.at..).map(<[u8]>::trim_ascii).filter(|text| !text.is_empty()) {
            let start = words.at + head[words.at..].len() - head[words.at..].trim_ascii_start().len();
            taken.set(HEADERS, start..start + headers.len(), escapes(headers));
        }
        let Some(start) = open.map(|open| open + 1) else { return };
        let Some(end) = memchr(b'"', &line[start..]).map(|length| start + length) else { return };
        if line[start..end] != *b"<BADREQ>" {
            set_request(line, start..end, escapes(&line[start..end]), taken, REQUEST, PARTS);
        }
        taken.set_rest(REST, line, end + 1);
    },
};

/// Returns true if a time like `[06/Feb/2009:12:14:14.655]` is at this place, which has its bracket.
fn is_time(line: &[u8], at: usize) -> bool {
    let text = &line[at + 1..];
    has_shape(text, b"00/") && text.len() > 24 && text[20] == b'.' && text[24] == b']'
}

impl Haproxy {
    fn field(line: &[u8]) -> Result<Line, Malformed> {
        if line.is_empty() {
            return Err(Malformed::Empty);
        }
        if !memchr_iter(b'[', line).any(|at| is_time(line, at)) {
            return Err(Malformed::NoStart);
        }
        let start = memchr(b'"', line).ok_or(Malformed::NoRequest)? + 1;
        // A request that is too long for the log has no closing quote.
        let end = start + memchr(b'"', &line[start..]).ok_or(Malformed::NoClosingQuote)?;
        if line[start..end] == *b"<BADREQ>" {
            return Ok(Line::Sentinel);
        }
        let range = target(line, start..end)?;
        let has_escapes = memchr(b'#', &line[range.clone()]).is_some();
        Ok(Line::escaped(range, if has_escapes { Escapes::Haproxy } else { Escapes::None }))
    }
}

impl LineFormat for Haproxy {
    fn find(&mut self, line: &[u8]) -> Line {
        Haproxy::field(line).into()
    }

    fn grammar(&self) -> Grammar {
        Grammar::RequestTarget
    }

    fn named_fields(&self) -> Option<&'static NamedFields> {
        Some(&FIELDS)
    }

    fn fits(&mut self, line: &[u8]) -> bool {
        Haproxy::field(line).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use crate::corpus::format::tests::{case, reasons, texts};
    use crate::corpus::format::{Format, Malformed};

    #[test]
    fn haproxy() {
        let log = include_str!("../../../../corpora/logs/haproxy.log");
        let found = case(Format::Haproxy).detected(log).run(log);
        assert_eq!(texts(&found), ["/index.html", r#"/a\"b?c#d"#, "https://www.example.com/x"]);
        assert_eq!((found.sentinels, &found.errors), (1, &vec![(2, 160)]));
        assert_eq!(reasons(&found), [(5, Malformed::NoClosingQuote), (6, Malformed::NoStart)]);
    }
}
