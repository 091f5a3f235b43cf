//! The forms of JSON strings that hold a record: URIs, request targets, request lines, and lines of an access
//! log.

use std::ops::AddAssign;

use super::access::{self, Access};
use crate::corpus::format::lines::line::{Field, Line};
use crate::corpus::format::lines::log_format::{LineFormat, starts_as_uri};
use crate::corpus::format::lines::unescape::Escapes;
use crate::grammar::Grammar;

/// The form of a key's strings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Form {
    /// URIs, or any other text that is judged as a URI.
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
    const ALL: [Form; 4] = [Form::Uri, Form::Target, Form::Request, Form::AccessLine];

    /// Returns the form of a string, if the string surely has one.
    fn of(text: &[u8]) -> Option<Self> {
        let text = text.trim_ascii_end();
        let after_scheme = text.iter().position(|&byte| byte == b':').map_or(&[][..], |at| &text[at + 1..]);
        if starts_as_uri(text) && after_scheme.starts_with(b"//") {
            Some(Form::Uri)
        } else if text.starts_with(b"/") && !text.contains(&b' ') {
            Some(Form::Target)
        } else if text.rsplit(|&byte| byte == b' ').next().is_some_and(is_version) {
            let has_target = text[0].is_ascii_uppercase() && access::target(text, 0..text.len()).is_ok();
            has_target.then_some(Form::Request)
        } else {
            ACCESS.fits_any(text).then_some(Form::AccessLine)
        }
    }

    pub(super) fn grammar(self) -> Grammar {
        if self == Form::Uri { Grammar::Uri } else { Grammar::RequestTarget }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Form::Uri => "URIs",
            Form::Target => "request targets",
            Form::Request => "request lines",
            Form::AccessLine => "access log lines",
        }
    }

    /// Returns the record in a string of this form.
    pub(super) fn record(self, line: &[u8], string: Field) -> Line {
        if matches!(self, Form::Uri | Form::Target) {
            return Line::Record(string);
        }
        let raw = &line[string.range.clone()];
        let mut text = Vec::new();
        string.escapes.write(raw, &mut text);
        let found = match self {
            Form::Request if text == b"-" || text.is_empty() => Line::Sentinel,
            Form::Request => access::target(&text, 0..text.len()).map(Line::unescaped).into(),
            _ => LineFormat::find(&mut ACCESS.clone(), text.trim_ascii_end()),
        };
        found.inside(string.range.start, raw, string.escapes)
    }
}

/// Returns true if a word is a version of HTTP, like `HTTP/1.1` or `HTTP/2`.
fn is_version(word: &[u8]) -> bool {
    let number = word.strip_prefix(b"HTTP/").unwrap_or_default();
    number.first().is_some_and(u8::is_ascii_digit)
        && number.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
}

/// Finds the target in a line of an access log.
const ACCESS: Access = Access { referer: false, is_combined: false };

impl Access {
    fn fits_any(self, line: &[u8]) -> bool {
        matches!(LineFormat::find(&mut self.clone(), line), Line::Record(_) | Line::Sentinel)
    }
}

/// Counts the strings of each form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Forms {
    counts: [usize; Form::ALL.len()],
    /// The number of all strings, with and without a form.
    pub(super) strings: usize,
}

impl Forms {
    /// Takes a string, given as the bytes between its quotes.
    pub(super) fn take(&mut self, string: &[u8], escapes: Escapes) {
        self.strings += 1;
        let mut text = Vec::new();
        escapes.write(string, &mut text);
        if let Some(form) = Form::of(&text) {
            self.counts[form as usize] += 1;
        }
    }

    /// Returns the number of strings with a form.
    pub(super) fn fits(self) -> usize {
        self.counts.iter().sum()
    }

    /// Returns the most frequent form, if more than half of the strings have a form; otherwise URIs.
    pub(super) fn form(self) -> Form {
        if self.fits() * 2 > self.strings { self.most() } else { Form::Uri }
    }

    /// Returns the most frequent form. If several are equally frequent, the first of them.
    pub(super) fn most(self) -> Form {
        let counts = Form::ALL.into_iter().zip(self.counts).rev();
        counts.max_by_key(|&(_, count)| count).map_or(Form::Uri, |(form, _)| form)
    }
}

impl AddAssign for Forms {
    fn add_assign(&mut self, other: Self) {
        self.counts.iter_mut().zip(other.counts).for_each(|(count, other)| *count += other);
        self.strings += other.strings;
    }
}
