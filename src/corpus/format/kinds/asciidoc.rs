//! AsciiDoc documents: the targets of their links and images.
//!
//! | text | record |
//! |---|---|
//! | `https://a.example/b`, `<https://a.example/b>` | the URI |
//! | `https://a.example/b[text]` | `https://a.example/b` |
//! | `link:b.adoc[text]`, `mailto:a@b.example[text]` | `b.adoc`, `mailto:a@b.example` |
//! | `link:++https://a.example/b c++[text]` | `https://a.example/b c`, which is broken |
//! | `image:a.png[alt]`, `image::a.png[]`, `video::a.mp4[]`, `audio::a.ogg[]` | the target |
//! | `link:{url}/b[text]`, `https://{host}/` | a sentinel: attributes are known only when the document is converted |
//!
//! Comments and the blocks of listings, literal text and passthroughs have no records. `\https://a.example`
//! is no link. `xref:` and `<<…>>` name places in documents, and `include::` a file; they are no URIs.
//!
//! [The language](https://docs.asciidoctor.org/asciidoc/latest/) allows no white space in the target of `link:`; such a target is reported.

use std::ops::Range;

use super::light_markup::{Block, LightMarkup, LineLink};
use super::text::{Finder, Syntax, TextUri};
use crate::corpus::format::lines::entry::{Entry, FieldChoice};
use crate::corpus::format::lines::unescape::Escapes;
use crate::work::{looked_at, memchr, memchr_iter, memchr2, memmem, position};

pub(crate) const ENTRY: Entry = Entry {
    about: "AsciiDoc: the targets of links and images",
    sentinels: "",
    fields: FieldChoice::None("links and images only", LightMarkup::<AsciidocBlock>::boxed),
    #[cfg(test)]
    example: ["= Title\n\n", "link:", "[x]\n"],
};

/// The block that is open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum AsciidocBlock {
    #[default]
    Text,
    /// After a line that makes the next paragraph or block a listing: `[source]`.
    Style,
    /// In a listing that is a paragraph.
    Paragraph,
    /// In a block that ends with a line of `len` bytes `byte`.
    Verbatim { byte: u8, len: usize },
}

/// Returns the byte and the length of a line that delimits a block without links.
fn fence(line: &[u8]) -> Option<(u8, usize)> {
    let &byte = line.first()?;
    let least = match byte {
        b'-' | b'.' | b'+' | b'/' => 4,
        b'`' => 3,
        _ => return None,
    };
    let len = line.iter().take_while(|&&next| next == byte).count();
    looked_at(len);
    let rest = &line[len..];
    // After the backticks, the language can follow.
    (len >= least && (rest.is_empty() || byte == b'`' && !rest.contains(&b'`'))).then_some((byte, len))
}

/// Returns true if a line makes the next paragraph or block a listing.
fn is_style(line: &[u8]) -> bool {
    const STYLES: [&[u8]; 4] = [b"source", b"listing", b"literal", b"stem"];

    let inner = line.strip_prefix(b"[").and_then(|line| line.strip_suffix(b"]"));
    inner.is_some_and(|inner| {
        STYLES.iter().any(|style| {
            let rest = inner.strip_prefix(*style);
            rest.is_some_and(|rest| rest.first().is_none_or(|byte| b",%#.".contains(byte)))
        })
    })
}

impl Block for AsciidocBlock {
    fn pass(&mut self, line: &[u8]) -> bool {
        let line = line.trim_ascii_end();
        match self {
            AsciidocBlock::Verbatim { byte, len } => {
                if fence(line).is_some_and(|fence| fence == (*byte, *len)) && line.len() == *len {
                    *self = AsciidocBlock::Text;
                }
                return false;
            }
            AsciidocBlock::Paragraph => {
                if line.is_empty() {
                    *self = AsciidocBlock::Text;
                }
                return false;
            }
            AsciidocBlock::Text | AsciidocBlock::Style => {}
        }
        if let Some((byte, len)) = fence(line) {
            *self = AsciidocBlock::Verbatim { byte, len };
            return false;
        }
        if is_style(line) {
            *self = AsciidocBlock::Style;
            return false;
        }
        if *self == AsciidocBlock::Style && !line.is_empty() {
            // A title or other attributes of the block can follow.
            if line.starts_with(b"[") || line.starts_with(b".") {
                return true;
            }
            *self = if line == b"--" { AsciidocBlock::Text } else { AsciidocBlock::Paragraph };
            return false;
        }
        !line.starts_with(b"//")
    }

