//! A sample, cut around its error, and the place of the error in it.

use unicode_width::UnicodeWidthStr;
use urivalidate::stats::Sample;

use crate::shown::Shown;

/// The shown part of a sample. It can be printed to a terminal, and put in a page after HTML escapes.
pub(super) struct Excerpt {
    /// The text before the error. It starts with `…`, or `...` in ASCII, if something was cut.
    pub(super) before: String,
    /// The character with the error. Empty at the end of the record.
    pub(super) error: String,
    pub(super) after: String,
    /// Whether the sample has an error with a place.
    pub(super) has_error: bool,
}

impl Excerpt {
    /// Returns an excerpt of at most `columns` columns, with the marks of its cuts. A single character can
    /// have more.
    pub(super) fn new(sample: &Sample, columns: usize, is_ascii: bool) -> Self {
        let text = sample.text();
        let cut_before = sample.text_start();
        let offset = sample.problem().offset();
        let at = offset.map_or(0, |offset| offset.saturating_sub(cut_before) as usize).min(text.len());
        let (before, rest) = text.split_at(start_of_character(text, at));
        let (error, after) = rest.split_at(if offset.is_some() { first_character(rest) } else { 0 });
        let cut = if is_ascii { "..." } else { "…" };
        // An error at the end of the record needs a column for its mark.
        let room = columns.saturating_sub(width(error).max(1));
        let is_whole = cut_before == 0
            && cut_before + text.len() as u64 >= sample.length()
            && width(before) + width(after) <= room;
        let room = if is_whole { room } else { room.saturating_sub(2 * cut.width()) };
        // If one side is short, the other side gets its unused columns.
        let (all_before, all_after) = (width(before), width(after));
        let columns_after = all_after.min((room / 2).max(room.saturating_sub(all_before)));
        let (before, dropped_before) = last_columns(before, room - columns_after);
        let (after, dropped_after) = first_columns(after, columns_after);
        let starts = cut_before == 0 && !dropped_before;
        let ends = cut_before + text.len() as u64 >= sample.length() && !dropped_after;
        Excerpt {
            before: format!("{}{}", if starts { "" } else { cut }, Shown::new(before)),
            error: Shown::new(error).to_string(),
            after: format!("{}{}", Shown::new(after), if ends { "" } else { cut }),
            has_error: offset.is_some(),
        }
    }

    /// Returns the number of columns before the error, and of the error itself.
    pub(super) fn columns(&self) -> (usize, usize) {
        (self.before.width(), self.error.width().max(1))
    }
}

fn width(text: &[u8]) -> usize {
    Shown::new(text).to_string().width()
}

/// Returns the start of the character that contains the byte `at`.
fn start_of_character(text: &[u8], at: usize) -> usize {
    (at.saturating_sub(3)..at)
        .find(|&start| {
            let end = (start + 4).min(text.len());
            first_well_formed(&text[start..end]) > at - start
        })
        .unwrap_or(at)
}

/// Returns the length of the first character: 1 if it is ill-formed, 0 if the text is empty.
fn first_character(text: &[u8]) -> usize {
    first_well_formed(text).max(1).min(text.len())
}

fn first_well_formed(text: &[u8]) -> usize {
    // This is a copy, because the bytes of a mapped file may change between two reads.
    let mut copy = [0; 4];
    let len = copy.len().min(text.len());
    copy[..len].copy_from_slice(&text[..len]);
    let head = copy[..len].utf8_chunks().next().map_or("", |chunk| chunk.valid());
    head.chars().next().map_or(0, char::len_utf8)
}

/// Returns the first characters that fit, and whether there are more.
fn first_columns(text: &[u8], columns: usize) -> (&[u8], bool) {
    let mut end = 0;
    let mut room = columns;
    while end < text.len() {
        let next = end + first_character(&text[end..]);
        let Some(left) = room.checked_sub(width(&text[end..next])) else { return (&text[..end], true) };
        (end, room) = (next, left);
    }
    (text, false)
}

/// Returns the last characters that fit, and whether there are more.
fn last_columns(text: &[u8], columns: usize) -> (&[u8], bool) {
    let mut start = text.len();
    let mut room = columns;
    while start > 0 {
        let before = start_of_character(text, start - 1);
        let Some(left) = room.checked_sub(width(&text[before..start])) else { return (&text[start..], true) };
        (start, room) = (before, left);
    }
    (text, false)
}
