//! Sections of rows with aligned numbers.

use std::io::Write;

use unicode_width::UnicodeWidthStr;

use super::figures::{bar, grouped};
use crate::style::Styles;

/// The columns of a full bar.
const BAR: u64 = 24;

/// The fewest columns of a full bar. A narrower screen has no bars.
const SHORTEST_BAR: u64 = 4;

/// Collects rows, and aligns them in `finish`.
pub(super) struct ReportRows {
    styles: Styles,
    /// The width of the terminal, if it is known.
    columns: Option<usize>,
    rows: Vec<TableLine>,
}

enum TableLine {
    Sentence(String),
    Warning(String),
    Section(String, String),
    /// A name, a number, its share and, for a row with a bar, the part and the whole that the bar shows.
    Number(String, String, String, Option<(u64, u64)>),
    /// Text whose width does not affect the columns.
    Line(String),
    File(String, [String; 3]),
    Note(String),
}

impl ReportRows {
    pub(super) fn new(styles: Styles, columns: Option<usize>) -> Self {
        ReportRows { styles, columns, rows: Vec::new() }
    }

    pub(super) fn columns(&self) -> Option<usize> {
        self.columns
    }

    pub(super) fn sentence(&mut self, text: String) {
        self.rows.push(TableLine::Sentence(text));
    }

    pub(super) fn warning(&mut self, text: String) {
        self.rows.push(TableLine::Warning(text));
    }

    /// Adds a heading with the name of the numbers below it.
    pub(super) fn section(&mut self, name: &str, what: &str) {
        self.rows.push(TableLine::Section(name.to_owned(), what.to_owned()));
    }

    pub(super) fn optional(&mut self, name: &str, count: Option<u64>) {
        if let Some(count) = count {
            self.number(name, grouped(count), String::new(), None);
        }
    }

    pub(super) fn number(&mut self, name: &str, number: String, share: String, bar: Option<(u64, u64)>) {
        self.rows.push(TableLine::Number(name.to_owned(), number, share, bar));
    }

    pub(super) fn line(&mut self, text: String) {
        self.rows.push(TableLine::Line(text));
    }

    pub(super) fn file(&mut self, name: &str, counts: [u64; 3]) {
        self.rows.push(TableLine::File(name.to_owned(), counts.map(grouped)));
    }

    pub(super) fn note(&mut self, text: String) {
        self.rows.push(TableLine::Note(text));
    }

    pub(super) fn finish(self) -> Vec<u8> {
        let Styles { heading, bad, faint, is_ascii, .. } = self.styles;
        let widest =
            |width: &dyn Fn(&TableLine) -> usize| self.rows.iter().map(width).max().unwrap_or_default();
        let name_width = widest(&|row| if let TableLine::Number(name, ..) = row { name.width() } else { 0 });
        let number_width =
            widest(&|row| if let TableLine::Number(_, number, ..) = row { number.len() } else { 0 });
        let share_width =
            widest(&|row| if let TableLine::Number(_, _, share, _) = row { share.len() } else { 0 });
        let column = |column: usize| {
            widest(&|row| if let TableLine::File(_, counts) = row { counts[column].len() } else { 0 })
        };
        let file_columns = [column(0), column(1), column(2)];
        // A bar gets the columns that are left.
        let used = name_width + number_width + share_width + 8;
        let bar_columns = self.columns.map_or(BAR, |all| BAR.min(all.saturating_sub(used) as u64));
        let has_bars = bar_columns >= SHORTEST_BAR;
        let mut out = Vec::new();
        for row in &self.rows {
            // Writing to a Vec cannot fail.
            let _ = match row {
                TableLine::Sentence(text) => writeln!(out, "{heading}{text}{heading:#}"),
                TableLine::Warning(text) => writeln!(out, "{bad}{text}{bad:#}"),
                TableLine::Section(name, what) => {
                    let gap = if what.is_empty() { "" } else { "  " };
                    writeln!(out, "\n{heading}{name}{heading:#}{gap}{faint}{what}{faint:#}")
                }
                TableLine::Number(name, number, share, part) => {
                    let name_gap = name_width - name.width();
                    let share =
                        if share.is_empty() { String::new() } else { format!("  {share:>share_width$}") };
                    let bar = part
                        .filter(|_| has_bars)
                        .map_or_else(String::new, |(count, whole)| bar(count, whole, bar_columns, is_ascii));
                    let gap = if bar.is_empty() { "" } else { "  " };
                    writeln!(
                        out,
                        "  {name}{:name_gap$}  {number:>number_width$}{share}{gap}{bad}{bar}{bad:#}",
                        ""
                    )
                }
                TableLine::Line(text) => writeln!(out, "{text}"),
                TableLine::File(name, [records, invalid, bytes]) => {
                    let [r, i, b] = file_columns;
                    writeln!(out, "  {records:>r$}  {invalid:>i$}  {bytes:>b$}  {name}")
                }
                TableLine::Note(text) => writeln!(out, "\n{faint}{text}{faint:#}"),
            };
        }
        out
    }
}
