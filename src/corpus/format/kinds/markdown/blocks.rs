//! The places between the outermost blocks of a document.
//!
//! pulldown-cmark finds these places. No block is open there, so a parser that begins there finds the same
//! blocks as a parser that has read everything before.

use pulldown_cmark::{Event, Parser, Tag};

use super::borders::last_certain_start;
use super::cut_block::{Innermost, last_place, rest_of_code, rest_of_html};
use super::dialect::GITHUB;
use super::marks::{self, parsable_len};
use super::state::{MarkdownState, MdxState};
use crate::corpus::format::kinds::parsed::{DocumentState, longest_part};
use crate::corpus::format::lines::cutter::ChunkFacts;
use crate::corpus::format::lines::same_length::same_length;
use crate::memory::{OutOfMemory, Room};
use crate::work::{looked_at, memchr, memrchr};

impl ChunkFacts for MarkdownState {}

impl DocumentState for MarkdownState {
    fn border(&self, bytes: &[u8], start: usize, max_record: usize) -> (usize, Self) {
        border(*self, bytes, start, max_record)
    }

    fn room_for(bytes: &[u8]) -> Result<Room, OutOfMemory> {
        marks::room_for(bytes)
    }

    fn are_one_chunk(bytes: &[u8], max_record: usize) -> bool {
        bytes.len() <= longest_part(max_record) && parsable_len(bytes) == bytes.len()
    }
}

/// See [`DocumentState::border`].
fn border(state: MarkdownState, bytes: &[u8], start: usize, max_record: usize) -> (usize, MarkdownState) {
    let from = self::start(state, bytes, start);
    let may_be_metadata = || bytes[start..].starts_with(b"---") || bytes[start..].starts_with(b"+++");
    if state == MarkdownState::Start
        && from == start
        && bytes.len() - start < MOST_METADATA
        && may_be_metadata()
    {
        return (start, state);
    }
    let longest = longest_part(max_record);
    let is_in_block = !matches!(state, MarkdownState::Start | MarkdownState::Between);
    if state.skipped_len(&bytes[start..]).is_none() {
        let end = start + state.certain_len(&bytes[start..]);
        return if end > start || bytes.len() - start <= longest {
            (end, state.after_part())
        } else {
            (bytes.len(), state.after_part())
        };
    }
    let rest = &bytes[from..];
    // The start of a line can mean something other than the whole line.
    let whole_lines = |len: usize| memrchr(b'\n', &rest[..len]).map_or(0, |line_end| line_end + 1);
    let parsable = parsable_len(rest);
    let has_many_marks = parsable < rest.len().min(longest);
    let end = if has_many_marks {
        Some(whole_lines(parsable)).filter(|&end| end > 0).unwrap_or(parsable)
    } else if rest.len() > longest {
        longest
    } else {
        whole_lines(rest.len())
    };
    // The parser finds the blocks only if lines alone do not show them: it takes as long as the search of the
    // links.
    if let Some(at) = last_certain_start(&rest[..end]) {
        return (from + at, MarkdownState::Between);
    }
    let Starts { starts, innermost } = starts(&rest[..end]);
    match starts.last() {
        Some(&at) if at > 0 => (from + at, MarkdownState::Between),
        _ if from > start && is_in_block => (from, MarkdownState::Between),
        _ if has_many_marks => {
            let text = &rest[..last_place(&rest[..parsable])];
            (from + text.len(), innermost.state_within(text))
        }
        // A chunk of this length is certainly too long.
        _ if rest.len() > longest => (from + longest + 1, MarkdownState::LongBlock),
        _ => (start, state),
    }
}

impl ChunkFacts for MdxState {}

/// Elements and expressions can go over blank lines. So a document of MDX is read at once if its marks allow
/// that, and otherwise cut like one of Markdown.
impl DocumentState for MdxState {
    fn border(&self, bytes: &[u8], start: usize, max_record: usize) -> (usize, Self) {
        let is_whole = <Self as DocumentState>::are_one_chunk(&bytes[start..], max_record);
        let (end, state) = if is_whole { (start, self.0) } else { border(self.0, bytes, start, max_record) };
        (end, MdxState(state))
    }

    fn room_for(bytes: &[u8]) -> Result<Room, OutOfMemory> {
        marks::room_for(bytes)
    }

