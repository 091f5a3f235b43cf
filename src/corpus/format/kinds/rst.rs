//! Documents in reStructuredText: the targets of their links and images.
//!
//! | text | record |
//! |---|---|
//! | `https://a.example/b`, `<https://a.example/b>` | the URI |
//! | `` `text <https://a.example/b>`_ ``, also with `__` | `https://a.example/b` |
//! | `.. _name: https://a.example/b`, `__ https://a.example/b` | `https://a.example/b` |
//! | `.. image:: a.png`, `.. figure::`, `.. \|name\| image::` | `a.png` |
//! | `:target: b.html`, `:alt:` and others | `b.html` of `:target:` |
//!
//! Backslash escapes are undone. Literals (` ``code`` `), literal blocks, comments and the content of
//! directives for code have no records. Roles (`` :doc:`a` ``) and references to names (`` `text <name_>`_
//! ``, `.. _a: b_`) are no URIs.
//!
//! [The specification](https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html) removes white space from the targets of links; a target
//! with white space is reported nonetheless, since the text that was meant is seldom the text without it.

use std::ops::Range;

use super::light_markup::{Block, LightMarkup, LineLink};
use super::text::{Finder, Syntax};
use crate::corpus::format::lines::entry::{Entry, FieldChoice};
use crate::corpus::format::lines::unescape::Escapes;
use crate::work::{looked_at, memchr, memmem, memrchr, position};

pub(crate) const ENTRY: Entry = Entry {
    about: "reStructuredText: the targets of links and images",
    sentinels: "",
    fields: FieldChoice::None("links and images only", LightMarkup::<RstBlock>::boxed),
    #[cfg(test)]
    example: ["Title\n=====\n\n", ".. _x: ", "\n"],
};

/// The block that is open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum RstBlock {
    #[default]
    Text,
    /// In a block without links: all lines that are indented by more than this number of spaces.
    Code(usize),
}

/// The directives whose content is no text with links.
const CODE: [&[u8]; 12] = [
    b"code",
    b"code-block",
    b"sourcecode",
    b"highlight",
    b"literalinclude",
    b"include",
    b"math",
    b"raw",
    b"doctest",
    b"testcode",
    b"productionlist",
    b"graphviz",
];

/// What follows `.. ` at the start of a line.
enum Explicit<'a> {
    /// The part of the line after the name of a target.
    Target(&'a [u8]),
    /// The name and the argument of a directive.
    Directive(&'a [u8], &'a [u8]),
    /// A footnote or a citation.
    Text,
    Comment,
}

/// Returns what a line is, if it starts with the mark of explicit markup. The line is not indented.
fn explicit(line: &[u8]) -> Option<Explicit<'_>> {
    let rest = line.strip_prefix(b"..")?;
    if !rest.first().is_none_or(u8::is_ascii_whitespace) {
        return None;
    }
    let rest = rest.trim_ascii_start();
    if let Some(target) = rest.strip_prefix(b"_") {
        return Some(after_name(target).map_or(Explicit::Comment, Explicit::Target));
    }
    if let Some(target) = rest.strip_prefix(b"__:") {
        return Some(Explicit::Target(target));
    }
    if rest.starts_with(b"[") {
        return Some(Explicit::Text);
    }
    // A substitution: a name between bars.
    let directive = match rest.strip_prefix(b"|") {
        Some(rest) => memchr(b'|', rest).map_or(rest, |bar| rest[bar + 1..].trim_ascii_start()),
        None => rest,
    };
    let name = position(directive, |byte| !byte.is_ascii_alphanumeric() && !b"-_:+.".contains(byte));
    let name = &directive[..name.unwrap_or(directive.len())];
    match name.strip_suffix(b"::") {
        Some(stem) if !stem.is_empty() => Some(Explicit::Directive(stem, &directive[name.len()..])),
        _ => Some(Explicit::Comment),
    }
}

/// Returns the text after the name of a target and its colon. A name with a colon is in backticks, or the
/// colon has a backslash.
fn after_name(target: &[u8]) -> Option<&[u8]> {
    if let Some(rest) = target.strip_prefix(b"_:") {
        return Some(rest);
    }
    if let Some(quoted) = target.strip_prefix(b"`") {
        let end = memmem::find(quoted, b"`:")?;
        return Some(&quoted[end + 2..]);
    }
    let mut from = 0;
    while let Some(found) = memchr(b':', &target[from..]) {
        let colon = from + found;
        let ends = target.get(colon + 1).is_none_or(u8::is_ascii_whitespace);
        if ends && !target[..colon].ends_with(b"\\") {
            return Some(&target[colon + 1..]);
        }
        from = colon + 1;
    }
    None
}

