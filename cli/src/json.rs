//! Writing JSON with the keys in a given order.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use urivalidate::stats::{Figure, Problem};
use urivalidate::work::looked_at;

use crate::escape::is_clean;

/// A writer of an object: `{`, and then its members.
pub(crate) struct Object<'a> {
    out: &'a mut Vec<u8>,
    is_empty: bool,
}

impl<'a> Object<'a> {
    pub(crate) fn new(out: &'a mut Vec<u8>) -> Self {
        out.push(b'{');
        Object { out, is_empty: true }
    }

    /// Writes the key of a member; the caller writes the value to the returned buffer. No key used here needs
    /// escapes.
    pub(crate) fn key(&mut self, key: &str) -> &mut Vec<u8> {
        if !std::mem::take(&mut self.is_empty) {
            self.out.push(b',');
        }
        self.out.push(b'"');
        self.out.extend_from_slice(key.as_bytes());
        self.out.extend_from_slice(b"\":");
        self.out
    }

    pub(crate) fn number(&mut self, key: &str, value: u64) {
        number(self.key(key), value);
    }

    pub(crate) fn number_or_null(&mut self, key: &str, value: Option<u64>) {
        match value {
            Some(value) => self.number(key, value),
            None => self.null(key),
        }
    }

    pub(crate) fn null(&mut self, key: &str) {
        self.key(key).extend_from_slice(b"null");
    }

    pub(crate) fn string(&mut self, key: &str, value: &str) {
        string(self.key(key), value);
    }

    pub(crate) fn text(&mut self, key: &str, value: &[u8]) {
        text(self.key(key), value);
    }

    pub(crate) fn end(self) {
        self.out.push(b'}');
    }
}

/// Writes a value of statistics.
pub(crate) fn figure(out: &mut Vec<u8>, value: &Figure<'_>) {
    match value {
        Figure::Null => out.extend_from_slice(b"null"),
        Figure::Bool(value) => out.extend_from_slice(if *value { b"true" } else { b"false" }),
        Figure::Number(value) => number(out, *value),
        Figure::Float(value) => float(out, *value),
        Figure::Text(value) => text(out, value),
        Figure::List(values) => {
            out.push(b'[');
            for (i, value) in values.iter().enumerate() {
                if i > 0 {
                    out.push(b',');
                }
                figure(out, value);
            }
            out.push(b']');
        }
        Figure::Map(members) => {
            let mut object = Object::new(out);
            for (name, value) in members {
                figure(object.key(name), value);
            }
            object.end();
        }
    }
}

/// Writes the error of a record or a line, as an object.
pub(crate) fn problem(out: &mut Vec<u8>, problem: Problem) {
    let mut object = Object::new(out);
    object.string("kind", problem.kind());
    match problem.component() {
        Some(component) => object.string("component", component.name()),
        None => object.null("component"),
    }
    object.number_or_null("offset", problem.offset());
    object.end();
}

pub(crate) fn number(out: &mut Vec<u8>, value: u64) {
    // Most numbers are small.
    let digit = |value: u64| b'0' + value as u8;
    match value {
        0..10 => return out.push(digit(value)),
        10..100 => return out.extend([digit(value / 10), digit(value % 10)]),
        _ => {}
    }
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

pub(crate) fn float(out: &mut Vec<u8>, value: f64) {
    serde_json::to_writer(out, &value).expect("a Vec takes everything");
}

pub(crate) fn string(out: &mut Vec<u8>, value: &str) {
    serde_json::to_writer(out, value).expect("a Vec takes everything");
}

/// Writes a string that needs no escapes.
pub(crate) fn unescaped(out: &mut Vec<u8>, value: &[u8]) {
    out.push(b'"');
    out.extend_from_slice(value);
    out.push(b'"');
}

/// Writes a string, or `{"bytes":"<base64>"}` if the bytes are not UTF-8.
pub(crate) fn text(out: &mut Vec<u8>, value: &[u8]) {
    // Most strings are ASCII and need no escapes.
    if is_clean(value, |byte| (byte < 0x20) | (byte == b'"') | (byte == b'\\') | !byte.is_ascii()) {
        return unescaped(out, value);
    }
    // A mapped file may change, but a string must not. So the checks examine a copy, which usually becomes
    // the value.
    let start = out.len();
    unescaped(out, value);
    let copy = &out[start + 1..out.len() - 1];
    let has_escapes = !is_clean(copy, |byte| (byte < 0x20) | (byte == b'"') | (byte == b'\\'));
    if !has_escapes && str::from_utf8(copy).is_ok() {
        return;
    }
    let copy = copy.to_vec();
    looked_at(copy.len());
    out.truncate(start);
    match String::from_utf8(copy) {
        Ok(value) => string(out, &value),
        Err(error) => {
            let mut object = Object::new(out);
            object.string("bytes", &STANDARD.encode(error.as_bytes()));
            object.end();
        }
    }
}
