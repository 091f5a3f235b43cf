//! Tests the library's grammars against the RFCs' examples and against their ABNF.
//!
//! | module | tests |
//! |---|---|
//! | [`grammars`] | the RFCs' examples, and the decisions where the RFCs are ambiguous: verdicts and components |
//! | [`errors`] | the kind, component and offset of every error, and its message |
//! | [`exhaustive`] | all short strings over selected alphabets, against the oracle |
//! | [`longest`] | the longest records |
//! | [`normal`] | normal forms, resolved references, and the way back |
//! | `domains` | public suffixes, against the list's own cases |
//! | [`properties`] | long, mixed and hostile records, against the oracle |
//! | [`regular`] | the oracle's automata, against those of a library for regular expressions |
//! | [`sample`] | that `corpora/sample.txt` has what its README says |
//! | [`suggestions`] | that suggestions change only the error |
//! | `surt` | keys of web archives, against PyPI's `surt` |
//! | [`threads`] | that threads can share values |
//! | [`words`] | that no identifier has a word that CONTRIBUTING.md retires |
//! | [`suite`] | for each grammar, a set of records whose verdicts identify the grammar, through parser and backends |
//! | [`agreement`] | no tests: compares the library with the oracle |
//! | [`oracle`] | no tests: implements the grammars by their ABNF, independently of the parsers |

mod agreement;
#[cfg(feature = "domains")]
mod domains;
mod errors;
mod exhaustive;
mod grammars;
mod longest;
mod normal;
mod oracle;
mod properties;
mod regular;
mod sample;
mod suggestions;
#[cfg(feature = "surt")]
mod surt;
mod threads;
mod words;
// Not under an emulator, which is too slow for millions of records.
#[cfg(target_arch = "x86_64")]
mod suite;

/// The number of random cases: a quarter of these, unless `URIVALIDATE_LONG_TESTS` is set, as the lane
/// `long-tests` sets it.
fn cases(all: u32) -> u32 {
    if std::env::var_os("URIVALIDATE_LONG_TESTS").is_some() { all } else { all / 4 }
}
