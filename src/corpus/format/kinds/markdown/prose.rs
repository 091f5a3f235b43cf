//! Links that a parser of CommonMark reads as prose: bare links and broken links.
//!
//! | text | record | why |
//! |---|---|---|
//! | `[a](b c.html)` | `b c.html` | white space ends a destination, so this is not a link in CommonMark |
//! | `<http://a b>` | `http://a b` | white space ends an autolink |
//! | `[a]: http://a b` | `http://a b` | white space ends the destination of a definition; a record only if it starts like a path or with a scheme |
//! | `http://a/b` | all of it | a [bare link](super::bare) |
//!
//! A bare link can go on after the prose: ``http://a/`b` `` is one link, although the parser, which knows no
//! bare links, finds code in it. So the search looks at the bytes after the prose, too.

use std::borrow::Cow;
use std::ops::Range;

use super::bare::Content;
use super::found::{FoundLinks, link};
use crate::corpus::format::kinds::text::link_len;
use crate::corpus::format::lines::element::Holder;
use crate::corpus::format::lines::log_format::starts_as_uri;
use crate::corpus::format::lines::marked_bytes::MarkedBytes;
use crate::corpus::format::lines::unescape::Escapes;
use crate::simd::ProseMarks;
use crate::work::{looked_at, memchr, memchr3, memmem, memrchr, position};

/// A text in which the bytes are marked at which links can start or end.
pub(super) type MarkedProse<'t> = MarkedBytes<'t, ProseMarks>;

/// The place of a piece of prose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    Text,
    /// In the text of a link, which has no bare links.
    LinkText,
}

/// A piece of prose.
pub(super) struct Prose<'t> {
    pub(super) text: &'t str,
    /// The bytes of the prose in the text.
    pub(super) range: Range<usize>,
    pub(super) context: Context,
    /// The text of the block, up to its end if that is known. The prose may go over the end, by white space.
    pub(super) block: Range<usize>,
    /// Whether the block is a cell of a table.
    pub(super) is_cell: bool,
}

/// The place up to which the links of a prose go.
pub(super) struct Passed {
    /// The end of the prose, or of a link that goes on after it.
    pub(super) to: usize,
    /// The start of the bare link that goes on after the prose.
    pub(super) bare: Option<usize>,
}

/// Finds the links in prose, whose whole text is `marked`. `open` has the brackets that are open in the block:
/// for each, whether it opens an image.
pub(super) fn links(
    prose: &Prose<'_>,
    marked: &mut MarkedProse<'_>,
    open: &mut Vec<bool>,
    found: &mut Vec<FoundLinks>,
) -> Passed {
    let all = &prose.text.as_bytes()[..prose.block.end.max(prose.range.end)];
    let (start, end) = (prose.range.start, prose.range.end);
    let bytes = &all[..end];
    let is_text = prose.context == Context::Text;
    let (mut at, mut passed) = (start, start);
    while let Some(next) = marked.next_before(at, end, |ProseMarks(marks)| marks) {
        at = next;
        let byte = bytes[at];
        // Most of these letters and colons are words of a text.
        let is_word = match byte {
            b'w' => !bytes[at..].starts_with(b"www."),
            b':' => {
                !all[at..].starts_with(b"://")
                    && !bytes[passed..at].ends_with(b"to")
                    && !bytes[passed..at].ends_with(b"pp")
            }
            _ => false,
        };
        if is_word || !is_text && matches!(byte, b'w' | b':' | b'<') {
            at += 1;
            continue;
        }
        // GitHub has no bare links in brackets, so there the marks after the prose are no part of them.
        let content = match open.is_empty() {
            true => Content { bytes: all, is_in_brackets: false },
            false => Content { bytes, is_in_brackets: true },
        };
        let record = match byte {
            b'\\' => {
                at += 1 + usize::from(bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation));
                continue;
            }
            b'[' => {
                open.push(bytes[start..at].ends_with(b"!"));
                if is_text && starts_line(bytes, start, at) { definition(bytes, at) } else { None }
            }
            b']' => open.pop().and_then(|is_image| broken_link(all, end, at, is_image)),
            b'<' => broken_autolink(bytes, at),
            b':' => content.link_at_colon(passed, at).map(ProseLink::Bare),
            b'w' => content.www_end(prose.block.start.min(at), at).map(|end| ProseLink::Www(at..end)),
            _ => None,
        };
        at += 1;
        let Some(record) = record else { continue };
        let url = record.take(prose, byte, found);
        (at, passed) = (url.end, url.end);
        if url.end > end {
            return Passed { to: url.end, bare: record.is_bare().then_some(url.start) };
        }
    }
    Passed { to: end, bare: None }
}

/// A link in prose.
enum ProseLink {
    Broken {
        place: Holder,
        url: Range<usize>,
    },
    Bare(Range<usize>),
    /// A bare link without a scheme.
    Www(Range<usize>),
}

