//! Text of any kind: prose, Markdown, HTML, XML, source code. The records are the absolute URIs in it,
//! several per line.
//!
//! | module | does |
//! |---|---|
//! | `finder` | goes through a text, and through the string literals in it |
//! | `places` | the places of colons and of backslashes |
//! | `strings` | the string literals of lines with backslashes |
//! | `schemes` | the left edge: the schemes that show a URI, and the start of a scheme |
//! | `delimiter` | the right edge of a URI between delimiters: they decide |
//! | `counterparts` | the counterparts of delimiters that may lack them |
//! | `prose`, `openers` | the right edge of any other URI; the text before it whose counterparts end it |
//!
//! # The left edge
//!
//! A colon makes a candidate. The scheme before it takes all ASCII letters, digits, `+`, `-`, `.` and `_`
//! from a letter or digit on. Either `//` follows the colon, or `schemes` knows the scheme (`mailto`, `urn`,
//! `data`, `tel` and others) and the text after the colon has that scheme's shape: `mailto:` needs an `@`,
//! `tel:` a digit. Most other registered names are words that often precede colons in texts: `info`,
//! `example`, `about`. A scheme has at least two letters, since `C://` is a folder. The text before the
//! scheme decides the rest:
//!
//! | text | record | why |
//! |---|---|---|
//! | `see.http://a`, `1http://a`, `my_http://a` | `http://a` | other text is glued to a well-known scheme |
//! | `1abc://a`, `cache_object://a` | all of it, broken | a scheme cannot start with a digit or have a `_`; `abc` and `object` would hide that |
//! | `"1http://a"` | all of it, broken | the quote marks the start |
//! | `jdbc:mysql://a`, `view-source:https://a`, `blob:https://a`, `jar:`, `filesystem:`, `feed:` | all of it | these schemes hold a URI |
//! | `url:http://a` | `http://a` | any other word with a colon is a label |
//!
//! # The right edge
//!
//! A delimiter directly before the scheme decides: the record runs to its counterpart and is judged as a
//! whole, according to RFC 3986 appendix C. If it is broken it is reported, and if it is valid it keeps every
//! byte. Delimiters are quotes (`"`, `'`, `` ` ``, typographic ones), `<` and `>`, brackets, attributes, the
//! text of an element that starts with the URI, `<![CDATA[`, character references of quotes and angle
//! brackets, the destination of a link in Markdown, the braces of `\url` and of BibTeX, `url(` of CSS, values
//! of CEF, and targets of reStructuredText. White space before the counterpart is no part of the record. If a
//! delimiter is not closed in its line, the record ends with the line, or is prose if the delimiter is a
//! bracket or a typographic quote: white space between brackets shows prose, too.
//!
//! In running prose the word is the record:
//!
//! - White space, control characters, `<`, `>` and `"` end a URI, and so does the punctuation of Chinese and
//!   Japanese, which no white space follows.
//! - Other bytes that no URI has (`` ` ``, `|`, `\`), closing brackets without an opening one in the URI, and
//!   typographic marks end it only if the text before the URI has their counterpart, or if only punctuation
//!   follows them in the word: `(see http://a/b)c`, `| http://a | b`, `http://a/b|`. In all other places they
//!   belong to the URI, and most of them make it invalid: `http://a/b|c`.
//! - `.`, `,`, `:`, `;`, `!`, `?`, `*` and `'`, and opening brackets, do not belong to its end: `http://a/b.`
//!   is `http://a/b`.
//! - Brackets right after a URI are its text, as in AsciiDoc, if they end the word and hold no bracket:
//!   `http://a/b[text]`.
//! - In markup, `&quot;`, `&lt;`, `&gt;` and their numbers end it.
//!
//! # Escapes
//!
//! References to characters are undone in XML and HTML (a text is one of these if it starts with `<`), and in
//! attributes and elements of any text.
//!
//! A string literal of JSON or of source code is one text: its escapes are undone first, and then its URIs
//! are found, by the same rules. Otherwise `https:\/\/a` would be no URI, and `http://a/?b\u0026c` a shorter
//! one. A string can be in a string; a third one is not undone. A URI at the start of a string has the whole
//! string, unless each of its lines starts with a URI.
//!
//! Lines over the limit are skipped as a whole.
//!
//! # Compared with others
//!
//! `scripts/check-links containers` plants real URLs, whole and broken, in each of these delimiters: each
//! broken one must be reported, and each valid one found as a whole.
//!
//! docs/formats.md lists the texts in which linkify and xurls, which know only prose, find other URIs.
//! `scripts/check-links published` compares their own test cases.
//!
//! A text without `:` passes at the speed of reading it. In texts with many URIs, the search for the right
//! edge in prose takes most of the time: it goes byte by byte. Two ways lost, which took a third of the time
//! of source code each: a search by `memchr` for each colon and each backslash, which are close to each other
//! there, and the list of schemes for each word before a colon, whose last two letters mostly exclude it.
//!
//! The format does not find `www.example.com` and relative references, which have no scheme, or a URI that
//! continues in the next line.

