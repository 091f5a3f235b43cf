//! Statistics: a screen for people, JSON for programs, a page for others.
//!
//! | module | contents |
//! |---|---|
//! | `contents` | the contents of a report |
//! | `run_facts` | the time and the command line of the run |
//! | `before` | the statistics of an earlier run, and the changes since |
//! | `screen` | the output of `--stats` |
//! | `json` | `--stats=json` |
//! | `page` | `--report` |
//! | `figures` | numbers and shares for people |
//! | `excerpt` | a sample, cut around its error |
//! | `table` | aligned columns |
//! | `files` | the results of each of several files |

mod before;
mod contents;
mod excerpt;
mod figures;
mod files;
mod json;
mod page;
mod run_facts;
mod screen;
mod table;

pub(crate) use before::Before;
pub(crate) use contents::Report;
pub(crate) use files::Files;
pub(crate) use run_facts::RunFacts;
