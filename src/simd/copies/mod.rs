//! Copies: parts of records, side by side.
//!
//! | module | makes |
//! |---|---|
//! | [`copy_rows`] | rows of text |
//! | `copy_parts` | columns of text |
//! | `part_columns` | columns of offsets |
//! | `strings_to_lines` | a piece of strings that lie apart |

#[cfg(feature = "arrow")]
pub(in crate::simd) mod copy_parts;
pub(in crate::simd) mod copy_rows;
#[cfg(feature = "arrow")]
pub(in crate::simd) mod part_columns;
#[cfg(feature = "arrow")]
pub(in crate::simd) mod strings_to_lines;
