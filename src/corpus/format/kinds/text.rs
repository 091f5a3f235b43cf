//! Text of any kind: prose, Markdown, HTML, XML, source code. The records are the absolute URIs in it, several a line.
//!
//! A candidate is found by its `:`. Before it stands a scheme: as many ASCII letters, digits, `+`, `-` and `.` as there are, from a letter on;
//! but if only what follows a `.` or `-` in them is a scheme that many URIs have (`see.http://…`), that. Behind it stands `//`, or the scheme is
//! one of those that are registered and known here by their shapes (`mailto`, `urn`, `data`, `tel`, `sms`, `geo`, `sip`, `sips`, `xmpp`, `im`, `pres`,
//! `acct`, `cid`, `mid`, `news`, `magnet`, `tag`, `doi`, `did`, `ark`, `swh`), and what follows looks like it does there: `mailto:` wants an `@`,
//! `tel:` a digit. Most other registered names are words that text has before colons: `info`, `example`, `about`. A scheme has at least two
//! letters, as `C://` is a folder.
//!
//! The right edge is where people expect it:
//!
//! - White space, control characters, `<`, `>`, `"`, `` ` ``, `|` and `\` end a URI, which none of them can be a part of; so do typographic
//!   quotes, and the punctuation and spaces of Unicode. Other characters beyond ASCII are a part of it, and make it invalid as `uri`.
//! - A closing bracket without an opening one in the URI ends it: `(see http://a/b)`, `[x](http://a/b)`, but `http://a/b_(c)` is whole.
//! - `.`, `,`, `:`, `;`, `!`, `?`, `*` and `'`, and opening brackets, are no part of its end: `http://a/b.` is `http://a/b`.
//! - `'` ends it if one stands before it, and so does `&apos;`.
//! - In XML and HTML, which a text is that starts with `<`, and in any text where it stands in quotes behind a `=`, `&amp;` (or
//!   `&#38;`, `&#x26;`) is `&`, `&apos;` is `'`, and `&quot;`, `&lt;`, `&gt;` and their numbers end it.
//!
//! What is found so is judged like any record, so a scanner of texts has invalid URIs to show: `http://a/{id}`, `http://user:pass@:80x/`.
//! Lines over the limit are passed over whole.
//!
//! Compared with the crate linkify 0.10 (links only), when eleven of the schemes without `//` were known, in 1,647 Markdown and HTML files of crates and in 14 lists and logs: of 403,540 URIs
//! found here and 403,422 there 403,109 are the same, byte for byte. The others:
//!
//! | URIs | difference | why |
//! |---|---|---|
//! | 187 | `http://a/b\_c`, `…\%20c`: here `\` ends it | no URI has a `\`. Where it is Markdown's escape, what is found is too short |
//! | 74 | `http://a/b,/`, `…?/`, `http://a./b`: there it ends before the punctuation | only the last bytes of a URI may be punctuation around it, and `/` is none |
//! | 72 | `mailto:`, `urn:`: here only | they are registered |
//! | 50 | `“`, `’`, `–`, `（`, zero-width characters: here they end it | they stand around URIs more often than in them |
//! | 47 | `http://a_b.example/`: here only | a name may have a `_` (RFC 3986 section 3.2.2) |
//! | 1 | `http://a%40b@c/`: there it ends before the `%` | a userinfo may have escapes |
//! | 1 | `p://www…`: there only | a scheme has two letters |
//!
//! Without any `:` a text passes at the speed of reading it: 6.1 GB/s on one core of an x86_64 server with AVX-512, nearly all of it the copy from
//! the page cache. Markdown with a URI in 309 bytes and a `:` in 83 passes at 1.15 GB/s, verdicts included (linkify: 1.3 GB/s in memory, without
//! verdicts): what bounds it is the way byte by byte through each URI to its right edge.
//!
//! Left to the writers of texts: `www.example.com` and relative references, which no scheme tells; `http:\/\/` in JSON strings, whose format is
//! `jsonl`; a URI that goes on in the next line.

use std::io;
use std::sync::Arc;

