//! The URL in an element's text or an attribute's value, as a record.

use std::ops::Range;

use super::walk::{Visit, XmlToken};
use crate::corpus::format::lines::document_sink::DocumentSink;
use crate::corpus::format::lines::element::{Holder, Name};
use crate::corpus::format::lines::line::Malformed;
use crate::corpus::format::lines::unescape::Escapes;
use crate::work::{looked_at, memchr3};

/// Takes the URLs of a chunk.
pub(super) struct UrlSink<'w, 's>(pub(super) DocumentSink<'w, 's>);

impl UrlSink<'_, '_> {
    /// Takes the URL in these bytes of the chunk. White space can surround it.
    fn take(&mut self, place: Holder, value: Range<usize>, escapes: Escapes) {
        let raw = &self.0.chunk.bytes[value.clone()];
        let within = escapes.trimmed(raw);
        // An empty URL is at the end of the value.
        let start = if within.is_empty() { value.end } else { value.start + within.start };
        let url = start..start + within.len();
        if url.len() > self.0.chunk.max_record {
            return self.malformed(url.start, Malformed::TooLong);
        }
        if !self.0.record(Some(place), url.clone(), escapes) {
            return;
        }
        if let Some(at) = escapes.first_unsound(&self.0.chunk.bytes[url.clone()]) {
            self.malformed(url.start + at, Malformed::BadReference);
        }
    }

    /// Takes the URL of an attribute that has line ends or tabs: each stands for a space (XML 1.0 sections 2.11 and 3.3.3).
    #[cold]
    fn take_spaced(&mut self, place: Holder, url: Range<usize>) {
        let raw = &self.0.chunk.bytes[url.clone()];
        let start = url.start + raw.len() - raw.trim_ascii_start().len();
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
        Escapes::Markup.write(&spaced, &mut text);
        let unsound = Escapes::Markup.first_unsound(raw);
        self.0.made(place, text.trim_ascii(), Escapes::None, start);
        if let Some(at) = unsound {
            self.malformed(url.start + at, Malformed::BadReference);
        }
    }

    /// Takes a URL that consists of several pieces.
    fn take_pieces(&mut self, place: Holder, pieces: &[XmlToken]) {
        let mut text = Vec::new();
        let mut unsound = None;
        for piece in pieces {
            match piece {
                XmlToken::Cdata(range) => text.extend_from_slice(&self.0.chunk.bytes[range.clone()]),
                XmlToken::Text(range) => {
                    let raw = &self.0.chunk.bytes[range.clone()];
                    Escapes::Markup.write(raw, &mut text);
                    unsound = unsound.or(Escapes::Markup.first_unsound(raw).map(|at| range.start + at));
                }
            }
        }
        let at = match &pieces[0] {
            XmlToken::Text(range) | XmlToken::Cdata(range) => range.start,
        };
        self.0.made(place, text.trim_ascii(), Escapes::None, at);
        if let Some(at) = unsound {
            self.malformed(at, Malformed::BadReference);
        }
    }
}

impl Visit for UrlSink<'_, '_> {
    fn attribute(&mut self, place: Holder, url: Range<usize>) {
        let raw = &self.0.chunk.bytes[url.clone()];
        if memchr3(b'\n', b'\r', b'\t', raw.trim_ascii()).is_some() {
            return self.take_spaced(place, url);
        }
        let escapes = Escapes::of_markup(&self.0.chunk.bytes[url.clone()]);
        self.take(place, url, escapes);
    }

    fn text(&mut self, element: &'static str, contents: &[XmlToken]) {
        let place = Holder { element: Name::Known(element), attribute: None };
        let bytes = self.0.chunk.bytes;
        let is_blank = |piece: &XmlToken| matches!(piece, XmlToken::Text(range) if bytes[range.clone()].trim_ascii().is_empty());
        let mut filled = contents.iter().filter(|piece| !is_blank(piece));
        match (filled.next(), filled.next()) {
            (None, _) => match contents.last() {
                Some(XmlToken::Text(range) | XmlToken::Cdata(range)) => {
                    self.take(place, range.end..range.end, Escapes::None);
                }
                None => {}
            },
            (Some(XmlToken::Text(range)), None) => {
                let escapes = Escapes::of_markup(&bytes[range.clone()]);
                self.take(place, range.clone(), escapes);
            }
            (Some(XmlToken::Cdata(range)), None) => self.take(place, range.clone(), Escapes::None),
            (Some(_), Some(_)) => self.take_pieces(place, contents),
        }
    }

    fn malformed(&mut self, at: usize, reason: Malformed) {
        self.0.malformed(at, reason);
    }
}
