//! Hands inputs to workers, and results back in input order.
//!
//! | module | does |
//! |---|---|
//! | `scanner` | [`Scanner`]: options, and the path from a file, a stream or a slice to the sink |
//! | `files` | many files, in order: small files in parallel |
//! | `pool` | workers pull chunks; results come in order |

mod files;
mod pool;
mod scanner;

pub use files::{FileEvent, open};
pub use scanner::Scanner;
