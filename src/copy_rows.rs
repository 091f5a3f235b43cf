//! Copies parts of records between other texts, many rows at a time: rows of CSV, or of JSON.
//!
//! ```
//! use urivalidate::copy_rows::{RowStep, ShortText, TextsAround, write_rows};
//! use urivalidate::{Batch, Columns, Grammar, Part, Validator};
//!
//! let validator = Validator::new(Grammar::Uri);
//! let (list, mut batch) = (b"http://a/\nurn:b", Batch::new());
//! validator.scan(list, Columns::ALL, &mut batch)?;
//! let (mut starts, mut ends) = ([0; 2], [0; 2]);
//! validator.find_part(Part::Host, &batch, 0..2, &mut starts, &mut ends)?;
//! let text = |text| ShortText::new(text).unwrap();
//! let texts = TextsAround::new(text("host="), text("host="), text("no host"), None);
//! let end = TextsAround::new(text(";"), text(";"), text(";"), None);
//! let mut steps = [RowStep::parts(&texts, list, &starts, &ends), RowStep::constant(&end)];
//! let mut rows = Vec::new();
//! let len = write_rows(&validator, &mut steps, 2, |needed| {
//!     rows.resize(needed, 0);
//!     Ok::<_, std::convert::Infallible>(&mut rows[..])
//! })?;
//! assert_eq!(&rows[..len.unwrap()], b"host=a;no host;");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::simd;
pub use crate::simd::{RowStep, ShortText, TextsAround};
use crate::validator::Validator;

/// Writes rows of these steps into the room that `room` provides, by the validator's backend. `room` gets the
/// number of bytes that it needs at least; it may provide more. Returns the number of the rows' bytes, or
/// `None` if a part is not in its buffer, if a step has fewer parts than rows, or if no room is large enough.
///
/// # Errors
///
/// Returns the error of the room.
///
/// # Panics
///
/// Panics if the room is smaller than requested.
pub fn write_rows<'r, E>(
    validator: &Validator,
    steps: &mut [RowStep<'_>],
    rows: usize,
    room: impl FnOnce(usize) -> Result<&'r mut [u8], E>,
) -> Result<Option<usize>, E> {
    simd::write_rows(validator.available_backend(), steps, rows, room)
}
