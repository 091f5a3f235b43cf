//! Functions over arrays, which use Arrow's C data interface.
//!
//! | module | content |
//! |---|---|
//! | [`transfer`] | the caller's arrays: imports and exports them |
//! | `evaluation` | evaluates functions of the library's catalogue |
//! | [`verdicts`] | verdicts on arrays of records, components, errors |
//! | [`urls`] | functions of Spark and Presto |
//! | [`derived`] | text made from records |

pub mod transfer;

pub mod verdicts;

pub mod urls;

pub mod derived;

mod evaluation;
