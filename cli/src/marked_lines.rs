//! Lines of a document whose links are no findings, because a comment says so.
//!
//! `<!-- urivalidate-ignore -->` stands in the line itself, `<!-- urivalidate-ignore-next-line -->` in the
//! line before it, and `<!-- urivalidate-ignore-start -->` and `<!-- urivalidate-ignore-end -->` around some
//! lines. MDX also has them as `{/* urivalidate-ignore */}`. In Markdown, comments in fenced code and right
//! after a backtick show how to write one, and have no effect. A part without an end goes to the end of the
//! document. In a line that is longer than a chunk, a comment does not know the links in the chunks before.

use std::ops::Range;

use urivalidate::corpus::{Chunk, Format};
use urivalidate::work::{memchr_iter, memmem};

/// The state of a document between two chunks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MarkState {
    /// Whether a part has started and not ended.
    is_in_part: bool,
    /// Whether the line of the next byte is marked.
    is_line_marked: bool,
    /// Whether the line after it is marked.
    is_next_marked: bool,
}

impl MarkState {
    /// Returns true if a part has started and not ended.
    pub(crate) fn is_in_part(self) -> bool {
        self.is_in_part
    }

    /// Returns true if one of the next lines is marked.
    pub(crate) fn marks_lines(self) -> bool {
        self.is_in_part || self.is_line_marked || self.is_next_marked
    }

    /// Adds the marks of lines that a state before this number of line ends has.
    fn after_lines(self, before: MarkState, line_ends: usize) -> Self {
        let (is_line_marked, is_next_marked) = match line_ends {
            0 => (before.is_line_marked, before.is_next_marked),
            1 => (before.is_next_marked, false),
            _ => (false, false),
        };
        MarkState {
            is_line_marked: self.is_line_marked || is_line_marked,
            is_next_marked: self.is_next_marked || is_next_marked,
            ..self
        }
    }
}

/// The marked lines of a chunk, counted from 0 at its first line, in order.
#[derive(Debug, Default)]
pub(crate) struct MarkedLines(Vec<Range<u64>>);

/// The effect of a chunk on the state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passage {
    /// The state after the chunk, if it starts outside of a part.
    outside: MarkState,
    /// The state after the chunk, if it starts in a part.
    inside: MarkState,
    /// The number of line ends in the chunk, at most 2.
    line_ends: usize,
}

impl Passage {
    /// Returns the effect of a chunk.
    pub(crate) fn of(chunk: &Chunk<'_>) -> Self {
        Self::of_lines(chunk.bytes(), chunk.layout().format(), chunk.open_fence())
    }

    fn of_lines(bytes: &[u8], format: Format, fence: Option<(u8, usize)>) -> Self {
        let after = |is_in_part| {
            let start = MarkState { is_in_part, ..MarkState::default() };
            MarkedLines::of_lines(bytes, format, fence, start).1
        };
        Passage { outside: after(false), inside: after(true), line_ends: line_ends(bytes) }
    }

    /// Returns the state after the chunk.
    pub(crate) fn after(self, start: MarkState) -> MarkState {
        let after = if start.is_in_part { self.inside } else { self.outside };
        after.after_lines(start, self.line_ends)
    }
}

/// Returns the number of line ends, at most 2. A chunk may end within a line.
fn line_ends(bytes: &[u8]) -> usize {
    memchr_iter(b'\n', bytes).take(2).count()
}

/// Returns true if comments of this format can mark lines.
pub(crate) fn has_marks(format: Format) -> bool {
    matches!(format, Format::Html | Format::Markdown | Format::Mdx | Format::Quarto)
}

/// The text of all marks.
const MARK: &[u8] = b"urivalidate-ignore";

#[derive(Clone, Copy)]
enum Mark {
    Line,
    NextLine,
    Start,
    End,
}

impl MarkedLines {
    /// Returns the marked lines of a chunk that starts in this state, and the state after it.
    pub(crate) fn of(chunk: &Chunk<'_>, start: MarkState) -> (Self, MarkState) {
        Self::of_lines(chunk.bytes(), chunk.layout().format(), chunk.open_fence(), start)
    }

    /// Returns the marked lines of some lines. `fence` is the byte and the length of the fence whose code they
    /// continue.
    fn of_lines(
        bytes: &[u8],
        format: Format,
        mut fence: Option<(u8, usize)>,
        start: MarkState,
    ) -> (Self, MarkState) {
        let mut marked = MarkedLines::default();
        if !holds_mark(bytes) {
            if start.is_in_part {
                marked.0.push(0..u64::MAX);
            } else {
                let are_marked = [start.is_line_marked, start.is_next_marked];
                (0..)
                    .zip(are_marked)
                    .filter(|&(_, is_marked)| is_marked)
                    .for_each(|(line, _)| marked.push(line));
            }
            let after = MarkState { is_in_part: start.is_in_part, ..MarkState::default() };
            return (marked, after.after_lines(start, line_ends(bytes)));
        }
        let mut state = start;
        for (number, line) in (0..).zip(bytes.split_inclusive(|&byte| byte == b'\n')) {
            let mut is_marked = state.is_in_part || state.is_line_marked;
            let mut is_next_marked = state.is_next_marked;
            if format == Format::Html || !is_code(line, &mut fence) {
                for mark in marks(line, format) {
                    match mark {
                        Mark::Line => is_marked = true,
                        Mark::NextLine => is_next_marked = true,
                        Mark::Start => (state.is_in_part, is_marked) = (true, true),
                        Mark::End => state.is_in_part = false,
                    }
                }
            }
            (state.is_line_marked, state.is_next_marked) =
                if line.ends_with(b"\n") { (is_next_marked, false) } else { (is_marked, is_next_marked) };
            if is_marked {
                marked.push(number);
            }
        }
        (marked, state)
    }

