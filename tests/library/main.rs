//! The library's own tests of its grammars: against the RFCs' examples, and against their ABNF.

mod agreement;
mod errors;
mod exhaustive;
mod grammars;
mod oracle;
mod properties;
