//! The rows of several arrays in one order. Arrow's own function of this name has code of its own for each
//! type, which would make up a tenth of a package.

use arrow_array::{Array, ArrayRef, make_array};
use arrow_data::transform::MutableArrayData;

/// Returns an array with the rows at these places: each is the index of an array and of its row. The arrays
/// have one type.
///
/// ```
/// use arrow_array::{Array, Int64Array};
/// use urivalidate::arrow::interleave;
///
/// let (even, odd) = (Int64Array::from(vec![0, 2]), Int64Array::from(vec![1, 3]));
/// let rows = interleave(&[&even, &odd], &[(0, 0), (1, 0), (0, 1), (1, 1)]);
/// assert_eq!(rows.as_ref(), &Int64Array::from(vec![0, 1, 2, 3]) as &dyn Array);
/// ```
///
/// # Panics
///
/// Panics if there is no array, if the types differ, if there is no such row, or if the array would be too
/// long for its type.
#[allow(deprecated, reason = "Arrow 58 has no other name for `extend`")]
pub fn interleave(arrays: &[&dyn Array], places: &[(usize, usize)]) -> ArrayRef {
    let data: Vec<_> = arrays.iter().map(|array| array.to_data()).collect();
    let mut rows = MutableArrayData::new(data.iter().collect(), false, places.len());
    let follows = |one: &(usize, usize), next: &(usize, usize)| (one.0, one.1 + 1) == *next;
    for run in places.chunk_by(follows) {
        let (array, first) = run[0];
        rows.extend(array, first, first + run.len());
    }
    make_array(rows.freeze())
}
