//! The likely format of lines that were read as a list, but probably are not a list.
//!
//! Detection finds a format if lines surely fit it. This module covers the other cases: tables without a
//! header, texts, and lists of things other than URIs. It only serves a message to the user, and never
//! changes how lines are read.

use super::detect::head_of;
use crate::corpus::format::kinds::Format;
use crate::corpus::format::kinds::cells;
use crate::corpus::format::kinds::text::FreeText;
use crate::corpus::format::lines::log_format::{lines, starts_as_uri};
use crate::corpus::format::lines::words::{is_date, is_stamp};
use crate::corpus::input::foreign::Foreign;
use crate::corpus::mark::mark_len;
use crate::work::{looked_at, memchr, memmem, memrchr};

/// The likely format of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LooksLike {
    /// Cells between delimiters.
    Cells {
        /// The delimiter.
        delimiter: u8,
        /// The first column that has URIs, counted from 1.
        column: usize,
        /// True if another column has URIs as well.
        has_more: bool,
    },
    /// Cells between delimiters, some of them paths like `/a`.
    CellsWithPaths {
        /// The delimiter.
        delimiter: u8,
        /// The first column that has paths, counted from 1.
        column: usize,
    },
    /// Cells between delimiters, some of them host names like `www.example.com`, but no URIs or paths.
    CellsWithHosts {
        /// The delimiter.
        delimiter: u8,
        /// The first column that has host names, counted from 1.
        column: usize,
    },
    /// Text in UTF-16 or UTF-32.
    Wide {
        /// The name of the encoding, as iconv takes it. It includes the byte order if the text has no byte
        /// order mark: `UTF-16BE`.
        encoding: &'static str,
    },
    /// URIs with white space around them.
    Padded,
    /// URIs without their schemes, like `www.example.com/a`.
    NoSchemes,
    /// Requests in quotes, like in access logs, but in lines of another shape: `"GET /a HTTP/1.1"`.
    Requests,
    /// The error log of nginx, which names requests: `request: "GET /a HTTP/1.1"`.
    NginxErrors,
    /// The error log of Apache, which names referers: `referer: http://…`.
    ApacheErrors,
    /// `uri-errors.log` of Heritrix: a time, the page, a message in quotes, and the broken URI.
    UriErrors,
    /// The log of uWSGI: `[pid: 1|…] … {…} [time] GET /a => generated 5 bytes …`.
    Uwsgi,
    /// The access log of Nginx Proxy Manager, whose requests have their parts in other places than elsewhere.
    NginxProxyManager,
    /// Pairs of `key=value`, perhaps with quotes.
    Logfmt {
        /// The first of the usual keys that the lines have.
        key: &'static str,
        /// True if its values are mostly paths.
        has_paths: bool,
    },
    /// A playlist (M3U) of relative references.
    Playlist,
    /// Links in angle brackets with their relations (RFC 8288), as TimeMaps of archives have them.
    TimeMap,
    /// Pages of HTML, or parts of them, that do not start like a page.
    Html,
    /// Markdown without a file name that says so.
    Markdown,
    /// URIs with characters beyond ASCII.
    Iris,
    /// URIs, one per line, and empty lines or comments after `#` that make up at least a third of the lines.
    Spaced,
    /// Text with URIs in it.
    Text,
    /// A list of URIs.
    Uris,
}

impl LooksLike {
    /// Returns true if lines that look like this are a list, independent of the lines after them. The
    /// greeting of a program has fewer lines that look like this.
    pub(crate) fn is_list(self, lines: &[u8]) -> bool {
        const ENOUGH: usize = 3;

        let is_list = match self {
            LooksLike::Uris
            | LooksLike::Padded
            | LooksLike::Iris
            | LooksLike::Spaced
            | LooksLike::NoSchemes => true,
            LooksLike::Cells { column, .. } => column == 1,
            _ => false,
        };
        is_list && self::lines(lines).filter(|line| !line.is_empty()).nth(ENOUGH - 1).is_some()
    }
}

/// The bytes that can separate cells.
const DELIMITERS: [u8; 5] = *b"\t,;| ";

/// The number of columns that are searched.
const MOST_COLUMNS: usize = 64;

