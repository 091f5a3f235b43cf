//! The links in the JSON object that describes a capture.

use std::ops::Range;

use crate::corpus::format::kinds::json_cursor::{JsonCursor, Next, is_key};
use crate::corpus::format::lines::line::{Field, Line, Malformed};
use crate::corpus::format::lines::unescape::Escapes;
use crate::work::looked_at;

/// The keys that lead to the metadata of a page.
const PAGE: [&[u8]; 4] = [b"Envelope", b"Payload-Metadata", b"HTTP-Response-Metadata", b"HTML-Metadata"];

/// The JSON of a capture. Positions are in its bytes.
pub(super) struct Capture {
    /// Whether the capture is a page.
    pub(super) is_page: bool,
    /// The place at which the JSON breaks, and the reason.
    pub(super) broken: Option<(usize, Malformed)>,
}

pub(super) struct Link {
    pub(super) at: usize,
    pub(super) url: Url,
    pub(super) path: Option<(Range<usize>, Escapes)>,
    /// Whether the link is the base of the others.
    pub(super) is_base: bool,
}

/// The URL of a link.
pub(super) enum Url {
    Text(Range<usize>, Escapes),
    /// `null`, or no URL.
    None,
    Malformed(Malformed),
}

/// Goes through the JSON of a capture.
struct JsonWalk<F> {
    each: F,
    is_page: bool,
}

impl Capture {
    /// Reads the JSON of a capture, and passes its links to `each`, in the order of their places.
    pub(super) fn read(json: &[u8], each: impl FnMut(Link)) -> Self {
        let mut walk = JsonWalk { each, is_page: false };
        let broken = walk.pass(json);
        Capture { is_page: walk.is_page, broken }
    }
}

impl<F: FnMut(Link)> JsonWalk<F> {
    /// Passes the JSON of a capture. Returns the place at which it breaks, and the reason.
    fn pass(&mut self, json: &[u8]) -> Option<(usize, Malformed)> {
        let mut cursor = JsonCursor { line: json, at: 0 };
        cursor.skip_space();
        if cursor.peek() != Some(b'{') {
            return Some((cursor.at, Malformed::NotAnObject));
        }
        let mut has_envelope = false;
        let passed = cursor.object(|cursor, name, escapes| {
            if !is_key(&cursor.line[name], escapes, PAGE[0]) {
                return Ok(Next::Value);
            }
            has_envelope = true;
            self.pass_to_page(cursor, &PAGE[1..])?;
            Ok(Next::Passed)
        });
        let start = json.len() - json.trim_ascii_start().len();
        cursor.skip_space();
        match passed {
            Err(_) => Some((cursor.at.min(json.len()), Malformed::NotJson)),
            Ok(()) if cursor.at < json.len() => Some((cursor.at, Malformed::NotJson)),
            Ok(()) if !has_envelope => Some((start, Malformed::NotAnObject)),
            Ok(()) => None,
        }
    }

    /// Passes a value. The keys `keys` can lead on from it to a page.
    fn pass_to_page(&mut self, cursor: &mut JsonCursor<'_>, keys: &[&[u8]]) -> Result<(), Malformed> {
        let Some((key, keys)) = keys.split_first() else { return self.pass_page(cursor) };
        pass_object(cursor, |cursor, name, escapes| {
            if !is_key(&cursor.line[name], escapes, key) {
                return Ok(Next::Value);
            }
            self.pass_to_page(cursor, keys)?;
            Ok(Next::Passed)
        })
    }

    fn pass_page(&mut self, cursor: &mut JsonCursor<'_>) -> Result<(), Malformed> {
        self.is_page = true;
        pass_object(cursor, |cursor, name, escapes| {
            let is = |key| is_key(&cursor.line[name.clone()], escapes, key);
            if is(b"Links") {
                self.pass_links(cursor)?;
            } else if is(b"Head") {
                self.pass_head(cursor)?;
            } else {
                return Ok(Next::Value);
            }
            Ok(Next::Passed)
        })
    }

    fn pass_head(&mut self, cursor: &mut JsonCursor<'_>) -> Result<(), Malformed> {
        pass_object(cursor, |cursor, name, escapes| {
            let is = |key| is_key(&cursor.line[name.clone()], escapes, key);
            if is(b"Link") || is(b"Scripts") {
                self.pass_links(cursor)?;
            } else if is(b"Base") {
                let at = cursor.at;
                let url = Url::of(cursor)?;
                (self.each)(Link { at: url.start().unwrap_or(at), url, path: None, is_base: true });
            } else {
                return Ok(Next::Value);
            }
            Ok(Next::Passed)
        })
    }

    fn pass_links(&mut self, cursor: &mut JsonCursor<'_>) -> Result<(), Malformed> {
        if cursor.peek() != Some(b'[') {
            return cursor.value(false).map(drop);
        }
        cursor.array(|cursor| self.pass_link(cursor))
    }

    fn pass_link(&mut self, cursor: &mut JsonCursor<'_>) -> Result<(), Malformed> {
        let start = cursor.at;
        let (mut path, mut url, mut href) = (None, None, None);
        pass_object(cursor, |cursor, name, escapes| {
            let is = |key| is_key(&cursor.line[name.clone()], escapes, key);
            let into = if is(b"url") {
                &mut url
            } else if is(b"path") {
                &mut path
            } else if is(b"href") {
                &mut href
            } else {
                return Ok(Next::Value);
            };
            *into = Some(Url::of(cursor)?);
            Ok(Next::Passed)
        })?;
        let url = url.or(href).unwrap_or(Url::None);
        let path = match path {
            Some(Url::Text(path, escapes)) => Some((path, escapes)),
            _ => None,
        };
        (self.each)(Link { at: url.start().unwrap_or(start), url, path, is_base: false });
        Ok(())
    }
}

impl Url {
    /// Passes a value, and returns it without the white space at both ends.
    fn of(cursor: &mut JsonCursor<'_>) -> Result<Self, Malformed> {
        Ok(match cursor.value(true)? {
            Line::Record(Field { range, escapes, .. }) => {
                let url = escapes.trimmed(&cursor.line[range.clone()]);
                Url::Text(range.start + url.start..range.start + url.end, escapes)
            }
            Line::Malformed(reason) => Url::Malformed(reason),
            _ => Url::None,
        })
    }

    fn start(&self) -> Option<usize> {
        match self {
            Url::Text(range, _) => Some(range.start),
            _ => None,
        }
    }
}

/// Passes a value, and its members if it is an object.
fn pass_object(
    cursor: &mut JsonCursor<'_>,
    member: impl FnMut(&mut JsonCursor<'_>, Range<usize>, Escapes) -> Result<Next, Malformed>,
) -> Result<(), Malformed> {
    looked_at(1);
    if cursor.peek() == Some(b'{') { cursor.object(member) } else { cursor.value(false).map(drop) }
}
