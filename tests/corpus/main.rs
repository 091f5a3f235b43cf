//! Tests the corpus reader.
//!
//! | module | tests |
//! |---|---|
//! | [`records`] | records, lines and columns against a slow and simple reader, for every way to pass an input and any size of chunk |
//! | `compressed` | compressed inputs against their content |
//! | `many_files` | `scan_files` against `scan_file` |
//! | `pull` | scans whose results are pulled |
//! | `changing_files` | files that change while they are scanned |
//! | `bus_errors` | systems in which SIGBUS would not reach its handler |

// Not in the manifest, because archives of the sources have the manifest, but no tests.
#![cfg(feature = "corpus")]

// Not under an emulator: it would start programs for another machine.
#[cfg(all(feature = "mmap", target_os = "linux", target_arch = "x86_64"))]
mod bus_errors;
// Not under an emulator, which is too slow for a thousand scans.
#[cfg(all(feature = "mmap", target_arch = "x86_64"))]
mod changing_files;
#[cfg(all(feature = "gzip", feature = "__zstd", feature = "bzip2", feature = "__xz"))]
mod compressed;
#[cfg(all(feature = "gzip", feature = "rayon"))]
mod many_files;
mod pull;
mod records;
