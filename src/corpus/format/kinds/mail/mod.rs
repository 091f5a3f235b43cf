//! Mail: messages (`.eml`) and mailboxes (mbox), with the URIs of their headers and texts.
//!
//! | module | does |
//! |---|---|
//! | `mailbox` | the messages of a file, and the places at which it may be cut |
//! | `parts` | the parts of a message |
//! | `header` | the fields of a header, and the content that they describe |
//! | `decoded` | texts without their transfer encoding, folds and encoded words, and the way back |
//! | `links` | takes the URIs of a message |
//!
//! Parts of the type `text/html` are read as [HTML](super::html), all other parts of `text` and those without
//! a type as [text](super::text), after quoted-printable and base64 are undone. Texts in UTF-16, ISO-8859-1
//! and Windows-1252 are read as UTF-8, other charsets by their bytes. So are the bodies of all fields, with
//! folds undone and encoded words decoded. In `format=flowed` with `DelSp=yes`, and in calendars and cards,
//! the lines of a text are joined as their formats say.
//!
//! A URI that the file spells with the same bytes has its own line and column, and so have its errors. Any
//! other URI has the place of its first byte.
//!
//! Messages in messages are read, too. Attachments that are no text are not, and neither is text before the
//! first part and after the last part of a multipart. A multipart of which no boundary comes is one text. The
//! structure is that which Python's package `email` finds.
//!
//! A message is held in memory as a whole. One that is longer than the longest record plus 64 KiB is
//! malformed.
//!
//! The parser is our own: mail-parser and mailparse, which are well kept, return texts in UTF-8 and not the
//! places of their bytes, and hold all parts of a message in memory at once.

mod decoded;
mod header;
mod links;
mod mailbox;
mod parts;

use std::sync::Arc;

use self::mailbox::MailState;
use crate::corpus::format::kinds::parsed::{ParsedCutter, longest_part};
use crate::corpus::format::lines::chunk_lines::ChunkLines;
use crate::corpus::format::lines::cutter::Cutter;
use crate::corpus::format::lines::document_sink::DocumentSink;
use crate::corpus::format::lines::entry::{Entry, FieldChoice};
use crate::corpus::format::lines::fields::FieldSink;
use crate::corpus::format::lines::line::Malformed;
use crate::corpus::format::lines::log_format::{self, COPIES, LogFormat};
use crate::corpus::limits::Limits;
use crate::grammar::Grammar;
use crate::memory::{self, OutOfMemory, Room};

pub(crate) const ENTRY: Entry = Entry {
    about: "mail: the URIs in headers, texts and HTML of messages and mailboxes",
    sentinels: "",
    fields: FieldChoice::None("no fields", || Arc::new(Mail)),
    #[cfg(test)]
    example: ["From: a@example.org\nSubject: b\n\n", "see <", ">\n"],
};

#[derive(Clone, Copy, Debug)]
struct Mail;

impl LogFormat for Mail {
    fn grammar(&self) -> Grammar {
        Grammar::UriReference
    }

    fn is_document(&self) -> bool {
        true
    }

    fn cutter(&self, _limits: &Limits) -> Option<Box<dyn Cutter>> {
        Some(ParsedCutter::<MailState>::boxed())
    }

    fn whole(&self, chunk: &ChunkLines<'_>, end: usize) -> usize {
        let state: MailState = chunk.facts().copied().unwrap_or_default();
        state
            .messages(chunk.bytes, chunk.mark)
            .map(|message| message.end)
            .find(|&last| last >= end)
            .unwrap_or(end)
    }

    fn room_for(&self, bytes: &[u8], held: usize) -> Result<Room, OutOfMemory> {
        /// The bytes of memory to decode a byte: the text twice, and the way back.
        const DECODED: usize = 8;

        memory::room_for(bytes.len().saturating_mul(DECODED).saturating_add(held.saturating_mul(COPIES)))
    }

    /// The chunk has the state at its start, which is found while the file is cut.
    fn extract(&self, chunk: &ChunkLines<'_>, sink: &mut FieldSink<'_>) {
        let state: MailState = chunk.facts().copied().unwrap_or_default();
        let mut sink = DocumentSink::new(chunk, 0, sink);
        for message in state.messages(chunk.bytes, chunk.mark) {
            if message.len() <= longest_part(chunk.max_record) {
                links::take(message, &mut sink);
            } else {
                sink.malformed(message.start, Malformed::TooLong);
            }
        }
        sink.finish();
    }

    /// All lines fit if they are the start of a message.
    fn fitting_lines(&self, head: &[u8], _: usize) -> usize {
        if is_mail(head) { log_format::lines(head).count() } else { 0 }
    }
}

/// Returns true if `head` is the start of a message: a header that says who sent the message, and something
/// else that all messages say.
fn is_mail(head: &[u8]) -> bool {
    let (mut is_sent, mut is_message) = (false, false);
    for (number, line) in log_format::lines(head).enumerate() {
        let is_first = number == 0;
        if line.is_empty() {
            return is_sent && is_message;
        }
        let is_fold = !is_first && matches!(line[0], b' ' | b'\t');
        let Some(len) = header::name_len(line) else {
            if is_fold || is_first && header::is_envelope(line) {
                continue;
            }
            return false;
        };
        let is = |name: &[u8]| line[..len].eq_ignore_ascii_case(name);
        is_sent |= is(b"from") || is(b"received") || is(b"return-path");
        is_message |= is(b"date") || is(b"message-id") || is(b"subject") || is(b"mime-version");
    }
    is_sent && is_message
}
