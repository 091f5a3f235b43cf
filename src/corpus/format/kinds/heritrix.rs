//! Heritrix' `crawl.log`: time, status, size, URI, discovery path, via, type, `#` and thread, and more,
//! between runs of spaces.

use std::ops::Range;
use std::sync::Arc;

use crate::corpus::format::lines::entry::{Entry, FieldChoice};
use crate::corpus::format::lines::line::{Line, Malformed};
use crate::corpus::format::lines::line_fields::NamedFields;
use crate::corpus::format::lines::log_format::{LineFormat, holds_uri};
use crate::corpus::format::lines::words::{Tokens, is_date, is_stamp, nth};
use crate::work::{memchr, position};

pub(crate) const ENTRY: Entry = Entry {
    about: "crawl.log of Heritrix",
    sentinels: "-",
    fields: FieldChoice::Columns(
        &[("uri", Heritrix::URI), ("via", Heritrix::VIA), ("source", Heritrix::SOURCE)],
        |column| Arc::new(Heritrix { column }),
    ),
    #[cfg(test)]
    example: [
        "",
        "2026-01-02T03:04:05.678Z   200       1299 ",
        " L http://a/ text/html #014 20260102030405678+225 sha1:A - -\n",
    ],
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Heritrix {
    /// The chosen column, counted from 1.
    column: usize,
}

impl LineFormat for Heritrix {
    #[inline]
    fn find(&mut self, line: &[u8]) -> Line {
        self.field(line).map_or_else(Line::Malformed, |range| Line::unless_dash(line, range))
    }

    fn named_fields(&self) -> Option<&'static NamedFields> {
        Some(&FIELDS)
    }

    fn fits(&mut self, line: &[u8]) -> bool {
        let time = nth(line, 1);
        (is_date(time) || is_stamp(time)) && holds_uri(line, &Heritrix { column: Heritrix::URI }.find(line))
    }
}

/// The fields, in the order of the manual. `extra` is the object that Heritrix can add.
static FIELDS: NamedFields = NamedFields {
    names: &[
        "time",
        "status",
        "size",
        "uri",
        "path",
        "via",
        "type",
        "thread",
        "fetched",
        "digest",
        "source",
        "annotations",
        "extra",
    ],
    parts: &[],
    cut: |line, taken| {
        const WORDS: usize = 12;

        if (Heritrix { column: Heritrix::URI }).field(line).is_err() {
            return;
        }
        let mut words = Tokens { line, at: 0 };
        for position in 0..WORDS {
            let Some(word) = words.next() else { return };
            taken.set_unless_dash(position, line, word);
        }
        taken.set_rest(WORDS, line, words.at);
    },
};

impl Heritrix {
    const URI: usize = 4;
    const VIA: usize = 6;
    const SOURCE: usize = 11;

    #[inline]
    fn field(self, line: &[u8]) -> Result<Range<usize>, Malformed> {
        if line.is_empty() {
            return Err(Malformed::Empty);
        }
        let mut words = Tokens { line, at: Self::head(line).ok_or(Malformed::NoStatusAndSize)? };
        let uri = words.next().ok_or(Malformed::Truncated)?;
        let at = words.at;
        // If a URI has a space, a part of the URI is here.
        Self::check_path_and_via(line.get(at..).unwrap_or_default())?;
        match self.column {
            Self::URI => Ok(uri),
            column @ 5.. => words.nth(column - Self::URI - 1).ok_or(Malformed::Truncated),
            column => Tokens { line, at: 0 }.nth(column - 1).ok_or(Malformed::Truncated),
        }
    }

    /// Returns the place after the time, the status and the size.
    #[inline]
    fn head(line: &[u8]) -> Option<usize> {
        let is_number = |byte: u8| byte.is_ascii_digit() || byte == b'-';
        if !line[0].is_ascii_digit() {
            return None;
        }
        // Time, status and size mostly have these widths. Checking the bytes at these places is faster than a
        // search.
        if let Some(head) = line.first_chunk::<42>()
            && let (b' ', b' ', b' ') = (head[24], head[30], head[41])
            && is_number(head[29])
            && is_number(head[40])
            && head[..24].iter().fold(true, |all, &byte| all & (byte != b' '))
            && head[25..41].iter().fold(true, |all, &byte| all & (is_number(byte) || byte == b' '))
        {
            return Some(42);
        }
        let mut words = Tokens { line, at: 0 };
        words.next()?;
        for _ in 0..2 {
            let number = words.next()?;
            if !line[number].iter().all(|&byte| is_number(byte)) {
                return None;
            }
        }
        Some(words.at)
    }

    /// Checks that the URI is followed by a path of hops (letters, perhaps with a count before them) and a
    /// URI or `-`.
    #[inline]
    fn check_path_and_via(rest: &[u8]) -> Result<(), Malformed> {
        let path = rest.trim_ascii_start();
        let Some(first) = path.first() else { return Err(Malformed::Truncated) };
        if !(first.is_ascii_uppercase() || first.is_ascii_digit() || *first == b'-') {
            return Err(Malformed::Shifted);
        }
        let end = memchr(b' ', path).ok_or(Malformed::Truncated)?;
        let via = path[end..].trim_ascii_start();
        let is_scheme = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        let scheme = position(via, |byte| !is_scheme(&byte)).unwrap_or(via.len());
        match (via, via.get(scheme)) {
            ([], _) => Err(Malformed::Truncated),
            ([b'-'] | [b'-', b' ', ..], _) | (_, Some(b':')) => Ok(()),
            _ => Err(Malformed::Shifted),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::corpus::format::tests::{case, field, reasons, texts};
    use crate::corpus::format::{Format, Malformed};
    use crate::grammar::Grammar;

    const HERITRIX: &str = include_str!("../../../../corpora/logs/heritrix.log");

    #[test]
    fn heritrix() {
        let found = case(Format::Heritrix).detected(HERITRIX).run(HERITRIX);
        assert_eq!(
            found.records,
            [
                (1, 43, "http://example.com/robots.txt".to_owned()),
                (2, 43, "dns:example.com".to_owned()),
                (7, 43, "http://example.com/{y}".to_owned()),
            ]
        );
        use Malformed::*;
        assert_eq!(reasons(&found), [(3, Shifted), (4, Empty), (5, Truncated), (6, NoStatusAndSize)]);
        assert_eq!((found.sentinels, found.count), (0, 7));
        assert_eq!(found.errors, [(7, 62)]);
        assert_eq!(found.lines.iter().filter(|&&byte| byte == b'\n').count(), 2);
        assert!(found.lines.ends_with(b"- - -"), "the last line has no end");

        let via = field(Format::Heritrix, "via").run(HERITRIX);
        assert_eq!(texts(&via), ["http://example.com/a?b", "http://example.com/|z"]);
        assert_eq!((via.sentinels, &via.errors), (1, &vec![(7, 87)]));
        let source = field(Format::Heritrix, "source").run(HERITRIX);
        assert_eq!((texts(&source), source.sentinels), (vec!["http://seed.example/"], 2));
        assert_eq!(texts(&field(Format::Heritrix, "5").run(HERITRIX)), ["LREP", "L"]);
        assert_eq!(field(Format::Heritrix, "2").run(HERITRIX).records[0].2, "200");
        assert_eq!(case(Format::Heritrix).layout.grammar(), Grammar::Uri);
    }
}