impl Format {
    /// Returns the likely format of an input's first lines: the format of nine in ten of the first 200 lines,
    /// or of the lines that start in the first 64 KiB. For lists and for some logs, half of the lines are
    /// enough; for text, a tenth. Blank lines do not count.
    ///
    /// Lines with two URIs between delimiters look like cells even if the whole line is a valid URI, like
    /// `http://a/,http://b/`.
    pub(crate) fn looks_like(lines: &[u8]) -> Option<LooksLike> {
        if let Some(Foreign::Wide(encoding)) = Foreign::document(lines) {
            return Some(LooksLike::Wide { encoding });
        }
        let text = &lines[mark_len(lines)..];
        let head = head_of(text, usize::MAX, true).unwrap_or(text);
        if head.starts_with(b"#EXTM3U") && !are_spaced(head) {
            return Some(LooksLike::Playlist);
        }
        if are_spaced(head) {
            return Some(LooksLike::Spaced);
        }
        let head: Vec<&[u8]> = self::lines(head).filter(|line| !line.trim_ascii().is_empty()).collect();
        if head.is_empty() {
            return None;
        }
        let lines_len = head.iter().map(|line| line.len()).sum();
        let most = |is_such: &dyn Fn(&[u8]) -> bool| {
            looked_at(lines_len);
            head.iter().filter(|line| is_such(line)).count() * 10 >= head.len() * 9
        };
        let half = |is_such: &dyn Fn(&[u8]) -> bool| {
            looked_at(lines_len);
            head.iter().filter(|line| is_such(line)).count() * 2 >= head.len()
        };
        // After the name of a field comes a space: `name: text`.
        let is_uri = |line: &[u8]| {
            let after = line.iter().position(|&byte| byte == b':').and_then(|colon| line.get(colon + 1));
            starts_as_uri(line) && after.is_some_and(|byte| !byte.is_ascii_whitespace())
        };
        let are_uris = half(&is_uri);
        if are_uris {
            if half(&|line| !line.is_ascii() && starts_as_uri(line) && !line.contains(&b' ')) {
                return Some(LooksLike::Iris);
            }
        // The quoted text after `request: ` can lack a version.
        } else if half(&|line| memmem::find(line, b", request: \"").is_some()) {
            return Some(LooksLike::NginxErrors);
        } else if half(&|line| line.starts_with(b"[") && memmem::find(line, b", referer: ").is_some()) {
            return Some(LooksLike::ApacheErrors);
        } else if half(&|line| is_uri_error(line)) {
            return Some(LooksLike::UriErrors);
        } else if half(&|line| line.starts_with(b"[pid: ") && memmem::find(line, b" => generated ").is_some())
        {
            return Some(LooksLike::Uwsgi);
        } else if half(&|line| line.starts_with(b"[") && memmem::find(line, b"\" [Client ").is_some()) {
            return Some(LooksLike::NginxProxyManager);
        } else if half(&|line| is_link(line)) {
            return Some(LooksLike::TimeMap);
        } else if let Some(logfmt) = logfmt(&head) {
            return Some(logfmt);
        } else if half(&|line| has_request(line)) {
            return Some(LooksLike::Requests);
        }
        let tenth = |is_such: &dyn Fn(&[u8]) -> bool| {
            looked_at(lines_len);
            head.iter().filter(|line| is_such(line)).count() * 10 >= head.len()
        };
        if !are_uris && tenth(&|line| has_attribute(line)) {
            return Some(LooksLike::Html);
        }
        if cfg!(feature = "markdown") && !are_uris && tenth(&|line| has_destination(line)) {
            return Some(LooksLike::Markdown);
        }
        if most(&|line| is_padded(line)) {
            Some(LooksLike::Padded)
        } else if let Some(cells) = DELIMITERS.iter().find_map(|&delimiter| cells(&head, delimiter)) {
            Some(cells)
        } else if are_uris {
            Some(LooksLike::Uris)
        } else if let Some(cells) =
            DELIMITERS.iter().find_map(|&delimiter| cells_without_schemes(&head, delimiter))
        {
            Some(cells)
        } else if most(&|line| is_without_scheme(line)) {
            Some(LooksLike::NoSchemes)
        } else if let Some(cells) =
            DELIMITERS.iter().find_map(|&delimiter| cells_with_paths(&head, delimiter))
        {
            Some(cells)
        } else if let Some(cells) =
            DELIMITERS.iter().find_map(|&delimiter| cells_with_hosts(&head, delimiter))
        {
            Some(cells)
        } else {
            let with_uris = head.iter().filter(|line| FreeText::has_uri(line)).count();
            (with_uris * 10 >= head.len()).then_some(LooksLike::Text)
        }
    }
}

