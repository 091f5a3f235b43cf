//! robots.txt (RFC 9309): the URIs of sitemaps.
//!
//! A line is a name, a colon and a value. White space around the name and the value, and a comment from `#`
//! on, do not belong to them. Only `Sitemap` has a URI (sitemaps.org, "Specifying the Sitemap location in
//! your robots.txt file"). The values of `Allow` and `Disallow` are patterns. Crawlers skip names that they
//! do not know. So all other lines with a colon, blank lines and comments are headers: each share of the file
//! needs them to be a robots.txt. A line without a colon is malformed.

use std::ops::Range;
use std::sync::Arc;

use crate::corpus::format::lines::chunk_lines::ChunkLines;
use crate::corpus::format::lines::entry::{Entry, FieldChoice};
use crate::corpus::format::lines::fields::FieldSink;
use crate::corpus::format::lines::line::{Line, Malformed};
use crate::corpus::format::lines::log_format::{self, LogFormat};
use crate::grammar::Grammar;
use crate::work::{looked_at, memchr};

pub(crate) const ENTRY: Entry = Entry {
    about: "robots.txt: the URIs of Sitemap lines",
    sentinels: "",
    fields: FieldChoice::None("the URIs of sitemaps only", || Arc::new(Robots)),
    #[cfg(test)]
    example: ["User-agent: *\nDisallow: /a\n", "Sitemap: ", "\n"],
};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Robots;

/// The names that the documentation of crawlers mentions, in lower case.
const NAMES: [&[u8]; 10] = [
    b"user-agent",
    b"allow",
    b"disallow",
    b"sitemap",
    b"crawl-delay",
    b"host",
    b"clean-param",
    b"request-rate",
    b"visit-time",
    b"noindex",
];

/// Returns the name in a line, and the range of its value.
fn directive(line: &[u8]) -> Option<(&[u8], Range<usize>)> {
    looked_at(line.len());
    let line = &line[..memchr(b'#', line).unwrap_or(line.len())];
    let colon = memchr(b':', line)?;
    let value = line[colon + 1..].trim_ascii_end();
    let end = colon + 1 + value.len();
    Some((line[..colon].trim_ascii(), end - value.trim_ascii_start().len()..end))
}

/// Returns true if a text can be the name of a crawler, or stands for all of them.
fn is_crawler(text: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.*".contains(byte);
    !text.is_empty() && text.iter().all(is_part)
}

fn is_blank(line: &[u8]) -> bool {
    let text = line.trim_ascii_start();
    looked_at(line.len() - text.len() + 1);
    text.is_empty() || text.starts_with(b"#")
}

fn find(line: &[u8]) -> Line {
    match directive(line) {
        Some((name, value)) if name.eq_ignore_ascii_case(b"sitemap") => Line::unescaped(value),
        Some((name, _)) if !name.is_empty() => Line::Header,
        _ if is_blank(line) => Line::Header,
        _ => Line::Malformed(Malformed::NoStart),
    }
}

impl Robots {
    /// Returns true if at least half of the lines of a text, not counting blank lines and comments, have a
    /// name and a colon.
    pub(crate) fn may_be(text: &[u8]) -> bool {
        let is_directive = |line: &[u8]| {
            let name = directive(line).map(|(name, _)| name).unwrap_or_default();
            !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphabetic() || b"-_ ".contains(byte))
        };
        let lines = || log_format::lines(text).filter(|line| !is_blank(line));
        lines().filter(|line| is_directive(line)).count() * 2 >= lines().count()
    }
}

impl LogFormat for Robots {
    fn grammar(&self) -> Grammar {
        Grammar::Uri
    }

    fn extract(&self, chunk: &ChunkLines<'_>, sink: &mut FieldSink<'_>) {
        sink.take_lines(chunk, &mut (), |(), line| find(line), |(), _| {});
    }

    /// Returns the number of lines with a name, if the known names show a robots.txt: a group of crawlers has
    /// rules, all lines are about sitemaps, or all are names of crawlers. `User-Agent` and `Host` are also
    /// headers of requests, whose values are more than one name.
    fn fitting_lines(&self, head: &[u8], _: usize) -> usize {
        let (mut fits, mut known, mut crawlers) = (0, [0; NAMES.len()], 0);
        for line in log_format::lines(head) {
            let Some((name, value)) = directive(line) else { continue };
            let is_word = |byte: &u8| byte.is_ascii_alphabetic() || b"-_ ".contains(byte);
            // The lines of a list start with `http://`.
            if name.is_empty() || !name.iter().all(is_word) || line[value.clone()].starts_with(b"//") {
                continue;
            }
            fits += 1;
            crawlers += usize::from(is_crawler(&line[value]));
            if let Some(at) = NAMES.iter().position(|known| name.eq_ignore_ascii_case(known)) {
                known[at] += 1;
            }
        }
        let [agents, allow, disallow, sitemaps, ..] = known;
        let has_groups = agents > 0 && allow + disallow + sitemaps > 0;
        let is_known = known.iter().sum::<usize>() * 2 > fits;
        let are_crawlers = fits > 1 && agents == fits && crawlers == fits;
        if is_known && (has_groups || sitemaps == fits || are_crawlers) { fits } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use crate::corpus::format::tests::{case, reasons};
    use crate::corpus::format::{Format, Malformed};

    #[test]
    fn robots() {
        let file = include_str!("../../../../corpora/logs/robots.txt");
        let found = case(Format::Robots).detected(file).run(file);
        let expected = [
            (6, 10, "https://www.example.com/sitemap.xml"),
            (7, 10, "https://www.example.com/news.xml"),
            (8, 11, "https://www.example.com/a b.xml"),
            (9, 10, "/relative.xml"),
            (13, 9, ""),
            (15, 10, "https://www.example.com/%zz.xml"),
        ];
        assert_eq!(found.records, expected.map(|(line, column, text)| (line, column, text.to_owned())));
        assert_eq!(found.errors, [(8, 36), (9, 10), (13, 9), (15, 35)]);
        assert_eq!(reasons(&found), [(12, Malformed::NoStart), (14, Malformed::NoStart)]);
        // Each share contains the rules.
        assert_eq!((found.headers, found.count), (7, 15));
        let start = "\u{feff}user-agent: *\r\nDisallow: /private/*.pdf$ # a pattern\r\n";
        assert!([&found.valid, &found.invalid].iter().all(|share| share.starts_with(start.as_bytes())));
        for text in [
            "User-agent: *\nDisallow:\n",
            "\n# hello\nUSER-AGENT:a\n\tallow : /\nFoo: bar\n",
            "Sitemap: https://a.example/s.xml\nSitemap: https://a.example/t.xml\n",
            "\u{feff}User-agent: *\nSitemap: /s.xml",
            "User-agent: Bot1\nUser-agent: Bot_2\n",
        ] {
            assert_eq!(Format::detect(text.as_bytes()), Format::Robots, "{text}");
        }
        for text in [
            "User-Agent: curl/8.0\nHost: a.example\nAccept: */*\n",
            "http://a.example/\nSitemap:x\nhttp://b.example/\n",
            "urn:a:1\nurn:a:2\nuser-agent:x\ndisallow:y\n",
            "Allow: /a\n",
            "User-Agent: curl/8.0\nUser-Agent: Mozilla/5.0 (X11)\n",
        ] {
            assert_eq!(Format::detect(text.as_bytes()), Format::Lines, "{text}");
        }
    }
}
