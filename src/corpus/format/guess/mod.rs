//! Finds the format of an input, or the likely format of lines that fit none.
//!
//! | module | does |
//! |---|---|
//! | `detect` | finds the format by the first lines |
//! | `tables` | finds tables without a header that tells, and their column of URIs |
//! | `looks_like` | says what an input looks like that is read as a list |

pub(crate) mod detect;
pub(crate) mod looks_like;
mod tables;
