//! The records that an output leaves out although its name does not say so.

use std::ops::AddAssign;

use urivalidate::{CellType, Grammar, Part, RowColumn};

use super::column;

/// The numbers of records that an output has, and of those that it leaves out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// The number of records whose values were written or counted. Only outputs of one value for each record
    /// have it.
    pub(super) written: u64,
    /// The number of invalid records that are left out, since only valid ones have a value.
    pub(super) invalid: u64,
    /// The number of records that are left out, since they have no value.
    pub(super) absent: u64,
    /// The number of invalid records without a suggestion.
    pub(super) unmended: u64,
    /// The number of errors of other kinds than those that the user selects.
    pub(super) other_kinds: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.written += other.written;
        self.invalid += other.invalid;
        self.absent += other.absent;
        self.unmended += other.unmended;
        self.other_kinds += other.other_kinds;
    }
}

impl Tally {
    /// Returns the tally of a value for each valid record: `written` of `records` have it, and `invalid` of
    /// them are invalid.
    pub(super) fn of_values(records: usize, invalid: usize, written: u64) -> Self {
        let absent = (records - invalid) as u64 - written;
        Tally { written, invalid: invalid as u64, absent, ..Tally::default() }
    }

    /// Returns the sentence about errors of kinds that the user did not select.
    pub(crate) fn about_kinds(&self) -> Option<String> {
        let others = match self.other_kinds {
            0 => return None,
            1 => "1 error of another kind is left out".to_owned(),
            count => format!("{count} errors of other kinds are left out"),
        };
        Some(format!("{others}; the exit status still depends on all"))
    }

    /// Returns the sentence about records that are left out of the values of a column, or of the repaired
    /// records if `column` is `None`.
    pub(crate) fn about_records(&self, column: Option<RowColumn>, grammar: Grammar) -> Option<String> {
        let plural = |count: u64, one: &str, many: &str| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            count => Some(format!("{count} {many}")),
        };
        let Some(column) = column else {
            return match self.unmended {
                0 => None,
                1 => Some("1 invalid record has no suggestion and is left out".to_owned()),
                count => Some(format!("{count} invalid records have no suggestion and are left out")),
            };
        };
        if column::is_of_lines(column) {
            return (self.written == 0)
                .then(|| "there is nothing to write: all lines fit their format".to_owned());
        }
        let name = column.name();
        let invalid = plural(self.invalid, "invalid record", "invalid records");
        let valid = if column::is_of_problem(column) { "" } else { "valid " };
        let (one, many) = (format!("{valid}record without {name}"), format!("{valid}records without {name}"));
        let absent = plural(self.absent, &one, &many);
        let parts: Vec<_> = invalid.into_iter().chain(absent).collect();
        let are = match (parts.is_empty(), self.invalid + self.absent) {
            (true, _) => return None,
            (false, 1) => "is left out",
            (false, _) => "are left out",
        };
        let is_all = if self.written == 0 { "there is nothing to write: " } else { "" };
        let of_targets = self.absent > 0 && grammar == Grammar::RequestTarget && is_of_authority(column);
        let reason = if of_targets { "; most request targets are only a path and a query" } else { "" };
        Some(format!("{is_all}{} {are}{reason}", parts.join(" and ")))
    }
}

/// Returns true if a record without an authority or a scheme has no value in the column.
fn is_of_authority(column: RowColumn) -> bool {
    match column.cell_type() {
        CellType::Part(part) => !matches!(part, Part::Record | Part::Path | Part::Query | Part::Fragment),
        _ => {
            !column.is_of_target()
                && !column.is_of_page()
                && !matches!(column, RowColumn::Normalized | RowColumn::ToUri | RowColumn::PathExtension)
                && column::is_of_valid(column)
        }
    }
}
