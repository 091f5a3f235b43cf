//! Envoy's default access log: `[time] "method path protocol" status flags …`. Istio writes it as well, with
//! more fields after it.

use std::sync::Arc;

use super::access::{Access, LogWords, set_request};
use crate::corpus::format::lines::entry::{Entry, FieldChoice};
use crate::corpus::format::lines::line::{Line, Malformed};
use crate::corpus::format::lines::line_fields::NamedFields;
use crate::corpus::format::lines::log_format::LineFormat;
use crate::corpus::format::lines::unescape::Escapes;
use crate::corpus::format::lines::words::is_date;
use crate::grammar::Grammar;
use crate::work::memchr;

pub(crate) const ENTRY: Entry = Entry {
    about: "access log of Envoy in its default format",
    sentinels: "- - -, for what is not HTTP",
    fields: FieldChoice::Named(&["target"], |_| Arc::new(Envoy)),
    #[cfg(test)]
    example: ["", "[2026-04-15T20:17:00.310Z] \"GET ", " HTTP/1.1\" 200 - 0 12\n"],
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Envoy;

/// The fields of the default format, in its order. `details`, `termination` and `failure` are in the lines of
/// Istio alone, as most texts of `rest` are.
static FIELDS: NamedFields = NamedFields {
    names: &[
        "time",
        "request",
        "status",
        "flags",
        "details",
        "termination",
        "failure",
        "bytes_received",
        "bytes_sent",
        "duration",
        "upstream_time",
        "forwarded_for",
        "agent",
        "request_id",
        "authority",
        "upstream_host",
        "rest",
    ],
    parts: &["method", "target", "version"],
    cut: |line, taken| {
        const REQUEST: usize = 1;
        const FLAGS: usize = 3;
        const BYTES: usize = 7;
        const REST: usize = 16;
        const PARTS: [usize; 3] = [17, 18, 19];

        let [b'[', rest @ ..] = line else { return };
        let Some(end) = memchr(b']', rest).filter(|_| is_date(rest)) else { return };
        taken.set(0, 1..1 + end, Escapes::None);
        let mut words = LogWords { line, at: end + 2 };
        let mut position = REQUEST;
        while position < REST {
            let Some((word, escapes)) = words.next() else { return };
            // After the flags, Envoy has a number, and Istio a name.
            if position == FLAGS + 1 && line[word.clone()].iter().all(u8::is_ascii_digit) {
                position = BYTES;
            }
            match &line[word.clone()] {
                b"-" => {}
                b"- - -" if position == REQUEST => {}
                _ if position == REQUEST => set_request(line, word, escapes, taken, REQUEST, PARTS),
                _ => taken.set(position, word, escapes),
            }
            position += 1;
        }
        taken.set_rest(REST, line, words.at);
    },
};

impl LineFormat for Envoy {
    fn find(&mut self, line: &[u8]) -> Line {
        match line {
            [] => Line::Malformed(Malformed::Empty),
            [b'[', rest @ ..] if is_date(rest) => {
                let after = memchr(b']', rest).map_or(b"".as_slice(), |end| &rest[end + 1..]);
                if after.starts_with(b" \"- - -\" ") {
                    return Line::Sentinel;
                }
                Access { referer: false, is_combined: false }.find(line)
            }
            _ => Line::Malformed(Malformed::NoStart),
        }
    }

    fn grammar(&self) -> Grammar {
        Grammar::RequestTarget
    }

    fn named_fields(&self) -> Option<&'static NamedFields> {
        Some(&FIELDS)
    }

    fn fits(&mut self, line: &[u8]) -> bool {
        !matches!(self.find(line), Line::Malformed(_))
    }
}

#[cfg(test)]
mod tests {
    use crate::corpus::format::tests::{case, reasons, texts};
    use crate::corpus::format::{Format, Malformed};

    #[test]
    fn envoy() {
        let log = include_str!("../../../../corpora/logs/envoy.log");
        let found = case(Format::Envoy).detected(log).run(log);
        assert_eq!((texts(&found), found.sentinels), (vec!["/api/v1/locations", "/a?b={c}"], 1));
        assert_eq!(reasons(&found), [(4, Malformed::NoClosingQuote), (5, Malformed::NoStart)]);
    }
}