impl ProseLink {
    fn broken(place: Holder, url: Range<usize>) -> Self {
        ProseLink::Broken { place, url }
    }

    fn is_bare(&self) -> bool {
        !matches!(self, ProseLink::Broken { .. })
    }

    /// Adds the link to `found`, and returns its bytes. `first` is the byte at which it was found.
    fn take(&self, prose: &Prose<'_>, first: u8, found: &mut Vec<FoundLinks>) -> Range<usize> {
        let (ProseLink::Broken { url, .. } | ProseLink::Bare(url) | ProseLink::Www(url)) = self;
        let text = &prose.text[url.clone()];
        found.push(match self {
            // An autolink has no escapes (CommonMark section 6.5).
            ProseLink::Broken { place, .. } if first == b'<' => {
                FoundLinks::at(place.clone(), url.clone(), Escapes::None)
            }
            ProseLink::Broken { place, .. } => {
                FoundLinks::at(place.clone(), url.clone(), Escapes::of_markdown(text.as_bytes()))
            }
            ProseLink::Bare(_) => match prose.without_pipe_escapes(text) {
                Cow::Borrowed(_) => FoundLinks::at(link(), url.clone(), Escapes::None),
                Cow::Owned(text) => FoundLinks::made(link(), url.start, text),
            },
            ProseLink::Www(_) => {
                FoundLinks::made(link(), url.start, format!("http://{}", prose.without_pipe_escapes(text)))
            }
        });
        url.clone()
    }
}

impl Prose<'_> {
    /// Returns the text of a bare link. A table undoes `\|` before there are links.
    fn without_pipe_escapes<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let has_escape = self.is_cell && memmem::find(text.as_bytes(), b"\\|").is_some();
        if has_escape { Cow::Owned(text.replace("\\|", "|")) } else { Cow::Borrowed(text) }
    }
}

/// Returns true if only marks of blocks precede this byte in its line. The prose starts at `start`.
fn starts_line(bytes: &[u8], start: usize, at: usize) -> bool {
    let before = &bytes[start..at];
    let marks = before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t' | b'>')).count();
    looked_at(marks + 1);
    match before[..before.len() - marks].last() {
        Some(&byte) => byte == b'\n',
        None => starts_block(bytes, start),
    }
}

/// Returns true if only marks of blocks precede this byte in its line. A long line can have many texts, so
/// the search reads only a few bytes.
fn starts_block(bytes: &[u8], at: usize) -> bool {
    let before = &bytes[at.saturating_sub(LONGEST_MARKS)..at];
    let line = match memrchr(b'\n', before) {
        Some(line_end) => &before[line_end + 1..],
        None if before.len() == at => before,
        None => return false,
    };
    line.iter().all(|byte| b" \t>-*+.)0123456789".contains(byte))
}

/// The number of bytes before a definition that are searched for marks.
const LONGEST_MARKS: usize = 256;

/// Returns the destination of a definition that starts at `at`, if white space breaks the destination. Prose
/// can also follow a label and a colon, so the destination must start like a path or with a scheme.
fn definition(bytes: &[u8], at: usize) -> Option<ProseLink> {
    let label_end = at + 1 + memchr3(b'[', b']', b'\n', &bytes[at + 1..])?;
    let rest = bytes[label_end..].strip_prefix(b"]:")?;
    if bytes.get(at + 1) == Some(&b'^') || label_end == at + 1 {
        return None;
    }
    let rest = &rest[..memchr(b'\n', rest).unwrap_or(rest.len())];
    let text = without_title(rest).trim_ascii();
    let word = &text[..position(text, u8::is_ascii_whitespace)?];
    let is_destination = starts_as_uri(text) || b"/.#?<".contains(&text[0]) || memchr(b'/', word).is_some();
    let start = bytes.len() - bytes[label_end + 2..].trim_ascii_start().len();
    is_destination.then(|| ProseLink::broken(link(), start..start + text.len()))
}

/// Returns a text without the title at its end.
fn without_title(text: &[u8]) -> &[u8] {
    let all = text.trim_ascii_end();
    let opening = match all.last() {
        Some(b')') => b'(',
        Some(&quote @ (b'"' | b'\'')) => quote,
        _ => return all,
    };
    let title = memrchr(opening, &all[..all.len() - 1]).filter(|&at| all[..at].ends_with(b" "));
    title.map_or(all, |at| &all[..at])
}

