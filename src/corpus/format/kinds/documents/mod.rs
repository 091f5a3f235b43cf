//! JSON documents of any kind: objects, arrays, and arrays of arrays. A document can have any number of
//! lines, and an input any number of documents.
//!
//! | module | does |
//! |---|---|
//! | `cutter` | cuts documents outside of strings |
//! | `wanted` | selects the strings that are records, by their keys |
//! | `table` | arrays of arrays whose first array names the columns |
//! | `position` | goes through the bytes of a chunk, from the state at its start |
//! | `scalar` | numbers, `true`, `false` and `null` |
//!
//! The records are the strings of the keys `url` and `uri` at any depth, or the strings of the selected key.
//! A selected key is a path of keys from the outermost object on. Arrays are transparent: a rule for a value
//! applies to each element of an array in its place. So the path `a.b` has three records in
//! `{"a":[{"b":"x"},{"b":["y","z"]}]}`. Without a selected key, the strings of a document that is an array
//! are records, too. If the first element of an array is an array, it is a header and names the column:
//! `original` (CDX servers), `url` or `uri`, or the selected key.
//!
//! An object that lacks the key is counted: with a path, each object on the path that lacks its key; without
//! one, each document, or each element of a document that is an array. Numbers and names in the place of a
//! record are malformed; `null` is a sentinel. If a key occurs twice, all its values count.
//!
//! Text that is not JSON (RFC 8259), a document that does not end, and a document with objects and arrays
//! nested deeper than 1,024 levels are malformed at the byte that cannot stand there. The rest of such a
//! document is not read. If it is an object, the next line that starts with `{` is the next document. The
//! format does not check control characters except LF, invalid UTF-8, or invalid escapes in strings that are
//! not records.
//!
//! A document can be longer than memory, and so can its only line. So chunks end anywhere outside of strings
//! (see `cutter`), or in a string over the limit. The state at the start of a chunk is small: the open
//! objects and arrays, and the tokens that may come next. To find this state, the calling thread goes through
//! each chunk, as through the chunks of WARC files; a worker then does so again for the records. No crate
//! serves here. jiter and serde_json take the text of a whole document. struson reads streams in bounded
//! memory, but it cannot stop at a place from which another thread goes on, it returns strings unescaped
//! without the places of their bytes, and it passes a tenth of the bytes in the same time. serde_json is the
//! oracle of the tests.

mod cutter;
mod position;
mod scalar;
mod table;
pub(crate) mod wanted;

use std::io;
use std::sync::Arc;

use self::cutter::StringCutter;
use self::position::{DocumentEvent, Position};
use self::wanted::Wanted;
use super::json::Json;
use super::json_forms::{Form, Forms};
use super::json_keys::LikelyKeys;
use crate::corpus::format::lines::chunk_lines::ChunkLines;
use crate::corpus::format::lines::cutter::Cutter;
use crate::corpus::format::lines::entry::{Entry, FieldChoice};
use crate::corpus::format::lines::fields::FieldSink;
use crate::corpus::format::lines::line::{Field, Line};
use crate::corpus::format::lines::line_counter::LineCounter;
use crate::corpus::format::lines::log_format::{self, COPIES, LogFormat};
use crate::corpus::format::lines::options::FieldSelector;
use crate::corpus::limits::Limits;
use crate::grammar::Grammar;
use crate::memory::{self, OutOfMemory, Room};
use crate::work::memchr;

pub(crate) const ENTRY: Entry = Entry {
    about: "JSON documents; key url or uri at any depth, or a path: a.b, .a.b or /a/b",
    sentinels: "null",
    fields: FieldChoice::Other("keys", |options| {
        Some(Arc::new(Documents::new(Wanted::new(&options.field)?)))
    }),
    #[cfg(test)]
    example: ["[", "[{\"a\":{\"url\":\"", "\"}}],\n"],
};

#[derive(Clone, Debug)]
pub(crate) struct Documents {
    wanted: Arc<Wanted>,
    /// The position at the start of the chunk.
    position: Position,
    /// The kind of the records' strings, learned from the first ones.
    form: Form,
    /// The candidates for another key, if the first objects lack the key.
    others: Option<Arc<str>>,
}

/// If the first bytes are at least this number of bytes, their last line may go on after them.
const LONG: usize = 64 << 10;

/// The contents of the first bytes of documents.
struct DocumentHead {
    /// The forms of the records.
    forms: Forms,
    /// The number of objects that should have the key, but lack it.
    lacking: usize,
    /// Whether the bytes are JSON.
    is_sound: bool,
    /// Whether the last document has not ended.
    is_open: bool,
}

impl Documents {
    pub(crate) fn new(wanted: Wanted) -> Self {
        let position = Position::start(&wanted);
        Documents { position, wanted: Arc::new(wanted), form: Form::Uri, others: None }
    }

    /// Returns the key that surely has the URIs or request targets of documents, if their first bytes have no
    /// `url` and no `uri`.
    pub(crate) fn sure_key(head: &[u8]) -> Option<String> {
        let usual = Documents::new(Wanted::new(&FieldSelector::Uri)?);
        let keys = || LikelyKeys::of_documents(head);
        (usual.look_at(head).forms.strings == 0).then(keys)?.sure().map(|key| key.name.clone())
    }

