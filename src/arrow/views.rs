//! Builders of columns of views. The views share the caller's buffers, so nothing is copied.
//!
//! The bytes of a string view must be UTF-8: anything else is undefined behaviour. Arrow checks each value of
//! an array separately, in its buffer, which takes longer than finding the values. This module checks the
//! values just after they are scanned. Nearly all values are ASCII, which a few instructions can check. Then
//! the views of bytes become views of strings without another check.
#![expect(unsafe_code, reason = "Arrow would check every value again")]

use std::sync::Arc;

use arrow_array::{ArrayRef, BinaryViewArray};
use arrow_buffer::{Buffer, NullBuffer};
use arrow_schema::ArrowError;

use super::FunctionError;
use super::places::PlacesOf;
use crate::column::ABSENT;
use crate::memory;
use crate::simd::INLINE;

/// Views, and the buffers that they point to.
pub(super) struct Views {
    /// The expected number of views.
    rows: usize,
    views: Vec<u128>,
    buffers: Vec<Buffer>,
    /// The index of the last of `buffers` that is a slice of the input array's buffer, and the byte there at
    /// which the slice starts.
    shown: Option<(usize, usize)>,
    /// The index of the last of `buffers` that holds made text.
    made: Option<usize>,
    content: Content,
}

/// The type that the values must have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Bytes,
    /// All values so far are UTF-8.
    Strings,
    /// Some value is not UTF-8.
    NoStrings,
}

impl Views {
    /// Returns a builder of `rows` views of bytes. If the strings are views, `buffers` are their data
    /// buffers.
    pub(super) fn of_bytes(rows: usize, buffers: &[Buffer]) -> Self {
        Views {
            rows,
            views: Vec::new(),
            buffers: buffers.to_vec(),
            shown: None,
            made: None,
            content: Content::Bytes,
        }
    }

    /// Returns a builder of `rows` views of strings.
    pub(super) fn of_strings(rows: usize, buffers: &[Buffer]) -> Self {
        Views { content: Content::Strings, ..Self::of_bytes(rows, buffers) }
    }

    /// Makes room for `count` more views.
    pub(super) fn reserve(&mut self, count: usize) -> Result<(), FunctionError> {
        let expected = self.rows.saturating_sub(self.views.len());
        Ok(memory::try_reserve(&mut self.views, expected.max(count))?)
    }

    /// Appends views of a buffer, in which `values` start at `base`.
    pub(super) fn append_of_buffer(
        &mut self,
        values: &[u8],
        places: PlacesOf<'_>,
        buffer: &Buffer,
        base: usize,
    ) {
        /// Some implementations of Arrow read the offsets of views as signed.
        const MOST_BYTES: usize = i32::MAX as usize;

        let fits = |&(_, first): &(usize, usize)| base + values.len() - first <= MOST_BYTES;
        let (index, first) = self.shown.filter(fits).unwrap_or_else(|| {
            self.buffers.push(buffer.slice(base));
            (self.buffers.len() - 1, base)
        });
        self.shown = Some((index, first));
        self.append_of(values, places, index, (base - first) as u32);
    }

    /// Appends views of a buffer of made text, which is not part of the input array.
    pub(super) fn append_of_made(&mut self, made: &Buffer, places: PlacesOf<'_>) {
        let index = match self.made {
            // The runs of a block share one buffer.
            Some(index) if self.buffers[index].ptr_eq(made) => index,
            _ => {
                self.buffers.push(made.clone());
                self.buffers.len() - 1
            }
        };
        self.made = Some(index);
        self.append_of(made, places, index, 0);
    }

    /// Appends views of `values`, which start at byte `moved` of a buffer.
    fn append_of(&mut self, values: &[u8], places: PlacesOf<'_>, buffer: usize, moved: u32) {
        if places.are_absent() {
            return self.append_absent(places.starts.len());
        }
        self.look_at(values, places);
        let buffer = buffer as u128;
        self.views.extend(places.starts.iter().zip(places.ends).map(|(&start, &end)| {
            view(values, start, end, buffer << 64 | u128::from(start.wrapping_add(moved)) << 96)
        }));
    }

    /// Appends views of parts of strings. `views` are the views of the strings, `values` holds copies of
    /// them, and `starts` are the starts of the copies.
    pub(super) fn append_of_views(
        &mut self,
        values: &[u8],
        places: PlacesOf<'_>,
        views: &[u128],
        starts: &[u32],
    ) {
        if places.are_absent() {
            return self.append_absent(places.starts.len());
        }
        self.look_at(values, places);
        let places = places.starts.iter().zip(places.ends);
        self.views.extend(places.zip(views.iter().zip(starts)).map(|((&start, &end), (whole, &first))| {
            let offset = ((whole >> 96) as u32).wrapping_add(start.wrapping_sub(first));
            view(values, start, end, whole & u128::from(u32::MAX) << 64 | u128::from(offset) << 96)
        }));
    }

    /// Appends `count` empty views, which are null.
    pub(super) fn append_absent(&mut self, count: usize) {
        self.views.resize(self.views.len() + count, 0);
    }