use crate::corpus::format::lines::chunk_lines::ChunkLines;
use crate::corpus::format::lines::fields::FieldSink;
use crate::corpus::format::lines::line::{Field, Line};
use crate::corpus::format::lines::log_format::{Entry, LogFormat};
use crate::corpus::format::lines::options::FieldSelector;
use crate::corpus::format::lines::unescape::{APOSTROPHES, Escapes};
use crate::grammar::Grammar;
use crate::work::{looked_at, memchr, memchr_iter, memrchr};

pub(crate) const ENTRY: Entry = Entry {
    about: "any text: the absolute URIs in prose, Markdown, HTML, XML or source code, several a line",
    fields: "URIs only",
    sentinels: "",
    select: |options| match options.field {
        FieldSelector::Uri => Some(Arc::new(FreeText { is_markup: false })),
        _ => None,
    },
};

#[derive(Clone, Copy, Debug)]
pub(crate) struct FreeText {
    /// Whether the text is XML or HTML.
    is_markup: bool,
}

/// What stands behind the colon of a registered scheme without `//`.
type TextLine = fn(&[u8]) -> bool;

/// Schemes without `//`, and how to tell a URI from a word with a colon behind it.
const OPAQUE: [(&[u8], TextLine); 21] = [
    (b"mailto", has_at),
    // A namespace and another colon.
    (b"urn", |rest| memchr(b':', rest).is_some_and(|at| at > 1 && at + 1 < rest.len())),
    // A media type, if any, and a comma.
    (b"data", |rest| memchr(b',', rest).is_some()),
    (b"tel", starts_as_number),
    (b"sms", starts_as_number),
    (b"geo", |rest| starts_as_number(rest) && memchr(b',', rest).is_some()),
    (b"sip", has_at),
    (b"sips", has_at),
    (b"xmpp", has_at),
    (b"im", has_at),
    (b"pres", has_at),
    (b"acct", has_at),
    // Parts of a message, and messages.
    (b"cid", has_at),
    (b"mid", has_at),
    (b"news", has_at),
    (b"magnet", |rest| rest.starts_with(b"?")),
    // RFC 4151: an authority, a comma, a date, a colon.
    (b"tag", |rest| memchr(b',', rest).is_some_and(|at| memchr(b':', &rest[at..]).is_some())),
    (b"doi", |rest| rest.starts_with(b"10.")),
    // A method and another colon.
    (b"did", |rest| memchr(b':', rest).is_some_and(|at| at > 0 && at + 1 < rest.len())),
    // The number of whoever assigns names.
    (b"ark", |rest| {
        starts_as_number(rest.strip_prefix(b"/").unwrap_or(rest)) && memchr(b'/', &rest[1..]).is_some()
    }),
    // A version.
    (b"swh", |rest| rest.starts_with(b"1:")),
];

/// How far behind its colon a URI without `//` has what tells it, in bytes.
const NEAR: usize = 256;

fn has_at(rest: &[u8]) -> bool {
    memchr(b'@', rest).is_some()
}

fn starts_as_number(rest: &[u8]) -> bool {
    let digits = rest.strip_prefix(b"+").or(rest.strip_prefix(b"-")).unwrap_or(rest);
    digits.first().is_some_and(u8::is_ascii_digit)
}

/// The schemes that are told from what is glued to them.
const COMMON: [&[u8]; 6] = [b"http", b"https", b"ftp", b"ftps", b"ws", b"wss"];

fn is_common(scheme: &[u8]) -> bool {
    COMMON.iter().any(|common| scheme.eq_ignore_ascii_case(common))
}

/// A URI in a text: where it lies, and how it is written.
#[derive(Debug, PartialEq, Eq)]
struct TextUri {
    start: usize,
    end: usize,
    escapes: Escapes,
}

impl FreeText {
    /// Whether there is a URI in a text.
    pub(crate) fn has_uri(text: &[u8]) -> bool {
        FreeText { is_markup: false }.uris(text).next().is_some()
    }

