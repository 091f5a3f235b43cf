//! The invalid records of two scans of a chunk, by two grammars, side by side.

use std::iter;

use crate::batch::InvalidRecord;

/// A record that is invalid by the first grammar, by the second, or by both.
pub(crate) type Compared<'a> = (Option<&'a InvalidRecord>, Option<&'a InvalidRecord>);

/// Returns the records that are invalid by at least one grammar, in order.
pub(crate) fn compared<'a>(
    first: &'a [InvalidRecord],
    second: &'a [InvalidRecord],
) -> impl Iterator<Item = Compared<'a>> {
    let [mut first, mut second] = [first, second].map(|invalid| invalid.iter().peekable());
    iter::from_fn(move || {
        let index = |record: Option<&&InvalidRecord>| record.map(|record| record.index);
        let next = [index(first.peek()), index(second.peek())].into_iter().flatten().min()?;
        let is_next = |record: &&InvalidRecord| record.index == next;
        Some((first.next_if(is_next), second.next_if(is_next)))
    })
}
