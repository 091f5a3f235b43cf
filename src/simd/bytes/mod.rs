//! Bytes of files: passes over bytes that are not records yet.
//!
//! | module | does |
//! |---|---|
//! | [`count_bytes`] | counts and marks line ends |
//! | `markup_marks` | marks the bytes at which the markup of XML is cut |
//! | [`tag_marks`] | marks the bytes at which tags of HTML are cut |

pub(in crate::simd) mod count_bytes;
#[cfg(feature = "xml")]
pub(in crate::simd) mod markup_marks;
pub(in crate::simd) mod tag_marks;
