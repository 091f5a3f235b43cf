//! The URLs in texts and values, as records.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use super::characters::Characters;
use super::entities::Entities;
use super::events::{Event, Piece, ValueHolds, Visit};
use crate::corpus::format::kinds::html;
use crate::corpus::format::lines::document_sink::DocumentSink;
use crate::corpus::format::lines::element::{Holder, Name};
use crate::corpus::format::lines::line::Malformed;
use crate::corpus::format::lines::unescape::Escapes;
use crate::work::{looked_at, memchr3};

/// Takes the URLs of a chunk.
pub(super) struct UrlSink<'w, 's> {
    to: DocumentSink<'w, 's>,
    characters: Characters<'w>,
    /// The malformed places that have not been passed on, in order: URLs may come before them.
    malformed: VecDeque<(usize, Malformed)>,
    entities: Option<Arc<Entities>>,
    /// The base of the next URLs, and the base that the sink knows.
    base: Option<Arc<[u8]>>,
    base_of_sink: Option<Arc<[u8]>>,
    /// The document is not read from this byte on.
    end: usize,
}

impl<'w, 's> UrlSink<'w, 's> {
    pub(super) fn new(
        to: DocumentSink<'w, 's>,
        characters: Characters<'w>,
        entities: Option<Arc<Entities>>,
        base: Option<Arc<[u8]>>,
    ) -> Self {
        let end = to.chunk.bytes.len();
        UrlSink { to, characters, malformed: VecDeque::new(), entities, base, base_of_sink: None, end }
    }

    /// Ends the part of the document that is read.
    pub(super) fn end_at(&mut self, end: usize) {
        self.end = end;
    }

    /// Passes on the malformed places that remain, and counts the lines.
    pub(super) fn finish(mut self) {
        self.pass_to(self.end);
        for (at, reason) in std::mem::take(&mut self.malformed) {
            self.to.malformed(at, reason);
        }
        self.to.finish();
    }

    /// Passes on the malformed places before a byte.
    #[inline]
    fn pass_to(&mut self, end: usize) {
        if !self.malformed.is_empty() || !self.characters.are_known_before(end.min(self.end)) {
            self.pass_faults(end);
        }
    }

    #[inline(never)]
    fn pass_faults(&mut self, end: usize) {
        loop {
            let character = self.characters.next_before(end.min(self.end));
            let before = character.unwrap_or(end);
            while let Some(&(at, reason)) = self.malformed.front().filter(|&&(at, _)| at < before) {
                self.malformed.pop_front();
                self.to.malformed(at, reason);
            }
            match character {
                Some(at) => self.to.malformed(at, Malformed::ForbiddenCharacter),
                None => return,
            }
        }
    }

    /// Keeps a malformed place until the places before it have been passed on.
    fn keep(&mut self, at: usize, reason: Malformed) {
        match self.malformed.back() {
            // A text over the limit is malformed as a whole, and may have faults in it.
            Some(&(last, _)) if last > at => {
                let place = self.malformed.partition_point(|&(before, _)| before <= at);
                self.malformed.insert(place, (at, reason));
            }
            _ => self.malformed.push_back((at, reason)),
        }
    }

    /// Prepares the record that starts at a byte.
    #[inline]
    fn begin(&mut self, at: usize) {
        self.pass_to(at);
        // Each base has its place in memory as long as one of the two holds it.
        if self.base.as_ref().map(Arc::as_ptr) != self.base_of_sink.as_ref().map(Arc::as_ptr) {
            self.to.fields.set_base(self.base.as_deref());
            self.base_of_sink.clone_from(&self.base);
        }
    }

    /// Takes the URL in these bytes of the chunk. White space can surround it.
    fn take_url(&mut self, place: Holder, value: Range<usize>, escapes: Escapes) -> bool {
        let raw = &self.to.chunk.bytes[value.clone()];
        if escapes == Escapes::Markup && self.entities.is_some() {
            return self.take_with_entities(place, value);
        }
        let within = escapes.trimmed(raw);
        // An empty URL is at the end of the value.
        let start = if within.is_empty() { value.end } else { value.start + within.start };
        let url = start..start + within.len();
        self.begin(url.start);
        if url.len() > self.to.chunk.max_record {
            self.to.malformed(url.start, Malformed::TooLong);
            return false;
        }
        self.to.record(Some(place), url, escapes)
    }

    /// Takes a URL that may have references to entities.
    #[cold]
    fn take_with_entities(&mut self, place: Holder, value: Range<usize>) -> bool {
        let raw = &self.to.chunk.bytes[value.clone()];
        let start = value.start + raw.len() - raw.trim_ascii_start().len();
        let mut text = Vec::new();
        let is_read = self.entities.as_ref().is_none_or(|entities| entities.undo(raw, &mut text));
        self.begin(start);
        if !is_read {
            self.to.malformed(start, Malformed::UnreadEntity);
            return false;
        }
        self.take_made(place, &text, start)
    }

    /// Takes a URL that the chunk spells differently. White space can surround it.
    fn take_made(&mut self, place: Holder, text: &[u8], at: usize) -> bool {
        let url = text.trim_ascii();
        if url.len() > self.to.chunk.max_record {
            self.to.malformed(at, Malformed::TooLong);
            return false;
        }
        self.to.made(place, url, Escapes::None, at)
    }

