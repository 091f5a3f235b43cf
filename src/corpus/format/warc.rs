//! WARC files (ISO 28500), uncompressed: the target URIs of their records.
//!
//! A record is a header of lines, an empty line, and a block of as many bytes as the header says; two line ends follow. A block may
//! hold anything, lines that look like headers too, so that nothing in it is looked at. A URI may stand between `<` and
//! `>`, which the grammar of WARC 1.0 asked for and 1.1 does not.

use std::ops::Range;

use memchr::{memchr, memmem};

use super::field::{Found, Malformed};

/// Where in a record some place of the file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Behind a block: a version should follow.
    Between,
    /// In a header that has said how long its block is, or has not yet.
    Header { length: Option<u64> },
    /// In a block with so many bytes to come.
    Block { left: u64 },
    /// Behind something that is no WARC: the next line that starts with a version is where it goes on.
    Lost,
}

const VERSION: &[u8] = b"WARC/";

/// Whether this is how a WARC file starts.
pub(super) fn is_version(line: &[u8]) -> bool {
    line.starts_with(VERSION) && line.get(VERSION.len()).is_some_and(u8::is_ascii_digit)
}

/// Goes through `bytes`, which follow on `state`, and says what is found in which line (a range of `bytes`, without its line end). Returns
/// the state behind them.
///
/// If `is_part`, the last line may go on behind `bytes`.
pub(super) fn walk(
    mut state: State,
    bytes: &[u8],
    is_part: bool,
    mut each: impl FnMut(Range<usize>, Found),
) -> State {
    let mut at = 0;
    while at < bytes.len() {
        if let State::Block { left } = state {
            let here = left.min((bytes.len() - at) as u64);
            at += here as usize;
            state = if here == left { State::Between } else { State::Block { left: left - here } };
            continue;
        }
        if state == State::Lost && !is_version(&bytes[at..]) {
            match memmem::find(&bytes[at..], b"\nWARC/") {
                Some(before) => at += before + 1,
                None => break,
            }
        }
        let line_feed = memchr(b'\n', &bytes[at..]).map(|length| at + length);
        let end = line_feed.unwrap_or(bytes.len());
        let line = &bytes[at..end];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let range = at..at + line.len();
        at = line_feed.map_or(bytes.len(), |line_feed| line_feed + 1);
        if is_part && line_feed.is_none() && state == State::Between && line.is_empty() {
            break;
        }
        if is_part && line_feed.is_none() {
            each(range, Found::Malformed(Malformed::TooLong));
            state = State::Lost;
            continue;
        }
        state = match state {
            State::Between if line.is_empty() => State::Between,
            State::Between | State::Lost if is_version(line) => State::Header { length: None },
            State::Between | State::Lost => {
                if state == State::Between {
                    each(range, Found::Malformed(Malformed::NoVersion));
                }
                State::Lost
            }
            State::Header { length: Some(length) } if line.is_empty() => State::Block { left: length },
            State::Header { length: None } if line.is_empty() => {
                each(range, Found::Malformed(Malformed::NoContentLength));
                State::Lost
            }
            State::Header { length } => match header(line) {
                Some((name, value)) if name.eq_ignore_ascii_case(b"content-length") => {
                    State::Header { length: number(&line[value]) }
                }
                Some((name, value)) if name.eq_ignore_ascii_case(b"warc-target-uri") => {
                    each(range, Found::plain(without_brackets(line, value)));
                    State::Header { length }
                }
                _ => State::Header { length },
            },
            State::Block { .. } => unreachable!("blocks were passed"),
        };
    }
    state
}

/// The name of a header line, and where its value is.
fn header(line: &[u8]) -> Option<(&[u8], Range<usize>)> {
    let colon = memchr(b':', line)?;
    let value = line[colon + 1..].trim_ascii_end();
    let end = colon + 1 + value.len();
    Some((&line[..colon], end - value.trim_ascii_start().len()..end))
}

fn number(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    str::from_utf8(digits).ok()?.parse().ok()
}

fn without_brackets(line: &[u8], value: Range<usize>) -> Range<usize> {
    match &line[value.clone()] {
        [b'<', .., b'>'] => value.start + 1..value.end - 1,
        _ => value,
    }
}