mod counterparts;
mod delimiter;
mod finder;
mod openers;
mod places;
mod prose;
mod schemes;
mod strings;

use std::ops::Range;
use std::sync::Arc;

#[cfg(feature = "markdown")]
pub(super) use self::delimiter::link_len;
pub(super) use self::finder::{Finder, Syntax, TextUri};
use crate::corpus::format::lines::chunk_lines::ChunkLines;
use crate::corpus::format::lines::entry::{Entry, FieldChoice};
use crate::corpus::format::lines::fields::FieldSink;
use crate::corpus::format::lines::line::{Field, Line};
use crate::corpus::format::lines::log_format::{COPIES, LogFormat};
use crate::corpus::format::lines::unescape::Escapes;
use crate::grammar::Grammar;
use crate::memory::{self, OutOfMemory, Room};
use crate::work::{memchr_iter, memrchr};

pub(crate) const ENTRY: Entry = Entry {
    about: "any text: the absolute URIs in prose, Markdown, HTML, XML or source code, several a line",
    sentinels: "",
    fields: FieldChoice::None("URIs only", || Arc::new(FreeText::default())),
    #[cfg(test)]
    example: ["", "see ", ".\n"],
};

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FreeText {
    syntax: Syntax,
}

impl FreeText {
    /// Returns true if a text contains a URI.
    pub(crate) fn has_uri(text: &[u8]) -> bool {
        FreeText::default().uris(text).next().is_some()
    }

    /// Returns the URIs of a text, in order.
    fn uris(self, text: &[u8]) -> impl Iterator<Item = TextUri> {
        let mut finder = Finder::new(self.syntax);
        std::iter::from_fn(move || finder.next(text))
    }

    /// Passes the URIs of whole lines to `sink`. The lines start at `base` of the chunk, and at its line
    /// `number`.
    fn take(self, text: &[u8], base: usize, number: &mut u32, sink: &mut FieldSink<'_>) {
        let mut line_start = 0;
        // The end of the last URI, in the line that starts at `line_start`. Bytes before it are not read
        // again, since a line can hold very many URIs.
        let mut passed = 0;
        for TextUri { start, end, escapes } in self.uris(text) {
            let between = &text[passed..start];
            if let Some(at) = memrchr(b'\n', between) {
                *number += memchr_iter(b'\n', between).count() as u32;
                line_start = passed + at + 1;
            }
            let field = Field { range: start - line_start..end - line_start, tail: 0..0, escapes };
            sink.begin_piece();
            sink.take(Line::Record(field), &text[line_start..end], base + line_start, *number);
            passed = end;
        }
        *number += memchr_iter(b'\n', &text[passed..]).count() as u32;
    }
}

/// Passes the place and the escapes of each URI in a text to `each`, in order.
pub(super) fn each_uri(text: &[u8], mut each: impl FnMut(Range<usize>, Escapes)) {
    for TextUri { start, end, escapes } in FreeText::default().uris(text) {
        each(start..end, escapes);
    }
}

impl LogFormat for FreeText {
    fn grammar(&self) -> Grammar {
        Grammar::Uri
    }

    fn needs_head(&self) -> bool {
        // The first lines show the kind of the text.
        true
    }

    fn start(&self, head: &[u8]) -> Option<Arc<dyn LogFormat>> {
        let syntax = Syntax::of(head);
        (syntax != Syntax::default()).then(|| Arc::new(FreeText { syntax }) as Arc<dyn LogFormat>)
    }

