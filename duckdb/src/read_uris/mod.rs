//! The table function `read_uris`: returns the records of files of any size as rows.

mod advice;
mod estimate;
mod files;
mod parameters;
mod plan;
mod reading;
mod rows;

pub(crate) use parameters::Parameters;
pub(crate) use plan::Plan;
pub(crate) use rows::Rows;
