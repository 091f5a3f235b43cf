//! Functions over Arrow arrays: the same as asking for each string by itself, whatever the layout.
//!
//! | module | tests |
//! |---|---|
//! | [`agreement`] | every field of every grammar, against `parse` |
//! | [`derived`] | normal forms, resolution and keys, against the functions of one record |
//! | [`parse_url`] | parts and keys, against `java.net.URI` by `parse` |
//! | `rows` | rows of scanned chunks, with the feature `reader` |
//! | [`arrays`] | nothing: it makes arrays of the same strings in every layout |
//! | [`records`] | nothing: it makes strings |

mod agreement;
mod arrays;
mod derived;
mod java_keys;
mod parse_url;
mod records;
#[cfg(feature = "reader")]
mod rows;

/// The number of random cases: a quarter of these, unless `URIVALIDATE_LONG_TESTS` is set, as `.ci/run` sets it.
fn cases(all: u32) -> u32 {
    if std::env::var_os("URIVALIDATE_LONG_TESTS").is_some() { all } else { all / 4 }
}
