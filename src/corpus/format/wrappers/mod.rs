//! Wrappers: the prefixes and objects that log collectors put around each line.
//!
//! Nearly all lines of a file have the same wrapper. The format inside can be any format that [reads each
//! line by itself](super::lines::log_format::LogFormat::takes_lone_lines). Wrappers are removed before the
//! format gets a line; columns count in the line with its wrapper.
//!
//! | module | has |
//! |---|---|
//! | `syslog` | the prefixes of RFC 3164 and RFC 5424 |
//! | `prefixes` | the prefixes of container runtimes and their tools |
//! | `strings` | JSON objects that hold the line as a string |
//!
//! A message that its runtime has cut stays cut. A part in which the format finds its field is read; the
//! other parts are malformed.

mod prefixes;
mod strings;
mod syslog;

use super::lines::log_format::lines;
use super::lines::message::{Message, Unwrap};
use super::lines::wrapper::Wrapper;

impl Wrapper {
    /// Returns the function that finds the message of a line.
    pub(super) fn unwrap(self) -> Unwrap {
        match self {
            Wrapper::Syslog => syslog::message,
            Wrapper::Cri => prefixes::cri,
            Wrapper::Docker => strings::docker,
            Wrapper::Journald => strings::journald,
            Wrapper::Kubernetes => prefixes::kubernetes,
            Wrapper::Compose => prefixes::compose,
            Wrapper::Timestamps => prefixes::timestamps,
        }
    }

    /// Returns the wrappers that at least three in four of these lines have, the most specific one first.
    /// Empty lines do not count.
    pub(super) fn of(text: &[u8]) -> impl Iterator<Item = Self> {
        let lines: Vec<&[u8]> = lines(text).filter(|line| !line.is_empty()).collect();
        Wrapper::ALL.iter().copied().filter(move |wrapper| {
            let unwrap = wrapper.unwrap();
            let mut misfits = lines.iter().filter(|line| unwrap(line).is_none());
            !lines.is_empty() && misfits.nth(lines.len() / 4).is_none()
        })
    }

    /// Returns the messages of these lines, one per line. A line without a wrapper stays unchanged.
    pub(super) fn messages(self, text: &[u8]) -> Vec<u8> {
        let (unwrap, mut buffer, mut messages) = (self.unwrap(), Vec::new(), Vec::new());
        for line in lines(text) {
            let message = unwrap(line).unwrap_or_else(|| Message::unescaped(0..line.len()));
            messages.extend_from_slice(message.text(line, &mut buffer));
            messages.push(b'\n');
        }
        messages
    }
}
