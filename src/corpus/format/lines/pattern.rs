//! A regular expression with the group that is a record.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

use regex::bytes::{CaptureLocations, Regex, RegexBuilder};

use crate::work::looked_at;

/// A regular expression that finds the record in a line, in the syntax of the crate `regex`, over bytes: `.`
/// and `\S` match any byte of a line, ASCII or not, unless the pattern sets `(?u)`.
///
/// ```
/// use urivalidate::corpus::{Format, Layout, LayoutOptions, Pattern};
///
/// let mut options = LayoutOptions::default();
/// options.pattern = Some(r"to=(?<uri>\S+)".parse::<Pattern>()?);
/// assert!(Layout::new(Format::Regex, &options).is_ok());
/// assert!("(".parse::<Pattern>().is_err());
/// # Ok::<(), urivalidate::corpus::PatternError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pattern {
    // Shared by all copies of the pattern.
    regex: Arc<Regex>,
    /// The group that is the record; 0 is the whole match.
    group: usize,
}

impl Pattern {
    /// Returns the buffer of [`find`](Self::find), which later calls reuse.
    pub(crate) fn room(&self) -> CaptureLocations {
        self.regex.capture_locations()
    }

    /// Returns the names of the groups, in order. A group without a name goes by its number.
    pub(crate) fn group_names(&self) -> Vec<String> {
        let groups = self.regex.capture_names().enumerate().skip(1);
        groups.map(|(number, name)| name.map_or_else(|| number.to_string(), str::to_owned)).collect()
    }

    /// Passes the place of each group that is in the first match to `take`, with the number of the group,
    /// counted from 0.
    pub(crate) fn find_groups(
        &self,
        line: &[u8],
        room: &mut CaptureLocations,
        mut take: impl FnMut(usize, Range<usize>),
    ) {
        looked_at(line.len());
        if self.regex.captures_read(room, line).is_some() {
            for group in 1..room.len() {
                if let Some((start, end)) = room.get(group) {
                    take(group - 1, start..end);
                }
            }
        }
    }

    /// Returns the place of the record in a line.
    pub(crate) fn find(&self, line: &[u8], room: &mut CaptureLocations) -> Option<Range<usize>> {
        looked_at(line.len());
        match self.group {
            0 => self.regex.find(line).map(|found| found.range()),
            group => {
                self.regex.captures_read(room, line)?;
                room.get(group).map(|(start, end)| start..end)
            }
        }
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.regex.as_str() == other.regex.as_str()
    }
}

impl Eq for Pattern {}

/// The error of a text that is not a regular expression, or is one that is too large.
#[derive(Clone, Debug)]
pub struct PatternError(regex::Error);

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for PatternError {}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(pattern: &str) -> Result<Self, PatternError> {
        let regex = RegexBuilder::new(pattern).unicode(false).build().map_err(PatternError)?;
        let named = regex.capture_names().position(|name| name == Some("uri"));
        let group = named.unwrap_or(usize::from(regex.captures_len() > 1));
        Ok(Pattern { regex: Arc::new(regex), group })
    }
}
