//! What is wrong with a line.

pub(crate) use urivalidate::Problem;
