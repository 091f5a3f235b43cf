//! Functions over arrays, by Arrow's C data interface.
//!
//! | module | has |
//! |---|---|
//! | `transfer` | arrays that come in and go out |
//! | [`verdicts`] | what arrays of records are: verdicts, components, errors |
//! | [`urls`] | Spark's `parse_url`, Presto's `url_extract` |
//! | [`derived`] | text made of records |

pub mod verdicts;

pub mod urls;

pub mod derived;

mod transfer;