impl Block for RstBlock {
    fn pass(&mut self, line: &[u8]) -> bool {
        let text = line.trim_ascii();
        looked_at(line.len());
        if text.is_empty() {
            return false;
        }
        let indent = line.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if let RstBlock::Code(least) = *self {
            if indent > least {
                return false;
            }
            *self = RstBlock::Text;
        }
        match explicit(text) {
            Some(Explicit::Directive(name, _)) if CODE.contains(&name) => *self = RstBlock::Code(indent),
            Some(Explicit::Comment) => *self = RstBlock::Code(indent),
            Some(_) => return true,
            // A literal block follows.
            None if text.ends_with(b"::") => {
                *self = RstBlock::Code(indent);
                return true;
            }
            None => return !text.starts_with(b">>>"),
        }
        false
    }

    fn links(line: &[u8], found: &mut Vec<LineLink>) {
        let start = line.len() - line.trim_ascii_start().len();
        let text = line[start..].trim_ascii_end();
        // The place of a part of the text that goes to the text's end.
        let place = |part: &[u8]| {
            let part = part.trim_ascii();
            let end = start + text.len();
            end - part.len()..end
        };
        let whole = match explicit(text) {
            Some(Explicit::Target(target)) => Some((place(target), false)),
            Some(Explicit::Directive(b"image" | b"figure", argument)) => Some((place(argument), true)),
            Some(Explicit::Directive(_, argument)) => return inline(line, place(argument).start, found),
            _ => text
                .strip_prefix(b"__ ")
                .or_else(|| text.strip_prefix(b":target: "))
                .map(|target| (place(target), false)),
        };
        match whole {
            Some((range, is_image)) => {
                if !range.is_empty() && !is_name(&line[range.clone()]) {
                    let escapes = escapes(&line[range.clone()]);
                    found.push(LineLink { range, escapes, is_image });
                }
            }
            None => inline(line, start, found),
        }
    }

    fn is_document(head: &[u8]) -> bool {
        looked_at(head.len());
        let lines = || head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end);
        let is_rule = |line: &[u8]| {
            line.len() >= 3
                && b"=-~^\"'`*+#.:_".contains(&line[0])
                && line.iter().all(|byte| *byte == line[0])
        };
        let titles = lines().zip(lines().skip(1));
        let is_title = |(title, rule): (&[u8], &[u8])| {
            !title.is_empty() && !is_rule(title) && is_rule(rule) && rule.len() >= title.len()
        };
        let is_typical = |line: &[u8]| match explicit(line) {
            Some(Explicit::Target(target)) => !target.trim_ascii().is_empty() || line.starts_with(b".. _"),
            Some(Explicit::Directive(..)) => true,
            _ => memmem::find(line, b">`_").is_some(),
        };
        titles.into_iter().any(is_title) && lines().any(is_typical)
    }
}

/// Returns true if a target is the name of another target, with `_` at its end. A URI can end in `_`, too.
fn is_name(target: &[u8]) -> bool {
    let Some(name) = target.strip_suffix(b"_").filter(|name| !name.ends_with(b"\\")) else { return false };
    name.starts_with(b"`") || !name.iter().any(|byte| b":/?#".contains(byte))
}

fn escapes(raw: &[u8]) -> Escapes {
    if memchr(b'\\', raw).is_some() { Escapes::Rst } else { Escapes::None }
}

