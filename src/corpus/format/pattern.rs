//! What a regular expression matches: its group named `uri`, or its first group, or all of it. The first match in a line counts.

#[cfg(feature = "regex")]
pub use with_regex::{Pattern, PatternError};

use super::log_format::Entry;

pub(super) const ENTRY: Entry = Entry {
    about: "what --regex matches in a line: its group named uri, or its first group, or all",
    fields: "what a pattern matches",
    sentinels: "",
    select: |options| {
        #[cfg(feature = "regex")]
        return options.pattern.clone().map(|pattern| {
            std::sync::Arc::new(with_regex::Matches::new(pattern))
                as std::sync::Arc<dyn super::log_format::LogFormat>
        });
        #[cfg(not(feature = "regex"))]
        {
            let _ = options;
            None
        }
    },
};

#[cfg(feature = "regex")]
mod with_regex {
    use std::fmt;
    use std::str::FromStr;
    use std::sync::Arc;

    use regex::bytes::{CaptureLocations, Regex, RegexBuilder};

    use crate::corpus::format::line::{Line, Malformed};
    use crate::corpus::format::log_format::LineFormat;

    /// A regular expression that finds the record in a line, in the syntax of the crate `regex`, over bytes: `.` and `\S` match any
    /// byte of a line, ASCII or not, unless `(?u)` says otherwise.
    ///
    /// ```
    /// use urivalidate::corpus::{Format, Layout, LayoutOptions, Pattern};
    ///
    /// let mut options = LayoutOptions::default();
    /// options.pattern = Some(r"to=(?<uri>\S+)".parse::<Pattern>()?);
    /// assert!(Layout::with(Format::Regex, &options).is_ok());
    /// assert!("(".parse::<Pattern>().is_err());
    /// # Ok::<(), urivalidate::corpus::PatternError>(())
    /// ```
    #[derive(Clone, Debug)]
    pub struct Pattern {
        // Shared with what it has learned.
        regex: Arc<Regex>,
        /// The group that is the record; 0 is the whole match.
        group: usize,
    }

    impl PartialEq for Pattern {
        fn eq(&self, other: &Self) -> bool {
            self.regex.as_str() == other.regex.as_str()
        }
    }

    impl Eq for Pattern {}

    /// A text is no regular expression, or too large a one.
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

    #[derive(Clone, Debug)]
    pub(super) struct Matches {
        pattern: Pattern,
        groups: CaptureLocations,
    }

    impl Matches {
        pub(super) fn new(pattern: Pattern) -> Self {
            let groups = pattern.regex.capture_locations();
            Matches { pattern, groups }
        }
    }

    impl PartialEq for Matches {
        fn eq(&self, other: &Self) -> bool {
            self.pattern == other.pattern
        }
    }

    impl LineFormat for Matches {
        fn find(&mut self, line: &[u8]) -> Line {
            let Matches { pattern: Pattern { regex, group }, groups } = self;
            let range = match *group {
                0 => regex.find(line).map(|found| found.range()),
                group => regex
                    .captures_read(groups, line)
                    .and_then(|_| groups.get(group))
                    .map(|(start, end)| start..end),
            };
            range.map_or(Line::Malformed(Malformed::NoMatch), Line::plain)
        }

        fn fits(&mut self, line: &[u8]) -> bool {
            matches!(self.find(line), Line::Record(_))
        }
    }
}
