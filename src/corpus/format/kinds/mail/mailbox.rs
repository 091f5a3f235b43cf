//! The messages of a mailbox ([mbox][rfc]): each begins with a line `From …` after an empty line. A file that
//! does not begin with such a line is one message.
//!
//! [rfc]: https://www.rfc-editor.org/rfc/rfc4155

use std::ops::Range;

use crate::corpus::format::kinds::parsed::{DocumentState, longest_part};
use crate::corpus::format::lines::cutter::ChunkFacts;
use crate::memory::{self, OutOfMemory, Room};
use crate::work::{looked_at, memmem};

/// The state of a file between two bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum MailState {
    /// At the start of the file.
    #[default]
    Start,
    /// At the start of a message of a mailbox.
    Message,
    /// In a message over the limit. The rest of it is skipped.
    LongMessage { in_mailbox: bool },
}

/// The first word of the line before a message.
const FROM: &[u8] = b"From ";

/// The bytes with which a message of a mailbox may begin: an empty line and the first word.
const LONGEST_START: usize = b"\n\r\nFrom ".len();

impl ChunkFacts for MailState {}

impl MailState {
    /// Returns true if other messages can follow in a file that goes on with `bytes` in this state.
    fn is_in_mailbox(self, bytes: &[u8]) -> bool {
        match self {
            MailState::Start => bytes.starts_with(FROM),
            MailState::Message => true,
            MailState::LongMessage { in_mailbox } => in_mailbox,
        }
    }

    /// Returns the messages in the bytes of a chunk from `start` on.
    pub(super) fn messages(self, bytes: &[u8], start: usize) -> impl Iterator<Item = Range<usize>> {
        let starts = self.starts(bytes, start);
        let first = (!matches!(self, MailState::LongMessage { .. })).then_some(start);
        let mut starts = first.into_iter().chain(starts).peekable();
        std::iter::from_fn(move || {
            let start = starts.next()?;
            Some(start..starts.peek().copied().unwrap_or(bytes.len()))
        })
    }

    /// Returns the places after `start` at which a message begins.
    fn starts(self, bytes: &[u8], start: usize) -> impl Iterator<Item = usize> {
        let rest = if self.is_in_mailbox(&bytes[start..]) { &bytes[start..] } else { b"" };
        memmem::find_iter(rest, b"\nFrom ").filter_map(move |at| {
            looked_at(2);
            let before = rest[..at].strip_suffix(b"\r").unwrap_or(&rest[..at]);
            (before.is_empty() || before.ends_with(b"\n")).then_some(start + at + 1)
        })
    }
}

impl DocumentState for MailState {
    fn border(&self, bytes: &[u8], start: usize, max_record: usize) -> (usize, Self) {
        if let Some(last) = self.starts(bytes, start).last() {
            return (last, MailState::Message);
        }
        let len = bytes.len() - start;
        let in_mailbox = self.is_in_mailbox(&bytes[start..]);
        let is_too_long = matches!(self, MailState::LongMessage { .. }) || len > longest_part(max_record);
        if is_too_long && len > LONGEST_START {
            // Not before a line end, since the byte before it decides whether a line is empty.
            let most = bytes.len() - LONGEST_START;
            let line_ends = bytes[start + 1..=most]
                .iter()
                .rev()
                .take_while(|&&byte| matches!(byte, b'\r' | b'\n'))
                .count();
            looked_at(line_ends + 1);
            let end = Some(most - line_ends).filter(|&end| end > start).unwrap_or(most);
            return (end, MailState::LongMessage { in_mailbox });
        }
        (start, *self)
    }

    /// Nothing is parsed to find a border.
    fn room_for(_: &[u8]) -> Result<Room, OutOfMemory> {
        memory::room_for(0)
    }
}
