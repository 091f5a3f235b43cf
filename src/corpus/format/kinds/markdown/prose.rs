//! Links that a parser of CommonMark reads as prose: bare links and broken links.
//!
//! | text | record | why |
//! |---|---|---|
//! | `[a](b c.html)` | `b c.html` | white space ends a destination, so this is not a link in CommonMark |
//! | `<http://a b>` | `http://a b` | white space ends an autolink |
//! | `[a]: http://a b` | `http://a b` | white space ends the destination of a definition; a record only if it starts like a path or with a scheme |
//! | `http://a/b`, `https:`, `ftp:`, `mailto:a@b` | all of it | GitHub Flavored Markdown (section 6.9) |
//! | `www.a.example/b` | `http://www.a.example/b` | GitHub Flavored Markdown (section 6.9) |
//!
//! A bare link ends like a URI in [texts](crate::corpus::format::kinds::text), except that it does not end with `_` or `~`. Its host starts with a
//! letter or digit of any script: `http://{host}/` is not a bare link. Bare e-mail addresses cannot be broken, so they are not records.

use std::ops::Range;

use super::found::{FoundLinks, link};
use crate::corpus::format::kinds::text::{link_len, prose_end};
use crate::corpus::format::lines::element::Holder;
use crate::corpus::format::lines::log_format::starts_as_uri;
use crate::corpus::format::lines::unescape::Escapes;
use crate::work::{looked_at, memchr, memchr3, memmem, memrchr, position};

/// The place of a piece of prose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    Text,
    /// In the text of a link, which has no bare links.
    LinkText,
}

/// Finds the links in these bytes of a text.
pub(super) fn links(text: &str, prose: Range<usize>, context: Context, found: &mut Vec<FoundLinks>) {
    let bytes = &text.as_bytes()[..prose.end];
    looked_at(prose.len());
    // For each open bracket, whether it opens an image.
    let mut open = Vec::new();
    // A footnote ends a bare link.
    let mut footnote = next_footnote(bytes, prose.start);
    let (mut at, mut passed, mut starts_line) = (prose.start, prose.start, starts_block(bytes, prose.start));
    while let Some(&byte) = bytes.get(at) {
        let is_text = context == Context::Text;
        if at > footnote {
            footnote = next_footnote(bytes, at);
        }
        let record = match byte {
            b'\\' => {
                at += 1 + usize::from(bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation));
                starts_line = false;
                continue;
            }
            b'[' => {
                open.push(bytes[prose.start..at].ends_with(b"!"));
                if is_text && starts_line { definition(bytes, at) } else { None }
            }
            b']' => open.pop().and_then(|is_image| broken_link(bytes, at, is_image)),
            b'<' if is_text => broken_autolink(bytes, at),
            b':' if is_text => {
                bare_link(&bytes[..footnote], passed, at).map(|url| ProseLink { place: link(), url })
            }
            b'w' | b'W' if is_text => match www(&bytes[..footnote], prose.start, at) {
                Some(end) => {
                    found.push(FoundLinks::made(link(), at, format!("http://{}", &text[at..end])));
                    (at, passed) = (end, end);
                    continue;
                }
                None => None,
            },
            _ => None,
        };
        starts_line = byte == b'\n' || starts_line && matches!(byte, b' ' | b'\t' | b'>');
        at += 1;
        if let Some(ProseLink { place, url }) = record {
            (at, passed) = (url.end, url.end);
            // An autolink has no escapes (CommonMark section 6.5).
            let escapes =
                if byte == b'<' { Escapes::None } else { Escapes::of_markdown(&bytes[url.clone()]) };
            found.push(FoundLinks::at(place, url, escapes));
        }
    }
}

/// Returns the first footnote at or after `from`, or the end of the bytes.
fn next_footnote(bytes: &[u8], from: usize) -> usize {
    memmem::find(&bytes[from..], b"[^").map_or(bytes.len(), |at| from + at)
}

/// A link in prose.
struct ProseLink {
    place: Holder,
    url: Range<usize>,
}

/// Returns true if only marks of blocks precede this byte in its line. A long line can have many texts, so the search reads only a few bytes.
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

