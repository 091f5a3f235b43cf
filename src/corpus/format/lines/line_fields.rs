//! The fields of a line that rows carry beside the record: the client, the time, the other cells of a row.
//!
//! A user chooses fields by name, in any number and order. Each line is cut once for all of them, and only
//! places of chosen fields are kept: a line may have very many fields. A field has the text that
//! [`FieldSelector`](super::options::FieldSelector) would give for it, and none where it would find a
//! sentinel. A line that is malformed for each of its fields has none.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::Range;

use super::line::{Field, Line};
use super::unescape::Escapes;
use crate::work::looked_at;

/// The place of a field in a line, and its escapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) range: Range<usize>,
    pub(crate) escapes: Escapes,
}

/// Finds the fields that a user chose.
pub(crate) trait LineFields: fmt::Debug {
    /// Sets the places of the chosen fields of a line, in the order of the choice. All are absent before.
    fn cut(&mut self, line: &[u8], places: &mut [Option<Place>]);

    /// Returns the chosen fields that no line has, by their places in the choice.
    fn missing(&self) -> &[usize] {
        &[]
    }
}

/// The chosen fields by their positions in a line, counted from 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct Positions {
    /// The position of each field that exists, and its place in the choice, by position.
    sorted: Vec<(usize, usize)>,
    missing: Vec<usize>,
}

impl Positions {
    /// Makes positions of the position of each chosen field.
    pub(crate) fn new(found: impl Iterator<Item = Option<usize>>) -> Self {
        let mut positions = Positions::default();
        for (index, position) in found.enumerate() {
            match position {
                Some(position) => positions.sorted.push((position, index)),
                None => positions.missing.push(index),
            }
        }
        positions.sorted.sort_unstable();
        positions
    }

    /// Finds each chosen field among the names in a header: the first of this name, or else the first that
    /// differs only in letter case, or else the column with this number.
    pub(crate) fn in_header<'h>(names: &[&str], header: impl Iterator<Item = (&'h [u8], Escapes)>) -> Self {
        let longest = names.iter().map(|name| name.len()).max().unwrap_or(0);
        // The names in the header are not collected, since a line can have very many.
        let mut exact: HashMap<&[u8], Option<usize>> =
            names.iter().map(|name| (name.as_bytes(), None)).collect();
        let mut folded: HashMap<Vec<u8>, Option<usize>> =
            names.iter().map(|name| (name.to_ascii_lowercase().into_bytes(), None)).collect();
        let mut count = 0;
        for (position, (raw, escapes)) in header.enumerate() {
            looked_at(raw.len());
            count = position + 1;
            let Some(name) = escapes.short_text(raw, longest) else { continue };
            if let Some(found) = exact.get_mut(&*name) {
                found.get_or_insert(position);
            }
            if let Some(found) = folded.get_mut(&name.to_ascii_lowercase()) {
                found.get_or_insert(position);
            }
        }
        Positions::new(names.iter().map(|name| {
            let found = exact[name.as_bytes()].or_else(|| folded[name.to_ascii_lowercase().as_bytes()]);
            found.or_else(|| position_of_number(name).filter(|&position| position < count))
        }))
    }

    /// Sets the place of the field at this position, if it is chosen.
    pub(crate) fn set(
        &self,
        places: &mut [Option<Place>],
        position: usize,
        range: Range<usize>,
        escapes: Escapes,
    ) {
        let start = self.sorted.partition_point(|&(other, _)| other < position);
        for &(_, index) in self.sorted[start..].iter().take_while(|&&(other, _)| other == position) {
            places[index] = Some(Place { range: range.clone(), escapes });
        }
    }

    /// Returns a function that sets the places of fields in the order of their positions.
    pub(crate) fn in_order(&self) -> InOrder<'_> {
        InOrder { rest: &self.sorted }
    }

    pub(crate) fn missing(&self) -> &[usize] {
        &self.missing
    }
}

/// Sets the places of chosen fields, which come in the order of their positions.
pub(crate) struct InOrder<'a> {
    rest: &'a [(usize, usize)],
}

impl InOrder<'_> {
    /// Returns true if no further field is chosen.
    pub(crate) fn is_done(&self) -> bool {
        self.rest.is_empty()
    }

    /// Takes the field at this position, if it is chosen.
    #[inline]
    pub(crate) fn take(
        &mut self,
        places: &mut [Option<Place>],
        position: usize,
        field: impl FnOnce() -> Option<(Range<usize>, Escapes)>,
    ) {
        if self.rest.first().is_none_or(|&(next, _)| next != position) {
            return;
        }
        let place = field().map(|(range, escapes)| Place { range, escapes });
        while let Some((&(next, index), rest)) = self.rest.split_first()
            && next == position
        {
            places[index].clone_from(&place);
            self.rest = rest;
        }
    }
}

/// Returns the position, counted from 0, of the column that this name gives as a number, counted from 1.
pub(crate) fn position_of_number(name: &str) -> Option<usize> {
    let number = name.bytes().all(|byte| byte.is_ascii_digit()).then(|| name.parse::<usize>().ok())??;
    number.checked_sub(1)
}

/// The fields of a format whose lines all have the same ones.
pub(crate) struct NamedFields {
    /// The names of the fields, which together are the line.
    pub(crate) names: &'static [&'static str],
    /// The names of parts of these fields. They follow in the numbering.
    pub(crate) parts: &'static [&'static str],
    /// Finds the fields of a line.
    pub(crate) cut: fn(&[u8], &mut Taken<'_>),
}

