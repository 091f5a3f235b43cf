//! The table function `read_uris`: files of any size as rows.

mod files;
mod plan;
mod reading;
mod rows;

pub(crate) use plan::{Parameters, Plan};
pub(crate) use rows::Rows;
