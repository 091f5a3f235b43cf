//! The number of invalid records that a run tolerates.

/// A number of records, or a share of all records.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Tolerance {
    Records(u64),
    Percent(f64),
}

impl Tolerance {
    /// Parses `N` or `P%`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let parsed = match text.strip_suffix('%') {
            None => text.parse().ok().map(Tolerance::Records),
            Some(percent) => {
                let percent = percent.parse().ok().filter(|percent| (0.0..=100.0).contains(percent));
                percent.map(Tolerance::Percent)
            }
        };
        parsed.ok_or_else(|| {
            "expected a number of records, such as 100, or a share of all records, such as 0.5%".to_owned()
        })
    }

    /// Returns true if `invalid` of `records` are too many.
    pub(crate) fn is_exceeded(self, invalid: u64, records: u64) -> bool {
        match self {
            Tolerance::Records(max) => invalid > max,
            Tolerance::Percent(max) => invalid as f64 * 100.0 > max * records as f64,
        }
    }

    /// Returns true if `invalid` are too many for any number of further records.
    pub(crate) fn is_exceeded_for_good(self, invalid: u64) -> bool {
        matches!(self, Tolerance::Records(max) if invalid > max)
    }
}
