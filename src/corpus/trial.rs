//! Reads a sample of an input in another way, to see whether advice on the input helps.

use super::format::{ChunkLines, FieldSelector, Fields, Format, Layout, LayoutOptions, head_of};
use super::limits::PieceLimits;
use super::mark::mark_len;
use super::remedy::{ReadingOption, Remedy};
use crate::batch::Batch;
use crate::column::Columns;
use crate::grammar::Grammar;
use crate::validator::Validator;
use crate::work::looked_at;

/// The records that are judged at once.
const PIECE: PieceLimits = PieceLimits::ALWAYS;

/// The records in the first lines of an input, read in one way.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Trial {
    /// The number of records, and of lines that do not fit the format or lack the key.
    all: usize,
    /// The number of valid records. Under a grammar of references, only records that look like references
    /// count: nearly any word is one.
    valid: usize,
    /// The number of records that look like URIs or references.
    values: usize,
}

impl Trial {
    /// Reads the first lines of an input in this layout. None if memory is lacking.
    pub(super) fn new(input: &[u8], layout: &Layout, grammar: Grammar, trim: bool) -> Option<Self> {
        let text = &input[mark_len(input)..];
        let head = head_of(text, usize::MAX, true).unwrap_or(text);
        let chunk = ChunkLines { is_last: true, ..ChunkLines::head(head) };
        let (layout, validator) = (layout.start(head), Validator::new(grammar));
        let (mut fields, mut batch) = (Fields::default(), Batch::default());
        let _room = layout.room_for(head, head.len().min(PIECE.bytes)).ok()?;
        let mut trial = Some(Trial::default());
        // A line of a document may have any number of records.
        let mut add = |piece: &Fields| {
            trial = trial.take().and_then(|trial| trial.and(piece, &validator, &mut batch));
        };
        layout.extract_pieces(&chunk, trim, PIECE, &mut fields, &mut add).ok()?;
        add(&fields);
        trial
    }

    /// Adds the records of a piece.
    fn and(self, piece: &Fields, validator: &Validator, batch: &mut Batch) -> Option<Self> {
        piece.scan(validator, Columns::RECORDS.into(), batch).ok()?;
        let mut is_valid = vec![true; piece.record_count()];
        for invalid in batch.invalid() {
            is_valid[invalid.index as usize] = false;
        }
        let is_value: Vec<bool> = (0..is_valid.len()).map(|index| is_value(piece.record(index))).collect();
        let grammar = validator.grammar();
        let needs_value = !grammar.needs_scheme() && grammar != Grammar::RequestTarget;
        let counts = |(is_valid, is_value): &(&bool, &bool)| **is_valid && (**is_value || !needs_value);
        Some(Trial {
            all: self.all + is_valid.len() + piece.malformed().len() + piece.without_key() as usize,
            valid: self.valid + is_valid.iter().zip(&is_value).filter(counts).count(),
            values: self.values + is_value.iter().filter(|is_value| **is_value).count(),
        })
    }

    /// Reads the first lines of an input as a remedy says, instead of in this layout. None if the remedy
    /// cannot be tried.
    fn of_remedy(
        options: &[(ReadingOption, String)],
        input: &[u8],
        layout: &Layout,
        grammar: Grammar,
    ) -> Option<Self> {
        let (mut format, mut selected) = (None, LayoutOptions::default());
        let (mut chosen, mut trim) = (None, false);
        for (option, value) in options {
            match option {
                ReadingOption::Format => format = value.parse().ok(),
                ReadingOption::Field => selected.field = FieldSelector::Field(value.clone()),
                ReadingOption::Key => selected.field = FieldSelector::Key(value.clone()),
                ReadingOption::Delimiter => {
                    (format, selected.delimiter) = (Some(Format::Delimited), value.bytes().next());
                }
                #[cfg(feature = "regex")]
                ReadingOption::Regex => {
                    (format, selected.pattern) = (Some(Format::Regex), value.parse().ok());
                }
                #[cfg(not(feature = "regex"))]
                ReadingOption::Regex => return None,
                ReadingOption::Grammar => chosen = value.parse().ok(),
                ReadingOption::Trim => trim = true,
            }
        }
        // A grammar that the user chose stays.
        let chosen = chosen.or_else(|| (grammar != layout.grammar()).then_some(grammar));
        let other = match format {
            None => layout.clone(),
            Some(format) => Layout::new(format, &selected).ok()?.start(&input[mark_len(input)..]),
        };
        Trial::new(input, &other, chosen.unwrap_or(other.grammar()), trim)
    }

    /// Returns true if fewer than one record in ten looks like a URI or a reference.
    pub(super) fn has_no_values(&self) -> bool {
        self.values * 10 < self.all
    }

    /// Returns true if a larger share of the records is valid than in another trial.
    fn is_better_than(&self, other: &Trial) -> bool {
        self.valid > 0 && self.valid * other.all.max(1) > other.valid * self.all
    }
}

/// Returns true if a remedy helps to read an input that was read in this layout: a larger share of its
/// records is valid. If each line has several URIs, at least half of the new records must be valid.
pub(super) fn helps(
    remedy: &Remedy,
    input: &[u8],
    layout: &Layout,
    grammar: Grammar,
    has_more: bool,
) -> bool {
    let Remedy::Options(options) = remedy else { return true };
    let Some(now) = Trial::new(input, layout, grammar, false) else { return false };
    Trial::of_remedy(options, input, layout, grammar)
        .is_some_and(|then| then.is_better_than(&now) || has_more && then.valid * 2 >= then.all.max(1))
}

/// Returns true if a text looks like a URI or a reference to something: it has a scheme and an authority, a
/// path, or the name of a host or file.
fn is_value(text: &[u8]) -> bool {
    looked_at(text.len());
    let text = text.trim_ascii();
    let has_space = text.contains(&b' ');
    let is_number = text.iter().all(|byte| byte.is_ascii_digit() || b"+-.,:/%".contains(byte));
    if text.len() < 2 || has_space || is_number {
        return false;
    }
    let first = text.split(|byte| b"/?#:".contains(byte)).next().unwrap_or_default();
    let last = first.rsplit(|&byte| byte == b'.').next().unwrap_or_default();
    let is_name = last.len() < first.len() && last.len() >= 2 && last.iter().all(u8::is_ascii_alphanumeric);
    let has_path = text.contains(&b'/') && !text.eq_ignore_ascii_case(b"n/a");
    is_name
        || has_path
        || matches!(text[0], b'#' | b'?')
        || text.iter().position(|&byte| byte == b':').is_some_and(|at| at > 1 && at + 1 < text.len())
}