    fn are_one_chunk(bytes: &[u8], max_record: usize) -> bool {
        MarkdownState::are_one_chunk(bytes, max_record)
    }
}

impl MarkdownState {
    /// Returns the number of first bytes that are not parsed. `None` if the block that this state is in does
    /// not end in these bytes.
    fn skipped_len(self, text: &[u8]) -> Option<usize> {
        match self {
            MarkdownState::Start => Some(metadata_len(text)),
            MarkdownState::Between => Some(0),
            MarkdownState::LongBlock | MarkdownState::RestOfItem => {
                Some(long_block_len(text)).filter(|&len| len < text.len())
            }
            MarkdownState::Code { fence, len } => rest_of_code(text, fence, len),
            MarkdownState::Html { end } => rest_of_html(text, end),
        }
    }

    /// Returns the length of the bytes that certainly belong to the block that this state is in. `text` has
    /// no end of the block.
    fn certain_len(self, text: &[u8]) -> usize {
        match self {
            // The line that ends the block can follow these blank lines.
            MarkdownState::LongBlock | MarkdownState::RestOfItem => text.trim_ascii_end().len(),
            MarkdownState::Code { .. } => memrchr(b'\n', text).map_or(0, |line_end| line_end + 1),
            MarkdownState::Html { end } => text.len().saturating_sub(end.len() - 1),
            MarkdownState::Start | MarkdownState::Between => 0,
        }
    }

    /// Returns the state after a part of the block that this state is in.
    fn after_part(self) -> Self {
        if self == MarkdownState::RestOfItem { MarkdownState::LongBlock } else { self }
    }
}

/// Returns the end of the block in which the first `end` of these bytes end.
pub(super) fn whole_block(state: MarkdownState, bytes: &[u8], start: usize, end: usize) -> usize {
    let from = self::start(state, bytes, start);
    let Starts { starts, .. } = starts(&bytes[from..]);
    starts.into_iter().map(|at| from + at).find(|&at| at >= end).unwrap_or(bytes.len())
}

/// Returns the first byte of a chunk to parse: after metadata, or after the rest of a block that is skipped.
pub(super) fn start(state: MarkdownState, bytes: &[u8], start: usize) -> usize {
    state.skipped_len(&bytes[start..]).map_or(bytes.len(), |len| start + len)
}

/// The maximal length of metadata, in bytes.
const MOST_METADATA: usize = 64 << 10;

/// Returns the length in bytes of a document's metadata: YAML between lines of `---`, or TOML between lines
/// of `+++`. A `---` before a blank line is a thematic break.
fn metadata_len(text: &[u8]) -> usize {
    let mut lines = text[..text.len().min(MOST_METADATA)].split_inclusive(|&byte| byte == b'\n');
    let Some(first) = lines.next().filter(|line| matches!(line.trim_ascii_end(), b"---" | b"+++")) else {
        return 0;
    };
    let mut at = first.len();
    for line in lines {
        looked_at(line.len());
        let is_second = at == first.len();
        at += line.len();
        let line = line.trim_ascii_end();
        if is_second && line.is_empty() {
            return 0;
        }
        if line == first.trim_ascii_end() || line == b"..." && first.starts_with(b"-") {
            return at;
        }
    }
    0
}

/// Returns the length in bytes up to a line that follows a blank line and is not indented.
fn long_block_len(text: &[u8]) -> usize {
    let mut from = 0;
    while let Some(found) = memchr(b'\n', &text[from..]) {
        let line_end = from + found;
        let after = &text[line_end + 1..];
        let Some(next) = memchr(b'\n', after) else { break };
        let is_blank = after[..next].iter().all(u8::is_ascii_whitespace);
        let is_flush = after.get(next + 1).is_some_and(|byte| !byte.is_ascii_whitespace());
        if is_blank && is_flush {
            return line_end + 1 + next + 1;
        }
        looked_at(next);
        from = line_end + 1;
    }
    text.len()
}

/// The starts of blocks in a text.
struct Starts {
    /// The starts of the outermost blocks and of the items of the outermost lists, each at the start of its
    /// line.
    starts: Vec<usize>,
    /// The last block.
    innermost: Innermost,
}

