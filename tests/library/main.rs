//! The library's own tests of its grammars: against the RFCs' examples, and against their ABNF.
//!
//! | module | tests |
//! |---|---|
//! | [`grammars`] | what the RFCs give as examples, and the decisions where they are open: verdicts and components |
//! | [`errors`] | the kind, component and offset of every error, and its message |
//! | [`exhaustive`] | all short strings over telling alphabets, against the oracle |
//! | [`longest`] | records that are as long as can be |
//! | [`normal`] | normal forms, resolved references, and the way back |
//! | [`properties`] | long, mixed and hostile records, against the oracle |
//! | [`regular`] | that the oracle's automata are those of a library for regular expressions |
//! | [`suggestions`] | that suggestions change nothing but the error |
//! | [`suite`] | of each grammar a set of records that no other language agrees on, through parser and backends |
//! | [`agreement`] | nothing: it compares the library with the oracle |
//! | [`oracle`] | nothing: it knows the grammars by their ABNF, and nothing of the parsers |

mod agreement;
mod errors;
mod exhaustive;
mod grammars;
mod longest;
mod normal;
mod oracle;
mod properties;
mod regular;
mod suggestions;
// Not where tests run by an emulator, which is too slow for millions of records.
#[cfg(target_arch = "x86_64")]
mod suite;

/// The number of random cases: a quarter of these, unless `URIVALIDATE_LONG_TESTS` is set, as `.ci/run` sets it.
fn cases(all: u32) -> u32 {
    if std::env::var_os("URIVALIDATE_LONG_TESTS").is_some() { all } else { all / 4 }
}