    /// Checks whether the values have the required type, and notes if not.
    fn look_at(&mut self, values: &[u8], places: PlacesOf<'_>) {
        if self.content == Content::Strings && !are_utf8(values, places) {
            self.content = Content::NoStrings;
        }
    }

    /// Returns the column.
    ///
    /// # Errors
    ///
    /// Returns an error if a string is not UTF-8.
    pub(super) fn finish(self, nulls: Option<NullBuffer>) -> Result<ArrayRef, ArrowError> {
        let array = BinaryViewArray::try_new(self.views.into(), self.buffers, nulls)?;
        match self.content {
            Content::Bytes => Ok(Arc::new(array)),
            // Arrow's check returns the error for the invalid string.
            Content::NoStrings => Ok(Arc::new(array.to_string_view()?)),
            // SAFETY: `look_at` found each value to be UTF-8, and the views of nulls are empty.
            Content::Strings => Ok(Arc::new(unsafe { array.to_string_view_unchecked() })),
        }
    }
}

/// Returns the view of `values[start..end]`. `place` has the number of its buffer from bit 64 on, and its
/// offset there from bit 96 on.
#[inline]
fn view(values: &[u8], start: u32, end: u32, place: u128) -> u128 {
    let len = end - start;
    if len == 0 {
        return 0;
    }
    let head = match values[start as usize..].first_chunk::<16>() {
        Some(bytes) => u128::from_le_bytes(*bytes),
        None => {
            let mut bytes = [0; 16];
            let value = &values[start as usize..end as usize];
            let len = value.len().min(16);
            bytes[..len].copy_from_slice(&value[..len]);
            u128::from_le_bytes(bytes)
        }
    };
    let (kept, place) = if len <= INLINE { (len, 0) } else { (4, place) };
    u128::from(len) | (head & ((1 << (8 * kept)) - 1)) << 32 | place
}

/// Returns true if all values that are not null are UTF-8.
fn are_utf8(values: &[u8], places: PlacesOf<'_>) -> bool {
    places.starts.iter().zip(places.ends).all(|(&start, &end)| {
        let value = if start == ABSENT { &[][..] } else { &values[start as usize..end as usize] };
        is_ascii(value) || str::from_utf8(value).is_ok()
    })
}

/// Returns true if all bytes are ASCII. Made for values of a few words.
#[inline]
fn is_ascii(value: &[u8]) -> bool {
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);

    let (words, rest) = value.as_chunks::<8>();
    let of_words = words.iter().fold(0, |all, word| all | u64::from_ne_bytes(*word));
    let of_rest = match value.last_chunk::<8>() {
        Some(last) => u64::from_ne_bytes(*last),
        None => rest.iter().fold(0, |all, &byte| all | u64::from(byte)),
    };
    (of_words | of_rest) & HIGH == 0
}

#[cfg(test)]
mod tests {
    use arrow_array::{Array, StringViewArray};

    use super::*;
    use crate::arrow::places::Places;

    /// Returns a column of these values, which lie in one buffer.
    fn column(values: &[Option<&[u8]>], content: Content) -> Result<ArrayRef, ArrowError> {
        let mut bytes = Vec::new();
        let mut places = Places::default();
        for value in values {
            let start = bytes.len() as u32;
            bytes.extend_from_slice(value.unwrap_or_default());
            places.starts.push(if value.is_some() { start } else { ABSENT });
            places.ends.push(if value.is_some() { bytes.len() as u32 } else { ABSENT });
        }
        let buffer = Buffer::from(&bytes[..]);
        let mut views = Views { content, ..Views::of_bytes(values.len(), &[]) };
        views.append_of_buffer(&bytes, places.all(), &buffer, 0);
        views.finish(Some(values.iter().map(Option::is_some).collect::<Vec<_>>().into()))
    }

    #[test]
    fn strings_are_what_the_bytes_are_and_nothing_else() {
        const ASCII: [&str; 5] =
            ["", "a", "twelve bytes", "thirteen byte", "some more bytes than a view holds"];
        fn ascii<'a>() -> Vec<Option<&'a [u8]>> {
            ASCII.iter().map(|text| Some(text.as_bytes())).collect()
        }

        for length in 0..40 {
            for at in 0..length {
                let mut value = vec![b'a'; length];
                assert!(is_ascii(&value));
                value[at] = 0x80;
                assert!(!is_ascii(&value), "{length} bytes, {at}");
                let values: Vec<_> = [ascii(), vec![Some(&value[..])]].concat();
                assert!(column(&values, Content::Strings).is_err());
                assert_eq!(
                    column(&values, Content::Bytes).unwrap().to_data(),
                    BinaryViewArray::from(values).to_data()
                );
            }
        }
        for more in [None, Some("\u{e4}"), Some("b\u{fc}cher und mehr als eine Ansicht h\u{e4}lt")] {
            let values: Vec<_> = [ascii(), vec![None, more.map(str::as_bytes)]].concat();
            let found = column(&values, Content::Strings).unwrap();
            let texts: Vec<_> = ASCII.into_iter().map(Some).chain([None, more]).collect();
            assert_eq!(&found, &(Arc::new(StringViewArray::from(texts)) as ArrayRef));
            found.to_data().validate_full().unwrap();
        }
    }
}