    /// Takes the URL of a value. A line end or a tab stands for a space (XML 1.0 sections 2.11 and 3.3.3).
    fn take_value(&mut self, place: Holder, value: Range<usize>) -> bool {
        let raw = &self.to.chunk.bytes[value.clone()];
        if memchr3(b'\n', b'\r', b'\t', raw.trim_ascii()).is_some() {
            return self.take_spaced(place, value);
        }
        let escapes = Escapes::of_markup(raw);
        self.take_url(place, value, escapes)
    }

    /// Takes the URL of a value that has line ends or tabs.
    #[cold]
    fn take_spaced(&mut self, place: Holder, value: Range<usize>) -> bool {
        let raw = &self.to.chunk.bytes[value.clone()];
        let start = value.start + raw.len() - raw.trim_ascii_start().len();
        let mut spaced = Vec::with_capacity(raw.len());
        for (at, &byte) in raw.iter().enumerate() {
            match byte {
                b'\n' if raw[..at].ends_with(b"\r") => {}
                b'\n' | b'\r' | b'\t' => spaced.push(b' '),
                byte => spaced.push(byte),
            }
        }
        looked_at(raw.len());
        let mut text = Vec::new();
        let is_read = self.undo(&spaced, &mut text);
        self.begin(start);
        if !is_read {
            self.to.malformed(start, Malformed::UnreadEntity);
            return false;
        }
        self.take_made(place, &text, start)
    }

    /// Appends a text to `text` with its references undone, and returns true. Returns false if it has a
    /// reference that is not read.
    fn undo(&self, raw: &[u8], text: &mut Vec<u8>) -> bool {
        match &self.entities {
            Some(entities) => entities.undo(raw, text),
            None => {
                Escapes::Markup.write(raw, text);
                true
            }
        }
    }

    fn take_text(&mut self, element: &'static str, pieces: &[Piece]) {
        let place = Holder { element: Name::Known(element), attribute: None };
        let bytes = self.to.chunk.bytes;
        if let [Piece::Verbatim(range)] = pieces {
            self.take_url(place, range.clone(), Escapes::None);
            return;
        }
        let mut filled = pieces.iter().filter(|piece| !piece.is_blank(bytes));
        match (filled.next(), filled.next()) {
            (None, _) => {
                let end = pieces.last().map_or(0, |piece| piece.range().end);
                self.take_url(place, end..end, Escapes::None);
            }
            (Some(Piece::Text(range)), None) => {
                let escapes = Escapes::of_markup(&bytes[range.clone()]);
                self.take_url(place, range.clone(), escapes);
            }
            (Some(Piece::Verbatim(range) | Piece::Cdata(range)), None) => {
                self.take_url(place, range.clone(), Escapes::None);
            }
            (Some(_), Some(_)) => self.take_pieces(place, pieces),
        }
    }

    /// Takes a URL that consists of several pieces.
    fn take_pieces(&mut self, place: Holder, pieces: &[Piece]) {
        let bytes = self.to.chunk.bytes;
        let (mut text, mut is_read) = (Vec::new(), true);
        let mut start = None;
        for piece in pieces {
            let raw = &bytes[piece.range().clone()];
            let spaces = raw.len() - raw.trim_ascii_start().len();
            start = start.or((spaces < raw.len()).then_some(piece.range().start + spaces));
            match piece {
                Piece::Verbatim(_) | Piece::Cdata(_) => text.extend_from_slice(raw),
                Piece::Text(_) => is_read &= self.undo(raw, &mut text),
            }
        }
        let at = start.unwrap_or(pieces[0].range().start);
        self.begin(at);
        if is_read {
            self.take_made(place, &text, at);
        } else {
            self.to.malformed(at, Malformed::UnreadEntity);
        }
    }
}

impl Visit for UrlSink<'_, '_> {
    fn take(&mut self, event: Event<'_>) {
        let bytes = self.to.chunk.bytes;
        match event {
            Event::Attribute { element, attribute, holds, value } => {
                let place = Holder { element, attribute: Some(Name::Known(attribute)) };
                if holds != ValueHolds::Urls {
                    if self.take_value(place, value) && holds == ValueHolds::FirstBase {
                        self.to.fields.last_needs_no_base();
                    }
                    return;
                }
                let mut at = value.start;
                for word in bytes[value].split(u8::is_ascii_whitespace) {
                    if !word.is_empty() {
                        self.take_url(place.clone(), at..at + word.len(), Escapes::of_markup(word));
                    }
                    at += word.len() + 1;
                }
            }
            Event::Html { element, local, attribute, value } => {
                let (start, raw) = (value.start, &bytes[value]);
                let name = Name::At(element.start as u32..element.end as u32);
                html::urls_of(&bytes[local], &bytes[attribute], raw, |attribute, url| {
                    let place = Holder { element: name.clone(), attribute: Some(Name::Known(attribute)) };
                    self.take_value(place, start + url.start..start + url.end);
                });
            }
            Event::Text { element, pieces } => self.take_text(element, pieces),
            Event::Base(base) => self.base = base.cloned(),
            Event::Entities(entities) => self.entities = Some(entities.clone()),
            Event::Malformed(at, reason) => self.keep(at, reason),
            Event::Broken(at) => self.end = at,
        }
    }
}
