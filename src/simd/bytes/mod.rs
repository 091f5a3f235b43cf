//! Bytes of files: passes over bytes that are not records yet.
//!
//! | module | does |
//! |---|---|
//! | [`count_bytes`] | counts and marks line ends |
//! | [`tag_marks`] | marks the bytes at which tags of HTML are cut |

pub(in crate::simd) mod count_bytes;
pub(in crate::simd) mod tag_marks;
