//! HAProxy's HTTP log: the prefix of syslog, client, `[time]`, frontend, server, times, status, and more, and
//! the request, which is the only quoted text. Bytes that are not printable, `"` and `#` are written as
//! `#hh`.

use std::sync::Arc;

use super::access::target;
use crate::corpus::format::lines::entry::{Entry, FieldChoice};
use crate::corpus::format::lines::line::{Line, Malformed};
use crate::corpus::format::lines::log_format::LineFormat;
use crate::corpus::format::lines::unescape::Escapes;
use crate::corpus::format::lines::words::has_shape;
use crate::grammar::Grammar;
use crate::work::{memchr, memchr_iter};

pub(crate) const ENTRY: Entry = Entry {
    about: "HTTP log of HAProxy",
    sentinels: "<BADREQ>",
    fields: FieldChoice::Named(&["target"], |_| Arc::new(Haproxy)),
    #[cfg(test)]
    example: ["", "h [06/Feb/2026:12:14:14.655] f s 1 200 2 - - ---- 0 0 \"GET ", " HTTP/1.1\"\n"],
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Haproxy;

impl Haproxy {
    fn field(line: &[u8]) -> Result<Line, Malformed> {
        if line.is_empty() {
            return Err(Malformed::Empty);
        }
        let is_time = |at: usize| {
            // [06/Feb/2009:12:14:14.655]
            let text = &line[at + 1..];
            has_shape(text, b"00/") && text.len() > 24 && text[20] == b'.' && text[24] == b']'
        };
        if !memchr_iter(b'[', line).any(is_time) {
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