    /// The URI whose scheme ends with the colon at `colon`, if that is what it is. Nothing before `from` is looked at.
    fn uri_at(self, text: &[u8], from: usize, colon: usize) -> Option<TextUri> {
        let behind = &text[colon + 1..];
        let has_slashes = behind.starts_with(b"//");
        let last = *text[from..colon].last()?;
        if !last.is_ascii_alphanumeric() || (!has_slashes && !may_end_opaque(last)) {
            return None;
        }
        let start = scheme_start(&text[from..colon]).map(|at| from + at)?;
        let scheme = &text[start..colon];
        let shape = if has_slashes {
            None
        } else {
            Some(OPAQUE.iter().find(|(name, _)| scheme.eq_ignore_ascii_case(name))?.1)
        };
        let before = text[from..start].last().copied();
        let is_attribute =
            matches!(before, Some(b'"' | b'\'')) && without_space(&text[from..start - 1]).ends_with(b"=");
        let ends_quoted = |entity: &&[u8]| text[from..start].ends_with(entity);
        let edge = Edge {
            is_markup: self.is_markup || is_attribute,
            is_quoted: before == Some(b'\''),
            is_quoted_by_entity: before == Some(b';') && APOSTROPHES.iter().any(ends_quoted),
        };
        let rest_start = colon + if has_slashes { 3 } else { 1 };
        // What tells such a URI stands near: looking further at each of many words would take quadratic time.
        let near = &text[rest_start..text.len().min(rest_start + NEAR)];
        if shape.is_some_and(|shape| !shape(near)) {
            return None;
        }
        let end = edge.end(text, rest_start);
        if end == rest_start || shape.is_some_and(|shape| !shape(&text[rest_start..end])) {
            return None;
        }
        let has_entities = edge.is_markup && memchr(b'&', &text[rest_start..end]).is_some();
        Some(TextUri { start, end, escapes: if has_entities { Escapes::Markup } else { Escapes::None } })
    }

    /// The URIs of a text, in order.
    fn uris(self, text: &[u8]) -> impl Iterator<Item = TextUri> {
        let mut from = 0;
        memchr_iter(b':', text).filter_map(move |colon| {
            let found = if colon < from { None } else { self.uri_at(text, from, colon) };
            // What was looked at is not looked at again.
            from = found.as_ref().map_or(from.max(colon + 1), |found| found.end);
            found
        })
    }

    /// Lets `sink` take the URIs of whole lines that start at `base` of the chunk and at line `number` of it.
    fn take(self, text: &[u8], base: usize, number: &mut u32, sink: &mut FieldSink<'_>) {
        let mut line_start = 0;
        // Where the last URI ends, in the line that starts there. Nothing before it is looked at again: a line may hold very many.
        let mut passed = 0;
        for TextUri { start, end, escapes } in self.uris(text) {
            let between = &text[passed..start];
            if let Some(at) = memrchr(b'\n', between) {
                *number += memchr_iter(b'\n', between).count() as u32;
                line_start = passed + at + 1;
            }
            let field = Field { range: start - line_start..end - line_start, tail: 0..0, escapes };
            sink.take(Line::Record(field), &text[line_start..end], base + line_start, *number);
            passed = end;
        }
        *number += memchr_iter(b'\n', &text[passed..]).count() as u32;
    }
}

/// Whether this is the last letter of a scheme that needs no slashes.
fn may_end_opaque(last: u8) -> bool {
    matches!(
        last.to_ascii_lowercase(),
        b'a' | b'd' | b'g' | b'h' | b'i' | b'k' | b'l' | b'm' | b'n' | b'o' | b'p' | b's' | b't'
    )
}

/// Where the scheme starts that `text` ends with.
fn scheme_start(text: &[u8]) -> Option<usize> {
    let is_scheme = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let run = text.len() - text.iter().rev().take_while(is_scheme).count();
    looked_at(text.len() - run);
    let start = run + text[run..].iter().position(u8::is_ascii_alphabetic)?;
    let scheme = &text[start..];
    let glued = scheme.iter().rposition(|byte| b"-.".contains(byte)).map(|at| at + 1);
    let is_known =
        |scheme: &[u8]| is_common(scheme) || OPAQUE.iter().any(|(name, _)| scheme.eq_ignore_ascii_case(name));
    let start = glued.filter(|&at| is_known(&scheme[at..])).map_or(start, |at| start + at);
    (text.len() - start >= 2).then_some(start)
}