    fn push(&mut self, number: u64) {
        match self.0.last_mut() {
            Some(last) if last.end == number => last.end += 1,
            _ => self.0.push(number..number + 1),
        }
    }

    pub(crate) fn contain(&self, line: u64) -> bool {
        let after = self.0.partition_point(|range| range.end <= line);
        self.0.get(after).is_some_and(|range| range.contains(&line))
    }
}

/// Returns true if bytes may have a mark.
pub(crate) fn holds_mark(bytes: &[u8]) -> bool {
    memmem::find(bytes, MARK).is_some()
}

/// Returns true if a line of Markdown is in fenced code, or opens or closes it. `fence` is the byte and the
/// length of the open fence.
fn is_code(line: &[u8], fence: &mut Option<(u8, usize)>) -> bool {
    let length = |text: &[u8], fence: u8| text.iter().take_while(|&&byte| byte == fence).count();
    if let Some((open, least)) = *fence {
        let text = after_quotes(line);
        let length = length(text, open);
        if length >= least && text[length..].trim_ascii().is_empty() {
            *fence = None;
        }
        return true;
    }
    let text = after_outer_blocks(line);
    let Some(first) = text.first().copied().filter(|byte| b"`~".contains(byte)) else { return false };
    let length = length(text, first);
    // Otherwise this is a code span.
    let may_open = first == b'~' || !text[length..].contains(&b'`');
    if length >= 3 && may_open {
        *fence = Some((first, length));
    }
    fence.is_some()
}

/// Returns a line without the marks of block quotes and without its indentation.
fn after_quotes(line: &[u8]) -> &[u8] {
    let end = line.iter().position(|byte| !b" \t>".contains(byte));
    end.map_or(&[], |end| &line[end..])
}

/// Returns a line without the marks of the block quotes and of the items of lists that it starts.
fn after_outer_blocks(line: &[u8]) -> &[u8] {
    let mut text = after_quotes(line);
    loop {
        let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let rest = match (digits, text.get(digits)) {
            (0, Some(b'-' | b'*' | b'+')) | (1..=9, Some(b'.' | b')')) => &text[digits + 1..],
            _ => return text,
        };
        if !rest.starts_with(b" ") && !rest.starts_with(b"\t") {
            return text;
        }
        text = after_quotes(rest);
    }
}

/// The delimiters of a comment.
type Delimiters = (&'static [u8], &'static [u8]);

/// Returns the delimiters of the comments that can mark lines.
fn comments(format: Format) -> &'static [Delimiters] {
    const HTML: Delimiters = (b"<!--", b"-->");
    const MDX: Delimiters = (b"{/*", b"*/}");

    if format == Format::Mdx { &[HTML, MDX] } else { &[HTML] }
}

/// Returns the marks in the comments of a line, by their kinds of comments.
fn marks(line: &[u8], format: Format) -> impl Iterator<Item = Mark> {
    comments(format).iter().flat_map(move |&delimiters| marks_between(line, delimiters))
}

/// Returns the marks in the comments of a line that have these delimiters.
fn marks_between(line: &[u8], (open, close): Delimiters) -> impl Iterator<Item = Mark> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + memmem::find(line.get(at..)?, open)?;
            at = start + open.len();
            let is_shown = start > 0 && line[start - 1] == b'`';
            if let Some(mark) = mark(&line[at..], close).filter(|_| !is_shown) {
                return Some(mark);
            }
        }
    })
}

