//! Bytes of files: passes over bytes that are not records yet.
//!
//! | module | does |
//! |---|---|
//! | `cell_marks` | marks the bytes at which tables are cut into rows and cells |
//! | `cell_places` | finds a cell of each row from these marks |
//! | [`count_bytes`] | counts and marks line ends |
//! | `count_marks` | counts the bytes that a parser of Markdown may make nodes of |
//! | `markup_marks` | marks the bytes at which the markup of XML is cut |
//! | `prose_marks` | marks the bytes at which a link can start or end in the prose of Markdown |
//! | [`tag_marks`] | marks the bytes at which tags of HTML are cut |
//! | `xml_characters` | checks the characters of XML |

pub(in crate::simd) mod cell_marks;
pub(in crate::simd) mod cell_places;
pub(in crate::simd) mod count_bytes;
#[cfg(feature = "markdown")]
pub(in crate::simd) mod count_marks;
#[cfg(feature = "xml")]
pub(in crate::simd) mod markup_marks;
#[cfg(feature = "markdown")]
pub(in crate::simd) mod prose_marks;
pub(in crate::simd) mod tag_marks;
#[cfg(feature = "xml")]
pub(in crate::simd) mod xml_characters;
