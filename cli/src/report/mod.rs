//! Statistics: a screen for people, JSON for programs, a page for others.
//!
//! | module | contents |
//! |---|---|
//! | `contents` | the contents of a report |
//! | `screen` | the output of `--stats` |
//! | `json` | `--stats=json` |
//! | `page` | `--report` |
//! | `figures` | numbers and shares for people |
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
