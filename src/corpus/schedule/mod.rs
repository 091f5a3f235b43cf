//! Hands inputs to workers, and results back in input order.
//!
//! | module | does |
//! |---|---|
//! | `scanner` | [`Scanner`]: options, and the path from a file, a stream or a slice to the sink |
//! | `files` | many files, in order: small files in parallel |
//! | `threads` | the threads of a scanner, started when they are needed |
//! | `pool` | workers pull chunks; results come in order |

mod files;
mod pool;
mod scanner;
#[cfg(feature = "rayon")]
mod threads;

pub use files::FileEvent;
pub use scanner::Scanner;