/// Returns true if at least a third of these lines, but not all, are empty or comments, and nearly all other
/// lines are URIs without spaces.
fn are_spaced(text: &[u8]) -> bool {
    let (mut all, mut between, mut uris) = (0, 0, 0);
    for line in lines(text) {
        all += 1;
        between += usize::from(line.trim_ascii().is_empty() || line.starts_with(b"#"));
        uris += usize::from(starts_as_uri(line) && !line.contains(&b' '));
    }
    looked_at(text.len());
    uris > 0 && between * 3 >= all && uris * 10 >= (all - between) * 9
}

/// Returns the cells between these delimiters, if most lines have a URI in the same column, and the lines
/// have other columns.
fn cells(head: &[&[u8]], delimiter: u8) -> Option<LooksLike> {
    let mut columns = columns_of(head, delimiter, |cell| is_hierarchical(cell) && !ends_enclosed(cell));
    let column = columns.next()?;
    let has_more = columns.next().is_some();
    // A URI can contain this delimiter, but not the delimiter and another URI after it.
    let is_in_queries = || head.iter().filter(|line| has_bar_in_query(line)).count() * 2 > head.len();
    let is_table =
        has_more || column > 1 || b"\t ".contains(&delimiter) || delimiter == b'|' && !is_in_queries();
    is_table.then_some(LooksLike::Cells { delimiter, column, has_more })
}

/// Returns true if the first vertical bar of a line may be in the query of a URI. No spaces follow the bar.
fn has_bar_in_query(line: &[u8]) -> bool {
    looked_at(line.len());
    line.iter().position(|&byte| byte == b'|').is_some_and(|bar| {
        let (before, after) = line.split_at(bar);
        before.contains(&b'?') && !after.contains(&b' ')
    })
}

/// Returns the cells between these delimiters, if most lines have a path in the same column.
fn cells_with_paths(head: &[&[u8]], delimiter: u8) -> Option<LooksLike> {
    // Between words, a comma ends a cell that is not a path.
    let is_path = |cell: &[u8]| matches!(cell, [b'/', _, ..]) && !(delimiter == b' ' && cell.ends_with(b","));
    let column = columns_of(head, delimiter, is_path).next()?;
    Some(LooksLike::CellsWithPaths { delimiter, column })
}

/// Returns the cells between these delimiters, if most lines have a host name in the same column.
fn cells_with_hosts(head: &[&[u8]], delimiter: u8) -> Option<LooksLike> {
    let column = columns_of(head, delimiter, is_host_name).next()?;
    Some(LooksLike::CellsWithHosts { delimiter, column })
}

/// Returns true if a text is a host name of at least two labels. A number or a date is no host name: the last
/// label has only letters.
fn is_host_name(text: &[u8]) -> bool {
    let is_label = |label: &[u8]| {
        !label.is_empty() && label.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(byte))
    };
    looked_at(text.len());
    let last = text.rsplit(|&byte| byte == b'.').next().unwrap_or_default();
    let is_top = last.len() >= 2 && last.len() < text.len() && last.iter().all(u8::is_ascii_alphabetic);
    is_top && text.split(|&byte| byte == b'.').all(is_label)
}

/// Returns the cells between these delimiters, if each line has two of them: a host with or without a path,
/// and a label, which is no part of a path.
fn cells_without_schemes(head: &[&[u8]], delimiter: u8) -> Option<LooksLike> {
    let is_row = |line: &[u8]| {
        looked_at(line.len());
        let mut cells = line.split(|&byte| byte == delimiter);
        let (host, label) = (cells.next().unwrap_or_default(), cells.next());
        let is_label = |label: &[u8]| {
            !label.is_empty()
                && label
                    .iter()
                    .all(|byte| byte.is_ascii_alphanumeric() || b" _-".contains(byte) || !byte.is_ascii())
        };
        cells.next().is_none() && is_without_scheme(host) && label.is_some_and(is_label)
    };
    let rows = head.iter().filter(|line| is_row(line)).count();
    let has_paths = head.iter().filter(|line| line.contains(&b'/')).count() * 2 > head.len();
    let (column, is_table) = (1, rows * 10 >= head.len() * 9);
    let cells = if has_paths {
        LooksLike::CellsWithPaths { delimiter, column }
    } else {
        LooksLike::CellsWithHosts { delimiter, column }
    };
    is_table.then_some(cells)
}