/// Returns the mark in a comment, whose text starts here.
fn mark(text: &[u8], close: &[u8]) -> Option<Mark> {
    let rest = text.trim_ascii_start().strip_prefix(MARK)?;
    let end = rest.iter().position(|byte| !byte.is_ascii_lowercase() && *byte != b'-').unwrap_or(rest.len());
    // A comment may end right after the name.
    let end = if close.starts_with(b"--") && rest[..end].ends_with(b"--") { end - 2 } else { end };
    if !rest[end..].trim_ascii_start().starts_with(close) {
        return None;
    }
    match &rest[..end] {
        b"" => Some(Mark::Line),
        b"-next-line" => Some(Mark::NextLine),
        b"-start" => Some(Mark::Start),
        b"-end" => Some(Mark::End),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the marked lines of a text.
    fn marked(format: Format, text: &str) -> Vec<u64> {
        let lines = MarkedLines::of_lines(text.as_bytes(), format, None, MarkState::default()).0;
        (0..text.lines().count() as u64).filter(|&line| lines.contain(line)).collect()
    }

    #[test]
    fn comments_mark_their_line_the_next_one_or_a_part() {
        for (text, expected) in [
            ("a\nb <!-- urivalidate-ignore -->\nc\n", &[1][..]),
            ("a <!--urivalidate-ignore-->", &[0]),
            ("<!-- urivalidate-ignore-next-line -->\na\nb\n", &[1]),
            ("a\n<!-- urivalidate-ignore-start -->\nb\n<!-- urivalidate-ignore-end -->\nc\n", &[1, 2, 3]),
            ("<!-- urivalidate-ignore-start -->\na\nb\n", &[0, 1, 2]),
            ("<!-- urivalidate-ignore-others -->\na\n", &[]),
            ("<!-- urivalidate-ignore\na\n", &[]),
            ("<!-- a --> <!-- urivalidate-ignore -->\n", &[0]),
            ("urivalidate-ignore\n", &[]),
        ] {
            assert_eq!(marked(Format::Html, text), expected, "{text}");
            assert_eq!(marked(Format::Markdown, text), expected, "{text}");
        }
        let code = "```\n<!-- urivalidate-ignore-start -->\n```\na\n`<!-- urivalidate-ignore -->`\n";
        assert_eq!(marked(Format::Markdown, code), [0_u64; 0]);
        for (text, expected) in [
            ("- ```\n  <!-- urivalidate-ignore-start -->\n  ```\na\n", &[][..]),
            ("> ```\n> <!-- urivalidate-ignore-start -->\n> ```\na\n", &[]),
            ("- ```\n  a\n  ```\nb <!-- urivalidate-ignore -->\n", &[3]),
            ("1. ```sh\n   a\n   ```\n2. b <!-- urivalidate-ignore -->\n", &[3]),
            ("> 1. - ~~~ `\n> a\n> ~~~\nb <!-- urivalidate-ignore -->\n", &[3]),
            ("```js x``` is code\nb <!-- urivalidate-ignore -->\n", &[1]),
            ("```\n- ```\n<!-- urivalidate-ignore -->\n```\n-```\nb <!-- urivalidate-ignore -->\n", &[5]),
        ] {
            assert_eq!(marked(Format::Markdown, text), expected, "{text}");
        }
        let comment = "a\nb {/* urivalidate-ignore */}\n{/*urivalidate-ignore-next-line*/}\nc\n`{/* urivalidate-ignore */}`\n";
        assert_eq!(marked(Format::Mdx, comment), [1, 3]);
        assert_eq!(marked(Format::Markdown, comment), [0_u64; 0]);
        let longer = "````\n```\n<!-- urivalidate-ignore -->\n````\nb <!-- urivalidate-ignore -->\n";
        assert_eq!(marked(Format::Markdown, longer), [4]);
    }

    /// Tests that a page gives the same lines if it is cut into any three chunks outside of its comments. Only
    /// the rest of a line knows the comments in it.
    #[test]
    fn a_cut_changes_nothing() {
        let text = "a\n<!-- urivalidate-ignore-next-line -->b\nc\n<!-- urivalidate-ignore-start -->\nd\n\
                    <!-- urivalidate-ignore-end -->\ne <!-- urivalidate-ignore --> f\ng\nh\n";
        let whole = marked(Format::Html, text);
        let starts = text.match_indices("<!--").map(|(start, _)| start);
        let comments: Vec<_> =
            starts.map(|start| start + 1..start + text[start..].find("-->").unwrap() + 3).collect();
        let is_in_comment = |at: usize| comments.iter().any(|comment| comment.contains(&at));
        let cuts: Vec<_> = (0..=text.len()).filter(|&at| !is_in_comment(at)).collect();
        for (number, &first) in cuts.iter().enumerate() {
            for &second in &cuts[number..] {
                let (mut state, mut line) = (MarkState::default(), 0);
                let mut found = Vec::new();
                for part in [&text[..first], &text[first..second], &text[second..]] {
                    let (lines, after) = MarkedLines::of_lines(part.as_bytes(), Format::Html, None, state);
                    let passage = Passage::of_lines(part.as_bytes(), Format::Html, None);
                    assert_eq!(passage.after(state), after, "{part:?} {state:?}");
                    // The bytes of each line at the end of the part.
                    for (number, bytes) in (0..).zip(part.split_inclusive('\n')) {
                        if bytes.trim_end().ends_with(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
                            let letter = bytes.trim_end().chars().last().unwrap();
                            found.push((line + number, letter, lines.contain(number)));
                        }
                    }
                    line += part.matches('\n').count() as u64;
                    state = after;
                }
                for (line, letter, is_marked) in found {
                    // The comment after "e" is in a later part if the line is cut before it.
                    let is_expected = whole.contains(&line);
                    assert!(is_marked == is_expected || letter == 'e', "{first} {second} {line} {letter}");
                }
            }
        }
    }
}
