//! Statistics: a screen for people, JSON for programs, a page to pass on.
//!
//! | module | does |
//! |---|---|
//! | `contents` | the contents of a report |
//! | `screen` | the output of `--stats` |
//! | `json` | `--stats=json` |
//! | `page` | `--report` |
//! | `figures` | numbers and shares as people read them |
//! | `excerpt` | a sample, cut around its error |
//! | `table` | aligned columns |
//! | `files` | the results of each of several files |

mod contents;
mod excerpt;
mod figures;
mod files;
mod json;
mod page;
mod screen;
mod table;

pub(crate) use contents::Report;
pub(crate) use files::Files;