/// Finds the links in the text of a line, from byte `start` on.
fn inline(line: &[u8], start: usize, found: &mut Vec<LineLink>) {
    let mut finder = Finder::new(Syntax::default());
    let mut next = finder.next(line);
    let mut literals = Literals { at: start, last: 0..0 };
    let (mut at, mut passed) = (start, start);
    loop {
        // The next `<target>` of a link.
        let embedded = memmem::find(&line[at..], b">`_").map(|end| at + end);
        let target = embedded.and_then(|end| {
            let open = memrchr(b'<', &line[passed.max(at)..end])?;
            Some(passed.max(at) + open + 1..end)
        });
        let until = target.as_ref().map_or(line.len(), |target| target.start - 1);
        let until = if embedded.is_some() && target.is_none() { at } else { until };
        while let Some(uri) = next.take_if(|uri| uri.start < until) {
            if uri.start >= passed && !literals.contain(line, uri.start) {
                let range = uri.start..uri.end.min(until);
                passed = range.end;
                let own = escapes(&line[range.clone()]);
                let escapes = if uri.escapes == Escapes::None { own } else { uri.escapes };
                found.push(LineLink::link(range, escapes));
            }
            next = finder.next(line);
        }
        let Some(end) = embedded else { break };
        if let Some(target) = target.filter(|target| target.start >= passed) {
            let inner = line[target.clone()].trim_ascii_start();
            let range = target.end - inner.len()..target.end - (inner.len() - inner.trim_ascii_end().len());
            if !range.is_empty() && !is_name(&line[range.clone()]) && !literals.contain(line, range.start) {
                let escapes = escapes(&line[range.clone()]);
                found.push(LineLink::link(range, escapes));
            }
            passed = end;
        }
        at = end + 3;
    }
}

/// The literals of a line: the texts between pairs of backticks.
struct Literals {
    /// All literals that start before this byte are known.
    at: usize,
    last: Range<usize>,
}

impl Literals {
    /// Returns true if byte `place` is in a literal. The places of later calls are not before `place`.
    fn contain(&mut self, line: &[u8], place: usize) -> bool {
        while self.at < place {
            let Some(open) = memmem::find(&line[self.at..place], b"``") else {
                // The first backtick of a pair can stand directly before the place.
                self.at = place;
                break;
            };
            let start = self.at + open + 2;
            let len = memmem::find(&line[start..], b"``").unwrap_or(line.len() - start);
            self.last = start..start + len;
            self.at = (start + len + 2).min(line.len());
        }
        self.last.contains(&place)
    }
}

#[cfg(test)]
mod tests {
    use crate::corpus::Format;
    use crate::corpus::format::tests::{case, texts};

    #[test]
    fn links_and_images_have_targets() {
        for (text, expected) in [
            (
                "See https://a.example/b. (https://a.example/c|d)",
                &["https://a.example/b", "https://a.example/c|d"][..],
            ),
            (
                "`a <https://a.example/b>`_ and `c <d e.html>`__, `f <g_>`_",
                &["https://a.example/b", "d e.html"],
            ),
            (
                "https://a.example/ `a < b <https://a.example/c>`_ https://a.example/d",
                &["https://a.example/", "https://a.example/c", "https://a.example/d"],
            ),
            (
                ".. _a: https://a.example/b c\n.. _`d: e`: f.html\n.. _g: h_\n.. _i:\n__ https://a.example/j",
                &["https://a.example/b c", "f.html", "https://a.example/j"],
            ),
            (".. _a: https://a.example/b\\_c_\n.. __: d.html", &["https://a.example/b_c_", "d.html"]),
            (
                ".. image:: a b.png\n   :alt: https is\n   :target: c.html\n.. |d| image:: e.png",
                &["a b.png", "c.html", "e.png"],
            ),
            ("``https://a.example`` `https://b.example/`_ ``c``", &["https://b.example/"]),
            ("Like so::\n\n    curl https://a.example\n\nhttps://b.example", &["https://b.example"]),
            (
                ".. code-block:: sh\n   :x:\n\n   curl https://a.example\n\n.. note:: https://b.example/c\n   https://d.example",
                &["https://b.example/c", "https://d.example"],
            ),
            (
                ".. https://a.example is a comment\n   https://b.example\nhttps://c.example\n>>> 'https://d.example'",
                &["https://c.example"],
            ),
            (".. [1] https://a.example", &["https://a.example"]),
            (
                "- `a\n  <https://a.example/b>`_ <https://a.example/c d>",
                &["https://a.example/b", "https://a.example/c d"],
            ),
        ] {
            assert_eq!(texts(&case(Format::Rst).run(text)), expected, "{text}");
        }
    }

    #[test]
    fn titles_and_typical_lines_are_rst() {
        for (text, format) in [
            ("Title\n=====\n\n.. note:: x\n", Format::Rst),
            ("*****\nTitle\n*****\n\nSee `a <https://a.example/>`_.\n", Format::Rst),
            ("Title\n=====\n\nText.\n", Format::Lines),
            (".. note:: x\n", Format::Lines),
            ("https://a.example/\n-----\n", Format::Lines),
        ] {
            assert_eq!(Format::detect(text.as_bytes()), format, "{text}");
        }
    }
}
