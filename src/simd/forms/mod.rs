//! Normal forms: the bytes that they may change.
//!
//! | module | marks |
//! |---|---|
//! | [`form_escapes`] | escapes with digits that a normal form may change |
//! | [`form_marks`] | these, upper-case letters, and dots that may be dot segments |
//! | [`dot_marks`] | the places in references where dot segments may begin |

pub(in crate::simd) mod dot_marks;
pub(in crate::simd) mod form_escapes;
pub(in crate::simd) mod form_marks;