/// What the end of a URI depends on.
#[derive(Clone, Copy)]
struct Edge {
    is_markup: bool,
    /// Whether a single quote stands before it.
    is_quoted: bool,
    /// Whether the entity of one does.
    is_quoted_by_entity: bool,
}

/// Entities that end a URI.
const ENDS: [&[u8]; 8] = [b"&quot;", b"&lt;", b"&gt;", b"&nbsp;", b"&#34;", b"&#60;", b"&#62;", b"&#x22;"];

impl Edge {
    /// Where a URI ends whose scheme, and slashes, end at `start`; `start` if there is nothing left of it.
    fn end(self, text: &[u8], start: usize) -> usize {
        let (mut at, mut end) = (start, start);
        let (mut round, mut square, mut curly) = (0_usize, 0_usize, 0_usize);
        while let Some(&byte) = text.get(at) {
            let (opened, is_open) = match byte {
                b'(' => (&mut round, true),
                b')' => (&mut round, false),
                b'[' => (&mut square, true),
                b']' => (&mut square, false),
                b'{' => (&mut curly, true),
                b'}' => (&mut curly, false),
                0..=b' ' | 0x7F | b'<' | b'>' | b'"' | b'`' | b'|' | b'\\' => break,
                b'\'' if self.is_quoted => break,
                b'.' | b',' | b':' | b';' | b'!' | b'?' | b'*' | b'\'' => {
                    at += 1;
                    continue;
                }
                b'&' if self.is_markup
                    && ENDS.iter().any(|entity| starts_with_ignoring_case(&text[at..], entity)) =>
                {
                    break;
                }
                b'&' if self.is_markup => {
                    let is_apostrophe = APOSTROPHES.iter().any(|entity| text[at..].starts_with(entity));
                    if is_apostrophe && self.is_quoted_by_entity {
                        break;
                    }
                    at += Escapes::Markup.step_len(&text[at..]);
                    if !is_apostrophe {
                        end = at;
                    }
                    continue;
                }
                0x80.. => match char_len(&text[at..]) {
                    Some(len) => {
                        at += len;
                        end = at;
                        continue;
                    }
                    None => break,
                },
                _ => {
                    at += 1;
                    end = at;
                    continue;
                }
            };
            if is_open {
                *opened += 1;
            } else if *opened == 0 {
                break;
            } else {
                *opened -= 1;
                end = at + 1;
            }
            at += 1;
        }
        looked_at(at + 1 - start);
        end
    }
}

/// A text without the white space at its end.
fn without_space(text: &[u8]) -> &[u8] {
    let rest = text.trim_ascii_end();
    looked_at(text.len() - rest.len());
    rest
}

fn starts_with_ignoring_case(text: &[u8], start: &[u8]) -> bool {
    text.get(..start.len()).is_some_and(|text| text.eq_ignore_ascii_case(start))
}

/// How many bytes the character has that a text starts with, or none if it ends a URI. A byte that starts none is one of its own.
fn char_len(text: &[u8]) -> Option<usize> {
    let len = match text[0] {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        // No character of four bytes ends one: its bytes are passed one by one.
        _ => return Some(1),
    };
    let Some(bytes) = text.get(..len) else { return Some(1) };
    // A copy: the bytes of a mapped file may change between a look at them and the next one.
    let mut copy = [0; 3];
    copy[..len].copy_from_slice(bytes);
    let Some(char) = str::from_utf8(&copy[..len]).ok().and_then(|text| text.chars().next()) else {
        return Some(1);
    };
    let ends = char.is_whitespace()
        || char.is_control()
        || matches!(char, '\u{AB}' | '\u{BB}' | '\u{2000}'..='\u{206F}' | '\u{3000}'..='\u{303F}' | '\u{FE10}'..='\u{FE6F}' | '\u{FEFF}')
        || matches!(char, '\u{FF01}'..='\u{FF0F}' | '\u{FF1A}'..='\u{FF20}' | '\u{FF3B}'..='\u{FF40}' | '\u{FF5B}'..='\u{FF65}');
    (!ends).then_some(len)
}

