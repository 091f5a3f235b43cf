//! Squid's own log: time, duration, client, result, size, method, URI, user, peer, type, between runs of
//! spaces.
//!
//! The target of a CONNECT is a host and a port, not a URI. If Squid has no URI, it writes `error:…`.

use std::sync::Arc;

use crate::corpus::format::lines::entry::{Entry, FieldChoice};
use crate::corpus::format::lines::line::{Line, Malformed};
use crate::corpus::format::lines::line_fields::NamedFields;
use crate::corpus::format::lines::log_format::LineFormat;
use crate::corpus::format::lines::words::{Tokens, nth};
use crate::work::memchr;

pub(crate) const ENTRY: Entry = Entry {
    about: "Squid's own log",
    sentinels: "-, error:..., the target of a CONNECT",
    fields: FieldChoice::Columns(&[("uri", Squid::URI)], |column| Arc::new(Squid { column })),
    #[cfg(test)]
    example: [
        "",
        "1066037222.011  34173 192.0.2.71 TCP_MISS/200 559 GET ",
        " - DIRECT/192.0.2.101 text/html\n",
    ],
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Squid {
    /// The chosen column, counted from 1.
    column: usize,
}

impl LineFormat for Squid {
    #[inline]
    fn find(&mut self, line: &[u8]) -> Line {
        self.field(line).into()
    }

    fn named_fields(&self) -> Option<&'static NamedFields> {
        Some(&FIELDS)
    }

    fn fits(&mut self, line: &[u8]) -> bool {
        is_seconds(nth(line, 1)) && !matches!(Squid { column: Squid::URI }.find(line), Line::Malformed(_))
    }
}

/// The fields, in the order of the log. `rest` is the text after the last one.
static FIELDS: NamedFields = NamedFields {
    names: &["time", "duration", "client", "result", "size", "method", "uri", "user", "peer", "type", "rest"],
    parts: &[],
    cut: |line, taken| {
        const WORDS: usize = 10;

        let Ok(uri) = (Squid { column: Squid::URI }).field(line) else { return };
        taken.set_found(Squid::URI - 1, uri);
        let mut words = Tokens { line, at: 0 };
        for position in 0..WORDS {
            let Some(word) = words.next() else { return };
            if position + 1 != Squid::URI && !line[word.clone()].starts_with(b"error:") {
                taken.set_unless_dash(position, line, word);
            }
        }
        taken.set_rest(WORDS, line, words.at);
    },
};

impl Squid {
    const RESULT: usize = 4;
    const METHOD: usize = 6;
    const URI: usize = 7;
    const PEER: usize = 9;

    /// Reads the words up to the chosen one, or to the last one that decides whether the line fits the
    /// format, and returns the chosen one.
    #[inline]
    fn field(self, line: &[u8]) -> Result<Line, Malformed> {
        if line.is_empty() {
            return Err(Malformed::Empty);
        }
        let mut words = Tokens { line, at: 0 };
        let mut chosen = 0..0;
        let mut is_connect = false;
        for number in 1..=self.column.max(Self::PEER) {
            let range = words.next().ok_or(Malformed::Truncated)?;
            let word = &line[range.clone()];
            match number {
                1 if !word[0].is_ascii_digit() => return Err(Malformed::NoResult),
                Self::RESULT if memchr(b'/', word).is_none() => return Err(Malformed::NoResult),
                Self::METHOD => is_connect = word == b"CONNECT",
                Self::PEER if memchr(b'/', word).is_none() => return Err(Malformed::Shifted),
                _ => {}
            }
            if number == self.column {
                chosen = range;
            }
        }
        if (is_connect && self.column == Self::URI) || line[chosen.clone()].starts_with(b"error:") {
            return Ok(Line::Sentinel);
        }
        Ok(Line::unless_dash(line, chosen))
    }
}

/// Returns true if a word is a number of seconds since 1970 with milliseconds, like `1066037222.011`.
fn is_seconds(word: &[u8]) -> bool {
    let dot = word.len().checked_sub(4);
    dot.is_some_and(|dot| {
        word[dot] == b'.' && word[..dot].iter().chain(&word[dot + 1..]).all(u8::is_ascii_digit)
    })
}

#[cfg(test)]
mod tests {
    use crate::corpus::format::tests::{case, field, reasons, texts};
    use crate::corpus::format::{Format, Malformed};

    const SQUID: &str = include_str!("../../../../corpora/logs/squid.log");

    #[test]
    fn squid() {
        let found = case(Format::Squid).detected(SQUID).run(SQUID);
        assert_eq!(
            found.records,
            [
                (1, 55, "http://example.com:8081/a/../1/".to_owned()),
                (4, 49, "cache_object://localhost/counters".to_owned())
            ]
        );
        // A CONNECT names a host and a port.
        assert_eq!((found.sentinels, found.count), (2, 7));
        use Malformed::*;
        assert_eq!(reasons(&found), [(5, Shifted), (6, NoResult), (7, NoResult)]);
        assert_eq!(found.errors, [(4, 54)], "a scheme has no _");
        let junk_first = SQUID.lines().rev().fold(String::new(), |text, line| text + line + "\n");
        assert_eq!(Format::detect(junk_first.as_bytes()), Format::Squid);
        assert_eq!(texts(&field(Format::Squid, "3").run(SQUID))[..2], ["192.0.2.71", "2001:db8::1"]);
    }
}
