//! Quarto and R Markdown: a dialect of [Markdown](super::markdown).

pub(crate) use super::markdown::QUARTO as ENTRY;