/// Returns the columns, counted from 1, in which nine in ten of these lines have a cell that satisfies
/// `is_such`. None if fewer than nine in ten lines have a delimiter.
fn columns_of(head: &[&[u8]], delimiter: u8, is_such: impl Fn(&[u8]) -> bool) -> impl Iterator<Item = usize> {
    let mut found = [0_usize; MOST_COLUMNS];
    let mut tables = 0;
    for line in head.iter().filter(|line| line.contains(&delimiter)) {
        tables += 1;
        for (count, cell) in found.iter_mut().zip(cells::cells(line, delimiter).map_while(Result::ok)) {
            *count += usize::from(is_such(cell.0));
        }
    }
    let least = (head.len() * 9).div_ceil(10);
    (1..).zip(found).filter(move |&(_, count)| tables >= least && count >= least).map(|(column, _)| column)
}

/// Returns true if a cell is a URI with an authority.
fn is_hierarchical(cell: &[u8]) -> bool {
    let after = || cell.iter().position(|&byte| byte == b':').map_or(&[][..], |at| &cell[at + 1..]);
    starts_as_uri(cell) && after().starts_with(b"//")
}

/// Returns true if a cell ends with a quote or a closing bracket that the text before the cell opened:
/// `<GET http://a/>`.
fn ends_enclosed(cell: &[u8]) -> bool {
    looked_at(cell.len());
    let opener = match cell.last() {
        Some(b'>') => b'<',
        Some(b')') => b'(',
        Some(b']') => b'[',
        Some(b'}') => b'{',
        Some(&quote @ (b'"' | b'\'')) => quote,
        _ => return false,
    };
    !cell[..cell.len() - 1].contains(&opener)
}

/// Returns the key of `key=value` pairs that holds URIs or paths, if nine in ten lines are such pairs and
/// have it.
fn logfmt(head: &[&[u8]]) -> Option<LooksLike> {
    const KEYS: [&str; 5] = ["url", "uri", "request_uri", "target", "path"];

    let is_key = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.-".contains(byte);
    let has_pairs = |line: &&&[u8]| {
        looked_at(line.len());
        let is_pair = |word: &[u8]| {
            let end = word.iter().position(|byte| !is_key(byte));
            end.is_some_and(|end| end > 0 && word[end] == b'=')
        };
        let mut words = line.split(|&byte| byte == b' ');
        words.next().is_some_and(is_pair) && words.filter(|word| is_pair(word)).count() > 1
    };
    let most = |count: usize| count * 10 >= head.len() * 9;
    if !most(head.iter().filter(has_pairs).count()) {
        return None;
    }
    KEYS.into_iter().find_map(|key| {
        let values = head.iter().filter_map(|line| {
            looked_at(line.len());
            let pair = format!("{key}=");
            let is_start = |&at: &usize| at == 0 || line[at - 1] == b' ';
            let at = memmem::find_iter(line, pair.as_bytes()).find(is_start)?;
            let value = &line[at + pair.len()..];
            Some(value.strip_prefix(b"\"").unwrap_or(value))
        });
        let values: Vec<&[u8]> = values.collect();
        let paths = values.iter().filter(|value| value.starts_with(b"/")).count();
        let uris = values.iter().filter(|value| starts_as_uri(value)).count();
        most(paths + uris).then_some(LooksLike::Logfmt { key, has_paths: paths > uris })
    })
}

/// Returns true if a line is a link in angle brackets with a parameter (RFC 8288 section 3).
fn is_link(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    looked_at(line.len());
    let end = memchr(b'>', line).filter(|_| line.starts_with(b"<"));
    end.is_some_and(|end| {
        starts_as_uri(&line[1..end]) && line[end + 1..].trim_ascii_start().starts_with(b";")
    })
}

/// Returns true if a line has a tag of HTML with a link.
fn has_attribute(line: &[u8]) -> bool {
    const STARTS: [&[u8]; 6] = [b" href=\"", b" href='", b" src=\"", b" src='", b" HREF=\"", b" SRC=\""];

    memchr(b'<', line).is_some_and(|tag| {
        let starts_tag = line.get(tag + 1).is_some_and(u8::is_ascii_alphabetic);
        starts_tag && STARTS.iter().any(|start| memmem::find(&line[tag..], start).is_some())
    })
}

/// Returns true if a line has a link or a definition of Markdown.
fn has_destination(line: &[u8]) -> bool {
    let link = || memmem::find(line, b"](").is_some_and(|at| memchr(b'[', &line[..at]).is_some());
    let definition = || {
        let end = memmem::find(line, b"]: ").filter(|_| line.starts_with(b"["));
        end.is_some_and(|end| starts_as_uri(&line[end + 3..]) || line[end + 3..].starts_with(b"/"))
    };
    link() || definition()
}

