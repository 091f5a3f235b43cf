//! The URL in an element's text or an attribute's value, as a record.

use std::ops::Range;

use super::walk::{Piece, Visit};
use crate::corpus::format::lines::chunk_lines::ChunkLines;
use crate::corpus::format::lines::fields::{FieldSink, Name, Place};
use crate::corpus::format::lines::line::{Field, Line, Malformed};
use crate::corpus::format::lines::line_counter::LineCounter;
use crate::corpus::format::lines::unescape::Escapes;

/// Takes the URLs of a chunk.
pub(super) struct Values<'w, 's> {
    pub(super) chunk: &'w ChunkLines<'w>,
    pub(super) sink: &'w mut FieldSink<'s>,
    pub(super) lines: LineCounter<'w>,
}

impl Values<'_, '_> {
    /// Takes these bytes of the chunk, which hold a URL and white space around it.
    fn take(&mut self, place: Place, value: Range<usize>, escapes: Escapes) {
        let raw = &self.chunk.bytes[value.clone()];
        let within = escapes.trimmed(raw);
        // An empty one stands where the value ends.
        let start = if within.is_empty() { value.end } else { value.start + within.start };
        let url = start..start + within.len();
        if url.len() > self.chunk.max_record {
            return self.malformed(url.start, Malformed::TooLong);
        }
        let (line_start, number) = self.lines.pass(url.start);
        let range = url.start - line_start..url.end - line_start;
        let field = Field { range, tail: 0..0, escapes };
        let line = &self.chunk.bytes[line_start..];
        self.sink.take_at(Some(place), Line::Record(field), line, line_start, number as u32);
        if let Some(at) = escapes.first_unsound(&self.chunk.bytes[url.clone()]) {
            self.malformed(url.start + at, Malformed::BadReference);
        }
    }

    /// Takes a URL that is written in several pieces.
    fn take_pieces(&mut self, place: Place, pieces: &[Piece]) {
        let mut text = Vec::new();
        let mut unsound = None;
        for piece in pieces {
            match piece {
                Piece::Cdata(range) => text.extend_from_slice(&self.chunk.bytes[range.clone()]),
                Piece::Text(range) => {
                    let raw = &self.chunk.bytes[range.clone()];
                    Escapes::Markup.write(raw, &mut text);
                    unsound = unsound.or(Escapes::Markup.first_unsound(raw).map(|at| range.start + at));
                }
            }
        }
        let at = match &pieces[0] {
            Piece::Text(range) | Piece::Cdata(range) => range.start,
        };
        let (line_start, number) = self.lines.pass(at);
        if !self.sink.take_made(place, text.trim_ascii(), Escapes::None, (line_start, at), number as u32) {
            self.malformed(at, Malformed::TooLong);
        }
        if let Some(at) = unsound {
            self.malformed(at, Malformed::BadReference);
        }
    }
}

impl Visit for Values<'_, '_> {
    fn attribute(&mut self, place: Place, url: Range<usize>) {
        let escapes = Escapes::of_markup(&self.chunk.bytes[url.clone()]);
        self.take(place, url, escapes);
    }

    fn text(&mut self, element: &'static str, contents: &[Piece]) {
        let place = Place { element: Name::Known(element), attribute: None };
        let bytes = self.chunk.bytes;
        let is_blank = |piece: &Piece| matches!(piece, Piece::Text(range) if bytes[range.clone()].trim_ascii().is_empty());
        let mut filled = contents.iter().filter(|piece| !is_blank(piece));
        match (filled.next(), filled.next()) {
            (None, _) => match contents.last() {
                Some(Piece::Text(range) | Piece::Cdata(range)) => {
                    self.take(place, range.end..range.end, Escapes::None);
                }
                None => {}
            },
            (Some(Piece::Text(range)), None) => {
                let escapes = Escapes::of_markup(&bytes[range.clone()]);
                self.take(place, range.clone(), escapes);
            }
            (Some(Piece::Cdata(range)), None) => self.take(place, range.clone(), Escapes::None),
            (Some(_), Some(_)) => self.take_pieces(place, contents),
        }
    }

    fn malformed(&mut self, at: usize, reason: Malformed) {
        let (line_start, number) = self.lines.pass(at);
        self.sink.take_malformed_place(reason, at, line_start, number);
    }
}