fn starts(bytes: &[u8]) -> Starts {
    let text = same_length(bytes);
    let (mut depth, mut starts, mut innermost) = (0_usize, Vec::new(), Innermost::default());
    for (event, range) in Parser::new_ext(&text, GITHUB).into_offset_iter() {
        innermost.take(&event, &range);
        let is_block = match &event {
            Event::Start(tag) => depth == 0 || depth == 1 && matches!(tag, Tag::Item),
            Event::Rule => depth == 0,
            _ => false,
        };
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            _ => {}
        }
        if is_block {
            starts.extend(line_start(bytes, range.start));
        }
    }
    starts.dedup();
    Starts { starts, innermost }
}

/// Returns the start of the line in which a block starts. `None` for a block that is indented like code:
/// without the lines before it, it could be another block.
fn line_start(bytes: &[u8], at: usize) -> Option<usize> {
    let start = memrchr(b'\n', &bytes[..at]).map_or(0, |line_end| line_end + 1);
    let indent = &bytes[start..at];
    (indent.len() < 4 && indent.iter().all(|&byte| byte == b' ')).then_some(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        let Starts { starts, .. } = starts(text.as_bytes());
        let ends = starts.iter().skip(1).copied().chain([text.len()]);
        starts.iter().zip(ends).map(|(&start, end)| &text[start..end]).collect()
    }

    /// Lines that open and end blocks.
    const LINES: [&str; 44] = [
        "", "", "", " ", "a", "a", " b", "  c", "   d", "    e", "\tf", "- g", "* h", "+", " - i", "  - j",
        "   - k", "1. l", "2. m", "10) n", "-\to", "-     p", "> q", ">", "```", "  ```", "   ```",
        "    ```", "````", "``` `", "- ```", "> ```", "~~~", "# r", "---", "- - -", "<div>", "<b>", "  <!--",
        "-->", "<pre>", "</pre>", "| s |", "[^t]: u",
    ];

    proptest::proptest! {
        /// A definition starts a block as well, but is no event of the parser.
        #[test]
        fn certain_starts_are_those_of_the_parser(
            lines in proptest::collection::vec(proptest::sample::select(&LINES[..]), 0..14),
        ) {
            let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
            if let Some(at) = last_certain_start(text.as_bytes()) {
                let Starts { starts, .. } = starts(text.as_bytes());
                proptest::prop_assert!(starts.contains(&at) || text[at..].starts_with("[^t]"), "{text:?}: {at}, {starts:?}");
            }
        }
    }

    #[test]
    fn blocks_are_cut_where_nothing_is_open() {
        assert_eq!(cut("# a\nb\nc\n\nd\n***\ne\n===\n"), ["# a\n", "b\nc\n\n", "d\n", "***\n", "e\n===\n"]);
        assert_eq!(cut("- a\n\n  b\n- c\n  - d\n\ne\n"), ["- a\n\n  b\n", "- c\n  - d\n\n", "e\n"]);
        assert_eq!(cut("```\n\n# a\n\n```\nb\n"), ["```\n\n# a\n\n```\n", "b\n"]);
        assert_eq!(cut("> a\n> - b\nc\n\n<!-- \n\n# d\n-->\n"), ["> a\n> - b\nc\n\n", "<!-- \n\n# d\n-->\n"]);
        assert_eq!(cut("[a]: b\n    c\n\nd\n"), ["d\n"]);
    }

    #[test]
    fn metadata_stands_at_the_start() {
        assert_eq!(metadata_len(b"---\na: b\n---\nc"), 13);
        assert_eq!(metadata_len(b"---\r\na: b\r\n...\r\nc"), 16);
        assert_eq!(metadata_len(b"+++\na = 1\n---\n+++\n"), 18);
        assert_eq!(metadata_len(b"---\n---\n\n"), 8);
        for text in [
            "---\n\n# a\n\n---\n",
            "---\r\n \r\n---\n",
            "---\na: b\n",
            "a\n---\n---\n",
            " ---\n---\n",
            "",
            "+++\n...\n",
        ] {
            assert_eq!(metadata_len(text.as_bytes()), 0, "{text:?}");
        }
    }

    #[test]
    fn a_long_block_ends_before_a_line_that_starts_anew() {
        assert_eq!(long_block_len(b"a\nb\n\n c\n\t\nd\n"), 10);
        assert_eq!(long_block_len(b"\n\na"), 2);
        assert_eq!(long_block_len(b"a\n\n"), 3);
        assert_eq!(long_block_len(b"a\n"), 2);
    }
}