impl LogFormat for FreeText {
    fn grammar(&self) -> Grammar {
        Grammar::Uri
    }

    fn needs_head(&self) -> bool {
        // By the first lines it is known whether it is markup.
        true
    }

    fn start(&self, head: &[u8]) -> Option<Arc<dyn LogFormat>> {
        let is_markup = head.trim_ascii_start().starts_with(b"<");
        is_markup.then(|| Arc::new(FreeText { is_markup }) as Arc<dyn LogFormat>)
    }

    fn follow(&self, _chunk: &ChunkLines<'_>) -> io::Result<Option<Arc<dyn LogFormat>>> {
        Ok(None)
    }

    fn extract(&self, chunk: &ChunkLines<'_>, sink: &mut FieldSink<'_>) {
        sink.set_several_a_line();
        if let Some(line) = chunk.long_line {
            return sink.take_long(line.length);
        }
        let text = chunk.text();
        let mut number = 0;
        if text.len() <= chunk.max_record {
            self.take(text, chunk.mark, &mut number, sink);
        } else {
            for (start, line) in chunk.iter() {
                if line.len() <= chunk.max_record {
                    self.take(line, start, &mut number, sink);
                } else {
                    sink.take(
                        Line::Malformed(crate::corpus::format::lines::line::Malformed::TooLong),
                        line,
                        start,
                        number,
                    );
                }
                number += 1;
            }
            return sink.set_lines(number.into());
        }
        let has_last = !text.is_empty() && !text.ends_with(b"\n");
        sink.set_lines(u64::from(number) + u64::from(has_last));
    }