/// Returns true if the line has a quoted request with its version.
fn has_request(line: &[u8]) -> bool {
    memmem::find(line, b" HTTP/").is_some_and(|version| {
        let start = memrchr(b'"', &line[..version]);
        let request = start.map_or(&[][..], |quote| &line[quote + 1..version]);
        let method = request.split(|&byte| byte == b' ').next().unwrap_or_default();
        (3..=20).contains(&method.len())
            && method.iter().all(u8::is_ascii_uppercase)
            && request.len() > method.len() + 1
    })
}

/// Returns true if this is a line of Heritrix' `uri-errors.log`.
fn is_uri_error(line: &[u8]) -> bool {
    let mut words = line.split(|&byte| byte == b' ');
    let has_time = words.next().is_some_and(|time| is_date(time) || is_stamp(time));
    let has_page = words.next().is_some_and(|page| page == b"n/a" || starts_as_uri(page));
    has_time
        && has_page
        && words.next().is_some_and(|message| message.starts_with(b"\""))
        && memmem::find(line, b"\" ").is_some()
}

fn is_padded(line: &[u8]) -> bool {
    let inner = line.trim_ascii();
    inner.len() < line.len() && starts_as_uri(inner) && !inner.contains(&b' ')
}

fn is_without_scheme(line: &[u8]) -> bool {
    let host = line.split(|byte| b"/?#:".contains(byte)).next().unwrap_or_default();
    let is_host_byte = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._".contains(byte);
    let is_path = line.starts_with(b"/") && line.len() > 1;
    let is_host = host.contains(&b'.') && host.iter().all(is_host_byte);
    (is_host || is_path) && !line.contains(&b' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_look_like_what_most_of_them_are() {
        let cells = |delimiter, column, has_more| Some(LooksLike::Cells { delimiter, column, has_more });
        for (lines, expected) in [
            ("http://a/,http://b/\nhttps://a/,http://c/x\n", cells(b',', 1, true)),
            ("1;http://a/\n2;http://b/\n\n", cells(b';', 2, false)),
            ("\"http://a/\",\"http://b/\"\n", cells(b',', 1, true)),
            ("http://a/\tx\nhttp://b/\ty\n", cells(b'\t', 1, false)),
            ("http://a/ 200\nhttp://b/ 404\n", cells(b' ', 1, false)),
            ("a|http://a/|b\n", cells(b'|', 2, false)),
            ("http://a/|b\nhttp://a/?b|c\n", cells(b'|', 1, false)),
            ("http://a/?b|c d\nhttp://a/?b|e f\n", cells(b'|', 1, false)),
            ("1;\"a; b\";http://x/;d\n", cells(b';', 3, false)),
            // Lists.
            ("http://a/,b\nhttp://b/;c\n", Some(LooksLike::Uris)),
            ("http://a/,b\nhttp://b/,c\n", Some(LooksLike::Uris)),
            ("http://a/?f=a:400|700\nhttp://a/?f=b:400|700\n", Some(LooksLike::Uris)),
            ("http://a/?u=b,http://b/\nhttp://a/\nhttp://a/\n", Some(LooksLike::Uris)),
            ("", None),
            ("\n\n", None),
            ("plain words\nand more of them\n", None),
            ("word\n", None),
            ("/\n", None),
            // Something else.
            (" http://a/ \nhttp://b/ \r\r\n", Some(LooksLike::Padded)),
            ("www.example.com\nexample.org/a?b\n/a/b\nexample.net:80/\n", Some(LooksLike::NoSchemes)),
            ("# Title\nsee <http://a.example/>\n", Some(LooksLike::Text)),
            ("1,/a/b,200\n2,/c,404\n", Some(LooksLike::CellsWithPaths { delimiter: b',', column: 2 })),
            ("1,/,200\n2,/c,404\n", None),
            (
                "a.example/b,News\nc.example,Sport\nd.example/e,News\n",
                Some(LooksLike::CellsWithPaths { delimiter: b',', column: 1 }),
            ),
            ("a.example/b,c.html\nd.example/e,f.html\n", Some(LooksLike::NoSchemes)),
            ("192.0.2.1, -, GET, /a.html, -,\n192.0.2.1, -, GET, /b.html, -,\n", None),
            (
                "1;\"a; b\";www.example.com\n2;c;example.org\n",
                Some(LooksLike::CellsWithHosts { delimiter: b';', column: 3 }),
            ),
            ("1.5,2.0,10.0.0.1\n2.5,a.b,x..com\n", None),
            ("\u{0}h\u{0}t\u{0}t\u{0}p", Some(LooksLike::Wide { encoding: "UTF-16BE" })),
            ("h\u{0}t\u{0}t\u{0}p\u{0}", Some(LooksLike::Wide { encoding: "UTF-16LE" })),
            ("h\u{0}ttp\u{0}\u{0}\u{0}", None),
            ("h\u{0}ttp:xy", None),
            ("   1 http://a/\n  23 http://b/\n", Some(LooksLike::Text)),
            // The URI ends before the bracket or quote.
            ("x <GET http://a/> y\n", Some(LooksLike::Text)),
            ("x (see http://a/)\n", Some(LooksLike::Text)),
            ("x ['GET', 'to http://a/']\n", Some(LooksLike::Text)),
            ("x \"GET http://a/\" y\n", Some(LooksLike::Text)),
            ("x http://a/b_(c) y\n", cells(b' ', 2, false)),
            (
                "x web - \"GET /a HTTP/1.1\" 200\ny web - \"POST /b HTTP/2.0\" 200\n",
                Some(LooksLike::Requests),
            ),
            (
                "2026/01/02 03:04:05 [error] 1#0: *1 x, request: \"GET /a HTTP/1.1\", host: \"h\"\n",
                Some(LooksLike::NginxErrors),
            ),
            (
                "[Fri Jan 02 03:04:05 2026] [core:error] [pid 1] x, referer: http://a/\n",
                Some(LooksLike::ApacheErrors),
            ),
            ("2026-01-02T03:04:05.678Z http://a/ \"Failed parse\" http:///\n", Some(LooksLike::UriErrors)),
            ("http://a/é\nhttp://a/b\n", Some(LooksLike::Iris)),
            ("see \"HTTP/1.1\" and \"a HTTP/2\"\n", None),
            ("http://a/\n\nhttp://b/\n\n", Some(LooksLike::Spaced)),
            ("#EXTM3U\n#EXTINF:-1,Title\nhttp://a/b.mp3\n", Some(LooksLike::Spaced)),
            ("# seeds\nhttp://a/\nhttp://b/\nhttp://c/\n", Some(LooksLike::Uris)),
            ("<url>\n<loc>http://a/</loc>\n</url>\n", Some(LooksLike::Text)),
            ("name: text\nother: more\n", None),
            ("at=info url=\"http://a/\" x=1\n", Some(LooksLike::Logfmt { key: "url", has_paths: false })),
            ("a=1 method=GET path=/a status=200\n", Some(LooksLike::Logfmt { key: "path", has_paths: true })),
            ("a=1 method=GET path=none status=200\n", None),
            ("#EXTM3U\n#EXTINF:4,\na.ts\n", Some(LooksLike::Playlist)),
            ("<http://a/>; rel=\"original\",\n<http://b/>; rel=\"self\"\n", Some(LooksLike::TimeMap)),
            ("<ul>\n<li><a href=\"/a b\">x</a>\n</ul>\n", Some(LooksLike::Html)),
            ("x\nsee [a](/b)\n", Some(LooksLike::Markdown)),
            ("x\n[a]: http://b/\n", Some(LooksLike::Markdown)),
            ("[x]: see\n", None),
        ] {
            assert_eq!(Format::looks_like(lines.as_bytes()), expected, "{lines:?}");
        }
        assert_eq!(Format::looks_like(b"\xFF\xFEh\0"), Some(LooksLike::Wide { encoding: "UTF-16" }));
        assert_eq!(Format::looks_like(b"\xFE\xFF\0h"), Some(LooksLike::Wide { encoding: "UTF-16" }));
        let nine = "http://a/,http://b/\n".repeat(9);
        assert_eq!(Format::looks_like(format!("{nine}x\n").as_bytes()), cells(b',', 1, true));
        assert_ne!(Format::looks_like(format!("{nine}x\nx\n").as_bytes()), cells(b',', 1, true));
        let tenth = " http://a/\n".to_owned() + &"x\n".repeat(9);
        assert_eq!(Format::looks_like(tenth.as_bytes()), Some(LooksLike::Text));
        assert_eq!(Format::looks_like((tenth + "x\n").as_bytes()), None);
    }
}