    fn links(line: &[u8], found: &mut Vec<LineLink>) {
        let mut finder = Finder::new(Syntax::ASCIIDOC);
        let mut next = finder.next(line);
        let mut passed = 0;
        let mut marks = Marks::default();
        for colon in memchr_iter(b':', line) {
            if colon < passed {
                continue;
            }
            let link = macro_target(line, passed, colon, &mut marks).map(|Macro { target, is_image }| {
                LineLink { range: target, escapes: Escapes::None, is_image }
            });
            // URIs that start before the name of a macro.
            let name = link.as_ref().map_or(colon, |link| link.range.start);
            while let Some(TextUri { start, end, escapes }) = next.take_if(|uri| uri.start < name) {
                if start >= passed && !line[..start].ends_with(b"\\") {
                    push(line, LineLink::link(start..end, escapes), found);
                    passed = end;
                }
                next = finder.next(line);
            }
            if let Some(link) = link.filter(|link| link.range.start >= passed) {
                passed = link.range.end + 1;
                push(line, link, found);
            }
        }
        while let Some(TextUri { start, end, escapes }) = next {
            if start >= passed && !line[..start].ends_with(b"\\") {
                push(line, LineLink::link(start..end, escapes), found);
                passed = end;
            }
            next = finder.next(line);
        }
    }

    fn is_document(head: &[u8]) -> bool {
        let mut lines = head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end);
        looked_at(head.len());
        let Some(first) = lines.find(|line| !line.is_empty() && !line.starts_with(b"//")) else {
            return false;
        };
        let is_title = first.strip_prefix(b"= ").is_some_and(|title| !title.trim_ascii().is_empty());
        let is_typical = |line: &[u8]| {
            fence(line).is_some()
                || is_style(line)
                || is_attribute(line)
                || line.starts_with(b"== ")
                || has_macro(line)
                || memmem::find(line, b"://").is_some_and(|at| memchr(b'[', &line[at..]).is_some())
        };
        is_title && lines.any(is_typical)
    }
}

/// Keeps a link. A target with a reference to an attribute is not known.
fn push(line: &[u8], link: LineLink, found: &mut Vec<LineLink>) {
    let is_known = !has_attribute(&line[link.range.clone()]);
    found.push(if is_known { link } else { LineLink { range: 0..0, ..link } });
}

/// Returns true if a text has a reference to an attribute: `{name}`.
fn has_attribute(text: &[u8]) -> bool {
    memchr_iter(b'{', text).any(|open| {
        let name = &text[open + 1..];
        let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-:".contains(byte);
        let len = position(name, |byte| !is_letter(byte)).unwrap_or(name.len());
        len > 0 && name.get(len) == Some(&b'}')
    })
}

/// Returns true if a line sets an attribute of the document: `:name: value`.
fn is_attribute(line: &[u8]) -> bool {
    let name = line.strip_prefix(b":").and_then(|rest| Some(&rest[..memchr(b':', rest)?]));
    name.is_some_and(|name| {
        !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-!".contains(byte))
    })
}

/// A macro with a target: `link:b.adoc[text]`.
struct Macro {
    target: Range<usize>,
    is_image: bool,
}

fn has_macro(line: &[u8]) -> bool {
    let mut marks = Marks::default();
    memchr_iter(b':', line).any(|colon| macro_target(line, 0, colon, &mut marks).is_some())
}

/// The next marks of macros in a line. A search that found a mark is repeated only after the mark, so all
/// searches in a line take linear time.
#[derive(Default)]
struct Marks {
    opening: Option<usize>,
    closing: Option<usize>,
    passthrough: Option<usize>,
    space: Option<usize>,
}

/// Returns the first mark at or after byte `from`, or the line's length. `known` is the last result.
fn mark(
    known: &mut Option<usize>,
    line: &[u8],
    from: usize,
    find: impl FnOnce(&[u8]) -> Option<usize>,
) -> usize {
    match *known {
        Some(known) if known >= from => known,
        _ => *known.insert(find(&line[from..]).map_or(line.len(), |found| from + found)),
    }
}

