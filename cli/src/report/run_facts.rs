//! The facts about a run that its statistics carry beside the counts.

use std::env;
use std::time::SystemTime;

use super::before::Before;

/// The time and the command line of a run, and the statistics to which it is compared.
#[derive(Clone)]
pub(crate) struct RunFacts {
    /// The time at which the run began, in UTC, as RFC 3339 writes it.
    pub(super) date: String,
    /// The arguments, with the program's name first.
    pub(super) command: Vec<Vec<u8>>,
    /// Whether a signal ended the run before all inputs were read.
    pub(super) is_interrupted: bool,
    /// The statistics of an earlier run.
    pub(crate) before: Option<Before>,
}

impl RunFacts {
    /// Returns the facts about this process.
    pub(crate) fn of_process(before: Option<Before>) -> Self {
        let date = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
        let command = env::args_os().map(|argument| argument.into_encoded_bytes()).collect();
        RunFacts { date, command, is_interrupted: false, before }
    }

    /// Returns the same facts about a run that a signal ended.
    pub(crate) fn interrupted(&self) -> Self {
        RunFacts { is_interrupted: true, ..self.clone() }
    }
}