    /// Returns true if these first bytes are the start of documents with records.
    pub(crate) fn explain(head: &[u8]) -> bool {
        Wanted::new(&FieldSelector::Uri).is_some_and(|wanted| Documents::new(wanted).have_records(head))
    }

    /// Returns true if these first bytes are the start of documents with records of the key. Without a
    /// selected key, a candidate for it is enough. In a line that is longer than these bytes, the records may
    /// come later.
    fn have_records(&self, head: &[u8]) -> bool {
        let DocumentHead { forms, is_sound, is_open, .. } = self.look_at(head);
        let is_start_of_line = is_open && head.len() >= LONG && memchr(b'\n', head).is_none();
        let may_have = || is_start_of_line || !LikelyKeys::of_documents(head).is_empty();
        is_sound && (forms.strings > 0 || self.wanted.is_anywhere && may_have())
    }

    fn look_at(&self, head: &[u8]) -> DocumentHead {
        let (mut forms, mut lacking) = (Forms::default(), 0);
        let mut position = self.position.clone();
        position.walk(&self.wanted, &ChunkLines::head(head), &mut |_, event| match event {
            DocumentEvent::String(string, escapes) => forms.take(&head[string], escapes),
            DocumentEvent::WithoutKey => lacking += 1,
            DocumentEvent::Null | DocumentEvent::Malformed(_) => {}
        });
        DocumentHead { forms, lacking, is_sound: position.is_sound(), is_open: position.is_open() }
    }
}

impl LogFormat for Documents {
    fn grammar(&self) -> Grammar {
        self.form.grammar()
    }

    fn wanted(&self) -> Option<String> {
        Some(self.wanted.name())
    }

    fn others(&self) -> Option<&str> {
        self.others.as_deref()
    }

    fn is_document(&self) -> bool {
        true
    }

    fn cutter(&self, _limits: &Limits) -> Option<Box<dyn Cutter>> {
        Some(Box::new(StringCutter::default()))
    }

    fn needs_head(&self) -> bool {
        true
    }

    /// The first record shows the kind of string; the other records have the same kind.
    fn is_clear(&self, head: &[u8]) -> bool {
        let found = self.look_at(head);
        found.forms.strings > 0 || !found.is_sound
    }

    /// Learns the kind of the key's strings, or the candidates for the key.
    fn start(&self, head: &[u8]) -> Option<Arc<dyn LogFormat>> {
        let DocumentHead { forms, lacking, .. } = self.look_at(head);
        let is_lacking = lacking > forms.strings || forms.strings == 0;
        let others = is_lacking.then(|| LikelyKeys::of_documents(head).named()).flatten();
        Some(Arc::new(Documents { form: forms.form(), others, ..self.clone() }))
    }

    fn follow(&self, chunk: &ChunkLines<'_>) -> io::Result<Option<Arc<dyn LogFormat>>> {
        let mut position = self.position.clone();
        position.walk(&self.wanted, chunk, &mut |_, _| {});
        Ok((position != self.position)
            .then(|| Arc::new(Documents { position, ..self.clone() }) as Arc<dyn LogFormat>))
    }

    fn room_for(&self, _bytes: &[u8], held: usize) -> Result<Room, OutOfMemory> {
        memory::room_for(held.saturating_mul(COPIES))
    }

    fn extract(&self, chunk: &ChunkLines<'_>, sink: &mut FieldSink<'_>) {
        let bytes = chunk.bytes;
        sink.set_documents();
        sink.set_bytes_before(self.position.column);
        let mut lines = LineCounter::new(chunk);
        self.position.clone().walk(&self.wanted, chunk, &mut |at, what| {
            sink.begin_piece();
            let (line_start, number) = lines.pass(at);
            match what {
                DocumentEvent::Malformed(reason) => sink.take_malformed_place(reason, at, line_start, number),
                DocumentEvent::WithoutKey => sink.take(Line::WithoutKey, b"", line_start, number as u32),
                DocumentEvent::Null => sink.take(Line::Sentinel, b"", line_start, number as u32),
                DocumentEvent::String(string, escapes) => {
                    let range = string.start - line_start..string.end - line_start;
                    let (line, string) = (&bytes[line_start..], Field { range, tail: 0..0, escapes });
                    match self.form.record(line, string) {
                        Line::Malformed(reason) => sink.take_malformed_place(reason, at, line_start, number),
                        found => sink.take(found, line, line_start, number as u32),
                    }
                }
            }
        });
        sink.set_lines(lines.finish(chunk));
    }

    /// All lines fit if they are the start of documents with records.
    fn fitting_lines(&self, head: &[u8], _: usize) -> usize {
        let start = head.trim_ascii_start();
        let mut lines = log_format::lines(start.trim_ascii_end());
        let is_array = start.starts_with(b"[");
        // Objects with one line each are lines.
        let has_object = start.starts_with(b"{");
        let are_lines = has_object
            && lines.next().is_some_and(|line| Json::is_object(line, false))
            && lines.next().is_some();
        if !is_array && !has_object || are_lines {
            return 0;
        }
        if self.have_records(head) { log_format::lines(head).count() } else { 0 }
    }
}