/// Returns the macro whose name ends with the colon at `colon`. The name starts at or after byte `from`.
fn macro_target(line: &[u8], from: usize, colon: usize, marks: &mut Marks) -> Option<Macro> {
    /// The longest target with white space, in bytes. A longer one is more likely a sentence.
    const LONGEST: usize = 512;

    let letters = line[from..colon].iter().rev().take_while(|byte| byte.is_ascii_lowercase()).take(7).count();
    let name = &line[colon - letters..colon];
    let before = &line[..colon - letters];
    if before.last().is_some_and(|byte| byte.is_ascii_alphanumeric() || b"\\_-".contains(byte)) {
        return None;
    }
    let is_block = line.get(colon + 1) == Some(&b':');
    let start = colon + 1 + usize::from(is_block);
    let (is_image, is_mailto) = match name {
        b"link" if !is_block => (false, false),
        b"mailto" if !is_block => (false, true),
        b"image" => (true, false),
        b"video" | b"audio" if is_block && before.is_empty() => (false, false),
        _ => return None,
    };
    if line[start..].starts_with(b"++") && name == b"link" {
        let end = mark(&mut marks.passthrough, line, start + 2, |text| memmem::find(text, b"++["));
        return (end < line.len()).then_some(Macro { target: start + 2..end, is_image });
    }
    let end = mark(&mut marks.opening, line, start, |text| memchr(b'[', text));
    if end == line.len() || mark(&mut marks.closing, line, end, |text| memchr(b']', text)) == line.len() {
        return None;
    }
    let target = &line[start..end];
    let space = mark(&mut marks.space, line, start, |text| memchr2(b' ', b'\t', text));
    let is_target = target.first().is_some_and(|byte| *byte != b':')
        && space > start
        && (space >= end || target.len() <= LONGEST && !target.ends_with(b" "));
    // An address without a text is found as a URI.
    let start = if is_mailto { colon - letters } else { start };
    is_target.then_some(Macro { target: start..end, is_image })
}

#[cfg(test)]
mod tests {
    use crate::corpus::Format;
    use crate::corpus::format::tests::{case, texts};

    #[test]
    fn links_and_images_have_targets() {
        for (text, expected) in [
            (
                "https://a.example[] https://a.example/b[a text].",
                &["https://a.example", "https://a.example/b"][..],
            ),
            ("link:b/c.adoc[x] and link:d.html#e[y]", &["b/c.adoc", "d.html#e"]),
            (
                "footnote:[see https://a.example/b] image::https://a.example/c.png[x]",
                &["https://a.example/b", "https://a.example/c.png"],
            ),
            ("image:a b.png[x, link=https://a.example/]", &["a b.png", "https://a.example/"]),
            (
                "https://a.example/b,c[text^,role=x] https://a.example/d|e[x]",
                &["https://a.example/b,c", "https://a.example/d|e"],
            ),
            (
                "link:https://a.example/a%20b[x] link:++https://a.example/a b++[y]",
                &["https://a.example/a%20b", "https://a.example/a b"],
            ),
            (
                "See https://a.example/A_(B). <https://a.example/c|d>",
                &["https://a.example/A_(B)", "https://a.example/c|d"],
            ),
            (
                ":url: https://a.example/b\nmailto:a@b.example[Write] to c",
                &["https://a.example/b", "mailto:a@b.example"],
            ),
            ("\\https://a.example xref:b.adoc[c] <<d>> include::e.adoc[] note: f [g]", &[]),
            ("link: f [g]", &[]),
            (
                "// https://a.example\n\n----\nhttps://b.example\n----\nhttps://c.example",
                &["https://c.example"],
            ),
            (
                "[source,sh]\ncurl https://a.example\n\n[source]\n.Title\n----\nhttps://b.example\n----\nhttps://c.example",
                &["https://c.example"],
            ),
            ("////\nhttps://a.example\n////\n....\nhttps://b.example\n\n....\n++++\n<a href=x>\n++++\n", &[]),
            ("====\nhttps://a.example/b c\n====", &["https://a.example/b"]),
        ] {
            assert_eq!(texts(&case(Format::Asciidoc).run(text)), expected, "{text}");
        }
        let found = case(Format::Asciidoc)
            .run("{url}/x[foo] link:{url}/y[z] https://{host}/a[b] https://a.example/{a b}");
        assert_eq!((texts(&found), found.sentinels), (vec!["https://a.example/{a"], 2));
    }

    #[test]
    fn a_title_and_typical_lines_are_asciidoc() {
        for (text, format) in [
            ("= Title\n:toc:\n\nText.\n", Format::Asciidoc),
            ("// comment\n= Title\n\nSee https://a.example/b[text].\n", Format::Asciidoc),
            ("= Title\n\nText.\n", Format::Lines),
            ("https://a.example/\n= Title\n:toc:\n", Format::Lines),
        ] {
            assert_eq!(Format::detect(text.as_bytes()), format, "{text}");
        }
    }
}