/// Returns the destination of a definition that starts at `at`, if white space breaks the destination. Prose can also follow a label and a colon, so
/// the destination must start like a path or with a scheme.
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
    is_destination.then(|| ProseLink { place: link(), url: start..start + text.len() })
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

/// Returns the destination after the closing bracket of a link's text.
fn broken_link(bytes: &[u8], at: usize, is_image: bool) -> Option<ProseLink> {
    let after = bytes[at + 1..].strip_prefix(b"(")?;
    let start = at + 2 + position(after, |byte| !matches!(byte, b' ' | b'\t'))?;
    let rest = &bytes[start..];
    // Brackets can nest, so for each open one, the search for its end would go to the end of the line.
    let rest = if starts_as_uri(rest) { rest } else { closed(&rest[..rest.len().min(LONGEST)])? };
    let url = start..start + link_len(rest);
    let place = if is_image { Holder::known("img", "src") } else { link() };
    (!url.is_empty()).then_some(ProseLink { place, url })
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
    (starts_as_uri(&rest[..end]) && has_host())
        .then(|| ProseLink { place: link(), url: at + 1..at + 1 + end })
}

/// Returns the link whose scheme ends at `colon`. The link starts at or after `from`.
fn bare_link(bytes: &[u8], from: usize, colon: usize) -> Option<Range<usize>> {
    let letters =
        bytes[from..colon].iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).take(7).count();
    let start = colon - letters;
    let is = |scheme: &[u8]| bytes[start..colon].eq_ignore_ascii_case(scheme);
    let rest = &bytes[colon + 1..];
    if is(b"http") || is(b"https") || is(b"ftp") {
        let starts_host = starts_host(rest.strip_prefix(b"//")?);
        return starts_host.then(|| start..bare_end(bytes, colon + 3));
    }
    if !is(b"mailto") {
        return None;
    }
    // The local part ends at a colon before the `@`, so that the next `mailto:` is a link of its own.
    let ends_local_part = |byte: &u8| b"@:<>".contains(byte) || byte.is_ascii_whitespace();
    let at = position(rest, ends_local_part).filter(|&at| rest[at] == b'@')? + colon + 1;
    Some(start..bare_end(bytes, colon + 1)).filter(|url| url.end > at)
}

/// Returns the end of a link without a scheme that starts with `www.` at `at`.
fn www(bytes: &[u8], from: usize, at: usize) -> Option<usize> {
    let host = bytes[at..].get(4..).filter(|_| bytes[at..at + 4].eq_ignore_ascii_case(b"www."))?;
    let may_start =
        bytes[from..at].last().is_none_or(|&byte| byte.is_ascii_whitespace() || b"*_~(".contains(&byte));
    (may_start && starts_host(host)).then(|| bare_end(bytes, at + 4))
}

/// Returns true if a text starts with a letter or a digit, of any script.
fn starts_host(text: &[u8]) -> bool {
    let mut chunks = text[..text.len().min(4)].utf8_chunks();
    chunks.next().and_then(|chunk| chunk.valid().chars().next()).is_some_and(char::is_alphanumeric)
}

/// Returns the end of a bare link whose host starts at `host`.
fn bare_end(bytes: &[u8], host: usize) -> usize {
    let (mut end, _) = prose_end(bytes, host, false);
    loop {
        match bytes[host..end].last() {
            Some(last) if b"_~*?!.,:'\"".contains(last) => end -= 1,
            // A character reference at the end is no part of the link.
            _ if bytes.get(end) == Some(&b';') => match reference(&bytes[host..end]) {
                Some(start) => end = host + start,
                None => return end,
            },
            _ => return end,
        }
    }
}

/// Returns the start of a name of a character reference, with its `&`, at the end of a text.
fn reference(text: &[u8]) -> Option<usize> {
    let name = text.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric()).take(LONGEST_NAME).count();
    let start = text.len() - name;
    (name > 0 && text[..start].ends_with(b"&")).then(|| start - 1)
}

/// The most letters of the name of a character reference that are searched.
const LONGEST_NAME: usize = 64;

#[cfg(test)]
mod tests {
    use super::super::found::Link;
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        links(text, 0..text.len(), Context::Text, &mut found);
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
            ("\\http://a.example\\", &["http://a.example"]),
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
