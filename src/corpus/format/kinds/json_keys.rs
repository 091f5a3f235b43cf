//! Finds the keys of JSON Lines whose strings look like URIs or have request targets.

use std::fmt;
use std::ops::Range;

use super::access::{self, Access};
use crate::corpus::format::lines::line::{Field, Line};
use crate::corpus::format::lines::log_format::{LineFormat, starts_as_uri};
use crate::corpus::format::lines::unescape::Escapes;
use crate::grammar::Grammar;

/// The form of a key's strings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Form {
    /// URIs, or anything else that is judged as one.
    #[default]
    Uri,
    /// Request targets: `/a`.
    Target,
    /// Request lines: `GET /a HTTP/1.1`.
    Request,
    /// Lines of an access log.
    AccessLine,
}

impl Form {
    /// The form of a string, if it is sure.
    fn of(text: &[u8]) -> Option<Self> {
        let text = text.trim_ascii_end();
        let behind_scheme = text.iter().position(|&byte| byte == b':').map_or(&[][..], |at| &text[at + 1..]);
        if starts_as_uri(text) && behind_scheme.starts_with(b"//") {
            Some(Form::Uri)
        } else if text.starts_with(b"/") && !text.contains(&b' ') {
            Some(Form::Target)
        } else if text.ends_with(b"HTTP/1.1") || text.ends_with(b"HTTP/1.0") || text.ends_with(b"HTTP/2.0") {
            let has_target = text[0].is_ascii_uppercase() && access::target(text, 0..text.len()).is_ok();
            has_target.then_some(Form::Request)
        } else {
            ACCESS.fits_any(text).then_some(Form::AccessLine)
        }
    }

    pub(super) fn grammar(self) -> Grammar {
        if self == Form::Uri { Grammar::Uri } else { Grammar::RequestTarget }
    }

    fn name(self) -> &'static str {
        match self {
            Form::Uri => "URIs",
            Form::Target => "request targets",
            Form::Request => "request lines",
            Form::AccessLine => "access log lines",
        }
    }

    /// The record that is in a string of this form.
    pub(super) fn record(self, line: &[u8], string: Field) -> Line {
        if matches!(self, Form::Uri | Form::Target) {
            return Line::Record(string);
        }
        let raw = &line[string.range.clone()];
        let mut text = Vec::new();
        string.escapes.write(raw, &mut text);
        let found = match self {
            Form::Request if text == b"-" || text.is_empty() => Line::Sentinel,
            Form::Request => access::target(&text, 0..text.len()).map(Line::plain).into(),
            _ => LineFormat::find(&mut ACCESS.clone(), text.trim_ascii_end()),
        };
        found.inside(string.range.start, raw, string.escapes)
    }
}

/// Finds the target in a line of an access log.
const ACCESS: Access = Access { referer: false, is_combined: false };

impl Access {
    fn fits_any(self, line: &[u8]) -> bool {
        matches!(LineFormat::find(&mut self.clone(), line), Line::Record(_))
    }
}

/// A key, and how many of its strings have the form that most of them have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KeyFound {
    /// As it is selected.
    pub(super) name: String,
    pub(super) form: Form,
    pub(super) count: usize,
}

/// More keys are not looked at.
const MOST_KEYS: usize = 200;

/// The keys of some lines, by the forms of their strings.
#[derive(Debug, Default)]
pub(super) struct Keys {
    found: Vec<KeyFound>,
    pub(super) lines: usize,
}

impl Keys {
    /// Takes a string of a key.
    pub(super) fn take(&mut self, name: &str, line: &[u8], string: Range<usize>, escapes: Escapes) {
        let mut text = Vec::new();
        escapes.write(&line[string], &mut text);
        let Some(form) = Form::of(&text) else { return };
        match self.found.iter().position(|key| key.name == name && key.form == form) {
            Some(at) => self.found[at].count += 1,
            None if self.found.len() < MOST_KEYS => {
                self.found.push(KeyFound { name: name.to_owned(), form, count: 1 });
            }
            None => {}
        }
    }

    /// The keys that have strings of one form in at least one of ten lines, most first.
    pub(super) fn likely(mut self) -> Vec<KeyFound> {
        let lines = self.lines;
        self.found.retain(|key| key.count * 10 >= lines);
        self.found.sort_by_key(|key| std::cmp::Reverse(key.count));
        self.found
    }
}

/// Says what the keys are, of so many lines.
pub(super) struct Named<'k>(pub(super) &'k [KeyFound], pub(super) usize);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// More are not named.
        const MOST: usize = 4;

        let Named(keys, lines) = *self;
        for (index, key) in keys.iter().take(MOST).enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            let share = key.count * 100 / lines.max(1);
            write!(f, "{comma}{:?} has {} in {share}% of the lines", key.name, key.form.name())?;
        }
        Ok(())
    }
}