    fn room_for(&self, _bytes: &[u8], held: usize) -> Result<Room, OutOfMemory> {
        memory::room_for(held.saturating_mul(COPIES))
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
                    sink.begin_piece();
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

    /// Any line fits a text.
    fn fitting_lines(&self, _head: &[u8], _: usize) -> usize {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uris(text: &str) -> Vec<String> {
        let bytes = text.as_bytes();
        let syntax = Syntax::of(bytes);
        let written = |found: TextUri| {
            let mut out = Vec::new();
            found.escapes.write(&bytes[found.start..found.end], &mut out);
            String::from_utf8(out).unwrap()
        };
        FreeText { syntax }.uris(bytes).map(written).collect()
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
            (
                "see http://a.example/\\n https://b.example/|x",
                &["http://a.example/\\n", "https://b.example/|x"],
            ),
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
            // Escapes of strings before a URI.
            (
                r"visit\nhttps://a.example/ \u003chttp://b.example/\u003e \x3cgit://c.example/",
                &["https://a.example/", "http://b.example/", "git://c.example/"],
            ),
            (
                r"See:\tftp://a.example/ \tmailto:a@b.example C:\news:a@b.example",
                &["ftp://a.example/", "mailto:a@b.example", "news:a@b.example"],
            ),
            (r"\nx://a.example/ \u00http://b.example/", &["nx://a.example/", "u00http://b.example/"]),
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
    fn delimiters_decide_where_a_uri_ends() {
        for (text, expected) in [
            (
                "<a href=\"https://e.example/Annual Report.pdf\">",
                &["https://e.example/Annual Report.pdf"][..],
            ),
            (
                "see <https://e.example/x.> <URL:http://e.example/y,>",
                &["https://e.example/x.", "http://e.example/y,"],
            ),
            ("<http://bad.example/a b> <http://c.example/", &["http://bad.example/a b", "http://c.example/"]),
            (
                "\"http://a.example/b.\", 'http://a.example/c d'",
                &["http://a.example/b.", "http://a.example/c d"],
            ),
            ("`http://a.example/{x|y}.`", &["http://a.example/{x|y}."]),
            // A delimiter that is not closed ends with its line.
            ("\"http://a.example/b c \r\nhttp://d.example/", &["http://a.example/b c", "http://d.example/"]),
            ("it's 'http://a.example/ b\n'x'", &["http://a.example/ b"]),
            // Strings of JSON, and strings in strings.
            (r#"{"a":"http:\/\/a.example\/?b\u0026c\"d"}"#, &["http://a.example/?b&c\"d"]),
            (
                r#"{"a":"http://a.example/\n","b":"http://b.example/\d"}"#,
                &["http://a.example/", r"http://b.example/\d"],
            ),
            (r#""<a href=\"http://a.example/b c\">""#, &["http://a.example/b c"]),
            ("http:\\/\\/a.example", &["http://a.example"]),
            // Attributes and elements.
            (
                "<a href = ' http://a.example/b. ' x=http://c.example/d.>",
                &["http://a.example/b.", "http://c.example/d."],
            ),
            ("x=http://c.example/d. y", &["http://c.example/d"]),
            (
                "<loc>http://a.example/b c.</loc><loc> http://d.example/. </loc>",
                &["http://a.example/b c.", "http://d.example/."],
            ),
            (
                "<p>http://a.example/. See <b>that</b>: http://d.example/.<br>http://e.example/.</p>",
                &["http://a.example/", "http://d.example/", "http://e.example/"],
            ),
            ("a -> http://a.example/. >http://b.example/.", &["http://a.example/", "http://b.example/"]),
            ("<link><![CDATA[http://a.example/b c&amp;]]></link>", &["http://a.example/b c&amp;"]),
            (
                "<p>&quot;http://a.example/b c&quot; &lt;http://d.example/.&gt;",
                &["http://a.example/b c", "http://d.example/."],
            ),
            // Links of Markdown.
            (
                "[a](http://a.example/b c) [d](http://e.example/(f).)",
                &["http://a.example/b c", "http://e.example/(f)."],
            ),
            (
                "[a](http://a.example/b. \"c (d\") [e]( http://f.example/g 'h')",
                &["http://a.example/b.", "http://f.example/g"],
            ),
            (
                "[a](http://a.example/b c \"d\") [e](http://f.example/g\n)",
                &["http://a.example/b c", "http://f.example/g"],
            ),
            ("[a](<http://a.example/b c>)", &["http://a.example/b c"]),
        ] {
            assert_eq!(uris(text), expected, "{text}");
        }
    }

    #[test]
    fn the_text_before_a_scheme_decides_whether_it_belongs_to_it() {
        for (text, expected) in [
            // Broken schemes are reported, unless other text is glued to a well-known scheme.
            (
                "1abc://x.example cache_object://y.example",
                &["1abc://x.example", "cache_object://y.example"][..],
            ),
            ("1http://a.example my_https://b.example", &["http://a.example", "https://b.example"]),
            ("\"1http://a.example\" <my_https://b.example>", &["1http://a.example", "my_https://b.example"]),
            // A URI in a URI belongs to it, if the outer scheme is made to hold a URI.
            (
                "jdbc:mysql://a.example/b view-source:https://c.example/",
                &["jdbc:mysql://a.example/b", "view-source:https://c.example/"],
            ),
            (
                "blob:https://a.example/b jar:file:///c.jar!/d",
                &["blob:https://a.example/b", "jar:file:///c.jar!/d"],
            ),
            ("view-source:blob:https://a.example/b", &["view-source:blob:https://a.example/b"]),
            (
                "url:https://a.example/b feed: http://c.example/",
                &["https://a.example/b", "http://c.example/"],
            ),
        ] {
            assert_eq!(uris(text), expected, "{text}");
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
            ("<p>see http://a.example/O&apos;Reilly/it&#39;s&#x27;</p>", &["http://a.example/O'Reilly/it's"]),
            (
                "<p>&#39;http://a.example/it&#39;s <a href='http://b.example/it&apos;s'>",
                &["http://a.example/it", "http://b.example/it's"],
            ),
            // References outside of markup stay, except in an attribute.
            ("http://a.example/?a&amp;b", &["http://a.example/?a&amp;b"]),
            ("text <a href=\"http://a.example/?a&amp;b\">", &["http://a.example/?a&b"]),
        ] {
            assert_eq!(uris(text), expected, "{text}");
        }
    }

    /// Long texts without an end take linear time.
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