/// Returns the destination after the closing bracket of a link's text. The prose ends at `end`.
fn broken_link(bytes: &[u8], end: usize, at: usize, is_image: bool) -> Option<ProseLink> {
    let after = bytes[at + 1..].strip_prefix(b"(")?;
    let start = at + 2 + position(after, |byte| !matches!(byte, b' ' | b'\t'))?;
    let rest = &bytes[start..];
    // Brackets can nest, so for each open one, the search for its end would go to the end of the line.
    let rest = match starts_as_uri(rest) {
        true => rest,
        false => closed(&bytes[start.min(end)..end.min(start + LONGEST)])?,
    };
    let url = start..start + link_len(rest);
    let place = if is_image { Holder::known("img", "src") } else { link() };
    (!url.is_empty()).then(|| ProseLink::broken(place, url))
}

/// The number of bytes that are searched for the end of a broken destination that is not a URI.
const LONGEST: usize = 2048;

/// Returns the line of a destination, if a bracket closes the destination in that line.
fn closed(text: &[u8]) -> Option<&[u8]> {
    let line = &text[..memchr(b'\n', text).unwrap_or(text.len())];
    memchr(b')', &line[link_len(line)..]).map(|_| line)
}

/// Returns an autolink that white space breaks.
fn broken_autolink(bytes: &[u8], at: usize) -> Option<ProseLink> {
    let rest = &bytes[at + 1..];
    let end = memchr3(b'>', b'<', b'\n', rest).filter(|&end| rest[end] == b'>')?;
    let has_host = || memchr(b':', rest).is_some_and(|colon| rest[colon + 1..end].starts_with(b"//"));
    (starts_as_uri(&rest[..end]) && has_host()).then(|| ProseLink::broken(link(), at + 1..at + 1 + end))
}

#[cfg(test)]
mod tests {
    use super::super::found::Link;
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let (mut found, range) = (Vec::new(), 0..text.len());
        let prose = Prose { text, range, context: Context::Text, block: 0..text.len(), is_cell: false };
        links(&prose, &mut MarkedProse::new(text.as_bytes()), &mut Vec::new(), &mut found);
        let text = |found: FoundLinks| match found.link {
            Link::At(_, url, escapes) => {
                let mut to = Vec::new();
                escapes.write(&text.as_bytes()[url], &mut to);
                String::from_utf8(to).unwrap()
            }
            Link::Made(_, url) => String::from_utf8(url).unwrap(),
            Link::Malformed(reason) => panic!("{reason}"),
        };
        found.into_iter().map(text).collect()
    }

    #[test]
    fn bare_links_end_where_people_expect() {
        for (text, expected) in [
            (
                "see http://a.example/b_c_. HTTPS://d.example!",
                &["http://a.example/b_c", "HTTPS://d.example"][..],
            ),
            ("(ftp://a.example/(b)) *http://c.example/*", &["ftp://a.example/(b)", "http://c.example/"]),
            ("xhttp://a.example http://{b}/ https:// http://<c>", &[]),
            (
                "www.a.example/b, (www.c.example) xwww.d.example www.",
                &["http://www.a.example/b", "http://www.c.example"],
            ),
            ("http://www.a.example/", &["http://www.a.example/"]),
            ("mailto:a@b.example, mailto:c urn:isbn:1 s3://d/{e}", &["mailto:a@b.example"]),
            ("http://a.example/%zz http://a.example/ü", &["http://a.example/%zz", "http://a.example/ü"]),
            ("\\http://a.example\\", &["http://a.example\\"]),
            (
                "https://ü.example/ www.ü.example http://“a.example”",
                &["https://ü.example/", "http://www.ü.example"],
            ),
            (
                "www.a.example/?q=b&hl; http://a.example/?q=1&copy;. http://a.example/?a&;",
                &["http://www.a.example/?q=b", "http://a.example/?q=1", "http://a.example/?a&"],
            ),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn broken_links_are_taken_whole() {
        for (text, expected) in [
            ("[a](b c.html) ![d]( e f.png 'g')", &["b c.html", "e f.png"][..]),
            ("[a](b c\\).html)", &["b c).html"]),
            ("[a](http://a.example/b c", &["http://a.example/b c"]),
            ("[a](b c", &[]),
            ("a](b c) \\[d](e f)", &[]),
            ("[a](b \"c)", &["b \"c"]),
            (
                "<http://a.example/b c> <a b> <c: d> <http://d.example",
                &["http://a.example/b c", "http://d.example"],
            ),
            ("[a]: http://a.example/b c 'd'\n [e]: ./f g.md\n", &["http://a.example/b c", "./f g.md"]),
            (r"<http://a.example/\%2e &amp; c>", &[r"http://a.example/\%2e &amp; c"]),
            ("[a]: see there\n[^b]: /c d\n[]: /e f\nx [g]: /h i", &[]),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn bad_prose_takes_linear_time() {
        for part in
            ["[", "[](", "[a](b (", "<http://", "www.", "http:", "[a]: /b c\n", "(((", "http://a(", "\\"]
        {
            let text = part.repeat(100_000 / part.len());
            found(&text);
        }
    }
}
