//! The table of statistics: sections of names and right-aligned numbers.

use std::io::Write;

use crate::style::Styles;

/// Collects rows, and aligns them when it is finished.
pub(crate) struct Table {
    styles: Styles,
    rows: Vec<Row>,
}

enum Row {
    Section(String, String),
    Number(String, String, String),
    Line(String, String),
    File(String, [String; 3]),
    Note(String),
}

impl Table {
    pub(crate) fn new(styles: Styles) -> Self {
        Table { styles, rows: Vec::new() }
    }

    /// A heading, and what the numbers below it are.
    pub(crate) fn section(&mut self, name: &str, what: &str) {
        self.rows.push(Row::Section(name.to_owned(), what.to_owned()));
    }

    pub(crate) fn count(&mut self, name: &str, count: u64) {
        self.number(name, grouped(count));
    }

    pub(crate) fn optional(&mut self, name: &str, count: Option<u64>) {
        if let Some(count) = count {
            self.count(name, count);
        }
    }

    pub(crate) fn number(&mut self, name: &str, number: String) {
        self.rows.push(Row::Number(name.to_owned(), number, String::new()));
    }

    /// A count, and its share in `all`.
    pub(crate) fn share(&mut self, name: &str, count: u64, all: u64) {
        let share = if all == 0 { String::new() } else { percent(count, all) };
        self.rows.push(Row::Number(name.to_owned(), grouped(count), share));
    }

    /// A count, and how much too low it may be.
    pub(crate) fn estimate(&mut self, name: &str, count: u64, missed: u64) {
        let missed = format!("{:>7}", format!("+{}", grouped(missed)));
        self.rows.push(Row::Number(name.to_owned(), grouped(count), missed));
    }

    /// A place, and text without any width.
    pub(crate) fn line(&mut self, place: &str, text: &str) {
        self.rows.push(Row::Line(place.to_owned(), text.to_owned()));
    }

    pub(crate) fn file(&mut self, name: &str, counts: [u64; 3]) {
        self.rows.push(Row::File(name.to_owned(), counts.map(grouped)));
    }

    pub(crate) fn note(&mut self, text: &str) {
        self.rows.push(Row::Note(text.to_owned()));
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        let Styles { heading, place, faint, .. } = self.styles;
        let widest = |width: fn(&Row) -> usize| self.rows.iter().map(width).max().unwrap_or_default();
        let name_width = widest(|row| match row {
            Row::Number(name, ..) => name.chars().count(),
            _ => 0,
        });
        let number_width = widest(|row| match row {
            Row::Number(_, number, _) => number.len(),
            _ => 0,
        });
        let column_width = |column: usize| {
            let width = |row: &Row| match row {
                Row::File(_, counts) => counts[column].len(),
                _ => 0,
            };
            self.rows.iter().map(width).max().unwrap_or_default()
        };
        let column_widths = [column_width(0), column_width(1), column_width(2)];
        let mut out = Vec::new();
        for row in &self.rows {
            // Writing to a Vec cannot fail.
            let _ = match row {
                Row::Section(name, what) => {
                    let gap = if what.is_empty() { "" } else { "  " };
                    writeln!(out, "\n{heading}{name}{heading:#}{gap}{faint}{what}{faint:#}")
                }
                Row::Number(name, number, share) => {
                    let gap = if share.is_empty() { "" } else { "  " };
                    writeln!(out, "  {name:<name_width$}  {number:>number_width$}{gap}{share}")
                }
                Row::Line(at, text) => writeln!(out, "  {place}{at}{place:#}  {text}"),
                Row::File(name, [records, invalid, bytes]) => {
                    let [r, i, b] = column_widths;
                    writeln!(out, "  {records:>r$}  {invalid:>i$}  {bytes:>b$}  {name}")
                }
                Row::Note(text) => writeln!(out, "  {faint}{text}{faint:#}"),
            };
        }
        out
    }
}

/// With a comma at every thousand.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share that is 0% or 100% only if it is none or all.
fn percent(count: u64, all: u64) -> String {
    let percent = count as f64 * 100.0 / all as f64;
    let shown = match percent {
        p if count > 0 && p < 0.01 => 0.01,
        p if count < all && p > 99.99 => 99.99,
        p => p,
    };
    format!("{shown:>6.2}%")
}