impl NamedFields {
    /// Returns the names of the fields that are no part of another.
    pub(crate) fn all(&self) -> Vec<String> {
        self.names.iter().map(|&name| name.to_owned()).collect()
    }

    pub(crate) fn choose(&'static self, names: &[&str]) -> Box<dyn LineFields> {
        let position = |name: &&str| {
            let mut known = self.names.iter().chain(self.parts);
            let number = || position_of_number(name).filter(|&position| position < self.names.len());
            known.position(|known| known.eq_ignore_ascii_case(name)).or_else(number)
        };
        Box::new(ChosenOfNamed { fields: self, positions: Positions::new(names.iter().map(position)) })
    }
}

impl fmt::Debug for NamedFields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names).finish()
    }
}

#[derive(Debug)]
struct ChosenOfNamed {
    fields: &'static NamedFields,
    positions: Positions,
}

impl LineFields for ChosenOfNamed {
    fn cut(&mut self, line: &[u8], places: &mut [Option<Place>]) {
        (self.fields.cut)(line, &mut Taken { positions: &self.positions, places });
    }

    fn missing(&self) -> &[usize] {
        self.positions.missing()
    }
}

/// Takes the fields of a line by their positions.
pub(crate) struct Taken<'a> {
    positions: &'a Positions,
    places: &'a mut [Option<Place>],
}

impl Taken<'_> {
    /// Takes a field.
    pub(crate) fn set(&mut self, position: usize, range: Range<usize>, escapes: Escapes) {
        self.positions.set(self.places, position, range, escapes);
    }

    /// Takes a field without escapes, in which `-` stands for a missing value.
    pub(crate) fn set_unless_dash(&mut self, position: usize, line: &[u8], range: Range<usize>) {
        if line[range.clone()] != *b"-" {
            self.set(position, range, Escapes::None);
        }
    }

    /// Takes the rest of a line without the white space around it, if any of it remains.
    pub(crate) fn set_rest(&mut self, position: usize, line: &[u8], start: usize) {
        let rest = line.get(start..).unwrap_or_default();
        let start = start + rest.len() - rest.trim_ascii_start().len();
        let range = start..start + rest.trim_ascii().len();
        if !range.is_empty() {
            self.set(position, range, Escapes::None);
        }
    }

    /// Takes the field that a line has as a record.
    pub(crate) fn set_found(&mut self, position: usize, found: Line) {
        if let Line::Record(Field { range, escapes, .. }) = found {
            self.set(position, range, escapes);
        }
    }
}

/// Returns the names of columns: those of a header where they are names, and numbers elsewhere.
pub(crate) fn column_names<'h>(header: impl Iterator<Item = (&'h [u8], Escapes)>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut seen = HashSet::new();
    for (raw, escapes) in header.take(MOST_NAMES + 1) {
        looked_at(raw.len());
        let mut name = Cow::Borrowed(raw);
        if escapes != Escapes::None {
            let mut text = Vec::new();
            escapes.write(raw, &mut text);
            name = Cow::Owned(text);
        }
        let number = || (names.len() + 1).to_string();
        let name = match str::from_utf8(&name) {
            Ok(name) if is_name(name) && !seen.contains(name) => name.to_owned(),
            _ => number(),
        };
        seen.insert(name.clone());
        names.push(name);
    }
    names
}

/// The names of keys in the order in which they first occur.
#[derive(Debug, Default)]
pub(crate) struct KeyNames {
    names: Vec<String>,
    seen: HashSet<String>,
}

impl KeyNames {
    /// Adds a key. Keys that are not UTF-8, and empty ones, have no names.
    pub(crate) fn add(&mut self, key: &[u8]) {
        if let Ok(name) = str::from_utf8(key)
            && !name.is_empty()
            && self.names.len() <= MOST_NAMES
            && self.seen.insert(name.to_owned())
        {
            self.names.push(name.to_owned());
        }
    }

    pub(crate) fn finish(self) -> Vec<String> {
        self.names
    }
}

/// Returns true if a column goes by this name, and not by its number.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name != "*"
}

/// The most names of fields that are listed. More names are one more than that.
pub(crate) const MOST_NAMES: usize = 1 << 16;

#[cfg(test)]
mod tests {
    use super::*;

    fn positions(names: &[&str], header: &str) -> Vec<(usize, usize)> {
        let header = header.split(',').map(|name| (name.as_bytes(), Escapes::None));
        Positions::in_header(names, header).sorted
    }

    #[test]
    fn names_are_found_by_their_text_then_by_letter_case_then_by_number() {
        assert_eq!(positions(&["b", "A", "3", "9"], "a,A,B,b"), [(1, 1), (2, 2), (3, 0)]);
        assert_eq!(positions(&["1", "x"], "2,1"), [(1, 0)]);
        assert_eq!(positions(&["a", "1"], "a,b"), [(0, 0), (0, 1)]);
        let none = Positions::in_header(&["a", "0"], std::iter::empty());
        assert_eq!(none.missing(), [0, 1]);
    }

    #[test]
    fn columns_without_a_name_of_their_own_go_by_number() {
        let names = |header: &str| {
            column_names(header.split(',').map(|name| (name.as_bytes(), Escapes::None))).join(" ")
        };
        assert_eq!(names("id,,id,*,ID"), "id 2 3 4 ID");
    }
}
