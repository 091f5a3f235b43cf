//! Wrappers: the prefixes and objects that programs which collect logs put around each line.
//!
//! A wrapper is the same for nearly all lines of a file, and the format inside can be any that [looks at each line by
//! itself](super::lines::log_format::LogFormat::takes_lone_lines). Wrappers are
//! taken off before the format sees a line, and columns count in the line with its wrapper.
//!
//! | module | has |
//! |---|---|
//! | `syslog` | the prefixes of RFC 3164 and RFC 5424 |
//! | `prefixes` | those of container runtimes and their tools |
//! | `strings` | JSON objects that hold the line as a string |
//!
//! A message that its runtime has cut stays cut: a part in which the format finds its field is read, and the others are malformed.

mod prefixes;
mod strings;
mod syslog;

use super::lines::log_format::lines;
use super::lines::message::{Message, Unwrap};
use super::lines::wrapper::Wrapper;

impl Wrapper {
    /// Finds the message of a line.
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

    /// The wrappers of three in four of these lines, the closest one first; empty lines do not count.
    pub(super) fn of(text: &[u8]) -> impl Iterator<Item = Self> {
        let lines: Vec<&[u8]> = lines(text).filter(|line| !line.is_empty()).collect();
        Wrapper::ALL.iter().copied().filter(move |wrapper| {
            let unwrap = wrapper.unwrap();
            let mut misfits = lines.iter().filter(|line| unwrap(line).is_none());
            !lines.is_empty() && misfits.nth(lines.len() / 4).is_none()
        })
    }

    /// The messages of these lines, one a line; a line without a wrapper stays unchanged.
    pub(super) fn messages(self, text: &[u8]) -> Vec<u8> {
        let (unwrap, mut buffer, mut messages) = (self.unwrap(), Vec::new(), Vec::new());
        for line in lines(text) {
            let message = unwrap(line).unwrap_or_else(|| Message::plain(0..line.len()));
            messages.extend_from_slice(message.text(line, &mut buffer));
            messages.push(b'\n');
        }
        messages
    }
}
