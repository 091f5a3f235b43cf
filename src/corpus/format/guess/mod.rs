//! Finds the format of an input, or the likely format of lines that fit none.
//!
//! | module | does |
//! |---|---|
//! | `detect` | finds the format by the first lines |
//! | `names` | the format that the extension of a file's name suggests, if its lines do not decide the format |
//! | `tables` | finds tables whose header does not name the column, and their column of URIs |
//! | `likely_key` | finds the likely key of JSON objects that lack the selected one |
//! | `looks_like` | other formats that an input read as a list resembles |

pub(crate) mod detect;
pub(crate) mod likely_key;
pub(crate) mod looks_like;
mod names;
mod tables;
