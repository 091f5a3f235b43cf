//! MDX: [Markdown](super::markdown) with elements of JSX.

pub(crate) use super::markdown::MDX as ENTRY;
