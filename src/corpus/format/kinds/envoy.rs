//! Envoy's default access log: `[time] "method path protocol" status flags …`. Istio writes it as well, with
//! more fields after it.

use std::sync::Arc;

use super::access::Access;
use crate::corpus::format::lines::entry::{Entry, FieldChoice};
use crate::corpus::format::lines::line::{Line, Malformed};
use crate::corpus::format::lines::log_format::LineFormat;
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
