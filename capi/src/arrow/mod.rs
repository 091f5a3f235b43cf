//! Functions over arrays, which use Arrow's C data interface.
//!
//! | module | content |
//! |---|---|
//! | `transfer` | imports and exports arrays |
//! | [`verdicts`] | verdicts on arrays of records, components, errors |
//! | [`urls`] | Spark's `parse_url`, Presto's `url_extract` |
//! | [`derived`] | text made from records |

pub mod verdicts;

pub mod urls;

pub mod derived;

mod transfer;
