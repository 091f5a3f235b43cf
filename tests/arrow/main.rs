//! Tests functions over Arrow arrays: in every layout, the results are the same as for each string alone.
//!
//! | module | tests |
//! |---|---|
//! | [`agreement`] | every field of every grammar, against `parse` |
//! | `catalogue` | the list of the functions, and its tables in documentation; with the features `surt` and `domains` |
//! | [`derived`] | normal forms, resolution and keys, against the functions for one record |
//! | [`parse_url`] | parts and keys, against `java.net.URI` by `parse` |
//! | `rows`, `stream` | rows of scanned chunks and of files, with the feature `corpus` |
//! | [`arrays`] | no tests: makes arrays of the same strings in every layout |
//! | [`records`] | no tests: makes strings |

// Not in the manifest, because archives of the sources have the manifest, but no tests.
#![cfg(feature = "arrow")]

mod agreement;
mod arrays;
#[cfg(all(feature = "surt", feature = "domains"))]
mod catalogue;
mod derived;
mod java_keys;
mod parameters;
mod parse_url;
mod records;
#[cfg(feature = "corpus")]
mod rows;
#[cfg(feature = "corpus")]
mod stream;

/// The number of random cases: a quarter of these, unless `URIVALIDATE_LONG_TESTS` is set, as the lane
/// `long-tests` sets it.
fn cases(all: u32) -> u32 {
    if std::env::var_os("URIVALIDATE_LONG_TESTS").is_some() { all } else { all / 4 }
}
