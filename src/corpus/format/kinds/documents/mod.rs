//! JSON documents of any kind: objects, arrays, arrays of arrays, on any number of lines, any number of them one after the other.
//!
//! | module | does |
//! |---|---|
//! | `wanted` | which strings are records: by their keys |
//! | `table` | arrays of arrays whose first one names the columns |
//! | `position` | goes through the bytes of a chunk, from the state at its start |
//! | `scalar` | numbers, `true`, `false` and `null` |
//!
//! The records are the strings that the keys `url` and `uri` have at any depth, or the key that is selected: then a path of keys from the
//! outermost object on. Arrays are passed through: what holds for a value holds for each element of an array in its place. So of
//! `{"a":[{"b":"x"},{"b":["y","z"]}]}` the path `a.b` has three records. Without a key the strings of a document that is an array are
//! records, too. If the first element of an array is an array, it is a header, and names the column: `original` (CDX servers), `url` or
//! `uri`, or the key.
//!
//! An object that should have a key and does not is malformed at its closing brace: with a path each object on it, else each document, or each
//! element of a document that is an array. So are numbers and names in the place of a record; `null` is a sentinel. All values of a key that
//! occurs twice count.
//!
//! Text that is not JSON (RFC 8259), a document that does not end, and one with more than 1,024 objects and arrays inside of each other are
//! malformed at the byte that cannot be there. The rest of such a document is not read; if it is an object, the next line that starts with
//! `{` is the next document. Not looked at are control characters but LF, invalid UTF-8 and invalid escapes in strings that are no records.
//!
//! A document can be longer than memory, and so can its only line. So chunks end wherever no string is cut (see `cut::json_strings`), or in
//! a string over the limit, and the state at the start of a chunk is small: the objects and arrays that are open, and what may come next.
//! The calling thread goes through each chunk for it, as through those of WARC files, before a worker does so for the records. Crates do
//! not serve here. jiter and serde_json take the text of a whole document. struson reads streams in bounded memory, but stops at no place
//! that one could go on from in another thread, hands out strings unescaped without the places of their bytes, and passes a tenth of the
//! bytes in the same time. serde_json is the oracle of the tests.

mod position;
mod scalar;
mod table;
pub(crate) mod wanted;

use std::io;
use std::sync::Arc;

use self::position::{Met, Position};
use self::wanted::Wanted;
use super::json::Json;
use crate::corpus::format::lines::chunk_lines::ChunkLines;
use crate::corpus::format::lines::fields::FieldSink;
use crate::corpus::format::lines::line::Line;
use crate::corpus::format::lines::line_counter::LineCounter;
use crate::corpus::format::lines::log_format::{self, Entry, LogFormat};
use crate::grammar::Grammar;

pub(crate) const ENTRY: Entry = Entry {
    about: "JSON documents; key url or uri at any depth, or another, as a path a.b, .a.b or /a/b",
    fields: "keys",
    sentinels: "null",
    select: |options| Some(Arc::new(Documents::new(Wanted::new(&options.field)?))),
    #[cfg(test)]
    example: ["[", "[{\"a\":{\"url\":\"", "\"}}],\n"],
};

#[derive(Clone, Debug)]
pub(crate) struct Documents {
    wanted: Arc<Wanted>,
    /// At the start of the chunk.
    position: Position,
}

impl Documents {
    pub(crate) fn new(wanted: Wanted) -> Self {
        Documents { position: Position::start(&wanted), wanted: Arc::new(wanted) }
    }
}

impl LogFormat for Documents {
    fn grammar(&self) -> Grammar {
        Grammar::Uri
    }

    fn wanted(&self) -> Option<String> {
        Some(self.wanted.name())
    }

    fn needs_head(&self) -> bool {
        false
    }

    fn start(&self, _head: &[u8]) -> Option<Arc<dyn LogFormat>> {
        None
    }

    fn follow(&self, chunk: &ChunkLines<'_>) -> io::Result<Option<Arc<dyn LogFormat>>> {
        let mut position = self.position.clone();
        position.walk(&self.wanted, chunk, &mut |_, _| {});
        Ok((position != self.position)
            .then(|| Arc::new(Documents { position, ..self.clone() }) as Arc<dyn LogFormat>))
    }

    fn extract(&self, chunk: &ChunkLines<'_>, sink: &mut FieldSink<'_>) {
        let bytes = chunk.bytes;
        sink.set_documents(self.position.column);
        let mut lines = LineCounter::new(chunk);
        self.position.clone().walk(&self.wanted, chunk, &mut |at, what| {
            let (line_start, number) = lines.pass(at);
            match what {
                Met::Malformed(reason) => sink.take_malformed_place(reason, at, line_start, number),
                Met::Null => sink.take(Line::Sentinel, b"", line_start, number as u32),
                Met::String(string, escapes) => {
                    let in_line = string.start - line_start..string.end - line_start;
                    sink.take(
                        Line::escaped(in_line, escapes),
                        &bytes[line_start..],
                        line_start,
                        number as u32,
                    );
                }
            }
        });
        sink.set_lines(lines.finish(chunk));
    }

    /// All lines if they are the start of a document, or of several.
    fn fitting_lines(&self, head: &[u8], _: usize) -> usize {
        let start = head.trim_ascii_start();
        let mut lines = log_format::lines(start.trim_ascii_end());
        let is_array = start.starts_with(b"[");
        // Objects of a line each are lines.
        let has_object = start.starts_with(b"{");
        let are_lines = has_object
            && lines.next().is_some_and(|line| Json::is_object(line, false))
            && lines.next().is_some();
        if !is_array && !has_object || are_lines {
            return 0;
        }
        let chunk = ChunkLines::head(head);
        let mut position = self.position.clone();
        let mut has_records = false;
        position.walk(&self.wanted, &chunk, &mut |_, met| has_records |= matches!(met, Met::String(..)));
        let is_one = position.is_sound() && has_records;
        if is_one { log_format::lines(head).count() } else { 0 }
    }
}
