//! The matches of a regular expression: its group named `uri`, or its first group, or the whole match. Only
//! the first match in a line counts.

use crate::corpus::format::lines::entry::{Entry, FieldChoice};

pub(crate) const ENTRY: Entry = Entry {
    about: "the match of a regular expression in a line: the group named uri, else the first group, else the whole match",
    sentinels: "",
    fields: FieldChoice::Other("what a pattern matches", |options| {
        #[cfg(feature = "regex")]
        return options.pattern.clone().map(|pattern| {
            std::sync::Arc::new(with_regex::Matches::new(pattern))
                as std::sync::Arc<dyn crate::corpus::format::lines::log_format::LogFormat>
        });
        #[cfg(not(feature = "regex"))]
        {
            let _ = options;
            None
        }
    }),
    #[cfg(test)]
    example: ["", "to=", " x\n"],
};

#[cfg(feature = "regex")]
mod with_regex {
    use regex::bytes::CaptureLocations;

    use crate::corpus::format::lines::line::{Line, Malformed};
    use crate::corpus::format::lines::line_fields::{LineFields, Place, Positions, position_of_number};
    use crate::corpus::format::lines::log_format::LineFormat;
    use crate::corpus::format::lines::pattern::Pattern;
    use crate::corpus::format::lines::unescape::Escapes;

    #[derive(Clone, Debug)]
    pub(crate) struct Matches {
        pattern: Pattern,
        room: CaptureLocations,
        /// A copy of the line. The bytes of a mapped file can change, but an engine that reads them twice
        /// expects that they do not.
        line: Vec<u8>,
    }

    impl Matches {
        pub(crate) fn new(pattern: Pattern) -> Self {
            let room = pattern.room();
            Matches { pattern, room, line: Vec::new() }
        }
    }

    impl PartialEq for Matches {
        fn eq(&self, other: &Self) -> bool {
            self.pattern == other.pattern
        }
    }

    /// Finds chosen groups of the matches.
    #[derive(Debug)]
    struct Groups {
        pattern: Pattern,
        room: CaptureLocations,
        positions: Positions,
    }

    impl LineFields for Groups {
        fn cut(&mut self, line: &[u8], places: &mut [Option<Place>]) {
            let Groups { pattern, room, positions } = self;
            pattern.find_groups(line, room, |position, range| {
                positions.set(places, position, range, Escapes::None);
            });
        }

        fn missing(&self) -> &[usize] {
            self.positions.missing()
        }
    }

    impl LineFormat for Matches {
        fn find(&mut self, line: &[u8]) -> Line {
            self.line.clear();
            self.line.extend_from_slice(line);
            let range = self.pattern.find(&self.line, &mut self.room);
            range.map_or(Line::Malformed(Malformed::NoMatch), Line::unescaped)
        }

        fn has_fields(&self) -> bool {
            true
        }

        fn field_names(&self, _header: Option<&[u8]>, _lines: &[&[u8]]) -> Vec<String> {
            self.pattern.group_names()
        }

        fn line_fields(&self, _header: Option<&[u8]>, chosen: &[&str]) -> Option<Box<dyn LineFields>> {
            let names = self.pattern.group_names();
            let group = |name: &&str| {
                let named = names.iter().position(|group| group == name);
                named.or_else(|| position_of_number(name).filter(|&position| position < names.len()))
            };
            let positions = Positions::new(chosen.iter().map(group));
            Some(Box::new(Groups { pattern: self.pattern.clone(), room: self.room.clone(), positions }))
        }

        fn fits(&mut self, line: &[u8]) -> bool {
            matches!(self.find(line), Line::Record(_))
        }
    }
}

#[cfg(all(test, feature = "regex"))]
mod tests {
    use crate::corpus::format::tests::{Case, reasons, texts};
    use crate::corpus::format::{Format, Layout, LayoutOptions, Malformed, Pattern};

    #[test]
    fn patterns() {
        let log = b"to=http://a.example/ x\nnothing\nfrom=1 to=http://b.example/{c}\xFF to=urn:d\n";
        let with = |pattern: &str| {
            let options =
                LayoutOptions { pattern: Some(pattern.parse().unwrap()), ..LayoutOptions::default() };
            Case::new(Layout::new(Format::Regex, &options).unwrap())
        };
        for pattern in [r"to=(?<uri>\S+)", r"to=(\S+)", r"(?:to)=(\S+)( |$)", r"(o)=(?<uri>\S+)"] {
            let found = with(pattern).run(log);
            assert_eq!(texts(&found), ["http://a.example/", r"http://b.example/{c}\xff"], "{pattern}");
            assert_eq!((&found.records[1].1, &found.errors), (&11, &vec![(3, 28)]));
            assert_eq!(reasons(&found), [(2, Malformed::NoMatch)]);
        }
        assert_eq!(texts(&with("urn:.").run(log)), ["urn:d"]);
        assert_eq!(texts(&with("(x)?urn:d").run(log)), Vec::<&str>::new(), "the group is not in it");
        assert!("(".parse::<Pattern>().unwrap_err().to_string().contains("unclosed group"));
        let pattern = |text: &str| text.parse::<Pattern>().unwrap();
        assert!(pattern("a") == pattern("a") && pattern("a") != pattern("b"));
        assert_eq!(
            Layout::new(Format::Regex, &LayoutOptions::default()).unwrap_err().to_string(),
            "the format regex needs a pattern"
        );
    }
}