    /// Everything is a text.
    fn fitting_lines(&self, _head: &[u8], _: usize) -> usize {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uris(text: &str) -> Vec<String> {
        let bytes = text.as_bytes();
        let is_markup = text.trim_start().starts_with('<');
        let written = |found: TextUri| {
            let mut out = Vec::new();
            found.escapes.write(&bytes[found.start..found.end], &mut out);
            String::from_utf8(out).unwrap()
        };
        FreeText { is_markup }.uris(bytes).map(written).collect()
    }

    #[test]
    fn uris_end_where_people_expect() {
        for (text, expected) in [
            ("see http://a.example/b.", &["http://a.example/b"][..]),
            ("(http://a.example/b), http://c.example/d!", &["http://a.example/b", "http://c.example/d"]),
            (
                "http://a.example/b_(c) (http://a.example/b_(c))",
                &["http://a.example/b_(c)", "http://a.example/b_(c)"],
            ),
            (
                "[x](http://a.example/b) [y](<http://a.example/c>)",
                &["http://a.example/b", "http://a.example/c"],
            ),
            ("[x]: http://a.example/?a=b&c=d;e \"title\"", &["http://a.example/?a=b&c=d;e"]),
            (
                "`http://a.example/` **http://b.example/** 'http://c.example/'x",
                &["http://a.example/", "http://b.example/", "http://c.example/"],
            ),
            ("it's http://a.example/it's.", &["http://a.example/it's"]),
            ("\"http://a.example/\\n\" https://b.example/|x", &["http://a.example/", "https://b.example/"]),
            ("http://a.example/?", &["http://a.example/"]),
            ("http://[::1]:80/x] http://a.example/{id}}", &["http://[::1]:80/x", "http://a.example/{id}"]),
            (
                "http://a.example/é, “http://b.example/” http://c.example/、http://d.example/。",
                &["http://a.example/é", "http://b.example/", "http://c.example/", "http://d.example/"],
            ),
            ("日本http://a.example/です", &["http://a.example/です"]),
            (
                "see.http://a.example/ 1http://b.example/ -http://c.example/ git+ssh://d.example/x",
                &["http://a.example/", "http://b.example/", "http://c.example/", "git+ssh://d.example/x"],
            ),
            (
                "http://a.example/http://b.example/ http://c.example:80/",
                &["http://a.example/http://b.example/", "http://c.example:80/"],
            ),
            ("http:// http://. http://) C://x std::io a:b ://x :http://", &[]),
            ("file:///etc/hosts", &["file:///etc/hosts"]),
        ] {
            assert_eq!(uris(text), expected, "{text}");
        }
    }

    #[test]
    fn schemes_without_slashes_have_their_shapes() {
        for (text, expected) in [
            ("<mailto:a@example.com>, mailto:nobody", &["mailto:a@example.com"][..]),
            ("urn:isbn:0451450523. urn:x urn::y", &["urn:isbn:0451450523"]),
            ("data:text/plain;base64,AAAA= data: x data:x", &["data:text/plain;base64,AAAA="]),
            ("tel:+1-201-555-0123; hotel:12 tel:x", &["tel:+1-201-555-0123"]),
            ("Tag:example.com,2026:x tag:x", &["Tag:example.com,2026:x"]),
            ("magnet:?xt=urn:btih:c12 geo:48.2,16.3", &["magnet:?xt=urn:btih:c12", "geo:48.2,16.3"]),
            ("href=mailto:a@example.com", &["mailto:a@example.com"]),
            ("doi:10.1000/182, doi:x doi: 10.1", &["doi:10.1000/182"]),
            ("did:example:123#key did:x did::x", &["did:example:123#key"]),
            ("ark:/12148/btv1b8449691v ark:12148/b ark: ark:1", &["ark:/12148/btv1b8449691v", "ark:12148/b"]),
            ("swh:1:cnt:94a9 swh:x cid:a@b.example mid:x", &["swh:1:cnt:94a9", "cid:a@b.example"]),
            (
                "acct:a@example.com news:x@y.example Im:a@example.com",
                &["acct:a@example.com", "news:x@y.example", "Im:a@example.com"],
            ),
        ] {
            assert_eq!(uris(text), expected, "{text}");
        }
    }

    #[test]
    fn schemes_without_slashes_are_registered() {
        for (name, _) in OPAQUE {
            assert!(crate::registry::is_registered(name) && may_end_opaque(name[name.len() - 1]), "{name:?}");
        }
    }

    #[test]
    fn markup_is_unescaped() {
        for (text, expected) in [
            ("<a href=\"http://a.example/?a=1&amp;b=2&#38;c\">", &["http://a.example/?a=1&b=2&c"][..]),
            (
                "<loc>http://a.example/?a&amp;b</loc><![CDATA[http://b.example/]]>",
                &["http://a.example/?a&b", "http://b.example/"],
            ),
            (
                "<p>&quot;http://a.example/&quot; &lt;http://b.example/&gt;",
                &["http://a.example/", "http://b.example/"],
            ),
            ("<a href='http://a.example/?a=b&c=d'>", &["http://a.example/?a=b&c=d"]),
            ("<loc>http://a.example/O&apos;Reilly/it&#39;s&#x27;</loc>", &["http://a.example/O'Reilly/it's"]),
            (
                "<p>&#39;http://a.example/it&#39;s <a href='http://b.example/it&apos;s'>",
                &["http://a.example/it", "http://b.example/it's"],
            ),
            // Not in markup, unless in an attribute.
            ("http://a.example/?a&amp;b", &["http://a.example/?a&amp;b"]),
            ("text <a href=\"http://a.example/?a&amp;b\">", &["http://a.example/?a&b"]),
        ] {
            assert_eq!(uris(text), expected, "{text}");
        }
    }

    /// Long texts of what has no end take no longer than their length.
    #[test]
    fn bad_texts_end() {
        for part in [
            "a:",
            "http://",
            "http://(",
            "http://.",
            "mailto:",
            "urn:a",
            "::",
            "a.http",
            "http://a.example/([",
        ] {
            let text = part.repeat(20_000);
            assert!(uris(&text).len() <= 20_000);
        }
    }
}
